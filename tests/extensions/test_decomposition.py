"""Parts within parts put together: exactly, and each part once."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import porank as po
from porank.extensions.decomposition import _gathered_by, _shuffled, _spread_by
from tests import oracles_extensions, oracles_positions


def threshold(n: int) -> nx.DiGraph:
    """Odd items are below all before them, even ones beside: a component in a series, n deep."""
    G = nx.DiGraph()
    G.add_nodes_from(range(n))
    G.add_edges_from((i, j) for j in range(1, n, 2) for i in range(j))
    return G


def series_parallel(rng: np.random.Generator, n: int, start: int = 0) -> nx.DiGraph:
    """Two smaller ones, beside each other or one above the other."""
    if n == 1:
        G = nx.DiGraph()
        G.add_node(start)
        return G
    first = int(rng.integers(1, n))
    one = series_parallel(rng, first, start)
    other = series_parallel(rng, n - first, start + first)
    both = nx.union(one, other)
    if rng.random() < 0.5:
        both.add_edges_from((u, v) for u in one for v in other)
    return both


def floats_of(figures: Any) -> list[float]:
    floats: list[float] = np.ravel([list(figures.values())]).astype(float).tolist()
    return floats


def test_series_parallel_orders() -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        G = series_parallel(rng, 7) if seed else threshold(7)
        for name in ("rank_probabilities", "mutual_rank_probabilities", "expected_ranks"):
            truth, figures = getattr(oracles_positions, name)(G), getattr(po, name)(G)
            assert getattr(po, name)(G, exact=True) == truth
            np.testing.assert_allclose(floats_of(figures), floats_of(truth), atol=1e-13)
        chances = oracles_positions.rank_probabilities(G)[0]
        mean = math.fsum(float(p) / math.log2(r + 2) for r, p in enumerate(chances))
        scores = dict(zip(G, rng.random(7).tolist(), strict=True))
        relevance = {x: 0 if x else 1 for x in G}
        found = po.dcg(scores, G, relevance=relevance, gain="level")
        assert found == pytest.approx(mean, abs=1e-13)


@pytest.mark.parametrize(
    "G",
    [
        po.random_order(30, edge_probability=0.15, seed=0),
        po.random_order(30, dimension=2, seed=1),
        threshold(40),
        oracles_extensions.chains(30, 40),
        po.random_order(50, edge_probability=0.3, seed=1),
    ],
)
def test_floats_are_probabilities_and_complementary(G: nx.DiGraph) -> None:
    """Certain pairs had 1.0000000000000002, and the two directions did not sum up to 1."""
    for method in ("auto", "walk"):
        mutual = po.mutual_rank_probabilities(G, method=method, seed=0)
        for u, v in combinations(G, 2):
            assert 0 <= mutual[u, v] <= 1
            assert mutual[u, v] + mutual[v, u] == 1
        said = po.transitive_closure(G)
        assert all(mutual[u, v] == 1 and mutual[v, u] == 0 for u, v in said.edges)
        rows = po.rank_probabilities(G, method=method, seed=0)
        for x, (best, worst) in po.rank_intervals(G).items():
            assert all(0 <= p <= 1 for p in rows[x])
            assert set(rows[x][: best - 1] + rows[x][worst:]) <= {0.0}


@given(st.integers(1, 59), st.integers(0, 59))
@example(49, 1)
def test_the_middle_of_a_level_is_not_rounded(top: int, bottom: int) -> None:
    """The mean rank of 99 tied items was 50.00000000000001."""
    scores = [1] * top + [0] * bottom
    ranks = list(po.expected_ranks(scores).values())
    wanted = [Fraction(top + 1, 2)] * top + [top + Fraction(bottom + 1, 2)] * bottom
    assert ranks == wanted
    assert list(po.expected_ranks(scores, exact=True).values()) == wanted
    # Beside a chain of two the same levels are no weak order any more.
    G = po.from_scores(scores)
    nx.add_path(G, "xy")
    exact = po.expected_ranks(G, exact=True)
    rounded = {x: float(rank) for x, rank in exact.items()}
    assert dict(po.expected_ranks(G)) == pytest.approx(rounded, rel=1e-12)


def test_shuffles() -> None:
    """Against the linear extensions of two chains side by side."""
    for a, b in ((0, 3), (1, 0), (1, 3), (2, 2), (3, 4), (5, 0), (6, 1)):
        lines = oracles_extensions.linear_extensions(oracles_extensions.chains(a, b))
        counts = [
            [sum(line.index((0, q)) == q + d for line in lines) for d in range(b + 1)]
            for q in range(a)
        ]
        assert (_shuffled(a, b, exact=True) * len(lines)).tolist() == counts
        floats = _shuffled(a, b, exact=False) * len(lines)
        np.testing.assert_allclose(floats, np.reshape(counts, (a, b + 1)))


def test_shuffles_of_many_are_as_exact_as_floats_can_be() -> None:
    """More shuffles than a float can hold, and long products."""
    for a, b in ((900, 900), (3, 2000), (2000, 3), (400, 500)):
        shares = _shuffled(a, b, exact=False)
        np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-11)
        q, d = a // 2, b // 2
        count = comb(q + d, q) * comb(a + b - 1 - q - d, a - 1 - q)
        assert shares[q, d] == pytest.approx(float(Fraction(count, comb(a + b, a))), rel=1e-11)


def test_spreading_and_gathering() -> None:
    """Each of the ways to spread, against the positions one by one."""
    rng = np.random.default_rng(0)
    for width, others in ((4, 3), (3, 60), (60, 3), (50, 60)):
        shares = _shuffled(width, others, exact=False)
        chances, values = rng.random((2, width)), rng.random(width + others)
        spread = np.zeros((2, width + others))
        for q, d in np.ndindex(width, others + 1):
            spread[:, q + d] += chances[:, q] * shares[q, d]
        np.testing.assert_allclose(_spread_by(chances, shares), spread)
        np.testing.assert_allclose(chances @ _gathered_by(values, shares), spread @ values)
