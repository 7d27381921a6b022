"""``porank convert IN OUT``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from porank.commands.command import Command
from porank.commands.forms import OUTPUTS, form_of
from porank.commands.inputs import add_reading, read_any, read_graph, read_order, reading_of
from porank.commands.outputs import add_force, require_writable, write_output
from porank.commands.spelling import spell, write_stdout
from porank.commands.values import filled
from porank.errors import PorankError
from porank.wording import counted

if TYPE_CHECKING:
    import argparse

    from porank.commands.inputs import Reading

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
    parser.add_argument(
        "--dropped",
        type=filled,
        metavar="FILE",
        help="with --break-cycles: a CSV file for all pairs that were dropped",
    )
    add_force(parser)


def _run(given: argparse.Namespace) -> int:
    form = form_of(given.output, given.to, option="--to", known=OUTPUTS)
    if given.output != "-":
        require_writable(given.output, force=given.force)
    if given.dropped:
        if not given.break_cycles:
            raise PorankError("expected --dropped beside --break-cycles")
        require_writable(given.dropped, force=given.force)
    found = _read(given, form)
    query = given.query if form in _MANY else None
    content = spell(found, form, path=given.output, query=query)
    if given.output == "-":
        write_stdout(content, form)
    else:
        write_output(content, given.output, force=given.force)
    return 0


def _read(given: argparse.Namespace, form: str) -> Any:
    """Return what is to be written: many orders where the form holds them, else one."""
    how = _reading(given, form)
    if given.break_cycles:
        return _broken(given)
    if given.close or given.reduce:
        from porank.compiled import compile_order
        from porank.order.closure import transitive_closure, transitive_reduction

        change = transitive_closure if given.close else transitive_reduction
        order = read_graph(given.source, how)
        compile_order(order)  # of a cycle all that follows would be nonsense
        return change(order)
    if form in _MANY and given.query is None:
        return read_any(given.source, how)
    return read_order(given.source, how)


def _reading(given: argparse.Namespace, form: str) -> Reading:
    """Return how to read the source; the query may also be what the output is to name."""
    if given.unranked and form_of(given.source, given.form, option="--from") != "preflib":
        raise PorankError("expected --unranked beside PrefLib, whose ballots may leave items out")
    if form in _MANY[1:] and given.query is not None:
        return reading_of(given, others=[(given.source, given.form), ("", form)])
    return reading_of(given, given.source)


def _broken(given: argparse.Namespace) -> Any:
    """Return the graph without what closes a cycle, and say what was dropped."""
    from porank.order.cycles import break_cycles

    G = read_graph(given.source, reading_of(given, given.source))
    number = next((name for name in ("support", "weight") if _have_all(G, name)), None)
    order, dropped = break_cycles(G, weight=number, progress=True)
    if dropped:
        shown = ", ".join(f"{u!r} > {v!r}" for u, v in dropped[:5])
        more = ", ...; --dropped FILE writes them all" if len(dropped) > 5 else ""
        sys.stderr.write(f"porank: {counted(len(dropped), 'pair')} dropped: {shown}{more}\n")
    if given.dropped:
        pairs = spell(G.edge_subgraph(dropped), "csv")
        write_output(pairs, given.dropped, force=given.force)
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
