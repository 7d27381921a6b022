"""Tests and intervals for one pair of orders, by definition."""

from __future__ import annotations

import math
from inspect import signature
from itertools import permutations
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.core.compiled_order import compile_order
from porank.measures.catalogue import MEASURES
from porank.significance.resampling import _drawn_order, _renamed
from tests import oracles_inference as oracle
from tests.strategies import orders

PAIRS = st.integers(0, 4).flatmap(
    lambda n: st.tuples(
        *[
            st.one_of(
                st.lists(st.integers(0, 2), min_size=n, max_size=n).map(
                    lambda scores: dict(enumerate(scores))
                ),
                st.sets(
                    st.tuples(*[st.integers(0, max(n - 1, 0))] * 2).filter(lambda e: e[0] < e[1])
                ).map(lambda edges: graph_on(n, edges)),
            )
        ]
        * 2
    )
)


def graph_on(n: int, edges: Any) -> nx.DiGraph:
    G = nx.DiGraph()
    G.add_nodes_from(range(n))
    G.add_edges_from(edges)
    return G


@given(PAIRS, st.sampled_from(["gamma", "kendall_distance", "edrc", "jaccard"]))
def test_permutations_by_definition(pair: Any, name: str) -> None:
    measure = MEASURES[name]
    found = po.permutation_test(name, *pair)
    values = oracle.permutation_values(measure, *pair)
    assert found.is_exact
    assert found.permutations == len(values)
    assert found.undefined == sum(map(math.isnan, values))
    if math.isnan(found.value):
        assert math.isnan(found.p_value)
    else:
        higher = measure.better == "higher"
        assert found.p_value == oracle.share_at_least(values, found.value, higher=higher)


@given(orders(max_items=5), st.randoms(use_true_random=False))
def test_renamed_orders_say_what_relabelled_graphs_say(G: nx.DiGraph, random: Any) -> None:
    items, target = list(G), {item: random.randrange(3) for item in G}
    sequence = random.sample(range(len(items)), len(items))
    names = {item: items[place] for item, place in zip(items, sequence, strict=True)}
    relabelled, order = nx.relabel_nodes(G, names), _renamed(compile_order(G), sequence)
    for measure in MEASURES.values():
        assert outcome(measure, target, order) == outcome(measure, target, relabelled)


def outcome(measure: Any, target: Any, predicted: Any) -> Any:
    try:
        return pytest.approx(measure(target, predicted), rel=1e-12, abs=1e-15, nan_ok=True)
    except po.NotApplicableError:
        return "inapplicable"


@given(orders(max_items=5), st.randoms(use_true_random=False))
def test_drawn_orders_say_what_graphs_with_copies_say(G: nx.DiGraph, random: Any) -> None:
    items = list(G)
    drawn = [random.randrange(len(items)) for _ in items]
    target = [random.randrange(3) for _ in items]
    copies = oracle.copied(G, [items[place] for place in drawn])
    order = _drawn_order(compile_order(G), np.array(drawn, dtype=np.int64))
    for measure in MEASURES.values():
        assert outcome(measure, target, order) == outcome(measure, target, copies)


def test_directions_of_a_permutation_test() -> None:
    target, reverse = [3, 2, 1, 0], [0, 1, 2, 3]
    for name in ("kendall_distance", "kendall_tau"):
        assert po.permutation_test(name, target, reverse).p_value == 1.0
        assert po.permutation_test(name, target, target).p_value == 1 / 24


def test_sampled_permutations() -> None:
    target = list(range(9))
    found = po.permutation_test("kendall_tau", target, target, samples=99)
    assert (found.permutations, found.is_exact, found.p_value) == (99, False, 1 / 100)
    # By chance tau has mean 0 and variance 2 (2 n + 5) / (9 n (n - 1)).
    deviation = math.sqrt(2 * 23 / (9 * 9 * 8))
    assert abs(found.expected) < 4 * deviation / math.sqrt(99)
    assert abs(found.deviation / deviation - 1) < 4 / math.sqrt(2 * 99)
    assert po.permutation_test("kendall_tau", target, target, samples=99) == found
    assert po.permutation_test("kendall_tau", target, target, samples=99, seed=1) != found


def test_intervals_of_one_pair_cover_the_truth() -> None:
    # Of normal pairs with correlation r the concordance is 1/2 + asin(r) / pi: 2/3 at r = 1/2.
    rng, n, trials = np.random.default_rng(9), 40, 50
    covered = 0
    for k in range(trials):
        x = rng.normal(size=n)
        y = 0.5 * x + math.sqrt(0.75) * rng.normal(size=n)
        found = po.bootstrap_interval("c_index", x, y, samples=80, level=0.9, seed=k)
        covered += found.low <= 2 / 3 <= found.high
    deviation = math.sqrt(trials * 0.9 * 0.1)
    assert abs(covered - 0.9 * trials) < 4 * deviation


