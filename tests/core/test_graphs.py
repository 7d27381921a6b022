"""The witness is always the same one: whatever the names, the insertion, the run."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.core.compiled_order import compile_order
from porank.core.graphs import (
    cyclic_components,
    graph_of,
    in_order,
    item_key,
    joined_classes,
    numbers_in_order,
    pairs_within,
    read_edges,
    refuse_large,
    require_digraph,
    shortest_cycle,
    tie_groups,
    write_edges,
)
from porank.errors import GraphTypeError, PorankError, TieError
from tests import oracles
from tests.strategies import graphs


@pytest.mark.parametrize("n", range(4))
def test_shortest_cycle_of_every_small_graph(n: int) -> None:
    for G in oracles.digraphs(n):
        assert shortest_cycle(G) == oracles.first_cycle(G, item_key)


def test_components() -> None:
    G = nx.DiGraph(["ab", "ba", "bc", "cc", "de"])
    assert sorted(sorted(map(str, component)) for component in cyclic_components(G)) == [
        ["a", "b"],
        ["c"],
    ]


@pytest.mark.slow
def test_keys_do_not_change_from_run_to_run() -> None:
    """Strings hash differently in every process, and so sets print differently."""
    code = (
        "from porank.core.graphs import item_key;"
        "print(item_key(frozenset('abcdefgh')), item_key(('t', frozenset('xyz'))))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1


def test_plain_objects_stand_in_the_order_of_insertion() -> None:
    things = [object() for _ in range(5)]
    assert in_order(things) == things
    assert in_order(things[::-1]) == things[::-1]


def test_a_component_of_many_items() -> None:
    G = nx.cycle_graph(2_000, create_using=nx.DiGraph)
    cycle = shortest_cycle(G)
    assert cycle is not None
    assert cycle[0] == cycle[-1] == 0
    assert len(cycle) == 2_001


@given(graphs())
def test_there_and_back(G: nx.DiGraph) -> None:
    source, target = read_edges(G)
    items = list(G)
    edges = [(items[i], items[j]) for i, j in zip(source.tolist(), target.tolist(), strict=True)]
    assert edges == list(G.edges)
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
    G.__networkx_cache__["x"] = 1
    write_edges(G, [[], [0]])
    assert not G.__networkx_cache__, "it is no longer remembered"


def test_refusals() -> None:
    refuse_large(10**7, instead="-")
    with pytest.raises(PorankError, match="found 10,000,001; give scores"):
        refuse_large(10**7 + 1, instead="give scores")
    with pytest.raises(GraphTypeError, match=r"expected a networkx.DiGraph as target, found dict"):
        require_digraph({}, name="target")


def tied_graph(edges: list[str], ties: dict[str, Any]) -> nx.DiGraph:
    G = nx.DiGraph()
    G.add_nodes_from(sorted({letter for edge in edges for letter in edge} | set(ties)))
    G.add_edges_from(edge for edge in edges if len(edge) == 2)
    nx.set_node_attributes(G, ties, "tie")
    return G


def test_classes_are_read() -> None:
    order = compile_order(tied_graph(["ab", "ac", "d"], {"b": 7, "c": 7, "a": 1, "d": None}))
    tied = dict(zip(order.items, order.tie.tolist(), strict=True))
    assert tied["b"] == tied["c"] >= 0
    assert tied["a"] == tied["d"] == -1, "a class of one is no tie"


def test_equals_may_be_written_unequally() -> None:
    """One of the two has an edge that the other has only by transitivity."""
    order = compile_order(tied_graph(["xb", "xc", "bd", "cd", "de", "be", "f"], {"b": 0, "c": 0}))
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
        compile_order(tied_graph(edges, ties))
    assert caught.value.tied == tied
    assert caught.value.witness == witness


def test_a_tie_set_after_compiling_is_seen() -> None:
    G = tied_graph(["ab", "ac"], {})
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
        compile_order(tied_graph(["ab"], {"a": ["x"]}))


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
    G = tied_graph(["ab"], {"a": 0, "b": 0})
    assert tie_groups(G, [0, 0]) == [["a", "b"]]
    assert tie_groups(G, [None, 0]) == []


@given(
    st.one_of(
        st.lists(st.integers(), unique=True),
        st.lists(st.text(), unique=True),
        st.lists(st.one_of(st.booleans(), st.text(), st.integers()), unique=True),
    )
)
def test_items_of_one_type_are_sorted_as_all_others(items: list[Any]) -> None:
    sequence = numbers_in_order(items)
    assert [items[number] for number in sequence] == sorted(items, key=item_key)
    assert in_order(items) == [items[number] for number in sequence]
