"""Numbers for each item and each rank, or for each two items, written out or known by levels.

Weak orders are told by their levels, without a table of n**2 numbers, so that there may be any
number of items.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Numbers


class Rows(Protocol):
    """A row of numbers for each item, counted from 0."""

    def row(self, i: int) -> list[Any]:
        """Return the numbers of item i."""


class Entries(Rows, Protocol):
    """A number for each pair of items i and j."""

    def at(self, i: int, j: int) -> Any:
        """Return the number of i and j."""


class Written:
    """Figures that are written out.

    Examples
    --------
    >>> Written(np.array([[0.25, 0.75]])).at(0, 1)
    0.75
    """

    def __init__(self, array: NDArray[Any]) -> None:
        self._array = array

    def row(self, i: int) -> list[Any]:
        """Return one row."""
        row: list[Any] = self._array[i].tolist()
        return row

    def at(self, i: int, j: int) -> Any:
        """Return one entry."""
        return self._array[i].item(j)

    def largest(self) -> float:
        """Return the largest number, nan if one of them is."""
        return float(np.max(self._array, initial=0))


def all_zero(n: int) -> Written:
    """Return n**2 zeros that take no memory: standard errors where there is none.

    Examples
    --------
    >>> all_zero(2).row(1)
    [0.0, 0.0]
    """
    return Written(np.broadcast_to(np.zeros(1), (n, n)))


class RanksOfLevels:
    """Rank probabilities of a weak order: the items of a level share its positions.

    Examples
    --------
    >>> RanksOfLevels(np.array([1, 0, 1]), exact=False).row(0)
    [0.0, 0.5, 0.5]
    """

    def __init__(self, layers: Numbers, *, exact: bool) -> None:
        self._layers = layers
        self._ends = np.cumsum(np.bincount(layers))
        self._number: Any = Fraction if exact else float

    def row(self, i: int) -> list[Any]:
        """Return the same number at each position of the level, 0 elsewhere."""
        end, layer = int(self._ends[self._layers[i]]), int(self._layers[i])
        start = int(self._ends[layer - 1]) if layer else 0
        zero, share = self._number(0), self._number(1) / (end - start)
        return [zero] * start + [share] * (end - start) + [zero] * (len(self._layers) - end)


class PairsOfLevels:
    """Mutual rank probabilities of a weak order: 1, 0, or one half within a level.

    Examples
    --------
    >>> PairsOfLevels(np.array([1, 0, 1]), exact=False).row(0)
    [0.0, 0.0, 0.5]
    """

    def __init__(self, layers: Numbers, *, exact: bool) -> None:
        self._layers = layers
        self._number: Any = Fraction if exact else float

    def row(self, i: int) -> list[Any]:
        """Return the entries of one item, 0 for itself."""
        return [self.at(i, j) for j in range(len(self._layers))]

    def at(self, i: int, j: int) -> Any:
        """Return one entry."""
        one, other = self._layers[i], self._layers[j]
        if one == other and i != j:
            return self._number(1) / 2
        return self._number(int(one < other))


def mid_ranks(layers: Numbers, *, exact: bool) -> list[Any]:
    """Return the mean rank of each item of a weak order: the middle of its level, unrounded.

    Examples
    --------
    >>> mid_ranks(np.array([1, 0, 1]), exact=False)
    [2.5, 1.0, 2.5]
    """
    sizes = np.bincount(layers)
    doubled = (2 * np.cumsum(sizes) - sizes + 1)[layers]
    if not exact:
        halves: list[Any] = (doubled / 2).tolist()
        return halves
    middles = {twice: Fraction(twice, 2) for twice in np.unique(doubled).tolist()}
    return [middles[twice] for twice in doubled.tolist()]
