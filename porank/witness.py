"""Which of several equally good witnesses is shown: always the same one.

A value never depends on how an item is called or when it was added. A witness must: it is chosen by
(type name, repr) of the items, then by insertion, so that it is the same every time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from porank.typing import Item


def item_key(item: Item) -> tuple[str, str]:
    """Return the key by which items are put in order when one of them must be chosen.

    Sets print in an order that changes from run to run, and plain objects print their address;
    neither may decide.

    Examples
    --------
    >>> sorted([2, "b", "a", 10], key=item_key)
    [10, 2, 'a', 'b']
    >>> item_key(frozenset({2, 1})) == item_key(frozenset({1, 2}))
    True
    """
    kind = type(item)
    if isinstance(item, frozenset):
        return kind.__name__, repr(sorted(map(item_key, item)))
    if isinstance(item, tuple):
        return kind.__name__, repr([item_key(part) for part in item])
    if kind.__repr__ is object.__repr__:
        return kind.__name__, ""
    return kind.__name__, repr(item)


def without_chance(item: object) -> object:
    """Return the item, or a text of it if its own would change from run to run: if it holds sets.

    Examples
    --------
    >>> without_chance(frozenset("ba")), without_chance(("x", frozenset("ba"))), without_chance(1)
    ('{a, b}', "('x', {a, b})", 1)
    >>> print(without_chance(frozenset({frozenset("dc"), frozenset("ba")})))
    {{a, b}, {c, d}}
    """
    if isinstance(item, (set, frozenset)):
        return f"{{{', '.join(str(without_chance(member)) for member in in_order(item))}}}"
    if isinstance(item, tuple):
        parts = [without_chance(part) for part in item]
        if any(part is not own for part, own in zip(parts, item, strict=True)):
            pairs = zip(parts, item, strict=True)
            written = [repr(own) if part is own else str(part) for part, own in pairs]
            return f"({', '.join(written)}{',' * (len(written) == 1)})"
    return item


def in_order(items: Iterable[Item]) -> list[Item]:
    """Return the items sorted by `item_key`, equal keys as they came.

    Examples
    --------
    >>> in_order(["b", 3, "a", 20])
    [20, 3, 'a', 'b']
    """
    return sorted(items, key=item_key)


def numbers_in_order(items: Sequence[Item]) -> list[int]:
    """Return the numbers of the items, sorted by `item_key`, equal keys as they came.

    Examples
    --------
    >>> numbers_in_order(["b", 3, "a", 20])
    [3, 1, 2, 0]
    """
    keys = list(map(item_key, items))
    return sorted(range(len(keys)), key=keys.__getitem__)


def knots(G: nx.DiGraph) -> Iterator[set[Item]]:
    """Yield the knots of `G`: its strongly connected components that hold a cycle.

    Examples
    --------
    >>> [sorted(knot) for knot in knots(nx.DiGraph(["ab", "ba", "bc", "dd"]))]
    [['a', 'b'], ['d']]

    Notes
    -----
    Time O(n + m).
    """
    for component in nx.strongly_connected_components(G):
        item = next(iter(component))
        if len(component) > 1 or G.has_edge(item, item):
            yield component


def shortest_cycle(G: nx.DiGraph) -> list[Item] | None:
    """Return the cycle that stands for all cycles of `G`, or None.

    It begins and ends with the first item that lies on a cycle, is a shortest one through it, and
    of these the first.

    Examples
    --------
    >>> shortest_cycle(nx.DiGraph(["bc", "ca", "ab", "ad", "dc"]))
    ['a', 'b', 'c', 'a']
    >>> shortest_cycle(nx.DiGraph(["ab", "bc"])) is None
    True

    Notes
    -----
    Time O(n + m) and the sorting of one knot.
    """
    on_cycles = {item: knot for knot in knots(G) for item in knot}
    if not on_cycles:
        return None
    first = min((item for item in G if item in on_cycles), key=item_key)
    return _cycle_through(G, first, on_cycles[first])


def _cycle_through(G: nx.DiGraph, first: Item, knot: set[Item]) -> list[Item]:
    """Search the knot breadth first; the earliest parent belongs to the first of shortest paths."""
    parent: dict[Item, Item] = {}
    queue = [first]
    for item in queue:
        for successor in in_order(v for v in G.successors(item) if v in knot):
            if successor not in parent:
                parent[successor] = item
                queue.append(successor)
        if first in parent:
            break
    path = [first, parent[first]]
    while path[-1] != first:
        path.append(parent[path[-1]])
    return path[::-1]
