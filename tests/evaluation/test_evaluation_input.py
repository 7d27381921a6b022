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
from tests.strategies import ITEMS, order_pairs

pa = pytest.importorskip("pyarrow")

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
    frames = pd.DataFrame(PAIRS), pd.DataFrame(SCORES)
    assert gamma(PAIRS, SCORES) == WANTED
    assert gamma(*frames) == WANTED
    assert gamma(pa.table(PAIRS), pa.table(SCORES).to_reader()) == WANTED
    assert gamma(rows_of(PAIRS), rows_of(SCORES)) == WANTED
    for number, frame in enumerate(frames):
        frame.to_parquet(tmp_path / f"{number}.parquet", row_group_size=2)
        frame.to_csv(tmp_path / f"{number}.csv", index=False)
    assert gamma(tmp_path / "0.parquet", str(tmp_path / "1.parquet")) == WANTED
    texts = [(str(user), value, status) for user, value, status in WANTED]
    assert gamma(tmp_path / "0.csv", tmp_path / "1.csv") == texts
    assert gamma(frames[0], frames[1].astype({"item": "category"})) == WANTED
    users = frames[1].astype({"user": pd.CategoricalDtype([5, 2, 1])})
    for unused in (users, pa.Table.from_pandas(users)):
        assert gamma(unused, unused) == [(1, 1.0, "defined"), (2, 1.0, "defined")]
    scores = SCORES["score"]
    for other in (list(map(str, scores)), np.array(list(map(str, scores)))):
        assert gamma(PAIRS, SCORES | {"score": other}) == WANTED
        assert gamma(pa.table(PAIRS), pa.table(SCORES | {"score": other})) == WANTED
    encoded = pa.table(SCORES | {"score": pa.array(scores).dictionary_encode()})
    assert gamma(pa.table(PAIRS), encoded) == WANTED
    # Usual names of columns, and other numbers.
    named = {"UserId": SCORES["user"], "item_id": SCORES["item"], "score": scores}
    pairs = pd.DataFrame(PAIRS).rename(columns={"user": "user_id"})
    assert gamma(pairs, named) == WANTED
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
        measures = ["completeness", "kendall_distance", "jaccard"]
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


def test_parts_of_several_types_are_joined_exactly() -> None:
    big = 2**53
    parts: list[Any] = [np.array([big, big + 1]), np.array([0.5]), np.array([2**63], np.uint64)]
    for some in (parts[:2], parts[::2], parts, [*parts, [7]]):
        joined = _joined(some)
        assert list(joined) == [x for part in some for x in list(part)]
        side = TableSide([], [list(range(9))], joined)
        heights, _ = _heights_of(side, np.zeros(9, int), "target", [])
        assert heights[1] > heights[0]
    assert _joined([np.array([1, 2], dtype=np.int8), np.array([big])]) == [1, 2, big]


def test_labels_that_no_one_can_compare() -> None:
    target = {1: {"a": 3, 1: 2, (2, "x"): 1}, "1": {2.5: 1, "ü": 0}}
    predicted = {1: {"a": 3, 1: 2, (2, "x"): 1}, "1": nx.DiGraph([("ü", 2.5)])}
    assert gamma(target, predicted) == [(1, 1.0, "defined"), ("1", -1.0, "defined")]
    # Whole numbers and others are of one kind.
    floats = {**SCORES, "user": [3.5, 3.5, 3.5, 4.0, 4.0]}
    there, here = ["only in target"] * 2, ["only in predicted"] * 2
    assert [status for *_, status in gamma(PAIRS, floats)] == there + here
    whole = {"user": [1, 2], "preferred": [1, 2], "other": [2, 1]}
    items = {**SCORES, "item": [0.5, 1.5, 2.5, 0.5, 1.5]}
    assert [status for *_, status in gamma(whole, items)] == ["empty"] * 2
    # And so are those that are far apart or unsigned.
    for users in ([10**18, -(10**18)], [2**63 + 1, 5], [10**9, 10**9 + 1]):
        kind = np.uint64 if max(users) >= 2**63 else np.int64
        table = {"user": np.repeat(np.array(users, kind), 2), "item": [7, 8] * 2}
        one, other = table | {"score": [1, 2, 1, 2]}, table | {"score": [1, 2, 2, 1]}
        found = {user: value for user, value, _ in gamma(one, other)}
        assert found == dict(zip(users, [1, -1], strict=True))


def bad(table: dict[str, Any], **columns: Any) -> dict[str, Any]:
    return {**table, **columns}


