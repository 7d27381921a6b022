"""Sifting: take one node of a level out, and put it back where it crosses least.

For two nodes u and v of a level, the crossings of their pieces depend only on which of the two
stands first. With the difference known for all pairs, the best place for u is found by adding up
along the level [1]_.

References
----------
.. [1] C. Matuszewski, R. Schönfeld, P. Molitor, "Using sifting for k-layer straightline crossing
   minimization", Graph Drawing 1999, pp. 217-224. https://doi.org/10.1007/3-540-46648-7_22
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arrays import inverse_of, ranges
from porank.core.progress import track

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from porank.drawing.strata import Rows, Side, Strata
    from porank.typing import Numbers

    Table = NDArray[np.int32]

#: Rounds over all levels at the most, and so many with the least effort.
_ROUNDS, _LEAST_ROUNDS = 12, 3
#: So many nodes of a level are sifted at a time; a wider level is gone through in steps of half.
_WINDOW = 128
#: From so many nodes on it pays to treat those with one piece by themselves.
_WIDE = 48


def sift(
    strata: Strata,
    rows: Rows,
    levels: Iterable[int] | None = None,
    *,
    share: float = 1.0,
    progress: bool = False,
) -> Rows:
    """Return the sequences after sifting level by level until nothing is gained.

    Parameters
    ----------
    strata : Strata
        The nodes and the pieces.
    rows : list of array
        The sequence of each level.
    levels : iterable of int, optional
        The levels to begin with, by default all; others are sifted when a neighbour has changed.
    share : float
        Which part of the rounds may be gone through.
    progress : bool
        Show a bar.

    Examples
    --------
    >>> from porank.drawing.strata import cut
    >>> strata = cut(np.array([0, 0, 1, 1]), np.array([0, 1]), np.array([3, 2]))
    >>> [row.tolist() for row in sift(strata, [np.array([0, 1]), np.array([0, 1])])]
    [[1, 0], [0, 1]]

    Notes
    -----
    A round takes time O(p w) for p pieces and w nodes on a level, 128 at the most: wider levels are
    sifted in windows that overlap by half. There are 12 rounds at the most.
    """
    rows = list(rows)
    depth = len(rows)
    waiting = set(range(depth)) if levels is None else set(levels)
    rounds = max(int(share * _ROUNDS), _LEAST_ROUNDS)
    for number in track(range(rounds), progress=progress, label="sifting"):
        for k in sorted(waiting, reverse=number % 2 == 1):
            moved = _sifted(strata, rows, k)
            waiting.discard(k)
            if moved is not None:
                rows[k] = moved
                waiting |= {k - 1, k, k + 1} & set(range(depth))
        if not waiting:
            break
    return rows


def _sifted(strata: Strata, rows: Rows, k: int) -> Numbers | None:
    """Return the sequence of a level after each node has been sifted, or None if none has moved."""
    first = row = rows[k]
    for begin in range(0, max(row.size - _WINDOW // 2, 1), _WINDOW // 2):
        window = slice(begin, begin + _WINDOW)
        sequence = _best_places(excess(strata, rows, k, row[window]))
        if sequence is not None:
            row = row.copy()
            row[window] = row[window][sequence]
    return None if row is first else row


def excess(strata: Strata, rows: Rows, k: int, nodes: Numbers) -> Table:
    """Return for some nodes of a level by how many more pieces cross the other way round.

    Entry [i, j]: how many more pieces of the i-th and the j-th node cross with j before i.

    Examples
    --------
    >>> from porank.drawing.strata import cut
    >>> strata = cut(np.array([0, 0, 1, 1]), np.array([0, 1]), np.array([3, 2]))
    >>> both = np.array([0, 1])
    >>> excess(strata, [both, both], 0, both).tolist()
    [[0, -1], [1, 0]]
    """
    crossed = np.zeros((nodes.size, nodes.size), dtype=np.int32)
    for side in strata.sides[k]:
        _add_crossed(crossed, side, rows[side.level], nodes)
    return crossed.T - crossed


def _add_crossed(crossed: Table, side: Side, row: Numbers, nodes: Numbers) -> None:
    """Add how many pieces of the i-th and the j-th node cross with i before j."""
    start, stop = side.start[nodes], side.start[nodes + 1]
    places = inverse_of(row)[side.theirs[ranges(start, stop)]]
    n_places = row.size
    if nodes.size < side.start.size - 1:
        places, n_places = _close_up(places, row.size)
    degree = stop - start
    ends = np.zeros((n_places + 1, nodes.size), dtype=np.int32)
    ends[places + 1, np.repeat(np.arange(nodes.size), degree)] = 1
    before = np.cumsum(ends, axis=0, dtype=np.int32)
    filled = degree > 0
    if np.any(filled):
        crossed[filled] += _sums(before, places, degree[filled])


def _sums(before: Table, places: Numbers, degree: Numbers) -> Table:
    """Return for each node the sum of the rows at the places of its pieces."""
    begin = np.cumsum(degree) - degree
    if degree.size < _WIDE:
        narrow: Table = np.add.reduceat(before[places], begin, axis=0)
        return narrow
    # Most nodes of a wide level are joints, which have one piece to a side.
    sums: Table = before[places[begin]]
    for node in np.flatnonzero(degree > 1).tolist():
        own = places[begin[node] : begin[node] + degree[node]]
        sums[node] = before[own].sum(axis=0)
    return sums


def _close_up(places: Numbers, n_places: int) -> tuple[Numbers, int]:
    """Return the places without those between them that nobody takes, and how many are taken."""
    is_taken = np.zeros(n_places, dtype=bool)
    is_taken[places] = True
    number = np.cumsum(is_taken)
    return number[places] - 1, int(number[-1])


def _best_places(table: Table) -> Numbers | None:
    """Return the sequence after each node has been sifted once, or None if all stand well."""
    behind = np.cumsum(table, axis=1)
    gains = np.diagonal(behind) - np.minimum(behind.min(axis=1), 0)
    candidates = np.flatnonzero(gains)
    if not candidates.size:
        return None
    sequence = np.arange(gains.size)
    for node in candidates.tolist():
        _put_best(sequence, node, table[node])
    return sequence


def _put_best(sequence: Numbers, node: int, excess: NDArray[Any]) -> None:
    """Put one node where it crosses least, writing into `sequence`."""
    # Behind the first j + 1 nodes there are so many crossings more than in front of all.
    behind = np.cumsum(excess[sequence])
    best, at = int(behind.argmin()), int((sequence == node).argmax())
    least = min(int(behind[best]), 0)
    if least == behind[at]:
        return
    to = best + (best < at) if least else 0
    if to < at:
        sequence[to + 1 : at + 1] = sequence[to:at].copy()
    else:
        sequence[at:to] = sequence[at + 1 : to + 1].copy()
    sequence[to] = node
