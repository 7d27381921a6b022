"""Logs as they come: forms, names and files, what is odd in them, and what is wrong."""

import gzip
import io
from collections import namedtuple
from collections.abc import Callable
from datetime import date, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank import ClickLog
from porank.clicks.feedback import from_log, preference_graphs
from porank.clicks.preference_pairs import preference_pairs
from porank.clicks.quirks import DECISIONS
from porank.clicks.rules import per_session
from porank.errors import PorankError
from tests.support import oracles_clicks as oracle
from tests.support.click_logs import asked, log_of, logs, problems_of, what_pairs_say
from tests.support.refusals import refuses

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
#: Two clicked items, and the rule that asks for times.
CLICKS: dict[str, list[Any]] = {"session": [1, 1], "item": ["a", "b"], "event": ["click"] * 2}
EARLIER: dict[str, Any] = {"rule": "click_over_earlier_click"}
#: Not every form of a log has names.
PLACES = {name: place for place, name in enumerate(NAMES)}


def as_csv(columns: dict[str, list[Any]], delimiter: str = ",", end: str = "\n") -> str:
    rows = [list(columns), *zip(*columns.values(), strict=True)]
    return "".join(delimiter.join(map(str, row)) + end for row in rows)


def of_text(text: str, **options: Any) -> Any:
    return asked(preference_pairs, io.StringIO(text, newline=""), **options)


FORMS: list[Callable[[], Any]] = [
    lambda: COLUMNS,
    # Arrays that cannot be written to.
    lambda: {name: np.broadcast_to(column, 5) for name, column in COLUMNS.items()},
    lambda: {name: iter(column) for name, column in COLUMNS.items()},
    lambda: pd.DataFrame(COLUMNS, index=[7, 7, 1, 0, "x"]),
    lambda: pd.DataFrame(COLUMNS).convert_dtypes().astype({"event": "category"}),
    lambda: pd.DataFrame(COLUMNS).to_records(index=False),
    lambda: import_module("polars").DataFrame(COLUMNS, strict=False),
    lambda: pa.concat_tables([pa.table(COLUMNS).slice(0, 2), pa.table(COLUMNS).slice(2)]),
    lambda: [dict(zip(NAMES, row, strict=True)) for row in ROWS],
    lambda: (dict(zip(NAMES, row, strict=True)) for row in ROWS),
    lambda: [Row(*row) for row in ROWS],
    *(lambda rows=rows: ClickLog(rows, columns=PLACES) for rows in (ROWS, [*map(list, ROWS)])),
]


@pytest.mark.parametrize("make", FORMS)
def test_logs_in_memory_have_the_pairs_of_the_file_and_keep_types(make: Callable[[], Any]) -> None:
    pairs = preference_pairs(make())
    assert list(pairs) == SAID
    assert {type(value) for row in pairs for value in (*row, *pairs.items)} == {int}
    assert pairs.items == [3, 1, 2]
    by_user = preference_pairs(make(), by="user", rule="click_over_earlier_click")
    assert list(by_user) == [("u", 2, 1, 1)]
    assert ClickLog(COLUMNS).counts.users == 2


@given(log=logs(), faults=st.lists(st.integers(0, 30), max_size=3), rows=st.integers(1, 9))
def test_texts_in_frames(log: list[oracle.Row], faults: list[int], rows: int) -> None:
    columns = {name: [repr(row[name]) for row in log] for name in COLUMNS | {"dwell": 0}}
    for fault, name in zip(faults if log else [], ("time", "position", "item"), strict=False):
        columns[name][fault % len(log)] = " "
    columns["event"] = [row["event"] for row in log]
    rule = ["dwell", "click_over_earlier_click", "click_over_skip_above"]
    options: dict[str, Any] = {"rule": rule, "by": "user", "errors": "report"}
    plain = what_pairs_say(asked(preference_pairs, columns, **options))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("porank.core.columns.BLOCK_ROWS", rows)
        for make in (import_module("polars").DataFrame, pd.DataFrame, pa.table):
            assert what_pairs_say(asked(preference_pairs, make(columns), **options)) == plain


