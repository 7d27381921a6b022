"""Make orders of several orders: sums, products, and one order first and then the next.

Public: `disjoint_sum`, `ordinal_sum`, `product`, `lexicographic`. `intersection` is in
`porank.orders.algebra`.

Tied items are equal: a sum keeps the ties, in a product two items are tied if they are equal or
tied in each part, and `lexicographic` asks the next order only about tied items.

Idea: *write an order as two Boolean matrices: which item is above which, and which are equal. The
matrices of a sum have those of its parts as blocks; those of a product are Kronecker products.*
"""

from __future__ import annotations

from collections import Counter
from itertools import product as tuples
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from porank.core.graphs import graph_of, refuse_large, require_memory
from porank.core.relation import relate_matrix
from porank.errors import PorankError, listed
from porank.orders.algebra import compile_each, compile_same_items

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx
    from numpy.typing import NDArray

    from porank.typing import Item, Numbers, OrderLike

    _Matrix = NDArray[np.bool_]

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
        If no order is given, two orders share an item, or the result is too large.

    See Also
    --------
    ordinal_sum, product, is_series_parallel

    Examples
    --------
    >>> import porank as po
    >>> po.disjoint_sum(po.parse("coffee > juice"), po.parse("pasta > rice"))
    coffee > juice; pasta > rice
    >>> list(po.disjoint_sum(po.chain(2), po.chain(1), pairs=True))
    [(1, 0), (1, 1), (2, 0)]

    Notes
    -----
    Time of the closures and the reduction; 2 n**2 bytes of memory for a result of n items.
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
        If no order is given, two orders share an item, or the result is too large.

    See Also
    --------
    disjoint_sum, lexicographic, is_series_parallel

    Examples
    --------
    >>> import porank as po
    >>> po.ordinal_sum(po.parse("coffee; juice"), po.parse("pasta > rice"))
    coffee > pasta > rice; juice > pasta

    Notes
    -----
    Time of the closures and the reduction; 2 n**2 bytes of memory for a result of n items.
    """
    return _sum(orders, pairs=pairs, name="ordinal_sum")


def _sum(orders: tuple[OrderLike, ...], *, pairs: bool, name: str) -> nx.DiGraph:
    """Return the sum of this name."""
    compiled = compile_each(orders, name=name)
    numbered = ((k, x) for k, order in enumerate(compiled, start=1) for x in order.items)
    items: list[Item] = list(numbered) if pairs else [x for _, x in numbered]
    if shared := [item for item, times in Counter(items).items() if times > 1]:
        raise PorankError(
            f"expected different items in each order, found {listed(shared)} in several",
            hint="pairs=True makes them pairs (number of the order, item)",
        )
    above, equal = _matrices(len(items))
    end = 0
    for order in compiled:
        start, end = end, end + len(order.items)
        above[start:end, start:end] = order.matrix()
        above[start:end, end:] = name == "ordinal_sum"
        equal[start:end, start:end] = _equal(order.tie)
    return _graph_of_matrices(items, above, equal)


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
        If no order is given, or the result is too large.

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
    Time of the closures and the reduction; 2 n**2 bytes of memory for a result of n items.
    """
    compiled = compile_each(orders, name="product")
    _matrices(prod(len(order.items) for order in compiled))
    at_least = equal = np.ones((1, 1), dtype=bool)
    for order in compiled:
        same = _equal(order.tie)
        at_least, equal = np.kron(at_least, order.matrix() | same), np.kron(equal, same)
    items = list(tuples(*(order.items for order in compiled)))
    return _graph_of_matrices(items, at_least & ~equal, equal)


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
        If no order is given, or the result is too large.

    See Also
    --------
    intersection : treats all orders alike.
    ordinal_sum, product

    Examples
    --------
    The lowest price first; among equal prices, what two testers agree on:

    >>> import porank as po
    >>> price = po.from_ranks({"Ada": 300, "Bit": 250, "Cay": 250, "Dot": 250})
    >>> testers = po.parse("Ada > Bit > Cay; Ada > Dot")
    >>> po.lexicographic(price, testers)
    Bit > Cay > Ada; Dot > Ada

    Notes
    -----
    Time of the closures and the reduction; 2 n**2 bytes of memory for n items.
    """
    compiled = compile_same_items(orders, name="lexicographic")
    items = compiled[0].items
    above, tied_so_far = _matrices(len(items))
    tied_so_far[:] = True
    for order in compiled:
        index = np.array([order.number[item] for item in items], dtype=np.int64)
        # u > v if u and v are tied in all orders so far, and u > v in this one
        above |= tied_so_far & order.matrix()[np.ix_(index, index)]
        tied_so_far &= _equal(order.tie[index])
    return _graph_of_matrices(items, above, tied_so_far)


def _matrices(n: int) -> tuple[_Matrix, _Matrix]:
    """Return two empty matrices for the items of a result, or raise an error if it is too large."""
    require_memory(2 * n * n, what=f"two matrices of {n:,} items", instead=_SMALLER)
    return np.zeros((n, n), dtype=bool), np.zeros((n, n), dtype=bool)


def _equal(tie: Numbers) -> _Matrix:
    """Return which items are tied or the same, from the class of known ties of each."""
    equal: _Matrix = (tie[:, None] == tie) & (tie >= 0)
    return equal | np.eye(tie.size, dtype=bool)


def _graph_of_matrices(items: Sequence[Item], above: _Matrix, equal: _Matrix) -> nx.DiGraph:
    """Return the reduction of an order as a graph, from which item is above or equal to which."""
    relation = relate_matrix(above)
    refuse_large(relation.count_covers(), instead=_SMALLER)
    rows = zip(items, equal, strict=True)
    ties = {item: int(row.argmax()) for item, row in rows if np.count_nonzero(row) > 1}
    return graph_of(items, relation.reduced_rows(), ties=ties)
