"""How an edge runs along its bends: softly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.drawing.layout import Place

    Points = NDArray[np.float64]

#: A bend is rounded over that part of the shorter piece beside it, in so many steps.
_ROUND, _STEPS = 0.35, 6


def softened(points: Sequence[Place] | Points) -> Points:
    """Return the points of a run with every bend rounded, or those of each of a stack of runs.

    Examples
    --------
    >>> softened([(0, 2), (0, 0)]).tolist()
    [[0.0, 2.0], [0.0, 0.0]]
    >>> softened([(0, 2), (1, 1), (1, 0)])[[0, 1, -2, -1]].tolist()
    [[0.0, 2.0], [0.65, 1.35], [1.0, 0.65], [1.0, 0.0]]
    """
    corners = np.array(points, dtype=float)
    n_corners = corners.shape[-2] if corners.ndim > 1 else 0
    if n_corners < 3:
        return corners
    pieces = [corners[..., :1, :]]
    way = np.linspace(0, 1, _STEPS)[:, None]
    for k in range(1, n_corners - 1):
        before, bend, after = (corners[..., j : j + 1, :] for j in (k - 1, k, k + 1))
        start, end = bend + _ROUND * (before - bend), bend + _ROUND * (after - bend)
        pieces.append((1 - way) ** 2 * start + 2 * way * (1 - way) * bend + way**2 * end)
    return np.concatenate([*pieces, corners[..., -1:, :]], axis=-2)
