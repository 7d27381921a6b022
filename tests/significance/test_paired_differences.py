"""P-values and intervals of pairs of systems and of one pair of orders, by definition."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.significance.paired_differences import PairedDifference, Trial, paired_differences
from tests.support import oracles_inference as oracle

# Pairs of systems tested together by signs.


WHOLE = st.integers(-3, 3).map(float)


def tables(cells: st.SearchStrategy[Any] = WHOLE, most: int = 6) -> st.SearchStrategy[Any]:
    """Draw tables of two to four systems, a row for each of up to six tasks."""
    return st.integers(2, 4).flatmap(
        lambda n: st.lists(st.lists(cells, min_size=n, max_size=n), min_size=1, max_size=most)
    )


def compared(values: Any, clusters: Any = (), **options: Any) -> tuple[PairedDifference, ...]:
    """Return the paired differences of systems 0, 1 and so on in one measure."""
    values = np.array(values, dtype=float)
    systems = range(values.shape[1])
    trial = Trial(**options)
    return paired_differences(values, trial, systems=systems, better="higher", clusters=clusters)


def differences_of(values: Any, each: PairedDifference) -> list[Any]:
    pairs = [(row[each.first], row[each.second]) for row in values]
    return [None if None in pair else pair[0] - pair[1] for pair in pairs]


@given(tables(WHOLE | st.none()))
def test_p_values_by_definition(values: Any) -> None:
    used = [row for row in values if sum(cell is not None for cell in row) > 1]
    found = compared(values)
    pairs = [differences_of(used, each) for each in found]
    known = [k for k, pair in enumerate(pairs) if any(each is not None for each in pair)]
    if known:
        alone, adjusted = oracle.max_t([pairs[k] for k in known])
        assert [found[k].p_value for k in known] == alone
        assert [found[k].adjusted for k in known] == adjusted
    for k in set(range(len(found))) - set(known):
        numbers = (found[k].difference, found[k].p_value, found[k].adjusted, found[k].low)
        assert all(map(math.isnan, numbers))


@given(tables(most=8), st.data())
def test_signs_are_thrown_for_clusters(values: Any, data: st.DataObject) -> None:
    unit = data.draw(st.lists(st.integers(0, 3), min_size=len(values), max_size=len(values)))
    found = compared(values, clusters=unit)
    sums = []
    for each in found:
        own = list(zip(differences_of(values, each), unit, strict=True))
        sums.append([sum(d for d, name in own if name == c) for c in sorted(set(unit))])
        # The mean is that of all rows.
        assert each.difference == pytest.approx(np.mean([d for d, _ in own]))
    assert [each.adjusted for each in found] == oracle.max_t(sums)[1]


@given(tables(), st.floats(0.05, 0.9))
def test_intervals_by_definition(values: Any, level: float) -> None:
    found = compared(values, risk=level)
    expected = oracle.mean_intervals([differences_of(values, each) for each in found], level)
    for each, interval in zip(found, expected, strict=True):
        low, high = interval
        # Whether 0 is inside is what the test says; the difference is at least 0.
        is_found = each.adjusted <= level
        low = max(low, 0) if is_found else min(low, 0)
        assert (low < 0 < high) or is_found or 0 in (low, high)
        assert (each.low, each.high) == pytest.approx((low, high), abs=1e-9)


def test_a_single_pair_against_scipy() -> None:
    from scipy import stats

    differences = np.random.default_rng(3).exponential(size=40) - 0.65

    def statistic(sample: Any) -> float:
        return abs(oracle.signed_statistic(list(sample), [1] * 40, float((differences**2).mean())))

    how: dict[str, Any] = {"permutation_type": "samples", "vectorized": False, "rng": 0}
    found = stats.permutation_test(
        (differences,), statistic, n_resamples=500, alternative="greater", **how
    )
    (ours,) = compared(np.column_stack([differences, np.zeros(40)]))
    assert 0.01 < ours.p_value < 0.2
    assert abs(ours.p_value - found.pvalue) < 5 * math.sqrt(ours.p_value / 400)


def test_thrown_signs_approach_all_signs() -> None:
    values = np.random.default_rng(5).normal(size=(13, 4)) + 0.3 * np.arange(4)
    for every, some in zip(compared(values), compared(values, samples=4000), strict=True):
        for p, q in ((every.p_value, some.p_value), (every.adjusted, some.adjusted)):
            assert p * 2**13 == pytest.approx(round(p * 2**13))
            assert abs(p - q) < 5 * math.sqrt(p * (1 - p) / 4000) + 1e-3
    # None is 0.
    (found,) = compared(np.column_stack([np.arange(5000.0) + 1, np.zeros(5000)]))
    assert found.p_value == found.adjusted == 1 / 10_001


def test_values_that_differ_by_rounding_are_equal() -> None:
    (found,) = compared(np.column_stack([np.full(30, 0.1 + 0.2), np.full(30, 0.3)]))
    assert (found.p_value, found.difference, found.ties) == (1.0, 0.0, 30)
    (found,) = compared(np.array([[0.1, 0], [0.2, 0], [0, 0.3], [0.6, 0]]))
    (exact,) = compared(np.array([[1, 0], [2, 0], [0, 3], [6, 0]]))
    assert found.p_value == exact.p_value


def test_many_groups_are_put_together_and_the_test_stays_as_strong() -> None:
    values = np.random.default_rng(7).normal(size=(20_000, 2)) + np.array([0.03, 0.0])
    (found,) = compared(values, samples=2000)
    normal = math.erfc(abs(found.effect_size * math.sqrt(20_000)) / math.sqrt(2))
    assert abs(found.p_value - normal) < 5 * math.sqrt(normal / 2000) + 0.3 * normal
    assert 0.85 < (found.high - found.low) / (2 * 1.96 * math.sqrt(2) / math.sqrt(20_000)) < 1.15


def test_effect_sizes_and_few_groups() -> None:
    (found,) = compared(np.array([[3.0, 1.0], [2.0, 2.0], [4.0, 1.0], [1.0, 2.0]]))
    # The differences 2, 0, 3, -1 have the variance (1 + 1 + 4 + 4) / 3.
    assert (found.difference, found.effect_size) == (1.0, 1 / math.sqrt(10 / 3))
    assert (found.superiority, found.wins, found.losses, found.ties) == (0.625, 2, 1, 1)
    (equal,), (ahead,) = compared(np.ones((3, 2))), compared([[0.3, 0.1], [0.4, 0.2], [0.5, 0.3]])
    assert math.isnan(equal.effect_size)
    assert (equal.p_value, ahead.effect_size) == (1.0, math.inf)
    (one,), (none,) = compared([[1.0, 0.0]]), compared(np.zeros((0, 2)))
    assert (one.p_value, one.low, one.high) == (1.0, -math.inf, math.inf)
    assert math.isnan(none.difference)
    assert math.isnan(none.p_value)
