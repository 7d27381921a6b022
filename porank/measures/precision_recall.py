"""Shares of pairs: correctness, completeness, ppref, rpref, Jaccard index, precision, recall, F1.

Conventions
-----------
C is the number of concordant pairs, which both orders decide in the same way, and D the number of
discordant pairs, which they decide in opposite ways. The target decides T pairs and the prediction
P pairs; A pairs are decided only by the target and N only by the prediction. `jaccard`,
`precision`, `recall` and `f1` compare the closures of the orders as sets of ordered pairs. They
evaluate preferences; `precision_at_k` and `recall_at_k` of the items of a list are in
`porank.measures.retrieval`, the C-index in `porank.measures.auc`.

Public: `correctness`, `completeness`, `ppref`, `rpref`, `jaccard`, `precision`, `recall`, `f1`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from porank.measures.measure import correlation, share, value_of

if TYPE_CHECKING:
    from porank.typing import OrderLike


@correlation(formula=lambda C, D: (C - D, C + D), why="there is no pair that both orders decide")
def correctness(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return the correctness of a prediction, which is the same as `gamma`.

    It is (C - D) / (C + D) with C concordant and D discordant pairs. Pairs that only one order
    decides do not count. `completeness` is the share of the target's pairs that the prediction
    decides.

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
    gamma, kendall_tau, completeness, abstention_curve

    Examples
    --------
    >>> import porank as po
    >>> po.correctness(*po.load_example("table1-corrected"))
    0.5

    Notes
    -----
    O(n log n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures.

    References
    ----------
    .. [1] W. Cheng, M. Rademaker, B. De Baets, E. Hüllermeier, "Predicting Partial Orders: Ranking
       with Abstention", ECML PKDD 2010, pp. 215-230.
       https://doi.org/10.1007/978-3-642-15880-3_20
    """
    return value_of(correctness, target, predicted, undefined=undefined)


