"""The time spent on the items of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from porank.build.logs.ticks import Ticks, in_ticks
from porank.core.arrays import run_starts
from porank.errors import PorankError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.build.logs.sessions import Sessions
    from porank.typing import Numbers


def time_spent(sessions: Sessions) -> tuple[Ticks, NDArray[np.bool_]]:
    """Return the time spent on each entry of some sessions, and where it is known.

    It is the sum of its dwell times; without a column of these, of the times from each event to the
    next later one of the session. Events that mere showings are take no time, and of an item that
    was only shown nothing is known.

    Parameters
    ----------
    sessions : Sessions
        They have a column for dwell or for time.

    Examples
    --------
    >>> from porank.build.logs.sessions import LINE, Sessions
    >>> rows = {"session": np.zeros(3, int), "item": np.array([0, 1, 0]), LINE: np.arange(3),
    ...         "dwell": np.array([0.1, np.nan, 0.2])}
    >>> time_spent(Sessions(rows, "ab", ["click", "view"]))
    (Ticks(amount=array([3, 0]), unit=array([10., 10.])), array([ True, False]))

    Notes
    -----
    Time O(rows log rows).
    """
    if "dwell" in sessions.rows:
        dwell = sessions.rows["dwell"]
        ticks, is_known = in_ticks(dwell, sessions.first_row[sessions.starts]), ~np.isnan(dwell)
    elif "time" in sessions.rows:
        ticks, is_known = _until_next(sessions)
    else:
        raise PorankError("expected a column for dwell or for time, found neither")
    is_shown = sessions.is_shown_only
    spent = _few_enough(np.where(is_shown | ~is_known, 0, ticks.amount), ticks.unit, sessions)
    is_told = np.logical_and.reduceat(is_known | is_shown, sessions.first_row)
    is_told &= ~np.logical_and.reduceat(is_shown, sessions.first_row)
    sums = np.add.reduceat(spent.amount, sessions.first_row)
    return Ticks(sums, spent.unit[sessions.first_row]), is_told


def _until_next(sessions: Sessions) -> tuple[Ticks, NDArray[np.bool_]]:
    """Return the time from each row to the next later one of its session, and where there is."""
    session, time = sessions.rows["session"], sessions.rows["time"]
    ticks = in_ticks(time, sessions.first_row[sessions.starts])
    order = np.flatnonzero(~np.isnan(time))
    order = order[np.lexsort((ticks.amount[order], session[order]))]
    when = ticks.amount[order]
    starts = run_starts(session[order], when)
    has_next = np.diff(session[order][starts], append=-1) == 0
    until = np.where(has_next, np.diff(when[starts], append=when[:1]), 0)
    lengths = np.diff(starts, append=order.size)
    spent, is_known = np.zeros(time.size, dtype=np.int64), np.zeros(time.size, dtype=bool)
    spent[order] = np.repeat(until, lengths)
    is_known[order] = np.repeat(has_next, lengths)
    return Ticks(spent, ticks.unit), is_known


def _few_enough(spent: Numbers, unit: NDArray[np.float64], sessions: Sessions) -> Ticks:
    """Return what was spent in ticks so long that no sum in a session exceeds 64 bits."""
    starts = sessions.first_row[sessions.starts]
    rows = np.diff(starts, append=spent.size)
    most = np.maximum.reduceat(spent, starts).astype(np.float64) * rows
    halvings = np.maximum(np.frexp(most)[1] - 62, 0)
    if not halvings.any():
        return Ticks(spent, unit)
    halvings = np.repeat(halvings, rows)
    return Ticks(spent >> halvings, np.ldexp(unit, -halvings))
