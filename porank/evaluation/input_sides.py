"""Read the target and the prediction of an evaluation, and encode their labels as numbers.

A table of pairs has the columns of groups, ``preferred`` and ``other``, which is blank in the row
of an item without preferences. A table of numbers has the columns of groups, ``item``, and one of
``score``, ``grade`` or ``rank``. The labels of groups and items are encoded as numbers, the same on
both sides; groups are numbered in order of appearance.

Scores, grades and ranks are converted to heights; larger heights are better. Strings are parsed as
Python numbers. In a mapping from groups to orders, weak orders are converted to heights, and other
orders to pairs.

`read_side` returns a `TableSide` or an `OrderSide`. `encode_sides` converts two of them to `Sides`,
which consist of two `SideRows`. Labels: `group_label`, `called_group`, `labels_at`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx
import numpy as np

from porank.core.arrays import distinct, inverse_of, stable_order
from porank.core.column_names import find_columns
from porank.core.columns import RowSource, Texts, as_column, cells_at, open_source
from porank.core.compiled_order import compile_if_acyclic
from porank.core.dask_frames import is_dask
from porank.core.files import Problems
from porank.core.graphs import read_edges
from porank.core.labels import Labels, is_missing
from porank.core.scores import levels_of_values, plain_number, scores_as_floats
from porank.errors import ParseError, PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from porank.core.columns import Block
    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Numbers, OrderLike


#: The columns of numbers, and whether larger numbers are better.
_NUMBERS = {"score": True, "grade": True, "rank": False}
_PAIRS = ("preferred", "other")
#: The names of the sides.
SIDES = ("target", "predicted")


@dataclass
class TableSide:
    """A side that is a table, as columns."""

    by: list[Any]
    items: list[Any]
    numbers: Any = None
    larger_is_better: bool = True


@dataclass
class OrderSide:
    """A side that has a graph or scores for each group."""

    by: list[Any]
    orders: list[Any] = field(default_factory=list)


def read_side(side: Any, by: Sequence[str], *, name: str) -> TableSide | OrderSide:
    """Read a side, whose form is determined by its columns."""
    if isinstance(side, nx.Graph):
        raise PorankError(
            f"expected {name} to be a table or a mapping from groups to orders, found a graph; "
            "compare(target, predicted) compares two orders"
        )
    if _is_of_orders(side, by):
        return _read_orders(side, by, name)
    with closing(open_source(side, what=f"table as {name}")) as source:
        if isinstance(source, RowSource) and not source.names:
            return TableSide([[] for _ in by], [[]], [])
        names, number = place_columns(source, by, name)
        problems = Problems("raise", source=source.name)
        blocks = list(source.blocks(list(dict.fromkeys(names)), problems))
        columns = [[block.columns[name] for block in blocks] for name in names]
        if number:
            columns[-1] = [_as_numbers(block, names[-1], name, problems) for block in blocks]
    joined = list(map(_joined, columns))
    groups, others = joined[: len(by)], joined[len(by) :]
    if not number:
        return TableSide(groups, others)
    return TableSide(groups, others[:1], others[1], _NUMBERS[number])


def place_columns(source: Any, by: Sequence[str], name: str) -> tuple[list[Any], str]:
    """Return the names of the columns of groups, items and numbers, and the kind of numbers."""
    names = list(source.columns if is_dask(source) else source.names)
    numbers = [column for column in _NUMBERS if column in names]
    is_of_pairs = set(_PAIRS) <= set(names)
    if is_of_pairs + len(numbers) != 1:
        raise PorankError(_unclear(names, by, name, numbers, is_of_pairs=is_of_pairs))
    wanted = [*by, *(_PAIRS if is_of_pairs else ("item", *numbers))]
    try:
        roles = find_columns(names, {}, needed=wanted)
    except PorankError as error:
        raise PorankError(
            f"{error.finding} in {name}",
            hint="rename the columns, or pass by=; even a single group needs a column of labels",
        ) from None
    return [roles[column][0] for column in wanted], "" if is_of_pairs else numbers[0]


def _joined(parts: Sequence[Any]) -> Any:
    """Concatenate the parts of a column without changing their values."""
    if len(parts) < 2:
        return parts[0] if parts else []
    if all(isinstance(part, Texts) for part in parts):
        different: list[str] = []
        index = []
        for part in parts:
            index.append(part.index.astype(np.int64) + len(different))
            different += part.different
        return Texts(different, np.concatenate(index))
    kinds = {part.dtype if isinstance(part, np.ndarray) else np.dtype(object) for part in parts}
    if len(kinds) == 1 and np.dtype(object) not in kinds:
        return np.concatenate(parts)
    # Arrays of dates are kept, because their lists could have integers.
    plain = (
        part.tolist() if isinstance(part, np.ndarray) and part.dtype.kind != "M" else part
        for part in parts
    )
    return list(chain.from_iterable(plain))


def _is_of_orders(side: Any, by: Sequence[str]) -> bool:
    """Return whether a side is a mapping from groups to orders instead of a table."""
    if not isinstance(side, Mapping):
        return False
    if any(isinstance(value, (Mapping, nx.Graph)) for value in side.values()):
        return True
    return not set(by) <= set(side) and not {*_PAIRS, *_NUMBERS, "item"} & set(side)


def _read_orders(side: Mapping[Any, Any], by: Sequence[str], name: str) -> OrderSide:
    groups = list(side)
    if len(by) == 1:
        return OrderSide([groups], [*side.values()])
    wrong = [key for key in groups if not isinstance(key, tuple) or len(key) != len(by)]
    if wrong:
        raise PorankError(
            f"expected tuples of {len(by)} labels, one for each of {listed(by)}, as keys of "
            f"{name}, found {wrong[0]!r}"
        )
    return OrderSide([[key[place] for key in groups] for place in range(len(by))], [*side.values()])


def _unclear(
    names: list[Any], by: Sequence[str], name: str, numbers: list[str], *, is_of_pairs: bool
) -> str:
    groups = "".join(f"{column!r}, " for column in by)
    found = listed(names) or "no columns"
    if is_of_pairs or numbers:
        both = [*(_PAIRS if is_of_pairs else ()), *numbers]
        return f"expected pairs or one column of numbers in {name}, found {listed(both)}; keep one"
    return (
        f"expected {groups}'preferred', 'other' or {groups}'item' and one of {listed(_NUMBERS)} as "
        f"columns of {name}, found {found}; rename the columns"
    )


#: Labels encoded as 32-bit integers.
Codes: TypeAlias = "NDArray[Any]"


def _encode_together(
    columns: Sequence[Any], *, name: str, error_of: Callable[[int, int, str], ParseError]
) -> tuple[list[Codes], NDArray[Any]]:
    """Encode columns of labels from both sides as numbers; return these and the labels."""
    whole = [column for column in columns if _is_whole(column)]
    if whole and len(whole) == sum(map(bool, map(len, columns))):
        low = min(int(column.min()) for column in whole)
        high = max(int(column.max()) for column in whole)
        if high - low < sum(map(len, whole)):
            # Labels that are integers in a narrow range need no dictionary.
            codes = [np.asarray(column, dtype=np.int64) - low for column in columns]
            return [each.astype(np.int32) for each in codes], np.arange(low, high + 1)
    labels = Labels(name)
    codes = []
    for place, column in enumerate(columns):
        numbers, faults = labels.encode(column)
        if faults:
            raise error_of(place, *faults[0])
        codes.append(numbers.astype(np.int32))
    return codes, labels.as_array()


def _is_whole(column: Any) -> bool:
    """Return whether a column of labels is a non-empty array of signed integers."""
    return isinstance(column, np.ndarray) and column.dtype.kind == "i" and column.size > 0


def _number_groups(
    sides: tuple[TableSide | OrderSide, ...], by: Sequence[str]
) -> tuple[list[Codes], list[NDArray[Any]]]:
    """Return the groups of both sides, numbered in order of appearance, and their labels."""
    groups: list[Any] = [0, 0]
    labels: list[NDArray[Any]] = []
    for place, name in enumerate(by):
        columns = [side.by[place] for side in sides]
        codes, values = _encode_together(columns, name=name, error_of=_error_in_row)
        # Join the group by the previous columns and the label of this one to one number.
        keys = [
            code + np.int64(values.size) * group for group, code in zip(groups, codes, strict=True)
        ]
        groups, first = _as_they_appear(keys)
        before, here = divmod(first, max(1, values.size))
        labels = [*(column[before] for column in labels), values[here]]
    return groups, labels


def _as_they_appear(keys: Sequence[Numbers]) -> tuple[list[Codes], Numbers]:
    """Return the keys of both sides, numbered in order of appearance, and each number's key."""
    together = np.concatenate(keys)
    first, number = distinct(together)
    found = np.argsort(first)
    groups = inverse_of(found).astype(np.int32)[number]
    return np.split(groups, [keys[0].size]), together[first[found]]


