"""The one reader of columns: a log or a table, whatever holds it, handed out block by block.

One asks for some columns and gets them some rows at a time, each with the number of its line. CSV
and Parquet are read by pyarrow, batch by batch; columns in memory, frames and tables of Arrow
column by column; rows in memory, and JSON Lines, one by one. A column is an array of NumPy, or
`Texts`, of which each different one is kept once.

Sources: `open_source`, `CsvSource`, `ParquetSource`, `ColumnSource`, `RowSource`. Columns: `Block`,
`Texts`, `as_column`, `spread`, `cells_at`. Which column is which tells `porank.core.column_names`.
"""

from __future__ import annotations

import csv
import io
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from itertools import chain, compress, islice
from operator import not_
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from porank.core.arrays import labels_as_array
from porank.core.column_names import named_columns
from porank.core.csv_cells import choose_delimiter
from porank.core.files import (
    DAMAGED,
    Problems,
    Text,
    fault_of_bytes,
    in_its_encoding,
    name_of,
    opened,
    require_open,
)
from porank.errors import ParseError, PorankError, a_kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from porank.typing import Numbers

    Faults: TypeAlias = list[tuple[int, str]]


#: So many rows are read together.
BLOCK_ROWS = 1 << 17


class Block(NamedTuple):
    """Some rows of a log or table: the columns asked for, and the number of each row's line."""

    columns: dict[Any, Any]
    lines: Numbers


class Texts:
    """A column, mostly of texts, that is dictionary-encoded: each different one is kept once."""

    def __init__(self, different: list[Any], index: NDArray[Any]) -> None:
        self.different = different
        self.index = index

    def __len__(self) -> int:
        return self.index.size

    def __getitem__(self, place: Any) -> Any:
        """Return the cell at a place, or the column of the cells at several."""
        chosen = self.index[place]
        if isinstance(chosen, np.ndarray):
            return Texts(self.different, chosen)
        return self.different[int(chosen)]

    def __iter__(self) -> Iterator[Any]:
        return map(self.different.__getitem__, self.index.tolist())


def spread(
    values: NDArray[Any], faults: Faults, index: NDArray[Any]
) -> tuple[NDArray[Any], Faults]:
    """Return values and faults for all cells of a column of texts that is dictionary-encoded."""
    if not faults:
        return values.take(index), []
    wrong = dict(faults)
    places = np.flatnonzero(np.isin(index, list(wrong))).tolist()
    return values.take(index), [(place, wrong[int(index[place])]) for place in places]


def cells_at(column: Any, index: NDArray[Any]) -> Any:
    """Return the cells of a column of a block at some places, in their sequence."""
    return [column[i] for i in index.tolist()] if isinstance(column, list) else column[index]


def as_column(values: Sequence[Any]) -> NDArray[Any]:
    """Return cells as a column: an array of numbers if all are of one such type, or of objects."""
    return np.array(values) if set(map(type, values)) == {float} else labels_as_array(values)


class Source(ABC):
    """A log or table, whatever holds it, whose columns are read block by block."""

    name = ""
    names: Sequence[Any]
    #: In which line the names stand, and what is put between the cells of a row that is shown.
    header_line, delimiter = 0, ","

    @abstractmethod
    def blocks(self, wanted: Sequence[Any], problems: Problems) -> Iterator[Block]:
        """Yield blocks of rows of some columns; faulty rows go to `problems`."""

    def close(self) -> None:  # noqa: B027
        """Close the file behind the columns, if there is one."""


def open_source(log: Any, columns: Any = None, *, what: str = "log") -> Source:
    """Open a log: a file in CSV, JSON Lines or Parquet, a frame, columns or rows in memory."""
    if hasattr(log, "read") or isinstance(log, (str, os.PathLike)):
        return _source_in_file(log, columns)
    return _source_in_memory(log, what)


