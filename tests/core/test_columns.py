"""Columns from files, frames and memory; damaged files; and labels that are numbered."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import subprocess
import sys
from collections import namedtuple
from contextlib import suppress
from datetime import datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.core import columns
from porank.core.columns import CsvSource, open_source
from porank.core.files import Problems

pa, pq = import_module("pyarrow"), import_module("pyarrow.parquet")

LINES = "session,item,event\ns,a,click\ns,b,view\n"
LOG = {"session": ["s", "s"], "item": ["a", "b"], "event": ["click", "view"]}
SAID = [("s", "a", "b", 1)]


def said(log: Any) -> list[Any]:
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
                assert said(log) == SAID
            assert not binary.closed
            with gzip.open(packed) as file, path.open(encoding="utf-8", newline="") as text:
                assert said(file) == said(text) == SAID
    pq.write_table(pa.table(LOG), parquet)
    with parquet.open("rb") as file:
        assert said(file) == SAID
        assert not file.closed


def test_a_text_opened_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    for line in (0, 30_000):
        rows = ["session,item,event"] + ["s,a,click"] * 30_000
        rows[line] = rows[line].replace("s", "ß")
        path.write_text("\n".join(rows), encoding="utf-8")
        with (
            path.open(encoding="ascii") as file,
            pytest.raises(po.ParseError, match=r"as which the file was opened, found .* 0xc3"),
        ):
            said(po.ClickLog(file, errors="report"))


TEXTS = st.text(st.sampled_from('a ,"\n;'), max_size=5)


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=6))
def test_rows_written_by_csv_are_read_back(rows: list[tuple[str, str]]) -> None:
    file = io.StringIO(newline="")
    csv.writer(file).writerows([("one", "two"), *rows])
    text = file.getvalue().replace("two", " two ", 1)
    (first, second), _, bad = cells_of(text, "one", "two")
    stripped = [(one.strip(" "), two.strip(" ")) for one, two in rows]
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
            with pytest.raises(po.ParseError, match="the end of a quote, found none to the end"):
                cells_of(f"one,two\n{text}", *wanted)


def test_rows_are_numbered_over_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "_BLOCK_BYTES", 1 << 12)
    rows = [f"{number},x" if number % 7 else f"{number}" for number in range(2, 5000)]
    (cells,), lines, bad = cells_of("\n".join(["a,b", *rows]), "a")
    assert cells == list(map(str, lines)) == [str(n) for n in range(2, 5000) if n % 7]
    assert bad == [n for n in range(2, 5000) if n % 7 == 0]
    source = CsvSource(io.StringIO("\n".join(["a,b", *rows[:6]])))
    with pytest.raises(po.ParseError, match="line 7"):
        list(source.blocks(["a"], Problems("raise")))
    # Blocks of few rows are told apart in reports too.
    text = "session,item,position,event\n1,a,1,click\n1,b,1,view\n2,c,1,click\n2,,2,view\n"
    monkeypatch.setattr(columns, "BLOCK_ROWS", 3)
    log = po.ClickLog(io.StringIO(text), errors="report")
    found = po.preference_pairs(log, rule="click_over_skip_above")
    assert [problem.line for problem in found.problems] == [2, 3, 5]


def test_every_form_says_the_same(tmp_path: Path) -> None:
    rows, lines = list(zip(*LOG.values(), strict=True)), tmp_path / "log.jsonl"
    mappings = [dict(zip(LOG, row, strict=True)) for row in rows]
    lines.write_text("\n\n".join(map(json.dumps, mappings)))
    Event = namedtuple("Event", ["session", "item", "event"])
    named = [Event(*row) for row in rows]
    forms: list[Any] = [LOG, mappings, named, pd.DataFrame(LOG), pl.DataFrame(LOG), lines]
    assert [said(form) for form in forms] == [SAID] * 6
    bare: list[Any] = [rows, np.array(rows)]
    places = {name: place for place, name in enumerate(LOG)}
    assert [said(po.ClickLog(form, columns=places)) for form in bare] == [SAID] * 2
    lines.write_text(lines.read_text() + "\n{\n[1]\n")
    for bad, numbers in (([*mappings, 7, "x"], [3, 4]), (lines, [4, 5])):
        found = po.preference_pairs(po.ClickLog(bad, errors="report"))
        assert (list(found), [problem.line for problem in found.problems]) == (SAID, numbers)
    for wrong in (7, b"s,a", [7], LOG | {"item": ["a"]}):
        with pytest.raises(po.PorankError, match="expected"):
            said(wrong)


def test_rows_and_columns_in_memory_are_read_without_pyarrow() -> None:
    lines = (
        "import sys, numpy as np, porank as po",
        "log = {'session': [1, 1], 'item': ['a', 'b'], 'event': np.array(['click', 'view'])}",
        "rows = [dict(zip(log, row)) for row in zip(*log.values())]",
        "assert list(po.preference_pairs(log)) == list(po.preference_pairs(rows)) != []",
        "assert 'pyarrow' not in sys.modules",
    )
    subprocess.run([sys.executable, "-c", "; ".join(lines)], check=True)


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
        assert said(log) == SAID
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
    table = pa.table(cells)
    coded = table.set_column(1, "text", table.column("text").dictionary_encode())
    for log in (table, coded, table.to_pandas(types_mapper=pd.ArrowDtype)):
        for name, expected in cells.items():
            (block,) = open_source(log).blocks([name], Problems("raise"))
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
            assert said(log) == [("z", "q", "c", 1), ("a", "q", "c", 1)]


PERIODS: list[tuple[Any, Any]] = [
    (pd.PeriodIndex(["2020-02", "2020-01"] * 2, freq="M"), pd.Period("2020-02", "M")),
    (pa.array([2, 1, 2, 1], pa.duration("s")), timedelta(0, 2)),
    (pa.array([2000, 1000] * 2, pa.duration("ns")), timedelta(0, 0, 2)),
    (pd.to_timedelta([2, 1, 2, 1], unit="us"), timedelta(0, 0, 2)),
]


def test_periods_and_durations_are_no_numbers() -> None:
    for values, first in PERIODS:
        assert said({**SEQUENCE, "item": values})[0][1] == first
        with pytest.raises(po.ParseError, match="a finite number or a date in ISO 8601 as time"):
            po.preference_pairs({**SEQUENCE, "time": values}, rule="dwell")


def test_what_is_no_table_and_no_item(tmp_path: Path) -> None:
    (tmp_path / "log.json").write_text('{"session": 1, "item": "a", "event": "click"}\n')
    pq.write_table(pa.table({**LOG, "item": [{"x": 1}, {"x": 2}]}), tmp_path / "log.parquet")
    refused: list[tuple[Any, str]] = [
        (pl.Series([1, 2]), "with columns, found a Series"),
        (tmp_path / "log.json", r"log\.json: .* JSON Lines"),
        (tmp_path / "log.parquet", r"expected .* item"),
    ]
    for method in ("collect", "compute"):
        lazy = type("LazyFrame", (), {"columns": ["session"], method: lambda _: None})
        refused.append((lazy(), rf"found a LazyFrame; \.{method}\(\) reads it"))
    for log, message in refused:
        with pytest.raises(po.PorankError, match=message):
            said(log)
