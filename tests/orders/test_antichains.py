"""Width, the highest maximum antichain, the fewest chains, all antichains."""

from __future__ import annotations

import math
from itertools import chain, combinations, islice, pairwise, product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.convert.notation import parse
from porank.core.compiled_order import compile_order
from porank.core.graphs import in_order
from porank.errors import PorankError
from porank.generators.classic import boolean_lattice
from porank.generators.random_orders import random_order
from porank.orders.algebra import dual
from porank.orders.antichains import (
    antichains,
    comparability_graph,
    incomparability_graph,
    maximum_antichain,
    minimum_chain_cover,
    unordered_rows,
    width,
)
from porank.orders.closure import transitive_closure, transitive_reduction
from porank.orders.ranks import height
from tests import oracles
from tests import oracles_antichains as slow
from tests.strategies import orders, reinserted


def prove(G: nx.DiGraph) -> int:
    """Check that antichain and chains show each other to be the best, and return their number."""
    antichain, chains = maximum_antichain(G), minimum_chain_cover(G)
    said = set(transitive_closure(G).edges)
    assert not any((u, v) in said for u in antichain for v in antichain)
    assert all(pair in said for items in chains for pair in pairwise(items))
    held = list(chain.from_iterable(chains))
    assert len(held) == len(set(held)) == len(G)
    assert set(held) == set(G)
    assert all(chains)
    assert width(G) == len(antichain) == len(set(antichain)) == len(chains)
    return len(chains)


def check(G: nx.DiGraph) -> None:
    before = nx.DiGraph(G)
    assert prove(G) == slow.width(G)
    assert set(maximum_antichain(G)) == slow.highest_maximum_antichain(G)
    found = list(antichains(G))
    assert len(found) == len(set(map(frozenset, found)))
    assert set(map(frozenset, found)) == set(slow.antichains(G))
    assert nx.utils.graphs_equal(G, before)


@pytest.mark.parametrize("n", range(5))
def test_all_small_orders(n: int) -> None:
    for G in oracles.strict_orders(n):
        check(G)
        assert width(G) == slow.fewest_chains(G)


@given(orders())
def test_random_orders(G: nx.DiGraph) -> None:
    check(G)


@given(orders())
def test_what_says_the_same_has_the_same(G: nx.DiGraph) -> None:
    """The closure, the reduction, and the order in another sequence of items and edges."""
    for H in (transitive_closure(G), transitive_reduction(G), reinserted(G)):
        assert maximum_antichain(H) == maximum_antichain(G)
        assert minimum_chain_cover(H) == minimum_chain_cover(G)
        assert list(antichains(H)) == list(antichains(G))


@given(orders(), st.randoms())
def test_the_names_have_no_say_in_the_antichain(G: nx.DiGraph, random: Any) -> None:
    names = list(range(len(G)))
    random.shuffle(names)
    new = dict(zip(G, names, strict=True))
    assert set(maximum_antichain(nx.relabel_nodes(G, new))) == {
        new[x] for x in maximum_antichain(G)
    }


@given(orders())
def test_all_is_listed_by_name(G: nx.DiGraph) -> None:
    place = {item: i for i, item in enumerate(in_order(G))}
    assert maximum_antichain(G) == in_order(maximum_antichain(G))
    firsts = [items[0] for items in minimum_chain_cover(G)]
    assert firsts == in_order(firsts)
    listed = [[place[x] for x in items] for items in antichains(G)]
    assert listed == sorted(listed), "as in a dictionary"
    assert all(items == sorted(items) for items in listed)


@pytest.mark.parametrize("n", range(8))
def test_sperner(n: int) -> None:
    """The sets of the middle size, the upper one where there are two, are the largest antichain."""
    G = boolean_lattice(n)
    assert prove(G) == math.comb(n, n // 2)
    middle = {items for items in G if len(items) == (n + 1) // 2}
    assert set(maximum_antichain(G)) == middle


@pytest.mark.parametrize("seed", range(3))
def test_the_dual_is_as_wide(seed: int) -> None:
    G = random_order(200, edge_probability=0.02, seed=seed)
    assert prove(G) == prove(dual(G))


@given(st.lists(st.integers(-3, 3), max_size=9))
def test_scores_and_their_graph_say_the_same(scores: list[int]) -> None:
    G = nx.DiGraph()
    G.add_nodes_from(range(len(scores)))
    G.add_edges_from((u, v) for u in G for v in G if scores[u] > scores[v])
    assert width(scores) == width(G) == slow.width(G)
    assert maximum_antichain(scores) == maximum_antichain(G)
    assert set(maximum_antichain(scores)) == slow.highest_maximum_antichain(G)
    assert minimum_chain_cover(scores) == minimum_chain_cover(G)
    assert list(antichains(scores)) == list(antichains(G))
    prove(G)


def test_many_tied_scores() -> None:
    scores = np.repeat([2, 1], 2_000)
    assert width(scores) == 2_000
    assert set(maximum_antichain(scores)) == set(range(2_000)), "the upper one"
    assert len(minimum_chain_cover(scores)) == 2_000
    assert list(islice(antichains(scores), 3)) == [[], [0], [0, 1]]


def test_a_long_chain_needs_no_recursion() -> None:
    n = 5_000
    G = nx.path_graph(n, create_using=nx.DiGraph)
    G.add_node("beside")
    assert maximum_antichain(G) == [0, "beside"]
    assert minimum_chain_cover(G) == [list(range(n)), ["beside"]]
    assert sum(1 for _ in antichains(G)) == 2 * (n + 1)


def test_a_yielded_antichain_is_the_callers() -> None:
    found = antichains([0, 0])
    next(found)
    next(found).clear()
    assert list(found) == [[0, 1], [1]]


def test_a_bar_changes_nothing() -> None:
    G = random_order(50, dimension=3, seed=4)
    H = nx.DiGraph(G)
    for function in (width, maximum_antichain, minimum_chain_cover):
        assert function(G) == function(H)


def edges_of(G: nx.Graph) -> set[frozenset[Any]]:
    return {frozenset(edge) for edge in G.edges}


def check_comparability(G: nx.DiGraph) -> None:
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
def test_comparability_of_all_small_orders(n: int) -> None:
    for G in oracles.strict_orders(n):
        check_comparability(G)


@given(orders())
def test_comparability_of_random_orders(G: nx.DiGraph) -> None:
    check_comparability(G)
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


@given(orders())
def test_rows_of_incomparable_items(G: nx.DiGraph) -> None:
    said, row = oracles.closure(G.edges), unordered_rows(compile_order(G))
    for (i, u), (j, v) in product(enumerate(G), repeat=2):
        assert row(i) >> j & 1 == oracles.are_unordered(said, u, v)


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


def test_large_where_little_is_to_be_written() -> None:
    n = 5_000
    assert incomparability_graph(np.arange(n) // 2).number_of_edges() == n // 2
    pairs = nx.DiGraph((i, i + 1) for i in range(0, n, 2))
    assert comparability_graph(pairs).number_of_edges() == n // 2
