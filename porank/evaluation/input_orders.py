"""Both sides of an evaluation as numbers: groups and items coded alike, rows sorted by group.

Scores, grades and ranks into heights: larger is better, compared exactly.

Texts are numbers as Python reads them: whole numbers of any length, and floats.

What orders state, in columns: an order for each group, as graphs or as scores.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx
import numpy as np

from porank.core.arrays import stable_order
from porank.core.columns import Texts
from porank.core.compiled_order import compile_if_acyclic, layers_of_values, plain_number
from porank.core.graphs import read_edges
from porank.errors import ParseError, PorankError
from porank.evaluation.input_tables import (
    SIDES,
    Codes,
    Labelling,
    Orders,
    Table,
    called_group,
    encode_together,
    joined_numbers,
    number_groups,
    shown_group,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from porank.core.compiled_order import Order
    from porank.typing import Numbers, OrderLike


@dataclass
class Rows:
    """What one side says, row by row, rows sorted by group."""

    member_group: Codes
    member_item: Codes
    height: NDArray[Any]
    tie: Codes | None
    number: NDArray[np.float64] | None
    pair_group: Codes
    upper: Codes
    lower: Codes
    by_height: NDArray[np.bool_]
    there: NDArray[np.bool_]
    orders: dict[int, Any]

    def cut(self, groups: int) -> tuple[Numbers, Numbers]:
        """Return where the rows of each group begin, of members and of pairs, and where all end."""
        return _bounds(self.member_group, groups), _bounds(self.pair_group, groups)


def _bounds(group: Codes, groups: int) -> Numbers:
    return np.concatenate([[0], np.cumsum(np.bincount(group, minlength=groups))])


@dataclass
class Sides:
    """Both sides, and the labels of what their numbers mean."""

    target: Rows
    predicted: Rows
    groups: int
    by: list[NDArray[Any]]
    items: Labelling


def encode_sides(target: Table | Orders, predicted: Table | Orders, by: Sequence[str]) -> Sides:
    """Return both sides as numbers."""
    codes, labels = [], []
    for place, column in enumerate(by):
        both = [target.by[place], predicted.by[place]]
        in_rows = [partial(_error_in_row, name) for name in SIDES]
        coded, labelling = encode_together(both, name=column, error_of=in_rows)
        codes.append(coded)
        labels.append(labelling)
    (target_group, predicted_group), first = number_groups(codes, labels)
    groups = len(first[0])
    shown = [labelling.of(coded) for labelling, coded in zip(labels, first, strict=True)]
    raw = [
        _raw_rows(side, group, groups, name, shown)
        for side, group, name in zip(
            (target, predicted), (target_group, predicted_group), SIDES, strict=True
        )
    ]
    columns = [column for side in raw for column in side.item_columns]
    error_of = [
        error
        for side, name in zip(raw, SIDES, strict=True)
        for error in _errors_of(side, name, shown)
    ]
    items, labelling = encode_together(columns, name="item", error_of=error_of)
    cut = len(raw[0].item_columns)
    rows = [
        _sorted_rows(side, coded)
        for side, coded in zip(raw, (items[:cut], items[cut:]), strict=True)
    ]
    return Sides(rows[0], rows[1], groups, shown, labelling)


@dataclass
class _Raw:
    """A side with its groups numbered and its items still as they came."""

    item_columns: list[Any]
    member_group: Codes
    height: NDArray[Any]
    tie: Codes | None
    number: NDArray[np.float64] | None
    pair_group: Codes
    by_height: NDArray[np.bool_]
    there: NDArray[np.bool_]
    is_of_pairs: bool
    is_whole: bool
    orders: dict[int, Any] = field(default_factory=dict)


def _raw_rows(
    side: Table | Orders, group: Codes, groups: int, name: str, shown: Sequence[Any]
) -> _Raw:
    there = np.zeros(groups, dtype=bool)
    there[group] = True
    none = np.zeros(0, dtype=np.int32)
    if isinstance(side, Orders):
        stated = state_orders(side.orders, [shown_group(shown, g) for g in group.tolist()], name)
        by_height = np.zeros(groups, dtype=bool)
        by_height[group] = stated.by_height
        return _Raw(
            [[stated.items], [stated.upper], [stated.lower]],
            group[stated.member_of],
            stated.height,
            stated.tie,
            stated.number,
            group[stated.pair_of],
            by_height,
            there,
            is_of_pairs=False,
            is_whole=False,
            orders=dict(zip(group.tolist(), side.orders, strict=True)),
        )
    if side.numbers is None:
        empty = np.zeros(0)
        by_height = np.zeros(groups, dtype=bool)
        return _Raw(
            side.items, none, empty, None, None, group, by_height, there, True, side.is_whole
        )
    height, number = heights_of(side, group, name, shown)
    by_height = np.ones(groups, dtype=bool)
    return _Raw(
        side.items, group, height, None, number, none, by_height, there, False, side.is_whole
    )


def _errors_of(
    raw: _Raw, name: str, shown: Sequence[Any]
) -> list[Callable[[int, str], ParseError]]:
    """Return for each column of items what makes the error for one of its rows."""
    if raw.is_whole:
        return [partial(_error_in_row, name) for _ in raw.item_columns]
    groups = [raw.pair_group] * 2 if raw.is_of_pairs else [raw.member_group, *[raw.pair_group] * 2]
    return [
        partial(_error_in_group, name, shown, group)
        for group, _ in zip(groups, raw.item_columns, strict=False)
    ]


def _error_in_row(name: str, row: int, message: str) -> ParseError:
    return ParseError(f"{message} in row {row + 1} of {name}", line=row + 1)


def _error_in_group(
    name: str, shown: Sequence[Any], group: Codes, row: int, message: str
) -> ParseError:
    """Return the error for a row that has no number of its own in a table."""
    return ParseError(f"{message} of {called_group(shown, int(group[row]))} in {name}")


def _sorted_rows(raw: _Raw, items: Sequence[Codes]) -> Rows:
    """Return the rows of a side sorted by group."""
    none = np.zeros(0, dtype=np.int32)
    if raw.is_of_pairs:
        member_item, (upper, lower) = none, items
    else:
        member_item, (upper, lower) = items[0], (items[1:] or [none, none])
    members, pairs = _order_by(raw.member_group), _order_by(raw.pair_group)
    return Rows(
        _taken(raw.member_group, members),
        _taken(member_item, members),
        _taken(raw.height, members),
        None if raw.tie is None else _taken(raw.tie, members),
        None if raw.number is None else _taken(raw.number, members),
        _taken(raw.pair_group, pairs),
        _taken(upper, pairs),
        _taken(lower, pairs),
        raw.by_height,
        raw.there,
        raw.orders,
    )


def _order_by(group: Codes) -> Codes | None:
    """Return the order in which the rows are sorted by group, None if they are."""
    return None if np.all(group[1:] >= group[:-1]) else stable_order(group)


def _taken(column: NDArray[Any], order: Codes | None) -> NDArray[Any]:
    return column if order is None else column[order]


#: A whole number of so many digits is a float, too.
_DIGITS = 15


def heights_of(
    side: Table, group: Numbers, name: str, shown: Sequence[Any]
) -> tuple[NDArray[Any], NDArray[np.float64] | None]:
    """Return how high each item stands, larger is better, and its number as a float."""
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
    return -layers, np.array(list(map(as_float, numbers)), dtype=np.float64)


class _Named:
    """What an error calls the number of a row."""

    def __init__(self, side: Table, group: Numbers, shown: Sequence[Any], name: str) -> None:
        self._side, self._group, self._shown, self._name = side, group, shown, name

    def __getitem__(self, row: int) -> Any:
        item = next(iter(joined_numbers([list(part) for part in self._side.items[0]])[row:]))
        return _Phrase(
            f"{plain_number(item)!r} of {called_group(self._shown, int(self._group[row]))} "
            f"in {self._name}"
        )


class _Phrase:
    """A text that its ``repr`` shows without quotes."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _as_numbers(part: Any, name: str) -> Any:
    """Return a part of a column with its texts parsed, if it has no others."""
    if isinstance(part, Texts):
        parsed = _parsed(part.different, name)
        if isinstance(parsed, np.ndarray):
            return parsed[part.index]
        return list(map(parsed.__getitem__, part.index.tolist()))
    if isinstance(part, list) and part and set(map(type, part)) == {str}:
        return _parsed(part, name)
    return part


