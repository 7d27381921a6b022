"""Orders of least cost in a family, Kemeny's among them, against all orders of the family."""

import math
from fractions import Fraction
from functools import partial
from itertools import combinations, permutations, product
from typing import Any
from unittest.mock import patch

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.abstention import integer_program
from porank.aggregation import kemeny as module
from porank.aggregation.kemeny import _arranged_by_program
from porank.core.graphs import in_order
from porank.results import Aggregate
from tests.support.oracles import Pairs, strict_orders, weak_orders
from tests.support.oracles_aggregation import (
    Members,
    cost,
    ensembles,
    least_total,
    members_of,
    pairs_of_graph,
    proven,
    ranked,
    verdict,
    wins,
)
from tests.support.refusals import refuses

Ensemble = tuple[list[nx.DiGraph], list[int]]
METHODS = pytest.mark.parametrize("method", ["subsets", "program"])
AROUND = [po.from_ranking(vote) for vote in ("abc", "bca", "cab")]
VOTES: list[Any] = [po.from_ranking("ab"), po.from_ranking("ba")]


def by(method: str, *given: Any, **options: Any) -> Aggregate:
    """Return Kemeny's order with all components arranged by subsets, or by programs."""
    with patch.object(module, "EXACT_ITEMS", 20 if method == "subsets" else 1):
        return po.kemeny(*given, **options)


@METHODS
@given(ensemble=ensembles())
def test_no_total_order_costs_less(method: str, ensemble: Ensemble) -> None:
    orders, counts = ensemble
    items, members = in_order(orders[0]), members_of(orders, counts)
    costs = [cost(items, members, ranked(line)) for line in permutations(items)]
    found = by(method, orders, counts=counts)
    assert (found.cost, found.gap) == (min(costs), 0)
    assert found.is_unique is (costs.count(min(costs)) == 1)
    assert cost(items, members, pairs_of_graph(found.order())) == min(costs)
    assert po.is_total_order(found.order())


@METHODS
@given(ensemble=ensembles(max_items=4), data=st.data())
def test_weights_and_dissimilarities(method: str, ensemble: Ensemble, data: st.DataObject) -> None:
    orders, counts = ensemble
    items = in_order(orders[0])
    small = st.sampled_from([0.0, 0.25, 1.0, 3.5])
    weights = {item: data.draw(small) for item in items}
    unlike = {frozenset(pair): data.draw(small) for pair in combinations(items, 2)}

    def apart(u: Any, v: Any) -> float:
        return unlike.get(frozenset((u, v)), 0.0)

    def weigh(u: Any, v: Any) -> Fraction:
        return Fraction(weights[u] * weights[v] * apart(u, v))

    least, _ = least_total(items, members_of(orders, counts), weigh)
    found = by(method, orders, counts=counts, weights=weights, dissimilarity=apart)
    assert (found.cost, found.gap, type(found.cost)) == (least, 0, float)


def levels_of(n: int) -> list[tuple[int, ...]]:
    """Every weak order of n items, by the level of each."""
    return [tuple(order.values()) for order in weak_orders(n)]


def partial_cost(members: Members, order: Pairs, items: list[Any], c: Any, ties: str) -> Fraction:
    """The cost of a partial order: c where it is open, else 1 less what each member agrees."""
    total = Fraction()
    for u, v in combinations(items, 2):
        here = verdict(order, u, v)
        for member, count in members:
            agrees = {here: Fraction(1), 0: Fraction(ties == "half", 2)}.get(
                verdict(member, u, v), 0
            )
            total += count * (1 - agrees if here else c)
    return total


def states(order: Pairs, items: list[Any]) -> list[int]:
    """Of each pair of items whether the first is above, neither is, or the second."""
    return [1 - verdict(order, u, v) for u, v in combinations(items, 2)]


