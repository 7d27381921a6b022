"""Cumulative gains of predicted lists: by rank, level and relevance; ties; the book's loss."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import permutations, product
from statistics import mean
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import dcg_score, ndcg_score

import porank as po
from porank.errors import (
    GraphTypeError,
    NotApplicableError,
    PorankError,
    UndefinedError,
)
from porank.measures.gains import dcg, dcg_terms, ndcg
from porank.measures.losses import ndcg_loss
from tests import oracles
from tests.oracles_positions import mid_positions

TARGET, PREDICTED = po.load_example("tutorial")
EVERY_TIES = {"average": mean, "optimistic": max, "pessimistic": min}


def collected(gains: Mapping[Any, float], line: tuple[Any, ...], k: int | None = None) -> float:
    """The sum over the first k positions of gain over the logarithm of one more than position."""
    pays = [gains[x] / math.log2(i + 1) for i, x in enumerate(line, start=1)]
    return math.fsum(pays[:k])


graded_lists = st.integers(1, 7).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 4), min_size=n, max_size=n),
        st.lists(st.integers(0, 3), min_size=n, max_size=n),
        st.none() | st.integers(1, n),
    )
)


@pytest.mark.parametrize(("ties", "combine"), EVERY_TIES.items())
def test_all_weak_orders_of_four_items(ties: str, combine: Callable[[Any], float]) -> None:
    everyone = [scores for n in range(1, 5) for scores in oracles.weak_orders(n)]
    for target, predicted in product(everyone[::2], everyone[-75::6]):
        if len(target) == len(predicted):
            gains = oracles.grades(target)
            for k in (None, 2):
                found = [collected(gains, line, k) for line in oracles.lists_of(predicted)]
                value = dcg(target, predicted, gain="level", k=k, ties=ties)
                assert value == pytest.approx(combine(found), rel=1e-14)


@pytest.mark.parametrize(("ties", "combine"), EVERY_TIES.items())
def test_rank_gains_of_partial_targets(ties: str, combine: Callable[[Any], float]) -> None:
    for G, predicted in product(oracles.strict_orders(3), oracles.weak_orders(3)):
        gains = {x: float(len(G) - at) for x, at in mid_positions(G).items()}
        ideal = max(collected(gains, line) for line in permutations(G))
        expected = combine([collected(gains, line) for line in oracles.lists_of(predicted)])
        options: dict[str, Any] = {"gain": "rank", "ties": ties}
        assert dcg(G, predicted, **options) == pytest.approx(expected, rel=1e-14)
        assert ndcg(G, predicted, **options) == pytest.approx(expected / ideal, rel=1e-14)
        gain = "level" if po.is_weak_order(G) else "rank"
        assert dcg(G, predicted, ties=ties) == dcg(G, predicted, gain=gain, ties=ties)


def test_numbers_of_the_target_are_the_gain() -> None:
    target, predicted = {"a": 3, "b": 1, "c": 0, "d": -2}, {"d": 4, "b": 3, "a": 2, "c": 1}
    value = 1 / math.log2(3) + 3 / math.log2(4)
    assert dcg(target, predicted) == pytest.approx(value)
    assert ndcg(target, predicted) == pytest.approx(value / (3 + 1 / math.log2(3)))
    assert dcg([Fraction(1, 2), 2], [2, 1]) == pytest.approx(0.5 + 2 / math.log2(3))
    assert dcg(np.array([0.5, 2]), [2, 1], gain="rank") == pytest.approx(1 / math.log2(3))
    assert ndcg([1, 1], [2, 1]) == 1
    hit, line = [int(place == 3) for place in range(118)], list(range(118, 0, -1))
    assert ndcg(hit, line) == pytest.approx(1 / math.log2(5))
    assert ndcg(hit, line, gain="rank") > 0.97
    assert [ndcg(hit, line, retrieved=n) for n in (0, 3, 4)] == [0, 0, ndcg(hit, line)]
    assert ndcg_loss(hit, line, retrieved=3) == 1
    with pytest.raises(
        NotApplicableError, match=r"to 2\*\*1000 as gains, found inf of 'a'; gain='lev"
    ):
        dcg({"a": 10**400, "b": 1}, {"a": 1, "b": 2})


@given(graded_lists)
def test_scikit_learn_agrees(drawn: tuple[list[int], list[int], int | None]) -> None:
    truth, guess, k = drawn
    options: dict[str, Any] = {"gain": "level", "relevance": truth, "k": k}
    if len(truth) < 2:
        return  # scikit-learn takes it for a class, not a list
    for base in (2, 3):
        expected = dcg_score([truth], [guess], k=k, log_base=base)
        assert dcg(truth, guess, **options, base=base) == pytest.approx(expected)
    if any(truth):
        assert ndcg(truth, guess, **options) == pytest.approx(ndcg_score([truth], [guess], k=k))


@given(graded_lists)
def test_loss_by_the_formula_of_the_book(drawn: tuple[list[int], list[int], int | None]) -> None:
    y, guess, k = drawn
    r = len(y)

    def gain(line: tuple[int, ...]) -> float:
        pi = {x: r - at for at, x in enumerate(line)}
        discount = {i: 1 / math.log2(r - i + 2) for i in range(r - (k or r) + 1, r + 1)}
        return math.fsum(discount.get(pi[x], 0) * y[x] for x in pi)

    if r <= 5 and any(y):
        best = max(map(gain, oracles.lists_of(dict(enumerate(y)))))
        expected = 1 - mean(map(gain, oracles.lists_of(dict(enumerate(guess))))) / best
        assert ndcg_loss(y, guess, k=k) == pytest.approx(expected, abs=1e-12)


def test_gains_by_level_and_relevance() -> None:
    target, predicted = {"a": 7, "b": 7, "c": 3, "d": 1}, {"d": 4, "c": 3, "b": 2, "a": 1}
    assert dcg(target, predicted, gain="level", k=2) == pytest.approx(1 / math.log2(3))
    assert dcg(target, predicted, gain="level", lowest=1, k=1) == 1
    assert dcg(target, predicted, gain="level", lowest=0.5, k=1) == 0.5
    assert dcg(target, predicted, gain="exponential", lowest=2, k=1) == 3
    relevance = {"a": 0, "b": 1, "c": Fraction(1, 2), "d": 3.0}
    assert dcg(target, predicted, gain="level", relevance=relevance, k=1) == 3
    assert dcg(target, predicted, gain="exponential", relevance=relevance, k=1) == 7
    assert dcg_terms(target, predicted, gain="level", relevance=relevance)["c"] == pytest.approx(
        0.5 / math.log2(3)
    )


def test_relevance_frees_the_target_from_being_weak() -> None:
    target = po.parse("a > b; c")
    value = ndcg(target, {"a": 2, "c": 1, "b": 0}, gain="level", relevance={"a": 2, "b": 0, "c": 1})
    assert value == 1


def test_refining_the_ties_of_the_target_is_ideal() -> None:
    """And never more, though the sum of these gains has other roundings than that of the tie."""
    truth = [3, 3, 2, 1, 1, 1, 0]
    for line in oracles.lists_of(dict(enumerate(truth))):
        guess = [-line.index(x) for x in range(7)]
        for gain in ("level", "exponential"):
            assert 1 - 1e-15 <= ndcg(truth, guess, gain=gain) <= 1


def test_large_lists() -> None:
    n = 50_000
    scores = np.random.default_rng(5).permutation(n)
    assert ndcg(scores, scores) == 1
    assert ndcg(scores, np.zeros(n)) < 0.99
    assert ndcg(scores, scores // 4, ties="optimistic") == 1


def test_undefined() -> None:
    one_level = {"a": 1, "b": 1}
    assert ndcg(one_level, one_level) == 1
    assert math.isnan(ndcg(one_level, one_level, gain="level"))
    assert ndcg(one_level, one_level, gain="level", lowest=1) == 1
    with pytest.raises(UndefinedError, match="found 0/0: no item has a gain"):
        ndcg(one_level, one_level, gain="level", undefined="raise")
    with pytest.raises(UndefinedError, match="found 0/0: all scores are 0"):
        ndcg_loss([0, 0], [1, 2], undefined="raise")
    assert ndcg_loss([], [], undefined=0.5) == 0.5


def test_bad_targets() -> None:
    partial, weak = po.parse("a > b; c"), {"a": 1, "b": 1, "c": 1}
    assert dcg(partial, weak) > 0
    for gain in ("level", "exponential"):
        with pytest.raises(NotApplicableError, match="as target, whose levels are grades, found"):
            dcg(partial, weak, gain=gain)
    with pytest.raises(NotApplicableError, match="expected the scores of the target, found a gr"):
        ndcg_loss(TARGET, PREDICTED)
    with pytest.raises(GraphTypeError, match=r"expected a networkx\.DiGraph or scores"):
        ndcg_loss("ab", [1, 2])
    with pytest.raises(NotApplicableError, match=r"from 0 to 2\*\*1000 as gains, found -1 of 1"):
        ndcg_loss([1, -1], [1, 2])


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"k": True}, "expected a whole number of at least 1 as k, found True"),
    ({"lowest": 1}, "expected lowest only with gain='level' or .* gain='grade'"),
    ({"lowest": -1, "gain": "level"}, "as lowest, found -1"),
    ({"lowest": math.nan, "gain": "level"}, "as lowest, found nan"),
    ({"lowest": 1000, "gain": "exponential"}, "at most 1000 for gain='exponential', found 1001"),
    ({"relevance": [1, 1], "gain": "rank"}, "expected relevance without gain='rank'"),
    ({"relevance": [1, 1], "gain": "level", "lowest": 1}, "lowest only .* with relevance"),
    ({"relevance": {0: 1}}, "of every item and of no other, found none for 1$"),
    ({"relevance": {0: 1, 1: 0, "c": 2}}, "found unknown: 'c'$"),
    ({"relevance": {0: 1, 1: -0.5}}, "as relevance of 1, found -0.5"),
    ({"relevance": {0: 1, 1: math.inf}}, "as relevance of 1, found inf"),
    ({"relevance": {0: 10**400, 1: 1}}, "as relevance of 0, found 1000"),
    ({"relevance": {0: 1, 1: None}}, "expected a number for each item, found None for 1"),
    ({"relevance": nx.DiGraph(["ab"])}, "expected relevance as item -> number, found DiGraph"),
]


def test_bad_options() -> None:
    for measure in (dcg, ndcg, dcg_terms):
        for options, message in REFUSED:
            with pytest.raises(PorankError, match=message):
                measure([2, 1], [1, 2], **options)


def test_exponential_gains_stay_within_floats() -> None:
    assert dcg([1, 0], [1, 0], gain="exponential", relevance=[1000, 0]) == 2.0**1000
    with pytest.raises(
        NotApplicableError, match=r"at most 1000 for gain=.exponential., found 1001"
    ):
        dcg([1, 0], [1, 0], gain="exponential", relevance=[1001, 0])
    with pytest.raises(PorankError, match="gain='level' takes any"):
        ndcg(range_scores(1500), range_scores(1500), gain="exponential")
    assert ndcg(range_scores(1500), range_scores(1500), gain="level") == 1


def range_scores(n: int) -> list[int]:
    return list(range(n))
