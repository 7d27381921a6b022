"""Why one item is preferred to another: chains that share nothing, and the least evidence."""

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
from porank.orders.why import Explanation
from tests.support import oracles
from tests.support.refusals import refuses
from tests.support.strategies import graphs, reinserted


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
    return [po.why(G, u, v, **options) for u, v in permutations(G, 2) if (u, v) in pairs]


@given(evidence())
@settings(max_examples=12)
def test_the_least_evidence_by_definition(G: nx.DiGraph) -> None:
    ways: list[tuple[Any, Any]] = [("support", lambda u, v: G.edges[u, v]["support"])]
    for weight, weigh in [*ways, (None, lambda *_: 1)]:
        for found in explained(G, weight=weight):
            least = oracles.least_evidence(G, found.preferred, found.other, weigh)
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
        assert po.why(reinserted(G), found.preferred, found.other, weight="support") == found


def test_large_ones_as_networkx_does() -> None:
    G = po.random_order(40, edge_probability=0.3, seed=3)
    for place, (_, _, data) in enumerate(G.edges(data=True)):
        data["support"] = place % 17
    pairs = [(u, v) for u, v in permutations(sorted(G, key=item_key), 2) if po.prefers(G, u, v)]
    for u, v in pairs[::97]:
        assert po.why(G, u, v).evidence == nx.maximum_flow_value(G, u, v, capacity="support")


def chains(G: Any, u: str, v: str) -> list[Any]:
    return [chain for _, chain in po.why(G, u, v).chains]


def test_as_many_disjoint_chains_as_possible_carry_a_pair() -> None:
    G = po.parse("s > p > q > t; s > a > b > q; p > c > d > t")
    assert chains(G, "s", "t") == [tuple("sabqt"), tuple("spcdt")], "the shortest is given up"
    assert chains({"a": 3, "b": 2, "c": 2, "d": 1}, "a", "d") == [tuple("abd"), tuple("acd")]
    votes = [po.from_ranking(vote) for vote in ("bca", "cab", "bca", "abc", "cab", "abc", "cab")]
    G = po.predict_order(po.preference_relation(votes))
    assert G.edges["c", "b"]["added"]
    assert chains(G, "c", "b") == [("c", "a", "b")], "what the closure added does not carry"
    assert po.why(G, "c", "b").weight == "margin"
    found = po.why(nx.DiGraph([("a", "b", {"support": 0})]), "a", "b")
    assert (found.evidence, found.chains, found.cut) == (0, (), (("a", "b", 0),))


@given(evidence())
def test_a_cover_hangs_by_its_own_edge(G: nx.DiGraph) -> None:
    G.remove_edges_from([(u, v) for u, v, added in G.edges(data="added") if added])
    H, _ = po.break_cycles(G)
    found = po.weakest(H, 100, weight="support")
    assert {(u, v) for u, v, _ in found} == set(po.transitive_reduction(H).edges)
    assert [amount for *_, amount in found] == sorted(amount for *_, amount in found)
    for u, v, amount in found:
        assert po.why(H, u, v, weight="support").evidence == amount
    assert po.weakest(H, 1, weight="support") == found[:1]
    assert po.weakest({"a": 2, "b": 1}) == [("a", "b", 1)]


def test_bad_questions_are_refused_in_words() -> None:
    ABC, BAD = po.from_ranking("abc"), nx.DiGraph([("a", "b", {"support": -1})])
    refuses("swap the two items", po.why, ABC, "b", "a")
    refuses("incomparable", po.why, nx.DiGraph(["ab", "ac"]), "b", "c")
    refuses("found 'a' twice", po.why, ABC, "a", "a")
    refuses("found 'z'", po.why, ABC, "a", "z")
    refuses("'support' of every edge, found -1", po.why, BAD, "a", "b")
    refuses("marked as added", po.why, nx.DiGraph([("a", "b", {"added": True})]), "a", "b")
    refuses("'votes' of every edge, found none", po.weakest, BAD, weight="votes")