@given(
    log=logs(),
    size=st.integers(1, 9),
    is_file=st.booleans(),
    by=st.sampled_from([("session",), (), "user"]),
    rule=st.sampled_from([*oracle.RULES]),
)
def test_pieces_do_not_matter(
    log: list[oracle.Row], size: int, is_file: bool, by: Any, rule: str
) -> None:
    """Blocks that are read, sessions that are looked at together, pairs that are put together."""
    if not log:
        return
    numbers = [{name: [*dict.fromkeys(row[name] for row in log)] for name in ("session", "item")}]
    columns: dict[str, Any] = {name: [row[name] for row in log] for name in log[0]}
    columns |= {
        name: [10 + those.index(row[name]) for row in log] for name, those in numbers[0].items()
    }
    columns["dwell"] = [[0.2, 0.3, 0.5, 0.50000001, 2e8][row["dwell"]] for row in log]
    options: dict[str, Any] = {"rule": rule, "by": by}

    def found() -> Any:
        arrays = {name: np.array(column) for name, column in columns.items()}
        pairs = (
            of_text(as_csv(columns), **options)
            if is_file
            else asked(preference_pairs, arrays, **options)
        )
        return list(pairs), pairs.counts, pairs.items

    whole = found()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("porank.core.columns.BLOCK_ROWS", size)
        patch.setattr("porank.clicks.sessions.BLOCK_ROWS", size)
        patch.setattr("porank.clicks.evidence._MANY_ROWS", size)
        assert found() == whole
    assert [*map(int, whole[2])] == [*dict.fromkeys(columns["item"])]


def test_usual_names_of_columns_are_recognised() -> None:
    for names in (
        "Session ID,UserId,ItemId,Event,Time",
        "user_session,user_id,product_id,event_type,event_time",
        "session-id,visitorid,itemid,EVENT,unix_time",
    ):
        log = log_of(f"{names}; 1,u,a,click,1; 1,u,b,click,2")
        assert list(preference_pairs(log, by="user", **EARLIER)) == [("u", "b", "a", 1)]
        user = names.split(",")[1]
        assert preference_pairs(log, by=user).keys()[0] == user, "under its own name"


def test_events_by_other_names() -> None:
    events = {"view": "pv", "click": "Cart", "purchase": "buy"}
    for column in ("action", "behavior_type", "Interaction"):
        log = COLUMNS | {column: [events[event] for event in COLUMNS["event"]]}
        del log["event"]
        found = preference_pairs(log)
        assert list(found) == SAID
        assert found.format is not None
        taken = tuple(f"{name!r} is read as {event!r}" for event, name in events.items())
        assert found.format.remarks == taken
        with pytest.raises(PorankError, match="one of 'click', 'view' as event, found 'pv'"):
            preference_pairs(ClickLog(log, events=["click", "view"]))


def test_events_of_ones_own() -> None:
    log = log_of("session,item,event; 1,a,buy; 1,b,tap; 1,c,click; 1,d,seen")
    pairs = preference_pairs(ClickLog(log, events=["buy", ("click", "tap"), "seen"]))
    assert {u + v for _, u, v, _ in pairs} == {"ab", "ac", "ad", "bd", "cd"}
    flags = CLICKS | {"event": np.array([False, True])}
    assert list(preference_pairs(ClickLog(flags, events=[1, 0]))) == [(1, "b", "a", 1)]


def test_what_is_said_comes_first() -> None:
    log = COLUMNS | {"visit": ["v"] * 5, "session_id": [1] * 5, "action": ["scroll"] * 5}
    assert preference_pairs(log)["session"].tolist() == [10, 10, 10, 11], "exactly this name"
    pairs = preference_pairs(ClickLog(log, columns={"session": "visit"}))
    assert pairs["session"].tolist() == ["v"] * 3
    shop = preference_pairs(ClickLog(log, columns={"shop": "visit"}), by="shop")
    assert set(shop["shop"]) == {"v"}


def test_names_of_times_and_rows_in_their_place() -> None:
    for name in ("ts", "TS", "created_at", "Event Time", "date"):
        log = CLICKS | {name: [9, 8]}
        if name != "date":
            log["event_date"] = ["2026-01-01", "2026-01-02"]  # a day gives way to a time
        pairs = preference_pairs(log, **EARLIER)
        assert list(pairs) == [(1, "a", "b", 1)]
    pairs = preference_pairs(CLICKS | {"when": [9, 8]}, **EARLIER)
    assert list(pairs) == [(1, "b", "a", 1)], "without times, rows are in sequence"


@given(log=logs())
def test_quirks_as_defined(log: list[oracle.Row]) -> None:
    counts = preference_pairs(log, rule="last_click_over_skip_above").counts
    expected = oracle.quirks(log)
    assert {name: getattr(counts, name) for name in expected} == expected
    sizes = (len(oracle.sessions_of(log)), len(log), len(oracle.items_of(log)))
    assert (counts.sessions, counts.events, counts.items) == sizes


