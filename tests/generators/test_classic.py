"""Chains, antichains and lattices, against their definitions and the numbers of the textbooks."""

from collections.abc import Callable
from itertools import product
from typing import Any

import networkx as nx

import porank as po
from tests.support.oracles import reduction
from tests.support.refusals import refuses


def assert_as_defined(
    G: nx.DiGraph, items: list[Any], is_above: Callable[[Any, Any], bool]
) -> None:
    assert list(G) == items
    above = ((u, v) for u, v in product(items, items) if u != v and is_above(u, v))
    assert set(G.edges) == reduction(above)


def test_classic_orders_are_those_of_their_definitions() -> None:
    for n in range(5):
        assert_as_defined(po.chain(n), list(range(n)), lambda u, v: u < v)
        assert_as_defined(po.antichain(n), list(range(n)), lambda _u, _v: False)
        G = po.boolean_lattice(n)
        assert_as_defined(G, list(G), lambda u, v: u > v)
        assert len(G) == 2**n
        assert all(type(item) is frozenset for item in G)
        assert next(iter(G)) == frozenset(range(n))
        assert [len(item) for item in G] == sorted(map(len, G), reverse=True)
    for n in (*range(1, 13), 30, 60, 97, 360, 1001):
        divisors = [d for d in range(n, 0, -1) if n % d == 0]
        assert_as_defined(po.divisor_lattice(n), divisors, lambda u, v: u % v == 0)
    assert list(po.divisor_lattice(10**9 + 7).edges) == [(10**9 + 7, 1)]
    assert po.divisor_lattice(2**100).number_of_edges() == 100


def test_examples_have_the_pairs_of_the_table() -> None:
    table1 = {("A", "C"), ("A", "D"), ("A", "E"), ("C", "D"), ("B", "D")}
    for name, more in (("table1", set()), ("table1-corrected", {("B", "E")})):
        target, predicted = po.load_example(name)
        assert list(target) == list(predicted) == list("ABCDE")
        assert set(target.edges) == table1 | more
        assert set(map("".join, predicted.edges)) == {"CA", "CB", "CD", "AE", "BE", "DE"}
    for _ in range(2):
        target, predicted = po.load_example("tutorial")
        assert list(nx.topological_sort(target)) == list("EBCAD")
        assert list(nx.topological_sort(predicted)) == list("ABECD")
        target.clear()
    *customers, agreed = po.load_example("vehicles")
    assert {frozenset(G) for G in customers} == {frozenset(["SUVs", "cars", "vans", "trucks"])}
    assert all(map(po.is_total_order, customers))
    assert po.intersection(*customers).edges == agreed.edges


def test_the_smallest_order_with_a_property() -> None:
    assert po.is_isomorphic(
        po.find_order(4, lambda G: not po.is_series_parallel(G)), po.parse("a > c; b > c; b > d")
    )
    assert po.find_order(3, lambda G: not po.is_series_parallel(G)) is None
    found = po.find_order(9, lambda G: po.width(G) > 1 and po.height(G) > 1)
    assert found is not None
    assert (len(found), found.number_of_edges()) == (3, 1), "the fewest, both of them"
    seen: list[nx.DiGraph] = []
    assert po.find_order(4, seen.append) is None
    refuses("a function of an order as where, found 'is_lattice'", po.find_order, 3, "is_lattice")
    assert [sum(len(G) == n for G in seen) for n in range(6)] == [1, 1, 2, 5, 16, 0]
    refuses("whole number of at least 0 as n", po.all_orders, -1, labelled=False)
