"""Voting rules: what each promises, and what all have in common."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import porank as po
from porank.aggregation import voting_rules
from porank.aggregation.voting_rules import best_input, copeland, footrule_optimal
from porank.results import Aggregate
from tests.support.oracles import tied_pairs
from tests.support.oracles_aggregation import (
    cost,
    ensembles,
    footrule_cost,
    least_of_all,
    least_total,
    members_of,
    pairs_of_graph,
    position,
    proven,
    ranked,
    wins,
)
from tests.support.refusals import refuses
from tests.support.strategies import reinserted

Ensemble = tuple[list[nx.DiGraph], list[int]]
ALL = [po.borda, copeland, best_input, po.kemeny]
AB, ABC = po.from_ranking("ab"), po.from_ranking("abc")


def weak_order(score: dict[Any, Any]) -> tuple[Any, Any]:
    """The pairs of which the first has the smaller score, and the pairs of equals."""
    pairs = {(u, v) for u, v in product(score, repeat=2) if score[u] < score[v]}
    return pairs, {frozenset(p) for p in combinations(score, 2) if score[p[0]] == score[p[1]]}


@given(ensembles())
def test_positions_contests_and_majorities(ensemble: Ensemble) -> None:
    orders, counts = ensemble
    items, members = list(orders[0]), members_of(orders, counts)
    won = {pair: wins(members, *pair) for pair in product(items, repeat=2)}
    lead = {(u, v): won[u, v] - won[v, u] for u, v in won}
    position_of = {i: sum(c * position(items, m, i) for m, c in members) for i in items}
    contests = {u: sum((lead[v, u] > 0) - (lead[u, v] > 0) for v in items) for u in items}
    for method, score in ((po.borda, position_of), (copeland, contests)):
        found = method(orders, counts=counts)
        assert (pairs_of_graph(found.order()), tied_pairs(found.order())) == weak_order(score)
    G = po.majority_graph(orders, counts=counts)
    assert list(G) == items
    assert set(G.edges) == {pair for pair in won if lead[pair] > 0}
    for pair, data in G.edges.items():
        assert data == {"wins": won[pair], "margin": lead[pair]}


@given(ensembles())
def test_best_input_is_the_member_of_least_cost(ensemble: Ensemble) -> None:
    orders, counts = ensemble
    items, members = list(orders[0]), members_of(orders, counts)
    weights = {item: Fraction(place + 1, 3) for place, item in enumerate(items)}

    def apart(u: Any, v: Any) -> Fraction:
        return weights[u] + weights[v]

    def weigh(u: Any, v: Any) -> Fraction:
        return weights[u] * weights[v] * apart(u, v)

    plain: tuple[Any, ...] = ({}, lambda _u, _v: 1)
    for options, weight in (plain, ({"weights": weights, "dissimilarity": apart}, weigh)):
        found = best_input(orders, counts=counts, **options)
        costs = [cost(items, members, member, weight) for member, _ in members]
        assert found.cost == pytest.approx(float(min(costs)), rel=1e-12)
        assert min(costs) == cost(items, members, pairs_of_graph(found.order()), weight)
        assert pairs_of_graph(found.order()) in [member for member, _ in members]
        by_measure = [po.generalized_kendall(G, found.order(), **options) for G in orders]
        assert np.dot(by_measure, counts) == pytest.approx(float(found.cost))
        assert nx.utils.graphs_equal(found.order(), nx.transitive_reduction(found.order()))
    assert type(found.cost) is float


@given(ensembles())
def test_no_total_order_has_a_smaller_footrule(ensemble: Ensemble) -> None:
    orders, counts = ensemble
    items, members = list(orders[0]), members_of(orders, counts)
    found = footrule_optimal(orders, counts=counts)
    best = min(footrule_cost(items, members, ranked(line)) for line in permutations(items))
    assert (found.cost, found.gap, type(found.cost) is float) == (best, 0, False)
    assert footrule_cost(items, members, pairs_of_graph(found.order())) == best
    assert po.is_total_order(found.order())
    by_measure = [po.footrule_distance(G, found.order()) for G in orders]
    assert sum(c * d for c, d in zip(counts, by_measure, strict=True)) == best


@pytest.mark.parametrize("aggregate", ALL)
@given(ensemble=ensembles(max_items=4))
def test_laws_of_all(aggregate: Callable[..., Aggregate], ensemble: Ensemble) -> None:
    orders, counts = ensemble
    items, members = list(orders[0]), members_of(orders, counts)
    before = [G.copy() for G in orders]
    found = aggregate(orders, counts=counts)
    assert set(found.order()) == set(items)
    assert found.cost == cost(items, members, pairs_of_graph(found.order()))
    assert type(found.cost) in (int, Fraction)
    assert type(found.gap) in (int, Fraction)
    # Of total orders none costs less than is proven, or of all orders.
    number = {item: i for i, item in enumerate(items)}
    numbered = members_of([nx.relabel_nodes(G, number) for G in orders], counts)
    least = least_of_all(numbered, len(items))
    if aggregate is po.kemeny:
        least = least_total(items, members)[0]
    assert 0 <= proven(found) <= least <= found.cost
    assert found.cost <= 2 * least or aggregate is not best_input
    # Members that occur several times, and items and members put in another way.
    turned = [
        H
        for G, count in zip(orders[::-1], counts[::-1], strict=True)
        for H in [reinserted(G)] * count
    ]
    same = aggregate(turned)
    assert (same.cost, same.gap, pairs_of_graph(same.order())) == (
        found.cost,
        found.gap,
        pairs_of_graph(found.order()),
    )
    found.order().add_edge("new", "newer")
    assert all(map(nx.utils.graphs_equal, orders, before))


@pytest.mark.parametrize("aggregate", ALL)
def test_one_member_and_a_profile(aggregate: Callable[..., Aggregate]) -> None:
    vote = po.from_ranking(["ü", 3, ("a", 1), "b"])
    alone = aggregate([vote])
    assert (pairs_of_graph(alone.order()), alone.cost, alone.gap) == (pairs_of_graph(vote), 0, 0)
    profile = po.Profile([AB, po.from_ranking("ba")], [1, 2])
    assert po.format_order(aggregate(profile).order()) == "b > a"


def test_of_equally_good_orders_the_one_with_the_first_items_on_top() -> None:
    votes = [po.from_ranking(vote) for vote in ("bca", "cab", "abc")]
    for sequence in permutations(votes):
        assert po.format_order(best_input(sequence).order()) == "a > b > c"
    lines = [po.from_ranking(line) for line in ("abcd", "dcba", "bdac")]
    found = {tuple(footrule_optimal(sequence).order()) for sequence in permutations(lines)}
    assert len(found) == 1


def test_large_counts_neither_wrap_round_nor_are_rounded() -> None:
    G = po.majority_graph([{"a": 2, "b": 1}, {"a": 1, "b": 2}], counts=[200, 50])
    assert G.edges["a", "b"] == {"wins": 200, "margin": 150}
    votes = [po.from_ranking("abc"), po.from_ranking("cba")]
    for aggregate in ALL:
        found = aggregate(votes, counts=[10**12 - 1, 10**12])
        assert (found.cost, list(found.order())) == (3 * (10**12 - 1), list("cba"))
    # Sums that floats do not hold are no proof.
    items = list(range(100))
    found = footrule_optimal([items, items[::-1]], counts=[10**12 - 1, 10**12])
    assert (found.gap, list(found.order())) == (None, items)
    assert found.cost == pytest.approx(5000 * (10**12 - 1), rel=1e-12)


def test_without_the_matrix_borda_costs_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    orders: list[Any] = [po.random_order(9, edge_probability=0.3, seed=s) for s in range(3)]
    orders.append(dict.fromkeys(range(9), 1))
    with_matrix = po.borda(orders, counts=[1, 2, 3, 1])
    monkeypatch.setattr(voting_rules, "_MANY_ITEMS", 3)
    without = po.borda(orders, counts=[1, 2, 3, 1])
    assert (without.cost, without.gap) == (with_matrix.cost, None)
    assert pairs_of_graph(without.order()) == pairs_of_graph(with_matrix.order())
    around = [po.from_ranking(range(4))] * 2 + [po.from_ranking((3, 2, 1, 0))] * 2
    assert po.borda(around).cost == 2 * 6


def test_only_ties_are_written_as_ties() -> None:
    for member in ({"a": 2, "b": 1, "c": 1}, po.parse("a > b ~ c")):
        found = best_input([member])
        assert tied_pairs(found.order()) == {frozenset("bc")}
        assert found.order().nodes["a"] == {}


def test_a_dissimilarity_is_not_asked_for_an_item_and_itself() -> None:
    table = {frozenset("ab"): 1, frozenset("bc"): 2, frozenset("ac"): 3}
    votes = [po.from_ranking(vote) for vote in ("abc", "bca", "cab")]
    found = po.kemeny(votes, dissimilarity=lambda u, v: table[frozenset((u, v))])
    names = [*votes[0]]
    matrix = [[table.get(frozenset((u, v)), 0) for v in names] for u in names]
    same = po.kemeny(votes, dissimilarity=matrix)
    assert (found.cost, pairs_of_graph(found.order())) == (same.cost, pairs_of_graph(same.order()))


REFUSED: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
    (po.kemeny, {"weights": {"a": 1, "b": 1}}, po.PorankError, "each item, found none for 'c'"),
    (po.kemeny, {"weights": [1, -1, 1]}, po.PorankError, "found -1 for 'b'"),
    (best_input, {"weights": [1e200, 1e200, 1.0]}, po.PorankError, "the largest float"),
    (
        best_input,
        {"dissimilarity": [[0, 1, 1], [2, 0, 1], [1, 1, 0]]},
        po.PorankError,
        "a symmetric dissimilarity",
    ),
]


@pytest.mark.parametrize(("aggregate", "options", "error", "word"), REFUSED)
def test_bad_input_is_refused_in_words(
    aggregate: Any, options: Any, error: type[Exception], word: str
) -> None:
    with pytest.raises(error, match=word):
        aggregate([ABC], **options)


def test_ballots_on_other_items_are_to_be_completed() -> None:
    large = po.Profile([np.arange(2001), {0: 1}])
    for rule, ballots in (
        (footrule_optimal, po.Profile([ABC, po.from_ranking("ab")])),
        (po.borda, large),
    ):
        refuses("completed", rule, ballots, error=po.errors.ItemMismatchError)