TWO: Any = {1: {"a": 1, "b": 0}}, {1: {"a": 1, "c": 2}}
NUMBERED = {"user": [1, 1, 2], "item": np.array([9, 0, 9]), "score": [1, 2, 3]}
AGAIN = {"user": [1, 2, 2, 1], "item": np.array([0, 9, 9, 1]), "score": [1, 2, 3, 4]}
GRADED: Any = {"n": ("ndcg", {"relevance": "grade"})}
LEVEL: Any = {"n": ("ndcg", {"gain": "level", "relevance": "grade"})}
FAULTS: list[tuple[Any, Any, dict[str, Any], str]] = [
    (PAIRS, bad(SCORES, score=[3, float("nan"), 2, 1, 2]), {}, "nan for 'b' of group 1 in pred"),
    (PAIRS, pa.table(SCORES | {"score": [*"31", None, *"12"]}), {}, "found nan for 'c' of group 1"),
    (PAIRS, bad(SCORES, score=[1, 2, "x", 3, 4]), {}, "found 'x' for 'c' of group 1"),
    (PAIRS, io.StringIO("user,item,score\n1,a,x\n"), {}, "numbers as scores, .* found 'x' in pre"),
    (PAIRS, bad(SCORES, item=list("abaab")), {}, "'a' again in group 1 of predicted"),
    (NUMBERED, AGAIN, {}, "found 9 again in group 2 of predicted"),
    (AGAIN, NUMBERED, {}, "found 9 again in group 2 of target"),
    (AGAIN, AGAIN, {}, "again in group 2 of target"),
    (bad(PAIRS, user=[1, None, 2]), SCORES, {}, "a user, found None in row 2 of target"),
    (bad(SCORES, item=["a", 1, None, "b", 2]), SCORES, {}, "found None in row 3 of target"),
    ({7: {"a": 1, "": 2}}, {7: {"a": 1}}, {}, "expected an item, found '' of group 7 in target"),
    (PAIRS, SCORES, {"by": "query"}, "a column for query, found 'user'"),
    ({"user": [1]}, SCORES, {}, "'other' or 'user', 'item' and one of 'score', 'grade'"),
    (PAIRS, bad(SCORES, rank=[1] * 5), {}, "found 'score', 'rank'; drop some"),
    (bad(PAIRS, score=[1] * 3), SCORES, {}, "expected pairs or one column"),
    (PAIRS, bad(SCORES, score=[1.0]), {}, "columns of one length"),
    (nx.DiGraph(["ab"]), SCORES, {}, "found one graph; compare"),
    (7, SCORES, {}, "expected a table as target.*found 7"),
    (bad(PAIRS, user=list("112")), SCORES, {}, "groups of one type.*'1' in target"),
    (PAIRS, bad(SCORES, item=[1, 2, 3, 1, 2]), {}, "items of one type on both"),
    (SCORES, bad(SCORES, item=[1, 2, 3, 1, 2]), {"measures": "ndcg"}, "items of one type on both"),
    (PAIRS, SCORES, {"by": ["user", "user"]}, "different names of columns as by"),
    (PAIRS, SCORES, {"by": "status"}, "'status' to have different names"),
    (PAIRS, SCORES, {"items": "all"}, "items to be one of 'both', 'target', 'error'"),
    (PAIRS, SCORES, {"groups": None}, "groups to be one of 'both', 'target', 'error'"),
    (PAIRS, {2: {"a": 1}}, {"groups": "error"}, "1 only in target, group 1 the first"),
    (*TWO, {"items": "both", "unlisted": "last"}, "found items='both' beside unlisted='last'"),
    (*TWO, {"unjudged": "error"}, "expected unjudged to be one of 'irrelevant'"),
    ({1: {"a": 1}}, {}, {"by": ["user", "day"]}, "a tuple of 2 labels.*found 1"),
    ({1: {"a": 1}, 2: nx.Graph()}, {}, {}, "the undirected Graph.*, group 2"),
    ({}, {1: {"a": float("nan")}}, {}, "found nan for 'a' in predicted, group 1"),
    ({"g": {"a": 0.0, "b": -1.0}}, {"g": {"a": 3, "b": 2}}, {"measures": GRADED}, r"found -1\.0"),
    ({"g": {"a": -0.0, "b": -1.0}}, {"g": {"a": 3, "b": 2}}, {"measures": GRADED}, r"found -1\.0"),
    ({1: {"a": 2.0**1010}}, {1: {"a": 1}}, {"measures": LEVEL}, r"2\*\*1000 .* 'n' of group 1"),
    (bad(NUMBERED, rank=[1, 2, 3]), NUMBERED, {}, "drop some"),
    ({"user": [1], "item": ["a"], "rank": [1]}, SCORES, {"measures": GRADED}, "with grades or sc"),
    (PAIRS, SCORES, {"undefined": "ignore"}, "a number or 'raise' as undefined, found 'ignore'"),
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
    ({"x": ("precision", {"k": 3})}, "precision_at_k of a list"),
    ({"x": ("dcg", {"lowest": 1})}, "found lowest=1 with gain='grade'.*option of 'x'"),
    ({"x": ("ndcg", {"relevance": "grade", "gain": "rank"})}, "relevance without gain='rank'"),
    ({"x": ("gamma", {"undefined": float("inf")})}, "finite number, nan or 'raise' as undefined"),
    ({"x": ("generalized_kendall", {"weights": {"a": 1}})}, "'x' of group 1"),
    ({"user": "gamma"}, "different names, found again: 'user'"),
]
WRONG = [(PAIRS, SCORES, {"measures": each}, message) for each, message in BAD_MEASURES]


@pytest.mark.parametrize(("target", "predicted", "options", "message"), [*FAULTS, *WRONG])
def test_refusals(target: Any, predicted: Any, options: Any, message: str) -> None:
    with pytest.raises(po.PorankError, match=message):
        po.evaluate(target, predicted, **options)


def test_a_bad_score_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    for cell in ("x", "", "1_0"):
        path.write_text(f"user,item,score\nu,a,1\nu,b,{cell}\nu,c,{cell}\n")
        with pytest.raises(po.ParseError, match=rf"csv, line 3: expected numbers .* '{cell}' in"):
            po.evaluate(path, path, by="user")


def test_questions_that_an_evaluation_cannot_answer() -> None:
    cyclic = {"user": [1, 2, 2], "preferred": list("aab"), "other": list("bba")}
    found = po.evaluate(cyclic, SCORES, by="user", measures=["gamma", "edrc"])
    for ask, message in (
        (lambda: found.witness(99), "a group of the evaluation, found 99"),
        (lambda: found.worst("tau"), r"expected one of 'gamma', .*, found 'tau'"),
        (lambda: found.orders(2), "was evaluated, found 2: cyclic target"),
        (lambda: found.summary(unit="q"), "unit to be one of 'user', found 'q'"),
    ):
        with pytest.raises(po.PorankError, match=message):
            ask()
