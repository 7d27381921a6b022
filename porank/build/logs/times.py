"""Times in a log, exactly: whole numbers, decimals or dates, and what is none of these.

Idea: *an array knows of what kind its times are.* Whole numbers are spans of no unit and dates are
nanoseconds, both of 64 bits, so that none is rounded and NaT stands where there is none; only other
numbers are floats.
"""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.build.logs.cutting import Texts, spread
from porank.build.logs.labels import is_missing
from porank.build.logs.values import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.build.logs.labels import Faults

#: The kinds of arrays that hold whole numbers (as spans of no unit) and dates.
_WHOLE, _DATES = np.dtype("m8"), np.dtype("M8[ns]")
_NO_DATE = np.datetime64("NaT", "ns")
_NO_TIME = np.iinfo(np.int64).min
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
#: The years whose nanoseconds fit into 64 bits.
_FIRST_YEAR, _LAST_YEAR = 1678, 2261
_EXPECTED = "expected a finite number or a date in ISO 8601 as {name}, found {value}"
_EXPECTED_YEAR = f"expected a date from {_FIRST_YEAR} to {_LAST_YEAR} as {{name}}, found {{value}}"
_EXPECTED_KIND = "expected {kind} as {name}, like the times before, found {value}"


class TimeReader:
    """What reads the times of one log: all of them are dates, or none is.

    Examples
    --------
    >>> read = TimeReader()
    >>> times, faults = read(["1970-01-01T00:01:00.1Z", "1970-01-01 00:00:01 UTC", "7"], "time")
    >>> times.astype(int).tolist()[:2]
    [60100000000, 1000000000]
    >>> faults
    [(2, "expected a date as time, like the times before, found '7'")]
    >>> TimeReader()(["5", "", "x"], "time")[0].view(np.int64).tolist()[0]
    5
    """

    def __init__(self) -> None:
        self._is_date: bool | None = None

    def __call__(self, values: Any, name: str) -> tuple[NDArray[Any], Faults]:
        """Return times as an array of their kind, NaT or nan where there is none, and faults."""
        if isinstance(values, Texts):
            return spread(*self(values.different, name), values.index)
        found = _read_at_once(values)
        if found is None:
            return self._read_singly(list(values), name)
        if np.isnan(found).all():
            return found, []
        if self._is_date is None:
            self._is_date = found.dtype.kind == "M"
        is_infinite = found.dtype.kind == "f" and np.isinf(found).any()
        if self._is_date is (found.dtype.kind == "M") and not is_infinite:
            return found, []
        return self._read_singly(list(values), name)

    def _read_singly(self, plain: Sequence[Any], name: str) -> tuple[NDArray[Any], Faults]:
        """Return the same where not all is plain; each different value is looked at once."""
        times: list[Any] = []
        faults: Faults = []
        known: dict[tuple[type, Any], Any] = {}
        for place, value in enumerate(plain):
            time = None
            try:
                if not is_missing(value):
                    key = (type(value), value)
                    if key not in known:
                        known[key] = self._of_kind(_time_of(value), value, name)
                    time = known[key]
            except _MisfitError as misfit:
                faults.append((place, str(misfit)))
            except (TypeError, ValueError, ArithmeticError):
                faults.append((place, _EXPECTED.format(name=name, value=shown(value))))
            times.append(time)
        return _as_array(times), faults

    def _of_kind(self, time: Any, value: Any, name: str) -> Any:
        """Return a time if it is of the kind of the first one."""
        is_date = isinstance(time, np.datetime64)
        if self._is_date is None:
            self._is_date = is_date
        if self._is_date is not is_date:
            kind = "a date" if self._is_date else "a number"
            raise _MisfitError(_EXPECTED_KIND.format(kind=kind, name=name, value=shown(value)))
        if is_date and np.isnat(time):
            raise _MisfitError(_EXPECTED_YEAR.format(name=name, value=shown(value)))
        return time


class _MisfitError(ValueError):
    """A time that others do not let stand."""


def _read_at_once(values: Any) -> NDArray[Any] | None:
    """Return all times of an array or a list if they are plain, else None."""
    if not isinstance(values, np.ndarray):
        return _read_list(values)
    kind = values.dtype.kind
    if kind == "f":
        return values.astype(np.float64)
    if kind in "iu":
        fits = not values.size or int(values.max()) <= np.iinfo(np.int64).max
        return values.astype(np.int64).view(_WHOLE) if fits else None
    if kind == "M":
        low, high = np.datetime64(f"{_FIRST_YEAR}", "Y"), np.datetime64(f"{_LAST_YEAR}", "Y")
        years = values[~np.isnat(values)].astype("M8[Y]")
        fits = bool(np.all((years >= low) & (years <= high)))
        return values.astype(_DATES) if fits else None
    return _read_list(values.tolist()) if kind in "OU" else None


