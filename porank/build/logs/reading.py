"""Logs of events into sessions: strict, or with all that is wrong reported.

Idea: *texts are turned into numbers block by block, and what goes on is small.* A block of rows is
coded (labels by dictionaries, positions and times as floats), its bad rows are put aside, and the
good ones wait until all rows of their sessions are there.
"""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.build.logs.checks import faulty_rows
from porank.build.logs.coding import Coder
from porank.build.logs.counts import LogCounts, count_quirks, count_steps_back
from porank.build.logs.events import read_events
from porank.build.logs.pieces import held_together, in_one, pieces_of
from porank.build.logs.sessions import LINE, Sessions, take_rows
from porank.core.arrays import run_starts
from porank.core.columns import (
    BLOCK_ROWS,
    RowSource,
    find_columns,
    is_file,
    require_named,
    source_in_file,
    source_in_memory,
)
from porank.core.files import Problems
from porank.core.labels import Labels
from porank.core.progress import track
from porank.core.workers import DealtSource
from porank.errors import ParseError, PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from porank.build.logs.sessions import Rows
    from porank.core.columns import Source
    from porank.typing import Numbers

#: Columns that differ within a session, by which there is no grouping sessions.
_WITHIN = ("item", "event", "position", "time", "dwell")


class Log:
    """A log that is read once, some whole sessions at a time.

    Parameters
    ----------
    log : object
        Columns, rows, or a file.
    needs, wishes : iterable of str
        Columns to be read, besides session and item: without fail, and if they are there.
    by : sequence of str
        Columns that have one value in each session, for the groups of sessions.
    columns : mapping
        What a column is called in the log.
    events : sequence
        The events, strongest first; a tuple among them holds events of one strength.
    errors : {"raise", "report"}
        What becomes of rows that are wrong.
    chunk_rows : int
        How many rows of a file are held at a time.
    in_sequence : bool
        Whether it matters in which sequence things happened, so that a log without times is odd.
    labels : mapping
        Labels that are known beforehand, with their numbers.

    Attributes
    ----------
    labels : dict
        The labels of ``session``, of ``item`` and of each name in `by`.
    problems : Problems
        What is wrong, when all has been read.

    Examples
    --------
    >>> log = Log({"session": [1, 1, 2], "item": ["a", "b", ""], "event": ["click", "view", "?"]},
    ...           needs=["event"], errors="report")
    >>> [sessions.level.tolist() for sessions in log.sessions()]
    [[1, 2]]
    >>> for problem in log.problems.found:
    ...     print(problem)
    line 3: expected an item, found ''
    line 3: expected one of 'purchase', 'click', 'view' as event, found '?'; events= names others
    >>> log.counts().sessions, log.items()
    (1, ['a', 'b'])
    """

    def __init__(
        self,
        log: Any,
        *,
        needs: Iterable[str] = (),
        wishes: Iterable[str] = (),
        by: Sequence[str] = (),
        columns: Mapping[str, Any] | None = None,
        events: Sequence[Any] = ("purchase", "click", "view"),
        errors: str = "raise",
        chunk_rows: int = 4_000_000,
        in_sequence: bool = False,
        labels: Mapping[str, Labels] | None = None,
    ) -> None:
        columns = {} if columns is None else columns
        self.events, self._level = read_events(events)
        within = [name for name in by if name in _WITHIN]
        if within:
            raise PorankError(
                f"expected columns of sessions, such as 'user', as by, found {listed(within)}"
            )
        self.problems = Problems(errors)
        self.needs = tuple(dict.fromkeys(needs))
        self._by = [name for name in by if name != "session"]
        self._chunk_rows = chunk_rows
        self.labels = {name: Labels(name) for name in ("session", "item", *self._by, "event")}
        self.labels |= labels or {}
        self._log, self._columns, self._wishes = log, columns, tuple(wishes)
        self._counts = LogCounts()
        self._in_sequence = in_sequence
        self._is_untimed = False
        self._coder: Coder | None = None
        self._is_used = np.zeros(0, dtype=bool)
        self._is_closed = np.zeros(0, dtype=bool)

    def items(self) -> list[Any]:
        """Return the items of the good rows, in the sequence in which they appear."""
        values = self.labels["item"].values()
        return [values[number] for number in self.used_items().tolist()]

    def used_items(self) -> Numbers:
        """Return the numbers of the items of the good rows."""
        return np.flatnonzero(self._is_used)

    def counts(self) -> LogCounts:
        """Return the size of the log and its quirks, when all has been read."""
        if self._coder is None:
            return self._counts
        has_events = _stretched(self._is_closed, len(self.labels["session"]))
        empty = sum(not has_events[session] for session in self._coder.empty)
        return replace(
            self._counts,
            sessions=self._counts.sessions + empty,
            items=int(np.count_nonzero(self._is_used)),
            empty_sessions=empty,
            events_without_time=self._counts.events * self._is_untimed,
            unknown_events=self._coder.unknown,
        )

    def sessions(self, *, in_pieces: bool = False, progress: bool = False) -> Iterator[Sessions]:
        """Yield the log, as many whole sessions at once as are held, or in smaller pieces."""
        source = self._open()
        if isinstance(source, RowSource) and not source.names:
            return  # no rows, no names
        with closing(source):
            roles = self.roles_in(source.names)
            self._is_untimed = self._in_sequence and "time" not in roles
            self._coder = Coder(roles, self.labels, self._level, self.problems)
            wanted = list(dict.fromkeys(name for names in roles.values() for name in names))
            has_pieces = in_pieces and source.cuts_between(roles["session"])
            blocks = source.blocks(wanted, self.problems, min(BLOCK_ROWS, self._chunk_rows))
            coded = map(self._coder.rows_of, track(blocks, progress=progress, label="log"))
            if has_pieces:
                pieces: Iterable[Rows] = (rows for rows in coded if rows[LINE].size)
            else:
                most = self._chunk_rows if source.is_streamed else sys.maxsize
                cut = pieces_of if in_pieces else in_one
                pieces = chain.from_iterable(map(cut, held_together(coded, most)))
            for rows in pieces:
                yield self._group(self._close(rows))

    def roles_in(self, names: Sequence[Any]) -> dict[str, tuple[Any, ...]]:
        """Return which of some columns are read, by what they stand for."""
        roles = find_columns(
            names,
            self._columns,
            needed=["session", "item", *self._by, *self.needs],
            wished=[name for name in self._wishes if name not in self.needs],
        )
        if "dwell" in roles and not self._in_sequence:
            # Times would only tell how long the items were looked at, which is known.
            roles.pop("time", None)
        return roles

    def _open(self) -> Source:
        if isinstance(self._log, DealtSource):
            return self._log
        if is_file(self._log):
            source = source_in_file(self._log, self._columns)
        else:
            source = source_in_memory(self._log)
        self.problems.source = source.name
        require_named(source.names, self._columns)
        return source

    def _close(self, rows: Rows) -> Rows:
        """Return the rows without those of sessions that were thought to be over."""
        self._is_closed = _stretched(self._is_closed, len(self.labels["session"]))
        session = rows["session"]
        each = session[run_starts(session)]
        if self._is_closed[each].any():
            is_late = self._is_closed[session]
            names = self.labels["session"].values()
            for late, line in zip(
                session[is_late].tolist(), rows[LINE][is_late].tolist(), strict=True
            ):
                message = (
                    f"expected all rows of session {names[late]!r} together in a file of more "
                    f"than {self._chunk_rows:,} rows, found another one after them; sort the file "
                    "by session, or let chunk_rows= hold all of it"
                )
                self.problems.meet(ParseError(message), line=line, text="")
            rows = take_rows(rows, ~is_late)
        self._is_closed[each] = True
        return rows

    def _group(self, rows: Rows) -> Sessions:
        """Return the sessions of some rows, checked as wholes and counted."""
        items, names = self.labels["item"].values(), self.labels["session"].values
        steps_back = count_steps_back(rows)
        sessions = Sessions(rows, items, self.events, names)
        faults = faulty_rows(sessions, self.labels, by=self._by, ordered="position" in self.needs)
        if faults:
            for line, text, message in faults:
                self.problems.meet(ParseError(message), line=line, text=text)
            is_bad = np.isin(sessions.rows[LINE], [line for line, *_ in faults])
            rows = take_rows(sessions.rows, ~is_bad)
            rows = take_rows(rows, np.argsort(rows[LINE]))
            steps_back = count_steps_back(rows)
            sessions = Sessions(rows, items, self.events, names)
        self._is_used = _stretched(self._is_used, len(items))
        if not self._is_used.all():
            self._is_used[sessions.item] = True
        self._counts += count_quirks(sessions)
        if steps_back:
            self._counts += LogCounts(times_out_of_order=steps_back)
        return sessions


def _stretched(flags: Any, length: int) -> Any:
    """Return the flags with as many more, all false, as the length asks for."""
    if flags.size == length:
        return flags
    return np.concatenate([flags, np.zeros(length - flags.size, dtype=bool)])
