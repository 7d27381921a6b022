"""Read tables of indicators, weigh their columns, and find the fronts of their rows.

A *criterion* is an array of numbers in which larger is better: a column to be maximized, a column
to be minimized turned round, or a weighted sum of columns. Row u dominates row v if u is at least
as good in all criteria, and better in at least one.

`read_criteria` reads a table. `maximal_rows` finds the rows that no other row dominates, and
`front_numbers` the fronts below them, without a list of all pairs.

Idea: *sort the rows by a sum that grows with each criterion, and equal sums by the criteria. Then
all rows that dominate a row are before it, so the first rows can be compared with all others at
once. Whatever they dominate is beaten, whatever equals one of them shares its fate, and the rest
goes on.*
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import chain, product
from operator import mul
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from porank.core.arguments import distinct_items, holds, load
from porank.core.arrays import inverse_of, run_starts
from porank.core.columns import as_label, column_of
from porank.core.scores import as_numeric_array, levels_of_values
from porank.errors import PorankError, a_kind, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.typing import Floats, Item, Numbers

    #: The numbers of all rows in each criterion, by the name of the column.
    Criteria: TypeAlias = dict[Any, NDArray[Any]]

#: Number of pairs of rows that are compared at once: a part of a processor's cache.
_CELLS = 1 << 19
#: Maximum number of columns with ranges of weights, which may have k 2**(k - 1) corners.
_MOST_RANGES = 12


def read_criteria(
    table: Any, maximize: Any, minimize: Any, weights: Any = None
) -> tuple[Sequence[Item], Criteria]:
    """Return the items of a table, and its columns or extreme weighted sums of them as criteria."""
    signs = _read_signs(maximize, minimize)
    items, known = _read_table(table)
    columns = {name: column_of(_column_named(name, known), name) if items else [] for name in signs}
    criteria = {name: _as_criterion(columns[name], signs[name], items, name) for name in signs}
    if weights is not None:
        sums = _weighted_sums(columns, signs, _extreme_weightings(weights, signs))
        criteria = {n: _as_criterion(each, 1, items, n) for n, each in enumerate(sums)}
    return items, criteria


def _read_signs(maximize: Any, minimize: Any) -> dict[Any, int]:
    """Return the indicators as column -> 1 if larger is better, -1 if smaller is better."""
    named = [
        (column, sign)
        for columns, sign in ((maximize, 1), (minimize, -1))
        if columns is not None
        for column in ([columns] if isinstance(columns, (str, int)) else columns)
    ]
    if not named or len(dict(named)) < len(named):
        found = listed(column for column, _ in named) or "none"
        raise PorankError(f"expected columns in maximize or minimize, each once, found {found}")
    return dict(named)


def _read_table(table: Any) -> tuple[Sequence[Item], Any]:
    """Return the items of a table of indicators, and its columns by their names."""
    if isinstance(table, np.ndarray) and table.ndim == 2:
        return range(len(table)), dict(enumerate(table.T))
    if isinstance(table, Mapping) and isinstance(table.get("item", {}), Mapping):
        return _items_of(table, "the table"), _columns_of_rows(table.values())
    if isinstance(table, list):
        table = _columns_of_rows(table)
    elif hasattr(table, "__arrow_c_stream__") and not hasattr(table, "index"):
        arrow = load("pyarrow").table(table)
        table = dict(zip(arrow.column_names, arrow.columns, strict=True))
    elif not hasattr(table, "keys"):
        raise PorankError(
            f"expected {{item: {{column: number}}}} or a frame, found {a_kind(table)}"
        )
    names = distinct_items(table.keys(), name="the columns")
    if "item" not in names and hasattr(table, "index"):
        if type(table.index).__name__ == "RangeIndex":
            return range(table.index.start, table.index.stop, table.index.step), table
        return _items_of(table.index.tolist(), "the index"), table
    items = column_of(_column_named("item", table), "item").tolist()
    return _items_of(items, "the column 'item'"), table


def _items_of(labels: Iterable[Any], name: str) -> list[Item]:
    """Return the labels of the rows of a table as items."""
    items = list(map(as_label, labels))
    # A set is faster than a count of each item.
    is_plain = holds(lambda some: len({*some}) == len(some) and None not in some, items)
    return (
        items
        if is_plain and not any(item != item for item in items)
        else distinct_items(items, name=name)
    )


def _columns_of_rows(rows: Iterable[Any]) -> dict[Any, list[Any]]:
    """Return the columns of rows of a table of indicators; a missing cell is None."""
    for row in rows:
        if not isinstance(row, Mapping):
            raise PorankError(f"expected {{column: number}} as a row of the table, found {row!r}")
    names = dict.fromkeys(chain.from_iterable(rows))
    return {name: [row.get(name) for row in rows] for name in names}


def _column_named(name: Any, columns: Any) -> Any:
    """Return a column of a table of indicators, or raise an error."""
    if name not in columns:
        raise PorankError(f"expected a column {name!r} in the table, found {listed(columns)}")
    return columns[name]


def _as_criterion(values: Any, sign: int, items: Sequence[Item], name: Any) -> NDArray[Any]:
    """Return a column of indicators as comparable numbers in which larger is better."""
    array = as_numeric_array(values)
    if array is None or np.isnan(array).any():
        try:
            array = ~levels_of_values(values, items=items)
        except PorankError as error:
            raise PorankError(f"{error} in column {name!r}") from None
    array = np.ascontiguousarray(array, dtype=np.int8 if array.dtype.kind == "b" else None)
    if sign > 0:
        return array
    # The bits of an integer x inverted are -x - 1, which always fits.
    return -array if array.dtype.kind == "f" else ~array


def _extreme_weightings(weights: Any, signs: Mapping[Any, int]) -> list[tuple[Any, ...]]:
    """Return weightings of indicators of which all admissible ones are mixtures."""
    names = list(signs)
    if isinstance(weights, Mapping):
        return _corners_of_ranges(weights, names)
    is_one_list = isinstance(weights, str) and weights == "ordered" and len({*signs.values()}) == 1
    sequence = names if is_one_list else weights
    if not holds(lambda each: Counter(each) == Counter(names), sequence):
        raise PorankError(
            "expected weights as a mapping from columns to ranges, as a list of the columns, most "
            f"important first, such as {names}, or as 'ordered' if maximize or minimize is this "
            f"list, found {weights!r:.80}"
        )
    place = {name: number for number, name in enumerate(sequence)}
    # w_1 >= w_2 >= ... >= w_k >= 0 are the mixtures of (1, 0, ..., 0), (1, 1, 0, ..., 0), ...
    return [tuple(int(place[name] <= last) for name in names) for last in range(len(names))]


def _corners_of_ranges(weights: Mapping[Any, Any], names: list[Any]) -> list[tuple[Any, ...]]:
    """Return the corners of the weightings whose weights are in ranges and have the sum 1.

    In a corner, all weights but one are at an end of their range.
    """
    if not weights.keys() <= {*names} or len(names) > _MOST_RANGES:
        wanted = f"weights of {listed(names)}, at most {_MOST_RANGES} columns"
        raise PorankError(f"expected {wanted}, found weights of {listed(weights)}")
    ranges = [_range_of(weights.get(name, (0, 1)), name) for name in names]
    corners: dict[tuple[Any, ...], None] = {}
    for free, (low, high) in enumerate(ranges):
        for ends in product(*map(dict.fromkeys, ranges[:free] + ranges[free + 1 :])):
            if low <= (rest := 1 - sum(ends)) <= high:
                corners[*ends[:free], rest, *ends[free:]] = None
    if not corners:
        raise PorankError(f"expected weights that can have the sum 1, found {weights!r:.120}")
    return list(corners)


def _range_of(weight: Any, name: Any) -> tuple[Fraction, ...]:
    """Return the lowest and the highest weight of an indicator."""
    ends = weight if isinstance(weight, (tuple, list)) else (weight, weight)
    found = tuple(_decimal(end, f"weight of {name!r}") for end in ends)
    if len(found) != 2 or not 0 <= found[0] <= found[1] <= 1:
        raise PorankError(f"expected a weight or (lowest, highest) in [0, 1], found {weight!r:.80}")
    return found


def _decimal(number: Any, what: str) -> Fraction:
    """Return a finite number as the fraction that its digits say: .1 as 1/10."""
    try:
        return Fraction(str(int(number) if isinstance(number, (bool, np.bool_)) else number))
    except (TypeError, ValueError):
        raise PorankError(f"expected a finite number as {what}, found {number!r}") from None


def _weighted_sums(
    columns: Mapping[Any, Any], signs: Mapping[Any, int], extremes: Iterable[tuple[Any, ...]]
) -> list[list[Fraction]]:
    """Return for each extreme weighting the weighted sums of all rows, but for a constant.

    The columns are scaled from 0 for the worst number in the table to 1 for the best one.
    """
    scaled = []
    for name, sign in signs.items():
        exact = [sign * _decimal(cell, f"number to weigh in {name!r}") for cell in columns[name]]
        span = max(exact, default=0) - min(exact, default=0) or 1
        scaled.append([number / span for number in exact])
    rows = list(zip(*scaled, strict=True))
    # sum of w_j x_j / (max_j - min_j)
    return [[sum(map(mul, weights, row)) for row in rows] for weights in extremes]


def maximal_rows(criteria: Criteria) -> Numbers:
    """Return the rows that no other row dominates, in ascending order."""
    columns = list(criteria.values())
    strength = _strength(columns)
    # Rows that are worse than the strongest one in all criteria need not be sorted.
    strongest = [each[np.argmax(strength)] if each.size else 0 for each in columns]
    is_kept = [each >= best for each, best in zip(columns, strongest, strict=True)]
    kept = np.flatnonzero(np.logical_or.reduce(is_kept))
    order, number, columns = _best_first([each[kept] for each in columns], strength[kept])
    return np.sort(kept[order[_front(number, columns)]])


def _strength(columns: list[NDArray[Any]]) -> Floats:
    """Return a sum of the criteria of each row, at least as large as those that it dominates."""
    total = np.zeros(columns[0].size)
    for each in columns if total.size else ():
        finite = np.clip(each.astype(float, copy=False), -1e300, 1e300)
        finite /= np.ptp(finite) or 1
        total += finite
    return total


def _best_first(
    columns: list[NDArray[Any]], strength: Floats
) -> tuple[Numbers, Numbers, list[NDArray[Any]]]:
    """Return the sequence of rows, a number for each different row, and the columns, sorted."""
    order = np.argsort(-strength)
    if not np.diff(strength[order]).all():
        order = np.lexsort((*columns, strength))[::-1]
    columns = [each[order] for each in columns]
    starts = run_starts(*columns)
    return order, np.repeat(np.arange(starts.size), np.diff(starts, append=order.size)), columns


def _front(number: Numbers, columns: list[NDArray[Any]]) -> NDArray[np.bool_]:
    """Return which rows, sorted and numbered by `_best_first`, no other row dominates."""
    is_maximal, place, count = np.zeros(number.size, dtype=bool), np.arange(number.size), 8
    while place.size:
        first = slice(max(1, min(count, _CELLS // place.size)))
        covers = columns[0][first, None] >= columns[0]
        for each in columns[1:]:
            covers &= each[first, None] >= each
        reached = covers.any(axis=0)
        covers &= number[first, None] < number
        is_maximal[place[reached & ~covers.any(axis=0)]] = True
        rest = np.flatnonzero(~reached)
        place, number, columns = place[rest], number[rest], [each[rest] for each in columns]
        count *= 2
    return is_maximal


def front_numbers(criteria: Criteria) -> Numbers:
    """Return the level of each row: 0 for the maximal rows, k for those of what k fronts leave."""
    columns = list(criteria.values())
    if len(columns) < 3:
        return _levels_of_two(columns)
    order, number, columns = _best_first(columns, _strength(columns))
    levels = np.zeros(order.size, dtype=np.int64)
    while order.size:
        rest = np.flatnonzero(~_front(number, columns))
        order, number, columns = order[rest], number[rest], [each[rest] for each in columns]
        levels[order] += 1
    return levels


def _levels_of_two(columns: list[NDArray[Any]]) -> Numbers:
    """Return the level of each row with one or two criteria.

    Idea: *go through the rows by the last criterion and remember the best number in the first one
    on each level. These fall from level to level, so bisection finds those that beat a row.*
    """
    order, number, columns = _best_first(columns, np.zeros(columns[0].size))
    best: list[int] = []
    levels: list[int] = []
    ranks = levels_of_values(columns[0]).tolist()
    for rank, step in zip(ranks, np.diff(number, prepend=-1).tolist(), strict=True):
        if step:
            level = bisect_right(best, rank)
            best[level : level + 1] = [rank]
        levels.append(level)
    return np.array(levels, dtype=np.int64)[inverse_of(order)]
