"""What aggregation returns: an order, what it costs, and how far that may be from the least."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

    import networkx as nx


@dataclass(frozen=True)
class Aggregate:
    """One order out of many, with its cost.

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
    >>> Aggregate(po.from_ranking("ab"), cost=1, gap=0).gap
    0

    Notes
    -----
    Time and memory are those of the order.
    """

    order: nx.DiGraph
    cost: int | Fraction | float
    gap: int | Fraction | float | None = None