def group_label(labels: Sequence[Any], group: int) -> Any:
    """Return the label of a group, or a tuple of labels if there are several columns of groups."""
    label = labels_at(labels, group)
    return label[0] if len(label) == 1 else tuple(label)


def called_group(labels: Sequence[Any], group: int) -> str:
    """Return the name of a group for an error message."""
    return f"group {group_label(labels, group)!r}"


def labels_at(labels: Sequence[Any], group: int) -> list[Any]:
    """Return the label of a group in each column of groups, as plain Python values."""
    return [column[group : group + 1].tolist()[0] for column in labels]


#: The columns of members and of pairs, the groups first.
_OF_MEMBERS = ("member_group", "member_item", "height", "tie", "number")
_OF_PAIRS = ("pair_group", "upper", "lower")
_NONE = np.zeros(0, dtype=np.int32)


@dataclass
class SideRows:
    """One side of an evaluation, with labels encoded: members with heights, and pairs."""

    by_height: NDArray[np.bool_]
    there: NDArray[np.bool_]
    member_group: Codes
    pair_group: Codes
    member_item: Any = ()
    height: Any = None
    tie: Any = None
    number: Any = None
    upper: Any = ()
    lower: Any = ()
    orders: dict[int, Any] = field(default_factory=dict)

    def cut(self) -> tuple[Numbers, Numbers]:
        """Return where the members and the pairs of each group begin, and where the last end."""
        members, pairs = (
            np.append(0, np.cumsum(np.bincount(group, minlength=self.there.size)))
            for group in (self.member_group, self.pair_group)
        )
        return members, pairs

    def sort(self) -> None:
        """Sort the rows by group."""
        for names, group in ((_OF_PAIRS, self.pair_group), (_OF_MEMBERS, self.member_group)):
            if np.any(group[1:] < group[:-1]):
                self._move(names, stable_order(group))

    def _move(self, names: Sequence[str], order: Numbers) -> None:
        columns = {name: getattr(self, name) for name in names}
        # Heights and numbers may be the same array.
        moved = {id(each): each[order] for each in columns.values() if each is not None}
        for name, column in columns.items():
            setattr(self, name, moved.get(id(column)))


