"""Losses for learning to rank: 0 for a correct prediction, 1 for the worst possible one.

Conventions
-----------
D, A and N are the numbers of pairs that are discordant, that only the target decides, and that only
the prediction decides.

Public: `kendall_loss`, `zero_one_loss`, `ndcg_loss`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from porank.measures.dcg import (
    LIST_CHECKS,
    collect_gains,
    gain_of_groups,
    ideal_gain,
    read_relevance,
    read_scored_gains,
)
from porank.measures.measure import MEASURES, distance, error, ratio, value_of
from porank.measures.pair_table import pair_up

if TYPE_CHECKING:
    from porank.typing import OrderLike


@distance(
    formula=lambda D, A, N, pairs: (D + A + N, pairs), why="there is no pair of items", highest=1.0
)
def kendall_loss(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return the Kendall loss: the share of pairs on which two orders differ.

    It is (D + A + N) / (n (n - 1) / 2): of the pairs of n items, D are discordant, A are decided
    only by the target, and N only by the prediction. For total orders it is (1 - tau) / 2, with
    `kendall_tau`.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    undefined : float or "raise"
        Value to return if there are fewer than two items; ``"raise"`` raises `UndefinedError`.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.

    See Also
    --------
    zero_one_loss, kendall_distance

    Examples
    --------
    >>> import porank as po
    >>> po.measures.kendall_loss(*po.load_example("tutorial"))
    0.4

    Notes
    -----
    O(n log n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures.

    References
    ----------
    .. [1] S. Shalev-Shwartz, S. Ben-David, "Understanding Machine Learning", Cambridge University
       Press, 2014, section 17.4. https://doi.org/10.1017/CBO9781107298019
    """
    return value_of(kendall_loss, target, predicted, undefined=undefined)


def _zero_one(both: Any) -> tuple[Any, int]:
    """Return whether D + A + N > 0, and 1 as the denominator."""
    counts = both.counts
    return counts.discordant + counts.target_only + counts.predicted_only > 0, 1


@distance(kernel=_zero_one, highest=1.0)
def zero_one_loss(target: OrderLike, predicted: OrderLike) -> float:
    """Return the zero-one loss: 0 if the two orders have the same preferences, else 1.

    It compares the closures, and does not distinguish known ties from incomparable pairs.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.

    Returns
    -------
    float
        0 or 1.

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.

    See Also
    --------
    kendall_loss, kendall_distance

    Examples
    --------
    >>> import porank as po
    >>> po.measures.zero_one_loss(po.parse("a > b > c"), po.parse("a > b > c; a > c"))
    0.0

    Notes
    -----
    O(n log n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures.

    References
    ----------
    .. [1] S. Shalev-Shwartz, S. Ben-David, "Understanding Machine Learning", Cambridge University
       Press, 2014, section 17.4. https://doi.org/10.1017/CBO9781107298019
    """
    return value_of(zero_one_loss, target, predicted)


def _missed(both: Any, *, relevance: Any = "grade", k: int | None = None) -> tuple[Any, Any]:
    """Return the ideal DCG minus the DCG of each group, and the ideal DCG."""
    collected, ideal = gain_of_groups(both, gain="level", relevance=relevance, k=k)
    return ideal - collected, ideal


@error(
    kernel=_missed,
    why="all gains are 0",
    highest=1.0,
    at_equal=0.0,
    needs="scores",
    reads_scores=True,
    checks=LIST_CHECKS,
)
def ndcg_loss(
    target: OrderLike,
    predicted: OrderLike,
    *,
    relevance: Any = None,
    k: int | None = None,
    retrieved: int | None = None,
    ties: str = "average",
    undefined: Any = math.nan,
) -> float:
    """Return the nDCG loss, which is 1 minus nDCG.

    The gains are the scores of the target. The DCG is the sum of gain(i) / log2(1 + i) over the
    positions i = 1, ..., k of the predicted list, and the loss is 1 minus the DCG divided by the
    DCG of the items sorted by gain.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items. Pass the target as scores, unless you pass relevance.
    relevance : mapping or array, optional
        Gain of each item, at least 0, to use instead of the target's scores.
    k : int, optional
        Number of positions that count, at least 1; by default all.
    retrieved : int, optional
        As in `ndcg`.
    ties : {"average", "optimistic", "pessimistic"}
        As in `dcg`.
    undefined : float or "raise"
        Value to return if all gains are 0; ``"raise"`` raises `UndefinedError`.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.
    NotApplicableError
        As in `dcg`, or if the target is a graph or has negative scores and there is no relevance.
    PorankError
        If an option is invalid, if a score is NaN, or if a relevance is missing, NaN or negative.

    See Also
    --------
    dcg, ndcg, dcg_position_costs

    Examples
    --------
    >>> import porank as po
    >>> y = {"E": 4, "B": 3, "C": 2, "A": 1, "D": 0}
    >>> predicted = po.from_ranking("ABECD")
    >>> [round(po.measures.ndcg_loss(y, predicted, k=k), 4) for k in (1, 2, 3, 4)]
    [0.75, 0.5091, 0.2902, 0.2143]

    Notes
    -----
    Same time as `dcg`.

    References
    ----------
    .. [1] S. Shalev-Shwartz, S. Ben-David, "Understanding Machine Learning", Cambridge University
       Press, 2014, section 17.4. https://doi.org/10.1017/CBO9781107298019
    """
    options: dict[str, Any] = {"k": k, "retrieved": retrieved, "ties": ties}
    MEASURES["ndcg_loss"].require_options(options)
    pairing = pair_up(target, predicted)
    if relevance is None:
        gains = read_scored_gains(pairing.target, target)
    else:
        gains = read_relevance(pairing.target, relevance)
    ideal = ideal_gain(gains, k=k, base=2)
    collected = collect_gains(pairing, gains, **options)
    missed = ideal - min(math.fsum(collected), ideal)
    return ratio(missed, ideal, undefined=undefined, why="all gains are 0")
