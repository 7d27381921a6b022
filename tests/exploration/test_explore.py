"""What is found in a log, against the log itself, and the page that holds it."""

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
from porank.exploration.exploration import Exploration

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


def test_the_items_of_which_sessions_say_most_are_shown() -> None:
    for most, items in ((2, "ab"), (3, "abc"), (9, "abcd")):
        found = po.explore(log_of("3 ab a, 1 cd d, 1 e e, 2 bc b"), samples=2, max_items=most)
        assert "".join(sorted(found.leaning)) == items
        assert len(found.order) == 5


def test_of_many_segments_each_of_the_largest_is_compared_with_the_rest() -> None:
    log = log_of("60 ab a, 30 ab b")
    for sizes in ({"x": 20, "y": 30, "z": 40}, {one: 6 + (one > "c") for one in "mlkjihgfedcba"}):
        values = [one for one, size in sizes.items() for _ in range(size)]
        log["device"] = [values[number % len(values)] for number in log["session"]]
        largest = sorted(sizes, key=lambda one: (-log["device"].count(one), one))[:10]
        found = po.explore(log, samples=99, segment="device")
        assert f"So are the {len(largest)} values of device" in " ".join(found.to_text().split())
        segments = found.segments
        assert [each.segments for each in segments] == [(one, "the rest") for one in largest]
        assert math.isclose(sum(each.level for each in segments), 0.05)


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
    for log, says in (
        (log_of("1 a a"), "some session compares two items"),
        (unknown, r"no pair; 2 rows left out, the first: line 1: .*'look'"),
        ({"session": [1, 1], "item": [1, 2], "event": ["click"] * 2}, "click_over_earlier_click"),
    ):
        with pytest.raises(po.PorankError, match=says):
            po.explore(log)
    wrong: list[dict[str, Any]]
    wrong = [{"test_share": 1}, {"samples": 0}, {"max_items": 1}, {"title": 3}, {"risk": 0}]
    for options in [*wrong, {"rule": {"one": "levels", "two": "dwell"}}]:
        with pytest.raises(po.PorankError):
            po.explore(log_of("9 ab a"), **options).write(tmp_path / "report.html")
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
    monkeypatch.setattr(Exploration, "to_html", lambda _: page)
    assert " srcdoc=" in found._repr_html_()
    monkeypatch.setattr("porank.exploration.findings.write_page", None)
    assert "What the log settles" in found.to_text(), "the text does without the page"
