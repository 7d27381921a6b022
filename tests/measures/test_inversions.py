"""Counting and weighing the pairs of two weak orders: every way against the definition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from scipy.stats import kendalltau

from porank.core.compiled_order import levels_of_values
from porank.measures import inversions
from porank.measures import inversions as radix
from porank.measures.correlation import kendall_tau
from porank.measures.inversions import (
    _weigh_larger_before,
    count_inversions,
    count_weak_agreement,
    weigh_weak_disagreement,
)
from tests import oracles

#: Around the sizes at which digits, blocks and groups change.
SIZES = (2, 31, 32, 33, 129, 257, 1023, 4097)


def levels(n: int) -> list[NDArray[Any]]:
    """All weak orders of n items."""
    return [np.array(list(scores.values()), np.int64) for scores in oracles.weak_orders(n)]


def agreement(first: Sequence[Any], second: Sequence[Any]) -> tuple[int, int]:
    """How many pairs stand the same way round in both, how many the other way round."""
    signs = [
        (first[i] - first[j]) * (second[i] - second[j])
        for i, j in combinations(range(len(first)), 2)
    ]
    return sum(sign > 0 for sign in signs), sum(sign < 0 for sign in signs)


def disagreement(first: Sequence[Any], second: Sequence[Any], weights: Sequence[Any]) -> Any:
    """Twice the weight of the pairs that stand the other way round, once of those tied in one."""

    def sign(levels: Sequence[Any], i: int, j: int) -> int:
        return int(levels[i] > levels[j]) - int(levels[i] < levels[j])

    return sum(
        weights[i] * weights[j] * abs(sign(first, i, j) - sign(second, i, j))
        for i, j in combinations(range(len(first)), 2)
    )


def by_matrix(first: NDArray[Any], second: NDArray[Any]) -> tuple[int, int]:
    """`agreement`, for more items."""
    signs = np.sign(first[:, None] - first) * np.sign(second[:, None] - second)
    return int(np.sum(signs > 0)) // 2, int(np.sum(signs < 0)) // 2


@pytest.fixture(params=["few items", "table", "digits"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Have only one of the ways used."""
    name: str = request.param
    monkeypatch.setattr(inversions, "MOST_COMPARED", 10**9 if name == "few items" else 0)
    monkeypatch.setattr(inversions, "_CELLS_AN_ITEM", 10**9 if name == "table" else 0)
    return name


@pytest.mark.parametrize("n", range(1, 5))
def test_all_pairs_of_weak_orders(way: str, n: int) -> None:
    for first, second in product(levels(n)[::2], levels(n)):
        expected = agreement(first.tolist(), second.tolist())
        assert count_weak_agreement(first, second) == expected, way


def test_no_item() -> None:
    nothing: NDArray[Any] = np.zeros(0, dtype=np.int64)
    assert count_weak_agreement(nothing, nothing) == (0, 0)
    assert weigh_weak_disagreement(nothing, nothing, nothing) == 0
    assert count_inversions(nothing) == 0


@pytest.mark.parametrize("n", [50, 700])
@pytest.mark.parametrize("levels", [(1, 9), (3, 4), (20, 400), (10**6, 5), (10**6, 10**6)])
def test_all_ways_agree(way: str, n: int, levels: tuple[int, int]) -> None:
    rng = np.random.default_rng(n)
    first, second = (levels_of_values(rng.integers(0, k, n)) for k in levels)
    assert count_weak_agreement(first, second) == by_matrix(first, second), way
    assert count_weak_agreement(first, first) == by_matrix(first, first), way


@given(st.data())
def test_any_two_weak_orders(data: st.DataObject) -> None:
    n = data.draw(st.integers(0, 12))
    numbers = st.lists(st.integers(0, 5), min_size=n, max_size=n)
    first, second = (levels_of_values(data.draw(numbers)) for _ in range(2))
    assert count_weak_agreement(first, second) == agreement(first.tolist(), second.tolist())
    weights = data.draw(st.lists(st.integers(0, 2**20), min_size=n, max_size=n))
    expected = disagreement(first.tolist(), second.tolist(), weights)
    assert weigh_weak_disagreement(first, second, np.array(weights, np.float64)) == expected


