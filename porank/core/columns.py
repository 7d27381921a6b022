"""The one reader of columns: a log or a table, whatever holds it, handed out block by block.

Rows, mappings, frames and tables in memory, streams of Arrow, CSV, JSON Lines and Parquet files are
sources of the same kind: one asks for some columns and gets them some rows at a time, each with its
line.
CSV is read by the csv module; plain lines, many at a time, by pyarrow.

Sources: `open_source`, `ColumnSource`, `ParquetSource`. Columns: `Block`, `Texts`, `spread`,
`taken`. Which column is which is told by `porank.core.column_names`.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import chain, islice, pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arrays import grouped, in_parts, inverse_of, run_starts
from porank.core.csv_cells import Line, choose_delimiter, read_rows
from porank.core.files import Problems, Text
from porank.errors import ParseError, PorankError, a_kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from porank.typing import Numbers


#: So many rows are looked at together: few enough to stay in the cache of the processor.
BLOCK_ROWS = 1 << 15


class Block(NamedTuple):
    """Some rows of a log or table: the columns asked for, and the number of each row's line."""

    columns: dict[Any, Any]
    lines: Numbers


class Texts:
    """A column of texts, dictionary-encoded: each different text is kept once."""

    def __init__(self, different: list[str], index: NDArray[Any]) -> None:
        self.different = different
        self.index = index

    def __len__(self) -> int:
        return self.index.size

    def __getitem__(self, place: int) -> str:
        return self.different[int(self.index[place])]

    def __iter__(self) -> Iterator[str]:
        return map(self.different.__getitem__, self.index.tolist())


def spread(
    values: NDArray[Any], faults: list[tuple[int, str]], index: NDArray[Any]
) -> tuple[NDArray[Any], list[tuple[int, str]]]:
    """Return values and faults for all cells of a column of texts that is dictionary-encoded."""
    if not faults:
        return values.take(index), []
    wrong = dict(faults)
    places = np.flatnonzero(np.isin(index, list(wrong))).tolist()
    return values.take(index), [(place, wrong[int(index[place])]) for place in places]


def taken(column: Any, index: NDArray[Any]) -> Any:
    """Return the cells of a column of a block at some places, in their sequence."""
    if isinstance(column, Texts):
        return Texts(column.different, column.index[index])
    return column[index] if isinstance(column, np.ndarray) else [column[i] for i in index.tolist()]


class Source(ABC):
    """A log or table, whatever holds it, whose columns are read block by block."""

    name = ""
    is_streamed = False
    names: Sequence[Any]

    @abstractmethod
    def blocks(
        self, wanted: Sequence[Any], problems: Problems, size: int = BLOCK_ROWS
    ) -> Iterator[Block]:
        """Yield blocks of `size` rows of some columns; faulty rows go to `problems`."""

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
        return ParquetSource(log, name=name)
    if PurePath(name.removesuffix(".gz")).suffix.lower() in (".jsonl", ".ndjson"):
        return _JsonSource(log, name=name)
    return _CsvSource(log, has_header=not _are_positions(columns), name=name)


def _source_in_memory(log: Any, what: str) -> Source:
    """Return the source of columns or rows in memory: a frame, a mapping, an array, a list."""
    for method in ("collect", "compute"):
        if hasattr(type(log), method) and hasattr(type(log), "columns"):
            raise PorankError(
                f"expected a {what} that has been read, found {a_kind(log)}; .{method}() reads it"
            )
    is_structured = isinstance(log, np.ndarray) and log.dtype.names
    has_columns = hasattr(log, "columns") and hasattr(log, "__getitem__")
    if hasattr(log, "__arrow_c_stream__") and not _is_known(log):
        return ColumnSource(import_module("pyarrow").table(log))
    if isinstance(log, Mapping) or is_structured or has_columns:
        return ColumnSource(log)
    if isinstance(log, np.ndarray) and log.ndim == 2:
        log = log.tolist()
    if isinstance(log, Iterable) and not isinstance(log, (bytes, bytearray)):
        return RowSource(log)
    raise PorankError(f"expected a {what}: columns, rows, or the path of a file; found {log!r}")


def _is_known(log: Any) -> bool:
    """Return whether the columns of a log are read one by one, not as a stream of Arrow."""
    library = type(log).__module__.partition(".")[0]
    return library in ("pandas", "polars", "porank") or hasattr(log, "column_names")


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


