"""A log of events, read once into sessions: bad rows raise an error or are reported.

Idea: *every known column becomes numbers, block by block; a question uses the columns it needs.* A
bad cell of a column that a question does not need is missing, and counted. If the question needs
it, its row is bad, too. Then each list is checked as a whole.

`Log` is the log as read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from contextlib import closing
from copy import copy
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.clicks.log_formats import LogFormat, LogReader
from porank.clicks.quirks import (
    LogCounts,
    count_busy_users,
    count_fixed,
    count_odd_times,
    count_quirks,
)
from porank.clicks.sessions import (
    LINE,
    Sessions,
    cut_at_gaps,
    cut_at_users,
    cut_between_sessions,
    cut_into_lists,
    joined_rows,
    take_rows,
)
from porank.core.arrays import labels_as_array, places_among
from porank.core.column_names import require_named
from porank.core.columns import RowSource, is_missing, open_source
from porank.core.csv_cells import plain_name
from porank.core.files import Problems
from porank.core.labels import (
    Labels,
    TimeReader,
    is_nobody,
    labels_alike,
    read_amounts,
    read_finite,
    read_whole,
)
from porank.core.progress import track
from porank.errors import ParseError, PorankError, listed, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from porank.clicks.sessions import Rows
    from porank.core.columns import Block, Source
    from porank.core.files import Problem
    from porank.core.labels import Faults
    from porank.typing import Numbers


#: The line of a row, its text, and what is wrong with it.
Fault = tuple[int, str, str]
#: Columns whose values differ within a list, so lists cannot be grouped by them.
WITHIN = ("item", "event", "position", "time", "dwell", "rating")
#: Columns without which a row is bad, whatever the question.
_ALWAYS = ("session", "item", "event", "rating")
#: A user 0 with more than so many times the rows of any other user stands for nobody.
_TOO_OFTEN = 5

#: Usual names of the events of a log, used unless `events` is given.
_USUAL_EVENTS = {
    "purchase": ("purchased", "buy", "bought", "order", "ordered", "transaction"),
    "click": ("clicked", "clk", "cart", "addtocart", "fav", "favorite", "favourite"),
    "view": ("viewed", "pv", "pageview", "impression", "shown", "show", "displayed", "exposure"),
}
_USUAL_EVENTS_BY_NAME = {
    called: name for name, others in _USUAL_EVENTS.items() for called in (name, *others)
}


#: Hints for unknown events, for bad rows, and for bad positions and times.
_OTHERS = "ClickLog(log, events=...), or --events, can name others"
_SKIPPED = "ClickLog(log, errors='report'), or --skip-bad-rows of mine and explore, skips bad rows"
_IGNORED = "; columns={{{0!r}: None}}, or --columns {0}=none, ignores the column"


class Asked(NamedTuple):
    """The sessions of a log for a question, in pieces, and the rows that are bad for it."""

    pieces: list[Sessions]
    problems: tuple[Problem, ...]

    def sessions(self) -> Iterator[Sessions]:
        """Yield the sessions, several whole ones at a time."""
        return map(copy, self.pieces)


class Log:
    """A click log as read: good rows as numbers, bad ones put aside.

    Attributes
    ----------
    problems : Problems
        The rows that are bad for any question.
    labels : dict
        Column -> the labels of its numbers.
    reader : LogReader
        How the columns were found and read.
    read_time : TimeReader
        How times were read.
    extra, cut
        The columns that were read beside the known ones, and the one that cuts sessions into lists.
    """

    def __init__(
        self,
        source: Any,
        *,
        columns: Any,
        events: Sequence[Any],
        gap: float | None,
        errors: str,
        needs: Sequence[str] = (),
        extra: Sequence[str] = (),
        cut: str | None = None,
    ) -> None:
        self.events, self._level = _read_events(events)
        self.extra, self.cut, self._gap = (*extra,), cut, gap
        self.problems = Problems(errors, hint=_SKIPPED)
        self.read_time = TimeReader()
        labelled = dict.fromkeys(["session", "item", "user", "query", "list", *extra, "event"])
        self.labels = {name: Labels(name) for name in labelled}
        self.reader = LogReader((), {}, self.events)
        #: Role -> the bad cells.
        self._faults: dict[str, list[Fault]] = {}
        self._unknown: Counter[Any] = Counter()
        self._empty: set[int] = set()
        self._nobody, self._are_shared = 0, False
        self._pieces: list[Sessions] = []
        self._asked: dict[Any, Asked] = {}
        with closing(open_source(source, columns)) as opened:
            self.problems.source = opened.name
            require_named(opened.names, columns)
            if opened.names or not isinstance(opened, RowSource):  # no rows, no names
                self.reader = LogReader(opened.names, columns, self.events, gap=gap)
                self.reader.find(needs, extra)
                self._pieces = list(self._read(opened))

    def has(self, role: str) -> bool:
        """Return whether the log has a column for a role, or one was made."""
        return any(role in piece.rows for piece in self._pieces)

    def sessions(self) -> Iterator[Sessions]:
        """Yield all sessions of the log, several whole ones at a time."""
        # Copies, so results that a question caches on sessions are not kept.
        return map(copy, self._pieces)

    def asked(
        self,
        needs: Sequence[str] = (),
        wishes: Sequence[str] = (),
        by: Sequence[str] = (),
        uses: Sequence[str] = (),
    ) -> Asked:
        """Return the sessions of the log for a question, and the rows that are bad for it.

        Rows are bad if a cell that the question needs, wishes for, or uses if it is there, cannot
        be read; or if the columns in `by` have no value, or several values in one list.
        """
        if self._pieces:
            self.reader.require(needs, (*wishes, *uses))
        asked = dict.fromkeys((*needs, *wishes, *uses))
        read = [role for role in asked if role in self.reader.roles]
        used = tuple(role for role in read if role in needs or role in wishes)
        key = (used, "position" in needs, tuple(by)), tuple(read)
        if key not in self._asked:
            problems = copy(self.problems)
            problems.found = [*self.problems.found]
            faults = [fault for role in read for fault in self._faults.get(role, ())]
            _report(faults, problems)
            bad = [line for line, *_ in faults]
            pieces = [self._good_rows(each, bad, key[0], problems) for each in self._pieces]
            self._asked[key] = Asked([each for each in pieces if len(each)], problems.by_line())
        return self._asked[key]

    def _good_rows(
        self,
        piece: Sessions,
        bad: Sequence[int],
        key: tuple[tuple[str, ...], bool, tuple[str, ...]],
        problems: Problems,
    ) -> Sessions:
        """Return the sessions of a piece of the log without the rows that a question finds bad."""
        used, is_placed, by = key
        lines = piece.rows[LINE]
        is_left_out = np.isin(lines, bad) if bad else np.zeros(lines.size, dtype=bool)
        for name in by:
            is_left_out |= piece.rows[name] < 0 if name in piece.rows else False
        if is_left_out.any():
            piece = self._without(piece, is_left_out)
        faults = [fault for name in by for fault in _divided(piece, self.labels[name])]
        faults += _untimed(piece) if "time" in used else []
        faults += _misplaced(piece) if is_placed else []
        if not faults:
            return piece
        _report(faults, problems)
        return self._without(piece, np.isin(piece.rows[LINE], [line for line, *_ in faults]))

    def _without(self, piece: Sessions, is_left_out: NDArray[np.bool_]) -> Sessions:
        """Return a piece of the log without some of its rows."""
        rows = take_rows(piece.rows, ~is_left_out)
        return Sessions(rows, piece.items, self.events, piece.name_of)

    @cached_property
    def used_items(self) -> Numbers:
        """The numbers of the items in good rows of the log."""
        is_used = np.zeros(len(self.labels["item"]), dtype=bool)
        for sessions in self._pieces:
            is_used[sessions.item] = True
        return np.flatnonzero(is_used)

    def items(self) -> list[Any]:
        """Return the items in good rows of the log, in order of appearance."""
        values = self.labels["item"].values()
        return [values[number] for number in self.used_items.tolist()]

    @cached_property
    def counts(self) -> LogCounts:
        """Size of the log, and how often it has each quirk."""
        counts = sum(map(count_quirks, self._pieces), LogCounts())
        labels = [self.labels[name].values() for name in ("item", "user", "query")]
        users = self.of_sessions("user")
        return replace(
            counts,
            sessions=counts.sessions + len(self._empty),
            items=self.used_items.size,
            empty_sessions=len(self._empty),
            busy_users=count_busy_users(users),
            users=np.unique(users[users >= 0]).size,
            never_moved=count_fixed(self._pieces, len(self.labels["item"])),
            odd_times=count_odd_times(self._pieces, are_dates=self.read_time.are_dates),
            labels_alike=sum(map(labels_alike, labels), Counter()),
            without_user=self._nobody,
            unknown_events=self._unknown,
            unreadable=Counter({role: len(faults) for role, faults in self._faults.items()}),
        )

    def format(self) -> LogFormat:
        """Return how the columns of the log were read."""
        notes = [
            f"{quoted(event)} is read as {quoted(self.events[level])}"
            for event in self.labels["event"].values()
            if event not in self._level and (level := self._level_of(event)) >= 0
        ]
        if self.read_time.american:
            notes.append(f"times such as {self.read_time.american!r} are read as month/day/year")
        if (many := self.read_time.per_second) > 1:
            notes.append(f"times are read as 1/{many:,} seconds since 1970")
        labels = chain.from_iterable(those.values() for those in self.labels.values())
        broken = (label for label in labels if type(label) is str and label.splitlines()[1:])
        if label := next(broken, ""):
            notes.append(f"{label!r:.60} has the end of a line, perhaps because of a stray quote")
        if self._are_shared:
            notes.append("users share names of sessions, so each is named by session and user")
        return self.reader.described(notes)

    @property
    def are_battles(self) -> bool:
        """Whether the log consists of battles of two items."""
        return self.reader.name in ("battles", "choices")

    def of_sessions(self, name: str, *, pick: np.ufunc = np.fmin) -> NDArray[Any]:
        """Return the value of a column for each session, -1 or nan if unknown.

        `pick` picks one of several times, by default the earliest.
        """
        count = len(self.labels["session"])
        found: NDArray[Any] = np.full(count, np.nan) if name == "time" else np.full(count, -1)
        for piece in self._pieces:
            session = piece.rows["session"]
            if name == "time" and "time" in piece.rows:
                pick.at(found, session, piece.rows["time"])
            elif name in piece.rows:
                found[session] = np.maximum(found[session], piece.rows[name])
        return found

    def labels_of(self, names: Iterable[str]) -> dict[str, NDArray[Any]]:
        """Return the labels of the used items and of other columns, by number."""
        labels = {name: self.labels[name].as_array() for name in names}
        return {**labels, "item": labels_as_array(self.items())}

    def among_used(self, rows: Rows) -> Rows:
        """Return rows of pairs with the items numbered among those that are used."""
        place = places_among(self.used_items, len(self.labels["item"]))
        return {**rows, **{side: place[rows[side]] for side in ("preferred", "other")}}

    def _read(self, source: Source) -> Iterator[Sessions]:
        """Yield the sessions of the log in pieces, after its columns have been found."""
        readers: dict[str, Callable[[Any], tuple[NDArray[Any], Faults]]] = {
            "position": partial(read_whole, name="position"),
            "time": partial(self.read_time, name="time"),
            "dwell": partial(read_amounts, name="dwell"),
            "rating": partial(read_finite, name="rating"),
            **{name: those.encode for name, those in self.labels.items()},
        }
        if self.reader.is_made:
            readers["rating"] = lambda made: (made, [])
        blocks = track(self.reader.blocks(source, self.problems), label="log")
        parts = [self._rows_of_block(block, readers) for block in blocks]
        if not parts:
            return
        rows = joined_rows(parts)
        self._empty -= set(rows["session"].tolist()) if self._empty else set()
        if "time" in rows:
            rows["time"] = self.read_time.in_seconds(rows["time"], self._gap)
        if self._gap is not None:
            rows, visits = cut_at_gaps(rows, self._gap)
            rows["user"] = np.array([user for user, _ in visits], dtype=np.int64)[rows["session"]]
            users = self.labels["user"] = self.labels["session"]
            self._name_sessions((users.values()[user], number) for user, number in visits)
        if "user" in rows:
            self._forget_zero(rows)
            rows, apart = cut_at_users(rows)
            self._are_shared = bool(apart)
            shared, whose = self.labels["session"].values(), [*self.labels["user"].values(), None]
            if apart:
                self._name_sessions((shared[session], whose[user]) for session, user in apart)
        parting = dict.fromkeys(["list", "query", *filter(None, [self.cut])])
        rows = cut_into_lists(rows, [name for name in parting if name in rows])
        items, name_of = self.labels["item"].values(), self.labels["session"].values().__getitem__
        for piece in cut_between_sessions(rows):
            yield Sessions(piece, items, self.events, name_of)

    def _name_sessions(self, names: Iterable[tuple[Any, Any]]) -> None:
        """Name the sessions, which have been numbered anew."""
        self.labels["session"] = Labels("session")
        self.labels["session"].encode([*names])

    def _forget_zero(self, rows: Rows) -> None:
        """Take user 0 out of rows if it stands for nobody.

        It does if there is no user 1, so users are not simply numbered from 0; or if it has more
        rows than any other user, by a factor of five.
        """
        zero, one = map(self.labels["user"].number_of, (0, 1))
        is_zero = (rows["user"] == zero) & (zero >= 0)
        others = np.bincount(rows["user"][~is_zero & (rows["user"] >= 0)])
        if one < 0 or np.count_nonzero(is_zero) > _TOO_OFTEN * others.max(initial=0):
            rows["user"][is_zero] = -1
            self._nobody += np.unique(rows[LINE][is_zero]).size

    def _rows_of_block(self, block: Block, readers: Mapping[str, Callable[[Any], Any]]) -> Rows:
        """Return the good rows of a block of the log as numbers, and handle the bad ones."""
        rows: Rows = {LINE: block.lines}
        wrong: dict[str, Faults] = {}
        for role, column in block.columns.items():
            rows[role], wrong[role] = readers[role](column)
        is_left_out = np.zeros(block.lines.size, dtype=bool)
        if wrong.get("event") and wrong["item"]:
            is_left_out = (rows["event"] < 0) & (rows["item"] < 0) & (rows["session"] >= 0)
            self._empty.update(rows["session"][is_left_out].tolist())
        wrong.pop("event", None)
        owner = self.reader.owner
        nobody = [k for k, _ in wrong.get(owner, ()) if is_nobody(block.columns[owner][k])]
        self._nobody += np.unique(block.lines[nobody]).size
        if owner == "session":
            is_left_out[nobody] = True
        else:
            passed = {*nobody}
            wrong |= {owner: [fault for fault in wrong.get(owner, ()) if fault[0] not in passed]}
        faults = [fault for role in _ALWAYS for fault in wrong.get(role, ())]
        if "event" in rows:
            faults += self._levels_of_events(rows, block.columns["event"], is_left_out)
        if "rating" in rows:
            unrated = np.flatnonzero(np.isnan(rows["rating"])).tolist()
            faulty = {k for k, _ in faults}
            faults += [(k, "expected a rating, found none") for k in unrated if k not in faulty]
        if self._gap is not None:
            faults += wrong.pop("time", [])
            known = {k for k, _ in faults}
            untimed = np.flatnonzero(np.isnan(rows["time"])).tolist()
            faults += [(k, "expected a time, found none") for k in untimed if k not in known]
        self._keep_faults(block, wrong, is_left_out)
        faults = [fault for fault in faults if not is_left_out[fault[0]]]
        if not faults and not is_left_out.any():
            return rows
        # A line may make several events; each of its faults is reported once.
        first = {(int(block.lines[place]), message): place for place, message in faults[::-1]}
        for (line, message), place in sorted(first.items()):
            self.problems.meet(ParseError(message), line=line, text=_text_of(block, place))
        is_left_out[[place for place, _ in faults]] = True
        return take_rows(rows, ~is_left_out)

    def _keep_faults(
        self, block: Block, wrong: Mapping[str, Faults], is_left_out: NDArray[np.bool_]
    ) -> None:
        """Keep the bad cells of columns that not every question needs."""
        for role in wrong.keys() - {*_ALWAYS}:
            way_out = _IGNORED.format(role) if role in ("position", "time") else ""
            first = {
                int(block.lines[k]): (_text_of(block, k), message + way_out)
                for k, message in wrong[role][::-1]
                if not is_left_out[k]
            }
            found = [(line, *fault) for line, fault in sorted(first.items())]
            if found:
                self._faults.setdefault(role, []).extend(found)

    def _levels_of_events(self, rows: Rows, values: Any, is_empty: NDArray[np.bool_]) -> Faults:
        """Replace the events of rows by their levels, and return the rows with unknown events."""
        known = self.labels["event"].values()
        level = np.array([*map(self._level_of, known), -1])
        rows["event"] = level.take(rows["event"])
        unknown = np.flatnonzero((rows["event"] < 0) & ~is_empty).tolist()
        self._unknown.update(_as_event(values[place]) for place in unknown)
        expected = f"expected one of {listed(self._level)} as event"
        return [
            (place, f"{expected}, found {quoted(values[place])}; {_OTHERS}") for place in unknown
        ]

    def _level_of(self, event: Any) -> int:
        """Return the level of an event, -1 if it is unknown; usual names count with the default."""
        is_usual = (*self._level,) == (*_USUAL_EVENTS,)
        name = _USUAL_EVENTS_BY_NAME.get(plain_name(event), event) if is_usual else event
        return self._level.get(event, self._level.get(name, -1))


def _text_of(block: Block, place: int) -> str:
    """Return the cells of a row of the log as a text."""
    return ", ".join(f"{role} {quoted(column[place])}" for role, column in block.columns.items())


def _report(faults: Sequence[Fault], problems: Problems) -> None:
    """Report the first fault of each row of the log, by line."""
    first = {line: (text, message) for line, text, message in faults[::-1]}
    for line, (text, message) in sorted(first.items()):
        problems.meet(ParseError(message), line=line, text=text)


def _as_event(value: Any) -> Any:
    """Return an unknown event of a log as a value that can be counted, None if it is missing."""
    value = value.item() if isinstance(value, np.generic) else value
    if not isinstance(value, Hashable):
        return repr(value)
    return None if is_missing(value) else value


_ONE_VALUE = (
    "expected one {name} for session {session}, found {found}; columns={{'session': [..., ...]}} "
    "identifies sessions by several columns"
)


def _divided(sessions: Sessions, labels: Labels) -> Iterator[Fault]:
    """Yield the rows of all lists of a log in which a column of labels has several values."""
    name = labels.name
    codes = sessions.rows.get(name, sessions.rows["session"])
    starts = sessions.first_row[sessions.starts]
    least, most = (
        np.repeat(extreme.reduceat(codes, starts), np.diff(starts, append=codes.size))
        for extreme in (np.minimum, np.maximum)
    )
    for place in np.flatnonzero(least != most).tolist():
        values = labels.values()
        session = sessions.label(sessions.entry[place])
        found = f"{quoted(values[least[place]])} and {quoted(values[most[place]])}"
        yield (
            int(sessions.rows[LINE][place]),
            f"session {quoted(session)}, {name} {quoted(values[codes[place]])}",
            _ONE_VALUE.format(name=name, session=quoted(session), found=found),
        )


def _untimed(sessions: Sessions) -> Iterator[Fault]:
    """Yield the rows of clicks without a time; views need none."""
    if "time" not in sessions.rows:
        return
    is_missing_here = np.isnan(sessions.rows["time"]) & ~sessions.is_view_only
    for place in np.flatnonzero(is_missing_here).tolist():
        entry = int(sessions.entry[place])
        item = sessions.items[sessions.item[entry]]
        text = f"session {quoted(sessions.label(entry))}, item {quoted(item)}"
        yield int(sessions.rows[LINE][place]), text, "expected a time, found none"


def _misplaced(sessions: Sessions) -> Iterator[Fault]:
    """Yield the rows of a log whose item has no position, several, or that of another item."""
    position = sessions.position
    highest = sessions.of_entries(np.fmax, sessions.rows["position"])
    is_faulty = np.isnan(position) | (position < highest) | _is_shared(sessions)
    for place in np.flatnonzero(is_faulty[sessions.entry]).tolist():
        entry = sessions.entry[place]
        item = sessions.items[sessions.item[entry]]
        session = sessions.label(entry)
        ends = (position[entry], highest[entry])
        found = listed(dict.fromkeys(int(end) for end in ends if not np.isnan(end))) or "none"
        message = (
            f"expected one position for {quoted(item)} in session {quoted(session)}, and no other "
            f"item at it, found {found}"
        )
        text = f"item {quoted(item)}, session {quoted(session)}, position {found}"
        yield int(sessions.rows[LINE][place]), text, message


def _is_shared(sessions: Sessions) -> NDArray[np.bool_]:
    """Return which entries of a log have the same position as another entry of their list."""
    order = sessions.by_position
    number, position = sessions.list, sessions.position[order]
    same = (number[1:] == number[:-1]) & (position[1:] == position[:-1])
    is_shared = np.zeros(len(sessions), dtype=bool)
    is_shared[order[1:][same]] = True
    is_shared[order[:-1][same]] = True
    return is_shared


def _read_events(events: Any) -> tuple[list[Any], dict[Any, int]]:
    """Return a name for each level of events of a click log, and the level of each event."""
    if isinstance(events, (str, bytes, Mapping)) or not isinstance(events, Sequence):
        raise PorankError(
            f"expected a sequence of events, strongest first, found events={events!r}"
        )
    groups = [event if isinstance(event, (tuple, list)) else [event] for event in events]
    level: dict[Any, int] = {}
    for number, group in enumerate(groups):
        for name in group:
            if not isinstance(name, Hashable) or name in level:
                raise PorankError(f"expected each event once in events, found {name!r} twice")
            level[name] = number
    if len(events) < 2 or len(set(level.values())) < len(events):
        raise PorankError(
            f"expected at least two levels of events, none of them empty, found events={events!r}"
        )
    return [group[0] for group in groups], level
