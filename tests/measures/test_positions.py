"""Positions of items, the footrule, Spearman's measures, and the errors that weigh the top most."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, islice, pairwise, permutations, product
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
from porank.errors import (
    NotApplicableError,
)
from porank.measures.correlation import spearman_rho
from porank.measures.distance import (
    footrule_distance,
    hausdorff_footrule_distance,
    spearman_distance,
)
from porank.measures.pair_table import pair_up
from porank.measures.positions import (
    discounted_error,
    doubled_positions,
    position_error,
)
from porank.orders.ranks import rank_bounds
from tests import oracles
from tests.oracles_positions import mid_positions as positions
from tests.strategies import orders

TARGET, PREDICTED = po.load_example("tutorial")
Positions = dict[Any, Fraction]


def rankings(G: nx.DiGraph) -> list[dict[Any, int]]:
    """All total orders that say all that G says, item -> rank."""
    said = oracles.closure(G.edges)
    numbered = (dict(zip(G, ranks, strict=True)) for ranks in permutations(range(1, len(G) + 1)))
    return [rank for rank in numbered if all(rank[u] < rank[v] for u, v in said)]


def footrule(r: Positions | dict[Any, int], s: Positions | dict[Any, int]) -> Any:
    """The sum of the distances moved."""
    return sum(abs(r[x] - s[x]) for x in r)


def squares(r: Positions, s: Positions) -> Fraction:
    """The sum of their squares."""
    return sum(((r[x] - s[x]) ** 2 for x in r), start=Fraction(0))


def pearson(r: Positions, s: Positions) -> float:
    """The covariance over the root of the product of the variances."""
    middle = Fraction(len(r) + 1, 2)
    covariance = sum((r[x] - middle) * (s[x] - middle) for x in r)
    spread = sum((r[x] - middle) ** 2 for x in r) * sum((s[x] - middle) ** 2 for x in r)
    return float(covariance) / math.sqrt(spread) if spread else math.nan


ORDERS = [G for n in range(4) for G in oracles.strict_orders(n)]
PAIRS = [(S, T) for S, T in product(ORDERS, repeat=2) if len(S) == len(T)]
lists_of_scores = st.integers(0, 9).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n)] * 2)
)


@pytest.mark.parametrize("n", range(5))
def test_by_definition(n: int) -> None:
    for G in oracles.strict_orders(n):
        expected = positions(G)
        doubled = doubled_positions(compile_order(G)).tolist()
        assert [Fraction(d, 2) for d in doubled] == [expected[x] for x in G]


@pytest.mark.parametrize("n", range(1, 5))
def test_bounds_are_the_extreme_ranks(n: int) -> None:
    for G in oracles.strict_orders(n):
        best, worst = rank_bounds(compile_order(G))
        refinements = rankings(G)
        assert best.tolist() == [min(r[x] for r in refinements) for x in G]
        assert worst.tolist() == [max(r[x] for r in refinements) for x in G]


def test_of_a_sparse_order_of_many_items() -> None:
    G = nx.DiGraph((i, i + 1) for i in range(0, 9000, 3))
    G.add_edges_from((i + 1, i + 2) for i in range(0, 9000, 3))
    assert set(doubled_positions(compile_order(G)).tolist()) == {8999, 9001, 9003}


def test_all_pairs_of_small_orders() -> None:
    for S, T in PAIRS:
        r, s = positions(S), positions(T)
        assert footrule_distance(S, T) == footrule(r, s)
        assert spearman_distance(S, T) == squares(r, s)
        assert spearman_rho(S, T) == pytest.approx(pearson(r, s), abs=1e-15, nan_ok=True)
        weighed = sum(abs(r[x] - s[x]) / math.log(r[x] + 1, 3) for x in S)
        assert discounted_error(S, T, base=3) == pytest.approx(weighed, rel=1e-14)


@given(st.data(), orders())
def test_random_orders(data: st.DataObject, S: nx.DiGraph) -> None:
    line = data.draw(st.permutations(list(S)))
    pairs = list(combinations(line, 2))
    T = po.from_pairs(data.draw(st.lists(st.sampled_from(pairs))) if pairs else [], items=line)
    r, s = positions(S), positions(T)
    assert footrule_distance(S, T) == footrule(r, s)
    assert spearman_distance(S, T) == squares(r, s)
    assert spearman_rho(S, T) == pytest.approx(pearson(r, s), nan_ok=True)


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_hausdorff_footrule_on_four_items(step: int) -> None:
    weak = list(oracles.weak_orders(4))
    ranks = [np.array([list(r.values()) for r in rankings(oracles.graph_of(s))]) for s in weak]
    for (s, first), (t, second) in islice(
        product(zip(weak, ranks, strict=True), repeat=2), 0, None, step
    ):
        apart = np.abs(first[:, None] - second[None, :]).sum(axis=2)
        expected = max(apart.min(axis=0).max(), apart.min(axis=1).max())
        assert hausdorff_footrule_distance(s, t) == expected


def test_position_error_on_partial_orders() -> None:
    for S, T in PAIRS:
        r, s = positions(S), positions(T)
        tops = [x for x in S if r[x] == min(r.values())]
        extremes = [r[x] - 1 for r in rankings(T) for x in tops]
        if tops:
            assert position_error(S, T) == mean(s[x] - 1 for x in tops)
            assert position_error(S, T, ties="optimistic") == min(extremes)
            assert position_error(S, T, ties="pessimistic") == max(extremes)


@given(lists_of_scores)
def test_scipy_agrees(lists: tuple[list[int], list[int]]) -> None:
    x, y = lists
    if len(set(x)) > 1 and len(set(y)) > 1:
        assert spearman_rho(x, y) == pytest.approx(spearmanr(x, y).statistic, abs=1e-12)


"""Fagin, Kumar, Sivakumar, "Comparing top k lists", 2003: items missing from a list are below.