#: What reading a compressed file raises when it is cut or no such file.
DAMAGED = (EOFError, gzip.BadGzipFile, zlib.error)


class _CsvSource(Source):
    """A CSV file read as columns, named by its first row unless asked for by position."""

    is_streamed = True

    def __init__(self, file: Any, *, has_header: bool, name: str = "") -> None:
        self.name = name
        self._file = Text(file, Problems("report"), is_compressed=name.endswith(".gz"))
        self._lines = self._undamaged()
        self._damage: Exception | None = None
        try:
            first = self._read_first()
        except BaseException:
            self._file.close()
            raise
        self._line = first.end
        self.names = first.fields if has_header else list(range(len(first.fields)))
        self._rows_read = [] if has_header or not first.fields else [first]

    def close(self) -> None:
        """Close the CSV file, unless the caller has opened it."""
        self._file.close()

    def _undamaged(self) -> Iterator[str]:
        """Yield the lines of a CSV file down to where it is damaged."""
        try:
            yield from self._file
        except DAMAGED as error:
            self._damage = error

    def _read_first(self) -> Line:
        """Return the first row of a CSV file that is not empty, and find out its delimiter."""
        head = list(islice(self._lines, 1))
        while head and not head[-1].strip("\r\n") and (more := list(islice(self._lines, 1))):
            head += more
        self._delimiter = choose_delimiter(None, self.name.removesuffix(".gz"), "".join(head))
        self._lines = chain(head, self._lines)
        rows = read_rows(self._lines, self._delimiter)
        filled = (row for row in rows if row.fields or row.fault)
        row = next(filled, Line([], len(head) + 1, len(head), "", self._damage_met()))
        try:
            if row.fault is not None:
                raise row.fault
            row.require_utf8()
        except ParseError as error:
            error.column = 0
            where = max(row.number, row.end)
            Problems("raise", source=self.name).meet(error, line=where, text="")
        return row

    def _damage_met(self) -> ParseError | None:
        if self._damage is None:
            return None
        return ParseError(f"expected a row of cells, found an error: {self._damage}")

    def blocks(
        self, wanted: Sequence[Any], problems: Problems, size: int = BLOCK_ROWS
    ) -> Iterator[Block]:
        """Yield blocks of rows of some CSV columns; empty lines are skipped."""
        places = {name: list(self.names).index(name) for name in wanted}
        yield _block_of(self._rows_read, places)
        yield from self._blocks_by_arrow(places, size)
        rows: list[Line] = []
        for row in read_rows(self._lines, self._delimiter, before=self._line):
            fault = row.fault or self._fault_of_width(row.fields)
            if fault is None and len(row.fields) == len(self.names):
                rows.append(row)
            elif fault is not None:
                if problems.is_strict:
                    yield _block_of(rows, places)  # what is wrong in rows before comes first
                text = self._delimiter.join(row.fields)
                problems.meet(fault, line=row.number, text=text)
            self._line = row.end
            if len(rows) == size:
                yield _block_of(rows, places)
                rows = []
        yield _block_of(rows, places)
        damage = self._damage_met()
        if damage is not None:
            problems.meet(damage, line=self._line + 1, text="")

    def _fault_of_width(self, cells: list[str]) -> ParseError | None:
        if len(cells) == len(self.names) or not any(cells):
            return None
        return ParseError(f"expected {len(self.names)} cells, found {len(cells)}")

    def _blocks_by_arrow(self, places: Mapping[Any, int], size: int) -> Iterator[Block]:
        """Yield blocks of CSV read by pyarrow, as long as it reads as the csv module does."""
        while size >= _MANY_LINES:
            lines = list(islice(self._lines, size))
            columns = _cut_by_arrow(lines, self._delimiter, len(self.names), places)
            if columns is None:
                self._lines = chain(lines, self._lines)
                return
            yield Block(columns, np.arange(self._line + 1, self._line + len(lines) + 1))
            self._line += len(lines)


def _block_of(rows: Sequence[Line], places: Mapping[Any, int]) -> Block:
    """Return some columns of a block of rows that were read from CSV."""
    lines = np.array([row.number for row in rows], dtype=np.int64)
    return Block({name: [row.fields[at] for row in rows] for name, at in places.items()}, lines)


