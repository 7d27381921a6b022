"""Orders of least loss: optimal among all orders, or as good as they say."""

from __future__ import annotations

import sys
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import porank as po
from porank.abstention import transitive
from porank.errors import MissingExtraError
from tests import oracles_abstention as oracles
from tests import oracles_ensemble
from tests.oracles import Pairs, closure, strict_orders
from tests.oracles_aggregation import ensembles
from tests.oracles_ensemble import relations
from tests.strategies import reinserted

HALF = Fraction(1, 2)
COSTS = [Fraction(c) for c in ("1/20", "1/4", "1/3", "2/5", "9/20", "1/2", "3/5", "9/10", "1")]
VOTES = "cabd", "bcad", "badc", "bdca", "cadb"


def of_rankings(*votes: Any) -> po.PreferenceRelation:
    return po.preference_relation(list(map(po.from_ranking, votes)))


def cyclic(n: int) -> po.PreferenceRelation:
    """Random rankings: at cost 1/2 the best order is hard to find."""
    return po.preference_relation(np.random.default_rng(n).random((9, n)))


@cache
def every_order(n: int) -> list[Pairs]:
    """The pairs of all orders of 0..n-1."""
    return [set(G.edges) for G in strict_orders(n)]


# With c = 2/5 the pair c > b, of degree 3/5, was kept, and called added.
@example(of_rankings(*VOTES), Fraction(2, 5))
@given(relations(max_items=4), st.sampled_from(COSTS))
def test_no_order_has_less_loss(P: po.PreferenceRelation, cost: Fraction) -> None:
    shares, items = P.degrees(), P.items
    found = po.predict_order(P, abstention_cost=cost)
    named = [{(items[i], items[j]) for i, j in pairs} for pairs in every_order(len(items))]
    losses = [oracles.loss(shares, items, pairs, cost) for pairs in named]
    stated = set(found.edges)
    assert (found.graph["loss"], found.graph["gap"]) == (min(losses), 0)
    assert losses[named.index(stated)] == min(losses)
    pays = {(u, v) for u, v in stated if P.degree(u, v) > 1 - cost}
    for u, v, data in found.edges(data=True):
        assert data == {"degree": P.degree(u, v), "added": (u, v) not in pays}
    assert closure(pays) == stated
    gains = {pair for pair, share in shares.items() if share > 1 - cost}
    assert oracles_ensemble.cut(shares, found.graph["alpha"]) == gains


