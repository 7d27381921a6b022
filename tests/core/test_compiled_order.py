"""An order at the door: what is accepted, recognised and kept; witnesses, ties, edges written."""

import copy
import pickle
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.core.arrays import longest_path_levels
from porank.core.compiled_order import (
    CompiledOrder,
    as_graph,
    compile_if_acyclic,
    compile_order,
    require_items,
)
from porank.core.graphs import (
    component_numbers,
    graph_like,
    graph_of,
    in_order,
    item_key,
    joined_classes,
    levels_of_few,
    pairs_within,
    read_edges,
    refuse_large,
    require_digraph,
    sorted_by_label,
    tie_groups,
    write_edges,
)
from porank.core.scores import scores_as_dict, scores_as_floats
from porank.errors import CycleError, GraphTypeError, PorankError, TieError
from tests.support import oracles
from tests.support.refusals import refuses
from tests.support.strategies import on_graphs, on_orders


def kept(G: nx.DiGraph) -> CompiledOrder | None:
    """What the graph remembers, whether or not it is still true."""
    entry = (G.__networkx_cache__ or {}).get("porank")
    return None if entry is None else entry.order


def assert_as_defined(G: nx.DiGraph, order: CompiledOrder) -> None:
    said = oracles.closure(G.edges)
    assert order.items == tuple(G)
    assert order.count_pairs() == len(said)
    pairs = {(order.items[i], order.items[j]) for i, j in np.argwhere(order.matrix()).tolist()}
    assert pairs == said


@on_orders()
def test_what_is_recognised(G: nx.DiGraph) -> None:
    order = compile_order(G)
    assert_as_defined(G, order)
    assert order.is_weak == oracles.is_weak_order(G)
    assert order.is_total == oracles.is_total_order(G)
    assert order.sizes.sum() == len(G)


def test_what_is_remembered_is_computed_once_for_the_same_objects() -> None:
    asked: list[object] = []

    def figure(order: CompiledOrder, other: object) -> int:
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
    assert_as_defined(G, compile_order(G))


def test_nothing_is_kept_on_a_view_nor_a_copy_nor_where_the_cache_is_off() -> None:
    G = nx.DiGraph(["ab", "bc", "cd"])
    views = [G.subgraph("abc"), G.reverse(copy=False), nx.graphviews.generic_graph_view(G)]
    # A view changes with its graph, sizes and all; here the sizes remain.
    for turned in (False, True):
        if turned:
            G.remove_edge("a", "b")
            G.add_edge("b", "a")
        for view in views:
            assert_as_defined(view, compile_order(view))
            assert kept(view) is None
    order = compile_order(G)
    for H in (pickle.loads(pickle.dumps(G)), copy.deepcopy(G), G.copy()):
        assert kept(H) is None
        assert_as_defined(H, compile_order(H))
    assert compile_order(G) is order
    G.__networkx_cache__ = None
    assert_as_defined(G, compile_order(G))
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
    refuses("edges to create, found 100,000,000", as_graph, np.arange(20_000) % 2)


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


def test_what_is_no_order_is_named_with_its_side() -> None:
    for thing, error, message in REFUSED:
        with pytest.raises(error, match=message):
            compile_order(thing, name="predicted")
        with pytest.raises(error):
            compile_if_acyclic(thing)
    cyclic = nx.DiGraph(["ab", "bc", "ca"])
    with pytest.raises(CycleError, match="'a' > 'b' > 'c' > 'a' in predicted"):
        compile_order(cyclic, name="predicted")
    assert compile_if_acyclic(cyclic) is None
    refuses(r"found 'x', \['y'\]", require_items, {"a": 0}, ["a", "x", ["y"]])


def test_keys_do_not_change_from_run_to_run() -> None:
    """Strings hash differently in every process, and so sets print differently."""
    for item in (frozenset("hgfedcba"), ("t", frozenset("hgfedcba"))):
        assert re.findall(r"'([a-h])\\*'", item_key(item)[1]) == [*"abcdefgh"]
    things = [object() for _ in range(5)]
    assert in_order(things) == things, "plain objects stand in the order of insertion"


@given(
    st.lists(st.integers(), unique=True)
    | st.lists(st.text(), unique=True)
    | st.lists(st.booleans() | st.text() | st.integers(), unique=True)
)
def test_items_of_one_type_are_sorted_as_all_others(items: list[Any]) -> None:
    assert in_order(items) == sorted(items, key=item_key)


def test_labels_of_whole_numbers_come_by_size_however_many_digits_they_have() -> None:
    labels = ["9" * 5000, "100", "9", "10", "0", "07", "-1", "tea"]
    places = sorted_by_label(labels)
    expected = ["-1", "07", "tea", "0", "9", "10", "100", "9" * 5000]
    assert [labels[place] for place in places] == expected


@on_graphs()
def test_there_and_back(G: nx.DiGraph) -> None:
    items = list(G)
    for H in (G, G.subgraph(items[:3])):
        source, target = read_edges(H)
        numbers = zip(source.tolist(), target.tolist(), strict=True)
        assert [(list(H)[i], list(H)[j]) for i, j in numbers] == list(H.edges)
        assert source.tolist() == sorted(source.tolist())
        few, *ends = levels_of_few(H)
        levels = longest_path_levels(len(H), source, target)
        assert all(map(np.array_equal, ends, (source, target)))
        assert str(few) == str(levels)
    source, target = read_edges(G)
    H = graph_of(items, [target[source == i].tolist() for i in range(len(G))])
    assert list(H) == items
    assert list(H.edges(data=True)) == [(u, v, {}) for u, v in G.edges]
    assert all(set(H.pred[v]) == set(G.pred[v]) for v in H)


