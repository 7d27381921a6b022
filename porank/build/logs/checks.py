"""What can be wrong with a session though each of its rows is right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from porank.build.logs.sessions import LINE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from porank.build.logs.sessions import Sessions
    from porank.core.labels import Labels

#: The line of a row, what stands there, and what is wrong with it.
Fault = tuple[int, str, str]

_ONE_VALUE = (
    "expected one {name} for session {session!r}, found {found}; columns={{'session': [..., ...]}} "
    "tells sessions apart by several columns"
)


def faulty_rows(
    sessions: Sessions, labels: Mapping[str, Labels], *, by: Sequence[str], ordered: bool
) -> list[Fault]:
    """Return the rows that contradict others of their session, by their lines.

    Parameters
    ----------
    sessions : Sessions
        The sessions to be looked at.
    labels : mapping
        The labels of ``session`` and of each name in `by`.
    by : sequence of str
        Columns that must have one value in each session.
    ordered : bool
        Whether each item must have one position in its session, and each position one item.

    Examples
    --------
    >>> from porank.core.labels import Labels
    >>> from porank.build.logs.sessions import LINE, Sessions
    >>> labels = Labels("session")
    >>> rows = {"session": labels.encode(["s"] * 3)[0], "item": np.array([0, 1, 2]),
    ...         LINE: np.array([1, 2, 3]), "position": np.array([1.0, 1.0, np.nan])}
    >>> sessions = Sessions(rows, ["a", "b", "c"], ["click", "view"])
    >>> for line, _, message in faulty_rows(sessions, {"session": labels}, by=[], ordered=True):
    ...     print(line, message)
    1 expected one item at each position, found several at position 1 of session 's'
    2 expected one item at each position, found several at position 1 of session 's'
    3 expected a position for 'c' in session 's', found none

    Notes
    -----
    Time O(rows log rows).
    """
    faults = [fault for name in by for fault in _divided(sessions, labels, name)]
    if ordered:
        faults += _misplaced(sessions, labels["session"])
    return sorted({line: (line, text, message) for line, text, message in faults[::-1]}.values())


def _divided(sessions: Sessions, labels: Mapping[str, Labels], name: str) -> Iterator[Fault]:
    """Yield all rows of the sessions that have several values in a column."""
    codes = sessions.rows[name]
    starts = sessions.first_row[sessions.starts]
    least, most = (
        np.repeat(extreme.reduceat(codes, starts), np.diff(starts, append=codes.size))
        for extreme in (np.minimum, np.maximum)
    )
    places = np.flatnonzero(least != most).tolist()
    if not places:
        return
    values, session_names = labels[name].values(), labels["session"].values()
    for place in places:
        session = session_names[sessions.rows["session"][place]]
        found = f"{values[least[place]]!r} and {values[most[place]]!r}"
        yield (
            int(sessions.rows[LINE][place]),
            f"session {session!r}, {name} {values[codes[place]]!r}",
            _ONE_VALUE.format(name=name, session=session, found=found),
        )


def _misplaced(sessions: Sessions, labels: Labels) -> Iterator[Fault]:
    """Yield all rows of items without a position, with several, or with that of another item."""
    highest = sessions.of_entries(np.fmax, sessions.rows["position"])
    checks = {
        "a position for {item!r} in session {session!r}, found none": np.isnan(sessions.position),
        "one position for {item!r} in session {session!r}, found {position} and {highest}": (
            sessions.position < highest
        ),
        "one item at each position, found several at position {position} of session {session!r}": (
            _is_shared(sessions)
        ),
    }
    for message, is_faulty in checks.items():
        for place in _rows_of(sessions, is_faulty):
            entry = sessions.entry[place]
            position = sessions.position[entry]
            words = {
                "item": sessions.items[sessions.item[entry]],
                "session": labels.values()[sessions.session[entry]],
                "position": "none" if np.isnan(position) else int(position),
            }
            text = "item {item!r}, session {session!r}, position {position}".format(**words)
            words["highest"] = "none" if np.isnan(highest[entry]) else int(highest[entry])
            yield int(sessions.rows[LINE][place]), text, f"expected {message.format(**words)}"


def _rows_of(sessions: Sessions, is_meant: NDArray[np.bool_]) -> list[int]:
    """Return the rows of some entries."""
    return np.flatnonzero(is_meant[sessions.entry]).tolist() if is_meant.any() else []


def _is_shared(sessions: Sessions) -> NDArray[np.bool_]:
    """Return which entries stand where another one of their session stands."""
    order = sessions.by_position
    session, position = sessions.session, sessions.position[order]
    same = (session[1:] == session[:-1]) & (position[1:] == position[:-1])
    is_shared = np.zeros(len(sessions), dtype=bool)
    is_shared[order[1:][same]] = True
    is_shared[order[:-1][same]] = True
    return is_shared
