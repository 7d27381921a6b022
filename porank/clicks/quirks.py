"""What is odd in a click log without being an error: counted, with the decision that was made.

`LogCounts` has the counts. `count_quirks` counts them in some sessions; `count_fixed`,
`count_busy_users` and `count_odd_times` count them in a whole log.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.clicks.sessions import LINE
from porank.core.arrays import distinct
from porank.core.labels import FIRST_TIME, LAST_TIME
from porank.core.tables import Shown, Table, Tabular
from porank.errors import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from porank.clicks.sessions import Sessions
    from porank.typing import Numbers


#: Maximum number of unknown events, of columns, or of labels that a table names.
_FEW = 4
#: Minimum number of items of a list in which it is odd that all of them were clicked.
_WHOLE_LIST = 3
#: At least this share of the sessions has such a list, if they are odd.
_WHOLE_SHARE = 0.01
#: An item that was shown at least this often, and always at the same position, never moved.
_OFTEN = 20
#: A user with more than this share of the sessions is busy, if there are at least so many users.
_BUSY_SHARE, _MANY_USERS = 0.1, 20
#: How each quirk is handled.
DECISIONS = {
    "empty_sessions": "they count as sessions but give no pairs",
    "single_events": "all sessions have one event, so they compare nothing; columns= names the "
    "column of sessions, and gap= is in seconds",
    "sessions_without_click": "most rules find no pairs in them",
    "sessions_without_showing": "skipped items are unknown: rules compare only bought with clicked "
    "items, or clicks with each other (click_over_earlier_click)",
    "without_user": "rows without user, or of NA, guest, -1, or 0 if that is nobody: no group "
    "of users has them, and each of their sessions is a unit of its own",
    "without_position": "items of a list: they are not compared with others for the settled "
    "order, unless no position is known",
    "without_time": "rows whose time is missing: sessions without any time count as the latest",
    "several_lists": "items are only compared within a list: a page, a query, or where positions "
    "start again",
    "not_shown": "clicked items count as shown",
    "repeated_events": "the last one of an item and session counts; dwell times are added",
    "clicked_all": "each item of these lists was clicked, so they compare nothing",
    "busy_users": "each has more than a tenth of the sessions, but counts as one user; leave out "
    "programs, and call shared accounts 'guest', so each of their sessions counts",
    "never_moved": "these items always stood at one position, so taste and place cannot be told "
    "apart between them; show them at other positions, too",
    "labels_alike": "they differ only in case, blanks, width or type, and count as different; make "
    "them equal if they mean the same",
    "odd_times": "times before 1971 or after 2100: all times must have one unit",
    "unknown_events": "their rows are skipped and listed as problems",
    "unreadable": "cells that cannot be read count as missing",
}


#: The quirks whose decision names what was found.
_NAMED = ("labels_alike", "unknown_events", "unreadable")


@dataclass(frozen=True, repr=False)
class LogCounts(Shown, Tabular):
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
    repeated_events : int
        Number of rows that repeat another row with the same session, item and event.
    without_user : int
        Number of rows without a user, in a log with users.
    without_position, without_time : int
        Number of items of lists without a position, and of rows without a time, in a log with
        columns for these.
    several_lists : int
        Number of sessions that show more than one list.
    clicked_all : int
        Number of lists of at least three items in which each item was clicked. It is a quirk if
        there are as many as one for 100 sessions, because a few occur by chance.
    busy_users : int
        Number of users with more than a tenth of the sessions, in a log with at least 20 users.
    never_moved : int
        Number of items that were shown in at least 20 lists, and always at the same position.
    odd_times : int
        Number of rows with times before 1971 or after 2100, if numbers are seconds since 1970.
        Small numbers only count if others are larger, because they may be counters.
    labels_alike : Counter
        Labels of items, users or queries that differ only in case, blanks, width or type, as a
        tuple, and how many there are.
    unknown_events : Counter
        How often each unexpected event occurs; None stands for a missing event.
    unreadable : Counter
        Number of rows in which a position, a time or another cell cannot be read, by column.
    rows, users : int
        Number of rows, and of users if the log names them.
    kinds : Counter
        Number of events of each kind. A row may have several events, such as a view and a click.

    Examples
    --------
    >>> from porank.clicks.quirks import LogCounts
    >>> counts = LogCounts(sessions=2, events=4) + LogCounts(sessions=1, repeated_events=1)
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
    repeated_events: int = 0
    without_user: int = 0
    without_position: int = 0
    without_time: int = 0
    several_lists: int = 0
    clicked_all: int = 0
    busy_users: int = 0
    never_moved: int = 0
    odd_times: int = 0
    labels_alike: Counter[Any] = field(default_factory=Counter, hash=False)
    unknown_events: Counter[Any] = field(default_factory=Counter, hash=False)
    unreadable: Counter[Any] = field(default_factory=Counter, hash=False)
    rows: int = 0
    users: int = 0
    kinds: Counter[Any] = field(default_factory=Counter, hash=False)

    def __add__(self, other: LogCounts) -> LogCounts:
        """Return the counts of two parts of a log without common sessions."""
        names = [each.name for each in fields(self)]
        return LogCounts(*(getattr(self, name) + getattr(other, name) for name in names))

    def quirks(self) -> dict[str, tuple[float, str]]:
        """Return name -> (count, decision) for each quirk that the log has."""
        counts = {name: getattr(self, name, 0) for name in DECISIONS}
        full = self.sessions - self.empty_sessions
        counts["single_events"] = full if self.events == full else 0
        counts |= {name: getattr(self, name).total() for name in _NAMED}
        is_known = self.sessions_without_showing < self.sessions - self.empty_sessions
        if is_known:
            counts["sessions_without_showing"] = 0
        if not is_known or self.clicked_all < _WHOLE_SHARE * self.sessions:
            counts["clicked_all"] = 0
        quirks = {name: (count, DECISIONS[name]) for name, count in counts.items() if count}
        for name in quirks.keys() & {*_NAMED}:
            count, decision = quirks[name]
            found = getattr(self, name).most_common()
            texts = [
                f"{' and '.join(map(quoted, what if isinstance(what, tuple) else [what]))} {many:,}"
                for what, many in found[:_FEW]
            ]
            texts += ["..."] * (len(found) > _FEW)
            quirks[name] = count, f"{decision}: {', '.join(texts)}"
        return quirks

    def to_table(self) -> Table:
        """Return the counts with the decisions as a table."""
        kinds = ", ".join(f"{kind} {many:,}" for kind, many in self.kinds.most_common())
        several = f"{kinds}; a row may have several" if self.events > self.rows else kinds
        texts = {"rows": "", "users": "", "sessions": "", "events": several, "items": ""}
        sizes = [
            (name, getattr(self, name), text)
            for name, text in texts.items()
            if getattr(self, name) or name != "users"
        ]
        quirks = [
            (name.replace("_", " "), count, decision)
            for name, (count, decision) in self.quirks().items()
        ]
        return Table(("what", "count", "decision"), [*sizes, *quirks])


def count_quirks(sessions: Sessions) -> LogCounts:
    """Return the size and the quirks of some sessions of a log."""
    rows, starts = sessions.rows, sessions.starts
    lists = rows["session"][sessions.first_row[starts]]
    _, number, of_sessions = np.unique(lists, return_inverse=True, return_counts=True)
    counts = LogCounts(
        sessions=of_sessions.size,
        rows=distinct(rows[LINE])[0].size,
        events=rows[LINE].size,
        without_position=int(np.isnan(sessions.position).sum()) if "position" in rows else 0,
        without_time=np.unique(rows[LINE][np.isnan(rows["time"])]).size if "time" in rows else 0,
        several_lists=int(np.count_nonzero(of_sessions > 1)),
    )
    if "rating" in rows:
        return replace(counts, repeated_events=int(rows[LINE].size - len(sessions)))
    if "event" not in rows:
        return counts
    last, event = len(sessions.events) - 1, rows["event"]
    kinds = dict(zip(sessions.events, np.bincount(event).tolist(), strict=False))
    weakest = sessions.of_entries(np.maximum, event)
    has_views = np.logical_or.reduceat(weakest == last, starts)
    has_clicks = np.logical_or.reduceat(sessions.clicked, starts)
    is_whole = np.logical_and.reduceat(sessions.clicked, starts) & (sessions.sizes >= _WHOLE_LIST)
    with_views, with_clicks = (
        int(np.count_nonzero(np.bincount(number, each))) for each in (has_views, has_clicks)
    )
    has_no_view = sessions.clicked & (weakest < last) & np.repeat(has_views, sessions.sizes)
    return replace(
        counts,
        sessions_without_click=of_sessions.size - with_clicks,
        sessions_without_showing=of_sessions.size - with_views,
        not_shown=int(np.count_nonzero(has_no_view)),
        kinds=Counter({kind: many for kind, many in kinds.items() if many}),
        repeated_events=_count_repeated(sessions),
        clicked_all=int(np.count_nonzero(is_whole)),
    )


def _count_repeated(sessions: Sessions) -> int:
    """Return how many events of a log repeat another event of the same session and item."""
    event = sessions.rows["event"]
    occurs = np.zeros((len(sessions), len(sessions.events)), dtype=bool)
    occurs[sessions.entry, event] = True
    return int(event.size - np.count_nonzero(occurs))


def count_fixed(pieces: Iterable[Sessions], n: int) -> int:
    """Return how many of the n items of a log were shown often, but always at the same position."""
    times, one, is_moved = np.zeros(n, dtype=np.int64), np.full(n, -1.0), np.zeros(n, dtype=bool)
    for sessions in pieces:
        if "position" not in sessions.rows:
            return 0
        item, position = sessions.item, sessions.position
        known = ~np.isnan(position)
        item, position = item[known], position[known]
        times += np.bincount(item, minlength=n)
        # Any of an item's positions will do to compare the others with.
        one[item] = np.where(one[item] < 0, position, one[item])
        is_moved[item[position != one[item]]] = True
    return int(np.count_nonzero(~is_moved & (times >= _OFTEN)))


def count_busy_users(user_of_session: Numbers) -> int:
    """Return how many users of a log, -1 if unknown, have a large share of its sessions."""
    sessions = np.bincount(user_of_session[user_of_session >= 0], minlength=1)
    is_busy = sessions > _BUSY_SHARE * user_of_session.size
    return int(np.count_nonzero(is_busy) * (np.count_nonzero(sessions) >= _MANY_USERS))


def count_odd_times(pieces: Iterable[Sessions], *, are_dates: bool) -> int:
    """Return how many rows of a log have a time in a strange year, or in a strange unit."""
    early = late = usual = 0
    for sessions in pieces:
        if "time" not in sessions.rows:
            return 0
        time, line = sessions.rows["time"], sessions.rows[LINE]
        is_early, is_late = time < FIRST_TIME, time > LAST_TIME
        # A line may make several rows.
        early += np.unique(line[is_early]).size
        late += np.unique(line[is_late]).size
        usual += int(np.count_nonzero(time >= FIRST_TIME))
    return late + (early if are_dates or usual else 0)
