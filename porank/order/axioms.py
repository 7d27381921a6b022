"""What an order is: the tests that read straight from the definitions.

A graph is acyclic if no path returns to its beginning. It then says a strict partial order: the
pairs (u, v) with a path from u to v. The order is *weak* if its items fall into levels, each above
all of the later ones, and *total* if no two items share a level. The types between a weak order and
any partial order are in `porank.order.types`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from porank.core.compiled_order import compile_if_acyclic

if TYPE_CHECKING:
    from porank.typing import OrderLike


def is_acyclic(G: OrderLike) -> bool:
    """Return whether `G` says an order: whether it is free of cycles.

    `G` is acyclic if it has no path of one edge or more from an item to itself.

    Parameters
    ----------
    G : DiGraph or scores
        A graph, cyclic or not; scores are always acyclic.

    Returns
    -------
    bool

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is no graph at all.

    See Also
    --------
    porank.find_cycle : the cycle that tells why not.

    Examples
    --------
    >>> import porank as po
    >>> po.is_acyclic(po.parse("a > b > c")), po.is_acyclic(po.parse("a > b > a"))
    (True, False)

    Notes
    -----
    Time O(n + m).
    """
    return compile_if_acyclic(G) is not None


def is_total_order(G: OrderLike) -> bool:
    """Return whether `G` puts all items into one ranking.

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
    """Return whether `G` puts all items into levels, each above all of the later ones.

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
