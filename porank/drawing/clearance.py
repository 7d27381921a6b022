"""Edges that keep clear of items: where a flat piece would run over an item, it bends.

Between its levels a piece may be so flat that it runs over the item next to its end. Such a piece
leaves its end steeply, goes across in the middle between the levels, where there are no items, and
comes down steeply on its other end. Where it leaves the level it stays on its own side of the
middle between two nodes, so that it crosses nothing that it did not cross before.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from porank.drawing.crossings import count_inverted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.drawing.strata import Rows, Strata
    from porank.typing import Numbers

    Places = NDArray[np.float64]

#: No edge comes nearer to an item that is not one of its ends; two items are 1 apart.
CLEAR = 0.2
#: How far from its level a piece bends; more than `CLEAR`.
DEPTH = 0.3
#: Which part of the way to the next node a piece may use to leave its level.
_SHARE = 0.45


def detours(strata: Strata, rows: Rows, x: Places) -> Places:
    """Return for each piece how far its two bends stand from its two ends; nan if it is straight.

    The first number is the place of the bend that is `DEPTH` below the upper end, less the place of
    that end; the second, of the bend that is `DEPTH` above the lower end.

    Examples
    --------
    >>> from porank.drawing.strata import cut
    >>> strata = cut(np.array([0, 0, 1]), np.array([0, 1]), np.array([2, 2]))
    >>> rows = [np.array([0, 1]), np.array([0])]
    >>> detours(strata, rows, np.array([0.0, 1.0, 5.0])).tolist()
    [[0.41625, -1.5], [nan, nan]]

    Notes
    -----
    Time O(p log p) for p pieces.
    """
    across = x[strata.lower] - x[strata.upper]
    straight = DEPTH * np.stack((across, -across), axis=1)
    left, right = _ways(strata, rows, x, np.ones(x.size, dtype=bool))
    ends = np.stack((strata.upper, strata.lower), axis=1)
    bends = _squeezed(straight, _SHARE * np.where(straight < 0, left[ends], right[ends]))
    may_bend = np.any(bends != straight, axis=1)
    must_bend = _companions(2 * ends + (straight < 0), _runs_over_items(strata, rows, x), may_bend)
    gap = strata.level[strata.upper]
    for k in np.unique(gap[must_bend]).tolist():
        pieces = np.flatnonzero(gap == k)
        some = np.where(must_bend[pieces, None], bends[pieces], straight[pieces])
        if _crossings(strata, x, pieces, some) != _crossings(strata, x, pieces, straight[pieces]):
            must_bend[pieces] = may_bend[pieces]
    bends[~must_bend] = np.nan
    return bends


def _squeezed(offset: Places, limit: Places) -> Places:
    """Return the offsets made less than the limit: different ones stay different, small ones stay.

    Up to half the limit they stay; from there on they come nearer and nearer to the limit.
    """
    size = np.abs(offset)
    with np.errstate(invalid="ignore", divide="ignore"):
        squeezed = np.copysign(limit * (1 - limit / (4 * size)), offset)
    return np.where(2 * size <= limit, offset, squeezed)


def _companions(
    sides: Numbers, must_bend: NDArray[np.bool_], may_bend: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Add the pieces that leave a node on the same side as one that bends, and would cross it."""
    while True:
        others = [np.isin(side, side[must_bend]) for side in sides.T]
        more = must_bend | (np.any(others, axis=0) & may_bend)
        if np.array_equal(more, must_bend):
            return must_bend
        must_bend = more


def _ways(
    strata: Strata, rows: Rows, x: Places, counts: NDArray[np.bool_]
) -> tuple[Places, Places]:
    """Return how far the next node that counts is from each node, to the left and to the right."""
    left, right = np.full(x.size, np.inf), np.full(x.size, np.inf)
    for nodes, row in zip(strata.nodes, rows, strict=True):
        sequence = nodes[row]
        place = np.where(counts[sequence], x[sequence], -np.inf)
        before = np.maximum.accumulate(place)[:-1]
        left[sequence[1:]] = x[sequence[1:]] - before
        place = np.where(counts[sequence], x[sequence], np.inf)
        after = np.minimum.accumulate(place[::-1])[::-1][1:]
        right[sequence[:-1]] = after - x[sequence[:-1]]
    return left, right


def _runs_over_items(strata: Strata, rows: Rows, x: Places) -> NDArray[np.bool_]:
    """Return for each piece whether it comes too near to an item next to one of its ends."""
    left, right = _ways(strata, rows, x, np.arange(x.size) < strata.items)
    across = x[strata.lower] - x[strata.upper]
    length = np.sqrt(1 + across**2)
    to_right = across > 0
    nearest = np.minimum(
        np.where(to_right, right[strata.upper], left[strata.upper]),
        np.where(to_right, left[strata.lower], right[strata.lower]),
    )
    is_flat: NDArray[np.bool_] = nearest < CLEAR * length
    return is_flat


def _crossings(strata: Strata, x: Places, pieces: Numbers, bends: Places) -> int:
    """Return how often some pieces of a gap cross that run through these bends."""
    upper, lower = x[strata.upper[pieces]], x[strata.lower[pieces]]
    stations = upper, upper + bends[:, 0], lower + bends[:, 1], lower
    return sum(count_inverted(above, below) for above, below in pairwise(stations))
