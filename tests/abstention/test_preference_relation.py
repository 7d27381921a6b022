"""The preference relation: of members, of degrees, of strengths, restricted, made of its parts."""

import math
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import porank as po
from porank.abstention.degrees import simple_fraction
from porank.aggregation.voting_rules import best_input, copeland, footrule_optimal
from tests.support import oracles, oracles_abstention, oracles_positions
from tests.support.oracles_aggregation import ensembles, members_of, wins
from tests.support.refusals import refuses
from tests.support.strategies import item_lists, orders

PR = po.PreferenceRelation
HALF, TINY = Fraction(1, 2), Fraction(1, 10**10)
AB, BA = po.from_ranking("ab"), po.from_ranking("ba")
#: Degrees no further apart are equal.
CLOSE = 1e-12


@given(ensembles(), st.sampled_from(["none", "half"]))
def test_degrees_and_cuts_are_those_of_the_definition(
    ensemble: tuple[list[nx.DiGraph], list[int]], ties: str
) -> None:
    graphs, counts = ensemble
    members = [G for G, count in zip(graphs, counts, strict=True) for _ in range(count)]
    P = po.preference_relation(graphs, counts=counts, ties=ties)
    assert po.preference_relation(members, ties=ties) == P
    shares, k = oracles_abstention.degrees(members, ties=ties), len(members)
    assert P.degrees() == shares
    for u, v in permutations(P.items, 2):
        for_u, for_v = (oracles_abstention.wins(members, *pair) for pair in ((u, v), (v, u)))
        assert P.evidence(u, v) == (for_u, for_v)
        assert P(u, v) + P(v, u) == 1
    # Only where a pair is open and counts half are there halves.
    has_halves = ties == "half" and any(
        sum(P.evidence(u, v)) < k for u, v in combinations(P.items, 2)
    )
    step = 2 * k if has_halves else k
    thresholds = [Fraction(i, step) for i in range(1, step + 1)]
    for alpha in thresholds:
        edges = oracles_abstention.cut(shares, alpha)
        assert set(P.cut(alpha).edges) == set(P.cut(float(alpha)).edges) == edges
        assert (P.find_blocking_cycle(alpha) is not None) == oracles_abstention.has_cycle(edges)
    assert po.minimal_threshold(P) == oracles_abstention.minimal_threshold(shares, thresholds)
    degrees = nx.get_edge_attributes(P.cut(TINY), "degree")
    Q = PR.from_degrees(degrees, P.items, reciprocal=ties == "half")
    assert (Q.items, Q.degrees()) == (P.items, P.degrees())


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
        assert P.evidence(u, v).support == wins(members, u, v)
    # The others find what they find of orders that leave these pairs open.
    opened = [
        nx.compose(nx.create_empty_copy(G), ballot)
        for G, ballot in zip(orders, ballots, strict=True)
    ]
    for method in (po.borda, copeland, po.kemeny, po.consensus_order):
        assert method(profile).cost == method(opened, counts=counts).cost
    majorities = po.majority_graph(profile), po.majority_graph(opened, counts=counts)
    assert dict(majorities[0].edges) == dict(majorities[1].edges)


@given(st.integers(1, 9), st.integers(0, 12), st.integers(0, 2**32 - 1))
def test_scores_in_an_array_count_like_their_rows(k: int, n: int, seed: int) -> None:
    # Numbers above n are no ranks.
    scores = np.random.default_rng(seed).integers(20, 25, size=(k, n))
    P = po.preference_relation(scores, counts=[200] * k)
    assert po.preference_relation(scores.tolist(), counts=[200] * k) == P
    assert_array_equal(P.wins, 200 * (scores[:, :, None] > scores[:, None, :]).sum(axis=0))


