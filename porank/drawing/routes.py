"""How lines run in a diagram with boxes, and how wide boxes may be, so that none meets another.

Idea of the room: *look at the strip that the height of a box takes up, and measure how near the
lines come in it; a line that begins or ends at a neighbour may cut a corner, too.*
Idea of the ways: *a line may pass a level upright through a gap between two boxes, and go across
only in the corridor between two levels, where no box reaches.*

`Rooms` tells how wide boxes may be; `softened` rounds the bends of a line; `Lanes` leads
lines round boxes, `met` says which they meet; `bow` is a line for which the layout has no place.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from porank.drawing.layout.hasse import HasseLayout, Place

    Points = NDArray[np.float64]
    Bounds = tuple[float, float, float, float]


class Rooms:
    """How much room there is round the items of a layout, in its units."""

    def __init__(self, layout: HasseLayout) -> None:
        self.layout = layout
        self.between = between(layout)
        self._number = {item: number for number, item in enumerate(layout)}
        upper, lower, ends = [np.empty((0, 2))], [np.empty((0, 2))], [np.empty((0, 2), dtype=int)]
        for edges in _by_bends(layout):
            numbers = [number for u, v in edges for point in layout.path(u, v) for number in point]
            runs = softened(np.array(numbers).reshape(len(edges), -1, 2))
            upper.append(runs[:, :-1].reshape(-1, 2))
            lower.append(runs[:, 1:].reshape(-1, 2))
            both = np.array([(self._number[u], self._number[v]) for u, v in edges])
            ends.append(np.repeat(both, runs.shape[1] - 1, axis=0))
        self._upper, self._lower = np.concatenate(upper), np.concatenate(lower)
        self._ends = np.concatenate(ends)

    def beside_lines(self, half: float) -> dict[Any, float]:
        """Return the greatest widths of boxes of that half height that meet no box and no edge."""
        found: dict[Any, float] = {}
        highest = len(self.layout.levels) - 1
        for depth, items in enumerate(self.layout.levels):
            left, right, ends = self._strip(highest - depth, half)
            for item in items:
                x = self.layout[item][0]
                gaps = np.maximum(np.maximum(left - x, x - right), 0.0)
                foreign = gaps[np.all(ends != self._number[item], axis=1)]
                found[item] = min(self.between[item], 2 * float(foreign.min(initial=np.inf)))
        return found

    def _strip(self, y: float, half: float) -> tuple[Any, Any, Any]:
        """Return from where to where lines pass the strip of a box's height, and between whom."""
        passes = (self._lower[:, 1] <= y + half) & (self._upper[:, 1] >= y - half)
        (x0, y0), (x1, y1) = self._lower[passes].T, self._upper[passes].T
        slope = (x1 - x0) / np.where(y1 > y0, y1 - y0, 1.0)
        one = x0 + slope * (np.maximum(y0, y - half) - y0)
        other = x0 + slope * (np.minimum(y1, y + half) - y0)
        return np.minimum(one, other), np.maximum(one, other), self._ends[passes]


def _by_bends(layout: HasseLayout) -> Iterable[list[tuple[Any, Any]]]:
    """Return the lines of a diagram in groups, one for each number of bends they run through."""
    groups: dict[int, list[tuple[Any, Any]]] = {}
    for edge in layout.edges:
        groups.setdefault(len(layout.bends.get(edge, ())), []).append(edge)
    return groups.values()


def between(layout: HasseLayout) -> dict[Any, float]:
    """Return how wide each item's box may be: twice as far as to the middle before the next."""
    left, _, right, _ = layout.bounds
    found: dict[Any, float] = {}
    for items in layout.levels:
        x = [layout[item][0] for item in items]
        gaps = [there - here for here, there in pairwise(x)]
        before = [2 * (x[0] - left) + 1, *gaps] if x else []
        after = [*gaps, 2 * (right - x[-1]) + 1] if x else []
        found |= dict(zip(items, map(min, before, after), strict=True))
    return found


#: A bend is rounded over that part of the shorter piece beside it, in so many steps.
_ROUND, _STEPS = 0.35, 6


def softened(points: Sequence[Place] | Points) -> Points:
    """Return the points of a polyline with its bends rounded, or those of a stack of polylines."""
    corners = np.array(points, dtype=float)
    n_corners = corners.shape[-2] if corners.ndim > 1 else 0
    if n_corners < 3:
        return corners
    pieces = [corners[..., :1, :]]
    way = np.linspace(0, 1, _STEPS)[:, None]
    for k in range(1, n_corners - 1):
        before, bend, after = (corners[..., j : j + 1, :] for j in (k - 1, k, k + 1))
        start, end = bend + _ROUND * (before - bend), bend + _ROUND * (after - bend)
        pieces.append((1 - way) ** 2 * start + 2 * way * (1 - way) * bend + way**2 * end)
    return np.concatenate([*pieces, corners[..., -1:, :]], axis=-2)