#: Fewer lines than this are read before pyarrow is loaded.
_MANY_LINES = 1 << 12


def _cut_by_arrow(
    lines: list[str], delimiter: str, width: int, places: Mapping[Any, int]
) -> dict[Any, Any] | None:
    """Cut some columns out of a block of CSV by pyarrow; None if a line is out of the ordinary."""
    text = "".join(lines)
    if len(lines) < _MANY_LINES or width < 2 or '"' in text or _has_blanks(text, delimiter):
        return None
    if text.count(delimiter) != (width - 1) * len(lines):  # pyarrow makes rows of empty lines
        return None
    arrow, arrow_csv = import_module("pyarrow"), import_module("pyarrow.csv")
    numbers = list(map(str, range(width)))
    wanted = [numbers[at] for at in places.values()]
    kinds = dict.fromkeys(wanted, arrow.dictionary(arrow.int32(), arrow.string()))
    try:
        content = text.encode()
        table = arrow_csv.read_csv(
            arrow.BufferReader(content),
            read_options=arrow_csv.ReadOptions(column_names=numbers, block_size=len(content) + 1),
            parse_options=arrow_csv.ParseOptions(
                delimiter=delimiter, quote_char=False, ignore_empty_lines=False
            ),
            convert_options=arrow_csv.ConvertOptions(column_types=kinds, include_columns=wanted),
        )
    except ValueError:  # a cell too few, or what is not UTF-8
        return None
    if table.num_rows != len(lines):
        return None
    return {name: _texts_of(table.column(numbers[at]).chunk(0)) for name, at in places.items()}


def _has_blanks(text: str, delimiter: str) -> bool:
    """Return whether blanks stand round a cell in columns of CSV, which pyarrow would keep."""
    if delimiter == " " or " " not in text:
        return False
    around = (f" {delimiter}", f"{delimiter} ", " \n", " \r", "\n ", "\r ")
    return " " in (text[0], text[-1]) or any(map(text.__contains__, around))


def _texts_of(column: Any) -> Texts:
    """Return a dictionary-encoded column of pyarrow as texts."""
    return Texts(column.dictionary.to_pylist(), column.indices.to_numpy(zero_copy_only=False))


#: So many lines of a file of JSON Lines tell its columns.
_LINES_OF_NAMES = 1000


class _JsonSource(Source):
    """A file of JSON Lines, an object in each, read as columns; the first ones tell the names."""

    is_streamed = True

    def __init__(self, file: Any, *, name: str = "") -> None:
        self.name = name
        self._file = Text(file, Problems("report"), is_compressed=name.endswith(".gz"))
        self._lines = enumerate(self._file, start=1)
        self._first = list(islice(self._lines, _LINES_OF_NAMES))
        found = (_object_in(line) for _, line in self._first)
        self.names = list(
            dict.fromkeys(key for row in found if isinstance(row, dict) for key in row)
        )

    def close(self) -> None:
        """Close the file of JSON Lines, unless the caller has opened it."""
        self._file.close()

    def blocks(
        self, wanted: Sequence[Any], problems: Problems, size: int = BLOCK_ROWS
    ) -> Iterator[Block]:
        """Yield blocks of some members of the objects, None where one is not there."""
        lines = chain(self._first, self._lines)
        while some := list(islice(lines, size)):
            rows, numbers = [], []
            for number, line in some:
                row = _object_in(line)
                if isinstance(row, dict):
                    rows.append(row)
                    numbers.append(number)
                elif row is not None:
                    problems.meet(row, line=number, text=line.strip())
            columns = {name: [row.get(name) for row in rows] for name in wanted}
            yield Block(columns, np.array(numbers, dtype=np.int64))


def _object_in(line: str) -> dict[str, Any] | ParseError | None:
    """Return the row of columns in a line of JSON Lines, None in an empty one, else its fault."""
    if not line.strip():
        return None
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = line.strip()
    if isinstance(found, dict):
        return found
    return ParseError(f"expected an object in JSON in each line, found {found!r:.60}")


