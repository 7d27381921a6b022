"""The total order of the least footrule against all total orders."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import networkx as nx
import pytest
from hypothesis import given

import porank as po
from porank.aggregation import scoring
from porank.core.arguments import load
from tests.oracles_aggregation import (
    ensembles,
    footrule_cost,
    members_of,
    ranked,
    said,
)

Ensemble = tuple[list[nx.DiGraph], list[int]]


@given(ensembles())
def test_no_total_order_has_a_smaller_footrule(ensemble: Ensemble) -> None:
    orders, counts = ensemble
    items, members = list(orders[0]), members_of(orders, counts)
    found = po.footrule_optimal(orders, counts=counts)
    best = min(footrule_cost(items, members, ranked(line)) for line in permutations(items))
    assert (found.cost, found.gap) == (best, 0)
    assert type(found.cost) in (int, Fraction)
    assert footrule_cost(items, members, said(found.order)) == best
    assert po.is_total_order(found.order)
    by_measure = [po.footrule_distance(G, found.order) for G in orders]
    assert sum(c * d for c, d in zip(counts, by_measure, strict=True)) == best


def test_members_and_items_in_any_sequence_give_the_same_order() -> None:
    votes = ["abcd", "dcba", "bdac"]
    for lines in permutations(votes):
        levels = [{item: -place for place, item in enumerate(line)} for line in lines]
        turned = [dict(reversed(scores.items())) for scores in levels]
        found = po.footrule_optimal(turned)
        assert list(found.order) == list(po.footrule_optimal(levels).order)
        assert found.cost == po.footrule_optimal([po.from_ranking(v) for v in votes]).cost


def test_sums_that_floats_do_not_hold_are_no_proof() -> None:
    items = list(range(100))
    found = po.footrule_optimal([items, items[::-1]], counts=[10**12 - 1, 10**12])
    assert (found.gap, list(found.order)) == (None, items)
    assert found.cost == pytest.approx(5000 * (10**12 - 1), rel=1e-12)


def test_scipy_is_named_when_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "load", lambda module, extra: load(f"no_{module}", extra))
    with pytest.raises(po.PorankError, match=r"no_scipy .*porank\[optimize\]"):
        po.footrule_optimal([po.from_ranking("ab")])


def test_what_is_no_ensemble() -> None:
    with pytest.raises(po.PorankError, match="expected at least one order, found none"):
        po.footrule_optimal([])
