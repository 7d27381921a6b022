"""Orders found by counting, written as graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from porank.build.classes import graph_of_layers
from porank.graphs import graph_of, refuse_large

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx

    from porank.compiled import Order
    from porank.typing import Item, Numbers


def graph_of_levels(items: Sequence[Item], layers: Numbers) -> nx.DiGraph:
    """Return the weak order with these layers, items best first, equal items tied.

    Examples
    --------
    >>> G = graph_of_levels("abc", np.array([1, 0, 1]))
    >>> list(G), list(G.edges), dict(G.nodes(data="tie"))
    (['b', 'a', 'c'], [('b', 'a'), ('b', 'c')], {'b': None, 'a': 1, 'c': 1})

    Notes
    -----
    Time O(n log n + m).
    """
    best_first = np.argsort(layers, kind="stable")
    return graph_of_layers([items[number] for number in best_first.tolist()], layers[best_first])


def graph_of_sequence(items: Sequence[Item], best_first: Sequence[int]) -> nx.DiGraph:
    """Return the total order of the items with these numbers, best first.

    Examples
    --------
    >>> list(graph_of_sequence("abc", [2, 0, 1]).edges)
    [('c', 'a'), ('a', 'b')]
    """
    rows = ([number] for number in range(1, len(best_first)))
    return graph_of([items[number] for number in best_first], rows)


def reduced_graph(order: Order) -> nx.DiGraph:
    """Return the reduction of a compiled order, with its known ties and nothing else.

    Examples
    --------
    >>> from porank.compiled import compile_order
    >>> import networkx as nx
    >>> list(reduced_graph(compile_order(nx.DiGraph(["ab", "bc", "ac"]))).edges)
    [('a', 'b'), ('b', 'c')]

    Notes
    -----
    Time that of the reduction.
    """
    edges = order.count_layer_edges() if order.is_weak else order.relation.count_covers()
    refuse_large(edges, instead="the order itself says the same")
    shared = np.bincount(order.tie[order.tie >= 0], minlength=1) > 1
    ties = {
        item: name
        for item, name in zip(order.items, order.tie.tolist(), strict=True)
        if name >= 0 and shared[name]
    }
    return graph_of(order.items, order.relation.reduced_rows(), ties=ties)
