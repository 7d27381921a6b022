"""The lattice of ideals, and the parts that are counted over it, against the definition."""

from __future__ import annotations

from math import comb, factorial, prod
from typing import Any

import networkx as nx
import numpy as np
import pytest

import porank as po
from porank.core.compiled_order import compile_order
from porank.errors import TooManyIdealsError
from porank.extensions.decomposition import OrderPart, decompose, leaf_items
from porank.extensions.ideals import Chains, Ideals, count_paths, layers_of
from porank.extensions.linear_extensions import count_by_parts
from tests import oracles, oracles_extensions
from tests.strategies import on_orders


def undivided(G: nx.DiGraph) -> OrderPart:
    """Return an order as one part, even if it could be divided."""
    relation = compile_order(G).relation
    return OrderPart("prime", len(G), [], relation.item_at.tolist(), relation.covers)


def best_first(G: nx.DiGraph) -> list[Any]:
    """Return the items as the ideals number them."""
    items = list(G)
    return [items[number] for number in reversed(undivided(G).items)]


@on_orders(max_items=6)
def test_by_definition(G: nx.DiGraph) -> None:
    found = Ideals(undivided(G), max_ideals=10**6)
    items, n = best_first(G), len(G)
    count = len(oracles_extensions.linear_extensions(G))
    ranks, mutual = oracles_extensions.rank_counts(G), oracles_extensions.mutual_counts(G)
    assert found.count == count
    assert sum(layer.size for layer in found.layers) == len(list(oracles_extensions.ideals(G)))
    assert all(np.all(layer[1:] > layer[:-1]) for layer in found.layers)
    assert found.rank_matrix(object).tolist() == [ranks[item] for item in items]
    above = [[mutual.get((u, v), 0) for v in items] for u in items]
    assert found.mutual_matrix(object).tolist() == above
    assert np.allclose(found.rank_matrix() * count, found.rank_matrix(object).astype(float))
    assert np.allclose(found.mutual_matrix() * count, np.reshape(above, (n, n)).astype(float))
    for drawn in found.draw(np.random.default_rng(0).random((5, n))).tolist():
        assert po.is_linear_extension(G, [items[number] for number in drawn])


@pytest.mark.parametrize("number", [0.0, np.nextafter(1, 0), 1.0])
def test_the_ends_of_the_random_numbers_give_the_first_and_the_last(number: float) -> None:
    """The number 1 stands for one that rounding leaves above the sum of all shares."""
    G = oracles_extensions.grid(3, 4)
    found = Ideals(undivided(G), max_ideals=10**6)
    items, drawn = best_first(G), found.draw(np.full((2, 12), number)).tolist()
    assert drawn[0] == drawn[1]
    chain_of = {i: k for k, chain in enumerate(found.chains.chains) for i in chain.tolist()}
    pick = min if number == 0 else max
    for k, item in enumerate(drawn[0]):
        rest = G.subgraph(items[i] for i in drawn[0][k:])
        free = [i for i in drawn[0][k:] if not rest.in_degree(items[i])]
        assert item == pick(free, key=chain_of.__getitem__)


@pytest.mark.parametrize("beside", [32, pytest.param(33, marks=pytest.mark.slow)])
def test_more_items_than_bits(beside: int) -> None:
    """Two chains that cross at one place."""
    G = oracles_extensions.chains(32, beside)
    shares = po.mutual_rank_probabilities(G, exact=True)
    G.add_edge((0, 15), (1, 16))
    found = Ideals(undivided(G), max_ideals=10**6)
    # Of all ways to shuffle the chains, those with the one item above the other.
    count = comb(32 + beside, 32) * shares[(0, 15), (1, 16)]
    assert found.count == count > 2**53
    ranks, mutual = found.rank_matrix(object), found.mutual_matrix(object)
    assert set(ranks.sum(axis=0)) == set(ranks.sum(axis=1)) == {count}
    assert set((mutual + mutual.T)[~np.eye(len(G), dtype=bool)]) == {count}
    assert (mutual.sum(axis=0) == ranks @ np.arange(len(G))).all()
    np.testing.assert_allclose(found.rank_matrix(), (ranks / count).astype(float), rtol=1e-12)
    np.testing.assert_allclose(found.mutual_matrix(), (mutual / count).astype(float), rtol=1e-12)
    items = best_first(G)
    for line in found.draw(np.random.default_rng(0).random((20, len(G)))).tolist():
        assert po.is_linear_extension(G, [items[number] for number in line])


