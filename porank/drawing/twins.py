"""Twins: items with the same items above and the same below, which may change places freely.

Idea: *a diagram does not change when twins of a level exchange their places*: the lines of one
become those of the other. So names decide who stands where, and nothing is lost by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Numbers


def twins(level: Numbers, upper: Numbers, lower: Numbers) -> list[list[int]]:
    """Return the sets of two or more nodes on the same level with the same edges up and down.

    Examples
    --------
    >>> twins(np.array([0, 1, 1, 1]), np.array([0, 0]), np.array([1, 3]))
    [[1, 3]]

    Notes
    -----
    Time O(n + m log m) for n nodes and m edges.
    """
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
    """Return the names after those in each set have been sorted from left to right.

    Parameters
    ----------
    names : array of int
        The name of each node, as a number.
    x : array of float
        The place of each node.
    sets : list of list of int
        Sets of nodes that may exchange their names.

    Examples
    --------
    >>> in_sequence(np.array([7, 5, 6, 4]), np.array([0.0, 1.0, 0.0, -1.0]), [[1, 3]]).tolist()
    [7, 5, 6, 4]
    >>> in_sequence(np.array([7, 4, 6, 5]), np.array([0.0, 1.0, 0.0, -1.0]), [[1, 3]]).tolist()
    [7, 5, 6, 4]
    """
    sorted_names = names.copy()
    for nodes in sets:
        from_left = np.array(nodes)[np.argsort(x[nodes], kind="stable")]
        sorted_names[from_left] = np.sort(names[nodes])
    return sorted_names
