"""The forms of files: which they are, and what the suffix of a name tells.

Tables in CSV and Parquet files: pairs, with the evidence of a log, or ranks, told by columns.

Known ties and weights that a format cannot keep: what is lost is said.

Files that commands write: whole or not at all, and never over another unless that is asked.

Orders as the content of a file, in the form asked for.

Which diagrams are drawn: those that take no longer than a minute or so.
"""

from __future__ import annotations

import gzip
import io
import os
import sys
from errno import ENOENT
from io import BytesIO
from operator import itemgetter
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.cli.command import Ranked, filled
from porank.convert.profiles import Profile
from porank.core.arguments import load
from porank.core.csv_cells import (
    number_column,
    pair_columns,
    rank_columns,
    require_known,
    rows_of,
    text_of,
)
from porank.core.files import write_whole
from porank.core.tables import Table
from porank.errors import ParseError, PorankError, listed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from porank.typing import OrderLike


#: What PrefLib calls the types of its files.
PREFLIB = ("soc", "soi", "toc", "toi", "cat", "wmd")
#: What can be read, and what can be written.
INPUTS = (
    "notation",
    "csv",
    "tsv",
    "pairs",
    "ranks",
    "json",
    "graphml",
    "parquet",
    "preflib",
    "trec-run",
    "trec-qrels",
    "trec-prefs",
)
OUTPUTS = (*(form for form in INPUTS if form != "pairs"), "dot", "tex")
#: Texts with a sign between the cells, and all tables.
DELIMITED = ("csv", "tsv", "pairs", "ranks")
TABLES = (*DELIMITED, "parquet")
#: What holds an order for each query, and what holds many orders.
TREC = ("trec-run", "trec-qrels", "trec-prefs")
MANY = ("preflib", *TREC)
_FORM_OF = {
    ".txt": "notation",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".json": "json",
    ".graphml": "graphml",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".run": "trec-run",
    ".qrels": "trec-qrels",
    ".prefs": "trec-prefs",
    ".dot": "dot",
    ".gv": "dot",
    ".tex": "tex",
} | {f".{kind}": "preflib" for kind in PREFLIB}


def is_compressed(path: str) -> bool:
    """Return whether the name says that a file is one of gzip."""
    return path.endswith(".gz")


def suffix_of(path: str) -> str:
    """Return the suffix of a name in small letters, without that of a compressed file."""
    return PurePath(path.removesuffix(".gz")).suffix.lower()


def told_by_name(path: str) -> str | None:
    """Return the form that the name of a file tells, if it tells any."""
    return _FORM_OF.get(suffix_of(path))


def form_of(path: str, given: str | None, *, option: str, known: tuple[str, ...] = INPUTS) -> str:
    """Return the form that was given, or else what the name of the file tells."""
    found = given or ("notation" if path == "-" else told_by_name(path))
    if found not in known:
        raise PorankError(
            f"expected a name that tells the format, found {path!r}; {option} names it: "
            f"{', '.join(known)}"
        )
    return found


#: What pyarrow says of a file that it is given in memory.
_OPENING = "Could not open Parquet input source '<Buffer>': "


def read_table(source: BytesIO, form: str, delimiter: str | None) -> nx.DiGraph | Ranked:
    r"""Return the graph of a table of pairs, or the weak order of one of ranks."""
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
    r"""Return the columns of a table of pairs that are neither items nor a number known by name."""
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
    r"""Return columns as the content of a file with a header, in CSV, TSV or Parquet."""
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


#: Forms that hold pairs and no ties.
_PAIRS_ONLY = ("csv", "tsv", "parquet", "trec-prefs")
#: Forms that hold no number for a pair.
_WITHOUT_WEIGHTS = ("notation", "tex", "ranks", "preflib")


def tell_ties(found: Any, form: str) -> None:
    """Say on standard error which items a file does not show as tied, if there are any."""
    tied = _tied(found) if form in _PAIRS_ONLY else None
    if tied:
        shown = listed(tied, separator=" ~ ")
        sys.stderr.write(
            f"porank: {form} keeps no ties, such as {shown}; notation, json, graphml and dot do\n"
        )


def tell_weights(found: Any, form: str) -> None:
    """Say on standard error that a file does not show weights, if there are any."""
    lost = numbers_on(found, ("weight", "support")) if form in _WITHOUT_WEIGHTS else []
    if lost:
        sys.stderr.write(f"porank: {form} keeps no {lost[0]}; csv, json, graphml and dot do\n")


