"""Both sides of an evaluation as numbers: groups and items coded alike, rows sorted by group."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arrays import stable_order
from porank.errors import ParseError
from porank.evaluation.columns import SIDES, Orders, Table
from porank.evaluation.group_numbers import called_group, number_groups, shown_group
from porank.evaluation.heights import heights_of
from porank.evaluation.labels import Codes, Labelling, encode_together
from porank.evaluation.stated_orders import state_orders

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from porank.typing import Numbers


@dataclass
class Rows:
    """What one side says, row by row, rows sorted by group.

    Attributes
    ----------
    member_group, member_item
        The items listed: all of those that have a height, and those of graphs.
    height
        How high each listed item stands, larger is better; no matter what in a group of pairs.
    tie
        For each listed item the number of its class of equals, -1 for none; None if equal heights
        are the classes.
    number
        The score or grade of each listed item as a float, nan where it has none.
    pair_group, upper, lower
        The pairs, an item and one that it is preferred to.
    by_height
        For each group, whether heights say all; else the pairs do.
    there
        For each group, whether the side has it.
    orders
        The orders by group, if the side was given as such; empty for a table.
    """

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
    """Both sides, and the labels of what their numbers mean.

    Attributes
    ----------
    target, predicted : Rows
        What each says.
    groups : int
        How many groups there are, those of the target first.
    by : list of arrays
        The labels of the groups, one array for each column of groups.
    items : Labelling
        The labels of the items.
    """

    target: Rows
    predicted: Rows
    groups: int
    by: list[NDArray[Any]]
    items: Labelling


def encode_sides(target: Table | Orders, predicted: Table | Orders, by: Sequence[str]) -> Sides:
    """Return both sides as numbers.

    Examples
    --------
    >>> from porank.evaluation.columns import read_side
    >>> pairs = {"user": [7, 7], "preferred": ["a", "b"], "other": ["b", "c"]}
    >>> scores = {"user": [7, 7, 8], "item": ["b", "a", "a"], "score": [1.0, 2.0, 3.0]}
    >>> tables = [read_side(side, ["user"], name="") for side in (pairs, scores)]
    >>> sides = encode_sides(*tables, ["user"])
    >>> sides.by[0].tolist(), sides.target.upper.tolist(), sides.predicted.height.tolist()
    ([7, 8], [0, 1], [-2, -1, 0])

    Notes
    -----
    Time O(rows), and O(rows log rows) where labels are whole numbers far apart or rows are not
    sorted by group.
    """
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
