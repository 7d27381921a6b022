"""Chains, antichains and lattices, against their definitions and the numbers of the textbooks."""

from __future__ import annotations

from itertools import product
from typing import Any

import networkx as nx
import pytest

from porank.errors import PorankError
from porank.generators.classic import (
    antichain,
    boolean_lattice,
    chain,
    divisor_lattice,
    load_example,
)

CONSTRUCTORS = [chain, antichain, boolean_lattice, divisor_lattice]


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


@pytest.mark.parametrize("constructor", CONSTRUCTORS)
def test_n_must_be_a_whole_number(constructor: Any) -> None:
    for n in (-1, True, 2.0, "3", None, *[0] * (constructor is divisor_lattice)):
        with pytest.raises(PorankError, match=r"a whole number of at least [01] as n, found"):
            constructor(n)


def test_large_lattices_and_chains_are_refused_at_once() -> None:
    for n in (63, 10**9):
        with pytest.raises(PorankError, match="expected at most 10,000,000 edges to write, found"):
            boolean_lattice(n)
    with pytest.raises(PorankError, match="found 10,485,760; choose a smaller n"):
        boolean_lattice(20)
    with pytest.raises(PorankError, match="found 10,000,001; choose a smaller n"):
        chain(10**7 + 2)


TABLE_1 = {("A", "C"), ("A", "D"), ("A", "E"), ("C", "D"), ("B", "D")}
TABLE_1_PREDICTED = {("C", "A"), ("C", "B"), ("C", "D"), ("A", "E"), ("B", "E"), ("D", "E")}


def longest_paths(G: nx.DiGraph) -> dict[str, int]:
    """Return item -> the number of items on a longest path that ends in it."""
    ranks: dict[str, int] = {}
    for item in nx.topological_sort(G):
        ranks[item] = 1 + max((ranks[above] for above in G.predecessors(item)), default=0)
    return ranks


def test_table_1_as_printed() -> None:
    target, predicted = load_example("table1")
    assert list(target) == list(predicted) == list("ABCDE")
    assert set(target.edges) == TABLE_1
    assert set(predicted.edges) == TABLE_1_PREDICTED
    assert longest_paths(target) == {"A": 1, "B": 1, "C": 2, "D": 3, "E": 2}


def test_table_1_corrected() -> None:
    target, predicted = load_example("table1-corrected")
    assert set(target.edges) == TABLE_1 | {("B", "E")}
    assert set(predicted.edges) == TABLE_1_PREDICTED


def test_the_tutorial() -> None:
    target, predicted = load_example("tutorial")
    assert list(nx.topological_sort(target)) == list("EBCAD")
    assert list(nx.topological_sort(predicted)) == list("ABECD")
    ranks = longest_paths(target), longest_paths(predicted)
    assert [abs(ranks[0][item] - ranks[1][item]) for item in "ABCDE"] == [3, 0, 1, 0, 2]


def test_the_cyclic_votes() -> None:
    votes = load_example("cyclic-votes")
    closed = [nx.transitive_closure(vote) for vote in votes]
    for u, v in ("ab", "bc", "ca"):
        assert sum(G.has_edge(u, v) for G in closed) == 2
        assert sum(G.has_edge(v, u) for G in closed) == 1


def test_the_vehicles_end_with_what_the_customers_agree_on() -> None:
    *customers, agreed = load_example("vehicles")
    assert {frozenset(G) for G in customers} == {frozenset(["SUVs", "cars", "vans", "trucks"])}
    assert all(len(nx.transitive_closure(G).edges) == 6 for G in customers)
    common = set.intersection(*(set(nx.transitive_closure(G).edges) for G in customers))
    assert set(nx.transitive_closure(agreed).edges) == common


def test_each_call_makes_graphs_of_its_own() -> None:
    load_example("tutorial")[0].clear()
    assert len(load_example("tutorial")[0]) == 5


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(
        PorankError, match=r"one of 'table1', 'table1-corrected', .*'vehicles', found 'x'"
    ):
        load_example("x")
