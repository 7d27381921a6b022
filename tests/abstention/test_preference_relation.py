"""The valued relation P: held against its definition, checked, restricted, made of one order."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import porank as po
from tests import oracles, oracles_ensemble, oracles_positions
from tests.strategies import item_lists, orders


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
        not oracles_ensemble.wins([member], u, v) and not oracles_ensemble.wins([member], v, u)
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
    shares = oracles_ensemble.degrees(members, ties=ties)
    assert P.degrees() == shares
    for u, v in permutations(members[0], 2):
        assert P.wins_of(u, v) == oracles_ensemble.wins(members, u, v)
        assert P.ties_of(u, v) + P.wins_of(u, v) + P.wins_of(v, u) == P.n_members
        assert P(u, v) + P(v, u) == 1
    thresholds = grid(members, ties)
    for alpha in thresholds:
        edges = oracles_ensemble.cut(shares, alpha)
        assert set(P.cut(alpha).edges) == set(P.cut(float(alpha)).edges) == edges
        assert (P.find_blocking_cycle(alpha) is not None) == oracles_ensemble.has_cycle(edges)
    assert po.minimal_threshold(P) == oracles_ensemble.minimal_threshold(shares, thresholds)


@given(ensembles(), st.data())
def test_counts_stand_for_repeated_members(members: list[nx.DiGraph], data: st.DataObject) -> None:
    counts = [1 + data.draw(st.integers(0, 3)) for _ in members]
    repeated = [member for member, count in zip(members, counts, strict=True) for _ in range(count)]
    for ties in ("none", "half"):
        assert po.preference_relation(members, counts=counts, ties=ties) == po.preference_relation(
            repeated, ties=ties
        )


@given(st.integers(1, 9), st.integers(0, 12), st.integers(0, 2**32 - 1))
def test_scores_in_an_array_count_like_their_rows(k: int, n: int, seed: int) -> None:
    scores = np.random.default_rng(seed).integers(0, 5, size=(k, n))
    P = po.preference_relation(scores)
    assert P == po.preference_relation(list(scores)) == po.preference_relation(scores.tolist())
    assert_array_equal(P.wins, (scores[:, :, None] > scores[:, None, :]).sum(axis=0))


def test_many_members_and_large_blocks_are_counted_right() -> None:
    scores = np.random.default_rng(1).random((150, 700))
    wins = po.preference_relation(scores, counts=[2] * 150).wins
    assert wins is not None
    assert wins.dtype == np.uint16
    assert_array_equal(wins, 2 * (scores[:, :, None] > scores[:, None, :]).sum(axis=0))


def test_degrees_by_hand_need_not_be_reciprocal_if_said_so() -> None:
    P = po.PreferenceRelation.from_degrees(
        [[0, Fraction(1, 2), 0], [Fraction(1, 3), 0, 0.1], [0, 0, 0]], "abc", reciprocal=False
    )
    assert P.degree("b", "a") == Fraction(1, 3)
    assert po.minimal_threshold(P) == Fraction(1, 2)
    assert P("a", "b") == Fraction(7, 12)


@given(ensembles(), st.sampled_from(["none", "half"]))
def test_a_relation_survives_a_weighted_graph(members: list[nx.DiGraph], ties: str) -> None:
    P = po.preference_relation(members, ties=ties)
    Q = po.PreferenceRelation.from_graph(P.to_graph(), reciprocal=ties == "half")
    assert (Q.items, Q.degrees()) == (P.items, P.degrees())


def test_a_relation_is_a_prior() -> None:
    target, silent = po.from_ranking("abc"), po.from_pairs([], items="abc")
    P = po.preference_relation([target, target, po.from_ranking("cba")])

    def third(u: str, v: str) -> Fraction:
        return Fraction(2 if u < v else 1, 3)

    assert po.edrc(target, silent, prior=P) == po.edrc(target, silent, prior=third) > 0


def test_restriction_and_table() -> None:
    P = po.preference_relation([po.from_ranking("abc"), po.from_ranking("bac")]).restrict("cb")
    assert P.items == ("b", "c")
    assert P.to_table().rows == (("b", "", "1"), ("c", "0", ""))


AB = po.from_ranking("ab")


@pytest.mark.parametrize(
    ("orders", "options", "message"),
    [
        ([], {}, "at least one order, found none"),
        ([AB], {"counts": [0]}, "at least one order, found none"),
        ([AB], {"counts": [1, 2]}, "a count for each of the 1 orders, found 2"),
        ([AB], {"counts": [-1]}, "at least 0 as count of member 1, found -1"),
        ([AB], {"ties": "some"}, "ties to be one of 'none', 'half', found 'some'"),
        (AB, {}, "a list of orders, found a DiGraph"),
        ("ab", {}, "a list of orders, found a str"),
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
        ({("a", "b"): 10**400}, None, "degrees from 0 to 1, found 10{59} for 'a' over 'b'"),
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
def test_what_a_relation_lacks_is_said(alpha: Any) -> None:
    by_hand = po.PreferenceRelation.from_strengths({"a": 2, "b": 1})
    for P in (po.preference_relation([AB]), by_hand):
        with pytest.raises(po.PorankError, match="a threshold above 0 and at most 1"):
            P.cut(alpha)
        with pytest.raises(po.PorankError, match=r"strength|whole number"):
            P.degree_of_strength(4 if alpha is True else alpha or -1)
    with pytest.raises(po.PorankError, match="expected the attribute 'weight'"):
        po.PreferenceRelation.from_graph(AB)
    with pytest.raises(po.PorankError, match="degrees given by hand"):
        by_hand.wins_of("a", "b")


def test_a_relation_cannot_be_changed() -> None:
    P = po.preference_relation([AB])
    with pytest.raises(ValueError, match="read-only"):
        P.strength[0, 1] = 5


PR = po.PreferenceRelation


@st.composite
def makers(draw: st.DrawFn, items: list[Any]) -> Any:
    """A function that makes a relation of the same data on any of the items."""
    pairs = list(combinations(items, 2))
    kind = draw(st.sampled_from(["members", "degrees", "floats", "graph", "strengths"]))
    if kind == "members":
        levels = st.lists(st.integers(0, 3), min_size=len(items), max_size=len(items))
        members = [dict(zip(items, row, strict=True)) for row in draw(st.lists(levels, min_size=1))]
        ties = draw(st.sampled_from(["none", "half"]))
        counts = draw(st.none() | st.just([3] * len(members)))
        return lambda kept: po.preference_relation(
            [{item: member[item] for item in kept} for member in members], ties=ties, counts=counts
        )
    numbers = {
        "degrees": st.fractions(0, 1, max_denominator=9),
        "floats": st.integers(0, 9).map(lambda ninths: ninths / 9),
        "graph": st.integers(1, 10).map(lambda tenths: tenths / 10),
        "strengths": st.integers(1, 5),
    }[kind]
    if kind == "strengths":
        strengths = {item: draw(numbers) for item in items}
        return lambda kept: PR.from_strengths({item: strengths[item] for item in kept})
    degrees = {pair: draw(numbers) for pair in pairs if draw(st.booleans())}

    def make(kept: list[Any]) -> po.PreferenceRelation:
        among = {pair: degree for pair, degree in degrees.items() if set(pair) <= set(kept)}
        if kind != "graph":
            return PR.from_degrees(among, kept)
        G = nx.DiGraph()
        G.add_nodes_from(kept)
        G.add_weighted_edges_from((u, v, degree) for (u, v), degree in among.items())
        return PR.from_graph(G)

    return make


@given(st.data())
def test_restriction_is_the_relation_made_of_these_items(data: st.DataObject) -> None:
    items = data.draw(item_lists(max_items=5))
    make = data.draw(makers(items))
    kept = [item for item in items if data.draw(st.booleans())]
    found, expected = make(items).restrict(data.draw(st.permutations(kept))), make(kept)
    assert found.degrees() == expected.degrees()
    assert found == expected
    assert _threshold(found) == _threshold(expected)
    assert po.abstention_curve(found).points == po.abstention_curve(expected).points


def _threshold(P: po.PreferenceRelation) -> Fraction | None:
    try:
        return po.minimal_threshold(P)
    except po.CycleError:
        return None


def test_items_to_keep() -> None:
    P = po.preference_relation([po.from_ranking("abc")])
    assert P.restrict("cac").items == ("a", "c")
    assert P.restrict({"b"}).items == ("b",)
    for wrong, message in (
        (None, "items as the items to keep, found None"),
        (5, "items as the items to keep, found 5"),
        ([["a"]], r"a hashable item, found \['a'\]"),
        ("az", "items of the order, found 'z'"),
    ):
        with pytest.raises(po.PorankError, match=message):
            P.restrict(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["degree", "wins_of", "ties_of", "__call__"])
@pytest.mark.parametrize("pair", [(["a"], "b"), ("a", {}), ("a", "z"), (None, "b")])
def test_a_pair_that_is_not_there_is_said(name: str, pair: Any) -> None:
    P = po.preference_relation([po.from_ranking("abc")])
    with pytest.raises(po.PorankError, match="expected items of the order, found"):
        getattr(P, name)(*pair)


TWO = np.array([[0, 2], [1, 0]])


def test_parts_are_kept_as_they_are_given() -> None:
    P = PR(("a", "b"), TWO, 3, 3, TWO)
    assert po.preference_relation([{"a": 2, "b": 1}] * 2 + [{"a": 1, "b": 2}]) == P
    assert PR(("a", "b"), 2 * TWO, 6, 3, TWO).degree("a", "b") == Fraction(2, 3)
    open_pair = np.array([[0, 5], [1, 0]])
    assert PR(("a", "b"), open_pair, 6, 3, TWO // 2 * 2).degree("a", "b") == Fraction(5, 6)
    in_lists: Any = ["a", "b"], TWO.tolist(), 3
    assert PR(*in_lists) == PR(("a", "b"), TWO, 3)
    quarters: Any = [0, 0.25, 0.75, 1]
    assert PR(("a", "b"), TWO, 3, values=quarters).degree("a", "b") == Fraction(3, 4)
    given = TWO.copy()
    Q = PR(("a", "b"), given, 3)
    given[0, 1] = 0
    assert Q.degree("a", "b") == Fraction(2, 3)
    assert given.flags.writeable
    assert PR((), np.zeros((0, 0), dtype=int), 1).degrees() == {}


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (("ab", TWO[:1], 3), r"2 x 2 whole numbers as strength, found an array of shape \(1, 2\)"),
        (("ab", TWO / 3, 1), "whole numbers as strength, found .* float64"),
        (("ab", 10 * TWO, 3), "from 0 to 3 as strength, found 20"),
        (("ab", TWO + np.eye(2, dtype=int), 3), "0 for each item and itself as strength"),
        (("ab", TWO, 2), "at most 2 in all as strength, found 2 and 1"),
        (("ab", TWO, 0), "at least 1 as unit, found 0"),
        (("ab", TWO, 3, 0, None, [0, 1]), "4 degrees that ascend from 0 to 1 as values, found"),
    ],
)
def test_parts_that_do_not_fit_are_said(parts: tuple[Any, ...], message: str) -> None:
    with pytest.raises(po.PorankError, match=message):
        PR(*parts)


@pytest.mark.parametrize("total", [2**7, 2**15, 2**31, 10**12])
def test_halves_of_many_members_do_not_overflow(total: int) -> None:
    P = po.preference_relation([[3, 2, 1], [2, 2, 1]], counts=[total - 1, 1], ties="half")
    assert P.degree(0, 1) == Fraction(2 * total - 1, 2 * total)
    assert P.degree(1, 0) == Fraction(1, 2 * total)
    assert [P.degree(0, 2), P.degree(2, 0)] == [1, 0]


def test_items_that_print_alike_show_their_type() -> None:
    table = po.preference_relation([po.from_ranking([1, "1", "a"])]).to_table()
    assert table.columns == ("P", "1", "'1'", "a")
    assert [row[0] for row in table.rows] == ["1", "'1'", "a"]


N = po.parse("a > c; b > c; b > d")
METHODS: list[dict[str, Any]] = [
    {},
    {"exact": True},
    {"method": "walk", "seed": 0},
]
methods = pytest.mark.parametrize("options", METHODS, ids=str)


def relation_of(G: Any, **options: Any) -> po.PreferenceRelation:
    return po.PreferenceRelation.from_degrees(po.mutual_rank_probabilities(G, **options))


@given(orders(max_items=6))
def test_degrees_are_shares_of_the_linear_extensions(G: nx.DiGraph) -> None:
    for exact in (False, True):
        P = relation_of(G, exact=exact)
        assert P.items == tuple(G)
        assert P.degrees() == oracles_positions.mutual_rank_probabilities(G)


@methods
@given(G=orders(max_items=6))
@settings(max_examples=15)
def test_what_the_order_says_is_certain_and_nothing_else(
    G: nx.DiGraph, options: dict[str, Any]
) -> None:
    """The cut at 1 is the closure, so that every acyclic cut is an order that refines it."""
    P = relation_of(G, **options)
    if options.get("method") != "walk":
        assert set(P.cut(1).edges) == oracles.closure(G.edges)
    predicted = po.transitive_closure(po.predict_order(P))
    assert oracles.closure(G.edges) <= set(predicted.edges)


@methods
def test_no_item_and_one(options: dict[str, Any]) -> None:
    empty, one = relation_of(nx.DiGraph(), **options), relation_of({"tea": 3}, **options)
    assert (empty.items, empty.degrees(), len(empty.cut(1))) == ((), {}, 0)
    assert (one.items, one.degrees(), list(po.predict_order(one))) == (("tea",), {}, ["tea"])


def test_items_may_be_named_in_another_sequence() -> None:
    found = po.mutual_rank_probabilities(N)
    assert found.all_items == tuple("acbd")
    P = po.PreferenceRelation.from_degrees(found, items="dcba")
    assert P.items == tuple("dcba")
    assert P.degrees() == relation_of(N).degrees()
    with pytest.raises(po.PorankError, match="found 'a'"):
        po.PreferenceRelation.from_degrees(found, items="bcd")
