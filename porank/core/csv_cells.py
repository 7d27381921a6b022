"""The text of CSV: its cells, its rows with their places, and what its first row tells.

Blanks round a cell are not part of it, unless it stands in quotes; so what is written with blanks
at an end is written in quotes.

Cells: `spell_rows`, `read_number`. Rows: `read_rows`, `read_lines`,
`choose_delimiter`, `name_of`. Headers: `require_columns`, `find_columns`, `pair_columns`,
`rank_columns`, `number_column`.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from porank.core.files import Problems, require_utf8
from porank.errors import ParseError, PorankError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def _spell_cell(text: str, delimiter: str) -> str:
    """Write a CSV cell, in quotes where it holds a sign of the format, or blanks at an end."""
    is_bare = text == text.strip(" ")
    if not is_bare or any(sign in text for sign in (delimiter, '"', "\r", "\n")):
        return _quoted(text)
    return text


def spell_rows(rows: Iterable[Iterable[str]], delimiter: str) -> str:
    """Write rows of cells as CSV; one empty cell is no empty line."""
    lines = (delimiter.join(_spell_cell(cell, delimiter) for cell in row) for row in rows)
    return "".join(f"{line or _quoted('')}\n" for line in lines)


def _without_blanks(cells: list[str], lines: Sequence[str]) -> list[str]:
    """Strip blanks after the cells of a CSV row, unless they stand in quotes there."""
    if not any(cell.endswith(" ") for cell in cells):
        return cells
    row = "".join(lines)
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


_IN_QUOTES = re.compile(r'"(?:[^"]|"")*"')
#: The first line that is not empty, with the line ends in its quotes.
_FIRST_ROW = re.compile(rf'[\r\n]*((?:[^"\r\n]+|{_IN_QUOTES.pattern}|")*)')
#: What stands between cells, the usual signs apart, and which is taken for it first.
_SIGNS = ";\t|,"
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


@dataclass
class Line:
    """A row of a CSV file, the lines where it begins and ends, and what is wrong with it."""

    fields: list[str]
    number: int
    end: int
    raw: str
    fault: ParseError | None = None

    @property
    def text(self) -> str:
        """The first line of the CSV row, as it is shown."""
        return self.raw.rstrip("\r\n")

    def require_utf8(self) -> None:
        """Raise a bare `ParseError` if a byte of a CSV cell was not UTF-8."""
        try:
            for cell in self.fields:
                require_utf8(cell)
        except ParseError as error:
            # A row may be several lines: the column in a cell says little.
            raise ParseError(error.finding, hint=error.hint) from None


def choose_delimiter(delimiter: Any, name: str, text: str = "") -> str:
    r"""Return the delimiter given, or by default the one that the CSV file tells."""
    if delimiter is None:
        usual = "\t" if PurePath(name).suffix.lower() in (".tsv", ".tab") else ","
        first = _FIRST_ROW.match(text)
        bare = _IN_QUOTES.sub("", first[1]) if first else ""
        return usual if usual in bare else _sign_in(bare) or usual
    if not isinstance(delimiter, str) or len(delimiter) != 1 or delimiter in '"\r\n':
        raise PorankError(f"expected one sign as delimiter, found {delimiter!r}")
    return delimiter


def too_few_cells(message: str, text: str, delimiter: str) -> ParseError:
    """Return the error of a CSV line with too few cells, hinting at another delimiter."""
    if delimiter in text:
        return ParseError(message)
    found = _sign_in(text)
    split = f"the line holds {found!r}, and delimiter={found!r} splits it there"
    return ParseError(message, hint=split if found else "delimiter= names another sign")


def _sign_in(text: str) -> str:
    """Return the delimiter that seems to separate the cells of a line, empty if none does."""
    return next(filter(text.__contains__, _SIGNS), "")


def require_columns(columns: Any, *, most: int, positions: bool = True) -> None:
    """Raise an error unless the columns of CSV cells asked for are different names or positions."""
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
    """Return the name of a CSV file to be written, a path or an open file; empty if it has none."""
    name = getattr(target, "name", "") if hasattr(target, "write") else str(target)
    return name if isinstance(name, str) else ""


def read_rows(lines: Iterable[str], delimiter: str) -> Iterator[Line]:
    """Yield the rows of cells in lines of CSV, empty and faulty ones too, with their places."""
    raw_lines: list[str] = []

    def take() -> Iterator[str]:
        for line in lines:
            raw_lines.append(line)
            yield line

    has_blanks = delimiter != " "
    reader = csv.reader(take(), delimiter=delimiter, strict=True, skipinitialspace=has_blanks)
    while True:
        number = reader.line_num + 1
        raw_lines.clear()
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            end = reader.line_num
            message = f"expected a row of cells, found an error: {error}"
            if end > number:
                message += f"; nothing is taken from here to line {end}"
            yield Line([], number, end, raw_lines[0], ParseError(message))
            continue
        if has_blanks:
            fields = _without_blanks(fields, raw_lines)
        yield Line(fields, number, reader.line_num, raw_lines[0])


def read_lines(lines: Iterable[str], delimiter: str, problems: Problems) -> Iterator[Line]:
    r"""Yield the non-empty rows in lines of CSV; what is none goes to `problems`."""
    for line in read_rows(lines, delimiter):
        if line.fault is not None:
            problems.meet(line.fault, line=line.number, text=line.text)
        elif any(line.fields):
            yield line


def find_columns(
    columns: Sequence[str], header: Line, names: Sequence[str], delimiter: str, source: str
) -> list[int]:
    """Return the positions of named columns, each of which must stand in the CSV header once."""
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
    """Read a CSV cell as a finite number of at least `least`, a whole one as int."""
    plain = text.strip()
    number = float(plain) if _NUMBER.fullmatch(plain) else math.nan
    if not least <= number < math.inf or math.isinf(number):
        bound = "" if math.isinf(least) else f" >= {least}"
        raise ParseError(f"expected a finite number{bound} as {what}, found {plain!r}")
    # Python takes no more digits for a whole number; what is longer begins with zeros.
    return int(plain) if plain.lstrip("+-").isdecimal() and len(plain) < 1000 else number


#: What a table may call the preferred item and the other one.
_PAIRS = (("preferred", "other"), ("better", "worse"), ("winner", "loser"), ("chosen", "rejected"))


def pair_columns(names: Sequence[str]) -> tuple[str, str] | None:
    """Return which cells of a CSV header name the columns of the preferred item and the other."""
    known = _by_plain_name(names)
    return next(((known[u], known[v]) for u, v in _PAIRS if {u, v} <= set(known)), None)


def rank_columns(names: Sequence[str]) -> tuple[str, str] | None:
    """Return which cells of a CSV header name the columns of the item and its rank."""
    known = _by_plain_name(names)
    if "rank" not in known:
        return None
    others = [name for name in names if name != known["rank"]]
    item = known.get("item", others[0] if len(names) == 2 and others else None)
    return (item, known["rank"]) if item else None


def _by_plain_name(names: Sequence[str]) -> dict[str, str]:
    return {name.strip().lower(): name for name in names}


def number_column(names: Sequence[str]) -> str | None:
    """Return the cell of a CSV header for each pair's number, `weight` before `support`."""
    known = _by_plain_name(names)
    return known.get("weight", known.get("support"))
