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

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from porank.typing import Numbers

#: The largest digits, in bits.
_BITS = 6
#: So many blocks are compared within at once, few enough for the processor's cache.
_BLOCKS = 1024


def count_inversions(permutation: Numbers) -> int:
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
    for digits, _ in _digit_by_digit(permutation, None, _BITS):
        for digit, _ in _chunks(digits, None):
            for earlier, later in _halves(digit):
                inverted += int(np.count_nonzero(earlier[:, :, None] > later[:, None]))
        if digits.shape[1] > 1:
            inverted += _count_between(digits)
    return inverted


def weigh_inversions(permutation: Numbers, weights: NDArray[Any]) -> Any:
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
    for digits, weight in _digit_by_digit(permutation, weights, _BITS):
        for digit, factor in _chunks(digits, weight):
            halves = zip(_halves(digit), _halves(factor), strict=True)
            for (earlier, later), (one, other) in halves:
                is_inverted = earlier[:, :, None] > later[:, None]
                inverted += np.einsum("gib,gjb,gijb->", one, other, is_inverted)
        if digits.shape[1] > 1:
            inverted += _weigh_between(digits, weight)
    return inverted


def _digit_by_digit(
    permutation: Numbers, weights: NDArray[Any] | None, most_bits: int
) -> Iterator[tuple[NDArray[np.uint8], Any]]:
    """Yield the digits, highest first, in arrays of [group, block, place], and the weights alike.

    The sequence is filled up with the next larger numbers, which add no inversion, until all groups
    are equally long.
    """
    n = permutation.size
    all_bits = max(n - 1, 1).bit_length()
    depth = -(-all_bits // most_bits)
    bits = -(-all_bits // depth)
    block = 1 << bits
    multiple = max(block, 1 << bits * (depth - 1))
    numbers = np.arange(-(-max(n, 1) // multiple) * multiple, dtype=np.uint32)
    numbers[:n] = permutation
    if weights is not None:
        weights = np.concatenate((weights, np.zeros(numbers.size - n, dtype=weights.dtype)))
    for digit in reversed(range(depth)):
        group = numbers.size if digit == depth - 1 else block ** (digit + 1)
        digits = (numbers >> bits * digit & block - 1).astype(np.uint8).reshape(-1, group)
        in_blocks = len(digits), group // block, block
        yield digits.reshape(in_blocks), None if weights is None else weights.reshape(in_blocks)
        if digit:
            order = np.argsort(digits, axis=1, kind="stable")
            order += np.arange(0, numbers.size, group)[:, None]
            numbers = numbers[order.ravel()]
            weights = None if weights is None else weights[order.ravel()]


def _chunks(
    digits: NDArray[np.uint8], weight: NDArray[Any] | None
) -> Iterator[tuple[NDArray[np.uint8], Any]]:
    """Yield some blocks at a time, a block being a column, and the weights alike."""
    size = digits.shape[2]
    by_block = digits.reshape(-1, size)
    weights = None if weight is None else weight.reshape(-1, size)
    for first in range(0, len(by_block), _BLOCKS):
        some = slice(first, first + _BLOCKS)
        columns = np.ascontiguousarray(by_block[some].T)
        yield columns, None if weights is None else np.ascontiguousarray(weights[some].T)


def _halves(columns: NDArray[Any]) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Yield the two halves of each column, those of each half, and so on: all pairs of places."""
    size, blocks = columns.shape
    while size > 1:
        size //= 2
        split = columns.reshape(-1, 2, size, blocks)
        yield split[:, 0], split[:, 1]


def _cells(digits: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return for every place the number of its pair of a block and a digit."""
    groups, blocks, size = digits.shape
    first = np.arange(0, digits.size, size).reshape(groups, blocks, 1)
    cells: NDArray[np.int64] = (first + digits).ravel()
    return cells


def _count_between(digits: NDArray[np.uint8]) -> int:
    """Count the inverted pairs of different blocks of one group."""
    counts = np.bincount(_cells(digits), minlength=digits.size)
    often = counts.astype(np.int32).reshape(digits.shape)
    larger = digits.shape[2] - np.cumsum(often, axis=2, dtype=np.int32)
    larger_before = np.cumsum(larger, axis=1, dtype=np.int32)
    pairs = np.einsum("ijk,ijk->", larger_before[:, :-1], often[:, 1:], dtype=np.int64)
    return int(pairs)


def _weigh_between(digits: NDArray[np.uint8], weight: NDArray[Any]) -> Any:
    """Add up the products of the inverted pairs of different blocks of one group."""
    heavy = np.zeros(digits.size, dtype=weight.dtype)
    np.add.at(heavy, _cells(digits), weight.ravel())
    heavy = heavy.reshape(digits.shape)
    at_least = heavy[:, :, ::-1].cumsum(axis=2)[:, :, ::-1]
    before = at_least.cumsum(axis=1)
    return np.einsum("ijk,ijk->", before[:, :-1, 1:], heavy[:, 1:, :-1])
