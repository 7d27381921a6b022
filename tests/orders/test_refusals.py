"""What is no order, refused by every function of one: cycles, other graphs, other things."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import pytest

import porank as po

#: The functions that take cyclic graphs too, and those that do not.
OF_GRAPHS: list[Any] = [
    po.is_acyclic, po.is_total_order, po.is_weak_order, po.is_semiorder, po.is_interval_order,
    po.order_type, po.find_cycle, po.condense, po.break_cycles, po.transitive_closure,
    po.transitive_reduction, po.describe,
]  # fmt: skip
OF_ORDERS: list[Any] = [
    po.antichains, po.comparability_graph, po.dual, po.find_forced_contradiction, po.find_realizer,
    po.find_three_plus_one, po.find_two_plus_two, po.format_order, po.height,
    po.incomparability_graph, po.intersection, po.interval_representation, po.levels,
    po.maximal_items, po.maximum_antichain, po.minimal_items, po.minimum_chain_cover,
    po.rank_intervals, po.set_ranks, po.weakest, po.width,
    lambda G: po.restrict(G, [1]), lambda G: po.up_set(G, 1), lambda G: po.down_set(G, 1),
]  # fmt: skip


AB, BA, ABC = nx.DiGraph(["ab"]), nx.DiGraph(["ab", "ba"]), nx.DiGraph(["ab", "bc"])
BAD = nx.DiGraph([("a", "b", {"support": -1})])


@pytest.mark.parametrize(
    ("function", "given", "options", "message"),
    [
        (po.restrict, (AB, "ax"), {}, "expected items of the order, found 'x'"),
        (po.prefers, (AB, "a", "x"), {}, "expected items of the order, found 'x'"),
        (po.prefers, (BA, "x", "a"), {}, "expected items of the order, found 'x'"),
        (po.prefers, (AB, ["x"], "a"), {}, r"found \['x'\]"),
        (po.up_set, (AB, "x"), {}, "expected items of the order, found 'x'"),
        (po.down_set, (AB, "x"), {}, "expected items of the order, found 'x'"),
        (po.intersection, (), {}, "expected at least one order to intersect, found none"),
        (po.align, (AB, BA), {}, "in predicted"),
        (po.align, (AB, AB), {"how": "left"}, "how to be one of 'intersection', 'target', 'union'"),
        (po.align, (AB, AB), {"missing": "above"}, "missing to be one of 'unordered', 'below', f"),
        (
            po.align,
            ({"a": 1, "b": 2}, {"a": -math.inf}),
            {"how": "target", "missing": "below"},
            "room below the lowest, found -inf",
        ),
        (
            po.align,
            (po.antichain(4000), nx.empty_graph(range(-4000, 0), nx.DiGraph)),
            {"how": "union", "missing": "below"},
            "give scores instead of a graph",
        ),
        (po.why, (ABC, "b", "a"), {}, "found 'a' preferred to 'b'; ask for them the other way rou"),
        (po.why, (nx.DiGraph(["ab", "ac"]), "b", "c"), {}, "found the two incomparable"),
        (po.why, (ABC, "a", "a"), {}, "expected two different items, found 'a' twice"),
        (po.why, (ABC, "a", "z"), {}, "expected items of the order, found 'z'"),
        (po.why, (BAD, "a", "b"), {}, "as 'support' of every edge, found -1"),
        (po.weakest, (BAD,), {"weight": "votes"}, "as 'votes' of every edge, found none"),
        (po.cyclicity, (BAD,), {}, "as 'support' of every edge, found -1"),
    ],
)
def test_bad_questions(
    function: Any, given: tuple[Any, ...], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(po.PorankError, match=message):
        function(*given, **options)


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
