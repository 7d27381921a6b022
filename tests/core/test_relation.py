"""The engine against the definitions: layers, closure and reduction by each route; arrays."""

import tracemalloc
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from porank.core import relation as sparse
from porank.core.arrays import distinct, grouped, lists_of_rows, longest_path_levels, stable_order
from porank.core.graphs import read_edges
from porank.core.relation import Relation, relate, relate_levels, relate_matrix, rows_of, unpacked
from porank.core.scores import levels_of_values
from porank.typing import Numbers
from tests.support import oracles
from tests.support.strategies import on_orders


def by_matrix(levels: Numbers, source: Numbers, target: Numbers) -> Relation:
    return relate_matrix(relate(levels, source, target).matrix())


def sparsely(levels: Numbers, source: Numbers, target: Numbers) -> Relation:
    """Take the sparse route, with the thresholds moved so that small orders take it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sparse, "_PAIRS_AN_ITEM", 10_000)
        patch.setattr(sparse, "_LEAST_ITEMS", 1)
        relation = sparse.relate_sparsely(levels, source, target)
    assert (relation is None) == (levels.size == 0)
    return relation or relate(levels, source, target)


def related(G: nx.DiGraph) -> list[Relation]:
    """Return the relation of an order by each route."""
    source, target = read_edges(G)
    levels = longest_path_levels(len(G), source, target)
    assert levels is not None
    return [route(levels, source, target) for route in (relate, by_matrix, sparsely)]


def pairs_of(rows: Any, items: list[Any]) -> oracles.Pairs:
    return {(items[i], items[j]) for i, row in enumerate(rows) for j in row}


def assert_as_defined(G: nx.DiGraph, relation: Relation) -> None:
    """Hold everything a relation offers against the definitions, and its invariants too."""
    items, n = list(G), len(G)
    closed, reduced = oracles.closure(G.edges), oracles.reduction(G.edges)
    assert pairs_of(relation.closed_rows(), items) == closed
    assert pairs_of(relation.reduced_rows(), items) == reduced
    assert relation.pairs == len(closed)
    assert sorted(relation.item_at.tolist()) == list(range(n))
    assert relation.place[relation.item_at].tolist() == list(range(n))
    assert all(row == sorted(row) for row in relation.closed_rows())
    assert relation.count_covers() == len(reduced)
    ends = zip(*(side.tolist() for side in relation.cover_edges()), strict=True)
    assert {(items[i], items[j]) for i, j in ends} == reduced
    matrix = relation.matrix()
    assert np.array_equal(unpacked(rows_of(matrix), n), matrix)
    for p, q in np.ndindex(n, n):
        i, j = int(relation.item_at[p]), int(relation.item_at[q])
        is_above = (items[i], items[j]) in closed
        assert relation.below[p] >> q & 1 == relation.above[q] >> p & 1 == is_above
        assert matrix[i, j] == is_above
    assert all(covered == sorted(covered, reverse=True) for covered in relation.covers)
    assert all(row.bit_length() <= p for p, row in enumerate(relation.below))


@on_orders()
def test_each_route_by_definition(G: nx.DiGraph) -> None:
    for relation in related(G):
        assert_as_defined(G, relation)


@given(st.lists(st.integers(0, 4), max_size=9))
def test_layers_as_a_weak_order(raw: list[int]) -> None:
    levels = np.unique(np.array(raw, dtype=np.int64), return_inverse=True)[1].astype(np.int64)
    assert_as_defined(
        oracles.graph_of({i: -level for i, level in enumerate(raw)}), relate_levels(levels)
    )


def test_larger_orders_against_networkx() -> None:
    for n, share in ((200, 0.01), (80, 0.9)):
        rng = np.random.default_rng(n)
        items = rng.permutation(n).tolist()
        G = oracles.graph_on(items, np.argwhere(np.triu(rng.random((n, n)) < share, 1)).tolist())
        closed, reduced = nx.transitive_closure_dag(G), nx.transitive_reduction(G)
        for relation in related(G):
            assert pairs_of(relation.closed_rows(), list(G)) == set(closed.edges)
            assert pairs_of(relation.reduced_rows(), list(G)) == set(reduced.edges)
            assert Relation(relation.item_at, relation.covers).below == relation.below


def test_sparse_relation_of_many_items_is_chosen_and_right() -> None:
    n, rng = 6000, np.random.default_rng(3)
    ends = np.sort(rng.integers(0, n, (n, 2)), axis=1)
    ends = np.unique(ends[ends[:, 0] < ends[:, 1]], axis=0)
    levels = longest_path_levels(n, *ends.T)
    assert levels is not None
    relation, rows = sparse.relate_sparsely(levels, *ends.T), relate(levels, *ends.T)
    assert relation is not None
    assert list(relation.closed_rows()) == list(rows.closed_rows())
    for part in ("covers", "below", "above"):
        assert getattr(relation, part) == getattr(rows, part)


def test_sparse_attempt_is_given_up_when_the_closure_is_not_sparse() -> None:
    # A third of the items above a hub, another third below it: n**2 / 9 pairs.
    n, third = 6000, 2000
    source = np.concatenate((np.arange(third), np.full(third, n - 1)))
    target = np.concatenate((np.full(third, n - 1), np.arange(third, 2 * third)))
    levels = longest_path_levels(n, source, target)
    assert levels is not None
    tracemalloc.start()
    assert sparse.relate_sparsely(levels, source, target) is None
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000, "a few arrays of n numbers, not of n**2 / 9"


RNG = np.random.default_rng(0)
N = 2_000
NORMAL = RNG.normal(size=N)


def test_levels_rank_values_as_numpy_sorts_them() -> None:
    columns: list[NDArray[Any]] = [
        np.round(NORMAL, 2),
        np.where(np.abs(NORMAL) > 1, np.inf * NORMAL, NORMAL),
        np.where(NORMAL < 0, -0.0, 0.0),
        NORMAL.astype(np.longdouble),
        RNG.integers(0, 2**64 - 1, N, dtype=np.uint64),
        RNG.integers(-128, 127, N, dtype=np.int8, endpoint=True),
    ]
    for column in columns:
        for values in (column[:0], column[:1], column[:2], column):
            different = np.unique(values)
            levels = levels_of_values(values)
            assert np.array_equal(different[different.size - 1 - levels], values)


def test_equals_stay_in_sequence() -> None:
    for most in (1, 2**16 - 1, 2**16, 2**21 - 1, 2**21, 2**32 - 1):
        numbers = RNG.choice(RNG.integers(0, most, 50, endpoint=True), N)
        for some in (numbers, numbers[:0], np.array([most, 0, most])):
            assert np.array_equal(stable_order(some), np.argsort(some, kind="stable"))


def test_rows_are_the_numbers_that_stand_in_them() -> None:
    for n in (0, 1, 2, 60):
        rows = np.sort(RNG.integers(0, max(n, 1), 3 * n))
        numbers = RNG.integers(0, 9, rows.size)
        assert lists_of_rows(n, rows, numbers) == [numbers[rows == k].tolist() for k in range(n)]


@given(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(0, 3)))
def test_distinct_integers_are_those_of_numpy(values: list[int]) -> None:
    given_values = np.array(values, dtype=np.int64)
    first, number = distinct(given_values)
    wanted = np.unique(given_values, return_index=True, return_inverse=True)
    assert [first.tolist(), number.tolist()] == [each.tolist() for each in wanted[1:]]


#: Numbers near each other, and far apart.
NUMBERS = st.one_of(st.integers(-3, 5), st.integers(-(2**20), 2**20), st.integers(-(2**62), 2**62))
ROWS = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.tuples(*[NUMBERS] * width), min_size=1, max_size=30)
)


@given(rows=ROWS)
def test_equal_rows_are_grouped_in_a_stable_sort(rows: list[tuple[int, ...]]) -> None:
    order, starts = grouped(*(np.array(column) for column in zip(*rows, strict=True)))
    expected = sorted(range(len(rows)), key=rows.__getitem__)
    assert order.tolist() == expected, "a stable sort"
    found = [rows[place] for place in expected]
    assert starts.tolist() == [k for k in range(len(rows)) if not k or found[k] != found[k - 1]]


def test_grouped_where_the_numbers_get_longer() -> None:
    for width in (2**31 // 4, 2**31 // 4 + 1, 2**61 // 4, 2**61 // 4 + 1):
        order, starts = grouped(np.array([5, 4, 5, 4]), np.array([width, 1, width, 0]))
        assert (order.tolist(), starts.tolist()) == ([3, 1, 0, 2], [0, 1, 2])
