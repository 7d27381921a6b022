"""Make orders of several orders: sums, products, and one order first and then the next.

Public: `disjoint_sum`, `ordinal_sum`, `product`, `lexicographic`; `is_series_parallel` and, in
`porank.orders`, `find_n`. `intersection` is in `porank.orders.algebra`.

Tied items are equal: a sum keeps the ties, in a product two items are tied if they are equal or
tied in each part, and `lexicographic` asks the next order only about tied items.

Idea: *an item of a product covers another one if it covers it in one part and equals it in all
others.* So the reduction of a product follows from the reductions of its parts.
"""

from __future__ import annotations

from collections import Counter
from itertools import product as tuples
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from porank.core.compiled_order import compile_if_acyclic, compile_order
from porank.core.graphs import graph_of, joined_classes, refuse_large
from porank.core.relation import places_of, relate_matrix
from porank.errors import PorankError, listed
from porank.orders.algebra import compile_each, compile_same_items
from porank.orders.antichains import unordered_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    import networkx as nx

    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Item, Numbers, OrderLike

    #: For each part of a product and each of its items, the numbers of some other items.
    _Parts = list[list[list[int]]]

_SMALLER = "combine smaller orders"


def disjoint_sum(*orders: OrderLike, pairs: bool = False) -> nx.DiGraph:
    """Return the disjoint sum of orders: side by side, with no preference between them.

    The disjoint sum has the items of all orders. An item is above another one if both are in the
    same order, which has the first above the second.

    Parameters
    ----------
    *orders : DiGraph, ranks, or scores (larger is better)
        One or more orders.
    pairs : bool
        Whether the items of the sum are pairs (number of the order, item), with numbers from 1.
        Then orders may share items.

    Returns
    -------
    DiGraph
        The reduction of the sum, with the items of the first order first. Ties are kept.

    Raises
    ------
    CycleError
        If one of the graphs has a cycle.
    PorankError
        If no order is given, two orders share an item, or the result would have more than 10
        million edges.

    See Also
    --------
    ordinal_sum, product, is_series_parallel

    Examples
    --------
    >>> import porank as po
    >>> po.disjoint_sum(po.parse("tea > milk"), po.parse("cake > bread"))
    tea > milk; cake > bread
    >>> list(po.disjoint_sum(po.chain(2), po.chain(1), pairs=True))
    [(1, 0), (1, 1), (2, 0)]

    Notes
    -----
    Time of the reductions.
    """
    return _sum(orders, pairs=pairs, name="disjoint_sum")


def ordinal_sum(*orders: OrderLike, pairs: bool = False) -> nx.DiGraph:
    """Return the ordinal sum of orders: each item of an order above all items of later ones.

    The ordinal sum has the items of all orders. An item is above another one if its order comes
    first, or if both are in the same order, which has the first above the second.

    Parameters
    ----------
    *orders : DiGraph, ranks, or scores (larger is better)
        One or more orders, the best one first.
    pairs : bool
        Whether the items of the sum are pairs (number of the order, item), with numbers from 1.
        Then orders may share items.

    Returns
    -------
    DiGraph
        The reduction of the sum, with the items of the first order first. Ties are kept.

    Raises
    ------
    CycleError
        If one of the graphs has a cycle.
    PorankError
        If no order is given, two orders share an item, or the result would have more than 10
        million edges.

    See Also
    --------
    disjoint_sum, lexicographic, is_series_parallel

    Examples
    --------
    >>> import porank as po
    >>> po.ordinal_sum(po.parse("tea; milk"), po.parse("cake > bread"))
    tea > cake > bread; milk > cake

    Notes
    -----
    Time of the reductions.
    """
    return _sum(orders, pairs=pairs, name="ordinal_sum")


def _sum(orders: tuple[OrderLike, ...], *, pairs: bool, name: str) -> nx.DiGraph:
    """Return the sum of this name."""
    items: list[Item] = []
    rows: list[list[int]] = []
    ties: dict[Item, object] = {}
    lowest: list[int] = []
    for number, order in enumerate(compile_each(orders, name=name), start=1):
        first = len(items)
        items += [(number, item) if pairs else item for item in order.items]
        rows += [[first + below for below in row] for row in order.relation.reduced_rows()]
        ties |= {
            x: (number, c) for x, c in zip(items[first:], order.tie.tolist(), strict=True) if c >= 0
        }
        if name == "ordinal_sum" and len(items) > first:
            best = (first + np.flatnonzero(order.levels == 0)).tolist()
            refuse_large(sum(map(len, rows)) + len(lowest) * len(best), instead=_SMALLER)
            for minimal in lowest:
                rows[minimal] = best
            lowest = [x for x in range(first, len(items)) if not rows[x]]
    if shared := [item for item, times in Counter(items).items() if times > 1]:
        raise PorankError(
            f"expected different items in each order, found {listed(shared)} in several",
            hint="pairs=True makes them pairs (number of the order, item)",
        )
    return graph_of(items, rows, ties=ties)


