"""Inversions of a permutation, digit by digit.

Two places of a sequence are *inverted* if the earlier one holds the larger number. The highest
digit in which the two numbers differ says which is larger, so that it is enough to compare single
digits among the numbers that share all higher ones.

Idea: *count, digit by digit from the top, the pairs whose earlier digit is larger; then put together
the numbers that share the digits so far, in their sequence, and go on within each group.* Within a
short block places are compared one by one; between blocks it is enough to know how often each digit
occurs in either. As the numbers are a permutation, all groups are equally long, and one array
operation serves them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from porank.typing import Numbers

#: The largest digits, in bits: to count, and to add up weights, where comparing costs more.
_BITS = 7
_BITS_WITH_WEIGHTS = 6


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
        columns = _columns(digits)
        for step in range(1, len(columns)):
            inverted += int(np.count_nonzero(columns[:-step] > columns[step:]))
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
    for digits, weight in _digit_by_digit(permutation, weights, _BITS_WITH_WEIGHTS):
        columns, factor = _columns(digits), _columns(weight)
        for step in range(1, len(columns)):
            is_inverted = columns[:-step] > columns[step:]
            inverted += np.einsum("ij,ij,ij->", factor[:-step], factor[step:], is_inverted)
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
            numbers = _rearranged(numbers, order)
            weights = None if weights is None else _rearranged(weights, order)


def _rearranged(values: NDArray[Any], order: Numbers) -> NDArray[Any]:
    return np.take_along_axis(values.reshape(order.shape), order, axis=1).ravel()


def _columns(array: NDArray[Any]) -> NDArray[Any]:
    """Turn blocks into columns, so that two places of all blocks are two rows."""
    return np.ascontiguousarray(array.reshape(-1, array.shape[2]).T)


def _cells(digits: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Number each pair of a block and a digit in it, for every place."""
    groups, blocks, size = digits.shape
    first = np.arange(0, digits.size, size).reshape(groups, blocks, 1)
    cells: NDArray[np.int64] = (first + digits).ravel()
    return cells


def _count_between(digits: NDArray[np.uint8]) -> int:
    """Count the inverted pairs of different blocks of one group."""
    often = np.bincount(_cells(digits), minlength=digits.size)
    often = often.astype(np.int32).reshape(digits.shape)
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
