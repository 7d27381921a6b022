"""What an evaluation takes, what it tells, and what it refuses."""

import io
import math
from typing import Any

import networkx as nx
import numpy as np
import pytest

import porank as po
from tests.support.evaluations import PAIRS, PREDICTED, SCORES, column, found
from tests.support.refusals import refuses

pa = pytest.importorskip("pyarrow")
STATUSES = "inapplicable|undefined|cyclic target|only in target|empty|defined|only in predicted"


def test_statuses_values_and_witnesses() -> None:
    evaluation = found()
    assert column(evaluation, "user") == [1, 2, 3, 4, 5, 6, 7]
    assert column(evaluation, "status") == STATUSES.split("|")
    assert column(evaluation, "gamma") == [1 / 3, None, None, None, None, 1.0, None]
    assert column(evaluation, "completeness") == [1.0, 0.0, None, None, None, 1.0, None]
    assert column(evaluation, "kendall_distance") == [1.0, 0.0, None, None, None, 0.0, None]
    assert column(evaluation, "auc") == [None, 0.5, None, None, None, 1.0, None]
    assert evaluation.sizes.tolist() == [3, 2, 1, 0, 0, 2, 0]
    assert evaluation.count_statuses() == dict.fromkeys(STATUSES.split("|"), 1)
    assert evaluation.witness(3).cycle == ["a", "b", "c", "a"]
    assert evaluation.witness(2).why == {"gamma": "0/0: there is no pair that both orders decide"}
    ((name, why),) = evaluation.witness(1).why.items()
    assert name == "auc"
    assert "found 3 levels" in why
    assert (evaluation.witness(4).status, evaluation.witness(4).why) == ("only in target", {})
    assert evaluation.witness(6).why == {}


def test_cycles_and_groups_that_compare_no_item() -> None:
    pairs = {"user": [1] * 4, "preferred": list("axya"), "other": list("byxx")}
    evaluation = po.evaluate(pairs, {1: {"a": 2, "b": 1}}, measures=["gamma"])
    assert evaluation["status"].tolist() == ["cyclic target"]
    pairs = {"user": [1, 1], "preferred": ["a", "b"], "other": ["b", "b"]}
    evaluation = po.evaluate(PREDICTED, pairs, measures=["gamma"])
    assert evaluation["status"].tolist()[0] == "cyclic predicted"
    assert evaluation.witness(1).cycle == ["b", "b"]
    for n in (3, 70):
        chain = {"user": [1] * (n - 1), "preferred": range(n - 1), "other": range(1, n)}
        scores = {"user": [1] * n, "item": range(n), "score": range(n, 0, -1)}
        assert list(po.evaluate(chain, scores, measures=["gamma"])) == [(1, 1.0, "defined")]
        cyclic = {"user": [1] * n, "preferred": range(n), "other": [*range(1, n), 0]}
        for target, predicted, side in ((cyclic, scores, "target"), (scores, cyclic, "predicted")):
            evaluation = po.evaluate(target, predicted, measures=["gamma"])
            assert evaluation["status"].tolist() == [f"cyclic {side}"]
        other = scores | {"item": range(n, 2 * n)}
        elsewhere: Any = {"user": [2], "item": [0], "score": [1]}
        for apart, policy in ((other, "both"), (elsewhere, "target")):
            evaluation = po.evaluate(chain, apart, measures="zero_one_loss", groups=policy)
            assert (evaluation["status"][0], evaluation.sizes[0]) == ("empty", 0)
            assert math.isnan(evaluation["zero_one_loss"][0])
            assert evaluation.summary().rows[0][1] is None


def test_groups_and_items_that_differ() -> None:
    evaluation = found(groups="target", unlisted="incomparable")
    assert column(evaluation, "completeness") == [1.0, 0.0, None, 0.0, 0.0, 0.5, None]
    assert column(evaluation, "status")[3] == "undefined"
    assert column(found(groups="target"), "status")[3] == "empty"


TWO: Any = {1: {"a": 1, "b": 0}}, {1: {"a": 1, "c": 2}}
NUMBERED = {"user": [1, 1, 2], "item": np.array([9, 0, 9]), "score": [1, 2, 3]}
AGAIN = {"user": [1, 2, 2, 1], "item": np.array([0, 9, 9, 1]), "score": [1, 2, 3, 4]}
GRADED: Any = {"n": ("ndcg", {"relevance": "grade"})}
LEVEL: Any = {"n": ("ndcg", {"gain": "level", "relevance": "grade"})}

