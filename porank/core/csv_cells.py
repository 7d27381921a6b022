"""Cells of CSV: when quotes are needed, and what blanks mean.

Idea: *blanks round a cell are not part of it, unless it stands in quotes.* So what is written with
blanks at an end is written in quotes.

Plain lines of a CSV file into columns, all at once.

Idea: *where no cell is quoted, the commas and the ends of lines say where every cell is*, and
arrays of bytes tell which cells are equal: whole numbers by their value, short texts by their eight
bytes. Each different text is then made and looked at once.

Tables of cells: the rows of CSV and TSV files, each with its place.

What the first line of a table says: which columns have the pairs, or the items and ranks.

Idea: *a header that is not understood must not become an item.* A first line of unknown names that
occur nowhere below is taken for a header, and numbers beside names for ranks: both are errors that
tell the way out.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, repeat
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arrays import IntegerTable, number_few
from porank.core.files import BROKEN_BYTE, Problems, require_utf8
from porank.errors import Hint, ParseError, PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from porank.typing import Numbers


def spell_cell(text: str, delimiter: str) -> str:
    """Return a cell, in quotes where it holds a sign of the format, or blanks at an end."""
    is_bare = text == text.strip(" ")
    if not is_bare or any(sign in text for sign in (delimiter, '"', "\r", "\n")):
        return _quoted(text)
    return text


def without_blanks(cells: Sequence[str], row: str) -> list[str]:
    """Return the cells of a row without blanks after them, unless they stand in quotes there."""
    if not any(cell.endswith(" ") for cell in cells):
        return list(cells)
    found: list[str] = []
    place = 0
    for cell in cells:
        while row.startswith(" ", place):
            place += 1
        is_quoted = row.startswith('"', place)
        place += len(_quoted(cell) if is_quoted else cell) + 1
        found.append(cell if is_quoted else cell.rstrip(" "))
    return found


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


#: The lowest bytes of eight, for each number of them.
_LOWEST = np.array([(1 << 8 * count) - 1 for count in range(9)], dtype=np.uint64)
_ZEROS = np.uint64(int.from_bytes(b"0" * 8, "little"))
_PADDING = "\0" * 16
#: Numbers of more digits than this are left as texts.
_DIGITS = 16


class Texts:
    """A column of texts of which each different one is kept once."""

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
    """Return the values and the faults of all cells, where those of different ones are known."""
    if not faults:
        return values.take(index), []
    wrong = dict(faults)
    places = np.flatnonzero(np.isin(index, list(wrong))).tolist()
    return values.take(index), [(place, wrong[int(index[place])]) for place in places]


def cut_lines(
    lines: list[str], delimiter: str, width: int, places: Mapping[Any, int]
) -> dict[Any, Any] | None:
    r"""Return some columns of lines, or None if a line is out of the ordinary."""
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
    """Return the numbers that up to eight digits before each end spell, None if some are none."""
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


_IN_QUOTES = re.compile(r'"(?:[^"]|"")*"')
#: The first line that is not empty, with the line ends in its quotes.
_FIRST_ROW = re.compile(rf'[\r\n]*((?:[^"\r\n]+|{_IN_QUOTES.pattern}|")*)')
#: What stands between cells, the usual signs apart, and which is taken for it first.
_SIGNS = ";\t|,"
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


@dataclass(frozen=True)
class Line:
    """A row of a file with its place."""

    fields: list[str]
    number: int
    text: str

    def require_utf8(self) -> None:
        """Raise the bare error if a byte of a cell in the file was not UTF-8."""
        try:
            for cell in self.fields:
                require_utf8(cell)
        except ParseError as error:
            # A row may be several lines: the column in a cell says little.
            raise ParseError(error.finding, hint=error.hint) from None


def choose_delimiter(delimiter: Any, name: str, text: str = "") -> str:
    r"""Return the delimiter given, or by default the one that the file tells."""
    if delimiter is None:
        usual = "\t" if PurePath(name).suffix.lower() in (".tsv", ".tab") else ","
        first = _FIRST_ROW.match(text)
        bare = _IN_QUOTES.sub("", first[1]) if first else ""
        return usual if usual in bare else _sign_in(bare) or usual
    if not isinstance(delimiter, str) or len(delimiter) != 1 or delimiter in '"\r\n':
        raise PorankError(f"expected one sign as delimiter, found {delimiter!r}")
    return delimiter


def too_few_cells(message: str, text: str, delimiter: str) -> ParseError:
    """Return the error of a line with too few cells, with the sign that may stand between them."""
    if delimiter in text:
        return ParseError(message)
    found = _sign_in(text)
    return ParseError(message, hint=Hint.SPLIT if found else Hint.DELIMITER, about=found)


def _sign_in(text: str) -> str:
    """Return the sign that seems to separate the cells of a line, empty if there is none."""
    return next(filter(text.__contains__, _SIGNS), "")


def require_columns(columns: Any, *, most: int, positions: bool = True) -> None:
    """Raise an error unless `columns` are two to `most` different names, or as many positions."""
    if not isinstance(columns, Sequence) or isinstance(columns, str):
        columns, found = (), columns
    else:
        found = columns
    kinds = {type(column) for column in columns}
    is_right = 2 <= len(columns) <= most and kinds in ({str}, {int})
    is_right = is_right and len(set(columns)) == len(columns)
    if is_right and (kinds == {str} or (positions and min(columns) >= 0)):
        return
    count = "two" if most == 2 else "two or three"
    instead = ", or as many positions from 0 on," if positions else ""
    raise PorankError(f"expected {count} different names{instead} as columns, found {found!r}")


def name_of(target: Any) -> str:
    """Return the name of a file to be written, a path or an open file; empty if it has none."""
    name = getattr(target, "name", "") if hasattr(target, "write") else str(target)
    return name if isinstance(name, str) else ""


def read_lines(text: str, delimiter: str, problems: Problems) -> Iterator[Line]:
    r"""Yield the rows that are not empty, each with the number of its first line."""
    taken: list[str] = []

    def lines() -> Iterator[str]:
        for line in io.StringIO(text, newline=""):
            taken.append(line)
            yield line

    is_blank = delimiter == " "
    reader = csv.reader(lines(), delimiter=delimiter, strict=True, skipinitialspace=not is_blank)
    number = 1
    while True:
        taken.clear()
        try:
            fields = next(reader, None)
        except csv.Error as error:
            fields = []
            message = f"expected a row of cells, found an error: {error}"
            if len(taken) > 1:
                message += f"; nothing is taken from here to line {reader.line_num}"
            problems.meet(ParseError(message), line=number, text=taken[0].rstrip("\r\n"))
        if fields is None:
            return
        if not is_blank:
            fields = without_blanks(fields, "".join(taken))
        if any(fields):
            yield Line(fields, number, taken[0].rstrip("\r\n"))
        number += len(taken)


def find_columns(
    columns: Sequence[str], header: Line, names: Sequence[str], delimiter: str, source: str
) -> list[int]:
    """Return the positions of columns, each of which must stand in the header once."""
    for column in columns:
        found = names.count(column)
        if found != 1:
            message = f"expected one column {column!r} in the header, found {found}"
            fault = ParseError(message)
            if len(names) == 1:
                fault = too_few_cells(message, header.text, delimiter)
            Problems("raise", source=source).meet(fault, line=header.number, text=header.text)
    return [names.index(column) for column in columns]


def read_number(text: str, what: str, *, least: float = -math.inf) -> int | float:
    """Return a finite number of at least `least`, a whole one as int, or raise `ParseError`."""
    plain = text.strip()
    number = float(plain) if _NUMBER.fullmatch(plain) else math.nan
    if not least <= number < math.inf or math.isinf(number):
        bound = "" if math.isinf(least) else f" >= {least}"
        raise ParseError(f"expected a finite number{bound} as {what}, found {plain!r}")
    # Python takes no more digits for a whole number; what is longer begins with zeros.
    return int(plain) if plain.lstrip("+-").isdecimal() and len(plain) < 1000 else number


#: What a table may call the preferred item and the other one.
PAIRS = (("preferred", "other"), ("better", "worse"), ("winner", "loser"), ("chosen", "rejected"))
_NUMBERS = {"score", "grade"}
_NUMBER_IN_HEADER = re.compile(r"\s*[+-]?[0-9]*\.?[0-9]+\s*")


def pair_columns(names: Sequence[str]) -> tuple[str, str] | None:
    """Return the columns of the preferred item and the other one, as they are written."""
    known = _by_plain_name(names)
    return next(((known[u], known[v]) for u, v in PAIRS if {u, v} <= set(known)), None)


def rank_columns(names: Sequence[str]) -> tuple[str, str] | None:
    """Return the columns of the item and its rank; of two columns one may have any name."""
    known = _by_plain_name(names)
    if "rank" not in known:
        return None
    others = [name for name in names if name != known["rank"]]
    item = known.get("item", others[0] if len(names) == 2 and others else None)
    return (item, known["rank"]) if item else None


def _by_plain_name(names: Sequence[str]) -> dict[str, str]:
    return {name.strip().lower(): name for name in names}


def number_column(names: Sequence[str]) -> str | None:
    """Return the column that has a number for each pair, `weight` before `support`."""
    known = _by_plain_name(names)
    return known.get("weight", known.get("support"))


def text_of(source: io.BytesIO) -> str:
    r"""Return the text of a table, for a look at it; whoever reads it says where it is none."""
    return source.getvalue().decode("utf-8-sig", "surrogateescape")


def rows_of(source: io.BytesIO, delimiter: str) -> Iterator[list[str]]:
    """Yield the rows of a table, as far as it is one; whoever reads it says where it is wrong."""
    for line in read_lines(text_of(source), delimiter, Problems("report")):
        yield line.fields


def require_known(source: io.BytesIO, delimiter: str) -> None:
    r"""Raise an error if a table without a known header seems to have another, or ranks."""
    first = next(rows_of(source, delimiter), [])
    plain = {cell.strip().lower() for cell in first}
    if len(first) not in (2, 3) or BROKEN_BYTE.search("".join(first)):
        return
    name = getattr(source, "name", "")
    if plain & set(PAIRS[0]):
        pairs = "; ".join(map(", ".join, PAIRS))
        message = f"expected two columns that go together, {pairs}; found {listed(first)}"
        raise ParseError(message, source=name)
    expected = f"expected the columns preferred, other or item, rank, found {listed(first)}"
    is_header = _is_header(source, delimiter)
    if plain & _NUMBERS and (is_header or "item" in plain):
        raise ParseError(f"{expected}; porank evaluate takes such tables", source=name)
    if _has_ranks(source, delimiter):
        raise ParseError(
            f"{expected} in the first line, and numbers in all of the second column; --from ranks "
            "says that they are ranks, 1 the best, --from pairs that they are items",
            source=name,
        )
    if is_header:
        raise ParseError(
            f"{expected} in the first line and in no other; rename them, or --from pairs takes "
            "them as a pair",
            source=name,
        )


def _has_ranks(source: io.BytesIO, delimiter: str) -> bool:
    """Say whether all rows are a name and a number, but for the first, which may be a header."""
    rows = rows_of(source, delimiter)
    found = any(map(_is_rank, islice(rows, 1)))
    for row in rows:
        found = _is_rank(row)
        if not found:
            return False
    return found


def _is_rank(row: list[str]) -> bool:
    return (
        len(row) == 2
        and not _NUMBER_IN_HEADER.fullmatch(row[0])
        and bool(_NUMBER_IN_HEADER.fullmatch(row[1]))
    )


def _is_header(source: io.BytesIO, delimiter: str) -> bool:
    """Say whether there are more rows, and nothing in them that stands in the first."""
    rows = rows_of(source, delimiter)
    first = set(next(rows, [])[:2])
    if any(map(_NUMBER_IN_HEADER.fullmatch, first)):
        return False
    number = 0
    for row in rows:
        number += 1
        if first & set(row[:2]):
            return False
    return number > 0
