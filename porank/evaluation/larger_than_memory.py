"""Files larger than the memory: dealt out into parts of whole groups, evaluated part by part.

Idea: *what belongs together must only meet.* Each file is read once, block by block, and its rows
are dealt out to as many temporary files as it takes, those of a group to the same one on both
sides; rows of a group may stand anywhere.

An evaluation by many workers: rows dealt out by their groups, each part evaluated for itself.

Idea: *a group lies in one part, and what is known of a part is small.* Tasks of the first kind deal
out the rows of a piece of a file; those of the second kind evaluate what belongs together. Where
each group first appeared goes with it, so that the groups can be put back into their sequence.

A folder of results that many workers write: there as a whole, or not at all.

Evaluations of parts of the groups, put together to that of all.

Whether labels of the two sides can meet at all: none do if they are of different types.
"""

from __future__ import annotations

import os
import pickle
import shutil
from contextlib import ExitStack, closing, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from numbers import Number
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

import numpy as np

from porank.core.labels import Labels, join_labels
from porank.core.progress import track
from porank.core.workers import (
    as_array,
    as_read,
    connected,
    count_parts,
    count_threads,
    deal,
    delayed_task,
    fault_in,
    in_sequence,
    opened,
    part_bytes,
    scattered,
)
from porank.errors import ParseError, PorankError
from porank.evaluation.group_values import EMPTY, STATUSES
from porank.evaluation.input_orders import encode_sides
from porank.evaluation.input_tables import SIDES, TableSide, open_table, place_columns, read_blocks
from porank.evaluation.result import several_types

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from porank.core.workers import Scattered
    from porank.evaluation.input_orders import SideRows, Sides
    from porank.evaluation.input_tables import Places
    from porank.evaluation.result import Evaluation
    from porank.typing import Numbers


#: So many bytes of both files make a part.
_PART_BYTES = 1 << 25
#: No more parts than this, and than half of the files that may be open.
_MOST_PARTS = 500
#: So many files may be open at least where that is not told.
_OPEN_FILES = 400


