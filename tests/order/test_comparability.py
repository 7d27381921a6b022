"""The comparability graph and its complement."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.convert.notation import parse
from porank.core.compiled_order import compile_order
from porank.errors import CycleError, PorankError
from porank.orders.antichains import comparability_graph, incomparability_graph, unordered_rows
from porank.orders.ranks import height
from tests import oracles
from tests import oracles_antichains as slow
from tests.strategies import orders


def edges_of(G: nx.Graph) -> set[frozenset[Any]]:
    return {frozenset(edge) for edge in G.edges}


def check(G: nx.DiGraph) -> None:
    before = nx.DiGraph(G)
    said = oracles.closure(G.edges)
    joined, apart = comparability_graph(G), incomparability_graph(G)
    assert list(joined) == list(apart) == list(G)
    assert edges_of(joined) == {frozenset(pair) for pair in said}
    assert edges_of(apart) == {
        frozenset(pair) for pair in combinations(G, 2) if oracles.are_unordered(said, *pair)
    }
    assert type(joined) is type(apart) is nx.Graph
    assert nx.utils.graphs_equal(G, before)


@pytest.mark.parametrize("n", range(5))
def test_all_small_orders(n: int) -> None:
    for G in oracles.strict_orders(n):
        check(G)


@given(orders())
def test_random_orders(G: nx.DiGraph) -> None:
    check(G)
    cliques = nx.find_cliques(comparability_graph(G))
    assert max(map(len, cliques), default=0) == height(G)
    cliques = nx.find_cliques(incomparability_graph(G))
    assert max(map(len, cliques), default=0) == slow.width(G)


@given(st.lists(st.integers(0, 3), max_size=8))
def test_scores(scores: list[int]) -> None:
    pairs = list(combinations(range(len(scores)), 2))
    different = {frozenset((u, v)) for u, v in pairs if scores[u] != scores[v]}
    joined, apart = comparability_graph(scores), incomparability_graph(scores)
    assert list(joined) == list(apart) == list(range(len(scores)))
    assert edges_of(joined) == different
    assert edges_of(apart) == {frozenset(pair) for pair in pairs} - different


@given(orders(), st.randoms())
def test_rows_along_any_sequence(G: nx.DiGraph, random: Any) -> None:
    said, items = oracles.closure(G.edges), list(G)
    sequence = list(range(len(items)))
    random.shuffle(sequence)
    row = unordered_rows(compile_order(G), np.array(sequence, dtype=np.int64))
    for a, i in enumerate(sequence):
        for b, j in enumerate(sequence):
            assert row(a) >> b & 1 == oracles.are_unordered(said, items[i], items[j])


def test_attributes_are_kept() -> None:
    G = parse("a > b ~ c > d")
    G.graph["name"] = "mine"
    G.nodes["a"]["colour"] = "red"
    G.edges["a", "b"]["weight"] = 3
    joined, apart = comparability_graph(G), incomparability_graph(G)
    for H in (joined, apart):
        assert H.graph == {"name": "mine"}
        assert H.nodes["a"] == {"colour": "red"}
        assert H.nodes["b"]["tie"] == H.nodes["c"]["tie"]
    assert joined.edges["b", "a"] == {"weight": 3}
    assert joined.edges["a", "d"] == {}
    joined.nodes["a"]["colour"] = apart.nodes["a"]["colour"] = "blue"
    joined.edges["a", "b"]["weight"] = 4
    assert G.nodes["a"]["colour"] == "red"
    assert G.edges["a", "b"]["weight"] == 3


def test_ties_of_scores_are_told() -> None:
    for H in (comparability_graph({"a": 1, "b": 2, "c": 1}), incomparability_graph([1, 2, 1])):
        first, second, third = H.nodes(data="tie")
        assert first[1] == third[1] != second[1]


def test_too_many_edges_are_refused_before_any_is_written() -> None:
    two_levels = np.repeat([2, 1], 50_000)
    with pytest.raises(
        PorankError, match=r"at most 10,000,000 edges to write, found 2,500,000,000"
    ):
        comparability_graph(two_levels)
    with pytest.raises(PorankError, match=r"found 2,499,950,000; prefers\(G, u, v\) answers"):
        incomparability_graph(two_levels)
    with pytest.raises(PorankError, match="found 499,999,500,000"):
        comparability_graph(np.arange(10**6))


def test_large_where_little_is_to_be_written() -> None:
    n = 20_000
    assert incomparability_graph(np.arange(n) // 2).number_of_edges() == n // 2
    pairs = nx.DiGraph((i, i + 1) for i in range(0, n, 2))
    assert comparability_graph(pairs).number_of_edges() == n // 2


def test_empty() -> None:
    for function in (comparability_graph, incomparability_graph):
        assert list(function({})) == list(function(nx.DiGraph())) == []


@pytest.mark.parametrize("function", [comparability_graph, incomparability_graph])
def test_a_cycle_is_reported(function: Any) -> None:
    with pytest.raises(CycleError) as caught:
        function(nx.DiGraph([(1, 2), (2, 1)]))
    assert caught.value.cycle == [1, 2, 1]
