"""Colour refinement: nodes that differ in what surrounds them get different colours.

Idea: *two nodes keep the same colour only if as many of each colour are above them, and below.*
Colours are numbered by the structure alone, never by the names of the items, so that equal colours
in two graphs mean the same. The colours of neighbours are added up as numbers of 64 scrambled bits:
that different sums should be equal is less likely than a fault of the machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from porank.core.arrays import mixed

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from porank.typing import Numbers

#: So many nodes are told apart by force, one after the other; the sequence decides on the rest.
_MOST_CHOICES = 64


def refined(color: Numbers, source: Numbers, target: Numbers) -> Numbers:
    """Return the coarsest stable colours, from 0 on, that tell apart what the given ones do.

    Parameters
    ----------
    color : array of int
        A colour for each node.
    source, target : array of int
        The edges.

    Examples
    --------
    A chain of three next to a single node:

    >>> refined(np.zeros(4, dtype=np.int64), np.array([0, 1]), np.array([1, 2])).tolist()
    [2, 3, 1, 0]

    Notes
    -----
    Time O((n + m) log n) for each of at most n rounds.
    """
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
    """Return the nodes in a sequence that the structure decides; where it cannot, their numbers do.

    Where colours are equal, the first node is set apart and the colours are refined again. In most
    graphs it makes no difference then which of the nodes was the first.

    Examples
    --------
    The same graph with other numbers, whose nodes come in the same sequence:

    >>> level = np.array([0, 1, 1, 2])
    >>> structural_sequence(level, np.array([0, 0, 1]), np.array([1, 2, 3])).tolist()
    [0, 1, 2, 3]
    >>> structural_sequence(level, np.array([0, 0, 2]), np.array([1, 2, 3])).tolist()
    [0, 2, 1, 3]
    """
    color = refined(level, source, target)
    for _ in range(_MOST_CHOICES):
        shared = np.flatnonzero(np.bincount(color) > 1)
        if not shared.size:
            break
        color = 2 * color + 1
        color[int((color == 2 * shared[0] + 1).argmax())] -= 1
        color = refined(color, source, target)
    sequence: Numbers = np.argsort(color, kind="stable")
    return sequence


def _numbered(*keys: NDArray[Any]) -> Numbers:
    """Return the place of each key, or tuple of keys, among the distinct ones."""
    in_turn = np.lexsort(keys[::-1])
    changes = np.zeros(in_turn.size, dtype=bool)
    for key in keys:
        changes[1:] |= np.diff(key[in_turn]) != 0
    numbers = np.empty(in_turn.size, dtype=np.int64)
    numbers[in_turn] = np.cumsum(changes)
    return numbers