@dataclass
class Sides:
    """Both sides of an evaluation with encoded labels, and the labels."""

    target: SideRows
    predicted: SideRows
    groups: int
    by: list[NDArray[Any]]
    items: NDArray[Any]


def encode_sides(
    target: TableSide | OrderSide, predicted: TableSide | OrderSide, by: Sequence[str]
) -> Sides:
    """Encode the groups and items of target and prediction as numbers."""
    sides = target, predicted
    both, labels = _number_groups(sides, by)
    groups = labels[0].size
    presence = np.zeros((2, groups), dtype=bool)
    for there, group in zip(presence, both, strict=True):
        there[group] = True
    raw = [
        _raw_rows(side, group, there, name, labels)
        for side, group, there, name in zip(sides, both, presence, SIDES, strict=True)
    ]

    def error_of(column: int, row: int, message: str) -> ParseError:
        side, kind = divmod(column, 3)
        if isinstance(sides[side], TableSide):
            return _error_in_row(side, row, message)
        # Orders have no row numbers, so name the group.
        group = (raw[side].pair_group if kind else raw[side].member_group)[row]
        return ParseError(f"{message} of {called_group(labels, int(group))} in {SIDES[side]}")

    columns = [column for rows in raw for column in (rows.member_item, rows.upper, rows.lower)]
    codes, items = _encode_together(columns, name="item", error_of=error_of)
    for rows, some in zip(raw, (codes[:3], codes[3:]), strict=True):
        rows.member_item, rows.upper, rows.lower = some
    for rows in raw:
        rows.sort()
    return Sides(raw[0], raw[1], groups, labels, items)


