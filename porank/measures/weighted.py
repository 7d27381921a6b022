"""Errors that weigh most at the top: where the best item went, and moves discounted by position.

Conventions
-----------
Positions are those of `porank.measures.positions`: the middle of the ranks that an item may take,
or, with ``positions="expected"``, their mean over all linear extensions.

Measures
--------
`position_error`, `discounted_error`
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.measures.exact import exact_sum
from porank.measures.expected import asks_for_expected, expected_positions
from porank.measures.pairing import pair_up
from porank.measures.positions import doubled_moves, doubled_positions
from porank.measures.tied_lists import require_base, require_ties
from porank.measures.undefined import require_choice, value_for_undefined
from porank.orders.ranks import rank_bounds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.measures.pairing import Pairing
    from porank.typing import Item, OrderLike


def position_error(
    target: OrderLike,
    predicted: OrderLike,
    *,
    positions: str = "mid",
    ties: str = "average",
    undefined: Any = math.nan,
) -> float:
    """Return how many wrong items are predicted before the best one.

    It is the position in the prediction of the item with the best position in the target, less 1.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    positions : {"mid", "expected"}
        The middle of the ranks that an item may take, or their mean over all linear extensions.
    ties : {"average", "optimistic", "pessimistic"}
        What to make of several best items, and of the ranks that the prediction leaves to each: the
        mean of the positions, the best rank of any of them, or the worst, whatever `positions`.
    undefined : float or "raise"
        What to return for 0/0, when there is no item.

    Returns
    -------
    float
        From 0 to n - 1.

    Raises
    ------
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.
    NotApplicableError
        If expected positions are asked for and an order has too many linear extensions.
    PorankError
        If `ties` or `positions` is none of the choices.

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
    Time O(n) on two weak orders, else O(n**2 / 64), beyond the closures; expected positions of a
    partial order take O(n) for each of its ideals, of which there may be 100,000 (6,250 for more
    than 64 items). Where one item alone is best, with rank 1, it is the summand of that item in
    `footrule_distance`.

    References
    ----------
    .. [1] J. Fürnkranz, E. Hüllermeier, "Preference Learning", tutorial.
    """
    require_ties(ties)
    require_choice(undefined)
    pairing = pair_up(target, predicted)
    if not pairing.n:
        return value_for_undefined(undefined, why="there is no item")
    if asks_for_expected(pairing, positions):
        truth, guess = expected_positions(pairing)
        top = [i for i, position in enumerate(truth) if position == min(truth)]
        if ties == "average":
            return float(exact_sum(guess[i] - 1 for i in top) / len(top))
    else:
        doubled = doubled_positions(pairing.target)
        top = np.flatnonzero(doubled == doubled.min()).tolist()
    best, worst = (pairing.as_in_target(rank)[top] for rank in rank_bounds(pairing.predicted))
    if ties == "optimistic":
        return float(best.min() - 1)
    if ties == "pessimistic":
        return float(worst.max() - 1)
    return int(np.sum(best - 1 + worst - 1)) / (2 * len(best))


def discounted_error(
    target: OrderLike, predicted: OrderLike, *, positions: str = "mid", base: float = 2
) -> float:
    """Return the footrule with each move discounted by the position in the target.

    It is the sum over items of abs(position in target - position in predicted) divided by
    log(1 + position in target): a move weighs the more, the better the item is.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    positions : {"mid", "expected"}
        The middle of the ranks that an item may take, or their mean over all linear extensions.
    base : float
        Of the logarithm, above 1.

    Returns
    -------
    float
        From 0 on.

    Raises
    ------
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.
    NotApplicableError
        If expected positions are asked for and an order has too many linear extensions.
    PorankError
        If `base` is not a number above 1, or `positions` none of the choices.

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
    Time O(n) on two weak orders, else O(n**2 / 64), beyond the closures; expected positions of a
    partial order take O(n) for each of its ideals, of which there may be 100,000 (6,250 for more
    than 64 items). The tutorial prints 3 / log 2 + 1 / log 4 + 2 / log 6 for its example: the
    places of A, C and E in the alphabet instead of those in the target.

    References
    ----------
    .. [1] J. Fürnkranz, E. Hüllermeier, "Preference Learning", tutorial.
    """
    return math.fsum(_discounted_moves(pair_up(target, predicted), positions, base))


def discounted_error_terms(
    target: OrderLike, predicted: OrderLike, *, positions: str = "mid", base: float = 2
) -> dict[Item, float]:
    """Return the summands of `discounted_error`, item -> discounted move.

    ``math.fsum`` of them is the value exactly.

    Examples
    --------
    >>> import porank as po
    >>> terms = discounted_error_terms(*po.load_example("tutorial"))
    >>> {item: round(term, 3) for item, term in terms.items()}
    {'E': 2.0, 'B': 0.0, 'C': 0.5, 'A': 1.292, 'D': 0.0}
    """
    pairing = pair_up(target, predicted)
    terms = _discounted_moves(pairing, positions, base).tolist()
    return dict(zip(pairing.target.items, terms, strict=True))


def _discounted_moves(pairing: Pairing, positions: str, base: float) -> NDArray[np.float64]:
    if asks_for_expected(pairing, positions):
        truth, guess = map(np.array, expected_positions(pairing))
        position, moved = truth.astype(np.float64), np.abs(guess - truth).astype(np.float64)
    else:
        position = doubled_positions(pairing.target) / 2
        moved = np.abs(doubled_moves(pairing)) / 2
    discounted: NDArray[np.float64] = moved / np.log2(1 + position)
    return discounted * math.log2(require_base(base))
