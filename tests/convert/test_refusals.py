"""What no order can be made of: each refusal of a constructor, with what it names."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import porank as po

NAN = float("nan")
LEVELS = np.repeat([1, 5], 10_000)
TWO = pd.DataFrame([[0, 1], [0, 0]], index=["a", "b"], columns=["a", "z"])
AGAIN = pd.Series([1, 0], index=["a", "a"])
WIDE = {i: {"x": i % 2} for i in range(10_000)}
SQUARE = [[0, 1], [0, 0]]


def table(rows: Any, *columns: Any, **options: Any) -> nx.DiGraph:
    return po.from_table(rows, maximize=columns, **options)


def entry(value: Any) -> nx.DiGraph:
    return po.from_matrix([[0, 1], [value, 0]])


def interval(value: Any) -> nx.DiGraph:
    return po.from_intervals({"a": (1, 2), "b": value})


def profile(**options: Any) -> po.Profile:
    return po.Profile(**({"orders": [{"a": 1}, {"b": 1, "c": 2}]} | options))


#: What is asked for, and a word or two that the error says.
REFUSED: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], str]] = [
    (po.from_pairs, ([("a", "b"), ("b", "c", 2)],), {}, "as pair number 2"),
    *[(po.from_pairs, ([p],), {}, "number 1") for p in (("a",), "abc", 5, {"a", "b"})],
    (po.from_pairs, ([("a", None)],), {}, "found None"),
    (po.from_ranking, ("a > b > c",), {}, "use parse"),
    *[(po.from_ranking, (x,), {}, "a list of items as") for x in ({"a"}, {"a": 2}, AGAIN)],
    (po.from_ranking, ([[1], 2],), {}, r"found \[1\]"),
    (po.from_levels, ([["a"], [], ["b"]],), {}, "level 2"),
    (po.from_levels, ("ab",), {}, "list of levels"),
    (po.from_levels, (["ab", "c"],), {}, "as level 1"),
    (po.from_levels, ([[1], 3],), {}, "as level 2"),
    (po.from_levels, ([range(10**4), range(-(10**4), 0)],), {}, "100,000,000"),
    *[(entry, (x,), {}, r"at \[1\]\[0\]") for x in (-1, NAN, float("inf"), "x", None, 1j)],
    (po.from_matrix, ([[0, 1], [0]],), {}, r"shape \(2,\)"),
    (po.from_matrix, (np.zeros((2, 3)),), {}, r"shape \(2, 3\)"),
    (po.from_matrix, ([np.ones((2, 2)), np.ones((2, 3))],), {}, "matrix as numbers"),
    *[(po.from_matrix, (x,), {}, "square") for x in ("ab", {"a": 1}, 3, np.zeros(2))],
    (po.from_matrix, (SQUARE, ["a"]), {}, "each of the 2 rows"),
    (po.from_matrix, (TWO,), {}, "the same names"),
    *[(po.from_scores, ([1, 2], t), {}, "tolerance") for t in (-1e-9, NAN, "1", None, np.ones(2))],
    (po.from_scores, ({"a": 1.0, "b": NAN}, 1), {}, "found nan for 'b'"),
    (po.from_scores, ([Decimal(1), 2.5], 1), {}, "cannot subtract"),
    (po.from_scores, (LEVELS, 2), {}, "100,000,000"),
    (interval, ((2, 1),), {}, "low <= high for 'b'"),
    (interval, ((1, NAN),), {}, "found nan for 'b'"),
    *[(interval, (x,), {}, "pair .* for 'b'") for x in (1, (1,), (1, 2, 3), "12", None)],
    (po.from_intervals, ([(1, 2)],), {}, "mapping item ->"),
    (po.from_intervals, ({i: (i % 2, i % 2 + 0.5) for i in range(10**4)},), {}, "fewer items"),
    (table, (WIDE,), {}, "maximize or minimize"),
    (table, (WIDE, "x"), {"minimize": "x"}, "each once, found 'x', 'x'"),
    (table, (WIDE, "y"), {}, "a column 'y' in the table, found 'x'"),
    (table, ({"a": {}}, "x"), {}, "a column 'x' in the table"),
    (table, ({"a": {"x": 1.0}, "b": {"x": NAN}}, "x"), {}, "found nan for 'b'"),
    (table, ([{"x": 1}], "x"), {}, "expected a column .item. in the table"),
    (table, ({"a": [1]}, "x"), {}, r"found \[1\]"),
    (table, (pd.DataFrame([[1, 2]], columns=["x", "x"]), "x"), {}, "once in the columns"),
    (table, (WIDE, "x"), {}, "found 25,000,000"),
    *[(profile, (), {"orders": x}, "a list of orders") for x in (None, b"ab", nx.DiGraph())],
    (profile, (), {"orders": [nx.Graph(["ab"])]}, "as order 1"),
    (profile, (), {"metadata": "title"}, "as metadata"),
    (profile, (), {"counts": [1]}, "each of 2 orders"),
    (profile, (), {"counts": 2}, "a count for each order"),
    *[(profile, (), {"counts": [1, x]}, "count of order 2") for x in (0, 1.5, True)],
    (profile, (), {"items": "ab"}, "order 2, found 'c'"),
    (profile, (), {"items": 7}, "as the profile, found 7"),
    *[
        (po.concept_lattice, (x,), {}, "object -> its attributes")
        for x in (3, ["ab"], {"a": "pq"}, {"a": 1})
    ],
    *[(po.parse, (x,), {}, "expected a text") for x in (None, ["A"], b"A")],
    (po.Profile([]).completed, (), {"missing": "last"}, "'below', 'unordered'"),
]


def test_what_is_refused() -> None:
    for make, given, options, message in REFUSED:
        with pytest.raises(po.PorankError, match=message):
            make(*given, **options)


def test_what_is_of_the_wrong_kind_and_cycles_and_ties() -> None:
    cyclic, tied = nx.DiGraph(["ab", "ba"]), po.parse("A > C; B")
    nx.set_node_attributes(tied, {"A": 1, "B": 1}, "tie")
    calls: list[tuple[type[Exception], Callable[[], Any]]] = [
        (po.errors.GraphTypeError, lambda: po.from_ranks(nx.DiGraph(["ab"]))),
        (po.errors.GraphTypeError, lambda: po.from_scores("abc")),
        (po.CycleError, lambda: po.format_order(cyclic)),
        (po.errors.TieError, lambda: po.format_order(tied)),
        (po.CycleError, lambda: list(po.Profile([cyclic]).scores())),
    ]
    for error, call in calls:
        with pytest.raises(error):
            call()
    with pytest.raises(po.CycleError, match="in order 2"):
        po.Profile([{"c": 1}, cyclic]).completed()


def test_too_many_edges_to_write(monkeypatch: pytest.MonkeyPatch) -> None:
    weak, other = nx.complete_bipartite_graph(3, 3), nx.DiGraph(["ab", "cd", "ad"])
    lattice = {i: {"x": i % 4, "y": -(i % 4) + 10 * (i < 4)} for i in range(8)}
    monkeypatch.setattr("porank.core.graphs.MAX_EDGES", 2)
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: po.parse("a ~ b > c ~ d"), "found 4; pass the scores"),
        (lambda: po.format_order(nx.DiGraph(weak.edges)), "found 9; keep the scores"),
        (lambda: po.format_order(other), "found 3; write the graph"),
        (lambda: table(lattice, "x", "y"), "found 10; keep fewer items"),
        (lambda: po.Profile([po.antichain(2)], items=range(4)).completed(), "found 4"),
    ]
    for call, message in calls:
        with pytest.raises(po.PorankError, match=message):
            call()
    monkeypatch.setattr("porank.core.graphs.MAX_BYTES", 100)
    with pytest.raises(po.PorankError, match=r"a matrix of 20 items.*keep fewer items"):
        table({i: {"x": i, "y": i * 7 % 20} for i in range(20)}, "x", "y")
