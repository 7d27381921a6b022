"""Comparisons of systems: which groups count, what is significant, and whether it is an order."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import porank as po
from porank.measures.catalogue import MEASURES as CATALOGUE
from porank.results import SystemComparison
from porank.significance.paired import PairedDifference
from tests import oracles_inference as oracle

MEASURES = ["kendall_tau_a", "kendall_distance"]


def random_orders(groups: int, n: int, skill: float, seed: int) -> dict[int, list[float]]:
    """Return scores for the items of each group that follow 0, 1 .. the more, the more skill."""
    draw = random.Random(seed)
    return {
        group: [skill * item + draw.gauss(0, 1) for item in range(n)] for group in range(groups)
    }


TARGET = {group: list(range(6)) for group in range(10)}
SKILLS = {"good": 1.5, "fair": 0.5, "none": 0.0, "bad": -0.7}
SYSTEMS = {name: random_orders(10, 6, skill, k) for k, (name, skill) in enumerate(SKILLS.items())}


def compared(**options: Any) -> SystemComparison:
    return po.compare_systems(TARGET, SYSTEMS, **{"measures": MEASURES, "samples": 2000, **options})


def test_everything_by_definition() -> None:
    found = compared()
    for measure in MEASURES:
        values = {
            name: [CATALOGUE[measure](TARGET[g], own[g]) for g in range(10)]
            for name, own in SYSTEMS.items()
        }
        sign = -1 if found.better[measure] == "lower" else 1
        columns = {}
        for each in found.pairs[measure]:
            pairs = zip(values[each.first], values[each.second], strict=True)
            differences = [round(one - other, 9) for one, other in pairs]
            columns[each.first, each.second] = differences
            assert each.difference == pytest.approx(sum(differences) / 10, abs=1e-9)
            assert sign * each.difference >= 0
            assert each.wins == sum(sign * d > 0 for d in differences)
            assert each.losses == sum(sign * d < 0 for d in differences)
            assert each.superiority == (each.wins + each.ties / 2) / 10
            assert each.low <= each.difference <= each.high
        assert len(columns) == 6
        alone, adjusted = oracle.max_t(list(columns.values()))
        assert [each.p_value for each in found.pairs[measure]] == alone
        significant = {pair for pair, p in zip(columns, adjusted, strict=True) if p <= 0.05}
        assert set(found.significant(measure).edges) == significant
        assert ("good", "none") in significant
        assert set(found.order(measure)) == set(SYSTEMS)
        assert found.differences(measure).rows[0][:3] == (measure, *next(iter(columns)))
    assert len(found.to_csv().splitlines()) == 13
    assert repr(found) == "<SystemComparison: 4 systems, kendall_tau_a, kendall_distance>"
    # Without ties tau-a is 1 - 2 K / 15: negated values are compared alike.
    for each, mirrored in zip(*(found.pairs[measure] for measure in MEASURES), strict=True):
        assert (each.first, each.second) == (mirrored.first, mirrored.second)
        assert (each.p_value, each.superiority) == (mirrored.p_value, mirrored.superiority)
        assert each.effect_size == pytest.approx(-mirrored.effect_size, rel=1e-9)
        assert each.low == pytest.approx(-2 / 15 * mirrored.high, rel=1e-9, abs=1e-12)
    # What is adjusted together are the p-values of a measure.
    for correction in ("holm", "benjamini-hochberg"):
        for own in compared(correction=correction).pairs.values():
            expected = po.adjust_p_values([each.p_value for each in own], correction=correction)
            assert [each.adjusted for each in own] == expected


def test_seeds() -> None:
    big = {group: list(range(5)) for group in range(60)}
    systems = {k: random_orders(60, 5, 0.1 * k, k) for k in range(3)}
    one, again, other = (
        [each.p_value for each in pairs]
        for seed in (3, 3, 4)
        for pairs in po.compare_systems(
            big, systems, measures="gamma", samples=200, seed=seed
        ).pairs.values()
    )
    assert one == again != other


# Which groups count.

SOME = {
    "target": {1: {"a": 2, "b": 1}, 2: {"a": 2, "b": 1}, 3: {"a": 1, "b": 1}, 4: {"a": 2, "b": 1}},
    "A": {1: {"a": 2, "b": 1}, 2: {"a": 2, "b": 1}, 3: {"a": 2, "b": 1}},
    "B": {1: {"a": 1, "b": 2}, 2: {"a": 2, "b": 2}, 3: {"a": 2, "b": 1}, 5: {"a": 1}},
}


def test_groups_left_out_are_counted_with_the_reason() -> None:
    systems = {name: SOME[name] for name in "AB"}
    found = po.compare_systems(SOME["target"], systems, measures=["gamma", "kendall_distance"])
    assert found.groups == {"gamma": 1, "kendall_distance": 3}
    assert found.left_out == {"gamma": 4, "kendall_distance": 2}
    assert found.reasons["gamma"] == {
        "A": {"undefined": 1, "only in target": 1, "absent": 1},
        "B": {"undefined": 2, "only in target": 1, "only in predicted": 1},
    }
    # gamma is 0/0 in group 2 for B alone, so that A is not given its 1 there either.
    assert found.means["gamma"] == {"A": 1.0, "B": -1.0}
    assert found.means["kendall_distance"] == {"A": 0.0, "B": 1 / 3}
    assert found.notes()[0] == (
        "gamma: 4 groups left out (A: 1 undefined, 1 only in target, 1 absent; "
        "B: 2 undefined, 1 only in target, 1 only in predicted)"
    )
    filled = po.compare_systems(SOME["target"], systems, measures="gamma", undefined=0)
    assert filled.groups == {"gamma": 3}


def test_systems_that_predict_different_items_are_told() -> None:
    target = {1: {"a": 3, "b": 2, "c": 1}, 2: {"a": 2, "b": 1}}
    systems = {"A": target, "B": {1: {"a": 2, "b": 1}, 2: {"a": 2, "b": 1}}}
    found = po.compare_systems(target, systems, measures="completeness")
    assert found.uneven == {"completeness": 1}
    assert "different numbers of items in 1 group; the option items (target)" in str(found)
    even = po.compare_systems(target, systems, measures="completeness", items="target")
    assert even.uneven == {"completeness": 0}
    assert even.means["completeness"] == {"A": 1.0, "B": (1 / 3 + 1) / 2}


@pytest.mark.parametrize("unit", [None, "user"])
def test_the_sequence_of_groups_changes_no_p_value(unit: str | None) -> None:
    draw = random.Random(7)
    keys = [(f"u{k % 20}", k) for k in range(40)]
    target = {key: list(range(5)) for key in keys}
    guesses = {name: {key: [draw.gauss(0, 1) for _ in range(5)] for key in keys} for name in "ab"}
    found = []
    for sequence in (keys, keys[::-1]):
        turned = {name: {key: guess[key] for key in sequence} for name, guess in guesses.items()}
        some = {key: target[key] for key in sequence}
        options: dict[str, Any] = {"by": ["user", "query"], "measures": "kendall_tau", "unit": unit}
        (pair,) = po.compare_systems(some, turned, samples=99, **options).pairs["kendall_tau"]
        found.append((pair.p_value, pair.adjusted, pair.low, pair.high))
    assert found[0] == pytest.approx(found[1], abs=1e-12)


def test_evaluations_are_compared_group_by_group() -> None:
    turned = {group: SYSTEMS["good"][group] for group in reversed(range(10))}
    backwards = {group: TARGET[group] for group in reversed(range(10))}
    found = po.compare_evaluations(
        {
            "good": po.evaluate(backwards, turned, measures=MEASURES),
            "fair": po.evaluate(TARGET, SYSTEMS["fair"], measures=MEASURES),
        }
    )
    whole = compared()
    pairs = {(each.first, each.second): each for each in whole.pairs["kendall_tau_a"]}
    (each,) = found.pairs["kendall_tau_a"]
    assert each.p_value == pairs["good", "fair"].p_value
    # Those of a comparison have not kept the data.
    for evaluation in whole.evaluations.values():
        assert evaluation.groups is None
        assert len(evaluation.worst("kendall_tau_a", 3).columns) == 3
        with pytest.raises(po.NotApplicableError, match="of compare_systems, which has not kept"):
            evaluation.orders(0)


def test_a_target_that_can_be_read_once_and_several_columns_of_groups() -> None:
    rows = [{"user": 1, "item": item, "grade": grade} for item, grade in (("a", 1), ("b", 0))]
    systems: dict[str, Any] = {name: {1: {"a": 1, "b": 0}} for name in "AB"}
    found = po.compare_systems(iter(rows), systems, measures=iter(["gamma", "f1"]))
    assert found.groups == {"gamma": 1, "f1": 1}
    days = {"user": [1, 1, 1, 1], "day": list("xxyy"), "item": list("abab")}
    target = {**days, "grade": [1, 0, 1, 0]}
    systems = {"A": {**days, "score": [1, 0, 1, 0]}, "B": {**days, "score": [0, 1, 1, 0]}}
    found = po.compare_systems(target, systems, by=["user", "day"], measures="gamma")
    assert found.means["gamma"] == {"A": 1.0, "B": 0.0}


# Few groups, and few or many systems.


def test_one_system_no_group_and_the_very_same_system_twice() -> None:
    one = po.compare_systems(TARGET, {"good": SYSTEMS["good"]}, measures="gamma")
    assert (one.pairs, list(one.order())) == ({"gamma": ()}, ["good"])
    assert "good" in str(one)
    none = po.compare_systems({}, {"A": {}, "B": {}}, measures="gamma")
    assert none.groups == {"gamma": 0}
    assert math.isnan(none.means["gamma"]["A"])
    assert math.isnan(none.pairs["gamma"][0].p_value)
    assert none.order().number_of_edges() == 0
    twice = po.compare_systems(TARGET, {"y": TARGET, "x": TARGET}, measures="gamma")
    (each,) = twice.pairs["gamma"]
    assert (each.first, each.difference, each.p_value, each.superiority) == ("x", 0.0, 1.0, 0.5)
    assert math.isnan(each.effect_size)


def test_marks_of_twenty_systems() -> None:
    target = {group: list(range(5)) for group in range(20)}
    systems = {f"S{k}": random_orders(20, 5, 0.4 * k, k) for k in range(20)}
    options = {"measures": "kendall_distance", "correction": "benjamini-hochberg"}
    found = po.compare_systems(target, systems, **options)  # type: ignore[arg-type]
    G = found.decided()
    marks = [row[-1] for row in found.to_table().rows]
    for system, mark in zip(systems, marks, strict=True):
        ends = [[*map(int, run.split("-"))] for run in str(mark).split(",") if run]
        beaten = {n for run in ends for n in range(run[0], run[-1] + 1)}
        assert beaten == {int(other[1:]) + 1 for other in G.successors(system)}
    assert any("-" in str(mark) for mark in marks)


# What is shown.


def difference(first: str, second: str, p: float) -> PairedDifference:
    return PairedDifference(first, second, 0.5, 0.25, 0.75, p, p, 1.0, 0.75, 2, 0, 0)


def shown_with(*pairs: PairedDifference, **field: Any) -> SystemComparison:
    systems = sorted({name for each in pairs for name in (each.first, each.second)})
    base = po.compare_systems(TARGET, dict.fromkeys(systems, TARGET), measures="gamma")
    return replace(base, pairs={"gamma": pairs}, **field)


def chain_of_three(**field: Any) -> SystemComparison:
    """A is ahead of B, and B of C, but nothing is significant of A and C."""
    pairs = (("A", "B", 0.01), ("B", "C", 0.02), ("A", "C", 0.07))
    return shown_with(*(difference(*pair) for pair in pairs), **field)


def test_a_broken_chain_is_closed_over_means_on_the_same_groups() -> None:
    found = chain_of_three()
    assert set(found.significant().edges) == {("A", "B"), ("B", "C")}
    assert found.broken() == [("A", "B", "C")]
    G = found.order()
    assert set(G.edges) == {("A", "B"), ("B", "C"), ("A", "C")}
    assert G.edges["A", "C"] == {"difference": 0.5, "p_value": 0.07, "added": True}
    assert G.edges["A", "B"] == {"difference": 0.5, "p_value": 0.01, "added": False}
    assert found.rank_sets() == {"A": (1, 1), "B": (2, 2), "C": (3, 3)}
    assert found.notes() == ["gamma: not significant, but follows: A > C"]
    assert [row[3:] for row in found.to_table().rows] == [("2,3", "1"), ("3", "2"), ("", "3")]


@pytest.mark.parametrize(
    ("field", "why"),
    [
        ({"test": "sign"}, "ahead more often may form a cycle"),
        ({"correction": "benjamini-hochberg"}, "with Benjamini-Hochberg some findings may"),
        ({"missing": "pairwise"}, "compared on different groups; missing='at random'"),
    ],
)
def test_a_broken_chain_is_told_and_not_closed_over(field: dict[str, Any], why: str) -> None:
    found = chain_of_three(**field)
    for ask, message in (
        (found.order, f"'A' > 'B' > 'C' in 'gamma'.* not follow.*{why}"),
        (found.rank_sets, f"sets of ranks that hold all at once.*{why}"),
    ):
        with pytest.raises(po.NotApplicableError, match=message):
            ask()
    told = "gamma: not transitive, A > B > C, but no significant difference of A and C"
    assert told in str(found)
    assert "A &gt; B &gt; C" in found._repr_html_()
    assert "ranks" not in found.to_table().columns


def test_a_cycle_is_told() -> None:
    # Three systems, any two of which share ten rows of their own.
    won, lost, none = [1] * 10, [0] * 10, [None] * 10
    circle = {"A": won + none + lost, "B": lost + won + none, "C": none + lost + won}
    found = po.compare_scores(circle)
    assert sorted(map(str, found.find_cycle() or [])) == ["A", "A", "B", "C"]
    with pytest.raises(po.CycleError, match="the cycle 'A' >") as error:
        found.order()
    assert error.value.cycle == found.find_cycle()
    assert found.notes()[1] == "score: a cycle, A > B > C > A"
    assert found.notes()[1] in str(found)
    assert found.broken() == []


# What is refused.


def test_refusals() -> None:
    wrong: list[tuple[Any, dict[str, Any], str]] = [
        ([TARGET], {}, "mapping from names of systems to predictions as systems, found a list"),
        ({}, {}, "at least one system, by its name, in systems, found none"),
        ({None: TARGET}, {}, "systems, found the name None"),
        (SYSTEMS, {"correction": "fdr"}, "correction to be one of 'max-t', 'holm'"),
        (SYSTEMS, {"significance": 5}, "significance to lie between 0 and 1"),
        (SYSTEMS, {"samples": 0.5}, "samples"),
        (SYSTEMS, {"seed": "x"}, "seed"),
        (SYSTEMS, {"measures": "tau"}, "name of a measure.* of system 'good'"),
        ({"B": {group: [1, 2] for group in TARGET}}, {"items": "error"}, "of system 'B'"),
    ]
    for systems, options, message in wrong:
        with pytest.raises(po.PorankError, match=message):
            po.compare_systems(TARGET, systems, **options)
    for measure, message in ((None, "'kendall_tau_a', .* found None"), ("f1", "found 'f1'")):
        with pytest.raises(po.PorankError, match=message):
            compared().order(measure)
    one = po.evaluate(TARGET, TARGET, measures="gamma")
    other, by = (po.evaluate(TARGET, TARGET, **how) for how in ({"measures": "f1"}, {"by": "q"}))
    infinite = replace(one, columns={**one.columns, "gamma": np.full(len(one), math.inf)})
    evaluations: list[tuple[dict[str, Any], str]] = [
        ({"A": one, "B": other}, "measures of all evaluations to be the same"),
        ({"A": one, "B": TARGET}, "what evaluate returns as 'B', found a dict"),
        ({"A": one, "B": by}, "by of all evaluations to be the same"),
        ({"A": infinite}, "finite values of 'gamma'"),
    ]
    for given, message in evaluations:
        with pytest.raises(po.PorankError, match=message):
            po.compare_evaluations(given)
