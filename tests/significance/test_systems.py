"""Comparisons of systems: which groups count, what is significant, and whether it is an order."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import porank as po
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
SYSTEMS = {
    name: random_orders(10, 6, skill, k)
    for k, (name, skill) in enumerate({"good": 1.5, "fair": 0.5, "none": 0.0, "bad": -0.7}.items())
}


def compared(**options: Any) -> SystemComparison:
    return po.compare_systems(TARGET, SYSTEMS, **{"measures": MEASURES, "samples": 2000, **options})


def value(name: str, system: str, group: int) -> float:
    functions: dict[str, Any] = {
        "kendall_tau_a": lambda *pair: po.kendall_tau(*pair, variant="a"),
        "kendall_distance": po.kendall_distance,
    }
    return float(functions[name](TARGET[group], SYSTEMS[system][group]))


@pytest.mark.parametrize("measure", MEASURES)
def test_everything_by_definition(measure: str) -> None:
    found = compared()
    assert len(found.pairs[measure]) == 6
    columns = []
    for each in found.pairs[measure]:
        # A tau of 6 items is a number of fifteenths.
        differences = [
            Fraction(round(15 * (value(measure, each.first, g) - value(measure, each.second, g))))
            for g in range(10)
        ]
        exact = sum(differences) / 10 / 15
        lower = found.better[measure] == "lower"
        assert (exact < 0 if lower else exact > 0) or exact == 0
        assert each.difference == pytest.approx(float(exact), rel=1e-12, abs=1e-15)
        columns.append([float(d) / 15 for d in differences])
        better = [-d if lower else d for d in differences]
        assert each.wins == sum(d > 0 for d in better)
        assert each.losses == sum(d < 0 for d in better)
        assert each.superiority == (each.wins + each.ties / 2) / 10
        assert each.low <= each.difference <= each.high
    alone, adjusted = oracle.max_t(columns)
    assert [each.p_value for each in found.pairs[measure]] == alone
    names = [(each.first, each.second) for each in found.pairs[measure]]
    significant = {pair for pair, p in zip(names, adjusted, strict=True) if p <= 0.05}
    assert set(found.significant(measure).edges) == significant
    assert ("good", "none") in significant
    assert set(found.order(measure)) == set(SYSTEMS)
    assert found.differences(measure).rows[0][:3] == (measure, *names[0])
    assert len(found.to_csv().splitlines()) == 13
    assert repr(found) == "<SystemComparison: 4 systems, kendall_tau_a, kendall_distance>"


def test_negated_values_are_compared_alike() -> None:
    found = compared()
    one, other = found.pairs["kendall_tau_a"], found.pairs["kendall_distance"]
    # Without ties tau-a is 1 - 2 K / 15.
    for each, mirrored in zip(one, other, strict=True):
        assert (each.first, each.second) == (mirrored.first, mirrored.second)
        assert each.p_value == mirrored.p_value
        assert each.superiority == mirrored.superiority
        assert each.difference == pytest.approx(-2 / 15 * mirrored.difference, rel=1e-12)
        assert each.effect_size == pytest.approx(-mirrored.effect_size, rel=1e-9)
        assert each.low == pytest.approx(-2 / 15 * mirrored.high, rel=1e-9, abs=1e-12)


def test_the_same_seed_gives_the_same() -> None:
    big = {group: list(range(5)) for group in range(60)}
    systems = {k: random_orders(60, 5, 0.1 * k, k) for k in range(3)}

    def p_values(seed: int) -> list[float]:
        found = po.compare_systems(big, systems, measures="gamma", samples=200, seed=seed)
        return [each.p_value for each in found.pairs["gamma"]]

    assert p_values(3) == p_values(3)
    assert p_values(3) != p_values(4)


def test_p_values_of_a_measure_are_adjusted_together() -> None:
    for correction in ("holm", "benjamini-hochberg"):
        for pairs in compared(correction=correction).pairs.values():
            expected = po.adjust_p_values([each.p_value for each in pairs], correction=correction)
            assert [each.adjusted for each in pairs] == expected


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


def test_evaluations_with_groups_in_any_sequence() -> None:
    turned = {group: SYSTEMS["good"][group] for group in reversed(range(10))}
    backwards = {group: TARGET[group] for group in reversed(range(10))}
    evaluations = {
        "good": po.evaluate(backwards, turned, measures=MEASURES),
        "fair": po.evaluate(TARGET, SYSTEMS["fair"], measures=MEASURES),
    }
    found = po.compare_evaluations(evaluations)
    pairs = {(each.first, each.second): each for each in compared().pairs["kendall_tau_a"]}
    (each,) = found.pairs["kendall_tau_a"]
    assert each.p_value == pairs["good", "fair"].p_value


def test_several_columns_of_groups() -> None:
    rows = {"user": [1, 1, 1, 1], "day": list("xxyy"), "item": list("abab")}
    target = {**rows, "grade": [1, 0, 1, 0]}
    systems = {"A": {**rows, "score": [1, 0, 1, 0]}, "B": {**rows, "score": [0, 1, 1, 0]}}
    found = po.compare_systems(target, systems, by=["user", "day"], measures="gamma")
    assert found.groups == {"gamma": 2}
    assert found.means["gamma"] == {"A": 1.0, "B": 0.0}


def test_a_target_that_can_be_read_once() -> None:
    rows = [{"user": 1, "item": item, "grade": grade} for item, grade in (("a", 1), ("b", 0))]
    systems = {name: {1: {"a": 1, "b": 0}} for name in "AB"}
    found = po.compare_systems(iter(rows), systems, measures=iter(["gamma", "f1"]))
    assert found.groups == {"gamma": 1, "f1": 1}


# Few groups, and few or many systems.


def test_one_system_and_no_group() -> None:
    one = po.compare_systems(TARGET, {"good": SYSTEMS["good"]}, measures="gamma")
    assert one.pairs == {"gamma": ()}
    assert list(one.order()) == ["good"]
    assert "good" in str(one)
    none = po.compare_systems({}, {"A": {}, "B": {}}, measures="gamma")
    assert none.groups == {"gamma": 0}
    assert math.isnan(none.means["gamma"]["A"])
    assert math.isnan(none.pairs["gamma"][0].p_value)
    assert none.order().number_of_edges() == 0


def test_the_very_same_system_twice() -> None:
    found = po.compare_systems(TARGET, {"y": TARGET, "x": TARGET}, measures="gamma")
    (each,) = found.pairs["gamma"]
    assert (each.first, each.difference, each.p_value, each.superiority) == ("x", 0.0, 1.0, 0.5)
    assert math.isnan(each.effect_size)


def test_forty_systems() -> None:
    target = {group: list(range(5)) for group in range(20)}
    systems = {f"S{k}": random_orders(20, 5, 0.2 * k, k) for k in range(40)}
    found = po.compare_systems(
        target, systems, measures="kendall_distance", correction="benjamini-hochberg"
    )
    G = found.decided()
    marks = [row[-1] for row in found.to_table().rows]
    for system, mark in zip(systems, marks, strict=True):
        ends = [[*map(int, run.split("-"))] for run in str(mark).split(",") if run]
        beaten = {n for run in ends for n in range(run[0], run[-1] + 1)}
        assert beaten == {int(other[1:]) + 1 for other in G.successors(system)}
    assert any("-" in str(mark) for mark in marks)


# What is shown.


def difference(first: str, second: str, p_value: float, wins: int = 2) -> PairedDifference:
    return PairedDifference(first, second, 0.5, 0.25, 0.75, p_value, p_value, 1.0, 0.75, wins, 0, 0)


def shown_with(*pairs: PairedDifference, test: str = "randomization") -> SystemComparison:
    systems = sorted({name for each in pairs for name in (each.first, each.second)})
    base = po.compare_systems(TARGET, dict.fromkeys(systems, TARGET), measures="gamma")
    return replace(base, pairs={"gamma": pairs}, test=test)


def chain_of_three() -> SystemComparison:
    return shown_with(
        difference("A", "B", 0.01), difference("B", "C", 0.02), difference("A", "C", 0.07)
    )


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
    found = replace(chain_of_three(), **field)
    with pytest.raises(
        po.NotApplicableError, match=r"'A' > 'B' > 'C' in 'gamma'.* not follow"
    ) as e:
        found.order()
    assert why in str(e.value)
    with pytest.raises(po.NotApplicableError, match="sets of ranks that hold all at once") as e:
        found.rank_sets()
    assert why in str(e.value)
    assert "gamma: not transitive, A > B > C, but no significant difference of A and C" in str(
        found
    )
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


# Bad input.


def test_arguments() -> None:
    for systems, message in [
        ([TARGET], "mapping from names of systems to predictions as systems, found a list"),
        ({}, "at least one system, by its name, in systems, found none"),
        ({None: TARGET}, "systems, found the name None"),
    ]:
        with pytest.raises(po.PorankError, match=message):
            po.compare_systems(TARGET, systems)  # type: ignore[arg-type]
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"correction": "fdr"}, "correction to be one of 'max-t', 'holm'"),
        ({"significance": 5}, "significance to lie between 0 and 1"),
        ({"samples": 0.5}, "samples"),
        ({"seed": "x"}, "seed"),
        ({"measures": "tau"}, "name of a measure.* of system 'good'"),
    ]
    for options, message in wrong:
        with pytest.raises(po.PorankError, match=message):
            compared(**options)


def test_an_error_says_of_which_system() -> None:
    systems = {"A": TARGET, "B": {group: [1, 2] for group in TARGET}}
    with pytest.raises(po.ItemMismatchError, match="of system 'B'") as error:
        po.compare_systems(TARGET, systems, items="error", measures="gamma")
    assert error.value.only_target
    with pytest.raises(po.PorankError, match=r"expected one of 'kendall_tau_a', .* found None"):
        compared().order()
    with pytest.raises(po.PorankError, match="as measure, found 'gamma'"):
        compared().order("gamma")


def test_evaluations_that_do_not_fit() -> None:
    one = po.evaluate(TARGET, TARGET, measures="gamma")
    with pytest.raises(po.PorankError, match="measures of all evaluations to be the same"):
        po.compare_evaluations({"A": one, "B": po.evaluate(TARGET, TARGET, measures="f1")})
    with pytest.raises(po.PorankError, match="what evaluate returns as 'B', found a dict"):
        po.compare_evaluations({"A": one, "B": TARGET})  # type: ignore[dict-item]
    with pytest.raises(po.PorankError, match="by of all evaluations to be the same"):
        po.compare_evaluations(
            {"A": one, "B": po.evaluate(TARGET, TARGET, by="q", measures="gamma")}
        )
    infinite = replace(one, columns={**one.columns, "gamma": np.full(len(one), math.inf)})
    with pytest.raises(po.PorankError, match="finite values of 'gamma'"):
        po.compare_evaluations({"A": infinite})


def test_evaluations_of_a_comparison_have_not_kept_the_data() -> None:
    for evaluation in compared().evaluations.values():
        assert evaluation.groups is None
        assert len(evaluation.worst("kendall_tau_a", 3).columns) == 3
        with pytest.raises(po.NotApplicableError, match="of compare_systems, which has not kept"):
            evaluation.orders(0)


@pytest.mark.parametrize("unit", [None, "user"])
def test_the_sequence_of_groups_changes_no_p_value(unit: str | None) -> None:
    draw = random.Random(7)
    keys = [(f"u{k % 20}", k) for k in range(40)]
    target = {key: list(range(5)) for key in keys}
    guesses = {
        name: {key: [draw.gauss(0, 1) for _ in range(5)] for key in keys} for name in ("a", "b")
    }
    found = []
    for sequence in (keys, keys[::-1]):
        turned = {name: {key: guess[key] for key in sequence} for name, guess in guesses.items()}
        some = {key: target[key] for key in sequence}
        options: dict[str, Any] = {"by": ["user", "query"], "measures": "kendall_tau", "unit": unit}
        (pair,) = po.compare_systems(some, turned, samples=99, **options).pairs["kendall_tau"]
        found.append((pair.p_value, pair.adjusted, pair.low, pair.high))
    assert found[0] == pytest.approx(found[1], abs=1e-12)
