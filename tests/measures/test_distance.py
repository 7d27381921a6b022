"""Distances by positions, pairs and weights, against the definitions and what was published."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import log
from statistics import mean
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.core.compiled_order import compile_order
from porank.measures import generalized as weighing
from porank.measures.generalized import generalized_footrule_terms, generalized_kendall_terms
from porank.measures.positions import dcg_position_costs, doubled_positions
from porank.orders.ranks import rank_bounds
from tests.support import oracles
from tests.support.oracles_extensions import linear_extensions
from tests.support.oracles_positions import mid_positions as positions
from tests.support.refusals import refuses
from tests.support.strategies import on_orders, order_pairs

Pair = tuple[nx.DiGraph, nx.DiGraph]


def pearson(r: dict[Any, Fraction], s: dict[Any, Fraction]) -> float:
    """The covariance over the root of the product of the variances."""
    middle = Fraction(len(r) + 1, 2)
    covariance = sum((r[x] - middle) * (s[x] - middle) for x in r)
    spread = sum((r[x] - middle) ** 2 for x in r) * sum((s[x] - middle) ** 2 for x in r)
    return float(covariance) / math.sqrt(spread) if spread else math.nan


@on_orders(max_items=5)
def test_positions_and_bounds_by_definition(G: nx.DiGraph) -> None:
    assert doubled_positions(compile_order(G)).tolist() == [2 * positions(G)[x] for x in G]
    places = [[1 + line.index(x) for line in linear_extensions(G)] for x in G]
    best, worst = rank_bounds(compile_order(G))
    assert best.tolist() == list(map(min, places))
    assert worst.tolist() == list(map(max, places))


@given(order_pairs(max_items=5))
def test_measures_of_positions_by_definition(pair: Pair) -> None:
    S, T = pair
    r, s = map(positions, pair)
    assert po.footrule_distance(S, T) == sum(abs(r[x] - s[x]) for x in r)
    assert po.spearman_distance(S, T) == sum((r[x] - s[x]) ** 2 for x in r)
    assert po.spearman_rho(S, T) == pytest.approx(pearson(r, s), abs=1e-15, nan_ok=True)
    weighed = sum(abs(r[x] - s[x]) / math.log(r[x] + 1, 3) for x in S)
    assert po.discounted_error(S, T, base=3) == pytest.approx(weighed, rel=1e-14)
    tops = [x for x in S if r[x] == min(r.values())]
    if tops:
        assert po.position_error(S, T) == pytest.approx(float(mean(s[x] - 1 for x in tops)))
        places = [line.index(x) for line in linear_extensions(T) for x in tops]
        assert po.position_error(S, T, ties="optimistic") == min(places)
        assert po.position_error(S, T, ties="pessimistic") == max(places)


def test_hausdorff_distances_by_definition() -> None:
    """How far a way to break the ties of one side is from the nearest one of the other."""
    weak = [*oracles.weak_orders(3), *oracles.weak_orders(4)[::7]]
    ranks = [[{x: line.index(x) for x in line} for line in oracles.lists_of(s)] for s in weak]
    for (s, first), (t, second) in product(zip(weak, ranks, strict=True), repeat=2):
        if len(s) == len(t):
            sides = (first, second), (second, first)
            moved, turned = (
                max(min(apart(one, two) for two in b) for a, b in sides for one in a)
                for apart in (footrule, inversions)
            )
            assert po.measures.hausdorff_footrule_distance(s, t) == moved
            assert po.measures.hausdorff_kendall_distance(s, t) == turned


def footrule(r: dict[Any, int], s: dict[Any, int]) -> int:
    return sum(abs(r[x] - s[x]) for x in r)


def inversions(r: dict[Any, int], s: dict[Any, int]) -> int:
    return sum((r[u] < r[v]) != (s[u] < s[v]) for u, v in combinations(r, 2))


@given(*[st.permutations("abcdefgh").map(lambda line: line[:4])] * 2, st.sampled_from([0, 0.5, 1]))
def test_top_k_lists_of_fagin(first: list[str], second: list[str], p: float) -> None:
    """K^(p) by its four cases, and F^(l) with l the middle of the places that are not listed."""
    both = po.align(*map(po.from_ranking, (first, second)), how="union", missing="below")
    kendall, k, z = 0.0, 4, len({*first} & {*second})
    below = k + (k - z + 1) / 2
    sides = [{x: float(i) for i, x in enumerate(line, 1)} for line in (first, second)]
    for u, v in combinations({*first, *second}, 2):
        r, s = ((side.get(u, below), side.get(v, below)) for side in sides)
        kendall += p if r[0] == r[1] or s[0] == s[1] else (r[0] < r[1]) != (s[0] < s[1])
    assert po.partial_kendall_distance(*both, p=p) == kendall
    moved = sum(abs(sides[0].get(x, below) - sides[1].get(x, below)) for x in {*first, *second})
    assert po.footrule_distance(*both) == moved


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=9))
def test_scipy_agrees_on_rho(pairs: list[tuple[int, int]]) -> None:
    from scipy.stats import spearmanr

    x, y = ([pair[side] for pair in pairs] for side in (0, 1))
    if len(set(x)) > 1 and len(set(y)) > 1:
        assert po.spearman_rho(x, y) == pytest.approx(spearmanr(x, y).statistic, abs=1e-12)


@pytest.mark.slow
def test_positions_of_many_items() -> None:
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
        assert 0.999 < po.spearman_rho(x, y) <= 1
    # A sparse order.
    G = nx.DiGraph((i, i + 1) for i in range(9000) if i % 3 < 2)
    assert set(doubled_positions(compile_order(G)).tolist()) == {8999, 9001, 9003}


# Weights of items, costs of positions, dissimilarities.


def by_definition(
    target: nx.DiGraph,
    predicted: nx.DiGraph,
    *,
    weights: Any = None,
    position_costs: Sequence[Any] | None = None,
    fixed: str = "one",
    dissimilarity: Callable[[Any, Any], Any] = lambda u, v: 1,  # noqa: ARG005
) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """K pair by pair and F item by item: the slides, and section 9 where an order is not total."""
    sides = [oracles.closure(G.edges) for G in (target, predicted)]
    weight = dict(weights or dict.fromkeys(target, 1))
    if position_costs is not None:
        costs = dict(enumerate(position_costs, 2))
        for u in target:
            first, last = sorted(1 + sum(v == u for _, v in said) for said in sides)
            weight[u] *= mean_cost(first, last, costs, fixed)

    def summand(u: Any, v: Any) -> Any:
        one, other = (((v, u) in said) - ((u, v) in said) for said in sides)
        return weight[u] * weight[v] * dissimilarity(u, v) * Fraction(one - other, 2)

    pairs = {frozenset((u, v)): abs(summand(u, v)) for u, v in combinations(target, 2)}
    moves = {u: abs(sum(summand(u, v) for v in target if v is not u)) for u in target}
    return pairs, moves


def mean_cost(first: int, last: int, costs: dict[int, Any], fixed: str) -> Any:
    """The mean cost of the positions between the two of an item, or of the ones next to it."""
    passed = range(first + 1, last + 1)
    if first == last and fixed == "local":
        passed = range(first, first + 2)
    known = [Fraction(costs[k]) for k in passed if k in costs]
    return sum(known) / len(known) if known else 1


def near(value: Any) -> Any:
    return pytest.approx(float(value), rel=1e-12)


def assert_as_defined(one: nx.DiGraph, other: nx.DiGraph, **options: Any) -> None:
    """Hold both distances and their terms against the definition."""
    pairs, moves = by_definition(one, other, **options)
    assert po.generalized_kendall(one, other, **options) == near(sum(pairs.values()))
    assert po.generalized_footrule(one, other, **options) == near(sum(moves.values()))
    found = generalized_footrule_terms(one, other, **options)
    assert found == {item: near(move) for item, move in moves.items()}
    terms = generalized_kendall_terms(one, other, **options)
    assert {frozenset(pair): each for pair, each in terms.items() if each} == {
        pair: near(value) for pair, value in pairs.items() if value
    }


@given(st.permutations(range(1, 6)), st.integers(0, 5), st.sampled_from(["one", "local"]))
def test_costs_of_positions_in_permutations(line: list[int], n: int, fixed: str) -> None:
    costs = [3, Fraction(2, 7), 1, 0][: max(n - 1, 0)]
    both = po.from_ranking(range(1, n + 1)), po.from_ranking([x for x in line if x <= n])
    assert_as_defined(*both, position_costs=costs, fixed=fixed)
    weights = {1: 3, 2: Fraction(1, 2), 3: 0, 4: 5, 5: 1}
    apart: dict[str, Any] = {"dissimilarity": lambda u, v: Fraction(abs(u - v), u + v)}
    assert_as_defined(*both, weights=weights, position_costs=costs, fixed=fixed, **apart)


@given(order_pairs(max_items=7), st.data())
def test_weights_of_any_orders(pair: Pair, data: st.DataObject) -> None:
    # Floats hold their products and sums.
    amounts = st.integers(0, 40).map(lambda eighths: Fraction(eighths, 8)) | st.integers(0, 999)
    weights = {item: data.draw(amounts) for item in pair[0]}
    apart = {frozenset(two): data.draw(amounts) for two in combinations(pair[0], 2)}
    assert_as_defined(*pair)
    assert_as_defined(
        *pair, weights=weights, dissimilarity=lambda u, v: apart.get(frozenset((u, v)), 0)
    )


def test_wide_orders_in_several_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (po.random_order(40, dimension=3, seed=seed) for seed in (1, 2))
    monkeypatch.setattr(weighing, "_ENTRIES", 90)
    assert_as_defined(one, other, weights={item: number % 5 for number, item in enumerate(one)})


def test_the_numbers_of_the_slides() -> None:
    for sigma, fixed, kendall, footrule in (
        ((2, 1, 3), "one", 0.2835091942, 0.5670183883),
        ((1, 3, 2), "one", 0.0356800767, 0.0713601533),
        ((3, 2, 1), "one", 0.8514330818, 0.9815186431),
        ((3, 2, 1), "local", 0.3902566839, 0.5203422452),
    ):
        options: dict[str, Any] = {"position_costs": dcg_position_costs(3), "fixed": fixed}
        pair = [-1, -2, -3], [-place for place in sigma]
        assert po.generalized_kendall(*pair, **options) == pytest.approx(kendall, abs=1e-10)
        assert po.generalized_footrule(*pair, **options) == pytest.approx(footrule, abs=1e-10)


def test_costs_of_positions() -> None:
    costs = dcg_position_costs(6)
    assert costs == pytest.approx([1 / log(k) - 1 / log(k + 1) for k in range(2, 7)])
    assert dcg_position_costs(3, base=2) == pytest.approx([log(2) * c for c in costs[:2]])
    assert [len(dcg_position_costs(n)) for n in range(4)] == [0, 0, 1, 2]
    # Far down, 1 / log(k) - 1 / log(k + 1) would have lost six digits.
    k = 10**5
    by_series = (1 / k - 1 / (2 * k**2) + 1 / (3 * k**3)) / (log(k) * log(k + 1))
    assert math.isclose(dcg_position_costs(k)[-1], by_series, rel_tol=1e-14)


def test_scipy_agrees_on_weighted_tau() -> None:
    from scipy.stats import weightedtau

    n = 3000
    rng = np.random.default_rng(n)
    x, y = rng.permutation(n), rng.permutation(n)
    weights = 1 / (1 + np.arange(n))
    theirs = weightedtau(x, y, rank=np.arange(n), additive=False).statistic
    everything = (weights.sum() ** 2 - (weights**2).sum()) / 2
    ours = po.generalized_kendall(x, y, weights=weights)
    assert math.isclose(1 - 2 * ours / everything, theirs, rel_tol=1e-9)


def test_forms_of_weights_and_dissimilarities() -> None:
    scores, turned = {"a": 3, "b": 2, "c": 1}, {"c": 2, "a": 3, "b": 1}
    for weights in (
        {"b": 2, "a": 1, "c": 3, "unknown": "x"},
        (1, 2, 3),
        np.array([1, 2, 3], dtype=np.uint8),
        [np.int64(1), np.float64(2), Fraction(3)],
        pd.Series([3, 1, 2], index=["c", "a", "b"]),
    ):
        assert po.generalized_kendall(scores, turned, weights=weights) == 6
    one, other = po.parse("a > b > c"), po.parse("c > b > a")
    for dissimilarity in (
        [[0, 1, 2], [1, 0, 4], [2, 4, 0]],
        np.array([[0, 1, 2], [1, 0, 4], [2, 4, 0.0]]),
    ):
        assert po.generalized_kendall(one, other, dissimilarity=dissimilarity) == 7
    frame = pd.DataFrame([[0, 4, 2], [4, 0, 1], [2, 1, 0]], index=[*"cba"], columns=[*"cba"])
    refuses(r"lambda u, v: frame\.loc", po.generalized_kendall, one, other, dissimilarity=frame)
    by_name = frame.loc.__getitem__
    assert po.generalized_kendall(one, other, dissimilarity=lambda *pair: by_name(pair)) == 7


def test_what_floats_leave_is_no_dissimilarity() -> None:
    """A diagonal of 1e-16, directions that differ in the last digit, a zero just below zero."""
    rng = np.random.default_rng(0)
    exact = np.round(1 - np.corrcoef(rng.normal(size=(5, 7))), 6)
    rough = exact + 1e-13 * rng.normal(size=exact.shape)
    one, other = rng.permutation(5), rng.permutation(5)
    value = po.generalized_kendall(one, other, dissimilarity=rough)
    assert value == near(po.generalized_kendall(one, other, dissimilarity=exact))


def test_lists_are_by_number_where_the_items_are_numbers() -> None:
    """Whatever the sequence in which 0..n-1 were added to the graph."""
    predicted = po.from_ranking([1, 2, 0])
    dissimilarity = np.array([[0, 1, 5], [1, 0, 2], [5, 2, 0]])
    target = po.from_pairs([(0, 1), (1, 2)], items=[2, 1, 0])
    assert list(target) == [2, 1, 0]
    assert po.generalized_kendall(target, predicted, weights=[1, 2, 3]) == 5
    assert po.generalized_kendall(target, predicted, dissimilarity=dissimilarity) == 6
