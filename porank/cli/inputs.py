"""The inputs of commands: files and standard input, read as one order, many, or degrees.

`reading_arguments`, `RANKINGS`, `GRAPH` and `form_argument` say what commands take, `reading_of`
gathers how it is to be read. One order: `read_any`, `read_order`. Many: `read_profile`, and
`read_relation`, `read_relations` for the degrees of preference of rankings or of the evidence of a
log. Tables that functions of porank read themselves: `open_table`. What each format holds, and how,
is in `porank.cli.formats`.
"""

from __future__ import annotations

import gzip
import sys
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import networkx as nx

import porank as po
from porank.cli.answers import tell
from porank.cli.command import argument, sign
from porank.cli.formats import (
    FORMATS,
    INPUTS,
    TABLES,
    TREC,
    Content,
    InputOptions,
    form_of,
    form_of_name,
    is_by_query,
    numbers_on,
    only_order,
)
from porank.core.files import DAMAGED, Text
from porank.errors import ParseError, PorankError, counted, listed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from porank.cli.command import Argument
    from porank.typing import OrderLike


GRAPH = argument("graph", metavar="GRAPH", help="a file, or - for standard input")
RANKINGS = argument(
    "rankings",
    metavar="RANKINGS",
    nargs="+",
    help="PrefLib, or a text with an order in each line; of several files in other formats each "
    "is one order; or - for standard input",
)


def form_argument(
    option: str = "--from", *, of: str = "the input", known: Sequence[str] = INPUTS
) -> Argument:
    """Return the option that says of what format an input of a command is, one of some."""
    return argument(
        option,
        dest="form" if option == "--from" else None,
        choices=known,
        metavar="FORMAT",
        help=f"what {of} is, instead of what its name tells: {', '.join(known)}; standard input is "
        f"{known[0]} by default",
    )


_READING = (
    form_argument(),
    argument(
        "--query",
        "--group",
        dest="query",
        help="which query of a TREC file, or group of a table of pairs, to take",
    ),
    argument(
        "--by",
        metavar="COLUMN",
        help="the column that tells groups of pairs (default: query, prompt, qid or group, if "
        "there); none merges them",
    ),
    argument(
        "--delimiter",
        type=sign,
        metavar="SIGN",
        help=r"the sign between the cells of a table, such as ';' or '\t'",
    ),
)
_UNRANKED = argument(
    "--unranked",
    choices=("ignore", "last"),
    default="ignore",
    help="whether what an order does not list is absent, or tied below the rest "
    "(default: %(default)s)",
)


def reading_arguments(*, unranked: bool = False) -> tuple[Argument, ...]:
    """Return the options that say how a command reads; one is for orders that leave items out."""
    return (*_READING, _UNRANKED) if unranked else _READING


def reading_of(given: argparse.Namespace) -> InputOptions:
    """Return how to read the inputs of a command."""
    options = ("query", "delimiter", "unranked", "by", "counts")
    given_options = {name: getattr(given, name) for name in options if hasattr(given, name)}
    return InputOptions(**given_options)


def require_one_stdin(paths: Sequence[str]) -> None:
    """Raise an error if two inputs are to come from standard input."""
    if paths.count("-") > 1:
        raise PorankError(
            f"expected one '-' at most, found {paths.count('-')}: standard input is read once"
        )


def open_content(path: str) -> Content:
    """Return what an input, a file or standard input, holds, uncompressed."""
    if path == "-":
        if sys.stdin is None:
            raise PorankError("expected something on standard input, found it closed")
        found = getattr(sys.stdin, "buffer", sys.stdin).read()
        return Content(found.encode() if isinstance(found, str) else found, "standard input")
    try:
        with gzip.open(path) if path.endswith(".gz") else open(path, "rb") as file:
            return Content(file.read(), path)
    except DAMAGED as error:
        message = f"expected a file of gzip, found an error: {error}"
        raise ParseError(message, source=path) from None


def open_table(path: str, given: str | None, known: tuple[str, ...] = TABLES) -> Any:
    """Return an input of a command as functions of the library take it: a path, or what is open."""
    form = form_of(path, given, option="--from", known=known)
    if form in TREC:
        return read_any(path, form, InputOptions())
    is_packed = form == "parquet" and path.endswith(".gz")
    if path != "-" and form_of_name(path) == form and not is_packed:
        return path
    content = open_content(path)
    content.name = f"{content.name} as .{form}"
    return content


def read_any(path: str, form: str | None, how: InputOptions) -> Any:
    """Return what an input holds: a graph, ranks, a profile, or a dictionary query -> order."""
    reader = FORMATS[form_of(path, form, option="--from")].read
    assert reader is not None
    return reader(open_content(path), how)


def read_order(path: str, form: str | None, how: InputOptions) -> OrderLike:
    """Return the one order that an input holds."""
    return order_of(read_any(path, form, how), path, how.query)


