"""The evidence of pairs in one table, by counting sessions and users one by one."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.errors import PorankError
from tests import oracles_clicks as oracle
from tests.clicks.test_rules import logs
from tests.oracles_clicks import Row


def units_with(log: list[Row], unit: str, pairs_of: Any) -> Counter[tuple[Any, Any]]:
    """(u, v) -> how many units have a session of which that is a pair."""
    found = set()
    for rows in oracle.sessions_of(log).values():
        found |= {(rows[0][unit], u, v) for u, v in pairs_of(rows)}
    return Counter((u, v) for _, u, v in found)


def above(rows: list[Row]) -> set[tuple[Any, Any]]:
    """The pairs of items of a session of which the first stands above the second."""
    place = {item: oracle.position_of(rows, item) for item in oracle.items_of(rows)}
    return {(u, v) for u in place for v in place if place[u] < place[v]}


@given(
    log=logs(),
    unit=st.sampled_from(["session", "user"]),
    rule=st.sampled_from(["levels", "click_over_skip_above", "click_over_earlier_click"]),
)
def test_by_counting(log: list[Row], unit: str, rule: str) -> None:
    table = po.evidence_table(log, rule=rule, unit=unit)
    said, stood = (units_with(log, unit, pairs) for pairs in (getattr(oracle, rule), above))
    seen = list(dict.fromkeys(row["item"] for row in log))
    expected = {
        (u, v, said[u, v], said[v, u], 0, stood[u, v], stood[v, u])
        for place, u in enumerate(seen)
        for v in seen[place + 1 :]
        if said[u, v] or said[v, u]
    }
    assert set(table) == expected
    assert len(table) == len(expected)
    if unit == "session":
        G = po.from_log(log, rule=rule)
        of_table = {(u, v): data for u, v, data in table.to_graph().edges(data=True)}
        assert of_table == {(u, v): data for u, v, data in G.edges(data=True)}


def test_without_positions_nothing_stood_above() -> None:
    log = {"session": [1, 1], "item": ["a", "b"], "event": ["view", "click"]}
    assert list(po.evidence_table(log)) == [("a", "b", 0, 1, 0, 0, 0)]
    assert list(po.evidence_table([])) == []


def test_items_at_one_position_stand_beside_each_other() -> None:
    log = {"session": [1] * 3, "item": list("abc"), "position": [1, 1, 2]}
    log["event"] = ["click", "view", "view"]
    assert list(po.evidence_table(log)) == [("a", "b", 1, 0, 0, 0, 0), ("a", "c", 1, 0, 0, 1, 0)]


def test_ties_of_battles() -> None:
    battles: dict[str, Any] = {"model_a": ["x"] * 4 + ["y"], "model_b": ["y"] * 4 + ["x"]}
    battles["winner"] = ["model_a", "model_b", "tie", "both_bad", "model_a"]
    battles["user"] = list("uuuvv")
    assert [row[:5] for row in po.evidence_table(battles)] == [("x", "y", 1, 2, 1)]
    assert [row[:5] for row in po.evidence_table(battles, unit="user")] == [("x", "y", 1, 2, 1)]
    both_ways = {"model_a": ["x", "y"], "model_b": ["y", "x"], "winner": ["tie"] * 2}
    both_ways["user"] = ["u"] * 2
    assert [row[4] for row in po.evidence_table(both_ways)] == [2]
    assert [row[4] for row in po.evidence_table(both_ways, unit="user")] == [1]


def test_a_weighed_log_is_refused() -> None:
    with pytest.raises(PorankError, match="without propensity"):
        po.evidence_table(po.ClickLog([], propensity=[1]))
