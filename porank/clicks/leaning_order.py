"""The order that a log leans to: a ranking of the items that announces nothing.

The strengths are those of the logistic model

    P(a view of item u at place k is a click) = 1 / (1 + exp(-(a[u] + b[k]))),

fitted to the table of views and clicks by item and place, with a small ridge on a. Unlike the taste
model it also compares items of different lists, so it uses lists without a click. It agrees with
taste more often, but another page or season with another level of clicks can mislead it.

`leaning_strengths` returns a; `extend_by` makes an order that states the settled pairs first.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    import networkx as nx

    from porank.typing import Floats, Item


#: Precision of the prior of items; and what is added for places, which shortens the steps of
#: Newton's method and does not change where they end.
_ITEM_RIDGE, _PLACE_DAMPING = 0.5, 0.01


def leaning_strengths(views: Floats, clicks: Floats) -> Floats:
    """Return the strength of each item from tables of views and clicks, items x places."""
    a = np.zeros(len(views))
    # Begin with the log-odds of a click at each place.
    b = np.log((clicks.sum(axis=0) + 0.5) / ((views - clicks).sum(axis=0) + 0.5))
    for _ in range(50):
        rate = 1 / (1 + np.exp(-(a[:, None] + b)))
        info, miss = views * rate * (1 - rate), clicks - views * rate
        of_item = info.sum(axis=1, keepdims=True) + _ITEM_RIDGE
        of_place = info.sum(axis=0) + _PLACE_DAMPING
        slope_a, slope_b = miss.sum(axis=1) - _ITEM_RIDGE * a, miss.sum(axis=0)
        # Newton's step for b after items are eliminated, B - I' A^-1 I with the diagonals A and B.
        bend = np.diag(of_place) - (info / of_item).T @ info
        step = np.linalg.solve(bend, slope_b - info.T @ (slope_a / of_item[:, 0]))
        change = (slope_a - info @ step) / of_item[:, 0]
        a, b = a + change, b + step
        if np.abs(change).max(initial=0) < 1e-9:
            break
    return a - a.mean() if a.size else a


def extend_by(order: nx.DiGraph, strength: Mapping[Item, float]) -> list[list[Item]]:
    """Return the items in levels, best first, by strength, such that `order` is not contradicted.

    Of the items whose predecessors are all placed, the strongest come next; equally strong items
    form one level. Where strengths agree with the order, this is the ranking by strength.
    """
    waiting = {item: order.in_degree(item) for item in order}
    number = {item: place for place, item in enumerate(order)}
    free = [(-strength[item], number[item], item) for item, above in waiting.items() if not above]
    heapify(free)
    levels: list[list[Item]] = []
    while free:
        least = free[0][0]
        level = []
        while free and free[0][0] == least:
            level.append(heappop(free)[2])
        levels.append(level)
        for below in chain.from_iterable(map(order.successors, level)):
            waiting[below] -= 1
            if not waiting[below]:
                heappush(free, (-strength[below], number[below], below))
    return levels
