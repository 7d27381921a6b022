"""Count or weight the concordant and discordant pairs of two weak orders.

A few items are compared one by one. If there are few levels, a contingency table of the levels is
enough. Otherwise the items are sorted by the first order, and the discordant pairs are the
inversions of their positions in the second order, i.e. pairs in which the larger number comes
first. The highest digit in which two numbers differ decides which is larger.

*Idea: count the pairs whose first digit is inverted; then group the numbers by their first digit,
keeping their sequence, and go on with the next digit within each group.* Within a short block, the
numbers are compared one by one; between blocks, it is enough to count how often each digit occurs.
Because the numbers are a permutation, all groups are equally long, so one array operation handles
all of them.

For others: `count_weak_agreement`, `count_before_in_both`, `weigh_before_in_both`,
`count_inversions`, `weigh_weak_disagreement`.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arrays import run_starts, stable_order
from porank.core.graphs import pairs_of_sizes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from porank.typing import Numbers


#: Up to this number, items are compared one by one. With inversions alone, tau of 10 items takes 90
#: µs instead of 50, and 30 times as long in a batch of 2,000 groups. With comparisons alone, tau of
#: 2,000 items takes 5.7 ms instead of .4.
MOST_COMPARED = 500
#: A table is used if it has at most this number of cells per item. Without it, a million floats
#: with two digits take .24 s instead of .1; SciPy takes .16.
_CELLS_AN_ITEM = 4


def count_weak_agreement(first: Numbers, second: Numbers) -> tuple[int, int]:
    """Return the numbers of concordant and discordant pairs of two weak orders."""
    n = first.size
    if n <= MOST_COMPARED:
        return _count_by_comparing(first, second)
    levels = int(first.max()) + 1, int(second.max()) + 1
    if levels[0] * levels[1] <= _CELLS_AN_ITEM * n:
        discordant, in_both = _count_in_table(first, second, levels)
    else:
        # Count the inversions of the order that has fewer levels.
        more, fewer = (first, second) if levels[0] >= levels[1] else (second, first)
        places, in_both = _sorted_along(more, fewer)
        discordant = count_inversions(places)
    # C = n (n - 1) / 2 - (pairs tied in the first + in the second - in both) - D
    in_first, in_second = (pairs_of_sizes(np.bincount(each)) for each in (first, second))
    return n * (n - 1) // 2 - (in_first + in_second - in_both) - discordant, discordant


def _count_in_table(first: Numbers, second: Numbers, levels: tuple[int, int]) -> tuple[int, int]:
    """Return the number of discordant pairs and that of pairs tied in both, from a table."""
    cells = first * levels[1] + second
    table = np.bincount(cells, minlength=levels[0] * levels[1]).reshape(levels)
    # D = sum over cells (i, j) of table[i, j] · sum of table[i', j'] with i' < i and j' > j
    opposed = np.cumsum(np.cumsum(table[:-1, :0:-1], axis=1)[:, ::-1], axis=0)
    return int((opposed * table[1:, :-1]).sum()), pairs_of_sizes(table.ravel())


def _sorted_along(first: Numbers, second: Numbers) -> tuple[NDArray[Any], int]:
    """Return the second order's levels sorted by the first, and how many pairs both tie."""
    if int(first.max()) + 1 == first.size:
        places: NDArray[Any] = np.empty(first.size, dtype=np.int32)
        places[first] = second
        return places, 0
    # Join both levels to one number, so that ties are sorted by the second order.
    bits = int(second.max()).bit_length()
    short = int(first.max()).bit_length() + bits <= 32
    dtype: type[Any] = np.uint32 if short else np.uint64
    both = first.astype(dtype)
    both <<= bits
    both |= second.astype(dtype)
    both.sort()
    in_both = pairs_of_sizes(np.diff(run_starts(both), append=both.size))
    both &= (1 << bits) - 1
    return both.astype(np.int32), in_both


def _count_by_comparing(first: Numbers, second: Numbers) -> tuple[int, int]:
    """Return the numbers of concordant and discordant pairs by comparing each item with each."""
    first, second = first.astype(np.uint16), second.astype(np.uint16)
    above = first[:, None] < first
    concordant = np.count_nonzero(above & (second[:, None] < second))
    discordant = np.count_nonzero(above & (second[:, None] > second))
    return int(concordant), int(discordant)


