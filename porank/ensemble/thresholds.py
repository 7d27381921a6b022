"""The least threshold at which a relation can be cut without a cycle.

Idea: *the cuts shrink as the threshold grows, so that a bisection finds the first one without a
cycle.* It runs over integers, between the largest strength that both directions of some pair have,
which must fail, and that of degree 1, which is only tried if nothing below it succeeds; a cut is
only asked for a cycle, never closed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.relation import rows_of
from porank.ensemble.cuts import require_relation
from porank.ensemble.pair_matrices import tiles
from porank.errors import CycleError, listed

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from porank.ensemble.preferences import PreferenceRelation


def minimal_threshold(P: PreferenceRelation) -> Fraction:
    """Return the least threshold at which the cut of a relation has no cycle.

    alpha* = min {alpha : R_alpha = {(a, b) : P(a, b) >= alpha} has no cycle}, over the multiples of
    1/k for an ensemble of k members, of 1/(2k) where ties count half and a member leaves a pair
    open, and over the degrees that occur, and 1, where they are given by hand [1]_.

    Parameters
    ----------
    P : PreferenceRelation
        Degrees of preference.

    Returns
    -------
    Fraction
        In (0, 1]. 1/k if all k members are the same order.

    Raises
    ------
    CycleError
        If even the pairs of degree 1 have a cycle; only degrees given by hand can.
    GraphTypeError
        If `P` is not a PreferenceRelation.

    Examples
    --------
    >>> import porank as po
    >>> votes = [po.from_ranking(ranking) for ranking in ("abc", "bca", "cab")]
    >>> po.minimal_threshold(po.preference_relation(votes))
    Fraction(1, 1)
    >>> po.minimal_threshold(po.preference_relation([po.from_ranking("ab")] * 3))
    Fraction(1, 3)

    Notes
    -----
    Time O(n**2) for each of O(log k) cuts, and O(n) unions of n bits to search each for a cycle.

    References
    ----------
    .. [1] W. Cheng, M. Rademaker, B. De Baets, E. Hüllermeier, "Predicting partial orders: ranking
       with abstention", ECML PKDD 2010, Part I, pp. 215-230.
       https://doi.org/10.1007/978-3-642-15880-3_20
    """
    require_relation(P)
    return P.degree_of_strength(minimal_strength(P))


def minimal_strength(P: PreferenceRelation) -> int:
    """Return the strength of the least threshold at which the cut of a relation has no cycle.

    Examples
    --------
    >>> from porank.ensemble.votes import preference_relation
    >>> minimal_strength(preference_relation([[2, 1], [2, 1], [1, 2]]))
    2
    """
    fails, succeeds = largest_two_way_strength(P.strength), P.unit
    while succeeds - fails > 1:
        middle = (fails + succeeds) // 2
        if has_cycle(P.strength >= middle):
            fails = middle
        else:
            succeeds = middle
    if succeeds == P.unit and has_cycle(P.strength >= succeeds):
        cycle = P.find_blocking_cycle(1) or []
        raise CycleError(
            f"expected an order, found the cycle {listed(cycle, separator=' > ')} in the pairs of "
            "degree 1; they are the graph P.cut(1), which break_cycles and condense take, and "
            "predict_order(P, impossible='empty') gives the order of no pairs",
            cycle=cycle,
        )
    return succeeds


def largest_two_way_strength(strength: NDArray[Any]) -> int:
    """Return the largest strength that both directions of some pair have.

    Examples
    --------
    >>> largest_two_way_strength(np.array([[0, 3], [2, 0]]))
    2
    """
    largest = 0
    for there, back in tiles(strength):
        largest = max(largest, int(np.minimum(there, back).max()))
    return largest


def has_cycle(matrix: NDArray[np.bool_]) -> bool:
    """Return whether the graph of a Boolean matrix has a cycle, entry [i, j] an edge from i to j.

    Idea: *walk down to items not met before, remembering the path; an edge back to the path closes
    a cycle.* Rows are integers, so that one step looks at all successors of an item together.

    Examples
    --------
    >>> has_cycle(np.array([[False, True], [False, False]]))
    False
    >>> has_cycle(np.array([[False, True], [True, False]]))
    True

    Notes
    -----
    Time O(n**2) to pack the rows and O(n) operations on n bits.
    """
    rows = rows_of(matrix)
    bits = [1 << item for item in range(len(rows))]
    fresh = (1 << len(rows)) - 1
    while fresh:
        item = fresh.bit_length() - 1
        path, on_path = [item], bits[item]
        fresh ^= on_path
        while path:
            row = rows[path[-1]]
            if row & on_path:
                return True
            unmet = row & fresh
            if unmet:
                item = unmet.bit_length() - 1
                path.append(item)
                on_path ^= bits[item]
                fresh ^= bits[item]
            else:
                on_path ^= bits[path.pop()]
    return False
