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
METHODS: list[Callable[..., Any]] = [
    po.preference_relation,
    po.borda,
    po.copeland,
    po.kemeny,
    po.footrule_optimal,
    po.best_input,
    po.local_search,
    lambda orders, **options: po.kwiksort(orders, seed=0, **options),
    lambda orders, **options: po.consensus_order(orders, abstention_cost=0.4, **options),
]


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
    assert dict(po.majority_graph(profile).edges) == dict(
        po.majority_graph(opened, counts=counts).edges
    )


def test_methods_that_need_all_positions_name_a_way() -> None:
    profile = po.Profile([po.from_ranking("abc"), po.from_ranking("ab")])
    large = po.Profile([np.arange(2001), {0: 1}])
    refused = [(po.footrule_optimal, profile), (po.best_input, profile), (po.borda, large)]
    for method, ballots in refused:
        with pytest.raises(po.ItemMismatchError, match=r"Profile\(orders\)\.completed\(\)"):
            method(ballots)
    with pytest.raises(po.ItemMismatchError, match=r"Profile\(orders\) leaves it open"):
        po.kemeny([po.from_ranking("abc"), po.from_ranking("ab")])


@pytest.mark.parametrize("method", METHODS)
def test_the_columns_of_a_frame_are_the_items(method: Callable[..., Any]) -> None:
    frame = pd.DataFrame(MANY, index=["x", "y", "z"])
    assert method(frame) == method(MANY)
    assert method(frame, counts=[1, 2, 3]) == method(MANY, counts=[1, 2, 3])
    assert method(frame[["c", "a", "b"]].astype(float)) == method(
        [{item: member[item] for item in "cab"} for member in MANY]
    )


def test_scores_in_a_frame_are_exact_and_checked() -> None:
    large = pd.DataFrame({"a": [2**60 + 1], "b": [2**60], "c": [0.5]})
    assert po.preference_relation(large).degree("a", "b") == 1
    assert set(po.preference_relation(large).items) == {"a", "b", "c"}
    with pytest.raises(po.PorankError, match="found nan for 'b' in member 2"):
        po.preference_relation(pd.DataFrame({"a": [1, 2], "b": [1, np.nan]}))
    with pytest.raises(po.PorankError, match="each item once in the columns, found again: 'a'"):
        po.preference_relation(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    with pytest.raises(po.PorankError, match="at least one order, found none"):
        po.preference_relation(pd.DataFrame({"a": [], "b": []}))


@pytest.mark.parametrize(
    "counts", [[5, 1], (5, 1), np.array([5, 1]), pd.Series([5, 1], index=[7, 8]), iter([5, 1])]
)
def test_counts_are_a_sequence(counts: Any) -> None:
    assert po.preference_relation([AB, BA], counts=counts).wins_of("a", "b") == 5


@pytest.mark.parametrize(
    "counts", [{5: 0, 1: 1}, {5, 1}, 3, 2.5, "51", b"51", pd.DataFrame({5: [1], 1: [2]})]
)
def test_counts_of_another_kind_are_refused(counts: Any) -> None:
    # The keys of a mapping and the columns of a frame were taken for counts.
    with pytest.raises(po.PorankError, match="a sequence of counts, one for each order, found"):
        po.preference_relation([AB, BA], counts=counts)


@pytest.mark.parametrize(
    "method",
    [po.preference_relation, po.majority_graph, po.copeland, po.kemeny, po.footrule_optimal],
)
def test_pairs_that_no_memory_holds_are_refused_early(method: Callable[..., Any]) -> None:
    with pytest.raises(po.PorankError, match="at most 8 GB for all pairs of 200,000 items"):
        method([np.arange(200_000)])


@pytest.mark.parametrize("method", [po.preference_relation, po.consensus_order])
def test_room_is_asked_for_all_matrices_of_pairs_before_one_is_filled(
    method: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("porank.abstention.votes.count_wins", None)
    with pytest.raises(po.PorankError, match="at most 8 GB for all pairs of 60,000 items"):
        method([np.arange(60_000), np.arange(60_000)[::-1]])


def test_halves_take_more_room() -> None:
    with pytest.raises(po.PorankError, match="all pairs of 40,000 items, found 9"):
        po.preference_relation([np.arange(40_000) // 2], ties="half")


def test_aggregates_are_compared_by_what_they_say() -> None:
    votes = [AB, AB, BA]
    assert po.borda(votes) == po.borda(votes[::-1]) != po.borda([AB, BA, BA])
    assert len({po.kemeny(votes), po.kemeny(votes)}) == 1
    tied, silent = po.parse("a ~ b"), po.parse("a; b")
    assert Aggregate(tied, 1) != Aggregate(silent, 1)
    assert Aggregate(AB, 1) != Aggregate(AB, 1, gap=0)
    assert Aggregate(AB, 1) != AB
