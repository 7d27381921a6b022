"""What is odd in a click log without being an error: counted, with the decision that was made.

`LogCounts` has the counts; `count_quirks` counts them in some sessions.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.clicks.sessions import LINE
from porank.core.arrays import grouped
from porank.core.tables import Table

if TYPE_CHECKING:
    from porank.clicks.sessions import Rows, Sessions


#: Maximum number of unknown events, or of columns, that a table names.
_FEW = 4
#: How each quirk is handled.
DECISIONS = {
    "empty_sessions": "they count as sessions but give no pairs",
    "sessions_without_click": "most rules find no pairs in them",
    "sessions_without_showing": "skipped items are unknown: rules compare only bought with clicked "
    "items, or clicks with each other (click_over_earlier_click)",
    "without_user": "rows without user, or with NA, NULL, None or nan: no group of users has them, "
    "and each of their sessions is a unit of its own",
    "several_lists": "items are only compared within a list: a page, a query, or where positions "
    "start again",
    "not_shown": "clicked items count as shown",
    "purchases_without_click": "a purchase counts as a click",
    "repeated_events": "the last one of an item and session counts; dwell times are added",
    "times_out_of_order": "events are sorted by time",
    "unknown_events": "their rows are skipped and listed as problems",
    "unreadable": "cells that cannot be read count as missing",
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
        Number of rows with an earlier time than the previous row of their session.
    without_user : int
        Number of rows without a user, in a log with users.
    several_lists : int
        Number of sessions that show more than one list.
    unknown_events : Counter
        How often each unexpected event occurs; None stands for a missing event.
    unreadable : Counter
        Number of rows in which a position, a time or another cell cannot be read, by column.

    Examples
    --------
    >>> from porank.clicks.quirks import LogCounts
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
    without_user: int = 0
    several_lists: int = 0
    unknown_events: Counter[Any] = field(default_factory=Counter, hash=False)
    unreadable: Counter[Any] = field(default_factory=Counter, hash=False)

    def __add__(self, other: LogCounts) -> LogCounts:
        """Return the counts of two parts of a log without common sessions."""
        names = [each.name for each in fields(self)]
        return LogCounts(*(getattr(self, name) + getattr(other, name) for name in names))

    def quirks(self) -> dict[str, tuple[float, str]]:
        """Return name -> (count, decision) for each quirk that the log has."""
        counts = {name: getattr(self, name) for name in DECISIONS}
        counts |= {name: getattr(self, name).total() for name in ("unknown_events", "unreadable")}
        if self.sessions_without_showing < self.sessions - self.empty_sessions:
            counts["sessions_without_showing"] = 0  # some lists are known
        quirks = {name: (count, DECISIONS[name]) for name, count in counts.items() if count}
        for name in quirks.keys() & {"unknown_events", "unreadable"}:
            count, decision = quirks[name]
            found = getattr(self, name).most_common()
            texts = [f"{what!r} {times:,}" for what, times in found[:_FEW]]
            texts += ["..."] * (len(found) > _FEW)
            quirks[name] = count, f"{decision}: {', '.join(texts)}"
        return quirks

    def to_table(self) -> Table:
        """Return the counts with the decisions as a table."""
        sizes = [(name, getattr(self, name), "") for name in ("sessions", "events", "items")]
        quirks = [
            (name.replace("_", " "), count, decision)
            for name, (count, decision) in self.quirks().items()
        ]
        return Table(("what", "count", "decision"), [*sizes, *quirks])


def count_quirks(sessions: Sessions) -> LogCounts:
    """Return the size and the quirks of some sessions of a log."""
    rows, starts = sessions.rows, sessions.starts
    lists = rows["session"][sessions.first_row[starts]]
    of_sessions = np.unique(lists, return_counts=True)[1]
    counts = LogCounts(
        sessions=of_sessions.size,
        events=rows[LINE].size,
        several_lists=int(np.count_nonzero(of_sessions > 1)),
        times_out_of_order=_count_steps_back(rows),
    )
    if "rating" in rows:
        return replace(counts, repeated_events=int(rows[LINE].size - len(sessions)))
    if "event" not in rows:
        return counts
    last, event = len(sessions.events) - 1, rows["event"]
    weakest = sessions.of_entries(np.maximum, event)
    has_views = np.logical_or.reduceat(weakest == last, starts)
    has_clicks = np.logical_or.reduceat(sessions.clicked, starts)
    with_views, with_clicks = (np.unique(lists[each]).size for each in (has_views, has_clicks))
    was_not_shown = sessions.clicked & (weakest < last) & np.repeat(has_views, sessions.sizes)
    has_plain_click = sessions.of_entries(np.logical_or, event == last - 1)
    return replace(
        counts,
        sessions_without_click=of_sessions.size - with_clicks,
        sessions_without_showing=of_sessions.size - with_views,
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
