"""One side of an evaluation as it comes: a table of pairs or numbers, or an order for each group.

A table of pairs has the columns of groups, ``preferred`` and ``other``. A table of numbers has the
columns of groups, ``item``, and one of ``score``, ``grade`` or ``rank``.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.columns import RowSource, find_columns, is_file, source_in_file, source_in_memory
from porank.core.files import Problems
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from porank.core.columns import Source
    from porank.core.workers import Scattered
    from porank.evaluation.labels import Parts

#: A column of numbers, and whether a larger one is better.
_NUMBERS = {"score": True, "grade": True, "rank": False}
_PAIRS = ("preferred", "other")
#: What the sides are called.
SIDES = ("target", "predicted")
#: More rows than any table has, so that it comes in one piece.
_WHOLE = 2**62
#: Up to here every integer is a float.
_EXACT = 1 << 53
#: So many rows of a file are read at a time.
_BLOCK_ROWS = 1 << 20


@dataclass
class Table:
    """A side that is a table, column by column, a column being a list of parts.

    Attributes
    ----------
    by : list of columns
        The labels of groups, row by row.
    items : list of columns
        One column of items, or those of the preferred and of the other ones.
    numbers : column or None
        Scores, grades or ranks.
    larger_is_better : bool
        Which way the numbers go.
    is_whole : bool
        Whether all rows of the table are there as they stand in it, so that one can be called by
        its number.
    """

    by: list[Parts]
    items: list[Parts]
    numbers: Parts | None = None
    larger_is_better: bool = True
    is_whole: bool = True


@dataclass
class Orders:
    """A side that has an order for each group: graphs or scores."""

    by: list[Parts]
    orders: list[Any] = field(default_factory=list)


def read_side(side: Any, by: Sequence[str], *, name: str) -> Table | Orders:
    """Return a side as it comes, its form told by its columns.

    Parameters
    ----------
    side : object
        A mapping of columns, a frame, a table of pyarrow, `PreferencePairs`, rows, or the path of a
        file; or a mapping from groups to orders.
    by : sequence of str
        The columns of groups.
    name : {"target", "predicted"}
        Which side it is, for messages.

    Examples
    --------
    >>> table = read_side({"user": [1, 1], "item": ["a", "b"], "rank": [1, 2]}, ["user"], name="")
    >>> table.items, table.numbers, table.larger_is_better
    ([[['a', 'b']]], [[1, 2]], False)
    >>> read_side({1: {"a": 2, "b": 1}}, ["user"], name="").orders
    [{'a': 2, 'b': 1}]
    """
    if isinstance(side, nx.Graph):
        raise PorankError(
            f"expected {name} as a table or as a mapping from groups to orders, found one graph; "
            "compare(target, predicted) compares two orders"
        )
    if _is_of_orders(side, by):
        return _read_orders(side, by, name)
    with closing(open_source(side, name)) as source:
        if isinstance(source, RowSource) and not source.names:
            return Table([[] for _ in by], [[]], [])
        places = place_columns(source, by, name)
        return places.table(list(read_blocks(source, places.names)))


def open_source(side: Any, name: str) -> Source:
    """Return what hands out the rows of a table.

    Examples
    --------
    >>> open_source({"user": [1]}, "target").names
    ['user']
    """
    try:
        return source_in_file(side, {}) if is_file(side) else source_in_memory(side)
    except PorankError as error:
        message = f"{error}, as {name}".replace("expected a log", "expected a table")
        raise PorankError(message) from None


@dataclass(frozen=True)
class Places:
    """Which columns of a table are which.

    Attributes
    ----------
    names : list
        The names of the columns: of the groups, of the items, of the numbers.
    by : int
        How many are of groups.
    has_numbers : bool
        Whether the last is one of numbers; else there are two of items.
    larger_is_better : bool
        Which way the numbers go.
    """

    names: list[Any]
    by: int
    has_numbers: bool
    larger_is_better: bool = True

    def table(self, blocks: Sequence[Sequence[Any]], *, is_whole: bool = True) -> Table:
        """Return the table of which these are the blocks, each a list of columns."""
        columns = [[block[place] for block in blocks] for place in range(len(self.names))]
        groups, others = columns[: self.by], columns[self.by :]
        if not self.has_numbers:
            return Table(groups, others, is_whole=is_whole)
        return Table(groups, others[:1], others[1], self.larger_is_better, is_whole)


def place_columns(source: Source | Scattered, by: Sequence[str], name: str) -> Places:
    """Return which columns of a table are which, or raise an error if that is not clear.

    Examples
    --------
    >>> table = source_in_memory({"user_id": [1], "item": ["a"], "rank": [1]})
    >>> place_columns(table, ["user"], "target")
    Places(names=['user_id', 'item', 'rank'], by=1, has_numbers=True, larger_is_better=False)
    """
    names = list(source.names)
    numbers = [column for column in _NUMBERS if column in names]
    is_of_pairs = set(_PAIRS) <= set(names)
    if is_of_pairs + len(numbers) != 1:
        raise PorankError(_unclear(names, by, name, numbers, is_of_pairs=is_of_pairs))
    wanted = list(_PAIRS) if is_of_pairs else ["item", *numbers]
    found = _found(names, [*by, *wanted], name)
    return Places(found, len(by), not is_of_pairs, is_of_pairs or _NUMBERS[numbers[0]])


def read_blocks(source: Source, names: Sequence[Any]) -> Iterator[list[Any]]:
    """Yield the rows of some columns, many at a time.

    Examples
    --------
    >>> list(read_blocks(source_in_memory({"user": [1, 2]}), ["user"]))
    [[[1, 2]]]
    """
    # A file is read block by block; what is in memory needs no cutting.
    size = _BLOCK_ROWS if source.is_streamed else _WHOLE
    problems = Problems("raise", source=source.name)
    for block in source.blocks(list(dict.fromkeys(names)), problems, size):
        yield [block.columns[name] for name in names]


def _is_of_orders(side: Any, by: Sequence[str]) -> bool:
    """Return whether a mapping gives orders by groups, not columns by names."""
    if not isinstance(side, Mapping):
        return False
    if any(isinstance(value, (Mapping, nx.Graph)) for value in side.values()):
        return True
    return not set(by) <= set(side) and not {*_PAIRS, *_NUMBERS, "item"} & set(side)


def _read_orders(side: Mapping[Any, Any], by: Sequence[str], name: str) -> Orders:
    groups = list(side)
    if len(by) == 1:
        return Orders([[groups]], list(side.values()))
    wrong = [key for key in groups if not isinstance(key, tuple) or len(key) != len(by)]
    if wrong:
        raise PorankError(
            f"expected a tuple of {len(by)} labels, one for each of {listed(by)}, as key in "
            f"{name}, found {wrong[0]!r}"
        )
    return Orders([[[key[place] for key in groups]] for place in range(len(by))], [*side.values()])


def _found(names: list[Any], wanted: list[str], name: str) -> list[Any]:
    """Return the names that the wanted columns have in the table."""
    try:
        roles = find_columns(names, {}, needed=wanted)
    except PorankError as error:
        message = str(error).partition("; columns=")[0]
        raise PorankError(f"{message} in {name}; rename the columns, or give by=") from None
    return [roles[column][0] for column in wanted]


def _unclear(
    names: list[Any], by: Sequence[str], name: str, numbers: list[str], *, is_of_pairs: bool
) -> str:
    groups = "".join(f"{column!r}, " for column in by)
    found = listed(names) or "no columns"
    if is_of_pairs or numbers:
        both = [*(_PAIRS if is_of_pairs else ()), *numbers]
        return f"expected pairs or one column of numbers in {name}, found {listed(both)}; drop some"
    return (
        f"expected {groups}'preferred', 'other' or {groups}'item' and one of {listed(_NUMBERS)} as "
        f"columns of {name}, found {found}; rename the columns"
    )


def joined_numbers(parts: Parts) -> Any:
    """Return a column of numbers in one piece, each as exact as it came.

    It is an array if all parts are and no number is rounded in it, else a list.

    Examples
    --------
    >>> joined_numbers([np.array([1, 2]), np.array([0.5])]).tolist(), joined_numbers([[1], [2]])
    ([1.0, 2.0, 0.5], [1, 2])
    """
    if len(parts) == 1:
        return parts[0]
    if parts and all(isinstance(part, np.ndarray) for part in parts):
        joined = np.concatenate(parts)
        if joined.dtype.kind != "f" or not any(map(_is_rounded, parts)):
            return joined
    listed_parts = (part.tolist() if isinstance(part, np.ndarray) else part for part in parts)
    return [value for part in listed_parts for value in part]


def _is_rounded(part: NDArray[Any]) -> bool:
    """Return whether some integer of an array is none that every float can be."""
    if part.dtype.kind not in "iu" or not part.size:
        return False
    return int(part.max()) > _EXACT or int(part.min()) < -_EXACT
