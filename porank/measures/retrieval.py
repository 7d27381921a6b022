"""Where the relevant items stand in a predicted list, and how much two lists share.

Conventions
-----------
The prediction is a list, position 1 its best item; where it is tied, the value is the mean over all
ways to break the ties, exactly. For `reciprocal_rank` and `average_precision` the target has two
levels, of which the upper is relevant; for `expected_reciprocal_rank` its levels are grades, and a
reader who goes down the list stops where he is satisfied; for `rank_biased_overlap` both are lists,
compared depth by depth, the top weighing most. Cumulative gains are in `porank.measures.gains`,
what the first k positions hold in `porank.measures.top_k`, precision and recall of preferences in
`porank.measures.agreement`.

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
    """Return the reciprocal rank: one over the position of the first relevant item.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two weak orders on the same items, the target of two levels.
    k : int, optional
        How many positions count, from 1 on; by default all.
    ties : {"average", "optimistic", "pessimistic"}
        The mean over all ways to break the ties of the prediction, the best, or the worst.
    undefined : float or "raise"
        What to return when the target has one level or none.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.
    NotApplicableError
        If the prediction is not weak, or the target not weak or of three or more levels.
    PorankError
        If `k` is out of its range, or `ties` none of the choices.

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
    Time O(n log n). Of a tie of g items, r of them relevant, the first j - 1 are irrelevant and the
    next is not with probability C(g - j, r - 1) / C(g, r).

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

    The precision at position i is the share of relevant items among the first i. The mean is over
    all relevant items; one beyond the first `k` positions has precision 0.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two weak orders on the same items, the target of two levels.
    k : int, optional
        How many positions count, from 1 on; by default all.
    ties : {"average", "optimistic", "pessimistic"}
        The mean over all ways to break the ties of the prediction, the best, or the worst.
    undefined : float or "raise"
        What to return when the target has one level or none.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.
    NotApplicableError
        If the prediction is not weak, or the target not weak or of three or more levels.
    PorankError
        If `k` is out of its range, or `ties` none of the choices.

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
    Time O(n log n). Of a tie of g items, r of them relevant, the jth is relevant with probability
    r / g, and then (j - 1) (r - 1) / (g - 1) of those before it in the tie are so on average.

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
    """Return a retrieval measure by where the relevant items, the upper of two levels, stand."""
    # Its options are those of all these measures.
    require_options("precision_at_k", ties=ties, **options)
    pairing = pair_up(target, predicted)
    require_list(pairing)
    levels, is_weak = len(pairing.target.sizes), pairing.target.is_weak
    if not is_weak or levels > 2:
        found = f"{levels} levels" if is_weak else "a partial order"
        raise NotApplicableError(
            f"expected a target of two levels, the relevant items above the others, found {found}; "
            "expected_reciprocal_rank and ndcg take graded targets"
        )
    both = break_ties(pairing, -pairing.target.levels.astype(np.float64), ties)
    why = "the target does not tell relevant from irrelevant items"
    return ratio(*parts(both, **options), undefined=undefined, why=why)


def reciprocal_rank_parts(both: Any, *, k: int | None = None) -> tuple[Any, Any]:
    """Return numerator and denominator of `reciprocal_rank`, items along the last axis."""
    chance, place = first_hits(both)
    counted = np.where(place <= both.depths(k), chance / place, 0)
    return counted.sum(axis=-1), both.truth.height > 1


def first_hits(both: Any) -> tuple[NDArray[np.float64], Numbers]:
    """Return where the first relevant item of a list may stand: chances, and the positions.

    The j-th chance is that of j items of its tie before it.
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

    Each summand, one for each position, is the chance of a hit times the mean precision that it
    then has; 0 beyond the depth.
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
    """Return the expected reciprocal rank (ERR) of the cascade model.

    A reader goes down the list and stops at an item of grade g with probability
    R = (2**g - 1) / 2**highest, so that ERR is the sum over i of R_i / i times the product of
    1 - R_j over j < i.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two weak orders on the same items; the grades are the levels of the target, the lowest 0.
    relevance : mapping or array, optional
        Grades to use instead: item -> number from 0 on. The target then only names the items.
    highest : number, optional
        The highest grade of the scale; by default the highest that occurs.
    k : int, optional
        How many positions count, from 1 on; by default all.
    ties : {"average", "optimistic", "pessimistic"}
        The mean over all ways to break the ties of the prediction, the best, or the worst.

    Returns
    -------
    float in [0, 1]
        0 if all items have grade 0.

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.
    NotApplicableError
        If the prediction is not weak, or the target is not and no relevance is given.
    PorankError
        If an option is out of its range, or relevance is missing for an item, NaN or negative.

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
    Time O(n log n), and for a tie of g items of different grades O(g) for each position until
    hardly a reader is left, at most O(g**2). The readers left after m items of a tie are, in the
    mean over all ways to break it, the elementary symmetric polynomial of degree m in the
    1 - R, divided by C(g, m).

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
            f"expected highest to be a number from the highest grade, {top:g}, on, "
            f"found {highest!r}"
        )
    # The grade at which all readers are satisfied.
    scale = top if highest is None else float(highest)
    levels = break_ties(pairing, grades, ties).predicted_levels
    depth = pairing.depths(k)
    leaving = np.exp2(grades - scale) - np.exp2(-scale)
    remaining = np.array(_readers_left(levels, 1 - leaving)[: depth + 1])
    return math.fsum((remaining[:-1] - remaining[1:]) / np.arange(1, depth + 1))


