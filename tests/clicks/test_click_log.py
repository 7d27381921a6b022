"""What is wrong in logs: lines that are left out, files that cannot be read, what is refused."""

import gzip
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from porank import ClickLog, parse, preference_relation
from porank.clicks.preference_pairs import preference_pairs
from porank.errors import ParseError, PorankError
from tests.clicks.test_log import CLICKS, COLUMNS, PLACES, ROWS
from tests.clicks.test_log_formats import BANDIT, DAYS, KDD, LATER, NO_EVENTS, SEEN, TIMES
from tests.support.click_logs import as_file, asked, log_of, problems_of
from tests.support.refusals import refuses

SKIPS: dict[str, Any] = {"rule": "click_over_skip_above"}
#: Rules that read every column, by user.
ALL: dict[str, Any] = {"rule": ["levels", "last_click_over_skip_above", "dwell"], "by": "user"}
WHOLE = "expected a whole number >= 0 and below 2**53 as position, found"
#: What one cell of the third row may hold that is wrong.
CELLS: list[tuple[str, Any, str]] = [
    ("session", None, "expected a session, found None"),
    ("item", "", "expected an item, found ''"),
    ("item", np.datetime64("NaT", "ns"), "an item, found NaT"),
    ("item", ["a"], "an item, found ['a']; use a tuple or a string"),
    ("event", "like", "one of 'purchase', 'click', 'view' as event, found 'like'"),
    *(("position", p, f"{WHOLE} {p!r}") for p in ("first", 1.5, True, -1, 2**53)),
    ("position", None, "one position for 2 in session 10, and no other item at it, found none"),
    ("time", "noon", "a finite number or a date in ISO 8601 as time, found 'noon'"),
    ("time", None, "expected a time, found none"),
    ("time", "2020-01-01", "a number as time, like the earlier times, found '2020"),
    ("dwell", -1, "expected a finite number >= 0 as dwell, found -1"),
]


def with_third(column: str, value: Any) -> dict[str, list[Any]]:
    log = COLUMNS | {"dwell": [1, 1, 1, 1, 1]}
    return log | {column: [*log[column][:2], value, *log[column][3:]]}


COUNTS = "session,item,impressions,clicks; 1,a,1,2; 1,b,0,1; 1,c,-1,0; 1,d,x,0; 1,e,1,1"
LISTED_FLAGS = {"shown": [[*"ab"]] * 5, "clicked": [[0, 1], [True], [1, 0, 1], [0, 2], [0, -1]]}
MARKED_TIMES = TIMES.format("25/12/2019 8:00 AM; 1,d,1/2/2020 13:00 PM; 1,e,AM; 1,f,8 PM; 1,g,")
BATTLES = "model_a,model_b,winner; x,y,both; z,z,tie; ,x,x; x,y,y"
TWO_PLACES = "session,item,event,position; 1,a,click,1; 1,b,click,2; 1,b,click,3"
TWO = "0 or 1 in 'clicked', or at most as many clicks as views, found '2'; for other values, use "
TWO += "columns={'event': 'clicked'} and events=[...], which lists the values, strongest first"
DAYS_OF_USERS = "user,day,item,event; u,1,a,click; v,,b,click; u,1,c,click; v,,d,click"

