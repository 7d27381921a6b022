"""A backend for networkx that computes some of its functions by porank.

``nx.transitive_reduction(G, backend="porank")`` returns the same graph as networkx, computed with
rows of bits. Graphs that porank cannot read (undirected graphs, parallel edges, subclasses of
DiGraph) and cyclic graphs where an order is needed are passed on to networkx, so values and errors
are the ones that networkx documents.

The functions and their parameters must have the names that networkx uses.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.core.compiled_order import compile_order, require_items
from porank.core.graphs import items_above, items_below
from porank.core.order_graph import OrderGraph
from porank.errors import PorankError
from porank.orders.closure import transitive_closure as closure_of
from porank.orders.closure import transitive_reduction as reduction_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from porank.typing import Item


class DispatchedGraph:
    """A graph passed by networkx to the backend; it is not copied."""

    __networkx_backend__ = "porank"

    def __init__(self, graph: nx.Graph) -> None:
        self.graph = graph


def convert_from_nx(graph: nx.Graph, **_: object) -> DispatchedGraph:
    """Wrap a networkx graph for the backend, with all its attributes."""
    return DispatchedGraph(graph)


def convert_to_nx(result: Any, **_: object) -> Any:
    """Unwrap a graph of the backend for networkx; return any other result as it is."""
    return result.graph if isinstance(result, DispatchedGraph) else result


def _or_networkx(ours: Callable[..., Any]) -> Callable[..., Any]:
    """Make a backend function that passes arguments it cannot handle on to networkx."""

    @wraps(ours)
    def answer(wrapped: DispatchedGraph, *args: Any, **kwargs: Any) -> Any:
        G = wrapped.graph
        # networkx caches converted graphs and warns when it reuses one; this one is no copy.
        kept = getattr(G, "__networkx_cache__", None) or {}
        kept.get("backends", {}).pop("porank", None)
        if type(G) in (nx.DiGraph, OrderGraph):
            try:
                return ours(G, *args, **kwargs)
            except PorankError:
                pass
        return getattr(nx, ours.__name__).orig_func(G, *args, **kwargs)

    return answer


@_or_networkx
def ancestors(G: nx.DiGraph, source: Item) -> set[Item]:
    """Compute ``nx.ancestors`` as a backend of networkx."""
    require_items(G, [source])
    return items_above(G, source)


@_or_networkx
def descendants(G: nx.DiGraph, source: Item) -> set[Item]:
    """Compute ``nx.descendants`` as a backend of networkx."""
    require_items(G, [source])
    return items_below(G, source)


@_or_networkx
def transitive_closure(G: nx.DiGraph, reflexive: bool | None = False) -> nx.DiGraph:
    """Compute ``nx.transitive_closure`` as a backend of networkx."""
    if reflexive not in (None, True, False):
        raise PorankError(f"expected reflexive to be None, True or False, found {reflexive!r}")
    closure = _closure_of(G)
    if reflexive:
        closure.add_edges_from((item, item) for item in G)
    elif reflexive is None:
        closure.remove_edges_from(
            [(u, u) for u in closure if closure.has_edge(u, u) > G.has_edge(u, u)]
        )
    return closure


def _closure_of(G: nx.DiGraph) -> nx.DiGraph:
    """Return the closure as a graph of the same class, as networkx does."""
    closure = closure_of(G, max_edges=len(G) ** 2)
    closure.__class__ = type(G)
    return closure


@_or_networkx
def transitive_closure_dag(
    G: nx.DiGraph,
    topo_order: Sequence[Item] | None = None,  # noqa: ARG001 (networkx's parameter)
) -> nx.DiGraph:
    """Compute ``nx.transitive_closure_dag`` as a backend of networkx."""
    compile_order(G)
    return _closure_of(G)


@_or_networkx
def transitive_reduction(G: nx.DiGraph) -> nx.DiGraph:
    """Compute ``nx.transitive_reduction`` as a backend of networkx, without attributes."""
    compile_order(G)
    return nx.DiGraph({item: [*below] for item, below in reduction_of(G).adj.items()})
