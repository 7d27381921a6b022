"""Where relevant items stand in a list, how soon a reader stops, and how much two lists share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
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
from tests import oracles

MEASURES: list[Callable[..., float]]
MEASURES = [
    po.reciprocal_rank,
    po.average_precision,
    po.precision_at_k,
    po.recall_at_k,
    po.hit_rate,
]
MEASURES += [po.expected_reciprocal_rank, po.rank_biased_overlap]
EVERY_TIES: dict[str, Callable[[Any], Any]]
EVERY_TIES = {"average": mean, "optimistic": max, "pessimistic": min}
Line = tuple[Any, ...]


def reciprocal(relevant: set[Any], line: Line) -> Fraction:
    """One over the position of the first relevant item."""
    return Fraction(1, 1 + min(line.index(x) for x in relevant))


def precision(relevant: set[Any], line: Line) -> Fraction:
    """The mean precision at the positions of the relevant items."""
    shares = [Fraction(len(relevant & {*line[: i + 1]}), i + 1) for i in range(len(line))]
    return mean(shares[line.index(x)] for x in relevant)


def stopping(grades: dict[Any, int], highest: int, line: Line) -> Fraction:
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


def near(value: Any) -> Any:
    return pytest.approx(float(value), rel=1e-13, abs=1e-16)


def targets_and_lists(step: int) -> Iterator[tuple[dict[int, int], dict[int, int], list[Line]]]:
    """Weak orders of two levels and others, predicted ones, and all ways to break their ties."""
    for n in range(1, 5):
        every = oracles.weak_orders(n)
        lines = [list(oracles.lists_of(scores)) for scores in every]
        two = [scores for scores in every if {*scores.values()} == {0, 1}]
        targets = two[::step] + every[:: 5 * step]
        for target, (predicted, own) in product(targets, zip(every, lines, strict=True)):
            yield target, predicted, own


@pytest.mark.parametrize(("ties", "combine"), EVERY_TIES.items())
def test_all_ways_to_break_the_ties(ties: str, combine: Callable[[Any], Any]) -> None:
    for target, predicted, lines in targets_and_lists(step=3):
        grade = oracles.grades(target)
        for highest in (None, max(grade.values()) + 1):
            top = max(grade.values()) if highest is None else highest
            expected = combine([stopping(grade, top, line) for line in lines])
            value = po.expected_reciprocal_rank(target, predicted, ties=ties, highest=highest)
            assert value == near(expected)
        if {*target.values()} == {0, 1}:
            relevant = {x for x in target if target[x]}
            first = combine([reciprocal(relevant, line) for line in lines])
            assert po.reciprocal_rank(target, predicted, ties=ties) == near(first)
            hits = combine([precision(relevant, line) for line in lines])
            assert po.average_precision(target, predicted, ties=ties) == near(hits)


@pytest.mark.parametrize(("ties", "combine"), EVERY_TIES.items())
def test_hits_among_the_first_k(ties: str, combine: Callable[[Any], Any]) -> None:
    two = [each for each in targets_and_lists(step=3) if {*each[0].values()} == {0, 1}]
    for target, predicted, lines in two[::3]:
        relevant = {x for x in target if target[x]}
        for k, retrieved in ((None, None), (None, 2), (1, 0), (3, None), (3, 2), (6, 5)):
            wanted = len(relevant) if k is None else k
            depth = wanted if retrieved is None else min(wanted, retrieved)
            found = [Fraction(len(relevant & {*line[:depth]})) for line in lines]
            for measure, values in (
                (po.precision_at_k, [hits / wanted for hits in found]),
                (po.recall_at_k, [hits / len(relevant) for hits in found]),
                (po.hit_rate, [min(hits, 1) for hits in found]),
            ):
                value = measure(target, predicted, k=k, retrieved=retrieved, ties=ties)
                assert value == near(combine(values))


def test_overlap_over_all_ways_to_break_the_ties_of_both() -> None:
    p = Fraction(7, 10)
    for first, second, others in list(targets_and_lists(step=2))[::5]:
        for k in {1, len(first)}:
            pairs = [overlap(a, b, p, k) for a in oracles.lists_of(first) for b in others]
            assert po.rank_biased_overlap(first, second, p=float(p), k=k) == near(mean(pairs))


@given(st.permutations(range(7)), st.permutations(range(7)), st.floats(0.01, 0.99))
def test_overlap_of_total_orders(first: list[int], second: list[int], p: float) -> None:
    pair = po.from_ranking(first), po.from_ranking(second)
    for k in range(1, 8):
        expected = overlap(tuple(first), tuple(second), Fraction(p), k)
        assert po.rank_biased_overlap(*pair, p=p, k=k) == pytest.approx(float(expected), abs=1e-14)
    assert po.rank_biased_overlap(*pair, p=p, k=7) == po.rank_biased_overlap(*pair, p=p)


two_levels = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 3)), min_size=2, max_size=8)
two_levels = two_levels.filter(lambda pairs: len({truth for truth, _ in pairs}) == 2)


@given(two_levels, st.data())
def test_scikit_learn_agrees_and_no_sequence_changes_a_digit(
    pairs: list[tuple[int, int]], data: st.DataObject
) -> None:
    truth, guess = map(list, zip(*pairs, strict=True))
    total = [10 * score + i for i, score in enumerate(guess)]
    value = po.average_precision(truth, total)
    assert value == pytest.approx(average_precision_score(truth, total))
    assert value == pytest.approx(label_ranking_average_precision_score([truth], [total]))
    turned, other = map(list, zip(*data.draw(st.permutations(pairs)), strict=True))
    for measure in MEASURES:
        assert measure(truth, guess) == measure(turned, other)


def test_a_depth_beyond_the_end_of_a_list() -> None:
    for name in ("dcg", "ndcg", "ndcg_loss", "reciprocal_rank", "rank_biased_overlap"):
        assert getattr(po, name)([1, 0], [1, 2], k=3) == getattr(po, name)([1, 0], [1, 2])
    for k in (10**20, 10**400):
        pair = [1, 1, 0], [1, 2, 3]
        assert po.precision_at_k(*pair, k=k) == pytest.approx(float(Fraction(2, k)), abs=1e-300)
        assert po.recall_at_k(*pair, k=k) == po.hit_rate(*pair, k=k) == 1


def test_a_reader_who_hardly_ever_stops() -> None:
    """The mean share that goes on was rounded to 1, and its logarithm divided by."""
    grades = {"a": 60, **{f"{number}": 7 * (number == 0) for number in range(12)}}
    tied = dict.fromkeys(grades, 0) | {"a": -1}
    value = po.expected_reciprocal_rank(tied, tied, relevance=grades)
    # The share that stops at each of the twelve, in any sequence, and nearly all at the last one.
    stops = [(2**grade - 1) / 2**60 for grade in grades.values() if grade < 60]
    harmonic = sum(1 / place for place in range(1, 13))
    last = (1 - 2.0**-60) / 13
    assert value == pytest.approx(last + sum(stops) / 12 * harmonic, rel=1e-15)


def test_equal_total_orders_overlap_exactly_and_tied_ones_do_not() -> None:
    for n, p in product(range(1, 30), (0.1, 0.5, 0.9, 0.98)):
        assert po.rank_biased_overlap(list(range(n)), list(range(n)), p=p) == 1
    assert po.rank_biased_overlap([1, 1], [1, 1], p=0.5) == 0.75
    assert po.rank_biased_overlap([1], [5]) == 1


def test_many_levels_and_large_ties() -> None:
    """2**grade would leave the range of floats."""
    scores = np.arange(2000)
    assert po.expected_reciprocal_rank(scores, scores) == 1
    few = list(range(30))
    expected = stopping(dict(enumerate(few)), 29, tuple(few))
    assert po.expected_reciprocal_rank(few, [-score for score in few]) == near(expected)
    n = 2000
    target = np.arange(n) < 3
    chances = (math.comb(n - j, 2) / math.comb(n, 3) / j for j in range(1, n - 1))
    assert po.reciprocal_rank(target, np.zeros(n)) == pytest.approx(math.fsum(chances), rel=1e-12)
    # All alike, and two grades in one tie of 20,000.
    n = 20_000
    assert po.expected_reciprocal_rank(np.zeros(n), np.zeros(n)) == 0
    grades = np.arange(n) % 2
    few_alone = po.expected_reciprocal_rank(grades[:400], np.zeros(400))
    assert po.expected_reciprocal_rank(grades, np.zeros(n)) == pytest.approx(few_alone, rel=1e-2)
    scores = np.random.default_rng(3).permutation(50_000)
    assert 0 < po.expected_reciprocal_rank(scores, -scores) < 1
    assert po.rank_biased_overlap(scores, scores, p=0.999) == 1
