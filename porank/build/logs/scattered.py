"""Tables that are read in parts by many: Dask DataFrames, and Parquet files and their folders."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porank.build.logs.column_source import ColumnSource
from porank.build.logs.parquet import ParquetSource
from porank.errors import ParseError, PorankError
from porank.wording import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.build.logs.sources import Source

_SUFFIXES = (".parquet", ".pq")
#: A part read at once has so many bytes at least, and at most, where there are enough.
_PART_BYTES = (1 << 26, 1 << 28)
#: Between the two, so many parts.
_MANY_PARTS = 128
#: No more than this: each piece of a file has rows for all of them.
_MOST_PARTS = 1 << 12
#: What a cell takes, about.
_CELL_BYTES = 8


@dataclass(frozen=True)
class FilePart:
    """Some groups of rows of a Parquet file.

    Attributes
    ----------
    path : str
        The file.
    row_groups : tuple of int
        Which groups of rows.
    before : int
        How many rows of the file stand before them.
    """

    path: str
    row_groups: tuple[int, ...]
    before: int


@dataclass
class Scattered:
    """A table that lies in parts.

    Attributes
    ----------
    name : str
        The file, or the first of several; empty for a Dask DataFrame.
    names : list
        The columns, those of the first file.
    size : int
        About how many bytes a column has, 0 if that is not known.
    """

    name: str
    names: list[Any]
    size: int
    _frame: Any = None
    _files: tuple[tuple[str, list[Any], tuple[int, ...]], ...] = ()

    def parts(self, wanted: Sequence[Any], size: int) -> list[Any]:
        """Return what `opened` takes: the parts of a file, or delayed frames of pandas.

        Parameters
        ----------
        wanted : sequence
            The columns that will be read.
        size : int
            The bytes of a part of a file.
        """
        if self._frame is not None:
            frame = self._frame[list(dict.fromkeys(wanted))]
            return list(frame.to_delayed())
        for path, names, _ in self._files:
            missing = [name for name in wanted if name not in names]
            if missing:
                raise PorankError(
                    f"expected a column {missing[0]!r} in {path!r}, as in {self.name!r}, found "
                    f"{listed(names) or 'no columns'}; all files of a table have the same columns"
                )
        rows = max(1, size // (_CELL_BYTES * max(1, len(wanted))))
        return [part for path, _, groups in self._files for part in _parts_of(path, groups, rows)]

    def bytes_of(self, wanted: Sequence[Any]) -> int:
        """Return about how many bytes some columns have, 0 if that is not known."""
        return self.size * len(wanted)

    def count_frames(self) -> int:
        """Return how many partitions a Dask DataFrame has, 0 for files."""
        return 0 if self._frame is None else int(self._frame.npartitions)


def _parts_of(path: str, groups: Sequence[int], most: int) -> list[FilePart]:
    """Return groups of rows of a file together, up to so many rows, at least one group."""
    parts: list[FilePart] = []
    chosen: list[int] = []
    before = count = 0
    for number, rows in enumerate(groups):
        if chosen and count + rows > most:
            parts.append(FilePart(path, tuple(chosen), before))
            before, count, chosen = before + count, 0, []
        chosen.append(number)
        count += rows
    return [*parts, FilePart(path, tuple(chosen), before)] if chosen else parts


def part_bytes(sizes: Sequence[int]) -> int:
    """Return how many bytes a part shall have: the more there are, the larger, within bounds.

    Examples
    --------
    >>> [part_bytes([gigabytes << 30]) >> 20 for gigabytes in (1, 16, 100)]
    [64, 128, 256]
    """
    least, most = _PART_BYTES
    return min(most, max(least, sum(sizes) // _MANY_PARTS))


def count_parts(
    tables: Sequence[Scattered], wanted: Sequence[Sequence[Any]], size: int, *, least: int
) -> int:
    """Return into how many parts the rows of tables are dealt out.

    Parameters
    ----------
    tables : sequence of Scattered
        The tables.
    wanted : sequence of sequences
        The columns of each that are read.
    size : int
        The bytes of a part.
    least : int
        So many at least, such that no worker is without one.
    """
    both = list(zip(tables, wanted, strict=True))
    files = sum(table.bytes_of(columns) for table, columns in both)
    # How large a partition of a Dask DataFrame is, is its owner's choice.
    frames = sum(table.count_frames() for table in tables)
    return min(_MOST_PARTS, max(least, -(-files // size) + frames))


def scattered(table: Any, name: str) -> Scattered:
    """Return a table that many can read.

    Parameters
    ----------
    table : Dask DataFrame, or path
        A Parquet file, or a folder of them, which are taken in the sequence of their names, numbers
        in these being compared as numbers.
    name : str
        What it is, for messages.

    Raises
    ------
    PorankError
        If it is neither, or the folder has no such file.

    Examples
    --------
    >>> scattered({"user": [1]}, "target")
    Traceback (most recent call last):
    porank.errors.PorankError: expected a Dask DataFrame or the path of a Parquet file or folder as
    target for engine='dask', found dict; engine='columns' takes tables in memory and CSV
    """
    if hasattr(type(table), "to_delayed") and hasattr(type(table), "columns"):
        return Scattered("", list(table.columns), 0, _frame=table)
    path = Path(table) if isinstance(table, (str, os.PathLike)) else None
    if path is None or not (path.is_dir() or path.suffix.lower() in _SUFFIXES):
        found = type(table).__name__ if path is None else repr(os.fspath(table))
        raise PorankError(
            "expected a Dask DataFrame or the path of a Parquet file or folder as "
            f"{name} for engine='dask', found {found}; engine='columns' takes tables in memory and "
            "CSV"
        )
    # Workers need not have the same working directory.
    files = [_described(str(one.absolute())) for one in _files_of(path, name)]
    rows = sum(sum(groups) for *_, groups in files)
    return Scattered(files[0][0], files[0][1], rows * _CELL_BYTES, _files=tuple(files))


def _files_of(path: Path, name: str) -> list[Path]:
    if not path.is_dir():
        return [path]
    inside = (file.relative_to(path) for suffix in _SUFFIXES for file in path.rglob(f"*{suffix}"))
    # Names that begin so are of no data: what is not finished, or what is told of the files.
    shown = [file for file in inside if not any(part[0] in "._" for part in file.parts)]
    if not shown:
        raise PorankError(
            f"expected Parquet files in the folder {os.fspath(path)!r} as {name}, found none that "
            f"ends in {' or '.join(_SUFFIXES)}"
        )
    return [path / file for file in sorted(shown, key=_natural)]


def _natural(path: Path) -> list[tuple[int, int, str]]:
    """Return what sorts names such that part.10 comes after part.9."""
    pieces = re.split(r"(\d+)", path.as_posix())
    return [(1, int(piece), piece) if piece.isdecimal() else (0, 0, piece) for piece in pieces]


def _described(path: str) -> tuple[str, list[Any], tuple[int, ...]]:
    """Return a file, its columns, and how many rows each of its groups has."""
    source = ParquetSource(path)
    try:
        return path, list(source.names), source.row_groups()
    finally:
        source.close()


def opened(part: Any) -> Source:
    """Return what hands out the rows of a part.

    Parameters
    ----------
    part : FilePart or frame
        As `Scattered.parts` gives it, once it is no longer delayed.

    Examples
    --------
    >>> opened({"item": ["a"]}).names
    ['item']
    """
    if isinstance(part, FilePart):
        return ParquetSource(part.path, part.row_groups)
    return ColumnSource(part)


def fault_in(part: Any, number: int, row: int, message: str) -> ParseError:
    """Return the error for a row of a part: its line in its file, or where it is in a frame.

    Parameters
    ----------
    part : FilePart or frame
        As `opened` takes it.
    number : int
        Which part of the table it is.
    row : int
        Which of its rows, from 0.
    message : str
        What is wrong there.

    Examples
    --------
    >>> fault_in(FilePart("log.parquet", (2,), 100), 2, 4, "expected an item, found None").line
    105
    >>> print(fault_in({}, 2, 4, "expected an item, found None"))
    expected an item, found None, in row 5 of partition 2
    """
    if not isinstance(part, FilePart):
        return ParseError(f"{message}, in row {row + 1} of partition {number}")
    line = part.before + row + 1
    return ParseError(f"{part.path}, line {line}: {message}", line=line)
