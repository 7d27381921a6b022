"""Voting rules: Borda, Copeland, the best input, the footrule, and the graph of majorities.

Conventions
-----------
The cost of an aggregate is the sum of its distances to the members, each as often as it occurs. The
distance is `partial_kendall_distance` with p = 1/2: a pair that both decide in opposite directions
counts 1, a pair that only one of them decides counts 1/2. So the costs of all methods can be
compared, except those of `footrule_optimal`, which measures positions.

`borda` and `borda_levels`, `copeland`, `best_input`, and `footrule_optimal`, solved by SciPy, are
methods of `porank.aggregation.aggregate`; `majority_graph` may have cycles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.degrees import require_fit
from porank.abstention.ensembles import (
    count_wins,
    matrix_of,
    numbers_of,
    read_members,
    require_complete,
)
from porank.abstention.preference_relation import graph_of_pairs
from porank.aggregation.costs import (
    WHOLE,
    Aggregate,
    graph_of_levels,
    halved,
    read_pair_costs,
    reduced_graph,
)
from porank.core.compiled_order import CompiledOrder
from porank.core.graphs import in_order
from porank.core.progress import interruptible, track
from porank.core.scores import levels_of_values
from porank.measures.pair_table import pair_up
from porank.measures.positions import doubled_positions

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx
    from numpy.typing import NDArray

    from porank.abstention.ensembles import Ensemble
    from porank.aggregation.costs import PairCosts
    from porank.typing import Numbers


#: With more items than this, `borda` makes no matrix of all pairs, and does not know the gap. With
#: a matrix, 20 voters on 10,000 items take 1.5 s instead of .12, and 30,000 items take 5 GB.
_MANY_ITEMS = 2_000


def borda(orders: Any, *, counts: Sequence[int] | None = None) -> Aggregate:
    """Return Borda's order: the weak order by mean position in the members.

    The position of an item in a member is (n + 1) / 2 + (number above - number below) / 2: its rank
    in a ranking, or the mean rank of its level in a weak order. Items with the same mean position
    are tied.

    Parameters
    ----------
    orders : iterable of orders (DiGraph, ranks, scores), two-dimensional array, frame, or Profile
        The members, orders of the same items, as for `preference_relation`.
    counts : sequence of int, optional
        How often each order occurs, by default once; 0 leaves an order out.

    Returns
    -------
    Aggregate
        ``order`` is a weak order with its known ties. ``cost`` is the sum of its
        `partial_kendall_distance` with p = 1/2 to the members. ``gap`` is the cost minus a lower
        bound, the sum of the least cost of each pair; it is None for more than 2,000 items.

    Raises
    ------
    CycleError
        If a member has a cycle; the error names the member.
    ItemMismatchError
        If the members have different items.
    PorankError
        If there are no members, a count is invalid, or the graph would have more than 10**7 edges.

    See Also
    --------
    aggregate, kemeny

    Examples
    --------
    >>> import porank as po
    >>> votes = [po.from_ranking("abc"), po.from_ranking("bca"), po.from_ranking("bac")]
    >>> best = po.borda(votes)
    >>> po.format_order(best.order()), best.cost, best.gap
    ('b > a > c', 2, 0)
    >>> po.borda([po.parse("a > b; c"), po.parse("b > a; c")]).order()
    a ~ b ~ c

    Notes
    -----
    Time O(k n) for k weak orders, O(n**2 / 64) for each other member. The cost takes O(n**2 k)
    comparisons of small integers for up to 2,000 items, and O(k n log n) for more.

    References
    ----------
    .. [1] J.-C. de Borda, "Mémoire sur les élections au scrutin", Histoire de l'Académie royale des
       sciences, 1781, pp. 657-665.
    """
    members = read_members(orders, counts=counts, incomplete=True)
    if len(members.items) > _MANY_ITEMS:
        require_complete(members.orders)
        return _borda_without_matrix(members)
    costs = read_pair_costs(members)
    return costs.price_levels(borda_levels(costs))


def borda_levels(costs: PairCosts) -> Numbers:
    """Return the Borda level of each item, by its mean position, computed from the margins."""
    # The sum over j of w_ij - w_ji is the sum over members of (number below i) - (number above i),
    # which is k (n + 1) - 2 (sum of positions).
    return levels_of_values(costs.margin.sum(axis=1))


def _borda_without_matrix(members: Ensemble) -> Aggregate:
    """Return Borda's aggregate for many items, by sums of positions."""
    items = in_order(members.items)
    n = len(items)
    summed = np.zeros(n, dtype=np.int64)
    voters = list(zip(members.orders, members.counts, strict=True))
    for order, count in track(voters, label="adding"):
        summed += doubled_positions(order)[numbers_of(order, items)] * count
    levels = levels_of_values(-summed)
    aggregate = CompiledOrder(items, levels, tie=levels)
    halves = 0
    for order, count in track(voters, label="comparing"):
        found = pair_up(aggregate, order).counts
        # 2 K^(1/2) = 2 D + A + N.
        halves += count * (2 * found.discordant + found.target_only + found.predicted_only)
    return Aggregate(graph_of_levels(items, levels), halved(halves))


