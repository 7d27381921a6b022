"""Chains, antichains and lattices, against their definitions and the numbers of the textbooks."""

from __future__ import annotations

from itertools import product
from typing import Any

import networkx as nx
import pytest

from porank.generators.classic import (
    antichain,
    boolean_lattice,
    chain,
    divisor_lattice,
    load_example,
)


def covers(items: Any, above: Any) -> set[tuple[Any, Any]]:
    G = nx.DiGraph()
    G.add_nodes_from(items)
    G.add_edges_from((u, v) for u, v in product(G, G) if u != v and above(u, v))
    return set(nx.transitive_reduction(G).edges)


@pytest.mark.parametrize("n", range(5))
def test_chains_and_antichains(n: int) -> None:
    assert list(chain(n)) == list(antichain(n)) == list(range(n))
    assert set(chain(n).edges) == covers(range(n), lambda u, v: u < v)
    assert list(antichain(n).edges) == []


@pytest.mark.parametrize("n", range(6))
def test_boolean_lattices(n: int) -> None:
    G = boolean_lattice(n)
    assert set(G.edges) == covers(G, lambda u, v: u > v)
    assert len(G) == 2**n
    assert next(iter(G)) == frozenset(range(n))
    assert all(isinstance(item, frozenset) for item in G)
    assert [len(item) for item in G] == sorted(map(len, G), reverse=True)


@pytest.mark.parametrize("n", [*range(1, 13), 30, 60, 97, 360, 1001])
def test_divisor_lattices(n: int) -> None:
    G = divisor_lattice(n)
    assert list(G) == [d for d in range(n, 0, -1) if n % d == 0]
    assert set(G.edges) == covers(G, lambda u, v: u % v == 0)


def test_a_large_prime_and_a_large_power() -> None:
    assert list(divisor_lattice(10**9 + 7).edges) == [(10**9 + 7, 1)]
    assert divisor_lattice(2**100).number_of_edges() == 100


TABLE_1 = {("A", "C"), ("A", "D"), ("A", "E"), ("C", "D"), ("B", "D")}
TABLE_1_PREDICTED = {("C", "A"), ("C", "B"), ("C", "D"), ("A", "E"), ("B", "E"), ("D", "E")}


@pytest.mark.parametrize(("name", "more"), [("table1", set()), ("table1-corrected", {("B", "E")})])
def test_table_1(name: str, more: set[tuple[str, str]]) -> None:
    target, predicted = load_example(name)
    assert list(target) == list(predicted) == list("ABCDE")
    assert set(target.edges) == TABLE_1 | more
    assert set(predicted.edges) == TABLE_1_PREDICTED


def test_the_tutorial() -> None:
    target, predicted = load_example("tutorial")
    assert list(nx.topological_sort(target)) == list("EBCAD")
    assert list(nx.topological_sort(predicted)) == list("ABECD")


def test_the_vehicles_end_with_what_the_customers_agree_on() -> None:
    *customers, agreed = load_example("vehicles")
    assert {frozenset(G) for G in customers} == {frozenset(["SUVs", "cars", "vans", "trucks"])}
    assert all(len(nx.transitive_closure(G).edges) == 6 for G in customers)
    common = set.intersection(*(set(nx.transitive_closure(G).edges) for G in customers))
    assert set(nx.transitive_closure(agreed).edges) == common


def test_each_call_makes_graphs_of_its_own() -> None:
    load_example("tutorial")[0].clear()
    assert len(load_example("tutorial")[0]) == 5
