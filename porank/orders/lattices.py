"""Find joins and meets, tell lattices from other orders, and make the lattice of ideals.

Public: `join`, `meet`, `is_lattice`, `is_distributive`, `is_modular`, `ideal_lattice`, and in
`porank.orders` the witnesses `find_missing_bound` and `find_pentagon_or_diamond`.

An upper bound of some items is above each of them or equal to it. The *join* is the least upper
bound, the *meet* the greatest lower bound. A *lattice* is an order in which any two items have a
join and a meet.

Idea: *take the set of x and all items above x. The common upper bounds of u and v are the
intersection of their two sets. Their least member z is above nothing else in it, so the
intersection is the set of z.* The sets are rows of bits, and a dictionary finds z by its set.

Idea: *a lattice is distributive if and only if no two items have the same join and the same meet
with a third one. If two such items are comparable, the five items are a pentagon; if all three have
the same joins and meets, they are a diamond.*
"""

from __future__ import annotations

from collections import defaultdict
from functools import reduce
from itertools import combinations, islice, permutations
from operator import and_
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arguments import require_count
from porank.core.compiled_order import compile_if_acyclic, compile_order, require_items
from porank.core.graphs import graph_of
from porank.core.relation import places_of
from porank.errors import NotApplicableError, PorankError, listed
from porank.orders.antichains import antichains
from porank.orders.closure import down_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import networkx as nx

    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Item, OrderLike

_COMPLETE = "macneille_completion(G) adds the missing bounds"


class _Side(NamedTuple):
    """For each item, itself and all items above it (or all below it), as bits."""

    bound: str
    side: str
    rows: list[int]
    item_of: dict[int, int]

    def of(self, u: int, v: int) -> int | None:
        """Return the join (or meet) of two items, or None."""
        return self.item_of.get(self.rows[u] & self.rows[v])

    def closest(self, common: int) -> list[int]:
        """Return the minimal (or maximal) items of a set of common bounds."""
        bounds = places_of(common).tolist()
        # A minimal bound is in the set of no other bound.
        return [x for x in bounds if sum(self.rows[y] >> x & 1 for y in bounds) == 1]


def _sides(order: CompiledOrder) -> list[_Side]:
    """Return the upper and the lower side of a compiled order."""
    numbers = np.arange(len(order.items))
    both = ([1 << x | row for x, row in enumerate(rows)] for rows in order.rows(numbers, numbers))
    names = (("join", "upper"), ("meet", "lower"))
    return [
        _Side(*name, rows, {row: x for x, row in enumerate(rows)})
        for name, rows in zip(names, both, strict=True)
    ]


def join(G: OrderLike, *items: Item) -> Item:
    """Return the join of items: their least upper bound.

    An upper bound of some items is above each of them or equal to it. The join is the upper bound
    that is below all others.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order. Tied items count as unordered.
    *items : hashable
        Any number of its items.

    Returns
    -------
    hashable
        The join. That of one item is the item itself, and that of no items the item below all
        others.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    PorankError
        If one of the items is not in `G`.
    NotApplicableError
        If there is no join. The message names two minimal upper bounds, or says that there is none.

    See Also
    --------
    meet, is_lattice, find_missing_bound, macneille_completion

    Examples
    --------
    >>> import porank as po
    >>> D = po.divisor_lattice(60)
    >>> po.join(D, 4, 6), po.join(D, 2, 3, 5)
    (12, 30)
    >>> po.join(po.parse("a > c; a > d; b > c; b > d"), "c", "d")
    Traceback (most recent call last):
    porank.errors.NotApplicableError: expected a join of 'c', 'd', found the closest upper bounds
    'a', 'b'; macneille_completion(G) adds the missing bounds

    Notes
    -----
    Time of the closure at the first call, then O(n / 64) for each item.
    """
    return _bound_of(G, items, side=0)


