"""Determine the type of an order: total, weak, a semiorder, an interval order, or none of these.

Public: `is_total_order`, `is_weak_order`, `is_semiorder`, `is_interval_order`, `order_type`,
`interval_representation`, `is_series_parallel`, and in `porank.orders` the witnesses
`find_two_plus_two`, `find_three_plus_one` and `find_n`. `is_acyclic` is in `porank.orders.cycles`.

A graph without cycles represents a strict partial order: the pairs (u, v) with a path from u to v.
The order is *weak* if its items fall into levels, each above all later ones, and *total* if no two
items share a level.

Suppose each item is an interval, and an item is above another if its interval lies entirely higher.
Such an order is an *interval order*. It contains no 2+2, which is two chains of two items with no
preference between them. If all intervals have the same length, the order is a *semiorder*: an item
is above another if its number exceeds the other number by more than a fixed threshold. A semiorder
also contains no 3+1, which is a chain of three items and an item unordered to all of them.
"""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import TYPE_CHECKING, Literal, NamedTuple, overload

import numpy as np

from porank.core.arrays import inverse_of, members_of_levels
from porank.core.compiled_order import compile_if_acyclic, compile_order
from porank.core.graphs import shortest_cycle
from porank.core.relation import places_of
from porank.errors import NotApplicableError, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Item, Numbers, OrderLike

    #: Chains of items, each best first.
    Chains = tuple[tuple[Item, ...], ...]


def is_total_order(G: OrderLike) -> bool:
    """Return whether `G` is a total order.

    An order is total if u > v or v > u for any two different items u and v. Orders of no or one
    item are total.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        Any directed graph. If it has a cycle, the result is False.

    Returns
    -------
    bool
        Whether the order is total.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is not a graph.

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
    Time O(n + m). The closure is not computed.
    """
    order = compile_if_acyclic(G)
    return order is not None and order.is_total


def is_weak_order(G: OrderLike) -> bool:
    """Return whether `G` is a weak order (a bucket order).

    An order is weak if being unordered is transitive: if u and v are unordered, and v and w are,
    then so are u and w. Then the items fall into levels, each above all later ones. Total orders
    and antichains are weak.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        Any directed graph. If it has a cycle, the result is False.

    Returns
    -------
    bool
        Whether the order is weak.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is not a graph.

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
    Time O(n + m). An order is weak if and only if there is an edge between any two items in
    adjacent levels, so it suffices to count these edges.
    """
    order = compile_if_acyclic(G)
    return order is not None and order.is_weak


@overload
def order_type(G: OrderLike, *, witness: Literal[False] = False) -> str: ...
@overload
def order_type(G: OrderLike, *, witness: Literal[True]) -> tuple[str, Chains]: ...
def order_type(G: OrderLike, *, witness: bool = False) -> str | tuple[str, Chains]:
    """Return the narrowest type of an order: total, weak, semiorder, interval or partial.

    The types are, from narrow to wide, ``"total"``, ``"weak"``, ``"semiorder"``, ``"interval"`` and
    ``"partial"``. A graph with a cycle is ``"cyclic"``. An order is not of the next narrower type
    if it contains a 1+1, a 2+1, a 3+1 or a 2+2: chains of so many items, with no preference between
    items of different chains.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        Any directed graph.
    witness : bool
        Whether to return items that show why the order is of no narrower type.

    Returns
    -------
    str, or (str, tuple of tuples)
        One of the six names. Orders of no or one item are total. With `witness`, also two chains of
        items, each best first: a 1+1 for weak orders, a 2+1 for semiorders, a 3+1 for interval
        orders, a 2+2 for partial orders; a cycle for cyclic graphs; nothing for total orders.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is not a graph.

    See Also
    --------
    describe, Summary, is_total_order, is_weak_order, is_semiorder

    Examples
    --------
    >>> import porank as po
    >>> texts = ["a > b", "a > b; a > c", "a > b; c", "a > b > c; d", "a > b; c > d", "a > a"]
    >>> [po.order_type(po.parse(text)) for text in texts]
    ['total', 'weak', 'semiorder', 'interval', 'partial', 'cyclic']
    >>> po.order_type(po.parse("tea > milk > water; cola"), witness=True)
    ('interval', (('tea', 'milk', 'water'), ('cola',)))

    Notes
    -----
    Time O(n log n + m), and up to O(n**3 / 64) for a witness.
    """
    order = compile_if_acyclic(G)
    kind = "cyclic" if order is None else type_of(order)
    return (kind, _witness(G, order, kind)) if witness else kind


