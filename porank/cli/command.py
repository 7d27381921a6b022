r"""What a command is: what it is given, what it does, how it answers.

Commands: `Command`, `command`, `Argument`, `argument`, `FORMAT` and
`SAFE`, how one is told to print; `made_safe`.
Answers on standard output, as a table, JSON, CSV or Markdown: `show`, `properties`, `amount`,
`records_of`; data of any kind:
`write_data`; what is said beside it: `tell`.
What is written after an option: `fraction`, `whole`, `seconds`, `names`, `filled`, `sign`.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
import sys
from argparse import ArgumentTypeError
from contextlib import suppress
from fractions import Fraction
from inspect import getdoc
from itertools import zip_longest
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from porank.core.csv_cells import spell_rows
from porank.core.tables import Table, are_numbers, printable, shown
from porank.errors import PorankError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable


class Argument(NamedTuple):
    """What a command of the shell can be given, and beside which option alone it says anything."""

    names: tuple[str, ...]
    options: dict[str, Any]
    beside: str
    is_alternative: bool

    @property
    def place(self) -> str:
        """The name under which the parser of the command line gives it."""
        plain = self.names[-1].removeprefix("--").replace("-", "_")
        return str(self.options.get("dest", plain))

    def documented(self, told: dict[str, str]) -> Argument:
        """Return the argument with what the documentation of its command says of it."""
        name = self.names[-1] if self.names[-1] in told else self.options.get("metavar", "")
        return self._replace(options={"help": told.get(name), **self.options})


def argument(
    *names: str, beside: str = "", is_alternative: bool = False, **options: Any
) -> Argument:
    """Return an argument of a command; of the alternatives of a command only one can be given."""
    return Argument(names, options, beside, is_alternative)


class Command(NamedTuple):
    """A command of the shell: what it does, and what it can be given."""

    run: Callable[[argparse.Namespace], int]
    arguments: tuple[Argument, ...]
    #: What its help begins with, and its examples, each a line.
    description: str = ""
    examples: tuple[str, ...] = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Let the parser of the command line read what the command can be given."""
        group = None
        for each in self.arguments:
            if each.is_alternative:
                group = group or parser.add_mutually_exclusive_group()
            (group if group and each.is_alternative else parser).add_argument(
                *each.names, **each.options
            )

    def require_company(self, given: argparse.Namespace) -> None:
        """Raise an error for an option without the one beside which alone it says anything."""
        for each in self.arguments:
            other, _, value = each.beside.partition(" ")
            found = getattr(given, other.removeprefix("--").replace("-", "_"), None)
            is_there = found == value if value else found
            if other and getattr(given, each.place) is not None and not is_there:
                raise PorankError(f"expected {each.names[-1]} beside {each.beside}")


def command(*arguments: Argument) -> Callable[[Callable[[argparse.Namespace], int]], Command]:
    """Return what makes a command of the shell of a function, whose documentation is the help."""

    def made(run: Callable[[argparse.Namespace], int]) -> Command:
        text, _, examples = (getdoc(run) or "").partition("Examples\n--------\n")
        text, _, options = text.partition("Options\n-------\n")
        told = {name: " ".join(said.split()) for name, said in _OPTION.findall(options)}
        taken = (*arguments, SAFE) if FORMAT in arguments else arguments
        documented = tuple(each.documented(told) for each in taken)
        lines = examples.replace("\\\n    ", "").splitlines()
        return Command(run, documented, text.rstrip(), tuple(lines))

    return made


#: An option in the documentation of a command, and what is said of it.
_OPTION = re.compile(r"^(\S+)\n((?: +.+\n?)+)", re.MULTILINE)


#: How a command is told to print its answer.
FORMAT = argument(
    "--format",
    choices=("table", "json", "csv", "markdown"),
    default="table",
    help="how to print the answer (default: %(default)s)",
)


#: How cells of tables are made harmless.
SAFE = argument(
    "--spreadsheet-safe",
    action="store_true",
    help="put ' before cells of CSV that a spreadsheet would run: those with =, +, - or @ first",
)


