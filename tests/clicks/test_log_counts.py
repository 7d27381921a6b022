"""What is called what in a log, what is odd in it and counted, and what goes with its pairs."""

from __future__ import annotations

import io
from datetime import date, datetime
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from porank import ClickLog
from porank.clicks.feedback import from_log, preference_graphs
from porank.clicks.log import DECISIONS
from porank.clicks.preference_pairs import preference_pairs
from porank.clicks.report import feedback_report
from porank.clicks.rules import per_session
from porank.errors import PorankError
from tests import oracles_clicks as oracle
from tests.click_logs import asked, log_of, logs
from tests.clicks.test_log import COLUMNS, SAID

#: Two clicked items, and their pairs by the rule that asks for times.
CLICKS: dict[str, list[Any]] = {"session": [1, 1], "item": ["a", "b"], "event": ["click"] * 2}
EARLIER: dict[str, Any] = {"rule": "click_over_earlier_click"}


class TestNames:
    """Which column is which, and which event."""

    def test_usual_names(self) -> None:
        for names in (
            "Session ID,UserId,ItemId,Event,Time",
            "user_session,user_id,product_id,event_type,event_time",
            "Session_ID,visitorid,itemid,event,Timestamp",
            "session-id,userID,itemID,EVENT,unix_time",
        ):
            log = log_of(f"{names}; 1,u,a,click,1; 1,u,b,click,2")
            assert list(preference_pairs(log, by="user", **EARLIER)) == [("u", "b", "a", 1)]
            user = names.split(",")[1]
            assert preference_pairs(log, by=user).keys()[0] == user, "under its own name"

    def test_events_by_other_names(self) -> None:
        events = {"view": "pv", "click": "Cart", "purchase": "buy"}
        for column in ("action", "behavior_type", "Interaction"):
            log = COLUMNS | {column: [events[event] for event in COLUMNS["event"]]}
            del log["event"]
            found = preference_pairs(log)
            assert list(found) == SAID
            assert found.shape is not None
            taken = tuple(f"{name!r} is taken as {event!r}" for event, name in events.items())
            assert found.shape.remarks == taken
            with pytest.raises(PorankError, match="one of 'click', 'view' as event, found 'pv'"):
                preference_pairs(ClickLog(log, events=["click", "view"]))

    def test_events_of_ones_own(self) -> None:
        log = log_of("session,item,event; 1,a,buy; 1,b,tap; 1,c,click; 1,d,seen")
        pairs = preference_pairs(ClickLog(log, events=["buy", ("click", "tap"), "seen"]))
        assert {u + v for _, u, v, _ in pairs} == {"ab", "ac", "ad", "bd", "cd"}
        flags = CLICKS | {"event": np.array([False, True])}
        assert list(preference_pairs(ClickLog(flags, events=[1, 0]))) == [(1, "b", "a", 1)]

    def test_what_is_said_comes_first(self) -> None:
        log = COLUMNS | {"visit": ["v"] * 5, "session_id": [1] * 5, "action": ["scroll"] * 5}
        assert preference_pairs(log)["session"].tolist() == [10, 10, 10, 11], "exactly this name"
        pairs = preference_pairs(ClickLog(log, columns={"session": "visit"}))
        assert pairs["session"].tolist() == ["v"] * 3
        shop = preference_pairs(ClickLog(log, columns={"shop": "visit"}), by="shop")
        assert set(shop["shop"]) == {"v"}

    def test_names_of_times_and_rows_in_their_place(self) -> None:
        for name in ("ts", "TS", "created_at", "Event Time", "date"):
            log = CLICKS | {name: [9, 8]}
            if name != "date":
                log["event_date"] = ["2026-01-01", "2026-01-02"]  # a day gives way to a time
            pairs = preference_pairs(log, **EARLIER)
            assert (list(pairs), pairs.counts.events_without_time) == ([(1, "a", "b", 1)], 0)
        pairs = preference_pairs(CLICKS | {"when": [9, 8]}, **EARLIER)
        assert (list(pairs), pairs.counts.events_without_time) == ([(1, "b", "a", 1)], 2)
        for rule in ("levels", "dwell"):
            counts = preference_pairs(CLICKS | {"dwell": [1, 2]}, rule=rule).counts
            assert counts.events_without_time == 0


