"""The course of lines between boxes, and the widths of boxes, so that they do not overlap.

Idea: *take the strip at the height of a box, and measure how near lines come within it; a line that
begins or ends at a neighbour may cut a corner, too.*

`Rooms` returns how wide boxes may be. `softened` rounds the bends of a line, `bow` draws a line for
which the layout has no edge, `boxes_hit` returns which boxes a line runs through.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.drawing.layout.hasse_layout import HasseLayout
    from porank.drawing.layout.junctions import Place
    from porank.typing import Floats


class Rooms:
    """The room around the items of a layout, in its units, and the courses of its edges."""

    def __init__(self, layout: HasseLayout) -> None:
        self.layout = layout
        self.between = between(layout)
        self._number = {item: number for number, item in enumerate(layout)}
        self.runs = {(u, v): softened(layout.path(u, v)) for u, v in layout.edges}
        runs = self.runs.values()
        self._upper = np.concatenate([np.empty((0, 2)), *(run[:-1] for run in runs)])
        self._lower = np.concatenate([np.empty((0, 2)), *(run[1:] for run in runs)])
        number = self._number | dict.fromkeys(layout.junctions, -1)
        ends = [(number[u], number[v]) for u, v in layout.edges]
        lengths = [len(run) - 1 for run in runs]
        self._ends = np.repeat(np.array(ends, dtype=int).reshape(-1, 2), lengths, axis=0)

    def free_widths(self, half: float) -> dict[Any, float]:
        """Return the maximum widths of boxes of that half height that touch no box and no edge."""
        found: dict[Any, float] = {}
        for items in self.layout.levels:
            left, right, ends = self._strip(self.layout[items[0]][1], half)
            for item in items:
                x = self.layout[item][0]
                gaps = np.maximum(np.maximum(left - x, x - right), 0.0)
                foreign = gaps[np.all(ends != self._number[item], axis=1)]
                found[item] = min(self.between[item], 2 * float(foreign.min(initial=np.inf)))
        return found

    def _strip(self, y: float, half: float) -> tuple[Any, Any, Any]:
        """Return where lines pass the strip at the height of a box, and between which items."""
        passes = (self._lower[:, 1] <= y + half) & (self._upper[:, 1] >= y - half)
        (x0, y0), (x1, y1) = self._lower[passes].T, self._upper[passes].T
        # x(y) = x0 + (y - y0) (x1 - x0) / (y1 - y0), at both ends of the part within the strip
        slope = (x1 - x0) / np.where(y1 > y0, y1 - y0, 1.0)
        one = x0 + slope * (np.maximum(y0, y - half) - y0)
        other = x0 + slope * (np.minimum(y1, y + half) - y0)
        return np.minimum(one, other), np.maximum(one, other), self._ends[passes]


def between(layout: HasseLayout) -> dict[Any, float]:
    """Return the maximum width of each box: the distance to its nearer neighbour."""
    left, _, right, _ = layout.bounds
    found: dict[Any, float] = {}
    for items in layout.levels:
        x = np.array([layout[item][0] for item in items])
        gaps = [2 * (x[0] - left) + 1, *np.diff(x), 2 * (right - x[-1]) + 1]
        found |= dict(zip(items, np.minimum(gaps[:-1], gaps[1:]).tolist(), strict=True))
    return found


#: A bend is rounded over this share of the shorter piece beside it, in this many steps.
_ROUND, _STEPS = 0.35, 6


def softened(points: Sequence[Place]) -> Floats:
    """Return the points of a polyline with its bends rounded."""
    corners = np.array(points, dtype=float)
    pieces = [corners[:1]]
    way = np.linspace(0, 1, _STEPS)[:, None]
    for before, bend, after in zip(corners, corners[1:], corners[2:], strict=False):
        # Quadratic Bezier curve: B(t) = (1 - t)^2 start + 2 t (1 - t) bend + t^2 end
        start, end = bend + _ROUND * (before - bend), bend + _ROUND * (after - bend)
        pieces.append((1 - way) ** 2 * start + 2 * way * (1 - way) * bend + way**2 * end)
    return np.concatenate([*pieces, corners[-1:]])


def boxes_hit(path: Floats, places: Floats, halves: Floats) -> NDArray[np.bool_]:
    """Return which boxes, given by centres and half sizes, a polyline intersects."""
    found: NDArray[np.bool_]
    found = np.all((places + halves > path.min(0)) & (places - halves < path.max(0)), axis=1)
    if found.any():
        found[found] = boxes_cut(path[:-1], path[1:], places[found], halves[found])
    return found


def boxes_cut(starts: Floats, ends: Floats, places: Floats, halves: Floats) -> NDArray[np.bool_]:
    """Return which boxes lines run through: those that a line enters before it leaves."""
    enters, leaves = np.zeros((2, len(starts), len(places)))
    leaves += 1
    for axis in (0, 1):
        # The point start + t step, 0 <= t <= 1, lies between low and high if t is between
        # (low - start) / step and (high - start) / step, on both axes.
        start, step = starts[:, axis, None], (ends - starts)[:, axis, None]
        low, high = places[:, axis] - halves[:, axis], places[:, axis] + halves[:, axis]
        with np.errstate(divide="ignore", invalid="ignore"):
            one, other = (low - start) / step, (high - start) / step
        is_still = np.broadcast_to(step == 0, one.shape)
        outside = np.where((low < start) & (start < high), -np.inf, np.inf)
        enters = np.maximum(enters, np.where(is_still, outside, np.minimum(one, other)))
        leaves = np.minimum(leaves, np.where(is_still, -outside, np.maximum(one, other)))
    is_cut: NDArray[np.bool_] = np.any(enters < leaves, axis=0)
    return is_cut


#: Maximum offset of a bow, as a share of its length, and number of bows to try.
_BOWS = np.array([0.0, 0.04, -0.04, 0.12, -0.12, 0.22, -0.22, 0.34, -0.34, 0.5, -0.5])
#: Cost of a bow for each unit of its offset, where each box hit costs 1; how far bows may leave the
#: diagram.
_FAR, _EDGE = 1.5, 0.45


def bow(layout: HasseLayout, u: Any, v: Any, halves: Floats, scale: Place) -> Floats:
    """Return the course of a bow between two items around the boxes of all others.

    Boxes are given by half their sizes, in units of the layout.
    """
    point = np.array(scale, dtype=float)
    one, other = np.array([layout[u], layout[v]]) * point
    others = others_of(layout, u, v, halves)
    way = np.linspace(0, 1, 17)[:, None]
    along = other - one
    aside = np.array([along[1], -along[0]])
    low, high = np.reshape(layout.bounds, (2, 2)) + np.array([[-_EDGE], [_EDGE]])
    best, least = np.empty((0, 2)), np.inf
    for share in _BOWS:
        if _FAR * abs(share) >= least:
            # A wider bow costs more, whatever it hits.
            break
        # Quadratic Bezier curve whose middle is `share` of its length aside of the straight line
        middle = (one + other) / 2 + 2 * share * aside
        points = ((1 - way) ** 2 * one + 2 * way * (1 - way) * middle + way**2 * other) / point
        cost = np.count_nonzero(boxes_hit(points, *others)) + _FAR * abs(share)
        cost += len(others[0]) * bool(np.any(points < low) or np.any(points > high))
        if cost < least:
            best, least = points, cost
    return best


def others_of(layout: HasseLayout, u: Any, v: Any, halves: Floats) -> tuple[Floats, Floats]:
    """Return the places and half the sizes of all boxes except two."""
    is_other = np.array([box not in (u, v) for box in layout], dtype=bool)
    return np.array(list(layout.values())).reshape(-1, 2)[is_other], halves[is_other]
