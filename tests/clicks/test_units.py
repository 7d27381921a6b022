"""Evidence by session and by user, in tables and in samples: against counting one by one."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.clicks.evidence import graph_of_evidence
from porank.clicks.units import read_units
from porank.errors import PorankError
from tests import oracles_clicks as oracle
from tests import oracles_feedback
from tests.click_logs import log_of, logs
from tests.oracles_clicks import Row

UNIT = st.sampled_from(["session", "user"])
BATTLES = (
    "model_a,model_b,winner,user; x,y,x,u; x,y,y,u; x,y,tie,u; y,x,tie,u; x,y,both_bad,v; y,x,y,v"
)


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
    unit=UNIT,
    rule=st.sampled_from(["levels", "click_over_skip_above", "click_over_earlier_click"]),
)
def test_table_by_counting(log: list[Row], unit: str, rule: str) -> None:
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
        assert dict(table.to_graph().edges) == dict(po.from_log(log, rule=rule).edges)


def test_tables_of_logs_with_ties_and_few_positions() -> None:
    beside = "session,item,position,event; 1,a,1,click; 1,b,1,view; 1,c,2,view"
    for text, unit, rows in (
        ("session,item,event; 1,a,view; 1,b,click", "session", [("a", "b", 0, 1, 0, 0, 0)]),
        (beside, "session", [("a", "b", 1, 0, 0, 0, 0), ("a", "c", 1, 0, 0, 1, 0)]),
        (BATTLES, "session", [("x", "y", 1, 2, 2, 0, 0)]),
        (BATTLES, "user", [("x", "y", 1, 2, 1, 0, 0)]),
    ):
        assert list(po.evidence_table(log_of(text), unit=unit)) == rows
    assert list(po.evidence_table([])) == []


@given(log=logs(), unit=UNIT, seed=st.integers(0, 9))
def test_samples_as_defined(log: list[Row], unit: str, seed: int) -> None:
    P = po.bootstrap_feedback(log, unit=unit, samples=5, seed=seed)
    n, rng = len(oracles_feedback.units_of(log, unit)), np.random.default_rng(seed)
    draws = [rng.integers(n, size=n) for _ in range(5 if n else 0)]
    wins = oracles_feedback.net_wins(log, oracle.levels, unit, draws)
    G = po.from_log(log)
    assert list(P.items) == list(G)
    for u in G:
        for v in set(G) - {u}:
            assert P.wins_of(u, v) == wins[u, v]
            assert P.evidence(u, v).support == G.get_edge_data(u, v, {"support": 0})["support"]
    assert po.bootstrap_feedback(read_units(log, unit=unit), samples=5, seed=seed) == P


def test_units_of_logs_of_other_shapes() -> None:
    for log in (
        po.ClickLog(log_of("user,item,rating; u,a,5; u,b,3; u,c,3; v,a,1; v,b,4; v,c,1")),
        po.ClickLog(log_of("model_a,model_b,winner; a,b,b; b,c,tie")),
        po.ClickLog(log_of("list,taken; a b c,b; b c,c"), shown="list", clicked="taken"),
        po.ClickLog(log_of("user,item,event,time; u,a,click,0; u,b,view,1; u,a,click,99"), gap=30),
    ):
        G, units = po.from_log(log), read_units(log)
        is_rated = "tied" in next(iter(G.edges.values()))
        H = graph_of_evidence(units.items, units.evidence("levels"), with_ties=is_rated)
        assert dict(G.edges) == dict(H.edges)
        assert list(G) == list(H)


def test_sessions_begin_with_their_first_time() -> None:
    log = log_of("session,item,event,time; 7,a,view,9; 7,b,view,4; 5,a,view,6")
    assert read_units(log, begins=True).log.of_sessions("time").tolist() == [4, 6]


def test_one_user_is_drawn_in_every_sample_and_bad_rows_are_left_out() -> None:
    """Nobody is consistent: a over b, b over c and c over a, each said by a session of its own."""
    rows = "; ".join(f"{u}{v},x,{u},click; {u}{v},x,{v},view" for u, v in ("ab", "bc", "ca"))
    circle = log_of(f"session,user,item,event; {rows}")
    P = po.bootstrap_feedback(circle, unit="user", samples=7)
    assert P.find_blocking_cycle(1) == ["a", "b", "c", "a"]
    bad = log_of(f"session,user,item,event; {rows}; d,x,a,wink")
    read = po.ClickLog(bad, errors="report")
    assert po.bootstrap_feedback(read, unit="user", samples=7) == P


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"unit": "day"}, "unit to be one of 'session', 'user'"),
        ({"samples": 0}, "at least 1 as samples"),
        ({"seed": -1}, "as seed"),
        ({"rule": {}}, "at least one rule"),
        ({"log": po.ClickLog([], propensity=[1])}, "without propensity"),
    ],
)
def test_refused(options: dict[str, Any], word: str) -> None:
    with pytest.raises(PorankError, match=word):
        po.bootstrap_feedback(**{"log": []} | options)
