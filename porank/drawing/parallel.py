"""Rankings as parallel columns: in which slot each item meets each column, and where lines cross.

Idea: *tied items may stand in any sequence, so on each side of a column they stand as in the
neighbour there.* Between two columns, then, two lines cross if the rankings contradict each other
on the two items, and never else.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from porank.abstention.votes import in_sequence_of
from porank.core.arrays import inverse_of
from porank.core.graphs import item_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.core.compiled_order import Order
    from porank.typing import Item, Numbers


@dataclass(frozen=True, eq=False)
class Column:
    """One ranking: the slots 0..n-1 of its items from the top, on either side.

    Attributes
    ----------
    left, right : array of int
        The slot of each item, as lines come in from the left and go out to the right.
    layers : array of int
        The layer of each item; tied items share one.

    Examples
    --------
    >>> from porank.core.compiled_order import compile_order
    >>> one, other = columns_of([compile_order([3, 1, 1, 0]), compile_order([0, 1, 2, 3])])
    >>> one.right.tolist(), other.left.tolist(), one.ties
    ([0, 2, 1, 3], [3, 2, 1, 0], [(1, 2)])
    """

    left: Numbers
    right: Numbers
    layers: Numbers

    @cached_property
    def ties(self) -> list[tuple[int, int]]:
        """The first and the last slot of each class of tied items."""
        sizes = np.bincount(self.layers)
        ends = np.cumsum(sizes)
        tied = np.flatnonzero(sizes > 1)
        return [(int(ends[layer] - sizes[layer]), int(ends[layer]) - 1) for layer in tied]


def columns_of(members: Sequence[Order]) -> list[Column]:
    """Return the columns of weak orders, items numbered as in the first of them.

    Examples
    --------
    >>> from porank.core.compiled_order import compile_order
    >>> tied, ranking = compile_order([1, 1, 1]), compile_order([0, 1, 2])
    >>> [column.left.tolist() for column in columns_of([tied, ranking, tied])]
    [[2, 1, 0], [2, 1, 0], [2, 1, 0]]

    Notes
    -----
    Time O(k n log n) for k orders of n items.
    """
    layers = [_layers_in(members[0], order) for order in members]
    base = _common_sequence(members[0].items, layers)
    columns = []
    for k, own in enumerate(layers):
        # At the ends there is one neighbour only.
        before, after = layers[max(k - 1, 0)], layers[min(k + 1, len(layers) - 1)]
        left = _slots(own, before if k else after, base)
        right = _slots(own, after if k + 1 < len(layers) else before, base)
        columns.append(Column(left, right, own))
    return columns


def _layers_in(first: Order, order: Order) -> Numbers:
    sequence = in_sequence_of(first, order)
    return order.layers if sequence is None else order.layers[sequence]


def _common_sequence(items: Sequence[Item], layers: Sequence[Numbers]) -> Numbers:
    """Return the place of each item by its mean position in all rankings, then by name."""
    total = np.zeros(len(items), dtype=np.int64)
    for own in layers:
        sizes = np.bincount(own, minlength=1)
        ends = np.cumsum(sizes)
        total += (2 * ends - sizes)[own]
    doubled = total.tolist()
    sequence = sorted(range(len(items)), key=lambda i: (doubled[i], item_key(items[i])))
    return inverse_of(np.array(sequence, dtype=np.int64))


def _slots(own: Numbers, neighbour: Numbers, base: Numbers) -> Numbers:
    """Return the slot of each item: by its own layer, then by the neighbour's, then as in all."""
    return inverse_of(np.lexsort((base, neighbour, own)))


def crossing_points(here: Column, there: Column) -> tuple[Numbers, Numbers, NDArray[np.float64]]:
    """Return the two items of each crossing, and where it is: the share of the way, and the height.

    Examples
    --------
    >>> from porank.core.compiled_order import compile_order
    >>> columns = columns_of([compile_order([3, 2, 1]), compile_order([1, 3, 2])])
    >>> upper, lower, points = crossing_points(*columns)
    >>> upper.tolist(), lower.tolist(), points.round(2).tolist()
    ([0, 0], [1, 2], [[0.33, 0.67], [0.67, 1.33]])

    Notes
    -----
    Time and memory O(n**2).
    """
    start, end = here.right, there.left
    is_crossing = (start[:, None] < start) & (end[:, None] > end)
    upper, lower = np.nonzero(is_crossing)
    apart = start[lower] - start[upper]
    share = apart / (apart + end[upper] - end[lower])
    height = start[upper] + share * (end[upper] - start[upper])
    return upper, lower, np.column_stack((share, height))
