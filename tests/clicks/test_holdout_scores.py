"""Intervals of correctness from units: against their definition, and how often they hold."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.core.intervals import t_quantile
from tests import oracles_feedback
from tests.benchmarks.intervals import Setting, settings, unit_interval

UNITS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda both: (both[0], sum(both))),
    max_size=12,
)


def interval(units: list[tuple[int, int]], margin: float = 0.025) -> tuple[float, float]:
    """Return the interval of units with so many right statements among so many decided ones."""
    right, decided = np.array(units).reshape(-1, 2).T
    return unit_interval(right, decided, margin)


@given(UNITS, st.sampled_from([0.025, 0.1]))
def test_interval_is_as_defined(units: list[tuple[int, int]], margin: float) -> None:
    deciding = sum(decided > 0 for _, decided in units)
    t = t_quantile(1 - margin, max(deciding - 1, 1))
    exact = [(Fraction(right), Fraction(decided)) for right, decided in units]
    expected = oracles_feedback.correctness_interval(exact, t)
    assert interval(units, margin) == pytest.approx(expected, abs=1e-9, nan_ok=True)


@given(UNITS)
def test_interval_holds_the_value_and_turns_with_the_order(units: list[tuple[int, int]]) -> None:
    low, high = interval(units)
    turned = interval([(decided - right, decided) for right, decided in units])
    assert turned == pytest.approx((-high, -low), nan_ok=True)
    right, decided = (sum(column) for column in zip((0, 0), *units, strict=True))
    if not math.isnan(low):
        assert -1 <= low <= 2 * right / decided - 1 <= high <= 1
        # However many units agree, that is no certainty.
        assert low < high


def test_one_wrong_statement_of_hundreds_leaves_certainty_within() -> None:
    low, high = interval([(30, 30)] * 19 + [(29, 30)])
    assert 0.5 < low < high == 1


@pytest.mark.parametrize("freedom", [4, 5, 9, 19, 59, 199])
def test_quantiles_of_students_t(freedom: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    for share in (0.9, 0.95, 0.975):
        assert t_quantile(share, freedom) == pytest.approx(stats.t.ppf(share, freedom), abs=0.01)


#: For each number of units and each truth, the correlations and the sizes of units in turn.
SOME = [each for k, each in enumerate(settings()) if k % 7 == 0]


@pytest.mark.parametrize("setting", SOME, ids=repr)
def test_intervals_hold_the_truth_as_often_as_they_claim(setting: Setting) -> None:
    # 93 % of ever more samples, less two and a half standard errors of 400.
    assert setting.holds(unit_interval, many=400) >= 0.93 - 2.5 * 0.0128
