"""The file formats of the command line in one table: suffixes, reader, writer, and what is lost.

`FORMATS` is the table. `form_of` returns the format given by an option or by a name, and `spell`
writes an order as bytes. A reader reads a `Content` with the `InputOptions`. `matrix_of` recognises
a matrix by its columns.
"""

from __future__ import annotations

from contextlib import suppress
from io import BytesIO
from itertools import chain
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import networkx as nx

import porank as po
from porank.clicks.log_formats import LogReader, are_of_log
from porank.convert.pair_tables import PAIR_COLUMNS, graph_of_support, read_pair_groups
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
from porank.core.scores import Ranks
from porank.errors import ParseError, PorankError, listed
from porank.readwrite.csv_files import RANK_COLUMNS, read_rank_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from porank.typing import OrderLike


class Content(BytesIO):
    """The uncompressed content of an input, with the name that messages use for it."""

    def __init__(self, content: bytes, name: str) -> None:
        super().__init__(content)
        self.name = name


class InputOptions(NamedTuple):
    """The options of the command line for reading inputs."""

    query: str | None = None
    delimiter: str | None = None
    unranked: str = "ignore"
    #: Column that identifies groups, or "none".
    by: str | None = None
    #: Whether to count lines of pairs, or the numbers beside them.
    counts: bool = False


Reader: TypeAlias = "Callable[[Content, InputOptions], Any]"
#: Takes the orders, a stream and the suffix of the file.
Writer: TypeAlias = "Callable[[Any, BytesIO, str], object]"


class Format(NamedTuple):
    """A format of the command line: how to read and write it, and what it loses."""

    suffixes: tuple[str, ...] = ()
    read: Reader | None = None
    write: Writer | None = None
    loses: tuple[str, ...] = ()
    holds: str = "one order"


def _reader(name: str) -> Reader:
    """Return a reader that calls the public function of that name."""
    return lambda source, _: getattr(po, name)(source)


def _read_notation(source: Content, _: InputOptions) -> nx.DiGraph:
    """Return the graph in a file in the notation."""
    with Text(source) as text:
        return po.parse(text.read())


def _table_reader(form: str) -> Reader:
    """Return a reader of tables of pairs or ranks, recognised by the header or the format."""

    def read(source: Content, how: InputOptions) -> Any:
        table = _table_in(source, form, how)
        names = table.names
        pair, ranked, number = pair_columns(names), rank_columns(names), number_column(names)
        if form == "ranks" or (ranked and not pair):
            return Ranks(read_rank_numbers(table, ranked or RANK_COLUMNS)[0])
        if pair is None and form != "pairs":
            matrix = matrix_of(_columns_of(table), counts=how.counts)
            if matrix is not None:
                return matrix
            _require_known(names, source.name)
        columns: Sequence[str] = PAIR_COLUMNS
        if pair:
            columns = (*pair, number) if number else pair
        by = _grouping(names if pair else (), how)
        graphs = read_pair_groups(table, columns, by=by, counts=_are_counted(number, how))
        return graphs.get("", po.from_pairs(())) if by is None else graphs

    return read


def _table_in(source: Content, form: str, how: InputOptions) -> Source:
    """Return the table in a file."""
    if form == "parquet":
        return ParquetSource(source, source.name)
    is_split = form == "tsv" and b"\t" in source.getvalue()
    return CsvSource(source, delimiter=how.delimiter or ("\t" if is_split else None))


