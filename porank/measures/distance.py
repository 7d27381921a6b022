"""Distances between orders: 0 on equal orders, larger the more they differ.

Conventions
-----------
C and D are the pairs that both orders decide, alike and oppositely; A and N those that only the
target or only the prediction decides; T = C + D + A. All distances of pairs but `cks_distance` see
whether a pair is decided, and not whether a pair left open is tied or incomparable. The footrule
and Spearman's distance add up how far items are moved; positions are those of
`porank.measures.positions`. Weighted forms of both are in `porank.measures.generalized`.

Public: `kendall_distance`, `partial_kendall_distance`, `hausdorff_kendall_distance`,
`symmetric_difference`, `cks_distance`; `footrule_distance`, `hausdorff_footrule_distance`,
`spearman_distance`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.measures.measure import PAIR_FORMULAS, PairFormula, ratio
from porank.measures.options import require_options
from porank.measures.pair_table import pair_up, require_weak

if TYPE_CHECKING:
    from porank.typing import Numbers, OrderLike


def kendall_distance(
    target: OrderLike, predicted: OrderLike, *, normalized: bool = False, undefined: Any = math.nan
) -> float:
    """Return Kendall's distance: the number of discordant pairs.

    It is D, or D / T if `normalized`. Between total orders it is the number of exchanges of
    neighbours that turn one into the other. Between others it is no distance in the strict sense:
    an order that decides nothing is at 0 from all.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    normalized : bool
        Divide by the number of pairs that the target decides.
    undefined : float or "raise"
        What to return for 0/0, when normalized and the target decides no pair.

    Returns
    -------
    float
        A whole number from 0 to n (n - 1) / 2, or a share in [0, 1].

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.

    See Also
    --------
    kendall_tau, gamma, somers_d, tau_x, partial_kendall_distance

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.load_example("tutorial")
    >>> po.kendall_distance(target, predicted)
    4.0
    >>> po.kendall_distance(target, predicted, normalized=True)
    0.4

    Notes
    -----
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.

    References
    ----------
    .. [1] M. G. Kendall, "A new measure of rank correlation", Biometrika 30, 1938, pp. 81-93.
       https://doi.org/10.1093/biomet/30.1-2.81
    """
    name = "kendall_distance_normalized" if normalized else "kendall_distance"
    return pair_up(target, predicted).measure(name, undefined=undefined)


def partial_kendall_distance(target: OrderLike, predicted: OrderLike, *, p: Any = 0.5) -> float:
    """Return Kendall's distance with a penalty for pairs that only one order decides.

    K^(p) = D + p (A + N). It is a metric if p >= 1/2; below, the triangle inequality holds up to
    the factor 1 / (2p) on weak orders; with p = 0 it is `kendall_distance`. Twice K^(1/2) is
    `symmetric_difference`.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    p : number in [0, 1]
        What a pair costs that one decides and the other leaves open.

    Returns
    -------
    float
        From 0 to n (n - 1) / 2.

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.
    PorankError
        If `p` does not lie in [0, 1].

    See Also
    --------
    kendall_distance, hausdorff_kendall_distance, kendall_tau

    Examples
    --------
    >>> import porank as po
    >>> first = po.from_levels([["a"], ["b", "c"], ["d"]])
    >>> po.partial_kendall_distance(first, po.from_levels([["b"], ["a", "c"], ["d"]]))
    2.0

    Notes
    -----
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.

    References
    ----------
    .. [1] R. Fagin, R. Kumar, M. Mahdian, D. Sivakumar, E. Vee, "Comparing partial rankings", SIAM
       Journal on Discrete Mathematics 20(3), 2006, pp. 628-648. https://doi.org/10.1137/05063088X
    """
    require_options("partial_kendall_distance", p=p)
    return pair_up(target, predicted).measure("partial_kendall_distance", credit=p)


def hausdorff_kendall_distance(target: OrderLike, predicted: OrderLike) -> float:
    """Return the Hausdorff distance by Kendall's distance between sets of linear extensions.

    Between the sets S and S' of rankings that refine two weak orders, it is the larger of
    max min K(s, s') over s in S and s' in S', and the same the other way round; that is
    D + max(A, N).

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two weak orders on the same items.

    Returns
    -------
    float
        A whole number from 0 to n (n - 1) / 2.

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.
    NotApplicableError
        If one of them is not weak: between partial orders the formula is wrong.

    See Also
    --------
    kendall_distance, partial_kendall_distance, kendall_tau

    Examples
    --------
    >>> import porank as po
    >>> first, second = po.from_levels([["a", "b"], ["c"]]), po.from_levels([["b", "c"], ["a"]])
    >>> po.hausdorff_kendall_distance(first, second)
    2.0

    Notes
    -----
    Time O(n log n). Already on three items the formula fails for partial orders: with b > a and
    a > c it gives 1, and the distance of the sets is 2.

    References
    ----------
    .. [1] D. E. Critchlow, "Metric Methods for Analyzing Partially Ranked Data", Springer, 1985.
       https://doi.org/10.1007/978-1-4612-1106-8
    """
    pairing = pair_up(target, predicted)
    require_weak(pairing, why="between partial orders D + max(A, N) is not this distance")
    return ratio(*hausdorff_kendall_parts(pairing))


def symmetric_difference(target: OrderLike, predicted: OrderLike) -> float:
    """Return the symmetric-difference distance: preferences that only one order has.

    It is ``|R - S| + |S - R|`` for the two relations as sets of ordered pairs: 2D + A + N.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.

    Returns
    -------
    float
        A whole number from 0 to n (n - 1).

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.

    See Also
    --------
    cks_distance, kendall_distance

    Examples
    --------
    >>> import porank as po
    >>> po.symmetric_difference(po.parse("a > b; c"), po.parse("b > a; b > c"))
    3.0

    Notes
    -----
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.

    References
    ----------
    .. [1] J. G. Kemeny, J. L. Snell, "Mathematical Models in the Social Sciences", Ginn, 1962.
    """
    return pair_up(target, predicted).measure("symmetric_difference")


def cks_distance(target: OrderLike, predicted: OrderLike) -> float:
    """Return the distance of Cook, Kress and Seiford, which tells tied from incomparable.

    Each unordered pair costs 2 if it is decided oppositely, or decided in one and incomparable in
    the other; 1 if it is decided in one and tied in the other, or tied in one and incomparable in
    the other; else 0.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.

    Returns
    -------
    float
        A whole number from 0 to n (n - 1).

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.

    See Also
    --------
    symmetric_difference, kendall_distance

    Examples
    --------
    >>> import porank as po
    >>> tied, unknown = po.parse("a ~ b"), po.parse("a; b")
    >>> po.cks_distance(po.parse("a > b"), tied), po.cks_distance(po.parse("a > b"), unknown)
    (1.0, 2.0)
    >>> po.cks_distance(tied, unknown)
    1.0

    Notes
    -----
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.

    References
    ----------
    .. [1] W. D. Cook, M. Kress, L. M. Seiford, "An axiomatic approach to distance on partial
       orderings", RAIRO Operations Research 20(2), 1986, pp. 115-122.
    """
    return _CKS_DISTANCE.value(pair_up(target, predicted).table)


def spearman_distance(target: OrderLike, predicted: OrderLike) -> float:
    """Return Spearman's distance: the sum of the squared moves of the items.

    D_S is the sum over items of (position in target - position in predicted)**2. Its square root is
    a metric on weak orders; D_S itself does not keep the triangle inequality.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.

    Returns
    -------
    float
        From 0 to n (n**2 - 1) / 3, a multiple of 1/2.

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.

    See Also
    --------
    footrule_distance, hausdorff_footrule_distance, spearman_rho

    Examples
    --------
    >>> import porank as po
    >>> po.spearman_distance(*po.load_example("tutorial"))
    14.0

    Notes
    -----
    Time O(n) on two weak orders, else O(n**2 / 64), beyond the closures. The maximum, between a
    total order and its reverse, is the sum of ((n + 1 - i) - i)**2 over i = 1..n.

    References
    ----------
    .. [1] C. Spearman, "The proof and measurement of association between two things", American
       Journal of Psychology 15(1), 1904, pp. 72-101. https://doi.org/10.2307/1412159
    """
    return ratio(*spearman_parts(pair_up(target, predicted)))


def footrule_distance(target: OrderLike, predicted: OrderLike) -> float:
    """Return Spearman's footrule: the sum of how many positions the items have moved.

    F is the sum over items of abs(position in target - position in predicted). On weak orders it is
    the profile footrule of Fagin et al.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.

    Returns
    -------
    float
        From 0 to n**2 / 2, a whole number.

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.

    See Also
    --------
    hausdorff_footrule_distance, spearman_distance, discounted_error

    Examples
    --------
    >>> import porank as po
    >>> po.footrule_distance(*po.load_example("tutorial"))
    6.0
    >>> po.footrule_distance(po.parse("a > b; a > c"), po.parse("c > a; b"))
    3.0

    Notes
    -----
    Time O(n) on two weak orders, else O(n**2 / 64), beyond the closures. At the mid positions F is
    at most 2 D + A + N, with D the pairs decided contrarily and A and N those that only one of the
    orders decides; between weak orders it is at least half of that.

    References
    ----------
    .. [1] P. Diaconis, R. L. Graham, "Spearman's footrule as a measure of disarray", Journal of the
       Royal Statistical Society B 39(2), 1977, pp. 262-268.
       https://doi.org/10.1111/j.2517-6161.1977.tb01624.x
    .. [2] R. Fagin, R. Kumar, M. Mahdian, D. Sivakumar, E. Vee, "Comparing partial rankings", SIAM
       Journal on Discrete Mathematics 20(3), 2006, pp. 628-648. https://doi.org/10.1137/05063088X
    """
    return ratio(*footrule_parts(pair_up(target, predicted)))


def hausdorff_footrule_distance(target: OrderLike, predicted: OrderLike) -> float:
    """Return the Hausdorff distance by the footrule between sets of linear extensions.

    Between the sets S and S' of rankings that refine two weak orders, it is the larger of
    max min F(s, s') over s in S and s' in S', and the same the other way round.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two weak orders on the same items.

    Returns
    -------
    float
        A whole number from 0 to n**2 / 2.

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.
    NotApplicableError
        If one of them is not weak.

    See Also
    --------
    footrule_distance, spearman_distance

    Examples
    --------
    >>> import porank as po
    >>> first, second = po.from_levels([["a", "b"], ["c"]]), po.from_levels([["b", "c"], ["a"]])
    >>> po.hausdorff_footrule_distance(first, second), po.footrule_distance(first, second)
    (4.0, 3.0)

    Notes
    -----
    Time O(n log n). The farthest ranking breaks the ties of its own order against the other order,
    and the nearest to it breaks those of the other order as it finds them; it lies between the
    footrule and twice the footrule.

    References
    ----------
    .. [1] D. E. Critchlow, "Metric Methods for Analyzing Partially Ranked Data", Springer, 1985.
       https://doi.org/10.1007/978-1-4612-1106-8
    .. [2] R. Fagin, R. Kumar, M. Mahdian, D. Sivakumar, E. Vee, "Comparing partial rankings", SIAM
       Journal on Discrete Mathematics 20(3), 2006, pp. 628-648. https://doi.org/10.1137/05063088X
    """
    pairing = pair_up(target, predicted)
    require_weak(pairing, why="no formula is known for the sets of rankings of partial orders")
    return ratio(*hausdorff_footrule_parts(pairing))


#: What a pair costs in `cks_distance`: 2 if decided once and incomparable once, 1 if tied once.
_CKS_DISTANCE = PairFormula(
    {
        "discordant": 2,
        "target_only": 2,
        "predicted_only": 2,
        "target_only_tied": -1,
        "predicted_only_tied": -1,
        "target_tied": 1,
        "predicted_tied": 1,
    }
)


def hausdorff_kendall_parts(both: Any) -> tuple[Any, int]:
    """Return D + max(A, N) of two weak orders, over 1."""
    pairs = both.counts
    return pairs.discordant + np.maximum(pairs.target_only, pairs.predicted_only), 1


def partial_kendall_parts(both: Any) -> tuple[Any, Any]:
    """Return numerator and denominator of K^(1/2)."""
    return PAIR_FORMULAS["partial_kendall_distance"].parts(both.counts)


def footrule_parts(both: Any) -> tuple[Any, int]:
    """Return numerator and denominator of the footrule."""
    return np.abs(both.moved).sum(axis=-1), 2


def spearman_parts(both: Any) -> tuple[Any, int]:
    """Return numerator and denominator of Spearman's distance."""
    return ((both.moved / 2) ** 2).sum(axis=-1), 1


def hausdorff_footrule_parts(both: Any) -> tuple[Any, int]:
    """Return numerator and denominator of the Hausdorff footrule distance of two weak orders."""
    truth, guess = both.truth.levels, both.guess.levels
    from_target = _ranked(truth, -guess) - _ranked(guess, truth)
    from_predicted = _ranked(truth, guess) - _ranked(guess, -truth)
    far = [np.abs(moved).sum(axis=-1) for moved in (from_target, from_predicted)]
    return np.maximum(*far), 1


def _ranked(levels: Numbers, within: Numbers) -> Numbers:
    """Return ranks for a Hausdorff distance: of levels, with ties broken by `within`."""
    ranks = np.empty_like(levels)
    order = np.lexsort((within, levels), axis=-1)
    np.put_along_axis(ranks, order, np.broadcast_to(np.arange(levels.shape[-1]), levels.shape), -1)
    return ranks
