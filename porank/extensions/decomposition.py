"""Series and parallel parts: an order taken apart into pieces that know nothing of each other.

An order is *parallel* if it falls into components with no item of one above an item of another, and
*series* if it can be cut so that all items before the cut are above all items after it. What cannot
be cut either way is *prime* here; items of which none is above another are *free*.

Idea: *sort the items by how many are above them. A cut after the first s is one of the series kind
exactly when the items before it have s (n - s) items more below than above them.*

`decompose` returns the parts of an order, `take_apart` those of a reduction: a list, the whole
first, each before those that it is made of, so that `upwards` comes from the leaves up.
"""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from porank.core.arrays import members_of_layers
from porank.core.relation import rows_along_covers
from porank.orders.ranks import rank_bounds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from porank.core.compiled_order import Order
    from porank.typing import Numbers


def decompose(
    order: Order, *, by_name: bool = False, progress: bool | None = None
) -> list[OrderPart]:
    """Return the parts of an order, the whole first, each before the parts that it is made of."""
    named, numbers = order.by_name() if by_name else (order, None)
    if order.is_weak:
        return _levels_as_parts(named, numbers)
    best, worst = rank_bounds(named, progress=progress)
    relation = named.related(progress=progress)
    at, n = relation.order, len(order.items)
    items = at if numbers is None else numbers[at]
    whole = _Whole(items.tolist(), relation.covers, best[at] - 1, n - worst[at])
    return whole.parts()


def take_apart(items: list[int], covers: _Covers) -> list[OrderPart]:
    """Return the parts of an order as `decompose` does, given by its reduction."""
    below, above = (
        np.fromiter(map(int.bit_count, rows), np.int64, len(items))
        for rows in rows_along_covers(covers, range(len(items)))
    )
    return _Whole(items, covers, above, below).parts()


def _levels_as_parts(order: Order, numbers: Numbers | None) -> list[OrderPart]:
    """Return the levels of a weak order, one after the other."""
    groups = members_of_layers(order.layers) or [np.arange(0)]
    if numbers is not None:
        groups = [numbers[group] for group in groups]
    levels = [OrderPart("free", level.size, [], level[::-1].tolist(), []) for level in groups]
    if len(levels) < 2:
        return levels
    return [OrderPart("series", len(order.items), list(range(1, len(levels) + 1)), [], []), *levels]


class _Piece(NamedTuple):
    """Places of an order, ascending, that are yet to be taken apart."""

    places: Numbers
    within: str = ""
    lifted: int = 0
    sunk: int = 0


class _Whole:
    """An order that is taken apart."""

    def __init__(self, items: list[int], covers: _Covers, above: Numbers, below: Numbers) -> None:
        self._items = items
        self._covers = covers
        self._above = above
        self._below = below

    def parts(self) -> list[OrderPart]:
        """Return the parts, the whole first."""
        pieces = [_Piece(np.arange(len(self._items)))]
        parts: list[OrderPart] = []
        # The list grows while it is walked: what a piece falls into comes after it.
        for number, piece in enumerate(pieces):
            kind, groups = self._split(piece)
            if groups:
                numbers = list(range(len(pieces), len(pieces) + len(groups)))
                pieces += _inner(piece, kind, groups)
                parts.append(OrderPart(kind, piece.places.size, numbers, [], []))
            else:
                parts.append(self._leaf(piece, kind))
            pieces[number] = _Piece(piece.places[:0])
        return parts

    def _split(self, piece: _Piece) -> tuple[str, list[Numbers]]:
        """Return the kind of a piece and the groups of places that it falls into, if any."""
        below = self._below[piece.places] - piece.sunk
        if not below.any():
            return "free", []
        above = self._above[piece.places] - piece.lifted
        slices = [] if piece.within == "series" else _slices(piece.places, above, below)
        if len(slices) > 1:
            return "series", slices
        if piece.within != "parallel":
            is_alone = (above == 0) & (below == 0)
            alone, rest = piece.places[is_alone], piece.places[~is_alone]
            can_be_cut = alone.size and len(_slices(rest, above[~is_alone], below[~is_alone])) > 1
            connected = [rest] if can_be_cut else self._components(rest)
            groups = [alone, *connected] if alone.size else connected
            if len(groups) > 1:
                return "parallel", groups
        return "prime", []

    def _components(self, places: Numbers) -> list[Numbers]:
        """Return the places of each component, ascending, the highest component first."""
        unseen = dict.fromkeys(places[::-1].tolist())
        components = []
        while unseen:
            component = [next(iter(unseen))]
            del unseen[component[0]]
            for place in component:
                for neighbours in (self._covers[place], self._covered_by[place]):
                    new = [q for q in neighbours if q in unseen]
                    for q in new:
                        del unseen[q]
                    component += new
            components.append(np.array(sorted(component)))
        return components

    @cached_property
    def _covered_by(self) -> _Covers:
        above: _Covers = [[] for _ in self._covers]
        for p, covered in enumerate(self._covers):
            for q in covered:
                above[q].append(p)
        return above

    def _leaf(self, piece: _Piece, kind: str) -> OrderPart:
        places = piece.places.tolist()
        covers: _Covers = [[]] * len(places)
        if kind == "prime":
            local = {place: number for number, place in enumerate(places)}
            covers = [[local[q] for q in self._covers[p] if q in local] for p in places]
        return OrderPart(kind, len(places), [], [self._items[p] for p in places], covers)


