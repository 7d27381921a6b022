"""Preference pairs as CSV or TSV: a line for each edge, ``preferred,other,weight``."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.build.files.cells import Line, choose_delimiter, read_lines, spell_cell
from porank.build.files.texts import read_text, write_text
from porank.build.items import texts_of
from porank.compiled import as_graph
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.typing import Item

COLUMNS = ("preferred", "other", "weight")


def read_pairs(
    source: Any, *, columns: Sequence[str | int] = COLUMNS, delimiter: str | None = None
) -> nx.DiGraph:
    r"""Return the graph whose edges a file of preference pairs lists.

    Parameters
    ----------
    source : path or open file
        A text in UTF-8. Labels are taken to the letter, blanks included. A line with an empty
        `other` adds an item; empty lines are skipped.
    columns : sequence of str or int
        The names in the header of the preferred item, the other and the weight, wherever they
        stand; or their positions, counted from 0, in a file without a header. With two of them
        weights are not read. The default names need not be there: in a file without ``weight``
        there are no weights, and one without the other two has no header.
    delimiter : str, optional
        By default a tab for files that end in .tsv or .tab, else a comma.

    Returns
    -------
    DiGraph
        The items are texts, in the sequence in which they first appear. Where a weight is given, it
        is the edge attribute ``weight``: an int if it is written as one, else a float. Cycles are
        kept.

    Raises
    ------
    ParseError
        If a line is not such a line, with its number.

    Examples
    --------
    >>> import io
    >>> G = read_pairs(io.StringIO("preferred,other,weight\nA,B,2\nA,C,0.5\nD,,\n"))
    >>> list(G.edges(data="weight")), list(G)
    ([('A', 'B', 2), ('A', 'C', 0.5)], ['A', 'B', 'C', 'D'])

    Notes
    -----
    Time linear in the file, which is read whole.
    """
    text, name = read_text(source)
    _require_columns(columns)
    lines = list(read_lines(text, name, choose_delimiter(delimiter, name)))
    positions, width, has_header = _find_columns(lines[:1], columns)
    G = nx.DiGraph()
    written: dict[tuple[str, str], int] = {}
    for line in lines[1:] if has_header else lines:
        preferred, other, weight = _read_fields(line, positions, width)
        if other:
            _add_pair(G, preferred, other, weight, line, written)
        elif weight is None:
            G.add_node(preferred)
        else:
            raise line.error("expected no weight where there is no other item")
    return G


def _require_columns(columns: Sequence[str | int]) -> None:
    kinds = {type(column) for column in columns}
    is_valid = not isinstance(columns, str) and kinds in ({str}, {int}) and len(columns) in (2, 3)
    if not is_valid or len(set(columns)) < len(columns):
        raise PorankError(
            "expected two or three different names, or as many positions, as columns, "
            f"found {columns!r}"
        )
    if kinds == {int} and min(map(int, columns)) < 0:
        raise PorankError(f"expected positions from 0 on as columns, found {columns!r}")


def _find_columns(first: list[Line], columns: Sequence[str | int]) -> tuple[list[int], range, bool]:
    """Return the positions of the columns, the widths a row may have, and if there is a header."""
    if isinstance(columns[0], int):
        positions = [int(column) for column in columns]
        return positions, range(max(positions[:2]) + 1, 10**9), False
    header = [cell for line in first for cell in line.fields]
    is_default = tuple(columns) == COLUMNS[: len(columns)]
    if is_default:
        header = [cell.strip().lower() for cell in header]
    if is_default and not set(columns[:2]) & set(header):
        return [0, 1, 2][: len(columns)], range(2, len(columns) + 1), False
    for column in columns:
        found = header.count(str(column))
        may_lack = is_default and column == COLUMNS[2] and found == 0
        if first and found != 1 and not may_lack:
            raise first[0].error(f"expected one column {column!r} in the header, found {found}")
    positions = [header.index(str(column)) for column in columns if column in header]
    return positions, range(len(header), len(header) + 1), True


def _read_fields(
    line: Line, positions: list[int], width: range
) -> tuple[str, str, int | float | None]:
    """Return preferred, other and weight of a line, the weight None where there is none."""
    if len(line.fields) not in width:
        widths = "2 or 3" if width == range(2, 4) else f"{width.start}"
        raise line.error(
            f"expected {widths} cells, found {len(line.fields)}; delimiter= names another sign"
        )
    cells = [line.fields[position] for position in positions if position < len(line.fields)]
    if not cells[0]:
        raise line.error("expected a preferred item, found an empty cell")
    weight = cells[2] if len(cells) > 2 else ""
    return cells[0], cells[1], _read_weight(line, weight) if weight else None


def _read_weight(line: Line, cell: str) -> int | float:
    try:
        weight = int(cell) if re.fullmatch(r"\s*[+-]?[0-9]+\s*", cell) else float(cell)
    except ValueError:
        weight = math.nan
    if not 0 <= weight < math.inf or "_" in cell:
        raise line.error(f"expected a finite number >= 0 as weight, found {cell!r}")
    return weight


def _add_pair(
    G: nx.DiGraph,
    preferred: str,
    other: str,
    weight: float | None,
    line: Line,
    written: dict[tuple[str, str], int],
) -> None:
    """Add an edge, which must not have been written before with another weight."""
    before = written.setdefault((preferred, other), line.number)
    if before == line.number:
        G.add_edge(preferred, other, **({} if weight is None else {"weight": weight}))
    elif G.edges[preferred, other].get("weight") != weight:
        raise line.error(
            f"expected one weight for the pair {preferred!r}, {other!r}, found "
            f"{G.edges[preferred, other].get('weight', 'none')} in line {before} "
            f"and {'none' if weight is None else weight} in line {line.number}"
        )


def write_pairs(
    G: nx.DiGraph,
    target: Any,
    *,
    columns: Sequence[str] = COLUMNS,
    delimiter: str | None = None,
) -> None:
    """Write the edges of a graph as preference pairs, with a header.

    Parameters
    ----------
    G : DiGraph
        The graph, which may have cycles.
    target : path or open text file
        A file that is there is replaced when all has been written, and else left as it is.
    columns : sequence of str
        The names in the header of the preferred item, the other and the weight. There is a column
        of weights when an edge has one; with two names there is none.
    delimiter : str, optional
        By default a tab for files that end in .tsv or .tab, else a comma.

    Raises
    ------
    PorankError
        If two items have the same text, one has an empty text, or a weight is not a finite number
        >= 0.

    Examples
    --------
    >>> import io
    >>> target = io.StringIO()
    >>> write_pairs(nx.DiGraph([("A", "B"), ("A, too", "B")]), target)
    >>> print(target.getvalue(), end="")
    preferred,other
    A,B
    "A, too",B

    Notes
    -----
    Time O(n + m). Pairs cannot say that items are known to be tied; the text of `format_order` can.
    """
    G = as_graph(G)
    _require_columns(columns)
    if not all(isinstance(column, str) for column in columns):
        raise PorankError(f"expected names as columns, found {columns!r}")
    labels = texts_of(G)
    nameless = [item for item, label in labels.items() if not label]
    if nameless:
        raise PorankError(f"expected items with a text, found {nameless[0]!r}, whose text is empty")
    weights = [_written_weight(edge, data) for *edge, data in G.edges(data="weight")]
    width = len(columns) if any(weights) else 2
    rows = [list(columns)]
    rows += [[labels[u], labels[v], w] for (u, v), w in zip(G.edges, weights, strict=True)]
    rows += [[labels[item], "", ""] for item in nx.isolates(G)]
    name = getattr(target, "name", "") if hasattr(target, "write") else str(target)
    sign = choose_delimiter(delimiter, name if isinstance(name, str) else "")
    lines = (sign.join(spell_cell(cell, sign) for cell in row[:width]) for row in rows)
    write_text("".join(f"{line}\n" for line in lines), target)


def _written_weight(edge: Sequence[Item], weight: Any) -> str:
    """Return a weight as text from which the same number is read, or nothing for None."""
    if weight is None:
        return ""
    plain = weight.item() if isinstance(weight, np.generic) else weight
    if not isinstance(plain, (int, float)) or not 0 <= plain < math.inf:
        raise PorankError(
            f"expected a finite int or float >= 0 as weight of {edge[0]!r} > {edge[1]!r}, "
            f"found {weight!r}"
        )
    # A subclass, such as bool or an enumeration, may print in its own way.
    return repr(int(plain) if isinstance(plain, int) else float(plain))
