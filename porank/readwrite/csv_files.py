"""Orders as CSV or TSV: preference pairs, and tables of ranks.

A table of pairs has a line for each edge, ``preferred,other,weight``; a table of ranks one for each
item, ``item,rank``, a smaller rank being better.

`read_pairs`, `write_pairs`; `read_ranks`, `write_ranks`, and `read_rank_numbers`, which keeps the
numbers.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx
import numpy as np

from porank.convert.rankings import from_ranks, graph_of_support, levels_of
from porank.core.arguments import require_amount, require_flag, require_item, texts_of
from porank.core.columns import CsvSource, Source
from porank.core.compiled_order import as_graph
from porank.core.csv_cells import (
    choose_delimiter,
    pair_columns,
    rank_columns,
    read_number,
    require_columns,
    spell_rows,
)
from porank.core.files import Problems, name_of, require_utf8, write_text
from porank.core.labels import is_missing
from porank.errors import ParseError, PorankError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from porank.typing import Item, OrderLike


PAIR_COLUMNS = ("preferred", "other", "weight")


def read_pairs(
    source: Any,
    *,
    columns: Sequence[str | int] = PAIR_COLUMNS,
    counts: bool = False,
    delimiter: str | None = None,
    errors: str = "raise",
) -> nx.DiGraph:
    r"""Return the graph of a CSV file of preference pairs.

    Parameters
    ----------
    source : path or open file
        A text in UTF-8, compressed if its name ends in .gz. Blanks around a cell are not part of
        it; lines without a filled cell are skipped. All others have as many cells as the first. A
        line with an empty `other` adds an item.
    columns : sequence of str or int
        The names in the header of the preferred item, the other and the weight, wherever they
        stand; or their positions, counted from 0, in a file without a header. With two of them
        weights are not read. The default names need not be there: in a file without ``weight``
        there are no weights, and one without the other two has no header; ``better, worse``,
        ``winner, loser`` and ``chosen, rejected`` are taken for them.
    counts : bool
        Whether lines are counted: an edge then has ``support``, the number of its lines, or the sum
        of their weights, and ``against``, that of the opposite pair, as `feedback_relation` takes
        them. Else a pair that is there again must have the same weight, and says nothing more.
    delimiter : str, optional
        By default a tab for files that end in .tsv or .tab, else a comma; where the first line has
        none, a semicolon, a tab or a bar that it has.
    errors : {"raise", "report"}
        Whether the first bad line is an error, or the good lines are returned, with the bad ones in
        ``G.graph["problems"]``.

    Returns
    -------
    DiGraph
        The items are texts, in the sequence in which they first appear. Where a weight is given, it
        is the edge attribute ``weight``: an int if it is written as one, else a float. Cycles are
        kept.

    Raises
    ------
    ParseError
        If a line is not such a line, with its number; or, whatever `errors` says, if the header
        lacks a column.
    PorankError
        If `source` is neither a path nor an open file, or an option is none of those allowed.

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
    G = groups.get("", nx.DiGraph())
    if not problems.is_strict:
        G.graph["problems"] = problems.by_line()
    return G


def read_pair_groups(
    source: Any,
    columns: Sequence[str | int],
    delimiter: str | None = None,
    *,
    by: str | None = None,
    counts: bool = False,
    problems: Problems | None = None,
) -> dict[str, nx.DiGraph]:
    """Return the graphs of a CSV file of preference pairs by the cells of a column, or as ""."""
    what = str(columns[2]) if len(columns) > 2 and isinstance(columns[2], str) else "weight"
    pairs_of: dict[str, _Read] = {}
    groups = () if by is None else (by,)

    def take(cells: list[Any], line: int) -> None:
        """Add what a line says to the pairs of its group."""
        preferred, other, *weight = cells[len(groups) :]
        if _is_empty(preferred):
            raise ParseError("expected a preferred item, found an empty cell")
        require_item((preferred, other))
        numbers = [read_number(str(w), what, least=0) for w in weight if not _is_empty(w)]
        pairs = pairs_of.setdefault("".join(map(str, cells[: len(groups)])), {})
        pair = preferred, None if _is_empty(other) else other
        _add_pair(pairs, pair, next(iter(numbers), None), line, counts=counts)

    problems = problems or Problems("raise")
    _read_table(source, columns, PAIR_COLUMNS, delimiter, problems, take, by=groups)
    return {group: _graph_of(pairs, counts=counts) for group, pairs in pairs_of.items()}


