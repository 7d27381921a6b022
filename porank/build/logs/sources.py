"""Logs in memory: columns, frames, tables and rows, handed out block by block."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from porank.build.logs.grouping import run_starts
from porank.build.logs.values import in_parts
from porank.errors import ParseError, PorankError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porank.build.files.problems import Problems
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
        """Let blocks end where values change, if it is quickly seen that equal ones stand together.

        Return whether it is.
        """
        ...

    def close(self) -> None:
        """Let go of what was opened."""
        ...


class ColumnSource:
    """Columns by their names: a mapping, a frame of pandas or polars, a table of pyarrow.

    Examples
    --------
    >>> from porank.build.files.problems import Problems
    >>> source = ColumnSource({"item": ["a", "b"], "event": ["click", "view"]})
    >>> [block.columns for block in source.blocks(["item"], Problems("raise"))]
    [{'item': ['a', 'b']}]
    """

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
        """Let blocks end where values change, if these are integers that stand together.

        Examples
        --------
        >>> from porank.build.files.problems import Problems
        >>> source = ColumnSource({"session": np.array([1, 1, 2, 2]), "item": [3, 4, 3, 5]})
        >>> source.cuts_between(["session"]), source.cuts_between(["item"])
        (True, False)
        >>> [block.columns["item"] for block in source.blocks(["item"], Problems("raise"), 3)]
        [[3, 4, 3, 5]]
        """
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
    """Rows: mappings, named tuples, or tuples whose columns are known by their positions.

    Examples
    --------
    >>> from porank.build.files.problems import Problems
    >>> source = RowSource([("s", "a"), ("s", "b", "?")])
    >>> problems = Problems("report")
    >>> [block.columns for block in source.blocks([1], problems)]
    [{1: ['a']}]
    >>> [str(problem) for problem in problems.found]
    ['line 2: expected a row of 2 values, found 3']
    """

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


def source_in_memory(log: Any) -> Source:
    """Return the source of whatever is no file.

    Examples
    --------
    >>> source_in_memory({"item": ["a"]}).names, source_in_memory([{"item": "a"}]).names
    (['item'], ['item'])
    >>> source_in_memory(7)
    Traceback (most recent call last):
    porank.errors.PorankError: expected a log: columns, rows, or the path of a file; found 7
    """
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
    """Raise an error if the columns have positions for names, and no one says which is which.

    Examples
    --------
    >>> require_named([0, 1, 2], {"session": 0, "item": 1})
    >>> require_named([0, 1, 2], {})
    Traceback (most recent call last):
    porank.errors.PorankError: expected columns={'session': 0, ...} for rows without names, found
    3 columns
    """
    if names and not columns and all(isinstance(name, int) for name in names):
        raise PorankError(
            "expected columns={'session': 0, ...} for rows without names, "
            f"found {len(names)} columns"
        )
