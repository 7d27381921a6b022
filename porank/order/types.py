"""Kinds of orders between a weak order and any partial order, each with the pattern it forbids.

An *interval order* is what arises when items are intervals and one is above another if it lies
wholly higher: an order in which nothing looks like two chains of two side by side (2+2). A
*semiorder* is what arises when items are numbers and one is above another if it exceeds it by more
than a fixed threshold: an interval order in which no item stands beside a chain of three (3+1).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from porank.core.compiled_order import compile_if_acyclic

if TYPE_CHECKING:
    from porank.core.compiled_order import Order
    from porank.typing import OrderLike


def order_type(G: OrderLike) -> str:
    """Return the narrowest type that `G` belongs to.

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
    """Return the narrowest type of a compiled order.

    Examples
    --------
    >>> from porank.core.compiled_order import compile_order
    >>> type_of(compile_order({"a": 1, "b": 1}))
    'weak'
    """
    if order.is_weak:
        return "total" if order.is_total else "weak"
    if has_a_common_line(order):
        return "semiorder"
    return "interval" if has_nested_down_sets(order) else "partial"


def is_interval_order(G: OrderLike) -> bool:
    """Return whether the items of `G` can be intervals, the higher ones above the lower ones.

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
    return order is not None and (order.is_weak or has_nested_down_sets(order))


def is_semiorder(G: OrderLike) -> bool:
    """Return whether the items of `G` can be numbers, one above another if it is larger by enough.

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
    return order is not None and (order.is_weak or has_a_common_line(order))


def has_nested_down_sets(order: Order) -> bool:
    """Return whether of the down-sets of any two items one contains the other.

    Examples
    --------
    >>> from porank.core.compiled_order import compile_order
    >>> has_nested_down_sets(compile_order({"a": 1, "b": 2}))
    True
    """
    rows = sorted(set(order.relation.below), key=int.bit_count)
    return not any(smaller & ~larger for smaller, larger in pairwise(rows))


def has_a_common_line(order: Order) -> bool:
    """Return whether one line of the items sorts both their down-sets and their up-sets.

    Examples
    --------
    >>> from porank.core.compiled_order import compile_order
    >>> has_a_common_line(compile_order({"a": 1, "b": 2}))
    True
    """
    rows = {*zip(order.relation.below, order.relation.above, strict=True)}
    ascending = sorted(rows, key=lambda row: (row[0].bit_count(), -row[1].bit_count()))
    return not any(
        lower_below & ~higher_below or higher_above & ~lower_above
        for (lower_below, lower_above), (higher_below, higher_above) in pairwise(ascending)
    )