def made_safe(content: bytes, form: str) -> bytes:
    """Return a command's answer in CSV or TSV with ' before cells that begin as formulas do.

    Numbers, and what is of any other format, stay as they are.
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
    """Print the answer of a command in the format asked for."""
    rows = [[None if cell != cell else cell for cell in row] for row in table.rows]
    table = Table(table.columns, rows, table.title)
    if given.format == "table":
        tables = [] if after and not table.rows else filter(None, (before, table))
        parts = [*(str(_folded(each)) for each in tables), after]
        sys.stdout.write("\n\n".join(filter(None, parts)) + "\n")
        return
    if given.format == "json":
        spelt = spell_json(records_of(table) if data is None else data)
    elif given.format == "csv":
        spelt = table.to_csv()
    else:
        spelt = (f"{_spell_markdown(before)}\n" if before else "") + _spell_markdown(table)
    content = spelt.encode("utf-8", "backslashreplace")
    write_data(made_safe(content, given.format) if given.spreadsheet_safe else content)


#: How wide a table is that no terminal shows, and how narrow a column may become.
_WIDTH, _NARROWEST = 100, 20


def _folded(table: Table) -> Table:
    """Return an answer with long texts folded over several lines, so that a terminal holds it."""
    width = get_terminal_size().columns if sys.stdout.isatty() else _WIDTH
    columns = zip(table.columns, *table.rows, strict=True)
    widest = [max(len(shown(cell)) for cell in column) for column in columns]
    free = width - 2 * (len(widest) - 1)
    limits = range(free, _NARROWEST, -1)
    fitting = (limit for limit in limits if sum(min(each, limit) for each in widest) <= free)
    limit = next(fitting, _NARROWEST)
    rows: list[tuple[Any, ...]] = []
    for row in table.rows:
        rows += zip_longest(*(_pieces(cell, limit) for cell in row))
    return Table(table.columns, rows, table.title)


def _pieces(cell: Any, limit: int) -> list[Any]:
    """Return a cell of an answer, a long text in pieces that end at blanks."""
    if not isinstance(cell, str) or len(cell) <= limit:
        return [cell]
    return wrap(printable(cell), limit, break_long_words=False, break_on_hyphens=False)


def tell(note: str) -> None:
    """Say on standard error, in one line, what is no part of the answer of a command."""
    sys.stderr.write(f"porank: {note}\n")


def write_data(content: bytes) -> None:
    """Write what a command answers with to standard output, in UTF-8 whatever a terminal shows."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:  # a stream of whoever calls the command line, such as a notebook
        sys.stdout.write(content.decode())
    else:
        sys.stdout.flush()
        buffer.write(content)


def records_of(table: Table) -> list[dict[str, Any]]:
    """Return the rows of a table as a command answers with them in JSON, each by its columns."""
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def properties(rows: dict[str, Any]) -> Table:
    """Return what a command tells of one thing as a table of two columns."""
    return Table(("property", "value"), list(rows.items()))


def amount(value: Any) -> Any:
    """Return a number as a command answers with it in JSON: a fraction, which it lacks, a float."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    return value


def spell_json(data: Any) -> str:
    """Return the answer of a command as JSON: null for what is no number, fractions as texts."""
    return json.dumps(plain(data), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def plain(value: Any) -> Any:
    """Return an answer of a command in the types that JSON has."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, (int, str)) else str(value)


def _spell_markdown(table: Table) -> str:
    """Return the answer of a command as a table in Markdown, numbers with four digits."""
    columns = list(zip(*table.rows, strict=True)) or [()] * len(table.columns)
    marks = ["---:" if are_numbers(cells) else "---" for cells in columns]
    rows = [table.columns, marks, *([_markdown_cell(cell) for cell in row] for row in table.rows)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _markdown_cell(cell: Any) -> str:
    """Return a cell of an answer in Markdown, its signs escaped."""
    text = printable(" ".join(shown(cell).splitlines()))
    return re.sub(r"[\\|<*`]|(?<![^\W_])_|_(?![^\W_])", r"\\\g<0>", text)


#: So long a number may be: nobody means more.
_LONGEST = 30
#: A number with or without a point and an exponent, or two whole ones with a stroke between them.
#: What has a long exponent is short to write and endless to make.
_NUMBER = re.compile(
    r"\s*[+-]?(?:[0-9]+/[0-9]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?)\s*", re.ASCII
)


def fraction(text: str) -> Fraction:
    """Return the number written after an option of a command: 0.7, 2/3."""
    with suppress(ZeroDivisionError):
        if len(text) <= _LONGEST and _NUMBER.fullmatch(text):
            return Fraction(text)
    raise ArgumentTypeError(
        f"expected a number such as 0.7 or 2/3, of at most {_LONGEST} signs, found {text!r:.60}"
    )


def whole(lowest: int, highest: float = math.inf) -> Callable[[str], int]:
    """Return what reads the whole number after an option of a command, from lowest to highest."""
    end = "on" if highest == math.inf else f"to {highest}"

    def read(text: str) -> int:
        """Return the whole number after an option."""
        is_number = len(text) <= _LONGEST and re.fullmatch(r"\s*[+-]?[0-9]+\s*", text)
        if is_number and lowest <= int(text) <= highest:
            return int(text)
        raise ArgumentTypeError(f"expected a whole number from {lowest} {end}, found {text!r:.60}")

    return read


def seconds(text: str) -> float:
    """Return the number of seconds that is written after an option of a command."""
    with suppress(ValueError):
        if 0 <= float(text) < math.inf:
            return float(text)
    raise ArgumentTypeError(f"expected a number of seconds, such as 60 or 0.5, found {text!r:.60}")


def names(text: str) -> tuple[str, ...]:
    """Return the names that are written after an option of a command, with commas between."""
    found = tuple(name.strip() for name in text.split(","))
    if not all(found):
        raise ArgumentTypeError(f"expected names with a comma between them, found {text!r}")
    return found


def filled(text: str) -> str:
    """Return the name or path after an option of a command, which must not be empty."""
    if not text.strip():
        raise ArgumentTypeError(f"expected a name, found {text!r}")
    return text


def sign(text: str) -> str:
    r"""Return the delimiter that is written after an option of a command, a tab for ``\t``."""
    return "\t" if text == r"\t" else text
