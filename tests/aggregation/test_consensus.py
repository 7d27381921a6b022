"""The order of least cost in a family, against all orders of the family."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import porank as po
from porank.core.graphs import in_order
from tests.oracles import Pairs, strict_orders
from tests.oracles_aggregation import (
    Members,
    cost,
    ensembles,
    members_of,
    proven,
    said,
    verdict,
)

Ensemble = tuple[list[nx.DiGraph], list[int]]


@cache
def weak_orders(n: int) -> list[tuple[int, ...]]:
    """Every weak order of n items, by the level of each."""
    return [
        levels
        for levels in product(range(n), repeat=n)
        if set(levels) == set(range(len(set(levels))))
    ]


@settings(max_examples=10)
@given(ensembles())
def test_no_weak_order_costs_less(ensemble: Ensemble) -> None:
    orders, counts = ensemble
    items, members = list(orders[0]), members_of(orders, counts)
    found = po.consensus_order(orders, family="weak", counts=counts)
    least = min(
        cost(items, members, {(u, v) for u, v in product(items, items) if level[u] < level[v]})
        for levels in weak_orders(len(items))
        for level in [dict(zip(items, levels, strict=True))]
    )
    assert po.is_weak_order(found.order)
    assert (found.cost, found.gap) == (least, 0)
    assert cost(items, members, said(found.order)) == least
    assert found.cost <= po.kemeny(orders, counts=counts).cost


def test_how_many_weak_orders_there_are() -> None:
    assert [len(weak_orders(n)) for n in range(6)] == [1, 1, 3, 13, 75, 541]


@pytest.mark.parametrize("seed", range(3))
def test_members_with_ties_are_better_met_by_ties(seed: int) -> None:
    scores = np.random.default_rng(seed).integers(0, 3, (7, 12))
    weak, total = (po.consensus_order(scores, family=family) for family in ("weak", "total"))
    assert total == po.kemeny(scores)
    assert (weak.gap, total.gap) == (0, 0)
    assert weak.cost < total.cost
    assert weak.cost <= po.local_search(scores).cost
    stopped = po.consensus_order(scores, family="weak", seconds=0)
    assert proven(stopped) <= weak.cost <= stopped.cost


def partial_cost(
    members: Members, order: Pairs, items: list[Any], c: Fraction, ties: str
) -> Fraction:
    """The cost of a partial order: c where it is open, else 1 less what each member agrees."""
    total = Fraction()
    for u, v in combinations(items, 2):
        said_here = verdict(order, u, v)
        for member, count in members:
            agrees = {said_here: Fraction(1), 0: Fraction(ties == "half", 2)}.get(
                verdict(member, u, v), 0
            )
            total += count * (1 - agrees if said_here else c)
    return total


def states(order: nx.DiGraph, items: list[Any]) -> list[int]:
    """Of each pair of items whether the first is above, neither is, or the second."""
    pairs = said(order)
    return [1 - verdict(pairs, u, v) for u, v in combinations(items, 2)]


@settings(max_examples=15)
@given(
    ensembles(max_items=4),
    st.sampled_from(["1/5", "1/3", "1/2", "1"]),
    st.sampled_from(["none", "half"]),
)
def test_all_partial_orders_of_least_cost(ensemble: Ensemble, c: str, ties: str) -> None:
    orders, counts = ensemble
    items, members = in_order(orders[0]), members_of(orders, counts)
    all_of_them = [nx.relabel_nodes(G, dict(enumerate(items))) for G in strict_orders(len(items))]
    costs = [partial_cost(members, said(G), items, Fraction(c), ties) for G in all_of_them]
    options: dict[str, Any] = {"abstention_cost": Fraction(c), "counts": counts, "ties": ties}
    found = po.consensus_order(orders, **options).optima(limit=1000)
    best = [G for G, each in zip(all_of_them, costs, strict=True) if each == min(costs)]
    assert [states(G, items) for G in found] == sorted(states(G, items) for G in best)
    assert po.consensus_order(orders, **options).cost == min(costs)
    assert [states(G, items) for G in po.consensus_order(orders, **options).optima(limit=2)] == [
        states(G, items) for G in found[:2]
    ]


@settings(max_examples=10)
@given(ensembles(max_items=4), st.sampled_from(["weak", "total"]))
def test_all_weak_and_total_orders_of_least_cost(ensemble: Ensemble, family: str) -> None:
    orders, counts = ensemble
    items, members = in_order(orders[0]), members_of(orders, counts)
    costs: dict[tuple[int, ...], Any] = {}
    for levels in weak_orders(len(items)):
        if family == "weak" or len(set(levels)) == len(items):
            level = dict(zip(items, levels, strict=True))
            pairs = {(u, v) for u, v in permutations(items, 2) if level[u] < level[v]}
            costs[levels] = cost(items, members, pairs)
    best = [
        po.from_ranks(dict(zip(items, levels, strict=True)))
        for levels in costs
        if costs[levels] == min(costs.values())
    ]
    aggregate = po.consensus_order(orders, family=family, counts=counts)
    found = aggregate.optima(limit=1000)
    assert aggregate.is_unique is (len(best) == 1)
    assert [states(G, items) for G in found] == sorted(states(G, items) for G in best)
    assert all(map(po.is_weak_order, found))


@pytest.mark.slow
def test_all_orders_of_five_items_of_least_cost() -> None:
    votes = [po.random_ranking(5, seed=seed) for seed in (8, 9, 10, 11)]
    members, items = members_of(votes), list(range(5))
    costs = {
        tuple(states(G, items)): partial_cost(members, said(G), items, Fraction(1, 2), "none")
        for G in po.all_orders(5)
    }
    best = sorted(list(each) for each in costs if costs[each] == min(costs.values()))
    assert [states(G, items) for G in po.consensus_order(votes).optima(limit=1000)] == best
    costs = {
        tuple(states(G, items)): cost(items, members, said(G))
        for G in map(po.from_ranks, weak_orders(5))
    }
    best = sorted(list(each) for each in costs if costs[each] == min(costs.values()))
    found = po.consensus_order(votes, family="weak").optima(limit=1000)
    assert [states(G, items) for G in found] == best


def test_all_optima_are_refused_where_they_cannot_be_known() -> None:
    votes = [po.random_ranking(30, seed=seed) for seed in range(9)]
    with pytest.raises(po.PorankError, match="found the search stopped"):
        po.consensus_order(votes, seconds=0).optima()
    with pytest.raises(po.PorankError, match="kemeny and consensus_order look for them"):
        po.borda(votes).optima()
    with pytest.raises(po.PorankError, match="as limit"):
        po.borda(votes).optima(limit=0)


def relations_of(n: int, k: int, seed: int) -> list[nx.DiGraph]:
    """Random relations, most of them neither transitive nor complete, some without some items."""
    rng = np.random.default_rng(seed)
    relations = []
    for _ in range(k):
        items = np.flatnonzero(rng.random(n) < 0.9).tolist()
        G = nx.DiGraph([(u, v) for u, v in product(items, items) if rng.random() < 0.5])
        G.add_nodes_from(items)
        relations.append(G)
    relations[0].add_nodes_from(range(n))
    return relations


def pairs_of_levels(levels: tuple[int, ...]) -> set[tuple[int, int]]:
    """The pairs of a weak order, in which tied items stand both ways."""
    numbers = range(len(levels))
    return {(u, v) for u, v in product(numbers, numbers) if u != v and levels[u] <= levels[v]}


@pytest.mark.parametrize("seed", range(6))
def test_no_order_is_nearer_to_relations_by_the_symmetric_difference(seed: int) -> None:
    n, counts = 4, [1, 2, 0, 3, 1]
    relations = relations_of(n, len(counts), seed)
    held = [{(u, v) for u, v in G.edges if u != v} for G in relations]

    def cost_of(pairs: set[tuple[int, int]]) -> int:
        return sum(count * len(each ^ pairs) for each, count in zip(held, counts, strict=True))

    found = {
        family: po.consensus_order(
            relations, family=family, counts=counts, distance="symmetric_difference"
        )
        for family in ("total", "weak", "partial")
    }
    weak = [pairs_of_levels(levels) for levels in weak_orders(n)]
    orders = {
        "total": [pairs for pairs in weak if len(pairs) == n * (n - 1) // 2],
        "weak": weak,
        "partial": [set(G.edges) for G in strict_orders(n)],
    }
    for family, aggregate in found.items():
        optima = aggregate.optima(limit=1000)
        costs = list(map(cost_of, orders[family]))
        assert len(optima) == len({*map(frozenset, map(said, optima))}) == costs.count(min(costs))
        if family != "weak":
            assert all(cost_of(said(G)) == min(costs) for G in optima)
        said_here = said(aggregate.order)
        if family == "weak":
            level = po.set_ranks(aggregate.order)
            said_here = {(u, v) for u in level for v in level if u != v and level[u] <= level[v]}
        assert (aggregate.cost, aggregate.gap) == (min(map(cost_of, orders[family])), 0)
        assert cost_of(said_here) == aggregate.cost


def test_a_relation_is_a_graph() -> None:
    with pytest.raises(po.GraphTypeError, match="member 2"):
        po.consensus_order([nx.DiGraph(["ab"]), {"a": 1}], distance="symmetric_difference")
    with pytest.raises(po.PorankError, match=r"abstention_cost with distance="):
        po.consensus_order(
            [nx.DiGraph(["ab"])], abstention_cost=0.3, distance="symmetric_difference"
        )


def test_a_total_consensus_abstains_from_nothing() -> None:
    votes: list[Any] = [po.from_ranking("ab"), po.from_ranking("ba")]
    for family in ("weak", "total"):
        with pytest.raises(po.PorankError, match=f"no abstention_cost with family='{family}'"):
            po.consensus_order(votes, family=family, abstention_cost=0.3)
    with pytest.raises(po.PorankError, match="expected family to be one of 'partial', 'weak'"):
        po.consensus_order(votes, family="bucket")
    with pytest.raises(po.PorankError, match="at most 1,000,000,000,000 as count"):
        po.consensus_order(votes, family="weak", counts=[10**400, 1])
    assert po.consensus_order(iter(votes), family="weak").cost == 1
    assert po.consensus_order(votes) == po.consensus_order(votes, abstention_cost=0.5)
    assert po.format_order(po.consensus_order(votes, family="weak").order) == "a ~ b"
