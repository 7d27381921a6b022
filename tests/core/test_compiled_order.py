"""An order at the door: what is accepted, what is recognised, what is kept and for how long."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from porank.core.compiled_order import (
    Order,
    as_graph,
    compile_if_acyclic,
    compile_order,
    require_items,
    scores_as_dict,
)
from porank.errors import CycleError, GraphTypeError, PorankError
from tests import oracles
from tests.strategies import orders


def kept(G: nx.DiGraph) -> Order | None:
    """What the graph remembers, whether or not it is still true."""
    entry = (G.__networkx_cache__ or {}).get("porank")
    return None if entry is None else entry.order


@given(orders())
def test_what_is_recognised(G: nx.DiGraph) -> None:
    order = compile_order(G)
    assert order.items == tuple(G)
    assert order.is_weak == oracles.is_weak_order(G)
    assert order.is_total == oracles.is_total_order(G)
    assert order.count_pairs() == len(oracles.closure(G.edges))
    assert order.sizes.sum() == len(G)
    pairs = {(order.items[i], order.items[j]) for i, j in np.argwhere(order.matrix()).tolist()}
    assert pairs == oracles.closure(G.edges)
    rows = order.relation.closed_rows()
    assert pairs == {(order.items[i], order.items[j]) for i, row in enumerate(rows) for j in row}


def test_what_is_remembered_is_computed_once_for_the_same_objects() -> None:
    asked: list[object] = []

    def figure(order: Order, other: object) -> int:
        asked.append(other)
        return order.count_pairs() + len(asked)

    order, one, two = compile_order(nx.DiGraph(["ab", "bc"])), [1], [1]
    assert [order.memo(figure, one), order.memo(figure, one)] == [4, 4]
    assert [order.memo(figure, two), order.memo(figure, one)] == [5, 6]
    assert [id(other) for other in asked] == [id(one), id(two), id(one)]


def test_orders_of_the_same_edges_share_the_closure_and_nothing_else() -> None:
    order = compile_order(nx.DiGraph([("a", "b"), ("b", "c"), ("d", "c")]))
    relation, named = order.relation, order.by_name()
    others = order.replaced(tie=np.array([0, 1, 2, 0])), order.replaced(items=tuple("dcba"))
    for other in others:
        assert other.relation is relation
        assert other.by_name() is not named


CHANGES: dict[str, Callable[[nx.DiGraph], Any]] = {
    "add_edge": lambda G: G.add_edge("c", "d"),
    "add_node": lambda G: G.add_node("d"),
    "remove_edge": lambda G: G.remove_edge("a", "b"),
    "remove_node": lambda G: G.remove_node("b"),
    "add_edges_from": lambda G: G.add_edges_from(["cd"]),
    "remove_edges_from": lambda G: G.remove_edges_from(["ab"]),
    "remove_nodes_from": lambda G: G.remove_nodes_from("b"),
    "update": lambda G: G.update(["cd"]),
    "clear_edges": lambda G: G.clear_edges(),
    "clear": lambda G: G.clear(),
    "turned round": lambda G: (G.remove_edge("a", "b"), G.add_edge("b", "a")),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_graph_is_compiled_once_and_anew_when_it_has_changed(name: str) -> None:
    G = nx.DiGraph(["ab", "bc"], name="mine")
    like = pickle.dumps(G)
    before = compile_order(G)
    assert compile_order(G) is before is kept(G)
    assert nx.utils.graphs_equal(G, pickle.loads(like)), "the graph itself is not changed"
    assert len(pickle.dumps(G)) < len(like) + 200, "nor its pickle"
    CHANGES[name](G)
    after = compile_order(G)
    assert after is not before
    assert after.items == tuple(G)
    assert after.count_pairs() == len(oracles.closure(G.edges))


@pytest.mark.parametrize(
    "change",
    [
        lambda G: G.add_edges_from([("c", "d"), ("d", "e"), None]),
        lambda G: G.add_nodes_from(["d", {}]),
        lambda G: G.remove_edges_from([("a", "b"), None]),
    ],
    ids=["add_edges_from", "add_nodes_from", "remove_edges_from"],
)
def test_a_bulk_change_that_fails_half_way_is_seen(change: Callable[[nx.DiGraph], Any]) -> None:
    G = nx.DiGraph(["ab", "bc"])
    before = compile_order(G)
    edges = list(G.edges)
    with pytest.raises((nx.NetworkXError, TypeError, ValueError)):
        change(G)
    assert (len(G), list(G.edges)) != (3, edges), "nothing was changed: the test shows nothing"
    assert kept(G) is before, "networkx emptied its cache: the test shows nothing"
    after = compile_order(G)
    assert after.items == tuple(G)
    assert after.count_pairs() == len(oracles.closure(G.edges))


@pytest.mark.parametrize(
    "view",
    [
        lambda G: G.subgraph("abc"),
        lambda G: G.reverse(copy=False),
        nx.graphviews.generic_graph_view,
    ],
    ids=["subgraph", "reverse", "generic"],
)
def test_nothing_is_kept_on_a_view(view: Callable[[nx.DiGraph], nx.DiGraph]) -> None:
    G = nx.DiGraph(["ab", "bc", "cd"])
    seen = view(G)
    before = compile_order(seen).count_pairs()
    assert before == len(oracles.closure(seen.edges))
    assert kept(seen) is None
    # A view changes with its graph, sizes and all; here the sizes remain.
    G.remove_edge("a", "b")
    G.add_edge("b", "a")
    assert compile_order(seen).count_pairs() == len(oracles.closure(seen.edges))


def test_nothing_is_kept_where_the_cache_is_off() -> None:
    G = nx.DiGraph(["ab"])
    G.__networkx_cache__ = None
    assert compile_order(G).count_pairs() == 1
    assert G.__networkx_cache__ is None


@pytest.mark.parametrize(
    "copied",
    [lambda G: pickle.loads(pickle.dumps(G)), copy.deepcopy, lambda G: G.copy()],
    ids=["pickle", "deepcopy", "copy"],
)
def test_what_is_kept_is_not_copied(copied: Callable[[nx.DiGraph], nx.DiGraph]) -> None:
    G = nx.DiGraph(["ab", "bc"])
    order = compile_order(G)
    H = copied(G)
    assert kept(H) is None
    assert compile_order(H) is not order
    assert compile_order(H).count_pairs() == 3
    assert compile_order(G) is order


class TestScores:
    """The compact spelling of a weak order."""

    @pytest.mark.parametrize(
        ("scores", "items", "levels"),
        [
            ({"a": 1, "b": 3, "c": 1}, ("a", "b", "c"), [1, 0, 1]),
            ([1, 3, 1], (0, 1, 2), [1, 0, 1]),
            ((1.5, 0.5), (0, 1), [0, 1]),
            (np.array([1, 3, 1], dtype=np.uint8), (0, 1, 2), [1, 0, 1]),
            (pd.Series([1, 3], index=["a", "b"]), ("a", "b"), [1, 0]),
            ({"a": Fraction(1, 3), "b": 1 / 3, "c": Fraction(1, 3)}, ("a", "b", "c"), [0, 1, 0]),
            ({"a": 2**70, "b": 2**70 + 1}, ("a", "b"), [1, 0]),
            ({"a": 2**53 + 1, "b": float(2**53)}, ("a", "b"), [0, 1]),
            ({"a": True, "b": False}, ("a", "b"), [0, 1]),
            ({"a": Decimal("0.1"), "b": 0.1}, ("a", "b"), [1, 0]),
            ({"a": Decimal("0.5"), "b": Fraction(1, 2)}, ("a", "b"), [0, 0]),
            ({"a": np.float32(2), "b": np.float64(1)}, ("a", "b"), [0, 1]),
            ({"a": np.float32(0.1), "b": 0.1}, ("a", "b"), [0, 1]),
            ({"a": np.float64(2**53), "b": 2**53 + 1}, ("a", "b"), [1, 0]),
            ({}, (), []),
        ],
    )
    def test_forms(self, scores: Any, items: tuple[Any, ...], levels: list[int]) -> None:
        order = compile_order(scores)
        assert tuple(order.items) == items
        assert order.levels.tolist() == levels
        assert order.tie.tolist() == levels, "equal is tied"
        assert order.is_weak

    def test_many_items_on_two_levels_cost_nothing(self) -> None:
        order = compile_order(np.arange(100_000) % 2)
        assert order.count_pairs() == 50_000**2

    @pytest.mark.parametrize(
        ("scores", "message"),
        [
            ({"a": 1, "b": float("nan")}, "found nan for 'b'"),
            (np.array([0.0, np.nan]), "found nan for 1"),
            ({"a": "high"}, "found 'high' for 'a'"),
            ({"a": None}, "found None for 'a'"),
            ({None: 1}, "expected items, found None"),
            (np.ma.array([1, 2], mask=[False, True]), "found some masked"),
            ({"a": 1j}, "found 1j for 'a'"),
            ({"a": Decimal("nan")}, "for 'a'"),
            ([1, None], "found None for 1"),
            (pd.Series([1, 2, 3], index=["a", "b", "a"]), "each item once in the index.*'a'"),
        ],
    )
    def test_what_is_no_number(self, scores: Any, message: str) -> None:
        with pytest.raises(PorankError, match=message):
            compile_order(scores)

    def test_what_is_no_order(self) -> None:
        arrays = np.eye(2), np.array(["a", "b"]), pd.DataFrame({"x": [1]})
        for thing in ("a > b", ["a", "b"], [["a"], ["b"]], 3, None, {"a", "b"}, *arrays):
            with pytest.raises(GraphTypeError, match=r"networkx.DiGraph or scores.*found"):
                compile_order(thing, name="target")

    def test_as_plain_numbers(self) -> None:
        plain = scores_as_dict(pd.Series([1, 2], index=["a", "b"]))
        assert plain == {"a": 1, "b": 2}
        assert {type(value) for value in plain.values()} == {int}

    def test_the_side_is_named_in_the_error(self) -> None:
        with pytest.raises(PorankError, match="found nan for 1 in predicted"):
            compile_order([1, float("nan")], name="predicted")


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (nx.Graph(["ab"]), "undirected Graph"),
        (nx.MultiDiGraph(["ab", "ab"]), r"nx.DiGraph\(G\) keeps one of each"),
        (nx.MultiGraph(["ab"]), "MultiGraph"),
    ],
)
def test_graphs_of_the_wrong_kind(graph: nx.Graph, message: str) -> None:
    with pytest.raises(GraphTypeError, match=message):
        compile_order(graph)
    with pytest.raises(TypeError):
        compile_if_acyclic(graph)


def test_a_cycle_names_the_order_and_carries_the_evidence() -> None:
    G = nx.DiGraph(["ab", "bc", "ca", "cd"])
    with pytest.raises(CycleError, match="'a' > 'b' > 'c' > 'a' in predicted") as caught:
        compile_order(G, name="predicted")
    assert caught.value.cycle == ["a", "b", "c", "a"]
    assert compile_if_acyclic(G) is None


def test_scores_written_as_a_graph() -> None:
    G = as_graph({"a": 1, "b": 2, "c": 1})
    assert list(G.edges) == [("b", "a"), ("b", "c")]
    assert G.nodes["a"]["tie"] == G.nodes["c"]["tie"] != G.nodes["b"].get("tie")
    with pytest.raises(PorankError, match="at most 10,000,000 edges to write, found 100,000,000"):
        as_graph(np.arange(20_000) % 2)


def test_unknown_items_are_named() -> None:
    with pytest.raises(PorankError, match=r"found 'x', \['y'\]"):
        require_items({"a": 0}, ["a", "x", ["y"]])  # type: ignore[list-item]
