"""An evaluation by many workers: rows dealt out by their groups, each part evaluated for itself.

Idea: *a group lies in one part, and what is known of a part is small.* Tasks of the first kind deal
out the rows of a piece of a file; those of the second kind evaluate what belongs together. Where
each group first appeared goes with it, so that the groups can be put back into their sequence.
"""

from __future__ import annotations

from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.labels import Labels
from porank.core.workers import (
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
from porank.evaluation.columns import SIDES, place_columns, read_blocks
from porank.evaluation.common_types import Met, met_in, require_common_types
from porank.evaluation.joining import join_evaluations
from porank.evaluation.output import Folder, require_one_type
from porank.evaluation.sides import encode_sides

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from porank.core.workers import Scattered
    from porank.evaluation.columns import Places, Table
    from porank.evaluation.evaluation import Evaluation
    from porank.evaluation.sides import Sides
    from porank.typing import Numbers

#: A piece of a file has fewer rows than this, so that (piece, row) is one number.
_ROW_BITS = 40


class Piece(NamedTuple):
    """The rows of a piece of a table that belong to one part.

    Attributes
    ----------
    blocks : list
        Their columns, block by block.
    heads : list of arrays
        For each block, where the group is another one than in the row before.
    rows : list of arrays
        The numbers of these rows in the piece of the table.
    """

    blocks: list[list[Any]]
    heads: list[Numbers]
    rows: list[Numbers]


@dataclass(frozen=True)
class Found:
    """What is found in one part.

    Attributes
    ----------
    evaluation : Evaluation
        Of its groups.
    places : array of int
        Numbers that rise with where the groups first appear, over all parts.
    met : Met
        Of which types the labels are.
    fault : str
        Why it could not be written, empty if it was.
    """

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
    """Return the evaluation of two tables that lie in parts, made by the workers of Dask.

    Parameters
    ----------
    target, predicted : Dask DataFrame or path
        Two tables.
    by : tuple of str
        The columns of groups.
    evaluated : callable
        Evaluates the groups of one part.
    check : callable or None
        Raises an error if the whole is not as it should be, before it is written.
    scheduler : Client, str, or None
        Who does the work.
    output : path, optional
        A folder for the results of the parts.
    progress : bool
        Show a bar.

    Notes
    -----
    Every row is sent once from the worker that reads it to the one that evaluates its group. Memory
    of a worker: some parts; of the caller: 9 bytes for each group and measure, 24 for
    each group, and the labels.
    """
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


def _tables(both: Sequence[list[Piece]], places: Sequence[Places]) -> Iterator[Table]:
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
