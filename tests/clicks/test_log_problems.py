"""What is wrong in a log: raised, or told with its line while the rest is used."""

from __future__ import annotations

import gzip
import io
import math
import re
from datetime import UTC, date, datetime
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest

from porank import ClickLog
from porank.clicks.feedback import from_log, preference_graphs
from porank.clicks.preference_pairs import preference_pairs
from porank.clicks.rules import per_session
from porank.errors import ParseError, PorankError
from tests.click_logs import asked
from tests.clicks.test_log import COLUMNS, NAMES, PLACES, ROWS, SAID, of_text, problems_of

pa = import_module("pyarrow")


class TestProblems:
    """What is wrong: raised, or told with its line while the rest is used."""

    def test_a_cell(self) -> None:
        whole = "expected a whole number >= 0 and below 2**53 as position, found"
        cells: list[tuple[str, Any, str]] = [
            ("session", None, "expected a session, found None"),
            ("item", "", "expected an item, found ''"),
            ("item", pd.NA, "expected an item, found <NA>"),
            ("item", np.datetime64("NaT", "ns"), "an item, found np.datetime64('NaT'"),
            ("item", ["a"], "a hashable item, found ['a']; a tuple or a text can be one"),
            ("user", ["u"], "a hashable user, found ['u']; a tuple or a text can be one"),
            ("event", "like", "one of 'purchase', 'click', 'view' as event, found 'like'"),
            ("event", "", "as event, found ''; events= names others"),
            ("event", [], "as event, found []"),
            *(("position", p, f"{whole} {p!r}") for p in ("first", 1.5, True, -1, 2**53)),
            ("position", None, "one position for 2 in session 10, and no other item there"),
            ("time", "noon", "a finite number or a date in ISO 8601 as time, found 'noon'"),
            ("time", math.inf, "a finite number or a date in ISO 8601 as time, found inf"),
            ("time", None, "expected a time, found none"),
            ("time", "2020-01-01", "a number as time, like the times before, found '2020"),
            ("dwell", -1, "expected a finite number >= 0 as dwell, found -1"),
        ]
        rules = ["levels", "last_click_over_skip_above", "dwell"]
        options: dict[str, Any] = {"rule": rules, "by": "user"}
        for column, value, message in cells:
            log = COLUMNS | {"dwell": [1, 1, 1, 1, 1]}
            log[column] = [*log[column][:2], value, *log[column][3:]]
            pairs = asked(preference_pairs, log, errors="report", **options)
            (problem,) = pairs.problems
            assert problem.line == 3
            assert message in problem.message
            good = {name: [*cells[:2], *cells[3:]] for name, cells in log.items()}
            assert list(pairs) == list(asked(preference_pairs, good, **options)), message
            with pytest.raises(ParseError) as caught:
                asked(preference_pairs, log, **options)
            assert caught.value.line == 3
            assert message in str(caught.value)

    def test_columns_that_no_rule_reads_may_hold_anything(self) -> None:
        log = COLUMNS | {"position": ["?"] * 5, "time": [None] * 5, "user": [[]] * 5}
        assert list(preference_pairs(log)) == SAID

    def test_a_showing_needs_no_time_and_no_dwell(self) -> None:
        log = COLUMNS | {"time": ["", 2, 3, 9, ""]}
        assert len(preference_pairs(log, rule="click_over_earlier_click")) == 1
        log["dwell"] = [None, 2, 1, 9, None]
        assert [row[1:3] for row in preference_pairs(log, rule="dwell")] == [(1, 2)]

    def test_positions(self) -> None:
        cases: list[tuple[list[Any], list[int], str]] = [
            ([1, 1, 3, 3], [1, 2], "in session 's', and no other item there, found 1"),
            ([1, 2, 3, None], [], ""),
            ([1, None, 3, 3], [2], "for 'b' in session 's', and no other item there, found none"),
            ([1, 2, 3, 4], [3, 4], "one position for 'c' in session 's', .* found 3, 4"),
        ]
        log = {"session": ["s"] * 4, "item": list("abcc")}
        log |= {"event": ["view", "click", "view", "click"]}
        for positions, lines, message in cases:
            log["position"] = positions
            pairs = preference_pairs(ClickLog(log, errors="report"), rule="click_over_skip_above")
            assert [problem.line for problem in pairs.problems] == lines
            assert all(re.search(message, problem.message) for problem in pairs.problems)
            assert preference_pairs(log).problems == (), "levels do not ask for positions"

    def test_a_session_of_two_users(self) -> None:
        log = COLUMNS | {"user": ["u", "v", "u", "w", "w"]}
        with pytest.raises(ParseError, match="one user for session 10, found 'u' and 'v'"):
            preference_pairs(log, by="user")
        pairs = preference_pairs(ClickLog(log, errors="report"), by="user")
        assert [problem.line for problem in pairs.problems] == [1, 2, 3]
        assert list(pairs) == [("w", 1, 3, 1)]
        assert pairs.items == [3, 1]

    def test_rows_of_other_kinds(self) -> None:
        expected = "mappings, or tuples of one length, as the rows of the log"
        rows: list[Any] = [*ROWS[:2], ROWS[2][:3], "row", None, *ROWS[3:]]
        assert problems_of(rows, columns=PLACES) == [
            f"line {line}: expected {expected}, found {rows[line - 1]!r}" for line in (3, 4, 5)
        ]
        keyed: list[Any] = [dict(zip(NAMES, row, strict=True)) for row in ROWS]
        keyed[1] = ("s",)
        del keyed[2]["item"]
        assert problems_of(keyed) == [
            f"line 2: expected {expected}, found ('s',)",
            "line 3: expected an item, found None",
        ]

    def test_dates(self) -> None:
        times: list[Any] = [
            ["2020-01-01T00:00:00Z", "2020-01-01 01:00:01+01:00", "2020-01-01 00:00:02 UTC"],
            [1577836800, "1577836801", 1577836802.0],
            pd.to_datetime(["2020-01-01 00:00:00", "2020-01-01 00:00:01", "2020-01-01 00:00:02"]),
            pd.Series(pd.date_range("2020-01-01", periods=3, freq="s", tz="UTC")),
            np.arange("2020-01-01T00:00:00", "2020-01-01T00:00:03", dtype="datetime64[s]"),
            pa.array([datetime(2020, 1, 1, 0, 0, second) for second in range(3)]),
            [date(2020, 1, 1), datetime(2020, 1, 1, 0, 0, 1, tzinfo=UTC), "2020-01-01T00:00:02"],
        ]
        for column in times:
            log = {"session": [1] * 3, "item": list("abc"), "event": ["click"] * 3, "time": column}
            earlier = preference_pairs(log, rule="click_over_earlier_click")
            assert [u + v for _, u, v, _ in earlier] == ["ba", "ca", "cb"]
            assert len(preference_pairs(log, rule="dwell")) == 0, "a second on each"
        log["time"] = np.array(["2020-01-01", "NaT", "2020-01-02"], dtype="datetime64[D]")
        assert problems_of(log, rule="dwell") == ["line 2: expected a time, found none"]