def _cross(
    first: NDArray[Any], second: NDArray[Any], *, opposed: bool = False
) -> tuple[Numbers, NDArray[Any]]:
    """Return the items in the sequence of the first order, and their positions in the second."""
    items = stable_order(_reversed(second) if opposed else second)
    items = items[stable_order(first[items])]
    by_first = stable_order(_reversed(first)) if opposed else items
    places = np.empty_like(second)
    places[by_first[stable_order(second[by_first])]] = np.arange(second.size)
    return items, places[items]


def _reversed(levels: NDArray[Any]) -> NDArray[Any]:
    upside_down: NDArray[Any] = levels.max(initial=0) - levels
    return upside_down


def weigh_weak_disagreement(first: Numbers, second: Numbers, weights: NDArray[np.float64]) -> float:
    """Return twice the weight of discordant pairs plus the weight of pairs decided only once."""
    first, second = first.astype(np.int32), second.astype(np.int32)
    # D + (D + A + N): if ties are reversed, the pairs that only one order decides are discordant.
    items, places = _cross(first, second)
    discordant = float(weights[items] @ _weigh_larger_before(places, weights[items]))
    if first.size == first.max(initial=-1) + 1 == second.max(initial=-1) + 1:
        return 2 * discordant
    items, places = _cross(first, second, opposed=True)
    return discordant + float(weights[items] @ _weigh_larger_before(places, weights[items]))


def count_before_in_both(first: Numbers, second: Numbers) -> Numbers:
    """Return for each item the number of items that are on an earlier level in both orders."""
    if first.size <= MOST_COMPARED:
        before = (first[:, None] < first) & (second[:, None] < second)
        few: Numbers = np.count_nonzero(before, axis=0)
        return few
    return weigh_before_in_both(first, second, np.ones(first.size)).astype(np.int64)