def _source_in_file(log: Any, columns: Any) -> Source:
    """Open a file of columns: Parquet or JSON Lines by its suffix, else CSV or TSV."""
    require_open(log)
    name = name_of(log)
    suffix = PurePath(name.removesuffix(".gz")).suffix.lower()
    if suffix in (".parquet", ".pq") and not (hasattr(log, "read") and log.read(0) == ""):
        return ParquetSource(log, name)
    if suffix in (".jsonl", ".ndjson"):
        expected = "an object in JSON in each line"
        return RowSource(_rows_of_json(log), expected, name=name, n_first=_LINES_OF_NAMES)
    if suffix == ".json":
        raise ParseError(
            "expected a table or log in CSV, JSON Lines or Parquet, found the suffix of JSON",
            hint="JSON Lines, an object in each line, end in .jsonl",
            source=name,
        )
    source = CsvSource(log)
    if _are_positions(columns):
        source.take_off_header()
    return source


def _source_in_memory(log: Any, what: str) -> Source:
    """Return the source of columns or rows in memory: a frame, a mapping, an array, a list."""
    for method in ("collect", "compute"):
        if hasattr(type(log), method) and hasattr(type(log), "columns"):
            raise PorankError(
                f"expected a {what} that has been read, found {a_kind(log)}; .{method}() reads it"
            )
    # Columns of pandas hold values of several types, which Arrow has not; so do results of ours.
    library = type(log).__module__.partition(".")[0]
    if hasattr(log, "__arrow_c_stream__") and library not in ("pandas", "porank"):
        table = _table_of(log, what)
        return ColumnSource(table, table.column_names)
    names = log.dtype.names if isinstance(log, np.ndarray) else getattr(log, "columns", None)
    if isinstance(log, Mapping):
        return ColumnSource(log, log)
    if names is not None and hasattr(log, "__getitem__"):
        return ColumnSource(log, names)
    if isinstance(log, np.ndarray) and log.ndim == 2:
        log = log.tolist()
    if isinstance(log, Iterable) and not isinstance(log, (bytes, bytearray)):
        expected = f"mappings, or tuples of one length, as the rows of the {what}"
        return RowSource(enumerate(log, start=1), expected)
    raise PorankError(f"expected a {what}: columns, rows, or the path of a file; found {log!r}")


def _table_of(log: Any, what: str) -> Any:
    """Return a table of Arrow of what offers a stream, such as a frame of polars or DuckDB."""
    with _read_by_pyarrow("a stream of Arrow", ""):
        # A stream of polars has texts of a kind that not every pyarrow can encode.
        given = log.to_arrow() if hasattr(log, "to_arrow") else log
        if hasattr(given, "type"):
            raise PorankError(f"expected a {what} with columns, found {a_kind(log)}")
        table = import_module("pyarrow").table(given)
        table.validate(full=True)
        return table


def _are_positions(columns: Any) -> bool:
    if not isinstance(columns, Mapping):
        return False
    numbered = [
        isinstance(name, int) and not isinstance(name, bool) for name in named_columns(columns)
    ]
    if any(numbered) and not all(numbered):
        raise PorankError(f"expected names or positions as columns, found both in {columns!r}")
    return any(numbered)


@contextmanager
def _read_by_pyarrow(expected: str, name: str) -> Iterator[None]:
    """Let what pyarrow cannot read end in an error of ours."""
    arrow = import_module("pyarrow")
    try:
        yield
    except (arrow.ArrowException, OSError, UnicodeError, *DAMAGED) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        text = str(error).partition("\n")[0].removesuffix(".")
        raise ParseError(f"expected {expected}, found an error: {text:.200}", source=name) from None


class ParquetSource(Source):
    """A file of Parquet, read batch by batch; its first row is line 1."""

    def __init__(self, log: Any, name: str) -> None:
        self.name = name
        with _read_by_pyarrow("a Parquet file", name):
            self._file = import_module("pyarrow.parquet").ParquetFile(log)
            self.names = self._file.schema_arrow.names

    def blocks(self, wanted: Sequence[Any], problems: Problems) -> Iterator[Block]:
        """Yield blocks of rows of some columns of Parquet."""
        del problems  # what pyarrow reads is whole, or it cannot be read
        before = 0
        with _read_by_pyarrow("a Parquet file", self.name):
            for batch in self._file.iter_batches(BLOCK_ROWS, columns=list(wanted)):
                batch.validate(full=True)
                columns = {name: _column_of_arrow(batch.column(name)) for name in wanted}
                yield Block(columns, np.arange(batch.num_rows) + before + 1)
                before += batch.num_rows

    def close(self) -> None:
        """Close the Parquet file."""
        self._file.close()