def _read_list(plain: Any) -> NDArray[Any] | None:
    """Return times that are numbers or texts of numbers, whole ones exactly, else None."""
    types = set(map(type, plain))
    if not types <= {str, int, float} or "_" in "".join(t for t in plain if type(t) is str):
        return None
    try:
        if float not in types:
            return np.array(list(map(int, plain)), dtype=np.int64).view(_WHOLE)
    except (ValueError, OverflowError):
        pass
    try:
        return np.array(list(map(float, plain)), dtype=np.float64)
    except (ValueError, OverflowError):
        return None


def _time_of(value: Any) -> Any:
    """Return an int, a float or a datetime64 in nanoseconds, NaT if it lies too far off."""
    if isinstance(value, (bool, np.bool_)) or (isinstance(value, str) and "_" in value):
        raise TypeError
    if isinstance(value, str):
        try:
            return _number_of(float(value), value)
        except ValueError:
            value = datetime.fromisoformat(value.strip().removesuffix("UTC").rstrip())
    if isinstance(value, np.datetime64):
        found = _read_at_once(np.array([value]))
        return _NO_DATE if found is None else found[0]
    if isinstance(value, date):
        return _date_of(value)
    return _number_of(float(value), value)


def _number_of(number: float, value: Any) -> int | float:
    """Return an integer, or a text of one, as an int if 64 bits hold it, else a finite float."""
    if not math.isfinite(number):
        raise ValueError
    is_whole = isinstance(value, (int, np.integer)) or (
        isinstance(value, str) and value.strip("+- ").isdigit()
    )
    return int(value) if is_whole and abs(number) < 2**63 else number


def _date_of(value: date) -> np.datetime64:
    """Return a date, by itself or with the time of day, UTC if it names no other zone."""
    if not _FIRST_YEAR <= value.year <= _LAST_YEAR:
        return _NO_DATE
    if not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    aware = value if value.tzinfo else value.replace(tzinfo=UTC)
    # Timestamps of pandas are finer than a datetime.
    finer = getattr(value, "nanosecond", 0)
    nanoseconds = (aware - _EPOCH) // timedelta(microseconds=1) * 1000 + finer
    return np.datetime64(nanoseconds, "ns")


def _as_array(times: list[Any]) -> NDArray[Any]:
    """Return times of one kind as an array, None as no time."""
    types = {type(time) for time in times if time is not None}
    if types == {int}:
        whole = [_NO_TIME if time is None else time for time in times]
        return np.array(whole, dtype=np.int64).view(_WHOLE)
    if types == {np.datetime64}:
        return np.array([_NO_DATE if t is None else t for t in times], dtype=_DATES)
    return np.array([math.nan if time is None else time for time in times], dtype=np.float64)


def of_one_kind(parts: Sequence[NDArray[Any]]) -> list[NDArray[Any]]:
    """Return the parts of a column such that they can be put together.

    A part without any time does not know of which kind it is, and whole numbers give way to others.

    Examples
    --------
    >>> parts = [np.array([7]).view("m8"), np.array([0.5, np.nan])]
    >>> np.concatenate(of_one_kind(parts)).tolist()
    [7.0, 0.5, nan]
    >>> [part.dtype.kind for part in of_one_kind([np.array([np.nan]), np.array(["NaT"], "M8[ns]")])]
    ['M', 'M']
    """
    kinds = {part.dtype.kind for part in parts}
    if len(kinds) == 1 or not kinds & {"m", "M"}:
        return list(parts)
    if "M" in kinds:
        return [part if part.dtype.kind == "M" else np.full(part.size, _NO_DATE) for part in parts]
    return [as_numbers(part) for part in parts]


def as_numbers(times: NDArray[Any]) -> NDArray[np.float64]:
    """Return times as floats: numbers as they are, dates in seconds since 1970 in UTC.

    Examples
    --------
    >>> as_numbers(np.array(["1970-01-01T00:00:01.5", "NaT"], "M8[ns]")).tolist()
    [1.5, nan]
    """
    if times.dtype.kind == "f":
        return times
    unit = 1e9 if times.dtype.kind == "M" else 1.0
    return np.where(np.isnat(times), np.nan, times.view(np.int64) / unit)
