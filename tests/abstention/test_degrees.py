"""Degrees and strengths given as numbers: floats, equal if they are nearer than 1e-12."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, pairwise, permutations
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


def shares_of(strengths: dict[Any, Fraction]) -> oracles.Degrees:
    """The model of Plackett and Luce."""
    return {
        (u, v): Fraction(strengths[u]) / (Fraction(strengths[u]) + Fraction(strengths[v]))
        for u, v in permutations(strengths, 2)
    }


#: Degrees no further apart are equal.
CLOSE = 1e-12


def are_equal(found: oracles.Degrees, expected: oracles.Degrees) -> bool:
    """Whether two models have the same pairs, and the same degrees but for rounding."""
    return found.keys() == expected.keys() and all(
        abs(found[pair] - degree) < CLOSE for pair, degree in expected.items()
    )


def rest_of(shares: dict[tuple[Any, Any], Any]) -> dict[tuple[Any, Any], Any]:
    """The degrees of the other direction of each pair."""
    return {(v, u): 1 - degree for (u, v), degree in shares.items()}


#: Fractions that are near to each other, and yet different.
near = st.builds(
    lambda one, other, power: Fraction(one, 10) + Fraction(other, 10**power),
    st.integers(1, 8),
    st.integers(-3, 3),
    st.sampled_from([2, 9, 10]),
)


@given(st.lists(near, max_size=10))
def test_fractions_are_kept_and_compared(values: list[Fraction]) -> None:
    pairs = list(combinations("abcde", 2))
    given_shares = dict(zip(pairs, values, strict=False))
    shares = given_shares | rest_of(given_shares)
    P = PR.from_degrees(given_shares, "abcde")
    assert {pair: P.degree(*pair) for pair in shares} == shares
    grid = sorted({*shares.values(), Fraction(1)} - {0})
    assert po.minimal_threshold(P) == oracles.minimal_threshold(shares, grid)
    for alpha in grid:
        assert set(P.cut(alpha).edges) == oracles.cut(shares, alpha)


@given(
    st.lists(
        st.one_of(
            st.integers(1, 9),
            st.integers(1, 10**20),
            st.fractions(1, 2),
            st.integers(1, 50).map(lambda sixteenths: sixteenths / 16),
        ),
        max_size=6,
    )
)
def test_strengths_have_their_shares(values: list[Any]) -> None:
    shares = shares_of(dict(enumerate(values)))
    P = PR.from_strengths(dict(enumerate(values)))
    # Degrees in a chain of steps of at most CLOSE are equal.
    near = (len(values) + 1) * CLOSE
    assert P.degrees().keys() == shares.keys()
    for (i, j), share in shares.items():
        assert abs(P.degree(i, j) - share) < near
        assert abs(P.matrix()[P.items.index(i), P.items.index(j)] - float(share)) < near
    for pair, other in combinations(shares, 2):
        if abs(shares[pair] - shares[other]) > near:
            assert (P.strength[pair] < P.strength[other]) == (shares[pair] < shares[other])


@pytest.mark.parametrize(
    "values",
    [
        [10**10 + 1, 10**10, 10**10 - 1],
        [1, 10**12, 10**24],
        [1, 2, 10**399, 10**400],
        [2**61, 2**61 + 1, 2**61 - 1],
        [Fraction(1, 10**400), Fraction(2, 10**400), 1],
        np.random.default_rng(0).integers(1, 10**6, 60).tolist(),
        [3, 3, 3],
        [],
    ],
)
def test_strengths_far_apart_and_close_together(values: list[Any]) -> None:
    strengths = dict(enumerate(values))
    P, shares = PR.from_strengths(strengths), shares_of(strengths)
    assert are_equal(P.degrees(), shares)
    assert np.all(np.diff(P.values) > CLOSE)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=10))
def test_a_float_is_the_fraction_that_was_meant_and_the_other_direction_its_rest(
    values: list[float],
) -> None:
    pairs = list(combinations("abcde", 2))[: len(values)]
    numbers = dict(zip(pairs, values, strict=False))
    P = PR.from_degrees(numbers)
    for (u, v), number in numbers.items():
        assert abs(P.degree(u, v) - simple_fraction(number)) <= 2 * CLOSE
        assert abs(P.degree(u, v) + P.degree(v, u) - 1) <= 2 * CLOSE
    both = PR.from_degrees(numbers | {(v, u): 1 - number for (u, v), number in numbers.items()})
    for (u, v), number in numbers.items():
        assert abs(both.degree(u, v) - simple_fraction(number)) <= 2 * CLOSE
        assert both.matrix()[both.items.index(u), both.items.index(v)] == pytest.approx(number)
    for relation in (P, both):
        degrees = relation.degrees()
        for pair, other in combinations(degrees, 2):
            one, two = (
                relation.strength[tuple(map(relation.items.index, p))] for p in (pair, other)
            )
            assert (one < two) == (degrees[pair] < degrees[other])
            assert (one == two) == (degrees[pair] == degrees[other])


def test_degrees_nearer_than_1e_12_are_equal() -> None:
    shares = {("a", "b"): 0.6, ("b", "c"): 0.6 + 1e-13, ("c", "d"): 0.6 + 1e-11}
    P = PR.from_degrees(shares | {("d", "a"): 1e-40})
    assert P.degree("a", "b") == P.degree("b", "c") == Fraction(3, 5) < P.degree("c", "d")
    assert P.degree("d", "a") == 0


def test_floats_close_together_do_not_become_one_degree() -> None:
    # Each within 1e-9 of the next: all 66 were one degree.
    pairs = list(combinations(range(12), 2))
    P = PR.from_degrees({pair: 0.6 + 9e-10 * number for number, pair in enumerate(pairs)})
    assert len({P.degree(*pair) for pair in pairs}) == 66


def test_rounding_makes_no_new_degree() -> None:
    thirds = {("a", "b"): 0.1 + 0.2, ("b", "c"): 0.3, ("c", "d"): 1 - 0.7, ("d", "a"): 0.9 / 3}
    P = PR.from_degrees(thirds)
    assert {P.degree(*pair) for pair in thirds} == {Fraction(3, 10)}
    assert P.matrix()[1, 0] == 0.7
    nearly = {("a", "b"): 0.5 - 1e-10, ("b", "a"): 0.5 - 1e-10}
    assert PR.from_degrees(nearly).degree("a", "b") == HALF


@given(st.integers(2, 9), st.integers(0, 2**32 - 1))
def test_a_matrix_of_floats_is_made_reciprocal(n: int, seed: int) -> None:
    upper = np.triu(np.random.default_rng(seed).random((n, n)).round(seed % 17), 1)
    P = PR.from_degrees(upper + np.tril(1 - upper.T, -1))
    sums = [P.degree(u, v) + P.degree(v, u) for u, v in combinations(range(n), 2)]
    assert all(abs(both - 1) <= CLOSE for both in sums)
    assert (P.strength + P.strength.T)[~np.eye(n, dtype=bool)].tolist() == [P.unit] * (n * n - n)
    assert np.all(np.diff(P.values) > 0)


def test_numbers_of_other_types() -> None:
    by_array = PR.from_degrees([[0, 1], [0, 0]], items=np.array([3, 4]))
    assert [type(item) for item in by_array.items] == [int, int]
    shares = {("a", "b"): Decimal("0.7"), ("b", "c"): np.float32(0.7), ("c", "a"): np.int64(1)}
    P = PR.from_degrees(shares)
    assert [P.degree(*pair) for pair in shares] == [Fraction(7, 10), Fraction(7, 10), 1]
    third = np.array([[0, 1 / 3], [2 / 3, 0]], dtype=np.float32)
    P = PR.from_degrees(third)
    assert P.degree(0, 1) + P.degree(1, 0) == 1
    assert float(P.degree(0, 1)) == pytest.approx(1 / 3, abs=1e-7)
    assert PR.from_degrees(np.array([[False, True], [False, False]])).degree(0, 1) == 1
    assert PR.from_strengths({"a": Decimal("0.3"), "b": 0.1}).degree("a", "b") == Fraction(3, 4)
    assert PR.from_strengths(pd.Series({"a": 3, "b": 1})).degree("a", "b") == Fraction(3, 4)


@pytest.mark.parametrize("alpha", [1e-10, 1e-300, Fraction(1, 10**20), Decimal("1e-9")])
def test_no_threshold_keeps_pairs_of_degree_0(alpha: Any) -> None:
    by_hand, of_members = PR.from_degrees({("a", "b"): 0.7}), po.preference_relation([[2, 1]])
    for P in (by_hand, of_members):
        assert P.strength_of_threshold(alpha) == 1
        assert all(degree > 0 for _, _, degree in P.cut(alpha).edges(data="degree"))
    with pytest.raises(po.CycleError, match="'a' > 'b' > 'a' in the cut at 3/10"):
        po.predict_order(by_hand, alpha=alpha)


def test_a_float_is_the_nearest_of_several_degrees() -> None:
    shares = {("a", "b"): HALF + TINY, ("b", "c"): HALF + 2 * TINY, ("a", "c"): HALF + 9 * TINY}
    P = PR.from_degrees(shares)
    for pair, degree in shares.items():
        for nearby in (-4e-11, 0, 4e-11):
            strength = P.strength_of_threshold(float(degree) + nearby)
            assert P.degree_of_strength(strength) == P.degree(*pair)
    assert P.degree_of_strength(P.strength_of_threshold(HALF + 3 * TINY)) == HALF + 9 * TINY
    assert P.degree_of_strength(P.strength_of_threshold(0.51)) == 1


@pytest.mark.parametrize("kind", [float, np.float64, np.float32, np.float16, Fraction, Decimal])
def test_thresholds_and_costs_are_numbers_of_any_type(kind: Any) -> None:
    P = po.preference_relation([[2, 1]] * 3 + [[1, 2]])
    assert list(P.cut(kind(0.75)).edges) == [(0, 1)]
    thirds = po.preference_relation([[2, 1]] * 2 + [[1, 2]])
    if kind is not Decimal:  # which has no thirds
        assert thirds.strength_of_threshold(kind(Fraction(2, 3))) == 2
    G = po.predict_order(P, abstention_cost=kind(0.25))
    assert (G.graph["abstention_cost"], G.graph["alpha"]) == (Fraction(1, 4), 1)
    assert po.predict_order(P, abstention_cost=np.float32(0.3)).graph["abstention_cost"] == (
        Fraction(3, 10)
    )


@pytest.mark.parametrize("cost", [1e-15, 5e-324, Fraction(1, 10**30)])
def test_a_cost_hardly_above_0_is_above_0(cost: Any) -> None:
    # As 0 it made a threshold of 4/3.
    G = po.predict_order(po.preference_relation([[3, 2, 1]] * 3), abstention_cost=cost)
    assert 0 < G.graph["abstention_cost"] < Fraction(1, 10**14)
    assert (len(G.edges), G.graph["alpha"], G.graph["loss"]) == (3, 1, 0)


@given(st.floats(0, 1), st.integers(1, 10**5))
def test_simple_fractions(number: float, denominator: int) -> None:
    fraction = simple_fraction(number)
    assert abs(fraction - Fraction(number)) < Fraction(1, 10**13)
    assert (fraction == 0) == (number == 0)
    simple = Fraction(round(number * denominator), denominator)
    assert simple_fraction(float(simple)) == simple


NOT_EXACT = {("a", "b"): HALF + TINY, ("b", "a"): HALF}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: PR.from_degrees(NOT_EXACT), "that sum to 1 for each two items, found 5000000001"),
        (lambda: PR.from_degrees(NOT_EXACT, reciprocal=False), "sum to at most 1"),
        (lambda: PR.from_degrees({("a", "b"): Decimal("nan")}), "from 0 to 1, found NaN for 'a'"),
        (lambda: PR.from_degrees({("a", "b"): 10**400}), "from 0 to 1, found 1000"),
        (lambda: PR.from_degrees({("a", "b"): 1j}), "a number as degree of 'a' over 'b', found 1j"),
        (lambda: PR.from_degrees([[0, 1], [0]]), r"or a square matrix of degrees, found \[\[0, 1"),
        (lambda: PR.from_degrees({}, items=range(200_000)), "all pairs of 200,000 items"),
        (lambda: PR.from_strengths([3, 1]), "a mapping item -> strength, found a list"),
        (lambda: PR.from_strengths({"a": math.inf}), "finite strength for 'a', found inf"),
        (lambda: PR.from_strengths({"a": Decimal("nan")}), "strength for 'a', found Decimal"),
        (
            lambda: PR.from_strengths(dict.fromkeys(range(200_000), 1)),
            "at most 8 GB for all pairs of 200,000",
        ),
    ],
)
def test_what_is_no_degree_or_strength_is_said(make: Any, message: str) -> None:
    with pytest.raises(po.PorankError, match=message):
        make()


def test_graphs_keep_what_floats_can() -> None:
    shares = {("a", "b"): Fraction(2, 3), ("b", "c"): HALF + TINY, ("c", "a"): Fraction(0)}
    P = PR.from_degrees(shares)
    assert PR.from_graph(P.to_graph()) == P
    assert all(low < high for low, high in pairwise(P.values))


@pytest.mark.parametrize("empty", [0, None, math.nan, "", "-"])
def test_the_diagonal_of_degrees_may_be_empty(empty: Any) -> None:
    P = po.PreferenceRelation.from_degrees([[empty, 0.7], [0.3, empty]])
    assert P.degree(0, 1) == Fraction(7, 10)
