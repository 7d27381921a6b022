"""Where items stand: ranks, levels, rank intervals; antichains and chains; who is comparable."""

import math
from collections.abc import Callable
from functools import partial
from itertools import chain, combinations, islice, pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.core.compiled_order import compile_order
from porank.core.graphs import in_order
from porank.core.relation import SparseRelation
from tests.support import oracles, oracles_extensions
from tests.support.strategies import on_orders, reinserted


@on_orders()
def test_ranks_by_definition(G: nx.DiGraph) -> None:
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
    from scipy.stats import rankdata

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


def test_ranks_of_large_orders() -> None:
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


@pytest.mark.slow
def test_insertion_has_no_say() -> None:
    """With an integer as seed, draws once depended on the sequence of the items."""
    G = po.random_order(12, edge_probability=0.2, seed=2)
    ways: list[Callable[[Any], Any]] = [
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


def prove(G: nx.DiGraph) -> int:
    """Check that antichain and chains show each other to be the best, and return their number."""
    antichain, chains = po.maximum_antichain(G), po.minimum_chain_cover(G)
    said = set(po.transitive_closure(G).edges)
    assert not any((u, v) in said for u in antichain for v in antichain)
    assert all(pair in said for items in chains for pair in pairwise(items))
    held = list(chain.from_iterable(chains))
    assert len(held) == len(set(held)) == len(G)
    assert set(held) == set(G)
    assert all(chains)
    assert po.width(G) == len(antichain) == len(set(antichain)) == len(chains)
    return len(chains)


@on_orders()
def test_antichains_by_definition(G: nx.DiGraph) -> None:
    assert prove(G) == oracles.width(G)
    assert set(po.maximum_antichain(G)) == oracles.highest_maximum_antichain(G)
    found = list(po.antichains(G))
    assert len(found) == len(set(map(frozenset, found)))
    assert set(map(frozenset, found)) == set(oracles.antichains(G))


@on_orders()
def test_what_says_the_same_has_the_same_sorted_by_name(G: nx.DiGraph) -> None:
    """The closure, the reduction, and the order in another sequence of items and edges."""
    for H in (po.transitive_closure(G), po.transitive_reduction(G), reinserted(G)):
        assert po.maximum_antichain(H) == po.maximum_antichain(G)
        assert po.minimum_chain_cover(H) == po.minimum_chain_cover(G)
        assert list(po.antichains(H)) == list(po.antichains(G))
    place = {item: i for i, item in enumerate(in_order(G))}
    assert po.maximum_antichain(G) == in_order(po.maximum_antichain(G))
    firsts = [items[0] for items in po.minimum_chain_cover(G)]
    assert firsts == in_order(firsts)
    listed = [[place[x] for x in items] for items in po.antichains(G)]
    assert listed == sorted(listed), "as in a dictionary"
    assert all(items == sorted(items) for items in listed)


def test_the_middle_sets_are_the_largest_antichain() -> None:
    """The sets of the middle size, the upper one where there are two, are the largest antichain."""
    for n in range(8):
        G = po.boolean_lattice(n)
        assert prove(G) == math.comb(n, n // 2)
        middle = {items for items in G if len(items) == (n + 1) // 2}
        assert set(po.maximum_antichain(G)) == middle


@given(st.lists(st.integers(-3, 3), max_size=9))
def test_antichains_of_scores_are_those_of_their_graph(scores: list[int]) -> None:
    G = oracles.graph_of(dict(enumerate(scores)))
    assert po.width(scores) == oracles.width(G)
    assert set(po.maximum_antichain(scores)) == oracles.highest_maximum_antichain(G)
    assert po.minimum_chain_cover(scores) == po.minimum_chain_cover(G)
    assert list(po.antichains(scores)) == list(po.antichains(G))


def test_the_width_of_large_orders_has_its_antichain_and_cover() -> None:
    G = po.random_order(200, edge_probability=0.02, seed=0)
    assert prove(G) == prove(po.dual(G))
    scores = np.repeat([2, 1], 2_000)
    assert po.width(scores) == 2_000
    assert set(po.maximum_antichain(scores)) == set(range(2_000)), "the upper one"
    assert len(po.minimum_chain_cover(scores)) == 2_000
    assert list(islice(po.antichains(scores), 3)) == [[], [0], [0, 1]]
    n = 5_000
    G = nx.path_graph(n, create_using=nx.DiGraph)
    G.add_node("beside")
    assert po.maximum_antichain(G) == [0, "beside"]
    assert po.minimum_chain_cover(G) == [list(range(n)), ["beside"]]
    assert sum(1 for _ in po.antichains(G)) == 2 * (n + 1)


@on_orders(max_items=6, shapes=5)
def test_maximal_chains_by_definition(G: nx.DiGraph) -> None:
    said, found = oracles.closure(G.edges), list(po.maximal_chains(G))
    subsets = (frozenset(some) for size in range(len(G) + 1) for some in combinations(G, size))
    chains = [
        some
        for some in subsets
        if not any(oracles.are_unordered(said, u, v) for u, v in combinations(some, 2))
    ]
    maximal = {some for some in chains if not any(some < other for other in chains)}
    assert set(map(frozenset, found)) == maximal
    assert len(found) == len(maximal)
    assert all(pair in said for items in found for pair in pairwise(items))
    place = {item: i for i, item in enumerate(in_order(G))}
    assert found == sorted(found, key=lambda items: [place[x] for x in items])


@on_orders(max_items=6, shapes=6)
def test_graded_orders_by_definition(G: nx.DiGraph) -> None:
    chains = list(po.maximal_chains(G))
    lengths = set(map(len, chains))
    assert po.is_graded(G) is (len(lengths) == 1)
    unequal = po.orders.find_unequal_chains(G)
    if unequal is None:
        assert len(lengths) == 1
        rank, minimal = po.set_ranks(G), {x for x in G if not G.out_degree(x)}
        assert all(rank[v] == rank[u] + 1 for u, v in oracles.reduction(G.edges))
        assert len({rank[x] for x in minimal}) <= 1
    else:
        assert all(items in chains for items in unequal)
        assert tuple(map(len, unequal)) == (min(lengths), max(lengths))


def test_a_cyclic_graph_is_not_graded() -> None:
    assert not po.is_graded(po.parse("a > b > a"))