FAULTS: list[tuple[Any, Any, dict[str, Any], str]] = [
    (PAIRS, SCORES | {"score": [3, float("nan"), 2, 1, 2]}, {}, "nan for 'b' of group 1 in pred"),
    (
        PAIRS,
        pa.table(SCORES | {"score": [*"31", None, *"12"]}),
        {},
        "found None for 'c' of group 1",
    ),
    (
        PAIRS,
        SCORES | {"score": [1, 2, "x", 3, 4]},
        {},
        "line 3: expected a finite number as score in predicted, found 'x'",
    ),
    (PAIRS, io.StringIO("user,item,score\n1,a,x\n"), {}, "as score in predicted, found 'x'"),
    (
        PAIRS,
        io.StringIO("user,item,score\nu,a,1\nu,b,1_0\n"),
        {},
        "line 3: .* in predicted, found '1_0'",
    ),
    (PAIRS, SCORES | {"item": list("abaab")}, {}, "'a' twice in group 1 of predicted"),
    (NUMBERED, AGAIN, {}, "found 9 twice in group 2 of predicted"),
    (AGAIN, NUMBERED, {}, "found 9 twice in group 2 of target"),
    (PAIRS | {"user": [1, None, 2]}, SCORES, {}, "a user, found None in row 2 of target"),
    (SCORES | {"item": ["a", 1, None, "b", 2]}, SCORES, {}, "found None in row 3 of target"),
    ({7: {"a": 1, "": 2}}, {7: {"a": 1}}, {}, "expected an item, found '' of group 7 in target"),
    (PAIRS, SCORES, {"by": "query"}, "a column for query, found 'user'"),
    ({"user": [1]}, SCORES, {}, "'other' or 'user', 'item' and one of 'score', 'grade'"),
    (PAIRS, SCORES | {"rank": [1] * 5}, {}, "found 'score', 'rank'; keep one"),
    (PAIRS | {"score": [1] * 3}, SCORES, {}, "expected pairs or one column"),
    (PAIRS, SCORES | {"score": [1.0]}, {}, "columns of equal length"),
    (nx.DiGraph(["ab"]), SCORES, {}, "found a graph; compare"),
    (7, SCORES, {}, "expected a table as target.*found 7"),
    (PAIRS | {"user": list("112")}, SCORES, {}, "groups of one type.*'1' in target"),
    (PAIRS, SCORES | {"item": [1, 2, 3, 1, 2]}, {}, "items of one type on both"),
    (PAIRS, SCORES, {"by": ["user", "user"]}, "or more different column names"),
    (PAIRS, SCORES, {"by": "status"}, "measures and 'status', found 'status' more"),
    (PAIRS, SCORES, {"groups": None}, "groups to be one of 'both', 'target', found None"),
    (*TWO, {"unlisted": "open"}, "unlisted to be one of 'unretrieved', 'last', 'incomparable'"),
    (*TWO, {"unjudged": "error"}, "expected unjudged to be one of 'irrelevant'"),
    ({1: {"a": 1}}, {}, {"by": ["user", "day"]}, "tuples of 2 labels.*found 1"),
    ({1: {"a": 1}, 2: nx.Graph()}, {}, {}, "the undirected Graph.*, group 2"),
    ({}, {1: {"a": float("nan")}}, {}, "found nan for 'a' in predicted, group 1"),
    ({"g": {"a": -0.0, "b": -1.0}}, {"g": {"a": 3, "b": 2}}, {"measures": GRADED}, r"found -1\.0"),
    ({1: {"a": 2.0**1010}}, {1: {"a": 1}}, {"measures": LEVEL}, r"2\*\*1000.* 'n' of group 1"),
    ({"user": [1], "item": ["a"], "rank": [1]}, SCORES, {"measures": GRADED}, "with scores or gr"),
    (PAIRS, SCORES, {"undefined": "ignore"}, "a number or 'raise' as undefined, found 'ignore'"),
]

