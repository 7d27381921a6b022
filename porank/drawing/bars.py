"""How long each pair persists: a bar for each pair over the thresholds at which it is decided."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.graphs import item_key
from porank.drawing.palette import color_of_share
from porank.drawing.style import corner_legend, size_in_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from porank.abstention.curve import AbstentionCurve, CurvePoint
    from porank.typing import Numbers

_DARK, _LIGHT = color_of_share(1), color_of_share(0.25)
#: A dot at the end of a bar, in rows and at the most in points; the height of a bar, in dots.
_DOT, _MOST_DOT, _BAR = 0.78, 7.5, 0.55
#: Rows lower than this, in points, are filled more: dots and bars are no longer told apart there.
_LOW_ROW, _LOW_BAR = 3.0, 0.68


@dataclass(frozen=True, eq=False)
class Bars:
    """The pairs decided at the minimal threshold, the most persistent first.

    Columns are the thresholds that leave no cycle, the lowest first.

    Attributes
    ----------
    curve : AbstentionCurve
        What is predicted at every threshold.

    Examples
    --------
    >>> import porank as po
    >>> votes = [po.from_ranking(vote) for vote in ("abc", "acb", "bac")]
    >>> bars = Bars(po.abstention_curve(po.preference_relation(votes)))
    >>> [str(point.alpha) for point in bars.points], bars.pairs.tolist()
    (['2/3', '1'], [[0, 2], [0, 1], [1, 2]])
    >>> bars.ends(bars.curve.decided).tolist(), bars.changes(5)
    ([1, 0, 0], [0, 1])
    >>> bars.below_is_cycle
    True
    """

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
    """Draw each bar, the part that its own degree reaches over the part that the closure holds.

    The threshold number j lies at x = j, the bar number r at y = r.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> import porank as po
    >>> votes = [po.from_ranking(vote) for vote in ("abc", "acb", "bac")]
    >>> ax = Figure().add_subplot(xlim=(-0.5, 1.5), ylim=(2.5, -0.5))
    >>> draw_bars(ax, Bars(po.abstention_curve(po.preference_relation(votes))))
    >>> [collection.get_gid() for collection in ax.collections]
    ['closure', 'closure_end', 'own', 'own_end']
    """
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
