"""What a log says, by many workers: rows dealt out by their sessions, each part for itself.

Idea: *a session lies in one part.* Three kinds of tasks: the first deal out the rows of a piece of
a file; one numbers the items and groups of all pieces, as they appear; the last count what the
sessions of a part say.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.clicks.coded_pairs import coded_pairs, require_room
from porank.clicks.evidence import Said, Tally
from porank.clicks.log import LogCounts, values_of_role
from porank.clicks.sessions import Room
from porank.core.files import Problems
from porank.core.labels import Labels, join_labels, labels_as_array
from porank.core.workers import (
    DealtSource,
    FilePart,
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
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from porank.clicks.evidence import Wanted
    from porank.core.files import Problem
    from porank.typing import Numbers


#: A piece of a file has fewer rows than this, so that (piece, row) is one number that rises.
_ROW_BITS = 40
_ROW_MASK = (1 << _ROW_BITS) - 1

_NOTHING = np.zeros(0, dtype=np.int64)

Roles = dict[str, tuple[Any, ...]]


class Piece(NamedTuple):
    """The rows of a piece of a log that belong to one part: blocks of columns, and their places."""

    blocks: list[list[Any]]
    rows: list[Numbers]
    heads: list[Numbers]


def said_by_scattered(
    log: Any, wanted: Wanted, *, scheduler: Any = None, progress: bool = False
) -> Said:
    """Return what a log that lies in parts says, counted by the workers of Dask."""
    errors = wanted.reading["errors"]
    # What is wrong with the options is said before any work begins.
    reader = wanted.log({}, errors=errors)
    source = scattered(log, "log")
    try:
        roles = reader.roles_in(source.names)
    except PorankError as error:
        raise PorankError(f"{error}, in {source.name!r}" if source.name else str(error)) from None
    columns = list(dict.fromkeys(name for names in roles.values() for name in names))
    size = part_bytes([source.bytes_of(columns)])
    pieces = source.parts(columns, size)
    with connected(scheduler) as client:
        parts = count_parts([source], [columns], size, least=count_threads(client))
        tasks = _tasks(pieces, roles, columns, wanted, parts)
        known, *found = in_sequence(client, tasks, progress=progress)
    problems = _problems_of(found, pieces, strict=errors == "raise")
    return _together(found, known, wanted, problems)


def _tasks(
    pieces: Sequence[Any], roles: Roles, columns: Sequence[Any], wanted: Wanted, parts: int
) -> list[Any]:
    """Return the task that numbers labels, and those that each count what a part says."""
    dealt = [
        delayed_task(_deal_sessions)(piece, roles, columns, wanted.labelled, parts)
        for piece in pieces
    ]
    known = delayed_task(_number_labels)([one[parts] for one in dealt], wanted.labelled)
    said = [
        delayed_task(_count_said)([one[part] for one in dealt], known, roles, columns, wanted)
        for part in range(parts)
    ]
    return [known, *said]


def _deal_sessions(
    part: Any, roles: Roles, columns: Sequence[Any], labelled: Sequence[str], parts: int
) -> list[Any]:
    """Return the rows of a piece of a log, dealt out by sessions; at last the labels in it."""
    pieces = [Piece([], [], []) for _ in range(parts)]
    labels = {name: Labels(name) for name in labelled}
    source = opened(part)
    session = roles["session"]
    order = [*session, *(name for name in columns if name not in session)]
    back = [order.index(name) for name in columns]
    done = 0
    with closing(source):
        for block in source.blocks(columns, Problems("raise"), 1 << 20):
            for name, those in labels.items():
                those.encode(values_of_role(block, roles[name]))
            # A row without a session may go anywhere: it is met when it is read again.
            dealt, _ = deal([block.columns[name] for name in order], list(map(str, session)), parts)
            for number, some in dealt:
                pieces[number].blocks.append([some.columns[place] for place in back])
                pieces[number].rows.append(some.rows + done)
                pieces[number].heads.append(some.starts)
            done += block.lines.size
    return [*pieces, {name: labels_as_array(those.values()) for name, those in labels.items()}]


def _number_labels(
    found: Sequence[Mapping[str, NDArray[Any]]], names: Sequence[str]
) -> dict[str, Labels]:
    """Return the labels of all pieces, numbered as they first appear."""
    labels = {name: Labels(name) for name in names}
    for piece in found:
        for name, values in piece.items():
            labels[name].encode(values)
    for those in labels.values():
        # Several tasks read them at the same time: nothing is left to be made up then.
        those.values()
    return labels


def _count_said(
    pieces: Sequence[Piece],
    known: Mapping[str, Labels],
    roles: Roles,
    columns: Sequence[Any],
    wanted: Wanted,
) -> Said:
    """Return what the sessions of a part say."""
    blocks = [
        (block, rows + (number << _ROW_BITS), heads)
        for number, piece in enumerate(pieces)
        for block, rows, heads in zip(*piece, strict=True)
    ]
    source = DealtSource(columns, [(block, rows) for block, rows, _ in blocks])
    reader = wanted.log(source, errors="report", labels=known)
    tally = Tally(wanted.names, is_merged=wanted.is_merged)
    room = Room(wanted.max_pairs, tally)
    in_pieces = all(rule.is_ours for rule in wanted.rules)
    for sessions in reader.sessions(in_pieces=in_pieces):
        sessions.room = room
        tally.add(coded_pairs(sessions, wanted.rules, wanted.names))
    tally.counts()
    problems = reader.problems.found
    if wanted.reading["errors"] == "raise":
        problems = sorted(problems, key=lambda problem: problem.line)[:1]
    labels, first = {}, _NOTHING
    if not wanted.is_merged:
        session = reader.labels["session"]
        labels = {"session": labels_as_array(session.values())}
        heads = DealtSource(columns, [(_taken(block, at), rows[at]) for block, rows, at in blocks])
        first = _first_rows(heads, session, roles["session"])
    used = reader.used_items().tolist()
    return Said(tally, labels, used, reader.counts(), problems, first)


def _taken(block: Sequence[NDArray[Any]], places: Numbers) -> list[NDArray[Any]]:
    return [column[places] for column in block]


def _first_rows(heads: DealtSource, session: Labels, names: tuple[Any, ...]) -> Numbers:
    """Return the first row of each session, by its number, from rows at which sessions begin."""
    # One place more, the last, is for the number -1 of what is no session.
    first = np.full(len(session) + 1, -1, dtype=np.int64)
    for block in reversed(list(heads.blocks(names, Problems("raise")))):
        codes, _ = session.encode(values_of_role(block, names))
        # Of several values for one place the last is kept: it comes first in the log.
        first[codes[::-1]] = block.lines[::-1]
    return first[:-1]


def _together(
    found: Sequence[Said], known: Mapping[str, Labels], wanted: Wanted, problems: list[Problem]
) -> Said:
    """Return what all parts say together."""
    require_room(sum(part.tally.held() for part in found), wanted.max_pairs)
    values = {name: labels_as_array(those.values()) for name, those in known.items()}
    tally = Tally(wanted.names, is_merged=wanted.is_merged)
    rows, first = _rows_of(found, wanted)
    if wanted.is_merged:
        tally.add_counted(rows, np.concatenate([part.tally.counts() for part in found]))
    else:
        order = np.argsort(first[rows["session"]], kind="stable")
        tally.add_counted({name: column[order] for name, column in rows.items()}, order[:0])
        values["session"] = join_labels([part.labels["session"] for part in found])
    counts = sum((part.counts for part in found), LogCounts())
    used = sorted({number for part in found for number in part.items})
    items = known["item"].values()
    return Said(
        tally,
        values,
        [items[number] for number in used],
        replace(counts, items=len(used)),
        problems,
        first,
    )


def _rows_of(found: Sequence[Said], wanted: Wanted) -> tuple[dict[str, Numbers], Numbers]:
    """Return the rows of all parts, the sessions numbered on, and where each session begins."""
    columns: dict[str, list[Numbers]] = {name: [] for name in wanted.names}
    first: list[Numbers] = [_NOTHING]
    before = 0
    for part in found:
        for rows in part.tally.parts:
            for name, column in rows.items():
                columns[name].append(column + before if name == "session" else column)
        if not wanted.is_merged:
            first.append(part.first)
            before += part.first.size
    rows = {name: np.concatenate([_NOTHING, *some]) for name, some in columns.items()}
    return rows, np.concatenate(first)


def _problems_of(found: Sequence[Said], pieces: Sequence[Any], *, strict: bool) -> list[Problem]:
    """Return all problems as they come in the log, with their lines in their files."""
    problems = sorted((p for part in found for p in part.problems), key=lambda p: p.line)
    placed = []
    for problem in problems:
        number, row = problem.line >> _ROW_BITS, problem.line & _ROW_MASK
        piece = pieces[number]
        if isinstance(piece, FilePart):
            placed.append(replace(problem, line=piece.before + row + 1))
        else:
            message = f"{problem.message}, in partition {number}"
            placed.append(replace(problem, line=row + 1, message=message))
        if strict:
            raise fault_in(piece, number, row, problem.message)
    return placed
