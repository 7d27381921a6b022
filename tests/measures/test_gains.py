"""Cumulative gains of predicted lists: by rank, level and relevance; ties; the book's loss."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
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
from porank.measures.gains import dcg, dcg_terms, ndcg
from porank.measures.losses import ndcg_loss
from tests import oracles
from tests.oracles_extensions import linear_extensions
from tests.oracles_positions import mid_positions
from tests.strategies import order_pairs

EVERY_TIES: dict[str, Callable[[Any], float]]
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
def test_gains_of_levels_and_ranks_by_definition(
    ties: str, combine: Callable[[Any], float]
) -> None:
    for n in (3, 4):
        for target, predicted in product(oracles.weak_orders(n)[::2], oracles.weak_orders(n)[::5]):
            gains = oracles.grades(target)
            for k in (None, 2):
                found = [collected(gains, line, k) for line in oracles.lists_of(predicted)]
                value = dcg(target, predicted, gain="level", k=k, ties=ties)
                assert value == pytest.approx(combine(found), rel=1e-14)
    for G, predicted in product(oracles.strict_orders(3), oracles.weak_orders(3)):
        ranks = {x: float(len(G) - at) for x, at in mid_positions(G).items()}
        ideal = max(collected(ranks, line) for line in permutations(G))
        expected = combine([collected(ranks, line) for line in oracles.lists_of(predicted)])
        options: dict[str, Any] = {"gain": "rank", "ties": ties}
        assert dcg(G, predicted, **options) == pytest.approx(expected, rel=1e-14)
        assert ndcg(G, predicted, **options) == pytest.approx(expected / ideal, rel=1e-14)
        gain = "level" if po.is_weak_order(G) else "rank"
        assert dcg(G, predicted, ties=ties) == dcg(G, predicted, gain=gain, ties=ties)


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


@given(order_pairs(max_items=5), st.sampled_from([None, 1, 2]))
def test_gains_are_averaged_over_extensions(
    both: tuple[nx.DiGraph, nx.DiGraph], k: int | None
) -> None:
    target, predicted = both
    scores = dict(zip(target, range(5), strict=False))
    lists = list(map(po.from_ranking, linear_extensions(predicted)))
    depth = None if k is None or k > len(target) else k
    for measure, truth in ((dcg, target), (ndcg, target), (ndcg_loss, scores)):
        call = partial(measure, k=depth)
        wanted = mean(call(truth, line) for line in lists)
        assert call(truth, predicted) == pytest.approx(wanted, abs=1e-12, nan_ok=True)
    value = ndcg_loss(scores, predicted, k=depth, relevance=scores)
    assert value == pytest.approx(ndcg_loss(scores, predicted, k=depth), nan_ok=True)


def test_too_many_extensions_to_be_averaged() -> None:
    """Chains side by side with a rung between neighbours, so that nothing can be divided."""
    wide = nx.DiGraph()
    for chain in range(12):
        nx.add_path(wide, [(chain, place) for place in range(5)])
    wide.add_edges_from(((chain, 0), (chain + 1, 4)) for chain in range(11))
    found = po.compare({item: k for k, item in enumerate(wide)}, wide).to_dict()["measures"]["ndcg"]
    assert found["status"] == "inapplicable"
    assert "100,000 ideals as predicted, found more" in found["reason"]
    assert "too many to be averaged" in found["reason"]


def test_numbers_of_the_target_are_the_gain() -> None:
    target, predicted = {"a": 3, "b": 1, "c": 0, "d": -2}, {"d": 4, "b": 3, "a": 2, "c": 1}
    value = 1 / math.log2(3) + 3 / math.log2(4)
    assert dcg(target, predicted) == pytest.approx(value)
    assert ndcg(target, predicted) == pytest.approx(value / (3 + 1 / math.log2(3)))
    assert dcg([Fraction(1, 2), 2], [2, 1]) == pytest.approx(0.5 + 2 / math.log2(3))
    assert dcg(np.array([0.5, 2]), [2, 1], gain="rank") == pytest.approx(1 / math.log2(3))
    hit, line = [int(place == 3) for place in range(118)], list(range(118, 0, -1))
    assert ndcg(hit, line) == pytest.approx(1 / math.log2(5))
    assert ndcg(hit, line, gain="rank") > 0.97
    assert [ndcg(hit, line, retrieved=n) for n in (0, 3, 4)] == [0, 0, ndcg(hit, line)]
    assert ndcg_loss(hit, line, retrieved=3) == 1
    # Not by the numbers, but by levels from the lowest on, or by another relevance.
    target, predicted = {"a": 7, "b": 7, "c": 3, "d": 1}, {"d": 4, "c": 3, "b": 2, "a": 1}
    assert dcg(target, predicted, gain="level", lowest=0.5, k=1) == 0.5
    assert dcg(target, predicted, gain="exponential", lowest=2, k=1) == 3
    relevance = {"a": 0, "b": 1, "c": Fraction(1, 2), "d": 3.0}
    assert dcg(target, predicted, gain="level", relevance=relevance, k=1) == 3
    assert dcg(target, predicted, gain="exponential", relevance=relevance, k=1) == 7
    terms = dcg_terms(target, predicted, gain="level", relevance=relevance)
    assert terms["c"] == pytest.approx(0.5 / math.log2(3))
    partial = po.parse("a > b; c")
    relevance = {"a": 2, "b": 0, "c": 1}
    assert ndcg(partial, {"a": 2, "c": 1, "b": 0}, gain="level", relevance=relevance) == 1


def test_refining_the_ties_of_the_target_is_ideal() -> None:
    """And never more, though the sum of these gains has other roundings than that of the tie."""
    truth = [3, 3, 2, 1, 1, 1, 0]
    for line, gain in product(oracles.lists_of(dict(enumerate(truth))), ("level", "exponential")):
        guess = [-line.index(x) for x in range(7)]
        assert 1 - 1e-15 <= ndcg(truth, guess, gain=gain) <= 1


def test_large_lists_and_large_gains() -> None:
    n = 50_000
    scores = np.random.default_rng(5).permutation(n)
    assert ndcg(scores, scores) == 1
    assert ndcg(scores, np.zeros(n)) < 0.99
    assert ndcg(scores, scores // 4, ties="optimistic") == 1
    assert ndcg(scores[:1500], scores[:1500], gain="level") == 1
    assert dcg([1, 0], [1, 0], gain="exponential", relevance=[1000, 0]) == 2.0**1000
