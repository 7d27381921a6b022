r"""What a command is: what it is given, what it does, how it answers, and its words for hints.

Commands: `Command`, `command`, `Argument`, `argument`, and `FORMAT`, how one is told to print.
Answers on standard output, as a table, JSON, CSV or Markdown: `show`, `properties`, `amount`.
What is written after an option: `fraction`, `whole`, `seconds`, `names`, `filled`, `sign`.
The way out of an error, as the shell has it: `SHELL`.
"""

from __future__ import annotations

import json
import math
import re
import sys
from argparse import ArgumentTypeError
from contextlib import suppress
from fractions import Fraction
from inspect import getdoc
from typing import TYPE_CHECKING, Any, NamedTuple

from porank.core.tables import Table, are_numbers, printable, shown
from porank.errors import Hint, PorankError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable


class Argument(NamedTuple):
    """What a command can be given, and beside which option alone it says anything."""

    names: tuple[str, ...]
    options: dict[str, Any]
    beside: str
    is_alternative: bool

    @property
    def place(self) -> str:
        """The name under which it is given."""
        plain = self.names[-1].removeprefix("--").replace("-", "_")
        return str(self.options.get("dest", plain))


def argument(
    *names: str, beside: str = "", is_alternative: bool = False, **options: Any
) -> Argument:
    """Return an argument; of the alternatives of a command only one can be given."""
    return Argument(names, options, beside, is_alternative)


class Command(NamedTuple):
    """A command of the command line: what it does, and what it can be given."""

    run: Callable[[argparse.Namespace], int]
    arguments: tuple[Argument, ...]
    #: Its own words for hints.
    words: dict[Hint, str]

    @property
    def description(self) -> str:
        """What it does, to stand at the beginning of the help: the summary, and what is to know."""
        return self._halves()[0].rstrip()

    @property
    def examples(self) -> list[str]:
        """Its examples, each a line."""
        return self._halves()[1].replace("\\\n    ", "").splitlines()

    def _halves(self) -> tuple[str, str]:
        """Return what the documentation says before its examples, and these."""
        text, _, examples = (getdoc(self.run) or "").partition("Examples\n--------\n")
        return text, examples

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Let a parser read what the command can be given."""
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


def command(
    *arguments: Argument, words: dict[Hint, str] | None = None
) -> Callable[[Callable[[argparse.Namespace], int]], Command]:
    """Return what makes a command of a function, whose documentation is the help."""
    return lambda run: Command(run, arguments, words or {})


#: How a command is told to print its answer.
FORMAT = argument(
    "--format",
    choices=("table", "json", "csv", "markdown"),
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
    """Print an answer in the format asked for."""
    rows = [[None if cell != cell else cell for cell in row] for row in table.rows]
    table = Table(table.columns, rows, table.title)
    if given.format == "json":
        records = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        sys.stdout.write(_spell_json(records if data is None else data))
    elif given.format == "csv":
        sys.stdout.write(table.to_csv())
    elif given.format == "markdown":
        first = f"{_spell_markdown(before)}\n" if before else ""
        sys.stdout.write(first + _spell_markdown(table))
    else:
        sys.stdout.write(f"{text or table}\n")


def properties(rows: dict[str, Any]) -> Table:
    """Return what is known of one thing as a table of two columns."""
    return Table(("property", "value"), list(rows.items()))


def amount(value: Any) -> Any:
    """Return a number as JSON has it; a fraction, which it lacks, as the nearest float."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    return value


def _spell_json(data: Any) -> str:
    """Return an answer as JSON: null for what is no number, fractions as texts."""
    # Where the terminal lacks a letter, its escape must be one of JSON.
    is_unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    return json.dumps(_plain(data), indent=2, ensure_ascii=not is_unicode, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, (int, str)) else str(value)


