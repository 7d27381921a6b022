"""Columns from files, frames and memory, damaged files; labels, numbered; and times of a log."""

import csv
import gzip
import io
import json
import random
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta, timezone
from fractions import Fraction
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.clicks.rules import dwell, per_session
from porank.core import columns
from porank.core.columns import CsvSource, open_source
from porank.core.files import Problems
from porank.core.labels import Labels
from porank.errors import ParseError
from tests.support import oracles_clicks as oracle
from tests.support.refusals import refuses

pa, pq = import_module("pyarrow"), import_module("pyarrow.parquet")

LINES = "session,item,event\ns,a,click\ns,b,view\n"
LOG = {"session": ["s", "s"], "item": ["a", "b"], "event": ["click", "view"]}
PAIRS = [("s", "a", "b", 1)]


def pairs_from(log: Any) -> list[Any]:
    return list(po.preference_pairs(log))


def cells_of(text: str | bytes, *wanted: str) -> tuple[list[list[Any]], list[int], list[int]]:
    """Return columns of a CSV text, the lines of their rows, and those that are no rows."""
    problems = Problems("report")
    file = io.BytesIO(text) if isinstance(text, bytes) else io.StringIO(text, newline="")
    blocks = list(CsvSource(file).blocks(list(wanted), problems))
    cells = [[cell for block in blocks for cell in block.columns[name]] for name in wanted]
    lines = [line for block in blocks for line in block.lines.tolist()]
    return cells, lines, [problem.line for problem in problems.found]


def test_every_end_of_lines_mark_and_quoting(tmp_path: Path) -> None:
    path, packed, parquet = (tmp_path / name for name in ("log.csv", "log.csv.gz", "log.parquet"))
    for lines in (LINES, LINES.replace("a", '"a"').replace("session", '"session"')):
        for end, mark in (("\n", ""), ("\r\n", "\ufeff"), ("\r", "\ufeff")):
            content = (mark + lines).replace("\n", end).encode()
            path.write_bytes(content)
            packed.write_bytes(gzip.compress(content))
            binary = io.BytesIO(content)
            for log in (path, packed, binary, io.StringIO(content.decode(), newline="")):
                assert pairs_from(log) == PAIRS
            assert not binary.closed
            with gzip.open(packed) as file, path.open(encoding="utf-8", newline="") as text:
                assert pairs_from(file) == pairs_from(text) == PAIRS
    pq.write_table(pa.table(LOG), parquet)
    with parquet.open("rb") as file:
        assert pairs_from(file) == PAIRS
        assert not file.closed


def test_a_text_opened_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    for line in (0, 30_000):
        rows = ["session,item,event"] + ["s,a,click"] * 30_000
        rows[line] = rows[line].replace("s", "ß")
        path.write_text("\n".join(rows), encoding="utf-8")
        with (
            path.open(encoding="ascii") as file,
            pytest.raises(po.errors.ParseError, match=r"with which it was opened: found .* 0xc3"),
        ):
            pairs_from(po.ClickLog(file, errors="report"))


TEXTS = st.text(st.sampled_from('a ,"\n;'), max_size=5)


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=6))
def test_rows_written_by_csv_are_read_back(rows: list[tuple[str, str]]) -> None:
    file = io.StringIO(newline="")
    csv.writer(file).writerows([("one", "two"), *rows])
    text = file.getvalue().replace("two", " two ", 1)
    (first, second), _, bad = cells_of(text, "one", "two")
    stripped = [(one.strip(), two.strip()) for one, two in rows]
    assert list(zip(first, second, strict=True)) == [row for row in stripped if any(row)]
    assert bad == []


