"""The command ``porank demo``: a click log, the order that it settles, the truth, and a picture.

The log is simulated. `demo` is the command, `Demonstration` has the results, `log_of` and
`pictures_of` return the files.
"""

from __future__ import annotations

import shlex
import sys
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import porank as po
from porank.cli.command import argument, command
from porank.cli.outputs import FORCE, use_no_window
from porank.core.files import write_whole
from porank.core.tables import Table
from porank.drawing.axes import image_of
from porank.errors import PorankError, listed
from porank.exploration.findings import contradictions_of
from porank.exploration.report import Section
from porank.readwrite.formats import spell_columns

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

#: The files and what they are.
FILES = {
    "report.html": "everything about the log: open it first",
    "page.html": "the settled order and the truth, interactive",
    "settled.png": "what the log settles, and what it leans to",
    "clicks.csv": "the log",
}


@command(
    argument("--folder", default="porank-demo"),
    FORCE,
)
def demo(given: argparse.Namespace) -> int:
    """Show what porank does: from a click log to a partial order, with a report and a page.

    Options
    -------
    --folder
        folder for the files (default: %(default)s)

    Examples
    --------
    porank demo
    porank demo --folder elsewhere
    """
    folder = demo_folder(given.folder, force=given.force)
    parts: Iterable[str] = (f"{part}\n\n" for part in parts_of(Demonstration(), folder))
    if not sys.stdout.isatty():
        parts = list(parts)  # write all files even if the reader stops early
    for part in parts:
        sys.stdout.write(part)
        sys.stdout.flush()  # show this part while the pictures are drawn
    sys.stdout.write("\n".join(["What to try next", *commands_in(folder), ""]))
    return 0


def parts_of(found: Demonstration, folder: Path) -> Iterator[str]:
    """Yield the parts that the demonstration prints, and write its files."""
    log = (
        f"{VISITS} simulated visits to a café: a screen shows four drinks, and each visitor reads "
        f"from the top until clicking one. {len(found.log['item']):,} events, {len(found.truth)} "
        "drinks."
    )
    yield Section("A click log", [log]).to_text()
    yield contradictions_of(found.explored).to_text()
    yield _settled(found).to_text()
    yield Section("How well both agree with the truth", [], [_agreement(found)]).to_text()
    for name, content in ({"clicks.csv": log_of(found)} | pictures_of(found)).items():
        write_whole(content, folder / name)
    files = Table(("file", "what it is"), [(folder / name, what) for name, what in FILES.items()])
    yield Section("Files to look at", [], [files]).to_text()


def commands_in(folder: Path) -> list[str]:
    """Return commands to try next on the files in the folder."""
    log, pairs = (shlex.quote(str(folder / name)) for name in ("clicks.csv", "preferences.csv"))
    return [
        f"porank explore {log}",
        f"porank mine {log} -o {pairs} --force",
        f"porank predict {pairs} --pairs",
    ]


def log_of(found: Demonstration) -> bytes:
    """Return the content of the file with the log."""
    return spell_columns(found.log, "csv")


def pictures_of(found: Demonstration) -> dict[str, bytes]:
    """Return the contents of the report, the page and the picture."""
    use_no_window()
    explored, page = found.explored, StringIO()
    po.write_page(explored.order(), page, title=TITLE, target=found.truth)
    settled = image_of(lambda: po.draw_hasse(explored.order(), leaning=explored.leaning), ".png")
    return {
        "report.html": explored.to_html().encode(),
        "page.html": page.getvalue().encode(),
        "settled.png": settled,
    }


#: How much the visitors like each drink: twice the strength, twice the probability of a choice.
STRENGTHS = {
    "mocha": 16,
    "latte": 8,
    "cocoa": 8,
    "chai": 4,
    "mate": 2,
    "milk": 2,
    "tea": 1,
}
VISITS = 400
TITLE = f"What {VISITS} visits to a café say"
_LIST_LENGTH = 4
_SEED = 76


def clicks() -> dict[str, list[Any]]:
    """Return the click log by column: four drinks shown, read from the top."""
    log = po.simulate_log(STRENGTHS, VISITS, examination="cascade", length=_LIST_LENGTH, seed=_SEED)
    # A simulation knows which items were examined; a server's log does not.
    return {name: column.tolist() for name, column in log.items() if name != "examined"}


def demo_folder(path: str, *, force: bool) -> Path:
    """Return the folder for the files: without any of them, or with all, from an earlier demo."""
    folder = Path(path)
    there = [name for name in FILES if (folder / name).exists()]
    if 0 < len(there) < len(FILES) and not force:
        raise PorankError(
            f"expected a folder with all files of an earlier demo, or without any, found "
            f"{listed(there)} in {path!r}; --force replaces them, --folder names another folder"
        )
    folder.mkdir(parents=True, exist_ok=True)
    return folder


_MEASURES = ("correctness", "completeness", "jaccard", "kendall_tau", "edrc")


class Demonstration:
    """The results of the demonstration, and the truth."""

    def __init__(self) -> None:
        self.log = clicks()
        self.explored = po.explore(self.log, title=TITLE)
        self.truth = po.from_scores(STRENGTHS)


def _settled(found: Demonstration) -> Section:
    """Return the section on the orders that the demonstration finds."""
    explored = found.explored
    tables = [
        Table((name,), [(chain,) for chain in po.format_order(order).split("; ")])
        for name, order in (("settled", explored.order()), ("leaning", explored.leaning))
    ]
    title = "What the log settles, and what it leans to"
    return Section(title, [explored.verdict], tables)


def _agreement(found: Demonstration) -> Table:
    """Return the table of agreement with the truth."""
    orders = found.explored.order(), found.explored.leaning
    settled, leaning = (po.compare(found.truth, order, measures=_MEASURES) for order in orders)
    rows = [(name, settled[name], leaning[name]) for name in _MEASURES]
    return Table(("measure", "settled", "leaning"), rows)
