"""Tables larger than memory or on many machines: read in pieces, dealt out to parts by Dask.

A table is Parquet files, a Dask DataFrame, or one CSV file. Its pieces are read block by block, the
rows of a block are sorted into parts by their labels, and Dask's own group-by brings together what
belongs to one part: on disk by the threads of this process, or from worker to worker.

Idea: *equal labels must meet, whoever reads them*: the part of a label is told by a number that
depends on nothing but the label. *A task that can be done again may be lost*: the scheduler gives
those of a worker that has died to another one. *A fault in the data is a result*, handed on to the
caller, who alone says so, once.

`connected`, `count_threads`, `compute` deal with workers; `parted_table`, `divide`, `read_piece`
and `fault_in` with tables; `deal`, `deal_safely`, `shuffle`, `join_columns` with rows.
"""

from __future__ import annotations

import os
import re
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import chain, starmap
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arguments import load
from porank.core.arrays import (
    integer_words,
    joined_words,
    label_words,
    run_starts,
    stable_order,
)
from porank.core.columns import ColumnSource, ParquetSource, source_in_file
from porank.core.files import Problems
from porank.core.labels import Labels
from porank.core.progress import track
from porank.errors import ParseError, PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from porank.core.columns import Block
    from porank.core.labels import Faults
    from porank.typing import Numbers


#: So many seconds a scheduler has to answer, and its first worker to come.
_PATIENCE = 10
#: Threads of this process: each holds a part, and more would mostly wait for one another.
_THREADS = 4


@contextmanager
def connected(scheduler: Any = None) -> Iterator[Any]:
    """Yield a client of a Dask scheduler that has workers, None for the local threads of Dask."""
    distributed = load("distributed", "scale")
    with ExitStack() as stack:
        client = None
        if scheduler is None:
            with suppress(ValueError):  # the caller has opened none
                client = distributed.default_client()
        elif isinstance(scheduler, str):
            client = stack.enter_context(_client_of(distributed, scheduler))
        elif isinstance(scheduler, distributed.Client):
            client = scheduler
        else:
            raise PorankError(
                "expected the address of a Dask scheduler or a distributed.Client as scheduler, "
                f"found {scheduler!r}"
            )
        if client is not None:
            _require_workers(client)
        yield client


def _client_of(distributed: Any, address: str) -> Any:
    try:
        _require_address(distributed, address)
        return distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    # A host without a scheduler is an OSError, what is no address a ValueError.
    except (OSError, ValueError) as error:
        raise PorankError(
            f"expected a Dask scheduler at {address!r}, found none: {error}",
            hint="'dask scheduler' starts one and tells its address, scheduler=None takes "
            "threads of this process",
        ) from None


def _require_address(distributed: Any, address: str) -> None:
    """Raise an error for an address that no Dask client can use."""
    if address.startswith("inproc://"):
        return
    distributed.comm.get_address_host_port(address)
    if address.startswith(("tls://", "wss://")):
        security = distributed.Security().get_connection_args("client")
        if security.get("ssl_context") is None:
            raise ValueError("the configuration of Dask names no certificates")


def _require_workers(client: Any) -> None:
    if client.asynchronous:
        raise PorankError(
            "expected a distributed.Client that waits, found an asynchronous one; Client(address) "
            "makes one"
        )
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
    except TimeoutError:
        address = client.scheduler.address
        raise PorankError(
            f"expected workers at the Dask scheduler {address!r}, found none; "
            f"'dask worker {address}' starts one"
        ) from None


def count_threads(client: Any) -> int:
    """Return how many tasks Dask does at the same time."""
    if client is None:
        return _THREADS
    threads: dict[str, int] = client.nthreads()
    return max(1, sum(threads.values()))


def compute(
    client: Any,
    tasks: Sequence[Any],
) -> list[Any]:
    """Compute delayed tasks with Dask under a progress bar; an error among them is raised."""
    bar = iter(track(range(len(tasks)), label="parts"))
    return _compute_there(client, tasks, bar) if client else _compute_here(tasks, bar)


