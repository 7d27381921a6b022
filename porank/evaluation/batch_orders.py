"""Orders of many groups of one size side by side, as arrays: above, below, tied, levels, counts.

An `OrderBlock` holds target and prediction; everything is an array with a row for each group and a
column for each item compared, worked out when first asked for. Its counts of pairs are `PairCounts`
of arrays, so that the formulas of measures read them as they read those of two orders.

Relations are Boolean matrices, one for each group: entry (i, j) says that item i is above item j.
Pairs are counted in rows of bits, packed into words: the items above each, and those below.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.measures.inversions import (
    MOST_COMPARED,
    count_before_in_both,
    count_weak_agreement,
)
from porank.measures.pair_table import ItemSide, PairCounts, TwoSides

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Numbers

    Matrices = NDArray[np.bool_]
    Words = NDArray[np.uint64]


def pack(matrices: Matrices) -> Words:
    """Return the rows of Boolean matrices as bits in words."""
    *shape, n = matrices.shape
    padded = np.zeros((*shape, -(-n // 64) * 64), dtype=bool)
    padded[..., :n] = matrices
    # All rows in one go: one by one, those of ten items take several times as long.
    packed = np.packbits(padded.reshape(-1), bitorder="little")
    return packed.reshape(*shape, -1).view(np.uint64)


def unpack(words: Words, n: int) -> Matrices:
    """Return rows of n bits in words as Boolean matrices."""
    octets = words.reshape(-1).view(np.uint8)
    flat = np.unpackbits(octets, bitorder="little").view(bool)
    return flat.reshape(*words.shape[:-1], -1)[..., :n]


def _count_bits(words: Words) -> Numbers:
    """Return how many bits are set in each row of words."""
    counts: Numbers = np.einsum("...w->...", np.bitwise_count(words), dtype=np.int64)
    return counts


class _Levels:
    """The items of each of some rankings from the first level to the last."""

    def __init__(self, depth: Any) -> None:
        groups, self.n = self.shape = depth.shape
        # Items and levels are numbered through all groups, so that one walk serves them all.
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
        """The number of the level of each item, 0 that of the first."""
        first = np.repeat(self._level[:: self.n], self.n)
        return self._of_items(self._level - first)

    @cached_property
    def above(self) -> Numbers:
        """How many items are on the levels before that of each."""
        before = self._starts[self._level].reshape(self.shape)
        before -= self.n * np.arange(len(before))[:, None]
        return self._of_items(before.reshape(-1))

    @cached_property
    def sizes(self) -> Numbers:
        """How many items are on the level of each."""
        return self._of_items(np.diff(self._starts, append=self._level.size)[self._level])

    @cached_property
    def _passed(self) -> Words:
        """The items at the first places as bits: none of them, one, two, and so on to all."""
        alone = pack(np.eye(self.n, dtype=bool)).take(self._item, axis=0)
        passed = np.zeros((len(alone), self.n + 1, alone.shape[2]), dtype=np.uint64)
        np.bitwise_or.accumulate(alone, axis=1, out=passed[:, 1:])
        return passed

    def at_first(self, places: Numbers) -> Words:
        """Return for each item which items stand at so many first places, as bits."""
        passed = self._passed.reshape(len(places) * (self.n + 1), -1)
        rows = places + (self.n + 1) * np.arange(len(places))[:, None]
        items: Words = passed.take(rows, axis=0)
        return items

    def mean_over_ties(self, by_place: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for each item the mean of what the places of its level are given."""
        given = np.broadcast_to(by_place, self.shape).reshape(-1)
        sizes = np.diff(self._starts, append=self._level.size)
        return self._of_items((np.add.reduceat(given, self._starts) / sizes)[self._level])


