"""Make orders from tables of indicators, by Pareto dominance.

`from_table`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.convert.rankings import graph_of_classes
from porank.core.arguments import distinct_items, load, require_item
from porank.core.graphs import refuse_large, require_memory
from porank.core.relation import relate_matrix
from porank.core.scores import levels_of_values
from porank.errors import PorankError, a_kind, listed, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx

    from porank.typing import Item, Numbers


def from_table(
    table: Any,
    *,
    maximize: Iterable[Any] = (),
    minimize: Iterable[Any] = (),
) -> nx.DiGraph:
    """Return the Pareto order of the rows of a table.

    An item u is above v if u dominates v: u is at least as good in all columns, and better in at
    least one.

    Parameters
    ----------
    table : mapping or frame
        A mapping item -> {column: number}, a pandas DataFrame with the items as index, or another
        DataFrame (such as one of polars) with the items in its column ``item``.
    maximize, minimize : iterable of columns, or the name of one
        Columns in which larger numbers are better, and columns in which smaller numbers are. Other
        columns are ignored.

    Returns
    -------
    DiGraph
        The transitive reduction. Items with equal numbers in all these columns are tied.

    Raises
    ------
    PorankError
        If no column is named, if a column is unknown, named twice, or has no number for an item, or
        if the result would have more than 10**7 edges.

    See Also
    --------
    from_scores, from_intervals

    Examples
    --------
    >>> import porank as po
    >>> table = {"a": {"taste": 3, "price": 2}, "b": {"taste": 3, "price": 4},
    ...          "c": {"taste": 1, "price": 1}, "d": {"taste": 3, "price": 4}}
    >>> G = po.from_table(table, maximize=["taste"], minimize=["price"])
    >>> list(G.edges), dict(G.nodes(data="tie"))
    ([('a', 'b'), ('a', 'd')], {'a': None, 'b': 1, 'c': None, 'd': 1})

    Notes
    -----
    For n different rows and m_red edges of the result, time O(n**2) for each column and
    O(n m_red / 64), and n**2 bytes of memory.
    """
    rows = _read_table(table)
    columns = _read_columns(maximize, minimize)
    levels = [_levels_of_column(rows, column, sign) for column, sign in columns.items()]
    classes, different = _equal_rows(np.column_stack(levels))
    relation = relate_matrix(_dominance(different))
    refuse_large(relation.count_covers(), instead="keep fewer items")
    covers = list(relation.reduced_rows())
    return graph_of_classes(list(rows), classes, covers, instead="keep fewer items")


def _read_table(table: Any) -> dict[Item, Mapping[Any, Any]]:
    """Return a table of indicators as item -> {column: value}."""
    if hasattr(table, "index") and hasattr(table, "columns"):
        table = table.set_index("item") if "item" in table.columns else table
        for name, axis in (("index", table.index), ("columns", table.columns)):
            if not axis.is_unique:
                again = dict.fromkeys(axis[axis.duplicated()].tolist())
                raise PorankError(
                    f"expected each name once in the {name}, found {listed(again)} more than once"
                )
        table = table.to_dict("index")
    elif hasattr(table, "__arrow_c_stream__"):
        table = _rows_of_items(load("pyarrow").table(table).to_pylist())
    elif isinstance(table, list) and table and all(isinstance(row, Mapping) for row in table):
        table = _rows_of_items([dict(row) for row in table])
    if not isinstance(table, Mapping):
        raise PorankError(
            f"expected a mapping item -> {{column: number}} or a frame, found {a_kind(table)}"
        )
    for item, row in table.items():
        require_item(item)
        if not isinstance(row, Mapping):
            raise PorankError(f"expected {{column: number}} for {quoted(item)}, found {row!r}")
    return dict(table)


def _rows_of_items(rows: Sequence[dict[Any, Any]]) -> dict[Any, Any]:
    """Return the rows of a table of indicators by the item in their column ``item``."""
    if rows and "item" not in rows[0]:
        raise PorankError(f"expected a column 'item' in the table, found {listed(rows[0])}")
    items = distinct_items([row.pop("item") for row in rows], name="the column 'item'")
    return dict(zip(items, rows, strict=True))


def _read_columns(maximize: Iterable[Any], minimize: Iterable[Any]) -> dict[Any, int]:
    """Return the indicators as column -> 1 if larger is better, -1 if smaller is better."""
    columns: dict[Any, int] = {}
    for named, sign in ((maximize, 1), (minimize, -1)):
        for column in [named] if isinstance(named, str) else list(named):
            if column in columns:
                raise PorankError(
                    "expected each column once in maximize and minimize, "
                    f"found {quoted(column)} more than once"
                )
            columns[column] = sign
    if not columns:
        raise PorankError("expected the name of a column in maximize or minimize, found none")
    return columns


def _levels_of_column(rows: Mapping[Item, Mapping[Any, Any]], column: Any, sign: int) -> Numbers:
    """Return the rank of each item by an indicator, 0 for the best value."""
    for item, row in rows.items():
        if column not in row:
            raise PorankError(
                f"expected a value in column {quoted(column)} for {quoted(item)}, found "
                f"{'the columns ' + listed(row) if row else 'no columns'}"
            )
    try:
        levels = levels_of_values([row[column] for row in rows.values()], items=list(rows))
    except PorankError as error:
        raise PorankError(f"{error} in column {quoted(column)}") from None
    return levels if sign > 0 else levels.max(initial=0) - levels


def _equal_rows(levels: Numbers) -> tuple[list[list[int]], Numbers]:
    """Return the classes of items with equal indicators, in order of appearance, and their rows."""
    members: dict[bytes, list[int]] = {}
    for item, row in enumerate(levels):
        members.setdefault(row.tobytes(), []).append(item)
    classes = list(members.values())
    return classes, levels[[items[0] for items in classes]]


def _dominance(levels: Numbers) -> Any:
    """Return the matrix of Pareto dominance between items with different indicators."""
    n = len(levels)
    require_memory(3 * n * n, what=f"a matrix of {n:,} items", instead="keep fewer items")
    dominates = ~np.eye(n, dtype=bool)
    for column in levels.T:
        dominates &= column[:, None] <= column[None, :]
    return dominates
