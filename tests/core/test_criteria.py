"""Tables of indicators: their fronts, and orders that hold under all admissible weights."""

from fractions import Fraction
from importlib import import_module
from itertools import pairwise, product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.core import criteria
from tests.support.oracles import dominates
from tests.support.refusals import refuses

pa = import_module("pyarrow")
Rows = list[tuple[Any, ...]]


def slow_fronts(rows: Rows) -> list[list[int]]:
    """Take the rows that no other row left dominates, again and again."""
    left, fronts = list(range(len(rows))), []
    while left:
        fronts.append([i for i in left if not any(dominates(rows[j], rows[i]) for j in left)])
        left = [i for i in left if i not in fronts[-1]]
    return fronts


def check_fronts(rows: Rows) -> None:
    k = len(rows[0])
    table = [dict(zip("abcdef", row, strict=False)) | {"item": i} for i, row in enumerate(rows)]
    # The last column is turned round, so that smaller numbers are better.
    for row in table:
        row["abcdef"[k - 1]] *= -1
    columns = {"maximize": list("abcdef"[: k - 1]), "minimize": "abcdef"[k - 1]}
    fronts = slow_fronts(rows)
    assert po.levels(table, **columns) == fronts
    assert po.maximal_items(table, **columns) == fronts[0]


@given(
    st.integers(1, 5).flatmap(lambda k: st.lists(st.tuples(*[st.integers(0, 3)] * k), min_size=1))
)
def test_fronts_by_definition(rows: Rows) -> None:
    check_fronts(rows)


INF = float("inf")


@pytest.mark.parametrize("cells", [1, criteria._CELLS])
def test_fronts_of_larger_tables(monkeypatch: pytest.MonkeyPatch, cells: int) -> None:
    monkeypatch.setattr(criteria, "_CELLS", cells)
    rng = np.random.default_rng(0)
    for k, pull in product((2, 3, 6), (-0.9, 0, 1)):
        values = rng.normal(size=(100, k))
        values += pull * values.mean(axis=1, keepdims=True)
        check_fronts(list(map(tuple, values.round(1).tolist())))
    check_fronts([(INF, -INF, 0), (INF, 1e308, 1), (-INF, -1e308, 5e-324), (INF, -INF, 2**70)])


def test_labels_of_rows_are_composed_and_those_alike_are_named() -> None:
    table = pd.DataFrame({"x": [3, 2, 1]}, index=[" a", "cafe\u0301", "A"])
    for form in (table, table.to_dict("index"), table.rename_axis("item").reset_index()):
        with pytest.warns(UserWarning, match="('a', 'A')"):
            assert list(po.from_table(form, maximize="x")) == ["a", "caf\u00e9", "A"]
    with pytest.raises(po.PorankError, match="found 'a' more than once"):
        po.maximal_items({"a": {"x": 1}, "a ": {"x": 2}}, maximize="x")


def test_the_same_table_gives_the_same_fronts() -> None:
    import polars as pl

    columns = {"item": ["p", "q", "r", "s"], "x": [1, 3, 3, 0], "y": [5.0, 2.0, 1.0, 0.5]}
    frame = pd.DataFrame(columns)
    rows = frame.to_dict("records")
    keyed = {row["item"]: {"x": row["x"], "y": row["y"]} for row in rows}
    forms = columns, frame, frame.set_index("item"), rows, keyed, pl.DataFrame(columns)
    for table in (*forms, pa.table(columns), frame.astype({"x": "Int64", "item": "category"})):
        assert po.levels(table, maximize=pd.Index(["x", "y"])) == [["p", "q"], ["r"], ["s"]]
        assert po.maximal_items(table, maximize="x", minimize="y") == ["r", "s"]
        assert list(po.from_table(table, maximize="x").edges) == [
            *(("p", "s"), ("q", "p"), ("r", "p"))
        ]
    array = frame[["x", "y"]].to_numpy()
    assert po.levels(array, maximize=[0, 1]) == [[0, 1], [2], [3]]
    limits = np.array([[0, 255], [1, 0]], dtype=np.uint8)
    assert po.maximal_items(limits, minimize=[0, 1]) == [0, 1]
    assert po.maximal_items(limits, minimize=0) == [0]
    assert po.maximal_items(limits > 0, minimize=1) == [1]


def admissible(weights: Any, k: int) -> dict[str, Any]:
    """Return the weights that sum to 1 as the constraints of a linear program."""
    if isinstance(weights, dict):
        ends = [weights.get(j, (0, 1)) for j in range(k)]
        return {"bounds": ends, "A_eq": [[1] * k], "b_eq": [1]}
    fall = np.zeros((k - 1, k))
    for row, (first, second) in enumerate(pairwise(weights)):
        fall[row, second], fall[row, first] = 1, -1
    return {"A_ub": fall, "b_ub": [0] * (k - 1), "A_eq": [[1] * k], "b_eq": [1], "bounds": (0, 1)}


def scaled(table: Any) -> Any:
    """Return the columns with 1 for the largest number and 0 for the smallest one."""
    low, span = table.min(axis=0), np.ptp(table, axis=0)
    return (table - low) / np.where(span, span, 1)


WEIGHTS = [[0, 1, 2], [2, 0, 1], {0: (0.2, 0.5)}, {0: (0.1, 0.4), 1: (0.3, 0.6), 2: (0.1, 0.4)}]