@given(
    ensembles(max_items=4),
    st.sampled_from(["partial", "weak", "total"]),
    st.sampled_from([Fraction(c) for c in ("1/5", "1/3", "1/2", "1")]),
    st.sampled_from(["none", "half"]),
)
def test_all_orders_of_least_cost(ensemble: Ensemble, family: str, c: Fraction, ties: str) -> None:
    orders, counts = ensemble
    items, members = in_order(orders[0]), members_of(orders, counts)
    if family == "partial":
        options: dict[str, Any] = {"abstention_cost": c, "ties": ties}
        found = po.consensus_order(orders, counts=counts, **options)
        named = [nx.relabel_nodes(G, dict(enumerate(items))) for G in strict_orders(len(items))]
        pairs = [pairs_of_graph(G) for G in named]
        costs = [partial_cost(members, each, items, c, ties) for each in pairs]
    else:
        n = len(items)
        weak = partial(po.consensus_order, family="weak")
        found = (weak if family == "weak" else po.kemeny)(orders, counts=counts)
        lines = levels_of(n) if family == "weak" else [*permutations(range(n))]
        level = [dict(zip(items, line, strict=True)) for line in lines]
        pairs = [{(u, v) for u, v in product(items, items) if at[u] < at[v]} for at in level]
        costs = [cost(items, members, each) for each in pairs]
    best = sorted(
        states(each, items) for each, paid in zip(pairs, costs, strict=True) if paid == min(costs)
    )
    optima = [states(pairs_of_graph(G), items) for G in found.optima(limit=1000)]
    assert (found.cost, found.gap) == (min(costs), 0)
    assert states(pairs_of_graph(found.order()), items) in best
    assert optima == best
    assert [states(pairs_of_graph(G), items) for G in found.optima(limit=2)] == best[:2]
    assert found.is_unique is (len(best) == 1)


def test_members_with_ties_are_better_met_by_ties() -> None:
    scores = np.random.default_rng(0).integers(0, 3, (7, 12))
    weak, total = po.consensus_order(scores, family="weak"), po.kemeny(scores)
    assert (weak.gap, total.gap) == (0, 0)
    assert weak.cost < total.cost
    assert weak.cost <= po.borda(scores).cost
    stopped = po.consensus_order(scores, family="weak", seconds=0)
    assert proven(stopped) <= weak.cost <= stopped.cost


def test_half_is_the_cost_of_abstention_by_default() -> None:
    found = po.consensus_order(VOTES), po.consensus_order(iter(VOTES), abstention_cost=0.5)
    assert found[0].cost == found[1].cost
    assert nx.utils.graphs_equal(found[0].order(), found[1].order())
    assert po.format_order(po.consensus_order(VOTES, family="weak").order()) == "a ~ b"


def test_components_are_arranged_one_by_one_whatever_comes_first() -> None:
    # Two components, {a, d, e} and {b, c, f}, with a draw of each item of one against each of the
    # other.
    components = [("ade", "bcf"), ("dea", "cfb"), ("ead", "fbc")]
    orders = [po.from_ranking((*one, *other)) for one, other in components]
    orders += [po.from_ranking((*other, *one)) for one, other in components]
    found = po.kemeny(orders)
    assert found.cost == least_total("abcdef", members_of(orders))[0] == 43
    assert [*po.kemeny(orders[::-1]).order()] == [*found.order()] == list("adebcf")
    # A component begins with its first item by key, not by insertion.
    lines = [[10, "b", ("a", 1)], ["b", ("a", 1), 10], [("a", 1), 10, "b"]]
    for sequence in permutations(map(po.from_ranking, lines)):
        assert list(po.kemeny(sequence).order()) == lines[0]


