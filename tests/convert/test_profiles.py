"""Graphs from pairs, rankings, levels, ranks and matrices; profiles of several orders."""

import io
import math
import pickle
from fractions import Fraction
from importlib import import_module
from itertools import chain, combinations, pairwise, permutations, product
from math import comb
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.convert.profiles import Profile
from porank.convert.rankings import graph_of_classes, graph_of_item_levels, levels_of
from tests.support.oracles import are_unordered, closure, graph_on, tied_pairs
from tests.support.preflib_texts import content_of
from tests.support.refusals import refuses
from tests.support.strategies import on_orders, orders

pa = import_module("pyarrow")


def test_a_profile_without_counts_has_one_voter_an_order() -> None:
    profile = Profile([po.from_ranking("ba"), {"c": 1, "b": 1}])
    assert (profile.counts, profile.items) == ((1, 1), ("b", "a", "c"))
    assert (profile.metadata, profile.problems, profile.voters) == ({}, (), 2)
    assert Profile(profile.orders, items="dcba").items == ("d", "c", "b", "a")
    assert repr(Profile([])) == "Profile(0 orders of 0 items, 0 voters)"
    one = Profile([{"a": 1, "b": 1}], list(np.array([1200])))
    assert repr(one) == "Profile(1 order of 2 items, 1,200 voters)"
    assert type(one.counts[0]) is int
    assert Profile([[3, 1]]).items == (0, 1)


def test_a_profile_is_pickled_and_cannot_be_changed() -> None:
    light, heavy = (nx.DiGraph([("a", "b", {"weight": weight})]) for weight in (1, 2))
    for profile in (
        Profile([light], counts=[2], metadata={"title": "x"}),
        Profile([heavy, {1: 2}]),
    ):
        assert content_of(pickle.loads(pickle.dumps(profile))) == content_of(profile)
        with pytest.raises(AttributeError):
            profile.counts = (4,)  # type: ignore[misc]
    assert content_of(Profile([light])) != content_of(Profile([heavy]))


@given(st.lists(orders(max_items=4), max_size=3))
def test_completed_by_definition(given_orders: list[nx.DiGraph]) -> None:
    """Listed above not listed or beside; among the listed what was said; the others tied or not."""
    items = dict.fromkeys([*chain.from_iterable(given_orders), ("more", 1), ("more", 2)])
    profile = Profile(given_orders, items=list(items))
    edges = [list(order.edges) for order in given_orders]
    beside = profile.completed(missing="unordered")
    for before, after, apart in zip(
        profile.orders, profile.completed().orders, beside.orders, strict=True
    ):
        others = items.keys() - set(before)
        below = {(u, v) for u in before for v in others}
        assert closure(after.edges) == closure(before.edges) | below
        assert closure(apart.edges) == closure(before.edges)
        assert set(after) == set(apart) == set(items)
        assert {item for item, tie in after.nodes(data="tie") if tie is not None} == others
        assert (po.describe(after).ties, po.describe(apart).ties) == (comb(len(others), 2), 0)
    assert content_of(profile.completed().completed()) == content_of(profile.completed())
    assert [list(order.edges) for order in given_orders] == edges


def test_each_kind_of_order_remains_one() -> None:
    G = nx.DiGraph([("a", "b", {"support": 3})])
    whole, component = po.parse("a > b > c > d"), nx.DiGraph(["ab", "ba", "cd"])
    given_orders: list[Any] = [G, {"b": 2.5, "c": -7}, whole, {}, component]
    profile = Profile(given_orders, [5, 4, 3, 2, 1], metadata={"title": "x"})
    completed = profile.completed()
    graph, scores, *same, nothing, cyclic = completed.orders
    assert list(graph.edges(data="support")) == [("a", "b", 3), ("b", "c", None), ("b", "d", None)]
    assert scores == {"b": 2.5, "c": -7, "a": -8, "d": -8}
    assert same == [whole]
    assert cyclic is component
    assert set(nothing.values()) == {0}
    assert (completed.counts, completed.items) == (profile.counts, profile.items)
    assert (completed.metadata, completed.problems) == ({"title": "x"}, ())
    tied = Profile([{"a": 1, "b": 1}], items="abcd").completed(missing="unordered").orders[0]
    assert po.format_order(tied) == "a ~ b; c; d"


