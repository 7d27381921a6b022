"""Where the items of each part of an order may stand in it, from the leaves up.

Idea: *a position in a part becomes one in the part around it, in a series by counting on, among
components by shuffling.* Each part is looked at once, however deep parts lie within parts.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.order.parts import upwards
from porank.order.shuffles import shuffled, spread_by

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from porank.order.leaf_positions import Leaf
    from porank.order.parts import Part
    from porank.typing import Matrix


class Spread(NamedTuple):
    """Rows of probabilities over neighbouring positions of a part.

    Attributes
    ----------
    items : list of int
        What the rows belong to.
    first : int
        The position that the first column stands for.
    chances : array
        The probability [k, p] that row k stands at position first + p.
    """

    items: list[int]
    first: int
    chances: Matrix


class Side(NamedTuple):
    """Where everything within a part stands in it.

    Attributes
    ----------
    spreads : list of Spread
        A row for each item.
    estimated : list of (Leaf, Spread)
        The leaves with errors, and for each of their positions where it lies in the part.
    """

    spreads: list[Spread]
    estimated: list[tuple[Leaf, Spread]]


def sides_of(
    parts: Sequence[Part], leaves: Mapping[int, Leaf], *, exact: bool
) -> Iterator[tuple[Part, Side, list[Side]]]:
    """Yield each part, from the leaves up, with its side and those of what it is made of.

    A component's side has one spread, with a column for each position.

    Examples
    --------
    >>> from porank.order.parts import Part
    >>> from porank.order.leaf_positions import FreeLeaf
    >>> parts = [Part("series", 3, [1, 2], [], []), *(Part("free", k, [], [], []) for k in (1, 2))]
    >>> leaves = {1: FreeLeaf([1], exact=False), 2: FreeLeaf([2, 0], exact=False)}
    >>> for part, side, _ in sides_of(parts, leaves, exact=False):
    ...     print(part.kind, [(spread.items, spread.first) for spread in side.spreads])
    free [([2, 0], 0)]
    free [([1], 0)]
    series [([1], 0), ([2, 0], 1)]

    Notes
    -----
    Time O(a**2 b) for a component of a items and b beside it, O(n) for each part of a series.
    """
    sides: dict[int, Side] = {}
    for number, part in upwards(parts):
        inner = [sides.pop(other) for other in part.parts]
        if number in leaves:
            sides[number] = _side_of_leaf(leaves[number], exact=exact)
        elif part.kind == "series":
            moved = map(_moved, inner, starts_of(parts, part))
            sides[number] = _joined(list(moved))
        else:
            inner = [_merged(side, exact=exact) for side in inner]
            dealt = [_dealt(side, part.size - size_of(side), exact=exact) for side in inner]
            sides[number] = _joined(dealt)
        yield part, sides[number], inner


def _side_of_leaf(leaf: Leaf, *, exact: bool) -> Side:
    spread = Spread(leaf.items, 0, leaf.mean_of(None))
    if leaf.method == "exact":
        return Side([spread], [])
    n = len(leaf.items)
    one_each = np.eye(n) if not exact else np.array(np.eye(n, dtype=int), dtype=object)
    return Side([spread], [(leaf, Spread(leaf.items, 0, one_each))])


def _joined(sides: Sequence[Side]) -> Side:
    spreads = [spread for side in sides for spread in side.spreads]
    return Side(spreads, [known for side in sides for known in side.estimated])


def _moved(side: Side, by: int) -> Side:
    """Return what stands behind so many other items."""
    return Side(
        [spread._replace(first=spread.first + by) for spread in side.spreads],
        [(leaf, spread._replace(first=spread.first + by)) for leaf, spread in side.estimated],
    )


def _merged(side: Side, *, exact: bool) -> Side:
    """Return the same with one spread for all items."""
    items = [item for spread in side.spreads for item in spread.items]
    chances = zeros(len(items), len(items), exact=exact)
    start = 0
    for spread in side.spreads:
        rows, columns = spread.chances.shape
        place = slice(start, start + rows), slice(spread.first, spread.first + columns)
        chances[place] = spread.chances
        start += rows
    return Side([Spread(items, 0, chances)], side.estimated)


def _dealt(side: Side, others: int, *, exact: bool) -> Side:
    """Return what is shuffled with so many other items."""
    shares = shuffled(size_of(side), others, exact=exact)

    def spread_out(spread: Spread) -> Spread:
        own = shares[spread.first : spread.first + spread.chances.shape[1]]
        return spread._replace(chances=spread_by(spread.chances, own))

    estimated = [(leaf, spread_out(spread)) for leaf, spread in side.estimated]
    return Side([spread_out(spread) for spread in side.spreads], estimated)


def size_of(side: Side) -> int:
    """Return the number of items.

    Examples
    --------
    >>> size_of(Side([Spread([4, 7], 0, np.eye(2))], []))
    2
    """
    return sum(len(spread.items) for spread in side.spreads)


def zeros(rows: int, columns: int, *, exact: bool) -> Matrix:
    """Return zeros, floats or fractions.

    Examples
    --------
    >>> zeros(1, 2, exact=False).tolist()
    [[0.0, 0.0]]
    """
    zero: Any = Fraction(0) if exact else 0.0
    return np.full((rows, columns), zero)


def starts_of(parts: Sequence[Part], part: Part) -> list[int]:
    """Return for each part of a part how many items the parts before it have.

    Examples
    --------
    >>> from porank.order.parts import Part
    >>> parts = [Part("series", 3, [1, 2], [], []), *(Part("free", k, [], [], []) for k in (1, 2))]
    >>> starts_of(parts, parts[0])
    [0, 1]
    """
    return [*accumulate((parts[other].size for other in part.parts), initial=0)][:-1]
