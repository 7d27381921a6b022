"""Lines for which a diagram has no place: a bow round what is in the way of a straight line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from porank.drawing.ways import met

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.drawing.layout import Place

    Points = NDArray[np.float64]

#: How far a bow goes to the side at the most, as a part of its length, and how many are tried.
_BOWS = np.array([0.0, 0.12, -0.12, 0.22, -0.22, 0.34, -0.34, 0.5, -0.5])
#: A bow keeps so far from dots, in units of the layout and in points, the less of the two.
_CLEAR, _NEAR = 0.42, 22.0
#: What the widest bow costs twice, a box met costing 1; how far bows may go beyond the items.
_FAR, _EDGE = 1.5, 0.45


def round_dots(scale: Place) -> Place:
    """Return half the size of the ground of a dot, of which bows keep clear.

    Examples
    --------
    >>> round_dots((100, 40))
    (0.22, 0.42)
    """
    return min(_CLEAR, _NEAR / scale[0]), min(_CLEAR, _NEAR / scale[1])


def bow(
    start: Place,
    end: Place,
    others: Points,
    halves: Points,
    *,
    scale: Place,
    within: tuple[float, float, float, float],
) -> Points:
    """Return the points of a bow from one place to another that keeps clear of the others.

    Of nine bows, from straight to wide, it is the one that meets few of them without going far.

    Parameters
    ----------
    start, end : tuple of float
        Where it begins and ends.
    others : array of float
        The places, one a row, that it should keep clear of.
    halves : array of float
        Half the width and half the height of what stands at each of these places.
    scale : tuple of float
        How many points a unit is wide and high, so that a bow looks like one.
    within : tuple of float
        The least x and y and the greatest that it may have.

    Examples
    --------
    >>> how = {"scale": (40, 40), "within": (-2, 0, 2, 2)}
    >>> size = np.array([[0.3, 0.2]])
    >>> straight = bow((0, 2), (0, 0), np.array([[3.0, 1.0]]), size, **how)
    >>> round_it = bow((0, 2), (0, 0), np.array([[0.0, 1.0]]), size, **how)
    >>> bool(np.abs(straight[:, 0]).max() == 0), bool(np.abs(round_it[:, 0]).max() > 0.3)
    (True, True)

    Notes
    -----
    Time O(k) for k other places.
    """
    point = np.array(scale, dtype=float)
    one, other = np.array(start) * point, np.array(end) * point
    way = np.linspace(0, 1, 17)[:, None]
    along = other - one
    aside = np.array([along[1], -along[0]])
    low, high = np.array(within[:2]) - _EDGE, np.array(within[2:]) + _EDGE
    best, least = np.empty((0, 2)), np.inf
    for share in _BOWS:
        if _FAR * abs(share) >= least:
            # A wider one costs more, whatever it meets.
            break
        middle = (one + other) / 2 + 2 * share * aside
        points = ((1 - way) ** 2 * one + 2 * way * (1 - way) * middle + way**2 * other) / point
        cost = np.count_nonzero(met(points, others, halves)) + _FAR * abs(share)
        cost += len(others) * bool(np.any(points < low) or np.any(points > high))
        if cost < least:
            best, least = points, cost
    return best
