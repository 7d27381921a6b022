"""Evaluations of tables larger than memory or on many machines: each part like a table in memory.

`evaluate_in_parts` is what `evaluate` calls with ``engine="dask"``, and for two `large_files`;
`Folder` is a folder of results that many workers write; `met_in` and `require_common_types` tell
whether labels of the two sides can meet at all, in parts or in one.

Idea: *a group lies in one part, and what is known of a part is small.* Rows are dealt out by their
groups, those of both sides to the same part. Where each group first appeared goes with it, so that
the groups can be put back into their sequence.
"""

from __future__ import annotations

import os
import shutil
from contextlib import nullcontext, suppress
from dataclasses import replace
from numbers import Number
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

import numpy as np

from porank.core.arguments import load
from porank.core.labels import Labels, join_labels
from porank.core.workers import (
    LINE_BITS,
    compute,
    connected,
    count_threads,
    deal,
    deal_safely,
    divide,
    fault_in,
    join_columns,
    one_file,
    parted_table,
    read_piece,
    shuffle,
)
from porank.errors import PorankError
from porank.evaluation.input_sides import SIDES, encode_sides, place_columns, read_side
from porank.evaluation.result import several_types
from porank.evaluation.single_groups import EMPTY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from porank.core.workers import Dealt
    from porank.evaluation.input_sides import Sides
    from porank.evaluation.result import Evaluation
    from porank.typing import Numbers


#: Two files of more bytes than this are large.
_MANY_BYTES = 1 << 27


def are_large_files(target: Any, predicted: Any) -> bool:
    """Return whether both sides are files too large to be read whole into memory."""
    paths = [Path(side) for side in (target, predicted) if isinstance(side, (str, os.PathLike))]
    if len(paths) < 2 or not all(path.is_file() for path in paths):
        return False
    return sum(path.stat().st_size for path in paths) > _MANY_BYTES


class _PartResult(NamedTuple):
    """The evaluation of a part, the first rows of its groups, what has met, and its file."""

    evaluation: Evaluation
    places: Numbers
    met: _LabelTypes | None
    file: str | PorankError


def evaluate_in_parts(
    target: Any,
    predicted: Any,
    by: tuple[str, ...],
    evaluated: Callable[[Sides], Evaluation],
    *,
    check: Callable[[Evaluation], object] | None,
    is_local: bool = False,
    scheduler: Any = None,
    output: Any = None,
) -> Evaluation:
    """Return the evaluation of two tables that lie in pieces, made by the workers of Dask."""
    tables = [
        one_file(side) if is_local else parted_table(side, name)
        for side, name in zip((target, predicted), SIDES, strict=True)
    ]
    wanted = [
        place_columns(table, by, f"{name} ({table.name!r})" if table.name else name)[0]
        for table, name in zip(tables, SIDES, strict=True)
    ]
    folder = None if output is None else Folder(output)
    with nullcontext() if is_local else connected(scheduler) as client, folder or nullcontext():
        pieces, parts = divide(tables, wanted, least=count_threads(client))
        delayed = load("dask", "scale").delayed
        to_read = [
            delayed([(piece, number, names, by, side, parts)])
            for side, (some, names) in enumerate(zip(pieces, wanted, strict=True))
            for number, piece in enumerate(some)
        ]
        given = (wanted, by, evaluated, folder)
        tasks = shuffle(client, to_read, parts, _evaluate_part, *given, read=_deal_piece)
        # By where their first groups appear, parts come in the same sequence each time.
        found = sorted(
            compute(client, tasks),
            key=lambda part: part.places.min() if part.places.size else 0,
        )
        require_common_types([part.met for part in found])
        joined = _join_evaluations(found)
        if check is not None:
            check(joined)
        if folder is not None:
            folder.finish([part.file for part in found], joined)
    return joined


def _deal_piece(
    piece: Any, number: int, names: Sequence[Any], by: Sequence[str], side: int, parts: int
) -> Iterator[Any]:
    """Yield the rows of a piece of a large table, dealt out to parts by their groups."""
    place = (side << _SIDE_BITS | number) << LINE_BITS

    def dealt() -> Iterator[Dealt]:
        for block in read_piece(piece, names):
            values = [block.columns[name] for name in names]
            some, faults = deal(values, by, block.lines + place, parts)
            if faults:
                row, message = faults[0]
                line = int(block.lines[row])
                raise fault_in(piece, number, line, f"{message} in {SIDES[side]}")
            # Of the places of rows, only those where groups begin are needed.
            yield from (one._replace(rows=one.rows[one.starts]) for one in some)

    return deal_safely(place, dealt())


#: A table has fewer pieces than this.
_SIDE_BITS = 20


def _evaluate_part(
    dealt: Sequence[Dealt],
    wanted: Sequence[Sequence[Any]],
    by: tuple[str, ...],
    evaluated: Callable[[Sides], Evaluation],
    folder: Folder | None,
) -> _PartResult:
    """Return the evaluation of one part that Dask has dealt out, and write it if wanted."""
    tables: list[Any] = []
    for side, (names, name) in enumerate(zip(wanted, SIDES, strict=True)):
        some = [one for one in dealt if one.place >> LINE_BITS + _SIDE_BITS == side]
        columns = {
            column: join_columns([one.columns[place] for one in some])
            for place, column in enumerate(names)
        }
        tables.append(read_side(columns, by, name=name))
        # Its rows have no numbers of their own.
        tables[-1].is_whole = False
    sides = encode_sides(tables[0], tables[1], by)
    found = evaluated(sides)
    met = met_in(sides, found)
    file = "" if folder is None else folder.write(found)
    # What it was worked out from would be all that the files hold.
    return _PartResult(replace(found, groups=None), _first_places(dealt, len(by)), met, file)


