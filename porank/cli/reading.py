"""What commands are given: files and standard input, read as one order, many, or degrees.

How inputs are read is said by `reading_arguments`, `RANKINGS` and `GRAPH`, and taken from the
command line by `reading_of`. One order: `read_any`, `read_order`. Many: `read_members`, and
`read_relation` for the degrees of preference of rankings or of the evidence of a log. Tables that
functions of porank read themselves: `open_table`.
"""

from __future__ import annotations

import gzip
import os
import shutil
import sys
from contextlib import contextmanager
from errno import ENOENT
from io import BytesIO, FileIO
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx

import porank as po
from porank.cli.command import argument, filled, sign
from porank.cli.formats import (
    DELIMITED,
    FORMATS,
    INPUTS,
    TABLES,
    TREC,
    Content,
    InputOptions,
    PairGroups,
    Ranked,
    form_of,
    numbers_on,
    only_order,
    told_by_name,
)
from porank.core.columns import DAMAGED
from porank.core.files import Text
from porank.errors import (
    CycleError,
    ItemMismatchError,
    ParseError,
    PorankError,
    counted,
    listed,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator, Sequence

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
    option: str = "--from",
    *,
    what: str = "what the input is, instead of what its name tells",
    known: Sequence[str] = (),
    beside: str = "",
) -> Argument:
    """Return the option that says of what format an input of a command is, one of some."""
    more: dict[str, Any] = {"dest": "form"} if option == "--from" else {}
    told = f"{what}: {', '.join(known)}" if known else what
    choices = known or INPUTS
    return argument(option, choices=choices, metavar="FORMAT", help=told, beside=beside, **more)


_READING = (
    form_argument(
        what=f"what the input is, instead of what its name tells: {', '.join(INPUTS)}; standard "
        "input is in the notation by default",
    ),
    argument(
        "--query",
        "--group",
        dest="query",
        type=filled,
        help="which query of a TREC file, or group of a table of pairs, to take",
    ),
    argument(
        "--by",
        type=filled,
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


def reading_arguments(*, unranked: str | None = None) -> tuple[Argument, ...]:
    """Return the options that say how a command reads; `unranked` counts beside that option."""
    if unranked is None:
        return _READING
    last = argument(
        "--unranked",
        choices=("ignore", "last"),
        beside=unranked,
        help="whether what an order does not list is absent, or tied below the rest "
        "(default: ignore)",
    )
    return (*_READING, last)


def reading_of(given: argparse.Namespace, *inputs: tuple[str | None, str | None]) -> InputOptions:
    """Return how to read the inputs of a command; options that say nothing of them are errors."""
    there = [(path, form) for path, form in inputs if path is not None]
    require_one_stdin([path for path, _ in there])
    for path, _ in there:
        if path:  # an output has none here
            require_file(path)
    forms = {form_of(path, form, option="--from") for path, form in there}
    unranked = getattr(given, "unranked", None)
    for option, value, known in (
        ("--group", given.query, (*TREC, *TABLES)),
        ("--by", getattr(given, "by", None), TABLES),
        ("--delimiter", given.delimiter, DELIMITED),
        # Of orders that stand in one file, those of PrefLib alone leave items out.
        ("--unranked", unranked, INPUTS if len(there) > 1 else ("preflib", "notation")),
    ):
        if value is not None and not forms & set(known):
            raise PorankError(f"expected {option} beside {_named(known)}, found {_named(forms)}")
    counts = getattr(given, "counts", False)
    by = getattr(given, "by", None)
    how = InputOptions(given.form, given.query, given.delimiter, unranked or "ignore", by)
    return how._replace(counts=counts, has_each=hasattr(given, "alpha"))


def _named(forms: Iterable[str]) -> str:
    """Return the names of formats as a message about an input of a command lists them."""
    return ", ".join(sorted(forms))


def _shown(path: str) -> str:
    """Return what an input of a command is called in a message."""
    return "standard input" if path == "-" else path


def require_file(path: str) -> None:
    """Raise an error if a command has no input to read, which matters more than its suffix."""
    if path == "-":
        return
    if Path(path).is_dir():
        raise PorankError(f"expected a file, found the folder {path!r}")
    if not Path(path).exists():
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), path)


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
        buffer = getattr(sys.stdin, "buffer", None)
        content = SpooledTemporaryFile(_UNPACKED)  # noqa: SIM115
        shutil.copyfileobj(buffer or BytesIO(sys.stdin.read().encode()), content)
        content.seek(0)
        return Content(content, _shown(path))
    require_file(path)
    return Content(_Unpacked(path) if path.endswith(".gz") else FileIO(path), path)


