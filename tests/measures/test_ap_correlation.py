"""AP correlation: the definition, the mean over broken ties, and values of R's ircor."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations, product
from statistics import mean
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.core.compiled_order import levels_of_values
from porank.errors import (
    NotApplicableError,
    UndefinedError,
)
from porank.measures.ap_correlation import ap_correlation, ap_correlation_terms
from porank.measures.inversions import count_before_in_both

Ranks = dict[Any, int]

#: From the manual of R's ircor (https://cran.r-project.org/package=ircor), larger is better.
X = (0.67, 0.45, 0.29, 0.12, 0.57, 0.24, 0.94, 0.75, 0.08, 0.54)
Y = (0.48, 0.68, 0.32, 0.09, 0.06, 0.61, 0.87, 0.22, 0.44, 0.84)
#: The same with one digit, as R rounds: 0.45 to 0.4.
X_ROUNDED = (0.7, 0.4, 0.3, 0.1, 0.6, 0.2, 0.9, 0.8, 0.1, 0.5)
Y_ROUNDED = (0.5, 0.7, 0.3, 0.1, 0.1, 0.6, 0.9, 0.2, 0.4, 0.8)


def tau_ap(reference: Ranks, judged: Ranks) -> Fraction:
    """2/(n - 1) sum C(i)/(i - 1) - 1 over the positions i > 1 of a list without ties."""
    walk = sorted(judged, key=judged.__getitem__)
    right = [sum(reference[u] < reference[v] for u in walk[:i]) for i, v in enumerate(walk)]
    precisions = [Fraction(c, i) for i, c in enumerate(right) if i]
    return 2 * sum(precisions, Fraction(0)) / len(precisions) - 1


def broken_ties(ranks: Ranks) -> list[Ranks]:
    """All ways to break the ties."""
    orders = (dict(zip(ranks, order, strict=True)) for order in permutations(range(len(ranks))))
    return [
        order
        for order in orders
        if all(order[u] < order[v] for u, v in product(ranks, ranks) if ranks[u] < ranks[v])
    ]


def tau_ap_a(target: Ranks, predicted: Ranks) -> Fraction:
    """The mean over all ways to break the ties of the prediction."""
    return mean(tau_ap(target, order) for order in broken_ties(predicted))


def tau_ap_b(target: Ranks, predicted: Ranks) -> Fraction:
    """The mean of both directions of 2/m sum C/(p - 1) - 1, p the least rank of the equals."""
    return (one_way(target, predicted) + one_way(predicted, target)) / 2


def one_way(reference: Ranks, judged: Ranks) -> Fraction:
    precisions = []
    for v in judged:
        above = [u for u in judged if judged[u] < judged[v]]
        if above:
            precisions.append(Fraction(sum(reference[u] < reference[v] for u in above), len(above)))
    return 2 * sum(precisions, Fraction(0)) / len(precisions) - 1


def ranks_of(sizes: list[int]) -> dict[int, int]:
    return dict(enumerate(sizes))


def near(value: Any) -> Any:
    return pytest.approx(float(value), rel=1e-12, abs=1e-12)


two_lists = st.integers(2, 6).flatmap(
    lambda n: st.tuples(
        st.permutations(range(n)).map(ranks_of),
        st.lists(st.integers(0, 3), min_size=n, max_size=n).map(ranks_of),
    )
)
two_tied_lists = st.integers(2, 8).flatmap(
    lambda n: st.tuples(
        *[st.lists(st.integers(0, 3), min_size=n, max_size=n).map(ranks_of) for _ in range(2)]
    )
)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_all_small_lists_against_the_definition(n: int) -> None:
    truth = ranks_of(list(range(n)))
    for levels in product(range(n), repeat=n):
        predicted = ranks_of(list(levels))
        G, H = po.from_ranks(truth), po.from_ranks(predicted)
        assert ap_correlation(G, H) == near(tau_ap_a(truth, predicted))
        assert sum(ap_correlation_terms(G, H).values()) == near(tau_ap_a(truth, predicted))
        if len(set(levels)) > 1:
            assert ap_correlation(G, H, ties="b") == near(tau_ap_b(truth, predicted))


@given(two_lists)
def test_ties_broken_at_random(pair: tuple[Ranks, Ranks]) -> None:
    target, predicted = map(po.from_ranks, pair)
    wanted = tau_ap_a(*pair)
    assert ap_correlation(target, predicted) == near(wanted)
    terms = ap_correlation_terms(target, predicted)
    assert sum(terms.values()) == near(wanted)
    assert list(terms) == list(target)


@given(two_tied_lists)
def test_ties_in_both_lists(pair: tuple[Ranks, Ranks]) -> None:
    target, predicted = map(po.from_ranks, pair)
    if any(len(set(ranks.values())) == 1 for ranks in pair):
        assert math.isnan(ap_correlation(target, predicted, ties="b"))
        assert ap_correlation_terms(target, predicted, ties="b") == {}
        return
    wanted = tau_ap_b(*pair)
    value = ap_correlation(target, predicted, ties="b")
    assert value == near(wanted)
    assert value == ap_correlation(predicted, target, ties="b")
    terms = ap_correlation_terms(target, predicted, ties="b")
    assert sum(terms.values()) == near(wanted)
    assert list(terms) == list(target)
    assert ap_correlation(target, target, ties="b") == near(1)


def test_the_values_of_ircor() -> None:
    assert ap_correlation(X, Y) == pytest.approx(0.3928571, abs=5e-8)
    assert ap_correlation(X, Y_ROUNDED) == pytest.approx(0.39903, abs=5e-6)
    assert ap_correlation(X, Y_ROUNDED, ties="b") == pytest.approx(0.3317019, abs=5e-8)
    assert ap_correlation(X_ROUNDED, Y_ROUNDED, ties="b") == pytest.approx(0.339418, abs=5e-7)
    x = (0.06, 0.2, 0.27, 0.37, 0.57, 0.63, 0.66, 0.9, 0.91, 0.94)
    y = (0.37, 0.06, 0.2, 0.27, 0.57, 0.66, 0.63, 0.91, 0.9, 0.94)
    assert ap_correlation(x, y) == pytest.approx(0.7491182, abs=5e-8)
    assert po.kendall_tau(x, y) == pytest.approx(0.7777778, abs=5e-8)


@given(two_tied_lists)
def test_counting_what_is_before_in_both(pair: tuple[Ranks, Ranks]) -> None:
    first, second = (levels_of_values(list(ranks.values())) for ranks in pair)
    wanted = [
        sum(first[j] < first[i] and second[j] < second[i] for j in range(first.size))
        for i in range(first.size)
    ]
    assert count_before_in_both(first, second).tolist() == wanted


def test_many_levels() -> None:
    scores = np.arange(10_002)
    assert ap_correlation(scores, scores) == pytest.approx(1)
    assert ap_correlation(scores, -scores) == pytest.approx(-1)
    assert float(sum(ap_correlation_terms(scores, scores).values())) == pytest.approx(1)


def test_undefined() -> None:
    for items in ({}, {"a": 1}):
        for ties in ("a", "b"):
            assert math.isnan(ap_correlation(items, items, ties=ties))
            assert ap_correlation(items, items, ties=ties, undefined=0) == 0
            for function in (ap_correlation, ap_correlation_terms):
                with pytest.raises(UndefinedError, match="has no item below its first ones"):
                    function(items, items, ties=ties, undefined="raise")
    assert ap_correlation({"a": 1, "b": 0}, {"a": 1, "b": 1}) == 0
    assert math.isnan(ap_correlation({"a": 1, "b": 0}, {"a": 1, "b": 1}, ties="b"))
    assert math.isnan(ap_correlation({"a": 1, "b": 1}, {"a": 1, "b": 0}, ties="b"))


def test_what_it_does_not_apply_to() -> None:
    weak, partial = po.parse("a > b > c"), po.parse("a > b; c")
    for ties in ("a", "b"):
        with pytest.raises(NotApplicableError, match=r"found predicted partial: .* edrc takes"):
            ap_correlation(weak, partial, ties=ties)
        with pytest.raises(NotApplicableError, match="found target partial"):
            ap_correlation(partial, weak, ties=ties)
    with pytest.raises(
        NotApplicableError, match="without ties for ties='a', found 'b' and 'c' on one level"
    ):
        ap_correlation({"a": 1, "c": 0, "b": 0}, {"a": 1, "b": 1, "c": 1})
