"""The laws that every measure of the list inherits.

Whatever joins `porank.measures.catalogue.MEASURES` is tested here: range, value on equal orders,
symmetry or a witness that there is none, reversal, the triangle inequality or a witness against it,
names and insertion that must not matter, graphs that say the same, unequal items, and 0/0.
"""

from __future__ import annotations

import copy
import math
import random
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from numpy.typing import NDArray

import porank as po
from porank.measures.catalogue import MEASURES
from porank.measures.measure import Measure
from tests import oracles

measures = pytest.mark.parametrize("measure", MEASURES.values(), ids=list(MEASURES))
CLOSE = 1e-12


@cache
def small_orders(need: str, side: str, n: int) -> list[Any]:
    """The orders on n items that a measure of this need takes on this side."""
    every_weak = oracles.weak_orders(n)
    total = [scores for scores in every_weak if len(set(scores.values())) == n]
    partial = list(oracles.strict_orders(n))
    if need == "any":
        return partial
    if need in ("known ties", "scores", "weak"):
        return every_weak
    if need == "total target, weak prediction":
        return total if side == "target" else every_weak
    if need == "weak target":
        return every_weak if side == "target" else partial
    assert need in ("two-level target", "two-level target, weak prediction")
    two = [scores for scores in every_weak if len(set(scores.values())) <= 2]
    if side == "target":
        return two
    return every_weak if "weak prediction" in need else partial


@cache
def values_of(name: str, n: int) -> list[tuple[Any, Any, float]]:
    """All pairs of small orders that a measure takes, each with its value."""
    measure = MEASURES[name]
    sides = [small_orders(measure.needs, side, n) for side in ("target", "predicted")]
    return [
        (target, predicted, measure(target, predicted)) for target, predicted in product(*sides)
    ]


def table_of(measure: Measure) -> NDArray[np.float64]:
    """The values on orders of three items, a row for each target."""
    n_targets = len(small_orders(measure.needs, "target", 3))
    return np.array([value for *_, value in values_of(measure.name, 3)]).reshape(n_targets, -1)


def pairs_in(order: Any) -> frozenset[Any]:
    """What an order says: the pairs of a closed graph or of scores."""
    if isinstance(order, dict):
        return frozenset((u, v) for u, v in product(order, order) if order[u] > order[v])
    return frozenset(order.edges)


def same(one: Any, other: Any) -> bool:
    return np.allclose(one, other, rtol=0, atol=CLOSE, equal_nan=True)


@measures
def test_the_entry_is_well_formed(measure: Measure) -> None:
    assert measure.better in ("higher", "lower")
    assert measure.reversal in ("negates", "complements", "same", "none")
    assert measure.metric in ("metric", "pseudometric", "no")
    assert measure.function.__name__ in po.__all__
    assert getattr(po, measure.function.__name__) is measure.function


@measures
@pytest.mark.parametrize("n", range(4))
def test_range_and_plain_numbers(measure: Measure, n: int) -> None:
    for *_, value in values_of(measure.name, n):
        assert type(value) is float
        assert math.isnan(value) or measure.lowest - CLOSE <= value <= measure.highest + CLOSE


@pytest.mark.parametrize(
    "measure",
    [measure for measure in MEASURES.values() if measure.at_equal is not None],
    ids=lambda measure: measure.name,
)
def test_the_value_on_equal_orders(measure: Measure) -> None:
    both_sides = small_orders(measure.needs, "target", 3)
    values = {measure(order, copy.deepcopy(order)) for order in both_sides}
    assert {value for value in values if not math.isnan(value)} == {measure.at_equal}


@measures
def test_symmetry_or_a_witness(measure: Measure) -> None:
    if measure.needs in (
        "weak target",
        "two-level target",
        "two-level target, weak prediction",
        "total target, weak prediction",
        "scores",
    ):
        assert not measure.symmetric, "the two sides take different orders"
        return
    assert same(table_of(measure), table_of(measure).T) == measure.symmetric


@measures
def test_reversal_or_a_witness(measure: Measure) -> None:
    columns = [pairs_in(order) for order in small_orders(measure.needs, "predicted", 3)]
    values = table_of(measure)
    turned = values[:, [columns.index(frozenset((v, u) for u, v in said)) for said in columns]]
    wanted = {"negates": -values, "complements": 1 - values, "same": values}
    held = [claim for claim, expected in wanted.items() if same(turned, expected)]
    assert held == ([] if measure.reversal == "none" else [measure.reversal])


@measures
def test_metric_or_a_witness(measure: Measure) -> None:
    if measure.better == "higher":
        assert measure.metric == "no", "a measure of agreement is no distance"
        return
    table = table_of(measure)
    if np.isnan(table).any():
        assert measure.metric == "no", "a metric is always defined"
        return
    detour = (table[:, :, None] + table[None, :, :]).min(axis=1)
    triangle = bool(np.all(table <= detour + CLOSE)) and bool(np.allclose(table, table.T))
    only_equal_at_zero = bool(np.all((table > CLOSE) | np.eye(len(table), dtype=bool)))
    found = "metric" if triangle and only_equal_at_zero else "pseudometric" if triangle else "no"
    # On three items a distance may still look like a metric; its docstring tells where it fails.
    assert measure.metric == found or (measure.metric == "pseudometric" and found == "metric")


def given(measure: Measure, seed: int) -> tuple[Any, Any]:
    """Two orders on four items that the measure takes, scores only where it needs them."""
    rng = random.Random(seed)
    sides = [small_orders(measure.needs, side, 4) for side in ("target", "predicted")]
    target, predicted = map(rng.choice, sides)
    return target if measure.needs == "scores" else graph(target), graph(predicted)


def graph(order: Any) -> nx.DiGraph:
    return po.from_scores(order) if isinstance(order, dict) else order


