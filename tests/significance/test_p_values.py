"""Tests of significance: corrections and the sign test, by definition."""

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
from tests import oracles_inference as oracle
from tests.oracles_settled import sign_p_value

SHARES = st.lists(st.integers(0, 64).map(lambda k: Fraction(k, 64)), max_size=9)


@given(SHARES, st.integers(0, 64).map(lambda k: Fraction(k, 64)))
def test_corrections_by_definition(p_values: list[Fraction], level: Fraction) -> None:
    # All numbers but quotients by m are exact; these may be off by their rounding.
    holm = po.adjust_p_values(p_values)
    # An adjusted p-value that would lie above 1 is 1, which at level 1 is not told apart.
    if level < 1:
        assert [p <= level for p in holm] == oracle.holm(p_values, level)
    hochberg = po.adjust_p_values(p_values, correction="benjamini-hochberg")
    rejected = oracle.benjamini_hochberg(p_values, level)
    assert [p <= level + 1e-12 for p in hochberg] == rejected


def test_false_discovery_rates_against_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    p = np.random.default_rng(0).random(40) ** 2
    found = po.adjust_p_values(p, correction="benjamini-hochberg")
    assert found == pytest.approx(stats.false_discovery_control(p), rel=1e-12)


def test_tests_that_could_not_be_made_are_no_part_of_the_family() -> None:
    found = po.adjust_p_values([0.01, math.nan, 0.02])
    assert found[::2] == [0.02, 0.02]
    assert math.isnan(found[1])
    assert po.adjust_p_values([]) == []
    assert all(type(p) is float for p in po.adjust_p_values(np.array([0.5, 1])))


def test_refusals() -> None:
    wrong: list[Any] = ["0.5", 0.5, [0.5, 1.5], [-0.1], ["a"], [None], {"a": 0.5}]
    for each in wrong:
        with pytest.raises(po.PorankError, match=r"p-values, found"):
            po.adjust_p_values(each)
    with pytest.raises(po.PorankError, match="correction to be one of 'holm'"):
        po.adjust_p_values([0.5], correction="Holm")


@given(st.integers(0, 6), st.integers(0, 6))
def test_sign_test(better: int, worse: int) -> None:
    expected = sign_p_value(better, worse)
    assert sign_test(better, worse) == pytest.approx(float(expected), rel=1e-12)


def test_sign_test_of_many_against_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for better, worse in ((501, 499), (600, 401), (70000, 69000), (9, 1200)):
        expected = stats.binomtest(better, better + worse).pvalue
        assert sign_test(better, worse) == pytest.approx(expected, rel=1e-9)
