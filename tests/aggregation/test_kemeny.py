"""Kemeny's order against all total orders."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any
from unittest.mock import patch

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.abstention import transitive as kemeny_program
from porank.aggregation import kemeny as module
from porank.aggregation.costs import Aggregate
from porank.aggregation.kemeny import _arranged_by_program
from porank.core.graphs import in_order, item_key
from tests.oracles_aggregation import (
    cost,
    ensembles,
    least_total,
    members_of,
    proven,
    said,
    wins,
)

Ensemble = tuple[list[nx.DiGraph], list[int]]
METHODS = pytest.mark.parametrize("method", ["subsets", "program"])
AROUND = [po.from_ranking(vote) for vote in ("abc", "bca", "cab")]


def by(method: str, *given: Any, **options: Any) -> Aggregate:
    """Return Kemeny's order with all components arranged by subsets, or by programs."""
    with patch.object(module, "EXACT_ITEMS", 20 if method == "subsets" else 1):
        return po.kemeny(*given, **options)


@METHODS
@given(ensemble=ensembles())
def test_no_total_order_costs_less(method: str, ensemble: Ensemble) -> None:
    orders, counts = ensemble
    items, members = in_order(orders[0]), members_of(orders, counts)
    least, first = least_total(items, members)
    found = by(method, orders, counts=counts)
    assert (found.cost, found.gap) == (least, 0)
    assert cost(items, members, said(found.order)) == least
    assert po.is_total_order(found.order)
    if method == "subsets":
        # Of the best orders the first, item by item from the top.
        assert list(found.order) == first


@METHODS
@given(ensemble=ensembles(max_items=6))
def test_whether_another_order_costs_as_little(method: str, ensemble: Ensemble) -> None:
    orders, counts = ensemble
    items, members = in_order(orders[0]), members_of(orders, counts)
    leads = {(u, v): wins(members, v, u) - wins(members, u, v) for u, v in permutations(items, 2)}
    costs = [sum(leads[pair] for pair in combinations(line, 2)) for line in permutations(items)]
    found = by(method, orders, counts=counts)
    assert found.is_unique is (costs.count(min(costs)) == 1)
    assert po.consensus_order(orders, counts=counts, family="total").is_unique is found.is_unique


def test_where_it_is_unknown_whether_the_order_is_the_only_one() -> None:
    votes = [po.random_ranking(12, seed=seed) for seed in range(5)]
    assert by("program", votes, seconds=0).is_unique is None
    assert po.kemeny(AROUND, weights=dict.fromkeys("abc", 2)).is_unique is None
    assert po.borda(AROUND).is_unique is None


@METHODS
@given(ensemble=ensembles(max_items=4), data=st.data())
def test_weights_and_dissimilarities(method: str, ensemble: Ensemble, data: st.DataObject) -> None:
    orders, counts = ensemble
    items = in_order(orders[0])
    small = st.sampled_from([0.0, 0.25, 1.0, 3.5])
    weights = {item: data.draw(small) for item in items}
    unlike = {pair: data.draw(small) for pair in combinations(items, 2)}

    def weigh(u: Any, v: Any) -> Fraction:
        return Fraction(weights[u] * weights[v] * unlike.get((u, v), unlike.get((v, u), 0)))

    members = members_of(orders, counts)
    least, first = least_total(items, members, weigh)
    found = by(method, orders, counts=counts, weights=weights, dissimilarity=unlike)
    assert (found.cost, found.gap) == (least, 0)
    if method == "subsets":
        assert list(found.order) == first
    assert type(found.cost) is float


def test_components_are_woven_to_the_first_order() -> None:
    # Two components, {a, d, e} and {b, c, f}, with a draw of each item of one against each of the
    # other.
    components = [("ade", "bcf"), ("dea", "cfb"), ("ead", "fbc")]
    lines = [(*one, *other) for one, other in components]
    orders = [po.from_ranking(line) for line in lines]
    orders += [po.from_ranking((*other, *one)) for one, other in components]
    found = po.kemeny(orders)
    least, first = least_total("abcdef", members_of(orders))
    assert (found.cost, list(found.order)) == (least, first) == (43, list("abcdef"))


@pytest.mark.parametrize("seed", range(8))
def test_both_methods_find_the_same_cost(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 6, size=(5, 11))
    by_subsets = by("subsets", scores)
    by_program = by("program", scores)
    assert (by_subsets.cost, by_subsets.gap) == (by_program.cost, by_program.gap)
    assert by_program.gap == 0
    assert by_program.is_unique is by_subsets.is_unique is not None


def test_the_integer_program_is_needed_and_right() -> None:
    # Three items against three others, i above 3 + i and below the rest: of the nine pairs an order
    # decides at most seven so, the linear relaxation 7 1/2.
    fence = np.zeros((6, 6), dtype=np.int64)
    fence[:3, 3:] = 2 * np.eye(3, dtype=np.int64) - 1
    margin = fence - fence.T
    arrangement, gap = _arranged_by_program(margin, math.inf)
    least = min(
        sum(max(margin[j, i], 0) for i, j in combinations(line, 2))
        for line in permutations(range(6))
    )
    found = sum(max(margin[j, i], 0) for i, j in combinations(arrangement, 2))
    assert (found, gap) == (least, 0)
    # Of floats no bound is rounded up, so that only the integer program proves it.
    assert _arranged_by_program(margin / 3, math.inf) == (arrangement, 0)


