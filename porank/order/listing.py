"""All linear extensions, one after the other, the first by the sequence of the items first.

Idea: *whenever several items may come next, try them in turn; go back when nothing is left.* The
items that may come next are a row of bits, so that to go back is to take up the row that was kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from porank.typing import Item


def list_extensions(n: int, edges: list[tuple[int, int]]) -> Iterator[list[int]]:
    """Yield the linear extensions of an order on 0..n-1, lexicographically.

    Parameters
    ----------
    n : int
        The number of items.
    edges : list of pairs
        (u, v) for u above v: all of the order or enough to imply it.

    Examples
    --------
    >>> list(list_extensions(4, [(0, 2), (1, 2), (1, 3)]))
    [[0, 1, 2, 3], [0, 1, 3, 2], [1, 0, 2, 3], [1, 0, 3, 2], [1, 3, 0, 2]]

    Notes
    -----
    Time O(n + m) rows of n bits for the first one and for each other at the most; memory O(n) rows.
    """
    above = [0] * n
    below: list[list[int]] = [[] for _ in range(n)]
    for u, v in edges:
        above[v] |= 1 << u
        below[u].append(v)
    on_top = sum(1 << v for v in range(n) if not above[v])
    placed, line = 0, list[int]()
    waiting = [(on_top, on_top)]
    while waiting:
        available, untried = waiting.pop()
        if len(line) == n:
            yield list(line)
        if untried:
            bit = untried & -untried
            item = bit.bit_length() - 1
            waiting.append((available, untried ^ bit))
            line.append(item)
            placed |= bit
            freed = {v for v in below[item] if not above[v] & ~placed}
            following = available ^ bit | sum(1 << v for v in freed)
            waiting.append((following, following))
        elif line:
            placed ^= 1 << line.pop()


def list_rankings(levels: list[list[int]]) -> Iterator[list[int]]:
    """Yield the linear extensions of a weak order, lexicographically.

    Parameters
    ----------
    levels : list of list of int
        The items of each level, ascending.

    Examples
    --------
    >>> list(list_rankings([[2], [0, 1]]))
    [[2, 0, 1], [2, 1, 0]]

    Notes
    -----
    Time O(n) for each, memory O(n): no pair of items of two levels is ever looked at.
    """
    current = [list(level) for level in levels]
    while True:
        yield [item for level in current for item in level]
        last = len(current) - 1
        while last >= 0 and not _step(current[last]):
            current[last].reverse()
            last -= 1
        if last < 0:
            return


def named(items: Sequence[Item], rankings: Iterable[list[int]]) -> Iterator[list[Item]]:
    """Yield rankings of items, given by their numbers.

    Examples
    --------
    >>> list(named("ab", [[1, 0]]))
    [['b', 'a']]

    Notes
    -----
    Time O(n) for each.
    """
    for ranking in rankings:
        yield [items[number] for number in ranking]


def _step(line: list[int]) -> bool:
    """Turn the line into the next permutation; say no if it is descending and has none."""
    first = len(line) - 2
    while first >= 0 and line[first] > line[first + 1]:
        first -= 1
    if first < 0:
        return False
    after = max(i for i in range(first + 1, len(line)) if line[i] > line[first])
    line[first], line[after] = line[after], line[first]
    line[first + 1 :] = reversed(line[first + 1 :])
    return True
