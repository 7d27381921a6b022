"""The Axes of a diagram: how large they are, and what stands round the diagram in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porank.drawing.captions import caption, settle_caption
from porank.drawing.dot_names import LARGEST_DOT
from porank.drawing.labels import PAD, Labels, key_width, labels_for
from porank.drawing.legends import legend_height, write_legend, write_short_names
from porank.drawing.palette import INK
from porank.drawing.rooms import rooms
from porank.drawing.sheet import Sheet
from porank.drawing.style import (
    NORMAL,
    SMALL,
    axes_for,
    make_room,
    size_in_points,
    without_frame,
)
from porank.drawing.texts import width_of
from porank.drawing.ticks import shown_places
from porank.drawing.words import LINE

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from matplotlib.axes import Axes

    from porank.drawing.captions import Titles
    from porank.drawing.layout import HasseLayout
    from porank.drawing.words import Words

#: A unit of the layout in a new figure: least and most across, least and most upwards, in points.
_ACROSS, _UP = (24.0, 120.0), (34.0, 90.0)
#: The smallest and the largest new figure, and what is round the diagram, in inches.
_LEAST, _MOST, _ROUND = (4.6, 2.4), (13.0, 9.0), (0.5, 0.9)
#: Half the height of a box with a line of text in a new figure, in units of the layout.
_FLAT = 0.15


def sheet_for(
    ax: Axes | None,
    layout: HasseLayout,
    words: Mapping[Any, Words],
    titles: Titles,
    entries: Sequence[Any],
    *,
    first: Collection[Any] = (),
) -> Sheet:
    """Return the Axes with all that stands round the diagram, ready for lines and boxes.

    Parameters
    ----------
    ax : Axes or None
        Where to draw; None for a new figure.
    layout : HasseLayout
        Where the boxes stand.
    words : mapping
        What is to be written into each.
    titles : Titles
        What is written round it.
    entries : sequence of artists
        What the legend explains.
    first : collection
        Boxes to name rather than others where there is no room for all names.

    Notes
    -----
    Some milliseconds for each text, and some 50 ms for the layout of a new figure.
    """
    ax = axes_for(ax, size=_size(layout, words, entries))
    without_frame(ax, keep=())
    caption(ax, title=titles.title, x=titles.x, y=titles.y)
    left, _, right, _ = layout.bounds
    n_levels = max(len(layout.levels), 1)
    ax.set_xlim(left - 0.5, right + 0.5)
    ax.set_ylim(-0.5, n_levels - 0.5)
    ax.set_xticks([])
    _number_levels(ax, n_levels if titles.has_ranks else 0, 9.0 * n_levels)
    settle_caption(ax)
    width, height = size_in_points(ax)
    side = beside = bottom = 0.0
    top = headed = 1.6 * NORMAL if titles.headings else 0.0
    note = ""
    for _ in range(3):
        bottom = max(bottom, legend_height(entries, note, width))
        up = (height - bottom - top) / n_levels
        across = max(width - beside - 2 * side, width / 3) / (right - left + 1)
        labels = labels_for(layout, words, across=across, up=up, width=width, first=first)
        beside = max(beside, key_width(labels, width))
        side = max(side, _overhang(labels, across))
        top = max(top, headed + _above(labels, up))
        note = labels.note
    make_room(ax, left=side, right=side + beside, bottom=bottom, top=top)
    _number_levels(ax, n_levels if titles.has_ranks else 0, height - bottom)
    write_legend(ax, entries, labels, width)
    write_short_names(ax, labels, beside)
    _write_headings(
        ax, titles.headings, (left - 0.5, right + 0.5), n_levels - 0.5 + (top - headed) / max(up, 1)
    )
    return Sheet(ax, layout, labels, across, up, titles.headings)


def _size(
    layout: HasseLayout, words: Mapping[Any, Words], entries: Sequence[Any]
) -> tuple[float, float]:
    """Return the size of a new figure, in inches, in which the texts fit as far as possible."""
    room = rooms(layout, half=_FLAT)
    needed, lines = _ACROSS[0], 1.0
    for box, units in room.items():
        width = width_of(words[box].text, size=NORMAL) + PAD + 6
        needed = max(needed, min(width, _ACROSS[1]) / max(units, 0.3))
        lines = max(lines, width / _ACROSS[1])
    left, _, right, _ = layout.bounds
    width = (right - left + 1) * min(needed, _ACROSS[1]) / 72 + _ROUND[0]
    width = min(_MOST[0], max(_LEAST[0], width))
    # Where lines are long they need room upwards, too.
    up = min(_UP[1], max(_UP[0] + 1.2 * (right - left), LINE * NORMAL * lines + 30))
    height = len(layout.levels) * up / 72 + _ROUND[1] + legend_height(entries, "", 72 * width) / 72
    return width, min(_MOST[1], max(_LEAST[1], height))


def _overhang(labels: Labels, across: float) -> float:
    """Return how far names at dots may reach beyond the diagram, in points."""
    if labels.is_inside:
        return 0.0
    widest = max((width_of(text, size=labels.size) for text in labels.texts.values()), default=0.0)
    if labels.is_beside:
        return max(0.0, widest + LARGEST_DOT + 2 - across / 2)
    return max(0.0, (widest - across) / 2)


def _above(labels: Labels, up: float) -> float:
    """Return how far names above the highest dots reach beyond the diagram, in points."""
    if labels.is_inside:
        return 0.0
    if labels.is_beside:
        return max(0.0, LINE * labels.size / 2 - up / 2)
    return max(0.0, LINE * labels.size + LARGEST_DOT + 2 - up / 2)


def _number_levels(ax: Axes, n_levels: int, room: float) -> None:
    """Write the numbers of the levels, 1 on top; every k-th where there is no room for all."""
    shown = shown_places(n_levels, room, size=SMALL)
    ax.set_yticks(
        [n_levels - 1 - place for place in shown], labels=[str(place + 1) for place in shown]
    )


def _write_headings(
    ax: Axes, headings: Sequence[str], ends: tuple[float, float], height: float
) -> None:
    """Write the headings above equal parts of the diagram."""
    part = (ends[1] - ends[0]) / max(len(headings), 1)
    for k, text in enumerate(headings):
        how: dict[str, Any] = {"fontsize": NORMAL, "color": INK, "ha": "center", "va": "bottom"}
        ax.text(ends[0] + (k + 0.5) * part, height, text, gid="heading", **how)
