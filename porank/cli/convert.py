"""The command ``porank convert IN OUT``: an order in another format, closed, reduced, or mended.

`convert` is the command. Of a graph with cycles as few pairs are dropped as makes it an order.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import porank as po
from porank.cli.command import (
    SAFE,
    argument,
    command,
    filled,
    made_safe,
    write_data,
)
from porank.cli.formats import FORMATS, OUTPUTS, TABLES, TREC, column_names, form_of, spell
from porank.cli.reading import open_content, read_any, read_order, reading_arguments, reading_of
from porank.cli.writing import (
    FORCE,
    require_no_terminal,
    require_writable,
    tell_lost,
    write_outputs,
)
from porank.core.compiled_order import as_graph, compile_order
from porank.core.csv_cells import number_column, pair_columns
from porank.errors import PorankError, counted, listed

if TYPE_CHECKING:
    import argparse

    import networkx as nx

    from porank.cli.formats import Reading


_NUMBERS = ("support", "weight")


@command(
    argument("source", metavar="IN"),
    argument("output", metavar="OUT"),
    *reading_arguments(unranked=""),
    argument(
        "--to",
        choices=OUTPUTS,
        metavar="FORMAT",
        help=f"what to write, instead of what the name tells: {', '.join(OUTPUTS)}",
    ),
    argument("--break-cycles", action="store_true", is_alternative=True),
    argument("--close", action="store_true", is_alternative=True),
    argument("--reduce", action="store_true", is_alternative=True),
    argument("--dropped", type=filled, metavar="FILE", beside="--break-cycles"),
    FORCE,
    SAFE,
)
def convert(given: argparse.Namespace) -> int:
    """Write an order in another format: CSV, JSON, GraphML, PrefLib, TREC, DOT, LaTeX ...

    Options
    -------
    IN
        a file, or - for standard input
    OUT
        a file, or - for standard output
    --break-cycles
        drop as few pairs as makes it an order
    --close
        write all pairs that follow
    --reduce
        write no pair that follows
    --dropped
        with --break-cycles: a CSV file for all pairs that were dropped

    Examples
    --------
    porank convert porank-demo/truth.txt truth.json
    porank convert porank-demo/preferences.csv order.csv --break-cycles
    echo 'tea > cocoa; tea > milk' | porank convert - - --to csv
    """
    form = form_of(given.output, given.to, option="--to", known=OUTPUTS)
    if given.output == "-":
        require_no_terminal(form)
    _require_outputs(given)
    how = _reading(given, form)
    dropped: list[tuple[Any, Any]] = []
    contents: dict[str, bytes] = {}
    if given.break_cycles:
        G = _read_weighted(given, how)
        number = next(iter(_complete_numbers(G)), None)
        found, dropped = po.break_cycles(G, weight=number)
        if given.dropped:
            contents[given.dropped] = spell(G.edge_subgraph(dropped), "csv")
    else:
        found = _read(given, form, how)
    content = spell(found, form, path=given.output, query=given.query)
    if given.output != "-":
        contents[given.output] = content
    write_outputs(contents, force=given.force, safe=given.spreadsheet_safe)
    tell_lost(found, form, has_used_numbers=given.break_cycles)
    _tell_dropped(dropped)
    if given.output == "-":
        write_data(made_safe(content, form) if given.spreadsheet_safe else content)
    return 0


def _require_outputs(given: argparse.Namespace) -> None:
    """Raise an error unless `porank convert` can write all files that are asked for."""
    paths = [path for path in (given.dropped, given.output) if path]
    if given.output == "-":
        paths.pop()
    if len({os.path.realpath(path) for path in paths}) < len(paths):
        raise PorankError(
            f"expected one file for the order and another for what was dropped, found "
            f"{given.dropped!r} for both"
        )
    for path in paths:
        require_writable(path, force=given.force)


def _read(given: argparse.Namespace, form: str, how: Reading) -> Any:
    """Return what is to be converted: many orders where the format holds them, else one."""
    if given.close or given.reduce:
        order = as_graph(read_order(given.source, how))
        compile_order(order)  # of a cycle all that follows would be nonsense
        return (po.transitive_closure if given.close else po.transitive_reduction)(order)
    if FORMATS[form].holds != "one order" and given.query is None:
        return read_any(given.source, how)
    return read_order(given.source, how)


def _reading(given: argparse.Namespace, form: str) -> Reading:
    """Return how to read what is converted; the query may also be what the output is to name."""
    if given.unranked and form_of(given.source, given.form, option="--from") != "preflib":
        raise PorankError("expected --unranked beside PrefLib, whose ballots may leave items out")
    if form in TREC and given.query is not None:
        how = reading_of(given, (given.source, given.form), ("", form))
        is_table = form_of(given.source, given.form, option="--from") in TABLES
        return how._replace(query=None) if is_table else how
    return reading_of(given, (given.source, given.form))


def _read_weighted(given: argparse.Namespace, how: Reading) -> nx.DiGraph:
    """Return the graph whose cycles are broken, and say why its weights are not used, if so."""
    with open_content(given.source) as content:
        form = form_of(given.source, how.form, option="--from")
        names = column_names(content, form, how.delimiter) if form in TABLES else []
        G = as_graph(read_order(given.source, how, content))
    pair = pair_columns(names)
    unread = [name for name in names if pair and name not in (*pair, number_column(names))]
    for name in _NUMBERS:
        lacking = [(u, v) for u, v, number in G.edges(data=name) if number is None]
        if lacking and len(lacking) < len(G.edges):
            u, v = lacking[0]
            _tell_unused(f"{u!r} > {v!r} has no {name}")
            return G
    if unread and not _complete_numbers(G):
        _tell_unused(f"expected a column weight or support, found {listed(unread)}")
    return G


def _tell_unused(reason: str) -> None:
    """Say on standard error why the breaking of cycles takes all pairs alike."""
    sys.stderr.write(f"porank: all pairs count alike: {reason}\n")


def _complete_numbers(G: nx.DiGraph) -> list[str]:
    """Return by which numbers cycles can be broken: weights or support that all edges have."""
    return [
        name
        for name in _NUMBERS
        if G.edges and all(value is not None for *_, value in G.edges(data=name))
    ]


def _tell_dropped(dropped: list[tuple[Any, Any]]) -> None:
    """Say on standard error which pairs were dropped to break the cycles."""
    if dropped:
        shown = ", ".join(f"{u!r} > {v!r}" for u, v in dropped[:5])
        more = ", ...; --dropped FILE writes them all" if len(dropped) > 5 else ""
        sys.stderr.write(f"porank: {counted(len(dropped), 'pair')} dropped: {shown}{more}\n")
