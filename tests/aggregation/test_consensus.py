"""The order of least cost in a family, against all orders of the family."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

import porank as po
from tests.oracles import strict_orders
from tests.oracles_aggregation import cost, ensembles, members_of, proven, said

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