def copeland(orders: Any, *, counts: Sequence[int] | None = None) -> Aggregate:
    """Return Copeland's order: the weak order by contests won minus contests lost.

    Item i wins its contest with j if more members put i above j than j above i. Items with the same
    difference are tied. An item that wins all its contests is alone at the top.

    Notes
    -----
    Time O(n**2 k) comparisons of small integers for k members; memory O(n**2).

    References
    ----------
    .. [1] D. G. Saari, V. R. Merlin, "The Copeland method I: relationships and the dictionary",
       Economic Theory 8, 1996, pp. 51-76. https://doi.org/10.1007/BF01212012
    """
    members = read_members(orders, counts=counts, incomplete=True)
    costs = read_pair_costs(members)
    # Contests won minus contests lost: the sum over j of sign(w_ij - w_ji).
    return costs.price_levels(levels_of_values(np.sign(costs.margin).sum(axis=1)))


def best_input(
    orders: Any,
    *,
    counts: Sequence[int] | None = None,
    weights: Any = None,
    dissimilarity: Any = None,
) -> Aggregate:
    """Return the member with the least total distance to the others.

    The distance is a metric, so no order costs less than half as much.

    ``order`` is the reduction of the member with its known ties, without other attributes. Of
    equally good members, the result is the one that prefers the first item by (type name, repr) to
    the second; if this does not decide, to the third, and so on through all pairs.

    Notes
    -----
    Time O(n**2 k) for k members, memory O(n**2). The mean cost of the members is at most twice the
    lower bound, pair by pair, and the least of these costs is at most the mean. This gives the
    factor 2, and the gap is at most half the cost.

    References
    ----------
    .. [1] N. Ailon, M. Charikar, A. Newman, "Aggregating inconsistent information: ranking and
       clustering", Journal of the ACM 55(5), 2008, article 23.
       https://doi.org/10.1145/1411509.1411513
    """
    members = read_members(orders, counts=counts)
    costs = read_pair_costs(members, weights=weights, dissimilarity=dissimilarity)

    orders = track(members.orders, label="comparing")
    saved = [costs.saved(matrix_of(order, costs.items)) for order in orders]
    most = max(saved) - costs.rounding
    # Of those that save most, the one that decides the first pairs, with items sorted.
    best, *equal = (
        order for order, each in zip(members.orders, saved, strict=True) if each >= most
    )
    if equal:
        best = max(best, *equal, key=lambda order: matrix_of(order, costs.items).tobytes())
    return costs.price(reduced_graph(best), matrix_of(best, costs.items), total=False)


def footrule_optimal(orders: Any, *, counts: Sequence[int] | None = None) -> Aggregate:
    """Return a total order of least total footrule distance to the members.

    Putting an item at rank p costs the sum over members of abs(position in the member - p). Each
    item is assigned a different rank so that the sum of these costs is minimal.

    Notes
    -----
    Time O(k n + n**3) for k members, memory O(n**2), seconds for 2,000 items and minutes for 5,000.
    If all members are weak orders, the result costs at most twice as much as `kemeny` [1]_, because
    the footrule is between K^(1/2), the distance that `kemeny` uses, and 2 K^(1/2) for a total
    order and a weak order. Among equally good orders, the result is the one that the solver finds
    with items sorted by (type name, repr), so it does not depend on the order of members and items.
    There are no weights of items: with weights, the position of an item depends on which items are
    above it, so ranks cannot be assigned one by one.

    References
    ----------
    .. [1] C. Dwork, R. Kumar, M. Naor, D. Sivakumar, "Rank aggregation methods for the Web", WWW10,
       2001, pp. 613-622. https://doi.org/10.1145/371920.372165
    """
    members = read_members(orders, counts=counts)
    items = in_order(members.items)
    voters = np.array(members.counts, dtype=np.float64)[:, None]
    orders = track(members.orders, label="adding")
    positions = np.array([doubled_positions(order)[numbers_of(order, items)] for order in orders])
    ranks = _assigned_ranks(positions, voters)
    cost = halved(int((np.abs(positions - 2 * ranks) * voters).sum()))
    is_exact = 2 * members.total * len(items) ** 2 < WHOLE
    return Aggregate(graph_of_levels(items, ranks), cost, 0 if is_exact else None)


