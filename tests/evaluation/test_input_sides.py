"""What evaluate reads as one side: tables, mappings, orders."""

import io
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import porank as po
from tests.support.evaluations import PAIRS, SCORES
from tests.support.strategies import ITEMS, order_pairs

pa = pytest.importorskip("pyarrow")
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