def meet(G: OrderLike, *items: Item) -> Item:
    """Return the meet of items: their greatest lower bound.

    A lower bound of some items is below each of them or equal to it. The meet is the lower bound
    that is above all others.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order. Tied items count as unordered.
    *items : hashable
        Any number of its items.

    Returns
    -------
    hashable
        The meet. That of one item is the item itself, and that of no items the item above all
        others.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    PorankError
        If one of the items is not in `G`.
    NotApplicableError
        If there is no meet. The message names two maximal lower bounds, or says that there is none.

    See Also
    --------
    join, is_lattice, find_missing_bound, macneille_completion

    Examples
    --------
    >>> import porank as po
    >>> D = po.divisor_lattice(60)
    >>> po.meet(D, 4, 6), po.meet(D, 30, 20, 12)
    (2, 2)

    Notes
    -----
    Time of the closure at the first call, then O(n / 64) for each item.
    """
    return _bound_of(G, items, side=1)


def _bound_of(G: OrderLike, items: Sequence[Item], *, side: int) -> Item:
    """Return the join or meet of items, or raise an error that names two closest bounds."""
    order, _ = compile_order(G).by_name()
    require_items(order.number, items)
    bounds = order.memo(_sides)[side]
    everything = (1 << len(order.items)) - 1
    common = reduce(and_, (bounds.rows[order.number[x]] for x in items), everything)
    if common in bounds.item_of:
        return order.items[bounds.item_of[common]]
    closest = listed(order.items[x] for x in bounds.closest(common)[:2])
    found = f"the closest {bounds.side} bounds {closest}" if closest else f"no {bounds.side} bound"
    raise NotApplicableError(
        f"expected a {bounds.bound} of {listed(items) or 'no items'}, found {found}", hint=_COMPLETE
    )


def is_lattice(G: OrderLike) -> bool:
    """Return whether `G` is a lattice.

    An order is a lattice if any two items have a join, the least upper bound, and a meet, the
    greatest lower bound. The empty order is a lattice.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        Any directed graph. If it has a cycle, the result is False. Tied items count as unordered.

    Returns
    -------
    bool
        Whether the order is a lattice.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is not a graph.

    See Also
    --------
    find_missing_bound : returns two items without a join or a meet.
    is_distributive, is_modular, macneille_completion

    Examples
    --------
    >>> import porank as po
    >>> po.is_lattice(po.divisor_lattice(60)), po.is_lattice(po.parse("a > b; a > c"))
    (True, False)

    Notes
    -----
    Time of the closure, plus O(n**3 / 64).
    """
    return compile_if_acyclic(G) is not None and find_missing_bound(G) is None


def find_missing_bound(G: OrderLike) -> tuple[str, tuple[Item, Item], tuple[Item, ...]] | None:
    """Return two items without a join or a meet, which proves that an order is no lattice, or None.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order. Tied items count as unordered.

    Returns
    -------
    (kind, (u, v), bounds) or None
        The kind is ``"join"`` or ``"meet"``. The bounds are all minimal upper bounds, or all
        maximal lower bounds, of u and v: none, or at least two. Missing joins come first, then the
        choice is by type name and repr of u and v.

    Raises
    ------
    CycleError
        If `G` has a cycle.

    See Also
    --------
    is_lattice, join, meet, macneille_completion

    Examples
    --------
    >>> import porank as po
    >>> po.orders.find_missing_bound(po.parse("a > c; a > d; b > c; b > d"))
    ('join', ('a', 'b'), ())
    >>> po.orders.find_missing_bound(po.parse("top > a; top > b; a > c; a > d; b > c; b > d"))
    ('join', ('c', 'd'), ('a', 'b'))

    Notes
    -----
    Time of the closure, plus O(n**3 / 64).
    """
    order, _ = compile_order(G).by_name()
    items = order.items
    for side in order.memo(_sides):
        for u, v in combinations(range(len(items)), 2):
            if side.of(u, v) is None:
                closest = side.closest(side.rows[u] & side.rows[v])
                return side.bound, (items[u], items[v]), tuple(items[x] for x in closest)
    return None