def parts_for_memory(target: Any, predicted: Any) -> int:
    """Return in how many parts two sides are evaluated: 1 unless both are large files."""
    paths = [Path(side) for side in (target, predicted) if isinstance(side, (str, os.PathLike))]
    if len(paths) < 2 or not all(path.is_file() for path in paths):
        return 1
    size = sum(path.stat().st_size for path in paths)
    return max(1, min(_most_parts(), -(-size // _PART_BYTES)))


def _most_parts() -> int:
    """Return how many files of parts may be open at once."""
    try:
        resource = import_module("resource")
    except ImportError:  # on Windows
        return min(_MOST_PARTS, _OPEN_FILES // 2)
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return _MOST_PARTS if allowed == resource.RLIM_INFINITY else min(_MOST_PARTS, allowed // 2)


def evaluate_parts(
    target: Any,
    predicted: Any,
    by: tuple[str, ...],
    parts: int,
    evaluated: Callable[[Sides], Evaluation],
    *,
    progress: bool = False,
) -> Evaluation:
    """Return the evaluation of two files, made of those of their parts."""
    labels = Labels("group" if len(by) > 1 else by[0])
    with TemporaryDirectory() as folder:
        places = [
            _deal(side, name, by, Path(folder), parts, labels, progress=progress)
            for side, name in zip((target, predicted), SIDES, strict=True)
        ]
        found, met = [], []
        for number in track(range(parts), progress=progress, label="parts"):
            sides = encode_sides(*_gathered(Path(folder), number, places), by)
            part = evaluated(sides)
            met.append(met_in(sides, part))
            # What it was worked out from would be all that the files hold.
            found.append(replace(part, groups=None))
    require_common_types(met)
    numbers = [_group_numbers([part[name] for name in by], labels, "parts") for part in found]
    return join_evaluations(found, numbers)


def _deal(
    side: Any,
    name: str,
    by: tuple[str, ...],
    folder: Path,
    parts: int,
    labels: Labels,
    *,
    progress: bool,
) -> Places:
    """Write the rows of a file to the files of its parts."""
    with ExitStack() as stack:
        source = stack.enter_context(closing(open_table(side, name)))
        places = place_columns(source, by, name)
        files = [
            stack.enter_context((folder / f"{name}{number}").open("wb")) for number in range(parts)
        ]
        blocks, done = read_blocks(source, places.names), 0
        for block in track(blocks, progress=progress, label=name):
            number = _group_numbers(block[: len(by)], labels, name, done) % parts
            done += number.size
            order = np.argsort(number, kind="stable")
            bounds = np.searchsorted(number[order], np.arange(parts + 1)).tolist()
            dealt = [as_array(column)[order] for column in block]
            for file, begin, end in zip(files, bounds[:-1], bounds[1:], strict=True):
                if end > begin:
                    pickle.dump([column[begin:end] for column in dealt], file, protocol=5)
    return places


def _group_numbers(columns: Sequence[Any], labels: Labels, name: str, done: int = 0) -> Numbers:
    """Return the numbers of the groups, as they first appear in either file."""
    values = columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))
    numbers, faults = labels.encode(values)
    if faults:
        row, message = faults[0]
        raise ParseError(f"{message} in row {done + row + 1} of {name}", line=done + row + 1)
    return numbers


def _gathered(folder: Path, number: int, places: Sequence[Places]) -> tuple[TableSide, TableSide]:
    """Return one part of both sides."""
    target, predicted = (
        place.table(list(_blocks(folder / f"{name}{number}")), is_whole=False)
        for name, place in zip(SIDES, places, strict=True)
    )
    return target, predicted


def _blocks(path: Path) -> Iterator[list[Any]]:
    with path.open("rb") as file:
        while file.peek(1):
            # Written by this process into a folder of its own.
            block = pickle.load(file)
            yield list(map(as_read, block))


#: A piece of a file has fewer rows than this, so that (piece, row) is one number.
_ROW_BITS = 40


class Piece(NamedTuple):
    """The rows of a piece of a table that belong to one part."""

    blocks: list[list[Any]]
    heads: list[Numbers]
    rows: list[Numbers]


@dataclass(frozen=True)
class Found:
    """What is found in one part."""

    evaluation: Evaluation
    places: Numbers
    met: Met
    fault: str


def evaluate_scattered(
    target: Any,
    predicted: Any,
    by: tuple[str, ...],
    evaluated: Callable[[Sides], Evaluation],
    *,
    check: Callable[[Evaluation], object] | None,
    scheduler: Any = None,
    output: Any = None,
    progress: bool = False,
) -> Evaluation:
    """Return the evaluation of two tables that lie in parts, made by the workers of Dask."""
    sides = [scattered(side, name) for side, name in zip((target, predicted), SIDES, strict=True)]
    places = [
        place_columns(side, by, f"{name} ({side.name!r})" if side.name else name)
        for side, name in zip(sides, SIDES, strict=True)
    ]
    folder = None if output is None else Folder(output)
    with connected(scheduler) as client, folder or nullcontext():
        tasks = _tasks(sides, places, by, evaluated, folder, threads=count_threads(client))
        found = list(in_sequence(client, tasks, progress=progress))
        require_common_types([part.met for part in found])
        evaluations = [part.evaluation for part in found]
        joined = join_evaluations(evaluations, [part.places for part in found])
        if check is not None:
            check(joined)
        if folder is not None:
            require_one_type(evaluations, [part.fault for part in found])
            folder.finish([len(part) for part in evaluations])
    return joined


def _tasks(
    sides: Sequence[Scattered],
    places: Sequence[Places],
    by: tuple[str, ...],
    evaluated: Callable[[Sides], Evaluation],
    folder: Folder | None,
    *,
    threads: int,
) -> list[Any]:
    """Return the tasks that evaluate a part each."""
    size = part_bytes(
        [side.bytes_of(place.names) for side, place in zip(sides, places, strict=True)]
    )
    parts = count_parts(sides, [place.names for place in places], size, least=threads)
    pieces: list[list[list[Any]]] = []
    for side, place, name in zip(sides, places, SIDES, strict=True):
        dealt = [
            delayed_task(_deal_rows)(part, number, place, by, name, parts)
            for number, part in enumerate(side.parts(place.names, size))
        ]
        pieces.append([[one[number] for one in dealt] for number in range(parts)])
    return [
        delayed_task(_evaluate_rows)(
            both, tuple(places), by, evaluated, folder and folder.part(number)
        )
        for number, both in enumerate(zip(*pieces, strict=True))
    ]


def _deal_rows(
    part: Any, number: int, place: Places, by: tuple[str, ...], name: str, parts: int
) -> list[Piece]:
    """Return the rows of a piece of a table, its number given, dealt out by their groups."""
    pieces = [Piece([], [], []) for _ in range(parts)]
    source = opened(part)
    done = 0
    with closing(source):
        for block in read_blocks(source, place.names):
            dealt, faults = deal(block, by, parts)
            if faults:
                row, message = faults[0]
                raise fault_in(part, number, done + row, f"{message} in {name}")
            for home, some in dealt:
                pieces[home].blocks.append(some.columns)
                pieces[home].heads.append(some.starts)
                pieces[home].rows.append(some.rows[some.starts] + done)
            done += len(block[0])
    return pieces


def _evaluate_rows(
    both: tuple[list[Piece], list[Piece]],
    places: tuple[Places, Places],
    by: tuple[str, ...],
    evaluated: Callable[[Sides], Evaluation],
    write: Callable[[Evaluation], str] | None,
) -> Found:
    """Return what is found in the groups of one part."""
    first = _first_places(both, by)
    target, predicted = _tables(both, places)
    sides = encode_sides(target, predicted, by)
    found = evaluated(sides)
    met = met_in(sides, found)
    fault = "" if write is None else write(found)
    return Found(replace(found, groups=None), first, met, fault)


def _tables(both: Sequence[list[Piece]], places: Sequence[Places]) -> Iterator[TableSide]:
    for pieces, place in zip(both, places, strict=True):
        blocks = [list(map(as_read, block)) for piece in pieces for block in piece.blocks]
        yield place.table(blocks, is_whole=False)


def _first_places(both: Sequence[list[Piece]], by: Sequence[str]) -> Numbers:
    """Return for each group, as they appear, the number of its first row, over all pieces."""
    labels = Labels("group")
    places: list[Numbers] = [np.zeros(0, dtype=np.int64)]
    pieces = (piece for side in both for piece in side)
    for number, piece in enumerate(pieces):
        for block, heads, rows in zip(*piece, strict=True):
            known = len(labels)
            columns = [as_read(column[heads]) for column in block[: len(by)]]
            values = columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))
            codes, _ = labels.encode(values)
            # Labels are numbered as they come: where a new number is, there its group is first.
            highest = np.maximum.accumulate(np.append(known - 1, codes))
            places.append(rows[highest[1:] > highest[:-1]] + (number << _ROW_BITS))
    return np.concatenate(places)


class Folder:
    """A folder of Parquet files, one for each part."""

    def __init__(self, path: Any) -> None:
        if not isinstance(path, (str, os.PathLike)):
            raise PorankError(f"expected the path of a folder as output, found {path!r}")
        if os.path.lexists(path):
            raise PorankError(
                f"expected a folder that is not there yet as output, found {os.fspath(path)!r}"
            )
        self._path = Path(path).absolute()
        if not self._path.parent.is_dir():
            raise PorankError(
                f"expected a folder to put output {os.fspath(path)!r} into, found no "
                f"{os.fspath(self._path.parent)!r}"
            )
        # Workers that are not done with what has failed write where nothing is any more.
        self._making = self._path.with_name(f".{self._path.name}.{uuid4().hex}")

    def __enter__(self) -> None:
        self._making.mkdir()

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._making, ignore_errors=True)

    def part(self, number: int) -> Callable[[Evaluation], str]:
        """Return what writes the results of a part, and returns why it cannot."""
        return partial(_write, self._making / _name(number))

    def finish(self, sizes: Sequence[int]) -> None:
        """Give the folder its name, and leave out parts without groups, or begun twice."""
        kept = {_name(number) for number, size in enumerate(sizes) if size} or {_name(0)}
        for file in self._making.iterdir():
            if file.name not in kept:
                file.unlink()
        missing = sorted(kept - {file.name for file in self._making.iterdir()})
        if missing:
            raise PorankError(
                f"expected {len(kept)} files of the workers in {os.fspath(self._path.parent)!r}, "
                f"found no {missing[0]!r}; output needs a folder that all workers share"
            )
        self._making.rename(self._path)


