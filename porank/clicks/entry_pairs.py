"""Pairs of the entries of sessions: what the rules have in common.

Pairs are made from where the entries stand. More of them than anybody can use are refused before
there are any.

For rules: `each_over`, `each_over_one`, `over_skipped_above`, `neighbours`,
`first_within`, `starts_of`; limits: `require_few`, `require_room`, `Talker`.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from porank.core.arrays import ranges, run_starts
from porank.errors import PorankError, counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.clicks.sessions import Sessions
    from porank.typing import Numbers


def first_within(amount: Numbers, start: Numbers, tolerance: Numbers) -> Numbers:
    """Return for each place the first one, from `start` on, whose amount is close below its own."""
    low, high = start.copy(), np.arange(amount.size)
    while np.any(low < high):
        middle = (low + high) // 2
        is_below = (low < high) & (amount - amount[middle] > tolerance)
        low = np.where(is_below, middle + 1, low)
        high = np.where(is_below, high, middle)
    return low


def over_skipped_above(sessions: Sessions, chosen: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
    """Pair each chosen entry with all skipped ones above it in its session."""
    order = sessions.by_position
    is_skipped = ~sessions.clicked[order]
    skipped_before = np.concatenate([[0], np.cumsum(is_skipped)])
    places = np.flatnonzero(chosen[order])
    # Sorting within sessions leaves place i in the session of entry i.
    start = skipped_before[sessions.first[places]]
    return each_over(sessions, order[places], order[is_skipped], start, skipped_before[places])


def neighbours(sessions: Sessions) -> tuple[Numbers, Numbers]:
    """Return the entries that stand right above and right below each other in a session."""
    order = sessions.by_position
    upper, lower = order[:-1], order[1:]
    kept = sessions.session[upper] == sessions.session[lower]
    kept &= sessions.position[lower] - sessions.position[upper] == 1
    return upper[kept], lower[kept]


def starts_of(session: Numbers) -> Numbers:
    """Return for each place of a sorted array the first one with the same value."""
    starts = run_starts(session)
    return np.repeat(starts, np.diff(starts, append=session.size))


def each_over_one(sessions: Sessions, entries: Numbers, others: Numbers) -> tuple[Numbers, Numbers]:
    """Pair each of the entries with the other beside it."""
    require_few(sessions, entries, np.ones_like(entries))
    return entries, others


def each_over(
    sessions: Sessions, entries: Numbers, others: Numbers, start: Numbers, stop: Numbers
) -> tuple[Numbers, Numbers]:
    """Pair each of the entries with the others from its `start` to its `stop`."""
    some = np.flatnonzero(start < stop)
    entries, start, stop = entries.take(some), start.take(some), stop.take(some)
    require_few(sessions, entries, stop - start)
    return np.repeat(entries, stop - start), others.take(ranges(start, stop))


#: Of a session that says more pairs than these, no memory holds the pairs in columns for long.
MOST_PAIRS = 10**7
#: So many pairs with their sessions take some three gigabytes, twice that while they are made.
MAX_PAIRS = 10**8
_FEWER = (
    "shorter sessions, as columns={'session': ['user', 'day']} makes them, or the rule "
    "click_over_skip_previous say fewer"
)


class Talker(NamedTuple):
    """How many pairs of how many items a session says, and its number."""

    pairs: int = 0
    items: int = 0
    session: int = -1


def require_few(sessions: Sessions, entries: Numbers, counts: Numbers) -> None:
    """Raise an error if a session, or all together, say more pairs than they may."""
    if not entries.size:
        return
    first = sessions.session[0]
    pairs = np.bincount(sessions.session.take(entries) - first, counts)
    most = int(pairs.argmax())
    own = np.searchsorted(sessions.session, [first + most, first + most + 1])
    talker = Talker(int(pairs[most]), int(np.diff(own)[0]), int(first) + most)
    if talker.pairs > MOST_PAIRS:
        raise PorankError(
            f"expected at most {MOST_PAIRS:,} pairs of a session, found {talker.pairs:,} of "
            f"{_named(talker, sessions)}; {_FEWER}"
        )
    tally = sessions.tally
    if tally is None:
        return
    tally.talker = max(tally.talker, talker, key=itemgetter(0))
    held = tally.held_with(int(counts.sum()))
    if held > tally.most:
        said = f" so far, {tally.talker.pairs:,} of them by {_named(tally.talker, sessions)}"
        require_room(held, tally.most, said=said)


def _named(talker: Talker, sessions: Sessions) -> str:
    return f"session {sessions.label(talker.session)!r} with {counted(talker.items, 'item')}"


def require_room(pairs: int, most: int, *, said: str = "") -> None:
    """Raise an error if there are more pairs of entries than may be held."""
    if pairs > most:
        raise PorankError(
            f"expected at most {counted(most, 'pair')} to hold, found {pairs:,}{said}; "
            f"max_pairs= sets the limit, and {_FEWER}"
        )
