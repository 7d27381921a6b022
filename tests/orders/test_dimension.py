"""Orders of dimension at most 2: by brute force, by the orders that are known, and the witness."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations
from typing import Any

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from tests.strategies import SMALL_ORDERS, reinserted


def is_two_dimensional(G: nx.DiGraph) -> bool:
    """Try all rankings that keep the order: the other one must turn all that is incomparable."""
    above = set(po.transitive_closure(G).edges)
    for ranking in po.linear_extensions(G):
        before = combinations(ranking, 2)
        other = above | {(v, u) for u, v in before if (u, v) not in above}
        if all((u, w) in other for u, v in other for x, w in other if v == x):
            return True
    return False


def require_right(G: nx.DiGraph) -> bool:
    """Compare all three functions with brute force, and each proof with what it proves."""
    expected = is_two_dimensional(G)
    realizer, chain = po.find_realizer(G), po.find_forced_contradiction(G)
    assert po.is_two_dimensional(G) is expected
    assert (realizer is None, chain is None) == (not expected, expected)
    closed = po.transitive_closure(G)
    if realizer is not None:
        both = po.intersection(*map(po.from_ranking, realizer))
        assert set(po.transitive_closure(both).edges) == set(closed.edges)
    if chain is not None:
        require_chain(closed, chain)
    return expected


def require_chain(closed: nx.DiGraph, chain: list[tuple[Any, Any]]) -> None:
    """Each pair is incomparable and forces the next, and the last is the first turned round."""

    def is_comparable(u: Any, v: Any) -> bool:
        return bool(closed.has_edge(u, v) or closed.has_edge(v, u))

    assert chain[-1] == chain[0][::-1]
    assert not any(is_comparable(*pair) for pair in chain)
    for (a, b), (c, d) in pairwise(chain):
        assert (a == c and is_comparable(b, d)) or (b == d and is_comparable(a, c))


def test_small_orders_have_two_dimensions_and_standard_examples_more() -> None:
    assert all(map(require_right, SMALL_ORDERS))
    for n in (3, 4):
        # S_n: a_i is above b_j for all i != j.
        assert not require_right(
            nx.DiGraph((("a", i), ("b", j)) for i, j in permutations(range(n), 2))
        )


@given(st.integers(0, 2**32), st.integers(1, 3))
def test_random_orders(seed: int, dimension: int) -> None:
    assert require_right(po.random_order(7, dimension=dimension, seed=seed)) or dimension == 3


def test_neither_the_sequence_of_items_nor_of_edges_matters() -> None:
    G = po.random_order(30, dimension=2, seed=1)
    assert po.find_realizer(G) == po.find_realizer(reinserted(G))