def _compute_here(tasks: Sequence[Any], bar: Iterator[int]) -> list[Any]:
    keys = {task.key for task in tasks}

    def count(key: Any, value: Any, *_: Any) -> None:
        if key in keys:
            _require_result(value)
            next(bar)

    dask = load("dask", "scale")
    with load("dask.callbacks", "scale").Callback(posttask=count):
        found = dask.compute(*tasks, scheduler="threads", num_workers=_THREADS)
    next(bar, None)
    return list(found)


def _compute_there(client: Any, tasks: Sequence[Any], bar: Iterator[int]) -> list[Any]:
    killed = load("distributed.scheduler", "scale").KilledWorker
    futures = client.compute(list(tasks))
    futures.reverse()
    try:
        # What has been fetched need not be kept by the workers.
        return [_require_result(futures.pop().result()) for _ in bar]
    except killed as error:
        raise PorankError(
            f"expected workers that live, found several that died of the same task, the last at "
            f"{error.last_worker.address}; most often their memory is too small"
        ) from None
    finally:
        client.cancel(futures)


def _require_result(found: Any) -> Any:
    if isinstance(found, PorankError):
        raise found
    return found


_SUFFIXES = (".parquet", ".pq")
#: A part has so many bytes at least, and at most, where there are enough.
_PART_BYTES = (1 << 26, 1 << 28)
#: Between the two, so many parts.
_MANY_PARTS = 128
#: No more than this: each piece of a file has rows for all of them.
_MOST_PARTS = 1 << 12
#: What a cell takes, about.
_CELL_BYTES = 8
#: So many rows of a piece are read at a time.
_BLOCK_ROWS = 1 << 20


@dataclass(frozen=True)
class FilePiece:
    """Some row groups of a Parquet file, or all of a CSV file, for one Dask task."""

    path: str
    row_groups: tuple[int, ...] | None = None
    before: int = 0


class _TableFile(NamedTuple):
    """A file of a parted table, its columns, and how many rows each row group has."""

    path: str
    names: list[Any]
    row_groups: tuple[int, ...]


