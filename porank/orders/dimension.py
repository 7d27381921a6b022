"""Two dimensions: whether an order is the intersection of two rankings, and the proof either way.

Idea: *in a realizer of two rankings, incomparable items stand one way round in the first and the
other way round in the second. If a is before b in the first, and a is incomparable to c, but b and
c are comparable, then a is before c as well.* So the choice for one pair forces it for others; an
order has dimension at most 2 if and only if nothing ever forces a pair to stand both ways round,
which is to say that its incomparability graph has a transitive orientation [1]_.

`is_two_dimensional`, `find_realizer`, `find_forced_contradiction`.

References
----------
.. [1] M. C. Golumbic, "Algorithmic Graph Theory and Perfect Graphs", Academic Press, 1980, chapter
   5. https://doi.org/10.1016/C2013-0-10739-8
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from porank.core.compiled_order import compile_order
from porank.core.graphs import require_memory
from porank.core.progress import track
from porank.core.relation import places_of, rows_of
from porank.errors import RESTRICT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from porank.core.compiled_order import Order
    from porank.typing import Item, OrderLike

_Arc = tuple[int, int]


def is_two_dimensional(G: OrderLike) -> bool:
    """Return whether an order has dimension at most 2: whether two rankings intersect in it.

    Parameters
    ----------
    G : DiGraph or scores
        An order.

    Returns
    -------
    bool
        True for every total and every weak order.

    Raises
    ------
    CycleError
        If `G` has a cycle.

    See Also
    --------
    find_realizer, find_forced_contradiction, draw_dominance

    Examples
    --------
    >>> import porank as po
    >>> po.is_two_dimensional(po.parse("a > c; b > c; b > d"))
    True
    >>> po.is_two_dimensional(po.boolean_lattice(3))
    False

    Notes
    -----
    Time O(n k / 64) for n items of which k pairs are incomparable, once the order is closed.
    """
    return find_realizer(G) is not None


def find_realizer(G: OrderLike) -> tuple[list[Item], list[Item]] | None:
    """Return a realizer of two rankings, whose intersection is the order, or None.

    An order with one has dimension at most 2: each item is a point, its positions in the two
    rankings are its coordinates, and u is above v if and only if it is before v in both.

    Parameters
    ----------
    G : DiGraph or scores
        An order.

    Returns
    -------
    tuple of two lists, or None
        The items in two sequences, best first.

    Raises
    ------
    CycleError
        If `G` has a cycle.

    See Also
    --------
    is_two_dimensional, find_forced_contradiction, intersection, draw_dominance

    Examples
    --------
    >>> import porank as po
    >>> first, second = po.find_realizer(po.parse("a > c; b > c; b > d"))
    >>> first, second
    (['a', 'b', 'c', 'd'], ['b', 'd', 'a', 'c'])
    >>> both = po.intersection(po.from_ranking(first), po.from_ranking(second))
    >>> po.format_order(both)
    'a > c; b > c; b > d'

    Notes
    -----
    Time O(n k / 64) for n items of which k pairs are incomparable, once the order is closed, and
    O(n**2 / 8) bytes. The result depends on the names of the items, not on their order.

    References
    ----------
    .. [1] M. C. Golumbic, "Algorithmic Graph Theory and Perfect Graphs", Academic Press, 1980,
       chapter 5. https://doi.org/10.1016/C2013-0-10739-8
    """
    order = _fitting(G)
    matrix = order.matrix()
    above, beside = rows_of(matrix.T), _incomparable(matrix)
    before = [0] * len(beside)
    rest = list(beside)
    # Golumbic's decomposition: an oriented class is taken away, which keeps the whole transitive.
    for u in track(range(len(rest)), label="forcing"):
        while rest[u]:
            arc = _first_arc(u, rest)
            forced = _forced_by(arc, rest)
            if arc[::-1] in forced:
                return None
            _take_away(forced, rest)
            for v, w in forced:
                before[w] |= 1 << v
    first = [row | some for row, some in zip(above, before, strict=True)]
    second = [row | some & ~one for row, some, one in zip(above, beside, before, strict=True)]
    return _sorted_by_count(order, first), _sorted_by_count(order, second)


def find_forced_contradiction(G: OrderLike) -> list[tuple[Item, Item]] | None:
    """Return a chain of forced pairs that ends in its own reversal, or None.

    It is the witness that an order is not the intersection of two rankings. Each pair (u, v) stands
    for "u is before v in the first ranking"; it forces the next, which shares an item with it,
    while the two other items are comparable. The last pair is the first one turned round.

    Parameters
    ----------
    G : DiGraph or scores
        An order.

    Returns
    -------
    list of (item, item), or None
        None if and only if the order has dimension at most 2.

    Raises
    ------
    CycleError
        If `G` has a cycle.

    See Also
    --------
    is_two_dimensional, find_realizer

    Examples
    --------
    >>> import porank as po
    >>> crown = po.parse("a > y; a > z; b > x; b > z; c > x; c > y")
    >>> chain = po.find_forced_contradiction(crown)
    >>> chain[0], chain[-1], len(chain)
    (('a', 'b'), ('b', 'a'), 7)
    >>> po.find_forced_contradiction(po.parse("a > b; c > d")) is None
    True

    Notes
    -----
    Time O(n k / 64) for n items of which k pairs are incomparable, once the order is closed. The
    chain is a shortest one from its first pair.
    """
    order = _fitting(G)
    beside = _incomparable(order.matrix())
    rest = list(beside)
    for u in track(range(len(rest)), label="forcing"):
        while rest[u]:
            arc = _first_arc(u, rest)
            forced = _forced_by(arc, beside)
            if arc[::-1] in forced:
                chain = [arc[::-1]]
                while chain[-1] != arc:
                    chain.append(forced[chain[-1]])
                return [(order.items[v], order.items[w]) for v, w in reversed(chain)]
            _take_away(forced, rest)
    return None


def _first_arc(u: int, beside: list[int]) -> _Arc:
    """Return the first pair to force others: an item and one incomparable to it."""
    return u, (beside[u] & -beside[u]).bit_length() - 1


def _forced_by(arc: _Arc, beside: list[int]) -> dict[_Arc, _Arc]:
    """Return each pair of incomparable items that a pair forces, with the one it follows first."""
    after, before = [0] * len(beside), [0] * len(beside)
    forced: dict[_Arc, _Arc] = {}
    queue = deque([arc])
    while queue:
        u, v = queue.popleft()
        new = [(u, w) for w in places_of(beside[u] & ~beside[v] & ~after[u]).tolist()]
        new += [(w, v) for w in places_of(beside[v] & ~beside[u] & ~before[v]).tolist()]
        for x, y in new:
            if not after[x] >> y & 1:
                after[x] |= 1 << y
                before[y] |= 1 << x
                queue.append((x, y))
                forced[x, y] = u, v
    return forced


def _take_away(forced: Iterable[_Arc], rest: list[int]) -> None:
    """Take pairs that are forced away from those that may still force others."""
    for u, v in forced:
        rest[u] &= ~(1 << v)
        rest[v] &= ~(1 << u)


def _fitting(G: OrderLike) -> Order:
    """Return an order whose dimension is asked for, by name, if its matrices fit into memory."""
    order, _ = compile_order(G).by_name()
    n = len(order.items)
    require_memory(8 * n * n, what=f"matrices of {n:,} items", instead=RESTRICT)
    return order


def _incomparable(matrix: NDArray[np.bool_]) -> list[int]:
    """Return for each item, as bits, the incomparable ones, with which it may be forced."""
    beside = ~(matrix | matrix.T)
    np.fill_diagonal(beside, val=False)
    return rows_of(beside)


def _sorted_by_count(order: Order, before: list[int]) -> list[Item]:
    """Return the items of a realizer's ranking by how many stand before each."""
    return sorted(order.items, key=lambda item: before[order.number[item]].bit_count())
