"""Cells of CSV: when quotes are needed, and what blanks mean.

Idea: *blanks round a cell are not part of it, unless it stands in quotes.* So what is written with
blanks at an end is written in quotes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def spell_cell(text: str, delimiter: str) -> str:
    """Return a cell, in quotes where it holds a sign of the format, or blanks at an end.

    Examples
    --------
    >>> print(spell_cell("B, too", ","), spell_cell(" B", ","), spell_cell("B", ","))
    "B, too" " B" B
    """
    is_bare = text == text.strip(" ")
    if not is_bare or any(sign in text for sign in (delimiter, '"', "\r", "\n")):
        return _quoted(text)
    return text


def without_blanks(cells: Sequence[str], row: str) -> list[str]:
    """Return the cells of a row without blanks after them, unless they stand in quotes there.

    Parameters
    ----------
    cells : sequence of str
        What the csv module reads, which skips blanks before a cell.
    row : str
        The row as it is written.

    Examples
    --------
    >>> without_blanks(["A ", "A ", "B"], 'A , "A ",B')
    ['A', 'A ', 'B']
    """
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
