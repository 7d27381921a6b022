"""Rank-biased overlap: how much two lists share, depth by depth, the top weighing most.

Conventions
-----------
Both orders are lists, position 1 the best item; where they are tied, the value is the mean over all
ways to break the ties of the one and of the other.

Measures
--------
`rank_biased_overlap`
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.errors import PorankError
from porank.measures.pairing import pair_up, require_weak
from porank.measures.tied_lists import require_depth
from porank.measures.undefined import require_choice, value_for_undefined
from porank.orders.ranks import rank_bounds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.measures.numbered import NumberedAlike
    from porank.typing import Numbers, OrderLike


def rank_biased_overlap(
    target: OrderLike,
    predicted: OrderLike,
    *,
    p: float = 0.9,
    k: int | None = None,
    undefined: Any = math.nan,
) -> float:
    """Return the extrapolated rank-biased overlap of two lists.

    With A_d the share of items that the first d of the one list have in common with the first d of
    the other, RBO is (1 - p) times the sum of p**(d - 1) A_d over d = 1, 2, ..., where A_d is known
    up to depth k and taken to be A_k from there on.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two weak orders on the same items.
    p : number
        The probability to go on to the next depth, between 0 and 1, without these.
    k : int, optional
        Down to which depth the lists are known, from 1 to n; by default n, where both have all
        items in common.
    undefined : float or "raise"
        What to return when there is no item.

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
        If one of them is not weak.
    PorankError
        If `p` or `k` is out of its range.

    Examples
    --------
    >>> import porank as po
    >>> first, second = po.from_ranking([1, 2, 3, 4, 5]), po.from_ranking([2, 3, 4, 1, 5])
    >>> round(po.rank_biased_overlap(first, second), 9)
    0.828

    Two lists of the top three, of which the rest is unknown:

    >>> lists = po.align(
    ...     po.from_ranking("abc"), po.from_ranking("bcd"), how="union", missing="below"
    ... )
    >>> round(po.rank_biased_overlap(*lists, k=3), 9)
    0.585

    Notes
    -----
    Time O(n log n). That one list equals the other does not make it 1 where there are ties, since
    the ties of the two are broken independently: this is the variant a of [2]_.

    References
    ----------
    .. [1] W. Webber, A. Moffat, J. Zobel, "A similarity measure for indefinite rankings", ACM
       Transactions on Information Systems 28(4), 2010, article 20.
       https://doi.org/10.1145/1852102.1852106
    .. [2] M. Corsi, J. Urbano, "The treatment of ties in rank-biased overlap", SIGIR 2024.
       https://arxiv.org/abs/2406.07121
    """
    _require_inner_share(p)
    require_choice(undefined)
    pairing = pair_up(target, predicted)
    require_weak(pairing, why="the overlap is one of lists")
    depth = require_depth(k, pairing.n)
    if not depth:
        return value_for_undefined(undefined, why="there is no item")
    d = np.arange(1, depth + 1)
    apart = 1 - _mean_overlaps(pairing)[:depth] / d
    # All weights add up to 1, so that the differences are weighed: equal total orders give 1.
    weights = (1 - p) * float(p) ** (d - 1)
    return max(0.0, 1 - math.fsum([*(weights * apart), float(p) ** depth * float(apart[-1])]))


def _mean_overlaps(pairing: NumberedAlike) -> NDArray[np.float64]:
    """Return how many items the first d positions of both lists share in the mean, d = 1..n.

    Idea: *an item of a tie of g is among the first d with a probability that grows by 1/g from the
    best to the worst of its ranks; at each depth one tie of each list is open, and all its items
    have the same probability.*
    """
    n = pairing.n
    best, worst = rank_bounds(pairing.target)
    other_best, other_worst = map(pairing.as_in_target, rank_bounds(pairing.predicted))
    opened, done = np.maximum(best, other_best), np.maximum(worst, other_worst)
    share, other_share = (
        _share_of_open_tie(best, worst),
        _share_of_open_tie(other_best, other_worst),
    )
    return (
        _count_between(done, np.full(n, n + 1), n)
        + share * _count_between(np.maximum(best, other_worst), worst, n)
        + other_share * _count_between(np.maximum(other_best, worst), other_worst, n)
        + share * other_share * _count_between(opened, np.minimum(worst, other_worst), n)
    )


def _share_of_open_tie(best: Numbers, worst: Numbers) -> NDArray[np.float64]:
    """Return for each depth how much of the tie at that depth is among the first so many."""
    begin, end = np.sort(best), np.sort(worst)
    share: NDArray[np.float64] = (np.arange(1, best.size + 1) - begin + 1) / (end - begin + 1)
    return share


def _count_between(begin: Numbers, end: Numbers, n: int) -> Numbers:
    """Return for the depths d = 1..n how many items have begin <= d < end.

    Examples
    --------
    >>> _count_between(np.array([1, 2, 3]), np.array([3, 2, 4]), 4).tolist()
    [1, 1, 1, 0]
    """
    some = begin < end
    changes = np.bincount(begin[some], minlength=n + 2) - np.bincount(end[some], minlength=n + 2)
    counts: Numbers = np.cumsum(changes)[1 : n + 1]
    return counts


def _require_inner_share(p: Any) -> None:
    try:
        is_inside = not isinstance(p, str) and bool(0 < p < 1)
    except (TypeError, ValueError):
        is_inside = False
    if not is_inside:
        raise PorankError(f"expected p to lie between 0 and 1, without these, found {p!r}")
