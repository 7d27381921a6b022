"""AP correlation: the definition, the mean over broken ties, and values of R's ircor."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from statistics import mean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.measures.ap_correlation import ap_correlation, ap_correlation_terms
from tests.oracles import lists_of

Scores = list[int]


def one_way(reference: Scores, judged: Scores) -> Fraction:
    """2/m sum C(v)/(p(v) - 1) - 1 over the m items below the first ones, p the least rank."""
    items, precisions = range(len(judged)), []
    for v in items:
        above = [u for u in items if judged[u] > judged[v]]
        if above:
            right = sum(reference[u] > reference[v] for u in above)
            precisions.append(Fraction(right, len(above)))
    return 2 * sum(precisions, Fraction(0)) / len(precisions) - 1


def by_definition(target: Scores, predicted: Scores, ties: str) -> Any:
    """The mean over all ways to break the ties of the prediction (a), or of both directions (b)."""
    n = len(target)
    if ties == "b" and 1 in (len({*target}), len({*predicted})):
        return math.nan
    if ties == "b":
        return (one_way(target, predicted) + one_way(predicted, target)) / 2
    lines = lists_of(dict(enumerate(predicted)))
    return mean(one_way(target, [n - line.index(x) for x in range(n)]) for line in lines)


def check(target: Scores, predicted: Scores, ties: str) -> None:
    wanted = float(by_definition(target, predicted, ties))
    near = pytest.approx(wanted, rel=1e-12, abs=1e-12, nan_ok=True)
    assert ap_correlation(target, predicted, ties=ties) == near
    terms = ap_correlation_terms(target, predicted, ties=ties)
    if math.isnan(wanted):
        assert terms == {}
    else:
        assert sum(terms.values()) == near
        assert list(terms) == list(range(len(target)))


def test_small_lists_by_definition() -> None:
    for n in (2, 3, 4):
        for predicted, ties in product(product(range(n), repeat=n), "ab"):
            check([*range(n)], list(predicted), ties)


@given(st.integers(2, 6).flatmap(lambda n: st.permutations(range(n))), st.data())
def test_ties_broken_at_random(target: Scores, data: st.DataObject) -> None:
    n = len(target)
    check(target, data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), "a")


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=8))
def test_ties_in_both_lists(pairs: list[tuple[int, int]]) -> None:
    x, y = map(list, zip(*pairs, strict=True))
    check(x, y, "b")
    check(x, x, "b")


#: From the manual of R's ircor (https://cran.r-project.org/package=ircor), larger is better.
X = (0.67, 0.45, 0.29, 0.12, 0.57, 0.24, 0.94, 0.75, 0.08, 0.54)
Y = (0.48, 0.68, 0.32, 0.09, 0.06, 0.61, 0.87, 0.22, 0.44, 0.84)
#: The same with one digit, as R rounds: 0.45 to 0.4.
X_ROUNDED = (0.7, 0.4, 0.3, 0.1, 0.6, 0.2, 0.9, 0.8, 0.1, 0.5)
Y_ROUNDED = (0.5, 0.7, 0.3, 0.1, 0.1, 0.6, 0.9, 0.2, 0.4, 0.8)


def test_the_values_of_ircor() -> None:
    assert ap_correlation(X, Y) == pytest.approx(0.3928571, abs=5e-8)
    assert ap_correlation(X, Y_ROUNDED) == pytest.approx(0.39903, abs=5e-6)
    assert ap_correlation(X, Y_ROUNDED, ties="b") == pytest.approx(0.3317019, abs=5e-8)
    assert ap_correlation(X_ROUNDED, Y_ROUNDED, ties="b") == pytest.approx(0.339418, abs=5e-7)
