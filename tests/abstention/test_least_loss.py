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
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import porank as po
from porank.abstention import transitive
from porank.abstention.thresholds import closed_cut
from porank.abstention.transitive import search
from porank.errors import MissingExtraError
from tests import oracles_abstention as oracles
from tests.oracles import Pairs, closure, strict_orders
from tests.oracles_ensemble import degrees
from tests.strategies import item_lists

COSTS = [Fraction(c) for c in ("1/20", "1/4", "1/3", "2/5", "9/20", "1/2", "3/5", "9/10", "1")]


@cache
def every_order(n: int) -> list[Pairs]:
    """The pairs of all orders of 0..n-1."""
    return [set(G.edges) for G in strict_orders(n)]


def least(P: po.PreferenceRelation, cost: Fraction) -> Fraction:
    n, shares = len(P.items), P.degrees()
    assert P.items == tuple(range(n))
    return min(oracles.loss(shares, range(n), said, cost) for said in every_order(n))


def require_least(P: po.PreferenceRelation, cost: Any) -> nx.DiGraph:
    """Require that the order predicted is one, has the loss it says, and that none has less."""
    G = po.predict_order(P, abstention_cost=cost)
    said = set(G.edges)
    assert said in every_order(len(P.items))
    loss = oracles.loss(P.degrees(), range(len(P.items)), said, Fraction(cost))
    assert G.graph["loss"] == loss == least(P, Fraction(cost))
    assert G.graph["gap"] == 0
    pays = {(u, v) for u, v in said if P.degree(u, v) > 1 - Fraction(cost)}
    for u, v, data in G.edges(data=True):
        assert data == {"degree": P.degree(u, v), "added": (u, v) not in pays}
    assert closure(pays) == said
    assert all(G.graph["alpha"] <= P.degree(u, v) for u, v in pays)
    return G


@given(st.data())
def test_no_order_has_less_loss(data: st.DataObject) -> None:
    n, k = data.draw(st.integers(0, 4)), data.draw(st.integers(1, 7))
    row = st.lists(st.integers(0, 4), min_size=n, max_size=n)
    members = [dict(enumerate(data.draw(row))) for _ in range(k)]
    P = po.preference_relation(members, ties=data.draw(st.sampled_from(["none", "half"])))
    require_least(P, data.draw(st.sampled_from(COSTS)))


@given(st.data())
def test_no_order_has_less_loss_for_degrees_by_hand(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 4))
    shares: dict[Any, Fraction] = {}
    for u, v in combinations(range(n), 2):
        share = data.draw(st.fractions(0, 1, max_denominator=1000))
        shares |= {(u, v): share, (v, u): 1 - share}
    P = po.PreferenceRelation.from_degrees(shares, range(n))
    require_least(P, data.draw(st.fractions(Fraction(1, 100), 1, max_denominator=10**4)))


def test_a_pair_that_neither_gains_nor_loses_is_left_open() -> None:
    # With c = 2/5 the pair c > b, of degree 3/5, was kept, and called added.
    votes = "cabd", "bcad", "badc", "bdca", "cadb"
    P = po.preference_relation([[-vote.index(item) for item in "abcd"] for vote in votes])
    require_least(P, Fraction(2, 5))


@pytest.mark.parametrize("cost", COSTS)
def test_a_search_that_is_cut_short_adds_only_by_the_closure(cost: Fraction) -> None:
    P = po.preference_relation(np.random.default_rng(3).random((6, 9)))
    G = po.predict_order(P, abstention_cost=cost, seconds=0)
    pays = {(u, v) for u, v in G.edges if P.degree(u, v) > 1 - cost}
    assert closure(pays) == set(G.edges)
    assert {(u, v) for u, v, added in G.edges(data="added") if not added} == pays
    least = po.predict_order(P, abstention_cost=cost).graph["loss"]
    assert G.graph["loss"] - G.graph["gap"] <= least <= G.graph["loss"]


def test_the_threshold_has_the_meaning_of_the_cost() -> None:
    P = po.preference_relation([[3, 2, 1], [3, 1, 2], [3, 2, 1], [2, 3, 1]])
    G = require_least(P, Fraction(2, 5))
    assert set(G.edges) == set(po.predict_order(P, alpha=Fraction(3, 4)).edges)
    facts = {name: G.graph[name] for name in ("alpha", "abstention_cost", "least_degree")}
    assert facts == {
        "alpha": Fraction(3, 4),
        "abstention_cost": Fraction(2, 5),
        "least_degree": Fraction(3, 4),
    }


