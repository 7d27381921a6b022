"""Losses for learning to rank: 0 where the prediction is right, 1 where it could not be worse.

Conventions
-----------
D, A and N are the pairs that the orders decide oppositely, that only the target decides, and that
only the prediction decides.

Public: `kendall_loss`, `zero_one_loss`, `ndcg_loss`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from porank.measures.gains import collect_gains, ideal_gain, read_relevance, read_scored_gains
from porank.measures.measure import PAIR_FORMULAS, ratio
from porank.measures.options import require_options
from porank.measures.pair_table import pair_up

if TYPE_CHECKING:
    from porank.typing import OrderLike


def kendall_loss(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return the share of pairs on which two orders differ.

    It is (D + A + N) / (n (n - 1) / 2): the mean over pairs of whether the signs of the two
    differences of scores differ. Without ties it is (1 - tau) / 2.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    undefined : float or "raise"
        What to return for 0/0, with fewer than two items.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.

    See Also
    --------
    zero_one_loss, kendall_distance

    Examples
    --------
    >>> import porank as po
    >>> po.kendall_loss(*po.load_example("tutorial"))
    0.4

    Notes
    -----
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.

    References
    ----------
    .. [1] S. Shalev-Shwartz, S. Ben-David, "Understanding Machine Learning", Cambridge University
       Press, 2014, section 17.4. https://doi.org/10.1017/CBO9781107298019
    """
    return pair_up(target, predicted).measure("kendall_loss", undefined=undefined)


def zero_one_loss(target: OrderLike, predicted: OrderLike) -> float:
    """Return the zero-one loss: 0 if the two orders have the same preferences, else 1.

    Whether a pair that neither decides is a known tie is not looked at.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.

    Returns
    -------
    float
        0 or 1.

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.

    See Also
    --------
    kendall_loss, kendall_distance

    Examples
    --------
    >>> import porank as po
    >>> po.zero_one_loss(po.parse("a > b > c"), po.parse("a > b > c; a > c"))
    0.0

    Notes
    -----
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.

    References
    ----------
    .. [1] S. Shalev-Shwartz, S. Ben-David, "Understanding Machine Learning", Cambridge University
       Press, 2014, section 17.4. https://doi.org/10.1017/CBO9781107298019
    """
    return ratio(*zero_one_parts(pair_up(target, predicted)))


def zero_one_parts(both: Any) -> tuple[Any, int]:
    """Return whether two orders differ, over 1."""
    apart, _ = PAIR_FORMULAS["symmetric_difference"].parts(both.counts)
    return apart > 0, 1


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
    """Return the NDCG loss: 1 minus NDCG.

    With y the scores of the target, pi(y') the ranks of the predicted scores y' in ascending order,
    r of them, and D(i) = 1 / log2(r - i + 2) for i in r - k + 1 .. r, else 0, the loss is
    1 - G(y', y) / G(y, y) for G(y', y) = sum of D(pi(y')_i) y_i.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items; of the target the scores, unless relevance is given.
    relevance : mapping or array, optional
        The scores y of the items, from 0 on.
    k : int, optional
        How many of the highest positions count, from 1 on; by default all.
    retrieved : int, optional
        As in `ndcg`.
    ties : {"average", "optimistic", "pessimistic"}
        As in `dcg`. A stable sort would break them by the index of the items, which porank never
        does.
    undefined : float or "raise"
        What to return for 0/0, when all scores are 0.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.
    NotApplicableError
        As in `dcg`, or if no relevance is given and the target is a graph or has negative scores.
    PorankError
        If `k` or `ties` is out of its range, a score is NaN, or relevance is missing for an item,
        NaN or negative.

    See Also
    --------
    dcg, ndcg, dcg_position_costs

    Examples
    --------
    >>> import porank as po
    >>> y = {"E": 4, "B": 3, "C": 2, "A": 1, "D": 0}
    >>> predicted = po.from_ranking("ABECD")
    >>> [round(po.ndcg_loss(y, predicted, k=k), 4) for k in (1, 2, 3, 4)]
    [0.75, 0.5091, 0.2902, 0.2143]

    Notes
    -----
    Time as for `dcg`.

    References
    ----------
    .. [1] S. Shalev-Shwartz, S. Ben-David, "Understanding Machine Learning", Cambridge University
       Press, 2014, section 17.4. https://doi.org/10.1017/CBO9781107298019
    """
    require_options("ndcg_loss", k=k, retrieved=retrieved, ties=ties)
    pairing = pair_up(target, predicted)
    if relevance is None:
        gains = read_scored_gains(pairing.target, target)
    else:
        gains = read_relevance(pairing.target, relevance)
    ideal = ideal_gain(gains, k=k, base=2)
    collected = collect_gains(pairing, gains, k=k, retrieved=retrieved, ties=ties)
    missed = ideal - min(math.fsum(collected), ideal)
    return ratio(missed, ideal, undefined=undefined, why="all scores are 0")