def _name(number: int) -> str:
    return f"part.{number:05}.parquet"


def _write(path: Path, found: Evaluation) -> str:
    """Write the file of a part, whole or not at all, and return why it cannot be written."""
    unfinished = path.with_suffix(f".{uuid4().hex}")
    try:
        found.to_parquet(unfinished)
    except PorankError as error:
        unfinished.unlink(missing_ok=True)
        return str(error)
    unfinished.replace(path)
    return ""


def require_one_type(found: Sequence[Evaluation], faults: Sequence[str]) -> None:
    """Raise an error if groups are of several types, which a column of Parquet cannot hold."""
    filled = [part for part in found if len(part)]
    mixed = [name for name in found[0].by if len({part[name].dtype.kind for part in filled}) > 1]
    told = [*filter(None, faults), *map(several_types, mixed)]
    if told:
        raise PorankError(f"{told[0]}, or do without output")


def join_evaluations(found: Sequence[Evaluation], places: Sequence[Numbers]) -> Evaluation:
    """Return the groups of all parts in one evaluation."""
    order = np.argsort(np.concatenate(places))

    def together(columns: Sequence[Any]) -> Any:
        return np.concatenate(columns)[order]

    first = found[0]
    columns = {
        name: join_labels([part[name] for part in found])[order]
        if name in first.by
        else together([part[name] for part in found])
        for name in first.columns
    }
    return replace(
        first,
        columns=columns,
        statuses={
            name: together([part.statuses[name] for part in found]) for name in first.measures
        },
        sizes=together([part.sizes for part in found]),
        duplicates={
            name: sum(part.duplicates[name] for part in found) for name in first.duplicates
        },
        groups=None,
    )


