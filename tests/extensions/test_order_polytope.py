"""The walk in the order polytope: extreme copies hold all others, and draws are uniform."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import porank as po
from porank.core.compiled_order import compile_order
from porank.extensions import order_polytope
from porank.extensions.order_polytope import draw_batches, walk_batches
from tests import oracles_extensions
from tests.strategies import orders

if TYPE_CHECKING:
    import networkx as nx


def drawn(G: Any, size: int, seed: int = 0) -> list[tuple[Any, ...]]:
    order = compile_order(G)
    batches = draw_batches(order.matrix(), size, np.random.default_rng(seed))
    rankings = [ranking for batch in batches for ranking in batch.tolist()]
    return [tuple(order.items[i] for i in ranking) for ranking in rankings]


@given(orders(max_items=6), st.integers(0, 99))
@settings(max_examples=40)
def test_only_linear_extensions_are_drawn(G: nx.DiGraph, seed: int) -> None:
    every = set(oracles_extensions.linear_extensions(G))
    assert set(drawn(G, 20, seed)) <= every
    lanes = walk_batches(compile_order(G).matrix(), 3, 5, np.random.default_rng(seed))
    for batch in lanes:
        assert {tuple(compile_order(G).items[i] for i in row) for row in batch.tolist()} <= every


@pytest.mark.slow
@pytest.mark.parametrize("latest", [1, 32])
def test_all_extensions_of_all_orders_on_four_items_are_as_likely(
    latest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # From the latest start of one sweep nearly all lanes are walked again from earlier ones.
    monkeypatch.setattr(order_polytope, "_LATEST_START", latest)
    p_values = []
    for G in po.all_orders(4):
        every = oracles_extensions.linear_extensions(G)
        counts = dict.fromkeys(every, 0)
        for ranking in drawn(G, 1000, seed=7):
            counts[ranking] += 1
        if len(every) > 1:
            p_values.append(stats.chisquare(list(counts.values())).pvalue)
    assert min(p_values) > 1e-5
    assert stats.kstest(p_values, "uniform").pvalue > 1e-4


@given(orders(max_items=8), st.integers(0, 99))
@settings(max_examples=40)
def test_every_copy_stays_between_the_extreme_ones(G: nx.DiGraph, seed: int) -> None:
    above = compile_order(G).matrix()
    rng = np.random.default_rng(seed)
    walk = order_polytope._Walk(above)
    extreme, middle = walk.bounds(4), walk.middle(4)
    for _ in range(6):
        uniform = rng.random((len(above), 4))
        walk.sweep(extreme, uniform)
        walk.sweep(middle, uniform)
        assert (extreme[:, 0] <= middle[:, 0]).all()
        assert (middle[:, 0] <= extreme[:, 1]).all()


@pytest.mark.slow
def test_the_walk_estimates_what_is_counted() -> None:
    G = po.random_order(30, edge_probability=0.2, seed=1)
    order = compile_order(G)
    exact = po.expected_ranks(G, method="exact")
    batches = list(walk_batches(order.matrix(), 40, 300, np.random.default_rng(0)))
    ranks = np.mean([np.argsort(batch, axis=1).mean(axis=0) for batch in batches], axis=0) + 1
    off = [abs(rank - exact[item]) for item, rank in zip(order.items, ranks, strict=True)]
    assert max(off) < 0.3


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few_items(n: int) -> None:
    above = np.zeros((n, n), dtype=bool)
    (batch,) = draw_batches(above, 3, np.random.default_rng(0))
    assert batch.shape == (3, n)
    assert list(draw_batches(above, 0, np.random.default_rng(0))) == []
    assert len(list(islice(walk_batches(above, 2, 4, np.random.default_rng(0)), 9))) == 4


def test_the_same_seed_draws_the_same() -> None:
    G = po.parse("a > c; b > c; b > d; e")
    assert drawn(G, 30, seed=2) == drawn(G, 30, seed=2) != drawn(G, 30, seed=3)
