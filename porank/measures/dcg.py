"""Gains of graded items near the top of a list: DCG and nDCG.

Conventions
-----------
The prediction is a list with the best item at position 1. The gain of the item at position i is
multiplied by the discount 1 / log(1 + i). If the prediction has ties, the value is the mean over
all ways to break them [1]_. If it is a partial order, the value is the mean over its linear
extensions, which differs from the value at the mean positions.

*Idea: over all ways to break a tie of g items, each of them takes each of g positions equally
often, so its discount is the mean of theirs.* The optimistic and the pessimistic value first break
the ties by gain. Items with equal gain remain tied.

Public: `dcg`, `ndcg`. The loss of learning to rank, `ndcg_loss`, is in
`porank.measures.losses`.

References
----------
.. [1] F. McSherry, M. Najork, "Computing information retrieval performance measures efficiently in
   the presence of tied scores", ECIR 2008, pp. 414-421.
   https://doi.org/10.1007/978-3-540-78646-7_38
"""

from __future__ import annotations

import math
from functools import wraps
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.compiled_order import CompiledOrder
from porank.core.scores import Ranks, levels_of_values, scores_as_floats
from porank.errors import NotApplicableError, PorankError, quoted
from porank.measures.measure import (
    MEASURES,
    at_least,
    gain,
    one_of,
    ratio,
    require_base,
    share,
    variant,
)
from porank.measures.pair_table import Pairing, pair_up
from porank.measures.positions import expected_discounts
from porank.measures.weights import read_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Item, OrderLike


#: Larger gains might have a sum that exceeds the largest float.
LARGEST_GAIN = 2.0**1000
#: Largest grade whose exponential gain is at most the largest gain.
_LARGEST_EXPONENT = 1000
#: The gains that are levels of the target, even if it has scores.
_BY_LEVEL = ("level", "exponential")
_TIES = one_of("average", "optimistic", "pessimistic")
#: Checks of the options of measures of lists.
LIST_CHECKS = {"k": at_least(1), "retrieved": at_least(0), "ties": _TIES}
_CHECKS = {
    "gain": one_of("grade", *_BY_LEVEL, "rank"),
    "base": require_base,
    "k": at_least(1),
    "ties": _TIES,
}


def _require_one_gain(gain: str = "grade", relevance: Any = None, **_: object) -> None:
    """Raise an error if options contradict each other about the gain of an item."""
    if gain == "rank" and relevance is not None:
        raise PorankError(
            "expected relevance without gain='rank', which uses only ranks; omit gain to use "
            "relevance as the gain"
        )


def gain_of_groups(
    both: Any,
    *,
    gain: str = "grade",
    relevance: Any = None,
    k: int | None = None,
    base: Any = 2,
) -> tuple[Any, Any]:
    """Return the DCG of the list of each group, nan if it needs the function, and the ideal DCG."""
    gains = _gains_by_groups(both, gain, relevance)
    ideal = ideal_gain(gains, k=k, base=base)
    collected = np.minimum(_sum(collect_gains(both, gains, k=k, base=base)), ideal)
    is_usual = (gains >= 0).all(axis=-1) & (gains <= LARGEST_GAIN).all(axis=-1)
    return np.where(is_usual & both.guess.is_weak, collected, np.nan), ideal


def _sum(gains: NDArray[np.float64]) -> Any:
    """Return the sum of gains, exactly rounded for two orders."""
    # No matrix product for groups, because its rounding depends on a group's position in its block.
    return math.fsum(gains) if gains.ndim == 1 else gains.sum(axis=-1)


def _gains_by_groups(block: Any, gain: str, relevance: Any) -> NDArray[np.float64]:
    """Return the gain of each item of each group, or nan if it needs the function."""
    target, numbers = block.truth, block.truth.number
    if numbers is None:
        numbers = np.full((target.groups, target.n), np.nan)
    # If a target has numbers, items without a number have gain 0.
    is_known = ~np.isnan(numbers)
    numbers = np.where(is_known.any(axis=1, keepdims=True) & ~is_known, 0, numbers)
    if relevance is None:
        is_missing = np.isnan(numbers) if gain == "grade" else np.True_
        numbers = np.maximum(numbers, 0)
        if is_missing.any():
            numbers = np.where(is_missing, _gains_of_order(target, gain), numbers)
    if gain != "exponential":
        return numbers
    return np.exp2(np.where(numbers <= _LARGEST_EXPONENT, numbers, np.nan)) - 1


