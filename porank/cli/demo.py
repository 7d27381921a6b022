"""The command ``porank demo``: a click log, the order that it settles, the truth, and pictures.

The log is simulated. A note in the folder marks it as the demo's, so its own files are replaced and
other files kept. `demo` is the command, `Demonstration` has the results, `data_of` and
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
from porank.cli.formats import spell
from porank.cli.outputs import FORCE, use_no_window
from porank.core.files import write_whole
from porank.core.tables import Table
from porank.drawing.axes import image_of
from porank.errors import PorankError, listed
from porank.exploration.findings import contradictions_of
from porank.exploration.report import Section

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    import networkx as nx


#: The files and what they are.
FILES = {
    "report.html": "everything about the log: open it first",
    "clicks.csv": "the log",
    "preferences.csv": "the pairs of the log, with their support",
    "ballots.txt": "ballots of 8 guests, best first",
    "truth.txt": "what the visitors really prefer",
    "settled.txt": "what the log settles",
    "leaning.txt": "what the log leans to",
    "settled.png": "both in one diagram",
    "comparison.png": "the settled order beside the truth",
    "thresholds.png": "the orders at all thresholds",
    "tradeoff.png": "correctness against completeness",
    "page.html": "the settled order and the truth, interactive",
}


@command(
    argument("--folder", default="porank-demo"),
    FORCE,
)
def demo(given: argparse.Namespace) -> int:
    """Show what porank does: from a click log to a partial order, with pictures and a page.

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
    for name, content in (data_of(found) | pictures_of(found)).items():
        write_whole(content, folder / name)
    files = Table(("file", "what it is"), [(folder / name, what) for name, what in FILES.items()])
    yield Section("Files to look at", [], [files]).to_text()


def commands_in(folder: Path) -> list[str]:
    """Return commands to try next on the files in the folder."""
    quoted = {name: shlex.quote(str(folder / name)) for name in (*FILES, "truth.svg")}
    return [
        f"porank explore {quoted['clicks.csv']} --rule {RULE}",
        f"porank ranks {quoted['settled.txt']} --possible",
        f"porank predict {quoted['preferences.csv']} --curve --target {quoted['truth.txt']}",
        f"porank hasse {quoted['truth.txt']} -o {quoted['truth.svg']} --force",
    ]


def data_of(found: Demonstration) -> dict[str, bytes]:
    """Return the contents of the data files: the log and the orders."""
    rows = list(zip(*found.log.values(), strict=True))
    return {
        "clicks.csv": Table(list(found.log), rows).to_csv().encode(),
        "preferences.csv": spell(found.explored.evidence, "csv"),
        "ballots.txt": b"".join(spell(ballot, "notation") for ballot in ballots()),
        "truth.txt": spell(found.truth, "notation"),
        "settled.txt": spell(found.explored.order, "notation"),
        "leaning.txt": spell(found.explored.leaning, "notation"),
    }


def pictures_of(found: Demonstration) -> dict[str, bytes]:
    """Return the contents of the pictures and pages."""
    use_no_window()
    explored = found.explored
    drawn = {
        "settled.png": po.draw_hasse(explored.order, leaning=explored.leaning),
        "comparison.png": po.draw_comparison(found.truth, explored.order),
        "thresholds.png": po.draw_thresholds(found.curve),
        "tradeoff.png": po.draw_tradeoff(found.curve),
    }
    page = StringIO()
    how: dict[str, Any] = {"target": found.truth, "preferences": explored.relation}
    po.write_page(explored.order, page, title=TITLE, **how)
    pages = {"report.html": explored.to_html(), "page.html": page.getvalue()}
    return {name: image_of(ax, ".png") for name, ax in drawn.items()} | {
        name: text.encode() for name, text in pages.items()
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
RULE = "click_over_skip_above"
_LIST_LENGTH = 4
_BALLOTS = 8
_SEED, _BALLOTS_SEED = 76, 3


def clicks() -> dict[str, list[Any]]:
    """Return the click log by column: four drinks shown, read from the top."""
    log = po.simulate_log(STRENGTHS, VISITS, examination="cascade", length=_LIST_LENGTH, seed=_SEED)
    # A simulation knows which items were examined; a server's log does not.
    return {name: column.tolist() for name, column in log.items() if name != "examined"}


def ballots() -> list[nx.DiGraph]:
    """Return rankings of all drinks, one for each guest."""
    return po.plackett_luce(STRENGTHS, _BALLOTS, seed=_BALLOTS_SEED)


#: The file that marks a folder of the demonstration.
_NOTE = "porank-demo.txt"


def demo_folder(path: str, *, force: bool) -> Path:
    """Return the folder for the files: a new one, or that of an earlier demonstration."""
    folder = Path(path)
    there = [name for name in FILES if (folder / name).exists()]
    if there and not (force or (folder / _NOTE).exists()):
        raise PorankError(
            f"expected a folder of an earlier demo, or one without its files, found "
            f"{listed(there)} in {path!r}; --force replaces them, --folder names another folder"
        )
    folder.mkdir(parents=True, exist_ok=True)
    names = "\n".join(FILES)
    note = f"porank demo wrote these files and replaces them when it runs again:\n\n{names}\n"
    (folder / _NOTE).write_text(note, "utf-8")
    return folder


_MEASURES = ("correctness", "completeness", "jaccard", "kendall_tau", "edrc")


class Demonstration:
    """The results of the demonstration, and their agreement with the truth."""

    def __init__(self) -> None:
        self.log = clicks()
        self.explored = po.explore(self.log, rule=RULE, title=TITLE)
        self.truth = po.from_scores(STRENGTHS)
        self.curve = po.abstention_curve(self.explored.relation, self.truth)
        self.comparisons = {
            name: po.compare(self.truth, order, measures=_MEASURES)
            for name, order in (
                ("settled", self.explored.order),
                ("leaning", self.explored.leaning),
            )
        }


def _settled(found: Demonstration) -> Section:
    """Return the section on the orders that the demonstration finds."""
    explored = found.explored
    open_too = explored.leaning.number_of_edges() - explored.order.number_of_edges()
    beyond = (
        f"The order that the log leans to decides {open_too} more pairs, which may be due to "
        "chance. The safe answer for these pairs is that we do not know yet."
    )
    tables = [
        Table((name,), [(chain,) for chain in po.format_order(order).split("; ")])
        for name, order in (("settled", explored.order), ("leaning", explored.leaning))
    ]
    title = "What the log settles, and what it leans to"
    return Section(title, [explored.verdict, beyond], tables)


def _agreement(found: Demonstration) -> Table:
    """Return the table of agreement with the truth."""
    rows = [
        (name, *(found.comparisons[each][name] for each in found.comparisons)) for name in _MEASURES
    ]
    return Table(("measure", *found.comparisons), rows)
