"""How wide an order is: its largest antichains, and the fewest chains that hold all items.

A chain is a set of items of which any two are comparable, an antichain one of which no two are. A
chain and an antichain share at most one item. So whoever shows an antichain of k items and k chains
that hold all items has proved that neither can be bettered; Dilworth's theorem [1]_ says that this
can always be shown.

Idea: *give every item at most one item above it, and none to two. The chains that this makes are as
many as the items left without one; so the fewest chains come from a maximum matching of the
closure* [2]_. *What no maximum matching can change gives the antichain, by König's theorem.*

References
----------
.. [1] R. P. Dilworth, "A decomposition theorem for partially ordered sets", Annals of Mathematics
   51(1), 1950, pp. 161-166. https://doi.org/10.2307/1969503
.. [2] D. R. Fulkerson, "Note on Dilworth's decomposition theorem for partially ordered sets",
   Proceedings of the AMS 7(4), 1956, pp. 701-702.
   https://doi.org/10.1090/S0002-9939-1956-0078334-6
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from porank.core.arrays import inverse_of, members_of_layers
from porank.core.compiled_order import compile_order
from porank.core.graphs import in_order, numbers_in_order
from porank.core.relation import Relation, numbered_from_sinks, places_of
from porank.order.comparability import unordered_rows
from porank.order.matching import maximum_matching

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from porank.core.compiled_order import Order
    from porank.typing import Item, Numbers, OrderLike


def width(G: OrderLike, *, progress: bool = False) -> int:
    """Return the number of items of the largest antichain.

    The width is the largest k for which there are k items none of which is preferred to another;
    it is also the smallest k for which k chains hold all items.

    Parameters
    ----------
    G : DiGraph or scores
        An order.
    progress : bool
        Show a bar.

    Returns
    -------
    int
        From 0, for the empty order, by 1, for a total one, to n, where nothing is known.

    Raises
    ------
    CycleError
        If `G` has a cycle.

    Examples
    --------
    >>> import porank as po
    >>> [po.width(po.boolean_lattice(n)) for n in range(6)]
    [1, 1, 2, 3, 6, 10]

    Notes
    -----
    Time O(n**2.5 / 64) at worst, O(n + m) on a weak order and O(n log n) on scores; memory
    3 n**2 / 16 bytes for the closure in both directions. `maximum_antichain` and
    `minimum_chain_cover` are the two halves of a proof.
    """
    order = compile_order(G)
    if order.is_weak:
        return int(order.sizes.max(initial=0))
    above = order.related(progress=progress).above
    return maximum_matching(above, progress=progress).partner.count(-1)


def maximum_antichain(G: OrderLike, *, progress: bool = False) -> list[Item]:
    """Return a largest set of items none of which is preferred to another: the highest one.

    Where there are several maximum antichains, their maximal items together are one as well, and
    the highest [1]_. This one is returned: no name and no sequence of the items decides.

    Parameters
    ----------
    G : DiGraph or scores
        An order.
    progress : bool
        Show a bar.

    Returns
    -------
    list
        As many items as `width` says, sorted by the name of their type and their repr.

    Raises
    ------
    CycleError
        If `G` has a cycle.

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
    Time and memory as for `width`, and O(k log k) to sort the k items.

    References
    ----------
    .. [1] R. P. Dilworth, "Some combinatorial problems on partially ordered sets", Combinatorial
       Analysis, Proceedings of Symposia in Applied Mathematics 10, 1960, pp. 85-90.
    """
    order = compile_order(G)
    if order.is_weak:
        widest = order.sizes.argmax() if order.sizes.size else 0
        numbers = np.flatnonzero(order.layers == widest)
    else:
        relation = order.related(progress=progress)
        matching = maximum_matching(relation.above, progress=progress)
        numbers = np.sort(relation.order[places_of(matching.spare & ~matching.wanted)])
    return in_order(order.items[i] for i in numbers.tolist())


def minimum_chain_cover(G: OrderLike, *, progress: bool = False) -> list[list[Item]]:
    """Return as few chains as can hold all items, each item in one of them.

    The chains are chains of the closure: of two neighbours in one, the first is preferred, but
    other items may lie between them.

    Parameters
    ----------
    G : DiGraph or scores
        An order.
    progress : bool
        Show a bar.

    Returns
    -------
    list of list
        As many chains as `width` says, each best first, sorted by their first items. Of several
        minimum covers it is always the same one, whatever the sequence of items and edges in `G`.

    Raises
    ------
    CycleError
        If `G` has a cycle.

    Examples
    --------
    >>> import porank as po
    >>> po.minimum_chain_cover(po.divisor_lattice(12))
    [[12, 6, 3], [4, 2, 1]]
    >>> po.minimum_chain_cover({"tea": 3, "coffee": 5, "water": 3})
    [['coffee', 'tea'], ['water']]

    Notes
    -----
    Time O(n log n) to sort the items and O(n**2.5 / 64) at worst, O(n log n + m) on a weak order;
    memory as for `width`. Which of several minimum covers is shown is decided by the levels of the
    items, and within a level by the name of their type and their repr.
    """
    order = compile_order(G)
    sequence = np.array(numbers_in_order(order.items), dtype=np.int64)
    if order.is_weak:
        chains = _zip_layers(order, sequence)
    else:
        relation = _numbered_along(sequence, order, order.related(progress=progress))
        partner = maximum_matching(relation.above, progress=progress).partner
        chains = [relation.order[chain].tolist() for chain in _follow_down(partner)]
    rank = inverse_of(sequence).tolist()
    chains.sort(key=lambda chain: rank[chain[0]])
    return [[order.items[i] for i in chain] for chain in chains]


def antichains(G: OrderLike) -> Iterator[list[Item]]:
    """Yield every antichain once, the empty one included.

    An antichain is a set of items none of which is preferred to another. There are as many as there
    are sets that hold all that is above their members: each such set is named by its minimal items.

    Parameters
    ----------
    G : DiGraph or scores
        An order.

    Yields
    ------
    list
        The items, sorted by the name of their type and their repr. The antichains come as in a
        dictionary, the empty one first; they begin to come at once, however many there are.

    Raises
    ------
    CycleError
        If `G` has a cycle; when the function is called, not later.

    Examples
    --------
    >>> import porank as po
    >>> list(po.antichains(po.parse("a > b; c")))
    [[], ['a'], ['a', 'c'], ['b'], ['b', 'c'], ['c']]
    >>> [sum(1 for _ in po.antichains(po.boolean_lattice(n))) for n in range(5)]
    [2, 3, 6, 20, 168]

    Notes
    -----
    Time that of the closure, once, and O(n / 64 + k) for each antichain of k items; memory
    n**2 / 8 bytes besides the closure; on a weak order n / 8 bytes for each level reached, and for
    each item of the antichain that has been reached. In an order of width w there are at least 2**w
    of them.
    """
    order = compile_order(G)
    sequence = np.array(numbers_in_order(order.items), dtype=np.int64)
    items = [order.items[i] for i in sequence.tolist()]
    return _extend_each(items, unordered_rows(order, sequence))


def _extend_each(items: list[Item], unordered: Callable[[int], int]) -> Iterator[list[Item]]:
    """Yield the antichains in the sequence of a dictionary, each followed by all that begin so."""
    chosen: list[Item] = []
    # For each item chosen, and before the first: what may still come in its place or after it.
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
        open_rows.append(later & unordered(position))
        yield chosen.copy()


def _zip_layers(order: Order, sequence: Numbers) -> list[list[int]]:
    """Return the chains of a weak order: the first of each layer, the second of each, and so on."""
    chains: list[list[int]] = [[] for _ in range(int(order.sizes.max(initial=0)))]
    for layer in members_of_layers(order.layers, sequence):
        for chain, number in zip(chains, layer.tolist(), strict=False):
            chain.append(number)
    return chains


def _numbered_along(sequence: Numbers, order: Order, relation: Relation) -> Relation:
    """Return the relation with its places given by layer and, within a layer, along a sequence."""
    by_place = sequence[numbered_from_sinks(order.layers[sequence])[0]]
    new_place = inverse_of(by_place)[relation.order].tolist()
    covers: list[list[int]] = [[] for _ in new_place]
    for place, covered in zip(new_place, relation.covers, strict=True):
        covers[place] = [new_place[q] for q in covered]
    return Relation(by_place, covers)


def _follow_down(above: list[int]) -> Iterator[list[int]]:
    """Yield the chains, best first, in which each place comes after the one above it."""
    below = {upper: lower for lower, upper in enumerate(above) if upper >= 0}
    for top, upper in enumerate(above):
        if upper < 0:
            chain = [top]
            while chain[-1] in below:
                chain.append(below[chain[-1]])
            yield chain
