"""Sorting a million numbers by counting: the places of their digits, not their comparisons.

NumPy's stable sort of 16-bit numbers counts them, which is several times faster than any sort that
compares. Whole numbers below 2**32 are two such digits; other numbers are first laid on a scale of
whole numbers that keeps their order, and what falls together there is sorted once more.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from porank.layering import ranges

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from porank.typing import Numbers

#: Fewer numbers than this are sorted faster by comparing them.
_FEW = 4096
#: So many are laid on the scale at a time, so that memory is used again.
_CHUNK = 1 << 15
#: The last place of the scale.
_LAST = 2**32 - 1


def stable_order(numbers: NDArray[Any]) -> Numbers:
    """Return the positions of whole numbers from 0 to 2**32 - 1, sorted; equals stay in sequence.

    Examples
    --------
    >>> stable_order(np.array([2, 0, 70_000, 0])).tolist()
    [1, 3, 0, 2]

    Notes
    -----
    Time O(n).
    """
    order = np.argsort(numbers.astype(np.uint16), kind="stable")
    if numbers.max(initial=0) >= 1 << 16:
        high = (numbers >> 16).astype(np.uint16)
        order = order[np.argsort(high[order], kind="stable")]
    return order


def sort_values(values: NDArray[Any]) -> tuple[Numbers, NDArray[Any]]:
    """Return the positions of real numbers, sorted ascending, and the numbers so sorted.

    Parameters
    ----------
    values : array
        Integers, Booleans or floats, infinite ones too, without nan. The positions of equal ones
        come in no particular sequence.

    Examples
    --------
    >>> [array.tolist() for array in sort_values(np.array([0.5, -np.inf, 2.0]))]
    [[1, 0, 2], [-inf, 0.5, 2.0]]

    Notes
    -----
    Time O(n) if the values spread out at all evenly, else O(n log n). The values themselves are
    compared wherever two of them share a place on the scale, so that it is exact.
    """
    scale = _scale_of(values) if values.size >= _FEW else None
    if scale is None:
        order = np.argsort(values)
        return order, values[order]
    places = _places(values, *scale)
    order = stable_order(places)
    ordered = values[order]
    wrong = np.flatnonzero(ordered[1:] < ordered[:-1])
    if wrong.size:
        places = places[order]
        shared = np.unique(places[wrong])
        ends = (np.searchsorted(places, shared, side=side) for side in ("left", "right"))
        mixed = ranges(*ends)
        order[mixed] = order[mixed][np.argsort(ordered[mixed])]
        ordered[mixed] = values[order[mixed]]
    return order, ordered


def _scale_of(values: NDArray[Any]) -> tuple[float, float] | None:
    """Return the origin and the unit of a scale on which the values spread, or None.

    The ends of a sample are left out, so that a few values far away do not crowd the others.
    """
    # Of n values, 4 sqrt(n) show whether the others will mostly have places of their own.
    sample = np.sort(values[:: math.isqrt(values.size) // 4])
    inner = sample[sample.size // 64 : -(sample.size // 64)]
    width = float(inner[-1]) - float(inner[0])
    unit = _LAST / width if width else np.inf
    if not 0 < unit < np.inf:
        return None
    distinct = np.count_nonzero(inner[1:] != inner[:-1])
    told_apart = np.count_nonzero(np.diff(_places(inner, float(inner[0]), unit)))
    return (float(inner[0]), unit) if told_apart >= distinct - 2 else None


def _places(values: NDArray[Any], origin: float, unit: float) -> NDArray[np.uint32]:
    """Lay the values on a scale of whole numbers; no step exchanges two of them."""
    places = np.empty(values.size, dtype=np.uint32)
    for first in range(0, values.size, _CHUNK):
        some = slice(first, first + _CHUNK)
        with np.errstate(over="ignore"):
            scaled = np.subtract(values[some], origin, dtype=np.float64) * unit
        places[some] = np.clip(scaled, 0, _LAST, out=scaled)
    return places


def inverse_of(permutation: Numbers) -> Numbers:
    """Return where each number stands in a permutation of 0..n-1.

    Examples
    --------
    >>> inverse_of(np.array([2, 0, 1])).tolist()
    [1, 2, 0]
    """
    inverse = np.empty_like(permutation)
    inverse[permutation] = np.arange(permutation.size)
    return inverse
