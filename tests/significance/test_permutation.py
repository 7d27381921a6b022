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
from tests.strategies import order_pairs, orders


@given(order_pairs(max_items=4), st.sampled_from(["gamma", "kendall_distance", "edrc", "jaccard"]))
def test_permutations_by_definition(pair: Any, name: str) -> None:
    found = po.permutation_test(name, *pair)
    values = oracle.permutation_values(MEASURES[name], *pair)
    assert found.is_exact
    assert found.permutations == len(values)
    assert found.undefined == sum(map(math.isnan, values))
    if math.isnan(found.value):
        assert math.isnan(found.p_value)
    else:
        higher = MEASURES[name].better == "higher"
        assert found.p_value == oracle.share_at_least(values, found.value, higher=higher)


@given(orders(max_items=5), st.randoms(use_true_random=False))
def test_renamed_and_drawn_orders_say_what_graphs_say(G: nx.DiGraph, random: Any) -> None:
    items, compiled = list(G), compile_order(G)
    sequence = random.sample(range(len(items)), len(items))
    drawn = [random.randrange(len(items)) for _ in items]
    names = {item: items[place] for item, place in zip(items, sequence, strict=True)}
    copies = oracle.copied(G, [items[place] for place in drawn])
    targets = {item: random.randrange(3) for item in G}, [random.randrange(3) for _ in items]
    cases = [
        (targets[0], _renamed(compiled, sequence), nx.relabel_nodes(G, names)),
        (targets[1], _drawn_order(compiled, np.array(drawn, dtype=np.int64)), copies),
    ]
    for measure in MEASURES.values():
        for target, order, graph in cases:
            assert outcome(measure, target, order) == outcome(measure, target, graph)


def outcome(measure: Any, target: Any, predicted: Any) -> Any:
    try:
        return pytest.approx(measure(target, predicted), rel=1e-12, abs=1e-15, nan_ok=True)
    except po.NotApplicableError:
        return "inapplicable"


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
    # Of six ways to rename, one has gamma 1, one -1, and four decide no common pair.
    G = po.parse("a > b; c")
    assert po.permutation_test("gamma", G, G) == (1.0, 5 / 6, 0.0, 1.0, 6, True, 4)


def test_values_that_tie_but_for_rounding_are_as_extreme() -> None:
    target, predicted = [2, 1, 2, 0, 0], [1, 4, 0, 3, 2]
    values = {p: po.discounted_error(target, list(p)) for p in permutations(predicted)}
    value = next(v for v in values.values() if any(v < w < v + 1e-12 for w in values.values()))
    tied = [p for p, other in values.items() if math.isclose(other, value, rel_tol=1e-12)]
    assert len({values[p] for p in tied}) > 1
    wanted = sum(other < value + 1e-9 for other in values.values()) / 120
    for sequence in tied:
        assert po.permutation_test("discounted_error", target, list(sequence)).p_value == wanted


def test_intervals_of_one_pair_cover_the_truth() -> None:
    # Of normal pairs with correlation r the concordance is 1/2 + asin(r) / pi: 2/3 at r = 1/2.
    rng, n, trials = np.random.default_rng(9), 40, 30
    covered = 0
    for k in range(trials):
        x = rng.normal(size=n)
        y = 0.5 * x + math.sqrt(0.75) * rng.normal(size=n)
        found = po.bootstrap_interval("c_index", x, y, samples=60, level=0.9, seed=k)
        covered += found.low <= 2 / 3 <= found.high
    assert abs(covered - 0.9 * trials) < 4 * math.sqrt(trials * 0.9 * 0.1)


def test_intervals_of_perfect_predictions_and_of_few_items() -> None:
    found = po.bootstrap_interval("gamma", po.from_ranking("abcdef"), po.from_ranking("abcdef"))
    assert (found.value, found.low, found.high) == (1.0, 1.0, 1.0)
    assert (found.level, found.samples) == (0.95, 1000)
    # Scores keep their numbers in samples.
    target = {"a": 4, "b": 2, "c": 0, "d": 0, "e": 0}
    predicted = {"e": -1, "d": 0, "c": 1, "b": 2, "a": 3}
    found = po.bootstrap_interval("ndcg_loss", target, predicted, samples=50)
    assert (found.value, found.high) == (0.0, 0.0)
    four, five = (
        po.bootstrap_interval("gamma", [*range(n)], [*range(n)], samples=50) for n in (4, 5)
    )
    assert (four.value, five.value, five.low, five.high) == (1.0, 1.0, 1.0, 1.0)
    assert (math.isnan(four.low), math.isnan(four.high)) == (True, True)
    for n in (0, 1, 3):
        found = po.bootstrap_interval("gamma", [1] * n, [1] * n, samples=7)
        assert math.isnan(found.value)
        assert math.isnan(found.low)
        assert found.undefined == 7
    raised = po.bootstrap_interval("gamma", [2, 1], [2, 1], samples=40, undefined="raise")
    assert 0 < raised.undefined < 40


BOTH: Any = (po.permutation_test, po.bootstrap_interval)
TWO = ([1, 2], [1, 2])
CYCLE = (nx.DiGraph(["ab", "ba"]), {"a": 1, "b": 2})
REFUSED: list[tuple[Any, str, Any, dict[str, Any], str]] = [
    *((function, "gamma", TWO, {"samples": 0}, "1 as samples, found 0") for function in BOTH),
    *((function, "gamma", TWO, {"seed": -1}, "as seed, found -1") for function in BOTH),
    (BOTH[0], "gamma", TWO, {"k": 3}, "'undefined' as options of gamma, found 'k'"),
    (BOTH[0], "tau", TWO, {}, "name of a measure, such as"),
    (BOTH[0], "gamma", ({"a": 1}, {"b": 1}), {}, "same items"),
    (BOTH[1], "gamma", TWO, {"level": 95}, "level to lie between 0 and 1"),
    (BOTH[1], "gamma", CYCLE, {}, "cycle"),
    (BOTH[1], "ap_correlation", ([1, 2, 3], [1, 3, 2]), {}, "drawn twice is tied with its copy"),
]


def test_refusals() -> None:
    for function, name, pair, options, message in REFUSED:
        with pytest.raises(po.PorankError, match=message):
            function(name, *pair, **options)
    for option in ("dissimilarity", "position_costs", "prior", "relevance", "weights"):
        takes = [name for name, m in MEASURES.items() if option in signature(m.function).parameters]
        assert takes
        for name in takes:
            with pytest.raises(po.NotApplicableError, match=f"single items, found '{option}'"):
                BOTH[1](name, *TWO, samples=2, **{option: [1, 2]})
