"""Columns from files: marks, encodings, ends of lines, quotes, blanks, and damaged files."""

from __future__ import annotations

import csv
import gzip
import io
import random
import subprocess
import sys
from contextlib import suppress
from datetime import datetime, timedelta
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
from porank.clicks.preference_pairs import preference_pairs
from porank.core import columns
from porank.core.columns import CsvSource, open_source
from porank.core.files import Problems
from porank.core.tables import Table
from porank.errors import ParseError
from tests.click_logs import problems_of
from tests.clicks.test_log import COLUMNS, SAID, as_csv

pa, pq = import_module("pyarrow"), import_module("pyarrow.parquet")

HEAD = "session,item,event\n"
LINES = HEAD + "s,a,click\ns,b,view\n"
LOG_PAIRS = [("s", "a", "b", 1)]


class TestOpening:
    """Paths and open files."""

    @pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    def test_a_mark_before_a_quoted_header(self, tmp_path: Path, quoting: Any) -> None:
        path = tmp_path / "log.csv"
        with path.open("w", encoding="utf-8-sig", newline="") as file:
            csv.writer(file, quoting=quoting).writerows(csv.reader(io.StringIO(LINES)))
        with path.open("rb") as binary, path.open(encoding="utf-8", newline="") as text:
            for log in (path, binary, text):
                assert list(preference_pairs(log)) == LOG_PAIRS

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    @pytest.mark.parametrize("mark", ["", "\ufeff"])
    def test_every_end_of_lines(self, tmp_path: Path, end: str, mark: str) -> None:
        content = (mark + LINES).replace("\n", end).encode()
        path = tmp_path / "log.csv"
        path.write_bytes(content)
        packed = tmp_path / "log.csv.gz"
        packed.write_bytes(gzip.compress(content))
        binary = io.BytesIO(content)
        for log in (path, packed, binary, io.StringIO(content.decode(), newline="")):
            assert list(preference_pairs(log)) == LOG_PAIRS
        assert not binary.closed
        with gzip.open(packed) as file:
            assert list(preference_pairs(file)) == LOG_PAIRS

    @pytest.mark.parametrize("errors", ["raise", "report"])
    @pytest.mark.parametrize("line", [0, 1, 30_000])
    def test_a_text_opened_in_another_encoding(
        self, tmp_path: Path, errors: str, line: int
    ) -> None:
        rows = HEAD.splitlines() + ["s,a,click"] * 30_000
        rows[line] = rows[line].replace("s", "ß")
        path = tmp_path / "log.csv"
        path.write_text("\n".join(rows), encoding="utf-8")
        with (
            path.open(encoding="ascii") as file,
            pytest.raises(
                ParseError, match=r"in ascii, as which the file was opened, found .* 0xc3"
            ),
        ):
            preference_pairs(ClickLog(file, errors=errors))

    def test_parquet_that_is_open(self, tmp_path: Path) -> None:
        path = tmp_path / "log.parquet"
        pq.write_table(pa.table(COLUMNS), path)
        with path.open("rb") as file:
            assert list(preference_pairs(file)) == SAID
            assert not file.closed


class TestCsv:
    """Cells in quotes, and what is wrong with them."""

    def test_a_cell_may_hold_any_end_of_lines(self) -> None:
        for end in ("\n", "\r", "\r\n", "\n\r"):
            text = LINES + f's,"c{end}d",view\n' + "s,,view\n"
            (problem,) = problems_of(io.StringIO(text, newline=""))
            assert problem == "line 5: expected an item, found ''", repr(end)

    def test_blank_lines_are_counted_and_skipped(self) -> None:
        text = '\n"a",b\n1,2\n3,4\n"5",6\n\n7\n'
        source = CsvSource(io.StringIO(text))
        problems = Problems("report")
        (block,) = source.blocks(["a"], problems)
        assert (list(block.columns["a"]), block.lines.tolist()) == (["1", "3", "5"], [3, 4, 5])
        assert [problem.line for problem in problems.found] == [7]
        unnamed = CsvSource(io.StringIO("\n1,2\n3,4\n"))
        unnamed.take_off_header()
        assert [b.lines.tolist() for b in unnamed.blocks([0], problems)] == [[2, 3]]


