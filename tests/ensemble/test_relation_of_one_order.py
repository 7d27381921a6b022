"""The valued relation of a single order: mutual rank probabilities as degrees of preference."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings

import porank as po
from tests import oracles, oracles_positions
from tests.strategies import orders

N = po.parse("a > c; b > c; b > d")
METHODS: list[dict[str, Any]] = [
    {},
    {"exact": True},
    {"method": "sample", "samples": 7, "seed": 0},
    {"method": "approximate"},
]
methods = pytest.mark.parametrize("options", METHODS, ids=str)


def relation_of(G: Any, **options: Any) -> po.PreferenceRelation:
    return po.PreferenceRelation.from_degrees(po.mutual_rank_probabilities(G, **options))


@given(orders(max_items=6))
@settings(max_examples=25)
def test_degrees_are_shares_of_the_linear_extensions(G: nx.DiGraph) -> None:
    for exact in (False, True):
        P = relation_of(G, exact=exact)
        assert P.items == tuple(G)
        assert P.degrees() == oracles_positions.mutual_rank_probabilities(G)


@methods
def test_all_small_orders_have_all_their_items(options: dict[str, Any]) -> None:
    for G in (G for n in range(4) for G in oracles.strict_orders(n)):
        P = relation_of(G, **options)
        assert P.items == tuple(G)
        assert all(P.degree(u, v) + P.degree(v, u) == 1 for u in G for v in G if u != v)


@methods
@given(G=orders(max_items=6))
@settings(max_examples=15)
def test_what_the_order_says_is_certain_and_nothing_else(
    G: nx.DiGraph, options: dict[str, Any]
) -> None:
    """The cut at 1 is the closure, so that every acyclic cut is an order that refines it."""
    P = relation_of(G, **options)
    if options.get("method") != "sample":
        assert set(P.cut(1).edges) == oracles.closure(G.edges)
    predicted = po.transitive_closure(po.predict_order(P))
    assert oracles.closure(G.edges) <= set(predicted.edges)


@methods
def test_no_item_and_one(options: dict[str, Any]) -> None:
    empty, one = relation_of(nx.DiGraph(), **options), relation_of({"tea": 3}, **options)
    assert (empty.items, empty.degrees(), len(empty.cut(1))) == ((), {}, 0)
    assert (one.items, one.degrees(), list(po.predict_order(one))) == (("tea",), {}, ["tea"])


def test_cuts_of_the_n() -> None:
    P = relation_of(N)
    assert relation_of(N, method="exact") == P
    assert [P.degree(u, v) for u, v in ("ab", "ad", "dc", "ac")] == [
        Fraction(2, 5),
        Fraction(4, 5),
        Fraction(3, 5),
        1,
    ]
    assert sorted(P.cut(0.8).edges) == [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")]
    assert po.minimal_threshold(P) == Fraction(3, 5)
    assert list(nx.topological_sort(po.predict_order(P))) == ["b", "a", "d", "c"]
    assert po.format_order(po.predict_order(P, alpha=1)) == "a > c; b > c; b > d"


def test_items_may_be_named_in_another_sequence() -> None:
    found = po.mutual_rank_probabilities(N)
    assert found.all_items == tuple("acbd")
    P = po.PreferenceRelation.from_degrees(found, items="dcba")
    assert P.items == tuple("dcba")
    assert P.degrees() == relation_of(N).degrees()
    with pytest.raises(po.PorankError, match="found 'a'"):
        po.PreferenceRelation.from_degrees(found, items="bcd")


def test_ties_are_even() -> None:
    P = relation_of({"tea": 3, "coffee": 5, "water": 3})
    assert P.degree("tea", "water") == P.degree("water", "tea") == Fraction(1, 2)
    assert set(P.cut(0.6).edges) == {("coffee", "tea"), ("coffee", "water")}