class ColumnSource(Source):
    """Columns in memory: a mapping, a frame of pandas or polars, a table of pyarrow."""

    def __init__(self, log: Any) -> None:
        self._log = log
        self._columns: dict[Any, Any] = {}
        self.names = _names_of(log)

    def blocks(
        self, wanted: Sequence[Any], problems: Problems, size: int = BLOCK_ROWS
    ) -> Iterator[Block]:
        """Yield blocks of rows of some columns in memory."""
        del problems  # a column cannot be cut short without the others
        columns = {name: self._column(name) for name in wanted}
        lengths = {name: len(column) for name, column in columns.items()}
        if len(set(lengths.values())) > 1:
            found = ", ".join(f"{length} in {name!r}" for name, length in lengths.items())
            raise PorankError(f"expected columns of one length, found {found} values")
        length = max(lengths.values(), default=0)
        cuts = [*range(0, length, size), length]
        for start, stop in pairwise(cuts):
            values = {name: _values_of(column, start, stop) for name, column in columns.items()}
            yield Block(values, np.arange(start + 1, stop + 1))

    def _column(self, name: Any) -> Any:
        if name not in self._columns:
            self._columns[name] = _column_of(self._log[name], name)
        return self._columns[name]


def cuts_between(column: Numbers, size: int) -> list[int]:
    """Return where to cut a sorted column into parts of `size` rows or more, at changes only."""
    ends = np.append(run_starts(column)[1:], column.size)
    places = np.searchsorted(ends, np.arange(size, column.size + size, size))
    return [0, *np.unique(ends[np.minimum(places, ends.size - 1)]).tolist()]


def _names_of(log: Any) -> list[Any]:
    if isinstance(log, Mapping):
        return list(log)
    if isinstance(log, np.ndarray):
        return list(log.dtype.names or ())
    names: Iterable[Any] = getattr(log, "column_names", log.columns)
    return list(names)


#: What columns of texts are called in frames of polars and pandas.
_TEXTS = ("String", "str", "string")


def _column_of(given: Any, name: Any) -> Any:
    """Return a column of a frame or a mapping as something that has a length and can be cut."""
    column = given
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise PorankError(f"expected a column of values as {name!r}, found {column!r}")
    if hasattr(column, "to_pylist"):
        return _plain_column(column)
    if hasattr(column, "to_list") and hasattr(column, "null_count") and column.null_count():
        return column.to_list()  # in an array of polars, integers beside nothing become floats
    if hasattr(column, "to_numpy"):
        # In an array of pandas, too, integers beside nothing become floats.
        dtype: Any = getattr(column, "dtype", None)
        has_gaps = getattr(dtype, "na_value", None) is not None and column.isna().any()
        if not has_gaps and str(dtype) in _TEXTS:
            if not hasattr(column, "to_arrow"):
                return _plain_column(column.array.__arrow_array__())
            return _texts_by_hash(column) or _plain_column(column.to_arrow())
        column = column.to_numpy(dtype=object, na_value=None) if has_gaps else column.to_numpy()
    if isinstance(column, np.ndarray):
        if column.ndim != 1:
            raise PorankError(
                f"expected one dimension in column {name!r}, found the shape {column.shape}"
            )
        return column
    return column if isinstance(column, Sequence) else list(column)


#: Of so many texts at the front, more than half are different where many are.
_FRONT = 1 << 12


def _texts_by_hash(column: Any) -> Texts | None:
    """Return a polars column of many different texts as such; None if few, or if two hashes meet.

    Idea: *sorted by their hashes, equal texts stand together*; a dictionary of so many is slower.
    """
    if 2 * column.head(_FRONT).n_unique() <= len(column.head(_FRONT)):
        return None
    # A hash and a place have 63 bits together, which are sorted as one number.
    hashes = column.hash().to_numpy() >> np.uint64(1 + len(column).bit_length())
    order, starts = grouped(hashes.view(np.int64))
    appearing = np.argsort(order[starts])
    index = np.empty_like(order)
    index[order] = np.repeat(inverse_of(appearing), np.diff(starts, append=order.size))
    different = column.gather(order[starts[appearing]])
    is_right = (different.gather(index) == column).all()
    return Texts(different.to_list(), index) if is_right else None


def _values_of(column: Any, start: int, stop: int) -> Any:
    """Return some rows of a column as a list, or as an array of numbers, dates or texts."""
    if isinstance(column, Texts):
        return Texts(column.different, column.index[start:stop])
    values = column[start:stop]
    if isinstance(values, np.ndarray):
        has_plain_dtype = values.dtype.kind in "iufMUO" and not isinstance(
            values, np.ma.MaskedArray
        )
        return values if has_plain_dtype else values.tolist()
    return list(values)


