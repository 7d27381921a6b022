"""The one reader of columns: a log or a table, whatever holds it, handed out block by block.

One asks for some columns and gets them some rows at a time, each with the number of its line. CSV,
Parquet, frames and streams are read by pyarrow, batch by batch; columns in memory as arrays; rows
in memory, and JSON Lines, one by one. A column is an array of NumPy, or `Texts`, of which each
different one is kept once.

Sources: `open_source`, `ColumnSource`, `RowSource`. Columns: `Block`, `Texts`, `as_column`,
`spread`, `cells_at`. Which column is which is told by `porank.core.column_names`.
"""

from __future__ import annotations

import io
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import chain, islice
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from porank.core.arrays import in_parts, labels_as_array, run_starts
from porank.core.csv_cells import Line, choose_delimiter, read_rows
from porank.core.files import Problems, Text, TextBytes, decoded, encoded
from porank.errors import ParseError, PorankError, a_kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from porank.typing import Numbers

    Faults: TypeAlias = list[tuple[int, str]]


#: So many rows are looked at together: few enough to stay in the cache of the processor.
BLOCK_ROWS = 1 << 15


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


def _cut(columns: Mapping[Any, Any], lines: Numbers, size: int) -> Iterator[Block]:
    """Yield blocks of at most `size` rows of columns."""
    for part in in_parts(lines.size, size):
        yield Block({name: column[part] for name, column in columns.items()}, lines[part])


class Source(ABC):
    """A log or table, whatever holds it, whose columns are read block by block."""

    name = ""
    is_streamed = False
    names: Sequence[Any]

    @abstractmethod
    def blocks(
        self, wanted: Sequence[Any], problems: Problems, size: int = BLOCK_ROWS
    ) -> Iterator[Block]:
        """Yield blocks of at most `size` rows of some columns; faulty rows go to `problems`."""

    def close(self) -> None:  # noqa: B027
        """Close the file behind the columns, if there is one."""


def open_source(log: Any, columns: Any = None, *, what: str = "log") -> Source:
    """Open a log: a file in CSV, JSON Lines or Parquet, a frame, columns or rows in memory."""
    if hasattr(log, "read") or isinstance(log, (str, os.PathLike)):
        return _source_in_file(log, columns)
    return _source_in_memory(log, what)


def _source_in_file(log: Any, columns: Any) -> Source:
    """Open a file of columns: Parquet or JSON Lines by its suffix, else CSV or TSV."""
    is_open = hasattr(log, "read")
    name = getattr(log, "name", "") if is_open else os.fspath(log)
    name = name if isinstance(name, str) else ""
    is_parquet = PurePath(name).suffix.lower() in (".parquet", ".pq")
    if is_parquet and not (is_open and isinstance(log.read(0), str)):
        return _ArrowSource(log, name=name, is_parquet=True)
    if PurePath(name.removesuffix(".gz")).suffix.lower() in (".jsonl", ".ndjson"):
        return _JsonSource(log, name)
    return _CsvSource(log, name, has_header=not _are_positions(columns))


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
        return _ArrowSource(log, is_parquet=False)
    is_structured = isinstance(log, np.ndarray) and log.dtype.names
    has_columns = hasattr(log, "columns") and hasattr(log, "__getitem__")
    if isinstance(log, Mapping) or is_structured or has_columns:
        return ColumnSource(log)
    if isinstance(log, np.ndarray) and log.ndim == 2:
        log = log.tolist()
    if isinstance(log, Iterable) and not isinstance(log, (bytes, bytearray)):
        return RowSource(log)
    raise PorankError(f"expected a {what}: columns, rows, or the path of a file; found {log!r}")


def _are_positions(columns: Any) -> bool:
    if not isinstance(columns, Mapping):
        return False
    named = [
        name
        for value in columns.values()
        for name in (value if isinstance(value, (list, tuple)) else [value])
        if name is not None
    ]
    numbered = [isinstance(name, int) and not isinstance(name, bool) for name in named]
    if any(numbered) and not all(numbered):
        raise PorankError(f"expected names or positions as columns, found both in {columns!r}")
    return any(numbered)


