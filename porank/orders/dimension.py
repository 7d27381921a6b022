"""Find the fewest rankings whose intersection is an order, and prove that two are not enough.

Idea: *two rankings whose intersection is the order rank incomparable items in opposite ways. If the
first ranking has a before b, and c is incomparable to a but comparable to b, then it also has a
before c.* So the choice for one pair forces the choice for others. An order has dimension at most 2
if and only if no pair is forced in both directions, that is, if its incomparability graph has a
transitive orientation [1]_.

Idea: *a pair (u, v) of incomparable items is critical if all items below u are below v, and all
items above v are above u. Rankings that respect the order have it as their intersection if and only
if each critical pair is turned round in one of them: u is before v* [2]_. So we deal the critical
pairs out to k copies of the order, close each, and go back when a pair would make a cycle in all of
them. The pair that fits the fewest copies comes first.

`is_two_dimensional`, `dimension`, `find_realizer`, `find_forced_contradiction`.

References
----------
.. [1] M. C. Golumbic, "Algorithmic Graph Theory and Perfect Graphs", Academic Press, 1980, chapter
   5. https://doi.org/10.1016/C2013-0-10739-8
.. [2] W. T. Trotter, "Combinatorics and Partially Ordered Sets: Dimension Theory", Johns Hopkins
   University Press, 1992, chapter 1.
"""

from __future__ import annotations

from collections import deque
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from porank.core.arguments import require_count
from porank.core.compiled_order import compile_order
from porank.core.graphs import require_memory
from porank.core.progress import track
from porank.core.relation import places_of
from porank.errors import RESTRICT, PorankError
from porank.orders.antichains import unordered_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Item, OrderLike

_Arc = tuple[int, int]
#: Maximum number of critical pairs for a search.
_MOST_CRITICAL = 200


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


def dimension(G: OrderLike) -> int:
    """Return the dimension of an order: the fewest rankings whose intersection is the order.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.

    Returns
    -------
    int
        The dimension, at least 1; 1 for total orders.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    PorankError
        If the dimension is more than 2, and there are more than 200 critical pairs to search.

    See Also
    --------
    find_realizer, is_two_dimensional, describe

    Examples
    --------
    >>> import porank as po
    >>> [po.dimension(G) for G in (po.chain(5), po.antichain(5), po.boolean_lattice(4))]
    [1, 2, 4]

    Notes
    -----
    The time of `find_realizer` for each size up to the dimension. Whether the dimension is at most
    k is NP-complete for each k of at least 3 [1]_.

    References
    ----------
    .. [1] M. Yannakakis, "The complexity of the partial order dimension problem", SIAM Journal on
       Algebraic and Discrete Methods 3(3), 1982, pp. 351-358. https://doi.org/10.1137/0603036
    """
    return next(size for size in count(1) if find_realizer(G, size=size) is not None)


def find_realizer(G: OrderLike, *, size: int = 2) -> tuple[list[Item], ...] | None:
    """Return two rankings whose intersection is the order (a realizer), or None.

    They exist if and only if the order has dimension at most 2. Then each item can be drawn as a
    point whose coordinates are its positions in the two rankings: u is above v if and only if u is
    before v in both. With `size`, another number of rankings is looked for.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.
    size : int
        Number of rankings.

    Returns
    -------
    tuple of lists, or None
        The rankings, each a list of all items, best first. None if there are none, because the
        dimension is larger.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    PorankError
        If `size` is more than 2, and there are more than 200 critical pairs to search.

    See Also
    --------
    dimension, is_two_dimensional, find_forced_contradiction, intersection, draw_dominance

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
    bytes. For more than two rankings, a search that may take exponential time; up to twelve items,
    it takes less than a tenth of a second. The result depends on the names of the items, but not on
    the order in which they were added.

    References
    ----------
    .. [1] M. C. Golumbic, "Algorithmic Graph Theory and Perfect Graphs", Academic Press, 1980,
       chapter 5. https://doi.org/10.1016/C2013-0-10739-8
    """
    require_count(size, name="size", least=1)
    order = _fitting(G)
    if size != 2:
        return _search_realizer(order, size)
    above, unordered = _above_and_unordered(order)
    before = [0] * len(unordered)
    rest = list(unordered)
    # Golumbic's decomposition: remove one oriented class after the other.
    for arc, forced in _classes(rest, rest):
        if arc[::-1] in forced:
            return None
        for v, w in forced:
            before[w] |= 1 << v
    first = [row | some for row, some in zip(above, before, strict=True)]
    second = [row | some & ~one for row, some, one in zip(above, unordered, before, strict=True)]
    return _sorted_by_count(order, first), _sorted_by_count(order, second)


def _search_realizer(order: CompiledOrder, size: int) -> tuple[list[Item], ...] | None:
    """Return a realizer of this size, from a search through the critical pairs, or None."""
    if size == 1 and not order.is_total:
        return None
    numbers = np.arange(len(order.items))
    above, below = order.rows(numbers, numbers)
    critical = [
        (u, v)
        for u, row in enumerate(unordered_rows(order))
        for v in places_of(row).tolist()
        if u != v and not (below[u] & ~below[v] or above[v] & ~above[u])
    ]
    if len(critical) > _MOST_CRITICAL:
        raise PorankError(
            f"expected at most {_MOST_CRITICAL} critical pairs to search, found {len(critical):,}",
            hint=f"is_two_dimensional(G) has no such limit, {RESTRICT}",
        )
    found = _turned([above] * size, critical)
    return tuple(_sorted_by_count(order, before) for before in found) if found else None


def _turned(copies: list[list[int]], critical: list[_Arc]) -> list[list[int]] | None:
    """Return copies of an order, closed, such that each critical pair is turned round in one."""
    open_pairs = [(u, v) for u, v in critical if not any(rows[v] >> u & 1 for rows in copies)]
    if not open_pairs:
        return copies
    ways = (
        [(k, u, v) for k, rows in enumerate(copies) if not (rows[u] >> v & 1 or rows in copies[:k])]
        for u, v in open_pairs
    )
    for k, u, v in min(ways, key=len):
        added = copies[k][u] | 1 << u
        closed = [row | added if x == v or row >> v & 1 else row for x, row in enumerate(copies[k])]
        if found := _turned([*copies[:k], closed, *copies[k + 1 :]], open_pairs):
            return found
    return None


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
    for arc, forced in _classes(list(unordered), unordered):
        if arc[::-1] in forced:
            chain = [arc[::-1]]
            while chain[-1] != arc:
                chain.append(forced[chain[-1]])
            return [(order.items[v], order.items[w]) for v, w in reversed(chain)]
    return None


def _classes(rest: list[int], unordered: list[int]) -> Iterator[tuple[_Arc, dict[_Arc, _Arc]]]:
    """Yield a pair and all that it forces among the unordered, until these are all of the rest."""
    for u in track(range(len(rest)), label="forcing"):
        while rest[u]:
            arc = u, (rest[u] & -rest[u]).bit_length() - 1
            forced = _forced_by(arc, unordered)
            yield arc, forced
            for v, w in forced:
                rest[v] &= ~(1 << w)
                rest[w] &= ~(1 << v)


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
