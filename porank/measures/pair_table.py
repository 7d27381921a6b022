"""Count the pairs of items that two orders decide in the same way, in opposite ways, or not at all.

All measures start here. `pair_up` compiles two orders, checks that they have the same items, and
caches the result in the target, so another measure of the same graphs need not count again. Most
measures are formulas of the five numbers in `PairCounts`.

*Idea: for two weak orders, count inversions of their levels; if one order is partial, count the
bits that the rows of both closures have in common.*

Public: `pair_table`, `PairTable`, `pair_classes`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from itertools import combinations
from operator import and_
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from porank.core.compiled_order import compile_order
from porank.core.graphs import joined_classes, pairs_within
from porank.core.relation import places_of
from porank.core.tables import Shown, Table, Tabular
from porank.measures.inversions import (
    count_before_in_both,
    count_weak_agreement,
    weigh_before_in_both,
)
from porank.orders.algebra import require_same_items
from porank.orders.ranks import rank_bounds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Item, Numbers, OrderLike

    #: The items above and below each item, as bits.
    ItemRows = tuple[list[int], list[int]]


@dataclass(frozen=True)
class PairCounts:
    """The numbers of pairs of items that both, one, or neither of two orders decides."""

    CLASSES: ClassVar = ("concordant", "discordant", "target_only", "predicted_only", "neither")

    concordant: int
    discordant: int
    target_only: int
    predicted_only: int
    neither: int

    @classmethod
    def of(cls, agreed: Any, opposed: Any, in_target: Any, in_predicted: Any, n: int) -> PairCounts:
        """Return the counts for n items from the pairs that both orders and each of them decide."""
        decided = agreed + opposed
        # I = n (n - 1) / 2 - T - P + C + D, A = T - (C + D), N = P - (C + D)
        neither = n * (n - 1) // 2 - in_target - in_predicted + decided
        return cls(agreed, opposed, in_target - decided, in_predicted - decided, neither)

    @property
    def target_pairs(self) -> int:
        """T = C + D + A, the pairs that the target decides."""
        return self.concordant + self.discordant + self.target_only

    @property
    def predicted_pairs(self) -> int:
        """P = C + D + N, the pairs that the prediction decides."""
        return self.concordant + self.discordant + self.predicted_only

    @property
    def all_pairs(self) -> int:
        """The number of all pairs, n (n - 1) / 2."""
        return self.target_pairs + self.predicted_only + self.neither


@dataclass(frozen=True, repr=False)
class PairTable(Shown, PairCounts, Tabular):
    """Numbers of pairs of items by how two orders decide them.

    Attributes
    ----------
    concordant, discordant : int
        Pairs that both orders decide in the same way (C), or in opposite ways (D).
    target_only, predicted_only : int
        Pairs that only the target (A) or only the prediction (N) decides.
    neither : int
        Pairs that neither order decides (I).
    target_only_tied, predicted_only_tied : int
        Pairs that only one order decides and that are tied in the other.
    both_tied, target_tied, predicted_tied : int
        Pairs that neither order decides and that are tied in both, only in the target, or only in
        the prediction. All other pairs that neither decides are incomparable in both.

    See Also
    --------
    pair_table, pair_classes, draw_pair_matrix

    Examples
    --------
    >>> import porank as po
    >>> table = po.pair_table({"a": 3, "b": 2, "c": 1}, {"a": 1, "b": 1, "c": 2})
    >>> table.concordant, table.discordant, table.target_only, table.target_only_tied
    (0, 2, 1, 1)
    """

    target_only_tied: int
    predicted_only_tied: int
    both_tied: int
    target_tied: int
    predicted_tied: int

    @property
    def target_only_incomparable(self) -> int:
        """Pairs that the target decides and that are incomparable in the prediction."""
        return self.target_only - self.target_only_tied

    @property
    def predicted_only_incomparable(self) -> int:
        """Pairs that the prediction decides and that are incomparable in the target."""
        return self.predicted_only - self.predicted_only_tied

    @property
    def both_incomparable(self) -> int:
        """Pairs that are incomparable in both orders."""
        return self.neither - self.both_tied - self.target_tied - self.predicted_tied

    def to_dict(self) -> dict[str, int]:
        """Return the counts by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def to_table(self) -> Table:
        """Return a table with a row for each case of the target, a column for the prediction's."""
        columns = ("target", "agrees", "contradicts", "decides alone", "tied", "incomparable")
        silent = (self.target_only_tied, self.target_only_incomparable)
        rows = (
            ("decided", self.concordant, self.discordant, None, *silent),
            ("tied", None, None, self.predicted_only_tied, self.both_tied, self.target_tied),
            (
                "incomparable",
                None,
                None,
                self.predicted_only_incomparable,
                self.predicted_tied,
                self.both_incomparable,
            ),
        )
        return Table(columns, rows)


