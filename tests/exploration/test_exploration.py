"""What is found in a log, against the log itself; its sentences, tables and page."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from networkx.utils import graphs_equal

import porank as po
from porank.abstention.settled import units_lacking
from porank.clicks.rules import RULES
from porank.exploration.exploration import Exploration
from porank.exploration.findings import sections_of

#: What each session shows, best placed first, and what is clicked.
SHOWN = st.tuples(st.permutations("abcd").map("".join), st.sampled_from([3, 4]), st.integers(0, 2))
SESSIONS = st.lists(SHOWN.map(lambda s: (s[0][: s[1]], s[0][s[2]])), min_size=1, max_size=30)


def log_of(sessions: str | Sequence[tuple[str, str]]) -> dict[str, list[Any]]:
    """Return a log of sessions, each told by the items shown, best placed first, and clicked.

    "3 ab a, 1 cd d" are three in which a was clicked, above b, and one in which d was, below c.
    """
    if isinstance(sessions, str):
        told = [each.split() for each in sessions.split(", ")]
        sessions = [(shown, chosen) for count, shown, chosen in told for _ in range(int(count))]
    rows = [
        (number, item, place, "click" if item in clicked else "view")
        for number, (shown, clicked) in enumerate(sessions)
        for place, item in enumerate(shown, start=1)
    ]
    return columns(["session", "item", "position", "event"], rows)


def columns(names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> dict[str, list[Any]]:
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


@given(SESSIONS)
def test_places_are_counted_statement_by_statement(told: list[tuple[str, str]]) -> None:
    stated = [(u, v, s.index(u) < s.index(v)) for s, u in told for v in s if u != v]
    pairs = {(min(u, v), max(u, v)) for u, v, _ in stated}
    first_is_higher = [{h == (a == u) for a, b, h in stated if {a, b} == {u, v}} for u, v in pairs]
    stood = [{(s.index(u), s.index(v)) for s, _ in told if u in s and v in s} for u, v in pairs]
    apart = sum(
        {i < j for i, j in at} == {True, False} and not any((j, i) in at for i, j in at)
        for at in stood
    )
    places = po.explore(log_of(told), samples=2).places
    higher, fixed = sum(h for *_, h in stated), sum(len(ways) == 1 for ways in first_is_higher)
    assert places == (len(stated), higher, len(pairs), fixed, apart)


@given(SESSIONS, st.sampled_from([0.05, 0.9]), st.sampled_from(["session", "user"]))
def test_what_is_settled_is_what_settled_order_settles(
    told: list[tuple[str, str]], risk: float, unit: str
) -> None:
    log = log_of(told)
    log["user"] = [number % 3 for number in log["session"]]
    how: Any = {"risk": risk, "unit": unit}
    found, expected = po.explore(log, samples=2, **how), po.settled_order(log, **how)
    del expected.graph["unbalanced"]
    for *_, data in expected.edges(data=True):
        del data["unbalanced"]
    assert graphs_equal(found.order, expected)
    assert found.order.edges <= found.leaning.edges
    assert found.relation == po.feedback_relation(log)
    if unit == "user":
        assert (found.balanced, found.places and found.places.apart) == (None, 0)
    else:
        assert graphs_equal(found.balanced, po.settled_order(log, balance="place", **how))


@settings(max_examples=10)
@given(SESSIONS, st.integers(0, 3))
def test_groups_are_items_of_other_names(told: list[tuple[str, str]], seed: int) -> None:
    log = log_of(told)
    log["query"] = [number % 2 for number in log["session"]]
    named = [f"{query}: {item}" for query, item in zip(log["query"], log["item"], strict=True)]
    how: Any = {"samples": 2, "risk": 0.9, "seed": seed}
    found = po.explore(log, by="query", **how)
    other = po.explore(log | {"item": named}, **how)
    for one, two in ((found.order, other.order), (found.leaning, other.leaning)):
        assert {(str(u), str(v)) for u, v in one.edges} == set(two.edges)
    tested, again = (getattr(one.validation, "scores", one.validation) for one in (found, other))
    assert repr(tested) == repr(again)
    merged = log | {"session": [number // 2 for number in log["session"]]}
    assert set(po.explore(merged, by="query", **how).order.edges) == set(found.order.edges)


def test_of_many_segments_each_of_the_largest_is_compared_with_the_rest() -> None:
    log = log_of("60 ab a, 30 ab b")
    for sizes in ({"x": 20, "y": 30, "z": 40}, {one: 6 + (one > "c") for one in "mlkjihgfedcba"}):
        values = [one for one, size in sizes.items() for _ in range(size)]
        log["device"] = [values[number % len(values)] for number in log["session"]]
        largest = sorted(sizes, key=lambda one: (-log["device"].count(one), one))[:10]
        found = po.explore(log, samples=99, segment="device")
        assert f"The {len(largest)} most frequent values of device" in " ".join(
            found.to_text().split()
        )
        segments = found.segments
        assert [each.segments for each in segments] == [(one, "the rest") for one in largest]
        assert math.isclose(sum(each.level for each in segments), 0.05)


def test_the_items_of_which_sessions_say_most_are_shown() -> None:
    for most, items in ((2, "ab"), (3, "abc"), (9, "abcd")):
        found = po.explore(log_of("3 ab a, 1 cd d, 1 e e, 2 bc b"), samples=2, max_items=most)
        assert "".join(sorted(found.leaning)) == items
        assert len(found.order) == 5


def test_open_pairs_say_what_they_lack() -> None:
    found = po.explore(log_of("4 ab a, 40 bc b, 30 cb c, 1 de d, 1 de e"), samples=2)
    limit = found.order.graph["limit"]
    assert [tuple(pair) for pair in found.open_pairs] == [
        ("a", "b", 4, 0, units_lacking(4, 0, limit)),
        ("b", "c", 40, 30, units_lacking(40, 30, limit)),
    ]
    # The ten nearest; what is settled lacks nothing.
    pairs = enumerate(zip("abcdefghijk", "ABCDEFGHIJK", strict=True), start=30)
    told = ", ".join(f"{k} {u}{v} {u}, 25 {u}{v} {v}" for k, (u, v) in pairs)
    found = po.explore(log_of(f"{told}, 40 xy x"), samples=2)
    assert [pair.preferred for pair in found.open_pairs] == [*"kjihgfedcb"]
    # All sessions lean to g, those of either arrangement to h.
    log = log_of("60 gh g, 30 gh h, 10 hg h")
    assert po.explore(log, samples=2, risk=0.001).open_pairs == ()
    log["user"] = log["session"]
    assert len(po.explore(log, samples=2, risk=0.001, unit="user").open_pairs) == 1


def test_a_later_log_is_the_test() -> None:
    later = log_of("12 ab a, 12 ac c, 12 cb c, 1 xy x")
    for first, agreement in (("9 ab a, 9 bc b", (3, 1, 2)), ("9 xy x", (3, 0, 0))):
        found = po.explore(log_of(first), test=later, samples=2)
        assert found.later == agreement
    found = po.explore(log_of("20 ab a"), test=later, samples=2)
    assert not isinstance(found.validation, str)
    assert (found.validation.train_sessions, found.validation.test_sessions) == (20, 37)


def test_logs_of_other_forms() -> None:
    rows = [(user, item, k, 5) for user in range(4) for k, item in enumerate("ab", start=1)]
    rated = columns(["user", "item", "position", "rating"], [*rows, (9, "a", 1, 5), (9, "b", 2, 1)])
    assert po.explore(rated, samples=2).places == (1, 1, 1, 1, 0), "ties are not counted"
    winners = ["model_a"] * 6 + ["tie"] * 2 + ["both_bad"]
    report = po.explore({"model_a": [1] * 9, "model_b": [2] * 9, "winner": winners}).report
    assert (report.tied, report.both_bad) == (2, 1)
    log = log_of("9 ab a") | {"position": ["top"] * 18}
    found = po.explore(po.ClickLog(log, columns={"position": None}), samples=2)
    assert (len(found.order.edges), found.places) == (1, None)
    with pytest.raises(po.PorankError, match=r"first: line 1: .* found 'top'; columns={'position"):
        po.explore(log)


def test_bad_input_is_refused(tmp_path: Path) -> None:
    unknown = {"session": [1, 1], "item": ["a", "b"], "event": ["look", "tap"]}
    earlier = {"session": [1, 1], "item": [1, 2], "event": ["click"] * 2}
    refused: list[tuple[Any, dict[str, Any], str]] = [
        (log_of("1 a a"), {}, "a session that compares two items"),
        (unknown, {}, r"no pair; 2 bad rows, the first: line 1: .*'look'"),
        (earlier, {}, "click_over_earlier_click"),
    ]
    wrong: list[dict[str, Any]] = [{"samples": 0}, {"max_items": 1}, {"title": 3}]
    refused += [(log_of("9 ab a"), options, "") for options in wrong]
    for log, options, says in refused:
        with pytest.raises(po.PorankError, match=says or None):
            po.explore(log, **options).write(tmp_path / "report.html")
    assert not list(tmp_path.iterdir())


def test_the_page_loads_nothing_and_shows_names_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tastes, file = {"tea": 8, "milk": 4, "<b>cocoa": 2, "water & ice": 1}, io.StringIO()
    found = po.explore(po.simulate_log(tastes, 300, seed=3), samples=20)
    found.write(file)
    page = file.getvalue()
    policy = unescape(re.findall(r'Content-Security-Policy" content="([^"]*)"', page)[0])
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "What 300 sessions say" in page
    assert "&lt;b&gt;cocoa" in page
    assert "<b>cocoa" not in page
    links = set(re.findall(r'(?:src|href)="([^"#]{0,12})', page))
    assert links <= {"data:,", "data:image/s", ""}
    assert len(re.findall(r'<img [^>]*alt="[^"]', page)) == 3
    monkeypatch.setattr("porank.exploration.findings.write_page", None)
    assert "What the log settles" in found.to_text(), "the text does without the page"
    monkeypatch.setattr(Exploration, "to_html", lambda _: page)
    assert " srcdoc=" in found._repr_html_()


COUNTED = ("preferred", "other", "for", "against")


def text_of(log: Any, **options: Any) -> str:
    """The report as one line."""
    return " ".join(po.explore(log, **({"samples": 2} | options)).to_text().split())


@given(SESSIONS)
def test_tables_and_numbers_are_those_of_the_log(told: list[tuple[str, str]]) -> None:
    log = log_of(told)
    found = po.explore(log, samples=2, risk=0.9)
    tables: dict[Any, Any] = {
        each.title.partition(",")[0]: each for part in sections_of(found) for each in part.tables
    }
    stated = [(u, v, *data.values()) for u, v, data in found.order.edges(data=True)]
    expected = [(u, v, s, a, p) for u, v, s, a, p, added, *_ in stated if not added]
    if expected:
        table = tables.get("settled preferences") or tables["the clearest settled preferences"]
        assert table.columns == (*COUNTED, "p-value")
        assert set(table.rows) <= set(expected)
        clearest = sorted(row[-1] for row in expected)[:10]
        assert [row[-1] for row in table.rows] == clearest
    counts = {(u, v): (s, a) for u, v, s, a, *_ in po.evidence_table(log)}
    few, pairs = sum(sum(count) < 5 for count in counts.values()), len(counts)
    against = sum(min(count) for count in counts.values()) / sum(map(sum, counts.values()))
    counts |= {(v, u): (a, s) for (u, v), (s, a) in counts.items()}
    # Of a pair that is evenly split one side is shown.
    split = {(u, v) for (u, v), (s, a) in counts.items() if s >= a > 0 and (s > a or u < v)}
    if split:
        table = tables["the most contradicted pairs"]
        assert table.columns == (*COUNTED, "share")
        assert {row[:2] for row in table.rows} == split
        assert all(row[2:] == (*(c := counts[row[:2]]), c[0] / sum(c)) for row in table.rows)
        assert [row[3] for row in table.rows] == sorted(row[3] for row in table.rows)[::-1]
    text = " ".join(found.to_text().split())
    both = f"on {len(split)} of {pairs} pairs compared; {against:.0%} of all statements contradict"
    assert both in text
    assert (f"{few} of {pairs} pairs compared rest" in text) is (few > 0)
    if found.order.edges:
        spans = [worst - best + 1 for best, worst in po.rank_intervals(found.shown).values()]
        ranks = f"an item can have {sum(spans) / len(spans):.3g} of {len(spans)} ranks"
        assert f"{ranks} on average; the rank of {spans.count(1)} of" in text


#: Pair ab is about place, cd taste, gh the opposite; ef was never seen but with e on top.
PLACED = "90 ab a, 10 ba b, 140 gh g, 60 gh h, 30 hg h, 20 cd c, 20 dc c, 20 ef e"
#: Sessions as for `log_of`, and what the report on them says.
SENTENCES = f"""
{PLACED}
    These sessions settle 2 pairs. Of the 4 pairs that all sessions together settle, they confirm 1,
    reverse 1 and leave 2 open. The gamma of the two orders is 0. 1 of 4
    a b yes open e f yes open h g the opposite yes c d yes yes
    1 of these pairs came out the other way round at the same two positions
    and 1 of these pairs never swapped positions in the lists: they may be due to position
    1 of the settled pairs came out the other way round at the same two positions
    and 1 of the settled pairs never swapped positions in the lists: they may be due to position

