"""Comparisons of all measures, the axioms that measures break, and what measures refuse."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import networkx as nx
import numpy as np
import pytest

import porank as po
from porank.measures.catalogue import MEASURES
from porank.measures.edrc import edrc_table
from porank.measures.gains import dcg_terms
from porank.measures.measure import Measure


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
    assert "NaN" not in found.to_json()
    assert found.to_csv().splitlines()[0] == "measure,value,range,better,remark"
    assert str(found).splitlines()[0].split()[0] == "target"
    assert found._repr_html_().count("<table") == 2


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


def test_comparisons_with_options_of_scores_and_of_nothing() -> None:
    target, predicted = {"a": 3, "b": 2, "c": 0}, {"a": 1, "b": 3, "c": 2}
    found = po.compare(target, predicted, measures={"top": ("ndcg", {"k": 1}), "gamma": "gamma"})
    assert list(found) == ["top", "gamma"]
    assert found["top"] == po.ndcg(target, predicted, k=1)
    nothing = po.compare([], [])
    gamma = nothing.to_dict()["measures"]["gamma"]
    assert gamma["reason"] == "0/0: there is no pair that both orders decide"
    assert gamma["status"] == "undefined"
    assert "there is no pair that both orders decide" in str(nothing)
    assert nothing["zero_one_loss"] == 0
    odd = po.compare({"a; b: c": -1, "d": 2}, {"a; b: c": 1, "d": 2})
    assert "'a; b: c'" in odd.to_csv()


@pytest.mark.parametrize(
    ("measure", "axiom"),
    [
        ("recall", "symmetry"),
        ("kendall_distance", "triangle"),
        ("kendall_distance", "separation"),
        ("tau_x", "oddness"),
        ("symmetric_difference", "scale"),
    ],
)
def test_violations_are_violations(measure: str, axiom: str) -> None:
    f = MEASURES[measure]
    a, b, *c = po.find_violation(measure, axiom) or ()
    holds = {
        "symmetry": lambda: f(a, b) == f(b, a),
        "triangle": lambda: f(a, c[0]) <= f(a, b) + f(b, c[0]),
        "separation": lambda: f(a, b) > 0 or set(a.edges) == set(b.edges),
        "oddness": lambda: f(a, po.dual(b)) == -f(a, b),
        "scale": lambda: f(a, b) == 0,
    }
    assert not holds[axiom]()


def test_names_that_matter_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A measure that looks at the name of an item breaks the law of relabelling."""

    def below_zero(one: nx.DiGraph, _: nx.DiGraph) -> float:
        return float(one.has_edge(0, 1))

    monkeypatch.setitem(MEASURES, "by_name", Measure("by_name", below_zero, "lower", 0, 1))
    assert po.find_violation("by_name", "relabelling") is not None
    assert po.find_violation("gamma", "relabelling") is None


# What is refused: function, arguments, options, what the message says.