@on_graphs()
def test_parts_of_a_graph(G: nx.DiGraph) -> None:
    kept = set(list(G)[::2])
    nx.set_edge_attributes(G, 2, "weight")
    assert nx.utils.graphs_equal(graph_like(G, items=kept), nx.DiGraph(G.subgraph(kept)))
    H = graph_like(G, list(G.edges)[1:], added=[(x, x) for x in G])
    wanted = [*list(G.edges)[1:], *((x, x) for x in G)]
    assert dict(H.edges) == {edge: G.edges.get(edge, {}) for edge in wanted}
    numbers = component_numbers(len(G), *read_edges(G)).tolist()
    parts = {frozenset(x for x, k in zip(G, numbers, strict=True) if k == n) for n in numbers}
    assert parts == set(map(frozenset, nx.weakly_connected_components(G)))
    assert numbers[:1] in ([], [0])


def test_written_edges_share_their_attributes_and_keep_the_old_ones() -> None:
    G = nx.DiGraph([("a", "b", {"weight": 2})])
    G.add_node("c")
    write_edges(G, [[1, 2], [2], []])
    assert list(G.edges.data("weight")) == [("a", "b", 2), ("a", "c", None), ("b", "c", None)]
    G.edges["b", "c"]["weight"] = 5
    assert G.pred["c"]["b"] == {"weight": 5}
    assert G.succ["a"]["c"] is G.pred["c"]["a"]
    G.__networkx_cache__["x"] = 1
    write_edges(G, [[], [0]])
    assert not G.__networkx_cache__, "it is no longer remembered"


def test_bad_input_is_refused_in_words() -> None:
    refuse_large(10**7, instead="-")
    refuses("found 10,000,001; give scores", refuse_large, 10**7 + 1, instead="give scores")
    with pytest.raises(GraphTypeError, match=r"expected a networkx.DiGraph as target, found dict"):
        require_digraph({}, name="target")


@on_orders(max_items=5)
def test_only_those_with_the_same_above_and_below_may_be_tied(G: nx.DiGraph) -> None:
    said = oracles.closure(G.edges)
    for u, v in combinations(G, 2):
        H = G.copy()
        nx.set_node_attributes(H, {u: 7, v: 7}, "tie")
        assert tie_groups(H, [tie for _, tie in H.nodes(data="tie")]) == [[u, v]]
        apart = [x for x in in_order(G) if ((x, u) in said) != ((x, v) in said)] or [
            x for x in in_order(G) if ((u, x) in said) != ((v, x) in said)
        ]
        if apart:
            with pytest.raises(TieError, match="same items above and below") as caught:
                compile_order(H)
            assert caught.value.tied == in_order([u, v])
            assert caught.value.witness == apart[0]
        else:
            tie = dict(zip(H, compile_order(H).tie.tolist(), strict=True))
            assert {x for x, number in tie.items() if number == tie[u] >= 0} == {u, v}
            assert {number for x, number in tie.items() if x not in (u, v)} <= {-1}


def test_the_witness_is_the_first_of_several() -> None:
    """By (type name, repr), whatever the insertion: of the tied, and of what tells them apart."""
    edges = ["zc", "yc", "xb", "wb", "cq", "bp"]
    for sequence in (edges, edges[::-1]):
        G = nx.DiGraph(sequence)
        nx.set_node_attributes(G, {"c": 1, "b": 1}, "tie")
        with pytest.raises(TieError, match="found 'w' above only one") as caught:
            compile_order(G)
        assert (caught.value.tied, caught.value.witness) == (["b", "c"], "w")
    nx.set_node_attributes(G, {"q": ["x"]}, "tie")
    refuses(r"expected a hashable value.*found \['x'\] at 'q'", compile_order, G, error=TieError)


def test_a_tie_set_after_compiling_is_seen() -> None:
    G, nan = nx.DiGraph(["ab", "ac"]), float("nan")
    G.add_nodes_from("de", tie=nan)
    nx.set_node_attributes(G, {"a": 1}, "tie")
    first = compile_order(G)
    first.relation  # noqa: B018
    assert first.tie.tolist() == [-1] * 5, "a class of one is no tie"
    G.nodes["b"]["tie"] = G.nodes["c"]["tie"] = 5
    second = compile_order(G)
    assert second.tie.tolist() == [-1, 0, 0, -1, -1]
    assert second.relation is first.relation, "only the ties are read again"
    assert compile_order(G) is second
    G.nodes["a"]["tie"] = 5
    with pytest.raises(TieError):
        compile_order(G)


@given(st.lists(st.tuples(st.integers(-1, 2), st.integers(-1, 2)), max_size=7))
def test_joined_classes_are_apart_if_either_is(numbers: list[tuple[int, int]]) -> None:
    one, other = np.array(numbers, dtype=np.int64).reshape(-1, 2).T
    joined = joined_classes(one, other).tolist()
    pairs = list(combinations(range(len(numbers)), 2))
    tied = [numbers[i] == numbers[j] and min(numbers[i]) >= 0 for i, j in pairs]
    assert [joined[i] == joined[j] >= 0 for i, j in pairs] == tied
    assert pairs_within(np.array(joined, dtype=np.int64)) == sum(tied)
