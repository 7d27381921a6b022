"""The sign test, and how many more units would settle a pair."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from porank.abstention.settled import sign_p_values, sign_test, units_lacking


@given(st.integers(0, 12), st.integers(0, 12))
def test_so_many_more_units_would_settle_a_pair(one: int, other: int) -> None:
    n, limit = one + other, 0.01
    if not n:
        return
    share = max(one, other) / n

    def is_settled(total: int) -> bool:
        better = round(share * total)
        return sign_test(better, total - better) <= limit

    found = units_lacking(one, other, limit)
    if found == math.inf:
        assert not is_settled(100 * n)
    else:
        # A share of whole units differs a little from size to size.
        assert is_settled(n + int(found))
        assert not found or not is_settled(n + int(found) - 1)


def test_p_values_are_those_of_scipy() -> None:
    for n in (1, 2, 9, 60, 1001, 200_000):
        k = np.unique(np.linspace(0, n, 30).astype(int))
        expected = [binomtest(int(heads), n).pvalue for heads in k]
        np.testing.assert_allclose(sign_p_values(k, n - k), expected, rtol=1e-8, atol=1e-300)