#: So many labels are looked at.
_SOME = 1000


@dataclass(frozen=True)
class Met:
    """What has met in some groups, and of which types the labels are."""

    groups: bool
    items: bool
    types: dict[tuple[str, int], tuple[dict[type, Any], dict[type, Any]]]


def met_in(sides: Sides, found: Evaluation) -> Met:
    """Return what has met in an evaluation of two sides."""
    there = sides.target.there, sides.predicted.there
    both = there[0] & there[1]
    if (found["status"][both] != STATUSES[EMPTY]).any():
        return Met(groups=True, items=True, types={})
    types = {
        ("groups", place): (_types(column[there[0]]), _types(column[there[1]]))
        for place, column in enumerate(sides.by)
    }
    rows = sides.target, sides.predicted
    # Orders may have items of any types, in one group these and in another those.
    if both.any() and not any(each.orders for each in rows):
        one, other = (_types(sides.items.of(_some_items(each))) for each in rows)
        types["items", 0] = one, other
    return Met(bool(both.any()), False, types)


def _some_items(rows: SideRows) -> Numbers:
    items: Numbers = np.concatenate([rows.member_item[:_SOME], rows.upper[:_SOME]])
    return items


def _types(labels: NDArray[Any]) -> dict[type, Any]:
    found: dict[type, Any] = {}
    for label in labels[:_SOME].tolist():
        # Numbers of different types can be equal.
        found.setdefault(Number if isinstance(label, Number) else type(label), label)
    return found


def require_common_types(parts: Sequence[Met]) -> None:
    """Raise an error if nothing has met because labels are of other types on each side."""
    has_groups = any(part.groups for part in parts)
    if any(part.items for part in parts):
        return
    wanted = "items" if has_groups else "groups"
    for key in sorted({key for part in parts for key in part.types if key[0] == wanted}):
        sides = [part.types[key] for part in parts if key in part.types]
        _compare(wanted, *(_joined([side[place] for side in sides]) for place in range(2)))


def _joined(types: Sequence[dict[type, Any]]) -> dict[type, Any]:
    return {kind: label for each in reversed(types) for kind, label in each.items()}


def _compare(what: str, target: dict[type, Any], predicted: dict[type, Any]) -> None:
    if target and predicted and not set(target) & set(predicted):
        one, other = (next(iter(side.values())) for side in (target, predicted))
        raise PorankError(
            f"expected {what} of one type on both sides, found {one!r} in target and {other!r} in "
            "predicted; convert one of the columns"
        )