def is_distributive(G: OrderLike) -> bool:
    """Return whether `G` is a distributive lattice.

    A lattice is distributive if the meet of x and the join of y and z is the join of two meets,
    that of x and y and that of x and z, for all items x, y, z. Equivalently, it contains neither a
    pentagon nor a diamond [1]_. By a theorem of Birkhoff, the finite, non-empty distributive
    lattices are the lattices of ideals.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        Any directed graph. If it is not a lattice, the result is False.

    Returns
    -------
    bool
        Whether the order is a distributive lattice.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is not a graph.

    See Also
    --------
    find_pentagon_or_diamond : returns five items that show why not.
    is_modular, is_lattice, ideal_lattice

    Examples
    --------
    >>> import porank as po
    >>> pentagon = po.parse("top > a > b > bottom; top > c > bottom")
    >>> po.is_distributive(po.divisor_lattice(60)), po.is_distributive(pentagon)
    (True, False)

    Notes
    -----
    Time of the closure, plus O(n**3 / 64).

    References
    ----------
    .. [1] B. A. Davey, H. A. Priestley, "Introduction to Lattices and Order", 2nd edition,
       Cambridge University Press, 2002, chapter 4. https://doi.org/10.1017/CBO9780511809088
    """
    return is_lattice(G) and find_pentagon_or_diamond(G) is None


def is_modular(G: OrderLike) -> bool:
    """Return whether `G` is a modular lattice.

    A lattice is modular if x > z implies that the meet of x and the join of y and z is the join of
    z and the meet of x and y. Equivalently, it contains no pentagon [1]_.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        Any directed graph. If it is not a lattice, the result is False.

    Returns
    -------
    bool
        Whether the order is a modular lattice, as is every distributive one.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is not a graph.

    See Also
    --------
    find_pentagon_or_diamond : returns five items that show why not.
    is_distributive, is_lattice

    Examples
    --------
    >>> import porank as po
    >>> diamond = po.parse("top > a > bottom; top > b > bottom; top > c > bottom")
    >>> po.is_modular(diamond), po.is_distributive(diamond)
    (True, False)

    Notes
    -----
    Time of the closure, plus O(n**3 / 64).

    References
    ----------
    .. [1] B. A. Davey, H. A. Priestley, "Introduction to Lattices and Order", 2nd edition,
       Cambridge University Press, 2002, chapter 4. https://doi.org/10.1017/CBO9780511809088
    """
    return is_lattice(G) and (find_pentagon_or_diamond(G) or ("",))[0] != "pentagon"


def find_pentagon_or_diamond(G: OrderLike) -> tuple[str, tuple[Item, ...]] | None:
    """Return a pentagon (N5) or a diamond (M3), which proves that a lattice is not distributive.

    A pentagon consists of five items of a lattice: a > b and an item c such that a and b have the
    same join with c, and the same meet with c. In a diamond, any two of a, b and c have the same
    join and the same meet. A lattice is modular if and only if it contains no pentagon, and
    distributive if and only if it also contains no diamond.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        A lattice.

    Returns
    -------
    (name, (top, a, b, c, bottom)) or None
        The name is ``"pentagon"``, or ``"diamond"`` if there is no pentagon. The top is the join,
        the bottom the meet. None if the lattice is distributive.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    NotApplicableError
        If `G` is not a lattice. The message names two items without a join or a meet.

    See Also
    --------
    is_modular, is_distributive

    Examples
    --------
    >>> import porank as po
    >>> pentagon = po.parse("top > a > b > bottom; top > c > bottom")
    >>> po.orders.find_pentagon_or_diamond(pentagon)
    ('pentagon', ('top', 'a', 'b', 'c', 'bottom'))
    >>> po.orders.find_pentagon_or_diamond(po.boolean_lattice(3)) is None
    True

    Notes
    -----
    Time of the closure, plus O(n**3 / 64), and up to O(n**3) if many items have the same bounds.
    The choice depends only on the type names and reprs of the items.
    """
    if missing := find_missing_bound(G):
        message = f"expected a lattice, found no {missing[0]} of {listed(missing[1])}"
        raise NotApplicableError(message, hint=_COMPLETE)
    order, _ = compile_order(G).by_name()
    items, (upper, lower) = order.items, order.memo(_sides)
    groups = list(_same_bounds(order))
    for c, top, bottom, group in groups:
        for a, b in permutations(group, 2):
            if lower.rows[a] >> b & 1:
                return "pentagon", tuple(items[x] for x in (top, a, b, c, bottom))
    for a, top, bottom, group in groups:
        for b, c in combinations(group, 2):
            if (upper.of(b, c), lower.of(b, c)) == (top, bottom):
                return "diamond", tuple(items[x] for x in (top, a, b, c, bottom))
    return None


