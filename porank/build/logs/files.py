"""Logs in files: CSV and TSV, read block by block, and which file is what."""

from __future__ import annotations

import csv
import gzip
import os
import zlib
from collections.abc import Mapping
from itertools import chain, islice, pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.build.files.cells import choose_delimiter
from porank.build.files.texts import lines_of, require_utf8
from porank.build.logs.cutting import cut_lines
from porank.build.logs.parquet import ParquetSource
from porank.build.logs.sources import BLOCK_ROWS, Block
from porank.csv_cells import without_blanks
from porank.errors import ParseError, PorankError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from porank.build.files.problems import Problems
    from porank.build.logs.sources import Source
    from porank.typing import Numbers


#: What reading a compressed file raises when it is cut or no such file.
_DAMAGED = (EOFError, gzip.BadGzipFile, zlib.error)


class CsvSource:
    r"""A text whose first row names the columns, or which has none when positions are asked for.

    Examples
    --------
    >>> from porank.build.files.problems import Problems
    >>> import io
    >>> source = CsvSource(io.StringIO("item,event\na,click\nb\n"), has_header=True)
    >>> problems = Problems("report")
    >>> [block.columns for block in source.blocks(["item"], problems)]
    [{'item': ['a']}]
    >>> [str(problem) for problem in problems.found]
    ['line 3: expected 2 cells, found 1']
    """

    is_streamed = True

    def __init__(self, file: Any, *, has_header: bool, name: str = "") -> None:
        self.name = name
        lines, self._file = lines_of(file, is_compressed=name.endswith(".gz"))
        try:
            head, self._lines = _head_and_all(_without_mark(lines))
            self._delimiter = choose_delimiter(None, name.removesuffix(".gz"), head)
            first, self._line = self._read_first()
        except BaseException:
            self._file.close()
            raise
        self.names: Sequence[Any] = first if has_header else list(range(len(first)))
        self._rows_read = [] if has_header or not first else [first]

    def cuts_between(self, names: Sequence[Any]) -> bool:
        """Return False: it is not seen before all has been read."""
        del names
        return False

    def close(self) -> None:
        """Close the file, unless the caller has opened it."""
        self._file.close()

    def _read_first(self) -> tuple[list[str], int]:
        """Return the first row that is not empty, and how many lines have been read."""
        reader = _CsvRows(self._lines, self._delimiter, 0)
        row: list[str] = []
        while not row:
            rows, fault = reader.read(1)
            if fault is not None:
                message = f"expected a row of cells, found an error: {fault}"
                raise self._error(message, max(reader.line, 1))
            if not rows:
                break
            row = rows[0]
        try:
            for cell in row:
                require_utf8(cell)
        except ParseError as error:
            raise self._error(str(error), reader.line) from None
        return row, reader.line

    def _error(self, message: str, line: int) -> ParseError:
        return ParseError.at(message, line=line, column=0, text="", source=self.name)

    def blocks(
        self, wanted: Sequence[Any], problems: Problems, size: int = BLOCK_ROWS
    ) -> Iterator[Block]:
        """Yield the rows of the wanted columns; empty lines are skipped."""
        places = {name: list(self.names).index(name) for name in wanted}
        if self._rows_read:
            yield self._block(self._rows_read, np.array([self._line]), places, problems)
        yield from self._plain_blocks(places, size)
        reader = _CsvRows(self._lines, self._delimiter, self._line)
        fault: Exception | None = None
        while not isinstance(fault, _DAMAGED):
            before = reader.line
            rows, fault = reader.read(size)
            if not rows and fault is None:
                return
            lines = _line_numbers(rows, before, reader.line)
            yield self._block(rows, lines[:-1], places, problems)
            if fault is not None:
                message, line = f"expected a row of cells, found an error: {fault}", int(lines[-1])
                if reader.line > line:
                    message += f"; nothing is taken from here to line {reader.line}"
                problems.meet(ParseError(message), line=line, text="")

    def _plain_blocks(self, places: Mapping[str, int], size: int) -> Iterator[Block]:
        """Yield blocks as long as lines hold no quotes and the right number of cells.

        Such lines are cut all at once, several times faster than row by row.
        """
        while True:
            lines: list[str] = []
            fault: Exception | None = None
            try:
                lines.extend(islice(self._lines, size))
            except _DAMAGED as error:
                fault = error
            columns = None if fault else cut_lines(lines, self._delimiter, len(self.names), places)
            if columns is None:
                self._lines = chain(lines, _raising(fault) if fault else self._lines)
                return
            yield Block(columns, np.arange(self._line + 1, self._line + len(lines) + 1))
            self._line += len(lines)

    def _block(
        self,
        rows: list[list[str]],
        lines: Numbers,
        places: Mapping[Any, int],
        problems: Problems,
    ) -> Block:
        width = len(self.names)
        if set(map(len, rows)) - {width}:
            for row, line in zip(rows, lines.tolist(), strict=True):
                if len(row) != width and any(row):
                    fault = ParseError(f"expected {width} cells, found {len(row)}")
                    problems.meet(fault, line=line, text=self._delimiter.join(row))
            lines = lines[[len(row) == width for row in rows]]
            rows = [row for row in rows if len(row) == width]
        return Block({name: [row[at] for row in rows] for name, at in places.items()}, lines)


