"""Orders from scores with a tolerance, from intervals, from survival times."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.convert.scores import from_intervals, from_scores, from_survival
from porank.core.compiled_order import compile_order
from tests.oracles import tied_pairs

INFINITY = float("inf")


def reduction_of(items: Iterable[Any], above: Callable[[Any, Any], bool]) -> set[tuple[Any, Any]]:
    """Return the covers by their definition: nothing stands between."""
    items = list(items)
    return {
        (u, v)
        for u, v in product(items, items)
        if above(u, v) and not any(above(u, w) and above(w, v) for w in items)
    }


class TestFromScores:
    """Weak orders and semiorders."""

    @given(
        st.lists(st.one_of(st.integers(-4, 4), st.fractions(-4, 4, max_denominator=3)), max_size=8),
        st.sampled_from([0, 1, Fraction(1, 3), Fraction(8, 3)]),
    )
    def test_exact_numbers_by_the_definition(self, scores: list[Any], tolerance: Fraction) -> None:
        G = from_scores(scores, tolerance)
        assert list(G) == list(range(len(scores)))
        assert set(G.edges) == reduction_of(G, lambda u, v: scores[u] - scores[v] > tolerance)
        assert tied_pairs(G) == {
            frozenset((u, v)) for u, v in product(G, G) if u != v and scores[u] == scores[v]
        }
        compile_order(G)

    @given(
        st.lists(st.floats(allow_nan=False, width=16), max_size=8),
        st.floats(0, allow_nan=False, width=16),
    )
    def test_floats_by_the_definition(self, scores: list[float], tolerance: float) -> None:
        G = from_scores(scores, tolerance=tolerance)
        assert set(G.edges) == reduction_of(G, lambda u, v: scores[u] - scores[v] > tolerance)

    def test_the_difference_is_taken_in_the_numbers_given(self) -> None:
        assert 0.3 - 0.2 < 0.1 < 1.1 - 1.0
        assert list(from_scores({"a": 0.3, "b": 0.2}, 0.1).edges) == []
        assert list(from_scores({"a": 1.1, "b": 1.0}, 0.1).edges) == [("a", "b")]
        exact = {"a": Fraction(11, 10), "b": Fraction(1)}
        assert list(from_scores(exact, Fraction(1, 10)).edges) == []
        assert list(from_scores({"a": 2**60 + 2, "b": 2**60}, 1).edges) == [("a", "b")]

    def test_small_integers_do_not_overflow(self) -> None:
        scores = np.array([127, -128, 0], dtype=np.int8)
        assert list(from_scores(scores, 1).edges) == [(0, 2), (2, 1)]
        assert list(from_scores(np.array([0, 255], dtype=np.uint8), 1).edges) == [(1, 0)]

    def test_infinite_scores_have_their_place(self) -> None:
        G = from_scores({"a": INFINITY, "b": INFINITY, "c": 0.0, "d": -INFINITY}, 1)
        assert set(G.edges) == {("a", "c"), ("b", "c"), ("c", "d")}
        assert tied_pairs(G) == {frozenset("ab")}

    @pytest.mark.parametrize("tolerance", [0, 1])
    def test_every_form_of_scores_will_do(self, tolerance: int) -> None:
        expected = list(from_scores([5, 1, 3], tolerance).edges)
        for scores in ((5, 1, 3), np.array([5, 1, 3]), pd.Series([5, 1, 3]), {0: 5, 1: 1, 2: 3}):
            assert list(from_scores(scores, tolerance).edges) == expected
        assert len(from_scores({}, tolerance)) == 0
        assert list(from_scores([7], tolerance).nodes(data=True)) == [(0, {})]


class TestFromIntervals:
    """Interval orders."""

    @given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)).map(sorted), max_size=9))
    def test_random_intervals(self, intervals: list[list[int]]) -> None:
        self.check({i: (low, high) for i, (low, high) in enumerate(intervals)})

    @staticmethod
    def check(intervals: dict[int, tuple[Any, Any]]) -> None:
        G = from_intervals(intervals)
        assert list(G) == list(intervals)
        assert set(G.edges) == reduction_of(G, lambda u, v: intervals[u][0] > intervals[v][1])
        assert tied_pairs(G) == {
            frozenset((u, v))
            for u, v in product(G, G)
            if u != v and intervals[u] == intervals[v] and intervals[u][0] == intervals[u][1]
        }
        compile_order(G)

    def test_the_ends_are_compared_exactly_and_may_be_infinite(self) -> None:
        big = 2**60
        assert list(from_intervals({"a": (big + 1, INFINITY), "b": (-INFINITY, big)}).edges) == [
            ("a", "b")
        ]
        assert list(from_intervals({"a": (1, 2), "b": (Fraction(1, 2), 1.0)}).edges) == []

    def test_pairs_may_be_lists_and_arrays(self) -> None:
        G = from_intervals({"a": [3, 4], "b": np.array([1, 2.5])})
        assert list(G.edges) == [("a", "b")]
        assert len(from_intervals({})) == 0

    def test_many_items_take_no_time_beyond_their_edges(self) -> None:
        n = 4_000
        G = from_intervals({i: (i, i + 3) for i in range(n)})
        assert G.number_of_edges() == sum(min(max(i - 3, 0), 4) for i in range(n))


class TestFromSurvival:
    """Who is known to have lived longer."""

    def test_all_small_cases_by_the_definition(self) -> None:
        people = list(product(range(3), (0, 1)))
        for n in range(4):
            for cases in combinations_with_replacement(people, n):
                self.check(cases)

    @staticmethod
    def check(cases: tuple[tuple[int, int], ...]) -> None:
        def lived_longer(j: int, i: int) -> bool:
            (time_j, event_j), (time_i, event_i) = cases[j], cases[i]
            return bool(event_i) and (time_j > time_i or (time_j == time_i and not event_j))

        G = from_survival([time for time, _ in cases], [event for _, event in cases])
        assert list(G) == list(range(len(cases)))
        assert set(G.edges) == reduction_of(G, lived_longer)
        assert tied_pairs(G) == {
            frozenset((u, v))
            for u, v in product(G, G)
            if u != v and cases[u] == cases[v] and cases[u][1]
        }
        compile_order(G)

    def test_every_form_will_do(self) -> None:
        expected = [(0, 1), (2, 1)]
        times, events = [2.5, 1, 9], [True, True, False]
        assert list(from_survival(times, events).edges) == [(0, 1), (2, 0)]
        events = [False, True, False]
        for form in (list, tuple, np.array, pd.Series):
            assert list(from_survival(form(times), form(events)).edges) == expected
        by_item = {0: False, 2: False, 1: np.int64(1)}
        assert list(from_survival(dict(enumerate(times)), by_item).edges) == expected
        assert list(from_survival(pd.Series(times), by_item).edges) == expected
