"""What is found in a log, against the log itself; its sentences, tables and page."""

import io
import math
import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from networkx.utils import graphs_equal

import porank as po
from porank.core import graphs
from porank.exploration.exploration import Exploration
from porank.exploration.findings import _first, sections_of

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


@given(
    SESSIONS,
    st.sampled_from([0.05, 0.9]),
    st.sampled_from(["session", "user", None]),
    st.sampled_from([None, 2.5]),
)
def test_the_order_is_that_of_settled_order(
    sessions: list[tuple[str, str]], risk: float, unit: str | None, margin: float | None
) -> None:
    log = log_of(sessions)
    log["user"] = [1 + number % 3 for number in log["session"]]
    found = po.explore(log, risk=risk, unit=unit, margin=margin)
    expected = po.settled_order(log, risk=risk, unit=unit, margin=margin)
    assert graphs_equal(found.order(), expected)
    assert found.order().edges <= po.transitive_closure(found.leaning).edges
    assert dict(found.evidence.edges) == dict(po.from_log(log).edges)


@settings(max_examples=5)
@given(SESSIONS, st.integers(0, 3))
def test_groups_are_items_of_other_names(told: list[tuple[str, str]], seed: int) -> None:
    log = log_of(told)
    log["query"] = [number % 2 for number in log["session"]]
    named = [f"{query}: {item}" for query, item in zip(log["query"], log["item"], strict=True)]
    how: Any = {"risk": 0.9, "seed": seed}
    found = po.explore(log, by="query", **how)
    other = po.explore(log | {"item": named}, **how)
    for one, two in ((found.order(), other.order()), (found.leaning, other.leaning)):
        assert {(str(u), str(v)) for u, v in one.edges} == set(two.edges)
    tested, again = (getattr(one.validation, "scores", one.validation) for one in (found, other))
    assert repr(tested) == repr(again)


def test_what_place_may_explain_is_settled_only_if_no_position_is_known() -> None:
    """Equal items in lists by a policy: those without positions say nothing beside the others."""
    policy = {item: 6 - k for k, item in enumerate("abcdef")}
    log = po.simulate_log(dict.fromkeys("abcdef", 1), 600, shown=policy, seed=0)
    columns = {"session", "item", "event", "time"}
    half: dict[str, Any] = dict(log)
    half["position"] = [
        None if session % 2 else place
        for session, place in zip(log["session"], log["position"], strict=True)
    ]
    found = po.explore(half)
    assert found.order().size() == 0
    assert "they are not compared with others" in found.to_text()
    found = po.explore({name: log[name] for name in columns})
    assert found.order().size() > 5
    assert "Place may explain these, because the log has no positions." in found.verdict
    assert "allowing for where they stood" not in " ".join(found.to_text().split())


def test_lists_without_a_group_are_a_group_of_their_own() -> None:
    log = [
        {"session": f"{query} {k}", "query": query, "item": item, "position": place}
        | {"clicked": int((item == "a") == (query != "r"))}
        for query in ("q", None, "r")
        for k in range(40)
        for place, item in enumerate("ab" if k % 2 else "ba", 1)
    ]
    for table in (log, {name: [row[name] for row in log] for name in log[0]}):
        order = po.explore(table, by="query").order()
        pairs = {(u.group, u.item, v.item) for u, v in order.edges}
        assert pairs == {("q", "a", "b"), (None, "a", "b"), ("r", "b", "a")}


def test_of_many_segments_each_of_the_largest_is_compared_with_the_rest() -> None:
    log = log_of("60 ab a, 30 ab b")
    for sizes in ({"x": 20, "y": 30, "z": 40}, {one: 6 + (one > "c") for one in "mlkjihgfedcba"}):
        values = [one for one, size in sizes.items() for _ in range(size)]
        log["device"] = [values[number % len(values)] for number in log["session"]]
        largest = sorted(sizes, key=lambda one: (-log["device"].count(one), one))[:10]
        found = po.explore(log, segment="device")
        assert f"{len(largest)} splits by device are compared" in " ".join(found.to_text().split())
        segments = found.segments
        assert [each.segments for each in segments] == [(one, "the rest") for one in largest]
        assert math.isclose(sum(each.risk for each in segments), 0.05)


