"""Lines of a PrefLib file in which all is as it should be, read many at once.

Idea: *with one sign for all numbers, lines are of few shapes; the shape says what a line is, so
that the numbers of all lines can be read as one array.*
"""

from __future__ import annotations

import re
from itertools import compress
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from porank.build.files.preflib_rows import Rows, rows_of
from porank.build.files.preflib_shapes import Shapes, mask_numbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from porank.build.files.preflib_shapes import Shape

#: Makes a comma of what stands between two numbers.
_COMMAS = bytes.maketrans(b":\n", b",,")
_COUNT = re.compile(rb"0*[1-9][0-9]{0,999}")
#: Larger numbers of alternatives, and those of more digits, are for others to read.
_LARGEST, _DIGITS = 10**6, 9


class PlainLines:
    """Reads the lines that it can read, and leaves the others.

    Parameters
    ----------
    numbers : iterable of int
        The numbers of the alternatives.
    separator : str
        What stands after the count.
    least : int
        How many alternatives a line lists at least.
    is_strict : bool
        Whether lines with ties are left.

    Examples
    --------
    >>> plain = PlainLines([1, 2], separator=":")
    >>> rows = plain.read(["5: {2,1}", "1: 1,1", "3 : 2"], first=7)
    >>> rows.lines.tolist(), rows.counts, [shape.sizes for shape in rows.shapes], rows.places
    ([7, 9], [5, 3], [(2,), None], array([1, 0, 1]))

    Notes
    -----
    Time O(n log n) for lines of n alternatives.
    """

    def __init__(
        self, numbers: Iterable[int], *, separator: str, least: int = 0, is_strict: bool = False
    ) -> None:
        place_of = {number: place for place, number in enumerate(numbers) if number <= _LARGEST}
        self._place_of = np.full(max(place_of, default=0) + 1, -1)
        self._place_of[list(place_of)] = list(place_of.values())
        self._least = least
        self._shapes = Shapes(separator, is_strict=is_strict)

    def read(self, lines: Sequence[str], *, first: int) -> Rows:
        """Return the lines that can be read.

        Parameters
        ----------
        lines : sequence of str
            The lines, without their ends.
        first : int
            The number of the first of them in the file.
        """
        text = "\n".join(lines).encode("utf-8", "replace")
        found = list(map(self._shapes.__getitem__, mask_numbers(text).split(b"\n")))
        shapes = list(filter(None, found))
        is_plain = np.ones(len(found), bool)
        if len(shapes) < len(found):
            is_plain[:] = list(map(bool, found))
            text = b"\n".join(compress(text.split(b"\n"), found))
        return self._read_plain(text, shapes, first + np.flatnonzero(is_plain))

    def _read_plain(self, text: bytes, shapes: list[Shape], lines: NDArray[np.int64]) -> Rows:
        """Return lines of these shapes, but for those that have other faults."""
        if not shapes:
            return rows_of([], [], [], [])
        text = text.translate(_COMMAS, b"{} ")
        ends, values = _read_numbers(text)
        widths = np.fromiter(map(attrgetter("width"), shapes), np.int64, len(shapes))
        counts_at = np.cumsum(widths + 1) - widths - 1
        counts = values[counts_at].tolist()
        for row in np.flatnonzero(values[counts_at] == 0).tolist():
            # Zeros before it, or many digits.
            end = ends[counts_at[row]]
            count = text[text.rfind(b",", 0, end) + 1 : end]
            counts[row] = int(count) if _COUNT.fullmatch(count) else 0
        values = np.delete(values, counts_at)
        values[values >= len(self._place_of)] = 0
        rows = Rows(lines, counts, shapes, widths, self._place_of[values])
        return rows.only(self._is_good(rows))

    def _is_good(self, rows: Rows) -> NDArray[np.bool_]:
        """Return which rows list known alternatives, each once, and as many as they must."""
        is_good = rows.widths >= self._least
        is_good &= np.fromiter(map(bool, rows.counts), bool)
        row_of = np.repeat(np.arange(len(rows.widths)), rows.widths)
        is_good[row_of[rows.places < 0]] = False
        size = len(self._place_of) + 1
        listed = np.sort(row_of * size + rows.places)
        is_good[listed[1:][listed[1:] == listed[:-1]] // size] = False
        return is_good


def _read_numbers(text: bytes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where numbers with commas between them end, and the numbers.

    One that begins with 0, or has many digits, is returned as 0.
    """
    signs = np.frombuffer(text, np.uint8)
    ends = np.append(np.flatnonzero(signs == ord(",")), len(signs))
    widths = np.diff(ends, prepend=-1) - 1
    values = signs[ends - 1] - np.int64(ord("0"))
    for digit in range(1, min(int(widths.max()), _DIGITS)):
        longer = np.flatnonzero(widths > digit)
        values[longer] += (signs[ends[longer] - 1 - digit] - np.int64(ord("0"))) * 10**digit
    values[(widths > _DIGITS) | (signs[ends - widths] == ord("0"))] = 0
    return ends, values
