"""What an evaluation tells: statuses, witnesses, tables, and groups without a value."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import porank as po
from porank.results import Evaluation
from tests.oracles_evaluation import random_table

TARGET = {
    "user": [1, 1, 2, 3, 3, 3, 4, 5, 6, 6, 6],
    "preferred": ["a", "b", "a", "a", "b", "c", "a", "a", "a", "a", "a"],
    "other": ["b", "c", "b", "b", "c", "a", "b", "b", "b", "b", "c"],
}
PREDICTED = {
    "user": [1, 1, 1, 2, 2, 3, 5, 5, 6, 6, 7],
    "item": ["a", "b", "c", "a", "b", "a", "x", "y", "a", "b", "a"],
    "score": [3, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1],
}
MEASURES = ["gamma", "completeness", "kendall_distance", "auc"]
STATUSES = "inapplicable|undefined|cyclic target|only in target|empty|defined|only in predicted"


def found(**options: Any) -> Evaluation:
    return po.evaluate(TARGET, PREDICTED, measures=MEASURES, **options)


def column(evaluation: Evaluation, name: str) -> list[Any]:
    return [None if value != value else value for value in evaluation[name].tolist()]


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


def test_cycles_among_items_not_compared_of_one_item_and_of_large_groups() -> None:
    pairs = {"user": [1] * 4, "preferred": list("axya"), "other": list("byxx")}
    evaluation = po.evaluate(pairs, {1: {"a": 2, "b": 1}}, measures=["gamma"])
    assert evaluation["status"].tolist() == ["cyclic target"]
    pairs = {"user": [1, 1], "preferred": ["a", "b"], "other": ["b", "b"]}
    evaluation = po.evaluate(PREDICTED, pairs, measures=["gamma"])
    assert evaluation["status"].tolist()[0] == "cyclic predicted"
    assert evaluation.witness(1).cycle == ["b", "b"]
    n = 100
    chain = {"user": [1] * (n - 1), "preferred": range(n - 1), "other": range(1, n)}
    scores = {"user": [1] * n, "item": range(n), "score": range(n, 0, -1)}
    assert list(po.evaluate(chain, scores, measures=["gamma"])) == [(1, 1.0, "defined")]
    cyclic = {"user": [1] * (n + 1), "preferred": [*range(n), 0], "other": [*range(1, n), 0, 1]}
    for target, predicted, side in ((cyclic, scores, "target"), (scores, cyclic, "predicted")):
        evaluation = po.evaluate(target, predicted, measures=["gamma"])
        assert evaluation["status"].tolist() == [f"cyclic {side}"]


@pytest.mark.parametrize("n", [3, 70])
def test_a_group_that_compares_no_item_is_empty_however_large(n: int) -> None:
    chain = {"user": [1] * (n - 1), "preferred": range(n - 1), "other": range(1, n)}
    other = {"user": [1] * n, "item": range(n, 2 * n), "score": range(n)}
    elsewhere = {"user": [2], "item": [0], "score": [1]}
    measures = ["gamma", "zero_one_loss", "kendall_distance"]
    for predicted, policy in ((other, "both"), (other, "target"), (elsewhere, "target")):
        evaluation = po.evaluate(chain, predicted, measures=measures, groups=policy)
        assert (evaluation["status"][0], evaluation.sizes[0]) == ("empty", 0)
        assert all(math.isnan(evaluation[name][0]) for name in measures)
        assert evaluation.summary().rows[1][1] is None


def test_groups_and_items_that_differ() -> None:
    evaluation = found(groups="target", items="target")
    assert column(evaluation, "completeness") == [1.0, 0.0, None, 0.0, 0.0, 0.5, None]
    assert column(evaluation, "status")[3] == "undefined"
    assert column(found(groups="target"), "status")[3] == "empty"
    with pytest.raises(po.ItemMismatchError, match="only in target: 'b', 'c' of group 3") as caught:
        found(items="error")
    assert (caught.value.only_target, caught.value.only_predicted) == (["b", "c"], [])
    # Groups of one side have no items that differ.
    target: dict[Any, Any] = {1: {"a": 1, "b": 2}, 2: {"a": 1, "b": 2}}
    predicted = {1: {"a": 1, "b": 2}, 3: {"x": 1}}
    evaluation = po.evaluate(target, predicted, measures="gamma", items="error")
    assert evaluation["status"].tolist() == ["defined", "only in target", "only in predicted"]
    same = po.evaluate({1: {"a": 1}}, {1: {"a": 2}}, items="error", groups="error")
    assert same["status"].tolist() == ["undefined"]


def test_undefined_is_what_the_caller_wants() -> None:
    assert column(found(undefined=0.25), "gamma")[:3] == [1 / 3, 0.25, None]
    assert column(found(undefined=0.25), "status")[1] == "undefined"
    own = po.evaluate(TARGET, PREDICTED, measures={"own": ("gamma", {"undefined": 0})})
    assert column(own, "own")[:3] == [1 / 3, 0, None]
    with pytest.raises(po.UndefinedError, match="both orders decide, 'gamma' of group 2") as caught:
        found(undefined="raise")
    assert caught.value.why == "there is no pair that both orders decide"
    tied = {user: {"a": 1, "b": 1} for user in range(2)}
    rows = po.evaluate(tied, tied, measures="gamma", undefined=0).summary().rows
    assert list(rows) == [("gamma", 0.0, None, None, 0.0, 2, "")]


def test_summary_counts_what_has_no_value_and_leaves_it_out() -> None:
    rows: dict[Any, Any] = {row[0]: row for row in found().summary().rows}
    assert rows["gamma"][1] == pytest.approx((1 / 3 + 1) / 2)
    assert rows["gamma"][4:6] == (pytest.approx(2 / 3), 2)
    why = "1 undefined, 1 empty, 1 cyclic target, 1 only in target, 1 only in predicted"
    assert rows["gamma"][6] == why
    assert rows["auc"][6].startswith("1 inapplicable, ")
    assert rows["gamma"][2:4] == (None, None)
    few = "gamma, completeness, kendall_distance, auc: no interval (fewer than 5 groups, "
    assert found().notes()[-1].startswith(few)


def queries_of(users: int, values: np.ndarray[Any, Any]) -> Evaluation:
    """Three queries for each user, whose AUC is 1 for an item that stands above another, else 0."""
    groups = [(user, query) for user in range(users) for query in range(3)]
    target = {group: {"a": 1, "b": 0} for group in groups}
    predicted = {
        group: {"a": value, "b": 0.5} for group, value in zip(groups, values.tolist(), strict=True)
    }
    return po.evaluate(target, predicted, by=["user", "query"], measures=["auc", "dcg"])


def test_groups_of_one_user_are_drawn_together() -> None:
    rng = np.random.default_rng(0)
    evaluation = queries_of(40, np.repeat(rng.integers(2, size=40), 3))
    ends: dict[Any, Any] = {
        unit: evaluation.summary(unit=unit).rows[0][1:4] for unit in (None, "user", "query")
    }
    # Three equal queries of a user say no more than one.
    alone = queries_of(40, np.repeat(rng.permutation(40) < 40 * ends[None][0], 3)).summary
    assert ends["user"] == pytest.approx(alone(unit="user").rows[0][1:4])
    width = {unit: high - low for unit, (_, low, high) in ends.items() if unit != "query"}
    assert width["user"] == pytest.approx(math.sqrt(3) * width[None], rel=0.15)
    assert ends["query"][1:] == (None, None)
    few = "auc, dcg: no interval (fewer than 5 values of query, "
    assert evaluation.notes(unit="query")[-1].startswith(few)


def test_equal_values_of_few_groups_are_no_certainty() -> None:
    evaluation = queries_of(4, np.ones(12))
    auc: Any
    auc, dcg = evaluation.summary().rows
    assert auc[1] == auc[3] == 1
    assert 0.6 < auc[2] < 0.75
    assert dcg[1:4] == (1.0, None, None)
    assert [note[:18] for note in evaluation.notes()] == ["dcg: no interval ("]


def test_an_evaluation_of_nothing() -> None:
    nothings: list[Any] = [{}, {"user": [], "preferred": [], "other": []}, []]
    for nothing in nothings:
        evaluation = po.evaluate(nothing, nothing, measures=["gamma", "edrc"])
        assert (len(evaluation), list(evaluation)) == (0, [])
        empty = (None, None, None, None, 0, "")
        assert evaluation.summary().rows == (("gamma", *empty), ("edrc", *empty))
        assert evaluation.by_size().rows == evaluation.worst("gamma").rows == ()
        assert evaluation.to_csv() == "user,gamma,edrc,status\n"


def test_sizes_and_the_worst_groups() -> None:
    evaluation = found()
    assert evaluation.by_size().rows == (
        ("0", 3, None, None, None, None),
        ("1", 1, None, None, None, None),
        ("2", 2, 1.0, 0.5, 0.0, 0.75),
        ("3 to 4", 1, 1 / 3, 1.0, 1.0, None),
    )
    table = evaluation.worst("gamma", 1)
    assert table.columns[:3] == ("user", "gamma", "items")
    assert table.rows == ((1, 1 / 3, 3, 2, 1, 0, 0, 0),)
    assert [row[0] for row in evaluation.worst("kendall_distance").rows] == [1, 2, 6]
    assert evaluation.worst("gamma", 0).rows == ()
    classes = {("a", "b"): "concordant", ("a", "c"): "concordant", ("b", "c"): "discordant"}
    assert {(u, v): kind for u, v, kind in evaluation.pair_classes(1)} == classes


def test_frames_files_and_streams(tmp_path: Path) -> None:
    pandas, arrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    evaluation = found()
    frame = evaluation.to_frame()
    assert list(frame.columns) == ["user", *MEASURES, "status"] == evaluation.keys()
    assert frame["user"].tolist() == [1, 2, 3, 4, 5, 6, 7]
    lines = evaluation.to_csv().splitlines()
    assert lines[:2] == [",".join(evaluation.keys()), f"1,{1 / 3!r},1.0,1.0,nan,inapplicable"]
    evaluation.to_parquet(tmp_path / "found.parquet")
    again = pandas.read_parquet(tmp_path / "found.parquet")
    pandas.testing.assert_frame_equal(again, frame, check_dtype=False)
    # Groups of several types are texts.
    orders = {(1, "x"): [1, 2], (1, 7): [2, 1]}
    evaluation = po.evaluate(orders, orders, by=["user", "day"], measures="gamma")
    evaluation.to_parquet(tmp_path / "x.parquet")
    assert pandas.read_parquet(tmp_path / "x.parquet")["day"].tolist() == ["x", "7"]
    assert arrow.table(evaluation)["day"].to_pylist() == ["x", "7"]


def test_it_shows_its_summary() -> None:
    evaluation = found()
    notes = evaluation.notes()
    assert str(evaluation) == "\n".join([evaluation.to_table().to_text(), *notes])
    assert evaluation._repr_html_().startswith(evaluation.summary().to_html())
    assert evaluation._repr_html_().endswith(f"<p>{notes[-1]}</p>")
    assert "\\begin{tabular}" in evaluation.to_latex()
    assert repr(evaluation).startswith("<Evaluation: 7 groups, gamma,")
    with pytest.raises(KeyError, match="'tau'"):
        evaluation["tau"]
    # What does not apply at all says why.
    graded: Any = {1: {"a": 2, "b": 1, "c": 0}}
    notes = po.evaluate(graded, graded, measures=["precision_at_k", "ndcg"]).notes()
    assert notes[0].startswith("precision_at_k: expected a target of two levels, ")


def test_plain_python_values_come_back() -> None:
    rng = random.Random(0)
    target, predicted = (random_table(form, range(9), rng) for form in ("pairs", "score"))
    evaluation = po.evaluate(target.columns(), predicted.columns())
    for row in evaluation:
        assert [type(value) for value in row] == [int, *[float] * 5, str]
    for table in (evaluation.worst("edrc"), evaluation.summary(), evaluation.by_size()):
        assert not any(isinstance(value, np.generic) for row in table.rows for value in row)


def test_inputs_are_unchanged() -> None:
    user = np.array([2, 1, 1])
    table = {"user": user, "item": np.array(["a", "a", "b"]), "score": np.array([1.0, 2.0, 3.0])}
    before = {name: values.copy() for name, values in table.items()}
    po.evaluate(table, table)
    assert all(np.array_equal(table[name], before[name]) for name in table)
