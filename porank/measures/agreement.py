"""Agreement as shares: how much of what is said is right, and how much of it is said.

Conventions
-----------
C and D are the pairs that both orders decide, alike and contrarily; T those that the target
decides.

Measures
--------
`correctness`, `completeness`, `ppref`, `rpref`

Two orders as two sets of preferences: what they have in common.

Conventions
-----------
R and S are the sets of ordered pairs of the target and of the prediction, which ``on=`` chooses:
all that is said (the closure), the covers (the reduction), or the edges as given. C is the number
of pairs in both, T and P are the sizes of the two.

Measures
--------
`jaccard`, `precision`, `recall`, `f1`
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from porank.measures.correlation import gamma
from porank.measures.measure import ratio
from porank.measures.pair_table import count_stated, pair_up

if TYPE_CHECKING:
    from porank.typing import OrderLike


def correctness(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return how far the prediction is right where it commits itself.

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
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.

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
    return gamma(target, predicted, undefined=undefined)


def completeness(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return how much of the target the prediction commits itself on.

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
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.

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
    pairs = pair_up(target, predicted).counts
    return ratio(
        pairs.concordant + pairs.discordant,
        pairs.target_pairs,
        undefined=undefined,
        why="the target decides no pair",
    )


def ppref(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return the precision of the preferences that can be judged.

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
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.

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
    pairs = pair_up(target, predicted).counts
    return ratio(
        pairs.concordant,
        pairs.concordant + pairs.discordant,
        undefined=undefined,
        why="there is no pair that both orders decide",
    )


def rpref(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return the recall of the preferences.

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
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.

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
    pairs = pair_up(target, predicted).counts
    return ratio(
        pairs.concordant, pairs.target_pairs, undefined=undefined, why="the target decides no pair"
    )


def jaccard(
    target: OrderLike, predicted: OrderLike, *, on: str = "closure", undefined: Any = math.nan
) -> float:
    """Return the share of preferences in common.

    It is ``|R and S| / |R or S|`` for the two relations as sets of ordered pairs:
    C / (C + 2D + A + N).

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    on : {"closure", "reduction", "given"}
        The pairs to compare: all that is said, the covers, or the edges of the graphs; of scores
        all that is said.
    undefined : float or "raise"
        What to return for 0/0, when neither order says anything.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.
    PorankError
        If `on` is none of the choices.

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
    pairs = count_stated(target, predicted, on=on)
    return ratio(
        pairs.concordant, pairs.union, undefined=undefined, why="neither order says anything"
    )


def precision(
    target: OrderLike, predicted: OrderLike, *, on: str = "closure", undefined: Any = math.nan
) -> float:
    """Return the share of the predicted preferences that are right.

    It is ``|R and S| / |S|`` for the target R and the prediction S: C / P. A pair that the target
    leaves open counts as wrong.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    on : {"closure", "reduction", "given"}
        The pairs to compare: all that is said, the covers, or the edges of the graphs; of scores
        all that is said.
    undefined : float or "raise"
        What to return for 0/0, when the prediction says nothing.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.
    PorankError
        If `on` is none of the choices.

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
    pairs = count_stated(target, predicted, on=on)
    return ratio(
        pairs.concordant, pairs.predicted, undefined=undefined, why="the prediction says nothing"
    )


def recall(
    target: OrderLike, predicted: OrderLike, *, on: str = "closure", undefined: Any = math.nan
) -> float:
    """Return the share of the preferences of the target that are predicted.

    It is ``|R and S| / |R|`` for the target R and the prediction S: C / T.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    on : {"closure", "reduction", "given"}
        The pairs to compare: all that is said, the covers, or the edges of the graphs; of scores
        all that is said.
    undefined : float or "raise"
        What to return for 0/0, when the target says nothing.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.
    PorankError
        If `on` is none of the choices.

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
    pairs = count_stated(target, predicted, on=on)
    return ratio(pairs.concordant, pairs.target, undefined=undefined, why="the target says nothing")


def f1(
    target: OrderLike, predicted: OrderLike, *, on: str = "closure", undefined: Any = math.nan
) -> float:
    """Return the harmonic mean of precision and recall.

    It is ``2 |R and S| / (|R| + |S|)`` for the target R and the prediction S: 2C / (T + P).

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    on : {"closure", "reduction", "given"}
        The pairs to compare: all that is said, the covers, or the edges of the graphs; of scores
        all that is said.
    undefined : float or "raise"
        What to return for 0/0, when neither order says anything.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.
    PorankError
        If `on` is none of the choices.

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
    pairs = count_stated(target, predicted, on=on)
    return ratio(
        2 * pairs.concordant,
        pairs.target + pairs.predicted,
        undefined=undefined,
        why="neither order says anything",
    )
