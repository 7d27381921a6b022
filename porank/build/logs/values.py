"""Positions, times and amounts in a log, as floats; and what is none of these."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.build.logs.cutting import Texts
from porank.build.logs.labels import is_missing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from porank.build.logs.labels import Faults
    from porank.typing import Numbers


def read_whole(values: Any, name: str) -> tuple[NDArray[np.float64], Faults]:
    """Return whole numbers as floats, nan where there is none.

    Examples
    --------
    >>> numbers, faults = read_whole(["1", "", "2.5"], "position")
    >>> numbers.tolist(), faults
    ([1.0, nan, nan], [(2, "expected a whole number as position, found '2.5'")])
    """
    numbers, faults = _read(values, float, f"expected a whole number as {name}")
    broken = np.flatnonzero(np.isfinite(numbers) & (numbers != np.floor(numbers)))
    broken = np.concatenate([broken, np.flatnonzero(np.isinf(numbers))])
    return _with_broken(numbers, faults, broken, values, f"expected a whole number as {name}")


def read_amounts(values: Any, name: str) -> tuple[NDArray[np.float64], Faults]:
    """Return numbers >= 0 as floats, nan where there is none.

    Examples
    --------
    >>> read_amounts(np.array([0.5, -1.0]), "dwell")[1]
    [(1, 'expected a finite number >= 0 as dwell, found -1.0')]
    """
    expected = f"expected a finite number >= 0 as {name}"
    numbers, faults = _read(values, float, expected)
    broken = np.flatnonzero((numbers < 0) | np.isinf(numbers))
    return _with_broken(numbers, faults, broken, values, expected)


def read_times(values: Any, name: str) -> tuple[NDArray[np.float64], Faults]:
    """Return times as floats, dates in seconds since 1970 in UTC, nan where there is none.

    Examples
    --------
    >>> read_times(["1970-01-01T00:01:00Z", "1970-01-01 00:00:01 UTC", "7"], "time")[0].tolist()
    [60.0, 1.0, 7.0]
    >>> read_times(np.array(["1970-01-02"], dtype="datetime64[D]"), "time")[0].tolist()
    [86400.0]
    """
    expected = f"expected a finite number or a date in ISO 8601 as {name}"
    if isinstance(values, np.ndarray) and values.dtype.kind == "M":
        seconds = values.astype("datetime64[us]").astype(np.int64) / 1e6
        seconds[np.isnat(values)] = math.nan
        return seconds, []
    numbers, faults = _read(values, _seconds, expected)
    return _with_broken(numbers, faults, np.flatnonzero(np.isinf(numbers)), values, expected)


def _seconds(value: Any) -> float:
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            value = datetime.fromisoformat(value.strip().removesuffix("UTC").rstrip())
    if isinstance(value, np.datetime64):
        return float(value.astype("datetime64[us]").astype(np.int64)) / 1e6
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    if isinstance(value, datetime):
        aware = value if value.tzinfo else value.replace(tzinfo=UTC)
        return aware.timestamp()
    return float(value)


def _read(
    values: Any, convert: Callable[[Any], float], expected: str
) -> tuple[NDArray[np.float64], Faults]:
    """Convert all values at once where they allow it, else each different one once."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
        return values.astype(np.float64), []
    if isinstance(values, Texts):
        numbers, faults = _read(values.different, convert, expected)
        wrong = dict(faults)
        places = np.flatnonzero(np.isin(values.index, list(wrong))).tolist()
        return numbers[values.index], [(place, wrong[int(values.index[place])]) for place in places]
    plain = values.tolist() if isinstance(values, np.ndarray) else values
    try:
        if not set(map(type, plain)) <= {str, int, float}:
            raise TypeError
        if "_" not in "".join(value for value in plain if type(value) is str):
            return np.array(list(map(float, plain)), dtype=np.float64), []
    except (TypeError, ValueError, OverflowError):
        pass
    return _read_singly(plain, convert, expected)


def _read_singly(
    plain: Any, convert: Callable[[Any], float], expected: str
) -> tuple[NDArray[np.float64], Faults]:
    numbers = np.full(len(plain), math.nan)
    faults: Faults = []
    known: dict[tuple[type, Any], float] = {}
    for place, value in enumerate(plain):
        if is_missing(value):
            continue
        try:
            key = (type(value), value)
            if key not in known:
                known[key] = _convert_one(value, convert)
            numbers[place] = known[key]
        except (TypeError, ValueError, ArithmeticError):
            faults.append((place, f"{expected}, found {value!r}"))
    return numbers, faults


def _convert_one(value: Any, convert: Callable[[Any], float]) -> float:
    if isinstance(value, (bool, np.bool_)) or (isinstance(value, str) and "_" in value):
        raise TypeError
    return convert(value)


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
    return repr(value.item() if isinstance(value, np.generic) else value)


def in_parts(length: int, size: int) -> Iterator[slice]:
    """Yield slices of `size`, the last one shorter, that cover `length` places.

    Examples
    --------
    >>> list(in_parts(5, 2))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    return (slice(first, min(first + size, length)) for first in range(0, length, size))
