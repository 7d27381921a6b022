"""An order with its items in a sequence that depends on their names, not on their insertion.

Where numbers are drawn, or rounded sums are made, the sequence of the items has a say. It is that
of `porank.core.graphs.item_key` then, so that the same order and the same seed give the same figures.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from porank.core.arrays import inverse_of
from porank.core.graphs import numbers_in_order

if TYPE_CHECKING:
    from porank.core.compiled_order import Order
    from porank.typing import Numbers


def sorted_by_name(order: Order) -> tuple[Order, Numbers]:
    """Return the same order, its items sorted by `item_key`, and the number that each had before.

    Examples
    --------
    >>> from porank.core.compiled_order import compile_order
    >>> order, numbers = sorted_by_name(compile_order({"c": 2, "a": 1, "b": 0}))
    >>> order.items, order.layers.tolist(), numbers.tolist()
    (('a', 'b', 'c'), [1, 2, 0], [1, 2, 0])

    Notes
    -----
    Time O(n log n + m log m), once: the result is kept with the order.
    """
    kept: tuple[Order, Numbers] | None = order.__dict__.get("_sorted_by_name")
    if kept is None:
        kept = order.__dict__["_sorted_by_name"] = _sorted(order)
    return kept


def _sorted(order: Order) -> tuple[Order, Numbers]:
    n = len(order.items)
    numbers = np.array(numbers_in_order(order.items), dtype=np.int64)
    if np.array_equal(numbers, np.arange(n)):
        return order, numbers
    moved = replace(
        order,
        items=tuple(order.items[number] for number in numbers.tolist()),
        layers=order.layers[numbers],
        tie=order.tie[numbers],
    )
    if order.source is None or order.target is None:
        return moved, numbers
    place = inverse_of(numbers)
    source, target = place[order.source], place[order.target]
    by_source = np.lexsort((target, source))
    return replace(moved, source=source[by_source], target=target[by_source]), numbers
