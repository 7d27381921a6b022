"""The commands that describe one order: what it is, where items stand, why, and contradictions.

``porank describe GRAPH``, ``porank ranks GRAPH``, ``porank why GRAPH U V``, ``porank check GRAPH``:
`describe`, `ranks`, `why`, `check`.
"""

from __future__ import annotations

from dataclasses import asdict
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx

import porank as po
from porank.cli.answers import ANSWER, show, tell
from porank.cli.command import argument, command
from porank.cli.inputs import GRAPH, read_order, reading_arguments, reading_of
from porank.core.arguments import texts_of
from porank.core.compiled_order import as_graph, compile_order
from porank.core.graphs import cyclic_components, shortest_cycle
from porank.core.tables import Table
from porank.errors import CycleError, PorankError, TieError, counted, listed

if TYPE_CHECKING:
    import argparse

    from porank.typing import OrderLike


def _read(given: argparse.Namespace) -> OrderLike:
    """Return the one order that a command describes."""
    return read_order(given.graph, given.form, reading_of(given))


@command(GRAPH, *reading_arguments(), *ANSWER)
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
    argument("--seed", type=int, default=0),
    *ANSWER,
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
        them (default: %(default)s)

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
        expected = po.expected_ranks(order, seed=given.seed)
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
    *ANSWER,
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


@command(GRAPH, *reading_arguments(), *ANSWER)
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