#: So many bytes of a CSV file are read together.
_BLOCK_BYTES = 1 << 22


class CsvSource(Source):
    """A CSV file read as columns, named by its first row that is not blank, or by position.

    Each row is a line. Blanks round a cell are not part of it; rows without a filled cell, such as
    blank lines, are skipped.
    """

    def __init__(self, file: Any, *, delimiter: Any = None) -> None:
        self.name = name_of(file)
        self._lent = ExitStack()
        try:
            self._read_head(opened(file, self._lent), delimiter)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the CSV file, unless the caller has opened it."""
        self._lent.close()

    def take_off_header(self) -> None:
        """Take the first row of the CSV file as one of the others: columns are positions."""
        self.names = range(len(self.names))
        self._passed = self.header_line - 1

    def _read_head(self, file: Any, delimiter: Any) -> None:
        """Read the first row of a CSV file that is not blank, and the sign between cells."""
        with _read_by_pyarrow("a file of CSV", self.name), in_its_encoding():
            head = file.read(_BLOCK_BYTES)
            if isinstance(head, str):
                head = (head + file.read()).encode("utf-8", "surrogateescape")
        head = head.removeprefix("\ufeff".encode())
        text = head.decode("utf-8", "surrogateescape")
        self.delimiter = choose_delimiter(delimiter, self.name.removesuffix(".gz"), text)
        self.header_line, self.names = self._first_row(text)
        fault = fault_of_bytes(self.delimiter.join(self.names))
        if fault is not None:
            problems = Problems("raise", source=self.name)
            problems.meet(fault, line=self.header_line, text=self.delimiter.join(self.names))
        self._passed = self.header_line
        # More cells than any row has: a quote without an end would take them in.
        self._end = self.delimiter * len(self.names)
        self._bytes = _Joined(io.BytesIO(head), file, io.BytesIO(f"\n{self._end}".encode()))

    def _first_row(self, text: str) -> tuple[int, list[str]]:
        """Return the number and the cells of the first row of a CSV text that is not blank."""
        lines = io.StringIO(text, newline="")
        rows = csv.reader(lines, delimiter=self.delimiter, strict=True, skipinitialspace=True)
        line, cells = 0, list[str]()
        try:
            while not any(cells):
                line += 1
                cells = [cell.strip(" ") for cell in next(rows)]
        except StopIteration:
            return 0, []
        except csv.Error as error:
            fault = ParseError(f"expected a row of cells, found an error: {error}")
            raise fault.placed(line=line, text="", source=self.name) from None
        return line, cells

    def blocks(self, wanted: Sequence[Any], problems: Problems) -> Iterator[Block]:
        """Yield blocks of rows of some CSV columns."""
        line, bad_rows = self._passed, list[Any]()
        n_met = 0
        with _read_by_pyarrow("rows of cells", self.name):
            for batch in self._batches(wanted, bad_rows) if self.names else ():
                lines = np.arange(line + 1, line + 1 + batch.num_rows + len(bad_rows))
                is_bad = np.isin(lines, [row.number for row in bad_rows])
                lines = lines[~is_bad][: batch.num_rows]
                line = int(lines.max(initial=line))
                self._meet(bad_rows[n_met:], problems)
                n_met = len(bad_rows)
                columns = dict(zip(wanted, map(_texts_of_csv, batch.columns), strict=True))
                is_filled = ~_are_blank(columns.values())
                columns = {name: column[is_filled] for name, column in columns.items()}
                yield Block(columns, lines[is_filled])
        self._meet(bad_rows[n_met:], problems)
        is_ended = any(row.number > line and row.text == self._end for row in bad_rows[-1:])
        if self.names and not is_ended:
            message = "expected the end of a quote, found none to the end of the file"
            Problems("raise", source=self.name).meet(ParseError(message), line=line, text="")

    def _batches(self, wanted: Sequence[Any], bad_rows: list[Any]) -> Iterable[Any]:
        """Return the record batches of some columns; rows with other cells go to `bad_rows`."""

        def skip(row: Any) -> str:
            bad_rows.append(row)
            return "skip"

        arrow, arrow_csv = import_module("pyarrow"), import_module("pyarrow.csv")
        numbers = list(map(str, range(len(self.names))))
        chosen = [numbers[self.names.index(name)] for name in wanted]
        kinds = dict.fromkeys(chosen, arrow.dictionary(arrow.int32(), arrow.string()))
        batches: Iterable[Any] = arrow_csv.open_csv(
            self._bytes,
            arrow_csv.ReadOptions(
                use_threads=False,  # rows are numbered only by one thread
                block_size=_BLOCK_BYTES,
                column_names=numbers,
                skip_rows_after_names=self._passed,
                encoding="latin-1",  # in which all bytes are texts
            ),
            arrow_csv.ParseOptions(
                delimiter=self.delimiter,
                newlines_in_values=True,
                ignore_empty_lines=False,
                invalid_row_handler=skip,
            ),
            arrow_csv.ConvertOptions(column_types=kinds, include_columns=chosen),
        )
        return batches

    def _meet(self, bad_rows: Iterable[Any], problems: Problems) -> None:
        """Meet the rows of a CSV file that have too few or too many cells, unless all are empty."""
        for row in bad_rows:
            if row.text.strip(f'{self.delimiter} "'):
                error = ParseError(f"expected {len(self.names)} cells, found {row.actual_columns}")
                problems.meet(error, line=row.number, text=_decoded(row.text))


def _are_blank(columns: Iterable[Texts]) -> Any:
    """Return which rows of columns have no filled cell."""
    each = (np.array([not text for text in c.different], bool)[c.index] for c in columns)
    return np.all(list(each), axis=0)


class _Joined(io.RawIOBase):
    """The bytes of several open files as those of one, none of which it closes."""

    def __init__(self, *files: Any) -> None:
        self._files = list(files)

    def readable(self) -> bool:
        """Return that the bytes can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes, as many as fit and one of the files gives."""
        part = b""
        while self._files and not part:
            part = self._files[0].read(len(buffer))
            if not part:
                self._files.pop(0)
        buffer[: len(part)] = part
        return len(part)


def _texts_of_csv(column: Any) -> Texts:
    """Return the column of a batch of CSV as texts without blanks round them."""
    texts = [_decoded(text).strip(" ") for text in column.dictionary.to_pylist()]
    return Texts(texts, column.indices.to_numpy())


def _decoded(text: str) -> str:
    """Return a text of a column that is in UTF-8 and was read as if it were in Latin-1."""
    return text if text.isascii() else text.encode("latin-1").decode("utf-8", "surrogateescape")


class ColumnSource(Source):
    """Columns in memory: a mapping, a frame, a table of Arrow, a structured array."""

    def __init__(self, log: Any, names: Iterable[Any]) -> None:
        self._log = log
        self.names = list(names)

    def blocks(self, wanted: Sequence[Any], problems: Problems) -> Iterator[Block]:
        """Yield blocks of rows of some columns in memory."""
        del problems  # a column cannot be cut short without the others
        columns = {name: _column_of(self._log[name], name) for name in wanted}
        lengths = {name: len(column) for name, column in columns.items()}
        if len(set(lengths.values())) > 1:
            found = ", ".join(f"{length} in {name!r}" for name, length in lengths.items())
            raise PorankError(f"expected columns of one length, found {found} values")
        yield Block(columns, np.arange(max(lengths.values(), default=0)) + 1)


def _column_of(given: Any, name: Any) -> Any:
    """Return a column of a frame or a mapping as an array of NumPy, or as texts."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise PorankError(f"expected a column of values as {name!r}, found {given!r}")
    if hasattr(given, "to_numpy") and not isinstance(getattr(given, "dtype", None), np.dtype):
        with _read_by_pyarrow("a column of Arrow", str(name)):
            return _column_of_arrow(given)
    if hasattr(given, "to_numpy"):
        given = given.to_numpy()
    if not isinstance(given, np.ndarray):
        return as_column(given if isinstance(given, Sequence) else list(given))
    if given.ndim != 1:
        raise PorankError(
            f"expected one dimension in column {name!r}, found the shape {given.shape}"
        )
    if given.dtype.kind == "m":  # as numbers they would lose their unit
        given = given.astype("m8[us]")
    is_plain = given.dtype.kind in "iufMUO" and not isinstance(given, np.ma.MaskedArray)
    return given if is_plain else as_column(given.tolist())


