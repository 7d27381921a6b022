"""``porank ranks GRAPH``."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any

from porank.commands.command import Command
from porank.commands.inputs import add_reading, read_order, reading_of
from porank.commands.printing import add_format, show
from porank.tables import Table

if TYPE_CHECKING:
    import argparse


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("graph", metavar="GRAPH", help="a file, or - for standard input")
    add_reading(parser)
    parser.add_argument(
        "--possible", action="store_true", help="also the best and the worst rank it may have"
    )
    parser.add_argument(
        "--expected", action="store_true", help="also its mean rank over all rankings left open"
    )
    add_format(parser)


def _run(given: argparse.Namespace) -> int:
    from porank.order.ranks import set_ranks

    order = read_order(given.graph, reading_of(given))
    columns: dict[str, Any] = {"rank": set_ranks(order)}
    if given.possible:
        from porank.order.rank_intervals import rank_intervals

        intervals = rank_intervals(order)
        columns["best"] = {item: ends[0] for item, ends in intervals.items()}
        columns["worst"] = {item: ends[1] for item, ends in intervals.items()}
    if given.expected:
        from porank.order.positions import expected_ranks

        columns["expected"] = expected_ranks(order, progress=True)
    rows = [
        (item, *(column[item] for column in columns.values()))
        for item, _ in sorted(columns["rank"].items(), key=itemgetter(1))
    ]
    show(given, Table(("item", *columns), rows))
    return 0


RANKS = Command(
    "Print the rank of every item, the best having 1.",
    (
        "porank ranks porank-demo/truth.txt",
        "porank ranks porank-demo/predicted.txt --possible --expected --format csv",
    ),
    _add_arguments,
    _run,
)
