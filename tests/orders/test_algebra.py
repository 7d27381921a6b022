"""Orders from orders: restriction, dual, intersection, alignment; and what a graph holds."""

import math
from collections.abc import Callable
from copy import deepcopy
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.core.compiled_order import compile_order
from porank.core.order_graph import OrderGraph
from tests.support import oracles
from tests.support.refusals import refuses
from tests.support.strategies import on_orders, orders


@given(orders(), st.data())
def test_restriction_by_definition(G: nx.DiGraph, data: st.DataObject) -> None:
    kept = set(data.draw(st.lists(st.sampled_from(list(G))))) if len(G) else set()
    H = po.restrict(G, kept)
    assert list(H) == [item for item in G if item in kept]
    assert oracles.closure(H.edges) == oracles.restriction(G.edges, kept)
    given_between = {(u, v) for u, v in G.edges if {u, v} <= kept}
    assert set(H.edges) == given_between | oracles.reduction(H.edges)
    assert nx.utils.graphs_equal(po.restrict(G, G), G)


@on_orders(max_items=6, shapes=5)
def test_intervals_by_definition(G: nx.DiGraph) -> None:
    for u, v in product(G, repeat=2):
        said = oracles.closure(G.edges) | {(x, x) for x in G}
        if (u, v) in said:
            H = po.interval(G, u, v)
            assert set(H) == {x for x in G if {(u, x), (x, v)} <= said}
            assert oracles.closure(H.edges) == oracles.restriction(G.edges, set(H))
        else:
            refuses("swap" if (v, u) in said else "no preference", po.interval, G, u, v)


@on_orders()
def test_dual_by_definition(G: nx.DiGraph) -> None:
    H = po.dual(G)
    assert isinstance(H, nx.DiGraph)
    assert list(H) == list(G)
    assert set(H.edges) == {(v, u) for u, v in G.edges}


def test_restriction_and_dual_of_scores() -> None:
    assert po.restrict({"a": 3, "b": Fraction(1, 3)}, ["b"]) == {"b": Fraction(1, 3)}
    assert po.restrict(np.array([5, 6, 7]), [2, 0]) == {0: 5, 2: 7}
    assert po.dual(np.array([3, 0], dtype=np.uint8)) == {0: -3, 1: 0}
    assert po.dual({"a": True}) == {"a": -1}
    long = {"a": Decimal("0." + "1" * 35), "b": Decimal("0." + "1" * 34 + "2")}
    assert po.dual(long)["a"] > po.dual(long)["b"]


@given(orders(max_items=6), st.randoms(use_true_random=False))
def test_intersection_by_definition(G: nx.DiGraph, random: Any) -> None:
    line = list(G)
    random.shuffle(line)
    ranking = oracles.graph_on(line, pairwise(line))
    agreed = oracles.closure(G.edges) & oracles.closure(ranking.edges)
    scores = {item: -place for place, item in enumerate(line)}
    for both in (po.intersection(G, ranking), po.intersection(G, scores)):
        assert set(both.edges) == oracles.reduction(agreed)
        assert list(both) == list(G)
    assert set(po.intersection(ranking, G).edges) == set(both.edges)
    assert set(po.intersection(G).edges) == oracles.reduction(G.edges)


def test_what_all_tie_is_tied() -> None:
    first, second = {"a": 2, "b": 2, "c": 1, "d": 1}, {"a": 1, "b": 1, "c": 1, "d": 0}
    both = po.intersection(first, second)
    assert set(both.edges) == {("a", "d"), ("b", "d")}
    assert compile_order(both).tie.tolist() == [0, 0, -1, -1]
    assert compile_order(po.intersection(first, nx.DiGraph(["ac", "bd"]))).tie.max() == -1


@pytest.mark.parametrize("how", ["intersection", "target", "union"])
@given(G=orders(max_items=5), H=orders(max_items=5))
def test_aligned_orders_have_the_same_items(how: str, G: nx.DiGraph, H: nx.DiGraph) -> None:
    wanted = {"intersection": set(G) & set(H), "target": set(G), "union": set(G) | set(H)}[how]
    for missing in ("unordered", "below"):
        aligned = po.align(G, H, how=how, missing=missing)
        for before, after in zip((G, H), aligned, strict=True):
            shared = set(before) & wanted
            said = oracles.closure(after.edges)
            assert set(after) == wanted
            tied = {x for x, tie in after.nodes(data="tie") if tie is not None}
            level = wanted - shared if missing == "below" else set()
            assert tied == (level if len(level) > 1 else set())
            lower = {(u, v) for u in shared for v in level}
            assert said == oracles.restriction(before.edges, shared) | lower


def test_aligned_scores_stay_scores() -> None:
    first, second = po.align({"a": 2.5, "b": 1}, {"b": 7, "c": 9}, how="union", missing="below")
    assert first == {"a": 2.5, "b": 1, "c": 0}
    assert second == {"b": 7, "c": 9, "a": 6}
    first, second = po.align({"a": 2, "b": 1}, {"b": 7, "c": 9}, how="target")
    assert first == {"a": 2, "b": 1}
    assert set(second) == {"a", "b"}
    assert second.number_of_edges() == 0
    for lowest in (1e300, float("inf"), -1e300):
        _, second = po.align({"a": 1, "b": 2}, {"a": lowest}, how="target", missing="below")
        assert second["b"] < second["a"]