@measures
@pytest.mark.parametrize("seed", range(2))
def test_names_and_insertion_do_not_matter(measure: Measure, seed: int) -> None:
    target, predicted = given(measure, seed)
    value = measure(target, predicted)
    names = dict(zip(range(4), ["z", 3, ("t", 1), frozenset("q")], strict=True))
    assert same(measure(renamed(target, names), renamed(predicted, names)), value)
    assert same(measure(reinserted(target, seed), reinserted(predicted, seed + 1)), value)


def renamed(order: Any, names: dict[Any, Any]) -> Any:
    if isinstance(order, dict):
        return {names[item]: value for item, value in order.items()}
    return nx.relabel_nodes(order, names)


def reinserted(order: Any, seed: int) -> Any:
    rng = random.Random(seed)
    if isinstance(order, dict):
        return dict(rng.sample(list(order.items()), len(order)))
    G = nx.DiGraph()
    G.add_nodes_from(rng.sample(list(order.nodes(data=True)), len(order)))
    G.add_edges_from(rng.sample(list(order.edges(data=True)), order.number_of_edges()))
    return G


@measures
@pytest.mark.parametrize("seed", range(2))
def test_inputs_are_unchanged(measure: Measure, seed: int) -> None:
    both = given(measure, seed)
    before = copy.deepcopy(both)
    measure(*both)
    for order, kept in zip(both, before, strict=True):
        if isinstance(order, dict):
            assert order == kept
            assert list(order) == list(kept)
        else:
            assert nx.utils.graphs_equal(order, kept)
            assert list(order) == list(kept)


@measures
@pytest.mark.parametrize("seed", range(2))
def test_closure_and_reduction_say_the_same(measure: Measure, seed: int) -> None:
    target, predicted = given(measure, seed)
    value = measure(target, predicted)
    for say in (po.transitive_closure, po.transitive_reduction):
        said = target if isinstance(target, dict) else say(target)
        assert same(measure(said, say(predicted)), value)


@measures
@pytest.mark.parametrize("seed", range(2))
def test_scores_are_the_weak_order_that_they_spell(measure: Measure, seed: int) -> None:
    rng = random.Random(seed)
    need = measure.needs
    levels = 6 if need.startswith("total") else 2 if need.startswith("two-level") else 3
    scores = [
        rng.sample(range(6), 6) if levels == 6 else [rng.randrange(levels) for _ in range(6)]
        for _ in range(2)
    ]
    value = measure(*scores)
    if measure.needs == "scores":
        return
    assert same(measure(*map(np.array, scores)), value)
    assert same(measure(*(dict(enumerate(numbers)) for numbers in scores)), value)
    assert same(measure(*map(po.from_scores, scores)), value)
    assert same(measure(po.from_scores(scores[0]), scores[1]), value)


@measures
def test_unequal_items_are_refused(measure: Measure) -> None:
    target, predicted = given(measure, 0)
    more = renamed(predicted, {0: "other", 1: 1, 2: 2, 3: 3})
    with pytest.raises(po.ItemMismatchError) as caught:
        measure(target, more)
    assert (caught.value.only_target, caught.value.only_predicted) == ([0], ["other"])


@measures
def test_a_cycle_is_named_with_its_side(measure: Measure) -> None:
    target, predicted = given(measure, 0)
    cyclic = nx.cycle_graph(4, create_using=nx.DiGraph)
    with pytest.raises(po.CycleError, match="in predicted"):
        measure(target, cyclic)
    if not isinstance(target, dict):
        with pytest.raises(po.CycleError, match="in target"):
            measure(cyclic, predicted)


def undefined_pairs(measure: Measure) -> list[tuple[Any, Any]]:
    every = (found for n in range(4) for found in values_of(measure.name, n))
    return [(target, predicted) for target, predicted, value in every if math.isnan(value)]


@measures
def test_undefined_is_nan_a_number_or_an_error(measure: Measure) -> None:
    undefined = undefined_pairs(measure)
    if not measure.takes_undefined:
        assert undefined == []
        return
    entries = [entry for entry in MEASURES.values() if entry.function is measure.function]
    assert any(map(undefined_pairs, entries)), "an option that never matters"
    for target, predicted in undefined[:20]:
        assert measure(target, predicted, undefined=0.25) == 0.25
        with pytest.raises(po.UndefinedError, match="expected a defined value, found 0/0"):
            measure(target, predicted, undefined="raise")
    for pair in (*undefined[:1], given(measure, 1)):
        with pytest.raises(po.PorankError, match="'raise' as undefined, found 'ignore'"):
            measure(*pair, undefined="ignore")


@measures
@pytest.mark.parametrize("n", range(4))
def test_terms_add_up_exactly(measure: Measure, n: int) -> None:
    if measure.terms is None and measure.formula is None:
        with pytest.raises(po.NotApplicableError, match="measure whose summands are known"):
            po.terms(measure.name, [1, 2], [1, 2])
        return
    for target, predicted, value in values_of(measure.name, n)[::3]:
        summands = list(po.terms(measure.name, target, predicted).values())
        if math.isnan(value):
            assert not any(summands)
        elif all(isinstance(summand, (int, Fraction)) for summand in summands):
            assert float(sum(summands)) == value
        else:
            assert math.isclose(math.fsum(summands), value, abs_tol=1e-14)


def test_compare_takes_options_and_names_of_its_own() -> None:
    target, predicted = {"a": 3, "b": 2, "c": 0}, {"a": 1, "b": 3, "c": 2}
    found = po.compare(target, predicted, measures={"top": ("ndcg", {"k": 1}), "gamma": "gamma"})
    assert list(found) == ["top", "gamma"]
    assert found["top"] == po.ndcg(target, predicted, k=1)