LINE_NUMBERS: list[tuple[Any, list[str], list[int], list[int]]] = [
    ('\n"a",b\n1,2\n3,4\n"5",6\n\n7\n', ["1", "3", "5"], [3, 4, 5], [7]),
    ('a,b\n1,a\n2,5" b\n\n3,c\n', ["1", "2", "3"], [2, 3, 5], []),
    ('a,b\n1,a\n2,"b\nb"\n3,c', ["1", "2", "3"], [2, 3, 4], []),
    ('a,b\n1,a\n2,""""', ["1", "2"], [2, 3], []),
    *[(f'a,b\n1,"c{end}d"\n2,\n', ["1", "2"], [2, 3], []) for end in ("\r", "\r\n")],
    (b"a,b\n1,\xff\n\xfe\n\xef\xbf\xbd,2\n", ["1", "\ufffd"], [2, 4], [3]),
]


def test_lines_are_counted() -> None:
    for text, cells, lines, bad in LINE_NUMBERS:
        assert cells_of(text, "a") == ([cells], lines, bad)
    assert cells_of(b"a,b\n1,\xff\n", "b")[0] == [["\udcff"]]
    unnamed = CsvSource(io.StringIO("\n1,2\n3,4\n"))
    unnamed.take_off_header()
    assert [b.lines.tolist() for b in unnamed.blocks([0], Problems("raise"))] == [[2, 3]]


def test_rows_in_a_quote_without_an_end_are_not_lost_in_silence() -> None:
    for text in ('1,a\n2,"b\n3,c\n', '1,a\n2,b\n"3', '1,a\n,,\n2,"b', '1,"\n,,\n'):
        for wanted in (["one"], ["two"], ["one", "two"]):
            with pytest.raises(
                po.errors.ParseError, match="a closing quote, found none up to the end"
            ):
                cells_of(f"one,two\n{text}", *wanted)


def test_rows_are_numbered_over_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "_BLOCK_BYTES", 1 << 12)
    rows = [f"{number},x" if number % 7 else f"{number}" for number in range(2, 5000)]
    (cells,), lines, bad = cells_of("\n".join(["a,b", *rows]), "a")
    assert cells == list(map(str, lines)) == [str(n) for n in range(2, 5000) if n % 7]
    assert bad == [n for n in range(2, 5000) if n % 7 == 0]
    source = CsvSource(io.StringIO("\n".join(["a,b", *rows[:6]])))
    with pytest.raises(po.errors.ParseError, match="line 7"):
        list(source.blocks(["a"], Problems("raise")))
    # Blocks of few rows are told apart in reports too.
    text = "session,item,position,event\n1,a,1,click\n1,b,1,view\n2,c,1,click\n2,,2,view\n"
    monkeypatch.setattr(columns, "BLOCK_ROWS", 3)
    log = po.ClickLog(io.StringIO(text), errors="report")
    found = po.preference_pairs(log, rule="click_over_skip_above")
    assert [problem.line for problem in found.problems] == [2, 3, 5]


def test_bad_rows_are_left_out_in_memory_as_in_a_file(tmp_path: Path) -> None:
    rows, lines = list(zip(*LOG.values(), strict=True)), tmp_path / "log.jsonl"
    mappings = [dict(zip(LOG, row, strict=True)) for row in rows]
    places = {name: place for place, name in enumerate(LOG)}
    assert pairs_from(po.ClickLog(np.array(rows), columns=places)) == PAIRS
    lines.write_text("\n\n".join(map(json.dumps, mappings)) + "\n{\n[1]\n")
    for bad, numbers in (([*mappings, 7, "x"], [3, 4]), (lines, [4, 5])):
        found = po.preference_pairs(po.ClickLog(bad, errors="report"))
        assert (list(found), [problem.line for problem in found.problems]) == (PAIRS, numbers)
    for wrong in (7, b"s,a", [7], LOG | {"item": ["a"]}):
        refuses("expected", pairs_from, wrong)


@pytest.mark.slow
def test_csv_files_are_read_without_pandas(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("session,item,event\n1,a,click\n1,b,view\n", "utf-8")
    lines = (
        "import sys, porank as po",
        f"assert po.ClickLog({str(tmp_path / 'log.csv')!r}).counts.sessions == 1",
        "assert 'pandas' not in sys.modules",
    )
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True)