@contextmanager
def _read_by_pyarrow(expected: str, name: str) -> Iterator[None]:
    """Let what pyarrow cannot read end in an error of ours."""
    arrow = import_module("pyarrow")
    try:
        yield
    except (arrow.ArrowException, OSError, UnicodeError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        text = str(error).partition("\n")[0].removesuffix(".")
        raise ParseError(f"expected {expected}, found an error: {text:.200}", source=name) from None


class _ArrowSource(Source):
    """Columns that pyarrow reads, batch by batch: a Parquet file, or a stream of Arrow."""

    def __init__(self, log: Any, *, name: str = "", is_parquet: bool) -> None:
        self.name = name
        self.is_streamed = is_parquet
        self._expected = "a Parquet file" if is_parquet else "a stream of Arrow"
        with _read_by_pyarrow(self._expected, name):
            if is_parquet:
                self._file = import_module("pyarrow.parquet").ParquetFile(log)
                self.names = self._file.schema_arrow.names
            else:
                # A stream of polars has texts of a kind that not every pyarrow can encode.
                given = log.to_arrow() if hasattr(log, "to_arrow") else log
                self._file = import_module("pyarrow").RecordBatchReader.from_stream(given)
                self.names = self._file.schema.names

    def blocks(
        self, wanted: Sequence[Any], problems: Problems, size: int = BLOCK_ROWS
    ) -> Iterator[Block]:
        """Yield blocks of rows of some columns of Arrow; the first row is line 1."""
        del problems  # what pyarrow reads is whole, or it cannot be read
        before = 0
        with _read_by_pyarrow(self._expected, self.name):
            batches = self._file
            if self.is_streamed:
                batches = self._file.iter_batches(size, columns=list(wanted))
            for batch in batches:
                batch.validate(full=True)
                columns = {name: _column_of_arrow(batch.column(name)) for name in wanted}
                yield from _cut(columns, np.arange(batch.num_rows) + before + 1, size)
                before += batch.num_rows

    def close(self) -> None:
        """Close the Parquet file, or the stream."""
        self._file.close()


def _column_of_arrow(column: Any) -> Any:
    """Return an array of pyarrow as a column: an array of NumPy, or texts."""
    arrow = import_module("pyarrow")
    if isinstance(column, arrow.ChunkedArray):
        column = column.combine_chunks()
    if arrow.types.is_string(column.type) or arrow.types.is_large_string(column.type):
        column = column.dictionary_encode()
    if arrow.types.is_dictionary(column.type):
        different = column.dictionary.to_pylist()
        index = column.indices.cast(arrow.int64()).fill_null(len(different))
        return Texts([*different, None], index.to_numpy(zero_copy_only=False))
    if column.null_count and arrow.types.is_integer(column.type):
        return as_column(column.to_pylist())  # in an array, they would become floats
    values = column.to_numpy(zero_copy_only=False)
    return values if values.dtype.kind in "iufMO" else values.astype(object)


#: So many bytes of a CSV file are read together.
_BLOCK_BYTES = 1 << 22


class _CsvSource(Source):
    """A CSV file read as columns, named by its first row unless asked for by position.

    Lines are counted as rows: empty ones after the header do not count, and each row is one.
    """

    is_streamed = True

    def __init__(self, file: Any, name: str = "", *, has_header: bool) -> None:
        self.name = name
        self._file = Text(file, Problems("report"), is_compressed=name.endswith(".gz"))
        self._raw = TextBytes(self._file)
        self._bytes = io.BufferedReader(self._raw, _BLOCK_BYTES)
        try:
            first = self._read_first(is_header=has_header)
        except BaseException:
            self._file.close()
            raise
        self.names = first.fields if has_header else list(range(len(first.fields)))
        self._header_end = first.end if has_header else first.number - 1

    def close(self) -> None:
        """Close the CSV file, unless the caller has opened it."""
        self._file.close()

    def _read_first(self, *, is_header: bool) -> Line:
        """Return the first row of a CSV file that is not empty, which is passed if a header."""
        head = decoded(self._bytes.peek().decode())
        self._delimiter = choose_delimiter(None, self.name.removesuffix(".gz"), head)
        lines = io.StringIO(head, newline="")
        rows = read_rows(lines, self._delimiter)
        filled = (row for row in rows if row.fields or row.fault)
        row = next(filled, Line([], 1, 0, "", self._damage()))
        try:
            if row.fault is not None:
                raise row.fault
            row.require_utf8()
        except ParseError as error:
            error.column = 0
            where = max(row.number, row.end)
            Problems("raise", source=self.name).meet(error, line=where, text="")
        if is_header:
            self._bytes.read(len(encoded(head[: lines.tell()])))
        return row

    def _damage(self) -> ParseError | None:
        if self._raw.damage is None:
            return None
        return ParseError(f"expected a row of cells, found an error: {self._raw.damage}")

    def blocks(
        self, wanted: Sequence[Any], problems: Problems, size: int = BLOCK_ROWS
    ) -> Iterator[Block]:
        """Yield blocks of rows of some CSV columns; empty lines are skipped."""
        line, n_reported = self._header_end, 0
        bad_rows: list[Any] = []
        with _read_by_pyarrow("rows of cells", self.name):
            for batch in self._batches(wanted, bad_rows) if self._bytes.peek(1) else ():
                bad = [row.number + self._header_end for row in bad_rows]
                lines = np.arange(line + 1, line + 1 + batch.num_rows + len(bad))
                lines = np.setdiff1d(lines, bad, assume_unique=True)[: batch.num_rows]
                line = int(lines.max(initial=line))
                columns = dict(zip(wanted, map(_texts_of_csv, batch.columns), strict=True))
                if problems.is_strict and any(map(self._is_filled, bad_rows)):
                    # What is wrong in rows before comes first; rows behind are not read.
                    first = next(filter(self._is_filled, bad_rows))
                    lines = lines[lines < first.number + self._header_end]
                yield from _cut(columns, lines, size)
                self._meet(bad_rows[n_reported:], problems)
                n_reported = len(bad_rows)
        self._meet(bad_rows[n_reported:], problems)
        line = max([line, *(row.number + self._header_end for row in bad_rows[-1:])])
        damage = self._damage()
        if damage is not None:
            problems.meet(damage, line=line + 1, text="")
        elif self._raw.n_quotes % 2 and self._raw.n_filled > line:
            error = ParseError("expected the end of a quote, found none to the end of the file")
            problems.meet(error, line=line, text="")

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
            # Rows are numbered only by one thread.
            arrow_csv.ReadOptions(use_threads=False, block_size=_BLOCK_BYTES, column_names=numbers),
            arrow_csv.ParseOptions(
                delimiter=self._delimiter, newlines_in_values=True, invalid_row_handler=skip
            ),
            arrow_csv.ConvertOptions(column_types=kinds, include_columns=chosen),
        )
        return batches

    def _is_filled(self, row: Any) -> bool:
        """Return whether a row of a CSV file holds more than blanks and separators."""
        return bool(row.text.strip(f'{self._delimiter} "'))

    def _meet(self, bad_rows: Iterable[Any], problems: Problems) -> None:
        """Meet the rows of a CSV file that have too few or too many cells, unless all are empty."""
        for row in bad_rows:
            if self._is_filled(row):
                error = ParseError(f"expected {len(self.names)} cells, found {row.actual_columns}")
                problems.meet(error, line=row.number + self._header_end, text=decoded(row.text))


