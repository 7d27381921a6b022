"""The inputs of commands: files and standard input, read as one order, as many, or as degrees.

`reading_arguments`, `RANKINGS`, `GRAPH` and `form_argument` define arguments; `reading_of` collects
the options for reading. `read_order` reads one order, `read_profile` many, `read_relation` degrees
of preference, from rankings or from the evidence of a log. `input_of` and `open_table` open files
for functions of porank that read them.
"""

from __future__ import annotations

import sys
from io import BytesIO
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import networkx as nx

import porank as po
from porank.cli.answers import note
from porank.cli.command import argument, sign
from porank.core.files import Text, name_of
from porank.errors import ParseError, PorankError, counted, listed, quoted
from porank.readwrite.formats import (
    INPUTS,
    TREC,
    content_of,
    form_of,
    numbers_on,
    order_of,
    read_any,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from porank.cli.command import Argument
    from porank.typing import OrderLike


#: Formats that functions of porank read as tables by themselves.
TABLES = ("csv", "tsv", "jsonl", "json", "parquet", "arrow", "feather")
GRAPH = argument("graph", metavar="GRAPH", help="a file, or - for standard input")
RANKINGS = argument(
    "rankings",
    metavar="RANKINGS",
    nargs="+",
    help="a PrefLib file, a text with an order in each line, or several files of one order each; "
    "- for standard input",
)


def form_argument(
    option: str = "--from", *, of: str = "the input", known: Sequence[str] = INPUTS
) -> Argument:
    """Return the option for the format of an input."""
    return argument(
        option,
        dest="form" if option == "--from" else None,
        choices=known,
        metavar="FORMAT",
        help=f"format of {of} (default: by the suffix of its name, or {known[0]} for standard "
        f"input): {', '.join(known)}",
    )


_READING = (
    form_argument(),
    argument(
        "--group",
        "--query",
        help="query of a TREC file, or group of a table of pairs, to read",
    ),
    argument(
        "--by",
        metavar="COLUMN",
        help="column that identifies groups of pairs (default: query, prompt, qid or group, if "
        "present); none merges the groups",
    ),
    argument(
        "--delimiter",
        type=sign,
        metavar="SIGN",
        help=r"separator between the cells of a table, such as ';' or '\t'",
    ),
)
_UNRANKED = argument(
    "--unranked",
    choices=("ignore", "last"),
    default="ignore",
    help="whether items that an order does not list are absent from it, or tied below the others "
    "(default: %(default)s)",
)


def reading_arguments(*, unranked: bool = False) -> tuple[Argument, ...]:
    """Return the options for reading inputs; `unranked` adds one for orders that omit items."""
    return (*_READING, _UNRANKED) if unranked else _READING


def reading_of(given: argparse.Namespace) -> dict[str, Any]:
    """Return the options of a command for reading its inputs, as `po.read_order` takes them."""
    names = ("group", "by", "delimiter", "counts", "unranked", "cells")
    found = {name: getattr(given, name) for name in names if hasattr(given, name)}
    return found | ({"by": ()} if found.get("by") == "none" else {})


def require_one_stdin(paths: Sequence[str]) -> None:
    """Raise an error if two inputs are standard input."""
    if paths.count("-") > 1:
        raise PorankError(
            f"expected '-' once at most, found it {paths.count('-')} times: standard input can be "
            "read only once"
        )


def input_of(path: str) -> Any:
    """Return an input as functions of the library take it: a path, or what is piped."""
    if path != "-":
        return path
    if sys.stdin is None:
        raise PorankError("expected data on standard input, found it closed")
    content = content_of(getattr(sys.stdin, "buffer", sys.stdin))
    content.name = "standard input"
    return content


def read_order(path: str, form: str | None, how: dict[str, Any]) -> OrderLike:
    """Return the order in an input."""
    options = {name: how[name] for name in how if name != "cells"}
    return po.read_order(input_of(path), format=form, **options)


def open_table(path: str, given: str | None, known: tuple[str, ...] = TABLES) -> Any:
    """Return an input as functions of the library take it: a path, a stream, or orders by query."""
    form = form_of_path(path, given, known=known)
    if form in TREC:
        return read_any(input_of(path), form)
    is_packed = form in ("parquet", "arrow", "feather") and path.endswith(".gz")
    if path != "-" and given is None and not is_packed:
        return path
    content = content_of(input_of(path))
    content.name = f"{content.name} as .{form}"
    return content


def form_of_path(path: str, given: str | None, **options: Any) -> str:
    """Return the format of an input or output, where - is a stream without a name."""
    return form_of(BytesIO() if path == "-" else path, given, **options)


def read_profile(paths: Sequence[str], form: str | None, how: dict[str, Any]) -> po.Profile:
    """Return the orders in several inputs, with their counts."""
    require_one_stdin(paths)
    members = [member for path in paths for member in _members_of(path, form, how)]
    if not members:
        raise PorankError(f"expected at least one order, found none in {listed(paths)}")
    orders, counts = zip(*members, strict=True)
    profile = po.Profile(orders, counts)
    return profile.completed() if how.get("unranked") == "last" else profile


def note_incomplete(profile: po.Profile) -> None:
    """Print on standard error how many of the orders do not list all items."""
    lacking = sum(len(order) < len(profile.items) for order in profile.orders)
    if lacking:
        note(
            f"{lacking} of {counted(len(profile.orders), 'order')} list only some of the "
            f"{len(profile.items)} items and abstain on the others; --unranked last puts those "
            "last"
        )


def _members_of(
    path: str, form: str | None, how: dict[str, Any]
) -> Iterator[tuple[OrderLike, int]]:
    """Yield each order in an input with its count; in a text, one order in each line."""
    if how.get("cells"):
        table, how = open_table(path, form), {name: how[name] for name in ("cells", "delimiter")}
        profile = po.Profile.from_table(table, **how)
        yield from zip(profile.orders, profile.counts, strict=True)
        return
    source = input_of(path)
    if form_of_path(path, form) == "notation":
        yield from ((order, 1) for order in _orders_in_lines(source))
        return
    found = read_any(source, form, **how)
    if isinstance(found, po.Profile):
        yield from zip(found.orders, found.counts, strict=True)
    else:
        yield order_of(found, name_of(source), how["group"]), 1


def _orders_in_lines(source: Any) -> Iterator[nx.DiGraph]:
    """Yield the orders in the lines of a text."""
    with Text(source) as file:
        lines = list(file)
    for number, line in enumerate(lines, start=1):
        text = line.rstrip("\r\n")
        try:
            order = po.parse(text)
        except ParseError as error:
            raise error.placed(line=number, text=text, source=name_of(source)) from None
        if len(order):
            yield order


def read_relation(
    paths: Sequence[str], form: str | None, how: dict[str, Any], prior: Any = None
) -> po.PreferenceRelation:
    """Return the degrees of preference in inputs: rankings, a table or a graph.

    The options of `feedback_relation` apply to evidence if they are not None.
    """
    profile = read_profile(paths, form, how)
    orders = profile.orders
    logs = [order for order in orders if _is_evidence(order)]
    if logs and len(orders) > 1:
        raise PorankError(
            f"expected rankings, or the evidence of one log, found {counted(len(logs), 'graph')} "
            f"of evidence among {counted(len(orders), 'order')}"
        )
    if logs:
        return po.feedback_relation(logs[0], prior=1 if prior is None else prior)
    # With a prior of 0, shares stay as they are.
    if prior:
        raise PorankError("prior= applies to the evidence of a log, found rankings")
    if len(orders) == 1 and numbers_on(orders[0], ("weight",)):
        return _relation_of_degrees(orders[0])
    P = po.preference_relation(profile)
    note_incomplete(profile)
    return P


def _relation_of_degrees(G: Any) -> po.PreferenceRelation:
    """Return the relation of a graph whose weights are degrees of preference."""
    weights = nx.get_edge_attributes(G, "weight")
    (u, v), most = max(weights.items(), key=itemgetter(1))
    if most > 1:
        raise PorankError(
            f"expected degrees from 0 to 1, found {most} for {quoted(u)} over {quoted(v)}; "
            "--counts reads the numbers of a table as counts"
        )
    # If both degrees of a pair are given, they may add up to less than 1.
    both = [weight + weights[v, u] for (u, v), weight in weights.items() if (v, u) in weights]
    is_open = any(abs(whole - 1) > 1e-9 for whole in both)
    return po.PreferenceRelation.from_degrees(weights, list(G), reciprocal=not is_open)


def _is_evidence(order: Any) -> bool:
    """Return whether an input is a graph with the edge attributes that `porank mine` writes."""
    if not isinstance(order, nx.DiGraph) or not order.edges:
        return False
    return all({"support", "against"} <= set(data) for *_, data in order.edges(data=True))
