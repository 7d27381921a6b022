"""Measures averaged over linear extensions, against one extension after the other."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from statistics import mean
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.errors import NotApplicableError
from tests import oracles_extensions, oracles_positions
from tests.strategies import ITEMS, orders

N = po.parse("a > c; b > c; b > d")
MOVING: list[Callable[..., float]] = [
    po.footrule_distance,
    po.spearman_distance,
    po.spearman_rho,
    po.position_error,
    po.discounted_error,
]


@st.composite
def pairs(draw: st.DrawFn, *, max_items: int = 6) -> tuple[nx.DiGraph, nx.DiGraph]:
    """Two orders on the same items."""
    first = draw(orders(max_items=max_items))
    line = draw(st.permutations(list(first)))
    possible = [(u, v) for i, u in enumerate(line) for v in line[i + 1 :]]
    second = nx.DiGraph()
    second.add_nodes_from(draw(st.permutations(list(first))))
    second.add_edges_from(
        draw(st.lists(st.sampled_from(possible), unique=True)) if possible else []
    )
    return first, second


def mean_ranks(G: nx.DiGraph) -> dict[Any, Fraction]:
    return oracles_positions.expected_ranks(G)


def over_extensions(measure: Callable[..., float], target: Any, G: nx.DiGraph) -> float:
    """The mean of a measure over the rankings that a prediction leaves open."""
    rankings = oracles_extensions.linear_extensions(G)
    return mean(measure(target, po.from_ranking(ranking)) for ranking in rankings)


def small_dag(widths: int, n: int) -> nx.DiGraph:
    """Chains side by side with a rung between neighbours, so that nothing can be divided."""
    G = nx.DiGraph()
    for chain in range(widths):
        nx.add_path(G, [(chain, k) for k in range(n)])
    G.add_edges_from(((c, 0), (c + 1, n - 1)) for c in range(widths - 1))
    return G


@given(pairs())
def test_moves_between_mean_ranks(both: tuple[nx.DiGraph, nx.DiGraph]) -> None:
    truth, guess = map(mean_ranks, both)
    moved = {x: guess[x] - truth[x] for x in truth}
    footrule = po.footrule_distance(*both, positions="expected")
    assert footrule == float(sum(abs(move) for move in moved.values()))
    squares = po.spearman_distance(*both, positions="expected")
    assert squares == float(sum(move**2 for move in moved.values()))
    discounted = po.discounted_error(*both, positions="expected", base=math.e)
    assert discounted == pytest.approx(
        math.fsum(abs(move) / math.log(1 + truth[x]) for x, move in moved.items()), abs=1e-12
    )


@given(pairs())
def test_correlation_of_mean_ranks(both: tuple[nx.DiGraph, nx.DiGraph]) -> None:
    truth, guess = map(mean_ranks, both)
    middle = Fraction(len(truth) + 1, 2)
    x, y = ([ranks[item] - middle for item in truth] for ranks in (truth, guess))
    spread = sum(a * a for a in x) * sum(b * b for b in y)
    found = po.spearman_rho(*both, positions="expected", undefined=7)
    if spread:
        product = sum(a * b for a, b in zip(x, y, strict=True))
        assert found == pytest.approx(float(product) / math.sqrt(spread), abs=1e-12)
        assert -1 <= found <= 1
    else:
        assert found == 7


@given(pairs())
def test_where_the_best_item_went(both: tuple[nx.DiGraph, nx.DiGraph]) -> None:
    truth, guess = map(mean_ranks, both)
    found = po.position_error(*both, positions="expected", undefined=-1)
    if not truth:
        assert found == -1
        return
    best = [x for x in truth if truth[x] == min(truth.values())]
    assert found == float(Fraction(sum(guess[x] - 1 for x in best)) / len(best))
    bounds = po.rank_intervals(both[1])
    wanted = {
        "optimistic": min(bounds[x][0] for x in best) - 1,
        "pessimistic": max(bounds[x][1] for x in best) - 1,
    }
    for ties, value in wanted.items():
        assert po.position_error(*both, positions="expected", ties=ties) == value


@pytest.mark.parametrize("measure", MOVING)
def test_weak_orders_have_their_mid_positions(measure: Callable[..., float]) -> None:
    target, predicted = {"a": 3, "b": 1, "c": 3, "d": 0}, {"d": 3, "a": 3, "c": 1, "b": 0}
    for ours in (target, po.from_scores(target)):
        assert measure(ours, predicted, positions="expected") == measure(ours, predicted)


@given(pairs(max_items=5), st.sampled_from([None, 1, 2]))
def test_gains_are_averaged_over_extensions(
    both: tuple[nx.DiGraph, nx.DiGraph], k: int | None
) -> None:
    target, predicted = both
    depth = None if k is None or k > len(target) else k
    for measure in (po.dcg, po.ndcg):
        found = measure(target, predicted, k=depth)
        wanted = over_extensions(partial(measure, k=depth), target, predicted)
        assert found == pytest.approx(wanted, abs=1e-12, nan_ok=True)


def test_the_loss_of_a_partial_prediction() -> None:
    scores = {"a": 0.5, "b": 1, "c": 3, "d": 2}
    assert po.ndcg_loss(scores, N) == pytest.approx(over_extensions(po.ndcg_loss, scores, N))
    assert po.ndcg_loss(scores, N, relevance=scores) == po.ndcg_loss(scores, N)


@given(pairs(max_items=5))
def test_c_index_over_extensions(both: tuple[nx.DiGraph, nx.DiGraph]) -> None:
    target, predicted = both
    found = po.c_index(target, predicted, open_pairs="extensions")
    wanted = over_extensions(po.c_index, target, predicted)
    assert found == pytest.approx(wanted, abs=1e-12, nan_ok=True)


def test_c_index_of_more_items_than_fractions_are_kept_for() -> None:
    predicted = small_dag(3, 6)
    target = {item: hash(item) % 5 for item in predicted}
    mutual = po.mutual_rank_probabilities(predicted, exact=True)
    decided = [(u, v) for u in target for v in target if target[u] > target[v]]
    wanted = sum(mutual[pair] for pair in decided) / len(decided)
    found = po.c_index(target, predicted, open_pairs="extensions")
    assert len(predicted) > 16
    assert found == pytest.approx(float(wanted), abs=1e-12)


def test_too_many_extensions() -> None:
    wide = small_dag(12, 5)
    scores = {item: k for k, item in enumerate(wide)}
    calls: list[Callable[[], float]] = [
        lambda: po.ndcg(scores, wide),
        lambda: po.c_index(scores, wide, open_pairs="extensions"),
        lambda: po.footrule_distance(scores, wide, positions="expected"),
        lambda: po.spearman_rho(scores, wide, positions="expected"),
    ]
    for call in calls:
        with pytest.raises(
            NotApplicableError, match=r"100,000 ideals as predicted \(of more .* 6,250\)"
        ):
            call()
    with pytest.raises(NotApplicableError, match=r"expected_ranks\(target\) counts further"):
        po.position_error(wide, scores, positions="expected")
    # What needs no linear extensions is untouched, and comparing says why the others are missing.
    found = po.compare(scores, wide)
    assert found["footrule_distance"] == po.footrule_distance(scores, wide)
    assert found.to_dict()["measures"]["ndcg"]["status"] == "inapplicable"
    assert "too many to be averaged" in found.to_dict()["measures"]["ndcg"]["reason"]


def test_what_is_kept_with_an_order_follows_its_changes() -> None:
    G = po.parse("a > c; b > c; b > d")
    before = po.footrule_distance(G, po.from_ranking("abcd"), positions="expected")
    G.add_edge("a", "b")
    after = po.footrule_distance(G, po.from_ranking("abcd"), positions="expected")
    assert (before, after) == (
        float(sum(abs(mean_ranks(N)[x] - r) for r, x in enumerate("abcd", start=1))),
        float(sum(abs(mean_ranks(G)[x] - r) for r, x in enumerate("abcd", start=1))),
    )
    assert before != after


def test_labels_are_never_compared() -> None:
    predicted = nx.DiGraph([(ITEMS[0], ITEMS[2]), (ITEMS[1], ITEMS[2]), (ITEMS[1], ITEMS[3])])
    target = po.from_ranking(list(predicted))
    assert po.footrule_distance(target, predicted, positions="expected") > 0