class TestTexts:
    """What can be wrong with a file."""

    HEAD = "session,item,event\n"

    def test_a_line(self) -> None:
        texts: list[tuple[bytes, list[str]]] = [
            (b"s,a,click\ns,b\ns,c,view\n", ["line 3: expected 3 cells, found 2"]),
            (b"s,a,click\n\ns,c,view\ns,d,view,1\n", ["line 5: expected 3 cells, found 4"]),
            (b"s,a,click\n  \n,,\n, ,\ns,c,view\ns,,view", ["line 7: expected an item, found"]),
            (b"s,a,click\ns,c,view\ns,b,vi", ["line 4: expected one of"]),
            (b's,a,click\ns,c,view\ns,"x\ny",like\ns,,view\n', ["line 4: ", "line 5: "]),
            (b'"s",a,click\n"t\nu",b,view\ns,c,"view"\ns,d,like\n', ["line 5: "]),
            (b"s,a,click\r\ns,c,view\r\ns,,view\r\n\r\n", ["line 4: expected an item, found ''"]),
            (b"s,a,click\ns,c,view\ns,\xfc,view\n", ["line 4: expected a text in UTF-8"]),
            (b"s,a,click\ns,c,view\ns,b,vi\xe9w\n", ["line 4: "]),
            (b's,a,click\n"x"y,,\ns,"\n",view\ns,c,view\ns,e,?\n', ["line 4", "line 6"]),
        ]
        for text, problems in texts:
            pairs = of_text(self.HEAD.encode() + text, errors="report")
            found = [str(problem) for problem in pairs.problems]
            assert len(found) == len(problems)
            assert all(map(str.startswith, found, problems)), found
            assert ("s", "a", "c", 1) in list(pairs), "the good lines are used"
            with pytest.raises(ParseError) as caught:
                of_text(self.HEAD.encode() + text)
            assert str(caught.value).startswith(found[0].partition(":")[0])

    def test_compressed_and_cut(self, tmp_path: Path) -> None:
        rng = np.random.default_rng(0)
        lines = [f"{s},{rng.integers(10**9)},click\n" for s in range(2000)]
        path = tmp_path / "log.csv.gz"
        path.write_bytes(gzip.compress((self.HEAD + "".join(lines)).encode())[:9000])
        for errors in ("raise", "report"):
            with pytest.raises(ParseError, match="found an error: Compressed file ended"):
                preference_pairs(ClickLog(path, errors=errors))

    def test_files_are_named(self, tmp_path: Path) -> None:
        path = tmp_path / "log.parquet"
        with pytest.raises(FileNotFoundError):
            preference_pairs(path)
        path.write_text(self.HEAD)
        with pytest.raises(ParseError, match="expected a Parquet file"):
            preference_pairs(path)
        path = tmp_path / "clicks.csv"
        path.write_text(self.HEAD + "s,,click\n")
        with pytest.raises(ParseError, match=r"clicks.csv, line 2: expected an item, found ''"):
            preference_pairs(path)


