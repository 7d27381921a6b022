"""The boxes of a diagram: an item, a strongly connected component, or a group of tied items.

Pictures, LaTeX source and pages have the same boxes. `boxed` returns them for a graph or scores,
`require_names` checks the names for items, and `require_few` raises an error if there is too much
to draw.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, Self

import networkx as nx

from porank.core.compiled_order import compile_if_acyclic, compile_order, require_items
from porank.core.graphs import graph_of, in_order, item_key, without_chance, written
from porank.errors import PorankError, counted, quoted
from porank.orders.cycles import condense

if TYPE_CHECKING:
    from collections.abc import Container

    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Item, OrderLike


@dataclass(frozen=True, eq=False)
class Boxes:
    """The order of the boxes, and the items in each."""

    graph: OrderLike
    members: dict[Any, list[Item]]
    kind: dict[Any, str]
    box: dict[Item, Any]
    pairs: int | None

    @classmethod
    def of_items(cls, G: OrderLike, items: list[Item]) -> Self:
        """Return a box for each item of an order, tied or not."""
        members: dict[Any, list[Item]] = {item: [item] for item in items}
        return cls(G, members, dict.fromkeys(items, "item"), {item: item for item in items}, None)

    @property
    def summary(self) -> str:
        """The number of items, and how many pairs are decided or how many items are on cycles."""
        n, kinds = len(self.box), self.kind
        if self.pairs is None:
            cyclic = sum(len(own) for box, own in self.members.items() if kinds[box] == "component")
            return f"Preferences of {counted(n, 'item')}, {cyclic:,} of them on cycles"
        pairs = f": {self.pairs:,} of {counted(n * (n - 1) // 2, 'pair')} decided" if n > 1 else ""
        return f"Order of {counted(n, 'item')}{pairs}"

    def count(self, kind: str) -> int:
        """Return the number of boxes of a kind: item, tie or component."""
        return list(self.kind.values()).count(kind)


def boxed(G: OrderLike) -> Boxes:
    """Return the boxes of a diagram of a graph or of scores: components, ties and items."""
    order = compile_if_acyclic(G)
    pairs = None if order is None else order.count_pairs()
    components: dict[Any, frozenset[Any]] = {}
    if order is None:
        C = condense(G)
        components = {node: node for node, inside in C.nodes(data="members") if node == inside}
        order = compile_order(C)
    tied = _tie_classes(order)
    box = {node: tied.get(node, node) for node in order.items}
    members: dict[Any, list[Item]] = {}
    for node in in_order(order.items):
        members.setdefault(box[node], []).extend(in_order(components.get(node, [node])))
    kind = {
        name: "component" if name in components else "item" if name in order.number else "tie"
        for name in members
    }
    members = {name: sorted(items, key=list_key) for name, items in members.items()}
    of_item = {item: name for name, items in members.items() for item in items}
    return Boxes(_graph_of(order, box, list(members)), members, kind, of_item, pairs)


#: With more boxes, a diagram is an overview of its levels.
READABLE = 150
#: More lines in different colours, or between points, cannot be told apart.
MOST_LINES = 50
#: More intervals in rows cannot be told apart; more rows are thinner than a point on paper.
MOST_INTERVALS, MOST_ROWS = 200, 2000
#: With at most so many items that are compared with none, these are part of the diagram.
FEW_APART = 5


def boxes_apart(boxes: Boxes, graph: nx.DiGraph, *, but: Container[Any] = ()) -> list[Any]:
    """Return the boxes of items that are compared with none, if there are many besides `but`."""
    alone = (box for box in nx.isolates(graph) if boxes.kind[box] == "item")
    found = [box for box in alone if box not in but]
    return found if len(found) > FEW_APART else []


def list_key(item: Any) -> tuple[Any, ...]:
    """Return the sort key of an item in a list: numbers by value before others, v2 before v10."""
    if isinstance(item, Real) and item is not True and item is not False:
        return 0, item
    parts = re.split(r"(\d+)", written(without_chance(item), str))
    # Of whole numbers, the one with more digits is larger; Python converts only so many of them.
    spelled = [(len(d := part.lstrip("0")), d) if k % 2 else part for k, part in enumerate(parts)]
    return 1, spelled, item_key(item)


def _tie_classes(order: CompiledOrder) -> dict[Any, frozenset[Any]]:
    """Return for each tied item the frozen set of items that names its box."""
    classes: defaultdict[int, list[Any]] = defaultdict(list)
    for node, number in zip(order.items, order.tie.tolist(), strict=True):
        classes[number].append(node)
    names = [frozenset(own) for number, own in classes.items() if number >= 0 and len(own) > 1]
    return {node: name for name in names for node in name}


def _graph_of(order: CompiledOrder, box: dict[Any, Any], names: list[Any]) -> nx.DiGraph:
    """Return the graph of the boxes, from the edges of the order or from the levels of scores."""
    graph = graph_of(names)
    box_of = [box[item] for item in order.items]
    if order.source is not None and order.target is not None:
        ends = zip(order.source.tolist(), order.target.tolist(), strict=True)
        graph.add_edges_from((box_of[u], box_of[v]) for u, v in ends)
        return graph
    level = dict(zip(box_of, order.levels.tolist(), strict=True))
    nx.add_path(graph, sorted(level, key=lambda name: (level[name], item_key(name))))
    return graph


def require_names(names: Any, known: Container[Item]) -> Mapping[Item, object]:
    """Return the mapping with names for items, empty if there is none, or raise an error."""
    if names is not None and not isinstance(names, Mapping):
        raise PorankError(f"expected names as a mapping item -> name, found {quoted(names):.80}")
    require_items(known, names or {})
    return names or {}


def require_few(n: int, most: int, what: str, hint: str = "") -> None:
    """Raise an error if there are more items, boxes or lines than a picture can show."""
    if n > most:
        raise PorankError(f"expected at most {most:,} {what}, found {n:,}", hint=hint)
