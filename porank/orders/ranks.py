"""Compute ranks, levels, height, maximal and minimal items, and the possible ranks of each item.

Public: `maximal_items`, `minimal_items`, `set_ranks`, `levels`, `height`, `rank_intervals`,
`is_graded`, and in `porank.orders` its witness `find_unequal_chains`. The width of an order and its
maximal chains are in `porank.orders.antichains`.

Ranks are defined as by the procedure SetRanks [1]_: maximal items have rank 1, and any other item
is one rank below the lowest item above it.

References
----------
.. [1] B. Ackerman, Y. Chen, "Evaluating Rank Accuracy based on Incomplete Pairwise Preferences",
   UCERSTI 2 workshop at RecSys 2011, CEUR Workshop Proceedings 811, Algorithm 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arrays import members_of_levels
from porank.core.compiled_order import compile_if_acyclic, compile_order
from porank.core.criteria import front_numbers, maximal_rows, read_criteria
from porank.core.progress import track
from porank.core.scores import Ranks

if TYPE_CHECKING:
    from collections.abc import Callable

    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Item, Numbers, OrderLike


def maximal_items(
    G: Any, *, maximize: Any = None, minimize: Any = None, weights: Any = None
) -> list[Item]:
    """Return the maximal items, to which no item is preferred.

    An item x is maximal if there is no u with u > x. The maximal items are the sources of the
    graph, and the Pareto front of a table: the items that no other item dominates.

    Parameters
    ----------
    G : DiGraph, ranks, scores (larger is better), or table
        An order, or a table that `from_table` reads.
    maximize, minimize, weights
        For a table, as in `from_table`: the columns in which larger and smaller numbers are better,
        and what is known about their weights.

    Returns
    -------
    list
        The maximal items, in the order of `G`.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    PorankError
        If a table, its columns or the weights are invalid, as in `from_table`.

    See Also
    --------
    minimal_items, levels, from_table

    Examples
    --------
    >>> import porank as po
    >>> po.maximal_items(po.parse("a > c; b > c; d"))
    ['a', 'b', 'd']
    >>> table = {"a": {"taste": 3, "price": 2}, "b": {"taste": 3, "price": 4},
    ...          "c": {"taste": 1, "price": 1}}
    >>> po.maximal_items(table, maximize="taste", minimize="price")
    ['a', 'c']

    Notes
    -----
    Time O(n + m). For a table of n rows no edges are made: each maximal row is compared with the
    rows that are left, in time O(n f) for a front of f rows and in memory O(n). The front is also
    called the non-dominated items, or the skyline.
    """
    if not (maximize is None and minimize is None and weights is None):
        items, criteria = read_criteria(G, maximize, minimize, weights)
        return [items[row] for row in maximal_rows(criteria).tolist()]
    order = compile_order(G)
    return [order.items[i] for i in np.flatnonzero(order.levels == 0).tolist()]


def minimal_items(G: OrderLike) -> list[Item]:
    """Return the minimal items, which are preferred to no item.

    An item x is minimal if there is no v with x > v. The minimal items are the sinks of the graph.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.

    Returns
    -------
    list
        The minimal items, in the order of `G`.

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


def set_ranks(G: OrderLike) -> Ranks:
    """Return the rank (longest-path level) of every item; 1 is the best.

    The rank of x is the number of items on a longest path that ends in x. Maximal items have rank
    1, and any other item is one rank below the lowest item above it.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order. Any graph between its reduction and its closure gives the same ranks.

    Returns
    -------
    Ranks
        Item -> rank, an integer from 1 to the `height`. Every function that takes an order reads
        this dictionary as ranks; a plain ``dict`` of it would be read as scores.

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
    Time O(n + m). The function is called SetRanks in [1]_. The procedure printed there visits every
    path, which can take exponential time, and gives maximal items rank 2; the text and the example
    of the paper have rank 1, as here.

    References
    ----------
    .. [1] B. Ackerman, Y. Chen, "Evaluating Rank Accuracy based on Incomplete Pairwise
       Preferences", UCERSTI 2 workshop at RecSys 2011, CEUR Workshop Proceedings 811, Algorithm 1.
    """
    order = compile_order(G)
    return Ranks(zip(order.items, (order.levels + 1).tolist(), strict=True))


