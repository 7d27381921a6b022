"""Arrays sorted and ranked: as NumPy sorts, whatever the numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
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


def test_levels_rank_values_as_numpy_sorts_them() -> None:
    for name, column in COLUMNS.items():
        for values in (column[:0], column[:1], column[:2], column):
            different = np.unique(values)
            levels = levels_of_values(values)
            assert np.array_equal(different[different.size - 1 - levels], values), name


def test_equals_stay_in_sequence() -> None:
    for most in (1, 2**16 - 1, 2**16, 2**21 - 1, 2**21, 2**32 - 1):
        numbers = RNG.choice(RNG.integers(0, most, 50, endpoint=True), N)
        for some in (numbers, numbers[:0], np.array([most, 0, most])):
            assert np.array_equal(stable_order(some), np.argsort(some, kind="stable"))


def test_rows_are_the_numbers_that_stand_in_them() -> None:
    for n in (0, 1, 2, 60):
        rows = np.sort(RNG.integers(0, max(n, 1), 3 * n))
        numbers = RNG.integers(0, 9, rows.size)
        assert lists_of_rows(n, rows, numbers) == [numbers[rows == k].tolist() for k in range(n)]


@given(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(0, 3)))
def test_distinct_integers_are_those_of_numpy(values: list[int]) -> None:
    given_values = np.array(values, dtype=np.int64)
    first, number = distinct(given_values)
    wanted = np.unique(given_values, return_index=True, return_inverse=True)
    assert [first.tolist(), number.tolist()] == [each.tolist() for each in wanted[1:]]
