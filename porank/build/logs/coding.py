"""Blocks of a log into rows of numbers, without those that are wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.build.logs.sessions import LINE, take_rows
from porank.core.labels import TimeReader, is_missing, read_amounts, read_whole, shown
from porank.errors import ParseError, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from porank.build.logs.sessions import Rows
    from porank.core.columns import Block
    from porank.core.files import Problems
    from porank.core.labels import Faults, Labels
    from porank.typing import Numbers


class Coder:
    """What is known of the columns of a log, to code one block after another.

    Parameters
    ----------
    roles : mapping
        Role -> the names of its columns.
    labels : mapping
        The labels of each role that has some, to which those of the blocks are added.
    level : mapping
        The level of each event, 0 the strongest.
    problems : Problems
        What becomes of rows that are wrong.

    Attributes
    ----------
    unknown : Counter
        How often each event occurs that has no level.
    empty : set of int
        The sessions that have a row without item and event.

    Examples
    --------
    >>> from porank.core.files import Problems
    >>> from porank.core.labels import Labels
    >>> from porank.core.columns import Block
    >>> roles = {"session": ("s",), "item": ("i",), "event": ("e",)}
    >>> labels = {role: Labels(role) for role in roles}
    >>> coder = Coder(roles, labels, {"click": 0, "view": 1}, Problems("report"))
    >>> columns = {"s": [7, 7, 7], "i": ["a", "b", "a"], "e": ["view", "like", "click"]}
    >>> rows = coder.rows_of(Block(columns, np.array([1, 2, 3])))
    >>> rows["item"].tolist(), rows["event"].tolist(), coder.unknown
    ([0, 0], [1, 0], Counter({'like': 1}))

    Notes
    -----
    Time O(rows).
    """

    def __init__(
        self,
        roles: Mapping[str, tuple[Any, ...]],
        labels: Mapping[str, Labels],
        level: Mapping[Any, int],
        problems: Problems,
    ) -> None:
        self._roles, self._labels, self._level, self._problems = roles, labels, level, problems
        self._readers: dict[str, Callable[[Any, str], tuple[NDArray[Any], Faults]]] = {
            "position": read_whole,
            "time": TimeReader(),
            "dwell": read_amounts,
        }
        self.unknown: Counter[Any] = Counter()
        self.empty: set[int] = set()

    def rows_of(self, block: Block) -> Rows:
        """Return the good rows of a block as numbers, and meet the bad ones."""
        values = {role: values_of_role(block, names) for role, names in self._roles.items()}
        rows: Rows = {LINE: block.lines}
        wrong: dict[str, Faults] = {}
        for role, column in values.items():
            if role in self._readers:
                rows[role], wrong[role] = self._readers[role](column, role)
            else:
                rows[role], wrong[role] = self._labels[role].encode(column)
        is_left_out = np.zeros(block.lines.size, dtype=bool)
        if wrong.pop("event", []) and wrong["item"]:
            is_left_out = self._set_aside_empty(rows)
        faults = [fault for some in wrong.values() for fault in some if not is_left_out[fault[0]]]
        if "event" in rows:
            faults += self._levels_of_events(rows, values["event"], is_left_out)
        faults += self._missing_times(rows, faults)
        if not faults and not is_left_out.any():
            return rows
        self._meet(faults, values, block.lines)
        is_left_out[[place for place, _ in faults]] = True
        return take_rows(rows, ~is_left_out)

    def _set_aside_empty(self, rows: Rows) -> NDArray[np.bool_]:
        """Return which rows hold a session and neither item nor event, and remember the session."""
        is_empty = (rows["event"] < 0) & (rows["item"] < 0) & (rows["session"] >= 0)
        self.empty.update(rows["session"][is_empty].tolist())
        return is_empty

    def _levels_of_events(self, rows: Rows, values: Any, is_empty: NDArray[np.bool_]) -> Faults:
        """Replace the events by their levels, and return where they are unknown."""
        known = self._labels["event"].values()
        level = np.array([*(self._level.get(event, -1) for event in known), -1])
        rows["event"] = level.take(rows["event"])
        if rows["event"].min(initial=0) == 0:
            return []
        unknown = np.flatnonzero((rows["event"] < 0) & ~is_empty).tolist()
        self.unknown.update(_as_event(values[place]) for place in unknown)
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
            weakest = max(self._level.values())
            is_missing_time &= (rows["event"] >= 0) & (rows["event"] < weakest)
        met = {place for place, _ in faults}
        places = np.flatnonzero(is_missing_time).tolist()
        return [(place, "expected a time, found none") for place in places if place not in met]

    def _meet(self, faults: Faults, values: Mapping[str, Any], lines: Numbers) -> None:
        for place, message in sorted(faults):
            text = ", ".join(f"{role} {shown(column[place])}" for role, column in values.items())
            self._problems.meet(ParseError(message), line=int(lines[place]), text=text)


def _as_event(value: Any) -> Any:
    """Return an unknown event as a plain value that can be counted; one that is none as None."""
    value = value.item() if isinstance(value, np.generic) else value
    if not isinstance(value, Hashable):
        return repr(value)
    return None if is_missing(value) else value


def values_of_role(block: Block, names: tuple[Any, ...]) -> Any:
    """Return the values of a column, or tuples of those of several.

    Examples
    --------
    >>> from porank.core.columns import Block
    >>> values_of_role(Block({"user": [1, 1], "day": ["a", ""]}, np.array([1, 2])), ("user", "day"))
    [(1, 'a'), None]
    """
    if len(names) == 1:
        return block.columns[names[0]]
    columns = [
        column.tolist() if isinstance(column, np.ndarray) else column
        for column in map(block.columns.__getitem__, names)
    ]
    return [
        None if any(map(is_missing, values)) else values for values in zip(*columns, strict=True)
    ]
