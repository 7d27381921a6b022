"""The orders of a PrefLib file: lines ``count: 3,{1,2},4``, best first, ties in braces.

Idea: *a line falls into cells at its commas, and few cells differ: each different one is looked at
once.* What the cells say, as arrays, tells levels, repeated orders and bad lines; only a bad line
is walked through sign by sign, to find the place of its fault.

`read_orders`; `OrderForm` is what the orders of a file must be.
"""

from __future__ import annotations

import re
from itertools import chain, compress, pairwise, repeat
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from porank.convert.rankings import Rankings
from porank.core.files import require_utf8
from porank.errors import ParseError, counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from porank.core.files import Problems
    from porank.readwrite.preflib_header import Header
    from porank.typing import Item


class OrderForm(NamedTuple):
    """What the orders of a file must be."""

    kind: str
    separator: str
    items: Mapping[int, Item]
    categories: Sequence[Item]


def unknown_alternative(item_of: Mapping[str, Item], number: str) -> str:
    """Return what to say of a number that no alternative has."""
    return f"expected the number of one of the {len(item_of)} alternatives, found {number!r:.60}"


def read_orders(
    lines: Mapping[int, str], form: OrderForm, header: Header, problems: Problems
) -> tuple[Rankings, list[int]]:
    """Return the orders of lines ``count: order``, each once, with the sums of their counts."""
    ballots = _Ballots(lines, form)
    faults = {
        number: _find_fault(lines[number], form)
        for number in ballots.lines[~ballots.is_good].tolist()
    }
    counts = ballots.counts
    voters = sum(counts) if all(counts) else None
    again = ballots.repeated()
    for row, same in again.items():
        counts[same] += counts[row]
        ballots.is_good[row] = False
        first = ballots.lines[same]
        faults[int(ballots.lines[row])] = ParseError(
            f"expected each order on one line, found that of line {first} again"
        )
    for number, fault in sorted(faults.items()):
        problems.meet(fault, line=number, text=lines[number])
    header.require("the number of orders", len(lines) - len(again), problems)
    if voters is not None:
        header.require("the sum of the counts", voters, problems)
    return ballots.rankings(form), [
        count for count, is_good in zip(counts, ballots.is_good.tolist(), strict=True) if is_good
    ]


#: A cell between two commas: a number, and the braces that open and close beside it.
_CELL = re.compile(r"\s*(\{?)\s*([0-9]*)\s*(\}?)\s*")
_COUNT = re.compile(r"0*[1-9][0-9]{0,999}")
#: The places of what is no alternative: a category that is empty, and what cannot be read.
_EMPTY, _UNREAD = -1, -2


class _Cells(dict[str, bytes]):
    """What each cell says, as an int32: 4 times the place of its alternative, 1 for {, 2 for }."""

    def __init__(self, numbers: Iterable[int], *, may_be_empty: bool) -> None:
        super().__init__()
        self._place_of = {str(number): place for place, number in enumerate(numbers)}
        if may_be_empty:
            self._place_of["{}"] = _EMPTY

    def __missing__(self, cell: str) -> bytes:
        match = _CELL.fullmatch(cell)
        opening, number, closing = match.groups() if match else ("", "", "")
        place = self._place_of.get(number or opening + closing, _UNREAD)
        self[cell] = np.int32(4 * place + bool(opening) + 2 * bool(closing)).tobytes()
        return self[cell]


class _Counts(dict[str, int]):
    """How many voters a text says that there are, 0 where it is no count."""

    def __missing__(self, text: str) -> int:
        self[text] = int(text) if _COUNT.fullmatch(text.strip()) else 0
        return self[text]


