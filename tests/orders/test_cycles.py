"""Cycles found, gathered and broken; how cyclic preferences are."""

import random
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import porank as po
from porank.core.graphs import item_key
from porank.orders import cycles
from porank.results import Cyclicity
from tests.support import oracles
from tests.support.refusals import refuses
from tests.support.strategies import graphs, item_lists, on_graphs, reinserted


@on_graphs(max_items=5)
def test_found_by_definition(G: nx.DiGraph) -> None:
    assert po.find_cycle(G) == oracles.first_cycle(G, item_key)


@on_graphs()
def test_condensed_as_networkx_does(G: nx.DiGraph) -> None:
    C, N = po.condense(G), nx.condensation(G)
    members = dict(C.nodes(data="members"))
    name = {frozenset(data["members"]): k for k, data in N.nodes(data=True)}
    assert set(members.values()) == set(name)
    assert {(name[members[u]], name[members[v]]) for u, v in C.edges} == set(N.edges)
    for node, group in members.items():
        is_cyclic = len(group) > 1 or G.has_edge(*[*group] * 2)
        assert group == (node if is_cyclic else frozenset({node}))


def test_scores_have_no_cycle() -> None:
    assert po.find_cycle({"a": 1, "b": 1}) is None
    assert po.break_cycles({"a": 1, "b": 2})[1] == []
    assert po.condense([2, 1]).nodes(data="members")[0] == frozenset({0})


@st.composite
def weighted_graphs(draw: st.DrawFn) -> nx.DiGraph:
    G = draw(graphs(max_items=5))
    weights = st.integers(0, 4) | st.fractions(0, 3, max_denominator=6)
    for u, v in G.edges:
        G.edges[u, v]["cost"] = draw(weights)
    return G


