"""Answers on standard output: as a table, JSON, CSV or Markdown."""

from __future__ import annotations

import json
import math
import re
import sys
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from porank.core.tables import Table, are_numbers, printable, shown

if TYPE_CHECKING:
    import argparse

_FORMATS = ("table", "json", "csv", "markdown")


def add_format(parser: argparse.ArgumentParser) -> None:
    """Let a command be told how to print its answer."""
    parser.add_argument(
        "--format",
        choices=_FORMATS,
        default="table",
        help="how to print the answer (default: %(default)s)",
    )


def show(
    given: argparse.Namespace,
    table: Table,
    *,
    data: Any = None,
    text: str = "",
    before: Table | None = None,
) -> None:
    """Print an answer in the format asked for.

    Parameters
    ----------
    given : Namespace
        With the attribute ``format``.
    table : Table
        The answer.
    data : object
        What JSON says, by default an object for each row.
    text : str
        What is printed for people, by default the table.
    before : Table
        What Markdown shows before the table.
    """
    table = _without_nan(table)
    if given.format == "json":
        rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        sys.stdout.write(spell_json(rows if data is None else data))
    elif given.format == "csv":
        sys.stdout.write(table.to_csv())
    elif given.format == "markdown":
        first = f"{spell_markdown(before)}\n" if before else ""
        sys.stdout.write(first + spell_markdown(table))
    else:
        sys.stdout.write(f"{text or table}\n")


def _without_nan(table: Table) -> Table:
    """Return the table with nothing where there is no number."""
    rows = [[None if cell != cell else cell for cell in row] for row in table.rows]
    return Table(table.columns, rows, table.title)


def amount(value: Any) -> Any:
    """Return a number as JSON has it; a fraction, which it lacks, as the nearest float.

    Examples
    --------
    >>> amount(Fraction(13, 2)), amount(Fraction(4)), amount(None)
    (6.5, 4, None)
    """
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    return value


def spell_json(data: Any) -> str:
    r"""Return an answer as JSON: null for what is no number, fractions as texts.

    Examples
    --------
    >>> print(spell_json({"tau": float("nan"), "alpha": Fraction(2, 3)}), end="")
    {
      "tau": null,
      "alpha": "2/3"
    }
    """
    # Where the terminal lacks a letter, its escape must be one of JSON.
    is_unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    return json.dumps(_plain(data), indent=2, ensure_ascii=not is_unicode, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return str(value)


def spell_markdown(table: Table) -> str:
    r"""Return a table as Markdown, numbers with four significant digits.

    Examples
    --------
    >>> print(spell_markdown(Table(["item", "share"], [["a|b", 2 / 3], ["c", 0.99999]])), end="")
    | item | share |
    | --- | ---: |
    | a\|b | 0.6667 |
    | c | 1.000 |
    """
    columns = list(zip(*table.rows, strict=True)) or [()] * len(table.columns)
    marks = ["---:" if are_numbers(cells) else "---" for cells in columns]
    rows = [table.columns, marks, *([_cell(cell) for cell in row] for row in table.rows)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _cell(cell: Any) -> str:
    text = printable(" ".join(shown(cell).splitlines()))
    return re.sub(r"[\\|<*`]|(?<![^\W_])_|_(?![^\W_])", r"\\\g<0>", text)


def properties(rows: dict[str, Any]) -> Table:
    """Return what is known of one thing as a table of two columns.

    Examples
    --------
    >>> print(properties({"items": 3}))
    property  value
    --------  -----
    items         3
    """
    return Table(("property", "value"), list(rows.items()))
