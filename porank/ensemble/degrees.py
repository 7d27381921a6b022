"""Numbers that are degrees, thresholds and costs: the fraction that each one stands for.

Whole numbers, fractions and decimals are exact. A float stands for the fraction that was probably
meant.
"""

from __future__ import annotations

from bisect import bisect_left
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Sequence

#: A float as near as this to a degree is that degree; one of fewer bits, as near as it can tell.
CLOSE = 1e-9


def is_real(value: Any) -> bool:
    """Return whether the value is a real number of any type, and no truth value.

    Examples
    --------
    >>> [is_real(value) for value in (Decimal("0.5"), np.float32(0.5), 1, True, "1/2")]
    [True, True, True, False, False]
    """
    return isinstance(value, (Real, Decimal)) and not isinstance(value, bool)


def simple_fraction(number: Any) -> Fraction:
    """Return a finite number as a fraction; a float as the one that was probably meant.

    The nearest fraction with a denominator of at most 10**5 is taken if it is as near as rounding
    explains, else the decimal fraction that Python prints. Only 0 becomes 0.

    Examples
    --------
    >>> simple_fraction(0.1), simple_fraction(2 / 3), simple_fraction(0.12345678901)
    (Fraction(1, 10), Fraction(2, 3), Fraction(12345678901, 100000000000))
    >>> simple_fraction(1e-15) == Fraction(1, 10**15), simple_fraction(np.float32(0.7))
    (True, Fraction(7, 10))
    """
    if type(number) is Fraction:
        return number
    if isinstance(number, Rational):
        return Fraction(int(number.numerator), int(number.denominator))
    if isinstance(number, Decimal):
        return Fraction(number)
    # Floats of other sizes than 64 bits print the digits that they have.
    whole = Fraction(str(number) if isinstance(number, np.floating) else repr(float(number)))
    near = whole.limit_denominator(10**5)
    rounding = min(Fraction(1, 10**14), abs(whole) / 10**10)
    return near if abs(near - whole) <= rounding else whole


def is_positive_share(value: Any) -> bool:
    """Return whether the value is a number above 0 and at most 1.

    Examples
    --------
    >>> [is_positive_share(value) for value in (Decimal(1), 0, Decimal("nan"), "1/2")]
    [True, False, False, False]
    """
    try:
        return is_real(value) and bool(0 < value <= 1)
    except ArithmeticError:  # which is how a Decimal says that it is no number
        return False


def precision_of(kind: type) -> float:
    """Return how far a number of this type may be from a degree to be it; 0 for exact types.

    Examples
    --------
    >>> precision_of(Fraction), precision_of(float), precision_of(np.float32) > 1e-7
    (0.0, 1e-09, True)
    """
    if issubclass(kind, np.floating):
        return max(CLOSE, 2 * float(np.finfo(kind).eps))
    return 0.0 if issubclass(kind, (Rational, Decimal)) else CLOSE


def read_threshold(alpha: Any) -> tuple[Fraction, float]:
    """Return a threshold as a fraction, and how far a degree may be from it to be it.

    Examples
    --------
    >>> read_threshold(Fraction(2, 3)), read_threshold(0.75)
    ((Fraction(2, 3), 0.0), (Fraction(3, 4), 1e-09))
    >>> read_threshold("2/3")
    Traceback (most recent call last):
    porank.errors.PorankError: expected a threshold above 0 and at most 1, found '2/3'
    """
    if not is_positive_share(alpha):
        raise PorankError(f"expected a threshold above 0 and at most 1, found {alpha!r}")
    return simple_fraction(alpha), precision_of(type(alpha))


def place_of_threshold(values: Sequence[Fraction], alpha: Fraction, tolerance: float) -> int:
    """Return the place of the degree that is meant by a threshold, or else of the next above it.

    It is that of the nearest degree, if this is within the tolerance; never 0, the place of
    degree 0.

    Examples
    --------
    >>> values = [Fraction(0), Fraction(3, 10), Fraction(7, 10), Fraction(1)]
    >>> [place_of_threshold(values, simple_fraction(x), CLOSE) for x in (1e-10, 0.3 + 1e-10, 0.4)]
    [1, 1, 2]
    """
    above = bisect_left(values, alpha)
    around = range(max(above - 1, 1), above + 1)
    nearest = min(around, key=lambda place: abs(values[place] - alpha))
    return nearest if abs(values[nearest] - alpha) <= tolerance else above
