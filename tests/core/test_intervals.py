"""Intervals of means over units: against their definition, and how often they hold."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from porank.core.intervals import mean_interval
from tests.benchmarks.promises import unit_interval
from tests.support import oracles_feedback


def test_few_units_have_none() -> None:
    ones = np.ones(4)
    assert all(map(math.isnan, mean_interval(ones, ones, 0.025, lowest=0, highest=1)))


def test_intervals_of_means_keep_to_their_scale() -> None:
    """Moved and stretched values have the moved and stretched interval."""
    rng = np.random.default_rng(0)
    sizes = rng.geometric(0.4, 20)
    sums = rng.random(20) * sizes
    plain = mean_interval(sums, sizes, 0.025, lowest=0, highest=1)
    assert 0 < plain[0] < sums.sum() / sizes.sum() < plain[1] < 1
    moved = mean_interval(5 * sums - 2 * sizes, sizes, 0.025, lowest=-2, highest=3)
    assert moved == pytest.approx([5 * end - 2 for end in plain])


UNITS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda both: (both[0], sum(both))),
    max_size=12,
)


@given(UNITS, st.sampled_from([0.025, 0.1]))
@example([(0, 3)] * 6, 0.025)
def test_an_interval_is_as_defined(units: list[tuple[int, int]], margin: float) -> None:
    from scipy import special

    right, decided = np.array(units, dtype=np.int64).reshape(-1, 2).T
    deciding = int(np.count_nonzero(decided))
    t = float(special.stdtrit(max(deciding - 1, 1), 1 - margin))
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
