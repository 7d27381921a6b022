"""A ranking in a PrefLib file, read sign by sign: ``3,{1,2},4``, best first, ties in braces."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from porank.errors import ParseError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from porank.typing import Item

_TOKEN = re.compile(r"\d+|\S")


class Alternatives(dict[str, "Item"]):
    """Items by the text of their number; blanks around a number do not matter.

    Attributes
    ----------
    items_in_order : tuple
        The items, in the sequence of their numbers.
    place_of : dict
        The place of each in that sequence, by the text of its number.

    Examples
    --------
    >>> alternatives = Alternatives({1: "A", 2: "B"})
    >>> alternatives["2"], alternatives[" 1 "]
    ('B', 'A')
    """

    def __init__(self, items: Mapping[int, Item]) -> None:
        super().__init__((str(number), item) for number, item in items.items())
        self.items_in_order = tuple(items.values())
        self.place_of = {str(number): place for place, number in enumerate(items)}

    def __missing__(self, text: str) -> Item:
        item = self.find(text)
        if item is None:
            raise KeyError(text)
        self[text] = item
        return item

    def find(self, text: str) -> Item | None:
        """Return the item of a number, or None."""
        return self.get(text.strip())


class _Token(NamedTuple):
    text: str
    column: int

    def error(self, expected: str) -> ParseError:
        found = repr(self.text) if self.text else "the end of the line"
        return ParseError(f"expected {expected}, found {found}", column=self.column)


class SignReader:
    """Reads a ranking sign by sign, so that a fault has a place.

    Parameters
    ----------
    text : str
        Numbers of alternatives, best first, ties in braces.
    alternatives : Alternatives
        The items.
    column : int
        How many signs of the line stand before the text.

    Examples
    --------
    >>> SignReader("2,{1, 3}", Alternatives({1: "A", 2: "B", 3: "C"}), 0).read()
    (['B', 'A', 'C'], (1, 2))
    """

    def __init__(self, text: str, alternatives: Alternatives, column: int) -> None:
        self.alternatives = alternatives
        self.tokens = self._tokens(text, column)
        self.token = next(self.tokens)
        self.items: dict[Item, str] = {}

    @staticmethod
    def _tokens(text: str, column: int) -> Iterator[_Token]:
        for match in _TOKEN.finditer(text):
            yield _Token(match[0], column + match.start() + 1)
        yield _Token("", column + len(text) + 1)

    def read(self, *, empty: bool = False) -> tuple[list[Item], tuple[int, ...] | None]:
        """Return items and sizes of levels, None if all are 1; an empty text has no items.

        Parameters
        ----------
        empty : bool
            Whether braces may be empty.
        """
        sizes: list[int] = []
        while self.token.text or sizes:
            sizes.append(self._read_level(empty=empty))
            if not self.token.text:
                break
            if self.token.text != ",":
                raise self.token.error("',' between alternatives")
            self.token = next(self.tokens)
        return list(self.items), tuple(sizes) if set(sizes) - {1} else None

    def _read_level(self, *, empty: bool) -> int:
        """Read an alternative or alternatives in braces, and return how many."""
        if self.token.text != "{":
            self._read_alternative("the number of an alternative, or '{'")
            return 1
        opening, self.token = self.token, next(self.tokens)
        if empty and self.token.text == "}":
            self.token = next(self.tokens)
            return 0
        size = 0
        while True:
            if not self.token.text:
                raise ParseError("expected '}' to close this '{'", column=opening.column)
            self._read_alternative("the number of an alternative within the braces")
            size += 1
            sign = self.token
            if not sign.text:
                continue
            self.token = next(self.tokens)
            if sign.text == "}":
                return size
            if sign.text != ",":
                raise sign.error("',' or '}' after an alternative")

    def _read_alternative(self, expected: str) -> None:
        number = self.token.text
        if not number.isdecimal():
            raise self.token.error(expected)
        if number not in self.alternatives:
            known = len(self.alternatives.items_in_order)
            raise self.token.error(f"the number of one of the {known} alternatives")
        item = self.alternatives[number]
        if item in self.items:
            raise ParseError(
                f"expected each alternative once, found {number} ({item!r}) again",
                column=self.token.column,
            )
        self.items[item] = number
        self.token = next(self.tokens)