PARTIAL, WEAK = po.parse("a > b; c"), {"a": 1, "b": 2, "c": 3}
TABLE = po.load_example("table1-corrected")
THREE, TWO = ([1, 2, 3], [1, 2, 3]), ([2, 1], [1, 2])
LINES = po.parse("a > b > c"), po.parse("c > b > a")
TIED = po.parse("a > b ~ c")
RAISE = {"undefined": "raise"}
Refusal = tuple[Callable[..., Any], Any, dict[str, Any], str]
ORDERS: list[Refusal] = [
    (po.pair_classes, ({"a": 1}, {"b": 1}), {}, "same items"),
    (po.hausdorff_kendall_distance, (WEAK, PARTIAL), {}, "two weak orders, found predicted par"),
    (po.hausdorff_footrule_distance, (PARTIAL, WEAK), {}, "target partial: no formula is known"),
    (po.auc, THREE, {}, "target of two levels, found 3 levels"),
    (po.m_auc, (PARTIAL, PARTIAL), {}, "a target of levels, a weak order"),
    (po.tau_x, (WEAK, PARTIAL), {}, "tie, found 2 incomparable in predicted"),
    (po.ap_correlation, (LINES[0], PARTIAL), {}, r"found predicted partial: .* edrc takes"),
    (po.ap_correlation, ({"a": 1, "c": 0, "b": 0}, WEAK), {}, "'a', found 'b' and 'c' on one lev"),
    (po.average_precision, THREE, {}, "target of two levels, .* found 3"),
    (po.expected_reciprocal_rank, (PARTIAL, WEAK), {}, "whose levels are grades, found a par"),
    (po.rank_biased_overlap, (PARTIAL, WEAK), {}, "found target partial: the overlap is one of"),
    (po.dcg, (PARTIAL, WEAK), {"gain": "level"}, "as target, whose levels are grades, found"),
    (po.ndcg_loss, LINES, {}, "expected the scores of the target, found a gr"),
    (po.ndcg_loss, ([1, -1], [1, 2]), {}, r"from 0 to 2\*\*1000 as gains, found -1 of 1"),
    (po.dcg, ({"a": 10**400, "b": 1}, {"a": 1, "b": 2}), {}, "found inf of 'a'; gain='lev"),
    (po.ap_correlation, ([], []), RAISE, "has no item below its first ones"),
    (po.recall_at_k, ([1, 1], [2, 1]), RAISE, "does not tell relevant from irrelevant items"),
    (po.rank_biased_overlap, ([], []), RAISE, "there is no item"),
    (po.ndcg, ([1, 1], [2, 1]), {"gain": "level", **RAISE}, "found 0/0: no item has a gain"),
    (po.ndcg_loss, ([0, 0], [1, 2]), RAISE, "found 0/0: all scores are 0"),
    (partial(po.terms, "taux"), ([1], [1]), {}, "such as 'tau_x'.*; found 'taux'"),
    (po.compare, TWO, {"measures": 7}, "names of meas"),
    (po.find_violation, ("gamma", "beauty"), {}, "expected one of 'symmetry', .*found 'beauty'"),
    (po.find_violation, ("gamma", "symmetry"), {"items": -1}, "at least 0 as items, found -1"),
]
#: Options of two short lists, of the orders of table 1, and of a > b > c turned upside down.
OPTIONS: list[tuple[Callable[..., Any], dict[str, Any], str]] = [
    (po.rank_biased_overlap, {"p": 0}, "p to lie between"),
    (po.rank_biased_overlap, {"p": 1}, "p to lie between"),
    (po.expected_reciprocal_rank, {"highest": 0}, "from the highest grade"),
    (po.expected_reciprocal_rank, {"highest": math.inf}, "from the highest grade"),
    (po.dcg, {"k": True}, "expected a whole number of at least 1 as k, found True"),
    (dcg_terms, {"lowest": 1}, "expected lowest only with gain='level' or .* gain='grade'"),
    (po.dcg, {"relevance": [1, 1], "gain": "rank"}, "expected relevance without gain='rank'"),
    (po.ndcg, {"lowest": -1, "gain": "level"}, "as lowest, found -1"),
    (po.ndcg, {"lowest": 1000, "gain": "exponential"}, "at most 1000 for gain=.*found 1001"),
    (po.dcg, {"relevance": [1001, 0], "gain": "exponential"}, "at most 1000 for .*, found 1001"),
    (po.ndcg, {"relevance": [1, 1], "gain": "level", "lowest": 1}, "lowest only .* with relevance"),
    (po.ndcg, {"relevance": {0: 1}}, "of every item and of no other, found none for 1$"),
    (po.ndcg, {"relevance": {0: 1, 1: 0, "c": 2}}, "found unknown: 'c'$"),
    (po.ndcg, {"relevance": {0: 1, 1: -0.5}}, "as relevance of 1, found -0.5"),
    (po.ndcg, {"relevance": {0: 1, 1: None}}, "a number for each item, found None for 1"),
    (po.ndcg, {"relevance": nx.DiGraph(["ab"])}, "relevance as item -> number, found DiGraph"),
    (po.generalized_kendall, {"weights": [1e200, 1e200]}, "exceed all floats"),
    (po.generalized_kendall, {"weights": [10**400, 1]}, "finite and at least 0"),
]
POINTS: list[tuple[Callable[..., Any], dict[str, Any], str]] = [
    (po.edrc, {"prior": lambda u, v: 0.7}, r"found 0.7 \+ 0.7 for '[AB]' and 'D'"),  # noqa: ARG005
    (edrc_table, {"prior": lambda u, v: 1.5}, "from 0 to 1, found 1.5 for"),  # noqa: ARG005
    (po.edrc, {"prior": lambda u, v: math.nan}, "from 0 to 1, found nan for"),  # noqa: ARG005
    (po.edrc, {"prior": "even"}, "expected a function of two items as prior, found a str"),
    (edrc_table, {"discount": lambda rank: 3 - rank}, "as discount, found 0 at rank 3"),
    (po.edrc, {"discount": lambda rank: math.inf * rank}, "found inf at rank 2"),
    (po.edrc, {"discount": lambda rank: 5e-324 * (rank < 9)}, "found 5e-324 at rank 2"),
]
ONE_WAY = {("a", "b"): 1, ("a", "c"): 1}
WEIGHTS: list[tuple[dict[str, Any], str]] = [
    ({"weights": {"a": 1, "c": 1}}, "a weight for each item, found none for 'b'"),
    ({"weights": {"a": 1, "b": -1, "c": 1}}, "at least 0, found -1 for 'b'"),
    ({"weights": np.array([1, 1, np.nan])}, "found nan for 'c'"),
    ({"weights": [1, 2]}, "item -> weight or 3 weights, found 2"),
    ({"position_costs": [1, 1, 1]}, "n - 1 = 2 position costs, .*found 3"),
    ({"position_costs": [1, -1]}, "position cost, .*found -1 for position 3"),
    ({"dissimilarity": [[0, 1, 1], [2, 0, 1], [1, 1, 0]]}, r"'a', 'b'\) and 2 for \('b', 'a'\)"),
    ({"dissimilarity": [[0, 1, 1], [1, 3, 1], [1, 1, 0]]}, "from itself, found 3 for 'b'"),
    ({"dissimilarity": lambda *_: -1}, r"at least 0, found -1 for \('a', 'b'\)"),
    ({"dissimilarity": ONE_WAY}, r"for each pair of items, found none for \('b', 'c'\)"),
    ({"dissimilarity": np.eye(2)}, r"shape \(3, 3\), .*found the shape \(2, 2\)"),
]
COSTS = {"position_costs": [1, 1]}
REFUSED = [
    *ORDERS,
    *((function, TWO, options, message) for function, options, message in OPTIONS),
    *((function, TABLE, options, message) for function, options, message in POINTS),
    *((po.generalized_kendall, LINES, options, message) for options, message in WEIGHTS),
    (po.generalized_kendall, (LINES[0], TIED), COSTS, "two total .* predicted is not total"),
    (po.generalized_footrule, (TIED, LINES[0]), COSTS, "two total orders .* target is not total"),
]


@pytest.mark.parametrize(("function", "arguments", "options", "message"), REFUSED)
def test_refusals(function: Any, arguments: Any, options: Any, message: str) -> None:
    with pytest.raises(po.PorankError, match=message):
        function(*arguments, **options)