def test_interval_of_a_perfect_prediction() -> None:
    found = po.bootstrap_interval("gamma", po.from_ranking("abcdef"), po.from_ranking("abcdef"))
    assert (found.value, found.low, found.high) == (1.0, 1.0, 1.0)
    assert (found.level, found.samples) == (0.95, 1000)


def test_intervals_where_nothing_is_defined() -> None:
    for n in (0, 1, 3):
        found = po.bootstrap_interval("gamma", [1] * n, [1] * n, samples=7)
        assert math.isnan(found.value)
        assert math.isnan(found.low)
        assert found.undefined == 7
    raised = po.bootstrap_interval("gamma", [2, 1], [2, 1], samples=40, undefined="raise")
    assert 0 < raised.undefined < 40


def test_scores_keep_their_numbers_in_samples() -> None:
    target = {"a": 4, "b": 2, "c": 0, "d": 0, "e": 0}
    predicted = {"e": -1, "d": 0, "c": 1, "b": 2, "a": 3}
    found = po.bootstrap_interval("ndcg_loss", target, predicted, samples=50)
    assert (found.value, found.high) == (0.0, 0.0)


def test_fewer_than_five_items_have_no_interval() -> None:
    four, five = (po.bootstrap_interval("gamma", [*range(n)], [*range(n)]) for n in (4, 5))
    assert (four.value, five.value) == (1.0, 1.0)
    assert (math.isnan(four.low), math.isnan(four.high)) == (True, True)
    assert (five.low, five.high) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"samples": 0}, "at least 1 as samples, found 0"),
        ({"seed": -1}, "as seed, found -1"),
        ({"k": 3}, "'undefined' as options of gamma, found 'k'"),
    ],
)
def test_arguments_of_one_pair(options: dict[str, Any], message: str) -> None:
    for function in (po.permutation_test, po.bootstrap_interval):
        with pytest.raises(po.PorankError, match=message):
            function("gamma", [1, 2], [1, 2], **options)


def test_more_arguments_of_one_pair() -> None:
    with pytest.raises(po.PorankError, match="name of a measure, such as"):
        po.permutation_test("tau", [1], [1])
    with pytest.raises(po.PorankError, match="level to lie between 0 and 1"):
        po.bootstrap_interval("gamma", [1], [1], level=95)
    with pytest.raises(po.ItemMismatchError):
        po.permutation_test("gamma", {"a": 1}, {"b": 1})
    with pytest.raises(po.CycleError):
        po.bootstrap_interval("gamma", nx.DiGraph(["ab", "ba"]), {"a": 1, "b": 2})
    with pytest.raises(po.NotApplicableError, match="drawn twice is tied with its copy"):
        po.bootstrap_interval("ap_correlation", [1, 2, 3, 4], [1, 2, 4, 3])


@pytest.mark.parametrize(
    "option", ["dissimilarity", "position_costs", "prior", "relevance", "weights"]
)
def test_options_of_single_items_are_none_of_samples(option: str) -> None:
    taking = [name for name in MEASURES if option in signature(MEASURES[name].function).parameters]
    assert taking
    options: dict[str, Any] = {option: [1, 2]}
    for name in taking:
        with pytest.raises(po.NotApplicableError, match=f"single items, found '{option}'"):
            po.bootstrap_interval(name, [1, 2], [1, 2], samples=2, **options)


def test_values_that_tie_but_for_rounding_are_as_extreme() -> None:
    target, predicted = [2, 1, 2, 0, 0], [1, 4, 0, 3, 2]
    values = [po.discounted_error(target, list(p)) for p in permutations(predicted)]
    value = next(v for v in values if any(v < w < v + 1e-12 for w in values))
    tied = [other for other in values if math.isclose(other, value, rel_tol=1e-12)]
    assert len(set(tied)) > 1
    wanted = sum(other < value + 1e-9 for other in values) / 120
    for sequence in permutations(predicted):
        if math.isclose(po.discounted_error(target, list(sequence)), value, rel_tol=1e-12):
            found = po.permutation_test("discounted_error", target, list(sequence))
            assert found.p_value == wanted


def test_permutations_without_a_value_are_no_evidence() -> None:
    # Of six ways to rename, one has gamma 1, one -1, and four decide no common pair.
    G = po.parse("a > b; c")
    found = po.permutation_test("gamma", G, G)
    assert found == (1.0, 5 / 6, 0.0, 1.0, 6, True, 4)
