"""What is odd in a log and yet no error: counted, with the decision taken."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.build.logs.sessions import LINE
from porank.core.tables import Table

if TYPE_CHECKING:
    from porank.build.logs.sessions import Rows, Sessions

#: So many unknown events are named in a table.
_FEW_EVENTS = 4
#: What is done about each quirk.
DECISIONS = {
    "empty_sessions": "they count as sessions and say nothing",
    "sessions_without_click": "what they say depends on the rule; most say nothing",
    "not_shown": "who clicks has seen: they count as clicked",
    "purchases_without_click": "a purchase counts as a click",
    "repeated_events": "the last of an item and session counts; dwell adds them up",
    "times_out_of_order": "events are taken in the order of their times",
    "events_without_time": "without a column of times, rows are taken to be in order of time",
    "unknown_events": "their rows are among the problems, and say nothing",
}


@dataclass(frozen=True)
class LogCounts:
    """The size of a log, and its quirks.

    Attributes
    ----------
    sessions, events, items : int
        Sessions, those without any event included; rows that were read; items in them.
    empty_sessions : int
        Sessions of which there is only a row without item and event.
    sessions_without_click : int
        Sessions with events, all of which only say that an item was shown.
    not_shown : int
        Items clicked in a session that does tell what it showed, though not them.
    purchases_without_click : int
        Items with a stronger event than a click and no click, once for each session.
    repeated_events : int
        Rows that say again what another row says of the same item and session.
    times_out_of_order : int
        Rows whose time lies before that of the row before them in the session; 0 if no rule reads
        the times, which cost as much to read as all the rest of a file.
    events_without_time : int
        All events, if a rule asks for their sequence and the log has no column of times; else 0.
    unknown_events : Counter
        How often each event occurs that is none of those expected; no event at all is None.

    Examples
    --------
    >>> counts = LogCounts(sessions=2, events=3) + LogCounts(sessions=1, repeated_events=1)
    >>> counts.sessions, counts.repeated_events
    (3, 1)
    >>> counts.quirks()
    {'repeated_events': (1, 'the last of an item and session counts; dwell adds them up')}
    """

    sessions: int = 0
    events: int = 0
    items: int = 0
    empty_sessions: int = 0
    sessions_without_click: int = 0
    not_shown: int = 0
    purchases_without_click: int = 0
    repeated_events: int = 0
    times_out_of_order: int = 0
    events_without_time: int = 0
    unknown_events: Counter[Any] = field(default_factory=Counter, hash=False)

    def __add__(self, other: LogCounts) -> LogCounts:
        """Return the counts of two parts of a log that share no session."""
        sums = {
            each.name: getattr(self, each.name) + getattr(other, each.name) for each in fields(self)
        }
        return LogCounts(**sums)

    def quirks(self) -> dict[str, tuple[int, str]]:
        """Return name -> (how often, what was decided) of each quirk that the log has."""
        found = {name: getattr(self, name) for name in DECISIONS}
        numbers = {
            name: count.total() if isinstance(count, Counter) else count
            for name, count in found.items()
        }
        quirks = {name: (count, DECISIONS[name]) for name, count in numbers.items() if count}
        if self.unknown_events:
            count, decision = quirks["unknown_events"]
            quirks["unknown_events"] = count, f"{decision}: {self._most_frequent()}"
        return quirks

    def _most_frequent(self) -> str:
        """Return the unknown events that occur most often, with their numbers."""
        found = self.unknown_events.most_common()
        shown = [f"{event!r} {count:,}" for event, count in found[:_FEW_EVENTS]]
        return ", ".join(shown) + (", ..." if len(found) > _FEW_EVENTS else "")

    def to_table(self) -> Table:
        """Return the counts with the decisions, as a table for people."""
        sizes = [(name, getattr(self, name), "") for name in ("sessions", "events", "items")]
        quirks = [
            (name.replace("_", " "), count, decision)
            for name, (count, decision) in self.quirks().items()
        ]
        return Table(("what", "count", "decision"), [*sizes, *quirks])


def count_quirks(sessions: Sessions) -> LogCounts:
    """Return the counts of some sessions.

    Items, empty sessions, unknown events and the sequence of rows are not to be seen here.

    Examples
    --------
    >>> from porank.build.logs.sessions import Sessions
    >>> rows = {"session": [0, 0, 0], "item": [0, 1, 1], LINE: [1, 2, 3], "event": [2, 0, 0]}
    >>> rows = {name: np.array(column) for name, column in rows.items()}
    >>> counts = count_quirks(Sessions(rows, "ab", ["purchase", "click", "view"]))
    >>> counts.not_shown, counts.purchases_without_click, counts.repeated_events
    (1, 1, 1)

    Notes
    -----
    Time O(rows).
    """
    size = sessions.rows[LINE].size
    if "event" not in sessions.rows:
        return LogCounts(sessions=sessions.starts.size, events=size)
    last, starts = len(sessions.events) - 1, sessions.starts
    event = sessions.rows["event"]
    weakest = sessions.of_entries(np.maximum, event)
    has_views = np.logical_or.reduceat(weakest == last, starts)
    has_clicks = np.logical_or.reduceat(sessions.clicked, starts)
    was_not_shown = sessions.clicked & (weakest < last) & np.repeat(has_views, sessions.sizes)
    has_plain_click = sessions.of_entries(np.logical_or, event == last - 1)
    return LogCounts(
        sessions=starts.size,
        events=size,
        sessions_without_click=int(np.count_nonzero(~has_clicks)),
        not_shown=int(np.count_nonzero(was_not_shown)),
        purchases_without_click=int(np.count_nonzero(sessions.clicked & ~has_plain_click)),
        repeated_events=_count_repeated(sessions),
    )


def _count_repeated(sessions: Sessions) -> int:
    """Return how many rows say again what another row says of the same item and session."""
    event = sessions.rows["event"]
    if len(sessions) == event.size:
        return 0
    is_said = np.zeros((len(sessions), len(sessions.events)), dtype=bool)
    is_said[sessions.entry, event] = True
    return int(event.size - np.count_nonzero(is_said))


def count_steps_back(rows: Rows) -> int:
    """Return how many rows have a time before that of the row before them in their session.

    Examples
    --------
    >>> count_steps_back({"session": np.array([0, 1, 0]), "time": np.array([5.0, 9.0, 4.0])})
    1
    """
    if "time" not in rows:
        return 0
    session, time = rows["session"], rows["time"]
    if np.any(np.diff(session) < 0):
        order = np.argsort(session, kind="stable")
        session, time = session[order], time[order]
    return int(np.count_nonzero((time[1:] < time[:-1]) & (session[1:] == session[:-1])))
