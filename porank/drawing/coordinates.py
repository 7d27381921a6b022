"""Where on its level each node stands, the sequence being given.

Every piece is a spring of length 0 between the places of its ends, and nodes of a level keep their
distance. The energy, the sum of the squared widths of all pieces, is convex: level by level the
nodes are put where it is least. For one level this is *isotonic regression* [1]_: each node wants
to stand at the mean of its neighbours, and nodes that would come too close stand together at the
mean of what they want.

References
----------
.. [1] R. E. Barlow, H. D. Brunk, "The isotonic regression problem and its dual", Journal of the
   American Statistical Association 67(337), 1972, pp. 140-147.
   https://doi.org/10.1080/01621459.1972.10481216
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.drawing.strata import Rows, Strata
    from porank.typing import Numbers

    Places = NDArray[np.float64]

#: How far two items of a level are apart, an item and an edge that passes, two such edges.
_ROOM = np.array([1.0, 0.625, 0.25])
#: Places are rounded to multiples of this, so that distances are exact.
GRID = 1 / 64
#: Sweeps over all levels: as many as pay, fewer when there are many nodes.
_MOST_SWEEPS = 200
_LEAST_SWEEPS = 12
_NODES_TO_PLACE = 400_000
#: Places are made even where this costs no more energy than that times as much.
_EVEN = 1.05
#: A sweep that moves no node further than this is the last.
_STILL = 1e-3


def coordinates(strata: Strata, rows: Rows, *, share: float = 1.0) -> Places:
    """Return the place of each node of a connected diagram, growing from left to right.

    Parameters
    ----------
    strata : Strata
        The nodes and the pieces.
    rows : list of array
        The sequence of each level.
    share : float
        Which part of the usual effort is made.

    Examples
    --------
    >>> from porank.drawing.strata import cut
    >>> strata = cut(np.array([0, 1, 1]), np.array([0, 0]), np.array([1, 2]))
    >>> coordinates(strata, [np.array([0]), np.array([0, 1])]).tolist()
    [0.0, -0.5, 0.5]

    Notes
    -----
    A sweep takes time O(p + N) for p pieces and N nodes; there are 200 at the most, fewer in large
    graphs.
    """
    sequences = [nodes[row] for nodes, row in zip(strata.nodes, rows, strict=True)]
    offsets = [_offsets(sequence >= strata.items) for sequence in sequences]
    x = np.empty(strata.level.size)
    for sequence, offset in zip(sequences, offsets, strict=True):
        x[sequence] = offset
    neighbours = [_neighbours(strata, k) for k in range(len(rows))]
    levels = list(zip(sequences, rows, offsets, neighbours, strict=True))
    wanted = int(share * _NODES_TO_PLACE) // strata.level.size
    sweeps = min(max(wanted, _LEAST_SWEEPS), _MOST_SWEEPS)
    for _ in range(sweeps if len(rows) > 1 else 0):
        before = x.copy()
        # Both directions from the same places, and the mean of the two: no end is preferred.
        down, up = x.copy(), x.copy()
        for k in range(len(rows)):
            _settle(down, *levels[k])
        for k in range(len(rows) - 1, -1, -1):
            _settle(up, *levels[k])
        x = (down + up) / 2
        if np.abs(x - before).max(initial=0) < _STILL:
            break
    x -= (x.min() + x.max()) / 2
    x = _evened(strata, sequences, offsets, x)
    for sequence, offset in zip(sequences, offsets, strict=True):
        x[sequence] = _on_grid(x[sequence] - offset) + offset
    return x


def _on_grid(ascending: Places) -> Places:
    """Return ascending numbers rounded to the grid, ascending without fail."""
    # The error of the last digits must not decide, nor ever bring two items too near.
    numbers = np.rint(np.round(ascending / GRID, 6))
    places: Places = np.maximum.accumulate(numbers) * GRID
    return places


def _offsets(is_joint: NDArray[np.bool_]) -> Places:
    """Return the places of nodes that stand as close as they may, 0 in the middle."""
    room = _ROOM[is_joint[1:].astype(np.int64) + is_joint[:-1]]
    offset = np.concatenate(([0.0], np.cumsum(room)))
    centred: Places = offset - offset[-1] / 2
    return centred


def _neighbours(strata: Strata, k: int) -> tuple[Numbers, Numbers, Numbers]:
    """Return the nodes at this and at the other end of all pieces of a level, and the degrees."""
    mine, theirs = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    if k > 0:
        upper, lower = strata.gaps[k - 1]
        mine.append(lower)
        theirs.append(strata.nodes[k - 1][upper])
    if k < len(strata.gaps):
        upper, lower = strata.gaps[k]
        mine.append(upper)
        theirs.append(strata.nodes[k + 1][lower])
    ends = np.concatenate(mine)
    return ends, np.concatenate(theirs), np.bincount(ends, minlength=strata.sizes[k])


def _settle(
    x: Places,
    sequence: Numbers,
    rank: Numbers,
    offset: Places,
    neighbours: tuple[Numbers, Numbers, Numbers],
) -> None:
    """Put the nodes of a level where the energy is least, writing into `x`."""
    mine, theirs, degree = neighbours
    total = np.bincount(mine, weights=x[theirs], minlength=degree.size)
    wanted = (total / degree)[rank] - offset
    x[sequence] = isotonic(wanted.tolist(), degree[rank].tolist()) + offset


def _evened(strata: Strata, sequences: Rows, offsets: list[Places], x: Places) -> Places:
    """Return the mean of the places and their mirror image, if edges are hardly longer for it."""
    if not all(np.array_equal(offset, -offset[::-1]) for offset in offsets):
        return x
    even = np.empty_like(x)
    for sequence in sequences:
        even[sequence] = (x[sequence] - x[sequence[::-1]]) / 2
    return even if _energy(strata, even) <= _EVEN * _energy(strata, x) else x


def _energy(strata: Strata, x: Places) -> float:
    """Return the sum of the squared widths of all pieces."""
    return float(np.sum((x[strata.upper] - x[strata.lower]) ** 2))


def isotonic(wanted: list[float], weights: list[float]) -> list[float]:
    """Return the ascending numbers nearest to those wanted, in the sum of weighted squares.

    Examples
    --------
    >>> isotonic([1, 4, 2, 0], [1, 1, 1, 2])
    [1, 1.5, 1.5, 1.5]
    """
    means: list[float] = []
    masses: list[float] = []
    counts: list[int] = []
    for number, weight in zip(wanted, weights, strict=True):
        mean, mass, count = number, weight, 1
        while means and means[-1] >= mean:
            last = masses.pop()
            mean = (means.pop() * last + mean * mass) / (last + mass)
            mass += last
            count += counts.pop()
        means.append(mean)
        masses.append(mass)
        counts.append(count)
    return [mean for mean, count in zip(means, counts, strict=True) for _ in range(count)]
