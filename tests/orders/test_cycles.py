"""Cycles found, gathered and broken."""

from __future__ import annotations

import importlib
import random
from decimal import Decimal
from fractions import Fraction
from itertools import permutations
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from porank.core.graphs import item_key
from porank.errors import PorankError
from porank.measures.compare import compare
from porank.orders import cycles as feedback_arcs
from porank.orders.closure import transitive_closure, transitive_reduction
from porank.orders.cycles import break_cycles, condense, find_cycle, is_acyclic
from tests import oracles
from tests.strategies import graphs, reinserted


@given(graphs(max_items=5))
def test_found_by_definition(G: nx.DiGraph) -> None:
    assert find_cycle(G) == oracles.first_cycle(G, item_key)


def test_scores_loops_and_nothing() -> None:
    assert find_cycle({"a": 1, "b": 1}) is None
    assert break_cycles({"a": 1, "b": 2})[1] == []
    assert condense([2, 1]).nodes(data="members")[0] == frozenset({0})
    G = nx.DiGraph([("u", "u")])
    assert find_cycle(G) == ["u", "u"]
    assert list(condense(G)) == [frozenset({"u"})]
    assert (list(break_cycles(G)[0]), break_cycles(G)[1]) == (["u"], [("u", "u")])
    assert find_cycle(nx.DiGraph()) is None
    assert len(condense(nx.DiGraph())) == len(break_cycles(nx.DiGraph())[0]) == 0


@given(graphs())
def test_condensed_as_networkx_does(G: nx.DiGraph) -> None:
    C, N = condense(G), nx.condensation(G)
    members = dict(C.nodes(data="members"))
    assert sorted(map(sorted_keys, members.values())) == sorted(
        sorted_keys(data["members"]) for _, data in N.nodes(data=True)
    )
    name = {frozenset(data["members"]): k for k, data in N.nodes(data=True)}
    assert {(name[members[u]], name[members[v]]) for u, v in C.edges} == set(N.edges)
    for node, group in members.items():
        component = len(group) > 1 or G.has_edge(*[*group] * 2)
        assert group == (node if component else frozenset({node}))


def sorted_keys(items: Any) -> list[tuple[str, str]]:
    return sorted(map(item_key, items))


def test_condensing_keeps_what_it_can() -> None:
    G = nx.DiGraph(name="mine")
    G.add_node("x", colour="red")
    G.add_edge("a", "b", weight=1)
    G.add_edge("b", "a", weight=1)
    G.add_edge("a", "x", weight=2, note="n")
    G.add_edge("b", "x", weight=Fraction(1, 2))
    G.add_edge("x", "y", note="only one")
    before = nx.DiGraph(G)
    C = condense(G)
    component = frozenset("ab")
    assert nx.utils.graphs_equal(G, before)
    assert C.graph == {"name": "mine"}
    assert C.nodes["x"] == {"colour": "red", "members": frozenset("x")}
    assert C.edges[component, "x"] == {"weight": Fraction(5, 2)}
    assert C.edges["x", "y"] == {"note": "only one"}


def test_an_item_named_like_a_component_is_refused() -> None:
    G = nx.DiGraph(["ab", "ba"])
    G.add_node(frozenset("ab"))
    with pytest.raises(PorankError, match="expected no item to be named like a strongly connected"):
        condense(G)


@st.composite
def weighted_graphs(draw: st.DrawFn) -> nx.DiGraph:
    G = draw(graphs(max_items=5))
    weights = st.integers(0, 4) | st.fractions(0, 3, max_denominator=6)
    for u, v in G.edges:
        G.edges[u, v]["cost"] = draw(weights)
    return G


def check_broken(G: nx.DiGraph, H: nx.DiGraph, dropped: list[Any]) -> None:
    assert is_acyclic(H)
    assert list(H) == list(G)
    assert set(H.edges) | set(dropped) == set(G.edges)
    assert not set(H.edges) & set(dropped)
    assert dropped == sorted(dropped, key=lambda edge: tuple(map(item_key, edge)))
    for u, v in dropped:
        assert u == v or nx.has_path(H, v, u), "no edge was dropped in vain"


@given(weighted_graphs())
def test_small_components_are_broken_exactly(G: nx.DiGraph) -> None:
    H, dropped = break_cycles(G, weight="cost")
    check_broken(G, H, dropped)
    assert sum(G.edges[edge]["cost"] for edge in dropped) == oracles.least_weight_to_drop(
        G, lambda u, v: G.edges[u, v]["cost"]
    )
    H, dropped = break_cycles(G)
    check_broken(G, H, dropped)
    assert len(dropped) == oracles.least_weight_to_drop(G, lambda *_: 1)


