"""Retrieval measures: which items at the first positions of a list are relevant.

Conventions
-----------
The prediction is a list with the best item at position 1. If it has ties, the value is the exact
mean over all ways to break them. The target has two levels, and the items of the upper one are
relevant. Other modules have related measures: `porank.measures.dcg` (grades: DCG and ERR),
`porank.measures.rank_biased_overlap`, and `porank.measures.precision_recall` (precision and recall
of preferences).

Public: `reciprocal_rank`, `average_precision`, `bpref`, `precision_at_k`, `recall_at_k` and
`hit_rate`.
"""

from __future__ import annotations

import math
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.errors import PorankError
from porank.measures.dcg import LIST_CHECKS, break_ties
from porank.measures.measure import entry_for, share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Numbers, OrderLike


_CHECKS = {"k": LIST_CHECKS["k"], "ties": LIST_CHECKS["ties"]}
#: What the measures of relevant items have in common.
_relevant = partial(
    share,
    why="the target has fewer than two levels",
    needs="two-level target, weak prediction",
    otherwise="dcg and ndcg accept it; evaluate(..., relevant=1) makes two levels of grades",
)


def _value(
    function: Any, target: Any, predicted: Any, *, ties: str, undefined: Any, **options: Any
) -> float:
    """Return the value of a measure of relevant items."""
    entry, both = entry_for(function, target, predicted, ties=ties, **options)
    # Relevant items are on level 0.
    broken = break_ties(both, -both.target.levels.astype(np.float64), ties)
    return entry.value(broken, undefined=undefined, **options)


def _reciprocal_rank(both: Any, *, k: int | None = None) -> tuple[Any, Any]:
    """Return numerator and denominator of `reciprocal_rank`, items along the last axis."""
    chance, place = _first_hits(both)
    counted = np.where(place <= both.depths(k), chance / place, 0)
    return counted.sum(axis=-1), both.truth.height > 1


def _first_hits(both: Any) -> tuple[NDArray[np.float64], Numbers]:
    """Return the possible positions of the first relevant item, and their probabilities.

    The j-th probability is that of j items of its tie before it.
    """
    relevant, above = both.truth.levels == 0, both.guess.above
    before = np.where(relevant, above, both.n).min(axis=-1, keepdims=True, initial=both.n)
    is_first = above == before
    size = is_first.sum(axis=-1, keepdims=True)
    hits = (is_first & relevant).sum(axis=-1, keepdims=True)
    # With h relevant items in a tie of g, j others come first with the probability
    # (g - h) / g · (g - h - 1) / (g - 1) ··· (g - h - j + 1) / (g - j + 1) · h / (g - j).
    j = np.arange(size.max(initial=0))
    left = np.maximum(size - j, 1)
    missed = np.cumprod(np.maximum(size - hits - j, 0) / left, axis=-1)
    none_yet = np.concatenate([np.ones_like(missed[..., :1]), missed[..., :-1]], axis=-1)
    return none_yet * hits / left, before + 1 + j


@_relevant(kernel=_reciprocal_rank, checks=_CHECKS)
def reciprocal_rank(
    target: OrderLike,
    predicted: OrderLike,
    *,
    k: int | None = None,
    ties: str = "average",
    undefined: Any = math.nan,
) -> float:
    """Return the reciprocal rank: 1 / (position of the first relevant item).

    It is 0 if no relevant item is among the first `k` items.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two weak orders on the same items. The upper of the target's two levels holds the relevant
        items.
    k : int, optional
        Number of positions that count, at least 1; by default all.
    ties : {"average", "optimistic", "pessimistic"}
        Value to return for a prediction with ties: the mean, the maximum or the minimum over all
        ways to break them.
    undefined : float or "raise"
        Value to return if the target has fewer than two levels; ``"raise"`` raises
        `UndefinedError`.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.
    NotApplicableError
        If the prediction is not a weak order, or the target is not a weak order with at most two
        levels.
    PorankError
        If an option is invalid.

    See Also
    --------
    average_precision, ndcg

    Examples
    --------
    >>> import porank as po
    >>> po.reciprocal_rank({"a": 0, "b": 1, "c": 1}, {"a": 9, "b": 5, "c": 3})
    0.5
    >>> po.reciprocal_rank({"a": 0, "b": 1, "c": 1}, {"a": 9, "b": 9, "c": 3})
    0.75

    Notes
    -----
    O(n log n) for n items. In a tie of g items, of which r are relevant, the first relevant one is
    the j-th with probability C(g - j, r - 1) / C(g, r).

    References
    ----------
    .. [1] E. M. Voorhees, "The TREC-8 question answering track report", TREC-8, 1999, pp. 77-82.
    .. [2] F. McSherry, M. Najork, "Computing information retrieval performance measures efficiently
       in the presence of tied scores", ECIR 2008, pp. 414-421.
       https://doi.org/10.1007/978-3-540-78646-7_38
    """
    return _value(reciprocal_rank, target, predicted, k=k, ties=ties, undefined=undefined)


