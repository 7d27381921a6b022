"""The exact test of taste against all ways to choose in which sessions u stood above."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.clicks import arrangements
from porank.clicks.arrangements import Arrangements
from tests import oracles_settled as oracle

Units = list[tuple[int, bool, int]]
units = st.lists(st.tuples(st.integers(0, 2), st.booleans(), st.integers(-1, 1)), max_size=9)


def arranged(tests: list[Units]) -> Arrangements:
    """The evidence of some pairs, each session being (positions, is u above, upper's score)."""
    rows = []
    for test, some in enumerate(tests):
        for stratum in dict.fromkeys(stratum for stratum, *_ in some):
            above, below = (
                [score for s, is_first, score in some if s == stratum and is_first == is_above]
                for is_above in (True, False)
            )
            upper, lower = [(len(each), each.count(1), each.count(-1)) for each in (above, below)]
            rows.append((test, *upper, lower[0], lower[2], lower[1]))
    return Arrangements(*np.array(rows, dtype=np.int64).reshape(-1, 7).T)


@given(st.lists(units, min_size=1, max_size=3))
def test_by_definition(tests: list[Units]) -> None:
    p, least = arranged(tests).p_values(len(tests))
    expected = [oracle.permutation_p_values(each) for each in tests]
    np.testing.assert_allclose(np.transpose([p, least]), np.array(expected, float), rtol=1e-9)


def p_values(units: int, drawn: int, plus: int, minus: int, found: int) -> tuple[float, float]:
    """The p-values if found is the sum of the scores of the sessions in which u stood above."""
    decided = max(abs(found), drawn - (units - plus - minus))
    plus_drawn = (decided + (decided + found) % 2 + found) // 2
    minus_drawn = plus_drawn - found
    below = units - drawn, minus - minus_drawn, plus - plus_drawn
    rows = Arrangements(*np.array([[0, drawn, plus_drawn, minus_drawn, *below]]).T)
    return tuple(each[0] for each in rows.p_values(1))


@pytest.mark.parametrize(
    ("units", "drawn", "plus", "minus"),
    [(400, 200, 150, 50), (3000, 2700, 400, 0), (1000, 100, 300, 200), (150, 75, 90, 60)],
)
def test_large_tests_are_nearly_exact(
    units: int, drawn: int, plus: int, minus: int, monkeypatch: Any
) -> None:
    """At 2 to 4 standard deviations: within 15 % to 3, and rather too large beyond."""
    counts = (np.array([count]) for count in (units, drawn, plus, minus))
    mean, variance, _ = (float(each[0]) for each in arrangements._moments(*counts))
    assert variance > arrangements._MOST_VARIANCE
    for z in (-4, -3, -2, 2, 3, 4):
        found = round(mean + z * variance**0.5)
        found += (found + drawn) % 2 * (plus + minus == units)
        large = p_values(units, drawn, plus, minus, found)[0]
        with monkeypatch.context() as patch:
            patch.setattr(arrangements, "_MOST_VARIANCE", float("inf"))
            exact = p_values(units, drawn, plus, minus, found)[0]
        assert 0.95 < large / exact < (1.15 if abs(z) < 4 else 1.6)


def test_by_hand() -> None:
    """Of four sessions, two of score 1: both are among the two with u above in 1 of 6 ways."""
    assert p_values(4, 2, 2, 0, 2) == pytest.approx((2 / 6, 2 / 6))


def test_millions_of_sessions() -> None:
    assert max(p_values(10**7, 10**6, 10**6, 10**6, 10**5)) < 1e-300
    assert p_values(10**7, 10**6, 20, 0, 2)[0] == pytest.approx(1, abs=0.1)


@given(st.integers(1, 7), st.data())
def test_moments_are_those_of_the_exact_distribution(units: int, data: st.DataObject) -> None:
    drawn, plus = data.draw(st.integers(0, units)), data.draw(st.integers(0, units))
    minus = data.draw(st.integers(0, units - plus))
    scores = [1] * plus + [-1] * minus + [0] * (units - plus - minus)
    sums = np.array([sum(chosen) for chosen in combinations(scores, drawn)])
    about = sums - sums.mean()
    found = arrangements._moments(*(np.array([n]) for n in (units, drawn, plus, minus)))
    expected = sums.mean(), (about**2).mean(), (about**3).mean()
    assert [float(each[0]) for each in found] == pytest.approx(expected, abs=1e-9)
