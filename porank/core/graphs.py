"""Convert between graphs and arrays, and find cycles and known ties.

`read_edges`, `levels_of_few`, `edge_values`, `graph_of` and `write_edges` convert between graphs
and arrays, `items_above` and `items_below` walk a graph, `item_key` and `in_order` sort items,
`cyclic_components` and `shortest_cycle` find cycles, and `tie_groups` and `tie_classes` read known
ties. No other module reads the private dictionaries of a DiGraph.

For each item, networkx keeps a dictionary of successors in ``G._succ`` and one of predecessors in
``G._pred``; the two share the attributes of an edge. Reading these directly takes a third of a
microsecond per edge, several times less than the public views.

A value does not depend on the names of the items or the order in which they were added. The choice
of a witness does: it depends on the (type name, repr) of the items, then on insertion, so it is
reproducible.

Known ties are stored in the node attribute ``tie``: items with the same value are known to be
equal. Two items of which neither is above the other are *tied* if they are known to be equal, and
*incomparable* otherwise. Tied items must have the same items above and below them; an attribute
that contradicts the edges is an error.
"""

from __future__ import annotations

import math
from itertools import chain
from types import NoneType
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.order_graph import OrderGraph
from porank.core.progress import track
from porank.errors import GraphTypeError, PorankError, TieError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from porank.typing import Item, Numbers


#: Maximum number of edges of a constructed graph; more would take several gigabytes.
MAX_EDGES = 10**7
#: Maximum size of an array in bytes.
MAX_BYTES = 8 * 10**9


def require_digraph(G: object, *, name: str = "") -> None:
    """Raise `GraphTypeError` unless `G` is a directed graph without parallel edges."""
    where = f" as {name}" if name else ""
    if not isinstance(G, nx.Graph):
        raise GraphTypeError(f"expected a networkx.DiGraph{where}, found {type(G).__name__}")
    if G.is_multigraph():
        raise GraphTypeError(
            f"expected a networkx.DiGraph{where}, found the {type(G).__name__}, which can have "
            "parallel edges; nx.DiGraph(G) keeps one of each"
        )
    if not G.is_directed():
        raise GraphTypeError(
            f"expected a networkx.DiGraph{where}, found the undirected {type(G).__name__}; an edge "
            "u -> v must mean that u is preferred to v"
        )


def count_edges(G: nx.DiGraph) -> int:
    """Return the number of edges of a graph, ten times faster than ``G.number_of_edges()``."""
    return sum(map(len, G._succ.values()))


def read_edges(G: nx.DiGraph) -> tuple[Numbers, Numbers]:
    """Return the edges of a networkx graph as arrays of sources and targets, items numbered."""
    successors = G._succ
    number = dict(zip(successors, range(len(successors)), strict=True))
    degree = np.fromiter(map(len, successors.values()), np.int64, len(successors))
    heads = map(number.__getitem__, chain.from_iterable(successors.values()))
    return np.repeat(np.arange(len(degree)), degree), np.fromiter(
        heads, np.int64, int(degree.sum())
    )


def levels_of_few(G: nx.DiGraph) -> tuple[Numbers | None, Numbers, Numbers]:
    """Return the levels by longest paths in a small graph, None if cyclic, and its edges.

    In graphs of few items, this is faster than operations of arrays.
    """
    number = dict(zip(G._succ, range(len(G)), strict=True))
    rows = [[number[v] for v in row] for row in G._succ.values()]
    open_edges = list(map(len, G._pred.values()))
    queue = [u for u, edges in enumerate(open_edges) if not edges]
    levels = [0] * len(rows)
    for u in queue:
        for v in rows[u]:
            open_edges[v] -= 1
            if not open_edges[v]:
                levels[v] = levels[u] + 1
                queue.append(v)
    source = np.array([u for u, row in enumerate(rows) for _ in row], dtype=np.int64)
    target = np.array(list(chain.from_iterable(rows)), dtype=np.int64)
    found = np.array(levels, dtype=np.int64) if len(queue) == len(rows) else None
    return found, source, target


#: The attribute of items with their number in the reasons for open pairs; not shown or written.
NUMBER = "_number"


def node_values(G: nx.DiGraph, attribute: str) -> list[Any]:
    """Return a node attribute of every item of a graph; None where it is missing.

    If no item has any attribute, the list is empty.
    """
    if not any(G._node.values()):
        return []
    return [data.get(attribute) for data in G._node.values()]


def edge_values(G: nx.DiGraph, attribute: str, default: Any = None) -> list[Any]:
    """Return an edge attribute of every edge of a graph; the default where it is missing."""
    return [data.get(attribute, default) for row in G._succ.values() for data in row.values()]


def items_above(G: nx.DiGraph, item: Item) -> set[Item]:
    """Return the ancestors of an item of a networkx graph."""
    return reached_along(G._pred, item)


def items_below(G: nx.DiGraph, item: Item) -> set[Item]:
    """Return the descendants of an item of a networkx graph."""
    return reached_along(G._succ, item)


