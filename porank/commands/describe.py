"""``porank describe GRAPH``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from porank.commands.command import Command
from porank.commands.inputs import add_reading, read_order, reading_of
from porank.commands.printing import add_format, show

if TYPE_CHECKING:
    import argparse


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("graph", metavar="GRAPH", help="a file, or - for standard input")
    add_reading(parser)
    add_format(parser)


def _run(given: argparse.Namespace) -> int:
    from porank.orders.summary import describe

    summary = describe(read_order(given.graph, reading_of(given, given.graph)))
    show(given, summary.to_table(), data=asdict(summary))
    return 0


DESCRIBE = Command(
    "Describe a graph at a glance: its type, its pairs, its height, its cycles.",
    (
        "porank describe porank-demo/truth.txt",
        "echo 'rock > scissors > paper > rock' | porank describe -",
    ),
    _add_arguments,
    _run,
)
