"""Ours and the rival in turn, in one process, best of several, results compared.

A speed claim of the documentation is a line that this prints. The rounds alternate, so that
whatever else the machine does hits both; the best time counts, since noise only ever adds.
"""

from __future__ import annotations

import argparse
import gc
import importlib.metadata
import platform
import resource
import time
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, TypeVar

from porank.core.tables import Table, cell_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

T = TypeVar("T")


@dataclass(frozen=True)
class Row:
    """One line of the table; a ratio above 1 says how many times faster ours is."""

    work: str
    rival: str
    ours_seconds: float
    rival_seconds: float
    reach: str

    @property
    def ratio(self) -> float:
        """How many times longer the rival takes."""
        return self.rival_seconds / self.ours_seconds


def race(
    work: str,
    ours: Callable[[], Any],
    rival: str,
    theirs: Callable[[], Any],
    *,
    reach: str,
    agree: Callable[[Any, Any], bool],
    rounds: int = 5,
) -> Row:
    """Run both in turn and return their best times.

    Parameters
    ----------
    work, rival, reach : str
        What is done, who else does it, and what ratio is promised.
    ours, theirs : callable
        The two, each from the same input to its own result.
    agree : callable
        Takes both results and says whether they say the same.
    rounds : int
        How often each is run.
    """
    best = [float("inf"), float("inf")]
    for number in range(rounds):
        results = []
        for side, run in enumerate((ours, theirs)):
            gc.collect()
            start = time.perf_counter()
            results.append(run())
            best[side] = min(best[side], time.perf_counter() - start)
        if number == 0 and not agree(*results):
            raise AssertionError(f"{work}: porank and {rival} do not agree")
        del results
    return Row(work, rival, best[0], best[1], reach)


def table_of(rows: Iterable[Row]) -> Table:
    """Return the rows as a table for people."""
    return Table(
        ("work", "against", "porank, s", "rival, s", "ratio", "reach"),
        tuple(
            (
                row.work,
                row.rival,
                f"{row.ours_seconds:.3g}",
                f"{row.rival_seconds:.3g}",
                f"{row.ratio:.2g}x" if row.ratio < 10 else f"{row.ratio:.0f}x",
                row.reach,
            )
            for row in rows
        ),
    )


def timed(
    run: Callable[[], T], *, rounds: int = 3, clock: Callable[[], float] = time.perf_counter
) -> tuple[T, float]:
    """Return the result and the seconds, of several runs the best if they are short."""
    best = float("inf")
    for _ in range(rounds):
        start = clock()
        result = run()
        best = min(best, clock() - start)
        if best > 1:
            break
    return result, best


def processor_seconds(run: Callable[[], Any], rounds: int = 3) -> float:
    """Return the seconds of the processor that something takes, the best of some times."""
    return timed(run, rounds=rounds, clock=time.process_time)[1]


def peak_memory() -> float:
    """Return the most memory that this process has had, in GB."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text("utf-8").splitlines()
        return next(int(line.split()[1]) / 1e6 for line in lines if line.startswith("VmHWM"))
    # What the parent had counts here, too.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def wants_small(description: str | None, help_text: str) -> bool:
    """Return whether a script is called with ``--small``."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--small", action="store_true", help=help_text)
    return bool(parser.parse_args().small)


def show(*parts: Table | str) -> None:
    """Print tables and remarks as paragraphs of Markdown, which can be read as they are."""
    for part in parts:
        text = _remark(part) if isinstance(part, str) else markdown_of(part)
        print(text, end="\n\n", flush=True)


def _remark(text: str) -> str:
    """Return a text as Markdown: a line as a paragraph, several as a list."""
    lines = text.splitlines()
    mark = "* " if len(lines) > 1 else ""
    return "\n".join(fill(f"{mark}{line}", 99, subsequent_indent=" " * len(mark)) for line in lines)


def markdown_of(table: Table) -> str:
    """Return a table as Markdown, its columns aligned, below its title if it has one."""
    rows = [list(map(cell_text, row)) for row in (table.columns, *table.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, ["-" * width for width in widths])
    lines = (" | ".join(map(str.ljust, row, widths)) for row in rows)
    title = f"{table.title}:\n\n" if table.title else ""
    return title + "\n".join(f"| {line} |" for line in lines)


def machine(*packages: str) -> str:
    """Return one line that says what the numbers were measured on."""
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in packages)
    return f"Python {platform.python_version()}, {platform.machine()}; {versions}"
