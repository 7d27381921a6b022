"""Positions and amounts in a log, as floats; and what is none of these."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.build.logs.cutting import Texts, spread
from porank.build.logs.labels import is_missing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.build.logs.labels import Faults
    from porank.typing import Numbers


#: Whole numbers from here on are not all floats.
_MOST = 2.0**53


def read_whole(values: Any, name: str) -> tuple[NDArray[np.float64], Faults]:
    """Return whole numbers from 0 on as floats, nan where there is none.

    Examples
    --------
    >>> numbers, faults = read_whole(["1", "", "2.5"], "position")
    >>> numbers.tolist(), faults
    ([1.0, nan, nan], [(2, "expected a whole number >= 0 as position, found '2.5'")])
    """
    expected = f"expected a whole number >= 0 as {name}"
    numbers, faults = _read(values, expected)
    is_broken = (numbers < 0) | np.isinf(numbers) | (numbers != np.floor(numbers))
    broken = np.flatnonzero(is_broken & ~np.isnan(numbers))
    numbers, faults = _with_broken(numbers, faults, broken, values, expected)
    expected = f"expected a whole number below 2**53 as {name}"
    return _with_broken(numbers, faults, np.flatnonzero(numbers >= _MOST), values, expected)


def read_amounts(values: Any, name: str) -> tuple[NDArray[np.float64], Faults]:
    """Return numbers >= 0 as floats, nan where there is none.

    Examples
    --------
    >>> read_amounts(np.array([0.5, -1.0]), "dwell")[1]
    [(1, 'expected a finite number >= 0 as dwell, found -1.0')]
    """
    expected = f"expected a finite number >= 0 as {name}"
    numbers, faults = _read(values, expected)
    broken = np.flatnonzero((numbers < 0) | np.isinf(numbers))
    return _with_broken(numbers, faults, broken, values, expected)


def _read(values: Any, expected: str) -> tuple[NDArray[np.float64], Faults]:
    """Convert all values at once where they allow it, else each different one once."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
        return values.astype(np.float64), []
    if isinstance(values, Texts):
        return spread(*_read(values.different, expected), values.index)
    plain = values.tolist() if isinstance(values, np.ndarray) else values
    try:
        if not set(map(type, plain)) <= {str, int, float}:
            raise TypeError
        if "_" not in "".join(value for value in plain if type(value) is str):
            return np.array(list(map(float, plain)), dtype=np.float64), []
    except (TypeError, ValueError, OverflowError):
        pass
    return _read_singly(plain, expected)


def _read_singly(plain: Any, expected: str) -> tuple[NDArray[np.float64], Faults]:
    numbers = np.full(len(plain), math.nan)
    faults: Faults = []
    known: dict[tuple[type, Any], float] = {}
    for place, value in enumerate(plain):
        if is_missing(value):
            continue
        try:
            key = (type(value), value)
            if key not in known:
                known[key] = _convert_one(value)
            numbers[place] = known[key]
        except (TypeError, ValueError, ArithmeticError):
            faults.append((place, f"{expected}, found {value!r}"))
    return numbers, faults


def _convert_one(value: Any) -> float:
    if isinstance(value, (bool, np.bool_)) or (isinstance(value, str) and "_" in value):
        raise TypeError
    return float(value)


def _with_broken(
    numbers: NDArray[np.float64], faults: Faults, broken: Numbers, values: Any, expected: str
) -> tuple[NDArray[np.float64], Faults]:
    """Add the places whose numbers are none of those expected."""
    if not broken.size:
        return numbers, faults
    numbers[broken] = math.nan
    more = [(place, f"{expected}, found {shown(values[place])}") for place in broken.tolist()]
    return numbers, sorted([*faults, *more])


def shown(value: Any) -> str:
    """Return a value for a message, without the name of its NumPy type.

    Examples
    --------
    >>> shown(np.int64(3))
    '3'
    """
    if isinstance(value, np.datetime64):
        return str(value)
    return repr(value.item() if isinstance(value, np.generic) else value)
