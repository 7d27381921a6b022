"""Events of a log, grouped by list shown and item, as the rules need them.

Idea: *rules ask about the items of a list: which event each item got, where it stood, and when it
was clicked.* A session may show several lists, such as pages or the results of several queries;
otherwise it is one list. The rows are sorted once. Each item of each list is then an **entry**, and
a question about entries is answered by an array with a number for each of them. A few thousand
sessions are handled at a time, so they fit into the processor's cache.

`Sessions`, `Event`; `cut_between_sessions`, `cut_at_gaps`, `cut_at_users`, `cut_into_lists`,
`joined_rows` and `take_rows` for rows before they are grouped; `time_spent` on entries.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise, repeat
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arrays import (
    cuts_between,
    distinct,
    group_numbers,
    grouped,
    inverse_of,
    run_bounds,
    run_starts,
)
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from porank.typing import Item, Numbers


#: Number of rows that are handled at a time: few enough to fit into the processor's cache.
BLOCK_ROWS = 1 << 15
#: Key of the line numbers of coded rows: not a string, which might be the name of a column.
LINE = 0
#: Columns of coded rows: always "session", "list", "item" and LINE, the others if they were read.
Rows = dict[Any, "NDArray[Any]"]


def take_rows(rows: Rows, index: Any) -> Rows:
    """Return the rows of sessions that an index or a mask selects."""
    return {name: column[index] for name, column in rows.items()}


class Event(NamedTuple):
    """An event of a click log for a rule of one session; None stands for unknown values."""

    item: Item
    event: Hashable
    position: int | None
    time: float | None
    dwell: float | None


class Sessions:
    """The events of a click log by list shown, and within a list by item.

    Parameters
    ----------
    rows : dict of arrays
        The coded rows, which are removed from the dict: ``session``, ``item`` and LINE (the line in
        the log), and those of ``list`` (otherwise a session is one list), ``event`` (0 is the
        strongest), ``position``, ``time``, ``dwell`` that were read.
    items : sequence
        The item for each number in ``rows["item"]``.
    events : sequence
        The events, strongest first; the last one means that an item was only shown.
    name_of : callable, optional
        Function that returns the name of the session for a number in ``rows["session"]``, for
        messages.

    Attributes
    ----------
    list, item : array of int
        The list and the item of each entry, as numbers, sorted by list.
    rows : dict of arrays
        The rows, sorted by entry.
    first_row : array of int
        The first row of each entry.

    Examples
    --------
    >>> import numpy as np
    >>> from porank.clicks.sessions import LINE, Sessions
    >>> rows = {"session": [0, 0, 0, 1], "item": [0, 1, 0, 1], LINE: [1, 2, 3, 4],
    ...         "event": [2, 1, 0, 1], "position": [1.0, 2.0, 1.0, 1.0]}
    >>> rows = {name: np.array(column) for name, column in rows.items()}
    >>> sessions = Sessions(rows, ["a", "b"], ["purchase", "click", "view"])
    >>> sessions.list.tolist(), sessions.item.tolist()
    ([0, 0, 1], [0, 1, 1])
    >>> sessions.level.tolist(), sessions.clicked.tolist(), sessions.position.tolist()
    ([0, 1, 1], [True, True, True], [1.0, 2.0, 1.0])

    Notes
    -----
    Time O(rows log rows).
    """

    def __init__(
        self,
        rows: Rows,
        items: Sequence[Item],
        events: Sequence[Hashable],
        name_of: Callable[[int], Any] | None = None,
    ) -> None:
        rows.setdefault("list", rows["session"].copy())
        order, self.first_row = grouped(rows["list"], rows["item"])
        self.rows: Rows = {}
        for name in list(rows):
            # Removed one by one, so a large log is not in memory twice.
            self.rows[name] = rows.pop(name).take(order)
        self.items = items
        self.name_of = name_of
        self.events = events
        self.list: Numbers = self.first_of_entries("list")
        self.item: Numbers = self.first_of_entries("item")

    def __len__(self) -> int:
        """Return the number of entries."""
        return self.first_row.size

    @cached_property
    def entry(self) -> Numbers:
        """The entry of each row."""
        rows = self.rows[LINE].size
        return np.repeat(np.arange(len(self)), np.diff(self.first_row, append=rows))

    def label(self, entry: int) -> Any:
        """Return the name of the session of an entry."""
        session = int(self.rows["session"][self.first_row[entry]])
        return session if self.name_of is None else self.name_of(session)

    @cached_property
    def starts(self) -> Numbers:
        """The first entry of each list."""
        return run_starts(self.list)

    @cached_property
    def sizes(self) -> Numbers:
        """The number of entries of each list."""
        return np.diff(self.starts, append=len(self))

    @cached_property
    def first(self) -> Numbers:
        """The first entry of the list of each entry."""
        return np.repeat(self.starts, self.sizes)

    @cached_property
    def stop(self) -> Numbers:
        """The entry after the last one of the list of each entry."""
        return np.repeat(self.starts + self.sizes, self.sizes)

    @cached_property
    def level(self) -> Numbers:
        """The level of each entry: its strongest event (0 is the strongest), or its last rating."""
        if "rating" in self.rows:
            levels: Numbers = np.unique(-self.last_rating, return_inverse=True)[1]
            return levels
        return self.of_entries(np.minimum, self._column("event"))

    @cached_property
    def last_rating(self) -> NDArray[np.float64]:
        """The rating of each entry; of several, the latest one, or the last in the log."""
        rating = self._column("rating")
        if len(self) == rating.size:
            return rating
        when = self.rows.get("time", self.rows[LINE])
        order = np.lexsort((self.rows[LINE], when, self.entry))
        last: NDArray[np.float64] = rating[order[np.append(self.first_row[1:], rating.size) - 1]]
        return last

    @cached_property
    def clicked(self) -> NDArray[np.bool_]:
        """Whether each entry has a stronger event than a view."""
        return self.level < len(self.events) - 1

    @cached_property
    def position(self) -> NDArray[np.float64]:
        """The position of each entry, nan if unknown; of several, the highest in the list."""
        return self.of_entries(np.fmin, self._column("position"))

    @cached_property
    def place(self) -> Numbers:
        """The position of each entry as an integer, -1 if unknown."""
        if "position" not in self.rows:
            return np.full(len(self), -1)
        return np.nan_to_num(self.position, nan=-1).astype(np.int64)

    @cached_property
    def by_position(self) -> Numbers:
        """The entries sorted by list and, within a list, by position from the top."""
        position = self.position
        last = np.fmax.reduce(position, initial=0) + 1
        return grouped(self.list, np.where(np.isnan(position), last, position).astype(np.int64))[0]

    @cached_property
    def last_click(self) -> NDArray[Any]:
        """The time of the last event of each entry that is not a view, -inf if there is none.

        Dates are in seconds since 1970. In a log without times, the line counts as the time.
        """
        time = self.rows.get("time", self.rows[LINE])
        return self.of_entries(np.maximum, np.where(self.is_view_only, -np.inf, time))

    @cached_property
    def is_view_only(self) -> NDArray[np.bool_]:
        """Whether each row is a view; False in a log without events."""
        if "event" not in self.rows:
            return np.zeros(self.rows[LINE].size, dtype=bool)
        is_view: NDArray[np.bool_] = self.rows["event"] == len(self.events) - 1
        return is_view

    def of_entries(self, ufunc: np.ufunc, column: NDArray[Any]) -> NDArray[Any]:
        """Return the values of a column of rows of a log, reduced to one value for each entry."""
        if len(self) == column.size:
            return column  # each entry has one row
        entries: NDArray[Any] = ufunc.reduceat(column, self.first_row)
        return entries

    def first_of_entries(self, name: str) -> NDArray[Any]:
        """Return the values of a column of the log at the first row of each entry."""
        column = self.rows[name]
        return column if len(self) == column.size else column[self.first_row]

    def _column(self, name: str) -> NDArray[Any]:
        """Return a column of the log that a rule needs."""
        if name not in self.rows:
            raise PorankError(f"expected a column for {name}, which the rule needs, found none")
        return self.rows[name]

    def each(self) -> Iterator[tuple[Numbers, list[Event]]]:
        """Yield each list: the entry of each event, and the events in chronological order."""
        when = self.rows.get("time", self.rows[LINE])
        order = np.lexsort((self.rows[LINE], when, self.rows["list"]))
        events = list(self._events(order))
        starts = run_starts(self.rows["list"][order]).tolist()
        for start, stop in pairwise([*starts, order.size]):
            yield self.entry[order[start:stop]], events[start:stop]

    def _events(self, order: Numbers) -> Iterator[Event]:
        """Yield the rows of a log in the given order, as plain events."""
        columns = (
            _plain(self.rows[name][order]) if name in self.rows else repeat(None)
            for name in Event._fields
        )
        for item, event, position, time, dwell in zip(*columns, strict=False):
            yield Event(
                self.items[item],
                None if event is None else self.events[event],
                None if position is None else int(position),
                time,
                dwell,
            )


def _plain(column: NDArray[Any]) -> list[Any]:
    """Return a column of the rows of sessions as plain numbers, None if missing."""
    missing = np.isnan(column).tolist()
    return [None if gap else value for value, gap in zip(column.tolist(), missing, strict=True)]


def _between(times: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the times between rows of sessions, to the microsecond.

    Seconds since 1970 are floats with a precision of a quarter of that.
    """
    return np.diff(times).round(6)


