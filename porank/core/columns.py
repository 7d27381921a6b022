"""Read the columns of a log or table, in a file or in memory, block by block.

The caller asks for some columns and gets blocks of rows with their line numbers. pyarrow reads CSV
and Parquet in batches. Columns, DataFrames and Arrow tables are read column by column; rows and
JSON Lines row by row. A column is a NumPy array or `Texts`, which stores each distinct text once.

Sources: `open_source`, `CsvSource`, `ParquetSource`, `ColumnSource`, `RowSource`. Columns: `Block`,
`Texts`, `encoded`, `column_of`, `as_column`, `spread`, `cells_at`, `as_label`, `is_missing`,
`are_missing`.
`porank.core.column_names` finds which column is which.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import date, datetime
from itertools import chain, compress, count, islice
from operator import not_
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from unicodedata import normalize

import numpy as np

from porank.core.arguments import load
from porank.core.arrays import labels_as_array
from porank.core.column_names import named_columns
from porank.core.csv_cells import choose_delimiter
from porank.core.files import (
    DAMAGED,
    JoinedFile,
    Problems,
    Text,
    fault_of_bytes,
    in_its_encoding,
    name_of,
    opened,
    require_open,
)
from porank.errors import ParseError, PorankError, a_kind, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from porank.typing import Numbers

    Faults: TypeAlias = list[tuple[int, str]]


#: Number of rows that are read together.
BLOCK_ROWS = 1 << 17


class Block(NamedTuple):
    """Some rows of a log or table: the requested columns, and the line number of each row."""

    columns: dict[Any, Any]
    lines: Numbers


class Texts:
    """A dictionary-encoded column, usually of texts: each distinct value is stored once."""

    def __init__(self, different: list[Any], index: NDArray[Any]) -> None:
        self.different = different
        self.index = index

    def __len__(self) -> int:
        return self.index.size

    def __getitem__(self, place: Any) -> Any:
        """Return the cell at a position, or a column of the cells at several positions."""
        chosen = self.index[place]
        if isinstance(chosen, np.ndarray):
            return Texts(self.different, chosen)
        return self.different[int(chosen)]

    def __iter__(self) -> Iterator[Any]:
        return map(self.different.__getitem__, self.index.tolist())

    def tolist(self) -> list[Any]:
        """Return the cells as a list, as an array does."""
        return list(self)


def encoded(cells: Sequence[Any]) -> Texts:
    """Return a column with each distinct cell once, or with all if some are not hashable."""
    numbers: defaultdict[Any, int] = defaultdict(count().__next__)
    try:
        index = np.fromiter(map(numbers.__getitem__, cells), np.int64, len(cells))
    except TypeError:
        return Texts(list(cells), np.arange(len(cells)))
    return Texts(list(numbers), index)


def spread(
    values: NDArray[Any], faults: Faults, index: NDArray[Any]
) -> tuple[NDArray[Any], Faults]:
    """Expand the values and faults of the distinct texts of a column to all of its cells."""
    if not faults:
        return values.take(index), []
    wrong = dict(faults)
    places = np.flatnonzero(np.isin(index, list(wrong))).tolist()
    return values.take(index), [(place, wrong[int(index[place])]) for place in places]


def as_label(cell: Any) -> Any:
    """Return a cell of a column as a label: texts are composed (NFC), without blanks around."""
    return normalize("NFC", cell).strip() if type(cell) is str else cell


def is_missing(value: Any) -> bool:
    """Return whether a cell of a column is missing: None, NaN, NaT, NA or a blank text."""
    if isinstance(value, str):
        return not value or value.isspace()
    if value is None or type(value).__name__ == "NAType":
        return True
    return isinstance(value, (float, np.floating, datetime, np.datetime64)) and value != value


def _are_filled(columns: Collection[Any], n: int) -> NDArray[np.bool_]:
    """Return which of n rows of some columns have a cell that is not missing."""
    is_empty = np.full(n, len(columns) > 0)
    for column in columns:
        if is_empty.any():
            is_empty &= are_missing(column)
    return ~is_empty


def are_missing(column: Any) -> Any:
    """Return which cells of a column are missing."""
    if isinstance(column, Texts):
        return are_missing(column.different)[column.index]
    if isinstance(column, list) or column.dtype.kind == "O":
        return np.array(list(map(is_missing, column)), bool)
    return column != column  # NaN, NaT


def _with_labels(column: Any) -> Any:
    """Return a column whose texts are labels, so that they are the same from every source."""
    if isinstance(column, Texts):
        return Texts(list(map(as_label, column.different)), column.index)
    if column.dtype.kind not in "OU":
        return column
    cells = column.tolist()
    if set(map(type, cells)) <= {str, type(None)}:
        return _with_labels(encoded(cells))
    return np.fromiter(map(as_label, cells), dtype=object, count=len(cells))


def cells_at(column: Any, index: NDArray[Any]) -> Any:
    """Return the cells of a column of a block at some positions, in that order."""
    return [column[i] for i in index.tolist()] if isinstance(column, list) else column[index]


def as_column(values: Sequence[Any]) -> NDArray[Any]:
    """Return cells as a column: an array of numbers if they have one such type, else objects."""
    return np.array(values) if set(map(type, values)) == {float} else labels_as_array(values)


class Source(ABC):
    """A log or table in any form, whose columns are read block by block."""

    name = ""
    names: Sequence[Any]
    #: What the source calls its columns, if it has names of its own.
    _called: Mapping[Any, Any] = MappingProxyType({})
    #: Line number of the header, and the delimiter for rows quoted in messages.
    header_line, delimiter = 0, ","

    def blocks(self, wanted: Sequence[Any], problems: Problems) -> Iterator[Block]:
        """Yield blocks of rows of some columns, not all missing; report faults to `problems`."""
        called = {name: self._called.get(name, name) for name in wanted}
        for block in self._blocks(list(called.values()), problems):
            columns = {name: _with_labels(block.columns[own]) for name, own in called.items()}
            filled = _are_filled(columns.values(), block.lines.size)
            found = Block(columns, block.lines)
            if not filled.all():
                columns = {name: column[filled] for name, column in columns.items()}
                found = Block(columns, block.lines[filled])
            yield found

    def _call(self, names: Iterable[Any]) -> None:
        """Name the columns, by labels, and remember what the source calls them."""
        given = list(names)
        self.names = list(map(as_label, given))
        self._called = dict(zip(self.names, given, strict=True))

    @abstractmethod
    def _blocks(self, wanted: Sequence[Any], problems: Problems) -> Iterator[Block]:
        """Yield blocks of rows of some columns as they are in the source."""

    def take_off_header(self) -> None:  # noqa: B027
        """Treat the first row of a CSV file as data; other sources know what names columns have."""

    def close(self) -> None:  # noqa: B027
        """Close the file that the columns are read from, if there is one."""


def open_source(log: Any, columns: Any = None, *, what: str = "log", **of_file: Any) -> Source:
    """Open a log in a file (`of_file` has its delimiter, or a truer suffix) or in memory."""
    if hasattr(log, "read") or isinstance(log, (str, bytes, os.PathLike)):
        return _source_in_file(log, columns, **of_file)
    return _source_in_memory(log, what)


def _source_in_file(log: Any, columns: Any, delimiter: Any = None, suffix: str = "") -> Source:
    """Open a file of columns: Parquet or JSON Lines by its suffix, otherwise CSV or TSV."""
    require_open(log)
    name = name_of(log)
    suffix = suffix or PurePath(name.removesuffix(".gz")).suffix.lower()
    if suffix in (".parquet", ".pq") and not (hasattr(log, "read") and log.read(0) == ""):
        return ParquetSource(log, name)
    if suffix in (".jsonl", ".ndjson"):
        expected = "a JSON object in each line, with each key once"
        return RowSource(_rows_of_json(log), expected, name=name, n_first=_LINES_OF_NAMES)
    if suffix == ".json":
        return RowSource(_rows_of_array(log, name), "an array of JSON objects", name=name)
    if suffix in (".feather", ".arrow"):
        with _read_by_pyarrow("the file as Arrow", name):
            table = load("pyarrow.feather").read_table(log)
        return ColumnSource(table, table.column_names)
    source = CsvSource(log, delimiter=delimiter)
    if isinstance(columns, Mapping) and int in map(type, named_columns(columns)):
        source.take_off_header()
    return source


def _source_in_memory(log: Any, what: str) -> Source:
    """Return the source of columns or rows in memory: a frame, a mapping, an array, a list."""
    is_graph = hasattr(type(log), "adj") or hasattr(type(log), "support")
    if is_graph or (isinstance(log, Mapping) and any(isinstance(key, tuple) for key in log)):
        hint = "settled_order and fit_strengths take counts of pairs"
        raise PorankError(f"expected a {what}, found {a_kind(log)} of pairs", hint=hint)
    for method in ("collect", "compute"):
        if hasattr(type(log), method) and hasattr(type(log), "columns"):
            raise PorankError(
                f"expected a {what} in memory, found {a_kind(log)}; call .{method}() first"
            )
    log = _with_columns(log)
    # A pandas column can mix types, which Arrow cannot; so can the columns of our own results.
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
        expected = f"mappings, or tuples of equal length, as the rows of the {what}"
        return RowSource(enumerate(log, start=1), expected)
    raise PorankError(f"expected a {what}: columns, rows, or the path of a file; found {log!r:.80}")


def _with_columns(log: Any) -> Any:
    """Return a relation of DuckDB as a table, and an index with names or labels as columns."""
    if hasattr(log, "fetch_arrow_table"):
        return log.fetch_arrow_table()
    levels = log.index.names if hasattr(log, "reset_index") and hasattr(log, "columns") else ()
    named = [name for name in levels if name not in (None, *log)]
    is_labelled = levels == [None] and {axis.inferred_type for axis in log.axes} == {"string"}
    if is_labelled and "" not in log:  # as in a CSV file
        return log.rename_axis("").reset_index()
    return log.reset_index(named) if named else log


def is_frame(table: Any) -> bool:
    """Return whether a table is a frame of pandas or polars, an Arrow table, or alike."""
    is_given = hasattr(type(table), "columns") or hasattr(table, "__arrow_c_stream__")
    return is_given and not isinstance(table, Mapping)


def _table_of(log: Any, what: str) -> Any:
    """Return the Arrow table of an object with an Arrow stream, such as a polars DataFrame."""
    with _read_by_pyarrow("the Arrow stream", ""):
        # The stream of a polars frame uses a string type that not every pyarrow can encode.
        given = log.to_arrow() if hasattr(log, "to_arrow") else log
        if hasattr(given, "type"):
            raise PorankError(f"expected a {what} with columns, found {a_kind(log)}")
        table = load("pyarrow").table(given)
        table.validate(full=True)
        return table


@contextmanager
def _read_by_pyarrow(what: str, name: str) -> Iterator[None]:
    """Turn an error of pyarrow into a `ParseError`."""
    arrow = load("pyarrow")
    try:
        yield
    except (arrow.ArrowException, OSError, UnicodeError, *DAMAGED) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        text = str(error).partition("\n")[0].removesuffix(".")
        hint = "git lfs pull fetches a file of Git LFS" * ("magic bytes" in text)
        raise ParseError(f"cannot read {what}: {text:.200}", hint=hint, source=name) from None


class ParquetSource(Source):
    """A Parquet file, read batch by batch; its first row is line 1."""

    def __init__(self, log: Any, name: str) -> None:
        self.name = name
        with _read_by_pyarrow("the file as Parquet", name):
            self._file = load("pyarrow.parquet").ParquetFile(log)
            self._call(self._file.schema_arrow.names)

    def _blocks(self, wanted: Sequence[Any], problems: Problems) -> Iterator[Block]:
        """Yield blocks of rows of some columns of a Parquet file."""
        del problems  # pyarrow reads a batch completely or raises an error
        before = 0
        with _read_by_pyarrow("the file as Parquet", self.name):
            for batch in self._file.iter_batches(BLOCK_ROWS, columns=list(wanted)):
                batch.validate(full=True)
                columns = {name: _column_of_arrow(batch.column(name)) for name in wanted}
                yield Block(columns, np.arange(batch.num_rows) + before + 1)
                before += batch.num_rows

    def close(self) -> None:
        """Close the Parquet file."""
        self._file.close()


#: Number of bytes of a CSV file that are read together.
_BLOCK_BYTES = 1 << 22
#: The line in which Excel names the delimiter, without its end, so lines are counted as they are.
_SEPARATOR = re.compile(rb"sep=([^\r\n])(?=[\r\n])", re.IGNORECASE)


class CsvSource(Source):
    """A CSV file read by columns, which have the names in its first non-blank row, or positions.

    Each row is a line. Rows in which all cells are empty are skipped, and so are blank lines.
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
        """Close the CSV file, unless the caller opened it."""
        self._lent.close()

    def take_off_header(self) -> None:
        """Treat the first row of the CSV file as data; columns then have positions as names."""
        self.names = range(len(self.names))
        self._passed = self.header_line - 1

    def _read_head(self, file: Any, delimiter: Any) -> None:
        """Find the first non-blank row of a CSV file and its delimiter."""
        with _read_by_pyarrow("the file as CSV", self.name), in_its_encoding():
            head = file.read(_BLOCK_BYTES)
            if isinstance(head, str):
                head = (head + file.read()).encode("utf-8", "surrogateescape")
        head = head.removeprefix("\ufeff".encode())
        if excel := _SEPARATOR.match(head):
            head, delimiter = head[excel.end() :], delimiter or excel[1].decode("latin-1")
        text = head.decode("utf-8", "surrogateescape")
        self.delimiter = choose_delimiter(delimiter, self.name.removesuffix(".gz"), text)
        self.header_line, self.names = self._first_row(text)
        fault = fault_of_bytes(self.delimiter.join(self.names))
        if fault is not None:
            problems = Problems("raise", source=self.name)
            problems.meet(fault, line=self.header_line, text=self.delimiter.join(self.names))
        self._passed = self.header_line
        # This extra row has too many cells, unless an unclosed quote swallows it.
        self._end = self.delimiter * len(self.names)
        self._bytes = JoinedFile(io.BytesIO(head), file, io.BytesIO(f"\n{self._end}".encode()))

    def _first_row(self, text: str) -> tuple[int, list[str]]:
        """Return the line number and the cells of the first non-blank row of a CSV text."""
        lines = io.StringIO(text, newline="")
        rows = csv.reader(lines, delimiter=self.delimiter, strict=True, skipinitialspace=True)
        line, cells = 0, list[str]()
        try:
            while not any(cells):
                line += 1
                cells = list(map(as_label, next(rows)))
        except StopIteration:
            return 0, []
        except csv.Error as error:
            fault = ParseError(f"cannot read the row as CSV: {error}")
            raise fault.placed(line=line, text="", source=self.name) from None
        return line, cells

    def _blocks(self, wanted: Sequence[Any], problems: Problems) -> Iterator[Block]:
        """Yield blocks of rows of some CSV columns."""
        line, bad_rows = self._passed, list[Any]()
        n_reported = 0
        with _read_by_pyarrow("the file as CSV", self.name):
            for batch in self._batches(wanted, bad_rows) if self.names else ():
                lines = np.arange(line + 1, line + 1 + batch.num_rows + len(bad_rows))
                is_bad = np.isin(lines, [row.number for row in bad_rows])
                lines = lines[~is_bad][: batch.num_rows]
                line = int(lines.max(initial=line))
                self._report(bad_rows[n_reported:], problems)
                n_reported = len(bad_rows)
                columns = map(_texts_of_csv, batch.columns)
                yield Block(dict(zip(wanted, columns, strict=True)), lines)
        self._report(bad_rows[n_reported:], problems)
        is_ended = any(row.number > line and row.text == self._end for row in bad_rows[-1:])
        if self.names and not is_ended:
            message = "expected a closing quote, found none up to the end of the file"
            Problems("raise", source=self.name).meet(ParseError(message), line=line, text="")

    def _batches(self, wanted: Sequence[Any], bad_rows: list[Any]) -> Iterable[Any]:
        """Return Arrow batches of some columns; rows of a wrong length go to `bad_rows`."""

        def skip(row: Any) -> str:
            bad_rows.append(row)
            return "skip"

        arrow, arrow_csv = load("pyarrow"), load("pyarrow.csv")
        numbers = list(map(str, range(len(self.names))))
        chosen = [numbers[self.names.index(name)] for name in wanted]
        kinds = dict.fromkeys(chosen, arrow.dictionary(arrow.int32(), arrow.string()))
        batches = arrow_csv.open_csv(
            self._bytes,
            arrow_csv.ReadOptions(
                use_threads=False,  # pyarrow numbers rows only if it uses one thread
                block_size=_BLOCK_BYTES,
                column_names=numbers,
                skip_rows_after_names=self._passed,
                encoding="latin-1",  # in which any bytes can be decoded
            ),
            arrow_csv.ParseOptions(
                delimiter=self.delimiter,
                newlines_in_values=True,
                ignore_empty_lines=False,
                invalid_row_handler=skip,
            ),
            arrow_csv.ConvertOptions(column_types=kinds, include_columns=chosen),
        )
        # What a reader that is left open reads ahead would take long.
        reader: Iterable[Any] = self._lent.enter_context(batches)
        return reader

    def _report(self, bad_rows: Iterable[Any], problems: Problems) -> None:
        """Report rows of a CSV file with too few or too many cells, unless all are empty."""
        for row in bad_rows:
            if row.text.strip(f'{self.delimiter} "'):
                error = ParseError(f"expected {len(self.names)} cells, found {row.actual_columns}")
                problems.meet(error, line=row.number, text=_decoded(row.text))


