"""The commands for one order: its properties, its ranks, reasons for a preference, contradictions.

``porank describe GRAPH``, ``porank ranks GRAPH``, ``porank why GRAPH U V``, ``porank check GRAPH``:
`describe`, `ranks`, `why`, `check`.
"""

from __future__ import annotations

from dataclasses import asdict
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx

import porank as po
from porank.cli.answers import ANSWER, note, show
from porank.cli.command import argument, command
from porank.cli.inputs import GRAPH, input_of, read_order, reading_arguments, reading_of
from porank.cli.outputs import number_of_all_edges
from porank.core.arguments import texts_of
from porank.core.compiled_order import as_graph, compile_order
from porank.core.files import name_of
from porank.core.graphs import cyclic_components, shortest_cycle
from porank.core.tables import Table
from porank.errors import PorankError, TieError, counted, listed
from porank.readwrite.formats import order_of, read_any

if TYPE_CHECKING:
    import argparse

    from porank.typing import OrderLike


def _read(given: argparse.Namespace) -> OrderLike:
    """Return the order that a command describes."""
    return read_order(given.graph, given.form, reading_of(given))


@command(GRAPH, *reading_arguments(), *ANSWER)
def describe(given: argparse.Namespace) -> int:
    """Describe a graph: its type, its pairs, its height, its cycles.

    Examples
    --------
    porank describe truth.txt
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
    """Print the rank of each item; the best items have rank 1.

    Mean ranks are exact, with standard error 0, as long as the rankings compatible with the order
    can be counted. In larger orders they are estimated by random walks; the standard error says
    how accurate they are, and a line on standard error says that they are estimates.

    Options
    -------
    --possible
        also print the best and the worst possible rank of each item
    --expected
        also print the mean rank over all compatible rankings, with its standard error
    --seed
        random seed of the walks, if --expected needs them (default: %(default)s)

    Examples
    --------
    porank ranks truth.txt
    porank ranks settled.txt --possible --expected --format csv
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
            note("expected ranks are estimated by random walks; --seed chooses other walks")
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
    """Print why one item is preferred to another: independent chains of pairs, and a minimum cut.

    The chains share no evidence. The cut is the least evidence without which the preference no
    longer follows. Without items, the pairs with the weakest support are printed, weakest first.

    Options
    -------
    ITEM
        the preferred item and the other item
    --weight
        edge attribute with the evidence of each pair; with none, each pair counts once (default:
        margin or support if all pairs have it, otherwise none)

    Examples
    --------
    porank why truth.txt mocha tea
    porank why settled.txt
    echo 'a > b > d; a > c > d' | porank why - a d
    """
    order = _read(given)
    weight = None if given.weight == "none" else given.weight
    if not given.items:
        weakest = Table(("preferred", "other", "evidence"), po.weakest(order, weight=weight))
        show(given, weakest, after="" if weakest.rows else "no pair")
        return 0
    if len(given.items) != 2:
        raise PorankError(f"expected two items or no items, found {listed(given.items)}")
    item_of = {text: item for item, text in texts_of(as_graph(order)).items()}
    found = po.why(order, *(item_of.get(text, text) for text in given.items), weight=weight)
    show(given, found.to_table(), data=asdict(found))
    return 0


#: The kind of contradiction, the number of items involved, and the items of an example.
Fault: TypeAlias = tuple[str, int, list[Any]]
_WAYS_OUT = {
    "cycle": "porank convert --break-cycles drops as few pairs as possible to remove all cycles",
    "majority cycle": "no order agrees with all majorities; porank aggregate finds a compromise",
    "tie": "these items are tied, but other pairs treat them differently; drop either",
}
_SIGNS = {"cycle": " > ", "majority cycle": " > ", "tie": " ~ "}


@command(GRAPH, *reading_arguments(unranked=True), *ANSWER)
def check(given: argparse.Namespace) -> int:
    """Look for contradictions; the exit code is 1 if there is one.

    Each strongly connected component with a cycle is shown with a shortest cycle. If all pairs have
    a support or a weight, and in a file of several ballots, cycles of majorities are shown, too.

    Examples
    --------
    porank check truth.txt
    porank check preferences.csv
    echo 'rock > scissors > paper > rock' | porank check - --format json
    """
    source = input_of(given.graph)
    whole = read_any(source, given.form, **reading_of(given))
    if isinstance(whole, po.Profile) and len(whole.orders) > 1:
        found, size = majority_cycles(po.majority_graph(whole)), f"{whole.voters} ballots"
    else:
        order = order_of(whole, name_of(source), given.group)
        found = _faults(order) + majority_cycles(_majorities(order))
        size = counted(len(order), "item")
    way_out = _WAYS_OUT[found[0][0]] if found else ""
    rows = [(kind, number, listed(items, separator=_SIGNS[kind])) for kind, number, items in found]
    table = Table(("found", "items", "witness"), rows)
    data = [{"found": kind, "items": number, "witness": items} for kind, number, items in found]
    show(given, table, data=data, after=way_out or f"no contradictions: {size}, no cycles")
    return 1 if found else 0


def majority_cycles(G: nx.DiGraph) -> list[Fault]:
    """Return the contradictions of a majority graph: a shortest cycle of each component."""
    return [("majority cycle", *each) for each in _cycles(G)]


def _majorities(G: Any) -> nx.DiGraph:
    """Return the majority graph of pairs if all of them have counts or weights."""
    number = number_of_all_edges(G)
    if number is None:
        return nx.DiGraph()
    votes = {(u, v): amount for u, v, amount in G.edges(data=number)}
    return nx.DiGraph((u, v) for u, v in votes if votes[u, v] > votes.get((v, u), 0))


def _cycles(G: nx.DiGraph) -> list[tuple[int, list[Any]]]:
    """Return the size of each component with a cycle, and a shortest cycle of it."""
    parts = (G.subgraph(component).copy() for component in cyclic_components(G))
    return [(len(part), list(shortest_cycle(part) or ())) for part in parts]


def _faults(G: Any) -> list[Fault]:
    """Return the contradictions of a graph: a shortest cycle of each component, or a tie."""
    if not isinstance(G, nx.Graph):
        return []  # scores have no contradictions
    found = [("cycle", *each) for each in _cycles(G)]
    try:
        if not found:
            compile_order(G)
    except TieError as error:
        return [("tie", len(error.tied), error.tied)]
    return found
