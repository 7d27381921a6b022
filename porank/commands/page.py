"""``porank page ORDER -o FILE``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from porank.commands.command import Command
from porank.commands.forms import suffix_of
from porank.commands.inputs import add_reading, read_order, reading_of, require_one_stdin
from porank.commands.outputs import add_output, require_writable
from porank.commands.relations import read_relation
from porank.errors import PorankError

if TYPE_CHECKING:
    import argparse


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("order", metavar="ORDER", help="a file, or - for standard input")
    add_output(parser, what="the page: .html", required=True)
    add_reading(parser, unranked=True)
    parser.add_argument("--target", metavar="FILE", help="the truth, to lay over the order")
    parser.add_argument(
        "--preferences",
        metavar="FILE",
        nargs="+",
        help="rankings, or the pairs of a log, for a slider that moves the threshold",
    )


def _run(given: argparse.Namespace) -> int:
    from porank.drawing.page import write_page

    if suffix_of(given.output) not in (".html", ".htm"):
        raise PorankError(f"expected a file that ends in .html, found {given.output!r}")
    require_writable(given.output, force=given.force)
    others = [given.target] if given.target else []
    require_one_stdin([given.order, *others, *(given.preferences or [])])
    how = reading_of(given)
    order = read_order(given.order, how)
    how = how._replace(form=None)  # --from is about the order
    target = read_order(given.target, how) if given.target else None
    preferences = read_relation(given.preferences, how) if given.preferences else None
    write_page(order, given.output, target=target, preferences=preferences, progress=True)
    return 0


PAGE = Command(
    "Write an order as an interactive page: one HTML file that needs nothing else.",
    (
        "porank page porank-demo/truth.txt -o truth.html",
        (
            "porank page porank-demo/predicted.txt -o predicted.html "
            "--target porank-demo/truth.txt --preferences porank-demo/preferences.csv"
        ),
    ),
    _add_arguments,
    _run,
)
