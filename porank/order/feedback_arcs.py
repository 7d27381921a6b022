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

from porank.core.arrays import layer_numbers
from porank.core.relation import relate
from porank.order.arrangements import arranged_exactly, improved

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    arrange = arranged_exactly if k <= EXACT_ITEMS else _arranged_greedily
    stands = {item: place for place, item in enumerate(arrange(k, cost))}
    against = [(i, j) for i, j in cost if stands[i] >= stands[j]]
    return _without_needless(k, cost, against)


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
    return improved(k, cost, _eades_lin_smyth(k, cost))


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
