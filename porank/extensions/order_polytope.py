"""Linear extensions from the order polytope: points of [0, 1]^n with u above v where it must be.

A uniform point of the polytope, read from its largest coordinate to its smallest, is a uniform
linear extension. Given all others, a coordinate is uniform between the largest one that it must
exceed and the smallest one that must exceed it.

Idea: *draw every coordinate anew between its neighbours, again and again, with the same random
number in all copies of the walk. The step is monotone, so a copy that began at all 0 and one that
began at all 1 hold every other copy between them; where the two leave only one sequence, the walk
that has gone on forever has that sequence too* [1]_. What is not settled is walked again from an
earlier start with the same random numbers; to go on until it looks settled would be biased.

`draw_batches` draws exactly, in a time that is not known beforehand; `walk_batches` walks a stated
number of sweeps in some independent lanes, from the middle of the polytope, which is as good as a
draw after a while.

References
----------
.. [1] J. G. Propp, D. B. Wilson, "Exact sampling with coupled Markov chains and applications to
   statistical mechanics", Random Structures & Algorithms 9, 1996, pp. 223-252.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from porank.core.progress import track

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from porank.typing import Floats, Numbers


#: So many coordinates are walked together: enough to make up for the calls of NumPy.
_COORDINATES = 1 << 14
#: So many sweeps reach from the latest start to now; each earlier start doubles them.
_LATEST_START = 32


def draw_batches(
    above: NDArray[np.bool_], size: int, rng: np.random.Generator, *, progress: bool | None = None
) -> Iterator[Numbers]:
    """Yield uniform linear extensions in arrays, one in each row, `size` in all.

    The entry [u, v] of `above` says that u is above v; it is transitively closed.
    """
    n = len(above)
    walk = _Walk(above)
    lanes = max(1, min(size, _COORDINATES // max(n, 1)))
    for first in track(range(0, size, lanes), progress=progress, label="drawing"):
        yield _draw_together(walk, min(lanes, size - first), rng)


def walk_batches(
    above: NDArray[np.bool_],
    lanes: int,
    sweeps: int,
    rng: np.random.Generator,
    *,
    progress: bool | None = None,
) -> Iterator[Numbers]:
    """Yield linear extensions that independent lanes come by, an array after each sweep.

    As many sweeps go before the first one. The lanes know nothing of each other, so that the spread
    between them tells the error of a mean over all.
    """
    walk = _Walk(above)
    points = walk.middle(lanes)
    sweeps_with_start = track(range(2 * sweeps), progress=progress, label="walking")
    for sweep in sweeps_with_start:
        walk.sweep(points, rng.random((walk.size, lanes)))
        if sweep >= sweeps:
            yield np.argsort(-points[: walk.size, 0].T, axis=1, kind="stable")


def _draw_together(walk: _Walk, lanes: int, rng: np.random.Generator) -> Numbers:
    """Return an extension for each lane, walked from ever earlier starts until all are settled."""
    seed = rng.integers(2**63, size=2).tolist()
    drawn = np.empty((lanes, walk.size), dtype=np.int64)
    open_lanes = np.arange(lanes)
    for earliest in count():
        points = walk.bounds(open_lanes.size)
        for block in range(earliest, -1, -1):
            for uniform in _numbers([*seed, block], _sweeps_in(block), (walk.size, lanes)):
                walk.sweep(points, uniform[:, open_lanes])
        sequence, is_settled = walk.read(points)
        drawn[open_lanes[is_settled]] = sequence[is_settled]
        open_lanes = open_lanes[~is_settled]
        if not open_lanes.size:
            return drawn
    raise AssertionError("unreachable")  # pragma: no cover


def _sweeps_in(block: int) -> int:
    """Return how many sweeps a block has, block 0 being the last before now."""
    return _LATEST_START << max(block - 1, 0)


def _numbers(seed: list[int], sweeps: int, shape: tuple[int, int]) -> Iterable[Floats]:
    """Yield the random numbers of a block, the same whenever it is walked."""
    rng = np.random.default_rng(seed)
    return (rng.random(shape) for _ in range(sweeps))


class _Walk:
    """The walk in the polytope of one order, with many lanes, each of one copy or more."""

    def __init__(self, above: NDArray[np.bool_]) -> None:
        self.size = len(above)
        self._comparable = above
        covers = above & ~_passes_through(above)
        self._steps = [
            (items, *_neighbours(covers, items, self.size), *_neighbours(covers.T, items, -1))
            for items in _colour_classes(covers | covers.T)
        ]

    def bounds(self, lanes: int) -> Floats:
        """Return the two extreme copies for each lane, as [item, copy, lane]."""
        points = np.zeros((self.size + 2, 2, lanes))
        points[:, 1] = 1
        points[self.size] = 0
        points[self.size + 1] = 1
        return points

    def middle(self, lanes: int) -> Floats:
        """Return one copy for each lane, each item in the middle of the places that it may have."""
        better, worse = self._comparable.sum(axis=0), self._comparable.sum(axis=1)
        points = np.ones((self.size + 2, 1, lanes))
        points[: self.size] = ((worse + 1) / (better + worse + 2))[:, None, None]
        points[self.size] = 0
        return points

    def sweep(self, points: Floats, uniform: Floats) -> None:
        """Draw each coordinate anew, in place, by a number for each item and lane.

        Items of one colour are no neighbours of each other and take their step together.
        """
        for items, below, below_starts, above, above_starts in self._steps:
            low = np.maximum.reduceat(points[below], below_starts, axis=0)
            room = np.minimum.reduceat(points[above], above_starts, axis=0)
            room -= low
            room *= uniform[items, None, :]
            points[items] = low + room

    def read(self, points: Floats) -> tuple[Numbers, NDArray[np.bool_]]:
        """Return the sequence of each lane, best first, and whether no other one is possible.

        Neighbours in it are settled if they are comparable, or the lower bound of the better one
        exceeds the upper bound of the other.
        """
        low, high = points[: self.size, 0].T, points[: self.size, 1].T
        sequence = np.argsort(-low, axis=1, kind="stable")
        better, worse = sequence[:, :-1], sequence[:, 1:]
        apart = np.take_along_axis(low, better, 1) > np.take_along_axis(high, worse, 1)
        is_settled = np.logical_and.reduce(apart | self._comparable[better, worse], axis=1)
        return sequence, np.asarray(is_settled)


def _passes_through(above: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return for which pairs of a closed relation an item stands in between."""
    numbers = above.astype(np.float32)
    return (numbers @ numbers) > 0


def _colour_classes(adjacent: NDArray[np.bool_]) -> list[Numbers]:
    """Return the items in classes without neighbours, coloured greedily by falling degree."""
    colour = np.full(len(adjacent), -1)
    for item in np.argsort(-adjacent.sum(axis=1), kind="stable"):
        used = set(colour[adjacent[item]].tolist())
        colour[item] = next(each for each in count() if each not in used)
    return [np.flatnonzero(colour == each) for each in range(colour.max(initial=-1) + 1)]


def _neighbours(
    covers: NDArray[np.bool_], items: Numbers, sentinel: int
) -> tuple[Numbers, Numbers]:
    """Return the neighbours of all items on one side, and where each item's begin.

    An item without any has a sentinel: the row of zeros behind the last item, or that of ones.
    """
    found = [np.flatnonzero(covers[item]) for item in items]
    lists = [each if each.size else np.array([sentinel]) for each in found]
    starts = np.cumsum([0, *map(len, lists[:-1])])
    return np.concatenate(lists), starts
