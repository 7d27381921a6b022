"""What hands out the rows of a log, block by block.

Logs in files: CSV and TSV, read block by block, and which file is what.

Logs in memory that are columns: mappings, frames and tables.

Logs in memory that are rows.

Logs in Parquet files.

Which log in memory is what.

Which column of a log is which: by the usual names, or as the caller says.
"""

from __future__ import annotations

import csv
import gzip
import os
import zlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice, pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from porank.core.arguments import load
from porank.core.arrays import in_parts, run_starts
from porank.core.csv_cells import choose_delimiter, cut_lines, without_blanks
from porank.core.files import lines_of, require_utf8
from porank.errors import Hint, ParseError, PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porank.core.files import Problems
    from porank.typing import Numbers


#: So many rows are looked at together: few enough to stay in the cache of the processor.
BLOCK_ROWS = 1 << 15


class Block(NamedTuple):
    """Some rows of a log: the values of each column asked for, and the number of each row."""

    columns: dict[Any, Any]
    lines: Numbers


class Source(Protocol):
    """A log that can name its columns and be read once, block by block."""

    @property
    def name(self) -> str:
        """The name of the file, for messages; empty if there is none."""
        ...

    @property
    def names(self) -> Sequence[Any]:
        """The columns of the log."""
        ...

    @property
    def is_streamed(self) -> bool:
        """Whether it may be too large to be held: then sessions must stand together."""
        ...

    def blocks(
        self, wanted: Sequence[Any], problems: Problems, size: int = BLOCK_ROWS
    ) -> Iterator[Block]:
        """Yield the rows, `size` at a time; those that cannot be read are met by `problems`."""
        ...

    def cuts_between(self, names: Sequence[Any]) -> bool:
        """Let blocks end where values change, where equal ones stand together."""
        ...

    def close(self) -> None:
        """Let go of what was opened."""
        ...


#: What reading a compressed file raises when it is cut or no such file.
_DAMAGED = (EOFError, gzip.BadGzipFile, zlib.error)


class CsvSource:
    r"""A text whose first row names the columns, or which has none when positions are asked for."""

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
            error.column = 0
            raise error.placed(line=reader.line, text="", source=self.name) from None
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
        """Yield blocks as long as lines hold no quotes and the right number of cells."""
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
    """Return whether a log is a path or an open file."""
    return isinstance(log, (str, os.PathLike)) or hasattr(log, "read")


def source_in_file(log: Any, columns: Any) -> Source:
    r"""Return the source of a file: Parquet by its suffix, else CSV or TSV."""
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


class ColumnSource:
    """Columns by their names: a mapping, a frame of pandas or polars, a table of pyarrow."""

    name = ""
    is_streamed = False

    def __init__(self, log: Any) -> None:
        self._log = log
        self._columns: dict[Any, Any] = {}
        self._ends: Numbers | None = None
        self.names = _names_of(log)

    def blocks(
        self, wanted: Sequence[Any], problems: Problems, size: int = BLOCK_ROWS
    ) -> Iterator[Block]:
        """Yield the rows of the wanted columns."""
        del problems  # a column cannot be cut short without the others
        columns = {name: self._column(name) for name in wanted}
        lengths = {name: len(column) for name, column in columns.items()}
        if len(set(lengths.values())) > 1:
            found = ", ".join(f"{length} in {name!r}" for name, length in lengths.items())
            raise PorankError(f"expected columns of one length, found {found} values")
        for part in self._parts(max(lengths.values(), default=0), size):
            values = {name: _values_of(column, part) for name, column in columns.items()}
            yield Block(values, np.arange(part.start + 1, part.stop + 1))

    def _parts(self, length: int, size: int) -> Iterator[slice]:
        """Yield slices of `size`, or of somewhat more up to where blocks may end."""
        if self._ends is None:
            yield from in_parts(length, size)
            return
        places = np.searchsorted(self._ends, np.arange(size, length + size, size))
        ends = np.unique(self._ends[np.minimum(places, self._ends.size - 1)]).tolist()
        yield from (slice(start, stop) for start, stop in pairwise([0, *ends]))

    def _column(self, name: Any) -> Any:
        if name not in self._columns:
            self._columns[name] = _column_of(self._log[name], name)
        return self._columns[name]

    def cuts_between(self, names: Sequence[Any]) -> bool:
        """Let blocks end where values change, if these are integers that stand together."""
        column = self._column(names[0])
        if len(names) > 1 or not isinstance(column, np.ndarray) or column.dtype.kind not in "iu":
            return False
        starts = run_starts(column)
        each = column[starts]
        if np.any(each[1:] <= each[:-1]) and np.unique(each).size < each.size:
            return False
        self._ends = np.append(starts[1:], column.size)
        return True

    def close(self) -> None:
        """Nothing was opened."""


def _names_of(log: Any) -> list[Any]:
    if isinstance(log, Mapping):
        return list(log)
    if isinstance(log, np.ndarray):
        return list(log.dtype.names or ())
    names: Iterable[Any] = getattr(log, "column_names", log.columns)
    return list(names)


