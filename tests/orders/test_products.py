"""Sums and products of orders against their definitions."""

from itertools import combinations, permutations, product
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from tests.support import oracles
from tests.support.refusals import refuses
from tests.support.strategies import order_pairs, orders


def require(H: nx.DiGraph, items: list[Any], above: Any, tied: Any) -> None:
    """Check a result: its items, its reduction, and its ties."""
    assert list(H) == items
    said = {(u, v) for u, v in permutations(items, 2) if above(u, v)}
    assert set(H.edges) == oracles.reduction(said)
    ties = {frozenset(p) for p in combinations(items, 2) if tied(*p)}
    assert oracles.tied_pairs(H) == ties
    assert {x for x, tie in H.nodes(data="tie") if tie is not None} == {x for p in ties for x in p}


@given(order_pairs(max_items=4), orders(max_items=3))
def test_sums_by_definition(pair: tuple[nx.DiGraph, nx.DiGraph], last: nx.DiGraph) -> None:
    parts = [*pair, last]
    items = [(k, x) for k, G in enumerate(parts, 1) for x in G]
    said = [oracles.closure(G.edges) for G in parts]
    ties = [oracles.tied_pairs(G) for G in parts]

    def within(u: Any, v: Any) -> bool:
        return u[0] == v[0] and (u[1], v[1]) in said[u[0] - 1]

    def tied(u: Any, v: Any) -> bool:
        return u[0] == v[0] and {u[1], v[1]} in ties[u[0] - 1]

    require(po.disjoint_sum(*parts, pairs=True), items, within, tied)
    require(
        po.ordinal_sum(*parts, pairs=True), items, lambda u, v: u[0] < v[0] or within(u, v), tied
    )


def test_sums_keep_the_names_of_items_that_differ() -> None:
    assert list(po.disjoint_sum({"a": 1}, po.parse("b > c"))) == ["a", "b", "c"]
    with pytest.raises(po.PorankError, match="found 0, 1 in several; pairs=True"):
        po.ordinal_sum(po.parse("x"), po.chain(2), po.chain(3))


def at_least(G: nx.DiGraph, u: Any, v: Any) -> bool:
    return u == v or (u, v) in oracles.closure(G.edges) or {u, v} in oracles.tied_pairs(G)


@given(order_pairs(max_items=3), orders(max_items=2))
def test_products_by_definition(pair: tuple[nx.DiGraph, nx.DiGraph], last: nx.DiGraph) -> None:
    parts = [*pair, last]

    def all_least(u: Any, v: Any) -> bool:
        return all(at_least(*each) for each in zip(parts, u, v, strict=True))

    require(
        po.product(*parts),
        list(product(*parts)),
        lambda u, v: all_least(u, v) and not all_least(v, u),
        lambda u, v: all_least(u, v) and all_least(v, u),
    )


def test_boolean_and_divisor_lattices_are_products_of_chains() -> None:
    assert po.is_isomorphic(po.product(*[po.chain(2)] * 4), po.boolean_lattice(4))
    # 360 = 2^3 3^2 5
    chains = [po.chain(4), po.chain(3), po.chain(2)]
    assert po.is_isomorphic(po.product(*chains), po.divisor_lattice(360))


@given(order_pairs(max_items=4), st.data())
def test_first_one_order_and_then_the_other(
    pair: tuple[nx.DiGraph, nx.DiGraph], data: st.DataObject
) -> None:
    first, second = pair
    said = [oracles.closure(G.edges) for G in pair]
    equal, too = oracles.tied_pairs(first), oracles.tied_pairs(second)
    require(
        po.lexicographic(first, second),
        list(first),
        lambda u, v: (u, v) in said[0] or ({u, v} in equal and (u, v) in said[1]),
        lambda u, v: {u, v} in equal & too,
    )
    scores = [{x: data.draw(st.integers(0, 2)) for x in first} for _ in range(3)]
    tuples = {x: [each[x] for each in scores] for x in first}
    require(
        po.lexicographic(*scores),
        list(first),
        lambda u, v: tuples[u] > tuples[v],
        lambda u, v: tuples[u] == tuples[v],
    )


def test_too_large_results_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("porank.core.graphs.MAX_BYTES", 1000)
    for combine in (po.product, po.ordinal_sum):
        refuses("combine smaller orders", combine, po.antichain(40), {"x": 1, "y": 2})


def test_a_list_of_orders_is_to_be_unpacked() -> None:
    orders: Any = [po.from_ranking("ab")] * 2
    refuses(r"found a list; use product\(\*orders\)", po.product, orders)