def _texts_of_csv(column: Any) -> Texts:
    """Return a column of a CSV batch as texts."""
    # Arrow's own conversion to NumPy would import pandas.
    indices = np.from_dlpack(column.indices)
    return Texts(list(map(_decoded, column.dictionary.to_pylist())), indices)


def _decoded(text: str) -> str:
    """Return a text of a column that is UTF-8 but was decoded as Latin-1."""
    return text if text.isascii() else text.encode("latin-1").decode("utf-8", "surrogateescape")


class ColumnSource(Source):
    """Columns in memory: a mapping, a DataFrame, an Arrow table or a structured array."""

    def __init__(self, log: Any, names: Iterable[Any]) -> None:
        self._log = log
        self._call(names)

    def _blocks(self, wanted: Sequence[Any], problems: Problems) -> Iterator[Block]:
        """Yield blocks of rows of some columns in memory."""
        del problems  # columns of unequal length raise an error instead
        columns = {name: column_of(self._log[name], name) for name in wanted}
        lengths = {name: len(column) for name, column in columns.items()}
        if len(set(lengths.values())) > 1:
            found = ", ".join(f"{length} in {name!r}" for name, length in lengths.items())
            raise PorankError(f"expected columns of equal length, found lengths {found}")
        yield Block(columns, np.arange(max(lengths.values(), default=0)) + 1)


