"""Random linear extensions, drawn part by part: over ideals where these fit, else in the polytope.

Public: `random_linear_extensions`. `Draws` draws from an order taken apart: each part for itself,
those of a series one behind the other, components shuffled like cards. If each part is uniform, so
is the whole. A draw takes one row of random numbers, with columns for each part that needs some. So
the first draws are the same however many follow, unless a part is drawn from its order polytope:
nobody knows beforehand how many numbers that takes.

The *order polytope* holds the points of [0, 1]^n with u above v where it must be. A uniform point,
read from its largest coordinate to its smallest, is a uniform linear extension; and the coordinate
of an item is 1 less its expected rank, divided by n + 1, in the mean. Given all others, a
coordinate is uniform between the largest one that it must exceed and the smallest one that must
exceed it. A `Walk` draws exactly, in a time that is not known beforehand, or nearly so after a
number of sweeps that is stated; `walk_positions` tells what positions walks come by.

Idea: *draw every coordinate anew between its neighbours, again and again, with the same random
number in all copies of the walk. The step is monotone, so a copy that began at all 0 and one that
began at all 1 hold every other copy between them; where the two leave only one sequence, the walk
that has gone on forever has that sequence too* [1]_. What is not settled is walked again from an
earlier start with the same random numbers; to go on until it looks settled would be biased.

Idea: *a walk that need not be coupled goes further if most of its steps mirror a coordinate between
its neighbours, as overrelaxation does* [2]_: the points stay uniform, and drift instead of
trembling. Nobody knows beforehand how far is enough. So walks are made twice as long, again and
again, until their means no longer move by more than chance explains; where time runs out before,
what they still moved by is part of the error.

References
----------
.. [1] J. G. Propp, D. B. Wilson, "Exact sampling with coupled Markov chains and applications to
   statistical mechanics", Random Structures & Algorithms 9, 1996, pp. 223-252.
.. [2] S. L. Adler, "Over-relaxation method for the Monte Carlo evaluation of the partition function
   for multiquadratic actions", Physical Review D 23, 1981, pp. 2901-2904.
"""

from __future__ import annotations

from functools import partial
from itertools import accumulate, count
from typing import TYPE_CHECKING, NamedTuple

import networkx as nx
import numpy as np

from porank.core.arguments import generator_of, require_count
from porank.core.compiled_order import compile_order
from porank.core.progress import track
from porank.errors import TooManyIdealsError
from porank.extensions.decomposition import decompose, leaf_items, position_bounds, upwards
from porank.extensions.ideals import MAX_IDEALS, Ideals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from porank.extensions.decomposition import OrderPart
    from porank.typing import Floats, Item, Matrix, Numbers, OrderLike, Seed

    Covers = list[list[int]]


#: So many random numbers are held at once.
_NUMBERS = 1_000_000
#: So many coordinates of polytopes: nobody shall wait long for the first draw.
_NUMBERS_IN_POLYTOPE = 1 << 14


def random_linear_extensions(
    G: OrderLike,
    size: int,
    *,
    seed: Seed = None,
    max_ideals: int = MAX_IDEALS,
) -> Iterator[list[Item]]:
    """Yield random linear extensions, uniformly distributed.

    Each draw is uniform over the linear extensions of `G`, and independent of the others.

    Parameters
    ----------
    G : DiGraph or scores
        An order.
    size : int
        How many.
    seed : int, Generator or None
        Where the randomness comes from. The same number gives the same draws, in whatever sequence
        items and edges were inserted.
    max_ideals : int
        How many ideals (sets of items that may stand on top) a part that cannot be divided may
        have to be drawn by counts over them. One of more is drawn by coupling from the past [1]_ in
        the order polytope, which takes longer. By default five million.

    Yields
    ------
    list
        The items, best first.

    Raises
    ------
    CycleError
        If `G` has a cycle; at the call, as all errors.
    PorankError
        If `size` is no whole number of at least 0, or `max_ideals` of at least 1.

    See Also
    --------
    porank.rank_probabilities : what many such draws estimate, exactly where it can be counted.

    Examples
    --------
    >>> import porank as po
    >>> for ranking in po.random_linear_extensions(po.parse("a > c; b > c; b > d"), 3, seed=0):
    ...     print(*ranking)
    a b d c
    a b c d
    b a c d

    Notes
    -----
    The ideals of a part are listed once, in time O(w) for each and 16 bytes of memory, with w the
    width; then many draws walk through them together, in time O(n w log k) for each, with k
    the number of ideals. They are uniform up to the rounding of floats, and the first ones do not
    depend on `size`. In the polytope each of n coordinates is drawn anew between its neighbours
    some hundred times, more often where long chains touch; the draws are uniform up to the rounding
    of floats, and depend on `size`, for many are made together.

    References
    ----------
    .. [1] J. G. Propp, D. B. Wilson, "Exact sampling with coupled Markov chains and applications to
       statistical mechanics", Random Structures & Algorithms 9, 1996, pp. 223-252.
    """
    order = compile_order(G)
    size = require_count(size, name="size")
    max_ideals = require_count(max_ideals, name="max_ideals", least=1)
    parts = decompose(order)
    draws = Draws(parts, generator_of(seed), max_ideals=max_ideals)
    rankings = (ranking for batch in draws.batches(size) for ranking in batch.tolist())
    return ([order.items[number] for number in ranking] for ranking in rankings)


