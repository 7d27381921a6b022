"""How long a search may take."""

from __future__ import annotations

import math
from typing import Any

from porank.ensemble.degrees import is_real
from porank.errors import PorankError


def read_seconds(seconds: Any) -> float:
    """Return how many seconds a search may take, infinitely many if nothing is said.

    With 0 it does not begin, and the order comes back that it would have begun with.

    Examples
    --------
    >>> read_seconds(None), read_seconds(0)
    (inf, 0.0)
    >>> read_seconds(-1)
    Traceback (most recent call last):
    porank.errors.PorankError: expected a number of seconds from 0 on, found -1
    """
    if seconds is None:
        return math.inf
    try:
        is_right = is_real(seconds) and bool(seconds >= 0)
    except ArithmeticError:  # which is how a Decimal says that it is no number
        is_right = False
    if not is_right:
        raise PorankError(f"expected a number of seconds from 0 on, found {seconds!r}")
    return float(seconds)
