"""Joins, meets and lattices against their definitions, over all small orders."""

from collections.abc import Callable
from functools import cache, partial
from itertools import chain, combinations, permutations, product
from math import gcd, lcm
from typing import Any

import networkx as nx
import pytest

import porank as po
from porank.core.graphs import in_order
from tests.support import oracles
from tests.support.refusals import refuses
from tests.support.strategies import on_orders, shapes_of


@cache
def lattices() -> list[nx.DiGraph]:
    """One lattice of each shape with at most six items."""
    return [G for n in range(7) for G in shapes_of(n) if po.is_lattice(G)]


def least_bounds(G: nx.DiGraph, items: tuple[Any, ...]) -> list[Any]:
    """The upper bounds of items that are above no other upper bound, sorted by name."""
    said = oracles.closure(G.edges) | {(x, x) for x in G}
    upper = [x for x in G if all((x, y) in said for y in items)]
    return in_order(x for x in upper if not any((x, y) in said for y in upper if x != y))


def missing_bounds(G: nx.DiGraph) -> list[tuple[str, tuple[Any, Any], tuple[Any, ...]]]:
    """Every pair of items without a join, then those without a meet, and the closest bounds."""
    return [
        (kind, pair, tuple(least_bounds(H, pair)))
        for kind, H in (("join", G), ("meet", G.reverse()))
        for pair in combinations(in_order(G), 2)
        if len(least_bounds(H, pair)) != 1
    ]


@on_orders(max_items=6, shapes=5)
def test_joins_and_meets_by_definition(G: nx.DiGraph) -> None:
    for size, (bound, H) in product(range(4), ((po.join, G), (po.meet, G.reverse()))):
        for items in combinations(G, min(size, len(G))):
            closest = least_bounds(H, items)
            if len(closest) == 1:
                assert bound(G, *items) == closest[0]
                continue
            with pytest.raises(po.errors.NotApplicableError, match=bound.__name__) as caught:
                bound(G, *items)
            named = f" bounds {', '.join(map(repr, closest[:2]))};" if closest else "found no"
            assert named in str(caught.value)
    missing = missing_bounds(G)
    assert po.is_lattice(G) is (missing == [])
    assert po.orders.find_missing_bound(G) == next(iter(missing), None)


def test_lattices_are_as_many_as_in_the_books() -> None:
    """OEIS A006966, A006981 (modular) and A006982 (distributive)."""
    numbers: list[tuple[Callable[[nx.DiGraph], bool], list[int]]] = [
        (po.is_lattice, [1, 1, 1, 1, 2, 5, 15]),
        (po.is_modular, [1, 1, 1, 1, 2, 4, 8]),
        (po.is_distributive, [1, 1, 1, 1, 2, 3, 5]),
    ]
    for test, known in numbers:
        assert [sum(map(test, shapes_of(n))) for n in range(7)] == known
    for G in (po.boolean_lattice(4), po.divisor_lattice(360), po.chain(4)):
        assert po.is_distributive(G)
    D = po.divisor_lattice(36)
    assert all(po.join(D, u, v, 2) == lcm(u, v, 2) for u, v in product(D, D))
    assert all(po.meet(D, u, v, 12) == gcd(u, v, 12) for u, v in product(D, D))


def test_distributive_and_modular_by_definition() -> None:
    for G in lattices():
        join, meet = partial(po.join, G), partial(po.meet, G)
        triples = list(product(G, repeat=3))
        distributive = all(
            meet(x, join(y, z)) == join(meet(x, y), meet(x, z)) for x, y, z in triples
        )
        modular = all(
            meet(x, join(y, z)) == join(meet(x, y), z) for x, y, z in triples if po.prefers(G, x, z)
        )
        assert (po.is_distributive(G), po.is_modular(G)) == (distributive, modular)
        name, five = po.orders.find_pentagon_or_diamond(G) or ("", ())
        assert name == ("" if distributive else "diamond" if modular else "pentagon")
        if not distributive:
            top, a, b, c, bottom = five
            pairs = list(combinations((a, b, c), 2))
            if name == "pentagon":
                assert po.prefers(G, *pairs.pop(0))
            assert {(join(u, v), meet(u, v)) for u, v in pairs} == {(top, bottom)}
            assert len(set(five)) == 5


def test_what_is_no_lattice_is_neither_and_has_no_such_witness() -> None:
    butterfly = po.parse("a > c; a > d; b > c; b > d")
    for G in (butterfly, po.parse("a > b > a")):
        for test in (po.is_lattice, po.is_modular, po.is_distributive):
            assert not test(G)
    with pytest.raises(po.errors.NotApplicableError, match="found no join of 'a', 'b'"):
        po.orders.find_pentagon_or_diamond(butterfly)


def irreducible(L: nx.DiGraph) -> nx.DiGraph:
    """The order of the items of a lattice that cover exactly one item."""
    covers = po.transitive_reduction(L)
    restricted: nx.DiGraph = po.restrict(L, [x for x in L if covers.out_degree(x) == 1])
    return restricted


def test_the_theorem_of_birkhoff() -> None:
    """On all orders of at most five items, and on all distributive lattices of at most six."""
    for G in chain.from_iterable(map(shapes_of, range(6))):
        L = po.ideal_lattice(G)
        assert po.is_distributive(L)
        assert po.is_isomorphic(irreducible(L), G)
    for L in filter(po.is_distributive, lattices()[1:]):
        assert po.is_isomorphic(po.ideal_lattice(irreducible(L)), L)


@on_orders(max_items=6, shapes=5)
def test_ideals_by_definition(G: nx.DiGraph) -> None:
    L, said = po.ideal_lattice(G), oracles.closure(G.edges)
    subsets = (frozenset(some) for size in range(len(G) + 1) for some in combinations(G, size))
    assert set(L) == {some for some in subsets if all(v in some for u, v in said if u in some)}
    assert list(map(len, L)) == sorted(map(len, L), reverse=True)
    assert set(L.edges) == oracles.reduction((u, v) for u, v in permutations(L, 2) if u > v)


def test_as_many_ideals_as_allowed() -> None:
    assert len(po.ideal_lattice(po.antichain(3), max_ideals=8)) == 8
    with pytest.raises(po.PorankError, match="at most 7 ideals, found more; raise max_ideals"):
        po.ideal_lattice(po.antichain(3), max_ideals=7)


def test_bounds_are_of_items_and_at_least_one_ideal_is_allowed() -> None:
    refuses("found 'x'", po.join, po.from_ranking("ab"), "x")
    refuses("at least 1 as max_ideals", po.ideal_lattice, po.from_ranking("ab"), max_ideals=0)