def test_the_items_of_which_sessions_say_most_are_shown() -> None:
    for most, items in ((2, "ab"), (3, "abc"), (9, "abcd")):
        found = po.explore(log_of("3 ab a, 1 cd d, 1 e e, 2 bc b"), max_items=most)
        assert "".join(sorted(found.leaning)) == items
        assert len(found.order()) == 5


def test_of_many_items_only_those_in_pictures_are_ordered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ranking of all items would have too many edges."""
    log = log_of([(shown, shown[0]) for shown in ("abcd", "efgh", "ijkl") for _ in range(9)])
    monkeypatch.setattr(graphs, "MAX_EDGES", 20)
    assert len(po.explore(log, max_items=5).leaning) == 5


def test_a_log_is_the_same_as_text_and_as_numbers() -> None:
    log = po.simulate_log({"tea": 4, "milk": 2, "water": 1}, 200, seed=1)
    rows = {name: column.tolist() for name, column in log.items()}
    rows["user"] = [session % 60 for session in rows["session"]]
    text = rows | {name: [*map(str, rows[name])] for name in ("session", "user")}
    for unit in ("user", "session"):
        reports = [po.explore(each, unit=unit).to_text() for each in (rows, text)]
        assert reports[0] == reports[1]


def test_open_pairs_need_units_in_proportion_to_the_square_of_the_bound() -> None:
    found = po.explore(log_of("40 bc b, 30 cb c, 25 bc c, 15 cb b, 60 de d, 20 ed e, 20 de e"))
    tests, units = found.taste.tests, found.taste.compared.comparisons.units
    expected = [
        math.ceil(units * ((tests.bound / abs(t)) ** 2 - 1))
        for t in tests.statistic.tolist()
        if 0 < abs(t) < tests.bound
    ]
    pairs = po.open_pairs(found.order())
    needed = [number for number in pairs["lacking"].tolist() if number == number]
    assert needed == sorted(expected)


def test_a_later_log_is_the_test() -> None:
    later = log_of("40 ab a, 40 ba a, 40 ac c, 40 ca c, 40 cb c, 40 bc c, 1 xy x")
    found = po.explore(log_of("40 ab a, 40 ba a, 40 bc b, 40 cb b"), test=later)
    assert found.is_later
    assert not isinstance(found.validation, str)
    assert (found.validation.train_sessions, found.validation.test_sessions) == (160, 241)
    assert "predicted better" not in found.verdict
    later = log_of("40 ab a, 10 ba a, 5 ba b")
    verdict = po.explore(log_of("8 ab a, 7 ab b, 10 ba b"), test=later).verdict
    better = (
        'On the later log, choices are predicted better by the simple rule "usually stood higher"'
    )
    assert better in verdict


def test_logs_of_other_forms() -> None:
    winners = ["model_a"] * 6 + ["tie"] * 2 + ["both_bad"]
    contents = po.explore({"model_a": [1] * 9, "model_b": [2] * 9, "winner": winners}).contents
    assert (contents.tied, contents.both_bad) == (2, 1)
    log = log_of("20 ab a, 20 ba a") | {"position": [None] * 80}
    found = po.explore(log)
    assert list(found.order().edges) == [("a", "b")]
    assert found.contents.counts.without_position == 80


def test_bad_input_is_refused_in_words(tmp_path: Path) -> None:
    unknown = {"session": [1, 1], "item": ["a", "b"], "event": ["look", "tap"]}
    earlier = {"session": [1, 1], "item": [1, 2], "event": ["click"] * 2}
    refused: list[tuple[Any, dict[str, Any], str]] = [
        (log_of("1 a a"), {}, "1 list of one item each"),
        (log_of("1 ab x"), {}, "a list in which one item is preferred to another"),
        (unknown, {}, "line 1: expected one of .*'look'"),
        (earlier, {}, "clicks only"),
    ]
    wrong: list[dict[str, Any]] = [{"max_items": 1}, {"title": 3}]
    refused += [(log_of("9 ab a"), options, "") for options in wrong]
    for log, options, says in refused:
        with pytest.raises(po.PorankError, match=says or None):
            po.explore(log, **options).write(tmp_path / "report.html")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_the_page_loads_nothing_and_shows_names_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tastes, file = {"tea": 8, "milk": 4, "<b>cocoa": 2, "water & ice": 1}, io.StringIO()
    found = po.explore(po.simulate_log(tastes, 300, seed=3))
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
    assert len(re.findall(r'<img [^>]*alt="[^"]', page)) == 5
    monkeypatch.setattr("porank.exploration.findings.write_page", None)
    assert "What the log settles" in found.to_text(), "the text does without the page"
    monkeypatch.setattr(Exploration, "to_html", lambda _: page)
    assert " srcdoc=" in found._repr_html_()


COUNTED = ("preferred", "other", "support", "against")


def text_of(log: Any, **options: Any) -> str:
    """The report as one line."""
    return " ".join(po.explore(log, **(options)).to_text().split())


@given(SESSIONS)
def test_tables_and_numbers_are_those_of_the_log(sessions: list[tuple[str, str]]) -> None:
    log = log_of(sessions)
    found = po.explore(log, risk=0.9)
    tables: dict[Any, Any] = {
        each.title.partition(",")[0]: each for part in sections_of(found) for each in part.tables
    }
    stated = [(u, v, data) for u, v, data in found.order().edges(data=True) if not data["added"]]
    if stated:
        table = tables.get("settled preferences") or tables["the clearest settled preferences"]
        names = ("gap", "low", "high", "support", "against", "p_value")
        expected = {(u, v, *(data[name] for name in names)) for u, v, data in stated}
        assert set(table.rows) <= expected
        assert [row[-1] for row in table.rows] == sorted(row[-1] for row in expected)[:10]
    counts: dict[Any, Any] = {}
    for u, v, data in po.from_log(log).edges(data=True):
        if (v, u) not in counts:
            counts[u, v] = data["support"], data["against"]
    pairs = len(counts)
    against = sum(min(count) for count in counts.values())
    of_all = f"{against} of {sum(map(sum, counts.values()))} statements"
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
    assert (
        f"on {len(split)} of {pairs} pairs compared, and the majority of a pair in {of_all}" in text
    )


#: Pair ab is about place, cd taste; ef was never seen but with e on top.
PLACED = "90 ab a, 10 ba b, 20 cd c, 20 dc c, 20 ef e"
#: Sessions as for `log_of`, and what the report on them says.
SENTENCES = f"""
{PLACED}
    The log settles 1 of 15 pairs at a risk of 5%: c is preferred to d; best may be c, a,
    worst may be d, b, f, e or a.
    Counts alone would settle 2 more pairs, which place may explain.
    2 pairs would be settled by counts alone, but not at equal places.
    This is about other sessions like the 160 of this log that choose between items.

