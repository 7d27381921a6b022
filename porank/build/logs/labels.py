"""The labels of a log as numbers, and what cannot be one.

Idea: *a label is looked at once, however often it occurs*: a dictionary numbers the labels by first
appearance, and only new ones are examined.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.build.logs.cutting import Texts, number_densely

if TYPE_CHECKING:
    from collections.abc import Hashable

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
        self._numbers = _Numbering()
        self._wrong: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def values(self) -> list[Any]:
        """Return the labels by number, as plain Python values."""
        labels = self._numbers.labels
        if set(map(type, labels)) <= {int, str}:
            return labels.copy()
        return [label.item() if isinstance(label, np.generic) else label for label in labels]

    def encode(self, values: Any) -> tuple[Numbers, Faults]:
        """Return the number of each value, -1 where it cannot be a label, and what is wrong."""
        if isinstance(values, Texts):
            return self._encode_different(values.different, values.index)
        if isinstance(values, np.ndarray):
            numbered = number_densely(values) if values.dtype.kind in "iu" else None
            if numbered is not None:
                return self._encode_different(numbered[0].tolist(), numbered[1])
            values = values.tolist()
        return self._encode_list(values, len(self))

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
        codes, faults = self._encode_list(different, known)
        if not faults:
            return codes[index], []
        wrong = dict(faults)
        places = np.flatnonzero(codes[index] < 0).tolist()
        return codes[index], [(place, wrong[int(index[place])]) for place in places]

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
    return broken_text(label) if isinstance(label, str) else ""


def broken_text(text: str) -> str:
    r"""Say which byte of a file was no UTF-8, if reading has put one aside as a lone surrogate.

    Examples
    --------
    >>> broken_text("Zürich"), broken_text("Z\udcfcrich")
    ('', 'expected a text in UTF-8, found the byte 0xfc')
    """
    if text.isascii():
        return ""
    broken = next((letter for letter in text if "\udc80" <= letter <= "\udcff"), "")
    return (
        f"expected a text in UTF-8, found the byte 0x{ord(broken) - 0xDC00:02x}" if broken else ""
    )
