"""Graphs from pairs, rankings, levels, ranks and matrices, and the classes they are made of."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.convert.rankings import (
    from_levels,
    from_matrix,
    from_pairs,
    from_ranking,
    from_ranks,
    graph_of_classes,
    graph_of_item_levels,
)
from porank.core.compiled_order import compile_order
from porank.errors import PorankError
from tests.oracles import closure, tied_pairs


class TestFromPairs:
    """Pairs, as they are given."""

    def test_it_writes_the_pairs_given_and_no_others(self) -> None:
        G = from_pairs([("a", "b"), ("b", "c"), ("a", "c"), ("a", "b")])
        assert list(G.edges) == [("a", "b"), ("a", "c"), ("b", "c")]

    def test_items_come_first_and_may_be_alone(self) -> None:
        G = from_pairs([("a", "b")], items=["z", "b"])
        assert list(G) == ["z", "b", "a"]

    def test_pairs_may_be_lists_texts_and_sets_of_items_of_any_kind(self) -> None:
        assert set(from_pairs([(1, 2), (2, 1), (3, 3)]).edges) == {(1, 2), (2, 1), (3, 3)}
        pairs: Any = [[1, "1"], ("1", frozenset("x")), "ab"]
        assert list(from_pairs(pairs)) == [1, "1", frozenset("x"), "a", "b"]
        unordered = {("c", "d"), ("a", "b"), ("b", "c")}
        assert list(from_pairs(unordered)) == ["a", "b", "c", "d"]
        nothings: list[Any] = [[], iter(()), np.empty((0, 2))]
        for nothing in nothings:
            assert len(from_pairs(nothing)) == 0


class TestFromRanking:
    """Total orders."""

    @pytest.mark.parametrize("n", range(5))
    def test_it_is_a_chain_best_first(self, n: int) -> None:
        G = from_ranking(range(n))
        assert list(G) == list(range(n))
        assert list(G.edges) == [(i, i + 1) for i in range(n - 1)]
        assert tied_pairs(G) == set()

    def test_a_text_stands_for_its_letters(self) -> None:
        assert list(from_ranking("abc").edges) == [("a", "b"), ("b", "c")]
        assert list(from_ranking(item for item in (1, "1", (1,))).edges) == [(1, "1"), ("1", (1,))]


class TestFromLevels:
    """Weak orders by their levels."""

    @given(st.lists(st.integers(1, 3), max_size=4))
    def test_it_says_what_the_levels_say(self, sizes: list[int]) -> None:
        levels = [[(k, i) for i in range(size)] for k, size in enumerate(sizes)]
        G = from_levels(levels)
        assert list(G) == [item for level in levels for item in level]
        assert closure(G.edges) == {(u, v) for u, v in product(G, G) if u[0] < v[0]}
        assert tied_pairs(G) == {
            frozenset((u, v)) for u, v in product(G, G) if u[0] == v[0] and u != v
        }
        assert G.number_of_edges() == sum(a * b for a, b in pairwise(sizes))
        assert compile_order(G).is_weak

    def test_sets_give_the_same_graph_every_time(self) -> None:
        assert list(from_levels([{"b", "a", "c"}, {2, 1}])) == ["a", "b", "c", 1, 2]


class TestFromRanks:
    """Weak orders by ranks."""

    @given(st.lists(st.integers(0, 3), max_size=6))
    def test_small_is_better_and_equal_is_tied(self, ranks: list[int]) -> None:
        G = from_ranks(ranks)
        assert list(G) == list(range(len(ranks)))
        assert closure(G.edges) == {(u, v) for u, v in product(G, G) if ranks[u] < ranks[v]}
        assert tied_pairs(G) == {
            frozenset((u, v)) for u, v in product(G, G) if u != v and ranks[u] == ranks[v]
        }

    def test_ranks_are_compared_exactly_and_a_series_names_its_items(self) -> None:
        G = from_ranks({"a": 2**60 + 1, "b": 2**60, "c": Fraction(2**60) + Fraction(1, 3)})
        assert closure(G.edges) == {("b", "c"), ("b", "a"), ("c", "a")}
        assert list(from_ranks(pd.Series([2.0, 1.0], index=["x", "y"])).edges) == [("y", "x")]


class TestFromMatrix:
    """Weighted graphs."""

    @pytest.mark.parametrize("kind", [list, np.array, tuple, lambda rows: map(np.array, rows)])
    def test_what_is_not_zero_is_an_edge_with_its_weight(self, kind: Any) -> None:
        G = from_matrix(kind([[0, 2, 0], [1, 0, 0], [0, 0, 3]]), ["a", "b", "c"])
        assert list(G) == ["a", "b", "c"]
        assert list(G.edges(data="weight")) == [("a", "b", 2), ("b", "a", 1), ("c", "c", 3)]
        assert {type(w) for *_, w in G.edges(data="weight")} == {int}

    def test_exact_numbers_stay_exact_and_truth_is_one(self) -> None:
        G = from_matrix([[False, Fraction(1, 10**12)], [True, 0]])
        assert G.edges[0, 1]["weight"] == Fraction(1, 10**12)
        assert (list(G), type(G.edges[1, 0]["weight"])) == ([0, 1], int)
        assert len(from_matrix([])) == 0
        assert from_matrix(np.array([[False, True], [False, False]])).edges[0, 1] == {"weight": 1}

    @pytest.mark.parametrize("empty", [0, None, math.nan, "", " ", "-", "\u2013", "nan", pd.NA])
    def test_the_diagonal_may_be_empty(self, empty: Any) -> None:
        rows = [[empty, 2], [1, empty]]
        for matrix in (rows, pd.DataFrame(rows, index=["a", "b"], columns=["a", "b"])):
            found = list(from_matrix(matrix, "ab").edges(data="weight"))
            assert found == [("a", "b", 2), ("b", "a", 1)]
        if not isinstance(empty, int):
            with pytest.raises(PorankError, match=r"number >= 0 at \['a'\]\['b'\], found"):
                from_matrix([[0, empty], [1, 0]], "ab")

    def test_a_frame_names_its_items(self) -> None:
        frame = pd.DataFrame([[0, 1], [0, 0]], index=["a", "b"], columns=["a", "b"])
        assert list(from_matrix(frame).edges) == [("a", "b")]
        assert list(from_matrix(frame, items="xy".__iter__()).edges) == [("x", "y")]

    def test_the_matrix_is_left_as_it_is(self) -> None:
        rows: list[list[Any]] = [[0, True], [np.float64(2), 0]]
        from_matrix(rows)
        assert list(map(type, (*rows[0], *rows[1]))) == [int, bool, np.float64, int]


class TestClasses:
    """What all weak orders are written with."""

    def test_every_item_of_a_class_is_above_every_item_of_the_next(self) -> None:
        G = graph_of_classes("abcde", [[0, 3], [1], [2, 4]], [[1], [2], []])
        level = {"a": 0, "d": 0, "b": 1, "c": 2, "e": 2}
        assert closure(G.edges) == {(u, v) for u, v in product(G, G) if level[u] < level[v]}
        assert tied_pairs(G) == {frozenset("ad"), frozenset("ce")}

    def test_no_layers_make_an_empty_graph(self) -> None:
        assert len(graph_of_item_levels([], np.empty(0, dtype=np.int64))) == 0
