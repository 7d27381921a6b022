"""Tables in CSV and Parquet files: pairs, with the evidence of a log, or ranks, told by columns."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.commands.ranked import Ranked
from porank.core.arguments import load
from porank.core.csv_cells import (
    number_column,
    pair_columns,
    rank_columns,
    require_known,
    rows_of,
    text_of,
)
from porank.core.tables import Table
from porank.errors import ParseError, PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

#: What pyarrow says of a file that it is given in memory.
_OPENING = "Could not open Parquet input source '<Buffer>': "


def read_table(source: BytesIO, form: str, delimiter: str | None) -> nx.DiGraph | Ranked:
    r"""Return the graph of a table of pairs, or the weak order of one of ranks.

    Examples
    --------
    >>> read_table(BytesIO(b"item,rank\ntea,2\nmilk,1\n"), "csv", None)
    {'tea': 1, 'milk': 2}
    >>> table = BytesIO(b"preferred,other,support\ntea,milk,3\nmilk,tea,1\n")
    >>> read_table(table, "csv", None).edges["tea", "milk"]
    {'support': 3, 'against': 1}
    """
    if form == "parquet":
        return _read_parquet(source)
    sign = _sign_of(source, form, delimiter)
    names = next(rows_of(source, sign), [])
    pair, ranked = pair_columns(names), rank_columns(names)
    if form == "ranks" or (ranked and not pair):
        from porank.readwrite.csv_files import RANK_COLUMNS as COLUMNS
        from porank.readwrite.csv_files import read_rank_numbers

        return Ranked.of(read_rank_numbers(source, ranked or COLUMNS, sign)[0])
    return _read_pairs(source, form, sign, names)


def unread_columns(source: BytesIO, form: str, delimiter: str | None) -> list[str]:
    r"""Return the columns of a table of pairs that are neither items nor a number known by name.

    Examples
    --------
    >>> unread_columns(BytesIO(b"preferred,other,votes\na,b,2\n"), "csv", None)
    ['votes']
    """
    if form == "parquet":
        source.seek(0)
        names = list(map(str, load("pyarrow.parquet", "scale").read_schema(source).names))
    else:
        names = next(rows_of(source, _sign_of(source, form, delimiter)), [])
    pair = pair_columns(names)
    return (
        []
        if pair is None
        else [name for name in names if name not in (*pair, number_column(names))]
    )


def _sign_of(source: BytesIO, form: str, delimiter: str | None) -> str:
    """Return the sign between the cells: the one given, or what the form and the text tell."""
    from porank.core.csv_cells import choose_delimiter, name_of

    name = "table.tsv" if form == "tsv" else name_of(source)
    return choose_delimiter(delimiter or None, name, text_of(source))


def _read_pairs(source: BytesIO, form: str, sign: str, names: list[str]) -> nx.DiGraph:
    """Return the graph of a table of pairs, by the names of its columns if it has a header."""
    from porank.readwrite.csv_files import PAIR_COLUMNS as COLUMNS
    from porank.readwrite.csv_files import read_pairs

    pair, number = pair_columns(names), number_column(names)
    if pair is None:
        if form != "pairs":
            require_known(source, sign)
        return read_pairs(source, columns=COLUMNS, delimiter=sign)
    columns = pair if number is None else (*pair, number)
    G = read_pairs(source, columns=columns, delimiter=sign)
    return _with_evidence(G) if _is_support(number) else G


def _is_support(number: str | None) -> bool:
    return number is not None and number.strip().lower() == "support"


def _with_evidence(G: nx.DiGraph) -> nx.DiGraph:
    """Return the graph with what speaks for and against each edge."""
    support = {(u, v): weight or 0 for u, v, weight in G.edges(data="weight")}
    for (u, v), count in support.items():
        data = G.edges[u, v]
        data.pop("weight", None)
        data.update(support=count, against=support.get((v, u), 0))
    return G


def _read_parquet(source: BytesIO) -> nx.DiGraph | Ranked:
    parquet, arrow = load("pyarrow.parquet", "scale"), load("pyarrow", "scale")
    name = getattr(source, "name", "")
    try:
        table = parquet.read_table(source)
    except (arrow.ArrowException, OSError) as error:
        text = str(error).partition("\n")[0].removeprefix(_OPENING).removesuffix(".")
        raise ParseError(f"{name}: expected a Parquet file, found an error: {text}") from None
    columns = {column: table.column(column).to_pylist() for column in table.column_names}
    names = list(map(str, columns))
    pair, ranked = pair_columns(names), rank_columns(names)
    if pair:
        return _graph_of_columns(columns, pair, name)
    if ranked:
        items, ranks = (columns[column] for column in ranked)
        if len(set(items)) < len(items):
            raise ParseError(f"{name}: expected one rank for each item, found one again")
        return Ranked.of(dict(zip(items, ranks, strict=True)))
    is_scored = {"score", "grade"} & {column.lower() for column in names}
    raise ParseError(
        f"{name}: expected the columns preferred, other or item, rank, found "
        f"{listed(columns) or 'none'}{'; porank evaluate takes such tables' * bool(is_scored)}"
    )


def _graph_of_columns(
    columns: dict[str, list[Any]], pair: tuple[str, str], name: str
) -> nx.DiGraph:
    """Return the graph of columns of pairs; a row without another item adds an item."""
    number = number_column(list(columns))
    preferred, other = (columns[column] for column in pair)
    weights = columns[number] if number else [None] * len(other)
    G = nx.DiGraph()
    for u, v, weight in zip(preferred, other, weights, strict=True):
        if u is None:
            raise ParseError(f"{name}: expected a preferred item in each row, found none")
        if v is None:
            G.add_node(u)
        elif G.has_edge(u, v):
            raise ParseError(f"{name}: expected each pair once, found {u!r} > {v!r} again")
        else:
            G.add_edge(u, v, **({} if weight is None else {"weight": weight}))
    return _with_evidence(G) if _is_support(number) else G


def spell_parquet(G: nx.DiGraph) -> bytes:
    """Return the edges of a graph as a Parquet file of pairs, items alone without `other`."""
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
    return spell_columns(columns, "parquet")


def spell_columns(columns: dict[str, Sequence[Any]], form: str) -> bytes:
    r"""Return columns as the content of a file with a header, in CSV, TSV or Parquet.

    Examples
    --------
    >>> spell_columns({"preferred": ["tea"], "other": ["milk"], "support": [3]}, "tsv")
    b'preferred\tother\tsupport\ntea\tmilk\t3\n'
    """
    if form == "csv":
        return Table(list(columns), list(zip(*columns.values(), strict=True))).to_csv().encode()
    if form == "tsv":
        from porank.core.csv_cells import spell_cell

        rows = [map(str, row) for row in (columns, *zip(*columns.values(), strict=True))]
        lines = ["\t".join(spell_cell(cell, "\t") for cell in row) + "\n" for row in rows]
        return "".join(lines).encode()
    arrow, parquet = load("pyarrow", "scale"), load("pyarrow.parquet", "scale")
    target = BytesIO()
    try:
        parquet.write_table(arrow.table(columns), target)
    except (arrow.ArrowException, TypeError) as error:
        raise PorankError(
            f"expected items and weights of one type for Parquet, found an error: {error}"
        ) from None
    return target.getvalue()
