"""Logs in memory that are rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.build.logs.sources import BLOCK_ROWS, Block
from porank.errors import ParseError, PorankError
from porank.layering import in_parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porank.build.files.problems import Problems


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
