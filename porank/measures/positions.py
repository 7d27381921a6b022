"""Where items stand in an order, and errors that weigh most at the top.

Conventions
-----------
The position of an item is the middle of the ranks that it may still take: between one more than
there are items above it and n less those below it, hence (n + 1) / 2 + (above - below) / 2. In a
total order it is the rank, in a weak order the mean rank of its tie. Two different partial orders
may give all items the same positions, so that distances of positions can be 0 between them.

The gains of a partial prediction are means over its linear extensions. These are counted over the
ideals of the order, up to `_MAX_IDEALS` for each part that cannot be divided; beyond, it is
refused.

Public: `position_error`, `discounted_error`, `dcg_position_costs`. The footrule and Spearman's
distance stand in `porank.measures.distance`, his correlation in `porank.measures.correlation`.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import require_count
from porank.errors import NotApplicableError, TooManyIdealsError
from porank.measures.measure import ratio
from porank.measures.options import require_base, require_options
from porank.measures.pair_table import pair_up
from porank.orders.ranks import rank_bounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.core.compiled_order import Order
    from porank.extensions.decomposition import Leaf, OrderPart
    from porank.measures.pair_table import Pairing
    from porank.typing import Item, Numbers, OrderLike


def doubled_positions(order: Order) -> Numbers:
    """Return twice the position of each item, a whole number."""
    best, worst = rank_bounds(order)
    return best + worst


def moves(pairing: Pairing) -> list[Fraction]:
    """Return how many positions each item stands lower in the prediction than in the target."""
    return [Fraction(doubled, 2) for doubled in pairing.moved.tolist()]


def footrule_distance_terms(target: OrderLike, predicted: OrderLike) -> dict[Item, Fraction]:
    """Return the summands of `footrule_distance`, item -> positions moved."""
    pairing = pair_up(target, predicted)
    return dict(zip(pairing.target.items, map(abs, moves(pairing)), strict=True))


def position_error(
    target: OrderLike,
    predicted: OrderLike,
    *,
    ties: str = "average",
    undefined: Any = math.nan,
) -> float:
    """Return the position error: how many items are predicted before the best one.

    It is the position in the prediction of the item with the best position in the target, less 1.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    ties : {"average", "optimistic", "pessimistic"}
        What to make of several best items, and of the ranks that the prediction leaves to each: the
        mean of the positions, the best rank of any of them, or the worst.
    undefined : float or "raise"
        What to return for 0/0, when there is no item.

    Returns
    -------
    float
        From 0 to n - 1.

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.
    PorankError
        If `ties` is none of the choices.

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
    Time O(n) on two weak orders, else O(n**2 / 64), beyond the closures. Where one item alone is
    best, with rank 1, it is the summand of that item in `footrule_distance`.

    References
    ----------
    .. [1] J. Fürnkranz, E. Hüllermeier, "Preference Learning", tutorial.
    """
    require_options("position_error", ties=ties)
    pairing = pair_up(target, predicted)
    parts = position_error_parts(pairing, ties=ties) if pairing.n else (0, 0)
    return ratio(*parts, undefined=undefined, why="there is no item")


def position_error_parts(both: Any, *, ties: str = "average") -> tuple[Any, Any]:
    """Return numerator and denominator of `position_error`."""
    truth, best, worst = both.truth.sunk, both.guess.above, both.n - 1 - both.guess.below
    is_top = truth == truth.min(axis=-1, keepdims=True)
    if ties == "optimistic":
        return np.where(is_top, best, both.n).min(axis=-1), 1
    if ties == "pessimistic":
        return np.where(is_top, worst, 0).max(axis=-1), 1
    return ((best + worst) * is_top).sum(axis=-1), 2 * is_top.sum(axis=-1)


def discounted_error(target: OrderLike, predicted: OrderLike, *, base: float = 2) -> float:
    """Return the discounted error: the footrule with moves discounted by target position.

    It is the sum over items of abs(position in target - position in predicted) divided by
    log(1 + position in target): a move weighs the more, the better the item is.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    base : float
        Of the logarithm, above 1.

    Returns
    -------
    float
        From 0 on.

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.
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
    Time O(n) on two weak orders, else O(n**2 / 64), beyond the closures. The tutorial prints 3 /
    log 2 + 1 / log 4 + 2 / log 6 for its example: the places of A, C and E in the alphabet instead
    of those in the target.

    References
    ----------
    .. [1] J. Fürnkranz, E. Hüllermeier, "Preference Learning", tutorial.
    """
    require_options("discounted_error", base=base)
    return ratio(*discounted_error_parts(pair_up(target, predicted), base=base))


def discounted_error_parts(both: Any, *, base: Any = 2) -> tuple[Any, int]:
    """Return numerator and denominator of `discounted_error`."""
    return _discounted_moves(both, base).sum(axis=-1), 1


def discounted_error_terms(
    target: OrderLike, predicted: OrderLike, *, base: float = 2
) -> dict[Item, float]:
    """Return the summands of `discounted_error`, item -> discounted move."""
    pairing = pair_up(target, predicted)
    terms = _discounted_moves(pairing, base).tolist()
    return dict(zip(pairing.target.items, terms, strict=True))


def _discounted_moves(both: Any, base: Any) -> NDArray[np.float64]:
    """Return how far each item is moved, over the logarithm of 1 + its position in the target."""
    moved, position = np.abs(both.moved) / 2, both.truth.doubled_positions / 2
    discounted: NDArray[np.float64] = moved / np.log2(1 + position)
    return discounted * math.log2(require_base(base))


#: An order of more ideals is refused: a measure is to take a moment.
_MAX_IDEALS = 100_000


def expected_discounts(pairing: Pairing, discounts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each item the mean discount of the positions it takes in the prediction."""
    from porank.extensions.decomposition import mean_values

    solved = pairing.predicted.memo(_solved)
    if solved is None:
        raise NotApplicableError(
            f"expected an order of at most {_MAX_IDEALS:,} ideals as predicted, found more: its "
            "linear extensions are too many to be averaged exactly here; its mean over the "
            "rankings of random_linear_extensions(predicted, size) estimates the measure"
        )
    means = mean_values(*solved, discounts)
    return means[pairing.index]


