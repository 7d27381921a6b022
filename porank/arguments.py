"""Numbers that say how many and how likely, checked at the door."""

from __future__ import annotations

from typing import Any

import numpy as np

from porank.errors import PorankError


def require_count(n: Any, *, name: str = "n", least: int = 0) -> int:
    """Return `n` as an int, or raise an error if it is no whole number of at least `least`.

    Examples
    --------
    >>> require_count(3)
    3
    >>> require_count(True)
    Traceback (most recent call last):
    porank.errors.PorankError: expected a whole number of at least 0 as n, found True
    """
    try:
        whole = n.__index__()
    except (AttributeError, TypeError):
        whole = least - 1
    if isinstance(n, (bool, np.bool_)) or whole < least:
        raise PorankError(f"expected a whole number of at least {least} as {name}, found {n!r}")
    return int(whole)


def require_share(value: Any, name: str) -> float:
    """Return `value` as a float, or raise an error if it does not lie in [0, 1].

    Examples
    --------
    >>> require_share(1, "dispersion")
    1.0
    """
    try:
        is_share = not isinstance(value, str) and bool(0 <= value <= 1)
    except (TypeError, ValueError):
        is_share = False
    if not is_share:
        raise PorankError(f"expected a number from 0 to 1 as {name}, found {value!r}")
    return float(value)
