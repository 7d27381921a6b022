"""The commands about one order: what it is, where items stand, its contradictions, its picture.

``porank describe GRAPH``, ``porank ranks GRAPH``, ``porank why GRAPH U V``, ``porank check GRAPH``,
``porank hasse GRAPH -o FILE``, ``porank page ORDER -o FILE``: `describe`, `ranks`, `why`, `check`,
`hasse`, `page`.
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from io import BytesIO
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx

import porank as po
from porank.cli.command import FORMAT, argument, command, filled, show, whole
from porank.cli.formats import require_quick_diagram
from porank.cli.reading import (
    GRAPH,
    form_argument,
    read_order,
    read_relation,
    reading_arguments,
    reading_of,
)
from porank.cli.writing import (
    output_arguments,
    require_suffix,
    use_no_window,
    write_output,
)
from porank.core.arguments import texts_of
from porank.core.compiled_order import as_graph, compile_order
from porank.core.graphs import knots, shortest_cycle
from porank.core.tables import Table
from porank.drawing.axes import PICTURES, image_of
from porank.errors import CycleError, PorankError, TieError, counted, listed

if TYPE_CHECKING:
    import argparse

    from porank.typing import OrderLike


def _read(given: argparse.Namespace) -> OrderLike:
    """Return the one order that a command is about."""
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


#: How mean ranks are found where there are too many rankings to count.
_METHODS = {
    "sample": "drawing rankings at random (method sample), --seed draws others",
    "approximate": "a formula that is not exact (method approximate): their error is not known",
}


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
    open can be counted. In larger orders some are drawn, and the standard error says how far
    this may be off; in very large ones a formula is used, whose error is not known. Where it
    is so, a line on standard error says so.

    Options
    -------
    --possible
        also the best and the worst rank it may have
    --expected
        also its mean rank over all rankings left open, with its standard error
    --seed
        with --expected: where the chance comes from if too many rankings are left open to count
        them, and some are drawn (default: 0)

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
            sys.stderr.write(f"porank: expected ranks by {_METHODS[expected.method]}\n")
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
    """Tell why one item is preferred to another: chains of pairs, and what they hang by.

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
    """Return what `porank check` finds: each knot with a shortest cycle, or a contradicted tie."""
    if not isinstance(G, nx.Graph):
        return []  # scores contradict nothing
    found = [
        ("cycle", len(knot), list(shortest_cycle(G.subgraph(knot).copy()) or ()))
        for knot in knots(G)
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