def _column_of_arrow(given: Any) -> Any:
    """Return an array of Arrow, or what can become one, as an array of NumPy, or as texts."""
    arrow = import_module("pyarrow")
    column = given.to_arrow() if hasattr(given, "to_arrow") else given
    if not hasattr(column, "to_pylist"):
        column = arrow.array(given, from_pandas=True)
    if isinstance(column, arrow.ChunkedArray):
        column = column.combine_chunks()
    if isinstance(column.type, arrow.BaseExtensionType):
        return as_column(list(given))  # such as periods, which are more than their numbers
    if arrow.types.is_dictionary(column.type):
        column = column.dictionary_decode()  # categories have a sequence of their own
    if arrow.types.is_string(column.type) or arrow.types.is_large_string(column.type):
        coded = column.dictionary_encode("encode")
        return Texts(coded.dictionary.to_pylist(), coded.indices.to_numpy())
    if column.null_count and arrow.types.is_integer(column.type):
        return as_column(column.to_pylist())  # in an array, they would become floats
    return _column_of(column.to_numpy(zero_copy_only=False), "")


#: So many lines of a file of JSON Lines tell its columns.
_LINES_OF_NAMES = 1000


def _rows_of_json(file: Any) -> Iterator[tuple[int, Any]]:
    """Yield the rows of a file of JSON Lines with their lines; what is no JSON as a text."""
    with Text(file, Problems("report")) as text:
        for number, line in enumerate(text, start=1):
            if line.strip():
                try:
                    yield number, json.loads(line)
                except (ValueError, RecursionError):
                    yield number, line.strip()


