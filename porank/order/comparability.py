"""Which items can be compared, as undirected graphs, and as rows of bits.

A chain is a clique of the comparability graph, an antichain one of the incomparability graph, so
that whatever networkx knows of undirected graphs can be asked of an order.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np

from porank.core.arrays import inverse_of, members_of_layers
from porank.core.compiled_order import as_graph, compile_order
from porank.core.graphs import refuse_large
from porank.core.relation import places_of, rows_along_covers, rows_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from porank.core.compiled_order import Order
    from porank.typing import Numbers, OrderLike


def comparability_graph(G: OrderLike, *, progress: bool = False) -> nx.Graph:
    """Return the undirected graph that joins any two items of which one is preferred to the other.

    It has an edge {u, v} for each pair u > v of the closure of G: the direction is forgotten, the
    pair is not.

    Parameters
    ----------
    G : DiGraph or scores
        An order.
    progress : bool
        Show a bar.

    Returns
    -------
    Graph
        Items in the order of `G`; attributes of items and of the edges of `G` are kept.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    PorankError
        If there are more than 10 million edges to write.

    Examples
    --------
    >>> import porank as po
    >>> sorted(map(sorted, po.comparability_graph(po.parse("a > b > c; d > c")).edges))
    [['a', 'b'], ['a', 'c'], ['b', 'c'], ['c', 'd']]

    Notes
    -----
    Time O(n m_red / 64) for the closure with m_red edges in its reduction, and about a microsecond
    for each edge written.
    """
    order = compile_order(G)
    _refuse_large(_count_pairs(order, progress=progress))
    H = nx.Graph(as_graph(G))
    items, rows = order.items, order.relation.closed_rows()
    H.add_edges_from((items[i], items[j]) for i, row in enumerate(rows) for j in row)
    return H


def incomparability_graph(G: OrderLike, *, progress: bool = False) -> nx.Graph:
    """Return the undirected graph that joins any two items of which neither is preferred.

    It has an edge {u, v} for each unordered pair, and so is the complement of the comparability
    graph. Items known to be tied are joined too; the attribute ``tie`` of the items tells them.

    Parameters
    ----------
    G : DiGraph or scores
        An order.
    progress : bool
        Show a bar.

    Returns
    -------
    Graph
        Items in the order of `G` with their attributes.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    PorankError
        If there are more than 10 million edges to write.

    Examples
    --------
    >>> import porank as po
    >>> sorted(map(sorted, po.incomparability_graph(po.parse("a > b > c; d > c")).edges))
    [['a', 'd'], ['b', 'd']]

    Notes
    -----
    Time O(n m_red / 64) for the closure with m_red edges in its reduction, nothing for it on a weak
    order, and about a microsecond for each edge written.
    """
    order = compile_order(G)
    n = len(order.items)
    _refuse_large(n * (n - 1) // 2 - _count_pairs(order, progress=progress))
    H = nx.Graph()
    if isinstance(G, nx.Graph):
        H.graph.update(G.graph)
        H.add_nodes_from(G.nodes(data=True))
    else:
        H.add_nodes_from(
            (item, {"tie": tie}) for item, tie in zip(order.items, order.tie.tolist(), strict=True)
        )
    items = order.items
    H.add_edges_from((items[i], items[j]) for i, j in _unordered_pairs(order))
    return H


def unordered_rows(order: Order, sequence: Numbers) -> Callable[[int], int]:
    """Return a function that gives for each item, as a row of bits, those unordered with it.

    Parameters
    ----------
    order : Order
        An order of n items.
    sequence : array of int
        The numbers of the items in any sequence: bits and rows count along it.

    Returns
    -------
    callable
        Position in the sequence -> row, in which the bit of the item itself is set too.

    Examples
    --------
    >>> row = unordered_rows(compile_order({"a": 2, "b": 1, "c": 2}), np.array([2, 1, 0]))
    >>> [f"{row(position):03b}" for position in range(3)]
    ['101', '010', '101']

    Notes
    -----
    Time O(n m_red / 64) and, besides the relation, n**2 / 4 bytes while the rows are made and
    n**2 / 8 after that; on a weak order O(n) for each layer that is asked for.
    """
    if order.is_weak:
        layers = order.layers[sequence]

        @cache
        def row_of(layer: int) -> int:
            return rows_of((layers == layer)[None, :])[0]

        return lambda position: row_of(int(layers[position]))
    relation = order.relation
    bit_at = inverse_of(sequence)[relation.order].tolist()
    everything = (1 << len(bit_at)) - 1
    below, above = rows_along_covers(relation.covers, bit_at)
    rows = [0] * len(bit_at)
    for p, bit in enumerate(bit_at):
        rows[bit] = everything ^ (below[p] | above[p])
        below[p] = above[p] = 0
    return rows.__getitem__


def _count_pairs(order: Order, *, progress: bool) -> int:
    """Return the number of comparable pairs, with a bar if the order has to be closed for it."""
    if not order.is_weak:
        order.related(progress=progress)
    return order.count_pairs()


def _refuse_large(edges: int) -> None:
    refuse_large(edges, instead="prefers(G, u, v) answers without writing any")


def _unordered_pairs(order: Order) -> Iterator[tuple[int, int]]:
    """Yield the numbers of the items of each unordered pair, the smaller first."""
    if order.is_weak:
        for group in members_of_layers(order.layers):
            yield from combinations(group.tolist(), 2)
        return
    row_of = unordered_rows(order, np.arange(len(order.items)))
    for i in range(len(order.items)):
        for j in places_of(row_of(i) >> i + 1).tolist():
            yield i, i + 1 + j
