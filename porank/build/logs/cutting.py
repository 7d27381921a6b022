"""Plain lines of a CSV file into columns, all at once.

Idea: *where no cell is quoted, the commas and the ends of lines say where every cell is*, and
arrays of bytes tell which cells are equal: whole numbers by their value, short texts by their eight
bytes. Each different text is then made and looked at once.
"""

from __future__ import annotations

import re
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.build.logs.numbering import IntegerTable, number_few

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from porank.typing import Numbers

#: The lowest bytes of eight, for each number of them.
_LOWEST = np.array([(1 << 8 * count) - 1 for count in range(9)], dtype=np.uint64)
_ZEROS = np.uint64(int.from_bytes(b"0" * 8, "little"))
_PADDING = "\0" * 16
#: Numbers of more digits than this are left as texts.
_DIGITS = 16


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

    def __init__(self, different: list[str], index: NDArray[Any]) -> None:
        self.different = different
        self.index = index

    def __len__(self) -> int:
        return self.index.size

    def __getitem__(self, place: int) -> str:
        return self.different[int(self.index[place])]

    def __iter__(self) -> Iterator[str]:
        return map(self.different.__getitem__, self.index.tolist())


def spread(
    values: NDArray[Any], faults: list[tuple[int, str]], index: NDArray[Any]
) -> tuple[NDArray[Any], list[tuple[int, str]]]:
    """Return the values and the faults of all cells, where those of different ones are known.

    Parameters
    ----------
    values : array
        The value of each different cell.
    faults : list of pairs
        Which of these are wrong, and why.
    index : array of int
        Which of them stands in each cell.

    Examples
    --------
    >>> spread(np.array([7, -1]), [(1, "expected a number")], np.array([0, 1, 0]))
    (array([ 7, -1,  7]), [(1, 'expected a number')])
    """
    if not faults:
        return values.take(index), []
    wrong = dict(faults)
    places = np.flatnonzero(np.isin(index, list(wrong))).tolist()
    return values.take(index), [(place, wrong[int(index[place])]) for place in places]


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
        cells = _without_blanks(text, delimiter)[:-1].replace("\n", delimiter).split(delimiter)
        return {name: cells[place::width] for name, place in places.items()}
    # So that eight letters can be looked at together everywhere.
    padded = f"{_PADDING}{text}{_PADDING}"
    letters = np.frombuffer(padded.encode(), dtype=np.uint8)
    ends = np.flatnonzero((letters == ord(delimiter)) | (letters == ord("\n")))
    is_line_end = letters[ends] == ord("\n")
    is_whole = ends.size == width * len(lines) and is_line_end[width - 1 :: width].all()
    if not is_whole or np.count_nonzero(is_line_end) != len(lines):
        return None
    starts = np.concatenate([[len(_PADDING)], ends[:-1] + 1])
    if delimiter != " " and any((letters[at] == ord(" ")).any() for at in (starts, ends - 1)):
        bare = _without_blanks(text, delimiter).removesuffix("\n").split("\n")
        return cut_lines([f"{line}\n" for line in bare], delimiter, width, places)
    return {
        name: _column(padded, letters, starts[place::width], ends[place::width])
        for name, place in places.items()
    }


def _without_blanks(text: str, delimiter: str) -> str:
    """Return lines without blanks round their cells."""
    around = (f" {delimiter}", f"{delimiter} ", " \n", "\n ")
    if delimiter == " " or not (text.startswith(" ") or any(map(text.__contains__, around))):
        return text
    return re.sub(rf" *([{re.escape(delimiter)}\n]) *", r"\1", text.lstrip(" "))


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
    if np.any((letters[starts] == ord("0")) & (size > 1)):
        return None
    ends = starts + size
    value = _numbers_before(letters, ends, np.minimum(size, 8))
    if value is not None and size.max() > 8:
        high = _numbers_before(letters, ends - 8, np.maximum(size - 8, 0))
        value = None if high is None else value + 10**8 * high
    if value is None:
        return None
    table = IntegerTable()
    index = table.encode(value)
    return None if index is None else Texts(list(map(str, table.different.tolist())), index)


def _short_texts(letters: NDArray[np.uint8], starts: Numbers, size: Numbers) -> Texts | None:
    """Return a column of few different texts of at most eight bytes, else None."""
    if size.max() > 8:
        return None
    word = _eight_from(letters, starts) & _LOWEST[size]
    found = number_few(word)
    if found is None:
        return None
    first, index = found
    cells = zip(starts[first].tolist(), (starts + size)[first].tolist(), strict=True)
    return Texts([letters[start:end].tobytes().decode() for start, end in cells], index)


def _numbers_before(letters: NDArray[np.uint8], ends: Numbers, size: Numbers) -> Numbers | None:
    """Return the numbers that up to eight digits before each end spell, None if some are none.

    Digits are added up to pairs, these to fours, and these to numbers: all eight in three steps.
    """
    missing = _LOWEST[8 - size]
    word = _eight_from(letters, ends - 8) & ~missing | _ZEROS & missing
    digit = word - _ZEROS
    # Adding 0x76 carries numbers above 9 into the highest bit, where letters below "0" are already.
    if np.any((digit + _each(0x76, 1) | digit) & _each(0x80, 1)):
        return None
    pair = digit * np.uint64(10) + (digit >> np.uint64(8)) & _each(0xFF, 2)
    four = pair * np.uint64(100) + (pair >> np.uint64(16)) & _each(0xFFFF, 4)
    number = four * np.uint64(10_000) + (four >> np.uint64(32)) & np.uint64(0xFFFF_FFFF)
    return number.astype(np.int64)


def _eight_from(letters: NDArray[np.uint8], starts: Numbers) -> NDArray[np.uint64]:
    """Return the eight letters from each start as a number, the first one lowest."""
    words: NDArray[np.uint64] = np.ndarray(letters.size - 7, "<u8", letters, strides=(1,))
    return words[starts]


def _each(value: int, size: int) -> np.uint64:
    """Return eight bytes that hold a value in each `size` of them."""
    return np.uint64(int.from_bytes(value.to_bytes(size, "little") * (8 // size), "little"))
