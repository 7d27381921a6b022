"""Exact sums: numbers are the fractions that they are, and are added without rounding."""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Rational, Real
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

#: From here on exact sums would take seconds: their denominators have as many digits as terms.
MANY = 10_000


def is_number(value: Any) -> bool:
    """Return whether the value is a real number as Python understands it.

    Examples
    --------
    >>> is_number(0.5), is_number("1/2")
    (True, False)
    """
    return isinstance(value, Real)


def as_fraction(number: Any) -> Fraction:
    """Return a finite number as the fraction that it is.

    Examples
    --------
    >>> as_fraction(0.75), as_fraction(3)
    (Fraction(3, 4), Fraction(3, 1))
    """
    if isinstance(number, Rational):
        return Fraction(int(number.numerator), int(number.denominator))
    return Fraction(float(number))


def exact_sum(terms: Iterable[Fraction | int]) -> Fraction:
    """Return the sum of fractions, exact up to `MANY` terms.

    Examples
    --------
    >>> exact_sum(Fraction(1, n) for n in range(1, 5))
    Fraction(25, 12)

    Notes
    -----
    Neighbours are added in pairs, then the sums of neighbours, and so on: most additions are then
    of short fractions. Of more than `MANY` terms each is rounded to a float, and so is their sum.
    """
    sums = list(terms)
    if len(sums) > MANY:
        return Fraction(math.fsum(map(float, sums)))
    while len(sums) > 1:
        last = sums[len(sums) - len(sums) % 2 :]
        sums = [one + other for one, other in zip(sums[::2], sums[1::2], strict=False)] + last
    return Fraction(*sums)