def reached_along(neighbours: Mapping[Item, Iterable[Item]], item: Item) -> set[Item]:
    """Return the items that can be reached from an item of a networkx graph, breadth first."""
    reached, farthest = {item}, {item}
    while farthest:
        farthest = set().union(*map(neighbours.__getitem__, farthest)) - reached
        reached |= farthest
    return reached - {item}


def refuse_large(edges: int, *, instead: str, most: int | None = None) -> None:
    """Raise an error if a networkx graph would have too many edges."""
    most = MAX_EDGES if most is None else most
    if edges > most:
        found = f"{edges:,}" if edges < 10**18 else "far more"
        raise PorankError(f"expected at most {most:,} edges to create, found {found}", hint=instead)


def require_memory(n_bytes: float, *, what: str, instead: str) -> None:
    """Raise an error if an array would take too many bytes; the message says what it is for."""
    if n_bytes > MAX_BYTES:
        found, most = (f"{amount / 10**9:.3g} GB" for amount in (n_bytes, MAX_BYTES))
        raise PorankError(f"expected at most {most} for {what}, found {found}", hint=instead)


def graph_of(
    items: Iterable[Any] = (),
    rows: Iterable[Sequence[int]] = (),
    *,
    ties: Mapping[Item, object] | None = None,
) -> nx.DiGraph:
    """Return a graph that shows itself; row i lists the numbers of the successors of item i.

    Items may come with attributes, as in ``add_nodes_from``.
    """
    G = OrderGraph()
    G.add_nodes_from(items)
    write_edges(G, rows)
    nx.set_node_attributes(G, dict(ties or {}), "tie")
    return G


def graph_like(
    G: nx.DiGraph,
    edges: Iterable[tuple[Item, Item]] | None = None,
    *,
    items: Container[Item] | None = None,
    added: Iterable[tuple[Item, Item]] = (),
) -> nx.DiGraph:
    """Return a graph with the attributes of another, and its or the given items and edges."""
    H = graph_of(pair for pair in G.nodes(data=True) if items is None or pair[0] in items)
    H.graph.update(G.graph)
    old = G._succ
    if edges is None:
        edges = ((u, v) for u in H for v in old[u] if v in H)
    H.add_edges_from((u, v, old[u].get(v, {})) for u, v in chain(edges, added))
    return H


def write_edges(G: nx.DiGraph, rows: Iterable[Sequence[int]]) -> None:
    """Add edges to a graph from rows of numbers of successors."""
    items = list(G)
    tracked = zip(track(items, label="writing"), rows, strict=False)
    G.add_edges_from((item, items[number]) for item, row in tracked for number in row)


def item_key(item: Item) -> tuple[str, str]:
    """Return the sort key (type name, repr) of an item of a graph, the same in each run."""
    kind = type(item)
    if isinstance(item, frozenset):
        return kind.__name__, repr(sorted(map(item_key, item)))
    if isinstance(item, tuple):
        return kind.__name__, repr([item_key(part) for part in item])
    if kind.__repr__ is object.__repr__:
        return kind.__name__, ""
    return kind.__name__, quoted(item)


def written(item: Item, spell: Callable[[Item], str] = repr) -> str:
    """Return the text of an item of a graph; Python writes no whole number of 4,301 digits."""
    try:
        return spell(item)
    except ValueError as error:
        raise PorankError(f"cannot write an item of type {type(item).__name__}: {error}") from None


def without_chance(item: object) -> object:
    """Return an item of a graph; one that contains sets as a text that is the same in each run."""
    if isinstance(item, (set, frozenset)):
        texts = [str(without_chance(member)) for member in item]
        return f"{{{', '.join(texts[k] for k in sorted_by_label(texts))}}}"
    if isinstance(item, tuple):
        parts = [without_chance(part) for part in item]
        if any(part is not one for part, one in zip(parts, item, strict=True)):
            pairs = zip(parts, item, strict=True)
            written = [repr(one) if part is one else str(part) for part, one in pairs]
            return f"({', '.join(written)}{',' * (len(written) == 1)})"
    return item


def in_order(items: Iterable[Item]) -> list[Item]:
    """Sort items of a graph by `item_key`, so that the same witness is found in each run."""
    return sorted(items, key=item_key)


def numbers_in_order(items: Sequence[Item]) -> list[int]:
    """Return the numbers of a graph's items sorted by `item_key`, stably."""
    keys = list(map(item_key, items))
    return sorted(range(len(keys)), key=keys.__getitem__)


def sorted_by_label(labels: Sequence[Any]) -> list[int]:
    """Return the positions of sorted labels: whole numbers by size, even as texts, come last."""
    if set(map(type, labels)) == {int}:
        return sorted(range(len(labels)), key=labels.__getitem__)
    keys = list(map(_label_key, labels))
    return sorted(range(len(labels)), key=keys.__getitem__)


def _label_key(label: Any) -> tuple[int, str, tuple[str, str]]:
    """Return the sort key of a label: that of 7 from a JSON file and of "7" from text are alike."""
    text = str(label)
    is_whole = text.isascii() and text.isdecimal() and (text == "0" or text[0] != "0")
    # Numbers of more digits are larger, and Python limits the digits that it converts.
    return (len(text), text, ("", "")) if is_whole else (-1, text, item_key(label))


