"""How an edge runs: along its bends, round them softly, or in a bow round what is in its way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.drawing.layout import HasseLayout, Place

    Points = NDArray[np.float64]

#: A bend is rounded over that part of the shorter piece beside it, in so many steps.
_ROUND, _STEPS = 0.35, 6
#: How far a bow goes to the side at the most, as a part of its length, and how many are tried.
_BOWS = np.array([0.0, 0.12, -0.12, 0.22, -0.22, 0.34, -0.34, 0.5, -0.5])
#: A bow keeps so far from items, in units of the layout and in points, the less of the two.
_CLEAR, _NEAR = 0.42, 22.0
#: What the widest bow costs twice, an item met costing 1; how far bows may go beyond the items.
_FAR, _EDGE = 1.5, 0.45


def softened(points: Sequence[Place]) -> Points:
    """Return the points of a run with every bend rounded.

    Examples
    --------
    >>> softened([(0, 2), (0, 0)]).tolist()
    [[0.0, 2.0], [0.0, 0.0]]
    >>> softened([(0, 2), (1, 1), (1, 0)])[[0, 1, -2, -1]].tolist()
    [[0.0, 2.0], [0.65, 1.35], [1.0, 0.65], [1.0, 0.0]]
    """
    corners = np.array(points, dtype=float)
    if len(corners) < 3:
        return corners
    pieces = [corners[:1]]
    way = np.linspace(0, 1, _STEPS)[:, None]
    for before, bend, after in zip(corners, corners[1:], corners[2:], strict=False):
        start, end = bend + _ROUND * (before - bend), bend + _ROUND * (after - bend)
        pieces.append((1 - way) ** 2 * start + 2 * way * (1 - way) * bend + way**2 * end)
    return np.concatenate([*pieces, corners[-1:]])


def bow(
    start: Place,
    end: Place,
    others: Points,
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
    scale : tuple of float
        How many points a unit is wide and high, so that a bow looks like one.
    within : tuple of float
        The least x and y and the greatest that it may have.

    Examples
    --------
    >>> how = {"scale": (40, 40), "within": (-2, 0, 2, 2)}
    >>> straight = bow((0, 2), (0, 0), np.array([[3.0, 1.0]]), **how)
    >>> round_it = bow((0, 2), (0, 0), np.array([[0.0, 1.0]]), **how)
    >>> bool(np.abs(straight[:, 0]).max() == 0), bool(np.abs(round_it[:, 0]).max() > 0.3)
    (True, True)
    """
    point = np.array(scale, dtype=float)
    one, other = np.array(start) * point, np.array(end) * point
    way = np.linspace(0, 1, 17)[:, None]
    along = other - one
    aside = np.array([along[1], -along[0]])
    clear = np.minimum(_CLEAR * point, _NEAR)
    low, high = np.array(within[:2]) - _EDGE, np.array(within[2:]) + _EDGE
    best, least = np.empty((0, 2)), np.inf
    for share in _BOWS:
        middle = (one + other) / 2 + 2 * share * aside
        points = (1 - way) ** 2 * one + 2 * way * (1 - way) * middle + way**2 * other
        gaps = np.abs(points[:, None, :] - others[None, :, :] * point) / clear
        cost = np.count_nonzero(gaps.max(axis=2).min(axis=0, initial=9) < 1) + _FAR * abs(share)
        points = points / point
        cost += len(others) * bool(np.any(points < low) or np.any(points > high))
        if cost < least:
            best, least = points, cost
    return best


def passing_places(layout: HasseLayout) -> list[list[float]]:
    """Return for each level, the highest first, where edges pass through it between items.

    Examples
    --------
    >>> import porank as po
    >>> layout = po.hasse_layout(po.parse("a > b > c > d; a > x > d"))
    >>> [len(places) for places in passing_places(layout)]
    [0, 0, 1, 0]
    """
    highest = len(layout.levels) - 1
    found: list[list[float]] = [[] for _ in layout.levels]
    for u, v in layout.edges:
        path = np.array(layout.path(u, v)[::-1])
        inner = np.arange(path[0, 1] + 1, path[-1, 1])
        across = np.interp(inner, path[:, 1], path[:, 0])
        for height, x in zip(inner.tolist(), across.tolist(), strict=True):
            found[highest - round(height)].append(x)
    return found