40 ab a, 40 ba a, 40 bc b, 40 cb b
    The log settles 3 of 3 pairs at a risk of 5%
    The log leans to a > b > c.

3 ab a, 1 cd d, 1 e e
    No list compares 8 of 10 pairs of items.
    The log settles none of 10 pairs. 10 pairs are open: never compared, nor enough
    The settled order holds for sessions like those of the log
    users who return count as new ones

4 ab a, 4 bc b, 4 ca c
    The majorities form cycles: no ranking agrees with all of them.
"""


def test_the_text_has_the_sentences_written_for_each_log() -> None:
    for case in SENTENCES.strip().split("\n\n"):
        sessions, *sentences = case.split("\n")
        text = text_of(log_of(sessions))
        assert [sentence for sentence in sentences if sentence.strip() not in text] == []


def test_sentences_name_a_few_and_count_several_others() -> None:
    assert _first([*"abcde"]) == [*"abcde"], "not 1 others"
    assert _first([*"abcdef"]) == [*"abcd", "2 others"]
    assert _first([*"ab\n"], "more", 1) == ["a", "2 more"]
    lists = "30 ab a, 30 ba a, 30 bc b, 30 cb b, 30 ca c, 30 ac c"
    opposed = po.explore(log_of(lists)).order().graph["contradicted"]
    some = "; ".join(_first([f"{u} and {v}" for u, v in opposed], "more pairs"))
    assert opposed
    assert f"The comparisons of {some} go against" in text_of(log_of(lists))


def test_options_change_the_sentences() -> None:
    chain = log_of("40 ab a, 40 ba a, 40 bc b, 40 cb b")
    devices = log_of("20 ab a, 20 ba a, 20 ab b, 20 ba b")
    devices["device"] = [("phone", "desk")[number >= 40] for number in devices["session"]]
    parted = text_of(devices, segment="device")
    assert (
        "device: phone and desk have opposite preferences on 1 pair; below, they are taken together"
        in parted
    )
    text = text_of(chain, test=chain)
    assert "statements of 160 later sessions." in text
    rated = {"user": [1, 1, 2, 2], "item": list("abab"), "rating": [5, 1, 4, 2]}
    assert "The log has no positions: what stood higher may only look better." in text_of(rated)
    assert "users who return" not in text_of(rated)
    for sentence in ("No list compares", "fewer than 5", "which place may explain", "too weak"):
        assert sentence not in text_of(log_of("20 ab a, 20 ba a"))


def test_the_clearest_pairs_come_first() -> None:
    """Of pairs with the smallest p-value, that whose interval begins highest."""
    lists = "100 ab b, 100 ba b, 100 cd d, 100 dc d, 5 cd c, 5 dc c, 100 ef f, 100 fe f, 2 ef e"
    lists += ", 30 gh h, 30 hg h"
    found = po.explore(log_of(lists))
    pairs = [(v, u) for u, v in ("ab", "ef", "gh", "cd")]
    assert len({found.order().edges[pair]["p_value"] for pair in pairs}) == 1
    named = re.findall(r"(\w) is preferred to (\w)", found.verdict)
    assert named == pairs
    _, _, certainty, *_ = sections_of(found)
    table = certainty.tables[0]
    assert [row[:2] for row in table.rows] == pairs


def test_the_first_section_says_what_may_be_best_and_worst() -> None:
    tastes = {name: 1.6**-k for k, name in enumerate("abcdefghij")}
    found = po.explore(po.simulate_log(tastes, 900, seed=1))
    order = found.order()
    assert order.number_of_edges() > 4
    says = re.search(r"best (?:may be|is) (.*?); worst (?:may be|is) (.*?)\. ", found.verdict)
    assert says
    for named, items in zip(
        says.groups(), (po.maximal_items(order), po.minimal_items(order)), strict=True
    ):
        some = re.findall(r"\b[a-j]\b", named)
        assert set(some) <= set(items)
        more = re.search(r"(\d+) others", named)
        assert len(some) + int(more[1] if more else 0) == len(items)
    first, *_ = sections_of(found)
    assert len(first.pictures) == 2


def test_the_test_on_unseen_sessions_is_told_in_shares() -> None:
    found = po.explore(po.simulate_log({"a": 8, "b": 4, "c": 2, "d": 1}, 600, seed=1))
    score = found.validation.scores["settled order"]  # type: ignore[union-attr]
    share = (1 + score.correctness) / 2
    text = " ".join(found.to_text().split())
    assert (
        f"decides {score.completeness:.0%} of the choices, {share:.0%} of these as users chose"
        in text
    )


def test_a_nearly_settled_pair_has_more_support_than_evidence_against() -> None:
    tastes = {"mocha": 16, "cocoa": 8, "latte": 8, "chai": 4, "mate": 2, "milk": 2, "tea": 1}
    found = po.explore(po.simulate_log(tastes, 400, length=4, seed=1))
    (near,) = (part for part in sections_of(found) if part.title == "Nearly settled pairs")
    rows = near.tables[0].rows
    assert rows
    assert all(int(str(row[2])) >= int(str(row[3])) for row in rows)


def test_groups_in_which_most_is_settled_come_first() -> None:
    log = log_of("3 ab a, 3 bc b, 30 de d, 30 ed d, 5 de e, 5 ed e, 1 fg f")
    log["query"] = ["xyz"[(number > 5) + (number > 75)] for number in log["session"]]
    found = po.explore(log, by="query")
    (part,) = (part for part in sections_of(found) if part.title == "Within each query")
    (table,) = part.tables
    assert table.columns[:2] == ("query", "items")
    assert [tuple(row) for row in table.rows] == [("y", 2, 1, 1), ("x", 3, 2, 0), ("z", 2, 1, 0)]
    text = " ".join(found.to_text().split())
    assert "The log settles 1 of 5 pairs at a risk of 5%" in text
    assert "Pairs are settled in 1 of 3." in text


def test_a_table_of_unusual_columns_is_read_as_it_is_typed() -> None:
    """The options of a ClickLog, given to the function itself, are those of the log."""
    frame = pd.DataFrame(po.simulate_log({"a": 4, "b": 2, "c": 1}, 300, seed=1))
    frame = frame.rename(columns={"item": "product code", "event": "what"})
    columns = {"item": "product code", "event": "what"}
    log = po.ClickLog(frame, columns=columns)
    found = po.explore(frame, columns=columns, rule="levels", risk=0.2)
    assert found.to_text() == po.explore(log, risk=0.2).to_text()
    assert graphs_equal(po.settled_order(frame, columns=columns), po.settled_order(log))
    assert graphs_equal(po.from_log(frame, columns=columns), po.from_log(log))
    assert [*po.preference_pairs(frame, columns=columns)] == [*po.preference_pairs(log)]
    assert str(po.validate_feedback(frame, columns=columns)) == str(po.validate_feedback(log))
    later = po.explore(frame, columns=columns, test=frame)
    assert str(later.validation) == str(po.explore(log, test=log).validation)
    events = ("what", "click")
    with pytest.raises(po.PorankError, match="with 'events', found a ClickLog, which has its own"):
        po.explore(log, events=events)
    with pytest.raises(po.PorankError, match="because columns= applies to logs only, found counts"):
        po.settled_order({("a", "b"): 3}, columns=columns)
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        po.explore(frame, colour=columns)
    with pytest.raises(TypeError, match="'random_state'; seed= says it"):
        po.explore(frame, random_state=1)


def test_pairs_that_rest_on_two_units_are_counted() -> None:
    for agreeing, sentences in ((6, 1), (12, 0)):
        log = f"40 ab a, 40 ba a, {agreeing} bc b, {agreeing} cb b, 1 bc c, 1 cb c"
        text = po.explore(log_of(log)).to_text()
        assert text.count("1 of 3 settled pairs rests on 2 sessions or fewer.") == sentences


def test_what_is_left_out_of_pictures_is_in_the_verdict() -> None:
    tastes = {f"tea {k}": 1.7**-k for k in range(8)}
    whole, some = (po.explore(po.simulate_log(tastes, 600, seed=2), max_items=n) for n in (100, 5))
    order, shown = whole.order(), [*some.leaning]
    settled = dict(order.degree)
    assert min(settled[x] for x in shown) >= max(settled[x] for x in order if x not in shown)
    says = " Pictures show and rank the 5 items in most settled pairs, without 3 others."
    assert some.verdict == whole.verdict + says


def test_place_explains_neither_a_cycle_nor_counts_without_positions() -> None:
    cycle = po.explore(log_of("60 ab a, 60 ba a, 60 bc b, 60 cb b, 60 ca c, 60 ac c"))
    assert not cycle.order().edges
    bare = po.simulate_log({f"tea {k}": 1.5**-k for k in range(9)}, 300, seed=1)
    del bare["position"]
    for found in (cycle, po.explore(bare)):
        assert found.order().graph["perhaps_place"] == []


def test_names_from_right_to_left_stay_in_their_place() -> None:
    log = log_of("20 ab a, 20 ba a")
    log["item"] = [{"a": "שלום", "b": "a > b"}[item] for item in log["item"]]
    assert "<bdi>שלום</bdi> &gt; &quot;a &gt; b&quot;" in po.explore(log).to_html()
