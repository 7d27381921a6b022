"""Pairs of a click log that lies in pieces: the same as in memory, counted by the workers of Dask.

`said_by_scattered` is what `preference_pairs` calls with ``engine="dask"``.

Idea: *a session lies in one part.* Three kinds of tasks: the first deal out the rows of a piece of
a log by their sessions; one numbers the items and groups of all pieces, as they appear; the last
read the rows of a part as a log in memory and count what it says.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.clicks.evidence import Said, Tally
from porank.clicks.log import LogCounts, values_of_role
from porank.clicks.rules import require_room
from porank.core.arguments import load
from porank.core.columns import Block
from porank.core.labels import Labels, join_labels, labels_as_array
from porank.core.workers import (
    LINE_BITS,
    Dealt,
    FilePiece,
    compute,
    connected,
    count_threads,
    deal,
    deal_safely,
    divide,
    fault_in,
    join_columns,
    parted_table,
    read_piece,
    shuffle,
)
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from porank.clicks.evidence import Wanted
    from porank.clicks.log import Log
    from porank.core.files import Problem
    from porank.typing import Numbers


_NOTHING = np.zeros(0, dtype=np.int64)

Roles = dict[str, tuple[Any, ...]]


def said_by_scattered(
    log: Any, wanted: Wanted, *, scheduler: Any = None, progress: bool | None = None
) -> Said:
    """Return what a log that lies in pieces says, counted by the workers of Dask."""
    errors = wanted.reading["errors"]
    # What is wrong with the options is said before any work begins.
    reader = wanted.log({}, errors=errors)
    table = parted_table(log, "log")
    try:
        roles = reader.roles_in(table.names)
    except PorankError as error:
        raise PorankError(f"{error}, in {table.name!r}" if table.name else str(error)) from None
    _require_events(reader, wanted)
    # By the columns of sessions, which come first, rows are dealt out.
    columns = list(
        dict.fromkeys(name for names in (roles["session"], *roles.values()) for name in names)
    )
    with connected(scheduler) as client:
        (pieces,), parts = divide([table], [columns], least=count_threads(client))
        delayed = load("dask", "scale").delayed
        dealt = [
            delayed(_deal_sessions)(piece, number, roles, columns, wanted.labelled, parts)
            for number, piece in enumerate(pieces)
        ]
        known = delayed(_number_labels)([one[1] for one in dealt], wanted.labelled)
        rows = [one[0] for one in dealt]
        said = shuffle(client, rows, parts, _count_said, known, roles, columns, wanted)
        known, *found = compute(client, [known, *said], progress=progress)
    problems = _problems_of(found, pieces, strict=errors == "raise")
    return _together(found, known, wanted, problems)._replace(shape=reader.shape())


def _require_events(log: Log, wanted: Wanted) -> None:
    """Raise an error if a log for Dask has no row for each event, or no sessions."""
    shape = "sessions by gap=" if wanted.reading.get("gap") is not None else log.shaped.name
    if shape != "events":
        raise PorankError(
            f"expected a row for each event of a session with engine='dask', found {shape}; "
            "engine='columns' reads a file of any size, some rows at a time"
        )


def _deal_sessions(
    piece: Any,
    number: int,
    roles: Roles,
    columns: Sequence[Any],
    labelled: Sequence[str],
    parts: int,
) -> tuple[list[Any], dict[str, NDArray[Any]]]:
    """Return the rows of a piece of a log dealt out to Dask by sessions, and the labels in it."""
    labels = {name: Labels(name) for name in labelled}

    def dealt() -> Iterator[Dealt]:
        """Yield the rows of each block, dealt out by their sessions."""
        for block in read_piece(piece, columns):
            for name, those in labels.items():
                those.encode(values_of_role(block, roles[name]))
            rows = block.lines + (number << LINE_BITS)
            # A row without a session may go anywhere: it is met when it is read again.
            values = [block.columns[name] for name in columns]
            yield from deal(values, list(map(str, roles["session"])), rows, parts)[0]

    found = list(deal_safely(number, dealt()))
    return found, {name: labels_as_array(those.values()) for name, those in labels.items()}


def _number_labels(
    found: Sequence[Mapping[str, NDArray[Any]]], names: Sequence[str]
) -> dict[str, Labels]:
    """Return the labels of all pieces of a log, numbered as they first appear."""
    labels = {name: Labels(name) for name in names}
    for piece in found:
        for name, values in piece.items():
            labels[name].encode(values)
    for those in labels.values():
        # Several tasks read them at the same time: nothing is left to be made up then.
        those.values()
    return labels


def _count_said(
    dealt: Sequence[Dealt],
    known: Mapping[str, Labels],
    roles: Roles,
    columns: Sequence[Any],
    wanted: Wanted,
) -> Said:
    """Return what the sessions of one part of a log say, as a task of Dask."""
    rows = np.concatenate([_NOTHING, *(one.rows for one in dealt)])
    log = {
        name: join_columns([one.columns[place] for one in dealt])
        for place, name in enumerate(columns)
    }
    reader = wanted.log(log, errors="report", labels=known)
    (tally,) = wanted.tallies_of(reader, progress=False).values()
    tally.put_together()
    problems = [replace(each, line=int(rows[each.line - 1])) for each in reader.problems.found]
    if wanted.reading["errors"] == "raise":
        problems = sorted(problems, key=lambda problem: problem.line)[:1]
    labels, first = {}, _NOTHING
    if not wanted.is_merged:
        session = reader.labels["session"]
        first = _first_rows(session, values_of_role(Block(log, rows), roles["session"]), rows)
        labels = {"session": labels_as_array(session.values())}
    used = reader.used_items().tolist()
    return Said(tally, labels, used, reader.counts(), problems, first)


def _first_rows(session: Labels, values: Any, rows: Numbers) -> Numbers:
    """Return the first row of each session of a part of a log, by its number."""
    codes, _ = session.encode(values)
    # One place more, the last, is for the number -1 of what is no session.
    first = np.full(len(session) + 1, -1, dtype=np.int64)
    # Of several values for one place the last is kept: it comes first in the log.
    first[codes[::-1]] = rows[::-1]
    return first[:-1]


def _together(
    found: Sequence[Said], known: Mapping[str, Labels], wanted: Wanted, problems: list[Problem]
) -> Said:
    """Return what all parts of a log say together, counted by the workers of Dask."""
    require_room(sum(part.tally.held() for part in found), wanted.max_pairs)
    values = {name: labels_as_array(those.values()) for name, those in known.items()}
    tally = Tally(wanted.names, is_merged=wanted.is_merged)
    before = 0
    for part in found:
        support, pairs = part.tally.counts(), part.tally.take_pairs()
        if not wanted.is_merged:
            pairs["session"] = pairs["session"] + before
            before += part.first.size
        tally.add(pairs, support)
    if not wanted.is_merged:
        first = np.concatenate([_NOTHING, *(part.first for part in found)])
        pairs = tally.take_pairs()
        order = np.argsort(first[pairs["session"]], kind="stable")
        tally.add({name: column[order] for name, column in pairs.items()})
        values["session"] = join_labels([part.labels["session"] for part in found])
    used = sorted({number for part in found for number in part.items})
    items = [known["item"].values()[number] for number in used]
    counts = replace(sum((part.counts for part in found), LogCounts()), items=len(used))
    return Said(tally, values, items, counts, problems)


def _problems_of(found: Sequence[Said], pieces: Sequence[Any], *, strict: bool) -> list[Problem]:
    """Return the problems of all parts as they come in the log, with their lines in their files."""
    problems = sorted((p for part in found for p in part.problems), key=lambda p: p.line)
    placed = []
    for problem in problems:
        number, line = divmod(problem.line, 1 << LINE_BITS)
        piece = pieces[number]
        if strict:
            raise fault_in(piece, number, line, problem.message)
        if isinstance(piece, FilePiece):
            placed.append(replace(problem, line=piece.before + line))
        else:
            message = f"{problem.message}, in partition {number}"
            placed.append(replace(problem, line=line, message=message))
    return placed
