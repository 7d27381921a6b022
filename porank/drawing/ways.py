"""Ways round boxes: which boxes a line meets, and lanes between the boxes for one that meets any.

Idea: *a line may pass a level upright through a gap between two boxes, and go across only in the
corridor between two levels, where no box reaches.*
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.drawing.runs import softened

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from porank.drawing.layout import HasseLayout, Place

    Points = NDArray[np.float64]

#: Lines in one gap stay so far apart, in units of the layout, if they can.
_APART = 0.06
#: How much of the corridor between levels a line uses to straighten before it passes a gap.
_TURN = 0.3
#: What it costs to share a lane, a step of one unit to the side costing 1.
_SHARED = 4.0
#: How steeply a line leaves a level, as a part of the way to the next one; the first that does.
_STEEP = (0.3, 0.5, 0.65, 0.8, 0.9)


def met(path: Points, places: Points, halves: Points) -> NDArray[np.bool_]:
    """Return which boxes a line runs through, given by their middles and half their sizes.

    Examples
    --------
    >>> path = np.array([[0.0, 2.0], [0.0, 0.0]])
    >>> met(path, np.array([[0.3, 1.0], [0.6, 1.0]]), np.array([[0.5, 0.2], [0.5, 0.2]])).tolist()
    [True, False]

    Notes
    -----
    Time O(k b) for k pieces of the line and b boxes.
    """
    found: NDArray[np.bool_]
    found = np.all((places + halves > path.min(0)) & (places - halves < path.max(0)), axis=1)
    if found.any():
        found[found] = _cut(path, places[found], halves[found])
    return found


def _cut(path: Points, places: Points, halves: Points) -> NDArray[np.bool_]:
    """Return through which boxes a piece of the line runs: when it enters before it leaves."""
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
    """Return a smooth line through places below each other that is upright at each of them."""
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
    """Ways through a diagram that meet no box, each in lanes of its own as far as there are any.

    Parameters
    ----------
    layout : HasseLayout
        Where the boxes stand; these do not meet each other.
    halves : mapping
        box -> half its width and half its height, in units of the layout.

    Examples
    --------
    >>> import porank as po
    >>> layout = po.hasse_layout(po.parse("a > b > c"))
    >>> lanes = Lanes(layout, dict.fromkeys(layout, (0.3, 0.2)))
    >>> way = lanes.way("a", "c", ends=(-0.5, 0.5))
    >>> bool(np.all(np.abs(way[:, 0]) < 0.5)), lanes.meets(way, "a", "c"), way[[0, -1]].tolist()
    (True, False, [[0.0, 2.0], [0.0, 0.0]])
    >>> lanes.meets(np.array([[0.0, 2.0], [0.0, 0.0]]), "a", "c")
    True
    """

    def __init__(self, layout: HasseLayout, halves: Mapping[Any, tuple[float, float]]) -> None:
        self.layout = layout
        self.number = {box: number for number, box in enumerate(layout)}
        self.places = np.array(list(layout.values()), dtype=float).reshape(-1, 2)
        self.halves = np.array([halves[box] for box in layout], dtype=float).reshape(-1, 2)
        self.height = max((high for _, high in halves.values()), default=0.0)
        self._used: dict[int, list[float]] = {}

    def others(self, u: Any, v: Any) -> tuple[Points, Points]:
        """Return the places and half the sizes of all boxes but two."""
        is_other = np.ones(len(self.places), dtype=bool)
        is_other[[self.number[u], self.number[v]]] = False
        return self.places[is_other], self.halves[is_other]

    def meets(self, path: Points, u: Any, v: Any) -> bool:
        """Say whether a line between two boxes runs through another one."""
        return bool(met(path, *self.others(u, v)).any())

    def way(self, u: Any, v: Any, *, ends: tuple[float, float]) -> Points:
        """Return the points of a line between two boxes that meets no other box.

        Parameters
        ----------
        u, v : box
            Where it begins and ends.
        ends : tuple of float
            It stays between these, to the left and to the right.

        Notes
        -----
        Time O(h b**2) for h levels between them and b boxes on a level.
        """
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
        """Return a line that goes to the side in corridors only."""
        points = [stations[0], *self._below(stations[0])]
        for place in stations[1:-1]:
            points += [*self._below(place, down=False)[::-1], *self._below(place)]
        return softened([*points, *self._below(stations[-1], down=False)[::-1], stations[-1]])

    def _below(self, place: Place, *, down: bool = True) -> list[Place]:
        """Return the points straight below a place, or above it, where the corridor begins."""
        x, y = place
        sign = -1 if down else 1
        depths = self.height, self.height + _TURN * (0.5 - self.height)
        return [(x, y + sign * depth) for depth in depths]

    def _beside(self, start: Place, end: Place) -> list[Place]:
        """Return the corners of a line to another box on the same level, the longer the deeper."""
        left, _, right, _ = self.layout.bounds
        far = abs(start[0] - end[0]) / (right - left + 1)
        depth = self.height + (0.5 - self.height) * (0.2 + 0.7 * far)
        depths = 0.0, self.height, depth
        one, other = ([(x, y - down) for down in depths] for x, y in (start, end))
        return [*one, *other[::-1]]

    def _chosen(
        self, start: Place, end: Place, levels: range, ends: tuple[float, float]
    ) -> list[float]:
        """Return where to pass each level, so that the line goes least to the side."""
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
        """Return what each lane costs for being in use."""
        used = np.array(self._used.get(level, []))
        if not used.size:
            return np.zeros(len(lanes))
        near = np.abs(lanes[:, None] - used[None, :]).min(axis=1)
        return np.where(near < 0.8 * _APART, _SHARED, 0.0)