def test_the_columns_of_a_frame_are_the_items_and_counts_any_sequence() -> None:
    members: list[Any] = [{"a": 3, "b": 2, "c": 1}, {"a": 1, "b": 2, "c": 2}]
    frame = pd.DataFrame(members, index=["x", "y"])[["c", "a", "b"]].astype(float) * 10
    turned = [{item: member[item] for item in "cab"} for member in members]
    counts: Any
    for counts in ((5, 1, 0), np.array([5, 1, 0]), pd.Series([5, 1, 0]), iter([5, 1, 0])):
        P = po.preference_relation([AB, BA, BA], counts=counts)
        assert (P.evidence("a", "b"), P.n_members) == ((5, 1), 6)
    rows = po.preference_relation(frame, counts=[5, 1])
    assert rows == po.preference_relation(turned, counts=[5, 1])
    for method in (po.borda, footrule_optimal, best_input):
        found, same = (method(orders, counts=[5, 1]) for orders in (frame, turned))
        assert (found.cost, found.gap) == (same.cost, same.gap)
        assert nx.utils.graphs_equal(found.order(), same.order())


@pytest.mark.parametrize("total", [2**7, 2**15, 2**31, 10**12])
def test_halves_of_many_members_do_not_overflow(total: int) -> None:
    P = po.preference_relation([[3, 2, 1], [2, 2, 1]], counts=[total - 1, 1], ties="half")
    assert P.degree(0, 1) == Fraction(2 * total - 1, 2 * total)
    assert P.degree(1, 0) == Fraction(1, 2 * total)
    assert [P.degree(0, 2), P.degree(2, 0)] == [1, 0]


#: Fractions that are near to each other, and yet different.
near = st.builds(
    lambda one, other, power: Fraction(one, 10) + Fraction(other, 10**power),
    st.integers(1, 8),
    st.integers(-3, 3),
    st.sampled_from([2, 9, 10]),
)


def rest_of(degrees: dict[Any, Any]) -> dict[Any, Any]:
    """The degrees of the other direction of each pair."""
    return {(v, u): 1 - degree for (u, v), degree in degrees.items()}


def require_in_order(P: po.PreferenceRelation) -> None:
    """Require that strengths compare as degrees do, and the two of a pair are one in all."""
    places = {pair: tuple(map(P.items.index, pair)) for pair in permutations(P.items, 2)}
    strength = {pair: P.strength[place] for pair, place in places.items()}
    for (pair, one), (other, two) in combinations(P.degrees().items(), 2):
        assert (strength[pair] < strength[other]) == (one < two)
        assert (strength[pair] == strength[other]) == (one == two)
    for pair, place in places.items():
        assert P.matrix()[place] == pytest.approx(float(P.degree(*pair)), abs=CLOSE)
        assert P.degree(*pair) + P.degree(*pair[::-1]) == pytest.approx(1, abs=2 * CLOSE)
    assert np.all(np.diff(P.values) > 0)


@given(st.lists(st.one_of(near, st.floats(0, 1), st.sampled_from([0.3, 0.7])), min_size=10))
def test_degrees_are_kept_and_compared_and_the_other_direction_has_the_rest(
    values: list[Any],
) -> None:
    """Fractions as they are, floats as the fractions that were meant."""
    half = dict(zip(combinations("abcde", 2), values, strict=False))
    matrix = np.zeros((5, 5), dtype=object)
    for (u, v), value in (half | rest_of(half)).items():
        matrix["abcde".index(u), "abcde".index(v)] = value
    for given_degrees in (half, half | rest_of(half), matrix):
        P = PR.from_degrees(given_degrees, "abcde")
        require_in_order(P)
        for pair, value in half.items():
            exactly = 2 * CLOSE if isinstance(value, float) else 0
            assert abs(P.degree(*pair) - simple_fraction(value)) <= exactly
    least = oracles_abstention.minimal_threshold(
        P.degrees(), sorted({*P.degrees().values(), Fraction(1)})
    )
    assert po.minimal_threshold(P) == least
    cut = nx.get_edge_attributes(P.cut(1e-300), "degree")
    shown = PR.from_degrees(cut, P.items).degrees()
    assert shown == pytest.approx(P.degrees(), abs=2 * CLOSE)


