"""What a measure gives where it is 0/0: one policy for all."""

from __future__ import annotations

from numbers import Real
from typing import Any

from porank.errors import PorankError, UndefinedError


def ratio(numerator: Any, denominator: Any, *, undefined: Any, why: str) -> float:
    """Return the quotient as a float, or what stands for 0/0 if the denominator is 0.

    Parameters
    ----------
    numerator, denominator : numbers
        Whole numbers where the measure is rational, so that the quotient is rounded once.
    undefined : float or "raise"
        The value to give for 0/0, as the caller of the measure said.
    why : str
        What makes it undefined, for the error: "... the target decides no pair".

    Examples
    --------
    >>> ratio(1, 3, undefined=0.0, why="")
    0.3333333333333333
    >>> ratio(0, 0, undefined=0.5, why="no pair is decided by both")
    0.5
    >>> ratio(0, 0, undefined="raise", why="no pair is decided by both")
    Traceback (most recent call last):
    porank.errors.UndefinedError: expected a defined value, found 0/0: no pair is decided by both
    """
    if denominator:
        require_choice(undefined)
        return float(numerator / denominator)
    return value_for_undefined(undefined, why=why)


def value_for_undefined(undefined: Any, *, why: str) -> float:
    """Return the value that the caller wants for an undefined measure, or raise.

    Examples
    --------
    >>> value_for_undefined(0, why="no item")
    0.0
    """
    require_choice(undefined)
    if isinstance(undefined, str):
        raise UndefinedError(f"expected a defined value, found 0/0: {why}", why=why)
    return float(undefined)


def require_choice(undefined: Any) -> None:
    """Raise an error unless `undefined` is a number or ``"raise"``.

    Examples
    --------
    >>> require_choice("raise")
    >>> require_choice("ignore")
    Traceback (most recent call last):
    porank.errors.PorankError: expected a number or 'raise' as undefined, found 'ignore'
    """
    is_raise = isinstance(undefined, str) and undefined == "raise"
    if not is_raise and not isinstance(undefined, Real):
        raise PorankError(f"expected a number or 'raise' as undefined, found {undefined!r}")
