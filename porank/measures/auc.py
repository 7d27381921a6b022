"""How well a prediction tells the better items from the worse: AUC and what generalizes it.

Conventions
-----------
C and A are the pairs of the target that the prediction decides alike and that it leaves open, T all
pairs of the target. ``ties=`` is the credit for a pair left open, tied or incomparable: by default
1/2, that of a coin thrown for each. On weak predictions that is also the mean over all ways to
break the ties; on partial ones it is not the mean over linear extensions: with the target
{a, b} > c and the prediction a > c it is 3/4, and the mean over the three extensions 5/6.

Public: `auc`, `c_index`, `m_auc`, `jonckheere_terpstra`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.errors import NotApplicableError
from porank.measures.measure import ratio
from porank.measures.options import require_options
from porank.measures.pair_table import pair_up

if TYPE_CHECKING:
    from porank.measures.pair_table import Pairing
    from porank.typing import OrderLike


def auc(
    target: OrderLike, predicted: OrderLike, *, ties: Any = 0.5, undefined: Any = math.nan
) -> float:
    """Return the area under the ROC curve (the Mann-Whitney statistic).

    For a target of two levels it is (C + A / 2) / T, T being the product of their sizes.

    Parameters
    ----------
    target : DiGraph or scores
        A weak order of two levels, the good items and the bad.
    predicted : DiGraph or scores
        An order on the same items.
    ties : number in [0, 1]
        The credit for a pair that the prediction leaves open.
    undefined : float or "raise"
        What to return for 0/0, when all items of the target are on one level.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.
    NotApplicableError
        If the target is not weak or has three levels or more.

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
    Time O(n log n) on a weak prediction, else O(n**2 / 64) beyond the closure.

    References
    ----------
    .. [1] J. A. Hanley, B. J. McNeil, "The meaning and use of the area under a receiver operating
       characteristic (ROC) curve", Radiology 143(1), 1982, pp. 29-36.
       https://doi.org/10.1148/radiology.143.1.7063747
    """
    require_options("auc", ties=ties)
    pairing = _pair_levels(target, predicted, wanted="a target of two levels")
    levels = len(pairing.target.sizes)
    if levels > 2:
        raise NotApplicableError(
            f"expected a target of two levels, found {levels} levels; c_index and m_auc take them"
        )
    return pairing.measure("auc", credit=ties, undefined=undefined)


def _pair_levels(
    target: OrderLike, predicted: OrderLike, *, wanted: str = "a target of levels, a weak order"
) -> Pairing:
    """Return the two orders for an AUC, the target weak, so that its levels say what is better."""
    pairing = pair_up(target, predicted)
    if not pairing.target.is_weak:
        raise NotApplicableError(f"expected {wanted}, found a partial order; c_index takes it")
    return pairing


def c_index(
    target: OrderLike,
    predicted: OrderLike,
    *,
    ties: Any = 0.5,
    undefined: Any = math.nan,
) -> float:
    """Return the concordance index (c-index) of a prediction.

    It is (C + A / 2) / T. On a target of two levels it is the AUC; on an order of survival, from
    `from_survival`, Harrell's C. Twice it, less one, is `somers_d`.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    ties : number in [0, 1]
        The credit for a pair that the prediction leaves open.
    undefined : float or "raise"
        What to return for 0/0, when the target decides no pair.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.
    PorankError
        If `ties` is out of its range.

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
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures. Any order compared
    with itself has exactly 1.

    References
    ----------
    .. [1] F. E. Harrell, R. M. Califf, D. B. Pryor, K. L. Lee, R. A. Rosati, "Evaluating the yield
       of medical tests", JAMA 247(18), 1982, pp. 2543-2546.
       https://doi.org/10.1001/jama.1982.03320430047030
    """
    require_options("c_index", ties=ties)
    return pair_up(target, predicted).measure("c_index", credit=ties, undefined=undefined)


def m_auc(
    target: OrderLike, predicted: OrderLike, *, ties: Any = 0.5, undefined: Any = math.nan
) -> float:
    """Return the multi-level AUC: the mean over all pairs of levels of the target.

    With AUC_ij = (C_ij + A_ij / 2) / (c_i c_j) for levels i and j of c_i and c_j items, it is the
    mean of AUC_ij over i < j: the measure M of Hand and Till for one scoring function. `c_index`
    weighs the pairs of levels by their sizes instead.

    Parameters
    ----------
    target : DiGraph or scores
        A weak order.
    predicted : DiGraph or scores
        An order on the same items.
    ties : number in [0, 1]
        The credit for a pair that the prediction leaves open.
    undefined : float or "raise"
        What to return for 0/0, when all items of the target are on one level.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.
    NotApplicableError
        If the target is not weak.

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
    Time O(n log n) on a weak prediction, else O(l n**2 / 64) for l levels.

    References
    ----------
    .. [1] D. J. Hand, R. J. Till, "A simple generalisation of the area under the ROC curve for
       multiple class classification problems", Machine Learning 45, 2001, pp. 171-186.
       https://doi.org/10.1023/A:1010920819831
    """
    require_options("m_auc", ties=ties)
    parts = m_auc_parts(_pair_levels(target, predicted), ties=ties)
    why = "all items of the target are on one level"
    return ratio(*parts, undefined=undefined, why=why)


def jonckheere_terpstra(target: OrderLike, predicted: OrderLike, *, ties: Any = 0.5) -> float:
    """Return the Jonckheere-Terpstra statistic, a count of pairs.

    It is C + A / 2, the sum of the Mann-Whitney statistics U_ij of all pairs of levels of the
    target: T times `c_index`.

    Parameters
    ----------
    target : DiGraph or scores
        A weak order.
    predicted : DiGraph or scores
        An order on the same items.
    ties : number in [0, 1]
        The credit for a pair that the prediction leaves open.

    Returns
    -------
    float
        From 0 to the number of pairs that the target decides.

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.
    NotApplicableError
        If the target is not weak.

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
    Time O(n log n) on a weak prediction, else O(n**2 / 64) beyond the closure.

    References
    ----------
    .. [1] A. R. Jonckheere, "A distribution-free k-sample test against ordered alternatives",
       Biometrika 41, 1954, pp. 133-145. https://doi.org/10.2307/2333011
    """
    require_options("jonckheere_terpstra", ties=ties)
    return _pair_levels(target, predicted).measure("jonckheere_terpstra", credit=ties)


def m_auc_parts(both: Any, *, ties: Any = 0.5) -> tuple[Any, Any]:
    """Return numerator and denominator of the multi-level AUC.

    *Idea: a pair of items weighs one over the sizes of their levels*, so that the pairs of two
    levels weigh 1.
    """
    levels = both.truth.height
    pairs = levels * (levels - 1) / 2
    right, wrong = both.weigh(1 / both.truth.beside)
    return np.clip(right + float(ties) * (pairs - right - wrong), 0, pairs), pairs
