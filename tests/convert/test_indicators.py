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

import porank as po
from tests.oracles import reduction, tied_pairs


def dominates(u: dict[str, Any], v: dict[str, Any]) -> bool:
    """Say whether u is as good as v for larger x and y and smaller z, and better in one of them."""
    as_good = u["x"] >= v["x"] and u["y"] >= v["y"] and u["z"] <= v["z"]
    better = u["x"] > v["x"] or u["y"] > v["y"] or u["z"] < v["z"]
    return bool(as_good and better)


NUMBERS = st.integers(0, 2)


@given(st.lists(st.fixed_dictionaries({"x": NUMBERS, "y": NUMBERS, "z": NUMBERS}), max_size=8))
def test_it_is_the_reduction_of_dominance_with_equal_rows_tied(table: list[dict[str, int]]) -> None:
    G = po.from_table(dict(enumerate(table)), maximize=["x", "y"], minimize=["z"])
    assert list(G) == list(range(len(table)))
    assert set(G.edges) == reduction(
        (u, v) for u, v in product(G, G) if dominates(table[u], table[v])
    )
    assert tied_pairs(G) == {frozenset(p) for p in combinations(G, 2) if table[p[0]] == table[p[1]]}


def test_columns() -> None:
    """One may be named alone, others are ignored, a frame gives the same and is left as it is."""
    table = {
        "a": {"taste": 3, "price": 2, "note": "x"},
        "b": {"taste": 3, "price": 4, "note": None},
        "c": {"taste": 1, "price": 1},
    }
    assert set(po.from_table(table, maximize="taste").edges) == {("a", "c"), ("b", "c")}
    assert po.from_table({1: {0: 5}, 2: {0: 6}}, minimize=[0]).has_edge(1, 2)
    exact = {"a": {"x": 2**60 + 1}, "b": {"x": Fraction(2**60)}}
    assert list(po.from_table(exact, maximize=["x"]).edges) == [("a", "b")]
    frame = pd.DataFrame(table).T.drop(columns="note").astype(float)
    before = frame.copy()
    found, expected = (
        po.from_table(rows, maximize=["taste"], minimize=["price"]) for rows in (frame, table)
    )
    assert nx.utils.graphs_equal(found, expected)
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_other_frames_have_a_column_of_items(library: str) -> None:
    module = pytest.importorskip(library)
    make = module.DataFrame if library == "polars" else module.table
    frame = make({"item": ["a", "b", "c"], "x": [1, 3, 2], "note": [None, "n", ""]})
    assert list(po.from_table(frame, maximize="x").edges) == [("b", "c"), ("c", "a")]
    with pytest.raises(po.PorankError, match="expected a column 'item' in the table, found 'x'"):
        po.from_table(frame.select(["x"]), maximize="x")
    with pytest.raises(po.PorankError, match="found again: 'a'"):
        po.from_table(make({"item": ["a", "a"], "x": [1, 2]}), maximize="x")
