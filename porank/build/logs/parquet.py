"""Logs in Parquet files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.build.logs.sources import BLOCK_ROWS, Block
from porank.errors import ParseError
from porank.extras import load

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from porank.build.files.problems import Problems


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
            raise ParseError(f"{self.name}: expected a Parquet file, {error}") from None
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
