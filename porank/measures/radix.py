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
_BITS_WITH_WEIGHTS = 5


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
    for digits, _ in _digit_by_digit(permutation, _BITS):
        columns = np.ascontiguousarray(digits.reshape(-1, digits.shape[2]).T)
        for step in range(1, len(columns)):
            inverted += int(np.count_nonzero(columns[:-step] > columns[step:]))
        if digits.shape[1] > 1:
            inverted += _count_between(digits)
    return inverted


def weigh_inversions(permutation: Numbers, weights: NDArray[Any]) -> Any:
    """Return the sum of the products of the two weights, over all inverted pairs of places.

    Parameters
    ----------
    permutation : array of int
        The numbers 0, ..., n - 1 in any sequence.
    weights : array of int, float or object
        The weight of each place. The sum is exact if it fits the type; Python's own integers, as
        objects, always do.

    Examples
    --------
    >>> weigh_inversions(np.array([2, 0, 1]), np.array([1.0, 10.0, 100.0]))
    110.0

    Notes
    -----
    Time O(n log n).
    """
    inverted: Any = weights.dtype.type(0) if weights.dtype != object else 0
    for digits, places in _digit_by_digit(permutation, _BITS_WITH_WEIGHTS):
        padded = np.concatenate((weights, np.zeros(places.size - weights.size, weights.dtype)))
        heavy = padded[places].reshape(digits.shape)
        columns, by_column = (
            np.ascontiguousarray(array.reshape(-1, digits.shape[2]).T) for array in (digits, heavy)
        )
        for step in range(1, len(columns)):
            is_inverted = columns[:-step] > columns[step:]
            factors = by_column[:-step], by_column[step:], is_inverted
            inverted += np.einsum("ij,ij,ij->", *factors)
        if digits.shape[1] > 1:
            inverted += _weigh_between(digits, heavy)
    return inverted
