"""Positions of items, the footrule, Spearman's measures, and the errors that weigh the top most."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import islice, pairwise, permutations, product
from statistics import mean
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

import porank as po
from porank.core.compiled_order import compile_order
from porank.measures.positions import doubled_positions
from porank.orders.ranks import rank_bounds
from tests import oracles
from tests.oracles_positions import mid_positions as positions
from tests.strategies import order_pairs


def rankings(G: nx.DiGraph) -> list[dict[Any, int]]:
    """All total orders that say all that G says, item -> rank."""
    said = oracles.closure(G.edges)
    numbered = (dict(zip(G, ranks, strict=True)) for ranks in permutations(range(1, len(G) + 1)))
    return [rank for rank in numbered if all(rank[u] < rank[v] for u, v in said)]


def pearson(r: dict[Any, Fraction], s: dict[Any, Fraction]) -> float:
    """The covariance over the root of the product of the variances."""
    middle = Fraction(len(r) + 1, 2)
    covariance = sum((r[x] - middle) * (s[x] - middle) for x in r)
    spread = sum((r[x] - middle) ** 2 for x in r) * sum((s[x] - middle) ** 2 for x in r)
    return float(covariance) / math.sqrt(spread) if spread else math.nan


def test_positions_and_bounds_by_definition() -> None:
    for G in (G for n in range(5) for G in oracles.strict_orders(n)):
        expected = positions(G)
        doubled = doubled_positions(compile_order(G)).tolist()
        assert [Fraction(d, 2) for d in doubled] == [expected[x] for x in G]
        best, worst = rank_bounds(compile_order(G))
        refinements = rankings(G)
        assert best.tolist() == [min(r[x] for r in refinements) for x in G]
        assert worst.tolist() == [max(r[x] for r in refinements) for x in G]


def check(S: nx.DiGraph, T: nx.DiGraph) -> None:
    """Hold all measures of positions against their definitions."""
    r, s = positions(S), positions(T)
    assert po.footrule_distance(S, T) == sum(abs(r[x] - s[x]) for x in r)
    assert po.spearman_distance(S, T) == sum((r[x] - s[x]) ** 2 for x in r)
    assert po.spearman_rho(S, T) == pytest.approx(pearson(r, s), abs=1e-15, nan_ok=True)
    weighed = sum(abs(r[x] - s[x]) / math.log(r[x] + 1, 3) for x in S)
    assert po.discounted_error(S, T, base=3) == pytest.approx(weighed, rel=1e-14)
    tops = [x for x in S if r[x] == min(r.values())]
    if tops:
        assert po.position_error(S, T) == pytest.approx(float(mean(s[x] - 1 for x in tops)))


def test_small_orders_by_definition() -> None:
    for S, T in product(oracles.strict_orders(3), repeat=2):
        check(S, T)
        r = positions(S)
        extremes = [ranks[x] - 1 for ranks in rankings(T) for x in S if r[x] == min(r.values())]
        assert po.position_error(S, T, ties="optimistic") == min(extremes)
        assert po.position_error(S, T, ties="pessimistic") == max(extremes)


@given(order_pairs(max_items=7))
def test_random_orders_by_definition(pair: tuple[nx.DiGraph, nx.DiGraph]) -> None:
    check(*pair)


@pytest.mark.parametrize("step", [31, pytest.param(1, marks=pytest.mark.slow)])
def test_hausdorff_footrule_on_four_items(step: int) -> None:
    weak = list(oracles.weak_orders(4))
    ranks = [np.array([list(r.values()) for r in rankings(oracles.graph_of(s))]) for s in weak]
    pairs = product(zip(weak, ranks, strict=True), repeat=2)
    for (s, first), (t, second) in islice(pairs, 0, None, step):
        apart = np.abs(first[:, None] - second[None, :]).sum(axis=2)
        expected = max(apart.min(axis=0).max(), apart.min(axis=1).max())
        assert po.hausdorff_footrule_distance(s, t) == expected


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=9))
def test_scipy_agrees(pairs: list[tuple[int, int]]) -> None:
    x, y = ([pair[side] for pair in pairs] for side in (0, 1))
    if len(set(x)) > 1 and len(set(y)) > 1:
        assert po.spearman_rho(x, y) == pytest.approx(spearmanr(x, y).statistic, abs=1e-12)


def test_many_items() -> None:
    # Sums beyond 64 bits.
    n = 2_000_000
    up, down = np.arange(n), -np.arange(n)
    assert po.spearman_distance(up, down) == pytest.approx(n * (n * n - 1) // 3, rel=1e-12)
    assert po.footrule_distance(up, down) == n * n // 2
    assert po.spearman_rho(up, down) == -1
    # rho never passes 1.
    x = np.arange(30_000)
    for i, j in pairwise(range(0, 40, 7)):
        y = x.copy()
        y[[i, j]] = y[[j, i]]
        y[-2] = y[-1]
        assert 0.999 < po.spearman_rho(x, y) <= 1
    # A sparse order.
    G = nx.DiGraph((i, i + 1) for i in range(0, 9000, 3))
    G.add_edges_from((i + 1, i + 2) for i in range(0, 9000, 3))
    assert set(doubled_positions(compile_order(G)).tolist()) == {8999, 9001, 9003}
