"""A layered graph with its long edges cut: every piece joins two neighbouring levels.

Where an edge passes a level it gets a *joint*, which takes part in everything as an item does. The
nodes, items and joints, are numbered within their levels.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from porank.core.arrays import ranges

if TYPE_CHECKING:
    from porank.typing import Numbers


#: For each level the numbers of its nodes, from left to right.
Rows = list["Numbers"]


class Side(NamedTuple):
    """The pieces that join a level to one of its neighbours, node by node."""

    level: int
    start: Numbers
    theirs: Numbers


@dataclass(frozen=True, eq=False)
class Strata:
    """Levels of nodes, and the pieces of edges between neighbouring levels."""

    items: int
    level: Numbers
    upper: Numbers
    lower: Numbers
    first: Numbers

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
        """How many nodes each level has."""
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
    def sides(self) -> list[list[Side]]:
        """For each level, how it is tied to the level above and to the level below."""
        sides: list[list[Side]] = [[] for _ in self.sizes]
        for k, (upper, lower) in enumerate(self.gaps):
            sides[k + 1].append(_side(k, lower, upper, self.sizes[k + 1]))
            sides[k].append(_side(k + 1, upper, lower, self.sizes[k]))
        return sides

    def run(self, edge: int) -> Numbers:
        """Return the nodes that an edge runs through, downwards, both its ends included."""
        pieces = slice(self.first[edge], self.first[edge + 1])
        return np.concatenate((self.upper[pieces][:1], self.lower[pieces]))


def _side(level: int, mine: Numbers, theirs: Numbers, size: int) -> Side:
    """Return the side towards a level, its pieces sorted by the node that they belong to."""
    start = np.concatenate(([0], np.cumsum(np.bincount(mine, minlength=size))))
    return Side(level, start, theirs[np.argsort(mine, kind="stable")])


def cut(level: Numbers, source: Numbers, target: Numbers) -> Strata:
    """Return the strata of a graph whose items stand on these levels."""
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
    return Strata(n, np.concatenate((level, passed)), upper, lower, first)
