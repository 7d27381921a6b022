"""The points of the abstention curve: at each threshold, how much is said and how much is right.

Each pair is decided up to one threshold, so that the counts for all thresholds are the running
totals of a histogram.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.measures.measure import ratio

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from porank.ensemble.preferences import PreferenceRelation

#: So many rows are counted at a time.
_ROWS = 256
#: Strengths below this are counted by their number, which is quicker than to look for their places.
_SMALL = 1 << 16


@dataclass(frozen=True)
class CurvePoint:
    """What the prediction at one threshold says, and how often it is right.

    Attributes
    ----------
    alpha : Fraction
        The threshold.
    is_acyclic : bool
        Whether the cut is free of cycles; if not, there is no prediction, and nothing is counted.
    pairs : int
        The pairs of the prediction.
    added : int
        How many of them only the closure holds.
    concordant, discordant : int or None
        How many of them the target decides alike, and contrarily; None without a target and
        on a cycle.
    correctness, completeness : float or None
        (C - D) / (C + D) and (C + D) / T, nan for 0/0 and on a cycle; None without a target.

    Examples
    --------
    >>> from fractions import Fraction
    >>> CurvePoint(Fraction(1, 2), True, pairs=3, added=1).correctness is None
    True
    """

    alpha: Fraction
    is_acyclic: bool
    pairs: int
    added: int
    concordant: int | None = None
    discordant: int | None = None
    correctness: float | None = None
    completeness: float | None = None


def points_of(
    P: PreferenceRelation,
    decided: NDArray[Any],
    *,
    least: int | None,
    above: NDArray[np.bool_] | None = None,
) -> tuple[CurvePoint, ...]:
    """Return a point for each strength that occurs and for the least whose cut has no cycle.

    Parameters
    ----------
    P : PreferenceRelation
        The relation.
    decided : array of int, n x n
        The strength up to which the prediction holds each pair, 0 where it never does.
    least : int or None
        The least strength whose cut has no cycle.
    above : array of bool, n x n, optional
        The pairs of the target.

    Examples
    --------
    >>> from porank.ensemble.votes import preference_relation
    >>> P = preference_relation([[2, 1], [2, 1], [1, 2]])
    >>> decided = np.where(P.strength >= 2, P.strength, 0)
    >>> [point.pairs for point in points_of(P, decided, least=2)]
    [0, 1]

    Notes
    -----
    Time O(n**2 log n), to sort the strengths; memory for each strength that occurs, whatever the
    unit is.
    """
    occurring = np.unique(P.strength)
    strengths: list[int] = occurring.tolist()
    kept, pairs = (_at_least(array, occurring) for array in (P.strength, decided))
    agreed = opposed = None
    target_pairs = 0
    if above is not None:
        agreed, opposed = (_at_least(side, occurring, above) for side in (decided, decided.T))
        target_pairs = int(np.count_nonzero(above))
    present = {*strengths, *([] if least is None else [least])} - {0}
    points = []
    for strength in sorted(present):
        alpha = P.degree_of_strength(strength)
        if least is None or strength < least:
            points.append(_cyclic_point(alpha, has_target=above is not None))
            continue
        place = bisect_left(strengths, strength)
        added = pairs[place] - kept[place]
        point = CurvePoint(alpha, True, pairs[place], added)
        if agreed is not None and opposed is not None:
            judged = _judged(agreed[place], opposed[place], target_pairs)
            point = CurvePoint(alpha, True, pairs[place], added, *judged)
        points.append(point)
    return tuple(points)


def _cyclic_point(alpha: Fraction, *, has_target: bool) -> CurvePoint:
    share = math.nan if has_target else None
    return CurvePoint(alpha, False, 0, 0, correctness=share, completeness=share)


def _judged(agreed: int, opposed: int, target_pairs: int) -> tuple[int, int, float, float]:
    """Return the counts with the two shares that are made of them."""
    both = agreed + opposed
    correctness = ratio(agreed - opposed, both, undefined=math.nan, why="")
    completeness = ratio(both, target_pairs, undefined=math.nan, why="")
    return agreed, opposed, correctness, completeness


def _at_least(
    strength: NDArray[Any], occurring: NDArray[Any], among: NDArray[np.bool_] | None = None
) -> list[int]:
    """Return for each strength that occurs how many pairs, of those asked for, have no less.

    A last 0 stands for whatever is stronger.
    """
    counts = np.zeros(len(occurring) + 1, dtype=np.int64)
    for begin in range(0, len(strength), _ROWS):
        block = strength[begin : begin + _ROWS]
        chosen = block.ravel() if among is None else block[among[begin : begin + _ROWS]]
        counts[:-1] += _count_each(chosen, occurring)
    totals: list[int] = np.cumsum(counts[::-1])[::-1].tolist()
    return totals


def _count_each(chosen: NDArray[Any], occurring: NDArray[Any]) -> NDArray[np.int64]:
    """Return how many of the strengths chosen are each of those that occur."""
    largest = int(occurring[-1])
    if largest < _SMALL:
        counts = np.bincount(chosen.astype(np.int64, copy=False), minlength=largest + 1)
        return counts[occurring.astype(np.int64)]
    return np.bincount(np.searchsorted(occurring, chosen), minlength=len(occurring))
