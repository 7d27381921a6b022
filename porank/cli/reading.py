"""What commands are given: a path or standard input, read in the form that its name tells.

The orders of several files: ballots, lines of a text, or one order from each file.

Degrees of preference, from rankings or from the evidence of a log.
"""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from contextlib import contextmanager
from errno import ENOENT
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx

from porank.cli.command import Ranked, filled, sign
from porank.cli.formats import (
    DELIMITED,
    INPUTS,
    TABLES,
    TREC,
    form_of,
    is_compressed,
    numbers_on,
    told_by_name,
)
from porank.convert.profiles import Profile
from porank.core.graphs import shortest_cycle
from porank.errors import CycleError, ItemMismatchError, ParseError, PorankError, counted, listed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    from porank.abstention.preference_relation import PreferenceRelation
    from porank.typing import OrderLike


class Reading(NamedTuple):
    """How inputs are to be read, as the command line says it."""

    form: str | None = None
    query: str | None = None
    delimiter: str | None = None
    unranked: str = "ignore"


class _Content(io.BytesIO):
    """The bytes of a file under a name that tells the form, and under the one the user knows."""

    def __init__(self, content: bytes, shown: str) -> None:
        super().__init__(content)
        self.shown = shown
        self.name = shown.removesuffix(".gz")


def add_reading(parser: argparse.ArgumentParser, *, unranked: bool = False) -> None:
    """Let a command be told how to read its input."""
    parser.add_argument(
        "--from",
        dest="form",
        choices=INPUTS,
        metavar="FORMAT",
        help=f"what the input is, instead of what its name tells: {', '.join(INPUTS)}; standard "
        "input is in the notation by default",
    )
    parser.add_argument("--query", type=filled, help="which query of a TREC file to take")
    parser.add_argument(
        "--delimiter",
        type=sign,
        metavar="SIGN",
        help=r"the sign between the cells of a table, such as ';' or '\t'",
    )
    if unranked:
        parser.add_argument(
            "--unranked",
            choices=("ignore", "last"),
            help="whether what an order does not list is absent, or tied below the rest "
            "(default: ignore)",
        )


def reading_of(
    given: argparse.Namespace, *paths: str, others: Sequence[tuple[str, str | None]] = ()
) -> Reading:
    """Return how to read the inputs; that an option says nothing of them is an error."""
    inputs = [*((path, given.form) for path in paths), *others]
    for path, _ in inputs:
        if path:  # an output has none here
            require_file(path)
    forms = {form_of(path, form, option="--from") for path, form in inputs}
    unranked = getattr(given, "unranked", None)
    for option, value, known in (
        ("--query", given.query, TREC),
        ("--delimiter", given.delimiter, DELIMITED),
        # Of orders that stand in one file, those of PrefLib alone leave items out.
        ("--unranked", unranked, INPUTS if len(inputs) > 1 else ("preflib", "notation")),
    ):
        if value is not None and not forms & set(known):
            raise PorankError(f"expected {option} beside {_named(known)}, found {_named(forms)}")
    return Reading(given.form, given.query, given.delimiter, unranked or "ignore")


def _named(forms: Iterable[str]) -> str:
    return ", ".join(sorted(forms))


def shown(path: str) -> str:
    """Return what an input is called in a message."""
    return "standard input" if path == "-" else path


def require_file(path: str) -> None:
    """Raise an error if there is no file to read, which matters more than how its name ends."""
    if path == "-":
        return
    if Path(path).is_dir():
        raise PorankError(f"expected a file, found the folder {path!r}")
    if not Path(path).exists():
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), path)


def open_content(path: str) -> _Content:
    """Return what a file or standard input holds, uncompressed."""
    if path == "-":
        if sys.stdin is None:
            raise PorankError("expected something on standard input, found it closed")
        buffer = getattr(sys.stdin, "buffer", None)
        content = sys.stdin.read().encode() if buffer is None else buffer.read()
        return _Content(content, "standard input")
    require_file(path)
    content = Path(path).read_bytes()
    if is_compressed(path):
        try:
            content = gzip.decompress(content)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ParseError(f"{path}: expected a file of gzip, found an error: {error}") from None
    return _Content(content, path)


def open_table(path: str, form: str) -> Any:
    """Return a table as functions of the library take it, which ask its name for the form."""
    is_packed = form == "parquet" and is_compressed(path)
    if path != "-" and told_by_name(path) == form and not is_packed:
        return path
    content = open_content(path)
    if (told_by_name(content.name) or "csv") != form:
        content.name = f"{content.name}.{form}"
    return content