def _gains_of_order(target: Any, gain: str) -> NDArray[np.float64]:
    """Return the gain of each item by its level or rank, nan by the level of a partial order."""
    height, is_weak = (np.asarray(each)[..., None] for each in (target.height, target.is_weak))
    # Levels are counted from 0 at the bottom.
    by_level = np.where(is_weak, height - 1.0 - target.levels, np.nan)
    if gain in _BY_LEVEL:
        return by_level
    # n - position
    by_rank: NDArray[np.float64] = target.n - target.doubled_positions / 2
    return by_rank if gain == "rank" else np.where(is_weak, by_level, by_rank)


def dcg_terms(target: OrderLike, predicted: OrderLike, **options: Any) -> dict[Item, float]:
    """Return the terms of `dcg`: the discounted gain of each item."""
    pairing, _, collected = _gained(target, predicted, **options)
    return dict(zip(pairing.target.items, collected.tolist(), strict=True))


@gain(
    kernel=wraps(gain_of_groups)(lambda both, **how: (gain_of_groups(both, **how)[0], 1)),
    terms=dcg_terms,
    reads_scores=True,
    checks=_CHECKS,
    check_together=_require_one_gain,
)
def dcg(
    target: OrderLike,
    predicted: OrderLike,
    *,
    gain: str = "grade",
    relevance: Any = None,
    k: int | None = None,
    base: float = 2,
    ties: str = "average",
) -> float:
    """Return the discounted cumulative gain (DCG) of a predicted list.

    It is the sum of gain(i) / log(1 + i) over the positions i = 1, ..., k, where gain(i) is the
    gain of the item at position i.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    gain : {"grade", "level", "exponential", "rank"}
        Gain of an item.

        * ``"grade"``: if the target is given as scores, the item's score, or 0 if it is negative.
          If the target is a graph and a weak order, the item's level, counted from 0 at the bottom.
          For other graphs, the same as ``"rank"``.
        * ``"level"``: the item's level in the target, counted from 0 at the bottom.
        * ``"exponential"``: 2**level - 1.
        * ``"rank"``: the number of items minus the item's position in the target.
    relevance : mapping or array, optional
        Grade of each item, at least 0, to use instead of scores and levels. The target then only
        provides the items.
    k : int, optional
        Maximum number of positions that count, at least 1; by default all.
    base : float
        Base of the logarithm, greater than 1.
    ties : {"average", "optimistic", "pessimistic"}
        Value to return for a prediction with ties: the mean, the maximum or the minimum over all
        ways to break them. For a partial order only the mean, over its linear extensions.

    Returns
    -------
    float
        At least 0.

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.
    NotApplicableError
        If the gains are levels and the target is not a weak order, if a gain is larger than
        2**1000, or if the prediction is a partial order and has too many ideals or `ties` is not
        ``"average"``.
    PorankError
        If an option is invalid, or if a relevance is missing, NaN or negative.

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
    O(n log n) for two weak orders of n items. A partial target adds its closure, and a partial
    prediction O(n) for each of its ideals, which may be up to 100,000.

    References
    ----------
    .. [1] K. Järvelin, J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM
       Transactions on Information Systems 20(4), 2002, pp. 422-446.
       https://doi.org/10.1145/582415.582418
    """
    _, _, collected = _gained(
        target, predicted, gain=gain, relevance=relevance, k=k, base=base, ties=ties
    )
    return float(_sum(collected))


def ndcg_terms(
    target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan, **options: Any
) -> dict[Item, float]:
    """Return the terms of `ndcg`: the discounted gain of each item, divided by the ideal DCG."""
    value = ndcg(target, predicted, undefined=undefined, **options)
    gained = dcg_terms(target, predicted, **options)
    collected = math.fsum(gained.values())
    if not collected:
        return {}
    return {item: value * gain / collected for item, gain in gained.items()}