def _require_known(names: Sequence[str], source: str) -> None:
    """Raise an error if the first row of a file is not the header of an order."""
    is_scored = not {"score", "grade"}.isdisjoint(name.strip().lower() for name in names)
    if are_of_log(names) and not is_scored:
        log = LogReader(names, {}, ("click", "view"))
        raise PorankError(
            f"expected pairs or ranks, found a log of {log.name} with the columns {listed(names)}; "
            "porank mine FILE -o pairs.csv extracts pairs, porank explore FILE analyses it",
            source=source,
        )
    if names:
        raise ParseError(
            f"expected the columns preferred, other or item, rank, found {listed(names)}"
            f"{'; porank evaluate takes such tables' * is_scored}",
            hint="--from pairs and --from ranks read a table without a header",
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
            G = po.from_matrix(rows, items)
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


def _grouping(names: Sequence[str], how: InputOptions) -> str | None:
    """Return the column that identifies groups in a table of pairs, unless groups are merged."""
    if how.by == "none":
        return None
    plain = {name.strip().lower(): name for name in names}
    wanted = _GROUPS if how.by is None else (how.by.strip().lower(),)
    found = next((plain[name] for name in wanted if name in plain), None)
    if found is None and how.by is not None:
        raise ParseError(
            f"expected the column {how.by} for groups, found {listed(names) or 'no header'}"
        )
    return found


def _are_counted(number: str | None, how: InputOptions) -> bool:
    """Return whether the lines of pairs, or the numbers in this column, are counts of sessions."""
    return how.counts or (number is not None and number.strip().lower() == "support")


def _writer(name: str) -> Writer:
    """Return a writer that calls the public function of that name."""
    return lambda order, target, *_: getattr(po, name)(order, target)


def _text_writer(name: str) -> Writer:
    """Return a writer of the text that the public function of that name returns."""
    return lambda order, target, *_: write_text(getattr(po, name)(order), target)


def _pair_writer(delimiter: str) -> Writer:
    """Return a writer of pairs with their support or weight."""

    def write(order: OrderLike, target: BytesIO, *_: object) -> None:
        G = as_graph(order)
        number = "support" if nx.get_edge_attributes(G, "support") else "weight"
        po.write_pairs(G, target, columns=("preferred", "other", number), delimiter=delimiter)

    return write


def _write_parquet(order: OrderLike, target: BytesIO, *_: object) -> None:
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


def _write_profile(found: Any, target: BytesIO, suffix: str) -> None:
    """Write an order, or many, in the PrefLib format of the suffix."""
    if is_by_query(found):
        found = po.Profile(list(found.values()))
    profile = found if isinstance(found, po.Profile) else po.Profile([found])
    is_named = suffix in FORMATS["preflib"].suffixes
    po.write_preflib(profile, target, data_type=suffix.removeprefix(".") if is_named else None)


def _score_writer(name: str) -> Writer:
    """Return a writer of scores in a TREC format that calls the public function of that name."""

    def write(by_query: dict[str, Any], target: BytesIO, _: str) -> None:
        scores = {
            query: order
            if type(order) is dict
            else next(po.Profile([order]).scores())  # the lowest level has score 1
            for query, order in by_query.items()
        }
        getattr(po, name)(scores, target)

    return write


_PAIRS_ONLY = ("ties",)
_NO_NUMBERS = ("weight", "support")
#: The formats by name: a format that can be read has a reader, one that can be written a writer.
FORMATS = {
    "notation": Format(
        (".txt",),
        _read_notation,
        lambda order, target, _: write_text(f"{po.format_order(order)}\n", target),
        _NO_NUMBERS,
    ),
    "csv": Format((".csv",), _table_reader("csv"), _pair_writer(","), _PAIRS_ONLY),
    "tsv": Format((".tsv", ".tab"), _table_reader("tsv"), _pair_writer("\t"), _PAIRS_ONLY),
    "pairs": Format((), _table_reader("pairs")),
    "ranks": Format(
        (),
        _table_reader("ranks"),
        lambda order, target, _: po.write_ranks(order, target, delimiter=","),
        _NO_NUMBERS,
    ),
    "graphml": Format((".graphml",), _reader("read_graphml"), _writer("write_graphml")),
    "parquet": Format((".parquet", ".pq"), _table_reader("parquet"), _write_parquet, _PAIRS_ONLY),
    "preflib": Format(
        (".soc", ".soi", ".toc", ".toi", ".cat"),
        lambda source, how: po.read_preflib(source, unranked=how.unranked),
        _write_profile,
        _NO_NUMBERS,
        "many orders",
    ),
    "trec-run": Format(
        (".run",), _reader("read_trec_run"), _score_writer("write_trec_run"), holds="queries"
    ),
    "trec-qrels": Format(
        (".qrels",), _reader("read_trec_qrels"), _score_writer("write_trec_qrels"), holds="queries"
    ),
    "jsonl": Format((".jsonl", ".ndjson")),
    "dot": Format((".dot", ".gv"), None, _text_writer("to_dot")),
    "mermaid": Format((".mmd",), None, _text_writer("to_mermaid")),
    "tex": Format(
        (".tex",),
        None,
        lambda order, target, _: write_text(f"{po.to_tikz(order)}\n", target),
        _NO_NUMBERS,
    ),
    "png": Format((".png",)),
    "svg": Format((".svg",)),
    "pdf": Format((".pdf",)),
    "html": Format((".html", ".htm")),
}
INPUTS = tuple(name for name, form in FORMATS.items() if form.read)
OUTPUTS = tuple(name for name, form in FORMATS.items() if form.write)
#: Formats that functions of porank read as tables by themselves.
TABLES = ("csv", "tsv", "parquet")
#: Formats that hold an order for each query.
TREC = tuple(name for name, form in FORMATS.items() if form.holds == "queries")
_FORM_OF = {suffix: name for name, form in FORMATS.items() for suffix in form.suffixes}


def suffix_of(path: str) -> str:
    """Return the suffix that tells the format of a file, without ``.gz``."""
    return PurePath(path.removesuffix(".gz")).suffix.lower()


def form_of_name(path: str) -> str | None:
    """Return the format that the name of a file implies, or None."""
    return _FORM_OF.get(suffix_of(path))


def form_of(path: str, given: str | None, *, option: str, known: tuple[str, ...] = INPUTS) -> str:
    """Return the format given by an option, or else by the name of the file."""
    found = given or (known[0] if path == "-" else form_of_name(path))
    if found not in known:
        if option == "--from":
            Path(path).open("rb").close()  # a missing file or a folder raises its own error
        instead = f"{option} names the format: {', '.join(known)}"
        if found == "jsonl":
            instead = "porank mine and porank explore read logs in JSON Lines"
        raise PorankError(f"expected a file name with a known suffix, found {path!r}; {instead}")
    return found


def spell(found: Any, form: str, *, path: str = "", query: str | None = None) -> bytes:
    """Return an order, a profile, or orders by query as the content of a file."""
    writer, target = FORMATS[form].write, BytesIO()
    assert writer is not None
    if FORMATS[form].holds == "one order":
        found = only_order(found)
    elif form in TREC and not is_by_query(found):
        found = {query or "1": only_order(found)}
    writer(found, target, suffix_of(path))
    return target.getvalue()


def is_by_query(found: Any) -> bool:
    """Return whether the content is a dictionary of orders by query, not one order's scores."""
    return (
        not isinstance(found, Ranks)
        and isinstance(found, dict)
        and all(isinstance(each, (dict, nx.Graph)) for each in found.values())
    )


def only_order(found: Any, where: str = "to write") -> OrderLike:
    """Return the one order in the content of a file; a profile may have one order, too."""
    if not isinstance(found, po.Profile):
        order: OrderLike = found
    elif len(found.orders) == 1:
        order = found.orders[0]
    else:
        raise PorankError(
            f"expected one order {where}, found {len(found.orders)} orders; porank aggregate and "
            "porank predict combine them into one, and PrefLib's formats hold many"
        )
    return order


def numbers_on(found: Any, names: Sequence[str]) -> list[str]:
    """Return which attributes of edges, weight or support, a format could lose."""
    is_graph = isinstance(found, nx.Graph)
    return [name for name in names if is_graph and nx.get_edge_attributes(found, name)]


def number_of_all_edges(G: Any) -> str | None:
    """Return the attribute, support or weight, that all edges of a graph have, or None."""
    for name in numbers_on(G, ("support", "weight")):
        if all(value is not None for *_, value in G.edges(data=name)):
            return name
    return None