#: A share of readers so small that it adds nothing to a sum of order one.
_NOTHING = 1e-25


def _readers_left(levels: Numbers, staying: NDArray[np.float64]) -> list[float]:
    """Return, for expected reciprocal rank, the mean share of readers left after each position."""
    ends = np.cumsum(np.bincount(levels)).tolist()
    # Within a tie by value, so that not even the last digit depends on how the items are numbered.
    listed = staying[np.lexsort((staying, levels))]
    left = [1.0]
    for begin, end in zip([0, *ends], ends, strict=False):
        entered = left[-1]
        if not entered:
            break
        left += [entered * mean for mean in _symmetric_means(listed[begin:end])]
    return left + [0.0] * (levels.size + 1 - len(left))


def _symmetric_means(factors: NDArray[np.float64]) -> list[float]:
    """Return the mean product of m = 1, 2, ... of the chances in [0, 1] that a reader reads on.

    Idea: *of m out of g factors, the last one is among them m times out of g.* The mean product of
    m factors is at most the m-th power of their mean (Maclaurin), so that from some m on nothing is
    left that a float would see.
    """
    size = factors.size
    if factors.min() == factors.max():
        powers: list[float] = (factors[0] ** np.arange(1, size + 1)).tolist()
        return powers
    length, mean = size, float(factors.mean())
    # It may be so close to 1 that it is rounded to it.
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

    With A_d the agreement of the first d of the one list and the first d of the other, RBO is
    (1 - p) times the sum of p**(d - 1) A_d over d = 1, 2, ..., where A_d is known up to depth k and
    taken to be A_k from there on. Without ties A_d is the share of items that the two have in
    common.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two weak orders on the same items.
    p : number
        The probability to go on to the next depth, between 0 and 1, without these.
    k : int or pair of int, optional
        Down to which depth the lists are known, from 1 on; by default, and at most, n, where both
        have all items in common. A pair has the depth of the target and that of the prediction.
    ties : {"a", "b", "w"}
        What ties mean. "a": nobody knows which item comes first, and the agreement is the mean over
        all ways to break them. "b": the same, corrected for what ties hide, so that equal lists
        have the value 1. "w": tied items share a rank, and a depth that reaches one of them has all
        of them.
    undefined : float or "raise"
        What to return when there is no item.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.
    NotApplicableError
        If one of them is not weak.
    PorankError
        If `p`, `k` or `ties` is out of its range, or the shorter of two lists of different lengths
        has a tie across its depth.

    See Also
    --------
    ap_correlation, align

    Examples
    --------
    >>> import porank as po
    >>> first, second = po.from_ranking([1, 2, 3, 4, 5]), po.from_ranking([2, 3, 4, 1, 5])
    >>> round(po.rank_biased_overlap(first, second), 9)
    0.828

    Lists of the top three and of the top two, of which the rest is unknown:

    >>> lists = po.align(
    ...     po.from_ranking("abc"), po.from_ranking("bd"), how="union", missing="below"
    ... )
    >>> round(po.rank_biased_overlap(*lists, k=(3, 2)), 9)
    0.45

    Two lists that agree, with a tie:

    >>> tied = {"a": 2, "b": 1, "c": 1}
    >>> [round(po.rank_biased_overlap(tied, tied, ties=ties), 9) for ties in "abw"]
    [0.9775, 1.0, 1.0]

    Notes
    -----
    An item of a tie that holds the ranks t to b is among the first d with a share c of
    (d - t + 1) / (b - t + 1), at most 1, if d >= t; with "w" it is 1. With c and c' those of the
    two lists, and all sums over items, A_d is sum c c' / d for "a"; sum c c' divided by the root of
    the product of sum c² and sum c'² for "b"; and 2 sum c c' / (sum c + sum c') for "w".

    Of lists of s < l known items, at the depths s < d <= l the unseen items of the shorter one,
    d - s of them, are taken to agree as the first s do: they add (d - s) A_s times the mean c > 0
    in the longer list of what the shorter one lacks. This is RBO_EXT of [1]_ and [2]_.

    Time O(n log n).

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
    require_weak(pairing, why="the overlap is one of lists")
    if isinstance(k, tuple):
        shorter = pairing.truth if k[0] <= k[1] else pairing.guess
        if k[0] != k[1] and ((shorter.above < min(k)) & (pairing.n - shorter.below > min(k))).any():
            raise PorankError(
                f"expected the first {min(k)} items of the shorter list, found a tie across them; "
                "k can end with a tie"
            )
    parts = overlap_parts(pairing, p=p, k=k, ties=ties) if pairing.n else (0, 0)
    return ratio(*parts, undefined=undefined, why="there is no item")


def overlap_parts(both: Any, *, p: Any = 0.9, k: Any = None, ties: str = "a") -> tuple[Any, int]:
    """Return the rank-biased overlap of two lists of at least one item, over 1."""
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
    # A list of nothing shares nothing.
    apart = np.where(depth > 0, 1 - agreement, 1)
    last = np.where(d == np.maximum(depth, 1), float(p) ** depth * apart, 0)
    # All weights add up to 1, so that the differences are weighed: equal total orders give 1.
    weighed = np.where(d <= depth, (1 - p) * float(p) ** (d - 1) * apart, 0)
    return np.clip(1 - (weighed + last).sum(axis=-1), 0.0, 1.0), 1


class _Tied:
    """A list as rank-biased overlap reads its ties: at each depth one is open, or ends.

    Idea: *an item of a tie of g is among the first d with a probability that grows by 1/g from the
    best to the worst of its ranks; all items of the open tie have the same.* With "w" it is 1.
    """

    def __init__(self, side: Any, ties: str) -> None:
        self.best, self.worst = side.above + 1, side.n - side.below
        begin, end = np.sort(self.best, axis=-1), np.sort(self.worst, axis=-1)
        size, into = end - begin + 1, np.arange(2, side.n + 2) - begin
        #: How much of each item of the open tie is above each depth.
        self.share = np.ones(begin.shape) if ties == "w" else into / size
        #: How many items are so, and what their agreement is divided by.
        self.length = begin - 1 + size * self.share
        self.norm = begin - 1 + size * (self.share * self.share) if ties == "b" else self.length


def _mean_norm(one: Any, other: Any, ties: str) -> NDArray[np.float64]:
    """Return what the overlap of two lists is divided by, from the norms of both."""
    mean: NDArray[np.float64] = np.sqrt(one * other) if ties == "b" else (one + other) / 2
    return mean


def _overlaps(one: _Tied, other: _Tied) -> NDArray[np.float64]:
    """Return how many items the first d positions of two lists share on average, d = 1..n."""
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
    """Return the agreement of two lists beyond the depth to which the shorter one is known."""
    end = np.full_like(long.best, long.best.shape[-1] + 1)
    d, listed = np.arange(1, end.shape[-1] + 1), short.worst <= known
    done, opened = (np.where(listed, ranks, end) for ranks in (long.worst, long.best))
    seen = _count_between(done, end) + long.share * _count_between(opened, done)
    others = _count_between(long.best, end) - _count_between(opened, end)
    unseen = (d - known) * agreement * (long.length - seen) / np.maximum(others, 1)
    extended: NDArray[np.float64] = (seen + unseen) / _mean_norm(d, long.norm, ties)
    return extended


def _count_between(begin: Numbers, end: Numbers) -> Numbers:
    """Return, for rank-biased overlap, how many items have begin <= d < end at each depth d."""
    n, some = begin.shape[-1], begin < end
    first = (n + 2) * np.arange(begin.size // max(n, 1)).reshape(*begin.shape[:-1], 1)
    rises, falls = (
        np.bincount((first + place)[some], minlength=(n + 2) * first.size) for place in (begin, end)
    )
    counts: Numbers = np.cumsum((rises - falls).reshape(*begin.shape[:-1], n + 2), axis=-1)
    return counts[..., 1 : n + 1]
