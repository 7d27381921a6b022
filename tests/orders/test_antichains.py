"""Width, the highest maximum antichain, the fewest chains, all antichains, who is comparable."""

from __future__ import annotations

import math
from itertools import chain, combinations, islice, pairwise, product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.core.compiled_order import compile_order
from porank.core.graphs import in_order
from porank.orders.antichains import unordered_rows
from tests import oracles
from tests.strategies import on_orders, reinserted


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
def test_by_definition(G: nx.DiGraph) -> None:
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


def test_sperner() -> None:
    """The sets of the middle size, the upper one where there are two, are the largest antichain."""
    for n in range(8):
        G = po.boolean_lattice(n)
        assert prove(G) == math.comb(n, n // 2)
        middle = {items for items in G if len(items) == (n + 1) // 2}
        assert set(po.maximum_antichain(G)) == middle


@given(st.lists(st.integers(-3, 3), max_size=9))
def test_scores_and_their_graph_say_the_same(scores: list[int]) -> None:
    G = oracles.graph_of(dict(enumerate(scores)))
    assert po.width(scores) == oracles.width(G)
    assert set(po.maximum_antichain(scores)) == oracles.highest_maximum_antichain(G)
    assert po.minimum_chain_cover(scores) == po.minimum_chain_cover(G)
    assert list(po.antichains(scores)) == list(po.antichains(G))
    for function in (po.comparability_graph, po.incomparability_graph):
        assert edges_of(function(scores)) == edges_of(function(G))
        ties = dict(function(scores).nodes(data="tie"))
        for u, v in combinations(ties, 2):
            assert (ties[u] == ties[v] is not None) is (scores[u] == scores[v])


def test_large_ones() -> None:
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
    assert po.incomparability_graph(np.arange(n) // 2).number_of_edges() == n // 2
    pairs = nx.DiGraph((i, i + 1) for i in range(0, n, 2))
    assert po.comparability_graph(pairs).number_of_edges() == n // 2
    two_levels = np.repeat([2, 1], 50_000)
    with pytest.raises(po.PorankError, match="edges to write, found 2,500,000,000"):
        po.comparability_graph(two_levels)
    with pytest.raises(po.PorankError, match="found 2,499,950,000"):
        po.incomparability_graph(two_levels)


def edges_of(G: nx.Graph) -> set[frozenset[Any]]:
    return {frozenset(edge) for edge in G.edges}


@on_orders()
def test_who_is_comparable(G: nx.DiGraph) -> None:
    said, row = oracles.closure(G.edges), unordered_rows(compile_order(G))
    joined, apart = po.comparability_graph(G), po.incomparability_graph(G)
    assert list(joined) == list(apart) == list(G)
    assert edges_of(joined) == {frozenset(pair) for pair in said}
    assert edges_of(apart) == {
        frozenset(pair) for pair in combinations(G, 2) if oracles.are_unordered(said, *pair)
    }
    assert type(joined) is type(apart) is nx.Graph
    for (i, u), (j, v) in product(enumerate(G), repeat=2):
        assert row(i) >> j & 1 == oracles.are_unordered(said, u, v)
    for H, largest in ((joined, po.height(G)), (apart, oracles.width(G))):
        assert max(map(len, nx.find_cliques(H)), default=0) == largest
