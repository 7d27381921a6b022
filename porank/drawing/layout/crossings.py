"""Few crossings: the order of the nodes on each level.

Which pieces cross depends on these orders alone. Finding the best ones is NP-hard even for two
levels, so good ones are improved step by step: each level in turn is sorted by the *barycenters* of
its neighbours on the previous level [1]_, then improved by *sifting* [2]_. The result is disturbed
at one place and sifted again, many times, and kept if it is not worse. Very wide diagrams are only
sorted by barycenters.

Idea of sifting: *take one node out, and put it back where it crosses least.* For two nodes of a
level, the crossings of their pieces depend only on which of the two is first. With the difference
known for all pairs, `_excess`, the best place is found by adding up along the level.

Used elsewhere: `fewest_crossings` and `count_crossings`.

References
----------
.. [1] K. Sugiyama, S. Tagawa, M. Toda, "Methods for visual understanding of hierarchical system
   structures", IEEE Transactions on Systems, Man, and Cybernetics 11(2), 1981, pp. 109-125.
   https://doi.org/10.1109/TSMC.1981.4308636
.. [2] C. Matuszewski, R. Schönfeld, P. Molitor, "Using sifting for k-layer straightline crossing
   minimization", Graph Drawing 1999, pp. 217-224. https://doi.org/10.1007/3-540-46648-7_22
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from porank.core.arrays import inverse_of, lists_of_rows
from porank.measures.inversions import count_inversions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.drawing.layout.levels import Rows, Strata
    from porank.typing import Numbers

    Table = NDArray[np.float32]


#: Number of sweeps without improvement before stopping.
_PATIENCE = 4
#: Maximum number of disturbances for each node without improvement. In large graphs the number of
#: crossings read or changed is limited, too, to a multiple of the number of pieces; the first
#: sifting has the same limit of its own.
_IDLE_KICKS_A_NODE = 4
_MOST_WORK, _MOST_WORK_A_PIECE = 600_000, 1_800
#: Maximum number of nodes to shuffle on a level.
_STRETCH = 8
#: Diagrams with more pairs of nodes on a level are not sifted: the table takes too long.
_MOST_PAIRS = 3_000_000


def count_crossings(strata: Strata, rows: Rows) -> int:
    """Return the number of edge crossings of a layered diagram with these orders of nodes."""
    places, total = [inverse_of(row) for row in rows], 0
    for k, (upper, lower) in enumerate(strata.gaps):
        above, below = places[k][upper], places[k + 1][lower]
        in_turn = below[np.lexsort((below, above))]
        total += count_inversions(inverse_of(np.argsort(in_turn, kind="stable")))
    return total


def fewest_crossings(strata: Strata, rng: np.random.Generator, *, share: float = 1.0) -> Rows:
    """Return an order of the nodes of each level with few crossings."""
    rows = _swept(strata, [np.arange(size) for size in strata.sizes])
    fewest = count_crossings(strata, rows)
    if not fewest or sum(size**2 for size in strata.sizes) > _MOST_PAIRS:
        return rows
    most_work = share * max(_MOST_WORK, _MOST_WORK_A_PIECE * len(strata.ends))
    found = _Sequences(strata, rows, most_work)
    idle, patience = 0, int(share * _IDLE_KICKS_A_NODE * strata.level.size)
    while found.crossings and idle < patience and found.work <= found.most_work:
        idle = 0 if found.kick(rng) else idle + 1
    # If nothing is gained, names stay in their order.
    return found.arrays() if found.crossings < fewest else rows


def _swept(strata: Strata, rows: Rows) -> Rows:
    """Return the orders with fewest crossings in barycenter sweeps down and up."""
    best, fewest = rows, count_crossings(strata, rows)
    idle, levels = 0, list(range(len(rows)))
    while idle < _PATIENCE and fewest:
        rows, idle = list(rows), idle + 1
        for before, k in pairwise(levels):
            rows[k] = _by_barycenter(strata, rows, k, before)
        levels.reverse()
        if (crossings := count_crossings(strata, rows)) < fewest:
            best, fewest, idle = rows, crossings, 0
    return best


def _by_barycenter(strata: Strata, rows: Rows, k: int, before: int) -> Numbers:
    """Sort a level by the barycenters of its neighbours, for fewer crossings."""
    mine, theirs = strata.gaps[k] if k < before else strata.gaps[before][::-1]
    size, width = rows[k].size, rows[before].size
    degree = np.bincount(mine, minlength=size)
    # Key of u: the mean of p(v) - (w - 1) / 2 over its neighbours v at places p(v) of w; without
    # neighbours, its own place, scaled to the same width.
    places = inverse_of(rows[before])[theirs] - (width - 1) / 2
    total = np.bincount(mine, weights=places, minlength=size)
    share = (inverse_of(rows[k]) - (size - 1) / 2) * (width / size)
    key = np.where(degree > 0, total / np.maximum(degree, 1), share)
    return rows[k][np.argsort(key[rows[k]], kind="stable")]


def _excess(strata: Strata, rows: Rows, k: int) -> Table:
    """Return how many more crossings v before u has than u before v, for nodes u, v of a level."""
    crossed: Table = np.zeros((rows[k].size, rows[k].size), dtype=np.float32)
    for level, mine, theirs in strata.sides[k]:
        ends = np.zeros((rows[level].size, rows[k].size), dtype=np.float32)
        ends[inverse_of(rows[level])[theirs], mine] = 1
        # c(u, v) = sum over ends p of u of #{ends q of v: q <= p}; in the difference
        # c(u, v) - c(v, u), those at the same node cancel.
        crossed += ends.T @ np.add.accumulate(ends, 0)
    excess: Table = crossed.T - crossed
    return excess


class _Sequences:
    """Sifted orders of nodes, with a table of what exchanging two nodes of a level would save.

    Idea: *when two nodes of a level change places, only their neighbours are affected.*
    """

    def __init__(self, strata: Strata, rows: Rows, most_work: float = inf) -> None:
        self.rows = [row.tolist() for row in rows]
        self.crossings = count_crossings(strata, rows)
        tables = (_excess(strata, rows, k) for k in range(len(rows)))
        self._excess = [table.astype(np.int64).tolist() for table in tables]
        self._sides = [
            [(level, lists_of_rows(row.size, mine, theirs)) for level, mine, theirs in sides]
            for row, sides in zip(rows, strata.sides, strict=True)
        ]
        self._waiting = [set(row) for row in self.rows]
        self.work, self.most_work = 0, most_work
        self._sift()
        self.work = 0

    def arrays(self) -> Rows:
        """Return the orders of all levels."""
        return [np.array(row) for row in self.rows]

    def kick(self, rng: np.random.Generator) -> bool:
        """Disturb the orders and sift again; keep them if not worse, return whether better."""
        before, fewest = [row[:] for row in self.rows], self.crossings
        self._disturb(rng)
        self._sift()
        if self.crossings > fewest:
            for k, row in enumerate(before):
                self._arrange(k, row)
            self._waiting = [set() for _ in before]
        return self.crossings < fewest

    def _disturb(self, rng: np.random.Generator) -> None:
        """Shuffle a stretch of a level."""
        level, start, length = rng.random(3).tolist()
        k = int(level * len(self.rows))
        row = self.rows[k][:]
        begin = int(start * (len(row) - 1))
        stretch = slice(begin, begin + 2 + int(length * (_STRETCH - 1)))
        row[stretch] = rng.permutation(row[stretch]).tolist()
        self._arrange(k, row)
        self._waiting[k].update(row[stretch])

    def _sift(self) -> None:
        """Sift the waiting nodes level by level until none is left or the limit is reached."""
        levels = list(range(len(self.rows)))
        while any(self._waiting) and self.work <= self.most_work:
            for k in levels:
                while self._waiting[k]:
                    nodes, self._waiting[k] = self._waiting[k], set()
                    for node in nodes:
                        self._put_best(k, node)
            levels.reverse()

    def _put_best(self, k: int, node: int) -> None:
        """Put one node where its edges cross least."""
        row = self.rows[k]
        self.work += len(row)
        # How many more crossings behind the first j + 1 nodes than in front of all.
        behind = list(accumulate(map(self._excess[k][node].__getitem__, row)))
        at, least = row.index(node), min(behind)
        if min(least, 0) < behind[at]:
            best = behind.index(least)
            self._move(k, at, best + (best < at) if least < 0 else 0)

    def _arrange(self, k: int, sequence: list[int]) -> None:
        """Put the nodes of a level into an order."""
        row = self.rows[k]
        if row != sequence:
            for place, node in enumerate(sequence):
                if row[place] != node:
                    self._move(k, row.index(node, place), place)

    def _move(self, k: int, at: int, to: int) -> None:
        """Move a node of a level from one place to another."""
        row = self.rows[k]
        node = row.pop(at)
        row.insert(to, node)
        step = 2 if to > at else -2
        passed = row[at:to] if to > at else row[to + 1 : at + 1]
        excess = self._excess[k][node]
        self.crossings += step // 2 * sum([excess[other] for other in passed])
        self._waiting[k].update(passed)
        for level, neighbours in self._sides[k]:
            table, adjacent = self._excess[level], neighbours[node]
            others = [end for other in passed for end in neighbours[other]]
            self.work += len(adjacent) * len(others)
            for end in adjacent:
                of_end = table[end]
                for other in others:
                    of_end[other] -= step
                    table[other][end] += step
            self._waiting[level].update(adjacent)