def product(*orders: OrderLike) -> nx.DiGraph:
    """Return the product of orders: tuples of items, better in at least one place, worse in none.

    A tuple is above another one if in each place its item is above the other's or equal to it, and
    in at least one place above it. Tied items are equal.

    Parameters
    ----------
    *orders : DiGraph, ranks, or scores (larger is better)
        One or more orders.

    Returns
    -------
    DiGraph
        The reduction of the product. Its items are all tuples with one item of each order.

    Raises
    ------
    CycleError
        If one of the graphs has a cycle.
    PorankError
        If no order is given, or the result would have more than 10 million edges.

    See Also
    --------
    intersection : the same for orders on the same items.
    lexicographic, disjoint_sum

    Examples
    --------
    >>> import porank as po
    >>> menu = po.product(po.parse("steak > soup"), po.parse("wine > water"))
    >>> list(menu)
    [('steak', 'wine'), ('steak', 'water'), ('soup', 'wine'), ('soup', 'water')]
    >>> po.is_isomorphic(menu, po.boolean_lattice(2))
    True

    Notes
    -----
    Time of the reductions, and of writing the result.
    """
    compiled = compile_each(orders, name="product")
    equal = [[np.flatnonzero(part == c).tolist() for c in part] for part in map(_classes, compiled)]
    covered = [list(order.relation.reduced_rows()) for order in compiled]
    counts = [[sum(map(len, part)) for part in parts] for parts in (equal, covered)]
    # sum over the parts k of covers(k) times the pairs of equal items in all other parts
    edges = sum(prod(counts[0][:k] + counts[0][k + 1 :]) * each for k, each in enumerate(counts[1]))
    refuse_large(edges, instead=_SMALLER)
    number = {t: k for k, t in enumerate(tuples(*(range(len(part)) for part in equal)))}
    rows = ([number[s] for s in _covered_by(t, equal, covered)] for t in number)
    items: list[Item] = list(tuples(*(order.items for order in compiled)))
    keys = zip(items, tuples(*(_classes(order).tolist() for order in compiled)), strict=True)
    return graph_of(items, rows, ties={item: key for item, key in keys if max(key) >= 0})


def _classes(order: CompiledOrder) -> Numbers:
    """Return the class of known ties of each item; that of an item without ties is negative."""
    return np.where(order.tie >= 0, order.tie, -1 - np.arange(order.tie.size))


def _covered_by(t: tuple[int, ...], equal: _Parts, covered: _Parts) -> Iterator[tuple[int, ...]]:
    """Yield the tuples that one of a product covers: lower in one place, equal in all others."""
    same, lower = (
        [part[i] for part, i in zip(parts, t, strict=True)] for parts in (equal, covered)
    )
    for k in range(len(t)):
        yield from tuples(*same[:k], lower[k], *same[k + 1 :])


def lexicographic(*orders: OrderLike) -> nx.DiGraph:
    """Return the order that asks the first order first, and the next ones only about its ties.

    For orders on the same items, u is above v if the first order in which they are not tied has u
    above v. Items that are incomparable in this order remain incomparable.

    Parameters
    ----------
    *orders : DiGraph, ranks, or scores (larger is better)
        One or more orders on the same items, the most important one first.

    Returns
    -------
    DiGraph
        The reduction, with the items in the order of the first argument. Items are tied if they are
        tied in every order.

    Raises
    ------
    CycleError
        If one of the graphs has a cycle.
    ItemMismatchError
        If the items differ.
    PorankError
        If no order is given, or the result would have more than 10 million edges.

    See Also
    --------
    intersection : treats all orders alike.
    ordinal_sum, product

    Examples
    --------
    The lowest price first; among equal prices, what two testers agree on:

    >>> import porank as po
    >>> price = po.Ranks({"Ada": 300, "Bit": 250, "Cay": 250, "Dot": 250})
    >>> testers = po.parse("Ada > Bit > Cay; Ada > Dot")
    >>> po.lexicographic(price, testers)
    Bit > Cay > Ada; Dot > Ada

    Notes
    -----
    Time of the closures and O(n**2) for each order; n**2 bytes of memory.
    """
    compiled = compile_same_items(orders, name="lexicographic")
    items, tie = compiled[0].items, np.zeros(len(compiled[0].items), dtype=np.int64)
    above = np.zeros((len(items), len(items)), dtype=bool)
    for order in compiled:
        index = np.array([order.number[item] for item in items], dtype=np.int64)
        undecided = (tie[:, None] == tie) & (tie >= 0)
        # u > v if u and v are tied in all orders so far, and u > v in this one
        above |= undecided & order.matrix()[np.ix_(index, index)]
        tie = joined_classes(tie, order.tie[index])
    relation = relate_matrix(above)
    refuse_large(relation.count_covers(), instead=_SMALLER)
    ties = {item: name for item, name in zip(items, tie.tolist(), strict=True) if name >= 0}
    return graph_of(items, relation.reduced_rows(), ties=ties)


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
    order, numbers = compile_order(G).by_name()
    if order.is_weak:
        return None
    _, below = order.rows(np.sort(numbers), np.sort(numbers))
    unordered = unordered_rows(order)
    for a, row in enumerate(unordered):
        for b in places_of(row).tolist() if below[a] else ():
            shared = below[a] & below[b]
            for d in places_of(below[b] & ~below[a]).tolist() if shared else ():
                if found := shared & unordered[d]:
                    c = (found & -found).bit_length() - 1
                    return order.items[a], order.items[b], order.items[c], order.items[d]
    return None