def _solved(order: Order) -> tuple[Sequence[OrderPart], dict[int, Leaf]] | None:
    """Return the parts of an order for expected positions, None of one with too many ideals."""
    from porank.extensions.leaf_probabilities import choose

    try:
        return choose("exact", _MAX_IDEALS, 0, exact=False).solve(order)
    except TooManyIdealsError:
        return None


def spearman_distance_terms(target: OrderLike, predicted: OrderLike) -> dict[Item, Fraction]:
    """Return the summands of `spearman_distance`, item -> square of the positions moved."""
    pairing = pair_up(target, predicted)
    squares = [move**2 for move in moves(pairing)]
    return dict(zip(pairing.target.items, squares, strict=True))


def dcg_position_costs(n: int, base: float = math.e) -> list[float]:
    """Return the position costs that the discount of DCG implies, for n items.

    Moving from position k - 1 to k costs 1 / log(k) - 1 / log(k + 1), for k = 2, ..., n: the nearer
    to the top, the more. A move from the top to position k costs 1 / log 2 - 1 / log(k + 1) in all.

    Parameters
    ----------
    n : int
        The number of items.
    base : float
        Of the logarithm, above 1.

    Returns
    -------
    list of float
        n - 1 costs, decreasing; none for n = 0.

    Raises
    ------
    PorankError
        If `n` is no whole number of at least 0, or `base` not above 1.

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
    Time O(n).
    """
    n, scale = require_count(n), math.log(require_base(base))
    # log(k + 1) - log(k), without the cancellation.
    return [scale * math.log1p(1 / k) / (math.log(k) * math.log(k + 1)) for k in range(2, n + 1)]