BAD_MEASURES: list[tuple[Any, str]] = [
    ([], "at least one measure, found none"),
    (["gamma", po.gamma], "each measure once, found 'gamma' more"),
    (7, "expected measures to be names"),
    ([("ndcg", {"k": 10})], "pass options together with the name"),
    ({"x": ("ndcg",)}, r"a measure or \(measure, options\) for 'x'"),
    ({1: "ndcg"}, "strings as column names in measures, found 1"),
    ({"x": ("gamma", {"target": 0})}, "as options of gamma, found 'target'"),
    ({"x": ("precision", {"k": 3})}, "use precision_at_k for lists"),
    ({"x": ("dcg", {"gain": "rank", "relevance": "grade"})}, "without gain='rank'.*options of 'x'"),
    ({"x": ("gamma", {"undefined": float("inf")})}, "finite number, nan or 'raise' as undefined"),
    ({"x": ("generalized_kendall", {"weights": {"a": 1}})}, "'x' of group 1"),
    ({"user": "gamma"}, "'status', found 'user' more than once"),
]

WRONG = [(PAIRS, SCORES, {"measures": each}, message) for each, message in BAD_MEASURES]


@pytest.mark.parametrize(("target", "predicted", "options", "message"), [*FAULTS, *WRONG])
def test_bad_input_is_refused_in_words(
    target: Any, predicted: Any, options: Any, message: str
) -> None:
    refuses(message, po.evaluate, target, predicted, **options)


#: Measures of relevant items, with and without their own options.
OF_RELEVANT = {
    "ap": "average_precision",
    "rr": ("reciprocal_rank", {"k": 3}),
    "p": ("precision_at_k", {"k": 2}),
    "r": ("recall_at_k", {"k": 2, "ties": "pessimistic"}),
    "hit": ("hit_rate", {"k": 1}),
}


def graded(seed: int) -> tuple[dict[int, Any], dict[int, Any]]:
    """Grades of 60 topics, and scores of some items, some of them not graded."""
    rng = np.random.default_rng(seed)
    items = [f"d{k}" for k in range(9)]
    target = {k: {x: int(rng.integers(-1, 4)) for x in items[:7]} for k in range(60)}
    scores = {k: {x: int(rng.integers(5)) for x in items[2:]} for k in range(60)}
    return target, scores


@pytest.mark.parametrize("least", [1, 2])
def test_grades_from_some_grade_on_are_relevant(least: int) -> None:
    target, predicted = graded(least)
    by: dict[str, Any] = {"by": "query", "measures": OF_RELEVANT}
    found = po.evaluate(target, predicted, relevant=least, **by)
    is_relevant = {k: {x: g >= least for x, g in each.items()} for k, each in target.items()}
    expected = po.evaluate(is_relevant, predicted, **by)
    for name in OF_RELEVANT:
        np.testing.assert_array_equal(found[name], expected[name])
        assert np.isfinite(found[name]).sum() > 50


def test_qrels_have_grades_from_1_on_as_relevant() -> None:
    target, predicted = graded(0)
    lines = [f"{k} 0 {x} {g}\n" for k, each in target.items() for x, g in each.items()]
    qrels = po.read_trec_qrels(io.StringIO("".join(lines)))
    run = {str(k): each for k, each in predicted.items()}
    found = po.evaluate(qrels, run, by="query", measures=["average_precision", "ndcg"])
    plain = po.evaluate(
        target, predicted, by="query", measures=["average_precision", "ndcg"], relevant=1
    )
    assert np.isfinite(found["average_precision"]).sum() > 50
    np.testing.assert_array_equal(found["average_precision"], plain["average_precision"])
    # The gain is still the grade.
    np.testing.assert_array_equal(found["ndcg"], plain["ndcg"])


def test_grades_without_a_least_one_are_inapplicable_and_say_so() -> None:
    target, predicted = graded(0)
    found = po.evaluate(target, predicted, by="query", measures="average_precision")
    assert np.isnan(found["average_precision"]).all()
    assert any("evaluate(..., relevant=1)" in note for note in found.notes())
    compared = po.compare_systems(
        target, {"one": predicted, "two": predicted}, by="query", measures="hit_rate", relevant=1
    )
    assert compared.groups["hit_rate"] > 50
