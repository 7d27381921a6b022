"""Why an order is no interval order or no semiorder, and the intervals if it is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from porank.core.compiled_order import compile_order
from porank.core.graphs import numbers_in_order
from porank.core.relation import places_of
from porank.errors import NotApplicableError
from porank.order.types import has_a_common_line, has_nested_down_sets

if TYPE_CHECKING:
    from porank.core.compiled_order import Order
    from porank.typing import Item, OrderLike


def find_two_plus_two(G: OrderLike) -> tuple[tuple[Item, Item], tuple[Item, Item]] | None:
    """Return two chains of two that stand side by side, or None if there are none.

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
    if order.is_weak or has_nested_down_sets(order):
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
    """Return a chain of three and an item that stands beside it, or None if there are none.

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
    if order.is_weak or has_a_common_line(order):
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
    """Return the intervals that an interval order stands for, on as few whole numbers as can be.

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
    if not order.is_weak and not has_nested_down_sets(order):
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
    """Return the places whose row neither contains nor is contained in some other row."""
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
    order_of_items = numbers_in_order(order.items)
    return order.relation.place[order_of_items].tolist() if order_of_items else []


def _first_place(row: int, places: list[int]) -> int:
    return next(p for p in places if row >> p & 1)


def _item_at(order: Order, place: int) -> Item:
    return order.items[int(order.relation.order[place])]