def levels(
    G: Any, *, maximize: Any = None, minimize: Any = None, weights: Any = None
) -> list[list[Item]]:
    """Return the levels of an order: the items grouped by rank, best first.

    Level k consists of the items of rank k. Each item is on the highest level that is below the
    levels of all items preferred to it. In a weak order, each item is preferred to all items on
    later levels. In any other order, some items on different levels are unordered.

    Parameters
    ----------
    G : DiGraph, ranks, scores (larger is better), or table
        An order, or a table that `from_table` reads.
    maximize, minimize, weights
        For a table, as in `from_table`: the columns in which larger and smaller numbers are better,
        and what is known about their weights.

    Returns
    -------
    list of list
        The levels, each a list of items in the order of `G`.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    PorankError
        If a table, its columns or the weights are invalid, as in `from_table`.

    See Also
    --------
    maximal_items, minimal_items, set_ranks, height, rank_intervals

    Examples
    --------
    >>> import porank as po
    >>> po.levels({"tea": 3, "coffee": 5, "water": 3})
    [['coffee'], ['tea', 'water']]
    >>> table = {"a": {"taste": 3, "price": 2}, "b": {"taste": 3, "price": 4},
    ...          "c": {"taste": 1, "price": 1}}
    >>> po.levels(table, maximize="taste", minimize="price")
    [['a', 'c'], ['b']]

    Notes
    -----
    Time O(n log n + m). Levels are also called tiers. For a table of n rows no edges are made: two
    columns take O(n log n), and more columns the time of all fronts, one after the other, of
    `maximal_items`.
    """
    if not (maximize is None and minimize is None and weights is None):
        items, criteria = read_criteria(G, maximize, minimize, weights)
        numbers = front_numbers(criteria)
    else:
        order = compile_order(G)
        items, numbers = order.items, order.levels
    groups = track(members_of_levels(numbers), label="levels")
    return [[items[i] for i in group.tolist()] for group in groups]


def height(G: OrderLike) -> int:
    """Return the height of an order: the number of its levels.

    The height is also the number of items of a longest chain x1 > x2 > ... > xk.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.

    Returns
    -------
    int
        The height, from 0 (no items) to n (total order).

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

    Among n items, the best rank of x is ``1 + |{u : u > x}|`` and the worst is
    ``n - |{v : x > v}|``. For each rank in between there is a linear extension in which x has it.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order. Tied items, like incomparable ones, may appear in either order.

    Returns
    -------
    dict
        Item -> (best, worst), integers with 1 <= best <= worst <= n.

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
    Time O(n + m) for weak orders, O(n log n) for scores, otherwise O(n m_red / 64) for m_red edges
    of the reduction, with 3 n**2 / 16 bytes of memory. No linear extension is generated.
    """
    order = compile_order(G)
    best, worst = rank_bounds(order)
    return dict(zip(order.items, zip(best.tolist(), worst.tolist(), strict=True), strict=True))


def rank_bounds(order: CompiledOrder) -> tuple[Numbers, Numbers]:
    """Return the best and the worst rank of each item: 1 + above, and n - below."""
    n = len(order.items)
    if order.is_weak:
        worst = np.cumsum(order.sizes)
        return (worst - order.sizes + 1)[order.levels], worst[order.levels]
    relation = order.relation
    above, below = relation.counts()
    return 1 + above[relation.place], n - below[relation.place]


def is_graded(G: OrderLike) -> bool:
    """Return whether `G` is graded: all of its maximal chains have the same number of items.

    Then the rank of `set_ranks` is a rank function: it is one more for an item than for each item
    that covers it, and all minimal items have the same rank. Some books call an order graded if it
    has any function that changes by one along each cover, which is less.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        Any directed graph. If it has a cycle, the result is False.

    Returns
    -------
    bool
        Whether the order is graded, as is every weak order.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is not a graph.

    See Also
    --------
    find_unequal_chains : returns two maximal chains that show why not.
    maximal_chains, set_ranks, levels

    Examples
    --------
    >>> import porank as po
    >>> po.is_graded(po.divisor_lattice(60)), po.is_graded(po.parse("a > b > d; a > d > e; c > e"))
    (True, False)

    Notes
    -----
    Time of the closure; O(n + m) for weak orders.
    """
    return compile_if_acyclic(G) is not None and find_unequal_chains(G) is None


def find_unequal_chains(G: OrderLike) -> tuple[list[Item], list[Item]] | None:
    """Return a shortest and a longest maximal chain if their lengths differ, or None.

    They prove that an order is not graded.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.

    Returns
    -------
    (shortest, longest) or None
        Two maximal chains, each best first. None if all maximal chains have the same length.

    Raises
    ------
    CycleError
        If `G` has a cycle.

    See Also
    --------
    is_graded, maximal_chains, height

    Examples
    --------
    >>> import porank as po
    >>> po.orders.find_unequal_chains(po.parse("a > b > c; a > d"))
    (['a', 'd'], ['a', 'b', 'c'])

    Notes
    -----
    Time of the closure; O(n + m) for weak orders.
    """
    order, _ = compile_order(G).by_name()
    if order.is_weak:
        return None
    shortest, longest = (_extreme_chain(order, choose) for choose in (min, max))
    return (shortest, longest) if len(shortest) < len(longest) else None


def _extreme_chain(order: CompiledOrder, choose: Callable[..., int]) -> list[Item]:
    """Return a maximal chain of extreme length, chosen from the minimal items up."""
    relation, lengths, below = order.relation, list[int](), list[int]()
    for covered in relation.covers:
        below.append(choose(reversed(covered), key=lengths.__getitem__, default=-1))
        lengths.append(1 + (lengths[below[-1]] if covered else 0))
    tops = relation.place[order.levels == 0].tolist()
    chain = [choose(tops, key=lengths.__getitem__)]
    while below[chain[-1]] >= 0:
        chain.append(below[chain[-1]])
    return [order.items[number] for number in relation.item_at[chain].tolist()]
