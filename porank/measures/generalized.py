"""Kendall's distance and the footrule with weights of items, positions and pairs of items.

Conventions
-----------
An item u has a weight w_u, a pair of items a dissimilarity D_uv, and a position k > 1 a cost, the
cost of moving there from position k - 1. All of these are at least 0, and 1 by default. If there
are position costs, the weight of an item is multiplied by the mean cost of the steps between its
two positions. x(u, v) is 1 if v is preferred to u, 0 if u is preferred to v, and 1/2 otherwise. In
the code, s(u, v) is 1 if u is preferred to v, -1 if v is preferred to u, and 0 otherwise.

Public: `generalized_kendall`, `generalized_footrule`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.progress import track
from porank.core.relation import unpacked
from porank.measures.distance import footrule
from porank.measures.inversions import weigh_weak_disagreement
from porank.measures.measure import MEASURES, distance, one_of
from porank.measures.pair_table import pair_classes, pair_up
from porank.measures.weights import (
    read_dissimilarity,
    read_weights,
    require_finite,
    weigh_positions,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from porank.measures.pair_table import Pairing
    from porank.typing import Item, Numbers, OrderLike


_FIXED = one_of("one", "local")
#: Share of a pair's weight that a class of pairs adds.
_PARTS = {"discordant": 1, "target_only": 0.5, "predicted_only": 0.5}


def generalized_kendall_terms(
    target: OrderLike, predicted: OrderLike, **options: Any
) -> dict[tuple[Item, Item], Any]:
    """Return the terms of `generalized_kendall` by pair (u, v), as in `pair_classes`."""
    both = _weigh(target, predicted, **options)
    number = both.pairing.target.number
    terms = {}
    for u, v, kind in pair_classes(target, predicted):
        i, j = number[u], number[v]
        unlike = 1 if both.dissimilarity is None else both.dissimilarity[i, j]
        total = float(both.weight[i] * both.weight[j] * unlike * _PARTS.get(kind, 0))
        if total:
            terms[u, v] = total
    return terms


@distance(
    # Without weights it is D + (A + N) / 2.
    kernel=MEASURES["partial_kendall_distance"].parts,
    terms=generalized_kendall_terms,
    checks={"fixed": _FIXED},
)
def generalized_kendall(
    target: OrderLike,
    predicted: OrderLike,
    *,
    weights: Any = None,
    position_costs: Sequence[Any] | None = None,
    fixed: str = "one",
    dissimilarity: Any = None,
) -> float:
    """Return Kendall's distance with weights of items, position costs and dissimilarities.

    It is a sum over pairs of items. A discordant pair {u, v} adds w_u w_v D_uv, the product of the
    weights of its items and of their dissimilarity. A pair that only one order decides adds half of
    that.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    weights : mapping or array, optional
        Weight of each item. An array has the weights of items 0, ..., n - 1 or, if the items have
        other names, of the target's items in their sequence.
    position_costs : sequence, optional
        Costs of the positions 2, ..., n, for total orders only; see `dcg_position_costs`.
    fixed : {"one", "local"}
        Factor for the weight of an item that does not move, if there are position costs: 1, or the
        mean cost of moving to a neighbouring position.
    dissimilarity : matrix or callable, optional
        Dissimilarity of each pair of items: a matrix in the sequence of the target's items, or a
        function of two items. It must be symmetric, and 0 between an item and itself.

    Returns
    -------
    float
        At least 0, and at least half the `generalized_footrule`. For weak orders without
        dissimilarities, it is at most the `generalized_footrule`.

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.
    NotApplicableError
        If there are position costs and one of the orders is not total.
    PorankError
        If a weight, cost or dissimilarity is missing, negative or not a number, or if the
        dissimilarity is not symmetric.

    See Also
    --------
    generalized_footrule, dcg_position_costs

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.parse("a > b > c"), po.parse("b > c > a")
    >>> po.generalized_kendall(target, predicted)
    2.0
    >>> po.generalized_kendall(target, predicted, weights={"a": 1, "b": 2, "c": 3})
    5.0
    >>> round(po.generalized_kendall(target, predicted, position_costs=po.dcg_position_costs(3)), 4)
    0.2602
    >>> po.generalized_kendall(target, predicted, dissimilarity=lambda u, v: ord(v) - ord(u))
    Traceback (most recent call last):
    porank.errors.PorankError: expected a dissimilarity, finite and at least 0, found -1 for
    ('b', 'a')

    Notes
    -----
    O(n log n) for two weak orders of n items; O(n**2) with dissimilarities or for partial orders.
    Without position costs, it is a metric if all weights and dissimilarities are positive. With
    position costs it violates the triangle inequality, contrary to the slides of [1]_: with the
    costs 3, 2, 1 the distance of abcd and dcba is 24, but those of abcd and dbca, and of dbca and
    dcba, add up to only 16.

    References
    ----------
    .. [1] R. Kumar, S. Vassilvitskii, "Generalized distances between rankings", WWW 2010, pp.
       571-580. https://doi.org/10.1145/1772690.1772749
    """
    options = weights, position_costs, fixed, dissimilarity
    with np.errstate(over="ignore", invalid="ignore"):
        return require_finite(_weigh(target, predicted, *options).pair_sum())


def generalized_footrule_terms(
    target: OrderLike, predicted: OrderLike, **options: Any
) -> dict[Item, Any]:
    """Return the terms of `generalized_footrule`: the weighted move of each item."""
    both = _weigh(target, predicted, **options)
    return dict(zip(both.pairing.target.items, both.item_sums().tolist(), strict=True))


@distance(
    # Without weights it is the footrule.
    kernel=footrule,
    by_item=True,
    terms=generalized_footrule_terms,
    metric="pseudometric",
    checks={"fixed": _FIXED},
)
def generalized_footrule(
    target: OrderLike,
    predicted: OrderLike,
    *,
    weights: Any = None,
    position_costs: Sequence[Any] | None = None,
    fixed: str = "one",
    dissimilarity: Any = None,
) -> float:
    """Return the footrule with weights of items, position costs and dissimilarities.

    It is the sum over items u of w_u times the weighted distance that u moves. This is the total of
    w_v D_uv over all items v that move past u in one direction, minus the total in the other
    direction, as an absolute value. A pair that only one order decides counts half.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    weights, position_costs, fixed, dissimilarity
        As in `generalized_kendall`.

    Returns
    -------
    float
        At least 0, and at most twice the `generalized_kendall` distance.

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.
    NotApplicableError
        If there are position costs and one of the orders is not total.
    PorankError
        As in `generalized_kendall`.

    See Also
    --------
    generalized_kendall, dcg_position_costs

    Examples
    --------
    >>> import porank as po
    >>> po.generalized_footrule(*po.load_example("tutorial"))
    6.0
    >>> target, predicted = po.parse("a > b > c"), po.parse("b > c > a")
    >>> po.generalized_footrule(target, predicted, weights={"a": 1, "b": 2, "c": 3})
    10.0

    Notes
    -----
    O(n log n) for two weak orders of n items; O(n**2) with dissimilarities or for partial orders.
    The formula with dissimilarities is from the slides of [1]_, which conjecture that it is at
    least the `generalized_kendall` distance. It can be smaller: if six items are reversed, it is
    20, and the other distance is 22, with dissimilarity 1 between each of the first three and each
    of the last three items, except 2 between the third and the fourth, and 2 between all others.
    For partial orders it is a pseudometric: the distance is 0 if all items have the same positions
    in both orders.

    References
    ----------
    .. [1] R. Kumar, S. Vassilvitskii, "Generalized distances between rankings", WWW 2010, pp.
       571-580. https://doi.org/10.1145/1772690.1772749
    """
    options = weights, position_costs, fixed, dissimilarity
    with np.errstate(over="ignore", invalid="ignore"):
        return require_finite(float(_weigh(target, predicted, *options).item_sums().sum()))


#: Number of entries of the matrix of pairs that are computed at once.
_ENTRIES = 1 << 20


@dataclass(frozen=True, eq=False)
class Weighing:
    """Two orders on the same items, with the weights of items and pairs of items."""

    pairing: Pairing
    weight: NDArray[np.float64]
    dissimilarity: NDArray[np.float64] | None

    @property
    def is_by_levels(self) -> bool:
        """Whether the levels of the two orders are enough to compute the distances."""
        both_weak = self.pairing.target.is_weak and self.pairing.predicted.is_weak
        return both_weak and self.dissimilarity is None

    def pair_sum(self) -> float:
        """Return the weight of the discordant pairs plus half that of pairs decided only once."""
        if self.is_by_levels:
            levels = self.pairing.target.levels, self.pairing.predicted_levels
            return weigh_weak_disagreement(*levels, self.weight) / 2
        # Sum over pairs of w_u w_v D_uv abs(s(u, v) - s'(u, v)) / 2; here each pair comes twice.
        twice = (
            float(self.weight[some] @ np.abs(changes) @ self.weight)
            for some, changes in self._changes()
        )
        return sum(twice) / 4

    def item_sums(self) -> NDArray[np.float64]:
        """Return the weighted move of each item."""
        if self.is_by_levels:
            levels = self.pairing.target.levels, self.pairing.predicted_levels
            here, there = map(self._doubled_positions, levels)
            by_levels: NDArray[np.float64] = self.weight * np.abs(here - there) / 2
            return by_levels
        # w_u abs(sum over v of w_v D_uv (s(u, v) - s'(u, v))) / 2
        sums = np.zeros(self.pairing.n)
        for some, changes in self._changes():
            sums[some] = self.weight[some] * np.abs(changes @ self.weight) / 2
        return sums

    def _doubled_positions(self, levels: Numbers) -> NDArray[np.float64]:
        """Return twice the weight above each item plus the weight of its level."""
        # With weight a above and b below, the sum of w_v s(u, v) is b - a, and 2 a + own level is
        # a - b plus the whole weight.
        heavy: NDArray[Any] = np.bincount(levels, weights=self.weight)
        up_to = np.cumsum(heavy)
        doubled: NDArray[np.float64] = (up_to[levels] - heavy[levels]) + up_to[levels]
        return doubled

    def _changes(self) -> Iterator[tuple[slice, NDArray[Any]]]:
        """Yield blocks of items and the differences of s, multiplied by the dissimilarity."""
        n = self.pairing.n
        step = max(1, _ENTRIES // max(n, 1))
        places = self.pairing.common_places()
        (above, below), (above_too, below_too) = self.pairing.common_rows()
        for first in track(range(0, n, step), label="weighing"):
            some = slice(first, min(first + step, n))
            up, down, up_too, down_too = (
                unpacked(rows[some], n).view(np.int8)
                for rows in (above, below, above_too, below_too)
            )
            changes: NDArray[Any] = ((down - up) - (down_too - up_too))[:, places]
            if self.dissimilarity is not None:
                changes = changes * self.dissimilarity[some]
            yield some, changes


def _weigh(
    target: OrderLike,
    predicted: OrderLike,
    weights: Any = None,
    position_costs: Sequence[Any] | None = None,
    fixed: str = "one",
    dissimilarity: Any = None,
) -> Weighing:
    """Return two orders with all weights for a generalized distance."""
    _FIXED(fixed, "fixed")
    pairing = pair_up(target, predicted)
    items = pairing.target.items
    weight = read_weights(weights, items)
    if position_costs is not None:
        weight = weight * weigh_positions(pairing, position_costs, fixed=fixed)
    matrix = None
    if dissimilarity is not None:
        matrix = read_dissimilarity(dissimilarity, items)
    return Weighing(pairing, weight, matrix)
