"""The laws that every measure of the list inherits, comparisons of all, and what they refuse.

Whatever joins `porank.measures.catalogue.MEASURES` is tested here: range, value on equal orders,
symmetry or a witness that there is none, reversal, the triangle inequality or a witness against it,
names and insertion that must not matter, graphs that say the same, unequal items, and 0/0.
"""

import copy
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from inspect import signature
from itertools import product
from typing import Any

import networkx as nx
import numpy as np
import pytest

import porank as po
from porank.core.arguments import require_share
from porank.measures.catalogue import MEASURES
from porank.measures.dcg import dcg_terms
from porank.measures.edrc import edrc_table
from porank.measures.measure import Measure, share, value_of
from tests.support import oracles
from tests.support.refusals import refuses

CLOSE = 1e-12


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


def test_entries_hold_their_values_in_the_range_that_they_claim() -> None:
    for name, measure in MEASURES.items():
        assert measure.better in ("higher", "lower"), name
        assert measure.metric in ("metric", "pseudometric", "no"), name
        public = measure.function.__name__
        home = po if public in po.__all__ else po.measures
        assert getattr(home, public) is measure.function
        lowest, highest = measure.lowest - CLOSE, measure.highest + CLOSE
        for *_, value in every_value(measure):
            assert type(value) is float, name
            assert math.isnan(value) or lowest <= value <= highest, name


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
    return oracles.graph_on(
        rng.sample(list(order.nodes(data=True)), len(order)),
        rng.sample(list(order.edges(data=True)), order.number_of_edges()),
    )


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
            assert same(measure(po.from_scores(scores[0]), scores[1]), value), name


def test_unequal_items_and_cycles_are_refused() -> None:
    cyclic = nx.cycle_graph(4, create_using=nx.DiGraph)
    for measure in MEASURES.values():
        ((_, target, predicted, _),) = examples(measure, 1)
        with pytest.raises(po.errors.ItemMismatchError) as caught:
            measure(target, renamed(predicted, {0: "other", 1: 1, 2: 2, 3: 3}))
        assert (caught.value.only_target, caught.value.only_predicted) == ([0], ["other"])
        refuses("in predicted", measure, target, cyclic, error=po.CycleError)
        if not isinstance(target, dict):
            refuses("in target", measure, cyclic, predicted, error=po.CycleError)


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
            with pytest.raises(
                po.errors.UndefinedError, match="expected a defined value, found 0/0"
            ):
                measure(*pair, undefined="raise")
        for pair in (*undefined[:1], *([one, other] for _, one, other, _ in examples(measure))):
            refuses("'raise' as undefined, found 'ignore'", measure, *pair, undefined="ignore")
    takes = {measure.function for measure in MEASURES.values() if measure.takes_undefined}
    assert takes == matters, "an option that never matters"


def test_terms_add_up_exactly() -> None:
    for name, measure in MEASURES.items():
        if measure.terms is None and measure.formula is None and not measure.by_item:
            with pytest.raises(
                po.errors.NotApplicableError, match="measure that is a sum of terms"
            ):
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


#: Told by the orders or by the items, or of no consequence for the value.
UNCHECKED = {"target", "predicted", "undefined", "normalized"}
UNCHECKED |= {"relevance", "prior", "weights", "position_costs", "dissimilarity"}


def test_one_wording_for_one_call_and_for_many_groups() -> None:
    for name, measure in MEASURES.items():
        function, options = measure.function, measure.checks
        assert set(signature(function).parameters) - UNCHECKED == set(options)
        for option in options if name == function.__name__ else ():
            wrong = {option: "no such value"}
            with pytest.raises(po.PorankError, match=f"expected .*{option}.*found 'no ") as single:
                function([1, 0], [1, 0], **wrong)
            with pytest.raises(po.PorankError) as many:
                # Before any group is looked at: there is none.
                po.evaluate({}, {}, measures={"x": (name, wrong)})
            assert str(many.value) == f"{single.value}, in the options of 'x'"