def _error_in_row(side: int, row: int, message: str) -> ParseError:
    return ParseError(f"{message} in row {row + 1} of {SIDES[side]}", line=row + 1)


def _raw_rows(
    side: TableSide | OrderSide,
    group: Codes,
    there: NDArray[np.bool_],
    name: str,
    labels: Sequence[Any],
) -> SideRows:
    """Return the rows of one side with encoded groups; items are not encoded yet."""
    by_height = np.zeros_like(there)
    if isinstance(side, OrderSide):
        return _rows_of_orders(side.orders, group, name, labels, there)
    if side.numbers is None:
        return _rows_of_pairs(SideRows(by_height, there, _NONE, group), *side.items)
    height, number = _heights_of(side, group, name, labels)
    return SideRows(~by_height, there, group, _NONE, side.items[0], height, number=number)


def _rows_of_pairs(rows: SideRows, upper: Any, lower: Any) -> SideRows:
    """Return the rows of a table of pairs, where rows with a blank `other` are single items."""
    if isinstance(lower, np.ndarray) and lower.dtype.kind in "iu":
        return replace(rows, upper=upper, lower=lower)
    cells = lower.different if isinstance(lower, Texts) else lower
    is_alone = np.fromiter(map(is_missing, cells), bool, len(cells))
    if isinstance(lower, Texts):
        is_alone = is_alone[lower.index]
    alone, paired = np.flatnonzero(is_alone), np.flatnonzero(~is_alone)
    if not alone.size:
        return replace(rows, upper=upper, lower=lower)
    nothing = np.full(alone.size, -1)
    return replace(
        rows,
        member_group=rows.pair_group[alone],
        pair_group=rows.pair_group[paired],
        member_item=cells_at(upper, alone),
        height=nothing,
        tie=nothing,
        number=np.full(alone.size, np.nan),
        upper=cells_at(upper, paired),
        lower=cells_at(lower, paired),
    )


#: Whole numbers with at most this number of digits are exact as floats.
_DIGITS = 15


def _heights_of(
    side: TableSide, group: Numbers, name: str, labels: Sequence[Any]
) -> tuple[NDArray[Any], NDArray[np.float64] | None]:
    """Return the heights of the items of scores or ranks, and their numbers as floats."""
    numbers = side.numbers
    array = numbers if isinstance(numbers, np.ndarray) else None
    if array is not None and array.dtype.kind in "fiu":
        floats = array.astype(np.float64, copy=False)
        # Larger integers may not be exact as floats.
        is_exact = array.dtype.kind == "f" or np.abs(floats).max(initial=0) < 2**53
        if is_exact and not np.isnan(floats).any():
            return (floats, floats) if side.larger_is_better else (-floats, None)
    try:
        levels = levels_of_values(numbers)
    except PorankError:
        rows = zip(side.items[0], group.tolist(), strict=True)
        named = [
            _Phrase(f"{plain_number(x)!r} of {called_group(labels, g)} in {name}") for x, g in rows
        ]
        levels = levels_of_values(numbers, items=named)
    if not side.larger_is_better:
        return levels, None
    return -levels, scores_as_floats(numbers)


