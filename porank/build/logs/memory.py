"""Which log in memory is what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.build.logs.column_source import ColumnSource
from porank.build.logs.row_source import RowSource
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.build.logs.sources import Source


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
