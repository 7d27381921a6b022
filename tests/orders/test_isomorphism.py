"""Isomorphisms against all ways to rename the items."""

from itertools import permutations
from math import factorial

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from tests.support import oracles
from tests.support.strategies import order_pairs, orders, shapes_of


def isomorphisms(G: nx.DiGraph, H: nx.DiGraph) -> list[dict[object, object]]:
    """Every mapping of the items that makes one closure the other."""
    said, wanted = oracles.closure(G.edges), oracles.closure(H.edges)
    renamings = (dict(zip(G, line, strict=True)) for line in permutations(H) if len(G) == len(H))
    return [f for f in renamings if {(f[u], f[v]) for u, v in said} == wanted]


@given(order_pairs(max_items=5), orders(max_items=5), st.randoms(use_true_random=False))
def test_isomorphisms_by_definition(
    pair: tuple[nx.DiGraph, nx.DiGraph], other: nx.DiGraph, random: st.DataObject
) -> None:
    G, names = pair[0], list(pair[0])
    random.shuffle(names)  # type: ignore[attr-defined]
    renamed = nx.relabel_nodes(po.transitive_closure(G), dict(zip(G, names, strict=True)))
    for H in (*pair, other, renamed):
        found, known = po.find_isomorphism(G, H), isomorphisms(G, H)
        assert (found in known) if known else found is None
        assert po.is_isomorphic(G, H) is bool(known)


@pytest.mark.slow
def test_each_order_has_one_of_the_shapes() -> None:
    """OEIS A000112; n! / symmetries orders of each shape are A001035 in all."""
    numbers, labelled = [], []
    for n in range(7):
        shapes = shapes_of(n)
        numbers.append(len(shapes))
        if n < 5:
            assert all(sum(po.is_isomorphic(G, H) for H in shapes) == 1 for G in po.all_orders(n))
        if n < 6:
            labelled.append(sum(factorial(n) // len(isomorphisms(G, G)) for G in shapes))
        pairs = [G.number_of_edges() for G in shapes]
        assert pairs == sorted(pairs)
        assert all(set(G.edges) == oracles.closure(G.edges) for G in shapes)
    assert numbers == [1, 1, 2, 5, 16, 63, 318]
    assert labelled == [1, 1, 3, 19, 219, 4231]


@pytest.mark.slow
def test_the_shapes_of_seven_items() -> None:
    """OEIS A000112, A006966 (lattices) and A003430 (series-parallel)."""
    shapes = list(po.all_orders(7, labelled=False))
    assert len(shapes) == 2045
    assert (sum(map(po.is_lattice, shapes)), sum(map(po.is_series_parallel, shapes))) == (53, 602)


def test_orders_of_equal_counts_may_differ() -> None:
    """Two crowns of three are not one of six, and large lattices are compared, too."""
    crown = nx.DiGraph((("a", i), ("b", (i + k) % 6)) for i in range(6) for k in (0, 1))
    two = nx.DiGraph((("a", i), ("b", i // 3 * 3 + (i + k) % 3)) for i in range(6) for k in (0, 1))
    assert not po.is_isomorphic(crown, two)
    assert po.is_isomorphic(po.boolean_lattice(8), po.dual(po.boolean_lattice(8)))
