"""Orders from orders: restriction, dual, intersection, alignment."""

from __future__ import annotations

import itertools
from decimal import Decimal
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.core.compiled_order import compile_order
from porank.errors import ItemMismatchError, PorankError
from porank.orders.algebra import align, dual, intersection, restrict
from porank.orders.types import is_weak_order
from tests import oracles
from tests.strategies import orders


@given(orders(), st.data())
def test_restriction_by_definition(G: nx.DiGraph, data: st.DataObject) -> None:
    kept = set(data.draw(st.lists(st.sampled_from(list(G))))) if len(G) else set()
    before = nx.DiGraph(G)
    H = restrict(G, kept)
    assert nx.utils.graphs_equal(G, before)
    assert list(H) == [item for item in G if item in kept]
    assert oracles.closure(H.edges) == oracles.restriction(G.edges, kept)
    given_between = {(u, v) for u, v in G.edges if {u, v} <= kept}
    assert set(H.edges) == given_between | oracles.reduction(H.edges)
    assert nx.utils.graphs_equal(restrict(G, G), G)


def test_restriction_keeps_attributes_and_ties() -> None:
    G = nx.DiGraph(name="mine")
    G.add_edges_from(["ab", "ac", "bd", "cd"], weight=2)
    nx.set_node_attributes(G, {"b": 1, "c": 1}, "tie")
    H = restrict(G, "bcd")
    assert H.graph == {"name": "mine"}
    assert H.edges["b", "d"] == {"weight": 2}
    assert H.nodes["b"]["tie"] == H.nodes["c"]["tie"] == 1
    assert restrict(G, "ad").edges["a", "d"] == {}


def test_restriction_of_scores() -> None:
    scores = {"a": 3, "b": Fraction(1, 3)}
    assert restrict(scores, ["b"]) == {"b": Fraction(1, 3)}
    assert restrict(np.array([5, 6, 7]), [2, 0]) == {0: 5, 2: 7}
    assert restrict(scores, []) == {}


def test_restriction_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    hub = nx.DiGraph([*(((0, i), "hub") for i in range(4)), *(("hub", (1, i)) for i in range(4))])
    monkeypatch.setattr("porank.core.graphs.MAX_EDGES", 10)
    with pytest.raises(PorankError, match="at most 10 edges to write, found 16"):
        restrict(hub, set(hub) - {"hub"})


@given(orders())
def test_dual_by_definition(G: nx.DiGraph) -> None:
    H = dual(G)
    assert type(H) is nx.DiGraph
    assert list(H) == list(G)
    assert set(H.edges) == {(v, u) for u, v in G.edges}
    assert nx.utils.graphs_equal(dual(H), G)


def test_dual_keeps_attributes_and_turns_scores() -> None:
    G = nx.DiGraph(name="mine")
    G.add_edge("a", "b", weight=2)
    G.add_node("a", colour="red")
    H = dual(G)
    assert H.graph == {"name": "mine"}
    assert H.edges["b", "a"] == {"weight": 2}
    assert H.nodes["a"] == {"colour": "red"}
    H.nodes["a"]["colour"] = "blue"
    assert G.nodes["a"]["colour"] == "red"
    assert dual(np.array([3, 0], dtype=np.uint8)) == {0: -3, 1: 0}
    assert dual({"a": True}) == {"a": -1}
    long = {"a": Decimal("0." + "1" * 35), "b": Decimal("0." + "1" * 34 + "2")}
    assert is_weak_order(dual(long))
    assert dual(long)["a"] > dual(long)["b"]


@given(orders(max_items=6), st.randoms(use_true_random=False))
def test_intersection_by_definition(G: nx.DiGraph, random: Any) -> None:
    line = list(G)
    random.shuffle(line)
    ranking = nx.DiGraph()
    ranking.add_nodes_from(line)
    ranking.add_edges_from(itertools.pairwise(line))
    both = intersection(G, ranking)
    agreed = oracles.closure(G.edges) & oracles.closure(ranking.edges)
    assert set(both.edges) == oracles.reduction(agreed)
    assert list(both) == list(G)
    assert set(intersection(ranking, G).edges) == set(both.edges)
    assert set(intersection(G).edges) == oracles.reduction(G.edges)
    scores = {item: -place for place, item in enumerate(line)}
    assert set(intersection(G, scores).edges) == set(both.edges)


