"""Rows that come in parts, put together so that no session is cut.

Idea: *where the rows of each session stand together, only the last session of a part can go on in
the next one.* Then a few thousand sessions at a time are enough, and they fit into the cache of the
processor.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from porank.build.logs.sessions import LINE, take_rows
from porank.core.arrays import in_parts
from porank.core.columns import BLOCK_ROWS
from porank.core.labels import of_one_kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from porank.build.logs.sessions import Rows


def held_together(parts: Iterable[Rows], most: int) -> Iterator[list[Rows]]:
    """Yield the parts of about `most` rows at a time, but those of the last session later.

    Examples
    --------
    >>> sessions = [np.array(part) for part in ([0, 0], [0, 1], [1])]
    >>> parts = [{"session": part, LINE: part} for part in sessions]
    >>> for held in held_together(parts, 3):
    ...     print([part["session"].tolist() for part in held])
    [[0, 0, 0]]
    [[1], [1]]
    """
    held: list[Rows] = []
    count = 0
    for part in parts:
        held.append(part)
        count += part[LINE].size
        if count >= most:
            rows = _joined(held)
            is_open = rows["session"] == rows["session"][-1]
            held = [take_rows(rows, is_open)]
            count = held[0][LINE].size
            if count < is_open.size:
                yield [take_rows(rows, ~is_open)]
    if count:
        yield held


def pieces_of(parts: list[Rows]) -> Iterator[Rows]:
    """Yield rows in pieces such that no session is cut; all in one if sessions are mixed.

    Examples
    --------
    >>> def pieces(*parts):
    ...     rows = [{"session": np.array(part)} for part in parts]
    ...     return [piece["session"].tolist() for piece in pieces_of(rows)]
    >>> pieces([0, 0, 1], [1, 1], [1, 2, 3], [3])
    [[0, 0], [1, 1, 1, 1, 2], [3, 3]]
    >>> pieces([0, 1], [0, 1])
    [[0, 1, 0, 1]]

    Notes
    -----
    Time O(rows).
    """
    # Sessions are numbered as they come.
    sessions = [part["session"] for part in parts if part["session"].size]
    is_sorted = all(np.all(session[1:] >= session[:-1]) for session in sessions)
    if is_sorted and all(before[-1] <= after[0] for before, after in pairwise(sessions)):
        del sessions
        yield from _whole_sessions(_in_small_parts(parts))
    else:
        yield _joined(parts)


def in_one(parts: list[Rows]) -> Iterator[Rows]:
    """Yield all rows together.

    Examples
    --------
    >>> parts = [{"session": np.array([0])}, {"session": np.array([1])}]
    >>> [piece["session"].tolist() for piece in in_one(parts)]
    [[0, 1]]
    """
    yield _joined(parts)


def _whole_sessions(parts: Iterable[Rows]) -> Iterator[Rows]:
    """Yield rows that stand together by session in pieces such that no session is cut."""
    going_on: list[Rows] = []
    for part in parts:
        session = part["session"]
        if not session.size:
            continue
        if going_on and session[-1] == going_on[0]["session"][0]:
            going_on.append(part)
            continue
        start = int(np.searchsorted(session, session[-1]))
        if going_on or start:
            yield _joined([*going_on, take_rows(part, slice(start))])
        going_on = [take_rows(part, slice(start, None))]
    if going_on:
        yield _joined(going_on)


def _in_small_parts(parts: list[Rows]) -> Iterator[Rows]:
    """Yield the parts, large ones cut up; of those yielded, nothing is kept."""
    parts.reverse()
    while parts:
        part = parts.pop()
        for some in in_parts(part["session"].size, BLOCK_ROWS):
            yield take_rows(part, some)


def _joined(parts: list[Rows]) -> Rows:
    """Return several tables of rows as one, and leave none of them behind."""
    if len(parts) == 1:
        return parts.pop()
    rows = {
        name: np.concatenate(of_one_kind([part.pop(name) for part in parts]))
        for name in [*parts[0]]
    }
    parts.clear()
    return rows