def pair_table(target: OrderLike, predicted: OrderLike) -> PairTable:
    """Count the pairs of items that two orders decide in the same way, in opposite ways, or not.

    A pair is concordant if both orders prefer the same item, and discordant if they prefer
    different ones. Otherwise only the target, only the prediction or neither decides it. If an
    order does not decide a pair, the items are tied or incomparable in it.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.

    Returns
    -------
    PairTable
        The counts; those of the five classes add up to n (n - 1) / 2 for n items.

    Raises
    ------
    CycleError
        If one of the graphs has a cycle.
    ItemMismatchError
        If the two orders have different items; use `align` first.

    See Also
    --------
    PairTable, pair_classes, draw_pair_matrix

    Examples
    --------
    >>> import porank as po
    >>> print(po.pair_table(*po.load_example("table1-corrected")))
    target        agrees  contradicts  decides alone  tied  incomparable
    ------------  ------  -----------  -------------  ----  ------------
    decided            3            1                    0             2
    tied                                           0     0             0
    incomparable                                   3     0             1

    Notes
    -----
    O(n log n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures.
    """
    return pair_up(target, predicted).table


def pair_classes(target: OrderLike, predicted: OrderLike) -> Iterator[tuple[Item, Item, str]]:
    """Classify each pair of items by how two orders decide it.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.

    Yields
    ------
    (u, v, class)
        The class is ``"concordant"``, ``"discordant"``, ``"target_only"``, ``"predicted_only"`` or
        ``"neither"``. The target prefers u to v. If only the prediction decides the pair, it
        prefers u to v. If neither does, u comes before v in the target's sequence of items.

    Raises
    ------
    CycleError
        If one of the graphs has a cycle. It is raised by the call, before the iteration.
    ItemMismatchError
        If the two orders have different items; use `align` first.

    See Also
    --------
    pair_table, PairTable, draw_pair_matrix

    Examples
    --------
    >>> import porank as po
    >>> for u, v, kind in po.pair_classes(po.parse("a > b; c"), po.parse("b > a; b > c")):
    ...     print(u, v, kind)
    a b discordant
    a c neither
    b c predicted_only

    Notes
    -----
    O(n**2) for n items, or O(n**3 / 64) if there are many, plus the closures; n**2 / 8 bytes.
    """
    return _classes(pair_up(target, predicted))


def _classes(pairing: Pairing) -> Iterator[tuple[Item, Item, str]]:
    items, place = pairing.target.items, pairing.common_places().tolist()
    target, predicted = pairing.common_rows()
    for i, j in combinations(range(pairing.n), 2):
        truth, guess = (
            (below[i] >> place[j] & 1) - (above[i] >> place[j] & 1)
            for above, below in (target, predicted)
        )
        first, second = (i, j) if (truth or guess) >= 0 else (j, i)
        yield items[first], items[second], _class_of(truth, guess)


def _class_of(truth: int, guess: int) -> str:
    if truth and guess:
        return "concordant" if truth == guess else "discordant"
    if truth:
        return "target_only"
    return "predicted_only" if guess else "neither"


class ItemSide:
    """The position of each item in an order, as arrays with the items along the last axis.

    Other axes may be those of the groups of a batch. Attributes are `n`, the number of items,
    `levels`, and the numbers of items `above` and `below` each item.
    """

    @cached_property
    def unordered(self: Any) -> Numbers:
        """How many items are neither above nor below each item, including itself."""
        unordered: Numbers = self.n - self.above - self.below
        return unordered

    @cached_property
    def sunk(self: Any) -> Numbers:
        """How many more items are above each item than below it."""
        sunk: Numbers = self.above - self.below
        return sunk

    @property
    def doubled_positions(self: Any) -> Numbers:
        """Twice the middle of the ranks that each item can have."""
        # 2 · ((n + 1) / 2 + (above - below) / 2)
        doubled: Numbers = self.n + 1 + self.sunk
        return doubled


