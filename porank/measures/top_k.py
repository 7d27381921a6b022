"""Measures of the number of relevant items at the first k positions of a list.

Conventions
-----------
As in `porank.measures.retrieval`, the target has two levels, and the items of the upper one are
relevant. If the list has ties, the value is the exact mean over all ways to break them. By default
k is the number of relevant items. Precision and recall of preferences are in
`porank.measures.agreement`.

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

    If the list has fewer than k items, the missing ones count as irrelevant.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two weak orders on the same items. The upper of the target's two levels holds the relevant
        items.
    k : int, optional
        Number of positions; by default the number of relevant items, which makes it R-precision.
    retrieved : int, optional
        Number of items that the predicted list has; by default all. Items ranked below it count as
        not retrieved.
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
    # All items of a tie are equally likely to be among the first.
    chance = np.clip((depth - both.guess.above) / both.guess.beside, 0, 1)
    # Sort, so rounding does not depend on the numbering of the items.
    return np.sort(chance * (both.truth.levels == 0), axis=-1).sum(axis=-1), wanted


def _depth(both: Any, k: int | None, retrieved: int | None) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return k, and how many of the first k positions the list has, as columns."""
    relevant = (both.truth.levels == 0).sum(axis=-1, keepdims=True)
    # As a float, k can be of any size.
    wanted = relevant if k is None else np.full(relevant.shape, float(min(k, sys.float_info.max)))
    return wanted, np.minimum(wanted, both.depths(retrieved))
