"""Few crossings: in which sequence the nodes of each level stand.

Which pieces cross depends on these sequences alone. To find the best is NP-hard even for two
levels. So a good one is made better and better: levels are put in order by turns, each by the
*barycenters* of its neighbours on the level before [1]_, and then by *sifting* [2]_; what is found
is disturbed at one place and repaired again, many times, and whatever is no worse is kept.

Idea of sifting: *take one node out, and put it back where it crosses least.* For two nodes of a
level, the crossings of their pieces depend only on which of the two stands first. With the
difference known for all pairs, `_excess`, the best place is found by adding up along the level.

Functions: `fewest_crossings`, `_sift`, `_excess`, `count_crossings`, `count_inverted`.

References
----------
.. [1] K. Sugiyama, S. Tagawa, M. Toda, "Methods for visual understanding of hierarchical system
   structures", IEEE Transactions on Systems, Man, and Cybernetics 11(2), 1981, pp. 109-125.
   https://doi.org/10.1109/TSMC.1981.4308636
.. [2] C. Matuszewski, R. Schönfeld, P. Molitor, "Using sifting for k-layer straightline crossing
   minimization", Graph Drawing 1999, pp. 217-224. https://doi.org/10.1007/3-540-46648-7_22
"""

from __future__ import annotations

from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arrays import inverse_of, ranges
from porank.core.progress import track
from porank.drawing.layout.symmetry import folded, mirrors
from porank.measures.inversions import count_inversions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from porank.drawing.layout.levels import Adjacency, Rows, Strata
    from porank.typing import Numbers

    Table = NDArray[np.int32]


#: So many lines are compared two by two.
_FEW_LINES = 150
#: Sweeps end when that many have brought nothing.
_PATIENCE = 4
#: Sequences to start from.
_STARTS = 3
#: A sequence is disturbed so often for each node; in large graphs, where this takes long, so often
#: that the pieces add up to that number.
_KICKS_A_NODE = 8
_PIECES_TO_KICK = 40_000
#: So many mirrors are tried, and so often what they show is disturbed.
_MIRRORS = 4
_KICKS_IN_MIRROR = 50


def count_crossings(strata: Strata, rows: Rows) -> int:
    """Return the number of edge crossings of a layered diagram with these sequences of nodes."""
    places = [inverse_of(row) for row in rows]
    return sum(
        count_inverted(places[k][upper], places[k + 1][lower])
        for k, (upper, lower) in enumerate(strata.gaps)
    )


def count_inverted(upper: NDArray[Any], lower: NDArray[Any]) -> int:
    """Return the number of crossings between two levels, from the places of both ends of lines."""
    if upper.size <= _FEW_LINES:
        return int(np.count_nonzero((upper[:, None] < upper) & (lower[:, None] > lower)))
    in_turn = lower[np.lexsort((lower, upper))]
    return count_inversions(inverse_of(np.argsort(in_turn, kind="stable")))


