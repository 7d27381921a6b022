"""Classes of items that are related alike: one statement for a class, one edge for each item."""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

from porank.core.graphs import graph_of, refuse_large

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx

    from porank.typing import Item, Numbers

#: The way out of a graph that would be too large, where every function takes the scores as well.
GIVE_SCORES = "give the scores themselves, item -> number, which every function takes as an order"


def graph_of_classes(
    items: Sequence[Item],
    classes: Sequence[Sequence[int]],
    rows: Sequence[Sequence[int]],
    *,
    instead: str = GIVE_SCORES,
) -> nx.DiGraph:
    """Return the graph in which all items of a class are above all items of the classes in its row.

    Items of a class of two or more are equal, which the node attribute ``tie`` says.

    Parameters
    ----------
    items : sequence
        The items, distinct.
    classes : sequence of sequences of int
        The numbers of the items of each class; together all items, each once.
    rows : sequence of sequences of int
        For each class, the numbers of the classes that it is above of.
    instead : str
        The way out, should that be too many edges.

    Examples
    --------
    >>> G = graph_of_classes("abcd", [[0], [1, 2], [3]], [[1], [], []])
    >>> list(G.edges), dict(G.nodes(data="tie"))
    ([('a', 'b'), ('a', 'c')], {'a': None, 'b': 1, 'c': 1, 'd': None})

    Notes
    -----
    Time O(n + m). The edges are counted before any is written.
    """
    sizes = list(map(len, classes))
    refuse_large(
        sum(
            size * sum(sizes[below] for below in row) for size, row in zip(sizes, rows, strict=True)
        ),
        instead=instead,
    )
    below_item: list[Sequence[int]] = [()] * len(items)
    for members, row in zip(classes, rows, strict=True):
        below = list(chain.from_iterable(classes[number] for number in row))
        for member in members:
            below_item[member] = below
    ties = {
        items[member]: number
        for number, members in enumerate(classes)
        if len(members) > 1
        for member in members
    }
    return graph_of(items, below_item, ties=ties)


def graph_of_layers(items: Sequence[Item], layers: Numbers) -> nx.DiGraph:
    """Return the weak order whose layers are known, equal items tied.

    Parameters
    ----------
    items : sequence
        The items, distinct.
    layers : array of int
        The layer of each, 0 the best, none left out.

    Examples
    --------
    >>> list(graph_of_layers("abc", np.array([1, 0, 1])).edges)
    [('b', 'a'), ('b', 'c')]

    Notes
    -----
    Time O(n log n + m).
    """
    best_first = np.argsort(layers, kind="stable").tolist()
    ends = [0, *np.cumsum(np.bincount(layers)).tolist()]
    classes = [best_first[start:end] for start, end in pairwise(ends)]
    rows = [[number] for number in range(1, len(classes))] + [[] for _ in classes[-1:]]
    return graph_of_classes(items, classes, rows)