20 ab a, 20 ba a, 20 bc b, 20 cb b
    1 of them follows from others, which assumes that the majority is transitive. Of the 3 pairs
    they confirm 3, reverse 0 and leave 0 open. The gamma of the two orders is 1.

3 ab a, 1 cd d, 1 e e
    For 4 of 4 statements the log shows which item stood higher; 75% of these prefer
    2 of 2 pairs compared never swapped positions; 0 of these stood both ways
    No session compares 8 of 10 pairs of items.
    2 of 2 pairs compared rest on fewer than 5 sessions.
    The picture shows the 4 items with the most evidence; 1 item with less evidence is left out.
    The log settles none of 10 pairs; whatever it leans to may be due to chance.
    This order decides 2 of 6 pairs. 0 are settled; the others may be due to chance.
    The settled order holds for sessions like those of the log

9 ab a, 9 bc b, 2 ac a, 3 ca c
    1 preference is left out because of cycles with stronger or equal ones: 'c > a'.

4 ab a, 4 bc b, 4 ca c
    no ranking agrees with all of them. To remove the cycles, 4 of the 12 sessions by which
    3 preferences are left out because of cycles with stronger or equal ones:

20 ab a, 20 bc b, 20 ca c, 9 xy x, 3 xy y
    The log settles none of 10 pairs. On 3 pairs it contradicts itself, in cycles that chance
    form cycles that chance does not explain; these pairs are left open

