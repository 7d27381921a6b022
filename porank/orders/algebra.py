"""Restrict, reverse, intersect and align orders.

Public: `restrict`, `interval`, `dual`, `intersection`, `align`. `require_same_items` raises an
error if two orders have different items, and `bring_to` extends or restricts one order to given
items. `compile_each` and `compile_same_items` compile the orders that a function combines.
"""

from __future__ import annotations

from itertools import pairwise
from operator import and_
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.arguments import require_one_of
from porank.core.arrays import members_of_levels
from porank.core.compiled_order import CompiledOrder, as_graph, compile_order, require_items
from porank.core.graphs import graph_like, graph_of, joined_classes, refuse_large
from porank.core.progress import track
from porank.core.relation import relate_rows
from porank.core.scores import Ranks, negated, scores_as_dict
from porank.errors import ALIGN, ItemMismatchError, PorankError
from porank.orders.closure import down_set, prefers, up_set

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from porank.typing import Item, OrderLike


_KEEP_BETWEEN = "restrict the scores, or keep an item between"


def restrict(G: OrderLike, items: Iterable[Item]) -> Any:
    """Return the order that `G` induces on some of its items.

    The restriction to a set A is {(u, v) : u > v, u and v in A}. It keeps preferences that are
    implied by a path through items outside A.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.
    items : iterable
        Items of `G` to keep.

    Returns
    -------
    DiGraph or dict
        For a graph, a graph with these items, in the order in which `G` has them, the edges of `G`
        between them, and an edge for each cover that is not among these. It keeps the attributes of
        items and edges. For ranks or scores, those of these items.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    PorankError
        If one of the items is not in `G`, or the result would have more than 10 million edges.

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
    If items are dropped, this takes the time of the closure and O(n / 64) for each cover of the
    result; for weak orders O(n + m) and the time to write the result.
    """
    order = compile_order(G)
    wanted = list(items)
    require_items(order.number, wanted)
    return _restricted(G, order, set(wanted))


def _restricted(G: OrderLike, order: CompiledOrder, kept: set[Item]) -> Any:
    """Return a compiled order restricted to some of its items."""
    if not isinstance(G, nx.Graph):
        scores = {item: value for item, value in scores_as_dict(G).items() if item in kept}
        is_ranks = isinstance(G, Ranks)
        return Ranks({item: negated(scores[item]) for item in scores}) if is_ranks else scores
    if len(kept) == len(order.items):
        return graph_like(G)
    covers = track(_covers_among(order, kept), label="covers")
    return graph_like(G, items=kept, added=covers)


def _covers_among(order: CompiledOrder, kept: set[Item]) -> Iterator[tuple[Item, Item]]:
    """Yield the covers of the restriction of an order, computed when the first is needed."""
    numbers = [number for number, item in enumerate(order.items) if item in kept]
    within = _covers_of_levels if order.is_weak else _covers_within
    for i, j in list(within(order, numbers)):
        yield order.items[i], order.items[j]


def _covers_of_levels(order: CompiledOrder, kept: list[int]) -> Iterator[tuple[int, int]]:
    """Return the covers of the restriction of a weak order to the items numbered `kept`."""
    numbers = np.array(kept, dtype=np.int64)
    groups = [numbers[places].tolist() for places in members_of_levels(order.levels[numbers])]
    filled = list(filter(None, groups))
    refuse_large(sum(len(u) * len(v) for u, v in pairwise(filled)), instead=_KEEP_BETWEEN)
    return ((i, j) for upper, lower in pairwise(filled) for i in upper for j in lower)


def _covers_within(order: CompiledOrder, kept: list[int]) -> Iterator[tuple[int, int]]:
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


def interval(G: OrderLike, u: Item, v: Item) -> Any:
    """Return the interval between two items: the order that `G` induces on them and between them.

    The interval contains the items x with u > x > v, and u and v themselves.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.
    u, v : hashable
        The upper and the lower end. They may be equal.

    Returns
    -------
    DiGraph or dict
        The restriction of `G` to these items.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    PorankError
        If u or v is not in `G`, or u is neither above v nor equal to it.

    See Also
    --------
    restrict, up_set, down_set

    Examples
    --------
    >>> import porank as po
    >>> list(po.interval(po.divisor_lattice(60), 30, 2))
    [30, 10, 6, 2]

    Notes
    -----
    Time O(n + m), and that of `restrict`.
    """
    order = compile_order(G)
    require_items(order.number, (u, v))
    between = (down_set(G, u) | {u}) & (up_set(G, v) | {v})
    if not between:
        found = f"{v!r} > {u!r}; swap the two items" if prefers(G, v, u) else "no preference"
        raise PorankError(f"expected {u!r} > {v!r}, found {found}")
    return _restricted(G, order, between)


