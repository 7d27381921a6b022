"""Profiles, and the rankings that files hold."""

from __future__ import annotations

import pickle
from contextlib import nullcontext
from itertools import chain, combinations, product
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
from porank.errors import CycleError, NotApplicableError, PorankError
from tests.oracles import are_unordered, closure, strict_orders
from tests.strategies import orders


class TestProfile:
    """What a profile takes and how it compares."""

    def test_defaults(self) -> None:
        profile = Profile([po.from_ranking("ba"), {"c": 1, "b": 1}])
        assert (profile.counts, profile.items) == ((1, 1), ("b", "a", "c"))
        assert (profile.metadata, profile.problems, profile.voters) == ({}, (), 2)
        assert repr(Profile([])) == "Profile(0 orders of 0 items, 0 voters)"
        assert repr(Profile([{"a": 1, "b": 1}], [1200])) == (
            "Profile(1 order of 2 items, 1,200 voters)"
        )
        assert Profile([[3, 1]]).items == (0, 1)
        counts = Profile([{"a": 1}], counts=list(np.array([3]))).counts
        assert (counts, type(counts[0])) == ((3,), int)

    @pytest.mark.parametrize(
        ("items", "message"),
        [
            ("ab", "expected items of the profile in order 2, found 'c'"),
            ("aabc", "expected each item once in the profile, found again: 'a'"),
            (7, "expected items as the profile, found 7"),
        ],
    )
    def test_items(self, items: Any, message: str) -> None:
        orders = [po.from_ranking("ab"), {"c": 2, "a": 1}]
        assert Profile(orders).items == ("a", "b", "c")
        assert Profile(orders, items="dcba").items == ("d", "c", "b", "a")
        with pytest.raises(PorankError, match=message):
            Profile(orders, items=items)

    def test_equal_is_what_says_the_same(self) -> None:
        graph = po.from_levels([["a"], ["b", "c"]])
        profile = Profile([graph], counts=[2])
        assert profile == Profile([{"a": 9, "c": 0, "b": 0}], counts=[2], items="abc")
        assert profile != Profile([graph])
        assert profile != Profile([graph], counts=[2], items="acb")
        assert profile != Profile([graph], counts=[2], metadata={"title": "x"})
        assert profile != Profile([nx.DiGraph(["ab", "ac"])], counts=[2])
        assert profile != "profile"
        weighted = nx.DiGraph([("a", "b", {"weight": 1})])
        heavier = nx.DiGraph([("a", "b", {"weight": 2})])
        assert Profile([weighted]) == Profile([weighted.copy()]) != Profile([heavier])

    def test_scores_need_rankings(self) -> None:
        profile = Profile([{"a": 1}, nx.DiGraph(["ab", "ac"])])
        with pytest.raises(NotApplicableError, match="as order 2, found 'b' and 'c' incomparable"):
            list(profile.scores())
        with pytest.raises(CycleError):
            list(Profile([nx.DiGraph(["ab", "ba"])]).scores())

    def test_it_is_frozen_and_can_be_pickled(self) -> None:
        profile = Profile([po.from_ranking("ab")], [3], "ab")
        assert pickle.loads(pickle.dumps(profile)) == profile
        with pytest.raises(AttributeError):
            profile.counts = (4,)  # type: ignore[misc]
        with pytest.raises(TypeError):
            hash(profile)


class TestCompleted:
    """Orders of all items."""

    @given(st.lists(orders(max_items=4), max_size=3))
    def test_by_definition(self, given_orders: list[nx.DiGraph]) -> None:
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

    def test_each_kind_of_order_remains_one(self) -> None:
        G = nx.DiGraph([("a", "b", {"support": 3})])
        whole = po.parse("a > b > c > d")
        profile = Profile(
            [G, {"b": 2.5, "c": -7}, whole, {}], [4, 3, 2, 1], metadata={"title": "x"}
        )
        completed = profile.completed()
        graph, scores, same, nothing = completed.orders
        assert list(graph.edges(data="support")) == [
            ("a", "b", 3),
            ("b", "c", None),
            ("b", "d", None),
        ]
        assert scores == {"b": 2.5, "c": -7, "a": -8, "d": -8}
        assert same is whole
        assert set(nothing.values()) == {0}
        assert (completed.counts, completed.items) == (profile.counts, profile.items)
        assert (completed.metadata, completed.problems) == ({"title": "x"}, ())
        assert list(G) == ["a", "b"]

    def test_cycles_and_large_levels_are_named(self) -> None:
        component = nx.DiGraph(["ab", "ba"])
        assert Profile([component]).completed().orders[0] is component
        with pytest.raises(CycleError, match="cycle 'a' > 'b' > 'a' in order 2"):
            Profile([{"c": 1}, component]).completed()
        wide = nx.empty_graph(4000, create_using=nx.DiGraph)
        with pytest.raises(PorankError, match="at most 10,000,000 edges"):
            Profile([wide], items=range(8000)).completed()


class TestLevelsOf:
    """Which orders are rankings with known ties, and the witness of the others."""

    def test_levels_best_first(self) -> None:
        assert levels_of({"a": 1, "b": 3, "c": 1}, name="x") == [["b"], ["a", "c"]]
        assert levels_of(nx.DiGraph(), name="x") == []
        assert levels_of({"a": 0}, name="x") == [["a"]]

    @pytest.mark.parametrize("n", range(4))
    def test_the_witness_is_neither_ordered_nor_tied(self, n: int) -> None:
        for G in strict_orders(n):
            said = closure(G.edges)
            is_total = not any(are_unordered(said, u, v) for u, v in combinations(G, 2))
            try:
                levels = levels_of(G, name="x")
            except NotApplicableError as error:
                words = str(error).split("found ")[1].split()
                assert are_unordered(said, int(words[0]), int(words[2]))
                assert not is_total
            else:
                assert is_total
                assert all(len(level) == 1 for level in levels)
                assert all((u, v) in said for (u,), (v,) in combinations(levels, 2))

    def test_one_of_two_equals_stands_for_both(self) -> None:
        for G in strict_orders(3):
            pairs = [(u, v) for u, v in G.edges for u, v in product({u, u or 3}, {v, v or 3})]
            doubled = po.from_pairs(pairs, items=range(4))
            nx.set_node_attributes(doubled, {0: 1, 3: 1}, "tie")
            is_total = len(closure(G.edges)) == 3
            with nullcontext() if is_total else pytest.raises(NotApplicableError):
                assert levels_of(doubled, name="x") == [
                    [item, 3] if item == 0 else [item] for item in nx.topological_sort(G)
                ]

    def test_some_ties_are_not_all(self) -> None:
        G = po.parse("a > b ~ c; a > d > e; b > e; c > e")
        with pytest.raises(NotApplicableError, match="found 'c' and 'd' incomparable"):
            levels_of(G, name="x")
        with pytest.raises(NotApplicableError, match="found 'b' and 'c' incomparable"):
            levels_of(po.parse("c ~ d; a ~ b"), name="x")

    def test_ties_make_a_ranking_of_the_levels(self) -> None:
        groups = [["a"], ["b", "c"], ["d"], ["e", "f"]]
        assert levels_of(po.from_levels(groups), name="x") == groups