FUNCTIONS: list[Callable[[nx.DiGraph], nx.Graph]] = [
    po.transitive_closure,
    po.transitive_reduction,
    po.condense,
    lambda G: po.break_cycles(G, weight="weight")[0],
    lambda G: po.restrict(G, "xbcd"),
    lambda G: po.dual(po.dual(G)),
    lambda G: po.intersection(G, {"x": 3, "a": 2, "b": 1, "c": 1, "d": 0}),
    lambda G: po.align(G, po.antichain(0), how="union")[0],
]


def test_attributes_are_kept_and_copied() -> None:
    G = nx.DiGraph(name="mine")
    G.add_nodes_from("xabcd", colour="red")
    nx.set_node_attributes(G, {"b": 1, "c": 1}, "tie")
    G.add_edges_from(["xa", "xc", "ab", "bd", "ac", "cd"], weight=2)
    before = deepcopy(G)
    for function in FUNCTIONS:
        H = function(G)
        assert type(H) in (OrderGraph, nx.Graph)
        assert H.graph == {"name": "mine"}
        for _, data in H.nodes(data=True):
            assert {key: data[key] for key in data.keys() - {"tie", "members"}} == {"colour": "red"}
        assert H.nodes["b"]["tie"] == H.nodes["c"]["tie"]
        assert "tie" not in H.nodes["x"]
        for u, v, data in H.edges(data=True):
            edge = (u, v) if H.is_directed() or G.has_edge(u, v) else (v, u)
            assert data == G.edges.get(edge, {})
        for data in (H.graph, *H.nodes.values(), *H.edges.values()):
            data.update(colour="blue", weight=3)
        assert nx.utils.graphs_equal(G, before)


def test_condensing_adds_weights_where_they_can_be_added() -> None:
    sums: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = [
        ({"weight": 2, "note": "n"}, {"weight": 0.5}, {"weight": 2.5}),
        ({"weight": 1}, {"weight": None}, {}),
        ({"weight": "heavy"}, {"weight": "light"}, {}),
        ({"weight": 1}, {"weight": "light"}, {}),
        ({"weight": 1}, {}, {}),
    ]
    for first, second, joined in sums:
        G = nx.DiGraph(["ab", "ba"])
        G.add_edges_from([("a", "x", first), ("b", "x", second)])
        assert po.condense(G).edges[frozenset("ab"), "x"] == joined


def test_ties_that_the_remaining_edges_contradict_are_forgotten() -> None:
    G = nx.DiGraph([("a", "x"), ("b", "y"), ("x", "y"), ("y", "x"), ("a", "z"), ("b", "z")])
    G.add_nodes_from([(item, {"tie": tie}) for item, tie in zip("abcd", [1, 1, 2, 2], strict=True)])
    assert nx.get_node_attributes(po.break_cycles(G)[0], "tie") == {"c": 2, "d": 2}
    assert set(nx.get_node_attributes(G, "tie")) == set("abcd"), "the input is unchanged"


AB, BA = nx.DiGraph(["ab"]), nx.DiGraph(["ab", "ba"])


def test_too_many_edges_are_refused_before_they_are_created(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("porank.core.graphs.MAX_EDGES", 15)
    hub = nx.DiGraph([*(((0, i), "hub") for i in range(4)), *(("hub", (1, i)) for i in range(4))])
    levels = np.arange(8) % 2
    calls: list[Callable[[], Any]] = [
        lambda: po.restrict(hub, set(hub) - {"hub"}),
        lambda: po.intersection(levels, levels),
        lambda: po.ordinal_sum(po.antichain(4), po.antichain(4), pairs=True),
        lambda: po.align(
            po.antichain(4), nx.empty_graph("abcd", nx.DiGraph), how="union", missing="below"
        ),
    ]
    for call in calls:
        refuses("at most 15 edges to create, found 16", call)


def test_orders_on_other_items_and_ties_that_are_none_are_refused() -> None:
    with pytest.raises(po.errors.ItemMismatchError) as caught:
        po.intersection(AB, nx.DiGraph(["ac"]))
    assert (caught.value.only_target, caught.value.only_predicted) == (["b"], ["c"])
    tied = nx.DiGraph(["ab"])
    nx.set_node_attributes(tied, 1, "tie")
    with pytest.raises(po.errors.TieError):
        po.describe(tied)


def test_bad_questions_are_refused_in_words() -> None:
    refuses("items of the order, found 'x'", po.restrict, AB, "ax")
    refuses("at least one order", po.intersection)
    refuses("found 'x'", po.interval, AB, "a", "x")
    refuses("found a list", po.intersection, [AB, AB])
    refuses("in predicted", po.align, AB, BA)
    refuses("how to be one of", po.align, AB, AB, how="left")
    refuses("missing to be one of", po.align, AB, AB, missing="above")
    below: Any = {"how": "target", "missing": "below"}
    refuses("below scores of -inf", po.align, {"a": 1, "b": 2}, {"a": -math.inf}, **below)
