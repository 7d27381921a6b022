"""Where relevant items stand in a list, how soon a reader stops, and how much two lists share."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from statistics import mean
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, label_ranking_average_precision_score

import porank as po
from porank.errors import (
    PorankError,
    UndefinedError,
)
from porank.measures.retrieval import (
    average_precision,
    expected_reciprocal_rank,
    rank_biased_overlap,
    reciprocal_rank,
)
from porank.measures.top_k import hit_rate, precision_at_k, recall_at_k
from tests import oracles

OF_TWO_LEVELS: list[Callable[..., float]] = [
    reciprocal_rank,
    average_precision,
    precision_at_k,
    recall_at_k,
    hit_rate,
]
EVERY_MEASURE: list[Callable[..., float]] = [
    *OF_TWO_LEVELS,
    expected_reciprocal_rank,
    rank_biased_overlap,
]
EVERY_TIES: dict[str, Callable[[Any], Any]] = {
    "average": mean,
    "optimistic": max,
    "pessimistic": min,
}

Line = tuple[Any, ...]


def reciprocal(relevant: set[Any], line: Line) -> Fraction:
    """One over the position of the first relevant item."""
    return Fraction(1, 1 + min(line.index(x) for x in relevant))


def precision(relevant: set[Any], line: Line) -> Fraction:
    """The mean precision at the positions of the relevant items."""
    shares = [Fraction(len(relevant & {*line[: i + 1]}), i + 1) for i in range(len(line))]
    return mean(shares[line.index(x)] for x in relevant)


def found_at(relevant: set[Any], line: Line, k: int) -> int:
    """How many relevant items the first k positions hold."""
    return len(relevant & {*line[:k]})


def stopping(grades: Mapping[Any, int], highest: int, line: Line) -> Fraction:
    """The mean of 1 / i, where the reader stops at i with the probability that the grade gives."""
    total, reading = Fraction(0), Fraction(1)
    for i, x in enumerate(line, start=1):
        stop = Fraction(2 ** grades[x] - 1, 2**highest)
        total += reading * stop / i
        reading *= 1 - stop
    return total


def overlap(first: Line, second: Line, p: Fraction, k: int) -> Fraction:
    """Agreement at each depth, the last one taken for all that follow [Webber et al., eq. 23]."""
    agreement = [Fraction(len({*first[:d]} & {*second[:d]}), d) for d in range(1, k + 1)]
    known = sum((a * p**d for d, a in enumerate(agreement, start=1)), start=Fraction(0))
    return agreement[-1] * p**k + (1 - p) / p * known


ALL_LISTS = [
    (scores, list(oracles.lists_of(scores)))
    for n in range(1, 5)
    for scores in oracles.weak_orders(n)
]
TWO_LEVELS = [scores for scores, _ in ALL_LISTS if set(scores.values()) == {0, 1}]
binary_lists = st.integers(2, 8).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 1), min_size=n, max_size=n).filter(lambda y: len(set(y)) == 2),
        st.lists(st.integers(0, 3), min_size=n, max_size=n),
    )
)


@pytest.mark.parametrize(("ties", "combine"), EVERY_TIES.items())
def test_two_levels_over_all_ways_to_break_the_ties(
    ties: str, combine: Callable[[Any], Any]
) -> None:
    for target, (predicted, lines) in product(TWO_LEVELS[::2], ALL_LISTS):
        if len(target) == len(predicted):
            relevant = {x for x in target if target[x]}
            for measure, by_definition in (
                (reciprocal_rank, reciprocal),
                (average_precision, precision),
            ):
                expected = combine([by_definition(relevant, line) for line in lines])
                value = measure(target, predicted, ties=ties)
                assert value == pytest.approx(float(expected), rel=1e-14)


@pytest.mark.parametrize(("ties", "combine"), EVERY_TIES.items())
def test_expected_reciprocal_rank_over_all_ways_to_break_the_ties(
    ties: str, combine: Callable[[Any], Any]
) -> None:
    for (target, _), (predicted, lines) in product(ALL_LISTS[::7], ALL_LISTS):
        if len(target) == len(predicted):
            grade = oracles.grades(target)
            expected = combine([stopping(grade, max(grade.values()), line) for line in lines])
            value = expected_reciprocal_rank(target, predicted, ties=ties)
            assert value == pytest.approx(float(expected), rel=1e-14, abs=1e-16)


@pytest.mark.parametrize(("ties", "combine"), EVERY_TIES.items())
def test_hits_among_the_first_k_over_all_ways_to_break_the_ties(
    ties: str, combine: Callable[[Any], Any]
) -> None:
    for target, (predicted, lines) in product(TWO_LEVELS[::3], ALL_LISTS[::2]):
        if len(target) != len(predicted):
            continue
        relevant = {x for x in target if target[x]}
        for k, retrieved in product((None, 1, 3, 6), (None, 0, 2)):
            wanted = len(relevant) if k is None else k
            depth = wanted if retrieved is None else min(wanted, retrieved)
            found = [Fraction(found_at(relevant, line, depth)) for line in lines]
            for measure, values in (
                (precision_at_k, [hits / wanted for hits in found]),
                (recall_at_k, [hits / len(relevant) for hits in found]),
                (hit_rate, [min(hits, 1) for hits in found]),
            ):
                value = measure(target, predicted, k=k, retrieved=retrieved, ties=ties)
                assert value == pytest.approx(float(combine(values)), rel=1e-14)


@pytest.mark.parametrize("k", [10**20, 10**400])
def test_a_k_of_any_size_is_beyond_the_list(k: int) -> None:
    pair = {"a": 1, "b": 0, "c": 1}, {"a": 3, "b": 2, "c": 1}
    assert precision_at_k(*pair, k=k) == pytest.approx(float(Fraction(2, k)), abs=1e-300)
    assert recall_at_k(*pair, k=k) == hit_rate(*pair, k=k) == 1


def test_a_reader_who_hardly_ever_stops() -> None:
    """The mean share that goes on was rounded to 1, and its logarithm divided by."""
    grades = {"a": 60, **{f"{number}": 7 * (number == 0) for number in range(12)}}
    tied = dict.fromkeys(grades, 0) | {"a": -1}
    value = expected_reciprocal_rank(tied, tied, relevance=grades)
    # The share that stops at each of the twelve, in any sequence, and nearly all at the last one.
    stops = [(2**grade - 1) / 2**60 for grade in grades.values() if grade < 60]
    harmonic = sum(1 / place for place in range(1, 13))
    last = (1 - 2.0**-60) / 13
    assert value == pytest.approx(last + sum(stops) / 12 * harmonic, rel=1e-15)


def test_overlap_over_all_ways_to_break_the_ties_of_both() -> None:
    p = Fraction(7, 10)
    for (first, lines), (second, others) in product(ALL_LISTS[::7], ALL_LISTS[::4]):
        if len(first) == len(second):
            for k in {1, len(first)}:
                pairs = [overlap(one, other, p, k) for one in lines for other in others]
                value = rank_biased_overlap(first, second, p=float(p), k=k)
                assert value == pytest.approx(float(mean(pairs)), rel=1e-13)


@given(st.permutations(range(7)), st.permutations(range(7)), st.floats(0.01, 0.99))
def test_overlap_of_total_orders(first: list[int], second: list[int], p: float) -> None:
    pair = po.from_ranking(first), po.from_ranking(second)
    for k in range(1, 8):
        expected = overlap(tuple(first), tuple(second), Fraction(p), k)
        assert rank_biased_overlap(*pair, p=p, k=k) == pytest.approx(float(expected), abs=1e-14)
    assert rank_biased_overlap(*pair, p=p, k=7) == rank_biased_overlap(*pair, p=p)


@given(*[st.permutations("abcdefgh").map(lambda line: line[:4])] * 2)
def test_top_lists_are_extrapolated_from_depth_k(first: list[str], second: list[str]) -> None:
    """What a list misses stands below it, and depth k does not see it."""
    pair = po.from_ranking(first), po.from_ranking(second)
    aligned = po.align(*pair, how="union", missing="below")
    expected = overlap(tuple(first), tuple(second), Fraction(9, 10), 4)
    assert rank_biased_overlap(*aligned, k=4) == pytest.approx(float(expected), abs=1e-14)


@given(binary_lists)
def test_scikit_learn_agrees_where_the_prediction_has_no_ties(
    drawn: tuple[list[int], list[int]],
) -> None:
    truth, guess = drawn
    total = [10 * score + i for i, score in enumerate(guess)]
    value = average_precision(truth, total)
    assert value == pytest.approx(average_precision_score(truth, total))
    assert value == pytest.approx(label_ranking_average_precision_score([truth], [total]))


@given(binary_lists, st.data())
def test_the_sequence_of_items_changes_not_even_the_last_digit(
    drawn: tuple[list[int], list[int]], data: st.DataObject
) -> None:
    truth, guess = drawn
    relevance = data.draw(st.lists(st.integers(0, 3), min_size=len(truth), max_size=len(truth)))
    turn = data.draw(st.permutations(range(len(truth))))
    turned, other, graded = ([old[i] for i in turn] for old in (truth, guess, relevance))
    for measure in EVERY_MEASURE:
        assert measure(truth, guess) == measure(turned, other)
    value = expected_reciprocal_rank(truth, guess, relevance=relevance)
    assert value == expected_reciprocal_rank(turned, other, relevance=graded)


def test_equal_total_orders_overlap_exactly_and_tied_ones_do_not() -> None:
    for n, p in product(range(1, 30), (0.1, 0.5, 0.9, 0.98)):
        assert rank_biased_overlap(list(range(n)), list(range(n)), p=p) == 1
    assert rank_biased_overlap([1, 1], [1, 1], p=0.5) == 0.75


def test_expected_reciprocal_rank_of_many_levels() -> None:
    """2**grade would leave the range of floats."""
    scores = list(range(2000))
    assert expected_reciprocal_rank(scores, scores) == 1
    few, turned = scores[:30], [-score for score in scores[:30]]
    expected = stopping(dict(enumerate(few)), 29, tuple(few))
    assert expected_reciprocal_rank(few, turned) == pytest.approx(float(expected), rel=1e-12)


def test_large_ties_and_large_lists() -> None:
    n = 2000
    target = [1] * 3 + [0] * (n - 3)
    chances = (math.comb(n - j, 2) / math.comb(n, 3) / j for j in range(1, n - 1))
    assert reciprocal_rank(target, [0] * n) == pytest.approx(math.fsum(chances), rel=1e-12)
    assert expected_reciprocal_rank(target, [0] * n) < reciprocal_rank(target, [0] * n)
    scores = np.random.default_rng(3).permutation(50_000)
    assert 0 < expected_reciprocal_rank(scores, -scores) < 1
    assert rank_biased_overlap(scores, scores, p=0.999) == 1


@pytest.mark.parametrize("pair", [([], []), ([1], [2]), ([1, 1], [2, 1])])
def test_one_level_or_none_is_undefined(pair: tuple[Any, Any]) -> None:
    for measure in OF_TWO_LEVELS:
        assert math.isnan(measure(*pair))
        assert measure(*pair, undefined=0) == 0
        with pytest.raises(UndefinedError, match="does not tell relevant from irrelevant items"):
            measure(*pair, undefined="raise")
    assert expected_reciprocal_rank(*pair) == 0


def test_overlap_of_no_item_or_one() -> None:
    assert math.isnan(rank_biased_overlap([], []))
    assert rank_biased_overlap([], [], undefined=1) == 1
    assert rank_biased_overlap([1], [5]) == 1
    with pytest.raises(UndefinedError, match="there is no item"):
        rank_biased_overlap([], [], undefined="raise")


def test_beyond_the_end_of_a_list_there_is_nothing() -> None:
    for name in ("dcg", "ndcg", "ndcg_loss", "reciprocal_rank", "rank_biased_overlap"):
        assert getattr(po, name)([1, 0], [1, 2], k=3) == getattr(po, name)([1, 0], [1, 2])


PARTIAL, WEAK = po.parse("a > b; c"), {"a": 1, "b": 1, "c": 1}
THREE = [2, 1, 0]
REFUSED: list[tuple[Any, tuple[Any, Any], dict[str, Any], str]] = [
    *((each, (THREE, THREE), {}, "target of two levels, .* found 3") for each in OF_TWO_LEVELS),
    (reciprocal_rank, (PARTIAL, WEAK), {}, "target of two levels, .* found a partial order"),
    (expected_reciprocal_rank, (PARTIAL, WEAK), {}, "whose levels are grades, found a par"),
    (rank_biased_overlap, (PARTIAL, WEAK), {}, "found target partial: the overlap is one of"),
    *((rank_biased_overlap, (THREE, THREE), {"p": p}, "p to lie between") for p in (0, 1, "0.9")),
    *(
        (expected_reciprocal_rank, (THREE, THREE), {"highest": highest}, "from the highest grade")
        for highest in (1, math.nan, math.inf, "4")
    ),
]


def test_refusals() -> None:
    for measure, pair, options, message in REFUSED:
        with pytest.raises(PorankError, match=message):
            measure(*pair, **options)
    assert expected_reciprocal_rank(PARTIAL, WEAK, relevance={"a": 0, "b": 0, "c": 0}) == 0
    assert expected_reciprocal_rank(THREE, THREE, highest=2) == expected_reciprocal_rank(
        THREE, THREE
    )


def test_equals_by_the_thousand() -> None:
    """All alike, and two grades in one tie of 20,000."""
    n = 20_000
    assert expected_reciprocal_rank(np.zeros(n), np.zeros(n)) == 0
    grades = np.arange(n) % 2
    alone = expected_reciprocal_rank(grades, np.zeros(n))
    few = expected_reciprocal_rank(grades[:400], np.zeros(400))
    assert alone == pytest.approx(few, rel=1e-2)
