"""PrefLib files: soc, soi, toc, toi, cat, wmd, and the old form without a header [1]_.

References
----------
.. [1] N. Mattei, T. Walsh, "PrefLib: A Library for Preferences", Algorithmic Decision Theory, 2013,
   pp. 259-270. https://doi.org/10.1007/978-3-642-41575-3_20

The rankings of a PrefLib file as arrays, and which of them are the same.

The lines of PrefLib files: ``count: 3,{1,2},4``, best first, ties in braces.

Idea: *most lines are plain and read many at once; whatever does not fit is read again sign by sign,
which finds the place of the fault.*

A ranking in a PrefLib file, read sign by sign: ``3,{1,2},4``, best first, ties in braces.

Lines of a PrefLib file in which all is as it should be, read many at once.

Idea: *with one sign for all numbers, lines are of few shapes; the shape says what a line is, so
that the numbers of all lines can be read as one array.*
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain, compress
from operator import attrgetter
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx
import numpy as np

from porank.convert.profiles import Profile
from porank.convert.rankings import Rankings, levels_of
from porank.core.arguments import require_one_of
from porank.core.csv_cells import read_number
from porank.core.files import LINE_END, Problems, read_text, require_utf8
from porank.errors import ParseError, PorankError, counted, listed
from porank.readwrite.preflib_header import (
    ORDERS,
    VOTERS,
    Shapes,
    mask_numbers,
    read_header,
    read_names,
    shape_of,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from porank.readwrite.preflib_header import Header, Shape, Stated
    from porank.typing import Item


TYPES = ("soc", "soi", "toc", "toi", "cat", "wmd")
#: Types that PrefLib has given up; they hold pairs, which would pass for short rankings.
_RETIRED = ("tog", "mjg", "wmg", "pwg")
_GIVEN_UP = f"expected a file of type {', '.join(TYPES)}, found {{!r}}, a type that PrefLib gave up"


def read_preflib(
    source: Any,
    *,
    data_type: str | None = None,
    names: str = "names",
    unranked: str = "ignore",
    errors: str = "raise",
) -> Profile:
    r"""Return the profile that a PrefLib file holds.

    Each line is one order with its count. Alternatives in braces are tied. The matching data of a
    wmd file are one order with count 1: the graph with an edge for each line.

    Parameters
    ----------
    source : path or open file
        A text in UTF-8, with a header or in the old form without one.
    data_type : {"soc", "soi", "toc", "toi", "cat", "wmd"}, optional
        By default what the header says, else the suffix of the file. Where nothing says it, the
        orders may be incomplete and tied.
    names : {"names", "numbers"}
        Whether the items are the names of the alternatives or their numbers.
    unranked : {"ignore", "last"}
        Whether alternatives that a line does not list are absent from its order, or tied below all
        the others.
    errors : {"raise", "report"}
        Whether the first bad line is an error, or the good lines are returned, with the bad ones in
        `problems`.

    Returns
    -------
    Profile
        The orders are DiGraphs, each made when it is first asked for; `Profile.scores` gives the
        compact spelling. In those of a cat file each item has its category as the node attribute
        ``category``; in that of a wmd file each edge has a ``weight``, and there may be cycles. The
        metadata are the fields of the header that are not about the file itself, and the
        ``categories``.

    Raises
    ------
    ParseError
        If a line is not in the format or contradicts the header, with line and column.
    PorankError
        If an option is none of those allowed or contradicts the header, the type is one that
        PrefLib gave up, or `source` is neither a path nor an open file.

    Examples
    --------
    >>> import io
    >>> text = "# DATA TYPE: toi\n# ALTERNATIVE NAME 1: A\n# ALTERNATIVE NAME 2: B\n"
    >>> text += "# ALTERNATIVE NAME 3: C\n5: 3,{1,2}\n2: 1,3\n"
    >>> profile = read_preflib(io.StringIO(text))
    >>> profile.counts, [list(order.edges) for order in profile.orders]
    ((5, 2), [[('C', 'A'), ('C', 'B')], [('A', 'C')]])
    >>> last = read_preflib(io.StringIO(text), unranked="last")
    >>> list(last.orders[1].edges)
    [('A', 'C'), ('C', 'B')]

    Notes
    -----
    Time O(n log n) for a file, read whole, in which n alternatives are listed in all its lines; a
    graph takes time O(n + m) when it is asked for.
    """
    require_one_of(names, ("names", "numbers"), name="names")
    require_one_of(unranked, ("ignore", "last"), name="unranked")
    if data_type is not None:
        require_one_of(data_type, TYPES, name="data_type")
    problems = Problems(errors)
    text, _ = read_text(source, problems)
    lines = LINE_END.split(text) if "\r" in text else text.split("\n")
    header = read_header(lines, problems)
    kind = _choose_type(header, data_type, problems)
    alternatives = Alternatives(read_names(header, names, problems))
    if names == "numbers" and header.names:
        header.metadata["names"] = {n: name.value for n, name in sorted(header.names.items())}
    if kind == "wmd":
        orders: Any = [_read_graph(lines, header, alternatives, problems)]
        counts = [1]
    else:
        categories: Sequence[Item] = ()
        if kind == "cat":
            how = "names" if _are_names(header.categories) else names
            categories = tuple(read_names(header, how, problems, kind="category").values())
            header.metadata["categories"] = categories
        read = RankingLines(
            alternatives, separator=header.separator, kind=kind, categories=len(categories)
        )
        _take_lines(read, lines, header, problems)
        orders, counts = Rankings(read.items, read.ends, read.sizes, categories), read.counts
        if unranked == "last":
            orders = orders.completed(alternatives.items_in_order)
    items = alternatives.items_in_order
    return Profile(orders, counts, items, header.metadata, problems.by_line())


def _are_names(stated: Mapping[int, Stated]) -> bool:
    """Return whether there are names, and no two are the same."""
    different = {name.value for name in stated.values()}
    return len(different) == len(stated) > 0 and "" not in different


def _choose_type(header: Header, data_type: str | None, problems: Problems) -> str:
    """Return the type that the caller, the header, the suffix or the fields tell, or nothing."""
    suffix = PurePath(problems.source).suffix.lower().removeprefix(".")
    said = _stated_type(header, problems)
    if said and data_type and said != data_type:
        raise PorankError(f"expected data_type {said!r} as the header says, found {data_type!r}")
    if not (said or data_type) and suffix in _RETIRED:
        raise PorankError(_GIVEN_UP.format(suffix))
    chosen = said or data_type or (suffix if suffix in TYPES else "")
    if not chosen and "NUMBER EDGES" in header.numbers:
        return "wmd"
    if not chosen and "NUMBER CATEGORIES" in header.numbers:
        return "cat"
    if header.separator == "," and chosen in ("cat", "wmd"):
        raise PorankError(f"expected a header in a file of type {chosen}, found the old form")
    return chosen


def _stated_type(header: Header, problems: Problems) -> str:
    """Return the type that the header states, or nothing where it is none."""
    stated = header.data_type
    if stated is None or stated.value in TYPES:
        return stated.value if stated else ""
    if stated.value in _RETIRED:
        # Nothing in such a file can be read.
        problems = Problems("raise", source=problems.source)
        fault = _GIVEN_UP.format(stated.value)
    else:
        fault = f"expected one of {', '.join(TYPES)} as DATA TYPE, found {stated.value!r}"
    problems.meet(ParseError(fault), line=stated.line, text=stated.text)
    return ""


def _take_lines(
    read: RankingLines, lines: Sequence[str], header: Header, problems: Problems
) -> None:
    """Read the lines below the header, and hold their numbers against those that it states."""
    faults = read.take_all(lines[header.size :], first=header.size + 1)
    for line, error in faults:
        problems.meet(error, line=line, text=lines[line - 1])
    for key in ORDERS:
        orders = len(read.counts) + len(faults) - read.repeated
        header.require(key, orders, "the number of orders", problems)
    if read.voters is not None:
        for key in VOTERS:
            header.require(key, read.voters, "the sum of the counts", problems)


def _read_graph(
    lines: Sequence[str], header: Header, alternatives: Alternatives, problems: Problems
) -> nx.DiGraph:
    """Return the graph of a wmd file, whose lines are ``source,destination,weight``."""
    G = nx.DiGraph()
    G.add_nodes_from(alternatives.items_in_order)
    edges = 0
    for number, line in enumerate(lines[header.size :], start=header.size + 1):
        if not line.strip():
            continue
        edges += 1
        try:
            require_utf8(line)
            u, v, weight = _read_edge(line, alternatives)
            if G.has_edge(u, v):
                raise ParseError(f"expected each edge once, found {u!r} > {v!r} again")
            G.add_edge(u, v, weight=weight)
        except ParseError as error:
            problems.meet(error, line=number, text=line)
    header.require("NUMBER EDGES", edges, "the number of edges", problems)
    return G


def _read_edge(line: str, alternatives: Alternatives) -> tuple[Item, Item, int | float]:
    cells = line.split(",")
    if len(cells) != 3:
        found = counted(len(cells), "cell")
        raise ParseError(f"expected 'source,destination,weight', found {found}")
    column = 1
    for cell in cells[:2]:
        if alternatives.find(cell) is None:
            known = len(alternatives.items_in_order)
            raise ParseError(
                f"expected the number of one of the {known} alternatives, found {cell.strip()!r}",
                column=column,
            )
        column += len(cell) + 1
    try:
        weight = read_number(cells[2], "weight")
    except ParseError as error:
        raise ParseError(str(error), column=column) from None
    return alternatives[cells[0]], alternatives[cells[1]], weight


@dataclass(frozen=True)
class Rows:
    """Rankings, each of one line."""

    lines: NDArray[np.int64]
    counts: list[int]
    shapes: list[Shape]
    widths: NDArray[np.int64]
    places: NDArray[np.int64]

    @property
    def ends(self) -> NDArray[np.int64]:
        """Where the rankings begin and end: 0, then the end of each."""
        return np.append(0, np.cumsum(self.widths))

    def only(self, is_kept: NDArray[np.bool_]) -> Rows:
        """Return some of the rows."""
        if is_kept.all():
            return self
        kept = is_kept.tolist()
        return Rows(
            self.lines[is_kept],
            list(compress(self.counts, kept)),
            list(compress(self.shapes, kept)),
            self.widths[is_kept],
            self.places[np.repeat(is_kept, self.widths)],
        )


def rows_of(
    lines: Sequence[int], counts: list[int], shapes: list[Shape], places: Sequence[int]
) -> Rows:
    """Return rows from lists."""
    widths = np.fromiter((shape.width for shape in shapes), np.int64, len(shapes))
    return Rows(np.array(lines, np.int64), counts, shapes, widths, np.array(places, np.int64))


def join_rows(parts: Sequence[Rows]) -> Rows:
    """Return all rows in the sequence of their lines."""
    parts = [part for part in parts if len(part.lines)] or list(parts[:1])
    if len(parts) == 1:
        return parts[0]
    lines = np.concatenate([part.lines for part in parts])
    counts = list(chain.from_iterable(part.counts for part in parts))
    shapes = list(chain.from_iterable(part.shapes for part in parts))
    places = np.concatenate([part.places for part in parts])
    rank = np.argsort(lines, kind="stable")
    widths = np.concatenate([part.widths for part in parts])
    return Rows(
        lines[rank],
        [counts[row] for row in rank.tolist()],
        [shapes[row] for row in rank.tolist()],
        widths[rank],
        places[np.argsort(np.repeat(lines, widths), kind="stable")],
    )


def find_repeated(rows: Rows) -> dict[int, int]:
    """Return row -> the first row that says the same, for each row that is not the first."""
    first: dict[Hashable, int] = {}
    ends = rows.ends.tolist()
    repeated = {}
    for row in _suspects(rows):
        said = _said(rows.places[ends[row] : ends[row + 1]].tolist(), rows.shapes[row].sizes)
        if first.setdefault(said, row) < row:
            repeated[row] = first[said]
    return repeated


def _suspects(rows: Rows) -> list[int]:
    """Return the rows whose key another row has too: all that are repeated, and few others."""
    levels = np.frombuffer(b"".join([shape.levels for shape in rows.shapes]), np.intc)
    if not len(levels):
        return list(range(len(rows.lines)))
    size = 1 + max(int(levels.max()), int(rows.places.max()))
    drawn = np.random.default_rng(0).integers(2**63, size=(2, size), dtype=np.uint64)
    sums = np.cumsum(drawn[0].take(levels) * drawn[1].take(rows.places))
    keys = np.diff(np.append(np.uint64(0), sums)[rows.ends])
    rank = np.argsort(keys, kind="stable")
    is_same = np.diff(keys[rank]) == 0
    suspects: list[int] = np.union1d(rank[1:][is_same], rank[:-1][is_same]).tolist()
    return suspects


def _said(places: Sequence[int], sizes: tuple[int, ...] | None) -> Hashable:
    """Return what a ranking says, whatever stands first in a level."""
    if sizes is None:
        return tuple(places)
    return tuple(map(frozenset, levels_of((places, sizes))))


#: How many signs are read at once.
_BLOCK = 2**20
_COUNT = re.compile(r"0*[1-9][0-9]{0,999}")


class RankingLines:
    """The rankings of a file, taken in line by line."""

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
        """Take in the lines that are not empty, and return the faults with the lines of theirs."""
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


_TOKEN = re.compile(r"\d+|\S")


class Alternatives(dict[str, "Item"]):
    """Items by the text of their number; blanks around a number do not matter."""

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
    """Reads a ranking sign by sign, so that a fault has a place."""

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
        """Return items and sizes of levels, None if all are 1; an empty text has no items."""
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


#: Makes a comma of what stands between two numbers.
_COMMAS = bytes.maketrans(b":\n", b",,")
_COUNT_BYTES = re.compile(rb"0*[1-9][0-9]{0,999}")
#: Larger numbers of alternatives, and those of more digits, are for others to read.
_LARGEST, _DIGITS = 10**6, 9


class PlainLines:
    """Reads the lines that it can read, and leaves the others."""

    def __init__(
        self, numbers: Iterable[int], *, separator: str, least: int = 0, is_strict: bool = False
    ) -> None:
        place_of = {number: place for place, number in enumerate(numbers) if number <= _LARGEST}
        self._place_of = np.full(max(place_of, default=0) + 1, -1)
        self._place_of[list(place_of)] = list(place_of.values())
        self._least = least
        self._shapes = Shapes(separator, is_strict=is_strict)

    def read(self, lines: Sequence[str], *, first: int) -> Rows:
        """Return the lines that can be read."""
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
            counts[row] = int(count) if _COUNT_BYTES.fullmatch(count) else 0
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
    """Return where numbers with commas between them end, and the numbers."""
    signs = np.frombuffer(text, np.uint8)
    ends = np.append(np.flatnonzero(signs == ord(",")), len(signs))
    widths = np.diff(ends, prepend=-1) - 1
    values = signs[ends - 1] - np.int64(ord("0"))
    for digit in range(1, min(int(widths.max()), _DIGITS)):
        longer = np.flatnonzero(widths > digit)
        values[longer] += (signs[ends[longer] - 1 - digit] - np.int64(ord("0"))) * 10**digit
    values[(widths > _DIGITS) | (signs[ends - widths] == ord("0"))] = 0
    return ends, values