class TwoSides:
    """Two orders of the same items, `truth` and `guess`, as read by the kernels of measures.

    Of the items above an item in the truth, `agreed` are above it in the guess and `contradicted`
    are below it. There are also `counts` of pairs, and `weigh`.
    """

    @cached_property
    def moved(self: Any) -> Numbers:
        """Twice the number of positions by which each item is lower in the prediction."""
        moved: Numbers = self.guess.sunk - self.truth.sunk
        return moved

    @cached_property
    def surplus(self: Any) -> Numbers:
        """How many of the items above each in the target are above it in the guess, minus below."""
        surplus: Numbers = self.agreed - self.contradicted
        return surplus


class _SideOfTwo(ItemSide):
    """The positions of the items in one of two orders, in the sequence of the target."""

    def __init__(self, order: CompiledOrder, in_sequence: Callable[[Numbers], Numbers]) -> None:
        self.n, self.height = len(order.items), len(order.sizes)
        self.levels = in_sequence(order.levels)
        self.is_weak, self.is_total = order.is_weak, order.is_total
        self._order, self._in_sequence = order, in_sequence

    @property
    def open_pairs(self) -> int:
        """The number of pairs that are incomparable, not known to be tied."""
        tied = pairs_within(self._order.tie)
        return self.n * (self.n - 1) // 2 - self._order.count_pairs() - tied

    @cached_property
    def _bounds(self) -> tuple[Numbers, Numbers]:
        best, worst = map(self._in_sequence, rank_bounds(self._order))
        return best - 1, self.n - worst

    @property
    def above(self) -> Numbers:
        """How many items are above each item."""
        return self._bounds[0]

    @property
    def below(self) -> Numbers:
        """How many items are below each item."""
        return self._bounds[1]

    def mean_over_ties(self, by_place: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for each item of a weak order the mean value of the positions of its tie."""
        sizes = np.bincount(self.levels)
        means: NDArray[np.float64] = np.add.reduceat(by_place, np.cumsum(sizes) - sizes) / sizes
        return means[self.levels]


@dataclass(frozen=True, eq=False)
class Pairing(TwoSides):
    """A target and a prediction on the same items, numbered as in the target."""

    target: CompiledOrder
    predicted: CompiledOrder

    @property
    def n(self) -> int:
        """The number of items."""
        return len(self.target.items)

    @cached_property
    def index(self) -> Numbers:
        """For each item of the target its number in the prediction."""
        if _same_sequence(self.target, self.predicted):
            return np.arange(self.n)
        number = self.predicted.number
        return np.fromiter(map(number.__getitem__, self.target.items), np.int64, self.n)

    @cached_property
    def predicted_levels(self) -> Numbers:
        """The level of each item in the prediction."""
        return self.as_in_target(self.predicted.levels)

    def depths(self, k: int | None) -> int:
        """Return the number of positions of the predicted list that count."""
        return self.n if k is None else min(k, self.n)

    def as_in_target(self, values: Numbers) -> Numbers:
        """Return values of the prediction's items in the sequence of the target's items."""
        return values[self.index]

    @cached_property
    def counts(self) -> PairCounts:
        """The numbers of pairs that both, one or neither order decides."""
        pairs = self.target.count_pairs(), self.predicted.count_pairs()
        return PairCounts.of(*count_agreement(self), *pairs, self.n)

    @property
    def table(self) -> PairTable:
        """The counts, with the numbers of known ties in each class."""
        return PairTable(**vars(self.counts), **_count_ties(self))

    @cached_property
    def truth(self) -> _SideOfTwo:
        """The positions of the items in the target."""
        return _SideOfTwo(self.target, lambda values: values)

    @cached_property
    def guess(self) -> _SideOfTwo:
        """The positions of the items in the prediction."""
        return _SideOfTwo(self.predicted, self.as_in_target)

    @cached_property
    def agreed(self) -> Numbers:
        """How many items are above each item in both of two weak orders."""
        return count_before_in_both(self.target.levels, self.predicted_levels)

    @cached_property
    def contradicted(self) -> Numbers:
        """How many items are above each item in a weak target, and below it in a weak guess."""
        levels = self.predicted_levels
        return count_before_in_both(self.target.levels, levels.max(initial=0) - levels)

    @cached_property
    def surplus(self) -> Numbers:
        """How many of the items above each in the target are above it in the guess, minus below."""
        if self.target.is_weak and self.predicted.is_weak:
            return super().surplus
        (wanted, _), (above, below) = self.common_rows()
        both = zip(wanted, above, below, strict=True)
        surplus = [(row & up).bit_count() - (row & down).bit_count() for row, up, down in both]
        return np.array(surplus, dtype=np.int64)

    def weigh(self, weights: NDArray[np.float64]) -> tuple[float, float]:
        """Return the weights of concordant and discordant pairs, as products of item weights."""
        if self.target.is_weak and self.predicted.is_weak:
            levels, guess = self.truth.levels, self.guess.levels
            right, wrong = (
                float(weights @ weigh_before_in_both(levels, some, weights))
                for some in (guess, guess.max(initial=0) - guess)
            )
            return right, wrong
        (_, below), (above, under) = self.common_rows()
        of_bit = weights[np.argsort(self.common_places())]
        right, wrong = (
            sum(
                float(weight * of_bit[places_of(one & other)].sum())
                for weight, one, other in zip(weights.tolist(), below, rows, strict=True)
            )
            for rows in (under, above)
        )
        return right, wrong

    def common_places(self) -> Numbers:
        """Return for each item of the target its bit in `common_rows`."""
        if not self.target.is_weak:
            return self.target.relation.place
        if not self.predicted.is_weak:
            return self.as_in_target(self.predicted.relation.place)
        return np.arange(self.n)

    def common_rows(self) -> tuple[ItemRows, ItemRows]:
        """Return the bit rows of target and prediction, both in the target's sequence."""
        numbers, place = np.arange(self.n), self.common_places()
        return self.target.rows(numbers, place), self.predicted.rows(self.index, place)


def pair_up(target: OrderLike, predicted: OrderLike) -> Pairing:
    """Compile two orders to count pairs, or raise an error if their items differ."""
    first = compile_order(target, name="target")
    second = compile_order(predicted, name="predicted")
    if first is target or first.source is not None:
        return first.memo(_paired, second)
    return _paired(first, second)  # There is no graph to cache it with.


def _paired(target: CompiledOrder, predicted: CompiledOrder) -> Pairing:
    if not _same_sequence(target, predicted):
        require_same_items(target, predicted)
    return Pairing(target, predicted)


def count_agreement(pairing: Pairing) -> tuple[int, int]:
    """Return the numbers of concordant and discordant pairs."""
    target, predicted = pairing.target, pairing.predicted
    if target.is_weak and predicted.is_weak:
        return count_weak_agreement(target.levels, pairing.predicted_levels)
    (_, rows), (above, below) = pairing.common_rows()
    return _count_shared(rows, below), _count_shared(rows, above)


def _count_shared(rows: list[int], others: list[int]) -> int:
    """Return the number of bits that two relations have in common."""
    return sum(map(int.bit_count, map(and_, rows, others)))


def _same_sequence(target: CompiledOrder, predicted: CompiledOrder) -> bool:
    """Return whether both orders have the same items in the same sequence."""
    first, second = target.items, predicted.items
    if isinstance(first, range) and isinstance(second, range):
        return first == second
    return len(first) == len(second) and tuple(first) == tuple(second)


def _count_ties(pairing: Pairing) -> dict[str, int]:
    """Return the number of known ties in each class of the pair table."""
    target_tie, predicted_tie = pairing.target.tie, pairing.as_in_target(pairing.predicted.tie)
    tied_in_target, tied_in_predicted = pairs_within(target_tie), pairs_within(predicted_tie)
    predicted_decides = _decided_within(target_tie, pairing.predicted, pairing.index)
    target_decides = _decided_within(predicted_tie, pairing.target, np.arange(pairing.n))
    both = pairs_within(joined_classes(target_tie, predicted_tie))
    return {
        "target_only_tied": target_decides,
        "predicted_only_tied": predicted_decides,
        "both_tied": both,
        "target_tied": tied_in_target - predicted_decides - both,
        "predicted_tied": tied_in_predicted - target_decides - both,
    }


def _decided_within(tie: Numbers, order: CompiledOrder, index: Numbers) -> int:
    """Return how many pairs tied in one order the other order decides."""
    if order.is_weak:
        return pairs_within(tie) - pairs_within(joined_classes(tie, order.levels[index]))
    relation = order.relation
    place = relation.place[index]
    decided = 0
    for name in np.unique(tie[tie >= 0]).tolist():
        members = place[tie == name].tolist()
        mask = sum(1 << p for p in members)
        decided += sum((relation.below[p] & mask).bit_count() for p in members)
    return decided
