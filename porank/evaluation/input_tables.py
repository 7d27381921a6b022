"""One side of an evaluation as it comes: a table of pairs or numbers, or an order for each group.

A table of pairs has the columns of groups, ``preferred`` and ``other``. A table of numbers has the
columns of groups, ``item``, and one of ``score``, ``grade`` or ``rank``. Labels of groups and items
become numbers that are the same on both sides: whole numbers from a range that is not too wide are
their own numbers, less the lowest; all others are numbered by a sort or by a dictionary.

Sides: `read_side`, `TableSide`, `OrderSide`, `_open_table`, `place_columns`, `_read_blocks`.
Labels: `encode_together`, `Labelling`. Groups: `number_groups`, `shown_group`, `called_group`,
`labels_at`.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx
import numpy as np

from porank.core.arrays import grouped, inverse_of, run_starts
from porank.core.column_names import find_columns
from porank.core.columns import RowSource, open_source
from porank.core.files import Problems
from porank.core.labels import Labels, labels_as_array
from porank.errors import Hint, PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from porank.core.columns import Source
    from porank.core.workers import PartedTable
    from porank.errors import ParseError


#: A column of numbers, and whether a larger one is better.
_NUMBERS = {"score": True, "grade": True, "rank": False}
_PAIRS = ("preferred", "other")
#: What the sides are called.
SIDES = ("target", "predicted")
#: More rows than any table has, so that it comes in one piece.
_WHOLE = 2**62
#: So many rows of a file are read at a time.
_BLOCK_ROWS = 1 << 20


@dataclass
class TableSide:
    """A side that is a table, column by column, a column being a list of parts."""

    by: list[_Parts]
    items: list[_Parts]
    numbers: _Parts | None = None
    larger_is_better: bool = True
    is_whole: bool = True


@dataclass
class OrderSide:
    """A side that has an order for each group: graphs or scores."""

    by: list[_Parts]
    orders: list[Any] = field(default_factory=list)
    is_whole: bool = False


def read_side(side: Any, by: Sequence[str], *, name: str) -> TableSide | OrderSide:
    """Return a side as it comes, its form told by its columns."""
    if isinstance(side, nx.Graph):
        raise PorankError(
            f"expected {name} as a table or as a mapping from groups to orders, found one graph; "
            "compare(target, predicted) compares two orders"
        )
    if _is_of_orders(side, by):
        return _read_orders(side, by, name)
    with closing(_open_table(side, name)) as source:
        if isinstance(source, RowSource) and not source.names:
            return TableSide([[] for _ in by], [[]], [])
        places = place_columns(source, by, name)
        return places.table(list(_read_blocks(source, places.names)))


def _open_table(side: Any, name: str) -> Source:
    """Return the source of the rows of the table of one side."""
    try:
        return open_source(side)
    except PorankError as error:
        if not error.source:
            finding = error.finding.replace("expected a log", "expected a table")
            error.args = (f"{finding}, as {name}",)
        raise


@dataclass(frozen=True)
class _Places:
    """Which columns of the table of one side are groups, items and numbers."""

    names: list[Any]
    by: int
    has_numbers: bool
    larger_is_better: bool = True

    def table(self, blocks: Sequence[Sequence[Any]]) -> TableSide:
        """Return the side of which these are the blocks, each a list of columns."""
        columns = [[block[place] for block in blocks] for place in range(len(self.names))]
        groups, others = columns[: self.by], columns[self.by :]
        if not self.has_numbers:
            return TableSide(groups, others)
        return TableSide(groups, others[:1], others[1], self.larger_is_better)


def place_columns(source: Source | PartedTable, by: Sequence[str], name: str) -> _Places:
    """Return which columns of a table are groups, items and numbers, or raise an error."""
    names = list(source.names)
    numbers = [column for column in _NUMBERS if column in names]
    is_of_pairs = set(_PAIRS) <= set(names)
    if is_of_pairs + len(numbers) != 1:
        raise PorankError(_unclear(names, by, name, numbers, is_of_pairs=is_of_pairs))
    wanted = list(_PAIRS) if is_of_pairs else ["item", *numbers]
    found = _found(names, [*by, *wanted], name)
    return _Places(found, len(by), not is_of_pairs, is_of_pairs or _NUMBERS[numbers[0]])


def _read_blocks(source: Source, names: Sequence[Any]) -> Iterator[list[Any]]:
    """Yield some columns of the table of one side, block by block."""
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


def _read_orders(side: Mapping[Any, Any], by: Sequence[str], name: str) -> OrderSide:
    groups = list(side)
    if len(by) == 1:
        return OrderSide([[groups]], [*side.values()])
    wrong = [key for key in groups if not isinstance(key, tuple) or len(key) != len(by)]
    if wrong:
        raise PorankError(
            f"expected a tuple of {len(by)} labels, one for each of {listed(by)}, as key in "
            f"{name}, found {wrong[0]!r}"
        )
    return OrderSide(
        [[[key[place] for key in groups]] for place in range(len(by))], [*side.values()]
    )


def _found(names: list[Any], wanted: list[str], name: str) -> list[Any]:
    """Return the names that the wanted columns have in the table of one side."""
    try:
        roles = find_columns(names, {}, needed=wanted)
    except PorankError as error:
        raise PorankError(f"{error.finding} in {name}", hint=Hint.BY) from None
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


def joined_numbers(parts: _Parts) -> Any:
    """Return the column of scores of a table in one piece, each as exact as it came."""
    kinds = {part.dtype.kind if isinstance(part, np.ndarray) else "" for part in parts}
    if len(parts) == 1:
        return parts[0]
    if len(kinds) == 1 and "" not in kinds:
        return np.concatenate(parts)
    plain = (part.tolist() if isinstance(part, np.ndarray) else part for part in parts)
    return list(chain.from_iterable(plain))


#: Numbers of labels, in 32 bits.
Codes: TypeAlias = "NDArray[Any]"
#: A column as it was read: one part, or several of a file that was read block by block.
_Parts = list[Any]
#: Codes are kept in 32 bits.
_MOST = 2**31


@dataclass(frozen=True)
class Labelling:
    """The labels of groups or items by their numbers."""

    size: int
    lowest: int = 0
    table: NDArray[Any] | None = None

    def of(self, codes: Codes) -> NDArray[Any]:
        """Return the labels of these numbers: integers if all labels are, else objects."""
        if self.table is None:
            return codes.astype(np.int64) + self.lowest
        chosen: NDArray[Any] = self.table[codes]
        return chosen

    def one(self, code: int) -> Any:
        """Return one label as a plain Python value."""
        return self.of(np.array([code])).tolist()[0]


def encode_together(
    columns: Sequence[_Parts], *, name: str, error_of: Callable[[int, int, str], ParseError]
) -> tuple[list[Codes], Labelling]:
    """Return the numbers of the labels in several columns, equal labels having equal numbers."""
    parts = [part for column in columns for part in column if len(part)]
    if parts and all(_are_whole(part) for part in parts):
        return _encode_whole(columns)
    labels = Labels(name)
    codes = [
        _encoded(labels, column, partial(error_of, place)) for place, column in enumerate(columns)
    ]
    values = labels.values()
    return codes, Labelling(size=len(values), table=labels_as_array(values))


def _are_whole(part: Any) -> bool:
    if not isinstance(part, np.ndarray) or part.dtype.kind not in "iu":
        return False
    return part.dtype != np.uint64 or int(part.max()) < 2**63


def _encode_whole(columns: Sequence[_Parts]) -> tuple[list[Codes], Labelling]:
    arrays = [_joined(column) for column in columns]
    filled = [array for array in arrays if array.size]
    lowest = min(int(array.min()) for array in filled)
    highest = max(int(array.max()) for array in filled)
    if highest - lowest < _MOST:
        codes: list[Codes] = []
        for place, array in enumerate(arrays):
            # Tables with the same rows share their codes.
            same = next((k for k in range(place) if np.array_equal(arrays[k], array)), None)
            codes.append(_less(array, lowest) if same is None else codes[same])
        return codes, Labelling(size=highest - lowest + 1, lowest=lowest)
    table = np.unique(np.concatenate([np.unique(array) for array in filled]))
    codes = [np.searchsorted(table, array).astype(np.int32) for array in arrays]
    return codes, Labelling(size=table.size, table=table)


def _joined(column: _Parts) -> NDArray[np.int64]:
    filled = [part.astype(np.int64, copy=False) for part in column if len(part)]
    return filled[0] if len(filled) == 1 else np.concatenate([np.zeros(0, np.int64), *filled])


def _less(array: NDArray[np.int64], lowest: int) -> Codes:
    codes = np.empty(array.size, dtype=np.int32)
    return np.subtract(array, lowest, out=codes, casting="unsafe")


def _encoded(labels: Labels, column: _Parts, error_of: Callable[[int, str], ParseError]) -> Codes:
    """Return the numbers of the labels in a column, its parts one after the other."""
    codes, done = [np.zeros(0, dtype=np.int32)], 0
    for part in column:
        numbers, faults = labels.encode(part)
        if faults:
            row, message = faults[0]
            raise error_of(done + row, message)
        codes.append(numbers.astype(np.int32))
        done += len(part)
    return np.concatenate(codes)


def number_groups(codes: Sequence[Sequence[Codes]]) -> tuple[list[Codes], list[Codes]]:
    """Return the groups of both sides numbered as they first appear, and the labels of each."""
    sides = list(zip(*codes, strict=True))
    if all(one is other for one, other in codes):
        sides = sides[:1]
    starts = [run_starts(*columns) for columns in sides]
    heads = [
        np.concatenate([column[begin] for column, begin in zip(both, starts, strict=False)])
        for both in codes
    ]
    order, first = grouped(*heads)
    # Equal heads keep their sequence, so that the first of each is where it appears.
    by_appearance = np.argsort(order[first])
    number = np.empty(order.size, dtype=np.int32)
    number[order] = np.repeat(inverse_of(by_appearance), np.diff(first, append=order.size))
    numbers = np.split(number, [starts[0].size])[: len(sides)]
    groups = [
        columns[0]
        if np.array_equal(own, columns[0][begin])
        else np.repeat(own, np.diff(begin, append=columns[0].size))
        for own, begin, columns in zip(numbers, starts, sides, strict=True)
    ]
    return groups * (3 - len(groups)), [head[order[first[by_appearance]]] for head in heads]


def shown_group(shown: Sequence[Any], group: int) -> Any:
    """Return the label of a group, a tuple of labels if several columns tell groups."""
    labels = labels_at(shown, group)
    return labels[0] if len(labels) == 1 else tuple(labels)


def called_group(shown: Sequence[Any], group: int) -> str:
    """Return what to call a group in an error of an evaluation."""
    return f"group {shown_group(shown, group)!r}"


def labels_at(shown: Sequence[Any], group: int) -> list[Any]:
    """Return the label of a group in each column, as plain Python values."""
    return [column[group : group + 1].tolist()[0] for column in shown]
