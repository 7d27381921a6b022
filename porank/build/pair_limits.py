"""More pairs than anybody can use, refused before there are any."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from porank.build.logs.room import Talker
from porank.errors import PorankError, counted

if TYPE_CHECKING:
    from porank.build.logs.sessions import Sessions
    from porank.typing import Numbers

#: Of a session that says more pairs than these, no memory holds the pairs in columns for long.
MOST_PAIRS = 10**7
#: So many pairs with their sessions take some three gigabytes, twice that while they are made.
MAX_PAIRS = 10**8
_FEWER = (
    "shorter sessions, as columns={'session': ['user', 'day']} makes them, or the rule "
    "click_over_skip_previous say fewer"
)


def require_few(sessions: Sessions, entries: Numbers, counts: Numbers) -> None:
    """Raise an error if a session, or all together, say more pairs than they may.

    Parameters
    ----------
    sessions : Sessions
        They know how much room there is for pairs; who says most of them is kept there.
    entries, counts : array of int
        Entries, and over how many others each is preferred.

    Examples
    --------
    >>> from porank.build.tally import Tally
    >>> from porank.build.logs.room import Room
    >>> from porank.build.logs.sessions import LINE, Sessions
    >>> rows = {"session": np.array([0, 0, 1, 1, 1]), "item": np.arange(5), LINE: np.arange(5)}
    >>> sessions = Sessions(rows, "abcde", [])
    >>> sessions.room = Room(3, Tally(["preferred", "other"], is_merged=True))
    >>> require_few(sessions, np.array([0, 2]), np.array([1, 2]))
    >>> sessions.room.talker
    Talker(pairs=2, session=1, items=3)
    >>> sessions.room.most = 2
    >>> require_few(sessions, np.array([0, 2]), np.array([1, 2]))
    Traceback (most recent call last):
    porank.errors.PorankError: expected at most 2 pairs to hold, found 3 so far, 2 of them by
    session 1 with 3 items; max_pairs= sets the limit, and shorter sessions, as columns={'session':
    ['user', 'day']} makes them, or the rule click_over_skip_previous say fewer

    Notes
    -----
    Time O(entries).
    """
    if not entries.size:
        return
    talker = _talker(sessions, entries, counts)
    if talker.pairs > MOST_PAIRS:
        raise PorankError(
            f"expected at most {MOST_PAIRS:,} pairs of a session, found {talker.pairs:,} of "
            f"{_named(talker, sessions)}; {_FEWER}"
        )
    room = sessions.room
    if room is None:
        return
    if talker.pairs > room.talker.pairs:
        room.talker = talker
    held = room.held_with(int(counts.sum()))
    if held > room.most:
        said = f" so far, {room.talker.pairs:,} of them by {_named(room.talker, sessions)}"
        require_room(held, room.most, said=said)


def _talker(sessions: Sessions, entries: Numbers, counts: Numbers) -> Talker:
    """Return the session that says most pairs, the first of several."""
    first = sessions.session[0]
    pairs = np.bincount(sessions.session.take(entries) - first, counts)
    number = int(pairs.argmax())
    session = int(first) + number
    start, stop = np.searchsorted(sessions.session, [session, session + 1]).tolist()
    return Talker(int(pairs[number]), session, stop - start)


def _named(talker: Talker, sessions: Sessions) -> str:
    return f"session {sessions.label(talker.session)!r} with {counted(talker.items, 'item')}"


def require_room(pairs: int, most: int, *, said: str = "") -> None:
    """Raise an error if there are more pairs than may be held.

    Parameters
    ----------
    pairs, most : int
        How many there are, and how many may be held.
    said : str
        Who says most of them.

    Examples
    --------
    >>> require_room(7, 5)
    Traceback (most recent call last):
    porank.errors.PorankError: expected at most 5 pairs to hold, found 7; max_pairs= sets the
    limit, and shorter sessions, as columns={'session': ['user', 'day']} makes them, or the rule
    click_over_skip_previous say fewer
    """
    if pairs > most:
        raise PorankError(
            f"expected at most {counted(most, 'pair')} to hold, found {pairs:,}{said}; "
            f"max_pairs= sets the limit, and {_FEWER}"
        )