def test_degrees_nearer_than_1e_12_are_equal_and_others_are_not() -> None:
    shares = {("a", "b"): 0.6, ("b", "c"): 0.6 + 1e-13, ("c", "d"): 0.6 + 1e-11}
    P = PR.from_degrees(shares | {("d", "a"): 1e-40})
    assert P.degree("a", "b") == P.degree("b", "c") == Fraction(3, 5) < P.degree("c", "d")
    assert P.degree("d", "a") == 0
    # Each within 1e-9 of the next: all 66 were one degree.
    pairs = list(combinations(range(12), 2))
    P = PR.from_degrees({pair: 0.6 + 9e-10 * number for number, pair in enumerate(pairs)})
    assert len({P.degree(*pair) for pair in pairs}) == 66
    thirds = {("a", "b"): 0.1 + 0.2, ("b", "c"): 0.3, ("c", "d"): 1 - 0.7, ("d", "a"): 0.9 / 3}
    P = PR.from_degrees(thirds)
    assert {P.degree(*pair) for pair in thirds} == {Fraction(3, 10)}
    assert P.matrix()[1, 0] == 0.7
    nearly = {("a", "b"): 0.5 - 1e-10, ("b", "a"): 0.5 - 1e-10}
    assert PR.from_degrees(nearly).degree("a", "b") == HALF


def test_numbers_of_all_types() -> None:
    by_array = PR.from_degrees([[0, 1], [0, 0]], items=np.array([3, 4]))
    assert [type(item) for item in by_array.items] == [int, int]
    shares = {("a", "b"): Decimal("0.7"), ("b", "c"): np.float32(0.7), ("c", "a"): np.int64(1)}
    P = PR.from_degrees(shares)
    assert [P.degree(*pair) for pair in shares] == [Fraction(7, 10), Fraction(7, 10), 1]
    P = PR.from_degrees(np.array([[0, 1 / 3], [2 / 3, 0]], dtype=np.float32))
    assert P.degree(0, 1) + P.degree(1, 0) == 1
    assert float(P.degree(0, 1)) == pytest.approx(1 / 3, abs=1e-7)
    for empty in (0, None, np.nan, "", "-"):
        assert PR.from_degrees([[empty, 0.7], [0.3, empty]]).degree(0, 1) == Fraction(7, 10)
    P = po.preference_relation([[2, 1]] * 3 + [[1, 2]])
    thirds = po.preference_relation([[2, 1]] * 2 + [[1, 2]])
    kind: Any
    for kind in (float, np.float32, np.float16, Fraction, Decimal):
        assert list(P.cut(kind(0.75)).edges) == [(0, 1)]
        assert kind is Decimal or thirds.strength_of_threshold(kind(Fraction(2, 3))) == 2
        G = po.predict_order(P, abstention_cost=kind(0.25))
        assert (G.graph["abstention_cost"], G.graph["alpha"]) == (Fraction(1, 4), 1)


@pytest.mark.parametrize("tiny", [1e-10, 5e-324, Fraction(1, 10**20), Decimal("1e-9")])
def test_what_is_hardly_above_0_is_above_0(tiny: Any) -> None:
    for P in (PR.from_degrees({("a", "b"): 0.7}), po.preference_relation([[2, 1]])):
        assert P.strength_of_threshold(tiny) == 1
        assert all(degree > 0 for _, _, degree in P.cut(tiny).edges(data="degree"))
    # As 0 this cost made a threshold of 4/3.
    G = po.predict_order(po.preference_relation([[3, 2, 1]] * 3), abstention_cost=tiny)
    assert 0 < G.graph["abstention_cost"] <= Fraction(1, 10**9)
    assert (len(G.edges), G.graph["alpha"], G.graph["loss"]) == (3, 1, 0)


