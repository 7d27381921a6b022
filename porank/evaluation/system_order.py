"""The significant differences of systems as a graph, and whether it is an order.

A may be surely better than B and B than C, and A not surely better than C: what is significant need
not be transitive. It may even be cyclic where better means ahead more often. Both are told, and
nothing is closed over them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.core.graphs import item_key, shortest_cycle
from porank.errors import CycleError, NotApplicableError, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from porank.evaluation.effects import PairedDifference


def significant_graph(
    systems: Sequence[Any], differences: Iterable[PairedDifference], significance: float
) -> nx.DiGraph:
    """Return a graph with an edge for each significant difference, from the better system.

    Examples
    --------
    >>> from porank.evaluation.effects import PairedDifference
    >>> found = PairedDifference("A", "B", 0.25, 0.125, 0.5, 0.01, 0.02, 1.5, 0.75, 3, 1, 0)
    >>> G = significant_graph("ABC", [found], 0.05)
    >>> list(G.edges(data=True)), len(G)
    ([('A', 'B', {'difference': 0.25, 'p_value': 0.02})], 3)
    """
    G = nx.DiGraph()
    G.add_nodes_from(systems)
    for each in differences:
        if each.adjusted <= significance:
            said = {"difference": each.difference, "p_value": each.adjusted}
            G.add_edge(each.first, each.second, **said)
    return G


def broken_chains(G: nx.DiGraph) -> list[tuple[Any, Any, Any]]:
    """Return u, v, w for each u and w without an edge between them though u -> v -> w.

    Examples
    --------
    >>> broken_chains(nx.DiGraph(["ab", "bc"])), broken_chains(nx.DiGraph(["ab", "bc", "ac"]))
    ([('a', 'b', 'c')], [])

    Notes
    -----
    Time O(n m). Of several v the one whose name comes first is shown.
    """
    found: dict[tuple[Any, Any], Any] = {}
    for v in sorted(G, key=item_key):
        for u in G.predecessors(v):
            for w in G.successors(v):
                if u != w and not G.has_edge(u, w) and not G.has_edge(w, u):
                    found.setdefault((u, w), v)
    chains = [(u, v, w) for (u, w), v in found.items()]
    return sorted(chains, key=lambda chain: [item_key(system) for system in chain])


def require_order(G: nx.DiGraph, measure: str) -> nx.DiGraph:
    """Return the graph, or raise an error if it has a cycle or is not transitive.

    Examples
    --------
    >>> require_order(nx.DiGraph(["ab", "bc"]), "gamma")
    Traceback (most recent call last):
    porank.errors.NotApplicableError: expected transitive significant differences, found 'a' > 'b' >
    'c' in 'gamma' and no significant difference of 'a' and 'c'; significant('gamma') is the graph
    of the differences as they are
    """
    cycle = shortest_cycle(G)
    way_out = f"significant({measure!r}) is the graph of the differences as they are"
    if cycle is not None:
        raise CycleError(
            f"expected an order of systems, found the cycle {listed(cycle, separator=' > ')} of "
            f"significant differences in {measure!r}; {way_out}",
            cycle=cycle,
        )
    for u, v, w in broken_chains(G)[:1]:
        raise NotApplicableError(
            f"expected transitive significant differences, found {u!r} > {v!r} > {w!r} in "
            f"{measure!r} and no significant difference of {u!r} and {w!r}; {way_out}"
        )
    return G
