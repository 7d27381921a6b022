"""Numbers for what stands in an array, by first appearance, without a dictionary.

Idea: *whole numbers that lie close together are places in a table*, and where few different values
stand in a column, each is compared with all of it at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Numbers

#: A table has at most so many places for each number that it was asked about, if they are few,
#: and so many if they are many.
_ROOM, _ROOM_OF_MANY = 16, 2
_MANY = 1 << 19
#: Up to so many different values are told apart by comparing all of them with each.
_FEW = 16
#: If more of this many at the front are different, there are many.
_SAMPLE = 64


class IntegerTable:
    """Integers that lie close together, numbered as they come.

    Attributes
    ----------
    different : array of int
        The integers by their numbers.

    Examples
    --------
    >>> table = IntegerTable()
    >>> table.encode(np.array([7, 5, 7])).tolist(), table.encode(np.array([6, 5])).tolist()
    ([0, 1, 0], [2, 1])
    >>> table.different.tolist()
    [7, 5, 6]
    >>> table.encode(np.array([10**9])) is None
    True

    Notes
    -----
    Time O(integers).
    """

    def __init__(self) -> None:
        self._parts: list[Numbers] = [np.zeros(0, dtype=np.int64)]
        self._count = 0
        self._low = 0
        self._number: NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self._asked = 0

    def __len__(self) -> int:
        return self._count

    @property
    def different(self) -> Numbers:
        """The integers by their numbers."""
        self._parts = [np.concatenate(self._parts)]
        return self._parts[0]

    def encode(self, integers: NDArray[Any]) -> Numbers | None:
        """Return the number of each, or None if the table would be too large."""
        self._asked += integers.size
        if integers.size and not self._reaches(int(integers.min()), int(integers.max())):
            return None
        place: Numbers = np.subtract(integers, self._low, dtype=np.int64, casting="unsafe")
        number = self._number.take(place)
        if number.min(initial=0) < 0:
            self._add(place[number < 0])
            number = self._number.take(place)
        return number.astype(np.int64)

    def _reaches(self, least: int, most: int) -> bool:
        """Stretch the table so that it holds all from the least to the most, if they are near."""
        low, high = self._low, self._low + self._number.size
        if low <= least and most < high:
            return True
        if high > low:
            least, most = min(low, least), max(high - 1, most)
        room = min(_ROOM * self._asked, _ROOM_OF_MANY * max(self._asked, _MANY))
        if most - least > room or not -(2**62) < least <= most < 2**62:
            return False
        # Twice the size each time: stretching takes no more than asking does.
        spare = high - low
        low, high = least - spare * (least < low), most + 1 + spare * (most >= high)
        number = np.full(high - low, -1, dtype=np.int32)
        number[self._low - low :][: self._number.size] = self._number
        self._low, self._number = low, number
        return True

    def _add(self, place: Numbers) -> None:
        """Give numbers to the integers at some places of the table, none of which has one."""
        # Of several written to one place the last stays: here the first of equal integers.
        self._number[place[::-1]] = np.arange(place.size)[::-1]
        first = place[self._number[place] == np.arange(place.size)]
        self._number[first] = np.arange(self._count, self._count + first.size)
        self._parts.append(first + self._low)
        self._count += first.size


def number_few(values: NDArray[Any]) -> tuple[Numbers, NDArray[np.int8]] | None:
    """Return where each different value first stands and the index of each, or None.

    None means that there are many different values, or none at all.

    Examples
    --------
    >>> first, index = number_few(np.array([7.5, 5, 7.5]))
    >>> first.tolist(), index.tolist()
    ([0, 1], [0, 1, 0])
    >>> number_few(np.arange(1000)) is None
    True

    Notes
    -----
    Time O(values) for each different one, of which there are at most 16.
    """
    if not values.size or len(set(values[:_SAMPLE].tolist())) > _FEW:
        return None
    index = np.zeros(values.size, dtype=np.int8)
    is_known = np.zeros(values.size, dtype=bool)
    first: list[int] = []
    rest = 0
    while not is_known[rest]:
        if len(first) == _FEW:
            return None
        is_equal = values == values[rest]
        index += is_equal.view(np.int8) * np.int8(len(first))
        is_known |= is_equal
        first.append(rest)
        rest = int(np.argmin(is_known))
    return np.array(first), index
