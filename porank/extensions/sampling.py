"""Draw random linear extensions, part by part: over ideals if possible, or in the order polytope.

Public: `random_linear_extensions`. `Draws` draws from a decomposed order: each part separately,
parts of a series one behind the other, and components shuffled like cards. If each part is uniform,
so is the whole. A draw takes one row of random numbers, with columns for each part that needs some.
So the first draws do not depend on how many follow, unless a part is drawn from its order polytope,
where the number of random numbers is not known beforehand.

The *order polytope* consists of the points in [0, 1]^n in which the coordinate of u is at least
that of v if u > v. If a point is uniform, sorting the items by decreasing coordinate gives a
uniform linear extension. The mean coordinate of an item is 1 minus its expected rank divided by
n + 1. If all other coordinates are given, a coordinate is uniform between the largest one that it
must exceed and the smallest one that must exceed it. `walk_positions` collects positions on walks.

Idea: *draw each coordinate anew between its neighbours, again and again. Walks get further if most
steps reflect a coordinate between its neighbours instead, as in overrelaxation* [1]_: the points
stay uniform but move in one direction for longer. How many sweeps are enough is not known
beforehand. So walks are doubled in length until their means change by no more than chance explains.
If time runs out earlier, the remaining change is part of the error.

References
----------
.. [1] S. L. Adler, "Over-relaxation method for the Monte Carlo evaluation of the partition function
   for multiquadratic actions", Physical Review D 23, 1981, pp. 2901-2904.
"""

from __future__ import annotations

from functools import partial
from itertools import accumulate
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

    from porank.extensions.decomposition import OrderPart
    from porank.typing import Floats, Item, Matrix, Numbers, OrderLike, Seed

    Covers = list[list[int]]


#: Maximum number of random numbers in memory.
_NUMBERS = 1_000_000
#: The same for coordinates in polytopes; small, so the first draw comes soon.
_NUMBERS_IN_POLYTOPE = 1 << 14


def random_linear_extensions(
    G: OrderLike,
    size: int,
    *,
    seed: Seed = None,
    max_ideals: int = MAX_IDEALS,
) -> Iterator[list[Item]]:
    """Yield independent random linear extensions, all equally likely.

    A part of the order that has too many ideals to count is drawn nearly uniformly.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.
    size : int
        Number of linear extensions to draw.
    seed : int, Generator or None
        Seed or source of random numbers. The same integer gives the same draws, whatever the order
        in which items and edges were added.
    max_ideals : int
        Maximum number of ideals of a part that is drawn by counting over ideals, five million by
        default. An ideal is a set of items that contains all items above each of its items. A part
        with more is drawn by a random walk in the order polytope.

    Yields
    ------
    list
        The items of a linear extension, best first.

    Raises
    ------
    CycleError
        If `G` has a cycle. Errors are raised when the function is called.
    PorankError
        If `size` is not an integer of at least 0, or `max_ideals` not an integer of at least 1.

    See Also
    --------
    porank.rank_probabilities : returns the shares of the linear extensions with each rank.

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
    The ideals of a part are enumerated once, in O(w) time and 16 bytes of memory for each, with w
    the width. Then each draw takes O(n w log k), with k the number of ideals, and the first draws
    do not depend on `size`. In the polytope, each of n coordinates is moved 200 times. For long
    chains with relations between them, these draws are further from uniform.
    """
    order = compile_order(G)
    size = require_count(size, name="size")
    max_ideals = require_count(max_ideals, name="max_ideals", least=1)
    parts = decompose(order)
    draws = Draws(parts, generator_of(seed), max_ideals=max_ideals)
    rankings = (ranking for batch in draws.batches(size) for ranking in batch.tolist())
    return ([order.items[number] for number in ranking] for ranking in rankings)