class _Ballots:
    """The orders of all lines, as arrays of what their cells say."""

    def __init__(self, lines: Mapping[int, str], form: OrderForm) -> None:
        self.lines = np.array(list(lines), dtype=np.int64)
        # Of the parts of a line texts are kept only: that many tuples would busy the collector.
        orders = [line.partition(form.separator)[2] for line in lines.values()]
        counts = (line.partition(form.separator)[0] for line in lines.values())
        self.counts = list(map(_Counts().__getitem__, counts))
        widths = np.fromiter(map(str.count, orders, repeat(",")), np.int64, len(orders)) + 1
        cells = chain.from_iterable(map(str.split, orders, repeat(",")))
        code_of = _Cells(form.items, may_be_empty=form.kind == "cat").__getitem__
        codes = np.frombuffer(b"".join(map(code_of, cells)), np.int32)
        self._ends = np.append(0, np.cumsum(widths))
        self._row = np.repeat(np.arange(len(orders), dtype=np.int32), widths)
        self._place = codes >> 2
        opens, closes = codes & 1, codes >> 1 & 1
        balance = np.append(0, np.cumsum(opens - closes, dtype=np.int32))
        is_within = balance[1:] + closes - np.repeat(balance[self._ends[:-1]], widths)
        # A level begins outside of braces, and where they open.
        self._is_first = (is_within == 0) | (opens == 1)
        is_wrong = (self._place == _UNREAD) | (is_within < closes) | (is_within > 1)
        self.is_good = (self._count(is_wrong) == 0) & (np.diff(balance[self._ends]) == 0)
        self.is_good &= np.array([count > 0 for count in self.counts], dtype=bool)
        self.is_good &= self._is_of_kind(form)
        self.sizes = self._level_sizes()

    def _count(self, is_counted: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return how many cells of each line are counted."""
        return np.bincount(self._row[is_counted], minlength=len(self.lines))

    def _is_of_kind(self, form: OrderForm) -> NDArray[np.bool_]:
        """Return which lines list each alternative once, and what the type of the file demands."""
        is_listed = self._place >= 0
        n = len(form.items)
        listed = np.sort((self._row.astype(np.int64) * n + self._place)[is_listed])
        width, levels = self._count(is_listed), self._count(self._is_first)
        is_right = np.ones(len(self.lines), dtype=bool)
        is_right[listed[1:][listed[1:] == listed[:-1]] // max(n, 1)] = False
        if form.kind == "cat":
            is_right &= levels == len(form.categories)
        if form.kind in ("soc", "soi"):
            is_right &= levels == width
        if form.kind in ("soc", "toc"):
            is_right &= width == n
        return is_right

    def repeated(self) -> dict[int, int]:
        """Return row -> the first row that says the same, for each good row that is not it."""
        level = np.cumsum(self._is_first)
        size = int(self._place.max(initial=0)) + 2
        # Within its level it does not matter where an alternative stands.
        said = np.sort(level * size + self._place + 1) - level * size
        text = (2 * said + self._is_first).astype(np.int32).tobytes()
        ends = (self._ends * 4).tolist()
        said_in = [text[start:end] for start, end in pairwise(ends)]
        if len(set(said_in)) == len(said_in):
            return {}
        first: dict[bytes, int] = {}
        repeated = {}
        for row in np.flatnonzero(self.is_good).tolist():
            if first.setdefault(said_in[row], row) != row:
                repeated[row] = first[said_in[row]]
        return repeated

    def _level_sizes(self) -> list[tuple[int, ...] | None]:
        """Return the sizes of the levels of each line, None where all are 1."""
        level = np.cumsum(self._is_first) - 1
        size = np.bincount(level[self._place >= 0], minlength=int(self._is_first.sum()))
        found: list[tuple[int, ...] | None] = [None] * len(self.lines)
        if (size == 1).all():
            return found
        is_other = np.zeros(len(self.lines), dtype=bool)
        is_other[self._row[self._is_first][size != 1]] = True
        ends = np.append(0, np.cumsum(self._count(self._is_first))).tolist()
        sizes = size.tolist()
        for row in np.flatnonzero(is_other).tolist():
            found[row] = tuple(sizes[ends[row] : ends[row + 1]])
        return found

    def rankings(self, form: OrderForm) -> Rankings:
        """Return the orders of the good lines."""
        known = np.fromiter(form.items.values(), dtype=object, count=len(form.items))
        is_kept = self.is_good[self._row] & (self._place >= 0)
        ends = np.append(0, np.cumsum(self._count(is_kept)[self.is_good]))
        return Rankings(
            known[self._place[is_kept]].tolist(),
            ends.tolist(),
            list(compress(self.sizes, self.is_good.tolist())),
            form.categories,
        )


_TOKEN = re.compile(r"\d+|\S")
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
    """Return what is wrong with a line that could not be read, with its column."""
    count, separator, text = line.partition(form.separator)
    try:
        require_utf8(line)
        if not _COUNT.fullmatch(count.strip()):
            found = f"found {count.strip()!r:.60}"
            raise ParseError(f"expected a whole number above 0 as count, {found}", column=1)
        if not separator:
            raise ParseError(f"expected {form.separator!r} after the count, found none")
        levels = _walk(text, len(count) + 1, form) if text.strip() else []
    except ParseError as error:
        return error
    return _misfit_of_kind(levels, form)


def _walk(text: str, start: int, form: OrderForm) -> list[list[Item]]:
    """Return the levels of an order, or raise the bare `ParseError` at its first fault."""
    item_of = {str(number): item for number, item in form.items.items()}
    following = _NEXT | ({("opened", "}"): "end of level"} if form.kind == "cat" else {})
    levels: list[list[Item]] = []
    state, opening = "level", 0
    tokens = [(match[0], start + match.start() + 1) for match in _TOKEN.finditer(text)]
    for token, column in [*tokens, ("", start + len(text) + 1)]:
        kind = "1" if token.isdecimal() else token
        if (state, kind) not in following:
            if not token and state in ("opened", "within", "tied"):
                raise ParseError("expected '}' to close this '{'", column=opening)
            found = repr(token) if token else "the end of the line"
            raise ParseError(f"expected {_EXPECTED[state]}, found {found}", column=column)
        if state == "level":
            levels.append([])
        if kind == "1":
            item = _require_new(token, levels, item_of, column)
            levels[-1].append(item)
        opening = column if kind == "{" else opening
        state = following[state, kind]
    return levels


def _require_new(
    number: str, levels: list[list[Item]], item_of: Mapping[str, Item], column: int
) -> Item:
    """Return the alternative of that number, which no level must have."""
    if number not in item_of:
        raise ParseError(unknown_alternative(item_of, number), column=column)
    item = item_of[number]
    if any(item in level for level in levels):
        raise ParseError(
            f"expected each alternative once, found {number} ({item!r}) again", column=column
        )
    return item


def _misfit_of_kind(levels: list[list[Item]], form: OrderForm) -> ParseError:
    """Return why an order of these levels does not stand in a file of its type."""
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
    lacking = [item for item in form.items.values() if item not in listed_items]
    return ParseError(
        f"expected all {len(form.items)} alternatives in a file of type {form.kind}, "
        f"found {len(listed_items)}; {listed(lacking)} is missing"
    )
