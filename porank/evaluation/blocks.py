"""Groups of one size side by side: all that the measures ask of them, worked out when asked for.

Everything is an array with a row for each group and a column for each item compared.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.evaluation.rankings import Ranking, count_by_levels
from porank.evaluation.words import count_bits, pack, single_bits, width_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.evaluation.words import Words
    from porank.typing import Numbers


#: Counting by levels pays if there is at most one for so many items.
_FEW = 16


class Side:
    """One side of a block.

    Parameters
    ----------
    shape : (int, int)
        Groups and items.
    below, above : words, optional
        What is below and above each item, where pairs said it.
    height : array, optional
        How high each item stands, where heights say all.
    present : array of bool, optional
        Which items the side has; the others stand beside all.
    tie : array of int, optional
        The class of equals of each item, -1 for none.
    number : array of float, optional
        The score or grade of each item.

    Examples
    --------
    >>> side = Side((1, 3), height=np.array([[5, 9, 5]]))
    >>> side.layers.tolist(), side.above[..., 0].tolist(), side.is_weak.tolist()
    ([[1, 0, 1]], [[2, 0, 2]], [True])
    """

    def __init__(
        self,
        shape: tuple[int, int],
        *,
        below: Words | None = None,
        above: Words | None = None,
        height: NDArray[Any] | None = None,
        present: NDArray[np.bool_] | None = None,
        tie: Numbers | None = None,
        number: NDArray[np.float64] | None = None,
    ) -> None:
        self.groups, self.n = shape
        self._below, self._above = below, above
        self._height, self._present, self._tie = height, present, tie
        self.number = number

    @property
    def is_ranked(self) -> bool:
        """Whether all orders are weak because heights say all."""
        return self._height is not None and self._present is None

    @cached_property
    def ranking(self) -> Ranking:
        """The items from the highest to the lowest."""
        return Ranking(self._height)

    @cached_property
    def count_above(self) -> Numbers:
        """How many items are above each."""
        return self.ranking.passed if self.is_ranked else count_bits(self.above)

    @cached_property
    def count_below(self) -> Numbers:
        """How many items are below each."""
        return self.ranking.coming if self.is_ranked else count_bits(self.below)

    @cached_property
    def doubled_positions(self) -> Numbers:
        """Twice the middle of the ranks that each item may take."""
        return self.n + 1 + self.count_above - self.count_below

    @cached_property
    def below(self) -> Words:
        """The items below each."""
        return self._rows(self._below, upwards=False)

    @cached_property
    def above(self) -> Words:
        """The items above each."""
        return self._rows(self._above, upwards=True)

    def _rows(self, given: Words | None, *, upwards: bool) -> Words:
        if given is not None:
            return given
        rows = self.ranking.rows(upwards=upwards)
        if self._present is None:
            return rows
        kept = np.where(self._present[..., None], rows, np.uint64(0))
        masked: Words = kept & pack(self._present)[:, None, :]
        return masked

    @cached_property
    def tied(self) -> Words:
        """The items known to equal each, itself left out."""
        if self._tie is None and self._height is not None:
            present = self._present
            everything = np.ones((self.groups, self.n), bool) if present is None else present
            others = pack(everything)[:, None, :] & ~self.itself
            tied = others & ~self.below & ~self.above
            return tied if present is None else np.where(present[..., None], tied, np.uint64(0))
        if self._tie is None:
            return np.zeros((self.groups, self.n, width_of(self.n)), dtype=np.uint64)
        equal = self._tie[:, :, None] == self._tie[:, None, :]
        named: Words = pack(equal & (self._tie >= 0)[:, :, None]) & ~self.itself
        return named

    @cached_property
    def itself(self) -> Words:
        """The row of each item with its own bit alone."""
        return np.stack(single_bits(np.arange(self.n)[None, :], width_of(self.n)), axis=2)

    @cached_property
    def layers(self) -> Numbers:
        """For each item the edges of a longest path that ends in it."""
        if self.is_ranked:
            return self.ranking.layers
        layers = np.zeros((self.groups, self.n), dtype=np.int64)
        is_left = np.ones((self.groups, self.n), dtype=bool)
        layer = 0
        while is_left.any():
            layers[is_left] = layer
            left = pack(is_left)[:, None, :]
            is_left = is_left & ((self.above & left) != 0).any(axis=2)
            layer += 1
        return layers

    @cached_property
    def height(self) -> Numbers:
        """The number of layers of each order."""
        top: Numbers = self.layers.max(axis=1) + 1
        return top

    @cached_property
    def pairs(self) -> Numbers:
        """The number of comparable pairs of each order."""
        total: Numbers = self.ranking.pairs if self.is_ranked else self.count_above.sum(axis=1)
        return total

    @cached_property
    def is_weak(self) -> NDArray[np.bool_]:
        """For each order whether all items of later layers are below those of earlier ones."""
        if self.is_ranked:
            return np.ones(self.groups, dtype=bool)
        earlier = self.layers[:, None, :] < self.layers[:, :, None]
        weak: NDArray[np.bool_] = (earlier.sum(axis=2) == self.count_above).all(axis=1)
        return weak

    @cached_property
    def open_pairs(self) -> Numbers:
        """The number of pairs that are neither comparable nor known ties."""
        tied = count_bits(self.tied).sum(axis=1) // 2
        open_pairs: Numbers = self.n * (self.n - 1) // 2 - self.pairs - tied
        return open_pairs


class Block:
    """A target and a prediction for each of some groups that compare as many items.

    Parameters
    ----------
    groups : array of int
        The numbers of the groups.
    target, predicted : Side
        The two sides.

    Examples
    --------
    >>> block = Block(np.array([0]), Side((1, 3), height=np.array([[3, 2, 1]])),
    ...               Side((1, 3), height=np.array([[3, 1, 1]])))
    >>> block.concordant.tolist(), block.discordant.tolist(), block.target_only.tolist()
    ([2], [0], [1])
    """

    def __init__(self, groups: Numbers, target: Side, predicted: Side) -> None:
        self.groups, self.target, self.predicted = groups, target, predicted
        self.n = target.n

    @cached_property
    def agreed(self) -> Numbers:
        """For each item how many both sides put above it."""
        return count_bits(self.target.above & self.predicted.above)

    @cached_property
    def contradicted(self) -> Numbers:
        """For each item how many the target puts above it and the prediction below."""
        return count_bits(self.target.above & self.predicted.below)

    @cached_property
    def _counts(self) -> tuple[Numbers, Numbers]:
        """C and D, by the levels of the target if these are few, else by rows of bits."""
        both_ranked = self.target.is_ranked and self.predicted.is_ranked
        if both_ranked and self.n >= 2 * _FEW and self.target.height.max() <= 1 + self.n // _FEW:
            return count_by_levels(self.target.layers, self.predicted.ranking)
        return self.agreed.sum(axis=1), self.contradicted.sum(axis=1)

    @property
    def concordant(self) -> Numbers:
        """C, the pairs decided alike."""
        return self._counts[0]

    @property
    def discordant(self) -> Numbers:
        """D, the pairs decided contrarily."""
        return self._counts[1]

    @cached_property
    def both(self) -> Numbers:
        """C + D, the pairs that both decide."""
        return self.concordant + self.discordant

    @property
    def target_only(self) -> Numbers:
        """A, the pairs that only the target decides."""
        return self.target.pairs - self.both

    @property
    def predicted_only(self) -> Numbers:
        """N, the pairs that only the prediction decides."""
        return self.predicted.pairs - self.both

    @property
    def all_pairs(self) -> int:
        """All unordered pairs of items."""
        return self.n * (self.n - 1) // 2

    @cached_property
    def are_weak(self) -> NDArray[np.bool_]:
        """For each group whether both orders are weak."""
        return self.target.is_weak & self.predicted.is_weak
