"""Convert the cells of a column: labels to codes; times, positions and amounts to floats.

A column is an array, a list, or dictionary-encoded texts. A reader returns an array with a number
for each row, and the rows without a valid number with the reason. A column with plain values is
read at once, otherwise value by value. Dates become seconds since 1970 in UTC.

Labels: `Labels`, `are_usual`, `labels_alike`, `remarks_on`, `warn_of_alike`.
Numbers: `read_whole`, `read_amounts`, `read_finite`. Times: `TimeReader`. Single values:
`is_nobody`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from datetime import UTC, date, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import normalize

import numpy as np

from porank.core.arguments import holds
from porank.core.arrays import distinct, inverse_of, labels_as_array
from porank.core.columns import Texts, is_missing, spread
from porank.core.files import POINTER, fault_of_bytes
from porank.errors import ParseError, PorankError, listed, quoted, warn, with_article

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from porank.typing import Numbers


#: Positions of faulty cells in a block, with messages.
Faults = list[tuple[int, str]]


class _Numbers(dict[Any, int]):
    """The number of each label; a new label gets the next one."""

    def __missing__(self, label: Any) -> int:
        number = self[label] = len(self)
        return number


class Labels:
    """The labels of a column (users, items, events), numbered in order of appearance."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._numbers = _Numbers()
        self._plain: list[Any] = []
        self._wrong: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._plain)

    def values(self) -> list[Any]:
        """Return the labels by number as plain Python values; the list grows with them."""
        return self._plain

    def number_of(self, number: int) -> int:
        """Return the number of a label that is an integer or its text, -1 if there is none."""
        return self._numbers.get(number, self._numbers.get(str(number), -1))

    def as_array(self) -> NDArray[Any]:
        """Return the labels by number: an array of integers if all are, otherwise of objects."""
        return labels_as_array(self.values())

    def encode(self, values: Any) -> tuple[Numbers, Faults]:
        """Return the number of each label of a column (-1 if invalid), and the faults."""
        if isinstance(values, Texts):
            return spread(*self.encode(values.different), values.index)
        if isinstance(values, np.ndarray) and values.dtype.kind in "iu":
            first, index = distinct(values)
            appearing = np.argsort(first)
            codes, faults = self.encode(values[first[appearing]].tolist())
            return spread(codes, faults, inverse_of(appearing)[index])
        plain = _as_list(values) if isinstance(values, np.ndarray) else values
        known = len(self._plain)
        try:
            codes = np.fromiter(map(self._numbers.__getitem__, plain), np.int64, len(plain))
            usual = plain if self._numbers.keys().isdisjoint((0, 1)) else _without_bools(plain)
        except TypeError:
            usual = list(map(_hashable, plain))
        new = list(islice(self._numbers, known, None))
        if usual is not plain:
            for label in new:
                del self._numbers[label]
            return self.encode(usual)
        if not are_usual(new, self.name):
            found = (_fault_of_label(label, self.name) for label in new)
            self._wrong |= {number: fault for number, fault in enumerate(found, known) if fault}
            new = list(map(_as_plain, new))
        self._plain += new
        if not self._wrong:
            return codes, []
        places = np.flatnonzero(np.isin(codes, list(self._wrong))).tolist()
        faulty = [(place, self._wrong[int(codes[place])]) for place in places]
        codes[places] = -1
        return codes, faulty


def _without_bools(plain: Sequence[Any]) -> Sequence[Any]:
    """Return labels with placeholders for bools beside numbers: True and 1 would be one label."""
    types = set(map(type, plain))
    if bool not in types or not types & {int, float}:
        return plain
    return [_NotLabel(f"{x} beside numbers") if type(x) is bool else x for x in plain]


class _NotLabel(NamedTuple):
    """A placeholder for a value that cannot be a label."""

    text: str


def _hashable(label: Any) -> Any:
    """Return a label, or a placeholder if it is not hashable."""
    return (
        label if holds(lambda one: hash(one) is not None, label) else _NotLabel(f"{label!r:.100}")
    )