class _CsvRows:
    """Rows of cells from lines, by the csv module."""

    def __init__(self, lines: Iterator[str], delimiter: str, before: int) -> None:
        self._taken: list[str] = []
        self._keeps_blanks = delimiter == " "
        self._ends = (f" {delimiter}", " \n", " \r")
        skips = not self._keeps_blanks
        taken = self._take(lines)
        self._reader = csv.reader(taken, delimiter=delimiter, strict=True, skipinitialspace=skips)
        self._before = before

    def _take(self, lines: Iterator[str]) -> Iterator[str]:
        for line in lines:
            self._taken.append(line)
            yield line

    @property
    def line(self) -> int:
        """How many lines have been read, those before included."""
        return self._before + self._reader.line_num

    def read(self, most: int) -> tuple[list[list[str]], Exception | None]:
        """Return the next rows, at most so many, and what is wrong with the one after them."""
        rows: list[list[str]] = []
        fault: Exception | None = None
        self._taken.clear()
        try:
            # What was read before an error stays in the list.
            rows.extend(islice(self._reader, most))
        except (csv.Error, *_DAMAGED) as error:
            fault = error
        return self._bare(rows), fault

    def _bare(self, rows: list[list[str]]) -> list[list[str]]:
        """Return the rows without blanks after cells that do not stand in quotes."""
        text = "".join(self._taken)
        is_bare = not (text.endswith(" ") or any(map(text.__contains__, self._ends)))
        if self._keeps_blanks or is_bare:
            return rows
        starts = pairwise(_line_numbers(rows, 0, len(self._taken)).tolist())
        return [
            without_blanks(row, "".join(self._taken[start - 1 : end - 1]))
            for row, (start, end) in zip(rows, starts, strict=True)
        ]


def _head_and_all(lines: Iterator[str]) -> tuple[str, Iterator[str]]:
    """Return the first line that is not empty, and all of them."""
    seen: list[str] = []
    try:
        seen.extend(islice(lines, 1))
        while seen and not seen[-1].strip("\r\n"):
            seen.append(next(lines))
    except StopIteration:
        return "", iter(seen)
    except _DAMAGED as fault:
        return "", chain(seen, _raising(fault))
    return "".join(seen), chain(seen, lines)


def _without_mark(lines: Iterator[str]) -> Iterator[str]:
    """Return the lines without a byte order mark before them."""
    head: list[str] = []
    try:
        head.extend(islice(lines, 1))
    except _DAMAGED as fault:
        return _raising(fault)
    return chain([line.removeprefix("\ufeff") for line in head], lines)


def _raising(fault: Exception | None) -> Iterator[str]:
    """Go on with an error that has been met, if one was."""
    if fault is not None:
        raise fault
    yield from ()


def _line_numbers(rows: list[list[str]], before: int, after: int) -> Numbers:
    """Return the number of the line in which each row begins, and of the one after them."""
    if after - before == len(rows):
        return np.arange(before + 1, after + 2)
    heights = [1 + sum(map(_count_line_ends, row)) for row in rows]
    return before + 1 + np.cumsum([0, *heights])


def _count_line_ends(cell: str) -> int:
    return cell.count("\n") + cell.count("\r") - cell.count("\r\n")


def is_file(log: Any) -> bool:
    """Return whether a log is a path or an open file.

    Examples
    --------
    >>> import io
    >>> is_file("log.csv"), is_file(io.StringIO("")), is_file({})
    (True, True, False)
    """
    return isinstance(log, (str, os.PathLike)) or hasattr(log, "read")


def source_in_file(log: Any, columns: Any) -> Source:
    r"""Return the source of a file: Parquet by its suffix, else CSV or TSV.

    Parameters
    ----------
    log : path or open file
        A text in UTF-8, with or without a byte order mark; compressed if it is a path that ends in
        .gz. A Parquet file that is open was opened as bytes.
    columns : mapping
        If it gives positions, the text has no header.

    Examples
    --------
    >>> import io
    >>> source_in_file(io.StringIO("s1,a\n"), {"session": 0, "item": 1}).names
    [0, 1]
    """
    is_open = hasattr(log, "read")
    name = getattr(log, "name", "") if is_open else os.fspath(log)
    name = name if isinstance(name, str) else ""
    is_parquet = PurePath(name).suffix.lower() in (".parquet", ".pq")
    if is_parquet and not (is_open and isinstance(log.read(0), str)):
        return ParquetSource(log, name=name)
    return CsvSource(log, has_header=not _are_positions(columns), name=name)


def _are_positions(columns: Any) -> bool:
    if not isinstance(columns, Mapping):
        return False
    named = [
        name
        for value in columns.values()
        for name in (value if isinstance(value, (list, tuple)) else [value])
    ]
    numbered = [isinstance(name, int) and not isinstance(name, bool) for name in named]
    if any(numbered) and not all(numbered):
        raise PorankError(f"expected names or positions as columns, found both in {columns!r}")
    return any(numbered)
