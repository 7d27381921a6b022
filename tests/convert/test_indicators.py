"""Pareto dominance, against its definition."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import networkx as nx
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.convert.indicators import from_table
from porank.core.compiled_order import compile_order
from porank.errors import PorankError
from tests.oracles import tied_pairs

TABLE = {
    "a": {"taste": 3, "price": 2, "note": "x"},
    "b": {"taste": 3, "price": 4, "note": None},
    "c": {"taste": 1, "price": 1},
    "d": {"taste": 3, "price": 4},
}


def dominates(u: dict[str, Any], v: dict[str, Any]) -> bool:
    """Say whether u is as good as v for larger x and y and smaller z, and better in one of them."""
    as_good = u["x"] >= v["x"] and u["y"] >= v["y"] and u["z"] <= v["z"]
    better = u["x"] > v["x"] or u["y"] > v["y"] or u["z"] < v["z"]
    return bool(as_good and better)


rows = st.fixed_dictionaries(
    {"x": st.integers(0, 2), "y": st.integers(0, 2), "z": st.integers(0, 1)}
)


@given(st.lists(rows, max_size=8))
def test_it_is_the_reduction_of_dominance_with_equal_rows_tied(table: list[dict[str, int]]) -> None:
    G = from_table(dict(enumerate(table)), maximize=["x", "y"], minimize=["z"])
    assert list(G) == list(range(len(table)))
    order = nx.DiGraph()
    order.add_nodes_from(G)
    order.add_edges_from((u, v) for u, v in product(G, G) if dominates(table[u], table[v]))
    assert set(G.edges) == set(nx.transitive_reduction(order).edges)
    assert tied_pairs(G) == {frozenset(p) for p in combinations(G, 2) if table[p[0]] == table[p[1]]}
    compile_order(G)


def test_a_frame_gives_the_same_graph_and_is_left_as_it_is() -> None:
    frame = pd.DataFrame(TABLE).T.drop(columns="note").astype(float)
    before = frame.copy()
    G = from_table(frame, maximize=["taste"], minimize=["price"])
    expected = from_table(TABLE, maximize=["taste"], minimize=["price"])
    assert nx.utils.graphs_equal(G, expected)
    pd.testing.assert_frame_equal(frame, before)


def test_one_column_may_be_named_alone_and_others_are_ignored() -> None:
    G = from_table(TABLE, maximize="taste")
    assert set(G.edges) == {("a", "c"), ("b", "c"), ("d", "c")}
    assert from_table({1: {0: 5}, 2: {0: 6}}, minimize=[0]).has_edge(1, 2)


def test_numbers_are_compared_exactly() -> None:
    table = {"a": {"x": 2**60 + 1}, "b": {"x": Fraction(2**60)}}
    assert list(from_table(table, maximize=["x"]).edges) == [("a", "b")]


def test_no_item_and_one() -> None:
    assert len(from_table({}, maximize=["x"])) == 0
    assert list(from_table({"a": {"x": 1}}, maximize=["x"])) == ["a"]


def test_the_covers_are_counted_before_they_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {i: {"x": i % 4, "y": -(i % 4) + 10 * (i < 4)} for i in range(8)}
    monkeypatch.setattr("porank.core.graphs.MAX_EDGES", 9)
    with pytest.raises(PorankError, match="found 10; keep fewer items"):
        from_table(table, maximize=["x", "y"])


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_other_frames_have_a_column_of_items(library: str) -> None:
    columns = {"item": ["a", "b", "c"], "x": [1, 3, 2], "note": [None, "n", ""]}
    module = pytest.importorskip(library)
    frame = module.DataFrame(columns) if library == "polars" else module.table(columns)
    G = from_table(frame, maximize="x")
    assert list(G.edges) == [("b", "c"), ("c", "a")]
    with pytest.raises(PorankError, match="expected a column 'item' in the table, found 'x'"):
        from_table(frame.select(["x"]), maximize="x")
    twice = pytest.importorskip("pyarrow").table({"item": ["a", "a"], "x": [1, 2]})
    with pytest.raises(PorankError, match="found again: 'a'"):
        from_table(twice, maximize="x")
