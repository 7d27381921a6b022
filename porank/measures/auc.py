"""AUC and its generalizations: how often a better item is predicted above a worse one.

Conventions
-----------
The target decides T pairs. The prediction decides C of them in the same way and abstains on A of
them. ``ties=`` is the credit for a pair on which the prediction abstains because it is tied or
incomparable. The default of 1/2 corresponds to tossing a coin. For a weak prediction, this is also
the mean over all ways to break the ties. For a partial prediction, it is not the mean over the
linear extensions: for the target {a, b} > c and the prediction a > c it is 3/4, but the mean over
the three linear extensions is 5/6.

Public: `auc`, `c_index`, `m_auc`, `jonckheere_terpstra`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import require_share
from porank.measures.measure import gain, share, value_of

if TYPE_CHECKING:
    from porank.typing import OrderLike


@share(
    formula=lambda C, A, T, ties=0.5: (C + ties * A, T),
    why="the target decides no pair",
    needs="two-level target",
    otherwise="c_index accepts it",
    reversal="complements",
    checks={"ties": require_share},
)
def auc(
    target: OrderLike, predicted: OrderLike, *, ties: Any = 0.5, undefined: Any = math.nan
) -> float:
    """Return the area under the ROC curve (the Mann-Whitney statistic).

    It is (C + A / 2) / T: of the T pairs of a good and a bad item, the prediction has the good one
    first in C pairs, and abstains on A pairs.

    Parameters
    ----------
    target : DiGraph, ranks, or scores (larger is better)
        A weak order with two levels: the good items above the bad ones.
    predicted : DiGraph, ranks, or scores (larger is better)
        An order on the same items.
    ties : number in [0, 1]
        Credit for a pair of the target on which the prediction abstains.
    undefined : float or "raise"
        Value to return if the target has fewer than two levels; ``"raise"`` raises
        `UndefinedError`.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.
    NotApplicableError
        If the target is not a weak order, or has more than two levels.

    See Also
    --------
    c_index, m_auc, jonckheere_terpstra, somers_d

    Examples
    --------
    >>> import porank as po
    >>> target = po.from_levels([["B", "E"], ["A", "C", "D"]])
    >>> po.auc(target, po.parse("A > B > E > C > D"))
    0.6666666666666666

    Notes
    -----
    O(n log n) for a weak prediction; otherwise O(n**2 / 64) plus its closure.

    References
    ----------
    .. [1] J. A. Hanley, B. J. McNeil, "The meaning and use of the area under a receiver operating
       characteristic (ROC) curve", Radiology 143(1), 1982, pp. 29-36.
       https://doi.org/10.1148/radiology.143.1.7063747
    """
    return value_of(auc, target, predicted, ties=ties, undefined=undefined)


@share(
    formula=lambda C, A, T, ties=0.5: (C + ties * A, T),
    why="the target decides no pair",
    reversal="complements",
    checks={"ties": require_share},
)
def c_index(
    target: OrderLike,
    predicted: OrderLike,
    *,
    ties: Any = 0.5,
    undefined: Any = math.nan,
) -> float:
    """Return the concordance index (c-index) of a prediction.

    It is (C + A / 2) / T: of the T pairs that the target decides, the prediction gets C right and
    abstains on A. For a target with two levels it is the AUC, and for survival times as intervals,
    as in `from_intervals`, it is Harrell's C. With the default credit of 1/2, `somers_d` is twice
    the c-index minus 1.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    ties : number in [0, 1]
        Credit for a pair of the target on which the prediction abstains.
    undefined : float or "raise"
        Value to return if the target decides no pair; ``"raise"`` raises `UndefinedError`.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.
    PorankError
        If `ties` is not a number in [0, 1].

    See Also
    --------
    auc, m_auc, jonckheere_terpstra, somers_d

    Examples
    --------
    >>> import porank as po
    >>> target = po.from_levels([["B", "E"], ["C"], ["A", "D"]])
    >>> po.c_index(target, po.parse("A > B > E > C > D"))
    0.625

    Notes
    -----
    O(n log n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures. An order
    that decides any pair has a c-index of exactly 1 with itself.

    References
    ----------
    .. [1] F. E. Harrell, R. M. Califf, D. B. Pryor, K. L. Lee, R. A. Rosati, "Evaluating the yield
       of medical tests", JAMA 247(18), 1982, pp. 2543-2546.
       https://doi.org/10.1001/jama.1982.03320430047030
    """
    return value_of(c_index, target, predicted, ties=ties, undefined=undefined)


def _m_auc(both: Any, *, ties: Any = 0.5) -> tuple[Any, Any]:
    """Return numerator and denominator of the multi-level AUC.

    *Idea: weight an item by 1 / (size of its level).* The pairs of any two levels then have a total
    weight of 1.
    """
    # (C + ties · A) with these weights, over L (L - 1) / 2 pairs of levels
    levels = both.truth.height
    pairs = levels * (levels - 1) / 2
    right, wrong = both.weigh(1 / both.truth.unordered)
    return np.clip(right + float(ties) * (pairs - right - wrong), 0, pairs), pairs


@share(
    kernel=_m_auc,
    why="the target has fewer than two levels",
    needs="weak target",
    otherwise="c_index accepts it",
    reversal="complements",
    checks={"ties": require_share},
)
def m_auc(
    target: OrderLike, predicted: OrderLike, *, ties: Any = 0.5, undefined: Any = math.nan
) -> float:
    """Return the multi-level AUC: the mean AUC over all pairs of the target's levels.

    The AUC of two levels of the target looks only at the items of these levels. The mean over all
    pairs of levels is the measure M of Hand and Till for a single scoring function. In `c_index` a
    pair of levels counts in proportion to the product of their sizes instead.

    Parameters
    ----------
    target : DiGraph, ranks, or scores (larger is better)
        A weak order.
    predicted : DiGraph, ranks, or scores (larger is better)
        An order on the same items.
    ties : number in [0, 1]
        Credit for a pair of the target on which the prediction abstains.
    undefined : float or "raise"
        Value to return if the target has fewer than two levels; ``"raise"`` raises
        `UndefinedError`.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.
    NotApplicableError
        If the target is not a weak order.

    See Also
    --------
    auc, c_index, jonckheere_terpstra, somers_d

    Examples
    --------
    >>> import porank as po
    >>> target = po.from_levels([["B", "E"], ["C"], ["A", "D"]])
    >>> po.m_auc(target, po.parse("A > B > E > C > D"))
    0.6666666666666666

    Notes
    -----
    O(n log n) for a weak prediction of n items; otherwise O(n**2) plus its closure.

    References
    ----------
    .. [1] D. J. Hand, R. J. Till, "A simple generalisation of the area under the ROC curve for
       multiple class classification problems", Machine Learning 45, 2001, pp. 171-186.
       https://doi.org/10.1023/A:1010920819831
    """
    return value_of(m_auc, target, predicted, ties=ties, undefined=undefined)


@gain(
    formula=lambda C, A, ties=0.5: (C + ties * A, 1),
    needs="weak target",
    otherwise="c_index accepts it",
    checks={"ties": require_share},
)
def jonckheere_terpstra(target: OrderLike, predicted: OrderLike, *, ties: Any = 0.5) -> float:
    """Return the Jonckheere-Terpstra statistic, the sum of Mann-Whitney statistics.

    It is C + A / 2: of the pairs that the target decides, the prediction gets C right and abstains
    on A. The sum is over all pairs of levels of the target. Divided by the number of pairs that the
    target decides, it is `c_index`.

    Parameters
    ----------
    target : DiGraph, ranks, or scores (larger is better)
        A weak order.
    predicted : DiGraph, ranks, or scores (larger is better)
        An order on the same items.
    ties : number in [0, 1]
        Credit for a pair of the target on which the prediction abstains.

    Returns
    -------
    float
        From 0 to the number of pairs that the target decides.

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.
    NotApplicableError
        If the target is not a weak order.

    See Also
    --------
    auc, c_index, m_auc, somers_d

    Examples
    --------
    >>> import porank as po
    >>> target = po.from_levels([["B", "E"], ["C"], ["A", "D"]])
    >>> po.jonckheere_terpstra(target, po.parse("A > B > E > C > D"))
    5.0

    Notes
    -----
    O(n log n) for a weak prediction; otherwise O(n**2 / 64) plus its closure.

    References
    ----------
    .. [1] A. R. Jonckheere, "A distribution-free k-sample test against ordered alternatives",
       Biometrika 41, 1954, pp. 133-145. https://doi.org/10.2307/2333011
    """
    return value_of(jonckheere_terpstra, target, predicted, ties=ties)
