"""A cut judged by the truth, without being written as a graph."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arrays import layer_numbers
from porank.core.compiled_order import Order
from porank.ensemble.abstention import predict_order, strength_of_alpha
from porank.measures.agreement import completeness, correctness

if TYPE_CHECKING:
    from fractions import Fraction

    from porank.ensemble.preferences import PreferenceRelation


class Judgement(NamedTuple):
    """How right and how complete a prediction is.

    Attributes
    ----------
    correctness, completeness : float
        The two measures, nan where they are undefined.
    alpha : Fraction
        The threshold of the cut.

    Examples
    --------
    >>> from fractions import Fraction
    >>> Judgement(1.0, 0.5, Fraction(2, 3)).alpha
    Fraction(2, 3)
    """

    correctness: float
    completeness: float
    alpha: Fraction


def judge_cut(target: Any, P: PreferenceRelation, alpha: Any) -> Judgement:
    """Return how right and how complete the closed cut of a relation at a threshold is.

    Parameters
    ----------
    target : array
        The scores of the items of `P`, which are 0..n-1.
    P : PreferenceRelation
        The relation.
    alpha : {"minimal", "consensus", "majority"} or number
        The threshold, as for `predict_order`.

    Examples
    --------
    >>> from porank.ensemble.votes import preference_relation
    >>> P = preference_relation([[3, 2, 1], [3, 1, 2], [3, 2, 1]])
    >>> judge_cut(np.array([1, 0, 1]), P, 1)
    Judgement(correctness=1.0, completeness=0.5, alpha=Fraction(1, 1))

    Notes
    -----
    Time O(n**2) to cut and O(n m_red / 64) to close, for m_red edges of the reduction; a graph of
    the pairs would take 2 µs each.
    """
    strength = strength_of_alpha(P, alpha)
    source, below = np.nonzero(P.strength >= strength)
    n = len(P.items)
    layers = layer_numbers(n, source, below)
    if layers is None:
        # A graph is the way to the error that shows the cycle.
        predicted: Any = predict_order(P, alpha=alpha)
    else:
        predicted = Order(range(n), layers, False, np.full(n, -1), source, below)
    return Judgement(
        correctness=correctness(target, predicted, undefined=math.nan),
        completeness=completeness(target, predicted, undefined=math.nan),
        alpha=P.degree_of_strength(strength),
    )
