"""Options of measures: one validator for the call on two orders and for many groups."""

from __future__ import annotations

from inspect import signature

import pytest

import porank as po
from porank.measures.catalogue import MEASURES
from porank.measures.options import _CHECKS

FUNCTIONS = {measure.function.__name__: measure.function for measure in MEASURES.values()}
#: Told by the orders or by the items, or of no consequence for the value.
ELSEWHERE = {"undefined", "relevance", "prior", "weights", "position_costs", "dissimilarity"}
FLAGS = {"normalized"}
CHECKED = [(name, option) for name, checks in _CHECKS.items() for option in checks]


@pytest.mark.parametrize(("name", "option"), CHECKED)
def test_one_wording_for_one_call_and_for_many_groups(name: str, option: str) -> None:
    wrong = {option: "no such value"}
    with pytest.raises(po.PorankError, match=f"expected .*{option}.*found 'no such") as single:
        FUNCTIONS[name]([1, 0], [1, 0], **wrong)
    with pytest.raises(po.PorankError) as many:
        # Before any group is looked at: there is none.
        po.evaluate({}, {}, measures={"x": (name, wrong)})
    assert str(many.value) == f"{single.value}, option of 'x'"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_option_is_checked(name: str) -> None:
    options = set(signature(FUNCTIONS[name]).parameters) - {"target", "predicted"}
    assert options - ELSEWHERE - FLAGS == set(_CHECKS.get(name, {}))


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("dcg", {"lowest": 1}, "found lowest=1 with gain='grade'"),
        ("ndcg", {"relevance": [1, 0], "gain": "rank"}, "relevance without gain='rank'"),
    ],
)
def test_what_options_must_not_say_together(name: str, options: object, message: str) -> None:
    with pytest.raises(po.PorankError, match=f"{message}.*option of 'x'"):
        po.evaluate({}, {}, measures={"x": (name, options)})