#: The lines of a log that are left out, and what is wrong with the first of them.
PROBLEMS: list[tuple[Any, dict[str, Any], list[int], str]] = [
    *((with_third(column, value), ALL, [3], word) for column, value, word in CELLS),
    # What is not read is not wrong.
    (COLUMNS | {"position": ["?"] * 5, "time": [None] * 5, "user": [[]] * 5}, {}, [], ""),
    (COLUMNS | {"time": ["", 2, 3, 9, ""]}, LATER, [], ""),
    (COLUMNS | {"dwell": [None, 2, 1, 9, None], "time": ["?"] * 5}, {"rule": "dwell"}, [], ""),
    # Lines that are wrong only together.
    (COLUMNS | {"position": [1, 1, 3, None, 2]}, SKIPS, [1, 2, 4], "no other item at it, found 1"),
    (TWO_PLACES, SKIPS, [2, 3], "expected one position for 'b'"),
    (COLUMNS | {"user": [*"uvuww"]}, ALL | SKIPS, [1, 2, 3], "session 10, found 'u' and 'v'"),
    (
        CLICKS | {"time": np.array(["2020-01-01", "NaT"], dtype="datetime64[D]")},
        {"rule": ["dwell", "click_over_earlier_click"]},
        [2],
        "expected a time, found none",
    ),
    (DAYS_OF_USERS, {"columns": {"session": ["user", "day"]}}, [2, 4], "a session, found None"),
    # Logs of other formats.
    ("session,item,clicked; 1,a,2; 1,b,-1; 1,c,.5; 1,d,maybe; 1,e,1", {}, [1, 2, 3, 4], TWO),
    (COUNTS, {}, [1, 2, 3, 4], "at most as many clicks as views"),
    (LISTED_FLAGS, {}, [2, 3, 4, 5], "0 or 1"),
    ({"marks": ["a-1 b-0", "c-1 d"]}, {}, [2], "neither for 'd'"),
    ({"shown": [["a", ["b"]]], "clicked": ["a"]}, {}, [1], "an item, found ['b']; use a tuple"),
    ({"shown": ["a|b"], "clicked": ["0|3"]}, {}, [1], "counts in columns named clicks"),
    (BATTLES, {}, [1, 2, 3], "found 'both'"),
    ("chosen,rejected; x,", {}, [1], "two items"),
    ("user,item,rating; 1,a,3; 1,b,good; 1,c,", {}, [2, 3], "rating, found 'good'"),
    ("shown,clicked; a b,c", SKIPS, [1], "found none"),
    ("session,item,clicked; NA,a,1; 1,NA,1; 1,b,0", {}, [1], "session, found 'NA'"),
    (MARKED_TIMES, LATER | NO_EVENTS, [3, 4, 5, 6, 7], "time"),
    ("user,item,event,time; 1,a,view,; 1,b,view,1", {"gap": 5}, [1], "time, found none"),
    ("user,item,event,time; 1,a,unheard of,1", {"gap": 5}, [1], ""),
]


@pytest.mark.parametrize(("log", "options", "lines", "word"), PROBLEMS)
def test_lines_left_out(log: Any, options: dict[str, Any], lines: list[int], word: str) -> None:
    log = log_of(log) if isinstance(log, str) else log
    pairs = asked(preference_pairs, log, errors="report", **options)
    assert [problem.line for problem in pairs.problems] == lines
    assert word in "".join(problem.message for problem in pairs.problems[:1])
    kept = {
        name: [cell for line, cell in enumerate(column, start=1) if line not in lines]
        for name, column in log.items()
    }
    expected = asked(preference_pairs, kept, **options)
    assert [row[1:] for row in pairs] == [row[1:] for row in expected]


def test_rows_of_other_lengths() -> None:
    rows = [*ROWS[:2], ROWS[2][:3], "row", None, *ROWS[3:]]
    found = problems_of(rows, columns=PLACES)
    expected = "expected mappings, or tuples of equal length"
    assert [problem[: len(expected) + 8] for problem in found] == [
        f"line {line}: {expected}" for line in (3, 4, 5)
    ]
    mixed = [{"session": 1, "item": "a", "event": "view"}, ("s",), {"session": 1, "event": "view"}]
    assert [problem[:24] for problem in problems_of(mixed)] == [
        "line 2: expected mapping",
        "line 3: expected an item",
    ]


#: Lines of a file that are wrong, and how they begin to be told.
LINES: list[tuple[bytes, list[str]]] = [
    (b"s,a,click\ns,b\ns,c,view\n", ["line 3: expected 3 cells, found 2"]),
    (b"s,a,click\n  \n,,\n, ,\ns,c,view\ns,,view", ["line 7: expected an item, found"]),
    (b's,a,click\ns,c,view\ns,"x\ny",like\ns,,view\n', ["line 4: ", "line 5: "]),
    (b'"s",a,click\n"t\nu",b,view\ns,c,"view"\ns,d,like\n', ["line 5: "]),
    (b"s,a,click\ns,c,view\ns,\xfc,view\n", ["line 4: expected a text in UTF-8"]),
    (b's,a,click\n"x"y,,\ns,"\n",view\ns,c,view\ns,e,?\n', ["line 4", "line 6"]),
]