def _assigned_ranks(positions: NDArray[Any], voters: NDArray[Any]) -> Numbers:
    """Return the ranks of the least total footrule, by assigning items to ranks with SciPy.

    Idea: *from one rank to the next, an item's cost grows by the number of voters who have it
    above, minus those who have it below; so the costs at all ranks are sums of sums.*
    """
    from scipy.optimize import linear_sum_assignment

    n = positions.shape[1]
    require_fit(n, bytes_each=16)
    cost = np.zeros((n, n))
    # c_i(p) = the sum over voters v of |2 pos_v(i) - 2 p|, so c_i(p + 1) - c_i(p) =
    # 2 #{v : pos_v(i) <= p} - 2 #{v : pos_v(i) >= p + 1}. An odd doubled position is between two
    # ranks, and counts half for each.
    for place in (positions // 2, (positions + 1) // 2):
        # Changes after the last rank have no effect.
        np.add.at(cost, (np.arange(n), place % n), 2.0 * voters * (place < n))
    np.cumsum(cost[:, 1:], axis=1, out=cost[:, 1:])
    cost[:, 1:] -= 2 * voters.sum()
    cost[:, :1] = (np.abs(positions - 2) * voters).sum(axis=0)[:, None]
    _, ranks = interruptible(linear_sum_assignment, np.cumsum(cost, axis=1, out=cost))
    return np.asarray(ranks) + 1


#: Way out if a graph would have too many edges.
_INSTEAD = "preference_relation(orders).wins has all wins"


def majority_graph(orders: Any, *, counts: Sequence[int] | None = None) -> nx.DiGraph:
    """Return the majority graph, with an edge u -> v if more members prefer u than v.

    Members that do not decide the pair do not count, so a majority need not be one of all members.
    An order of a profile does not decide pairs with items that it lacks; `Profile.completed` puts
    such items last. The graph may have cycles, even if no member has.

    Parameters
    ----------
    orders : iterable of orders (DiGraph, ranks, scores), two-dimensional array, frame, or Profile
        The members, orders of the same items, as for `preference_relation`.
    counts : sequence of int, optional
        How often each order occurs, by default once; 0 leaves an order out.

    Returns
    -------
    DiGraph
        Items as in the first member. Each edge has the attributes ``wins``, the number of members
        that prefer u to v, and ``margin``, that number minus the number of members that prefer v to
        u.

    Raises
    ------
    CycleError
        If a member has a cycle; the error names the member.
    ItemMismatchError
        If the members have different items.
    PorankError
        If there are no members, a count is invalid, or the graph would have more than 10**7 edges.

    See Also
    --------
    net_preferences, aggregate, find_cycle

    Examples
    --------
    >>> import porank as po
    >>> G = po.majority_graph([po.from_ranking(vote) for vote in ("abc", "bca", "cab")])
    >>> po.find_cycle(G)
    ['a', 'b', 'c', 'a']
    >>> G.edges["a", "b"]
    {'wins': 2, 'margin': 1}
    >>> H, dropped = po.break_cycles(G, weight="margin")
    >>> dropped
    [('c', 'a')]

    Notes
    -----
    Time O(n**2 k) comparisons of small integers for k members, and O(m) to write m edges. If all
    members are total, the edges are those of ``P.cut(alpha)`` for their `PreferenceRelation` P and
    the smallest degree alpha above 1/2. `condense` contracts the strongly connected components of
    the graph. In components of up to 16 items, `break_cycles` with ``weight="margin"`` drops a
    total margin equal to that of the edges that `kemeny` reverses. In larger components, which are
    not searched exhaustively, it may drop more.
    """
    members = read_members(orders, counts=counts, incomplete=True)
    wins = count_wins(members)
    is_edge = wins > wins.T
    won = wins[is_edge]
    return graph_of_pairs(
        members.items,
        is_edge,
        instead=_INSTEAD,
        wins=won.tolist(),
        margin=(won - wins.T[is_edge]).tolist(),
    )
