"""The pieces of edges between neighbouring levels.

*Strata* are levels with long edges cut by `cut`: where an edge passes a level it gets a *joint*,
which is treated like an item, so each piece joins two neighbouring levels. The nodes, items and
joints, are numbered within their levels. `Spacing` says how far the levels are apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from porank.core.arrays import ranges

if TYPE_CHECKING:
    from porank.typing import Floats, Numbers


#: The numbers of the nodes of each level, from left to right.
Rows = list["Numbers"]


class Adjacency(NamedTuple):
    """The edges between a level and a neighbouring one, node by node."""

    level: int
    degree: Numbers
    mine: Numbers
    theirs: Numbers


#: How far above and below a level with items nothing but these and lines may be.
DEPTH = 0.4


class Spacing(NamedTuple):
    """How far each level is below the first, and how far lines bend from it: 0 without items."""

    down: Floats
    reach: Floats

    @classmethod
    def even(cls, n: int) -> Self:
        """Return the spacing of n levels with items, which are 1 apart."""
        return cls(np.arange(float(n)), np.full(n, DEPTH))

    def below(self, top: int) -> Spacing:
        """Return the spacing of the levels from one of them on."""
        return Spacing(self.down[top:], self.reach[top:])


@dataclass(frozen=True, eq=False)
class Strata:
    """Levels of nodes, and the pieces of edges between neighbouring levels.

    The first nodes are items, then come junctions and joints.
    """

    items: int
    level: Numbers
    upper: Numbers
    lower: Numbers
    first: Numbers
    spacing: Spacing

    @cached_property
    def heights(self) -> Floats:
        """The heights of the pieces."""
        down = self.spacing.down[self.level]
        heights: Floats = down[self.lower] - down[self.upper]
        return heights

    @cached_property
    def nodes(self) -> Rows:
        """The nodes of each level; a node's number within its level is its place in this."""
        by_level = np.argsort(self.level, kind="stable")
        return np.split(by_level, np.cumsum(np.bincount(self.level))[:-1])

    @cached_property
    def within(self) -> Numbers:
        """The number of each node within its level."""
        within = np.empty(self.level.size, dtype=np.int64)
        for nodes in self.nodes:
            within[nodes] = np.arange(nodes.size)
        return within

    @cached_property
    def sizes(self) -> list[int]:
        """The number of nodes of each level."""
        return [nodes.size for nodes in self.nodes]

    @cached_property
    def gaps(self) -> list[tuple[Numbers, Numbers]]:
        """The ends of the pieces between each level and the next, numbered within the levels."""
        gap = self.level[self.upper]
        by_gap = np.argsort(gap, kind="stable")
        counts = np.bincount(gap, minlength=len(self.sizes) - 1)
        pieces = np.split(by_gap, np.cumsum(counts)[:-1]) if gap.size else []
        return [(self.within[self.upper[p]], self.within[self.lower[p]]) for p in pieces]

    @cached_property
    def sides(self) -> list[list[Adjacency]]:
        """For each level, its edges to the level above and to the level below."""
        sides: list[list[Adjacency]] = [[] for _ in self.sizes]
        for k, (upper, lower) in enumerate(self.gaps):
            above, below = self.sizes[k : k + 2]
            sides[k + 1].append(_side(k, lower, upper, below))
            sides[k].append(_side(k + 1, upper, lower, above))
        return sides


def _side(level: int, mine: Numbers, theirs: Numbers, size: int) -> Adjacency:
    """Return the pieces of edges from a level to a neighbouring one, sorted by their nodes."""
    by_mine, degree = np.argsort(mine, kind="stable"), np.bincount(mine, minlength=size)
    return Adjacency(level, degree, mine[by_mine], theirs[by_mine])


def cut(
    level: Numbers,
    source: Numbers,
    target: Numbers,
    *,
    items: int | None = None,
    spacing: Spacing | None = None,
) -> Strata:
    """Cut the edges of a layered graph at each level that they pass, and return the strata.

    Without a number of items all nodes are items; without a spacing levels are 1 apart.
    """
    n = level.size
    span = level[target] - level[source]
    first = np.concatenate(([0], np.cumsum(span)))
    joint = n + np.concatenate(([0], np.cumsum(span - 1)))
    begin, end = first[:-1], first[1:]
    upper = np.empty(first[-1], dtype=np.int64)
    lower = np.empty(first[-1], dtype=np.int64)
    joints = np.arange(n, joint[-1])
    is_begin = np.zeros(first[-1], dtype=bool)
    is_begin[begin] = True
    is_end = np.zeros(first[-1], dtype=bool)
    is_end[end - 1] = True
    upper[is_begin], upper[~is_begin] = source, joints
    lower[is_end], lower[~is_end] = target, joints
    passed = ranges(level[source] + 1, level[target])
    spacing = spacing or Spacing.even(int(level.max(initial=-1)) + 1)
    level = np.concatenate((level, passed))
    return Strata(n if items is None else items, level, upper, lower, first, spacing)
