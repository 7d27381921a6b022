"""Measures averaged over linear extensions, against one extension after the other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from statistics import mean
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.errors import NotApplicableError
from tests import oracles_extensions
from tests.strategies import orders

N = po.parse("a > c; b > c; b > d")


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


def test_too_many_extensions() -> None:
    wide = small_dag(12, 5)
    scores = {item: k for k, item in enumerate(wide)}
    calls: list[Callable[[], float]] = [
        lambda: po.ndcg(scores, wide),
    ]
    for call in calls:
        with pytest.raises(NotApplicableError, match="100,000 ideals as predicted, found more"):
            call()
    # What needs no linear extensions is untouched, and comparing says why the others are missing.
    found = po.compare(scores, wide)
    assert found["footrule_distance"] == po.footrule_distance(scores, wide)
    assert found.to_dict()["measures"]["ndcg"]["status"] == "inapplicable"
    assert "too many to be averaged" in found.to_dict()["measures"]["ndcg"]["reason"]