@pytest.mark.slow
def test_more_ways_than_a_float_or_a_word_holds() -> None:
    """Four chains of ten; two chains of 560 of which no item is far below its neighbour."""
    chains = Chains(undivided(oracles_extensions.chains(*[10] * 4)))
    count = count_paths(chains, layers_of(chains, max_ideals=11**4))
    assert count == factorial(40) // factorial(10) ** 4
    G = oracles_extensions.chains(560, 560)
    G.add_edges_from(((one, k), (1 - one, k + 4)) for one in (0, 1) for k in range(556))
    tall = Ideals(undivided(G), max_ideals=10**6)
    assert tall.count > 10**308
    shares = tall.rank_matrix()
    for axis in (0, 1):
        np.testing.assert_allclose(shares.sum(axis=axis), 1, rtol=1e-9)


@on_orders()
def test_parts_hold_every_item_once_and_cannot_be_divided_further(G: nx.DiGraph) -> None:
    """A prime part is connected, and so are the pairs that it leaves open."""
    parts, items, said = decompose(compile_order(G)), list(G), oracles.closure(G.edges)
    assert po.is_linear_extension(G, [items[number] for number in leaf_items(parts)])
    for part in parts:
        assert part.size == (sum(parts[other].size for other in part.parts) or len(part.items))
        held = {items[number] for number in part.items}
        among = nx.Graph((u, v) for u, v in said if {u, v} <= held)
        if part.kind == "free":
            assert among.number_of_edges() == 0
        elif part.kind == "prime":
            assert len(among) == part.size >= 4
            assert nx.is_connected(among)
            assert nx.is_connected(nx.complement(among))


def test_deep_nesting_is_no_recursion() -> None:
    """A caterpillar: a series in a component in a series, more than a thousand deep."""
    legs = 520
    G = nx.DiGraph()
    for place in range(legs):
        G.add_edge(("spine", place), ("leg", place))
        G.add_edge(("spine", place), ("spine", place + 1))
    # A tree: n! over the product of the sizes of the subtrees.
    sizes = [2 * place + 1 for place in range(1, legs + 1)]
    count = count_by_parts(decompose(compile_order(G)), max_ideals=1)
    assert count == factorial(2 * legs + 1) // prod(sizes)


def test_the_budget() -> None:
    part = undivided(po.boolean_lattice(4))
    for most in (1, 7, 100, 167):
        with pytest.raises(TooManyIdealsError, match=f"at most {most} ideals?, found") as caught:
            Ideals(part, max_ideals=most)
        error = caught.value
        assert (error.max_ideals, error.items) == (most, 16)
        made = [layer.size for layer in layers_of(Chains(part), max_ideals=168)]
        assert error.reached == sum(made[: error.placed + 1]) <= most
        assert sum(made[: error.placed + 2]) > most
    assert Ideals(part, max_ideals=168).count == 1680384


def test_what_fills_a_word_and_what_is_too_wide_for_one() -> None:
    """Nine chains of 63 items, seven bits each; a zigzag of 33 chains."""
    filled = nx.DiGraph()
    for k in range(62):
        filled.add_edges_from(((u, k), (v, k + 1)) for u in range(9) for v in range(9))
    found = Ideals(undivided(filled), max_ideals=10**5)
    assert [chain.size for chain in found.chains.chains] == [63] * 9
    assert found.count == factorial(9) ** 63
    with pytest.raises(TooManyIdealsError, match="found 33 chains of 65 items") as caught:
        Ideals(undivided(oracles_extensions.zigzag(65)), max_ideals=1000)
    assert "max_ideals" not in str(caught.value)
    for columns in (32, 33):
        found = Ideals(undivided(oracles_extensions.grid(2, columns)), max_ideals=10**5)
        assert found.count == oracles_extensions.hook_lengths(2, columns)
