"""Orders from orders: restricted, reversed, intersected, aligned to the same items.

Public: `restrict`, `dual`, `intersection`, `align`. `require_same_items` refuses two orders whose
items differ, `bring_to` gives one order other items.
"""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.arguments import require_one_of
from porank.core.arrays import inverse_of, members_of_levels
from porank.core.compiled_order import Order, as_graph, compile_order, require_items, scores_as_dict
from porank.core.graphs import graph_like, graph_of, joined_classes, refuse_large
from porank.core.progress import track
from porank.core.relation import relate_rows, rows_below
from porank.errors import ALIGN, ItemMismatchError, PorankError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from porank.typing import Item, OrderLike


_KEEP_BETWEEN = "restrict the scores, or keep an item between"


def restrict(G: OrderLike, items: Iterable[Item]) -> Any:
    """Return the order induced on some of the items of `G`.

    The restriction to a set A is {(u, v) : u > v, u and v in A}. What was said by way of items
    outside A is still said.

    Parameters
    ----------
    G : DiGraph or scores
        An order.
    items : iterable
        The items to keep, all of them items of `G`, in any sequence.

    Returns
    -------
    DiGraph or dict
        Of a graph, a graph with the items in the order of `G`, the edges of `G` between them, and
        an edge for each further cover; attributes survive. Of scores, the scores of these items.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    PorankError
        If one of the items is no item of `G`, or more than 10 million edges were to be written.

    See Also
    --------
    align, intersection, dual

    Examples
    --------
    >>> import porank as po
    >>> list(po.restrict(po.parse("a > b > c > d"), {"a", "c", "d"}).edges)
    [('a', 'c'), ('c', 'd')]
    >>> po.restrict({"a": 3, "b": 1, "c": 2}, ["c", "a"])
    {'a': 3, 'c': 2}

    Notes
    -----
    Time that of the closure, and O(n / 64) for each cover of the result if items are dropped; on
    weak orders O(n + m) and that of writing.
    """
    order = compile_order(G)
    wanted = list(items)
    require_items(order.number, wanted)
    return _restricted(G, order, set(wanted))


def _restricted(G: OrderLike, order: Order, kept: set[Item]) -> Any:
    """Return an order, which is compiled, restricted to some of its items."""
    if not isinstance(G, nx.Graph):
        return {item: value for item, value in scores_as_dict(G).items() if item in kept}
    if len(kept) == len(order.items):
        return graph_like(G)
    covers = track(_covers_among(order, kept), label="covers")
    return graph_like(G, items=kept, added=covers)


def _covers_among(order: Order, kept: set[Item]) -> Iterator[tuple[Item, Item]]:
    """Yield the covers of the restriction of an order, found when the first is asked for."""
    numbers = [number for number, item in enumerate(order.items) if item in kept]
    within = _covers_of_levels if order.is_weak else _covers_within
    for i, j in list(within(order, numbers)):
        yield order.items[i], order.items[j]


def _covers_of_levels(order: Order, kept: list[int]) -> Iterator[tuple[int, int]]:
    """Return the covers of the restriction of a weak order to the items numbered `kept`."""
    numbers = np.array(kept, dtype=np.int64)
    groups = [numbers[places].tolist() for places in members_of_levels(order.levels[numbers])]
    filled = list(filter(None, groups))
    refuse_large(sum(len(u) * len(v) for u, v in pairwise(filled)), instead=_KEEP_BETWEEN)
    return ((i, j) for upper, lower in pairwise(filled) for i in upper for j in lower)


