"""Compute the width, maximum antichains and minimum chain covers.

A chain is a set of items of which any two are comparable; an antichain is a set of items of which
no two are. A chain and an antichain share at most one item. So if there are an antichain of k items
and k chains that contain all items, then no antichain is larger and no cover by chains is smaller.
Dilworth's theorem [1]_ states that such a pair always exists.

Public: `width`, `maximum_antichain`, `minimum_chain_cover`, `antichains`.

Idea: *match items to items above them, each item to at most one in either direction. The matched
pairs form chains, one for each unmatched item, so a maximum matching of the closure gives the
fewest chains* [2]_. *By König's theorem it also gives a maximum antichain.*

Idea: *search from all unmatched items at once, layer by layer, until an unmatched item on the other
side is reached. Then take as many disjoint shortest paths as possible; each adds one matched pair.*
This is the algorithm of Hopcroft and Karp [3]_. With rows stored as integers, a layer is found by
unions, and items that have been used are removed from it, so none is visited twice.

References
----------
.. [1] R. P. Dilworth, "A decomposition theorem for partially ordered sets", Annals of Mathematics
   51(1), 1950, pp. 161-166. https://doi.org/10.2307/1969503
.. [2] D. R. Fulkerson, "Note on Dilworth's decomposition theorem for partially ordered sets",
   Proceedings of the AMS 7(4), 1956, pp. 701-702.
   https://doi.org/10.1090/S0002-9939-1956-0078334-6
.. [3] J. E. Hopcroft, R. M. Karp, "An n^(5/2) algorithm for maximum matchings in bipartite graphs",
   SIAM Journal on Computing 2(4), 1973, pp. 225-231. https://doi.org/10.1137/0202019
"""

from __future__ import annotations

from functools import reduce
from itertools import count, zip_longest
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from porank.core.arrays import members_of_levels
from porank.core.compiled_order import compile_order
from porank.core.graphs import in_order
from porank.core.progress import track
from porank.core.relation import places_of, rows_above

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Item, Numbers, OrderLike


def width(G: OrderLike) -> int:
    """Return the width of an order: the size of its largest antichain.

    An antichain is a set of items none of which is preferred to another. By Dilworth's theorem the
    width is also the smallest number of chains that together contain all items.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.

    Returns
    -------
    int
        The width, from 0 (no items) to n (no preferences); 1 for a total order.

    Raises
    ------
    CycleError
        If `G` has a cycle.

    See Also
    --------
    maximum_antichain, minimum_chain_cover, antichains, height

    Examples
    --------
    >>> import porank as po
    >>> [po.width(po.boolean_lattice(n)) for n in range(6)]
    [1, 1, 2, 3, 6, 10]

    Notes
    -----
    Time O(n**2.5 / 64) at worst, O(n + m) for weak orders and O(n log n) for scores; memory
    n**2 / 8 bytes. `maximum_antichain` and `minimum_chain_cover` together prove the result.
    """
    order = compile_order(G)
    if order.is_weak:
        return int(order.sizes.max(initial=0))
    return _matched(order.relation.covers).partner.count(-1)


def maximum_antichain(G: OrderLike) -> list[Item]:
    """Return the highest maximum antichain, a largest set of pairwise unordered items.

    If there are several maximum antichains, the maximal items of their union form another one,
    which is the highest of all [1]_. So the result does not depend on the names of the items or on
    the order in which they were added.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.

    Returns
    -------
    list
        The items, as many as the `width`, sorted by type name and repr.

    Raises
    ------
    CycleError
        If `G` has a cycle.

    See Also
    --------
    width, minimum_chain_cover, antichains, height

    Examples
    --------
    >>> import porank as po
    >>> po.maximum_antichain(po.parse("a > c; b > c > d; c > e"))
    ['a', 'b']
    >>> po.maximum_antichain(po.divisor_lattice(36))
    [4, 6, 9]
    >>> po.maximum_antichain({"tea": 3, "coffee": 5, "water": 3})
    ['tea', 'water']

    Notes
    -----
    Time and memory as for `width`, and O(k log k) to sort the k items found.

    References
    ----------
    .. [1] R. P. Dilworth, "Some combinatorial problems on partially ordered sets", Combinatorial
       Analysis, Proceedings of Symposia in Applied Mathematics 10, 1960, pp. 85-90.
    """
    order = compile_order(G)
    if order.is_weak:
        widest = order.sizes.argmax() if order.sizes.size else 0
        numbers = np.flatnonzero(order.levels == widest)
    else:
        relation = order.relation
        matching = _matched(relation.covers)
        numbers = np.sort(relation.item_at[::-1][places_of(matching.reachable & ~matching.wanted)])
    return in_order(order.items[i] for i in numbers.tolist())


