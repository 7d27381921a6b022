"""Read and write an order in any format, which the suffix of the file or an option tells.

`FORMATS` is the table of formats: suffixes, reader, writer, and what is lost. `read_order` and
`write_order` use it. `read_any` returns all that a file has, `order_of` chooses one order of it,
and `spell` returns the content of a file; `form_of` is the format of a file.

`spell_columns` writes columns, `is_by_query` recognises orders by query, and `numbers_on` finds the
numbers of pairs that a format could lose.
"""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from inspect import signature
from io import BytesIO
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx

from porank.clicks.log_formats import are_of_log
from porank.convert.notation import format_order, parse
from porank.convert.pair_tables import graph_of_support, matrix_in, read_pair_groups
from porank.convert.profiles import Profile
from porank.convert.rankings import from_matrix
from porank.core import csv_cells
from porank.core.arguments import require_one_of
from porank.core.columns import open_source
from porank.core.compiled_order import as_graph
from porank.core.files import (
    DAMAGED,
    Text,
    in_its_encoding,
    name_of,
    opened,
    write_content,
    write_text,
)
from porank.core.graphs import graph_of
from porank.core.scores import Ranks
from porank.errors import ParseError, PorankError, listed, quoted
from porank.readwrite import csv_files, diagrams, graphml, preflib, trec

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from porank.typing import OrderLike


class Content(BytesIO):
    """The uncompressed content of a file, with the name that messages use for it."""

    name = ""


class Format(NamedTuple):
    """A file format: how to read and write it, and what it loses."""

    suffixes: tuple[str, ...] = ()
    #: Takes a `Content`, and the options of `read_order` that its signature has.
    read: Callable[..., Any] | None = None
    #: Takes the orders and a `Content`, which has a name if its suffix is one of the format. It
    #: returns a text, or writes.
    write: Callable[[Any, Content], str | None] | None = None
    loses: tuple[str, ...] = ()
    holds: str = "one order"


def _read_notation(source: Content) -> nx.DiGraph:
    """Return the graph in a file in the notation."""
    with Text(source) as text:
        return parse(text.read())


def _read_table(
    form: str, source: Content, *, by: Any = None, delimiter: Any = None, counts: bool = False
) -> Any:
    """Return the pairs or ranks in a table, recognised by the header or the format."""
    suffix = next(iter(FORMATS[form].suffixes), "")
    sign = delimiter or ("\t" if form == "tsv" else None)
    table = open_source(source, delimiter=sign, suffix=suffix)
    names = table.names
    pair, ranked = csv_cells.pair_columns(names), csv_cells.rank_columns(names)
    if form == "ranks" or (ranked and not pair):
        group = _grouping(names if ranked else (), by, (*_GROUPS, *_RANKERS))
        columns = ranked or csv_files.RANK_COLUMNS
        ranks, _ = csv_files.read_rank_numbers(table, columns, by=group)
        return ranks.get("", Ranks()) if group is None else ranks
    if pair is None and form != "pairs":
        if (matrix := matrix_in(table)) is not None:
            items, rows = matrix
            G = from_matrix(rows, items)
            weights = {(u, v): weight for u, v, weight in G.edges(data="weight")}
            return graph_of_support(weights, items) if counts else G
        _require_known(names, source.name)
    group = _grouping(names if pair else (), by)
    graphs = read_pair_groups(table, by=group, counts=counts)
    return graphs.get("", graph_of()) if group is None else graphs


def _require_known(names: Sequence[str], source: str) -> None:
    """Raise an error if the first row of a file is not the header of an order."""
    hint = 'format="pairs" and format="ranks" read a table without a header'
    hint += ', cells="ranks" (or scores, items) of Profile.from_table a row for each voter'
    if not {"score", "grade"}.isdisjoint(map(csv_cells.plain_name, names)):
        hint = "evaluate takes such tables"
    elif are_of_log(names):
        hint = "explore takes logs"
    if names:
        expected = "expected the columns preferred, other or item, rank"
        raise ParseError(f"{expected}, found {listed(names)}", hint=hint, source=source)