def numbers_on(found: Any, names: Iterable[str]) -> list[str]:
    """Return the names of numbers that some edges have; there are none but in a graph."""
    is_graph = isinstance(found, nx.Graph)
    return [name for name in names if is_graph and nx.get_edge_attributes(found, name)]


def _tied(found: Any) -> list[Any] | None:
    """Return items that are known to be tied, of an order or the first of many that has some."""
    from porank.core.compiled_order import compile_order
    from porank.core.graphs import node_values
    from porank.core.ties import tie_groups

    if isinstance(found, Profile):
        return next(filter(None, map(_tied, found.orders)), None)
    if isinstance(found, nx.Graph):
        groups = tie_groups(found, node_values(found, "tie"))
        return next((group for group in groups if len(group) > 1), None)
    if is_by_query(found):
        return next(filter(None, map(_tied, found.values())), None)
    order = compile_order(found)
    levels: dict[int, list[Any]] = {}
    for item, level in zip(order.items, order.layers.tolist(), strict=True):
        levels.setdefault(level, []).append(item)
    return next((level for level in levels.values() if len(level) > 1), None)


def add_output(parser: argparse.ArgumentParser, *, what: str, required: bool = False) -> None:
    """Let a command be told where to write."""
    parser.add_argument("-o", "--output", metavar="FILE", type=filled, required=required, help=what)
    add_force(parser)


def add_force(parser: argparse.ArgumentParser) -> None:
    """Let a command be told that a file may be replaced."""
    parser.add_argument("--force", action="store_true", help="replace a file that is there")


def require_writable(path: str, *, force: bool) -> None:
    """Raise an error if a file is there that must be kept, or no folder for it."""
    if path == "-":
        raise PorankError("expected a file to write, found '-'; ./- is a file of this name")
    target = Path(path)
    if target.is_dir():
        raise PorankError(f"expected a file to write, found the folder {path!r}")
    if target.is_file() and not force:
        raise PorankError(f"expected no file at {path!r}, found one; --force replaces it")
    if not target.parent.is_dir():
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), str(target.parent))


def write_output(content: bytes, path: str, *, force: bool) -> None:
    """Write a file whole or not at all, compressed if its name ends in ``.gz``."""
    write_outputs({path: content}, force=force)


def write_outputs(contents: dict[str, bytes], *, force: bool) -> None:
    """Write the contents of files, by their paths: all of them, or none."""
    for path in contents:
        require_writable(path, force=force)
    before = {path: _content(path) for path in contents if len(contents) > 1}
    written: list[str] = []
    try:
        for path, content in contents.items():
            # Without the time the same content gives the same file.
            write_whole(gzip.compress(content, mtime=0) if is_compressed(path) else content, path)
            written.append(path)
    except OSError:
        for path in written:
            _put_back(before[path], path)
        raise


def _content(path: str) -> bytes | None:
    """Return what is in a file, or None if there is no plain file."""
    return Path(path).read_bytes() if Path(path).is_file() else None


def _put_back(found: bytes | None, path: str) -> None:
    """Let a file be what it was before it was written."""
    if found is not None:
        write_whole(found, path)
    elif Path(path).is_file():
        Path(os.path.realpath(path)).unlink()


def spell(found: Any, form: str, *, path: str = "", query: str | None = None) -> bytes:
    r"""Return an order, a profile, or orders by query as the content of a file."""
    if form == "preflib":
        return _spell_profile(found, path)
    if form.startswith("trec-"):
        return _spell_trec(found, form, query)
    target = io.BytesIO()
    _write(_one(found), form, target)
    return target.getvalue()


def is_by_query(found: Any) -> bool:
    """Return whether these are orders by query, and not the scores of one order."""
    return (
        not isinstance(found, Ranked)
        and isinstance(found, dict)
        and all(isinstance(each, (dict, nx.Graph)) for each in found.values())
    )


def _one(found: Any) -> OrderLike:
    """Return the order, if it is one."""
    if isinstance(found, Profile):
        if len(found.orders) != 1:
            raise PorankError(
                f"expected one order to write, found {len(found.orders)}; porank aggregate and "
                "porank predict make one of many, and PrefLib's formats hold many"
            )
        order: OrderLike = found.orders[0]
        return order
    return found


