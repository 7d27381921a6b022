"""The result of an evaluation: values, statuses, intervals, summary, tables."""

import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import porank as po
from porank.results import Evaluation
from tests.support.evaluations import MEASURES, PREDICTED, SCORES, TARGET, column, found
from tests.support.oracles_evaluation import random_table
from tests.support.refusals import refuses

pa = pytest.importorskip("pyarrow")


def test_undefined_is_what_the_caller_wants() -> None:
    assert column(found(undefined=0.25), "gamma")[:3] == [1 / 3, 0.25, None]
    assert column(found(undefined=0.25), "status")[1] == "undefined"
    own = po.evaluate(TARGET, PREDICTED, measures={"own": ("gamma", {"undefined": 0})})
    assert column(own, "own")[:3] == [1 / 3, 0, None]
    with pytest.raises(po.errors.UndefinedError, match="decide, for 'gamma' of group 2") as caught:
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
        evaluation = po.evaluate(nothing, nothing, measures=["gamma"])
        assert list(evaluation) == []
        assert evaluation.summary().rows == (("gamma", None, None, None, None, 0, ""),)
        assert evaluation.worst("gamma").rows == ()
        assert evaluation.to_csv() == "user,gamma,status\n"


def test_sizes_and_the_worst_groups() -> None:
    evaluation = found()
    assert sorted(evaluation.sizes.tolist()) == [0, 0, 0, 1, 2, 2, 3]
    table = evaluation.worst("gamma", 1)
    assert table.columns[:3] == ("user", "gamma", "items")
    assert table.rows == ((1, 1 / 3, 3, 2, 1, 0, 0, 0),)
    assert [row[0] for row in evaluation.worst("kendall_distance").rows] == [1, 2, 6]
    assert evaluation.worst("gamma", 0).rows == ()
    classes = {("a", "b"): "concordant", ("a", "c"): "concordant", ("b", "c"): "discordant"}
    assert {(u, v): kind for u, v, kind in po.pair_classes(*evaluation.orders(1))} == classes


def test_frames_and_files(tmp_path: Path) -> None:
    evaluation = found()
    frame: Any = evaluation.to_frame()
    assert list(frame.columns) == ["user", *MEASURES, "status"] == evaluation.keys()
    lines = evaluation.to_csv().splitlines()
    assert lines[:2] == [",".join(evaluation.keys()), f"1,{1 / 3!r},1.0,1.0,nan,inapplicable"]
    evaluation.to_parquet(tmp_path / "found.parquet")
    again = pd.read_parquet(tmp_path / "found.parquet")
    pd.testing.assert_frame_equal(again, frame, check_dtype=False)
    # Groups of several types are texts.
    orders = {(1, "x"): [1, 2], (1, 7): [2, 1]}
    evaluation = po.evaluate(orders, orders, by=["user", "day"], measures="gamma")
    evaluation.to_parquet(tmp_path / "x.parquet")
    assert pd.read_parquet(tmp_path / "x.parquet")["day"].tolist() == ["x", "7"]
    assert pa.table(evaluation)["day"].to_pylist() == ["x", "7"]


def test_it_shows_its_summary() -> None:
    evaluation = found()
    notes = evaluation.notes()
    assert str(evaluation) == "\n".join([evaluation.to_table().to_text(), *notes])
    assert evaluation._repr_html_().startswith(evaluation.summary().to_html())
    assert "\\begin{tabular}" in evaluation.to_latex()
    assert repr(evaluation).startswith("<Evaluation: 7 rows of user, gamma,")
    with pytest.raises(KeyError, match="'tau'"):
        evaluation["tau"]
    # What does not apply at all says why.
    graded: Any = {1: {"a": 2, "b": 1, "c": 0}}
    notes = po.evaluate(graded, graded, measures=["precision_at_k", "ndcg"]).notes()
    assert notes[0].startswith("precision_at_k: expected a target of two levels, ")


def test_plain_python_values_come_back_and_inputs_are_unchanged() -> None:
    rng = random.Random(0)
    target, predicted = (random_table(form, range(9), rng) for form in ("pairs", "score"))
    scores = {name: np.array(values) for name, values in predicted.columns().items()}
    before = {name: values.copy() for name, values in scores.items()}
    evaluation = po.evaluate(target.columns(), scores)
    assert all(np.array_equal(scores[name], before[name]) for name in scores)
    for row in evaluation:
        assert [type(value) for value in row] == [int, *[float] * 5, str]
    for table in (evaluation.worst("edrc"), evaluation.summary()):
        assert not any(isinstance(value, np.generic) for row in table.rows for value in row)


def test_questions_that_an_evaluation_cannot_answer() -> None:
    cyclic = {"user": [1, 2, 2], "preferred": list("aab"), "other": list("bba")}
    found = po.evaluate(cyclic, SCORES, by="user", measures=["gamma", "edrc"])
    for ask, message in (
        (lambda: found.witness(99), "a group of the evaluation, found 99"),
        (lambda: found.worst("tau"), r"expected one of 'gamma', .*, found 'tau'"),
        (lambda: found.orders(2), "evaluated, found 2 with status 'cyclic target'"),
        (lambda: found.summary(unit="q"), "unit to be one of 'user', found 'q'"),
    ):
        refuses(message, ask)
