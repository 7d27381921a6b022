"""The partial order of least loss, where leaving a pair open has a cost.

A pair left open costs c, an ordered pair (a, b) costs 1 - P(a, b); so to order it gains
P(a, b) - (1 - c). If the pairs that gain make an order, it is the optimum. If not, some of them are
left open, or pairs that lose are put in to keep others: an integer program chooses.

*Take an optimum S and the pairs of S that gain: their closure lies within S and loses nothing, so
it is an optimum, too.* Hence only pairs at the ends of a chain of gaining pairs can matter, and the
program, which begins with the pairs that gain, never writes others. Its rows are added when an
answer breaks them, as cutting planes are [1]_.

References
----------
.. [1] M. Grötschel, M. Jünger, G. Reinelt, "A cutting plane algorithm for the linear ordering
   problem", Operations Research 32(6), 1984, pp. 1195-1220. https://doi.org/10.1287/opre.32.6.1195
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.graphs import numbers_in_order
from porank.ensemble.cuts import closed_cut, deciding_strengths
from porank.ensemble.deadlines import read_seconds
from porank.ensemble.degrees import is_positive_share, simple_fraction
from porank.ensemble.gainful_pairs import GainfulPairs, search
from porank.ensemble.thresholds import minimal_strength
from porank.errors import CycleError, PorankError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.ensemble.preferences import PreferenceRelation


@dataclass(frozen=True, eq=False)
class LeastLoss:
    """An order with its loss, and how much less the least loss may be.

    Attributes
    ----------
    closed : array of bool, n x n
        Entry [i, j] says that item i is above item j.
    loss, gap : Fraction
        A gap of 0 says that this is an optimum; where gains have no common denominator below
        10**5, as far as floats can tell.

    Examples
    --------
    >>> LeastLoss(np.zeros((1, 1), dtype=bool), Fraction(0), Fraction(0)).gap
    Fraction(0, 1)
    """

    closed: NDArray[np.bool_]
    loss: Fraction
    gap: Fraction


def read_cost(cost: Any) -> Fraction:
    """Return an abstention cost as a fraction, or raise an error if it does not lie in (0, 1].

    Examples
    --------
    >>> read_cost(0.3)
    Fraction(3, 10)
    >>> read_cost(0)
    Traceback (most recent call last):
    porank.errors.PorankError: expected an abstention cost above 0 and at most 1, found 0
    """
    if not is_positive_share(cost):
        raise PorankError(f"expected an abstention cost above 0 and at most 1, found {cost!r}")
    return simple_fraction(cost)


def least_strength_above(P: PreferenceRelation, degree: Fraction) -> int:
    """Return the least strength whose degree is above a degree less than 1.

    Examples
    --------
    >>> from porank.ensemble.votes import preference_relation
    >>> least_strength_above(preference_relation([[2, 1], [2, 1], [1, 2], [1, 2]]), Fraction(1, 2))
    3
    """
    strength = P.strength_of_threshold(degree) if degree else 0
    return strength + (P.degree_of_strength(strength) == degree)


def least_loss(
    P: PreferenceRelation,
    cost: Fraction,
    *,
    seconds: float | None = None,
    progress: bool = False,
) -> LeastLoss:
    """Return a strict partial order S of least loss, or the best one found.

    The loss is the sum of `cost` over the pairs that S leaves open, and of 1 - P(a, b) over the
    pairs (a, b) of S. S is the closure of those of its pairs that gain. Of several optima the one
    is taken that the solver meets with the items sorted by `porank.core.graphs.item_key`: the same one
    every time.

    Parameters
    ----------
    P : PreferenceRelation
        The degrees.
    cost : Fraction
        In (0, 1].
    seconds : number from 0 on, optional
        Search no longer.
    progress : bool
        Show a bar.

    Examples
    --------
    >>> from porank.ensemble.votes import preference_relation
    >>> P = preference_relation([[3, 2, 1], [3, 1, 2], [3, 2, 1]])
    >>> least_loss(P, Fraction(2, 5)).loss
    Fraction(1, 3)

    Notes
    -----
    Time O(n**2) and a closure if the pairs that gain are transitive; else that of an integer
    program.
    """
    limit = read_seconds(seconds)
    least = least_strength_above(P, 1 - cost)
    gains = P.strength >= least
    closed = closed_cut(gains)
    if closed is not None and np.array_equal(closed, gains):
        return LeastLoss(gains, loss_of(P, gains, cost), Fraction(0))
    line = np.array(numbers_in_order(P.items))
    square = np.ix_(line, line)
    pairs = GainfulPairs.among(P, P.strength[square], 1 - cost)
    start = _best_cut(P, pairs, progress=progress)
    found = search(pairs, start, seconds=limit, progress=progress)
    closed = np.zeros_like(gains)
    closed[square] = found.closed
    return LeastLoss(closed, loss_of(P, closed, cost), found.gap)


def loss_of(P: PreferenceRelation, closed: NDArray[np.bool_], cost: Fraction) -> Fraction:
    """Return the loss of an order, exactly.

    Examples
    --------
    >>> from porank.ensemble.votes import preference_relation
    >>> P = preference_relation([[2, 1], [2, 1], [1, 2]])
    >>> loss_of(P, P.strength >= 2, Fraction(1, 4)), loss_of(P, P.strength >= 3, Fraction(1, 4))
    (Fraction(1, 3), Fraction(1, 4))
    """
    n = len(closed)
    strengths, times = np.unique(P.strength[closed], return_counts=True)
    counted = list(zip(strengths.tolist(), times.tolist(), strict=True))
    open_pairs = n * (n - 1) // 2 - sum(number for _, number in counted)
    loss: Fraction = cost * open_pairs
    for strength, number in counted:
        loss += number * (1 - P.degree_of_strength(strength))
    return loss


def _best_cut(P: PreferenceRelation, pairs: GainfulPairs, *, progress: bool) -> NDArray[np.bool_]:
    """Return an order to begin with: what the gaining pairs of the best closed cut imply."""
    try:
        least = minimal_strength(P)
    except CycleError:
        return np.zeros_like(pairs.gains)
    decided = deciding_strengths(pairs.strength, least, progress=progress)
    is_decided = decided > 0
    levels, place = np.unique(decided[is_decided], return_inverse=True)
    gained = np.bincount(place, weights=pairs.weight[is_decided], minlength=len(levels))
    totals = np.cumsum(gained[::-1])[::-1]
    if not totals.size or totals.max() <= 0:
        return np.zeros_like(pairs.gains)
    best = closed_cut((decided >= levels[int(np.argmax(totals))]) & pairs.gains)
    assert best is not None, "part of an order has no cycle"
    return best