def order_of(found: Any, path: str, query: str | None) -> OrderLike:
    """Return the order of an input, that of the query or group where there are several."""
    if not is_by_query(found):
        if query is not None:
            raise PorankError(f"expected queries or groups in {path!r}, found orders without any")
        return only_order(found, f"in {path!r}")
    if not found:
        raise PorankError(f"expected at least one line, found {path!r} empty")
    if query is None and len(found) == 1:
        (query,) = found
    if query not in found:
        missing = "" if query is None else f" {query!r}"
        raise PorankError(
            f"expected one query or group{missing} of {path!r}, found {listed(found)}; --query "
            "names it, and --by none merges the groups of a table"
        )
    order: OrderLike = found[query]
    return order


def read_profile(paths: Sequence[str], form: str | None, how: InputOptions) -> po.Profile:
    """Return the orders of several inputs, and how often each occurs."""
    require_one_stdin(paths)
    members = [member for path in paths for member in _members_of(path, form, how)]
    if not members:
        raise PorankError(f"expected at least one order, found none in {listed(paths)}")
    orders, counts = zip(*members, strict=True)
    profile = po.Profile(orders, counts)
    return profile.completed() if how.unranked == "last" else profile


def tell_incomplete(profile: po.Profile) -> None:
    """Say on standard error how many of the orders that a command read do not list all items."""
    lacking = sum(len(order) < len(profile.items) for order in profile.orders)
    if lacking:
        tell(
            f"{lacking} of {counted(len(profile.orders), 'order')} list only some of the "
            f"{len(profile.items)} items, and say nothing of the others; --unranked last puts "
            "these below"
        )


def _members_of(path: str, form: str | None, how: InputOptions) -> Iterator[tuple[OrderLike, int]]:
    """Yield each order of an input, and how often it occurs; of a text those of its lines."""
    if form_of(path, form, option="--from") == "notation":
        yield from ((order, 1) for order in _orders_in_lines(open_content(path)))
        return
    found = read_any(path, form, how)
    if isinstance(found, po.Profile):
        yield from zip(found.orders, found.counts, strict=True)
    else:
        yield order_of(found, path, how.query), 1


def _orders_in_lines(content: Content) -> Iterator[nx.DiGraph]:
    """Yield the orders of an input that is a text, one in each line."""
    for number, line in enumerate(Text(content), start=1):
        text = line.rstrip("\r\n")
        try:
            order = po.parse(text)
        except ParseError as error:
            raise error.placed(line=number, text=text, source=content.name) from None
        if len(order):
            yield order


def read_relation(
    paths: Sequence[str], form: str | None, how: InputOptions, evidence: dict[str, Any]
) -> po.PreferenceRelation:
    """Return the degrees of preference that a command reads: of rankings, a table or a graph.

    The options of `feedback_relation` that are not None count for evidence.
    """
    return _relation_of(read_profile(paths, form, how), evidence)


def read_relations(
    path: str, form: str | None, how: InputOptions, evidence: dict[str, Any]
) -> dict[str, po.PreferenceRelation]:
    """Return the degrees of preference that a command reads of each group of a table of pairs."""
    groups = read_any(path, form, how)
    if not is_by_query(groups):
        raise PorankError(f"expected a table of pairs in {path!r}, to tell groups of, found orders")
    return {group: _relation_of(po.Profile([G]), evidence) for group, G in groups.items()}


def _relation_of(profile: po.Profile, evidence: dict[str, Any]) -> po.PreferenceRelation:
    """Return the degrees of preference of the rankings, or of the graph, that inputs held."""
    orders = profile.orders
    logs = [order for order in orders if _is_evidence(order)]
    if logs and len(orders) > 1:
        raise PorankError(
            f"expected rankings, or the evidence of one log, found {counted(len(logs), 'graph')} "
            f"of evidence among {counted(len(orders), 'order')}"
        )
    given = {name: value for name, value in evidence.items() if value is not None}
    if logs:
        return po.feedback_relation(logs[0], **given)
    # With a prior of 0 shares are what they are.
    if any(given.values()):
        option = next(name for name, value in given.items() if value).replace("_", "-")
        raise PorankError(f"expected --{option} with the evidence of a log, found rankings")
    if len(orders) == 1 and numbers_on(orders[0], ("weight",)):
        return _relation_of_degrees(orders[0])
    P = po.preference_relation(profile)
    tell_incomplete(profile)
    return P


def _relation_of_degrees(G: Any) -> po.PreferenceRelation:
    """Return the relation of an input whose graph has degrees of preference as weights."""
    weights = nx.get_edge_attributes(G, "weight")
    (u, v), most = max(weights.items(), key=itemgetter(1))
    if most > 1:
        raise PorankError(
            f"expected degrees from 0 to 1, found {most} for {u!r} over {v!r}; --counts takes the "
            "numbers of a table as counts"
        )
    # Of a pair both of whose degrees are there, a part may be open.
    both = [weight + weights[v, u] for (u, v), weight in weights.items() if (v, u) in weights]
    is_open = any(abs(whole - 1) > 1e-9 for whole in both)
    return po.PreferenceRelation.from_graph(G, reciprocal=not is_open)


def _is_evidence(order: Any) -> bool:
    """Return whether an input holds a graph all of whose edges are as `porank mine` writes them."""
    if not isinstance(order, nx.DiGraph) or not order.edges:
        return False
    return all({"support", "against"} <= set(data) for *_, data in order.edges(data=True))
