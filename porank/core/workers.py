"""The workers of Dask: those of the caller, or some of this machine for as long as they are needed.

Idea: *a task that can be done again may be lost.* All work is tasks that may be done twice, in one
graph; the scheduler gives those of a worker that has died to another one. And *a fault in the data
is a result*: it is handed on to the caller, who alone says so, once.

Tables that are read in parts by many: Dask DataFrames, and Parquet files and their folders.

Rows dealt out to parts by their labels, the same on every machine.

Idea: *equal labels must meet, whoever reads them.* The part of a label is told by a number that
depends on nothing but the label.
"""

from __future__ import annotations

import os
import re
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arguments import load
from porank.core.arrays import integer_words, joined_words, label_words, run_starts
from porank.core.columns import BLOCK_ROWS, Block, ColumnSource, ParquetSource
from porank.core.labels import Labels
from porank.core.progress import track
from porank.errors import Hint, ParseError, PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from porank.core.columns import Source
    from porank.core.files import Problems
    from porank.core.labels import Faults
    from porank.typing import Numbers


#: So many seconds a scheduler has to answer, and its first worker to come.
_PATIENCE = 10
#: Options of a `LocalCluster` that shows no page in the browser. With no address at all it takes
#: the usual port, and warns if another cluster has it.
WITHOUT_PAGE: dict[str, Any] = {
    "dashboard_address": "127.0.0.1:0",
    "scheduler_kwargs": {"dashboard": False},
}


@contextmanager
def connected(scheduler: Any = None) -> Iterator[Any]:
    """Yield a client of a scheduler that has workers; what was opened for it is closed after."""
    distributed = load("distributed", "scale")
    with ExitStack() as stack:
        if scheduler is None:
            client = _client_there(distributed) or _workers_here(distributed, stack)
        elif isinstance(scheduler, str):
            client = stack.enter_context(_client_of(distributed, scheduler))
        elif isinstance(scheduler, distributed.Client):
            client = scheduler
        else:
            raise PorankError(
                "expected the address of a Dask scheduler or a distributed.Client as scheduler, "
                f"found {scheduler!r}"
            )
        if client.asynchronous:
            raise PorankError(
                "expected a distributed.Client that waits, found an asynchronous one; "
                "Client(address) makes one"
            )
        _require_workers(client)
        yield client


def _client_there(distributed: Any) -> Any:
    """Return the client that the caller has opened, None if there is none."""
    try:
        return distributed.default_client()
    except ValueError:
        return None


def _workers_here(distributed: Any, stack: ExitStack) -> Any:
    cluster = distributed.LocalCluster(threads_per_worker=1, processes=True, **WITHOUT_PAGE)
    client = distributed.Client(stack.enter_context(cluster), set_as_default=False)
    return stack.enter_context(client)


def _client_of(distributed: Any, address: str) -> Any:
    try:
        _require_address(distributed, address)
        return distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    # A host without a scheduler is an OSError, what is no address a ValueError.
    except (OSError, ValueError) as error:
        raise PorankError(
            f"expected a Dask scheduler at {address!r}, found none: {error}", hint=Hint.SCHEDULER
        ) from None


def _require_address(distributed: Any, address: str) -> None:
    """Raise an error for what no client can use: one that has begun is slow and loud to close."""
    if address.startswith("inproc://"):
        return
    distributed.comm.get_address_host_port(address)
    if address.startswith(("tls://", "wss://")):
        security = distributed.Security().get_connection_args("client")
        if security.get("ssl_context") is None:
            raise ValueError("the configuration of Dask names no certificates")


def _require_workers(client: Any) -> None:
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
    except TimeoutError:
        address = client.scheduler.address
        raise PorankError(
            f"expected workers at the Dask scheduler {address!r}, found none; "
            f"'dask worker {address}' starts one"
        ) from None


def count_threads(client: Any) -> int:
    """Return how many tasks the workers do at the same time."""
    threads: dict[str, int] = client.nthreads()
    return max(1, sum(threads.values()))


class Stopped:
    """The error of a task in place of its result, and of each part of it."""

    def __init__(self, error: PorankError) -> None:
        self.error = error

    # Nobody is to run through its parts, which never end.
    __iter__ = None

    def __getitem__(self, _: object) -> Stopped:
        return self


class _Task:
    """A function whose errors of ours are its results, and that hands on those it is given."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self.__name__ = function.__name__

    def __call__(self, *args: Any) -> Any:
        before = _stopped_in(args, depth=3)
        if before is not None:
            return before
        try:
            return self._function(*args)
        except PorankError as error:
            return Stopped(error)


def _stopped_in(values: Any, *, depth: int) -> Stopped | None:
    """Return the first error among values, in lists and tuples down to a depth."""
    if isinstance(values, Stopped):
        return values
    if depth and isinstance(values, (list, tuple)):
        found = (_stopped_in(value, depth=depth - 1) for value in values)
        return next((stopped for stopped in found if stopped is not None), None)
    return None


def delayed_task(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that makes a task for workers of each call."""
    made: Callable[..., Any] = load("dask", "scale").delayed(_Task(function), pure=False)
    return made


def in_sequence(
    client: Any, tasks: Sequence[Any], *, progress: bool = False, label: str = "parts"
) -> Iterator[Any]:
    """Yield the results of delayed tasks one by one, all of them being worked on."""
    killed = load("distributed.scheduler", "scale").KilledWorker
    futures = client.compute(list(tasks))
    futures.reverse()
    try:
        for _ in track(range(len(futures)), progress=progress, label=label):
            # What has been fetched need not be kept by the workers.
            result = futures.pop().result()
            if isinstance(result, Stopped):
                raise result.error
            yield result
    except killed as error:
        raise PorankError(
            f"expected workers that live, found several that died of the same task, the last at "
            f"{error.last_worker.address}; most often their memory is too small"
        ) from None
    finally:
        client.cancel(futures)


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
    """Some groups of rows of a Parquet file."""

    path: str
    row_groups: tuple[int, ...]
    before: int