@pytest.mark.slow
def test_frames_rows_and_columns_in_memory_are_read_without_pyarrow() -> None:
    lines = (
        "import sys",
        "sys.modules['pyarrow'] = None",
        "import numpy as np, pandas as pd, porank as po",
        "log = {'session': [1, 1], 'item': ['a', 'b'], 'event': np.array(['click', 'view'])}",
        "rows = [dict(zip(log, row)) for row in zip(*log.values())]",
        "frame = pd.DataFrame(log).astype({'session': 'Int64', 'event': 'category'})",
        "forms = log, rows, frame, frame.astype({'item': 'string', 'event': str})",
        # Each public function that takes a table.
        "said = [list(po.preference_pairs(po.ClickLog(each))) for each in forms]",
        "assert said[0] and all(each == said[0] for each in said)",
        "grades = {'user': [1, 1], 'item': ['a', 'b'], 'grade': [2, 1]}",
        "frame = pd.DataFrame(grades)",
        "forms = grades, [*map(dict, [zip(grades, row) for row in zip(*grades.values())])]",
        "forms += frame, frame.astype({'item': 'string', 'user': 'category', 'grade': 'Float64'})",
        "assert {po.evaluate(one, two)['gamma'][0] for one in forms for two in forms} == {1.0}",
        "assert len({str(po.compare_systems(each, {'one': each})) for each in forms}) == 1",
        "scores = {'one': [1.0, 2, 3, 4, 5, 6], 'two': [2.0, 1, 2, 3, 4, 5]}",
        "forms = scores, pd.DataFrame(scores), pd.DataFrame(scores).astype('Float64')",
        "assert len({str(po.compare_scores(each)) for each in forms}) == 1",
        "cars = {'a': {'cost': 1, 'speed': 2}, 'b': {'cost': 2, 'speed': 1}}",
        "frame = pd.DataFrame.from_dict(cars, orient='index')",
        "orders = [po.from_table(each, minimize=['cost']) for each in (cars, frame)]",
        "assert [*orders[0].edges] == [*orders[1].edges] == [('a', 'b')]",
    )
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True)


def test_what_needs_pyarrow_says_how_to_do_without(monkeypatch: pytest.MonkeyPatch) -> None:
    import polars as pl

    for module in ("pyarrow", "pyarrow.csv", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, module, None)
    need = partial(open_source, io.StringIO(LINES)), po.evaluate({}, {}).__arrow_c_stream__
    for call in (*need, lambda: open_source(pl.DataFrame(LOG))):
        refuses(r"pip install pyarrow; .* without it", call, error=po.errors.MissingExtraError)


class _Stream:
    """What offers a stream of Arrow and nothing else, but for names of columns as DuckDB has."""

    columns = ("session", "item", "event")

    def __init__(self, table: Any) -> None:
        self._table = table

    def __getitem__(self, name: str) -> None:
        raise AssertionError("its columns are no columns of values")

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)


def test_what_offers_a_stream_of_arrow_is_read() -> None:
    table = pa.table(LOG)
    for log in (_Stream(table), table.to_reader(), table.to_batches()[0]):
        assert pairs_from(log) == PAIRS
    pairs = pa.table(po.preference_pairs(table))
    assert pairs.to_pylist() == [{"session": "s", "preferred": "a", "other": "b", "support": 1}]


def test_columns_of_arrow_and_of_pandas_say_the_same() -> None:
    cells: dict[str, list[Any]] = {
        "whole": [1, None, 2**53 + 1],
        "text": ["a", None, "a"],
        "date": [datetime(2026, 1, 1), None, datetime(2026, 1, 2)],
        "list": [["a"], None, ["a", "b"]],
        "truth": [True, None, False],
    }
    table = pa.table(cells | {"row": [1, 2, 3]})
    coded = table.set_column(1, "text", table.column("text").dictionary_encode())
    for log in (table, coded, table.to_pandas(types_mapper=pd.ArrowDtype)):
        for name, expected in cells.items():
            (block,) = open_source(log).blocks([name, "row"], Problems("raise"))
            column = block.columns[name]
            found = [
                cell.tolist() if isinstance(cell, np.ndarray) else cell
                for cell in (column.astype("M8[us]").tolist() if name == "date" else column)
            ]
            assert found == expected, name


