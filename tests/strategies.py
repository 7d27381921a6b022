"""Random orders and graphs for hypothesis, with items of mixed types inserted in any sequence."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import networkx as nx
from hypothesis import strategies as st

#: No two of these can be compared by <, and none equals another.
ITEMS: Sequence[Any] = (
    "b",
    "a",
    3,
    2.5,
    Fraction(1, 3),
    ("a", 1),
    frozenset({"x", "y"}),
    b"a",
    "żółć ≻",
)


@st.composite
def item_lists(draw: st.DrawFn, *, max_items: int = 7) -> list[Any]:
    """Some of `ITEMS`, in any sequence."""
    shuffled = draw(st.permutations(ITEMS))
    return shuffled[: draw(st.integers(0, min(max_items, len(shuffled))))]


@st.composite
def orders(draw: st.DrawFn, *, max_items: int = 7) -> nx.DiGraph:
    """An acyclic graph, neither closed nor reduced as a rule, edges in any sequence."""
    items = draw(item_lists(max_items=max_items))
    line = draw(st.permutations(items))
    pairs = [(u, v) for i, u in enumerate(line) for v in line[i + 1 :]]
    return _graph(items, draw(_subsets(pairs)))


@st.composite
def graphs(draw: st.DrawFn, *, max_items: int = 6) -> nx.DiGraph:
    """Any directed graph, cycles and self-loops included."""
    items = draw(item_lists(max_items=max_items))
    return _graph(items, draw(_subsets([(u, v) for u in items for v in items])))


def _subsets(pairs: list[tuple[Any, Any]]) -> st.SearchStrategy[list[tuple[Any, Any]]]:
    return st.lists(st.sampled_from(pairs), unique=True) if pairs else st.just([])


def _graph(items: Sequence[Any], edges: Sequence[tuple[Any, Any]]) -> nx.DiGraph:
    G = nx.DiGraph()
    G.add_nodes_from(items)
    G.add_edges_from(edges)
    return G


def reinserted(G: nx.DiGraph) -> nx.DiGraph:
    """Return the same graph, its items and edges inserted in the other sequence."""
    H = nx.DiGraph()
    H.add_nodes_from(reversed(list(G.nodes(data=True))))
    H.add_edges_from(reversed(list(G.edges(data=True))))
    return H