def _texts_of_csv(column: Any) -> Texts:
    """Return the column of a batch of CSV as texts without blanks round them."""
    texts = [decoded(cell).strip(" ") for cell in column.dictionary.to_pylist()]
    return Texts(texts, column.indices.to_numpy(zero_copy_only=False))


class ColumnSource(Source):
    """Columns in memory: a mapping, a frame of pandas, a structured array."""

    def __init__(self, log: Any) -> None:
        self._log = log
        self.names = _names_of(log)

    def blocks(
        self, wanted: Sequence[Any], problems: Problems, size: int = BLOCK_ROWS
    ) -> Iterator[Block]:
        """Yield blocks of rows of some columns in memory."""
        del problems  # a column cannot be cut short without the others
        columns = {name: _column_of(self._log[name], name) for name in wanted}
        lengths = {name: len(column) for name, column in columns.items()}
        if len(set(lengths.values())) > 1:
            found = ", ".join(f"{length} in {name!r}" for name, length in lengths.items())
            raise PorankError(f"expected columns of one length, found {found} values")
        yield from _cut(columns, np.arange(max(lengths.values(), default=0)) + 1, size)


def cuts_between(column: Numbers, size: int) -> list[int]:
    """Return where to cut a sorted column into parts of `size` rows or more, at changes only."""
    ends = np.append(run_starts(column)[1:], column.size)
    places = np.searchsorted(ends, np.arange(size, column.size + size, size))
    return [0, *np.unique(ends[np.minimum(places, ends.size - 1)]).tolist()]


def _names_of(log: Any) -> list[Any]:
    """Return the names of columns in memory."""
    if isinstance(log, np.ndarray):
        return list(log.dtype.names or ())
    return list(log if isinstance(log, Mapping) else log.columns)