class Draws:
    """A decomposed order to draw linear extensions from."""

    def __init__(
        self,
        parts: Sequence[OrderPart],
        rng: np.random.Generator,
        *,
        max_ideals: int,
    ) -> None:
        self._rng = rng
        self._parts = parts
        self._items = np.array(leaf_items(parts), dtype=np.int64)
        #: The ideals of each prime part, or its draws by walks, which use their own random numbers.
        self._ideals: dict[int, Ideals] = {}
        self._walks: dict[int, Callable[[int], Numbers]] = {}
        for number, part in enumerate(parts):
            if part.kind == "prime":
                try:
                    self._ideals[number] = Ideals(part, max_ideals=max_ideals)
                except TooManyIdealsError:
                    self._walks[number] = self._walk(part)

    def batches(self, size: int) -> Iterator[Numbers]:
        """Yield `size` linear extensions in arrays; each row has the items of one, best first."""
        numbers = _NUMBERS_IN_POLYTOPE if self._walks else _NUMBERS
        together = max(1, numbers // max(len(self._items), 1))
        batches = range(0, size, together)
        for first in track(batches, label="drawing"):
            yield self._draw(min(together, size - first))

    def _walk(self, part: OrderPart) -> Callable[[int], Numbers]:
        """Return draws of a prime part from its order polytope, with their own random numbers."""
        rng = np.random.default_rng(self._rng.integers(2**63, size=2).tolist())
        return partial(Walk(part.covers).draw, rng=rng)

    def _columns(self, number: int) -> int:
        """Return how many random numbers a draw of a part takes, without its subparts."""
        part = self._parts[number]
        return 0 if part.kind == "series" or number in self._walks else part.size

    def _draw(self, size: int) -> Numbers:
        """Return random linear extensions as rows."""
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
    """Concatenate random draws of parts in series, or shuffle those of components."""
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


#: Number of sweeps after which the end of a walk is nearly uniform.
_NEARLY = 200
#: Number of independent walks, whose spread gives the standard error.
LANES = 20
#: One of this number of sweeps draws the coordinates anew; the others reflect them.
_MIRRORED = 32
#: Minimum number of sweeps of a walk, number from which it may end if its means no longer change,
#: and maximum number of comparisons, at which it ends otherwise.
_AT_LEAST, _ENOUGH, _COMPARISONS = 600, 1200, 400_000_000
#: Number of sweeps for each level of the order that a walk takes at least, if there is time.
_PER_LEVEL = 4
#: Number of times that positions are read in the second half of a walk.
READ = 100


class Walked(NamedTuple):
    """The results of several independent walks, from their second halves."""

    #: Mean positions, [walk, item].
    means: Matrix
    #: Positions, [walk, time, item].
    positions: Numbers
    #: How much the mean of each item over all walks may still change.
    drift: Floats


def walk_positions(covers: Covers, rng: np.random.Generator, *, reads: int) -> Walked:
    """Return positions on random walks, doubled in length until their means no longer change."""
    walk = Walk(covers)
    points, sweeps = walk.middle(LANES), _AT_LEAST // 4
    means, positions = _walked_on(walk, points, sweeps, rng, reads)
    enough = max(_ENOUGH, _PER_LEVEL * walk.height)
    while True:
        before, (means, positions) = means, _walked_on(walk, points, sweeps, rng, reads)
        # stays: sum of (mean - mean before)^2 <= 1.25 sum of (Var + Var before) / walks
        moved = (means.mean(axis=0) - before.mean(axis=0)) ** 2
        by_chance = (means.var(axis=0, ddof=1) + before.var(axis=0, ddof=1)) / LANES
        stays = moved.sum() <= 1.25 * by_chance.sum()
        sweeps *= 2
        is_late = sweeps >= _AT_LEAST and 2 * sweeps * walk.comparisons > _COMPARISONS
        stays &= sweeps >= enough
        if is_late or stays:
            # Means that still change, or change slowly along chains, may be far from their limits.
            return Walked(means, positions, np.sqrt(moved * (0.5 if stays else 9)))


def _walked_on(
    walk: Walk, points: Floats, sweeps: int, rng: np.random.Generator, reads: int
) -> tuple[Matrix, Numbers]:
    """Continue a walk for some sweeps; return mean positions and some positions of each walk."""
    n = walk.size
    total = np.zeros((n, LANES))
    seen: list[Numbers] = [np.empty((LANES, 0, n), dtype=np.int16)]
    for sweep in walk.wander(points, sweeps, rng):
        total += points[:n]
        if sweep * reads // sweeps < (sweep + 1) * reads // sweeps:
            seen.append(_read_positions(walk.read(points))[:, None])
    # E(rank) = (n + 1) (1 - E(x)), and the sum of all positions is n (n - 1) / 2.
    total -= total.sum(axis=0) / max(n, 1)
    return (n - 1) / 2 - (n + 1) / sweeps * total.T, np.concatenate(seen, axis=1)


def _read_positions(sequences: Numbers) -> Numbers:
    """Return the position of each item (columns) in random linear extensions (rows)."""
    n = sequences.shape[1]
    positions = np.empty(sequences.shape, dtype=np.min_scalar_type(-n - 1))
    np.put_along_axis(positions, sequences, np.arange(n, dtype=positions.dtype)[None], axis=1)
    return positions


class Walk:
    """Random walks in the polytope of an order.

    Points are [item, walk]; two more rows are the bounds below and above everything.
    """

    def __init__(self, covers: Covers) -> None:
        n = self.size = len(covers)
        first, last = position_bounds(covers)
        # E(x) = (1 + below) / (2 + above + below), if nothing else were known
        self._middles = (n - last) / (n - last + first + 1)
        under = [[n - 1 - q for q in covered] for covered in reversed(covers)]
        over: Covers = [[] for _ in range(n)]
        for item, covered in enumerate(under):
            for other in covered:
                over[other].append(item)
        self._steps = [
            (items, *_neighbours(under, items, n), *_neighbours(over, items, -1))
            for items in _colour_classes([one + two for one, two in zip(under, over, strict=True)])
        ]
        levels: list[int] = []
        for covered in covers:
            levels.append(1 + max((levels[q] for q in covered), default=0))
        #: Number of items of a longest chain.
        self.height = max(levels, default=0)
        #: Number of comparisons for a sweep of the walks.
        self.comparisons = LANES * (n + 2 * sum(map(len, covers)))

    def draw(self, lanes: int, rng: np.random.Generator) -> Numbers:
        """Return nearly uniform linear extensions, each the end of a walk.

        For each of seven small orders, no test could distinguish 100 draws per linear extension
        from uniform draws. For long chains with relations between them, draws are further from
        uniform.
        """
        points = self.middle(lanes)
        for _ in self.wander(points, _NEARLY, rng):
            pass
        return self.read(points)

    def middle(self, lanes: int) -> Floats:
        """Return points with each item in the middle of its possible positions."""
        points = np.ones((self.size + 2, lanes))
        points[: self.size] = self._middles[:, None]
        points[self.size] = 0
        return points

    def wander(self, points: Floats, sweeps: int, rng: np.random.Generator) -> Iterator[int]:
        """Sweep by random numbers and reflections, and yield the number of each sweep."""
        shape = self.size, points.shape[1]
        for number in track(range(sweeps), label="walking"):
            self.sweep(points, None if number % _MIRRORED else rng.random(shape))
            yield number

    def sweep(self, points: Floats, uniform: Floats | None) -> None:
        """Draw each coordinate anew, in place, from random numbers, or reflect it.

        Items of the same colour are not neighbours, and are moved together.
        """
        for items, below, below_starts, above, above_starts in self._steps:
            low = np.maximum.reduceat(points[below], below_starts, axis=0)
            high = np.minimum.reduceat(points[above], above_starts, axis=0)
            # x = low + u (high - low) with u uniform, or x = low + high - x
            span = high - low
            if uniform is None:
                span -= points[items] - low
            else:
                span *= uniform[items]
            span += low
            points[items] = np.minimum(span, high, out=span)

    def read(self, points: Floats) -> Numbers:
        """Return the linear extension of each walk, best first."""
        return np.argsort(-points[: self.size].T, axis=1, kind="stable")


def _colour_classes(neighbours: Covers) -> list[Numbers]:
    """Return classes of items without neighbours among them, which a random walk moves together."""
    colour = nx.greedy_color(nx.Graph(dict(enumerate(neighbours))))
    classes: list[list[int]] = [[] for _ in range(max(colour.values(), default=-1) + 1)]
    for item in range(len(neighbours)):
        classes[colour[item]].append(item)
    return list(map(np.array, classes))


def _neighbours(lists: Covers, items: Numbers, sentinel: int) -> tuple[Numbers, Numbers]:
    """Return the neighbours of items on one side on a random walk, and where each item's start.

    An item without neighbours gets a sentinel: the row of zeros behind the last item, or of ones.
    """
    found = [lists[item] or [sentinel] for item in items.tolist()]
    starts = np.cumsum([0, *map(len, found[:-1])])
    return np.concatenate(found), starts
