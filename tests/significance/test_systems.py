"""Comparisons of systems by orders or scores: which groups count, what is significant."""

import math
import random
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.errors import PorankError
from porank.measures.catalogue import MEASURES as CATALOGUE
from porank.results import SystemComparison
from porank.significance.paired_differences import PairedDifference
from tests.support import oracles_inference as oracle
from tests.support.oracles_extensions import linear_extensions
from tests.support.refusals import refuses
from tests.support.removals import gaps_of_removals

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


def test_systems_are_compared_by_the_scores_that_measures_give() -> None:
    found = compared()
    for measure in MEASURES:
        scores = {
            name: [CATALOGUE[measure](TARGET[group], own[group]) for group in TARGET]
            for name, own in SYSTEMS.items()
        }
        by_scores = po.compare_scores(scores, better=found.better[measure], samples=2000)
        assert found.pairs[measure] == by_scores.pairs["score"]
        assert found.order(measure).edges == by_scores.order().edges
        assert found.significant(measure).has_edge("good", "none")
        first = found.pairs[measure][0]
        assert found.differences(measure).rows[0][:3] == (measure, first.first, first.second)
    assert len(found.to_csv().splitlines()) == 13
    assert repr(found).startswith("<SystemComparison: 12 rows of measure, better, worse, ")


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
    assert found.statuses["gamma"] == {
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
    assert "different numbers of items in 1 group; to compare the same items" in str(found)
    even = po.compare_systems(target, systems, measures="completeness", unlisted="incomparable")
    assert even.uneven == {"completeness": 0}
    assert even.means["completeness"] == {"A": 1.0, "B": (1 / 3 + 1) / 2}


@pytest.mark.parametrize("unit", [None, "user"])
def test_the_sequence_of_rows_and_groups_changes_no_p_value(unit: str | None) -> None:
    draw = random.Random(7)
    rows = [
        {"user": f"u{k % 20}", "query": k, "a": draw.gauss(0, 1), "b": draw.gauss(0, 1)}
        for k in range(40)
    ]
    scores: list[Any] = []
    orders: list[Any] = []
    for turned in (rows, rows[::-1]):
        table = {name: [row[name] for row in turned] for name in ("user", "a", "b")}
        if unit is None:
            table["user"] = [f"{row['user']} {row['query']}" for row in turned]
        scores += po.compare_scores(table, unit=unit, samples=99).pairs["score"]
        keys = [(row["user"], row["query"]) for row in turned]
        guesses = {
            name: {key: [0, row[name], 1] for key, row in zip(keys, turned, strict=True)}
            for name in "ab"
        }
        options: dict[str, Any] = {"by": ["user", "query"], "measures": "kendall_tau", "unit": unit}
        target = {key: [0, 1, 2] for key in keys}
        orders += po.compare_systems(target, guesses, samples=99, **options).pairs["kendall_tau"]
    for one, other in (scores, orders):
        assert (one.p_value, one.adjusted) == (other.p_value, other.adjusted)
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-12)


def test_a_unit_of_rows() -> None:
    rng = np.random.default_rng(4)
    family = np.repeat(np.arange(10), 6)
    table: dict[str, Any] = {"family": [f"f{k}" for k in family], "b": rng.normal(0, 0.1, 60)}
    table["a"] = rng.normal(size=10)[family] + rng.normal(0, 0.1, 60)
    clustered = po.compare_scores(table, unit="family")
    alone = po.compare_scores({name: table[name] for name in "ab"})
    assert clustered.systems == ("b", "a")
    assert clustered.pairs["score"][0].adjusted > 3 * alone.pairs["score"][0].adjusted
    assert "randomization test by family, max-T" in str(clustered)


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
    # A target that can be read once.
    rows = [{"user": 1, "item": item, "grade": grade} for item, grade in (("a", 1), ("b", 0))]
    systems: dict[str, Any] = {name: {1: {"a": 1, "b": 0}} for name in "AB"}
    found = po.compare_systems(iter(rows), systems, measures=iter(["gamma", "f1"]))
    assert found.groups == {"gamma": 1, "f1": 1}


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


def test_marks_of_six_systems() -> None:
    every = combinations("ABCDEF", 2)
    pairs = [difference(u, v, 0.5 if u + v == "AE" else 0.01) for u, v in every]
    table = shown_with(*pairs, missing="pairwise").to_table()
    assert [row[-1] for row in table.rows] == ["2-4,6", "3-6", "4-6", "5,6", "6", ""]


