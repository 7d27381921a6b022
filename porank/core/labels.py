"""The cells of a column as numbers: labels coded, times exact, positions and amounts as floats.

Whatever a column is (an array, a list, texts of which each different one is kept once), a reader
returns an array with a number for each row, and the rows where there is none with what is wrong.
Where a column is plain, all of it is read at once; else each value is looked at.

Idea: *an array knows of what kind its times are.* Whole numbers are spans of no unit and dates are
nanoseconds, both of 64 bits, so that none is rounded and NaT stands where there is none; only other
numbers are floats.

Labels: `Labels`. Numbers: `read_whole`, `read_amounts`,
`read_finite`, `read_probabilities`. Times: `TimeReader`, `of_one_kind`, `as_numbers`. Single
values: `is_missing`, `shown`.
"""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import holds
from porank.core.arrays import grouped, inverse_of, labels_as_array
from porank.core.columns import Texts, spread
from porank.core.files import require_utf8
from porank.errors import ParseError, with_article

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from porank.typing import Numbers


#: Positions in a block and what is wrong there.
Faults = list[tuple[int, str]]


class Labels:
    """The labels of a column (users, items, events), numbered as they come."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._numbers: dict[Any, int] = {}
        self._plain: list[Any] = []
        self._wrong: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._plain)

    def values(self) -> list[Any]:
        """Return the labels by number, as plain Python values: a list that grows with them."""
        return self._plain

    def as_array(self) -> NDArray[Any]:
        """Return the labels by number as an array: of integers if all are, else of objects."""
        return labels_as_array(self.values())

    def encode(self, values: Any) -> tuple[Numbers, Faults]:
        """Code a column of labels: return the number of each, -1 for none, and what is wrong."""
        if isinstance(values, Texts):
            return spread(*self._encode_list(values.different), values.index)
        if isinstance(values, np.ndarray) and values.dtype.kind in "iu":
            order, starts = grouped(values)
            index = np.empty_like(order)
            index[order] = np.repeat(np.arange(starts.size), np.diff(starts, append=order.size))
            appearing = np.argsort(order[starts])
            codes, faults = self._encode_list(values[order[starts[appearing]]].tolist())
            return spread(codes, faults, inverse_of(appearing)[index])
        return self._encode_list(_as_list(values) if isinstance(values, np.ndarray) else values)

    def _encode_list(self, plain: Sequence[Any]) -> tuple[Numbers, Faults]:
        try:
            new = [label for label in dict.fromkeys(plain) if label not in self._numbers]
        except TypeError:
            return self._encode_hashable(plain)
        known = len(self._numbers)
        self._numbers.update(zip(new, count(known)))
        self._plain += map(_as_plain, new)
        if not _are_all_plain(new):
            faults = (_fault_of_label(label, self.name) for label in new)
            self._wrong |= {number: fault for number, fault in enumerate(faults, known) if fault}
        codes = np.fromiter(map(self._numbers.__getitem__, plain), np.int64, len(plain))
        places = np.flatnonzero(np.isin(codes, list(self._wrong))).tolist()
        faulty = [(place, self._wrong[int(codes[place])]) for place in places]
        codes[places] = -1
        return codes, faulty

    def _encode_hashable(self, plain: Sequence[Any]) -> tuple[Numbers, Faults]:
        """Code those of some labels that are hashable: all others are faults."""
        is_hashable = [holds(lambda label: hash(label) is not None, label) for label in plain]
        places = np.flatnonzero(is_hashable).tolist()
        codes = np.full(len(plain), -1)
        codes[places], faults = self._encode_list([plain[place] for place in places])
        expected = (
            f"expected a hashable {self.name}, found {{!r:.100}}; a tuple or a text can be one"
        )
        unhashable = np.flatnonzero(np.logical_not(is_hashable)).tolist()
        faults = [(places[place], fault) for place, fault in faults]
        return codes, sorted(
            faults + [(place, expected.format(plain[place])) for place in unhashable]
        )


def _as_plain(label: Any) -> Any:
    """Return a label as a plain Python value."""
    return _as_list(np.asarray(label)) if isinstance(label, np.generic) else label


def _as_list(values: NDArray[Any]) -> Any:
    """Return an array of labels as a list; nanoseconds would become whole numbers."""
    return (values.astype("M8[us]") if values.dtype == _DATES else values).tolist()


def is_missing(value: Any) -> bool:
    """Return whether a label is missing: None, NaN, NaT, NA, or a blank text."""
    if isinstance(value, str):
        return not value or value.isspace()
    if value is None or type(value).__name__ == "NAType":
        return True
    return isinstance(value, (float, np.floating, datetime, np.datetime64)) and value != value


def _are_all_plain(labels: list[Any]) -> bool:
    """Return whether all labels are integers, or all of them texts of ASCII that are not blank."""
    types = set(map(type, labels))
    return types == {int} or (
        types == {str} and all(map(str.strip, labels)) and "".join(labels).isascii()
    )


def _fault_of_label(label: Any, name: str) -> str:
    if is_missing(label):
        return f"expected {with_article(name)}, found {label!r}"
    try:
        if isinstance(label, str):
            require_utf8(label)
    except ParseError as error:
        return f"{error.finding}; {error.hint}" if error.hint else error.finding
    return ""


#: Whole numbers from here on are not all floats.
_MOST = 2.0**53


def read_whole(values: Any, name: str) -> tuple[NDArray[np.float64], Faults]:
    """Read labels of whole numbers >= 0 (positions) as floats, nan where there is none."""
    expected = {
        f"expected a whole number >= 0 as {name}": lambda n: (
            (n < 0) | np.isinf(n) | (n != np.floor(n))
        ),
        f"expected a whole number below 2**53 as {name}": lambda n: n >= _MOST,
    }
    return _read_numbers(values, expected)


def read_amounts(values: Any, name: str) -> tuple[NDArray[np.float64], Faults]:
    """Read labels of amounts >= 0 (dwell times) as floats, nan where there is none."""
    expected = {f"expected a finite number >= 0 as {name}": lambda n: (n < 0) | np.isinf(n)}
    return _read_numbers(values, expected)


def read_finite(values: Any, name: str) -> tuple[NDArray[np.float64], Faults]:
    """Read labels of finite numbers (ratings, scores) as floats, nan where there is none."""
    return _read_numbers(values, {f"expected a finite number as {name}": np.isinf})


def read_probabilities(values: Any, name: str) -> tuple[NDArray[np.float64], Faults]:
    """Read labels of numbers from 0 to 1 as floats, nan where there is none."""
    expected = {f"expected a number from 0 to 1 as {name}": lambda n: (n < 0) | (n > 1)}
    return _read_numbers(values, expected)


def _read_numbers(
    values: Any, expected: Mapping[str, Callable[[NDArray[np.float64]], NDArray[np.bool_]]]
) -> tuple[NDArray[np.float64], Faults]:
    """Read labels of numbers as floats, and tell those that are not as expected."""
    if isinstance(values, Texts):
        return spread(*_read_numbers(values.different, expected), values.index)
    found, faults = _array_of(values), Faults()
    if found is None:
        each, faults = _read_each(values, _float_of, f"{next(iter(expected))}, found {{}}")
        found = np.array([math.nan if number is None else number for number in each])
    numbers = found.astype(np.float64)
    for message, is_broken in expected.items():
        for place in np.flatnonzero(is_broken(numbers) & ~np.isnan(numbers)).tolist():
            faults.append((place, f"{message}, found {shown(values[place])}"))
            numbers[place] = math.nan
    return numbers, sorted(faults)


def _array_of(values: Any) -> NDArray[Any] | None:
    """Return labels that are plain numbers, or texts of them, as an array, else None."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
        return values
    if set(map(type, values)) != {str} or "_" in "".join(values):
        return None
    for kind, dtype in ((int, np.int64), (float, np.float64)):
        try:
            return np.array(list(map(kind, values)), dtype=dtype)
        except (ValueError, OverflowError):
            continue
    return None


