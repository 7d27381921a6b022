"""Distances between orders: 0 for equal orders, and larger for orders that differ more.

Conventions
-----------
C and D are the numbers of concordant and discordant pairs, which both orders decide in the same or
in opposite ways. A and N are the numbers of pairs that only the target or only the prediction
decides, and T = C + D + A. Of the distances that count pairs, only `cks_distance` distinguishes
ties from incomparable pairs. The footrule and Spearman's distance sum how far the items move
between their positions (see `porank.measures.positions`). `porank.measures.generalized` has
weighted versions.

Public: `kendall_distance`, `partial_kendall_distance`, `hausdorff_kendall_distance`,
`symmetric_difference`, `cks_distance`; `footrule_distance`, `hausdorff_footrule_distance`,
`spearman_distance`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import require_share
from porank.measures.measure import distance, value_of, variant
from porank.measures.pair_table import pair_up

if TYPE_CHECKING:
    from porank.typing import Numbers, OrderLike


@variant(
    "kendall_distance_normalized",
    {"normalized": True},
    formula=lambda D, T: (D, T),
    why="the target decides no pair",
    highest=1.0,
    symmetric=False,
)
@distance(formula=lambda D: (D, 1), metric="no")
def kendall_distance(
    target: OrderLike, predicted: OrderLike, *, normalized: bool = False, undefined: Any = math.nan
) -> float:
    """Return Kendall's distance: the number of discordant pairs.

    It is the number D of pairs that the two orders decide in opposite ways. For total orders, this
    is the minimum number of swaps of neighbours that turn one order into the other. For other
    orders it is not a metric: an order without any preference has distance 0 from all orders.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    normalized : bool
        Whether to divide by the number of pairs that the target decides.
    undefined : float or "raise"
        Value to return if `normalized` and the target decides no pair; ``"raise"`` raises
        `UndefinedError`.

    Returns
    -------
    float
        A whole number from 0 to n (n - 1) / 2 for n items, or a share in [0, 1] if `normalized`.

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.

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
    O(n log n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures.

    References
    ----------
    .. [1] M. G. Kendall, "A new measure of rank correlation", Biometrika 30, 1938, pp. 81-93.
       https://doi.org/10.1093/biomet/30.1-2.81
    """
    return value_of(
        kendall_distance, target, predicted, normalized=bool(normalized), undefined=undefined
    )


@distance(formula=lambda D, A, N, p=0.5: (D + p * (A + N), 1), checks={"p": require_share})
def partial_kendall_distance(target: OrderLike, predicted: OrderLike, *, p: Any = 0.5) -> float:
    """Return Kendall's distance with a penalty for pairs that only one order decides.

    It is K^(p) = D + p (A + N): D pairs are discordant, A pairs are decided only by the target, and
    N only by the prediction. It is a metric if p >= 1/2. If 0 < p < 1/2, it satisfies the triangle
    inequality on weak orders up to a factor of 1 / (2p). With p = 0 it is `kendall_distance`, and
    with p = 1/2 it is half the `symmetric_difference`.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    p : number in [0, 1]
        Cost of a pair that only one of the orders decides.

    Returns
    -------
    float
        From 0 to n (n - 1) / 2.

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.
    PorankError
        If `p` is not a number in [0, 1].

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
    O(n log n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures.

    References
    ----------
    .. [1] R. Fagin, R. Kumar, M. Mahdian, D. Sivakumar, E. Vee, "Comparing partial rankings", SIAM
       Journal on Discrete Mathematics 20(3), 2006, pp. 628-648. https://doi.org/10.1137/05063088X
    """
    return value_of(partial_kendall_distance, target, predicted, p=p)


def _hausdorff_kendall(both: Any) -> tuple[Any, int]:
    """Return D + max(A, N), and 1 as the denominator."""
    counts = both.counts
    return counts.discordant + np.maximum(counts.target_only, counts.predicted_only), 1


@distance(
    kernel=_hausdorff_kendall,
    needs="weak",
    otherwise="the formula D + max(A, N) is wrong for partial orders",
)
def hausdorff_kendall_distance(target: OrderLike, predicted: OrderLike) -> float:
    """Return the Hausdorff distance of the sets of linear extensions under Kendall's distance.

    For each linear extension of one order, take the distance to the nearest linear extension of the
    other. The Hausdorff distance is the maximum of these in both directions. For weak orders it is
    D + max(A, N), with D discordant pairs, A pairs that only the target decides, and N pairs that
    only the prediction decides.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two weak orders on the same items.

    Returns
    -------
    float
        A whole number from 0 to n (n - 1) / 2.

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.
    NotApplicableError
        If one of the orders is not a weak order, because the formula would be wrong.

    See Also
    --------
    kendall_distance, partial_kendall_distance, kendall_tau

    Examples
    --------
    >>> import porank as po
    >>> first, second = po.from_levels([["a", "b"], ["c"]]), po.from_levels([["b", "c"], ["a"]])
    >>> po.measures.hausdorff_kendall_distance(first, second)
    2.0

    Notes
    -----
    O(n log n) for n items. The formula fails for partial orders of three items: for the orders
    b > a and a > c it gives 1, but the distance of the two sets is 2.

    References
    ----------
    .. [1] D. E. Critchlow, "Metric Methods for Analyzing Partially Ranked Data", Springer, 1985.
       https://doi.org/10.1007/978-1-4612-1106-8
    """
    return value_of(hausdorff_kendall_distance, target, predicted)


@distance(formula=lambda D, A, N: (2 * D + A + N, 1))
def symmetric_difference(target: OrderLike, predicted: OrderLike) -> float:
    """Return the symmetric-difference distance: the number of preferences in only one order.

    It is 2D + A + N: each of the D discordant pairs adds a preference of either order, A pairs are
    decided only by the target, and N only by the prediction.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.

    Returns
    -------
    float
        A whole number from 0 to n (n - 1).

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.

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
    O(n log n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures.

    References
    ----------
    .. [1] J. G. Kemeny, J. L. Snell, "Mathematical Models in the Social Sciences", Ginn, 1962.
    """
    return value_of(symmetric_difference, target, predicted)


@distance()
def cks_distance(target: OrderLike, predicted: OrderLike) -> float:
    """Return the Cook-Kress-Seiford distance, which distinguishes ties from incomparable pairs.

    It is a sum over pairs of items. A pair costs 2 if the orders decide it in opposite ways, or if
    it is decided in one and incomparable in the other. It costs 1 if it is tied in one order and
    either decided or incomparable in the other. All other pairs cost 0.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.

    Returns
    -------
    float
        A whole number from 0 to n (n - 1).

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.

    See Also
    --------
    symmetric_difference, kendall_distance

    Examples
    --------
    >>> import porank as po
    >>> decided, tied, unknown = po.parse("a > b"), po.parse("a ~ b"), po.parse("a; b")
    >>> po.measures.cks_distance(decided, tied), po.measures.cks_distance(decided, unknown)
    (1.0, 2.0)
    >>> po.measures.cks_distance(tied, unknown)
    1.0

    Notes
    -----
    O(n log n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures.

    References
    ----------
    .. [1] W. D. Cook, M. Kress, L. M. Seiford, "An axiomatic approach to distance on partial
       orderings", RAIRO Operations Research 20(2), 1986, pp. 115-122.
    """
    n = pair_up(target, predicted).table
    # 2 for a pair that they decide differently or that only one decides, 1 if it is tied in the
    # other; 1 for a pair that is tied in one order and incomparable in the other.
    decided_once = 2 * (n.target_only + n.predicted_only) - n.target_only_tied
    decided_once -= n.predicted_only_tied
    return float(2 * n.discordant + decided_once + n.target_tied + n.predicted_tied)


@distance(
    # (position in predicted - position in target)², summed; `moved` is twice the difference.
    kernel=lambda both: (both.moved**2, 4),
    by_item=True,
    metric="no",
)
def spearman_distance(target: OrderLike, predicted: OrderLike) -> float:
    """Return Spearman's distance: the sum of squared differences between positions.

    It is the sum over items of (position in target - position in predicted)**2. Its square root is
    a metric on weak orders, but the distance itself violates the triangle inequality.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.

    Returns
    -------
    float
        A multiple of 1/2 from 0 to n (n**2 - 1) / 3 for n items.

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.

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
    O(n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures. A total order and
    its reverse have the maximum distance.

    References
    ----------
    .. [1] C. Spearman, "The proof and measurement of association between two things", American
       Journal of Psychology 15(1), 1904, pp. 72-101. https://doi.org/10.2307/1412159
    """
    return value_of(spearman_distance, target, predicted)


def footrule(both: Any) -> tuple[Any, int]:
    """Return the terms of the footrule's numerator, and its denominator."""
    # abs(position in predicted - position in target), summed; `moved` is twice the difference.
    return np.abs(both.moved), 2


@distance(kernel=footrule, by_item=True, metric="pseudometric")
def footrule_distance(target: OrderLike, predicted: OrderLike) -> float:
    """Return Spearman's footrule: the sum of absolute differences between positions.

    It is the sum over items of abs(position in target - position in predicted). For weak orders it
    is the profile footrule of Fagin et al.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.

    Returns
    -------
    float
        A whole number from 0 to n**2 / 2 for n items.

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.

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
    O(n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures. The footrule is
    at most the `symmetric_difference`, and for weak orders at least half of it.

    References
    ----------
    .. [1] P. Diaconis, R. L. Graham, "Spearman's footrule as a measure of disarray", Journal of the
       Royal Statistical Society B 39(2), 1977, pp. 262-268.
       https://doi.org/10.1111/j.2517-6161.1977.tb01624.x
    .. [2] R. Fagin, R. Kumar, M. Mahdian, D. Sivakumar, E. Vee, "Comparing partial rankings", SIAM
       Journal on Discrete Mathematics 20(3), 2006, pp. 628-648. https://doi.org/10.1137/05063088X
    """
    return value_of(footrule_distance, target, predicted)


def _hausdorff_footrule(both: Any) -> tuple[Any, int]:
    """Return the larger of two footrules of total orders, and 1 as the denominator."""
    # With s for the target, t for the prediction, s * t for s with its ties broken by t, and ' for
    # the reverse, it is max(F(s * t', t * s), F(s * t, t * s')).
    truth, guess = both.truth.levels, both.guess.levels
    from_target = _ranked(truth, -guess) - _ranked(guess, truth)
    from_predicted = _ranked(truth, guess) - _ranked(guess, -truth)
    far = [np.abs(moved).sum(axis=-1) for moved in (from_target, from_predicted)]
    return np.maximum(*far), 1


def _ranked(levels: Numbers, within: Numbers) -> Numbers:
    """Return ranks by level, with ties broken by `within`, for a Hausdorff distance."""
    ranks = np.empty_like(levels)
    order = np.lexsort((within, levels), axis=-1)
    np.put_along_axis(ranks, order, np.broadcast_to(np.arange(levels.shape[-1]), levels.shape), -1)
    return ranks


@distance(
    kernel=_hausdorff_footrule, needs="weak", otherwise="no formula is known for partial orders"
)
def hausdorff_footrule_distance(target: OrderLike, predicted: OrderLike) -> float:
    """Return the Hausdorff distance of the sets of linear extensions under the footrule.

    For each linear extension of one order, take the distance to the nearest linear extension of the
    other. The Hausdorff distance is the maximum of these in both directions.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two weak orders on the same items.

    Returns
    -------
    float
        A whole number from 0 to n**2 / 2 for n items.

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.
    NotApplicableError
        If one of the orders is not a weak order.

    See Also
    --------
    footrule_distance, spearman_distance

    Examples
    --------
    >>> import porank as po
    >>> first, second = po.from_levels([["a", "b"], ["c"]]), po.from_levels([["b", "c"], ["a"]])
    >>> po.measures.hausdorff_footrule_distance(first, second), po.footrule_distance(first, second)
    (4.0, 3.0)

    Notes
    -----
    O(n log n) for n items. The farthest linear extension breaks the ties of its order by the
    reverse of the other order. The nearest linear extension of the other order breaks its ties like
    the farthest one. The distance is at least the footrule and at most twice the footrule.

    References
    ----------
    .. [1] D. E. Critchlow, "Metric Methods for Analyzing Partially Ranked Data", Springer, 1985.
       https://doi.org/10.1007/978-1-4612-1106-8
    .. [2] R. Fagin, R. Kumar, M. Mahdian, D. Sivakumar, E. Vee, "Comparing partial rankings", SIAM
       Journal on Discrete Mathematics 20(3), 2006, pp. 628-648. https://doi.org/10.1137/05063088X
    """
    return value_of(hausdorff_footrule_distance, target, predicted)
