"""Logs as they come: columns, rows and files; what is odd in them, and what is wrong."""

from __future__ import annotations

import gzip
import io
import math
import re
from collections import namedtuple
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank import ClickLog
from porank.clicks.preference_pairs import preference_pairs
from porank.errors import ParseError, PorankError
from tests import oracles_clicks as oracle
from tests.click_logs import asked, log_of, logs, problems_of, what_pairs_say

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
#: Not every form of a log has names.
PLACES = {name: place for place, name in enumerate(NAMES)}


def as_csv(columns: dict[str, list[Any]], delimiter: str = ",", end: str = "\n") -> str:
    rows = [list(columns), *zip(*columns.values(), strict=True)]
    return "".join(delimiter.join(map(str, row)) + end for row in rows)


def of_text(text: str, **options: Any) -> Any:
    return asked(preference_pairs, io.StringIO(text, newline=""), **options)


FORMS: list[Callable[[], Any]] = [
    lambda: COLUMNS,
    lambda: {name: np.array(column) for name, column in COLUMNS.items()},
    lambda: {name: iter(column) for name, column in COLUMNS.items()},
    lambda: pd.DataFrame(COLUMNS, index=[7, 7, 1, 0, "x"]),
    lambda: pd.DataFrame(COLUMNS).convert_dtypes().astype({"event": "category"}),
    lambda: pd.DataFrame(COLUMNS).to_records(index=False),
    lambda: pl.DataFrame(COLUMNS, strict=False),
    lambda: pa.concat_tables([pa.table(COLUMNS).slice(0, 2), pa.table(COLUMNS).slice(2)]),
    lambda: [dict(zip(NAMES, row, strict=True)) for row in ROWS],
    lambda: (dict(zip(NAMES, row, strict=True)) for row in ROWS),
    lambda: [Row(*row) for row in ROWS],
    *(lambda rows=rows: ClickLog(rows, columns=PLACES) for rows in (ROWS, [*map(list, ROWS)])),
]


@pytest.mark.parametrize("make", FORMS)
def test_in_memory(make: Callable[[], Any]) -> None:
    pairs = preference_pairs(make())
    assert list(pairs) == SAID
    assert {type(value) for row in pairs for value in (*row, *pairs.items)} == {int}
    assert pairs.items == [3, 1, 2]
    assert pairs.counts.times_out_of_order == 0, "levels do not read times"
    by_user = preference_pairs(make(), by="user", rule="click_over_earlier_click")
    assert list(by_user) == [("u", 2, 1, 1)]
    assert by_user.counts.times_out_of_order == 1


@given(log=logs(), faults=st.lists(st.integers(0, 30), max_size=3), rows=st.integers(1, 9))
def test_texts_in_frames(log: list[oracle.Row], faults: list[int], rows: int) -> None:
    if not log:
        return
    columns = {name: [repr(row[name]) for row in log] for name in log[0]}
    for fault, name in zip(faults, ("time", "position", "item"), strict=False):
        columns[name][fault % len(log)] = " "
    columns["event"] = [row["event"] for row in log]
    rule = ["dwell", "click_over_earlier_click", "click_over_skip_above"]
    options: dict[str, Any] = {"rule": rule, "by": "user", "errors": "report"}
    plain = what_pairs_say(asked(preference_pairs, columns, **options))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("porank.core.columns.BLOCK_ROWS", rows)
        for make in (pl.DataFrame, pd.DataFrame, pa.table):
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
    options: dict[str, Any] = {"rule": rule, "by": by, "propensity": [1, 0.7, 0.3, 0.2, 0.1, 1]}

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


def test_files(tmp_path: Path) -> None:
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


def test_files_that_are_wrong_are_named(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    with pytest.raises(FileNotFoundError):
        preference_pairs(path)
    text = as_csv({"session": ["s"], "item": [""], "event": ["click"]})
    files = [("log.parquet", text.encode(), "expected a Parquet file")]
    files += [("clicks.csv", text.encode(), "clicks.csv, line 2: expected an item, found ''")]
    cut = gzip.compress(text.encode() + bytes(np.random.default_rng(0).integers(65, 90, 9999)))
    files += [("log.csv.gz", cut[:4000], "found an error: Compressed file ended")]
    for name, content, message in files:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ParseError, match=message):
            preference_pairs(tmp_path / name)