def _parsed(texts: Sequence[str], name: str) -> Any:
    """Return texts as an array of floats, or as a list if some are integers beyond these."""
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


class Stated(NamedTuple):
    """Orders in columns."""

    items: list[Any]
    member_of: Numbers
    height: Numbers
    tie: Numbers
    number: NDArray[np.float64]
    upper: list[Any]
    lower: list[Any]
    pair_of: Numbers
    by_height: NDArray[np.bool_]


def state_orders(orders: Sequence[OrderLike], groups: Sequence[Any], name: str) -> Stated:
    """Return in columns what orders state."""
    made = _Made()
    for order, group in zip(orders, groups, strict=True):
        try:
            compiled = compile_if_acyclic(order, name=name)
        except PorankError as error:
            named = type(error)(f"{error}, group {group!r}")
            named.__dict__.update(error.__dict__)
            raise named from None
        made.add(order, compiled)
    return made.stated()


class _Made:
    """Columns that grow order by order."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.upper: list[Any] = []
        self.lower: list[Any] = []
        self.sizes: list[int] = []
        self.edges: list[int] = []
        self.by_height: list[bool] = []
        self.arrays: dict[str, list[NDArray[Any]]] = {"height": [], "tie": [], "number": []}

    def add(self, order: Any, compiled: Order | None) -> None:
        """Add an order, which is not compiled if it has a cycle."""
        is_weak = compiled is not None and compiled.is_weak
        items = list(order) if compiled is None else list(compiled.items)
        nothing = np.full(len(items), -1)
        self.items += items
        self.sizes.append(len(items))
        self.by_height.append(is_weak)
        self.arrays["height"].append(nothing if compiled is None else -compiled.layers)
        self.arrays["tie"].append(nothing if compiled is None else compiled.tie)
        self.arrays["number"].append(_numbers_of(order, len(items)))
        self.edges.append(0 if is_weak else self._add_edges(order, items))

    def _add_edges(self, G: nx.DiGraph, items: list[Any]) -> int:
        source, target = read_edges(G)
        self.upper += map(items.__getitem__, source.tolist())
        self.lower += map(items.__getitem__, target.tolist())
        return int(source.size)

    def stated(self) -> Stated:
        """Return the columns."""
        return Stated(
            items=self.items,
            member_of=np.repeat(np.arange(len(self.sizes)), self.sizes),
            height=self._joined("height").astype(np.int64),
            tie=self._joined("tie").astype(np.int64),
            number=self._joined("number"),
            upper=self.upper,
            lower=self.lower,
            pair_of=np.repeat(np.arange(len(self.edges)), self.edges),
            by_height=np.array(self.by_height, dtype=bool),
        )

    def _joined(self, name: str) -> NDArray[Any]:
        return np.concatenate([*self.arrays[name], np.zeros(0)])


def _numbers_of(order: Any, n: int) -> NDArray[np.float64]:
    """Return the scores of the items as floats, nan for those of a graph."""
    if isinstance(order, nx.Graph):
        return np.full(n, np.nan)
    values = order.values() if hasattr(order, "values") and callable(order.values) else order
    return np.array(list(map(as_float, values)), dtype=np.float64)


def as_float(value: Any) -> float:
    """Return a number as a float, infinite if it is too large for one."""
    try:
        return float(plain_number(value))
    except OverflowError:
        return math.inf if value > 0 else -math.inf
