"""Graphs into arrays and back."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given

from porank.core.graphs import (
    count_edges,
    graph_of,
    read_edges,
    refuse_large,
    require_digraph,
    write_edges,
)
from porank.errors import GraphTypeError, PorankError
from tests.strategies import graphs


@given(graphs())
def test_there_and_back(G: nx.DiGraph) -> None:
    source, target = read_edges(G)
    items = list(G)
    edges = [(items[i], items[j]) for i, j in zip(source.tolist(), target.tolist(), strict=True)]
    assert edges == list(G.edges)
    assert count_edges(G) == G.number_of_edges()
    assert source.tolist() == sorted(source.tolist())
    rows = [target[source == i].tolist() for i in range(len(G))]
    H = graph_of(items, rows)
    assert list(H) == items
    assert list(H.edges(data=True)) == [(u, v, {}) for u, v in G.edges]
    assert {v: sorted(map(repr, H.pred[v])) for v in H} == {
        v: sorted(map(repr, G.pred[v])) for v in G
    }


def test_views_are_read_too() -> None:
    G = nx.DiGraph(["ab", "bc", "cd"])
    source, target = read_edges(G.subgraph("bcd"))
    assert source.size == target.size == 2
    assert count_edges(G.reverse(copy=False)) == 3


def test_written_edges_share_their_attributes_and_keep_the_old_ones() -> None:
    G = nx.DiGraph()
    G.add_edge("a", "b", weight=2)
    G.add_node("c")
    write_edges(G, [[1, 2], [2], []])
    assert dict(G.edges["a", "b"]) == {"weight": 2}
    assert list(G.edges) == [("a", "b"), ("a", "c"), ("b", "c")]
    G.edges["b", "c"]["weight"] = 5
    assert G.pred["c"]["b"] == {"weight": 5}
    assert G.succ["a"]["c"] is G.pred["c"]["a"]
    assert nx.utils.graphs_equal(G, nx.DiGraph(G))


def test_a_graph_written_to_is_no_longer_remembered() -> None:
    G = nx.DiGraph(["ab"])
    G.__networkx_cache__["x"] = 1
    write_edges(G, [[1], [0]])
    assert not G.__networkx_cache__


def test_refusals() -> None:
    refuse_large(10**7, instead="-")
    with pytest.raises(PorankError, match="found 10,000,001; give scores"):
        refuse_large(10**7 + 1, instead="give scores")
    with pytest.raises(GraphTypeError, match=r"expected a networkx.DiGraph as target, found dict"):
        require_digraph({}, name="target")
