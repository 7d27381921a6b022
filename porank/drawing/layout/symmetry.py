"""Symmetry of a layered graph: its mirrors, nodes told apart by structure, twins.

A *mirror* is an exchange of nodes on the same level that takes edges to edges. It can be drawn if
at most one node of each level stays where it is: that one stands on the axis.

Idea: *colour two copies of the graph alike; take a node, choose its partner, give the two the same
colours crosswise, and refine.* When all nodes of a copy have different colours, these tell the
mirror; when a node that must stay meets another on its level, that choice was wrong. In refining,
two nodes keep the same colour only if as many of each colour are above them, and below. Colours are
numbered by the structure alone, never by names; those of neighbours are added up as numbers of 64
scrambled bits: that different sums should be equal is less likely than a fault of the machine.

*Twins* are items of a level with the same items above and below: they may change places freely, so
that names decide who stands where.

Functions: `mirrors`, `folded`; `_refined`, `structural_sequence`; `twins`, `in_sequence`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from porank.core.arrays import mixed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from numpy.typing import NDArray

    from porank.drawing.layout.levels import Rows, Strata
    from porank.typing import Numbers


#: The search is given up after so many refinements.
_MOST_CHOICES = 200


def mirrors(strata: Strata) -> Iterator[Numbers]:
    """Yield mirror symmetries of a layered graph that can be drawn: the partner of each node."""
    n = strata.level.size
    source = np.concatenate((strata.upper, strata.upper + n))
    target = np.concatenate((strata.lower, strata.lower + n))
    level = np.concatenate((strata.level, strata.level))
    is_joint = np.tile(np.arange(n) >= strata.items, 2)
    waiting = [2 * level + is_joint]
    for _ in range(_MOST_CHOICES):
        if not waiting:
            break
        color = _refined(waiting.pop(), source, target)
        here, there = color[:n], color[n:]
        if not _can_be_drawn(here, there, strata.level):
            continue
        shared = np.flatnonzero(np.bincount(here) > 1)
        if shared.size:
            waiting += _choices(color, n, int(shared[0]))
        else:
            yield np.argsort(there)[here]


def _can_be_drawn(here: Numbers, there: Numbers, level: Numbers) -> bool:
    """Say whether a mirror symmetry leaves at most one node of each level where it is."""
    often = np.bincount(here)
    if not np.array_equal(often, np.bincount(there, minlength=often.size)):
        return False
    stays = (often[here] == 1) & (here == there)
    return bool(np.bincount(level[stays], minlength=1).max() <= 1)


def _choices(color: Numbers, n: int, shared: int) -> list[Numbers]:
    """Return the colourings after each choice of a node's mirror partner, the likeliest last."""
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
    """Return mirror-symmetric sequences of the nodes of each level, near to the given ones."""
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


#: So many nodes are told apart by force, one after the other; the sequence decides on the rest.
_MOST_REFINED_CHOICES = 64


def _refined(color: Numbers, source: Numbers, target: Numbers) -> Numbers:
    """Return the stable colouring of the nodes of a graph by colour refinement, from 0 on."""
    n = color.size
    color = _numbered(color)
    while True:
        bits = mixed(color.astype(np.uint64) + np.uint64(1))
        below, above = np.zeros(n, dtype=np.uint64), np.zeros(n, dtype=np.uint64)
        np.add.at(below, source, bits[target])
        np.add.at(above, target, bits[source])
        finer = _numbered(color, mixed(below) + above)
        if finer.max(initial=0) == color.max(initial=0):
            return color
        color = finer


def structural_sequence(level: Numbers, source: Numbers, target: Numbers) -> Numbers:
    """Return the nodes in a sequence that only the structure of the graph decides, then numbers."""
    color = _refined(level, source, target)
    for _ in range(_MOST_REFINED_CHOICES):
        shared = np.flatnonzero(np.bincount(color) > 1)
        if not shared.size:
            break
        color = 2 * color + 1
        color[int((color == 2 * shared[0] + 1).argmax())] -= 1
        color = _refined(color, source, target)
    sequence: Numbers = np.argsort(color, kind="stable")
    return sequence


def _numbered(*keys: NDArray[Any]) -> Numbers:
    """Return colours of nodes as numbers: the place of each key among the distinct ones."""
    in_turn = np.lexsort(keys[::-1])
    changes = np.zeros(in_turn.size, dtype=bool)
    for key in keys:
        changes[1:] |= np.diff(key[in_turn]) != 0
    numbers = np.empty(in_turn.size, dtype=np.int64)
    numbers[in_turn] = np.cumsum(changes)
    return numbers


def twins(level: Numbers, upper: Numbers, lower: Numbers) -> list[list[int]]:
    """Return the sets of two or more nodes on the same level with the same edges up and down."""
    above: list[list[int]] = [[] for _ in level]
    below: list[list[int]] = [[] for _ in level]
    for u, v in zip(upper.tolist(), lower.tolist(), strict=True):
        above[v].append(u)
        below[u].append(v)
    alike: dict[tuple[int, tuple[int, ...], tuple[int, ...]], list[int]] = {}
    for node, number in enumerate(level.tolist()):
        key = number, tuple(sorted(above[node])), tuple(sorted(below[node]))
        alike.setdefault(key, []).append(node)
    return [nodes for nodes in alike.values() if len(nodes) > 1]


def in_sequence(names: Numbers, x: NDArray[np.float64], sets: list[list[int]]) -> Numbers:
    """Return the items of the nodes, those of each set of twins sorted from left to right."""
    sorted_names = names.copy()
    for nodes in sets:
        from_left = np.array(nodes)[np.argsort(x[nodes], kind="stable")]
        sorted_names[from_left] = np.sort(names[nodes])
    return sorted_names
