"""Kendall's distance and the footrule where items, positions and pairs of items do not weigh alike.

Conventions
-----------
Every item u has a weight w_u, every pair a dissimilarity D_uv, and every position k > 1 a cost:
what it takes to move there from position k - 1. All are at least 0, and 1 unless they are given.
Where positions have costs, an item weighs w_u times the mean cost of the positions between its two.
x(u, v) is 1 if v is preferred to u, 0 if u is preferred to v, and 1/2 if neither is: what u loses
of its position to v. Let s(u, v) be 1 if an order prefers u to v, -1 if it prefers v, and 0 if it
prefers neither: the difference of s between two orders is what is added up, pair by pair or item by
item. Where all that is given is whole numbers or fractions the sums are exact, and rounded once.

Public: `generalized_kendall`, `generalized_footrule`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.progress import track
from porank.core.relation import unpacked
from porank.measures.inversions import weigh_weak_disagreement
from porank.measures.measure import as_fraction
from porank.measures.options import require_options
from porank.measures.pair_table import pair_classes, pair_up
from porank.measures.positions import doubled_moves
from porank.measures.weights import (
    as_objects,
    is_exact,
    read_dissimilarity,
    read_weights,
    require_metric,
    weigh_positions,
    weighted_float,
    weights_as_floats,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from porank.measures.pair_table import Pairing
    from porank.typing import Item, Numbers, OrderLike


#: How much of the weight of a pair a class of pairs adds, in halves.
_HALVES = {"discordant": 2, "target_only": 1, "predicted_only": 1}


def generalized_kendall(
    target: OrderLike,
    predicted: OrderLike,
    *,
    weights: Any = None,
    position_costs: Sequence[Any] | None = None,
    fixed: str = "one",
    dissimilarity: Any = None,
    check_metric: bool = False,
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
    check_metric : bool
        Raise an error if the dissimilarity violates the triangle inequality.

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
        If an item has no weight, a number is negative or no number, the dissimilarity is not
        symmetric, or it was to be checked and is no metric.

    See Also
    --------
    generalized_footrule, dcg_position_costs

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.parse("a > b > c"), po.parse("b > c > a")
    >>> generalized_kendall(target, predicted)
    2.0
    >>> generalized_kendall(target, predicted, weights={"a": 1, "b": 2, "c": 3})
    5.0
    >>> round(generalized_kendall(target, predicted, position_costs=po.dcg_position_costs(3)), 4)
    0.2602
    >>> generalized_kendall(target, predicted, dissimilarity=lambda u, v: ord(v) - ord(u))
    Traceback (most recent call last):
    porank.errors.PorankError: expected a dissimilarity, finite and at least 0, found -1 for
    ('b', 'a')

    Notes
    -----
    Time O(n log n) on two weak orders, O(n**2) with a dissimilarity or on partial orders, and
    O(n**3) to check the triangles. Without position costs it is a metric if all weights and all
    dissimilarities are positive, be they a metric themselves or not. With position costs the
    triangle inequality fails, contrary to the slides of [1]_: with the costs 3, 2, 1, dcba is at 24
    from abcd, by way of dbca at 4 + 12.

    References
    ----------
    .. [1] R. Kumar, S. Vassilvitskii, "Generalized distances between rankings", WWW 2010, pp.
       571-580. https://doi.org/10.1145/1772690.1772749
    """
    options = weights, position_costs, fixed, dissimilarity, check_metric
    both = _weigh(target, predicted, *options)
    return weighted_float(both.share(both.pair_sum(), 2))


