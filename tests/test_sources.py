"""The same table gives the same answer, or the same error, from every source, however odd it is.

Tables are mutated at random, each given as a file, frames, columns, rows and JSON Lines. Some
things differ by nature. What is 1 in JSON or in a frame of numbers is "1" in a file, so labels are
compared as texts, and no label is 1 in one row and 1.0 in another. A row without a session has its
line as one, and a file has a line for its header. A JSON object with a key twice is bad, even if
the key is not used; columns and rows in memory cannot repeat a name.
"""

import csv
import io
import json
import re
import warnings
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import porank as po
from porank.errors import ParseError
from tests.support.click_logs import as_file

Row = list[str | None]

LOG = (
    "session,item,position,event;s,a,1,view;s,b,2,click;t,b,1,view;t,c,2,click;u,7,1,view;"
    "u,a,2,click"
)
LISTS = "user,shown,clicked;x,a|b|c,b;y,b|c,c;x,c|7,7"
BATTLES = "model_a,model_b,winner;a,b,model_a;b,c,c;a,c,tie;c,7,model_b"
RESULTS = "player1,player2,result;a,b,1;b,c,0;a,c,0.5;c,7,0"
COUNTS = "item1,item2,wins1,wins2;a,b,3,1;b,7,2,2"
WINS = "name,a,b,c;b,1,0,2;a,0,3,2;c,2,4,0"
PAIRS = "preferred,other,weight;a,b,2;b,c,0.5;c,7,1;d,,"
RANKS = "item,rank;a,1;b,2;7,2;c,3.5"
SCORES = "task,one,two,three;p,1,0.5,0;q,0.25,1,0;r,3,2,1;s,1,0,0.5"
MEASURES = "measure,task,one,two;q,p,1,0.5;q,r,3,2;c,p,0.25,1;c,r,1,0"
GRADES = "user,item,score;u,a,1;u,b,2;u,g,3;v,a,2;v,b,1.5"
ORDERS = "user,preferred,other;u,a,b;u,b,g;v,b,a"
TARGET = {
    "user": ["u", "u", "u", "v", "v"],
    "item": ["a", "b", "g", "a", "b"],
    "grade": [1, 1, 2, 2, 1],
}


def plain(value: Any) -> Any:
    """Return an answer in which labels are texts."""
    if isinstance(value, dict):
        return sorted((plain(key), plain(one)) for key, one in value.items())
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def of_log(source: Any) -> Any:
    log = po.ClickLog(source)
    pairs = po.preference_pairs(log)
    return log.items, log.counts.sessions, pairs.items, sorted(plain([*pair][1:]) for pair in pairs)


def of_wins(source: Any) -> Any:
    return po.fit_strengths(source, samples=20).worths


def of_pairs(source: Any) -> Any:
    G = po.read_pairs(source)
    return [*G], [*G.edges(data="weight")]


def of_ranks(source: Any) -> Any:
    return po.levels(po.read_ranks(source))


def of_scores(source: Any) -> Any:
    found = po.compare_scores(source, samples=20)
    return found.means, found.groups, found.remarks, found.systems


def of_measures(source: Any) -> Any:
    found = po.compare_scores(source, measure="measure", samples=20)
    return found.means, found.groups, found.remarks, found.systems


def of_grades(source: Any) -> Any:
    found = po.evaluate(TARGET, source, measures=["gamma", "completeness", "ndcg"])
    return sorted(map(plain, found))


def of_systems(source: Any) -> Any:
    found = po.compare_systems(
        TARGET, {"one": source, "two": TARGET}, measures=["gamma"], samples=20
    )
    return found.means, found.groups


READERS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "log": (of_log, LOG),
    "lists": (of_log, LISTS),
    "battles": (of_log, BATTLES),
    "results": (of_log, RESULTS),
    "counts": (of_log, COUNTS),
    "wins": (of_wins, WINS),
    "pairs": (of_pairs, PAIRS),
    "ranks": (of_ranks, RANKS),
    "scores": (of_scores, SCORES),
    "measures": (of_measures, MEASURES),
    "grades": (of_grades, GRADES),
    "orders": (of_grades, ORDERS),
    "systems": (of_systems, GRADES),
}