def test_each_quirk_with_its_decision() -> None:
    rows = ["s1 a view 0", "s1 a click 3", "s1 a click 2", "s1 b purchase 4", "s3 a view 1"]
    log: list[Any] = [(*row.split()[:3], int(row[-1])) for row in [*rows, "s4 a like 1"]]
    log = [("s2", None, "", 1), *log, ("s1", float("nan"), None, 1)]
    columns = {"session": 0, "item": 1, "event": 2, "time": 3}
    rule = ["levels", "click_over_earlier_click"]
    pairs = preference_pairs(ClickLog(log, columns=columns, errors="report"), rule=rule)
    found = pairs.counts.quirks()
    of_lists = {"sessions_without_showing", "several_lists", "clicked_all", "never_moved"}
    others = {"without_user", "without_position", "without_time"}
    others |= {"busy_users", "labels_alike", "odd_times", "unreadable", "single_events"}
    assert found.keys() == DECISIONS.keys() - of_lists - others
    assert {count for count, _ in found.values()} == {1}
    assert pairs.counts.unknown_events == {"like": 1}
    told = {name: text.removesuffix(": 'like' 1") for name, (_, text) in found.items()}
    assert told.items() <= DECISIONS.items()
    assert (pairs.counts.sessions, pairs.counts.events, pairs.counts.items) == (3, 5, 2)
    assert len(pairs.problems) == 1


def test_unknown_events_are_counted_by_themselves() -> None:
    events = ["like", "like", 7, None, float("nan"), "", ["a"], "share", "wave", "click"]
    log = {"session": [1] * 10, "item": list("abcdefghij"), "event": events}
    counts = preference_pairs(ClickLog(log, errors="report")).counts
    found = {"like": 2, 7: 1, None: 3, "['a']": 1, "share": 1, "wave": 1}
    assert counts.unknown_events == found
    text = str(counts.to_table().to_text())
    assert "as problems: None 3, 'like' 2, 7 1, \"['a']\" 1, ..." in text
    arrays = log | {"event": np.array([7] * 9 + [8])}
    counts = preference_pairs(ClickLog(arrays, events=[8, 9], errors="report")).counts
    assert [(*map(type, each), each) for each in counts.unknown_events.items()] == [
        (int, int, (7, 9))
    ]


def test_labels_of_all_kinds() -> None:
    labels: list[Any] = ["b", 3, 2.5, ("a", 1), frozenset("xy"), b"a", 2**70, np.int64(4)]
    log = {"session": [1] * 8, "item": labels, "event": ["click"] + ["view"] * 7}
    assert [row[1:3] for row in preference_pairs(log)] == [("b", v) for v in labels[1:]]
    assert type(preference_pairs(log).items[-1]) is int
    assert type(preference_pairs(log | {"item": np.arange(8.0)}).items[0]) is float


def test_labels_of_dates() -> None:
    days = ["2026-01-01T10:00:00.5", "2026-01-02"]
    items = pd.Series(pd.to_datetime(days, format="ISO8601"))
    log = {"session": items[[0, 0]].array, "item": items, "event": ["click", "view"]}
    (row,) = preference_pairs(pd.DataFrame(log))
    assert list(row[:3]) == [datetime.fromisoformat(day) for day in (days[0], *days)]
    assert set(map(type, row[:3])) == {datetime}
    of_days = CLICKS | {"item": np.array(["2026-01-01", "2026-01-02"], "M8[D]")}
    assert preference_pairs(of_days).items == [date(2026, 1, 1), date(2026, 1, 2)]


def test_nothing_to_compare() -> None:
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


def test_graphs_keep_the_problems() -> None:
    log = log_of("session,user,item,event; 1,u,a,click; 1,u,b,view; 1,u,,view")
    read = ClickLog(log, errors="report")
    pairs = preference_pairs(read, by="user")
    whole = preference_pairs(read, by=()).to_graph()
    for G in (whole, from_log(read), *preference_graphs(pairs).values()):
        assert [problem.line for problem in G.graph["problems"]] == [3]
    assert from_log(ClickLog(CLICKS, errors="report")).graph == {"problems": ()}
    assert from_log(CLICKS).graph == {}


