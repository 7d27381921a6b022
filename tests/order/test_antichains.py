"""Width, the highest maximum antichain, the fewest chains, all antichains."""

from __future__ import annotations

import math
from itertools import chain, islice, pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.core.graphs import in_order
from porank.errors import CycleError, GraphTypeError
from porank.generators.classic import boolean_lattice, divisor_lattice
from porank.generators.random_orders import random_order
from porank.orders.algebra import dual
from porank.orders.antichains import antichains, maximum_antichain, minimum_chain_cover, width
from porank.orders.closure import transitive_closure, transitive_reduction
from tests import oracles
from tests import oracles_antichains as slow
from tests.strategies import orders

EVERY = [width, maximum_antichain, minimum_chain_cover, antichains]


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
def test_a_graph_its_closure_and_its_reduction_say_the_same(G: nx.DiGraph) -> None:
    for H in (transitive_closure(G), transitive_reduction(G)):
        assert maximum_antichain(H) == maximum_antichain(G)
        assert minimum_chain_cover(H) == minimum_chain_cover(G)
        assert list(antichains(H)) == list(antichains(G))


@given(orders(), st.randoms())
def test_the_sequence_of_items_and_edges_has_no_say(G: nx.DiGraph, random: Any) -> None:
    nodes, edges = list(G), list(G.edges)
    random.shuffle(nodes)
    random.shuffle(edges)
    H = nx.DiGraph()
    H.add_nodes_from(nodes)
    H.add_edges_from(edges)
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


@given(orders())
def test_antichains_as_networkx_has_them(G: nx.DiGraph) -> None:
    theirs = list(map(frozenset, nx.antichains(G)))
    ours = list(map(frozenset, antichains(G)))
    assert len(ours) == len(theirs)
    assert set(ours) == set(theirs)


@pytest.mark.parametrize("n", range(8))
def test_sperner(n: int) -> None:
    """The sets of the middle size, the upper one where there are two, are the largest antichain."""
    G = boolean_lattice(n)
    assert prove(G) == math.comb(n, n // 2)
    middle = {items for items in G if len(items) == (n + 1) // 2}
    assert set(maximum_antichain(G)) == middle


def test_the_boolean_lattice_of_1024_sets() -> None:
    assert prove(boolean_lattice(10)) == 252


def test_dedekind_numbers() -> None:
    counts = [sum(1 for _ in antichains(boolean_lattice(n))) for n in range(6)]
    assert counts == [2, 3, 6, 20, 168, 7581]


def test_the_highest_of_several() -> None:
    two_columns = nx.DiGraph([("a1", "a2"), ("a2", "a3"), ("b1", "b2"), ("b2", "b3")])
    assert maximum_antichain(two_columns) == ["a1", "b1"]
    assert maximum_antichain(divisor_lattice(36)) == [4, 6, 9]
    two_columns.add_edge("a2", "b1")
    assert maximum_antichain(two_columns) == ["a3", "b1"]


def test_the_largest_antichain_need_not_be_a_level() -> None:
    G = nx.DiGraph([("a", "b"), ("a", "c"), ("a", "d"), ("b", "e")])
    G.add_node("f")
    assert maximum_antichain(G) == ["b", "c", "d", "f"]


def test_chains_may_leave_out_items_in_between() -> None:
    """Two chains hold five items, though both must pass the middle one."""
    G = nx.DiGraph(["ac", "bc", "cd", "ce"])
    assert sorted(map(len, minimum_chain_cover(G))) == [2, 3]


@pytest.mark.parametrize("dimension", [2, 3])
def test_as_many_as_a_matching_of_networkx_leaves(dimension: int) -> None:
    G = random_order(120, dimension=dimension, seed=dimension)
    split = nx.Graph()
    split.add_nodes_from((side, x) for side in "lr" for x in G)
    split.add_edges_from((("l", u), ("r", v)) for u, v in transitive_closure(G).edges)
    matched = nx.bipartite.hopcroft_karp_matching(split, [("l", x) for x in G])
    assert prove(G) == len(G) - len(matched) // 2


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
    scores = np.repeat([2, 1], 50_000)
    assert width(scores) == 50_000
    assert set(maximum_antichain(scores)) == set(range(50_000)), "the upper one"
    chains = minimum_chain_cover(scores)
    assert len(chains) == 50_000
    assert sum(map(len, chains)) == 100_000
    assert list(islice(antichains(scores), 3)) == [[], [0], [0, 1]]
    assert sum(map(len, minimum_chain_cover(np.arange(10**4)))) == 10**4


def test_a_long_chain_needs_no_recursion() -> None:
    n = 5_000
    G = nx.path_graph(n, create_using=nx.DiGraph)
    G.add_node("beside")
    assert maximum_antichain(G) == [0, "beside"]
    assert minimum_chain_cover(G) == [list(range(n)), ["beside"]]
    assert sum(1 for _ in antichains(G)) == 2 * (n + 1)


def test_empty_and_single() -> None:
    for nothing in (nx.DiGraph(), dict[str, int](), list[int]()):
        assert width(nothing) == 0
        assert maximum_antichain(nothing) == []
        assert minimum_chain_cover(nothing) == []
        assert list(antichains(nothing)) == [[]]
    assert width([7]) == 1
    assert maximum_antichain({"a": 7}) == ["a"]
    assert minimum_chain_cover({"a": 7}) == [["a"]]
    assert list(antichains({"a": 7})) == [[], ["a"]]


def test_a_yielded_antichain_is_the_callers() -> None:
    found = antichains([0, 0])
    next(found)
    next(found).clear()
    assert list(found) == [[0, 1], [1]]


def test_a_bar_changes_nothing() -> None:
    G = random_order(50, dimension=3, seed=4)
    H = nx.DiGraph(G)
    for function in (width, maximum_antichain, minimum_chain_cover):
        assert function(G, progress=True) == function(H)


def test_plain_numbers_come_back() -> None:
    G = nx.DiGraph(["ab", "cd"])
    assert type(width(G)) is type(width([1, 1])) is int
    assert {type(x) for items in minimum_chain_cover(np.array([1, 2])) for x in items} == {int}


@pytest.mark.parametrize("function", EVERY)
def test_a_cycle_is_reported_at_once(function: Any) -> None:
    with pytest.raises(CycleError, match=r"found the cycle 1 > 2 > 1") as caught:
        function(nx.DiGraph([(1, 2), (2, 1)]))
    assert caught.value.cycle == [1, 2, 1]


@pytest.mark.parametrize("function", EVERY)
@pytest.mark.parametrize("wrong", [nx.Graph(), "abc", 3, None])
def test_what_is_no_order_is_refused_at_once(function: Any, wrong: Any) -> None:
    with pytest.raises(GraphTypeError, match=r"expected a networkx\.DiGraph"):
        function(wrong)
