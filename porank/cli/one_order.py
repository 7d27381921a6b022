"""The commands about one order: what it is, where items stand, its contradictions, its picture.

``porank describe GRAPH``, ``porank ranks GRAPH``, ``porank why GRAPH U V``, ``porank check GRAPH``,
``porank hasse GRAPH -o FILE``, ``porank page ORDER -o FILE``, ``porank convert IN OUT``:
`describe`, `ranks`, `why`, `check`, `hasse`, `page`, `convert`.
"""

from __future__ import annotations

import os
from dataclasses import asdict
from io import BytesIO
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx

import porank as po
from porank.cli.command import (
    FORMAT,
    SAFE,
    argument,
    command,
    filled,
    made_safe,
    show,
    tell,
    whole,
    write_data,
)
from porank.cli.formats import (
    FORMATS,
    OUTPUTS,
    TABLES,
    TREC,
    column_names,
    form_of,
    require_quick_diagram,
    spell,
)
from porank.cli.reading import (
    GRAPH,
    form_argument,
    open_content,
    read_any,
    read_order,
    read_relation,
    reading_arguments,
    reading_of,
)
from porank.cli.writing import (
    FORCE,
    output_arguments,
    require_no_terminal,
    require_suffix,
    require_writable,
    tell_lost,
    use_no_window,
    write_output,
    write_outputs,
)
from porank.core.arguments import texts_of
from porank.core.compiled_order import as_graph, compile_order
from porank.core.csv_cells import number_column, pair_columns
from porank.core.graphs import cyclic_components, shortest_cycle
from porank.core.tables import Table
from porank.drawing.axes import PICTURES, image_of
from porank.errors import CycleError, PorankError, TieError, counted, listed

if TYPE_CHECKING:
    import argparse

    from porank.cli.formats import InputOptions
    from porank.typing import OrderLike


def _read(given: argparse.Namespace) -> OrderLike:
    """Return the one order that a command describes, ranks, checks or draws."""
    return read_order(given.graph, reading_of(given, (given.graph, given.form)))


@command(GRAPH, *reading_arguments(), FORMAT)
def describe(given: argparse.Namespace) -> int:
    """Describe a graph at a glance: its type, its pairs, its height, its cycles.

    Examples
    --------
    porank describe porank-demo/truth.txt
    echo 'rock > scissors > paper > rock' | porank describe -
    """
    summary = po.describe(_read(given))
    show(given, summary.to_table(), data=asdict(summary))
    return 0


@command(
    GRAPH,
    *reading_arguments(),
    argument("--possible", action="store_true"),
    argument("--expected", action="store_true"),
    argument("--seed", type=whole(0), beside="--expected"),
    FORMAT,
)
def ranks(given: argparse.Namespace) -> int:
    """Print the rank of every item, the best having 1.

    Mean ranks are exact, with standard error 0, as long as the rankings that the order leaves
    open can be counted. In larger orders they are estimated from random walks, and the standard
    error says how far this may be off; then a line on standard error says so.

    Options
    -------
    --possible
        also the best and the worst rank it may have
    --expected
        also its mean rank over all rankings left open, with its standard error
    --seed
        with --expected: where the chance comes from if too many rankings are left open to count
        them (default: 0)

    Examples
    --------
    porank ranks porank-demo/truth.txt
    porank ranks porank-demo/predicted.txt --possible --expected --format csv
    """
    order = _read(given)
    columns: dict[str, Any] = {"rank": po.set_ranks(order)}
    if given.possible:
        intervals = po.rank_intervals(order)
        for place, name in enumerate(("best", "worst")):
            columns[name] = {item: ends[place] for item, ends in intervals.items()}
    if given.expected:
        expected = po.expected_ranks(order, seed=given.seed or 0)
        columns |= {"expected": expected, "standard error": expected.standard_error}
        if expected.method != "exact":
            tell("expected ranks are estimated from random walks, --seed takes others")
    rows = [
        (item, *(column[item] for column in columns.values()))
        for item, _ in sorted(columns["rank"].items(), key=itemgetter(1))
    ]
    show(given, Table(("item", *columns), rows))
    return 0


