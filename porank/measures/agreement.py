"""Agreement as shares: how much of what is said is right, and how much of it is said.

Conventions
-----------
C and D are the pairs that both orders decide, alike and contrarily; T those that the target
decides.

Measures
--------
`correctness`, `completeness`, `ppref`, `rpref`
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from porank.measures.correlation import gamma
from porank.measures.pairing import pair_up
from porank.measures.undefined import ratio

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
