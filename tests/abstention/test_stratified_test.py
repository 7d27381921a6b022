"""The exact test within strata against all ways to choose the first groups."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.abstention import stratified_test
from porank.abstention.stratified_test import StratifiedCounts, permutation_p_values
from tests import oracles_settled as oracle

Units = list[tuple[int, bool, int]]
units = st.lists(st.tuples(st.integers(0, 2), st.booleans(), st.integers(-1, 1)), max_size=9)


def strata_of(tests: list[Units]) -> StratifiedCounts:
    """The strata of some tests, each unit being (stratum, is in the first group, score)."""
    rows = []
    for test, some in enumerate(tests):
        for stratum in dict.fromkeys(stratum for stratum, *_ in some):
            members = [(is_first, score) for s, is_first, score in some if s == stratum]
            scores = [score for _, score in members]
            drawn = [score for is_first, score in members if is_first]
            counts = len(members), len(drawn), scores.count(1), scores.count(-1), sum(drawn)
            rows.append((test, *counts))
    return StratifiedCounts(*np.array(rows, dtype=np.int64).reshape(-1, 6).T)


@given(st.lists(units, min_size=1, max_size=3))
def test_by_definition(tests: list[Units]) -> None:
    p, least = permutation_p_values(strata_of(tests), len(tests))
    expected = [oracle.permutation_p_values(each) for each in tests]
    np.testing.assert_allclose(np.transpose([p, least]), np.array(expected, float), rtol=1e-9)


def one(units: int, drawn: int, plus: int, minus: int, found: int) -> StratifiedCounts:
    return StratifiedCounts(*np.array([[0, units, drawn, plus, minus, found]]).T)


@pytest.mark.parametrize(
    ("units", "drawn", "plus", "minus"),
    [(400, 200, 150, 50), (3000, 2700, 400, 0), (1000, 100, 300, 200), (150, 75, 90, 60)],
)
def test_large_tests_are_nearly_exact(
    units: int, drawn: int, plus: int, minus: int, monkeypatch: Any
) -> None:
    """At 2 to 4 standard deviations: within a tenth to 3, and rather too large beyond."""
    mean, variance, _ = (each[0] for each in one(units, drawn, plus, minus, 0).moments())
    assert variance > stratified_test._MOST_VARIANCE
    for z in (-4, -3, -2, 2, 3, 4):
        found = round(mean + z * variance**0.5)
        found += (found + drawn) % 2 * (plus + minus == units)
        large = permutation_p_values(one(units, drawn, plus, minus, found), 1)[0][0]
        with monkeypatch.context() as patch:
            patch.setattr(stratified_test, "_MOST_VARIANCE", float("inf"))
            exact = permutation_p_values(one(units, drawn, plus, minus, found), 1)[0][0]
        assert 0.95 < large / exact < (1.1 if abs(z) < 4 else 1.6)


def test_by_hand() -> None:
    """Of four units, two of score 1: both are in the first group of two in 1 of 6 ways."""
    p, least = permutation_p_values(one(4, 2, 2, 0, 2), 1)
    assert (p[0], least[0]) == (pytest.approx(2 / 6), pytest.approx(2 / 6))
    assert oracle.permutation_p_values([(0, True, 1)] * 2 + [(0, False, 0)] * 2)[0] == Fraction(
        1, 3
    )


def test_millions_of_units() -> None:
    p, least = permutation_p_values(one(10**7, 10**6, 10**6, 10**6, 10**5), 1)
    assert max(p[0], least[0]) < 1e-300
    p, _ = permutation_p_values(one(10**7, 10**6, 20, 0, 2), 1)
    assert p[0] == pytest.approx(1, abs=0.1)
