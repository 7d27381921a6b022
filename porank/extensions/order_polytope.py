"""Linear extensions from the order polytope: points of [0, 1]^n with u above v where it must be.

A uniform point of the polytope, read from its largest coordinate to its smallest, is a uniform
linear extension; and the coordinate of an item is 1 less its expected rank, divided by n + 1, in
the mean. Given all others, a coordinate is uniform between the largest one that it must exceed and
the smallest one that must exceed it.

Idea: *draw every coordinate anew between its neighbours, again and again, with the same random
number in all copies of the walk. The step is monotone, so a copy that began at all 0 and one that
began at all 1 hold every other copy between them; where the two leave only one sequence, the walk
that has gone on forever has that sequence too* [1]_. What is not settled is walked again from an
earlier start with the same random numbers; to go on until it looks settled would be biased.

Idea: *a walk that need not be coupled goes further if most of its steps mirror a coordinate between
its neighbours, as overrelaxation does* [2]_: the points stay uniform, and drift instead of
trembling.

A `Walk` draws exactly, in a time that is not known beforehand, or nearly so after a number of
sweeps that is stated; `DrawnPositions` has what some independent walks come by.

References
----------
.. [1] J. G. Propp, D. B. Wilson, "Exact sampling with coupled Markov chains and applications to
   statistical mechanics", Random Structures & Algorithms 9, 1996, pp. 223-252.
.. [2] S. L. Adler, "Over-relaxation method for the Monte Carlo evaluation of the partition function
   for multiquadratic actions", Physical Review D 23, 1981, pp. 2901-2904.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from porank.core.progress import track
from porank.extensions.decomposition import position_bounds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from porank.typing import Floats, Matrix, Numbers

    Covers = list[list[int]]


#: So many sweeps reach from the latest start to now; each earlier start doubles them.
_LATEST_START = 32
#: So many independent walks tell the error of what they agree on.
LANES = 20
#: Of so many sweeps one draws the coordinates anew, and the others mirror them.
_MIRRORED = 8
#: So many sweeps are made at least and at most, and in between for so many comparisons.
_FEWEST, _MOST, _COMPARISONS = 120, 600, 1 << 26
#: A third of the sweeps leads away from the start.
_START = 3
#: The sequence is read off after so many sweeps.
_READ = 2


class DrawnPositions(NamedTuple):
    """Where items stand, positions counted from 0: [walk, time, item], and means as [walk, item].

    An independent draw is a walk that is looked at once.
    """

    means: Matrix
    positions: Numbers

    @classmethod
    def in_draws(cls, batches: Iterable[Numbers]) -> DrawnPositions:
        """Return where the items stand in linear extensions, one in each row of some arrays."""
        positions = np.concatenate([_read_positions(batch) for batch in batches])
        return cls(positions, positions[:, None])

    @classmethod
    def on_walks(
        cls, covers: Covers, rng: np.random.Generator, *, progress: bool | None = None
    ) -> DrawnPositions:
        """Return what walks through the order polytope come by, which begin in the middle."""
        walk = Walk(covers)
        n, start = walk.size, walk.sweeps // _START
        points = walk.middle(LANES)
        total = np.zeros((n, LANES))
        met = []
        for sweep in walk.wander(points, walk.sweeps, rng, progress=progress):
            if sweep >= start:
                total += points[:n, 0]
                if sweep % _READ == 0:
                    met.append(_read_positions(walk.read(points)))
        # All positions together have a known sum.
        total -= total.sum(axis=0) / max(n, 1)
        means = (n - 1) / 2 - (n + 1) / (walk.sweeps - start) * total.T
        return cls(means, np.stack(met, axis=1))


def _read_positions(sequences: Numbers) -> Numbers:
    """Return the position of each item, a column, in linear extensions as rows."""
    n = sequences.shape[1]
    positions = np.empty(sequences.shape, dtype=np.min_scalar_type(-n - 1))
    np.put_along_axis(positions, sequences, np.arange(n, dtype=positions.dtype)[None], axis=1)
    return positions


def _numbers(seed: list[int], earliest: int, shape: tuple[int, int]) -> Iterator[Floats]:
    """Yield the random numbers of each sweep, the same from each start; block 0 is the last."""
    for block in range(earliest, -1, -1):
        rng = np.random.default_rng([*seed, block])
        for _ in range(_LATEST_START << max(block - 1, 0)):
            yield rng.random(shape)


class Walk:
    """The walk in the polytope of one order, with many lanes, each of one copy or more.

    Points are [item, copy, lane]; two more rows stand for what is below and above everything.
    """

    def __init__(self, covers: Covers) -> None:
        n = self.size = len(covers)
        first, last = position_bounds(covers)
        self._middles = (n - last) / (n - last + first + 1)
        under = [[n - 1 - q for q in covered] for covered in reversed(covers)]
        over: Covers = [[] for _ in range(n)]
        for item, covered in enumerate(under):
            for other in covered:
                over[other].append(item)
        self._codes = [item * n + other for item in range(n) for other in under[item]]
        self._steps = [
            (items, *_neighbours(under, items, n), *_neighbours(over, items, -1))
            for items in _colour_classes([one + two for one, two in zip(under, over, strict=True)])
        ]
        comparisons = LANES * (n + 2 * len(self._codes))
        #: So many sweeps are enough for a walk that is not coupled, in a time that is bearable.
        self.sweeps = min(_MOST, max(_FEWEST, _COMPARISONS // max(comparisons, 1)))
        #: From starts later than this block fewer than half of the draws so far were settled.
        self._earliest = 0

    def draw(
        self, lanes: int, rng: np.random.Generator, *, progress: bool | None = None
    ) -> Numbers:
        """Return a uniform linear extension for each lane, in rows, the best item first.

        Lanes are walked from ever earlier starts until all are settled.
        """
        seed = rng.integers(2**63, size=2).tolist()
        drawn = np.empty((lanes, self.size), dtype=np.int64)
        open_lanes = np.arange(lanes)
        for earliest in count(self._earliest):
            points = self.bounds(open_lanes.size)
            uniforms = _numbers(seed, earliest, (self.size, lanes))
            for uniform in track(uniforms, progress=progress, label="drawing"):
                self.sweep(points, uniform[:, open_lanes])
            sequence = self.read(points)
            is_settled = self.are_settled(points, sequence)
            drawn[open_lanes[is_settled]] = sequence[is_settled]
            open_lanes = open_lanes[~is_settled]
            if 2 * open_lanes.size > lanes:
                self._earliest = earliest + 1
            if not open_lanes.size:
                break
        return drawn

    def draw_nearly(
        self, lanes: int, rng: np.random.Generator, *, progress: bool | None = None
    ) -> Numbers:
        """Return as many linear extensions, nearly uniform, each the end of a walk."""
        points = self.middle(lanes)
        for _ in self.wander(points, self.sweeps // _START, rng, progress=progress):
            pass
        return self.read(points)

    def bounds(self, lanes: int) -> Floats:
        """Return the two extreme copies for each lane."""
        points = np.zeros((self.size + 2, 2, lanes))
        points[:, 1] = 1
        points[self.size] = 0
        points[self.size + 1] = 1
        return points

    def middle(self, lanes: int) -> Floats:
        """Return one copy for each lane, each item in the middle of the places that it may have."""
        points = np.ones((self.size + 2, 1, lanes))
        points[: self.size] = self._middles[:, None, None]
        points[self.size] = 0
        return points

    def wander(
        self, points: Floats, sweeps: int, rng: np.random.Generator, *, progress: bool | None
    ) -> Iterator[int]:
        """Sweep so often, by numbers and by mirrors, and yield the number of each sweep."""
        shape = self.size, points.shape[2]
        for number in track(range(sweeps), progress=progress, label="walking"):
            self.sweep(points, None if number % _MIRRORED else rng.random(shape))
            yield number

    def sweep(self, points: Floats, uniform: Floats | None) -> None:
        """Draw each coordinate anew, in place, by a number for each item and lane, or mirror it.

        Items of one colour are no neighbours of each other and take their step together.
        """
        for items, below, below_starts, above, above_starts in self._steps:
            low = np.maximum.reduceat(points[below], below_starts, axis=0)
            high = np.minimum.reduceat(points[above], above_starts, axis=0)
            room = high - low
            if uniform is None:
                room -= points[items] - low
            else:
                room *= uniform[items, None, :]
            room += low
            points[items] = np.minimum(room, high, out=room)

    def read(self, points: Floats) -> Numbers:
        """Return the sequence of each lane, best first; of bounds that of the lower ones."""
        return np.argsort(-points[: self.size, 0].T, axis=1, kind="stable")

    def are_settled(self, points: Floats, sequence: Numbers) -> NDArray[np.bool_]:
        """Return for which lanes no other sequence is possible between the bounds.

        Neighbours in it are settled if the one covers the other, or the lower bound of the better
        one exceeds the upper bound of the other.
        """
        low, high = points[: self.size, 0].T, points[: self.size, 1].T
        better, worse = sequence[:, :-1], sequence[:, 1:]
        apart = np.take_along_axis(low, better, 1) > np.take_along_axis(high, worse, 1)
        is_cover = np.isin(better * self.size + worse, self._codes)
        is_settled = np.logical_and.reduce(apart | is_cover, axis=1)
        return np.asarray(is_settled)


def _colour_classes(neighbours: Covers) -> list[Numbers]:
    """Return the items in classes without neighbours, coloured greedily by falling degree."""
    colour = np.full(len(neighbours), -1)
    degrees = np.fromiter(map(len, neighbours), np.int64, len(neighbours))
    for item in np.argsort(-degrees, kind="stable"):
        used = set(colour[neighbours[item]].tolist())
        colour[item] = next(each for each in count() if each not in used)
    return [np.flatnonzero(colour == each) for each in range(colour.max(initial=-1) + 1)]


def _neighbours(lists: Covers, items: Numbers, sentinel: int) -> tuple[Numbers, Numbers]:
    """Return the neighbours of all items on one side, and where each item's begin.

    An item without any has a sentinel: the row of zeros behind the last item, or that of ones.
    """
    found = [lists[item] or [sentinel] for item in items.tolist()]
    starts = np.cumsum([0, *map(len, found[:-1])])
    return np.concatenate(found), starts