class Draws:
    """An order, taken apart, made ready to draw from."""

    def __init__(
        self,
        parts: Sequence[OrderPart],
        rng: np.random.Generator,
        *,
        max_ideals: int,
        nearly: bool = False,
    ) -> None:
        self._rng = rng
        self._parts = parts
        self._items = np.array(leaf_items(parts), dtype=np.int64)
        #: For each prime part its ideals or, without random numbers from here, draws by walks.
        self._ideals: dict[int, Ideals] = {}
        self._walks: dict[int, Callable[[int], Numbers]] = {}
        for number, part in enumerate(parts):
            if part.kind == "prime":
                try:
                    self._ideals[number] = Ideals(part, max_ideals=max_ideals)
                except TooManyIdealsError:
                    self._walks[number] = self._walk(part, nearly=nearly)

    def batches(self, size: int) -> Iterator[Numbers]:
        """Yield `size` linear extensions in arrays, the items of one best first in each row."""
        numbers = _NUMBERS_IN_POLYTOPE if self._walks else _NUMBERS
        together = max(1, numbers // max(len(self._items), 1))
        batches = range(0, size, together)
        for first in track(batches, label="drawing"):
            yield self._draw(min(together, size - first))

    def _walk(self, part: OrderPart, *, nearly: bool) -> Callable[[int], Numbers]:
        """Return draws of a prime part from its order polytope, by random numbers of its own."""
        walk = Walk(part.covers)
        draw = walk.draw_nearly if nearly else walk.draw
        rng = np.random.default_rng(self._rng.integers(2**63, size=2).tolist())
        return partial(draw, rng=rng)

    def _columns(self, number: int) -> int:
        """Return how many random numbers a draw of a part takes, without the parts within it."""
        part = self._parts[number]
        return 0 if part.kind == "series" or number in self._walks else part.size

    def _draw(self, size: int) -> Numbers:
        """Return linear extensions as rows."""
        starts = list(accumulate(map(self._columns, range(len(self._parts))), initial=0))
        uniform = self._rng.random((size, starts[-1]))
        drawn: dict[int, Numbers] = {}
        for number, part in upwards(self._parts):
            of_part = uniform[:, starts[number] : starts[number + 1]]
            if number in self._walks:
                drawn[number] = self._walks[number](size)
            elif number in self._ideals:
                drawn[number] = self._ideals[number].draw(of_part)
            elif part.kind == "free":
                drawn[number] = np.argsort(of_part, axis=1)
            else:
                others = [drawn.pop(other) for other in part.parts]
                drawn[number] = _joined(others, part.kind, of_part)
        return self._items[drawn[0]]


def _joined(drawn: list[Numbers], kind: str, uniform: Floats) -> Numbers:
    """Put random draws of parts one behind the other or, of components, shuffle them."""
    sizes = [part.shape[1] for part in drawn]
    starts = list(accumulate(sizes, initial=0))
    behind = np.hstack([part + start for part, start in zip(drawn, starts, strict=False)])
    if kind == "series":
        return behind
    owners = np.repeat(np.arange(len(sizes)), sizes)
    cards = owners[np.argsort(uniform, axis=1)]
    shuffled = np.empty_like(behind)
    np.put_along_axis(shuffled, np.argsort(cards, axis=1, kind="stable"), behind, axis=1)
    return shuffled


#: So many sweeps reach from the latest start to now; each earlier start doubles them.
_LATEST_START = 32
#: After so many sweeps the end of a walk is nearly uniform. Estimates take such ends: exact draws
#: would take up to three times as long for 200 items, and minutes instead of 4 s for four chains of
#: 60 that touch.
_NEARLY = 200
#: So many independent walks tell the error of what they agree on.
LANES = 20
#: Of so many sweeps one draws the coordinates anew, and the others mirror them.
_MIRRORED = 32
#: Walks have at least so many sweeps. Those of enough sweeps end if their means no longer move, and
#: others where another doubling would take more comparisons than these.
_AT_LEAST, _ENOUGH, _COMPARISONS = 600, 1200, 400_000_000
#: Where positions are wanted, they are read so many times in the second half of a walk.
READ = 100


class Walked(NamedTuple):
    """What some independent walks came by in their second halves."""

    #: Mean positions, [walk, item].
    means: Matrix
    #: Positions, [walk, time, item].
    positions: Numbers
    #: What the mean of each item over all walks may still move by.
    drift: Floats


def walk_positions(covers: Covers, rng: np.random.Generator, *, reads: int) -> Walked:
    """Return the positions on random walks, made twice as long until their means stay."""
    walk = Walk(covers)
    points, sweeps = walk.middle(LANES), _AT_LEAST // 4
    means, positions = _walked_on(walk, points, sweeps, rng, reads)
    while True:
        before, (means, positions) = means, _walked_on(walk, points, sweeps, rng, reads)
        moved = (means.mean(axis=0) - before.mean(axis=0)) ** 2
        by_chance = (means.var(axis=0, ddof=1) + before.var(axis=0, ddof=1)) / LANES
        stays = moved.sum() <= 1.25 * by_chance.sum()
        sweeps *= 2
        is_late = sweeps >= _AT_LEAST and 2 * sweeps * walk.comparisons > _COMPARISONS
        if is_late or (stays and sweeps >= _ENOUGH):
            # Means that still move may be far from where they go.
            return Walked(means, positions, np.sqrt(moved * (0.5 if stays else 9)))


def _walked_on(
    walk: Walk, points: Floats, sweeps: int, rng: np.random.Generator, reads: int
) -> tuple[Matrix, Numbers]:
    """Walk on for so many sweeps, and return the mean positions and some positions by walk."""
    n = walk.size
    total = np.zeros((n, LANES))
    seen: list[Numbers] = [np.empty((LANES, 0, n), dtype=np.int16)]
    for sweep in walk.wander(points, sweeps, rng):
        total += points[:n, 0]
        if sweep * reads // sweeps < (sweep + 1) * reads // sweeps:
            seen.append(_read_positions(walk.read(points))[:, None])
    # All positions together have a known sum.
    total -= total.sum(axis=0) / max(n, 1)
    return (n - 1) / 2 - (n + 1) / sweeps * total.T, np.concatenate(seen, axis=1)


def _read_positions(sequences: Numbers) -> Numbers:
    """Return the position of each item, a column, in random linear extensions as rows."""
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
        #: How many comparisons a sweep of the walks takes.
        self.comparisons = LANES * (n + 2 * len(self._codes))
        #: From starts later than this block fewer than half of the draws so far were settled.
        self._earliest = 0

    def draw(self, lanes: int, rng: np.random.Generator) -> Numbers:
        """Return a uniform linear extension for each lane, in rows, the best item first.

        Lanes are walked from ever earlier starts until all are settled.
        """
        seed = rng.integers(2**63, size=2).tolist()
        drawn = np.empty((lanes, self.size), dtype=np.int64)
        open_lanes = np.arange(lanes)
        for earliest in count(self._earliest):
            points = self.bounds(open_lanes.size)
            uniforms = _numbers(seed, earliest, (self.size, lanes))
            for uniform in track(uniforms, label="drawing"):
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

    def draw_nearly(self, lanes: int, rng: np.random.Generator) -> Numbers:
        """Return as many linear extensions, nearly uniform, each the end of a walk.

        Over each of seven small orders no test told 100 draws for each linear extension from
        uniform ones; of long chains that touch they are further from uniform.
        """
        points = self.middle(lanes)
        for _ in self.wander(points, _NEARLY, rng):
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

    def wander(self, points: Floats, sweeps: int, rng: np.random.Generator) -> Iterator[int]:
        """Sweep so often, by numbers and by mirrors, and yield the number of each sweep."""
        shape = self.size, points.shape[2]
        for number in track(range(sweeps), label="walking"):
            self.sweep(points, None if number % _MIRRORED else rng.random(shape))
            yield number

    def sweep(self, points: Floats, uniform: Floats | None) -> None:
        """Draw each coordinate anew, in place, by a number for each item and lane, or mirror it.

        Items of one colour are no neighbours of each other and take their step together.
        """
        for items, below, below_starts, above, above_starts in self._steps:
            low = np.maximum.reduceat(points[below], below_starts, axis=0)
            high = np.minimum.reduceat(points[above], above_starts, axis=0)
            span = high - low
            if uniform is None:
                span -= points[items] - low
            else:
                span *= uniform[items, None, :]
            span += low
            points[items] = np.minimum(span, high, out=span)

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
    """Return the classes of items that a random walk moves at once: no two are neighbours."""
    colour = nx.greedy_color(nx.Graph(dict(enumerate(neighbours))))
    classes: list[list[int]] = [[] for _ in range(max(colour.values(), default=-1) + 1)]
    for item in range(len(neighbours)):
        classes[colour[item]].append(item)
    return list(map(np.array, classes))


def _neighbours(lists: Covers, items: Numbers, sentinel: int) -> tuple[Numbers, Numbers]:
    """Return the neighbours on one side of items on a random walk, and where each item's begin.

    An item without any has a sentinel: the row of zeros behind the last item, or that of ones.
    """
    found = [lists[item] or [sentinel] for item in items.tolist()]
    starts = np.cumsum([0, *map(len, found[:-1])])
    return np.concatenate(found), starts