@command(
    GRAPH,
    argument("items", metavar="ITEM", nargs="*"),
    *reading_arguments(),
    argument("--weight", default="auto", metavar="NAME"),
    FORMAT,
)
def why(given: argparse.Namespace) -> int:
    """Print why one item is preferred to another: chains of pairs, and what they hang by.

    The chains share no evidence. The pairs marked as cut are the least evidence without which
    the preference would no longer follow. Without items, the pairs that hang by the least are
    printed, the weakest first.

    Options
    -------
    ITEM
        the preferred item, and the other one
    --weight
        what says how much evidence a pair has (default: margin or support, where all pairs have it,
        else each pair counts once, as with 'none')

    Examples
    --------
    porank why porank-demo/truth.txt mocha tea
    porank why porank-demo/predicted.txt
    echo 'a > b > d; a > c > d' | porank why - a d
    """
    order = _read(given)
    weight = None if given.weight == "none" else given.weight
    if not given.items:
        weakest = Table(("preferred", "other", "evidence"), po.weakest(order, weight=weight))
        show(given, weakest, after="" if weakest.rows else "no pair")
        return 0
    if len(given.items) != 2:
        raise PorankError(f"expected two items, or none, found {listed(given.items)}")
    item_of = {text: item for item, text in texts_of(as_graph(order)).items()}
    found = po.why(order, *(item_of.get(text, text) for text in given.items), weight=weight)
    show(given, found.to_table(), data=asdict(found))
    return 0


#: What was found, how many items it is about, and the items that show it.
Fault: TypeAlias = tuple[str, int, list[Any]]
_WAYS_OUT = {
    "cycle": "porank convert --break-cycles drops as few pairs as makes it an order",
    "tie": "they are said to be equal, and pairs tell them apart: drop one or the other",
}
_SIGNS = {"cycle": " > ", "tie": " ~ "}


@command(GRAPH, *reading_arguments(), FORMAT)
def check(given: argparse.Namespace) -> int:
    """Look for contradictions, and end with the exit code 1 if there is one.

    Each strongly connected component that holds a cycle is shown with a shortest one.

    Examples
    --------
    porank check porank-demo/truth.txt
    porank check porank-demo/preferences.csv
    echo 'rock > scissors > paper > rock' | porank check - --format json
    """
    try:
        order = _read(given)
    except CycleError as error:  # a format in which each part must be an order
        size, way_out = "", "each part of such a file must be an order: mend the file"
        found: list[Fault] = [("cycle", len(set(error.cycle)), error.cycle)]
    else:
        found, size = _faults(order), counted(len(order), "item")
        way_out = _WAYS_OUT[found[0][0]] if found else ""
    rows = [(kind, number, listed(items, separator=_SIGNS[kind])) for kind, number, items in found]
    table = Table(("found", "items", "witness"), rows)
    data = [{"found": kind, "items": number, "witness": items} for kind, number, items in found]
    show(given, table, data=data, after=way_out or f"nothing found: {size}, and no cycle")
    return 1 if found else 0


def _faults(G: Any) -> list[Fault]:
    """Return what `porank check` finds: a shortest cycle a component, or a contradicted tie."""
    if not isinstance(G, nx.Graph):
        return []  # scores contradict nothing
    found = [
        ("cycle", len(component), list(shortest_cycle(G.subgraph(component).copy()) or ()))
        for component in cyclic_components(G)
    ]
    try:
        if not found:
            compile_order(G)
    except TieError as error:
        return [("tie", len(error.tied), error.tied)]
    return found


@command(
    GRAPH,
    *output_arguments(f"the picture: {', '.join(PICTURES)}, .tex", required=True),
    *reading_arguments(),
    argument("--large", action="store_true"),
    argument("--dpi", type=whole(10, 2400), default=160),
    argument("--ranks", action="store_true"),
    argument("--orientation", choices=("auto", "down", "right"), default="auto"),
)
def hasse(given: argparse.Namespace) -> int:
    """Draw the Hasse diagram of an order: best on top, a line for each cover.

    Options
    -------
    --large
        draw it even if this takes longer than a minute
    --dpi
        dots to an inch in a .png (default: %(default)s)
    --ranks
        number the levels, and colour boxes by them
    --orientation
        where lines lead (default: down, if names have room)

    Examples
    --------
    porank hasse porank-demo/truth.txt -o truth.png
    echo 'a > b > d; a > c > d' | porank hasse - -o diamond.svg
    porank hasse porank-demo/predicted.txt -o predicted.tex
    """
    suffix = require_suffix(given, *PICTURES, ".tex")
    order = _read(given)
    if not given.large:
        require_quick_diagram(order)
    if suffix == ".tex":
        content = f"{po.to_tikz(order)}\n".encode()
    else:
        use_no_window()
        ax = po.draw_hasse(order, ranks=given.ranks, orientation=given.orientation)
        content = image_of(ax, suffix, dpi=given.dpi)
    write_output(given, content)
    return 0