def test_sessions_may_not_say_too_many_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three pairs of x, one of y; two of them are the same, and held once if counted together."""
    rows = "x,a,click,1; x,b,view,2; x,c,click,3; x,d,view,4; y,a,click,1; y,b,view,2"
    log = log_of(f"session,item,event,position; {rows}")
    first_over_all = per_session(lambda events: [(events[0].item, e.item) for e in events[1:]])
    for rule in ("levels", "click_over_no_click_next", first_over_all):
        monkeypatch.undo()
        found = len(preference_pairs(log, rule=rule))
        together = list(preference_pairs(log, rule=rule, by=()))
        monkeypatch.setattr("porank.clicks.sessions.BLOCK_ROWS", 1)
        monkeypatch.setattr("porank.clicks.rules.MAX_PAIRS", found)
        assert len(preference_pairs(log, rule=rule)) == found
        monkeypatch.setattr("porank.clicks.rules.MAX_PAIRS", found - 1)
        assert list(preference_pairs(log, rule=rule, by=())) == together
        refuses(f"at most {found - 1} pairs, found {found}", preference_pairs, log, rule=rule)
    monkeypatch.undo()
    monkeypatch.setattr("porank.clicks.rules.MAX_PAIRS", 6)
    rows = "x,a,click; x,b,view; y,a,click; y,b,click; y,c,view; y,d,view; y,e,view; z,a,view"
    with pytest.raises(PorankError, match="at most 6 pairs, found 7, 6 in session 'y'; shorter"):
        preference_pairs(log_of(f"session,item,event; {rows}"))


def test_files_are_read_by_suffix_and_packed_ones_unpacked(tmp_path: Path) -> None:
    for name in ("log.csv", "log.tsv", "log.csv.gz", "log.TAB", "log"):
        is_tabbed = ".t" in name.lower()
        end = "\r\n" if is_tabbed else "\n"
        content = ("\ufeff" + as_csv(COLUMNS, "\t" if is_tabbed else ",", end)).encode()
        path = tmp_path / name
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        for log in (path, str(path)):
            assert list(preference_pairs(log)) == [(*map(str, row[:3]), 1) for row in SAID]
        assert set(preference_pairs(path, by="user")["user"]) == {"u", "ü"}
    for sign, before in ((";", ""), ("\t", "\n"), ("|", "\r\n\n")):
        rows = [("session", "item", "event"), ("1", "a, b", "click"), ("1", "c", "view")]
        (tmp_path / "log.csv").write_text(before + "".join(f"{sign.join(row)}\n" for row in rows))
        assert list(preference_pairs(tmp_path / "log.csv")) == [("1", "a, b", "c", 1)]
    without_header = of_text(as_csv(COLUMNS).partition("\n")[2], columns=PLACES)
    assert (len(without_header), without_header.counts.events) == (4, 5)
    path = tmp_path / "log.parquet"
    pq.write_table(pa.table(COLUMNS), path, row_group_size=2)
    assert list(preference_pairs(path)) == SAID
    table = pa.table(COLUMNS).set_column(0, "session", pa.array([10, 10, 10, None, 11]))
    pq.write_table(table, path)
    assert problems_of(path) == ["line 4: expected a session, found None"]


#: Options of `preference_pairs`.
QUESTIONS: list[dict[str, Any]] = [
    {"rule": rule, "by": by}
    for rule in ("levels", "click_over_skip_above", "click_over_earlier_click", "dwell")
    for by in ((), "user")
]


def answer(question: dict[str, Any], log: Any) -> Any:
    try:
        return what_pairs_say(preference_pairs(log, **question))
    except PorankError as error:
        return str(error)


@given(log=logs(), questions=st.lists(st.sampled_from(QUESTIONS), min_size=2, max_size=4))
def test_many_questions_have_the_answers_of_each_alone(
    log: list[oracle.Row], questions: list[Any]
) -> None:
    for errors in ("raise", "report"):
        kept = ClickLog(log, errors=errors)
        for question in questions:
            assert answer(question, kept) == answer(question, ClickLog(log, errors=errors))


class Counting(list[Any]):
    """Rows that count how often they are read."""

    reads = 0

    def __iter__(self) -> Any:
        self.reads += 1
        return super().__iter__()


TEA = [("s", "tea", "view", 1), ("s", "milk", "click", 2), ("t", "tea", "like", 1)]


def test_one_reading_serves_questions_about_the_same_columns() -> None:
    rows = Counting(TEA)
    columns = {"session": 0, "item": 1, "event": 2, "position": 3}
    log = ClickLog(rows, columns=columns, errors="report")
    assert "1 session" not in repr(log)
    po.from_log(log)
    once = rows.reads
    preference_pairs(log, by=())
    assert repr(log) == "<ClickLog: 1 session, 2 items, 2 events, 1 problem>"
    assert (log.items, log.counts.events, len(log.problems)) == (["tea", "milk"], 2, 1)
    assert rows.reads == once
    po.from_log(log, rule="click_over_skip_above")
    assert rows.reads == once, "positions were read, too"
    preference_pairs(ClickLog(rows, columns=columns | {"day": 3}, errors="report"), by="day")
    assert rows.reads == 2 * once
    refuses("source of a log", ClickLog, log)
    for source in (io.StringIO(as_csv(COLUMNS)), iter([dict(zip(NAMES, ROWS[0], strict=True))])):
        log = ClickLog(source)
        assert po.from_log(log).edges == po.from_log(log).edges
        refuses("a second time", preference_pairs, log, by="day")
