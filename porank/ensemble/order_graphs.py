"""Orders found by counting, and degrees of preference, written as graphs and tables."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.convert.rankings import graph_of_layers
from porank.core.graphs import graph_of, refuse_large
from porank.core.tables import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import networkx as nx
    from numpy.typing import NDArray

    from porank.core.compiled_order import Order
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
    >>> from porank.core.compiled_order import compile_order
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


def graph_of_pairs(
    items: Sequence[Item],
    is_kept: NDArray[np.bool_],
    strength: NDArray[Any],
    *,
    name: str,
    value_of: Callable[[int], Any],
) -> nx.DiGraph:
    """Return the graph of the pairs kept, each with an attribute that its strength stands for.

    Examples
    --------
    >>> strength = np.array([[0, 3], [1, 0]])
    >>> graph_of_pairs("ab", strength >= 2, strength, name="wins", value_of=int).edges["a", "b"]
    {'wins': 3}

    Notes
    -----
    Time O(n**2), and 1 µs for each pair.
    """
    refuse_large(int(np.count_nonzero(is_kept)), instead="matrix() has all degrees")
    G = graph_of(items, (np.flatnonzero(row).tolist() for row in is_kept))
    strengths = strength[is_kept].tolist()
    values = {number: value_of(number) for number in set(strengths)}
    for (_, _, data), number in zip(G.edges(data=True), strengths, strict=True):
        data[name] = values[number]
    return G


def table_of_pairs(
    items: Sequence[Item], value_of: Callable[[Item, Item], object], *, corner: str
) -> Table:
    """Return a table of what each ordered pair of two different items has, the first in front.

    An item shows its ``repr`` where another one prints alike.

    Examples
    --------
    >>> print(table_of_pairs([1, "1"], lambda u, v: type(u).__name__, corner="over"))
    over  1    '1'
    ----  ---  ---
    1          int
    '1'   str
    """
    times = Counter(map(str, items))
    names = [str(item) if times[str(item)] == 1 else repr(item) for item in items]
    rows = (
        (name, *("" if i == j else str(value_of(u, v)) for j, v in enumerate(items)))
        for i, (name, u) in enumerate(zip(names, items, strict=True))
    )
    return Table((corner, *names), tuple(rows))
