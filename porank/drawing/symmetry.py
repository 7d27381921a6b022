"""Mirror symmetry: how the nodes of a graph can be paired so that a mirror exchanges them.

A *mirror* of a layered graph is an exchange of nodes on the same level that takes edges to edges.
It can be drawn if at most one node of each level stays where it is: that one stands on the axis.

Idea: *colour two copies of the graph alike; take a node, choose its partner, give the two the same
colours crosswise, and refine.* When all nodes of a copy have different colours, these tell the
mirror; when a node that must stay meets another on its level, that choice was wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from porank.drawing.refinement import refined

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porank.drawing.strata import Rows, Strata
    from porank.typing import Numbers

#: The search is given up after so many refinements.
_MOST_CHOICES = 200


def mirrors(strata: Strata) -> Iterator[Numbers]:
    """Yield, for some mirrors that can be drawn, the partner of each node, joints included.

    Examples
    --------
    >>> from porank.drawing.strata import cut
    >>> fork = cut(np.array([0, 1, 1]), np.array([0, 0]), np.array([1, 2]))
    >>> [mirror.tolist() for mirror in mirrors(fork)]
    [[0, 2, 1]]

    Notes
    -----
    At most 200 refinements; graphs with more symmetry than these can tell show only some of it.
    """
    n = strata.level.size
    source = np.concatenate((strata.upper, strata.upper + n))
    target = np.concatenate((strata.lower, strata.lower + n))
    level = np.concatenate((strata.level, strata.level))
    is_joint = np.tile(np.arange(n) >= strata.items, 2)
    waiting = [2 * level + is_joint]
    for _ in range(_MOST_CHOICES):
        if not waiting:
            break
        color = refined(waiting.pop(), source, target)
        here, there = color[:n], color[n:]
        if not _can_be_drawn(here, there, strata.level):
            continue
        shared = np.flatnonzero(np.bincount(here) > 1)
        if shared.size:
            waiting += _choices(color, n, int(shared[0]))
        else:
            yield np.argsort(there)[here]


def _can_be_drawn(here: Numbers, there: Numbers, level: Numbers) -> bool:
    """Return whether the copies look alike and at most one node a level is its own partner."""
    often = np.bincount(here)
    if not np.array_equal(often, np.bincount(there, minlength=often.size)):
        return False
    stays = (often[here] == 1) & (here == there)
    return bool(np.bincount(level[stays], minlength=1).max() <= 1)


def _choices(color: Numbers, n: int, shared: int) -> list[Numbers]:
    """Return the colours after each choice of a partner for a node, the likeliest choice last."""
    first = int((color[:n] == shared).argmax())
    partners = np.flatnonzero(color[n:] == shared).tolist()
    choices = []
    for partner in sorted(partners, key=lambda node: (node != first, -node)):
        chosen = 3 * color
        chosen[[first, n + partner]] += 1
        if partner != first:
            chosen[[partner, n + first]] += 2
        choices.append(chosen)
    return choices


def folded(strata: Strata, rows: Rows, mirror: Numbers) -> Rows:
    """Return sequences near to the given ones that the mirror turns round.

    Examples
    --------
    >>> from porank.drawing.strata import cut
    >>> fork = cut(np.array([0, 1, 1, 1]), np.array([0, 0, 0]), np.array([1, 2, 3]))
    >>> rows = [np.array([0]), np.array([0, 1, 2])]
    >>> [row.tolist() for row in folded(fork, rows, np.array([0, 2, 1, 3]))]
    [[0], [0, 2, 1]]
    """
    result = []
    for nodes, row in zip(strata.nodes, rows, strict=True):
        partner = strata.within[mirror[nodes]]
        place = np.empty(row.size, dtype=np.int64)
        place[row] = np.arange(row.size)
        side = (place - place[partner])[row]
        left = row[side < 0]
        left = left[np.argsort(side[side < 0], kind="stable")]
        result.append(np.concatenate((left, row[side == 0], partner[left[::-1]])))
    return result