def test_an_order_that_is_not_total_may_be_best_at_one_half() -> None:
    # Three items, each above two of three others. A total order can put one of the others above its
    # opposite; each would gain 1/10 there, and loses as much below.
    above, below = ("a0", "a1", "a2"), ("b0", "b1", "b2")
    shares = dict.fromkeys(permutations(above + below, 2), Fraction(1, 2))
    for (i, u), (j, v) in product(enumerate(above), enumerate(below)):
        shares[u, v] = Fraction(2, 5) if i == j else Fraction(1)
        shares[v, u] = 1 - shares[u, v]
    half = Fraction(1, 2)
    G = po.predict_order(po.PreferenceRelation.from_degrees(shares), abstention_cost=half)
    assert set(G.edges) == {pair for pair, share in shares.items() if share == 1}
    assert (G.graph["loss"], G.graph["gap"]) == (9 * half, 0)
    totals = (set(combinations(line, 2)) for line in permutations(above + below))
    least_total = min(oracles.loss(shares, above + below, said, half) for said in totals)
    assert least_total == 9 * half + Fraction(1, 10)


@given(item_lists(max_items=5), st.data())
def test_names_and_sequence_do_not_count(items: list[Any], data: st.DataObject) -> None:
    members = data.draw(st.lists(st.permutations(items), min_size=1, max_size=5))
    cost = data.draw(st.sampled_from(COSTS))
    other = data.draw(st.permutations(items))
    found = po.consensus_order(map(po.from_ranking, members), abstention_cost=cost)
    shuffled = []
    for ranking in members:
        G = nx.DiGraph()
        G.add_nodes_from(other)
        nx.add_path(G, ranking)
        shuffled.append(G)
    again = po.consensus_order(shuffled, abstention_cost=cost)
    assert set(again.order.edges) == set(found.order.edges)
    assert (list(again.order), again.cost) == (other, found.cost)
    numbers = {item: number for number, item in enumerate(items)}
    renamed = [po.from_ranking([numbers[item] for item in ranking]) for ranking in members]
    assert po.consensus_order(renamed, abstention_cost=cost).cost == found.cost


@given(st.lists(st.permutations(range(4)), min_size=1, max_size=6), st.sampled_from(COSTS))
def test_consensus_of_rankings_has_the_least_sum_of_distances(
    rankings: list[list[int]], cost: Fraction
) -> None:
    members = list(map(po.from_ranking, rankings))
    found = po.consensus_order(members, abstention_cost=cost)

    def total(said: Pairs) -> Fraction:
        against = sum(len({(v, u) for u, v in closure(member.edges)} & said) for member in members)
        return against + cost * len(members) * (6 - len(said))

    assert found.cost == min(map(total, every_order(4))) == total(set(found.order.edges))
    assert found.gap == 0


@pytest.mark.parametrize("ties", ["none", "half"])
def test_consensus_counts_members(ties: str) -> None:
    orders = [po.parse("a > b; c"), po.parse("c > a; c > b"), po.parse("b > a; c")]
    found = po.consensus_order(orders, abstention_cost=0.45, counts=[3, 2, 1], ties=ties)
    repeated = [orders[0]] * 3 + [orders[1]] * 2 + [orders[2]]
    again = po.consensus_order(repeated, abstention_cost=0.45, ties=ties)
    assert (found.cost, set(found.order.edges)) == (again.cost, set(again.order.edges))
    loss = oracles.loss(
        degrees(repeated, ties=ties), "abc", set(found.order.edges), Fraction(9, 20)
    )
    assert found.cost == 6 * loss


def cyclic(n: int) -> po.PreferenceRelation:
    """Random rankings: at cost 1/2 the best order is hard to find."""
    return po.preference_relation(np.random.default_rng(n).random((9, n)))