def test_a_broken_parquet_file_is_an_error_of_ours(tmp_path: Path) -> None:
    broken, rng = tmp_path / "log.parquet", random.Random(0)
    pq.write_table(pa.table(LOG | {"time": [1.0, float("nan")]}), broken)
    content = broken.read_bytes()
    for _ in range(100):
        damaged = bytearray(content)
        for place in rng.sample(range(len(content)), 2):
            damaged[place] = rng.randrange(256)
        broken.write_bytes(damaged)
        with suppress(po.PorankError):
            po.preference_pairs(broken, rule=["levels", "dwell"])


SEQUENCE: dict[str, list[Any]] = {
    "session": ["z", "z", "a", "a"],
    "item": ["q", "c", "q", "c"],
    "event": ["click", "view", "click", "view"],
}


def test_categories_come_in_order_of_appearance() -> None:
    for name, values in SEQUENCE.items():
        frame = pd.DataFrame(SEQUENCE)
        frame[name] = frame[name].astype(pd.CategoricalDtype(sorted({*values, "unused"})))
        for log in (frame, pa.Table.from_pandas(frame)):
            assert pairs_from(log) == [("z", "q", "c", 1), ("a", "q", "c", 1)]


PERIODS: list[tuple[Any, Any]] = [
    (pd.PeriodIndex(["2020-02", "2020-01"] * 2, freq="M"), pd.Period("2020-02", "M")),
    (pa.array([2, 1, 2, 1], pa.duration("s")), timedelta(0, 2)),
    (pa.array([2000, 1000] * 2, pa.duration("ns")), timedelta(0, 0, 2)),
    (pd.to_timedelta([2, 1, 2, 1], unit="us"), timedelta(0, 0, 2)),
]


def test_periods_and_durations_are_no_numbers() -> None:
    for values, first in PERIODS:
        assert pairs_from({**SEQUENCE, "item": values})[0][1] == first
        with pytest.raises(
            po.errors.ParseError, match="a finite number or a date in ISO 8601 as time"
        ):
            po.preference_pairs({**SEQUENCE, "time": values}, rule="dwell")


def test_what_is_no_table_and_no_item(tmp_path: Path) -> None:
    import polars as pl

    (tmp_path / "log.json").write_text('{"session": 1, "item": "a", "event": "click"}\n')
    pq.write_table(pa.table({**LOG, "item": [{"x": 1}, {"x": 2}]}), tmp_path / "log.parquet")
    refuses("with columns, found a Series", pairs_from, pl.Series([1, 2]))
    refuses(r"log\.json: .* JSON Lines", pairs_from, tmp_path / "log.json")
    refuses("expected .* item", pairs_from, tmp_path / "log.parquet")
    for method in ("collect", "compute"):
        lazy = type("LazyFrame", (), {"columns": ["session"], method: lambda _: None})
        refuses(rf"found a LazyFrame; call \.{method}\(\) first", pairs_from, lazy())
    for read, names in ((po.read_ranks, "two"), (po.read_pairs, "two or three")):
        refuses(f"expected {names} different names", read, LOG, columns=("item", "item"))


