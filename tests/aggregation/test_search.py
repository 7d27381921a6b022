"""Local search and pivots: what they promise, and what they cost."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from tests.oracles import Pairs, closure
from tests.oracles_aggregation import (
    cost,
    ensembles,
    expected_pivot_cost,
    members_of,
    proven,
    said,
    wins,
)

Ensemble = tuple[list[nx.DiGraph], list[int]]


def moved(G: nx.DiGraph, item: Any) -> list[Pairs]:
    """All weak orders that arise when one item moves into a level or between two."""
    others = [[i for i in level if i != item] for level in po.levels(G)]
    others = [level for level in others if level]
    within = [[*others[:k], [*others[k], item], *others[k + 1 :]] for k in range(len(others))]
    between = [[*others[:k], [item], *others[k:]] for k in range(len(others) + 1)]
    return [
        {(u, v) for high, low in combinations(levels, 2) for u, v in product(high, low)}
        for levels in within + between
    ]


@given(ensembles(), st.sampled_from([None, float, Fraction]))
def test_no_move_helps(ensemble: Ensemble, kind: Any) -> None:
    orders, counts = ensemble
    items, members = list(orders[0]), members_of(orders, counts)
    weights = {item: Fraction(place, 2) for place, item in enumerate(items)}
    options: dict[str, Any] = {}
    if kind:
        options["weights"] = {item: kind(weight) for item, weight in weights.items()}

    def weigh(u: Any, v: Any) -> Fraction:
        return weights[u] * weights[v] if kind else Fraction(1)

    found = po.local_search(orders, counts=counts, **options)
    assert po.is_weak_order(found.order)
    assert found.cost == cost(items, members, said(found.order), weigh)
    for item in items:
        others = moved(found.order, item)
        assert found.cost <= min(cost(items, members, other, weigh) for other in others)


@given(ensembles(), st.data())
def test_what_comes_back_never_costs_more(ensemble: Ensemble, data: st.DataObject) -> None:
    orders, counts = ensemble
    items, members = list(orders[0]), members_of(orders, counts)
    starts = [*orders, *map(po.dual, orders), nx.create_empty_copy(orders[0])]
    start = data.draw(st.sampled_from(starts))
    before = cost(items, members, closure(start.edges))
    found = po.local_search(orders, start, counts=counts)
    assert found.cost == cost(items, members, said(found.order)) <= before
    if found.cost == before:
        # A partial start comes back, too, if no weak order is cheaper.
        assert said(found.order) == said(start)
    assert found.order is not start


@pytest.mark.parametrize(
    "aggregate", [po.borda, po.copeland, po.best_input, po.kwiksort, po.kemeny]
)
def test_it_polishes_what_others_find(aggregate: Any) -> None:
    options: dict[str, Any] = {"seed": 0} if aggregate is po.kwiksort else {}
    for seed in range(5):
        orders = [po.random_ranking(8, seed=10 * seed + k) for k in range(5)]
        start = aggregate(orders, **options)
        found = po.local_search(orders, start)
        assert found.cost <= start.cost
        assert po.is_total_order(found.order) or not po.is_total_order(start.order)
        assert aggregate is not po.kemeny or said(found.order) == said(start.order)


def test_starts_may_be_scores_and_ties_are_kept() -> None:
    votes = [po.from_ranking(vote) for vote in ("abc", "abc", "cab")]
    assert list(po.local_search(votes, {"c": 3, "b": 2, "a": 1}).order) == ["a", "b", "c"]
    found = po.local_search([po.parse("a > b ~ c")] * 2)
    assert po.format_order(found.order) == "a > b ~ c"


def test_a_partial_start_comes_back_if_nothing_is_cheaper() -> None:
    start, line = po.parse("a > b; c"), po.from_ranking("abc")
    # A weak order costs the same as the start beside the ranking.
    for members, least in (([start] * 3, 0), ([start, line], 1)):
        found = po.local_search(members, start)
        assert (said(found.order), found.cost) == (said(start), least)
    assert po.local_search([start, line], line).cost == 1


@pytest.mark.parametrize(
    ("start", "error", "word"),
    [
        (po.parse("a > b > a"), po.CycleError, "in start"),
        (po.parse("a > b > d"), po.ItemMismatchError, "the members: 'c'; only in start: 'd'"),
        ("abc", po.GraphTypeError, "start"),
    ],
)
def test_bad_starts(start: Any, error: type[Exception], word: str) -> None:
    with pytest.raises(error, match=word):
        po.local_search([po.from_ranking("abc")], start)


@given(ensembles())
def test_neighbours_stand_as_the_majority_has_them(ensemble: Ensemble) -> None:
    """Two neighbours were parted by one of the two, since no third lies between them."""
    orders, counts = ensemble
    members, found = members_of(orders, counts), po.kwiksort(orders, counts=counts, seed=2)
    assert po.is_total_order(found.order)
    for u, v in pairwise(found.order):
        assert wins(members, u, v) >= wins(members, v, u)


def test_the_mean_over_seeds_is_the_expected_cost() -> None:
    votes = [po.from_ranking(vote) for vote in ("abcd", "bdca", "cdab", "dbac")]
    expected = expected_pivot_cost("abcd", members_of(votes))
    costs = [po.kwiksort(votes, seed=seed).cost for seed in range(600)]
    assert len(set(costs)) > 1
    assert np.mean([float(c) for c in costs]) == pytest.approx(float(expected), abs=0.15)


def test_a_seed_settles_the_order() -> None:
    votes = [po.from_ranking(vote) for vote in ("abcdef", "bdfeca", "cdfeab")]
    found = {tuple(po.kwiksort(v, seed=7).order) for v in permutations(votes)}
    found.add(tuple(po.kwiksort(votes, seed=np.random.default_rng(7)).order))
    assert len(found) == 1
    assert len({tuple(po.kwiksort(votes, seed=seed).order) for seed in range(30)}) > 1


def test_weights_change_the_cost_of_pivots_and_not_the_order() -> None:
    votes = [po.from_ranking(vote) for vote in ("abcde", "bdeca", "cdeab")]
    weights = dict(zip("abcde", map(Fraction, ("1", "2", "1/2", "3", "5")), strict=True))
    members = members_of(votes)

    def weigh(u: Any, v: Any) -> Fraction:
        return weights[u] * weights[v]

    for seed in range(5):
        plain, weighted = (po.kwiksort(votes, seed=seed, weights=each) for each in (None, weights))
        assert list(plain.order) == list(weighted.order)
        assert weighted.cost == cost("abcde", members, said(weighted.order), weigh)
    won = {pair: wins(members, *pair) for pair in combinations("abcde", 2)}
    assert proven(weighted) == sum(min(won[p], 3 - won[p]) * weigh(*p) for p in won)


def test_many_items_are_sorted_without_recursion() -> None:
    found = po.kwiksort([-np.arange(1500)], seed=0)
    assert (list(found.order), found.gap) == (list(range(1500)), 0)