def cut_at_gaps(rows: Rows, gap: float) -> tuple[Rows, list[tuple[int, int]]]:
    """Cut the sessions of a log, each with all events of a user, at pauses above `gap`.

    Return the rows, sorted by new sessions and times; and for each new session its user and its
    number among the sessions of this user, counted from 1.
    """
    rows = take_rows(rows, np.lexsort((rows[LINE], rows["time"], rows["session"])))
    user = rows["session"]
    is_pause = _between(rows["time"]) > gap
    is_first = np.ones(user.size, dtype=bool)
    is_first[1:] = (user[1:] != user[:-1]) | is_pause
    starts = np.flatnonzero(is_first)
    session = np.repeat(np.arange(starts.size), np.diff(starts, append=user.size))
    whose = user[starts]
    which = np.arange(1, whose.size + 1) - run_bounds(whose)[0]
    visits = list(zip(whose.tolist(), which.tolist(), strict=True))
    return {**rows, "session": session}, visits


#: Of at most so many users, more than half of so many must share a session.
_FEW_USERS = 4


def cut_at_users(rows: Rows) -> tuple[Rows, list[tuple[int, int]]]:
    """Cut the sessions of a log between users, if most users share some, as if numbers restart.

    Return the rows, and for each new session its former one and its user; nothing if few share.
    """
    first, number = distinct(rows["session"], rows["user"])
    found = np.argsort(first)
    first, number = first[found], inverse_of(found)[number]
    session, user = rows["session"][first], rows["user"][first]
    several = np.bincount(session[user >= 0], minlength=1 + session.max(initial=0)) > 1
    sharing = np.unique(user[several[session] & (user >= 0)])
    if 2 * sharing.size <= max(np.unique(user[user >= 0]).size, _FEW_USERS):
        return rows, []
    return {**rows, "session": number}, list(zip(session.tolist(), user.tolist(), strict=True))


