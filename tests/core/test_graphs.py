"""The witness is always the same one: whatever the names, the insertion, the run."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.core.compiled_order import compile_order
from porank.core.graphs import (
    component_numbers,
    cyclic_components,
    graph_like,
    graph_of,
    in_order,
    item_key,
    joined_classes,
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
from tests.strategies import on_graphs, on_orders


@on_graphs(max_items=5)
def test_cycles_by_definition(G: nx.DiGraph) -> None:
    assert shortest_cycle(G) == oracles.first_cycle(G, item_key)
    said = oracles.closure(G.edges)
    on_cycles = {frozenset(v for v in G if {(u, v), (v, u)} <= said) for u in G} - {frozenset()}
    assert set(map(frozenset, cyclic_components(G))) == on_cycles


def test_keys_do_not_change_from_run_to_run() -> None:
    """Strings hash differently in every process, and so sets print differently."""
    for item in (frozenset("hgfedcba"), ("t", frozenset("hgfedcba"))):
        assert re.findall(r"'([a-h])\\*'", item_key(item)[1]) == [*"abcdefgh"]


@given(
    st.lists(st.integers(), unique=True)
    | st.lists(st.text(), unique=True)
    | st.lists(st.booleans() | st.text() | st.integers(), unique=True)
)
def test_items_of_one_type_are_sorted_as_all_others(items: list[Any]) -> None:
    assert in_order(items) == sorted(items, key=item_key)


@on_graphs()
def test_there_and_back(G: nx.DiGraph) -> None:
    items = list(G)
    for H in (G, G.subgraph(items[:3])):
        source, target = read_edges(H)
        numbers = zip(source.tolist(), target.tolist(), strict=True)
        assert [(list(H)[i], list(H)[j]) for i, j in numbers] == list(H.edges)
        assert source.tolist() == sorted(source.tolist())
    source, target = read_edges(G)
    H = graph_of(items, [target[source == i].tolist() for i in range(len(G))])
    assert list(H) == items
    assert list(H.edges(data=True)) == [(u, v, {}) for u, v in G.edges]
    assert all(set(H.pred[v]) == set(G.pred[v]) for v in H)


@on_graphs()
def test_parts_of_a_graph(G: nx.DiGraph) -> None:
    kept = set(list(G)[::2])
    nx.set_edge_attributes(G, 2, "weight")
    assert nx.utils.graphs_equal(graph_like(G, items=kept), nx.DiGraph(G.subgraph(kept)))
    H = graph_like(G, list(G.edges)[1:], added=[(x, x) for x in G])
    wanted = [*list(G.edges)[1:], *((x, x) for x in G)]
    assert dict(H.edges) == {edge: G.edges.get(edge, {}) for edge in wanted}
    numbers = component_numbers(len(G), *read_edges(G)).tolist()
    parts = {frozenset(x for x, k in zip(G, numbers, strict=True) if k == n) for n in numbers}
    assert parts == set(map(frozenset, nx.weakly_connected_components(G)))
    assert numbers[:1] in ([], [0])


def test_written_edges_share_their_attributes_and_keep_the_old_ones() -> None:
    G = nx.DiGraph([("a", "b", {"weight": 2})])
    G.add_node("c")
    write_edges(G, [[1, 2], [2], []])
    assert list(G.edges.data("weight")) == [("a", "b", 2), ("a", "c", None), ("b", "c", None)]
    G.edges["b", "c"]["weight"] = 5
    assert G.pred["c"]["b"] == {"weight": 5}
    assert G.succ["a"]["c"] is G.pred["c"]["a"]
    G.__networkx_cache__["x"] = 1
    write_edges(G, [[], [0]])
    assert not G.__networkx_cache__, "it is no longer remembered"


def test_refusals() -> None:
    refuse_large(10**7, instead="-")
    with pytest.raises(PorankError, match="found 10,000,001; give scores"):
        refuse_large(10**7 + 1, instead="give scores")
    with pytest.raises(GraphTypeError, match=r"expected a networkx.DiGraph as target, found dict"):
        require_digraph({}, name="target")


@on_orders(max_items=5)
def test_only_those_with_the_same_above_and_below_may_be_tied(G: nx.DiGraph) -> None:
    said = oracles.closure(G.edges)
    for u, v in combinations(G, 2):
        H = G.copy()
        nx.set_node_attributes(H, {u: 7, v: 7}, "tie")
        assert tie_groups(H, [tie for _, tie in H.nodes(data="tie")]) == [[u, v]]
        apart = [x for x in in_order(G) if ((x, u) in said) != ((x, v) in said)] or [
            x for x in in_order(G) if ((u, x) in said) != ((v, x) in said)
        ]
        if apart:
            with pytest.raises(TieError, match="same items above and below") as caught:
                compile_order(H)
            assert caught.value.tied == in_order([u, v])
            assert caught.value.witness == apart[0]
        else:
            tie = dict(zip(H, compile_order(H).tie.tolist(), strict=True))
            assert {x for x, number in tie.items() if number == tie[u] >= 0} == {u, v}
            assert {number for x, number in tie.items() if x not in (u, v)} <= {-1}


def test_the_witness_is_the_first_of_several() -> None:
    """By (type name, repr), whatever the insertion: of the tied, and of what tells them apart."""
    edges = ["zc", "yc", "xb", "wb", "cq", "bp"]
    for sequence in (edges, edges[::-1]):
        G = nx.DiGraph(sequence)
        nx.set_node_attributes(G, {"c": 1, "b": 1}, "tie")
        with pytest.raises(TieError, match="found 'w' above only one") as caught:
            compile_order(G)
        assert (caught.value.tied, caught.value.witness) == (["b", "c"], "w")
    nx.set_node_attributes(G, {"q": ["x"]}, "tie")
    with pytest.raises(TieError, match=r"expected a hashable value.*found \['x'\] at 'q'"):
        compile_order(G)


def test_a_tie_set_after_compiling_is_seen() -> None:
    G, nan = nx.DiGraph(["ab", "ac"]), float("nan")
    G.add_nodes_from("de", tie=nan)
    nx.set_node_attributes(G, {"a": 1}, "tie")
    first = compile_order(G)
    first.relation  # noqa: B018
    assert first.tie.tolist() == [-1] * 5, "a class of one is no tie"
    G.nodes["b"]["tie"] = G.nodes["c"]["tie"] = 5
    second = compile_order(G)
    assert second.tie.tolist() == [-1, 0, 0, -1, -1]
    assert second.relation is first.relation, "only the ties are read again"
    assert compile_order(G) is second
    G.nodes["a"]["tie"] = 5
    with pytest.raises(TieError):
        compile_order(G)


@given(st.lists(st.tuples(st.integers(-1, 2), st.integers(-1, 2)), max_size=7))
def test_joined_classes_are_apart_if_either_is(numbers: list[tuple[int, int]]) -> None:
    one, other = np.array(numbers, dtype=np.int64).reshape(-1, 2).T
    joined = joined_classes(one, other).tolist()
    pairs = list(combinations(range(len(numbers)), 2))
    tied = [numbers[i] == numbers[j] and min(numbers[i]) >= 0 for i, j in pairs]
    assert [joined[i] == joined[j] >= 0 for i, j in pairs] == tied
    assert pairs_within(np.array(joined, dtype=np.int64)) == sum(tied)
