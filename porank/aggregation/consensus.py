"""What many orders agree on: the partial order of least loss, and the graph of the majorities.

`consensus_order`, where leaving a pair open has a cost; `majority_graph`, cycles included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porank.abstention.degrees import read_share
from porank.abstention.prediction import predict_order
from porank.abstention.preference_relation import graph_of_pairs
from porank.abstention.votes import count_wins, preference_relation, read_members
from porank.aggregation.costs import Aggregate

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx


def consensus_order(
    orders: Any,
    *,
    abstention_cost: Any,
    counts: Sequence[int] | None = None,
    ties: str = "none",
    seconds: float | None = None,
    progress: bool | None = None,
) -> Aggregate:
    """Return the partial order that its members contradict least, if leaving pairs open has a cost.

    For each member, a pair that the order leaves open costs c, one that it decides as the member
    does costs nothing, and any other 1; the sum over all members is least. If the members are total
    orders it is the sum of their Kendall distances to the order with penalty c.

    Parameters
    ----------
    orders : iterable of DiGraph or scores, two-dimensional array, frame, or Profile
        The members, orders of the same items. The rows of an array or a frame are scores; the
        columns of a frame are the items.
    abstention_cost : number in (0, 1]
        The cost c.
    counts : sequence of int, optional
        How often each order occurs, by default once; 0 leaves an order out.
    ties : {"none", "half"}
        What is right about deciding a pair that the member leaves open: nothing, so that it costs
        1, or half, so that it costs 1/2.
    seconds : number from 0 on, optional
        Search no longer, and return the best order found.
    progress : bool, optional
        A bar: by default, after two seconds and where somebody sees it.

    Returns
    -------
    Aggregate
        The closed order, its edges and itself with the attributes that `predict_order` gives them;
        the cost, a Fraction; and the gap: so much less the least cost may be, 0 for an optimum.

    Raises
    ------
    CycleError
        If a member has a cycle; the error says which.
    ItemMismatchError
        If the members have different items; `align` brings two of them together.
    MissingExtraError
        If the order has to be searched for and SciPy is not installed.
    PorankError
        If there is no member, or an option is none.

    Examples
    --------
    >>> import porank as po
    >>> votes = [po.from_ranking(ranking) for ranking in ("abc", "acb", "bac")]
    >>> found = po.consensus_order(votes, abstention_cost=0.4)
    >>> sorted(found.order.edges), found.cost, found.gap
    ([('a', 'b'), ('a', 'c'), ('b', 'c')], Fraction(2, 1), Fraction(0, 1))
    >>> found = po.consensus_order(votes, abstention_cost=0.2)
    >>> sorted(found.order.edges), str(found.cost)
    ([('a', 'c')], '6/5')

    Notes
    -----
    Time O(n**2 k) for k members, and that of `predict_order` with an abstention cost: a closure, or
    an integer program. A member that leaves many pairs open makes it cheap to leave them open with
    ``ties="none"``. For costs from 1/2 on, ordering a pair costs no more than leaving it open, as
    far as the pair itself goes, if every member decides every pair or with ``ties="half"``; yet the
    order need not be total, since a pair may force others.
    """
    cost = read_share(abstention_cost, name="an abstention cost")
    P = preference_relation(orders, counts=counts, ties=ties, progress=progress)
    order = predict_order(P, abstention_cost=cost, seconds=seconds, progress=progress)
    loss, gap = order.graph["loss"], order.graph["gap"]
    return Aggregate(order, P.n_members * loss, P.n_members * gap)


def majority_graph(
    orders: Any, *, counts: Sequence[int] | None = None, progress: bool | None = None
) -> nx.DiGraph:
    """Return the graph with an edge u -> v where more members prefer u to v than v to u.

    A majority need not be one of all members: those that leave the pair open do not count. The
    graph may have cycles, even if no member has.

    Parameters
    ----------
    orders : iterable of DiGraph or scores, two-dimensional array, frame, or Profile
        The members, orders of the same items, as for `preference_relation`.
    counts : sequence of int, optional
        How often each order occurs, by default once; 0 leaves an order out.
    progress : bool, optional
        A bar: by default, after two seconds and where somebody sees it.

    Returns
    -------
    DiGraph
        Items as in the first member. Each edge has the attributes ``wins``, the number of members
        that prefer u to v, and ``margin``, that number less the number of those that prefer v.

    Raises
    ------
    CycleError
        If a member has a cycle; the error says which.
    ItemMismatchError
        If the members have different items.
    PorankError
        If there is no member, a count is none, or more than 10**7 edges would be written.

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
    Time O(n**2 k) comparisons of small integers for k members, and O(m) to write m edges. Of a
    `PreferenceRelation` P of members that are all total the edges are those of ``P.cut(alpha)`` for
    the least degree alpha above 1/2. `condense` draws the knots of the graph together.
    From knots of up to 16 items `break_cycles` on ``margin`` drops as little margin in all as
    the order of least cost, `kemeny`, decides against; from larger ones, which it does not search
    through, it may drop more.
    """
    members = read_members(orders, counts=counts, progress=progress)
    wins = count_wins(members, progress=progress)
    is_edge = wins > wins.T
    won = wins[is_edge]
    return graph_of_pairs(
        members.items,
        is_edge,
        instead="preference_relation has all wins",
        wins=won.tolist(),
        margin=(won - wins.T[is_edge]).tolist(),
    )
