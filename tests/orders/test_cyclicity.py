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
from porank.results import Cyclicity
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
    assert found.lower == found.upper == oracles_why.least_upward_margin(margin, list(G))
    assert found.cycle_margin == oracles_why.heaviest_least_margin(margin)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("porank.orders.cyclicity.EXACT_ITEMS", 0)
        patch.setattr("porank.orders.cycles.EXACT_ITEMS", 0)
        bounds = po.cyclicity(G)
    check_found(bounds, margin)
    assert bounds.lower <= found.upper <= bounds.upper
    assert not found.upper or bounds.lower > 0


@given(contests(max_items=7))
def test_scores_by_least_squares(G: nx.DiGraph) -> None:
    """The shortest solution is that whose mean is 0 in each connected part."""
    found, items = po.cyclicity(G), list(G)
    sides = {
        frozenset((u, v)): (
            u,
            v,
            data["support"] - data["against"],
            data["support"] + data["against"],
        )
        for u, v, data in G.edges(data=True)
        if data["support"] or data["against"]
    }
    rows = [(u, v, float(margin / n), float(n) ** 0.5) for u, v, margin, n in sides.values()]
    design = np.array([[root * ((x == u) - (x == v)) for x in items] for u, v, _, root in rows])
    design = design.reshape(len(rows), len(items))
    wanted = np.array([mean * root for _, _, mean, root in rows])
    fit = np.linalg.lstsq(design, wanted, rcond=None)[0]
    scores = [fit[items.index(item)] for item in found.scores]
    assert list(found.scores.values()) == pytest.approx(scores, abs=1e-8)
    every, left = wanted**2, (wanted - design @ fit) ** 2
    assert found.explained == pytest.approx(share_of(every, left), abs=1e-9, nan_ok=True)
    parts = []
    for part in nx.connected_components(nx.Graph([row[:2] for row in rows])):
        inside = [k for k, (u, *_) in enumerate(rows) if u in part]
        parts.append((len(part), share_of(every[inside], left[inside])))
    assert [size for size, _ in found.parts] == sorted((size for size, _ in parts), reverse=True)
    for got, share in zip(sorted(found.parts, key=str), sorted(parts, key=str), strict=True):
        assert got == pytest.approx(share, abs=1e-8, nan_ok=True)


def share_of(every: Any, left: Any) -> float:
    """Return the share explained, to as many digits as porank gives."""
    if not every.any():
        return math.nan
    return round(min(max(1 - float(left.sum() / every.sum()), 0.0), 1.0), 12)


@given(contests(), st.randoms())
@settings(max_examples=15)
def test_neither_names_nor_scale_matter(G: nx.DiGraph, random: Any) -> None:
    names = dict(zip(G, random.sample(range(len(G)), len(G)), strict=True))
    H = nx.relabel_nodes(G, names)
    for *_, data in H.edges(data=True):
        data["support"], data["against"] = 3 * data["support"], 3 * data["against"]
    found, other = po.cyclicity(G), po.cyclicity(H)
    assert (other.upper, other.cycle_margin) == (3 * found.upper, 3 * found.cycle_margin)
    assert other.explained == pytest.approx(found.explained, abs=1e-9, nan_ok=True)


def test_the_heaviest_cycle_is_shown_and_not_the_first() -> None:
    G = nx.DiGraph()
    weights = {"ab": 1, "bc": 5, "ca": 5, "de": 3, "ef": 4, "fd": 3}
    G.add_edges_from((pair[0], pair[1], {"support": n}) for pair, n in weights.items())
    found = po.cyclicity(G)
    assert (found.cycle, found.cycle_margin, found.upper) == (tuple("defd"), 3, 4)


def test_nothing_is_explained_of_nothing() -> None:
    for G in (nx.DiGraph(), po.antichain(2), nx.DiGraph([("a", "a")])):
        found = po.cyclicity(G)
        assert (found.lower, found.upper, found.total, found.cycle) == (0, 0, 0, None)
        assert math.isnan(found.explained)
    assert po.cyclicity({"a": 2, "b": 1}).explained == 1
    parts = po.cyclicity(po.parse("d > e > f > d; a > b; x")).parts
    assert parts == ((3, 0.0), (2, 1.0)), "the largest first"


def test_large_components_have_two_ends() -> None:
    """A random tournament of 60 beside a cycle of three, which is solved exactly."""
    rng = np.random.default_rng(1)
    pairs = [(u, v) if rng.random() < 0.5 else (v, u) for u, v in combinations(range(60), 2)]
    found = po.cyclicity(nx.DiGraph([*pairs, *["ab", "bc", "ca"]]))
    assert found.lower in (1, 2)
    assert not found.is_exact
    assert found.upper < 0.5 * found.total
    assert "to turn, at least" in str(found)
