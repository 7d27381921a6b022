"""How many relevant items the first k positions of a list hold.

Conventions
-----------
As in `porank.measures.retrieval`: the target has two levels, of which the upper is relevant, and
where the list is tied, the value is the mean over all ways to break the ties, exactly. By default
as many positions are looked at as there are relevant items. Precision and recall of preferences,
pairs of items, are in `porank.measures.agreement`.

Public: `precision_at_k`, `recall_at_k`, `hit_rate`.
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.measures.retrieval import first_hits, value_by_relevant

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import OrderLike


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

    Positions beyond the end of the list are empty, and count as misses.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two weak orders on the same items, the target of two levels.
    k : int, optional
        Number of positions; by default the number of relevant items, which makes it R-precision.
    retrieved : int, optional
        Number of items that the predicted list has; by default all. Items ranked below it count as
        not retrieved.
    ties : {"average", "optimistic", "pessimistic"}
        The mean over all ways to break the ties of the prediction, the best, or the worst.
    undefined : float or "raise"
        Value to return when the target has one level or none.

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
        If an option is out of its range.

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
    Time O(n log n). Of a tie of g items of which m are among the first k, each is so with
    probability m / g.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan, H. Schütze, "Introduction to Information Retrieval",
       Cambridge University Press, 2008, section 8.4. https://doi.org/10.1017/CBO9780511809071
    """
    options = {"ties": ties, "undefined": undefined, "k": k, "retrieved": retrieved}
    return value_by_relevant(target, predicted, precision_at_k_parts, **options)


def recall_at_k(
    target: OrderLike,
    predicted: OrderLike,
    *,
    k: int | None = None,
    retrieved: int | None = None,
    ties: str = "average",
    undefined: Any = math.nan,
) -> float:
    """Return the recall at k: the share of the relevant items that the first k positions hold.

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
    Time O(n log n).
    """
    options = {"ties": ties, "undefined": undefined, "k": k, "retrieved": retrieved}
    return value_by_relevant(target, predicted, recall_at_k_parts, **options)


def hit_rate(
    target: OrderLike,
    predicted: OrderLike,
    *,
    k: int | None = None,
    retrieved: int | None = None,
    ties: str = "average",
    undefined: Any = math.nan,
) -> float:
    """Return the hit rate at k: 1 if the first k positions hold any relevant item, else 0.

    Where the list is tied, it is the share of the ways to break the ties that put one there.

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
    Time O(n log n).
    """
    options = {"ties": ties, "undefined": undefined, "k": k, "retrieved": retrieved}
    return value_by_relevant(target, predicted, hit_rate_parts, **options)


def precision_at_k_parts(
    both: Any, *, k: int | None = None, retrieved: int | None = None
) -> tuple[Any, Any]:
    """Return numerator and denominator of `precision_at_k`, items along the last axis."""
    found, wanted = _found_at(both, k, retrieved)
    return found, wanted[..., 0] * (both.truth.height > 1)


def recall_at_k_parts(
    both: Any, *, k: int | None = None, retrieved: int | None = None
) -> tuple[Any, Any]:
    """Return numerator and denominator of `recall_at_k`, items along the last axis."""
    found, _ = _found_at(both, k, retrieved)
    return found, (both.truth.levels == 0).sum(axis=-1) * (both.truth.height > 1)


def hit_rate_parts(
    both: Any, *, k: int | None = None, retrieved: int | None = None
) -> tuple[Any, Any]:
    """Return numerator and denominator of `hit_rate`, items along the last axis."""
    chance, place = first_hits(both)
    counted = np.where(place <= _depth(both, k, retrieved)[1], chance, 0)
    return np.minimum(counted.sum(axis=-1), 1), both.truth.height > 1


def _found_at(both: Any, k: int | None, retrieved: int | None) -> tuple[Any, NDArray[Any]]:
    """Return how many relevant items the first k positions hold on average, and k, as a column."""
    wanted, depth = _depth(both, k, retrieved)
    # Each item of a tie is as likely as any other to be among the first.
    chance = np.clip((depth - both.guess.above) / both.guess.beside, 0, 1)
    # Sorted, so that not even the last digit depends on how the items are numbered.
    return np.sort(chance * (both.truth.levels == 0), axis=-1).sum(axis=-1), wanted


def _depth(both: Any, k: int | None, retrieved: int | None) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return how many positions are asked for, and how many the list has of them, as columns."""
    relevant = (both.truth.levels == 0).sum(axis=-1, keepdims=True)
    # A float, in which a k of any size has a place.
    wanted = relevant if k is None else np.full(relevant.shape, float(min(k, sys.float_info.max)))
    return wanted, np.minimum(wanted, both.depths(retrieved))
