"""Orders of many groups of the same size as arrays: items above and below, ties, levels and counts.

An `OrderBlock` has a target and a prediction for each group. Arrays have a row for each group and a
column for each compared item, and are computed when needed. The counts of pairs are `PairCounts` of
arrays, so the formulas of measures apply to them.

A relation is a Boolean matrix for each group, in which entry (i, j) is true if item i is above item
j. To count pairs, its rows are packed into words of bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.measures.inversions import MOST_COMPARED, count_before_in_both, count_weak_agreement
from porank.measures.pair_table import ItemSide, PairCounts, TwoSides

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Numbers

    Matrices = NDArray[np.bool_]
    Words = NDArray[np.uint64]


def pack(matrices: Matrices) -> Words:
    """Pack the rows of Boolean matrices as bits into words."""
    *shape, n = matrices.shape
    padded = np.zeros((*shape, -(-n // 64) * 64), dtype=bool)
    padded[..., :n] = matrices
    # Packing short rows one by one takes several times as long.
    packed = np.packbits(padded.reshape(-1), bitorder="little")
    return packed.reshape(*shape, -1).view(np.uint64)


def unpack(words: Words, n: int) -> Matrices:
    """Unpack rows of n bits from words to Boolean matrices."""
    octets = words.reshape(-1).view(np.uint8)
    flat = np.unpackbits(octets, bitorder="little").view(bool)
    return flat.reshape(*words.shape[:-1], -1)[..., :n]


def _count_bits(words: Words) -> Numbers:
    """Return the number of bits that are set in each row of words."""
    counts: Numbers = np.einsum("...w->...", np.bitwise_count(words), dtype=np.int64)
    return counts


class _Levels:
    """The items of rankings, sorted by level."""

    def __init__(self, depth: Any) -> None:
        groups, self.n = self.shape = depth.shape
        # Items and levels are numbered across all groups, so one pass handles them all.
        self._item = np.argsort(depth, axis=1)
        order = self._item + self.n * np.arange(groups)[:, None]
        ordered = depth.reshape(-1)[order]
        is_new = np.ones(order.shape, dtype=bool)
        np.not_equal(ordered[:, 1:], ordered[:, :-1], out=is_new[:, 1:])
        self._order, self._starts = order.reshape(-1), np.flatnonzero(is_new)
        self._level = np.cumsum(is_new.reshape(-1)) - 1

    def _of_items(self, by_place: NDArray[Any]) -> NDArray[Any]:
        given = np.empty(self.shape, dtype=by_place.dtype)
        given.reshape(-1)[self._order] = by_place
        return given

    @cached_property
    def number(self) -> Numbers:
        """The level of each item, from 0 for the first level."""
        first = np.repeat(self._level[:: self.n], self.n)
        return self._of_items(self._level - first)

    @cached_property
    def above(self) -> Numbers:
        """How many items are on levels above that of each item."""
        before = self._starts[self._level].reshape(self.shape)
        before -= self.n * np.arange(len(before))[:, None]
        return self._of_items(before.reshape(-1))

    @cached_property
    def sizes(self) -> Numbers:
        """How many items are on the level of each item."""
        return self._of_items(np.diff(self._starts, append=self._level.size)[self._level])

    @cached_property
    def _passed(self) -> Words:
        """The items at the first 0, 1, 2, ..., n positions, as bits."""
        alone = pack(np.eye(self.n, dtype=bool)).take(self._item, axis=0)
        passed = np.zeros((len(alone), self.n + 1, alone.shape[2]), dtype=np.uint64)
        np.bitwise_or.accumulate(alone, axis=1, out=passed[:, 1:])
        return passed

    def at_first(self, places: Numbers) -> Words:
        """Return for each item the items at the given number of first positions, as bits."""
        passed = self._passed.reshape(len(places) * (self.n + 1), -1)
        rows = places + (self.n + 1) * np.arange(len(places))[:, None]
        items: Words = passed.take(rows, axis=0)
        return items

    def mean_over_ties(self, by_place: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for each item the mean value of the positions of its level."""
        given = np.broadcast_to(by_place, self.shape).reshape(-1)
        sizes = np.diff(self._starts, append=self._level.size)
        return self._of_items((np.add.reduceat(given, self._starts) / sizes)[self._level])


