"""Where items stand: extremes, ranks, levels, height."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from porank.errors import CycleError
from porank.orders.ranks import height, levels, maximal_items, minimal_items, set_ranks
from tests import oracles
from tests.strategies import orders

TABLE_1 = nx.DiGraph(["AC", "AD", "AE", "CD", "BD"])


def check(G: nx.DiGraph) -> None:
    said = oracles.closure(G.edges)
    ranks = set_ranks(G)
    assert ranks == {item: oracles.rank(G, item) for item in G}
    assert list(ranks) == list(G)
    assert maximal_items(G) == [x for x in G if not any(v == x for _, v in said)]
    assert minimal_items(G) == [x for x in G if not any(u == x for u, _ in said)]
    assert levels(G) == [
        [x for x in G if ranks[x] == k] for k in range(1, max(ranks.values(), default=0) + 1)
    ]
    assert height(G) == len(levels(G))


@pytest.mark.parametrize("n", range(5))
def test_all_small_orders(n: int) -> None:
    for G in oracles.strict_orders(n):
        check(G)
        assert height(G) == oracles.longest_chain(G)


@given(orders())
def test_random_orders(G: nx.DiGraph) -> None:
    check(G)
    closed = nx.DiGraph()
    closed.add_nodes_from(G)
    closed.add_edges_from(oracles.closure(G.edges))
    assert set_ranks(closed) == set_ranks(G), "graph and closure say the same"


def test_table_1_has_the_ranks_of_the_paper() -> None:
    assert set_ranks(TABLE_1) == {"A": 1, "B": 1, "C": 2, "D": 3, "E": 2}
    with_be = nx.DiGraph([*TABLE_1.edges, ("B", "E")])
    assert set_ranks(with_be) == set_ranks(TABLE_1)


def test_the_algorithm_as_printed_is_one_too_high() -> None:
    """Erratum E2: Visit(v, 1) on a source sets R(v) to max(1, 1 + 1)."""
    printed: dict[Any, int] = {}

    def visit(item: Any, rank: int) -> None:
        printed[item] = max(printed.get(item, 1), rank + 1)
        for below in TABLE_1.successors(item):
            visit(below, printed[item])

    for source in ("A", "B"):
        printed[source] = 1
        visit(source, 1)
    assert printed == {item: rank + 1 for item, rank in set_ranks(TABLE_1).items()}


def test_a_ladder_takes_no_time() -> None:
    """The paper's recursion visits 2**30 paths here."""
    ladder = nx.DiGraph(((k, i), (k + 1, j)) for k in range(29) for i in range(2) for j in range(2))
    assert set_ranks(ladder) == {(k, i): k + 1 for k, i in ladder}


def test_a_deep_chain_needs_no_recursion() -> None:
    n = 100_000
    G = nx.path_graph(n, create_using=nx.DiGraph)
    assert set_ranks(G)[n - 1] == n
    assert height(G) == n
    assert minimal_items(G) == [n - 1]


def test_scores() -> None:
    assert set_ranks({"a": 0.5, "b": 2, "c": 0.5}) == {"a": 2, "b": 1, "c": 2}
    assert levels(np.array([1, 5, 1])) == [[1], [0, 2]]
    assert maximal_items([1, 5, 5]) == [1, 2]
    assert minimal_items([1, 5, 5]) == [0]
    assert height([]) == 0
    assert levels({}) == []
    assert maximal_items({}) == minimal_items({}) == []
    assert set_ranks([]) == {}


def test_plain_numbers_come_back() -> None:
    assert {type(rank) for rank in set_ranks(TABLE_1).values()} == {int}
    assert type(height(TABLE_1)) is int


@pytest.mark.parametrize("function", [set_ranks, levels, height, maximal_items, minimal_items])
def test_a_cycle_is_reported(function: Any) -> None:
    with pytest.raises(CycleError) as caught:
        function(nx.DiGraph([(1, 2), (2, 1)]))
    assert caught.value.cycle == [1, 2, 1]


@given(st.lists(st.integers(-3, 3) | st.floats(-2, 2), max_size=12))
def test_ranks_of_scores_as_scipy_has_them(scores: list[float]) -> None:
    dense = rankdata([-score for score in scores], method="dense").astype(int).tolist()
    assert list(set_ranks(scores).values()) == dense
