"""``porank page ORDER -o FILE``."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from porank.commands.command import Command
from porank.commands.forms import INPUTS, suffix_of
from porank.commands.inputs import add_reading, read_order, reading_of, require_one_stdin
from porank.commands.outputs import add_output, require_writable, write_output
from porank.commands.relations import read_relation
from porank.commands.values import filled
from porank.errors import PorankError

if TYPE_CHECKING:
    import argparse

    from porank.commands.inputs import Reading


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("order", metavar="ORDER", help="a file, or - for standard input")
    add_output(parser, what="the page: .html", required=True)
    add_reading(parser, unranked=True)
    parser.add_argument(
        "--target", type=filled, metavar="FILE", help="the truth, to lay over the order"
    )
    parser.add_argument(
        "--preferences",
        metavar="FILE",
        nargs="+",
        help="rankings, or the pairs of a log, for a slider that moves the threshold",
    )
    for name in ("target", "preferences"):
        parser.add_argument(
            f"--{name}-from",
            choices=INPUTS,
            metavar="FORMAT",
            help=f"what the file of --{name} is, instead of what its name tells",
        )
    parser.add_argument("--title", default="", help="what stands above the diagram")


def _run(given: argparse.Namespace) -> int:
    from porank.drawing.page.page import write_page

    if suffix_of(given.output) not in (".html", ".htm"):
        raise PorankError(f"expected a file that ends in .html, found {given.output!r}")
    require_writable(given.output, force=given.force)
    others = [given.target] if given.target else []
    require_one_stdin([given.order, *others, *(given.preferences or [])])
    how = _reading(given)
    order = read_order(given.order, how)
    target = preferences = None
    if given.target:
        target = read_order(given.target, how._replace(form=given.target_from))
    if given.preferences:
        how = how._replace(form=given.preferences_from)
        preferences = read_relation(given.preferences, how, progress=True)
    page = io.BytesIO()
    write_page(
        order,
        page,
        target=target,
        preferences=preferences,
        title=given.title,
        progress=True,
    )
    write_output(page.getvalue(), given.output, force=given.force)
    return 0


def _reading(given: argparse.Namespace) -> Reading:
    """Return how to read the inputs, of which ``--from`` is about the order."""
    for name in ("target", "preferences"):
        if getattr(given, f"{name}_from") and not getattr(given, name):
            raise PorankError(f"expected --{name}-from beside --{name}")
    if given.unranked and not given.preferences:
        raise PorankError("expected --unranked beside --preferences")
    others = [(given.target, given.target_from)] if given.target else []
    others += [(path, given.preferences_from) for path in given.preferences or []]
    return reading_of(given, given.order, others=others)


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