@dataclass
class BlockSide(ItemSide):
    """One side of a block: its orders by the heights of the items present, or by matrices."""

    groups: int
    n: int
    tie: Numbers | None
    number: NDArray[np.float64] | None
    heights: Any = None
    present: NDArray[np.bool_] | None = None
    matrices: Matrices | None = None
    #: Which groups have a cycle, of which the matrix is empty, if any may have one.
    is_cyclic: NDArray[np.bool_] | None = None

    @property
    def is_ranked(self) -> bool:
        """Whether all orders are weak because heights say all."""
        return self.heights is not None and self.present is None

    @cached_property
    def _levels(self) -> _Levels:
        """Where the heights of all items put them, those that are absent, too."""
        return _Levels(-self.heights)

    @cached_property
    def _ranking(self) -> _Levels:
        """The items from the first level to the last."""
        return self._levels if self.is_ranked else _Levels(self.levels)

    @cached_property
    def over(self) -> Matrices:
        """Which items are above which."""
        if self.matrices is not None:
            return self.matrices
        # Short numbers are compared in a fraction of the time.
        level = self._levels.number.astype(np.int16)
        over: Matrices = level[:, :, None] < level[:, None, :]
        if self.present is not None:
            over &= self.present[:, :, None] & self.present[:, None, :]
        return over

    @property
    def under(self) -> Matrices:
        """Which items are below which."""
        return self.over.swapaxes(1, 2)

    @cached_property
    def levels(self) -> Numbers:
        """The level of each item of each order: the edges of a longest path that ends in it."""
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
        """How many items are above each."""
        return self._levels.above if self.is_ranked else _count_bits(self.above_bits)

    @cached_property
    def below(self) -> Numbers:
        """How many items are below each."""
        if not self.is_ranked:
            return _count_bits(self.below_bits)
        below: Numbers = self.n - self._levels.above - self._levels.sizes
        return below

    @cached_property
    def above_bits(self) -> Words:
        """Which items are above each, as bits."""
        return self._levels.at_first(self.above) if self.is_ranked else pack(self.under)

    @cached_property
    def below_bits(self) -> Words:
        """Which items are below each, as bits."""
        if not self.is_ranked:
            return pack(self.over)
        return pack(np.ones(self.n, dtype=bool)) ^ self._levels.at_first(self.n - self.below)

    def mean_over_ties(self, by_place: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for each item of rankings the mean of what the places of its tie are given."""
        return self._ranking.mean_over_ties(by_place)

    @cached_property
    def classes(self) -> Numbers:
        """The class of known ties that each item is in, -1 if it is in none."""
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
        """For each order whether all items of later levels are below those of earlier ones."""
        if self.is_ranked:
            return np.ones(self.groups, dtype=bool)
        earlier = self.levels[:, :, None] < self.levels[:, None, :]
        weak: NDArray[np.bool_] = (earlier == self.over).all(axis=(1, 2))
        return weak

    @property
    def is_total(self) -> NDArray[np.bool_]:
        """For each order whether any two items are comparable."""
        is_total: NDArray[np.bool_] = self.height == self.n
        return is_total

    @property
    def are_ties_known(self) -> NDArray[np.bool_]:
        """For each order whether any two items are comparable or known ties."""
        most = int(self.classes.max(initial=0)) + 1
        in_group = self.classes + most * np.arange(self.groups)[:, None]
        name, sizes = np.unique(in_group[self.classes >= 0], return_counts=True)
        tied = np.bincount(name // most, sizes * (sizes - 1) // 2, self.groups)
        are_known: NDArray[np.bool_] = self.pairs + tied == self.n * (self.n - 1) // 2
        return are_known


class OrderBlock(TwoSides):
    """A target and a prediction for each of some groups that compare as many items."""

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
        """Return how many positions of each predicted list count, as a column."""
        depth = self.n if k is None else min(k, self.n)
        listed = self.n if self.listed is None else self.listed
        return np.broadcast_to(np.minimum(listed, depth), self.groups.shape)[:, None]

    @cached_property
    def agreed(self) -> Numbers:
        """For each item how many both sides put above it."""
        if self.n > MOST_COMPARED:
            return self._before_in_both(self.guess.levels)
        return _count_bits(self.truth.above_bits & self.guess.above_bits)

    @cached_property
    def contradicted(self) -> Numbers:
        """For each item how many the target puts above it and the prediction below."""
        if self.n > MOST_COMPARED:
            return self._before_in_both(self.n - self.guess.levels)
        return _count_bits(self.truth.above_bits & self.guess.below_bits)

    def _before_in_both(self, levels: Numbers) -> Numbers:
        both = zip(self.truth.levels, levels, strict=True)
        return np.array([count_before_in_both(*each) for each in both])

    def weigh(self, weights: NDArray[np.float64]) -> Any:
        """Return the weights of the pairs decided alike and oppositely, each the product of two.

        They are nan where items are too many for a matrix.
        """
        if self.n > MOST_COMPARED:
            return np.full((2, self.groups.size), np.nan)
        return (
            (weights[:, None] @ (self.truth.over & same) @ weights[:, :, None])[:, 0, 0]
            for same in (self.guess.over, self.guess.under)
        )

    @cached_property
    def counts(self) -> PairCounts:
        """The five counts of pairs, each an array with a number for each group."""
        if self.n > MOST_COMPARED:
            # The totals alone take a fifth of the time.
            both = zip(self.truth.levels, self.guess.levels, strict=True)
            agreed, opposed = np.array([count_weak_agreement(*each) for each in both]).T
        else:
            agreed, opposed = self.agreed.sum(axis=1), self.contradicted.sum(axis=1)
        return PairCounts.of(agreed, opposed, self.truth.pairs, self.guess.pairs, self.n)

    @cached_property
    def are_weak(self) -> NDArray[np.bool_]:
        """For each group whether both orders are weak."""
        return self.truth.is_weak & self.guess.is_weak
