"""What is no order, refused by every function of one: cycles, other graphs, other things."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest

import porank as po

#: The functions that take cyclic graphs too, and those that do not.
OF_GRAPHS: list[Any] = [
    po.is_acyclic, po.is_total_order, po.is_weak_order, po.is_semiorder, po.is_interval_order,
    po.order_type, po.find_cycle, po.condense, po.break_cycles, po.transitive_closure,
    po.transitive_reduction, po.describe, po.is_lattice, po.is_distributive, po.is_modular,
    po.is_graded, po.is_series_parallel,
]  # fmt: skip
OF_ORDERS: list[Any] = [
    po.antichains, po.dual, po.find_forced_contradiction, po.find_realizer,
    po.orders.find_three_plus_one, po.orders.find_two_plus_two, po.format_order, po.height,
    po.intersection, po.interval_representation, po.levels,
    po.maximal_items, po.maximum_antichain, po.minimal_items, po.minimum_chain_cover,
    po.rank_intervals, po.set_ranks, po.weakest, po.width,
    po.orders.find_missing_bound, po.orders.find_pentagon_or_diamond, po.orders.find_n,
    po.orders.find_unequal_chains, po.maximal_chains, po.dimension, po.ideal_lattice,
    po.macneille_completion, po.disjoint_sum, po.ordinal_sum, po.product, po.lexicographic,
    lambda G: po.join(G, 1), lambda G: po.meet(G, 1), lambda G: po.interval(G, 1, 1),
    lambda G: po.find_isomorphism(G, G),
    lambda G: po.restrict(G, [1]), lambda G: po.up_set(G, 1), lambda G: po.down_set(G, 1),
]  # fmt: skip


LIST: Any = ["x"]
AB, BA, ABC = nx.DiGraph(["ab"]), nx.DiGraph(["ab", "ba"]), nx.DiGraph(["ab", "bc"])
BAD = nx.DiGraph([("a", "b", {"support": -1})])
CALLS: list[tuple[Any, str]] = [
    (lambda: po.restrict(AB, "ax"), "items of the order, found 'x'"),
    (lambda: po.prefers(BA, "x", "a"), "items of the order, found 'x'"),
    (lambda: po.prefers(AB, LIST, "a"), r"found \['x'\]"),
    (lambda: po.up_set(AB, "x"), "found 'x'"),
    (po.intersection, "at least one order"),
    (lambda: po.join(AB, "x"), "found 'x'"),
    (lambda: po.ideal_lattice(AB, max_ideals=0), "at least 1 as max_ideals"),
    (lambda: po.interval(AB, "a", "x"), "found 'x'"),
    (lambda: po.product([AB, AB]), r"found a list; use product\(\*orders\)"),
    (lambda: po.intersection([AB, AB]), "found a list"),
    (lambda: po.align(AB, BA), "in predicted"),
    (lambda: po.align(AB, AB, how="left"), "how to be one of"),
    (lambda: po.align(AB, AB, missing="above"), "missing to be one of"),
    (
        lambda: po.align({"a": 1, "b": 2}, {"a": -math.inf}, how="target", missing="below"),
        "below scores of -inf",
    ),
    (lambda: po.condense(nx.DiGraph(["ab", "ba", (frozenset("ab"), "c")])), "equals a strongly"),
    (lambda: po.why(ABC, "b", "a"), "swap the two items"),
    (lambda: po.why(nx.DiGraph(["ab", "ac"]), "b", "c"), "incomparable"),
    (lambda: po.why(ABC, "a", "a"), "found 'a' twice"),
    (lambda: po.why(ABC, "a", "z"), "found 'z'"),
    (lambda: po.why(BAD, "a", "b"), "'support' of every edge, found -1"),
    (lambda: po.why(nx.DiGraph([("a", "b", {"added": True})]), "a", "b"), "marked as added"),
    (lambda: po.weakest(BAD, weight="votes"), "'votes' of every edge, found none"),
    (lambda: po.cyclicity(BAD), "'support' of every edge, found -1"),
]


def test_bad_questions() -> None:
    for call, message in CALLS:
        with pytest.raises(po.PorankError, match=message):
            call()


def test_too_many_edges_to_write(monkeypatch: pytest.MonkeyPatch) -> None:
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
        with pytest.raises(po.PorankError, match="at most 15 edges to create, found 16"):
            call()


def test_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    G = po.random_order(20, dimension=2, seed=0)
    monkeypatch.setattr("porank.core.graphs.MAX_BYTES", 100)
    for function in (po.find_realizer, po.find_forced_contradiction):
        with pytest.raises(po.PorankError, match=r"matrices of 20 items.*restrict"):
            function(G)


def test_items_and_ties_that_differ() -> None:
    with pytest.raises(po.errors.ItemMismatchError) as caught:
        po.intersection(AB, nx.DiGraph(["ac"]))
    assert (caught.value.only_target, caught.value.only_predicted) == (["b"], ["c"])
    tied = nx.DiGraph(["ab"])
    nx.set_node_attributes(tied, 1, "tie")
    with pytest.raises(po.errors.TieError):
        po.describe(tied)


def test_bad_weights_are_named() -> None:
    for weight in (None, -1, float("nan"), "heavy", 1j, float("inf"), 10**400):
        G = nx.DiGraph([("a", "b", {"w": 1}), ("b", "a", {} if weight is None else {"w": weight})])
        found = "none" if weight is None else str(weight)[:3]
        with pytest.raises(
            po.PorankError, match=f"number >= 0 as 'w'.*found '?{found}.*'b' -> 'a'"
        ):
            po.break_cycles(G, weight="w")
    nx.set_edge_attributes(G, 1e308, "w")
    with pytest.raises(po.PorankError, match="weights with a finite sum"):
        po.break_cycles(G, weight="w")


def test_what_is_no_order_is_refused_at_once() -> None:
    for function in OF_GRAPHS + OF_ORDERS:
        for wrong in (nx.Graph(["ab"]), "abc"):
            with pytest.raises(po.errors.GraphTypeError, match=r"expected a networkx\.DiGraph"):
                function(wrong)
    for function in OF_ORDERS:
        with pytest.raises(po.CycleError, match=r"found the cycle 1 > 2 > 1") as caught:
            function(nx.DiGraph([(1, 2), (2, 1)]))
        assert caught.value.cycle == [1, 2, 1]