def _as_plain(label: Any) -> Any:
    """Return a label as a plain Python value."""
    return _as_list(np.asarray(label)) if isinstance(label, np.generic) else label


def _as_list(values: NDArray[Any]) -> Any:
    """Return an array of labels as a list; nanoseconds are cut to microseconds to stay dates."""
    return (values.astype("M8[us]") if values.dtype == np.dtype("M8[ns]") else values).tolist()


_OF_PEOPLE = ("user", "session")
#: Labels that programs write for an unknown user or session.
_NOBODY = {"", "NA", "#NA", "<NA>", "nan", "NaN", "NaT", "-", "-1"}
_WORDS = ("guest", "anonymous", "anon", "unknown", "undefined", "none", "null", "n/a", "#n/a")
_NOBODY |= {spell(word) for word in _WORDS for spell in (str.lower, str.title, str.upper)}


def is_nobody(label: Any) -> bool:
    """Return whether a label is no user or session: missing, -1, or such as ``NA`` or ``guest``."""
    return is_missing(label) or str(label).strip() in _NOBODY


def are_usual(labels: list[Any], name: str) -> bool:
    """Return whether labels of a column, all numbers or all texts, have no fault."""
    kinds = set(map(type, labels))
    if kinds - {str}:
        return kinds == {int} and -1 not in labels
    text = "".join(labels)
    is_plain = text.isascii() and "\0" not in text and POINTER not in text
    if name in _OF_PEOPLE:
        return is_plain and _NOBODY.isdisjoint(map(str.strip, labels))
    return is_plain and all(map(str.strip, labels))


def _fault_of_label(label: Any, name: str) -> str:
    if isinstance(label, _NotLabel):
        return f"expected {with_article(name)}, found {label.text}; use a tuple or a string"
    if is_nobody(label) if name in _OF_PEOPLE else is_missing(label):
        return f"expected {with_article(name)}, found {quoted(label)}"
    return str(fault_of_bytes(label) or "") if isinstance(label, str) else ""


def labels_alike(labels: Iterable[Any]) -> Counter[tuple[Any, ...]]:
    """Return the groups of labels that differ only in case, blanks, width or type."""
    groups: dict[str, list[Any]] = {}
    if not set(map(type, labels)) <= {int}:
        for label in labels:
            key = "".join(normalize("NFKC", str(label)).casefold().split())
            groups.setdefault(key, []).append(label)
    return Counter({tuple(group): len(group) for group in groups.values() if len(group) > 1})


def remarks_on(labels: Iterable[Any]) -> list[str]:
    """Return a sentence on labels that look alike, if there are any."""
    alike = labels_alike(labels)
    what = "labels that differ only in case, blanks, width or type count as different"
    return [f"{what}: {listed(alike, limit=4)}"] * bool(alike)


def warn_of_alike(items: Iterable[Any]) -> None:
    """Warn if items of a table look alike; None is no item."""
    for remark in remarks_on(dict.fromkeys(item for item in items if item is not None)):
        warn(remark)


#: From this number on, some integers are not exact as floats.
_MOST = 2.0**53


def read_whole(values: Any, name: str) -> tuple[NDArray[np.float64], Faults]:
    """Read a column of integers >= 0 (positions) as floats; nan if missing or invalid."""
    expected = f"expected a whole number >= 0 and below 2**53 as {name}"
    return _read_numbers(values, expected, lambda n: (n < 0) | (n >= _MOST) | (n != np.floor(n)))


def read_amounts(values: Any, name: str) -> tuple[NDArray[np.float64], Faults]:
    """Read a column of finite numbers >= 0 (dwell times) as floats; nan if missing or invalid."""
    expected = f"expected a finite number >= 0 as {name}"
    return _read_numbers(values, expected, lambda n: (n < 0) | np.isinf(n))


def read_finite(values: Any, name: str) -> tuple[NDArray[np.float64], Faults]:
    """Read a column of finite numbers (ratings, scores) as floats; nan if missing or invalid."""
    return _read_numbers(values, f"expected a finite number as {name}", np.isinf)


