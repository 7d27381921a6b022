"""The labels of a log as numbers, and what cannot be one.

Idea: *a label is looked at once, however often it occurs*: a table of integers or a dictionary
numbers the labels by first appearance, and only new ones are examined.

Positions and amounts in a log, as floats; and what is none of these.

Times in a log, exactly: whole numbers, decimals or dates, and what is none of these.

Idea: *an array knows of what kind its times are.* Whole numbers are spans of no unit and dates are
nanoseconds, both of 64 bits, so that none is rounded and NaT stands where there is none; only other
numbers are floats.
"""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arrays import IntegerTable, number_few, run_starts
from porank.core.csv_cells import Texts, spread
from porank.core.files import require_utf8
from porank.errors import Finding, ParseError

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from porank.typing import Numbers


#: Positions in a block and what is wrong there.
Faults = list[tuple[int, str]]


class _Numbering(dict[Any, int]):
    """Label -> its number, given when it is first asked for."""

    def __init__(self) -> None:
        self.labels: list[Any] = []

    def __missing__(self, label: Hashable) -> int:
        number = self[label] = len(self.labels)
        self.labels.append(label)
        return number

    def add(self, labels: list[Any]) -> None:
        """Give numbers to those of different labels that are new, faster than one by one."""
        new = [label for label in labels if label not in self]
        self.update(zip(new, range(len(self), len(self) + len(new)), strict=True))
        self.labels += new


class Labels:
    """Labels, numbered as they come."""

    def __init__(self, name: str) -> None:
        self.name = name
        # As long as all labels are integers in arrays, the table numbers them.
        self._table: IntegerTable | None = IntegerTable()
        self._numbers = _Numbering()
        self._plain: list[Any] = []
        self._wrong: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._numbers if self._table is None else self._table)

    def values(self) -> list[Any]:
        """Return the labels by number, as plain Python values: a list that grows with them."""
        known = len(self._plain)
        if self._table is not None:
            new = self._table.different[known:].tolist()
        else:
            new = self._numbers.labels[known:]
        if not set(map(type, new)) <= {int, str}:
            new = [_as_plain(label) for label in new]
        self._plain += new
        return self._plain

    def integers(self) -> Numbers | None:
        """Return the labels by number in an array, if they came as integers in arrays."""
        return None if self._table is None else self._table.different

    def encode(self, values: Any) -> tuple[Numbers, Faults]:
        """Return the number of each value, -1 where it cannot be a label, and what is wrong."""
        if isinstance(values, np.ndarray):
            return self._encode_array(values)
        self._leave_table()
        if isinstance(values, Texts):
            return self._encode_different(values.different, values.index)
        return self._encode_list(values, len(self))

    def _encode_array(self, values: NDArray[Any]) -> tuple[Numbers, Faults]:
        """Do so; where equal values stand together, only one of them is looked at."""
        identities = _identities(values)
        if np.count_nonzero(identities[1:] != identities[:-1]) > values.size // 4:
            return self._encode_each(values)
        starts = run_starts(identities)
        lengths = np.diff(starts, append=values.size)
        codes, faults = self._encode_each(values[starts])
        return spread(codes, faults, np.repeat(np.arange(starts.size), lengths))

    def _encode_each(self, values: NDArray[Any]) -> tuple[Numbers, Faults]:
        kind = values.dtype.kind
        if kind in "iu" and self._table is not None:
            codes = self._table.encode(values)
            if codes is not None:
                return codes, []
        self._leave_table()
        if kind in "iu":
            table = IntegerTable()
            index = table.encode(values)
            if index is not None:
                return self._encode_different(table.different.tolist(), index)
        few = number_few(_identities(values)) if kind in "OU" else None
        if few is not None:
            first, places = few
            codes, faults = self._encode_list(values[first].tolist(), len(self))
            return spread(codes, faults, places)
        return self._encode_list(_as_list(values), len(self))

    def _leave_table(self) -> None:
        """Go on with a dictionary, which knows what the table knows."""
        if self._table is not None:
            self._numbers.add(self._table.different.tolist())
            self._table = None

    def _encode_list(self, plain: list[Any], known: int) -> tuple[Numbers, Faults]:
        """Return the numbers of values, of which those up to `known` have been looked at before."""
        try:
            codes = np.fromiter(map(self._numbers.__getitem__, plain), np.int64, len(plain))
        except TypeError:
            codes = np.array([self._encode_one(value) for value in plain], dtype=np.int64)
        new = self._numbers.labels[known:]
        if not _are_all_plain(new):
            faults = (_fault_of_label(label, self.name) for label in new)
            self._wrong |= {number: fault for number, fault in enumerate(faults, known) if fault}
        return self._without_wrong(codes, plain)

    def _encode_different(self, different: list[Any], index: Numbers) -> tuple[Numbers, Faults]:
        """Return the number of each label where only the different ones are given, and an index."""
        known = len(self)
        self._numbers.add(different)
        return spread(*self._encode_list(different, known), index)

    def _encode_one(self, value: Any) -> int:
        try:
            return self._numbers[value]
        except TypeError:
            return -1

    def _without_wrong(self, codes: Numbers, plain: Any) -> tuple[Numbers, Faults]:
        is_wrong = codes < 0
        if self._wrong:
            wrong = np.zeros(len(self) + 1, dtype=bool)
            wrong[[*self._wrong, -1]] = True
            is_wrong = wrong[codes]
        faults = [
            (place, self._wrong.get(int(codes[place]), "") or self._unhashable(plain[place]))
            for place in np.flatnonzero(is_wrong).tolist()
        ]
        codes[is_wrong] = -1
        return codes, faults

    def _unhashable(self, value: Any) -> str:
        return f"expected a hashable {self.name}, found {value!r}; a tuple or a text can be one"