#: Lines in one gap stay so far apart, in units of the layout, if they can.
_APART = 0.06
#: How much of the corridor between levels a line uses to straighten before it passes a gap.
_TURN = 0.3
#: What it costs to share a lane, a step of one unit to the side costing 1.
_SHARED = 4.0
#: How steeply a line leaves a level, as a part of the way to the next one; the first that does.
_STEEP = (0.3, 0.5, 0.65, 0.8, 0.9)


def met(path: Points, places: Points, halves: Points) -> NDArray[np.bool_]:
    """Return which boxes, given by middles and half sizes, a polyline intersects."""
    found: NDArray[np.bool_]
    found = np.all((places + halves > path.min(0)) & (places - halves < path.max(0)), axis=1)
    if found.any():
        found[found] = _cut(path, places[found], halves[found])
    return found


def _cut(path: Points, places: Points, halves: Points) -> NDArray[np.bool_]:
    """Return which boxes a line runs through: those that a piece enters before it leaves."""
    enters, leaves = np.zeros((2, len(path) - 1, len(places)))
    leaves += 1
    for axis in (0, 1):
        start, step = path[:-1, axis, None], np.diff(path[:, axis])[:, None]
        low, high = places[:, axis] - halves[:, axis], places[:, axis] + halves[:, axis]
        with np.errstate(divide="ignore", invalid="ignore"):
            one, other = (low - start) / step, (high - start) / step
        is_still = np.broadcast_to(step == 0, one.shape)
        outside = np.where((low < start) & (start < high), -np.inf, np.inf)
        enters = np.maximum(enters, np.where(is_still, outside, np.minimum(one, other)))
        leaves = np.minimum(leaves, np.where(is_still, -outside, np.maximum(one, other)))
    is_cut: NDArray[np.bool_] = np.any(enters < leaves, axis=0)
    return is_cut


def _swung(stations: list[Place], steepness: float) -> Points:
    """Return how a line runs smoothly through places below each other, upright at each of them."""
    way = np.linspace(0, 1, 17)[1:, None]
    pieces = [np.array(stations[:1], dtype=float)]
    for above, below in pairwise(np.array(stations, dtype=float)):
        down = np.array([0.0, steepness * (above[1] - below[1])])
        pieces.append(
            (1 - way) ** 3 * above
            + 3 * way * (1 - way) ** 2 * (above - down)
            + 3 * way**2 * (1 - way) * (below + down)
            + way**3 * below
        )
    return np.concatenate(pieces)


