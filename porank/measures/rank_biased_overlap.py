"""Rank-biased overlap: how much the first items of two lists have in common, at each depth.

Conventions
-----------
Both orders are lists with the best item at position 1, and may have ties. Neither is the truth.

Public: `rank_biased_overlap`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import require_count
from porank.errors import PorankError
from porank.measures.measure import entry_for, number_where, one_of, share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Numbers, OrderLike


def _require_depths(k: Any, name: str) -> None:
    for depth in k if isinstance(k, tuple) and len(k) == 2 else [k] * (k is not None):
        require_count(depth, name=name, least=1)


def _overlap(both: Any, *, p: Any = 0.9, k: Any = None, ties: str = "a") -> tuple[Any, int]:
    """Return the rank-biased overlap of two lists, and 1 as the denominator."""
    if not both.n:
        return 0, 0
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
    # RBO = sum over d <= k of (1 - p) p**(d - 1) A_d, plus p**k A_k; here 1 minus that of 1 - A_d.
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
    # The sum of c c' over items: each c is 0 before the first rank of the item's tie, the share of
    # the tie at its ranks, and 1 after its last rank.
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
    # A_d = (seen + (d - s) A_s · mean c of the items that the shorter list lacks) / norm
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


@share(
    kernel=_overlap,
    why="there are no items",
    needs="weak",
    otherwise="rank-biased overlap compares lists",
    symmetric=True,
    at_equal=None,
    checks={
        "p": number_where(lambda share: 0 < share < 1, "{} to be above 0 and below 1"),
        "k": _require_depths,
        "ties": one_of("a", "b", "w"),
    },
)
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
    target, predicted : DiGraph, ranks, or scores (larger is better)
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
    options = {"p": p, "k": k, "ties": ties}
    entry, pairing = entry_for(rank_biased_overlap, target, predicted, **options)
    if isinstance(k, tuple):
        shorter = pairing.truth if k[0] <= k[1] else pairing.guess
        if k[0] != k[1] and ((shorter.above < min(k)) & (pairing.n - shorter.below > min(k))).any():
            raise PorankError(
                f"cannot determine the first {min(k)} items of the shorter list: a tie extends "
                "beyond them; choose k at the end of a tie"
            )
    return entry.value(pairing, undefined=undefined, **options)
