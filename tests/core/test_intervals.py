"""Intervals of means over units, whose definition tests/clicks/test_holdout_scores.py holds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from porank.core.intervals import mean_interval


def test_few_units_have_none() -> None:
    ones = np.ones(4)
    assert all(map(math.isnan, mean_interval(ones, ones, 0.025, lowest=0, highest=1)))


@pytest.mark.parametrize("units", [5, 20, 60, 200])
@pytest.mark.parametrize("mean", [0.0, 0.5, 0.9, 0.98, 1.0])
def test_they_hold_the_mean_of_values_that_resemble_each_other(units: int, mean: float) -> None:
    rng, samples, held = np.random.default_rng(units), 400, 0
    for _ in range(samples):
        sizes = rng.geometric(0.4, units)
        unit = np.repeat(np.arange(units), sizes)
        # Most shares lie near an end, or both; values of one unit differ by half as much.
        shares = (
            rng.beta(3 * mean, 3 * (1 - mean), units)[unit] if 0 < mean < 1 else mean + 0 * unit
        )
        values = rng.beta(*(6 * np.maximum(side, 1e-9) for side in (shares, 1 - shares)))
        sums = np.bincount(unit, 5 * values - 2)
        low, high = mean_interval(sums, sizes, 0.025, lowest=-2, highest=3)
        held += low <= 5 * mean - 2 <= high
    assert held >= 0.93 * samples