def test_lines_of_files() -> None:
    for text, problems in LINES:
        file = io.BytesIO(b"session,item,event\n" + text)
        pairs = preference_pairs(ClickLog(file, errors="report"))
        found = [*map(str, pairs.problems)]
        assert len(found) == len(problems)
        assert all(map(str.startswith, found, problems)), found
        assert ("s", "a", "c", 1) in list(pairs), "the good lines are used"


def test_json_lines_are_objects() -> None:
    rows = [{"session": 1, "item": "a", "event": "click"}, {"session": 1, "event": "view"}]
    file = io.StringIO("\n".join([*map(json.dumps, [*rows, [1], 3]), "{", ""]))
    file.name = "log.jsonl"
    expected = "expected a JSON object in each line, with each key once, found "
    assert problems_of(file) == [
        "line 2: expected an item, found None",
        *(f"line {line}: {expected}{cell}" for line, cell in ((3, "[1]"), (4, "3"), (5, "'{'"))),
    ]


def test_a_key_twice_is_no_choice_between_values() -> None:
    good = '{"session": 1, "item": "a", "event": "click"}'
    twice = '{"session": 1, "item": "b", "item": "c", "event": "view"}'
    found = problems_of(as_file(f"{good}\n{twice}\n", "log.jsonl"))
    assert [problem[:45] for problem in found] == ["line 2: expected a JSON object in each line, "]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_item_of_several_lines_is_told(end: str) -> None:
    """An even number of stray quotes makes one item of some lines."""
    text = 'session,event,item\ns,view,"a\ns,view,b"\ns,click,c\n'.replace("\n", end)
    told = ClickLog(as_file(text, "log.csv")).format.remarks
    assert len(told) == 1
    assert told[0].endswith("has the end of a line, perhaps because of a stray quote")
    assert not ClickLog(as_file(text.replace('"', ""), "log.csv")).format.remarks


def test_bytes_of_another_encoding_are_no_reason_to_skip_rows() -> None:
    file = io.BytesIO("session,item,event\ns,caf\u00e9,view\n".encode("latin-1"))
    with pytest.raises(ParseError, match="often 'cp1252'") as caught:
        preference_pairs(file)
    assert "errors='report'" not in str(caught.value)