def test_a_float_is_the_nearest_of_several_degrees() -> None:
    shares = {("a", "b"): HALF + TINY, ("b", "c"): HALF + 2 * TINY, ("a", "c"): HALF + 9 * TINY}
    P = PR.from_degrees(shares)
    for pair, degree in shares.items():
        for nearby in (-4e-11, 0, 4e-11):
            strength = P.strength_of_threshold(float(degree) + nearby)
            assert P.degree_of_strength(strength) == P.degree(*pair)
    assert P.degree_of_strength(P.strength_of_threshold(HALF + 3 * TINY)) == HALF + 9 * TINY
    assert P.degree_of_strength(P.strength_of_threshold(0.51)) == 1


@given(st.floats(0, 1), st.integers(1, 10**5))
def test_a_float_near_a_simple_fraction_is_that_fraction(number: float, denominator: int) -> None:
    fraction = simple_fraction(number)
    assert abs(fraction - Fraction(number)) < Fraction(1, 10**13)
    assert (fraction == 0) == (number == 0)
    simple = Fraction(round(number * denominator), denominator)
    assert simple_fraction(float(simple)) == simple


def test_degrees_by_hand_need_not_be_reciprocal_if_said_so() -> None:
    degrees = [[0, Fraction(1, 2), 0], [Fraction(1, 3), 0, 0.1], [0, 0, 0]]
    P = PR.from_degrees(degrees, "abc", reciprocal=False)
    assert P.degree("b", "a") == Fraction(1, 3)
    assert po.minimal_threshold(P) == Fraction(1, 2)
    assert P("a", "b") == Fraction(7, 12)


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
    ):
        found, expected = make(items).restrict(data.draw(st.permutations(kept))), make(kept)
        assert found == expected
        assert found.degrees() == expected.degrees()
        assert po.abstention_curve(found).points == po.abstention_curve(expected).points


def test_restriction_keeps_the_sequence_and_each_item_once() -> None:
    P = po.preference_relation([po.from_ranking("abc"), po.from_ranking("bac")])
    assert P.restrict("cac").items == ("a", "c")
    assert P.restrict("cb").to_table().rows == (("b", None, 1), ("c", 0, None))


def test_relations_are_compared_by_value_and_cannot_be_changed() -> None:
    votes = [{"a": 2, "b": 1}] * 2 + [{"a": 1, "b": 2}]
    P = po.preference_relation(votes)
    assert po.preference_relation(votes[::-1]) == P != po.preference_relation(votes[:2])
    assert PR.from_degrees({("a", "b"): 0.6}) != PR.from_degrees({("a", "b"): 0.7})
    assert PR.from_degrees({("a", "b"): 2 / 3}) != P
    with pytest.raises(ValueError, match="read-only"):
        P.strength[0, 1] = 5
    assert PR.from_degrees({}).degrees() == {}


@given(orders(max_items=6))
def test_rank_probabilities_are_degrees(G: nx.DiGraph) -> None:
    """The cut at 1 is the closure, so that every acyclic cut is an order that refines it."""
    for options in ({}, {"exact": True}, {"method": "walk", "seed": 0}):
        found = po.mutual_rank_probabilities(G, **options)
        P = PR.from_degrees(found)
        assert P.items == tuple(G)
        predicted = po.transitive_closure(po.predict_order(P))
        assert oracles.closure(G.edges) <= set(predicted.edges)
        if "method" not in options:
            assert PR.from_degrees(found, [*G][::-1]).degrees() == P.degrees()
            assert P.degrees() == oracles_positions.mutual_rank_probabilities(G)
            assert set(P.cut(1).edges) == oracles.closure(G.edges)


