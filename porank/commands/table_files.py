"""Tables in CSV and Parquet files: pairs, with the evidence of a log, or ranks, told by columns."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.errors import ParseError, PorankError
from porank.extras import load
from porank.wording import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

_PAIRS = {"preferred", "other"}
_RANKS = {"item", "rank"}
_NUMBERS = {"score", "grade"}


def read_table(source: io.BytesIO, form: str, delimiter: str | None) -> nx.DiGraph:
    r"""Return the graph of a table of pairs, or the weak order of one of ranks.

    Examples
    --------
    >>> list(read_table(io.BytesIO(b"item,rank\ntea,2\nmilk,1\n"), "csv", None).edges)
    [('milk', 'tea')]
    >>> table = io.BytesIO(b"preferred,other,support\ntea,milk,3\nmilk,tea,1\n")
    >>> read_table(table, "csv", None).edges["tea", "milk"]
    {'support': 3, 'against': 1}
    """
    if form == "parquet":
        return _read_parquet(source)
    from porank.build.files.pairs import COLUMNS, read_pairs
    from porank.build.files.ranks import read_ranks

    sign = delimiter or ("\t" if form == "tsv" else None)
    names = _first_row(source, sign or ",")
    known = {name.strip().lower(): name for name in names}
    if form == "ranks" or (set(known) >= _RANKS and not _PAIRS & set(known)):
        return read_ranks(source, delimiter=sign)
    _refuse_scores(known, getattr(source, "name", ""))
    if _PAIRS | {"support"} <= set(known) and "weight" not in known:
        columns = [known[name] for name in ("preferred", "other", "support")]
        return _with_evidence(read_pairs(source, columns=columns, delimiter=sign))
    return read_pairs(source, columns=COLUMNS, delimiter=sign)


def _first_row(source: io.BytesIO, delimiter: str) -> list[str]:
    """Return the cells of the first row, for what they name."""
    text = source.getvalue()[:10_000].decode("utf-8-sig", "replace")
    try:
        rows = csv.reader(io.StringIO(text), delimiter=delimiter[:1])
        return next((row for row in rows if row), [])
    except (csv.Error, ValueError):
        return []  # whoever reads the whole says where it is wrong


def _refuse_scores(known: Any, name: str) -> None:
    found = sorted(_NUMBERS & set(known))
    if found and "item" in known and not _PAIRS & set(known):
        raise ParseError(
            f"{name}: expected the columns preferred, other or item, rank, found 'item', "
            f"{listed(found)}; porank evaluate takes such tables"
        )


def _with_evidence(G: nx.DiGraph) -> nx.DiGraph:
    """Return the graph with what speaks for and against each edge."""
    support = {(u, v): weight or 0 for u, v, weight in G.edges(data="weight")}
    for (u, v), count in support.items():
        data = G.edges[u, v]
        data.pop("weight", None)
        data.update(support=count, against=support.get((v, u), 0))
    return G


def _read_parquet(source: io.BytesIO) -> nx.DiGraph:
    parquet, arrow = load("pyarrow.parquet", "scale"), load("pyarrow", "scale")
    name = getattr(source, "name", "")
    try:
        table = parquet.read_table(source)
    except (arrow.ArrowException, OSError) as error:
        text = str(error).partition("\n")[0]
        raise ParseError(f"{name}: expected a Parquet file, found an error: {text}") from None
    columns = {column: table.column(column).to_pylist() for column in table.column_names}
    if set(columns) >= _PAIRS:
        return _graph_of_columns(columns, name)
    if set(columns) >= _RANKS:
        from porank.build.rankings import from_ranks

        ranks = dict(zip(columns["item"], columns["rank"], strict=True))
        if len(ranks) < len(columns["item"]):
            raise ParseError(f"{name}: expected one rank for each item, found one again")
        return from_ranks(ranks)
    _refuse_scores(columns, name)
    raise ParseError(
        f"{name}: expected the columns preferred, other or item, rank, found "
        f"{listed(columns) or 'none'}"
    )


def _graph_of_columns(columns: dict[str, list[Any]], name: str) -> nx.DiGraph:
    """Return the graph of columns of pairs; a row without `other` adds an item."""
    number = next((column for column in ("weight", "support") if column in columns), None)
    weights = columns[number] if number else [None] * len(columns["other"])
    G = nx.DiGraph()
    for u, v, weight in zip(columns["preferred"], columns["other"], weights, strict=True):
        if u is None:
            raise ParseError(f"{name}: expected a preferred item in each row, found none")
        if v is None:
            G.add_node(u)
        elif G.has_edge(u, v):
            raise ParseError(f"{name}: expected each pair once, found {u!r} > {v!r} again")
        else:
            G.add_edge(u, v, **({} if weight is None else {"weight": weight}))
    return _with_evidence(G) if number == "support" else G


def spell_parquet(G: nx.DiGraph) -> bytes:
    """Return the edges of a graph as a Parquet file of pairs, items alone without `other`."""
    arrow, parquet = load("pyarrow", "scale"), load("pyarrow.parquet", "scale")
    edges = list(G.edges(data=True))
    alone = list(nx.isolates(G))
    columns: dict[str, Sequence[Any]] = {
        "preferred": [u for u, _, _ in edges] + alone,
        "other": [v for _, v, _ in edges] + [None] * len(alone),
    }
    for number in ("support", "weight"):
        if any(number in data for _, _, data in edges):
            values = [data.get(number) for _, _, data in edges] + [None] * len(alone)
            columns[number] = values
            break
    target = io.BytesIO()
    try:
        parquet.write_table(arrow.table(columns), target)
    except (arrow.ArrowException, TypeError) as error:
        raise PorankError(
            f"expected items and weights of one type for Parquet, found an error: {error}"
        ) from None
    return target.getvalue()