#: Columns of these names identify groups. Users, judges and sessions are not groups: their
#: preferences are counted.
_GROUPS = ("query", "prompt", "qid", "group")
#: Columns that identify rankings, too.
_RANKERS = ("user", "userid", "voter", "judge", "annotator", "rater", "session")


def _grouping(names: Sequence[str], by: Any, usual: Sequence[str] = _GROUPS) -> str | None:
    """Return the column that identifies groups in a table, unless groups are merged."""
    plain = csv_cells.by_plain_name(names)
    wanted = usual if by is None else [by, csv_cells.plain_name(by)] if by else ()
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
    csv_files.write_pairs(G, target, columns=("preferred", "other", number), delimiter=delimiter)


def spell_columns(columns: Mapping[str, Sequence[Any]], form: str) -> bytes:
    """Return columns as the content of a CSV or TSV file."""
    rows = (columns, *zip(*columns.values(), strict=True))
    spelled = (["" if cell is None else str(cell) for cell in row] for row in rows)
    return csv_cells.spell_rows(spelled, "\t" if form == "tsv" else ",").encode()


def _write_profile(found: Any, target: Content) -> None:
    """Write an order, or many, as a PrefLib file."""
    if is_by_query(found):
        found = Profile(list(found.values()))
    preflib.write_preflib(found if isinstance(found, Profile) else Profile([found]), target)


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


def _spell_tikz(order: OrderLike) -> str:
    """Return the Hasse diagram as LaTeX."""
    from porank.drawing.tikz import to_tikz

    return f"{to_tikz(order)}\n"


_PAIRS_ONLY = ("ties",)
_NO_NUMBERS = ("weight", "support")
#: The formats by name: a format that can be read has a reader, one that can be written a writer.
FORMATS = {
    "notation": Format(
        (".txt",), _read_notation, lambda order, _: f"{format_order(order)}\n", _NO_NUMBERS
    ),
    "csv": Format((".csv",), partial(_read_table, "csv"), partial(_write_pairs, ","), _PAIRS_ONLY),
    "tsv": Format(
        (".tsv", ".tab"), partial(_read_table, "tsv"), partial(_write_pairs, "\t"), _PAIRS_ONLY
    ),
    "pairs": Format((), partial(_read_table, "pairs")),
    "ranks": Format(
        (),
        partial(_read_table, "ranks"),
        partial(csv_files.write_ranks, delimiter=","),
        _NO_NUMBERS,
    ),
    "graphml": Format((".graphml",), graphml.read_graphml, graphml.write_graphml),
    "parquet": Format((".parquet", ".pq"), partial(_read_table, "parquet")),
    "preflib": Format(
        (".soc", ".soi", ".toc", ".toi", ".cat"),
        preflib.read_preflib,
        _write_profile,
        _NO_NUMBERS,
        "many orders",
    ),
    "trec-run": Format(
        (".run",), trec.read_trec_run, partial(_write_scores, trec.write_trec_run), holds="queries"
    ),
    "trec-qrels": Format(
        (".qrels",),
        trec.read_trec_qrels,
        partial(_write_scores, trec.write_trec_qrels),
        holds="queries",
    ),
    "jsonl": Format((".jsonl", ".ndjson"), partial(_read_table, "jsonl")),
    "dot": Format((".dot", ".gv"), None, lambda order, _: diagrams.to_dot(order)),
    "mermaid": Format((".mmd",), None, lambda order, _: diagrams.to_mermaid(order)),
    "tex": Format((".tex",), None, lambda order, _: _spell_tikz(order), _NO_NUMBERS),
    "html": Format((".html", ".htm")),
} | {n: Format((f".{n}",), partial(_read_table, n)) for n in ("json", "arrow", "feather")}


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