def _write(order: OrderLike, form: str, target: io.BytesIO) -> None:
    """Write one order in a form that holds one."""
    from porank.core.compiled_order import as_graph
    from porank.core.files import write_text
    from porank.readwrite.csv_files import write_pairs, write_ranks
    from porank.readwrite.dot import write_dot
    from porank.readwrite.graphml import write_graphml
    from porank.readwrite.json_files import write_json

    if form in ("csv", "tsv"):
        G = as_graph(order)
        number = "support" if nx.get_edge_attributes(G, "support") else "weight"
        sign = "\t" if form == "tsv" else ","
        write_pairs(G, target, columns=("preferred", "other", number), delimiter=sign)
    elif form == "ranks":
        write_ranks(order, target, delimiter=",")
    elif form == "parquet":
        target.write(spell_parquet(as_graph(order)))
    elif form in ("notation", "tex"):
        write_text(_spell_text(order, form), target)
    else:
        {"json": write_json, "graphml": write_graphml, "dot": write_dot}[form](order, target)


def _spell_text(order: OrderLike, form: str) -> str:
    if form == "tex":
        from porank.drawing.tikz import to_tikz

        require_quick_diagram(order)
        return f"{to_tikz(order, progress=True)}\n"
    from porank.convert.notation import format_order

    return f"{format_order(order)}\n"


def _spell_profile(found: Any, path: str) -> bytes:
    from porank.readwrite.preflib_writing import write_preflib

    if is_by_query(found):
        found = Profile(list(found.values()))
    profile = found if isinstance(found, Profile) else Profile([found])
    kind = suffix_of(path).removeprefix(".")
    if kind != "wmd":
        _require_ballots(profile)
    target = io.BytesIO()
    write_preflib(profile, target, data_type=kind if kind in PREFLIB else None)
    return target.getvalue()


def _require_ballots(profile: Profile) -> None:
    """Raise an error for a cycle, which PrefLib holds only as a graph with weights."""
    from porank.core.compiled_order import compile_order

    for order in profile.orders:
        weights = [weight for *_, weight in order.edges(data="weight")] if _is_graph(order) else []
        if None in weights:
            compile_order(order)


def _is_graph(order: OrderLike) -> bool:
    return isinstance(order, nx.Graph)


def _spell_trec(found: Any, form: str, query: str | None) -> bytes:
    """Return orders by query as a file of TREC; a ranking has scores, the worst level 1."""
    from porank.readwrite.trec import write_trec_prefs, write_trec_qrels, write_trec_run

    by_query = found if is_by_query(found) else {query or "1": _one(found)}
    target = io.BytesIO()
    if form == "trec-prefs":
        write_trec_prefs(by_query, target)
        return target.getvalue()
    scores = {name: _scores_of(order) for name, order in by_query.items()}
    (write_trec_run if form == "trec-run" else write_trec_qrels)(scores, target)
    return target.getvalue()


def _scores_of(order: OrderLike) -> Any:
    if isinstance(order, Ranked):
        return dict(sorted(order.items(), key=itemgetter(1), reverse=True))
    return next(Profile([order]).scores()) if isinstance(order, nx.Graph) else order


def write_stdout(content: bytes, form: str) -> None:
    """Write the content of a file to standard output, which must not be a terminal for Parquet."""
    if form != "parquet":
        sys.stdout.write(content.decode())
        return
    require_no_terminal(form)
    sys.stdout.flush()
    sys.stdout.buffer.write(content)


def require_no_terminal(form: str) -> None:
    """Raise an error if bytes that are no text would go to a terminal."""
    is_text = getattr(sys.stdout, "buffer", None) is None or sys.stdout.isatty()
    if form == "parquet" and is_text:
        raise PorankError("expected a file or a pipe for Parquet, found a terminal")


#: So many boxes, and so many lines between them, take about a minute.
_MOST_BOXES, _MOST_LINES = 3_000, 20_000


def require_quick_diagram(order: OrderLike) -> None:
    """Raise an error if the diagram of an order has too many boxes or lines for a minute."""
    from porank.core.compiled_order import compile_order
    from porank.drawing.boxes import boxed

    boxes = boxed(order).graph
    _require("boxes", len(boxes), _MOST_BOXES)
    lines = sum(len(row) for row in compile_order(boxes).relation.reduced_rows())
    _require("lines", lines, _MOST_LINES)


def _require(what: str, number: int, most: int) -> None:
    if number > most:
        raise PorankError(
            f"expected at most {most:,} {what} in the diagram, found {number:,}; porank hasse "
            "--large draws it all the same, and porank ranks tells where each item stands"
        )
