"""Spearman's distance and rank correlation: the squares of how far the items are moved.

Conventions
-----------
Positions are those of `porank.measures.positions`: the middle of the ranks that an item may take,
or, with ``positions="expected"``, their mean over all linear extensions.

Measures
--------
`spearman_distance`, `spearman_rho`
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from porank.measures.exact import exact_sum
from porank.measures.expected import asks_for_expected, expected_moves, expected_positions
from porank.measures.pairing import pair_up
from porank.measures.positions import doubled_moves, doubled_positions, moves
from porank.measures.undefined import ratio

if TYPE_CHECKING:
    from fractions import Fraction

    from porank.measures.numbered import NumberedAlike
    from porank.typing import Item, Numbers, OrderLike


def spearman_distance(target: OrderLike, predicted: OrderLike, *, positions: str = "mid") -> float:
    """Return Spearman's distance: the squares of the numbers of positions moved, in all.

    D_S is the sum over items of (position in target - position in predicted)**2. Its square root is
    a metric on weak orders; D_S itself does not keep the triangle inequality.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    positions : {"mid", "expected"}
        The middle of the ranks that an item may take, or their mean over all linear extensions.

    Returns
    -------
    float
        From 0 to n (n**2 - 1) / 3, a multiple of 1/2 unless positions are expected ones.

    Raises
    ------
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.
    NotApplicableError
        If expected positions are asked for and an order has too many linear extensions.
    PorankError
        If `positions` is none of the choices.

    Examples
    --------
    >>> import porank as po
    >>> po.spearman_distance(*po.load_example("tutorial"))
    14.0

    Notes
    -----
    Time O(n) on two weak orders, else O(n**2 / 64), beyond the closures; expected positions of a
    partial order take O(n) for each of its ideals, of which there may be 100,000 (6,250 for more
    than 64 items). The maximum, between a total order and its reverse, is the sum of ((n + 1 - i) -
    i)**2 over i = 1..n.

    References
    ----------
    .. [1] C. Spearman, "The proof and measurement of association between two things", American
       Journal of Psychology 15(1), 1904, pp. 72-101. https://doi.org/10.2307/1412159
    """
    pairing = pair_up(target, predicted)
    if asks_for_expected(pairing, positions):
        return float(exact_sum(move**2 for move in expected_moves(pairing)))
    doubled = doubled_moves(pairing)
    return _exact_dot(doubled, doubled) / 4


def spearman_distance_terms(
    target: OrderLike, predicted: OrderLike, *, positions: str = "mid"
) -> dict[Item, Fraction]:
    """Return the summands of `spearman_distance`, item -> square of the positions moved.

    Examples
    --------
    >>> import porank as po
    >>> squares = spearman_distance_terms(*po.load_example("tutorial"))
    >>> [str(squares[item]) for item in "ABCDE"]
    ['9', '0', '1', '0', '4']
    """
    pairing = pair_up(target, predicted)
    squares = [move**2 for move in moves(pairing, positions)]
    return dict(zip(pairing.target.items, squares, strict=True))


def spearman_rho(
    target: OrderLike,
    predicted: OrderLike,
    *,
    positions: str = "mid",
    undefined: Any = math.nan,
) -> float:
    """Return Spearman's rank correlation.

    rho is Pearson's correlation of the positions in the two orders. Between total orders it is
    1 - 6 D_S / (n (n**2 - 1)), with D_S as in `spearman_distance`.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    positions : {"mid", "expected"}
        The middle of the ranks that an item may take, or their mean over all linear extensions.
    undefined : float or "raise"
        What to return for 0/0: an order that gives all items the same position, as every order of
        fewer than two items does.

    Returns
    -------
    float in [-1, 1]

    Raises
    ------
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.
    NotApplicableError
        If expected positions are asked for and an order has too many linear extensions.
    PorankError
        If `positions` is none of the choices.

    Examples
    --------
    >>> import porank as po
    >>> po.spearman_rho(*po.load_example("tutorial"))
    0.3
    >>> po.spearman_rho([3, 2, 2, 1], [3, 2, 1, 2])
    0.5

    Notes
    -----
    Time O(n) on two weak orders, else O(n**2 / 64), beyond the closures; expected positions of a
    partial order take O(n) for each of its ideals, of which there may be 100,000 (6,250 for more
    than 64 items). Sums are exact; only the quotient is rounded.

    References
    ----------
    .. [1] C. Spearman, "The proof and measurement of association between two things", American
       Journal of Psychology 15(1), 1904, pp. 72-101. https://doi.org/10.2307/1412159
    """
    pairing = pair_up(target, predicted)
    if asks_for_expected(pairing, positions):
        both, spread = _expected_products(pairing)
    else:
        mean = pairing.n + 1
        truth = doubled_positions(pairing.target) - mean
        guess = pairing.as_in_target(doubled_positions(pairing.predicted)) - mean
        both = _exact_dot(truth, guess)
        spread = _exact_dot(truth, truth) * _exact_dot(guess, guess)
    # With 64 binary places the root of a whole square has no rounding, and no other root is so far
    # below its true value that the quotient could pass 1.
    return ratio(
        both << 64,
        math.isqrt(spread << 128),
        undefined=undefined,
        why="one of the orders gives all items the same position",
    )


def _expected_products(pairing: NumberedAlike) -> tuple[int, int]:
    """Return sums of products of expected positions less their mean, both scaled to integers.

    They are the sum over both orders, and the product of those over the one and over the other.
    """
    scaled = []
    for ranks in expected_positions(pairing):
        scale = math.lcm(2, *(rank.denominator for rank in ranks))
        mean = scale * (pairing.n + 1) // 2
        scaled.append([int(rank * scale) - mean for rank in ranks])
    truth, guess = scaled
    spread = sum(x * x for x in truth) * sum(y * y for y in guess)
    return sum(x * y for x, y in zip(truth, guess, strict=True)), spread


def _exact_dot(x: Numbers, y: Numbers) -> int:
    """Return the sum of the products, which may be larger than 64 bits hold, exactly."""
    products = x * y
    low = products & 0xFFFFFFFF
    return (int((products >> 32).sum()) << 32) + int(low.sum())
