"""The engine: a strict partial order, closed and reduced in one pass over rows of bits.

A row of the relation is one Python integer. Items are given *places* from the sinks up, so that
whatever lies below an item has a lower place, and bit q of the row at place p says that the item at
place p is above the one at place q.

Idea: *walk the places upwards; take the successors of an item highest first; one that an earlier
one already reaches is implied, any other is a cover, and brings all that it reaches with it.* This
is the algorithm of Goralčíková and Koubek [1]_: closure and reduction together, at the price of one
union for each edge of the reduction.

References
----------
.. [1] A. Goralčíková, V. Koubek, "A reduct-and-closure algorithm for graphs", Mathematical
   Foundations of Computer Science, 1979, pp. 301-307. https://doi.org/10.1007/3-540-09526-8_27
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from porank.bits import Bits, bits_of, places_of, rows_of
from porank.progress import track
from porank.sorting import inverse_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from porank.typing import Numbers

#: From this share of all pairs on, rows are packed from a matrix instead of lists of edges.
_DENSE = 1 / 40
#: Fewer items than this, and a matrix costs more than it saves.
_FEW_ITEMS = 64


class Relation:
    """A strict partial order of n numbered items, as its closure and its reduction.

    Attributes
    ----------
    order : array of int
        The item at each place; whatever an item is above of has a lower place.
    covers : list of list of int
        The places that the item at place p covers, highest first: the edges of the reduction.
    below : list of int
        ``below[p] >> q & 1`` says that the item at place p is above the item at place q.

    Examples
    --------
    >>> chain = relate(np.array([0, 1, 2]), np.array([0, 0, 1]), np.array([1, 2, 2]))
    >>> chain.order.tolist()
    [2, 1, 0]
    >>> [f"{row:03b}" for row in chain.below]
    ['000', '001', '011']
    >>> chain.covers
    [[], [0], [1]]
    >>> [f"{row:03b}" for row in chain.above]
    ['110', '100', '000']
    """

    def __init__(
        self, order: Numbers, covers: list[list[int]], below: list[int] | None = None
    ) -> None:
        self.order = order
        self.covers = covers
        if below is not None:
            self.below = below

    @cached_property
    def place(self) -> Numbers:
        """The place of each item: the inverse of `order`."""
        return inverse_of(self.order)

    @cached_property
    def below(self) -> list[int]:
        """The rows of bits, gathered up along the covers where they are not known yet."""
        reached: list[int] = []
        for p, covered in enumerate(self.covers):
            row = 1 << p
            for q in covered:
                row |= reached[q]
            reached.append(row)
        return _without_own_bits(reached)

    @cached_property
    def above(self) -> list[int]:
        """The rows of the opposite direction, pushed down along the covers."""
        above = [0] * len(self.covers)
        for p in range(len(above) - 1, -1, -1):
            passed_on = above[p] | 1 << p
            for q in self.covers[p]:
                above[q] |= passed_on
        return above

    @cached_property
    def below_bits(self) -> Bits:
        """The rows of `below`, ready to be counted against others."""
        return bits_of(self.below)

    def count_pairs(self) -> int:
        """Return the number of pairs of the closure."""
        return self._pairs

    @cached_property
    def _pairs(self) -> int:
        return sum(map(int.bit_count, self.below))

    def count_covers(self) -> int:
        """Return the number of covers, the edges of the reduction."""
        return sum(map(len, self.covers))

    def closed_rows(self) -> Iterator[list[int]]:
        """Yield, item by item, the numbers of the items below it, ascending."""
        for p in self.place.tolist():
            yield np.sort(self.order[places_of(self.below[p])]).tolist()

    def reduced_rows(self) -> Iterator[list[int]]:
        """Yield, item by item, the numbers of the items it covers, ascending."""
        order = self.order.tolist()
        for p in self.place.tolist():
            yield sorted(order[q] for q in self.covers[p])

    def matrix(self) -> NDArray[np.bool_]:
        """Return the closure as a Boolean matrix, entry [i, j]: item i is above item j."""
        n = self.order.size
        matrix = np.zeros((n, n), dtype=bool)
        for item, row in enumerate(self.closed_rows()):
            matrix[item, row] = True
        return matrix


def numbered_from_sinks(layers: Numbers) -> tuple[Numbers, Numbers]:
    """Return the item at each place and the place of each item, the last layer lowest.

    Examples
    --------
    >>> [array.tolist() for array in numbered_from_sinks(np.array([0, 2, 1]))]
    [[1, 2, 0], [2, 0, 1]]
    """
    order = np.argsort(-layers, kind="stable")
    return order, inverse_of(order)


def relate(
    layers: Numbers, source: Numbers, target: Numbers, *, progress: bool = False
) -> Relation:
    """Return the order that the edges say, items numbered 0..n-1.

    Parameters
    ----------
    layers : array of int
        A number for each item that is larger at the end of an edge than at its beginning, such as
        `porank.layering.layer_numbers` gives.
    source, target : array of int
        The edges, in any order; repeated ones count once.
    progress : bool
        Show a bar.

    Returns
    -------
    Relation

    Examples
    --------
    >>> N = relate(np.array([0, 0, 1, 1]), np.array([0, 1, 1]), np.array([2, 2, 3]))
    >>> list(N.closed_rows())
    [[2], [2, 3], [], []]

    Notes
    -----
    Time O(n m_red / 64) for the unions, one for each of the m_red edges of the reduction; where
    rows are sparse, the shift that tests a bit costs as much again for each edge, and sorting them
    O(m log m). Memory n**2 / 16 bytes for `below`, twice that for `above`.
    """
    n = layers.size
    order, place = numbered_from_sinks(layers)
    if source.size > n * n * _DENSE and n > _FEW_ITEMS:
        matrix = np.zeros((n, n), dtype=bool)
        matrix[place[source], place[target]] = True
        return Relation(order, *_close_rows(rows_of(matrix), progress=progress))
    key = np.sort(place[source] * n + (n - 1 - place[target]))
    edges = _close_edges(n, key // max(n, 1), n - 1 - key % max(n, 1), progress=progress)
    return Relation(order, *edges)


def relate_matrix(matrix: NDArray[np.bool_], *, progress: bool = False) -> Relation:
    """Return the order whose closure is the Boolean `matrix`, entry [i, j]: item i is above item j.

    Examples
    --------
    >>> rank = np.array([2, 0, 1])
    >>> list(relate_matrix(rank[:, None] < rank[None, :]).reduced_rows())
    [[], [2], [0]]

    Notes
    -----
    Time O(n m_red / 64) and one pass over the matrix. That the matrix is transitive and free of
    cycles is not checked.
    """
    order = np.argsort(matrix.sum(axis=1), kind="stable")
    return Relation(order, *_close_rows(rows_of(matrix[np.ix_(order, order)]), progress=progress))


def relate_layers(layers: Numbers) -> Relation:
    """Return the weak order of the layers 0, 1, ...: each item is above all of the later layers.

    Examples
    --------
    >>> [f"{row:04b}" for row in relate_layers(np.array([0, 1, 1, 2])).below]
    ['0000', '0001', '0001', '0111']

    Notes
    -----
    Time and memory O(n) integers, one of n bits for each layer; the lists of covers are shared.
    """
    order = np.argsort(-layers, kind="stable")
    below: list[int] = []
    covers: list[list[int]] = []
    under: list[int] = []
    for size in np.bincount(layers)[::-1].tolist():
        first = len(below)
        below += [(1 << first) - 1] * size
        covers += [under] * size
        under = list(range(first + size - 1, first - 1, -1))
    return Relation(order, covers, below)


def _close_edges(
    n: int, source: Numbers, target: Numbers, *, progress: bool
) -> tuple[list[list[int]], list[int]]:
    """Close and reduce, edges given by places, sorted by source, then by target from the top."""
    ends = np.searchsorted(source, np.arange(1, n + 1)).tolist()
    heads = target.tolist()
    reached: list[int] = []
    covers: list[list[int]] = []
    shared: dict[tuple[int, ...], tuple[int, list[int]]] = {}
    begin = 0
    for p, end in enumerate(track(ends, progress=progress, label="closing")):
        successors = tuple(heads[begin:end])
        begin = end
        found = shared.get(successors)
        if found is None:
            row, taken = 0, []
            for q in successors:
                if not row >> q & 1:
                    row |= reached[q]
                    taken.append(q)
            found = shared[successors] = row, taken
        reached.append(found[0] | 1 << p)
        covers.append(found[1])
    return covers, _without_own_bits(reached)


def _close_rows(rows: Sequence[int], *, progress: bool) -> tuple[list[list[int]], list[int]]:
    """Close and reduce, edges given as rows of bits: as many steps as there are covers."""
    reached: list[int] = []
    covers: list[list[int]] = []
    shared: dict[int, tuple[int, list[int]]] = {}
    for p, successors in enumerate(track(rows, progress=progress, label="closing")):
        found = shared.get(successors)
        if found is None:
            row, taken, remaining = successors, [], successors
            while remaining:
                q = remaining.bit_length() - 1
                row |= reached[q]
                remaining &= ~reached[q]
                taken.append(q)
            found = shared[successors] = row, taken
        reached.append(found[0] | 1 << p)
        covers.append(found[1])
    return covers, _without_own_bits(reached)


def _without_own_bits(reached: list[int]) -> list[int]:
    """Clear bit p of row p in place, row by row, so that no second set of rows is ever held."""
    for p in range(len(reached)):
        reached[p] ^= 1 << p
    return reached
