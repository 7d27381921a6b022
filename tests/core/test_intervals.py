"""Intervals of means over units: against their definition, and how often they hold."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.core.intervals import chi_square_tail, mean_interval, t_quantile
from tests import oracles_feedback
from tests.benchmarks.intervals import unit_interval


def test_few_units_have_none() -> None:
    ones = np.ones(4)
    assert all(map(math.isnan, mean_interval(ones, ones, 0.025, lowest=0, highest=1)))


def test_they_hold_the_mean_of_values_that_resemble_each_other() -> None:
    for units, mean in product((5, 60), (0.0, 0.5, 0.98)):
        rng, samples, held = np.random.default_rng(units), 400, 0
        for _ in range(samples):
            sizes = rng.geometric(0.4, units)
            unit = np.repeat(np.arange(units), sizes)
            # Most shares lie near an end, or both; values of one unit differ by half as much.
            shares = np.full(units, mean)
            if 0 < mean < 1:
                shares = rng.beta(3 * mean, 3 * (1 - mean), units)
            sides = (shares[unit], 1 - shares[unit])
            values = rng.beta(*(6 * np.maximum(side, 1e-9) for side in sides))
            sums = np.bincount(unit, 5 * values - 2)
            low, high = mean_interval(sums, sizes, 0.025, lowest=-2, highest=3)
            held += low <= 5 * mean - 2 <= high
        assert held >= 0.93 * samples, (units, mean)


UNITS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda both: (both[0], sum(both))),
    max_size=12,
)


@given(UNITS, st.sampled_from([0.025, 0.1]))
def test_an_interval_is_as_defined(units: list[tuple[int, int]], margin: float) -> None:
    right, decided = np.array(units, dtype=np.int64).reshape(-1, 2).T
    deciding = int(np.count_nonzero(decided))
    t = t_quantile(1 - margin, max(deciding - 1, 1))
    exact = [(Fraction(one), Fraction(of)) for one, of in units]
    expected = oracles_feedback.correctness_interval(exact, t)
    low, high = unit_interval(right, decided, margin)
    assert (low, high) == pytest.approx(expected, abs=1e-9, nan_ok=True)
    if deciding >= 5:
        # However many units agree, that is no certainty.
        assert -1 <= low <= 2 * right.sum() / decided.sum() - 1 <= high <= 1
        assert low < high
    turned = unit_interval(decided - right, decided, margin)
    assert turned == pytest.approx((-high, -low), nan_ok=True)


def test_quantiles_of_students_t() -> None:
    stats = pytest.importorskip("scipy.stats")
    for freedom in (4, 5, 9, 19, 59, 199):
        for share in (0.9, 0.95, 0.975):
            expected = stats.t.ppf(share, freedom)
            assert t_quantile(share, freedom) == pytest.approx(expected, abs=0.01)


def test_tail_of_chi_square() -> None:
    special = pytest.importorskip("scipy.special")
    for df in range(1, 80):
        for value in (0.0, 0.3, df - 0.5, 3.0 * df, 1e7):
            expected = special.chdtrc(df, value)
            assert chi_square_tail(value, df) == pytest.approx(expected, rel=1e-9, abs=1e-300)
