"""Ours and the rival in turn, in one process, the median of several rounds, results compared.

A speed claim of the documentation is a line that this prints. It counts processor time, also that
of threads and of processes that were started and have ended. The rounds alternate, so that whatever
else the machine does hits both. Each
benchmark is one or more generators of tables and remarks, of which `run` prints those named:
``python -m tests.benchmarks.promises looks --small``.
"""

import argparse
import gc
import importlib.metadata
import operator
import platform
import resource
import time
from collections.abc import Callable, Iterable
from statistics import median
from textwrap import fill
from typing import Any, TypeVar

from porank.core.tables import Table, cell_text

T = TypeVar("T")
#: A line of a race; a ratio above 1 says how many times faster ours is.
Row = tuple[str, ...]


def used() -> float:
    """Return the seconds of processors that this process and its children have used."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def race(
    work: str,
    ours: Callable[[], Any],
    rival: str,
    theirs: Callable[[], Any],
    *,
    reach: str = "",
    agree: Callable[[Any, Any], bool] = operator.eq,
    rounds: int = 5,
    times: int = 1,
) -> Row:
    """Run both in turn and return a row with their median times.

    In each round a short call runs several times, since a cold cache would time the cache. Results
    must agree, and `reach` is the ratio that is promised.
    """
    seconds: tuple[list[float], list[float]] = [], []
    for number in range(rounds):
        results = []
        for taken, call in zip(seconds, (ours, theirs), strict=True):
            gc.collect()
            start = used()
            for _ in range(times - 1):
                call()
            results.append(call())
            taken.append((used() - start) / times)
        if number == 0 and not agree(*results):
            raise AssertionError(f"{work}: porank and {rival} do not agree")
        del results
    one, other = map(median, seconds)
    ratio = f"{other / one:.2g}x" if other < 10 * one else f"{other / one:.0f}x"
    return work, rival, f"{one:.3g}", f"{other:.3g}", ratio, reach


def table_of(rows: Iterable[Row]) -> Table:
    """Return the rows of races as a table."""
    columns = ("work", "against", "porank, s", "rival, s", "ratio", "reach")
    return Table(columns, tuple(rows))


def timed(
    call: Callable[[], T], *, rounds: int = 3, clock: Callable[[], float] = used
) -> tuple[T, float]:
    """Return the result and the seconds, of several runs the median if they are short."""
    taken: list[float] = []
    while len(taken) < rounds and max(taken, default=0) < 1:
        start = clock()
        result = call()
        taken.append(clock() - start)
    return result, median(taken)


def run(
    description: str | None, packages: str, *parts: Callable[..., Iterable[Table | str]]
) -> None:
    """Print the machine, then tables and remarks of the parts named, all if none is, as Markdown.

    With ``--small`` they are made of smaller sizes, for a quick look.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("names", nargs="*", help=", ".join(part.__name__ for part in parts))
    parser.add_argument("--small", action="store_true", help="smaller sizes, for a quick look")
    given = parser.parse_args()
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in packages.split())
    line = f"Python {platform.python_version()}, {platform.machine()}; {versions}"
    print(fill(line, 99), end="\n\n")
    for part in parts:
        if not given.names or part.__name__ in given.names:
            for each in part(small=given.small):
                text = fill(each, 99) if isinstance(each, str) else markdown_of(each)
                print(text, end="\n\n", flush=True)


def markdown_of(table: Table) -> str:
    """Return a table as Markdown, its columns aligned, below its title if it has one."""
    rows = [list(map(cell_text, row)) for row in (table.columns, *table.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, ["-" * width for width in widths])
    lines = (" | ".join(map(str.ljust, row, widths)) for row in rows)
    title = f"{table.title}:\n\n" if table.title else ""
    return title + "\n".join(f"| {line} |" for line in lines)
