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
from porank.abstention import transitive
from porank.aggregation import kemeny as module
from porank.aggregation.costs import Aggregate
from porank.aggregation.kemeny import _arranged_by_program
from porank.core.graphs import in_order
from tests.oracles_aggregation import (
    cost,
    ensembles,
    least_total,
    members_of,
    proven,
    ranked,
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
    costs = [cost(items, members, ranked(line)) for line in permutations(items)]
    found = by(method, orders, counts=counts)
    assert (found.cost, found.gap) == (min(costs), 0)
    assert found.is_unique is (costs.count(min(costs)) == 1)
    assert cost(items, members, said(found.order)) == min(costs)
    assert po.is_total_order(found.order)
    if method == "subsets":
        # Of the best orders the first, item by item from the top.
        assert list(found.order) == least_total(items, members)[1]


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

    least, first = least_total(items, members_of(orders, counts), weigh)
    found = by(method, orders, counts=counts, weights=weights, dissimilarity=unlike)
    assert (found.cost, found.gap, type(found.cost)) == (least, 0, float)
    assert list(found.order) == first or method == "program"


def test_where_it_is_unknown_whether_the_order_is_the_only_one() -> None:
    votes = [po.random_ranking(12, seed=seed) for seed in range(5)]
    assert by("program", votes, seconds=0).is_unique is None
    assert po.kemeny(AROUND, weights=dict.fromkeys("abc", 2)).is_unique is None
    assert po.borda(AROUND).is_unique is None


def test_components_are_woven_to_the_first_order() -> None:
    # Two components, {a, d, e} and {b, c, f}, with a draw of each item of one against each of the
    # other.
    components = [("ade", "bcf"), ("dea", "cfb"), ("ead", "fbc")]
    orders = [po.from_ranking((*one, *other)) for one, other in components]
    orders += [po.from_ranking((*other, *one)) for one, other in components]
    found = po.kemeny(orders)
    least, first = least_total("abcdef", members_of(orders))
    assert (found.cost, list(found.order)) == (least, first) == (43, list("abcdef"))
    # A component begins with its first item by key, not by insertion.
    lines = [[10, "b", ("a", 1)], ["b", ("a", 1), 10], [("a", 1), 10, "b"]]
    for sequence in permutations(map(po.from_ranking, lines)):
        assert list(po.kemeny(sequence).order) == lines[0]


@pytest.mark.parametrize("seed", range(4))
def test_both_methods_find_the_same_cost(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores, weights = rng.integers(0, 6, size=(5, 11)), rng.random(11)
    subsets, program = (by(method, scores) for method in ("subsets", "program"))
    assert (subsets.cost, subsets.gap) == (program.cost, program.gap)
    assert program.gap == 0
    assert program.is_unique is subsets.is_unique is not None
    # Weights of many digits are proven up to rounding.
    subsets, program = (by(method, scores, weights=weights) for method in ("subsets", "program"))
    assert program.cost == pytest.approx(subsets.cost, rel=1e-12)
    assert program.gap == 0
    stopped = by("program", scores, weights=weights, seconds=0)
    assert proven(stopped) <= subsets.cost * (1 + 1e-12)


def test_the_integer_program_is_needed_and_right() -> None:
    # Three items against three others, i above 3 + i and below the rest: of the nine pairs an order
    # decides at most seven so, the linear relaxation 7 1/2.
    fence = np.zeros((6, 6), dtype=np.int64)
    fence[:3, 3:] = 2 * np.eye(3, dtype=np.int64) - 1
    margin = fence - fence.T
    arrangement, gap = _arranged_by_program(margin, math.inf)
    lines = [*permutations(range(6)), arrangement]
    costs = [sum(max(margin[j, i], 0) for i, j in combinations(line, 2)) for line in lines]
    assert (costs.pop(), gap) == (min(costs), 0)
    # Of floats no bound is rounded up, so that only the integer program proves it.
    assert _arranged_by_program(margin / 3, math.inf) == (arrangement, 0)


def test_bounds_are_bounds_and_stopping_states_the_gap() -> None:
    orders = [po.random_ranking(12, seed=seed) for seed in range(5)]
    stopped, members = by("program", orders, seconds=0), members_of(orders)
    pairs = combinations(range(12), 2)
    assert proven(stopped) == sum(min(wins(members, *p), 5 - wins(members, *p)) for p in pairs)
    assert proven(stopped) < po.kemeny(orders).cost <= stopped.cost
    by_measure = sum(po.partial_kendall_distance(G, stopped.order) for G in orders)
    assert stopped.cost == by_measure


def test_many_items_need_no_component() -> None:
    found = po.kemeny(po.mallows(list(range(300)), 25, dispersion=0.2, seed=0))
    assert (list(found.order), found.gap) == (list(range(300)), 0)


def test_without_scipy_small_components_are_arranged(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_module: str, _extra: str) -> Any:
        raise po.PorankError("expected scipy to be installed")

    monkeypatch.setattr(transitive, "load", missing)
    # Four components of four items each.
    groups = ("abcd", "efgh", "ijkl", "mnop")
    lines = ["".join(group[s:] + group[:s] for group in groups) for s in range(3)]
    assert po.kemeny([po.from_ranking(line) for line in lines]).gap == 0
    large = [po.from_ranking([*range(s, 18), *range(s)]) for s in range(18)]
    with pytest.raises(po.PorankError, match="expected scipy to be installed"):
        po.kemeny(large)


def test_an_interruption_ends_the_time_that_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    solve = transitive._solve

    def interrupted(*given: Any) -> Any:
        solve(*given)
        raise KeyboardInterrupt

    monkeypatch.setattr(transitive, "_solve", interrupted)
    votes = [po.random_ranking(30, seed=seed) for seed in range(9)]
    assert proven(by("program", votes, seconds=60)) <= po.local_search(votes).cost
    with pytest.raises(KeyboardInterrupt):
        by("program", votes)


@pytest.mark.parametrize("seconds", [-1, "1", True, math.nan])
def test_seconds_are_a_number_from_0_on(seconds: Any) -> None:
    with pytest.raises(po.PorankError, match="expected a number of seconds from 0 on"):
        po.kemeny(AROUND, seconds=seconds)