#: What unpacks to more bytes than this must not be so many times as large as it was.
_UNPACKED, _TIMES = 1 << 26, 100


class _Unpacked(gzip.GzipFile):
    """What a file of gzip holds, unless it grows beyond measure."""

    def read(self, size: int | None = -1) -> bytes:
        """Return some bytes of what is unpacked."""
        path = str(self.name)
        most = max(_UNPACKED, _TIMES * Path(path).stat().st_size)
        try:
            part = super().read(size)
        except DAMAGED as error:
            message = f"expected a file of gzip, found an error: {error}"
            raise ParseError(message, source=path) from None
        if self.tell() > most:
            raise ParseError(
                f"expected a file of gzip that unpacks to at most {_TIMES} times its size, "
                f"found more than {most:,} bytes; gunzip unpacks it if it is meant to",
                source=path,
            )
        return part


def open_table(path: str, form: str) -> Any:
    """Return an input of a command as functions of the library take tables, named by format."""
    is_packed = form == "parquet" and path.endswith(".gz")
    if path != "-" and told_by_name(path) == form and not is_packed:
        return path
    content = open_content(path)
    if (told_by_name(content.name) or "csv") != form:
        content.name = f"{content.name}.{form}"
    return content


@contextmanager
def calling_as_shown(*tables: Any) -> Iterator[None]:
    """Let errors call inputs by the names which the user knows, and close them in the end."""
    try:
        yield
    except PorankError as error:
        for table in tables:
            if isinstance(table, Content) and error.source == table.name:
                error.source = table.shown
        raise
    finally:
        for table in tables:
            if isinstance(table, Content):
                table.close()


def read_any(path: str, how: InputOptions, content: Content | None = None) -> Any:
    """Return what an input holds: a graph, ranks, a profile, or a dictionary query -> order."""
    form = form_of(path, how.form, option="--from")
    source, reader = content or open_content(path), FORMATS[form].read
    assert reader is not None
    with calling_as_shown(source):
        return reader(source, how)


def read_order(path: str, how: InputOptions, content: Content | None = None) -> OrderLike:
    """Return the one order that an input holds."""
    return _order_of(read_any(path, how, content), path, how)


def _order_of(found: Any, path: str, how: InputOptions) -> OrderLike:
    """Return the order of an input, that of the query or group where there are several."""
    query = how.query
    if isinstance(found, (nx.Graph, Ranked, po.Profile)):
        return only_order(found, f"in {path!r}")
    if query is None and len(found) == 1:
        query = next(iter(found))
    if not found:
        raise PorankError(f"expected at least one line, found {_shown(path)!r} empty")
    if query not in found:
        missing = "" if query is None else f" {query!r}"
        what, way_out = "query", "--query names it"
        if isinstance(found, PairGroups):
            each = f", --by {found.column} predicts each" if how.has_each else ""
            what, way_out = "group", f"--group names it{each}, --by none merges them"
        raise PorankError(
            f"expected one {what}{missing} of {path!r}, found {listed(found)}; {way_out}"
        )
    order: OrderLike = found[query]
    return order


class Members(NamedTuple):
    """The orders that inputs hold, how often each occurs, and where each was read."""

    orders: list[OrderLike]
    counts: list[int]
    places: list[str]

    @contextmanager
    def called_by_file(self) -> Iterator[None]:
        """Let errors that differing items or a cycle cause say in which input an order was read."""
        try:
            yield
        except ItemMismatchError as error:
            items = set(self.orders[0])
            other = self._place(lambda order: set(order) != items)
            raise ItemMismatchError.found(
                error.only_target,
                error.only_predicted,
                names=(self.places[0], other),
                hint="Profile(orders).completed() puts what an order lacks below its items, "
                "tied, as read_preflib(source, unranked='last') does",
            ) from None
        except CycleError as error:
            cyclic = self._place(lambda order: not po.is_acyclic(order))
            raise CycleError.found(error.cycle, name=cyclic) from None

    def _place(self, is_it: Callable[[Any], bool]) -> str:
        """Return in which input the first such order was read, empty if there is none."""
        placed = zip(self.places, self.orders, strict=True)
        return next((place for place, order in placed if is_it(order)), "")