@pytest.mark.parametrize("is_relaxed", [False, True])
def test_a_pair_is_written_if_it_gains_or_others_force_it(
    is_relaxed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a solver does with pairs that gain nothing, and with those of which it has half."""
    shares = {("a", "b"): 1.0, ("b", "c"): 1.0, ("a", "c"): 0.5, ("d", "e"): 0.6, ("d", "f"): 0.5}
    others = {pair: 0.5 for pair in combinations("abcdef", 2) if pair not in shares}
    P = po.PreferenceRelation.from_degrees(shares | others)
    expected = {("a", "b"), ("b", "c"), ("a", "c")}
    if is_relaxed:
        gains = P.matrix() - 0.6
        solved = np.where(np.abs(gains) < 1e-9, 1.0, (gains > 0) / 2)
        solved[0, 1] = 1
        expected = {("a", "b")}

        def search(*given: Any, **_: Any) -> tuple[Any, int]:
            return given[2](solved), 0

        monkeypatch.setattr("porank.abstention.least_loss.search", search)
    assert set(po.predict_order(P, abstention_cost=0.4).edges) == expected


@pytest.mark.parametrize("cost", COSTS)
def test_a_search_that_is_cut_short_adds_only_by_the_closure(cost: Fraction) -> None:
    P = po.preference_relation(np.random.default_rng(3).random((6, 9)))
    G = po.predict_order(P, abstention_cost=cost, seconds=0)
    pays = {(u, v) for u, v in G.edges if P.degree(u, v) > 1 - cost}
    assert closure(pays) == set(G.edges)
    assert {(u, v) for u, v, added in G.edges(data="added") if not added} == pays
    least = po.predict_order(P, abstention_cost=cost).graph["loss"]
    assert G.graph["loss"] - G.graph["gap"] <= least <= G.graph["loss"]


def test_an_order_that_is_not_total_may_be_best_at_one_half() -> None:
    # Three items, each above two of three others. A total order can put one of the others above its
    # opposite; each would gain 1/10 there, and loses as much below.
    above, below = ("a0", "a1", "a2"), ("b0", "b1", "b2")
    shares = dict.fromkeys(permutations(above + below, 2), HALF)
    for (i, u), (j, v) in product(enumerate(above), enumerate(below)):
        shares[u, v] = Fraction(2, 5) if i == j else Fraction(1)
        shares[v, u] = 1 - shares[u, v]
    G = po.predict_order(po.PreferenceRelation.from_degrees(shares), abstention_cost=HALF)
    assert set(G.edges) == {pair for pair, share in shares.items() if share == 1}
    assert (G.graph["loss"], G.graph["gap"]) == (9 * HALF, 0)
    totals = (set(combinations(line, 2)) for line in permutations(above + below))
    least_total = min(oracles.loss(shares, above + below, pairs, HALF) for pairs in totals)
    assert least_total == 9 * HALF + Fraction(1, 10)


@given(ensembles(), st.sampled_from(COSTS))
def test_sequence_does_not_count(
    ensemble: tuple[list[nx.DiGraph], list[int]], cost: Fraction
) -> None:
    orders, counts = ensemble
    turned = [reinserted(order) for order in orders[::-1]]
    found, again = (
        po.consensus_order(members, counts=each, abstention_cost=cost)
        for members, each in ((orders, counts), (turned, counts[::-1]))
    )
    assert set(again.order.edges) == set(found.order.edges)
    assert again.cost == found.cost


def test_rows_that_shares_break_are_found_the_worst_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transitive, "_ROWS", 8)
    shares = np.random.default_rng(0).random((12, 12))
    np.fill_diagonal(shares, 1)
    excess = shares[:, :, None] + shares - shares[:, None, :]
    few = transitive._broken_rows(shares)
    assert few[:, 1].tolist() == list(range(12))
    for i, j, k in few.tolist():
        assert excess[i, j, k] == excess[:, j, :].max() > 1
    graph = po.predict_order(cyclic(8), abstention_cost=0.5).graph
    assert graph["gap"] == 0


def test_without_scipy_a_transitive_cut_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    P = of_rankings("abc", "acb", "abc")
    assert len(po.predict_order(P, abstention_cost=0.4).edges) == 3
    with pytest.raises(MissingExtraError, match=r"porank\[optimize\]"):
        po.predict_order(cyclic(8), abstention_cost=0.5)


def test_a_search_cut_short_states_its_gap() -> None:
    P = cyclic(40)
    found = po.predict_order(P, abstention_cost=HALF, seconds=1e-9)
    assert closure(found.edges) == set(found.edges)
    shares = P.degrees()
    loss = oracles.loss(shares, P.items, set(found.edges), HALF)
    # Without time the bound is what the pairs would gain one by one.
    gains = sum(max(shares[u, v], shares[v, u]) - HALF for u, v in combinations(P.items, 2))
    assert found.graph["loss"] == loss
    assert found.graph["gap"] == loss - (HALF * 40 * 39 / 2 - gains) > 0
    consensus = po.consensus_order(np.random.default_rng(40).random((9, 40)), seconds=0)
    assert (consensus.cost, consensus.gap) == (9 * loss, 9 * found.graph["gap"])


@pytest.mark.parametrize(
    ("most", "gap"), [(4.0, 3), (4 - 1e-9, 3), (3.5, 2), (3.01, 2), (1.9, 0), (1.0, 0)]
)
def test_a_bound_between_whole_gains_is_rounded_down(most: float, gap: int) -> None:
    gains, best = np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([[False, True], [False, False]])
    assert transitive._gap(gains, best, most, 1) == gap
    assert transitive._gap(gains, best, most, 0) == pytest.approx(most - 1)
