"""Graphs from pairs, rankings, levels, ranks and matrices."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.convert.rankings import graph_of_classes, graph_of_item_levels
from tests.oracles import closure, tied_pairs


def test_pairs_are_written_as_they_are_given() -> None:
    G = po.from_pairs([("a", "b"), ("b", "c"), ("a", "c"), ("a", "b")], items="zb")
    assert list(G) == ["z", "b", "a", "c"]
    assert set(G.edges) == {("a", "b"), ("a", "c"), ("b", "c")}
    assert set(po.from_pairs([(1, 2), (2, 1), (3, 3)]).edges) == {(1, 2), (2, 1), (3, 3)}
    pairs: Any = [[1, "1"], ("1", frozenset("x")), "ab"]
    assert list(po.from_pairs(pairs)) == [1, "1", frozenset("x"), "a", "b"]
    assert list(po.from_pairs({("c", "d"), ("a", "b"), ("b", "c")})) == ["a", "b", "c", "d"]
    nothings: list[Any] = [[], iter(()), np.empty((0, 2))]
    assert [len(po.from_pairs(nothing)) for nothing in nothings] == [0, 0, 0]


@given(st.lists(st.integers(1, 3), max_size=4))
def test_levels_by_definition(sizes: list[int]) -> None:
    levels = [[(k, i) for i in range(size)] for k, size in enumerate(sizes)]
    G = po.from_levels(levels)
    assert list(G) == [item for level in levels for item in level]
    assert closure(G.edges) == {(u, v) for u, v in product(G, G) if u[0] < v[0]}
    assert tied_pairs(G) == {frozenset((u, v)) for u, v in combinations(G, 2) if u[0] == v[0]}
    assert G.number_of_edges() == sum(a * b for a, b in pairwise(sizes))
    assert nx_equal(po.from_ranks({item: item[0] for item in G}), G)
    firsts = [level[0] for level in levels]
    assert list(po.from_ranking(iter(firsts)).edges) == list(pairwise(firsts))
    # The classes that all weak orders are written with, items and classes in any sequence.
    number = {item: place for place, item in enumerate(sorted(G, key=lambda x: x[::-1]))}
    classes = [[number[item] for item in level] for level in levels]
    below = [[k + 1] if k + 1 < len(levels) else [] for k in range(len(levels))]
    written = graph_of_classes(list(number), classes, below)
    assert closure(written.edges) == closure(G.edges)
    assert tied_pairs(written) == tied_pairs(G)


def nx_equal(G: Any, H: Any) -> bool:
    return (list(G), set(G.edges), tied_pairs(G)) == (list(H), set(H.edges), tied_pairs(H))


def test_texts_and_sets_have_a_sequence() -> None:
    assert list(po.from_ranking("abc").edges) == [("a", "b"), ("b", "c")]
    assert tied_pairs(po.from_ranking("abc")) == set()
    assert list(po.from_levels([{"b", "a", "c"}, {2, 1}])) == ["a", "b", "c", 1, 2]
    assert len(graph_of_item_levels([], np.empty(0, dtype=np.int64))) == 0


def test_ranks_are_compared_exactly_and_a_series_names_its_items() -> None:
    G = po.from_ranks({"a": 2**60 + 1, "b": 2**60, "c": Fraction(2**60) + Fraction(1, 3)})
    assert closure(G.edges) == {("b", "c"), ("b", "a"), ("c", "a")}
    assert list(po.from_ranks(pd.Series([2.0, 1.0], index=["x", "y"])).edges) == [("y", "x")]


@pytest.mark.parametrize("kind", [list, np.array, tuple, lambda rows: map(np.array, rows)])
def test_what_is_not_zero_in_a_matrix_is_an_edge_with_its_weight(kind: Any) -> None:
    G = po.from_matrix(kind([[0, 2, 0], [1, 0, 0], [0, 0, 3]]), ["a", "b", "c"])
    assert list(G) == ["a", "b", "c"]
    assert list(G.edges(data="weight")) == [("a", "b", 2), ("b", "a", 1), ("c", "c", 3)]
    assert {type(w) for *_, w in G.edges(data="weight")} == {int}


def test_numbers_of_a_matrix_stay_as_they_are() -> None:
    rows: list[list[Any]] = [[False, Fraction(1, 10**12)], [True, np.float64(0)]]
    G = po.from_matrix(rows)
    assert list(map(type, (*rows[0], *rows[1]))) == [bool, Fraction, bool, np.float64]
    assert G.edges[0, 1]["weight"] == Fraction(1, 10**12)
    assert (list(G), type(G.edges[1, 0]["weight"])) == ([0, 1], int)
    assert len(po.from_matrix([])) == 0
    assert po.from_matrix(np.array([[False, True], [False, False]])).edges[0, 1] == {"weight": 1}
    frame = pd.DataFrame([[0, 1], [0, 0]], index=["a", "b"], columns=["a", "b"])
    assert list(po.from_matrix(frame).edges) == [("a", "b")]
    assert list(po.from_matrix(frame, items=iter("xy")).edges) == [("x", "y")]


def test_the_diagonal_of_a_matrix_may_be_empty() -> None:
    for empty in (0, None, math.nan, "", " ", "-", "\u2013", "nan", pd.NA):
        rows = [[empty, 2], [1, empty]]
        for matrix in (rows, pd.DataFrame(rows, index=["a", "b"], columns=["a", "b"])):
            found = list(po.from_matrix(matrix, "ab").edges(data="weight"))
            assert found == [("a", "b", 2), ("b", "a", 1)]
        if not isinstance(empty, int):
            with pytest.raises(po.PorankError, match=r"number >= 0 at \['a'\]\['b'\], found"):
                po.from_matrix([[0, empty], [1, 0]], "ab")