With z items in common, the lists aligned have their k - z missing items on one level, whose
position is k + (k - z + 1) / 2: this is the location of the footrule F^(l).
"""

top_lists = st.tuples(*[st.permutations("abcdefgh").map(lambda line: line[:4])] * 2)


def aligned(first: list[str], second: list[str]) -> tuple[Any, Any]:
    pair = po.from_ranking(first), po.from_ranking(second)
    return po.align(*pair, how="union", missing="below")


@given(top_lists, st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1)]))
def test_kendall(lists: tuple[list[str], list[str]], p: Fraction) -> None:
    counts = pair_up(*aligned(*lists)).counts
    one_sided = counts.target_only + counts.predicted_only
    assert counts.discordant + p * one_sided == kendall_of_lists(*lists, p)


@given(top_lists)
def test_footrule(lists: tuple[list[str], list[str]]) -> None:
    first, second = lists
    k, z = len(first), len({*first} & {*second})
    location = k + Fraction(k - z + 1, 2)
    moved = footrule_distance(*aligned(first, second))
    assert moved == footrule_of_lists(first, second, location)
    assert moved == footrule_of_lists(first, second, Fraction(k + 1)) + (k - z) * (k - z - 1)


def kendall_of_lists(first: list[str], second: list[str], p: Fraction) -> Fraction:
    """K^(p): the four cases of the paper."""
    total = Fraction(0)
    for i, j in combinations(sorted({*first, *second}), 2):
        sides = [[x for x in (i, j) if x in line] for line in (first, second)]
        if len(sides[0]) == len(sides[1]) == 2:
            orders = [line.index(i) < line.index(j) for line in (first, second)]
            total += orders[0] != orders[1]
        elif len(sides[0]) == len(sides[1]):
            total += 1
        elif 0 in map(len, sides):
            total += p
        else:
            full, other = (first, sides[1]) if len(sides[0]) == 2 else (second, sides[0])
            (known,) = other
            missing = j if known == i else i
            total += full.index(missing) < full.index(known)
    return total


def footrule_of_lists(first: list[str], second: list[str], location: Fraction) -> Fraction:
    """F^(l): missing items at the location."""
    ranks = [
        {x: Fraction(line.index(x) + 1) if x in line else location for x in {*first, *second}}
        for line in (first, second)
    ]
    return Fraction(footrule(*ranks))


def test_sums_beyond_64_bits() -> None:
    n = 2_000_000
    up, down = np.arange(n), -np.arange(n)
    assert spearman_distance(up, down) == pytest.approx(n * (n * n - 1) // 3, rel=1e-12)
    assert footrule_distance(up, down) == n * n // 2
    assert spearman_rho(up, down) == -1


def test_rho_never_passes_1() -> None:
    x = np.arange(300_000)
    for i, j in pairwise(range(0, 40, 7)):
        y = x.copy()
        y[[i, j]] = y[[j, i]]
        y[-2] = y[-1]
        assert 0.999 < spearman_rho(x, y) <= 1


def test_hausdorff_footrule_of_partial_orders() -> None:
    partial, weak = po.parse("a > b; c"), {"a": 1, "b": 2, "c": 3}
    with pytest.raises(NotApplicableError, match="found target partial: no formula is known"):
        hausdorff_footrule_distance(partial, weak)
    with pytest.raises(NotApplicableError, match="found predicted partial"):
        hausdorff_footrule_distance(weak, partial)