def column_of(given: Any, name: Any) -> Any:
    """Return a column of a frame or a mapping as a NumPy array or as texts."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise PorankError(f"expected a column of values as {quoted(name)}, found {quoted(given)}")
    own_type = not isinstance(getattr(given, "dtype", None), np.dtype)
    if hasattr(given, "factorize") and own_type:
        return _column_of_pandas(given)
    if hasattr(given, "to_numpy") and own_type:
        with _read_by_pyarrow("the Arrow column", str(name)):
            return _column_of_arrow(given)
    if hasattr(given, "to_numpy"):
        given = given.to_numpy()
    if not isinstance(given, np.ndarray):
        return as_column(given if isinstance(given, Sequence) else list(given))
    if given.ndim != 1:
        raise PorankError(f"expected one dimension in column {name!r}, found shape {given.shape}")
    if given.dtype.kind == "m":  # durations would lose their unit as numbers
        given = given.astype("m8[us]")
    is_plain = given.dtype.kind in "biufMUO" and not isinstance(given, np.ma.MaskedArray)
    return given if is_plain else as_column(given.tolist())


def _column_of_pandas(given: Any) -> Any:
    """Return a pandas column of one of pandas' own types as a NumPy array or as texts."""
    if given.dtype.type is str or hasattr(given.dtype, "categories"):
        codes, different = given.factorize()
        cells = [*different, None]
        index = np.where(codes < 0, len(different), codes)
        if all(isinstance(text, str) for text in cells[:-1]):
            return Texts(cells, index)
        return as_column([cells[i] for i in index.tolist()])
    if given.dtype.kind in "Mm" and given.dtype.type is not date:
        return given.to_numpy(f"{given.dtype.kind}8[us]", na_value=None)
    if given.dtype.kind == "f":
        return given.to_numpy(float, na_value=np.nan)
    values = np.array(given.astype(object))
    values[np.asarray(given.isna())] = None
    return values.astype("M8[D]") if given.dtype.type is date else as_column(values.tolist())


