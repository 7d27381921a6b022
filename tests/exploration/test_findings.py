"""The tables and numbers of a report, against what the log says of each pair."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.exploration.findings import sections_of
from tests.exploration.test_explore import log_of, sessions

CLICKS = st.lists(sessions, min_size=1, max_size=5).map(
    lambda some: [one for each in some for one in each]
)
COUNTED = ("preferred", "other", "for", "against")


@given(CLICKS)
def test_tables_of_pairs(told: list[tuple[str, str]]) -> None:
    log = log_of(told)
    found = po.explore(log, samples=2, risk=0.9)
    tables: dict[Any, Any] = {
        each.title: each for part in sections_of(found) for each in part.tables
    }
    settled = po.settled_order(log, risk=0.9)
    assert found.relation == po.feedback_relation(log)
    stated = [(u, v, *data.values()) for u, v, data in settled.edges(data=True)]
    expected = [(u, v, s, a, p) for u, v, s, a, p, added, *_ in stated if not added]
    if expected:
        table = tables["preferences that are settled"]
        assert table.columns == (*COUNTED, "p-value")
        assert sorted(table.rows) == sorted(expected)
        assert [row[-1] for row in table.rows] == sorted(row[-1] for row in expected)
    counts = {(u, v): (s, a) for u, v, s, a, *_ in po.evidence_table(log)}
    counts |= {(v, u): (a, s) for (u, v), (s, a) in counts.items()}
    # Of a pair that is evenly split one side is shown.
    split = {(u, v) for (u, v), (s, a) in counts.items() if s >= a > 0 and (s > a or u < v)}
    if split:
        table = tables["the pairs with most sessions against them"]
        assert table.columns == (*COUNTED, "share")
        assert {row[:2] for row in table.rows} == split
        assert all(row[2:] == (*(c := counts[row[:2]]), c[0] / sum(c)) for row in table.rows)
        against = [row[3] for row in table.rows]
        assert against == sorted(against, reverse=True)


@given(CLICKS)
def test_numbers_in_sentences(told: list[tuple[str, str]]) -> None:
    log = log_of(told)
    found = po.explore(log, samples=2, risk=0.9)
    text = " ".join(found.to_text().split())
    few = sum(s + a < 5 for _, _, s, a, *_ in po.evidence_table(log))
    assert (f"{few} of {found.report.pairs} pairs compared rest" in text) is (few > 0)
    if found.order.edges:
        spans = [worst - best + 1 for best, worst in po.rank_intervals(found.shown).values()]
        ranks = f"an item may stand at {sum(spans) / len(spans):.3g} of {len(spans)} ranks"
        assert f"{ranks} on average; the rank of {spans.count(1)} of" in text


def test_groups_in_which_most_is_settled_come_first() -> None:
    told = {"x": [("ab", "a"), ("bc", "b")] * 3, "y": [("de", "d")] * 20, "z": [("fg", "f")]}
    log: dict[str, list[Any]] = log_of([each for some in told.values() for each in some])
    groups = [query for query, some in told.items() for _ in some]
    log["query"] = [groups[session] for session in log["session"]]
    found = po.explore(log, samples=2, by="query")
    (table,) = (
        table
        for part in sections_of(found)
        for table in part.tables
        if table.columns[:2] == ("query", "items")
    )
    assert [tuple(row) for row in table.rows] == [("y", 2, 1, 1), ("x", 3, 2, 0), ("z", 2, 1, 0)]
