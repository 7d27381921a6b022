"""Rank correlations: 1 for equal rankings, -1 for reversed ones.

Conventions
-----------
C and D are the numbers of concordant and discordant pairs, which both orders decide in the same or
in opposite ways. T and P are the numbers of pairs that the target and the prediction decide. All
pairs of n items are n (n - 1) / 2. A pair that only one order decides adds 0 to the numerator; the
measures differ in whether it counts in the denominator. `spearman_rho` correlates positions (see
`porank.measures.positions`). The C-index is in `porank.measures.auc`.

Public: `kendall_tau`, `gamma`, `somers_d`, `tau_x`, `spearman_rho`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.measures.measure import correlation, one_of, value_of, variant

if TYPE_CHECKING:
    from porank.typing import OrderLike


@variant(
    "kendall_tau_a",
    {"variant": "a"},
    formula=lambda C, D, pairs: (C - D, pairs),
    why="there is no pair of items",
    at_equal=None,
)
@correlation(
    # As floats, the product does not overflow; if T = P, its root is exact.
    formula=lambda C, D, T, P: (C - D, (1.0 * T * P) ** 0.5),
    why="one of the orders decides no pair",
    checks={"variant": one_of("b", "a")},
)
def kendall_tau(
    target: OrderLike, predicted: OrderLike, *, variant: str = "b", undefined: Any = math.nan
) -> float:
    """Return Kendall's rank correlation tau.

    With C concordant and D discordant pairs, tau-a is (C - D) / (n (n - 1) / 2) for n items, and
    tau-b is (C - D) / sqrt(T P), where the target decides T pairs and the prediction P pairs. For
    total orders both are equal. For weak orders tau-b corrects for ties. In partial orders,
    incomparable pairs are treated like ties.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    variant : {"b", "a"}
        Tau-b or tau-a.
    undefined : float or "raise"
        Value to return if there are fewer than two items or, for tau-b, if an order decides no
        pair; ``"raise"`` raises `UndefinedError`.

    Returns
    -------
    float in [-1, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.
    PorankError
        If `variant` is unknown.

    See Also
    --------
    gamma, somers_d, tau_x, kendall_distance, correctness

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.load_example("tutorial")
    >>> po.kendall_tau(target, predicted)
    0.2
    >>> round(po.kendall_tau([12, 2, 1, 12, 2], [1, 4, 7, 1, 0]), 7)
    -0.4714045

    Notes
    -----
    O(n log n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures.

    References
    ----------
    .. [1] M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33(3), 1945, pp.
       239-251. https://doi.org/10.1093/biomet/33.3.239
    """
    return value_of(kendall_tau, target, predicted, variant=variant, undefined=undefined)


@correlation(formula=lambda C, D: (C - D, C + D), why="there is no pair that both orders decide")
def gamma(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return Goodman and Kruskal's gamma.

    With C concordant and D discordant pairs, gamma is (C - D) / (C + D). Pairs that are not decided
    by both orders are ignored.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    undefined : float or "raise"
        Value to return if no pair is decided by both orders; ``"raise"`` raises `UndefinedError`.

    Returns
    -------
    float in [-1, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.

    See Also
    --------
    kendall_tau, somers_d, tau_x, kendall_distance, correctness

    Examples
    --------
    >>> import porank as po
    >>> po.gamma(*po.load_example("table1-corrected"))
    0.5
    >>> po.gamma(po.parse("E > B > C; A; D"), po.parse("A > B > E > C > D"))
    0.3333333333333333

    Notes
    -----
    O(n log n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures.

    References
    ----------
    .. [1] L. A. Goodman, W. H. Kruskal, "Measures of association for cross classifications",
       Journal of the American Statistical Association 49, 1954, pp. 732-764.
       https://doi.org/10.1080/01621459.1954.10501231
    """
    return value_of(gamma, target, predicted, undefined=undefined)


@correlation(formula=lambda C, D, T: (C - D, T), why="the target decides no pair", symmetric=False)
def somers_d(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return Somers' D of the prediction given the target.

    With C concordant and D discordant pairs, it is (C - D) / T, where the target decides T pairs.
    Unlike in `gamma`, pairs on which only the prediction abstains count in the denominator. Somers'
    D is gamma times completeness.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    undefined : float or "raise"
        Value to return if the target decides no pair; ``"raise"`` raises `UndefinedError`.

    Returns
    -------
    float in [-1, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.

    See Also
    --------
    kendall_tau, gamma, tau_x, kendall_distance, auc

    Examples
    --------
    >>> import porank as po
    >>> po.somers_d(po.parse("a > b > c"), po.parse("a > b; c"))
    0.3333333333333333

    Notes
    -----
    O(n log n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures.

    References
    ----------
    .. [1] R. H. Somers, "A new asymmetric measure of association for ordinal variables", American
       Sociological Review 27(6), 1962, pp. 799-811. https://doi.org/10.2307/2090408
    """
    return value_of(somers_d, target, predicted, undefined=undefined)


@correlation(
    formula=lambda C, D, neither, pairs: (C - D + neither, pairs),
    why="there is no pair of items",
    needs="known ties",
    otherwise="gamma accepts partial orders",
    reversal="none",
)
def tau_x(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return tau-x, the rank correlation of Emond and Mason.

    Let a_uv be 1 if the target has u above v or tied with it, and -1 otherwise, and let b_uv be the
    same for the prediction. tau_x is the mean of a_uv b_uv over all ordered pairs of different
    items. It equals 1 - 2 d / (n (n - 1)) for n items, where d is Kemeny's distance, here
    `symmetric_difference`.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two weak orders on the same items, in which all unordered pairs are known ties.
    undefined : float or "raise"
        Value to return if there are fewer than two items; ``"raise"`` raises `UndefinedError`.

    Returns
    -------
    float in [-1, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.
    NotApplicableError
        If a pair is incomparable in one of the orders.

    See Also
    --------
    kendall_tau, gamma, somers_d, kendall_distance

    Examples
    --------
    >>> import porank as po
    >>> po.measures.tau_x({"a": 2, "b": 1, "c": 1}, {"a": 2, "b": 2, "c": 1})
    0.3333333333333333

    Notes
    -----
    O(n log n) for n items.

    References
    ----------
    .. [1] E. J. Emond, D. W. Mason, "A new rank correlation coefficient with application to the
       consensus ranking problem", Journal of Multi-Criteria Decision Analysis 11(1), 2002, pp.
       17-28. https://doi.org/10.1002/mcda.313
    """
    return value_of(tau_x, target, predicted, undefined=undefined)


def _rho(both: Any) -> tuple[Any, Any]:
    """Return numerator and denominator of Spearman's rho."""
    # With x = (items above) - (items below), twice a position minus n + 1, rho is
    # sum(x x') / sqrt(sum(x²) sum(x'²)). In 64-bit integers the sums would overflow from a few
    # million items on.
    truth, guess = (side.sunk.astype(np.float64) for side in (both.truth, both.guess))
    spread = ((truth**2).sum(axis=-1) * (guess**2).sum(axis=-1)) ** 0.5
    return np.clip((truth * guess).sum(axis=-1), -spread, spread), spread


@correlation(kernel=_rho, why="in one of the orders all items have the same position")
def spearman_rho(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return Spearman's rank correlation rho.

    Rho is Pearson's correlation of the items' positions in the two orders. For total orders of n
    items it is 1 - 6 S / (n (n**2 - 1)), where S is the `spearman_distance`.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    undefined : float or "raise"
        Value to return if all items have the same position in one of the orders, or if there are
        fewer than two items; ``"raise"`` raises `UndefinedError`.

    Returns
    -------
    float in [-1, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.

    See Also
    --------
    spearman_distance

    Examples
    --------
    >>> import porank as po
    >>> po.spearman_rho(*po.load_example("tutorial"))
    0.3
    >>> po.spearman_rho([3, 2, 2, 1], [3, 2, 1, 2])
    0.5

    Notes
    -----
    O(n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures.

    References
    ----------
    .. [1] C. Spearman, "The proof and measurement of association between two things", American
       Journal of Psychology 15(1), 1904, pp. 72-101. https://doi.org/10.2307/1412159
    """
    return value_of(spearman_rho, target, predicted, undefined=undefined)
