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
    least_of_all,
    least_total,
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


@given(ensembles())
def test_no_move_helps(ensemble: Ensemble) -> None:
    orders, counts = ensemble
    items, members = list(orders[0]), members_of(orders, counts)
    found = po.local_search(orders, counts=counts)
    assert po.is_weak_order(found.order)
    assert found.cost == cost(items, members, said(found.order))
    for item in items:
        assert found.cost <= min(cost(items, members, other) for other in moved(found.order, item))


@given(ensembles(), st.data())
def test_what_comes_back_never_costs_more(ensemble: Ensemble, data: st.DataObject) -> None:
    orders, counts = ensemble
    items, members = list(orders[0]), members_of(orders, counts)
    start = data.draw(
        st.sampled_from([*orders, *map(po.dual, orders), nx.create_empty_copy(orders[0])])
    )
    before = cost(items, members, closure(start.edges))
    found = po.local_search(orders, start, counts=counts)
    assert found.cost == cost(items, members, said(found.order)) <= before
    if found.cost == before and po.is_weak_order(start):
        assert said(found.order) == said(start)


@pytest.mark.parametrize(
    "aggregate", [po.borda, po.copeland, po.best_input, po.kwiksort, po.kemeny]
)
def test_it_polishes_what_others_find(aggregate: Any) -> None:
    options: dict[str, Any] = {"seed": 0} if aggregate is po.kwiksort else {}
    for seed in range(10):
        orders = [po.random_ranking(8, seed=10 * seed + k) for k in range(5)]
        start = aggregate(orders, **options)
        found = po.local_search(orders, start)
        assert found.cost <= start.cost
        if po.is_total_order(start.order):
            assert po.is_total_order(found.order)
        if aggregate is po.kemeny:
            assert said(found.order) == said(start.order)


def test_a_partial_start_comes_back_if_nothing_is_cheaper() -> None:
    start = po.parse("a > b; c > d")
    found = po.local_search([start] * 3, start)
    assert (said(found.order), found.cost, found.gap) == (said(start), 0, 0)
    assert found.order is not start


def test_a_partial_start_comes_back_if_a_weak_order_costs_the_same() -> None:
    start, ranking = po.parse("a > b; c"), po.from_ranking("abc")
    members = [start, ranking]
    assert po.best_input([ranking, start]).cost == Fraction(1)
    assert po.local_search(members, ranking).cost == 1
    found = po.local_search(members, start)
    assert (said(found.order), found.cost) == (said(start), 1)


def test_known_ties_are_kept_and_written() -> None:
    found = po.local_search([po.parse("a > b ~ c")] * 2)
    assert po.format_order(found.order) == "a > b ~ c"


@given(ensembles(max_items=4))
def test_the_gap_holds_for_all_orders(ensemble: Ensemble) -> None:
    orders, counts = ensemble
    number = {item: i for i, item in enumerate(orders[0])}
    members = members_of([nx.relabel_nodes(G, number) for G in orders], counts)
    found = po.local_search(orders, counts=counts)
    assert proven(found) <= least_of_all(members, len(number)) <= found.cost


@given(ensembles(max_items=4), st.booleans())
def test_weights(ensemble: Ensemble, as_floats: bool) -> None:
    orders, counts = ensemble
    items, members = list(orders[0]), members_of(orders, counts)
    weights = {item: Fraction(place, 2) for place, item in enumerate(items)}

    def weigh(u: Any, v: Any) -> Fraction:
        return weights[u] * weights[v]

    given_weights = {i: float(w) for i, w in weights.items()} if as_floats else weights
    found = po.local_search(orders, counts=counts, weights=given_weights)
    for item in items:
        least = min(cost(items, members, other, weigh) for other in moved(found.order, item))
        assert found.cost <= least
    assert found.cost == cost(items, members, said(found.order), weigh)


def test_bad_starts() -> None:
    votes = [po.from_ranking("abc")]
    with pytest.raises(po.CycleError, match="in start"):
        po.local_search(votes, po.parse("a > b > a"))
    with pytest.raises(po.ItemMismatchError, match="only in the members: 'c'; only in start: 'd'"):
        po.local_search(votes, po.parse("a > b > d"))
    with pytest.raises(po.GraphTypeError, match="start"):
        po.local_search(votes, "abc")


def test_scores_may_be_the_start() -> None:
    votes = [po.from_ranking("abc"), po.from_ranking("abc"), po.from_ranking("cab")]
    assert list(po.local_search(votes, {"c": 3, "b": 2, "a": 1}).order) == ["a", "b", "c"]


@given(ensembles(kind="partial", max_items=6))
def test_costs_are_those_of_a_total_order(ensemble: Ensemble) -> None:
    orders, counts = ensemble
    items, members = list(orders[0]), members_of(orders, counts)
    found = po.kwiksort(orders, counts=counts, seed=1)
    assert po.is_total_order(found.order)
    assert found.cost == cost(items, members, said(found.order))
    assert proven(found) <= least_total(items[:4], members)[0] or len(items) > 4


@given(ensembles(kind="partial"))
def test_neighbours_stand_as_the_majority_has_them(ensemble: Ensemble) -> None:
    """Two neighbours were parted by one of the two, since no third lies between them."""
    orders, counts = ensemble
    members = members_of(orders, counts)
    line = list(po.kwiksort(orders, counts=counts, seed=2).order)
    for u, v in pairwise(line):
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
    assert len(found) == 1
    by_generator = po.kwiksort(votes, seed=np.random.default_rng(7))
    assert found == {tuple(by_generator.order)}
    assert len({tuple(po.kwiksort(votes, seed=seed).order) for seed in range(30)}) > 1


def test_weights_change_the_cost_and_not_the_order() -> None:
    votes = [po.from_ranking(vote) for vote in ("abcde", "bdeca", "cdeab")]
    weights = {"a": Fraction(1), "b": Fraction(2), "c": Fraction(1, 2), "d": Fraction(3)}
    weights["e"] = Fraction(5)

    def weigh(u: Any, v: Any) -> Fraction:
        return weights[u] * weights[v]

    for seed in range(5):
        plain, weighted = (
            po.kwiksort(votes, seed=seed),
            po.kwiksort(votes, seed=seed, weights=weights),
        )
        assert list(plain.order) == list(weighted.order)
        assert weighted.cost == cost("abcde", members_of(votes), said(weighted.order), weigh)
    least = sum(
        min(wins(members_of(votes), *pair), 3 - wins(members_of(votes), *pair)) * weigh(*pair)
        for pair in combinations("abcde", 2)
    )
    assert proven(weighted) == least


def test_many_items_are_sorted_without_recursion() -> None:
    line = list(range(1500))
    found = po.kwiksort([[-i for i in line]], seed=0)
    assert list(found.order) == line
    assert found.gap == 0