@contextmanager
def calling_as_shown(*tables: Any) -> Iterator[None]:
    """Let errors call tables that are open by the names which the user knows."""
    try:
        yield
    except PorankError as error:
        text = str(error)
        for table in tables:
            if isinstance(table, _Content) and text.startswith(
                (f"{table.name}:", f"{table.name},")
            ):
                error.args = (table.shown + text.removeprefix(table.name),)
                break
        raise


def require_one_stdin(paths: Sequence[str]) -> None:
    """Raise an error if two inputs are to come from standard input."""
    if paths.count("-") > 1:
        raise PorankError(
            f"expected one '-' at most, found {paths.count('-')}: standard input is read once"
        )


def read_any(path: str, how: Reading, content: io.BytesIO | None = None) -> Any:
    """Return what a file holds: a graph, ranks, a profile, or a dictionary query -> order."""
    form = form_of(path, how.form, option="--from")
    source = open_content(path) if content is None else content
    with calling_as_shown(source):
        return _read_form(source, form, how)


def _read_form(source: io.BytesIO, form: str, how: Reading) -> Any:
    """Return what a file of any form holds."""
    if form == "notation":
        from porank.convert.notation import parse
        from porank.core.files import read_text

        text, name = read_text(source)
        try:
            return parse(text)
        except ParseError as error:
            raise ParseError(f"{name}, {error}") from None
    if form in TABLES:
        from porank.cli.formats import read_table

        return read_table(source, form, how.delimiter)
    return _read_format(source, form, how)


def _read_format(source: Any, form: str, how: Reading) -> Any:
    """Return what a file of a format of its own holds."""
    from porank.readwrite.graphml import read_graphml
    from porank.readwrite.json_files import read_json
    from porank.readwrite.preflib import read_preflib
    from porank.readwrite.trec import read_trec_prefs, read_trec_qrels, read_trec_run

    if form == "preflib":
        return read_preflib(source, unranked=how.unranked)
    readers: dict[str, Any] = {
        "json": read_json,
        "graphml": read_graphml,
        "trec-run": read_trec_run,
        "trec-qrels": read_trec_qrels,
        "trec-prefs": read_trec_prefs,
    }
    return readers[form](source)


def read_order(path: str, how: Reading, content: io.BytesIO | None = None) -> OrderLike:
    """Return the one order that a file holds."""
    found = read_any(path, how, content)
    if isinstance(found, Profile):
        if len(found.orders) != 1:
            raise PorankError(
                f"expected one order in {path!r}, found {counted(len(found.orders), 'order')}; "
                "porank aggregate and porank predict make one of many"
            )
        order: OrderLike = found.orders[0]
        return order
    if isinstance(found, (nx.Graph, Ranked)):
        return found
    return order_of_query(found, path, how.query)


def order_of_query(found: dict[str, OrderLike], path: str, query: str | None) -> OrderLike:
    """Return the order of the query, which may go without saying where there is one."""
    if query is None and len(found) == 1:
        return next(iter(found.values()))
    if not found:
        raise PorankError(f"expected at least one line, found {shown(path)!r} empty")
    if query not in found:
        missing = "" if query is None else f" {query!r}"
        raise PorankError(
            f"expected one query{missing} of {path!r}, found {listed(found) or 'none'}; "
            "--query names it"
        )
    return found[query]


def read_graph(path: str, how: Reading) -> nx.DiGraph:
    """Return the one order that a file holds, as a graph."""
    from porank.core.compiled_order import as_graph

    return as_graph(read_order(path, how))


class Members(NamedTuple):
    """Orders, how often each occurs, and where each was read."""

    orders: list[OrderLike]
    counts: list[int]
    places: list[str]

    def add(self, order: OrderLike, place: str, *, count: int = 1) -> None:
        """Add an order."""
        self.orders.append(order)
        self.counts.append(count)
        self.places.append(place)

    @contextmanager
    def called_by_file(self) -> Iterator[None]:
        """Let errors that differing items or a cycle cause say where an order was read."""
        try:
            yield
        except ItemMismatchError as error:
            raise ItemMismatchError.found(
                error.only_target,
                error.only_predicted,
                names=(self.places[0], self._place_of_others()),
                way_out="--unranked last puts what is missing last",
            ) from None
        except CycleError as error:
            raise CycleError.found(error.cycle, name=self._place_of_cycle()) from None

    def _place_of_others(self) -> str:
        """Return where the first order stands whose items are not those of the very first."""
        items = set(self.orders[0])
        return next(place for place, order in self._placed() if set(order) != items)

    def _place_of_cycle(self) -> str:
        """Return where the first order with a cycle stands; empty if none has one as it is."""
        graphs = (pair for pair in self._placed() if isinstance(pair[1], nx.Graph))
        return next((place for place, G in graphs if not nx.is_directed_acyclic_graph(G)), "")

    def _placed(self) -> Iterator[tuple[str, Any]]:
        return zip(self.places, self.orders, strict=True)


