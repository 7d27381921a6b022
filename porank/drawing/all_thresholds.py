"""All thresholds in one picture: the order at some of them, and how long each pair persists.

`draw_thresholds` draws a bar for each pair over the thresholds at which it is decided, and above
the bars small Hasse diagrams, in which an item keeps its height. `_ThresholdBars` has the ends of
the bars, `evenly_chosen` selects thresholds for diagrams, `_Panels` has the places of the items.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from porank.abstention.curve import AbstentionCurve, abstention_curve
from porank.abstention.thresholds import require_relation
from porank.core.arguments import require_count
from porank.core.arrays import inverse_of
from porank.core.graphs import sorted_by_label
from porank.drawing import axes, marks
from porank.drawing.axes import Frame
from porank.drawing.boxes import MOST_INTERVALS, require_few
from porank.drawing.diagram import room_in
from porank.drawing.fonts import width_of
from porank.drawing.hasse_diagram import hasse_sheet
from porank.drawing.layout.hasse_layout import layout_of
from porank.drawing.shown_part import is_legible
from porank.drawing.style import FAINT, SERIES, SMALL
from porank.drawing.texts import PAIR, names_of_pairs, threshold_text
from porank.errors import RESTRICT_DEGREES, counted
from porank.orders.ranks import set_ranks

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx
    from matplotlib.axes import Axes

    from porank.abstention.curve import CurvePoint
    from porank.abstention.preference_relation import PreferenceRelation
    from porank.drawing.diagram import Sheet
    from porank.drawing.layout.hasse_layout import HasseLayout
    from porank.typing import Numbers


#: With more items, there are no diagrams.
_MOST_IN_DIAGRAM = 100
#: Maximum width and height of the diagrams in a new figure, in points; the share of the Axes that
#: they may take; the largest height of the bars, in inches.
_WIDE, _HIGH, _BAND_SHARE, _MOST_BARS = 620.0, 300.0, 0.65, 3.2
#: Room above the diagrams and below them, in points.
_ABOVE, _BELOW = 18.0, 14.0


def draw_thresholds(
    P: PreferenceRelation | AbstentionCurve,
    *,
    diagrams: int = 5,
    width: str | float | None = None,
    title: str | None = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw the prediction at every threshold: some of the orders, and a bar for each pair.

    Thresholds increase to the right from the minimal one, and pairs drop out. The bar of a pair
    begins at the minimal threshold and ends, with a dot, at the last threshold at which the pair is
    decided, by its own degree or by the closure. If even the lowest threshold leaves no cycle, bars
    begin at the edge. If the order is the same at all thresholds, it is drawn alone, as in
    `draw_hasse`.

    Parameters
    ----------
    P : PreferenceRelation or AbstentionCurve
        Degrees of preference, or the result of `abstention_curve` for them.
    diagrams : int
        Maximum number of Hasse diagrams above the bars, of different orders; a narrow figure has
        fewer, those whose lines could not be followed are left out, and none are drawn if there are
        more than 100 items. An item has the same height in all of them, that of its rank at the
        minimal threshold.
    width, title, ax
        Width of a new figure, title, and Axes to draw in, as for `draw_hasse`.

    Returns
    -------
    Axes
        Threshold number j, counted from 0, is at x = j, bar number r at y = r. Bars are one
        collection with the gid ``"pairs"``, the dots at their ends one with ``"end"``. A pair
        decided at the minimal threshold alone has only a dot, unless bars begin at the edge. Each
        diagram is one of `draw_hasse` in Axes of its own, the text above it has the gid
        ``"threshold"``, that below it, if some names do not fit, ``"named"``.

    Raises
    ------
    GraphTypeError
        If `P` is neither.
    PorankError
        If there are more than 200 items, or `diagrams` is not a number.

    See Also
    --------
    draw_preferences, preference_relation, draw_tradeoff, abstention_curve, write_page

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> P = po.preference_relation([po.from_ranking(vote) for vote in ("abc", "acb", "bac")])
    >>> ax = po.draw_thresholds(P)
    >>> [text.get_text() for text in ax.texts if "threshold" in str(text.get_gid())]
    ['at 2/3: 3 pairs', 'at 1: 1 pair']
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['a > c', 'a > b', 'b > c']

    Notes
    -----
    Takes the time of `abstention_curve`, and of one layout for each diagram. If names
    of pairs would overlap, every k-th is shown, and the picture says so; it also says so if the
    names of items do not fit in the diagrams.
    """
    require_count(diagrams, name="diagrams")
    if not isinstance(P, AbstentionCurve):
        require_relation(P)
    curve = P if isinstance(P, AbstentionCurve) else abstention_curve(P)
    require_few(len(curve.P.items), MOST_INTERVALS, "items to draw thresholds of", RESTRICT_DEGREES)
    bars = _ThresholdBars(curve)
    frame = Frame(ax, width, title)
    room, changes = room_in(frame), changes_of(bars.points)
    most = min(diagrams, max(1, int(room[0] / _LEAST))) * (len(curve.P.items) <= _MOST_IN_DIAGRAM)
    chosen = evenly_chosen(changes, most)
    orders = {place: curve.order(bars.points[place].alpha) for place in chosen}
    if chosen and len(changes) == 1:
        title = _heading(bars) if frame.title == "" else frame.title
        return axes.finish(hasse_sheet(orders[0], frame._replace(title=title)).ax)
    panels = _Panels.of(orders, room)
    ax, band = _axes(frame, bars, panels)
    _draw_bars(ax, bars)
    _draw_diagrams(ax, bars, panels, band)
    return axes.finish(ax)


