"""Parts that know nothing of each other, side by side and as close as they may stand."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from porank.drawing.coordinates import GRID

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.typing import Numbers

    Places = NDArray[np.float64]


class Outline(NamedTuple):
    """How far a part reaches on its levels.

    Attributes
    ----------
    top : int
        The number of its first level.
    left, right : array of float
        Its extent on that level and on each below it.
    """

    top: int
    left: Places
    right: Places


def outline_of(level: Numbers, x: Places) -> Outline:
    """Return how far a part reaches whose nodes have these levels and places.

    Examples
    --------
    >>> outline = outline_of(np.array([1, 2, 2]), np.array([0, -0.5, 0.5]))
    >>> outline.top, outline.left.tolist(), outline.right.tolist()
    (1, [0.0, -0.5], [0.0, 0.5])
    """
    top, depth = int(level.min()), int(np.ptp(level)) + 1
    left, right = np.full(depth, np.inf), np.full(depth, -np.inf)
    np.minimum.at(left, level - top, x)
    np.maximum.at(right, level - top, x)
    return Outline(top, left, right)


def packed(outlines: Sequence[Outline], *, gap: float) -> list[float]:
    """Return by how much to move each part: from left to right, `gap` apart on every level.

    All moves are multiples of `GRID`, so that distances stay exact.

    Examples
    --------
    A small part fits under the overhang of a large one:

    >>> large = Outline(0, np.array([-2.0, 0.0]), np.array([2.0, 0.0]))
    >>> small = Outline(1, np.array([0.0]), np.array([0.0]))
    >>> packed([large, small], gap=1.0)
    [0.0, 1.0]

    Notes
    -----
    Time O(k + h) for k parts that take h levels together.
    """
    depth = max((part.top + part.left.size for part in outlines), default=0)
    skyline = np.full(depth, -np.inf)
    moves = []
    for part in outlines:
        levels = slice(part.top, part.top + part.left.size)
        room = float((skyline[levels] + gap - part.left).max())
        move = math.ceil(room / GRID) * GRID if np.isfinite(room) else 0.0
        moves.append(move)
        skyline[levels] = part.right + move
    return moves
