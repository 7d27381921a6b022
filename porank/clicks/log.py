"""A log of events, read into sessions: bad rows raise an error or are reported.

Idea: *text becomes numbers block by block, so only small arrays are kept.* Bad rows are put aside.
Then each session is checked as a whole. Quirks that are not errors are counted, with the decision.

`Wanted` is a question to a log, `Log` the log as read for it; `LogCounts`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from contextlib import closing
from copy import copy
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.clicks.sessions import (
    LINE,
    Sessions,
    cut_at_gaps,
    cut_between_sessions,
    joined_rows,
    take_rows,
)
from porank.clicks.shapes import LogShape, Shaped
from porank.core.arrays import grouped, labels_as_array
from porank.core.column_names import plain_name, require_named
from porank.core.columns import RowSource, open_source
from porank.core.files import Problems
from porank.core.labels import (
    Labels,
    TimeReader,
    is_missing,
    is_nobody,
    quoted,
    read_amounts,
    read_finite,
    read_probabilities,
    read_whole,
)
from porank.core.progress import track
from porank.core.tables import Table
from porank.errors import ParseError, PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from porank.clicks.rules import NamedRule
    from porank.clicks.sessions import Rows
    from porank.core.columns import Block, Source
    from porank.core.labels import Faults
    from porank.typing import Numbers


#: Columns whose values differ within a session, so sessions cannot be grouped by them.
_WITHIN = ("item", "event", "position", "time", "dwell", "rating", "propensity")

#: Usual names of the events of a log, used unless `events` is given.
_USUAL_EVENTS = {
    "purchase": ("purchased", "buy", "bought", "order", "ordered", "transaction"),
    "click": ("clicked", "clk", "cart", "addtocart", "fav", "favorite", "favourite"),
    "view": ("viewed", "pv", "pageview", "impression", "shown", "show", "displayed", "exposure"),
}
_USUAL_EVENTS_BY_NAME = {
    called: name for name, others in _USUAL_EVENTS.items() for called in (name, *others)
}


#: Hints for unknown events, for bad rows, and for bad positions that are not needed.
_OTHERS = "ClickLog(log, events=...), or --events, can name others"
_SKIPPED = "errors='report', or --skip-bad-rows, skips such rows"
_UNPLACED = "{}; columns={{'position': None}}, or --columns position=none, ignores positions"


class Wanted:
    """A question to a click log: the rules by which it is read, and the columns of the answer."""

    def __init__(
        self,
        rules: Mapping[str, Sequence[NamedRule]],
        names: Sequence[str],
        *,
        by: Sequence[str] = (),
        needs: Sequence[str] = (),
        wishes: Sequence[str] = (),
        cut: str | None = None,
    ) -> None:
        within = [name for name in by if name in _WITHIN]
        if within:
            raise PorankError(
                "expected columns with one value per session, such as 'user', as by, "
                f"found {listed(within)}"
            )
        every = [rule for some in rules.values() for rule in some]
        self.rules, self.names, self.by = rules, names, by
        #: The column whose values cut sessions, if the log has it.
        self.cut = cut
        self.needs = [*chain.from_iterable(rule.needs for rule in every), *needs]
        self.wishes = [*chain.from_iterable(rule.wishes for rule in every), *wishes]
        self.in_sequence = "time" in needs or any(rule.is_about_sequence for rule in every)
        self.is_merged = "session" not in names
        #: The columns whose labels get the same numbers in all pieces of a log.
        self.labelled = ["item", *(name for name in by if name != "session")]

    @property
    def key(self) -> tuple[Any, ...]:
        """What decides how a log is read; questions with the same key share a reading."""
        columns = (frozenset(names) for names in (self.needs, self.wishes, self.labelled))
        return (*columns, self.in_sequence, self.cut)

    def shape_of(
        self, names: Sequence[Any], columns: Any, events: Sequence[Any], gap: float | None
    ) -> Shaped:
        """Return the shape of a log, recognised by its columns, and find those that are needed."""
        shaped = Shaped(names, columns, events, gap=gap)
        is_cut = gap is not None
        needed = ["session", *self.labelled, *self.needs, *["time"] * is_cut]
        shaped.find([*dict.fromkeys(needed)], [name for name in self.wishes if name not in needed])
        if "dwell" in shaped.roles and not self.in_sequence and not is_cut:
            # Times would only be used to work out the dwell times, which are known.
            shaped.roles.pop("time", None)
        return shaped


class Log:
    """A click log as read for a question: good rows as numbers, bad ones put aside."""

    def __init__(
        self,
        source: Any,
        wanted: Wanted,
        *,
        columns: Any,
        events: Sequence[Any],
        gap: float | None,
        errors: str,
    ) -> None:
        self.events, self._level = _read_events(events)
        self._wanted, self._gap = wanted, gap
        self.problems = Problems(errors)
        self.read_time = TimeReader()
        wished = [name for name in wanted.wishes if name not in _WITHIN]
        labelled = ("session", *wanted.labelled, *wished, *filter(None, [wanted.cut]), "event")
        self.labels = {name: Labels(name) for name in labelled}
        self.shaped = Shaped((), {}, self.events)
        self._unknown: Counter[Any] = Counter()
        self._empty: set[int] = set()
        self._nobody = 0
        self._pieces: list[Sessions] = []
        with closing(open_source(source, columns)) as opened:
            self.problems.source = opened.name
            require_named(opened.names, columns)
            if opened.names or not isinstance(opened, RowSource):  # no rows, no names
                self.shaped = wanted.shape_of(opened.names, columns, self.events, gap)
                self._pieces = list(self._read(opened))

    def sessions(self) -> Iterator[Sessions]:
        """Yield the sessions of the log, several whole ones at a time."""
        # Copies, so results that a question caches on sessions are not kept.
        return map(copy, self._pieces)

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
        counts = sum(map(_count_quirks, self._pieces), LogCounts())
        is_untimed = self._wanted.in_sequence and "time" not in self.shaped.roles
        empty = len(self._empty)
        return replace(
            counts,
            sessions=counts.sessions + empty,
            items=self.used_items.size,
            empty_sessions=empty,
            without_user=self._nobody,
            events_without_time=counts.events * is_untimed,
            unknown_events=self._unknown,
        )

    def shape(self) -> LogShape:
        """Return how the columns of the log were read."""
        notes = [
            f"{event!r} is read as {self.events[level]!r}"
            for event in self.labels["event"].values()
            if event not in self._level and (level := self._level_of(event)) >= 0
        ]
        if self.read_time.american:
            notes.append(f"times such as {self.read_time.american!r} are read as month/day/year")
        return self.shaped.described(notes)

    def of_sessions(self, name: str, *, pick: np.ufunc = np.fmin) -> NDArray[Any]:
        """Return the value of a column for each session, -1 or nan if unknown.

        `pick` picks one of several times, by default the earliest.
        """
        known, values = [np.zeros(0, dtype=np.int64)], []
        for piece in self._pieces:
            column, first = piece.rows[name], piece.first_row[piece.starts]
            known.append(piece.session[piece.starts])
            values.append(pick.reduceat(column, first) if name == "time" else column[first])
        column = np.concatenate(values or known)
        found = np.full(len(self.labels["session"]), np.nan if column.dtype.kind == "f" else -1)
        found[np.concatenate(known)] = column
        return found

    def labels_of(self, names: Iterable[str]) -> dict[str, NDArray[Any]]:
        """Return the labels of the used items and of other columns, by number."""
        labels = {name: self.labels[name].as_array() for name in names}
        return {**labels, "item": labels_as_array(self.items())}

    def among_used(self, rows: Rows) -> Rows:
        """Return rows of pairs with the items numbered among those that are used."""
        place = np.zeros(len(self.labels["item"]), dtype=np.int64)
        place[self.used_items] = np.arange(self.used_items.size)
        return {**rows, **{side: place[rows[side]] for side in ("preferred", "other")}}

    def _read(self, source: Source) -> Iterator[Sessions]:
        """Yield the sessions of the log in pieces, after its columns have been found."""
        readers: dict[str, Callable[[Any], tuple[NDArray[Any], Faults]]] = {
            "position": partial(read_whole, name="position"),
            "time": partial(self.read_time, name="time"),
            "dwell": partial(read_amounts, name="dwell"),
            "rating": partial(read_finite, name="rating"),
            "propensity": partial(read_probabilities, name="propensity"),
            **{name: those.encode for name, those in self.labels.items()},
        }
        if self.shaped.is_made:
            readers["rating"] = lambda made: (made, [])
        blocks = track(self.shaped.blocks(source, self.problems), label="log")
        parts = [self._rows_of_block(block, readers) for block in blocks]
        if not parts:
            return
        rows = joined_rows(parts)
        self._empty -= set(rows["session"].tolist()) if self._empty else set()
        if self._gap is not None:
            rows, visits = cut_at_gaps(rows, self._gap)
            users = self.labels["session"].values()
            self.labels["session"] = Labels("session")
            self.labels["session"].encode([(users[user], number) for user, number in visits])
        if self._wanted.cut in rows:
            rows = self._cut(rows, str(self._wanted.cut))
        for piece in cut_between_sessions(rows):
            yield self._group(piece)

    def _cut(self, rows: Rows, name: str) -> Rows:
        """Return the rows of a log with sessions cut where the value of a column changes."""
        ends = np.stack([rows["session"], rows[name]])
        parts, session = np.unique(ends, axis=1, return_inverse=True)
        if parts.shape[1] == np.unique(parts[0]).size:
            return rows
        whole, values = self.labels["session"].values(), self.labels[name].values()
        self.labels["session"] = Labels("session")
        self.labels["session"].encode([(whole[number], values[value]) for number, value in parts.T])
        return {**rows, "session": session.reshape(-1)}

    def _rows_of_block(self, block: Block, readers: Mapping[str, Callable[[Any], Any]]) -> Rows:
        """Return the good rows of a block of the log as numbers, and handle the bad ones."""
        rows: Rows = {LINE: block.lines}
        wrong: dict[str, Faults] = {}
        for role, column in block.columns.items():
            rows[role], wrong[role] = readers[role](column)
        if "position" not in self._wanted.needs:
            wrong["position"] = [
                (k, _UNPLACED.format(text)) for k, text in wrong.get("position", ())
            ]
        is_left_out = np.zeros(block.lines.size, dtype=bool)
        if wrong.pop("event", []) and wrong["item"]:
            is_left_out = (rows["event"] < 0) & (rows["item"] < 0) & (rows["session"] >= 0)
            self._empty.update(rows["session"][is_left_out].tolist())
        users = block.columns.get(self.shaped.owner, ())
        nobody = [k for k, _ in wrong.get(self.shaped.owner, ()) if is_nobody(users[k])]
        is_left_out[nobody] = True
        self._nobody += np.unique(block.lines[nobody]).size
        faults = [fault for some in wrong.values() for fault in some]
        if "event" in rows:
            faults += self._levels_of_events(rows, block.columns["event"], is_left_out)
        faults += self._missing_cells(rows, faults)
        faults = [fault for fault in faults if not is_left_out[fault[0]]]
        if not faults and not is_left_out.any():
            return rows
        # A line may make several events; each of its faults is reported once.
        first = {(int(block.lines[place]), message): place for place, message in faults}
        for (line, message), place in sorted(first.items()):
            cells = (f"{role} {quoted(column[place])}" for role, column in block.columns.items())
            self.problems.meet(ParseError(message), line=line, text=", ".join(cells))
        is_left_out[[place for place, _ in faults]] = True
        return take_rows(rows, ~is_left_out)

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

    def _missing_cells(self, rows: Rows, faults: Faults) -> Faults:
        """Return the rows of clicks that lack a time or a propensity; views need neither."""
        faulty = {place for place, _ in faults}
        found: Faults = []
        for role in sorted(rows.keys() & {"time", "propensity", "rating"}):
            is_missing_here = np.isnan(rows[role])
            if "event" in rows and not (role == "time" and self._gap is not None):
                weakest = max(self._level.values())
                is_missing_here &= (rows["event"] >= 0) & (rows["event"] < weakest)
            places = np.flatnonzero(is_missing_here).tolist()
            found += [(p, f"expected a {role}, found none") for p in places if p not in faulty]
        return found

    def _group(self, rows: Rows) -> Sessions:
        """Return the sessions of some rows of the log, after checking each session as a whole."""
        items, name_of = self.labels["item"].values(), self.labels["session"].values().__getitem__
        sessions = Sessions(rows, items, self.events, name_of)
        faults = [
            fault
            for name in self._wanted.labelled[1:]
            for fault in _divided(sessions, self.labels[name])
        ]
        if "position" in self._wanted.needs:
            faults += _misplaced(sessions)
        if not faults:
            return sessions
        first = {line: (text, message) for line, text, message in faults[::-1]}
        for line, (text, message) in sorted(first.items()):
            error = ParseError(message, hint=_SKIPPED * self.problems.is_strict)
            self.problems.meet(error, line=line, text=text)
        is_bad = np.isin(sessions.rows[LINE], [*first])
        return Sessions(take_rows(sessions.rows, ~is_bad), items, self.events, name_of)


def _as_event(value: Any) -> Any:
    """Return an unknown event of a log as a value that can be counted, None if it is missing."""
    value = value.item() if isinstance(value, np.generic) else value
    if not isinstance(value, Hashable):
        return repr(value)
    return None if is_missing(value) else value


#: The line of a row, its text, and what is wrong with it.
Fault = tuple[int, str, str]

_ONE_VALUE = (
    "expected one {name} for session {session!r}, found {found}; columns={{'session': [..., ...]}} "
    "identifies sessions by several columns"
)


def _divided(sessions: Sessions, labels: Labels) -> Iterator[Fault]:
    """Yield the rows of all sessions of a log in which a column of labels has several values."""
    name = labels.name
    codes = sessions.rows[name]
    starts = sessions.first_row[sessions.starts]
    least, most = (
        np.repeat(extreme.reduceat(codes, starts), np.diff(starts, append=codes.size))
        for extreme in (np.minimum, np.maximum)
    )
    for place in np.flatnonzero(least != most).tolist():
        values = labels.values()
        session = sessions.label(sessions.rows["session"][place])
        found = f"{values[least[place]]!r} and {values[most[place]]!r}"
        yield (
            int(sessions.rows[LINE][place]),
            f"session {session!r}, {name} {values[codes[place]]!r}",
            _ONE_VALUE.format(name=name, session=session, found=found),
        )


def _misplaced(sessions: Sessions) -> Iterator[Fault]:
    """Yield the rows of a log whose item has no position, several, or that of another item."""
    position = sessions.position
    highest = sessions.of_entries(np.fmax, sessions.rows["position"])
    is_faulty = np.isnan(position) | (position < highest) | _is_shared(sessions)
    for place in np.flatnonzero(is_faulty[sessions.entry]).tolist():
        entry = sessions.entry[place]
        item = sessions.items[sessions.item[entry]]
        session = sessions.label(sessions.session[entry])
        ends = (position[entry], highest[entry])
        found = listed(dict.fromkeys(int(end) for end in ends if not np.isnan(end))) or "none"
        message = (
            f"expected one position for {item!r} in session {session!r}, and no other item at it, "
            f"found {found}"
        )
        text = f"item {item!r}, session {session!r}, position {found}"
        yield int(sessions.rows[LINE][place]), text, message


def _is_shared(sessions: Sessions) -> NDArray[np.bool_]:
    """Return which entries of a log have the same position as another entry of their session."""
    order = sessions.by_position
    session, position = sessions.session, sessions.position[order]
    same = (session[1:] == session[:-1]) & (position[1:] == position[:-1])
    is_shared = np.zeros(len(sessions), dtype=bool)
    is_shared[order[1:][same]] = True
    is_shared[order[:-1][same]] = True
    return is_shared


#: Maximum number of unknown events that a table names.
_FEW_EVENTS = 4
#: How each quirk is handled.
DECISIONS = {
    "empty_sessions": "they count as sessions but give no pairs",
    "sessions_without_click": "most rules find no pairs in them",
    "sessions_without_showing": "skipped items are unknown: rules compare only bought with clicked "
    "items, or clicks with each other (click_over_earlier_click)",
    "without_user": "rows without user, or with NA, NULL, None or nan, are left out",
    "clipped": "propensities below clip count as clip",
    "effective_support": "the effective sample size of the weighted preferences",
    "not_shown": "clicked items count as shown",
    "purchases_without_click": "a purchase counts as a click",
    "repeated_events": "the last one of an item and session counts; dwell times are added",
    "times_out_of_order": "events are sorted by time",
    "events_without_time": "there is no column of times, so rows are assumed to be in order",
    "unknown_events": "their rows are skipped and listed as problems",
}


@dataclass(frozen=True)
class LogCounts:
    """Size of a click log, and how often it has each quirk.

    Attributes
    ----------
    sessions, events, items : int
        Number of sessions, including those without events; number of rows read; number of items in
        them.
    empty_sessions : int
        Number of sessions that only have a row without item and event.
    sessions_without_click : int
        Number of sessions with events that are all views.
    sessions_without_showing : int
        Number of sessions with events but no views; a quirk only if all sessions are like this.
    not_shown : int
        Number of items that were clicked in a session with views, but have no view of their own.
    purchases_without_click : int
        Number of items with a stronger event than a click and no click, counted once for each
        session.
    repeated_events : int
        Number of rows that repeat another row with the same session, item and event.
    times_out_of_order : int
        Number of rows with an earlier time than the previous row of their session; 0 if no rule
        reads the times.
    events_without_time : int
        Number of events if a rule needs their order and the log has no column of times, otherwise
        0.
    without_user : int
        Number of rows without a user, if users are needed.
    clipped : int
        Number of preferences with a propensity below ``clip``.
    effective_support : float
        Kish's effective sample size of the weighted preferences, (sum w)**2 / (sum w**2): the
        number of equally weighted preferences with the same variance. 0 without weights.
    unknown_events : Counter
        How often each unexpected event occurs; None stands for a missing event.

    Examples
    --------
    >>> from porank.clicks.log import LogCounts
    >>> counts = LogCounts(sessions=2, events=3) + LogCounts(sessions=1, repeated_events=1)
    >>> counts.sessions, counts.repeated_events
    (3, 1)
    >>> counts.quirks()
    {'repeated_events': (1, 'the last one of an item and session counts; dwell times are added')}
    """

    sessions: int = 0
    events: int = 0
    items: int = 0
    empty_sessions: int = 0
    sessions_without_click: int = 0
    sessions_without_showing: int = 0
    not_shown: int = 0
    purchases_without_click: int = 0
    repeated_events: int = 0
    times_out_of_order: int = 0
    events_without_time: int = 0
    without_user: int = 0
    clipped: int = 0
    effective_support: float = 0.0
    unknown_events: Counter[Any] = field(default_factory=Counter, hash=False)

    def __add__(self, other: LogCounts) -> LogCounts:
        """Return the counts of two parts of a log without common sessions."""
        names = [each.name for each in fields(self)]
        return LogCounts(*(getattr(self, name) + getattr(other, name) for name in names))

    def quirks(self) -> dict[str, tuple[float, str]]:
        """Return name -> (count, decision) for each quirk that the log has."""
        counts = {name: getattr(self, name) for name in DECISIONS}
        counts["unknown_events"] = self.unknown_events.total()
        if self.sessions_without_showing < self.sessions - self.empty_sessions:
            counts["sessions_without_showing"] = 0  # some lists are known
        quirks = {name: (count, DECISIONS[name]) for name, count in counts.items() if count}
        if self.unknown_events:
            count, decision = quirks["unknown_events"]
            found = self.unknown_events.most_common()
            texts = [f"{event!r} {times:,}" for event, times in found[:_FEW_EVENTS]]
            texts += ["..."] * (len(found) > _FEW_EVENTS)
            quirks["unknown_events"] = count, f"{decision}: {', '.join(texts)}"
        return quirks

    def to_table(self) -> Table:
        """Return the counts with the decisions as a table."""
        sizes = [(name, getattr(self, name), "") for name in ("sessions", "events", "items")]
        quirks = [
            (name.replace("_", " "), count, decision)
            for name, (count, decision) in self.quirks().items()
        ]
        return Table(("what", "count", "decision"), [*sizes, *quirks])


def _count_quirks(sessions: Sessions) -> LogCounts:
    """Return the size and the quirks of some sessions of a log."""
    rows, starts = sessions.rows, sessions.starts
    counts = LogCounts(
        sessions=starts.size, events=rows[LINE].size, times_out_of_order=_count_steps_back(rows)
    )
    if "rating" in rows:
        return replace(counts, repeated_events=int(rows[LINE].size - len(sessions)))
    if "event" not in rows:
        return counts
    last, event = len(sessions.events) - 1, rows["event"]
    weakest = sessions.of_entries(np.maximum, event)
    has_views = np.logical_or.reduceat(weakest == last, starts)
    has_clicks = np.logical_or.reduceat(sessions.clicked, starts)
    was_not_shown = sessions.clicked & (weakest < last) & np.repeat(has_views, sessions.sizes)
    has_plain_click = sessions.of_entries(np.logical_or, event == last - 1)
    return replace(
        counts,
        sessions_without_click=int(np.count_nonzero(~has_clicks)),
        sessions_without_showing=int(np.count_nonzero(~has_views)),
        not_shown=int(np.count_nonzero(was_not_shown)),
        purchases_without_click=int(np.count_nonzero(sessions.clicked & ~has_plain_click)),
        repeated_events=_count_repeated(sessions),
    )


def _count_repeated(sessions: Sessions) -> int:
    """Return how many events of a log repeat another event of the same session and item."""
    event = sessions.rows["event"]
    occurs = np.zeros((len(sessions), len(sessions.events)), dtype=bool)
    occurs[sessions.entry, event] = True
    return int(event.size - np.count_nonzero(occurs))


def _count_steps_back(rows: Rows) -> int:
    """Return how many events of a log are earlier than the previous row of their session."""
    if "time" not in rows:
        return 0
    order, _ = grouped(rows["session"], rows[LINE])
    session, time = rows["session"][order], rows["time"][order]
    return int(np.count_nonzero((time[1:] < time[:-1]) & (session[1:] == session[:-1])))


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
