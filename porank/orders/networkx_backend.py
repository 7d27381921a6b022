"""The backend that networkx finds: functions of its own, answered by porank.

``nx.transitive_reduction(G, backend="porank")`` gives what networkx gives, computed on rows of
bits. Where the two differ, networkx is followed: what porank does not read (undirected graphs,
parallel edges, classes derived from DiGraph) and what it refuses (a cycle where an order is needed)
goes to the algorithm of networkx, so that values and errors are those it documents.

The names of the functions and of their parameters are networkx's: it looks for them by name.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.core.compiled_order import compile_order, require_items
from porank.core.graphs import items_above, items_below
from porank.errors import PorankError
from porank.orders.closure import transitive_closure as closure_of
from porank.orders.closure import transitive_reduction as reduction_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from porank.typing import Item


class DispatchedGraph:
    """A graph on its way from networkx to the backend: the graph itself, not a copy."""

    __networkx_backend__ = "porank"

    def __init__(self, graph: nx.Graph) -> None:
        self.graph = graph


def convert_from_nx(graph: nx.Graph, **_: object) -> DispatchedGraph:
    """Wrap a graph of networkx for the backend, with all its attributes."""
    return DispatchedGraph(graph)


def convert_to_nx(result: Any, **_: object) -> Any:
    """Unwrap a graph of the backend for networkx, and leave any other result as it is."""
    return result.graph if isinstance(result, DispatchedGraph) else result


def _or_networkx(ours: Callable[..., Any]) -> Callable[..., Any]:
    """Make a backend function, which leaves what it does not take to networkx."""

    @wraps(ours)
    def answer(wrapped: DispatchedGraph, *args: Any, **kwargs: Any) -> Any:
        G = wrapped.graph
        # networkx keeps what it converts and warns when it is used again; here nothing was made.
        kept = getattr(G, "__networkx_cache__", None) or {}
        kept.get("backends", {}).pop("porank", None)
        if type(G) is nx.DiGraph:
            try:
                return ours(G, *args, **kwargs)
            except PorankError:
                pass
        return getattr(nx, ours.__name__).orig_func(G, *args, **kwargs)

    return answer


@_or_networkx
def ancestors(G: nx.DiGraph, source: Item) -> set[Item]:
    """Answer ``nx.ancestors``, as the backend of networkx."""
    require_items(G, [source])
    return items_above(G, source)


@_or_networkx
def descendants(G: nx.DiGraph, source: Item) -> set[Item]:
    """Answer ``nx.descendants``, as the backend of networkx."""
    require_items(G, [source])
    return items_below(G, source)


@_or_networkx
def transitive_closure(G: nx.DiGraph, reflexive: bool | None = False) -> nx.DiGraph:
    """Answer ``nx.transitive_closure``, as the backend of networkx, reflexive or not."""
    if reflexive not in {None, True, False}:
        raise PorankError("expected reflexive to be None, True or False")
    closure = closure_of(G, max_edges=len(G) ** 2)
    if reflexive:
        closure.add_edges_from((item, item) for item in G)
    elif reflexive is None:
        closure.remove_edges_from(
            [(u, u) for u in closure if closure.has_edge(u, u) > G.has_edge(u, u)]
        )
    return closure


@_or_networkx
def transitive_closure_dag(
    G: nx.DiGraph,
    topo_order: Sequence[Item] | None = None,  # noqa: ARG001 (networkx's parameter)
) -> nx.DiGraph:
    """Answer ``nx.transitive_closure_dag``, as the backend of networkx."""
    compile_order(G)
    return closure_of(G, max_edges=len(G) ** 2)


@_or_networkx
def transitive_reduction(G: nx.DiGraph) -> nx.DiGraph:
    """Answer ``nx.transitive_reduction``, as the backend of networkx, without attributes."""
    compile_order(G)
    reduction = nx.DiGraph()
    reduction.add_nodes_from(G)
    reduction.add_edges_from(reduction_of(G).edges)
    return reduction
