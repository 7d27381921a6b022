"""Numbers, choices and flags, checked at the door."""

from __future__ import annotations

import math
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.errors import PorankError
from porank.wording import listed

if TYPE_CHECKING:
    from collections.abc import Sequence


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
        is_share = not isinstance(value, (str, bool, np.bool_)) and bool(0 <= value <= 1)
    except (TypeError, ValueError):
        is_share = False
    if not is_share:
        raise PorankError(f"expected a number from 0 to 1 as {name}, found {value!r}")
    return float(value)


def require_amount(value: Any, *, name: str) -> Any:
    """Return `value` as a plain number, or raise an error if it is none that is finite and >= 0.

    Examples
    --------
    >>> require_amount(np.float64(0.5), name="tolerance")
    0.5
    >>> require_amount(True, name="tolerance")
    Traceback (most recent call last):
    porank.errors.PorankError: expected a finite number >= 0 as tolerance, found True
    """
    number = value.item() if isinstance(value, np.generic) else value
    try:
        is_real = isinstance(number, (Real, Decimal)) and not isinstance(number, bool)
        is_amount = is_real and bool(0 <= number < math.inf)
    except ArithmeticError:
        is_amount = False
    if not is_amount:
        raise PorankError(f"expected a finite number >= 0 as {name}, found {value!r:.100}")
    return number


def require_one_of(value: Any, choices: Sequence[str], *, name: str) -> str:
    """Return `value`, or raise an error if it is none of the choices.

    Examples
    --------
    >>> require_one_of("best", ("first", "last"), name="which")
    Traceback (most recent call last):
    porank.errors.PorankError: expected which to be one of 'first', 'last', found 'best'
    """
    if not isinstance(value, str) or value not in choices:
        raise PorankError(f"expected {name} to be one of {listed(choices)}, found {value!r:.100}")
    return value


def require_flag(value: Any, *, name: str) -> bool:
    """Return `value` as a bool, or raise an error if it is none.

    Examples
    --------
    >>> require_flag("yes", name="progress")
    Traceback (most recent call last):
    porank.errors.PorankError: expected progress to be True or False, found 'yes'
    """
    if not isinstance(value, (bool, np.bool_)):
        raise PorankError(f"expected {name} to be True or False, found {value!r:.100}")
    return bool(value)
