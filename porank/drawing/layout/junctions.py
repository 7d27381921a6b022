"""Lines led through junctions, unnamed dots: all items above one are preferred to all below it.

If each of m items is preferred to each of n others, m n lines say so, and cross; with a junction
between them m + n lines do, and none crosses.

Idea: *draw the covers of the Dedekind-MacNeille completion, and leave its new elements unnamed*
[1]_. They are the junctions; its top and its bottom are left out if they are new.

Idea: *an order of dimension 2 has a completion of dimension 2, which is a planar lattice.* A
junction has in both rankings of a realizer the place of the last item above it, and of two nodes
that are incomparable, the one that comes first in the first ranking is on the left. So no lines
cross.

`form_with_junctions` returns the form of a diagram, `uncrossed_rows` orders the nodes of levels,
`between_items` places junctions among items that stay where they are.

References
----------
.. [1] D. Eppstein, J. A. Simons, "Confluent Hasse diagrams", Journal of Graph Algorithms and
   Applications 17(7), 2013, pp. 689-710. https://doi.org/10.7155/jgaa.00312
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cmp_to_key
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.convert.contexts import macneille_completion
from porank.core.arrays import inverse_of
from porank.core.graphs import graph_of
from porank.drawing.layout.levels import DEPTH, Form, Spacing
from porank.errors import PorankError
from porank.orders.dimension import find_realizer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import networkx as nx

    from porank.drawing.layout.levels import Rows, Strata
    from porank.typing import Numbers


#: Maximum number of cuts of an order, for each item: with more, lines are not fewer; and of orders
#: of dimension 2, in which no lines cross.
_MOST_CUTS, _MOST_UNCROSSED = 4, 12
#: Distance of a level of junctions from the items above or below it, and from another such level.
_FROM_ITEMS, _APART = 0.5, 0.25
#: How often junctions between items move to the middle of their neighbours.
_SWEEPS = 20

Place = tuple[float, float]


@dataclass(frozen=True)
class Junction:
    """An unnamed dot in a diagram, by its number."""

    number: int


def form_with_junctions(plain: Form, most: int = _MOST_CUTS) -> Form | None:
    """Return the form of a diagram of covers with junctions, or None if they are too many."""
    n = plain.items
    order = graph_of(range(n))
    order.add_edges_from(zip(plain.source.tolist(), plain.target.tolist(), strict=True))
    realizer = find_realizer(order)
    most = most if realizer is None else _MOST_UNCROSSED
    with suppress(PorankError):  # too many cuts
        L = macneille_completion(order, max_concepts=(1 + most) * n + 2)
        return _form_of(L, realizer, plain.level)
    return None


def _form_of(L: nx.DiGraph, realizer: tuple[list[Any], ...] | None, level: Numbers) -> Form:
    """Return the form of a completion of an order of numbers, with levels for the items."""
    n = level.size
    # Cuts are tuples; larger ones, which are above others, are first.
    cuts = [x for x in L if isinstance(x, tuple) and L.in_degree(x) and L.out_degree(x)]
    number: dict[Any, int] = {node: k for k, node in enumerate([*range(n), *cuts])}
    above = [[number[u] for u in L.pred[cut] if u in number] for cut in cuts]
    edges = sorted((number[u], number[v]) for u, v in L.edges if u in number and v in number)
    source, target = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    # A junction is in the gap below the lowest item above it: its key is that item's, plus the
    # most junctions on a way from there.
    step = len(cuts) + 1
    keys = (level * step).tolist()
    for ends in above:
        keys.append(1 + max(keys[u] for u in ends))
    distinct, levels = np.unique(np.array(keys, dtype=np.int64), return_inverse=True)
    is_led = distinct % step > 0
    joined = is_led[1:].astype(int) + is_led[:-1]
    down = np.cumsum([0.0, *np.array([1.0, _FROM_ITEMS, _APART])[joined]])[: distinct.size]
    spacing = Spacing(down, np.where(is_led, 0.0, DEPTH))
    places = None if realizer is None else _places(realizer, above)
    return Form(n, levels, source, target, spacing, places)


def between_items(form: Form, places: Sequence[Place]) -> list[Place] | None:
    """Return places for junctions between items at given places; None if lines would lead up."""
    size = form.level.size
    above = {dot: form.source[form.target == dot] for dot in range(form.items, size)}
    below = {dot: form.target[form.source == dot] for dot in above}
    x, y = np.zeros((2, size))
    x[: form.items], y[: form.items] = np.array(places).T
    # The height of the lowest item above and of the highest below, and the junctions on the way.
    high, low, before, after = y.copy(), y.copy(), np.zeros(size), np.zeros(size)
    for dot, near in above.items():
        high[dot], before[dot] = high[near].min(), before[near].max() + 1
    for dot, near in reversed(below.items()):
        low[dot], after[dot] = low[near].max(), after[near].max() + 1
    if (high[form.items :] <= low[form.items :]).any():
        return None
    for _ in range(_SWEEPS):
        for dot in above:
            x[dot] = (x[above[dot]].mean() + x[below[dot]].mean()) / 2
    dots, heights = slice(form.items, None), np.unique(y[: form.items])
    # In the gap below the lowest item above, so no junction is on the level of an item.
    gap = high - heights[np.searchsorted(heights, high) - 1]
    y = high - gap * before / np.maximum(before + after, 1)
    return list(zip(x[dots].tolist(), y[dots].tolist(), strict=True))


def _places(realizer: tuple[list[Any], ...], above: list[list[int]]) -> Numbers:
    """Return the places of items and junctions in two rankings of both."""
    lists = [inverse_of(np.array(ranking, dtype=np.int64)).tolist() for ranking in realizer]
    for places in lists:
        for ends in above:
            places.append(max(places[u] for u in ends))
    one, other = map(np.array, lists)
    return np.stack([inverse_of(np.lexsort(keys)) for keys in ((other, one), (one, other))])


def uncrossed_rows(strata: Strata, ends: tuple[Numbers, Numbers], places: Numbers) -> Rows:
    """Return the orders of the nodes of each level in which no pieces cross.

    Of each edge both ends are given, and of each node its places in both rankings.
    """
    one, other = places.tolist()
    joints = np.repeat(np.arange(ends[0].size), np.diff(strata.first) - 1)
    nodes = np.arange(len(one))
    upper, lower = (np.concatenate((nodes, end[joints])).tolist() for end in ends)

    def side(a: int, b: int) -> int:
        # Two edges are in the order of any ends of them that are incomparable; a node is an edge
        # from itself to itself.
        pairs = product((upper[a], lower[a]), (upper[b], lower[b]))
        ways: Iterator[tuple[int, int]] = ((one[u] - one[v], other[u] - other[v]) for u, v in pairs)
        return next((first for first, second in ways if first * second < 0), 0)

    key = cmp_to_key(side)
    return [strata.within[sorted(level.tolist(), key=key)] for level in strata.nodes]