def test_files_that_are_wrong_are_named(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    with pytest.raises(FileNotFoundError):
        preference_pairs(path)
    text = b"session,item,event\ns,,click\n"
    cut = gzip.compress(text + bytes(np.random.default_rng(0).integers(65, 90, 9999)))
    files = [
        ("log.parquet", text, "cannot read the file as Parquet"),
        ("clicks.csv", text, "clicks.csv, line 2: expected an item, found ''"),
        ("log.csv.gz", cut[:4000], "CSV: Compressed file ended"),
    ]
    for name, content, message in files:
        (tmp_path / name).write_bytes(content)
        refuses(message, preference_pairs, tmp_path / name, error=ParseError)


#: Lines of a file that are wrong, and how they begin to be told.
REFUSED: list[tuple[Any, dict[str, Any], str]] = [
    ("item,event; 1,view", {}, "for session, found 'item', 'event': there are too few"),
    ("item,event; 1,view", {}, "a log has the columns session, item and event, or with gap= user"),
    ("item,event; 1,view", {}, "event and time, or lists in columns shown and clicked"),
    ({("a", "b"): 3}, {}, "found a dict of pairs; settled_order and fit_strengths take counts"),
    (parse("a > b"), {}, "expected a log, found an OrderGraph of pairs; settled_order"),
    (preference_relation([parse("a > b")]), {}, "found a PreferenceRelation of pairs; settled_ord"),
    ("visitorid,itemid; 1,1", {}, "columns={'session': 'visitorid'}) treats all"),
    ("session,item_id,product,event; 1,1,2,view", {}, "one column for item, found 'item"),
    (pd.DataFrame([[1, 2, 3]], columns=["session", "item", "item"]), {}, "each column once"),
    (
        {"session": [1], "item": [1, 2], "event": ["view"]},
        {},
        "equal length, found lengths 1 in 'sess",
    ),
    ({"session": np.eye(2), "item": [1], "event": ["view"]}, {}, r"found shape (2, 2)"),
    (io.StringIO(""), {}, "found no columns"),
    (ROWS, {}, "expected columns={'session': 0, ...}"),
    (COLUMNS, {"rule": "level"}, "a function or one of 'levels', 'dwell'"),
    (COLUMNS, {"rule": []}, "at least one rule"),
    (COLUMNS, {"by": "event"}, "whole sessions, such as 'user', found 'event'"),
    (COLUMNS, {"by": "support"}, "other than 'preferred'"),
    (COLUMNS, {"events": "click"}, "a sequence of events, strongest first"),
    (COLUMNS, {"events": ["click", ()]}, "none of them empty"),
    (COLUMNS, {"events": ["click", ("view", "click")]}, "each event once in events"),
    (COLUMNS, {"columns": "session"}, "a mapping such as"),
    (COLUMNS, {"columns": {"sesion": "s"}}, "as keys of columns"),
    (COLUMNS, {"columns": {"session": "s"}}, "a column 's' for session, found 'session'"),
    ("session,item; 1,a", {"rule": "dwell"}, "a column for dwell or for time"),
    # Logs of other formats.
    ("shown,time; a,1", {}, "a column for clicked"),
    ("model_a,model_b; a,b", {}, "a column for winner"),
    ("user,rating; a,1", {}, "a column for item"),
    ({"shown": [[0, 1]], "clicked": [[1, 0]]}, {}, "items that were shown, or one flag"),
    ("shown,clicked; a b c,2; b a c,3", {}, "items that were shown, or one flag"),
    (
        "session,shown,clicked; 1,green tea,1",
        {},
        "if a row shows one item, use columns={'item': 'shown'}",
    ),
    ("chosen,rejected; a,b", {"rule": ["levels", "click_over_earlier_click"]}, "rule='levels'"),
    ("user,item,event; u,a,view", {"gap": 5}, "a column for time"),
    ("user,item,event; u,a,view", {"gap": -1}, "as gap"),
    ("user,item,event; u,a,view", {}, "with gap=1800, a new session starts"),
    (DAYS, LATER, "'eventdate', which may hold days only, and 's"),
    ("session,item,kind; 1,a,1; 1,b,2", LATER, "{'event': None}"),
    ("query,item,impressions,clicks; q,a,10,1; q,b,8,4", {}, "from_scores("),
    (KDD, {}, "{'session': 'UserID'}) treats all"),
    (BANDIT, {}, "do not show which items appeared"),
    (SEEN, SKIPS, "a column for position"),
]


@pytest.mark.parametrize(("log", "options", "word"), REFUSED)
def test_bad_input_is_refused_in_words(log: Any, options: dict[str, Any], word: str) -> None:
    with pytest.raises(PorankError) as caught:
        asked(preference_pairs, log_of(log) if isinstance(log, str) else log, **options)
    assert word in str(caught.value)


def test_a_column_may_have_the_name_of_an_attribute() -> None:
    log = pd.DataFrame(COLUMNS | {"support": [1] * 5, "adj": [2] * 5})
    assert preference_pairs(log).counts.sessions == 2


def test_a_stream_is_not_spent_by_columns_that_cannot_group_it() -> None:
    log = ClickLog(io.StringIO("session,item,event\ns,a,view\ns,b,click\n"))
    with pytest.raises(PorankError, match="whole sessions"):
        preference_pairs(log, by="event")
    assert list(preference_pairs(log))
