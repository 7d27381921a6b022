"""The laws that every measure of the list inherits, and the options of measures.

Whatever joins `porank.measures.catalogue.MEASURES` is tested here: range, value on equal orders,
symmetry or a witness that there is none, reversal, the triangle inequality or a witness against it,
names and insertion that must not matter, graphs that say the same, unequal items, and 0/0.
"""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from inspect import signature
from itertools import product
from typing import Any

import networkx as nx
import numpy as np
import pytest

import porank as po
from porank.measures.catalogue import MEASURES
from porank.measures.measure import Measure
from porank.measures.options import _CHECKS
from tests import oracles

CLOSE = 1e-12
FUNCTIONS = {measure.function.__name__: measure.function for measure in MEASURES.values()}


@cache
def small_orders(need: str, side: str, n: int) -> list[Any]:
    """The orders on n items that a measure of this need takes on this side."""
    partial, weak = list(oracles.strict_orders(n)), oracles.weak_orders(n)
    if need == "any":
        return partial
    if side == "predicted":
        return partial if need in ("weak target", "two-level target") else weak
    if need.startswith("total"):
        return [scores for scores in weak if len({*scores.values()}) == n]
    if need.startswith("two-level"):
        return [scores for scores in weak if len({*scores.values()}) <= 2]
    return weak


@cache
def values_of(name: str, n: int) -> list[tuple[Any, Any, float]]:
    """All pairs of small orders that a measure takes, each with its value."""
    measure = MEASURES[name]
    sides = (small_orders(measure.needs, side, n) for side in ("target", "predicted"))
    return [(one, other, measure(one, other)) for one, other in product(*sides)]


def every_value(measure: Measure) -> Iterator[tuple[Any, Any, float]]:
    return (found for n in range(4) for found in values_of(measure.name, n))


def table_of(measure: Measure) -> np.ndarray[Any, Any]:
    """The values on orders of three items, a row for each target."""
    n_targets = len(small_orders(measure.needs, "target", 3))
    return np.array([value for *_, value in values_of(measure.name, 3)]).reshape(n_targets, -1)


def same(one: Any, other: Any) -> bool:
    return np.allclose(one, other, rtol=0, atol=CLOSE, equal_nan=True)


def examples(measure: Measure, count: int = 2) -> Iterator[tuple[int, Any, Any, float]]:
    """Numbers and pairs of orders on four items, scores only where a measure needs them."""
    for seed in range(count):
        rng = random.Random(seed)
        target, predicted = (
            rng.choice(small_orders(measure.needs, side, 4)) for side in ("target", "predicted")
        )
        target = target if measure.needs == "scores" else graph(target)
        predicted = graph(predicted)
        yield seed, target, predicted, measure(*copy.deepcopy((target, predicted)))


def graph(order: Any) -> nx.DiGraph:
    return po.from_scores(order) if isinstance(order, dict) else order


def test_entries_are_well_formed() -> None:
    for name, measure in MEASURES.items():
        assert measure.better in ("higher", "lower"), name
        assert measure.reversal in ("negates", "complements", "same", "none"), name
        assert measure.metric in ("metric", "pseudometric", "no"), name
        assert getattr(po, measure.function.__name__) is measure.function
        assert measure.function.__name__ in po.__all__


def test_ranges_and_plain_numbers() -> None:
    for name, measure in MEASURES.items():
        for *_, value in every_value(measure):
            assert type(value) is float, name
            assert math.isnan(value) or (
                measure.lowest - CLOSE <= value <= measure.highest + CLOSE
            ), name


def test_values_on_equal_orders() -> None:
    for name, measure in MEASURES.items():
        orders = small_orders(measure.needs, "target", 3)
        values = {measure(order, copy.deepcopy(order)) for order in orders}
        if measure.at_equal is not None:
            assert {each for each in values if not math.isnan(each)} == {measure.at_equal}, name


def test_symmetry_or_a_witness() -> None:
    for name, measure in MEASURES.items():
        table = table_of(measure)
        if "target" in measure.needs or measure.needs == "scores":
            assert not measure.symmetric, f"the two sides of {name} take different orders"
        else:
            assert same(table, table.T) == measure.symmetric, name


def test_reversal_or_a_witness() -> None:
    for name, measure in MEASURES.items():
        columns = [set(graph(G).edges) for G in small_orders(measure.needs, "predicted", 3)]
        values = table_of(measure)
        turned = values[:, [columns.index({(v, u) for u, v in pairs}) for pairs in columns]]
        wanted = {"negates": -values, "complements": 1 - values, "same": values}
        held = [claim for claim, expected in wanted.items() if same(turned, expected)]
        assert held == ([] if measure.reversal == "none" else [measure.reversal]), name


def test_metric_or_a_witness() -> None:
    for name, measure in MEASURES.items():
        table, found = table_of(measure), "no"
        # A measure of agreement is no distance, and a metric is always defined.
        if measure.better == "lower" and not np.isnan(table).any():
            detour = (table[:, :, None] + table[None, :, :]).min(axis=1)
            if np.all(table <= detour + CLOSE) and np.allclose(table, table.T):
                is_apart = (table > CLOSE) | np.eye(len(table), dtype=bool)
                found = "metric" if np.all(is_apart) else "pseudometric"
        # On three items a distance may look like a metric; its docstring tells where it fails.
        assert found == measure.metric or (found, measure.metric) == ("metric", "pseudometric"), (
            name
        )


