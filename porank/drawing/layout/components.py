"""The connected components of a diagram, each laid out by itself, placed side by side.

The largest component is on the left. *Twins* are items of a level with the same items above and
below; if they change places, no line moves, so they are sorted by their numbers. `sequenced_parts`
orders the nodes of each level, `placed_parts` does the rest.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from porank.core.arrays import inverse_of, members_of_levels, run_starts
from porank.core.graphs import component_numbers
from porank.drawing.layout.coordinates import GRID, coordinates, detours, slants
from porank.drawing.layout.crossings import count_crossings, fewest_crossings
from porank.drawing.layout.junctions import uncrossed_rows
from porank.drawing.layout.levels import Form, Spacing, cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from porank.drawing.layout.levels import Rows, Strata
    from porank.typing import Numbers

    Places = NDArray[np.float64]
    Outline = tuple[Places, Places]


#: Number of digits of the places of bends; a smaller change of direction is due to rounding.
_DIGITS = 9


class DiagramPart(NamedTuple):
    """A connected component of a larger diagram, with an order of the nodes of each level.

    `items` and `edges` are numbers in the whole diagram. `x` and `detours` are empty until the
    component is placed.
    """

    items: Numbers
    edges: Numbers
    form: Form
    top: int
    strata: Strata
    rows: Rows
    crossings: int
    x: Places = np.empty(0)
    detours: Places = np.empty(0)

    @property
    def level(self) -> Numbers:
        """The level of each of its nodes in the whole diagram."""
        return self.strata.level + self.top

    def outline(self, depth: int) -> Outline:
        """Return its left and right end on each level, including flat pieces that leave it."""
        strata, x, bends = self.strata, self.x, self.detours
        offsets = np.where(np.isnan(bends), slants(strata, x), bends)
        across = np.concatenate((x, (x[strata.ends] + offsets).ravel()))
        level = np.concatenate((self.level, self.level[strata.ends].ravel()))
        left, right = np.full(depth, np.inf), np.full(depth, -np.inf)
        np.minimum.at(left, level, across)
        np.maximum.at(right, level, across)
        return left, right

    def bends(self, lowest: float) -> Iterator[tuple[int, list[tuple[float, float]]]]:
        """Yield the number in the whole diagram and the bends of each edge that bends."""
        strata = self.strata
        # A piece begins, bends below its upper end, bends above its lower end, and ends.
        stations = strata.ends[:, [0, 0, 1, 1]]
        across, level = self.x[stations], strata.level[stations]
        across[:, 1:3] += self.detours
        down = strata.spacing.down[level] + strata.spacing.reach[level] * (0, 1, -1, 0)
        is_there = ~np.isnan(across)
        # Where a piece ends, the next piece of its edge begins.
        is_there[:, 3] = False
        is_there[strata.first[1:] - 1, 3] = True
        edge = np.repeat(self.edges, np.diff(strata.first))[np.nonzero(is_there)[0]]
        x, y = across[is_there], down[is_there]
        turns = _turns(edge, x, y)
        points = np.round(np.stack((x, lowest - y), axis=1)[turns], _DIGITS)
        begins = run_starts(edge[turns])
        runs = np.split(points, begins[1:])
        for number, run in zip(edge[turns][begins].tolist(), runs, strict=False):
            yield number, [(across, up) for across, up in run.tolist()]


def sequenced_parts(
    form: Form, rng: np.random.Generator, *, share: float = 1.0
) -> list[DiagramPart]:
    """Return the connected components with few crossings, before they are placed."""
    parts = []
    component = component_numbers(form.level.size, form.source, form.target)
    for number, items in enumerate(members_of_levels(component)):
        edges = np.flatnonzero(component[form.source] == number)
        upper, lower = (np.searchsorted(items, end[edges]) for end in (form.source, form.target))
        top, boxes = int(form.level[items].min()), int(np.searchsorted(items, form.items))
        spacing = Spacing(*(each[top:] for each in form.spacing))
        part = Form(boxes, form.level[items] - top, upper, lower, spacing)
        strata = cut(part)
        if form.realizer is not None:
            rows = uncrossed_rows(strata, (upper, lower), form.realizer[:, items])
        else:
            rows = fewest_crossings(strata, rng, share=share)
        crossings = count_crossings(strata, rows)
        parts.append(DiagramPart(items, edges, part, top, strata, rows, crossings))
    return parts


def placed_parts(parts: Iterable[DiagramPart], *, share: float = 1.0) -> list[DiagramPart]:
    """Return the connected components with their layouts side by side, centred as a whole."""
    placed = []
    for part in parts:
        x = coordinates(part.strata, part.rows, share=share)
        bends = detours(part.strata, part.rows, x)
        placed.append(_twins_sorted(part._replace(x=x, detours=bends)))
    return _side_by_side(sorted(placed, key=lambda part: -part.strata.items))


def _twins_sorted(part: DiagramPart) -> DiagramPart:
    """Return the component with its twins sorted by their numbers."""
    items = part.items.copy()
    for nodes in _twins(part.form):
        items[sorted(nodes, key=part.x.__getitem__)] = np.sort(items[nodes])
    # Edges are numbered in the order of their ends, so new ends mean a new number.
    ends = items[part.form.target], items[part.form.source]
    return part._replace(items=items, edges=part.edges[inverse_of(np.lexsort(ends))])


def _twins(form: Form) -> list[list[int]]:
    """Return the groups of nodes on the same level with the same edges up and down."""
    near: list[set[int]] = [set() for _ in form.level]
    for u, v in zip(form.source.tolist(), form.target.tolist(), strict=True):
        near[u].add(v)
        near[v].add(~u)
    alike = defaultdict(list)
    for node, key in enumerate(zip(form.level.tolist(), map(frozenset, near), strict=True)):
        alike[key].append(node)
    return list(alike.values())


def _side_by_side(parts: list[DiagramPart]) -> list[DiagramPart]:
    """Return the components moved next to each other, with the whole centred at x = 0."""
    depth = max((int(part.level.max()) + 1 for part in parts), default=0)
    moves = _packed([part.outline(depth) for part in parts])
    moved = [part._replace(x=part.x + move) for part, move in zip(parts, moves, strict=True)]
    ends = [end for part in moved for end in (part.x.min(), part.x.max())] or [0.0]
    middle = (min(ends) + max(ends)) / 2
    return [part._replace(x=part.x - middle) for part in moved]


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