@dataclass
class Scattered:
    """A table that lies in parts."""

    name: str
    names: list[Any]
    size: int
    _frame: Any = None
    _files: tuple[tuple[str, list[Any], tuple[int, ...]], ...] = ()

    def parts(self, wanted: Sequence[Any], size: int) -> list[Any]:
        """Return what `opened` takes: the parts of a file, or delayed frames of pandas."""
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
    """Return how many bytes a part shall have: the more there are, the larger, within bounds."""
    least, most = _PART_BYTES
    return min(most, max(least, sum(sizes) // _MANY_PARTS))


def count_parts(
    tables: Sequence[Scattered], wanted: Sequence[Sequence[Any]], size: int, *, least: int
) -> int:
    """Return into how many parts the rows of tables are dealt out."""
    both = list(zip(tables, wanted, strict=True))
    files = sum(table.bytes_of(columns) for table, columns in both)
    # How large a partition of a Dask DataFrame is, is its owner's choice.
    frames = sum(table.count_frames() for table in tables)
    return min(_MOST_PARTS, max(least, -(-files // size) + frames))


def scattered(table: Any, name: str) -> Scattered:
    """Return a table that many can read."""
    if hasattr(type(table), "to_delayed") and hasattr(type(table), "columns"):
        return Scattered("", list(table.columns), 0, _frame=table)
    path = Path(table) if isinstance(table, (str, os.PathLike)) else None
    if path is None or not (path.is_dir() or path.suffix.lower() in _SUFFIXES):
        found = type(table).__name__ if path is None else repr(os.fspath(table))
        raise PorankError(
            "expected a Dask DataFrame or the path of a Parquet file or folder as "
            f"{name} for Dask, found {found}",
            hint=Hint.ENGINE,
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
    """Return what hands out the rows of a part."""
    if isinstance(part, FilePart):
        return ParquetSource(part.path, part.row_groups)
    return ColumnSource(part)


def fault_in(part: Any, number: int, row: int, message: str) -> ParseError:
    """Return the error for a row of a part: its line in its file, or where it is in a frame."""
    if not isinstance(part, FilePart):
        return ParseError(f"{message}, in row {row + 1} of partition {number}")
    line = part.before + row + 1
    return ParseError(f"{part.path}, line {line}: {message}", line=line)


class Dealt(NamedTuple):
    """Rows of a block that belong to one part."""

    columns: list[Any]
    rows: Numbers
    starts: Numbers


class DealtSource:
    """Rows that have been dealt out to one part, as a log."""

    name = ""
    is_streamed = False

    def __init__(self, names: Sequence[Any], pieces: Sequence[tuple[list[Any], Numbers]]) -> None:
        self.names = names
        self._pieces = pieces

    def blocks(
        self, wanted: Sequence[Any], problems: Problems, size: int = BLOCK_ROWS
    ) -> Iterator[Block]:
        """Yield the rows of the wanted columns, a block of each piece."""
        del problems, size  # all rows are there, and small enough
        places = {name: list(self.names).index(name) for name in wanted}
        for columns, lines in self._pieces:
            yield Block({name: as_read(columns[place]) for name, place in places.items()}, lines)

    def cuts_between(self, names: Sequence[Any]) -> bool:
        """Return False: sessions go on from piece to piece."""
        del names
        return False

    def close(self) -> None:
        """Nothing was opened."""


def as_read(column: NDArray[Any]) -> Any:
    """Return a column that was dealt out as a file has it: objects stand in a list."""
    return column.tolist() if column.dtype == object else column


def deal(
    columns: Sequence[Any], names: Sequence[str], parts: int
) -> tuple[Iterator[tuple[int, Dealt]], Faults]:
    """Return the rows of each part, those that have any, and which labels cannot be one."""
    coded = [_coded(column, name) for column, name in zip(columns, names, strict=False)]
    faults = sorted(fault for *_, wrong in coded for fault in wrong)
    codes = [numbers for numbers, *_ in coded]
    words = joined_words([of_column for _, of_column, _ in coded])
    home = (words % np.uint64(parts)).astype(np.int64)
    return _cut(columns, codes, home, parts), faults


def _cut(
    columns: Sequence[Any], codes: Sequence[Numbers], home: Numbers, parts: int
) -> Iterator[tuple[int, Dealt]]:
    # Numbers of 16 bits are sorted by counting.
    order = np.argsort(home.astype(np.uint16) if parts <= 1 << 16 else home, kind="stable")
    bounds = np.searchsorted(home[order], np.arange(parts + 1)).tolist()
    arrays = [as_array(column) for column in columns]
    for part in range(parts):
        rows = order[bounds[part] : bounds[part + 1]]
        if rows.size:
            starts = run_starts(*(numbers[rows] for numbers in codes))
            yield part, Dealt([array[rows] for array in arrays], rows, starts)


def as_array(column: Any) -> NDArray[Any]:
    """Return a column as an array, of objects if it was none."""
    if isinstance(column, np.ndarray):
        return column
    return np.fromiter(column, dtype=object, count=len(column))


def _coded(column: Any, name: str) -> tuple[Numbers, NDArray[np.uint64], Faults]:
    """Return a number for each label, a word for each, and which labels are wrong."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iu":
        return column, integer_words(column), []
    labels = Labels(name)
    codes, faults = labels.encode(column)
    # A label that is none has the number -1, which takes the last place.
    table = label_words([*labels.values(), None])
    return codes, table[codes], faults
