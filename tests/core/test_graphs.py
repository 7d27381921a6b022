"""Graphs as orders: what is none, and what is too large."""

from typing import Any

import networkx as nx
import pytest

import porank as po
from tests.support.refusals import refuses


def table(rows: Any, *columns: Any, **options: Any) -> nx.DiGraph:
    return po.from_table(rows, maximize=columns, **options)


def test_too_many_edges_to_write(monkeypatch: pytest.MonkeyPatch) -> None:
    weak, other = nx.complete_bipartite_graph(3, 3), nx.DiGraph(["ab", "cd", "ad"])
    lattice = {i: {"x": i % 4, "y": -(i % 4) + 10 * (i < 4)} for i in range(8)}
    monkeypatch.setattr("porank.core.graphs.MAX_EDGES", 2)
    refuses("found 4; pass the scores", po.parse, "a ~ b > c ~ d")
    refuses("found 9; keep the scores", po.format_order, nx.DiGraph(weak.edges))
    refuses("found 3; write the graph", po.format_order, other)
    refuses("found 10; keep fewer items", table, lattice, "x", "y")
    refuses("found 4", po.Profile([po.antichain(2)], items=range(4)).completed)
    monkeypatch.setattr("porank.core.graphs.MAX_BYTES", 100)
    with pytest.raises(po.PorankError, match=r"a matrix of 20 items.*keep fewer items"):
        table({i: {"x": i, "y": i * 7 % 20} for i in range(20)}, "x", "y")


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


def test_what_is_no_order_is_refused_at_once() -> None:
    for function in OF_GRAPHS + OF_ORDERS:
        for wrong in (nx.Graph(["ab"]), "abc"):
            with pytest.raises(po.errors.GraphTypeError, match=r"expected a networkx\.DiGraph"):
                function(wrong)
    for function in OF_ORDERS:
        with pytest.raises(po.CycleError, match=r"found the cycle 1 > 2 > 1") as caught:
            function(nx.DiGraph([(1, 2), (2, 1)]))
        assert caught.value.cycle == [1, 2, 1]
