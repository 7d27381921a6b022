"""Cumulative gains: what a reader of the predicted list collects, the more the better the top is.

Conventions
-----------
The prediction is a list, position 1 its best item. A position i pays 1 / log(1 + i) of the gain of
the item that stands there. Tied items share their positions, so that the value is the mean over all
ways to break the ties [1]_. A partial prediction stands for its linear extensions, and the value
is the mean over them; it is not the value at the mean positions.

Measures
--------
`dcg`, `ndcg`, `ndcg_loss`

References
----------
.. [1] F. McSherry, M. Najork, "Computing information retrieval performance measures efficiently in
   the presence of tied scores", ECIR 2008, pp. 414-421.
   https://doi.org/10.1007/978-3-540-78646-7_38
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from porank.core.compiled_order import layers_of_values
from porank.measures.expected import expected_discounts
from porank.measures.grading import read_gains, read_relevance, read_scored_gains
from porank.measures.pairing import pair_up
from porank.measures.tied_lists import break_ties, log_discounts, mean_over_ties, require_average
from porank.measures.undefined import ratio

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from porank.measures.pairing import Pairing
    from porank.typing import Item, OrderLike


def dcg(
    target: OrderLike,
    predicted: OrderLike,
    *,
    gain: str = "rank",
    relevance: Any = None,
    lowest: float = 0,
    k: int | None = None,
    base: float = 2,
    ties: str = "average",
) -> float:
    """Return the discounted cumulative gain of the predicted list.

    DCG is the sum over the positions i = 1..k of gain(item at i) / log(1 + i).

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    gain : {"rank", "level", "exponential"}
        What an item is worth: n less its position in the target; its grade; or 2**grade - 1. The
        grades are the levels of the target, counted upwards from `lowest`.
    relevance : mapping or array, optional
        Grades to use instead: item -> number from 0 on. The target then only names the items.
    lowest : number
        The grade of the lowest level.
    k : int, optional
        How many positions count, from 1 to n; by default all. A larger k, which would cut nothing,
        is refused.
    base : float
        Of the logarithm, above 1.
    ties : {"average", "optimistic", "pessimistic"}
        The mean over all ways to break the ties of the prediction (over the linear extensions of a
        partial one), the best, or the worst.

    Returns
    -------
    float
        From 0 on.

    Raises
    ------
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.
    NotApplicableError
        If the target is not weak where its levels are the grades, or a partial prediction has too
        many linear extensions, or its best or worst one is asked for.
    PorankError
        If an option is out of its range, or relevance is given with ``gain="rank"``, is missing for
        an item, NaN or negative.

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.load_example("tutorial")
    >>> round(po.dcg(target, predicted), 6), round(po.dcg(target, target), 6)
    (5.754142, 7.323466)
    >>> po.dcg([1, 1, 0], [5, 7, 7], gain="level", relevance=[3, 1, 0], k=1)
    0.5

    Notes
    -----
    Time O(n log n), that of the closure of a partial target, and O(n) for each ideal of a partial
    prediction, of which there may be 100,000 (6,250 for more than 64 items).

    References
    ----------
    .. [1] K. Järvelin, J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM
       Transactions on Information Systems 20(4), 2002, pp. 422-446.
       https://doi.org/10.1145/582415.582418
    """
    pairing = pair_up(target, predicted)
    gains = read_gains(pairing.target, gain=gain, relevance=relevance, lowest=lowest)
    return math.fsum(_collected(pairing, gains, k=k, base=base, ties=ties))


def dcg_terms(
    target: OrderLike,
    predicted: OrderLike,
    *,
    gain: str = "rank",
    relevance: Any = None,
    lowest: float = 0,
    k: int | None = None,
    base: float = 2,
    ties: str = "average",
) -> dict[Item, float]:
    """Return the summands of `dcg`, item -> discounted gain.

    ``math.fsum`` of them is the value exactly.

    Examples
    --------
    >>> import porank as po
    >>> terms = dcg_terms(*po.load_example("tutorial"))
    >>> {item: round(term, 3) for item, term in terms.items()}
    {'E': 2.0, 'B': 1.893, 'C': 0.861, 'A': 1.0, 'D': 0.0}
    """
    pairing = pair_up(target, predicted)
    gains = read_gains(pairing.target, gain=gain, relevance=relevance, lowest=lowest)
    terms = _collected(pairing, gains, k=k, base=base, ties=ties).tolist()
    return dict(zip(pairing.target.items, terms, strict=True))


def ndcg(
    target: OrderLike,
    predicted: OrderLike,
    *,
    gain: str = "rank",
    relevance: Any = None,
    lowest: float = 0,
    k: int | None = None,
    base: float = 2,
    ties: str = "average",
    undefined: Any = math.nan,
) -> float:
    """Return the discounted cumulative gain as a share of the greatest possible.

    NDCG = DCG / IDCG, where IDCG is the DCG of the items ordered by their gains.

    Parameters
    ----------
    target, predicted, gain, relevance, lowest, k
        As in `dcg`.
    base : float
        Of the logarithm, above 1; the quotient is the same for all.
    ties : {"average", "optimistic", "pessimistic"}
        As in `dcg`.
    undefined : float or "raise"
        What to return for 0/0, when no item has a gain.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError, NotApplicableError, PorankError
        As in `dcg`.

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.load_example("tutorial")
    >>> round(po.ndcg(target, predicted), 7)
    0.785713
    >>> levels = po.from_levels([["B", "E"], ["C"], ["A", "D"]])
    >>> [round(po.ndcg(levels, predicted, gain="level", lowest=grade), 4) for grade in (0, 1)]
    [0.7157, 0.8406]

    Notes
    -----
    Time as for `dcg`. On a total order the gain by rank is the gain by level; the tutorial's two
    formulas, n - rank and levels from 1 on, are not (0.7857 against 0.8472), though one is called a
    special case of the other.

    References
    ----------
    .. [1] K. Järvelin, J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM
       Transactions on Information Systems 20(4), 2002, pp. 422-446.
       https://doi.org/10.1145/582415.582418
    """
    pairing = pair_up(target, predicted)
    gains = read_gains(pairing.target, gain=gain, relevance=relevance, lowest=lowest)
    collected = math.fsum(_collected(pairing, gains, k=k, base=base, ties=ties))
    ideal = _ideal(gains, k=k, base=base)
    return ratio(min(collected, ideal), ideal, undefined=undefined, why="no item has a gain")


def ndcg_loss(
    target: OrderLike,
    predicted: OrderLike,
    *,
    relevance: Any = None,
    k: int | None = None,
    ties: str = "average",
    undefined: Any = math.nan,
) -> float:
    """Return the share of the greatest possible gain that the predicted list misses.

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
        How many of the highest positions count, from 1 to n; by default all.
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
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.
    NotApplicableError
        As in `dcg`, or if no relevance is given and the target is a graph or has negative scores.
    PorankError
        If `k` or `ties` is out of its range, a score is NaN, or relevance is missing for an item,
        NaN or negative.

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
    pairing = pair_up(target, predicted)
    if relevance is None:
        gains = read_scored_gains(pairing.target, target)
    else:
        gains = read_relevance(pairing.target, relevance)
    collected = math.fsum(_collected(pairing, gains, k=k, base=2, ties=ties))
    ideal = _ideal(gains, k=k, base=2)
    missed = ideal - min(collected, ideal)
    return ratio(missed, ideal, undefined=undefined, why="all scores are 0")


def _collected(
    pairing: Pairing, gains: NDArray[np.float64], *, k: Any, base: Any, ties: str
) -> NDArray[np.float64]:
    """Return what each item adds to the gain of the predicted list."""
    discounts = log_discounts(pairing.n, k=k, base=base)
    if pairing.predicted.is_weak:
        layers = break_ties(pairing.predicted_layers, gains, ties)
        return gains * mean_over_ties(layers, discounts)
    require_average(ties)
    return gains * expected_discounts(pairing, discounts)


def _ideal(gains: NDArray[np.float64], *, k: Any, base: Any) -> float:
    """Return the gain of the list ordered by gain, equal gains tied: summed as a prediction is."""
    discounts = log_discounts(gains.size, k=k, base=base)
    return math.fsum(gains * mean_over_ties(layers_of_values(gains), discounts))