class RowSource(Source):
    """Rows read as columns: mappings, whose first ones tell the names, or tuples by position."""

    def __init__(
        self,
        rows: Iterator[tuple[int, Any]],
        expected: str,
        *,
        name: str = "",
        n_first: int | None = None,
    ) -> None:
        first = list(islice(rows, n_first))
        self.name, self._expected = name, expected
        self._given, self._rows = rows, chain(first, rows)
        mappings = [row for _, row in first if isinstance(row, Mapping)]
        self._has_keys = bool(mappings)
        head: Any = first[0][1] if first else ()
        if mappings:
            self.names = list(dict.fromkeys(chain.from_iterable(mappings)))
        elif _is_sequence(head):
            self.names = list(getattr(head, "_fields", range(len(head))))
        else:
            self.close()
            raise ParseError(f"expected {expected}, found {head!r:.60}", source=name)

    def close(self) -> None:
        """Close the file of the rows, if there is one."""
        if isinstance(self._given, Generator):
            self._given.close()

    def blocks(self, wanted: Sequence[Any], problems: Problems) -> Iterator[Block]:
        """Yield blocks of some columns of rows, None where a mapping has no such cell."""
        while some := list(islice(self._rows, BLOCK_ROWS)):
            is_good = [self._is_row(row) for _, row in some]
            for line, row in compress(some, map(not_, is_good)):
                error = ParseError(f"expected {self._expected}, found {row!r:.60}")
                problems.meet(error, line=line, text=repr(row))
            good = list(compress(some, is_good))
            columns = {name: as_column(self._cells(good, name)) for name in wanted}
            yield Block(columns, np.array([line for line, _ in good], dtype=np.int64))

    def _is_row(self, row: Any) -> bool:
        """Return whether a row is like those that told the columns."""
        if self._has_keys:
            return isinstance(row, Mapping)
        return _is_sequence(row) and len(row) == len(self.names)

    def _cells(self, rows: Sequence[tuple[int, Any]], name: Any) -> list[Any]:
        """Return the cells of a column in some rows, None where a mapping has none."""
        if self._has_keys:
            return [row.get(name) for _, row in rows]
        place = self.names.index(name)
        return [row[place] for _, row in rows]


def _is_sequence(row: Any) -> bool:
    return isinstance(row, Sequence) and not isinstance(row, (str, bytes))