def broken(G: nx.DiGraph, weight: str | None, most_exact: int = cycles.EXACT_ITEMS) -> list[Any]:
    """Break the cycles, check what holds of any way, and return the dropped edges."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cycles, "EXACT_ITEMS", most_exact)
        H, dropped = po.break_cycles(G, weight=weight)
        assert po.break_cycles(reinserted(G), weight=weight)[1] == dropped
    assert nx.is_directed_acyclic_graph(H)
    assert list(H) == list(G)
    assert set(H.edges) | set(dropped) == set(G.edges)
    assert not set(H.edges) & set(dropped)
    assert dropped == sorted(dropped, key=lambda edge: tuple(map(item_key, edge)))
    for u, v in dropped:
        assert u == v or nx.has_path(H, v, u), "no edge was dropped in vain"
    return dropped


@given(weighted_graphs())
def test_small_components_are_broken_exactly(G: nx.DiGraph) -> None:
    cheapest = broken(G, "cost")
    least = oracles.least_weight_to_drop(G, lambda u, v: G.edges[u, v]["cost"])
    assert sum(G.edges[edge]["cost"] for edge in cheapest) == least
    assert len(broken(G, None)) == oracles.least_weight_to_drop(G, lambda *_: 1)
    broken(G, "cost", most_exact=0)


def test_the_search_comes_close_to_the_exact_way() -> None:
    """On 20 random tournaments of 10 items it drops at most a tenth more in all."""
    rng = np.random.default_rng(1)
    exact = found = 0
    for _ in range(20):
        wins = rng.random((10, 10)) < 0.5
        G = nx.DiGraph((i, j) if wins[i, j] else (j, i) for i in range(10) for j in range(i))
        exact += len(broken(G, None))
        found += len(broken(G, None, most_exact=0))
    assert exact <= found <= 1.1 * exact


@given(st.integers(0, 10_000))
@settings(max_examples=8)
def test_no_single_item_can_better_a_large_component_by_moving(seed: int) -> None:
    """Every single move is tried; edges may run both ways between two items."""
    rng = random.Random(seed)
    k = 20
    cost = {(i, j): rng.randint(1, 9) for i in range(k) for j in range(k) if rng.random() < 0.3}
    line = cycles._arranged_greedily(k, cost)

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

    monkeypatch.setattr(cycles, "_arranged_greedily", refuse)
    assert len(broken(nx.cycle_graph(16, create_using=nx.DiGraph), None)) == 1
    with pytest.raises(AssertionError, match="17 items"):
        broken(nx.cycle_graph(17, create_using=nx.DiGraph), None)


def test_edges_are_put_back_dearest_first() -> None:
    cost = {(0, 1): 1, (1, 2): 2, (2, 0): 3, (2, 1): 2}
    assert cycles._without_needless(3, cost, list(cost)) == [(0, 1), (2, 1)]


def test_weights_of_several_kinds_are_added_as_floats() -> None:
    G = nx.DiGraph()
    G.add_weighted_edges_from([("a", "b", Decimal(1)), ("b", "a", Fraction(1, 3))])
    G.add_weighted_edges_from([("x", "y", 0.5), ("y", "x", 2**70)])
    assert broken(G, "weight") == [("b", "a"), ("x", "y")]
    # Sums of what networkx.from_numpy_array leaves would begin again at 256.
    for size in (4, 18):
        rng = np.random.default_rng(size)
        table = rng.integers(0, 200, (size, size)).astype(np.uint8)
        pairs = np.argwhere(rng.random((size, size)) < 0.6).tolist()
        G, H = nx.DiGraph(), nx.DiGraph()
        G.add_weighted_edges_from((u, v, table[u, v]) for u, v in pairs)
        H.add_weighted_edges_from((u, v, int(table[u, v])) for u, v in pairs)
        assert broken(G, "weight") == broken(H, "weight")


@st.composite
def contests(draw: st.DrawFn, *, max_items: int = 6) -> nx.DiGraph:
    """Items compared by sessions, with support on either side or on one only."""
    G = nx.DiGraph()
    G.add_nodes_from(draw(item_lists(max_items=max_items)))
    amounts = st.integers(0, 5) | st.just(Fraction(1, 2))
    for u, v in combinations(G, 2):
        if draw(st.integers(0, 3)):
            there, back = draw(amounts), draw(amounts)
            G.add_edge(u, v, support=there, against=back)
            if draw(st.booleans()):
                G.add_edge(v, u, support=back, against=there)
    return G


def margins_of(G: nx.DiGraph) -> dict[Any, Any]:
    margins = {}
    for u, v, data in G.edges(data=True):
        margins[u, v] = data["support"] - data["against"]
        margins[v, u] = -margins[u, v]
    return margins


def check_found(found: Cyclicity, margin: dict[Any, Any]) -> None:
    """What any answer must fulfil, exact or not."""
    assert 0 <= found.lower <= found.upper <= found.total
    assert found.upper == sum(margin[pair] for pair in found.turned)
    assert found.total == sum(amount for amount in margin.values() if amount > 0)
    left = {pair for pair, amount in margin.items() if amount > 0} - set(found.turned)
    assert nx.is_directed_acyclic_graph(nx.DiGraph(list(left)))
    assert (found.cycle is None) == (found.upper == 0)
    if found.cycle is not None:
        assert found.cycle_margin == min(margin[pair] for pair in pairwise(found.cycle)) > 0


@given(contests())
def test_the_least_to_turn_by_all_linear_orders(G: nx.DiGraph) -> None:
    found, margin = po.cyclicity(G), margins_of(G)
    check_found(found, margin)
    assert found.lower == found.upper == oracles.least_upward_margin(margin, list(G))
    assert found.cycle_margin == oracles.heaviest_least_margin(margin)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("porank.orders.cyclicity.EXACT_ITEMS", 0)
        patch.setattr("porank.orders.cycles.EXACT_ITEMS", 0)
        bounds = po.cyclicity(G)
    check_found(bounds, margin)
    assert bounds.lower <= found.upper <= bounds.upper
    assert not found.upper or bounds.lower > 0


def test_the_heaviest_cycle_is_shown_and_not_the_first() -> None:
    G = nx.DiGraph()
    weights = {"ab": 1, "bc": 5, "ca": 5, "de": 3, "ef": 4, "fd": 3}
    G.add_edges_from((pair[0], pair[1], {"support": n}) for pair, n in weights.items())
    found = po.cyclicity(G)
    assert (found.cycle, found.cycle_margin, found.upper) == (tuple("defd"), 3, 4)


def test_nothing_is_turned_of_nothing() -> None:
    for G in (nx.DiGraph(), po.antichain(2), nx.DiGraph([("a", "a")])):
        found = po.cyclicity(G)
        assert (found.lower, found.upper, found.total, found.cycle) == (0, 0, 0, None)


def test_large_components_have_two_ends() -> None:
    """A random tournament of 60 beside a cycle of three, which is solved exactly."""
    rng = np.random.default_rng(1)
    pairs = [(u, v) if rng.random() < 0.5 else (v, u) for u, v in combinations(range(60), 2)]
    found = po.cyclicity(nx.DiGraph([*pairs, *["ab", "bc", "ca"]]))
    assert found.lower in (1, 2)
    assert not found.is_exact
    assert found.upper < 0.5 * found.total
    assert "to reverse, at least" in str(found)


def test_bad_weights_are_named() -> None:
    for weight in (None, -1, float("nan"), "heavy", 1j, float("inf"), 10**400):
        G = nx.DiGraph([("a", "b", {"w": 1}), ("b", "a", {} if weight is None else {"w": weight})])
        found = "none" if weight is None else str(weight)[:3]
        refuses(f"number >= 0 as 'w'.*found '?{found}.*'b' -> 'a'", po.break_cycles, G, weight="w")
    nx.set_edge_attributes(G, 1e308, "w")
    refuses("weights with a finite sum", po.break_cycles, G, weight="w")


def test_bad_input_is_refused_in_words() -> None:
    refuses("equals a strongly", po.condense, nx.DiGraph(["ab", "ba", (frozenset("ab"), "c")]))
