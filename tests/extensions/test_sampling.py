"""The walk in the order polytope: extreme copies hold all others, and draws are uniform."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import porank as po
from porank.core.compiled_order import compile_order
from porank.extensions import sampling
from porank.extensions.sampling import Walk, walk_positions
from tests import oracles_extensions
from tests.extensions.test_ideals import best_first
from tests.strategies import orders


def drawn(G: Any, size: int, seed: int = 0, draw: Any = Walk.draw) -> list[tuple[Any, ...]]:
    items = best_first(G)
    rankings = draw(Walk(covers_of(G)), size, np.random.default_rng(seed)).tolist()
    return [tuple(items[i] for i in ranking) for ranking in rankings]


def covers_of(G: Any) -> list[list[int]]:
    return compile_order(G).relation.covers


@given(orders(max_items=6), st.integers(0, 99))
def test_only_linear_extensions_are_drawn(G: nx.DiGraph, seed: int) -> None:
    every = set(oracles_extensions.linear_extensions(G))
    assert set(drawn(G, 20, seed)) <= every
    assert set(drawn(G, 5, seed, Walk.draw_nearly)) <= every


@pytest.mark.slow
@pytest.mark.parametrize("latest", [1, 32])
def test_all_extensions_of_all_orders_on_four_items_are_as_likely(
    latest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # From the latest start of one sweep nearly all lanes are walked again from earlier ones.
    monkeypatch.setattr(sampling, "_LATEST_START", latest)
    p_values = []
    for seed, G in enumerate(po.all_orders(4)):
        every = oracles_extensions.linear_extensions(G)
        counts = dict.fromkeys(every, 0)
        for ranking in drawn(G, 1000, seed):
            counts[ranking] += 1
        if len(every) > 1:
            p_values.append(stats.chisquare(list(counts.values())).pvalue)
    assert min(p_values) > 1e-5
    assert stats.kstest(p_values, "uniform").pvalue > 1e-4


@given(orders(max_items=8), st.integers(0, 99))
def test_every_copy_stays_between_the_extreme_ones_and_in_the_polytope(
    G: nx.DiGraph, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    walk = Walk(covers_of(G))
    extreme, middle = walk.bounds(4), walk.middle(4)
    for _ in range(6):
        uniform = rng.random((len(G), 4))
        walk.sweep(extreme, uniform)
        walk.sweep(middle, uniform)
        assert (extreme[:, 0] <= middle[:, 0]).all()
        assert (middle[:, 0] <= extreme[:, 1]).all()
    points = walk.middle(3)
    place = {item: number for number, item in enumerate(best_first(G))}
    for _ in walk.wander(points, 30, rng):
        assert ((points >= 0) & (points <= 1)).all()
        for u, v in G.edges:
            assert (points[place[u]] >= points[place[v]]).all()


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


def test_few_items() -> None:
    for n in range(3):
        covers: list[list[int]] = [[] for _ in range(n)]
        for draw in (Walk.draw, Walk.draw_nearly):
            assert draw(Walk(covers), 3, np.random.default_rng(0)).shape == (3, n)
        means, positions, drift = walk_positions(covers, np.random.default_rng(0), reads=3)
        assert means.shape == (20, n) == positions.shape[::2]
        assert (positions.shape[1], drift.shape) == (3, (n,))


def test_an_earlier_start_draws_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "_LATEST_START", 1)
    walk = Walk(covers_of(po.random_order(12, dimension=2, seed=0)))
    first = walk.draw(5, np.random.default_rng(1))
    assert walk._earliest > 0
    assert np.array_equal(walk.draw(5, np.random.default_rng(1)), first)