#: Pair of a CSV, or item alone -> its weight or number, and the line where it was read first.
_Read: TypeAlias = "dict[tuple[Item, Item | None], tuple[Any, int]]"


def _is_empty(cell: Any) -> bool:
    """Return whether a cell of a CSV, or of another table, holds nothing."""
    return not cell if isinstance(cell, str) else is_missing(cell)


def _add_pair(
    pairs: _Read, pair: tuple[Item, Item | None], weight: Any, line: int, *, counts: bool
) -> None:
    """Add the pair of a CSV row, or its item; if pairs are not counted, with the same weight."""
    if pair[1] is None and weight is not None:
        raise ParseError("expected no weight where there is no other item")
    if counts:
        pairs[pair] = (pairs.get(pair, (0, 0))[0] + (1 if weight is None else weight), line)
        return
    before, number = pairs.setdefault(pair, (weight, line))
    if before != weight:
        raise ParseError(
            f"expected one weight for the pair {pair[0]!r}, {pair[1]!r}, found "
            f"{'none' if before is None else before} in line {number} "
            f"and {'none' if weight is None else weight} in line {line}"
        )


def _graph_of(pairs: _Read, *, counts: bool) -> nx.DiGraph:
    """Return the graph of the pairs of a CSV."""
    items = [item for pair in pairs for item in pair if item is not None]
    amounts = {(u, v): amount for (u, v), (amount, _) in pairs.items() if v is not None}
    if counts:
        return graph_of_support(amounts, items)
    G = nx.DiGraph()
    G.add_nodes_from(items)
    for (u, v), weight in amounts.items():
        G.add_edge(u, v, **({} if weight is None else {"weight": weight}))
    return G


def _read_table(
    source: Any,
    columns: Sequence[str | int],
    usual: Sequence[str],
    delimiter: str | None,
    problems: Problems,
    take: Callable[[list[Any], int], None],
    *,
    by: Sequence[str] = (),
) -> None:
    """Take in the rows of a CSV of pairs or ranks; those that are bad become problems."""
    opened = source if isinstance(source, Source) else CsvSource(source, delimiter=delimiter)
    with closing(opened) as table:
        problems.source = table.name
        wanted = [*by, *_find_columns(table, columns, usual)] if table.names else []
        for block in table.blocks(list(dict.fromkeys(wanted)), problems):
            found = [block.columns[name] for name in wanted]
            cells: list[Any] = [c.tolist() if isinstance(c, np.ndarray) else c for c in found]
            for line, *row in zip(block.lines.tolist(), *cells, strict=True):
                text = table.delimiter.join(map(str, row))
                try:
                    require_utf8(text)
                    take(row, line)
                except ParseError as error:
                    problems.meet(error, line=line, text=text)


def _find_columns(table: Any, columns: Sequence[str | int], usual: Sequence[str]) -> Sequence[Any]:
    """Return which columns of a CSV hold pairs or ranks: by position, by name, or as usual."""
    header, width = [name.strip().lower() for name in table.names], len(table.names)
    if isinstance(columns[0], int):
        needed = max(map(int, columns[:2])) + 1
        _require(table, width >= needed, f"expected {needed} cells")
        table.take_off_header()
        return [column for column in columns if int(column) < width]
    if tuple(columns) == usual[: len(columns)]:
        # An item may be called so, but no rank.
        telling = {"rank"} if "rank" in usual else set(columns[:2])
        known = (rank_columns if "rank" in usual else pair_columns)(table.names)
        if known:
            weights = [table.names[header.index("weight")]] if "weight" in header else []
            columns = [*known, *weights][: len(columns)]
        elif telling.isdisjoint(header):
            widths = " or ".join(map(str, range(2, len(columns) + 1)))
            _require(table, 2 <= width <= len(columns), f"expected {widths} cells")
            table.take_off_header()
            return range(width)
    for column in columns:
        found = table.names.count(column)
        _require(table, found == 1, f"expected one column {column!r} in the header", found)
    return columns


