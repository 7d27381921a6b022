"""Known ties: read, refused when the edges contradict them, and followed when they change."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

from porank.core.compiled_order import compile_order
from porank.core.graphs import joined_classes, pairs_within, tie_groups
from porank.errors import TieError


def graph(edges: list[str], ties: dict[str, Any]) -> nx.DiGraph:
    G = nx.DiGraph()
    G.add_nodes_from(sorted({letter for edge in edges for letter in edge} | set(ties)))
    G.add_edges_from(edge for edge in edges if len(edge) == 2)
    nx.set_node_attributes(G, ties, "tie")
    return G


def test_classes_are_read() -> None:
    order = compile_order(graph(["ab", "ac", "d"], {"b": 7, "c": 7, "a": 1, "d": None}))
    tied = dict(zip(order.items, order.tie.tolist(), strict=True))
    assert tied["b"] == tied["c"] >= 0
    assert tied["a"] == tied["d"] == -1, "a class of one is no tie"


def test_equals_may_be_written_unequally() -> None:
    """One of the two has an edge that the other has only by transitivity."""
    order = compile_order(graph(["xb", "xc", "bd", "cd", "de", "be", "f"], {"b": 0, "c": 0}))
    assert sorted(order.tie.tolist()) == [-1, -1, -1, -1, 0, 0]


@pytest.mark.parametrize(
    ("edges", "ties", "tied", "witness"),
    [
        (["ab"], {"a": 0, "b": 0}, ["a", "b"], "a"),
        (["ab", "bc"], {"a": 0, "c": 0}, ["a", "c"], "a"),
        (["ab", "c", "ad", "bd"], {"a": 0, "c": 0}, ["a", "c"], "b"),
        (["xb", "c", "d"], {"b": "t", "c": "t"}, ["b", "c"], "x"),
    ],
)
def test_a_contradicted_tie_is_refused_with_its_witness(
    edges: list[str], ties: dict[str, Any], tied: list[str], witness: str
) -> None:
    with pytest.raises(TieError, match="same items above and below") as caught:
        compile_order(graph(edges, ties))
    assert caught.value.tied == tied
    assert caught.value.witness == witness


def test_a_tie_set_after_compiling_is_seen() -> None:
    G = graph(["ab", "ac"], {})
    first = compile_order(G)
    first.relation  # noqa: B018
    assert first.tie.tolist() == [-1, -1, -1]
    G.nodes["b"]["tie"] = G.nodes["c"]["tie"] = 5
    second = compile_order(G)
    assert second.tie.tolist() == [-1, 0, 0]
    assert second.relation is first.relation, "only the ties are read again"
    assert compile_order(G) is second
    G.nodes["a"]["tie"] = 5
    with pytest.raises(TieError):
        compile_order(G)
    del G.nodes["a"]["tie"], G.nodes["b"]["tie"]
    assert compile_order(G).tie.tolist() == [-1, -1, -1]


def test_an_unhashable_value_is_refused() -> None:
    with pytest.raises(TieError, match=r"expected a hashable value.*found \['x'\] at 'a'"):
        compile_order(graph(["ab"], {"a": ["x"]}))


def test_the_witness_is_the_first_of_several() -> None:
    """By (type name, repr), whatever the insertion: of the tied, and of what tells them apart."""
    edges = ["zc", "yc", "xb", "wb", "cq", "bp"]
    for sequence in (edges, edges[::-1]):
        G = nx.DiGraph(sequence)
        nx.set_node_attributes(G, {"c": 1, "b": 1, "a": 2}, "tie")
        with pytest.raises(TieError, match="found 'w' above only one") as caught:
            compile_order(G)
        assert (caught.value.tied, caught.value.witness) == (["b", "c"], "w")


def test_joined_classes_are_apart_if_either_is() -> None:
    one, other = np.array([0, 0, 1, 1, 2, 0]), np.array([0, 1, 0, 1, 2, 1])
    joined = joined_classes(one, other).tolist()
    assert joined[1] == joined[5]
    assert len(set(joined)) == 5
    assert pairs_within(joined_classes(one, np.full(6, -1))) == 0


def test_groups_are_read_without_judging() -> None:
    G = graph(["ab"], {"a": 0, "b": 0})
    assert tie_groups(G, [0, 0]) == [["a", "b"]]
    assert tie_groups(G, [None, 0]) == []
