"""What commands are given: a path or standard input, read in the form that its name tells."""

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

from porank.commands.forms import (
    DELIMITED,
    INPUTS,
    TABLES,
    TREC,
    form_of,
    is_compressed,
    told_by_name,
)
from porank.commands.ranked import Ranked
from porank.commands.values import filled, sign
from porank.convert.profiles import Profile
from porank.errors import ParseError, PorankError, counted, listed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

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
    """Return how to read the inputs; that an option says nothing of them is an error.

    Parameters
    ----------
    given : Namespace
        The arguments of a command.
    paths : str
        The inputs that ``--from`` is about.
    others : sequence
        Other inputs, each with the form that is given for it, or None.
    """
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
    """Return what an input is called in a message.

    Examples
    --------
    >>> shown("taste.csv"), shown("-")
    ('taste.csv', 'standard input')
    """
    return "standard input" if path == "-" else path


def require_file(path: str) -> None:
    """Raise an error if there is no file to read, which matters more than how its name ends.

    Examples
    --------
    >>> require_file("/")
    Traceback (most recent call last):
    porank.errors.PorankError: expected a file, found the folder '/'
    """
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
    """Return a table as functions of the library take it, which ask its name for the form.

    A path whose name tells the form is returned as it is: large files are read part by part.
    """
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
    """Raise an error if two inputs are to come from standard input.

    Examples
    --------
    >>> require_one_stdin(["-", "-"])
    Traceback (most recent call last):
    porank.errors.PorankError: expected one '-' at most, found 2: standard input is read once
    """
    if paths.count("-") > 1:
        raise PorankError(
            f"expected one '-' at most, found {paths.count('-')}: standard input is read once"
        )


def read_any(path: str, how: Reading, content: io.BytesIO | None = None) -> Any:
    """Return what a file holds: a graph, ranks, a profile, or a dictionary query -> order.

    Its content may have been opened already.
    """
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
        from porank.commands.table_files import read_table

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
