"""The abstention curve: each threshold held against the prediction at it."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.abstention.thresholds import closed_cut, deciding_strengths, minimal_strength
from tests import oracles_abstention as oracles
from tests import oracles_ensemble
from tests.oracles import closure
from tests.strategies import item_lists

SEVEN = ["bca", "cab", "bca", "abc", "cab", "abc", "cab"]


def relation(votes: list[str]) -> po.PreferenceRelation:
    return po.preference_relation([po.from_ranking(vote) for vote in votes])


@st.composite
def cases(draw: st.DrawFn) -> tuple[po.PreferenceRelation, nx.DiGraph]:
    """A relation, of members or by hand, and an order of its items in another sequence."""
    items = draw(item_lists(max_items=5))
    pairs = [(u, v) for i, u in enumerate(items) for v in items[i + 1 :]]
    target = nx.DiGraph()
    target.add_nodes_from(draw(st.permutations(items)))
    target.add_edges_from(pair for pair in pairs if draw(st.booleans()))
    if draw(st.booleans()):
        degrees: dict[tuple[object, object], Fraction] = {}
        for u, v in pairs:
            share = Fraction(draw(st.integers(0, 10)), 10)
            degrees |= {(u, v): share, (v, u): 1 - share}
        return po.PreferenceRelation.from_degrees(degrees, items), target
    members = [
        {item: draw(st.integers(0, 4)) for item in items} for _ in range(draw(st.integers(1, 6)))
    ]
    ties = draw(st.sampled_from(["none", "half"]))
    return po.preference_relation(members, ties=ties), target


@given(cases())
def test_points_are_the_predictions_at_all_thresholds(
    case: tuple[po.PreferenceRelation, nx.DiGraph],
) -> None:
    P, target = case
    shares, truth = P.degrees(), closure(target.edges)
    curve = po.abstention_curve(P, target)
    # Of k members the thresholds are the multiples of 1/k or 1/(2k), else the degrees and 1.
    steps = {Fraction(i, P.unit) for i in range(1, P.unit + 1)}
    grid = sorted(steps if P.n_members else {*shares.values(), Fraction(1)} - {0})
    least = oracles_ensemble.minimal_threshold(shares, grid)
    assert curve.alpha == least
    thresholds = oracles.thresholds(shares, least)
    assert [point.alpha for point in curve] == thresholds
    assert len(curve) == len(thresholds)
    judged = []
    for point in curve:
        edges = oracles_ensemble.cut(shares, point.alpha)
        assert point.is_acyclic != oracles_ensemble.has_cycle(edges)
        assert (curve.find_blocking_cycle(point.alpha) is None) == point.is_acyclic
        if not point.is_acyclic:
            assert math.isnan(point.correctness or 0)
            with pytest.raises(po.CycleError):
                curve.order(point.alpha)
            continue
        said = closure(edges)
        order, alone = curve.order(point.alpha), po.predict_order(P, alpha=point.alpha)
        assert (set(order.edges), order.graph) == (said, alone.graph)
        assert dict(order.edges) == dict(alone.edges)
        assert (point.pairs, point.added) == (len(said), len(said - edges))
        agreed = oracles.agreement(truth, said)
        assert (point.concordant, point.discordant) == agreed
        judged.append(agreed)
        assert str(point.correctness) == str(po.correctness(target, order))
        assert str(point.completeness) == str(po.completeness(target, order))
    if truth:
        assert curve.area == pytest.approx(float(oracles.area(judged, len(truth))), abs=1e-12)
    else:
        assert math.isnan(curve.area or 0)
    for u, v in permutations(P.items, 2):
        assert curve.decided_at(u, v) == oracles.decided_at(shares, u, v, thresholds)


def test_thresholds_have_their_names() -> None:
    P = relation(["abc", "acb", "bac"])
    curve = po.abstention_curve(P)
    for alpha in ("minimal", "consensus", "majority"):
        order, alone = curve.order(alpha), po.predict_order(P, alpha=alpha)
        assert (order.graph, dict(order.edges)) == (alone.graph, dict(alone.edges))
    with pytest.raises(po.PorankError, match="'majority' or a number, found 'most'"):
        curve.order("most")
    cyclic = po.PreferenceRelation.from_degrees({("a", "b"): 1, ("b", "c"): 1, ("c", "a"): 1})
    with pytest.raises(po.CycleError):
        po.abstention_curve(cyclic).order("minimal")


def test_counts_may_be_huge() -> None:
    votes = [po.from_ranking(vote) for vote in ("abc", "bca", "cab")]
    few, many = (
        po.abstention_curve(
            po.preference_relation(votes, counts=[large, large, 1]), po.from_ranking("abc")
        )
        for large in (10, 10**10)
    )
    assert many.alpha == Fraction(10**10 + 2, 2 * 10**10 + 1)
    assert [(p.is_acyclic, p.pairs, p.added, p.correctness) for p in many][2:] == [
        (p.is_acyclic, p.pairs, p.added, p.correctness) for p in few
    ][2:]
    assert many[-1].alpha == 1 - Fraction(1, 2 * 10**10 + 1)


def test_area_is_that_under_the_lines() -> None:
    # Up to 3/4 all three pairs are decided and b over a is wrong, at 1 two are, both rightly.
    P = relation(["bac", "bac", "bac", "abc"])
    curve = po.abstention_curve(P, po.from_ranking("abc"))
    assert [(p.completeness, p.correctness) for p in curve if p.is_acyclic] == [
        (1.0, 1 / 3),
        (1.0, 1 / 3),
        (2 / 3, 1.0),
    ]
    assert curve.area == pytest.approx(8 / 9, abs=1e-12)


def test_area_where_there_is_nothing_to_judge_and_where_all_is_right_or_wrong() -> None:
    for ranking, area in (("abc", 1.0), ("cba", -1.0)):
        assert po.abstention_curve(relation(["abc"]), po.from_ranking(ranking)).area == area
    cyclic = relation(["abc", "bca", "cab"])
    assert po.abstention_curve(cyclic, po.from_ranking("abc")).area == 0.0
    assert math.isnan(po.abstention_curve(cyclic, po.parse("a; b; c")).area or 0)
    assert po.abstention_curve(cyclic).area is None


def test_without_a_target_nothing_is_judged() -> None:
    curve = po.abstention_curve(relation(SEVEN))
    assert {(p.concordant, p.correctness, p.completeness) for p in curve} == {(None, None, None)}
    assert curve.to_table().columns == ("alpha", "acyclic", "pairs", "added")


def test_no_threshold_without_a_cycle() -> None:
    P = po.PreferenceRelation.from_degrees({("a", "b"): 1, ("b", "c"): 1, ("c", "a"): 1})
    curve = po.abstention_curve(P, po.from_ranking("abc"))
    assert [(str(point.alpha), point.is_acyclic) for point in curve] == [("1", False)]
    assert (curve.alpha, curve.area, curve.decided_at("a", "b")) == (None, 0.0, None)
    with pytest.raises(po.CycleError, match="'a' > 'b' > 'c' > 'a'"):
        curve.order(1)


def test_it_is_a_sequence_of_points_and_prints_as_a_table() -> None:
    curve = po.abstention_curve(relation(SEVEN), po.from_ranking("cba"))
    assert curve.to_text().splitlines()[-1].split() == ["5/7", "yes", "3", "1", "0.3333", "1"]
    assert str(curve) == curve.to_text()
    assert curve._repr_html_() == curve.to_table().to_html()
    assert curve.to_csv().splitlines()[1] == "2/7,no,,,,"
    assert (list(curve), curve[1:3], curve[-1]) == (
        list(curve.points),
        curve.points[1:3],
        curve.points[3],
    )


def test_other_items_in_the_target() -> None:
    message = r"only in the preferences: 'c'; P\.restrict\(items\) and restrict\(target"
    with pytest.raises(po.ItemMismatchError, match=message) as caught:
        po.abstention_curve(relation(SEVEN), po.from_ranking("abd"))
    assert (caught.value.only_target, caught.value.only_predicted) == (["d"], ["c"])
    with pytest.raises(po.CycleError, match="in target"):
        po.abstention_curve(relation(SEVEN), nx.DiGraph(["ab", "bc", "ca"]))
    with pytest.raises(po.PorankError, match="expected items of the order, found 'x'"):
        po.abstention_curve(relation(SEVEN)).decided_at("a", "x")
    with pytest.raises(po.PorankError, match="threshold above 0 and at most 1, found 2"):
        po.abstention_curve(relation(SEVEN)).order(2)


def test_scores_as_target() -> None:
    P = po.preference_relation(np.array([[3, 2, 1], [3, 1, 2]]))
    assert [p.concordant for p in po.abstention_curve(P, [5, 4, 3])] == [None, 2]


@pytest.mark.parametrize(("n", "k"), [(60, 300), (150, 9)])
def test_deciding_strengths_of_many_items(n: int, k: int) -> None:
    rng = np.random.default_rng(n)
    P = po.preference_relation(rng.normal(size=n) + rng.normal(size=(k, n)))
    least = minimal_strength(P)
    decided = deciding_strengths(P.strength, least)
    for strength in np.unique(P.strength[P.strength >= least])[::5]:
        np.testing.assert_array_equal(decided >= strength, closed_cut(P.strength >= strength))
