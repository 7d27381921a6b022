"""From aligned chunks to blocks: the pairs of each side closed, groups of one size put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arrays import ranges
from porank.evaluation.blocks import Block, Side
from porank.evaluation.words import ROOM, close, on_cycles, pack, turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from porank.evaluation.alignment import Aligned, AlignedSide
    from porank.evaluation.words import Words
    from porank.typing import Numbers

#: More items than this are compared one group at a time.
MOST_ITEMS = 512
#: So many entries of Boolean matrices, or words of rows, are in hand at once.
_ENTRIES = 1 << 21
_WORDS = 1 << 14


@dataclass
class Closed:
    """What the pairs of one side say, for each item compared.

    Attributes
    ----------
    below, above : array
        The items compared that are below and above it, as a word.
    is_cyclic, is_large : array of bool
        For each group, whether the pairs make a cycle; whether it has too many items for words.
    again : int
        How many pairs had been said before in their group.
    """

    below: NDArray[np.uint64]
    above: NDArray[np.uint64]
    is_cyclic: NDArray[np.bool_]
    is_large: NDArray[np.bool_]
    again: int = 0


def close_pairs(aligned: Aligned, side: AlignedSide) -> Closed:
    """Close the pairs of all groups that have at most 64 items on this side.

    Notes
    -----
    Time O(m + n**2) a group, all groups of one size at once.
    """
    is_large = ~side.by_height & (side.size > ROOM)
    count = 0 if side.by_height.all() else int(aligned.start[-1])
    closed = Closed(
        np.zeros(count, dtype=np.uint64),
        np.zeros(count, dtype=np.uint64),
        np.zeros(side.size.size, dtype=bool),
        is_large,
    )
    chosen = np.flatnonzero(~side.by_height & ~is_large)
    for groups, n in groups_of_one_size(chosen, side.size, lambda n: n * n, _ENTRIES):
        _close_some(aligned, side, groups, n, closed)
    closed.again += _count_again(side, np.flatnonzero(is_large))
    return closed


def groups_of_one_size(
    chosen: Numbers, size: Numbers, cost: Any, most: int
) -> Iterator[tuple[Numbers, int]]:
    """Yield some groups at a time that have one size, and that size.

    Examples
    --------
    >>> sizes = np.array([2, 3, 2, 2])
    >>> [(groups.tolist(), n) for groups, n in groups_of_one_size(
    ...     np.arange(4), sizes, lambda n: n, 4)]
    [([0, 2], 2), ([3], 2), ([1], 3)]

    Notes
    -----
    Time O(groups log groups).
    """
    if not chosen.size:
        return
    by_size = chosen[np.argsort(size[chosen], kind="stable")]
    sizes, starts = np.unique(size[by_size], return_index=True)
    for n, groups in zip(sizes.tolist(), np.split(by_size, starts[1:]), strict=True):
        step = max(1, most // max(cost(n), 1))
        for first in range(0, groups.size, step):
            yield groups[first : first + step], n


def _close_some(
    aligned: Aligned, side: AlignedSide, groups: Numbers, n: int, closed: Closed
) -> None:
    start = side.pair_start
    rows = ranges(start[groups], start[groups + 1])
    place = np.repeat(np.arange(groups.size) * n, start[groups + 1] - start[groups])
    matrix = np.zeros((groups.size, n, n), dtype=bool)
    matrix.reshape(-1)[(place + side.upper[rows]) * n + side.lower[rows]] = True
    closed.again += rows.size - int(np.count_nonzero(matrix))
    below = close(pack(matrix))
    closed.is_cyclic[groups] = on_cycles(below).any(axis=1)
    compared = aligned.compared[groups, None]
    is_compared = np.arange(n) < compared
    at = (aligned.start[groups, None] + np.arange(n))[is_compared]
    # Items that are not compared come last in their group: they have the highest bits.
    mask = np.where(compared < ROOM, np.uint64(1) << compared.astype(np.uint64) % ROOM, 0)
    mask = mask - np.uint64(1)
    closed.below[at] = (below[..., 0] & mask)[is_compared]
    closed.above[at] = (turn(below)[..., 0] & mask)[is_compared]


def _count_again(side: AlignedSide, groups: Numbers) -> int:
    """Return how many pairs of large groups had been said before."""
    again = 0
    for group in groups.tolist():
        rows = slice(int(side.pair_start[group]), int(side.pair_start[group + 1]))
        keys = side.upper[rows] * int(side.size[group]) + side.lower[rows]
        again += keys.size - np.unique(keys).size
    return again


def blocks_of(
    aligned: Aligned, target: Closed, predicted: Closed, chosen: Numbers
) -> Iterator[Block]:
    """Yield the chosen groups in blocks of one size.

    Parameters
    ----------
    aligned : Aligned
        The chunk.
    target, predicted : Closed
        What the pairs of its sides say.
    chosen : array of int
        Groups of the chunk that have items and no cycle, neither of them large.
    """
    both = ((aligned.target, target), (aligned.predicted, predicted))
    kinds = [_kinds(aligned, side) for side, _ in both]
    size = aligned.compared * 16 + kinds[0] * 4 + kinds[1]
    for groups, code in groups_of_one_size(chosen, size, _words_of_code, _WORDS):
        n = code // 16
        at = _places(aligned.start[groups], n)
        sides = [
            _side(side, closed, at, (groups.size, n), kind)
            for (side, closed), kind in zip(both, (code // 4 % 4, code % 4), strict=True)
        ]
        yield Block(aligned.first + groups, *sides)


def _words_of_code(code: int) -> int:
    n = code // 16
    return n * (n // ROOM + 1)


def _kinds(aligned: Aligned, side: AlignedSide) -> Numbers:
    """Return for each group 0 if pairs say all, 1 if heights do, 2 if heights of some items do."""
    kinds = side.by_height.astype(np.int64)
    if side.present is not None:
        absent = np.concatenate([[0], np.cumsum(~side.present)])
        kinds[side.by_height & (np.diff(absent[aligned.start]) > 0)] = 2
    return kinds


def _places(starts: Numbers, n: int) -> Numbers | slice:
    """Return where the items of groups of one size stand, if possible as a slice: no copy."""
    first, last = int(starts[0]), int(starts[-1]) + n
    if last - first == n * starts.size:
        return slice(first, last)
    places: Numbers = (starts[:, None] + np.arange(n)).reshape(-1)
    return places


def _side(
    side: AlignedSide, closed: Closed, at: Numbers | slice, shape: tuple[int, int], kind: int
) -> Side:
    tie = None if side.tie is None else side.tie[at].reshape(shape)
    number = None if side.number is None else side.number[at].reshape(shape)
    if kind == 0:
        rows: list[Words] = [
            column[at].reshape(*shape, 1) for column in (closed.below, closed.above)
        ]
        return Side(shape, below=rows[0], above=rows[1], tie=tie, number=number)
    present = None
    if kind == 2 and side.present is not None:
        present = side.present[at].reshape(shape)
    height = side.height[at].reshape(shape)
    return Side(shape, height=height, present=present, tie=tie, number=number)
