"""Tables of cells: the rows of CSV and TSV files, each with its place."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from porank.errors import ParseError, PorankError

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class Line:
    """A row of a file with its place.

    Examples
    --------
    >>> print(Line(["A"], 3, "A", "pairs.csv").error("expected two cells, found 1"))
    pairs.csv, line 3: expected two cells, found 1
      A
    """

    fields: list[str]
    number: int
    text: str
    source: str

    def error(self, message: str) -> ParseError:
        """Return the error with the place of this row."""
        return ParseError.at(
            message, line=self.number, column=0, text=self.text, source=self.source
        )


def choose_delimiter(delimiter: str | None, name: str) -> str:
    r"""Return the delimiter given, or by default the one that the name of the file tells.

    Examples
    --------
    >>> choose_delimiter(None, "pairs.tsv"), choose_delimiter(None, "pairs.csv")
    ('\t', ',')
    """
    if delimiter is None:
        return "\t" if PurePath(name).suffix.lower() in (".tsv", ".tab") else ","
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise PorankError(f"expected one sign as delimiter, found {delimiter!r}")
    return delimiter


def read_lines(text: str, name: str, delimiter: str) -> Iterator[Line]:
    """Yield the rows that are not empty, each with the number of its first line.

    Examples
    --------
    >>> [line.fields for line in read_lines('A,"B, too"', "", ",")]
    [['A', 'B, too']]
    """
    raw = list(io.StringIO(text, newline=""))
    reader = csv.reader(raw, delimiter=delimiter, strict=True)
    first = 0
    try:
        for fields in reader:
            if fields:
                yield Line(fields, first + 1, raw[first].rstrip("\r\n"), name)
            first = reader.line_num
    except csv.Error as error:
        line = Line([], first + 1, raw[first].rstrip("\r\n"), name)
        raise line.error(f"expected a row of cells, found an error: {error}") from None


def spell_cell(text: str, delimiter: str) -> str:
    """Return a cell, in quotes where it holds a sign of the format.

    Examples
    --------
    >>> print(spell_cell("B, too", ","))
    "B, too"
    """
    if any(sign in text for sign in (delimiter, '"', "\r", "\n")):
        return '"' + text.replace('"', '""') + '"'
    return text
