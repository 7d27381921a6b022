"""Aggregation by counting, and what every aggregation has in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.aggregation import scoring as aggregation
from porank.core.graphs import item_key
from porank.results import Aggregate
from tests.oracles import strict_orders
from tests.oracles_aggregation import (
    cost,
    ensembles,
    least_of_all,
    members_of,
    position,
    proven,
    said,
    wins,
)

Ensemble = tuple[list[nx.DiGraph], list[int]]
ALL = pytest.mark.parametrize(
    "aggregate",
    [po.borda, po.copeland, po.best_input, po.kwiksort, po.kemeny, po.local_search],
)


def tied(G: nx.DiGraph) -> set[frozenset[Any]]:
    """The classes of items that are known to be tied."""
    classes: dict[Any, set[Any]] = {}
    for item, value in G.nodes(data="tie"):
        if value is not None:
            classes.setdefault(value, set()).add(item)
    return {frozenset(members) for members in classes.values()}


def by_score(score: dict[Any, Any]) -> set[tuple[Any, Any]]:
    """(u, v) where the score of u is smaller."""
    return {(u, v) for u, v in product(score, repeat=2) if score[u] < score[v]}


@given(ensembles())
def test_borda_orders_by_the_sum_of_positions(ensemble: Ensemble) -> None:
    orders, counts = ensemble
    items, members = list(orders[0]), members_of(orders, counts)
    score = {i: sum(c * position(items, m, i) for m, c in members) for i in items}
    found = po.borda(orders, counts=counts)
    assert said(found.order) == by_score(score)
    sizes = Counter(score.values())
    levels = {v: frozenset(i for i in items if score[i] == v) for v in sizes if sizes[v] > 1}
    assert tied(found.order) == set(levels.values())
    assert found.cost == cost(items, members, said(found.order))


@given(ensembles())
def test_copeland_orders_by_contests(ensemble: Ensemble) -> None:
    orders, counts = ensemble
    items, members = list(orders[0]), members_of(orders, counts)

    def lost(u: Any, v: Any) -> int:
        for_u, for_v = wins(members, u, v), wins(members, v, u)
        return (for_v > for_u) - (for_u > for_v)

    found = po.copeland(orders, counts=counts)
    assert said(found.order) == by_score({u: sum(lost(u, v) for v in items) for u in items})
    assert found.cost == cost(items, members, said(found.order))


@given(ensembles())
def test_best_input_is_the_member_of_least_cost(ensemble: Ensemble) -> None:
    orders, counts = ensemble
    items, members = list(orders[0]), members_of(orders, counts)
    costs = [cost(items, members, member) for member, _ in members]
    found = po.best_input(orders, counts=counts)
    assert found.cost == min(costs)
    best = [member for (member, _), c in zip(members, costs, strict=True) if c == min(costs)]
    assert said(found.order) in best
    assert nx.utils.graphs_equal(found.order, nx.transitive_reduction(found.order))


def test_of_equally_good_members_the_one_with_the_first_items_on_top() -> None:
    votes = [po.from_ranking(vote) for vote in ("bca", "cab", "abc")]
    for sequence in (votes, votes[::-1]):
        assert po.format_order(po.best_input(sequence).order) == "a > b > c"


@given(ensembles(kind="partial"))
def test_majority_graph_has_the_majorities(ensemble: Ensemble) -> None:
    orders, counts = ensemble
    members = members_of(orders, counts)
    G = po.majority_graph(orders, counts=counts)
    assert list(G) == list(orders[0])
    for u, v in product(G, repeat=2):
        for_u, for_v = wins(members, u, v), wins(members, v, u)
        assert G.has_edge(u, v) == (for_u > for_v)
        if G.has_edge(u, v):
            assert G.edges[u, v] == {"wins": for_u, "margin": for_u - for_v}


def test_margins_do_not_wrap_round() -> None:
    G = po.majority_graph([{"a": 2, "b": 1}, {"a": 1, "b": 2}], counts=[200, 50])
    assert G.edges["a", "b"] == {"wins": 200, "margin": 150}


@given(st.integers(3, 12), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_breaking_the_cycles_of_majorities_drops_no_more_than_kemeny_decides_against(
    n: int, k: int, seed: int
) -> None:
    members = np.random.default_rng(seed).random((k, n))
    G, order = po.majority_graph(members), po.kemeny(members).order
    _, dropped = po.break_cycles(G, weight="margin")
    against = [edge for edge in G.edges if not po.prefers(order, *edge)]
    one, other = (sum(G.edges[edge]["margin"] for edge in edges) for edges in (dropped, against))
    assert one == other


def test_a_dissimilarity_is_not_asked_for_an_item_and_itself() -> None:
    table = {frozenset("ab"): 1, frozenset("bc"): 2, frozenset("ac"): 3}
    votes = [po.from_ranking(vote) for vote in ("abc", "bca", "cab")]
    found = po.kemeny(votes, dissimilarity=lambda u, v: table[frozenset((u, v))])
    assert found == po.kemeny(votes, dissimilarity={tuple(pair): d for pair, d in table.items()})


@pytest.mark.slow
@pytest.mark.parametrize("n", [2, 3])
def test_costs_and_gaps_hold_for_all_pairs_of_orders(n: int) -> None:
    everything = list(strict_orders(n))
    for orders in combinations(everything, 2):
        members = members_of(orders)
        least = least_of_all(members, n)
        for found in (po.borda(orders), po.copeland(orders), po.best_input(orders)):
            assert found.cost == cost(range(n), members, said(found.order))
            assert proven(found) <= least <= found.cost
        assert po.best_input(orders).cost <= 2 * least


@given(ensembles(max_items=4))
def test_best_input_costs_at_most_twice_the_least_of_any_order(ensemble: Ensemble) -> None:
    orders, counts = ensemble
    number = {item: i for i, item in enumerate(orders[0])}
    members = members_of([nx.relabel_nodes(G, number) for G in orders], counts)
    found = po.best_input(orders, counts=counts)
    assert found.cost <= 2 * least_of_all(members, len(number))
    assert found.cost <= 2 * proven(found)


@given(ensembles())
def test_weights_of_best_input(ensemble: Ensemble) -> None:
    orders, counts = ensemble
    items = list(orders[0])
    weights = {item: Fraction(place + 1, 3) for place, item in enumerate(items)}
    unlike = {(u, v): weights[u] + weights[v] for u, v in combinations(items, 2)}

    def weigh(u: Any, v: Any) -> Fraction:
        return weights[u] * weights[v] * (weights[u] + weights[v])

    found = po.best_input(orders, counts=counts, weights=weights, dissimilarity=unlike)
    members = members_of(orders, counts)
    costs = [cost(items, members, member, weigh) for member, _ in members]
    assert min(costs) == cost(items, members, said(found.order), weigh)
    assert found.cost == pytest.approx(float(min(costs)), rel=1e-12)
    assert type(found.cost) is float
    by_measure = sum(
        count * po.generalized_kendall(G, found.order, weights=weights, dissimilarity=unlike)
        for G, count in zip(orders, counts, strict=True)
    )
    assert by_measure == pytest.approx(float(found.cost))


@ALL
@given(ensemble=ensembles(max_items=6))
def test_laws_of_all(aggregate: Callable[..., Aggregate], ensemble: Ensemble) -> None:
    orders, counts = ensemble
    options: dict[str, Any] = {"seed": 0} if aggregate is po.kwiksort else {}
    found = aggregate(orders, counts=counts, **options)
    assert set(found.order) == set(orders[0])
    assert type(found.cost) in (int, Fraction)
    assert type(found.gap) in (int, Fraction)
    assert 0 <= proven(found) <= found.cost
    by_measure = [2 * po.partial_kendall_distance(G, found.order) for G in orders]
    assert 2 * found.cost == np.dot(by_measure, counts)
    # Members that occur several times, and items and members put in another way.
    spelled = [G for G, count in zip(orders, counts, strict=True) for _ in range(count)]
    turned = []
    for G in spelled[::-1]:
        H = nx.DiGraph()
        H.add_nodes_from(sorted(G, key=item_key, reverse=True))
        H.add_edges_from(G.edges)
        turned.append(H)
    same = aggregate(turned, **options)
    assert (same.cost, same.gap) == (found.cost, found.gap)
    assert said(same.order) == said(found.order)


@ALL
def test_one_member_and_equal_ones(aggregate: Callable[..., Aggregate]) -> None:
    vote = po.from_ranking(["ü", 3, ("a", 1), "b"])
    for orders in ([vote], [vote] * 3):
        found = aggregate(orders)
        assert said(found.order) == said(vote)
        assert (found.cost, found.gap) == (0, 0)


@ALL
def test_a_profile_brings_its_counts(aggregate: Callable[..., Aggregate]) -> None:
    class Votes:
        orders = (po.from_ranking("ab"), po.from_ranking("ba"))
        counts = (1, 2)

    assert po.format_order(aggregate(Votes()).order) == "b > a"
    with pytest.raises(po.PorankError, match="expected no counts beside a profile"):
        aggregate(Votes(), counts=[1, 1])


@ALL
def test_what_is_no_ensemble(aggregate: Callable[..., Aggregate]) -> None:
    with pytest.raises(po.PorankError, match="expected at least one order, found none"):
        aggregate([])


@ALL
def test_members_are_not_changed(aggregate: Callable[..., Aggregate]) -> None:
    vote = po.parse("a > b ~ c")
    vote.add_edge("a", "b", weight=3)
    before = vote.copy()
    found = aggregate([vote])
    found.order.add_edge("b", "new")
    assert nx.utils.graphs_equal(vote, before)


@pytest.mark.parametrize("aggregate", [po.best_input, po.kwiksort, po.kemeny, po.local_search])
def test_bad_weights(aggregate: Callable[..., Aggregate]) -> None:
    orders = [po.from_ranking("abc")]
    with pytest.raises(po.PorankError, match="expected a weight for each item, found none for 'c'"):
        aggregate(orders, weights={"a": 1, "b": 1})
    with pytest.raises(po.PorankError, match="found -1 for 'b'"):
        aggregate(orders, weights=[1, -1, 1])
    with pytest.raises(po.PorankError, match="expected a symmetric dissimilarity"):
        aggregate(orders, dissimilarity=[[0, 1, 1], [2, 0, 1], [1, 1, 0]])
    with pytest.raises(po.PorankError, match="exceed all floats"):
        aggregate(orders, weights=[1e200, 1e200, 1.0])


def test_without_the_matrix_borda_costs_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    orders = [
        *(po.random_order(9, edge_probability=0.3, seed=s) for s in range(3)),
        dict.fromkeys(range(9), 1),
    ]
    with_matrix = po.borda(orders, counts=[1, 2, 3, 1])
    monkeypatch.setattr(aggregation, "_MANY_ITEMS", 3)
    without = po.borda(orders, counts=[1, 2, 3, 1])
    assert without.cost == with_matrix.cost
    assert without.gap is None
    assert said(without.order) == said(with_matrix.order)
    around = [po.from_ranking(range(k, 4 + k)) for k in (0, 0)]
    around += [po.from_ranking((3, 2, 1, 0))] * 2
    assert po.borda(around).cost == 2 * 6


@pytest.mark.parametrize("given", [{"a": 2, "b": 1, "c": 1}, po.parse("a > b ~ c")])
def test_only_ties_are_written_as_ties(given: Any) -> None:
    found = po.best_input([given])
    assert tied(found.order) == {frozenset("bc")}
    assert found.order.nodes["a"] == {}


def test_many_items() -> None:
    scores = np.random.default_rng(0).random((3, 20_000))
    found = po.borda(scores)
    assert found.order.number_of_nodes() == 20_000
    pairs = 20_000 * 19_999 // 2
    # Of three random rankings one contradicts the mean position somewhat more than a quarter.
    assert 0.6 < found.cost / pairs < 1


@pytest.mark.slow
def test_too_many_edges_are_refused() -> None:
    level = np.repeat([1, 2], 4_000)
    with pytest.raises(po.PorankError, match="expected at most 10,000,000 edges"):
        po.borda([level])
    with pytest.raises(po.PorankError, match="expected at most 10,000,000 edges"):
        po.majority_graph([level])


def test_huge_counts_are_added_exactly() -> None:
    votes = [po.from_ranking("abc"), po.from_ranking("cba")]
    for function in (po.borda, po.copeland, po.kemeny, po.best_input, po.local_search):
        found = function(votes, counts=[10**12 - 1, 10**12])
        assert found.cost == 3 * (10**12 - 1)
        assert po.format_order(found.order) == "c > b > a"
