"""The labels of a log as numbers, and what cannot be one.

Idea: *a label is looked at once, however often it occurs*: a table of integers or a dictionary
numbers the labels by first appearance, and only new ones are examined.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.build.files.texts import require_utf8
from porank.build.logs.cutting import Texts, spread
from porank.build.logs.grouping import run_starts
from porank.build.logs.numbering import IntegerTable, number_few
from porank.errors import ParseError

if TYPE_CHECKING:
    from collections.abc import Hashable

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
    """Labels, numbered as they come.

    Parameters
    ----------
    name : str
        What they are labels of, for messages.

    Examples
    --------
    >>> labels = Labels("item")
    >>> codes, faults = labels.encode(["b", "a", "", "b", ["a"]])
    >>> codes.tolist(), labels.values()
    ([0, 1, -1, 0, -1], ['b', 'a', ''])
    >>> for fault in faults:
    ...     print(*fault)
    2 expected an item, found ''
    4 expected a hashable item, found ['a']; a tuple or a text can be one
    """

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
    """Return an array as a list; dates as those of Python, but what is finer than these as it is.

    Then one date is one label, whichever dates stand beside it.
    """
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
    """Return whether a value stands for none: None, NaN, NaT, NA, or a blank text.

    Examples
    --------
    >>> [is_missing(value) for value in (None, float("nan"), " ", 0, "0")]
    [True, True, True, False, False]
    """
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
        return str(error)
    return ""