def _column_of_arrow(given: Any) -> Any:
    """Return an Arrow array, or values that can become one, as a NumPy array or as texts."""
    arrow = load("pyarrow")
    column = given.to_arrow() if hasattr(given, "to_arrow") else given
    if not hasattr(column, "to_pylist"):
        column = arrow.array(given, from_pandas=True)
    if isinstance(column, arrow.ChunkedArray):
        column = column.combine_chunks()
    if isinstance(column.type, arrow.BaseExtensionType):
        return as_column(list(given))  # the stored numbers of, for example, periods are not enough
    if arrow.types.is_dictionary(column.type):
        column = column.dictionary_decode()  # categories need not be in order of appearance
    if arrow.types.is_string(column.type) or arrow.types.is_large_string(column.type):
        coded = column.dictionary_encode("encode")
        return Texts(coded.dictionary.to_pylist(), coded.indices.to_numpy())
    if column.null_count and arrow.types.is_integer(column.type):
        return as_column(column.to_pylist())  # a NumPy array would turn them into floats
    return column_of(column.to_numpy(zero_copy_only=False), "")


def _rows_of_array(file: Any, name: str) -> Iterator[tuple[int, Any]]:
    """Yield the rows of a JSON file that holds an array of objects, numbered from 1."""
    rows = None
    with Text(file, Problems("report")) as text, suppress(ValueError, RecursionError):
        rows = json.loads(text.read())
    if not isinstance(rows, list):
        hint = "a file with an object in each line is called .jsonl, for JSON Lines"
        raise ParseError("expected an array of JSON objects", hint=hint, source=name)
    yield from enumerate(rows, start=1)