def test_without_scipy_a_transitive_cut_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    P = po.preference_relation([[3, 2, 1], [3, 1, 2], [3, 2, 1]])
    assert len(po.predict_order(P, abstention_cost=0.4).edges) == 3
    with pytest.raises(MissingExtraError, match=r"porank\[optimize\]"):
        po.predict_order(cyclic(8), abstention_cost=0.5)


def test_a_search_cut_short_states_its_gap() -> None:
    P = cyclic(40)
    found = po.predict_order(P, abstention_cost=Fraction(1, 2), seconds=1e-9)
    assert closure(found.edges) == set(found.edges)
    assert found.graph["gap"] > 0
    shares = P.degrees()
    loss = oracles.loss(shares, P.items, set(found.edges), Fraction(1, 2))
    assert found.graph["loss"] == loss
    # Without time the bound is what the pairs would gain one by one.
    gains = sum(
        max(shares[u, v], shares[v, u]) - Fraction(1, 2) for u, v in combinations(P.items, 2)
    )
    assert found.graph["gap"] == loss - (Fraction(1, 2) * 40 * 39 / 2 - gains)


@pytest.mark.parametrize(
    ("most", "gap"), [(4.0, 3), (4 - 1e-9, 3), (3.5, 2), (3.01, 2), (1.9, 0), (1.0, 0)]
)
def test_a_bound_between_whole_gains_is_rounded_down(most: float, gap: int) -> None:
    gains, best = np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([[False, True], [False, False]])
    assert transitive._gap(gains, best, most, 1) == gap
    assert transitive._gap(gains, best, most, 0) == pytest.approx(most - 1)


@pytest.mark.slow
def test_the_gap_of_a_consensus_is_that_of_all_members() -> None:
    scores = np.random.default_rng(9).random((9, 9))
    found = po.consensus_order(scores, abstention_cost=0.5, seconds=0)
    alone = po.predict_order(cyclic(9), abstention_cost=0.5, seconds=0).graph
    assert found.gap == 9 * alone["gap"] > 0
    assert found.cost == 9 * alone["loss"]


def test_few_rows_at_a_time_lead_to_the_same_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    P = cyclic(12)
    at_once = po.predict_order(P, abstention_cost=0.5).graph
    monkeypatch.setattr(transitive, "_ROWS", 8)
    shares = np.random.default_rng(0).random((12, 12))
    np.fill_diagonal(shares, 1)
    excess = shares[:, :, None] + shares - shares[:, None, :]
    few = transitive._broken_rows(shares)
    assert few[:, 1].tolist() == list(range(12))
    for i, j, k in few.tolist():
        assert excess[i, j, k] == excess[:, j, :].max() > 1
    slowly = po.predict_order(P, abstention_cost=0.5).graph
    assert (slowly["loss"], slowly["gap"]) == (at_once["loss"], 0)


@pytest.mark.slow
def test_a_longer_search_closes_the_gap() -> None:
    P = cyclic(22)
    ends = []
    for seconds in (1e-9, 0.05, 60):
        G = po.predict_order(P, abstention_cost=Fraction(1, 2), seconds=seconds)
        ends.append((G.graph["loss"], G.graph["loss"] - G.graph["gap"]))
    best, bound = ends[-1]
    assert best == bound
    assert all(loss >= best >= lower for loss, lower in ends)


def test_shares_alone_are_not_taken_for_an_order() -> None:
    # Best in shares: all of them 1/2 where three pairs go around and each two lose a third.
    weight = np.array([[0.0, 2, -3], [-3, 0, 2], [2, -3, 0]])

    def rounded(shares: NDArray[np.float64]) -> NDArray[np.bool_] | None:
        return closed_cut((shares > 0.5) & (weight > 0))

    closed, gap = search(weight, "partial", rounded, np.zeros((3, 3), dtype=bool), unit=1)
    assert int(closed.sum()) == 1
    assert gap == 0


def test_a_bar_changes_nothing() -> None:
    P = cyclic(9)
    for cost in (0.5, None):
        options: dict[str, Any] = {"abstention_cost": cost}
        shown = po.predict_order(P, **options)
        assert dict(shown.edges) == dict(po.predict_order(P, **options).edges)
    assert po.abstention_curve(P).points == po.abstention_curve(P).points
    found = po.consensus_order([[1, 2], [2, 1]], abstention_cost=0.5)
    assert found.cost == 1
