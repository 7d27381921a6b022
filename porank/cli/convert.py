"""The command that converts an order to another format: ``porank convert IN OUT``, `convert`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import porank as po
from porank.cli.answers import SAFE, made_safe, tell, write_data
from porank.cli.command import argument, command
from porank.cli.formats import (
    FORMATS,
    OUTPUTS,
    TREC,
    form_of,
    is_by_query,
    number_of_all_edges,
    spell,
)
from porank.cli.inputs import order_of, read_any, reading_arguments, reading_of
from porank.cli.outputs import FORCE, require_writable, tell_lost, write_outputs
from porank.core.compiled_order import as_graph, compile_order
from porank.errors import PorankError, counted

if TYPE_CHECKING:
    import argparse


@command(
    argument("source", metavar="IN"),
    argument("output", metavar="OUT"),
    *reading_arguments(unranked=True),
    argument(
        "--to",
        choices=OUTPUTS,
        metavar="FORMAT",
        help=f"output format (default: by the suffix of OUT): {', '.join(OUTPUTS)}",
    ),
    argument("--break-cycles", action="store_true", is_alternative=True),
    argument("--close", action="store_true", is_alternative=True),
    argument("--reduce", action="store_true", is_alternative=True),
    argument("--dropped", metavar="FILE"),
    FORCE,
    SAFE,
)
def convert(given: argparse.Namespace) -> int:
    """Convert an order to another format: CSV, JSON, GraphML, PrefLib, TREC, DOT, LaTeX ...

    Options
    -------
    IN
        a file, or - for standard input
    OUT
        a file, or - for standard output
    --break-cycles
        drop as few pairs as possible to make the graph acyclic, or those with the least support or
        weight; pairs without either count as often as they occur
    --close
        write the transitive closure
    --reduce
        write the transitive reduction
    --dropped
        with --break-cycles: a CSV file for the dropped pairs

    Examples
    --------
    porank convert truth.txt truth.graphml
    porank convert preferences.csv order.csv --break-cycles
    echo 'tea > cocoa; tea > milk' | porank convert - - --to csv
    """
    form = form_of(given.output, given.to, option="--to", known=OUTPUTS)
    _require_outputs(given)
    found = _read(given, form)
    dropped: list[str] = []
    contents: dict[str, bytes] = {}
    if given.break_cycles:
        G = as_graph(found)
        number = number_of_all_edges(G)
        found, pairs = po.break_cycles(G, weight=number)
        amounts = [f" ({number} {G.edges[pair][number]})" if number else "" for pair in pairs]
        dropped = [f"{u!r} > {v!r}{n}" for (u, v), n in zip(pairs, amounts, strict=True)]
        if given.dropped:
            contents[given.dropped] = spell(G.edge_subgraph(pairs), "csv")
    elif given.close or given.reduce:
        compile_order(found)  # refuse cycles: their closure is meaningless
        change = po.transitive_closure if given.close else po.transitive_reduction
        found = change(as_graph(found))
    content = spell(found, form, path=given.output, query=given.query)
    if given.output != "-":
        contents[given.output] = content
    write_outputs(contents, force=given.force, safe=given.spreadsheet_safe)
    tell_lost(found, form, has_used_numbers=given.break_cycles)
    if dropped:
        more = ", ...; --dropped FILE writes all of them" if len(dropped) > 5 else ""
        tell(f"{counted(len(dropped), 'pair')} dropped: {', '.join(dropped[:5])}{more}")
    if given.output == "-":
        write_data(made_safe(content, form) if given.spreadsheet_safe else content)
    return 0


def _require_outputs(given: argparse.Namespace) -> None:
    """Raise an error unless all output files can be written."""
    if given.dropped and not given.break_cycles:
        raise PorankError("expected --dropped with --break-cycles, found it alone")
    if given.dropped and given.dropped == given.output:
        raise PorankError(
            f"expected different files after --dropped and --output, found {given.dropped!r} twice"
        )
    for path in filter(None, (given.dropped, given.output)):
        if path is given.dropped or path != "-":
            require_writable(path, force=given.force)


def _read(given: argparse.Namespace, form: str) -> Any:
    """Return the input: many orders if the output format can hold them, else one."""
    how = reading_of(given)._replace(repeated=given.break_cycles)
    found = read_any(given.source, given.form, how)
    is_changed = given.break_cycles or given.close or given.reduce
    holds_many = FORMATS[form].holds != "one order" and not is_changed
    # If the input has no queries, --query names the one in the output.
    if holds_many and (given.query is None or (form in TREC and not is_by_query(found))):
        return found
    return order_of(found, given.source, given.query)
