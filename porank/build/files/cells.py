"""Tables of cells: the rows of CSV and TSV files, each with its place."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from porank.build.files.problems import Problems
from porank.build.files.texts import require_utf8
from porank.csv_cells import without_blanks
from porank.errors import ParseError, PorankError

if TYPE_CHECKING:
    from collections.abc import Iterator


_IN_QUOTES = re.compile(r'"(?:[^"]|"")*"')
#: The first line that is not empty, with the line ends in its quotes.
_FIRST_ROW = re.compile(rf'[\r\n]*((?:[^"\r\n]+|{_IN_QUOTES.pattern}|")*)')
#: What stands between cells, the usual signs apart, and which is taken for it first.
_SIGNS = ";\t|,"
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


@dataclass(frozen=True)
class Line:
    """A row of a file with its place.

    Examples
    --------
    >>> Line(["A"], 3, "A").number
    3
    """

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
            raise ParseError(str(error)) from None


def choose_delimiter(delimiter: Any, name: str, text: str = "") -> str:
    r"""Return the delimiter given, or by default the one that the file tells.

    Parameters
    ----------
    delimiter : str or None
        What was asked for.
    name : str
        The name of the file: a tab for .tsv and .tab, else a comma.
    text : str
        What is read. Where the first line that is not empty has no such sign, it would be one cell,
        and no table begins so: then a semicolon, a tab or a bar in it is the delimiter.

    Examples
    --------
    >>> choose_delimiter(None, "pairs.tsv"), choose_delimiter(None, "pairs.csv")
    ('\t', ',')
    >>> choose_delimiter(None, "pairs.csv", "\nA;B\nC,D;E"), choose_delimiter(None, "", "A;B,C")
    (';', ',')
    """
    if delimiter is None:
        usual = "\t" if PurePath(name).suffix.lower() in (".tsv", ".tab") else ","
        first = _FIRST_ROW.match(text)
        bare = _IN_QUOTES.sub("", first[1]) if first else ""
        return usual if usual in bare else _sign_in(bare) or usual
    if not isinstance(delimiter, str) or len(delimiter) != 1 or delimiter in '"\r\n':
        raise PorankError(f"expected one sign as delimiter, found {delimiter!r}")
    return delimiter


def other_delimiter(text: str, delimiter: str) -> str:
    """Return what to say where a line has too few cells: which sign may stand between them.

    Examples
    --------
    >>> other_delimiter("A;B", ","), other_delimiter("A", ",")
    ("; the line holds ';', and delimiter=';' splits it there", '; delimiter= names another sign')
    """
    if delimiter in text:
        return ""
    found = _sign_in(text)
    if not found:
        return "; delimiter= names another sign"
    return f"; the line holds {found!r}, and delimiter={found!r} splits it there"


def _sign_in(text: str) -> str:
    """Return the sign that seems to separate the cells of a line, empty if there is none."""
    return next(filter(text.__contains__, _SIGNS), "")


def require_columns(columns: Any, *, most: int, positions: bool = True) -> None:
    """Raise an error unless `columns` are two to `most` different names, or as many positions.

    Parameters
    ----------
    columns : object
        What was given.
    most : {2, 3}
        How many columns there may be.
    positions : bool
        Whether positions, counted from 0, may stand for names.

    Examples
    --------
    >>> require_columns(("item", "rank"), most=2)
    >>> require_columns((0, -1), most=2)
    Traceback (most recent call last):
    porank.errors.PorankError: expected two different names, or as many positions from 0 on, as
    columns, found (0, -1)
    """
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
    """Return the name of a file to be written, a path or an open file; empty if it has none.

    Examples
    --------
    >>> name_of("pairs.tsv"), name_of(io.StringIO())
    ('pairs.tsv', '')
    """
    name = getattr(target, "name", "") if hasattr(target, "write") else str(target)
    return name if isinstance(name, str) else ""


def read_lines(text: str, delimiter: str, problems: Problems) -> Iterator[Line]:
    r"""Yield the rows that are not empty, each with the number of its first line.

    Blanks round a cell are not part of it, unless they stand in quotes; none may follow a quote.

    Examples
    --------
    >>> [line.fields for line in read_lines('A , B\nA, "B, too "', ",", Problems("raise"))]
    [['A', 'B'], ['A', 'B, too ']]
    """
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
    """Return the positions of columns, each of which must stand in the header once.

    Parameters
    ----------
    columns : sequence of str
        The names asked for.
    header : Line
        The first row.
    names : sequence of str
        The names in it, as they are to be compared.
    delimiter, source : str
        For the message.

    Examples
    --------
    >>> find_columns(["rank"], Line(["item", "rank"], 1, "item,rank"), ["item", "rank"], ",", "")
    [1]
    """
    for column in columns:
        found = names.count(column)
        if found != 1:
            hint = other_delimiter(header.text, delimiter) if len(names) == 1 else ""
            fault = ParseError(f"expected one column {column!r} in the header, found {found}{hint}")
            Problems("raise", source=source).meet(fault, line=header.number, text=header.text)
    return [names.index(column) for column in columns]


def read_number(text: str, what: str, *, least: float = -math.inf) -> int | float:
    """Return a finite number of at least `least`, a whole one as int, or raise `ParseError`.

    Examples
    --------
    >>> read_number(" 7", "weight"), read_number("-1e3", "score")
    (7, -1000.0)
    >>> read_number("-1", "weight", least=0)
    Traceback (most recent call last):
    porank.errors.ParseError: expected a finite number >= 0 as weight, found '-1'
    """
    plain = text.strip()
    number = float(plain) if _NUMBER.fullmatch(plain) else math.nan
    if not least <= number < math.inf or math.isinf(number):
        bound = "" if math.isinf(least) else f" >= {least}"
        raise ParseError(f"expected a finite number{bound} as {what}, found {plain!r}")
    # Python takes no more digits for a whole number; what is longer begins with zeros.
    return int(plain) if plain.lstrip("+-").isdecimal() and len(plain) < 1000 else number
