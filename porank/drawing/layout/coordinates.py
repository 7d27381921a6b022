"""Where on its level each node stands, the sequence being given, and which pieces must bend.

Idea: *every piece is a spring of length 0, and nodes of a level keep their distance.* The energy,
the sum of the squared widths of all pieces, is convex: level by level the nodes are put where it is
least. For one level this is *isotonic regression* [1]_: each node wants to stand at the mean of its
neighbours, and nodes that would come too close stand together at the mean of what they want.

Where a piece is so flat that it would run over the item next to its end, the flat pieces between
the same two levels bend: they leave their ends steeply, go across between the levels, where there
are no items, and come down steeply. Each stays, where it leaves a level, on its own side of the
middle between two nodes, so that it crosses nothing new.

Functions: `coordinates`, `isotonic`; `detours`.

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

    from porank.drawing.layout.levels import Rows, Strata
    from porank.typing import Numbers

    Places = NDArray[np.float64]


#: How far two items of a level are apart, an item and an edge that passes, two such edges.
_DISTANCES = np.array([1.0, 0.625, 0.25])
#: Places are rounded to multiples of this, so that distances are exact.
GRID = 1 / 64
#: Sweeps over all levels: as many as pay, fewer when there are many nodes.
_MOST_SWEEPS = 200
_LEAST_SWEEPS = 12
_NODES_TO_PLACE = 400_000
#: A sweep that moves no node further than this is the last.
_STILL = 1e-3


def coordinates(strata: Strata, rows: Rows, *, share: float = 1.0) -> Places:
    """Return the x coordinate of each node of a connected layered diagram."""
    sequences = [nodes[row] for nodes, row in zip(strata.nodes, rows, strict=True)]
    offsets = [_offsets(sequence >= strata.items) for sequence in sequences]
    x = np.empty(strata.level.size)
    for sequence, offset in zip(sequences, offsets, strict=True):
        x[sequence] = offset
    levels = [
        (sequences[k], rows[k], offsets[k], _neighbours(strata, k))
        for k in range(len(rows) if len(rows) > 1 else 0)
    ]
    wanted = int(share * _NODES_TO_PLACE) // strata.level.size
    sweeps = min(max(wanted, _LEAST_SWEEPS), _MOST_SWEEPS)
    for _ in range(sweeps if levels else 0):
        before = x.copy()
        # Both directions from the same places, and the mean of the two: no end is preferred.
        down, up = x.copy(), x.copy()
        for level in levels:
            _settle(down, *level)
        for level in reversed(levels):
            _settle(up, *level)
        x = (down + up) / 2
        if np.abs(x - before).max(initial=0) < _STILL:
            break
    x -= (x.min() + x.max()) / 2
    for sequence, offset in zip(sequences, offsets, strict=True):
        x[sequence] = _on_grid(x[sequence] - offset) + offset
    return x


def _on_grid(ascending: Places) -> Places:
    """Return ascending x coordinates of nodes rounded to the grid, ascending without fail."""
    # The error of the last digits must not decide, nor ever bring two items too near.
    numbers = np.rint(np.round(ascending / GRID, 6))
    places: Places = np.maximum.accumulate(numbers) * GRID
    return places


def _offsets(is_joint: NDArray[np.bool_]) -> Places:
    """Return the x coordinates of nodes of a level that stand as close as they may."""
    distances = _DISTANCES[is_joint[1:].astype(np.int64) + is_joint[:-1]]
    offset = np.concatenate(([0.0], np.cumsum(distances)))
    centred: Places = offset - offset[-1] / 2
    return centred


def _neighbours(strata: Strata, k: int) -> tuple[Numbers, Numbers, Numbers]:
    """Return both ends of all pieces of a level, and degrees, to find x coordinates by."""
    sides = strata.sides[k]
    theirs = [strata.nodes[side.level][side.theirs] for side in sides]
    ends = np.concatenate([side.mine for side in sides])
    return ends, np.concatenate(theirs), np.bincount(ends, minlength=strata.sizes[k])


def _settle(
    x: Places,
    sequence: Numbers,
    rank: Numbers,
    offset: Places,
    neighbours: tuple[Numbers, Numbers, Numbers],
) -> None:
    """Give the nodes of a level the x coordinates where the energy of springs is least."""
    mine, theirs, degree = neighbours
    total = np.bincount(mine, weights=x[theirs], minlength=degree.size)
    wanted = (total / degree)[rank] - offset
    x[sequence] = isotonic(wanted.tolist(), degree[rank].tolist()) + offset


def isotonic(wanted: list[float], weights: list[float]) -> list[float]:
    """Return the isotonic regression of x coordinates: ascending ones of least weighted squares."""
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


#: No edge comes nearer to an item that is not one of its ends; two items are 1 apart.
_CLEAR = 0.36
#: How far from its level a piece bends; more than `_CLEAR`.
DEPTH = 0.4
#: Which part of the way to the next node a piece may use to leave its level.
_SHARE = 0.45


def detours(strata: Strata, rows: Rows, x: Places) -> Places:
    """Return the x offsets at both ends at which edges bend so as not to run over items, or nan."""
    across = x[strata.lower] - x[strata.upper]
    straight = DEPTH * np.stack((across, -across), axis=1)
    left, right = _ways(strata, rows, x, np.ones(x.size, dtype=bool))
    ends = np.stack((strata.upper, strata.lower), axis=1)
    bends = _squeezed(straight, _SHARE * np.where(straight < 0, left[ends], right[ends]))
    # Lines of a gap bend alike, so that none crosses another near its end.
    gap = strata.level[strata.upper]
    is_tight = np.isin(gap, gap[_runs_over_items(strata, rows, x)])
    bends[~is_tight | np.all(bends == straight, axis=1)] = np.nan
    return bends


def _squeezed(offset: Places, limit: Places) -> Places:
    """Return the x offsets of bends made less than the limit: distinct and small ones stay so."""
    size = np.abs(offset)
    with np.errstate(invalid="ignore", divide="ignore"):
        squeezed = np.copysign(limit * (1 - limit / (4 * size)), offset)
    return np.where(2 * size <= limit, offset, squeezed)


def _ways(
    strata: Strata, rows: Rows, x: Places, counts: NDArray[np.bool_]
) -> tuple[Places, Places]:
    """Return the x distance of each node to the next one that counts on its left and right."""
    left, right = np.full(x.size, np.inf), np.full(x.size, np.inf)
    for nodes, row in zip(strata.nodes, rows, strict=True):
        sequence = nodes[row]
        place = np.where(counts[sequence], x[sequence], -np.inf)
        before = np.maximum.accumulate(place)[:-1]
        left[sequence[1:]] = x[sequence[1:]] - before
        place = np.where(counts[sequence], x[sequence], np.inf)
        after = np.minimum.accumulate(place[::-1])[::-1][1:]
        right[sequence[:-1]] = after - x[sequence[:-1]]
    return left, right


def _runs_over_items(strata: Strata, rows: Rows, x: Places) -> NDArray[np.bool_]:
    """Return for each piece whether it comes, at these x coordinates, too near to an item."""
    left, right = _ways(strata, rows, x, np.arange(x.size) < strata.items)
    across = x[strata.lower] - x[strata.upper]
    length = np.sqrt(1 + across**2)
    to_right = across > 0
    nearest = np.minimum(
        np.where(to_right, right[strata.upper], left[strata.upper]),
        np.where(to_right, left[strata.lower], right[strata.lower]),
    )
    is_flat: NDArray[np.bool_] = nearest < _CLEAR * length
    return is_flat
