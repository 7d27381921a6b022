"""The time spent on the items of a session, in whole ticks, so that equal times are equal.

Idea: *0.3 - 0.2 is not 0.1 in floats, but 3 - 2 is 1.* A float is taken for the decimal that was
probably meant, and all decimals for multiples of the finest of them.

`time_spent`, `Ticks`, `_in_ticks`.
"""

from __future__ import annotations

import math
import sys
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arrays import run_starts
from porank.errors import PorankError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.clicks.sessions import Sessions
    from porank.typing import Numbers


def time_spent(sessions: Sessions) -> tuple[Ticks, NDArray[np.bool_]]:
    """Return the time spent on each entry of click sessions, and where it is known."""
    if "dwell" in sessions.rows:
        dwell = sessions.rows["dwell"]
        ticks, is_known = _in_ticks(dwell, sessions.first_row[sessions.starts]), ~np.isnan(dwell)
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
    """Return the time from each event to the next later one of its session, where there is one."""
    session, time = sessions.rows["session"], sessions.rows["time"]
    ticks = _in_ticks(time, sessions.first_row[sessions.starts])
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
    """Return dwell times in ticks so long that no sum in a session exceeds 64 bits."""
    starts = sessions.first_row[sessions.starts]
    rows = np.diff(starts, append=spent.size)
    most = np.maximum.reduceat(spent, starts).astype(np.float64) * rows
    halvings = np.maximum(np.frexp(most)[1] - 62, 0)
    if not halvings.any():
        return Ticks(spent, unit)
    halvings = np.repeat(halvings, rows)
    return Ticks(spent >> halvings, np.ldexp(unit, -halvings))


#: More decimal places than these are not looked for.
_PLACES = 9
#: All whole numbers below are floats too.
_MOST = 2.0**53
#: Ticks have fewer bits than these, so that the difference of two is a whole number of 64 bits.
_BITS = 61


class Ticks(NamedTuple):
    """Times spent as whole numbers of ticks, and how many ticks make 1: all alike in a session."""

    amount: Numbers
    unit: NDArray[np.float64]

    def threshold(self, tolerance: Any) -> Numbers:
        """Return the most by which two times spent may differ within the tolerance of `dwell`."""
        starts = run_starts(self.unit)
        units, which = np.unique(self.unit[starts], return_inverse=True)
        most = np.iinfo(np.int64).max
        limits = [min(math.floor(_meant(tolerance, unit) * Fraction(unit)), most) for unit in units]
        sizes = np.diff(starts, append=self.unit.size)
        return np.repeat(np.array(limits, dtype=np.int64)[which], sizes)


def _meant(number: Any, unit: float) -> Fraction:
    """Return the decimal that was probably meant by a float tolerance, or the number itself."""
    exact = Fraction(
        number if isinstance(number, (Fraction, int, Decimal)) else repr(float(number))
    )
    # Where a tick is more than 1, amounts are floats: no decimal was meant by them either.
    return exact if unit >= 1 else Fraction(float(min(exact, Fraction(sys.float_info.max))))


def _in_ticks(values: NDArray[Any], starts: Numbers) -> Ticks:
    """Return times or dwell times as whole numbers of ticks; unknown ones are anything."""
    if values.dtype.kind in "mM":
        unit = 1e9 if values.dtype.kind == "M" else 1.0
        return Ticks(values.view(np.int64), np.full(values.size, unit))
    if not values.size:
        return Ticks(np.zeros(0, dtype=np.int64), np.zeros(0))
    sizes = np.diff(starts, append=values.size)
    known = np.where(np.isnan(values), 0.0, values)
    largest = np.maximum.reduceat(np.abs(known), starts)
    halvings = np.maximum(np.frexp(largest)[1] - _BITS, 0)
    if halvings.any():
        known = np.rint(np.ldexp(known, -np.repeat(halvings, sizes)))
    most = sum((largest < _MOST / 10**places).astype(np.int64) for places in range(1, _PLACES + 1))
    whole, places = _decimals(known, np.repeat(most, sizes))
    finest = np.maximum.reduceat(places, starts)
    whole *= 10 ** (np.repeat(finest, sizes) - places)
    return Ticks(whole, np.repeat(np.ldexp(10.0**finest, -halvings), sizes))


def _decimals(known: NDArray[np.float64], most: Numbers) -> tuple[Numbers, Numbers]:
    """Return each time spent as a whole number, and after how many decimal places."""
    whole, found = np.zeros((2, known.size), dtype=np.int64)
    rest = np.arange(known.size)
    for places in range(_PLACES + 1):
        scaled = np.rint(known[rest] * 10.0**places)
        is_met = (scaled / 10.0**places == known[rest]) | (most[rest] == places)
        whole[rest[is_met]], found[rest[is_met]] = scaled[is_met].astype(np.int64), places
        rest = rest[~is_met]
    return whole, found
