"""Logs in memory that are columns: mappings, frames and tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.build.logs.grouping import run_starts
from porank.build.logs.sources import BLOCK_ROWS, Block
from porank.errors import PorankError
from porank.layering import in_parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porank.build.files.problems import Problems
    from porank.typing import Numbers


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
