"""Pairs in tables: the same graph from a file, a frame, columns or rows, or an error."""

import io
from importlib import import_module
from typing import Any

import networkx as nx
import pandas as pd
import pytest

import porank as po
from tests.support.refusals import refuses

pa = import_module("pyarrow")

COLUMNS: dict[str, list[Any]] = {
    "Winner": ["a", "b", "a", "d"],
    "loser": ["b", "c", "b", None],
    "when": [1, 2, 3, 4],
}


def forms_of(columns: dict[str, list[Any]]) -> list[Any]:
    """Return a table in each form that is read from memory."""
    frame = pd.DataFrame(columns)
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [frame, import_module("polars").DataFrame(columns), pa.table(columns), columns, rows]


def test_pairs_in_a_table_are_those_in_a_file() -> None:
    file = pd.DataFrame(COLUMNS).to_csv(index=False)
    for counts in (False, True):
        names = ("Winner", "loser")
        expected = po.read_pairs(io.StringIO(file), columns=names, counts=counts)
        for table in forms_of(COLUMNS):
            found = po.from_pairs(table, ["z"], counts=counts)
            assert list(found) == ["z", *expected]
            assert list(found.edges(data=True)) == list(expected.edges(data=True))


def test_labels_of_rows_are_those_of_a_file() -> None:
    pairs = [(" a", "cafe\u0301"), ("b", "a\t"), ("A", "b")]
    text = "\n".join(map(",".join, pairs))
    with pytest.warns(UserWarning, match="('a', 'A')") as warned:
        G = po.from_pairs(pairs)
    assert warned[0].filename == __file__
    with pytest.warns(UserWarning, match="('a', 'A')"):
        assert list(G.edges) == list(po.read_pairs(io.StringIO(text)).edges)
    assert list(G) == ["a", "caf\u00e9", "b", "A"]


def test_weight_is_an_attribute_beside_support() -> None:
    columns = {"better": ["a", "b", "b"], "worse": ["b", "a", "c"]}
    weighted = po.from_pairs({**columns, "weight": [2, 0.5, 1], "support": [7, 8, 9]})
    assert list(weighted.edges(data="weight")) == [("a", "b", 2), ("b", "a", 0.5), ("b", "c", 1)]


def test_a_mapping_of_pairs_is_no_table() -> None:
    assert list(po.from_pairs({("a", "b"): 2, ("b", "c"): 1}).edges) == [("a", "b"), ("b", "c")]
    assert list(po.from_pairs({"ab": 2}).edges) == [("a", "b")]


def test_pairs_of_a_log_and_their_frame_make_one_graph() -> None:
    log = po.simulate_log({"a": 4, "b": 2, "c": 1}, 200, seed=0)
    frame = po.preference_pairs(log, by=()).to_frame()
    assert dict(po.from_pairs(frame).edges) == dict(po.from_log(log).edges)


FRAME = pd.DataFrame({"x": ["a"], "y": ["b"]})
GOALS = pd.DataFrame({"home": ["a", "b"], "away": ["b", "a"], "goals": [1, 2]})
GAP, WON = {"preferred": ["a", None], "other": ["b", "c"]}, {"winner": ["a"], "loser": ["b"]}


def test_an_error_says_which_columns_would_do() -> None:
    refuses("columns such as 'preferred' and 'other', found 'x', 'y'", po.from_pairs, FRAME)
    refuses("such as 'preferred'", po.from_pairs, [{"x": "a", "y": "b"}])
    lazy = import_module("polars").DataFrame(FRAME).lazy()
    refuses(r"call \.collect\(\) first", po.from_pairs, lazy)
    refuses("line 2: expected a preferred item", po.from_pairs, pd.DataFrame(GAP))
    refuses("columns preferred, other and weight", po.PreferenceRelation.from_degrees, FRAME)
    refuses("columns preferred, other and weight", po.from_matrix, FRAME)
    refuses("take one column of a frame", po.from_ranking, FRAME)
    refuses(r"set_index\('item'\)", po.from_ranks, FRAME)
    refuses(r"set_index\('item'\).* columns preferred and other", po.set_ranks, FRAME)
    refuses("battles model_a, model_b and winner", po.fit_strengths, FRAME)
    refuses("columns={'winner': ...}", po.fit_strengths, GOALS)
    columns = "expected battles, with the columns 'model_a', 'model_b' and 'winner'"
    refuses(columns, po.compare_judges, pd.DataFrame(WON))


def test_what_the_errors_name_works() -> None:
    frame = pd.DataFrame({"preferred": ["a"], "other": ["b"], "weight": [0.75]})
    weights = nx.get_edge_attributes(po.from_pairs(frame), "weight")
    P = po.PreferenceRelation.from_degrees(weights)
    assert float(P.degree("b", "a")) == 0.25
    ranks = pd.DataFrame({"item": ["a", "b"], "rank": [2, 1]}).set_index("item")["rank"]
    assert nx.utils.graphs_equal(po.from_ranks(ranks), po.from_ranking("ba"))
    battles = pd.DataFrame({"winner": ["a", "b", "a"], "loser": ["b", "a", "b"]})
    found = po.fit_strengths(po.from_pairs(battles, counts=True))
    assert round(found.probability("a", "b"), 4) == 0.6667