def _column_of(given: Any, name: Any) -> Any:
    """Return a column as something that has a length and can be cut."""
    column = given
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise PorankError(f"expected a column of values as {name!r}, found {column!r}")
    if hasattr(column, "to_pylist"):
        return column
    if hasattr(column, "to_list") and hasattr(column, "null_count") and column.null_count():
        return column.to_list()  # in an array of polars, integers beside nothing become floats
    if hasattr(column, "to_numpy"):
        # In an array of pandas, too, integers beside nothing become floats.
        dtype: Any = getattr(column, "dtype", None)
        has_gaps = getattr(dtype, "na_value", None) is not None and column.isna().any()
        column = column.to_numpy(dtype=object, na_value=None) if has_gaps else column.to_numpy()
    if isinstance(column, np.ndarray):
        if column.ndim != 1:
            raise PorankError(
                f"expected one dimension in column {name!r}, found the shape {column.shape}"
            )
        return column
    return column if isinstance(column, Sequence) else list(column)


def _values_of(column: Any, part: slice) -> Any:
    """Return some values as a list, or as an array of numbers, dates, texts or objects."""
    if hasattr(column, "to_pylist"):
        return column.slice(part.start, part.stop - part.start).to_pylist()
    values = column[part]
    if isinstance(values, np.ndarray):
        has_plain_dtype = values.dtype.kind in "iufMUO" and not isinstance(
            values, np.ma.MaskedArray
        )
        return values if has_plain_dtype else values.tolist()
    return list(values)


class RowSource:
    """Rows: mappings, named tuples, or tuples whose columns are known by their positions."""

    name = ""
    is_streamed = False

    def __init__(self, rows: Iterable[Any]) -> None:
        self._rows = list(rows)
        first = self._rows[0] if self._rows else ()
        self._has_keys = isinstance(first, Mapping)
        if self._has_keys:
            keys = (key for row in self._rows if isinstance(row, Mapping) for key in row)
            self.names: list[Any] = list(dict.fromkeys(keys))
        elif isinstance(first, Sequence) and not isinstance(first, (str, bytes)):
            self.names = list(getattr(first, "_fields", range(len(first))))
        else:
            raise PorankError(
                f"expected mappings or tuples as the rows of the log, found {first!r}"
            )

    def blocks(
        self, wanted: Sequence[Any], problems: Problems, size: int = BLOCK_ROWS
    ) -> Iterator[Block]:
        """Yield the rows of the wanted columns; a mapping that lacks a key has no value there."""
        for part in in_parts(len(self._rows), size):
            lines = np.arange(part.start + 1, part.stop + 1)
            rows = self._rows[part]
            is_row = [self._is_row(row, line, problems) for line, row in enumerate(rows, lines[0])]
            rows = [row for row, kept in zip(rows, is_row, strict=True) if kept]
            yield Block({name: self._cells(rows, name) for name in wanted}, lines[is_row])

    def cuts_between(self, names: Sequence[Any]) -> bool:
        """Return False: it is not quickly seen."""
        del names
        return False

    def close(self) -> None:
        """Nothing was opened."""

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


class ParquetSource:
    """A Parquet file, or some of its groups of rows, read by pyarrow."""

    is_streamed = True

    def __init__(
        self, file: Any, chosen: Sequence[int] | None = None, *, name: str | None = None
    ) -> None:
        self._chosen = chosen
        self.name = os.fspath(file) if name is None else name
        parquet = load("pyarrow.parquet", "scale")
        try:
            self._file = parquet.ParquetFile(file)
        except load("pyarrow", "scale").ArrowInvalid as error:
            message = f"expected a Parquet file, found an error: {str(error).removesuffix('.')}"
            raise ParseError(message, source=self.name) from None
        self.names: Sequence[Any] = self._file.schema_arrow.names

    def blocks(
        self, wanted: Sequence[Any], problems: Problems, size: int = BLOCK_ROWS
    ) -> Iterator[Block]:
        """Yield the rows of the wanted columns; the first row is line 1."""
        del problems  # a Parquet file is whole, or it cannot be opened
        before = 0
        chosen = None if self._chosen is None else list(self._chosen)
        for batch in self._file.iter_batches(size, row_groups=chosen, columns=list(wanted)):
            columns = {name: _plain_column(batch.column(name)) for name in wanted}
            yield Block(columns, np.arange(before + 1, before + batch.num_rows + 1))
            before += batch.num_rows

    def row_groups(self) -> tuple[int, ...]:
        """Return how many rows each group of rows of the file has."""
        told = self._file.metadata
        return tuple(told.row_group(number).num_rows for number in range(told.num_row_groups))

    def cuts_between(self, names: Sequence[Any]) -> bool:
        """Return False: it is not seen before all has been read."""
        del names
        return False

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _plain_column(column: Any) -> Any:
    """Return an array of numbers where nothing is missing, else a list."""
    if column.null_count == 0:
        values = column.to_numpy(zero_copy_only=False)
        return values if values.dtype.kind in "iufM" else values.tolist()
    return column.to_pylist()


