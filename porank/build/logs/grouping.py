"""Rows of whole numbers, sorted, and equal ones put together.

Idea: *a row and its place are one number.* Sorting plain numbers is the fastest sort there is, and
when they are sorted, the places that they end with are the order of the rows.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Numbers


def grouped(*columns: Numbers) -> tuple[Numbers, Numbers]:
    """Return the order of rows, and where in it each different row comes first.

    Parameters
    ----------
    *columns : array of int
        The first column counts most; equal rows stay in sequence.

    Examples
    --------
    >>> order, starts = grouped(np.array([1, 0, 1, 1]), np.array([5, 9, 4, 5]))
    >>> order.tolist(), starts.tolist()
    ([1, 2, 0, 3], [0, 1, 2])

    Notes
    -----
    Time O(rows log rows).
    """
    size = columns[0].size
    if not size:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    lows = [int(column.min()) for column in columns]
    bases = [int(column.max()) - low + 1 for column, low in zip(columns, lows, strict=True)]
    bits = size.bit_length()
    most = math.prod(bases) << bits
    if most > 2**63:
        order = np.lexsort(columns[::-1])
        return order, run_starts(*(column[order] for column in columns))
    # Half as long numbers are sorted in half the time.
    dtype: type[Any] = np.uint32 if most <= 2**32 else np.int64
    key: NDArray[Any] = (columns[0] - lows[0]).astype(dtype, copy=False)
    for column, low, base in zip(columns[1:], lows[1:], bases[1:], strict=True):
        key *= base
        key += (column - low).astype(dtype, copy=False)
    key <<= bits
    key |= np.arange(size, dtype=dtype)
    key.sort()
    return (key & ((1 << bits) - 1)).astype(np.int64, copy=False), run_starts(key >> bits)


def run_starts(*columns: NDArray[Any]) -> Numbers:
    """Return the places of rows that differ from the row before them; the first one does.

    Examples
    --------
    >>> run_starts(np.array([7, 7, 5, 7]), np.array([1, 1, 1, 1])).tolist()
    [0, 2, 3]
    """
    is_new = np.ones(columns[0].size, dtype=bool)
    np.not_equal(columns[0][1:], columns[0][:-1], out=is_new[1:])
    for column in columns[1:]:
        is_new[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(is_new)


def are_sorted(first: NDArray[Any], second: NDArray[Any]) -> bool:
    """Return whether rows of two columns are sorted by the first, and by the second within it.

    Examples
    --------
    >>> first = np.array([1, 1, 2])
    >>> [are_sorted(first, np.array(second)) for second in ([5, 6, 4], [6, 5, 7])]
    [True, False]
    """
    if np.any(first[1:] < first[:-1]):
        return False
    return bool(np.all((second[1:] >= second[:-1]) | (first[1:] > first[:-1])))
