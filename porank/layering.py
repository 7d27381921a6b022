"""Longest paths from the top: in which layer an item stands.

Idea: *take away the items that nothing is above; what remains has new ones.* The round in which an
item is taken is the number of edges of the longest path that ends in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porank.typing import Numbers

#: A layer this narrow is walked faster item by item than by array operations.
_NARROW = 32
#: So many narrow layers show that the graph is deep, and that plain lists will pay.
_PATIENCE = 64


def layer_numbers(n: int, source: Numbers, target: Numbers) -> Numbers | None:
    """Return the layer of each of the items 0..n-1, the topmost being 0, or None on a cycle.

    Parameters
    ----------
    n : int
        The number of items.
    source, target : array of int
        The edges; `source` ascending.

    Returns
    -------
    array of int, or None
        The number of edges of a longest path that ends in the item.

    Examples
    --------
    >>> layer_numbers(4, np.array([0, 0, 1]), np.array([1, 2, 2])).tolist()
    [0, 1, 2, 0]
    >>> layer_numbers(2, np.array([0, 1]), np.array([1, 0])) is None
    True

    Notes
    -----
    Time O(n + m), by array operations a layer at a time while the layers are wide and through a
    queue once they have turned out to be narrow.
    """
    layers = np.full(n, -1)
    open_edges = np.bincount(target, minlength=n)
    first = np.searchsorted(source, np.arange(n + 1))
    frontier = np.flatnonzero(open_edges == 0)
    layer, narrow = 0, 0
    while frontier.size and narrow < _PATIENCE:
        layers[frontier] = layer
        heads = target[ranges(first[frontier], first[frontier + 1])]
        np.subtract.at(open_edges, heads, 1)
        frontier = _distinct(heads[open_edges[heads] == 0], n)
        layer += 1
        narrow += frontier.size < _NARROW
    if frontier.size:
        _walk(layers, open_edges, first, target, frontier, layer)
    return None if np.any(layers < 0) else layers


def members_of_layers(layers: Numbers, sequence: Numbers | None = None) -> list[Numbers]:
    """Return the items of each layer, the first layer first.

    Parameters
    ----------
    layers : array of int
        For each item the number of its layer; none of them is empty.
    sequence : array of int, optional
        The items in the sequence that they have within a layer, else that of their numbers.

    Examples
    --------
    >>> [layer.tolist() for layer in members_of_layers(np.array([1, 0, 1]))]
    [[1], [0, 2]]
    >>> [layer.tolist() for layer in members_of_layers(np.array([1, 0, 1]), np.array([2, 1, 0]))]
    [[1], [2, 0]]

    Notes
    -----
    Time O(n log n).
    """
    if not layers.size:
        return []
    line = np.arange(layers.size) if sequence is None else sequence
    along = line[np.argsort(layers[line], kind="stable")]
    return np.split(along, np.cumsum(np.bincount(layers))[:-1])


def ranges(start: Numbers, stop: Numbers) -> Numbers:
    """Return the numbers of all the ranges ``start[i]..stop[i]-1``, one after the other.

    Examples
    --------
    >>> ranges(np.array([0, 7, 5]), np.array([2, 7, 8])).tolist()
    [0, 1, 5, 6, 7]
    """
    length = stop - start
    offset = np.repeat(start - np.concatenate(([0], np.cumsum(length)[:-1])), length)
    numbers: Numbers = offset + np.arange(offset.size)
    return numbers


def _distinct(numbers: Numbers, n: int) -> Numbers:
    """Return the numbers once each, without sorting: the last one written to a cell stays."""
    if numbers.size < 2:
        return numbers
    last = np.empty(n, dtype=np.int64)
    last[numbers] = np.arange(numbers.size)
    once: Numbers = numbers[last[numbers] == np.arange(numbers.size)]
    return once


def _walk(
    layers: Numbers,
    open_edges: Numbers,
    first: Numbers,
    target: Numbers,
    frontier: Numbers,
    layer: int,
) -> None:
    """Carry on from the frontier item by item, writing into `layers`."""
    remaining, begin, heads = open_edges.tolist(), first.tolist(), target.tolist()
    found = layers.tolist()
    queue = frontier.tolist()
    for item in queue:
        found[item] = layer
    for item in queue:
        for head in heads[begin[item] : begin[item + 1]]:
            remaining[head] -= 1
            if not remaining[head]:
                found[head] = found[item] + 1
                queue.append(head)
    layers[:] = found


def in_parts(length: int, size: int) -> Iterator[slice]:
    """Yield slices of `size`, the last one shorter, that cover `length` places.

    Examples
    --------
    >>> list(in_parts(5, 2))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    return (slice(first, min(first + size, length)) for first in range(0, length, size))
