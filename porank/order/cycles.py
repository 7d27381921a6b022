"""Cycles are information: find one, gather them into knots, break them.

A *knot* is a set of items that all reach each other, and themselves, along edges, and that no
further item can join: a strongly connected component that holds a cycle.
"""

from __future__ import annotations

import math
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.core.compiled_order import as_graph, compile_if_acyclic, plain_number
from porank.core.graphs import in_order, item_key, knots, shortest_cycle
from porank.core.progress import track
from porank.core.ties import forget_contradicted_ties
from porank.errors import PorankError
from porank.order.feedback_arcs import edges_against

if TYPE_CHECKING:
    from porank.typing import Item, OrderLike

Edge = tuple[Any, Any]


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

    Examples
    --------
    >>> import porank as po
    >>> po.find_cycle(po.parse("rock > scissors > paper > rock; paper > plane"))
    ['paper', 'rock', 'scissors', 'paper']
    >>> po.find_cycle(po.parse("a > b")) is None
    True

    Notes
    -----
    Time O(n + m), and O(k log k) a knot of k edges to look through it in order.
    """
    return None if compile_if_acyclic(G) is not None else shortest_cycle(G)


def condense(G: OrderLike) -> nx.DiGraph:
    """Return the order of the knots: `G` with every knot drawn together into one node.

    The condensation has an edge from one node to another if `G` has an edge from a member of the
    one to a member of the other. It is acyclic, and on an acyclic graph it is the graph itself.

    Parameters
    ----------
    G : DiGraph or scores
        Any directed graph.

    Returns
    -------
    DiGraph
        A knot is the frozenset of its members, any other item remains as it is, and every node has
        the node attribute ``members``. Node attributes of items outside knots survive, and so do
        those of an edge that stands for one edge of `G`; where it stands for several, ``weight`` is
        the sum of theirs, if all have one that can be added.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is no graph at all.
    PorankError
        If a frozenset that is an item of `G` is to be the name of a knot as well.

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
    for knot in knots(G):
        node: Item = frozenset(knot)
        if node in G:
            raise PorankError(
                f"expected no item to be named like a knot, found {node!r} to be both; "
                "relabel the items before condense(G)"
            )
        node_of.update(dict.fromkeys(knot, node))
    C = nx.DiGraph()
    C.graph.update(G.graph)
    for item, node in node_of.items():
        if item is node:
            C.add_nodes_from([(item, {**G.nodes[item], "members": frozenset([item])})])
        else:
            C.add_node(node, members=node)
    C.add_edges_from(_joined_edges(G, node_of))
    return C


def _joined_edges(
    G: nx.DiGraph, node_of: dict[Item, Item]
) -> list[tuple[Any, Any, dict[str, Any]]]:
    """Return the edges between different nodes, with what their attributes agree in."""
    joined: dict[Edge, list[dict[str, Any]]] = {}
    for u, v, data in G.edges(data=True):
        if node_of[u] != node_of[v]:
            joined.setdefault((node_of[u], node_of[v]), []).append(data)
    return [(u, v, _joined_attributes(several)) for (u, v), several in joined.items()]


def _joined_attributes(several: list[dict[str, Any]]) -> dict[str, Any]:
    if len(several) == 1:
        return dict(several[0])
    weights = [data.get("weight") for data in several]
    try:
        return {"weight": sum(weights)}
    except TypeError:  # some edge has none, or one that is no number
        return {}


def break_cycles(
    G: OrderLike, *, weight: str | None = None, progress: bool = False
) -> tuple[nx.DiGraph, list[Edge]]:
    """Return `G` without as little as makes it acyclic, and the edges dropped.

    The dropped edges are a set of least total weight that meets every cycle: a minimum feedback
    arc set. It is exact for knots of up to 16 items, and beyond a set that no single item can
    better by standing elsewhere. No edge outside a knot is dropped, and each of the dropped edges
    would close a cycle if it were put back.

    Parameters
    ----------
    G : DiGraph or scores
        Any directed graph.
    weight : str, optional
        The edge attribute that says how much it costs to drop an edge, a finite number from 0 on.
        Without it every edge costs the same.
    progress : bool
        Show a bar.

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
    Time O(n + m), and for a knot of k items and l edges O(k 2**k) if k <= 16, else
    O(k**2 + l log l) for each sweep of improvement and O(k l / 64) to see which edges were dropped
    in vain, with O(l) for each of these.

    References
    ----------
    .. [1] P. Eades, X. Lin, W. F. Smyth, "A fast and effective heuristic for the feedback arc set
       problem", Information Processing Letters 47(6), 1993, pp. 319-323.
       https://doi.org/10.1016/0020-0190(93)90079-O
    """
    G = as_graph(G)
    _require_weights(G, weight)
    dropped: list[Edge] = []
    for knot in track(list(knots(G)), progress=progress, label="breaking"):
        members = in_order(knot)
        number = {item: i for i, item in enumerate(members)}
        costs = (
            ((number[u], number[v]), 1 if weight is None else plain_number(data[weight]))
            for u, v, data in G.subgraph(knot).edges(data=True)
        )
        try:
            against = edges_against(len(members), dict(sorted(costs, key=itemgetter(0))))
        except TypeError as error:
            raise PorankError(f"expected weights that can be added, found {error}") from None
        dropped += [(members[i], members[j]) for i, j in against]
    H = G.copy()
    H.remove_edges_from(dropped)
    if dropped:
        forget_contradicted_ties(H)
    return H, sorted(dropped, key=lambda edge: (item_key(edge[0]), item_key(edge[1])))


def _require_weights(G: nx.DiGraph, weight: str | None) -> None:
    for u, v, value in G.edges(data=weight) if weight is not None else ():
        try:
            valid = value is not None and bool(0 <= value < math.inf)
        except (TypeError, ValueError, ArithmeticError):
            valid = False
        if not valid:
            found = "none" if value is None else repr(value)
            raise PorankError(
                f"expected a finite number from 0 on as {weight!r} of every edge, found {found} at "
                f"{u!r} -> {v!r}"
            )
