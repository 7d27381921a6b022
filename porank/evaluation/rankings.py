"""Heights into rankings, for groups of one size: the items by place, ties, rows of bits."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.evaluation.words import single_bits, width_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.evaluation.words import Words
    from porank.typing import Numbers


class Ranking:
    """The items of each group from the highest to the lowest.

    Attributes
    ----------
    order : array of int
        The items by place.
    begin, end : array of int
        For each place where its tie begins, and where it ends.

    Examples
    --------
    >>> ranking = Ranking(np.array([[5, 9, 5]]))
    >>> ranking.passed.tolist(), ranking.coming.tolist(), ranking.layers.tolist()
    ([[1, 0, 1]], [[0, 2, 0]], [[1, 0, 1]])
    """

    def __init__(self, height: Any) -> None:
        groups, n = height.shape
        self.order = _from_highest(height)
        row = n * np.arange(groups)[:, None]
        # One index for group and item is several times faster than two.
        self._at = self.order + row
        ordered = self.at_places(height)
        is_new = np.ones((groups, n), dtype=bool)
        np.not_equal(ordered[:, 1:], ordered[:, :-1], out=is_new[:, 1:])
        # Each group begins a new tie, so that all of them can be walked in one go.
        starts = np.flatnonzero(is_new)
        self._tie = np.cumsum(is_new.reshape(-1)).reshape(groups, n) - 1
        self.begin = starts[self._tie] - row
        self.end = np.append(starts[1:], groups * n)[self._tie] - row

    def at_places(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return what the items have, place by place."""
        taken: NDArray[Any] = values.reshape(-1)[self._at]
        return taken

    def of_items(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return what the places have, item by item."""
        given = np.empty(self.order.shape, dtype=values.dtype)
        given.reshape(-1)[self._at] = values
        return given

    @cached_property
    def passed(self) -> Numbers:
        """How many items are above each."""
        return self.of_items(self.begin)

    @cached_property
    def coming(self) -> Numbers:
        """How many items are below each."""
        return self.of_items(self.order.shape[1] - self.end)

    @cached_property
    def layers(self) -> Numbers:
        """The layer of each item."""
        return self.of_items(self._tie - self._tie[:, :1])

    @cached_property
    def pairs(self) -> Numbers:
        """How many pairs of each group are decided."""
        total: Numbers = self.begin.sum(axis=1)
        return total

    @cached_property
    def _passed_bits(self) -> list[Words]:
        """The items of the first places as bits, for each number of places from 0 to all."""
        groups, n = self.order.shape
        so_far = []
        for bits in single_bits(self.order, width_of(n)):
            so_far.append(np.zeros((groups, n + 1), dtype=np.uint64))
            np.bitwise_or.accumulate(bits, axis=1, out=so_far[-1][:, 1:])
        return so_far

    def rows(self, *, upwards: bool) -> Words:
        """Return the items above each, or below it, as bits."""
        groups, n = self.order.shape
        last = (self.begin if upwards else self.end) + (n + 1) * np.arange(groups)[:, None]
        planes = []
        for so_far in self._passed_bits:
            passed = so_far.reshape(-1)[last]
            planes.append(self.of_items(passed if upwards else passed ^ so_far[:, -1:]))
        # One word an item is the usual case, and needs no copy.
        return planes[0][..., None] if len(planes) == 1 else np.stack(planes, axis=2)


def _from_highest(height: NDArray[Any]) -> Numbers:
    """Return the items of each group from the highest to the lowest."""
    n = height.shape[1]
    room = n.bit_length()
    if height.dtype.kind == "i" and height.size and np.abs(height).max() < 1 << 62 - room:
        # To sort whole numbers is several times faster than to sort places by them.
        keys = (-height << room) | np.arange(n)
        keys.sort(axis=1)
        packed: Numbers = keys & (1 << room) - 1
        return packed
    return np.argsort(-height, axis=1)


def count_by_levels(levels: Numbers, ranking: Ranking) -> tuple[Numbers, Numbers]:
    """Return how many pairs of different levels a ranking decides alike, and how many contrarily.

    Idea: *walk down the ranking and count the items of worse levels passed*, level by level.

    Parameters
    ----------
    levels : array of int
        The level of each item, 0 the best.
    ranking : Ranking
        The same items, ranked.

    Examples
    --------
    >>> alike, contrarily = count_by_levels(np.array([[0, 1, 1]]), Ranking(np.array([[5, 9, 5]])))
    >>> alike.tolist(), contrarily.tolist()
    ([0], [1])

    Notes
    -----
    Time O(n) for each level, beyond the sorting.
    """
    groups, n = levels.shape
    level = ranking.at_places(levels)
    row = (n + 1) * np.arange(groups)[:, None]
    begin, end = ranking.begin + row, ranking.end + row
    alike, contrarily = np.zeros((2, groups), dtype=np.int64)
    passed = np.zeros((groups, n + 1), dtype=np.int64)
    for upper in range(int(levels.max())):
        np.cumsum(level > upper, axis=1, out=passed[:, 1:])
        is_upper = level == upper
        above = passed.reshape(-1)[begin]
        below = passed[:, -1:] - passed.reshape(-1)[end]
        alike += np.einsum("ij,ij->i", is_upper, below)
        contrarily += np.einsum("ij,ij->i", is_upper, above)
    return alike, contrarily
