"""Sorting by pivots: what it expects to cost, and that a seed settles it."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, permutations
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

import porank as po
from tests.oracles_aggregation import (
    cost,
    ensembles,
    expected_pivot_cost,
    least_total,
    members_of,
    proven,
    said,
    wins,
)

Ensemble = tuple[list[nx.DiGraph], list[int]]


@settings(max_examples=25)
@given(ensembles(kind="partial", max_items=6))
def test_costs_are_those_of_a_total_order(ensemble: Ensemble) -> None:
    orders, counts = ensemble
    items, members = list(orders[0]), members_of(orders, counts)
    found = po.kwiksort(orders, counts=counts, seed=1)
    assert po.is_total_order(found.order)
    assert found.cost == cost(items, members, said(found.order))
    assert proven(found) <= least_total(items[:4], members)[0] or len(items) > 4


@settings(max_examples=25)
@given(ensembles(kind="partial"))
def test_neighbours_stand_as_the_majority_has_them(ensemble: Ensemble) -> None:
    """Two neighbours were parted by one of the two, since no third lies between them."""
    orders, counts = ensemble
    members = members_of(orders, counts)
    line = list(po.kwiksort(orders, counts=counts, seed=2).order)
    for u, v in pairwise(line):
        assert wins(members, u, v) >= wins(members, v, u)


@settings(max_examples=25)
@given(ensembles(kind="total", max_items=4))
def test_the_expected_cost_is_at_most_twice_the_least(ensemble: Ensemble) -> None:
    orders, counts = ensemble
    items, members = list(orders[0]), members_of(orders, counts)
    assert expected_pivot_cost(items, members) <= 2 * least_total(items, members)[0]


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