def test_a_broken_chain_is_closed_over_means_on_the_same_groups() -> None:
    found = chain_of_three()
    assert set(found.significant().edges) == {("A", "B"), ("B", "C")}
    assert found.broken() == [("A", "B", "C")]
    G = found.order()
    assert set(G.edges) == {("A", "B"), ("B", "C"), ("A", "C")}
    assert G.edges["A", "C"] == {"difference": 0.5, "p_value": 0.07, "added": True}
    settled = {"difference": 0.5, "p_value": 0.01, "added": False, "rests_on": None}
    assert G.edges["A", "B"] == settled
    assert found.rank_sets() == {"A": (1, 1), "B": (2, 2), "C": (3, 3)}
    assert found.notes() == ["gamma: not significant, but follows: A > C"]
    assert [row[3:] for row in found.to_table().rows] == [("2,3", "1"), ("3", "2"), ("", "3")]


def test_a_broken_chain_is_told_and_not_closed_over() -> None:
    found, why = chain_of_three(missing="pairwise"), "compared on different groups; missing='at"
    for ask, message in (
        (found.order, f"'A' > 'B' > 'C' in 'gamma'.* not follow.*{why}"),
        (found.rank_sets, f"simultaneous sets of ranks.*{why}"),
    ):
        refuses(message, ask, error=po.errors.NotApplicableError)
    told = "gamma: not transitive: A > B > C, but A and C do not differ significantly"
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
    assert found.notes()[1] == "score: cycle A > B > C > A"
    assert found.notes()[1] in str(found)
    assert found.broken() == []


# Tables of scores, against the definitions on small tables.

LEVEL = Fraction(1, 4)
CELLS = st.sampled_from([None, 0, 0, 1, 1, 2, 3])


def tables(cells: st.SearchStrategy[Any] = CELLS) -> st.SearchStrategy[Any]:
    column = st.lists(cells, min_size=6, max_size=6)
    found = st.lists(column, min_size=2, max_size=5).map(lambda some: dict(zip("abcde", some)))  # noqa: B905
    return found.filter(lambda table: {*chain(*table.values())} != {None})


def found_by_definition(table: dict[str, list[Any]]) -> nx.DiGraph:
    """The significant differences, each pair of systems on the rows that both have."""
    columns = {}
    for u, v in combinations(table, 2):
        pairs = zip(table[u], table[v], strict=True)
        column = [None if x is None or y is None else float(x - y) for x, y in pairs]
        known = [each for each in column if each is not None]
        if known:
            side = 1 if sum(known) >= 0 else -1
            columns[(u, v)[::side]] = [None if d is None else side * d for d in column]
    G = nx.DiGraph()
    G.add_nodes_from(table)
    if columns:
        adjusted = oracle.max_t(list(columns.values()))[1]
        pairs = zip(columns, adjusted, strict=True)
        G.add_edges_from(pair for pair, p in pairs if p <= float(LEVEL))
    return G


@given(tables() | tables(cells=st.integers(0, 3)))
def test_scores_by_definition(table: dict[str, list[Any]]) -> None:
    found = po.compare_scores(table, risk=float(LEVEL))
    stated = found_by_definition(table)
    assert set(found.significant().edges) == set(stated.edges)
    if not any(None in column for column in table.values()):
        assert set(found.order().edges) == set(nx.transitive_closure_dag(stated).edges)
        places = {u: [1 + line.index(u) for line in linear_extensions(stated)] for u in stated}
        assert found.rank_sets() == {u: (min(own), max(own)) for u, own in places.items()}
    errors = {
        system: [None if cell is None else 10 - 4 * cell for cell in column]
        for system, column in table.items()
    }
    mirrored = po.compare_scores(errors, risk=float(LEVEL), better="lower")
    assert set(mirrored.significant().edges) == set(stated.edges)
    for system, column in table.items():
        known = [cell for cell in column if cell is not None]
        mean = sum(known) / len(known) if known else math.nan
        assert found.means["score"][system] == pytest.approx(mean, nan_ok=True)
    for each in found.pairs["score"]:
        rows = zip(table[each.first], table[each.second], strict=True)
        shared = [x - y for x, y in rows if x is not None and y is not None]
        assert each.wins + each.losses + each.ties == len(shared)
        assert each.wins == sum(d > 0 for d in shared)
        mean = sum(shared) / len(shared) if shared else math.nan
        assert each.difference == pytest.approx(mean, nan_ok=True)