class TestInversions:
    """Larger numbers before smaller ones."""

    @pytest.mark.parametrize("n", range(1, 7))
    def test_all_permutations(self, n: int) -> None:
        weights = 3.0 ** np.arange(n)
        for numbers in permutations(range(n)):
            inverted = [(i, j) for i, j in combinations(range(n), 2) if numbers[i] > numbers[j]]
            assert count_inversions(np.array(numbers)) == len(inverted)
            total = sum(int(weights[i] * weights[j]) for i, j in inverted)
            assert weights @ _weigh_larger_before(np.array(numbers), weights) == total

    @pytest.mark.parametrize("levels", [1, 3, 256, 257, 900])
    def test_equal_numbers(self, levels: int) -> None:
        numbers = np.random.default_rng(levels).permutation(np.arange(1500) % levels)
        assert count_inversions(numbers) == np.count_nonzero(np.triu(numbers[:, None] > numbers))

    @pytest.mark.parametrize("n", SIZES)
    def test_no_digit_is_forgotten(self, n: int) -> None:
        up = np.arange(n)
        assert count_inversions(up) == 0
        assert count_inversions(up[::-1]) == n * (n - 1) // 2
        for distance in (1, n // 2, n - 1):
            swapped = up.copy()
            swapped[[0, distance]] = swapped[[distance, 0]]
            assert count_inversions(swapped) == max(2 * distance - 1, 0)

    @pytest.mark.parametrize("n", SIZES)
    @pytest.mark.parametrize("blocks", [1, 4, 1024])
    def test_counts_are_weights_of_one(
        self, n: int, blocks: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(radix, "_BLOCKS", blocks)
        rng = np.random.default_rng(n)
        numbers, weights = rng.permutation(n), rng.integers(0, 9, n).astype(np.float64)
        assert count_inversions(numbers) == by_matrix(np.arange(n), numbers)[1]
        assert _weigh_larger_before(numbers, np.ones(n)).sum() == count_inversions(numbers)
        inverted = np.triu(numbers[:, None] > numbers)
        expected = weights @ inverted.astype(int)
        assert _weigh_larger_before(numbers, weights).tolist() == expected.tolist()

    @pytest.mark.slow
    def test_four_digits(self) -> None:
        n = 2**18 + 3
        turned = np.roll(np.arange(n), 1000)
        assert count_inversions(turned) == 1000 * (n - 1000)
        assert _weigh_larger_before(turned, np.full(n, 2.0)).sum() == 2000 * (n - 1000)


class TestCrossing:
    """Two weak orders as one permutation."""

    def test_a_heavy_item_does_not_drown_the_others(self) -> None:
        # Taking the tied pairs from the square of the sum would give 0 or 2 here.
        weights = np.array([1e12, 1e-3, 1.0])
        first, second = np.array([0, 1, 1]), np.array([0, 1, 2])
        assert weigh_weak_disagreement(first, second, weights) == 1e-3


class TestSciPy:
    """`scipy.stats` as an outside oracle."""

    @pytest.mark.parametrize("n", [10, 3000])
    @pytest.mark.parametrize("levels", [4, 10**9])
    def test_kendalltau(self, n: int, levels: int) -> None:
        rng = np.random.default_rng(n)
        x, y = rng.integers(0, levels, (2, n))
        assert math.isclose(kendall_tau(x, y), kendalltau(x, y).statistic, abs_tol=1e-12)
        x, y = x + rng.choice([0, 0.25], n), np.round(rng.normal(size=n), 2)
        assert math.isclose(kendall_tau(x, y), kendalltau(x, y).statistic, abs_tol=1e-12)


@given(
    arrays.arrays(
        st.sampled_from([np.int8, np.uint8, np.int64, np.uint64, np.float32, np.float64, np.bool_]),
        st.integers(0, 30),
        elements=None,
        unique=False,
    )
)
def test_layers_of_arrays_of_any_type(values: NDArray[Any]) -> None:
    if values.dtype.kind == "f":
        values = np.nan_to_num(values, nan=0.0, posinf=np.inf, neginf=-np.inf)
    distinct = sorted(set(values.tolist()), reverse=True)
    assert levels_of_values(values).tolist() == [distinct.index(v) for v in values.tolist()]
