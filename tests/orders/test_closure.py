"""Closure, reduction and single questions, on orders and on cyclic graphs."""

from __future__ import annotations

from itertools import product
from typing import Any

import networkx as nx
import numpy as np
import pytest

import porank as po
from tests import oracles
from tests.strategies import on_graphs, on_orders, reinserted


@on_graphs()
def test_graphs_by_definition(G: nx.DiGraph) -> None:
    said = oracles.closure(G.edges)
    closed, reduced = po.transitive_closure(G), po.transitive_reduction(G)
    assert set(closed.edges) == said
    assert oracles.closure(reduced.edges) == said
    assert list(closed) == list(reduced) == list(G)
    for u, v in product(G, repeat=2):
        assert po.prefers(G, u, v) is ((u, v) in said)
    # No smaller graph says it: one cycle per component, and the reduction of the condensation.
    cyclic_components = [
        component
        for component in map(list, nx.strongly_connected_components(G))
        if len(component) > 1 or G.has_edge(component[0], component[0])
    ]
    between = nx.transitive_reduction(nx.condensation(G)).number_of_edges()
    assert reduced.number_of_edges() == sum(map(len, cyclic_components)) + between
    assert set(po.transitive_reduction(reinserted(G)).edges) == set(reduced.edges)


@on_orders()
def test_orders_by_definition(G: nx.DiGraph) -> None:
    said = oracles.closure(G.edges)
    assert set(po.transitive_closure(G).edges) == said
    assert set(po.transitive_reduction(G).edges) == oracles.reduction(G.edges)
    for x in G:
        assert po.up_set(G, x) == {u for u, v in said if v == x}
        assert po.down_set(G, x) == {v for u, v in said if u == x}
        assert all(po.prefers(G, x, v) is ((x, v) in said) for v in G)


def test_scores_and_nothing() -> None:
    scores = {"a": 1, "b": 3, "c": 2, "d": 2}
    closed = po.transitive_closure(scores)
    assert sorted(closed.edges) == [("b", "a"), ("b", "c"), ("b", "d"), ("c", "a"), ("d", "a")]
    assert closed.nodes["c"]["tie"] == closed.nodes["d"]["tie"]
    assert (po.prefers(scores, "b", "a"), po.prefers(scores, "d", "c")) == (True, False)
    assert (po.up_set(scores, "c"), po.down_set(scores, "a")) == ({"b"}, set())
    nothing: list[Any] = [{}, [], np.array([])]
    for empty in nothing:
        assert len(po.transitive_closure(empty)) == len(po.transitive_reduction(empty)) == 0


def test_large_ones() -> None:
    G = nx.path_graph(10_000, create_using=nx.DiGraph)
    assert po.transitive_reduction(G).number_of_edges() == 9_999
    assert po.prefers(G, 0, 9_999)
    assert len(po.down_set(G, 0)) == 9_999
    with pytest.raises(po.PorankError, match="edges to write, found 49,995,000"):
        po.transitive_closure(G)
    with pytest.raises(po.PorankError, match="at most 2 edges to write, found 4; max_edges="):
        po.transitive_closure(nx.DiGraph(["ab", "ba"]), max_edges=2)
    assert po.transitive_closure(nx.DiGraph(["ab", "ba"]), max_edges=4).number_of_edges() == 4