def _average_precision(both: Any, *, k: int | None = None) -> tuple[Any, Any]:
    """Return numerator and denominator of `average_precision`, items along the last axis.

    The term of a position is the probability of a relevant item there times the mean precision in
    that case, and 0 below position `k`.
    """
    relevant = both.truth.levels == 0
    begin, length, before, hits = _ties_along(both, relevant)
    # With r relevant items before a tie of g items, h of them relevant, that begins after b
    # positions, the term of position i is h / g · (r + 1 + (i - b - 1) (h - 1) / (g - 1)) / i.
    place = np.arange(1, both.n + 1)
    others = (place - begin - 1) * (hits - 1) / np.maximum(length - 1, 1)
    terms = hits / length * (before + 1 + others) / place
    counted = np.where(place <= both.depths(k), terms, 0)
    return counted.sum(axis=-1), relevant.sum(axis=-1) * (both.truth.height > 1)


def _ties_along(both: Any, marked: NDArray[np.bool_]) -> tuple[Any, ...]:
    """Return for each position where its tie begins, the length of the tie, and marked items.

    They are the numbers of marked items before the tie and in it.
    """
    order = np.argsort(both.guess.above, axis=-1)
    sides = both.guess.above, both.guess.unordered
    begin, length = (np.take_along_axis(each, order, -1) for each in sides)
    found = np.cumsum(np.take_along_axis(marked, order, -1), axis=-1)
    found = np.concatenate([np.zeros_like(found[..., :1]), found], axis=-1)
    before = np.take_along_axis(found, begin, -1)
    return begin, length, before, np.take_along_axis(found, begin + length, -1) - before


@_relevant(kernel=_average_precision, checks=_CHECKS)
def average_precision(
    target: OrderLike,
    predicted: OrderLike,
    *,
    k: int | None = None,
    ties: str = "average",
    undefined: Any = math.nan,
) -> float:
    """Return the average precision: the mean precision at the relevant items.

    The precision at position i is the share of relevant items among the first i items. The mean is
    over all relevant items; those below position `k` count as 0.

    Parameters
    ----------
    target, predicted, k, ties, undefined
        As in `reciprocal_rank`.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError, NotApplicableError, PorankError
        As `reciprocal_rank` does.

    See Also
    --------
    reciprocal_rank, ndcg

    Examples
    --------
    >>> import porank as po
    >>> po.average_precision({"a": 1, "b": 0, "c": 1}, {"a": 9, "b": 5, "c": 3})
    0.8333333333333333

    Notes
    -----
    O(n log n) for n items. In a tie of g items, of which r are relevant, the j-th is relevant with
    probability r / g; then on average (j - 1) (r - 1) / (g - 1) of those before it in the tie are
    relevant.

    References
    ----------
    .. [1] C. Buckley, E. M. Voorhees, "Evaluating evaluation measure stability", SIGIR 2000, pp.
       33-40. https://doi.org/10.1145/345508.345543
    .. [2] F. McSherry, M. Najork, "Computing information retrieval performance measures efficiently
       in the presence of tied scores", ECIR 2008, pp. 414-421.
       https://doi.org/10.1007/978-3-540-78646-7_38
    """
    return _value(average_precision, target, predicted, k=k, ties=ties, undefined=undefined)