def _axes(frame: Frame, bars: _ThresholdBars, panels: _Panels) -> tuple[Axes, float]:
    """Return the Axes, with room above for diagrams, and the height of this room in points."""
    k, n_bars, n_columns = len(panels.orders), max(len(bars.pairs), 1), max(len(bars.points), 1)
    wide, high = panels.size
    below = max(min(_MOST_BARS, max(0.4, 0.17 * n_bars)), high / 72 * (1 / _BAND_SHARE - 1))
    wide = frame.inches(max(4.8, wide / 72) + PAIR * frame.longest / 72)
    titles = {"title": _title(bars, k), "x": _caption(bars)}
    titles["y"] = "pairs, decided up to a threshold"
    ax = frame.axes((wide, below + high / 72 + 1.2), keep=("bottom",), **titles)
    ax.set(xlim=(-0.5, n_columns - 0.5), ylim=(n_bars - 0.5, -0.5))
    items, texts = bars.curve.P.items, [threshold_text(point.alpha) for point in bars.points]
    pairs = [(items[u], items[v]) for u, v in bars.pairs.tolist()]
    widest = max(map(width_of, texts), default=0.0)
    for _ in range(2):
        axes.lay_out(ax)
        width, height = axes.size_in_points(ax)
        band = min(high, _BAND_SHARE * height)
        how: dict[str, Any] = {"longest": frame.longest, "named": names_of_pairs}
        if note := axes.name_places(ax.yaxis, pairs, height - band, **how):
            ax.set_ylabel(f"{titles['y']} ({note})")
        labelled = axes.labelled_places(len(texts), width, size=widest + 6)
        ax.set_xticks(labelled, labels=[texts[place] for place in labelled], fontsize=SMALL)
    axes.fit_captions(ax)
    axes.widen(ax, top=band)
    return ax, band


def _title(bars: _ThresholdBars, k: int) -> str:
    """Return the title of the picture."""
    n = len(bars.points)
    some = f": {k} of {n} orders drawn" if 0 < k < n else ""
    return f"Pairs decided at threshold t{some}" if n else "Every threshold leaves a cycle"


