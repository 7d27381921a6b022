"""What is written after an option: names, numbers, files."""

from __future__ import annotations

import math
import re
from argparse import ArgumentTypeError
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

#: So long a number may be, and so large its exponent: nobody means more.
_LONGEST = 30
_LARGEST = 20
#: A number with or without a point and an exponent, or two whole ones with a stroke between them.
_NUMBER = re.compile(
    r"\s*[+-]?(?:[0-9]+/[0-9]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?)\s*", re.ASCII
)


def fraction(text: str) -> Fraction:
    """Return a number as it is written: 0.7, 2/3.

    Examples
    --------
    >>> fraction("2/3"), fraction("0.7")
    (Fraction(2, 3), Fraction(7, 10))
    """
    number = _NUMBER.fullmatch(text)
    # What has a large exponent is short to write and endless to make.
    if number and (len(text) > _LONGEST or abs(int(number[1] or 0)) > _LARGEST):
        raise ArgumentTypeError(
            f"expected at most {_LONGEST} signs and an exponent from -{_LARGEST} to {_LARGEST}, "
            f"found {text!r:.60}"
        )
    with suppress(ZeroDivisionError):
        if number:
            return Fraction(text)
    raise ArgumentTypeError(f"expected a number such as 0.7 or 2/3, found {text!r:.60}")


def sign(text: str) -> str:
    r"""Return a sign, a tab for ``\t``, which no shell user can type.

    Examples
    --------
    >>> sign(";"), sign(r"\t")
    (';', '\t')
    """
    return "\t" if text == r"\t" else text


def whole(lowest: int, highest: int | None = None) -> Callable[[str], int]:
    """Return what reads a whole number from the lowest to the highest.

    Examples
    --------
    >>> whole(0)("12")
    12
    >>> whole(10, 2400)("1")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: expected a whole number from 10 to 2400, found '1'
    """

    def read(text: str) -> int:
        is_number = len(text) <= _LONGEST and re.fullmatch(r"\s*[+-]?[0-9]+\s*", text)
        number = int(text) if is_number else lowest - 1
        if number < lowest or (highest is not None and number > highest):
            end = "on" if highest is None else f"to {highest}"
            raise ArgumentTypeError(
                f"expected a whole number from {lowest} {end}, found {text!r:.60}"
            )
        return number

    return read


def seconds(text: str) -> float:
    """Return a number of seconds.

    Examples
    --------
    >>> seconds("2.5")
    2.5
    """
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise ArgumentTypeError(
            f"expected a number of seconds, such as 60 or 0.5, found {text!r:.60}"
        )
    return number


def names(text: str) -> tuple[str, ...]:
    """Return names with commas between them.

    Examples
    --------
    >>> names("user, query")
    ('user', 'query')
    """
    found = tuple(name.strip() for name in text.split(","))
    if not all(found):
        raise ArgumentTypeError(f"expected names with a comma between them, found {text!r}")
    return found


def filled(text: str) -> str:
    """Return what was given, which must not be empty.

    Examples
    --------
    >>> filled("taste.csv")
    'taste.csv'
    """
    if not text.strip():
        raise ArgumentTypeError(f"expected a name, found {text!r}")
    return text
