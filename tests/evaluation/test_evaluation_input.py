"""Tables of any form as input, and what is wrong with some."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import porank as po
from porank.evaluation.input_sides import TableSide, _heights_of, _joined
from tests.evaluated import assert_equal
from tests.strategies import ITEMS, orders

Columns = dict[str, list[Any]]
PAIRS: Columns = {"user": [1, 1, 2], "preferred": list("aba"), "other": list("bcb")}
SCORES: Columns = {
    "user": [1, 1, 1, 2, 2],
    "item": list("abcab"),
    "score": [3.0, 1.0, 2.0, 1.0, 2.0],
}
WANTED = [(1, 1 / 3, "defined"), (2, -1.0, "defined")]


def gamma(target: Any, predicted: Any, **options: Any) -> list[Any]:
    return list(po.evaluate(target, predicted, measures="gamma", **options))


def rows_of(table: dict[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


def test_tables_of_every_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("porank.core.columns.BLOCK_ROWS", 2)
    pandas, arrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    frames = pandas.DataFrame(PAIRS), pandas.DataFrame(SCORES)
    assert gamma(PAIRS, SCORES) == WANTED
    assert gamma(*frames) == WANTED
    assert gamma(arrow.table(PAIRS), arrow.table(SCORES)) == WANTED
    assert gamma(rows_of(PAIRS), rows_of(SCORES)) == WANTED
    for number, frame in enumerate(frames):
        frame.to_parquet(tmp_path / f"{number}.parquet", row_group_size=2)
    assert gamma(tmp_path / "0.parquet", str(tmp_path / "1.parquet")) == WANTED
    categories = frames[1].astype({"item": "category"})
    assert gamma(frames[0], categories) == WANTED
    users = frames[1].astype({"user": pandas.CategoricalDtype([5, 2, 1])})
    for unused in (users, arrow.Table.from_pandas(users)):
        assert gamma(unused, unused) == [(1, 1.0, "defined"), (2, 1.0, "defined")]
    spelled = arrow.table(SCORES | {"score": list(map(str, SCORES["score"]))})
    assert gamma(arrow.table(PAIRS), spelled) == WANTED
    encoded = SCORES | {"score": arrow.array(SCORES["score"]).dictionary_encode()}
    assert gamma(arrow.table(PAIRS), arrow.table(encoded)) == WANTED
    lacking = arrow.table(SCORES | {"score": ["3", "1", None, "1", "2"]})
    with pytest.raises(po.PorankError, match="found nan for 'c' of group 1 in predicted"):
        gamma(arrow.table(PAIRS), lacking)


def test_files_of_texts(tmp_path: Path) -> None:
    for number, table in enumerate((PAIRS, SCORES)):
        rows = [list(table), *zip(*table.values(), strict=True)]
        text = "".join(",".join(map(str, row)) + "\n" for row in rows)
        (tmp_path / f"{number}.csv").write_text(text)
    wanted = [(str(user), value, status) for user, value, status in WANTED]
    assert gamma(tmp_path / "0.csv", tmp_path / "1.csv") == wanted
    text = "user,item,score\n1,a,2\n1,b,x\n"
    with pytest.raises(po.PorankError, match=r"numbers as scores, .* found 'x' in predicted"):
        gamma(tmp_path / "0.csv", io.StringIO(text))


def test_preference_pairs_are_a_target() -> None:
    log = {
        "session": [1, 1, 1, 2, 2],
        "user": [7, 7, 7, 8, 8],
        "item": list("abcab"),
        "event": ["click", "view", "view", "view", "click"],
    }
    pairs = po.preference_pairs(log, by="user")
    scores = {7: {"a": 2, "b": 1, "c": 1}, 8: {"a": 1, "b": 2}}
    assert gamma(pairs, scores) == [(7, 1.0, "defined"), (8, 1.0, "defined")]


@pytest.mark.parametrize(
    ("kind", "nothing"), [(list, None), (pd.Series, ""), (pd.Categorical, None), (np.array, np.nan)]
)
@given(orders(max_items=5), orders(max_items=5))
def test_a_row_without_an_other_item_is_an_item(
    kind: Any, nothing: Any, target: nx.DiGraph, predicted: nx.DiGraph
) -> None:
    both = [nx.relabel_nodes(G, {u: f"i{ITEMS.index(u)}" for u in G}) for G in (target, predicted)]
    tables = []
    for G in both:
        alone = [*nx.isolates(G)]
        preferred = [u for u, _ in G.edges] + alone
        other = np.array([v for _, v in G.edges] + [nothing] * len(alone), dtype=object)
        columns = {"user": ["u"] * len(other), "preferred": preferred, "other": other.tolist()}
        tables.append(columns | {"other": other if kind is np.array else kind(columns["other"])})
    if all(both):
        measures = ["completeness", "kendall_distance", "jaccard"]
        found = po.evaluate(*tables, measures=measures)
        assert_equal(found, po.evaluate(*({"u": G} for G in both), measures=measures))


def test_files_of_trec() -> None:
    qrels = po.read_trec_qrels(io.StringIO("q1 0 a 2\nq1 0 b 0\n"))
    run = po.read_trec_run(io.StringIO("q1 Q0 a 1 0.5 t\nq1 Q0 b 2 0.9 t\nq1 Q0 c 3 0.1 t\n"))
    prefs = po.read_trec_prefs(io.StringIO("q1 1 1 b 2\nq1 1 1 a 1\n"))
    assert gamma(qrels, run, by="query", items="both") == [("q1", -1.0, "defined")]
    assert gamma(prefs, run, by="query") == [("q1", 1.0, "defined")]


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
    found = po.evaluate(target, io.StringIO(short), measures=["gamma", "completeness"])
    assert found["completeness"][0] == 2 / 3


def test_parts_of_several_types_are_joined_exactly() -> None:
    big = 2**53
    parts: list[Any] = [np.array([big, big + 1]), np.array([0.5]), np.array([2**63], np.uint64)]
    for some in (parts[:2], parts[::2], parts, [*parts, [7]]):
        joined = _joined(some)
        assert list(joined) == [x for part in some for x in list(part)]
        side = TableSide([], [list(range(9))], joined)
        heights, _ = _heights_of(side, np.zeros(9, int), "target", [])
        assert heights[1] > heights[0]
    alike = _joined([np.array([1, 2], dtype=np.int8), np.array([big])])
    assert alike == [1, 2, big]


def test_numbers_of_two_types_are_labels_of_one_kind() -> None:
    floats = {**SCORES, "user": [3.5, 3.5, 3.5, 4.0, 4.0]}
    there, here = ["only in target"] * 2, ["only in predicted"] * 2
    assert [status for *_, status in gamma(PAIRS, floats)] == there + here
    items = {**SCORES, "item": [0.5, 1.5, 2.5, 0.5, 1.5]}
    whole = {"user": [1, 2], "preferred": [1, 2], "other": [2, 1]}
    assert [status for *_, status in gamma(whole, items)] == ["empty"] * 2
    with pytest.raises(po.PorankError, match="groups of one type"):
        gamma(PAIRS, {**SCORES, "user": list("11122")})


def test_usual_names_of_columns() -> None:
    target = {"user_id": PAIRS["user"], "preferred": PAIRS["preferred"], "other": PAIRS["other"]}
    predicted = {"UserId": SCORES["user"], "item_id": SCORES["item"], "score": SCORES["score"]}
    assert gamma(target, predicted) == WANTED


def test_ranks_and_grades() -> None:
    ranks = {"user": [1, 1], "item": ["a", "b"], "rank": [1, 2]}
    grades = {"user": [1, 1], "item": ["a", "b"], "grade": [1, 2]}
    assert gamma(ranks, grades) == [(1, -1.0, "defined")]
    for kind in (np.uint64, np.int8, np.float32, object):
        assert gamma({**ranks, "rank": np.array([1, 2], dtype=kind)}, ranks)[0][1] == 1.0


def test_labels_that_no_one_can_compare() -> None:
    items: list[Any] = ["a", 1, (2, "x"), None]
    target = {1: {"a": 3, 1: 2, (2, "x"): 1}, "1": {2.5: 1, "ü": 0}}
    predicted = {1: {"a": 3, 1: 2, (2, "x"): 1}, "1": nx.DiGraph([("ü", 2.5)])}
    assert gamma(target, predicted) == [(1, 1.0, "defined"), ("1", -1.0, "defined")]
    table = {"user": [1] * 4, "item": items, "score": [1, 2, 3, 4]}
    with pytest.raises(po.PorankError, match="expected an item, found None in row 4 of target"):
        gamma(table, SCORES)


def bad(table: dict[str, Any], **columns: Any) -> dict[str, Any]:
    return {**table, **columns}


NOT_A_NUMBER = bad(SCORES, score=[3.0, float("nan"), 2.0, 1.0, 2.0])
FAULTS: list[tuple[Any, Any, dict[str, Any], str]] = [
    (PAIRS, NOT_A_NUMBER, {}, r"found nan for 'b' of group 1 in predicted"),
    (PAIRS, bad(SCORES, score=[1, 2, "x", 3, 4]), {}, "found 'x' for 'c' of group 1"),
    (PAIRS, bad(SCORES, item=list("abaab")), {}, "'a' again in group 1 of predicted"),
    (bad(PAIRS, user=[1, None, 2]), SCORES, {}, "a user, found None in row 2 of target"),
    (PAIRS, SCORES, {"by": "query"}, "a column for query, found 'user'"),
    ({"user": [1]}, SCORES, {}, "'other' or 'user', 'item' and one of 'score', 'grade'"),
    (PAIRS, bad(SCORES, rank=[1] * 5), {}, "found 'score', 'rank'; drop some"),
    (bad(PAIRS, score=[1] * 3), SCORES, {}, "expected pairs or one column"),
    (PAIRS, bad(SCORES, score=[1.0]), {}, "columns of one length"),
    (nx.DiGraph(["ab"]), SCORES, {}, "found one graph; compare"),
    (7, SCORES, {}, "expected a table as target.*found 7"),
    (bad(PAIRS, user=list("112")), SCORES, {}, "groups of one type.*'1' in target"),
    (PAIRS, bad(SCORES, item=[1, 2, 3, 1, 2]), {}, "items of one type on both"),
    (PAIRS, SCORES, {"by": ["user", "user"]}, "different names of columns as by"),
    (PAIRS, SCORES, {"by": "status"}, "'status' to have different names"),
    (PAIRS, SCORES, {"items": "all"}, "items to be one of 'both', 'target', 'error'"),
    (PAIRS, SCORES, {"groups": None}, "groups to be one of 'both', 'target', 'error'"),
    ({1: {"a": 1}}, {}, {"by": ["user", "day"]}, "a tuple of 2 labels.*found 1"),
    ({1: {"a": 1}, 2: nx.Graph()}, {}, {}, "the undirected Graph.*, group 2"),
    ({}, {1: {"a": float("nan")}}, {}, "found nan for 'a' in predicted, group 1"),
    ({7: {"a": 1, "": 2}}, {7: {"a": 1}}, {}, "expected an item, found '' of group 7 in target"),
]
BAD_MEASURES: list[tuple[Any, str]] = [
    ([], "at least one measure, found none"),
    (["gamma", po.gamma], "each measure once, found again: 'gamma'"),
    (7, "expected names of measures"),
    ([("ndcg", {"k": 10})], "options stand beside the name"),
    ({"x": ("ndcg",)}, r"a name or \(name, options\) for 'x'"),
    ({1: "ndcg"}, "a text as name of a column of measures, found 1"),
    ({"x": ("gamma", {"k": 3})}, "'undefined' as options of gamma, found 'k'"),
    ({"x": ("gamma", {"target": 0})}, "as options of gamma, found 'target'"),
    ({"x": ("ndcg", {"relevance": "grade", "gain": "rank"})}, "relevance without gain='rank'"),
    ({"user": "gamma"}, "different names, found again: 'user'"),
]


def test_bad_tables_and_measures() -> None:
    wrong = [(PAIRS, SCORES, {"measures": each}, message) for each, message in BAD_MEASURES]
    for target, predicted, options, message in [*FAULTS, *wrong]:
        with pytest.raises(po.PorankError, match=message):
            po.evaluate(target, predicted, **options)


def test_an_option_that_does_not_fit_names_the_group() -> None:
    measures = {"weighted": ("generalized_kendall", {"weights": {"a": 1}})}
    with pytest.raises(po.PorankError, match="'weighted' of group 1"):
        po.evaluate(PAIRS, SCORES, measures=measures)


@pytest.mark.parametrize("name", ["ndcg", "ndcg_level", "dcg", "edrc", "spearman_rho"])
def test_equal_groups_have_equal_values_wherever_they_stand(name: str) -> None:
    rng = np.random.default_rng(0)
    for n in range(5, 15):
        grades, scores = rng.integers(0, 4, n).tolist(), rng.normal(size=n).round(1).tolist()
        both = (dict.fromkeys(range(7), values) for values in (grades, scores))
        assert len(set(po.evaluate(*both, measures=name)[name].tolist())) == 1


def test_scores_in_memory_that_are_texts_are_numbers() -> None:
    table = {"user": [1, 1, 2, 2], "item": ["a", "b", "a", "b"]}
    expected = po.evaluate(table | {"score": [3, 20, 2, 1]}, table | {"score": [1, 2, 1, 2]})
    for texts in (["3", "20", "2", "1"], np.array(["3", "20", "2", "1"])):
        found = po.evaluate(table | {"score": texts}, table | {"score": [1, 2, 1, 2]})
        assert found["gamma"].tolist() == expected["gamma"].tolist() == [1, -1]


def test_integers_that_are_far_apart_or_unsigned_are_labels_too() -> None:
    for users in ([10**18, -(10**18)], [2**63 + 1, 5], [10**9, 10**9 + 1]):
        kind = np.uint64 if max(users) >= 2**63 else np.int64
        table = {"user": np.repeat(np.array(users, kind), 2), "item": [7, 8] * 2}
        found = po.evaluate(table | {"score": [1, 2, 1, 2]}, table | {"score": [1, 2, 2, 1]})
        assert dict(zip(found["user"].tolist(), found["gamma"].tolist(), strict=False)) == dict(
            zip(users, [1, -1], strict=False)
        )


@pytest.mark.parametrize("cell", ["x", "", "1_0"])
def test_a_bad_score_is_named_with_its_line(cell: str, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(f"user,item,score\nu,a,1\nu,b,{cell}\nu,c,{cell}\n")
    with pytest.raises(po.ParseError, match=rf"csv, line 3: expected numbers .* '{cell}' in"):
        po.evaluate(path, path, by="user")
