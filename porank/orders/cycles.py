"""Cycles are information: find one, contract strongly connected components, break them.

A *component* is a set of items that all reach each other, and themselves, along edges, and that no
further item can join: a strongly connected component that holds a cycle.

Public: `is_acyclic`, `find_cycle`, `condense`, `break_cycles`. The witness itself, the shortest
cycle, is found in `porank.core.graphs`, since every compiled order needs it.

Which edges to drop: write the items of a cyclic component one below the other; the edges that point
upwards meet every cycle, and every smallest set of edges that does so is of this kind. A small one
is arranged exactly, over all sets of items that may stand lowest. A large one is arranged by what
each item gives and takes, and then improved by moving single items.

What points upwards in an arrangement is the sum of the costs of the edges (i, j) with i below j:
`cheapest_leaders` and `improved` serve whoever arranges items at least cost, `require_weights`
whoever weighs edges.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.arguments import holds
from porank.core.arrays import inverse_of, longest_path_levels
from porank.core.compiled_order import as_graph, compile_if_acyclic
from porank.core.graphs import (
    cyclic_components,
    forget_contradicted_ties,
    in_order,
    item_key,
    shortest_cycle,
)
from porank.core.progress import track
from porank.core.relation import relate
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from porank.typing import Item, Matrix, Numbers, OrderLike


_LabelEdge = tuple[Any, Any]


def find_cycle(G: OrderLike) -> list[Item] | None:
    """Return a cycle of `G`, or None if there is none.

    A cycle is a sequence of items x1, x2, ..., xk, x1 with an edge from each to the next. Of the
    items that lie on cycles the first by (type name, repr) begins; of the shortest cycles through
    it, the first is returned. So the answer depends neither on chance nor on insertion.

    Parameters
    ----------
    G : DiGraph or scores
        Any directed graph; scores have no cycle.

    Returns
    -------
    list or None
        The items, the first repeated at the end; a self-loop at u is ``[u, u]``.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is no graph at all.

    See Also
    --------
    is_acyclic, condense, break_cycles, majority_graph, copeland

    Examples
    --------
    >>> import porank as po
    >>> po.find_cycle(po.parse("rock > scissors > paper > rock; paper > plane"))
    ['paper', 'rock', 'scissors', 'paper']
    >>> po.find_cycle(po.parse("a > b")) is None
    True

    Notes
    -----
    Time O(n + m), and O(k log k) a strongly connected component of k edges to look through it in
    order.
    """
    return None if compile_if_acyclic(G) is not None else shortest_cycle(G)


def condense(G: OrderLike) -> nx.DiGraph:
    """Return the condensation of `G`: every strongly connected component contracted to a node.

    The condensation has an edge from one node to another if `G` has an edge from a member of the
    one to a member of the other. It is acyclic, and on an acyclic graph it is the graph itself.

    Parameters
    ----------
    G : DiGraph or scores
        Any directed graph.

    Returns
    -------
    DiGraph
        A component that holds a cycle is the frozenset of its members, any other item remains as it
        is, and every node has the node attribute ``members``. Node attributes of these other items
        survive, and so do those of an edge that stands for one edge of `G`; where it stands for
        several, ``weight`` is the sum of theirs, if all have one that can be added.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is no graph at all.
    PorankError
        If a frozenset that is an item of `G` is to be the name of a component as well.

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
                "expected no item to be named like a strongly connected component, found "
                f"{node!r} to be both; relabel the items before condense(G)"
            )
        node_of.update(dict.fromkeys(component, node))
    C = nx.DiGraph()
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
    except TypeError:  # some edge has none, or one that is no number
        return {}