def test_a_measure_is_declared_at_its_function(monkeypatch: pytest.MonkeyPatch) -> None:
    """The decorator is all that list, comparison, batches, terms and errors need."""
    monkeypatch.setitem(MEASURES, "credited_recall", MEASURES["recall"])

    @share(
        formula=lambda C, A, T, credit=0.5: (C + credit * A, T),
        why="the target decides no pair",
        checks={"credit": require_share},
        needs="weak target",
        otherwise="recall accepts it",
    )
    def credited_recall(
        target: Any, predicted: Any, *, credit: Any = 0.5, undefined: Any = math.nan
    ) -> float:
        return value_of(credited_recall, target, predicted, credit=credit, undefined=undefined)

    name, both = "credited_recall", ({"a": 3, "b": 2, "c": 1}, {"a": 1, "b": 1, "c": 0})
    assert list(MEASURES)[-1] == name
    assert credited_recall(*both) == po.compare(*both)[name] == 2.5 / 3
    assert credited_recall(*both, credit=1) == sum(po.terms(name, *both, credit=1).values()) == 1
    options = {"some": (name, {"credit": Fraction(1, 4)}), "usual": credited_recall}
    found = po.evaluate({"u": both[0]}, {"u": both[1]}, measures=options)
    assert next(iter(found)) == ("u", 2.25 / 3, 2.5 / 3, "defined")
    assert math.isnan(credited_recall([], []))
    with pytest.raises(
        po.errors.NotApplicableError, match="as target, found a partial order; recall"
    ):
        credited_recall(po.parse("a > b; c"), both[1])
    with pytest.raises(po.PorankError, match="from 0 to 1 as credit, found 2, in the options"):
        po.evaluate({}, {}, measures={"x": (name, {"credit": 2})})
    monkeypatch.undo()
    refuses("name of a measure", po.compare, *both, measures=[name])


# Comparisons by all measures, and the axioms that measures break.


def test_comparison_in_every_form() -> None:
    found = po.compare(*po.load_example("table1-corrected"))
    values = found.to_dict()["measures"]
    ends = {"lowest": -1.0, "highest": 1.0, "better": "higher"}
    assert values["gamma"] == {"value": 0.5, "reason": None, "status": "defined", **ends}
    assert (values["auc"]["status"], values["auc"]["value"]) == ("inapplicable", None)
    assert values["auc"]["reason"].startswith("expected a target of two levels, found a partial")
    assert values["kendall_distance"]["highest"] is None
    assert list(found) == list(MEASURES)
    assert (len(found), "gamma" in found, "nothing" in found) == (len(MEASURES), True, False)
    assert math.isnan(found["auc"])
    with pytest.raises(KeyError):
        found["nothing"]
    assert "nan" not in repr(found.to_dict())
    assert found.to_csv().splitlines()[0] == "measure,value,range,better,remark"
    assert found._repr_html_().count("<table") == 2
    nothing = po.compare([], [])
    assert nothing.to_dict()["measures"]["gamma"]["status"] == "undefined"
    assert "0/0: there is no pair that both orders decide" in str(nothing.to_table())


def test_a_comparison_shows_its_values_first_and_refusals_in_one_line() -> None:
    found = po.compare(po.parse("a > b; c > d"), po.parse("a > b > c; d"))
    *lines, last = str(found).splitlines()
    values = [line.split()[0] for line in lines[lines.index("") + 3 :]]
    start, _, names = last.partition(": ")
    assert start == "no value (to_table() has the reasons)"
    without = names.split(", ")
    assert values == [name for name in found if not math.isnan(found[name])]
    assert without == [name for name in found if math.isnan(found[name])]
    assert [row[0] for row in found.to_table().rows] == values + without
    assert last in found._repr_html_()
    whole = po.compare([2, 1], [2, 1], measures=["gamma", "kendall_tau"])
    assert str(whole).splitlines()[-1].startswith("kendall_tau")
    assert dict(whole) == {"gamma": 1.0, "kendall_tau": 1.0}


def test_a_comparison_computes_what_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    orders = po.load_example("table1-corrected")
    whole = po.compare(*orders)

    def no_call(*_: object, **__: object) -> float:
        raise AssertionError

    wanted = ["jaccard", "gamma", "auc"]
    for name in MEASURES.keys() - set(wanted):
        monkeypatch.setitem(MEASURES, name, replace(MEASURES[name], function=no_call))
    some = po.compare(*orders, measures=[*wanted, po.gamma])
    assert list(some) == wanted
    assert some.pairs == whole.pairs
    results = {result.name: result for result in whole.results}
    assert list(some.results) == [results[name] for name in wanted]
    assert list(po.compare(*orders, measures=[])) == []
    monkeypatch.undo()
    scores = {"a": 3, "b": 2, "c": 0}, {"a": 1, "b": 3, "c": 2}
    found = po.compare(*scores, measures={"top": ("ndcg", {"k": 1}), "gamma": "gamma"})
    assert list(found) == ["top", "gamma"]
    assert found["top"] == po.ndcg(*scores, k=1)