class TestProblemsOfGraphs:
    """What is wrong in a log goes with what is made of it."""

    LOG: ClassVar[dict[str, list[Any]]] = {
        "session": [1, 1, 1, 2, 2],
        "user": ["u", "u", "u", "v", "v"],
        "item": ["a", "b", "", "a", "b"],
        "event": ["click", "view", "view", "view", "click"],
    }

    def test_every_graph_keeps_them(self) -> None:
        pairs = preference_pairs(ClickLog(self.LOG, errors="report"), by=())
        assert [problem.line for problem in pairs.problems] == [3]
        assert pairs.to_graph().graph == {"problems": pairs.problems}
        by_user = preference_pairs(ClickLog(self.LOG, errors="report"), by="user")
        graphs = preference_graphs(by_user)
        assert [G.graph for G in graphs.values()] == [{"problems": by_user.problems}] * 2
        assert from_log(ClickLog(self.LOG, errors="report")).graph == {"problems": pairs.problems}

    def test_none_where_nothing_is_wrong(self) -> None:
        log = {name: [*column[:2], *column[3:]] for name, column in self.LOG.items()}
        assert from_log(ClickLog(log, errors="report")).graph == {"problems": ()}
        assert from_log(log).graph == {}


def test_unknown_events_are_counted_by_themselves() -> None:
    events = ["like", "like", 7, None, float("nan"), "", ["a"], "share", "wave", "click"]
    log = {"session": [1] * 10, "item": list("abcdefghij"), "event": events}
    counts = preference_pairs(ClickLog(log, errors="report")).counts
    found = {"like": 2, 7: 1, None: 3, "['a']": 1, "share": 1, "wave": 1}
    assert counts.unknown_events == found
    text = str(counts.to_table().to_text())
    assert "say nothing: None 3, 'like' 2, 7 1, \"['a']\" 1, ..." in text
    arrays = log | {"event": np.array([7] * 9 + [8])}
    counts = preference_pairs(ClickLog(arrays, events=[8, 9], errors="report")).counts
    assert [*counts.unknown_events.items()] == [(7, 9)]
    assert type(next(iter(counts.unknown_events))) is int


class TestSequence:
    """Times have many names, and a log may have none."""

    LOG: ClassVar[dict[str, list[Any]]] = {
        "session": [1, 1],
        "item": ["a", "b"],
        "event": ["click"] * 2,
    }

    def test_usual_names_of_times(self) -> None:
        for name in ("ts", "TS", "unix_time", "created_at", "Event Time", "date"):
            log = self.LOG | {name: [9, 8]}
            if name != "date":
                log["event_date"] = ["2026-01-01", "2026-01-02"]  # a day gives way to a time
            pairs = preference_pairs(log, rule="click_over_earlier_click")
            assert list(pairs) == [(1, "a", "b", 1)]
            assert pairs.counts.events_without_time == 0

    def test_rows_in_place_of_times_are_named_where_they_matter(self) -> None:
        log = self.LOG | {"when": [9, 8]}
        pairs = preference_pairs(log, rule="click_over_earlier_click")
        assert list(pairs) == [(1, "b", "a", 1)]
        assert pairs.counts.events_without_time == 2
        assert "rows are taken to be in order of time" in pairs.counts.to_table().to_text()
        for rule in ("levels", "dwell"):
            counts = preference_pairs(self.LOG | {"dwell": [1, 2]}, rule=rule).counts
            assert counts.events_without_time == 0