START = datetime(2026, 3, 1, 10, tzinfo=UTC)
#: The same moments, milliseconds after the start, in the ways in which logs hold them.
FORMS: dict[str, Callable[[list[int]], Any]] = {
    "datetime": lambda ms: [START + timedelta(milliseconds=t) for t in ms],
    "text": lambda ms: [(START + timedelta(milliseconds=t)).isoformat() for t in ms],
    "zones": lambda ms: [
        (START + timedelta(milliseconds=t)).astimezone(timezone(timedelta(hours=t % 5))) for t in ms
    ],
    "datetime64": lambda ms: np.datetime64("2026-03-01T10", "ms") + np.array(ms, "m8[ms]"),
    "pandas": lambda ms: pd.Series(pd.Timestamp(START) + pd.to_timedelta(ms, unit="ms")),
    "pyarrow": lambda ms: pa.array([START + timedelta(milliseconds=t) for t in ms]),
    "floats": lambda ms: [t / 1000 for t in ms],
    "text of floats": lambda ms: [f"{t / 1000:.3f}" for t in ms],
    "seconds since 1970": lambda ms: np.array([1_772_359_200 + t / 1000 for t in ms]),
}


def log_of(times: Any, items: Any) -> dict[str, Any]:
    return {"session": [1] * len(times), "item": list(items), "time": times}


def preferred(log: Any, tolerance: Any = 0) -> list[Any]:
    rule = partial(dwell, tolerance=tolerance)
    return sorted((u, v) for _, u, v, _ in po.preference_pairs(log, rule=rule))


@given(
    form=st.sampled_from([*FORMS]),
    times=st.lists(st.integers(0, 1000) | st.integers(0, 10).map(lambda t: 100 * t), max_size=8),
    tolerance=st.sampled_from([0, 100, 200, 300, 7]),
)
def test_dwell_by_definition(form: str, times: list[int], tolerance: int) -> None:
    items = [f"item {number % 5}" for number in range(len(times))]
    rows = [{"item": i, "time": t} for i, t in zip(items, times, strict=True)]
    log = log_of(FORMS[form](times), items)
    assert set(preferred(log, tolerance / 1000)) == oracle.dwell(rows, tolerance)
    assert set(preferred(log, Fraction(tolerance, 1000))) == oracle.dwell(rows, tolerance)


def test_amounts_are_decimals() -> None:
    amounts: list[tuple[str, list[float], float, list[str]]] = [
        ("ab", [0.3, 0.2], 0.1, []),
        ("ab", [0.3, 0.2], 0.099999, ["ab"]),
        # 0.29 * 100 is 28.999999999999996 in floats.
        ("ab", [0.58, 0.29], 0.29, []),
        ("aaab", [0.1, 0.1, 0.1, 0.3], 0, []),
        ("abc", [1 / 3, 1 / 3 + 1e-12, 0.5], 0, ["ca", "cb"]),
        ("ab", [1e300, 2e300], 1e299, ["ba"]),
        # The sequence of amounts does not matter.
        ("aaabbb", [2.0**60, 2.0**52, 1, 1, 2.0**52, 2.0**60], 0, []),
    ]
    for items, times, tolerance, pairs in amounts:
        log = {"session": [1] * len(items), "item": [*items], "dwell": times}
        assert preferred(log, tolerance) == [tuple(pair) for pair in pairs]


def test_integers_beyond_those_of_floats_beside_nothing() -> None:
    for dtype in ("Int64", "int64[pyarrow]", "UInt64"):
        frame = pd.DataFrame({"session": [1, 1, 1], "event": ["click", "view", "view"]})
        frame["item"] = pd.array([2**53, 2**53 + 1, None], dtype=dtype)
        pairs = po.preference_pairs(po.ClickLog(frame, errors="report"))
        assert list(pairs) == [(1, 2**53, 2**53 + 1, 1)]
        assert [type(item) for item in pairs.items] == [int, int]
        assert [problem.line for problem in pairs.problems] == [3]


def by_time(sessions: Any) -> Any:
    order = np.argsort(sessions.last_click, kind="stable")
    kept = order[sessions.clicked[order]] if "event" in sessions.rows else order
    return kept[1:], kept[:-1]


