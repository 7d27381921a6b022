"""Orders of many groups of one size side by side, as arrays: above, below, tied, layers, counts.

An `OrderBlock` holds target and prediction; everything is an array with a row for each group and a
column for each item compared, worked out when first asked for. Its counts of pairs are `PairCounts`
of arrays, so that the formulas of measures read them as they read those of two orders.

Relations are rows of bits in words of 64, by group, item, and place in the row: bit j of row i says
whether item j is in the relation to item i. Orders given by heights are a `_Ranking`: the items by
place, and where their ties begin and end.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.compiled_order import ordered_integers
from porank.measures.inversions import count_before_in_both
from porank.measures.pair_table import PairCounts, PairTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Numbers


#: More items than this are not compared by rows of bits.
MOST_COMPARED = 1024


@dataclass
class BlockSide:
    """One side of a block: heights, or what is below and above is given, which are then set."""

    groups: int
    n: int
    tie: Numbers | None
    number: NDArray[np.float64] | None
    heights: Any = None
    present: NDArray[np.bool_] | None = None

    @property
    def is_ranked(self) -> bool:
        """Whether all orders are weak because heights say all."""
        return self.heights is not None and self.present is None

    @cached_property
    def ranking(self) -> _Ranking:
        """The items from the first layer to the last."""
        return self._by_height if self.is_ranked else _Ranking(-self.layers)

    @cached_property
    def _by_height(self) -> _Ranking:
        """The items from the highest to the lowest, those that are absent anywhere."""
        return _Ranking(self.heights)

    @cached_property
    def count_above(self) -> Numbers:
        """How many items are above each."""
        return self.ranking.passed if self.is_ranked else _count_bits(self.above)

    @cached_property
    def count_below(self) -> Numbers:
        """How many items are below each."""
        return self.ranking.coming if self.is_ranked else _count_bits(self.below)

    @cached_property
    def count_beside(self) -> Numbers:
        """How many items are neither above nor below each, itself among them."""
        beside: Numbers = self.n - self.count_above - self.count_below
        return beside

    @cached_property
    def sunk(self) -> Numbers:
        """How many more items are above each than below it."""
        return self.count_above - self.count_below

    @property
    def doubled_positions(self) -> Numbers:
        """Twice the middle of the ranks that each item may take."""
        return self.n + 1 + self.sunk

    @cached_property
    def below(self) -> Words:
        """The items below each."""
        return self._rows(upwards=False)

    @cached_property
    def above(self) -> Words:
        """The items above each."""
        return self._rows(upwards=True)

    def _rows(self, *, upwards: bool) -> Words:
        rows = self._by_height.rows(upwards=upwards)
        if self.present is None:
            return rows
        kept = np.where(self.present[..., None], rows, np.uint64(0))
        masked: Words = kept & pack(self.present)[:, None, :]
        return masked

    @cached_property
    def classes(self) -> Numbers:
        """The class of known ties that each item is in, -1 if it is in none."""
        if self.tie is not None:
            return self.tie
        if self.heights is None:
            return np.full((self.groups, self.n), -1)
        layers = self._by_height.layers
        return layers if self.present is None else np.where(self.present, layers, -1)

    @cached_property
    def tied(self) -> Words:
        """The items known to equal each, itself left out."""
        equal = self.classes[:, :, None] == self.classes[:, None, :]
        equal &= (self.classes >= 0)[:, :, None] & ~np.eye(self.n, dtype=bool)
        return pack(equal)

    @cached_property
    def layers(self) -> Numbers:
        """The layer of each item of each order: the edges of a longest path that ends in it."""
        if self.is_ranked:
            return self.ranking.layers
        layers = np.zeros((self.groups, self.n), dtype=np.int64)
        is_left = np.ones((self.groups, self.n), dtype=bool)
        layer = 0
        while is_left.any():
            layers[is_left] = layer
            left = pack(is_left)[:, None, :]
            is_left = is_left & ((self.above & left) != 0).any(axis=2)
            layer += 1
        return layers

    @cached_property
    def height(self) -> Numbers:
        """The number of layers of each order."""
        top: Numbers = self.layers.max(axis=1) + 1
        return top

    @cached_property
    def pairs(self) -> Numbers:
        """The number of comparable pairs of each order."""
        total: Numbers = self.ranking.pairs if self.is_ranked else self.count_above.sum(axis=1)
        return total

    @cached_property
    def is_weak(self) -> NDArray[np.bool_]:
        """For each order whether all items of later layers are below those of earlier ones."""
        if self.is_ranked:
            return np.ones(self.groups, dtype=bool)
        earlier = self.layers[:, None, :] < self.layers[:, :, None]
        weak: NDArray[np.bool_] = (earlier.sum(axis=2) == self.count_above).all(axis=1)
        return weak

    @property
    def is_total(self) -> NDArray[np.bool_]:
        """For each order whether any two items are comparable."""
        is_total: NDArray[np.bool_] = self.pairs == self.n * (self.n - 1) // 2
        return is_total

    @property
    def are_ties_known(self) -> NDArray[np.bool_]:
        """For each order whether any two items are comparable or known ties."""
        if self.is_ranked and self.tie is None:
            return np.ones(self.groups, dtype=bool)
        row = np.broadcast_to(np.arange(self.groups)[:, None], self.classes.shape)
        is_tied = self.classes >= 0
        both = np.stack([row[is_tied], self.classes[is_tied]])
        (groups, _), sizes = np.unique(both, axis=1, return_counts=True)
        tied = np.bincount(groups, sizes * (sizes - 1) // 2, self.groups)
        are_known: NDArray[np.bool_] = self.pairs + tied == self.n * (self.n - 1) // 2
        return are_known


class OrderBlock:
    """A target and a prediction for each of some groups that compare as many items."""

    def __init__(
        self,
        groups: Numbers,
        target: BlockSide,
        predicted: BlockSide,
        listed: Numbers | None = None,
    ) -> None:
        self.groups, self.target, self.predicted = groups, target, predicted
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
            return self._before_in_both(self.predicted.layers)
        return _count_bits(self.target.above & self.predicted.above)

    @cached_property
    def contradicted(self) -> Numbers:
        """For each item how many the target puts above it and the prediction below."""
        if self.predicted.is_ranked and self.predicted.ranking.is_strict:
            # Without ties in the prediction, what is above in the target is above or below there.
            return self.target.count_above - self.agreed
        if self.n > MOST_COMPARED:
            return self._before_in_both(self.n - self.predicted.layers)
        return _count_bits(self.target.above & self.predicted.below)

    def _before_in_both(self, layers: Numbers) -> Numbers:
        both = zip(self.target.layers, layers, strict=True)
        return np.array([count_before_in_both(*each) for each in both])

    def weigh(self, weights: NDArray[np.float64], *, like: Numbers) -> Any:
        """Return the weights of the pairs decided alike and oppositely, of two items the product.

        Items that are alike weigh the same.
        """
        agreed, contradicted = np.zeros((2, *weights.shape))
        kinds = _Ranking(like).layers
        for kind in range(int(kinds.max()) + 1):
            is_kind = kinds == kind
            above = self.target.above & pack(is_kind)[:, None, :]
            weight = np.where(is_kind, weights, 0).max(axis=1, keepdims=True)
            agreed += weight * _count_bits(above & self.predicted.above)
            contradicted += weight * _count_bits(above & self.predicted.below)
        return (agreed * weights).sum(axis=1), (contradicted * weights).sum(axis=1)

    @cached_property
    def counts(self) -> PairCounts:
        """The five counts of pairs, each an array with a number for each group."""
        concordant, discordant = self.agreed.sum(axis=1), self.contradicted.sum(axis=1)
        decided = concordant + discordant
        target_only, predicted_only = self.target.pairs - decided, self.predicted.pairs - decided
        return PairCounts(
            concordant=concordant,
            discordant=discordant,
            target_only=target_only,
            predicted_only=predicted_only,
            neither=self.n * (self.n - 1) // 2 - decided - target_only - predicted_only,
        )

    @property
    def table(self) -> PairTable:
        """The counts of pairs and of known ties, each an array with a number for each group."""
        sides = self.target, self.predicted
        decided_here, decided_there = (
            _count_bits(one.above & other.tied).sum(axis=1) for one, other in (sides, sides[::-1])
        )
        in_target, in_predicted, in_both = (
            _count_bits(tied).sum(axis=1) // 2
            for tied in (*(side.tied for side in sides), sides[0].tied & sides[1].tied)
        )
        return PairTable(
            **vars(self.counts),
            target_only_tied=decided_here,
            predicted_only_tied=decided_there,
            both_tied=in_both,
            target_tied=in_target - decided_there - in_both,
            predicted_tied=in_predicted - decided_here - in_both,
        )

    @cached_property
    def are_weak(self) -> NDArray[np.bool_]:
        """For each group whether both orders are weak."""
        return self.target.is_weak & self.predicted.is_weak


Words = np.ndarray[Any, np.dtype[np.uint64]]
#: Items that one word has room for.
ROOM = 64


def pack(matrices: NDArray[np.bool_]) -> Words:
    """Return a batch of Boolean relations as rows of bits in words of 64."""
    *shape, n = matrices.shape
    packed = np.packbits(matrices, axis=-1, bitorder="little")
    octets = np.zeros((*shape, 8 * max(1, -(-n // ROOM))), dtype=np.uint8)
    octets[..., : packed.shape[-1]] = packed
    # Bytes of one word stand lowest first, whatever machine this is.
    return octets.view("<u8").astype(np.uint64, copy=False)


def _unpack(words: Words, n: int) -> NDArray[np.bool_]:
    """Return a batch of relations as rows of n Booleans."""
    octets = np.ascontiguousarray(words).astype("<u8", copy=False).view(np.uint8)
    needed = octets[..., : -(-n // 8)]
    return np.unpackbits(needed, axis=-1, count=n, bitorder="little").astype(bool)


def turn(words: Words) -> Words:
    """Return a batch of relations turned round: what was below is above."""
    return pack(_unpack(words, words.shape[1]).swapaxes(1, 2))


def close(words: Words) -> Words:
    """Close a batch of relations, rows of bits, in place."""
    for middle in range(words.shape[1]):
        place, bit = divmod(middle, ROOM)
        reaches = words[:, :, place] >> np.uint64(bit) & np.uint64(1)
        # Minus one is a word of ones, minus zero one of zeros.
        words |= words[:, middle, None, :] & np.negative(reaches)[:, :, None]
    return words


def on_cycles(closed: Words) -> NDArray[np.bool_]:
    """Return for each closed relation of a batch which items reach themselves."""
    place, bit = np.divmod(np.arange(closed.shape[1]), ROOM)
    own = np.take_along_axis(closed, place[None, :, None], axis=2)[:, :, 0]
    return (own >> bit.astype(np.uint64) & np.uint64(1)).astype(bool)


def _count_bits(words: Words) -> Numbers:
    """Return how many bits are set in each row of a batch of relations."""
    counts = np.bitwise_count(words)
    if words.shape[-1] == 1:
        return counts[..., 0].astype(np.int64)
    total: Numbers = counts.sum(axis=-1, dtype=np.int64)
    return total


def _single_bits(numbers: Numbers, n: int) -> list[Words]:
    """Return words with only one bit set each, to make a batch of relations of."""
    bit = np.uint64(1) << (numbers % ROOM).astype(np.uint64)
    if n <= ROOM:
        return [bit]
    return [np.where(numbers // ROOM == word, bit, np.uint64(0)) for word in range(-(-n // ROOM))]


class _Ranking:
    """The items of each group of a batch from the highest to the lowest, ties side by side."""

    def __init__(self, height: Any) -> None:
        # One index for group and item is several times faster than two.
        self._row = height.shape[1] * np.arange(len(height))[:, None]
        for from_highest in (_from_about_highest, _from_highest):
            self.order = from_highest(height)
            self._at = self.order + self._row
            ordered = self.at_places(height)
            if not np.any(ordered[:, 1:] > ordered[:, :-1]):
                break
        self._is_level = ordered[:, 1:] == ordered[:, :-1]
        self.is_strict = not self._is_level.any()

    @cached_property
    def _ties(self) -> tuple[Numbers, Numbers]:
        """The number of the tie at each place, of all groups, and where each tie begins."""
        # Each group begins a new tie, so that all of them can be walked in one go.
        is_new = np.ones(self.order.shape, dtype=bool)
        np.logical_not(self._is_level, out=is_new[:, 1:])
        return np.cumsum(is_new.reshape(-1)).reshape(is_new.shape) - 1, np.flatnonzero(is_new)

    @cached_property
    def begin(self) -> Numbers:
        """The first place of the tie at each place."""
        if self.is_strict:
            return np.broadcast_to(np.arange(self.order.shape[1]), self.order.shape)
        tie, starts = self._ties
        begin: Numbers = starts[tie] - self._row
        return begin

    @cached_property
    def end(self) -> Numbers:
        """The place after the tie at each place."""
        if self.is_strict:
            return self.begin + 1
        tie, starts = self._ties
        end: Numbers = np.append(starts[1:], tie.size)[tie] - self._row
        return end

    def at_places(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return values of the items of a batch place by place."""
        taken: NDArray[Any] = values.reshape(-1)[self._at]
        return taken

    def of_items(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return values of the places of a batch item by item."""
        given = np.empty(self.order.shape, dtype=values.dtype)
        given.reshape(-1)[self._at] = values
        return given

    def mean_over_ties(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for each place the mean of the values of the places of its tie."""
        values = np.broadcast_to(values, self.order.shape)
        if self.is_strict:
            return values
        tie, starts = self._ties
        sums = np.add.reduceat(values.reshape(-1), starts)[tie]
        means: NDArray[np.float64] = sums / (self.end - self.begin)
        return means

    @cached_property
    def passed(self) -> Numbers:
        """How many items are above each."""
        return self.of_items(self.begin)

    @cached_property
    def coming(self) -> Numbers:
        """How many items are below each."""
        return self.of_items(self.order.shape[1] - self.end)

    @cached_property
    def layers(self) -> Numbers:
        """The layer of each item."""
        if self.is_strict:
            return self.passed
        tie, _ = self._ties
        return self.of_items(tie - tie[:, :1])

    @cached_property
    def pairs(self) -> Numbers:
        """How many pairs of each group are decided."""
        total: Numbers = self.begin.sum(axis=1)
        return total

    @cached_property
    def _passed_bits(self) -> list[Words]:
        """The items of the first places as bits, for each number of places from 0 to all."""
        groups, n = self.order.shape
        so_far = []
        for bits in _single_bits(self.order, n):
            so_far.append(np.zeros((groups, n + 1), dtype=np.uint64))
            np.bitwise_or.accumulate(bits, axis=1, out=so_far[-1][:, 1:])
        return so_far

    def rows(self, *, upwards: bool) -> Words:
        """Return the items above each, or below it, as bits."""
        groups, n = self.order.shape
        last = (self.begin if upwards else self.end) + (n + 1) * np.arange(groups)[:, None]
        planes = []
        for so_far in self._passed_bits:
            passed = so_far.reshape(-1)[last]
            planes.append(self.of_items(passed if upwards else passed ^ so_far[:, -1:]))
        # One word an item is the usual case, and needs no copy.
        return planes[0][..., None] if len(planes) == 1 else np.stack(planes, axis=2)


def _from_highest(height: NDArray[Any]) -> Numbers:
    """Return the items of each group of a batch from the highest to the lowest."""
    return np.argsort(-height, axis=1)


def _from_about_highest(height: NDArray[Any]) -> Numbers:
    """Return the items of each group from the highest to the lowest but for the last digits.

    Idea: *a height, less its last digits, and a place are one number*, and to sort these is several
    times faster than to sort places by heights.
    """
    n = height.shape[1]
    room = n.bit_length()
    if height.dtype.kind == "f":
        keys = ~ordered_integers(height)
        keys &= -1 << room
    elif height.size and np.abs(height).max() < 1 << 62 - room:
        keys = -height << room
    else:
        return _from_highest(height)
    keys |= np.arange(n)
    keys.sort(axis=1)
    keys &= (1 << room) - 1
    return keys
