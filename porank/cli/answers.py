"""The output of commands: a table on standard output, as text, JSON or CSV.

`ANSWER` has the options for the format, and `show` prints. `properties`, `records_of` and `amount`
prepare what is printed. `note` prints on standard error, and `write_data` writes bytes.
"""

from __future__ import annotations

import json
import math
import sys
from fractions import Fraction
from itertools import zip_longest
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from porank.cli.command import argument
from porank.core.files import write_content
from porank.core.tables import Table, cell_text, printable

if TYPE_CHECKING:
    import argparse


#: The options for the format of the output.
ANSWER = (
    argument(
        "--format",
        choices=("table", "json", "csv"),
        default="table",
        help="output format (default: %(default)s)",
    ),
)


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
    else:
        text = table.to_csv()
    write_data(text.encode("utf-8", "backslashreplace"))


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


def note(text: str) -> None:
    """Print a note on standard error in one line."""
    sys.stderr.write(f"porank: {text}\n")


def write_data(content: bytes) -> None:
    """Write output to standard output, in UTF-8 whatever the terminal uses."""
    sys.stdout.flush()
    # A caller's text stream, such as a notebook's, may have no buffer.
    write_content(content, getattr(sys.stdout, "buffer", sys.stdout))


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
