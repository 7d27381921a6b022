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
from fractions import Fraction
from functools import partial
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arrays import grouped
from porank.errors import NotApplicableError
from porank.measures.inversions import weigh_before_in_both
from porank.measures.measure import as_fraction, exact_sum, ratio, value_for_undefined
from porank.measures.options import require_options
from porank.measures.pair_table import pair_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from porank.measures.pair_table import Pairing
    from porank.typing import Numbers, OrderLike


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
    pairing = _pair_levels(target, predicted)
    levels = len(pairing.target.sizes)
    if levels < 2:
        return value_for_undefined(undefined, why="all items of the target are on one level")
    if len(set(pairing.target.sizes.tolist())) == 1:
        # Levels of one size all weigh the same, as in the C-index.
        return pairing.measure("c_index", credit=ties)
    total = _sum_of_aucs(pairing, as_fraction(ties))
    return ratio(2 * total, levels * (levels - 1), undefined=undefined, why="")


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


#: The levels of a target are gone through one by one only up to so many.
_FEW_LEVELS = 32
#: In so many pieces a share of a level is weighed, each small enough for exact sums of floats.
_PIECES = 4


def _sum_of_aucs(pairing: Pairing, credit: Fraction) -> Fraction:
    """Return the sum over all pairs of levels of the AUC between the two."""
    sizes, pairs = pairing.target.sizes, pairing.counts
    if sizes.size <= _FEW_LEVELS or not pairing.predicted.is_weak:
        return _count_level_by_level(pairing, credit)
    layers = pairing.target.layers, pairing.predicted_layers
    right = _weigh_pairs(pairing, partial(weigh_before_in_both, *layers))
    if not pairs.target_only:
        return right
    return right + credit * _weigh_pairs(pairing, partial(_weigh_tied, *layers)) / 2


def _weigh_tied(
    levels: Numbers, layers: Numbers, weightings: Iterable[NDArray[np.float64]]
) -> Iterator[Numbers]:
    """Yield for each item, for AUCs, the weight of those of its layer that have another level."""
    order, starts = grouped(layers, levels)
    sizes = np.diff(starts, append=order.size)
    alike = np.empty_like(order)
    alike[order] = np.repeat(sizes, sizes)
    for weights in weightings:
        # Sums of whole numbers below 2**53 are exact as floats.
        tied = np.bincount(layers, weights=weights)[layers] - alike * weights
        yield tied.astype(np.int64)


def _weigh_pairs(
    pairing: Pairing, weigh: Callable[[Iterable[NDArray[np.float64]]], Iterator[Numbers]]
) -> Fraction:
    """Return, for a sum of AUCs, the sum of 1 / (c_u c_v) over the pairs that a function weighs.

    *Idea: 1 / c as a binary fraction of more than 120 places, cut into pieces of which floats hold
    the sums.* What is left out is too little to be seen in the one rounding that follows.
    """
    levels, sizes = pairing.target.layers, pairing.target.sizes
    distinct, kind = np.unique(sizes, return_inverse=True)
    kinds = kind[levels]
    width = 52 - pairing.n.bit_length()
    one = 1 << _PIECES * width - 1
    shares = [one // size for size in distinct.tolist()]
    pieces = (
        np.array([(share >> place) % (1 << width) for share in shares], dtype=np.float64)[kinds]
        for place in range(0, _PIECES * width, width)
    )
    found = [0] * distinct.size
    for place, others in enumerate(weigh(pieces)):
        for half, shift in ((others >> 26, 26), (others % (1 << 26), 0)):
            sums = [int(more) << place * width + shift for more in np.bincount(kinds, weights=half)]
            found = list(map(add, found, sums))
    return exact_sum(map(Fraction, found, distinct.tolist())) / one


def _count_level_by_level(pairing: Pairing, credit: Fraction) -> Fraction:
    """Return the sum of the AUCs of all pairs of levels, each AUC counted by itself."""
    sizes = pairing.target.sizes.tolist()
    common = math.lcm(*sizes)
    weights = np.array([common // size for size in sizes], dtype=object)
    total = 0
    for level, size in enumerate(sizes):
        right, wrong = _decided_between(pairing, level)
        left_open = size * pairing.target.sizes - right - wrong
        # A credit such as 0.1 has a denominator of 2**55: only Python's integers have room for it.
        points = credit.denominator * right.astype(object) + credit.numerator * left_open
        total += weights[level] * int(np.dot(weights[level + 1 :], points[level + 1 :]))
    return Fraction(total, credit.denominator * common**2)


def _decided_between(pairing: Pairing, level: int) -> tuple[Numbers, Numbers]:
    """Return, for AUCs, how many pairs of a level and each other are decided for and against."""
    levels = pairing.target.layers
    chosen = levels == level
    if pairing.predicted.is_weak:
        layers = pairing.predicted_layers
        until = np.cumsum(np.bincount(layers[chosen], minlength=layers.max() + 1))
        above = np.append(0, until)[layers]
        below = until[-1] - until[layers]
        # Sums of whole numbers below 2**53 are exact as floats.
        right, wrong = (np.bincount(levels, weights=count) for count in (above, below))
        return right.astype(np.int64), wrong.astype(np.int64)
    relation = pairing.predicted.relation
    place = pairing.as_in_target(relation.place)
    upper = place[chosen].tolist()
    masks = [
        sum(1 << p for p in place[levels == other].tolist()) for other in range(levels.max() + 1)
    ]
    counts = [
        [sum((rows[p] & mask).bit_count() for p in upper) for mask in masks]
        for rows in (relation.below, relation.above)
    ]
    return np.array(counts[0], dtype=np.int64), np.array(counts[1], dtype=np.int64)
