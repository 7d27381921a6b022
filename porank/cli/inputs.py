"""The inputs of commands: files and standard input, read as one order, as many, or as degrees.

`reading_arguments`, `RANKINGS`, `GRAPH` and `form_argument` define arguments; `reading_of` collects
the options for reading. `read_any` and `read_order` read one order, `read_profile` many;
`read_relation` reads degrees of preference, from rankings or from the evidence of a log.
`open_table` opens tables for functions of porank that read them. The formats themselves are in
`porank.cli.formats`.
"""

from __future__ import annotations

import gzip
import sys
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import networkx as nx

import porank as po
from porank.cli.answers import note
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
        "--query",
        "--group",
        dest="query",
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


def reading_of(given: argparse.Namespace) -> InputOptions:
    """Return the options of a command for reading its inputs."""
    options = ("query", "delimiter", "unranked", "by", "counts")
    given_options = {name: getattr(given, name) for name in options if hasattr(given, name)}
    return InputOptions(**given_options)


def require_one_stdin(paths: Sequence[str]) -> None:
    """Raise an error if two inputs are standard input."""
    if paths.count("-") > 1:
        raise PorankError(
            f"expected '-' once at most, found it {paths.count('-')} times: standard input can be "
            "read only once"
        )


def open_content(path: str) -> Content:
    """Return the uncompressed content of a file or of standard input."""
    if path == "-":
        if sys.stdin is None:
            raise PorankError("expected data on standard input, found it closed")
        found = getattr(sys.stdin, "buffer", sys.stdin).read()
        return Content(found.encode() if isinstance(found, str) else found, "standard input")
    try:
        with gzip.open(path) if path.endswith(".gz") else open(path, "rb") as file:
            return Content(file.read(), path)
    except DAMAGED as error:
        message = f"cannot decompress the file: {error}"
        raise ParseError(message, source=path) from None


def open_table(path: str, given: str | None, known: tuple[str, ...] = TABLES) -> Any:
    """Return an input as functions of the library take it: a path or a stream."""
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
    """Return the content of an input: a graph, ranks, a profile, or a dictionary query -> order."""
    reader = FORMATS[form_of(path, form, option="--from")].read
    assert reader is not None
    return reader(open_content(path), how)


def read_order(path: str, form: str | None, how: InputOptions) -> OrderLike:
    """Return the order in an input."""
    return order_of(read_any(path, form, how), path, how.query)


def order_of(found: Any, path: str, query: str | None) -> OrderLike:
    """Return the order in an input, or that of the query or group if there are several."""
    if not is_by_query(found):
        if query is not None:
            raise PorankError(f"expected queries or groups in {path!r}, found none")
        return only_order(found, f"in {path!r}")
    if not found:
        raise PorankError(f"expected at least one line, found {path!r} empty")
    if query is None and len(found) == 1:
        (query,) = found
    if query not in found:
        missing = "" if query is None else f" {query!r}"
        raise PorankError(
            f"expected one query or group{missing} in {path!r}, found {listed(found)}; --query "
            "selects one, and --by none merges the groups of a table"
        )
    order: OrderLike = found[query]
    return order


def read_profile(paths: Sequence[str], form: str | None, how: InputOptions) -> po.Profile:
    """Return the orders in several inputs, with their counts."""
    require_one_stdin(paths)
    members = [member for path in paths for member in _members_of(path, form, how)]
    if not members:
        raise PorankError(f"expected at least one order, found none in {listed(paths)}")
    orders, counts = zip(*members, strict=True)
    profile = po.Profile(orders, counts)
    return profile.completed() if how.unranked == "last" else profile


def note_incomplete(profile: po.Profile) -> None:
    """Print on standard error how many of the orders do not list all items."""
    lacking = sum(len(order) < len(profile.items) for order in profile.orders)
    if lacking:
        note(
            f"{lacking} of {counted(len(profile.orders), 'order')} list only some of the "
            f"{len(profile.items)} items and abstain on the others; --unranked last puts those "
            "last"
        )


def _members_of(path: str, form: str | None, how: InputOptions) -> Iterator[tuple[OrderLike, int]]:
    """Yield each order in an input with its count; in a text, one order in each line."""
    if form_of(path, form, option="--from") == "notation":
        yield from ((order, 1) for order in _orders_in_lines(open_content(path)))
        return
    found = read_any(path, form, how)
    if isinstance(found, po.Profile):
        yield from zip(found.orders, found.counts, strict=True)
    else:
        yield order_of(found, path, how.query), 1


def _orders_in_lines(content: Content) -> Iterator[nx.DiGraph]:
    """Yield the orders in the lines of a text."""
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
    """Return the degrees of preference in inputs: rankings, a table or a graph.

    The options of `feedback_relation` apply to evidence if they are not None.
    """
    return _relation_of(read_profile(paths, form, how), evidence)


def _relation_of(profile: po.Profile, evidence: dict[str, Any]) -> po.PreferenceRelation:
    """Return the degrees of preference of the rankings, or of the graph, in the inputs."""
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
    # With a prior of 0, shares stay as they are.
    if any(given.values()):
        option = next(name for name, value in given.items() if value).replace("_", "-")
        raise PorankError(f"--{option} applies to the evidence of a log, found rankings")
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
            f"expected degrees from 0 to 1, found {most} for {u!r} over {v!r}; --counts reads the "
            "numbers of a table as counts"
        )
    # If both degrees of a pair are given, they may add up to less than 1.
    both = [weight + weights[v, u] for (u, v), weight in weights.items() if (v, u) in weights]
    is_open = any(abs(whole - 1) > 1e-9 for whole in both)
    return po.PreferenceRelation.from_graph(G, reciprocal=not is_open)


def _is_evidence(order: Any) -> bool:
    """Return whether an input is a graph with the edge attributes that `porank mine` writes."""
    if not isinstance(order, nx.DiGraph) or not order.edges:
        return False
    return all({"support", "against"} <= set(data) for *_, data in order.edges(data=True))
