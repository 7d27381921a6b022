"""What a graph holds is carried over and copied by all that makes a graph of it."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import networkx as nx
import pytest

import porank as po


@pytest.mark.parametrize(
    "function",
    [
        po.transitive_closure,
        po.transitive_reduction,
        po.condense,
        po.comparability_graph,
        po.incomparability_graph,
        lambda G: po.break_cycles(G, weight="weight")[0],
        lambda G: po.restrict(G, "xbcd"),
        lambda G: po.dual(po.dual(G)),
        lambda G: po.intersection(G, {"x": 3, "a": 2, "b": 1, "c": 1, "d": 0}),
        lambda G: po.align(G, po.antichain(0), how="union")[0],
    ],
)
def test_attributes_are_kept_and_copied(function: Callable[[nx.DiGraph], nx.Graph]) -> None:
    G = nx.DiGraph(name="mine")
    G.add_nodes_from("xabcd", colour="red")
    nx.set_node_attributes(G, {"b": 1, "c": 1}, "tie")
    G.add_edges_from(["xa", "xc", "ab", "bd", "ac", "cd"], weight=2)
    before = deepcopy(G)
    H = function(G)
    assert type(H) in (nx.DiGraph, nx.Graph)
    assert H.graph == {"name": "mine"}
    for _, data in H.nodes(data=True):
        assert {key: data[key] for key in data.keys() - {"tie", "members"}} == {"colour": "red"}
    assert H.nodes["b"]["tie"] == H.nodes["c"]["tie"]
    assert "tie" not in H.nodes["x"]
    for u, v, data in H.edges(data=True):
        edge = (u, v) if H.is_directed() or G.has_edge(u, v) else (v, u)
        assert data == G.edges.get(edge, {})
    for data in (H.graph, *H.nodes.values(), *H.edges.values()):
        data.update(colour="blue", weight=3)
    assert nx.utils.graphs_equal(G, before)


def test_condensing_adds_weights_where_they_can_be_added() -> None:
    component = frozenset("ab")

    def joined(first: dict[str, Any], second: dict[str, Any]) -> Any:
        G = nx.DiGraph(["ab", "ba"])
        G.add_edges_from([("a", "x", first), ("b", "x", second)])
        assert po.transitive_reduction(G).number_of_edges() == 3
        return po.condense(G).edges[component, "x"]

    assert joined({"weight": 2, "note": "n"}, {"weight": 0.5}) == {"weight": 2.5}
    for weights in ((1, None), ("heavy", "light"), (1, "light")):
        assert joined({"weight": weights[0]}, {"weight": weights[1]}) == {}
    assert joined({"weight": 1}, {}) == {}


def test_ties_that_the_remaining_edges_contradict_are_forgotten() -> None:
    G = nx.DiGraph([("a", "x"), ("b", "y"), ("x", "y"), ("y", "x"), ("a", "z"), ("b", "z")])
    G.add_nodes_from([(item, {"tie": tie}) for item, tie in zip("abcd", [1, 1, 2, 2], strict=True)])
    assert nx.get_node_attributes(po.break_cycles(G)[0], "tie") == {"c": 2, "d": 2}
    assert set(nx.get_node_attributes(G, "tie")) == set("abcd"), "the input is unchanged"
