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

from porank.core.arrays import inverse_of, members_of_levels

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    levels = [(sequences[k], offsets[k], *near) for k, near in enumerate(_neighbours(strata, rows))]
    if all(np.ptp(degree) == 0 for *_, degree in levels) and strata.items == x.size:
        # Levels whose items are all alike, as in a Boolean lattice, are placed evenly.
        return x
    wanted = int(share * _NODES_TO_PLACE) // strata.level.size
    for _ in range(min(max(wanted, _LEAST_SWEEPS), _MOST_SWEEPS)):
        # The mean of both directions from the same places, so neither end is preferred.
        before, down, up = x, x.copy(), x.copy()
        for level in levels:
            _relax(down, *level)
        for level in reversed(levels):
            _relax(up, *level)
        x = (down + up) / 2
        if np.abs(x - before).max() < _STILL:
            break
    x -= (x.min() + x.max()) / 2
    for sequence, offset in zip(sequences, offsets, strict=True):
        # Rounding must not change the order, nor bring two items too close.
        numbers = np.rint(np.round((x[sequence] - offset) / GRID, 6))
        x[sequence] = np.maximum.accumulate(numbers) * GRID + offset
    return x


def _offsets(is_joint: NDArray[np.bool_]) -> Places:
    """Return the x coordinates of the nodes of a level at their minimum distances."""
    distances = _DISTANCES[is_joint[1:].astype(np.int64) + is_joint[:-1]]
    offset = np.concatenate(([0.0], np.cumsum(distances)))
    centred: Places = offset - offset[-1] / 2
    return centred


def _neighbours(strata: Strata, rows: Rows) -> Iterator[tuple[Numbers, Numbers, Numbers]]:
    """Yield for each level the ends of its pieces, by place and by node, and its degrees."""
    mine, theirs = np.concatenate((strata.ends[:, ::-1], strata.ends)).T
    # Only a single item has no pieces.
    for row, pieces in zip(rows, members_of_levels(strata.level[mine]), strict=False):
        places = inverse_of(row)[strata.within[mine[pieces]]]
        yield places, theirs[pieces], np.bincount(places)


def _relax(
    x: Places, sequence: Numbers, offset: Places, mine: Numbers, theirs: Numbers, degree: Numbers
) -> None:
    """Set the x coordinates of the nodes of a level to those of least energy."""
    # Node i of degree d_i wants m_i = (sum of x_j over its neighbours j) / d_i. With the minimum
    # distances o_i, x_i = z_i + o_i, where z ascends and sum of d_i (z_i + o_i - m_i)^2 is least.
    wanted = np.bincount(mine, weights=x[theirs]) / degree - offset
    x[sequence] = isotonic(wanted.tolist(), degree.tolist()) + offset


def isotonic(wanted: list[float], weights: list[float]) -> list[float]:
    """Return the isotonic regression: the ascending sequence with the least weighted squares."""
    blocks: list[tuple[float, float, int]] = []
    for number, weight in zip(wanted, weights, strict=True):
        mean, mass, count = number, weight, 1
        while blocks and blocks[-1][0] >= mean:
            before, others, more = blocks.pop()
            # Two blocks of means m, m' and weights w, w' become one: (w m + w' m') / (w + w').
            mean = (before * others + mean * mass) / (others + mass)
            mass, count = mass + others, count + more
        blocks.append((mean, mass, count))
    return [mean for mean, _, count in blocks for _ in range(count)]


#: Minimum distance of an edge from items other than its ends, where two items are 1 apart.
_CLEAR = 0.36
#: Share of the way to the next node that a piece may use to leave its level.
_SHARE = 0.45


def detours(strata: Strata, rows: Rows, x: Places) -> Places:
    """Return the x offsets at both ends at which edges bend to avoid items, or nan."""
    slopes, straight = _slopes(strata, x), slants(strata, x)
    room = _room(strata, rows, x, slopes, np.ones(x.size, dtype=bool))
    bends = _squeezed(straight, _SHARE * room)
    # A piece that moves w across and h down passes an item at distance g on its level at the
    # distance g / sqrt(1 + (w / h)^2).
    to_items = _room(strata, rows, x, slopes, np.arange(x.size) < strata.items)
    is_flat = np.any(to_items < _CLEAR * np.sqrt(1 + slopes**2), axis=1)
    # All lines between two levels bend alike, so none crosses another near its end.
    gap = strata.level[strata.ends[:, 0]]
    is_tight = np.isin(gap, gap[is_flat])
    bends[~is_tight | np.all(bends == straight, axis=1)] = np.nan
    bends[strata.spacing.reach[strata.level[strata.ends]] == 0] = np.nan
    return bends


def slants(strata: Strata, x: Places) -> Places:
    """Return the x offsets at both ends of a straight piece where it could bend."""
    return strata.spacing.reach[strata.level[strata.ends]] * _slopes(strata, x)


def _slopes(strata: Strata, x: Places) -> Places:
    """Return how far each piece moves across, per unit of height, on the way from both ends."""
    height = np.diff(strata.spacing.down[strata.level[strata.ends]], axis=1)
    return np.diff(x[strata.ends], axis=1) / height * (1, -1)


def _squeezed(offset: Places, limit: Places) -> Places:
    """Return the offsets of bends reduced below the limit; distinct and small ones stay so."""
    # s if |s| <= l / 2, otherwise sign(s) l (1 - l / (4 |s|)), which grows from l / 2 towards l
    size = np.abs(offset)
    with np.errstate(invalid="ignore", divide="ignore"):
        squeezed = np.copysign(limit * (1 - limit / (4 * size)), offset)
    return np.where(2 * size <= limit, offset, squeezed)


def _room(
    strata: Strata, rows: Rows, x: Places, slopes: Places, counts: NDArray[np.bool_]
) -> Places:
    """Return the x distance of both ends of each piece to the next relevant node on its side."""
    left, right = np.full((2, x.size), np.inf)
    for nodes, row in zip(strata.nodes, rows, strict=True):
        sequence = nodes[row]
        # The functions fmax and fmin pass over nan.
        place = np.where(counts[sequence], x[sequence], np.nan)
        left[sequence[1:]] = x[sequence[1:]] - np.fmax.accumulate(place)[:-1]
        right[sequence[:-1]] = np.fmin.accumulate(place[::-1])[::-1][1:] - x[sequence[:-1]]
    return np.where(slopes < 0, left[strata.ends], right[strata.ends])