def break_cycles(G: OrderLike, *, weight: str | None = None) -> tuple[nx.DiGraph, list[_LabelEdge]]:
    """Return `G` without a feedback arc set of least weight, and the edges dropped.

    The dropped edges are a set of least total weight that meets every cycle: a minimum feedback
    arc set. It is exact for strongly connected components of up to 16 items; of larger ones it is
    what a search finds that moves single items as long as this lowers the weight. No edge outside a
    component is dropped, and each of the dropped edges would close a cycle if it were put back.

    Parameters
    ----------
    G : DiGraph or scores
        Any directed graph.
    weight : str, optional
        The edge attribute that says how much it costs to drop an edge, a finite number from 0 on.
        Without it every edge costs the same.

    Returns
    -------
    graph : DiGraph
        A copy of `G` without the dropped edges, all attributes kept, save for known ties that the
        edges that are left contradict: these are no longer known.
    dropped : list of (u, v)
        The edges, sorted by (type name, repr) of their items.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is no graph at all.
    PorankError
        If a weight is missing, negative, infinite or not a number, or if weights cannot be added.

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
    Time O(n + m), and for a component of k items and l edges O(k 2**k) if k <= 16, else
    O(k**2 + l log l) for each sweep of improvement and O(k l / 64) to see which edges were dropped
    in vain, with O(l) for each of these.
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
    H = G.copy()
    H.remove_edges_from(dropped)
    if dropped:
        forget_contradicted_ties(H)
    return H, sorted(dropped, key=lambda edge: (item_key(edge[0]), item_key(edge[1])))


def require_weights(edges: Iterable[tuple[Item, Item, Any]], weight: str | None) -> None:
    """Raise an error unless each edge, on a cycle or not, has as data a finite weight from 0 on."""
    for u, v, data in edges if weight is not None else ():
        value = data.get(weight)
        if not holds(lambda number: number >= 0 and float(number) < math.inf, value):
            found = "none" if value is None else repr(value)
            raise PorankError(
                f"expected a finite number from 0 on as {weight!r} of every edge, found {found} at "
                f"{u!r} -> {v!r}"
            )


_Edge = tuple[int, int]


def cheapest_leaders(k: int, cost: Mapping[_Edge, Any]) -> Callable[[int], list[int]]:
    """Return which items of a component, as bits, may lead an arrangement of least upward cost.

    Idea: *whichever items stand lowest, one of them is their first; what points up to it is the sum
    of the edges from the others, however these are arranged among themselves.*
    """
    upward = _upward_costs(k, cost)
    sets = np.arange(1 << k)
    sizes = np.bitwise_count(sets)
    best = np.full(1 << k, np.inf)
    best[0] = 0
    for size in range(1, k + 1):
        some = sets[sizes == size]
        for item in range(k):
            whole = some[some >> item & 1 == 1]
            others = whole ^ 1 << item
            best[whole] = np.minimum(best[whole], best[others] + upward[item, others])

    def leaders(remaining: int) -> list[int]:
        others = [(item, remaining ^ 1 << item) for item in range(k) if remaining >> item & 1]
        return [i for i, rest in others if best[remaining] == best[rest] + upward[i, rest]]

    return leaders


def _upward_costs(k: int, cost: Mapping[_Edge, Any]) -> Matrix:
    """Return the cost of the upward edges from each set to each item of an arranged component."""
    upward: Matrix = np.zeros((k, 1))
    for tail in range(k):
        costs = np.array([cost.get((tail, head), 0) for head in range(k)], dtype=np.float64)
        costs[tail] = 0
        upward = np.concatenate((upward, upward + costs[:, None]), axis=1)
    return upward


def _arranged_exactly(k: int, cost: Mapping[_Edge, Any]) -> list[int]:
    """Arrange a component exactly so that the upward edges, to be dropped, cost least."""
    leaders = cheapest_leaders(k, cost)
    arrangement: list[int] = []
    remaining = (1 << k) - 1
    while remaining:
        arrangement.append(leaders(remaining)[0])
        remaining ^= 1 << arrangement[-1]
    return arrangement


def improved(k: int, cost: Mapping[_Edge, Any], arrangement: list[int]) -> list[int]:
    """Improve an arrangement by moving items to where the upward edges cost least."""
    around: list[dict[int, Any]] = [{} for _ in range(k)]
    for (i, j), value in cost.items():
        if i != j:
            # Standing below its successor costs an item the edge; below its predecessor frees it.
            around[i][j] = around[i].get(j, 0) + value
            around[j][i] = around[j].get(i, 0) - value
    others = [np.fromiter(each, np.int64, len(each)) for each in around]
    values = [np.fromiter(each.values(), np.float64, len(each)) for each in around]
    order = np.array(arrangement)
    stands = inverse_of(order)
    # Every move makes the cost smaller, so that an end comes; ten sweeps are hardly ever needed.
    while sum([_moved(item, others[item], values[item], order, stands) for item in range(k)]):
        pass
    better: list[int] = order.tolist()
    return better


def _moved(
    item: int, others: Numbers, values: NDArray[Any], order: Numbers, stands: Numbers
) -> bool:
    """Move an item of an arrangement to its best place; tell if it was elsewhere."""
    if not others.size:
        return False
    here, places = stands[item], stands.take(others)
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


#: A move that saves less than this share of an item's dearest edge saves nothing.
_NEAR = 1e-12
#: So many items are arranged exactly, by 16 * 2**16 additions in 20 ms; 20 take .7 s, and each item
#: more twice as long. A search alone drops up to a tenth too much.
EXACT_ITEMS = 16


def _edges_against(k: int, cost: Mapping[_Edge, Any]) -> list[_Edge]:
    """Return a feedback arc set of a component: the edges to drop so that no cycle is left."""
    if not math.isfinite(sum(cost.values())):
        raise PorankError("expected weights that can be added, found an infinite sum")
    arrange = _arranged_exactly if k <= EXACT_ITEMS else _arranged_greedily
    stands = {item: place for place, item in enumerate(arrange(k, cost))}
    against = [(i, j) for i, j in cost if stands[i] >= stands[j]]
    return _without_needless(k, cost, against)


def _arranged_greedily(k: int, cost: Mapping[_Edge, Any]) -> list[int]:
    """Arrange a large component so that the upward edges cost little.

    Idea: *an item belongs the higher the more it gives than it takes, as a share of both; then
    every item moves to where it costs least, until none wants to.*
    """
    ends = np.array(list(cost), dtype=np.int64).reshape(-1, 2)
    values = np.fromiter(cost.values(), np.float64, len(cost))
    given, taken = (np.bincount(side, values, k) for side in ends.T)
    both = given + taken
    share = np.divide(given - taken, both, out=np.zeros(k), where=both > 0)
    return improved(k, cost, np.argsort(-share, kind="stable").tolist())


def _without_needless(k: int, cost: Mapping[_Edge, Any], against: list[_Edge]) -> list[_Edge]:
    """Put dropped edges back, dearest first, that close no cycle with those that are kept.

    Idea: *what the lower end of an edge reaches is what it reached before any was put back, and, by
    way of the upper end of each that was and that it reaches, what that one does.*
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
    """Return whether `G` is acyclic, so that its closure is a partial order.

    `G` is acyclic if it has no path of one edge or more from an item to itself.

    Parameters
    ----------
    G : DiGraph or scores
        A graph, cyclic or not; scores are always acyclic.

    Returns
    -------
    bool

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is no graph at all.

    See Also
    --------
    porank.find_cycle : the cycle that tells why not.

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