def minimum_chain_cover(G: OrderLike) -> list[list[Item]]:
    """Return a minimum chain cover: a partition of the items into the fewest chains.

    In a chain, each item is preferred to the next one. Other items may be between the two, because
    these are chains of the closure.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.

    Returns
    -------
    list of list
        The chains, as many as the `width`, each with the best item first, sorted by their first
        items. The result does not depend on the order in which items and edges were added to `G`.

    Raises
    ------
    CycleError
        If `G` has a cycle.

    See Also
    --------
    width, maximum_antichain, antichains, height

    Examples
    --------
    >>> import porank as po
    >>> po.minimum_chain_cover(po.divisor_lattice(12))
    [[12, 6, 3], [4, 2, 1]]
    >>> po.minimum_chain_cover({"tea": 3, "coffee": 5, "water": 3})
    [['coffee', 'tea'], ['water']]

    Notes
    -----
    Time O(n log n) to sort the items and O(n**2.5 / 64) at worst, O(n log n + m) for weak orders;
    memory as for `width`. If there are several minimum covers, the choice depends on the levels of
    the items, and within a level on their type names and reprs.
    """
    order, _ = compile_order(G).by_name()
    if order.is_weak:
        levels = (level.tolist() for level in members_of_levels(order.levels))
        chains = [[i for i in chain if i is not None] for chain in zip_longest(*levels)]
    else:
        relation = order.relation
        items = relation.item_at[::-1]
        chains = [items[chain].tolist() for chain in chains_of_covers(relation.covers)]
    # The items are numbered by type name and repr.
    return [[order.items[i] for i in chain] for chain in sorted(chains)]


def antichains(G: OrderLike) -> Iterator[list[Item]]:
    """Yield every antichain once, including the empty one.

    An antichain is a set of items none of which is preferred to another. Antichains correspond to
    the sets that contain all items above each of their items: an antichain consists of the minimal
    items of such a set.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.

    Yields
    ------
    list
        The items of an antichain, sorted by type name and repr. The antichains are in
        lexicographic order, starting with the empty one. They are generated one by one.

    Raises
    ------
    CycleError
        If `G` has a cycle. The error is raised when the function is called.

    See Also
    --------
    width, maximum_antichain, minimum_chain_cover, height

    Examples
    --------
    >>> import porank as po
    >>> list(po.antichains(po.parse("a > b; c")))
    [[], ['a'], ['a', 'c'], ['b'], ['b', 'c'], ['c']]
    >>> [sum(1 for _ in po.antichains(po.boolean_lattice(n))) for n in range(5)]
    [2, 3, 6, 20, 168]

    Notes
    -----
    Time of the closure, plus O(n / 64 + k) for each antichain of k items; memory n**2 / 8 bytes
    besides the closure, or n / 8 bytes for each level reached if the order is weak. An order of
    width w has at least 2**w antichains.
    """
    order, _ = compile_order(G).by_name()
    return _extend_each(order.items, unordered_rows(order))


def _extend_each(items: Sequence[Item], unordered: list[int]) -> Iterator[list[Item]]:
    """Yield the antichains in lexicographic order, each followed by its extensions."""
    chosen: list[Item] = []
    # Before the first item and for each chosen one: the items that may still be chosen.
    open_rows = [(1 << len(items)) - 1]
    yield []
    while open_rows:
        candidates = open_rows[-1]
        if not candidates:
            open_rows.pop()
            del chosen[-1:]
            continue
        bit = candidates & -candidates
        position = bit.bit_length() - 1
        open_rows[-1] = later = candidates ^ bit
        chosen.append(items[position])
        open_rows.append(later & unordered[position])
        yield chosen.copy()


def maximal_chains(G: OrderLike) -> Iterator[list[Item]]:
    """Yield every maximal chain once: the chains to which no item can be added.

    A chain is a set of items any two of which are comparable. The maximal chains are the paths
    through the reduction, from a maximal item to a minimal one.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.

    Yields
    ------
    list
        The items of a maximal chain, best first. The chains are in lexicographic order by type name
        and repr, and are generated one by one. The empty order has one, the empty chain.

    Raises
    ------
    CycleError
        If `G` has a cycle. The error is raised when the function is called.

    See Also
    --------
    is_graded, minimum_chain_cover, antichains, height

    Examples
    --------
    >>> import porank as po
    >>> list(po.maximal_chains(po.divisor_lattice(12)))
    [[12, 4, 2, 1], [12, 6, 2, 1], [12, 6, 3, 1]]
    >>> [sum(1 for _ in po.maximal_chains(po.boolean_lattice(n))) for n in range(5)]
    [1, 1, 2, 6, 24]

    Notes
    -----
    Time of the closure, plus O(k) for each chain of k items and each item covered by one of these.
    There may be exponentially many chains.
    """
    order, _ = compile_order(G).by_name()
    return _paths(order.items, list(order.relation.reduced_rows()), order.levels)


