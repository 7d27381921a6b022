"""What is no order, refused by every function of one: cycles, other graphs, other things."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pytest

import porank as po

#: The functions that take cyclic graphs too, and those that do not.
OF_GRAPHS = [
    po.is_acyclic, po.is_total_order, po.is_weak_order, po.is_semiorder, po.is_interval_order,
    po.order_type, po.find_cycle, po.condense, po.break_cycles, po.transitive_closure,
    po.transitive_reduction, po.describe,
]  # fmt: skip
OF_ORDERS = [
    po.antichains, po.comparability_graph, po.dual, po.find_forced_contradiction, po.find_realizer,
    po.find_three_plus_one, po.find_two_plus_two, po.format_order, po.height,
    po.incomparability_graph, po.intersection, po.interval_representation, po.levels,
    po.maximal_items, po.maximum_antichain, po.minimal_items, po.minimum_chain_cover,
    po.rank_intervals, po.set_ranks, po.weakest, po.width,
    lambda G: po.restrict(G, [1]), lambda G: po.up_set(G, 1), lambda G: po.down_set(G, 1),
]  # fmt: skip


@pytest.mark.parametrize("function", OF_ORDERS)
def test_a_cycle_is_reported_at_once(function: Any) -> None:
    with pytest.raises(po.CycleError, match=r"found the cycle 1 > 2 > 1") as caught:
        function(nx.DiGraph([(1, 2), (2, 1)]))
    assert caught.value.cycle == [1, 2, 1]


@pytest.mark.parametrize("function", OF_GRAPHS + OF_ORDERS)
def test_what_is_no_order_is_refused_at_once(function: Any) -> None:
    for wrong in (nx.Graph(["ab"]), nx.MultiDiGraph(), "abc", 3, None):
        with pytest.raises(po.GraphTypeError, match=r"expected a networkx\.DiGraph"):
            function(wrong)