def _heading(bars: _ThresholdBars) -> str:
    """Return the title of a picture of the order at all thresholds."""
    first, last = (threshold_text(bars.points[k].alpha) for k in (0, -1))
    where = f"thresholds {first} to {last}" if first != last else f"threshold {first}"
    order = f"Order at {where}: {counted(bars.points[0].pairs, 'pair')}"
    return _caption(bars).replace("threshold t", order, 1)


def _caption(bars: _ThresholdBars) -> str:
    """Return the label of the thresholds, and what is below them."""
    parts = ["threshold t"]
    if bars.points and bars.below_is_cycle:
        parts.append(f"below {threshold_text(bars.points[0].alpha)} there is a cycle")
    if bars.points and bars.points[0].dropped:
        parts.append(f"below {threshold_text(bars.curve.alpha)} contradictions are dropped")
    return "; ".join(parts)


#: A dot at the end of a bar, in rows and at most in points; height of a bar, in dots.
_DOT, _MOST_DOT, _BAR = 0.78, 7.5, 0.55


@dataclass(frozen=True, eq=False)
class _ThresholdBars:
    """The pairs decided at the minimal threshold, the most persistent first."""

    curve: AbstentionCurve

    @cached_property
    def points(self) -> list[CurvePoint]:
        """The thresholds without a cycle."""
        return [point for point in self.curve if point.has_order]

    @property
    def below_is_cycle(self) -> bool:
        """Whether lower thresholds leave a cycle, so no pair is decided there."""
        return len(self.points) < len(self.curve)

    @cached_property
    def pairs(self) -> Numbers:
        """The numbers of the two items of each bar."""
        rows, columns = np.nonzero(self.curve.decided)
        items = self.curve.P.items
        by_name = inverse_of(np.array(sorted_by_label(items), dtype=np.int64))
        decided = self.curve.decided[rows, columns].astype(np.int64)
        sequence = np.lexsort((by_name[columns], by_name[rows], -decided))
        return np.column_stack((rows, columns))[sequence]

    @cached_property
    def ends(self) -> Numbers:
        """The number of the last threshold at which the pair of each bar is decided."""
        strengths = [self.curve.P.strength_of_threshold(point.alpha) for point in self.points]
        decided = self.curve.decided[self.pairs[:, 0], self.pairs[:, 1]]
        return np.searchsorted(strengths, decided, side="right") - 1


def changes_of(points: Sequence[CurvePoint]) -> list[int]:
    """Return the numbers of the thresholds at which the predicted order changes."""
    pairs = [point.pairs for point in points]
    return [place for place, n_pairs in enumerate(pairs) if not place or n_pairs < pairs[place - 1]]


def evenly_chosen(places: Sequence[int], most: int) -> list[int]:
    """Return some thresholds, including the first and the last, evenly chosen."""
    chosen = np.linspace(0, len(places) - 1, min(most, len(places))).round().astype(int)
    return [places[number] for number in chosen.tolist()]


def _draw_bars(ax: Axes, bars: _ThresholdBars) -> None:
    """Draw a bar for each pair up to the threshold where it ends, with a dot there."""
    start = 0.0 if bars.below_is_cycle else -0.5
    row_height = axes.unit_in_points(ax)[1]
    size = min(_MOST_DOT, max(_DOT * row_height, 1.0))
    half = _BAR * size / row_height / 2
    ends = enumerate(bars.ends.tolist())
    areas = [marks.box_corners(start, end, row, half) for row, end in ends if end > start]
    # Thinner bars than a pixel have an edge at least.
    how: dict[str, Any] = {"color": SERIES[0][0].color}
    marks.add_areas(ax, areas, linewidths=0.3, zorder=1.5, snap=False, gid="pairs", **how)
    rows = range(len(bars.ends))
    ax.scatter(bars.ends, rows, s=size**2, linewidths=0, zorder=1.6, gid="end", **how)


#: Minimum width of a diagram, so its texts fit; a unit of its layout in a new figure.
_LEAST, _UNIT = 90.0, (40.0, 30.0)