@on_orders(max_items=4)
def test_levels_or_the_witness_of_what_is_no_ranking(G: nx.DiGraph) -> None:
    """Also where each item has a twin that is tied with it."""
    twins = (((x, k), {"tie": place}) for place, x in enumerate(G) for k in (0, 1))
    H = graph_on(twins, (((u, j), (v, k)) for u, v in G.edges for j in (0, 1) for k in (0, 1)))
    if po.is_total_order(G):
        lines = list(nx.topological_sort(G))
        assert levels_of(G, name="x") == [[x] for x in lines]
        assert levels_of(H, name="x") == [[(x, 0), (x, 1)] for x in lines]
        return
    said, tied = closure(H.edges), tied_pairs(H)
    with pytest.raises(po.errors.NotApplicableError) as caught:
        levels_of(H, name="x")
    assert any(
        f"found {u!r} and {v!r} incomparable" in str(caught.value)
        for u, v in permutations(H, 2)
        if are_unordered(said, u, v) and frozenset((u, v)) not in tied
    )


def test_levels_of_scores_and_of_some_ties() -> None:
    assert levels_of({"a": 1, "b": 3, "c": 1}, name="x") == [["b"], ["a", "c"]]
    assert levels_of(nx.DiGraph(), name="x") == []
    with pytest.raises(po.errors.NotApplicableError, match="found 'c' and 'd' incomparable"):
        levels_of(po.parse("a > b ~ c; a > d > e; b > e; c > e"), name="x")
    with pytest.raises(po.errors.NotApplicableError, match="found 'b' and 'c' incomparable"):
        levels_of(po.parse("c ~ d; a ~ b"), name="x")
    with pytest.raises(
        po.errors.NotApplicableError, match="as order 2, found 'b' and 'c' incomparable"
    ):
        list(Profile([{"a": 1}, nx.DiGraph(["ab", "ac"])]).scores())


def test_pairs_are_written_as_they_are_given() -> None:
    G = po.from_pairs([("a", "b"), ("b", "c"), ("a", "c"), ("a", "b")], items="zb")
    assert list(G) == ["z", "b", "a", "c"]
    assert set(G.edges) == {("a", "b"), ("a", "c"), ("b", "c")}
    assert set(po.from_pairs([(1, 2), (2, 1), (3, 3)]).edges) == {(1, 2), (2, 1), (3, 3)}
    pairs: Any = [[1, "2"], ("2", frozenset("x")), "ab"]
    assert list(po.from_pairs(pairs)) == [1, "2", frozenset("x"), "a", "b"]
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


def test_ranks_are_compared_exactly_and_a_series_names_its_items() -> None:
    G = po.from_ranks({"a": 2**60 + 1, "b": 2**60, "c": Fraction(2**60) + Fraction(1, 3)})
    assert closure(G.edges) == {("b", "c"), ("b", "a"), ("c", "a")}
    assert list(po.from_levels([{"b", "a", "c"}, {2, 1}])) == ["a", "b", "c", 1, 2]
    assert len(graph_of_item_levels([], np.empty(0, dtype=np.int64))) == 0
    assert list(po.from_ranks(pd.Series([2.0, 1.0], index=["x", "y"])).edges) == [("y", "x")]


def test_what_is_not_zero_in_a_matrix_is_an_edge_with_its_weight() -> None:
    kinds: list[Any] = [list, np.array, lambda rows: map(np.array, rows)]
    for kind in kinds:
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


