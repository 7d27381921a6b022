"""What an order is taken apart into: leaves with their items, and parts made of parts.

The parts of an order stand in a list, the whole first, each before those that it is made of. So to
walk the list backwards is to come from the leaves up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from porank.core.relation import rows_along_covers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

Covers = list[list[int]]


class Part(NamedTuple):
    """A part of an order: a leaf with its items, or made of other parts.

    Attributes
    ----------
    kind : str
        ``"free"`` or ``"prime"``, a leaf; ``"series"`` or ``"parallel"``, made of others.
    size : int
        The number of its items.
    parts : list of int
        The numbers of the parts it is made of, best first in a series; empty for a leaf.
    items : list of int
        The numbers of the items of a leaf, whatever is below an item before it.
    covers : list of list of int
        For each entry of `items` of a prime part, where the items that it covers stand in `items`.
    """

    kind: str
    size: int
    parts: list[int]
    items: list[int]
    covers: Covers


def leaf_items(parts: Sequence[Part]) -> list[int]:
    """Return the items of all leaves, part by part, those of a leaf best first.

    Examples
    --------
    >>> leaf_items([Part("series", 3, [1, 2], [], []), Part("free", 1, [], [2], []),
    ...             Part("free", 2, [], [1, 0], [[], []])])
    [2, 0, 1]
    """
    items: list[int] = []
    waiting = [0]
    while waiting:
        part = parts[waiting.pop()]
        items += part.items[::-1]
        waiting += part.parts[::-1]
    return items


def upwards(parts: Sequence[Part]) -> Iterator[tuple[int, Part]]:
    """Yield the parts with their numbers, each after those that it is made of.

    Examples
    --------
    >>> parts = [Part("series", 2, [1, 2], [], []), *(Part("free", 1, [], [k], []) for k in (4, 5))]
    >>> [(number, part.kind) for number, part in upwards(parts)]
    [(2, 'free'), (1, 'free'), (0, 'series')]
    """
    for number in range(len(parts) - 1, -1, -1):
        yield number, parts[number]


def above_matrix(part: Part) -> NDArray[np.bool_]:
    """Return the closure of a leaf, entry [i, j]: item i is above item j, numbered best first.

    Examples
    --------
    >>> above_matrix(Part("prime", 3, [], [5, 6, 7], [[], [0], [1]])).astype(int).tolist()
    [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
    """
    n = part.size
    below, _ = rows_along_covers(part.covers, list(range(n - 1, -1, -1)))
    octets = -(-n // 8)
    rows = b"".join(row.to_bytes(octets, "little") for row in reversed(below))
    bits = np.frombuffer(rows, np.uint8).reshape(n, octets)
    return np.unpackbits(bits, axis=1, count=n, bitorder="little").view(bool)