def _same_bounds(order: CompiledOrder) -> Iterator[tuple[int, Any, Any, list[int]]]:
    """Yield an item of a lattice, a join, a meet, and the several items with which it has both."""
    upper, lower = order.memo(_sides)
    numbers = range(len(order.items))
    for x in numbers:
        groups: dict[tuple[Any, Any], list[int]] = defaultdict(list)
        for y in numbers:
            groups[upper.of(x, y), lower.of(x, y)].append(y)
        yield from ((x, *bounds, group) for bounds, group in groups.items() if len(group) > 1)


def ideal_lattice(G: OrderLike, *, max_ideals: int = 100_000) -> nx.DiGraph:
    """Return the lattice of the ideals of an order, larger ones above smaller ones.

    An ideal is here a set of items that contains all items below each of its items. By a theorem of
    Birkhoff [1]_, each finite, non-empty distributive lattice is the lattice of ideals of one
    order, that of its items that cover exactly one other item.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order. Tied items count as unordered.
    max_ideals : int
        Maximum number of ideals. An order of width w has at least 2**w.

    Returns
    -------
    DiGraph
        The transitive reduction. Its items are frozensets, larger ones first. An ideal covers each
        ideal that lacks one of its maximal items.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    PorankError
        If there are more than `max_ideals` ideals.

    See Also
    --------
    is_distributive, antichains, boolean_lattice, macneille_completion

    Examples
    --------
    >>> import porank as po
    >>> L = po.ideal_lattice(po.parse("a > b; c"))
    >>> [sorted(ideal) for ideal in L]
    [['a', 'b', 'c'], ['a', 'b'], ['b', 'c'], ['b'], ['c'], []]
    >>> len(po.ideal_lattice(po.boolean_lattice(3))), po.is_distributive(L)
    (20, True)

    Notes
    -----
    Time O(n + n k) for each ideal with k maximal items. Ideals correspond to antichains: an ideal
    consists of the items of an antichain and all items below them.

    References
    ----------
    .. [1] G. Birkhoff, "Rings of sets", Duke Mathematical Journal 3(3), 1937, pp. 443-454.
       https://doi.org/10.1215/S0012-7094-37-00334-X
    """
    require_count(max_ideals, name="max_ideals", least=1)
    down = {x: down_set(G, x) | {x} for x in compile_order(G).items}
    maximal = {
        frozenset().union(*map(down.__getitem__, antichain)): antichain
        for antichain in islice(antichains(G), max_ideals + 1)
    }
    if len(maximal) > max_ideals:
        raise PorankError(
            f"expected at most {max_ideals:,} ideals, found more",
            hint="raise max_ideals, or take a part of the order with restrict(G, items)",
        )
    L = graph_of(sorted(maximal, key=len, reverse=True))
    L.add_edges_from((ideal, ideal - {x}) for ideal in L for x in maximal[ideal])
    return L
