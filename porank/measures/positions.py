"""Positions of items in an order, and errors that count more near the top.

Conventions
-----------
The position of an item is the middle of the ranks that it can have in the linear extensions of the
order. With a items above and b items below it, these are a + 1 to n - b, so the position is
(n + 1) / 2 + (a - b) / 2. In a total order it is the rank, and in a weak order the mean rank of the
tied items. Different partial orders can have the same positions; then distances of positions are 0.

The gains of a partial prediction are means over its linear extensions. These are computed from the
ideals of the order, with at most `_MAX_IDEALS` for each part that cannot be decomposed; orders with
more raise an error.

Public: `position_error`, `discounted_error`, `dcg_position_costs`. The footrule and Spearman's
distance are in `porank.measures.distance`, and his correlation in `porank.measures.correlation`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import require_count
from porank.errors import NotApplicableError, TooManyIdealsError
from porank.measures.measure import error, one_of, require_base, value_of
from porank.orders.ranks import rank_bounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.core.compiled_order import CompiledOrder
    from porank.extensions.decomposition import Leaf, OrderPart
    from porank.measures.pair_table import Pairing
    from porank.typing import Numbers, OrderLike


def doubled_positions(order: CompiledOrder) -> Numbers:
    """Return twice the position of each item, which is a whole number."""
    best, worst = rank_bounds(order)
    return best + worst


def _position_error(both: Any, *, ties: str = "average") -> tuple[Any, Any]:
    """Return numerator and denominator of `position_error`."""
    if not both.n:
        return 0, 0
    # The rank of an item is from (items above) + 1 to n - (items below); 1 is subtracted.
    truth, best, worst = both.truth.sunk, both.guess.above, both.n - 1 - both.guess.below
    is_top = truth == truth.min(axis=-1, keepdims=True)
    if ties == "optimistic":
        return np.where(is_top, best, both.n).min(axis=-1), 1
    if ties == "pessimistic":
        return np.where(is_top, worst, 0).max(axis=-1), 1
    return ((best + worst) * is_top).sum(axis=-1), 2 * is_top.sum(axis=-1)


@error(
    kernel=_position_error,
    why="there are no items",
    checks={"ties": one_of("average", "optimistic", "pessimistic")},
)
def position_error(
    target: OrderLike,
    predicted: OrderLike,
    *,
    ties: str = "average",
    undefined: Any = math.nan,
) -> float:
    """Return the position error: how many items are predicted above the best one.

    It is the position in the prediction of the item that has the best position in the target, minus
    1.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    ties : {"average", "optimistic", "pessimistic"}
        Which position to use if there are several best items, or if the prediction does not
        determine their ranks: the mean of their positions, or the best or worst rank that any of
        them can have.
    undefined : float or "raise"
        Value to return if there are no items; ``"raise"`` raises `UndefinedError`.

    Returns
    -------
    float
        From 0 to n - 1 for n items.

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.
    PorankError
        If `ties` is unknown.

    See Also
    --------
    discounted_error

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.load_example("tutorial")
    >>> po.position_error(target, predicted)
    2.0
    >>> tied = {"A": 2, "B": 2, "E": 2, "C": 1, "D": 0}
    >>> [po.position_error(target, tied, ties=ties) for ties in ("optimistic", "pessimistic")]
    [0.0, 2.0]

    Notes
    -----
    O(n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures. If a single item
    is above all others in the target, the position error is its term in `footrule_distance`.

    References
    ----------
    .. [1] J. Fürnkranz, E. Hüllermeier, "Preference Learning", tutorial.
    """
    return value_of(position_error, target, predicted, ties=ties, undefined=undefined)


def _discounted_moves(both: Any, *, base: Any = 2) -> tuple[NDArray[np.float64], int]:
    """Return how far each item moves, divided by log(1 + its position in the target), and 1."""
    moved, position = np.abs(both.moved) / 2, both.truth.doubled_positions / 2
    discounted: NDArray[np.float64] = moved / np.log2(1 + position)
    # 1 / log_b(x) = log2(b) / log2(x)
    return discounted * math.log2(base), 1


@error(kernel=_discounted_moves, by_item=True, at_equal=0.0, checks={"base": require_base})
def discounted_error(target: OrderLike, predicted: OrderLike, *, base: float = 2) -> float:
    """Return the discounted error: the footrule, discounted by the position in the target.

    It is the sum over items of abs(position in target - position in predicted) / log(1 + position
    in target). Errors about good items count more.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    base : float
        Base of the logarithm, greater than 1.

    Returns
    -------
    float
        At least 0.

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.
    PorankError
        If `base` is not a number above 1.

    See Also
    --------
    position_error, footrule_distance

    Examples
    --------
    >>> import math
    >>> import porank as po
    >>> target, predicted = po.load_example("tutorial")
    >>> round(po.discounted_error(target, predicted, base=math.e), 6)
    5.470742
    >>> math.isclose(
    ...     po.discounted_error(target, predicted, base=math.e),
    ...     3 / math.log(5) + 1 / math.log(4) + 2 / math.log(2),
    ... )
    True

    Notes
    -----
    O(n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures. In its
    example, the tutorial uses the positions of the items in the alphabet instead of those in the
    target (see :doc:`/errata`).

    References
    ----------
    .. [1] J. Fürnkranz, E. Hüllermeier, "Preference Learning", tutorial.
    """
    return value_of(discounted_error, target, predicted, base=base)


#: Maximum number of ideals of an order, so a measure is quick to compute.
_MAX_IDEALS = 100_000


def expected_discounts(pairing: Pairing, discounts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each item the mean discount over the linear extensions of the prediction."""
    from porank.extensions.decomposition import mean_values

    solved = pairing.predicted.memo(_solved)
    if solved is None:
        raise NotApplicableError(
            f"expected an order with at most {_MAX_IDEALS:,} ideals as predicted, found more, too "
            "many for the exact mean over its linear extensions; for an estimate, average the "
            "measure over random_linear_extensions(predicted, size)"
        )
    means = mean_values(*solved, discounts)
    return means[pairing.index]


def _solved(order: CompiledOrder) -> tuple[Sequence[OrderPart], dict[int, Leaf]] | None:
    """Return the parts of an order for expected positions, or None if it has too many ideals."""
    from porank.extensions.leaf_probabilities import choose

    try:
        return choose("exact", _MAX_IDEALS, 0, exact=False).solve(order)
    except TooManyIdealsError:
        return None


def dcg_position_costs(n: int, base: float = math.e) -> list[float]:
    """Return the position costs that correspond to the discount of DCG, for n items.

    Moving from position k - 1 to k costs 1 / log(k) - 1 / log(k + 1), for k = 2, ..., n, so steps
    near the top cost more.

    Parameters
    ----------
    n : int
        Number of items.
    base : float
        Base of the logarithm, greater than 1.

    Returns
    -------
    list of float
        The n - 1 costs, in decreasing order.

    Raises
    ------
    PorankError
        If `n` is not a whole number of at least 0, or `base` is not greater than 1.

    See Also
    --------
    generalized_kendall, generalized_footrule, dcg, ndcg, ndcg_loss

    Examples
    --------
    >>> import porank as po
    >>> [round(cost, 4) for cost in po.dcg_position_costs(4)]
    [0.5325, 0.1889, 0.1]

    Notes
    -----
    O(n).
    """
    n, scale = require_count(n), math.log(require_base(base))
    # log(k + 1) - log(k), without cancellation.
    return [scale * math.log1p(1 / k) / (math.log(k) * math.log(k + 1)) for k in range(2, n + 1)]
