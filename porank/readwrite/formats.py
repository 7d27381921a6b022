"""The file formats of orders in one table: suffixes, reader, writer, and what is lost.

`FORMATS` is the table. Readers and writers take a `Content`; `matrix_of` recognises a matrix by its
columns, `spell_columns` writes columns, `is_by_query` recognises orders by query, and `numbers_on`
finds the numbers of pairs that a format could lose. `porank.readwrite.any_order` uses the table.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from io import BytesIO
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx

from porank.clicks.log_formats import LogReader, are_of_log
from porank.convert.notation import format_order, parse
from porank.convert.profiles import Profile
from porank.convert.rankings import from_matrix, graph_of_support
from porank.core.arguments import load
from porank.core.columns import CsvSource, ParquetSource, Source
from porank.core.compiled_order import as_graph
from porank.core.csv_cells import (
    number_column,
    pair_columns,
    rank_columns,
    read_number,
    spell_rows,
)
from porank.core.files import Problems, Text, write_text
from porank.core.graphs import graph_of
from porank.core.scores import Ranks
from porank.errors import ParseError, PorankError, listed
from porank.readwrite.csv_files import (
    PAIR_COLUMNS,
    RANK_COLUMNS,
    read_pair_groups,
    read_rank_numbers,
    write_pairs,
    write_ranks,
)
from porank.readwrite.diagrams import to_dot, to_mermaid
from porank.readwrite.graphml import read_graphml, write_graphml
from porank.readwrite.preflib import read_preflib, write_preflib
from porank.readwrite.trec import (
    read_trec_qrels,
    read_trec_run,
    write_trec_qrels,
    write_trec_run,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from porank.typing import OrderLike


class Content(BytesIO):
    """The uncompressed content of a file, with the name that messages use for it."""

    def __init__(self, content: bytes | str, name: str) -> None:
        is_text = isinstance(content, str)
        super().__init__(content.encode("utf-8", "surrogateescape") if is_text else content)
        self.name = name


class Format(NamedTuple):
    """A file format: how to read and write it, and what it loses."""

    suffixes: tuple[str, ...] = ()
    #: Takes a `Content`, and the options of `read_order` that its signature has.
    read: Callable[..., Any] | None = None
    #: Takes the orders and a `Content`, which has a name if its suffix is one of the format.
    write: Callable[[Any, Content], object] | None = None
    loses: tuple[str, ...] = ()
    holds: str = "one order"


def _read_notation(source: Content) -> nx.DiGraph:
    """Return the graph in a file in the notation."""
    with Text(source) as text:
        return parse(text.read())


def _read_table(
    form: str,
    source: Content,
    *,
    by: Any = None,
    delimiter: str | None = None,
    counts: bool = False,
) -> Any:
    """Return the pairs or ranks in a table, recognised by the header or the format."""
    table = _table_in(source, form, delimiter)
    names = table.names
    pair, ranked, number = pair_columns(names), rank_columns(names), number_column(names)
    if form == "ranks" or (ranked and not pair):
        return Ranks(read_rank_numbers(table, ranked or RANK_COLUMNS)[0])
    if pair is None and form != "pairs":
        matrix = matrix_of(_columns_of(table), counts=counts)
        if matrix is not None:
            return matrix
        _require_known(names, source.name)
    columns = tuple(filter(None, (*pair, number))) if pair else PAIR_COLUMNS
    group = _grouping(names if pair else (), by)
    # Numbers in a column of this name are counts of sessions.
    counts = counts or (number or "").strip().lower() == "support"
    graphs = read_pair_groups(table, columns, by=group, counts=counts)
    return graphs.get("", graph_of()) if group is None else graphs


def _table_in(source: Content, form: str, delimiter: str | None) -> Source:
    """Return the table in a file."""
    if form == "parquet":
        return ParquetSource(source, source.name)
    is_split = form == "tsv" and b"\t" in source.getvalue()
    return CsvSource(source, delimiter=delimiter or ("\t" if is_split else None))


def _require_known(names: Sequence[str], source: str) -> None:
    """Raise an error if the first row of a file is not the header of an order."""
    is_scored = not {"score", "grade"}.isdisjoint(name.strip().lower() for name in names)
    if are_of_log(names) and not is_scored:
        log = LogReader(names, {}, ("click", "view"))
        raise PorankError(
            f"expected pairs or ranks, found a log of {log.name} with the columns {listed(names)}",
            hint="explore takes a log",
            source=source,
        )
    if names:
        raise ParseError(
            f"expected the columns preferred, other or item, rank, found {listed(names)}"
            f"{'; evaluate takes such tables' * is_scored}",
            hint='format="pairs" and format="ranks" read a table without a header',
            source=source,
        )


def _columns_of(table: Source) -> dict[str, Sequence[Any]]:
    """Return the cells of a table by column, empty if the rows have different lengths."""
    problems = Problems("report")
    blocks = [block.columns for block in table.blocks(table.names, problems)]
    names = () if problems.found else table.names
    return {name: [*chain.from_iterable(columns[name] for columns in blocks)] for name in names}


def matrix_of(columns: Mapping[str, Sequence[Any]], *, counts: bool) -> nx.DiGraph | None:
    """Return the graph of a table if it is a matrix, which has a row for each column."""
    for label, names in columns.items():
        items = [name for name in columns if name != label]
        row_of = {str(name): row for row, name in enumerate(names)}
        if items and sorted(items) == sorted(map(str, names)):
            rows = [[_number_of(columns[other][row_of[item]]) for other in items] for item in items]
            G = from_matrix(rows, items)
            weights = {(u, v): weight for u, v, weight in G.edges(data="weight")}
            return graph_of_support(weights, items) if counts else G
    return None


def _number_of(cell: Any) -> Any:
    """Return the number in a cell of a matrix; return other cells as they are."""
    with suppress(ParseError):
        return read_number(cell, "entry") if isinstance(cell, str) else cell
    return cell


#: Columns of these names identify groups. Users, judges and sessions are not groups: their
#: preferences are counted.
_GROUPS = ("query", "prompt", "qid", "group")


def _grouping(names: Sequence[str], by: Any) -> str | None:
    """Return the column that identifies groups in a table of pairs, unless groups are merged."""
    plain = {name.strip().lower(): name for name in names}
    wanted = _GROUPS if by is None else [by.strip().lower()] if by else ()
    found = next((plain[name] for name in wanted if name in plain), None)
    if found is None and by:
        raise ParseError(
            f"expected the column {by} for groups, found {listed(names) or 'no header'}"
        )
    return found


def _write_pairs(delimiter: str, order: OrderLike, target: Content) -> None:
    """Write pairs with their support or weight."""
    G = as_graph(order)
    number = "support" if nx.get_edge_attributes(G, "support") else "weight"
    write_pairs(G, target, columns=("preferred", "other", number), delimiter=delimiter)


def _write_parquet(order: OrderLike, target: Content) -> None:
    """Write the edges of an order as Parquet, isolated items without `other`."""
    G = as_graph(order)
    edges = list(G.edges(data=True))
    alone = list(nx.isolates(G))
    columns: dict[str, Sequence[Any]] = {
        "preferred": [u for u, _, _ in edges] + alone,
        "other": [v for _, v, _ in edges] + [None] * len(alone),
    }
    for number in numbers_on(G, ("support", "weight"))[:1]:
        columns[number] = [data.get(number) for _, _, data in edges] + [None] * len(alone)
    target.write(spell_columns(columns, "parquet"))


def spell_columns(columns: dict[str, Sequence[Any]], form: str) -> bytes:
    """Return columns as the content of a CSV, TSV or Parquet file."""
    if form != "parquet":
        sign = "\t" if form == "tsv" else ","
        rows = (columns, *zip(*columns.values(), strict=True))
        spelled = (["" if cell is None else str(cell) for cell in row] for row in rows)
        return spell_rows(spelled, sign).encode()
    arrow, parquet = load("pyarrow"), load("pyarrow.parquet")
    target = BytesIO()
    try:
        parquet.write_table(arrow.table(columns), target)
    except (arrow.ArrowException, TypeError) as error:
        raise PorankError(
            f"cannot write Parquet, which needs items and weights of one type: {error}"
        ) from None
    return target.getvalue()


def _write_profile(found: Any, target: Content) -> None:
    """Write an order, or many, as a PrefLib file."""
    if is_by_query(found):
        found = Profile(list(found.values()))
    write_preflib(found if isinstance(found, Profile) else Profile([found]), target)


def _write_scores(
    write: Callable[[Any, Content], None], by_query: dict[str, Any], target: Content
) -> None:
    """Write orders by query as scores, by the function for a TREC format."""
    scores = {
        query: order
        if type(order) is dict
        else next(Profile([order]).scores())  # the lowest level has score 1
        for query, order in by_query.items()
    }
    write(scores, target)


def _write_tikz(order: OrderLike, target: Content) -> None:
    """Write the Hasse diagram as LaTeX."""
    from porank.drawing.tikz import to_tikz

    write_text(f"{to_tikz(order)}\n", target)


_PAIRS_ONLY = ("ties",)
_NO_NUMBERS = ("weight", "support")
#: The formats by name: a format that can be read has a reader, one that can be written a writer.
FORMATS = {
    "notation": Format(
        (".txt",),
        _read_notation,
        lambda order, target: write_text(f"{format_order(order)}\n", target),
        _NO_NUMBERS,
    ),
    "csv": Format(
        (".csv",),
        partial(_read_table, "csv"),
        partial(_write_pairs, ","),
        _PAIRS_ONLY,
    ),
    "tsv": Format(
        (".tsv", ".tab"),
        partial(_read_table, "tsv"),
        partial(_write_pairs, "\t"),
        _PAIRS_ONLY,
    ),
    "pairs": Format((), partial(_read_table, "pairs")),
    "ranks": Format(
        (),
        partial(_read_table, "ranks"),
        partial(write_ranks, delimiter=","),
        _NO_NUMBERS,
    ),
    "graphml": Format((".graphml",), read_graphml, write_graphml),
    "parquet": Format(
        (".parquet", ".pq"),
        partial(_read_table, "parquet"),
        _write_parquet,
        _PAIRS_ONLY,
    ),
    "preflib": Format(
        (".soc", ".soi", ".toc", ".toi", ".cat"),
        read_preflib,
        _write_profile,
        _NO_NUMBERS,
        "many orders",
    ),
    "trec-run": Format(
        (".run",), read_trec_run, partial(_write_scores, write_trec_run), holds="queries"
    ),
    "trec-qrels": Format(
        (".qrels",), read_trec_qrels, partial(_write_scores, write_trec_qrels), holds="queries"
    ),
    "jsonl": Format((".jsonl", ".ndjson")),
    "dot": Format((".dot", ".gv"), write=lambda order, target: write_text(to_dot(order), target)),
    "mermaid": Format((".mmd",), write=lambda order, target: write_text(to_mermaid(order), target)),
    "tex": Format((".tex",), write=_write_tikz, loses=_NO_NUMBERS),
    "png": Format((".png",)),
    "svg": Format((".svg",)),
    "pdf": Format((".pdf",)),
    "html": Format((".html", ".htm")),
}


def is_by_query(found: Any) -> bool:
    """Return whether the content is a dictionary of orders by query, not one order's scores."""
    return (
        not isinstance(found, Ranks)
        and isinstance(found, dict)
        and all(isinstance(each, (dict, nx.Graph)) for each in found.values())
    )


def numbers_on(found: Any, names: Sequence[str]) -> list[str]:
    """Return which attributes of edges, weight or support, a format could lose."""
    is_graph = isinstance(found, nx.Graph)
    return [name for name in names if is_graph and nx.get_edge_attributes(found, name)]