#: Number of lines of a JSON Lines file from which its column names are collected.
_LINES_OF_NAMES = 1000


def _rows_of_json(file: Any) -> Iterator[tuple[int, Any]]:
    """Yield the rows of a JSON Lines file with their line numbers; invalid JSON stays a text."""
    with Text(file, Problems("report")) as text:
        for number, line in enumerate(text, start=1):
            if line.strip():
                try:
                    yield number, json.loads(line, object_pairs_hook=_object)
                except (ValueError, RecursionError):
                    yield number, line.strip()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object, or raise an error if it has a key twice."""
    if len(found := dict(pairs)) < len(pairs):
        raise ValueError
    return found


class RowSource(Source):
    """Rows read by columns: mappings, which name their columns, or tuples, by position."""

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
            self._call(dict.fromkeys(chain.from_iterable(mappings)))
        elif _is_sequence(head):
            self.names = list(getattr(head, "_fields", range(len(head))))
        else:
            self.close()
            raise ParseError(f"expected {expected}, found {quoted(head):.60}", source=name)

    def close(self) -> None:
        """Close the file that the rows are read from, if there is one."""
        if isinstance(self._given, Generator):
            self._given.close()

    def _blocks(self, wanted: Sequence[Any], problems: Problems) -> Iterator[Block]:
        """Yield blocks of some columns of rows; a cell missing from a mapping is None."""
        while some := list(islice(self._rows, BLOCK_ROWS)):
            is_good = [self._is_row(row) for _, row in some]
            for line, row in compress(some, map(not_, is_good)):
                error = ParseError(f"expected {self._expected}, found {quoted(row):.60}")
                problems.meet(error, line=line, text=repr(row))
            good = list(compress(some, is_good))
            columns = {name: as_column(self._cells(good, name)) for name in wanted}
            yield Block(columns, np.array([line for line, _ in good], dtype=np.int64))

    def _is_row(self, row: Any) -> bool:
        """Return whether a row has the same form as the first rows."""
        if self._has_keys:
            return isinstance(row, Mapping)
        return _is_sequence(row) and len(row) == len(self.names)

    def _cells(self, rows: Sequence[tuple[int, Any]], name: Any) -> list[Any]:
        """Return the cells of a column in some rows; a cell missing from a mapping is None."""
        if self._has_keys:
            return [row.get(name) for _, row in rows]
        place = self.names.index(name)
        return [row[place] for _, row in rows]


def _is_sequence(row: Any) -> bool:
    return isinstance(row, Sequence) and not isinstance(row, (str, bytes))
