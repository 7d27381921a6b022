"""Make graphs from pairs, rankings, levels, ranks and matrices, and find the levels of a ranking.

The result is the transitive reduction, with known ties in the node attribute ``tie``. Only
`from_pairs` and `from_matrix` keep all given edges, including cycles.

`from_pairs`, `from_ranking`, `from_levels`, `from_ranks`, `from_matrix`; `graph_of_classes`,
`graph_of_item_levels` and `items_by_level` for classes of equal items; `levels_of` for the levels
of a ranking in a file or a ballot.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from contextlib import closing
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.convert.pair_tables import graph_of_support, is_table, matrix_in, read_pair_groups
from porank.core.arguments import (
    distinct_items,
    holds,
    ranked_items,
    read_items,
    require_flag,
    require_item,
)
from porank.core.arrays import lists_of_rows
from porank.core.columns import as_label, is_frame, is_missing, open_source
from porank.core.compiled_order import compile_order
from porank.core.graphs import graph_of, in_order, refuse_large
from porank.core.labels import warn_of_alike
from porank.core.progress import track
from porank.core.scores import Ranks, plain_number, read_scores
from porank.errors import GIVE_SCORES, NotApplicableError, PorankError, a_kind, listed, quoted

if TYPE_CHECKING:
    import networkx as nx

    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Item, Numbers, OrderLike, Scores


def from_pairs(pairs: Any, items: Iterable[Item] = (), *, counts: bool = False) -> nx.DiGraph:
    """Return the graph with an edge for each pair (preferred, other).

    Parameters
    ----------
    pairs : iterable of pairs, or table
        Pairs of two items. As in networkx, a string of two letters is a pair of items. Duplicates
        become one edge. Cycles and self-loops are kept. Or a table, such as a frame of pandas or
        polars, with the columns ``preferred`` and ``other`` that `read_pairs` knows. A column
        ``weight`` becomes the edge attribute; a column of counts, such as ``support`` or ``times``,
        counts its pair so many times.
    items : iterable, optional
        Items of the graph, which may occur in no pair. They come first, in this order.
    counts : bool
        Whether to count the pairs. Then each edge has the attributes ``support``, the number of
        times its pair occurs, and ``against``, the number of times the opposite pair occurs.
        `feedback_relation` uses them.

    Returns
    -------
    DiGraph
        The graph, with the items of `items` first, then the others in order of appearance.

    Raises
    ------
    PorankError
        If a pair does not consist of two hashable items, or a table lacks a column.
    ParseError
        If a row of a table is invalid.

    See Also
    --------
    parse, format_order, from_ranking, from_levels, from_ranks

    Examples
    --------
    >>> import porank as po
    >>> G = po.from_pairs([("a", "c"), ("a", "b"), ("a", "c")], items=["a", "b", "c", "d"])
    >>> list(G.edges), list(G)
    ([('a', 'c'), ('a', 'b')], ['a', 'b', 'c', 'd'])
    >>> po.from_pairs(["ab", "ba", "ab"], counts=True).edges["a", "b"]
    {'support': 2, 'against': 1}
    >>> table = {"winner": ["a", "b"], "loser": ["b", "c"], "weight": [3, 1]}
    >>> list(po.from_pairs(table).edges(data="weight"))
    [('a', 'b', 3), ('b', 'c', 1)]

    Notes
    -----
    Time O(n + m).
    """
    G = graph_of(read_items(items, name="items"))
    if isinstance(pairs, (str, os.PathLike)) or hasattr(pairs, "read"):
        raise PorankError("expected pairs or a table, found a file or text; read_pairs reads files")
    if is_table(pairs):
        G.update(read_pair_groups(pairs, counts=require_flag(counts, name="counts")).get("", {}))
        return G
    numbered = enumerate(in_order(pairs) if isinstance(pairs, Set) else pairs, start=1)
    seen = track(numbered, label="pairs")
    read = (_read_pair(pair, number) for number, pair in seen)
    if require_flag(counts, name="counts"):
        G = graph_of_support(Counter(read), G)
    else:
        G.add_edges_from(read)
    warn_of_alike(G)
    return G


def _read_pair(pair: Any, number: int) -> tuple[Item, Item]:
    """Return the two items of a pair, the preferred one first."""
    is_pair = isinstance(pair, Collection) and not isinstance(pair, (bytes, set, frozenset))
    if not is_pair or len(pair) != 2:
        way_out = ""
        if is_pair and len(pair) == 3 and not isinstance(pair, str):
            way_out = "; for weighted pairs use read_pairs or from_matrix"
        raise PorankError(
            f"expected two items, (preferred, other), as pair number {number}, "
            f"found {quoted(pair)}{way_out}"
        )
    preferred, other = map(as_label, pair)
    require_item(preferred)
    require_item(other)
    return preferred, other


def from_ranking(sequence: Iterable[Item]) -> nx.DiGraph:
    """Return the total order of a ranking: a chain of n - 1 edges for n items.

    Parameters
    ----------
    sequence : iterable
        The items, best first, each once. A string is a list of its letters.

    Returns
    -------
    DiGraph
        The chain, with an edge from each item to the next.

    Raises
    ------
    PorankError
        If an item occurs twice.

    See Also
    --------
    from_pairs, from_levels, from_ranks

    Examples
    --------
    >>> import porank as po
    >>> list(po.from_ranking(["E", "B", "C"]).edges)
    [('E', 'B'), ('B', 'C')]

    Notes
    -----
    Time O(n).
    """
    items = ranked_items(sequence, name="the ranking")
    rows = ([number] for number in range(1, len(items)))
    return graph_of(items, rows)


def from_levels(levels: Iterable[Iterable[Item]]) -> nx.DiGraph:
    """Return the weak order given by levels; items of the same level are tied.

    Parameters
    ----------
    levels : iterable of iterables
        The levels, best first. Each contains at least one item, and each item occurs once.

    Returns
    -------
    DiGraph
        A graph with all edges between adjacent levels, and the node attribute ``tie``.

    Raises
    ------
    PorankError
        If a level is empty or a string, if an item occurs twice, or if the graph would have more
        than 10**7 edges.

    See Also
    --------
    from_pairs, from_ranking, from_ranks

    Examples
    --------
    >>> import porank as po
    >>> G = po.from_levels([["a"], ["b", "c"]])
    >>> list(G.edges), dict(G.nodes(data="tie"))
    ([('a', 'b'), ('a', 'c')], {'a': None, 'b': 1, 'c': 1})

    Notes
    -----
    Time O(n + m). The number m of edges is the sum of the products of the sizes of adjacent levels.
    """
    if isinstance(levels, (str, bytes)):
        raise PorankError(
            f"expected a list of levels, found the text {levels!r}; to read a text, use parse"
        )
    read = [_read_level(level, number) for number, level in enumerate(levels, start=1)]
    items = distinct_items([item for level in read for item in level], name="the levels")
    level_of = np.repeat(np.arange(len(read)), list(map(len, read)))
    return graph_of_item_levels(items, level_of)


def _read_level(level: Iterable[Item], number: int) -> list[Item]:
    # Users may pass an item instead of a level, and a string would be read as letters.
    """Return the items of a level of a weak order."""
    if isinstance(level, str):
        raise PorankError(
            f"expected items as level {number}, found the text {level!r}; write [{level!r}]"
        )
    items = read_items(level, name=f"level {number}")
    if not items:
        raise PorankError(f"expected at least one item in each level, found level {number} empty")
    return items


def from_ranks(ranks: Scores) -> nx.DiGraph:
    """Return the weak order given by ranks; smaller is better, and equal ranks are tied.

    Parameters
    ----------
    ranks : mapping, array, or list of numbers
        Mapping item -> rank. A list or an array has the ranks of the items 0..n-1.

    Returns
    -------
    DiGraph
        A graph with all edges between adjacent levels, and the node attribute ``tie``.

    Raises
    ------
    PorankError
        If a rank is NaN or not a number, or if the graph would have more than 10**7 edges.

    See Also
    --------
    from_pairs, from_ranking, from_levels, read_ranks, write_ranks

    Examples
    --------
    >>> import porank as po
    >>> list(po.from_ranks({"a": 2, "b": 1, "c": 2.5}).edges)
    [('a', 'c'), ('b', 'a')]

    Notes
    -----
    Time O(n log n + m).
    """
    items, levels = read_numbers(dict(ranks) if isinstance(ranks, Ranks) else ranks, name="ranks")
    return graph_of_item_levels(items, levels.max(initial=0) - levels)


def read_numbers(numbers: Scores, *, name: str) -> tuple[Sequence[Item], Numbers]:
    """Return the items of ranks or scores, and their levels; level 0 has the largest number."""
    items, levels = read_scores(numbers, name=name)
    # All items are hashable, but the index of a Series can contain None.
    if any(item is None for item in items):
        require_item(None)
    return items, levels


def from_matrix(matrix: Any, items: Iterable[Item] | None = None) -> nx.DiGraph:
    """Return the graph with an edge from item i to item j if entry [i][j] of a matrix is not 0.

    Parameters
    ----------
    matrix : array, frame, or sequence of sequences of numbers
        A square matrix of finite numbers of at least 0. They become the edge attribute ``weight``,
        as plain Python numbers; True becomes 1. Cycles are kept. On the diagonal, entries can also
        be empty: None, nan, a blank text or a dash.
    items : iterable, optional
        One item for each row; by default the columns of a frame, whose index or another column has
        the same names in any sequence, or 0..n-1.

    Returns
    -------
    DiGraph
        The graph, with the edge attribute ``weight``.

    Raises
    ------
    PorankError
        If the matrix is not square, if the number of items is wrong, or if an entry is invalid.

    See Also
    --------
    from_pairs, preference_relation

    Examples
    --------
    >>> import porank as po
    >>> list(po.from_matrix([[None, 2], [0.5, None]], ["a", "b"]).edges(data="weight"))
    [('a', 'b', 2), ('b', 'a', 0.5)]

    Notes
    -----
    Time O(n**2).
    """
    if items is None and is_frame(matrix):
        items, matrix = items_and_rows(matrix)
    rows = _read_rows(matrix)
    names = list(range(len(rows))) if items is None else distinct_items(items, name="items")
    if len(names) != len(rows):
        raise PorankError(
            f"expected one item for each of the {len(rows)} rows of the matrix, found {len(names)}"
        )
    G = graph_of(names)
    for u, row in zip(names, rows, strict=True):
        weights = ((v, _read_weight(entry, u, v)) for v, entry in zip(names, row, strict=True))
        G.add_edges_from((u, v, {"weight": weight}) for v, weight in weights if weight != 0)
    return G


def is_square(frame: Any) -> bool:
    """Return whether the index of a frame is equal to its columns."""
    return [*getattr(frame, "index", ())] == [*frame.columns]


def items_and_rows(frame: Any) -> tuple[list[Item], Any]:
    """Return the items and the rows of a frame of a matrix, with the same names on both sides."""
    with closing(open_source(frame, what="matrix")) as source:
        found = matrix_in(source)
    if found is None and not is_square(frame):
        raise PorankError(
            "expected the same names for rows and columns of the frame, "
            f"found the columns {listed(source.names)}; name them with items=",
            hint="from_pairs reads a table with the columns preferred, other and weight, and "
            "PreferenceRelation.from_degrees(nx.get_edge_attributes(G, 'weight')) its graph",
        )
    return found or (list(frame.columns), frame)


def _read_rows(matrix: Any) -> list[list[Any]]:
    """Return the rows of a square matrix as lists of plain numbers."""
    values = matrix.to_numpy() if hasattr(matrix, "to_numpy") else matrix
    if isinstance(values, np.ndarray):
        values = values.tolist()
    elif isinstance(values, Iterable) and not isinstance(values, (str, Mapping)):
        values = list(values)
    try:
        rows = np.asarray(values, dtype=object)
    except ValueError as error:
        raise PorankError(f"cannot read the matrix as numbers: {error}") from None
    if rows.ndim != 2 or len(set(rows.shape)) > 1:
        if rows.shape == (0,):
            return []
        raise PorankError(f"expected a square matrix, found {a_kind(matrix)} of shape {rows.shape}")
    read: list[list[Any]] = rows.tolist()
    return read


#: Texts for an empty entry on the diagonal of a matrix.
_EMPTY = ("-", "\N{EN DASH}", "\N{EM DASH}", "nan", "NaN", "NA")


def _read_weight(entry: Any, u: Item, v: Item) -> Any:
    """Return an entry of a matrix of preferences as a plain number, finite and at least 0."""
    if u is v and (is_missing(entry) or entry in _EMPTY):
        return 0
    plain = plain_number(entry)
    plain = int(plain) if isinstance(plain, bool) else plain
    if not holds(lambda weight: weight >= 0 and math.isfinite(weight), plain):
        place = f"[{quoted(u)}][{quoted(v)}]"
        raise PorankError(f"expected a finite number >= 0 at {place}, found {quoted(plain)}")
    return plain


def graph_of_classes(
    items: Sequence[Item],
    classes: Sequence[Sequence[int]],
    rows: Sequence[Sequence[int]],
    *,
    instead: str = GIVE_SCORES,
) -> nx.DiGraph:
    """Return the graph of classes of equal items, each above all items of those in its row."""
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


def graph_of_item_levels(
    items: Sequence[Item], level_of: Numbers, *, instead: str = GIVE_SCORES
) -> nx.DiGraph:
    """Return the graph of a ranking given by the level of each item; equal items are tied."""
    levels = items_by_level(level_of)
    n = len(levels)
    rows = [*([level] for level in range(1, n)), []][:n]
    return graph_of_classes(items, levels, rows, instead=instead)


def items_by_level(levels: Numbers) -> list[list[int]]:
    """Return the numbers of the items on each level of a ranking, best first."""
    best_first = np.argsort(levels, kind="stable")
    return lists_of_rows(int(levels.max(initial=-1)) + 1, levels[best_first], best_first)


def levels_of(order: OrderLike, *, name: str) -> list[list[Item]]:
    """Return the levels of a ranking with known ties, best first, or raise an error."""
    compiled = compile_order(order, name=name)
    if _find_incomparable(compiled):
        u, v = _find_incomparable(compiled.by_name()[0])
        raise NotApplicableError(
            f"expected a ranking with known ties as {name}, found {quoted(u)} and {quoted(v)} "
            "incomparable",
            hint="from_levels(levels(G)) says that they are tied",
        )
    items = compiled.items
    return [[items[number] for number in level] for level in items_by_level(compiled.levels)]


def _find_incomparable(order: CompiledOrder) -> list[Item]:
    """Return two incomparable items, so that an order is not a ranking with known ties, or none.

    Idea: *the order is a ranking if all items of each level are tied.* Then they have the same
    items above them, and one of these is on the level before.
    """
    best_first = np.argsort(order.levels, kind="stable")
    here, following = best_first[:-1], best_first[1:]
    is_above = order.levels[here] < order.levels[following]
    is_tied = (order.tie[here] == order.tie[following]) & (order.tie[here] >= 0)
    apart = np.flatnonzero(~is_above & ~is_tied)
    return [order.items[ends[apart[0]]] for ends in (here, following) if apart.size]
