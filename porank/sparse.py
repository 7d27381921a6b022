"""Very sparse orders: a closure of few pairs, as sorted lists of places instead of rows of bits.

Rows of bits take n**2 / 16 bytes even where hardly an item is above another. Where an item has
about one successor, the pairs themselves are fewer, and NumPy closes a whole layer at once.

Idea: *from the lowest layer upwards, what lies below an item is its successors and all that lies
below them; a successor that turns up among the latter is implied.*
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from porank.layering import ranges
from porank.relation import Relation, numbered_from_sinks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porank.typing import Numbers

#: Below so many items, rows of bits are short and always faster.
_FEW_ITEMS = 4096
#: More edges than this an item, and the closure is hardly ever sparse.
_EDGES_AN_ITEM = 2
#: More pairs than this an item, and the attempt is given up.
_PAIRS_AN_ITEM = 16
#: Fewer items a layer than this, and whole layers at once do not pay.
_ITEMS_A_LAYER = 64


class SparseRelation(Relation):
    """A relation that holds pairs of places and makes lists and rows of bits only when asked.

    Attributes
    ----------
    cover_pairs : array of int
        The covers as ``upper * n + lower``, ascending.
    start : array of int
        Where the places below each place begin in `lower`; one entry more than there are places.
    lower : array of int
        The places below each place, ascending for each.
    """

    def __init__(
        self, order: Numbers, cover_pairs: Numbers, start: Numbers, lower: Numbers
    ) -> None:
        self.order = order
        self.cover_pairs = cover_pairs
        self.start = start
        self.lower = lower

    @cached_property
    def covers(self) -> list[list[int]]:  # type: ignore[override]
        """The places covered by each place, highest first."""
        covers: list[list[int]] = [[] for _ in range(self.order.size)]
        upper, lower = np.divmod(self.cover_pairs[::-1], max(self.order.size, 1))
        for p, q in zip(upper.tolist(), lower.tolist(), strict=True):
            covers[p].append(q)
        return covers

    def count_pairs(self) -> int:
        """Return the number of pairs of the closure."""
        return self.lower.size

    def closed_rows(self) -> Iterator[list[int]]:
        """Yield, item by item, the numbers of the items below it, ascending."""
        items, start = self.order[self.lower].tolist(), self.start.tolist()
        for p in self.place.tolist():
            yield sorted(items[start[p] : start[p + 1]])


def relate_sparsely(layers: Numbers, source: Numbers, target: Numbers) -> SparseRelation | None:
    """Return the order that the edges say if its closure is very sparse, else None.

    Parameters
    ----------
    layers, source, target
        As for `porank.relation.relate`, edges given once each.

    Examples
    --------
    >>> n = 10_000
    >>> stars = relate_sparsely(np.arange(n) % 2, np.arange(0, n, 2), np.arange(1, n, 2))
    >>> stars.count_pairs()
    5000
    >>> relate_sparsely(np.arange(3), np.array([0, 1]), np.array([1, 2])) is None
    True

    Notes
    -----
    Time O(p log p) and memory O(p) for p pairs of the closure, of which there are at most
    16 n; beyond, and on small or deep orders, the answer is None after no more work than that.
    """
    n, m = layers.size, source.size
    deep = (layers.max(initial=0) + 1) * _ITEMS_A_LAYER > n
    if n < _FEW_ITEMS or m > _EDGES_AN_ITEM * n or deep:
        return None
    order, place = numbered_from_sinks(layers)
    given = np.sort(place[source] * n + place[target])
    ends = np.cumsum(np.bincount(layers)[::-1])
    closed = _close_layers(n, given, ends)
    return None if closed is None else SparseRelation(order, *closed)


def _close_layers(n: int, given: Numbers, ends: Numbers) -> tuple[Numbers, Numbers, Numbers] | None:
    """Close the sorted edges ``upper * n + lower``; the layers are places up to each of `ends`."""
    start = np.zeros(n + 1, dtype=np.int64)
    lower = np.empty(_PAIRS_AN_ITEM * n, dtype=np.int64)
    covers = []
    cuts = np.searchsorted(given, np.concatenate(([0], ends)) * n).tolist()
    filled, begin = 0, 0
    for (low, high), end in zip(pairwise(cuts), ends.tolist(), strict=True):
        edges = given[low:high]
        upper, heads = np.divmod(edges, n)
        # Asked before anything is built: a hub alone can hand on n**2 pairs.
        if filled + (start[heads + 1] - start[heads]).sum() > lower.size:
            return None
        inherited = lower[ranges(start[heads], start[heads + 1])]
        implied = np.repeat(upper, start[heads + 1] - start[heads]) * n + inherited
        # An even key is implied, an odd one given; a pair that begins with the odd one is a cover.
        keys = np.sort(np.concatenate((2 * implied, 2 * edges + 1)))
        firsts = keys[np.diff(keys >> 1, prepend=-1) > 0]
        if filled + firsts.size > lower.size:
            return None
        covers.append(firsts[firsts & 1 == 1] >> 1)
        pairs = firsts >> 1
        lower[filled : filled + pairs.size] = pairs % n
        start[begin + 1 : end + 1] = filled + np.searchsorted(
            pairs, np.arange(begin + 1, end + 1) * n
        )
        filled, begin = filled + pairs.size, end
    return np.concatenate(covers), start, lower[:filled].copy()