INPUTS = tuple(name for name, form in FORMATS.items() if form.read)
OUTPUTS = tuple(name for name, form in FORMATS.items() if form.write)
#: Formats that hold an order for each query.
TREC = tuple(name for name, form in FORMATS.items() if form.holds == "queries")
_FORM_OF = {suffix: name for name, form in FORMATS.items() for suffix in form.suffixes}


def read_order(
    source: Any,
    *,
    format: str | None = None,  # noqa: A002
    group: str | None = None,
    by: str | tuple[()] | None = None,
    delimiter: str | None = None,
    counts: bool = False,
    unranked: str = "ignore",
) -> OrderLike:
    r"""Read an order from a file of any format that porank knows.

    Parameters
    ----------
    source : path or open file
        A file, compressed if its name ends in .gz.
    format : str, optional
        Format of the file: "notation", "csv", "tsv", "pairs", "ranks", "graphml", "parquet",
        "preflib", "trec-run", "trec-qrels", "jsonl", "json", "arrow" or "feather". By default that
        of the suffix, or notation for an open file without a name. A table has the columns
        ``preferred, other``, and optionally ``weight`` or ``support``; or ``item, rank``; or it is
        a matrix with a row for each column. "pairs" and "ranks" are tables without a header.
    group : str, optional
        Query of a TREC file, or group of a table of pairs, to read if there are several.
    by : str or (), optional
        Column that identifies groups of pairs or of ranks, by default query, prompt, qid or group,
        and for ranks user, voter, judge, annotator, rater or session, if present; () merges groups.
    delimiter : str, optional
        Separator of cells in a table, by default found in its first line.
    counts : bool
        Whether to count the lines of a table of pairs, as `read_pairs` does.
    unranked : {"ignore", "last"}
        Whether items that a PrefLib order does not list are absent or tied below the others.

    Returns
    -------
    DiGraph, ranks, or scores
        What the file has: graphs of pairs, which may have cycles; ranks of a table of ranks; scores
        of TREC and PrefLib files. All functions of porank take any of them as an order.

    Raises
    ------
    ParseError
        If the file does not have this format.
    PorankError
        If the format is unknown, or the file has several orders and `group` names none of them.

    See Also
    --------
    write_order, read_pairs, read_ranks, read_preflib, read_trec_run, from_log

    Examples
    --------
    >>> import porank as po
    >>> import io
    >>> po.read_order(io.StringIO("tea > milk ~ water"))
    tea > milk ~ water
    >>> table = "query,preferred,other\nq1,tea,milk\nq2,milk,tea\n"
    >>> po.read_order(io.StringIO(table), format="csv", group="q2")
    milk > tea
    >>> po.read_order(io.StringIO(table), format="csv")
    Traceback (most recent call last):
    porank.errors.PorankError: expected one query or group, found 'q1', 'q2'; group= selects one,
    and by=() merges the groups of a table

    Notes
    -----
    Time linear in the file. Options that do not concern a format are ignored.
    """
    options = {"by": by, "delimiter": delimiter, "counts": counts, "unranked": unranked}
    return order_of(read_any(source, format, **options), name_of(source), group)


def write_order(order: Any, path: Any, *, format: str | None = None) -> None:  # noqa: A002
    """Write an order to a file in any format that porank knows.

    Parameters
    ----------
    order : DiGraph, ranks, or scores (larger is better)
        The order. PrefLib files also hold a `Profile`, and TREC files a mapping query -> order.
    path : path or open file
        An existing file is replaced only after everything has been written. It is compressed if its
        name ends in .gz.
    format : str, optional
        Format of the file: "notation", "csv", "tsv", "ranks", "graphml", "parquet", "preflib",
        "trec-run", "trec-qrels", "dot", "mermaid" or "tex". By default that of the suffix, or
        notation for an open file without a name.

    Raises
    ------
    PorankError
        If the format is unknown, or cannot hold the order.
    CycleError
        If the graph has a cycle and the format holds only orders.

    See Also
    --------
    read_order, write_pairs, write_graphml, to_dot, to_tikz, draw_hasse, write_page

    Examples
    --------
    >>> import porank as po
    >>> import io
    >>> file = io.StringIO()
    >>> po.write_order(po.parse("tea > milk ~ water"), file, format="ranks")
    >>> print(file.getvalue(), end="")
    item,rank
    tea,1
    milk,2
    water,2

    Notes
    -----
    Time linear in the file, plus laying out the diagram for "tex". Tables of pairs lose known ties;
    notation, ranks, PrefLib, TREC and "tex" lose the weights of pairs.
    """
    write_content(spell(order, form_of(path, format, known=OUTPUTS), path=name_of(path)), path)


