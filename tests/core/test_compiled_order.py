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

from porank.core.compiled_order import (
    Order,
    as_graph,
    compile_if_acyclic,
    compile_order,
    require_items,
    scores_as_dict,
    scores_as_floats,
)
from porank.errors import CycleError, GraphTypeError, PorankError
from tests import oracles
from tests.strategies import on_orders


def kept(G: nx.DiGraph) -> Order | None:
    """What the graph remembers, whether or not it is still true."""
    entry = (G.__networkx_cache__ or {}).get("porank")
    return None if entry is None else entry.order


def check(G: nx.DiGraph, order: Order) -> None:
    said = oracles.closure(G.edges)
    assert order.items == tuple(G)
    assert order.count_pairs() == len(said)
    pairs = {(order.items[i], order.items[j]) for i, j in np.argwhere(order.matrix()).tolist()}
    assert pairs == said


@on_orders()
def test_what_is_recognised(G: nx.DiGraph) -> None:
    order = compile_order(G)
    check(G, order)
    assert order.is_weak == oracles.is_weak_order(G)
    assert order.is_total == oracles.is_total_order(G)
    assert order.sizes.sum() == len(G)


def test_what_is_remembered_is_computed_once_for_the_same_objects() -> None:
    asked: list[object] = []

    def figure(order: Order, other: object) -> int:
        asked.append(other)
        return order.count_pairs() + len(asked)

    order, one, two = compile_order(nx.DiGraph(["ab", "bc"])), [1], [1]
    assert [order.memo(figure, one), order.memo(figure, one)] == [4, 4]
    assert [order.memo(figure, two), order.memo(figure, one)] == [5, 6]
    assert [id(other) for other in asked] == [id(one), id(two), id(one)]
    # Orders of the same edges share the closure and nothing else.
    for other in order.replaced(tie=np.array([0, 1, 0])), order.replaced(items=tuple("cba")):
        assert other.relation is order.relation
        assert other.by_name() is not order.by_name()