def _bpref(both: Any, *, retrieved: int | None = None) -> tuple[Any, Any]:
    """Return numerator and denominator of `bpref`, items along the last axis."""
    begin, length, before, within = _ties_along(both, both.truth.levels > 0)
    wanted = (both.truth.levels == 0).sum(axis=-1, keepdims=True)
    most = np.maximum(np.minimum(wanted, both.n - wanted), 1)
    # With b irrelevant items before a tie and w in it, a relevant item of the tie has b + x above,
    # with x = 0, ..., w equally likely. The mean of min(b + x, m) is, with r = min(w, m - b),
    # min(b, m) + r (2w + 1 - r) / (2w + 2).
    room = np.clip(most - before, 0, within)
    above = np.minimum(before, most) + room * (2 * within + 1 - room) / (2 * within + 2)
    chance = np.clip((both.depths(retrieved) - begin) / length, 0, 1)
    is_mixed = (chance % 1 > 0) & (within % length > 0)
    if is_mixed.ndim == 1 and is_mixed.any():
        raise PorankError(
            "expected retrieved to end where no tie of relevant and other items does, found "
            f"{retrieved}; ties='optimistic' and ties='pessimistic' break ties"
        )
    terms = chance * (1 - within / length) * (1 - above / most)
    counted = np.where(is_mixed, np.nan, terms).sum(axis=-1)
    return counted, wanted[..., 0] * (both.truth.height > 1)


@_relevant(
    kernel=_bpref, checks={name: LIST_CHECKS[name] for name in ("retrieved", "ties")}, judged=True
)
def bpref(
    target: OrderLike,
    predicted: OrderLike,
    *,
    retrieved: int | None = None,
    ties: str = "average",
    undefined: Any = math.nan,
) -> float:
    """Return bpref: how rarely a judged irrelevant item is ranked above a relevant one.

    With R relevant and N irrelevant items, it is the sum of 1 - min(n, R) / min(R, N) over the
    relevant items that are retrieved, divided by R, where n is the number of irrelevant items above
    the relevant item. It is made for incomplete judgments: unjudged items are not counted at all.

    Parameters
    ----------
    target, predicted, retrieved, ties, undefined
        As in `precision_at_k`, for orders of the judged items. By default, `evaluate` leaves
        unjudged items out.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError, NotApplicableError, PorankError
        As `precision_at_k` does. Also if the retrieved items end within a tie of relevant and other
        items whose mean is asked for.

    See Also
    --------
    average_precision, auc, evaluate

    Examples
    --------
    >>> import porank as po
    >>> judged = {"a": 1, "b": 0, "c": 1, "d": 0, "e": 0, "f": 1}
    >>> po.bpref(judged, {"a": 6, "b": 5, "c": 4, "d": 3, "e": 2, "f": 1})
    0.5555555555555556

    Notes
    -----
    O(n log n) for n items. The formula is that of trec_eval, which counts at most R irrelevant
    items above each relevant one and corrects the first definition [1]_ if N is less than R. If R
    is at least N and all items are retrieved, it is the `auc` of the judged items.

    References
    ----------
    .. [1] C. Buckley, E. M. Voorhees, "Retrieval evaluation with incomplete information", SIGIR
       2004, pp. 25-32. https://doi.org/10.1145/1008992.1009000
    """
    return _value(bpref, target, predicted, retrieved=retrieved, ties=ties, undefined=undefined)


def _precision_at_k(
    both: Any, *, k: int | None = None, retrieved: int | None = None
) -> tuple[Any, Any]:
    """Return numerator and denominator of `precision_at_k`, items along the last axis."""
    found, wanted = _found_at(both, k, retrieved)
    return found, wanted[..., 0] * (both.truth.height > 1)


def _found_at(both: Any, k: int | None, retrieved: int | None) -> tuple[Any, NDArray[Any]]:
    """Return how many relevant items the first k positions hold on average, and k, as a column."""
    wanted, depth = _depth(both, k, retrieved)
    # With a items above a tie of g items, each of them is among the first k with the probability
    # (k - a) / g, between 0 and 1.
    chance = np.clip((depth - both.guess.above) / both.guess.unordered, 0, 1)
    # Sort, so rounding does not depend on the numbering of the items.
    return np.sort(chance * (both.truth.levels == 0), axis=-1).sum(axis=-1), wanted


