"""What an order is: total, weak, a semiorder, an interval order, or none of these, and why not.

Public: `is_total_order`, `is_weak_order`, `is_semiorder`, `is_interval_order`, `order_type`, and
the witnesses `find_two_plus_two`, `find_three_plus_one` and `interval_representation`. Whether a
graph says an order at all, `is_acyclic`, is in `porank.orders.cycles`.

A graph is acyclic if no path returns to its beginning. It then says a strict partial order: the
pairs (u, v) with a path from u to v. The order is *weak* if its items fall into levels, each above
all of the later ones, and *total* if no two items share a level.

An *interval order* is what arises when items are intervals and one is above another if it lies
wholly higher: an order in which nothing looks like two chains of two side by side (2+2). A
*semiorder* is what arises when items are numbers and one is above another if it exceeds it by more
than a fixed threshold: an interval order in which no item stands beside a chain of three (3+1).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from porank.core.compiled_order import compile_if_acyclic, compile_order
from porank.core.graphs import numbers_in_order
from porank.core.relation import places_of
from porank.errors import NotApplicableError

if TYPE_CHECKING:
    from porank.core.compiled_order import Order
    from porank.core.relation import Relation
    from porank.typing import Item, Numbers, OrderLike


def is_total_order(G: OrderLike) -> bool:
    """Return whether `G` is a total order.

    An order is total if u > v or v > u for any two items u and v. The empty order and the order of
    one item are total.

    Parameters
    ----------
    G : DiGraph or scores
        A graph, cyclic or not. On a cycle the answer is False.

    Returns
    -------
    bool

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is no graph at all.

    See Also
    --------
    order_type, is_weak_order, is_semiorder, is_interval_order

    Examples
    --------
    >>> import porank as po
    >>> po.is_total_order(po.parse("a > b > c")), po.is_total_order(po.parse("a > b; a > c"))
    (True, False)
    >>> [po.is_total_order(po.antichain(n)) for n in range(4)]
    [True, True, False, False]

    Notes
    -----
    Time O(n + m), for a graph need not be closed to be counted.
    """
    order = compile_if_acyclic(G)
    return order is not None and order.is_total


def is_weak_order(G: OrderLike) -> bool:
    """Return whether `G` is a weak order (a bucket order).

    An order is weak if being unordered is transitive: if neither u and v nor v and w are ordered,
    neither are u and w. Every total order is weak, and so is every antichain.

    Parameters
    ----------
    G : DiGraph or scores
        A graph, cyclic or not. On a cycle the answer is False.

    Returns
    -------
    bool

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is no graph at all.

    See Also
    --------
    order_type, is_total_order, is_semiorder, is_interval_order

    Examples
    --------
    >>> import porank as po
    >>> po.is_weak_order(po.parse("a > b > d; a > c > d")), po.is_weak_order(po.parse("a > b; c"))
    (True, False)

    Notes
    -----
    Time O(n + m): the order is weak exactly if the edges between neighbouring levels number the sum
    of the products of the sizes of neighbouring levels.
    """
    order = compile_if_acyclic(G)
    return order is not None and order.is_weak


def order_type(G: OrderLike) -> str:
    """Return the narrowest type of an order: total, weak, semiorder, interval or partial.

    The types grow from ``"total"`` through ``"weak"``, ``"semiorder"`` and ``"interval"`` to
    ``"partial"``; a graph that says no order is ``"cyclic"``.

    Parameters
    ----------
    G : DiGraph or scores
        A graph, cyclic or not.

    Returns
    -------
    str
        One of the six names. The empty order and the order of one item are total.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is no graph at all.

    See Also
    --------
    describe, Summary, is_total_order, is_weak_order, is_semiorder

    Examples
    --------
    >>> import porank as po
    >>> texts = ["a > b", "a > b; a > c", "a > b; c", "a > b > c; d", "a > b; c > d", "a > a"]
    >>> [po.order_type(po.parse(text)) for text in texts]
    ['total', 'weak', 'semiorder', 'interval', 'partial', 'cyclic']

    Notes
    -----
    Time O(n + m) on total and weak orders, else that of the closure and O(n**2 / 64).
    """
    order = compile_if_acyclic(G)
    return "cyclic" if order is None else type_of(order)


def type_of(order: Order) -> str:
    """Return the narrowest type of a compiled order."""
    if order.is_weak:
        return "total" if order.is_total else "weak"
    if _has_a_common_line(order):
        return "semiorder"
    return "interval" if _has_nested_down_sets(order) else "partial"


def is_interval_order(G: OrderLike) -> bool:
    """Return whether `G` is an interval order.

    An order is an interval order if there are numbers low(x) <= high(x) with u > v exactly when
    low(u) > high(v); equivalently, if of the down-sets of any two items one contains the other.

    Parameters
    ----------
    G : DiGraph or scores
        A graph, cyclic or not. On a cycle the answer is False.

    Returns
    -------
    bool

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is no graph at all.

    See Also
    --------
    find_two_plus_two : the four items that tell why not.

    Examples
    --------
    >>> import porank as po
    >>> [po.is_interval_order(po.parse(text)) for text in ("a > b > c; d", "a > b; c > d")]
    [True, False]

    Notes
    -----
    Time that of the closure and O(n**2 / 64), for the down-sets sorted by size need only be
    compared with their neighbours.

    References
    ----------
    .. [1] P. C. Fishburn, "Intransitive indifference with unequal indifference intervals", Journal
       of Mathematical Psychology 7(1), 1970, pp. 144-149.
       https://doi.org/10.1016/0022-2496(70)90062-3
    """
    order = compile_if_acyclic(G)
    return order is not None and (order.is_weak or _has_nested_down_sets(order))


def is_semiorder(G: OrderLike) -> bool:
    """Return whether `G` is a semiorder.

    An order is a semiorder if there are numbers s(x) with u > v exactly when s(u) - s(v) > 1;
    equivalently, if of any two items one has at least the other's items below it and at most the
    other's above it.

    Parameters
    ----------
    G : DiGraph or scores
        A graph, cyclic or not. On a cycle the answer is False.

    Returns
    -------
    bool

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is no graph at all.

    See Also
    --------
    find_three_plus_one, find_two_plus_two : the four items that tell why not.

    Examples
    --------
    >>> import porank as po
    >>> po.is_semiorder(po.parse("a > b; c")), po.is_semiorder(po.parse("a > b > c; d"))
    (True, False)

    Notes
    -----
    Time that of the closure and O(n**2 / 64).

    References
    ----------
    .. [1] D. Scott, P. Suppes, "Foundational aspects of theories of measurement", Journal of
       Symbolic Logic 23(2), 1958, pp. 113-128. https://doi.org/10.2307/2964389
    """
    order = compile_if_acyclic(G)
    return order is not None and (order.is_weak or _has_a_common_line(order))


def _has_nested_down_sets(order: Order) -> bool:
    """Return whether an order is an interval order: its down-sets are nested."""
    relation = order.reduced()
    ascending = np.argsort(_row_sizes(relation, upward=False), kind="stable").tolist()
    return _are_nested(relation, ascending, upward=False)


def _has_a_common_line(order: Order) -> bool:
    """Return whether an order is a semiorder: one line sorts its down-sets and its up-sets."""
    relation = order.reduced()
    below, above = (_row_sizes(relation, upward=upward) for upward in (False, True))
    ascending = np.lexsort((-above, below)).tolist()
    return _are_nested(relation, ascending, upward=False) and _are_nested(
        relation, ascending[::-1], upward=True
    )


def _row_sizes(relation: Relation, *, upward: bool) -> Numbers:
    """Return the sizes of the down-sets, or of the up-sets, by place."""
    sizes = np.zeros(len(relation.covers), dtype=np.int64)
    for rows in relation.blocks(upward=upward):
        sizes += np.fromiter(map(int.bit_count, rows), np.int64, len(rows))
    return sizes


def _are_nested(relation: Relation, ascending: list[int], *, upward: bool) -> bool:
    """Return whether each down-set, or each up-set, lies within the next one."""
    return not any(
        rows[smaller] & ~rows[larger]
        for rows in relation.blocks(upward=upward)
        for smaller, larger in pairwise(ascending)
    )


def find_two_plus_two(G: OrderLike) -> tuple[tuple[Item, Item], tuple[Item, Item]] | None:
    """Return a 2+2, two chains of two incomparable with each other, or None.

    A 2+2 is four items with a > b and c > d and nothing else between the two chains. An order
    without it is an interval order.

    Parameters
    ----------
    G : DiGraph or scores
        An order.

    Returns
    -------
    ((a, b), (c, d)) or None
        Of all such items, a is the first by (type name, repr), then c, b and d.

    Raises
    ------
    CycleError
        If `G` has a cycle.

    See Also
    --------
    is_interval_order

    Examples
    --------
    >>> import porank as po
    >>> po.find_two_plus_two(po.parse("a > b > e; c > d > e"))
    (('a', 'b'), ('c', 'd'))

    Notes
    -----
    Time that of the closure and O(n**2 / 64).
    """
    order = compile_order(G)
    if order.is_weak or _has_nested_down_sets(order):
        return None
    below = order.relation.below
    places = _places_in_order(order)
    crossing = _crossing_places(below)
    a = next(p for p in places if p in crossing)
    c = next(p for p in places if below[a] & ~below[p] and below[p] & ~below[a])
    b = _first_place(below[a] & ~below[c], places)
    d = _first_place(below[c] & ~below[a], places)
    return (_item_at(order, a), _item_at(order, b)), (_item_at(order, c), _item_at(order, d))


def find_three_plus_one(G: OrderLike) -> tuple[tuple[Item, Item, Item], tuple[Item]] | None:
    """Return a 3+1, a chain of three and an item incomparable with all of it, or None.

    A 3+1 is four items with a > b > c, and d neither above nor below any of the three. An interval
    order without it is a semiorder.

    Parameters
    ----------
    G : DiGraph or scores
        An order.

    Returns
    -------
    ((a, b, c), (d,)) or None
        Of all such items, b is the first by (type name, repr), then d, a and c.

    Raises
    ------
    CycleError
        If `G` has a cycle.

    See Also
    --------
    is_semiorder

    Examples
    --------
    >>> import porank as po
    >>> po.find_three_plus_one(po.parse("a > b > c; d"))
    (('a', 'b', 'c'), ('d',))

    Notes
    -----
    Time that of the closure and O(n**2 / 64) if the order is a semiorder, else up to
    O(n**3 / 64), for every two items may have to be compared.
    """
    order = compile_order(G)
    if order.is_weak or _has_a_common_line(order):
        return None
    below, above = order.relation.below, order.relation.above
    places = _places_in_order(order)
    # What is below b and not below d, and above b and not above d, also stands beside d.
    found = next(
        ((b, d) for b in places for d in places if below[b] & ~below[d] and above[b] & ~above[d]),
        None,
    )
    if found is None:
        return None
    b, d = found
    a = _first_place(above[b] & ~above[d], places)
    c = _first_place(below[b] & ~below[d], places)
    return (_item_at(order, a), _item_at(order, b), _item_at(order, c)), (_item_at(order, d),)


def interval_representation(G: OrderLike) -> dict[Item, tuple[int, int]]:
    """Return an interval representation of an interval order on the fewest whole numbers.

    It is a map x -> (low(x), high(x)) with u > v exactly when low(u) > high(v).

    Parameters
    ----------
    G : DiGraph or scores
        An interval order.

    Returns
    -------
    dict
        Item to (low, high), whole numbers from 0 on, each of which is the low end of some interval
        and the high end of some.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    NotApplicableError
        If `G` is no interval order; the message names a 2+2.

    See Also
    --------
    is_interval_order, from_intervals

    Examples
    --------
    >>> import porank as po
    >>> po.interval_representation(po.parse("a > b > c; d"))
    {'a': (2, 2), 'b': (1, 1), 'c': (0, 0), 'd': (0, 2)}

    Notes
    -----
    Time that of the closure and O(n**2). The low end of x is the number of different down-sets
    smaller than that of x; its high end is that of the largest down-set that x is not in.

    References
    ----------
    .. [1] T. L. Greenough, "Representation and enumeration of interval orders and semiorders",
       Ph.D. thesis, Dartmouth College, 1976.
    """
    order = compile_order(G)
    if not order.is_weak and not _has_nested_down_sets(order):
        chains = " and ".join(f"{u!r} > {v!r}" for u, v in find_two_plus_two(G) or ())
        raise NotApplicableError(f"expected an interval order, found {chains} side by side")
    if order.is_weak:
        points = (order.layers.max(initial=0) - order.layers).tolist()
        return {item: (point, point) for item, point in zip(order.items, points, strict=True)}
    below = order.relation.below
    down_sets = sorted(set(below), key=int.bit_count)
    low_of = {row: low for low, row in enumerate(down_sets)}
    high = [len(down_sets) - 1] * len(below)
    for low in range(1, len(down_sets)):
        for p in places_of(down_sets[low] & ~down_sets[low - 1]).tolist():
            high[p] = low - 1
    places = order.relation.place.tolist()
    return {item: (low_of[below[p]], high[p]) for item, p in zip(order.items, places, strict=True)}


def _crossing_places(rows: list[int]) -> set[int]:
    """Return the places whose down-set is not nested with some other: those of a 2+2."""
    by_size = sorted(set(rows), key=int.bit_count)
    crossing = set()
    union = 0
    for row in by_size:
        if union & ~row:
            crossing.add(row)
        union |= row
    common = -1
    for row in reversed(by_size):
        if row & ~common:
            crossing.add(row)
        common &= row
    return {p for p, row in enumerate(rows) if row in crossing}


def _places_in_order(order: Order) -> list[int]:
    """Return the places, sorted by (type name, repr) of the items that hold them."""
    places: list[int] = order.relation.place[numbers_in_order(order.items)].tolist()
    return places


def _first_place(row: int, places: list[int]) -> int:
    return next(p for p in places if row >> p & 1)


def _item_at(order: Order, place: int) -> Item:
    return order.items[int(order.relation.order[place])]