def cut_into_lists(rows: Rows, parts: Sequence[str]) -> Rows:
    """Return rows of a log with a column ``list``: the lists that each session shows.

    A list ends where a column of `parts` changes its value. If one position of a session then still
    shows different items, or one item stands at several positions, its lists end where the
    positions of views start again, in the order of time. Another event belongs to the last list
    that has shown its item until then.
    """
    columns = [rows[name] for name in ("session", *parts)]
    number = group_numbers(*columns) if parts else columns[0].copy()
    if "position" not in rows or not number.size:
        return {**rows, "list": number}
    is_again = _shows_again(rows, number)
    if not is_again.any():
        return {**rows, "list": number}
    some = np.flatnonzero(is_again[number])
    return {**rows, "list": _cut_where_positions_start(rows, number, some)}


def _shows_again(rows: Rows, number: Numbers) -> NDArray[np.bool_]:
    """Return which parts of sessions have two items at a position, or an item at two positions."""
    placed = np.flatnonzero(~np.isnan(rows["position"]))
    part, item = number[placed], rows["item"][placed]
    position = rows["position"][placed].astype(np.int64)
    found = np.zeros(int(number.max()) + 1, dtype=bool)
    for one, other in ((position, item), (item, position)):
        order, starts = grouped(part, one, other)
        first = order[starts]
        is_same = (np.diff(part[first]) == 0) & (np.diff(one[first]) == 0)
        found[part[first[1:][is_same]]] = True
    return found


