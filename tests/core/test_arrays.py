"""Arrays sorted and ranked: as NumPy sorts, whatever the numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from porank.core.arrays import distinct, lists_of_rows, stable_order
from porank.core.compiled_order import levels_of_values

RNG = np.random.default_rng(0)
N = 2_000
NORMAL = RNG.normal(size=N)

COLUMNS: dict[str, NDArray[Any]] = {
    "normal": NORMAL,
    "ties": np.round(NORMAL, 2),
    "all equal": np.ones(N),
    "infinite": np.where(np.abs(NORMAL) > 1, np.inf * NORMAL, NORMAL),
    "next to one another": 1.0 + np.arange(N)[::-1] * 2.0**-52,
    "far away": np.where(RNG.random(N) < 0.001, 1e308, NORMAL * 1e-300),
    "both zeros": np.where(NORMAL < 0, -0.0, 0.0),
    "single precision": NORMAL.astype(np.float32),
    "half precision": NORMAL.astype(np.float16),
    "long double": NORMAL.astype(np.longdouble),
    "large integers": RNG.integers(-(2**63), 2**63 - 1, N, endpoint=True),
    "beyond 2**53": 2**60 + RNG.permutation(N),
    "unsigned": RNG.integers(0, 2**64 - 1, N, dtype=np.uint64),
    "small integers": RNG.integers(-5, 5, N),
    "signed bytes": RNG.integers(-128, 127, N, dtype=np.int8, endpoint=True),
}


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("n", [1, 2, N])
def test_layers_rank_values_as_numpy_sorts_them(name: str, n: int) -> None:
    values = COLUMNS[name][:n]
    distinct = np.unique(values)
    assert np.array_equal(distinct[distinct.size - 1 - levels_of_values(values)], values)


def test_nothing() -> None:
    assert levels_of_values(np.zeros(0)).tolist() == []
    assert stable_order(np.zeros(0, dtype=np.int64)).tolist() == []


@pytest.mark.parametrize("most", [1, 2**16 - 1, 2**16, 2**21 - 1, 2**21, 2**32 - 1])
def test_equals_stay_in_sequence(most: int) -> None:
    numbers = RNG.choice(RNG.integers(0, most, 50, endpoint=True), 2000)
    assert np.array_equal(stable_order(numbers), np.argsort(numbers, kind="stable"))
    assert stable_order(np.array([most, 0, most])).tolist() == [1, 0, 2]


@pytest.mark.parametrize("n", [0, 1, 2, 60])
def test_rows_are_the_numbers_that_stand_in_them(n: int) -> None:
    rows = np.sort(RNG.integers(0, max(n, 1), 3 * n))
    numbers = RNG.integers(0, 9, rows.size)
    pairs = list(zip(rows.tolist(), numbers.tolist(), strict=True))
    expected = [[number for row, number in pairs if row == own] for own in range(n)]
    assert lists_of_rows(n, rows, numbers) == expected


@given(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(0, 3)))
def test_distinct_integers_are_those_of_numpy(values: list[int]) -> None:
    given_values = np.array(values, dtype=np.int64)
    first, number = distinct(given_values)
    wanted = np.unique(given_values, return_index=True, return_inverse=True)
    assert [first.tolist(), number.tolist()] == [each.tolist() for each in wanted[1:]]