def test_bounds_are_bounds_and_stopping_states_the_gap() -> None:
    orders = [po.random_ranking(12, seed=seed) for seed in range(5)]
    least = po.kemeny(orders).cost
    stopped = by("program", orders, seconds=0)
    assert stopped.gap is not None
    members = members_of(orders)
    pairs = combinations(range(12), 2)
    assert proven(stopped) == sum(min(wins(members, *p), 5 - wins(members, *p)) for p in pairs)
    assert proven(stopped) < least <= stopped.cost
    by_measure = sum(po.partial_kendall_distance(G, stopped.order) for G in orders)
    assert stopped.cost == by_measure


@pytest.mark.slow
@given(st.integers(3, 6), st.data())
def test_programs_of_any_margins(k: int, data: st.DataObject) -> None:
    leads = st.integers(-4, 4)
    margin = np.zeros((k, k), dtype=np.int64)
    for i, j in combinations(range(k), 2):
        margin[i, j] = data.draw(leads)
    margin[0, 1] = margin[1, 2] = margin[0, 2] = 0
    margin[0, 1], margin[1, 2], margin[0, 2] = 2, 2, -2
    margin -= margin.T
    costs = {
        line: sum(max(int(margin[j, i]), 0) for i, j in combinations(line, 2))
        for line in permutations(range(k))
    }
    for entries in (margin, margin / 4):
        found, gap = _arranged_by_program(entries, math.inf)
        assert costs[tuple(found)] == min(costs.values())
        assert gap == 0


def test_weights_of_many_digits_are_proven_up_to_rounding() -> None:
    rng = np.random.default_rng(5)
    scores, weights = rng.random((7, 14)), rng.random(14)
    by_program = by("program", scores, weights=weights)
    by_subsets = by("subsets", scores, weights=weights)
    assert by_program.cost == pytest.approx(by_subsets.cost, rel=1e-12)
    assert by_program.gap == 0
    stopped = by("program", scores, weights=weights, seconds=0)
    assert proven(stopped) < by_subsets.cost


def test_many_items_need_no_component() -> None:
    orders = po.mallows(list(range(300)), 25, dispersion=0.2, seed=0)
    found = po.kemeny(orders)
    assert list(found.order) == list(range(300))
    assert found.gap == 0


def test_without_scipy_small_components_are_arranged(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_module: str, _extra: str) -> Any:
        raise po.PorankError("expected scipy to be installed")

    monkeypatch.setattr(kemeny_program, "load", missing)
    # Four components of four items each.
    groups = ("abcd", "efgh", "ijkl", "mnop")
    lines = ["".join(group[s:] + group[:s] for group in groups) for s in range(3)]
    assert po.kemeny([po.from_ranking(line) for line in lines]).gap == 0
    with pytest.raises(po.PorankError, match="expected scipy to be installed"):
        by("program", AROUND)
    large = [po.from_ranking([*range(s, 18), *range(s)]) for s in range(18)]
    with pytest.raises(po.PorankError, match="expected scipy to be installed"):
        po.kemeny(large)


def test_bad_arguments() -> None:
    for seconds in (-1, "1", True, float("nan")):
        with pytest.raises(po.PorankError, match="expected a number of seconds from 0 on"):
            po.kemeny(AROUND, seconds=seconds)  # type: ignore[arg-type]


def test_a_component_is_first_by_key_not_by_insertion() -> None:
    lines = [[10, "b", ("a", 1)], ["b", ("a", 1), 10], [("a", 1), 10, "b"]]
    for sequence in permutations(lines):
        best = po.kemeny([po.from_ranking(line) for line in sequence]).order
        assert list(best) == [10, "b", ("a", 1)]
    assert item_key(10) < item_key("b") < item_key(("a", 1))


@pytest.mark.slow
def test_dozens_of_items() -> None:
    orders = po.mallows(list(range(40)), 9, dispersion=0.97, seed=3)
    found = po.kemeny(orders)
    assert found.gap == 0
    assert found.cost == sum(po.kendall_distance(G, found.order) for G in orders)
    for aggregate in (po.borda, po.copeland, po.best_input, po.local_search):
        assert aggregate(orders).cost >= found.cost


def test_an_interruption_ends_the_time_that_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    solve = kemeny_program._solve

    def interrupted(*given: Any) -> Any:
        solve(*given)
        raise KeyboardInterrupt

    monkeypatch.setattr(kemeny_program, "_solve", interrupted)
    votes = [po.random_ranking(30, seed=seed) for seed in range(9)]
    found = by("program", votes, seconds=60)
    assert found.gap is not None
    assert Fraction(found.cost) - Fraction(found.gap or 0) <= po.local_search(votes).cost
    with pytest.raises(KeyboardInterrupt):
        by("program", votes)
