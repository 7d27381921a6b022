"""The lines of PrefLib files: ``count: 3,{1,2},4``, best first, ties in braces.

Idea: *what most lines are is read by splitting at commas; whatever does not fit is read again sign
by sign, which finds the place of the fault.*
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from porank.build.files.preflib_signs import SignReader
from porank.errors import ParseError, listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from porank.build.files.preflib_signs import Alternatives
    from porank.typing import Item

_DIGITS = bytes.maketrans(b"023456789", b"111111111")
_LEVEL = re.compile(rb"\{1+(?:,1+)*\}|1+")
_LEVELS = re.compile(rb"(?:%b)(?:,(?:%b))*" % (_LEVEL.pattern, _LEVEL.pattern))
#: Items, sizes of levels, count.
_Row: TypeAlias = "tuple[list[Item], tuple[int, ...] | None, int]"
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
    unranked : {"ignore", "last"}
        Whether items that are not listed are left out, or make a last level.

    Attributes
    ----------
    items, ends, sizes, counts : list
        What has been taken in, as `porank.build.profile.Rankings` takes it.
    voters : int or None
        The sum of the counts, those of bad lines included; None if one of them was no number.

    Examples
    --------
    >>> from porank.build.files.preflib_signs import Alternatives
    >>> lines = RankingLines(Alternatives({1: "A", 2: "B", 3: "C"}))
    >>> lines.take_all(["5: 3,{1, 2}", "", "2: 1,2,"])
    [(2, ParseError("expected the number of an alternative, or '{', found the end of the line"))]
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
        unranked: str = "ignore",
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
        self._is_strict = kind in ("soc", "soi")
        self._least = len(alternatives.items_in_order) if kind in ("soc", "toc") else 0
        self._adds_last = unranked == "last"
        self._item_of = alternatives.__getitem__
        self._count_of = _Counts()
        self._sizes_of = _Shapes()

    def take_all(self, lines: Iterable[str]) -> list[tuple[int, ParseError]]:
        """Take in the lines that are not empty, and return the faults with the places of theirs."""
        faults: list[tuple[int, ParseError]] = []
        is_plain = self.kind != "cat" and not self._adds_last
        for place, line in enumerate(lines):
            try:
                row = (is_plain and self._read_quickly(line)) or self._read_carefully(line)
            except ParseError as error:
                if line.strip():
                    faults.append((place, error))
                continue
            items, sizes, voters = row
            self.items += items
            self.ends.append(len(self.items))
            self.sizes.append(sizes)
            self.counts.append(voters)
        if self.voters is not None:
            self.voters += sum(self.counts)
        return faults

    def _read_quickly(self, line: str) -> _Row | None:
        """Return items, sizes and count, or None where something is out of the ordinary."""
        count, _, text = line.partition(self.separator)
        text = text.strip(" ")
        sizes = None
        if "{" in text:
            shape = text.encode(errors="replace").translate(_DIGITS, b" ")
            sizes = self._sizes_of[shape.replace(b"11", b"1")]
            text = text.replace("{", "").replace("}", "")
        numbers = text.split(",")
        try:
            items = list(map(self._item_of, numbers))
            voters = self._count_of[count]
        except (KeyError, ParseError):
            return None
        is_ordinary = len(set(items)) == len(items) >= self._least and not (
            sizes and (self._is_strict or not sizes[0])
        )
        return (items, sizes, voters) if is_ordinary else None

    def _read_carefully(self, line: str) -> _Row:
        """Return items, sizes and count, or raise `ParseError` with the column and bare message."""
        count, separator, text = line.partition(self.separator)
        try:
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
        return (
            *(self._with_last_level(items, sizes) if self._adds_last else (items, sizes)),
            voters,
        )

    def _require_kind(self, items: list[Item], sizes: tuple[int, ...] | None) -> None:
        """Raise `ParseError` if the ranking is not of the kind that the file is to have."""
        levels = len(items) if sizes is None else len(sizes)
        if self.kind == "cat" and levels != self.categories:
            raise ParseError(
                f"expected {self.categories} categories, as the header says, found {levels}"
            )
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

    def _with_last_level(
        self, items: list[Item], sizes: tuple[int, ...] | None
    ) -> tuple[list[Item], tuple[int, ...] | None]:
        there = set(items)
        lacking = [item for item in self.alternatives.items_in_order if item not in there]
        if len(lacking) == 1 and sizes is None:
            return items + lacking, None
        if lacking:
            sizes = (*((1,) * len(items) if sizes is None else sizes), len(lacking))
        return items + lacking, sizes


class _Shapes(dict[bytes, tuple[int, ...]]):
    """The sizes of levels by the shape of a line, with 1 for each digit; (0,) if it has none.

    There are far fewer shapes than lines.
    """

    def __missing__(self, shape: bytes) -> tuple[int, ...]:
        levels = _LEVEL.findall(shape) if _LEVELS.fullmatch(shape) else ()
        self[shape] = tuple(level.count(b",") + 1 for level in levels) or (0,)
        return self[shape]
