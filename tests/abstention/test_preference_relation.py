"""The preference relation: held against its definition, restricted, and made of its parts."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import porank as po
from tests import oracles, oracles_ensemble, oracles_positions
from tests.oracles_aggregation import ensembles
from tests.strategies import item_lists, orders

PR = po.PreferenceRelation


@given(ensembles(), st.sampled_from(["none", "half"]))
def test_degrees_and_cuts_are_those_of_the_definition(
    ensemble: tuple[list[nx.DiGraph], list[int]], ties: str
) -> None:
    graphs, counts = ensemble
    members = [G for G, count in zip(graphs, counts, strict=True) for _ in range(count)]
    P = po.preference_relation(graphs, counts=counts, ties=ties)
    assert po.preference_relation(members, ties=ties) == P
    shares, k = oracles_ensemble.degrees(members, ties=ties), len(members)
    assert P.degrees() == shares
    for u, v in permutations(P.items, 2):
        for_u, for_v = (oracles_ensemble.wins(members, *pair) for pair in ((u, v), (v, u)))
        assert (P.wins_of(u, v), P.ties_of(u, v)) == (for_u, k - for_u - for_v)
        assert P.evidence(u, v) == (for_u, for_v)
        assert P(u, v) + P(v, u) == 1
    # Only where a pair is open and counts half are there halves.
    has_halves = ties == "half" and any(P.ties_of(u, v) for u, v in combinations(P.items, 2))
    step = 2 * k if has_halves else k
    thresholds = [Fraction(i, step) for i in range(1, step + 1)]
    for alpha in thresholds:
        edges = oracles_ensemble.cut(shares, alpha)
        assert set(P.cut(alpha).edges) == set(P.cut(float(alpha)).edges) == edges
        assert (P.find_blocking_cycle(alpha) is not None) == oracles_ensemble.has_cycle(edges)
    assert po.minimal_threshold(P) == oracles_ensemble.minimal_threshold(shares, thresholds)
    Q = PR.from_graph(P.to_graph(), reciprocal=ties == "half")
    assert (Q.items, Q.degrees()) == (P.items, P.degrees())


@given(st.integers(1, 9), st.integers(0, 12), st.integers(0, 2**32 - 1))
def test_scores_in_an_array_count_like_their_rows(k: int, n: int, seed: int) -> None:
    scores = np.random.default_rng(seed).integers(0, 5, size=(k, n))
    P = po.preference_relation(scores, counts=[200] * k)
    assert po.preference_relation(scores.tolist(), counts=[200] * k) == P
    assert_array_equal(P.wins, 200 * (scores[:, :, None] > scores[:, None, :]).sum(axis=0))


def test_degrees_by_hand_need_not_be_reciprocal_if_said_so() -> None:
    degrees = [[0, Fraction(1, 2), 0], [Fraction(1, 3), 0, 0.1], [0, 0, 0]]
    P = PR.from_degrees(degrees, "abc", reciprocal=False)
    assert P.degree("b", "a") == Fraction(1, 3)
    assert po.minimal_threshold(P) == Fraction(1, 2)
    assert P("a", "b") == Fraction(7, 12)


def test_a_relation_is_a_prior() -> None:
    target, silent = po.from_ranking("abc"), po.from_pairs([], items="abc")
    P = po.preference_relation([target, target, po.from_ranking("cba")])
    by_function = po.edrc(target, silent, prior=lambda u, v: Fraction(2 if u < v else 1, 3))
    assert po.edrc(target, silent, prior=P) == by_function > 0


@given(st.data())
def test_restriction_is_the_relation_made_of_these_items(data: st.DataObject) -> None:
    items = data.draw(item_lists(max_items=5))
    kept = [item for item in items if data.draw(st.booleans())]
    three = st.lists(st.integers(0, 3), min_size=3, max_size=3)
    scores = {item: data.draw(three) for item in items}
    ninths = {pair: data.draw(st.integers(0, 9)) / 9 for pair in combinations(items, 2)}

    def of_members(some: list[Any], **options: Any) -> po.PreferenceRelation:
        rows = [{item: scores[item][row] for item in some} for row in range(3)]
        return po.preference_relation(rows, counts=[3, 1, 2], **options)

    for make in (
        of_members,
        lambda some: of_members(some, ties="half"),
        lambda some: PR.from_degrees({p: d for p, d in ninths.items() if {*p} <= {*some}}, some),
        lambda some: PR.from_strengths({item: 1 + scores[item][0] for item in some}),
    ):
        found, expected = make(items).restrict(data.draw(st.permutations(kept))), make(kept)
        assert found == expected
        assert found.degrees() == expected.degrees()
        assert po.abstention_curve(found).points == po.abstention_curve(expected).points


def test_restriction_keeps_the_sequence_and_each_item_once() -> None:
    P = po.preference_relation([po.from_ranking("abc"), po.from_ranking("bac")])
    assert P.restrict("cac").items == ("a", "c")
    assert P.restrict("cb").to_table().rows == (("b", "", "1"), ("c", "0", ""))


def test_items_that_print_alike_show_their_type() -> None:
    table = po.preference_relation([po.from_ranking([1, "1", "a"])]).to_table()
    assert table.columns == ("P", "1", "'1'", "a")
    assert [row[0] for row in table.rows] == ["1", "'1'", "a"]


def test_parts_are_kept_as_they_are_given_and_nobody_can_change_them() -> None:
    wins = np.array([[0, 2], [1, 0]])
    P = PR(("a", "b"), wins, 3, 3, wins)
    assert po.preference_relation([{"a": 2, "b": 1}] * 2 + [{"a": 1, "b": 2}]) == P
    assert PR(("a", "b"), wins, 3, 3) != P
    assert PR(("a", "b"), wins, 3, values=[0, 0.25, 0.75, 1]) != P
    # With a unit twice the members ties count half.
    assert PR(("a", "b"), 2 * wins, 6, 3, wins).wins_of("a", "b") == 2
    quarters = PR(("a", "b"), wins, 3, values=[0, 0.25, 0.75, 1])
    assert (quarters.degree("a", "b"), quarters.wins) == (Fraction(3, 4), None)
    in_lists: Any = ["a", "b"], wins.tolist(), 3
    assert PR(*in_lists) == PR(("a", "b"), wins, 3)
    wins[0, 1] = 0
    assert P.degree("a", "b") == Fraction(2, 3)
    with pytest.raises(ValueError, match="read-only"):
        P.strength[0, 1] = 5
    assert PR((), np.zeros((0, 0), dtype=int), 1).degrees() == {}


@pytest.mark.parametrize("total", [2**7, 2**15, 2**31, 10**12])
def test_halves_of_many_members_do_not_overflow(total: int) -> None:
    P = po.preference_relation([[3, 2, 1], [2, 2, 1]], counts=[total - 1, 1], ties="half")
    assert P.degree(0, 1) == Fraction(2 * total - 1, 2 * total)
    assert P.degree(1, 0) == Fraction(1, 2 * total)
    assert [P.degree(0, 2), P.degree(2, 0)] == [1, 0]


@given(orders(max_items=6))
def test_rank_probabilities_are_degrees(G: nx.DiGraph) -> None:
    """The cut at 1 is the closure, so that every acyclic cut is an order that refines it."""
    for options in ({}, {"exact": True}, {"method": "walk", "seed": 0}):
        P = PR.from_degrees(po.mutual_rank_probabilities(G, **options))
        assert P.items == tuple(G)
        predicted = po.transitive_closure(po.predict_order(P))
        assert oracles.closure(G.edges) <= set(predicted.edges)
        if "method" not in options:
            assert P.degrees() == oracles_positions.mutual_rank_probabilities(G)
            assert set(P.cut(1).edges) == oracles.closure(G.edges)


def test_rank_probabilities_in_another_sequence() -> None:
    found = po.mutual_rank_probabilities(po.parse("a > c; b > c; b > d"))
    P = PR.from_degrees(found, items="dcba")
    assert P.items == tuple("dcba")
    assert P.degrees() == PR.from_degrees(found).degrees()
