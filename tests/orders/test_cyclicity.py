"""How cyclic preferences are, and how much of them scores explain."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import porank as po
from porank.errors import PorankError
from porank.orders import cyclicity as module
from porank.orders.cyclicity import cyclicity
from tests import oracles_why
from tests.strategies import item_lists


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


def check_found(found: po.Cyclicity, margin: dict[Any, Any]) -> None:
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
    found, margin = cyclicity(G), margins_of(G)
    check_found(found, margin)
    assert found.lower == found.upper == oracles_why.least_upward_margin(margin, list(G))
    assert found.cycle_margin == oracles_why.heaviest_least_margin(margin)


@given(contests(max_items=9))
def test_both_bounds_hold_where_it_is_not_exact(G: nx.DiGraph) -> None:
    exact, margin = cyclicity(G), margins_of(G)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "EXACT_ITEMS", 0)
        patch.setattr("porank.orders.cycles.EXACT_ITEMS", 0)
        found = cyclicity(G)
        patch.setattr(module, "_MOST_STEPS", 0)
        hasty = cyclicity(G)
    check_found(found, margin)
    assert hasty.lower <= found.lower <= exact.upper <= found.upper
    assert not exact.upper or found.lower > 0


@given(contests(max_items=7))
def test_scores_by_least_squares(G: nx.DiGraph) -> None:
    found = cyclicity(G)
    items = list(G)
    pairs = [
        (u, v, data["support"], data["against"])
        for u, v, data in G.edges(data=True)
        if not (G.has_edge(v, u) and items.index(v) < items.index(u))
        if data["support"] + data["against"]
    ]
    compared = nx.Graph([(u, v) for u, v, *_ in pairs])
    total = resid = 0.0
    shares = []
    for part in nx.connected_components(compared):
        members = list(part)
        mine = [pair for pair in pairs if pair[0] in part]
        design = np.zeros((len(mine), len(members)))
        wanted, sessions = np.zeros(len(mine)), np.zeros(len(mine))
        for row, (u, v, there, back) in enumerate(mine):
            design[row, members.index(u)], design[row, members.index(v)] = 1, -1
            sessions[row] = there + back
            wanted[row] = (there - back) / (there + back)
        root = np.sqrt(sessions)
        fit = np.linalg.lstsq(design * root[:, None], wanted * root, rcond=None)[0]
        left = float((sessions * (wanted - design @ fit) ** 2).sum())
        every = float((sessions * wanted**2).sum())
        shares.append((len(part), 1 - left / every if every else math.nan))
        total, resid = total + every, resid + left
        for item, score in zip(members, fit - fit.mean(), strict=True):
            assert found.scores[item] == pytest.approx(score, abs=1e-8)
    expected = 1 - resid / total if total else math.nan
    assert found.explained == pytest.approx(expected, abs=1e-9, nan_ok=True)

    def in_turn(parts: Any) -> list[tuple[int, float]]:
        return sorted(
            (size, -1.0 if math.isnan(share) else round(share, 9)) for size, share in parts
        )

    for got, wanted_part in zip(in_turn(found.parts), in_turn(shares), strict=True):
        assert got == pytest.approx(wanted_part, abs=1e-8)


@given(contests(), st.randoms())
@settings(max_examples=15)
def test_neither_names_nor_scale_matter(G: nx.DiGraph, random: Any) -> None:
    names = dict(zip(G, random.sample(range(len(G)), len(G)), strict=True))
    found, renamed = cyclicity(G), cyclicity(nx.relabel_nodes(G, names))
    for *_, data in G.edges(data=True):
        data["support"], data["against"] = 3 * data["support"], 3 * data["against"]
    scaled = cyclicity(G)
    assert renamed.upper * 3 == found.upper * 3 == scaled.upper
    assert renamed.cycle_margin * 3 == found.cycle_margin * 3 == scaled.cycle_margin
    for other in (renamed, scaled):
        assert other.explained == pytest.approx(found.explained, abs=1e-9, nan_ok=True)


def test_the_heaviest_cycle_is_shown_and_not_the_first() -> None:
    G = nx.DiGraph()
    weights = {"ab": 1, "bc": 5, "ca": 5, "de": 3, "ef": 4, "fd": 3}
    G.add_edges_from((pair[0], pair[1], {"support": n}) for pair, n in weights.items())
    found = cyclicity(G)
    assert (found.cycle, found.cycle_margin, found.upper) == (tuple("defd"), 3, 4)


def test_nothing_is_explained_of_nothing() -> None:
    for G in (nx.DiGraph(), po.antichain(2), nx.DiGraph([("a", "a")])):
        found = cyclicity(G)
        assert (found.lower, found.upper, found.total, found.cycle) == (0, 0, 0, None)
        assert math.isnan(found.explained)
    assert cyclicity({"a": 2, "b": 1}).explained == 1


def test_large_components_have_two_ends() -> None:
    """A random tournament of 60: what triangles need below, what a good arrangement drops above."""
    rng = np.random.default_rng(1)
    pairs = [(u, v) if rng.random() < 0.5 else (v, u) for u, v in combinations(range(60), 2)]
    found = cyclicity(nx.DiGraph(pairs))
    assert not found.is_exact
    assert 0.2 * found.total < found.lower < found.upper < 0.5 * found.total
    assert "to turn, at least" in str(found)


def test_weights_must_be_weights() -> None:
    G = nx.DiGraph()
    G.add_edge("a", "b", support=-1)
    with pytest.raises(PorankError, match="as 'support' of every edge, found -1"):
        cyclicity(G)