@given(weighted_graphs())
def test_the_greedy_way_breaks_too(G: nx.DiGraph) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(feedback_arcs, "EXACT_ITEMS", 0)
        H, dropped = break_cycles(G, weight="cost")
    check_broken(G, H, dropped)


@given(weighted_graphs())
@settings(max_examples=15)
def test_insertion_changes_nothing(G: nx.DiGraph) -> None:
    H = reinserted(G)
    for limit in (0, feedback_arcs.EXACT_ITEMS):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(feedback_arcs, "EXACT_ITEMS", limit)
            assert break_cycles(H, weight="cost")[1] == break_cycles(G, weight="cost")[1]


def test_the_greedy_way_comes_close_to_the_exact_one() -> None:
    """On 20 random tournaments of 10 items it drops at most a tenth more in all."""
    rng = np.random.default_rng(1)
    exact = greedy = 0
    for _ in range(20):
        wins = rng.random((10, 10)) < 0.5
        cost = {(i, j) if wins[i, j] else (j, i): 1 for i in range(10) for j in range(i)}
        exact += len(feedback_arcs._edges_against(10, cost))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(feedback_arcs, "EXACT_ITEMS", 0)
            greedy += len(feedback_arcs._edges_against(10, cost))
    assert exact <= greedy <= 1.1 * exact


@given(st.integers(0, 10_000))
@settings(max_examples=8)
def test_no_single_item_can_better_a_large_component_by_moving(seed: int) -> None:
    """Every single move is tried; edges may run both ways between two items."""
    rng = random.Random(seed)
    k = 20
    cost = {(i, j): rng.randint(1, 9) for i in range(k) for j in range(k) if rng.random() < 0.3}
    line = feedback_arcs._arranged_greedily(k, cost)

    def against(line: list[int]) -> int:
        stands = {item: place for place, item in enumerate(line)}
        return sum(value for (i, j), value in cost.items() if stands[i] >= stands[j])

    assert sorted(line) == list(range(k))
    for item in line:
        rest = [other for other in line if other != item]
        moved = min(against([*rest[:place], item, *rest[place:]]) for place in range(k))
        assert moved >= against(line)


def test_sixteen_items_are_arranged_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(k: int, _: Any) -> list[int]:
        raise AssertionError(f"{k} items arranged greedily")

    monkeypatch.setattr(feedback_arcs, "_arranged_greedily", refuse)
    assert len(feedback_arcs._edges_against(16, {(i, (i + 1) % 16): 1 for i in range(16)})) == 1
    with pytest.raises(AssertionError, match="17 items"):
        feedback_arcs._edges_against(17, {(i, (i + 1) % 17): 1 for i in range(17)})


def test_dearest_edges_are_put_back_first() -> None:
    """Of two dropped edges, each needless alone and both together not, the dearer one returns."""
    cost = {(0, 1): 1, (1, 2): 1, (2, 3): 1, (3, 1): 2, (2, 0): 3, (0, 2): 1}
    against = [(0, 1), (3, 1), (2, 0), (0, 2)]
    kept = feedback_arcs._without_needless(4, cost, against)
    assert (2, 0) not in kept
    assert (3, 1) in kept


