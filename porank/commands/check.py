"""``porank check GRAPH``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx

from porank.commands.command import Command
from porank.commands.inputs import add_reading, read_order, reading_of
from porank.commands.printing import add_format, show
from porank.core.tables import Table
from porank.errors import CycleError, TieError, counted, listed

if TYPE_CHECKING:
    import argparse

#: What was found, how many items it is about, and the items that show it.
Fault: TypeAlias = tuple[str, int, list[Any]]
_WAY_OUTS = {
    "cycle": "porank convert --break-cycles drops as few pairs as makes it an order",
    "tie": "they are said to be equal, and pairs tell them apart: drop one or the other",
}
_SIGNS = {"cycle": " > ", "tie": " ~ "}


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("graph", metavar="GRAPH", help="a file, or - for standard input")
    add_reading(parser)
    add_format(parser)


def _run(given: argparse.Namespace) -> int:
    try:
        order = read_order(given.graph, reading_of(given, given.graph))
    except CycleError as error:  # a format in which each part must be an order
        size, way_out = "", "each part of such a file must be an order: mend the file"
        found: list[Fault] = [("cycle", len(set(error.cycle)), error.cycle)]
    else:
        found, size = _faults(order), counted(len(order), "item")
        way_out = _WAY_OUTS[found[0][0]] if found else ""
    rows = [(kind, number, listed(items, separator=_SIGNS[kind])) for kind, number, items in found]
    table = Table(("found", "items", "witness"), rows)
    data = [{"found": kind, "items": number, "witness": items} for kind, number, items in found]
    text = f"{table}\n\n{way_out}" if found else f"nothing found: {size}, and no cycle"
    show(given, table, data=data, text=text)
    return 1 if found else 0


def _faults(G: Any) -> list[Fault]:
    """Return each knot with a shortest cycle in it, or the tie that the edges contradict."""
    from porank.core.compiled_order import compile_order
    from porank.core.graphs import knots, shortest_cycle

    if not isinstance(G, nx.Graph):
        return []  # scores contradict nothing
    found = [
        ("cycle", len(knot), list(shortest_cycle(G.subgraph(knot).copy()) or ()))
        for knot in knots(G)
    ]
    if found:
        return found
    try:
        compile_order(G)
    except TieError as error:
        return [("tie", len(error.tied), error.tied)]
    return []


CHECK = Command(
    "Look for contradictions: each knot with a shortest cycle; the exit code is 1 if there is one.",
    (
        "porank check porank-demo/truth.txt",
        "porank check porank-demo/preferences.csv",
        "echo 'rock > scissors > paper > rock' | porank check - --format json",
    ),
    _add_arguments,
    _run,
)