def generalized_footrule(
    target: OrderLike,
    predicted: OrderLike,
    *,
    weights: Any = None,
    position_costs: Sequence[Any] | None = None,
    fixed: str = "one",
    dissimilarity: Any = None,
    check_metric: bool = False,
) -> float:
    """Return the footrule with weights of items, positions and similarities.

    It is the sum over items u of w_u abs(sum over v of w_v D_uv (x(u, v) in the target - x(u, v) in
    the prediction)): an item moves past others, and the further, the more these weigh and the more
    unlike it they are.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    weights, position_costs, fixed, dissimilarity, check_metric
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
    >>> generalized_footrule(*po.load_example("tutorial"))
    6.0
    >>> target, predicted = po.parse("a > b > c"), po.parse("b > c > a")
    >>> generalized_footrule(target, predicted, weights={"a": 1, "b": 2, "c": 3})
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
    options = weights, position_costs, fixed, dissimilarity, check_metric
    both = _weigh(target, predicted, *options)
    sums = both.item_sums()
    return weighted_float(both.share(sums.sum() if both.divisor else math.fsum(sums), 2))


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
        total = both.weight[i] * both.weight[j] * unlike * _HALVES.get(kind, 0)
        if total:
            terms[u, v] = both.share(total, 2)
    return terms


def generalized_footrule_terms(
    target: OrderLike, predicted: OrderLike, **options: Any
) -> dict[Item, Any]:
    """Return the summands of `generalized_footrule`, item -> weighted move."""
    both = _weigh(target, predicted, **options)
    sums = both.item_sums().tolist()
    items = both.pairing.target.items
    return {item: both.share(total, 2) for item, total in zip(items, sums, strict=True)}


#: So many entries of the matrix of pairs are in hand at once.
_ENTRIES = 1 << 20


@dataclass(frozen=True, eq=False)
class _Weighing:
    """Two orders on the same items, with what each item and each pair of items weighs."""

    pairing: Pairing
    weight: NDArray[Any]
    dissimilarity: NDArray[Any] | None
    divisor: int

    @property
    def is_by_layers(self) -> bool:
        """Whether the layers of the two orders say all that is needed."""
        both_weak = self.pairing.target.is_weak and self.pairing.predicted.is_weak
        return both_weak and self.dissimilarity is None

    @property
    def is_uniform(self) -> bool:
        """Whether all items weigh 1, and all pairs alike."""
        return self.dissimilarity is None and bool(np.all(self.weight == 1))

    def share(self, total: Any, parts: int) -> Any:
        """Return `total` divided by the number of parts, a Fraction unless weights are floats."""
        if self.divisor:
            return Fraction(int(total), parts * self.divisor)
        return float(total) / parts

    def pair_sum(
        self,
    ) -> Any:
        """Return twice the weight of discordant pairs and once that of those decided once."""
        if self.is_uniform:
            pairs = self.pairing.counts
            return 2 * pairs.discordant + pairs.target_only + pairs.predicted_only
        if self.is_by_layers:
            layers = self.pairing.target.layers, self.pairing.predicted_layers
            return weigh_weak_disagreement(*layers, self.weight)
        total: Any = 0
        for some, changes in self._changes():
            total += np.dot(self.weight[some], np.abs(changes) @ self.weight)
        # Each pair came twice.
        return total // 2 if self.divisor else total / 2

    def item_sums(
        self,
    ) -> NDArray[Any]:
        """Return twice the weighted move of each item."""
        if self.is_uniform:
            return np.abs(doubled_moves(self.pairing))
        if self.is_by_layers:
            here, there = map(
                self._doubled_positions,
                (self.pairing.target.layers, self.pairing.predicted_layers),
            )
            by_layers: NDArray[Any] = self.weight * np.abs(here - there)
            return by_layers
        sums = np.zeros_like(self.weight)
        for some, changes in self._changes():
            sums[some] = self.weight[some] * np.abs(changes @ self.weight)
        return sums

    def _doubled_positions(self, layers: Numbers) -> NDArray[Any]:
        """Return the weight above each item, twice, and that of its layer, once."""
        heavy = np.zeros(layers.max(initial=-1) + 1, dtype=self.weight.dtype)
        np.add.at(heavy, layers, self.weight)
        up_to = np.cumsum(heavy)
        doubled: NDArray[Any] = (up_to[layers] - heavy[layers]) + up_to[layers]
        return doubled

    def _changes(
        self,
    ) -> Iterator[tuple[slice, NDArray[Any]]]:
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
    check_metric: bool = False,
) -> _Weighing:
    """Return two orders with weights of items, positions and similarities for a distance."""
    require_options("generalized_kendall", fixed=fixed)
    pairing = pair_up(target, predicted)
    items = pairing.target.items
    weight = read_weights(weights, items)
    if position_costs is not None:
        by_position = weigh_positions(pairing, position_costs, fixed=fixed)
        if is_exact(weight) != is_exact(by_position):
            weight, by_position = weights_as_floats((weight, by_position))
        weight = weight * by_position
    matrix = None
    if dissimilarity is not None:
        matrix = read_dissimilarity(dissimilarity, items)
        if check_metric:
            require_metric(matrix, items)
    return scaled(pairing, weight, matrix)


def scaled(pairing: Pairing, weight: NDArray[Any], dissimilarity: NDArray[Any] | None) -> _Weighing:
    """Return a generalized distance's weights as the fastest numbers with exact sums, or floats."""
    parts = [weight] if dissimilarity is None else [weight, dissimilarity]
    if not all(map(is_exact, parts)):
        weight, *rest = weights_as_floats(parts)
        return _Weighing(pairing, weight, rest[0] if rest else None, 0)
    (weight, divisor), *others = map(_whole, parts)
    largest = max((int(part.max(initial=1)) for part, _ in others), default=1)
    limit = 4 * _upper_bound(weight) ** 2 * largest
    fastest = np.float64 if limit <= 2**53 else np.int64 if limit < 2**63 else object
    divisor = divisor**2 * math.prod(denominator for _, denominator in others)
    whole = [part.astype(fastest, copy=False) for part in (weight, *(part for part, _ in others))]
    return _Weighing(pairing, whole[0], whole[1] if others else None, divisor)


def _upper_bound(weight: NDArray[Any]) -> int:
    """Return a whole number not below the sum of weights, which an integer may not hold."""
    if weight.dtype == object:
        return int(weight.sum())
    return int(weight.sum(dtype=np.float64) * 1.001) + 1


def _whole(amounts: NDArray[Any]) -> tuple[NDArray[Any], int]:
    """Return weights of items or similarities as whole numbers, and their common divisor."""
    if amounts.dtype != object:
        return amounts, 1
    fractions = list(map(as_fraction, amounts.ravel()))
    divisor = math.lcm(*(fraction.denominator for fraction in fractions))
    whole = as_objects(int(fraction * divisor) for fraction in fractions)
    return whole.reshape(amounts.shape), divisor
