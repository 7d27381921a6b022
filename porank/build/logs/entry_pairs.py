"""Pairs of entries from where the entries stand: what the rules on click logs have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from porank.build.pair_limits import require_few
from porank.core.arrays import ranges, run_starts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.build.logs.sessions import Sessions
    from porank.typing import Numbers


def first_within(amount: Numbers, start: Numbers, tolerance: Numbers) -> Numbers:
    """Return for each place the first one, from `start` on, whose amount is close below its own.

    Close is what is at most `tolerance` smaller. All are bisected together; the amounts ascend from
    every start to the place itself.

    Examples
    --------
    >>> first_within(np.array([1, 4, 5, 9]), np.zeros(4, dtype=int), np.full(4, 4)).tolist()
    [0, 0, 0, 2]
    """
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
