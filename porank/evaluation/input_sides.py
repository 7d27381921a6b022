"""Read the target and the prediction of an evaluation, and encode their labels as numbers.

A table of pairs has the columns of groups, ``preferred`` and ``other``, which is blank in the row
of an item without preferences. A table of numbers has the columns of groups, ``item``, and one of
``score``, ``grade`` or ``rank``. The labels of groups and items are encoded as numbers, the same on
both sides; groups are numbered in order of appearance.

Scores, grades and ranks are converted to heights; larger heights are better. Strings are parsed as
Python numbers. In a mapping from groups to orders, weak orders are converted to heights, and other
orders to pairs.

`read_side` returns the `SideRows` of a side, with its labels. `encode_sides` joins two of them to
`Sides`, with numbers as labels. Labels: `group_label`, `called_group`, `labels_at`.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import chain, count, repeat
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx
import numpy as np

from porank.core.arrays import distinct, inverse_of, stable_order
from porank.core.column_names import find_columns
from porank.core.columns import RowSource, Texts, are_missing, as_column, cells_at, open_source
from porank.core.compiled_order import compile_if_acyclic
from porank.core.csv_cells import plain_name, read_number
from porank.core.dask_frames import is_dask
from porank.core.files import Problems
from porank.core.graphs import read_edges
from porank.core.labels import Labels, are_usual
from porank.core.scores import (
    Ranks,
    levels_of_values,
    plain_number,
    read_dictionaries,
    scores_as_floats,
)
from porank.errors import ParseError, PorankError, listed, quoted

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
#: Labels encoded as 32-bit integers.
Codes: TypeAlias = "NDArray[Any]"
#: The columns of members and of pairs, the groups first.
_OF_MEMBERS = ("member_group", "member_item", "height", "tie", "number")
_OF_PAIRS = ("pair_group", "upper", "lower")
_NONE, _ALL = np.zeros(0, dtype=np.int32), slice(None)


@dataclass
class SideRows:
    """One side of an evaluation: members of groups with heights, and pairs of items.

    `read_side` gives each member and pair the row of a table, or the place of an order in a
    mapping, as its group, and keeps the labels; `encode_sides` replaces both by numbers of groups
    and items.
    """

    by: list[Any]
    #: Whether groups are weak orders, given by heights.
    by_height: Any
    member_group: Any = field(default_factory=lambda: _NONE)
    pair_group: Any = field(default_factory=lambda: _NONE)
    member_item: Any = ()
    height: Any = None
    tie: Any = None
    number: Any = None
    upper: Any = ()
    lower: Any = ()
    orders: dict[int, Any] = field(default_factory=dict)
    #: Whether each group is on this side.
    there: Any = None

    def number_groups(self, groups: Codes, count: int) -> None:
        """Replace rows by the numbers of their groups, of which there are `count`."""
        self.there = np.zeros(count, dtype=bool)
        self.there[groups] = True
        is_ranked = np.full(count, self.by_height is True)
        if isinstance(self.by_height, np.ndarray):
            is_ranked[groups] = self.by_height
        self.by_height = is_ranked
        self.member_group, self.pair_group = groups[self.member_group], groups[self.pair_group]
        self.orders = dict(
            zip(groups[list(self.orders)].tolist(), self.orders.values(), strict=True)
        )

    def called(self, column: str, place: int, name: str) -> str:
        """Return where a raw item is, for an error message."""
        rows = self.member_group if column == "member_item" else self.pair_group
        row = place if isinstance(rows, slice) else int(rows[place])
        if self.orders:
            return f"of {called_group(self.by, row)} in {name}"
        return f"in row {row + 1} of {name}"

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


def read_side(side: Any, by: Sequence[str], *, name: str) -> SideRows:
    """Read a side, whose form is determined by its columns."""
    if isinstance(side, nx.Graph):
        raise PorankError(
            f"expected {name} to be a table or a mapping from groups to orders, found a graph; "
            "compare(target, predicted) compares two orders"
        )
    if _is_of_orders(side, by):
        return _rows_of_orders(list(side.values()), _columns_of_keys(list(side), by, name), name)
    with closing(open_source(side, what=f"table as {name}")) as source:
        if isinstance(source, RowSource) and not source.names:
            return _rows_of_numbers([[] for _ in by], [], [], name)
        names, number = place_columns(source, by, name)
        problems = Problems("raise", source=source.name)
        blocks = list(source.blocks(list(dict.fromkeys(names)), problems))
        columns = [[block.columns[name] for block in blocks] for name in names]
        if number:
            columns[-1] = [_as_numbers(block, names[-1], name, problems) for block in blocks]
    *groups, one, other = map(_joined, columns)
    if not number:
        return _rows_of_pairs(groups, one, other)
    return _rows_of_numbers(groups, one, other, name, larger_is_better=_NUMBERS[number])


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
    return not set(by) <= set(side) and not {*_PAIRS, *_NUMBERS, "item"} & {*map(plain_name, side)}


def _columns_of_keys(groups: list[Any], by: Sequence[str], name: str) -> list[list[Any]]:
    """Return the labels of groups that are the keys of a mapping, by column."""
    if len(by) == 1:
        return [groups]
    wrong = [key for key in groups if not isinstance(key, tuple) or len(key) != len(by)]
    if wrong:
        raise PorankError(
            f"expected tuples of {len(by)} labels, one for each of {listed(by)}, as keys of "
            f"{name}, found {quoted(wrong[0])}"
        )
    return [[key[place] for key in groups] for place in range(len(by))]


def _unclear(
    names: list[Any], by: Sequence[str], name: str, numbers: list[str], *, is_of_pairs: bool
) -> str:
    if both := [*(_PAIRS if is_of_pairs else ()), *numbers]:
        return f"expected pairs or one column of numbers in {name}, found {listed(both)}; keep one"
    groups = "".join(f"{quoted(column)}, " for column in by)
    way_out = "; rename the columns"
    if len(names) == 1 and len(str(names[0]).split()) in (4, 6):
        way_out = "; read_trec_qrels and read_trec_run read TREC files"
    return (
        f"expected {groups}'preferred', 'other' or {groups}'item' and one of {listed(_NUMBERS)} as "
        f"columns of {name}, found {listed(names) or 'no columns'}{way_out}"
    )


def _encode_together(
    columns: Sequence[Any], *, name: str, called: Callable[[int, int], str]
) -> tuple[list[Codes], NDArray[Any]]:
    """Encode columns of labels from both sides as numbers; return these and the labels."""
    labels = Labels(name)
    codes = []
    for place, column in enumerate(columns):
        numbers, faults = labels.encode(column)
        if faults:
            row, message = faults[0]
            raise ParseError(f"{message} {called(place, row)}")
        codes.append(numbers.astype(np.int32))
    return codes, labels.as_array()


def _number_groups(
    sides: Sequence[SideRows], by: Sequence[str]
) -> tuple[list[Codes], list[NDArray[Any]]]:
    """Return the groups of both sides, numbered in order of appearance, and their labels."""
    groups: list[Any] = [0, 0]
    labels: list[NDArray[Any]] = []

    def called(side: int, row: int) -> str:
        return f"in row {row + 1} of {SIDES[side]}"

    for place, name in enumerate(by):
        columns = [side.by[place] for side in sides]
        codes, values = _encode_together(columns, name=name, called=called)
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
    return f"group {quoted(group_label(labels, group))}"


def labels_at(labels: Sequence[Any], group: int) -> list[Any]:
    """Return the label of a group in each column of groups, as plain Python values."""
    return [plain_number(column[group]) for column in labels]


def encode_sides(target: SideRows, predicted: SideRows, by: Sequence[str]) -> Sides:
    """Encode the groups and items of target and prediction as numbers."""
    sides = target, predicted
    numbers, labels = _number_groups(sides, by)
    kinds = ("member_item", "upper", "lower")

    def called(column: int, row: int) -> str:
        side, kind = divmod(column, len(kinds))
        return sides[side].called(kinds[kind], row, SIDES[side])

    columns = [getattr(side, kind) for side in sides for kind in kinds]
    if (codes := _codes_in_groups(sides, numbers)) is not None:
        items = np.arange(max(int(code.max(initial=0)) for code in codes) + 1)
    else:
        codes, items = _encode_together(columns, name="item", called=called)
    for side, groups, some in zip(sides, numbers, (codes[:3], codes[3:]), strict=True):
        side.member_item, side.upper, side.lower = some
        side.number_groups(groups, labels[0].size)
        side.sort()
    return Sides(target, predicted, labels[0].size, labels, items)


def _codes_in_groups(sides: Sequence[SideRows], numbers: Sequence[Codes]) -> list[Codes] | None:
    """Return the numbers of items of dictionaries within their groups, or None for other orders.

    One dictionary of all items takes several times as long, because it does not fit the cache.
    """
    orders = [list(side.orders.values()) for side in sides]
    if any(set(map(type, some)) != {dict} for some in orders):
        return None
    if not all(are_usual(side.member_item, "item") for side in sides):
        return None
    # An item is numbered by its place in the target, or by its place in the prediction behind.
    places = [dict(zip(order, count(), strict=False)) for order in orders[0]]
    known = dict(zip(numbers[0].tolist(), places, strict=True))
    those = [known.get(group, {}) for group in numbers[1].tolist()]
    found = (map(each.get, order, repeat(-1)) for each, order in zip(those, orders[1], strict=True))
    one, other = (list(map(len, some)) for some in orders)
    codes = np.fromiter(chain.from_iterable(found), np.int32, sum(other))
    behind = _places(other) + np.repeat(np.array(list(map(len, those)), dtype=np.int32), other)
    nothing = [_NONE, _NONE]
    return [_places(one), *nothing, np.where(codes < 0, behind, codes), *nothing]


def _places(sizes: list[int]) -> Codes:
    """Return the ranges of several sizes, one after the other."""
    ends = np.cumsum(sizes, dtype=np.int32)
    return np.arange(sum(sizes), dtype=np.int32) - np.repeat(ends - sizes, sizes)


def _rows_of_pairs(by: list[Any], upper: Any, lower: Any) -> SideRows:
    """Return the rows of a table of pairs, where rows with a blank `other` are single items."""
    whole = SideRows(by, by_height=False, pair_group=_ALL, upper=upper, lower=lower)
    is_alone = are_missing(lower)
    alone, paired = np.flatnonzero(is_alone), np.flatnonzero(~is_alone)
    if not alone.size:
        return whole
    nothing = np.full(alone.size, -1)
    return replace(
        whole,
        member_group=alone,
        pair_group=paired,
        member_item=cells_at(upper, alone),
        height=nothing,
        tie=nothing,
        number=np.full(alone.size, np.nan),
        upper=cells_at(upper, paired),
        lower=cells_at(lower, paired),
    )


def _rows_of_numbers(
    by: list[Any], items: Any, numbers: Any, name: str, *, larger_is_better: bool = True
) -> SideRows:
    """Return the rows of a table of scores or ranks, which give the heights of its items."""
    rows = SideRows(by, by_height=True, member_group=_ALL, member_item=items)
    array = numbers if isinstance(numbers, np.ndarray) else None
    if array is not None and array.dtype.kind in "fiu":
        floats = array.astype(np.float64, copy=False)
        # Larger integers may not be exact as floats.
        is_exact = array.dtype.kind == "f" or np.abs(floats).max(initial=0) < 2**53
        if is_exact and not np.isnan(floats).any():
            if larger_is_better:
                return replace(rows, height=floats, number=floats)
            return replace(rows, height=-floats)
    try:
        levels = levels_of_values(numbers)
    except PorankError:
        named = [
            _Phrase(f"{quoted(plain_number(item))} of {called_group(by, row)} in {name}")
            for row, item in enumerate(items)
        ]
        levels = levels_of_values(numbers, items=named)
    if not larger_is_better:
        return replace(rows, height=levels)
    return replace(rows, height=-levels, number=scores_as_floats(numbers))


class _Phrase(str):
    """A string whose ``repr`` has no quotes."""

    __repr__ = str.__str__


def _as_numbers(block: Block, column: Any, name: str, problems: Problems) -> Any:
    """Return a block of a column of numbers, with texts parsed."""
    part = block.columns[column]
    is_coded = isinstance(part, Texts)
    if not is_coded and part.dtype.kind != "O":
        return part
    cells, index = (part.different, part.index) if is_coded else (part, np.arange(len(part)))
    numbers: list[Any] = []
    for place, cell in enumerate(cells):
        # Missing numbers raise an error later, which names the item.
        is_text = isinstance(cell, str) and cell != ""
        try:
            numbers.append(read_number(cell, f"{column} in {name}") if is_text else cell)
        except ParseError as error:
            for row in np.flatnonzero(index == place)[:1]:
                problems.meet(error, line=int(block.lines[row]), text="")
    return as_column(numbers)[index]


def _rows_of_orders(orders: list[OrderLike], by: list[Any], name: str) -> SideRows:
    """Return the rows of orders, with heights of weak orders and pairs of others."""
    known = dict(enumerate(orders))
    if (read := read_dictionaries(orders)) is not None:
        whole = SideRows(by, by_height=np.ones(len(orders), dtype=bool), orders=known)
        group = np.repeat(np.arange(len(orders)), list(map(len, orders)))
        listed, height = read
        number = height.astype(np.float64)
        return replace(whole, member_group=group, member_item=listed, height=height, number=number)
    items: list[Any] = []
    upper: list[Any] = []
    lower: list[Any] = []
    columns = [(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))]
    is_ranked, edges = np.zeros(len(orders), dtype=bool), []
    for place, order in enumerate(orders):
        compiled = _compiled(order, group_label(by, place), name)
        members = list(order) if compiled is None else list(compiled.items)
        height = tie = np.full(len(members), -1)
        if compiled is not None:
            is_ranked[place], height, tie = compiled.is_weak, -compiled.levels, compiled.tie
        source, target = (_NONE, _NONE) if is_ranked[place] else read_edges(order)
        items += members
        upper += map(members.__getitem__, source.tolist())
        lower += map(members.__getitem__, target.tolist())
        columns.append((height, tie, _numbers_of(order, len(members))))
        edges.append(source.size)
    sizes = [len(height) for height, *_ in columns[1:]]
    height, tie, number = map(np.concatenate, zip(*columns, strict=True))
    members_of, pairs_of = (np.repeat(np.arange(len(orders)), each) for each in (sizes, edges))
    rows = by, is_ranked, members_of, pairs_of, items, height, tie, number, upper, lower
    return SideRows(*rows, orders=known)


def _compiled(order: Any, group: Any, name: str) -> CompiledOrder | None:
    """Compile the order of a group, or return None if it has a cycle."""
    try:
        return compile_if_acyclic(order, name=name)
    except PorankError as error:
        named = type(error)(f"{error}, group {quoted(group)}")
        named.__dict__.update(error.__dict__)
        raise named from None


def _numbers_of(order: Any, n: int) -> NDArray[np.float64]:
    """Return the scores of a group as floats, or nan if it has a graph or ranks."""
    if isinstance(order, (nx.Graph, Ranks)):
        return np.full(n, np.nan)
    return scores_as_floats(order)
