"""The perfect sampler: extensions only, all of them, uniform, and the bounds that make it so."""

from __future__ import annotations

from collections import Counter
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats

import porank as po
from porank.core.compiled_order import compile_order
from porank.extensions import sampling as perfect_sampling
from porank.extensions.sampling import draw_batches
from tests import oracles_extensions
from tests.strategies import orders


def numbered(G: Any) -> tuple[Any, Any]:
    """The closure with its items along a linear extension, and their numbers in the order."""
    order = compile_order(G)
    line = np.argsort(order.layers, kind="stable")
    return order.matrix()[np.ix_(line, line)], line


def drawn(G: Any, size: int, seed: int = 0) -> list[tuple[Any, ...]]:
    order = compile_order(G)
    above, line = numbered(G)
    batches = draw_batches(above, size, np.random.default_rng(seed))
    rankings = [ranking for batch in batches for ranking in line[batch].tolist()]
    return [tuple(order.items[i] for i in ranking) for ranking in rankings]


@given(orders(max_items=5))
@settings(max_examples=25)
def test_only_linear_extensions_are_drawn(G: nx.DiGraph) -> None:
    assert set(drawn(G, 50)) <= set(oracles_extensions.linear_extensions(G))


@pytest.mark.parametrize(
    "text",
    [
        "a > c; b > c; b > d",
        "a; b; c; d",
        "a > b > c; d",
        "a > b; c > d",
        "a > c; b > c; d > e",
        "a > b > c; d > e; a > e",
        "a > b; a > c; d > c; e > c; e > f",
    ],
)
def test_all_extensions_are_as_likely(text: str) -> None:
    G = po.parse(text)
    every = oracles_extensions.linear_extensions(G)
    counts = Counter(drawn(G, 20_000, seed=4))
    assert set(counts) == set(every)
    assert stats.chisquare([counts[ranking] for ranking in every]).pvalue > 0.001


def test_runs_in_vain_are_made_good(monkeypatch: pytest.MonkeyPatch) -> None:
    # With too few sweeps nearly every run leaves something open, and an earlier one is asked for.
    monkeypatch.setattr(perfect_sampling, "_count_sweeps", lambda n: n + 1)
    G = po.parse("a > c; b > c; b > d")
    every = oracles_extensions.linear_extensions(G)
    counts = Counter(drawn(G, 8_000, seed=1))
    assert stats.chisquare([counts[ranking] for ranking in every]).pvalue > 0.001


@pytest.mark.parametrize("text", ["a > c; b > c; b > d", "a > b; a > c; d > c; e > c", "a > b; c"])
def test_whatever_the_beginning_the_bounds_tell_the_end(text: str) -> None:
    """What makes it perfect: where no gap is left, every chain stands where the bounds say."""
    above, _ = numbered(po.parse(text))
    n, lanes = len(above), 200
    allowed = np.ones((n + 1, n + 1), dtype=bool)
    allowed[:n, :n] = ~above
    said = nx.DiGraph(np.argwhere(above).tolist())
    said.add_nodes_from(range(n))
    coins = np.random.SeedSequence(5)
    bounds = perfect_sampling._run(allowed, lanes, coins)
    settled = ~(bounds == n).any(axis=0)
    assert settled.sum() > lanes / 2
    ends = bounds[:, settled]
    for beginning in oracles_extensions.linear_extensions(said):
        states = np.repeat(np.array(beginning, dtype=np.int32)[:, None], lanes, axis=1)
        reached = perfect_sampling._run(allowed, lanes, coins, np.arange(lanes), states)
        assert np.array_equal(reached[:, settled], ends)


def test_uniform_beyond_enumeration() -> None:
    # Ten chains of two: the first place goes to each of the ten tops alike.
    G = po.from_pairs([(f"a{i}", f"b{i}") for i in range(10)])
    first = Counter(ranking[0] for ranking in drawn(G, 2000, seed=2))
    assert set(first) == {f"a{i}" for i in range(10)}
    assert stats.chisquare(list(first.values())).pvalue > 0.001


def test_a_total_order_has_one_extension() -> None:
    assert set(drawn(po.chain(12), 20)) == {tuple(range(12))}


@pytest.mark.parametrize("n", [0, 1])
def test_nothing_to_draw(n: int) -> None:
    assert drawn(po.antichain(n), 3) == [tuple(range(n))] * 3


def test_size_zero() -> None:
    assert drawn(po.antichain(3), 0) == []


def test_the_same_seed_draws_the_same() -> None:
    G = po.parse("a > c; b > c; b > d; e")
    assert drawn(G, 30, seed=7) == drawn(G, 30, seed=7) != drawn(G, 30, seed=8)


def test_batches_have_the_size_asked_for() -> None:
    above = np.zeros((300, 300), dtype=bool)
    above[0, 1:] = above[1:299, 299] = above[0, 299] = True
    small = above[:3, :3]
    sizes = [len(batch) for batch in draw_batches(small, 50_000, np.random.default_rng(0))]
    assert sum(sizes) == 50_000
    assert len(sizes) > 1


@pytest.mark.parametrize("n", [2, 3, 5, 10, 20])
def test_most_runs_leave_nothing_open(n: int) -> None:
    # A gap is on the upper or the lower place of its pair alike, and is gone below the last place.
    gaps = np.ones(n)
    gaps[-1] = 0
    for sweep in range(vars(perfect_sampling)["_count_sweeps"](n)):
        for upper in range(sweep % 2, n - 1, 2):
            gaps[upper : upper + 2] = gaps[upper : upper + 2].mean()
        gaps[-1] = 0
    assert gaps.sum() < 0.15