@dataclass
class PartedTable:
    """A table larger than memory that Dask reads in pieces, and the bytes of a column."""

    name: str
    names: list[Any]
    size: int = 0
    frame: Any = None
    files: tuple[_TableFile, ...] = ()

    def pieces(self, wanted: Sequence[Any], size: int) -> list[Any]:
        """Return the pieces of the table for `read_piece`: parts of files, or delayed frames."""
        if self.frame is not None:
            return list(self.frame[list(dict.fromkeys(wanted))].to_delayed())
        if not self.files:
            return [FilePiece(self.name)]
        for path, names, _ in self.files:
            missing = [name for name in wanted if name not in names]
            if missing:
                raise PorankError(
                    f"expected a column {missing[0]!r} in {path!r}, as in {self.name!r}, found "
                    f"{listed(names) or 'no columns'}; all files of a table have the same columns"
                )
        rows = max(1, size // (_CELL_BYTES * max(1, len(wanted))))
        return [piece for file in self.files for piece in _pieces_of(file, rows)]


def _pieces_of(file: _TableFile, most: int) -> list[FilePiece]:
    """Return row groups of a Parquet file as a piece for a Dask worker, up to so many rows."""
    pieces: list[FilePiece] = []
    chosen: list[int] = []
    before = count = 0
    for number, rows in enumerate(file.row_groups):
        if chosen and count + rows > most:
            pieces.append(FilePiece(file.path, tuple(chosen), before))
            before, count, chosen = before + count, 0, []
        chosen.append(number)
        count += rows
    return [*pieces, FilePiece(file.path, tuple(chosen), before)] if chosen else pieces


def divide(
    tables: Sequence[PartedTable], wanted: Sequence[Sequence[Any]], *, least: int
) -> tuple[list[list[Any]], int]:
    """Choose the pieces in which Dask reads tables, and into how many parts rows are shuffled."""
    total = sum(table.size * len(names) for table, names in zip(tables, wanted, strict=True))
    # The more there is, the larger the parts are, within bounds.
    size = min(_PART_BYTES[1], max(_PART_BYTES[0], total // _MANY_PARTS))
    pieces = [table.pieces(names, size) for table, names in zip(tables, wanted, strict=True)]
    # How large a partition of a Dask DataFrame is, is its owner's choice.
    frames = sum(table.frame is not None and table.frame.npartitions for table in tables)
    return pieces, min(_MOST_PARTS, max(least, -(-total // size) + frames))


def parted_table(table: Any, name: str) -> PartedTable:
    """Open a table for Dask's workers: a Dask DataFrame, a Parquet file, or a folder of such."""
    if hasattr(type(table), "to_delayed") and hasattr(type(table), "columns"):
        return PartedTable("", list(table.columns), frame=table)
    path = Path(table) if isinstance(table, (str, os.PathLike)) else None
    if path is None or not (path.is_dir() or path.suffix.lower() in _SUFFIXES):
        found = type(table).__name__ if path is None else repr(os.fspath(table))
        raise PorankError(
            "expected a Dask DataFrame or the path of a Parquet file or folder as "
            f"{name} for Dask, found {found}",
            hint="engine='columns' takes tables in memory and CSV",
        )
    # Workers need not have the same working directory.
    files = tuple(_describe(str(one.absolute())) for one in _files_of(path, name))
    rows = sum(sum(file.row_groups) for file in files)
    return PartedTable(files[0].path, files[0].names, rows * _CELL_BYTES, files=files)


def one_file(path: Any) -> PartedTable:
    """Open a table in one file, CSV or Parquet, for Dask's workers."""
    if Path(path).suffix.lower() in _SUFFIXES:
        return parted_table(path, "table")
    with closing(source_in_file(path, {})) as source:
        return PartedTable(os.fspath(path), list(source.names), Path(path).stat().st_size)


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
    """Return a sort key for the files that Dask reads, by which part.10 comes after part.9."""
    pieces = re.split(r"(\d+)", path.as_posix())
    return [(1, int(piece), piece) if piece.isdecimal() else (0, 0, piece) for piece in pieces]


def _describe(path: str) -> _TableFile:
    with closing(ParquetSource(path)) as source:
        return _TableFile(path, list(source.names), source.row_groups())


def read_piece(piece: Any, wanted: Sequence[Any]) -> Iterator[Block]:
    """Yield some columns of a piece of a table block by block, in a task of Dask."""
    if not isinstance(piece, FilePiece):
        source: Any = ColumnSource(piece)
    elif piece.row_groups is None:
        source = source_in_file(piece.path, {})
    else:
        source = ParquetSource(piece.path, piece.row_groups)
    with closing(source):
        yield from source.blocks(wanted, Problems("raise", source=source.name), _BLOCK_ROWS)


def fault_in(piece: Any, number: int, line: int, message: str) -> ParseError:
    """Return the error for a row of a piece that Dask reads: its line in the file, or partition."""
    if not isinstance(piece, FilePiece):
        return ParseError(f"{message}, in row {line} of partition {number}")
    line += piece.before
    return ParseError(f"{piece.path}, line {line}: {message}", line=line)


#: A piece of a table has fewer lines than this, so that (piece, line) is one number that rises.
LINE_BITS = 40
#: For each part, so many smaller ones are put together by Dask, which evens them out.
_SPREAD = 4


class Dealt(NamedTuple):
    """Rows of a block shuffled to one part: columns, places, and where labels change."""

    part: int
    place: int
    columns: list[NDArray[Any]]
    rows: Numbers
    starts: Numbers


class _Fault(NamedTuple):
    """An error met in a piece of a parted table, shuffled like its rows."""

    part: int
    place: int
    error: PorankError


def deal(
    columns: Sequence[Any], names: Sequence[str], rows: Numbers, parts: int
) -> tuple[Iterator[Dealt], Faults]:
    """Deal the rows of a block out to parts by a hash of their labels, for Dask's shuffle."""
    coded = [_coded(column, name) for column, name in zip(columns, names, strict=False)]
    faults = sorted(fault for *_, wrong in coded for fault in wrong)
    words = joined_words([of_column for _, of_column, _ in coded])
    home = (words % np.uint64(parts * _SPREAD)).astype(np.int64)
    return _cut(columns, [codes for codes, *_ in coded], home, rows), faults


def _cut(
    columns: Sequence[Any], codes: Sequence[Numbers], home: Numbers, rows: Numbers
) -> Iterator[Dealt]:
    order = stable_order(home)
    arrays = [_as_array(column) for column in columns]
    for chosen in np.split(order, run_starts(home[order])[1:]) if order.size else ():
        starts = run_starts(*(numbers[chosen] for numbers in codes))
        part, place = int(home[chosen[0]]), int(rows[chosen[0]])
        yield Dealt(part, place, [array[chosen] for array in arrays], rows[chosen], starts)


def _coded(column: Any, name: str) -> tuple[Numbers, NDArray[np.uint64], Faults]:
    """Return codes, hashes and faults of a column of labels that a Dask worker deals out."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iu":
        return column, integer_words(column), []
    labels = Labels(name)
    codes, faults = labels.encode(column)
    # A label that is none has the number -1, which takes the last place.
    table = label_words([*labels.values(), None])
    return codes, table[codes], faults


def _as_array(column: Any) -> NDArray[Any]:
    """Return a column that Dask is to shuffle as an array, of objects if it was none."""
    if isinstance(column, np.ndarray):
        return column
    return np.fromiter(column, dtype=object, count=len(column))


def join_columns(arrays: Sequence[NDArray[Any]]) -> Any:
    """Join the pieces of a column shuffled by Dask: an array if they are of one type, or a list."""
    types = {array.dtype for array in arrays}
    if len(types) == 1 and np.dtype(object) not in types:
        return np.concatenate(arrays)
    # A list of fine dates would hold integers.
    return list(chain(*(each if each.dtype.kind == "M" else each.tolist() for each in arrays)))


def deal_safely(number: int, dealt: Iterable[Dealt]) -> Iterator[Dealt | _Fault]:
    """Yield the rows that a Dask worker deals out of a piece, and the error of ours, if any."""
    try:
        yield from dealt
    except PorankError as error:
        yield _Fault(0, number << LINE_BITS, error)


def shuffle(
    client: Any,
    pieces: Sequence[Any],
    parts: int,
    work: Callable[..., Any],
    *given: Any,
    read: Callable[..., Iterable[Dealt | _Fault]] | None = None,
) -> list[Any]:
    """Shuffle rows to their parts by Dask's group-by; return a delayed task for each part."""
    delayed = load("dask", "scale").delayed
    # From worker to worker, there are as many parts as pieces.
    more = [delayed(list)() for _ in range(parts - len(pieces))]
    bag = load("dask.bag", "scale").from_delayed([*pieces, *more])
    if read is not None:
        bag = bag.map_partitions(_read_all, read, is_lazy=client is None)
    groups = bag.groupby(
        itemgetter(0),
        npartitions=parts,
        shuffle="disk" if client is None else "tasks",
        blocksize=parts * _SPREAD,
    )
    # Optimized graphs of data frames may have tasks that wait for themselves (dask 2026.8).
    groups = groups.to_delayed(optimize_graph=False)
    return [delayed(_work_on)(group, work, *given) for group in groups]


def _read_all(
    pieces: Iterable[tuple[Any, ...]],
    read: Callable[..., Iterable[Dealt | _Fault]],
    *,
    is_lazy: bool,
) -> Iterable[Dealt | _Fault]:
    rows = chain.from_iterable(starmap(read, pieces))
    return rows if is_lazy else list(rows)


def _work_on(groups: Iterable[tuple[int, list[Any]]], work: Callable[..., Any], *given: Any) -> Any:
    """Do the work of one part of the shuffle as a task of Dask; an error of ours is its result."""
    dealt = sorted((one for _, group in groups for one in group), key=itemgetter(1))
    faults = [one.error for one in dealt if isinstance(one, _Fault)]
    try:
        return faults[0] if faults else work(dealt, *given)
    except PorankError as error:
        return error
