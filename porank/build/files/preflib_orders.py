"""The lines of PrefLib files: ``count: 3,{1,2},4``, best first, ties in braces.

Idea: *what most lines are is read by splitting at commas; whatever does not fit is read again sign
by sign, which finds the place of the fault.*
"""

from __future__ import annotations

import re
from itertools import accumulate, chain
from typing import TYPE_CHECKING, TypeAlias

from porank.build.files.preflib_shapes import Shapes, shape_of
from porank.build.files.preflib_signs import SignReader
from porank.build.files.texts import require_utf8
from porank.build.tied_rankings import levels_of
from porank.errors import ParseError
from porank.wording import counted, listed

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from porank.build.files.preflib_signs import Alternatives
    from porank.typing import Item

#: Makes 1 of each digit.
_ONES = bytes.maketrans(b"023456789", b"111111111")
#: Items, sizes of levels, count, and a number that equal orders share, and few others.
_Row: TypeAlias = "tuple[list[Item], tuple[int, ...] | None, int, int]"
_COUNT = re.compile(r"0*[1-9][0-9]{0,999}")


class _Counts(dict[str, int]):
    """Counts by their texts."""

    def __missing__(self, text: str) -> int:
        if not _COUNT.fullmatch(text.strip()):
            raise ParseError(
                f"expected a whole number above 0 as count, found {text.strip()!r}", column=1
            )
        self[text] = int(text)
        return self[text]


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
        What has been taken in, as `porank.build.profile.Rankings` takes it.
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
        self._item_of = dict(alternatives).__getitem__
        self._count_of = _Counts()
        self._shapes = Shapes()
        self._lines: list[int] = []
        self._keys: list[int] = []

    def take_all(self, lines: Iterable[str], *, first: int = 1) -> list[tuple[int, ParseError]]:
        """Take in the lines that are not empty, and return the faults with the lines of theirs.

        Parameters
        ----------
        lines : iterable of str
            The lines.
        first : int
            The number of the first of them in the file.
        """
        faults: list[tuple[int, ParseError]] = []
        is_plain = self.kind != "cat"
        for number, line in enumerate(lines, start=first):
            try:
                row = (is_plain and self._read_quickly(line)) or self._read_carefully(line)
            except ParseError as error:
                if line.strip():
                    faults.append((number, error))
                continue
            items, sizes, voters, key = row
            self.items += items
            self.ends.append(len(self.items))
            self.sizes.append(sizes)
            self.counts.append(voters)
            self._keys.append(key)
            self._lines.append(number)
        if self.voters is not None:
            self.voters += sum(self.counts)
        last_of = dict(zip(self._keys, range(len(self._keys)), strict=True))
        if len(last_of) < len(self._keys):
            same = [row for row, key in enumerate(self._keys) if last_of[key] != row]
            same += {last_of[self._keys[row]] for row in same}
            faults = sorted(faults + self._merge_repeated(sorted(same)), key=lambda fault: fault[0])
        return faults

    def _merge_repeated(self, suspects: list[int]) -> list[tuple[int, ParseError]]:
        """Keep each order once, with all its voters, and return the faults of the other lines."""
        row_of: dict[Hashable, int] = {}
        first = {row: row_of.setdefault(self._said(row), row) for row in suspects}
        faults = []
        for row in suspects:
            if first[row] < row:
                self.counts[first[row]] += self.counts[row]
                before = self._lines[first[row]]
                message = f"expected each order on one line, found that of line {before} again"
                faults.append((self._lines[row], ParseError(message)))
        self.repeated = len(faults)
        if faults:
            self._keep([row for row in range(len(self.counts)) if first.get(row, row) == row])
        return faults

    def _keep(self, rows: list[int]) -> None:
        """Forget the other rows."""
        items = [self.items[self.ends[row] : self.ends[row + 1]] for row in rows]
        self.items = list(chain.from_iterable(items))
        self.ends = list(accumulate(map(len, items), initial=0))
        self.sizes = [self.sizes[row] for row in rows]
        self.counts = [self.counts[row] for row in rows]

    def _said(self, row: int) -> Hashable:
        """Return what an order says, whatever stands first in a level."""
        items, sizes = self.items[self.ends[row] : self.ends[row + 1]], self.sizes[row]
        if sizes is None:
            return tuple(items)
        return tuple(map(frozenset, levels_of((items, sizes))))

    def _read_quickly(self, line: str) -> _Row | None:
        """Return a row, or None where something is out of the ordinary."""
        count, _, text = line.partition(self.separator)
        text = text.strip(" ")
        shape = None
        try:
            if "{" in text:
                ones = text.encode().translate(_ONES, b" ")
                shape = self._shapes[ones.replace(b"11", b"1")]
                text = text.replace("{", "").replace("}", "")
                if shape is None or self._is_strict:
                    return None
            numbers = text.split(",")
            if " " in text:
                numbers = list(map(str.strip, numbers))
                text = ",".join(numbers)
            items = list(map(self._item_of, numbers))
            voters = self._count_of[count]
        except (KeyError, ValueError):
            return None
        if not len(set(items)) == len(items) >= self._least:
            return None
        if shape is None:
            return items, None, voters, hash(text)
        return items, shape.sizes, voters, shape.key(numbers)

    def _read_carefully(self, line: str) -> _Row:
        """Return a row, or raise `ParseError` with the column and bare message."""
        count, separator, text = line.partition(self.separator)
        try:
            require_utf8(line)
            voters = self._count_of[count]
        except ParseError:
            self.voters = None if line.strip() else self.voters
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
        numbers = list(reader.items.values())
        key = hash(",".join(numbers)) if sizes is None else shape_of(sizes).key(numbers)
        return items, sizes, voters, key

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
