"""Many small relations at once: a row of bits for each item, in words of 64.

Relations of one size stand in one array of words, by group, item, and place in the row. Bit j of
row i says whether item j is in the relation to item i.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Numbers

Words = np.ndarray[Any, np.dtype[np.uint64]]
#: Items that one word has room for.
ROOM = 64


def pack(matrices: NDArray[np.bool_]) -> Words:
    """Return rows of Booleans as rows of words.

    Examples
    --------
    >>> pack(np.array([[[False, True, True]]])).tolist()
    [[[6]]]
    """
    *shape, n = matrices.shape
    packed = np.packbits(matrices, axis=-1, bitorder="little")
    octets = np.zeros((*shape, 8 * max(1, -(-n // ROOM))), dtype=np.uint8)
    octets[..., : packed.shape[-1]] = packed
    # Bytes of one word stand lowest first, whatever machine this is.
    return octets.view("<u8").astype(np.uint64, copy=False)


def unpack(words: Words, n: int) -> NDArray[np.bool_]:
    """Return rows of words as rows of n Booleans.

    Examples
    --------
    >>> unpack(np.array([[[6]]], dtype=np.uint64), 3).tolist()
    [[[False, True, True]]]
    """
    octets = np.ascontiguousarray(words).astype("<u8", copy=False).view(np.uint8)
    needed = octets[..., : -(-n // 8)]
    return np.unpackbits(needed, axis=-1, count=n, bitorder="little").astype(bool)


def turn(words: Words) -> Words:
    """Return the relations turned round: what was below is above.

    Examples
    --------
    >>> turn(np.array([[[2], [0]]], dtype=np.uint64)).tolist()
    [[[0], [1]]]
    """
    return pack(unpack(words, words.shape[1]).swapaxes(1, 2))


def close(words: Words) -> Words:
    """Close the relations, in place: an item that reaches another reaches all that this one does.

    Examples
    --------
    >>> close(np.array([[[2], [4], [0]]], dtype=np.uint64)).tolist()
    [[[6], [4], [0]]]

    Notes
    -----
    Time O(n**3 / 64) a group: the algorithm of Warshall, all groups at once.
    """
    for middle in range(words.shape[1]):
        place, bit = divmod(middle, ROOM)
        reaches = words[:, :, place] >> np.uint64(bit) & np.uint64(1)
        # Minus one is a word of ones, minus zero one of zeros.
        words |= words[:, middle, None, :] & np.negative(reaches)[:, :, None]
    return words


def on_cycles(closed: Words) -> NDArray[np.bool_]:
    """Return for each closed relation which items reach themselves.

    Examples
    --------
    >>> on_cycles(np.array([[[3], [3]], [[2], [0]]], dtype=np.uint64)).tolist()
    [[True, True], [False, False]]
    """
    place, bit = np.divmod(np.arange(closed.shape[1]), ROOM)
    own = np.take_along_axis(closed, place[None, :, None], axis=2)[:, :, 0]
    return (own >> bit.astype(np.uint64) & np.uint64(1)).astype(bool)


def count_bits(words: Words) -> Numbers:
    """Return how many bits are set in each row.

    Examples
    --------
    >>> count_bits(np.array([[[6], [0]]], dtype=np.uint64)).tolist()
    [[2, 0]]
    """
    counts = np.bitwise_count(words)
    if words.shape[-1] == 1:
        return counts[..., 0].astype(np.int64)
    total: Numbers = counts.sum(axis=-1, dtype=np.int64)
    return total


def single_bits(numbers: Numbers, width: int) -> list[Words]:
    """Return for each word of a row the words in which the bits of the numbers alone are set.

    Examples
    --------
    >>> [words.tolist() for words in single_bits(np.array([[0, 65]]), 2)]
    [[[1, 0]], [[0, 2]]]
    """
    bit = np.uint64(1) << (numbers % ROOM).astype(np.uint64)
    if width == 1:
        return [bit]
    return [np.where(numbers // ROOM == word, bit, np.uint64(0)) for word in range(width)]


def width_of(n: int) -> int:
    """Return how many words a row of n bits takes.

    Examples
    --------
    >>> width_of(1), width_of(64), width_of(65)
    (1, 1, 2)
    """
    return max(1, -(-n // ROOM))