def _read_numbers(
    values: Any, expected: str, is_broken: Callable[[NDArray[np.float64]], NDArray[np.bool_]]
) -> tuple[NDArray[np.float64], Faults]:
    """Read a column of numbers as floats, and return the faults."""
    if isinstance(values, Texts):
        return spread(*_read_numbers(values.different, expected, is_broken), values.index)
    numbers, faults = _numbers_of(values), Faults()
    if numbers is None:
        numbers, faults = _read_each(values, _float_of, f"{expected}, found {{}}")
    broken = np.flatnonzero(is_broken(numbers) & ~np.isnan(numbers))
    faults += [(place, f"{expected}, found {quoted(values[place])}") for place in broken.tolist()]
    numbers[broken] = math.nan
    return numbers, sorted(faults)


def _numbers_of(values: Any) -> NDArray[np.float64] | None:
    """Return a column of plain numbers, or of texts of numbers, as floats; otherwise None."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
        return values.astype(np.float64)
    if set(map(type, values)) != {str} or "_" in "".join(values):
        return None
    try:
        return np.array(list(map(float, values)))
    except ValueError:
        return None


def _read_each(
    values: Any, read: Callable[[Any], float], fault: str
) -> tuple[NDArray[np.float64], Faults]:
    """Read a column value by value: the numbers, nan where missing or invalid, and the faults."""
    numbers: list[float] = []
    faults: Faults = []
    for place, value in enumerate(values):
        number = math.nan
        try:
            number = number if is_missing(value) else read(value)
        except ParseError as misfit:
            faults.append((place, str(misfit)))
        except (TypeError, ValueError, ArithmeticError):
            faults.append((place, fault.format(quoted(value))))
        numbers.append(number)
    return np.array(numbers, dtype=np.float64), faults


def _float_of(value: Any) -> float:
    if isinstance(value, (bool, np.bool_)) or (isinstance(value, str) and "_" in value):
        raise TypeError
    return float(value)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


#: How many units of numbers since 1970 make a second: from seconds to nanoseconds.
_PER_SECOND = np.array([1, 10**3, 10**6, 10**9])
#: Seconds since 1970 at the beginning of 1971 and of 2100; these ranges of the units are disjoint.
FIRST_TIME, LAST_TIME = 31_536_000.0, 4_102_444_800.0
#: The share of times from 1971 to 2100 in some unit with which numbers are those since 1970.
_MOST_TIMES = 0.99
#: Days as Excel counts them, from 1954 to 2119.
_EXCEL = 20_000, 80_000
#: The kinds of times.
_NUMBERS, _DATES, _ZONED = "a number", "a date without a time zone", "a date with a time zone"


class TimeReader:
    """A reader of the times of one log; all must be numbers, or all dates."""

    def __init__(self) -> None:
        self._kind = ""
        #: The first date with AM or PM, which was read as month/day/year.
        self.american = ""
        #: How many units of the times make a second, if they are numbers since 1970.
        self.per_second = 1

    @property
    def are_dates(self) -> bool:
        """Whether the times read so far are dates."""
        return self._kind.startswith("a date")

    def in_seconds(self, times: NDArray[np.float64], gap: float | None) -> NDArray[np.float64]:
        """Return all times of a log: numbers since 1970 in seconds, the others as they are.

        Numbers of several units raise an error, and so do days if there is a `gap` in seconds.
        """
        known = times[times > 0]
        if self.are_dates or not known.size:
            return times
        if gap is not None:
            _require_no_days(known, gap)
        place = np.searchsorted(FIRST_TIME * _PER_SECOND, known, side="right") - 1
        is_usual = (place >= 0) & (known <= LAST_TIME * _PER_SECOND[place])
        if is_usual.mean() < _MOST_TIMES:
            return times
        if len({*place[is_usual].tolist()}) > 1:
            found = f"found {known.min():.15g} and {known.max():.15g}"
            hint = "columns={'time': None}, or --columns time=none, ignores them"
            raise PorankError(f"expected all times in one unit since 1970, {found}", hint=hint)
        self.per_second = int(_PER_SECOND[place[is_usual][0]])
        return times / self.per_second

    def __call__(self, values: Any, name: str) -> tuple[NDArray[np.float64], Faults]:
        """Read a column of times as floats; nan where missing or invalid; and return the faults."""
        if isinstance(values, Texts):
            return spread(*self(values.different, name), values.index)
        are_dates = isinstance(values, np.ndarray) and values.dtype.kind == "M"
        times = _seconds_of(values) if are_dates else _numbers_of(values)
        is_plain = times is not None and not np.isinf(times).any()
        kind = _DATES if are_dates else _NUMBERS
        if times is not None and is_plain and (np.isnan(times).all() or self._fits(kind)):
            return times, []
        fault = f"expected a finite number or a date in ISO 8601 as {name}, found {{}}"
        return _read_each(values, lambda value: self._read_one(value, name), fault)

    def _fits(self, kind: str) -> bool:
        """Return whether a time is of the same kind, dates or numbers, as the first one."""
        self._kind = self._kind or kind
        return self._kind == kind

    def _read_one(self, value: Any, name: str) -> float:
        """Read a time, which must be of the same kind, date or number, as the first one."""
        is_american = str(value)[-2:].upper() in ("AM", "PM")
        found, kind = self._american(value) if is_american else _time_of(value), _NUMBERS
        if isinstance(found, datetime):
            kind = _DATES if found.tzinfo is None else _ZONED
            zoned = found if found.tzinfo else found.replace(tzinfo=UTC)
            found = (zoned - _EPOCH).total_seconds()
        if not self._fits(kind):
            wanted = "a date" if kind == _NUMBERS else self._kind
            raise ParseError(
                f"expected {wanted} as {name}, like the earlier times, found {quoted(value)}"
            )
        if not math.isfinite(found):
            raise ValueError
        return found

    def _american(self, value: str) -> datetime:
        """Read a time such as 11/15/2019 8:55:22 AM, also without its seconds."""
        seconds = ":%S" * (value.count(":") > 1)
        text = " ".join(value.replace(",", " ").split())
        found = datetime.strptime(text, f"%m/%d/%Y %I:%M{seconds} %p")
        self.american = self.american or value
        return found


def _require_no_days(times: NDArray[np.float64], gap: float) -> None:
    """Raise an error if all times look like dates in digits, or like days as Excel counts."""
    low, high = times.min(), times.max()
    # Times of one day in seconds may be in this range, too.
    are_days = low >= _EXCEL[0] and high <= _EXCEL[1] and high - low < gap
    for digits in (1, 10**4, 10**6):  # YYYYMMDD, with hours and minutes, with seconds
        year, rest = np.divmod(times // digits, 10**4)
        month, day = np.divmod(rest, 100)
        is_date = (abs(year - 2000) <= 100) & (abs(month - 6.5) < 6) & (abs(day - 16) <= 15)
        are_days |= bool(is_date.all())
    if are_days:
        raise PorankError(
            f"expected dates or times in seconds, because of gap={gap:g}, found numbers that look "
            f"like days, such as {times[0]:.15g}",
            hint="write them as 2024-12-31, or use columns={'session': 'user'} without a gap",
        )


def _seconds_of(dates: NDArray[Any]) -> NDArray[np.float64]:
    """Return NumPy dates in seconds since 1970; nan where missing."""
    seconds = dates.astype("M8[us]").view(np.int64) / 1e6
    return np.where(np.isnat(dates), np.nan, seconds)


def _time_of(value: Any) -> float | datetime:
    """Read one time: a number, or a date, which may name a time zone."""
    if isinstance(value, str):
        try:
            return _float_of(value)
        except ValueError:
            value = datetime.fromisoformat(re.sub(r"\s*UTC$", "Z", value.strip()))
    if isinstance(value, np.datetime64):
        value = value.astype("M8[us]").item()
    if not isinstance(value, date):
        return _float_of(value)
    return value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)
