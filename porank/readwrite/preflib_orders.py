"""The orders of a PrefLib file: lines ``count: 3,{1,2},4``, best first, ties in braces.

Idea: *all lines are one array of signs, of which each says what it may be followed by.* Levels,
repeated orders and bad lines are then told for all lines together; only a bad line is walked
through sign by sign, to find the place of its fault.

`read_orders`; `OrderForm` is what the orders of a file must be.
"""

from __future__ import annotations

import re
from itertools import chain, compress, pairwise
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


_COUNT = re.compile(r"0*[1-9][0-9]{0,999}")
#: The places of what is no alternative: a category that is empty, and what cannot be read.
_EMPTY, _UNREAD = -1, -2
#: Alternatives have numbers of no more digits.
_DIGITS = 9

#: The kinds of signs in an order, and what each may be followed by, blanks apart.
_OTHER, _BLANK, _DIGIT, _COMMA, _OPEN, _CLOSE, _END = range(7)
_KINDS = {
    b" \t": _BLANK,
    b"0123456789": _DIGIT,
    b",": _COMMA,
    b"{": _OPEN,
    b"}": _CLOSE,
    b"\n": _END,
}
_FOLLOWERS = {
    _END: (_DIGIT, _OPEN),
    _COMMA: (_DIGIT, _OPEN),
    _OPEN: (_DIGIT,),
    _DIGIT: (_DIGIT, _COMMA, _CLOSE, _END),
    _CLOSE: (_COMMA, _END),
}
_KIND_OF = bytearray(256)
for _signs, _kind in _KINDS.items():
    for _sign in _signs:
        _KIND_OF[_sign] = _kind


def _may_follow(*, has_categories: bool) -> NDArray[np.bool_]:
    """Return whether a sign may follow another one, for both kinds in one number."""
    table = np.zeros((len(_KINDS) + 1, len(_KINDS) + 1), dtype=bool)
    for kind, followers in _FOLLOWERS.items():
        table[kind, list(followers)] = True
    table[_OPEN, _CLOSE] = has_categories
    return table.ravel()


def _read_numbers(
    raw: NDArray[np.uint8], start: NDArray[np.int64], stop: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the numbers whose digits stand from each start to each stop, -1 for what is none."""
    width = stop - start
    value = raw[stop - 1] - np.int64(ord("0"))
    for digit in range(1, min(int(width.max(initial=0)), _DIGITS)):
        longer = np.flatnonzero(width > digit)
        value[longer] += (raw[stop[longer] - 1 - digit] - np.int64(ord("0"))) * 10**digit
    value[(width > _DIGITS) | ((raw[start] == ord("0")) & (width > 1))] = -1
    return value


def _repeated(numbers: NDArray[np.int64], bound: int) -> NDArray[np.int64]:
    """Return the numbers below a bound that stand more than once."""
    if bound <= 4 * numbers.size:
        return np.flatnonzero(np.bincount(numbers, minlength=1) > 1)
    line = np.sort(numbers)
    again: NDArray[np.int64] = line[1:][line[1:] == line[:-1]]
    return again


class _Counts(dict[str, int]):
    """How many voters a text says that there are, 0 where it is no count."""

    def __missing__(self, text: str) -> int:
        self[text] = int(text) if _COUNT.fullmatch(text.strip()) else 0
        return self[text]


def _places(values: NDArray[np.int64], form: OrderForm) -> NDArray[np.int64]:
    """Return the place of each number among those of the alternatives."""
    numbers = np.array([*form.items], dtype=np.int64)
    found = np.searchsorted(numbers, values)
    return np.where(np.append(numbers, _UNREAD)[found] == values, found, _UNREAD)


class _Ballots:
    """The orders of all lines, as arrays of the numbers in them."""

    def __init__(self, lines: Mapping[int, str], form: OrderForm) -> None:
        self.lines = np.array(list(lines), dtype=np.int64)
        parted = [line.partition(form.separator) for line in lines.values()]
        self.counts = list(map(_Counts().__getitem__, (count for count, _, _ in parted)))
        text = "\n".join(["", *(order for _, _, order in parted), ""]).encode("ascii", "replace")
        raw = np.frombuffer(text, np.uint8)
        kind = np.frombuffer(text.translate(_KIND_OF), np.uint8)
        at = np.flatnonzero(kind != _BLANK)
        has_blanks = at.size < kind.size
        if has_blanks:
            raw, kind = raw[at], kind[at]
        is_digit = kind == _DIGIT
        is_right = _may_follow(has_categories=form.kind == "cat").take(
            kind[:-1] * np.uint8(len(_KINDS) + 1) + kind[1:]
        )
        if has_blanks:
            is_right &= ~(is_digit[:-1] & is_digit[1:]) | (np.diff(at) == 1)
        end = np.flatnonzero(kind == _END)
        # An entry is a number, or the brace that closes an empty category.
        is_entry = is_digit[1:] & ~is_digit[:-1] | (kind[:-1] == _OPEN) & (kind[1:] == _CLOSE)
        entry = np.flatnonzero(is_entry) + 1
        self._ends = np.searchsorted(entry, end)
        self._row = np.repeat(np.arange(len(lines)), np.diff(self._ends))
        self._place = np.full(len(entry), _EMPTY)
        start = entry[is_digit[entry]]
        stop = np.flatnonzero(is_digit[:-1] & ~is_digit[1:]) + 1
        self._place[is_digit[entry]] = _places(_read_numbers(raw, start, stop), form)
        depth = np.cumsum((kind == _OPEN).astype(np.int8) - (kind == _CLOSE), dtype=np.int32)
        base = depth[end]
        # A level begins outside of braces, and where they open.
        self._is_first = (depth[entry] == base[self._row]) | (kind[entry - 1] == _OPEN)
        self._is_first[self._ends[:-1][np.diff(self._ends) > 0]] = True
        brace = np.flatnonzero((kind == _OPEN) | (kind == _CLOSE))
        within = depth[brace] - base[np.searchsorted(end, brace) - 1]
        wrong = np.append(np.flatnonzero(~is_right), brace[(within < 0) | (within > 1)])
        self.is_good = np.diff(base) == 0
        self.is_good[np.searchsorted(end, wrong, side="right") - 1] = False
        self.is_good[self._row[self._place == _UNREAD]] = False
        self.is_good &= np.array([count > 0 for count in self.counts], dtype=bool)
        self.is_good &= self._is_of_kind(form)
        self.sizes = self._level_sizes()

    def _count(self, is_counted: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return how many entries of each line are counted."""
        return np.bincount(self._row[is_counted], minlength=len(self.lines))

    def _is_of_kind(self, form: OrderForm) -> NDArray[np.bool_]:
        """Return which lines list each alternative once, and what the type of the file demands."""
        is_listed = self._place >= 0
        n = len(form.items)
        listed = (self._row * n + self._place)[is_listed]
        width, levels = self._count(is_listed), self._count(self._is_first)
        is_right = np.ones(len(self.lines), dtype=bool)
        is_right[_repeated(listed, n * len(self.lines)) // max(n, 1)] = False
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
        kind = "1" if token.isdigit() and token.isascii() else token
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