E, Mismatch = po.PorankError, po.errors.ItemMismatchError
NoGraph, Cycle = po.errors.GraphTypeError, po.CycleError
ABC = po.from_ranking("abc")
P: Any = po.preference_relation([ABC] * 3)
BY_HAND = PR.from_degrees({("a", "b"): 2 / 3, ("a", "c"): 2 / 3, ("b", "c"): 0.5})
MANY, BALLOTS = [np.arange(100_000)], po.Profile([ABC, AB])
relate: Any = po.preference_relation
from_degrees: Any = PR.from_degrees


def test_a_threshold_is_a_number_above_0_and_at_most_1() -> None:
    for alpha in (0, -1, 1.1, "0.5", None, True, math.nan):
        for relation in (P, BY_HAND):
            refuses("a threshold above 0 and at most 1", relation.cut, alpha)


def test_room_for_all_matrices_of_pairs_is_checked_before_one_is_filled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("porank.abstention.preference_relation.count_wins", None)
    for n, ties in ((60_000, "none"), (40_000, "half")):
        with pytest.raises(po.PorankError, match=f"at most 8 GB for all pairs of {n:,} items"):
            relate([np.arange(n), np.arange(n)[::-1]], ties=ties)


def test_bad_input_is_refused_in_words() -> None:
    refuses("at least one order, found none", relate, [])
    refuses("each of the 1 orders, found 2", relate, [AB], counts=[1, 2])
    refuses("at most 1,000,000,000,000 as count", relate, [AB], counts=[10**13])
    refuses("no counts with a profile", relate, BALLOTS, counts=[1, 1])
    refuses(r"an OrderGraph; use \[order\]", relate, AB, error=NoGraph)
    refuses("from_degrees makes", relate, po.mutual_rank_probabilities(AB), error=NoGraph)
    refuses("member 2", relate, [AB, "ab"], error=NoGraph)
    refuses("in member 2", relate, [AB, nx.DiGraph(["ab", "ba"])], error=Cycle)
    refuses("only in member 3: 'c'; ", relate, [AB, AB, ABC], error=Mismatch)
    refuses("only in member 1: 'b'", relate, pd.DataFrame({"a": [1, 2], "b": [1, np.nan]}))
    for counts in ({5: 0, 1: 1}, {5, 1}, 3, "51", pd.DataFrame({5: [1], 1: [2]})):
        refuses("a sequence of", relate, [AB, ABC], counts=counts)
    for method in (relate, po.majority_graph, copeland):
        refuses("8 GB for all pairs of 100,000", method, MANY)
    refuses("0 to 1, found 1.5 for 'a' over 'b'", from_degrees, {("a", "b"): 1.5})
    refuses("a number as degree of 'a' over 'b'", from_degrees, {("a", "b"): 1j})
    refuses("that sum to 1 .*4", from_degrees, {("a", "b"): 0.7, ("b", "a"): 0.4})
    refuses("over 0; reciprocal=False allows", from_degrees, [[0, 0.7], [0.2, 0]])
    refuses("found 5000000001", from_degrees, [[0, HALF + TINY], [HALF, 0]])
    refuses("sum to at most 1 .*0$", from_degrees, [[0, 0.6], [0.5, 0]], reciprocal=False)
    refuses("pairs .preferred, other. as keys", from_degrees, {"ab": 0.7})
    refuses("of the given items, found 'b'", from_degrees, {("a", "b"): 1}, "a")
    refuses("a square matrix of degrees, found", from_degrees, [[0, 1], [0]])
    refuses("2 items .*, found 3", from_degrees, [[0, 1], [0, 0]], "abc")
    refuses("pairs of 200,000 items", from_degrees, {}, items=range(200_000))
    refuses("found 'a'", from_degrees, po.mutual_rank_probabilities(AB), "bc")
    refuses("which has evidence", BY_HAND.evidence, "a", "b")
    refuses("a strength from 0 to 3, found 4", P.degree_of_strength, 4)
    refuses(r"items of the order, found \['a'\]", P.degree, ["a"], "b")
    refuses("a hashable item", P.restrict, [["a"]])