class Lanes:
    """Routes of lines through a diagram round its boxes, each in a lane of its own if it can be."""

    def __init__(self, layout: HasseLayout, halves: Mapping[Any, tuple[float, float]]) -> None:
        self.layout = layout
        self.number = {box: number for number, box in enumerate(layout)}
        self.places = np.array(list(layout.values()), dtype=float).reshape(-1, 2)
        self.halves = np.array([halves[box] for box in layout], dtype=float).reshape(-1, 2)
        self.height = max((high for _, high in halves.values()), default=0.0)
        self._used: dict[int, list[float]] = {}

    def others(self, u: Any, v: Any) -> tuple[Points, Points]:
        """Return the places and half the sizes of all boxes but the two ends of a line."""
        is_other = np.ones(len(self.places), dtype=bool)
        is_other[[self.number[u], self.number[v]]] = False
        return self.places[is_other], self.halves[is_other]

    def meets(self, path: Points, u: Any, v: Any) -> bool:
        """Say whether a line between two boxes runs through another one."""
        return bool(met(path, *self.others(u, v)).any())

    def way(self, u: Any, v: Any, *, ends: tuple[float, float]) -> Points:
        """Return the points of a line between two boxes that meets no other box."""
        start, end = self.layout[u], self.layout[v]
        if start[1] < end[1]:
            return self.way(v, u, ends=ends)[::-1]
        if start[1] == end[1]:
            return softened(self._beside(start, end))
        levels = range(round(start[1]) - 1, round(end[1]), -1)
        lanes = self._chosen(start, end, levels, ends)
        for level, x in zip(levels, lanes, strict=True):
            self._used.setdefault(level, []).append(x)
        stations = [start, *zip(lanes, levels, strict=True), end]
        others = self.others(u, v)
        for steepness in _STEEP:
            path = _swung(stations, steepness)
            if not met(path, *others).any():
                return path
        return self._upright(stations)

    def _upright(self, stations: list[Place]) -> Points:
        """Return the route of a line that goes to the side in corridors between levels only."""
        points = [stations[0], *self._below(stations[0])]
        for place in stations[1:-1]:
            points += [*self._below(place, down=False)[::-1], *self._below(place)]
        return softened([*points, *self._below(stations[-1], down=False)[::-1], stations[-1]])

    def _below(self, place: Place, *, down: bool = True) -> list[Place]:
        """Return the points of a route straight below a box, or above it, up to the corridor."""
        x, y = place
        sign = -1 if down else 1
        depths = self.height, self.height + _TURN * (0.5 - self.height)
        return [(x, y + sign * depth) for depth in depths]

    def _beside(self, start: Place, end: Place) -> list[Place]:
        """Return the corners of a route to another box on the same level, the longer the deeper."""
        left, _, right, _ = self.layout.bounds
        far = abs(start[0] - end[0]) / (right - left + 1)
        depth = self.height + (0.5 - self.height) * (0.2 + 0.7 * far)
        depths = 0.0, self.height, depth
        one, other = ([(x, y - down) for down in depths] for x, y in (start, end))
        return [*one, *other[::-1]]

    def _chosen(
        self, start: Place, end: Place, levels: range, ends: tuple[float, float]
    ) -> list[float]:
        """Return the lane in which a route passes each level, so that it goes least aside."""
        before, cost = np.array([start[0]]), np.zeros(1)
        tried, came_from = [], []
        for level in levels:
            share = (start[1] - level) / (start[1] - end[1])
            lanes = self._lanes(level, start[0] + share * (end[0] - start[0]), ends)
            total = cost[None, :] + np.abs(lanes[:, None] - before[None, :])
            came_from.append(total.argmin(axis=1))
            before, cost = lanes, total.min(axis=1) + self._price(level, lanes)
            tried.append(lanes)
        chosen, k = [], int(np.argmin(cost + np.abs(before - end[0])))
        for lanes, origin in zip(tried[::-1], came_from[::-1], strict=True):
            chosen.append(float(lanes[k]))
            k = int(origin[k])
        return chosen[::-1]

    def _lanes(self, level: int, wished: float, ends: tuple[float, float]) -> Points:
        """Return places between the boxes of a level, in each gap the one nearest to the wished."""
        boxes = [
            self.number[box] for box in self.layout.levels[len(self.layout.levels) - 1 - level]
        ]
        inside = [number for number in boxes if ends[0] < self.places[number, 0] < ends[1]]
        x, half = self.places[inside, 0], self.halves[inside, 0]
        found: list[float] = []
        lows, highs = np.append(ends[0], x + half), np.append(x - half, ends[1])
        for low, high in zip(lows.tolist(), highs.tolist(), strict=True):
            if high > low:
                margin = min(_APART, (high - low) / 3)
                n_lanes = max(1, min(9, int((high - low - 2 * margin) / _APART)))
                found += np.linspace(low + margin, high - margin, n_lanes + 1).tolist()
                found.append(min(max(wished, low + margin), high - margin))
        return np.array(found)

    def _price(self, level: int, lanes: Points) -> Points:
        """Return what each lane between boxes costs for being in use."""
        used = np.array(self._used.get(level, []))
        if not used.size:
            return np.zeros(len(lanes))
        near = np.abs(lanes[:, None] - used[None, :]).min(axis=1)
        return np.where(near < 0.8 * _APART, _SHARED, 0.0)


#: How far at most a bow goes to the side, as a part of its length, and how many are tried.
_BOWS = np.array([0.0, 0.12, -0.12, 0.22, -0.22, 0.34, -0.34, 0.5, -0.5])
#: A bow keeps so far from dots, in units of the layout and in points, the less of the two.
_CLEAR, _NEAR = 0.42, 22.0
#: What the widest bow costs twice, a box met costing 1; how far bows may go beyond the items.
_FAR, _EDGE = 1.5, 0.45


def round_dots(across: float, up: float) -> Place:
    """Return half the size of the ground of a dot, of which bows keep clear."""
    return min(_CLEAR, _NEAR / across), min(_CLEAR, _NEAR / up)


def bow(
    ends: tuple[Place, Place], others: tuple[Points, Points], scale: Place, within: Bounds
) -> Points:
    """Return how a line bows from one place to another, round others given as places and halves."""
    point = np.array(scale, dtype=float)
    one, other = np.array(ends) * point
    way = np.linspace(0, 1, 17)[:, None]
    along = other - one
    aside = np.array([along[1], -along[0]])
    low, high = np.array(within[:2]) - _EDGE, np.array(within[2:]) + _EDGE
    best, least = np.empty((0, 2)), np.inf
    for share in _BOWS:
        if _FAR * abs(share) >= least:
            # A wider one costs more, whatever it meets.
            break
        middle = (one + other) / 2 + 2 * share * aside
        points = ((1 - way) ** 2 * one + 2 * way * (1 - way) * middle + way**2 * other) / point
        cost = np.count_nonzero(met(points, *others)) + _FAR * abs(share)
        cost += len(others[0]) * bool(np.any(points < low) or np.any(points > high))
        if cost < least:
            best, least = points, cost
    return best