class TestQuirks:
    """What is odd, and counted."""

    @given(log=logs())
    def test_as_defined(self, log: list[oracle.Row]) -> None:
        counts = preference_pairs(log, rule="last_click_over_skip_above").counts
        expected = oracle.quirks(log)
        assert {name: getattr(counts, name) for name in expected} == expected
        sizes = (len(oracle.sessions_of(log)), len(log), len(oracle.items_of(log)))
        assert (counts.sessions, counts.events, counts.items) == sizes

    def test_each_with_its_decision(self) -> None:
        rows = ["s1 a view 0", "s1 a click 3", "s1 a click 2", "s1 b purchase 4", "s3 a view 1"]
        log: list[Any] = [(*row.split()[:3], int(row[-1])) for row in [*rows, "s4 a like 1"]]
        log = [("s2", None, "", 1), *log, ("s1", float("nan"), None, 1)]
        columns = {"session": 0, "item": 1, "event": 2, "time": 3}
        rule = ["levels", "click_over_earlier_click"]
        pairs = preference_pairs(ClickLog(log, columns=columns, errors="report"), rule=rule)
        found = pairs.counts.quirks()
        others = {"events_without_time", "sessions_without_showing", "without_user"}
        assert found.keys() == DECISIONS.keys() - others - {"clipped", "effective_support"}
        assert {count for count, _ in found.values()} == {1}
        assert pairs.counts.unknown_events == {"like": 1}
        told = {name: text.removesuffix(": 'like' 1") for name, (_, text) in found.items()}
        assert told.items() <= DECISIONS.items()
        assert (pairs.counts.sessions, pairs.counts.events, pairs.counts.items) == (3, 5, 2)
        assert len(pairs.problems) == 1

    def test_rows_left_out_are_not_counted(self) -> None:
        """Rows of one session apart; without the third, no time lies before that before it."""
        for first, steps in (("1", 0), ("4", 1)):
            log = log_of(
                f"session,item,position,time; 1,a,1,{first}; 2,c,1,9; 1,b,,5; 1,d,2,3; 2,e,2,10"
            )
            rule = ["click_over_skip_above", "click_over_earlier_click"]
            reading: dict[str, Any] = {"columns": {"event": None}, "errors": "report"}
            pairs = asked(preference_pairs, log, rule=rule, **reading)
            assert [problem.line for problem in pairs.problems] == [3]
            assert pairs.counts.times_out_of_order == steps

    def test_the_event_above_the_weakest_is_a_plain_click(self) -> None:
        log = log_of("session,item,event; 1,a,purchase; 1,b,cart; 1,b,click; 1,c,cart; 1,d,view")
        read = ClickLog(log, events=["purchase", "cart", "click", "view"])
        assert preference_pairs(read).counts.purchases_without_click == 2

    def test_unknown_events_are_counted_by_themselves(self) -> None:
        events = ["like", "like", 7, None, float("nan"), "", ["a"], "share", "wave", "click"]
        log = {"session": [1] * 10, "item": list("abcdefghij"), "event": events}
        counts = preference_pairs(ClickLog(log, errors="report")).counts
        found = {"like": 2, 7: 1, None: 3, "['a']": 1, "share": 1, "wave": 1}
        assert counts.unknown_events == found
        text = str(counts.to_table().to_text())
        assert "say nothing: None 3, 'like' 2, 7 1, \"['a']\" 1, ..." in text
        arrays = log | {"event": np.array([7] * 9 + [8])}
        counts = preference_pairs(ClickLog(arrays, events=[8, 9], errors="report")).counts
        assert [(*map(type, each), each) for each in counts.unknown_events.items()] == [
            (int, int, (7, 9))
        ]


class TestLabels:
    """Labels come back as they are, in plain Python."""

    def test_of_all_kinds(self) -> None:
        labels: list[Any] = ["b", 3, 2.5, ("a", 1), frozenset("xy"), b"a", 2**70, np.int64(4)]
        log = {"session": [1] * 8, "item": labels, "event": ["click"] + ["view"] * 7}
        assert [row[1:3] for row in preference_pairs(log)] == [("b", v) for v in labels[1:]]
        assert type(preference_pairs(log).items[-1]) is int
        assert type(preference_pairs(log | {"item": np.arange(8.0)}).items[0]) is float

    def test_dates(self) -> None:
        days = ["2026-01-01T10:00:00.5", "2026-01-02"]
        items = pd.Series(pd.to_datetime(days, format="ISO8601"))
        log = {"session": items[[0, 0]].array, "item": items, "event": ["click", "view"]}
        (row,) = preference_pairs(pd.DataFrame(log))
        assert list(row[:3]) == [datetime.fromisoformat(day) for day in (days[0], *days)]
        assert set(map(type, row[:3])) == {datetime}
        of_days = CLICKS | {"item": np.array(["2026-01-01", "2026-01-02"], "M8[D]")}
        assert preference_pairs(of_days).items == [date(2026, 1, 1), date(2026, 1, 2)]