def read_any(source: Any, given: str | None = None, **options: Any) -> Any:
    """Return all that a file has: a graph, ranks, a profile, or a dictionary query -> order."""
    content = content_of(source)
    read: Any = FORMATS[form_of(source, given)].read
    takes = signature(read).parameters
    return read(content, **{name: options[name] for name in options if name in takes})


def content_of(source: Any) -> Content:
    """Return the uncompressed content of a path or an open file."""
    with ExitStack() as lent, in_its_encoding():
        try:
            found = opened(source, lent).read()
        except DAMAGED as error:
            message = f"cannot decompress the file: {error}"
            raise ParseError(message, source=name_of(source)) from None
    content = Content(found.encode() if isinstance(found, str) else found)
    content.name = name_of(source)
    return content


def form_of(
    file: Any, given: str | None, *, option: str = "format=", known: Sequence[str] = INPUTS
) -> str:
    """Return the format given by an option, or else by the name of a file."""
    if given is not None:
        return require_one_of(given, known, name="format")
    suffix = _suffix_of(name_of(file))
    is_open = hasattr(file, "read") or hasattr(file, "write")
    found = known[0] if is_open and not suffix else _FORM_OF.get(suffix, suffix[1:])
    if found not in known:
        instead = f"{option} names the format: {', '.join(known)}"
        name = name_of(file) or file
        raise PorankError(f"expected a file name with a known suffix, found {name!r}; {instead}")
    return found


def _suffix_of(name: str) -> str:
    """Return the suffix that tells the format of a file, without ``.gz``."""
    return PurePath(name.removesuffix(".gz")).suffix.lower()


def order_of(found: Any, source: str, group: str | None) -> OrderLike:
    """Return the order in a file, or that of the query or group if there are several."""
    if not is_by_query(found):
        if group is not None:
            raise PorankError("expected queries or groups, found none", source=source)
        return _only_order(found, source)
    if group is None and len(found) == 1:
        (group,) = found
    if group not in found:
        missing = "" if group is None else f" {quoted(group)}"
        raise PorankError(
            f"expected one query or group{missing}, found {listed(found) or 'none'}",
            hint="group= selects one, and by=() merges the groups of a table",
            source=source,
        )
    order: OrderLike = found[group]
    return order


def _only_order(found: Any, source: str = "") -> OrderLike:
    """Return the one order in the content of a file; a profile may have one order, too."""
    orders = found.orders if isinstance(found, Profile) else [found]
    if len(orders) != 1:
        raise PorankError(
            f"expected one order, found {len(orders)} orders",
            hint="aggregate combines them into one, and PrefLib's formats hold many",
            source=source,
        )
    order: OrderLike = orders[0]
    return order


def spell(found: Any, form: str, *, path: str = "", group: str | None = None) -> bytes:
    """Return an order, a profile, or orders by query as the content of a file."""
    chosen, suffix, target = FORMATS[form], _suffix_of(path), Content()
    write: Any = chosen.write
    if chosen.holds == "one order":
        found = _only_order(found)
    elif form in TREC and not is_by_query(found):
        found = {group or "1": _only_order(found)}
    if suffix in chosen.suffixes:  # it tells the type of a PrefLib file
        target.name = PurePath(path.removesuffix(".gz")).name
    write_text(write(found, target) or "", target)
    return target.getvalue()
