"""Test whether an order is the intersection of two rankings, with a witness in either case.

Idea: *two rankings whose intersection is the order rank incomparable items in opposite ways. If the
first ranking has a before b, and c is incomparable to a but comparable to b, then it also has a
before c.* So the choice for one pair forces the choice for others. An order has dimension at most 2
if and only if no pair is forced in both directions, that is, if its incomparability graph has a
transitive orientation [1]_.

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
from porank.core.relation import places_of
from porank.errors import RESTRICT
from porank.orders.antichains import unordered_rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Item, OrderLike

_Arc = tuple[int, int]


def is_two_dimensional(G: OrderLike) -> bool:
    """Return whether an order is the intersection of two rankings (dimension at most 2).

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.

    Returns
    -------
    bool
        Whether the dimension is at most 2, as for all total and weak orders.

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
    Time of the closure, plus O(n k / 64) for n items and k incomparable pairs.
    """
    return find_realizer(G) is not None


def find_realizer(G: OrderLike) -> tuple[list[Item], list[Item]] | None:
    """Return two rankings whose intersection is the order (a realizer), or None.

    They exist if and only if the order has dimension at most 2. Then each item can be drawn as a
    point whose coordinates are its positions in the two rankings: u is above v if and only if u is
    before v in both.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.

    Returns
    -------
    tuple of two lists, or None
        The two rankings, each a list of all items, best first. None if there are none.

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
    >>> both
    a > c; b > c; b > d

    Notes
    -----
    Time of the closure, plus O(n k / 64) for n items and k incomparable pairs; memory n**2 / 8
    bytes. The result depends on the names of the items, but not on the order in which they were
    added.

    References
    ----------
    .. [1] M. C. Golumbic, "Algorithmic Graph Theory and Perfect Graphs", Academic Press, 1980,
       chapter 5. https://doi.org/10.1016/C2013-0-10739-8
    """
    order = _fitting(G)
    above, unordered = _above_and_unordered(order)
    before = [0] * len(unordered)
    rest = list(unordered)
    # Golumbic's decomposition: remove one oriented class after the other.
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
    second = [row | some & ~one for row, some, one in zip(above, unordered, before, strict=True)]
    return _sorted_by_count(order, first), _sorted_by_count(order, second)


def find_forced_contradiction(G: OrderLike) -> list[tuple[Item, Item]] | None:
    """Return a chain of forced pairs that ends in its own reversal, or None.

    Such a chain proves that an order is not the intersection of two rankings. A pair (u, v) means
    that u is before v in the first ranking. Each pair forces the next one, because they share an
    item and their other items are comparable. The last pair is the first one reversed.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.

    Returns
    -------
    list of (item, item), or None
        The chain, or None if the order has dimension at most 2.

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
    Time of the closure, plus O(n k / 64) for n items and k incomparable pairs. The chain is a
    shortest one from its first pair.
    """
    order = _fitting(G)
    _, unordered = _above_and_unordered(order)
    rest = list(unordered)
    for u in track(range(len(rest)), label="forcing"):
        while rest[u]:
            arc = _first_arc(u, rest)
            forced = _forced_by(arc, unordered)
            if arc[::-1] in forced:
                chain = [arc[::-1]]
                while chain[-1] != arc:
                    chain.append(forced[chain[-1]])
                return [(order.items[v], order.items[w]) for v, w in reversed(chain)]
            _take_away(forced, rest)
    return None


def _first_arc(u: int, unordered: list[int]) -> _Arc:
    """Return the first pair to start forcing from: an item and one incomparable to it."""
    return u, (unordered[u] & -unordered[u]).bit_length() - 1


def _forced_by(arc: _Arc, unordered: list[int]) -> dict[_Arc, _Arc]:
    """Return each pair of incomparable items forced by a pair, with the pair that forces it."""
    after, before = [0] * len(unordered), [0] * len(unordered)
    forced: dict[_Arc, _Arc] = {}
    queue = deque([arc])
    while queue:
        u, v = queue.popleft()
        # u before v forces the incomparable u before w if v and w are comparable, and w before v
        # if u and w are.
        new = [(u, w) for w in places_of(unordered[u] & ~unordered[v] & ~after[u]).tolist()]
        new += [(w, v) for w in places_of(unordered[v] & ~unordered[u] & ~before[v]).tolist()]
        for x, y in new:
            if not after[x] >> y & 1:
                after[x] |= 1 << y
                before[y] |= 1 << x
                queue.append((x, y))
                forced[x, y] = u, v
    return forced


def _take_away(forced: Iterable[_Arc], rest: list[int]) -> None:
    """Remove forced pairs from the pairs that may still force others."""
    for u, v in forced:
        rest[u] &= ~(1 << v)
        rest[v] &= ~(1 << u)


def _fitting(G: OrderLike) -> CompiledOrder:
    """Return a compiled order sorted by name, or raise an error if its matrices are too large."""
    order, _ = compile_order(G).by_name()
    n = len(order.items)
    require_memory(8 * n * n, what=f"matrices of {n:,} items", instead=RESTRICT)
    return order


def _above_and_unordered(order: CompiledOrder) -> tuple[list[int], list[int]]:
    """Return the items above each item, and those incomparable with it, which can be forced."""
    numbers = np.arange(len(order.items))
    above, _ = order.rows(numbers, numbers)
    return above, [row ^ 1 << i for i, row in enumerate(unordered_rows(order))]


def _sorted_by_count(order: CompiledOrder, before: list[int]) -> list[Item]:
    """Return the items of a ranking of the realizer, sorted by the number of items before each."""
    return sorted(order.items, key=lambda item: before[order.number[item]].bit_count())
