"""The pair table: what two orders say about each unordered pair of items, counted.

For every two items, an order says that one is preferred, or it is silent: it knows them to be tied,
or it knows nothing. Nearly every measure of agreement is a formula in how often the two orders say
the same, the opposite, or one of them nothing.

Two orders at the door: compiled, on the same items, numbered alike, counted once.

The pairing of two compiled orders is kept with the first of them, so that the second measure of the
same two graphs finds the pairs already counted.

What two orders state as sets of pairs: all that follows, the covers, or the edges given.

Counting between every two levels of a target: what a prediction decides, and which way.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from porank.core.arrays import inverse_of
from porank.core.compiled_order import compile_order
from porank.core.graphs import refuse_large
from porank.core.tables import Table, Tabular
from porank.errors import ItemMismatchError, NotApplicableError, PorankError, listed
from porank.measures.pair_counts import (
    NumberedAlike,
    count_agreement,
    count_ties,
    decisions_of,
    same_sequence,
)
from porank.orders.algebra import require_same_items

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porank.core.compiled_order import Order
    from porank.typing import Item, Numbers, OrderLike


@dataclass(frozen=True)
class PairTable(Tabular):
    """How many unordered pairs of items fall into each class.

    Attributes
    ----------
    concordant, discordant : int
        Pairs that both orders decide, alike (C) or contrarily (D).
    target_only, predicted_only : int
        Pairs that only the target (A) or only the prediction (N) decides.
    neither : int
        Pairs that neither decides (I).
    target_only_tied, predicted_only_tied : int
        Of the pairs that one decides, those that the silent side knows to be tied.
    both_tied, target_tied, predicted_tied : int
        Of the pairs that neither decides, those tied in both, in the target only, and in the
        prediction only; the rest are incomparable in both.

    Examples
    --------
    >>> table = pair_table({"a": 3, "b": 2, "c": 1}, {"a": 1, "b": 1, "c": 2})
    >>> table.concordant, table.discordant, table.target_only, table.target_only_tied
    (0, 2, 1, 1)
    """

    concordant: int
    discordant: int
    target_only: int
    predicted_only: int
    neither: int
    target_only_tied: int
    predicted_only_tied: int
    both_tied: int
    target_tied: int
    predicted_tied: int

    @property
    def target_only_incomparable(self) -> int:
        """Pairs that the target decides and of which the prediction knows nothing."""
        return self.target_only - self.target_only_tied

    @property
    def predicted_only_incomparable(self) -> int:
        """Pairs that the prediction decides and of which the target knows nothing."""
        return self.predicted_only - self.predicted_only_tied

    @property
    def both_incomparable(self) -> int:
        """Pairs of which neither knows anything."""
        return self.neither - self.both_tied - self.target_tied - self.predicted_tied

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
        """All unordered pairs, n (n - 1) / 2."""
        return self.target_pairs + self.predicted_only + self.neither

    def to_dict(self) -> dict[str, int]:
        """Return the counts by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def to_table(self) -> Table:
        """Return what the prediction says (columns) of what the target says (rows)."""
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
    """Return how many pairs of items two orders decide alike, contrarily, or not at all.

    An unordered pair {u, v} is concordant if both orders prefer the same of the two, discordant if
    each prefers another, and otherwise decided by the target only, by the prediction only, or by
    neither; where one is silent, it knows the two to be tied or knows nothing.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.

    Returns
    -------
    PairTable
        Whole numbers that add up to n (n - 1) / 2.

    Raises
    ------
    CycleError
        If one of them has a cycle; the message says which.
    ItemMismatchError
        If their items differ; `align` mends it.

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
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.
    """
    pairing = pair_up(target, predicted)
    return PairTable(*pairing.counts, *count_ties(pairing))


def pair_classes(target: OrderLike, predicted: OrderLike) -> Iterator[tuple[Item, Item, str]]:
    """Return each unordered pair of items once, with its class.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.

    Yields
    ------
    (u, v, class)
        The class is ``"concordant"``, ``"discordant"``, ``"target_only"``, ``"predicted_only"`` or
        ``"neither"``. The target prefers u to v; where it is silent, the prediction does; where
        both are, u stands before v in the target.

    Raises
    ------
    CycleError
        If one of them has a cycle; the message says which. Raised at the call, not later.
    ItemMismatchError
        If their items differ; `align` mends it.

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
    Time O(n) a pair row, n**2 in all, beyond the closures; nothing is stored.
    """
    return _classes(pair_up(target, predicted))


def _classes(pairing: Pairing) -> Iterator[tuple[Item, Item, str]]:
    items = pairing.target.items
    target = decisions_of(pairing.target)
    predicted = decisions_of(pairing.predicted)
    turned = range(pairing.n) if pairing.turned is None else pairing.turned.tolist()
    for i, j in combinations(range(pairing.n), 2):
        truth, guess = target(i, j), predicted(turned[i], turned[j])
        first, second = (i, j) if (truth or guess) >= 0 else (j, i)
        yield items[first], items[second], _class_of(truth, guess)


def _class_of(truth: int, guess: int) -> str:
    if truth and guess:
        return "concordant" if truth == guess else "discordant"
    if truth:
        return "target_only"
    return "predicted_only" if guess else "neither"


class Counts(NamedTuple):
    """The five numbers: how many unordered pairs both, one, or neither of two orders decides."""

    concordant: int
    discordant: int
    target_only: int
    predicted_only: int
    neither: int

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
        """All unordered pairs, n (n - 1) / 2."""
        return sum(self)


