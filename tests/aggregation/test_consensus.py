"""The order of least cost in a family, against all orders of the family."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import porank as po
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


def test_a_total_consensus_abstains_from_nothing() -> None:
    votes: list[Any] = [po.from_ranking("ab"), po.from_ranking("ba")]
    for family in ("weak", "total"):
        with pytest.raises(po.PorankError, match=f"no abstention_cost with family='{family}'"):
            po.consensus_order(votes, family=family, abstention_cost=0.3)
    with pytest.raises(po.PorankError, match="expected family to be one of 'partial', 'weak'"):
        po.consensus_order(votes, family="bucket")
    with pytest.raises(po.PorankError, match="sums over all pairs floats can hold"):
        po.consensus_order(votes, family="weak", counts=[10**400, 1])
    assert po.consensus_order(iter(votes), family="weak").cost == 1
    assert po.consensus_order(votes) == po.consensus_order(votes, abstention_cost=0.5)
    assert po.format_order(po.consensus_order(votes, family="weak").order) == "a ~ b"