@variant(
    "ndcg_exponential",
    {"gain": "exponential"},
    needs="weak target",
    at_equal=1.0,
    reads_scores=False,
)
@variant("ndcg_level", {"gain": "level"}, needs="weak target", at_equal=1.0, reads_scores=False)
@share(
    kernel=gain_of_groups,
    why="all gains are 0",
    terms=ndcg_terms,
    at_equal=None,
    reads_scores=True,
    checks={**_CHECKS, **LIST_CHECKS},
    check_together=_require_one_gain,
)
def ndcg(
    target: OrderLike,
    predicted: OrderLike,
    *,
    gain: str = "grade",
    relevance: Any = None,
    k: int | None = None,
    retrieved: int | None = None,
    base: float = 2,
    ties: str = "average",
    undefined: Any = math.nan,
) -> float:
    """Return the normalized discounted cumulative gain (nDCG) of a predicted list.

    It is the DCG of the list divided by the ideal DCG, which is the DCG of the items sorted by
    gain.

    Parameters
    ----------
    target, predicted, gain, relevance, k
        As in `dcg`.
    retrieved : int, optional
        Number of items that the predicted list has; by default all. Items ranked below it add
        nothing to the DCG, but still count in the ideal DCG.
    base : float
        Base of the logarithm, greater than 1. It does not change the value.
    ties : {"average", "optimistic", "pessimistic"}
        As in `dcg`.
    undefined : float or "raise"
        Value to return if all gains are 0; ``"raise"`` raises `UndefinedError`.

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
    >>> grades = {"B": 3, "E": 3, "C": 2, "A": 1, "D": 1}
    >>> [round(po.ndcg(levels, predicted, relevance=each), 4) for each in (None, grades)]
    [0.7157, 0.8406]

    Notes
    -----
    Same time as `dcg`. For a total order as target, gains by rank are equal to gains by level.
    Values depend strongly on the gains: a single relevant item among 118, at position 4, has an
    nDCG of 1 / log2(5) = 0.431 by level. By rank, each of the other items still has half its gain,
    and the nDCG is 0.976.

    References
    ----------
    .. [1] K. Järvelin, J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM
       Transactions on Information Systems 20(4), 2002, pp. 422-446.
       https://doi.org/10.1145/582415.582418
    """
    MEASURES["ndcg"].require_options({"retrieved": retrieved})
    how: dict[str, Any] = {"k": k, "retrieved": retrieved, "base": base, "ties": ties}
    _, gains, collected = _gained(target, predicted, gain=gain, relevance=relevance, **how)
    ideal = ideal_gain(gains, k=k, base=base)
    found = min(math.fsum(collected), ideal)
    return ratio(found, ideal, undefined=undefined, why="all gains are 0")


def _gained(
    target: OrderLike,
    predicted: OrderLike,
    *,
    gain: str = "grade",
    relevance: Any = None,
    **how: Any,
) -> tuple[Pairing, NDArray[np.float64], NDArray[np.float64]]:
    """Return the gain of each item, and its discounted gain in the predicted list."""
    given = {"gain": gain, "relevance": relevance}
    MEASURES["dcg"].require_options({**given, **how})
    pairing = pair_up(target, predicted)
    gains = _read_gains(pairing, target, **given)
    return pairing, gains, collect_gains(pairing, gains, **how)


def collect_gains(
    both: Any,
    gains: NDArray[np.float64],
    *,
    k: int | None = None,
    retrieved: int | None = None,
    base: float = 2,
    ties: str = "average",
) -> NDArray[np.float64]:
    """Return the gain of each item, discounted by its position in the prediction."""
    discounts, depth = _log_discounts(both.n, base), both.depths(k)
    if isinstance(both, Pairing):
        discounts[depth if retrieved is None else min(depth, retrieved) :] = 0
    else:
        discounts = np.where(np.arange(both.n) < depth, discounts, 0)
    if isinstance(both, Pairing) and not both.predicted.is_weak:
        if ties == "average":
            return gains * expected_discounts(both, discounts)
        raise NotApplicableError(
            f"expected ties='average' for a partial order as predicted, found {ties!r}: no fast "
            "algorithm is known for its best or worst linear extension"
        )
    broken = both if ties == "average" else break_ties(both, gains, ties)
    # Each item has the mean discount of its tie.
    collected: NDArray[np.float64] = gains * broken.guess.mean_over_ties(discounts)
    return collected


