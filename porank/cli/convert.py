"""The command that converts an order to another format: ``porank convert IN OUT``, `convert`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import porank as po
from porank.cli.answers import note, write_data
from porank.cli.command import argument, command
from porank.cli.inputs import form_of_path, input_of, reading_arguments, reading_of
from porank.cli.outputs import FORCE, note_lost, number_of_all_edges, require_writable, write_output
from porank.core.compiled_order import as_graph, compile_order
from porank.core.files import name_of
from porank.errors import counted
from porank.readwrite.formats import FORMATS, OUTPUTS, TREC, is_by_query, order_of, read_any, spell

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
    argument("--counts", action="store_true"),
    FORCE,
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
        weight
    --close
        write the transitive closure
    --reduce
        write the transitive reduction
    --counts
        count the lines of pairs, or add the numbers in their column weight, as their support

    Examples
    --------
    porank convert truth.txt truth.graphml
    porank convert preferences.csv order.csv --break-cycles
    echo 'tea > cocoa; tea > milk' | porank convert - - --to csv
    """
    form = form_of_path(given.output, given.to, option="--to", known=OUTPUTS)
    if given.output != "-":
        require_writable(given.output, force=given.force, source=given.source)
    found = _read(given, form)
    dropped: list[str] = []
    if given.break_cycles:
        G = as_graph(found)
        number = number_of_all_edges(G)
        found, pairs = po.break_cycles(G, weight=number)
        amounts = [f" ({number} {G.edges[pair][number]})" if number else "" for pair in pairs]
        dropped = [f"{u!r} > {v!r}{n}" for (u, v), n in zip(pairs, amounts, strict=True)]
    elif given.close or given.reduce:
        compile_order(found)  # refuse cycles: their closure is meaningless
        change = po.transitive_closure if given.close else po.transitive_reduction
        found = change(as_graph(found))
    content = spell(found, form, path=given.output, group=given.group)
    if given.output != "-":
        write_output(given, content)
    note_lost(found, form, has_used_numbers=given.break_cycles)
    if dropped:
        more = ", ..." if len(dropped) > 5 else ""
        note(f"{counted(len(dropped), 'pair')} dropped: {', '.join(dropped[:5])}{more}")
    if given.output == "-":
        write_data(content)
    return 0


def _read(given: argparse.Namespace, form: str) -> Any:
    """Return the input: many orders if the output format can hold them, else one."""
    source = input_of(given.source)
    found = read_any(source, given.form, **reading_of(given))
    is_changed = given.break_cycles or given.close or given.reduce
    holds_many = FORMATS[form].holds != "one order" and not is_changed
    # If the input has no groups, --group names the one in the output.
    if holds_many and (given.group is None or (form in TREC and not is_by_query(found))):
        return found
    return order_of(found, name_of(source), given.group)
