"""Degrees of preference from the model of Plackett and Luce."""

from __future__ import annotations

from fractions import Fraction
from numbers import Rational
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.build.sampling import require_strength

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from porank.typing import Item


def degrees_of_strengths(strengths: Mapping[Item, Any]) -> NDArray[Any]:
    """Return the matrix of v_a / (v_a + v_b), fractions if all strengths are rational.

    Examples
    --------
    >>> degrees_of_strengths({"a": 3.0, "b": 1}).tolist()
    [[0.0, 0.75], [0.25, 0.0]]

    Notes
    -----
    Time O(n**2).
    """
    for item, strength in strengths.items():
        require_strength(item, strength)
    if all(isinstance(strength, Rational) for strength in strengths.values()):
        exact = [Fraction(strength) for strength in strengths.values()]
        matrix = np.empty((len(exact), len(exact)), dtype=object)
        for i, strength in enumerate(exact):
            matrix[i] = [strength / (strength + other) for other in exact]
    else:
        values = np.array([float(strength) for strength in strengths.values()])
        # Halves of the largest floats can still be added.
        halves = values / 2
        matrix = halves[:, None] / (halves[:, None] + halves)
    np.fill_diagonal(matrix, 0)
    return matrix
