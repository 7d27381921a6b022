"""Compute the transitive closure and the transitive reduction of a graph.

A graph, its closure, its reduction and all graphs between the two represent the same order. The
closure has an edge for each preference; the reduction has as few edges as possible.

Public: `transitive_closure` and `transitive_reduction` return graphs. `prefers`, `up_set` and
`down_set` answer single questions by walking the graph, without computing the closure.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.compiled_order import as_graph, compile_if_acyclic, compile_order, require_items
from porank.core.graphs import (
    MAX_EDGES,
    graph_like,
    in_order,
    item_key,
    items_above,
    items_below,
    refuse_large,
    write_edges,
)
from porank.orders.cycles import condense

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Item, OrderLike


def transitive_closure(G: OrderLike, *, max_edges: int = MAX_EDGES) -> nx.DiGraph:
    """Return the transitive closure of `G`.

    The closure has an edge u -> v if G has a path of at least one edge from u to v.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        Any directed graph. Items on a cycle reach each other and themselves.
    max_edges : int
        Maximum number of edges of the closure; a larger one raises an error. 10 million edges take
        some 3 gigabytes.

    Returns
    -------
    DiGraph
        The closure, with the items in the order of `G`. All attributes of items and edges are kept.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is not a graph.
    PorankError
        If the closure has more than `max_edges` edges.

    See Also
    --------
    transitive_reduction, prefers, up_set, down_set

    Examples
    --------
    >>> import porank as po
    >>> sorted(po.transitive_closure(po.parse("a > b > c")).edges)
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    >>> sorted(po.transitive_closure(po.parse("a > b > a")).edges)
    [('a', 'a'), ('a', 'b'), ('b', 'a'), ('b', 'b')]

    Notes
    -----
    Time O(n m_red / 64) for m_red edges of the reduction, and a third of a microsecond for each
    edge of the result. The measures and `describe` use the closure without creating this graph, so
    you need not call this function for them.
    """
    order = compile_if_acyclic(G)
    G = as_graph(G)
    if order is not None:
        rows = order.relation.closed_rows()
        pairs = order.count_pairs()
    else:
        pairs, rows = _close_components(G)
    instead = "raise max_edges, or use prefers(G, u, v) or down_set(G, u), which need no closure"
    refuse_large(pairs, most=max_edges, instead=instead)
    closure = graph_like(G)
    write_edges(closure, rows)
    return closure


def _close_components(G: nx.DiGraph) -> tuple[int, Iterator[list[int]]]:
    """Return the number of edges and the rows of the transitive closure of a cyclic graph."""
    C = condense(G)
    number = {item: i for i, item in enumerate(G)}
    members = [sorted(number[item] for item in group) for _, group in C.nodes(data="members")]
    reached = [
        # A node of C that is not an item of G is a cyclic component, whose members reach each
        # other and themselves.
        [k] * (node not in G) + row
        for k, (node, row) in enumerate(
            zip(C, compile_order(C).relation.closed_rows(), strict=True)
        )
    ]
    node_of = {i: k for k, group in enumerate(members) for i in group}
    size = [len(group) for group in members]
    pairs = sum(size[k] * size[below] for k, row in enumerate(reached) for below in row)
    return pairs, (
        sorted(j for below in reached[node_of[i]] for j in members[below]) for i in range(len(G))
    )


def transitive_reduction(G: OrderLike) -> nx.DiGraph:
    """Return the transitive reduction of `G`.

    The reduction of an order has an edge u -> v if u covers v: if u > v and no item is between
    them. It is a subgraph of `G`, and the smallest graph with the same closure [1]_.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        Any directed graph. If it has cycles, the result has one cycle through the members of each
        cyclic component, which may use edges that `G` does not have, and one edge for each cover of
        the condensation.

    Returns
    -------
    DiGraph
        The reduction, with the items in the order of `G`. The attributes of items and of the
        remaining edges are kept.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is not a graph.

    See Also
    --------
    transitive_closure, prefers

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.load_example("table1")
    >>> sorted(set(target.edges) - set(po.transitive_reduction(target).edges))
    [('A', 'D')]
    >>> sorted(po.transitive_reduction(po.parse("a > b > c > a; b > a; a > d; b > d")).edges)
    [('a', 'b'), ('a', 'd'), ('b', 'c'), ('c', 'a')]

    Notes
    -----
    Time O(n m_red / 64) for m_red edges of the reduction, and one to two microseconds for each edge
    of the result. Graphs with few edges and a small closure take less.

    References
    ----------
    .. [1] A. V. Aho, M. R. Garey, J. D. Ullman, "The transitive reduction of a directed graph",
       SIAM Journal on Computing 1(2), 1972, pp. 131-137. https://doi.org/10.1137/0201008
    """
    order = compile_if_acyclic(G)
    G = as_graph(G)
    if order is None:
        return graph_like(G, _reduced_edges_of_components(G))
    return graph_like(G, _reduced_edges(order))


def _reduced_edges(order: CompiledOrder) -> Iterator[tuple[Any, Any]]:
    """Yield the transitive reduction of an order, computed when the first edge is needed."""
    at = order.items.__getitem__
    for item, row in zip(order.items, order.relation.reduced_rows(), strict=True):
        for successor in map(at, row):
            yield item, successor


def _reduced_edges_of_components(G: nx.DiGraph) -> Iterator[tuple[Any, Any]]:
    """Yield the transitive reduction of a cyclic graph: a cycle per component, then covers."""
    C = condense(G)
    node_of = {item: node for node, group in C.nodes(data="members") for item in group}
    for node, group in C.nodes(data="members"):
        if node not in G:
            around = in_order(group)
            yield from pairwise([*around, around[0]])
    between: dict[tuple[Any, Any], list[tuple[Any, Any]]] = {}
    for u, v in G.edges:
        between.setdefault((node_of[u], node_of[v]), []).append((u, v))
    order = compile_order(C)
    for i, row in enumerate(order.relation.reduced_rows()):
        for j in row:
            edges = between[order.items[i], order.items[j]]
            yield min(edges, key=lambda edge: (item_key(edge[0]), item_key(edge[1])))


def prefers(G: OrderLike, u: Item, v: Item) -> bool:
    """Return whether u is preferred to v in the closure of `G`.

    u is preferred to v if G has a path of at least one edge from u to v.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        Any directed graph. An item on a cycle is preferred to itself.
    u, v : items
        Two items of `G`.

    Returns
    -------
    bool
        Whether u is preferred to v.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is not a graph.
    PorankError
        If u or v is not an item of `G`.

    See Also
    --------
    transitive_closure, transitive_reduction, up_set, down_set

    Examples
    --------
    >>> import porank as po
    >>> G = po.parse("a > b > c; d")
    >>> po.prefers(G, "a", "c"), po.prefers(G, "c", "a"), po.prefers(G, "a", "d")
    (True, False, False)

    Notes
    -----
    Time O(n + m) for the first call. Later calls take O(n) to check that the graph has not changed,
    and for graphs other than weak orders also a search through the graph.

    To ask about many pairs, compute ``C = transitive_closure(G)`` once and use
    ``C.has_edge(u, v)``, which takes less than a microsecond per pair. If the closure is too large,
    use ``v in S`` with ``S = down_set(G, u)``. For weak orders, use ``ranks[u] < ranks[v]`` with
    ``ranks = set_ranks(G)``.
    """
    order = compile_if_acyclic(G)
    if order is None:
        G = as_graph(G)
        require_items(G, [u, v])
        if u == v:
            return G.has_edge(u, u) or not items_below(G, u).isdisjoint(G.predecessors(u))
        return bool(nx.has_path(G, u, v))
    require_items(order.number, [u, v])
    level_u, level_v = order.levels[[order.number[u], order.number[v]]].tolist()
    if level_u >= level_v:
        return False
    return order.is_weak or bool(nx.has_path(G, u, v))


def up_set(G: OrderLike, x: Item) -> set[Item]:
    """Return the up-set of an item: the items preferred to it.

    The up-set of x is {u : u > x}, without x itself.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.
    x : item
        An item of `G`.

    Returns
    -------
    set
        The items u with u > x.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    PorankError
        If x is not an item of `G`.

    See Also
    --------
    prefers, down_set, transitive_closure

    Examples
    --------
    >>> import porank as po
    >>> sorted(po.up_set(po.parse("a > b > d; c > d"), "d"))
    ['a', 'b', 'c']

    Notes
    -----
    Time O(n + m).
    """
    order = compile_order(G)
    require_items(order.number, [x])
    if order.is_weak:
        return _items_where(order, order.levels < order.levels[order.number[x]])
    return items_above(as_graph(G), x)


def down_set(G: OrderLike, x: Item) -> set[Item]:
    """Return the down-set of an item: the items it is preferred to.

    The down-set of x is {v : x > v}, without x itself.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.
    x : item
        An item of `G`.

    Returns
    -------
    set
        The items v with x > v.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    PorankError
        If x is not an item of `G`.

    See Also
    --------
    prefers, up_set, transitive_closure

    Examples
    --------
    >>> import porank as po
    >>> sorted(po.down_set(po.parse("a > b > d; c > d"), "a"))
    ['b', 'd']

    Notes
    -----
    Time O(n + m).
    """
    order = compile_order(G)
    require_items(order.number, [x])
    if order.is_weak:
        return _items_where(order, order.levels > order.levels[order.number[x]])
    return items_below(as_graph(G), x)


def _items_where(order: CompiledOrder, chosen: NDArray[np.bool_]) -> set[Item]:
    return {order.items[i] for i in np.flatnonzero(chosen).tolist()}
