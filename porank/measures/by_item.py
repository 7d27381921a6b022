"""Counting, item by item, what a prediction makes of the items that the target puts above it.

Two weak orders are counted as two sequences of whole numbers, everything else by the bits that the
rows of the two orders share. The counts are exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from porank.core.relation import rows_along_covers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.core.compiled_order import Order
    from porank.measures.pairing import Pairing
    from porank.typing import Numbers


class Rows(NamedTuple):
    """What is above and what is below each item, as bits; the bit of item i is ``place[i]``."""

    above: Sequence[int]
    below: Sequence[int]


def count_agreement_above(pairing: Pairing) -> tuple[list[int], list[int]]:
    """Return how many of the items above each in the target the prediction puts above it and below.

    Examples
    --------
    >>> import porank as po
    >>> from porank.measures.pairing import pair_up
    >>> count_agreement_above(pair_up(*po.load_example("table1-corrected")))
    ([0, 0, 0, 1, 2], [0, 0, 1, 0, 0])

    Notes
    -----
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.
    """
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
    """Return for each item how many items have an earlier layer both times.

    Examples
    --------
    >>> count_before_in_both(np.array([0, 0, 1, 2]), np.array([1, 0, 1, 2])).tolist()
    [0, 0, 1, 3]

    Notes
    -----
    Time O(n log n). Idea: *walk along the first layers; of two items, the later layer in the second
    differs in a highest bit, above which both agree; so, bit by bit from the highest, count within
    each group of equal higher bits the zeros before each one.*
    """
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
    """Return the rows of the target and of the prediction, both in the sequence of the target.

    Examples
    --------
    >>> from porank.measures.pairing import pair_up
    >>> pairing = pair_up([2, 1, 0], [1, 2, 1])
    >>> target, predicted = common_rows(pairing, common_places(pairing))
    >>> [f"{row:03b}" for row in target.above], [f"{row:03b}" for row in predicted.above]
    (['000', '001', '011'], ['010', '000', '010'])

    Notes
    -----
    Time O(n**2 / 64) for a weak order, O(n m_red / 64) for any other.
    """
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