def _cut_where_positions_start(rows: Rows, number: Numbers, some: Numbers) -> Numbers:
    """Return the lists of rows of a log, after some parts of sessions are cut at new starts."""
    when = rows.get("time", rows[LINE])
    # A line that has a view and a click shows the item first. The weakest event is the largest.
    event = rows.get("event", np.zeros_like(number)).astype(np.int64)
    order = some[np.lexsort((-event[some], rows[LINE][some], when[some], number[some]))]
    part, item, position = number[order], rows["item"][order], rows["position"][order]
    is_view = ~np.isnan(position)
    if "event" in rows:
        weakest = rows["event"][order] == rows["event"].max()
        is_view &= weakest | ~np.isin(part, part[weakest])
    views = np.flatnonzero(is_view)
    is_new = np.zeros(order.size, dtype=bool)
    is_new[views[1:]] = position[views[1:]] <= position[views[:-1]]
    is_new[1:] |= part[1:] != part[:-1]
    current = np.cumsum(is_new)
    # The views of an item of a part, by time: an event belongs to the last one before it.
    base = order.size
    code = group_numbers(part, item) * base
    by_item = views[np.argsort(code[views], kind="stable")]
    last = np.searchsorted(code[by_item] + by_item, code + np.arange(base), side="right")
    seen = by_item[np.maximum(last - 1, 0)] if by_item.size else np.zeros(base, dtype=np.int64)
    is_seen = (last > 0) & (code[seen] == code) & (seen <= np.arange(base))
    found = number.copy()
    found[order] = number.max() + 1 + np.where(is_seen, current[seen], current)
    return found


def cut_between_sessions(rows: Rows) -> Iterator[Rows]:
    """Yield rows of a log in pieces of whole sessions, with the rows of a session together."""
    session = rows["session"]
    if np.any(session[1:] < session[:-1]):
        rows = take_rows(rows, grouped(session)[0])
    for start, stop in pairwise(cuts_between(rows["session"], BLOCK_ROWS)):
        yield take_rows(rows, slice(start, stop))


def joined_rows(parts: list[Rows]) -> Rows:
    """Return several tables of rows of sessions, or of pairs, as one, and empty the list."""
    if len(parts) == 1:
        return parts.pop()
    rows = {name: np.concatenate([part.pop(name) for part in parts]) for name in [*parts[0]]}
    parts.clear()
    return rows


def time_spent(sessions: Sessions) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the time spent on each entry of click sessions, and whether it is known."""
    if "dwell" in sessions.rows:
        dwell = sessions.rows["dwell"]
        spent, is_known = dwell, ~np.isnan(dwell)
    elif "time" in sessions.rows:
        spent, is_known = _until_next(sessions)
    else:
        raise PorankError("expected a column for dwell or for time, found neither")
    is_view, first = sessions.is_view_only, sessions.first_row
    # A row of the log may hold both a click and a purchase of an item: its time counts once.
    line, is_again = sessions.rows[LINE], np.zeros(spent.size, dtype=bool)
    is_again[1:] = (line[1:] == line[:-1]) & (np.diff(sessions.entry) == 0) & ~is_view[:-1]
    sums = np.add.reduceat(np.where(is_view | is_again | ~is_known, 0.0, spent), first)
    is_measured = np.logical_and.reduceat(is_known | is_view, first)
    return sums, is_measured & ~np.logical_and.reduceat(is_view, first)


def _until_next(sessions: Sessions) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the time from each event to the next later one of its list, if there is one."""
    session, time = sessions.rows["list"], sessions.rows["time"]
    order = np.flatnonzero(~np.isnan(time))
    order = order[np.lexsort((time[order], session[order]))]
    when = time[order]
    starts = run_starts(session[order], time[order])
    has_next = np.diff(session[order][starts], append=-1) == 0
    until = np.where(has_next, np.append(_between(when[starts]), 0.0)[: starts.size], 0.0)
    lengths = np.diff(starts, append=order.size)
    spent, is_known = np.zeros(time.size), np.zeros(time.size, dtype=bool)
    spent[order], is_known[order] = np.repeat(until, lengths), np.repeat(has_next, lengths)
    return spent, is_known