def test_names_insertion_and_closure_do_not_matter_and_inputs_are_unchanged() -> None:
    names = dict(zip(range(4), ["z", 3, ("t", 1), frozenset("q")], strict=True))
    for name, measure in MEASURES.items():
        for seed, *both, value in examples(measure):
            before = copy.deepcopy(both)
            assert same(measure(*both), value), name
            assert same(measure(*(renamed(order, names) for order in both)), value), name
            assert same(measure(*(reinserted(order, seed) for order in both)), value), name
            for say in (po.transitive_closure, po.transitive_reduction):
                stated = [order if isinstance(order, dict) else say(order) for order in both]
                assert same(measure(*stated), value), name
            for order, kept in zip(both, before, strict=True):
                is_scores = isinstance(order, dict)
                assert order == kept if is_scores else nx.utils.graphs_equal(order, kept), name
                assert list(order) == list(kept), name


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


def test_scores_are_the_weak_order_that_they_spell() -> None:
    for (name, measure), seed in product(MEASURES.items(), range(2)):
        rng = random.Random(seed)
        levels = 2 if measure.needs.startswith("two-level") else 3
        scores = [[rng.randrange(levels) for _ in range(6)] for _ in range(2)]
        if measure.needs.startswith("total"):
            scores = [rng.sample(range(6), 6) for _ in range(2)]
        value = measure(*scores)
        assert same(measure(*map(np.array, scores)), value), name
        assert same(measure(*(dict(enumerate(numbers)) for numbers in scores)), value), name
        if measure.needs != "scores":
            assert same(measure(*map(po.from_scores, scores)), value), name
            assert same(measure(po.from_scores(scores[0]), scores[1]), value), name


def test_unequal_items_and_cycles_are_refused() -> None:
    cyclic = nx.cycle_graph(4, create_using=nx.DiGraph)
    for measure in MEASURES.values():
        ((_, target, predicted, _),) = examples(measure, 1)
        with pytest.raises(po.ItemMismatchError) as caught:
            measure(target, renamed(predicted, {0: "other", 1: 1, 2: 2, 3: 3}))
        assert (caught.value.only_target, caught.value.only_predicted) == ([0], ["other"])
        with pytest.raises(po.CycleError, match="in predicted"):
            measure(target, cyclic)
        if not isinstance(target, dict):
            with pytest.raises(po.CycleError, match="in target"):
                measure(cyclic, predicted)


def test_undefined_is_nan_a_number_or_an_error() -> None:
    matters = set()
    for name, measure in MEASURES.items():
        undefined = [pair for *pair, value in every_value(measure) if math.isnan(value)]
        if not measure.takes_undefined:
            assert undefined == [], name
            continue
        matters |= {measure.function} if undefined else set()
        for pair in undefined[:20]:
            assert measure(*pair, undefined=0.25) == 0.25, name
            with pytest.raises(po.UndefinedError, match="expected a defined value, found 0/0"):
                measure(*pair, undefined="raise")
        for pair in (*undefined[:1], *([one, other] for _, one, other, _ in examples(measure))):
            with pytest.raises(po.PorankError, match="'raise' as undefined, found 'ignore'"):
                measure(*pair, undefined="ignore")
    takes = {measure.function for measure in MEASURES.values() if measure.takes_undefined}
    assert takes == matters, "an option that never matters"


def test_terms_add_up_exactly() -> None:
    for name, measure in MEASURES.items():
        if measure.terms is None and measure.formula is None:
            with pytest.raises(po.NotApplicableError, match="measure whose summands are known"):
                po.terms(name, [1, 2], [1, 2])
            continue
        for target, predicted, value in [*every_value(measure)][::3]:
            summands = list(po.terms(name, target, predicted).values())
            if math.isnan(value):
                assert not any(summands), name
            elif all(isinstance(summand, (int, Fraction)) for summand in summands):
                assert float(sum(summands)) == value, name
            else:
                assert math.isclose(math.fsum(summands), value, abs_tol=1e-14), name


def test_terms_with_options_add_up() -> None:
    """To the summands of the entry that has these options; never to a wrong sum."""
    both = po.load_example("tutorial")
    entries: list[tuple[str, dict[str, Any]]] = [
        ("kendall_distance", {"normalized": True}),
        ("kendall_distance_normalized", {"normalized": False}),
        ("kendall_tau_a", {}),
        ("kendall_tau_a", {"variant": "b"}),
        ("c_index", {"ties": 0.1}),
        ("partial_kendall_distance", {"p": 0.1}),
        ("edrc", {"discount": "exponential", "normalized": True}),
        ("gamma", {"undefined": 0.5}),
    ]
    for measure, options in entries:
        total = float(sum(po.terms(measure, *both, **options).values()))
        assert total == pytest.approx(MEASURES[measure](*both, **options), rel=1e-12)
    assert po.terms(po.kendall_tau, *both, variant="a") == po.terms("kendall_tau_a", *both)


# Options: one validator for the call on two orders and for many groups.

#: Told by the orders or by the items, or of no consequence for the value.
UNCHECKED = {"target", "predicted", "undefined", "normalized"}
UNCHECKED |= {"relevance", "prior", "weights", "position_costs", "dissimilarity"}


def test_one_wording_for_one_call_and_for_many_groups() -> None:
    for name, function in FUNCTIONS.items():
        assert set(signature(function).parameters) - UNCHECKED == set(_CHECKS.get(name, {}))
        for option in _CHECKS.get(name, {}):
            wrong = {option: "no such value"}
            with pytest.raises(po.PorankError, match=f"expected .*{option}.*found 'no ") as single:
                function([1, 0], [1, 0], **wrong)
            with pytest.raises(po.PorankError) as many:
                # Before any group is looked at: there is none.
                po.evaluate({}, {}, measures={"x": (name, wrong)})
            assert str(many.value) == f"{single.value}, option of 'x'"
