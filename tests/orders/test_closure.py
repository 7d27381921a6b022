"""Closure, reduction and single questions, on orders and on cyclic graphs."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from porank.errors import PorankError
from porank.orders.closure import (
    down_set,
    prefers,
    transitive_closure,
    transitive_reduction,
    up_set,
)
from tests import oracles
from tests.strategies import graphs, orders, reinserted


def check(G: nx.DiGraph) -> None:
    said = oracles.closure(G.edges)
    closed, reduced = transitive_closure(G), transitive_reduction(G)
    assert set(closed.edges) == said
    assert oracles.closure(reduced.edges) == said
    assert list(closed) == list(reduced) == list(G)
    for u in G:
        for v in G:
            assert prefers(G, u, v) is ((u, v) in said)
    if oracles.is_acyclic(G):
        assert set(reduced.edges) == oracles.reduction(G.edges)
        for x in G:
            assert up_set(G, x) == {u for u, v in said if v == x}
            assert down_set(G, x) == {v for u, v in said if u == x}


@pytest.mark.parametrize("n", range(4))
def test_all_small_graphs(n: int) -> None:
    for G in oracles.digraphs(n):
        check(G)


@pytest.mark.parametrize("n", range(5))
def test_all_small_orders(n: int) -> None:
    for G in oracles.strict_orders(n):
        check(G)


@given(graphs())
def test_random_graphs(G: nx.DiGraph) -> None:
    check(G)


@given(orders())
def test_random_orders(G: nx.DiGraph) -> None:
    check(G)


@given(graphs())
def test_the_reduction_of_a_cyclic_graph_is_the_smallest(G: nx.DiGraph) -> None:
    """One cycle per component, and the reduction of the condensation."""
    cyclic_components = [
        component
        for component in map(list, nx.strongly_connected_components(G))
        if len(component) > 1 or G.has_edge(component[0], component[0])
    ]
    between = nx.transitive_reduction(nx.condensation(G)).number_of_edges()
    assert transitive_reduction(G).number_of_edges() == sum(map(len, cyclic_components)) + between


@given(graphs())
def test_the_reduction_does_not_depend_on_insertion(G: nx.DiGraph) -> None:
    assert set(transitive_reduction(reinserted(G)).edges) == set(transitive_reduction(G).edges)


@pytest.mark.parametrize("function", [transitive_closure, transitive_reduction])
@pytest.mark.parametrize("extra", [[], [("c", "a")]], ids=["acyclic", "cyclic"])
def test_attributes_and_order_are_kept_and_the_input_unchanged(
    function: object, extra: list[tuple[str, str]]
) -> None:
    G = nx.DiGraph(name="mine")
    G.add_node("c", colour="red", tie=1)
    G.add_edges_from([("a", "b"), ("b", "c"), ("a", "c"), *extra], weight=2)
    before = nx.DiGraph(G)
    H = function(G)  # type: ignore[operator]
    assert nx.utils.graphs_equal(G, before)
    assert list(H) == ["c", "a", "b"]
    assert H.graph == {"name": "mine"}
    assert H.nodes["c"] == {"colour": "red", "tie": 1}
    assert all(data == {"weight": 2} for u, v, data in H.edges(data=True) if G.has_edge(u, v))
    H.nodes["c"]["colour"] = "blue"
    H.edges["a", "b"]["weight"] = 3
    assert nx.utils.graphs_equal(G, before), "nothing is shared"


def test_scores_are_written_out() -> None:
    closed = transitive_closure({"a": 1, "b": 3, "c": 2, "d": 2})
    assert sorted(closed.edges) == [("b", "a"), ("b", "c"), ("b", "d"), ("c", "a"), ("d", "a")]
    assert closed.nodes["c"]["tie"] == closed.nodes["d"]["tie"]
    assert transitive_reduction([3, 1, 2]).number_of_edges() == 2


def test_too_many_edges_are_refused_before_they_are_written() -> None:
    G = nx.path_graph(5000, create_using=nx.DiGraph)
    with pytest.raises(PorankError, match=r"at most 10,000,000 edges to write, found 12,497,500"):
        transitive_closure(G)
    with pytest.raises(PorankError, match="at most 2 edges to write, found 4; max_edges= sets"):
        transitive_closure(nx.DiGraph(["ab", "ba"]), max_edges=2)
    assert transitive_closure(nx.DiGraph(["ab", "ba"]), max_edges=4).number_of_edges() == 4


def test_a_deep_chain() -> None:
    G = nx.path_graph(10_000, create_using=nx.DiGraph)
    assert transitive_reduction(G).number_of_edges() == 9_999
    assert prefers(G, 0, 9_999)
    assert len(down_set(G, 0)) == 9_999


@pytest.mark.parametrize("empty", [nx.DiGraph(), {}, [], np.array([])])
def test_nothing_is_closed_to_nothing(empty: object) -> None:
    assert len(transitive_closure(empty)) == len(transitive_reduction(empty)) == 0


def test_questions_to_scores() -> None:
    scores = {"a": 1, "b": 2, "c": 2}
    assert prefers(scores, "b", "a")
    assert not prefers(scores, "b", "c")
    assert up_set(scores, "a") == {"b", "c"}
    assert down_set(scores, "a") == set()
