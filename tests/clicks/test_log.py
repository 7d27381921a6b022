"""Logs as they come: columns, rows and files, their quirks, and what is wrong in them."""

from __future__ import annotations

import gzip
import io
from collections import namedtuple
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank import ClickLog
from porank.clicks.log import DECISIONS
from porank.clicks.preference_pairs import preference_pairs
from porank.clicks.report import feedback_report
from porank.clicks.rules import dwell, levels
from porank.errors import ParseError, PorankError
from tests import oracles_clicks as oracle
from tests.click_logs import asked, what_pairs_say
from tests.clicks.test_rules import logs

pl = import_module("polars")
pa, pq = import_module("pyarrow"), import_module("pyarrow.parquet")

#: Two sessions of two users, the times of the second out of order.
COLUMNS: dict[str, list[Any]] = {
    "session": [10, 10, 10, 11, 11],
    "user": ["u", "u", "u", "ü", "ü"],
    "item": [3, 1, 2, 1, 3],
    "position": [1, 2, 3, 1, 2],
    "event": ["view", "click", "purchase", "click", "view"],
    "time": [0.5, 2, 3, 9, 7],
}
NAMES = [*COLUMNS]
ROWS = list(zip(*COLUMNS.values(), strict=True))
SAID = [(10, 2, 1, 1), (10, 2, 3, 1), (10, 1, 3, 1), (11, 1, 3, 1)]
Row = namedtuple("Row", "session user item position event time")
#: For options that no checker of types would let pass.
ANY_DWELL: Any = dwell
ANY_LEVELS: Any = levels
#: Not every form of a log has names.
PLACES = {name: place for place, name in enumerate(NAMES)}


def as_csv(columns: dict[str, list[Any]], delimiter: str = ",", end: str = "\n") -> str:
    rows = [list(columns), *zip(*columns.values(), strict=True)]
    return "".join(delimiter.join(map(str, row)) + end for row in rows)


def problems_of(log: Any, **options: Any) -> list[str]:
    return [
        str(problem)
        for problem in asked(preference_pairs, log, errors="report", **options).problems
    ]


def of_text(text: str | bytes, **options: Any) -> Any:
    file = io.BytesIO(text) if isinstance(text, bytes) else io.StringIO(text, newline="")
    return asked(preference_pairs, file, **options)


