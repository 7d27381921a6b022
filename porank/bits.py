"""Rows of bits: a Python integer for each row, or words of NumPy for all of them.

An integer has no limit of length and joins another at the price of one call; words take more memory
and are counted faster.
"""

from __future__ import annotations

from operator import and_
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from porank.typing import Numbers

Bits: TypeAlias = list[int] | NDArray[np.uint64]
#: Up to so many items, rows are also kept as words, which are counted ten times faster.
_WORDS_UNTIL = 8192


def bits_of(rows: list[int]) -> Bits:
    """Return rows of bits as words of NumPy, or as they are where these would take much memory.

    Examples
    --------
    >>> bits_of([0b101, 0b1, 0]).tolist()
    [[5], [1], [0]]
    """
    if len(rows) > _WORDS_UNTIL:
        return rows
    octets = -(-len(rows) // 64) * 8
    joined = b"".join(row.to_bytes(octets, "little") for row in rows)
    return np.frombuffer(joined, dtype="<u8").reshape(len(rows), octets // 8)


def count_shared(rows: Bits, others: Bits) -> int:
    """Return how many bits two lists of rows have in common, row by row.

    Examples
    --------
    >>> count_shared(bits_of([0b101, 0b1, 0]), bits_of([0b111, 0b10, 0b1]))
    2

    Notes
    -----
    Time O(n**2 / 64).
    """
    if isinstance(rows, list) or isinstance(others, list):
        return sum(map(int.bit_count, map(and_, rows, others)))
    return int(np.bitwise_count(rows & others).sum())


def places_of(row: int) -> Numbers:
    """Return the places whose bits are set in `row`, ascending.

    Examples
    --------
    >>> places_of(0b10110).tolist()
    [1, 2, 4]
    """
    octets = np.frombuffer(row.to_bytes((row.bit_length() + 7) // 8, "little"), np.uint8)
    return np.flatnonzero(np.unpackbits(octets, bitorder="little"))


def rows_of(matrix: NDArray[np.bool_]) -> list[int]:
    """Return each row of a Boolean matrix as an integer, column q as bit q.

    Examples
    --------
    >>> rows_of(np.array([[True, False], [True, True]]))
    [1, 3]
    """
    octets = np.packbits(matrix, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in octets]


def rows_along_covers(covers: list[list[int]], bit_at: list[int]) -> tuple[list[int], list[int]]:
    """Return what is below and above each place, the bit of place p being ``bit_at[p]``.

    Examples
    --------
    >>> below, above = rows_along_covers([[], [0], [1]], [2, 0, 1])
    >>> [f"{row:03b}" for row in below], [f"{row:03b}" for row in above]
    (['000', '100', '101'], ['011', '010', '000'])

    Notes
    -----
    Time O(n m_red / 64), as the other half of a closure: no edge is tested.
    """
    bits = [1 << p for p in bit_at]
    below, above = [0] * len(bits), [0] * len(bits)
    for p, covered in enumerate(covers):
        for q in covered:
            below[p] |= below[q] | bits[q]
    for p in range(len(bits) - 1, -1, -1):
        handed_down = above[p] | bits[p]
        for q in covers[p]:
            above[q] |= handed_down
    return below, above