def test_nothing_is_closed_over_different_rows_unless_that_is_asserted() -> None:
    rng = np.random.default_rng(0)
    ease = rng.normal(size=12)
    table: dict[str, list[Any]] = {
        "top": (ease + 1 + rng.normal(0, 0.4, 12)).tolist(),
        "mid": (ease + rng.normal(0, 0.1, 12)).tolist(),
        "low": [None] * 8 + (ease - 1 + rng.normal(0, 0.4, 12)).tolist()[8:],
    }
    found = po.compare_scores(table, risk=0.4)
    refuses("missing='at random' assumes", found.rank_sets, error=po.errors.NotApplicableError)
    assert found.notes() == ["score: pairs of systems compared on 4 to 12 of 12 rows"]
    asserted = po.compare_scores(table, risk=0.4, missing="at random")
    assert asserted.rank_sets() == {"top": (1, 1), "mid": (2, 2), "low": (3, 3)}
    kept = po.compare_scores(table, risk=0.4, missing="drop")
    assert (kept.groups["score"], kept.left_out["score"]) == (4, 8)
    assert kept.notes()[0] == "score: 8 rows left out (low: 8 blank)"
    assert kept.rank_sets()


def test_what_was_never_compared_is_incomparable_and_said() -> None:
    table = {"a": [1] * 8 + [None] * 8, "b": [0] * 8 + [None] * 8, "c": [None] * 8 + [1] * 8}
    found = po.compare_scores(table | {"d": [None] * 8 + [0] * 8})
    assert set(found.order().edges) == {("a", "b"), ("c", "d")}
    assert found.notes() == [
        "score: pairs of systems compared on 8 of 16 rows",
        "score: not connected by comparisons: a, b; c, d",
    ]
    assert math.isnan(next(p.p_value for p in found.pairs["score"] if p.wins + p.losses == 0))


def test_score_tables_of_every_form(tmp_path: Path) -> None:
    rows = [{"prompt": f"p{k}", "ä": k % 2, "b": None if k == 3 else 1} for k in range(8)]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    truths = columns | {"b": [None if each is None else bool(each) for each in columns["b"]]}
    pd.DataFrame(rows).to_csv(tmp_path / "scores.csv", index=False)
    for table in (tmp_path / "scores.csv", columns, truths):
        assert str(po.compare_scores(table)) == str(po.compare_scores(rows))
    few = np.random.default_rng(0).normal(size=(12, 3)).round(1)
    assert str(po.compare_scores(few)) == str(po.compare_scores(dict(enumerate(few.T))))
    unnamed = {"which": ["x", "y"], "a": [1, 2], "b": [0, 1]}
    assert po.compare_scores(unnamed).systems == ("a", "b")
    assert po.compare_scores({"n": [7, 8], "a": [1, 2]}, by="n").systems == ("a",)
    assert list(po.compare_scores({"a": [1.0]}).order()) == ["a"]


# What is refused.

BAD_TABLES: list[tuple[Any, dict[str, Any], str]] = [
    ({"a": [1, "x"], "b": [1, 2]}, {}, r"line 2: .*number as a score, found 'x' in column 'a'"),
    ({"a": [1, math.inf]}, {}, "finite number as a score, found inf in column 'a'"),
    ({"a": [0.0, 1e308], "b": [1, 2]}, {}, "line 2: expected a score from -1e150 to 1e150"),
    ({"a": [0.0, -1e151], "b": [1, 2]}, {}, "line 2: expected a score from -1e150 to 1e150"),
    ({"task": ["p", "p"], "a": [1, 2]}, {}, r"line 2: .*each task once, found 'p'"),
    ({"task": ["p"]}, {}, "a column for each system, found none"),
    ({"task": ["p"], "Rank": [1]}, {}, "a column for each system, found 'Rank'"),
    ([], {}, "a column for each system, found none"),
    ({"a": [], "b": []}, {}, "rows with scores, found none in 0 rows"),
    ({"a": [1, None], "b": [None, 2]}, {"missing": "drop"}, "of all systems, found none in 2"),
    ({"a": [1]}, {"by": "x"}, r"one of the columns 'a' as by, found 'x'"),
    ({"a": [1]}, {"unit": "x"}, r"one of the columns 'a' as unit, found 'x'"),
    ({"f": ["p", ""], "a": [1, 2]}, {"unit": "f"}, "line 2: expected a name of a cluster"),
    ({"f": ["p", "q"]}, {"unit": "f"}, "a column for each system, f"),
    ({"a": [1]}, {"missing": "no"}, "missing to be one of"),
    ({"a": [1]}, {"better": "more"}, "better to be one of"),
]
BAD_SYSTEMS: list[tuple[Any, dict[str, Any], str]] = [
    ([TARGET], {}, "mapping from names of systems to predictions as systems, found a list"),
    ({}, {}, "at least one system, with a name, in systems, found none"),
    ({None: TARGET}, {}, "systems, found the name None"),
    (SYSTEMS, {"risk": 5}, "strictly between 0 and 1 as risk"),
    (SYSTEMS, {"samples": 0.5}, "samples"),
    (SYSTEMS, {"seed": "x"}, "seed"),
    (SYSTEMS, {"measures": "tau"}, "name of a measure.* of system 'good'"),
    ({"B": {group: {"a": math.nan} for group in TARGET}}, {}, "of system 'B'"),
]
GAMMA, F1 = (po.evaluate(TARGET, TARGET, measures=name) for name in ("gamma", "f1"))
BY_Q = po.evaluate(TARGET, TARGET, measures="gamma", by="q")
INFINITE = replace(GAMMA, columns={**GAMMA.columns, "gamma": np.full(10, math.inf)})
BAD_EVALUATIONS: list[tuple[dict[str, Any], str]] = [
    ({"A": GAMMA, "B": F1}, "measures to be the same in all"),
    ({"A": GAMMA, "B": TARGET}, "an Evaluation as 'B', found a dict"),
    ({"A": GAMMA, "B": BY_Q}, "by to be the same in all"),
    ({"A": INFINITE}, "of infinite values: 'gamma'"),
]