class TestLongSessions:
    """Pairs grow with the square of a session."""

    def test_a_session_with_too_many_pairs_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("porank.clicks.rules.MAX_PAIRS", 6)
        log = {
            "session": ["x", "x", "y", "y", "y", "y", "y", "z"],
            "item": list("ababcdea"),
            "event": ["click", "view", "click", "click", "view", "view", "view", "view"],
        }
        expected = "expected at most 6 pairs, found 7, 6 by session 'y'; shorter sessions, .* fewer"
        with pytest.raises(PorankError, match=expected):
            preference_pairs(log)
        monkeypatch.setattr("porank.clicks.rules.MAX_PAIRS", 7)
        assert len(preference_pairs(log)) == 7

    OWN = staticmethod(per_session(lambda events: [(events[0].item, e.item) for e in events[1:]]))
    #: Three pairs of x, one of y; two of them are the same.
    MANY: ClassVar = {
        "session": ["x", "x", "x", "x", "y", "y"],
        "item": list("abcdab"),
        "event": ["click", "view", "view", "view", "click", "view"],
    }

    @pytest.mark.parametrize("rule", ["levels", "click_over_no_click_next", OWN])
    def test_pairs_of_all_sessions_count(self, rule: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        log = self.MANY | {"position": [1, 2, 3, 4, 1, 2]}
        if rule == "click_over_no_click_next":
            log["event"] = ["click", "view", "click", "view", "click", "view"]
        monkeypatch.setattr("porank.clicks.sessions.BLOCK_ROWS", 1)
        found = len(preference_pairs(log, rule=rule))
        for by in ("session", ()):
            pairs = preference_pairs(log, by=by, rule=rule)
            monkeypatch.setattr("porank.clicks.rules.MAX_PAIRS", found)
            assert list(preference_pairs(log, by=by, rule=rule)) == list(pairs)
            monkeypatch.setattr("porank.clicks.rules.MAX_PAIRS", found - 1)
            if by:
                with pytest.raises(PorankError, match=f"at most {found - 1} pairs, found {found}"):
                    preference_pairs(log, by=by, rule=rule)
            else:
                assert list(preference_pairs(log, by=by, rule=rule)) == list(pairs), "held once"
            monkeypatch.undo()
            monkeypatch.setattr("porank.clicks.sessions.BLOCK_ROWS", 1)


def test_a_log_of_bad_rows_alone_has_no_sessions_to_cut() -> None:
    log = {"user": [1], "item": ["a"], "event": ["unheard of"], "time": [1]}
    cut = ClickLog(log, gap=5, errors="report")
    assert len(preference_pairs(cut)) == 0


def test_lines_of_blanks_end_no_file() -> None:
    for blank, place in product((" ", ",", ",,,", '""', " \r"), (1, 3, 5)):
        lines = ["session,item,event", "1,a,click", "1,b,view", "2,a,click", "2,b,view"]
        lines.insert(place, blank)
        pairs = preference_pairs(io.StringIO("\n".join(lines) + "\n"), by=())
        assert list(pairs) == [("a", "b", 2)]


def test_lines_that_are_no_objects_are_no_empty_log(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    for line in ("3", "null", '"x"', "{} {}", "// c"):
        path.write_text(f"{line}\n")
        with pytest.raises(ParseError, match="expected an object in JSON in each line"):
            preference_pairs(path)


def test_durations_are_no_numbers() -> None:
    times = np.array([0, 60], dtype="m8[s]")
    log = {"user": [1, 1], "item": ["a", "b"], "event": ["click", "view"], "time": times}
    with pytest.raises(ParseError, match="time"):
        preference_pairs(ClickLog(log, gap=600))
