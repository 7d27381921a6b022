"""Which edges of a knot to drop: arrangements of its items with little weight pointing upwards.

Write the items of a knot one below the other; the edges that point upwards meet every cycle, and
every smallest set of edges that does so is of this kind. A small knot is arranged exactly, over all
sets of items that may stand lowest. A large one is arranged by the method of Eades, Lin and Smyth
[1]_, and then improved by moving single items.

References
----------
.. [1] P. Eades, X. Lin, W. F. Smyth, "A fast and effective heuristic for the feedback arc set
   problem", Information Processing Letters 47(6), 1993, pp. 319-323.
   https://doi.org/10.1016/0020-0190(93)90079-O
"""

from __future__ import annotations

import math
from fractions import Fraction
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.layering import layer_numbers
from porank.relation import relate
from porank.sorting import inverse_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from porank.typing import Numbers

#: So many items are arranged exactly: 16 * 2**16 additions.
EXACT_ITEMS = 16

Edge = tuple[int, int]


def edges_against(k: int, cost: Mapping[Edge, Any]) -> list[Edge]:
    """Return the edges to drop from a knot of the items 0..k-1 so that no cycle is left.

    Parameters
    ----------
    k : int
        The number of items.
    cost : mapping
        The edges, with the cost of dropping each.

    Returns
    -------
    list of (i, j)
        A set of least cost if k <= 16. In any case no edge in it is dropped in vain.

    Examples
    --------
    >>> edges_against(3, {(0, 1): 5, (1, 2): 4, (2, 0): 3, (0, 2): 1})
    [(2, 0)]

    Notes
    -----
    Time O(k 2**k) if k <= 16, else O(k**2 + m log m) a sweep of improvement; then O(k m / 64) to
    find the edges dropped in vain, and O(m) for each of these.
    """
    if not math.isfinite(sum(cost.values())):
        # Finite each, and too large together: fractions have room for them.
        cost = {edge: Fraction(value) for edge, value in cost.items()}
    arrange = _arranged_exactly if k <= EXACT_ITEMS else _arranged_greedily
    stands = {item: place for place, item in enumerate(arrange(k, cost))}
    against = [(i, j) for i, j in cost if stands[i] >= stands[j]]
    return _without_needless(k, cost, against)


def _arranged_exactly(k: int, cost: Mapping[Edge, Any]) -> list[int]:
    """Return the items from the top so that the edges that point upwards cost least.

    Idea: *whichever items stand lowest, one of them is their first; what points up to it is the sum
    of the edges from the others, however these are arranged among themselves.* Of equally good
    arrangements the first in the order of the numbers is taken.

    Examples
    --------
    >>> _arranged_exactly(3, {(0, 1): 1, (1, 2): 1, (2, 0): 1})
    [0, 1, 2]

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
    return _read_arrangement(k, best, upward)


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


def _read_arrangement(k: int, best: NDArray[Any], upward: NDArray[Any]) -> list[int]:
    arrangement: list[int] = []
    remaining = (1 << k) - 1
    while remaining:
        for item in range(k):
            others = remaining ^ 1 << item
            if remaining >> item & 1 and best[remaining] == best[others] + upward[item, others]:
                break
        arrangement.append(item)
        remaining = others
    return arrangement


def _arranged_greedily(k: int, cost: Mapping[Edge, Any]) -> list[int]:
    """Return the items from the top so that the edges that point upwards cost little.

    Idea: *an item without successors goes to the bottom, one without predecessors to the top, and
    while there is neither, the one that gives most more than it takes goes to the top; then every
    item moves to where it costs least, until none wants to.*

    Examples
    --------
    >>> _arranged_greedily(4, {(0, 1): 2, (1, 2): 2, (2, 3): 2, (3, 0): 1})
    [0, 1, 2, 3]

    Notes
    -----
    Time O(k**2 + m log m) for each sweep.
    """
    return _improved(k, cost, _eades_lin_smyth(k, cost))


def _eades_lin_smyth(k: int, cost: Mapping[Edge, Any]) -> list[int]:
    below: list[dict[int, Any]] = [{} for _ in range(k)]
    above: list[dict[int, Any]] = [{} for _ in range(k)]
    for (i, j), value in cost.items():
        if i != j:
            below[i][j] = above[j][i] = value
    surplus = [sum(below[i].values()) - sum(above[i].values()) for i in range(k)]
    heap = [(_urgency(below[i], above[i], surplus[i]), i) for i in range(k)]
    heapify(heap)
    top: list[int] = []
    bottom: list[int] = []
    placed = [False] * k
    while heap:
        urgency, item = heappop(heap)
        if placed[item] or urgency != _urgency(below[item], above[item], surplus[item]):
            continue
        placed[item] = True
        (bottom if urgency[0] == 0 else top).append(item)
        changed = {**below[item], **above[item]}
        for head, value in below[item].items():
            del above[head][item]
            surplus[head] += value
        for tail, value in above[item].items():
            del below[tail][item]
            surplus[tail] -= value
        for other in changed:
            heappush(heap, (_urgency(below[other], above[other], surplus[other]), other))
    return top + bottom[::-1]


def _urgency(below: Mapping[int, Any], above: Mapping[int, Any], surplus: Any) -> tuple[int, Any]:
    """Return the key by which the next item is taken: sinks, sources, then the largest surplus."""
    if not below:
        return 0, 0
    return (1, 0) if not above else (2, -surplus)


def _improved(k: int, cost: Mapping[Edge, Any], arrangement: list[int]) -> list[int]:
    """Move single items to where they cost least until none wants to move."""
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
    improved: list[int] = order.tolist()
    return improved


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


def _without_needless(k: int, cost: Mapping[Edge, Any], against: list[Edge]) -> list[Edge]:
    """Put back, dearest first, each edge that closes no cycle with those that are kept."""
    dropped = set(against)
    kept = [edge for edge in cost if edge not in dropped]
    ends = np.array(sorted(kept), dtype=np.int64).reshape(-1, 2)
    source, target = ends[:, 0].copy(), ends[:, 1].copy()
    layers = layer_numbers(k, source, target)
    assert layers is not None
    relation = relate(layers, source, target)
    place = relation.place.tolist()
    needless = [
        (i, j) for i, j in against if i != j and not relation.below[place[j]] >> place[i] & 1
    ]
    if not needless:
        return against
    G = nx.DiGraph(kept)
    G.add_nodes_from(range(k))
    for i, j in sorted(needless, key=lambda edge: (-cost[edge], edge)):
        if not nx.has_path(G, j, i):
            G.add_edge(i, j)
            dropped.discard((i, j))
    return [edge for edge in against if edge in dropped]
