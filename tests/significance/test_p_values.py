"""Tests of significance: corrections, sign flips and the bootstrap, by definition."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.abstention.settled import sign_test
from porank.core.arrays import percentiles
from porank.evaluation.result import poisson_means
from porank.significance.p_values import CORRECTIONS
from porank.significance.paired import (
    PairedDifference,
    Trial,
    paired_differences,
)
from tests import oracles_inference as oracle

SHARES = st.lists(st.integers(0, 64).map(lambda k: Fraction(k, 64)), max_size=9)
EIGHTHS = st.lists(st.integers(-9, 9).map(lambda k: Fraction(k, 8)), max_size=9)


def differ(values: Any, test: str, samples: int = 999, seed: int = 0) -> PairedDifference:
    trial = Trial(test, samples=samples, seed=np.random.default_rng(seed))
    (found,) = paired_differences(values, trial, systems="AB")
    return found


# Corrections.


def test_a_published_family_of_fifteen_tests() -> None:
    # Y. Benjamini and Y. Hochberg (1995), section 4.1: p-values of a study of thrombolysis. At 0.05
    # Bonferroni rejects the first three hypotheses and so does the step-up procedure of Hochberg
    # (1988); hence Holm's, which stands between these two. That for false discoveries rejects four.
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240]
    p += [0.4262, 0.5719, 0.6528, 0.7590, 1.0]
    rejected = {
        name: sum(each <= 0.05 for each in po.adjust_p_values(p, correction=name))
        for name in CORRECTIONS
    }
    assert rejected["bonferroni"] == 3
    assert rejected["holm"] == 3
    assert rejected["benjamini-hochberg"] == 4
    assert rejected["none"] == 9


@given(SHARES, st.integers(0, 64).map(lambda k: Fraction(k, 64)))
def test_what_is_rejected_is_what_the_procedures_reject(
    p_values: list[Fraction], level: Fraction
) -> None:
    # All numbers but quotients by m are exact; these may be off by their rounding.
    holm = po.adjust_p_values(p_values)
    # An adjusted p-value that would lie above 1 is 1, which at level 1 is not told apart.
    if level < 1:
        assert [p <= level for p in holm] == oracle.holm(p_values, level)
    hochberg = po.adjust_p_values(p_values, correction="benjamini-hochberg")
    rejected = oracle.benjamini_hochberg(p_values, level)
    assert [p <= level + 1e-12 for p in hochberg] == rejected


@pytest.mark.parametrize(
    ("name", "method"), [("benjamini-hochberg", "bh"), ("benjamini-yekutieli", "by")]
)
def test_false_discovery_rates_against_scipy(name: str, method: str) -> None:
    stats = pytest.importorskip("scipy.stats")
    p = np.random.default_rng(0).random(40) ** 2
    expected = stats.false_discovery_control(p, method=method)
    assert po.adjust_p_values(p, correction=name) == pytest.approx(expected, rel=1e-12)


def test_tests_that_could_not_be_made_are_no_part_of_the_family() -> None:
    found = po.adjust_p_values([0.01, math.nan, 0.02])
    assert found[::2] == [0.02, 0.02]
    assert math.isnan(found[1])
    assert po.adjust_p_values([]) == []
    assert all(type(p) is float for p in po.adjust_p_values(np.array([0.5, 1])))


@pytest.mark.parametrize("wrong", ["0.5", 0.5, [0.5, 1.5], [-0.1], ["a"], [None], {"a": 0.5}])
def test_p_values_that_are_none(wrong: Any) -> None:
    with pytest.raises(po.PorankError, match=r"p-values, found"):
        po.adjust_p_values(wrong)
    with pytest.raises(po.PorankError, match="correction to be one of 'holm'"):
        po.adjust_p_values([0.5], correction="Holm")


# Paired tests.


def flipped(differences: Any) -> float:
    """Return the p-value of a randomization test of some differences."""
    return differ(
        np.column_stack([differences, np.zeros(len(differences))]), "randomization"
    ).p_value


@given(EIGHTHS.filter(len))
def test_all_signs_are_gone_through(differences: list[Fraction]) -> None:
    assert flipped(np.array(differences, dtype=float)) == oracle.exact_sign_flips(differences)


def test_sums_that_differ_by_rounding_are_equal() -> None:
    # 0.1 + 0.2 is not 0.3 in floats: the sums of these differences tie all the same.
    expected = oracle.exact_sign_flips([Fraction(k, 10) for k in (1, 2, -3, 6)])
    assert flipped([0.1, 0.2, -0.3, 0.6]) == expected


@given(st.integers(0, 6), st.integers(0, 6))
def test_sign_test(better: int, worse: int) -> None:
    expected = oracle.sign_test(better, worse)
    assert sign_test(better, worse) == pytest.approx(float(expected), rel=1e-12)


@pytest.mark.parametrize(("better", "worse"), [(501, 499), (600, 401), (70000, 69000), (9, 1200)])
def test_sign_test_of_many_against_scipy(better: int, worse: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    expected = stats.binomtest(better, better + worse).pvalue
    assert sign_test(better, worse) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("test", "least"), [("randomization", 0.01), ("bootstrap", 0.01), ("sign", 0)]
)
def test_no_p_value_is_zero(test: str, least: float) -> None:
    found = differ(np.column_stack([np.arange(5000.0) + 1, np.zeros(5000)]), test, samples=99)
    assert found.p_value == least or found.p_value > least == 0


def test_sampled_signs_approach_all_signs() -> None:
    rng = np.random.default_rng(3)
    differences = rng.normal(0.35, 1, 26)
    values = np.column_stack([differences, np.zeros(26)])
    exact = float(oracle_by_halves(differences))
    found = differ(values, "randomization", samples=20_000)
    error = math.sqrt(exact * (1 - exact) / 20_000)
    assert abs(found.p_value - exact) < 5 * error
    assert found.p_value != exact


def oracle_by_halves(differences: np.ndarray[Any, Any]) -> float:
    """Return the share of all 2**26 sign patterns, 2**13 at a time."""
    patterns = ((np.arange(1 << 13)[:, None] >> np.arange(13)) & 1) * 2.0 - 1.0
    first, second = patterns @ np.abs(differences[:13]), patterns @ np.abs(differences[13:])
    observed = abs(differences.sum())
    return float(np.mean([np.mean(np.abs(first + each) >= observed) for each in second.tolist()]))


@pytest.mark.parametrize("test", ["randomization", "bootstrap", "sign"])
def test_p_values_of_equal_systems_are_even(test: str) -> None:
    # 300 comparisons of systems that differ by chance: at level 0.1 about 30 are found.
    rng = np.random.default_rng(5)
    found = [
        differ(rng.normal(size=(60, 2)), test, samples=199, seed=k).p_value for k in range(300)
    ]
    below = sum(p <= 0.1 for p in found)
    deviation = math.sqrt(300 * 0.1 * 0.9)
    # A sign test is discrete and finds less; the bootstrap of 60 groups finds a little more.
    slack = {"randomization": 0, "bootstrap": 8, "sign": 12}[test]
    assert abs(below - 30) < 3.5 * deviation + slack


def test_bundles_of_many_groups_leave_the_test_as_strong() -> None:
    values = np.random.default_rng(7).normal(size=(20_000, 2)) + np.array([0.03, 0.0])
    found = differ(values, "randomization", samples=1_500)
    z = found.effect_size * math.sqrt(20_000)
    normal = math.erfc(abs(z) / math.sqrt(2))
    assert abs(found.p_value - normal) < 5 * math.sqrt(normal / 1_500) + 0.3 * normal
    assert 0.85 < (found.high - found.low) / (2 * 1.96 * math.sqrt(2 / 20_000)) < 1.15


def test_effect_sizes_worked_by_hand() -> None:
    values = np.array([[3.0, 1.0], [2.0, 2.0], [4.0, 1.0], [1.0, 2.0]])
    found = differ(values, "sign")
    assert found.difference == 1.0
    # The differences 2, 0, 3, -1 have the variance (1 + 1 + 4 + 4) / 3.
    assert found.effect_size == 1 / math.sqrt(10 / 3)
    assert found.superiority == 0.625
    assert (found.wins, found.losses, found.ties) == (2, 1, 1)


def test_effect_sizes_of_constant_differences() -> None:
    equal, ahead = np.ones((3, 2)), np.array([[0.3, 0.1], [0.4, 0.2], [0.5, 0.3]])
    assert math.isnan(differ(equal, "sign").effect_size)
    assert differ(ahead, "sign").effect_size == math.inf
    assert differ(equal, "randomization").p_value == 1.0


@pytest.mark.parametrize("test", ["randomization", "bootstrap", "sign"])
def test_one_group_and_none_prove_nothing(test: str) -> None:
    one = differ(np.array([[1.0, 0.0]]), test)
    assert one.p_value == 1.0
    none = differ(np.zeros((0, 2)), test)
    assert math.isnan(none.difference)
    assert math.isnan(none.p_value) or test == "sign"


# The bootstrap.


def test_intervals_against_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    data = np.random.default_rng(2).normal(size=400)
    done = stats.bootstrap(
        (data,), np.mean, method="percentile", n_resamples=4000, batch=500, rng=0
    )
    means = poisson_means(data[:, None], np.ones((400, 1)), 4000, np.random.default_rng(0))
    low, high = percentiles(means[:, 0], 0.025)
    error = data.std() / 20
    assert abs(low - done.confidence_interval.low) < error / 4
    assert abs(high - done.confidence_interval.high) < error / 4
