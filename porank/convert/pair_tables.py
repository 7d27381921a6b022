"""Read preference pairs, and ranks, from a table: a file or a frame, with named columns or without.

`read_pair_groups` reads pairs. `opened_table` opens a table of pairs or ranks, `find_columns` finds
its columns, and `take_rows` reads its rows, or those of any table. `matrix_in` and `matrix_of` read
a table that is a matrix.
`is_table` recognises a table in memory. `graph_of_support` makes the graph of counted pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import chain
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from porank.core.arguments import require_item
from porank.core.columns import Block, CsvSource, Source, Texts, is_frame, is_missing, open_source
from porank.core.csv_cells import (
    counts_pairs,
    number_column,
    pair_columns,
    plain_name,
    rank_columns,
    read_number,
)
from porank.core.files import Problems, require_utf8
from porank.core.graphs import graph_of
from porank.core.labels import warn_of_alike
from porank.errors import ParseError, listed, plain_text, quoted, warn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import networkx as nx

    from porank.typing import Item


PAIR_COLUMNS = ("preferred", "other", "weight")


def is_table(pairs: Any) -> bool:
    """Return whether pairs are a table: a frame, named columns, or rows that are mappings."""
    if isinstance(pairs, Mapping):
        return pair_columns(pairs) is not None
    return is_frame(pairs) or (isinstance(pairs, list) and isinstance([*pairs, ()][0], Mapping))


def graph_of_support(support: Mapping[tuple[Item, Item], Any], items: Iterable[Item]) -> nx.DiGraph:
    """Return the graph of pairs and their support, with the support of the opposite pair."""
    G = graph_of(items)
    for (u, v), amount in support.items():
        G.add_nodes_from((u, v))
        if amount:
            G.add_edge(u, v, support=amount, against=support.get((v, u), 0))
    return G


def read_pair_groups(
    source: Any,
    columns: Sequence[str | int] = PAIR_COLUMNS,
    delimiter: str | None = None,
    *,
    by: str | None = None,
    counts: bool = False,
    problems: Problems | None = None,
) -> dict[str, nx.DiGraph]:
    """Return the graphs of a table of pairs by the values of a column, or one graph under ""."""
    pairs_of: dict[str, _Read] = {}
    groups = () if by is None else (by,)

    def take(cells: list[Any], line: int) -> None:
        """Add a line to the pairs of its group."""
        preferred, other, *weight = cells[len(groups) :]
        if is_missing(preferred):
            raise ParseError("expected a preferred item, found an empty cell")
        require_item((preferred, other))
        numbers = [read_number(str(w), what, least=0) for w in weight if not is_missing(w)]
        pairs = pairs_of.setdefault("".join(map(str, cells[: len(groups)])), {})
        pair = preferred, None if is_missing(other) else other
        _add_pair(pairs, pair, next(iter(numbers), None), line, counts=counts)

    problems = problems or Problems("raise")
    with opened_table(source, delimiter, problems) as table:
        wanted = find_columns(table, columns, PAIR_COLUMNS)
        # Who names another column as the weight means a weight.
        found = [name for name in wanted[2:] if name not in columns or name == "support"]
        counts = counts or any(map(counts_pairs, found))
        what = next((name for name in wanted[2:] if isinstance(name, str)), "weight")
        take_rows(table, [*groups, *wanted], problems, take)
    warn_of_alike(item for pairs in pairs_of.values() for pair in pairs for item in pair)
    return {group: _graph_of(pairs, counts=counts) for group, pairs in pairs_of.items()}


#: What is called with the cells of each row, and its line.
_Take: TypeAlias = "Callable[[list[Any], int], object]"
#: Pair, or single item -> its weight or count, and the number of its first line.
_Read: TypeAlias = "dict[tuple[Item, Item | None], tuple[Any, int]]"


def _add_pair(
    pairs: _Read, pair: tuple[Item, Item | None], weight: Any, line: int, *, counts: bool
) -> None:
    """Add the pair or the item of a row; unless pairs are counted, weights must agree."""
    if pair[1] is None and weight is not None:
        raise ParseError("expected no weight in a line without another item")
    if counts:
        pairs[pair] = (pairs.get(pair, (0, 0))[0] + (1 if weight is None else weight), line)
        return
    before, number = pairs.setdefault(pair, (weight, line))
    if before != weight:
        raise ParseError(
            f"expected one weight for the pair {quoted(pair[0])}, {quoted(pair[1])}, found "
            f"{'no weight' if before is None else before} in line {number} "
            f"and {'no weight' if weight is None else weight} in line {line}"
        )


def _graph_of(pairs: _Read, *, counts: bool) -> nx.DiGraph:
    """Return the graph of the pairs in a CSV file."""
    items = [item for pair in pairs for item in pair if item is not None]
    amounts = {(u, v): amount for (u, v), (amount, _) in pairs.items() if v is not None}
    if counts:
        return graph_of_support(amounts, items)
    G = graph_of(items)
    for (u, v), weight in amounts.items():
        G.add_edge(u, v, **({} if weight is None else {"weight": weight}))
    return G


@contextmanager
def opened_table(source: Any, delimiter: str | None, problems: Problems) -> Iterator[Source]:
    """Open a table of pairs or ranks, whose name the problems get."""
    if not isinstance(source, Source):
        source = open_source(source, what="table of pairs or ranks", delimiter=delimiter)
    with closing(source) as table:
        problems.source = table.name
        yield table


def take_rows(table: Source, wanted: Sequence[Any], problems: Problems, take: _Take) -> None:
    """Pass on the cells of each row of a table, and its line; bad rows become problems."""
    for block in table.blocks(list(dict.fromkeys(wanted)), problems):
        is_plain = all(map(_is_plain, block.columns.values()))
        cells = [block.columns[name].tolist() for name in wanted]
        for line, *row in zip(block.lines.tolist(), *cells, strict=True):
            text = "" if is_plain else table.delimiter.join(map(plain_text, row))
            if "\n" in text and isinstance(table, CsvSource):
                why = "has the end of a line, perhaps because of a stray quote"
                warn(f"line {line}: {text!r:.60} {why}")
            try:
                require_utf8(text)
                take(row, line)
            except ParseError as error:
                problems.meet(error, line=line, text=table.delimiter.join(map(plain_text, row)))


def _is_plain(column: Any) -> bool:
    """Return whether no text of a column has a character that cannot be printed."""
    cells = column.different if isinstance(column, Texts) else column.tolist()
    return all(cell.isprintable() for cell in cells if isinstance(cell, str))


def matrix_in(table: Source) -> tuple[list[Any], list[list[Any]]] | None:
    """Return the items and the rows of a table that is a matrix; None for another table."""
    names, problems, blocks = table.names, Problems("report"), list[Block]()
    for block in table.blocks(names, problems) if len({*names}) == len(names) else ():
        blocks.append(block)
        if sum(block.lines.size for block in blocks) > len(names):
            return None
    # Rows of different lengths are no matrix.
    return None if problems.found else matrix_of(names, blocks)


def matrix_of(
    names: Sequence[Any], blocks: Sequence[Block]
) -> tuple[list[Any], list[list[Any]]] | None:
    """Return the items and the rows of a matrix: a row for each column, with or without its name.

    Without names, a matrix has at least three rows of numbers, and nothing or 0 on the diagonal.
    """
    columns = {n: [*chain.from_iterable(block.columns[n] for block in blocks)] for n in names}
    n_rows = sum(block.lines.size for block in blocks)
    if [*names] == [*range(len(names))] or n_rows not in (len(names) - 1, len(names)) or not n_rows:
        return None
    if n_rows == len(names):
        rows = [[_number_of(cell) for cell in row] for row in zip(*columns.values(), strict=True)]
        return ([*names], rows) if n_rows > 2 and _is_bare_matrix(rows) else None
    for label, labels in columns.items():
        items = [name for name in columns if name != label]
        row_of = {plain_text(u): row for row, u in enumerate(labels) if not is_missing(u)}
        if set(map(plain_text, items)) == row_of.keys():
            places = [row_of[plain_text(item)] for item in items]
            return items, [[_number_of(columns[item][row]) for item in items] for row in places]
    return None


def _is_bare_matrix(rows: Sequence[Sequence[Any]]) -> bool:
    """Return whether a square has numbers everywhere, but nothing or 0 on its diagonal."""
    diagonal = [row[k] for k, row in enumerate(rows)]
    others = chain.from_iterable((*row[:k], *row[k + 1 :]) for k, row in enumerate(rows))
    is_empty = all(is_missing(cell) or cell == 0 for cell in diagonal)
    return is_empty and all(isinstance(cell, (Real, np.number)) for cell in others)


def _number_of(cell: Any) -> Any:
    """Return the number in a cell of a matrix; return other cells as they are."""
    with suppress(ParseError):
        return read_number(cell, "entry") if isinstance(cell, str) else cell
    return cell


def find_columns(table: Any, columns: Sequence[str | int], usual: Sequence[str]) -> Sequence[Any]:
    """Return the columns of a table of pairs or ranks: by position, by name, or default."""
    if not table.names:
        return ()
    header, width = list(map(plain_name, table.names)), len(table.names)
    if isinstance(columns[0], int):
        needed = max(map(int, columns[:2])) + 1
        _require(table, width >= needed, f"expected {needed} cells")
        table.take_off_header()
        return [table.names[int(column)] for column in columns if int(column) < width]
    if tuple(columns) == usual[: len(columns)]:
        # An item may have such a name, but a rank may not.
        telling = {"rank"} if "rank" in usual else set(columns[:2])
        known = (rank_columns if "rank" in usual else pair_columns)(table.names)
        if known:
            number = number_column(table.names)
            columns = named = [*known, *[number] * (number is not None)][: len(columns)]
            for name in map(plain_name, named):
                found = 1 if name in table.names else header.count(name)
                _require(table, found == 1, f"expected one column {name!r} in the header", found)
        elif telling.isdisjoint(header):
            is_bare = isinstance(table, CsvSource) or table.names[0] == 0
            such = f"expected columns such as {usual[0]!r} and {usual[1]!r}"
            _require(table, is_bare, such, listed(table.names))
            ways = f"columns={(*table.names,)} prefers the first, columns=(0, 1) makes them items"
            wanted = f"expected preferred, other, or no header ({ways})"
            _require(table, " ".join(header[:2]) not in _EDGES, wanted, listed(table.names))
            widths = " or ".join(map(str, range(2, len(columns) + 1)))
            _require(table, 2 <= width <= len(columns), f"expected {widths} cells")
            table.take_off_header()
            return list(table.names)
    for column in columns:
        found = table.names.count(column)
        _require(table, found == 1, f"expected one column {quoted(column)} in the header", found)
    return columns


#: The first two columns of tables of edges, which may mean other things than a preference.
_EDGES = ("source target", "from to", "src dst", "tail head", "head tail", "item1 item2", "u v")


def _require(table: Any, is_right: bool, expected: str, found: object = None) -> None:
    """Raise an error unless the first row of a CSV file is as expected."""
    if not is_right:
        message = f"{expected}, found {len(table.names) if found is None else found}"
        hint = "delimiter= names another separator" if len(table.names) == 1 else ""
        error = ParseError(message, hint=hint)
        text = table.delimiter.join(map(plain_text, table.names))
        raise error.placed(line=table.header_line, text=text, source=table.name)