def read_members(paths: Sequence[str], how: Reading) -> Members:
    """Return the orders of several files, how often each occurs, and where each was read."""
    require_one_stdin(paths)
    members = Members([], [], [])
    for path in paths:
        if form_of(path, how.form, option="--from") == "notation":
            for place, order in _read_lines(path):
                members.add(order, place)
            continue
        found, name = read_any(path, how), shown(path)
        if isinstance(found, Profile):
            for number, order in enumerate(found.orders, start=1):
                place = f"{name}, order {number}"
                members.add(order, place, count=found.counts[number - 1])
            continue
        if isinstance(found, nx.Graph) and not nx.get_edge_attributes(found, "support"):
            _require_acyclic(found, name)
        is_order = isinstance(found, (nx.Graph, Ranked))
        members.add(found if is_order else order_of_query(found, path, how.query), name)
    if not members.orders:
        raise PorankError(f"expected at least one order, found none in {_shown(paths)}")
    if how.unranked == "last":
        profile = Profile(members.orders, members.counts)
        return members._replace(orders=list(profile.completed().orders))
    return members


def _shown(paths: Sequence[str]) -> str:
    if set(paths) == {"-"}:
        return shown("-")
    return listed(map(shown, paths))


def _read_lines(path: str) -> list[tuple[str, nx.DiGraph]]:
    """Return the orders of a text, one in each line, and where each was read."""
    from porank.convert.notation import parse
    from porank.core.files import LINE_END, read_text

    content, name = open_content(path), shown(path)
    with calling_as_shown(content):
        text, _ = read_text(content)
    orders = []
    for number, line in enumerate(LINE_END.split(text), start=1):
        try:
            order = parse(line)
        except ParseError as error:
            where = str(error).replace("line 1", f"line {number}", 1)
            raise ParseError(f"{name}, {where}") from None
        place = f"{name}, line {number}"
        _require_acyclic(order, place)
        if len(order):
            orders.append((place, order))
    return orders


def _require_acyclic(G: nx.DiGraph, where: str) -> None:
    """Raise an error that says where an order was read which has a cycle."""
    if not nx.is_directed_acyclic_graph(G):
        raise CycleError.found(shortest_cycle(G) or (), name=where)


#: What `mine` writes on edges.
_EVIDENCE = ("support", "against")


def read_relation(
    paths: Sequence[str], how: Reading, *, prior: Any = 0, progress: bool = False
) -> PreferenceRelation:
    """Return the degrees of preference of rankings, or of one graph of evidence."""
    from porank.abstention.votes import preference_relation
    from porank.clicks.feedback import feedback_relation

    members = read_members(paths, how)
    orders = members.orders
    told = [order for order in orders if _is_evidence(order)]
    if not told:
        if len(orders) == 1 and numbers_on(orders[0], ("weight",)):
            raise PorankError(
                f"{members.places[0]}: expected rankings or evidence, found one graph with "
                "weights; if they count votes, call them support"
            )
        if prior:
            raise PorankError("expected --prior with the evidence of a log, found rankings")
        with members.called_by_file():
            return preference_relation(orders, counts=members.counts, progress=progress)
    if len(orders) > 1:
        raise PorankError(
            f"expected rankings, or the evidence of one log, found {counted(len(told), 'graph')} "
            f"of evidence among {counted(len(orders), 'order')}"
        )
    return feedback_relation(told[0], prior=prior)


def _is_evidence(order: Any) -> bool:
    if not isinstance(order, nx.DiGraph) or not order.edges:
        return False
    return all(set(_EVIDENCE) <= set(data) for *_, data in order.edges(data=True))


def add_rankings(parser: argparse.ArgumentParser) -> None:
    """Let a command be given rankings."""
    parser.add_argument(
        "rankings",
        metavar="RANKINGS",
        nargs="+",
        help="PrefLib, or a text with an order in each line; of several files in other formats "
        "each is one order; or - for standard input",
    )
