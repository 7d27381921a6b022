"""The events of a log grouped by session and item: what a rule looks at.

Idea: *all rules speak of the items of one session: which event each got, where it stood, when it
was clicked.* The rows are sorted once; then each item of each session is an **entry**, and what a
rule asks of an entry is an array with a number for each of them.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from porank.typing import Item, Numbers

#: Where coded rows keep the number of their line: no text, which might be the name of a column.
LINE = 0
#: Columns of coded rows: "session", "item" and LINE always, the others where they were read.
Rows = dict[Any, "NDArray[Any]"]


def take_rows(rows: Rows, index: Any) -> Rows:
    """Return the rows that an index or a mask selects.

    Examples
    --------
    >>> take_rows({"item": np.array([5, 6, 7])}, [2, 0])["item"].tolist()
    [7, 5]
    """
    return {name: column[index] for name, column in rows.items()}


class Event(NamedTuple):
    """A row of a log, as a function of one session sees it; None where the log says nothing."""

    item: Item
    event: Hashable
    position: int | None
    time: float | None
    dwell: float | None


class Sessions:
    """Events by session, and within a session by item.

    Parameters
    ----------
    rows : dict of arrays
        The coded rows, which are taken out of the dict: ``session``, ``item`` and LINE (where they
        stood in the log), and those of ``event`` (0 the strongest), ``position``, ``time``,
        ``dwell`` that were read.
    items : sequence
        The item that each number in ``rows["item"]`` stands for.
    events : sequence
        The events, strongest first; the last one says that an item was shown, and no more.

    Attributes
    ----------
    session, item : array of int
        The session and the item of each entry, as numbers, sorted by session.
    rows : dict of arrays
        The rows, sorted by entry.
    first_row : array of int
        The first row of each entry.

    Examples
    --------
    >>> rows = {"session": [0, 0, 0, 1], "item": [0, 1, 0, 1], LINE: [1, 2, 3, 4],
    ...         "event": [2, 1, 0, 1], "position": [1.0, 2.0, 1.0, 1.0]}
    >>> rows = {name: np.array(column) for name, column in rows.items()}
    >>> sessions = Sessions(rows, ["a", "b"], ["purchase", "click", "view"])
    >>> sessions.session.tolist(), sessions.item.tolist()
    ([0, 0, 1], [0, 1, 1])
    >>> sessions.level.tolist(), sessions.clicked.tolist(), sessions.position.tolist()
    ([0, 1, 1], [True, True, True], [1.0, 2.0, 1.0])

    Notes
    -----
    Time O(rows log rows).
    """

    def __init__(self, rows: Rows, items: Sequence[Item], events: Sequence[Hashable]) -> None:
        key = rows["session"] * max(len(items), 1) + rows["item"]
        # Rows that stand together already are sorted in one go through them.
        order = np.argsort(key, kind="stable")
        key = key[order]
        self.rows: Rows = {}
        for name in list(rows):
            # A large log is held once, not twice.
            self.rows[name] = rows.pop(name)[order]
        self.first_row: Numbers = np.flatnonzero(np.diff(key, prepend=-1))
        self.session: Numbers = self.rows["session"][self.first_row]
        self.item: Numbers = self.rows["item"][self.first_row]
        self.items = items
        self.events = events

    def __len__(self) -> int:
        """Return the number of entries."""
        return self.session.size

    @cached_property
    def entry(self) -> Numbers:
        """The entry of each row."""
        return np.repeat(np.arange(len(self)), np.diff(self.first_row, append=self._count_rows()))

    def _count_rows(self) -> int:
        return self.rows[LINE].size

    @cached_property
    def starts(self) -> Numbers:
        """The first entry of each session."""
        return np.flatnonzero(np.diff(self.session, prepend=-1))

    @cached_property
    def sizes(self) -> Numbers:
        """The number of entries of each session."""
        return np.diff(self.starts, append=len(self))

    @cached_property
    def first(self) -> Numbers:
        """The first entry of the session of each entry."""
        return np.repeat(self.starts, self.sizes)

    @cached_property
    def stop(self) -> Numbers:
        """The entry after the last one of the session of each entry."""
        return np.repeat(self.starts + self.sizes, self.sizes)

    @cached_property
    def level(self) -> Numbers:
        """The strongest event of each entry, 0 being the strongest of all."""
        level: Numbers = np.minimum.reduceat(self._column("event"), self.first_row)
        return level

    @cached_property
    def clicked(self) -> NDArray[np.bool_]:
        """Whether an entry was more than shown."""
        return self.level < len(self.events) - 1

    @cached_property
    def position(self) -> NDArray[np.float64]:
        """Where the item of each entry stood in the list, nan where it is not known."""
        return np.fmin.reduceat(self._column("position"), self.first_row)

    @cached_property
    def by_position(self) -> Numbers:
        """The entries sorted by session, and within it by position; first those at the top."""
        position = self.position
        if np.isnan(position).any() or np.ptp(position) > 2**31:
            return np.lexsort((position, self.session))
        # One sort of whole numbers takes a third of the time.
        place = (position - position.min()).astype(np.int64)
        return np.argsort(self.session * (int(place.max()) + 1) + place, kind="stable")

    @cached_property
    def last_click(self) -> NDArray[np.float64]:
        """The time of the last event of each entry that was no mere showing, else -inf.

        Without a column of times, the place in the log is the time.
        """
        time = self.rows.get("time", self.rows[LINE]).astype(np.float64)
        time[self.is_shown_only] = -np.inf
        return np.maximum.reduceat(time, self.first_row)

    @cached_property
    def time_spent(self) -> NDArray[np.float64]:
        """The time spent on each entry, nan where it is not known.

        It is the sum of its dwell times; without a column of these, of the times from each event
        to the next later one of the session. Events that mere showings are take no time.
        """
        if "dwell" not in self.rows and "time" not in self.rows:
            raise PorankError("expected a column for dwell or for time, found neither")
        spent = self.rows["dwell"] if "dwell" in self.rows else self._until_next()
        spent = np.where(self.is_shown_only, 0.0, spent)
        # The sum of floats depends on their sequence, which must not be that of the rows.
        spent = spent[np.lexsort((spent, self.entry))]
        total = np.add.reduceat(spent, self.first_row)
        total[np.logical_and.reduceat(self.is_shown_only, self.first_row)] = np.nan
        return total

    @cached_property
    def is_shown_only(self) -> NDArray[np.bool_]:
        """Whether a row says no more than that an item was shown; no row does without events."""
        if "event" not in self.rows:
            return np.zeros(self.rows[LINE].size, dtype=bool)
        is_shown: NDArray[np.bool_] = self.rows["event"] == len(self.events) - 1
        return is_shown

    def _column(self, name: str) -> NDArray[Any]:
        if name not in self.rows:
            raise PorankError(f"expected a column for {name}, which the rule asks for, found none")
        return self.rows[name]

    def _until_next(self) -> NDArray[np.float64]:
        """Return the time from each row to the next later one of its session, nan if none is."""
        session, time = self.rows["session"], self.rows["time"]
        order = np.lexsort((time, session))
        order = order[~np.isnan(time[order])]
        sorted_session, sorted_time = session[order], time[order]
        is_new = (np.diff(sorted_session, prepend=-1) != 0) | (
            np.diff(sorted_time, prepend=np.nan) != 0
        )
        starts = np.flatnonzero(is_new)
        until = np.full(starts.size, np.nan)
        same = sorted_session[starts[1:]] == sorted_session[starts[:-1]]
        until[:-1][same] = np.diff(sorted_time[starts])[same]
        spent = np.full(time.size, np.nan)
        spent[order] = np.repeat(until, np.diff(starts, append=order.size))
        return spent

    def each(self) -> Iterator[tuple[Numbers, list[Event]]]:
        """Yield the sessions: the entry of each event, and the events, in the order of time."""
        when = self.rows.get("time", self.rows[LINE])
        order = np.lexsort((self.rows[LINE], when, self.rows["session"]))
        events = list(self._events(order))
        session = self.rows["session"][order]
        starts = np.flatnonzero(np.diff(session, prepend=-1)).tolist()
        for start, stop in zip(starts, [*starts[1:], session.size], strict=True):
            yield self.entry[order[start:stop]], events[start:stop]

    def _events(self, order: Numbers) -> Iterator[Event]:
        unknown = np.full(order.size, np.nan)
        position, time, dwell = (
            self.rows.get(name, unknown)[order].tolist() for name in ("position", "time", "dwell")
        )
        item = self.rows["item"][order].tolist()
        event = self.rows["event"][order].tolist() if "event" in self.rows else [None] * len(item)
        for i, e, p, t, d in zip(item, event, position, time, dwell, strict=True):
            yield Event(
                self.items[i],
                None if e is None else self.events[e],
                None if p != p else int(p),
                None if t != t else t,
                None if d != d else d,
            )
