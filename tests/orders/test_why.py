"""Why one item is preferred to another: chains that share nothing, and the least evidence."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import porank as po
from porank.core.graphs import item_key
from porank.errors import PorankError
from porank.orders.why import Explanation, weakest, why
from tests import oracles, oracles_why
from tests.strategies import graphs, reinserted


@st.composite
def evidence(draw: st.DrawFn, *, max_items: int = 5) -> nx.DiGraph:
    """A graph, cyclic or not, with support on its edges, some of them added and not stated."""
    G = draw(graphs(max_items=max_items))
    # Few edges, since an oracle drops every set of them.
    G.remove_edges_from(list(G.edges)[8:])
    for u, v in G.edges:
        G.edges[u, v]["support"] = draw(st.integers(0, 4) | st.just(Fraction(1, 3)))
        G.edges[u, v]["added"] = draw(st.integers(0, 5)) == 0
    return G


def explained(G: nx.DiGraph, **options: Any) -> list[Explanation]:
    """Explain each pair of which the stated edges say that one is preferred."""
    pairs = oracles.closure((x, y) for x, y, added in G.edges(data="added") if not added)
    return [why(G, u, v, **options) for u, v in permutations(G, 2) if (u, v) in pairs]


@given(evidence())
@settings(max_examples=12)
def test_the_least_evidence_by_definition(G: nx.DiGraph) -> None:
    for weight in ("support", None):
        for found in explained(G, weight=weight):

            def weigh(u: Any, v: Any, name: Any = weight) -> Any:
                return 1 if name is None else G.edges[u, v][name]

            least = oracles_why.least_evidence(G, found.preferred, found.other, weigh)
            assert found.evidence == pytest.approx(float(least), abs=1e-12)


@given(evidence(max_items=7))
def test_the_chains_prove_the_cut(G: nx.DiGraph) -> None:
    for found in explained(G, weight="support"):
        used: Counter[Any] = Counter()
        for amount, chain in found.chains:
            assert amount > 0
            assert (chain[0], chain[-1]) == (found.preferred, found.other)
            assert len(set(chain)) == len(chain)
            used.update(dict.fromkeys(pairwise(chain), Fraction(amount)))
        for edge, amount in used.items():
            assert not G.edges[edge]["added"]
            assert amount <= G.edges[edge]["support"]
        assert sum(amount for amount, _ in found.chains) == found.evidence
        assert sum(amount for *_, amount in found.cut) == found.evidence
        left = G.copy()
        left.remove_edges_from([(u, v) for u, v, _ in found.cut])
        left.remove_edges_from([(u, v) for u, v, added in G.edges(data="added") if added])
        assert not nx.has_path(left, found.preferred, found.other)


@given(evidence(max_items=6), st.randoms())
@settings(max_examples=20)
def test_neither_names_nor_scale_nor_insertion_matter(G: nx.DiGraph, random: Any) -> None:
    names = dict(zip(G, random.sample(range(len(G)), len(G)), strict=True))
    H = nx.relabel_nodes(G, names)
    moved = reinserted(G)
    doubled = G.copy()
    for *_, data in doubled.edges(data=True):
        data["support"] *= 2
    for found in explained(G, weight="support"):
        u, v = found.preferred, found.other
        assert why(H, names[u], names[v], weight="support").evidence == found.evidence
        assert why(moved, u, v, weight="support") == found
        assert why(doubled, u, v, weight="support").evidence == 2 * found.evidence


def test_large_ones_as_networkx_does() -> None:
    G = po.random_order(40, edge_probability=0.3, seed=3)
    for place, (_, _, data) in enumerate(G.edges(data=True)):
        data["support"] = place % 17
    items = sorted(G, key=item_key)
    pairs = [(u, v) for u in items for v in items if u != v and po.prefers(G, u, v)][::97]
    assert pairs
    for u, v in pairs:
        assert why(G, u, v).evidence == nx.maximum_flow_value(G, u, v, capacity="support")


def test_a_shortest_chain_may_have_to_be_given_up() -> None:
    G = po.parse("s > p > q > t; s > a > b > q; p > c > d > t")
    found = why(G, "s", "t")
    assert [chain for _, chain in found.chains] == [tuple("sabqt"), tuple("spcdt")]


def test_what_the_closure_added_does_not_carry() -> None:
    votes = [po.from_ranking(vote) for vote in ("bca", "cab", "bca", "abc", "cab", "abc", "cab")]
    G = po.predict_order(po.preference_relation(votes))
    assert G.edges["c", "b"]["added"]
    found = why(G, "c", "b")
    assert [chain for _, chain in found.chains] == [("c", "a", "b")]
    assert found.weight == "margin"
    lonely = nx.DiGraph()
    lonely.add_edge("a", "b", added=True)
    with pytest.raises(PorankError, match="found only edges that are marked as added"):
        why(lonely, "a", "b")


def test_edges_of_no_weight_are_cut_too() -> None:
    G = nx.DiGraph()
    G.add_edge("a", "b", support=0)
    found = why(G, "a", "b")
    assert (found.evidence, found.chains, found.cut) == (0, (), (("a", "b", 0),))


def test_scores_are_explained_by_their_levels() -> None:
    found = why({"a": 3, "b": 2, "c": 2, "d": 1}, "a", "d")
    assert [chain for _, chain in found.chains] == [tuple("abd"), tuple("acd")]
    assert weakest({"a": 2, "b": 1}) == [("a", "b", 1)]
    assert weakest({}) == []


@given(evidence())
def test_a_cover_hangs_by_its_own_edge(G: nx.DiGraph) -> None:
    G.remove_edges_from([(u, v) for u, v, added in G.edges(data="added") if added])
    H, _ = po.break_cycles(G)
    found = weakest(H, 100, weight="support")
    assert {(u, v) for u, v, _ in found} == set(po.transitive_reduction(H).edges)
    assert [amount for *_, amount in found] == sorted(amount for *_, amount in found)
    for u, v, amount in found:
        assert why(H, u, v, weight="support").evidence == amount
    assert weakest(H, 1, weight="support") == found[:1]
