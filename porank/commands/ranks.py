"""``porank ranks GRAPH``."""

from __future__ import annotations

import sys
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from porank.commands.command import Command
from porank.commands.inputs import add_reading, read_order, reading_of
from porank.commands.printing import add_format, show
from porank.commands.values import whole
from porank.core.tables import Table
from porank.errors import PorankError

if TYPE_CHECKING:
    import argparse

#: How mean ranks are found where there are too many rankings to count.
_METHODS = {
    "sample": "drawing rankings at random (method sample), --seed draws others",
    "approximate": "a formula that is not exact (method approximate): their error is not known",
}


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("graph", metavar="GRAPH", help="a file, or - for standard input")
    add_reading(parser)
    parser.add_argument(
        "--possible", action="store_true", help="also the best and the worst rank it may have"
    )
    parser.add_argument(
        "--expected",
        action="store_true",
        help="also its mean rank over all rankings left open, with its standard error",
    )
    parser.add_argument(
        "--seed",
        type=whole(0),
        help="with --expected: where the chance comes from if too many rankings are left open to "
        "count them, and some are drawn (default: 0)",
    )
    add_format(parser)


def _run(given: argparse.Namespace) -> int:
    from porank.orders.ranks import set_ranks

    if given.seed is not None and not given.expected:
        raise PorankError("expected --seed beside --expected")
    order = read_order(given.graph, reading_of(given, given.graph))
    columns: dict[str, Any] = {"rank": set_ranks(order)}
    if given.possible:
        from porank.orders.ranks import rank_intervals

        intervals = rank_intervals(order)
        columns["best"] = {item: ends[0] for item, ends in intervals.items()}
        columns["worst"] = {item: ends[1] for item, ends in intervals.items()}
    if given.expected:
        from porank.extensions.rank_probabilities import expected_ranks

        expected = expected_ranks(order, seed=given.seed or 0, progress=True)
        columns |= {"expected": expected, "standard error": expected.standard_error}
        if expected.method != "exact":
            sys.stderr.write(f"porank: expected ranks by {_METHODS[expected.method]}\n")
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
    "Mean ranks are exact, with standard error 0, as long as the rankings that the order leaves\n"
    "open can be counted. In larger orders some are drawn, and the standard error says how far\n"
    "this may be off; in very large ones a formula is used, whose error is not known. Where it\n"
    "is so, a line on standard error says so.",
)