def test_bad_input_is_refused_in_words() -> None:
    whole = compared()
    calls: list[tuple[Any, str]] = [
        *((partial(po.compare_scores, each, **how), message) for each, how, message in BAD_TABLES),
        *(
            (partial(po.compare_systems, TARGET, s, **how), message)
            for s, how, message in BAD_SYSTEMS
        ),
        *((partial(po.compare_evaluations, each), message) for each, message in BAD_EVALUATIONS),
        (partial(whole.order, None), "'kendall_tau_a', .* found None"),
        (partial(whole.order, "f1"), "found 'f1'"),
    ]
    for call, message in calls:
        refuses(message, call)


def test_a_bad_cell_of_a_measure_has_its_line(tmp_path: Path) -> None:
    (path := tmp_path / "scores.csv").write_text("task,m,one,two\np,q,1,2\np,c,3,4\nr,c,x,3\n")
    for table, line in ((path, 4), (pd.read_csv(path), 3)):
        with pytest.raises(po.errors.ParseError, match="found 'x' in column 'one'") as caught:
            po.compare_scores(table, measure="m")
        assert caught.value.line == line


# What is not a system.


def with_index(frame: pd.DataFrame, tmp_path: Path, how: str) -> Any:
    """The scores with a column of labels of rows, as programs write it."""
    if how == "pandas":
        frame.to_csv(path := tmp_path / "scores.csv")
        return path
    if how == "R":
        rows = "".join(f'"{k}",{a},{b}\n' for k, a, b in frame.itertuples())
        (path := tmp_path / "scores.csv").write_text('"","new","old"\n' + rows)
        return path
    return frame.reset_index(names=how)


@pytest.mark.parametrize("how", ["pandas", "R", "index", "Unnamed: 0", "rownames", "row.names"])
def test_labels_of_rows_are_not_a_system(how: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"new": rng.normal(1, 1, 9), "old": rng.normal(0, 1, 9)})
    found = po.compare_scores(with_index(frame, tmp_path, how))
    assert found.systems == ("new", "old")
    assert found.means == po.compare_scores(frame).means
    assert found.remarks == ()


def test_labels_of_rows_may_repeat_and_tasks_may_not() -> None:
    frame = pd.DataFrame({"new": [1.5, 2.5], "old": [1.0, 0.5]})
    twice = pd.concat([frame, frame]).reset_index()
    assert po.compare_scores(twice).groups == {"score": 4}
    with pytest.raises(PorankError, match=r"expected each task once, found 0 again.*fit_strengths"):
        po.compare_scores(twice.rename(columns={"index": "task"}))
    columns = {"model": ["new", "new", "old", "old"], "task": [1, 2, 1, 2], "score": [5, 6, 3, 2]}
    long = pd.DataFrame(columns)
    refuses(r"table\.pivot\(index='task', columns='model', values=", po.compare_scores, long)
    wide = long.pivot(index="task", columns="model", values="score")
    assert po.compare_scores(wide).systems == ("new", "old")