class TestForms:
    """The same log in every form."""

    @pytest.mark.parametrize(
        "make",
        [
            lambda: COLUMNS,
            lambda: {name: np.array(column) for name, column in COLUMNS.items()},
            lambda: {name: iter(column) for name, column in COLUMNS.items()},
            lambda: pd.DataFrame(COLUMNS, index=[7, 7, 1, 0, "x"]),
            lambda: pd.DataFrame(COLUMNS).convert_dtypes(),
            lambda: pd.DataFrame(COLUMNS).astype({"event": "category"}),
            lambda: pd.DataFrame(COLUMNS).to_records(index=False),
            lambda: pl.DataFrame(COLUMNS, strict=False),
            lambda: pa.concat_tables([pa.table(COLUMNS).slice(0, 2), pa.table(COLUMNS).slice(2)]),
            lambda: [dict(zip(NAMES, row, strict=True)) for row in ROWS],
            lambda: (dict(zip(NAMES, row, strict=True)) for row in ROWS),
            lambda: [Row(*row) for row in ROWS],
        ],
    )
    def test_in_memory(self, make: Callable[[], Any]) -> None:
        pairs = preference_pairs(make())
        assert list(pairs) == SAID
        assert {type(value) for row in pairs for value in row} == {int}
        assert pairs.items == [3, 1, 2]
        assert list(map(type, pairs.items)) == [int, int, int]
        assert pairs.counts.times_out_of_order == 0, "levels do not read times"
        by_user = preference_pairs(make(), by="user", rule="click_over_earlier_click")
        assert list(by_user) == [("u", 2, 1, 1)]
        assert by_user.counts.times_out_of_order == 1

    @given(log=logs(), faults=st.lists(st.integers(0, 30), max_size=3), rows=st.integers(1, 9))
    def test_texts_in_frames(self, log: list[oracle.Row], faults: list[int], rows: int) -> None:
        columns = {name: [repr(row[name]) for row in log] for name in (log or [{}])[0]}
        for fault, name in zip(faults, ("time", "position", "item"), strict=False):
            if columns:
                columns[name][fault % len(log)] = " "
        if not columns:
            return
        columns["event"] = [row["event"] for row in log]
        rule = ["dwell", "click_over_earlier_click", "click_over_skip_above"]
        options: dict[str, Any] = {"rule": rule, "by": "user", "errors": "report"}
        plain = what_pairs_say(asked(preference_pairs, columns, **options))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("porank.core.columns.BLOCK_ROWS", rows)
            for make in (pl.DataFrame, pd.DataFrame, pa.table):
                found = asked(preference_pairs, make(columns), **options)
                assert what_pairs_say(found) == plain

    def test_rows_without_names(self) -> None:
        for rows in (ROWS, iter(ROWS), list(map(list, ROWS))):
            assert list(preference_pairs(ClickLog(rows, columns=PLACES))) == SAID
        with pytest.raises(PorankError, match=r"expected columns=\{'session': 0, ...\}"):
            preference_pairs(ROWS)

    @pytest.mark.parametrize("name", ["log.csv", "log.tsv", "log.csv.gz", "log.TAB", "log"])
    def test_texts(self, tmp_path: Path, name: str) -> None:
        is_tabbed = ".t" in name.lower()
        text = "\ufeff" + as_csv(COLUMNS, "\t" if is_tabbed else ",", "\r\n" if is_tabbed else "\n")
        content = text.encode()
        path = tmp_path / name
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        expected = [(str(s), str(u), str(v), n) for s, u, v, n in SAID]
        assert list(preference_pairs(path)) == expected
        assert list(preference_pairs(str(path))) == expected
        assert set(preference_pairs(path, by="user")["user"]) == {"u", "ü"}
        if not name.endswith(".gz"):
            with path.open("rb") as binary, path.open(encoding="utf-8", newline="") as opened:
                assert list(preference_pairs(binary)) == list(preference_pairs(opened)) == expected
                assert (binary.closed, opened.closed) == (False, False)

    def test_a_text_without_header(self) -> None:
        text = as_csv(COLUMNS).partition("\n")[2]
        pairs = of_text(text, columns=PLACES)
        assert ([row[-1] for row in pairs], pairs.counts.events) == ([1, 1, 1, 1], 5)

    def test_parquet(self, tmp_path: Path) -> None:
        path = tmp_path / "log.parquet"
        pq.write_table(pa.table(COLUMNS), path, row_group_size=2)
        assert list(preference_pairs(path)) == SAID
        table = pa.table(COLUMNS).set_column(0, "session", pa.array([10, 10, 10, None, 11]))
        pq.write_table(table, path)
        assert problems_of(path) == ["line 4: expected a session, found None"]

    def test_labels_of_all_kinds(self) -> None:
        labels: list[Any] = ["b", 3, 2.5, ("a", 1), frozenset("xy"), b"a", 2**70, np.int64(4)]
        log = {"session": [1] * 8, "item": labels, "event": ["click"] + ["view"] * 7}
        assert [row[1:3] for row in preference_pairs(log)] == [("b", v) for v in labels[1:]]
        assert type(preference_pairs(log).items[-1]) is int
        assert type(preference_pairs(log | {"item": np.arange(8.0)}).items[0]) is float

    def test_nothing_to_compare(self) -> None:
        logs: list[Any] = [
            [],
            iter([]),
            pd.DataFrame({"session": [], "item": [], "event": []}),
            io.StringIO("session,item,event"),
            {"session": [1], "item": ["a"], "event": ["click"]},
            {"session": [1], "item": [None], "event": [None]},
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


def test_columns_and_rows_of_what_comes_back() -> None:
    pairs = preference_pairs(COLUMNS, by=["user", "session"])
    assert pairs.keys() == ["user", "session", "preferred", "other", "support"]
    assert pairs["session"].tolist() == [10, 10, 10, 11]
    assert pairs["user"].dtype == object
    assert dict(pairs)["support"].tolist() == [1, 1, 1, 1]
    assert repr(pairs) == ("<PreferencePairs: 4 rows of user, session, preferred, other, support>")
    with pytest.raises(KeyError, match="one of 'user', 'session'"):
        pairs["weight"]
    assert pairs.to_csv().splitlines()[:2] == [",".join(pairs.keys()), "u,10,2,1,1"]
    frame = pairs.to_frame()
    assert list(frame.columns) == pairs.keys()
    assert frame.groupby("user")["support"].sum().to_dict() == {"u": 3, "ü": 1}


class TestNames:
    """Which column is which."""

    def test_usual_names(self) -> None:
        for names in (
            "SessionId UserId ItemId Event Time",
            "user_session user_id product_id event_type event_time",
            "Session_ID visitorid itemid event Timestamp",
            "session-id userID itemID EVENT time",
        ):
            session, user, item, event, time = names.split()
            columns: dict[str, list[Any]] = {session.replace("_ID", " ID"): [1, 1], user: ["u"] * 2}
            columns |= {item: ["a", "b"], event: ["click"] * 2, time: [1, 2]}
            pairs = preference_pairs(columns, by="user", rule="click_over_earlier_click")
            assert list(pairs) == [("u", "b", "a", 1)]
            assert preference_pairs(columns, by=user).keys()[0] == user, "under its own name"

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
            with pytest.raises(ParseError, match="one of 'click', 'view' as event, found 'pv'"):
                preference_pairs(ClickLog(log, events=["click", "view"]))

    def test_what_is_said_comes_first(self) -> None:
        log = COLUMNS | {"visit": ["v"] * 5, "session_id": [1] * 5, "action": ["scroll"] * 5}
        assert preference_pairs(log)["session"].tolist() == [10, 10, 10, 11], "exactly this name"
        pairs = preference_pairs(ClickLog(log, columns={"session": "visit"}))
        assert pairs["session"].tolist() == ["v"] * 3
        assert set(
            preference_pairs(ClickLog(log, columns={"shop": "visit"}), by="shop")["shop"]
        ) == {"v"}

    def test_several_columns_tell_a_session(self) -> None:
        log = {"user": ["u", "v"] * 2, "day": [1] * 4, "item": list("abcd"), "event": ["click"] * 4}
        log["event"] = ["click", "click", "view", "view"]
        pairs = preference_pairs(
            ClickLog(log, columns={"session": ["user", "day"]}), by=("session", "user")
        )
        assert list(pairs) == [(("u", 1), "u", "a", "c", 1), (("v", 1), "v", "b", "d", 1)]
        log["day"] = [1, None, 1, float("nan")]
        assert problems_of(log, columns={"session": ["user", "day"]}) == [
            "line 2: expected a session, found None",
            "line 4: expected a session, found None",
        ]

    def test_missing(self) -> None:
        twice = {"session": [1], "item_id": [1], "product": [2], "event": ["view"]}
        item, two = {"item": [1], "event": ["view"]}, {"item": [1, 2], "event": ["view"]}
        logs: list[tuple[Any, str]] = [
            (item, "for session, found 'item', 'event': too few of them"),
            ({"visitorid": [1], "itemid": [1]}, "columns={'session': 'visitorid'} takes all"),
            ({"session": [1]}, "for item and for event, found 'session'"),
            (twice, "one column for item, found 'item_id', 'product'; columns={'item': ...}"),
            (pd.DataFrame([[1, 2, 3]], columns=["session", "item", "item"]), "each column once"),
            ({"session": [1]} | two, "one length, found 1 in 'sess"),
            ({"session": 1} | item, "values as 'session', found 1"),
            ({"session": np.eye(2)} | item, r"the shape \(2, 2\)"),
            (["s,a,click"], "as the rows of the log, found 's,a,click'"),
            (7, "columns, rows, or the path of a file; found 7"),
            (b"log.csv", "columns, rows, or the path of a file; found b'log.csv'"),
            (io.StringIO(""), "found no columns"),
        ]
        for log, message in logs:
            with pytest.raises(PorankError, match=message):
                preference_pairs(log)
        with pytest.raises(PorankError, match="names or positions as columns, found both"):
            of_text("a,b\n", columns={"session": 0, "item": "b"})


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
        log += [("s2", None, "", 1), ("s1", float("nan"), None, 1)]
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
        assert "a purchase counts as a click" in str(pairs.counts.to_table())


class TestFiles:
    """Files of many rows."""

    @given(log=logs(), size=st.integers(1, 12), by=st.sampled_from([(), "user", "session"]))
    def test_blocks_do_not_matter(self, log: list[oracle.Row], size: int, by: Any) -> None:
        together = [row for rows in oracle.sessions_of(log).values() for row in rows]
        columns = {name: [row[name] for row in together] for name in (log[0] if log else [])}
        spent = [0.2, 0.3, 0.5, 0.50000001, 2e8]
        columns |= {"dwell": [spent[row["dwell"]] for row in together]} if log else {}
        text = as_csv(columns) if log else "session,item,event,user,position,time,dwell\n"
        text = text.replace("frozenset({'x', 'y'})", "set").replace("frozenset({'y', 'x'})", "set")
        text = text.replace("('a', 1)", "tuple")
        rule = ["click_over_no_click_next", "last_click_over_skip_above", "dwell"]
        options: dict[str, Any] = {"rule": rule, "by": by, "propensity": [1, 0.7, 0.3, 0.1, 0.1, 1]}
        whole = of_text(text, **options)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("porank.core.columns.BLOCK_ROWS", size)
            parts = of_text(text, **options)
        assert list(whole) == list(parts)
        assert (whole.counts, whole.items) == (parts.counts, parts.items)

    def test_a_long_file(self) -> None:
        n = 15_000
        log = {"session": np.arange(n) // 3, "item": np.arange(n) % 50}
        log["event"] = np.where(np.arange(n) % 3 == 1, "click", "view")
        frame = pd.DataFrame(log)
        text = frame.to_csv(index=False)
        whole = preference_pairs(log, by=())
        assert sum(whole["support"].tolist()) == 2 * n // 3
        found = of_text(text, by=())
        assert sorted((int(u), int(v), s) for u, v, s in found) == sorted(whole)
        broken = text + "x"
        assert [p.line for p in of_text(broken, errors="report").problems] == [n + 2]


SHORT: dict[str, list[Any]] = {
    "session": [1, 1, 2, 2],
    "item": ["a", "b", "a", "b"],
    "event": ["click", "view", "click", "view"],
    "position": [1, 2, 1, 2],
}


class TestCounts:
    """What is odd."""

    def test_rows_left_out_are_not_counted(self) -> None:
        # Rows of one session apart; without the third, no time lies before the one before it.
        log = {
            "session": [1, 2, 1, 1, 2, 2],
            "item": ["a", "c", "b", "d", "e", "c"],
            "event": ["click"] * 6,
            "position": [1, 1, None, 2, 2, 1],
            "time": [1, 9, 5, 3, 10, 11],
        }
        rule = ["click_over_skip_above", "click_over_earlier_click"]
        pairs = preference_pairs(ClickLog(log, errors="report"), rule=rule)
        assert [problem.line for problem in pairs.problems] == [3]
        assert pairs.counts.times_out_of_order == 0
        log["time"] = [4, 9, 5, 3, 10, 11]
        assert (
            preference_pairs(ClickLog(log, errors="report"), rule=rule).counts.times_out_of_order
            == 1
        )

    def test_the_event_above_the_weakest_is_a_plain_click(self) -> None:
        events = ["purchase", "cart", "click", "view"]
        log = {"session": [1] * 4, "item": [1, 2, 2, 3], "event": [*events[:3], "cart"]}
        assert preference_pairs(ClickLog(log, events=events)).counts.purchases_without_click == 2

    def test_a_row_with_two_faults_is_told_once(self) -> None:
        log = SHORT | {"user": ["u", "v", "w", "w"], "position": [1, 1, 1, 2]}
        found = problems_of(log, by="user", rule="click_over_skip_above")
        assert found == [
            f"line {line}: expected one user for session 1, found 'u' and 'v'; "
            "columns={'session': [..., ...]} tells sessions apart by several columns"
            for line in (1, 2)
        ]

    def test_times_count_only_where_nothing_tells_how_long(self) -> None:
        log = {"session": [1, 1], "item": ["a", "b"], "event": ["click"] * 2, "dwell": [8, 7]}
        for times in ([1, None], ["?", 1], [9, 2]):
            pairs = preference_pairs(log | {"time": times}, rule="dwell")
            assert list(pairs) == [(1, "a", "b", 1)]
            assert pairs.counts.times_out_of_order == 0
        both = ["dwell", "click_over_earlier_click"]
        assert problems_of(log | {"time": [1, None]}, rule=both) == [
            "line 2: expected a time, found none"
        ]


class TestPairs:
    """What goes with the pairs."""

    def test_a_rule_of_ones_own_may_say_a_pair_twice(self) -> None:
        def twice(_: Any) -> Any:
            return [0, 0], [1, 1]

        assert list(preference_pairs(SHORT, rule=twice, by=())) == [("a", "b", 1)]

    def test_equal_reports_have_equal_hashes(self) -> None:
        reports = {feedback_report(SHORT), feedback_report(SHORT)}
        unknown = SHORT | {"event": ["view", "like", "view", "view"]}
        assert len(reports | {feedback_report(ClickLog(unknown, errors="report"))}) == 2

    def test_both_sides_are_of_one_type(self) -> None:
        for propensity, kind in ((None, int), ([1, 1], float)):
            pairs = preference_pairs(ClickLog(SHORT, propensity=propensity), by=())
            (data,) = (data for *_, data in pairs.to_graph().edges(data=True))
            assert set(map(type, data.values())) == {kind}

    def test_sums_of_weights_do_not_depend_on_the_sequence_of_groups(self) -> None:
        # 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 are different floats.
        totals = set()
        for places in ([1, 9, 2, 9, 3, 9], [3, 9, 2, 9, 1, 9]):
            log = {"session": np.repeat([1, 2, 3], 2), "item": list("ababab"), "position": places}
            log["event"] = ["click", "view"] * 3
            pairs = preference_pairs(ClickLog(log, propensity={1: 1, 2: 1 / 2, 3: 1 / 3, 9: 1}))
            scaled = replace(pairs, support=pairs["support"] / 10)
            totals.add(feedback_report(scaled).support)
        assert all(total == pytest.approx(0.6, abs=1e-12) for total in totals)


class TestArrays:
    """Arrays in which something is missing."""

    def test_masked(self) -> None:
        masked = np.ma.MaskedArray([1, 1, 2, 2], mask=[False, False, False, True])
        pairs = preference_pairs(ClickLog(SHORT | {"session": masked}, errors="report"))
        assert [str(problem) for problem in pairs.problems] == [
            "line 4: expected a session, found None"
        ]
        assert pairs["session"].tolist() == [1]

    def test_integers_of_polars_beside_nothing(self) -> None:
        for name in ("session", "item", "position"):
            column = [*COLUMNS[name][:3], None, *COLUMNS[name][4:]]
            log = ClickLog(pl.DataFrame(COLUMNS | {name: column}, strict=False), errors="report")
            pairs = preference_pairs(log, rule="click_over_skip_above")
            assert [problem.line for problem in pairs.problems] == [4]
            assert {type(label) for label in (*pairs.items, *pairs["session"].tolist())} == {int}


class TestDates:
    """Dates as items and sessions."""

    def test_those_of_pandas_are_those_of_python(self) -> None:
        for first in ("2026-01-01", "2026-01-01T10:00:00.5"):
            days = [first, "2026-01-02"]
            items = pd.Series(pd.to_datetime(days, format="ISO8601"))
            log = {"session": items[[0, 0]].array, "item": items, "event": ["click", "view"]}
            (row,) = preference_pairs(pd.DataFrame(log))
            expected = [datetime.fromisoformat(day) for day in [first, *days]]
            assert list(row[:3]) == expected
            assert set(map(type, row[:3])) == {datetime}

    def test_days_are_days(self) -> None:
        items = np.array(["2026-01-01", "2026-01-02"], "M8[D]")
        pairs = preference_pairs({"session": [1, 1], "item": items, "event": ["click", "view"]})
        assert pairs.items == [date(2026, 1, 1), date(2026, 1, 2)]


def test_a_series_has_an_index_or_is_a_sequence() -> None:
    log = {"session": [1] * 3, "item": list("abc"), "position": [1, 2, 3]}
    log["event"] = ["view", "view", "click"]
    for series in (pd.Series([1, 0.5, 0.25]), pd.Series([0.25, 0.5, 1], index=[3, 2, 1])):
        pairs = preference_pairs(ClickLog(log, propensity=series))
        assert list(pairs) == list(preference_pairs(ClickLog(log, propensity=[1, 0.5, 0.25])))
        assert set(pairs["support"].tolist()) == {4.0}


def test_what_a_rule_does_not_take_is_named() -> None:
    for rule in (partial(ANY_DWELL, tol=5), partial(ANY_LEVELS, tolerance=5)):
        with pytest.raises(TypeError, match="unexpected keyword argument 'tol"):
            preference_pairs(SHORT | {"dwell": [1] * 4}, rule=rule)


def test_a_separator_that_is_no_comma(tmp_path: Any) -> None:
    path = tmp_path / "log.csv"
    rows = [("session", "item", "event"), ("1", "a, b", "click"), ("1", "c", "view")]
    for sign, before in product(";\t|", ("", "\n", "\r\n\n")):
        path.write_text(before + "".join(f"{sign.join(row)}\n" for row in rows))
        assert list(preference_pairs(path)) == [("1", "a, b", "c", 1)]