#: Lines of a file that are wrong, and how they begin to be told.
LINES: list[tuple[bytes, list[str]]] = [
    (b"s,a,click\ns,b\ns,c,view\n", ["line 3: expected 3 cells, found 2"]),
    (b"s,a,click\n  \n,,\n, ,\ns,c,view\ns,,view", ["line 7: expected an item, found"]),
    (b"s,a,click\ns,c,view\ns,b,vi", ["line 4: expected one of"]),
    (b's,a,click\ns,c,view\ns,"x\ny",like\ns,,view\n', ["line 4: ", "line 5: "]),
    (b'"s",a,click\n"t\nu",b,view\ns,c,"view"\ns,d,like\n', ["line 5: "]),
    (b"s,a,click\ns,c,view\ns,\xfc,view\n", ["line 4: expected a text in UTF-8"]),
    (b's,a,click\n"x"y,,\ns,"\n",view\ns,c,view\ns,e,?\n', ["line 4", "line 6"]),
]


@pytest.mark.parametrize(("text", "problems"), LINES)
def test_lines(text: bytes, problems: list[str]) -> None:
    file = io.BytesIO(b"session,item,event\n" + text)
    pairs = preference_pairs(ClickLog(file, errors="report"))
    found = [*map(str, pairs.problems)]
    assert all(map(str.startswith, found, problems)), found
    assert len(found) == len(problems)
    assert ("s", "a", "c", 1) in list(pairs), "the good lines are used"


WHOLE = "expected a whole number >= 0 and below 2**53 as position, found"
#: What one cell of the third row may hold that is wrong.
CELLS: list[tuple[str, Any, str]] = [
    ("session", None, "expected a session, found None"),
    ("item", "", "expected an item, found ''"),
    ("item", np.datetime64("NaT", "ns"), "an item, found np.datetime64('NaT'"),
    ("item", ["a"], "a hashable item, found ['a']; a tuple or a text can be one"),
    ("user", ["u"], "a hashable user, found ['u']"),
    ("event", "like", "one of 'purchase', 'click', 'view' as event, found 'like'"),
    ("event", "", "as event, found ''; events= names others"),
    *(("position", p, f"{WHOLE} {p!r}") for p in ("first", 1.5, True, -1, 2**53)),
    ("position", None, "one position for 2 in session 10, and no other item there, found none"),
    ("time", "noon", "a finite number or a date in ISO 8601 as time, found 'noon'"),
    ("time", math.inf, "a finite number or a date in ISO 8601 as time, found inf"),
    ("time", None, "expected a time, found none"),
    ("time", "2020-01-01", "a number as time, like the times before, found '2020"),
    ("dwell", -1, "expected a finite number >= 0 as dwell, found -1"),
]


@pytest.mark.parametrize(("column", "value", "message"), CELLS)
def test_cells(column: str, value: Any, message: str) -> None:
    options: dict[str, Any] = {"rule": ["levels", "last_click_over_skip_above", "dwell"]}
    options["by"] = "user"
    log = COLUMNS | {"dwell": [1, 1, 1, 1, 1]}
    log[column] = [*log[column][:2], value, *log[column][3:]]
    pairs = asked(preference_pairs, log, errors="report", **options)
    (problem,) = pairs.problems
    assert problem.line == 3
    assert message in problem.message
    good = {name: [*cells[:2], *cells[3:]] for name, cells in log.items()}
    assert list(pairs) == list(asked(preference_pairs, good, **options))
    with pytest.raises(ParseError) as caught:
        asked(preference_pairs, log, **options)
    assert caught.value.line == 3
    assert message in str(caught.value)


#: Logs of which some lines are wrong only together with others, or only for some questions.
WRONG: list[tuple[Any, dict[str, Any], list[str]]] = [
    (COLUMNS | {"position": ["?"] * 5, "time": [None] * 5, "user": [[]] * 5}, {}, []),
    (COLUMNS | {"time": ["", 2, 3, 9, ""]}, {"rule": "click_over_earlier_click"}, []),
    (COLUMNS | {"dwell": [None, 2, 1, 9, None], "time": ["?"] * 5}, {"rule": "dwell"}, []),
    *(
        (COLUMNS | {"position": positions}, {"rule": "click_over_skip_above"}, found)
        for positions, found in (
            ([1, 1, 3, 1, 2], ["line 1: .* there, found 1", "line 2: .* there, found 1"]),
            ([1, None, 2, 1, 2], ["line 2: .* for 1 in session 10, .* found none"]),
            ([1, 2, 3, None, 2], ["line 4: .* for 1 in session 11, .* found none"]),
        )
    ),
    (
        {"session": [1] * 3, "item": [*"abb"], "event": ["click"] * 3, "position": [1, 2, 3]},
        {"rule": "click_over_skip_above"},
        [f"line {line}: expected one position for 'b' .* found 2, 3" for line in (2, 3)],
    ),
    (
        COLUMNS | {"user": ["u", "v", "u", "w", "w"], "position": [1, 1, 3, 1, 2]},
        {"by": "user", "rule": "click_over_skip_above"},
        [f"line {line}: expected one user for session 10, found 'u' and 'v'" for line in (1, 2, 3)],
    ),
    (
        [*ROWS[:2], ROWS[2][:3], "row", None, *ROWS[3:]],
        {"columns": PLACES},
        [f"line {line}: expected mappings, or tuples of one length" for line in (3, 4, 5)],
    ),
    (
        [{"session": 1, "item": "a", "event": "view"}, ("s",), {"session": 1, "event": "view"}],
        {},
        ["line 2: expected mappings", "line 3: expected an item, found None"],
    ),
    (
        {"session": [1, 2], "item": ["a", "b"], "event": ["click"] * 2}
        | {"time": np.array(["2020-01-01", "NaT"], dtype="datetime64[D]")},
        {"rule": ["dwell", "click_over_earlier_click"]},
        ["line 2: expected a time, found none"],
    ),
    (
        {"user": [*"uv"] * 2, "day": [1, None] * 2, "item": [*"abcd"], "event": ["click"] * 4},
        {"columns": {"session": ["user", "day"]}},
        [f"line {line}: expected a session, found None" for line in (2, 4)],
    ),
    (log_of("user,item,event,time; 1,a,unheard of,1"), {"gap": 5}, ["line 1: "]),
]