def test_rows_are_numbered_over_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "_BLOCK_BYTES", 1 << 12)
    lines = [f"{number},x" if number % 7 else f"{number}" for number in range(2, 5000)]
    for some, errors in ((lines, "report"), (lines[:6], "raise")):
        problems = Problems(errors)
        source = CsvSource(io.StringIO("\n".join(["a,b", *some])))
        blocks: list[Any] = []
        with suppress(ParseError):
            blocks.extend(source.blocks(["a"], problems))
        read = [pair for b in blocks for pair in zip(b.columns["a"], b.lines.tolist(), strict=True)]
        if errors == "report":
            good = ((line, n) for n, line in enumerate(some, 2) if "," in line)
            assert read == [(line.partition(",")[0], n) for line, n in good]
        assert len(problems.found) == (714 if errors == "report" else 0)
        assert all(problem.text == f"{problem.line}" for problem in problems.found)


def test_bytes_that_are_no_text_in_rows_of_any_width() -> None:
    problems = Problems("report")
    content = b"a,b\n1,\xff\n\xfe\n\xef\xbf\xbd,2\n"
    (block,) = CsvSource(io.BytesIO(content)).blocks(["a", "b"], problems)
    cells = {name: list(column) for name, column in block.columns.items()}
    assert cells == {"a": ["1", "\ufffd"], "b": ["\udcff", "2"]}
    assert [(problem.line, problem.text) for problem in problems.found] == [(3, "\\xfe")]


def test_rows_and_columns_in_memory_are_read_without_pyarrow() -> None:
    lines = (
        "import sys, numpy as np, porank as po",
        "log = {'session': [1, 1], 'item': ['a', 'b'], 'event': np.array(['click', 'view'])}",
        "rows = [dict(zip(log, row)) for row in zip(*log.values())]",
        "assert list(po.preference_pairs(log)) == list(po.preference_pairs(rows)) != []",
        "assert 'pyarrow' not in sys.modules",
    )
    subprocess.run([sys.executable, "-c", "; ".join(lines)], check=True)


class TestChunks:
    """The pieces in which a file is read."""

    @pytest.mark.parametrize("size", [3, 100])
    def test_faults_are_told_by_line(self, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("porank.core.columns.BLOCK_ROWS", size)
        log: dict[str, list[Any]] = {"session": [1, 1, 2, 2]}
        log |= {"item": ["a", "b", "c", ""], "position": [1, 1, 1, 2]}
        log["event"] = ["click", "view", "click", "view"]
        found = preference_pairs(
            ClickLog(io.StringIO(as_csv(log)), errors="report"),
            rule="click_over_skip_above",
        )
        assert [problem.line for problem in found.problems] == [2, 3, 5]


TEXTS = st.text(st.sampled_from('a ,"\n;'), max_size=5)


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=6))
def test_what_a_table_writes_is_read_again(rows: list[tuple[str, str]]) -> None:
    text = Table(["one", " two "], rows).to_csv().replace('" two "', " two ")
    source = CsvSource(io.StringIO(text, newline=""))
    read = [block.columns for block in source.blocks(["one", "two"], Problems("raise"))]
    found = [row for each in read for row in zip(*each.values(), strict=True)]
    cells = [(one.strip(" "), two.strip(" ")) for one, two in rows]
    assert found == [row for row in cells if any(row)]


@pytest.mark.parametrize("text", ['1,a\n2,"b\n3,c\n', '1,a\n2,b\n"3', '1,a\n,,\n2,"b', '1,"\n,,\n'])
def test_rows_in_a_quote_without_an_end_are_not_lost_in_silence(text: str) -> None:
    for wanted in (["one"], ["two"], ["one", "two"]):
        source = CsvSource(io.StringIO(f"one,two\n{text}", newline=""))
        with pytest.raises(ParseError, match="expected the end of a quote, found none to the end"):
            list(source.blocks(wanted, Problems("report")))


