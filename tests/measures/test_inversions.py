"""Counting and weighing the pairs of two weak orders: every way against the definition."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from porank.core.compiled_order import levels_of_values
from porank.measures import inversions
from porank.measures.inversions import (
    _weigh_larger_before,
    count_before_in_both,
    count_inversions,
    count_weak_agreement,
    weigh_before_in_both,
    weigh_weak_disagreement,
)
from tests import oracles

#: Around the sizes at which digits, blocks and groups change.
SIZES = (2, 31, 32, 33, 129, 257, 1023, 4097)
#: At most so many items are compared each with each, and a table has at most so many cells an item.
WAYS = {"few items": (10**9, 0), "table": (0, 10**9), "digits": (0, 0)}


def signs(levels: NDArray[Any]) -> NDArray[Any]:
    """1 in row u and column v if u is above v, -1 if below, 0 if they are tied."""
    found: NDArray[Any] = np.sign(levels - levels[:, None])
    return found


def agreement(first: NDArray[Any], second: NDArray[Any]) -> tuple[int, int]:
    """How many pairs stand the same way round in both, how many the other way round."""
    both = signs(first) * signs(second)
    return int(np.sum(both > 0)) // 2, int(np.sum(both < 0)) // 2


def larger_before(numbers: NDArray[Any], weights: NDArray[Any]) -> list[float]:
    """For each place, the weight of the larger numbers before it."""
    return [float(weights[:i] @ (numbers[:i] > numbers[i])) for i in range(numbers.size)]


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Have only one of the ways used."""
    monkeypatch.setattr(inversions, "MOST_COMPARED", WAYS[request.param][0])
    monkeypatch.setattr(inversions, "_CELLS_AN_ITEM", WAYS[request.param][1])
    return str(request.param)


def test_all_pairs_of_small_weak_orders(way: str) -> None:
    for n in range(1, 5):
        every = [np.array([*scores.values()], np.int64) for scores in oracles.weak_orders(n)]
        for first, second in product(every[::2], every):
            assert count_weak_agreement(first, second) == agreement(first, second), way


@pytest.mark.parametrize("levels", [(1, 9), (3, 4), (20, 400), (10**6, 5), (10**6, 10**6)])
def test_all_ways_agree(way: str, levels: tuple[int, int]) -> None:
    for n in (50, 700):
        rng = np.random.default_rng(n)
        first, second = (levels_of_values(rng.integers(0, k, n)) for k in levels)
        assert count_weak_agreement(first, second) == agreement(first, second), way
        assert count_weak_agreement(first, first) == agreement(first, first), way
        both = ((signs(first) < 0) & (signs(second) < 0)).sum(axis=1)
        assert count_before_in_both(first, second).tolist() == both.tolist()


@given(st.data())
def test_any_two_weak_orders(data: st.DataObject) -> None:
    n = data.draw(st.integers(0, 12))
    numbers = st.lists(st.integers(0, 5), min_size=n, max_size=n)
    first, second = (levels_of_values(data.draw(numbers)) for _ in range(2))
    weights = np.array(data.draw(st.lists(st.integers(0, 2**20), min_size=n, max_size=n)), float)
    assert count_weak_agreement(first, second) == agreement(first, second)
    apart = np.abs(signs(first) - signs(second))
    assert weigh_weak_disagreement(first, second, weights) == weights @ apart @ weights / 2
    before = (signs(first) < 0) & (signs(second) < 0)
    assert count_before_in_both(first, second).tolist() == before.sum(axis=1).tolist()
    assert weigh_before_in_both(first, second, weights).tolist() == (before @ weights).tolist()


def test_all_permutations() -> None:
    for n in range(7):
        weights = 3.0 ** np.arange(n)
        for numbers in map(np.array, permutations(range(n))):
            wanted = larger_before(numbers, weights)
            assert count_inversions(numbers) == sum(larger_before(numbers, np.ones(n)))
            assert _weigh_larger_before(numbers, weights).tolist() == wanted


@pytest.mark.parametrize("blocks", [1, 4, 1024])
def test_sizes_of_digits_and_blocks(blocks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inversions, "_BLOCKS", blocks)
    for n in SIZES:
        rng, up = np.random.default_rng(n), np.arange(n)
        assert count_inversions(up) == 0
        assert count_inversions(up[::-1]) == n * (n - 1) // 2
        for distance in (1, n // 2, n - 1):
            swapped = up.copy()
            swapped[[0, distance]] = swapped[[distance, 0]]
            assert count_inversions(swapped) == 2 * distance - 1
        numbers, weights = rng.permutation(n), rng.integers(1, 9, n).astype(float)
        for some in (numbers, numbers % 3, numbers % 257):
            assert count_inversions(some) == sum(larger_before(some, np.ones(n)))
        assert _weigh_larger_before(numbers, weights).tolist() == larger_before(numbers, weights)


@pytest.mark.slow
def test_four_digits() -> None:
    n = 2**18 + 3
    turned = np.roll(np.arange(n), 1000)
    assert count_inversions(turned) == 1000 * (n - 1000)
    assert _weigh_larger_before(turned, np.full(n, 2.0)).sum() == 2000 * (n - 1000)


def test_a_heavy_item_does_not_drown_the_others() -> None:
    """The tied pairs taken from the square of the sum would give 0 or 2 here."""
    weights = np.array([1e12, 1e-3, 1.0])
    assert weigh_weak_disagreement(np.array([0, 1, 1]), np.array([0, 1, 2]), weights) == 1e-3