def _witness(G: OrderLike, order: CompiledOrder | None, kind: str) -> Chains:
    """Return the chains that show why an order of this type is of no narrower type."""
    if order is None:
        return (tuple(shortest_cycle(G) or ()),)
    if kind in ("partial", "interval"):
        return (find_two_plus_two(G) if kind == "partial" else find_three_plus_one(G)) or ()
    return () if kind == "total" else _chain_and_one(order)


def _chain_and_one(order: CompiledOrder) -> Chains:
    """Return a 2+1 of an order, or a 1+1 if there is none."""
    items, below, above = _rows_by_name(order)
    found: Chains = ()
    for a, c in permutations(range(len(items)), 2):
        if (below[a] | above[a]) >> c & 1:
            continue
        # An item below a but not below c is unordered to c.
        if only := below[a] & ~below[c]:
            return (items[a], items[_first(only)]), (items[c],)
        found = found or ((items[a],), (items[c],))
    return found


def type_of(order: CompiledOrder) -> str:
    """Return the narrowest type of a compiled order."""
    if order.is_weak:
        return "total" if order.is_total else "weak"
    if _is_semiorder(order):
        return "semiorder"
    return "interval" if _is_interval_order(order) else "partial"


def is_interval_order(G: OrderLike) -> bool:
    """Return whether `G` is an interval order.

    An order is an interval order if there are numbers low(x) <= high(x) such that u > v if and only
    if low(u) > high(v). Equivalently, for any two items, the down-set of one contains that of the
    other [1]_.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        Any directed graph. If it has a cycle, the result is False.

    Returns
    -------
    bool
        Whether the order is an interval order.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is not a graph.

    See Also
    --------
    find_two_plus_two : returns four items that show why an order is not an interval order.

    Examples
    --------
    >>> import porank as po
    >>> [po.is_interval_order(po.parse(text)) for text in ("a > b > c; d", "a > b; c > d")]
    [True, False]

    Notes
    -----
    Time O(n log n + m). The closure is not computed.

    References
    ----------
    .. [1] P. C. Fishburn, "Intransitive indifference with unequal indifference intervals", Journal
       of Mathematical Psychology 7(1), 1970, pp. 144-149.
       https://doi.org/10.1016/0022-2496(70)90062-3
    """
    order = compile_if_acyclic(G)
    return order is not None and _is_interval_order(order)


def is_semiorder(G: OrderLike) -> bool:
    """Return whether `G` is a semiorder.

    An order is a semiorder if there are numbers s(x) such that u > v if and only if
    s(u) - s(v) > 1 [1]_. Equivalently, of any two items, one has a down-set that contains the
    down-set of the other, and an up-set that is contained in the up-set of the other.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        Any directed graph. If it has a cycle, the result is False.

    Returns
    -------
    bool
        Whether the order is a semiorder.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is not a graph.

    See Also
    --------
    find_three_plus_one, find_two_plus_two : return four items that show why not.

    Examples
    --------
    >>> import porank as po
    >>> po.is_semiorder(po.parse("a > b; c")), po.is_semiorder(po.parse("a > b > c; d"))
    (True, False)

    Notes
    -----
    Time O(n log n + m). The closure is not computed.

    References
    ----------
    .. [1] D. Scott, P. Suppes, "Foundational aspects of theories of measurement", Journal of
       Symbolic Logic 23(2), 1958, pp. 113-128. https://doi.org/10.2307/2964389
    """
    order = compile_if_acyclic(G)
    return order is not None and _is_semiorder(order)


class _Prefixes(NamedTuple):
    """Up-sets as prefixes of one list: the length of each, and the position of each item."""

    lengths: Numbers
    place: Numbers


