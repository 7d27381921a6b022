"""Retrieval measures: the positions of relevant items in a list, and the overlap of two lists.

Conventions
-----------
The prediction is a list with the best item at position 1. If it has ties, the value is the exact
mean over all ways to break them. For `reciprocal_rank` and `average_precision` the target has two
levels, and the items of the upper one are relevant. For `expected_reciprocal_rank` its levels are
grades. `rank_biased_overlap` compares two lists at each depth. Other modules have related measures:
`porank.measures.gains` (DCG), `porank.measures.top_k` (the first k positions) and
`porank.measures.agreement` (precision and recall of preferences).

Public: `reciprocal_rank`, `average_precision`, `expected_reciprocal_rank`, `rank_biased_overlap`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.errors import NotApplicableError, PorankError
from porank.measures.gains import break_ties, read_grades, require_list
from porank.measures.measure import ratio
from porank.measures.options import require_options
from porank.measures.pair_table import pair_up, require_weak

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from porank.typing import Numbers, OrderLike


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
    target, predicted : DiGraph or scores
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
        If `k` or `ties` is invalid.

    See Also
    --------
    average_precision, expected_reciprocal_rank, ndcg

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
    options = {"ties": ties, "undefined": undefined, "k": k}
    return value_by_relevant(target, predicted, reciprocal_rank_parts, **options)


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
    target, predicted : DiGraph or scores
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
        If `k` or `ties` is invalid.

    See Also
    --------
    reciprocal_rank, expected_reciprocal_rank, ndcg

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
    options = {"ties": ties, "undefined": undefined, "k": k}
    return value_by_relevant(target, predicted, average_precision_parts, **options)


def value_by_relevant(
    target: OrderLike,
    predicted: OrderLike,
    parts: Callable[..., tuple[Any, Any]],
    *,
    ties: str,
    undefined: Any,
    **options: Any,
) -> float:
    """Return the value of a retrieval measure, whose kernel is `parts`."""
    # It has the options of all these measures.
    require_options("precision_at_k", ties=ties, **options)
    pairing = pair_up(target, predicted)
    require_list(pairing)
    levels, is_weak = len(pairing.target.sizes), pairing.target.is_weak
    if not is_weak or levels > 2:
        found = f"{levels} levels" if is_weak else "a partial order"
        raise NotApplicableError(
            f"expected a target of two levels, the relevant items above the others, found {found}; "
            "expected_reciprocal_rank and ndcg accept more levels"
        )
    both = break_ties(pairing, -pairing.target.levels.astype(np.float64), ties)
    why = "the target has fewer than two levels"
    return ratio(*parts(both, **options), undefined=undefined, why=why)


def reciprocal_rank_parts(both: Any, *, k: int | None = None) -> tuple[Any, Any]:
    """Return numerator and denominator of `reciprocal_rank`, items along the last axis."""
    chance, place = first_hits(both)
    counted = np.where(place <= both.depths(k), chance / place, 0)
    return counted.sum(axis=-1), both.truth.height > 1


def first_hits(both: Any) -> tuple[NDArray[np.float64], Numbers]:
    """Return the possible positions of the first relevant item, and their probabilities.

    The j-th probability is that of j items of its tie before it.
    """
    relevant, above = both.truth.levels == 0, both.guess.above
    before = np.where(relevant, above, both.n).min(axis=-1, keepdims=True, initial=both.n)
    is_first = above == before
    size = is_first.sum(axis=-1, keepdims=True)
    hits = (is_first & relevant).sum(axis=-1, keepdims=True)
    j = np.arange(both.n)
    left = np.maximum(size - j, 1)
    missed = np.cumprod(np.maximum(size - hits - j, 0) / left, axis=-1)
    none_yet = np.concatenate([np.ones_like(missed[..., :1]), missed[..., :-1]], axis=-1)
    return none_yet * hits / left, before + 1 + j


def average_precision_parts(both: Any, *, k: int | None = None) -> tuple[Any, Any]:
    """Return numerator and denominator of `average_precision`, items along the last axis.

    The term of a position is the probability of a relevant item there times the mean precision in
    that case, and 0 below position `k`.
    """
    relevant, above = both.truth.levels == 0, both.guess.above
    order = np.argsort(above, axis=-1)
    begin, length = (np.take_along_axis(each, order, -1) for each in (above, both.guess.beside))
    found = np.cumsum(np.take_along_axis(relevant, order, -1), axis=-1)
    found = np.concatenate([np.zeros_like(found[..., :1]), found], axis=-1)
    before = np.take_along_axis(found, begin, -1)
    hits: Numbers = np.take_along_axis(found, begin + length, -1) - before
    place = np.arange(1, both.n + 1)
    others = (place - begin - 1) * (hits - 1) / np.maximum(length - 1, 1)
    terms = hits / length * (before + 1 + others) / place
    counted = np.where(place <= both.depths(k), terms, 0)
    return counted.sum(axis=-1), relevant.sum(axis=-1) * (both.truth.height > 1)


def expected_reciprocal_rank(
    target: OrderLike,
    predicted: OrderLike,
    *,
    relevance: Any = None,
    highest: float | None = None,
    k: int | None = None,
    ties: str = "average",
) -> float:
    """Return the expected reciprocal rank (ERR).

    In the cascade model, a reader goes down the list and stops at an item of grade g with
    probability (2**g - 1) / 2**highest. ERR is the expectation of 1 / (position at which the reader
    stops), with 0 for a reader who never stops.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two weak orders on the same items. The grades are the levels of the target, counted from 0
        at the bottom.
    relevance : mapping or array, optional
        Grade of each item, at least 0, to use instead of levels. The target then only provides the
        items.
    highest : number, optional
        Highest grade of the scale; by default the highest grade that occurs.
    k : int, optional
        Number of positions that count, at least 1; by default all.
    ties : {"average", "optimistic", "pessimistic"}
        Value to return for a prediction with ties: the mean, the maximum or the minimum over all
        ways to break them.

    Returns
    -------
    float in [0, 1]
        0 if all items have grade 0.

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.
    NotApplicableError
        If the prediction is not a weak order, or if the target is not and there is no relevance.
    PorankError
        If an option is invalid, or if a relevance is missing, NaN or negative.

    See Also
    --------
    reciprocal_rank, average_precision, ndcg

    Examples
    --------
    >>> import porank as po
    >>> po.expected_reciprocal_rank({"a": 2, "b": 1, "c": 0}, {"b": 9, "a": 5, "c": 3})
    0.53125

    Notes
    -----
    O(n log n) for n items, plus up to O(g**2) for each tie of g items with different grades. The
    mean share of readers left after m items of a tie is the elementary symmetric polynomial of
    degree m of the probabilities of going on, divided by C(g, m).

    References
    ----------
    .. [1] O. Chapelle, D. Metzler, Y. Zhang, P. Grinspan, "Expected reciprocal rank for graded
       relevance", CIKM 2009, pp. 621-630. https://doi.org/10.1145/1645953.1646033
    """
    require_options("expected_reciprocal_rank", highest=highest, k=k, ties=ties)
    pairing = pair_up(target, predicted)
    require_list(pairing)
    grades = read_grades(pairing.target, relevance=relevance)
    top = float(grades.max(initial=0))
    if highest is not None and highest < top:
        raise PorankError(
            f"expected highest to be a number not below the highest grade, {top:g}, "
            f"found {highest!r}"
        )
    # The highest grade of the scale.
    scale = top if highest is None else float(highest)
    levels = break_ties(pairing, grades, ties).predicted_levels
    depth = pairing.depths(k)
    leaving = np.exp2(grades - scale) - np.exp2(-scale)
    remaining = np.array(_readers_left(levels, 1 - leaving)[: depth + 1])
    return math.fsum((remaining[:-1] - remaining[1:]) / np.arange(1, depth + 1))


#: A share of readers so small that floats of order 1 do not change if it is added.
_NOTHING = 1e-25


def _readers_left(levels: Numbers, staying: NDArray[np.float64]) -> list[float]:
    """Return the mean share of readers that are left after each position."""
    ends = np.cumsum(np.bincount(levels)).tolist()
    # Sort within ties, so rounding does not depend on the numbering of the items.
    listed = staying[np.lexsort((staying, levels))]
    left = [1.0]
    for begin, end in zip([0, *ends], ends, strict=False):
        entered = left[-1]
        if not entered:
            break
        left += [entered * mean for mean in _symmetric_means(listed[begin:end])]
    return left + [0.0] * (levels.size + 1 - len(left))


def _symmetric_means(factors: NDArray[np.float64]) -> list[float]:
    """Return the mean product over all choices of m = 1, 2, ... of the factors in [0, 1].

    Idea: *of all choices of m of g factors, a share of m / g include the last factor.* The mean
    product of m factors is at most the m-th power of their mean (Maclaurin), so we can stop when
    this is negligible.
    """
    size = factors.size
    if factors.min() == factors.max():
        powers: list[float] = (factors[0] ** np.arange(1, size + 1)).tolist()
        return powers
    length, mean = size, float(factors.mean())
    # The mean can be rounded to 1.
    if mean < 1:
        length = min(size, math.ceil(math.log(_NOTHING) / math.log(mean)))
    m = np.arange(length + 1)
    means = np.zeros(length + 1)
    means[0] = 1.0
    for g, last in enumerate(factors.tolist(), start=1):
        including = np.concatenate(([0.0], means[:-1]))
        means = (m * last * including + (g - m) * means) / g
    return [*means[1:].tolist(), *[0.0] * (size - length)]


def rank_biased_overlap(
    target: OrderLike,
    predicted: OrderLike,
    *,
    p: float = 0.9,
    k: int | tuple[int, int] | None = None,
    ties: str = "a",
    undefined: Any = math.nan,
) -> float:
    """Return the extrapolated rank-biased overlap (RBO) of two lists.

    RBO is the weighted mean of the agreements A_d at the depths d = 1, 2, ..., with weights
    (1 - p) p**(d - 1). For lists without ties, A_d is the share of items that the first d items of
    both lists have in common. Beyond the known depth k, A_d is taken to be A_k.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two weak orders on the same items.
    p : number
        Probability of going on to the next depth, greater than 0 and less than 1.
    k : int or pair of int, optional
        Depth up to which the lists are known, at least 1; by default, and at most, the number of
        items. A pair has the depths of the target and of the prediction.
    ties : {"a", "b", "w"}
        How to treat ties.

        * ``"a"``: the sequence of tied items is unknown, and the agreement is the mean over all
          ways to break the ties.
        * ``"b"``: as ``"a"``, but corrected for ties, so equal lists have the value 1.
        * ``"w"``: tied items share a rank, so a depth that reaches one of them includes all.
    undefined : float or "raise"
        Value to return if there are no items; ``"raise"`` raises `UndefinedError`.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.
    NotApplicableError
        If one of the orders is not a weak order.
    PorankError
        If `p`, `k` or `ties` is invalid, or if the lists have different depths and a tie of the
        shorter list extends beyond its depth.

    See Also
    --------
    ap_correlation, align

    Examples
    --------
    >>> import porank as po
    >>> first, second = po.from_ranking([1, 2, 3, 4, 5]), po.from_ranking([2, 3, 4, 1, 5])
    >>> round(po.rank_biased_overlap(first, second), 9)
    0.828

    A list of the top three items and a list of the top two; the rest of both is unknown:

    >>> lists = po.align(
    ...     po.from_ranking("abc"), po.from_ranking("bd"), how="union", missing="below"
    ... )
    >>> round(po.rank_biased_overlap(*lists, k=(3, 2)), 9)
    0.45

    Two equal lists with a tie:

    >>> tied = {"a": 2, "b": 1, "c": 1}
    >>> [round(po.rank_biased_overlap(tied, tied, ties=ties), 9) for ties in "abw"]
    [0.9775, 1.0, 1.0]

    Notes
    -----
    O(n log n) for n items.

    Let c be the share of an item that is among the first d items of a list. For an item tied on the
    ranks t to b, it is 0 if d < t, and otherwise min(1, (d - t + 1) / (b - t + 1)), or 1 for
    ``"w"``. With c and c' for the two lists, and sums over all items, A_d is sum(c c') / d for
    ``"a"``, sum(c c') / sqrt(sum(c²) sum(c'²)) for ``"b"``, and 2 sum(c c') / (sum(c) + sum(c'))
    for ``"w"``.

    If one list is known to depth s and the other to depth l > s, we assume for each depth d from
    s + 1 to l that the d - s unknown items agree like the first s: they add (d - s) A_s times the
    mean positive c, in the longer list, of the items that the shorter list does not contain. This
    is RBO_EXT of [1]_ and [2]_.

    References
    ----------
    .. [1] W. Webber, A. Moffat, J. Zobel, "A similarity measure for indefinite rankings", ACM
       Transactions on Information Systems 28(4), 2010, article 20.
       https://doi.org/10.1145/1852102.1852106
    .. [2] M. Corsi, J. Urbano, "The treatment of ties in rank-biased overlap", SIGIR 2024.
       https://arxiv.org/abs/2406.07121
    """
    require_options("rank_biased_overlap", p=p, k=k, ties=ties)
    pairing = pair_up(target, predicted)
    require_weak(pairing, why="rank-biased overlap compares lists")
    if isinstance(k, tuple):
        shorter = pairing.truth if k[0] <= k[1] else pairing.guess
        if k[0] != k[1] and ((shorter.above < min(k)) & (pairing.n - shorter.below > min(k))).any():
            raise PorankError(
                f"cannot tell the first {min(k)} items of the shorter list: a tie extends beyond "
                "them; choose k at the end of a tie"
            )
    parts = overlap_parts(pairing, p=p, k=k, ties=ties) if pairing.n else (0, 0)
    return ratio(*parts, undefined=undefined, why="there are no items")


def overlap_parts(both: Any, *, p: Any = 0.9, k: Any = None, ties: str = "a") -> tuple[Any, int]:
    """Return the rank-biased overlap of two non-empty lists, and 1 as the denominator."""
    of_target, of_predicted = k if isinstance(k, tuple) else (k, k)
    sides = (both.truth, both.depths(of_target)), (both.guess, both.depths(of_predicted))
    if isinstance(k, tuple) and of_predicted < of_target:
        sides = sides[::-1]
    (short, known), (long, depth) = sides
    lists = _Tied(short, ties), _Tied(long, ties)
    known, depth, d = np.asarray(known), np.asarray(depth), np.arange(1, both.n + 1)
    agreement = _overlaps(*lists) / _mean_norm(lists[0].norm, lists[1].norm, ties)
    if np.any(known < depth):
        at_known = np.where(d == known, agreement, 0).sum(axis=-1, keepdims=True)
        agreement = np.where(d > known, _extended(*lists, known, at_known, ties), agreement)
    # Empty lists have no agreement.
    apart = np.where(depth > 0, 1 - agreement, 1)
    last = np.where(d == np.maximum(depth, 1), float(p) ** depth * apart, 0)
    # The weights add up to 1. Summing disagreements gives exactly 1 for equal total orders.
    weighed = np.where(d <= depth, (1 - p) * float(p) ** (d - 1) * apart, 0)
    return np.clip(1 - (weighed + last).sum(axis=-1), 0.0, 1.0), 1


class _Tied:
    """A list with ties, for rank-biased overlap.

    Idea: *an item of a tie of g items is among the first d with a probability that grows by 1/g at
    each of its ranks. It is the same for all items of the tie.* For "w" it is 1.
    """

    def __init__(self, side: Any, ties: str) -> None:
        self.best, self.worst = side.above + 1, side.n - side.below
        begin, end = np.sort(self.best, axis=-1), np.sort(self.worst, axis=-1)
        size, into = end - begin + 1, np.arange(2, side.n + 2) - begin
        #: At each depth, the share of each item of the tie there that is included.
        self.share = np.ones(begin.shape) if ties == "w" else into / size
        #: At each depth, the number of items, and the norm by which the agreement is divided.
        self.length = begin - 1 + size * self.share
        self.norm = begin - 1 + size * (self.share * self.share) if ties == "b" else self.length


def _mean_norm(one: Any, other: Any, ties: str) -> NDArray[np.float64]:
    """Return the denominator of the agreement from the norms of both lists."""
    mean: NDArray[np.float64] = np.sqrt(one * other) if ties == "b" else (one + other) / 2
    return mean


def _overlaps(one: _Tied, other: _Tied) -> NDArray[np.float64]:
    """Return the mean number of items that the first d of two lists share, for d = 1..n."""
    opened, done = np.maximum(one.best, other.best), np.maximum(one.worst, other.worst)
    overlaps: NDArray[np.float64] = (
        _count_between(done, np.full_like(done, opened.shape[-1] + 1))
        + one.share * _count_between(np.maximum(one.best, other.worst), one.worst)
        + other.share * _count_between(np.maximum(other.best, one.worst), other.worst)
        + one.share * other.share * _count_between(opened, np.minimum(one.worst, other.worst))
    )
    return overlaps


def _extended(
    short: _Tied, long: _Tied, known: Any, agreement: Any, ties: str
) -> NDArray[np.float64]:
    """Return the agreement of two lists beyond the known depth of the shorter one."""
    end = np.full_like(long.best, long.best.shape[-1] + 1)
    d, listed = np.arange(1, end.shape[-1] + 1), short.worst <= known
    done, opened = (np.where(listed, ranks, end) for ranks in (long.worst, long.best))
    seen = _count_between(done, end) + long.share * _count_between(opened, done)
    others = _count_between(long.best, end) - _count_between(opened, end)
    unseen = (d - known) * agreement * (long.length - seen) / np.maximum(others, 1)
    extended: NDArray[np.float64] = (seen + unseen) / _mean_norm(d, long.norm, ties)
    return extended


def _count_between(begin: Numbers, end: Numbers) -> Numbers:
    """Return for each depth d the number of items with begin <= d < end."""
    n, some = begin.shape[-1], begin < end
    first = (n + 2) * np.arange(begin.size // max(n, 1)).reshape(*begin.shape[:-1], 1)
    rises, falls = (
        np.bincount((first + place)[some], minlength=(n + 2) * first.size) for place in (begin, end)
    )
    counts: Numbers = np.cumsum((rises - falls).reshape(*begin.shape[:-1], n + 2), axis=-1)
    return counts[..., 1 : n + 1]
