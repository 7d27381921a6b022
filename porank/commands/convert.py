"""``porank convert IN OUT``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from porank.commands.command import Command
from porank.commands.forms import OUTPUTS, form_of
from porank.commands.inputs import add_reading, read_any, read_graph, read_order, reading_of
from porank.commands.outputs import add_force, require_writable, write_output
from porank.commands.spelling import spell, write_stdout
from porank.wording import counted

if TYPE_CHECKING:
    import argparse

#: The forms that hold many orders.
_MANY = ("preflib", "trec-run", "trec-qrels", "trec-prefs")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="IN", help="a file, or - for standard input")
    parser.add_argument("output", metavar="OUT", help="a file, or - for standard output")
    add_reading(parser, unranked=True)
    parser.add_argument(
        "--to",
        choices=OUTPUTS,
        metavar="FORMAT",
        help=f"what to write, instead of what the name tells: {', '.join(OUTPUTS)}",
    )
    change = parser.add_mutually_exclusive_group()
    change.add_argument(
        "--break-cycles", action="store_true", help="drop as few pairs as makes it an order"
    )
    change.add_argument("--close", action="store_true", help="write all pairs that follow")
    change.add_argument("--reduce", action="store_true", help="write no pair that follows")
    add_force(parser)


def _run(given: argparse.Namespace) -> int:
    form = form_of(given.output, given.to, option="--to", known=OUTPUTS)
    if given.output != "-":
        require_writable(given.output, force=given.force)
    content = spell(_read(given, form), form, path=given.output, query=given.query)
    if given.output == "-":
        write_stdout(content, form)
    else:
        write_output(content, given.output, force=given.force)
    return 0


def _read(given: argparse.Namespace, form: str) -> Any:
    """Return what is to be written: many orders where the form holds them, else one."""
    how = reading_of(given)
    if given.break_cycles:
        return _broken(given)
    if given.close or given.reduce:
        from porank.order.closure import transitive_closure, transitive_reduction

        change = transitive_closure if given.close else transitive_reduction
        return change(read_graph(given.source, how))
    if form in _MANY and given.query is None:
        return read_any(given.source, how)
    return read_order(given.source, how)


def _broken(given: argparse.Namespace) -> Any:
    """Return the graph without what closes a cycle, and say what was dropped."""
    from porank.order.cycles import break_cycles

    G = read_graph(given.source, reading_of(given))
    number = next((name for name in ("support", "weight") if _have_all(G, name)), None)
    order, dropped = break_cycles(G, weight=number, progress=True)
    if dropped:
        shown = ", ".join(f"{u!r} > {v!r}" for u, v in dropped[:5])
        more = ", ..." if len(dropped) > 5 else ""
        sys.stderr.write(f"porank: {counted(len(dropped), 'pair')} dropped: {shown}{more}\n")
    return order


def _have_all(G: Any, name: str) -> bool:
    return all(value is not None for *_, value in G.edges(data=name))


CONVERT = Command(
    "Write an order in another format: CSV, JSON, GraphML, PrefLib, TREC, DOT, LaTeX ...",
    (
        "porank convert porank-demo/truth.txt truth.json",
        "porank convert porank-demo/preferences.csv order.csv --break-cycles",
        "echo 'tea > cocoa ~ milk' | porank convert - - --to csv",
    ),
    _add_arguments,
    _run,
)
