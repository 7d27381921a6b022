"""The settled order against its definition, on logs and on counts."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.clicks.settled_order import units_for_pairs
from porank.clicks.units import read_units
from porank.errors import GraphTypeError, PorankError
from tests import oracles_settled as oracle
from tests.click_logs import log_of, logs
from tests.oracles_clicks import Row
from tests.strategies import item_lists

amounts = st.one_of(st.integers(0, 3), st.integers(0, 40))


@st.composite
def counts(draw: st.DrawFn) -> dict[tuple[Any, Any], int]:
    """How often the first item of a pair was preferred to the second, for some pairs."""
    items = draw(item_lists(max_items=6))
    pairs = [(u, v) for u in items for v in items if u is not v]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return {pair: draw(amounts) for pair in chosen}


def compared(given: dict[tuple[Any, Any], int]) -> dict[tuple[Any, Any], tuple[int, int]]:
    """Each pair that is compared once, with the two counts."""
    found = {}
    for u, v in given:
        both = given.get((u, v), 0), given.get((v, u), 0)
        if any(both) and (v, u) not in found:
            found[u, v] = both
    return found


@given(counts(), st.sampled_from(["0.01", "0.05", "0.3"]), st.sampled_from(["family", "rate"]))
def test_by_definition(given: dict[tuple[Any, Any], int], risk: str, error: str) -> None:
    if not given:
        return
    pairs = compared(given)
    procedure = {"family": oracle.tarone_holm, "rate": oracle.benjamini_hochberg}[error]
    significant = procedure(pairs, Fraction(risk))
    order = po.settled_order(given, risk=float(risk), error=error)
    assert list(order) == list(dict.fromkeys(item for pair in given for item in pair))
    assert set(order.edges) == oracle.settled_pairs(pairs, significant)
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
        assert (data["for"], data["against"]) == both
        assert data["p_value"] == pytest.approx(float(oracle.sign_p_value(*both)), rel=1e-12)
        assert data["added"] == ((u, v) not in significant and (v, u) not in significant)


@given(logs(), st.sampled_from(["session", "user"]))
def test_a_log_is_its_table_of_evidence(log: list[Row], unit: str) -> None:
    table = po.evidence_table(log, unit=unit)
    order = po.settled_order(log, unit=unit, risk=0.9)
    pairs = {(u, v): (for_u, for_v) for u, v, for_u, for_v, *_ in table if for_u or for_v}
    significant = oracle.tarone_holm(pairs, Fraction("0.9"))
    assert set(order) == set(table.items)
    assert set(order.edges) == oracle.settled_pairs(pairs, significant)
    assert set(po.settled_order(table, risk=0.9).edges) == set(order.edges)
    assert units_for_pairs(read_units(log, unit=unit), "levels") == pairs
    if unit == "session":
        of_graph = po.settled_order(po.from_log(log), risk=0.9)
        del order.graph["unbalanced"]
        for *_, data in order.edges(data=True):
            del data["unbalanced"]
        assert nx.utils.graphs_equal(of_graph, order)


def test_the_limit_is_what_one_more_pair_would_have_needed() -> None:
    given = {("a", "b"): 12, ("b", "c"): 6, ("c", "d"): 5, ("d", "c"): 5}
    for error, settled, limit in (("family", 1, 0.05 / 2), ("rate", 2, 0.05 * 3 / 3)):
        order = po.settled_order(given, error=error)
        assert order.graph["significant"] == settled
        assert order.graph["limit"] == pytest.approx(limit)


def test_all_forms_of_counts_say_the_same() -> None:
    votes = [po.from_ranking(vote) for vote in ["abc"] * 9 + ["bac"] * 2 + ["cba"]]
    given = {("a", "b"): 9, ("b", "a"): 3, ("a", "c"): 11, ("c", "a"): 1, ("b", "c"): 11}
    given |= {("c", "b"): 1}
    expected = po.settled_order(given)
    assert list(expected.edges) == [("a", "c"), ("b", "c")]
    assert list(po.settled_order([])) == list(po.settled_order(nx.DiGraph())) == []
    matrix = [[given.get((u, v), 0) for v in "abc"] for u in "abc"]
    for evidence in (po.preference_relation(votes), po.from_matrix(matrix, "abc")):
        assert nx.utils.graphs_equal(po.settled_order(evidence), expected)


def test_rarely_compared_pairs_cost_nothing() -> None:
    """Six of six are significant beside a hundred pairs of two units; by Holm they are not."""
    rare = {(f"x{k}", f"y{k}"): 2 for k in range(100)}
    order = po.settled_order({("a", "b"): 6, **rare})
    assert list(order.edges) == [("a", "b")]
    assert (order.graph["compared"], order.graph["testable"]) == (101, 1)


def test_equal_items_are_rarely_told_apart() -> None:
    """Of 100 tables of eight equal items at most one in ten has any settled pair."""
    rng = np.random.default_rng(0)
    false = 0
    for _ in range(100):
        wins = {pair: int(rng.binomial(30, 0.5)) for pair in combinations("abcdefgh", 2)}
        both = wins | {(v, u): 30 - times for (u, v), times in wins.items()}
        false += bool(po.settled_order(both).edges)
    assert false <= 10


REFUSALS: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
    ({("a", "b"): 2}, {"risk": 0}, PorankError, "between 0 and 1"),
    ({("a", "b"): 2}, {"risk": True}, PorankError, "between 0 and 1"),
    ({("a", "b"): 2}, {"error": "any"}, PorankError, "'family', 'rate'"),
    ({("a", "b"): 2}, {"unit": "user"}, PorankError, "a log"),
    ({("a", "b"): 2.5}, {}, PorankError, "whole numbers"),
    ({("a", "b"): -1}, {}, PorankError, "'a' over 'b'"),
    ({("a", "a"): 1}, {}, PorankError, "two different items"),
    (nx.DiGraph([("a", "b")]), {}, PorankError, "'support' or 'weight'"),
    (nx.Graph([("a", "b")]), {}, GraphTypeError, "DiGraph"),
    (po.PreferenceRelation.from_strengths({"a": 2, "b": 1}), {}, PorankError, "sample size"),
    ({("a", "b"): 2}, {"balance": "place"}, PorankError, "counts"),
    ([], {"balance": "taste"}, PorankError, "'place'"),
    ([], {"balance": "place", "unit": "user"}, PorankError, "unit='session'"),
    (log_of("session,item,event; 1,a,view; 1,b,click"), {"balance": "place"}, PorankError, "stood"),
    (po.evidence_table([]), {"balance": "place"}, PorankError, "evidence_table"),
]


@pytest.mark.parametrize(("evidence", "options", "kind", "word"), REFUSALS)
def test_refusals(evidence: Any, options: dict[str, Any], kind: type, word: str) -> None:
    with pytest.raises(kind, match=word):
        po.settled_order(evidence, **options)


def test_a_graph_has_no_places_and_no_rule() -> None:
    options: list[dict[str, Any]] = [{"balance": "place"}, {"rule": "dwell"}]
    for option in options:
        with pytest.raises(PorankError, match="found a graph"):
            po.feedback_relation(nx.DiGraph(), **option)
