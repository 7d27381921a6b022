"""The report on a log: its sentences against the log itself, and the page that holds them."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Sequence
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from networkx.utils import graphs_equal

from porank.abstention.settled import units_lacking
from porank.clicks.click_log import ClickLog
from porank.clicks.rules import RULES
from porank.clicks.settled_order import settled_order
from porank.clicks.simulation import simulate_log
from porank.convert.notation import format_order
from porank.errors import PorankError
from porank.exploration.exploration import Exploration
from porank.exploration.explore import explore
from porank.exploration.findings import sections_of
from porank.orders.closure import transitive_reduction

TASTES = {"tea": 8, "milk": 4, "<b>cocoa": 2, "water & ice": 1}


@pytest.fixture(scope="module")
def found() -> Exploration:
    return explore(simulate_log(TASTES, 300, seed=3), samples=20)


def log_of(sessions: Sequence[tuple[str, str]]) -> dict[str, list[Any]]:
    """Return a log of sessions, each told by the items shown, best placed first, and clicked."""
    rows = [
        (number, item, place, "click" if item in clicked else "view")
        for number, (shown, clicked) in enumerate(sessions)
        for place, item in enumerate(shown, start=1)
    ]
    names = ("session", "item", "position", "event")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def test_it_finds_what_people_prefer(found: Exploration) -> None:
    order = format_order(transitive_reduction(found.leaning))
    assert order == 'tea > milk > "<b>cocoa" > water & ice'
    assert set(found.order.edges) < set(found.leaning.edges)
    assert not isinstance(found.validation, str)
    assert found.report.counts is not None
    assert (found.report.counts.sessions, found.title) == (300, "What 300 sessions say")


sessions = st.lists(
    st.permutations("abcd").flatmap(
        lambda shown: st.tuples(
            st.sampled_from(["".join(shown), "".join(shown[:3])]), st.sampled_from("abcd")
        ).filter(lambda session: session[1] in session[0])
    ),
    min_size=1,
    max_size=8,
)


@given(sessions)
def test_places_are_counted_statement_by_statement(told: list[tuple[str, str]]) -> None:
    statements = [
        (session, u, v, shown.index(u) < shown.index(v))
        for session, (shown, clicked) in enumerate(told)
        for u in shown
        for v in shown
        if u in clicked and v not in clicked
    ]
    on_top: dict[tuple[str, str], set[bool]] = {}
    for _, u, v, is_higher in statements:
        first_is_higher = is_higher if u < v else not is_higher
        on_top.setdefault((min(u, v), max(u, v)), set()).add(first_is_higher)
    places = explore(log_of(told), samples=2).places
    higher = sum(is_higher for *_, is_higher in statements)
    fixed = sum(len(ways) == 1 for ways in on_top.values())
    stood = {
        (u, v): {(x.index(u), x.index(v)) for x, _ in told if u in x and v in x} for u, v in on_top
    }
    apart = sum(
        {i < j for i, j in at} == {True, False} and not any((j, i) in at for i, j in at)
        for at in stood.values()
    )
    assert places == (len(statements), higher, len(on_top), fixed, apart)


def test_what_it_does_not_say_is_true_of_the_log() -> None:
    # Two lists, each always in one sequence: a over b in 3 sessions, c over d in one; e is alone.
    log = log_of([("ab", "a")] * 3 + [("cd", "d"), ("e", "e")])
    found = explore(log, samples=2)
    assert found.places == (4, 3, 2, 2, 0)
    text = " ".join(found.to_text().split())
    assert sorted(explore(log, samples=2, max_items=2).leaning) == ["a", "b"]
    for sentence in (
        "For 4 of 4 statements it is known which item stood higher; 75% of these prefer it.",
        "2 of 2 pairs compared never swapped positions; 0 of these stood both ways",
        "8 of 10 pairs of items are compared by no session.",
        "2 of 2 pairs compared rest on fewer than 5 sessions.",
        "1 item with less evidence stands aside.",
        "The log settles none of 10 pairs: what it leans to may be chance.",
        "This order decides 2 of 6 pairs, of which 0 are settled; the others may be chance.",
        "What is settled holds for sessions like those of the log",
    ):
        assert sentence in text


def test_cycles_and_dropped_preferences_are_told() -> None:
    log = log_of([("ab", "a"), ("bc", "b"), ("ca", "c")] * 4)
    found = explore(log, samples=2)
    text = " ".join(found.to_text().split())
    assert "The majorities form cycles: no ranking agrees with all of them." in text
    assert len(found.leaning.graph["dropped"]) == 3
    assert "3 more were left out because of cycles with stronger or equal ones: " in text


def test_segments_and_users_are_compared_if_asked_for() -> None:
    log = log_of([("ab", "a")] * 20 + [("ab", "b")] * 20)
    log["user"] = [number // 2 for number in log["session"]]
    log["device"] = ["phone" if number < 20 else "desk" for number in log["session"]]
    found = explore(log, samples=99, unit="user", segment="device")
    (compared,) = found.segments
    assert [(pair.preferred, pair.other) for pair in compared.parted] == [("a", "b")]
    assert "on 1 of them the two part" in " ".join(found.to_text().split())
    assert found.verdict.startswith("phone and desk part on 1 pair: what follows takes them")


def test_of_many_segments_each_is_compared_with_the_rest() -> None:
    log = log_of([("ab", "a")] * 60 + [("ab", "b")] * 30)
    for device, values in ((3, "xyz"), (15, "abcdefghijklmno")):
        log["device"] = [values[number * device // 90] for number in log["session"]]
        found = explore(log, samples=99, segment="device").segments
        assert [each.segments for each in found] == [(one, "the rest") for one in values[:10]]
        assert math.isclose(sum(each.level for each in found), 0.05)
    text = " ".join(explore(log, samples=2, segment="device").to_text().split())
    assert "So are the 10 values of device that most sessions have" in text


def test_sentences_agree_with_their_numbers() -> None:
    said = [("ab", "a")] * 9 + [("bc", "b")] * 9 + [("ac", "a")] * 2 + [("ca", "c")] * 3
    text = " ".join(explore(log_of(said), samples=2).to_text().split())
    assert "1 more preference was left out because of cycles" in text
    assert "equal ones: 'c > a'." in text
    said = [("ab", "a")] * 9 + [("bc", "b")] * 2
    text = " ".join(explore(log_of(said), samples=2).to_text().split())
    assert "1 of 3 pairs of items is compared by no session." in text
    assert "1 of 2 pairs compared rests on fewer than 5 sessions." in text


def test_a_threshold_just_above_one_half_is_not_called_one_half() -> None:
    found = explore(log_of([("ab", "a")] * 2001 + [("ab", "b")] * 2000), samples=2)
    assert len(found.leaning.edges) == 1
    assert "down to a share of 0.5001" in found.to_text().replace("\n", " ")


def test_sessions_of_ratings_are_users_already() -> None:
    log = {"user": [1, 1, 2, 2], "item": list("abab"), "rating": [5, 1, 4, 2]}
    found = explore(log, samples=2)
    assert found.places is None
    assert "nothing here can tell taste from place" in " ".join(found.to_text().split())
    assert "independent. Those of one person" not in found.to_text()


def test_the_page_of_the_order_is_made_only_for_the_page(
    found: Exploration, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("porank.exploration.findings.write_page", None)
    assert "What the log settles" in found.to_text()


@given(sessions, st.sampled_from([0.05, 0.9]))
def test_what_is_settled_is_what_settled_order_settles(
    told: list[tuple[str, str]], risk: float
) -> None:
    log = log_of(told)
    log["user"] = [number % 3 for number in log["session"]]
    found = explore(log, samples=2, risk=risk, unit="user")
    expected = settled_order(log, risk=risk, unit="user")
    del expected.graph["unbalanced"]
    for *_, data in expected.edges(data=True):
        del data["unbalanced"]
    assert graphs_equal(found.order, expected)
    assert found.order.edges <= found.leaning.edges
    assert found.balanced is None


@given(sessions, st.sampled_from([0.05, 0.9]))
def test_what_is_balanced_is_what_settled_order_settles_by_place(
    told: list[tuple[str, str]], risk: float
) -> None:
    found = explore(log_of(told), samples=2, risk=risk).balanced
    assert found is not None
    assert graphs_equal(found, settled_order(log_of(told), risk=risk, balance="place"))


def test_taste_and_place_are_told_apart_in_the_report() -> None:
    """Pair ab is about place, cd taste, gh the opposite; ef was never seen but with e on top."""
    said = [("ab", "a")] * 90 + [("ba", "b")] * 10
    said += [("gh", "g")] * 140 + [("gh", "h")] * 60 + [("hg", "h")] * 30
    said += [("cd", "c")] * 20 + [("dc", "c")] * 20 + [("ef", "e")] * 20
    found = explore(log_of(said), samples=2)
    text = " ".join(found.to_text().split())
    assert "They settle 2 pairs. Of 4 pairs that all sessions together settle, they " in text
    assert "confirm 1, reverse 1 and leave 2 open. The gamma of the two orders is 0. 1 of 4" in text
    assert "a b yes open e f yes open h g the opposite yes c d yes yes" in text
    for these in ("these pairs", "the pairs settled"):
        assert f"1 of {these} came out the other way round at the same two positions " in text
        assert f"and 1 of {these} never swapped positions in the lists: that may be place" in text
    assert found.leaning.graph["unbalanced"] == [("e", "f")]
    log = log_of(said)
    log |= {"user": log["session"], "query": ["beer"] * len(log["item"])}
    by_user, by_query = explore(log, samples=2, unit="user"), explore(log, samples=2, by="query")
    for found, why in ((by_user, "a user may see"), (by_query, "items are compared within each")):
        text = " ".join(found.to_text().split())
        assert f"Taste is not tested apart from place here, because {why}" in text


@pytest.mark.parametrize("rule", RULES)
def test_the_report_says_what_a_rule_sees(rule: str) -> None:
    names = ("session", "item", "position", "event", "time")
    rows = [(1, "a", 1, "view", 0), (1, "b", 2, "click", 1), (1, "c", 3, "click", 5)]
    rows += [(1, "d", 4, "view", 20)]
    log = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    text = " ".join(explore(log, samples=2, rule=rule).to_text().split())
    assert f"The rule {rule} sees" in text


def test_pairs_that_lean_the_other_way_at_the_same_positions_are_no_advice() -> None:
    """All sessions lean to g, those of either arrangement to h."""
    said = [("gh", "g")] * 60 + [("gh", "h")] * 30 + [("hg", "h")] * 10
    log = log_of(said)
    assert explore(log, samples=2, risk=0.001).open_pairs == ()
    log["user"] = log["session"]
    assert len(explore(log, samples=2, risk=0.001, unit="user").open_pairs) == 1


def test_positions_that_are_no_numbers_may_be_left_out() -> None:
    log = log_of([("ab", "a")] * 9)
    log["position"] = ["top"] * len(log["item"])
    with pytest.raises(PorankError, match=r"first: line 1: .* found 'top'; columns={'position"):
        explore(log)
    found = explore(ClickLog(log, columns={"position": None}), samples=2)
    assert (len(found.order.edges), found.places) == (1, None)


def test_in_groups_only_items_of_one_group_are_compared() -> None:
    log = log_of([("ab", "a"), ("ba", "b")] * 12)
    log["query"] = [("wine", "beer")[number % 2] for number in log["session"]]
    assert not explore(log, samples=2).order.edges
    found = explore(log, samples=2, by="query")
    assert [(str(u), str(v)) for u, v in found.order.edges] == [
        ("wine: a", "wine: b"),
        ("beer: b", "beer: a"),
    ]
    text = " ".join(found.to_text().split())
    assert "The log settles 2 of 2 pairs at a risk of 5%" in text
    assert "In 2 of 2 something is settled" in text
    assert found.order.graph["compared"] == 2
    (leaning,) = (section for section in sections_of(found) if "leans" in section.title)
    assert leaning.picture
    assert leaning.picture.draw().get_title() == "2 of 2 pairs settled, 0 leaning"


@given(sessions, st.integers(0, 3))
def test_groups_are_items_of_other_names(told: list[tuple[str, str]], seed: int) -> None:
    log = log_of(told)
    log["query"] = [number % 2 for number in log["session"]]
    named = [f"{query}: {item}" for query, item in zip(log["query"], log["item"], strict=True)]
    found = explore(log, by="query", samples=2, risk=0.9, seed=seed)
    other = explore(log | {"item": named}, samples=2, risk=0.9, seed=seed)
    for one, two in ((found.order, other.order), (found.leaning, other.leaning)):
        assert {(str(u), str(v)) for u, v in one.edges} == set(two.edges)
    merged = log | {"session": [number // 2 for number in log["session"]]}
    assert set(explore(merged, by="query", samples=2, risk=0.9).order.edges) == set(
        found.order.edges
    )
    if isinstance(found.validation, str) or isinstance(other.validation, str):
        assert found.validation == other.validation
    else:
        assert repr(found.validation.scores) == repr(other.validation.scores)


def test_a_later_log_is_the_test() -> None:
    first, later = ([("ab", "a"), ("bc", "b"), ("ca", "c")] * 9, [("ab", "a"), ("ac", "c")] * 12)
    found = explore(log_of(first[:18]), test=log_of(later), samples=2)
    assert found.later is not None
    assert (found.later.settled, found.later.alike, found.later.opposite) == (2, 0, 0)
    found = explore(log_of([("ab", "a")] * 20), test=log_of([*later, ("xy", "x")]), samples=2)
    assert found.later is not None
    assert tuple(found.later) == (2, 1, 0)
    assert not isinstance(found.validation, str)
    assert (found.validation.train_sessions, found.validation.test_sessions) == (20, 25)
    text = " ".join(found.to_text().split())
    assert "Of 2 pairs that the later log settles by itself, what is settled here says the" in text


def test_open_pairs_say_what_they_lack() -> None:
    found = explore(log_of([("ab", "a")] * 4 + [("bc", "b")] * 40 + [("cb", "c")] * 30), samples=2)
    limit = found.order.graph["limit"]
    assert [tuple(pair) for pair in found.open_pairs] == [
        ("a", "b", 4, 0, units_lacking(4, 0, limit)),
        ("b", "c", 40, 30, units_lacking(40, 30, limit)),
    ]


def test_cycles_beyond_chance_are_said_and_lack_nothing() -> None:
    around = [("ab", "a"), ("bc", "b"), ("ca", "c")] * 20
    found = explore(log_of([*around, *[("xy", "x")] * 9, *[("xy", "y")] * 3]), samples=2)
    assert found.verdict == (
        "The log settles none of 10 pairs. On 3 pairs it contradicts itself, in cycles that chance "
        "does not explain."
    )
    assert [pair[:2] for pair in found.open_pairs] == [("x", "y")]
    assert list(found.leaning.edges) == [("x", "y")]


def test_places_count_no_ties() -> None:
    rows = [(user, item, k, 5) for user in range(4) for k, item in enumerate("ab", start=1)]
    rows += [(9, "a", 1, 5), (9, "b", 2, 1)]
    log = dict(zip(("user", "item", "position", "rating"), zip(*rows, strict=True), strict=True))
    places = explore({name: [*column] for name, column in log.items()}, samples=2).places
    assert places == (1, 1, 1, 1, 0)


def test_battles_are_a_log_like_any_other() -> None:
    winners = ["model_a"] * 6 + ["tie"] * 2 + ["both_bad"]
    log = {"model_a": ["x"] * 9, "model_b": ["y"] * 9, "winner": winners}
    found = explore(log, samples=2)
    assert (found.report.tied, found.report.both_bad, format_order(found.order)) == (2, 1, "x > y")
    assert found.verdict == "The log settles 1 of 1 pair at a risk of 5%: x is preferred to y."


def test_bad_input_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PorankError, match="some session compares two items"):
        explore(log_of([("a", "a")]))
    with pytest.raises(PorankError, match=r"no pair; 2 rows left out, the first: line 1: .*'look'"):
        explore({"session": [1, 1], "item": ["a", "b"], "event": ["look", "tap"]})
    log = log_of([("ab", "a")] * 9)
    wrong: list[dict[str, Any]]
    wrong = [{"test_share": 1}, {"samples": 0}, {"max_items": 1}, {"title": 3}, {"risk": 0}]
    wrong.append({"rule": {"one": "levels", "two": "dwell"}})
    for options in wrong:
        with pytest.raises(PorankError):
            explore(log, **options).write(tmp_path / "report.html")
    assert not list(tmp_path.iterdir())


def test_the_page_loads_nothing_and_shows_names_as_they_are(
    found: Exploration, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = io.StringIO()
    found.write(file)
    page = file.getvalue()
    policy = unescape(re.findall(r'Content-Security-Policy" content="([^"]*)"', page)[0])
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "&lt;b&gt;cocoa" in page
    assert "<b>cocoa" not in page
    links = set(re.findall(r'(?:src|href)="([^"#]{0,12})', page))
    assert links <= {"data:,", "data:image/s", ""}
    assert len(re.findall(r'<img [^>]*alt="[^"]', page)) == 3
    monkeypatch.setattr(Exploration, "to_html", lambda _: page)
    assert " srcdoc=" in found._repr_html_()


@pytest.mark.browser
@pytest.mark.slow
def test_the_frame_of_the_order_runs_in_a_browser(
    found: Exploration, tmp_path: Path, opened: Callable[[Path], Any]
) -> None:
    found.write(tmp_path / "report.html")
    browser = opened(tmp_path / "report.html")
    assert len(browser.find_elements("css selector", "section")) == 9
    browser.switch_to.frame(browser.find_element("tag name", "iframe"))
    texts = [each.text for each in browser.find_elements("css selector", "svg text")]
    assert set(TASTES) <= set(texts)
    browser.switch_to.default_content()