@pytest.mark.parametrize("cells", ["ranks", "scores", "items"])
def test_a_table_of_orders_is_the_same_in_each_form(cells: str, tmp_path: Path) -> None:
    rows: list[tuple[Any, ...]] = [(1, 2, 3), (3.5, None, 2)]
    if cells == "items":
        rows = [("tea", "milk", "x"), ("milk", None, None)]
    frame = pd.DataFrame(rows, columns=["a", "b", "c"], dtype=object)
    expected = {
        "ranks": ["a > b > c", "c > a"],
        "scores": ["c > b > a", "a > c"],
        "items": ["tea > milk > x", "milk"],
    }
    frame.to_csv(tmp_path / "orders.csv", index=False)
    columns = frame.to_dict("list")
    forms = [frame, columns, frame.to_dict("records"), tmp_path / "orders.csv"]
    forms += [import_module("polars").DataFrame(columns, strict=False), pa.table(columns)]
    for table in forms:
        found = po.Profile.from_table(table, cells=cells)
        assert list(map(po.format_order, found.orders)) == expected[cells]
        assert found.items == (("tea", "milk", "x") if cells == "items" else ("a", "b", "c"))
    numbered = po.Profile.from_table(np.array([[1, 3, 2], [1, 2, 3]]), cells=cells)
    first = {"ranks": "0 > 2 > 1", "scores": "1 > 2 > 0", "items": "1 > 3 > 2"}
    assert po.format_order(numbered.orders[0]) == first[cells]


def test_an_item_that_no_voter_mentions_is_an_item() -> None:
    profile = po.Profile.from_table({"a": [1, 2], "b": [None, None], "c": [2, 1]}, cells="ranks")
    assert profile.items == ("a", "b", "c")
    completed = map(po.format_order, profile.completed().orders)
    assert list(completed) == ["a > c > b", "c > a > b"]


@pytest.mark.parametrize(
    ("table", "cells", "word"),
    [
        ({"a": [1]}, "rank", "cells to be one of 'ranks', 'scores', 'items', found 'rank'"),
        ({"a": [1, "x"]}, "ranks", "line 2: expected a finite number as rank, found 'x'.*'items'"),
        ([("a", "a")], "items", "'a' more than once"),
        (5, "ranks", "expected a table of orders"),
    ],
)
def test_tables_of_orders_that_are_refused(table: Any, cells: str, word: str) -> None:
    refuses(word, po.Profile.from_table, table, cells=cells)


@pytest.mark.parametrize("label", ["", "index", "rownames", "Unnamed: 0", "Voter", "user", "judge"])
@pytest.mark.parametrize("names", [["Ann", "Ben"], [1, 2]])
def test_labels_of_rows_are_no_items(label: str, names: list[Any]) -> None:
    columns = {label: names, " tea ": [1, 2], "milk": [2, 1]}
    frame = pd.DataFrame(columns)
    text = io.StringIO(frame.to_csv(index=False))
    for table in (frame, columns, text, frame.to_dict("records")):
        profile = po.Profile.from_table(table, cells="ranks")
        assert profile.items == ("tea", "milk")
        assert list(map(po.format_order, profile.orders)) == ["tea > milk", "milk > tea"]
    places = {label: names, "first": ["tea", "milk"], "second": ["milk", "tea"]}
    found = po.Profile.from_table(places, cells="items").orders
    assert list(map(po.format_order, found)) == ["tea > milk", "milk > tea"]


def profile(**options: Any) -> po.Profile:
    return po.Profile(**({"orders": [{"a": 1}, {"b": 1, "c": 2}]} | options))


def test_bad_input_is_refused_in_words() -> None:
    for x in (None, b"ab", nx.DiGraph()):
        refuses("a list of orders", profile, orders=x)
    refuses("as order 1", profile, orders=[nx.Graph(["ab"])])
    refuses("as metadata", profile, metadata="title")
    refuses("each of 2 orders", profile, counts=[1])
    refuses("a count for each order", profile, counts=2)
    for x in (0, 1.5, True):
        refuses("count of order 2", profile, counts=[1, x])
    refuses("order 2, found 'c'", profile, items="ab")
    refuses("as the profile, found 7", profile, items=7)
    refuses("'below', 'unordered'", po.Profile([]).completed, missing="last")