@pytest.mark.parametrize("text", ['1,a\n2,5" b\n\n3,c\n', '1,a\n2,"b\nb"\n3,c', '1,a\n2,""""'])
def test_other_quotes_are_no_problem(text: str) -> None:
    problems = Problems("report")
    assert list(CsvSource(io.StringIO(f"one,two\n{text}", newline="")).blocks(["one"], problems))
    assert problems.found == []


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
    table = pa.table({"session": ["s", "s"], "item": ["a", "b"], "event": ["click", "view"]})
    for log in (_Stream(table), table.to_reader(), table.to_batches()[0]):
        assert list(preference_pairs(log)) == LOG_PAIRS
    pairs = pa.table(preference_pairs(table))
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
    log = {"session": [1, 1, 2], "item": ["a", "b", "c"], "event": ["click", "view", "view"]}
    whole = tmp_path / "log.parquet"
    pq.write_table(pa.table(log | {"time": [1.0, 2.0, float("nan")]}), whole)
    content, rng = whole.read_bytes(), random.Random(0)
    for _ in range(300):
        broken = bytearray(content)
        for place in rng.sample(range(len(broken)), 2):
            broken[place] = rng.randrange(256)
        whole.write_bytes(broken)
        with suppress(po.PorankError):
            po.preference_pairs(whole, rule=["levels", "dwell"])


@pytest.mark.parametrize("cells", [[["a"], ["b"]], [{"x": 1}, {"x": 2}]])
def test_lists_and_mappings_are_no_items(cells: list[Any], tmp_path: Path) -> None:
    log = {"session": [1, 1], "item": cells, "event": ["click", "view"]}
    pq.write_table(pa.table(log), tmp_path / "log.parquet")
    with pytest.raises(po.PorankError, match=r"expected .* item"):
        po.preference_pairs(tmp_path / "log.parquet")


SEQUENCE: dict[str, list[Any]] = {
    "session": ["z", "z", "a", "a"],
    "item": ["q", "c", "q", "c"],
    "event": ["click", "view", "click", "view"],
}


@pytest.mark.parametrize("name", ["session", "item", "event"])
def test_categories_come_in_order_of_appearance(name: str) -> None:
    frame = pd.DataFrame(SEQUENCE)
    frame[name] = frame[name].astype(pd.CategoricalDtype(sorted({*SEQUENCE[name], "unused"})))
    for log in (frame, pa.Table.from_pandas(frame)):
        found = preference_pairs(log)
        assert list(found) == [("z", "q", "c", 1), ("a", "q", "c", 1)]
        assert found.items == ["q", "c"]


@pytest.mark.parametrize(
    ("values", "first"),
    [
        (pd.PeriodIndex(["2020-02", "2020-01"] * 2, freq="M"), pd.Period("2020-02", "M")),
        (pa.array([2, 1, 2, 1], pa.duration("s")), timedelta(0, 2)),
        (pa.array([2000, 1000] * 2, pa.duration("ns")), timedelta(0, 0, 2)),
        (pd.to_timedelta([2, 1, 2, 1], unit="us"), timedelta(0, 0, 2)),
    ],
)
def test_periods_and_durations_are_no_numbers(values: Any, first: Any) -> None:
    log = {**SEQUENCE, "item": values}
    assert next(iter(preference_pairs(log)))[1] == first
    with pytest.raises(ParseError, match="expected a finite number or a date in ISO 8601 as time"):
        preference_pairs({**SEQUENCE, "time": values}, rule="dwell")


@pytest.mark.parametrize("read", [po.preference_pairs, po.compare_scores])
def test_one_column_of_polars_is_no_table(read: Any) -> None:
    series = pytest.importorskip("polars").Series([1, 2])
    with pytest.raises(po.PorankError, match="with columns, found a Series"):
        read(series)


@pytest.mark.parametrize("read", [po.preference_pairs, po.compare_scores])
def test_json_is_no_table(read: Any, tmp_path: Path) -> None:
    (tmp_path / "log.json").write_text('{"session": 1, "item": "a", "event": "click"}\n')
    with pytest.raises(ParseError, match=r"log\.json: .* JSON Lines, an object in each line, end"):
        read(tmp_path / "log.json")