class _Phrase(str):
    """A string whose ``repr`` has no quotes."""

    __repr__ = str.__str__


def _as_numbers(block: Block, column: Any, name: str, problems: Problems) -> Any:
    """Return a block of a column of numbers, with strings parsed."""
    part = block.columns[column]
    is_coded = isinstance(part, Texts)
    if not is_coded and (part.dtype.kind not in "OU" or set(map(type, part.tolist())) != {str}):
        return part
    cells, index = (part.different, part.index) if is_coded else (part, np.arange(len(part)))
    numbers = list(map(_number, cells))
    for place in np.flatnonzero(np.array([x is None for x in numbers], dtype=bool)[index])[:1]:
        message = f"expected scores, grades or ranks to be numbers, found {part[place]!r} in {name}"
        problems.meet(ParseError(message), line=int(block.lines[place]), text="")
    return as_column(numbers)[index]


def _number(cell: Any) -> Any:
    """Return the number in a cell, or None if it is something else."""
    if not isinstance(cell, str):
        # Missing numbers raise an error later, which names the item.
        return math.nan if cell is None else cell
    try:
        # Long whole numbers are not exact as floats.
        is_whole = len(cell) > _DIGITS and cell.strip().lstrip("+-").isdecimal()
        return int(cell) if is_whole else float("" if "_" in cell else cell)
    except ValueError:
        return None


def _rows_of_orders(
    orders: Sequence[OrderLike],
    groups: Codes,
    name: str,
    labels: Sequence[Any],
    there: NDArray[np.bool_],
) -> SideRows:
    """Return the rows of a mapping to orders, with heights of weak orders and pairs of others."""
    items: list[Any] = []
    upper: list[Any] = []
    lower: list[Any] = []
    columns = [(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))]
    edges = []
    by_height = np.zeros(there.size, dtype=bool)
    for order, group in zip(orders, groups.tolist(), strict=True):
        compiled = _compiled(order, group_label(labels, group), name)
        members = list(order) if compiled is None else list(compiled.items)
        height = tie = np.full(len(members), -1)
        if compiled is not None:
            by_height[group], height, tie = compiled.is_weak, -compiled.levels, compiled.tie
        source, target = (_NONE, _NONE) if by_height[group] else read_edges(order)
        items += members
        upper += map(members.__getitem__, source.tolist())
        lower += map(members.__getitem__, target.tolist())
        columns.append((height, tie, _numbers_of(order, len(members))))
        edges.append(source.size)
    sizes = [len(height) for height, *_ in columns[1:]]
    height, tie, number = map(np.concatenate, zip(*columns, strict=True))
    return SideRows(
        by_height,
        there,
        np.repeat(groups, sizes),
        np.repeat(groups, edges),
        items,
        height,
        tie,
        number,
        upper,
        lower,
        dict(zip(groups.tolist(), orders, strict=True)),
    )


def _compiled(order: Any, group: Any, name: str) -> CompiledOrder | None:
    """Compile the order of a group, or return None if it has a cycle."""
    try:
        return compile_if_acyclic(order, name=name)
    except PorankError as error:
        named = type(error)(f"{error}, group {group!r}")
        named.__dict__.update(error.__dict__)
        raise named from None


def _numbers_of(order: Any, n: int) -> NDArray[np.float64]:
    """Return the scores of a group as floats, or nan if it has a graph."""
    if isinstance(order, nx.Graph):
        return np.full(n, np.nan)
    return scores_as_floats(order)
