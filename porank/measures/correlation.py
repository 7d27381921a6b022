"""Rank correlations: +1 if both orders decide everything alike, -1 if contrarily.

Conventions
-----------
C and D are the pairs that both orders decide, alike and oppositely; T and P those that the target
and the prediction decide; n (n - 1) / 2 are all. A pair that one of the two leaves open counts
neither for nor against; the measures differ in whether it is counted at all. `spearman_rho`
correlates positions (`porank.measures.positions`). The C-index, (1 + D) / 2 for the D of Somers,
stands with the AUC in `porank.measures.auc`.

Public: `kendall_tau`, `gamma`, `somers_d`, `tau_x`, `spearman_rho`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.graphs import pairs_within
from porank.errors import NotApplicableError
from porank.measures.measure import ratio
from porank.measures.options import require_options
from porank.measures.pair_table import pair_up

if TYPE_CHECKING:
    from porank.typing import OrderLike


def kendall_tau(
    target: OrderLike, predicted: OrderLike, *, variant: str = "b", undefined: Any = math.nan
) -> float:
    """Return Kendall's rank correlation tau.

    tau-a = (C - D) / (n (n - 1) / 2) and tau-b = (C - D) / sqrt(T P). Between total orders they are
    the same; between weak orders tau-b corrects for ties; between partial orders both treat an
    incomparable pair as they treat a tie.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    variant : {"b", "a"}
        Which of the two.
    undefined : float or "raise"
        What to return for 0/0: fewer than two items, or, for tau-b, an order that decides nothing.

    Returns
    -------
    float in [-1, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.
    PorankError
        If `variant` is neither.

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
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.

    References
    ----------
    .. [1] M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33(3), 1945, pp.
       239-251. https://doi.org/10.1093/biomet/33.3.239
    """
    require_options("kendall_tau", variant=variant)
    name = "kendall_tau" if variant == "b" else "kendall_tau_a"
    return pair_up(target, predicted).measure(name, undefined=undefined)


def gamma(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return Goodman and Kruskal's gamma.

    gamma = (C - D) / (C + D): among the pairs that both orders decide, the share decided alike less
    the share decided in opposite directions.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    undefined : float or "raise"
        What to return for 0/0, when there is no pair that both decide.

    Returns
    -------
    float in [-1, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.

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
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.

    References
    ----------
    .. [1] L. A. Goodman, W. H. Kruskal, "Measures of association for cross classifications",
       Journal of the American Statistical Association 49, 1954, pp. 732-764.
       https://doi.org/10.1080/01621459.1954.10501231
    """
    return pair_up(target, predicted).measure("gamma", undefined=undefined)


def somers_d(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return Somers' D of the prediction given the target.

    D = (C - D) / T: like gamma, but a pair of the target that the prediction leaves open counts as
    half right and half wrong. It is gamma times completeness.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    undefined : float or "raise"
        What to return for 0/0, when the target decides no pair.

    Returns
    -------
    float in [-1, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.

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
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.

    References
    ----------
    .. [1] R. H. Somers, "A new asymmetric measure of association for ordinal variables", American
       Sociological Review 27(6), 1962, pp. 799-811. https://doi.org/10.2307/2090408
    """
    return pair_up(target, predicted).measure("somers_d", undefined=undefined)


def tau_x(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return tau-x, the rank correlation of Emond and Mason.

    With a_uv = 1 if u is above v or tied with it, else -1, and b_uv likewise in the prediction,
    tau_x is the mean of a_uv b_uv over all ordered pairs of items. It agrees with Kemeny's distance
    on weak orders: tau_x = 1 - 2 d / (n (n - 1)).

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items, in which every unordered pair is a known tie.
    undefined : float or "raise"
        What to return for 0/0, with fewer than two items.

    Returns
    -------
    float in [-1, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.
    NotApplicableError
        If a pair is incomparable: read as a tie it would pay a silent prediction in full.

    See Also
    --------
    kendall_tau, gamma, somers_d, kendall_distance

    Examples
    --------
    >>> import porank as po
    >>> po.tau_x({"a": 2, "b": 1, "c": 1}, {"a": 2, "b": 2, "c": 1})
    0.3333333333333333

    Notes
    -----
    Time O(n log n).

    References
    ----------
    .. [1] E. J. Emond, D. W. Mason, "A new rank correlation coefficient with application to the
       consensus ranking problem", Journal of Multi-Criteria Decision Analysis 11(1), 2002, pp.
       17-28. https://doi.org/10.1002/mcda.313
    """
    pairing = pair_up(target, predicted)
    for name, order in (("target", pairing.target), ("predicted", pairing.predicted)):
        open_pairs = pairing.counts.all_pairs - order.count_pairs() - pairs_within(order.tie)
        if open_pairs:
            raise NotApplicableError(
                "expected every unordered pair to be a known tie, "
                f"found {open_pairs} incomparable in {name}; gamma takes partial orders"
            )
    return pairing.measure("tau_x", undefined=undefined)


def spearman_rho(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return Spearman's rank correlation rho.

    rho is Pearson's correlation of the positions in the two orders. Between total orders it is
    1 - 6 D_S / (n (n**2 - 1)), with D_S as in `spearman_distance`.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    undefined : float or "raise"
        What to return for 0/0: an order that gives all items the same position, as every order of
        fewer than two items does.

    Returns
    -------
    float in [-1, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.

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
    Time O(n) on two weak orders, else O(n**2 / 64), beyond the closures.

    References
    ----------
    .. [1] C. Spearman, "The proof and measurement of association between two things", American
       Journal of Psychology 15(1), 1904, pp. 72-101. https://doi.org/10.2307/1412159
    """
    why = "one of the orders gives all items the same position"
    return ratio(*rho_parts(pair_up(target, predicted)), undefined=undefined, why=why)


def rho_parts(both: Any) -> tuple[Any, Any]:
    """Return numerator and denominator of Spearman's rho."""
    # Sums of 64 bits would overflow from some million items on.
    truth, guess = (side.sunk.astype(np.float64) for side in (both.truth, both.guess))
    spread = ((truth**2).sum(axis=-1) * (guess**2).sum(axis=-1)) ** 0.5
    return np.clip((truth * guess).sum(axis=-1), -spread, spread), spread