def _as_plain(label: Any) -> Any:
    """Return a label as a plain Python value, unless that were a date turned into a number."""
    is_fine = isinstance(label, np.datetime64) and isinstance(label.item(), int)
    return label.item() if isinstance(label, np.generic) and not is_fine else label


def _as_list(values: NDArray[Any]) -> list[Any]:
    """Return an array as a list; dates as Python's, what is finer as it is."""
    if values.dtype.kind != "M" or np.datetime_data(values.dtype)[0] != "ns":
        plain: list[Any] = values.tolist()
        return plain
    coarse = values.astype("M8[us]")
    is_fine = coarse != values
    return [
        value if fine else date
        for value, fine, date in zip(values, is_fine.tolist(), coarse.tolist(), strict=True)
    ]


def _identities(values: NDArray[Any]) -> NDArray[Any]:
    """Return the addresses of objects, which are equal only if these are; else the values."""
    if values.dtype.kind != "O":
        return values
    return np.frombuffer(np.ascontiguousarray(values), dtype=np.intp)


def is_missing(value: Any) -> bool:
    """Return whether a value stands for none: None, NaN, NaT, NA, or a blank text."""
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
    article = "an" if name[0] in "aeio" else "a"
    if is_missing(label):
        return f"expected {article} {name}, found {label!r}"
    try:
        if isinstance(label, str):
            require_utf8(label)
    except ParseError as error:
        return Finding(error.finding, error.hint)
    return ""


#: Whole numbers from here on are not all floats.
_MOST = 2.0**53


def read_whole(values: Any, name: str) -> tuple[NDArray[np.float64], Faults]:
    """Return whole numbers from 0 on as floats, nan where there is none."""
    expected = f"expected a whole number >= 0 as {name}"
    numbers, faults = _read(values, expected)
    is_broken = (numbers < 0) | np.isinf(numbers) | (numbers != np.floor(numbers))
    broken = np.flatnonzero(is_broken & ~np.isnan(numbers))
    numbers, faults = _with_broken(numbers, faults, broken, values, expected)
    expected = f"expected a whole number below 2**53 as {name}"
    return _with_broken(numbers, faults, np.flatnonzero(numbers >= _MOST), values, expected)


def read_amounts(values: Any, name: str) -> tuple[NDArray[np.float64], Faults]:
    """Return numbers >= 0 as floats, nan where there is none."""
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
    """Return a value for a message, without the name of its NumPy type."""
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
_EXPECTED = "expected a finite number or a date in ISO 8601 as {name}, found {value}"
_EXPECTED_YEAR = f"expected a date from {_FIRST_YEAR} to {_LAST_YEAR} as {{name}}, found {{value}}"
_EXPECTED_KIND = "expected {kind} as {name}, like the times before, found {value}"


class TimeReader:
    """What reads the times of one log: all of them are dates, or none is."""

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
    """Return the parts of a column such that they can be put together."""
    kinds = {part.dtype.kind for part in parts}
    if len(kinds) == 1 or not kinds & {"m", "M"}:
        return list(parts)
    if "M" in kinds:
        return [part if part.dtype.kind == "M" else np.full(part.size, _NO_DATE) for part in parts]
    return [as_numbers(part) for part in parts]


def as_numbers(times: NDArray[Any]) -> NDArray[np.float64]:
    """Return times as floats: numbers as they are, dates in seconds since 1970 in UTC."""
    if times.dtype.kind == "f":
        return times
    unit = 1e9 if times.dtype.kind == "M" else 1.0
    return np.where(np.isnat(times), np.nan, times.view(np.int64) / unit)
