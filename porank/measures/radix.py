"""Inversions of a permutation, digit by digit.

Two places of a sequence are *inverted* if the earlier one holds the larger number. The highest
digit in which the two numbers differ says which is larger, so that it is enough to compare single
digits among the numbers that share all higher ones.

Idea: *count, digit by digit from the top, the pairs whose earlier digit is larger; then put
together the numbers that share the digits so far, in their sequence, and go on within each group.*
Within a short block places are compared one by one; between blocks it is enough to know how often
each digit occurs in either. As the numbers are a permutation, all groups are equally long, and one
array operation serves them all.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray


#: The largest digits, in bits.
_BITS = 6
#: So many blocks are in hand at once: few enough for the processor's cache, and for memory to be
#: used again.
_BLOCKS = 1024


def count_inversions(permutation: NDArray[Any]) -> int:
    """Return how many pairs of places hold the larger of the numbers 0, ..., n - 1 first.

    Examples
    --------
    >>> [count_inversions(np.array(numbers)) for numbers in ([0, 1, 2], [0, 2, 1], [2, 1, 0])]
    [0, 1, 3]

    Notes
    -----
    Time O(n log n).
    """
    inverted = 0
    for digits, _ in _digit_by_digit(permutation, None):
        before: Any = 0
        for part, _, begins in _parts(digits, None):
            for earlier, later in _halves(part):
                inverted += int(np.count_nonzero(earlier[:, :, None] > later[:, None]))
            if digits.shape[1] > 1:
                often = np.bincount(_cells(part), minlength=part.size).reshape(part.shape)
                larger = part.shape[2] - np.cumsum(often, axis=2, dtype=np.int32)
                up_to = np.cumsum(larger, axis=1, dtype=np.int32) + (0 if begins else before)
                inverted += int(np.einsum("gbd,gbd->", up_to - larger, often, dtype=np.int64))
                before = up_to[:, -1:]
    return inverted


def weigh_inversions(permutation: NDArray[Any], weights: NDArray[Any]) -> Any:
    """Return the sum, over all inverted pairs of places, of the product of their weights.

    Parameters
    ----------
    permutation : array of int
        The numbers 0, ..., n - 1 in any sequence.
    weights : array of int, float or object
        The weight of each place. The sum is exact if it fits the type; that of Python's own
        integers, as objects, always does.

    Examples
    --------
    >>> int(weigh_inversions(np.array([2, 0, 1]), np.array([1, 10, 100])))
    110

    Notes
    -----
    Time O(n log n).
    """
    inverted: Any = 0
    for digits, weight in _digit_by_digit(permutation, weights):
        before: Any = 0
        for part, factor, begins in _parts(digits, weight):
            halves = zip(_halves(part), _halves(factor), strict=True)
            for (earlier, later), (one, other) in halves:
                is_inverted = (earlier[:, :, None] > later[:, None]).view(np.int8)
                larger_before = np.einsum("gib,gijb->gjb", one, is_inverted)
                inverted += np.einsum("gjb,gjb->", larger_before, other)
            if digits.shape[1] > 1:
                heavy = np.zeros(part.size, dtype=factor.dtype)
                np.add.at(heavy, _cells(part), factor.ravel())
                heavy = heavy.reshape(part.shape)
                at_least = heavy[:, :, ::-1].cumsum(axis=2)[:, :, ::-1]
                up_to = at_least.cumsum(axis=1) + (0 if begins else before)
                inverted += np.einsum("gbd,gbd->", up_to[:, :-1, 1:], heavy[:, 1:, :-1])
                if not begins:
                    inverted += np.einsum("gbd,gbd->", before[:, :, 1:], heavy[:, :1, :-1])
                before = up_to[:, -1:]
    return inverted


def _digit_by_digit(
    permutation: NDArray[Any], weights: NDArray[Any] | None
) -> Iterator[tuple[NDArray[np.uint8], Any]]:
    """Yield the digits, highest first, in arrays of [group, block, place], and the weights alike.

    The sequence is filled up with the next larger numbers, which add no inversion, until all groups
    are equally long.
    """
    n = permutation.size
    all_bits = max(n - 1, 1).bit_length()
    depth = -(-all_bits // _BITS)
    bits = -(-all_bits // depth)
    block = 1 << bits
    multiple = max(block, 1 << bits * (depth - 1))
    numbers = np.arange(-(-max(n, 1) // multiple) * multiple, dtype=np.uint32)
    numbers[:n] = permutation
    if weights is not None:
        weights = np.concatenate((weights, np.zeros(numbers.size - n, dtype=weights.dtype)))
    for digit in reversed(range(depth)):
        group = numbers.size if digit == depth - 1 else block ** (digit + 1)
        digits = (numbers >> bits * digit).astype(np.uint8) & np.uint8(block - 1)
        in_blocks = numbers.size // group, group // block, block
        yield digits.reshape(in_blocks), None if weights is None else weights.reshape(in_blocks)
        if digit:
            for first in range(0, numbers.size, max(group, _BLOCKS * block)):
                some = slice(first, first + max(group, _BLOCKS * block))
                order = np.argsort(digits[some].reshape(-1, group), axis=1, kind="stable")
                order += np.arange(first, first + order.size, group)[:, None]
                numbers[some] = numbers[order.ravel()]
                if weights is not None:
                    weights[some] = weights[order.ravel()]


def _parts(
    digits: NDArray[np.uint8], weight: NDArray[Any] | None
) -> Iterator[tuple[NDArray[np.uint8], Any, bool]]:
    """Yield some blocks at a time, the weights alike, and whether a group begins there.

    A part is several groups, or some blocks of one.
    """
    groups, blocks, _ = digits.shape
    step = max(1, _BLOCKS // blocks)
    for group, block in product(range(0, groups, step), range(0, blocks, _BLOCKS)):
        some = slice(group, group + step), slice(block, block + _BLOCKS)
        yield digits[some], None if weight is None else weight[some], block == 0


def _halves(part: NDArray[Any]) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Yield the two halves of each block, those of each half, and so on: all pairs of places.

    A block is a column, so that any two places of all blocks are two rows.
    """
    size = part.shape[2]
    columns = np.ascontiguousarray(part.reshape(-1, size).T)
    while size > 1:
        size //= 2
        split = columns.reshape(-1, 2, size, columns.shape[1])
        yield split[:, 0], split[:, 1]


def _cells(part: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return for every place the number of its pair of a block and a digit."""
    groups, blocks, size = part.shape
    first = np.arange(0, part.size, size).reshape(groups, blocks, 1)
    cells: NDArray[np.int64] = (first + part).ravel()
    return cells
