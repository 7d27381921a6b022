"""Counting pairs on which two orders agree, by whichever way is shortest.

Two weak orders are counted as two sequences of whole numbers; a weak one against a partial one by
bits, layer by layer; two partial ones by the bits that their rows share. The counts are exact.

Two compiled orders on the same items, numbered alike.

Counting, item by item, what a prediction makes of the items that the target puts above it.

Two weak orders are counted as two sequences of whole numbers, everything else by the bits that the
rows of the two orders share. The counts are exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from porank.core.arrays import inverse_of
from porank.core.relation import bits_of, count_shared, rows_along_covers
from porank.core.ties import joined_classes, pairs_within
from porank.measures.inversions import count_weak_agreement

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from porank.core.compiled_order import Order
    from porank.core.relation import Bits, Relation
    from porank.measures.pair_table import Pairing
    from porank.typing import Item, Numbers


def count_agreement(pairing: NumberedAlike) -> tuple[int, int]:
    """Return how many pairs both orders decide alike, and how many contrarily."""
    target, predicted = pairing.target, pairing.predicted
    if target.is_weak and predicted.is_weak:
        return count_weak_agreement(target.layers, pairing.predicted_layers)
    if predicted.is_weak:
        return count_along_layers(target.relation, pairing.predicted_layers)
    if target.is_weak:
        layers = target.layers
        if pairing.turned is not None:
            layers = np.empty_like(layers)
            layers[pairing.turned] = target.layers
        return count_along_layers(predicted.relation, layers)
    rows = target.relation.below_bits
    below, above = rows_as_in_target(pairing)
    return count_shared(rows, below), count_shared(rows, above)


def count_along_layers(relation: Relation, layers: Numbers) -> tuple[int, int]:
    """Return in how many pairs of the relation the preferred has the earlier, the later layer."""
    by_place = layers[relation.order]
    best_first = np.argsort(by_place, kind="stable")
    ends = np.cumsum(np.bincount(by_place, minlength=1))
    later = (1 << by_place.size) - 1
    earlier = concordant = discordant = 0
    for group in np.split(best_first, ends[:-1]):
        places = group.tolist()
        this = sum(1 << p for p in places)
        later ^= this
        for p in places:
            concordant += (relation.below[p] & later).bit_count()
            discordant += (relation.below[p] & earlier).bit_count()
        earlier |= this
    return concordant, discordant


def rows_as_in_target(pairing: NumberedAlike) -> tuple[Bits, Bits]:
    """Return what is below and above each item in the prediction, places as in the target."""
    target = pairing.target
    return pairing.predicted.memo(_rows_of_places, target.relation.order, target.items)


def _rows_of_places(predicted: Order, item_at: Numbers, items: Sequence[Item]) -> tuple[Bits, Bits]:
    """Return the rows of bits below and above each place, given the item at each place."""
    number, own = predicted.number, predicted.relation
    turned = np.fromiter(map(number.__getitem__, items), np.int64, len(items))
    own_at = own.place[turned[item_at]]
    rows = rows_along_covers(own.covers, inverse_of(own_at).tolist())
    below, above = (bits_of([row[p] for p in own_at.tolist()]) for row in rows)
    return below, above


def decisions_of(order: Order) -> Callable[[int, int], int]:
    """Return the function that says which of two items is preferred: 1, -1, or 0 for neither."""
    if order.is_weak:
        layers = order.layers.tolist()
        return lambda i, j: (layers[i] < layers[j]) - (layers[i] > layers[j])
    below, place = order.relation.below, order.relation.place.tolist()
    return lambda i, j: (below[place[i]] >> place[j] & 1) - (below[place[j]] >> place[i] & 1)


def count_ties(pairing: NumberedAlike) -> tuple[int, int, int, int, int]:
    """Return how many pairs of each silent class are known ties."""
    target_tie, predicted_tie = pairing.target.tie, pairing.predicted_tie
    tied_in_target, tied_in_predicted = pairs_within(target_tie), pairs_within(predicted_tie)
    both = pairs_within(joined_classes(target_tie, predicted_tie))
    predicted_decides = _decided_within(target_tie, pairing.predicted, pairing.turned)
    target_decides = _decided_within(predicted_tie, pairing.target, None)
    return (
        target_decides,
        predicted_decides,
        both,
        tied_in_target - predicted_decides - both,
        tied_in_predicted - target_decides - both,
    )


def _decided_within(tie: Numbers, order: Order, turned: Numbers | None) -> int:
    """Return how many pairs of one class the order decides; `turned` numbers its items."""
    if not np.any(tie >= 0):
        return 0
    if order.is_weak:
        layers = order.layers if turned is None else order.layers[turned]
        return pairs_within(tie) - pairs_within(joined_classes(tie, layers))
    relation = order.relation
    place = relation.place if turned is None else relation.place[turned]
    decided = 0
    for name in np.unique(tie[tie >= 0]).tolist():
        members = place[tie == name].tolist()
        mask = sum(1 << p for p in members)
        decided += sum((relation.below[p] & mask).bit_count() for p in members)
    return decided


@dataclass(frozen=True, eq=False)
class NumberedAlike:
    """A target and a prediction on the same items, items numbered as in the target."""

    target: Order
    predicted: Order

    @property
    def n(self) -> int:
        """The number of items."""
        return len(self.target.items)

    @cached_property
    def turned(self) -> Numbers | None:
        """The number in the prediction of each item of the target; None if all are the same."""
        if same_sequence(self.target, self.predicted):
            return None
        number = self.predicted.number
        return np.fromiter(map(number.__getitem__, self.target.items), np.int64, self.n)

    @cached_property
    def predicted_layers(self) -> Numbers:
        """The layer of each item in the prediction."""
        return self.as_in_target(self.predicted.layers)

    @cached_property
    def predicted_tie(self) -> Numbers:
        """The class of equals of each item in the prediction, -1 for none."""
        return self.as_in_target(self.predicted.tie)

    def as_in_target(self, values: Numbers) -> Numbers:
        """Return values of the items of the prediction in the sequence of the target."""
        return values if self.turned is None else values[self.turned]


def same_sequence(target: Order, predicted: Order) -> bool:
    """Return whether both orders have the same items in the same sequence."""
    first, second = target.items, predicted.items
    if isinstance(first, range) and isinstance(second, range):
        return first == second
    return len(first) == len(second) and tuple(first) == tuple(second)


class Rows(NamedTuple):
    """What is above and what is below each item, as bits; the bit of item i is ``place[i]``."""

    above: Sequence[int]
    below: Sequence[int]


def count_agreement_above(pairing: Pairing) -> tuple[list[int], list[int]]:
    """Return how many items above each in the target the prediction puts above it, and below."""
    if pairing.target.is_weak and pairing.predicted.is_weak:
        truth, guess = pairing.target.layers, pairing.predicted_layers
        agreed = count_before_in_both(truth, guess)
        contradicted = count_before_in_both(truth, guess.max(initial=0) - guess)
        return agreed.tolist(), contradicted.tolist()
    target, predicted = common_rows(pairing, common_places(pairing))
    return (
        [(t & p).bit_count() for t, p in zip(target.above, predicted.above, strict=True)],
        [(t & p).bit_count() for t, p in zip(target.above, predicted.below, strict=True)],
    )


def count_before_in_both(first: Numbers, second: Numbers) -> Numbers:
    """Return for each item how many items have an earlier layer both times."""
    # Of one first layer, the latest in the second come first, so that they are not before others.
    walk = np.lexsort((-second, first))
    place = np.arange(first.size)
    before = np.zeros_like(place)
    for bit in reversed(range(int(second.max(initial=0)).bit_length())):
        values = second[walk]
        is_one = (values >> bit & 1).astype(bool)
        starts = np.flatnonzero(np.diff(values >> bit + 1, prepend=-1))
        sizes = np.diff(starts, append=place.size)
        start, end = np.repeat(starts, sizes), np.repeat(starts + sizes, sizes)
        zeros = np.concatenate([[0], np.cumsum(~is_one)])
        passed, coming = zeros[:-1] - zeros[start], zeros[end] - zeros[:-1]
        before[walk[is_one]] += passed[is_one]
        # The zeros of each group move before its ones, which makes the groups of the next bit.
        moved = np.empty_like(walk)
        moved[np.where(is_one, place + coming, start + passed)] = walk
        walk = moved
    return before


def common_places(pairing: Pairing) -> Numbers:
    """Return for each item of the target its bit in `common_rows`: the one it has in a closure."""
    if not pairing.target.is_weak:
        return pairing.target.relation.place
    if not pairing.predicted.is_weak:
        return pairing.as_in_target(pairing.predicted.relation.place)
    return np.arange(pairing.n)


def common_rows(pairing: Pairing, place: Numbers) -> tuple[Rows, Rows]:
    """Return the rows of the target and of the prediction, both in the sequence of the target."""
    numbers = np.arange(pairing.n)
    turned = numbers if pairing.turned is None else pairing.turned
    return _rows(pairing.target, numbers, place), _rows(pairing.predicted, turned, place)


def _rows(order: Order, number: Numbers, place: Numbers) -> Rows:
    """Return the rows of an order, item i being its ``number[i]``."""
    if order.is_weak:
        return _rows_of_layers(order.layers[number], place)
    relation = order.relation
    own = relation.place[number]
    if np.array_equal(own, place):
        rows = Rows(relation.above, relation.below)
    else:
        elsewhere = np.empty_like(place)
        elsewhere[own] = place
        below, above = rows_along_covers(relation.covers, elsewhere.tolist())
        rows = Rows(above, below)
    at = own.tolist()
    return Rows([rows.above[p] for p in at], [rows.below[p] for p in at])


def _rows_of_layers(layers: Numbers, place: Numbers) -> Rows:
    members = [0] * (int(layers.max(initial=-1)) + 1)
    for layer, p in zip(layers.tolist(), place.tolist(), strict=True):
        members[layer] |= 1 << p
    above, below = list(members), list(members)
    seen, unseen = 0, sum(members)
    for layer, row in enumerate(members):
        unseen ^= row
        above[layer], below[layer] = seen, unseen
        seen |= row
    at = layers.tolist()
    return Rows([above[layer] for layer in at], [below[layer] for layer in at])
