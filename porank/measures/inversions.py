"""Two weak orders as two sequences of whole numbers: how many pairs stand the same way round.

Few items are compared one with another. Of many items on few levels, a table of how many stand on
each pair of levels is enough. Else the items are put into the sequence of the first order, and a
pair is discordant if it is inverted in the sequence of the second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arrays import stable_order
from porank.measures.radix import count_inversions, weigh_inversions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Numbers

#: So many items are compared one with another.
_FEW_ITEMS = 400
#: A table may have so many cells an item.
_CELLS_AN_ITEM = 4


def count_weak_agreement(first: Numbers, second: Numbers) -> tuple[int, int]:
    """Return how many pairs two weak orders decide alike, and how many contrarily.

    Parameters
    ----------
    first, second : array of int
        The layer of each item, the layers being 0, 1, ... without a gap.

    Examples
    --------
    >>> count_weak_agreement(np.array([0, 1, 2]), np.array([0, 2, 1]))
    (2, 1)

    Notes
    -----
    Time O(n log n), less on few levels.
    """
    n = first.size
    if n <= _FEW_ITEMS:
        return _count_by_comparing(first, second)
    levels = int(first.max()) + 1, int(second.max()) + 1
    if min(levels) == n:
        places: NDArray[Any] = np.empty(n, dtype=np.int32)
        places[first] = second
        discordant = count_inversions(places)
        return n * (n - 1) // 2 - discordant, discordant
    if levels[0] * levels[1] <= _CELLS_AN_ITEM * n:
        together = np.bincount(first * levels[1] + second, minlength=levels[0] * levels[1])
        discordant = _discordant_in_table(together.reshape(levels))
    else:
        # Half the width is a third less time.
        short = first.astype(np.int32), second.astype(np.int32)
        items, places = cross(*short)
        discordant = count_inversions(places)
        together = _run_lengths(*(layers[items] for layers in short))
    sizes = np.bincount(first), np.bincount(second), together
    in_first, in_second, in_both = (int(np.dot(size, size) - n) // 2 for size in sizes)
    return n * (n - 1) // 2 - (in_first + in_second - in_both) - discordant, discordant


def _count_by_comparing(first: Numbers, second: Numbers) -> tuple[int, int]:
    """Compare each item with each."""
    first, second = first.astype(np.uint16), second.astype(np.uint16)
    above = first[:, None] < first
    concordant = np.count_nonzero(above & (second[:, None] < second))
    discordant = np.count_nonzero(above & (second[:, None] > second))
    return int(concordant), int(discordant)


def _discordant_in_table(table: Numbers) -> int:
    """Count, for each pair of levels, the items on an earlier one here and on a later one there."""
    earlier = np.cumsum(table[:-1], axis=0, dtype=np.int32)
    from_here_on = np.cumsum(earlier[:, ::-1], axis=1, dtype=np.int32)[:, ::-1]
    return int(np.einsum("ij,ij->", from_here_on[:, 1:], table[1:, :-1], dtype=np.int64))


def _run_lengths(first: NDArray[Any], second: NDArray[Any]) -> Numbers:
    """Return how many neighbours at a time are equal in both."""
    is_new = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
    starts = np.concatenate(([0], np.flatnonzero(is_new) + 1, [first.size]))
    return starts[1:] - starts[:-1]


def cross(
    first: NDArray[Any], second: NDArray[Any], *, opposed: bool = False
) -> tuple[Numbers, NDArray[Any]]:
    """Return the items as in the first order, and the place of each of them in the second.

    Items tied in one of the orders are placed in it as in the other, those tied in both alike, so
    that the inverted places are the discordant pairs and no others. If `opposed`, items tied in
    just one are placed contrarily, so that their pairs are inverted, too.

    Examples
    --------
    >>> cross(np.array([0, 1, 1]), np.array([1, 1, 0]))[1].tolist()
    [1, 0, 2]
    >>> cross(np.array([0, 1, 1]), np.array([1, 1, 0]), opposed=True)[1].tolist()
    [2, 1, 0]

    Notes
    -----
    Time O(n).
    """
    if _is_total(first):
        items = np.empty(first.size, dtype=np.int64)
        items[first] = np.arange(first.size)
    else:
        items = stable_order(_turned(second) if opposed else second)
        items = items[stable_order(first[items])]
    if _is_total(second):
        return items, second[items]
    by_first = stable_order(_turned(first)) if opposed else items
    places = np.empty_like(second)
    places[by_first[stable_order(second[by_first])]] = np.arange(second.size)
    return items, places[items]


def _is_total(layers: NDArray[Any]) -> bool:
    return bool(layers.max(initial=-1) + 1 == layers.size)


def _turned(layers: NDArray[Any]) -> NDArray[Any]:
    turned: NDArray[Any] = layers.max(initial=0) - layers
    return turned


def weigh_weak_disagreement(
    first: NDArray[Any], second: NDArray[Any], weights: NDArray[Any]
) -> Any:
    """Return the weight of the discordant pairs, twice, and of those that just one order decides.

    The weight of a pair is the product of the weights of its items.

    Parameters
    ----------
    first, second : array of int
        The layer of each item, the layers being 0, 1, ... without a gap.
    weights : array of int, float or object
        The weight of each item, as in `porank.measures.radix.weigh_inversions`.

    Examples
    --------
    >>> int(weigh_weak_disagreement(np.array([0, 1, 1]), np.array([2, 1, 0]), np.array([1, 2, 3])))
    16

    Notes
    -----
    Time O(n log n). Nothing is subtracted, so that the value is as precise as the weights, and 0 on
    equal orders.
    """
    first, second = first.astype(np.int32), second.astype(np.int32)
    items, places = cross(first, second)
    discordant = weigh_inversions(places, weights[items])
    if _is_total(first) and _is_total(second):
        return 2 * discordant
    items, places = cross(first, second, opposed=True)
    return discordant + weigh_inversions(places, weights[items])
