"""Arrangements: items one below the other so that little weight points upwards.

What points upwards in an arrangement is the sum of the costs of the edges (i, j) with i below j. It
is made least over all sets of items that may stand lowest, or made smaller by moving single items.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arrays import inverse_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from porank.typing import Numbers

Edge = tuple[int, int]


@dataclass(frozen=True, eq=False)
class ArrangementCosts:
    """What every set of items costs at least when it stands lowest. A set is a number of bits.

    Attributes
    ----------
    best : array
        For each set, the least that points upwards among its items.
    upward : array
        Entry [i, set]: what points from the items of the set up to item i.

    Examples
    --------
    >>> table = arrangement_costs(3, {(0, 1): 1, (1, 2): 1, (2, 0): 1})
    >>> table.best.tolist(), table.leaders(0b111)
    ([0, 0, 0, 0, 0, 0, 0, 1], [0, 1, 2])
    """

    best: NDArray[Any]
    upward: NDArray[Any]

    def leaders(self, remaining: int) -> list[int]:
        """Return the items of a set that may stand first of it in a best arrangement."""
        return [
            item
            for item in range(len(self.upward))
            if remaining >> item & 1 and self._is_best(remaining, item)
        ]

    def _is_best(self, remaining: int, item: int) -> bool:
        others = remaining ^ 1 << item
        return bool(self.best[remaining] == self.best[others] + self.upward[item, others])


def arrangement_costs(k: int, cost: Mapping[Edge, Any]) -> ArrangementCosts:
    """Return what each set of the items 0..k-1 costs at least.

    Idea: *whichever items stand lowest, one of them is their first; what points up to it is the sum
    of the edges from the others, however these are arranged among themselves.*

    Examples
    --------
    >>> int(arrangement_costs(2, {(0, 1): 3, (1, 0): 2}).best[0b11])
    2

    Notes
    -----
    Time and memory O(k 2**k).
    """
    upward, total = _upward_costs(k, cost)
    sets = np.arange(1 << k)
    sizes = np.bitwise_count(sets)
    best = np.full(1 << k, total + 1, dtype=upward.dtype)
    best[0] = 0
    for size in range(1, k + 1):
        some = sets[sizes == size]
        for item in range(k):
            whole = some[some >> item & 1 == 1]
            others = whole ^ 1 << item
            best[whole] = np.minimum(best[whole], best[others] + upward[item, others])
    return ArrangementCosts(best, upward)


def _upward_costs(k: int, cost: Mapping[Edge, Any]) -> tuple[NDArray[Any], Any]:
    """Return for each item and each set the cost of the edges from the set to the item, and all."""
    total = sum(cost.values())
    kinds = set(map(type, cost.values()))
    # Whatever is neither a small integer nor a float is added up as it is, exactly.
    dtype = int if kinds == {int} and total < 2**62 else float if kinds == {float} else object
    upward = np.zeros((k, 1), dtype=dtype)
    for tail in range(k):
        costs = np.array([cost.get((tail, head), 0) for head in range(k)], dtype=dtype)
        costs[tail] = 0
        upward = np.concatenate((upward, upward + costs[:, None]), axis=1)
    return upward, total


def arranged_exactly(k: int, cost: Mapping[Edge, Any]) -> list[int]:
    """Return the items from the top so that the edges that point upwards cost least.

    Of equally good arrangements the first in the order of the numbers is taken.

    Examples
    --------
    >>> arranged_exactly(3, {(0, 1): 1, (1, 2): 1, (2, 0): 1})
    [0, 1, 2]

    Notes
    -----
    Time and memory O(k 2**k).
    """
    table = arrangement_costs(k, cost)
    arrangement: list[int] = []
    remaining = (1 << k) - 1
    while remaining:
        arrangement.append(table.leaders(remaining)[0])
        remaining ^= 1 << arrangement[-1]
    return arrangement


def improved(k: int, cost: Mapping[Edge, Any], arrangement: list[int]) -> list[int]:
    """Return the arrangement with single items moved to where they cost least until all stay.

    Examples
    --------
    >>> improved(3, {(0, 1): 2, (1, 2): 2, (2, 0): 1}, [2, 1, 0])
    [0, 1, 2]

    Notes
    -----
    Time O(k**2 + m log m) for each sweep.
    """
    around: list[dict[int, Any]] = [{} for _ in range(k)]
    for (i, j), value in cost.items():
        if i != j:
            # Standing below its successor costs an item the edge; below its predecessor frees it.
            around[i][j] = around[i].get(j, 0) + value
            around[j][i] = around[j].get(i, 0) - value
    order = np.array(arrangement)
    stands = inverse_of(order)
    # Every move makes the cost smaller, so that an end comes; ten sweeps are hardly ever needed.
    while sum(_moved(item, around[item], order, stands) for item in range(k)):
        pass
    better: list[int] = order.tolist()
    return better


def _moved(item: int, around: Mapping[int, Any], order: Numbers, stands: Numbers) -> bool:
    """Move `item` to its best place in `order` and return whether it was elsewhere before."""
    here = int(stands[item])
    cheapest = running = staying = 0
    goal = None
    passed = sorted((int(stands[other]), other) for other in around)
    for place, other in passed:
        value = around[other]
        running += value
        if place < here:
            staying = running
        if running < cheapest:
            cheapest, goal = running, place
    if cheapest >= staying:
        return False
    target = passed[0][0] if goal is None else goal + 1
    if target > here:
        order[here : target - 1] = order[here + 1 : target]
        order[target - 1] = item
        stands[order[here:target]] = np.arange(here, target)
    else:
        order[target + 1 : here + 1] = order[target:here]
        order[target] = item
        stands[order[target : here + 1]] = np.arange(target, here + 1)
    return True
