"""Orders from scores with a tolerance, from intervals, from tables."""

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product, starmap
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from tests.support.oracles import dominates, reduction, tied_pairs
from tests.support.refusals import refuses

INFINITY = float("inf")
Relation = Callable[[int, int], bool]


def assert_as_defined(G: nx.DiGraph, n: int, is_above: Relation, is_equal: Relation) -> None:
    """Hold a graph on 0..n-1 against the definition of its order, and of its ties."""
    assert list(G) == list(range(n))
    assert set(G.edges) == reduction(
        (u, v) for u, v in product(range(n), repeat=2) if is_above(u, v)
    )
    assert tied_pairs(G) == {
        frozenset(pair) for pair in combinations(range(n), 2) if is_equal(*pair)
    }
    po.width(G)


EXACT = st.integers(-4, 4) | st.fractions(-4, 4, max_denominator=3)
FLOATS = st.floats(allow_nan=False, width=16)


@given(
    st.tuples(st.lists(EXACT, max_size=8), st.sampled_from([0, 1, Fraction(1, 3), Fraction(8, 3)]))
    | st.tuples(st.lists(FLOATS, max_size=8), st.floats(0, allow_nan=False, width=16))
)
def test_scores_by_definition(drawn: tuple[list[Any], Any]) -> None:
    scores, tolerance = drawn
    assert_as_defined(
        po.from_scores(scores, tolerance),
        len(scores),
        lambda u, v: scores[u] - scores[v] > tolerance,
        lambda u, v: scores[u] == scores[v],
    )


def test_the_difference_is_taken_in_the_numbers_given() -> None:
    def edges(scores: Any, tolerance: Any) -> list[Any]:
        return list(po.from_scores(scores, tolerance).edges)

    assert 0.3 - 0.2 < 0.1 < 1.1 - 1.0
    assert edges({"a": 0.3, "b": 0.2}, 0.1) == []
    assert edges({"a": 1.1, "b": 1.0}, 0.1) == [("a", "b")]
    assert edges({"a": Fraction(11, 10), "b": Fraction(1)}, Fraction(1, 10)) == []
    assert edges({"a": 2**60 + 2, "b": 2**60}, 1) == [("a", "b")]
    assert edges(np.array([127, -128, 0], dtype=np.int8), 1) == [(0, 2), (2, 1)]
    assert edges(np.array([0, 255], dtype=np.uint8), 1) == [(1, 0)]
    for scores in ((5, 1, 3), np.array([5, 1, 3]), pd.Series([5, 1, 3]), {0: 5, 1: 1, 2: 3}):
        assert edges(scores, 0) == edges(scores, 1) == [(0, 2), (2, 1)]
    G = po.from_scores({"a": INFINITY, "b": INFINITY, "c": 0.0, "d": -INFINITY}, 1)
    assert set(G.edges) == {("a", "c"), ("b", "c"), ("c", "d")}
    assert tied_pairs(G) == {frozenset("ab")}
    assert list(po.from_scores([7], 1).nodes(data=True)) == [(0, {})]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)).map(sorted), max_size=9))
def test_intervals_by_definition(ends: list[list[int]]) -> None:
    assert_as_defined(
        po.from_intervals(dict(enumerate(ends))),
        len(ends),
        lambda u, v: ends[u][0] > ends[v][1],
        lambda u, v: ends[u] == ends[v] and ends[u][0] == ends[u][1],
    )


def test_ends_of_intervals_are_compared_exactly_and_may_be_infinite() -> None:
    big = 2**60
    G = po.from_intervals({"a": (big + 1, INFINITY), "b": (-INFINITY, big)})
    assert list(G.edges) == [("a", "b")]
    assert list(po.from_intervals({"a": (1, 2), "b": (Fraction(1, 2), 1.0)}).edges) == []
    assert list(po.from_intervals({"a": [3, 4], "b": np.array([1, 2.5])}).edges) == [("a", "b")]


def survived(time: int, event: int) -> tuple[float, float]:
    """The interval of a survival time; what is censored lived longer than its time."""
    return (time, time) if event else (math.nextafter(time, INFINITY), INFINITY)


def test_survival_by_definition() -> None:
    for n in range(4):
        for cases in combinations_with_replacement(list(product(range(3), (0, 1))), n):

            def lived_longer(j: int, i: int, cases: Any = cases) -> bool:
                (time_j, event_j), (time_i, event_i) = cases[j], cases[i]
                return bool(event_i) and (time_j > time_i or (time_j == time_i and not event_j))

            assert_as_defined(
                po.from_intervals(dict(enumerate(starmap(survived, cases)))),
                n,
                lived_longer,
                lambda u, v, cases=cases: cases[u] == cases[v] and cases[u][1],  # type: ignore[misc]
            )


@given(st.lists(st.tuples(*[st.integers(0, 2)] * 3), max_size=8))
def test_it_is_the_reduction_of_dominance_with_equal_rows_tied(rows: list[tuple[int, ...]]) -> None:
    table = {i: {"x": x, "y": y, "z": -z} for i, (x, y, z) in enumerate(rows)}
    assert_as_defined(
        po.from_table(table, maximize=["x", "y"], minimize=["z"]),
        len(rows),
        lambda u, v: dominates(rows[u], rows[v]),
        lambda u, v: rows[u] == rows[v],
    )


def test_intervals_of_named_columns_are_the_same_from_a_frame() -> None:
    """One may be named alone, others are ignored, a frame gives the same and is left as it is."""
    table = {
        "a": {"taste": 3, "price": 2, "note": "x"},
        "b": {"taste": 3, "price": 4, "note": None},
        "c": {"taste": 1, "price": 1},
    }
    frame = pd.DataFrame(table).T
    before = frame.copy()
    for rows in (table, frame):
        assert set(po.from_table(rows, maximize="taste").edges) == {("a", "c"), ("b", "c")}
        assert set(po.from_table(rows, maximize=["taste"], minimize=["price"]).edges) == {
            ("a", "b")
        }
    pd.testing.assert_frame_equal(frame, before)
    exact = {"a": {0: 2**60 + 1}, "b": {0: Fraction(2**60)}}
    assert list(po.from_table(exact, minimize=[0]).edges) == [("b", "a")]


NAN = float("nan")
LEVELS = np.repeat([1, 5], 10_000)


def interval(value: Any) -> nx.DiGraph:
    return po.from_intervals({"a": (1, 2), "b": value})


def test_bad_input_is_refused_in_words() -> None:
    for t in (-1e-9, NAN, "1", None, np.ones(2)):
        refuses("tolerance", po.from_scores, [1, 2], t)
    refuses("found nan for 'b'", po.from_scores, {"a": 1.0, "b": NAN}, 1)
    refuses("cannot subtract", po.from_scores, [Decimal(1), 2.5], 1)
    refuses("100,000,000", po.from_scores, LEVELS, 2)
    refuses("low <= high for 'b'", interval, (2, 1))
    refuses("found nan for 'b'", interval, (1, NAN))
    for x in (1, (1,), (1, 2, 3), "12", None):
        refuses("pair .* for 'b'", interval, x)
    refuses("mapping item ->", po.from_intervals, [(1, 2)])
    refuses("fewer items", po.from_intervals, {i: (i % 2, i % 2 + 0.5) for i in range(10**4)})