def _require(table: Any, is_right: bool, expected: str, found: int | None = None) -> None:
    """Raise an error unless the first row of a CSV of pairs or ranks is right."""
    if not is_right:
        message = f"{expected}, found {len(table.names) if found is None else found}"
        hint = "delimiter= names another sign" if len(table.names) == 1 else ""
        error = ParseError(message, hint=hint)
        text = table.delimiter.join(table.names)
        raise error.placed(line=table.header_line, text=text, source=table.name)


def write_pairs(
    G: nx.DiGraph,
    target: Any,
    *,
    columns: Sequence[str] = PAIR_COLUMNS,
    delimiter: str | None = None,
) -> None:
    """Write the edges of a graph as a CSV file of preference pairs, with a header.

    Parameters
    ----------
    G : DiGraph
        The graph, which may have cycles.
    target : path or open file
        A file that is there is replaced when all has been written, and else left as it is.
    columns : sequence of str
        The names in the header of the preferred item, the other and the weight. The third is the
        edge attribute of that name, such as ``support``, if an edge has it, else ``weight``; there
        is no third column when no edge has either, or with two names.
    delimiter : str, optional
        By default a tab for files that end in .tsv or .tab, else a comma.

    Raises
    ------
    PorankError
        If two items have the same text, one has an empty text, a weight is not a finite number
        >= 0, or `target` is neither a path nor an open file.

    See Also
    --------
    read_pairs, from_pairs

    Examples
    --------
    >>> import networkx as nx
    >>> import porank as po
    >>> import io
    >>> target = io.StringIO()
    >>> po.write_pairs(nx.DiGraph([("A", "B"), ("A, too", "B")]), target)
    >>> print(target.getvalue(), end="")
    preferred,other
    A,B
    "A, too",B
    >>> G = nx.DiGraph()
    >>> G.add_edge("A", "B", support=7, against=2)
    >>> target = io.StringIO()
    >>> po.write_pairs(G, target, columns=("preferred", "other", "support"))
    >>> print(target.getvalue(), end="")
    preferred,other,support
    A,B,7

    Notes
    -----
    Time O(n + m). Other attributes are not written. Pairs cannot say that items are known to be
    tied; the text of `format_order` can.
    """
    G = as_graph(G)
    require_columns(columns, most=3, positions=False)
    labels = _cells_of(G)
    weights = _written_weights(G, columns[2]) if len(columns) == 3 else [""] * len(G.edges)
    width = 3 if any(weights) else 2
    rows = [list(columns)]
    rows += [[labels[u], labels[v], w] for (u, v), w in zip(G.edges, weights, strict=True)]
    rows += [[labels[item], "", ""] for item in nx.isolates(G)]
    _write_rows((row[:width] for row in rows), delimiter, target)


def _cells_of(items: Iterable[Item]) -> dict[Item, str]:
    """Return the texts of items as cells of a CSV of pairs or ranks, from which they are read."""
    texts = texts_of(items)
    for item, text in texts.items():
        if not text or text != text.strip(" "):
            found = f"whose text {'has blanks round it' if text else 'is empty'}"
            raise PorankError(f"expected items with a text, found {item!r}, {found}")
    return texts


def _write_rows(rows: Iterable[Sequence[str]], delimiter: str | None, target: Any) -> None:
    """Write rows of texts to a CSV file of pairs or ranks."""
    sign = choose_delimiter(delimiter, name_of(target))
    write_text(spell_rows(rows, sign), target)


def _written_weights(G: nx.DiGraph, column: str) -> list[str]:
    """Return the third column of a CSV of pairs: a weight for each edge."""
    has_column = any(value is not None for *_, value in G.edges(data=column))
    name = column if has_column else "weight"
    return [_written_weight(edge, value, name) for *edge, value in G.edges(data=name)]


def _written_weight(edge: Sequence[Item], weight: Any, name: str) -> str:
    """Return an edge's weight as its CSV cell, from which the same number is read."""
    if weight is None:
        return ""
    given = int(weight) if isinstance(weight, (bool, np.bool_)) else weight
    amount = require_amount(given, name=f"{name} of {edge[0]!r} > {edge[1]!r}")
    # A subclass, such as an enumeration, may print in its own way.
    return repr(int(amount) if isinstance(amount, int) else float(amount))


