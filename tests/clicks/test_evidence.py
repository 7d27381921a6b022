"""Evidence of pairs by session and by user, and the order that counts settle.

By definition: sessions are gone through one by one.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.errors import PorankError
from tests import oracles_clicks, oracles_settled
from tests.click_logs import log_of, logs
from tests.oracles_clicks import Row
from tests.strategies import item_lists

UNIT = st.sampled_from(["session", "user"])
RULES: list[list[str]] = [
    *(["levels"], ["click_over_skip_above"], ["click_over_earlier_click"]),
    ["levels", "click_over_earlier_click"],
]
BATTLES = (
    "model_a,model_b,winner,user; x,y,x,u; x,y,y,u; x,y,tie,u; y,x,tie,u; x,y,both_bad,v; y,x,y,v"
)


def pairs_of(rows: list[Row], rules: list[str]) -> set[tuple[Any, Any]]:
    return {pair for rule in rules for pair in oracles_clicks.RULES[rule](rows)}


def units_with(log: list[Row], unit: str, said: Any) -> Counter[tuple[Any, Any]]:
    """(u, v) -> how many units have a session of which that is a pair."""
    found = set()
    for rows in oracles_clicks.sessions_of(log).values():
        found |= {(rows[0][unit], u, v) for u, v in said(rows)}
    return Counter((u, v) for _, u, v in found)


def above(rows: list[Row]) -> set[tuple[Any, Any]]:
    """The pairs of items of a session of which the first stands above the second."""
    place = {item: oracles_clicks.position_of(rows, item) for item in oracles_clicks.items_of(rows)}
    return {(u, v) for u in place for v in place if place[u] < place[v]}


@given(log=logs(), unit=UNIT, rule=st.sampled_from(RULES))
def test_table_by_counting(log: list[Row], unit: str, rule: list[str]) -> None:
    table = po.evidence_table(log, rule=rule, unit=unit)
    said = units_with(log, unit, lambda rows: pairs_of(rows, rule))
    stood = units_with(log, unit, above)
    expected = {
        (u, v, said[u, v], said[v, u], 0, stood[u, v], stood[v, u])
        for u, v in combinations(oracles_clicks.items_of(log), 2)
        if said[u, v] or said[v, u]
    }
    assert set(table) == expected
    assert len(table) == len(expected)
    if unit == "session":
        assert dict(table.to_graph().edges) == dict(po.from_log(log, rule=rule).edges)


def test_tables_of_logs_with_ties_and_few_positions() -> None:
    beside = "session,item,position,event; 1,a,1,click; 1,b,1,view; 1,c,2,view"
    for text, unit, rows in (
        ("session,item,event; 1,a,view; 1,b,click", "session", [("a", "b", 0, 1, 0, 0, 0)]),
        (beside, "session", [("a", "b", 1, 0, 0, 0, 0), ("a", "c", 1, 0, 0, 1, 0)]),
        (BATTLES, "session", [("x", "y", 1, 2, 2, 4, 2)]),
        (BATTLES, "user", [("x", "y", 1, 2, 1, 2, 2)]),
    ):
        assert list(po.evidence_table(log_of(text), unit=unit)) == rows
    assert list(po.evidence_table([])) == []


@st.composite
def counts(draw: st.DrawFn) -> dict[tuple[Any, Any], int]:
    """How often the first item of a pair was preferred to the second, for some pairs."""
    items = draw(item_lists(max_items=6))
    pairs = [(u, v) for u in items for v in items if u is not v]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return {pair: draw(st.integers(0, 3) | st.integers(0, 40)) for pair in chosen}


def compared(given: dict[tuple[Any, Any], int]) -> dict[tuple[Any, Any], tuple[int, int]]:
    """Each pair that is compared once, with the two counts."""
    found = {}
    for u, v in given:
        both = given.get((u, v), 0), given.get((v, u), 0)
        if any(both) and (v, u) not in found:
            found[u, v] = both
    return found


@given(
    counts(),
    st.sampled_from(["0.01", "0.05", "0.3"]),
)
def test_settled_by_definition(given: dict[tuple[Any, Any], int], risk: str) -> None:
    if not given:
        return
    pairs = compared(given)
    significant = oracles_settled.tarone_holm(pairs, Fraction(risk))
    order = po.settled_order(given, risk=float(risk))
    assert list(order) == list(dict.fromkeys(item for pair in given for item in pair))
    assert set(order.edges) == oracles_settled.settled_pairs(pairs, significant)
    assert po.is_acyclic(order)
    for u, v in significant:
        loser, winner = (u, v) if pairs[u, v][0] < pairs[u, v][1] else (v, u)
        assert not order.has_edge(loser, winner), "a settled pair is never contradicted"
    G = nx.DiGraph((u, v) if pairs[u, v][0] > pairs[u, v][1] else (v, u) for u, v in significant)
    cyclic = [{*some} for some in nx.strongly_connected_components(G) if len(some) > 1]
    left_open = order.graph["cyclic_components"]
    assert len(left_open) == len(cyclic)
    assert all({*some} in cyclic for some in left_open)
    assert order.graph["compared"] == len(pairs)
    assert order.graph["significant"] == len(significant)
    for u, v, data in order.edges(data=True):
        both = given.get((u, v), 0), given.get((v, u), 0)
        assert (data["support"], data["against"]) == both
        p_value = float(oracles_settled.sign_p_value(*both))
        assert data["p_value"] == pytest.approx(p_value, rel=1e-12)
        assert data["added"] == ((u, v) not in significant and (v, u) not in significant)


@given(logs(), UNIT)
def test_a_table_settles_what_its_counts_settle(log: list[Row], unit: str) -> None:
    table = po.evidence_table(log, unit=unit)
    order = po.settled_order(table, risk=0.9)
    pairs = {(u, v): (for_u, for_v) for u, v, for_u, for_v, *_ in table if for_u or for_v}
    significant = oracles_settled.tarone_holm(pairs, Fraction("0.9"))
    assert set(order) == set(table.items)
    assert set(order.edges) == oracles_settled.settled_pairs(pairs, significant)
    if unit == "session":
        of_graph = po.settled_order(po.from_log(log), risk=0.9)
        assert nx.utils.graphs_equal(of_graph, order)


def test_the_limit_is_what_one_more_pair_would_have_needed() -> None:
    given = {("a", "b"): 12, ("b", "c"): 6, ("c", "d"): 5, ("d", "c"): 5}
    order = po.settled_order(given)
    assert (order.graph["significant"], order.graph["limit"]) == (1, pytest.approx(0.05 / 2))


def test_rarely_compared_pairs_cost_nothing() -> None:
    """Six of six are significant beside a hundred pairs of two units; by Holm they are not."""
    rare = {(f"x{k}", f"y{k}"): 2 for k in range(100)}
    order = po.settled_order({("a", "b"): 6, **rare})
    assert list(order.edges) == [("a", "b")]
    assert (order.graph["compared"], order.graph["testable"]) == (101, 1)


def test_all_forms_of_counts_say_the_same() -> None:
    votes = [po.from_ranking(vote) for vote in ["abc"] * 9 + ["bac"] * 2 + ["cba"]]
    given = {("a", "b"): 9, ("b", "a"): 3, ("a", "c"): 11, ("c", "a"): 1, ("b", "c"): 11}
    given |= {("c", "b"): 1}
    expected = po.settled_order(given)
    assert list(expected.edges) == [("a", "c"), ("b", "c")]
    assert list(po.settled_order(nx.DiGraph())) == []
    matrix = [[given.get((u, v), 0) for v in "abc"] for u in "abc"]
    for evidence in (po.preference_relation(votes), po.from_matrix(matrix, "abc")):
        assert nx.utils.graphs_equal(po.settled_order(evidence), expected)


def test_refusals() -> None:
    refused: list[tuple[Any, dict[str, Any], str]] = [
        ({("a", "b"): 2}, {"risk": 0}, "between 0 and 1"),
        ({("a", "b"): 2}, {"unit": "user"}, "a log"),
        ({("a", "b"): 2.5}, {}, "whole numbers"),
        ({("a", "b"): -1}, {}, "'a' over 'b'"),
        ({("a", "a"): 1}, {}, "two different items"),
        ({}, {}, "an empty mapping"),
        (nx.DiGraph([("a", "b")]), {}, "'support' or 'weight'"),
        (po.PreferenceRelation.from_degrees({("a", "b"): 2 / 3}), {}, "sample size"),
        ([], {"rule": "click_over_skip_above"}, "'levels' or 'dwell'"),
    ]
    for evidence, options, word in refused:
        with pytest.raises(PorankError, match=word):
            po.settled_order(evidence, **options)
