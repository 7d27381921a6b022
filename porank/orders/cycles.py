"""Find cycles, contract strongly connected components, and break cycles.

A *component* is a strongly connected component that contains a cycle: a maximal set of items that
all reach each other and themselves.

Public: `is_acyclic`, `find_cycle`, `condense`, `break_cycles`. The shortest cycle itself is found
in `porank.core.graphs`, because every compiled order needs it.

How to choose the edges to drop: arrange the items of a component from top to bottom. The edges that
point upwards meet every cycle, and every minimal set of edges that meets every cycle is the set of
upward edges of some arrangement. A small component is arranged optimally, by dynamic programming
over the sets of items that can be at the bottom. A large one is arranged by the weights of the
edges that enter and leave each item, and then improved by moving single items.

The cost of an arrangement is the total weight of the edges that point upwards. `arranged_exactly`
and `improved` are used wherever items are arranged at minimum cost, and `require_weights` wherever
edges have weights.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import holds
from porank.core.arrays import inverse_of, longest_path_levels
from porank.core.compiled_order import as_graph, compile_if_acyclic
from porank.core.graphs import (
    cyclic_components,
    forget_contradicted_ties,
    graph_like,
    graph_of,
    in_order,
    item_key,
    shortest_cycle,
)
from porank.core.progress import track
from porank.core.relation import relate
from porank.errors import PorankError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import networkx as nx
    from numpy.typing import NDArray

    from porank.typing import Item, Matrix, Numbers, OrderLike


_LabelEdge = tuple[Any, Any]


def find_cycle(G: OrderLike) -> list[Item] | None:
    """Return a cycle of `G`, or None if there is none.

    A cycle is a sequence of items x1, x2, ..., xk, x1 with an edge from each item to the next. The
    result starts at the first item, by type name and repr, that is on a cycle, and is a shortest
    cycle through this item. If there are several, the first by type name and repr is returned, so
    the result is reproducible.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        Any directed graph. Scores have no cycles.

    Returns
    -------
    list or None
        The items of the cycle, with the first one repeated at the end; ``[u, u]`` for a self-loop.
        None if the graph is acyclic.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is not a graph.

    See Also
    --------
    is_acyclic, condense, break_cycles, majority_graph, aggregate

    Examples
    --------
    >>> import porank as po
    >>> po.find_cycle(po.parse("rock > scissors > paper > rock; paper > plane"))
    ['paper', 'rock', 'scissors', 'paper']
    >>> po.find_cycle(po.parse("a > b")) is None
    True

    Notes
    -----
    Time O(n + m), and O(k log k) to search a strongly connected component of k edges.
    """
    return None if compile_if_acyclic(G) is not None else shortest_cycle(G)


def condense(G: OrderLike) -> nx.DiGraph:
    """Return the condensation of `G`, which has one node for each strongly connected component.

    The condensation has an edge between two nodes if `G` has an edge from a member of the first
    to a member of the second. It is acyclic; the condensation of an acyclic graph is the graph
    itself.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        Any directed graph.

    Returns
    -------
    DiGraph
        A component with a cycle becomes the frozenset of its members; any other item stays as it is
        and keeps its attributes. Each node has the attribute ``members``. An edge that represents a
        single edge of `G` keeps its attributes. If it represents several edges, ``weight`` is the
        sum of their weights, if all have one.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is not a graph.
    PorankError
        If an item of `G` is a frozenset that equals the members of a component.

    See Also
    --------
    find_cycle, break_cycles

    Examples
    --------
    >>> import porank as po
    >>> C = po.condense(po.parse("a > b > c > b; c > d"))
    >>> [sorted(members) for _, members in C.nodes(data="members")]
    [['a'], ['b', 'c'], ['d']]
    >>> C.number_of_edges()
    2

    Notes
    -----
    Time O(n + m).
    """
    G = as_graph(G)
    node_of: dict[Item, Item] = {item: item for item in G}
    for component in cyclic_components(G):
        node: Item = frozenset(component)
        if node in G:
            raise PorankError(
                "expected no item that equals a strongly connected component, found "
                f"{quoted(node)}; relabel the items before condense(G)"
            )
        node_of.update(dict.fromkeys(component, node))
    C = graph_of()
    C.graph.update(G.graph)
    for item, node in node_of.items():
        if item is node:
            C.add_nodes_from([(item, {**G.nodes[item], "members": frozenset([item])})])
        else:
            C.add_node(node, members=node)
    joined: dict[_LabelEdge, list[dict[str, Any]]] = {}
    for u, v, data in G.edges(data=True):
        if node_of[u] != node_of[v]:
            joined.setdefault((node_of[u], node_of[v]), []).append(data)
    C.add_edges_from((*edge, _joined_attributes(several)) for edge, several in joined.items())
    return C


def _joined_attributes(several: list[dict[str, Any]]) -> dict[str, Any]:
    if len(several) == 1:
        return dict(several[0])
    weights = [data.get("weight") for data in several]
    try:
        return {"weight": sum(weights)}
    except TypeError:  # some edge has no weight, or one that is not a number
        return {}


def break_cycles(G: OrderLike, *, weight: str | None = None) -> tuple[nx.DiGraph, list[_LabelEdge]]:
    """Drop edges of minimum total weight to make `G` acyclic; return the graph and these edges.

    The dropped edges are a minimum feedback arc set, a set of edges of minimum total weight that
    contains an edge of every cycle. It is exact if no strongly connected component has more than 16
    items. In larger components it is found by local search and may be heavier than necessary. Each
    of the dropped edges would close a cycle if it were put back.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        Any directed graph.
    weight : str, optional
        Edge attribute with the cost of dropping an edge, a finite number of at least 0. By default
        every edge costs 1.

    Returns
    -------
    graph : DiGraph
        A copy of `G` without the dropped edges. All attributes are kept, except ties that the
        remaining edges contradict.
    dropped : list of (u, v)
        The dropped edges, sorted by type name and repr of their items.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is not a graph.
    PorankError
        If a weight is missing, negative, infinite or not a number, or if the sum is infinite.

    See Also
    --------
    find_cycle, condense, CycleError

    Examples
    --------
    >>> import porank as po
    >>> G = po.from_matrix([[0, 5, 1], [0, 0, 4], [3, 0, 0]], items=list("abc"))
    >>> H, dropped = po.break_cycles(G, weight="weight")
    >>> dropped
    [('c', 'a')]
    >>> list(H.edges(data="weight"))
    [('a', 'b', 5), ('a', 'c', 1), ('b', 'c', 4)]

    Notes
    -----
    Time O(n + m), and O(k 2**k) for each component of k <= 16 items. A larger component with l
    edges takes O(k**2 + l log l) for each sweep of the search, O(k l / 64) to find edges that need
    not be dropped, and O(l) for each of these.
    """
    G = as_graph(G)
    require_weights(G.edges(data=True), weight)
    dropped: list[_LabelEdge] = []
    for component in track(list(cyclic_components(G)), label="breaking"):
        members = in_order(component)
        number = {item: i for i, item in enumerate(members)}
        costs = {
            (number[u], number[v]): 1.0 if weight is None else float(data[weight])
            for u in members
            for v, data in G[u].items()
            if v in number
        }
        against = _edges_against(len(members), dict(sorted(costs.items())))
        dropped += [(members[i], members[j]) for i, j in against]
    H = graph_like(G)
    H.remove_edges_from(dropped)
    if dropped:
        forget_contradicted_ties(H)
    return H, sorted(dropped, key=lambda edge: (item_key(edge[0]), item_key(edge[1])))


def require_weights(edges: Iterable[tuple[Item, Item, Any]], weight: str | None) -> None:
    """Raise an error unless the weight of each edge, on a cycle or not, is a finite number >= 0."""
    for u, v, data in edges if weight is not None else ():
        value = data.get(weight)
        if not holds(lambda number: number >= 0 and float(number) < math.inf, value):
            found = "none" if value is None else repr(value)
            raise PorankError(
                f"expected a finite number >= 0 as {weight!r} of every edge, found {found} at "
                f"{quoted(u)} -> {quoted(v)}"
            )


_Edge = tuple[int, int]


def arranged_exactly(k: int, cost: Mapping[_Edge, Any]) -> list[int]:
    """Arrange a component so that the edges to drop, which point upwards, have minimum cost.

    Idea: *for any set of items at the bottom, one of them is on top of the others. The upward edges
    to it are the edges from the other items, however these are arranged.*
    """
    upward = _upward_costs(k, cost)
    sets = np.arange(1 << k)
    sizes = np.bitwise_count(sets)
    # best(S) = min over i in S of best(S - i) + the cost of the edges from S - i to i.
    best = np.full(1 << k, np.inf)
    best[0] = 0
    for size in range(1, k + 1):
        some = sets[sizes == size]
        for item in range(k):
            whole = some[some >> item & 1 == 1]
            others = whole ^ 1 << item
            best[whole] = np.minimum(best[whole], best[others] + upward[item, others])
    arrangement: list[int] = []
    remaining = (1 << k) - 1
    while remaining:
        rest = ((item, remaining ^ 1 << item) for item in range(k) if remaining >> item & 1)
        item, remaining = next(
            each for each in rest if best[remaining] == best[each[1]] + upward[each]
        )
        arrangement.append(item)
    return arrangement


def _upward_costs(k: int, cost: Mapping[_Edge, Any]) -> Matrix:
    """Return the cost of the upward edges from each set of items of a component to each item."""
    # cost(S + j -> i) = cost(S -> i) + cost(j -> i), for each set S of the items before j
    upward: Matrix = np.zeros((k, 1))
    for tail in range(k):
        costs = np.array([cost.get((tail, head), 0) for head in range(k)], dtype=np.float64)
        costs[tail] = 0
        upward = np.concatenate((upward, upward + costs[:, None]), axis=1)
    return upward


def improved(k: int, cost: Mapping[_Edge, Any], arrangement: list[int]) -> list[int]:
    """Improve an arrangement by moving items to where the upward edges cost least."""
    around: list[dict[int, Any]] = [{} for _ in range(k)]
    for (i, j), value in cost.items():
        if i != j:
            # An item below its successor costs the edge; an item below its predecessor does not.
            around[i][j] = around[i].get(j, 0) + value
            around[j][i] = around[j].get(i, 0) - value
    others = [np.fromiter(each, np.int64, len(each)) for each in around]
    values = [np.fromiter(each.values(), np.float64, len(each)) for each in around]
    order = np.array(arrangement)
    stands = inverse_of(order)
    # Each move reduces the cost, so this ends; usually within ten sweeps.
    while sum([_moved(item, others[item], values[item], order, stands) for item in range(k)]):
        pass
    better: list[int] = order.tolist()
    return better


def _moved(
    item: int, others: Numbers, values: NDArray[Any], order: Numbers, stands: Numbers
) -> bool:
    """Move an item of an arrangement to its best position; return whether it has moved."""
    if not others.size:
        return False
    here, places = stands[item], stands.take(others)
    # running(m) = cost of the item below its first m neighbours - cost of the item above all
    passed = places.argsort()
    places, running = places.take(passed), values.take(passed).cumsum()
    before = places.searchsorted(here)
    staying = running[before - 1] if before else 0
    goal = running.argmin()
    cheapest = min(running[goal], 0)
    if cheapest >= staying - _NEAR * np.abs(values).max():
        return False
    target = places[goal] + 1 if cheapest < 0 else places[0]
    if target > here:
        order[here : target - 1] = order[here + 1 : target]
        order[target - 1] = item
        stands[order[here:target]] = np.arange(here, target)
    else:
        order[target + 1 : here + 1] = order[target:here]
        order[target] = item
        stands[order[target : here + 1]] = np.arange(target, here + 1)
    return True


#: A move must save more than this share of the most expensive edge of the item.
_NEAR = 1e-12
#: Maximum number of items that are arranged exactly, by 16 * 2**16 additions in 20 ms. 20 items
#: take .7 s, and each further item doubles the time. Local search alone drops up to 10 % too much.
EXACT_ITEMS = 16


def _edges_against(k: int, cost: Mapping[_Edge, Any]) -> list[_Edge]:
    """Return a feedback arc set of a component: the edges to drop to break all its cycles."""
    if not math.isfinite(sum(cost.values())):
        raise PorankError("expected weights with a finite sum, found an infinite one")
    arrange = arranged_exactly if k <= EXACT_ITEMS else _arranged_greedily
    stands = {item: place for place, item in enumerate(arrange(k, cost))}
    against = [(i, j) for i, j in cost if stands[i] >= stands[j]]
    return _without_needless(k, cost, against)


def _arranged_greedily(k: int, cost: Mapping[_Edge, Any]) -> list[int]:
    """Arrange a large component so that the upward edges cost little.

    Idea: *sort the items by the weight that leaves them as a share of the weight that leaves or
    enters them; then move single items to where they cost least, until no move helps.*
    """
    ends = np.array(list(cost), dtype=np.int64).reshape(-1, 2)
    values = np.fromiter(cost.values(), np.float64, len(cost))
    given, taken = (np.bincount(side, values, k) for side in ends.T)
    both = given + taken
    # (out - in) / (out + in)
    share = np.divide(given - taken, both, out=np.zeros(k), where=both > 0)
    return improved(k, cost, np.argsort(-share, kind="stable").tolist())


def _without_needless(k: int, cost: Mapping[_Edge, Any], against: list[_Edge]) -> list[_Edge]:
    """Keep the dropped edges that close no cycle with the kept ones, the most expensive first.

    Idea: *the items reached from the lower end of an edge are those reached before any edge was put
    back, and those reached from the upper ends of the edges that were put back.*
    """
    dropped = set(against)
    kept = [edge for edge in cost if edge not in dropped]
    source, target = np.array(sorted(kept), dtype=np.int64).reshape(-1, 2).T
    levels = longest_path_levels(k, source, target)
    assert levels is not None
    relation = relate(levels, source, target)
    place, below = relation.place.tolist(), relation.below
    put_back, beyond = 0, dict[int, int]()
    for i, j in sorted(against, key=lambda edge: (-cost[edge], edge)):
        p, q = place[i], place[j]
        reached, untried = below[q] | 1 << q, put_back
        while not reached >> p & 1 and reached & untried:
            r = (reached & untried).bit_length() - 1
            untried ^= 1 << r
            reached |= beyond[r]
        if not reached >> p & 1:
            dropped.discard((i, j))
            put_back |= 1 << p
            beyond[p] = beyond.get(p, 0) | reached
    return [edge for edge in against if edge in dropped]


def is_acyclic(G: OrderLike) -> bool:
    """Return whether `G` is acyclic, that is, whether it represents a partial order.

    `G` is acyclic if it has no path of at least one edge from an item to itself.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        Any directed graph. Scores are always acyclic.

    Returns
    -------
    bool
        Whether `G` has no cycle.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is not a graph.

    See Also
    --------
    porank.find_cycle : returns a cycle if there is one.

    Examples
    --------
    >>> import porank as po
    >>> po.is_acyclic(po.parse("a > b > c")), po.is_acyclic(po.parse("a > b > a"))
    (True, False)

    Notes
    -----
    Time O(n + m).
    """
    return compile_if_acyclic(G) is not None