CHANGES: list[Callable[[nx.DiGraph], Any]] = [
    lambda G: G.add_edge("c", "d"),
    lambda G: G.add_node("d"),
    lambda G: G.remove_node("b"),
    lambda G: G.remove_edges_from(["ab"]),
    lambda G: G.clear(),
    lambda G: (G.remove_edge("a", "b"), G.add_edge("b", "a")),
    # These fail half way.
    lambda G: G.add_edges_from([("c", "d"), ("d", "e"), None]),
    lambda G: G.add_nodes_from(["d", {}]),
    lambda G: G.remove_edges_from([("a", "b"), None]),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_graph_is_compiled_once_and_anew_when_it_has_changed(change: Any) -> None:
    G = nx.DiGraph(["ab", "bc"], name="mine")
    like = pickle.dumps(G)
    before = compile_order(G)
    assert compile_order(G) is before is kept(G)
    assert nx.utils.graphs_equal(G, pickle.loads(like)), "the graph itself is not changed"
    assert len(pickle.dumps(G)) < len(like) + 200, "nor its pickle"
    if change in CHANGES[-3:]:
        with pytest.raises((nx.NetworkXError, TypeError, ValueError)):
            change(G)
        assert kept(G) is before, "networkx emptied its cache: the test shows nothing"
    else:
        change(G)
    assert compile_order(G) is not before
    check(G, compile_order(G))


def test_nothing_is_kept_on_a_view_nor_a_copy_nor_where_the_cache_is_off() -> None:
    G = nx.DiGraph(["ab", "bc", "cd"])
    views = [G.subgraph("abc"), G.reverse(copy=False), nx.graphviews.generic_graph_view(G)]
    # A view changes with its graph, sizes and all; here the sizes remain.
    for turned in (False, True):
        if turned:
            G.remove_edge("a", "b")
            G.add_edge("b", "a")
        for view in views:
            check(view, compile_order(view))
            assert kept(view) is None
    order = compile_order(G)
    for H in (pickle.loads(pickle.dumps(G)), copy.deepcopy(G), G.copy()):
        assert kept(H) is None
        check(H, compile_order(H))
    assert compile_order(G) is order
    G.__networkx_cache__ = None
    check(G, compile_order(G))
    assert G.__networkx_cache__ is None


SCORES: list[tuple[Any, Any, list[int]]] = [
    ({"a": 1, "b": 3, "c": 1}, "abc", [1, 0, 1]),
    ([1, 3, 1], (0, 1, 2), [1, 0, 1]),
    ((1.5, 0.5), (0, 1), [0, 1]),
    (np.array([1, 3, 1], dtype=np.uint8), (0, 1, 2), [1, 0, 1]),
    (pd.Series([1, 3], index=["a", "b"]), "ab", [1, 0]),
    ({"a": Fraction(1, 3), "b": 1 / 3, "c": Fraction(1, 3)}, "abc", [0, 1, 0]),
    ({"a": 2**70, "b": 2**70 + 1}, "ab", [1, 0]),
    ({"a": 2**53 + 1, "b": float(2**53)}, "ab", [0, 1]),
    ({"a": True, "b": False}, "ab", [0, 1]),
    ({"a": Decimal("0.1"), "b": 0.1}, "ab", [1, 0]),
    ({"a": np.float32(0.1), "b": 0.1}, "ab", [0, 1]),
    ({"a": np.float64(2**53), "b": 2**53 + 1}, "ab", [1, 0]),
    ({}, (), []),
]


def test_forms_of_scores() -> None:
    for scores, items, levels in SCORES:
        order = compile_order(scores)
        assert tuple(order.items) == tuple(items)
        assert order.levels.tolist() == order.tie.tolist() == levels, "equal is tied"
        assert order.is_weak


def test_scores_as_a_graph_and_as_plain_numbers() -> None:
    G = as_graph({"a": 1, "b": 2, "c": 1})
    assert list(G.edges) == [("b", "a"), ("b", "c")]
    assert G.nodes["a"]["tie"] == G.nodes["c"]["tie"] != G.nodes["b"].get("tie")
    plain = scores_as_dict(pd.Series([1, 2], index=["a", "b"]))
    assert plain == {"a": 1, "b": 2}
    assert {type(value) for value in plain.values()} == {int}
    floats = scores_as_floats({"a": 10**400, "b": -(10**400), "c": Fraction(1, 2)})
    assert floats.tolist() == [np.inf, -np.inf, 0.5]
    assert scores_as_floats(pd.Series([1, 2])).tolist() == [1.0, 2.0]
    assert compile_order(np.arange(100_000) % 2).count_pairs() == 50_000**2
    with pytest.raises(PorankError, match="edges to write, found 100,000,000"):
        as_graph(np.arange(20_000) % 2)


NAN = float("nan")
REFUSED: list[tuple[Any, type[Exception], str]] = [
    ({"a": 1, "b": NAN}, PorankError, "found nan for 'b' in predicted"),
    (np.array([0.0, NAN]), PorankError, "found nan for 1"),
    ({"a": "high"}, PorankError, "found 'high' for 'a'"),
    ({None: 1}, PorankError, "expected items, found None"),
    (np.ma.array([1, 2], mask=[False, True]), PorankError, "masked"),
    ({"a": 1j}, PorankError, "found 1j for 'a'"),
    ({"a": Decimal("nan")}, PorankError, "for 'a'"),
    ([1, None], PorankError, "found None for 1"),
    (pd.Series([1, 2, 3], index=["a", "b", "a"]), PorankError, "once in the index.*'a'"),
    *[
        (thing, GraphTypeError, r"networkx.DiGraph or scores.*found")
        for thing in ("a > b", [["a"], ["b"]], 3, None, {"a", "b"}, np.eye(2), np.array(["a"]))
    ],
    (pd.DataFrame({"x": [1]}), GraphTypeError, "or scores"),
    (nx.Graph(["ab"]), GraphTypeError, "undirected Graph"),
    (nx.MultiDiGraph(["ab", "ab"]), TypeError, "keeps one of each"),
    (nx.MultiGraph(["ab"]), GraphTypeError, "MultiGraph"),
]


def test_what_is_no_order() -> None:
    for thing, error, message in REFUSED:
        with pytest.raises(error, match=message):
            compile_order(thing, name="predicted")
        with pytest.raises(error):
            compile_if_acyclic(thing)
    cyclic = nx.DiGraph(["ab", "bc", "ca"])
    with pytest.raises(CycleError, match="'a' > 'b' > 'c' > 'a' in predicted"):
        compile_order(cyclic, name="predicted")
    assert compile_if_acyclic(cyclic) is None
    with pytest.raises(PorankError, match=r"found 'x', \['y'\]"):
        require_items({"a": 0}, ["a", "x", ["y"]])  # type: ignore[list-item]
