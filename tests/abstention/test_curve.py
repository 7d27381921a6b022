"""The abstention curve against its definition."""

import math
from fractions import Fraction
from functools import partial
from itertools import chain, combinations, pairwise, permutations
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from tests.support import oracles_abstention as oracles
from tests.support.oracles import closure
from tests.support.oracles_abstention import cut, has_cycle, relations
from tests.support.refusals import refuses

HALF = Fraction(1, 2)
ABC = po.from_ranking("abc")
AROUND = po.PreferenceRelation.from_degrees({("a", "b"): 1, ("b", "c"): 1, ("c", "a"): 1})


def relation(*votes: str) -> po.PreferenceRelation:
    return po.preference_relation([po.from_ranking(vote) for vote in votes])


@given(relations(), st.sampled_from(["raise", "drop"]), st.data())
def test_points_are_the_predictions_at_all_thresholds(
    P: po.PreferenceRelation, impossible: str, data: st.DataObject
) -> None:
    pairs = list(combinations(data.draw(st.permutations(P.items)), 2))
    stated = [pair for pair in pairs if data.draw(st.booleans())]
    target = po.from_pairs(stated, items=data.draw(st.permutations(P.items)))
    shares, truth = P.degrees(), closure(stated)
    curve = po.abstention_curve(P, target, impossible=impossible)
    # Of k members the thresholds are the multiples of 1/k or 1/(2k), else the degrees and 1.
    steps = {Fraction(i, P.unit) for i in range(1, P.unit + 1)}
    grid = sorted(steps if P.n_members else {*shares.values(), Fraction(1)} - {0})
    least = oracles.minimal_threshold(shares, grid)
    above_half = min(alpha for alpha in grid if alpha > HALF)
    lowest = least if impossible == "raise" else min(least or above_half, above_half)
    assert (curve.alpha, curve.impossible, len(curve)) == (least, impossible, len(list(curve)))
    thresholds = [point.alpha for point in curve]
    expected = oracles.thresholds(shares, least)
    assert thresholds == sorted({*expected, *([] if lowest is None else [lowest])})
    judged = []
    for point in curve:
        edges = cut(shares, point.alpha)
        assert point.is_acyclic != has_cycle(edges)
        if lowest is None or point.alpha < lowest:
            assert math.isnan(point.correctness or 0)
            assert (point.pairs, point.has_order) == (0, False)
            if impossible == "raise":
                with pytest.raises(po.CycleError):
                    curve.order(point.alpha)
            continue
        kept, left_out = oracles.dropped(shares, point.alpha)
        order = curve.order(point.alpha)
        assert point.has_order == (point.is_acyclic or bool(left_out))
        added = len(closure(kept) - kept)
        assert (point.pairs, point.added, point.dropped) == (len(order.edges), added, len(left_out))
        judged.append(oracles.agreement(truth, closure(kept)))
        assert (point.concordant, point.discordant) == judged[-1]
        assert point.correctness == pytest.approx(po.correctness(target, order), nan_ok=True)
        assert point.completeness == pytest.approx(po.completeness(target, order), nan_ok=True)
    area = float(oracles.area(judged, len(truth))) if truth else math.nan
    assert curve.area == pytest.approx(area, abs=1e-12, nan_ok=True)
    if impossible == "raise":
        for u, v in permutations(P.items, 2):
            assert curve.decided_at(u, v) == oracles.decided_at(shares, u, v, thresholds)


def test_counts_may_be_huge() -> None:
    votes, many = [po.from_ranking(vote) for vote in ("abc", "bca", "cab")], 10**10
    P = po.preference_relation(votes, counts=[many, many, 1])
    curve = po.abstention_curve(P, po.from_ranking("abc"))
    assert curve[-1].alpha == Fraction(2 * many, 2 * many + 1)
    assert curve.alpha == Fraction(many + 2, 2 * many + 1)
    assert [(p.is_acyclic, p.pairs) for p in curve][-2:] == [(True, 1), (True, 1)]


