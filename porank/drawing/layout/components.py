"""The connected components of a diagram, each laid out by itself, placed side by side.

The largest component is on the left. *Twins* are items of a level with the same items above and
below; if they change places, no line moves, so they are sorted by their numbers. `sequenced_parts`
orders the nodes of each level, `placed_parts` does the rest.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from porank.core.arrays import members_of_levels, run_starts
from porank.core.graphs import component_numbers
from porank.drawing.layout.coordinates import GRID, coordinates, detours, slants
from porank.drawing.layout.crossings import count_crossings, fewest_crossings
from porank.drawing.layout.junctions import uncrossed_rows
from porank.drawing.layout.levels import cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from porank.drawing.layout.junctions import Form
    from porank.drawing.layout.levels import Rows, Strata
    from porank.typing import Numbers

    Places = NDArray[np.float64]
    Outline = tuple[Places, Places]


#: Number of digits of the places of bends; a smaller change of direction is due to rounding.
_DIGITS = 9


class DiagramPart(NamedTuple):
    """A connected component of a larger diagram, with its layout."""

    items: Numbers
    edges: Numbers
    top: int
    strata: Strata
    x: Places
    detours: Places
    crossings: int

    @property
    def level(self) -> Numbers:
        """The level of each of its nodes in the whole diagram."""
        return self.strata.level + self.top

    def outline(self, depth: int) -> Outline:
        """Return its left and right end on each level, including flat pieces that leave it."""
        strata, x, bends = self.strata, self.x, self.detours
        offsets = np.where(np.isnan(bends), slants(strata, x), bends)
        high, low = x[strata.upper] + offsets[:, 0], x[strata.lower] + offsets[:, 1]
        level = np.concatenate((self.level, self.level[strata.upper], self.level[strata.lower]))
        left, right = np.full(depth, np.inf), np.full(depth, -np.inf)
        np.minimum.at(left, level, np.concatenate((x, high, low)))
        np.maximum.at(right, level, np.concatenate((x, high, low)))
        return left, right

    def bends(self, lowest: float) -> Iterator[tuple[int, list[tuple[float, float]]]]:
        """Yield the number in the whole diagram and the bends of each edge that bends."""
        strata, x, bends = self.strata, self.x, self.detours
        upper, lower = strata.upper, strata.lower
        stations = (x[upper], x[upper] + bends[:, 0], x[lower] + bends[:, 1], x[lower])
        across = np.stack(stations, axis=1)
        reach, y = strata.spacing.reach[strata.level], strata.spacing.down[strata.level]
        stations = (y[upper], y[upper] + reach[upper], y[lower] - reach[lower], y[lower])
        down = np.stack(stations, axis=1)
        is_there = ~np.isnan(across)
        # Where a piece ends, the next piece of its edge begins.
        is_there[:, 3] = False
        is_there[strata.first[1:] - 1, 3] = True
        edge = np.repeat(self.edges, np.diff(strata.first))
        edge, x, y = edge[np.nonzero(is_there)[0]], across[is_there], down[is_there]
        turns = _turns(edge, x, y)
        up = lowest - np.round(y[turns], _DIGITS)
        points = np.stack((np.round(x[turns], _DIGITS), np.round(up, _DIGITS)), axis=1)
        begins = run_starts(edge[turns])
        runs = np.split(points, begins[1:])
        for number, run in zip(edge[turns][begins].tolist(), runs, strict=False):
            yield number, [(across, up) for across, up in run.tolist()]


class SequencedPart(NamedTuple):
    """A connected component with an order of the nodes of each level, before it is placed."""

    items: Numbers
    edges: Numbers
    ends: tuple[Numbers, Numbers]
    top: int
    strata: Strata
    rows: Rows
    crossings: int


def sequenced_parts(
    form: Form, rng: np.random.Generator, *, share: float = 1.0
) -> list[SequencedPart]:
    """Return the connected components with few crossings."""
    parts = []
    for items, edges in _components(form.level.size, form.source, form.target):
        upper, lower = (np.searchsorted(items, end[edges]) for end in (form.source, form.target))
        top = int(form.level[items].min())
        boxes = int(np.searchsorted(items, form.items))
        spacing = form.spacing.below(top)
        strata = cut(form.level[items] - top, upper, lower, items=boxes, spacing=spacing)
        if form.realizer is not None:
            rows = uncrossed_rows(strata, (upper, lower), form.realizer[:, items])
        else:
            rows = fewest_crossings(strata, rng, share=share)
        crossings = count_crossings(strata, rows)
        parts.append(SequencedPart(items, edges, (upper, lower), top, strata, rows, crossings))
    return parts


def placed_parts(sequenced: Iterable[SequencedPart], *, share: float = 1.0) -> list[DiagramPart]:
    """Return the layouts of the connected components side by side, centred as a whole."""
    parts = []
    for items, edges, ends, top, strata, rows, crossings in sequenced:
        x = coordinates(strata, rows, share=share)
        part = DiagramPart(items, edges, top, strata, x, detours(strata, rows, x), crossings)
        parts.append(_twins_sorted(part, *ends))
    return _side_by_side(sorted(parts, key=lambda part: -part.strata.items))


def _components(n: int, source: Numbers, target: Numbers) -> list[tuple[Numbers, Numbers]]:
    """Return the items and the edges of each connected component, the first item's first."""
    component = component_numbers(n, source, target)
    of_edge = component[source]
    by_part = np.argsort(of_edge, kind="stable")
    members = members_of_levels(component)
    ends = np.cumsum(np.bincount(of_edge, minlength=len(members)))
    edges = np.split(by_part, ends[:-1]) if members else []
    return list(zip(members, edges, strict=True))