@given(st.integers(3, 7), st.integers(0, 2**32 - 1))
def test_edges_are_put_back_as_long_as_no_cycle_closes(k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    edges = [(i, j) for i, j in permutations(range(k), 2) if rng.random() < 0.6]
    cost = {edge: int(rng.integers(1, 4)) for edge in edges}
    # All that points upwards goes, and of the rest some: most of it may come back.
    against = [(i, j) for i, j in edges if i > j or rng.random() < 0.4]
    dropped = feedback_arcs._without_needless(k, cost, against)
    G = nx.empty_graph(k, create_using=nx.DiGraph)
    G.add_edges_from(set(edges) - set(dropped))
    assert nx.is_directed_acyclic_graph(G)
    assert set(dropped) <= set(against)
    assert all(nx.has_path(G, j, i) for i, j in dropped)


def test_condensing_does_without_weights_that_cannot_be_added() -> None:
    for weights in ((1, None), ("heavy", "light"), (1, "light")):
        G = nx.DiGraph(["ab", "ba"])
        G.add_edge("a", "x", weight=weights[0])
        G.add_edge("b", "x", weight=weights[1])
        assert condense(G).edges[frozenset("ab"), "x"] == {}
        assert transitive_reduction(G).number_of_edges() == 3
    G.add_edge("a", "x", weight=1)
    del G.edges["b", "x"]["weight"]
    assert condense(G).edges[frozenset("ab"), "x"] == {}


def test_weights_of_several_kinds_are_added_as_floats() -> None:
    G = nx.DiGraph()
    G.add_edge("a", "b", weight=Decimal(1))
    G.add_edge("b", "a", weight=Fraction(1, 3))
    G.add_edge("x", "y", weight=0.5)
    G.add_edge("y", "x", weight=2**70)
    assert break_cycles(G, weight="weight")[1] == [("b", "a"), ("x", "y")]


@pytest.mark.parametrize("weight", [None, -1, float("nan"), "heavy", 1j, float("inf"), 10**400])
def test_bad_weights_are_named(weight: Any) -> None:
    G = nx.DiGraph(
        [("a", "b", {"weight": 1}), ("b", "a", {} if weight is None else {"weight": weight})]
    )
    found = "none" if weight is None else str(weight)
    with pytest.raises(
        PorankError, match=f"from 0 on as 'weight'.*found '?{found[:3]}.*'b' -> 'a'"
    ):
        break_cycles(G, weight="weight")


def test_the_input_is_unchanged_and_attributes_survive() -> None:
    G = nx.DiGraph(name="mine")
    G.add_node("a", colour="red")
    G.add_edges_from(["ab", "bc", "ca"], weight=1)
    before = nx.DiGraph(G)
    H, dropped = break_cycles(G, weight="weight")
    assert nx.utils.graphs_equal(G, before)
    assert len(dropped) == 1
    assert H.nodes["a"] == {"colour": "red"}
    assert H.graph == {"name": "mine"}
    assert all(data == {"weight": 1} for _, _, data in H.edges(data=True))


def test_a_component_of_many_items() -> None:
    n = 4_000
    G = nx.cycle_graph(n, create_using=nx.DiGraph)
    G.add_edges_from((i, (i + 7) % n) for i in range(0, n, 3))
    H, dropped = break_cycles(G)
    # Each of the extra edges skips seven; three of those that close the circle must go with it.
    assert len(dropped) <= 4
    check_broken(G, H, dropped)


def test_bars_stand_over_what_may_last(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def note(iterable: Any, *, label: str) -> Any:
        asked.append(label)
        return iterable

    for module in ("core.graphs", "core.relation", "orders.cycles", "measures.compare"):
        monkeypatch.setattr(importlib.import_module(f"porank.{module}"), "track", note)
    transitive_closure(nx.DiGraph(["ab", "ba", "cd"]))
    break_cycles(nx.DiGraph(["ab", "ba"]))
    compare([1, 2], [2, 1])
    assert asked == ["closing", "writing", "breaking", "closing", "measuring"]


@pytest.mark.parametrize("size", [4, 18])
def test_small_machine_integers_do_not_wrap_round(size: int) -> None:
    """What networkx.from_numpy_array leaves: sums of these would begin again at 256."""
    rng = np.random.default_rng(size)
    weights = rng.integers(0, 200, (size, size)).astype(np.uint8)
    G = nx.DiGraph()
    H = nx.DiGraph()
    for u, v in np.argwhere(rng.random((size, size)) < 0.6).tolist():
        G.add_edge(u, v, w=weights[u, v])
        H.add_edge(u, v, w=int(weights[u, v]))
    assert break_cycles(G, weight="w")[1] == break_cycles(H, weight="w")[1]


def test_weights_whose_sum_is_too_large_for_a_float() -> None:
    G = nx.complete_graph(3, create_using=nx.DiGraph)
    nx.set_edge_attributes(G, 1e308, "w")
    with pytest.raises(PorankError, match="weights that can be added"):
        break_cycles(G, weight="w")


def test_ties_that_the_remaining_edges_contradict_are_forgotten() -> None:
    G = nx.DiGraph([("a", "x"), ("b", "y"), ("x", "y"), ("y", "x"), ("a", "z"), ("b", "z")])
    nx.set_node_attributes(G, {"a": 1, "b": 1, "c": 2, "d": 2}, "tie")
    G.add_nodes_from("cd", tie=2)
    H, dropped = break_cycles(G)
    assert len(dropped) == 1
    assert nx.get_node_attributes(H, "tie") == {"c": 2, "d": 2}
    assert set(nx.get_node_attributes(G, "tie")) == set("abcd"), "the input is unchanged"
