"""Agreement as shares of pairs: correctness, completeness, precision, recall, ppref, rpref.

Conventions
-----------
C and D are the pairs that both orders decide, alike and oppositely; T and P those that the target
and the prediction decide. `jaccard`, `precision`, `recall` and `f1` take the two orders as two sets
of ordered pairs, all that is said (the closure); they are precision and recall of preferences, not
of the items of a list, for which see `porank.measures.retrieval`. The C-index stands with the AUC,
in `porank.measures.auc`.

Public: `correctness`, `completeness`, `ppref`, `rpref`, `jaccard`, `precision`, `recall`, `f1`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from porank.measures.pair_table import pair_up

if TYPE_CHECKING:
    from porank.typing import OrderLike


def correctness(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return the correctness of a prediction: gamma on the pairs that it decides.

    It is gamma, (C - D) / (C + D), under the name that it has beside `completeness`.

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
    gamma, kendall_tau, completeness, abstention_curve

    Examples
    --------
    >>> import porank as po
    >>> po.correctness(*po.load_example("table1-corrected"))
    0.5

    Notes
    -----
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.

    References
    ----------
    .. [1] W. Cheng, M. Rademaker, B. De Baets, E. Hüllermeier, "Predicting Partial Orders: Ranking
       with Abstention", ECML PKDD 2010, pp. 215-230.
       https://doi.org/10.1007/978-3-642-15880-3_20
    """
    return pair_up(target, predicted).measure("correctness", undefined=undefined)


def completeness(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return the completeness of a prediction: the share of the target's pairs that it decides.

    It is (C + D) / T: the share of the pairs of the target that the prediction decides at all.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    undefined : float or "raise"
        What to return for 0/0, when the target decides no pair.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.

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
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.

    References
    ----------
    .. [1] W. Cheng, M. Rademaker, B. De Baets, E. Hüllermeier, "Predicting Partial Orders: Ranking
       with Abstention", ECML PKDD 2010, pp. 215-230.
       https://doi.org/10.1007/978-3-642-15880-3_20
    """
    return pair_up(target, predicted).measure("completeness", undefined=undefined)


def ppref(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return ppref, the precision of preferences over the pairs that both orders decide.

    It is C / (C + D): of the pairs that both decide, the share decided alike. Gamma is twice it,
    less one.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    undefined : float or "raise"
        What to return for 0/0, when there is no pair that both decide.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.

    See Also
    --------
    rpref, precision

    Examples
    --------
    >>> import porank as po
    >>> po.ppref(*po.load_example("table1-corrected"))
    0.75

    Notes
    -----
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.

    References
    ----------
    .. [1] B. Carterette, P. N. Bennett, D. M. Chickering, S. T. Dumais, "Here or There: Preference
       Judgments for Relevance", ECIR 2008, pp. 16-27. https://doi.org/10.1007/978-3-540-78646-7_5
    """
    return pair_up(target, predicted).measure("ppref", undefined=undefined)


def rpref(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return rpref, the recall of preferences.

    It is C / T: of the pairs that the target decides, the share that the prediction decides alike.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    undefined : float or "raise"
        What to return for 0/0, when the target decides no pair.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.

    See Also
    --------
    ppref, precision

    Examples
    --------
    >>> import porank as po
    >>> po.rpref(*po.load_example("table1-corrected"))
    0.5

    Notes
    -----
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.

    References
    ----------
    .. [1] B. Carterette, P. N. Bennett, D. M. Chickering, S. T. Dumais, "Here or There: Preference
       Judgments for Relevance", ECIR 2008, pp. 16-27. https://doi.org/10.1007/978-3-540-78646-7_5
    """
    return pair_up(target, predicted).measure("rpref", undefined=undefined)


def jaccard(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return the Jaccard index of two sets of preferences.

    It is ``|R and S| / |R or S|`` for the two relations as sets of ordered pairs:
    C / (C + 2D + A + N).

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    undefined : float or "raise"
        What to return for 0/0, when neither order says anything.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.

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
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.

    References
    ----------
    .. [1] P. Jaccard, "The distribution of the flora in the alpine zone", New Phytologist 11(2),
       1912, pp. 37-50. https://doi.org/10.1111/j.1469-8137.1912.tb05611.x
    """
    return pair_up(target, predicted).measure("jaccard", undefined=undefined)


def precision(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return the precision: the share of the predicted preferences that are right.

    It is ``|R and S| / |S|`` for the target R and the prediction S: C / P. A pair that the target
    leaves open counts as wrong.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    undefined : float or "raise"
        What to return for 0/0, when the prediction says nothing.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.

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
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.

    References
    ----------
    .. [1] C. J. van Rijsbergen, "Information Retrieval", 2nd edition, Butterworths, 1979, ch. 7.
    """
    return pair_up(target, predicted).measure("precision", undefined=undefined)


def recall(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return the recall: the share of the target's preferences that are predicted.

    It is ``|R and S| / |R|`` for the target R and the prediction S: C / T.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    undefined : float or "raise"
        What to return for 0/0, when the target says nothing.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.

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
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.

    References
    ----------
    .. [1] C. J. van Rijsbergen, "Information Retrieval", 2nd edition, Butterworths, 1979, ch. 7.
    """
    return pair_up(target, predicted).measure("recall", undefined=undefined)


def f1(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return F1, the harmonic mean of precision and recall.

    It is ``2 |R and S| / (|R| + |S|)`` for the target R and the prediction S: 2C / (T + P).

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    undefined : float or "raise"
        What to return for 0/0, when neither order says anything.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.

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
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.

    References
    ----------
    .. [1] C. J. van Rijsbergen, "Information Retrieval", 2nd edition, Butterworths, 1979, ch. 7.
    """
    return pair_up(target, predicted).measure("f1", undefined=undefined)
