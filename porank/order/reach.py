"""Single questions to an order: is u preferred to v, and what stands above or below an item.

They are answered by walking the graph, without closing it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx
import numpy as np

from porank.core.compiled_order import as_graph, compile_if_acyclic, compile_order, require_items
from porank.core.graphs import items_above, items_below

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.core.compiled_order import Order
    from porank.typing import Item, OrderLike


def prefers(G: OrderLike, u: Item, v: Item) -> bool:
    """Return whether `G` says that u is preferred to v.

    It does if there is a path of at least one edge from u to v.

    Parameters
    ----------
    G : DiGraph or scores
        Any directed graph. On a cycle an item may be preferred to itself.
    u, v : items
        Two items of `G`.

    Returns
    -------
    bool

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is no graph at all.
    PorankError
        If u or v is no item of `G`.

    Examples
    --------
    >>> import porank as po
    >>> G = po.parse("a > b > c; d")
    >>> po.prefers(G, "a", "c"), po.prefers(G, "c", "a"), po.prefers(G, "a", "d")
    (True, False, False)

    Notes
    -----
    Time O(n + m) the first time, then O(n) to see that the graph has not changed; on an order that
    is not weak, and on a cyclic graph each time, a search through the graph.
    """
    order = compile_if_acyclic(G)
    if order is None:
        G = as_graph(G)
        require_items(G, [u, v])
        if u == v:
            return G.has_edge(u, u) or not items_below(G, u).isdisjoint(G.predecessors(u))
        return bool(nx.has_path(G, u, v))
    require_items(order.number, [u, v])
    layer_u, layer_v = order.layers[[order.number[u], order.number[v]]].tolist()
    if layer_u >= layer_v:
        return False
    return order.is_weak or bool(nx.has_path(G, u, v))


def up_set(G: OrderLike, x: Item) -> set[Item]:
    """Return the items that are preferred to x.

    The up-set of x is {u : u > x}, without x itself.

    Parameters
    ----------
    G : DiGraph or scores
        An order.
    x : item
        An item of `G`.

    Returns
    -------
    set

    Raises
    ------
    CycleError
        If `G` has a cycle.
    PorankError
        If x is no item of `G`.

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
        return _items_where(order, order.layers < order.layers[order.number[x]])
    return items_above(as_graph(G), x)


def down_set(G: OrderLike, x: Item) -> set[Item]:
    """Return the items that x is preferred to.

    The down-set of x is {v : x > v}, without x itself.

    Parameters
    ----------
    G : DiGraph or scores
        An order.
    x : item
        An item of `G`.

    Returns
    -------
    set

    Raises
    ------
    CycleError
        If `G` has a cycle.
    PorankError
        If x is no item of `G`.

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
        return _items_where(order, order.layers > order.layers[order.number[x]])
    return items_below(as_graph(G), x)


def _items_where(order: Order, chosen: NDArray[np.bool_]) -> set[Item]:
    return {order.items[i] for i in np.flatnonzero(chosen).tolist()}
