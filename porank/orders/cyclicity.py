"""Measure how cyclic preferences are.

The margin of a pair is the amount by which the evidence for one side exceeds the evidence for the
other. If margins form a cycle, no ranking agrees with all of them. The least total of margins that
must be reversed or dropped to remove all cycles is the weight of a minimum feedback arc set [1]_.
It is exact for small strongly connected components. For larger ones, the edges dropped by
`break_cycles` give an upper bound.

Public: `cyclicity`, which returns a `Cyclicity`.

References
----------
.. [1] R. M. Karp, "Reducibility among combinatorial problems", Complexity of Computer Computations,
   1972, pp. 85-103. https://doi.org/10.1007/978-1-4684-2001-2_9
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.arrays import longest_path_levels
from porank.core.compiled_order import as_graph
from porank.core.graphs import cyclic_components, in_order, shortest_cycle
from porank.core.scores import plain_number
from porank.core.tables import Shown, Table, Tabular
from porank.errors import listed
from porank.orders.cycles import EXACT_ITEMS, break_cycles, require_weights

if TYPE_CHECKING:
    from collections.abc import Iterable

    from porank.typing import Item, OrderLike

#: For each compared pair, the evidence for its first item and for its second.
_Sides = dict[tuple[Any, Any], tuple[Any, Any]]


@dataclass(frozen=True, repr=False)
class Cyclicity(Shown, Tabular):
    """How cyclic preferences are, as returned by `cyclicity`.

    Attributes
    ----------
    lower, upper : number
        Bounds of the least total of margins to reverse or drop; equal if it is known exactly. The
        lower bound is the exact value for components of up to 16 items. A larger component only
        adds its least margin on the heaviest cycle, if that cycle is in it.
    total : number
        Sum of all margins.
    turned : tuple of (item, item)
        The preferences to reverse or drop. Their margins sum to `upper`, and the others have no
        cycle.
    cycle : tuple of items or None
        The heaviest cycle, with its first item repeated at the end: a cycle whose smallest margin
        is largest.
    cycle_margin : number
        Smallest margin on this cycle, 0 if there is no cycle.

    See Also
    --------
    cyclicity, explore

    Examples
    --------
    >>> import porank as po
    >>> found = po.cyclicity(po.parse("a > b > c > a"))
    >>> found.is_exact, found.upper, found.total
    (True, 1, 3)
    """

    lower: Any
    upper: Any
    total: Any
    turned: tuple[tuple[Item, Item], ...]
    cycle: tuple[Item, ...] | None
    cycle_margin: Any

    @property
    def is_exact(self) -> bool:
        """Whether the least total of margins to reverse is known exactly."""
        return bool(self.lower == self.upper)

    def to_table(self) -> Table:
        """Return the results on cyclic preferences as a table of two columns."""
        rows: list[tuple[str, object]] = [("sum of margins", self.total)]
        if self.is_exact:
            rows.append(("to reverse", self.upper))
        else:
            rows += [("to reverse, at least", self.lower), ("to reverse, at most", self.upper)]
        if self.cycle is not None:
            cycle = listed(self.cycle, separator=" > ")
            rows += [("heaviest cycle", cycle), ("its smallest margin", self.cycle_margin)]
        return Table(("property", "value"), rows)


def cyclicity(G: OrderLike, *, weight: str | None = "auto") -> Cyclicity:
    """Return the least total of margins that must be reversed to remove all cycles.

    Let s(u, v) be the evidence that u is preferred to v. The margin of u over v is m(u, v) =
    max(s(u, v) - s(v, u), 0). The result is the smallest total margin of a set of pairs whose
    removal leaves no cycle of positive margins. It is 0 if and only if the net preferences are
    acyclic.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        Any directed graph.
    weight : str or None
        Edge attribute with the evidence for an edge, a finite number of at least 0. If None, each
        edge counts once. "auto" uses ``support`` if all edges have it, as in the graphs of
        `from_log` and `net_preferences`, and None otherwise. With ``support``, an edge may also
        have the attribute ``against``, the evidence for the opposite edge.

    Returns
    -------
    Cyclicity
        The total as two bounds, which are equal if no strongly connected component has more than 16
        items; and the heaviest cycle as a witness.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is not a graph.
    PorankError
        If a weight is missing, negative, infinite or not a number.

    See Also
    --------
    Cyclicity, break_cycles, find_cycle, net_preferences

    Examples
    --------
    In ten sessions each, a wins 7 : 3 against b, b wins 8 : 2 against c, and c wins 6 : 4 against
    a.

    >>> import networkx as nx
    >>> import porank as po
    >>> G = nx.DiGraph()
    >>> wins = {"ab": 7, "ba": 3, "bc": 8, "cb": 2, "ca": 6, "ac": 4}
    >>> G.add_edges_from((u, v, {"support": wins[u + v]}) for u, v in wins)
    >>> print(po.cyclicity(G))
    property             value
    -------------------  ---------------------
    sum of margins       12
    to reverse           2
    heaviest cycle       'a' > 'b' > 'c' > 'a'
    its smallest margin  2

    Notes
    -----
    Time of `break_cycles`, plus O(n + m), and O(m log m) for the heaviest cycle. In components of
    more than 16 items, the upper bound depends on the type names and reprs of the items.
    """
    H = as_graph(G)
    items = in_order(H)
    sides = _read_sides(H, items, weight)
    N = _margin_graph(items, sides)
    _, dropped = break_cycles(N, weight="margin")
    margin = nx.get_edge_attributes(N, "margin")
    upper = sum(margin[pair] for pair in dropped)
    cycle = _heaviest_cycle(N)
    cycle_margin = min((margin[pair] for pair in pairwise(cycle or ())), default=0)
    small = {item for part in cyclic_components(N) if len(part) <= EXACT_ITEMS for item in part}
    exact = sum(margin[pair] for pair in dropped if pair[0] in small)
    return Cyclicity(
        # Each cycle must lose at least one margin.
        lower=exact if cycle is None or cycle[0] in small else exact + cycle_margin,
        upper=upper,
        total=sum(margin.values()),
        turned=tuple(dropped),
        cycle=None if cycle is None else tuple(cycle),
        cycle_margin=cycle_margin,
    )


def _read_sides(G: nx.DiGraph, items: list[Item], weight: str | None) -> _Sides:
    """Return the evidence for both sides of each pair that a graph compares, in order."""
    edges = list(G.edges(data=True))
    if weight == "auto":
        weight = "support" if all("support" in data for *_, data in edges) else None
    require_weights(edges, weight)
    number = {item: place for place, item in enumerate(items)}
    edges.sort(key=lambda edge: (number[edge[0]], number[edge[1]]))
    amount = {(u, v): 1 if weight is None else plain_number(data[weight]) for u, v, data in edges}
    sides: _Sides = {}
    for u, v, data in edges:
        back = amount.get((v, u))
        if back is None:
            back = plain_number(data.get("against", 0)) if weight == "support" else 0
        if u != v and (v, u) not in sides and amount[u, v] + back:
            sides[u, v] = amount[u, v], back
    return sides


def _margin_graph(items: Iterable[Item], sides: _Sides) -> nx.DiGraph:
    """Return the graph of the pairs with a positive margin; edges start at the preferred item."""
    N = nx.DiGraph()
    N.add_nodes_from(items)
    for (u, v), (there, back) in sides.items():
        if there != back:
            edge = (u, v) if there > back else (v, u)
            N.add_edge(*edge, margin=abs(there - back))
    return N


def _heaviest_cycle(N: nx.DiGraph) -> list[Item] | None:
    """Return a cycle of margins whose smallest margin is largest, a shortest one of these.

    Idea: *find by bisection the largest margin such that the pairs with at least this margin have a
    cycle.*
    """
    number = {item: place for place, item in enumerate(N)}
    edges = [(number[u], number[v]) for u, v in N.edges]
    source, target = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    margins = [margin for *_, margin in N.edges(data="margin")]
    levels = sorted(set(margins))
    place = {margin: level for level, margin in enumerate(levels)}
    level = np.array([place[margin] for margin in margins], dtype=np.int64)

    def is_cyclic(least: int) -> bool:
        kept = level >= least
        return longest_path_levels(len(N), source[kept], target[kept]) is None

    if not is_cyclic(0):
        return None
    cyclic, acyclic = 0, len(levels)
    while acyclic - cyclic > 1:
        middle = (cyclic + acyclic) // 2
        cyclic, acyclic = (middle, acyclic) if is_cyclic(middle) else (cyclic, middle)
    heavy = [(u, v) for u, v, margin in N.edges(data="margin") if margin >= levels[cyclic]]
    return shortest_cycle(nx.DiGraph(heavy))
