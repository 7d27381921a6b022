"""Members in every form, and how often each of them counts."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.results import Aggregate
from tests.oracles_aggregation import ensembles, members_of, wins

AB, BA = po.from_ranking("ab"), po.from_ranking("ba")
MANY = [{"a": 3, "b": 2, "c": 1}, {"a": 1, "b": 2, "c": 2}, {"a": 0, "b": 5, "c": 1}]


@given(ensembles(), st.data())
def test_a_ballot_says_nothing_of_items_that_it_lacks(
    ensemble: tuple[list[nx.DiGraph], list[int]], data: st.DataObject
) -> None:
    orders, counts = ensemble
    ballots = []
    for G in orders:
        listed = data.draw(st.lists(st.sampled_from([*G]), unique=True)) if len(G) else []
        ballots.append(nx.transitive_closure_dag(G).subgraph(listed).copy())
    profile = po.Profile(ballots, counts, list(orders[0]))
    P, members = po.preference_relation(profile), members_of(ballots, counts)
    assert (P.items, P.n_members) == (tuple(orders[0]), sum(counts))
    for u, v in permutations(P.items, 2):
        assert P.wins_of(u, v) == wins(members, u, v)
    # The others find what they find of orders that leave these pairs open.
    opened = [
        nx.compose(nx.create_empty_copy(G), ballot)
        for G, ballot in zip(orders, ballots, strict=True)
    ]
    for method in (po.borda, po.copeland, po.kemeny, po.local_search, po.consensus_order):
        assert method(profile).cost == method(opened, counts=counts).cost
    majorities = po.majority_graph(profile), po.majority_graph(opened, counts=counts)
    assert dict(majorities[0].edges) == dict(majorities[1].edges)


@pytest.mark.parametrize(
    "method",
    [
        po.preference_relation,
        po.borda,
        po.copeland,
        po.kemeny,
        po.footrule_optimal,
        po.best_input,
        po.local_search,
        lambda orders, **options: po.kwiksort(orders, seed=0, **options),
        lambda orders, **options: po.consensus_order(orders, abstention_cost=0.4, **options),
    ],
)
def test_the_columns_of_a_frame_are_the_items(method: Callable[..., Any]) -> None:
    frame = pd.DataFrame(MANY, index=["x", "y", "z"])
    turned = frame[["c", "a", "b"]].astype(float)
    members = [{item: member[item] for item in "cab"} for member in MANY]
    assert method(turned, counts=[1, 2, 3]) == method(members, counts=[1, 2, 3])


@pytest.mark.parametrize(
    "counts", [(5, 1, 0), np.array([5, 1, 0]), pd.Series([5, 1, 0]), iter([5, 1, 0])]
)
def test_counts_are_a_sequence(counts: Any) -> None:
    P = po.preference_relation([AB, BA, BA], counts=counts)
    assert (P.wins_of("a", "b"), P.n_members) == (5, 6)


def test_aggregates_are_compared_by_what_they_say() -> None:
    votes = [AB, AB, BA]
    assert po.borda(votes) == po.borda(votes[::-1]) != po.borda([AB, BA, BA])
    assert len({po.kemeny(votes), po.kemeny(votes)}) == 1
    tied, silent = po.parse("a ~ b"), po.parse("a; b")
    assert Aggregate(tied, 1) != Aggregate(silent, 1)
    assert Aggregate(AB, 1) != Aggregate(AB, 1, gap=0)
    assert Aggregate(AB, 1) != AB