@command(
    argument("order", metavar="ORDER"),
    *output_arguments("the page: .html", required=True),
    *reading_arguments(unranked="--preferences"),
    argument("--target", type=filled, metavar="FILE"),
    argument("--preferences", metavar="FILE", nargs="+"),
    *(
        form_argument(
            f"{option}-from",
            what=f"what the file of {option} is, instead of what its name tells",
            beside=option,
        )
        for option in ("--target", "--preferences")
    ),
    argument("--impossible", choices=("raise", "drop"), beside="--preferences"),
    argument("--title", default=""),
)
def page(given: argparse.Namespace) -> int:
    r"""Write an order as an interactive page: one HTML file that needs nothing else.

    Options
    -------
    ORDER
        a file, or - for standard input
    --target
        the truth, to lay over the order
    --preferences
        rankings, or the pairs of a log, for a slider that moves the threshold
    --impossible
        whether the slider ends where pairs form a cycle, or goes on and drops what contradicts
        stronger pairs (default: raise)
    --title
        what stands above the diagram

    Examples
    --------
    porank page porank-demo/truth.txt -o truth.html
    porank page porank-demo/predicted.txt -o predicted.html --target porank-demo/truth.txt \
        --preferences porank-demo/preferences.csv
    """
    require_suffix(given, ".html", ".htm")
    sessions = [(path, given.preferences_from) for path in given.preferences or ()]
    target_input = (given.target, given.target_from)
    how = reading_of(given, (given.order, given.form), target_input, *sessions)
    order = read_order(given.order, how)
    target = preferences = None
    if given.target:
        target = read_order(given.target, how._replace(form=given.target_from))
    if sessions:
        preferences = read_relation(given.preferences, how._replace(form=given.preferences_from))
    page = BytesIO()
    options = {"target": target, "preferences": preferences, "title": given.title}
    po.write_page(order, page, impossible=given.impossible or "raise", **options)
    write_output(given, page.getvalue())
    return 0


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
        found = _read_for(given, form, how)
    content = spell(found, form, path=given.output, query=given.query)
    if given.output != "-":
        contents[given.output] = content
    write_outputs(contents, force=given.force, safe=given.spreadsheet_safe)
    tell_lost(found, form, has_used_numbers=given.break_cycles)
    if dropped:
        shown = ", ".join(f"{u!r} > {v!r}" for u, v in dropped[:5])
        more = ", ...; --dropped FILE writes them all" if len(dropped) > 5 else ""
        tell(f"{counted(len(dropped), 'pair')} dropped: {shown}{more}")
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


def _read_for(given: argparse.Namespace, form: str, how: InputOptions) -> Any:
    """Return what `porank convert` reads: many orders where the format holds them, else one."""
    if given.close or given.reduce:
        order = as_graph(read_order(given.source, how))
        compile_order(order)  # of a cycle all that follows would be nonsense
        return (po.transitive_closure if given.close else po.transitive_reduction)(order)
    if FORMATS[form].holds != "one order" and given.query is None:
        return read_any(given.source, how)
    return read_order(given.source, how)


def _reading(given: argparse.Namespace, form: str) -> InputOptions:
    """Return how `porank convert` reads; the query may also be what the output is to name."""
    if given.unranked and form_of(given.source, given.form, option="--from") != "preflib":
        raise PorankError("expected --unranked beside PrefLib, whose ballots may leave items out")
    if form in TREC and given.query is not None:
        how = reading_of(given, (given.source, given.form), ("", form))
        is_table = form_of(given.source, given.form, option="--from") in TABLES
        return how._replace(query=None) if is_table else how
    return reading_of(given, (given.source, given.form))


def _read_weighted(given: argparse.Namespace, how: InputOptions) -> nx.DiGraph:
    """Return the graph whose cycles a command breaks, and say why its weights are not used."""
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
            tell(f"all pairs count alike: {u!r} > {v!r} has no {name}")
            return G
    if unread and not _complete_numbers(G):
        tell(f"all pairs count alike: expected a column weight or support, found {listed(unread)}")
    return G


def _complete_numbers(G: nx.DiGraph) -> list[str]:
    """Return by which numbers a command can break cycles: weights or support of all edges."""
    return [
        name
        for name in _NUMBERS
        if G.edges and all(value is not None for *_, value in G.edges(data=name))
    ]
