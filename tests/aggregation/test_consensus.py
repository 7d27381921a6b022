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


def test_how_many_weak_orders_there_are() -> None:
    assert [len(weak_orders(n)) for n in range(6)] == [1, 1, 3, 13, 75, 541]


def partial_cost(members: Members, order: Pairs, items: list[Any], c: Any, ties: str) -> Fraction:
    """The cost of a partial order: c where it is open, else 1 less what each member agrees."""
    total = Fraction()
    for u, v in combinations(items, 2):
        here = verdict(order, u, v)
        for member, count in members:
            agrees = {here: Fraction(1), 0: Fraction(ties == "half", 2)}.get(
                verdict(member, u, v), 0
            )
            total += count * (1 - agrees if here else c)
    return total


def states(order: Pairs, items: list[Any]) -> list[int]:
    """Of each pair of items whether the first is above, neither is, or the second."""
    return [1 - verdict(order, u, v) for u, v in combinations(items, 2)]


@settings(max_examples=25)
@given(
    ensembles(max_items=4),
    st.sampled_from(["partial", "weak", "total"]),
    st.sampled_from([Fraction(c) for c in ("1/5", "1/3", "1/2", "1")]),
    st.sampled_from(["none", "half"]),
)
def test_all_orders_of_least_cost(ensemble: Ensemble, family: str, c: Fraction, ties: str) -> None:
    orders, counts = ensemble
    items, members = in_order(orders[0]), members_of(orders, counts)
    options: dict[str, Any] = {"family": family, "counts": counts}
    if family == "partial":
        options |= {"abstention_cost": c, "ties": ties}
        named = [nx.relabel_nodes(G, dict(enumerate(items))) for G in strict_orders(len(items))]
        pairs = [said(G) for G in named]
        costs = [partial_cost(members, each, items, c, ties) for each in pairs]
    else:
        n = len(items)
        lines = weak_orders(n) if family == "weak" else [*permutations(range(n))]
        level = [dict(zip(items, line, strict=True)) for line in lines]
        pairs = [{(u, v) for u, v in product(items, items) if at[u] < at[v]} for at in level]
        costs = [cost(items, members, each) for each in pairs]
    best = sorted(
        states(each, items) for each, paid in zip(pairs, costs, strict=True) if paid == min(costs)
    )
    found = po.consensus_order(orders, **options)
    optima = [states(said(G), items) for G in found.optima(limit=1000)]
    assert (found.cost, found.gap) == (min(costs), 0)
    assert states(said(found.order), items) in best
    assert optima == best
    assert [states(said(G), items) for G in found.optima(limit=2)] == best[:2]
    assert found.is_unique is (len(best) == 1)


def test_members_with_ties_are_better_met_by_ties() -> None:
    scores = np.random.default_rng(0).integers(0, 3, (7, 12))
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


@pytest.mark.parametrize("seed", range(4))
def test_no_order_is_nearer_to_relations_by_the_symmetric_difference(seed: int) -> None:
    n, counts = 4, [1, 2, 0, 3, 1]
    relations = relations_of(n, len(counts), seed)
    held = [{(u, v) for u, v in G.edges if u != v} for G in relations]

    def at_least(levels: Any) -> frozenset[tuple[int, int]]:
        """The pairs of a weak order, in which tied items stand both ways."""
        return frozenset((u, v) for u, v in permutations(range(n), 2) if levels[u] <= levels[v])

    def cost_of(pairs: frozenset[tuple[int, int]]) -> int:
        return sum(count * len(each ^ pairs) for each, count in zip(held, counts, strict=True))

    families = {
        "total": [at_least(levels) for levels in permutations(range(n))],
        "weak": [at_least(levels) for levels in weak_orders(n)],
        "partial": [frozenset(G.edges) for G in strict_orders(n)],
    }
    for family, orders in families.items():
        options: dict[str, Any] = {"family": family, "distance": "symmetric_difference"}
        found = po.consensus_order(relations, counts=counts, **options)
        least = min(map(cost_of, orders))
        optima = {
            at_least(po.set_ranks(G)) if family == "weak" else frozenset(said(G))
            for G in [found.order, *found.optima(limit=1000)]
        }
        assert (found.cost, found.gap) == (least, 0)
        assert optima == {pairs for pairs in orders if cost_of(pairs) == least}
        assert len(found.optima(limit=1000)) == len(optima)


def test_defaults() -> None:
    votes: list[Any] = [po.from_ranking("ab"), po.from_ranking("ba")]
    assert po.consensus_order(votes) == po.consensus_order(iter(votes), abstention_cost=0.5)
    assert po.format_order(po.consensus_order(votes, family="weak").order) == "a ~ b"


VOTES = [po.from_ranking("ab"), po.from_ranking("ba")]
FAR = {"distance": "symmetric_difference"}


@pytest.mark.parametrize(
    ("orders", "options", "word"),
    [
        (VOTES, {"family": "weak", "abstention_cost": 0.3}, "abstention_cost with family='weak'"),
        (VOTES, {"family": "total", "ties": "half"}, "no ties with family='total'"),
        (VOTES, {"family": "bucket"}, "one of 'partial', 'weak'"),
        (VOTES, {"distance": "footrule"}, "one of 'kendall'"),
        (VOTES, {"abstention_cost": 0.3, **FAR}, "abstention_cost with distance="),
        ([VOTES[0], {"a": 1}], FAR, "member 2"),
        ([], FAR, "at least one relation"),
    ],
)
def test_what_is_refused(orders: Any, options: dict[str, Any], word: str) -> None:
    with pytest.raises(po.PorankError, match=word):
        po.consensus_order(orders, **options)


def test_all_optima_are_refused_where_they_cannot_be_known() -> None:
    votes = [po.random_ranking(30, seed=seed) for seed in range(9)]
    with pytest.raises(po.PorankError, match="found the search stopped"):
        po.consensus_order(votes, seconds=0).optima()
    with pytest.raises(po.PorankError, match="kemeny and consensus_order look for them"):
        po.borda(votes).optima()
    with pytest.raises(po.PorankError, match="as limit"):
        po.borda(votes).optima(limit=0)
