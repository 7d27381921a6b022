"""Where items stand: extremes, ranks, levels, height."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

import porank as po
from porank.core.compiled_order import compile_order
from porank.core.graphs import item_key
from porank.core.relation import SparseRelation
from porank.generators.random_orders import random_order
from porank.orders.ranks import (
    height,
    levels,
    maximal_items,
    minimal_items,
    rank_intervals,
    set_ranks,
)
from tests import oracles
from tests import oracles_antichains as slow
from tests.strategies import orders, reinserted


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


def test_a_ladder_takes_no_time() -> None:
    """The paper's recursion visits 2**30 paths here."""
    ladder = nx.DiGraph(((k, i), (k + 1, j)) for k in range(29) for i in range(2) for j in range(2))
    assert set_ranks(ladder) == {(k, i): k + 1 for k, i in ladder}


def test_a_deep_chain_needs_no_recursion() -> None:
    n = 5_000
    G = nx.path_graph(n, create_using=nx.DiGraph)
    assert set_ranks(G)[n - 1] == n
    assert height(G) == n
    assert minimal_items(G) == [n - 1]


def test_scores() -> None:
    assert set_ranks({"a": 0.5, "b": 2, "c": 0.5}) == {"a": 2, "b": 1, "c": 2}
    assert levels(np.array([1, 5, 1])) == [[1], [0, 2]]
    assert maximal_items([1, 5, 5]) == [1, 2]
    assert minimal_items([1, 5, 5]) == [0]
    assert {type(rank) for rank in [*set_ranks([3, 1]).values(), height([3, 1])]} == {int}
    found = rank_intervals(np.repeat([2, 1], 50_000))
    assert set(found.values()) == {(1, 50_000), (50_001, 100_000)}


@given(st.lists(st.integers(-3, 3) | st.floats(-2, 2), max_size=12))
def test_ranks_of_scores_as_scipy_has_them(scores: list[float]) -> None:
    dense = rankdata([-score for score in scores], method="dense").astype(int).tolist()
    assert list(set_ranks(scores).values()) == dense


def check_intervals(G: nx.DiGraph) -> None:
    taken = slow.ranks_taken(G)
    found = rank_intervals(G)
    assert list(found) == list(G)
    assert {x: set(range(best, worst + 1)) for x, (best, worst) in found.items()} == taken


@pytest.mark.parametrize("n", range(5))
def test_intervals_of_all_small_orders(n: int) -> None:
    for G in oracles.strict_orders(n):
        check_intervals(G)


@given(orders(max_items=6))
def test_intervals_of_random_orders(G: nx.DiGraph) -> None:
    check_intervals(G)


@given(st.lists(st.integers(0, 3), max_size=8))
def test_intervals_of_scores(scores: list[int]) -> None:
    assert rank_intervals(scores) == {
        item: (
            1 + sum(other > score for other in scores),
            len(scores) - sum(other < score for other in scores),
        )
        for item, score in enumerate(scores)
    }


def test_a_very_sparse_order() -> None:
    """Trees of seven items: a root, its two children, and two below each of them."""
    G: nx.DiGraph = nx.DiGraph()
    for tree in range(600):
        G.add_edges_from(((tree, i), (tree, 2 * i + k)) for i in (1, 2, 3) for k in (0, 1))
    assert isinstance(compile_order(G).relation, SparseRelation)
    n, above, below = len(G), [0, 1, 1, 2, 2, 2, 2], [6, 2, 2, 0, 0, 0, 0]
    assert rank_intervals(G) == {(tree, i): (1 + above[i - 1], n - below[i - 1]) for tree, i in G}


@pytest.mark.parametrize("edges", [0.0003, 0.003])
def test_thousands_of_items(edges: float) -> None:
    n = 4_500
    G = random_order(n, edge_probability=edges, seed=2)
    found = rank_intervals(G)
    # Each comparable pair takes one rank from either of its items.
    left_open = sum(worst - best for best, worst in found.values())
    assert left_open == n * (n - 1) - 2 * compile_order(G).count_pairs()


def test_intervals_are_plain_numbers() -> None:
    for G in (nx.DiGraph(["ab", "cd"]), [1, 2]):
        assert {type(rank) for ranks in rank_intervals(G).values() for rank in ranks} == {int}
        assert {type(ranks) for ranks in rank_intervals(G).values()} == {tuple}


HARD = po.random_order(24, edge_probability=0.12, seed=2)


def drawn(G: Any, **options: Any) -> list[list[Any]]:
    return list(po.random_linear_extensions(G, 5, seed=7, **options))


def figures(function: Callable[..., Any], G: Any, **options: Any) -> dict[Any, Any]:
    """Figures and errors to the last digit."""
    found = function(G, seed=7, **options)
    return {key: (repr(found[key]), repr(found.standard_error[key])) for key in found}


def ways() -> dict[str, Callable[[Any], Any]]:
    """Everything that draws or rounds, by name."""
    named: dict[str, Callable[[Any], Any]] = {
        "draws from ideals": drawn,
        "draws by coins": partial(drawn, max_ideals=1),
        "estimate": partial(po.estimate_linear_extensions, samples=20, max_ideals=40, seed=7),
    }
    for function in (po.rank_probabilities, po.expected_ranks, po.mutual_rank_probabilities):
        for method in ("exact", "walk"):
            ask = partial(figures, function, method=method)
            named[f"{function.__name__}, {method}"] = ask
    return named


@pytest.mark.parametrize("name", ways())
def test_insertion_has_no_say(name: str) -> None:
    """With an integer as seed, draws once depended on the sequence of the items."""
    ask = ways()[name]
    wanted = ask(HARD)
    for saying_the_same in (po.transitive_closure(HARD), HARD):
        assert ask(reinserted(saying_the_same)) == wanted


@given(orders(max_items=6))
@settings(max_examples=20)
def test_insertion_has_no_say_on_any_order(G: nx.DiGraph) -> None:
    for ask in (drawn, partial(figures, po.mutual_rank_probabilities, method="walk")):
        assert ask(reinserted(po.transitive_closure(G))) == ask(G)


def test_levels_are_drawn_from_alike() -> None:
    scores = {"b": 1, "a": 1, "c": 2, "d": 1}
    turned = dict(reversed(scores.items()))
    assert drawn(scores) == drawn(turned) == drawn(po.from_scores(turned))


@given(orders())
def test_the_order_sorted_by_name_is_the_same_order(G: nx.DiGraph) -> None:
    order = compile_order(G)
    named, numbers = order.by_name()
    assert list(named.items) == sorted(G, key=item_key)
    assert [order.items[number] for number in numbers.tolist()] == list(named.items)
    assert np.array_equal(named.matrix(), order.matrix()[np.ix_(numbers, numbers)])
    assert named.levels.tolist() == order.levels[numbers].tolist()
    assert order.by_name()[0] is named
