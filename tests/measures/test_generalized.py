"""Generalized Kendall distance and footrule: by definition, and every number that is printed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from math import log
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import weightedtau

import porank as po
from porank.measures import generalized as weighing
from porank.measures.generalized import generalized_footrule_terms, generalized_kendall_terms
from porank.measures.positions import dcg_position_costs
from tests import oracles
from tests.strategies import order_pairs


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
    """The value, but for rounding."""
    return pytest.approx(float(value), rel=1e-12)


def agree(one: nx.DiGraph, other: nx.DiGraph, **options: Any) -> None:
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


def test_permutations_with_everything() -> None:
    weights, prices = {1: 3, 2: Fraction(1, 2), 3: 0, 4: 5}, [Fraction(3), Fraction(2, 7), 1]

    def unlike(u: int, v: int) -> Fraction:
        return Fraction(abs(u - v), u + v)

    for n in range(5):
        costs = prices[: max(n - 1, 0)]
        choices: list[dict[str, Any]] = [
            {"weights": weights},
            {"position_costs": costs},
            {"position_costs": costs, "fixed": "local"},
            {"dissimilarity": unlike},
            {"weights": weights, "position_costs": costs, "dissimilarity": unlike},
        ]
        for line, options in product(permutations(range(1, n + 1)), choices):
            agree(po.from_ranking(range(1, n + 1)), po.from_ranking(line), **options)


def test_partial_orders() -> None:
    for one, other in product(oracles.strict_orders(3), repeat=2):
        agree(one, other, weights={0: 2, 1: Fraction(1, 3), 2: 7})


@given(order_pairs(max_items=7), st.data())
def test_any_orders(pair: tuple[nx.DiGraph, nx.DiGraph], data: st.DataObject) -> None:
    # Floats hold their products and sums.
    amounts = st.integers(0, 40).map(lambda eighths: Fraction(eighths, 8)) | st.integers(0, 999)
    weights = {item: data.draw(amounts) for item in pair[0]}
    apart = {frozenset(two): data.draw(amounts) for two in combinations(pair[0], 2)}
    agree(*pair)
    agree(*pair, weights=weights, dissimilarity=lambda u, v: apart.get(frozenset((u, v)), 0))


def test_wide_orders_in_several_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (po.random_order(40, dimension=3, seed=seed) for seed in (1, 2))
    monkeypatch.setattr(weighing, "_ENTRIES", 90)
    agree(one, other, weights={item: number % 5 for number, item in enumerate(one)})


@pytest.mark.parametrize(
    ("sigma", "fixed", "kendall", "footrule"),
    [
        ((2, 1, 3), "one", 0.2835091942, 0.5670183883),
        ((1, 3, 2), "one", 0.0356800767, 0.0713601533),
        ((3, 2, 1), "one", 0.8514330818, 0.9815186431),
        ((3, 2, 1), "local", 0.3902566839, 0.5203422452),
    ],
)
def test_the_numbers_of_the_slides(sigma: Any, fixed: str, kendall: float, footrule: float) -> None:
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


@pytest.mark.parametrize("n", [2, 100, 3000])
def test_scipy_agrees(n: int) -> None:
    rng = np.random.default_rng(n)
    x, y = rng.permutation(n), rng.permutation(n)
    weights = 1 / (1 + np.arange(n))
    theirs = weightedtau(x, y, rank=np.arange(n), additive=False).statistic
    everything = (weights.sum() ** 2 - (weights**2).sum()) / 2
    ours = po.generalized_kendall(x, y, weights=weights)
    assert math.isclose(1 - 2 * ours / everything, theirs, rel_tol=1e-9)


# What weights, costs and dissimilarities may be.


def test_forms_of_weights_and_dissimilarities() -> None:
    scores, turned = {"a": 3, "b": 2, "c": 1}, {"c": 2, "a": 3, "b": 1}
    for weights in (
        {"b": 2, "a": 1, "c": 3, "unknown": "x"},
        (1, 2, 3),
        np.array([1, 2, 3], dtype=np.uint8),
        np.array([1.0, 2.0, 3.0], dtype=np.float32),
        np.array([1, Fraction(2), 3], dtype=object),
        [np.int64(1), np.float64(2), 3],
        pd.Series([3, 1, 2], index=["c", "a", "b"]),
    ):
        assert po.generalized_kendall(scores, turned, weights=weights) == 6
    one, other = po.parse("a > b > c"), po.parse("c > b > a")
    for dissimilarity in (
        [[0, 1, 2], [1, 0, 4], [2, 4, 0]],
        np.array([[0, 1, 2], [1, 0, 4], [2, 4, 0.0]]),
        {("a", "b"): 1, ("c", "a"): 2, ("b", "c"): 4},
        {("a", "b"): 1, ("b", "a"): 1, ("c", "a"): 2, ("b", "c"): 4, ("a", "a"): 0},
        lambda u, v: {"ab": 1, "ac": 2, "bc": 4}.get("".join(sorted(u + v)), 0),
        pd.DataFrame([[0, 4, 2], [4, 0, 1], [2, 1, 0]], index=[*"cba"], columns=[*"cba"]),
    ):
        assert po.generalized_kendall(one, other, dissimilarity=dissimilarity) == 7


def test_what_floats_leave_is_no_dissimilarity() -> None:
    """A diagonal of 1e-16, directions that differ in the last digit, a zero just below zero."""
    rng = np.random.default_rng(0)
    exact = np.round(1 - np.corrcoef(rng.normal(size=(5, 7))), 6)
    rough = exact + 1e-13 * rng.normal(size=exact.shape)
    one, other = rng.permutation(5), rng.permutation(5)
    for distance in (po.generalized_kendall, po.generalized_footrule):
        value = distance(one, other, dissimilarity=rough)
        assert value == pytest.approx(distance(one, other, dissimilarity=exact), rel=1e-9)


def test_lists_are_by_number_where_the_items_are_numbers() -> None:
    """Whatever the sequence in which 0..n-1 were added to the graph."""
    predicted = po.from_ranking([1, 2, 0])
    dissimilarity = np.array([[0, 1, 5], [1, 0, 2], [5, 2, 0]])
    for sequence in ([0, 1, 2], [2, 1, 0], [1, 2, 0]):
        target = nx.DiGraph()
        target.add_nodes_from(sequence)
        target.add_edges_from([(0, 1), (1, 2)])
        assert po.generalized_kendall(target, predicted, weights=[1, 2, 3]) == 5
        assert po.generalized_kendall(target, predicted, dissimilarity=dissimilarity) == 6
