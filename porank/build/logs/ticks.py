"""Amounts of time in whole ticks, so that no two equal ones are told apart.

Idea: *0.3 - 0.2 is not 0.1 in floats, but 3 - 2 is 1.* A float is taken for the decimal that was
probably meant, and all decimals for multiples of the finest of them.
"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: More decimal places than these are not looked for.
_PLACES = 9
#: All whole numbers below are floats too.
_MOST = 2.0**53


class Ticks(NamedTuple):
    """Amounts as whole numbers of ticks, and how many ticks make 1; of floats the unit is 0."""

    amount: NDArray[Any]
    unit: int

    def threshold(self, tolerance: Any) -> int | float:
        """Return the most that a difference may be if it is not to exceed the tolerance.

        Examples
        --------
        >>> Ticks(np.array([1, 2]), 10).threshold(0.3), Ticks(np.array([1.5]), 0).threshold(0.3)
        (3, 0.3)
        """
        if not self.unit:
            return float(tolerance)
        return min(math.floor(_exact(tolerance) * self.unit), np.iinfo(np.int64).max)


def _exact(number: Any) -> Fraction:
    """Return the decimal that was probably meant by a float, or the number itself."""
    if isinstance(number, (Fraction, int, Decimal)):
        return Fraction(number)
    return Fraction(repr(float(number)))


def in_ticks(values: NDArray[Any]) -> Ticks:
    """Return times, all of them known, or amounts, unknown ones as 0, as whole numbers.

    Floats are rounded to nine decimal places, or to as many as a float has besides the largest.

    Examples
    --------
    >>> in_ticks(np.array([0.1, 0.25, 3.0]))
    Ticks(amount=array([ 10,  25, 300]), unit=100)
    >>> in_ticks(np.array(["1970-01-01T00:00:01"], dtype="M8[ns]")).unit
    1000000000
    """
    if values.dtype.kind in "mM":
        return Ticks(values.view(np.int64), 10**9 if values.dtype.kind == "M" else 1)
    known = np.where(np.isnan(values), 0.0, values)
    largest = float(np.abs(known).max(initial=0.0))
    if largest >= _MOST:
        return Ticks(known, 0)
    most = max(places for places in range(_PLACES + 1) if largest * 10**places < _MOST)
    whole, finest = np.zeros(known.size, dtype=np.int64), 0
    rest = np.arange(known.size)
    for places in range(most + 1):
        scaled = np.rint(known[rest] * 10.0**places)
        is_met = (scaled / 10.0**places == known[rest]) | (places == most)
        if is_met.any():
            whole *= 10 ** (places - finest)
            finest = places
            whole[rest[is_met]] = scaled[is_met].astype(np.int64)
            rest = rest[~is_met]
    return Ticks(whole, 10**finest)