@share(formula=lambda C, D, T: (C + D, T), why="the target decides no pair", reversal="same")
def completeness(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return the completeness of a prediction: the share of the target's pairs that it decides.

    It is (C + D) / T: of the T pairs that the target decides, the prediction decides C in the same
    way and D in the opposite way.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    undefined : float or "raise"
        Value to return if the target decides no pair; ``"raise"`` raises `UndefinedError`.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.

    See Also
    --------
    correctness, gamma, abstention_curve

    Examples
    --------
    >>> import porank as po
    >>> po.completeness(*po.load_example("table1-corrected"))
    0.6666666666666666

    Notes
    -----
    O(n log n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures.

    References
    ----------
    .. [1] W. Cheng, M. Rademaker, B. De Baets, E. Hüllermeier, "Predicting Partial Orders: Ranking
       with Abstention", ECML PKDD 2010, pp. 215-230.
       https://doi.org/10.1007/978-3-642-15880-3_20
    """
    return value_of(completeness, target, predicted, undefined=undefined)


@share(
    formula=lambda C, D: (C, C + D),
    why="there is no pair that both orders decide",
    symmetric=True,
    reversal="complements",
)
def ppref(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return ppref, the precision of preferences on the pairs that both orders decide.

    It is C / (C + D) with C concordant and D discordant pairs. Gamma is 2 ppref - 1.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    undefined : float or "raise"
        Value to return if no pair is decided by both orders; ``"raise"`` raises `UndefinedError`.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.

    See Also
    --------
    rpref, precision

    Examples
    --------
    >>> import porank as po
    >>> po.measures.ppref(*po.load_example("table1-corrected"))
    0.75

    Notes
    -----
    O(n log n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures.

    References
    ----------
    .. [1] B. Carterette, P. N. Bennett, D. M. Chickering, S. T. Dumais, "Here or There: Preference
       Judgments for Relevance", ECIR 2008, pp. 16-27. https://doi.org/10.1007/978-3-540-78646-7_5
    """
    return value_of(ppref, target, predicted, undefined=undefined)


@share(formula=lambda C, T: (C, T), why="the target decides no pair")
def rpref(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return rpref, the recall of preferences.

    It is C / T, the share of the T pairs decided by the target that the prediction gets right. It
    is equal to `recall`.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    undefined : float or "raise"
        Value to return if the target decides no pair; ``"raise"`` raises `UndefinedError`.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.

    See Also
    --------
    ppref, precision

    Examples
    --------
    >>> import porank as po
    >>> po.measures.rpref(*po.load_example("table1-corrected"))
    0.5

    Notes
    -----
    O(n log n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures.

    References
    ----------
    .. [1] B. Carterette, P. N. Bennett, D. M. Chickering, S. T. Dumais, "Here or There: Preference
       Judgments for Relevance", ECIR 2008, pp. 16-27. https://doi.org/10.1007/978-3-540-78646-7_5
    """
    return value_of(rpref, target, predicted, undefined=undefined)


@share(
    formula=lambda C, D, A, N: (C, C + 2 * D + A + N),
    why="neither order decides a pair",
    symmetric=True,
)
def jaccard(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return the Jaccard index of two sets of preferences.

    It is the number of preferences that both orders contain, divided by the number that at least
    one of them contains: C / (C + 2D + A + N), where C pairs are concordant, D are discordant, and
    A and N are decided by only the target and only the prediction.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    undefined : float or "raise"
        Value to return if neither order decides a pair; ``"raise"`` raises `UndefinedError`.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.

    See Also
    --------
    precision, recall, f1

    Examples
    --------
    >>> import porank as po
    >>> po.jaccard(*po.load_example("table1-corrected"))
    0.3

    Notes
    -----
    O(n log n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures.

    References
    ----------
    .. [1] P. Jaccard, "The distribution of the flora in the alpine zone", New Phytologist 11(2),
       1912, pp. 37-50. https://doi.org/10.1111/j.1469-8137.1912.tb05611.x
    """
    return value_of(jaccard, target, predicted, undefined=undefined)


@share(formula=lambda C, P: (C, P), why="the prediction decides no pair")
def precision(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return the precision: the share of the predicted preferences that are right.

    It is C / P: C of the P pairs decided by the prediction are decided in the same way by the
    target. A predicted pair that the target does not decide counts as wrong, unlike in `ppref`.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    undefined : float or "raise"
        Value to return if the prediction decides no pair; ``"raise"`` raises `UndefinedError`.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.

    See Also
    --------
    ppref, rpref, jaccard, recall, f1

    Examples
    --------
    >>> import porank as po
    >>> po.precision(*po.load_example("table1-corrected"))
    0.42857142857142855

    Notes
    -----
    O(n log n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures.

    References
    ----------
    .. [1] C. J. van Rijsbergen, "Information Retrieval", 2nd edition, Butterworths, 1979, ch. 7.
    """
    return value_of(precision, target, predicted, undefined=undefined)


@share(formula=lambda C, T: (C, T), why="the target decides no pair")
def recall(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return the recall: the share of the target's preferences that are predicted.

    It is C / T: C of the T pairs decided by the target are decided in the same way by the
    prediction.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    undefined : float or "raise"
        Value to return if the target decides no pair; ``"raise"`` raises `UndefinedError`.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.

    See Also
    --------
    jaccard, precision, f1

    Examples
    --------
    >>> import porank as po
    >>> po.recall(*po.load_example("table1-corrected"))
    0.5

    Notes
    -----
    O(n log n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures.

    References
    ----------
    .. [1] C. J. van Rijsbergen, "Information Retrieval", 2nd edition, Butterworths, 1979, ch. 7.
    """
    return value_of(recall, target, predicted, undefined=undefined)


@share(formula=lambda C, T, P: (2 * C, T + P), why="neither order decides a pair", symmetric=True)
def f1(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return F1, the harmonic mean of precision and recall.

    It is 2C / (T + P), where the target decides T pairs, the prediction P, and both decide C pairs
    in the same way.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    undefined : float or "raise"
        Value to return if neither order decides a pair; ``"raise"`` raises `UndefinedError`.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.

    See Also
    --------
    jaccard, precision, recall

    Examples
    --------
    >>> import porank as po
    >>> po.f1(*po.load_example("table1-corrected"))
    0.46153846153846156

    Notes
    -----
    O(n log n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures.

    References
    ----------
    .. [1] C. J. van Rijsbergen, "Information Retrieval", 2nd edition, Butterworths, 1979, ch. 7.
    """
    return value_of(f1, target, predicted, undefined=undefined)