RANK_COLUMNS = ("item", "rank")


def read_ranks(
    source: Any,
    *,
    columns: Sequence[str | int] = RANK_COLUMNS,
    delimiter: str | None = None,
    errors: str = "raise",
) -> nx.DiGraph:
    r"""Return the weak order of a CSV file of ranks.

    Parameters
    ----------
    source : path or open file
        A text in UTF-8, compressed if its name ends in .gz. Blanks around a cell are not part of
        it; lines without a filled cell are skipped. All others have as many cells as the first.
    columns : pair of str or int
        The names in the header of the item and its rank, wherever they stand; or their positions,
        counted from 0, in a file without a header. The default names need not be there.
    delimiter : str, optional
        By default a tab for files that end in .tsv or .tab, else a comma; where the first line has
        none, a semicolon, a tab or a bar that it has.
    errors : {"raise", "report"}
        Whether the first bad line is an error, or the good lines are returned, with the bad ones in
        ``G.graph["problems"]``.

    Returns
    -------
    DiGraph
        As `from_ranks` makes it: equal ranks are tied.

    Raises
    ------
    ParseError
        If a line is not such a line, or an item has two ranks; or, whatever `errors` says, if the
        header lacks a column.
    PorankError
        If `source` is neither a path nor an open file, an option is none of those allowed, or more
        than 10**7 edges would be written.

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
    G = from_ranks(ranks)
    if not problems.is_strict:
        G.graph["problems"] = problems.by_line()
    return G


def read_rank_numbers(
    source: Any,
    columns: Sequence[str | int] = RANK_COLUMNS,
    delimiter: str | None = None,
    errors: str = "raise",
) -> tuple[dict[str, int | float], Problems]:
    r"""Return the rank numbers of a CSV file as `read_ranks` reads them, with its bad lines."""
    require_columns(columns, most=2)
    problems = Problems(errors)
    ranks: dict[str, int | float] = {}

    def take(cells: list[Any], _: int) -> None:
        """Add the item of a line with its rank."""
        item, cell = cells
        if _is_empty(item):
            raise ParseError("expected an item, found an empty cell")
        require_item(item)
        rank = read_number(str(cell), "rank")
        if item in ranks:
            raise ParseError(f"expected one rank for each item, found {item!r} again")
        ranks[item] = rank

    _read_table(source, columns, RANK_COLUMNS, delimiter, problems, take)
    return ranks, problems


def write_ranks(
    order: OrderLike,
    target: Any,
    *,
    columns: Sequence[str] = RANK_COLUMNS,
    delimiter: str | None = None,
) -> None:
    """Write a weak order of known ties as a CSV file of ranks, best first, with a header.

    Parameters
    ----------
    order : DiGraph or scores
        An order of which each two items are ordered or known to be tied.
    target : path or open file
        A file that is there is replaced when all has been written, and else left as it is.
    columns : pair of str
        The names in the header of the item and its rank.
    delimiter : str, optional
        By default a tab for files that end in .tsv or .tab, else a comma.

    Raises
    ------
    CycleError
        If the graph has a cycle.
    NotApplicableError
        If two items are incomparable.
    PorankError
        If two items have the same text, one has an empty text, or `target` is neither a path nor an
        open file.

    See Also
    --------
    read_ranks, from_ranks

    Examples
    --------
    >>> import porank as po
    >>> import io
    >>> target = io.StringIO()
    >>> po.write_ranks({"A": 0.5, "B": 0.9, "C": 0.5, "D": 0.1}, target)
    >>> print(target.getvalue(), end="")
    item,rank
    B,1
    A,2
    C,2
    D,3

    Notes
    -----
    Time O(n log n + m). The rank is one more than the number of better levels, as in `set_ranks`.
    """
    require_columns(columns, most=2, positions=False)
    levels = levels_of(order, name="the order")
    texts = _cells_of(item for level in levels for item in level)
    rows = [list(columns)]
    rows += [[texts[item], str(rank)] for rank, level in enumerate(levels, 1) for item in level]
    _write_rows(rows, delimiter, target)