def fewest_crossings(
    strata: Strata, rng: np.random.Generator, *, share: float = 1.0, progress: bool | None = None
) -> Rows:
    """Return a sequence of the nodes of each level with few edge crossings."""
    if len(strata.sizes) < 2:
        return [np.arange(size) for size in strata.sizes]
    nodes, pieces = strata.level.size, strata.upper.size
    kicks = min(int(share * _PIECES_TO_KICK) // max(pieces, 1), _KICKS_A_NODE * nodes)
    best = _best_start(strata, min(kicks + 1, _STARTS), rng, share, progress=progress)
    for _ in track(range(kicks), progress=progress, label="untangling"):
        if not best.crossings:
            break
        rows, changed = _disturbed(strata, best.rows, rng)
        other = _Found(strata, _sift(strata, rows, changed))
        if other.crossings <= best.crossings:
            best = other
    return _mirrored(strata, best, min(kicks, _KICKS_IN_MIRROR), rng).rows


class _Found:
    """Sequences with the number of their crossings."""

    def __init__(self, strata: Strata, rows: Rows) -> None:
        self.rows = rows
        self.crossings = count_crossings(strata, rows)


def _best_start(
    strata: Strata, count: int, rng: np.random.Generator, share: float, *, progress: bool | None
) -> _Found:
    """Return the best of some sequences: made from the nodes as numbered, then as drawn."""
    rows = [np.arange(size) for size in strata.sizes]
    best = _Found(strata, _sift(strata, _swept(strata, rows), share=share, progress=progress))
    for _ in range(count - 1):
        if not best.crossings:
            break
        rows = [rng.permutation(size) for size in strata.sizes]
        other = _Found(strata, _sift(strata, _swept(strata, rows), share=share))
        best = min(best, other, key=lambda one: one.crossings)
    return best


def _mirrored(strata: Strata, best: _Found, kicks: int, rng: np.random.Generator) -> _Found:
    """Return mirror-symmetric sequences if some are found with no more crossings, else the best."""
    for mirror in islice(mirrors(strata), _MIRRORS):
        found = _Found(strata, folded(strata, best.rows, mirror))
        for _ in range(kicks):
            if found.crossings <= best.crossings:
                break
            rows, changed = _disturbed(strata, found.rows, rng)
            other = _Found(strata, folded(strata, _sift(strata, rows, changed), mirror))
            if other.crossings <= found.crossings:
                found = other
        if found.crossings <= best.crossings:
            return found
    return best


def _swept(strata: Strata, rows: Rows) -> Rows:
    """Return the best sequences met while sweeping down and up until nothing is gained."""
    best, fewest = rows, count_crossings(strata, rows)
    number = idle = 0
    while idle < _PATIENCE and fewest:
        rows = list(rows)
        levels = range(len(rows)) if number % 2 == 0 else range(len(rows) - 1, -1, -1)
        for before, k in pairwise(levels):
            rows[k] = _by_barycenter(strata, rows, k, before)
        crossings = count_crossings(strata, rows)
        idle = 0 if crossings < fewest else idle + 1
        if crossings < fewest:
            best, fewest = rows, crossings
        number += 1
    return best


def _disturbed(strata: Strata, rows: Rows, rng: np.random.Generator) -> tuple[Rows, list[int]]:
    """Shuffle a stretch of a level, let some levels follow; return which were changed, too."""
    rows = list(rows)
    first = int(rng.integers(len(rows)))
    begin, end = np.sort(rng.integers(rows[first].size + 1, size=2))
    rows[first] = rows[first].copy()
    rng.shuffle(rows[first][begin:end])
    levels = range(first, len(rows)) if rng.integers(2) else range(first, -1, -1)
    changed = list(levels[: int(rng.integers(1, len(rows) + 1))])
    for before, k in pairwise(changed):
        rows[k] = _by_barycenter(strata, rows, k, before, noise=rng.normal(size=rows[k].size) / 2)
    return rows, changed


def _by_barycenter(
    strata: Strata, rows: Rows, k: int, before: int, *, noise: NDArray[Any] | float = 0.0
) -> Numbers:
    """Sort a level by the barycenters of its neighbours, to have fewer crossings."""
    (side,) = (side for side in strata.sides[k] if side.level == before)
    size, width = rows[k].size, rows[before].size
    degree = np.diff(side.start)
    mine = np.repeat(np.arange(size), degree)
    center = (width - 1) / 2
    total = np.bincount(
        mine, weights=inverse_of(rows[before])[side.theirs] - center, minlength=size
    )
    share = (inverse_of(rows[k]) - (size - 1) / 2) * (width / size)
    key = np.where(degree > 0, total / np.maximum(degree, 1), share) + noise
    result: Numbers = rows[k][np.argsort(key[rows[k]], kind="stable")]
    return result


#: Rounds over all levels at the most, and so many with the least effort.
_ROUNDS, _LEAST_ROUNDS = 12, 3
#: So many nodes of a level are sifted at a time; a wider level is gone through in steps of half.
_WINDOW = 128
#: From so many nodes on it pays to treat those with one piece by themselves.
_WIDE = 48


def _sift(
    strata: Strata,
    rows: Rows,
    levels: Iterable[int] | None = None,
    *,
    share: float = 1.0,
    progress: bool | None = None,
) -> Rows:
    """Return the sequences of nodes after sifting level by level, until no crossing is saved."""
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
        sequence = _best_places(_excess(strata, rows, k, row[window]))
        if sequence is not None:
            row = row.copy()
            row[window] = row[window][sequence]
    return None if row is first else row


def _excess(strata: Strata, rows: Rows, k: int, nodes: Numbers) -> Table:
    """Return by how many crossings v before u exceeds u before v, for nodes u, v of a level."""
    crossed = np.zeros((nodes.size, nodes.size), dtype=np.int32)
    for side in strata.sides[k]:
        _add_crossed(crossed, side, rows[side.level], nodes)
    return crossed.T - crossed


def _add_crossed(crossed: Table, side: Adjacency, row: Numbers, nodes: Numbers) -> None:
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
