"""Positions in a shuffle: what the components of an order do to each other.

Components know nothing of each other, so that their linear extensions are shuffled like cards:
every way to say which positions belong to which component is as likely as any other.

Idea: *the q-th of a items stands at position p of n exactly when q of the p positions before it are
of the same component, and a - q - 1 of those after it.*

Everything is done in either of two ways: with shares, floats out of a total of 1.0, or with counts
of shuffles, Python integers in arrays of objects, exact.
"""

from __future__ import annotations

from itertools import accumulate
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[Any]


def shuffled(a: int, n: int, total: Any) -> Matrix:
    """Return how often the q-th of a items stands at position p of n, in all their shuffles.

    For shares the positions are dealt from the top, by the cards that are left.

    Examples
    --------
    >>> shuffled(2, 4, 1).tolist()
    [[3, 2, 1, 0], [0, 1, 2, 3]]
    >>> shuffled(1, 4, 1.0).tolist()
    [[0.25, 0.25, 0.25, 0.25]]
    """
    positions = _filled(a, n, 0 * total)
    if not isinstance(total, float):
        for q in range(a):
            for p in range(q, n - a + q + 1):
                positions[q, p] = comb(p, q) * comb(n - 1 - p, a - 1 - q)
        return positions
    dealt = np.zeros(a + 1)
    dealt[0] = 1.0
    left = np.arange(a, -1, -1)
    for p in range(n):
        next_is_ours = dealt * left / (n - p)
        positions[:, p] = next_is_ours[:-1]
        dealt *= np.maximum(n - p - left, 0) / (n - p)
        dealt[1:] += next_is_ours[:-1]
    return positions


def shuffled_before(positions: Matrix) -> Matrix:
    """Return how often the q-th of a items stands before the r-th of b others, from `shuffled`.

    Examples
    --------
    >>> shuffled_before(shuffled(2, 4, 1)).tolist()
    [[3, 5], [1, 3]]
    """
    a, n = positions.shape
    # Item q at position q + s has s of the others before it, and stands before number r >= s.
    before = [list(accumulate(positions[q, q : q + n - a])) for q in range(a)]
    return np.array(before, dtype=positions.dtype).reshape(a, n - a)


def _filled(rows: int, columns: int, value: Any) -> Matrix:
    return np.full((rows, columns), value, dtype=float if isinstance(value, float) else object)
