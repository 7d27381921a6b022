"""Counting pairs on which two orders agree, by whichever way is shortest.

Two weak orders are counted as two sequences of whole numbers; a weak one against a partial one by
bits, layer by layer; two partial ones by the bits that their rows share. The counts are exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from porank.core.arrays import inverse_of
from porank.core.relation import bits_of, count_shared, rows_along_covers
from porank.core.ties import joined_classes, pairs_within
from porank.measures.inversions import count_weak_agreement

if TYPE_CHECKING:
    from collections.abc import Callable

    from porank.core.compiled_order import Order
    from porank.core.relation import Bits, Relation
    from porank.measures.numbered import NumberedAlike
    from porank.typing import Numbers


def count_agreement(pairing: NumberedAlike) -> tuple[int, int]:
    """Return how many pairs both orders decide alike, and how many contrarily.

    Examples
    --------
    >>> import porank as po
    >>> from porank.measures.pairing import pair_up
    >>> target, predicted = po.load_example("table1-corrected")
    >>> count_agreement(pair_up(target, predicted))
    (3, 1)

    Notes
    -----
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.
    """
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
    """Return in how many pairs of the relation the preferred item has the earlier layer, the later.

    Examples
    --------
    >>> from porank.core.relation import relate_layers
    >>> count_along_layers(relate_layers(np.array([0, 1, 2])), np.array([1, 0, 1]))
    (1, 1)

    Notes
    -----
    Time O(n**2 / 64): as the layers pass, the items of the layers before and after are two rows of
    bits.
    """
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
    """Return what is below and above each item in the prediction, places as in the target.

    The rows are kept with the prediction, for the target that asked last.

    Examples
    --------
    >>> import networkx as nx
    >>> from porank.measures.pairing import pair_up
    >>> pairing = pair_up(nx.DiGraph(["ab", "ac"]), nx.DiGraph(["ab", "bc"]))
    >>> below, above = rows_as_in_target(pairing)
    >>> [f"{row:03b}" for row in below.flat], [f"{row:03b}" for row in above.flat]
    (['010', '000', '011'], ['100', '101', '000'])

    Notes
    -----
    Time O(n m_red / 64), as the other half of a closure: no edge is tested.
    """
    order, own = pairing.target.relation.order, pairing.predicted.relation
    kept = pairing.predicted.__dict__.get("_rows")
    if kept is None or kept[0] is not order:
        number = order if pairing.turned is None else pairing.turned[order]
        own_at = own.place[number]
        rows = rows_along_covers(own.covers, inverse_of(own_at).tolist())
        below, above = (bits_of([row[p] for p in own_at.tolist()]) for row in rows)
        kept = order, (below, above)
        pairing.predicted.__dict__["_rows"] = kept
    found: tuple[Bits, Bits] = kept[1]
    return found


def decisions_of(order: Order) -> Callable[[int, int], int]:
    """Return the function that says which of two items is preferred: 1, -1, or 0 for neither.

    Examples
    --------
    >>> from porank.core.compiled_order import compile_order
    >>> decide = decisions_of(compile_order({"a": 1, "b": 2, "c": 1}))
    >>> decide(0, 1), decide(1, 0), decide(0, 2)
    (-1, 1, 0)
    """
    if order.is_weak:
        layers = order.layers.tolist()
        return lambda i, j: (layers[i] < layers[j]) - (layers[i] > layers[j])
    below, place = order.relation.below, order.relation.place.tolist()
    return lambda i, j: (below[place[i]] >> place[j] & 1) - (below[place[j]] >> place[i] & 1)


def count_ties(pairing: NumberedAlike) -> tuple[int, int, int, int, int]:
    """Return how many pairs of each silent class are known ties.

    Returns
    -------
    target_only_tied, predicted_only_tied, both_tied, target_tied, predicted_tied : int
        As in `porank.measures.pairs.PairTable`.

    Examples
    --------
    >>> from porank.measures.pairing import pair_up
    >>> count_ties(pair_up({"a": 1, "b": 1, "c": 1}, {"a": 1, "b": 1, "c": 2}))
    (0, 2, 1, 0, 0)

    Notes
    -----
    Time O(n log n) if the prediction and the target are weak, else O(k n / 64) for k tied items.
    """
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
