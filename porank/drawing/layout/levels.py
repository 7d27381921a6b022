"""The pieces of edges between neighbouring levels.

*Strata* are levels with long edges cut by `cut`: where an edge passes a level it gets a *joint*,
which is treated like an item, so each piece joins two neighbouring levels. The nodes, items and
joints, are numbered within their levels. `Spacing` says how far the levels are apart. A diagram to
cut is given as a `Form`; `plain_form` returns that without junctions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from porank.core.arrays import inverse_of, members_of_levels, ranges

if TYPE_CHECKING:
    from porank.typing import Floats, Numbers


#: The numbers of the nodes of each level, from left to right.
Rows = list["Numbers"]


#: How far above and below a level with items nothing but these and lines may be.
DEPTH = 0.4


class Spacing(NamedTuple):
    """How far each level is below the first, and how far lines bend from it: 0 without items."""

    down: Floats
    reach: Floats


class Form(NamedTuple):
    """Levels and edges of a diagram: those of its items, which come first, and of junctions."""

    items: int
    level: Numbers
    source: Numbers
    target: Numbers
    spacing: Spacing
    #: The places of all nodes in two rankings in which no lines cross.
    realizer: Numbers | None = None

    @property
    def pieces(self) -> int:
        """The number of pieces between neighbouring levels."""
        return int((self.level[self.target] - self.level[self.source]).sum())


def plain_form(level: Numbers, source: Numbers, target: Numbers) -> Form:
    """Return the form of a diagram without junctions, whose levels are 1 apart."""
    n = int(level.max(initial=-1)) + 1
    return Form(level.size, level, source, target, Spacing(np.arange(float(n)), np.full(n, DEPTH)))


@dataclass(frozen=True, eq=False)
class Strata:
    """Levels of nodes, and both ends of the pieces of edges between neighbouring levels.

    The first nodes are items, then come junctions and joints.
    """

    items: int
    level: Numbers
    ends: Numbers
    first: Numbers
    spacing: Spacing

    @cached_property
    def nodes(self) -> Rows:
        """The nodes of each level; a node's number within its level is its place in this."""
        return members_of_levels(self.level)

    @cached_property
    def within(self) -> Numbers:
        """The number of each node within its level."""
        first: Numbers = np.cumsum([0, *self.sizes])
        return inverse_of(np.concatenate(self.nodes)) - first[self.level]

    @cached_property
    def sizes(self) -> list[int]:
        """The number of nodes of each level."""
        return [nodes.size for nodes in self.nodes]

    @cached_property
    def gaps(self) -> list[tuple[Numbers, Numbers]]:
        """The ends of the pieces between each level and the next, numbered within the levels."""
        upper, lower = self.within[self.ends].T
        gaps = members_of_levels(self.level[self.ends[:, 0]])
        return [(upper[pieces], lower[pieces]) for pieces in gaps]

    @cached_property
    def sides(self) -> list[list[tuple[int, Numbers, Numbers]]]:
        """For each level, the ends of its pieces to the levels above and below, node by node."""
        sides: list[list[tuple[int, Numbers, Numbers]]] = [[] for _ in self.sizes]
        for k, (upper, lower) in enumerate(self.gaps):
            for one, other, mine, theirs in ((k, k + 1, upper, lower), (k + 1, k, lower, upper)):
                by_mine = np.argsort(mine, kind="stable")
                sides[one].append((other, mine[by_mine], theirs[by_mine]))
        return sides


def cut(form: Form) -> Strata:
    """Cut the edges of a diagram at each level that they pass, and return the strata."""
    _, level, source, target, *_ = form
    n = level.size
    span = level[target] - level[source]
    passed = ranges(level[source] + 1, level[target])
    joints, end = np.arange(n, n + passed.size), np.cumsum(span - 1)
    # An edge runs from its source over its joints to its target.
    upper, lower = np.insert(joints, end - span + 1, source), np.insert(joints, end, target)
    ends, first = np.stack((upper, lower), axis=1), np.concatenate(([0], np.cumsum(span)))
    return Strata(form.items, np.concatenate((level, passed)), ends, first, form.spacing)
