"""Graphs from pairs, rankings, levels, ranks and matrices.

What is written is the transitive reduction, with the known ties as the node attribute ``tie``; only
`from_pairs` and `from_matrix` write what they are given, cycles included.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.build.classes import graph_of_layers
from porank.core.arguments import distinct_items, ranked_items, read_items, require_item
from porank.core.compiled_order import read_scores
from porank.core.graphs import graph_of, in_order
from porank.errors import PorankError

if TYPE_CHECKING:
    from porank.typing import Item, Scores


def from_pairs(pairs: Iterable[tuple[Item, Item]], items: Iterable[Item] = ()) -> nx.DiGraph:
    """Return the graph with an edge for each pair (preferred, other).

    Parameters
    ----------
    pairs : iterable of pairs
        Each holds exactly two items, or is a text of two letters, as networkx takes them; a pair
        given twice is written once. Cycles and self-loops are information and are kept.
    items : iterable, optional
        Items of the graph, whether or not a pair names them; they come first, in this sequence.

    Returns
    -------
    DiGraph

    Raises
    ------
    PorankError
        If a pair does not hold two hashable items.

    Examples
    --------
    >>> G = from_pairs([("a", "c"), ("a", "b"), ("a", "c")], items=["a", "b", "c", "d"])
    >>> list(G.edges), list(G)
    ([('a', 'c'), ('a', 'b')], ['a', 'b', 'c', 'd'])

    Notes
    -----
    Time O(n + m).
    """
    G = nx.DiGraph()
    G.add_nodes_from(read_items(items, name="items"))
    for number, pair in enumerate(in_order(pairs) if isinstance(pairs, Set) else pairs, start=1):
        G.add_edge(*_read_pair(pair, number))
    return G


def _read_pair(pair: Any, number: int) -> tuple[Item, Item]:
    is_pair = isinstance(pair, Collection) and not isinstance(pair, (bytes, set, frozenset))
    if not is_pair or len(pair) != 2:
        way_out = ""
        if is_pair and len(pair) == 3 and not isinstance(pair, str):
            way_out = "; read_pairs and from_matrix keep the weights of pairs"
        raise PorankError(
            f"expected two items, (preferred, other), as pair number {number}, "
            f"found {pair!r}{way_out}"
        )
    preferred, other = pair
    require_item(preferred)
    require_item(other)
    return preferred, other


def from_ranking(sequence: Iterable[Item]) -> nx.DiGraph:
    """Return the total order of the items, best first: a chain of n - 1 edges.

    Parameters
    ----------
    sequence : iterable
        The items, each once; a text stands for its letters.

    Returns
    -------
    DiGraph

    Raises
    ------
    PorankError
        If an item occurs twice.

    Examples
    --------
    >>> list(from_ranking(["E", "B", "C"]).edges)
    [('E', 'B'), ('B', 'C')]

    Notes
    -----
    Time O(n).
    """
    items = ranked_items(sequence, name="the ranking")
    return graph_of(items, ([number] for number in range(1, len(items))))


def from_levels(levels: Iterable[Iterable[Item]]) -> nx.DiGraph:
    """Return the weak order of the levels, best first; items of one level are tied.

    Parameters
    ----------
    levels : iterable of iterables
        Each level holds at least one item, and each item stands in one level.

    Returns
    -------
    DiGraph
        Edges between neighbouring levels, and the node attribute ``tie``.

    Raises
    ------
    PorankError
        If a level is empty or a text, if an item occurs twice, or if the levels are so large that
        more than 10**7 edges would be written.

    Examples
    --------
    >>> G = from_levels([["a"], ["b", "c"]])
    >>> list(G.edges), dict(G.nodes(data="tie"))
    ([('a', 'b'), ('a', 'c')], {'a': None, 'b': 1, 'c': 1})

    Notes
    -----
    Time O(n + m), with m the sum of the products of the sizes of neighbouring levels.
    """
    if isinstance(levels, (str, bytes)):
        raise PorankError(
            f"expected a list of levels, found the text {levels!r}; parse reads texts"
        )
    read = [_read_level(level, number) for number, level in enumerate(levels, start=1)]
    items = distinct_items([item for level in read for item in level], name="the levels")
    layers = np.repeat(np.arange(len(read)), list(map(len, read)))
    return graph_of_layers(items, layers)


def _read_level(level: Iterable[Item], number: int) -> list[Item]:
    # A level is easily mistaken for an item, and a name for its letters.
    if isinstance(level, str):
        raise PorankError(
            f"expected items as level {number}, found the text {level!r}; write [{level!r}]"
        )
    items = read_items(level, name=f"level {number}")
    if not items:
        raise PorankError(f"expected an item in each level, found level {number} empty")
    return items


def from_ranks(ranks: Scores) -> nx.DiGraph:
    """Return the weak order in which a smaller rank is better and equal ranks are tied.

    Parameters
    ----------
    ranks : mapping, array, or list of numbers
        Item -> number; an array or a list gives the numbers of the items 0..n-1.

    Returns
    -------
    DiGraph
        Edges between neighbouring levels, and the node attribute ``tie``.

    Raises
    ------
    PorankError
        If a rank is NaN or no number, or if more than 10**7 edges would be written.

    Examples
    --------
    >>> list(from_ranks({"a": 2, "b": 1, "c": 2.5}).edges)
    [('a', 'c'), ('b', 'a')]

    Notes
    -----
    Time O(n log n + m).
    """
    items, layers = read_scores(ranks, name="ranks")
    for item in items:
        require_item(item)
    return graph_of_layers(items, layers.max(initial=0) - layers)


def from_matrix(matrix: Any, items: Iterable[Item] | None = None) -> nx.DiGraph:
    """Return the graph in which item i is above item j when entry [i][j] is not zero.

    Parameters
    ----------
    matrix : array, frame, or sequence of sequences of numbers
        Square, finite, not negative. The entry is kept as the edge attribute ``weight``, a plain
        Python number; True is 1. Cycles are kept.
    items : iterable, optional
        One for each row; by default the index of a frame, else 0..n-1.

    Returns
    -------
    DiGraph

    Raises
    ------
    PorankError
        If the matrix is not square, the items do not fit it, or an entry is no such number.

    Examples
    --------
    >>> list(from_matrix([[0, 2], [0.5, 0]], ["a", "b"]).edges(data="weight"))
    [('a', 'b', 2), ('b', 'a', 0.5)]

    Notes
    -----
    Time O(n**2).
    """
    if items is None and hasattr(matrix, "to_numpy"):
        items = _items_of_frame(matrix)
    rows = _read_rows(matrix)
    names = list(range(len(rows))) if items is None else distinct_items(items, name="items")
    if len(names) != len(rows):
        raise PorankError(
            f"expected one item for each of the {len(rows)} rows of the matrix, found {len(names)}"
        )
    G = graph_of(names)
    for i, row in enumerate(rows):
        weights = ((j, _read_weight(entry, i, j)) for j, entry in enumerate(row))
        G.add_edges_from((names[i], names[j], {"weight": w}) for j, w in weights if w != 0)
    return G


def _items_of_frame(frame: Any) -> list[Item]:
    """Return the index of a frame, which must name its columns too."""
    index, columns = frame.index.tolist(), frame.columns.tolist()
    if index != columns:
        raise PorankError(
            "expected the same names for rows and columns of the frame, "
            f"found {index!r} and {columns!r}; items= names them"
        )
    return list(index)


def _read_rows(matrix: Any) -> list[list[Any]]:
    """Return the rows of a square matrix as lists."""
    if hasattr(matrix, "to_numpy"):
        matrix = matrix.to_numpy()
    if isinstance(matrix, np.ndarray):
        matrix = matrix.tolist()
    if isinstance(matrix, (str, Mapping)) or not isinstance(matrix, Iterable):
        raise PorankError(f"expected a square matrix, found a {type(matrix).__name__}")
    rows = list(matrix)
    for i, row in enumerate(rows):
        if not isinstance(row, (Sequence, np.ndarray)) or isinstance(row, str):
            raise PorankError(f"expected a row of numbers as row {i} of the matrix, found {row!r}")
        if len(row) != len(rows):
            raise PorankError(
                f"expected a square matrix, found {len(rows)} rows "
                f"and {len(row)} entries in row {i}"
            )
    return [list(row) for row in rows]


def _read_weight(entry: Any, i: int, j: int) -> Any:
    """Return an entry as a plain Python number that is finite and not negative."""
    plain = entry.item() if isinstance(entry, np.generic) else entry
    plain = int(plain) if isinstance(plain, bool) else plain
    try:
        is_weight = plain >= 0 and math.isfinite(plain)
    except (TypeError, ValueError, ArithmeticError):
        is_weight = False
    if not is_weight:
        raise PorankError(f"expected a finite number >= 0 at [{i}][{j}], found {plain!r}")
    return plain
