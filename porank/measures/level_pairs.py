"""Counting between every two levels of a target: what a prediction decides, and which way."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from porank.measures.pairing import Pairing
    from porank.typing import Numbers


def sum_of_aucs(pairing: Pairing, credit: Fraction) -> Fraction:
    """Return the sum over all pairs of levels of the AUC between the two.

    All is counted in whole numbers, over the least common multiple of the sizes, until the end.

    Parameters
    ----------
    pairing : Pairing
        The target weak.
    credit : Fraction
        What a pair counts that the prediction leaves open.

    Examples
    --------
    >>> from porank.measures.pairing import pair_up
    >>> sum_of_aucs(pair_up([3, 2, 2, 1], [4, 2, 3, 3]), Fraction(1, 2))
    Fraction(9, 4)

    Notes
    -----
    Time O(n log n + l n) for l levels on a weak prediction, else O(l n**2 / 64).
    """
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
    """Return how many pairs of this level and each other the prediction decides for and against.

    Examples
    --------
    >>> from porank.measures.pairing import pair_up
    >>> right, wrong = decided_between(pair_up([3, 2, 2, 1], [4, 2, 3, 5]), 0)
    >>> right.tolist(), wrong.tolist()
    ([0, 2, 0], [0, 0, 1])
    """
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
