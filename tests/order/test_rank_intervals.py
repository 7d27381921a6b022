"""Best and worst ranks."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.core.compiled_order import compile_order
from porank.core.relation import SparseRelation
from porank.errors import CycleError, GraphTypeError
from porank.generators.random_orders import random_order
from porank.orders.algebra import dual
from porank.orders.ranks import rank_intervals
from tests import oracles
from tests import oracles_antichains as slow
from tests.strategies import orders


def check(G: nx.DiGraph) -> None:
    taken = slow.ranks_taken(G)
    found = rank_intervals(G)
    assert list(found) == list(G)
    assert {x: set(range(best, worst + 1)) for x, (best, worst) in found.items()} == taken


@pytest.mark.parametrize("n", range(5))
def test_all_small_orders(n: int) -> None:
    for G in oracles.strict_orders(n):
        check(G)


@given(orders(max_items=6))
def test_random_orders(G: nx.DiGraph) -> None:
    check(G)


@given(st.lists(st.integers(0, 3), max_size=8))
def test_scores(scores: list[int]) -> None:
    assert rank_intervals(scores) == {
        item: (
            1 + sum(other > score for other in scores),
            len(scores) - sum(other < score for other in scores),
        )
        for item, score in enumerate(scores)
    }


def test_the_dual_turns_them_round() -> None:
    G = random_order(300, dimension=3, seed=1)
    assert rank_intervals(dual(G)) == {
        x: (301 - worst, 301 - best) for x, (best, worst) in rank_intervals(G).items()
    }


def test_a_very_sparse_order() -> None:
    """Trees of seven items: a root, its two children, and two below each of them."""
    G: nx.DiGraph = nx.DiGraph()
    for tree in range(1_000):
        G.add_edges_from(((tree, i), (tree, 2 * i + k)) for i in (1, 2, 3) for k in (0, 1))
    assert isinstance(compile_order(G).relation, SparseRelation)
    n, above, below = len(G), [0, 1, 1, 2, 2, 2, 2], [6, 2, 2, 0, 0, 0, 0]
    assert rank_intervals(G) == {(tree, i): (1 + above[i - 1], n - below[i - 1]) for tree, i in G}


@pytest.mark.parametrize("edges", [0.0003, 0.003])
def test_ten_thousand_items(edges: float) -> None:
    n = 10_000
    G = random_order(n, edge_probability=edges, seed=2)
    found = rank_intervals(G)
    # Each comparable pair takes one rank from either of its items.
    left_open = sum(worst - best for best, worst in found.values())
    assert left_open == n * (n - 1) - 2 * compile_order(G).count_pairs()


def test_many_tied_scores() -> None:
    found = rank_intervals(np.repeat([2, 1], 50_000))
    assert set(found.values()) == {(1, 50_000), (50_001, 100_000)}


def test_empty_and_single() -> None:
    assert rank_intervals({}) == rank_intervals(nx.DiGraph()) == {}
    assert rank_intervals([3]) == {0: (1, 1)}


def test_plain_numbers_come_back() -> None:
    for G in (nx.DiGraph(["ab", "cd"]), [1, 2]):
        assert {type(rank) for ranks in rank_intervals(G).values() for rank in ranks} == {int}
        assert {type(ranks) for ranks in rank_intervals(G).values()} == {tuple}


def test_bad_input() -> None:
    with pytest.raises(CycleError) as caught:
        rank_intervals(nx.DiGraph([(1, 2), (2, 1)]))
    assert caught.value.cycle == [1, 2, 1]
    with pytest.raises(GraphTypeError, match=r"expected a networkx\.DiGraph"):
        rank_intervals("abc")
