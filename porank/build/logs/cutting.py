"""Plain lines of a CSV file into columns, all at once.

Idea: *where no cell is quoted, the commas and the ends of lines say where every cell is*, and
arrays of bytes tell which cells are equal: whole numbers by their value, short texts by their eight
bytes. Each different text is then made and looked at once.
"""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from porank.typing import Numbers

#: Longer numbers than this might not fit into 63 bits.
_DIGITS = 18
#: Up to so many different short texts are told apart by comparing all cells with each.
_FEW_TEXTS = 16


class Texts:
    """A column of texts of which each different one is kept once.

    Parameters
    ----------
    different : list of str
        The texts, in the sequence in which they first occur.
    index : array of int
        Which of them stands in each cell.

    Examples
    --------
    >>> texts = Texts(["b", "a"], np.array([0, 1, 0]))
    >>> len(texts), texts[2], list(texts)
    (3, 'b', ['b', 'a', 'b'])
    """

    def __init__(self, different: list[str], index: Numbers) -> None:
        self.different = different
        self.index = index

    def __len__(self) -> int:
        return self.index.size

    def __getitem__(self, place: int) -> str:
        return self.different[int(self.index[place])]

    def __iter__(self) -> Iterator[str]:
        return map(self.different.__getitem__, self.index.tolist())


def number_densely(values: NDArray[Any]) -> tuple[NDArray[Any], Numbers] | None:
    """Return the different integers by first occurrence and the index of each, or None.

    None means that they lie so far apart that a table of all between them would be large.

    Examples
    --------
    >>> different, index = number_densely(np.array([7, 5, 7]))
    >>> different.tolist(), index.tolist()
    ([7, 5], [0, 1, 0])
    >>> number_densely(np.array([0, 10**9])) is None
    True

    Notes
    -----
    Time O(values).
    """
    if not values.size or int(values.max()) - int(values.min()) > 16 * values.size:
        return None
    offset = values - values.min()
    number = np.empty(int(offset.max()) + 1, dtype=np.int64)
    places = np.arange(offset.size)
    # Of several places written to one cell, the last stays: here the first of equal integers.
    number[offset[::-1]] = places[::-1]
    first = np.flatnonzero(number[offset] == places)
    number[offset[first]] = np.arange(first.size)
    return values[first], number[offset]


def cut_lines(
    lines: list[str], delimiter: str, width: int, places: Mapping[Any, int]
) -> dict[Any, Any] | None:
    r"""Return some columns of lines, or None if a line is out of the ordinary.

    Parameters
    ----------
    lines : list of str
        Each with its end, which the last one may lack.
    delimiter : str
        What stands between two cells.
    width : int
        The number of cells in each line.
    places : mapping
        Name -> the place of a column.

    Examples
    --------
    >>> columns = cut_lines(["7,b,1\n", "7,ü,10"], ",", 3, {"session": 0, "item": 1})
    >>> {name: list(column) for name, column in columns.items()}
    {'session': ['7', '7'], 'item': ['b', 'ü']}
    >>> cut_lines(['7,"b"\n'], ",", 2, {"session": 0}) is cut_lines(["7\n"], ",", 2, {}) is None
    True

    Notes
    -----
    Time O(letters).
    """
    text = "".join(lines).replace("\r\n", "\n").removesuffix("\n") + "\n"
    # Two texts that differ in null bytes alone would look the same.
    if width < 2 or not lines or any(sign in text for sign in '"\r\0'):
        return None
    if not text.isascii():
        if set(map(str.count, lines, repeat(delimiter))) != {width - 1}:
            return None
        cells = text[:-1].replace("\n", delimiter).split(delimiter)
        return {name: cells[place::width] for name, place in places.items()}
    letters = np.frombuffer(text.encode(), dtype=np.uint8)
    ends = np.flatnonzero((letters == ord(delimiter)) | (letters == ord("\n")))
    is_line_end = letters[ends] == ord("\n")
    is_whole = ends.size == width * len(lines) and is_line_end[width - 1 :: width].all()
    if not is_whole or np.count_nonzero(is_line_end) != len(lines):
        return None
    starts = np.concatenate([[0], ends[:-1] + 1])
    return {
        name: _column(text, letters, starts[place::width], ends[place::width])
        for name, place in places.items()
    }


def _column(text: str, letters: NDArray[np.uint8], starts: Numbers, ends: Numbers) -> Any:
    """Return the cells from each start to each end."""
    size = ends - starts
    for tell_apart in (_whole_numbers, _short_texts):
        if (found := tell_apart(letters, starts, size)) is not None:
            return found
    return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def _whole_numbers(letters: NDArray[np.uint8], starts: Numbers, size: Numbers) -> Texts | None:
    """Return a column in which all cells are whole numbers as one writes them, else None."""
    if size.min() < 1 or size.max() > _DIGITS:
        return None
    first = letters[starts]
    if np.any((first == ord("0")) & (size > 1)):
        return None
    value = np.zeros(size.size, dtype=np.int64)
    for place in range(int(size.max())):
        digit = letters[np.minimum(starts + place, letters.size - 1)] - np.uint8(ord("0"))
        is_inside = size > place
        if np.any((digit > 9) & is_inside):
            return None
        value = np.where(is_inside, value * 10 + digit, value)
    numbered = number_densely(value)
    return None if numbered is None else Texts(list(map(str, numbered[0].tolist())), numbered[1])


def _short_texts(letters: NDArray[np.uint8], starts: Numbers, size: Numbers) -> Texts | None:
    """Return a column of few different texts of at most eight bytes, else None."""
    if size.max() > 8:
        return None
    word = np.zeros(size.size, dtype=np.uint64)
    for place in range(int(size.max())):
        letter = letters[np.minimum(starts + place, letters.size - 1)].astype(np.uint64)
        word |= np.where(size > place, letter << np.uint64(8 * place), np.uint64(0))
    index = np.full(size.size, -1)
    different: list[str] = []
    for number in range(_FEW_TEXTS):
        rest = int(np.argmax(index < 0))
        if index[rest] >= 0:
            return Texts(different, index)
        index[word == word[rest]] = number
        start = starts[rest]
        different.append(letters[start : start + size[rest]].tobytes().decode())
    return Texts(different, index) if np.all(index >= 0) else None
