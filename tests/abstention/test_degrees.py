"""Degrees and strengths given as numbers: floats, equal if they are nearer than 1e-12."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.abstention.degrees import simple_fraction
from tests import oracles_ensemble as oracles

PR = po.PreferenceRelation
HALF, TINY = Fraction(1, 2), Fraction(1, 10**10)
#: Degrees no further apart are equal.
CLOSE = 1e-12
#: Fractions that are near to each other, and yet different.
near = st.builds(
    lambda one, other, power: Fraction(one, 10) + Fraction(other, 10**power),
    st.integers(1, 8),
    st.integers(-3, 3),
    st.sampled_from([2, 9, 10]),
)


def rest_of(degrees: dict[Any, Any]) -> dict[Any, Any]:
    """The degrees of the other direction of each pair."""
    return {(v, u): 1 - degree for (u, v), degree in degrees.items()}


def require_in_order(P: po.PreferenceRelation) -> None:
    """Require that strengths compare as degrees do, and the two of a pair are one in all."""
    places = {pair: tuple(map(P.items.index, pair)) for pair in permutations(P.items, 2)}
    strength = {pair: P.strength[place] for pair, place in places.items()}
    for (pair, one), (other, two) in combinations(P.degrees().items(), 2):
        assert (strength[pair] < strength[other]) == (one < two)
        assert (strength[pair] == strength[other]) == (one == two)
    for pair, place in places.items():
        assert P.matrix()[place] == pytest.approx(float(P.degree(*pair)), abs=CLOSE)
        assert P.degree(*pair) + P.degree(*pair[::-1]) == pytest.approx(1, abs=2 * CLOSE)
    assert np.all(np.diff(P.values) > 0)


@given(st.lists(st.one_of(near, st.floats(0, 1), st.sampled_from([0.3, 0.7])), min_size=10))
def test_degrees_are_kept_and_compared_and_the_other_direction_has_the_rest(
    values: list[Any],
) -> None:
    """Fractions as they are, floats as the fractions that were meant."""
    half = dict(zip(combinations("abcde", 2), values, strict=False))
    matrix = np.zeros((5, 5), dtype=object)
    for (u, v), value in (half | rest_of(half)).items():
        matrix["abcde".index(u), "abcde".index(v)] = value
    for given_degrees in (half, half | rest_of(half), matrix):
        P = PR.from_degrees(given_degrees, "abcde")
        require_in_order(P)
        for pair, value in half.items():
            exactly = 2 * CLOSE if isinstance(value, float) else 0
            assert abs(P.degree(*pair) - simple_fraction(value)) <= exactly
    least = oracles.minimal_threshold(P.degrees(), sorted({*P.degrees().values(), Fraction(1)}))
    assert po.minimal_threshold(P) == least
    assert PR.from_graph(P.to_graph()).degrees() == P.degrees()


strengths = st.one_of(
    st.integers(1, 9),
    st.integers(1, 10**20),
    st.sampled_from([2**61 - 1, 2**61 + 1, 10**399, 10**400, Fraction(1, 10**400)]),
    st.fractions(1, 2),
    st.integers(1, 50).map(lambda sixteenths: sixteenths / 16),
)


@given(st.lists(strengths, max_size=6))
def test_strengths_have_the_shares_of_plackett_and_luce(values: list[Any]) -> None:
    P = PR.from_strengths(dict(enumerate(values)))
    # Degrees in a chain of steps of at most CLOSE are equal.
    apart = (len(values) + 1) * CLOSE
    shares = {
        (i, j): Fraction(values[i]) / (Fraction(values[i]) + Fraction(values[j]))
        for i, j in permutations(range(len(values)), 2)
    }
    assert all(abs(P.degree(*pair) - share) < apart for pair, share in shares.items())
    assert all(abs(P.matrix()[pair] - float(share)) < apart for pair, share in shares.items())
    for pair, other in combinations(shares, 2):
        if abs(shares[pair] - shares[other]) > apart:
            assert (P.strength[pair] < P.strength[other]) == (shares[pair] < shares[other])


def test_degrees_nearer_than_1e_12_are_equal_and_others_are_not() -> None:
    shares = {("a", "b"): 0.6, ("b", "c"): 0.6 + 1e-13, ("c", "d"): 0.6 + 1e-11}
    P = PR.from_degrees(shares | {("d", "a"): 1e-40})
    assert P.degree("a", "b") == P.degree("b", "c") == Fraction(3, 5) < P.degree("c", "d")
    assert P.degree("d", "a") == 0
    # Each within 1e-9 of the next: all 66 were one degree.
    pairs = list(combinations(range(12), 2))
    P = PR.from_degrees({pair: 0.6 + 9e-10 * number for number, pair in enumerate(pairs)})
    assert len({P.degree(*pair) for pair in pairs}) == 66
    thirds = {("a", "b"): 0.1 + 0.2, ("b", "c"): 0.3, ("c", "d"): 1 - 0.7, ("d", "a"): 0.9 / 3}
    P = PR.from_degrees(thirds)
    assert {P.degree(*pair) for pair in thirds} == {Fraction(3, 10)}
    assert P.matrix()[1, 0] == 0.7
    nearly = {("a", "b"): 0.5 - 1e-10, ("b", "a"): 0.5 - 1e-10}
    assert PR.from_degrees(nearly).degree("a", "b") == HALF


def test_numbers_of_other_types() -> None:
    by_array = PR.from_degrees([[0, 1], [0, 0]], items=np.array([3, 4]))
    assert [type(item) for item in by_array.items] == [int, int]
    shares = {("a", "b"): Decimal("0.7"), ("b", "c"): np.float32(0.7), ("c", "a"): np.int64(1)}
    P = PR.from_degrees(shares)
    assert [P.degree(*pair) for pair in shares] == [Fraction(7, 10), Fraction(7, 10), 1]
    P = PR.from_degrees(np.array([[0, 1 / 3], [2 / 3, 0]], dtype=np.float32))
    assert P.degree(0, 1) + P.degree(1, 0) == 1
    assert float(P.degree(0, 1)) == pytest.approx(1 / 3, abs=1e-7)
    assert PR.from_degrees(np.array([[False, True], [False, False]])).degree(0, 1) == 1
    assert PR.from_strengths({"a": Decimal("0.3"), "b": 0.1}).degree("a", "b") == Fraction(3, 4)
    assert PR.from_strengths(pd.Series({"a": 3, "b": 1})).degree("a", "b") == Fraction(3, 4)
    for empty in (0, None, math.nan, "", "-"):
        assert PR.from_degrees([[empty, 0.7], [0.3, empty]]).degree(0, 1) == Fraction(7, 10)


@pytest.mark.parametrize("kind", [float, np.float64, np.float32, np.float16, Fraction, Decimal])
def test_thresholds_and_costs_are_numbers_of_any_type(kind: Any) -> None:
    P = po.preference_relation([[2, 1]] * 3 + [[1, 2]])
    assert list(P.cut(kind(0.75)).edges) == [(0, 1)]
    thirds = po.preference_relation([[2, 1]] * 2 + [[1, 2]])
    if kind is not Decimal:  # which has no thirds
        assert thirds.strength_of_threshold(kind(Fraction(2, 3))) == 2
    G = po.predict_order(P, abstention_cost=kind(0.25))
    assert (G.graph["abstention_cost"], G.graph["alpha"]) == (Fraction(1, 4), 1)


@pytest.mark.parametrize("tiny", [1e-10, 5e-324, Fraction(1, 10**20), Decimal("1e-9")])
def test_what_is_hardly_above_0_is_above_0(tiny: Any) -> None:
    for P in (PR.from_degrees({("a", "b"): 0.7}), po.preference_relation([[2, 1]])):
        assert P.strength_of_threshold(tiny) == 1
        assert all(degree > 0 for _, _, degree in P.cut(tiny).edges(data="degree"))
    # As 0 this cost made a threshold of 4/3.
    G = po.predict_order(po.preference_relation([[3, 2, 1]] * 3), abstention_cost=tiny)
    assert 0 < G.graph["abstention_cost"] <= Fraction(1, 10**9)
    assert (len(G.edges), G.graph["alpha"], G.graph["loss"]) == (3, 1, 0)


def test_a_float_is_the_nearest_of_several_degrees() -> None:
    shares = {("a", "b"): HALF + TINY, ("b", "c"): HALF + 2 * TINY, ("a", "c"): HALF + 9 * TINY}
    P = PR.from_degrees(shares)
    for pair, degree in shares.items():
        for nearby in (-4e-11, 0, 4e-11):
            strength = P.strength_of_threshold(float(degree) + nearby)
            assert P.degree_of_strength(strength) == P.degree(*pair)
    assert P.degree_of_strength(P.strength_of_threshold(HALF + 3 * TINY)) == HALF + 9 * TINY
    assert P.degree_of_strength(P.strength_of_threshold(0.51)) == 1


@given(st.floats(0, 1), st.integers(1, 10**5))
def test_simple_fractions(number: float, denominator: int) -> None:
    fraction = simple_fraction(number)
    assert abs(fraction - Fraction(number)) < Fraction(1, 10**13)
    assert (fraction == 0) == (number == 0)
    simple = Fraction(round(number * denominator), denominator)
    assert simple_fraction(float(simple)) == simple
