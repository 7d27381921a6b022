"""Profiles, and the rankings that files hold."""

from __future__ import annotations

import pickle
from itertools import chain, permutations
from math import comb
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.convert.profiles import Profile
from porank.convert.rankings import levels_of
from tests.oracles import are_unordered, closure, tied_pairs
from tests.strategies import on_orders, orders


def test_defaults() -> None:
    profile = Profile([po.from_ranking("ba"), {"c": 1, "b": 1}])
    assert (profile.counts, profile.items) == ((1, 1), ("b", "a", "c"))
    assert (profile.metadata, profile.problems, profile.voters) == ({}, (), 2)
    assert Profile(profile.orders, items="dcba").items == ("d", "c", "b", "a")
    assert repr(Profile([])) == "Profile(0 orders of 0 items, 0 voters)"
    one = Profile([{"a": 1, "b": 1}], list(np.array([1200])))
    assert repr(one) == "Profile(1 order of 2 items, 1,200 voters)"
    assert type(one.counts[0]) is int
    assert Profile([[3, 1]]).items == (0, 1)


def test_equal_is_what_says_the_same() -> None:
    graph = po.from_levels([["a"], ["b", "c"]])
    profile = Profile([graph], counts=[2])
    assert profile == Profile([{"a": 9, "c": 0, "b": 0}], counts=[2], items="abc")
    assert profile != Profile([graph])
    assert profile != Profile([graph], counts=[2], items="acb")
    assert profile != Profile([graph], counts=[2], metadata={"title": "x"})
    assert profile != Profile([nx.DiGraph(["ab", "ac"])], counts=[2])
    assert profile != "profile"
    light, heavy = (nx.DiGraph([("a", "b", {"weight": weight})]) for weight in (1, 2))
    assert Profile([light]) == Profile([light.copy()]) != Profile([heavy])
    assert pickle.loads(pickle.dumps(profile)) == profile
    with pytest.raises(AttributeError):
        profile.counts = (4,)  # type: ignore[misc]
    with pytest.raises(TypeError):
        hash(profile)


@given(st.lists(orders(max_items=4), max_size=3))
def test_completed_by_definition(given_orders: list[nx.DiGraph]) -> None:
    """Listed above not listed; among the listed what was said; the others tied."""
    items = dict.fromkeys([*chain.from_iterable(given_orders), ("more", 1), ("more", 2)])
    profile = Profile(given_orders, items=list(items))
    edges = [list(order.edges) for order in given_orders]
    for before, after in zip(profile.orders, profile.completed().orders, strict=True):
        others = items.keys() - set(before)
        below = {(u, v) for u in before for v in others}
        assert closure(after.edges) == closure(before.edges) | below
        assert {item for item, tie in after.nodes(data="tie") if tie is not None} == others
        assert po.describe(after).ties == comb(len(others), 2)
    assert profile.completed().completed() == profile.completed()
    assert [list(order.edges) for order in given_orders] == edges


@given(st.lists(orders(max_items=4), max_size=3))
def test_or_completed_beside_them_it_says_no_more(given_orders: list[nx.DiGraph]) -> None:
    items = {*chain.from_iterable(given_orders), ("more", 1)}
    completed = Profile(given_orders, items=[*items]).completed(missing="unordered")
    for before, after in zip(given_orders, completed.orders, strict=True):
        assert {*after} == items
        assert closure(after.edges) == closure(before.edges)
        assert po.describe(after).ties == 0
    scores = Profile([{"a": 1, "b": 1}], items="abcd").completed(missing="unordered").orders[0]
    assert po.format_order(scores) == "a ~ b; c; d"


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


@on_orders(max_items=4)
def test_levels_or_the_witness_of_what_is_no_ranking(G: nx.DiGraph) -> None:
    """Also where each item has a twin that is tied with it."""
    H = nx.DiGraph()
    H.add_nodes_from(((x, k), {"tie": place}) for place, x in enumerate(G) for k in (0, 1))
    H.add_edges_from(((u, j), (v, k)) for u, v in G.edges for j in (0, 1) for k in (0, 1))
    if po.is_total_order(G):
        lines = list(nx.topological_sort(G))
        assert levels_of(G, name="x") == [[x] for x in lines]
        assert levels_of(H, name="x") == [[(x, 0), (x, 1)] for x in lines]
        return
    said, tied = closure(H.edges), tied_pairs(H)
    with pytest.raises(po.NotApplicableError) as caught:
        levels_of(H, name="x")
    assert any(
        f"found {u!r} and {v!r} incomparable" in str(caught.value)
        for u, v in permutations(H, 2)
        if are_unordered(said, u, v) and frozenset((u, v)) not in tied
    )


def test_levels_of_scores_and_of_some_ties() -> None:
    assert levels_of({"a": 1, "b": 3, "c": 1}, name="x") == [["b"], ["a", "c"]]
    assert levels_of(nx.DiGraph(), name="x") == []
    with pytest.raises(po.NotApplicableError, match="found 'c' and 'd' incomparable"):
        levels_of(po.parse("a > b ~ c; a > d > e; b > e; c > e"), name="x")
    with pytest.raises(po.NotApplicableError, match="found 'b' and 'c' incomparable"):
        levels_of(po.parse("c ~ d; a ~ b"), name="x")
    with pytest.raises(po.NotApplicableError, match="as order 2, found 'b' and 'c' incomparable"):
        list(Profile([{"a": 1}, nx.DiGraph(["ab", "ac"])]).scores())
