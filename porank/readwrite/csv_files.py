"""Orders as CSV or TSV, or other tables to read: preference pairs, and tables of ranks.

A table of pairs has a line for each edge, ``preferred,other,weight``. A table of ranks has a line
for each item, ``item,rank``; smaller ranks are better.

`read_pairs`, `write_pairs`; `read_ranks`, `write_ranks`, and `read_rank_numbers`, which keeps the
numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.convert.pair_tables import (
    PAIR_COLUMNS,
    find_columns,
    opened_table,
    read_pair_groups,
    take_rows,
)
from porank.convert.rankings import from_ranks, levels_of
from porank.core.arguments import require_amount, require_flag, require_item, texts_of
from porank.core.columns import as_label, is_missing
from porank.core.compiled_order import as_graph
from porank.core.csv_cells import choose_delimiter, read_number, require_columns, spell_rows
from porank.core.files import Problems, name_of, write_text
from porank.core.graphs import graph_of
from porank.core.labels import warn_of_alike
from porank.core.scores import Ranks
from porank.errors import ParseError, PorankError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from porank.typing import Item, OrderLike


def read_pairs(
    source: Any,
    *,
    columns: Sequence[str | int] = PAIR_COLUMNS,
    counts: bool = False,
    delimiter: str | None = None,
    errors: str = "raise",
) -> nx.DiGraph:
    r"""Read a graph from a table of preference pairs.

    Parameters
    ----------
    source : path, open file, or table
        A CSV, JSON Lines, JSON, Parquet or Arrow file by its suffix, or a frame, an Arrow table,
        columns or rows. CSV is a text in UTF-8, compressed if its name ends in .gz. Blanks around
        cells are ignored, and lines with only empty cells are skipped. All other lines have as many
        cells as the first. A line with an empty `other` adds an item.
    columns : sequence of str or int
        Names of the columns for the preferred item, the other item and the weight, in any order
        among other columns; or their positions, counted from 0, in a file without a header.
        With two columns, weights are not read. If these are the default names, ``weight`` may be
        missing, ``better, worse``, ``winner, loser``, ``chosen, rejected``, ``best, worst`` and
        ``top, bottom`` are accepted, too, and a file without any of these names has no header.
        Instead of a weight, a column called ``support``, ``times``, ``count``, ``counts``, ``n``,
        ``wins``, ``freq`` or ``frequency`` has counts, and so has one called ``support`` that is
        named here.
    counts : bool
        Whether to count lines, as is done if there is a column of counts. If so, each edge has
        ``support``, the number of its lines or the sum of their weights, and ``against``, that of
        the opposite pair, as `feedback_relation` expects them. Otherwise a repeated pair must have
        the same weight and is ignored.
    delimiter : str, optional
        Separator of cells. By default a tab for files that end in .tsv or .tab, otherwise a comma;
        if the first line has no comma, a semicolon, tab or bar that it contains.
    errors : {"raise", "report"}
        ``"raise"`` stops at the first bad line; ``"report"`` skips bad lines and lists them in
        ``G.graph["problems"]``.

    Returns
    -------
    DiGraph
        Items are texts, in order of appearance. Weights are the edge attribute ``weight``: an int
        if written as one, otherwise a float. Cycles are kept.

    Raises
    ------
    ParseError
        If a line does not have this form; and, with any `errors`, if the header lacks a column.
    PorankError
        If `source` is no file or table, or an option is unknown.

    Warns
    -----
    UserWarning
        If a cell of a CSV file has the end of a line, perhaps because of a stray quote, or if items
        differ only in case, blanks, width or type.

    See Also
    --------
    write_pairs, from_pairs

    Examples
    --------
    >>> import porank as po
    >>> import io
    >>> G = po.read_pairs(io.StringIO("preferred,other,weight\nA,B,2\nA,C,0.5\nD,,\n"))
    >>> list(G.edges(data="weight")), list(G)
    ([('A', 'B', 2), ('A', 'C', 0.5)], ['A', 'B', 'C', 'D'])
    >>> po.read_pairs(io.StringIO("A,B\nB,A\nA,B\n"), counts=True).edges["A", "B"]
    {'support': 2, 'against': 1}
    >>> G = po.read_pairs(io.StringIO("A,B\nC\n"), errors="report")
    >>> list(G.edges), [str(problem) for problem in G.graph["problems"]]
    ([('A', 'B')], ['line 2: expected 2 cells, found 1'])

    Notes
    -----
    Time linear in the file.
    """
    require_columns(columns, most=3)
    problems = Problems(errors)
    counts = require_flag(counts, name="counts")
    groups = read_pair_groups(source, columns, delimiter, counts=counts, problems=problems)
    G = groups.get("") or graph_of()
    if not problems.is_strict:
        G.graph["problems"] = problems.by_line()
    return G


def write_pairs(
    G: nx.DiGraph,
    path: Any,
    *,
    columns: Sequence[str] = PAIR_COLUMNS,
    delimiter: str | None = None,
) -> None:
    """Write the edges of a graph to a CSV file of preference pairs, with a header.

    Parameters
    ----------
    G : DiGraph
        The graph, which may have cycles.
    path : path or open file
        An existing file is replaced only after everything has been written.
    columns : sequence of str
        Names of the columns for the preferred item, the other item and the weight. The third column
        has the edge attribute of that name, such as ``support``, if any edge has it, otherwise
        ``weight``. It is omitted if no edge has either, or if only two names are given.
    delimiter : str, optional
        Separator of cells. By default a tab for files that end in .tsv or .tab, otherwise a comma.

    Raises
    ------
    PorankError
        If two items have the same text, a text is empty, a weight is not a finite number >= 0, or
        `path` is neither a path nor an open file.

    See Also
    --------
    read_pairs, from_pairs

    Examples
    --------
    >>> import networkx as nx
    >>> import porank as po
    >>> import io
    >>> file = io.StringIO()
    >>> po.write_pairs(nx.DiGraph([("A", "B"), ("A, too", "B")]), file)
    >>> print(file.getvalue(), end="")
    preferred,other
    A,B
    "A, too",B
    >>> G = nx.DiGraph()
    >>> G.add_edge("A", "B", support=7, against=2)
    >>> file = io.StringIO()
    >>> po.write_pairs(G, file, columns=("preferred", "other", "support"))
    >>> print(file.getvalue(), end="")
    preferred,other,support
    A,B,7

    Notes
    -----
    Time O(n + m). Other attributes are not written. A table of pairs loses known ties; the text of
    `format_order` keeps them.
    """
    G = as_graph(G)
    require_columns(columns, most=3, positions=False)
    labels = _cells_of(G)
    weights = _written_weights(G, columns[2]) if len(columns) == 3 else [""] * len(G.edges)
    width = 3 if any(weights) else 2
    rows = [list(columns)]
    rows += [[labels[u], labels[v], w] for (u, v), w in zip(G.edges, weights, strict=True)]
    rows += [[labels[item], "", ""] for item in nx.isolates(G)]
    _write_rows((row[:width] for row in rows), delimiter, path)


def _cells_of(items: Iterable[Item]) -> dict[Item, str]:
    """Return the texts of items as cells of a table that can be read again."""
    texts = texts_of(items)
    for item, text in texts.items():
        if not text or text != as_label(text):
            found = f"whose text {'is not composed (NFC)' if text else 'is empty'}"
            found = "whose text has blanks around it" if text != text.strip() else found
            raise PorankError(f"expected items with a text, found {quoted(item)}, {found}")
    return texts


def _write_rows(rows: Iterable[Sequence[str]], delimiter: str | None, path: Any) -> None:
    """Write rows of texts to a CSV file."""
    sign = choose_delimiter(delimiter, name_of(path))
    write_text(spell_rows(rows, sign), path)


def _written_weights(G: nx.DiGraph, column: str) -> list[str]:
    """Return the third column of a CSV file of pairs: a weight for each edge."""
    has_column = any(value is not None for *_, value in G.edges(data=column))
    name = column if has_column else "weight"
    return [_written_weight(edge, value, name) for *edge, value in G.edges(data=name)]


def _written_weight(edge: Sequence[Item], weight: Any, name: str) -> str:
    """Return the weight of an edge as a cell from which the same number is read."""
    if weight is None:
        return ""
    given = int(weight) if isinstance(weight, (bool, np.bool_)) else weight
    amount = require_amount(given, name=f"{name} of {quoted(edge[0])} > {quoted(edge[1])}")
    # A subclass of a number, such as an enumeration, may have its own text.
    return repr(int(amount) if isinstance(amount, int) else float(amount))


RANK_COLUMNS = ("item", "rank")
#: A hint for tables of the ranks of several users.
_ONE_OF_SEVERAL = "read_order(path, by=..., group=...) reads the ranking of one user"


def read_ranks(
    source: Any,
    *,
    columns: Sequence[str | int] = RANK_COLUMNS,
    delimiter: str | None = None,
    errors: str = "raise",
) -> nx.DiGraph:
    r"""Read a weak order from a table of ranks.

    Parameters
    ----------
    source : path, open file, or table
        A CSV, JSON Lines, JSON, Parquet or Arrow file by its suffix, or a frame, an Arrow table,
        columns or rows. CSV is a text in UTF-8, compressed if its name ends in .gz. Blanks around
        cells are ignored, and lines with only empty cells are skipped. All other lines have as many
        cells as the first.
    columns : pair of str or int
        Names of the columns for the item and its rank, in any order among other columns; or
        their positions, counted from 0, in a file without a header. A file without the default
        names has no header.
    delimiter : str, optional
        Separator of cells. By default a tab for files that end in .tsv or .tab, otherwise a comma;
        if the first line has no comma, a semicolon, tab or bar that it contains.
    errors : {"raise", "report"}
        ``"raise"`` stops at the first bad line; ``"report"`` skips bad lines and lists them in
        ``G.graph["problems"]``.

    Returns
    -------
    DiGraph
        The order as `from_ranks` builds it; equal ranks are tied.

    Raises
    ------
    ParseError
        If a line does not have this form, or an item has two ranks; and, with any `errors`, if the
        header lacks a column.
    PorankError
        If `source` is no file or table, an option is unknown, or the graph would have more than
        10**7 edges.

    Warns
    -----
    UserWarning
        If a cell of a CSV file has the end of a line, perhaps because of a stray quote, or if items
        differ only in case, blanks, width or type.

    See Also
    --------
    write_ranks, from_ranks

    Examples
    --------
    >>> import porank as po
    >>> import io
    >>> G = po.read_ranks(io.StringIO("item,rank\nA,2\nB,1\nC,2.5\n"))
    >>> list(G.edges)
    [('A', 'C'), ('B', 'A')]
    >>> G = po.read_ranks(io.StringIO("item,rank\nA,2\nB,first\n"), errors="report")
    >>> list(G), [str(problem) for problem in G.graph["problems"]]
    (['A'], ["line 3: expected a finite number as rank, found 'first'"])

    Notes
    -----
    Time O(n log n + m).
    """
    ranks, problems = read_rank_numbers(source, columns, delimiter, errors)
    G = from_ranks(ranks.get("", {}))
    if not problems.is_strict:
        G.graph["problems"] = problems.by_line()
    return G


def read_rank_numbers(
    source: Any,
    columns: Sequence[str | int] = RANK_COLUMNS,
    delimiter: str | None = None,
    errors: str = "raise",
    *,
    by: str | None = None,
) -> tuple[dict[str, Ranks], Problems]:
    r"""Return the ranks in a table by the values of a column, or under "", and the bad lines."""
    require_columns(columns, most=2)
    problems = Problems(errors)
    ranks_of, groups = dict[str, Ranks](), () if by is None else (by,)

    def take(cells: list[Any], _: int) -> None:
        """Add the item of a line with its rank."""
        *group, item, cell = cells
        ranks = ranks_of.setdefault("".join(map(str, group)), Ranks())
        if is_missing(item):
            raise ParseError("expected an item, found an empty cell")
        require_item(item)
        rank = read_number(str(cell), "rank")
        if item in ranks:
            found = f"found {quoted(item)} again"
            raise ParseError(f"expected one rank for each item, {found}", hint=_ONE_OF_SEVERAL)
        ranks[item] = rank

    with opened_table(source, delimiter, problems) as table:
        wanted = find_columns(table, columns, RANK_COLUMNS)
        take_rows(table, [*groups, *wanted], problems, take)
    warn_of_alike(item for ranks in ranks_of.values() for item in ranks)
    return ranks_of, problems


def write_ranks(
    order: OrderLike,
    path: Any,
    *,
    columns: Sequence[str] = RANK_COLUMNS,
    delimiter: str | None = None,
) -> None:
    """Write a weak order with known ties to a CSV file of ranks, best first, with a header.

    Parameters
    ----------
    order : DiGraph, ranks, or scores (larger is better)
        An order in which each two items are either ordered or known to be tied.
    path : path or open file
        An existing file is replaced only after everything has been written.
    columns : pair of str
        Names of the columns for the item and its rank.
    delimiter : str, optional
        Separator of cells. By default a tab for files that end in .tsv or .tab, otherwise a comma.

    Raises
    ------
    CycleError
        If the graph has a cycle.
    NotApplicableError
        If two items are incomparable.
    PorankError
        If two items have the same text, a text is empty, or `path` is neither a path nor an open
        file.

    See Also
    --------
    read_ranks, from_ranks

    Examples
    --------
    >>> import porank as po
    >>> import io
    >>> file = io.StringIO()
    >>> po.write_ranks({"A": 0.5, "B": 0.9, "C": 0.5, "D": 0.1}, file)
    >>> print(file.getvalue(), end="")
    item,rank
    B,1
    A,2
    C,2
    D,3

    Notes
    -----
    Time O(n log n + m). The rank is 1 plus the number of better levels, as in `set_ranks`.
    """
    require_columns(columns, most=2, positions=False)
    levels = levels_of(order, name="the order")
    texts = _cells_of(item for level in levels for item in level)
    rows = [list(columns)]
    rows += [[texts[item], str(rank)] for rank, level in enumerate(levels, 1) for item in level]
    _write_rows(rows, delimiter, path)