def typed(cell: str | None) -> Any:
    """Return a cell as a number if a program would write it as one."""
    if cell and re.fullmatch(r"-?(0|[1-9]\d{0,8})(\.\d+)?", cell.strip(), re.ASCII):
        return float(cell) if "." in cell else int(cell)
    return cell


def sources_of(names: list[str], rows: list[Row]) -> dict[str, Any]:
    """Return a table from each source that can hold it; only some can repeat a name."""
    csv.writer(table := io.StringIO(newline="")).writerows([names, *rows])
    numbers = [[*map(typed, row)] for row in rows]
    lines = (zip(map(json.dumps, names), map(json.dumps, row), strict=True) for row in numbers)
    text = "\n".join(f"{{{', '.join(map(': '.join, row))}}}" for row in lines)
    found = {
        "file": as_file(table.getvalue(), "table.csv"),
        "texts": pd.DataFrame(rows, columns=names, dtype=object),
        "numbers": pd.DataFrame(numbers, columns=names, dtype=object),
        "lines": as_file(text, "table.jsonl"),
    }
    if len({*names}) == len(names):
        found["columns"] = {n: [*c] for n, c in zip(names, zip(*rows, strict=True), strict=True)}
        found["rows"] = [dict(zip(names, row, strict=True)) for row in numbers]
    return found


def outcome(read: Callable[[Any], Any], source: Any) -> tuple[Any, str]:
    """Return what is read from a source, or the class of the error, and its text."""
    try:
        with warnings.catch_warnings(record=True, action="always") as told:
            return plain([read(source), [each.message for each in told]]), ""
    except po.PorankError as error:
        return type(error), str(error)


#: Blanks, case, quotes, accents in two spellings, digits of other scripts, numbers, and words.
CELLS = st.none() | st.sampled_from(
    [
        *("", " ", "\u00a0a", " a", "b\t", "a b", "a", "A", "\uff21", '"', 'a"b', "'", "a,b"),
        *("cafe\u0301", "caf\u00e9", "\u0661", "\uff12", "1", "01", "1.5", "1e0", "-1", "1_0", "7"),
        *("inf", "nan", "NA", "x", "view", "Click", "tie", "model_a", "1|2", "a|b"),
    ]
)
HEADERS = ["", "index", "year", "Item", "weight", "rank", "time", "user", "x", " x"]


@st.composite
def tables(draw: st.DrawFn, text: str) -> tuple[list[str], list[Row]]:
    """A table in short, changed at a few places."""
    names, *cells = (line.split(",") for line in text.split(";"))
    rows: list[Row] = [[cell or None for cell in row] for row in cells]
    for _ in range(draw(st.integers(1, 3))):
        row = draw(st.integers(0, len(rows) - 1))
        column = draw(st.integers(0, len(names) - 1))
        match draw(st.integers(0, 8)):
            case 0 | 1:
                rows[row][column] = draw(CELLS)
            case 2:
                rows[row][column] = f" {rows[row][column] or ''}\t"
            case 3:
                rows.insert(draw(st.integers(0, len(rows))), [*rows[row]])
            case 4:
                rows.insert(row, [None] * len(names))
            case 5:
                names[column] = draw(st.sampled_from([str.upper, str.title, " {} ".format]))(
                    names[column]
                )
            case 6:
                names = [*names, draw(st.sampled_from([*HEADERS, *names]))]
                rows = [[*each, draw(CELLS)] for each in rows]
            case 7:
                moved = draw(st.permutations(range(len(names))))
                names = [names[k] for k in moved]
                rows = [[each[k] for k in moved] for each in rows]
            case 8:
                rows[row][column] = None
    return names, rows


def require_same(name: str, table: tuple[list[str], list[Row]]) -> None:
    read, _ = READERS[name]
    found = {form: outcome(read, source) for form, source in sources_of(*table).items()}
    if "rows" not in found:
        assert found.pop("lines")[0] is ParseError
    first, *others = found.values()
    assert all(first[0] == other[0] for other in others), found


@pytest.mark.parametrize("name", READERS)
@given(data=st.data())
@settings(max_examples=3)
def test_a_table_is_the_same_from_each_source(name: str, data: st.DataObject) -> None:
    require_same(name, data.draw(tables(READERS[name][1])))


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
@given(data=st.data())
@settings(max_examples=500)
def test_many_tables_are_the_same_from_each_source(name: str, data: st.DataObject) -> None:
    require_same(name, data.draw(tables(READERS[name][1])))