class TestPairs:
    """What goes with the pairs."""

    def test_nothing_to_compare(self) -> None:
        logs: list[Any] = [
            [],
            iter([]),
            pd.DataFrame({"session": [], "item": [], "event": []}),
            io.StringIO("session,item,event"),
            log_of("session,item,event; 1,a,click"),
            log_of("session,item,event; 1,,"),
        ]
        for log in logs:
            pairs = preference_pairs(log, by=("session",))
            assert pairs.keys() == ["session", "preferred", "other", "support"]
            assert (len(pairs), list(pairs)) == (0, [])

    def test_the_log_is_not_changed(self) -> None:
        log = {name: np.array(column) for name, column in COLUMNS.items()}
        log["position"] = np.array([1, -1, 2.5, np.inf, 4])
        before = {name: column.copy() for name, column in log.items()}
        preference_pairs(ClickLog(log, errors="report"), rule="last_click_over_skip_above")
        assert all((log[name] == before[name]).all() for name in log)

    def test_equal_reports_have_equal_hashes(self) -> None:
        unknown = ClickLog(CLICKS | {"event": ["click", "like"]}, errors="report")
        assert len({feedback_report(log) for log in (CLICKS, CLICKS, unknown)}) == 2

    def test_graphs_keep_the_problems(self) -> None:
        log = log_of("session,user,item,event; 1,u,a,click; 1,u,b,view; 1,u,,view; 2,v,b,click")
        read = ClickLog(log | {"user": [*"uuuv"]}, errors="report")
        pairs = preference_pairs(read, by=())
        by_user = preference_pairs(read, by="user")
        assert [problem.line for problem in pairs.problems] == [3]
        for G in (pairs.to_graph(), from_log(read)):
            assert G.graph == {"problems": pairs.problems}
        for G in preference_graphs(by_user).values():
            assert G.graph == {"problems": by_user.problems}
        good = {name: [*column[:2], column[3]] for name, column in log.items()}
        assert from_log(ClickLog(good, errors="report")).graph == {"problems": ()}
        assert from_log(good).graph == {}


@pytest.mark.parametrize(
    "rule",
    [
        "levels",
        "click_over_no_click_next",
        per_session(lambda events: [(events[0].item, event.item) for event in events[1:]]),
    ],
)
def test_sessions_may_not_say_too_many_pairs(rule: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three pairs of x, one of y; two of them are the same, and held once if counted together."""
    monkeypatch.setattr("porank.clicks.sessions.BLOCK_ROWS", 1)
    rows = "x,a,click,1; x,b,view,2; x,c,click,3; x,d,view,4; y,a,click,1; y,b,view,2"
    log = log_of(f"session,item,event,position; {rows}")
    found, together = len(preference_pairs(log, rule=rule)), preference_pairs(log, rule=rule, by=())
    monkeypatch.setattr("porank.clicks.rules.MAX_PAIRS", found)
    assert len(preference_pairs(log, rule=rule)) == found
    monkeypatch.setattr("porank.clicks.rules.MAX_PAIRS", found - 1)
    assert list(preference_pairs(log, rule=rule, by=())) == list(together)
    with pytest.raises(PorankError, match=f"at most {found - 1} pairs, found {found}"):
        preference_pairs(log, rule=rule)


def test_a_session_with_too_many_pairs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("porank.clicks.rules.MAX_PAIRS", 6)
    rows = "x,a,click; x,b,view; y,a,click; y,b,click; y,c,view; y,d,view; y,e,view; z,a,view"
    with pytest.raises(PorankError, match="at most 6 pairs, found 7, 6 by session 'y'; shorter"):
        preference_pairs(log_of(f"session,item,event; {rows}"))
