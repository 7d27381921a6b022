"""What a command is: a line of help, examples, what it is given, and what it does.

Answers on standard output: as a table, JSON, CSV or Markdown.

What is written after an option: names, numbers, files.

Weak orders that were read as ranks: kept as one number an item, however many pairs follow.

Why a command stopped, in one line that a shell user can act on.
"""

from __future__ import annotations

import json
import math
import re
import sys
from argparse import ArgumentTypeError
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from porank.core.arguments import require_item
from porank.core.compiled_order import read_scores
from porank.core.tables import Table, are_numbers, printable, shown
from porank.errors import PorankError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping


@dataclass(frozen=True)
class Command:
    """A command of the command line."""

    summary: str
    examples: tuple[str, ...]
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    details: str = ""

    @property
    def help(self) -> str:
        """The summary without what argparse would take for a placeholder."""
        return self.summary.replace("%", "%%")

    @property
    def description(self) -> str:
        """The summary and the details, to stand at the beginning of the help."""
        details = self.details.replace("%", "%%")
        return f"{self.help}\n\n{details}" if details else self.help

    @property
    def epilog(self) -> str:
        """The examples, to stand at the end of the help."""
        return "\n".join(["examples:", *(f"  {line}" for line in self.examples)])


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
    """Print an answer in the format asked for."""
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
    """Return a number as JSON has it; a fraction, which it lacks, as the nearest float."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    return value


def spell_json(data: Any) -> str:
    r"""Return an answer as JSON: null for what is no number, fractions as texts."""
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
    r"""Return a table as Markdown, numbers with four significant digits."""
    columns = list(zip(*table.rows, strict=True)) or [()] * len(table.columns)
    marks = ["---:" if are_numbers(cells) else "---" for cells in columns]
    rows = [table.columns, marks, *([_cell(cell) for cell in row] for row in table.rows)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _cell(cell: Any) -> str:
    text = printable(" ".join(shown(cell).splitlines()))
    return re.sub(r"[\\|<*`]|(?<![^\W_])_|_(?![^\W_])", r"\\\g<0>", text)


def properties(rows: dict[str, Any]) -> Table:
    """Return what is known of one thing as a table of two columns."""
    return Table(("property", "value"), list(rows.items()))


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


def sign(text: str) -> str:
    r"""Return a sign, a tab for ``\t``, which no shell user can type."""
    return "\t" if text == r"\t" else text


def whole(lowest: int, highest: int | None = None) -> Callable[[str], int]:
    """Return what reads a whole number from the lowest to the highest."""

    def read(text: str) -> int:
        is_number = len(text) <= _LONGEST and re.fullmatch(r"\s*[+-]?[0-9]+\s*", text)
        number = int(text) if is_number else lowest - 1
        if number < lowest or (highest is not None and number > highest):
            end = "on" if highest is None else f"to {highest}"
            raise ArgumentTypeError(
                f"expected a whole number from {lowest} {end}, found {text!r:.60}"
            )
        return number

    return read


def seconds(text: str) -> float:
    """Return a number of seconds."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise ArgumentTypeError(
            f"expected a number of seconds, such as 60 or 0.5, found {text!r:.60}"
        )
    return number


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


class Ranked(dict[Any, int]):
    """A weak order, item -> level, the worst level being 1: scores, but no grades."""

    @classmethod
    def of(cls, ranks: Mapping[Any, Any]) -> Ranked:
        """Return the order in which a smaller rank is better and equal ranks are tied."""
        items, layers = read_scores(ranks, name="ranks")
        for item in items:
            require_item(item)
        return cls(zip(items, (layers + 1).tolist(), strict=True))


_NO_BALLOT = "; a partial order is no ballot, and as a graph it has a weight for each pair"
#: What errors advise to Python users, and what the command line has in its place.
ADVICE = (
    (
        r"; break_cycles\(G\) drops .*",
        "; porank convert --break-cycles drops as few pairs as makes it an order",
    ),
    (r"delimiter= names another sign", r"--delimiter names another sign"),
    (r"delimiter=('.*?') splits it there", r"--delimiter \1 splits it there"),
    (r"; columns=\{.*?\} .*", "; --columns ROLE=NAME says which is which"),
    (r", which groups='separate' keeps apart", ""),
    (r"open\(path, encoding=\.\.\.\) reads other encodings", "iconv -t utf-8 converts others"),
    (r"open\(path, encoding='utf-16'\) reads it", "iconv -f utf-16 -t utf-8 converts it"),
    (r"or give by=", "or give --by"),
    (r"; (items|groups)='both'", r"; --\1 both"),
    (r"; from_levels\(.*", "; notation, json, graphml and dot hold any order"),
    (r"(a finite weight) (of .*), found None", rf"\1 \2 for PrefLib, found none{_NO_BALLOT}"),
    (r"; give relevance=.*", "; a target in TREC's formats has grades"),
    (r", scheduler=None takes", ", without --scheduler it takes"),
    (r"\bengine='(.*?)'", r"--engine \1"),
    (r"; events= names others", "; --events names others"),
    (r"(, |; |; they are the graph .*)impossible='empty'.*", ""),
    (r"minimal_threshold\(P\) is", "--alpha minimal is"),
    (r"; P\.restrict\(.*", ""),
    (r"; restrict\(G, items\) takes .*", "; porank ranks tells where each item stands"),
    (r"; the scores themselves say the same", "; ranks, json and PrefLib hold it"),
    (r"; give the scores themselves, .*", "; a table of ranks holds it"),
    (r"maximum recursion depth exceeded.*", "it is nested too deeply"),
    (r"expected a function or one of", "expected one of"),
    (r"or a name in by as keys of columns", "or a column of --by before a = in --columns"),
    (r"\bas by, found \((.*?),?\)", r"as --by, found \1"),
    (r"\bonly in P\b", "only in the rankings"),
    (r"(expected a Parquet file), (?!found)", r"\1, found an error: "),
    (r"(?:\.|(?<=does so)), as (target|predicted)$", ""),
    (r"Fraction\((-?[0-9]+), 1\)", r"\1"),
    (r"Fraction\((-?[0-9]+), ([0-9]+)\)", r"\1/\2"),
)
#: That the items differ, which one command can mend.
ALIGN = r"; align\(.*?\) mends it"


def reason_of(error: Exception, *, command: str = "") -> str:
    """Return the first line of an error, with the way out that the command has."""
    if isinstance(error, OSError) and not isinstance(error, PorankError) and error.strerror:
        names = [repr(name) for name in (error.filename, error.filename2) if name is not None]
        return ": ".join([error.strerror, *names[-1:]])
    return advised(str(error).partition("\n")[0], command=command)


def advised(text: str, *, command: str = "") -> str:
    """Return a reason with the advice that a command can follow."""
    if command == "compare":
        text = re.sub(ALIGN, "; --align intersection compares what is in both", text)
    text = re.sub(ALIGN, "", text)
    for pattern, instead in ADVICE:
        text = re.sub(pattern, instead, text)
    return text
