"""Generalized Kendall distance and footrule: by definition, and every number that is printed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, islice, permutations, product
from math import log
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import weightedtau

import porank as po
from porank.measures import generalized as weighing
from porank.measures.generalized import (
    generalized_footrule,
    generalized_footrule_terms,
    generalized_kendall,
    generalized_kendall_terms,
)
from porank.measures.positions import dcg_position_costs
from tests import oracles
from tests.strategies import orders

BOTH = [generalized_kendall, generalized_footrule]
both = pytest.mark.parametrize("distance", BOTH)


class Oracle:
    """K and F by the formulas of the slides, and by section 9 where an order is not total."""

    def __init__(
        self,
        target: nx.DiGraph,
        predicted: nx.DiGraph,
        *,
        weights: Any = None,
        position_costs: Sequence[Any] | None = None,
        fixed: str = "one",
        dissimilarity: Callable[[Any, Any], Any] = lambda u, v: int(u != v),
    ) -> None:
        self.items = list(target)
        self.said = oracles.closure(target.edges), oracles.closure(predicted.edges)
        self.weight = weights or dict.fromkeys(self.items, 1)
        self.dissimilarity = dissimilarity
        if position_costs is not None:
            self.costs = dict(enumerate(position_costs, 2))
            self.weight = {u: self.weight[u] * self.mean_cost(u, fixed) for u in self.items}

    def position(self, side: int, u: Any) -> int:
        """One more than the items above."""
        return 1 + len([v for _, v in self.said[side] if v == u])

    def mean_cost(self, u: Any, fixed: str) -> Any:
        """The mean cost of the positions between the two of an item."""
        i, s = self.position(0, u), self.position(1, u)
        if i != s:
            between = range(min(i, s) + 1, max(i, s) + 1)
            return sum(Fraction(self.costs[k]) for k in between) / abs(i - s)
        near = [Fraction(self.costs[k]) for k in (i, i + 1) if k in self.costs]
        return sum(near) / len(near) if fixed == "local" and near else 1

    def x(self, side: int, u: Any, v: Any) -> Fraction:
        """What u loses of its position to v."""
        loses, wins = (v, u) in self.said[side], (u, v) in self.said[side]
        return Fraction(1, 2) + Fraction(loses - wins, 2)

    def kendall(self) -> Any:
        return sum(
            self.weight[u]
            * self.weight[v]
            * self.dissimilarity(u, v)
            * abs(self.x(0, u, v) - self.x(1, u, v))
            for u, v in combinations(self.items, 2)
        )

    def moves(self) -> dict[Any, Any]:
        return {
            u: self.weight[u]
            * abs(
                sum(
                    self.weight[v] * self.dissimilarity(u, v) * (self.x(0, u, v) - self.x(1, u, v))
                    for v in self.items
                )
            )
            for u in self.items
        }


def ranking(sigma: Sequence[int]) -> nx.DiGraph:
    """The prediction that puts item i at position sigma(i)."""
    items: list[int] = sorted(range(1, len(sigma) + 1), key=lambda i: sigma[i - 1])
    return po.from_ranking(items)


def identity(n: int) -> nx.DiGraph:
    return po.from_ranking(range(1, n + 1))


def kendall_and_footrule(sigma: Sequence[int], **options: Any) -> tuple[float, float]:
    """K and F of a permutation, by porank."""
    target, predicted = identity(len(sigma)), ranking(sigma)
    return (
        generalized_kendall(target, predicted, **options),
        generalized_footrule(target, predicted, **options),
    )


def near(value: Any) -> Any:
    """The value, but for rounding."""
    if isinstance(value, dict):
        return pytest.approx({key: float(each) for key, each in value.items()}, rel=1e-12)
    return pytest.approx(float(value), rel=1e-12)


class TestPrinted:
    """The numbers of the slides, and of those who checked them."""

    @pytest.mark.parametrize(
        ("sigma", "fixed", "kendall", "footrule"),
        [
            ((2, 1, 3), "one", 0.2835091942, 0.5670183883),
            ((1, 3, 2), "one", 0.0356800767, 0.0713601533),
            ((3, 2, 1), "one", 0.8514330818, 0.9815186431),
            ((3, 2, 1), "local", 0.3902566839, 0.5203422452),
        ],
    )
    def test_dcg(self, sigma: Any, fixed: str, kendall: float, footrule: float) -> None:
        options = {"position_costs": dcg_position_costs(3), "fixed": fixed}
        values = kendall_and_footrule(sigma, **options)
        assert values == pytest.approx((kendall, footrule), abs=1e-10)

    def test_dcg_costs(self) -> None:
        costs = dcg_position_costs(6)
        assert costs == pytest.approx([1 / log(k) - 1 / log(k + 1) for k in range(2, 7)])
        assert sum(costs) == pytest.approx(1 / log(2) - 1 / log(7))
        assert costs == sorted(costs, reverse=True)
        assert dcg_position_costs(3, base=2) == pytest.approx([log(2) * c for c in costs[:2]])
        assert [len(dcg_position_costs(n)) for n in range(4)] == [0, 0, 1, 2]

    def test_dcg_costs_of_far_positions_keep_their_digits(self) -> None:
        # 1 / log(k) - 1 / log(k + 1) would have lost six digits.
        k = 10**5
        by_series = (1 / k - 1 / (2 * k**2) + 1 / (3 * k**3)) / (log(k) * log(k + 1))
        assert math.isclose(dcg_position_costs(k)[-1], by_series, rel_tol=1e-14)

    def test_partial_orders_at_zero_that_differ(self) -> None:
        one, other = po.parse("b > c > d; a"), po.parse("b > a > d; c")
        assert generalized_footrule(one, other) == 0
        assert generalized_kendall(one, other) == 2


class TestByDefinition:
    """All small cases against the oracle."""

    @pytest.mark.parametrize("n", range(5))
    def test_permutations_with_everything(self, n: int) -> None:
        weights = {1: 3, 2: Fraction(1, 2), 3: 0, 4: 5}
        costs = [Fraction(3), Fraction(2, 7), 1][: max(n - 1, 0)]

        def unlike(u: int, v: int) -> Fraction:
            return Fraction(abs(u - v), u + v)

        choices: list[dict[str, Any]] = [
            {"weights": weights},
            {"position_costs": costs},
            {"position_costs": costs, "fixed": "local"},
            {"dissimilarity": unlike},
            {"weights": weights, "position_costs": costs, "dissimilarity": unlike},
        ]
        for sigma, options in product(permutations(range(1, n + 1)), choices):
            expected = Oracle(identity(n), ranking(sigma), **options)
            kendall, footrule = kendall_and_footrule(sigma, **options)
            assert kendall == near(expected.kendall())
            assert footrule == near(sum(expected.moves().values()))

    @pytest.mark.parametrize("n", range(4))
    def test_all_partial_orders(self, n: int) -> None:
        for one, other in product(oracles.strict_orders(n), repeat=2):
            self.agree(one, other)
            self.agree(one, other, weights={0: 2, 1: Fraction(1, 3), 2: 7})

    @pytest.mark.slow
    def test_all_partial_orders_of_four_items(self) -> None:
        every = list(oracles.strict_orders(4))
        for one, other in islice(product(every, repeat=2), 0, None, 7):
            self.agree(one, other, weights={0: 2, 1: 3, 2: 5, 3: 7})

    @given(orders(), st.data())
    def test_any_orders(self, target: nx.DiGraph, data: st.DataObject) -> None:
        line = data.draw(st.permutations(list(target)))
        predicted = nx.DiGraph()
        predicted.add_nodes_from(line)
        predicted.add_edges_from(
            pair for pair in combinations(line, 2) if data.draw(st.booleans(), label=str(pair))
        )
        # Floats hold their products and sums.
        amounts = st.integers(0, 40).map(lambda eighths: Fraction(eighths, 8)) | st.integers(0, 999)
        weights = {item: data.draw(amounts) for item in line}
        unlike = {pair: data.draw(amounts) for pair in combinations(line, 2)}

        def dissimilarity(u: Any, v: Any) -> Any:
            return 0 if u is v else unlike.get((u, v), unlike.get((v, u)))

        self.agree(target, predicted, weights=weights)
        self.agree(target, predicted, weights=weights, dissimilarity=dissimilarity)

    @staticmethod
    def agree(one: nx.DiGraph, other: nx.DiGraph, **options: Any) -> None:
        expected = Oracle(one, other, **options)
        kendall, moves = expected.kendall(), expected.moves()
        assert generalized_kendall(one, other, **options) == near(kendall)
        assert generalized_footrule(one, other, **options) == near(sum(moves.values()))
        assert generalized_footrule_terms(one, other, **options) == near(moves)
        terms = generalized_kendall_terms(one, other, **options)
        assert sum(terms.values()) == near(kendall)

    def test_wide_orders_in_several_blocks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        one, other = (po.random_order(40, dimension=3, seed=seed) for seed in (1, 2))
        weights = {item: number % 5 for number, item in enumerate(one)}
        expected = Oracle(one, other, weights=weights)
        monkeypatch.setattr(weighing, "_ENTRIES", 90)
        value = generalized_kendall(one, other, weights=weights)
        assert value == expected.kendall()
        terms = generalized_footrule_terms(one, other, weights=weights)
        assert terms == expected.moves()


class TestIdentities:
    """What must hold between the values."""

    @pytest.mark.parametrize("n", [1, 4])
    def test_units_change_nothing(self, n: int) -> None:
        for sigma in permutations(range(1, n + 1)):
            plain = kendall_and_footrule(sigma)
            assert plain[0] == sum(a > b for a, b in combinations(sigma, 2))
            assert plain[1] == sum(abs(i - s) for i, s in enumerate(sigma, 1))
            for options in (
                {"weights": np.ones(n)},
                {"position_costs": [1] * (n - 1)},
                {"position_costs": [1.0] * (n - 1), "fixed": "local"},
                {"dissimilarity": 1 - np.eye(n)},
            ):
                assert kendall_and_footrule(sigma, **options) == plain

    @both
    def test_equal_orders_are_at_zero(self, distance: Any) -> None:
        rng = np.random.default_rng(0)
        weights = rng.random(3000) * 10.0 ** rng.integers(-9, 9, 3000)
        for scores in (rng.integers(0, 9, 3000), rng.permutation(3000)):
            assert distance(scores, scores, weights=weights) == 0
        G = po.random_order(50, dimension=3, seed=0)
        assert distance(G, G.copy(), weights=weights[:50]) == 0

    @pytest.mark.parametrize("n", [2, 100, 3000])
    def test_scipy_weightedtau(self, n: int) -> None:
        rng = np.random.default_rng(n)
        x, y = rng.permutation(n), rng.permutation(n)
        weights = 1 / (1 + np.arange(n))
        theirs = weightedtau(x, y, rank=np.arange(n), additive=False).statistic
        everything = (weights.sum() ** 2 - (weights**2).sum()) / 2
        ours = generalized_kendall(x, y, weights=weights)
        assert math.isclose(1 - 2 * ours / everything, theirs, rel_tol=1e-9)
