"""The output of commands: a table on standard output, as text, JSON, CSV or Markdown.

`ANSWER` has the options for the format, and `show` prints. `properties`, `records_of` and `amount`
prepare what is printed. `tell` prints a note on standard error, `write_data` writes bytes, and
`made_safe` makes tables safe for spreadsheets.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
import sys
from contextlib import suppress
from fractions import Fraction
from itertools import zip_longest
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from porank.cli.command import argument
from porank.core.csv_cells import spell_rows
from porank.core.tables import Table, are_numbers, cell_text, printable

if TYPE_CHECKING:
    import argparse


#: The option that keeps spreadsheets from running cells as formulas.
SAFE = argument(
    "--spreadsheet-safe",
    action="store_true",
    help="put ' before CSV cells that a spreadsheet would run: those that begin with =, +, - or @",
)
#: The options for the format of the output.
ANSWER = (
    argument(
        "--format",
        choices=("table", "json", "csv", "markdown"),
        default="table",
        help="output format (default: %(default)s)",
    ),
    SAFE,
)


def made_safe(content: bytes, form: str) -> bytes:
    """Return CSV or TSV output with ' before cells that begin like formulas.

    Numbers and other formats stay as they are.
    """
    if form not in ("csv", "tsv", "pairs", "ranks"):
        return content
    sign = "\t" if form == "tsv" else ","
    rows = csv.reader(io.StringIO(content.decode(), newline=""), delimiter=sign)
    return spell_rows((map(_harmless, row) for row in rows), sign).encode()


def _harmless(cell: str) -> str:
    with suppress(ValueError):
        float(cell)
        return cell
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


def show(
    given: argparse.Namespace,
    table: Table,
    *,
    data: Any = None,
    before: Table | None = None,
    after: str = "",
) -> None:
    """Print the result of a command in the requested format."""
    rows = [[None if cell != cell else cell for cell in row] for row in table.rows]
    table = Table(table.columns, rows, table.title)
    if given.format == "table":
        tables = [] if after and not table.rows else filter(None, (before, table))
        parts = [*(str(_folded(each)) for each in tables), after]
        sys.stdout.write("\n\n".join(filter(None, parts)) + "\n")
        return
    if given.format == "json":
        answer = plain(records_of(table) if data is None else data)
        text = json.dumps(answer, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    elif given.format == "csv":
        text = table.to_csv()
    else:
        text = (f"{_markdown(before)}\n" if before else "") + _markdown(table)
    content = text.encode("utf-8", "backslashreplace")
    write_data(made_safe(content, given.format) if given.spreadsheet_safe else content)


#: Width of a table that is not printed on a terminal, and of the narrowest folded column.
_WIDTH, _NARROWEST = 100, 20


def _folded(table: Table) -> Table:
    """Return a table with long texts folded over several lines, so it fits the terminal."""
    width = get_terminal_size().columns if sys.stdout.isatty() else _WIDTH
    columns = zip(table.columns, *table.rows, strict=True)
    widest = [max(len(cell_text(cell)) for cell in column) for column in columns]
    free = width - 2 * (len(widest) - 1)
    limits = range(free, _NARROWEST, -1)
    fitting = (limit for limit in limits if sum(min(each, limit) for each in widest) <= free)
    limit = next(fitting, _NARROWEST)
    rows: list[tuple[Any, ...]] = []
    for row in table.rows:
        rows += zip_longest(*(_pieces(cell, limit) for cell in row))
    return Table(table.columns, rows, table.title)


def _pieces(cell: Any, limit: int) -> list[Any]:
    """Return a cell, or the pieces of a long text, split at blanks."""
    if not isinstance(cell, str) or len(cell) <= limit:
        return [cell]
    return wrap(printable(cell), limit, break_long_words=False, break_on_hyphens=False)


def tell(note: str) -> None:
    """Print a note on standard error in one line."""
    sys.stderr.write(f"porank: {note}\n")


def write_data(content: bytes) -> None:
    """Write output to standard output, in UTF-8 whatever the terminal uses."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:  # a caller's text stream, such as a notebook's
        sys.stdout.write(content.decode())
    else:
        sys.stdout.flush()
        buffer.write(content)


def records_of(table: Table) -> list[dict[str, Any]]:
    """Return the rows of a table as dictionaries, for JSON."""
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def properties(rows: dict[str, Any]) -> Table:
    """Return the properties of one thing as a table of two columns."""
    return Table(("property", "value"), list(rows.items()))


def amount(value: Any) -> Any:
    """Return a number for JSON: a fraction becomes an integer or a float."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    return value


def plain(value: Any) -> Any:
    """Return a value in the types of JSON: null for nan, texts for fractions."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, (int, str)) else str(value)


def _markdown(table: Table) -> str:
    """Return a table in Markdown, its numbers with four digits."""
    columns = list(zip(*table.rows, strict=True)) or [()] * len(table.columns)
    marks = ["---:" if are_numbers(cells) else "---" for cells in columns]
    rows = [table.columns, marks, *([_markdown_cell(cell) for cell in row] for row in table.rows)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _markdown_cell(cell: Any) -> str:
    """Return a cell in Markdown, with special characters escaped."""
    text = printable(" ".join(cell_text(cell).splitlines()))
    return re.sub(r"[\\|<*`]|(?<![^\W_])_|_(?![^\W_])", r"\\\g<0>", text)
