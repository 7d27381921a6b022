"""Rows dealt out to parts by their labels, the same on every machine.

Idea: *equal labels must meet, whoever reads them.* The part of a label is told by a number that
depends on nothing but the label.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.build.logs.grouping import run_starts
from porank.build.logs.labels import Labels
from porank.build.logs.sources import BLOCK_ROWS, Block
from porank.label_hashes import integer_words, joined_words, label_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from porank.build.files.problems import Problems
    from porank.build.logs.labels import Faults
    from porank.typing import Numbers


class Dealt(NamedTuple):
    """Rows of a block that belong to one part.

    Attributes
    ----------
    columns : list
        The columns, cut down to these rows.
    rows : array of int
        Their places in the block, rising.
    starts : array of int
        Where in `rows` the labels differ from those of the row before.
    """

    columns: list[Any]
    rows: Numbers
    starts: Numbers


class DealtSource:
    """Rows that have been dealt out to one part, as a log.

    Parameters
    ----------
    names : sequence
        The columns.
    pieces : sequence of pairs
        Blocks of rows, each a list of columns, and numbers of the rows that rise from piece to
        piece.

    Examples
    --------
    >>> from porank.build.files.problems import Problems
    >>> source = DealtSource(["item"], [([np.array([7, 8])], np.array([3, 5]))])
    >>> [block.columns["item"].tolist() for block in source.blocks(["item"], Problems("raise"))]
    [[7, 8]]
    """

    name = ""
    is_streamed = False

    def __init__(self, names: Sequence[Any], pieces: Sequence[tuple[list[Any], Numbers]]) -> None:
        self.names = names
        self._pieces = pieces

    def blocks(
        self, wanted: Sequence[Any], problems: Problems, size: int = BLOCK_ROWS
    ) -> Iterator[Block]:
        """Yield the rows of the wanted columns, a block of each piece."""
        del problems, size  # all rows are there, and small enough
        places = {name: list(self.names).index(name) for name in wanted}
        for columns, lines in self._pieces:
            yield Block({name: as_read(columns[place]) for name, place in places.items()}, lines)

    def cuts_between(self, names: Sequence[Any]) -> bool:
        """Return False: sessions go on from piece to piece."""
        del names
        return False

    def close(self) -> None:
        """Nothing was opened."""


def as_read(column: NDArray[Any]) -> Any:
    """Return a column that was dealt out as a file has it: objects stand in a list.

    Examples
    --------
    >>> as_read(np.array(["a", None], dtype=object)), as_read(np.array([1, 2]))
    (['a', None], array([1, 2]))
    """
    return column.tolist() if column.dtype == object else column


def deal(
    columns: Sequence[Any], names: Sequence[str], parts: int
) -> tuple[Iterator[tuple[int, Dealt]], Faults]:
    """Return the rows of each part, those that have any, and which labels cannot be one.

    Parameters
    ----------
    columns : sequence of columns
        The rows of a block; arrays, lists, or texts cut from a file.
    names : sequence of str
        What the labels are called that tell where a row belongs, those of the first columns.
    parts : int
        How many parts there are.

    Examples
    --------
    >>> dealt, faults = deal([["x", "y", "x"], [1, 2, 3]], ["user"], 2)
    >>> [(part, [column.tolist() for column in some.columns]) for part, some in dealt], faults
    ([(0, [['x', 'x'], [1, 3]]), (1, [['y'], [2]])], [])

    Notes
    -----
    Time O(rows).
    """
    coded = [_coded(column, name) for column, name in zip(columns, names, strict=False)]
    faults = sorted(fault for *_, wrong in coded for fault in wrong)
    codes = [numbers for numbers, *_ in coded]
    words = joined_words([of_column for _, of_column, _ in coded])
    home = (words % np.uint64(parts)).astype(np.int64)
    return _cut(columns, codes, home, parts), faults


def _cut(
    columns: Sequence[Any], codes: Sequence[Numbers], home: Numbers, parts: int
) -> Iterator[tuple[int, Dealt]]:
    # Numbers of 16 bits are sorted by counting.
    order = np.argsort(home.astype(np.uint16) if parts <= 1 << 16 else home, kind="stable")
    bounds = np.searchsorted(home[order], np.arange(parts + 1)).tolist()
    arrays = [as_array(column) for column in columns]
    for part in range(parts):
        rows = order[bounds[part] : bounds[part + 1]]
        if rows.size:
            starts = run_starts(*(numbers[rows] for numbers in codes))
            yield part, Dealt([array[rows] for array in arrays], rows, starts)


def as_array(column: Any) -> NDArray[Any]:
    """Return a column as an array, of objects if it was none.

    Examples
    --------
    >>> as_array(["a", None]).dtype, as_array(np.array([1, 2])).dtype
    (dtype('O'), dtype('int64'))
    """
    if isinstance(column, np.ndarray):
        return column
    return np.fromiter(column, dtype=object, count=len(column))


def _coded(column: Any, name: str) -> tuple[Numbers, NDArray[np.uint64], Faults]:
    """Return a number for each label, a word for each, and which labels are wrong."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iu":
        return column, integer_words(column), []
    labels = Labels(name)
    codes, faults = labels.encode(column)
    # A label that is none has the number -1, which takes the last place.
    table = label_words([*labels.values(), None])
    return codes, table[codes], faults
