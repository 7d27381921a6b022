"""Positions of items, and the footrule: by how many positions the items are moved.

Conventions
-----------
The position of an item is the middle of the ranks that it may still take: between one more than
there are items above it and n less those below it, hence (n + 1) / 2 + (above - below) / 2. In a
total order it is the rank, in a weak order the mean rank of its tie. With ``positions="expected"``
it is the mean rank over all linear extensions: the same on weak orders, another on partial ones.
Two different partial orders may give all items the same positions; on partial orders the distances
are therefore pseudo-distances: they can be 0 between orders that differ.

Measures
--------
`footrule_distance`, `hausdorff_footrule_distance`
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from porank.measures.exact import exact_sum
from porank.measures.expected import asks_for_expected, expected_moves
from porank.measures.pairing import pair_up, require_weak
from porank.orders.ranks import rank_bounds

if TYPE_CHECKING:
    from porank.core.compiled_order import Order
    from porank.measures.numbered import NumberedAlike
    from porank.typing import Item, Numbers, OrderLike


def doubled_positions(order: Order) -> Numbers:
    """Return twice the position of each item, a whole number.

    Examples
    --------
    >>> from porank.core.compiled_order import compile_order
    >>> doubled_positions(compile_order({"a": 3, "b": 1, "c": 3})).tolist()
    [3, 6, 3]
    """
    best, worst = rank_bounds(order)
    return best + worst


def doubled_moves(pairing: NumberedAlike) -> Numbers:
    """Return twice how many positions each item stands lower in the prediction than in the target.

    Examples
    --------
    >>> from porank.measures.pairing import pair_up
    >>> doubled_moves(pair_up({"a": 3, "b": 2, "c": 1}, {"c": 5, "b": 4, "a": 4})).tolist()
    [3, 1, -4]
    """
    predicted = pairing.as_in_target(doubled_positions(pairing.predicted))
    return predicted - doubled_positions(pairing.target)


def moves(pairing: NumberedAlike, positions: str) -> list[Fraction]:
    """Return how many positions each item stands lower in the prediction than in the target.

    Examples
    --------
    >>> from porank.measures.pairing import pair_up
    >>> list(map(str, moves(pair_up({"a": 3, "b": 2, "c": 1}, {"c": 5, "b": 4, "a": 4}), "mid")))
    ['3/2', '1/2', '-2']
    """
    if asks_for_expected(pairing, positions):
        return expected_moves(pairing)
    return [Fraction(doubled, 2) for doubled in doubled_moves(pairing).tolist()]


def footrule_distance(target: OrderLike, predicted: OrderLike, *, positions: str = "mid") -> float:
    """Return Spearman's footrule: by how many positions the items are moved, in all.

    F is the sum over items of abs(position in target - position in predicted). On weak orders it is
    the profile footrule of Fagin et al.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    positions : {"mid", "expected"}
        The middle of the ranks that an item may take, or their mean over all linear extensions.

    Returns
    -------
    float
        From 0 to n**2 / 2, a whole number unless positions are expected ones.

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
    >>> po.footrule_distance(*po.load_example("tutorial"))
    6.0
    >>> po.footrule_distance(po.parse("a > b; a > c"), po.parse("c > a; b"))
    3.0
    >>> N, chain = po.parse("a > c; b > c; b > d"), po.parse("b > a > d > c")
    >>> po.footrule_distance(N, chain), po.footrule_distance(N, chain, positions="expected")
    (1.0, 1.2)

    Notes
    -----
    Time O(n) on two weak orders, else O(n**2 / 64), beyond the closures; expected positions of a
    partial order take O(n) for each of its ideals, of which there may be 100,000 (6,250 for more
    than 64 items). At the mid positions F is at most 2 D + A + N, with D the pairs decided
    contrarily and A and N those that only one of the orders decides; between weak orders it is at
    least half of that.

    References
    ----------
    .. [1] P. Diaconis, R. L. Graham, "Spearman's footrule as a measure of disarray", Journal of the
       Royal Statistical Society B 39(2), 1977, pp. 262-268.
       https://doi.org/10.1111/j.2517-6161.1977.tb01624.x
    .. [2] R. Fagin, R. Kumar, M. Mahdian, D. Sivakumar, E. Vee, "Comparing partial rankings", SIAM
       Journal on Discrete Mathematics 20(3), 2006, pp. 628-648. https://doi.org/10.1137/05063088X
    """
    pairing = pair_up(target, predicted)
    if asks_for_expected(pairing, positions):
        return float(exact_sum(map(abs, expected_moves(pairing))))
    return int(np.abs(doubled_moves(pairing)).sum()) / 2


def footrule_distance_terms(
    target: OrderLike, predicted: OrderLike, *, positions: str = "mid"
) -> dict[Item, Fraction]:
    """Return the summands of `footrule_distance`, item -> positions moved.

    Examples
    --------
    >>> import porank as po
    >>> moved = footrule_distance_terms(*po.load_example("tutorial"))
    >>> [str(moved[item]) for item in "ABCDE"]
    ['3', '0', '1', '0', '2']
    """
    pairing = pair_up(target, predicted)
    return dict(zip(pairing.target.items, map(abs, moves(pairing, positions)), strict=True))


def hausdorff_footrule_distance(target: OrderLike, predicted: OrderLike) -> float:
    """Return the footrule from any ranking of the one order to the nearest of the other, at worst.

    Between the sets S and S' of rankings that refine two weak orders, it is the larger of
    max min F(s, s') over s in S and s' in S', and the same the other way round.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two weak orders on the same items.

    Returns
    -------
    float
        A whole number from 0 to n**2 / 2.

    Raises
    ------
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.
    NotApplicableError
        If one of them is not weak.

    Examples
    --------
    >>> import porank as po
    >>> first, second = po.from_levels([["a", "b"], ["c"]]), po.from_levels([["b", "c"], ["a"]])
    >>> po.hausdorff_footrule_distance(first, second), po.footrule_distance(first, second)
    (4.0, 3.0)

    Notes
    -----
    Time O(n log n). The farthest ranking breaks the ties of its own order against the other order,
    and the nearest to it breaks those of the other order as it finds them; it lies between the
    footrule and twice the footrule.

    References
    ----------
    .. [1] D. E. Critchlow, "Metric Methods for Analyzing Partially Ranked Data", Springer, 1985.
       https://doi.org/10.1007/978-1-4612-1106-8
    .. [2] R. Fagin, R. Kumar, M. Mahdian, D. Sivakumar, E. Vee, "Comparing partial rankings", SIAM
       Journal on Discrete Mathematics 20(3), 2006, pp. 628-648. https://doi.org/10.1137/05063088X
    """
    pairing = pair_up(target, predicted)
    require_weak(pairing, why="no formula is known for the sets of rankings of partial orders")
    truth, guess = pairing.target.layers, pairing.predicted_layers
    from_target = _ranked(truth, -guess) - _ranked(guess, truth)
    from_predicted = _ranked(truth, guess) - _ranked(guess, -truth)
    return float(max(np.abs(from_target).sum(), np.abs(from_predicted).sum()))


def _ranked(layers: Numbers, within: Numbers) -> Numbers:
    """Return the rank of each item, ties broken by `within` and then by number."""
    ranks = np.empty_like(layers)
    ranks[np.lexsort((within, layers))] = np.arange(layers.size)
    return ranks