def source_in_memory(log: Any) -> Source:
    """Return the source of whatever is no file."""
    for method in ("collect", "compute"):
        if hasattr(type(log), method) and hasattr(type(log), "columns"):
            raise PorankError(
                f"expected a log that has been read, found a {type(log).__name__}; .{method}() "
                "reads it"
            )
    is_structured = isinstance(log, np.ndarray) and log.dtype.names
    has_columns = hasattr(log, "columns") and hasattr(log, "__getitem__")
    if isinstance(log, Mapping) or is_structured or has_columns:
        return ColumnSource(log)
    if isinstance(log, np.ndarray) and log.ndim == 2:
        log = log.tolist()
    if isinstance(log, Iterable) and not isinstance(log, (bytes, bytearray)):
        return RowSource(log)
    raise PorankError(f"expected a log: columns, rows, or the path of a file; found {log!r}")


def require_named(names: Sequence[Any], columns: Mapping[str, Any]) -> None:
    """Raise an error if the columns have positions for names, and no one says which is which."""
    if names and not columns and all(isinstance(name, int) for name in names):
        raise PorankError(
            "expected columns={'session': 0, ...} for rows without names, "
            f"found {len(names)} columns"
        )


#: What a column can stand for, and what it is called elsewhere: without case, blanks, ``_``, ``-``.
ROLES: dict[str, tuple[str, ...]] = {
    "session": ("session", "sessionid", "usersession", "sessid"),
    "user": ("user", "userid", "visitor", "visitorid"),
    "query": ("query", "queryid", "qid"),
    "item": ("item", "itemid", "product", "productid"),
    "position": ("position", "pos", "rank"),
    "event": ("event", "eventtype"),
    "time": (
        *("time", "timestamp", "ts", "datetime", "unixtime", "eventtime", "eventtimestamp"),
        *("eventts", "clicktime", "createdat", "timestampms", "timems", "epoch"),
    ),
    "dwell": ("dwell", "dwelltime", "timespent"),
}
#: Names that count only if there is none of the above: logs often have a day beside the time.
_LESS_USUAL = {"time": ("date", "eventdate"), "dwell": ("duration",)}
#: Signs that names of columns are compared without.
_FILLERS = str.maketrans("", "", "_- ")


def find_columns(
    names: Sequence[Any],
    columns: Mapping[str, Any],
    *,
    needed: Iterable[str],
    wished: Iterable[str] = (),
) -> dict[str, tuple[Any, ...]]:
    """Return the columns of a log that stand for each role."""
    needed, wished = list(needed), list(wished)
    _require_roles(columns, {*needed, *wished})
    found = {role: _find_column(role, names, columns) for role in [*needed, *wished]}
    again = [name for column in found.values() for name in column if list(names).count(name) > 1]
    if again:
        raise PorankError(f"expected each column once, found again: {listed(again)}")
    missing = [role for role in needed if not found[role]]
    if missing:
        raise _missing_columns(missing, names)
    return {role: column for role, column in found.items() if column}


def _require_roles(columns: Mapping[str, Any], others: set[str]) -> None:
    if not isinstance(columns, Mapping):
        raise PorankError(
            f"expected a mapping such as {{'session': 'SessionId'}} as columns, found {columns!r}"
        )
    unknown = [role for role in columns if role not in ROLES and role not in others]
    if unknown:
        raise PorankError(
            f"expected {listed(ROLES)} or a name in by as keys of columns, found {listed(unknown)}"
        )


def _find_column(role: str, names: Sequence[Any], columns: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the columns of a role, none if there are none."""
    if role in columns:
        named = columns[role]
        several = tuple(named) if role == "session" and isinstance(named, (tuple, list)) else None
        for name in several or (named,):
            if name not in names:
                raise PorankError(
                    f"expected a column {name!r} for {role}, found {listed(names) or 'none'}"
                )
        return several or (named,)
    if role in names:
        return (role,)
    tiers = (ROLES.get(role, ()), _LESS_USUAL.get(role, ()))
    found = ([name for name in names if _plain(name) in tier] for tier in tiers)
    usual = next(filter(None, found), [])
    if len(usual) > 1:
        raise PorankError(
            f"expected one column of {role}s, found {listed(usual)}",
            hint=Hint.NAME_COLUMN,
            about=role,
        )
    return tuple(usual)


def _plain(name: Any) -> str:
    return name.lower().translate(_FILLERS) if isinstance(name, str) else ""


def _missing_columns(missing: Sequence[str], names: Sequence[Any]) -> PorankError:
    message = (
        f"expected a column for {' and for '.join(missing)}, found {listed(names) or 'no columns'}"
    )
    user = next((name for name in names if _plain(name) in ROLES["user"]), None)
    if missing[0] == "session" and user is not None:
        return PorankError(message, hint=Hint.USER_AS_SESSION, about=user)
    only = names[0] if len(names) == 1 and isinstance(names[0], str) else ""
    sign = next((sign for sign in "\t;|" if sign in only), None)
    if sign is None:
        return PorankError(message, hint=Hint.NAME_COLUMN, about=missing[0])
    return PorankError(
        f"{message}; its columns seem to be separated by {sign!r}: "
        f"pandas.read_csv(path, sep={sign!r}) reads it"
    )
