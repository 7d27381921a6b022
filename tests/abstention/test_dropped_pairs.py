"""Pairs that contradict stronger ones, held against their definition."""

from __future__ import annotations

import pickle
from fractions import Fraction
from itertools import pairwise
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from tests import oracles_abstention as oracles
from tests.oracles import closure
from tests.strategies import orders

HALF = Fraction(1, 2)


@st.composite
def relations(draw: st.DrawFn) -> po.PreferenceRelation:
    """A relation of few different degrees, so that many of them are equal and contradict others."""
    n = draw(st.integers(0, 6))
    degrees: dict[tuple[Any, Any], Fraction] = {}
    for u in range(n):
        for v in range(u):
            share = Fraction(draw(st.integers(0, 8)), 8)
            degrees |= {(u, v): share, (v, u): 1 - share}
    return po.PreferenceRelation.from_degrees(degrees, draw(st.permutations(range(n))))


@given(relations(), st.integers(1, 8).map(lambda eighths: Fraction(eighths, 8)))
def test_as_defined(P: po.PreferenceRelation, alpha: Fraction) -> None:
    shares = P.degrees()
    kept, left_out = oracles.dropped(shares, alpha)
    order = po.predict_order(P, alpha=alpha, impossible="drop")
    assert set(order.edges) == closure(kept)
    assert {pair for pair in order.edges if not order.edges[pair]["added"]} == kept
    told = order.graph["dropped"]
    assert {(pair.preferred, pair.other): pair.degree for pair in told} == {
        pair: shares[pair] for pair in left_out
    }
    degrees = [pair.degree for pair in told]
    assert degrees == sorted(degrees, reverse=True)
    for u, v, degree, cycle in told:
        assert cycle[:2] == [u, v]
        assert cycle[-1] == u
        for pair in pairwise(cycle):
            assert (pair in kept and shares[pair] > degree) or shares[pair] == degree


@given(relations(), orders(max_items=6))
def test_a_settled_order_is_kept_first(P: po.PreferenceRelation, G: nx.DiGraph) -> None:
    name = dict(zip(G, P.items, strict=False))
    settled = nx.relabel_nodes(G.subgraph(name).copy(), name)
    shares, first = P.degrees(), set(po.transitive_closure(settled).edges)
    least = min([share for share in shares.values() if share > HALF], default=Fraction(1))
    kept, left_out = oracles.dropped(shares, least, first)
    order = po.predict_order(P, impossible="drop", settled=settled)
    assert set(order.edges) == closure(kept)
    assert all(data["degree"] == shares[u, v] for u, v, data in order.edges(data=True))
    assert {pair for pair in order.edges if not order.edges[pair]["added"]} == kept
    assert {pair[:2] for pair in order.graph["dropped"]} == left_out
    for u, v, _, cycle in order.graph["dropped"]:
        assert (cycle[:2], cycle[-1]) == ([u, v], u)


@given(relations())
def test_curve_is_all_predictions(P: po.PreferenceRelation) -> None:
    items = range(len(P.items))
    target = po.from_ranking(items)
    plain, curve = (po.abstention_curve(P, target, impossible=how) for how in ("raise", "drop"))
    lowest = min([point.alpha for point in curve if point.has_order], default=Fraction(1))
    assert lowest > HALF or lowest == plain.alpha
    before: set[Any] = set()
    for point in reversed(curve):
        if not point.has_order:
            assert point.alpha < lowest
            continue
        order = curve.order(point.alpha)
        kept, left_out = oracles.dropped(P.degrees(), point.alpha)
        assert set(order.edges) == closure(kept) >= before
        assert (point.pairs, point.dropped) == (len(order.edges), len(left_out))
        assert point.added == len(set(order.edges) - kept)
        assert point.correctness == pytest.approx(po.correctness(target, order), nan_ok=True)
        assert point.completeness == pytest.approx(po.completeness(target, order), nan_ok=True)
        before = set(order.edges)
    both = ([str(point) for point in each if point.is_acyclic] for each in (plain, curve))
    assert next(both) == next(both)
    assert (plain.alpha, plain.impossible, curve.impossible) == (curve.alpha, "raise", "drop")


def test_equal_pairs_go_together_and_weaker_ones_may_stay() -> None:
    """By hand: a > b > c > a at 3/4 fall together, c > d at 5/8 stays, d > a at 5/8 as well."""
    degrees = {"ab": "3/4", "bc": "3/4", "ca": "3/4", "cd": "5/8", "da": "5/8"}
    shares = {tuple(pair): Fraction(share) for pair, share in degrees.items()}
    P = po.PreferenceRelation.from_degrees(shares)
    order = po.predict_order(P, impossible="drop")
    assert sorted(order.edges) == [("c", "a"), ("c", "d"), ("d", "a")]
    assert order.edges["c", "a"] == {"degree": Fraction(3, 4), "added": True}
    assert [pair.cycle for pair in order.graph["dropped"]] == [
        ["a", "b", "c", "a"],
        ["b", "c", "a", "b"],
        ["c", "a", "b", "c"],
    ]
    assert order.graph["alpha"] == order.graph["least_degree"] == Fraction(5, 8)
    assert "a > b > c > a" in str(order.graph["dropped"])
    assert len(pickle.loads(pickle.dumps(order)).graph["dropped"]) == 3


def test_certain_pairs_on_a_cycle_leave_an_order() -> None:
    P = po.PreferenceRelation.from_degrees(dict.fromkeys([("a", "b"), ("b", "c"), ("c", "a")], 1))
    assert not po.predict_order(P, impossible="drop").edges
    curve = po.abstention_curve(P, impossible="drop")
    assert [(point.alpha, point.dropped) for point in curve] == [(Fraction(1), 3)]
    assert curve.alpha is None
