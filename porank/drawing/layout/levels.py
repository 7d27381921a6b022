"""On which level an item is drawn: by its rank, from below, so that edges are short, or as told.

Levels of least total edge length, exactly.

To lower an item by one level makes the edges that come from above longer and those that go down
shorter. The least total is the dual of a flow of greatest length: every item passes on to those
that it covers what it gets from above, plus one for each edge down, less one for each edge from
above [1]_. Where the flow goes, edges have length 1; of the levels that allow this the highest are
unique.

References
----------
.. [1] E. R. Gansner, E. Koutsofios, S. C. North, K.-P. Vo, "A technique for drawing directed
   graphs", IEEE Transactions on Software Engineering 19(3), 1993, pp. 214-230.
   https://doi.org/10.1109/32.221135
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.arrays import layer_numbers
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.typing import Item, Numbers


LAYERINGS = ("ranks", "bottom", "balanced")


def tiers(
    items: Sequence[Item],
    source: Numbers,
    target: Numbers,
    layering: str | Mapping[Item, Any],
) -> Numbers:
    """Return the level of each item, 0 on top and no level empty; every edge leads down."""
    n = len(items)
    if isinstance(layering, Mapping):
        return _given(items, source, target, layering)
    if not isinstance(layering, str) or layering not in LAYERINGS:
        raise PorankError(
            f"expected layering to be one of {listed(LAYERINGS)}, or a mapping from items to "
            f"numbers, found {layering!r:.80}"
        )
    if layering == "balanced":
        return balanced_levels(n, source, target)
    if layering == "bottom":
        upwards = np.argsort(target, kind="stable")
        heights = layer_numbers(n, target[upwards], source[upwards])
        assert heights is not None
        lowest: Numbers = heights.max(initial=0) - heights
        return lowest
    layers = layer_numbers(n, source, target)
    assert layers is not None
    return layers


def _given(
    items: Sequence[Item], source: Numbers, target: Numbers, layering: Mapping[Item, Any]
) -> Numbers:
    """Return the levels that the caller gives, counted from 0, or refuse them with a witness."""
    missing = [item for item in items if item not in layering]
    if missing:
        raise PorankError(f"expected a level for every item, found none for {listed(missing)}")
    known = set(items)
    unknown = [item for item in layering if item not in known]
    if unknown:
        raise PorankError(f"expected levels for items of the order, found also {listed(unknown)}")
    values = [_number(item, layering[item]) for item in items]
    for u, v in zip(source.tolist(), target.tolist(), strict=True):
        if not values[u] < values[v]:
            raise PorankError(
                f"expected {items[u]!r} on a higher level than {items[v]!r}, to which it is "
                f"preferred, found the levels {values[u]!r} and {values[v]!r}; the smaller number "
                "is the higher level"
            )
    place = {value: place for place, value in enumerate(sorted(set(values)))}
    return np.array([place[value] for value in values], dtype=np.int64)


def _number(item: Item, value: Any) -> Any:
    """Return the level given for an item, which must be a number."""
    try:
        is_number = not isinstance(value, (str, bytes)) and math.isfinite(value)
    except (TypeError, ValueError, OverflowError):
        is_number = isinstance(value, int)
    if not is_number:
        raise PorankError(f"expected a finite number as the level of {item!r}, found {value!r:.80}")
    return value


def balanced_levels(n: int, source: Numbers, target: Numbers) -> Numbers:
    """Return the level of each of the items 0..n-1, 0 on top, so that edges are short in all."""
    highest = layer_numbers(n, source, target)
    assert highest is not None
    if not source.size:
        return highest
    surplus = np.bincount(source, minlength=n) - np.bincount(target, minlength=n)
    network = nx.DiGraph()
    network.add_nodes_from((item, {"demand": -more}) for item, more in enumerate(surplus.tolist()))
    edges = list(zip(source.tolist(), target.tolist(), strict=True))
    network.add_edges_from(edges, weight=-1)
    _, flow = nx.network_simplex(network)
    steps: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for u, v in edges:
        steps[u].append((v, 1))
        if flow[u][v]:
            steps[v].append((u, -1))
    return _lowered(highest, steps)


def _lowered(highest: Numbers, steps: list[list[tuple[int, int]]]) -> Numbers:
    """Lower items until a step (v, k) of u leads at least k levels down, none more than needed."""
    level = highest.tolist()
    queue = np.argsort(highest, kind="stable").tolist()
    for item in queue:
        for other, length in steps[item]:
            if level[other] < level[item] + length:
                level[other] = level[item] + length
                queue.append(other)
    return np.array(level, dtype=np.int64)
