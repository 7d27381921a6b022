"""What an evaluation takes, what it tells, and what it refuses."""

from __future__ import annotations

import io
import math
import random
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import porank as po
from porank.results import Evaluation
from tests.support.oracles_evaluation import random_table
from tests.support.strategies import ITEMS, order_pairs

pa = pytest.importorskip("pyarrow")


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


# Tables of any form as input.

PAIRS: dict[str, list[Any]] = {"user": [1, 1, 2], "preferred": list("aba"), "other": list("bcb")}
SCORES: dict[str, list[Any]] = {
    "user": [1, 1, 1, 2, 2],
    "item": list("abcab"),
    "score": [3.0, 1.0, 2.0, 1.0, 2.0],
}
WANTED = [(1, 1 / 3, "defined"), (2, -1.0, "defined")]


def gamma(target: Any, predicted: Any, **options: Any) -> list[Any]:
    return list(po.evaluate(target, predicted, measures="gamma", **options))


def test_tables_of_every_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("porank.core.columns.BLOCK_ROWS", 2)
    pairs, scores = frames = pd.DataFrame(PAIRS), pd.DataFrame(SCORES)
    for number, frame in enumerate(frames):
        frame.to_parquet(tmp_path / f"{number}.parquet", row_group_size=2)
        frame.to_csv(tmp_path / f"{number}.csv", index=False)
    texts = list(map(str, SCORES["score"]))
    numbers = pa.array(SCORES["score"])
    for both in (
        (PAIRS, SCORES),
        frames,
        (pa.table(PAIRS), pa.table(SCORES).to_reader()),
        (pairs.to_dict("records"), scores.to_dict("records")),
        (tmp_path / "0.parquet", str(tmp_path / "1.parquet")),
        (pairs, scores.astype({"item": "category"})),
        (PAIRS, SCORES | {"score": texts}),
        (PAIRS, SCORES | {"score": np.array(texts)}),
        (pa.table(PAIRS), pa.table(SCORES | {"score": texts})),
        (pa.table(PAIRS), pa.table(SCORES | {"score": numbers.dictionary_encode()})),
        (pairs.rename(columns={"user": "user_id"}), scores.rename(columns={"item": "item_id"})),
    ):
        assert gamma(*both) == WANTED
    texts_too = [(str(user), value, status) for user, value, status in WANTED]
    assert gamma(tmp_path / "0.csv", tmp_path / "1.csv") == texts_too
    users = scores.astype({"user": pd.CategoricalDtype([5, 2, 1])})
    for unused in (users, pa.Table.from_pandas(users)):
        assert gamma(unused, unused) == [(1, 1.0, "defined"), (2, 1.0, "defined")]
    ranks = {"user": [1, 1], "item": ["a", "b"], "rank": [1, 2]}
    assert gamma(ranks, {"user": [1, 1], "item": ["a", "b"], "grade": [1, 2]})[0][1] == -1.0
    for kind in (np.uint64, np.int8, np.float32, object):
        assert gamma({**ranks, "rank": np.array([1, 2], dtype=kind)}, ranks)[0][1] == 1.0


@pytest.mark.parametrize(
    ("kind", "nothing"), [(list, None), (pd.Series, ""), (pd.Categorical, None), (np.array, np.nan)]
)
@given(order_pairs(max_items=5))
def test_a_row_without_an_other_item_is_an_item(
    kind: Any, nothing: Any, both: tuple[nx.DiGraph, nx.DiGraph]
) -> None:
    graphs, tables = [], []
    for each in both:
        G = nx.DiGraph(nx.relabel_nodes(each, {u: f"i{ITEMS.index(u)}" for u in each}).edges)
        G.add_nodes_from(f"i{ITEMS.index(u)}" for u in each)
        alone = [*nx.isolates(G)]
        preferred = [u for u, _ in G.edges] + alone
        other = np.array([v for _, v in G.edges] + [nothing] * len(alone), dtype=object)
        columns = {"user": ["u"] * len(other), "preferred": preferred}
        tables.append(columns | {"other": other if kind is np.array else kind(other.tolist())})
        graphs.append({"u": G})
    if all(both):
        measures = ["completeness", "kendall_distance", "jaccard", "cks_distance"]
        found, wanted = (po.evaluate(*sides, measures=measures) for sides in (tables, graphs))
        assert found.sizes.tolist() == wanted.sizes.tolist()
        assert list(map(str, found)) == list(map(str, wanted))


@pytest.mark.parametrize("end", ["", ' \n2,"b",0'])
def test_long_whole_numbers_are_compared_exactly(tmp_path: Path, end: str) -> None:
    # What is quoted is read in another way than plain lines.
    text = f"user,item,score\n1,a,9007199254740992\n1,b,9007199254740993\n1,c,0.5{end.strip(' ')}\n"
    target = {"1": {"a": 1, "b": 2, "c": 0}, "2": {"b": 1}}
    (tmp_path / "scores.csv").write_text(text)
    for predicted in (tmp_path / "scores.csv", io.StringIO(text)):
        found = po.evaluate(target, predicted, measures=["gamma", "completeness"])
        assert (found["gamma"][0], found["completeness"][0]) == (1.0, 1.0)
    short = text.replace("9007199254740992", "12").replace("9007199254740993", "+12.0 ")
    found = po.evaluate(target, io.StringIO(short), measures="completeness")
    assert found["completeness"][0] == 2 / 3


def test_labels_that_no_one_can_compare() -> None:
    target = {1: {"a": 3, 1: 2, (2, "x"): 1}, "1": {2.5: 1, "ü": 0}}
    predicted = {1: {"a": 3, 1: 2, (2, "x"): 1}, "1": nx.DiGraph([("ü", 2.5)])}
    assert gamma(target, predicted) == [(1, 1.0, "defined"), ("1", -1.0, "defined")]
    # Whole numbers and others are of one kind, and so are those that are far apart or unsigned.
    floats = {**SCORES, "user": [3.5, 3.5, 3.5, 4.0, 4.0]}
    there, here = ["only in target"] * 2, ["only in predicted"] * 2
    assert [status for *_, status in gamma(PAIRS, floats)] == there + here
    for users in ([10**18, -(10**18)], [2**63 + 1, 5], [10**9, 10**9 + 1]):
        kind = np.uint64 if max(users) >= 2**63 else np.int64
        table = {"user": np.repeat(np.array(users, kind), 2), "item": [7, 8] * 2}
        one, other = table | {"score": [1, 2, 1, 2]}, table | {"score": [1, 2, 2, 1]}
        values = {user: value for user, value, _ in gamma(one, other)}
        assert values == dict(zip(users, [1, -1], strict=True))


# What is refused.

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
def test_refusals(target: Any, predicted: Any, options: Any, message: str) -> None:
    with pytest.raises(po.PorankError, match=message):
        po.evaluate(target, predicted, **options)


def test_questions_that_an_evaluation_cannot_answer() -> None:
    cyclic = {"user": [1, 2, 2], "preferred": list("aab"), "other": list("bba")}
    found = po.evaluate(cyclic, SCORES, by="user", measures=["gamma", "edrc"])
    for ask, message in (
        (lambda: found.witness(99), "a group of the evaluation, found 99"),
        (lambda: found.worst("tau"), r"expected one of 'gamma', .*, found 'tau'"),
        (lambda: found.orders(2), "evaluated, found 2 with status 'cyclic target'"),
        (lambda: found.summary(unit="q"), "unit to be one of 'user', found 'q'"),
    ):
        with pytest.raises(po.PorankError, match=message):
            ask()


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