def dual(G: OrderLike) -> Any:
    """Return the dual order, in which every preference is reversed.

    The dual is {(v, u) : u > v}.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.

    Returns
    -------
    DiGraph or dict
        For a graph, a graph with all edges reversed, which keeps all attributes. For scores, their
        negatives; for ranks, the same numbers as scores.

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
    return {item: negated(value) for item, value in scores_as_dict(G).items()}


def intersection(*orders: OrderLike) -> nx.DiGraph:
    """Return the intersection of orders: the preferences that all of them share.

    The intersection is {(u, v) : u > v in every order}. Every order is the intersection of some
    rankings; the smallest number of such rankings is its dimension.

    Parameters
    ----------
    *orders : DiGraph, ranks, or scores (larger is better)
        One or more orders on the same items.

    Returns
    -------
    DiGraph
        The reduction of the intersection, with the items in the order of the first argument. If
        this is a graph, its attributes are kept. Items are tied if they are tied in every order.

    Raises
    ------
    CycleError
        If one of the graphs has a cycle.
    ItemMismatchError
        If the items differ.
    PorankError
        If no order is given, or the result would have more than 10 million edges.

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
    For k orders and m_red edges of the result, this takes the time of the closures and
    O(k n**2 / 64 + n m_red / 64), and some n**2 / 4 bytes of memory.
    """
    compiled = compile_same_items(orders, name="intersection")
    first, items, tie = compiled[0], compiled[0].items, compiled[0].tie
    relation = first.relation
    agreed = list(relation.below)
    for order in compiled[1:]:
        index = np.array([order.number[item] for item in items], dtype=np.int64)
        tie = joined_classes(tie, order.tie[index])
        _, rows = order.rows(index[relation.item_at], np.arange(len(items)))
        agreed = list(map(and_, agreed, rows))
    ties = {item: name for item, name in zip(items, tie.tolist(), strict=True) if name >= 0}
    relation = relate_rows(relation.item_at, agreed)
    refuse_large(relation.count_covers(), instead="intersect fewer items")
    G = graph_of(items, relation.reduced_rows(), ties=ties)
    return _with_attributes_of(orders[0], G)


def compile_each(orders: Sequence[OrderLike], *, name: str) -> list[CompiledOrder]:
    """Compile the orders that a function of this name combines, or raise an error."""
    if not orders:
        raise PorankError("expected at least one order, found none")
    if isinstance(orders[0], (list, tuple)) and any(isinstance(G, nx.Graph) for G in orders[0]):
        raise PorankError(f"expected each order as an argument, found a list; use {name}(*orders)")
    return [compile_order(order) for order in orders]


def compile_same_items(orders: Sequence[OrderLike], *, name: str) -> list[CompiledOrder]:
    """Compile orders on the same items that a function combines, or raise an error."""
    compiled = compile_each(orders, name=name)
    for number, order in enumerate(compiled[1:], start=2):
        require_same_items(compiled[0], order, names=("order 1", f"order {number}"))
    return compiled


def _with_attributes_of(first: OrderLike, G: nx.DiGraph) -> nx.DiGraph:
    """Copy the node and edge attributes of the first order, except ties, to an intersection."""
    if isinstance(first, nx.Graph):
        G.graph.update(first.graph)
        for item, data in G.nodes(data=True):
            data.update({key: value for key, value in first.nodes[item].items() if key != "tie"})
        for u, v, data in first.edges(data=True):
            if data and G.has_edge(u, v):
                G.edges[u, v].update(data)
    return G


def require_same_items(
    target: CompiledOrder,
    predicted: CompiledOrder,
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
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders.
    how : {"intersection", "target", "union"}
        Items of the results: the common items, the items of the target, or the items of either.
    missing : {"unordered", "below"}
        Where to add items that an order lacks. "unordered" leaves them unordered to all others;
        "below" puts them below all others and tied with each other, as for top-k lists.

    Returns
    -------
    target, predicted : DiGraph or dict
        New orders. Scores remain scores, unless unordered items are added to them.

    Raises
    ------
    CycleError
        If one of the graphs has a cycle.
    PorankError
        If `how` or `missing` is unknown, or a result would have more than 10 million edges.

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
    Time O(n + m), or the time of the closure if items are dropped from a graph.
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
    order: CompiledOrder,
    *,
    missing: str,
    number: Any = None,
) -> Any:
    """Return an order on the wanted items, as `align` does; added scores below are `number`."""
    kept = set(wanted).intersection(order.items)
    restricted = _restricted(G, order, kept)
    added = [item for item in wanted if item not in kept]
    if not added:
        return restricted
    if isinstance(restricted, dict) and missing == "below":
        scores = scores_as_dict(restricted)
        lowest = _lower_than(scores.values()) if number is None else number
        return scores | dict.fromkeys(added, lowest)
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
        "cannot add items below scores of -inf; convert the scores with from_scores first"
    )


def _add_level_below(G: nx.DiGraph, added: list[Item]) -> None:
    """Add missing items to a graph to be aligned, as one tied level below all others."""
    lowest = [item for item, degree in G.out_degree if degree == 0]
    refuse_large(len(lowest) * len(added), instead="pass scores instead of a graph")
    names = {value for _, value in G.nodes(data="tie")}
    name = next(i for i in range(len(names) + 1) if i not in names)
    G.add_nodes_from(added, **({"tie": name} if len(added) > 1 else {}))
    G.add_edges_from((above, item) for above in lowest for item in added)
