"""What aggregation returns: an order, what it costs, and how far that may be from the least."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import networkx as nx

if TYPE_CHECKING:
    from fractions import Fraction


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
