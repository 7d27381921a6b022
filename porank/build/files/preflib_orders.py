"""The lines of PrefLib files: ``count: 3,{1,2},4``, best first, ties in braces.

Idea: *most lines are plain and read many at once; whatever does not fit is read again sign by sign,
which finds the place of the fault.*
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from porank.build.files.preflib_plain import PlainLines
from porank.build.files.preflib_rows import find_repeated, join_rows, rows_of
from porank.build.files.preflib_shapes import shape_of
from porank.build.files.preflib_signs import SignReader
from porank.core.files import require_utf8
from porank.errors import ParseError, counted, listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from porank.build.files.preflib_rows import Rows
    from porank.build.files.preflib_shapes import Shape
    from porank.build.files.preflib_signs import Alternatives
    from porank.typing import Item

#: How many signs are read at once.
_BLOCK = 2**20
_COUNT = re.compile(r"0*[1-9][0-9]{0,999}")


class RankingLines:
    """The rankings of a file, taken in line by line.

    Parameters
    ----------
    alternatives : Alternatives
        The items.
    separator : str
        What stands after the count.
    kind : {"soc", "soi", "toc", "toi", "cat", ""}
        What the rankings must be.
    categories : int
        How many levels a ranking of kind "cat" has; those may be empty.

    Attributes
    ----------
    items, ends, sizes, counts : list
        What has been taken in, as `porank.convert.profiles.Rankings` takes it.
    voters : int or None
        The sum of the counts, those of bad lines included; None if one of them was no number.
    repeated : int
        How many lines held an order that an earlier one holds; their counts have been added to it.

    Examples
    --------
    >>> from porank.build.files.preflib_signs import Alternatives
    >>> lines = RankingLines(Alternatives({1: "A", 2: "B", 3: "C"}))
    >>> lines.take_all(["5: 3,{1, 2}", "", "2: 1,2,"])
    [(3, ParseError("expected the number of an alternative, or '{', found the end of the line"))]
    >>> lines.items, lines.ends, lines.sizes, lines.counts
    (['C', 'A', 'B'], [0, 3], [(1, 2)], [5])
    """

    def __init__(
        self,
        alternatives: Alternatives,
        *,
        separator: str = ":",
        kind: str = "",
        categories: int = 0,
    ) -> None:
        self.alternatives = alternatives
        self.separator = separator
        self.kind = kind
        self.categories = categories
        self.items: list[Item] = []
        self.ends = [0]
        self.sizes: list[tuple[int, ...] | None] = []
        self.counts: list[int] = []
        self.voters: int | None = 0
        self.repeated = 0
        self._is_strict = kind in ("soc", "soi")
        self._least = len(alternatives.items_in_order) if kind in ("soc", "toc") else 0

    def take_all(self, lines: Sequence[str], *, first: int = 1) -> list[tuple[int, ParseError]]:
        """Take in the lines that are not empty, and return the faults with the lines of theirs.

        Parameters
        ----------
        lines : sequence of str
            The lines.
        first : int
            The number of the first of them in the file.
        """
        rows, faults = self._read(lines, first)
        if self.voters is not None:
            self.voters += sum(rows.counts)
        again = find_repeated(rows)
        for row, same in again.items():
            rows.counts[same] += rows.counts[row]
            message = (
                f"expected each order on one line, found that of line {rows.lines[same]} again"
            )
            faults.append((int(rows.lines[row]), ParseError(message)))
        self.repeated = len(again)
        is_first = np.ones(len(rows.lines), bool)
        is_first[list(again)] = False
        self._keep(rows.only(is_first))
        return sorted(faults, key=lambda fault: fault[0])

    def _keep(self, rows: Rows) -> None:
        """Take in what the rows say."""
        known = np.fromiter(self.alternatives.items_in_order, dtype=object)
        self.items = known[rows.places].tolist()
        self.ends = rows.ends.tolist()
        self.sizes = [shape.sizes for shape in rows.shapes]
        self.counts = rows.counts

    def _read(self, lines: Sequence[str], first: int) -> tuple[Rows, list[tuple[int, ParseError]]]:
        """Return the good lines, and the faults of the others."""
        plain = PlainLines(
            map(int, self.alternatives.place_of),
            separator=self.separator,
            least=self._least,
            is_strict=self._is_strict,
        )
        parts = [rows_of([], [], [], [])]
        faults: list[tuple[int, ParseError]] = []
        step = 1 + _BLOCK * len(lines) // (1 + sum(map(len, lines)))
        for start in range(0, len(lines), step):
            block = lines[start : start + step]
            is_left = np.ones(len(block), bool)
            if self.kind != "cat":
                parts.append(plain.read(block, first=first + start))
                is_left[parts[-1].lines - first - start] = False
            left = {first + start + row: block[row] for row in np.flatnonzero(is_left).tolist()}
            parts.append(self._read_carefully(left, faults))
        return join_rows(parts), faults

    def _read_carefully(
        self, lines: Mapping[int, str], faults: list[tuple[int, ParseError]]
    ) -> Rows:
        """Return the good lines, and append to `faults` what is wrong with the others."""
        read: dict[int, tuple[int, Shape, list[int]]] = {}
        for number, line in lines.items():
            if line.strip():
                try:
                    read[number] = self._read_line(line)
                except ParseError as error:
                    faults.append((number, error))
        return rows_of(
            list(read),
            [count for count, _, _ in read.values()],
            [shape for _, shape, _ in read.values()],
            [place for _, _, places in read.values() for place in places],
        )

    def _read_line(self, line: str) -> tuple[int, Shape, list[int]]:
        """Return count, shape and places, or raise the bare `ParseError` with the column."""
        count, separator, text = line.partition(self.separator)
        try:
            require_utf8(line)
            voters = _read_count(count)
        except ParseError:
            self.voters = None
            raise
        try:
            if not separator:
                raise ParseError(f"expected {self.separator!r} after the count, found none")
            reader = SignReader(text, self.alternatives, len(count) + 1)
            items, sizes = reader.read(empty=self.kind == "cat")
            self._require_kind(items, sizes)
        except ParseError:
            if self.voters is not None:
                self.voters += voters
            raise
        places = [self.alternatives.place_of[number] for number in reader.items.values()]
        return voters, shape_of((1,) * len(items) if sizes is None else sizes), places

    def _require_kind(self, items: list[Item], sizes: tuple[int, ...] | None) -> None:
        """Raise `ParseError` if the ranking is not of the kind that the file is to have."""
        levels = len(items) if sizes is None else len(sizes)
        if not levels:
            raise ParseError("expected an order of at least one alternative, found none")
        if self.kind == "cat" and levels != self.categories:
            named = counted(self.categories, "category", "categories")
            raise ParseError(f"expected {named}, as the header says, found {levels}")
        if self._is_strict and sizes:
            raise ParseError(
                f"expected no ties in a file of type {self.kind}, found {max(sizes)} tied items"
            )
        if len(items) < self._least:
            lacking = [item for item in self.alternatives.items_in_order if item not in items]
            raise ParseError(
                f"expected all {self._least} alternatives in a file of type {self.kind}, "
                f"found {len(items)}; {listed(lacking)} is missing"
            )


def _read_count(text: str) -> int:
    if not _COUNT.fullmatch(text.strip()):
        raise ParseError(
            f"expected a whole number above 0 as count, found {text.strip()!r}", column=1
        )
    return int(text)
