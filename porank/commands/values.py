"""What is written after an option: names, numbers, files."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from fractions import Fraction

#: So long a number may be, and so large its exponent: nobody means more.
_LONGEST = 30
_LARGEST = 20


def fraction(text: str) -> Fraction:
    """Return a number as it is written: 0.7, 2/3.

    Examples
    --------
    >>> fraction("2/3"), fraction("0.7")
    (Fraction(2, 3), Fraction(7, 10))
    """
    exponent = re.search(r"e([+-]?[0-9]+)$", text.strip().lower())
    try:
        if len(text) <= _LONGEST and (not exponent or abs(int(exponent[1])) <= _LARGEST):
            return Fraction(text)
    except (ValueError, ZeroDivisionError):
        pass
    raise ArgumentTypeError(f"expected a number such as 0.7 or 2/3, found {text!r:.60}") from None


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