@pytest.mark.parametrize("seed", range(4))
def test_both_methods_find_the_same_cost(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores, weights = rng.integers(0, 6, size=(5, 11)), rng.random(11)
    subsets, program = (by(method, scores) for method in ("subsets", "program"))
    assert (subsets.cost, subsets.gap) == (program.cost, program.gap)
    assert program.gap == 0
    assert program.is_unique is subsets.is_unique is not None
    # Weights of many digits are proven up to rounding.
    subsets, program = (by(method, scores, weights=weights) for method in ("subsets", "program"))
    assert program.cost == pytest.approx(subsets.cost, rel=1e-12)
    assert program.gap == 0
    stopped = by("program", scores, weights=weights, seconds=0)
    assert proven(stopped) <= subsets.cost * (1 + 1e-12)


def test_the_integer_program_is_needed_and_right() -> None:
    # Three items against three others, i above 3 + i and below the rest: of the nine pairs an order
    # decides at most seven so, the linear relaxation 7 1/2.
    fence = np.zeros((6, 6), dtype=np.int64)
    fence[:3, 3:] = 2 * np.eye(3, dtype=np.int64) - 1
    margin = fence - fence.T
    arrangement, gap = _arranged_by_program(margin, math.inf)
    lines = [*permutations(range(6)), arrangement]
    costs = [sum(max(margin[j, i], 0) for i, j in combinations(line, 2)) for line in lines]
    assert (costs.pop(), gap) == (min(costs), 0)
    # Of floats no bound is rounded up, so that only the integer program proves it.
    assert _arranged_by_program(margin / 3, math.inf) == (arrangement, 0)


def test_bounds_are_bounds_and_stopping_states_the_gap() -> None:
    orders = [po.random_ranking(12, seed=seed) for seed in range(5)]
    stopped, members = by("program", orders, seconds=0), members_of(orders)
    pairs = combinations(range(12), 2)
    assert proven(stopped) == sum(min(wins(members, *p), 5 - wins(members, *p)) for p in pairs)
    assert proven(stopped) < po.kemeny(orders).cost <= stopped.cost
    # So nobody knows whether it is the only one; nor of floats, nor of what nobody searched for.
    assert stopped.is_unique is po.borda(AROUND).is_unique is None
    assert po.kemeny(AROUND, weights=dict.fromkeys("abc", 2)).is_unique is None


def test_many_items_need_no_component() -> None:
    found = po.kemeny(po.mallows(list(range(300)), 25, dispersion=0.2, seed=0))
    assert (list(found.order()), found.gap) == (list(range(300)), 0)


def test_an_interruption_ends_the_time_that_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    solve = integer_program._solve

    def interrupted(*given: Any) -> Any:
        solve(*given)
        raise KeyboardInterrupt

    monkeypatch.setattr(integer_program, "_solve", interrupted)
    votes = [po.random_ranking(30, seed=seed) for seed in range(9)]
    assert proven(by("program", votes, seconds=60)) <= po.borda(votes).cost
    with pytest.raises(KeyboardInterrupt):
        by("program", votes)


@pytest.mark.parametrize(
    ("orders", "options", "word"),
    [
        (VOTES, {"family": "weak", "abstention_cost": 0.3}, "neither .*abstention_cost=0.3"),
        (VOTES, {"family": "weak", "ties": "half"}, "with family='weak', found .*ties='half'"),
        (VOTES, {"family": "bucket"}, "one of 'partial', 'weak'"),
        (VOTES, {"seconds": -1}, "a number of seconds of at least 0"),
        (VOTES, {"seconds": True}, "a number of seconds of at least 0"),
        (VOTES, {"seconds": math.nan}, "a number of seconds of at least 0"),
    ],
)
def test_bad_input_is_refused_in_words(orders: Any, options: dict[str, Any], word: str) -> None:
    refuses(word, po.consensus_order, orders, **options)


def test_all_optima_are_refused_where_they_cannot_be_known() -> None:
    votes = [po.random_ranking(30, seed=seed) for seed in range(9)]
    refuses("the search stopped", po.consensus_order(votes, seconds=0).optima)
    refuses("use kemeny or consensus_order", po.borda(votes).optima)
    refuses("as limit", po.borda(votes).optima, limit=0)
