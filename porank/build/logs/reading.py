"""Logs of events into sessions: strict, or with all that is wrong reported.

Idea: *texts are turned into numbers block by block, and what goes on is small.* A block of rows is
coded (labels by dictionaries, positions and times as floats), its bad rows are put aside, and the
good ones wait until all rows of their sessions are there.
"""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.build.files.problems import Problems
from porank.build.logs.checks import faulty_rows
from porank.build.logs.columns import find_columns
from porank.build.logs.counts import LogCounts, count_quirks, count_steps_back
from porank.build.logs.events import read_events
from porank.build.logs.files import is_file, source_in_file
from porank.build.logs.labels import Labels, is_missing
from porank.build.logs.sessions import LINE, Sessions, take_rows
from porank.build.logs.sources import BLOCK_ROWS, RowSource, require_named, source_in_memory
from porank.build.logs.values import read_amounts, read_times, read_whole, shown
from porank.errors import ParseError, PorankError, listed
from porank.progress import track

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from porank.build.logs.labels import Faults
    from porank.build.logs.sessions import Rows
    from porank.build.logs.sources import Block, Source
    from porank.typing import Numbers

_READERS = {"position": read_whole, "time": read_times, "dwell": read_amounts}
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
        self._log, self._columns, self._wishes = log, columns, wishes
        self._counts = LogCounts()
        self._unknown: Counter[Any] = Counter()
        self._empty: set[int] = set()
        self._is_used = np.zeros(0, dtype=bool)
        self._is_closed = np.zeros(0, dtype=bool)

    def items(self) -> list[Any]:
        """Return the items of the good rows, in the sequence in which they appear."""
        values = self.labels["item"].values()
        return [values[number] for number in np.flatnonzero(self._is_used).tolist()]

    def counts(self) -> LogCounts:
        """Return the size of the log and its quirks, when all has been read."""
        has_events = _stretched(self._is_closed, len(self.labels["session"]))
        empty = sum(not has_events[session] for session in self._empty)
        return replace(
            self._counts,
            sessions=self._counts.sessions + empty,
            items=int(np.count_nonzero(self._is_used)),
            empty_sessions=empty,
            unknown_events=self._unknown,
        )

    def sessions(self, *, progress: bool = False) -> Iterator[Sessions]:
        """Yield the log, each time as many whole sessions as are held at once."""
        source = self._open()
        if isinstance(source, RowSource) and not source.names:
            return  # no rows, no names
        with closing(source):
            roles = find_columns(
                source.names,
                self._columns,
                needed=["session", "item", *self._by, *self.needs],
                wished=[name for name in self._wishes if name not in self.needs],
            )
            wanted = list(dict.fromkeys(name for names in roles.values() for name in names))
            blocks = source.blocks(wanted, self.problems, min(BLOCK_ROWS, self._chunk_rows))
            coded = (
                self._code(block, roles) for block in track(blocks, progress=progress, label="log")
            )
            for rows in self._whole_sessions(coded, is_streamed=source.is_streamed):
                yield self._group(rows)

    def _open(self) -> Source:
        if is_file(self._log):
            source = source_in_file(self._log, self._columns)
        else:
            source = source_in_memory(self._log)
        self.problems.source = source.name
        require_named(source.names, self._columns)
        return source

    def _code(self, block: Block, roles: Mapping[str, tuple[Any, ...]]) -> Rows:
        """Return the good rows of a block as numbers, and meet the bad ones."""
        values = {role: _values_of_role(block, names) for role, names in roles.items()}
        rows: Rows = {LINE: block.lines}
        faults: Faults = []
        for role, column in values.items():
            if role in _READERS:
                rows[role], wrong = _READERS[role](column, role)
            else:
                rows[role], wrong = self.labels[role].encode(column)
            faults += wrong if role != "event" else []
        if "event" in rows:
            is_empty = self._set_aside_empty(rows)
            faults = [fault for fault in faults if not is_empty[fault[0]]]
            faults += self._levels_of_events(rows, values["event"], is_empty)
        else:
            is_empty = np.zeros(block.lines.size, dtype=bool)
        faults += self._missing_times(rows, faults)
        self._meet(faults, values, block.lines)
        is_empty[[place for place, _ in faults]] = True
        return take_rows(rows, ~is_empty) if is_empty.any() else rows

    def _set_aside_empty(self, rows: Rows) -> Any:
        """Return which rows hold a session and neither item nor event, and remember the session."""
        is_empty = (rows["event"] < 0) & (rows["item"] < 0) & (rows["session"] >= 0)
        self._empty.update(rows["session"][is_empty].tolist())
        return is_empty

    def _levels_of_events(self, rows: Rows, values: Any, is_empty: Any) -> Faults:
        """Replace the events by their levels, and return where they are unknown."""
        known = self.labels["event"].values()
        level = np.array([*(self._level.get(event, -1) for event in known), -1])
        rows["event"] = level[rows["event"]]
        unknown = np.flatnonzero((rows["event"] < 0) & ~is_empty).tolist()
        self._unknown.update(shown(values[place]) for place in unknown)
        expected = f"expected one of {listed(self._level)} as event"
        return [
            (place, f"{expected}, found {shown(values[place])}; events= names others")
            for place in unknown
        ]

    def _missing_times(self, rows: Rows, faults: Faults) -> Faults:
        """Return where a click has no time; a mere showing needs none."""
        if "time" not in rows:
            return []
        is_missing_time = np.isnan(rows["time"])
        if "event" in rows:
            is_missing_time &= (rows["event"] >= 0) & (rows["event"] < len(self.events) - 1)
        met = {place for place, _ in faults}
        places = np.flatnonzero(is_missing_time).tolist()
        return [(place, "expected a time, found none") for place in places if place not in met]

    def _meet(self, faults: Faults, values: Mapping[str, Any], lines: Numbers) -> None:
        for place, message in sorted(faults):
            text = ", ".join(f"{role} {shown(column[place])}" for role, column in values.items())
            self.problems.meet(ParseError(message), line=int(lines[place]), text=text)

    def _whole_sessions(self, blocks: Iterable[Rows], *, is_streamed: bool) -> Iterator[Rows]:
        """Yield rows such that no session is cut; of a file, about `chunk_rows` at a time."""
        held: list[Rows] = []
        count = 0
        for rows in blocks:
            held.append(rows)
            count += rows[LINE].size
            if is_streamed and count >= self._chunk_rows:
                joined = _joined(held)
                is_open = joined["session"] == joined["session"][-1]
                held = [take_rows(joined, is_open)]
                count = int(np.count_nonzero(is_open))
                if count < is_open.size:
                    yield self._close(take_rows(joined, ~is_open))
        if count:
            yield self._close(_joined(held))

    def _close(self, rows: Rows) -> Rows:
        """Return the rows without those of sessions that were thought to be over."""
        self._is_closed = _stretched(self._is_closed, len(self.labels["session"]))
        is_late = self._is_closed[rows["session"]]
        if is_late.any():
            names = self.labels["session"].values()
            for session, line in zip(
                rows["session"][is_late].tolist(), rows[LINE][is_late].tolist(), strict=True
            ):
                message = (
                    f"expected all rows of session {names[session]!r} together in a file of more "
                    f"than {self._chunk_rows:,} rows, found another one after them; sort the file "
                    "by session, or let chunk_rows= hold all of it"
                )
                self.problems.meet(ParseError(message), line=line, text="")
            rows = take_rows(rows, ~is_late)
        self._is_closed[rows["session"]] = True
        return rows

    def _group(self, rows: Rows) -> Sessions:
        """Return the sessions of some rows, checked as wholes and counted."""
        items = self.labels["item"].values()
        steps_back = count_steps_back(rows)
        sessions = Sessions(rows, items, self.events)
        faults = faulty_rows(sessions, self.labels, by=self._by, ordered="position" in self.needs)
        if faults:
            for line, text, message in faults:
                self.problems.meet(ParseError(message), line=line, text=text)
            is_bad = np.isin(sessions.rows[LINE], [line for line, *_ in faults])
            rows = take_rows(sessions.rows, ~is_bad)
            rows = take_rows(rows, np.argsort(rows[LINE]))
            steps_back = count_steps_back(rows)
            sessions = Sessions(rows, items, self.events)
        self._is_used = _stretched(self._is_used, len(items))
        self._is_used[sessions.item] = True
        self._counts += replace(count_quirks(sessions), times_out_of_order=steps_back)
        return sessions


def _values_of_role(block: Block, names: tuple[Any, ...]) -> Any:
    """Return the values of a column, or tuples of those of several."""
    if len(names) == 1:
        return block.columns[names[0]]
    columns = [list(block.columns[name]) for name in names]
    return [
        None if any(map(is_missing, values)) else values for values in zip(*columns, strict=True)
    ]


def _joined(parts: list[Rows]) -> Rows:
    """Return several tables of rows as one, and leave none of them behind."""
    if len(parts) == 1:
        return parts.pop()
    joined = {name: np.concatenate([part.pop(name) for part in parts]) for name in [*parts[0]]}
    parts.clear()
    return joined


def _stretched(flags: Any, length: int) -> Any:
    """Return the flags with as many more, all false, as the length asks for."""
    return np.concatenate([flags, np.zeros(length - flags.size, dtype=bool)])
