"""Both sides of an evaluation as numbers: groups and items coded alike, rows sorted by group.

Scores, grades and ranks become heights: larger is better, compared exactly; texts are numbers as
Python reads them. An order for each group says its heights if it is weak, else its pairs.

`encode_sides` returns `Sides`, of which each is `SideRows`; `_heights_of`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.arrays import stable_order
from porank.core.columns import Texts
from porank.core.compiled_order import (
    compile_if_acyclic,
    layers_of_values,
    plain_number,
    score_as_float,
)
from porank.core.graphs import read_edges
from porank.errors import ParseError, PorankError
from porank.evaluation.input_tables import (
    SIDES,
    Codes,
    Labelling,
    OrderSide,
    TableSide,
    called_group,
    encode_together,
    joined_numbers,
    number_groups,
    shown_group,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.core.compiled_order import Order
    from porank.typing import Numbers, OrderLike


#: The columns of members and of pairs, the groups first.
_MEMBERS = ("member_group", "member_item", "height", "tie", "number")
_PAIRS = ("pair_group", "upper", "lower")
_NONE = np.zeros(0, dtype=np.int32)


@dataclass
class SideRows:
    """One side of an evaluation as numbers: members of groups with heights, and pairs."""

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
        """Return where the rows of each group begin, of members and of pairs, and where all end."""
        members, pairs = (
            np.searchsorted(group, np.arange(self.there.size + 1, dtype=group.dtype))
            for group in (self.member_group, self.pair_group)
        )
        return members, pairs

    @property
    def item_columns(self) -> list[Any]:
        """The three columns of items."""
        return [self.member_item, self.upper, self.lower]

    def sorted_with(self, items: Sequence[Codes]) -> SideRows:
        """Return the rows sorted by group, with the numbers of the items."""
        rows = replace(self, member_item=items[0], upper=items[1], lower=items[2])
        moved: dict[str, Any] = {}
        for names in (_MEMBERS, _PAIRS):
            group, *columns = (getattr(rows, name) for name in names)
            if np.any(group[1:] < group[:-1]):
                order = stable_order(group)
                taken = (None if each is None else each[order] for each in (group, *columns))
                moved |= zip(names, taken, strict=True)
        return replace(rows, **moved)


@dataclass
class Sides:
    """Both sides of an evaluation as numbers, and the labels of these."""

    target: SideRows
    predicted: SideRows
    groups: int
    by: list[NDArray[Any]]
    items: Labelling


def encode_sides(
    target: TableSide | OrderSide, predicted: TableSide | OrderSide, by: Sequence[str]
) -> Sides:
    """Return target and prediction, tables or orders, as numbered groups and items."""
    sides = target, predicted
    coded = [
        encode_together([side.by[place] for side in sides], name=column, error_of=_error_in_row)
        for place, column in enumerate(by)
    ]
    both, first = number_groups([codes for codes, _ in coded])
    shown = [labelling.of(codes) for (_, labelling), codes in zip(coded, first, strict=True)]
    groups = len(first[0])
    raw = [
        _raw_rows(side, group, groups, name, shown)
        for side, group, name in zip(sides, both, SIDES, strict=True)
    ]

    def error_of(column: int, row: int, message: str) -> ParseError:
        side, kind = divmod(column, 3)
        if sides[side].is_whole:
            return _error_in_row(side, row, message)
        # Its rows have no numbers of their own in a table.
        group = (raw[side].pair_group if kind else raw[side].member_group)[row]
        return ParseError(f"{message} of {called_group(shown, int(group))} in {SIDES[side]}")

    columns = [column for rows in raw for column in rows.item_columns]
    items, labelling = encode_together(columns, name="item", error_of=error_of)
    rows = (raw[0].sorted_with(items[:3]), raw[1].sorted_with(items[3:]))
    return Sides(*rows, groups, shown, labelling)


def _error_in_row(side: int, row: int, message: str) -> ParseError:
    hint = getattr(message, "hint", None)
    return ParseError(f"{message} in row {row + 1} of {SIDES[side]}", line=row + 1, hint=hint)


def _raw_rows(
    side: TableSide | OrderSide, group: Codes, groups: int, name: str, shown: Sequence[Any]
) -> SideRows:
    """Return a side with its groups numbered and its items still as they came."""
    there, by_height = np.zeros((2, groups), dtype=bool)
    there[group] = True
    if isinstance(side, OrderSide):
        return _rows_of_orders(side.orders, group, name, shown, there)
    if side.numbers is None:
        upper, lower = side.items
        return SideRows(by_height, there, _NONE, group, upper=upper, lower=lower)
    height, number = _heights_of(side, group, name, shown)
    return SideRows(~by_height, there, group, _NONE, side.items[0], height, number=number)


#: A whole number of so many digits is a float, too.
_DIGITS = 15


def _heights_of(
    side: TableSide, group: Numbers, name: str, shown: Sequence[Any]
) -> tuple[NDArray[Any], NDArray[np.float64] | None]:
    """Return the height of each item of a table of scores or ranks, and its number as a float."""
    numbers = joined_numbers([_as_numbers(part, name) for part in side.numbers or []])
    array = numbers if isinstance(numbers, np.ndarray) else None
    if array is not None and array.dtype.kind == "f" and not np.isnan(array).any():
        floats = array.astype(np.float64, copy=False)
        return (floats, floats) if side.larger_is_better else (-floats, None)
    is_small = array is not None and array.dtype.kind in "iu" and array.dtype != np.uint64
    if array is not None and is_small and array.min(initial=0) > -(2**63):
        whole = array.astype(np.int64, copy=False)
        return (whole, whole.astype(np.float64)) if side.larger_is_better else (-whole, None)
    named: Any = _Named(side, group, shown, name)
    layers = layers_of_values(numbers, items=named)
    if not side.larger_is_better:
        return layers, None
    return -layers, np.array(list(map(score_as_float, numbers)), dtype=np.float64)


class _Named:
    """What an error calls the item of a row whose score is no number."""

    def __init__(self, side: TableSide, group: Numbers, shown: Sequence[Any], name: str) -> None:
        self._side, self._group, self._shown, self._name = side, group, shown, name

    def __getitem__(self, row: int) -> Any:
        item = next(iter(joined_numbers([list(part) for part in self._side.items[0]])[row:]))
        return _Phrase(
            f"{plain_number(item)!r} of {called_group(self._shown, int(self._group[row]))} "
            f"in {self._name}"
        )


class _Phrase(str):
    """A text that its ``repr`` shows without quotes."""

    __repr__ = str.__str__


def _as_numbers(part: Any, name: str) -> Any:
    """Return a part of a column of scores, grades or ranks with its texts parsed."""
    if isinstance(part, Texts):
        parsed = _parsed(part.different, name)
        if isinstance(parsed, np.ndarray):
            return parsed[part.index]
        return list(map(parsed.__getitem__, part.index.tolist()))
    if isinstance(part, list) and part and set(map(type, part)) == {str}:
        return _parsed(part, name)
    return part


def _parsed(texts: Sequence[str], name: str) -> Any:
    """Return texts of scores as an array of floats, or as a list if some are large integers."""
    numbers = []
    for text in texts:
        try:
            numbers.append(_number("no number" if "_" in text else text))
        except ValueError:
            raise PorankError(
                f"expected numbers as scores, grades or ranks, found {text!r} in {name}"
            ) from None
    return numbers if any(isinstance(number, int) for number in numbers) else np.array(numbers)


def _number(text: str) -> float | int:
    if len(text) > _DIGITS and text.strip().lstrip("+-").isdecimal():
        return int(text)
    return float(text)


def _rows_of_orders(
    orders: Sequence[OrderLike],
    groups: Codes,
    name: str,
    shown: Sequence[Any],
    there: NDArray[np.bool_],
) -> SideRows:
    """Return a mapping of orders as rows of one side: weak ones by heights, others by pairs."""
    items: list[Any] = []
    upper: list[Any] = []
    lower: list[Any] = []
    columns = [(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))]
    edges = []
    by_height = np.zeros(there.size, dtype=bool)
    for order, group in zip(orders, groups.tolist(), strict=True):
        compiled = _compiled(order, shown_group(shown, group), name)
        own = list(order) if compiled is None else list(compiled.items)
        height = tie = np.full(len(own), -1)
        if compiled is not None:
            by_height[group], height, tie = compiled.is_weak, -compiled.layers, compiled.tie
        source, target = (_NONE, _NONE) if by_height[group] else read_edges(order)
        items += own
        upper += map(own.__getitem__, source.tolist())
        lower += map(own.__getitem__, target.tolist())
        columns.append((height, tie, _numbers_of(order, len(own))))
        edges.append(source.size)
    sizes = [len(height) for height, *_ in columns[1:]]
    height, tie, number = map(np.concatenate, zip(*columns, strict=True))
    return SideRows(
        by_height,
        there,
        np.repeat(groups, sizes),
        np.repeat(groups, edges),
        [items],
        height,
        tie,
        number,
        [upper],
        [lower],
        dict(zip(groups.tolist(), orders, strict=True)),
    )


def _compiled(order: Any, group: Any, name: str) -> Order | None:
    """Return the order of a group compiled, None if it has a cycle; an error names its group."""
    try:
        return compile_if_acyclic(order, name=name)
    except PorankError as error:
        named = type(error)(f"{error}, group {group!r}")
        named.__dict__.update(error.__dict__)
        raise named from None


def _numbers_of(order: Any, n: int) -> NDArray[np.float64]:
    """Return the scores that the order of a group gives as floats, nan for a graph."""
    if isinstance(order, nx.Graph):
        return np.full(n, np.nan)
    values = order.values() if hasattr(order, "values") and callable(order.values) else order
    return np.array(list(map(score_as_float, values)), dtype=np.float64)
