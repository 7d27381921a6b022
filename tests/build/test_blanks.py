"""Blanks round the cells of CSV, in files of pairs and in logs: they count in quotes only."""

from __future__ import annotations

import io
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from porank.core.columns import CsvSource
from porank.core.csv_cells import read_lines, spell_cell
from porank.core.files import Problems
from porank.core.tables import Table

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
    if spell_cell(text, ",") == text and draw(st.booleans()):
        return Cell(text, draw(blanks) + text + draw(blanks))
    quoted = text.replace('"', '""')
    return Cell(text, f'{draw(blanks)}"{quoted}"')


TABLES = st.lists(st.tuples(cells(), cells()), min_size=1, max_size=6)


@given(TABLES, st.sampled_from(["\n", "\r\n"]), st.integers(1, 4))
def test_both_readers_keep_what_is_meant(
    rows: list[tuple[Cell, Cell]], end: str, size: int
) -> None:
    text = "".join(f"{u.written},{v.written}{end}" for u, v in rows)
    meant = [[u.meant, v.meant] for u, v in rows]
    problems = Problems("raise")
    assert [line.fields for line in read_lines(text, ",", problems)] == [
        row for row in meant if any(row)
    ]
    source = CsvSource(io.StringIO(f"one, two {end}{text}", newline=""), has_header=True)
    assert source.names == ["one", "two"]
    read = [block.columns for block in source.blocks(["one", "two"], problems, size)]
    assert [list(row) for each in read for row in zip(*each.values(), strict=True)] == meant


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=6))
def test_what_a_table_writes_is_read_again(rows: list[tuple[str, str]]) -> None:
    text = Table(["one", "two"], rows).to_csv()
    source = CsvSource(io.StringIO(text, newline=""), has_header=True)
    read = [block.columns for block in source.blocks(["one", "two"], Problems("raise"))]
    assert [row for each in read for row in zip(*each.values(), strict=True)] == rows


def test_blanks_may_be_the_sign() -> None:
    assert [line.fields for line in read_lines("a b\n c\n", " ", Problems("raise"))] == [
        ["a", "b"],
        ["", "c"],
    ]


def test_equal_cells_in_quotes_and_without() -> None:
    (line,) = read_lines('a ,"a ", a , "a ""b"" "\n', ",", Problems("raise"))
    assert line.fields == ["a", "a ", "a", 'a "b" ']