def test_one_log_has_one_kind_of_times() -> None:
    for times, kind in (([5, "2026-01-01"], "number"), ([START, 5.5], "date")):
        with pytest.raises(po.errors.ParseError, match=f"a {kind} as time, like the earlier times"):
            po.preference_pairs(log_of(times, "ab"), rule=by_time)


def test_dates_far_off_and_what_one_session_sees() -> None:
    far: list[Any] = [date(9999, 12, 31), np.datetime64("3000", "Y"), "1500-01-01"]
    for later, time in zip(["ba", "ba", "ab"], far, strict=True):
        log = po.ClickLog(log_of([date(2026, 1, 1), time], "ab"), errors="report")
        assert list(po.preference_pairs(log, rule=by_time)) == [(1, *later, 1)]
    seen: list[Any] = []

    def look(events: Any) -> list[Any]:
        seen.extend(event.time for event in events)
        return []

    for times in ([7, 2**60], [0.5, 7], ["1970-01-01T00:00:01.5", "1970-01-02"]):
        po.preference_pairs(log_of(times, "ab"), rule=per_session(look))
    assert seen == [7, 2**60, 0.5, 7.0, 1.5, 86400.0]


KINDS: dict[str, Any] = {
    "list": list,
    "int64": lambda values: np.array(values, np.int64),
    "int8": lambda values: np.array(values).astype(np.int8),
    "uint64": lambda values: np.array(values).astype(np.uint64),
    "object": lambda values: np.array(values, object),
    "text": lambda values: np.array([*map(str, values)]),
}


@given(
    st.sampled_from([*KINDS]), st.lists(st.lists(st.integers(-120, 120), max_size=60), max_size=4)
)
def test_labels_are_numbered_by_first_appearance(kind: str, blocks: list[list[int]]) -> None:
    labels = Labels("item")
    number: dict[Any, int] = {}
    for block in blocks:
        values = KINDS[kind](block)
        plain = values if isinstance(values, list) else values.tolist()
        assert labels.encode(values)[0].tolist() == [
            number.setdefault(value, len(number)) for value in plain
        ]
    assert labels.values() == list(number)
    assert set(map(type, labels.values())) <= {int, str}


def test_what_is_missing_in_an_array() -> None:
    values = np.array([None, "a", "a", None, [], "", ""], dtype=object)
    codes, faults = Labels("item").encode(values)
    assert codes.tolist() == [-1, 1, 1, -1, -1, -1, -1], "a missing label keeps its number"
    assert [place for place, _ in faults] == [0, 3, 4, 5, 6]
    days = np.array(["2020-01-01", "NaT", "2020-01-01"], dtype="datetime64[ns]")
    assert [place for place, _ in Labels("day").encode(days)[1]] == [1]


# Files and frames of other programs.

BATTLES = {"model_a": list("xxyz"), "model_b": list("yzzx"), "winner": list("xxzx")}
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"


class Relation:
    """A stand-in for a relation of DuckDB, whose columns are not read by their names."""

    columns = tuple(BATTLES)

    def __getitem__(self, name: str) -> Any:
        raise KeyError(name)

    def fetch_arrow_table(self) -> Any:
        import polars as pl

        return pl.DataFrame(BATTLES).to_arrow()


def test_relations_and_arrow_files_are_read(tmp_path: Path) -> None:
    import polars as pl

    pl.DataFrame(BATTLES).write_ipc(path := tmp_path / "battles.arrow")
    for source in (Relation(), path):
        assert po.fit_strengths(source).strengths == po.fit_strengths(BATTLES).strengths


@pytest.mark.parametrize(
    ("suffix", "content", "message"),
    [
        ("json", '{"a": 1}\n{"a": 2}\n', "expected an array of JSON objects; .* is called .jsonl"),
        ("json", "[1, 2]", "expected an array of JSON objects, found 1"),
        ("arrow", "a,b\n", "cannot read the file as Arrow"),
        ("csv", POINTER, "line 1: expected data, found the pointer of Git LFS.*git lfs pull"),
        ("parquet", POINTER, "cannot read the file as Parquet: .*git lfs pull"),
    ],
)
def test_files_that_are_no_data_say_what_to_do(
    suffix: str, content: str, message: str, tmp_path: Path
) -> None:
    (path := tmp_path / f"log.{suffix}").write_text(content)
    refuses(message, po.preference_pairs, path, error=ParseError)