def _first_places(dealt: Sequence[Dealt], by: int) -> Numbers:
    """Return where each group of a part first appeared in the large files."""
    labels = Labels("group")
    columns = [join_columns([one.columns[k][one.starts] for one in dealt]) for k in range(by)]
    rows = np.concatenate([np.zeros(0, dtype=np.int64), *(one.rows for one in dealt)])
    codes, _ = labels.encode(columns[0] if by == 1 else list(zip(*columns, strict=True)))
    first = np.empty(len(labels), dtype=np.int64)
    # Of several values for one group the last is kept: it comes first.
    first[codes[::-1]] = rows[::-1]
    return first


def _join_evaluations(parts: Sequence[_PartResult]) -> Evaluation:
    """Return the evaluations that workers made of parts as one, groups as they appear."""
    found = [part.evaluation for part in parts]
    order = np.argsort(np.concatenate([part.places for part in parts]))
    first = found[0]

    def together(columns: Iterable[Any], join: Any = np.concatenate) -> Any:
        return join(list(columns))[order]

    return replace(
        first,
        columns={
            name: together(
                (each[name] for each in found),
                join_labels if name in first.by else np.concatenate,
            )
            for name in first.columns
        },
        statuses={name: together(each.statuses[name] for each in found) for name in first.measures},
        sizes=together(each.sizes for each in found),
        duplicates={name: sum(each.duplicates[name] for each in found) for name in SIDES},
    )


class Folder:
    """The output of a Dask evaluation: a folder of Parquet files, one for each part."""

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
        self._making = self._path.with_name(f".{self._path.name}.partial-{uuid4().hex}")

    def __enter__(self) -> None:
        self._making.mkdir()

    def __exit__(self, *_: object) -> None:
        # Under another name no worker adds a file to it while it is removed.
        ended = self._making.with_name(f"{self._making.name}.ended")
        with suppress(OSError):
            self._making.rename(ended)
        for folder in (ended, self._making):
            shutil.rmtree(folder, ignore_errors=True)

    def write(self, found: Evaluation) -> str | PorankError:
        """Write the results of a part, if any, and return its file, or what is wrong."""
        if not len(found):
            return ""
        # A task that is done twice writes two files, of which one is told of.
        name = f"{uuid4().hex}.parquet"
        try:
            found.to_parquet(self._making / name)
        except PorankError as error:
            return error
        return name

    def finish(self, written: Sequence[str | PorankError], joined: Evaluation) -> None:
        """Give the folder its name, and its files theirs, without those that were begun twice."""
        for file in written:
            if isinstance(file, PorankError):
                raise PorankError(f"{file}, or do without output")
        for column in joined.by:
            if joined[column].dtype == object and len(set(map(type, joined[column]))) > 1:
                raise PorankError(f"{several_types(column)}, or do without output")
        names = [name for name in written if isinstance(name, str) and name]
        try:
            for number, name in enumerate(names):
                (self._making / name).rename(self._making / _name(number))
        except FileNotFoundError:
            raise PorankError(
                f"expected {len(names)} files of the workers in "
                f"{os.fspath(self._path.parent)!r}, found no {_name(number)!r}; output needs a "
                "folder that all workers share"
            ) from None
        if not names:
            joined.to_parquet(self._making / _name(0))
        kept = {_name(number) for number in range(max(1, len(names)))}
        for path in self._making.iterdir():
            if path.name not in kept:
                path.unlink()
        self._making.rename(self._path)


def _name(number: int) -> str:
    return f"part.{number:05}.parquet"


#: So many labels are looked at.
_SOME = 1000
#: What is compared -> the types of its labels on each side, each with a label that has it.
_LabelTypes = dict[str, tuple[dict[type, Any], dict[type, Any]]]


def met_in(sides: Sides, found: Evaluation) -> _LabelTypes | None:
    """Return None if items of a part of large tables have met, else the types of labels unmet."""
    both = sides.target.there & sides.predicted.there
    # A group that is empty is so for every measure.
    if (found.statuses[found.measures[0]][both] != EMPTY).any():
        return None
    rows = sides.target, sides.predicted
    if not both.any():
        columns = {
            f"groups {place}": [column[each.there] for each in rows]
            for place, column in enumerate(sides.by)
        }
    # Orders may have items of any types, in one group these and in another those.
    elif any(each.orders for each in rows):
        columns = {}
    else:
        some = (np.concatenate([each.member_item[:_SOME], each.upper[:_SOME]]) for each in rows)
        columns = {"items": list(map(sides.items.of, some))}
    return {what: (_types(one), _types(other)) for what, (one, other) in columns.items()}


def _types(labels: NDArray[Any]) -> dict[type, Any]:
    found: dict[type, Any] = {}
    for label in labels[:_SOME].tolist():
        # Numbers of different types can be equal.
        found.setdefault(Number if isinstance(label, Number) else type(label), label)
    return found


def require_common_types(parts: Sequence[_LabelTypes | None]) -> None:
    """Raise an error if in no part anything has met, labels being of other types on each side."""
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return
    # Where groups have met, it is the items that have not.
    known = [part for part in known if "items" in part] or known
    for what in sorted({what for part in known for what in part}):
        target, predicted = (
            {kind: label for part in reversed(known) for kind, label in part[what][side].items()}
            for side in range(2)
        )
        if target and predicted and not set(target) & set(predicted):
            one, other = next(iter(target.values())), next(iter(predicted.values()))
            raise PorankError(
                f"expected {what.split()[0]} of one type on both sides, found {one!r} in target "
                f"and {other!r} in predicted; convert one of the columns"
            )