def test_no_threshold_without_a_cycle() -> None:
    for impossible, dropped in (("raise", 0), ("drop", 3)):
        curve = po.abstention_curve(AROUND, po.from_ranking("abc"), impossible=impossible)
        points = [(point.alpha, point.is_acyclic, point.dropped) for point in curve]
        assert points == [(Fraction(1), False, dropped)]
        assert (curve.alpha, curve.area, curve.decided_at("a", "b")) == (None, 0.0, None)


def test_without_a_target_nothing_is_judged() -> None:
    curve = po.abstention_curve(relation("abc", "bca"))
    assert {(p.concordant, p.correctness, p.completeness) for p in curve} == {(None, None, None)}
    assert curve.to_table().columns == ("alpha", "acyclic", "pairs", "added")
    assert curve.area is None


def test_it_is_a_sequence_of_points_and_prints_as_a_table() -> None:
    votes = ["bca", "cab", "bca", "abc", "cab", "abc", "cab"]
    curve = po.abstention_curve(relation(*votes), po.from_ranking("cba"))
    assert curve.to_text().splitlines()[-1].split() == ["5/7", "yes", "3", "1", "0.3333", "1"]
    assert str(curve) == curve.to_text()
    assert curve._repr_html_() == curve.to_table().to_html()
    assert curve.to_csv().splitlines()[1] == "2/7,False,0,0,,,nan,nan,0"
    assert (curve[1:3], curve[-1]) == (curve.points[1:3], curve.points[3])


@given(st.lists(relations(), min_size=1, max_size=4), st.booleans(), st.data())
def test_the_mean_curve_is_that_of_the_predictions_for_all_instances(
    relations: list[po.PreferenceRelation], has_drops: bool, data: st.DataObject
) -> None:
    impossible = "drop" if has_drops else "raise"
    targets = []
    for P in relations:
        pairs = list(combinations(data.draw(st.permutations(P.items)), 2))
        targets.append(po.from_pairs([p for p in pairs if data.draw(st.booleans())], items=P.items))
    curve: Any = po.abstention_curve(relations, targets, impossible=impossible)
    alone = [*map(partial(po.abstention_curve, impossible=impossible), relations, targets)]
    # Of each relation whose target has pairs, the thresholds with a prediction.
    alphas = [
        [point.alpha for point in each if point.has_order and each.target_pairs] for each in alone
    ]
    assert [point.alpha for point in curve] == sorted({*chain.from_iterable(alphas)})
    for point in curve:
        orders = []
        for P, own in zip(relations, alphas, strict=True):
            above = [alpha for alpha in own if alpha >= point.alpha]
            nothing = nx.empty_graph(P.items, create_using=nx.DiGraph)
            cut = partial(po.predict_order, P, impossible=impossible)
            orders.append(cut(alpha=min(above)) if above else nothing)
        judged = [order for order, each in zip(orders, alone, strict=True) if each.target_pairs]
        assert point.pairs == sum(len(order.edges) for order in judged)
        for name in ("correctness", "completeness"):
            values = [*map(getattr(po, name), targets, orders)]
            known = [value for value in values if not math.isnan(value)]
            expected = sum(known) / len(known) if known else math.nan
            assert getattr(point, name) == pytest.approx(expected, nan_ok=True)
    # By trapezes, and level from the last point to completeness 0.
    points = [(p.completeness, p.correctness) for p in curve if not math.isnan(p.correctness)]
    if points:
        ends = [*points, (0, points[-1][1])]
        area = sum((x - v) * (y + w) / 2 for (x, y), (v, w) in pairwise(ends))
        assert curve.area == pytest.approx(area)
    assert len(curve.to_table().rows) == len(curve)


@pytest.mark.parametrize("targets", [None, [], [ABC, ABC]])
def test_each_relation_has_a_target(targets: Any) -> None:
    refuses("a target for each of 1 relation", po.abstention_curve, [relation("abc")], targets)


def test_a_target_is_an_order_of_the_same_items() -> None:
    with pytest.raises(po.errors.ItemMismatchError, match=r"preferences: 'c'; P\.restrict"):
        po.abstention_curve(relation("abc"), po.from_ranking("ab"))
    with pytest.raises(po.CycleError, match="in target"):
        po.abstention_curve(relation("abc"), nx.DiGraph(["ab", "ba"]))
