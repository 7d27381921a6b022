"""Summarize a graph: `describe` returns a `Summary`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import networkx as nx

from porank.core.compiled_order import as_graph, compile_if_acyclic
from porank.core.graphs import (
    cyclic_components,
    node_values,
    pairs_within,
    shortest_cycle,
    tie_groups,
)
from porank.core.tables import Properties
from porank.orders.dimension import dimension, is_two_dimensional
from porank.orders.lattices import is_lattice
from porank.orders.ranks import is_graded
from porank.orders.types import nested_up_sets, type_of

if TYPE_CHECKING:
    from porank.typing import Item, OrderLike


#: With more items, `describe` does not report whether an order is a lattice or graded, and its
#: dimension only if it follows from the type; with more than 12, a dimension above 2 not exactly.
_MOST_ITEMS, _MOST_WITH_DIMENSION = 100, 12


@dataclass(frozen=True, repr=False, kw_only=True)
class Summary(Properties):
    """The summary of a graph, as returned by `describe`; values undefined on cycles are None.

    Attributes
    ----------
    type : str
        The type of the order, as returned by `order_type`.
    items, edges : int
        Numbers of items and edges of the graph; for scores, the edges of the reduction.
    pairs : int or None
        Number of pairs of items of which one is preferred to the other.
    comparable : float or None
        Their share of all pairs; nan for fewer than two items.
    height : int or None
        Number of levels.
    dimension : str or None
        The smallest number of rankings whose intersection is the order, such as "2"; "3 or more"
        if there are more than 12 items. None if there are more than 100, unless the order is weak.
    lattice, graded : bool or None
        What `is_lattice` and `is_graded` return; None if there are more than 100 items.
    components : int
        Number of connected components.
    ties : int
        Number of pairs of items known to be equal.
    cyclic_components : int
        Number of strongly connected components with a cycle.
    cycle : tuple or None
        The cycle that `find_cycle` returns.

    See Also
    --------
    describe, order_type

    Examples
    --------
    >>> import porank as po
    >>> po.describe(po.parse("a > b > a")).cycle
    ('a', 'b', 'a')
    """

    type: str
    items: int
    edges: int
    pairs: int | None = None
    comparable: float | None = None
    height: int | None = None
    components: int
    ties: int
    cyclic_components: int = 0
    cycle: tuple[Item, ...] | None = None
    dimension: str | None = None
    lattice: bool | None = None
    graded: bool | None = None


def describe(G: OrderLike) -> Summary:
    """Return a summary of a graph: its size, type, height, dimension, ties and cycles.

    For orders of up to 100 items, the summary also says whether the order is a lattice or graded.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        Any directed graph.

    Returns
    -------
    Summary
        The summary, which is displayed as a table in a terminal or notebook.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is not a graph.
    TieError
        If the node attribute ``tie`` contradicts the edges of an order.

    See Also
    --------
    Summary, order_type, dimension, is_lattice, is_graded

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.load_example("table1")
    >>> print(po.describe(target))
    property           value
    -----------------  ---------
    type               semiorder
    items              5
    edges              5
    pairs              5
    comparable         0.5
    height             3
    components         1
    ties               0
    cyclic components  0
    dimension          2
    lattice            False
    graded             False

    Notes
    -----
    Time O(n log n + m) for interval orders and cyclic graphs, otherwise the time of the closure.
    With up to 100 items, also that of the dimension and of `is_lattice`, about a tenth of a second.
    """
    order = compile_if_acyclic(G)
    if order is None:
        return _describe_cyclic(as_graph(G))
    n = len(order.items)
    nested = order.memo(nested_up_sets)
    pairs = order.count_pairs() if nested is None else int(nested.lengths.sum())
    if order.source is None:
        edges = order.count_level_edges()
        components = 1 if edges else n
    else:
        edges, components = order.source.size, nx.number_weakly_connected_components(G)
    kind = type_of(order)
    return Summary(
        items=n,
        edges=edges,
        type=kind,
        pairs=pairs,
        comparable=2 * pairs / (n * (n - 1)) if n > 1 else float("nan"),
        height=len(order.sizes),
        components=components,
        ties=pairs_within(order.tie),
        dimension=_dimension(G, kind, n),
        lattice=is_lattice(G) if n <= _MOST_ITEMS else None,
        graded=is_graded(G) if n <= _MOST_ITEMS else None,
    )


def _dimension(G: OrderLike, kind: str, n: int) -> str | None:
    """Return the dimension for the summary of an order of some type with n items."""
    if kind in ("total", "weak"):
        return "1" if kind == "total" else "2"
    if n <= _MOST_WITH_DIMENSION:
        return str(dimension(G))
    if n > _MOST_ITEMS:
        return None
    return "2" if is_two_dimensional(G) else "3 or more"


def _describe_cyclic(G: nx.DiGraph) -> Summary:
    return Summary(
        items=len(G),
        edges=G.number_of_edges(),
        type="cyclic",
        components=nx.number_weakly_connected_components(G),
        ties=sum(math.comb(len(group), 2) for group in tie_groups(G, node_values(G, "tie"))),
        cyclic_components=sum(1 for _ in cyclic_components(G)),
        cycle=tuple(shortest_cycle(G) or ()),
    )