def ideal_gain(gains: NDArray[np.float64], *, k: int | None, base: float) -> Any:
    """Return the maximum DCG, which is that of the items sorted by gain."""
    best_first = np.sort(gains, axis=-1)[..., ::-1]
    return _sum((best_first * _log_discounts(gains.shape[-1], base))[..., :k])


def _read_gains(both: Pairing, given: Any, *, gain: str, relevance: Any) -> NDArray[np.float64]:
    """Return the gain of each item of the target, given as a graph or as scores."""
    if relevance is not None:
        grades = read_relevance(both.target, relevance)
    elif gain == "grade" and has_scores(given):
        return read_scored_gains(both.target, given, least=0.0)
    else:
        if gain in _BY_LEVEL:
            require_levels(both.target)
        grades = _gains_of_order(both.truth, gain)
    return _exponential(grades) if gain == "exponential" else grades


def has_scores(order: OrderLike | CompiledOrder) -> bool:
    """Return whether an order is given as scores, which can be gains."""
    return not isinstance(order, (nx.Graph, CompiledOrder, Ranks))


def require_levels(target: CompiledOrder) -> None:
    """Raise an error unless a target is a weak order, whose levels are grades."""
    if not target.is_weak:
        raise NotApplicableError(
            "expected a weak order as target, because its levels are the grades, found a partial "
            "order; pass relevance=, a mapping from items to numbers"
        )


def read_relevance(target: CompiledOrder, relevance: Any) -> NDArray[np.float64]:
    """Return the relevance of each item, or raise an error if one is missing or negative."""
    grades = read_weights(relevance, target.items, kind="relevance")
    if grades.max(initial=0) > LARGEST_GAIN:
        raise PorankError(f"expected a relevance of at most 2**1000, found {grades.max():g}")
    return grades


def read_scored_gains(
    target: CompiledOrder, scores: Any, *, least: float = -math.inf
) -> NDArray[np.float64]:
    """Return the scores of the target as gains, clipped at `least`."""
    if not has_scores(scores):
        raise NotApplicableError(
            "expected scores as target, found a graph or ranks; pass scores, or relevance=, a "
            "mapping from items to numbers"
        )
    gains = scores_as_floats(scores).clip(least)
    wrong = np.flatnonzero(~((gains >= 0) & (gains <= LARGEST_GAIN)))
    if wrong.size:
        # Such scores are fine as an order, but not as gains.
        raise NotApplicableError(
            f"expected scores from 0 to 2**1000, because they are gains, found {gains[wrong[0]]:g} "
            f"for {quoted(target.items[wrong[0]])}; pass relevance=, or gain='level' to dcg or ndcg"
        )
    return gains


def _exponential(grades: NDArray[np.float64]) -> NDArray[np.float64]:
    highest = grades.max(initial=0)
    if highest > _LARGEST_EXPONENT:
        raise NotApplicableError(
            f"expected grades of at most {_LARGEST_EXPONENT} for gain='exponential', found "
            f"{highest:g}; use gain='level' instead"
        )
    gains: NDArray[np.float64] = np.exp2(grades) - 1
    return gains


def break_ties(pairing: Pairing, gains: NDArray[np.float64], ties: str) -> Pairing:
    """Return two orders, with the prediction's ties broken by gain, unless `ties` is "average"."""
    if ties == "average":
        return pairing
    within = levels_of_values(gains if ties == "optimistic" else -gains)
    joined = pairing.predicted_levels * (within.max(initial=0) + 1) + within
    levels = np.unique(joined, return_inverse=True)[1]
    broken = CompiledOrder(pairing.target.items, levels, tie=np.full(pairing.n, -1))
    return Pairing(pairing.target, broken)


def _log_discounts(n: int, base: Any) -> NDArray[np.float64]:
    """Return the discounts of DCG for the positions i = 1..n."""
    # 1 / log_b(1 + i) = log2(b) / log2(1 + i)
    discounts: NDArray[np.float64] = math.log2(require_base(base)) / np.log2(np.arange(2, n + 2))
    return discounts