9 ab a, 2 bc b
    The log settles 1 of 3 pairs at a risk of 5%: a is preferred to b.
    For 2 pairs the evidence is too weak or contradictory.
    No session compares 1 of 3 pairs of items.
    1 of 2 pairs compared rests on fewer than 5 sessions.
    1 is settled; the others

2001 ab a, 2000 ab b
    down to a share of 0.5001
"""


def test_sentences() -> None:
    for case in SENTENCES.strip().split("\n\n"):
        sessions, *sentences = case.split("\n")
        text = text_of(log_of(sessions))
        assert [sentence for sentence in sentences if sentence.strip() not in text] == []


def test_options_change_the_sentences() -> None:
    chain, devices = log_of("20 ab a, 20 bc b"), log_of("20 ab a, 20 ab b")
    devices["device"] = [("phone", "desk")[number >= 20] for number in devices["session"]]
    parted = text_of(devices, segment="device", samples=99)
    assert "phone and desk differ on 1 pair; below, they are taken together" in parted
    text = text_of(chain, error="rate", test=chain)
    assert "pairs at a rate of errors of 5%: " in text
    assert "At most 5% of the significant pairs are expected to be false" in text
    assert "The later log settles 2 pairs by itself. The order settled here agrees on 2" in text
    assert "statements of the 40 sessions of the later log." in text
    rated = {"user": [1, 1, 2, 2], "item": list("abab"), "rating": [5, 1, 4, 2]}
    assert "taste cannot be separated from position" in text_of(rated)
    for log, is_said in ((rated, False), (chain, True)):
        assert ("independent, but sessions of one person" in text_of(log)) is is_said
    for sentence in ("No session compares", "fewer than 5", "due to position", "too weak"):
        assert sentence not in text_of(log_of("20 ab a, 20 ba a"))
    log = log_of(PLACED)
    assert po.explore(log, samples=2).leaning.graph["unbalanced"] == [("e", "f")]
    log |= {"user": log["session"], "query": ["beer"] * len(log["item"])}
    for how, why in (({"unit": "user"}, "a user may see"), ({"by": "query"}, "items are compared")):
        assert f"not separated from position here, because {why}" in text_of(log, **how)
    rows = [(1, "a", 1, "view", 0), (1, "b", 2, "click", 1), (1, "c", 3, "click", 5)]
    rows += [(1, "d", 4, "view", 20)]
    log = columns(["session", "item", "position", "event", "time"], rows)
    for rule in RULES:
        assert f"Position bias of the rule {rule}: " in text_of(log, rule=rule)


def test_groups_in_which_most_is_settled_come_first() -> None:
    log = log_of("3 ab a, 3 bc b, 20 de d, 1 fg f")
    log["query"] = ["xyz"[(number > 5) + (number > 25)] for number in log["session"]]
    found = po.explore(log, samples=2, by="query")
    (part,) = (part for part in sections_of(found) if part.title == "Within each query")
    (table,) = part.tables
    assert table.columns[:2] == ("query", "items")
    assert [tuple(row) for row in table.rows] == [("y", 2, 1, 1), ("x", 3, 2, 0), ("z", 2, 1, 0)]
    text = " ".join(found.to_text().split())
    assert "The log settles 1 of 5 pairs at a risk of 5%" in text
    assert "Pairs are settled in 1 of 3." in text
    (leaning,) = (section for section in sections_of(found) if "leans" in section.title)
    assert leaning.picture
    assert leaning.picture.draw().get_title() == "1 of 5 pairs settled, 4 leaning"
