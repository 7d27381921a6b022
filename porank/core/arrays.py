"""Sort and group arrays of integers, and compute levels.

`stable_order` sorts stably, `longest_path_levels` finds the lengths of longest paths, and `grouped`
groups equal rows. The other functions are small steps that these share.

Ideas: *the level of an item is found by removing the items that have nothing above them, again and
again. To sort rows stably, store each row and its position in one integer, and sort the integers.*
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from porank.typing import Floats, Numbers


def stable_order(numbers: NDArray[Any]) -> Numbers:
    """Argsort an array of integers from 0 to 2**32 - 1 stably."""
    place_bits, most = numbers.size.bit_length(), int(numbers.max(initial=0))
    short = most.bit_length() + place_bits <= 32
    # Sorting integers that hold a value and its position is faster than argsort.
    dtype: type[Any] = np.uint32 if short else np.uint64
    # key = number * 2**bits + position
    keys = numbers.astype(dtype)
    keys <<= place_bits
    keys |= np.arange(keys.size, dtype=dtype)
    keys.sort()
    keys &= (1 << place_bits) - 1
    return keys.astype(np.int64) if short else keys.view(np.int64)


def inverse_of(permutation: Numbers) -> Numbers:
    """Return the inverse of a permutation of 0..n-1, as an array."""
    inverse = np.empty_like(permutation)
    inverse[permutation] = np.arange(permutation.size)
    return inverse


def places_among(chosen: Numbers, n: int) -> Numbers:
    """Return the place of each of 0..n-1 in an array of some of them, -1 if it is not there."""
    place = np.full(n, -1, dtype=np.int64)
    place[chosen] = np.arange(len(chosen))
    return place


def longest_path_levels(n: int, source: Numbers, target: Numbers) -> Numbers | None:
    """Return the level of each item by longest paths over arrays of edges; None if cyclic."""
    order = np.argsort(source, kind="stable")
    # One list of all heads: a list for each item would cost Python's garbage collection more.
    heads = target[order].tolist()
    end = np.cumsum(np.bincount(source, minlength=n)).tolist()
    open_edges = np.bincount(target, minlength=n).tolist()
    levels = [-1 if edges else 0 for edges in open_edges]
    queue = [item for item, edges in enumerate(open_edges) if not edges]
    # level(v) = 1 + max level(u) over the edges u -> v, and 0 without any
    for item in queue:
        for head in heads[end[item - 1] if item else 0 : end[item]]:
            open_edges[head] -= 1
            if not open_edges[head]:
                levels[head] = levels[item] + 1
                queue.append(head)
    return np.array(levels, dtype=np.int64) if len(queue) == n else None


def members_of_levels(levels: Numbers) -> list[Numbers]:
    """Return an array of the members of each level, from an array of the levels of all items."""
    if not levels.size:
        return []
    along = np.argsort(levels, kind="stable")
    ends = np.cumsum(np.bincount(levels)).tolist()
    return [along[start:end] for start, end in pairwise([0, *ends])]


def lists_of_rows(n: int, rows: Numbers, numbers: Numbers) -> list[list[int]]:
    """Return the list of numbers in each of n rows; the array of row numbers must be ascending."""
    ends, listed = np.searchsorted(rows, np.arange(n + 1)).tolist(), numbers.tolist()
    return [listed[start:end] for start, end in pairwise(ends)]


def ranges(start: Numbers, stop: Numbers) -> Numbers:
    """Return an array with all the ranges ``start[i]..stop[i]-1``, one after the other."""
    length = stop - start
    offset = np.repeat(start - np.concatenate(([0], np.cumsum(length)[:-1])), length)
    numbers: Numbers = offset + np.arange(offset.size)
    return numbers


def to_digits(numbers: Iterable[float]) -> Floats:
    """Round numbers to 12 digits, so that equal values computed in different ways are equal."""
    return np.array([float(f"{each:.12g}") for each in numbers])


def in_parts(length: int, size: int) -> Iterator[slice]:
    """Yield slices of `size` that cover an array of `length` rows; the last one may be shorter."""
    return (slice(first, min(first + size, length)) for first in range(0, length, size))


def grouped(*columns: Numbers) -> tuple[Numbers, Numbers]:
    """Group equal rows of integer arrays: return the sorting order and where each group starts."""
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
    # key = ((c_1 b_2 + c_2) b_3 + ...) 2**bits + position, for columns c_i from 0 to b_i - 1.
    # Sorting 32-bit integers takes half the time of sorting 64-bit ones.
    dtype: type[Any] = np.uint32 if most <= 2**32 else np.int64
    key: NDArray[Any] = (columns[0] - lows[0]).astype(dtype, copy=False)
    for column, low, base in zip(columns[1:], lows[1:], bases[1:], strict=True):
        key *= base
        key += (column - low).astype(dtype, copy=False)
    if np.all(key[1:] >= key[:-1]):
        return np.arange(size), run_starts(key)
    key <<= bits
    key |= np.arange(size, dtype=dtype)
    key.sort()
    return (key & ((1 << bits) - 1)).astype(np.int64, copy=False), run_starts(key >> bits)


def of_groups(values: NDArray[Any], order: Numbers, starts: Numbers) -> NDArray[Any]:
    """Return for each row the value of its group, from the result of `grouped`."""
    found = np.empty(order.size, dtype=values.dtype)
    found[order] = np.repeat(values, np.diff(starts, append=order.size))
    return found


def group_numbers(*columns: Numbers) -> Numbers:
    """Return for each row of integer arrays the number of its group, among the sorted groups."""
    order, starts = grouped(*columns)
    return of_groups(np.arange(starts.size), order, starts)


def distinct(*columns: Numbers) -> tuple[Numbers, Numbers]:
    """Return where each distinct row of integers first occurs, and the group of each position.

    Equivalent to `np.unique` with index and inverse, but faster, in particular if equal rows are
    next to each other, or if a single column has few different integers.
    """
    column, size = columns[0], columns[0].size
    is_plain = len(columns) == 1 and column.dtype == np.int64 and size > 0
    if is_plain and int(column.max()) - int(column.min()) < size:
        key = column - column.min()
        first = np.full(key.max() + 1, size)
        np.minimum.at(first, key, np.arange(size))
        is_used = first < size
        return first[is_used], (np.cumsum(is_used) - 1)[key]
    runs = run_starts(*columns)
    order, starts = grouped(*(column[runs] for column in columns))
    number = of_groups(np.arange(starts.size), order, starts)
    return runs[order[starts]], np.repeat(number, np.diff(runs, append=columns[0].size))


def pair_codes(u: Numbers, v: Numbers, n: int) -> Numbers:
    """Return the number low n + high of each pair of n items, whichever of both is given first."""
    codes: Numbers = np.minimum(u, v) * n + np.maximum(u, v)
    return codes


def shares_of(part: NDArray[Any], whole: NDArray[Any]) -> Floats:
    """Return part / whole, nan where the whole is 0."""
    shares: Floats = np.divide(part, whole, out=np.full(whole.size, np.nan), where=whole > 0)
    return shares


def run_starts(*columns: NDArray[Any]) -> Numbers:
    """Return where runs of equal rows start in sorted arrays."""
    is_new = np.ones(columns[0].size, dtype=bool)
    np.not_equal(columns[0][1:], columns[0][:-1], out=is_new[1:])
    for column in columns[1:]:
        is_new[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(is_new)


def run_bounds(*columns: NDArray[Any]) -> tuple[Numbers, Numbers]:
    """Return for each position of sorted arrays where its run of equal rows starts and ends."""
    starts = run_starts(*columns)
    lengths = np.diff(starts, append=columns[0].size)
    return np.repeat(starts, lengths), np.repeat(starts + lengths, lengths)


def cuts_between(column: Numbers, size: int) -> list[int]:
    """Return where to cut a sorted array into parts of at least `size` rows, between runs."""
    ends = np.append(run_starts(column)[1:], column.size)
    places = np.searchsorted(ends, np.arange(size, column.size + size, size))
    return [0, *np.unique(ends[np.minimum(places, ends.size - 1)]).tolist()]


def labels_as_array(labels: Sequence[Any]) -> NDArray[Any]:
    """Return labels as an array: of integers if all are integers, otherwise of objects."""
    if set(map(type, labels)) == {int}:
        try:
            return np.array(labels, dtype=np.int64)
        except OverflowError:
            pass  # integers beyond 2**63 stay objects
    return np.fromiter(labels, dtype=object, count=len(labels))
