"""What it costs, summed over the members, to put one item above another, or to leave the pair open.

The distance is Kendall's with p = 1/2: a member that says the contrary adds 1, and where just one
of member and aggregate decides a pair, 1/2. A pair that every member decides costs k / 2 when it is
left open. So an aggregate is judged by what it *saves*, counted in halves: putting i above j saves
the margin, the members for it less the members against it; leaving a pair open saves the number of
members that are silent about it. Every saving is taken times the weight of the pair.

What aggregation returns: an order, what it costs, and how far that may be from the least.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.abstention.degrees import require_room
from porank.abstention.votes import count_wins, read_members
from porank.core.graphs import numbers_in_order
from porank.errors import PorankError
from porank.measures.weights import is_exact, read_dissimilarity, read_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.core.compiled_order import Order
    from porank.typing import Item, Numbers


@dataclass(frozen=True, eq=False)
class PairCosts:
    """The costs of all pairs of items, in halves."""

    items: tuple[Item, ...]
    margin: NDArray[Any]
    silent: NDArray[Any]
    whole: Any
    divisor: int = 1

    def saved(self, above: NDArray[np.bool_]) -> Any:
        """Return what an order saves that has item i above item j where entry [i, j] is true."""
        is_open = ~(above | above.T)
        # Each open pair comes twice, and halves of whole numbers are whole.
        twice = self.silent[is_open].sum()
        return self.margin[above].sum() + (twice // 2 if self.divisor else twice / 2)

    def least(self, *, total: bool) -> Any:
        """Return a cost, in halves, that no order is below: every pair as it is cheapest."""
        best = np.abs(self.margin)
        if not total:
            best = np.maximum(best, self.silent)
        twice = best.sum()
        return self.whole - (twice // 2 if self.divisor else twice / 2)

    def plain(self, halves: Any) -> int | Fraction | float:
        """Return a cost in halves as a plain number."""
        if not self.divisor:
            return float(halves) / 2
        cost = Fraction(int(halves), 2 * self.divisor)
        return int(cost) if cost.denominator == 1 else cost

    def priced(self, above: NDArray[np.bool_], *, total: bool) -> tuple[Any, Any]:
        """Return what an order costs, and how much more than `least`: plain numbers."""
        cost = self.whole - self.saved(above)
        # Floats, added up in two ways, may differ by a rounding.
        return self.plain(cost), self.plain(max(cost - self.least(total=total), 0))

    def in_sequence(self, order: Order) -> Numbers:
        """Return the number that an order with the same items gives to each item."""
        return np.fromiter(map(order.number.__getitem__, self.items), np.int64, len(self.items))


def read_pair_costs(
    orders: Any,
    *,
    counts: Sequence[int] | None = None,
    weights: Any = None,
    dissimilarity: Any = None,
    progress: bool = False,
) -> PairCosts:
    """Return the costs of all pairs for members, weights and a dissimilarity as they are given."""
    members, numbers = read_members(orders, counts=counts, progress=progress)
    return costs_of_members(
        members, numbers, weights=weights, dissimilarity=dissimilarity, progress=progress
    )


def costs_of_members(
    members: Sequence[Order],
    counts: Sequence[int],
    *,
    weights: Any = None,
    dissimilarity: Any = None,
    progress: bool = False,
) -> PairCosts:
    """Return the costs of all pairs for compiled members, items numbered by (type name, repr)."""
    given = members[0].items
    require_room(len(given), bytes_each=8)
    sequence = np.array(numbers_in_order(given), dtype=np.int64)
    weight, divisor = _pair_weights(weights, dissimilarity, given)
    total = sum(counts)
    wins = count_wins(members, counts, progress=progress)[np.ix_(sequence, sequence)]
    # A machine integer holds all sums over pairs, or Python's integers do.
    wins = wins.astype(np.int64 if total * max(len(given), 1) ** 2 < 2**62 else object)
    margin, silent = wins - wins.T, total - wins - wins.T
    np.fill_diagonal(silent, 0)
    pairs = len(given) * (len(given) - 1) // 2
    items = tuple(given[number] for number in sequence.tolist())
    if weight is None:
        return PairCosts(items, margin, silent, total * pairs)
    weight = weight[np.ix_(sequence, sequence)]
    with np.errstate(over="ignore"):
        whole = weight[np.triu_indices(len(given), 1)].sum() * total
    if not divisor and not whole < np.inf:
        raise PorankError(
            "expected weights whose products can be added, found that they exceed all floats; "
            "smaller ones in the same proportion say the same"
        )
    if divisor and whole >= 2**61:
        weight, margin, silent = (part.astype(object) for part in (weight, margin, silent))
    elif divisor:
        weight = weight.astype(np.int64)
    return PairCosts(items, weight * margin, weight * silent, whole, divisor)


def _pair_weights(
    weights: Any, dissimilarity: Any, items: Sequence[Item]
) -> tuple[NDArray[Any] | None, int]:
    """Return w_i w_j D_ij as whole numbers and what these are to be divided by; floats with 0."""
    if weights is None and dissimilarity is None:
        return None, 1
    weight = read_weights(weights, items)
    parts = [weight]
    if dissimilarity is not None:
        parts.append(read_dissimilarity(dissimilarity, items))
    exact = all(map(is_exact, parts))
    weight, *others = (part.astype(object if exact else np.float64) for part in parts)
    with np.errstate(over="ignore", invalid="ignore"):
        product = np.multiply.outer(weight, weight)
        for matrix in others:
            product = product * matrix
    np.fill_diagonal(product, 0)
    if not exact:
        return product, 0
    divisor = math.lcm(*(number.denominator for number in product.flat))
    product.flat = [int(number * divisor) for number in product.flat]
    return product, divisor


@dataclass(frozen=True, eq=False)
class Aggregate:
    """One order out of many, with its cost.

    Two of them are equal if their costs, their gaps and the items, edges and attributes of their
    orders are.

    Attributes
    ----------
    order : DiGraph
        The order.
    cost : int, Fraction or float
        What the method that made it counts: the sum of the distances to the members, or the loss.
        Exact unless weights are floats.
    gap : int, Fraction, float or None
        At most so much more than the least cost there is: 0 for an optimum, None where nothing is
        known.

    Raises
    ------
    AttributeError
        When an attribute is assigned.

    Examples
    --------
    >>> import porank as po
    >>> po.Aggregate(po.from_ranking("ab"), cost=1, gap=0).gap
    0
    >>> votes = [po.from_ranking("ab"), po.from_ranking("ba")]
    >>> po.borda(votes) == po.borda(votes), po.borda(votes) == po.kemeny(votes)
    (True, False)

    Notes
    -----
    Time and memory are those of the order. To compare two takes time O(n + m).
    """

    order: nx.DiGraph
    cost: int | Fraction | float
    gap: int | Fraction | float | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Aggregate):
            return NotImplemented
        same_costs = (self.cost, self.gap) == (other.cost, other.gap)
        return same_costs and nx.utils.graphs_equal(self.order, other.order)

    def __hash__(self) -> int:
        return hash((self.cost, self.gap))