def test_violations_are_violations() -> None:
    laws: list[tuple[str, str, Callable[..., bool]]] = [
        ("recall", "symmetry", lambda f, a, b: f(a, b) == f(b, a)),
        ("kendall_distance", "triangle", lambda f, a, b, c: f(a, c) <= f(a, b) + f(b, c)),
        ("kendall_distance", "separation", lambda f, a, b: f(a, b) > 0 or a.edges == b.edges),
        ("tau_x", "oddness", lambda f, a, b: f(a, po.dual(b)) == -f(a, b)),
        ("symmetric_difference", "scale", lambda f, a, b: f(a, b) == 0),
    ]
    for name, axiom, holds in laws:
        witness = po.find_violation(name, axiom)
        assert witness is not None
        assert not holds(MEASURES[name], *witness)


def test_names_that_matter_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A measure that looks at the name of an item breaks the law of relabelling."""

    def below_zero(one: nx.DiGraph, _: nx.DiGraph) -> float:
        return float(one.has_edge(0, 1))

    monkeypatch.setitem(MEASURES, "by_name", Measure("by_name", below_zero, "lower", 0, 1))
    assert po.find_violation("by_name", "relabelling") is not None
    assert po.find_violation("gamma", "relabelling") is None


# What is refused: function, arguments, options, what the message says.

PARTIAL, WEAK = po.parse("a > b; c"), {"a": 1, "b": 2, "c": 3}
TWO_LEVELS = {"a": 1, "b": 0, "c": 0}
THREE, TWO, TIED = ([1, 2, 3], [1, 2, 3]), ([2, 1], [1, 2]), ([1, 1, 1], [1, 1, 1])
LINES = po.parse("a > b > c"), po.parse("c > b > a")
TABLE = po.load_example("table1-corrected")
RAISE = {"undefined": "raise"}
BY_LEVEL, DOUBLED = {"gain": "level"}, {"gain": "exponential"}
REFUSED: list[tuple[Any, Any, dict[str, Any], str]] = [
    (
        po.measures.hausdorff_kendall_distance,
        (WEAK, PARTIAL),
        {},
        "as predicted, found a partial order; the formula",
    ),
    (
        po.measures.hausdorff_footrule_distance,
        (PARTIAL, WEAK),
        {},
        "found a partial order; no formula is known",
    ),
    (po.auc, THREE, {}, "target of two levels, found 3 levels"),
    (po.m_auc, (PARTIAL, PARTIAL), {}, "a weak order as target, found a partial"),
    (po.measures.tau_x, (WEAK, PARTIAL), {}, "incomparable pairs as predicted, found 2; "),
    (po.ap_correlation, (LINES[0], PARTIAL), {}, "found a partial order; .* edrc partial"),
    (po.ap_correlation, ({"a": 1, "c": 0, "b": 0}, WEAK), {}, "'b' and 'c' on the same lev"),
    (po.average_precision, (TWO_LEVELS, PARTIAL), {}, "as predicted, found a partial order; dcg"),
    (po.average_precision, THREE, {}, "target of two levels, found 3"),
    (po.rank_biased_overlap, (PARTIAL, WEAK), {}, "as target, found a partial order; rank-biased"),
    (po.dcg, (PARTIAL, WEAK), BY_LEVEL, "as target, because its levels are"),
    (po.dcg, (WEAK, PARTIAL), {"ties": "optimistic"}, "no fast algorithm is known"),
    (po.measures.ndcg_loss, LINES, {}, "expected scores as target, found a gr"),
    (po.measures.ndcg_loss, ([1, -1], [1, 2]), {}, r"2\*\*1000, .*found -1 for 1"),
    (po.dcg, ({"a": 10**400, "b": 1}, {"a": 1, "b": 2}), {}, "found inf for 'a'; pass rel"),
    (po.ap_correlation, ([], []), RAISE, "has fewer than two levels"),
    (po.recall_at_k, ([1, 1], [2, 1]), RAISE, "has fewer than two levels"),
    (po.rank_biased_overlap, ([], []), RAISE, "there are no items"),
    (po.ndcg, ([1, 1], [2, 1]), BY_LEVEL | RAISE, "found 0/0: all gains are 0"),
    (po.measures.ndcg_loss, ([0, 0], [1, 2]), RAISE, "found 0/0: all gains are 0"),
    (partial(po.terms, "taux"), ([1], [1]), {}, "such as 'tau_x'.*; found 'taux'"),
    (po.compare, TWO, {"measures": 7}, "names of meas"),
    (po.find_violation, ("gamma", "beauty"), {}, "axiom to be one of 'symmetry', .*found 'beauty'"),
    (po.find_violation, ("gamma", "symmetry"), {"items": -1}, "at least 0 as items, found -1"),
    (po.rank_biased_overlap, TWO, {"p": 0}, "p to be above 0 and below 1"),
    (po.rank_biased_overlap, TWO, {"p": 1}, "p to be above 0 and below 1"),
    (po.rank_biased_overlap, TIED, {"ties": "average"}, "ties to be one of 'a', 'b', 'w'"),
    *((po.rank_biased_overlap, TIED, {"k": k}, "k") for k in ((1, 0), (1, None), (1, 2, 3))),
    (po.rank_biased_overlap, TIED, {"k": (2, 3)}, "first 2 items .* tie extends beyond them"),
    (po.dcg, TWO, {"k": True}, "expected a whole number of at least 1 as k, found True"),
    (po.dcg, TWO, {"relevance": [1, 1], "gain": "rank"}, "expected relevance without gain='rank'"),
    (po.dcg, TWO, {"relevance": [1001, 0]} | DOUBLED, "at most 1000 for .*, found 1001"),
    (dcg_terms, TWO, {"gain": "ranks"}, "gain to be one of 'grade', 'level', .*, found 'ranks'"),
    (po.ndcg, TWO, {"relevance": {0: 1}}, "a relevance for each item, found none for 1$"),
    (po.ndcg, TWO, {"relevance": [1, 2.0**1001]}, r"a relevance of at most 2\*\*1000, found 2"),
    (
        po.ndcg,
        TWO,
        {"relevance": {0: 1, 1: -0.5}},
        "a relevance, finite and at least 0, found -0.5 for 1",
    ),
    (po.ndcg, TWO, {"relevance": {0: 1, 1: None}}, "a relevance, .* found None for 1"),
    (po.ndcg, TWO, {"relevance": nx.DiGraph(["ab"])}, "a relevance, .* found 'a' for 0"),
    (
        po.edrc,
        TABLE,
        {"prior": lambda u, v: 0.7},  # noqa: ARG005
        "with the sum 1, found 0.7 and 0.7 for '[AB]' and 'D'",
    ),
    (po.edrc, TABLE, {"prior": lambda u, v: 1.5}, "from 0 to 1 .*, found 1.5 and 1.5 for"),  # noqa: ARG005
    (po.edrc, TABLE, {"prior": "even"}, "expected a function of two items as prior, found a str"),
    (edrc_table, TABLE, {"discount": lambda rank: 3 - rank}, "positive number, found 0 for rank 3"),
    (po.edrc, TABLE, {"discount": lambda rank: math.inf * rank}, "found inf for rank 2"),
    (po.edrc, TABLE, {"discount": lambda rank: 5e-324 * (rank < 9)}, "found 5e-324 for rank 2"),
    (po.generalized_kendall, TWO, {"weights": [1e200, 1e200]}, "exceeds the largest float"),
    (po.generalized_kendall, TWO, {"weights": [10**400, 1]}, "finite and at least 0"),
]
#: Options of the distance from a > b > c to c > b > a.
WEIGHTS: list[tuple[dict[str, Any], str]] = [
    ({"weights": {"a": 1, "c": 1}}, "a weight for each item, found none for 'b'"),
    ({"weights": {"a": 1, "b": -1, "c": 1}}, "at least 0, found -1 for 'b'"),
    ({"weights": np.array([1, 1, np.nan])}, "found nan for 'c'"),
    ({"weights": [1, 2]}, "a mapping of items or 3 numbers, found 2"),
    ({"position_costs": [1, 1, 1]}, "n - 1 = 2 position costs, .*found 3"),
    ({"position_costs": [1, -1]}, "position cost, .*found -1 for position 3"),
    ({"dissimilarity": [[0, 1, 1], [2, 0, 1], [1, 1, 0]]}, r"'a', 'b'\) and 2 for \('b', 'a'\)"),
    ({"dissimilarity": [[0, 1, 1], [1, 3, 1], [1, 1, 0]]}, "and itself, found 3 for 'b'"),
    ({"dissimilarity": lambda *_: -1}, r"at least 0, found -1 for \('a', 'b'\)"),
    ({"dissimilarity": {("a", "b"): 1}}, r"or a function of two items, found \{\('a'"),
    ({"dissimilarity": np.eye(2)}, r"shape \(3, 3\) .*found shape \(2, 2\)"),
]
REFUSED += [(po.generalized_kendall, LINES, *each) for each in WEIGHTS]
COSTS, UNLIKE = {"position_costs": [1, 1]}, (po.parse("a > b ~ c"), LINES[0])
REFUSED += [(po.generalized_kendall, UNLIKE[::-1], COSTS, "two total .* predicted is not total")]
REFUSED += [(po.generalized_footrule, UNLIKE, COSTS, "two total orders .* target is not total")]


@pytest.mark.parametrize(("function", "arguments", "options", "message"), REFUSED)
def test_bad_input_is_refused_in_words(
    function: Any, arguments: Any, options: Any, message: str
) -> None:
    refuses(message, function, *arguments, **options)
