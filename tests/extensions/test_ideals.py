"""The lattice of ideals, the parts counted over it, and the walk in the order polytope."""

from math import comb, factorial
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import porank as po
from porank.core.compiled_order import compile_order
from porank.errors import TooManyIdealsError
from porank.extensions.decomposition import OrderPart, decompose, leaf_items
from porank.extensions.ideals import (
    Chains,
    Ideals,
    count_in_dictionary,
    count_paths,
    ideals_as_walks,
    layers_of,
)
from porank.extensions.sampling import Walk, walk_positions
from tests.support import oracles, oracles_extensions
from tests.support.strategies import on_orders, orders


def undivided(G: nx.DiGraph) -> OrderPart:
    """Return an order as one part, even if it could be divided."""
    relation = compile_order(G).relation
    return OrderPart("prime", len(G), [], relation.item_at.tolist(), relation.covers)


def best_first(G: nx.DiGraph) -> list[Any]:
    """Return the items as the ideals number them."""
    items = list(G)
    return [items[number] for number in reversed(undivided(G).items)]


@given(orders(max_items=5))
def test_ideals_count_extensions_and_ranks_by_definition(G: nx.DiGraph) -> None:
    found = Ideals(undivided(G), max_ideals=10**6)
    items, n = best_first(G), len(G)
    count = len(oracles_extensions.linear_extensions(G))
    ranks, mutual = oracles_extensions.rank_counts(G), oracles_extensions.mutual_counts(G)
    assert found.count == count == count_in_dictionary(undivided(G).covers, 10**6)
    assert sum(layer.size for layer in found.layers) == len(list(oracles_extensions.ideals(G)))
    assert all(np.all(layer[1:] > layer[:-1]) for layer in found.layers)
    assert found.rank_matrix(object).tolist() == [ranks[item] for item in items]
    above = [[mutual.get((u, v), 0) for v in items] for u in items]
    assert found.mutual_matrix(object).tolist() == above
    assert np.allclose(found.rank_matrix() * count, found.rank_matrix(object).astype(float))
    assert np.allclose(found.mutual_matrix() * count, np.reshape(above, (n, n)).astype(float))
    for drawn in found.draw(np.random.default_rng(0).random((5, n))).tolist():
        assert po.is_linear_extension(G, [items[number] for number in drawn])


def test_the_ends_of_the_random_numbers_give_the_first_and_the_last() -> None:
    """The number 1 stands for one that rounding leaves above the sum of all shares."""
    G = oracles_extensions.grid(3, 4)
    found, items = Ideals(undivided(G), max_ideals=10**6), best_first(G)
    chain_of = {i: k for k, chain in enumerate(found.chains.chains) for i in chain.tolist()}
    for number, pick in ((0.0, min), (np.nextafter(1, 0), max), (1.0, max)):
        (drawn,) = found.draw(np.full((1, 12), number)).tolist()
        for k, item in enumerate(drawn):
            rest = G.subgraph(items[i] for i in drawn[k:])
            free = [i for i in drawn[k:] if not rest.in_degree(items[i])]
            assert item == pick(free, key=chain_of.__getitem__)


@pytest.mark.slow
def test_more_items_than_bits() -> None:
    """Two chains that cross at one place."""
    G = oracles_extensions.chains(32, 33)
    shares = po.mutual_rank_probabilities(G, exact=True)
    G.add_edge((0, 15), (1, 16))
    found = Ideals(undivided(G), max_ideals=10**6)
    # Of all ways to shuffle the chains, those with the one item above the other.
    assert found.count == comb(65, 32) * shares[(0, 15), (1, 16)] > 2**53
    ranks, mutual = found.rank_matrix(object), found.mutual_matrix(object)
    assert set(ranks.sum(axis=0)) == set(ranks.sum(axis=1)) == {found.count}
    assert set((mutual + mutual.T)[~np.eye(65, dtype=bool)]) == {found.count}
    assert (mutual.sum(axis=0) == ranks @ np.arange(65)).all()
    items = best_first(G)
    for line in found.draw(np.random.default_rng(0).random((20, 65))).tolist():
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


def test_ideals_beyond_the_budget_are_refused_before_they_are_made() -> None:
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
    # By default as many as 1,000 (n + 2 m).
    two = undivided(oracles_extensions.grid(2, 3))
    assert ideals_as_walks(two) == 1000 * (6 + 2 * 7)
    assert count_in_dictionary(part.covers, 167) is None


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
    found = Ideals(undivided(oracles_extensions.grid(2, 33)), max_ideals=10**5)
    assert found.count == oracles_extensions.hook_lengths(2, 33)


def drawn(G: Any, size: int, seed: int = 0) -> list[tuple[Any, ...]]:
    items = best_first(G)
    rankings = Walk(covers_of(G)).draw(size, np.random.default_rng(seed)).tolist()
    return [tuple(items[i] for i in ranking) for ranking in rankings]


def covers_of(G: Any) -> list[list[int]]:
    return compile_order(G).relation.covers


def test_walks_estimate_what_is_counted() -> None:
    """Mean positions to .6 % of n, and no further off than the error says."""
    G = po.random_order(40, dimension=2, seed=0)
    exact = po.expected_ranks(G, method="exact")
    means, positions, drift = walk_positions(covers_of(G), np.random.default_rng(0), reads=100)
    truth = np.array([exact[item] - 1 for item in best_first(G)])
    off = means.mean(axis=0) - truth
    error = np.sqrt(means.var(axis=0, ddof=1) / len(means) + drift**2)
    assert max(abs(off)) < 0.006 * 40
    assert 0.4 < np.sqrt(np.mean((off / error) ** 2)) < 1.4
    # What is read off the walks says the same, with more noise.
    assert max(abs(positions.mean(axis=(0, 1)) - truth)) < 0.03 * 40


def test_walks_over_at_most_two_items_have_their_shape() -> None:
    for n in range(3):
        covers: list[list[int]] = [[] for _ in range(n)]
        assert Walk(covers).draw(3, np.random.default_rng(0)).shape == (3, n)
        means, positions, drift = walk_positions(covers, np.random.default_rng(0), reads=3)
        assert means.shape == (20, n) == positions.shape[::2]
        assert (positions.shape[1], drift.shape) == (3, (n,))