class Pairing(NumberedAlike):
    """A target and a prediction with their pairs counted, once and when first asked for."""

    @cached_property
    def counts(self) -> Counts:
        """The five numbers."""
        concordant, discordant = count_agreement(self)
        decided = concordant + discordant
        target_only = self.target.count_pairs() - decided
        predicted_only = self.predicted.count_pairs() - decided
        neither = self.n * (self.n - 1) // 2 - decided - target_only - predicted_only
        return Counts(concordant, discordant, target_only, predicted_only, neither)


def pair_up(target: OrderLike, predicted: OrderLike) -> Pairing:
    """Return the two orders compiled, having made sure that they have the same items."""
    first = compile_order(target, name="target")
    second = compile_order(predicted, name="predicted")
    return first.memo(_paired, second)


def _paired(target: Order, predicted: Order) -> Pairing:
    if not same_sequence(target, predicted):
        _require_one_length(target, predicted)
        require_same_items(target, predicted)
    return Pairing(target, predicted)


def _require_one_length(target: Order, predicted: Order) -> None:
    """Raise `ItemMismatchError` if two arrays have different lengths."""
    one, other = target.items, predicted.items
    if isinstance(one, range) and isinstance(other, range):
        side, more = ("target", one) if len(one) > len(other) else ("predicted", other)
        extra = [*more[min(len(one), len(other)) :]]
        raise ItemMismatchError(
            f"expected arrays of one length, found {len(one)} numbers in target and {len(other)} "
            f"in predicted, only in {side}: {listed(extra)}",
            only_target=extra if side == "target" else (),
            only_predicted=extra if side == "predicted" else (),
        )


def require_weak(pairing: Pairing, *, why: str) -> None:
    """Raise `NotApplicableError` unless both orders are weak."""
    for name, order in (("target", pairing.target), ("predicted", pairing.predicted)):
        if not order.is_weak:
            raise NotApplicableError(f"expected two weak orders, found {name} partial: {why}")


_ON = ("closure", "reduction", "given")


class Stated(NamedTuple):
    """How many ordered pairs each order states, and how many both."""

    concordant: int
    target: int
    predicted: int

    @property
    def union(self) -> int:
        """The pairs that at least one of the two states."""
        return self.target + self.predicted - self.concordant


def count_stated(target: OrderLike, predicted: OrderLike, *, on: str) -> Stated:
    """Return how many ordered pairs two orders state, and how many of them alike."""
    if on not in _ON:
        raise PorankError(f"expected on to be one of {listed(_ON)}, found {on!r}")
    pairing = pair_up(target, predicted)
    if on == "closure":
        pairs = pairing.counts
        return Stated(pairs.concordant, pairs.target_pairs, pairs.predicted_pairs)
    keys = _covers if on == "reduction" else _edges
    first = keys(pairing.target, None)
    second = keys(pairing.predicted, pairing.turned)
    return Stated(np.intersect1d(first, second, assume_unique=True).size, first.size, second.size)


def _edges(order: Order, turned: Numbers | None) -> Numbers:
    """Return a number for each edge given, the same for the same pair of items of the target."""
    if order.source is None or order.target is None:
        refuse_large(order.count_pairs(), instead='on="closure" counts without writing pairs')
        source, target = np.nonzero(order.matrix())
    else:
        source, target = order.source, order.target
    return _keys(order, source, target, turned)


def _covers(order: Order, turned: Numbers | None) -> Numbers:
    """Return a number for each cover, the same for the same pair of items of the target."""
    if order.is_weak:
        refuse_large(order.count_layer_edges(), instead='on="closure" counts without writing pairs')
    relation = order.relation
    degree = np.array([len(covered) for covered in relation.covers], dtype=np.int64)
    lower = np.array([q for covered in relation.covers for q in covered], dtype=np.int64)
    source = np.repeat(relation.order, degree)
    return _keys(order, source, relation.order[lower], turned)


def _keys(order: Order, source: Numbers, target: Numbers, turned: Numbers | None) -> Numbers:
    n = len(order.items)
    if turned is None:
        return source * n + target
    in_target = inverse_of(turned)
    keys: Numbers = in_target[source] * n + in_target[target]
    return keys


def sum_of_aucs(pairing: Pairing, credit: Fraction) -> Fraction:
    """Return the sum over all pairs of levels of the AUC between the two."""
    sizes = pairing.target.sizes.tolist()
    common = math.lcm(*sizes)
    weights = np.array([common // size for size in sizes], dtype=object)
    total = 0
    for level, size in enumerate(sizes):
        right, wrong = decided_between(pairing, level)
        left_open = size * pairing.target.sizes - right - wrong
        # A credit such as 0.1 has a denominator of 2**55: only Python's integers have room for it.
        points = credit.denominator * right.astype(object) + credit.numerator * left_open
        total += weights[level] * int(np.dot(weights[level + 1 :], points[level + 1 :]))
    return Fraction(total, credit.denominator * common**2)


def decided_between(pairing: Pairing, level: int) -> tuple[Numbers, Numbers]:
    """Return how many pairs of this level and each other the prediction decides for and against."""
    levels = pairing.target.layers
    chosen = levels == level
    if pairing.predicted.is_weak:
        layers = pairing.predicted_layers
        until = np.cumsum(np.bincount(layers[chosen], minlength=layers.max() + 1))
        above = np.append(0, until)[layers]
        below = until[-1] - until[layers]
        # Sums of whole numbers below 2**53 are exact as floats.
        right, wrong = (np.bincount(levels, weights=count) for count in (above, below))
        return right.astype(np.int64), wrong.astype(np.int64)
    relation = pairing.predicted.relation
    place = pairing.as_in_target(relation.place)
    upper = place[chosen].tolist()
    masks = [
        sum(1 << p for p in place[levels == other].tolist()) for other in range(levels.max() + 1)
    ]
    right, wrong = (
        np.array([sum((rows[p] & mask).bit_count() for p in upper) for mask in masks])
        for rows in (relation.below, relation.above)
    )
    return right, wrong