def _covers_within(order: Order, kept: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the covers of the restriction of an order to the items numbered `kept`."""
    relation = order.relation
    places = relation.place[kept].tolist()
    mask = sum(1 << p for p in places)
    written = 0
    for p in places:
        remaining = relation.below[p] & mask
        while remaining:
            q = remaining.bit_length() - 1
            remaining &= ~(relation.below[q] | 1 << q)
            written += 1
            refuse_large(written, instead=_KEEP_BETWEEN)
            yield int(relation.item_at[p]), int(relation.item_at[q])


def dual(G: OrderLike) -> Any:
    """Return the dual order: every pair turned round.

    The dual is {(v, u) : u > v}.

    Parameters
    ----------
    G : DiGraph or scores
        An order.

    Returns
    -------
    DiGraph or dict
        Of a graph, the graph with all edges turned round and all attributes kept; of scores, the
        scores with their signs changed.

    Raises
    ------
    CycleError
        If `G` has a cycle.

    See Also
    --------
    restrict

    Examples
    --------
    >>> import porank as po
    >>> list(po.dual(po.parse("a > b > c")).edges)
    [('b', 'a'), ('c', 'b')]
    >>> po.dual({"a": 3, "b": 1})
    {'a': -3, 'b': -1}

    Notes
    -----
    Time O(n + m).
    """
    compile_order(G)
    if isinstance(G, nx.Graph):
        return graph_like(G.reverse(copy=False))
    return {
        # The minus sign of a Decimal rounds; this does not.
        item: value.copy_negate() if isinstance(value, Decimal) else -value
        for item, value in scores_as_dict(G).items()
    }


def intersection(*orders: OrderLike) -> nx.DiGraph:
    """Return the intersection of orders: the pairs on which all of them agree.

    The intersection is {(u, v) : u > v in every order}. Every order is the intersection of some
    rankings; the least number of them is its dimension.

    Parameters
    ----------
    *orders : DiGraph or scores
        One order or more, all on the same items.

    Returns
    -------
    DiGraph
        The reduction, items sorted as in the first order, with the attributes that the first
        has, if it is a graph. Items tied in every order are tied in it.

    Raises
    ------
    CycleError
        If one of the graphs has a cycle.
    ItemMismatchError
        If the items differ.
    PorankError
        If there is no order at all, or more than 10 million edges were to be written.

    See Also
    --------
    align, restrict

    Examples
    --------
    >>> import porank as po
    >>> list(po.intersection(po.parse("a > b > c"), po.parse("b > a > c")).edges)
    [('a', 'c'), ('b', 'c')]

    Notes
    -----
    Time that of the closures and O(k n**2 / 64 + n m_red / 64) for k orders and m_red edges of the
    result; memory some n**2 / 4 bytes.
    """
    if not orders:
        raise PorankError("expected at least one order to intersect, found none")
    if isinstance(orders[0], (list, tuple)) and any(isinstance(G, nx.Graph) for G in orders[0]):
        raise PorankError("expected each order as an argument, found a list; intersection(*orders)")
    compiled = [compile_order(order) for order in orders]
    first, items, tie = compiled[0], compiled[0].items, compiled[0].tie
    for number, order in enumerate(compiled[1:], start=2):
        require_same_items(first, order, names=("order 1", f"order {number}"))
    relation = first.relation
    agreed = list(relation.below)
    for order in compiled[1:]:
        index = np.array([order.number[item] for item in items], dtype=np.int64)
        tie = joined_classes(tie, order.tie[index])
        at_place = index[relation.item_at]
        bits = inverse_of(at_place)[order.relation.item_at]
        rows = rows_below(order.relation.covers, bits.tolist())
        places = order.relation.place[at_place].tolist()
        agreed = [row & rows[p] for row, p in zip(agreed, places, strict=True)]
    ties = {item: name for item, name in zip(items, tie.tolist(), strict=True) if name >= 0}
    relation = relate_rows(relation.item_at, agreed)
    refuse_large(relation.count_covers(), instead="intersect fewer items")
    G = graph_of(items, relation.reduced_rows(), ties=ties)
    return _with_attributes_of(orders[0], G)


def _with_attributes_of(first: OrderLike, G: nx.DiGraph) -> nx.DiGraph:
    """Give an intersection the node and edge attributes of its first order, ties excepted."""
    if isinstance(first, nx.Graph):
        G.graph.update(first.graph)
        for item, data in G.nodes(data=True):
            data.update({key: value for key, value in first.nodes[item].items() if key != "tie"})
        for u, v, data in first.edges(data=True):
            if data and G.has_edge(u, v):
                G.edges[u, v].update(data)
    return G


def require_same_items(
    target: Order,
    predicted: Order,
    *,
    names: tuple[str, str] = ("target", "predicted"),
    hint: str = ALIGN,
) -> None:
    """Raise `ItemMismatchError` unless two orders have the same items."""
    if target.number.keys() != predicted.number.keys():
        raise ItemMismatchError.found(
            [item for item in target.items if item not in predicted.number],
            [item for item in predicted.items if item not in target.number],
            names=names,
            hint=hint,
        )


def align(
    target: OrderLike,
    predicted: OrderLike,
    *,
    how: str = "intersection",
    missing: str = "unordered",
) -> tuple[Any, Any]:
    """Return two orders restricted or extended to the same items.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders.
    how : {"intersection", "target", "union"}
        Which items to end with: those of both, those of the target, or those of either.
    missing : {"unordered", "below"}
        Where to put an item that an order lacks: beside all others, or, as for lists of the top k,
        below all others and tied with the rest of the missing.

    Returns
    -------
    target, predicted : DiGraph or dict
        New orders. Scores remain scores, save where items are added to them unordered.

    Raises
    ------
    CycleError
        If one of the graphs has a cycle.
    PorankError
        If `how` or `missing` is none of the choices, or more than 10 million edges were to be
        written.

    See Also
    --------
    restrict, intersection, ItemMismatchError

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.align(po.parse("a > b > c"), po.parse("x > c > a"))
    >>> list(target.edges), list(predicted.edges)
    ([('a', 'c')], [('c', 'a')])
    >>> po.align({"a": 2, "b": 1}, {"c": 5, "b": 4}, how="union", missing="below")
    ({'a': 2, 'b': 1, 'c': 0}, {'c': 5, 'b': 4, 'a': 3})

    Notes
    -----
    Time that of the closure if items are dropped from a graph, else O(n + m).
    """
    require_one_of(how, ("intersection", "target", "union"), name="how")
    require_one_of(missing, ("unordered", "below"), name="missing")
    first = compile_order(target, name="target")
    second = compile_order(predicted, name="predicted")
    wanted = {
        "intersection": [item for item in first.items if item in second.number],
        "target": list(first.items),
        "union": list(dict.fromkeys([*first.items, *second.items])),
    }[how]
    aligned = bring_to(wanted, target, first, missing=missing)
    return aligned, bring_to(wanted, predicted, second, missing=missing)


def bring_to(
    wanted: list[Item],
    G: OrderLike,
    order: Order,
    *,
    missing: str,
    number: Any = None,
) -> Any:
    """Return an order on the items wanted, as `align` does; scores below give them the number."""
    kept = set(wanted).intersection(order.items)
    restricted = _restricted(G, order, kept)
    added = [item for item in wanted if item not in kept]
    if not added:
        return restricted
    if isinstance(restricted, dict) and missing == "below":
        lowest = _lower_than(restricted.values()) if number is None else number
        return restricted | dict.fromkeys(added, lowest)
    H = as_graph(restricted)
    if missing == "unordered":
        H.add_nodes_from(added)
    else:
        _add_level_below(H, added)
    return H


def _lower_than(values: Iterable[Any]) -> Any:
    lowest = min(values, default=1)
    if lowest - 1 < lowest:
        return lowest - 1
    if -np.inf < lowest:
        return -np.inf
    raise PorankError(
        "expected scores with room below the lowest, found -inf; from_scores makes a graph of them"
    )


def _add_level_below(G: nx.DiGraph, added: list[Item]) -> None:
    """Add missing items as one tied level below all items of an aligned graph."""
    lowest = [item for item, degree in G.out_degree if degree == 0]
    refuse_large(len(lowest) * len(added), instead="give scores instead of a graph")
    names = {value for _, value in G.nodes(data="tie")}
    name = next(i for i in range(len(names) + 1) if i not in names)
    G.add_nodes_from(added, **({"tie": name} if len(added) > 1 else {}))
    G.add_edges_from((above, item) for above in lowest for item in added)