def _slices(places: Numbers, above: Numbers, below: Numbers) -> list[Numbers]:
    """Return the places between neighbouring cuts, ascending, best first."""
    n = places.size
    best_first = np.argsort(above, kind="stable")
    so_far = np.arange(1, n + 1)
    surplus = np.cumsum((below - above)[best_first])
    cuts = so_far[surplus == so_far * (n - so_far)].tolist()
    return [np.sort(places[best_first[start:end]]) for start, end in pairwise([0, *cuts])]


def _inner(piece: _Piece, kind: str, groups: list[Numbers]) -> list[_Piece]:
    """Return the pieces of a piece: those of a series know how many items are above and below."""
    if kind == "parallel":
        return [_Piece(group, kind, piece.lifted, piece.sunk) for group in groups]
    before = list(accumulate((group.size for group in groups), initial=0))
    return [
        _Piece(group, kind, piece.lifted + start, piece.sunk + before[-1] - end)
        for group, (start, end) in zip(groups, pairwise(before), strict=True)
    ]


_Covers = list[list[int]]


class OrderPart(NamedTuple):
    """A part of an order: a leaf with its items, or made of other parts."""

    kind: str
    size: int
    parts: list[int]
    items: list[int]
    covers: _Covers


def leaf_items(parts: Sequence[OrderPart]) -> list[int]:
    """Return the items of all leaves, part by part, those of a leaf best first."""
    items: list[int] = []
    waiting = [0]
    while waiting:
        part = parts[waiting.pop()]
        items += part.items[::-1]
        waiting += part.parts[::-1]
    return items


def upwards(parts: Sequence[OrderPart]) -> Iterator[tuple[int, OrderPart]]:
    """Yield the parts with their numbers, each after those that it is made of."""
    for number in range(len(parts) - 1, -1, -1):
        yield number, parts[number]


def position_bounds(covers: _Covers) -> tuple[Numbers, Numbers]:
    """Return the first and the last position of each item of a leaf, numbered best first."""
    n = len(covers)
    below, above = (
        np.fromiter(map(int.bit_count, reversed(rows)), np.int64, n)
        for rows in rows_along_covers(covers, range(n))
    )
    return above, n - 1 - below


def above_matrix(part: OrderPart) -> NDArray[np.bool_]:
    """Return the closure of a leaf, entry [i, j]: item i is above item j, numbered best first."""
    n = part.size
    below, _ = rows_along_covers(part.covers, range(n - 1, -1, -1))
    octets = -(-n // 8)
    rows = b"".join(row.to_bytes(octets, "little") for row in reversed(below))
    bits = np.frombuffer(rows, np.uint8).reshape(n, octets)
    return np.unpackbits(bits, axis=1, count=n, bitorder="little").view(bool)