def _twins_sorted(part: DiagramPart, upper: Numbers, lower: Numbers) -> DiagramPart:
    """Return the component with its twins sorted by their numbers."""
    items = part.items.copy()
    for nodes in _twins(part.level[: items.size], upper, lower):
        from_left = np.array(nodes)[np.argsort(part.x[nodes], kind="stable")]
        items[from_left] = np.sort(items[nodes])
    n_all = int(items.max()) + 1
    # The edge of a pair of items is now drawn between their new places.
    ends, new_ends = (names[upper] * n_all + names[lower] for names in (part.items, items))
    by_ends = np.argsort(ends)
    edges = part.edges[by_ends[np.searchsorted(ends, new_ends, sorter=by_ends)]]
    return part._replace(items=items, edges=edges)


def _twins(level: Numbers, upper: Numbers, lower: Numbers) -> list[list[int]]:
    """Return the groups of nodes on the same level with the same edges up and down."""
    above: list[list[int]] = [[] for _ in level]
    below: list[list[int]] = [[] for _ in level]
    for u, v in zip(upper.tolist(), lower.tolist(), strict=True):
        above[v].append(u)
        below[u].append(v)
    alike: dict[tuple[int, tuple[int, ...], tuple[int, ...]], list[int]] = {}
    for node, number in enumerate(level.tolist()):
        alike.setdefault((number, tuple(above[node]), tuple(below[node])), []).append(node)
    return list(alike.values())


def _side_by_side(parts: list[DiagramPart]) -> list[DiagramPart]:
    """Return the components moved next to each other, with the whole centred at x = 0."""
    depth = max((int(part.level.max()) + 1 for part in parts), default=0)
    moves = _packed([part.outline(depth) for part in parts])
    moved = [part.x + move for part, move in zip(parts, moves, strict=True)]
    least = min((float(x.min()) for x in moved), default=0.0)
    greatest = max((float(x.max()) for x in moved), default=0.0)
    middle = (least + greatest) / 2
    return [part._replace(x=x - middle) for part, x in zip(parts, moved, strict=True)]


def _packed(outlines: Sequence[Outline]) -> list[float]:
    """Return the x shifts that pack components from left to right, 1 apart on each level."""
    skyline = np.full(outlines[0][0].size if outlines else 0, -np.inf)
    moves = []
    for left, right in outlines:
        needed = float((skyline + 1 - left).max())
        move = math.ceil(needed / GRID) * GRID if np.isfinite(needed) else 0.0
        moves.append(move)
        skyline = np.maximum(skyline, right + move)
    return moves


def _turns(edge: Numbers, x: Places, y: Places) -> Numbers:
    """Return the numbers of the points at which an edge bends."""
    steps_x, steps_y = np.diff(x), np.diff(y)
    turns = np.abs(steps_x[1:] * steps_y[:-1] - steps_x[:-1] * steps_y[1:]) > 10.0**-_DIGITS
    turns &= (edge[:-2] == edge[1:-1]) & (edge[1:-1] == edge[2:])
    return np.flatnonzero(turns) + 1
