"""Columns from files: marks, encodings, ends of lines, quotes, blanks, and damaged files."""

from __future__ import annotations

import csv
import gzip
import io
import random
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank import ClickLog
from porank.clicks.preference_pairs import preference_pairs
from porank.core.columns import _CsvSource
from porank.core.csv_cells import _spell_cell, read_lines
from porank.core.files import Problems
from porank.core.tables import Table
from porank.errors import ParseError
from tests.clicks.test_log import COLUMNS, SAID, as_csv, problems_of

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

    def test_lines_are_counted_once(self) -> None:
        text = '\n"a",b\n1,2\n3,4\n"5",6\n\n7\n'
        source = _CsvSource(io.StringIO(text), has_header=True)
        problems = Problems("report")
        blocks = list(source.blocks(["a"], problems, 1))
        found = [(list(b.columns["a"]), b.lines.tolist()) for b in blocks if b.lines.size]
        assert found == [(["1"], [3]), (["3"], [4]), (["5"], [5])]
        assert [problem.line for problem in problems.found] == [6], "the empty line does not count"
        unnamed = _CsvSource(io.StringIO("\n1,2\n3,4\n"), has_header=False)
        assert [b.lines.tolist() for b in unnamed.blocks([0], problems)] == [[2, 3]]


class TestChunks:
    """The pieces in which a file is read."""

    @pytest.mark.parametrize("size", [3, 100])
    def test_faults_are_told_by_line(self, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("porank.clicks.log._ROWS_READ", size)
        log: dict[str, list[Any]] = {"session": [1, 1, 2, 2]}
        log |= {"item": ["a", "b", "c", ""], "position": [1, 1, 1, 2]}
        log["event"] = ["click", "view", "click", "view"]
        found = preference_pairs(
            ClickLog(io.StringIO(as_csv(log)), errors="report"),
            rule="click_over_skip_above",
        )
        assert [problem.line for problem in found.problems] == [2, 3, 5]


TEXTS = st.text(st.sampled_from('a ,"\n;'), max_size=5)


class Cell(NamedTuple):
    """A cell as it is meant, and as it is written."""

    meant: str
    written: str


@st.composite
def cells(draw: st.DrawFn) -> Cell:
    """A bare cell between blanks, or one in quotes after blanks."""
    blanks = st.sampled_from(["", " ", "   "])
    text = draw(TEXTS)
    if _spell_cell(text, ",") == text and draw(st.booleans()):
        return Cell(text, draw(blanks) + text + draw(blanks))
    quoted = text.replace('"', '""')
    return Cell(text, f'{draw(blanks)}"{quoted}"')


TABLES = st.lists(st.tuples(cells(), cells()), min_size=1, max_size=6)


@given(TABLES, st.sampled_from(["\n", "\r\n"]))
def test_rows_keep_what_is_meant(rows: list[tuple[Cell, Cell]], end: str) -> None:
    text = "".join(f"{u.written},{v.written}{end}" for u, v in rows)
    meant = [[u.meant, v.meant] for u, v in rows]
    problems = Problems("raise")
    assert [line.fields for line in read_lines(io.StringIO(text, newline=""), ",", problems)] == [
        row for row in meant if any(row)
    ]


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=6), st.integers(1, 4))
def test_what_a_table_writes_is_read_again(rows: list[tuple[str, str]], size: int) -> None:
    text = Table(["one", " two "], rows).to_csv().replace('" two "', " two ")
    source = _CsvSource(io.StringIO(text, newline=""), has_header=True)
    read = [block.columns for block in source.blocks(["one", "two"], Problems("raise"), size)]
    found = [row for each in read for row in zip(*each.values(), strict=True)]
    assert found == [(one.strip(" "), two.strip(" ")) for one, two in rows]


def test_equal_cells_in_quotes_and_without_and_blanks_as_the_sign() -> None:
    blank = read_lines(["a b\n", " c\n"], " ", Problems("raise"))
    assert [line.fields for line in blank] == [["a", "b"], ["", "c"]]
    (line,) = read_lines(['a ,"a ", a , "a ""b"" "\n'], ",", Problems("raise"))
    assert line.fields == ["a", "a ", "a", 'a "b" ']


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
