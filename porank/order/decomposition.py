"""Series and parallel parts: an order taken apart into pieces that know nothing of each other.

An order is *parallel* if it falls into components with no item of one above an item of another, and
*series* if it can be cut so that all items before the cut are above all items after it. What cannot
be cut either way is *prime* here; items of which none is above another are *free*.

Idea: *an item has as many items above it as it needs; a cut after the first s items is one of the
series kind exactly when the items before it have s (n - s) items more below than above them.*
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from porank.bits import rows_along_covers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porank.compiled import Order

Covers = list[list[int]]


class Part(NamedTuple):
    """A part of an order: a leaf with its items, or made of other parts.

    Attributes
    ----------
    kind : str
        ``"free"`` or ``"prime"``, a leaf; ``"series"`` or ``"parallel"``, made of others.
    size : int
        The number of its items.
    parts : list of int
        The numbers of the parts it is made of, best first in a series; empty for a leaf.
    items : list of int
        The numbers of the items of a leaf, whatever is below an item before it.
    covers : list of list of int
        For each entry of `items` of a prime part, where the items that it covers stand in `items`.
    """

    kind: str
    size: int
    parts: list[int]
    items: list[int]
    covers: Covers


def decompose(order: Order, *, progress: bool = False) -> list[Part]:
    """Return the parts of an order, the whole first, each before the parts that it is made of.

    Examples
    --------
    >>> import porank as po
    >>> from porank.compiled import compile_order
    >>> for part in decompose(compile_order(po.parse("a > b > c; a > d; x; y"))):
    ...     print(part.kind, part.size, part.parts, part.items)
    parallel 6 [1, 2] []
    free 2 [] [4, 5]
    series 4 [3, 4] []
    free 1 [] [0]
    parallel 3 [5, 6] []
    free 1 [] [3]
    series 2 [7, 8] []
    free 1 [] [1]
    free 1 [] [2]

    Notes
    -----
    Time O(n m_red / 64) for each level of parts within parts, O(n) for a weak order.
    """
    if order.is_weak:
        return _levels_as_parts(order)
    relation = order.related(progress=progress)
    pieces = [(relation.order.tolist(), relation.covers)]
    parts: list[Part] = []
    for items, covers in pieces:
        kind, groups = _split(covers)
        numbers = list(range(len(pieces), len(pieces) + len(groups)))
        pieces += [_piece(items, covers, group) for group in groups]
        if groups:
            parts.append(Part(kind, len(items), numbers, [], []))
        else:
            parts.append(Part(kind, len(items), [], items, covers))
        pieces[len(parts) - 1] = [], []
    return parts


def leaf_items(parts: list[Part]) -> list[int]:
    """Return the items of all leaves, part by part, those of a leaf best first.

    Examples
    --------
    >>> leaf_items([Part("series", 3, [1, 2], [], []), Part("free", 1, [], [2], []),
    ...             Part("free", 2, [], [1, 0], [[], []])])
    [2, 0, 1]
    """
    items: list[int] = []
    waiting = [0]
    while waiting:
        part = parts[waiting.pop()]
        items += part.items[::-1]
        waiting += part.parts[::-1]
    return items


def upwards(parts: list[Part]) -> Iterator[tuple[int, Part]]:
    """Yield the parts with their numbers, each after those that it is made of.

    Examples
    --------
    >>> from porank.compiled import compile_order
    >>> parts = decompose(compile_order({"a": 1, "b": 2}))
    >>> [(number, part.kind) for number, part in upwards(parts)]
    [(2, 'free'), (1, 'free'), (0, 'series')]
    """
    for number in range(len(parts) - 1, -1, -1):
        yield number, parts[number]


def _levels_as_parts(order: Order) -> list[Part]:
    """Return the levels of a weak order, one after the other."""
    by_layer = np.split(np.argsort(order.layers, kind="stable"), np.cumsum(order.sizes)[:-1])
    levels = [Part("free", level.size, [], level[::-1].tolist(), []) for level in by_layer]
    if len(levels) < 2:
        return levels
    return [Part("series", len(order.items), list(range(1, len(levels) + 1)), [], []), *levels]


def _split(covers: Covers) -> tuple[str, list[list[int]]]:
    """Return the kind of a piece and the groups of places that it falls into, if any."""
    components = _components(covers)
    if len(components) > 1 or len(covers) < 2:
        alone = sorted(places[0] for places in components if len(places) == 1)
        connected = [places for places in components if len(places) > 1]
        return (
            ("parallel", [alone, *connected] if alone else connected)
            if connected
            else (
                "free",
                [],
            )
        )
    slices = _series(covers)
    return ("series", slices) if len(slices) > 1 else ("prime", [])


def _components(covers: Covers) -> list[list[int]]:
    """Return the places of each component, ascending, the highest component first."""
    neighbours = [list(covered) for covered in covers]
    for p, covered in enumerate(covers):
        for q in covered:
            neighbours[q].append(p)
    seen = [False] * len(covers)
    components = []
    for p in range(len(covers) - 1, -1, -1):
        if not seen[p]:
            seen[p] = True
            component = [p]
            for place in component:
                new = [q for q in neighbours[place] if not seen[q]]
                for q in new:
                    seen[q] = True
                component += new
            components.append(sorted(component))
    return components


def _series(covers: Covers) -> list[list[int]]:
    """Return the places between neighbouring cuts, ascending, best first."""
    n = len(covers)
    below, above = rows_along_covers(covers, list(range(n)))
    sizes = [row.bit_count() for row in above]
    best_first = sorted(range(n), key=sizes.__getitem__)
    surplus = accumulate(below[p].bit_count() - sizes[p] for p in best_first)
    cuts = [s for s, more in enumerate(surplus, start=1) if more == s * (n - s)]
    return [sorted(best_first[start:end]) for start, end in pairwise([0, *cuts])]


def _piece(items: list[int], covers: Covers, places: list[int]) -> tuple[list[int], Covers]:
    """Return the items at these places and the covers among them."""
    local = {place: number for number, place in enumerate(places)}
    among = [[local[q] for q in covers[p] if q in local] for p in places]
    return [items[p] for p in places], among