class _Panels(NamedTuple):
    """Small diagrams of orders, in which items keep their heights.

    Levels are those of the first order, which contains the others, so all lines lead down.
    """

    orders: dict[int, nx.DiGraph]
    layouts: dict[int, HasseLayout]

    @classmethod
    def of(cls, orders: dict[int, nx.DiGraph], room: tuple[float, float]) -> Self:
        """Return the panels of orders whose lines can be followed in their part of the room."""
        how: dict[str, Any] = {"level": set_ranks(next(iter(orders.values()), {}))}
        layouts = {k: layout_of(G, junctions="auto", **how) for k, G in orders.items()}
        part = room[0] / max(len(orders), 1), min(_HIGH, _BAND_SHARE * room[1] - _ABOVE - _BELOW)
        kept = {k: layout for k, layout in layouts.items() if is_legible(layout, part)}
        return cls({k: orders[k] for k in kept}, kept)

    @property
    def size(self) -> tuple[float, float]:
        """The width and the height of all panels in a new figure, in points."""
        bounds = [layout.bounds for layout in self.layouts.values()] or [(0, 0, 0, 0)]
        left, _, right, top = np.array(bounds).T
        wide = len(self.orders) * max((right - left + 1.3).max() * _UNIT[0], _LEAST)
        high = (top.max() + 1.5) * _UNIT[1] + _ABOVE + _BELOW
        return min(_WIDE, wide), min(_HIGH, high) if self.orders else 0.0


def _sheets_in(parts: Sequence[Axes], panels: _Panels, form: str) -> list[Sheet]:
    """Draw the diagrams in these Axes, with items as boxes or dots, and return their sheets."""
    sheets = []
    for part, (place, layout) in zip(parts, panels.layouts.items(), strict=True):
        part.clear()
        how: dict[str, Any] = {"layout": layout, "is_small": True, "form": form}
        sheets.append(hasse_sheet(panels.orders[place], Frame(part, title=None), **how))
    return sheets


def _draw_diagrams(ax: Axes, bars: _ThresholdBars, panels: _Panels, band: float) -> None:
    """Draw the small diagrams above their thresholds, and a line from each down to the bars."""
    (left, right), (low, top) = ax.get_xlim(), ax.get_ylim()
    width, height = axes.size_in_points(ax)
    n, upwards = len(panels.orders), (top - low) / height
    # They are above the names of pairs, too.
    names = (label.get_text() for label in ax.get_yticklabels())
    beside = max(map(width_of, names), default=0.0) / width
    pace = (1 + beside) / max(n, 1)
    floor, end = 1 - max(band - _BELOW, _ABOVE) / height, 1 - _ABOVE / height
    bare: Any = {"xticks": [], "yticks": []}
    starts = [k * pace - beside for k in range(n)]
    parts = [ax.inset_axes((start, floor, pace, end - floor), **bare) for start in starts]
    sheets = _sheets_in(parts, panels, "boxes or dots")
    if len({sheet.has_boxes for sheet in sheets}) > 1:
        sheets = _sheets_in(parts, panels, "dots")
    last, paths = max(len(bars.pairs), 1) - 0.5, []
    for sheet, place, start in zip(sheets, panels.orders, starts, strict=True):
        x, point = left + (start + pace / 2) * (right - left), bars.points[place]
        text = f"at {threshold_text(point.alpha)}: {counted(point.pairs, 'pair')}"
        marks.write(ax, text, (x, top), align=("center", "top"), gid="threshold")
        if note := sheet.note_of_names:
            below = x, low + floor * (top - low)
            marks.write(ax, note, below, align=("center", "top"), gid="named")
        paths.append([(x, -0.5 + 8 * upwards), (place, -0.5), (place, last)])
    how: dict[str, Any] = {"linewidths": 0.8, "zorder": 1, "clip_on": False}
    marks.add_lines(ax, paths, colors=FAINT, gid="place", **how)