def _read_each(
    values: Any, read: Callable[[Any], Any], fault: str
) -> tuple[list[Any], list[tuple[int, str]]]:
    """Read labels one by one: the values, None where one is missing, and the faults."""
    found: list[Any] = []
    faults: Faults = []
    for place, value in enumerate(values):
        try:
            found.append(None if is_missing(value) else read(value))
        except _MisfitError as misfit:
            faults.append((place, str(misfit)))
        except (TypeError, ValueError, ArithmeticError):
            faults.append((place, fault.format(shown(value))))
        if len(found) == place:
            found.append(None)
    return found, faults


def _float_of(value: Any) -> float:
    if isinstance(value, (bool, np.bool_)) or (isinstance(value, str) and "_" in value):
        raise TypeError
    return float(value)


def shown(value: Any) -> str:
    """Return the text of a faulty label for a message, without the name of its NumPy type."""
    if isinstance(value, np.datetime64):
        return str(value)
    return repr(value.item() if isinstance(value, np.generic) else value)


#: The kinds of arrays that hold whole numbers (as spans of no unit) and dates.
_WHOLE, _DATES = np.dtype("m8"), np.dtype("M8[ns]")
_NO_DATE = np.datetime64("NaT", "ns")
_NO_TIME = np.iinfo(np.int64).min
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
#: The years whose nanoseconds fit into 64 bits.
_FIRST_YEAR, _LAST_YEAR = 1678, 2261


class _MisfitError(ValueError):
    """A time that is not of the kind of those before it."""


