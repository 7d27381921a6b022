"""The names of dots, beside them, as many as there is room for.

Idea: *right or left of the dot, else above or below, else diagonally; rather not across a
line.* A name overlaps no name and stays away from other dots, or is left out.

`names_at_dots` places them, `write_names` writes them; `name_dots` does both, above a legend.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.drawing.axes import size_in_points, widen
from porank.drawing.box_texts import LINE, SIZES
from porank.drawing.fonts import width_of
from porank.drawing.marks import legend, legend_height, stroke, write
from porank.drawing.routes import boxes_cut
from porank.drawing.style import PAPER
from porank.drawing.texts import shortened_apart

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from porank.typing import Floats


#: The directions of names from their dots; the lower left corner of each name in its own widths and
#: heights, relative to where it is written; and its alignment.
_WAYS = np.array([(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)])
_WAYS = _WAYS / np.linalg.norm(_WAYS, axis=1, keepdims=True)
_CORNERS = (np.sign(_WAYS) - 1) / 2
_ALIGNS = [
    (("center", "left", "right")[x], ("center", "bottom", "top")[y])
    for x, y in np.sign(_WAYS).astype(int).tolist()
]
#: The distance of a name from its dot, the least from other dots, and its maximum width, in points;
#: how many times as wide as measured it may be at other resolutions.
_AWAY, _APART, _LONGEST, _LOOSE = 2.0, 5.0, 110.0, 1.06
#: Names that are not wider than this are clear at any distance, and not replaced by numbers.
SHORT = 24.0
#: The background of a name fades lines behind it.
_GROUND = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.3, "alpha": 0.85}


class DotNames(NamedTuple):
    """The size of the names at dots; by number, the text of each with its offset and alignment."""

    size: float
    places: dict[int, tuple[str, Any, Any]]


def names_at_dots(
    dots: Floats,
    radius: float,
    texts: Mapping[int, str],
    extent: Floats,
    *,
    lines: Sequence[Floats] = (),
) -> DotNames:
    """Return the names at dots, by number, in the largest size in which most are written.

    A name that would be as near to another dot as to its own is left out. Dots, lines and the room
    are in points from the lower left corner of the Axes. Earlier names have priority.
    """
    # The pieces of lines, each with its two ends.
    cut = [np.stack([line[:-1], line[1:]], axis=1) for line in lines]
    pieces = np.concatenate([np.empty((0, 2, 2)), *cut])
    found = []
    for size in SIZES:
        short = shortened_apart([*texts.values()], size=size, longest=_LONGEST)
        names = dict(zip(texts, short, strict=True))
        found.append(DotNames(size, _placed(dots, radius, names, size, extent, pieces)))
        if len(found[-1].places) == len(texts):
            break
    return max(found, key=lambda names: len(names.places))


def _placed(
    dots: Floats,
    radius: float,
    texts: Mapping[int, str],
    size: float,
    extent: Floats,
    pieces: Floats,
) -> dict[int, tuple[str, Any, Any]]:
    """Return the places of names in one size."""
    taken, spans = np.stack([dots - radius, dots + radius], axis=1), np.sort(pieces, axis=1)
    places, is_named = {}, np.isin(np.arange(len(dots)), [*texts])
    for k, text in texts.items():
        wide = np.array([_LOOSE * width_of(text, size=size) + _AWAY, LINE * size])
        low = dots[k] + (radius + _AWAY) * _WAYS + wide * _CORNERS
        sides, is_other = np.stack([low, low + wide], axis=1), np.arange(len(taken)) != k
        is_free = ((low >= 0) & (low + wide <= extent)).all(1) & ~_meet(sides, taken).any(1)
        rivals = taken[: len(dots)][is_named & is_other[: len(dots)]]
        is_free &= ~_meet(sides, rivals, margin=_APART * (wide[0] > SHORT)).any(1)
        is_tight = _meet(sides, taken[is_other], margin=_APART / 2).any(1)
        around = np.array([[sides[:, 0].min(axis=0), sides[:, 1].max(axis=0)]])
        passing = pieces[_meet(around, spans)[0]]
        is_crossed = boxes_cut(passing[:, 0], passing[:, 1], low + wide / 2, 0 * low + wide / 2)
        if is_free.any():
            best = int(np.where(is_free, 2 * is_crossed + is_tight, np.inf).argmin())
            shift = (radius + _AWAY) * _WAYS[best]
            places[k] = text, tuple(shift.tolist()), _ALIGNS[best]
            taken = np.concatenate([taken, sides[best : best + 1]])
    return places


def _meet(boxes: Floats, others: Floats, *, margin: float = 0.0) -> Any:
    """Return which boxes overlap which others, or come nearer than the margin, by their corners."""
    low, high = boxes[:, None, 0] - margin, boxes[:, None, 1] + margin
    return ((low < others[:, 1]) & (high > others[:, 0])).all(axis=2)


def write_names(ax: Axes, names: DotNames, places: Sequence[Any]) -> None:
    """Write names at dots, above lines and below dots, with the gid ``"name"``."""
    how: dict[str, Any] = {"bbox": _GROUND, "zorder": 2.9, "gid": "name", "size": names.size}
    for k, (text, shift, align) in names.places.items():
        write(ax, text, places[k], shift=shift, align=align, **how)


def name_dots(
    ax: Axes,
    places: Floats,
    texts: Sequence[str],
    *,
    radius: float,
    entries: Sequence[Any] = (),
) -> None:
    """Write the names of dots that have room above the legend, in this order, and the legend."""
    note = stroke("named: 100 of 100", linestyle="none")
    limits, extent = {"xlim": ax.get_xlim(), "ylim": ax.get_ylim()}, np.array(size_in_points(ax))
    for shown in (entries, [note, *entries]):
        ax.set(**limits)
        below = np.array([0, legend_height(shown, *extent)])
        widen(ax, bottom=below[1])
        ends = np.array([ax.get_xlim(), ax.get_ylim()])
        dots = (places - ends[:, 0]) * extent / np.diff(ends).ravel() - below
        named = dict(enumerate(texts))
        names = names_at_dots(dots, radius, named, extent - below)
        if len(names.places) == len(texts):
            break
    note.set_label(f"named: {len(names.places):,} of {len(texts):,}")
    write_names(ax, names, places.tolist())
    legend(ax, shown)
