"""The orders of a PrefLib file: lines ``count: 3,{1,2},4``, best first, ties in braces.

Idea: *with one sign for all numbers, lines are of few shapes; the shape says what a line is, and
the numbers of all lines are read as one array.* Only a bad line is walked through sign by sign, to
find the place of its fault.

`read_orders`; `OrderForm` is what the orders of a file must be.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from itertools import chain, compress, pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from porank.convert.rankings import Rankings
from porank.core.files import require_utf8
from porank.errors import ParseError, counted, listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from porank.core.files import Problems
    from porank.readwrite.preflib_header import Header
    from porank.typing import Item


class OrderForm(NamedTuple):
    """What the orders of a PrefLib file must be: its type, and the alternatives by their texts."""

    kind: str
    separator: str
    item_of: Mapping[str, Item]
    categories: Sequence[Item]


def unknown_alternative(item_of: Mapping[str, Item], number: str) -> str:
    """Return what to say of a number in a PrefLib order that no alternative has."""
    return f"expected the number of one of the {len(item_of)} alternatives, found {number!r:.60}"


def read_orders(
    lines: Mapping[int, str], form: OrderForm, header: Header, problems: Problems
) -> tuple[Rankings, list[int]]:
    """Return the orders of PrefLib lines ``count: order``, each once, with their summed counts."""
    parted = [line.partition(form.separator) for line in lines.values()]
    voters_of = {text: _read_count(text) for text in {count for count, _, _ in parted}}
    counts = [voters_of[count] for count, _, _ in parted]
    voters = sum(counts) if all(counts) else None
    ballots = _Ballots([order for _, _, order in parted], counts, form)
    numbers = list(lines)
    bad = np.flatnonzero(~ballots.is_good).tolist()
    faults = {row: _find_fault(lines[numbers[row]], form) for row in bad}
    again = ballots.repeated()
    for row, before in again.items():
        counts[before] += counts[row]
        ballots.is_good[row] = False
        faults[row] = ParseError(
            f"expected each order on one line, found that of line {numbers[before]} again"
        )
    for row, fault in sorted(faults.items()):
        problems.meet(fault, line=numbers[row], text=lines[numbers[row]])
    header.require("the number of orders", len(lines) - len(again), problems)
    if voters is not None:
        header.require("the sum of the counts", voters, problems)
    return ballots.rankings(form), [*compress(counts, ballots.is_good.tolist())]


_COUNT = re.compile(r"0*[1-9][0-9]{0,999}")


def _read_count(text: str) -> int:
    """Return how many voters hold a PrefLib order by the count of its line, 0 if it is none."""
    return int(text) if _COUNT.fullmatch(text.strip()) else 0


#: An order with ``1`` for each number, and a level of it.
_ORDER = re.compile(rb"(?:1|\{(?:1(?:,1)*)?\})(?:,(?:1|\{(?:1(?:,1)*)?\}))*")
_LEVEL = re.compile(rb"1|\{[1,]*\}")
_ONES = bytes.maketrans(b"023456789", b"1" * 9)
_COMMAS = bytes.maketrans(b"\n", b",")


def _mask_numbers(text: bytes) -> bytes:
    """Return the lines of PrefLib orders with ``1`` for each number, without blanks."""
    text = text.translate(_ONES)
    while b"11" in text:
        text = text.replace(b"11", b"1")
    return text.translate(None, b" \t")


class _Shape(NamedTuple):
    """How many alternatives stand in a PrefLib order and on its levels, None if 1 on each."""

    is_right: bool
    width: int = 0
    sizes: tuple[int, ...] | None = None
    levels: bytes = b""


_WRONG = _Shape(is_right=False)


def _shape_of(form: OrderForm, masked: bytes) -> _Shape:
    """Return the shape of a PrefLib order with ``1`` for each number, as the type demands it."""
    if not _ORDER.fullmatch(masked):
        return _WRONG
    sizes = tuple(level.count(b"1") for level in _LEVEL.findall(masked))
    width, is_strict = sum(sizes), set(sizes) == {1}
    if form.kind == "cat":
        is_right = len(sizes) == len(form.categories)
    else:
        is_right = 0 not in sizes and (is_strict or form.kind not in ("soc", "soi"))
    if not is_right or (form.kind in ("soc", "toc") and width < len(form.item_of)):
        return _WRONG
    levels = np.repeat(np.arange(len(sizes)), sizes).tobytes()
    return _Shape(is_right, width, None if is_strict else sizes, levels)


#: Alternatives of a PrefLib file have numbers of no more digits.
_DIGITS = 9


def _read_numbers(text: bytes) -> NDArray[np.int64]:
    """Return the numbers between the commas of PrefLib orders, -1 for none."""
    signs = np.frombuffer(text, np.uint8)
    stop = np.append(np.flatnonzero(signs == ord(",")), signs.size)
    width = np.diff(stop, prepend=-1) - 1
    value: NDArray[np.int64] = signs[stop - 1] - np.int64(ord("0"))
    for digit in range(1, min(int(width.max()), _DIGITS)):
        longer = np.flatnonzero(width > digit)
        value[longer] += (signs[stop[longer] - 1 - digit] - np.int64(ord("0"))) * 10**digit
    value[(width > _DIGITS) | ((signs[stop - width] == ord("0")) & (width > 1))] = -1
    return value


class _Ballots:
    """The orders of all lines of a PrefLib file, as arrays of the numbers in them."""

    def __init__(self, orders: Sequence[str], counts: Sequence[int], form: OrderForm) -> None:
        text = "\n".join(orders).encode("ascii", "replace")
        shape_of = lru_cache(None)(partial(_shape_of, form))
        shapes = map(shape_of, _mask_numbers(text).split(b"\n"))
        self.shapes = [
            shape if count else _WRONG for count, shape in zip(counts, shapes, strict=False)
        ]
        self.is_good = np.fromiter(map(attrgetter("is_right"), self.shapes), bool)
        if not self.is_good.all():
            text = b"\n".join(compress(text.split(b"\n"), self.is_good.tolist()))
        widths = np.fromiter(map(attrgetter("width"), self.shapes), np.int64)
        self.ends = np.append(0, np.cumsum(widths))
        self.row = np.repeat(np.arange(widths.size), widths)
        self.place = self._places(text, form)
        self.is_good[self.row[self.place < 0]] = False
        listed = np.sort(self.row * (len(form.item_of) + 1) + self.place)
        again = listed[1:][listed[1:] == listed[:-1]]
        self.is_good[again // (len(form.item_of) + 1)] = False

    def _places(self, text: bytes, form: OrderForm) -> NDArray[np.int64]:
        """Return the place of each number among the alternatives of a PrefLib file, -1 for none."""
        if not self.row.size:
            return self.row
        text = text.translate(_COMMAS, b"{} \t")
        if form.kind == "cat":
            # Empty categories leave commas.
            text = b",".join(filter(None, text.split(b",")))
        values = _read_numbers(text)
        numbers = np.fromiter(map(int, form.item_of), np.int64)
        found = np.searchsorted(numbers, values)
        return np.where(np.append(numbers, -2)[found] == values, found, -1)

    def repeated(self) -> dict[int, int]:
        """Return row -> the first row of the same PrefLib order, for each that repeats it."""
        said = self.place
        sizes = [*map(attrgetter("sizes"), self.shapes)]
        if any(sizes):
            # Within its level it does not matter where an alternative stands.
            levels = np.frombuffer(b"".join(map(attrgetter("levels"), self.shapes)), np.int64)
            level = self.row * (levels.max(initial=0) + 1) + levels
            least = level * (self.place.max(initial=0) + 2)
            said = np.sort(least + self.place) - least
        text = said.astype(np.int32).tobytes()
        orders = [text[start:end] for start, end in pairwise((self.ends * 4).tolist())]
        if len(set(orders)) == len(orders):
            return {}
        first: dict[tuple[bytes, tuple[int, ...] | None], int] = {}
        good = np.flatnonzero(self.is_good).tolist()
        same = {row: first.setdefault((orders[row], sizes[row]), row) for row in good}
        return {row: before for row, before in same.items() if row != before}

    def rankings(self, form: OrderForm) -> Rankings:
        """Return the rankings of the good lines of a PrefLib file."""
        known = np.fromiter(form.item_of.values(), dtype=object, count=len(form.item_of))
        kept = [*compress(self.shapes, self.is_good.tolist())]
        ends = np.append(0, np.cumsum(np.diff(self.ends)[self.is_good])).tolist()
        items = known[self.place[self.is_good[self.row]]].tolist()
        return Rankings(items, ends, [shape.sizes for shape in kept], form.categories)


_TOKEN = re.compile(r"[0-9]+|[^ \t]")
#: What may come next in an order: a number is written 1, the end of the line as nothing.
_NEXT = {
    ("level", "1"): "end of level",
    ("level", "{"): "opened",
    ("end of level", ","): "level",
    ("end of level", ""): "end",
    ("opened", "1"): "tied",
    ("within", "1"): "tied",
    ("tied", ","): "within",
    ("tied", "}"): "end of level",
}
_EXPECTED = {
    "level": "the number of an alternative, or '{'",
    "end of level": "',' between alternatives",
    "opened": "the number of an alternative within the braces",
    "within": "the number of an alternative within the braces",
    "tied": "',' or '}' after an alternative",
}


def _find_fault(line: str, form: OrderForm) -> ParseError:
    """Return what is wrong with the line of a PrefLib order, with its column."""
    count, separator, text = line.partition(form.separator)
    try:
        require_utf8(line)
        if not _read_count(count):
            found = f"found {count.strip()!r:.60}"
            raise ParseError(f"expected a whole number above 0 as count, {found}", column=1)
        if not separator:
            raise ParseError(f"expected {form.separator!r} after the count, found none")
        levels = _walk(text, len(count) + 1, form) if text.strip() else []
    except ParseError as error:
        return error
    return _misfit_of_kind(levels, form)


def _walk(text: str, start: int, form: OrderForm) -> list[list[Item]]:
    """Return the levels of a PrefLib order, or raise the bare error at its first fault."""
    following = _NEXT | ({("opened", "}"): "end of level"} if form.kind == "cat" else {})
    levels: list[list[Item]] = []
    state, opening = "level", 0
    tokens = [(match[0], start + match.start() + 1) for match in _TOKEN.finditer(text)]
    for token, column in [*tokens, ("", start + len(text) + 1)]:
        kind = "1" if token.isdigit() and token.isascii() else token
        if (state, kind) not in following:
            if not token and state in ("opened", "within", "tied"):
                raise ParseError("expected '}' to close this '{'", column=opening)
            found = repr(token) if token else "the end of the line"
            raise ParseError(f"expected {_EXPECTED[state]}, found {found}", column=column)
        if state == "level":
            levels.append([])
        if kind == "1":
            item = _require_new(token, levels, form.item_of, column)
            levels[-1].append(item)
        opening = column if kind == "{" else opening
        state = following[state, kind]
    return levels


def _require_new(
    number: str, levels: list[list[Item]], item_of: Mapping[str, Item], column: int
) -> Item:
    """Return the alternative of that number in a PrefLib order, in which no level must have it."""
    if number not in item_of:
        raise ParseError(unknown_alternative(item_of, number), column=column)
    item = item_of[number]
    if any(item in level for level in levels):
        raise ParseError(
            f"expected each alternative once, found {number} ({item!r}) again", column=column
        )
    return item


def _misfit_of_kind(levels: list[list[Item]], form: OrderForm) -> ParseError:
    """Return why an order of these levels does not stand in a PrefLib file of its type."""
    most = max(map(len, levels), default=0)
    listed_items = set(chain.from_iterable(levels))
    if not levels:
        return ParseError("expected an order of at least one alternative, found none")
    if form.kind == "cat":
        named = counted(len(form.categories), "category", "categories")
        return ParseError(f"expected {named}, as the header says, found {len(levels)}")
    if form.kind in ("soc", "soi") and most > 1:
        return ParseError(
            f"expected no ties in a file of type {form.kind}, found {most} tied items"
        )
    lacking = [item for item in form.item_of.values() if item not in listed_items]
    return ParseError(
        f"expected all {len(form.item_of)} alternatives in a file of type {form.kind}, "
        f"found {len(listed_items)}; {listed(lacking)} is missing"
    )