def test_other_readers_know_pointers_of_git_lfs(tmp_path: Path) -> None:
    (path := tmp_path / "data.csv").write_text(POINTER)
    for read in (po.read_pairs, po.read_ranks, po.read_preflib, po.read_trec_run):
        refuses("git lfs pull fetches it", read, path, error=ParseError)


def test_named_levels_of_an_index_are_columns() -> None:
    log = pd.DataFrame(
        {"session": [1, 1, 2], "item": list("aba"), "event": ["click", "view", "view"]}
    )
    expected = list(po.preference_pairs(log))
    assert len(expected) == 1
    for names in (["session"], ["session", "item"]):
        assert list(po.preference_pairs(log.set_index(names))) == expected
    # A name that is also that of a column is the column.
    both = log.set_index(pd.Index([7, 8, 9], name="session"))
    assert list(po.preference_pairs(both)) == expected


def test_readers_are_closed_after_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that still reads may end the program when Python ends."""
    closed: list[bool] = []

    class Reader:
        def __init__(self, *given: Any) -> None:
            self.batches = open_csv(*given)

        def __enter__(self) -> Any:
            return self.batches.__enter__()

        def __exit__(self, *error: object) -> None:
            closed.append(True)
            self.batches.__exit__(*error)

    arrow_csv = import_module("pyarrow.csv")
    open_csv = arrow_csv.open_csv
    monkeypatch.setattr(arrow_csv, "open_csv", Reader)
    text = "session,item,event\ns,a\n" + "s,a,view\n" * 10
    kept = []
    for read in (po.preference_pairs, partial(po.read_pairs, columns=("session", "item"))):
        with pytest.raises(po.errors.ParseError, match="expected 3 cells, found 2") as caught:
            read(io.StringIO(text))
        kept.append(caught)
    assert closed == [True, True]


def test_rows_without_a_cell_that_is_read_are_skipped_from_every_source(tmp_path: Path) -> None:
    cells = {" a ": ["x", None, " ", None, "y"], "b": [None, None, None, 2.5, 1.0], "c": [1] * 5}
    pq.write_table(pa.table(cells), tmp_path / "table.parquet")
    rows = [dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)]
    frame = pd.DataFrame(cells)
    for table in (cells, rows, frame, pa.table(cells), tmp_path / "table.parquet"):
        source = open_source(table)
        assert source.names == ["a", "b", "c"]
        (block,) = source.blocks(["a", "b"], Problems("raise"))
        source.close()
        assert block.lines.tolist() == [1, 4, 5]
        assert [*block.columns["a"]][::2] == ["x", "y"]
        (block,) = open_source(table).blocks(["c"], Problems("raise"))
        assert block.lines.tolist() == [1, 2, 3, 4, 5]
    dates = {"time": np.array(["2026-01-01", "NaT"], "M8[s]")}
    (block,) = open_source(dates).blocks(["time"], Problems("raise"))
    assert block.lines.tolist() == [1]


@pytest.mark.slow
def test_no_reader_holds_its_file_when_the_program_ends(tmp_path: Path) -> None:
    """One that does may abort the program, because its thread needs the interpreter."""
    path = tmp_path / "log.csv"
    path.write_text("a,b\n" + "1,x\n" * 500_000 + "1\n", "utf-8")
    lines = (
        "import contextlib, sys, porank as po; from porank.core import files",
        "with contextlib.suppress(po.PorankError): po.compare_scores(sys.argv[1])",
        "files._wait_for_readers(); print([*files._JOINED])",
    )
    command = [sys.executable, "-c", "\n".join(lines), str(path)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "[]\n", "")