def _spell_markdown(table: Table) -> str:
    """Return a table as Markdown, numbers with four significant digits."""
    columns = list(zip(*table.rows, strict=True)) or [()] * len(table.columns)
    marks = ["---:" if are_numbers(cells) else "---" for cells in columns]
    rows = [table.columns, marks, *([_markdown_cell(cell) for cell in row] for row in table.rows)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _markdown_cell(cell: Any) -> str:
    text = printable(" ".join(shown(cell).splitlines()))
    return re.sub(r"[\\|<*`]|(?<![^\W_])_|_(?![^\W_])", r"\\\g<0>", text)


#: So long a number may be, and so large its exponent: nobody means more.
_LONGEST = 30
_LARGEST = 20
#: A number with or without a point and an exponent, or two whole ones with a stroke between them.
_NUMBER = re.compile(
    r"\s*[+-]?(?:[0-9]+/[0-9]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?)\s*", re.ASCII
)


def fraction(text: str) -> Fraction:
    """Return a number as it is written: 0.7, 2/3."""
    number = _NUMBER.fullmatch(text)
    # What has a large exponent is short to write and endless to make.
    if number and (len(text) > _LONGEST or abs(int(number[1] or 0)) > _LARGEST):
        raise ArgumentTypeError(
            f"expected at most {_LONGEST} signs and an exponent from -{_LARGEST} to {_LARGEST}, "
            f"found {text!r:.60}"
        )
    with suppress(ZeroDivisionError):
        if number:
            return Fraction(text)
    raise ArgumentTypeError(f"expected a number such as 0.7 or 2/3, found {text!r:.60}")


def whole(lowest: int, highest: float = math.inf) -> Callable[[str], int]:
    """Return what reads a whole number from the lowest to the highest."""
    end = "on" if highest == math.inf else f"to {highest}"

    def read(text: str) -> int:
        is_number = len(text) <= _LONGEST and re.fullmatch(r"\s*[+-]?[0-9]+\s*", text)
        if is_number and lowest <= int(text) <= highest:
            return int(text)
        raise ArgumentTypeError(f"expected a whole number from {lowest} {end}, found {text!r:.60}")

    return read


def seconds(text: str) -> float:
    """Return a number of seconds."""
    with suppress(ValueError):
        if 0 <= float(text) < math.inf:
            return float(text)
    raise ArgumentTypeError(f"expected a number of seconds, such as 60 or 0.5, found {text!r:.60}")


def names(text: str) -> tuple[str, ...]:
    """Return names with commas between them."""
    found = tuple(name.strip() for name in text.split(","))
    if not all(found):
        raise ArgumentTypeError(f"expected names with a comma between them, found {text!r}")
    return found


def filled(text: str) -> str:
    """Return what was given, which must not be empty."""
    if not text.strip():
        raise ArgumentTypeError(f"expected a name, found {text!r}")
    return text


def sign(text: str) -> str:
    r"""Return a sign, a tab for ``\t``, which no shell user can type."""
    return "\t" if text == r"\t" else text


_RANKS = "porank ranks tells where each item stands"
#: The words of the shell for each hint, empty where there is no way out in most commands.
SHELL: dict[Hint, str] = {
    Hint.BREAK_CYCLES: "porank convert --break-cycles drops as few pairs as makes it an order",
    Hint.SEPARATE_GROUPS: "each of them is an order, and together they must be one: mend the file",
    Hint.LEAST_THRESHOLD: "--alpha minimal is the least threshold without one",
    Hint.NO_PAIRS: "",
    Hint.NO_THRESHOLD: "",
    Hint.ALIGN: "",
    Hint.COMPARE_BOTH: "--{} both compares what both have",
    Hint.COUNT_BOTH: "--{} both counts them",
    Hint.RESTRICT: _RANKS,
    Hint.RESTRICT_OR_LEVELS: _RANKS,
    Hint.RESTRICT_OR_MATRIX: "",
    Hint.RESTRICT_OR_INTERVALS: _RANKS,
    Hint.RESTRICT_EITHER: "",
    Hint.RESTRICT_DEGREES: "",
    Hint.RESTRICT_EACH: "",
    Hint.COMPLETE_ORDERS: "--unranked last puts what is missing last",
    Hint.MORE_IDEALS: "",
    Hint.GIVE_SCORES: "a table of ranks holds it",
    Hint.KEEP_SCORES: "ranks, json and PrefLib hold it",
    Hint.FROM_LEVELS: "notation, json, graphml and dot hold any order",
    Hint.DELIMITER: "--delimiter names another sign",
    Hint.SPLIT: "the line holds {0!r}, and --delimiter {0!r} splits it there",
    Hint.NAME_COLUMN: "--columns {}=NAME says which it is",
    Hint.USER_AS_SESSION: "--columns session={} takes all events of a user as one session",
    Hint.BY: "rename the columns, or give --by",
    Hint.EVENTS: "--events names others",
    Hint.ENCODING: "iconv -t utf-8 converts others",
    Hint.UTF16: "iconv -f utf-16 -t utf-8 converts it",
    Hint.MAKE_AXES: "",
    Hint.SCHEDULER: (
        "'dask scheduler' starts one and tells its address, without --scheduler it takes workers "
        "of this machine"
    ),
    Hint.ENGINE: "--engine columns takes CSV",
}