def _paths(items: Sequence[Item], rows: list[list[int]], levels: Numbers) -> Iterator[list[Item]]:
    """Yield the maximal chains from the rows of the reduction."""
    waiting: list[list[int]] = [[]]
    while waiting:
        chain = waiting.pop()
        following = rows[chain[-1]] if chain else np.flatnonzero(levels == 0).tolist()
        if not following:
            yield [items[number] for number in chain]
        waiting += [[*chain, number] for number in reversed(following)]


def _follow_down(above: list[int]) -> Iterator[list[int]]:
    """Yield the chains of a cover of an order by following a matching down from the best items."""
    below = {upper: lower for lower, upper in enumerate(above) if upper >= 0}
    for top, upper in enumerate(above):
        if upper < 0:
            chain = [top]
            while chain[-1] in below:
                chain.append(below[chain[-1]])
            yield chain


def chains_of_covers(covers: list[list[int]]) -> list[list[int]]:
    """Return a minimum chain cover of an order from its reduction, items numbered best first."""
    return list(_follow_down(_matched(covers).partner))


class _Matching(NamedTuple):
    """A maximum matching of the closure, and the items that are the same for all such matchings.

    Items are numbered best first.
    """

    partner: list[int]
    reachable: int
    wanted: int


def _matched(covers: list[list[int]]) -> _Matching:
    """Return a maximum matching for the chain cover, by the algorithm of Hopcroft and Karp."""
    n = len(covers)
    # Counting from the top keeps rows short, because the items above an item have low bits.
    rows = rows_above(covers, range(n - 1, -1, -1))[::-1]
    partner, owner = [-1] * n, [-1] * n
    free = (1 << n) - 1
    for _ in track(count(), label="matching"):
        # From the top: items with the fewest possible partners come first.
        single = [x for x in range(n) if partner[x] < 0]
        layers, seen = _layers_from(single, free, rows, owner)
        if not layers:
            # König: the antichain has the x reached from unmatched x by alternating paths, without
            # the y reached.
            spare = sum(1 << x for x in [*single, *_owners_of(seen, owner)])
            return _Matching(partner, spare, seen)
        ends = layers[-1]
        path, given = [0] * len(layers), [0] * len(layers)
        for path[0] in single:
            if _reaches_free(path, given, layers, rows, owner):
                for x, y in zip(path, given, strict=True):
                    partner[x], owner[y] = y, x
        free ^= ends ^ layers[-1]
    raise AssertionError("the matching grows with each step")


def _layers_from(
    single: list[int], free: int, rows: Sequence[int], owner: list[int]
) -> tuple[list[int], int]:
    """Find shortest augmenting paths of the chains' matching, layer by layer, from unmatched x."""
    layers: list[int] = []
    seen, frontier = 0, single
    while frontier:
        # layer d = union of rows(x) over its x, without earlier layers
        reached = reduce(or_, map(rows.__getitem__, frontier)) & ~seen
        seen |= reached
        if reached & free:
            return [*layers, reached & free], seen
        layers.append(reached)
        frontier = _owners_of(reached, owner)
    return [], seen


def _reaches_free(
    path: list[int], given: list[int], layers: list[int], rows: Sequence[int], owner: list[int]
) -> bool:
    """Follow an augmenting path of the chains' matching; return whether its end is unmatched."""
    # x_0 - y_0 = x_1 - y_1 = ...: y_d in rows(x_d) and layer d, x_(d+1) matched to y_d, last y free
    last, depth = len(layers) - 1, 0
    while depth >= 0:
        untried = rows[path[depth]] & layers[depth]
        if not untried:
            depth -= 1
            continue
        given[depth] = untried.bit_length() - 1
        layers[depth] ^= 1 << given[depth]
        if depth == last:
            return True
        depth += 1
        path[depth] = owner[given[depth - 1]]
    return False


def _owners_of(row: int, owner: list[int]) -> list[int]:
    return [owner[y] for y in places_of(row).tolist()]


def unordered_rows(order: CompiledOrder) -> list[int]:
    """Return the items incomparable with each item, including itself, as rows of bits."""
    numbers = np.arange(len(order.items))
    everything = (1 << numbers.size) - 1
    above, below = order.rows(numbers, numbers)
    return [everything ^ up ^ down for up, down in zip(above, below, strict=True)]