def test_what_all_tie_is_tied() -> None:
    first, second = {"a": 2, "b": 2, "c": 1, "d": 1}, {"a": 1, "b": 1, "c": 1, "d": 0}
    both = intersection(first, second)
    assert set(both.edges) == {("a", "d"), ("b", "d")}
    ties = nx.get_node_attributes(both, "tie")
    assert ties["a"] == ties["b"]
    assert compile_order(both).tie.tolist() == [0, 0, -1, -1]
    assert compile_order(intersection(first, nx.DiGraph(["ac", "bd"]))).tie.max() == -1


def test_intersection_keeps_what_the_first_graph_has() -> None:
    G = nx.DiGraph(name="mine")
    G.add_edge("a", "b", weight=2)
    G.add_node("a", colour="red", tie=3)
    both = intersection(G, {"a": 1, "b": 0})
    assert both.graph == {"name": "mine"}
    assert both.nodes["a"] == {"colour": "red"}
    assert both.edges["a", "b"] == {"weight": 2}


def test_intersection_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = np.arange(8) % 2
    monkeypatch.setattr("porank.core.graphs.MAX_EDGES", 15)
    with pytest.raises(PorankError, match="found 16; intersect fewer items"):
        intersection(levels, levels)
    with pytest.raises(ItemMismatchError) as caught:
        intersection(nx.DiGraph(["ab"]), nx.DiGraph(["ac"]))
    assert (caught.value.only_target, caught.value.only_predicted) == (["b"], ["c"])


class TestAlign:
    """Every way to bring two orders to the same items."""

    @pytest.mark.parametrize("how", ["intersection", "target", "union"])
    @given(G=orders(max_items=5), H=orders(max_items=5))
    def test_items_agree(self, how: str, G: nx.DiGraph, H: nx.DiGraph) -> None:
        wanted = {"intersection": set(G) & set(H), "target": set(G), "union": set(G) | set(H)}[how]
        given_edges = list(G.edges), list(H.edges)
        for missing in ("unordered", "below"):
            first, second = align(G, H, how=how, missing=missing)
            assert set(first) == set(second) == wanted
            for before, after in ((G, first), (H, second)):
                shared = set(before) & wanted
                assert oracles.restriction(after.edges, shared) == oracles.restriction(
                    before.edges, shared
                )
                said = oracles.closure(after.edges)
                lower = {(u, v) for u in shared for v in wanted - shared}
                assert {(u, v) for u, v in said if not {u, v} <= shared} == (
                    lower if missing == "below" else set()
                )
        assert (list(G.edges), list(H.edges)) == given_edges, "inputs unchanged"

    def test_missing_items_are_one_level(self) -> None:
        G = nx.DiGraph(["ab"])
        nx.set_node_attributes(G, {"a": 0, "b": 1}, "tie")
        first, _ = align(G, nx.DiGraph(["xy"]), how="union", missing="below")
        assert is_weak_order(first)
        assert compile_order(first).tie.tolist() == [-1, -1, 0, 0]
        _, empty = align(G, nx.DiGraph(), how="target", missing="below")
        assert compile_order(empty).tie.tolist() == [0, 0]

    def test_scores_stay_scores(self) -> None:
        first, second = align({"a": 2.5, "b": 1}, {"b": 7, "c": 9}, how="union", missing="below")
        assert first == {"a": 2.5, "b": 1, "c": 0}
        assert second == {"b": 7, "c": 9, "a": 6}
        first, second = align({"a": 2, "b": 1}, {"b": 7, "c": 9}, how="target")
        assert first == {"a": 2, "b": 1}
        assert set(second) == {"a", "b"}
        assert second.number_of_edges() == 0

    @pytest.mark.parametrize("lowest", [1e300, float("inf"), -1e300])
    def test_below_is_below(self, lowest: float) -> None:
        _, second = align({"a": 1, "b": 2}, {"a": lowest}, how="target", missing="below")
        assert second["b"] < second["a"]