class RowSource(Source):
    """Rows in memory read as columns: mappings, named tuples, or tuples by position."""

    def __init__(self, rows: Iterable[Any]) -> None:
        self._rows = list(rows)
        first = self._rows[0] if self._rows else ()
        self._has_keys = isinstance(first, Mapping)
        if self._has_keys:
            keys = (key for row in self._rows if isinstance(row, Mapping) for key in row)
            self.names = list(dict.fromkeys(keys))
        elif isinstance(first, Sequence) and not isinstance(first, (str, bytes)):
            self.names = list(getattr(first, "_fields", range(len(first))))
        else:
            raise PorankError(
                f"expected mappings or tuples as the rows of the log, found {first!r}"
            )

    def blocks(
        self, wanted: Sequence[Any], problems: Problems, size: int = BLOCK_ROWS
    ) -> Iterator[Block]:
        """Yield blocks of some columns of rows; a mapping that lacks a key has None there."""
        for part in in_parts(len(self._rows), size):
            lines = np.arange(part.start + 1, part.stop + 1)
            rows = self._rows[part]
            is_row = [self._is_row(row, line, problems) for line, row in enumerate(rows, lines[0])]
            rows = [row for row, kept in zip(rows, is_row, strict=True) if kept]
            yield Block({name: self._cells(rows, name) for name in wanted}, lines[is_row])

    def _is_row(self, row: Any, line: int, problems: Problems) -> bool:
        if self._has_keys:
            fault = "" if isinstance(row, Mapping) else f"expected a mapping, found {row!r}"
        elif not isinstance(row, Sequence) or isinstance(row, (str, bytes)):
            fault = f"expected a row of values, found {row!r}"
        elif len(row) != len(self.names):
            fault = f"expected a row of {len(self.names)} values, found {len(row)}"
        else:
            return True
        if fault:
            problems.meet(ParseError(fault), line=int(line), text=repr(row))
        return not fault

    def _cells(self, rows: list[Any], name: Any) -> list[Any]:
        if self._has_keys:
            return [row.get(name) for row in rows]
        place = self.names.index(name)
        return [row[place] for row in rows]


@contextmanager
def _read_by_pyarrow(name: str) -> Iterator[None]:
    """Let what pyarrow cannot read of a file in Parquet end in an error of ours."""
    try:
        yield
    except (import_module("pyarrow").ArrowException, OSError, UnicodeDecodeError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        text = str(error).partition("\n")[0].removesuffix(".")
        message = f"expected a Parquet file, found an error: {text:.200}"
        raise ParseError(message, source=name) from None


class ParquetSource(Source):
    """A Parquet file, read as columns by pyarrow."""

    is_streamed = True

    def __init__(self, file: Any, *, name: str | None = None) -> None:
        self.name = os.fspath(file) if name is None else name
        parquet = import_module("pyarrow.parquet")
        with _read_by_pyarrow(self.name):
            self._file = parquet.ParquetFile(file)
            self.names = self._file.schema_arrow.names

    def blocks(
        self, wanted: Sequence[Any], problems: Problems, size: int = BLOCK_ROWS
    ) -> Iterator[Block]:
        """Yield blocks of rows of some Parquet columns; the first row is line 1."""
        del problems  # a Parquet file is whole, or it cannot be read
        before = 0
        with _read_by_pyarrow(self.name):
            for batch in self._file.iter_batches(size, columns=list(wanted)):
                columns = {name: _plain_column(batch.column(name)) for name in wanted}
                yield Block(columns, np.arange(before + 1, before + batch.num_rows + 1))
                before += batch.num_rows

    def close(self) -> None:
        """Close the Parquet file."""
        self._file.close()


def _plain_column(column: Any) -> Any:
    """Return a pyarrow column as an array of numbers or texts if none is missing, else a list."""
    if column.null_count:
        return column.to_pylist()
    if hasattr(column, "combine_chunks"):
        column = column.combine_chunks()
    if str(column.type) in ("string", "large_string"):
        return _texts_of(column.dictionary_encode())
    values = column.to_numpy(zero_copy_only=False)
    return values if values.dtype.kind in "iufM" else values.tolist()
