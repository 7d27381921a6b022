"""Cumulative gains: what a reader of the predicted list collects, the more the better the top is.

Conventions
-----------
The prediction is a list, position 1 its best item. A position i pays 1 / log(1 + i) of the gain of
the item that stands there. Tied items share their positions, so that the value is the mean over all
ways to break the ties [1]_. A partial prediction stands for its linear extensions, and the value
is the mean over them; it is not the value at the mean positions.

*Idea: a tie of g items takes g positions of the list, each item each of them equally often; so each
gets the mean of what the positions pay.* The optimistic and the pessimistic reading first break
each tie for or against the prediction; what is equally good then is still a tie.

Public: `dcg`, `ndcg`. The loss of learning to rank, `ndcg_loss`, is in `porank.measures.losses`.

References
----------
.. [1] F. McSherry, M. Najork, "Computing information retrieval performance measures efficiently in
   the presence of tied scores", ECIR 2008, pp. 414-421.
   https://doi.org/10.1007/978-3-540-78646-7_38
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.compiled_order import Order, levels_of_values, scores_as_dict, scores_as_floats
from porank.errors import NotApplicableError, PorankError, listed
from porank.measures.measure import ratio
from porank.measures.options import LARGEST_GAIN, require_base, require_grade, require_options
from porank.measures.pair_table import Pairing, pair_up
from porank.measures.positions import doubled_positions, expected_discounts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Item, OrderLike


def dcg(
    target: OrderLike,
    predicted: OrderLike,
    *,
    gain: str = "grade",
    relevance: Any = None,
    lowest: float = 0,
    k: int | None = None,
    base: float = 2,
    ties: str = "average",
) -> float:
    """Return the discounted cumulative gain (DCG) of the predicted list.

    DCG is the sum over the positions i = 1..k of gain(item at i) / log(1 + i).

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    gain : {"grade", "level", "exponential", "rank"}
        What an item is worth. By default its number, if the target is given as scores, a negative
        one being 0; if it is a graph, its level, counted upwards from 0; if that is no weak order,
        as by rank. By level, whatever the target is given as: its level, counted upwards from
        `lowest`, or 2**level - 1. By rank: n less its position in the target.
    relevance : mapping or array, optional
        Grades to use instead of numbers and levels: item -> number from 0 on. The target then only
        names the items.
    lowest : number
        The grade of the lowest level.
    k : int, optional
        How many positions count, from 1 on; by default, and if there are fewer, all.
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
    CycleError, ItemMismatchError
        As `pair_table` does.
    NotApplicableError
        If the target is not weak where its levels are asked for, its numbers are beyond 2**1000,
        or a partial prediction has too many linear extensions, or its best or worst one is asked
        for.
    PorankError
        If an option is out of its range, or relevance is given with ``gain="rank"``, is missing for
        an item, NaN or negative.

    See Also
    --------
    ndcg, ndcg_loss, dcg_position_costs

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.load_example("tutorial")
    >>> round(po.dcg(target, predicted), 6), round(po.dcg(target, target), 6)
    (5.754142, 7.323466)
    >>> po.dcg([3, 1, 0], [5, 7, 7], k=1), po.dcg([3, 1, 0], [5, 7, 7], k=1, gain="rank")
    (0.5, 0.5)

    Notes
    -----
    Time O(n log n), that of the closure of a partial target, and O(n) for each ideal of a partial
    prediction, of which there may be 100,000.

    References
    ----------
    .. [1] K. Järvelin, J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM
       Transactions on Information Systems 20(4), 2002, pp. 422-446.
       https://doi.org/10.1145/582415.582418
    """
    _, _, collected = _gained(
        target, predicted, gain=gain, relevance=relevance, lowest=lowest, k=k, base=base, ties=ties
    )
    return math.fsum(collected)


def dcg_terms(target: OrderLike, predicted: OrderLike, **options: Any) -> dict[Item, float]:
    """Return the summands of `dcg`, item -> discounted gain."""
    pairing, _, collected = _gained(target, predicted, **options)
    return dict(zip(pairing.target.items, collected.tolist(), strict=True))


def ndcg(
    target: OrderLike,
    predicted: OrderLike,
    *,
    gain: str = "grade",
    relevance: Any = None,
    lowest: float = 0,
    k: int | None = None,
    retrieved: int | None = None,
    base: float = 2,
    ties: str = "average",
    undefined: Any = math.nan,
) -> float:
    """Return the normalised discounted cumulative gain (NDCG).

    NDCG = DCG / IDCG, where IDCG is the DCG of the items ordered by their gains.

    Parameters
    ----------
    target, predicted, gain, relevance, lowest, k
        As in `dcg`.
    retrieved : int, optional
        How many positions the predicted list has; by default all. What stands after them earns
        nothing, and counts in IDCG.
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

    See Also
    --------
    dcg, ndcg_loss, dcg_position_costs, reciprocal_rank, average_precision

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
    Time as for `dcg`. One hit among 118 items at position 4 is worth 1 / log2(5) = .431 of what it
    could be; by rank, where each of the others has half of its gain, .977 could be the value of the
    same list. On a total order the gain by rank is the gain by level; the tutorial's two formulas,
    n - rank and levels from 1 on, are not (0.7857 against 0.8472), though one is called a special
    case of the other.

    References
    ----------
    .. [1] K. Järvelin, J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM
       Transactions on Information Systems 20(4), 2002, pp. 422-446.
       https://doi.org/10.1145/582415.582418
    """
    require_options("ndcg", retrieved=retrieved)
    how: dict[str, Any] = {"k": k, "retrieved": retrieved, "base": base, "ties": ties}
    _, gains, collected = _gained(
        target, predicted, gain=gain, relevance=relevance, lowest=lowest, **how
    )
    ideal = ideal_gain(gains, k=k, base=base)
    found = min(math.fsum(collected), ideal)
    return ratio(found, ideal, undefined=undefined, why="no item has a gain")


def _gained(
    target: OrderLike,
    predicted: OrderLike,
    *,
    gain: str = "grade",
    relevance: Any = None,
    lowest: float = 0,
    **how: Any,
) -> tuple[Pairing, NDArray[np.float64], NDArray[np.float64]]:
    """Return the gain of each item, and what it adds to the DCG of the predicted list."""
    given = {"gain": gain, "relevance": relevance, "lowest": lowest}
    require_options("dcg", **given, **how)
    pairing = pair_up(target, predicted)
    gains = _read_gains(pairing.target, target, **given)
    return pairing, gains, collect_gains(pairing, gains, **how)


def collect_gains(
    pairing: Pairing,
    gains: NDArray[np.float64],
    *,
    k: int | None = None,
    retrieved: int | None = None,
    base: float = 2,
    ties: str = "average",
) -> NDArray[np.float64]:
    """Return what each item adds to DCG: its gain, discounted by its predicted position."""
    discounts = log_discounts(pairing.n, k=k, base=base)
    discounts[pairing.n if retrieved is None else retrieved :] = 0
    if pairing.predicted.is_weak:
        return gains * break_ties(pairing, gains, ties).guess.mean_over_ties(discounts)
    if ties != "average":
        raise NotApplicableError(
            f"expected ties='average' for a partial order as predicted, found {ties!r}: no quick "
            "way is known to its best or worst linear extension"
        )
    return gains * expected_discounts(pairing, discounts)


def ideal_gain(gains: NDArray[np.float64], *, k: Any, base: Any) -> float:
    """Return the greatest possible DCG, that of the list ordered by gain."""
    return math.fsum(np.sort(gains)[::-1] * log_discounts(gains.size, k=k, base=base))


def ndcg_terms(
    target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan, **options: Any
) -> dict[Item, float]:
    """Return what each item adds to `ndcg`: its discounted gain as a share of the ideal one."""
    value = ndcg(target, predicted, undefined=undefined, **options)
    gained = dcg_terms(target, predicted, **options)
    collected = math.fsum(gained.values())
    if not collected:
        return {}
    return {item: value * gain / collected for item, gain in gained.items()}


#: What the largest gain allows.
LARGEST_EXPONENT = 1000


def _read_gains(
    target: Order, given: Any, *, gain: str, relevance: Any, lowest: Any
) -> NDArray[np.float64]:
    """Return the gain of each item of the target, which was given as a graph or as scores."""
    if gain == "grade" and relevance is None:
        if has_scores(given):
            return read_scored_gains(target, given, least=0.0)
        gain = "level" if target.is_weak else "rank"
    if gain == "rank":
        gains: NDArray[np.float64] = len(target.items) - doubled_positions(target) / 2
        return gains
    grades = read_grades(target, relevance=relevance) + float(lowest)
    return _exponential(grades) if gain == "exponential" else grades


def has_scores(order: OrderLike | Order) -> bool:
    """Return whether an order, as given, has scores of its own, which can be gains."""
    return not isinstance(order, (nx.Graph, Order))


def read_grades(target: Order, *, relevance: Any = None) -> NDArray[np.float64]:
    """Return the grade of each item for DCG: its relevance, or its level counted up from 0."""
    if relevance is not None:
        return read_relevance(target, relevance)
    if not target.is_weak:
        raise NotApplicableError(
            "expected a weak order as target, whose levels are grades, found a partial one; give "
            "relevance=, item -> number"
        )
    grades: NDArray[np.float64] = (target.levels.max(initial=0) - target.levels).astype(np.float64)
    return grades


def read_relevance(target: Order, relevance: Any) -> NDArray[np.float64]:
    """Return the relevance of each item of the target, none of them negative or missing."""
    if isinstance(relevance, nx.Graph):
        raise PorankError(f"expected relevance as item -> number, found {relevance}")
    known = scores_as_dict(relevance)
    if known.keys() != target.number.keys():
        missing = [item for item in target.items if item not in known]
        unknown = [item for item in known if item not in target.number]
        sides = [("none for", missing), ("unknown:", unknown)]
        found = "; ".join(f"{side} {listed(items)}" for side, items in sides if items)
        raise PorankError(f"expected the relevance of every item and of no other, found {found}")
    try:
        relevances = np.fromiter(map(known.__getitem__, target.items), np.float64, len(known))
    except OverflowError:
        relevances = np.array([math.inf])
    if not np.all((relevances >= 0) & (relevances <= LARGEST_GAIN)):
        for item, value in known.items():
            require_grade(value, f"relevance of {item!r}")
    return relevances


def read_scored_gains(
    target: Order, scores: Any, *, least: float = -math.inf
) -> NDArray[np.float64]:
    """Return the scores of the target as gains, those below the least one being that."""
    if not has_scores(scores):
        raise NotApplicableError(
            "expected the scores of the target, found a graph, which has none; give relevance=, "
            "item -> number"
        )
    gains = scores_as_floats(scores).clip(least)
    wrong = np.flatnonzero(~((gains >= 0) & (gains <= LARGEST_GAIN)))
    if wrong.size:
        # As an order they are like any others; only here they are of no use.
        raise NotApplicableError(
            f"expected scores from 0 to 2**1000 as gains, found {gains[wrong[0]]:g} of "
            f"{target.items[wrong[0]]!r}; gain='level' takes the levels of any, or give relevance="
        )
    return gains


def _exponential(grades: NDArray[np.float64]) -> NDArray[np.float64]:
    highest = grades.max(initial=0)
    if highest > LARGEST_EXPONENT:
        raise NotApplicableError(
            f"expected grades of at most {LARGEST_EXPONENT} for gain='exponential', found "
            f"{highest:g}; gain='level' takes any"
        )
    gains: NDArray[np.float64] = np.exp2(grades) - 1
    return gains


def require_list(pairing: Pairing) -> None:
    """Raise `NotApplicableError` unless the prediction is a list, a weak order, to gain by."""
    if not pairing.predicted.is_weak:
        raise NotApplicableError(
            "expected a weak order as predicted, found a partial one: the mean over its linear "
            "extensions needs more than how probable each position is; dcg and ndcg take it"
        )


def break_ties(pairing: Pairing, gains: NDArray[np.float64], ties: str) -> Pairing:
    """Return two orders, ties of a list broken by gain: larger, smaller first, or not at all."""
    if ties == "average":
        return pairing
    within = levels_of_values(gains if ties == "optimistic" else -gains)
    joined = pairing.predicted_levels * (within.max(initial=0) + 1) + within
    levels = np.unique(joined, return_inverse=True)[1]
    broken = Order(pairing.target.items, levels, is_weak=True, tie=np.full(pairing.n, -1))
    return Pairing(pairing.target, broken)


def log_discounts(n: int, *, k: Any, base: Any) -> NDArray[np.float64]:
    """Return the discounts of DCG, 1 / log(1 + i) for the positions i = 1..n, 0 after `k`."""
    discounts: NDArray[np.float64] = math.log2(require_base(base)) / np.log2(np.arange(2, n + 2))
    discounts[n if k is None else k :] = 0
    return discounts