def _depth(both: Any, k: int | None, retrieved: int | None) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return k, and how many of the first k positions the list has, as columns."""
    relevant = (both.truth.levels == 0).sum(axis=-1, keepdims=True)
    # As a float, k can be of any size.
    wanted = relevant if k is None else np.full(relevant.shape, float(min(k, sys.float_info.max)))
    return wanted, np.minimum(wanted, both.depths(retrieved))


@_relevant(kernel=_precision_at_k, checks=LIST_CHECKS)
def precision_at_k(
    target: OrderLike,
    predicted: OrderLike,
    *,
    k: int | None = None,
    retrieved: int | None = None,
    ties: str = "average",
    undefined: Any = math.nan,
) -> float:
    """Return the precision at k: the share of relevant items among the first k positions.

    If the list has fewer than k items, the missing ones count as irrelevant.

    Parameters
    ----------
    target, predicted
        As in `reciprocal_rank`.
    k : int, optional
        Number of positions; by default the number of relevant items, which makes it R-precision.
    retrieved : int, optional
        Number of items that the predicted list has; by default all. Items ranked below it count as
        not retrieved.
    ties, undefined
        As in `reciprocal_rank`.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError, NotApplicableError, PorankError
        As `reciprocal_rank` does.

    See Also
    --------
    recall_at_k, hit_rate, average_precision

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = {"a": 1, "b": 0, "c": 1, "d": 0}, {"a": 9, "b": 7, "c": 5, "d": 3}
    >>> po.precision_at_k(target, predicted, k=3), po.precision_at_k(target, predicted, k=10)
    (0.6666666666666666, 0.2)

    Notes
    -----
    O(n log n) for n items. If m of g tied items are among the first k positions, each of the g
    items is there with probability m / g.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan, H. Schütze, "Introduction to Information Retrieval",
       Cambridge University Press, 2008, section 8.4. https://doi.org/10.1017/CBO9780511809071
    """
    options = {"ties": ties, "undefined": undefined, "k": k, "retrieved": retrieved}
    return _value(precision_at_k, target, predicted, **options)


def _recall_at_k(
    both: Any, *, k: int | None = None, retrieved: int | None = None
) -> tuple[Any, Any]:
    """Return numerator and denominator of `recall_at_k`, items along the last axis."""
    found, _ = _found_at(both, k, retrieved)
    return found, (both.truth.levels == 0).sum(axis=-1) * (both.truth.height > 1)


@_relevant(kernel=_recall_at_k, checks=LIST_CHECKS)
def recall_at_k(
    target: OrderLike,
    predicted: OrderLike,
    *,
    k: int | None = None,
    retrieved: int | None = None,
    ties: str = "average",
    undefined: Any = math.nan,
) -> float:
    """Return the recall at k: the share of relevant items that are at the first k positions.

    Parameters
    ----------
    target, predicted, k, retrieved, ties, undefined
        As in `precision_at_k`.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError, NotApplicableError, PorankError
        As `precision_at_k` does.

    See Also
    --------
    precision_at_k, hit_rate, average_precision

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = {"a": 1, "b": 0, "c": 1, "d": 0}, {"a": 9, "b": 7, "c": 5, "d": 3}
    >>> po.recall_at_k(target, predicted, k=1), po.recall_at_k(target, predicted, k=3)
    (0.5, 1.0)

    Notes
    -----
    O(n log n) for n items.
    """
    options = {"ties": ties, "undefined": undefined, "k": k, "retrieved": retrieved}
    return _value(recall_at_k, target, predicted, **options)


def _hit_rate(both: Any, *, k: int | None = None, retrieved: int | None = None) -> tuple[Any, Any]:
    """Return numerator and denominator of `hit_rate`, items along the last axis."""
    chance, place = _first_hits(both)
    counted = np.where(place <= _depth(both, k, retrieved)[1], chance, 0)
    return np.minimum(counted.sum(axis=-1), 1), both.truth.height > 1


@_relevant(kernel=_hit_rate, checks=LIST_CHECKS)
def hit_rate(
    target: OrderLike,
    predicted: OrderLike,
    *,
    k: int | None = None,
    retrieved: int | None = None,
    ties: str = "average",
    undefined: Any = math.nan,
) -> float:
    """Return the hit rate at k: 1 if any of the first k items is relevant, else 0.

    If the list has ties, it is the share of the ways to break the ties for which it is 1.

    Parameters
    ----------
    target, predicted, k, retrieved, ties, undefined
        As in `precision_at_k`.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError, NotApplicableError, PorankError
        As `precision_at_k` does.

    See Also
    --------
    precision_at_k, recall_at_k, reciprocal_rank

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = {"a": 0, "b": 1, "c": 0}, {"a": 9, "b": 5, "c": 3}
    >>> po.hit_rate(target, predicted, k=1), po.hit_rate(target, predicted, k=2)
    (0.0, 1.0)
    >>> po.hit_rate(target, {"a": 9, "b": 9, "c": 3}, k=1)
    0.5

    Notes
    -----
    O(n log n) for n items.
    """
    options = {"ties": ties, "undefined": undefined, "k": k, "retrieved": retrieved}
    return _value(hit_rate, target, predicted, **options)
