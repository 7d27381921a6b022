"""Kendall's distance and the footrule where items, positions and pairs of items do not weigh alike.

Conventions
-----------
Every item u has a weight w_u, every pair a dissimilarity D_uv, and every position k > 1 a cost:
what it takes to move there from position k - 1. All are at least 0, and 1 unless they are given.
Where positions have costs, an item weighs w_u times the mean cost of the positions between its two.
x(u, v) is 1 if v is preferred to u, 0 if u is preferred to v, and 1/2 if neither is: what u loses
of its position to v. Let s(u, v) be 1 if an order prefers u to v, -1 if it prefers v, and 0 if it
prefers neither: the difference of s between two orders is what is added up, pair by pair or item by
item.

Public: `generalized_kendall`, `generalized_footrule`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.progress import track
from porank.core.relation import unpacked
from porank.measures.inversions import weigh_weak_disagreement
from porank.measures.options import require_options
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


#: How much of the weight of a pair a class of pairs adds.
_PARTS = {"discordant": 1, "target_only": 0.5, "predicted_only": 0.5}


def generalized_kendall(
    target: OrderLike,
    predicted: OrderLike,
    *,
    weights: Any = None,
    position_costs: Sequence[Any] | None = None,
    fixed: str = "one",
    dissimilarity: Any = None,
) -> float:
    """Return Kendall's distance with weights of items, positions and similarities.

    It is the sum over pairs {u, v} of w_u w_v D_uv abs(x(u, v) in the target - x(u, v) in the
    prediction): a discordant pair counts in full, one that just one of the orders decides by half.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    weights : mapping or array, optional
        item -> weight; or a weight for each of the items 0..n-1 or, of items with other names, of
        the target's items in their sequence.
    position_costs : sequence, optional
        The costs of the positions 2, ..., n, for total orders only; see `dcg_position_costs`.
    fixed : {"one", "local"}
        What positions make of an item that stays at its own: factor 1, or the mean cost of a move
        to either neighbouring position.
    dissimilarity : matrix, mapping or callable, optional
        A matrix in the sequence of the target's items; (u, v) -> number, one direction being
        enough; or a function of two items. Symmetric, and 0 from an item to itself.

    Returns
    -------
    float
        From 0 on. On weak orders it lies between half the `generalized_footrule` and the whole, as
        long as there is no dissimilarity; never below half of it.

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.
    NotApplicableError
        If positions have costs and one of the orders is not total.
    PorankError
        If an item has no weight, a number is negative or no number, or the dissimilarity is not
        symmetric.

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
    Time O(n log n) on two weak orders, O(n**2) with a dissimilarity or on partial orders. Without
    position costs it is a metric if all weights and all dissimilarities are positive, be they a
    metric themselves or not. With position costs the triangle inequality fails, contrary to the
    slides of [1]_: with the costs 3, 2, 1, dcba is at 24 from abcd, by way of dbca at 4 + 12.

    References
    ----------
    .. [1] R. Kumar, S. Vassilvitskii, "Generalized distances between rankings", WWW 2010, pp.
       571-580. https://doi.org/10.1145/1772690.1772749
    """
    options = weights, position_costs, fixed, dissimilarity
    with np.errstate(over="ignore", invalid="ignore"):
        return require_finite(_weigh(target, predicted, *options).pair_sum())


def generalized_footrule(
    target: OrderLike,
    predicted: OrderLike,
    *,
    weights: Any = None,
    position_costs: Sequence[Any] | None = None,
    fixed: str = "one",
    dissimilarity: Any = None,
) -> float:
    """Return the footrule with weights of items, positions and similarities.

    It is the sum over items u of w_u abs(sum over v of w_v D_uv (x(u, v) in the target - x(u, v) in
    the prediction)): an item moves past others, and the further, the more these weigh and the more
    unlike it they are.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    weights, position_costs, fixed, dissimilarity
        As in `generalized_kendall`.

    Returns
    -------
    float
        From 0 to 2 K for the `generalized_kendall` K.

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.
    NotApplicableError
        If positions have costs and one of the orders is not total.
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
    Time O(n log n) on two weak orders, O(n**2) with a dissimilarity or on partial orders, and
    O(n**3) to check the triangles. The form with dissimilarities is that of the slides of [1]_. It
    can be less than K, contrary to the conjecture there: 20 against 22 for the reversal of six
    items with D = 1 between one of the first three and one of the last three, but for the third and
    the fourth, and D = 2 elsewhere. On partial
    orders it is a pseudo-distance: orders in which all items have the same positions are at 0.

    References
    ----------
    .. [1] R. Kumar, S. Vassilvitskii, "Generalized distances between rankings", WWW 2010, pp.
       571-580. https://doi.org/10.1145/1772690.1772749
    """
    options = weights, position_costs, fixed, dissimilarity
    with np.errstate(over="ignore", invalid="ignore"):
        return require_finite(float(_weigh(target, predicted, *options).item_sums().sum()))


def generalized_kendall_terms(
    target: OrderLike, predicted: OrderLike, **options: Any
) -> dict[tuple[Item, Item], Any]:
    """Return (u, v) -> summand of `generalized_kendall`, pairs as in `pair_classes`."""
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


def generalized_footrule_terms(
    target: OrderLike, predicted: OrderLike, **options: Any
) -> dict[Item, Any]:
    """Return the summands of `generalized_footrule`, item -> weighted move."""
    both = _weigh(target, predicted, **options)
    return dict(zip(both.pairing.target.items, both.item_sums().tolist(), strict=True))


#: So many entries of the matrix of pairs are in hand at once.
_ENTRIES = 1 << 20


@dataclass(frozen=True, eq=False)
class Weighing:
    """Two orders on the same items, with what each item and each pair of items weighs."""

    pairing: Pairing
    weight: NDArray[np.float64]
    dissimilarity: NDArray[np.float64] | None

    @property
    def is_by_levels(self) -> bool:
        """Whether the levels of the two orders say all that is needed."""
        both_weak = self.pairing.target.is_weak and self.pairing.predicted.is_weak
        return both_weak and self.dissimilarity is None

    def pair_sum(self) -> float:
        """Return the weight of discordant pairs, and half of that of those decided once."""
        if self.is_by_levels:
            levels = self.pairing.target.levels, self.pairing.predicted_levels
            return weigh_weak_disagreement(*levels, self.weight) / 2
        # Each pair comes twice, and a discordant one differs by 2.
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
        sums = np.zeros(self.pairing.n)
        for some, changes in self._changes():
            sums[some] = self.weight[some] * np.abs(changes @ self.weight) / 2
        return sums

    def _doubled_positions(self, levels: Numbers) -> NDArray[np.float64]:
        """Return the weight above each item, twice, and that of its level, once."""
        heavy: NDArray[Any] = np.bincount(levels, weights=self.weight)
        up_to = np.cumsum(heavy)
        doubled: NDArray[np.float64] = (up_to[levels] - heavy[levels]) + up_to[levels]
        return doubled

    def _changes(self) -> Iterator[tuple[slice, NDArray[Any]]]:
        """Yield for some items at a time the differences of s, times the dissimilarity."""
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
    """Return two orders with weights of items, positions and similarities for a distance."""
    require_options("generalized_kendall", fixed=fixed)
    pairing = pair_up(target, predicted)
    items = pairing.target.items
    weight = read_weights(weights, items)
    if position_costs is not None:
        weight = weight * weigh_positions(pairing, position_costs, fixed=fixed)
    matrix = None
    if dissimilarity is not None:
        matrix = read_dissimilarity(dissimilarity, items)
    return Weighing(pairing, weight, matrix)