def component_numbers(n: int, source: Numbers, target: Numbers) -> Numbers:
    """Return the number of the connected component of each item of a graph; the first is 0."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    edges = csr_array((np.ones(source.size, dtype=bool), (source, target)), shape=(n, n))
    component: Numbers = connected_components(edges, directed=False)[1].astype(np.int64)
    return component


def cyclic_components(G: nx.DiGraph) -> Iterator[set[Item]]:
    """Yield the strongly connected components of a networkx graph that contain a cycle."""
    for component in nx.strongly_connected_components(G):
        item = next(iter(component))
        if len(component) > 1 or G.has_edge(item, item):
            yield component


def shortest_cycle(G: nx.DiGraph) -> list[Item] | None:
    """Return a shortest cycle through the first item of a graph that is on a cycle, or None."""
    on_cycles = {item: component for component in cyclic_components(G) for item in component}
    if not on_cycles:
        return None
    first = min((item for item in G if item in on_cycles), key=item_key)
    return _cycle_through(G, first, on_cycles[first])


def _cycle_through(G: nx.DiGraph, first: Item, component: set[Item]) -> list[Item]:
    """Return a shortest cycle through an item of a networkx graph, found breadth first."""
    parent: dict[Item, Item] = {}
    queue = [first]
    for item in queue:
        for successor in in_order(v for v in G.successors(item) if v in component):
            if successor not in parent:
                parent[successor] = item
                queue.append(successor)
        if first in parent:
            break
    path = [first, parent[first]]
    while path[-1] != first:
        path.append(parent[path[-1]])
    return path[::-1]


def tie_groups(G: nx.DiGraph, values: Sequence[object]) -> list[list[Item]]:
    """Return the groups of two or more items of a graph with the same attribute ``tie``."""
    if set(map(type, values)) <= {NoneType}:
        return []
    groups: dict[object, list[Item]] = {}
    for item, value in zip(G, values, strict=True):
        # Attributes read from a table are NaN for items without a value.
        if value is not None and not (isinstance(value, float) and math.isnan(value)):
            try:
                groups.setdefault(value, []).append(item)
            except TypeError:
                raise TieError(
                    "expected a hashable value of the node attribute 'tie', "
                    f"found {quoted(value)} at {quoted(item)}",
                    tied=[item],
                ) from None
    return [group for group in groups.values() if len(group) > 1]


def tie_classes(G: nx.DiGraph, values: Sequence[object], levels: Numbers, is_weak: bool) -> Numbers:
    """Return the class of known ties of each item of an acyclic graph; -1 if it has none."""
    classes = np.full(len(G), -1)
    groups = tie_groups(G, values)
    if not groups:
        return classes
    number = dict(zip(G, range(len(G)), strict=True))
    for name, group in enumerate(groups):
        members = [number[item] for item in group]
        is_one_level = is_weak and np.ptp(levels[members]) == 0
        if not is_one_level:
            _require_equals(G, group)
        classes[members] = name
    return classes


def forget_contradicted_ties(G: nx.DiGraph) -> None:
    """Delete the attribute ``tie`` from tied items of a graph if the edges contradict it."""
    for group in tie_groups(G, node_values(G, "tie")):
        try:
            _require_equals(G, group)
        except TieError:
            for item in group:
                del G.nodes[item]["tie"]


def _require_equals(G: nx.DiGraph, group: list[Item]) -> None:
    """Raise `TieError` unless tied items of a graph have the same items above and below them."""
    first, *others = in_order(group)
    for other in others:
        if all(row[first].keys() == row[other].keys() for row in (G._pred, G._succ)):
            continue
        above = items_above(G, first) ^ items_above(G, other)
        below = items_below(G, first) ^ items_below(G, other)
        if above or below:
            witness = in_order(above or below)[0]
            side = "above" if above else "below"
            raise TieError(
                f"expected the same items above and below the tied {quoted(first)} and "
                f"{quoted(other)}, found {quoted(witness)} {side} only one of them; drop the edge "
                "or the node attribute 'tie'",
                tied=[first, other],
                witness=witness,
            )


def joined_classes(one: Numbers, other: Numbers) -> Numbers:
    """Return the classes of items that are tied in both of two graphs or orders; -1 for none."""
    joined = np.full(one.size, -1)
    both = (one >= 0) & (other >= 0)
    key = one[both] * (other.max(initial=0) + 1) + other[both]
    joined[both] = np.unique(key, return_inverse=True)[1]
    return joined


def pairs_within(classes: Numbers) -> int:
    """Return the number of tied pairs of items, from the class of each item; -1 is no class."""
    return pairs_of_sizes(np.bincount(classes + 1)[1:])


def pairs_of_sizes(sizes: Numbers) -> int:
    """Return the number of tied pairs of items in classes of some sizes."""
    # sum of s (s - 1) / 2
    return int(np.dot(sizes, sizes) - sizes.sum()) // 2