class TimeReader:
    """A reader of the times of one log: all of them are dates, or all are numbers."""

    def __init__(self) -> None:
        self._is_date: bool | None = None

    def __call__(self, values: Any, name: str) -> tuple[NDArray[Any], Faults]:
        """Read a column of times as an array, NaT or nan where there is none, and the faults."""
        if isinstance(values, Texts):
            return spread(*self(values.different, name), values.index)
        found = _times_at_once(values)
        if found is not None and self._is_like_those_before(found):
            return found, []
        fault = f"expected a finite number or a date in ISO 8601 as {name}, found {{}}"
        times, faults = _read_each(values, lambda value: self._read_one(value, name), fault)
        return _as_array(times), faults

    def _is_like_those_before(self, found: NDArray[Any]) -> bool:
        """Return whether times are all of the kind of the first one, and finite."""
        if np.isnan(found).all():
            return True
        is_date = found.dtype.kind == "M"
        if self._is_date is None:
            self._is_date = is_date
        return self._is_date is is_date and not (found.dtype.kind == "f" and np.isinf(found).any())

    def _read_one(self, value: Any, name: str) -> Any:
        """Read a time that is a date, or a number, as the first one was."""
        time = _time_of(value)
        is_date = isinstance(time, np.datetime64)
        if self._is_date is None:
            self._is_date = is_date
        if self._is_date is not is_date:
            kind = "a date" if self._is_date else "a number"
            raise _MisfitError(
                f"expected {kind} as {name}, like the times before, found {shown(value)}"
            )
        if is_date and np.isnat(time):
            raise _MisfitError(
                f"expected a date from {_FIRST_YEAR} to {_LAST_YEAR} as {name}, "
                f"found {shown(value)}"
            )
        return time


def _times_at_once(values: Any) -> NDArray[Any] | None:
    """Read labels of plain times at once, or return None."""
    if isinstance(values, np.ndarray) and values.dtype.kind == "M":
        low, high = np.datetime64(f"{_FIRST_YEAR}", "Y"), np.datetime64(f"{_LAST_YEAR}", "Y")
        years = values[~np.isnat(values)].astype("M8[Y]")
        fits = bool(np.all((years >= low) & (years <= high)))
        return values.astype(_DATES) if fits else None
    found = _array_of(values)
    if found is None or found.dtype.kind == "f":
        return None if found is None else found.astype(np.float64)
    fits = found.dtype != np.uint64 or not np.any(found > np.iinfo(np.int64).max)
    return found.astype(np.int64).view(_WHOLE) if fits else None


def _time_of(value: Any) -> Any:
    """Read a time's label: an int, a float or a datetime64 in nanoseconds, NaT if too far off."""
    if isinstance(value, (bool, np.bool_)) or (isinstance(value, str) and "_" in value):
        raise TypeError
    if isinstance(value, str):
        try:
            return _number_of(float(value), value)
        except ValueError:
            value = datetime.fromisoformat(value.strip().removesuffix("UTC").rstrip())
    if isinstance(value, np.datetime64):
        found = _times_at_once(np.array([value]))
        return _NO_DATE if found is None else found[0]
    if isinstance(value, date):
        return _date_of(value)
    return _number_of(float(value), value)


def _number_of(number: float, value: Any) -> int | float:
    """Return a time's label that is a number as an int if 64 bits hold it, else as a float."""
    if not math.isfinite(number):
        raise ValueError
    is_whole = isinstance(value, (int, np.integer)) or (
        isinstance(value, str) and value.strip("+- ").isdigit()
    )
    return int(value) if is_whole and abs(number) < 2**63 else number


def _date_of(value: date) -> np.datetime64:
    """Return a label of a date, with or without time of day, as nanoseconds, UTC by default."""
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
    """Return labels of times of one kind as an array, None as no time."""
    types = {type(time) for time in times if time is not None}
    if types == {int}:
        whole = [_NO_TIME if time is None else time for time in times]
        return np.array(whole, dtype=np.int64).view(_WHOLE)
    if types == {np.datetime64}:
        return np.array([_NO_DATE if t is None else t for t in times], dtype=_DATES)
    return np.array([math.nan if time is None else time for time in times], dtype=np.float64)


def of_one_kind(parts: Sequence[NDArray[Any]]) -> list[NDArray[Any]]:
    """Return blocks of labels of times, all of one kind, so that they can be joined."""
    kinds = {part.dtype.kind for part in parts}
    if len(kinds) == 1 or not kinds & {"m", "M"}:
        return list(parts)
    if "M" in kinds:
        return [part if part.dtype.kind == "M" else np.full(part.size, _NO_DATE) for part in parts]
    return [as_numbers(part) for part in parts]


def as_numbers(times: NDArray[Any]) -> NDArray[np.float64]:
    """Return labels of times as floats: numbers as they are, dates in seconds since 1970 in UTC."""
    if times.dtype.kind == "f":
        return times
    unit = 1e9 if times.dtype.kind == "M" else 1.0
    return np.where(np.isnat(times), np.nan, times.view(np.int64) / unit)
