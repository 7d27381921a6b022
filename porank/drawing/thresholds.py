"""All thresholds in one picture: the order at some of them, and how long each pair persists.

How long each pair persists: a bar for each pair over the thresholds at which it is decided.

Small Hasse diagrams beside each other within one Axes, all to the same scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.abstention.curve import AbstentionCurve, abstention_curve
from porank.abstention.thresholds import require_relation
from porank.core.arguments import require_count
from porank.core.graphs import item_key
from porank.core.progress import track
from porank.drawing.layout.hasse import hasse_layout
from porank.drawing.style import (
    FAINT,
    INK,
    MUTED,
    PAPER,
    SMALL,
    axes_for,
    color_of_share,
    corner_legend,
    make_room,
    number_gids,
    settle,
    size_in_points,
    without_frame,
)
from porank.drawing.texts import (
    caption,
    names_of,
    note_of,
    settle_caption,
    shortened,
    shown_places,
    size_for,
    threshold_text,
    width_of,
)
from porank.errors import Hint, PorankError, counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from porank.abstention.curve import CurvePoint
    from porank.abstention.preference_relation import PreferenceRelation
    from porank.drawing.layout.hasse import HasseLayout, Place
    from porank.typing import Numbers


#: The bars of the pairs of more items are too thin; so are diagrams of more than the second.
_MOST, _MOST_IN_DIAGRAM = 200, 60
#: The height of the diagrams in points, and the part of the Axes that they may take.
_BAND, _BAND_SHARE = 120.0, 0.5
#: What stands above the diagrams, and below them, in points; a line of notes, and their share.
_ABOVE, _BELOW, _LINE, _NOTES_SHARE = 18.0, 14.0, 10.5, 0.25
#: The longest name in a pair, in points.
_LONGEST = 50.0


def draw_thresholds(
    P: PreferenceRelation | AbstentionCurve,
    *,
    diagrams: int = 5,
    ax: Axes | None = None,
    progress: bool = False,
) -> Axes:
    """Draw what is predicted at every threshold: some of the orders, and a bar for each pair.

    Thresholds grow to the right from the minimal one, and pairs drop out. The bar of a pair begins
    at the minimal threshold and ends, with a dot, at the last one at which the pair is decided:
    dark as far as its own degree reaches, light where only the closure still holds it. Where even
    the lowest threshold leaves no cycle, bars begin at the edge.

    Parameters
    ----------
    P : PreferenceRelation or AbstentionCurve
        Degrees of preference, or what `abstention_curve` found for them.
    diagrams : int
        So many Hasse diagrams at the most are drawn above the bars, of orders that differ; none of
        orders of more than 60 items.
    ax : Axes, optional
        Where to draw; by default in a new figure.
    progress : bool
        Show a bar.

    Returns
    -------
    Axes
        The threshold number j, counted from 0, lies at x = j, the bar number r at y = r. Bars are
        two collections with the gids ``"own"`` and ``"closure"``, and so are the dots at their
        ends, ``"own_end"`` and ``"closure_end"``; a pair decided at the minimal threshold alone has
        a dot only, unless bars begin at the edge. The lines of a diagram have the gid
        ``"diagram"``, what is written above it the gid ``"threshold"``.

    Raises
    ------
    GraphTypeError
        If `P` is neither.
    PorankError
        If there are more than 200 items, or `diagrams` is no number.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> P = po.preference_relation([po.from_ranking(vote) for vote in ("abc", "acb", "bac")])
    >>> ax = po.draw_thresholds(P)
    >>> [text.get_text() for text in ax.texts if "threshold" in str(text.get_gid())]
    ['2/3: 3 pairs', '1: 1 pair']
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['a > c', 'a > b', 'b > c']
    >>> plt.close(ax.figure)

    Notes
    -----
    Time that of `abstention_curve`, and of `hasse_layout` for each diagram. Where names would
    overlap, every k-th is shown, and the picture says so.
    """
    require_count(diagrams, name="diagrams")
    curve = P if isinstance(P, AbstentionCurve) else _curve_of(P, progress=progress)
    if len(curve.P.items) > _MOST:
        raise PorankError(
            f"expected at most {_MOST} items to draw thresholds of, found {len(curve.P.items):,}",
            hint=Hint.RESTRICT_DEGREES,
        )
    bars = Bars(curve)
    shown = bars.changes(diagrams) if len(curve.P.items) <= _MOST_IN_DIAGRAM else []
    layouts = [
        hasse_layout(curve.order(bars.points[place].alpha))
        for place in track(shown, progress=progress, label="layouts")
    ]
    ax, naming = _axes(ax, bars, layouts)
    draw_bars(ax, bars)
    _draw_diagrams(ax, bars, shown, layouts, naming)
    return number_gids(ax)


def _curve_of(P: Any, *, progress: bool) -> AbstentionCurve:
    require_relation(P)
    return abstention_curve(P, progress=progress)


def _axes(ax: Axes | None, bars: Bars, layouts: list[HasseLayout]) -> tuple[Axes, Naming]:
    """Return the Axes with everything named, room above for diagrams, and names of items."""
    k, n_bars, n_columns = len(layouts), max(len(bars.pairs), 1), max(len(bars.points), 1)
    height = min(5.0, max(0.4, 0.17 * n_bars)) + 1.2 + (_BAND / 72 if k else 0)
    ax = axes_for(ax, size=(max(4.8, 1.25 * k) + _LONGEST / 36, height))
    without_frame(ax, keep=("bottom",))
    caption(ax, title=_title(bars, k), x="threshold", y="pairs decided")
    ax.set_xlim(-0.5, n_columns - 0.5)
    ax.set_ylim(n_bars - 0.5, -0.5)
    for _ in range(2):
        settle(ax)
        width, height = size_in_points(ax)
        band = min(_BAND, _BAND_SHARE * height) if k else 0.0
        naming = naming_for(layouts, width, band - _ABOVE - _BELOW)
        notes = _notes(bars, layouts, naming, width)
        if naming.key and len(notes) * _LINE > _NOTES_SHARE * height:
            naming = Naming({}, [])
            notes = _notes(bars, layouts, naming, width)
        below = len(notes) * _LINE + (_LINE + 4 if bars.has_both_kinds else 0.0)
        _name_bars(ax, bars, height - band - below)
        _name_thresholds(ax, bars, width)
    settle_caption(ax)
    make_room(ax, top=band, bottom=below)
    how: dict[str, Any] = {"ha": "left", "va": "bottom", "linespacing": 1.15}
    if notes:
        place: Any = {"transform": ax.transAxes, "fontsize": SMALL, "color": INK, "gid": "note"}
        ax.text(0, 0.01, "\n".join(notes), **place, **how)
    return ax, naming


def _title(bars: Bars, k: int) -> str:
    n = len(bars.points)
    if not n:
        return "Every threshold leaves a cycle"
    if not k:
        return f"How long pairs are decided, over {counted(n, 'threshold')}"
    return f"The order at {k} of {n} thresholds" if k < n else "The order at each threshold"


def _notes(bars: Bars, layouts: list[HasseLayout], naming: Naming, width: float) -> list[str]:
    """Return what is to be said, in lines of that width."""
    parts = []
    items = bars.curve.P.items
    if bars.points and bars.below_is_cycle:
        parts.append(f"below {threshold_text(bars.curve.alpha)} there is a cycle")
    alphas = [point.alpha for point in bars.points]
    if len({there - here for here, there in pairwise(alphas)}) > 1:
        parts.append("thresholds not to scale")
    if names_of(items, longest=_LONGEST) != names_of(items, longest=float("inf")):
        parts.append("long names are shortened")
    if layouts and not naming.texts:
        parts.append("dots: no room for names")
    return _in_lines(parts, "; ", width) + _in_lines(naming.key, ", ", width)


def _in_lines(parts: Sequence[str], join: str, width: float) -> list[str]:
    """Return the parts in as few lines of that width as they fit."""
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]}{join}{part}" if lines else part
        if lines and width_of(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(shortened(part, longest=width))
    return lines


def _name_bars(ax: Axes, bars: Bars, room: float) -> None:
    """Name the pairs, the preferred item first; say so if not all have a name."""
    names = names_of(bars.curve.P.items, longest=_LONGEST)
    size = size_for(room / max(len(bars.pairs), 1))
    shown = shown_places(len(bars.pairs), room, size=size)
    pairs = bars.pairs[shown.start : shown.stop : shown.step].tolist()
    ax.set_yticks(shown, labels=[f"{names[u]} > {names[v]}" for u, v in pairs], fontsize=size)
    if note_of(shown):
        ax.set_ylabel(f"pairs decided, {note_of(shown)}")


def _name_thresholds(ax: Axes, bars: Bars, room: float) -> None:
    texts = [threshold_text(point.alpha) for point in bars.points]
    widest = max(map(width_of, texts), default=0.0)
    shown = shown_places(len(texts), room, size=widest + 6)
    ax.set_xticks(shown, labels=[texts[place] for place in shown], fontsize=SMALL)


def _headings(bars: Bars, shown: list[int], width: float) -> list[str]:
    """Return what stands above the diagrams: thresholds, and how many pairs where there is room."""
    points = [bars.points[place] for place in shown]
    short = [threshold_text(point.alpha) for point in points]
    long = [
        f"{text}: {counted(point.pairs, 'pair')}" for text, point in zip(short, points, strict=True)
    ]
    return long if all(width_of(text) <= width for text in long) else short


def _draw_diagrams(
    ax: Axes, bars: Bars, shown: list[int], layouts: list[HasseLayout], naming: Naming
) -> None:
    """Draw the diagrams above the bars, each with its threshold and a line down to it."""
    from matplotlib.collections import LineCollection

    (left, right), (_, top) = ax.get_xlim(), ax.get_ylim()
    low = max(len(bars.pairs), 1) - 0.5
    point = abs(top - ax.get_ylim()[0]) / size_in_points(ax)[1]
    band = Band(left, right, bottom=-0.5 - _BELOW * point, top=top + _ABOVE * point)
    draw_miniatures(ax, layouts, band, naming.texts)
    middles = band.middles(len(shown))
    texts = _headings(bars, shown, width=size_in_points(ax)[0] / max(len(shown), 1) - 4)
    for text, x in zip(texts, middles, strict=True):
        how: dict[str, Any] = {"fontsize": SMALL, "color": INK, "ha": "center", "va": "top"}
        ax.text(x, top, text, gid="threshold", **how)
    ends = zip(shown, middles, strict=True)
    paths = [[(x, -0.5 - 8 * point), (place, -0.5), (place, low)] for place, x in ends]
    lines = LineCollection(paths, colors=FAINT, linewidths=0.8, zorder=1)
    lines.set_gid("place")
    ax.add_collection(lines, autolim=False)


_DARK, _LIGHT = color_of_share(1), color_of_share(0.25)
#: A dot at the end of a bar, in rows and at the most in points; the height of a bar, in dots.
_DOT, _MOST_DOT, _BAR = 0.78, 7.5, 0.55
#: Rows lower than this, in points, are filled more: dots and bars are no longer told apart there.
_LOW_ROW, _LOW_BAR = 3.0, 0.68


@dataclass(frozen=True, eq=False)
class Bars:
    """The pairs decided at the minimal threshold, the most persistent first."""

    curve: AbstentionCurve

    @cached_property
    def points(self) -> list[CurvePoint]:
        """The thresholds that leave no cycle."""
        return [point for point in self.curve if point.is_acyclic]

    @property
    def below_is_cycle(self) -> bool:
        """Whether lower thresholds leave a cycle, so that no pair is decided there."""
        return len(self.points) < len(self.curve)

    @cached_property
    def strengths(self) -> list[int]:
        """The strength of each threshold."""
        return [self.curve.P.strength_of_threshold(point.alpha) for point in self.points]

    @cached_property
    def pairs(self) -> NDArray[np.int64]:
        """The numbers of the two items of each bar."""
        rows, columns = np.nonzero(self.curve.decided)
        items = self.curve.P.items
        keys = [item_key(item) for item in items]
        place = {key: number for number, key in enumerate(sorted(set(keys)))}
        by_name = np.array([place[key] for key in keys], dtype=np.int64)
        decided = self.curve.decided[rows, columns].astype(np.int64)
        own = self.curve.P.strength[rows, columns].astype(np.int64)
        sequence = np.lexsort((by_name[columns], by_name[rows], -own, -decided))
        return np.column_stack((rows, columns))[sequence]

    def ends(self, strength: NDArray[Any]) -> NDArray[np.int64]:
        """Return the number of the last threshold that strengths reach in each bar, or -1."""
        values = strength[self.pairs[:, 0], self.pairs[:, 1]]
        return np.searchsorted(self.strengths, values, side="right") - 1

    @cached_property
    def has_both_kinds(self) -> bool:
        """Whether the closure holds a pair longer than its own degree."""
        return bool(np.any(self.ends(self.curve.P.strength) < self.ends(self.curve.decided)))

    def changes(self, most: int) -> list[int]:
        """Return some of the thresholds at which the order changes, evenly chosen."""
        pairs = [point.pairs for point in self.points]
        new = [place for place in range(len(pairs)) if not place or pairs[place] < pairs[place - 1]]
        chosen = np.linspace(0, len(new) - 1, min(most, len(new))).round().astype(int)
        return [new[number] for number in chosen.tolist()]


def draw_bars(ax: Axes, bars: Bars) -> None:
    """Draw each bar, the part that its own degree reaches over the part that the closure holds."""
    from matplotlib.patches import Patch

    decided, own = bars.ends(bars.curve.decided), bars.ends(bars.curve.P.strength)
    rows = np.arange(len(own))
    by_closure, by_degree = own < decided, own >= 0
    _draw_kind(ax, bars, "closure", rows[by_closure], decided[by_closure], _LIGHT)
    _draw_kind(ax, bars, "own", rows[by_degree], own[by_degree], _DARK)
    if bars.has_both_kinds:
        looks = ((_DARK, "by its own degree"), (_LIGHT, "by the closure only"))
        patches = [Patch(color=color, label=label) for color, label in looks]
        corner_legend(
            ax, patches, place="upper right", columns=2, anchor=(ax.get_xlim()[1], len(own) - 0.5)
        )


def _draw_kind(ax: Axes, bars: Bars, kind: str, rows: Numbers, ends: Numbers, color: str) -> None:
    """Draw bars of one colour up to the thresholds where they end, and a dot on each of these."""
    from matplotlib.collections import PolyCollection

    start = 0.0 if bars.below_is_cycle else -0.5
    row_height = size_in_points(ax)[1] / abs(ax.get_ylim()[1] - ax.get_ylim()[0])
    size = min(_MOST_DOT, max(_DOT * row_height, 1.0))
    half = (_LOW_BAR if row_height < _LOW_ROW else _BAR * size / row_height) / 2
    boxes = [
        [(start, row - half), (end, row - half), (end, row + half), (start, row + half)]
        for row, end in zip(rows.tolist(), ends.tolist(), strict=True)
        if end > start
    ]
    made = PolyCollection(boxes, facecolors=color, edgecolors=color, linewidths=0.3, zorder=1.5)
    made.set_gid(kind)
    ax.add_collection(made, autolim=False)
    how: dict[str, Any] = {"facecolor": color, "edgecolor": _DARK, "zorder": 1.6}
    ax.scatter(ends, rows, s=size**2, linewidths=min(0.8, 0.15 * size), gid=f"{kind}_end", **how)


#: Neighbours are no further apart than this, in points.
_FAR = 60.0, 36.0


class Band(NamedTuple):
    """Where the diagrams stand, in the coordinates of the Axes."""

    left: float
    right: float
    bottom: float
    top: float

    def middles(self, k: int) -> list[float]:
        """Return the middles of k equal parts."""
        part = (self.right - self.left) / max(k, 1)
        return [self.left + (number + 0.5) * part for number in range(k)]


class Naming(NamedTuple):
    """What stands at the items of all diagrams alike: names, or numbers with a key, or dots."""

    texts: dict[Any, str]
    key: list[str]


def naming_for(layouts: Sequence[HasseLayout], width: float, height: float) -> Naming:
    """Return what fits between the items of diagrams in a band of so many points."""
    if not layouts:
        return Naming({}, [])
    across, up = _steps(layouts, width, height)
    items = [item for level in layouts[0].levels for item in level]
    names = names_of(items, longest=float("inf"))
    numbers = [str(number) for number in range(1, len(items) + 1)]
    if up < 1.4 * SMALL:
        return Naming({}, [])
    if _fit(names, min(across) - 4):
        return Naming(dict(zip(items, names, strict=True)), [])
    if _fit(numbers, min(across) - 2):
        key = [f"{number} {name}" for number, name in zip(numbers, names, strict=True)]
        return Naming(dict(zip(items, numbers, strict=True)), key)
    return Naming({}, [])


def _fit(texts: Sequence[str], room: float) -> bool:
    return all(width_of(text) <= room for text in texts)


def _steps(
    layouts: Sequence[HasseLayout], width: float, height: float
) -> tuple[list[float], float]:
    """Return how far neighbours are apart in each diagram, and levels in all, in points."""
    part = width / len(layouts)
    across = [min(_FAR[0], part / (_width(layout) + 1)) for layout in layouts]
    highest = max(max(len(layout.levels) for layout in layouts) - 1, 1)
    return across, min(_FAR[1], height / highest)


def draw_miniatures(
    ax: Axes, layouts: Sequence[HasseLayout], band: Band, texts: Mapping[Any, str]
) -> None:
    """Draw Hasse diagrams side by side, best on top, with these texts at the items, or dots."""
    if not layouts:
        return
    point = _point(ax)
    size = (band.right - band.left) / point[0], (band.top - band.bottom) / point[1]
    steps, up = _steps(layouts, *size)
    for layout, middle, across in zip(layouts, band.middles(len(layouts)), steps, strict=True):
        spare = band.top - band.bottom - (len(layout.levels) - 1) * up * point[1]
        scale = _Scale(middle, band.bottom + spare / 2, across * point[0], up * point[1])
        _draw_one(ax, layout, scale, texts)


def _point(ax: Axes) -> tuple[float, float]:
    """Return how far a point is, to the right and upwards, in the coordinates of the Axes."""
    width, height = size_in_points(ax)
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    return (right - left) / width, (high - low) / height


def _width(layout: HasseLayout) -> float:
    left, _, right, _ = layout.bounds
    return right - left


class _Scale(NamedTuple):
    """Where the middle of the lowest level stands, and how long the steps are."""

    x: float
    y: float
    across: float
    up: float

    def place(self, point: Place) -> Place:
        return self.x + point[0] * self.across, self.y + point[1] * self.up


def _draw_one(ax: Axes, layout: HasseLayout, scale: _Scale, texts: Mapping[Any, str]) -> None:
    from matplotlib.collections import LineCollection

    paths = [[scale.place(point) for point in layout.path(u, v)] for u, v in layout.edges]
    lines = LineCollection(paths, colors=MUTED, linewidths=0.8, zorder=2)
    lines.set_gid("diagram")
    ax.add_collection(lines, autolim=False)
    if not texts:
        points = [scale.place(point) for point in layout.values()]
        x, y = [x for x, _ in points], [y for _, y in points]
        ax.scatter(x, y, s=8, color=INK, linewidths=0, zorder=3, gid="item")
        return
    ground = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.8}
    how: dict[str, Any] = {"fontsize": SMALL, "color": INK, "ha": "center", "va": "center"}
    for item, point in layout.items():
        ax.text(*scale.place(point), texts[item], bbox=ground, zorder=3, gid="item", **how)
