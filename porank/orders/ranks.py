"""Where items stand: extremes, ranks, levels and height, and the ranks that stay possible.

Public: `maximal_items`, `minimal_items`, `set_ranks`, `levels`, `height`, `rank_intervals`. The
width of an order is in `porank.orders.antichains`.

The rank of an item is what the paper's procedure SetRanks gives it [1]_: the maximal items have
rank 1, and every other item stands one rank below the lowest of those above it.

References
----------
.. [1] B. Ackerman, Y. Chen, "Evaluating Rank Accuracy based on Incomplete Pairwise Preferences",
   UCERSTI 2 workshop at RecSys 2011, CEUR Workshop Proceedings 811, Algorithm 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from porank.core.arrays import members_of_levels
from porank.core.compiled_order import compile_order
from porank.core.progress import track
from porank.core.relation import SparseRelation

if TYPE_CHECKING:
    from porank.core.compiled_order import Order
    from porank.typing import Item, Numbers, OrderLike


def maximal_items(G: OrderLike) -> list[Item]:
    """Return the maximal items: those that nothing is preferred to.

    The maximal items are those x with no u > x: the sources of the graph.

    Parameters
    ----------
    G : DiGraph or scores
        An order.

    Returns
    -------
    list
        The items, as they stand in `G`.

    Raises
    ------
    CycleError
        If `G` has a cycle.

    See Also
    --------
    minimal_items, levels

    Examples
    --------
    >>> import porank as po
    >>> po.maximal_items(po.parse("a > c; b > c; d"))
    ['a', 'b', 'd']

    Notes
    -----
    Time O(n + m).
    """
    order = compile_order(G)
    return [order.items[i] for i in np.flatnonzero(order.levels == 0).tolist()]


def minimal_items(G: OrderLike) -> list[Item]:
    """Return the minimal items: those that are preferred to nothing.

    The minimal items are those x with no x > v: the sinks of the graph.

    Parameters
    ----------
    G : DiGraph or scores
        An order.

    Returns
    -------
    list
        The items, as they stand in `G`.

    Raises
    ------
    CycleError
        If `G` has a cycle.

    See Also
    --------
    maximal_items, levels

    Examples
    --------
    >>> import porank as po
    >>> po.minimal_items(po.parse("a > c; b > c; d"))
    ['c', 'd']

    Notes
    -----
    Time O(n + m).
    """
    order = compile_order(G)
    if order.source is None:
        is_minimal = order.levels == order.levels.max(initial=0)
    else:
        is_minimal = np.bincount(order.source, minlength=len(order.items)) == 0
    return [order.items[i] for i in np.flatnonzero(is_minimal).tolist()]


def set_ranks(G: OrderLike) -> dict[Item, int]:
    """Return the rank (longest-path level) of every item, 1 being the best.

    The rank of x is one more than the number of edges of the longest path that ends in x.

    Parameters
    ----------
    G : DiGraph or scores
        An order. Any graph between its reduction and its closure gives the same ranks.

    Returns
    -------
    dict
        Item to rank, a whole number from 1 to `height`.

    Raises
    ------
    CycleError
        If `G` has a cycle.

    See Also
    --------
    levels, height, rank_intervals

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.load_example("table1")
    >>> po.set_ranks(target)
    {'A': 1, 'B': 1, 'C': 2, 'D': 3, 'E': 2}

    Notes
    -----
    Time O(n + m), in one topological pass. The procedure that the paper prints visits every path,
    which takes exponential time on a ladder, and counts one too many: to the letter it gives the
    maximal items rank 2, where the paper's text and example have 1.

    References
    ----------
    .. [1] B. Ackerman, Y. Chen, "Evaluating Rank Accuracy based on Incomplete Pairwise
       Preferences", UCERSTI 2 workshop at RecSys 2011, CEUR Workshop Proceedings 811, Algorithm 1.
    """
    order = compile_order(G)
    return dict(zip(order.items, (order.levels + 1).tolist(), strict=True))


def levels(G: OrderLike) -> list[list[Item]]:
    """Return the levels of an order: the items grouped by rank, best first.

    Level k is the set of items of rank k. On a weak order the levels tell the whole order; on any
    other they are one picture of it, which puts every item as high as it can go.

    Parameters
    ----------
    G : DiGraph or scores
        An order.

    Returns
    -------
    list of list
        The levels, none of them empty, items as they stand in `G`.

    Raises
    ------
    CycleError
        If `G` has a cycle.

    See Also
    --------
    maximal_items, minimal_items, set_ranks, height, rank_intervals

    Examples
    --------
    >>> import porank as po
    >>> po.levels({"tea": 3, "coffee": 5, "water": 3})
    [['coffee'], ['tea', 'water']]

    Notes
    -----
    Time O(n log n + m).
    """
    order = compile_order(G)
    items = order.items
    groups = track(members_of_levels(order.levels), label="levels")
    return [[items[i] for i in group.tolist()] for group in groups]


def height(G: OrderLike) -> int:
    """Return the height of an order: the number of its levels.

    The height is the number of items of a longest chain x1 > x2 > ... > xk.

    Parameters
    ----------
    G : DiGraph or scores
        An order.

    Returns
    -------
    int
        From 0, for the empty order, to n, for a total one.

    Raises
    ------
    CycleError
        If `G` has a cycle.

    See Also
    --------
    set_ranks, levels, rank_intervals, width, maximum_antichain

    Examples
    --------
    >>> import porank as po
    >>> [po.height(po.boolean_lattice(n)) for n in range(4)]
    [1, 2, 3, 4]

    Notes
    -----
    Time O(n + m).
    """
    return len(compile_order(G).sizes)


def rank_intervals(G: OrderLike) -> dict[Item, tuple[int, int]]:
    """Return the best and the worst rank of each item over all linear extensions.

    Of n items, x can stand no higher than at ``1 + |{u : u > x}|`` and no lower than at
    ``n - |{v : x > v}|``, and some ranking puts it at each of the ranks between.

    Parameters
    ----------
    G : DiGraph or scores
        An order. Items that are tied may come in either order, as those that are incomparable.

    Returns
    -------
    dict
        Item -> (best, worst), whole numbers with 1 <= best <= worst <= n.

    Raises
    ------
    CycleError
        If `G` has a cycle.

    See Also
    --------
    set_ranks, levels, height, rank_probabilities, expected_ranks

    Examples
    --------
    >>> import porank as po
    >>> po.rank_intervals(po.parse("a > b > c; d > c"))
    {'a': (1, 2), 'b': (2, 3), 'c': (4, 4), 'd': (1, 3)}
    >>> po.rank_intervals({"tea": 3, "coffee": 5, "water": 3})
    {'tea': (2, 3), 'coffee': (1, 1), 'water': (2, 3)}

    Notes
    -----
    Time O(n + m) on a weak order, O(n log n) on scores, else O(n m_red / 64) for m_red edges of the
    reduction, with 3 n**2 / 16 bytes. No ranking is made.
    """
    order = compile_order(G)
    best, worst = rank_bounds(order)
    return dict(zip(order.items, zip(best.tolist(), worst.tolist(), strict=True), strict=True))


def rank_bounds(order: Order) -> tuple[Numbers, Numbers]:
    """Return the best and the worst rank that each item may take: 1 + above and n - below."""
    n = len(order.items)
    if order.is_weak:
        worst = np.cumsum(order.sizes)
        return (worst - order.sizes + 1)[order.levels], worst[order.levels]
    relation = order.relation
    if isinstance(relation, SparseRelation):
        above, below = np.bincount(relation.lower, minlength=n), np.diff(relation.start)
    else:
        above = np.fromiter(map(int.bit_count, relation.above), np.int64, n)
        below = np.fromiter(map(int.bit_count, relation.below), np.int64, n)
    return 1 + above[relation.place], n - below[relation.place]