def _column_of(given: Any, name: Any) -> Any:
    """Return a column of a frame or a mapping as an array of NumPy, or as texts."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise PorankError(f"expected a column of values as {name!r}, found {given!r}")
    if isinstance(given, np.ndarray):
        if given.ndim != 1:
            raise PorankError(
                f"expected one dimension in column {name!r}, found the shape {given.shape}"
            )
        if given.dtype.kind == "m":  # as numbers they would lose their unit
            return as_column(given.astype("m8[us]").tolist())
        is_plain = given.dtype.kind in "iufMUO" and not isinstance(given, np.ma.MaskedArray)
        return given if is_plain else as_column(given.tolist())
    if not hasattr(given, "to_numpy"):
        return as_column(given if isinstance(given, Sequence) else list(given))
    if isinstance(getattr(given, "dtype", None), np.dtype):
        return _column_of(given.to_numpy(), name)
    if hasattr(given, "to_arrow"):
        given = given.to_arrow()
    with _read_by_pyarrow("a column of Arrow", str(name)):
        arrow = import_module("pyarrow")
        is_arrow = hasattr(given, "to_pylist")
        return _column_of_arrow(given if is_arrow else arrow.array(given, from_pandas=True))


class RowSource(Source):
    """Rows in memory read as columns: mappings, named tuples, or tuples by position."""

    _rows: Iterator[tuple[int, Any]]
    _expected = "a mapping"

    def __init__(self, rows: Iterable[Any]) -> None:
        rows = list(rows)
        self._rows = enumerate(rows, start=1)
        first = rows[0] if rows else ()
        self._has_keys = isinstance(first, Mapping)
        if self._has_keys:
            self.names = _keys_of(rows)
        elif isinstance(first, Sequence) and not isinstance(first, (str, bytes)):
            self.names = list(getattr(first, "_fields", range(len(first))))
        else:
            raise PorankError(
                f"expected mappings or tuples as the rows of the log, found {first!r}"
            )

    def blocks(
        self, wanted: Sequence[Any], problems: Problems, size: int = BLOCK_ROWS
    ) -> Iterator[Block]:
        """Yield blocks of some columns of rows."""
        while some := list(islice(self._rows, size)):
            rows, lines = [], []
            for line, row in some:
                fault = self._fault_of(row)
                if fault:
                    problems.meet(ParseError(fault), line=line, text=repr(row))
                else:
                    rows.append(row)
                    lines.append(line)
            columns = {name: as_column(self._cells(rows, name)) for name in wanted}
            yield Block(columns, np.array(lines, dtype=np.int64))

    def _fault_of(self, row: Any) -> str:
        """Return what is wrong with a row, if anything."""
        if self._has_keys:
            is_row = isinstance(row, Mapping)
            return "" if is_row else f"expected {self._expected}, found {row!r:.60}"
        if not isinstance(row, Sequence) or isinstance(row, (str, bytes)):
            return f"expected a row of values, found {row!r}"
        if len(row) != len(self.names):
            return f"expected a row of {len(self.names)} values, found {len(row)}"
        return ""

    def _cells(self, rows: Sequence[Any], name: Any) -> list[Any]:
        """Return the cells of a column in some rows, None where a mapping has none."""
        if self._has_keys:
            return [row.get(name) for row in rows]
        place = self.names.index(name)
        return [row[place] for row in rows]


def _keys_of(rows: Iterable[Any]) -> list[Any]:
    """Return the names of columns in rows that are mappings."""
    return list(dict.fromkeys(key for row in rows if isinstance(row, Mapping) for key in row))


#: So many lines of a file of JSON Lines tell its columns.
_LINES_OF_NAMES = 1000


class _JsonSource(RowSource):
    """A file of JSON Lines, an object in each, read as rows; the first ones tell the names."""

    is_streamed = True
    _expected = "an object in JSON in each line"
    _has_keys = True

    def __init__(self, file: Any, name: str = "") -> None:
        self.name = name
        self._file = Text(file, Problems("report"), is_compressed=name.endswith(".gz"))
        lines = enumerate(self._file, start=1)
        rows = ((number, _value_of(line)) for number, line in lines if line.strip())
        first = list(islice(rows, _LINES_OF_NAMES))
        self.names = _keys_of(row for _, row in first)
        faults = ((line, self._fault_of(row)) for line, row in first if self._fault_of(row))
        for line, fault in islice(faults, not self.names):
            self.close()
            Problems("raise", source=name).meet(ParseError(fault), line=line, text="")
        self._rows = chain(first, rows)

    def close(self) -> None:
        """Close the file of JSON Lines, unless the caller has opened it."""
        self._file.close()


def _value_of(line: str) -> Any:
    """Return what a line of JSON Lines says, or the line itself if it is no JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return line.strip()
