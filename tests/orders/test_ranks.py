"""Where items stand: extremes, ranks, levels, height; and that their insertion has no say."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

import porank as po
from porank.core.compiled_order import compile_order
from porank.core.graphs import item_key
from porank.core.relation import SparseRelation
from tests import oracles, oracles_extensions
from tests.strategies import on_orders, reinserted


@on_orders()
def test_by_definition(G: nx.DiGraph) -> None:
    said = oracles.closure(G.edges)
    ranks = po.set_ranks(G)
    assert ranks == po.set_ranks(po.transitive_closure(G))
    assert ranks == {item: oracles.rank(G, item) for item in G}
    assert list(ranks) == list(G)
    assert po.maximal_items(G) == [x for x in G if not any(v == x for _, v in said)]
    assert po.minimal_items(G) == [x for x in G if not any(u == x for u, _ in said)]
    assert po.levels(G) == [
        [x for x in G if ranks[x] == k] for k in range(1, max(ranks.values(), default=0) + 1)
    ]
    assert po.height(G) == oracles.longest_chain(G)
    assert {type(number) for number in (*ranks.values(), po.height(G))} == {int}


@on_orders(max_items=6)
def test_rank_intervals_by_definition(G: nx.DiGraph) -> None:
    found = po.rank_intervals(G)
    assert list(found) == list(G)
    ranks = {x: set(range(best, worst + 1)) for x, (best, worst) in found.items()}
    assert ranks == oracles_extensions.ranks_taken(G)


@given(st.lists(st.integers(-3, 3) | st.floats(-2, 2), max_size=12))
def test_scores_as_scipy_ranks_them(scores: list[float]) -> None:
    dense, least, most = (
        rankdata([-score for score in scores], method=method).astype(int).tolist()
        for method in ("dense", "min", "max")
    )
    assert list(po.set_ranks(scores).values()) == dense
    assert list(po.rank_intervals(scores).values()) == list(zip(least, most, strict=True))
    assert po.maximal_items(scores) == [x for x, rank in enumerate(dense) if rank == 1]
    assert po.minimal_items(scores) == [x for x, rank in enumerate(dense) if rank == max(dense)]
    assert po.levels(scores) == [
        [x for x, rank in enumerate(dense) if rank == k] for k in range(1, po.height(scores) + 1)
    ]


def test_large_ones() -> None:
    # The paper's recursion visits 2**30 paths in a ladder.
    ladder = nx.DiGraph(((k, i), (k + 1, j)) for k in range(29) for i in range(2) for j in range(2))
    assert po.set_ranks(ladder) == {(k, i): k + 1 for k, i in ladder}
    assert po.height(nx.path_graph(5_000, create_using=nx.DiGraph)) == 5_000
    found = po.rank_intervals(np.repeat([2, 1], 50_000))
    assert set(found.values()) == {(1, 50_000), (50_001, 100_000)}
    for share in (0.0003, 0.003):
        n = 4_500
        G = po.random_order(n, edge_probability=share, seed=2)
        # Each comparable pair takes one rank from either of its items.
        left_open = sum(worst - best for best, worst in po.rank_intervals(G).values())
        assert left_open == n * (n - 1) - 2 * compile_order(G).count_pairs()


def test_a_very_sparse_order() -> None:
    """Trees of seven items: a root, its two children, and two below each of them."""
    G: nx.DiGraph = nx.DiGraph()
    for tree in range(600):
        G.add_edges_from(((tree, i), (tree, 2 * i + k)) for i in (1, 2, 3) for k in (0, 1))
    assert isinstance(compile_order(G).relation, SparseRelation)
    n, above, below = len(G), [0, 1, 1, 2, 2, 2, 2], [6, 2, 2, 0, 0, 0, 0]
    ranks = {(tree, i): (1 + above[i - 1], n - below[i - 1]) for tree, i in G}
    assert po.rank_intervals(G) == ranks


def test_insertion_has_no_say() -> None:
    """With an integer as seed, draws once depended on the sequence of the items."""
    G = po.random_order(12, edge_probability=0.2, seed=2)
    ways: list[Callable[[Any], Any]] = [
        partial(po.estimate_linear_extensions, samples=20, max_ideals=40, seed=7),
        partial(drawn, max_ideals=1),
        partial(drawn, max_ideals=1000),
    ]
    for function in (po.rank_probabilities, po.expected_ranks, po.mutual_rank_probabilities):
        ways += [partial(function, seed=7, method=method) for method in ("exact", "walk")]
    for ask in ways:
        wanted = ask(G)
        for H in map(reinserted, (po.transitive_closure(G), G)):
            assert ask(H) == wanted
            assert getattr(ask(H), "standard_error", 0) == getattr(wanted, "standard_error", 0)


def drawn(G: Any, **options: Any) -> list[list[Any]]:
    return list(po.random_linear_extensions(G, 5, seed=7, **options))


@on_orders(max_items=6)
def test_the_order_sorted_by_name_is_the_same_order(G: nx.DiGraph) -> None:
    order = compile_order(G)
    named, numbers = order.by_name()
    assert list(named.items) == [order.items[k] for k in numbers] == sorted(G, key=item_key)
    assert np.array_equal(named.matrix(), order.matrix()[np.ix_(numbers, numbers)])
    assert named.levels.tolist() == order.levels[numbers].tolist()
