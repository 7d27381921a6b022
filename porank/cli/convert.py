"""``porank convert IN OUT``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from porank.cli.command import Command, filled
from porank.cli.formats import (
    MANY,
    OUTPUTS,
    TABLES,
    TREC,
    add_force,
    form_of,
    require_no_terminal,
    require_writable,
    spell,
    tell_ties,
    tell_weights,
    write_outputs,
    write_stdout,
)
from porank.cli.reading import (
    add_reading,
    open_content,
    read_any,
    read_graph,
    read_order,
    reading_of,
)
from porank.errors import PorankError, counted, listed

if TYPE_CHECKING:
    import argparse

    import networkx as nx

    from porank.cli.reading import Reading


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
    if given.output == "-":
        require_no_terminal(form)
    _require_outputs(given)
    how = _reading(given, form)
    dropped: list[tuple[Any, Any]] = []
    contents: dict[str, bytes] = {}
    if given.break_cycles:
        G = _read_weighted(given, how)
        found, dropped = _broken(G)
        if given.dropped:
            contents[given.dropped] = spell(G.edge_subgraph(dropped), "csv")
    else:
        found = _read(given, form, how)
    query = given.query if form in MANY else None
    content = spell(found, form, path=given.output, query=query)
    if given.output != "-":
        contents[given.output] = content
    write_outputs(contents, force=given.force)
    tell_ties(found, form)
    if not given.break_cycles:  # else they have been used
        tell_weights(found, form)
    _tell(dropped)
    if given.output == "-":
        write_stdout(content, form)
    return 0


def _require_outputs(given: argparse.Namespace) -> None:
    """Raise an error unless all that is asked for can be written."""
    if given.dropped and not given.break_cycles:
        raise PorankError("expected --dropped beside --break-cycles")
    paths = [given.dropped] if given.dropped else []
    if given.output != "-":
        paths.append(given.output)
    if len({os.path.realpath(path) for path in paths}) < len(paths):
        raise PorankError(
            f"expected one file for the order and another for what was dropped, found "
            f"{given.dropped!r} for both"
        )
    for path in paths:
        require_writable(path, force=given.force)


def _read(given: argparse.Namespace, form: str, how: Reading) -> Any:
    """Return what is to be written: many orders where the form holds them, else one."""
    if given.close or given.reduce:
        from porank.core.compiled_order import compile_order
        from porank.orders.closure import transitive_closure, transitive_reduction

        change = transitive_closure if given.close else transitive_reduction
        order = read_graph(given.source, how)
        compile_order(order)  # of a cycle all that follows would be nonsense
        return change(order)
    if form in MANY and given.query is None:
        return read_any(given.source, how)
    return read_order(given.source, how)


def _reading(given: argparse.Namespace, form: str) -> Reading:
    """Return how to read the source; the query may also be what the output is to name."""
    if given.unranked and form_of(given.source, given.form, option="--from") != "preflib":
        raise PorankError("expected --unranked beside PrefLib, whose ballots may leave items out")
    if form in TREC and given.query is not None:
        return reading_of(given, others=[(given.source, given.form), ("", form)])
    return reading_of(given, given.source)


def _read_weighted(given: argparse.Namespace, how: Reading) -> nx.DiGraph:
    """Return the graph of the input, and say why its weights, if it has any, are not used."""
    from porank.cli.formats import unread_columns
    from porank.core.compiled_order import as_graph

    content = open_content(given.source)
    G = as_graph(read_order(given.source, how, content))
    form = form_of(given.source, how.form, option="--from")
    unread = unread_columns(content, form, how.delimiter) if form in TABLES else []
    for name in ("support", "weight"):
        lacking = [(u, v) for u, v, number in G.edges(data=name) if number is None]
        if lacking and len(lacking) < len(G.edges):
            u, v = lacking[0]
            _tell_unused(f"{u!r} > {v!r} has no {name}")
            return G
    if unread and not _numbers_of(G):
        _tell_unused(f"expected a column weight or support, found {listed(unread)}")
    return G


def _tell_unused(reason: str) -> None:
    sys.stderr.write(f"porank: all pairs count alike: {reason}\n")


def _numbers_of(G: nx.DiGraph) -> list[str]:
    """Return the names of the numbers that all edges have."""
    return [name for name in ("support", "weight") if _have_all(G, name)]


def _broken(G: nx.DiGraph) -> tuple[nx.DiGraph, list[tuple[Any, Any]]]:
    """Return the graph without what closes a cycle, and what was dropped."""
    from porank.orders.cycles import break_cycles

    number = next(iter(_numbers_of(G)), None)
    return break_cycles(G, weight=number, progress=True)


def _tell(dropped: list[tuple[Any, Any]]) -> None:
    """Say on standard error which pairs were dropped."""
    if dropped:
        shown = ", ".join(f"{u!r} > {v!r}" for u, v in dropped[:5])
        more = ", ...; --dropped FILE writes them all" if len(dropped) > 5 else ""
        sys.stderr.write(f"porank: {counted(len(dropped), 'pair')} dropped: {shown}{more}\n")


def _have_all(G: Any, name: str) -> bool:
    return bool(G.edges) and all(value is not None for *_, value in G.edges(data=name))


CONVERT = Command(
    "Write an order in another format: CSV, JSON, GraphML, PrefLib, TREC, DOT, LaTeX ...",
    (
        "porank convert porank-demo/truth.txt truth.json",
        "porank convert porank-demo/preferences.csv order.csv --break-cycles",
        "echo 'tea > cocoa; tea > milk' | porank convert - - --to csv",
    ),
    _add_arguments,
    _run,
)