def read_members(paths: Sequence[str], how: InputOptions) -> Members:
    """Return the orders of several inputs, how often each occurs, and where each was read."""
    read_here = [member for path in paths for member in _members_of(path, how)]
    if not read_here:
        shown = "standard input" if set(paths) == {"-"} else listed(map(_shown, paths))
        raise PorankError(f"expected at least one order, found none in {shown}")
    members = Members(*map(list, zip(*read_here, strict=True)))
    if how.unranked == "last":
        with members.called_by_file():
            completed = po.Profile(members.orders, members.counts).completed()
        return members._replace(orders=list(completed.orders))
    return members


def _members_of(path: str, how: InputOptions) -> Iterator[tuple[OrderLike, int, str]]:
    """Yield each order of an input, how often it occurs, and where it stands."""
    if form_of(path, how.form, option="--from") == "notation":
        yield from _members_in_lines(path)
        return
    found, name = read_any(path, how), _shown(path)
    if isinstance(found, po.Profile):
        for number, (order, count) in enumerate(zip(found.orders, found.counts, strict=True), 1):
            yield order, count, f"{name}, order {number}"
    else:
        yield _order_of(found, path, how), 1, name


def _members_in_lines(path: str) -> Iterator[tuple[nx.DiGraph, int, str]]:
    """Yield the orders of an input that is a text, one in each line, and where each stands."""
    content = open_content(path)
    with calling_as_shown(content):
        for number, line in enumerate(Text(content), start=1):
            text = line.rstrip("\r\n")
            try:
                order = po.parse(text)
            except ParseError as error:
                raise error.placed(line=number, text=text, source=content.shown) from None
            if len(order):
                yield order, 1, f"{content.shown}, line {number}"


def read_relation(paths: Sequence[str], how: InputOptions, **options: Any) -> po.PreferenceRelation:
    """Return the degrees of preference that a command reads: of rankings, a table or a graph.

    The options of `feedback_relation` that are not None count for evidence.
    """
    members = read_members(paths, how)
    with members.called_by_file():
        return _relation_of(members, options)


def read_relations(
    path: str, how: InputOptions, **options: Any
) -> dict[str, po.PreferenceRelation]:
    """Return the degrees of preference that a command reads of each group of a table of pairs."""
    form = form_of(path, how.form, option="--from")
    if form not in TABLES:
        raise PorankError(f"expected --by beside {_named(TABLES)}, found {form}")
    groups = read_any(path, how)
    if not isinstance(groups, PairGroups):
        raise PorankError(f"expected pairs, to tell groups of, found ranks in {path!r}")
    relations = {}
    for group, G in groups.items():
        members = Members([G], [1], [f"{_shown(path)}, group {group!r}"])
        with members.called_by_file():
            relations[group] = _relation_of(members, options)
    return relations


def _relation_of(members: Members, options: dict[str, Any]) -> po.PreferenceRelation:
    """Return the degrees of preference of the rankings, or of the graph, that inputs held."""
    orders = members.orders
    told = [order for order in orders if _is_evidence(order)]
    if told and len(orders) > 1:
        raise PorankError(
            f"expected rankings, or the evidence of one log, found {counted(len(told), 'graph')} "
            f"of evidence among {counted(len(orders), 'order')}"
        )
    given = {name: value for name, value in options.items() if value is not None}
    if told:
        return po.feedback_relation(told[0], **given)
    # With a prior of 0 shares are what they are.
    if any(value for name, value in given.items()):
        option = next(name for name, value in given.items() if value).replace("_", "-")
        raise PorankError(f"expected --{option} with the evidence of a log, found rankings")
    if len(orders) == 1 and numbers_on(orders[0], ("weight",)):
        return _relation_of_degrees(orders[0], members.places[0])
    return po.preference_relation(orders, counts=members.counts)


def _relation_of_degrees(G: Any, place: str) -> po.PreferenceRelation:
    """Return the relation of an input whose graph has degrees of preference as weights."""
    weights = nx.get_edge_attributes(G, "weight")
    wrong = [weight for weight in weights.values() if weight > 1]
    if wrong and len(weights) == len(G.edges) and all(w == int(w) for w in weights.values()):
        raise PorankError(
            f"{place}: expected degrees, from 0 to 1, as weights of a graph, found {wrong[0]}; "
            "porank convert makes a table in CSV of it, where whole numbers are counts"
        )
    if wrong or len(weights) < len(G.edges):
        raise PorankError(
            f"{place}: expected counts, whole numbers, or degrees, from 0 to 1, as weights of all "
            f"pairs, found {wrong[0] if wrong else 'none of some'}; if they are the weights of "
            "sessions, call them support"
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