def nested_up_sets(order: CompiledOrder) -> _Prefixes | None:
    """Return the up-sets of an interval order as prefixes of one list; None for any other order.

    Idea: *nested up-sets grow from level to level, so each contains the list for the levels before.
    Only the items that are new in it are added to the list.*
    """
    n = len(order.items)
    if order.source is None or order.target is None or order.is_weak:
        above = np.cumsum(order.sizes) - order.sizes
        return _Prefixes(above[order.levels], inverse_of(np.argsort(order.levels, kind="stable")))
    by_target = np.argsort(order.target, kind="stable")
    tails = order.source[by_target].tolist()
    start = np.searchsorted(order.target[by_target], np.arange(n + 1)).tolist()
    lengths, place, listed = [0] * n, [n] * n, 0
    for level in members_of_levels(order.levels):
        grown = []
        for item in level.tolist():
            above = tails[start[item] : start[item + 1]]
            length = max(map(lengths.__getitem__, above), default=0)
            # above contains the longest prefix; it must contain the rest of the list, too.
            if sum(length <= place[u] < listed for u in above) < listed - length:
                return None
            grown.append(({u for u in above if place[u] == n}, item))
        grown.sort(key=lambda pair: len(pair[0]))
        if not all(one <= other for (one, _), (other, _) in pairwise(grown)):
            return None
        for added, item in grown:
            for u in added:
                if place[u] == n:
                    place[u], listed = listed, listed + 1
            lengths[item] = listed
    return _Prefixes(np.array(lengths), np.array(place))


def _is_interval_order(order: CompiledOrder) -> bool:
    return order.memo(nested_up_sets) is not None


def _is_semiorder(order: CompiledOrder) -> bool:
    """Return whether an order is a semiorder: one sorting of items sorts up-sets and down-sets."""
    nested = order.memo(nested_up_sets)
    if nested is None:
        return False
    above, n = nested.lengths, len(order.items)
    # below(x) = number of items with more than place(x) items above them
    below = n - np.searchsorted(np.sort(above), nested.place, side="right")
    return bool(np.all(np.diff(below[np.lexsort((-below, above))]) <= 0))


def find_two_plus_two(G: OrderLike) -> tuple[tuple[Item, Item], tuple[Item, Item]] | None:
    """Return a 2+2, which proves that an order is not an interval order, or None.

    A 2+2 consists of four items with a > b and c > d, such that neither of a and b is comparable to
    c or d. An order is an interval order if and only if it contains no 2+2.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.

    Returns
    -------
    ((a, b), (c, d)) or None
        The four items. If there are several 2+2, the choice is by type name and repr: first of a,
        then of c, b and d.

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
    >>> po.orders.find_two_plus_two(po.parse("a > b > e; c > d > e"))
    (('a', 'b'), ('c', 'd'))

    Notes
    -----
    Time O(n log n + m) if there is no 2+2, otherwise the time of the closure and up to O(n**3 /
    64), because all pairs of items may have to be compared.
    """
    order = compile_order(G)
    if _is_interval_order(order):
        return None
    items, below, _ = _rows_by_name(order)
    a, c = next(
        (i, j)
        for i, row in enumerate(below)
        for j, other in enumerate(below)
        if row & ~other and other & ~row
    )
    b, d = _first(below[a] & ~below[c]), _first(below[c] & ~below[a])
    return (items[a], items[b]), (items[c], items[d])


def find_three_plus_one(G: OrderLike) -> tuple[tuple[Item, Item, Item], tuple[Item]] | None:
    """Return a 3+1, which proves that an order is not a semiorder, or None.

    A 3+1 consists of four items with a > b > c and an item d that is not comparable to any of them.
    An interval order is a semiorder if and only if it contains no 3+1.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.

    Returns
    -------
    ((a, b, c), (d,)) or None
        The four items. If there are several 3+1, the choice is by type name and repr: first of b,
        then of d, a and c.

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
    >>> po.orders.find_three_plus_one(po.parse("a > b > c; d"))
    (('a', 'b', 'c'), ('d',))

    Notes
    -----
    Time O(n log n + m) if the order is a semiorder, otherwise the time of the closure and up to
    O(n**3 / 64), because all pairs of items may have to be compared.
    """
    order = compile_order(G)
    if _is_semiorder(order):
        return None
    items, below, above = _rows_by_name(order)
    numbers = range(len(items))
    # An item below b but not below d, and one above b but not above d, are unordered to d.
    found = next(
        ((b, d) for b in numbers for d in numbers if below[b] & ~below[d] and above[b] & ~above[d]),
        None,
    )
    if found is None:
        return None
    b, d = found
    a, c = _first(above[b] & ~above[d]), _first(below[b] & ~below[d])
    return (items[a], items[b], items[c]), (items[d],)