@dataclass
class BlockSide(ItemSide):
    """One side of a block: its orders, given by heights of the present items or by matrices."""

    groups: int
    n: int
    tie: Numbers | None
    number: NDArray[np.float64] | None
    heights: Any = None
    present: NDArray[np.bool_] | None = None
    matrices: Matrices | None = None
    #: Which groups have a cycle, and so an empty matrix; None if cycles are impossible.
    is_cyclic: NDArray[np.bool_] | None = None

    @property
    def is_ranked(self) -> bool:
        """Whether all orders are weak orders given by the heights of all items."""
        return self.heights is not None and self.present is None

    @cached_property
    def _levels(self) -> _Levels:
        """The levels of all items by height, including absent ones."""
        return _Levels(-self.heights)

    @cached_property
    def _ranking(self) -> _Levels:
        """The items sorted by their levels in the order."""
        return self._levels if self.is_ranked else _Levels(self.levels)

    @cached_property
    def over(self) -> Matrices:
        """For each pair of items whether the first is above the second."""
        if self.matrices is not None:
            return self.matrices
        # 16-bit integers are compared much faster.
        level = self._levels.number.astype(np.int16)
        over: Matrices = level[:, :, None] < level[:, None, :]
        if self.present is not None:
            over &= self.present[:, :, None] & self.present[:, None, :]
        return over

    @property
    def under(self) -> Matrices:
        """For each pair of items whether the first is below the second."""
        return self.over.swapaxes(1, 2)

    @cached_property
    def levels(self) -> Numbers:
        """The level of each item: the number of edges of a longest path that ends in it."""
        if self.is_ranked:
            return self._levels.number
        levels = np.zeros((self.groups, self.n), dtype=np.int64)
        is_left = self.above > 0
        while is_left.any():
            levels += is_left
            is_left = is_left & (self.over & is_left[:, :, None]).any(axis=1)
        return levels

    @cached_property
    def above(self) -> Numbers:
        """How many items are above each item."""
        return self._levels.above if self.is_ranked else _count_bits(self.above_bits)

    @cached_property
    def below(self) -> Numbers:
        """How many items are below each item."""
        if not self.is_ranked:
            return _count_bits(self.below_bits)
        below: Numbers = self.n - self._levels.above - self._levels.sizes
        return below

    @cached_property
    def above_bits(self) -> Words:
        """The items above each item, as bits."""
        return self._levels.at_first(self.above) if self.is_ranked else pack(self.under)

    @cached_property
    def below_bits(self) -> Words:
        """The items below each item, as bits."""
        if not self.is_ranked:
            return pack(self.over)
        return pack(np.ones(self.n, dtype=bool)) ^ self._levels.at_first(self.n - self.below)

    def mean_over_ties(self, by_place: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for each item of rankings the mean value of the positions of its tie."""
        return self._ranking.mean_over_ties(by_place)

    @cached_property
    def classes(self) -> Numbers:
        """The class of known ties of each item, or -1 if there is none."""
        if self.tie is not None:
            return self.tie
        if self.heights is None:
            return np.full((self.groups, self.n), -1)
        classes = self._levels.number
        return classes if self.present is None else np.where(self.present, classes, -1)

    @cached_property
    def height(self) -> Numbers:
        """The number of levels of each order."""
        top: Numbers = self.levels.max(axis=1) + 1
        return top

    @cached_property
    def pairs(self) -> Numbers:
        """The number of comparable pairs of each order."""
        pairs: Numbers = self.above.sum(axis=1)
        return pairs

    @cached_property
    def is_weak(self) -> NDArray[np.bool_]:
        """Whether each order is a weak order, in which each level is entirely above the next."""
        if self.is_ranked:
            return np.ones(self.groups, dtype=bool)
        earlier = self.levels[:, :, None] < self.levels[:, None, :]
        weak: NDArray[np.bool_] = (earlier == self.over).all(axis=(1, 2))
        return weak

    @property
    def is_total(self) -> NDArray[np.bool_]:
        """Whether each order is total."""
        is_total: NDArray[np.bool_] = self.height == self.n
        return is_total

    @property
    def open_pairs(self) -> Numbers:
        """The number of pairs of each order that are incomparable, not known to be tied."""
        most = int(self.classes.max(initial=0)) + 1
        in_group = self.classes + most * np.arange(self.groups)[:, None]
        name, sizes = np.unique(in_group[self.classes >= 0], return_counts=True)
        # n (n - 1) / 2 - comparable - sum over classes of c (c - 1) / 2
        tied = np.bincount(name // most, sizes * (sizes - 1) // 2, self.groups)
        open_pairs: Numbers = self.n * (self.n - 1) // 2 - self.pairs - tied
        return open_pairs


class OrderBlock(TwoSides):
    """Targets and predictions of several groups with the same number of compared items."""

    def __init__(
        self,
        groups: Numbers,
        target: BlockSide,
        predicted: BlockSide,
        listed: Numbers | None = None,
    ) -> None:
        self.groups, self.truth, self.guess = groups, target, predicted
        self.n, self.listed = target.n, listed

    def depths(self, k: int | None) -> Numbers:
        """Return the number of positions of each predicted list that count, as a column."""
        depth = self.n if k is None else min(k, self.n)
        listed = self.n if self.listed is None else self.listed
        return np.broadcast_to(np.minimum(listed, depth), self.groups.shape)[:, None]

    @cached_property
    def agreed(self) -> Numbers:
        """How many items are above each item in both orders."""
        if self.n > MOST_COMPARED:
            return self._before_in_both(self.guess.levels)
        return _count_bits(self.truth.above_bits & self.guess.above_bits)

    @cached_property
    def contradicted(self) -> Numbers:
        """How many items are above each item in the target, but below it in the prediction."""
        if self.n > MOST_COMPARED:
            return self._before_in_both(self.n - self.guess.levels)
        return _count_bits(self.truth.above_bits & self.guess.below_bits)

    def _before_in_both(self, levels: Numbers) -> Numbers:
        both = zip(self.truth.levels, levels, strict=True)
        return np.array([count_before_in_both(*each) for each in both])

    def weigh(self, weights: NDArray[np.float64]) -> Any:
        """Return the weights of concordant and discordant pairs, as products of item weights.

        They are nan if there are too many items for a matrix.
        """
        if self.n > MOST_COMPARED:
            return np.full((2, self.groups.size), np.nan)
        return (
            (weights[:, None] @ (self.truth.over & same) @ weights[:, :, None])[:, 0, 0]
            for same in (self.guess.over, self.guess.under)
        )

    @cached_property
    def counts(self) -> PairCounts:
        """The counts of pairs, as arrays with a number for each group."""
        if self.n > MOST_COMPARED:
            # Counting only the totals takes a fifth of the time.
            both = zip(self.truth.levels, self.guess.levels, strict=True)
            agreed, opposed = np.array([count_weak_agreement(*each) for each in both]).T
        else:
            agreed, opposed = self.agreed.sum(axis=1), self.contradicted.sum(axis=1)
        return PairCounts.of(agreed, opposed, self.truth.pairs, self.guess.pairs, self.n)