@pytest.mark.parametrize("weights", WEIGHTS)
def test_orders_under_all_admissible_weightings(weights: Any) -> None:
    """By a linear program for each pair."""
    from scipy.optimize import linprog

    rng = np.random.default_rng(2)
    for _ in range(2):
        table = rng.integers(0, 6, (6, 3))
        values, limits = scaled(table), admissible(weights, 3)
        order = po.from_table(table, maximize=range(3), weights=weights)
        found = set(po.transitive_closure(order).edges)
        for u, v in product(range(6), repeat=2):
            least, most = (s * linprog(s * (values[u] - values[v]), **limits).fun for s in (1, -1))
            assert ((u, v) in found) == (least > -1e-9 and most > 1e-9)
        fronts = po.levels(table, maximize=range(3), weights=weights)
        assert fronts == po.levels(order)
        assert fronts[0] == po.maximal_items(table, maximize=range(3), weights=weights)


def test_weights_that_say_the_same() -> None:
    rows = {"a": {"x": 0.1, "y": 3}, "b": {"x": 0.2, "y": 2}, "c": {"x": 0.3, "y": 1}}
    both = {"maximize": ["x", "y"]}
    one = po.from_table(rows, **both, weights=["x", "y"])
    assert one.edges == po.from_table(rows, **both, weights="ordered").edges
    assert list(one.edges) == [("b", "a"), ("c", "b")]
    turned = {"maximize": "x", "minimize": "z", "weights": ("x", "z")}
    minus = {item: {"x": row["x"], "z": -row["y"]} for item, row in rows.items()}
    assert one.edges == po.from_table(minus, **turned).edges
    # With floats, .1 / .2 is not half of the way from .1 to .3; as decimals, all three are tied.
    for half in (0.5, Fraction(1, 2), (0.5, "0.5")):
        tied = po.from_table(rows, **both, weights={"x": half})
        assert set(tied.nodes(data="tie")) == {("a", 0), ("b", 0), ("c", 0)}
    free = po.from_table(rows, **both, weights={})
    assert (
        po.transitive_closure(free).edges
        == po.transitive_closure(po.from_table(rows, **both)).edges
    )
    # A column that is the same for all, and one of Booleans.
    flat = np.array([[1, 5], [0, 5]]) > 0
    assert list(po.from_table(flat, maximize=[0, 1], weights=[1, 0]).edges) == [(0, 1)]
    assert po.maximal_items({}, maximize="x", weights={}) == []
    assert po.levels({}, maximize="x") == []


ROWS = {"a": {"x": 1, "y": 2}, "b": {"x": INF, "y": 1}}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"minimize": "y", "weights": "ordered"}, r"such as \['x', 'y'\], .* found 'ordered'"),
        ({"minimize": "y", "weights": ["x"]}, r"found \['x'\]"),
        ({"minimize": "y", "weights": 3}, "found 3"),
        ({"weights": {"y": 1}}, "weights of 'x', at most 12 columns, found weights of 'y'"),
        ({"weights": {"x": (0, 2)}}, r"in \[0, 1\], found \(0, 2\)"),
        ({"weights": {"x": (0.1, 0.2, 0.3)}}, r"found \(0.1, 0.2, 0.3\)"),
        ({"weights": {"x": None}}, "a finite number as weight of 'x', found None"),
        ({"weights": {"x": 0.5}}, "that can have the sum 1, found {'x': 0.5}"),
        ({"weights": ["x"]}, "finite number as number to weigh in 'x', found inf"),
    ],
)
def test_weights_that_are_refused(options: dict[str, Any], words: str) -> None:
    refuses(words, po.maximal_items, ROWS, maximize="x", **options)


def test_numbers_and_items_that_are_refused() -> None:
    for cell in (float("nan"), None, "3"):
        for rows in (
            {"a": {"x": 1}, "b": {"x": cell}},
            pd.DataFrame({"x": [1, cell]}, index=["a", "b"]),
        ):
            for method in (po.maximal_items, po.levels):
                refuses(r"found .* for 'b' in column 'x'", method, rows, maximize="x")
    with pytest.raises(
        po.PorankError, match="expected a column 'y' in the table, found 'item', 'x'"
    ):
        po.levels([{"item": 1, "x": 1}], minimize="y")
    frame = pd.DataFrame.from_dict(ROWS, orient="index")
    for table, words in (
        (ROWS, "from_table reads rows"),
        (frame, "as levels and maximal_items do"),
    ):
        refuses(words, po.levels, table)
        with pytest.raises(po.PorankError, match="maximize or minimize, each once, found none"):
            po.maximal_items(table, weights="ordered")
    again, lists = pd.DataFrame({"x": [1, 2]}, index=["a", "a"]), [["a"], ["b"]]
    refuses("found 'a' more than once", po.levels, again, maximize="x")
    refuses("a hashable item", po.levels, pd.DataFrame({"item": lists, "x": [1, 2]}), maximize="x")


@given(
    st.integers(1, 4).flatmap(lambda k: st.lists(st.tuples(*[st.integers(0, 2)] * k), max_size=7))
)
def test_pairs_gained_without_an_indicator(rows: Rows) -> None:
    """The pairs that are incomparable with all columns and decided without one of them."""
    columns = list("abcd"[: len(rows[0])]) if rows else ["a"]
    table = {i: dict(zip(columns, row, strict=True)) for i, row in enumerate(rows)}

    def decided(columns: list[str]) -> set[frozenset[int]]:
        return {
            frozenset((u, v))
            for u, v in product(table, repeat=2)
            if columns and dominates(*(tuple(table[x][c] for c in columns) for x in (u, v)))
        }

    gained = {c: len(decided([d for d in columns if d != c]) - decided(columns)) for c in columns}
    assert po.which_indicator(table, maximize=columns) == gained