def interval_representation(G: OrderLike) -> dict[Item, tuple[int, int]]:
    """Return intervals that represent an interval order, with the fewest different integers.

    The result maps each item x to (low(x), high(x)) such that u > v if and only if
    low(u) > high(v).

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An interval order.

    Returns
    -------
    dict
        Item -> (low, high), integers from 0 on. Each integer is the low end of some interval and
        the high end of some interval.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    NotApplicableError
        If `G` is not an interval order. The message names a 2+2.

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
    Time O(n log n + m). Number the different down-sets by size, from 0 on [1]_. The low end of x is
    the number of its own down-set, and its high end is the number of the largest down-set that does
    not contain x.

    References
    ----------
    .. [1] T. L. Greenough, "Representation and enumeration of interval orders and semiorders",
       Ph.D. thesis, Dartmouth College, 1976.
    """
    order = compile_order(G)
    nested = order.memo(nested_up_sets)
    if nested is None:
        chains = " and ".join(f"{quoted(u)} > {quoted(v)}" for u, v in find_two_plus_two(G) or ())
        raise NotApplicableError(f"expected an interval order, found the 2+2 {chains}")
    different = np.unique(nested.lengths)
    high = different.size - 1 - np.searchsorted(different, nested.lengths)
    low = different.size - np.searchsorted(different, nested.place, side="right")
    return dict(zip(order.items, zip(low.tolist(), high.tolist(), strict=True), strict=True))


def is_series_parallel(G: OrderLike) -> bool:
    """Return whether `G` is series-parallel: made of single items by disjoint and ordinal sums.

    An order is series-parallel if and only if it contains no N [1]_: no four items with a > c,
    b > c and b > d, of which all other pairs are unordered.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        Any directed graph. If it has a cycle, the result is False.

    Returns
    -------
    bool
        Whether the order is series-parallel, as is every weak order.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is not a graph.

    See Also
    --------
    find_n : returns four items that show why not.
    disjoint_sum, ordinal_sum

    Examples
    --------
    >>> import porank as po
    >>> [po.is_series_parallel(po.parse(text)) for text in ("a > b; c > d", "a > c; b > c; b > d")]
    [True, False]

    Notes
    -----
    Time of the closure, plus O(n**4 / 64) at worst; no time for weak orders.

    References
    ----------
    .. [1] J. Valdes, R. E. Tarjan, E. L. Lawler, "The recognition of series parallel digraphs",
       SIAM Journal on Computing 11(2), 1982, pp. 298-313. https://doi.org/10.1137/0211023
    """
    return compile_if_acyclic(G) is not None and find_n(G) is None


def find_n(G: OrderLike) -> tuple[Item, Item, Item, Item] | None:
    """Return an N, which proves that an order is not series-parallel, or None.

    An N consists of four items with a > c, b > c and b > d, of which all other pairs are unordered.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.

    Returns
    -------
    (a, b, c, d) or None
        The four items. If there are several N, the choice is by type name and repr: first of a,
        then of b, d and c.

    Raises
    ------
    CycleError
        If `G` has a cycle.

    See Also
    --------
    is_series_parallel

    Examples
    --------
    >>> import porank as po
    >>> po.orders.find_n(po.parse("a > c > e; b > c; b > d"))
    ('a', 'b', 'c', 'd')

    Notes
    -----
    Time of the closure, plus O(n**4 / 64) at worst; no time for weak orders.
    """
    order = compile_order(G)
    if order.is_weak:
        return None
    items, below, above = _rows_by_name(order)
    for a, b in permutations(range(len(items)), 2):
        if not (below[a] | above[a]) >> b & 1 and (shared := below[a] & below[b]):
            for d in places_of(below[b] & ~below[a]).tolist():
                if found := shared & ~(below[d] | above[d]):
                    return items[a], items[b], items[_first(found)], items[d]
    return None


def _rows_by_name(order: CompiledOrder) -> tuple[Sequence[Item], list[int], list[int]]:
    """Return the items by type name and repr, and those below and above each, as bits."""
    named, _ = order.by_name()
    numbers = np.arange(len(named.items))
    above, below = named.rows(numbers, numbers)
    return named.items, below, above


def _first(row: int) -> int:
    """Return the number of the first item of a row by name."""
    return (row & -row).bit_length() - 1
