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
BALLOTS = [{"a": 1}, {"b": 1, "c": 2}]


def table(rows: Any, *columns: Any, **options: Any) -> nx.DiGraph:
    return po.from_table(rows, maximize=columns, **options)


def profile(**options: Any) -> po.Profile:
    return po.Profile(**({"orders": BALLOTS} | options))


#: Each case in a line: what is asked for, and what the error says.
REFUSED: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], str]] = [
    (po.from_pairs, ([("a", "b"), ("b", "c", 2)],), {}, r"number 2, found \(.*; read_pairs and"),
    *[
        (po.from_pairs, ([pair],), {}, r"expected two items, .* as pair number 1, found")
        for pair in (("a",), "a", "abc", 5, {"a", "b"}, frozenset("ab"), ())
    ],
    (po.from_pairs, ([("a", ["b"])],), {}, r"expected a hashable item, found \['b'\]"),
    (po.from_pairs, ([("a", None)],), {}, "found None"),
    (po.from_ranking, ("a > b > c",), {}, "found again: ' ', '>'; parse reads texts such as"),
    *[
        (po.from_ranking, (thing,), {}, r"in a sequence as the ranking, found a .*scores")
        for thing in ({"a", "b"}, {"a": 2, "b": 1}, AGAIN)
    ],
    (po.from_ranking, ([[1], 2],), {}, r"found \[1\]"),
    (po.from_levels, ([["a"], [], ["b"]],), {}, "expected an item in each level, found level 2 em"),
    (po.from_levels, ([["a", "a"]],), {}, "once in the levels, found again: 'a'"),
    (po.from_levels, ([["a"], ["a"]],), {}, "once in the levels, found again: 'a'"),
    (po.from_levels, ("ab",), {}, "expected a list of levels, found the text 'ab'"),
    (po.from_levels, (["ab", "c"],), {}, "expected items as level 1, found the text 'ab'"),
    (po.from_levels, ([[1], 3],), {}, "expected items as level 2, found 3"),
    (po.from_levels, ([range(10**4), range(-(10**4), 0)],), {}, "found 100,000,000; give the sco"),
    (po.from_ranks, ({"a": 1, "b": NAN},), {}, "found nan for 'b'"),
    (po.from_ranks, ({None: 1},), {}, "found None"),
    *[
        (po.from_matrix, ([[0, 1], [entry, 0]],), {}, r"number >= 0 at \[1\]\[0\], found")
        for entry in (-1, NAN, float("inf"), "x", None, 1j)
    ],
    (po.from_matrix, ([[0, 1], [0]],), {}, r"found a list of shape \(2,\)"),
    (po.from_matrix, (np.zeros((2, 3)),), {}, r"found a ndarray of shape \(2, 3\)"),
    (po.from_matrix, (np.zeros(2),), {}, "expected a square matrix, found a ndarray"),
    (po.from_matrix, ([np.ones((2, 2)), np.ones((2, 3))],), {}, "of numbers, found an error"),
    *[
        (po.from_matrix, (other,), {}, "expected a square matrix, found a")
        for other in ("ab", {"a": 1}, 3)
    ],
    (po.from_matrix, ([[0, 1], [0, 0]], ["a"]), {}, "each of the 2 rows of the matrix, found 1"),
    (po.from_matrix, ([[0, 1], [0, 0]], "aa"), {}, "once in items, found again: 'a'"),
    (po.from_matrix, (TWO,), {}, "the same names for rows and columns"),
    *[
        (po.from_scores, ([1, 2], tolerance), {}, "expected a number >= 0 as tolerance, found")
        for tolerance in (-1e-9, NAN, "1", None, np.ones(2))
    ],
    (po.from_scores, ({"a": 1.0, "b": NAN}, 1), {}, "found nan for 'b'"),
    (po.from_scores, ({None: 1}, 1), {}, "found None"),
    (po.from_scores, ([Decimal(1), 2.5], 1), {}, "expected scores that can be subtracted"),
    (po.from_scores, (LEVELS, 0), {}, "found 100,000,000; give the scores"),
    (po.from_scores, (LEVELS, 2), {}, "found 100,000,000; give the scores"),
    (po.from_intervals, ({"a": (1, 2), "b": (2, 1)},), {}, r"low <= high for 'b', found \(2, 1\)"),
    (po.from_intervals, ({"a": (1, 2), "b": (1, NAN)},), {}, "found nan for 'b'"),
    (po.from_intervals, ({"a": (1, "2")},), {}, "found '2' for 'a'"),
    *[
        (po.from_intervals, ({"a": shape},), {}, r"a pair \(low, high\) for 'a', found")
        for shape in (1, (1,), (1, 2, 3), "12", None)
    ],
    (po.from_intervals, ([(1, 2)],), {}, "expected a mapping item -> .*, found"),
    (po.from_intervals, ({None: (1, 2)},), {}, "expected an item, found None"),
    (po.from_intervals, ({i: (i % 2, i % 2 + 0.5) for i in range(10**4)},), {}, "0; keep fewer it"),
    (po.from_survival, ({"a": 1, "b": 2}, {"a": 1, "c": 1}), {}, "only in one: 'b', 'c'"),
    (po.from_survival, ([1, 2], [1, 0, 1]), {}, "the same items, found only in one: 2"),
    (po.from_survival, ([1], {"a": 1}), {}, "the same items, found only in one: 0, 'a'"),
    (po.from_survival, ([1], 1), {}, "as events, found an int"),
    (po.from_survival, ({"a": 1}, AGAIN), {}, "found again: 'a' in events"),
    *[
        (po.from_survival, ({"a": 1}, {"a": event}), {}, "expected .* 'a'")
        for event in (2, 0.5, NAN, "1", None, pd.NA, np.ones(2))
    ],
    (po.from_survival, ({"a": NAN}, {"a": 1}), {}, "found nan for 'a'"),
    (table, (WIDE,), {}, "a column in maximize or minimize, found none"),
    (table, (WIDE, "x"), {"minimize": "x"}, "once in maximize and minimize, found again: 'x'"),
    (table, (WIDE, "y"), {}, "a value in column 'y' for 0, found 'x'"),
    (table, ({"a": {}}, "x"), {}, "a value in column 'x' for 'a', found none"),
    (table, ({"a": {"x": 1.0}, "b": {"x": NAN}}, "x"), {}, "found nan for 'b' in column 'x'"),
    (table, (pd.DataFrame({"x": [1, NAN]}), "x"), {}, "found nan for 1 in column 'x'"),
    (table, ([{"x": 1}], "x"), {}, r"expected a mapping item -> .* found a list"),
    (table, ({"a": [1]}, "x"), {}, r"expected {column: number} for 'a', found \[1\]"),
    (table, (pd.DataFrame({"x": AGAIN}), "x"), {}, "once in the index, found again: 'a'"),
    (table, (pd.DataFrame([[1, 2]], columns=["x", "x"]), "x"), {}, "once in the columns, .*: 'x'"),
    (table, (WIDE, "x"), {}, "found 25,000,000; keep fewer items"),
    (profile, (), {"orders": None}, "expected a list of orders, found None"),
    (profile, (), {"orders": b"ab"}, "expected a list of orders, found a bytes"),
    (profile, (), {"orders": nx.DiGraph()}, "expected a list of orders, found a DiGraph"),
    (profile, (), {"orders": [nx.Graph(["ab"])]}, "a networkx.DiGraph as order 1, found the"),
    (profile, (), {"metadata": "title"}, "expected a mapping as metadata, found 'title'"),
    (profile, (), {"counts": [1]}, "expected a count for each of 2 orders, found 1"),
    (profile, (), {"counts": 2}, "expected a count for each order, found 2"),
    (profile, (), {"counts": [1, 0]}, "number of at least 1 as the count of order 2, found 0"),
    (profile, (), {"counts": [1, 1.5]}, "as the count of order 2, found 1.5"),
    (profile, (), {"counts": [True, 1]}, "as the count of order 1, found True"),
    (profile, (), {"items": "ab"}, "expected items of the profile in order 2, found 'c'"),
    *[
        (po.concept_lattice, (wrong,), {}, "expected a FormalContext or a mapping")
        for wrong in (3, ["ab"], {"a": "pq"}, {"a": 1})
    ],
    (po.FormalContext, ("aa", (), [(), ()]), {}, "found again: 'a'"),
    (po.FormalContext, ("a", (), ()), {}, "a row for each of 1 objects, found 0"),
    (po.FormalContext, ("a", "p", ["q"]), {}, "attributes of the context for 'a', found 'q'"),
]


@pytest.mark.parametrize(("make", "given", "options", "message"), REFUSED)
def test_what_is_refused(
    make: Callable[..., Any], given: tuple[Any, ...], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(po.PorankError, match=message):
        make(*given, **options)


@pytest.mark.parametrize(
    ("make", "given", "message"),
    [
        (po.from_ranks, ("abc",), "found"),
        (po.from_ranks, (nx.DiGraph(["ab"]),), "expected numbers of items as ranks, found a graph"),
        (po.from_scores, ("abc",), "as scores, found the text 'abc'"),
        (po.from_survival, ("ab", [1, 1]), "as times, found the text 'ab'"),
    ],
)
def test_what_is_of_the_wrong_kind(
    make: Callable[..., Any], given: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(po.GraphTypeError, match=message):
        make(*given)
