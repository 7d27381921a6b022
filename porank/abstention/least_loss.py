"""The partial order of least loss, if leaving a pair open has a cost.

A pair left open costs c, and an ordered pair (a, b) costs 1 - P(a, b), so ordering it gains P(a, b)
- (1 - c). If the pairs with a positive gain form an order, it is the optimum. If not, an integer
program decides which of them are left open, and which pairs with a loss are added to keep others.

*Take an optimum S, and the pairs of S with a positive gain: their closure is part of S and loses
nothing, so it is an optimum, too.*
"""

from __future__ import annotations

import math
import time
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from porank.abstention.degrees import simple_fraction
from porank.abstention.integer_program import read_seconds, search
from porank.abstention.preference_relation import least_strength_above
from porank.abstention.thresholds import closed_cut, kept_strengths
from porank.core.graphs import numbers_in_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.abstention.preference_relation import PreferenceRelation


def least_loss(
    P: PreferenceRelation,
    cost: Fraction,
    *,
    seconds: float | None = None,
) -> tuple[NDArray[np.bool_], Fraction, Fraction]:
    """Return a strict partial order of least loss (or the best found), its loss, and the gap."""
    deadline = time.monotonic() + read_seconds(seconds)
    least = least_strength_above(P, 1 - cost)
    is_gain = P.strength >= least
    closed = closed_cut(is_gain)
    if closed is not None and np.array_equal(closed, is_gain):
        return is_gain, _loss_of(P, is_gain, cost), Fraction(0)
    line = np.array(numbers_in_order(P.items))
    square = np.ix_(line, line)
    kept = closed_cut(kept_strengths(P.strength, least) > 0)
    assert kept is not None, "the kept pairs have no cycle"
    # Ordering (a, b) instead of leaving the pair open gains P(a, b) - (1 - c).
    gains = (P.matrix() - float(1 - cost))[square]
    np.fill_diagonal(gains, 0)
    best, gap = search(
        gains,
        "partial",
        lambda shares: closed_cut((shares > 0.5) & (gains > 0)),
        kept[square],
        unit=0,
        deadline=deadline,
    )
    closed = np.zeros_like(is_gain)
    closed[square] = best
    return closed, _loss_of(P, closed, cost), simple_fraction(gap)


def _loss_of(P: PreferenceRelation, closed: NDArray[np.bool_], cost: Fraction) -> Fraction:
    """Return the exact loss of a partial order that leaves pairs open at a cost."""
    strengths, times = np.unique(P.strength[closed], return_counts=True)
    # c (n (n - 1) / 2 - m) + the sum of 1 - P(a, b) over the m pairs (a, b).
    loss = cost * (math.comb(len(closed), 2) - int(times.sum()))
    for strength, number in zip(strengths.tolist(), times.tolist(), strict=True):
        loss += number * (1 - P.degree_of_strength(strength))
    return loss
