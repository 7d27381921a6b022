"""Amounts of time in whole ticks, so that no two equal ones are told apart.

Idea: *0.3 - 0.2 is not 0.1 in floats, but 3 - 2 is 1.* A float is taken for the decimal that was
probably meant, and all decimals for multiples of the finest of them.
"""

from __future__ import annotations

import math
import sys
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arrays import run_starts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Numbers

#: More decimal places than these are not looked for.
_PLACES = 9
#: All whole numbers below are floats too.
_MOST = 2.0**53
#: Ticks have fewer bits than these, so that the difference of two is a whole number of 64 bits.
_BITS = 61


class Ticks(NamedTuple):
    """Amounts as whole numbers of ticks, and how many ticks make 1: all alike in a session."""

    amount: Numbers
    unit: NDArray[np.float64]

    def threshold(self, tolerance: Any) -> Numbers:
        """Return the most that a difference may be, for each amount, and not exceed the tolerance.

        Examples
        --------
        >>> Ticks(np.array([1, 2]), np.array([10.0, 100.0])).threshold(0.3)
        array([ 3, 30])
        """
        starts = run_starts(self.unit)
        units, which = np.unique(self.unit[starts], return_inverse=True)
        most = np.iinfo(np.int64).max
        limits = [min(math.floor(_meant(tolerance, unit) * Fraction(unit)), most) for unit in units]
        sizes = np.diff(starts, append=self.unit.size)
        return np.repeat(np.array(limits, dtype=np.int64)[which], sizes)


def _meant(number: Any, unit: float) -> Fraction:
    """Return the decimal that was probably meant by a float, or the number itself."""
    exact = Fraction(
        number if isinstance(number, (Fraction, int, Decimal)) else repr(float(number))
    )
    # Where a tick is more than 1, amounts are floats: no decimal was meant by them either.
    return exact if unit >= 1 else Fraction(float(min(exact, Fraction(sys.float_info.max))))


def in_ticks(values: NDArray[Any], starts: Numbers) -> Ticks:
    """Return times or amounts as whole numbers; unknown ones are anything.

    Floats are rounded to nine decimal places, or to as many as a float has besides the largest of
    its session: what one session holds does not change another.

    Parameters
    ----------
    values : array
        Floats, spans or dates, sorted by session.
    starts : array of int
        Where each session begins.

    Examples
    --------
    >>> in_ticks(np.array([0.1, 0.25, 3.0]), np.array([0, 2]))
    Ticks(amount=array([10, 25,  3]), unit=array([100., 100.,   1.]))
    >>> in_ticks(np.array(["1970-01-01T00:00:01"], dtype="M8[ns]"), np.array([0])).unit
    array([1.e+09])

    Notes
    -----
    Time O(values).
    """
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
    """Return each number as a whole one, and after how many decimal places: the fewest, or most."""
    whole, found = np.zeros((2, known.size), dtype=np.int64)
    rest = np.arange(known.size)
    for places in range(_PLACES + 1):
        scaled = np.rint(known[rest] * 10.0**places)
        is_met = (scaled / 10.0**places == known[rest]) | (most[rest] == places)
        whole[rest[is_met]], found[rest[is_met]] = scaled[is_met].astype(np.int64), places
        rest = rest[~is_met]
    return whole, found
