"""Rank tables as CSV or TSV: a line for each item, ``item,rank``, a smaller rank being better."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porank.convert.rankings import from_ranks, levels_of, ranking_of
from porank.core.arguments import texts_of
from porank.core.csv_cells import (
    Line,
    choose_delimiter,
    find_columns,
    name_of,
    other_delimiter,
    read_lines,
    read_number,
    require_columns,
    spell_cell,
)
from porank.core.files import Problems, read_text, write_text
from porank.errors import ParseError, PorankError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx

    from porank.typing import OrderLike

COLUMNS = ("item", "rank")


def read_ranks(
    source: Any,
    *,
    columns: Sequence[str | int] = COLUMNS,
    delimiter: str | None = None,
    errors: str = "raise",
) -> nx.DiGraph:
    r"""Return the weak order that a table of ranks states.

    Parameters
    ----------
    source : path or open file
        A text in UTF-8. Blanks round a cell count in quotes only; empty lines are skipped.
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

    Examples
    --------
    >>> import io
    >>> G = read_ranks(io.StringIO("item,rank\nA,2\nB,1\nC,2.5\n"))
    >>> list(G.edges)
    [('A', 'C'), ('B', 'A')]
    >>> G = read_ranks(io.StringIO("item,rank\nA,2\nB,first\n"), errors="report")
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
    columns: Sequence[str | int] = COLUMNS,
    delimiter: str | None = None,
    errors: str = "raise",
) -> tuple[dict[str, int | float], Problems]:
    r"""Return the rank of each item as `read_ranks` reads it, and the lines that are none.

    Examples
    --------
    >>> import io
    >>> read_rank_numbers(io.StringIO("item,rank\nA,2\nB,1\n"))[0]
    {'A': 2, 'B': 1}
    """
    require_columns(columns, most=2)
    problems = Problems(errors)
    text, name = read_text(source, problems)
    sign = choose_delimiter(delimiter, name, text)
    lines = list(read_lines(text, sign, problems))
    positions, has_header = _find_columns(lines[:1], columns, sign, name)
    ranks: dict[str, int | float] = {}
    for place, line in enumerate(lines):
        try:
            line.require_utf8()
            if place or not has_header:
                item, rank = _read_rank(line, positions, sign)
                if item in ranks:
                    raise ParseError(f"expected one rank for each item, found {item!r} again")
                ranks[item] = rank
        except ParseError as error:
            problems.meet(error, line=line.number, text=line.text)
    return ranks, problems


def _find_columns(
    first: list[Line], columns: Sequence[str | int], delimiter: str, source: str
) -> tuple[list[int], bool]:
    """Return the positions of item and rank, and whether the first line is a header."""
    if isinstance(columns[0], int):
        return [int(column) for column in columns], False
    header = [cell for line in first for cell in line.fields]
    is_default = tuple(columns) == COLUMNS
    if is_default:
        header = [cell.strip().lower() for cell in header]
    if not first or (is_default and COLUMNS[1] not in header):
        return [0, 1], False
    names = [str(column) for column in columns]
    return find_columns(names, first[0], header, delimiter, source), True


def _read_rank(line: Line, positions: list[int], delimiter: str) -> tuple[str, int | float]:
    if len(line.fields) <= max(positions):
        raise ParseError(
            f"expected at least {max(positions) + 1} cells, found {len(line.fields)}"
            f"{other_delimiter(line.text, delimiter)}"
        )
    item, cell = (line.fields[position] for position in positions)
    if not item:
        raise ParseError("expected an item, found an empty cell")
    return item, read_number(cell, "rank")


def write_ranks(
    order: OrderLike,
    target: Any,
    *,
    columns: Sequence[str] = COLUMNS,
    delimiter: str | None = None,
) -> None:
    """Write a weak order of known ties as a table of ranks, best first, with a header.

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

    Examples
    --------
    >>> import io
    >>> target = io.StringIO()
    >>> write_ranks({"A": 0.5, "B": 0.9, "C": 0.5, "D": 0.1}, target)
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
    levels = levels_of(ranking_of(order, name="the order"))
    texts = texts_of(item for level in levels for item in level)
    if "" in texts.values():
        raise PorankError("expected items with a text, found one whose text is empty")
    sign = choose_delimiter(delimiter, name_of(target))
    rows = [list(columns)]
    rows += [[texts[item], str(rank)] for rank, level in enumerate(levels, 1) for item in level]
    lines = (sign.join(spell_cell(cell, sign) for cell in row) for row in rows)
    write_text("".join(f"{line}\n" for line in lines), target)