@pytest.mark.parametrize(("log", "options", "found"), WRONG)
def test_wrong_together(log: Any, options: dict[str, Any], found: list[str]) -> None:
    problems = problems_of(log, **options)
    assert len(problems) == len(found), problems
    assert all(map(re.match, found, problems)), problems


REFUSED: list[tuple[Any, dict[str, Any], str]] = [
    (log_of("item,event; 1,view"), {}, "for session, found 'item', 'event': too few of them"),
    (log_of("visitorid,itemid; 1,1"), {}, "columns={'session': 'visitorid'} takes all"),
    ({"session": [1]}, {}, "for item and for event, found 'session'"),
    (log_of("session,item_id,product,event; 1,1,2,view"), {}, "one column for item, found 'item"),
    (pd.DataFrame([[1, 2, 3]], columns=["session", "item", "item"]), {}, "each column once"),
    ({"session": [1], "item": [1, 2], "event": ["view"]}, {}, "one length, found 1 in 'sess"),
    ({"session": np.eye(2), "item": [1], "event": ["view"]}, {}, r"the shape (2, 2)"),
    (7, {}, "columns, rows, or the path of a file; found 7"),
    (io.StringIO(""), {}, "found no columns"),
    (ROWS, {}, "expected columns={'session': 0, ...}"),
    (io.StringIO("a,b\n"), {"columns": {"session": 0, "item": "b"}}, "found both"),
    (COLUMNS, {"rule": "level"}, "a function or one of 'levels', 'dwell'"),
    (COLUMNS, {"rule": []}, "at least one rule"),
    (COLUMNS, {"by": "event"}, "columns of sessions, such as 'user', as by"),
    (COLUMNS, {"by": ["session", "session"]}, "different names of columns"),
    (COLUMNS, {"by": "support"}, "none of them 'preferred'"),
    (COLUMNS, {"events": "click"}, "a sequence of events, strongest first"),
    (COLUMNS, {"events": ["click"]}, "at least two levels of events"),
    (COLUMNS, {"events": ["click", ()]}, "none of them empty"),
    (COLUMNS, {"events": ["click", ("view", "click")]}, "each event once in events"),
    (COLUMNS, {"errors": "ignore"}, "one of 'raise', 'report', found 'ignore'"),
    (COLUMNS, {"columns": "session"}, "a mapping such as"),
    (COLUMNS, {"columns": {"sesion": "s"}}, "as keys of columns"),
    (COLUMNS, {"columns": {"session": "s"}}, "a column 's' for session, found 'session'"),
    (COLUMNS, {"propensity": [1.0]}, "propensity of each position, found none for 2, 3"),
    (COLUMNS, {"propensity": 0.5}, "a mapping, a sequence or a function of the position"),
    (COLUMNS, {"propensity": [1.0] * 6, "clip": 0}, "above 0 and up to 1 as clip, found 0"),
    (log_of("session,item,event; 1,a,view"), {"propensity": [1]}, "a column for position"),
    (log_of("session,item; 1,a"), {"rule": "dwell"}, "a column for dwell or for time"),
]


@pytest.mark.parametrize(("log", "options", "word"), REFUSED)
def test_refused(log: Any, options: dict[str, Any], word: str) -> None:
    with pytest.raises(PorankError) as caught:
        asked(preference_pairs, log, **options)
    assert word in str(caught.value)