def weigh_before_in_both(
    first: Numbers, second: Numbers, weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return for each item the weight of the items on an earlier level in both orders."""
    first, second = first.astype(np.int32), second.astype(np.int32)
    items, places = _cross(first, _reversed(second))
    before = np.empty(items.size)
    before[items] = _weigh_larger_before(places, weights[items])
    return before


#: Maximum number of bits of a digit.
_BITS = 6
#: Number of blocks that are counted at once, so that they fit into the processor's cache.
_BLOCKS = 512


def count_inversions(numbers: NDArray[Any]) -> int:
    """Return the number of inversions of numbers that include all from 0 to their maximum."""
    inverted = 0
    if int(numbers.max(initial=-1)) + 1 < numbers.size:
        # Make equal numbers different and increasing, so that they are not inverted.
        numbers, equal = np.empty(numbers.size, dtype=np.int32), numbers
        numbers[stable_order(equal)] = np.arange(equal.size, dtype=np.int32)
    for digits in _digit_by_digit(numbers):
        before: Any = 0
        for some, begins in _parts(digits, _BLOCKS):
            part = digits[some]
            for earlier, later in _halves(_columns(part)):
                inverted += int(np.count_nonzero(earlier[:, :, None] > later[:, None]))
            if digits.shape[1] > 1:
                # Sum over blocks and digits d of (digits > d in earlier blocks) · (digits d here).
                often = np.bincount(_cells(part), minlength=part.size).reshape(part.shape)
                larger = part.shape[2] - np.cumsum(often, axis=2, dtype=np.int32)
                up_to = np.cumsum(larger, axis=1, dtype=np.int32) + (0 if begins else before)
                inverted += int(np.einsum("gbd,gbd->", up_to - larger, often, dtype=np.int64))
                before = up_to[:, -1:]
    return inverted


def _weigh_larger_before(permutation: NDArray[Any], weights: NDArray[Any]) -> NDArray[Any]:
    """Return for each number the weight of the larger numbers before it."""
    heavy = _padded(weights)
    place, larger = np.arange(heavy.size), np.zeros_like(heavy)
    for digits in _digit_by_digit(permutation, heavy, place):
        found = np.empty(digits.shape, dtype=weights.dtype)
        before: Any = 0
        for some, begins in _parts(digits, 2 * _BLOCKS):
            part, factor = digits[some], heavy.reshape(digits.shape)[some]
            columns = _columns(factor)
            sums = np.zeros_like(columns)
            halves = zip(*map(_halves, (_columns(part), columns, sums)), strict=True)
            for (earlier, later), (one, _), (_, inside) in halves:
                is_larger = (earlier[:, :, None] > later[:, None]).view(np.int8)
                inside[...] += np.einsum("gib,gijb->gjb", one, is_larger)
            found[some] = sums.T.reshape(part.shape)
            if digits.shape[1] > 1:
                # For each digit d: the weight of the digits > d in earlier blocks.
                of_digit = _weigh_digits(part, factor)
                beyond = of_digit[:, :, ::-1].cumsum(axis=2)[:, :, ::-1] - of_digit
                up_to = beyond.cumsum(axis=1) + (0 if begins else before)
                found[some] += (up_to - beyond).ravel()[_cells(part)].reshape(part.shape)
                before = up_to[:, -1:]
        larger[place] += found.ravel()
    return larger[: permutation.size]


def _padded(weights: NDArray[Any]) -> NDArray[Any]:
    """Return the weights, padded with 0 to whole groups."""
    padded = np.zeros(_padded_size(weights.size), dtype=weights.dtype)
    padded[: weights.size] = weights
    return padded


def _weigh_digits(part: NDArray[np.uint8], weight: NDArray[Any]) -> NDArray[Any]:
    """Return the weight of each digit in each block."""
    of_digit = np.zeros(part.size, dtype=weight.dtype)
    np.add.at(of_digit, _cells(part), weight.ravel())
    return of_digit.reshape(part.shape)


def _digits_of(n: int) -> tuple[int, int]:
    """Return the number of digits of numbers below n, and the number of bits per digit."""
    all_bits = max(n - 1, 1).bit_length()
    depth = -(-all_bits // _BITS)
    return depth, -(-all_bits // depth)


def _padded_size(n: int) -> int:
    """Return n, rounded up to whole groups of blocks."""
    depth, bits = _digits_of(n)
    multiple = max(1 << bits, 1 << bits * (depth - 1))
    return -(-max(n, 1) // multiple) * multiple


def _digit_by_digit(permutation: NDArray[Any], *moved: NDArray[Any]) -> Iterator[NDArray[np.uint8]]:
    """Yield the digits of a permutation, highest first, as arrays [group, block, position]."""
    depth, bits = _digits_of(permutation.size)
    block = 1 << bits
    numbers = np.arange(_padded_size(permutation.size), dtype=np.uint32)
    numbers[: permutation.size] = permutation
    for digit in reversed(range(depth)):
        group = numbers.size if digit == depth - 1 else block ** (digit + 1)
        digits = (numbers >> bits * digit).astype(np.uint8) & np.uint8(block - 1)
        yield digits.reshape(numbers.size // group, group // block, block)
        if digit:
            for first in range(0, numbers.size, max(group, _BLOCKS * block)):
                some = slice(first, first + max(group, _BLOCKS * block))
                order = np.argsort(digits[some].reshape(-1, group), axis=1, kind="stable")
                order += np.arange(first, first + order.size, group)[:, None]
                for array in (numbers, *moved):
                    array[some] = array[order.ravel()]


def _parts(digits: NDArray[np.uint8], most: int) -> Iterator[tuple[tuple[slice, slice], bool]]:
    """Yield slices of blocks that are counted together, and whether a group begins there."""
    groups, blocks, _ = digits.shape
    step = max(1, most // blocks)
    for group, block in product(range(0, groups, step), range(0, blocks, most)):
        yield (slice(group, group + step), slice(block, block + most)), block == 0


def _columns(part: NDArray[Any]) -> NDArray[Any]:
    """Return an array with a column for each block."""
    return np.ascontiguousarray(part.reshape(-1, part.shape[2]).T)


def _halves(columns: NDArray[Any]) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Yield the halves of blocks, then of these, and so on, so each pair is split once."""
    size = columns.shape[0]
    while size > 1:
        size //= 2
        split = columns.reshape(-1, 2, size, columns.shape[1])
        yield split[:, 0], split[:, 1]


def _cells(part: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return for each number the index of its block and digit in a flat table."""
    groups, blocks, size = part.shape
    first = np.arange(0, part.size, size).reshape(groups, blocks, 1)
    cells: NDArray[np.int64] = (first + part).ravel()
    return cells
