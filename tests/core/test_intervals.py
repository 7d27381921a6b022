"""Intervals of shares and means over units: by their definition, and how often they hold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.core.intervals import share_interval

scipy_stats = pytest.importorskip("scipy.stats")


def by_definition(units: list[tuple[float, int]], margin: float) -> tuple[float, float]:
    """Wilson's interval with continuity for as many draws as give the same variance."""
    whole = sum(n for _, n in units)
    share = sum(right for right, _ in units) / whole
    usual = sum(n * n for _, n in units) / whole
    smoothed = (sum(right for right, _ in units) + usual) / (whole + 2 * usual)
    variance = sum(((right - share * n) / (1 - n / whole)) ** 2 for right, n in units)
    variance *= (len(units) - 1) / len(units)
    variance += (usual * (1 - smoothed)) ** 2 + (usual * smoothed) ** 2
    draws = smoothed * (1 - smoothed) / (variance / (whole + 2 * usual) ** 2)
    t = scipy_stats.t.ppf(1 - margin, len(units) - 1)

    def ends(p: float, step: float) -> np.ndarray:
        # All q that are not refused: |p - q| - 1 / (2 n) <= t sqrt(q (1 - q) / n).
        q = np.linspace(0, 1, 200_001)
        kept: np.ndarray = q[np.abs(p - q) - step <= t * np.sqrt(q * (1 - q) / draws)]
        return kept

    kept = ends(share, 1 / (2 * draws))
    return float(kept.min()), float(kept.max())


@given(
    st.lists(st.tuples(st.floats(0, 1), st.integers(1, 5)), min_size=5, max_size=12),
    st.sampled_from([0.025, 0.05]),
)
def test_as_defined(units: list[tuple[float, int]], margin: float) -> None:
    given_units = [(share * n, n) for share, n in units]
    right, decided = map(np.array, zip(*given_units, strict=True))
    low, high = share_interval(right, decided, margin)
    # The quantile of t is that of an expansion.
    assert (low, high) == pytest.approx(by_definition(given_units, margin), abs=2e-3)
    none = np.zeros(1)
    assert share_interval(np.append(right, none), np.append(decided, none), margin) == (low, high)
    assert share_interval(decided - right, decided, margin) == pytest.approx((1 - high, 1 - low))


def test_few_units_have_none() -> None:
    ones = np.ones(4)
    assert all(map(math.isnan, share_interval(ones, ones, 0.025)))


@pytest.mark.parametrize("units", [5, 20, 60, 200])
@pytest.mark.parametrize("mean", [0.0, 0.5, 0.9, 0.98, 1.0])
def test_they_hold_the_mean_of_values_that_resemble_each_other(units: int, mean: float) -> None:
    rng, samples, held = np.random.default_rng(units), 400, {"0 or 1": 0, "between": 0}
    for _ in range(samples):
        sizes = rng.geometric(0.4, units)
        unit = np.repeat(np.arange(units), sizes)
        # A share for each unit: values of one unit are correlated by 1 / 4.
        shares = rng.beta(3 * mean, 3 * (1 - mean), units)[unit] if 0 < mean < 1 else mean
        values = {"0 or 1": rng.random(unit.size) < shares, "between": shares + 0 * unit}
        for kind, each in values.items():
            low, high = share_interval(np.bincount(unit, each), sizes, 0.025)
            held[kind] += low <= mean <= high
    assert min(held.values()) >= 0.93 * samples
