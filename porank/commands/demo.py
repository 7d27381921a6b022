"""``porank demo``: from a click log to a partial order, its comparison with the truth, pictures."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from porank.commands.command import Command
from porank.commands.demo_data import VISITS, ballots
from porank.commands.demo_files import DemoFolder
from porank.commands.demo_findings import findings
from porank.commands.demo_text import (
    comparison_text,
    contradictions_text,
    log_text,
    order_text,
    pairs_text,
    section,
)
from porank.commands.hasse import picture, use_no_window
from porank.commands.outputs import add_force
from porank.commands.spelling import spell
from porank.commands.values import filled
from porank.core.tables import Table

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from matplotlib.axes import Axes

    from porank.commands.demo_findings import Findings

#: The files, and what each is.
FILES = {
    "clicks.csv": "the log",
    "preferences.csv": "what the sessions say, pair by pair",
    "ballots.txt": "what 8 guests wrote down, best first",
    "truth.txt": "what the visitors prefer in truth",
    "predicted.txt": "the order that they support",
    "predicted.png": "its Hasse diagram",
    "comparison.png": "the same beside the truth",
    "thresholds.png": "the orders at all thresholds",
    "tradeoff.png": "correctness against completeness",
    "page.html": "all of it to explore: open it in a browser",
}


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--folder",
        type=filled,
        default="porank-demo",
        help="where to write the files (default: %(default)s)",
    )
    add_force(parser)


def _run(given: argparse.Namespace) -> int:
    folder = DemoFolder(given.folder, list(FILES), force=given.force)
    found = findings()
    parts = sections(found, folder)
    if not sys.stdout.isatty():
        parts = iter(["".join(parts)])  # a reader who stops early stops no file
    for part in parts:
        sys.stdout.write(part)
        sys.stdout.flush()  # on a terminal one reads while the pictures are drawn
    return 0


def sections(found: Findings, folder: DemoFolder) -> Iterator[str]:
    """Yield what is printed, part by part, and write the files beside it."""
    yield section("1. A click log", log_text(found))
    yield section("2. What the sessions say, the pairs most often", pairs_text(found))
    yield section("3. Where they contradict each other", contradictions_text(found))
    yield section("4. A partial order, at the least threshold that allows one", order_text(found))
    yield section("5. How far it agrees with the truth", comparison_text(found))
    write_data(found, folder)
    write_pictures(found, folder)
    rows = [(folder.file(name), what) for name, what in FILES.items()]
    yield section("6. Files to look at", "\n".join(f"{name:30} {what}" for name, what in rows))
    yield section("What to try next", "\n".join(next_commands(folder))).rstrip("\n") + "\n"


def next_commands(folder: DemoFolder) -> list[str]:
    """Return three command lines that go on from here."""
    return [
        f"porank ranks {folder.shown('predicted.txt')} --possible",
        (
            f"porank predict {folder.shown('preferences.csv')} --curve "
            f"--target {folder.shown('truth.txt')}"
        ),
        f"porank hasse {folder.shown('truth.txt')} -o {folder.shown('truth.svg')} --force",
    ]


def write_data(found: Findings, folder: DemoFolder) -> None:
    """Write the log, and the orders made of it."""
    rows = list(zip(*found.log.values(), strict=True))
    folder.write("clicks.csv", Table(list(found.log), rows).to_csv())
    folder.write("preferences.csv", spell(found.said, "csv"))
    folder.write("ballots.txt", b"".join(spell(ballot, "notation") for ballot in ballots()))
    folder.write("truth.txt", spell(found.truth, "notation"))
    folder.write("predicted.txt", spell(found.predicted, "notation"))


def write_pictures(found: Findings, folder: DemoFolder) -> None:
    """Write the pictures and the page."""
    use_no_window()
    from porank.drawing.comparison import draw_comparison
    from porank.drawing.hasse import draw_hasse
    from porank.drawing.page.page import write_page
    from porank.drawing.thresholds import draw_thresholds
    from porank.drawing.tradeoff import draw_tradeoff

    drawn: dict[str, Callable[[], Axes]] = {
        "predicted.png": lambda: draw_hasse(found.predicted),
        "comparison.png": lambda: draw_comparison(found.truth, found.predicted),
        "thresholds.png": lambda: draw_thresholds(found.curve),
        "tradeoff.png": lambda: draw_tradeoff(found.curve),
    }
    for name, draw in drawn.items():
        folder.write(name, picture(draw(), ".png"))
    write_page(
        found.predicted,
        folder.file("page.html"),
        target=found.truth,
        preferences=found.relation,
        title=f"What {VISITS} visits to a café say",
    )


DEMO = Command(
    "Show what porank can do: from a click log to a partial order, with pictures and a page.",
    ("porank demo", "porank demo --folder elsewhere"),
    _add_arguments,
    _run,
)
