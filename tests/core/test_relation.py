"""The engine against the definitions: layers, closure and reduction by each of its routes."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.core import relation as sparse
from porank.core.arrays import longest_path_levels
from porank.core.graphs import read_edges
from porank.core.relation import Relation, relate, relate_levels, relate_matrix
from porank.typing import Numbers
from tests import oracles
from tests.strategies import orders

Route = "Callable[[Numbers, Numbers, Numbers], Relation]"


def by_matrix(levels: Numbers, source: Numbers, target: Numbers) -> Relation:
    closed = relate(levels, source, target).matrix()
    return relate_matrix(closed)


def sparsely(levels: Numbers, source: Numbers, target: Numbers) -> Relation:
    relation = sparse.relate_sparsely(levels, source, target)
    assert (relation is None) == (levels.size == 0)
    return relation or relate(levels, source, target)


@pytest.fixture(params=["rows", "matrix", "sparse"])
def route(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Numbers, Numbers, Numbers], Relation]:
    """Each way through the engine, with the thresholds moved so that small orders take it."""
    if request.param == "sparse":
        monkeypatch.setattr(sparse, "_PAIRS_AN_ITEM", 10_000)
        monkeypatch.setattr(sparse, "_ITEMS_A_LEVEL", 1e-9)
    routes = {"matrix": by_matrix, "sparse": sparsely}
    return routes.get(request.param, relate)


def related(G: nx.DiGraph, route: Callable[[Numbers, Numbers, Numbers], Relation]) -> Relation:
    source, target = read_edges(G)
    levels = longest_path_levels(len(G), source, target)
    assert levels is not None
    return route(levels, source, target)


def pairs_of(rows: object, items: list[object]) -> oracles.Pairs:
    return {(items[i], items[j]) for i, row in enumerate(rows) for j in row}  # type: ignore[arg-type, var-annotated]


def check(G: nx.DiGraph, relation: Relation) -> None:
    """Hold everything a relation offers against the definitions, and its invariants too."""
    items, n = list(G), len(G)
    closed, reduced = oracles.closure(G.edges), oracles.reduction(G.edges)
    assert pairs_of(relation.closed_rows(), items) == closed
    assert pairs_of(relation.reduced_rows(), items) == reduced
    assert relation.pairs == len(closed)
    assert sorted(relation.item_at.tolist()) == list(range(n))
    assert relation.place[relation.item_at].tolist() == list(range(n))
    assert all(row == sorted(row) for row in relation.closed_rows())
    for p, q in np.ndindex(n, n):
        u, v = items[int(relation.item_at[p])], items[int(relation.item_at[q])]
        assert relation.below[p] >> q & 1 == ((u, v) in closed)
        assert relation.above[q] >> p & 1 == ((u, v) in closed)
        assert relation.matrix()[relation.item_at[p], relation.item_at[q]] == ((u, v) in closed)
    assert all(covered == sorted(covered, reverse=True) for covered in relation.covers)
    assert all(row.bit_length() <= p for p, row in enumerate(relation.below))


@pytest.mark.parametrize("n", range(5))
def test_all_small_orders(n: int, route: Callable[[Numbers, Numbers, Numbers], Relation]) -> None:
    found = list(oracles.strict_orders(n))
    assert len(found) == [1, 1, 3, 19, 219][n]
    for G in found:
        check(G, related(G, route))


@given(orders())
def test_random_orders(G: nx.DiGraph) -> None:
    check(G, related(G, relate))
    check(G, related(G, by_matrix))


@pytest.mark.parametrize(("n", "share"), [(130, 0.01), (200, 0.01), (80, 0.9)])
def test_larger_orders_against_networkx(
    n: int, share: float, route: Callable[[Numbers, Numbers, Numbers], Relation]
) -> None:
    G = random_dag(n, share, seed=n)
    relation = related(G, route)
    assert pairs_of(relation.closed_rows(), list(G)) == set(nx.transitive_closure_dag(G).edges)
    assert pairs_of(relation.reduced_rows(), list(G)) == set(nx.transitive_reduction(G).edges)
    upward = Relation(relation.item_at, relation.covers)
    assert upward.below == relation.below


def random_dag(n: int, share: float, *, seed: int) -> nx.DiGraph:
    rng = np.random.default_rng(seed)
    G = nx.DiGraph()
    G.add_nodes_from(rng.permutation(n).tolist())
    G.add_edges_from(np.argwhere(np.triu(rng.random((n, n)) < share, 1)).tolist())
    return G


def test_sparse_relation_of_many_items_is_chosen_and_right() -> None:
    rng = np.random.default_rng(3)
    n = 6000
    ends = np.sort(rng.integers(0, n, (n, 2)), axis=1)
    ends = np.unique(ends[ends[:, 0] < ends[:, 1]], axis=0)
    levels = longest_path_levels(n, ends[:, 0], ends[:, 1])
    assert levels is not None
    relation = sparse.relate_sparsely(levels, ends[:, 0], ends[:, 1])
    assert relation is not None
    rows = relate(levels, ends[:, 0], ends[:, 1])
    assert list(relation.closed_rows()) == list(rows.closed_rows())
    assert relation.covers == rows.covers
    assert relation.below == rows.below
    assert relation.above == rows.above


def test_sparse_attempt_is_given_up_when_the_closure_is_not_sparse() -> None:
    # Two layers of hubs: 3 n edges at most, n**2 / 9 pairs.
    n = 6000
    third = n // 3
    source = np.concatenate((np.arange(third), np.full(third, n - 1)))
    target = np.concatenate((np.full(third, n - 1), np.arange(third, 2 * third)))
    levels = longest_path_levels(n, source, target)
    assert levels is not None
    tracemalloc.start()
    assert sparse.relate_sparsely(levels, source, target) is None
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000, "a few arrays of n numbers, not of n**2 / 9"


@given(st.lists(st.integers(0, 4), max_size=9))
def test_layers_as_a_weak_order(raw: list[int]) -> None:
    levels = np.unique(np.array(raw, dtype=np.int64), return_inverse=True)[1].astype(np.int64)
    relation = relate_levels(levels)
    G = nx.DiGraph((i, j) for i in range(len(raw)) for j in range(len(raw)) if raw[i] < raw[j])
    H = nx.DiGraph()
    H.add_nodes_from(range(len(raw)))
    H.add_edges_from(G.edges)
    check(H, relation)


@pytest.mark.parametrize("n", range(4))
def test_layers_are_longest_paths(n: int) -> None:
    for G in oracles.digraphs(n):
        levels = longest_path_levels(n, *read_edges(G))
        if oracles.is_acyclic(G):
            assert levels is not None
            assert levels.tolist() == [oracles.rank(G, item) - 1 for item in G]
        else:
            assert levels is None


def test_a_cycle_under_a_deep_chain_is_seen() -> None:
    G = nx.path_graph(1000, create_using=nx.DiGraph)
    G.add_edge(999, 998)
    assert longest_path_levels(len(G), *read_edges(G)) is None
