"""The x coordinate of each node for a given order on each level, and the pieces that must bend.

Idea: *every piece is a spring of length 0, and nodes of a level keep their distance.* The energy,
the sum of the squared widths of all pieces, is convex, so it is minimised level by level. For one
level this is *isotonic regression* [1]_: each node is drawn to the mean of its neighbours, and
nodes that would come too close are placed next to each other at their common mean.

If a piece is so flat that it would run over the item next to its end, the flat pieces between the
same two levels bend: they leave their ends steeply, cross between the levels, where there are no
items, and arrive steeply. Where a piece leaves a level, it stays on its own side of the middle
between two nodes, so it causes no new crossings.

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


#: Distance of two items of a level, of an item and an edge that passes, and of two such edges.
_DISTANCES = np.array([1.0, 0.625, 0.25])
#: Coordinates are rounded to multiples of this, so distances are exact.
GRID = 1 / 64
#: Number of sweeps over all levels; fewer for many nodes.
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
    if all(np.ptp(degree) == 0 for *_, (_, _, degree) in levels) and strata.items == x.size:
        # Levels whose items are all alike, as in a Boolean lattice, are placed evenly.
        levels = []
    wanted = int(share * _NODES_TO_PLACE) // strata.level.size
    sweeps = min(max(wanted, _LEAST_SWEEPS), _MOST_SWEEPS)
    for _ in range(sweeps if levels else 0):
        before = x.copy()
        # The mean of both directions from the same places, so neither end is preferred.
        down, up = x.copy(), x.copy()
        for level in levels:
            _relax(down, *level)
        for level in reversed(levels):
            _relax(up, *level)
        x = (down + up) / 2
        if np.abs(x - before).max(initial=0) < _STILL:
            break
    x -= (x.min() + x.max()) / 2
    for sequence, offset in zip(sequences, offsets, strict=True):
        x[sequence] = _on_grid(x[sequence] - offset) + offset
    return x


def _on_grid(ascending: Places) -> Places:
    """Return ascending x coordinates rounded to the grid, still ascending."""
    # Rounding must not change the order, nor bring two items too close.
    numbers = np.rint(np.round(ascending / GRID, 6))
    places: Places = np.maximum.accumulate(numbers) * GRID
    return places


def _offsets(is_joint: NDArray[np.bool_]) -> Places:
    """Return the x coordinates of the nodes of a level at their minimum distances."""
    distances = _DISTANCES[is_joint[1:].astype(np.int64) + is_joint[:-1]]
    offset = np.concatenate(([0.0], np.cumsum(distances)))
    centred: Places = offset - offset[-1] / 2
    return centred


def _neighbours(strata: Strata, k: int) -> tuple[Numbers, Numbers, Numbers]:
    """Return both ends of all pieces on one side of a level, and the degrees of its nodes."""
    sides = strata.sides[k]
    theirs = [strata.nodes[side.level][side.theirs] for side in sides]
    ends = np.concatenate([side.mine for side in sides])
    return ends, np.concatenate(theirs), np.bincount(ends, minlength=strata.sizes[k])


def _relax(
    x: Places,
    sequence: Numbers,
    rank: Numbers,
    offset: Places,
    neighbours: tuple[Numbers, Numbers, Numbers],
) -> None:
    """Set the x coordinates of the nodes of a level to those of least energy."""
    mine, theirs, degree = neighbours
    # Node i of degree d_i wants m_i = (sum of x_j over its neighbours j) / d_i. With the minimum
    # distances o_i, x_i = z_i + o_i, where z ascends and sum of d_i (z_i + o_i - m_i)^2 is least.
    total = np.bincount(mine, weights=x[theirs], minlength=degree.size)
    wanted = (total / degree)[rank] - offset
    x[sequence] = isotonic(wanted.tolist(), degree[rank].tolist()) + offset


def isotonic(wanted: list[float], weights: list[float]) -> list[float]:
    """Return the isotonic regression: the ascending sequence with the least weighted squares."""
    means: list[float] = []
    masses: list[float] = []
    counts: list[int] = []
    for number, weight in zip(wanted, weights, strict=True):
        mean, mass, count = number, weight, 1
        while means and means[-1] >= mean:
            last = masses.pop()
            # Two blocks of means m, m' and weights w, w' become one: (w m + w' m') / (w + w').
            mean = (means.pop() * last + mean * mass) / (last + mass)
            mass += last
            count += counts.pop()
        means.append(mean)
        masses.append(mass)
        counts.append(count)
    return [mean for mean, count in zip(means, counts, strict=True) for _ in range(count)]


#: Minimum distance of an edge from items other than its ends, where two items are 1 apart.
_CLEAR = 0.36
#: Share of the way to the next node that a piece may use to leave its level.
_SHARE = 0.45


def detours(strata: Strata, rows: Rows, x: Places) -> Places:
    """Return the x offsets at both ends at which edges bend to avoid items, or nan."""
    straight = slants(strata, x)
    left, right = _ways(strata, rows, x, np.ones(x.size, dtype=bool))
    ends = np.stack((strata.upper, strata.lower), axis=1)
    bends = _squeezed(straight, _SHARE * np.where(straight < 0, left[ends], right[ends]))
    # All lines between two levels bend alike, so none crosses another near its end.
    gap = strata.level[strata.upper]
    is_tight = np.isin(gap, gap[_runs_over_items(strata, rows, x)])
    bends[~is_tight | np.all(bends == straight, axis=1)] = np.nan
    bends[strata.spacing.reach[strata.level[ends]] == 0] = np.nan
    return bends


def slants(strata: Strata, x: Places) -> Places:
    """Return the x offsets at both ends of a straight piece where it could bend."""
    across = (x[strata.lower] - x[strata.upper]) / strata.heights
    reach = strata.spacing.reach[strata.level]
    return np.stack((reach[strata.upper] * across, -reach[strata.lower] * across), axis=1)


def _squeezed(offset: Places, limit: Places) -> Places:
    """Return the offsets of bends reduced below the limit; distinct and small ones stay so."""
    # s if |s| <= l / 2, otherwise sign(s) l (1 - l / (4 |s|)), which grows from l / 2 towards l
    size = np.abs(offset)
    with np.errstate(invalid="ignore", divide="ignore"):
        squeezed = np.copysign(limit * (1 - limit / (4 * size)), offset)
    return np.where(2 * size <= limit, offset, squeezed)


def _ways(
    strata: Strata, rows: Rows, x: Places, counts: NDArray[np.bool_]
) -> tuple[Places, Places]:
    """Return the x distance of each node to the next relevant node on its left and right."""
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
    """Return for each piece whether it comes too near to an item at these x coordinates."""
    left, right = _ways(strata, rows, x, np.arange(x.size) < strata.items)
    across = x[strata.lower] - x[strata.upper]
    # A piece that moves w across and h down passes an item at distance g on its level at the
    # distance g / sqrt(1 + (w / h)^2).
    length = np.sqrt(1 + (across / strata.heights) ** 2)
    to_right = across > 0
    nearest = np.minimum(
        np.where(to_right, right[strata.upper], left[strata.upper]),
        np.where(to_right, left[strata.lower], right[strata.lower]),
    )
    is_flat: NDArray[np.bool_] = nearest < _CLEAR * length
    return is_flat
