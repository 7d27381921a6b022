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

from itertools import accumulate, islice, pairwise
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

    Table = NDArray[np.float32]


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
    return sum(_crossings_by_gap(strata, rows, range(len(strata.gaps))).values())


def _crossings_by_gap(strata: Strata, rows: Rows, gaps: Iterable[int]) -> dict[int, int]:
    """Return the number of edge crossings between each of these levels and the next."""
    found = {}
    for k in gaps:
        upper, lower = strata.gaps[k]
        found[k] = count_inverted(inverse_of(rows[k])[upper], inverse_of(rows[k + 1])[lower])
    return found


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
        other = _Found(strata, _sift(strata, rows, changed), best)
        if other.crossings <= best.crossings:
            best = other
    return _mirrored(strata, best, min(kicks, _KICKS_IN_MIRROR), rng).rows


class _Found:
    """Sequences with the number of their crossings, counted anew where they differ from others."""

    def __init__(self, strata: Strata, rows: Rows, other: _Found | None = None) -> None:
        self.rows = rows
        self.by_gap: dict[int, int] = dict(other.by_gap) if other else {}
        is_new = [not other or row is not other.rows[k] for k, row in enumerate(rows)]
        gaps = [k for k, pair in enumerate(pairwise(is_new)) if any(pair)]
        self.by_gap |= _crossings_by_gap(strata, rows, gaps)
        self.crossings = sum(self.by_gap.values())


def _best_start(
    strata: Strata, count: int, rng: np.random.Generator, share: float, *, progress: bool | None
) -> _Found:
    """Return the sequences with fewest crossings of some starts: as numbered, then as drawn."""
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
    """Return the sequences with fewest crossings met in barycenter sweeps down and up."""
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
    """Shuffle a stretch of a level, to find fewer crossings; return the changed levels, too."""
    rows = list(rows)
    first = int(rng.integers(len(rows)))
    begin, end = sorted(rng.integers(rows[first].size + 1, size=2).tolist())
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
    places = inverse_of(rows[before])[side.theirs] - (width - 1) / 2
    total = np.bincount(side.mine, weights=places, minlength=size)
    share = (inverse_of(rows[k]) - (size - 1) / 2) * (width / size)
    key = np.where(side.degree > 0, total / np.maximum(side.degree, 1), share) + noise
    result: Numbers = rows[k][key[rows[k]].argsort(kind="stable")]
    return result


#: Most rounds over all levels, and so many with the least effort.
_ROUNDS, _LEAST_ROUNDS = 12, 3
#: So many nodes of a level are sifted at a time; a wider level is gone through in steps of half.
_WINDOW = 128


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
    rounds = range(max(int(share * _ROUNDS), _LEAST_ROUNDS))
    # What few levels need is not worth a look at the terminal.
    for number in rounds if levels else track(rounds, progress=progress, label="sifting"):
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
    crossed: Table = np.zeros((nodes.size, nodes.size), dtype=np.float32)
    for side in strata.sides[k]:
        crossed += _crossed(side, rows[side.level], nodes)
    excess: Table = crossed.T - crossed
    return excess


def _crossed(side: Adjacency, row: Numbers, nodes: Numbers) -> Table:
    """Return how often pieces to one side cross with the i-th node before the j-th."""
    if side.table is not None:
        ends = side.table[row[:, None], nodes]
        crossed: Table = np.dot(ends.T, np.add.accumulate(ends, 0))
        return crossed
    pieces = ranges(side.begin[nodes], side.begin[nodes] + side.degree[nodes])
    mine = np.repeat(np.arange(nodes.size), side.degree[nodes])
    taken, places = np.unique(inverse_of(row)[side.theirs[pieces]], return_inverse=True)
    ends = np.zeros((taken.size + 1, nodes.size), dtype=np.float32)
    ends[places + 1, mine] = 1
    return _sums(np.add.accumulate(ends, 0), places, mine)


def _sums(before: Table, places: Numbers, mine: Numbers) -> Table:
    """Return for each node the sums of rows at the places of its pieces, to count crossings."""
    degree = np.bincount(mine, minlength=before.shape[1])
    begin = np.cumsum(degree) - degree
    sums: Table = np.zeros((degree.size, degree.size), dtype=np.float32)
    # Most nodes of a wide level are joints, which have one piece to a side.
    sums[degree > 0] = before[places[begin[degree > 0]]]
    for node in np.flatnonzero(degree > 1).tolist():
        own = places[begin[node] : begin[node] + degree[node]]
        sums[node] = before[own].sum(axis=0)
    return sums


def _best_places(table: Table) -> list[int] | None:
    """Return the sequence of a level after each node was sifted once, or None if all stand well."""
    behind = np.add.accumulate(table, 1)
    least = np.minimum.reduce(behind, 1, initial=0)
    candidates = (behind.diagonal() > least).nonzero()[0].tolist()
    sequence = list(range(len(table)))
    for node in candidates:
        _put_best(sequence, node, table[node].tolist())
    return sequence if candidates else None


def _put_best(sequence: list[int], node: int, excess: list[float]) -> None:
    """Put one node where its edges cross least, writing into `sequence`."""
    # Behind the first j + 1 nodes there are so many crossings more than in front of all.
    behind = list(accumulate([excess[other] for other in sequence]))
    at, least = sequence.index(node), min(behind)
    if min(least, 0) < behind[at]:
        best = behind.index(least)
        to = best + (best < at) if least < 0 else 0
        sequence.insert(to, sequence.pop(at))