def test_years_seeds_and_folds_are_not_systems_and_this_is_said() -> None:
    table = {"seed": [7, 8], "fold": [0, 0], "Year": [1999, 2001], "a": [0.5, 1], "b": [1, 0]}
    found = po.compare_scores(table)
    assert found.systems == ("a", "b")
    assert found.notes() == ["not read as systems, because of their names: 'seed', 'fold', 'Year'"]
    assert po.compare_scores(table, unit="seed").cluster == "seed"
    assert po.compare_scores({"run": [1, 2], "a": [0.5, 1]}, by="run").systems == ("a",)


def test_whole_numbers_beside_fractions_are_named() -> None:
    table = {"n": [20, 31, 5], "a": [0.5, 0.25, 1], "exact": [1, 0, 1], "gap": [None, 3, 2]}
    notes = po.compare_scores(table).remarks
    assert notes == ("whole numbers beside fractions may be labels: 'n', 'gap'",)
    assert po.compare_scores({"a": [5, 7, 9], "b": [3, 1, 8]}).remarks == ()


@pytest.mark.parametrize("name", ["mean", "Average", "TOTAL", "std"])
def test_a_row_of_means_is_not_a_task(name: str, tmp_path: Path) -> None:
    scores: dict[str, list[Any]] = {
        "task": ["p", "q", "r"],
        "a": [1.5, 2.5, 3.5],
        "b": [1.0, 0.5, 0.25],
    }
    whole = {"task": [*scores["task"], name], "a": [*scores["a"], 2.5], "b": [*scores["b"], 0.6]}
    found, expected = po.compare_scores(whole), po.compare_scores(scores)
    assert (found.groups, found.means) == (expected.groups, expected.means)
    assert found.remarks == (f"rows left out, because of their names: {name!r}",)
    turned = {column: cells[::-1] for column, cells in whole.items()}
    assert po.compare_scores(turned).means == expected.means
    families = [{**table, "family": list("xxyy")[: len(table["a"])]} for table in (whole, scores)]
    one, other = (po.compare_scores(table, unit="family") for table in families)
    assert (one.pairs, one.clusters) == (other.pairs, other.clusters)
    # pandas writes the same with an unnamed column.
    frame = pd.DataFrame({"a": [1.5, 2.5], "b": [1.0, 0.5]})
    (path := tmp_path / "scores.csv").write_text(f"{frame.to_csv()}mean,2.0,0.75\n")
    assert po.compare_scores(path).groups == {"score": 2}


def test_a_cell_that_is_a_list_is_no_task_and_no_item() -> None:
    with pytest.raises(po.PorankError, match=r"expected a task, found \[1\]"):
        po.compare_scores([{"task": [1], "a": 0.5, "b": 0.25}, {"task": [2], "a": 1, "b": 0.75}])
    battles = pd.DataFrame({"model_a": [["x", "y"]], "model_b": ["z"], "winner": ["z"]})
    battles["model_a"] = battles["model_a"].map(np.array)
    refuses("array", po.fit_strengths, battles)


@pytest.mark.slow
def test_what_a_difference_rests_on_by_brute_force() -> None:
    """Compared anew without each set of tasks, small ones first: the number is about right."""
    gaps: list[int] = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        tasks, size = int(rng.integers(7, 11)), int(rng.integers(2, 5))
        values = rng.uniform(0.5, 2) * np.arange(size) + rng.normal(size=(tasks, size))

        def found_without(gone: Any) -> nx.DiGraph:
            left = np.delete(values, [*gone], axis=0)  # noqa: B023
            return po.compare_scores(left).significant()

        gaps += gaps_of_removals(found_without, tasks, most=5)
    assert (len(gaps), sum(abs(gap) <= 1 for gap in gaps), max(map(abs, gaps))) == (80, 77, 2)


def test_with_one_task_more_or_less_a_difference_rests_on_one_more_or_less() -> None:
    rng = np.random.default_rng(0)
    values = np.arange(3) + rng.normal(size=(40, 3))
    better, lower = (
        po.compare_scores(sign * values, better=way) for sign, way in ((1, "higher"), (-1, "lower"))
    )
    assert [each.rests_on for each in better.pairs["score"]] == [
        each.rests_on for each in lower.pairs["score"]
    ]
    order = better.order()
    for u, v, data in order.edges(data=True):
        assert ("rests_on" in data) is not data["added"]
        assert po.why(order, u, v).weight == "rests_on"


def test_an_order_names_what_it_rests_on() -> None:
    table = {"a": [1.0] * 30, "b": [0.0] * 30}
    assert po.compare_scores(table).order().graph["unit"] == "row"
