"""The valued relation P, held against its definition, and the least threshold, tried out."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import porank as po
from porank.abstention.thresholds import has_cycle, largest_two_way_strength
from tests import oracles_ensemble as oracles
from tests.strategies import item_lists


@st.composite
def ensembles(draw: st.DrawFn) -> list[nx.DiGraph]:
    """Members of all kinds over the same items, each in a sequence of its own."""
    items = draw(item_lists(max_items=5))
    members = []
    for _ in range(draw(st.integers(1, 6))):
        sequence = draw(st.permutations(items))
        pairs = [(u, v) for i, u in enumerate(sequence) for v in sequence[i + 1 :]]
        member = nx.DiGraph()
        member.add_nodes_from(sequence)
        kept = draw(st.sampled_from(["all", "some"]))
        member.add_edges_from(pair for pair in pairs if kept == "all" or draw(st.booleans()))
        members.append(member)
    return members


def grid(members: list[Any], ties: str) -> list[Fraction]:
    """The thresholds that may be the least one."""
    n, k = len(members[0]), len(members)
    leaves_open = any(
        not oracles.wins([member], u, v) and not oracles.wins([member], v, u)
        for member in members
        for u, v in permutations(member, 2)
    )
    step = 2 * k if ties == "half" and leaves_open and n > 1 else k
    return [Fraction(i, step) for i in range(1, step + 1)]


@given(ensembles(), st.sampled_from(["none", "half"]))
def test_degrees_and_threshold_are_those_of_the_definition(
    members: list[nx.DiGraph], ties: str
) -> None:
    P = po.preference_relation(members, ties=ties)
    shares = oracles.degrees(members, ties=ties)
    assert P.degrees() == shares
    for u, v in permutations(members[0], 2):
        assert P.wins_of(u, v) == oracles.wins(members, u, v)
        assert P.ties_of(u, v) + P.wins_of(u, v) + P.wins_of(v, u) == P.n_members
        assert P(u, v) + P(v, u) == 1
    thresholds = grid(members, ties)
    for alpha in thresholds:
        edges = oracles.cut(shares, alpha)
        assert set(P.cut(alpha).edges) == set(P.cut(float(alpha)).edges) == edges
        assert (P.find_blocking_cycle(alpha) is not None) == oracles.has_cycle(edges)
    assert po.minimal_threshold(P) == oracles.minimal_threshold(shares, thresholds)


@given(ensembles(), st.data())
def test_counts_stand_for_repeated_members(members: list[nx.DiGraph], data: st.DataObject) -> None:
    counts = [1 + data.draw(st.integers(0, 3)) for _ in members]
    repeated = [member for member, count in zip(members, counts, strict=True) for _ in range(count)]
    for ties in ("none", "half"):
        assert po.preference_relation(members, counts=counts, ties=ties) == po.preference_relation(
            repeated, ties=ties
        )


@given(ensembles(), st.data())
def test_restriction_is_the_relation_of_the_restricted_members(
    members: list[nx.DiGraph], data: st.DataObject
) -> None:
    kept = data.draw(st.lists(st.sampled_from(list(members[0])), unique=True)) if members[0] else []
    P = po.preference_relation(members).restrict(kept)
    expected = po.preference_relation([po.restrict(member, kept) for member in members])
    assert P.degrees() == expected.degrees()


@given(st.integers(1, 9), st.integers(0, 12), st.integers(0, 2**32 - 1))
def test_scores_in_an_array_count_like_their_rows(k: int, n: int, seed: int) -> None:
    scores = np.random.default_rng(seed).integers(0, 5, size=(k, n))
    P = po.preference_relation(scores)
    assert P == po.preference_relation(list(scores)) == po.preference_relation(scores.tolist())
    assert_array_equal(P.wins, (scores[:, :, None] > scores[:, None, :]).sum(axis=0))


def test_many_members_and_large_blocks_are_counted_right() -> None:
    scores = np.random.default_rng(1).random((300, 700))
    wins = po.preference_relation(scores, counts=[2] * 300).wins
    assert wins is not None
    assert wins.dtype == np.uint16
    assert_array_equal(wins, 2 * (scores[:, :, None] > scores[:, None, :]).sum(axis=0))


def test_three_cyclic_votes_need_consensus() -> None:
    P = po.preference_relation([po.from_ranking(vote) for vote in ("abc", "bca", "cab")])
    assert {P.degree(*pair) for pair in ("ab", "bc", "ca")} == {Fraction(2, 3)}
    assert P.find_blocking_cycle(Fraction(2, 3)) == ["a", "b", "c", "a"]
    assert po.minimal_threshold(P) == 1


def test_the_smallest_threshold_that_may_succeed_is_tried() -> None:
    # A bisection that takes it for the failing end returns 5/6 here.
    votes = [po.from_ranking(vote) for vote in ("ab", "ab", "ba")]
    assert po.minimal_threshold(po.preference_relation(votes)) == Fraction(2, 3)


def test_the_closure_may_add_what_the_members_reject() -> None:
    votes = [po.from_ranking(vote) for vote in ["bca", "cab", "bca", "abc", "cab", "abc", "cab"]]
    P = po.preference_relation(votes)
    assert po.minimal_threshold(P) == Fraction(5, 7)
    assert P.degree("c", "b") == Fraction(3, 7)
    assert po.prefers(P.cut(Fraction(5, 7)), "c", "b")


@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize("items", ["", "a", "ab", "abcd"])
def test_equal_members_reach_the_least_threshold(items: str, k: int) -> None:
    P = po.preference_relation([po.from_ranking(items)] * k)
    assert po.minimal_threshold(P) == Fraction(1, k)


def test_half_ties_halve_the_grid_only_where_a_pair_is_left_open() -> None:
    decided, open_pair = po.from_ranking("ab"), {"a": 1, "b": 1}
    assert po.minimal_threshold(po.preference_relation([decided] * 2, ties="half")) == Fraction(
        1, 2
    )
    P = po.preference_relation([decided, decided, open_pair, open_pair], ties="half")
    # b > a reaches 1/4 as well, so that anything from 3/8 on is without a cycle.
    assert po.minimal_threshold(P) == Fraction(3, 8)


def test_degrees_by_hand() -> None:
    P = po.PreferenceRelation.from_degrees({("a", "b"): 0.7, ("b", "a"): 1 - 0.7, ("b", "c"): 0.6})
    assert [P.degree("b", "a"), P.degree("b", "c"), P.degree("c", "a")] == [
        Fraction(3, 10),
        Fraction(3, 5),
        0,
    ]
    assert P.degree("c", "b") == Fraction(2, 5)


def test_degrees_by_hand_need_not_be_reciprocal_if_said_so() -> None:
    P = po.PreferenceRelation.from_degrees(
        [[0, Fraction(1, 2), 0], [Fraction(1, 3), 0, 0.1], [0, 0, 0]], "abc", reciprocal=False
    )
    assert P.degree("b", "a") == Fraction(1, 3)
    assert po.minimal_threshold(P) == Fraction(1, 2)
    assert P("a", "b") == Fraction(7, 12)


def test_degrees_by_hand_that_occur_are_the_thresholds_and_one() -> None:
    cyclic = {("a", "b"): 0.7, ("b", "c"): 0.7, ("c", "a"): 0.7}
    cyclic |= {(v, u): 1 - degree for (u, v), degree in cyclic.items()}
    assert po.minimal_threshold(po.PreferenceRelation.from_degrees(cyclic)) == 1
    assert po.minimal_threshold(po.PreferenceRelation.from_degrees({})) == 1
    certain = po.PreferenceRelation.from_degrees({("a", "b"): 1, ("b", "c"): 1, ("c", "a"): 1})
    message = r"pairs of degree 1; they are the graph P\.cut\(1\), which break_cycles and"
    with pytest.raises(po.CycleError, match=message) as caught:
        po.minimal_threshold(certain)
    assert caught.value.cycle == ["a", "b", "c", "a"]


@given(ensembles(), st.sampled_from(["none", "half"]))
def test_a_relation_survives_a_weighted_graph(members: list[nx.DiGraph], ties: str) -> None:
    P = po.preference_relation(members, ties=ties)
    Q = po.PreferenceRelation.from_graph(P.to_graph(), reciprocal=ties == "half")
    assert (Q.items, Q.degrees()) == (P.items, P.degrees())


@given(st.lists(st.integers(1, 50), max_size=5))
def test_strengths_give_their_shares_exactly(values: list[int]) -> None:
    strengths: dict[Any, Any] = dict(enumerate(values))
    exact = {
        (a, b): Fraction(strengths[a], strengths[a] + strengths[b])
        for a, b in permutations(strengths, 2)
    }
    assert po.PreferenceRelation.from_strengths(strengths).degrees() == exact
    floats: dict[Any, Any] = {item: value / 16 for item, value in strengths.items()}
    assert po.PreferenceRelation.from_strengths(floats).degrees() == exact


def test_strengths_near_the_ends_of_floats_do_not_overflow() -> None:
    P = po.PreferenceRelation.from_strengths({"a": 1.5e308, "b": 1.5e308, "c": 1e-300})
    assert P.degree("a", "b") == Fraction(1, 2)
    assert P.degree("c", "a") == 1 / (1 + 15 * Fraction(10) ** 607)
    assert P.matrix().tolist() == [[0, 0.5, 1], [0.5, 0, 1], [0, 0, 0]]


def test_a_relation_is_a_prior() -> None:
    target, silent = po.from_ranking("abc"), po.from_pairs([], items="abc")
    P = po.preference_relation([target, target, po.from_ranking("cba")])
    third = {pair: Fraction(2, 3) for pair in [("a", "b"), ("a", "c"), ("b", "c")]}
    assert po.edrc(target, silent, prior=P) == po.edrc(target, silent, prior=third) > 0


def test_restriction_and_table() -> None:
    P = po.preference_relation([po.from_ranking("abc"), po.from_ranking("bac")]).restrict("cb")
    assert P.items == ("b", "c")
    assert P.to_table().rows == (("b", "", "1"), ("c", "0", ""))


@given(st.integers(0, 9), st.floats(0, 0.6), st.integers(0, 2**32 - 1))
def test_cycles_of_matrices(n: int, share: float, seed: int) -> None:
    matrix = np.random.default_rng(seed).random((n, n)) < share
    graph = nx.from_numpy_array(matrix, create_using=nx.DiGraph)
    assert has_cycle(matrix) == (not nx.is_directed_acyclic_graph(graph))


def test_two_way_strength_across_tiles() -> None:
    strength = np.random.default_rng(0).integers(0, 2**16, size=(600, 600), dtype=np.uint16)
    assert largest_two_way_strength(strength) == np.minimum(strength, strength.T).max()


def test_long_paths_need_no_recursion() -> None:
    assert not has_cycle(np.eye(3000, k=1, dtype=bool))


class Votes:
    """What a profile looks like."""

    orders = ({"a": 2, "b": 1}, {"a": 1, "b": 2})
    counts = (2, 1)


def test_a_profile_brings_its_counts() -> None:
    assert po.preference_relation(Votes()).degree("a", "b") == Fraction(2, 3)
    with pytest.raises(po.PorankError, match="no counts beside a profile"):
        po.preference_relation(Votes(), counts=[1, 1])


AB = po.from_ranking("ab")


@pytest.mark.parametrize(
    ("orders", "options", "message"),
    [
        ([], {}, "at least one order, found none"),
        ([AB], {"counts": [0]}, "at least one order, found none"),
        ([AB], {"counts": [1, 2]}, "a count for each of the 1 orders, found 2"),
        ([AB], {"counts": [-1]}, "at least 0 as count of member 1, found -1"),
        ([AB], {"counts": [1.5]}, "count of member 1, found 1.5"),
        ([AB], {"ties": "some"}, "ties to be one of 'none', 'half', found 'some'"),
        (AB, {}, "a list of orders, found a DiGraph"),
        ({"a": 1}, {}, "a list of orders, found a dict"),
        ("ab", {}, "a list of orders, found a str"),
        (3, {}, "a list of orders, found a int"),
        ([AB, "ab"], {}, "member 2"),
        ([AB, nx.DiGraph(["ab", "ba"])], {}, "cycle 'a' > 'b' > 'a' in member 2"),
        ([AB, AB, po.from_ranking("abc")], {}, "only in member 3: 'c'; "),
    ],
)
def test_bad_members(orders: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(po.PorankError, match=message):
        po.preference_relation(orders, **options)


@pytest.mark.parametrize(
    ("degrees", "items", "message"),
    [
        ({("a", "b"): 1.5}, None, "degrees from 0 to 1, found 1.5 for 'a' over 'b'"),
        ({("a", "b"): -0.5}, None, "found -0.5 for 'a' over 'b'"),
        ({("a", "b"): float("nan")}, None, "found nan for 'a' over 'b'"),
        ({("a", "b"): "much"}, None, "a number as degree of 'a' over 'b', found 'much'"),
        ({("a", "b"): 0.7, ("b", "a"): 0.4}, None, "that sum to 1 .* 0.7 for 'a' over 'b' and 0.4"),
        ([[0, 0.7], [0.2, 0]], None, "0.2 for 1 over 0; reciprocal=False takes"),
        ({"ab": 0.7}, None, "pairs .preferred, other. as keys, found 'ab'"),
        ({("a", "b"): 1}, "a", "degrees of the items given, found 'b'"),
        ([[0, 1, 0]], None, "a square matrix of degrees, found an array of shape"),
        ([[0, 1], [0, 0]], "abc", "2 items for the matrix, found 3"),
        ([[0, 1], [0, 0]], "aa", "once"),
    ],
)
def test_bad_degrees(degrees: Any, items: Any, message: str) -> None:
    with pytest.raises(po.PorankError, match=message):
        po.PreferenceRelation.from_degrees(degrees, items)


@pytest.mark.parametrize("alpha", [0, -1, 1.1, "x", "0.5", None, True, float("nan"), [1]])
def test_bad_thresholds(alpha: Any) -> None:
    with pytest.raises(po.PorankError, match="a threshold above 0 and at most 1"):
        po.preference_relation([AB]).cut(alpha)


def test_unknown_items_and_weights() -> None:
    P = po.preference_relation([AB])
    with pytest.raises(po.PorankError, match="items of the order, found 'z'"):
        P.degree("a", "z")
    with pytest.raises(po.PorankError, match="found 'z'"):
        P.restrict("az")
    with pytest.raises(po.PorankError, match="expected the attribute 'weight'"):
        po.PreferenceRelation.from_graph(AB)
    with pytest.raises(po.PorankError, match="degrees given by hand"):
        po.PreferenceRelation.from_strengths({"a": 1, "b": 2}).wins_of("a", "b")
    with pytest.raises(po.PorankError, match="positive, finite strength"):
        po.PreferenceRelation.from_strengths({"a": 0})


def test_a_relation_cannot_be_changed() -> None:
    P = po.preference_relation([AB])
    with pytest.raises(ValueError, match="read-only"):
        P.strength[0, 1] = 5
