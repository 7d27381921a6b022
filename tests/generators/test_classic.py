"""Chains, antichains and lattices, against their definitions and the numbers of the textbooks."""

from __future__ import annotations

from itertools import product
from typing import Any

import networkx as nx
import pytest

from porank.errors import PorankError
from porank.generators.classic import antichain, boolean_lattice, chain, divisor_lattice

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


def test_the_boolean_lattice_of_four() -> None:
    G = boolean_lattice(4)
    assert (len(G), G.number_of_edges()) == (16, 32)


@pytest.mark.parametrize("n", [*range(1, 61), 97, 360, 1001])
def test_divisor_lattices(n: int) -> None:
    G = divisor_lattice(n)
    assert list(G) == [d for d in range(n, 0, -1) if n % d == 0]
    assert set(G.edges) == covers(G, lambda u, v: u % v == 0)


def test_a_large_prime_and_a_large_power() -> None:
    assert list(divisor_lattice(10**9 + 7).edges) == [(10**9 + 7, 1)]
    assert divisor_lattice(2**100).number_of_edges() == 100


@pytest.mark.parametrize("constructor", CONSTRUCTORS)
@pytest.mark.parametrize("n", [-1, True, 2.0, "3", None])
def test_n_must_be_a_whole_number(constructor: Any, n: Any) -> None:
    with pytest.raises(PorankError, match=r"expected a whole number of at least [01] as n, found"):
        constructor(n)


def test_zero_has_no_lattice_of_divisors() -> None:
    with pytest.raises(PorankError, match="at least 1 as n, found 0"):
        divisor_lattice(0)


@pytest.mark.parametrize("n", [20, 63, 10**9])
def test_large_boolean_lattices_are_refused_at_once(n: int) -> None:
    with pytest.raises(PorankError, match="expected at most 10,000,000 edges to write, found"):
        boolean_lattice(n)
    with pytest.raises(PorankError, match="found 10,485,760; choose a smaller n"):
        boolean_lattice(20)


def test_large_chains_are_refused() -> None:
    with pytest.raises(PorankError, match="found 10,000,001; choose a smaller n"):
        chain(10**7 + 2)
