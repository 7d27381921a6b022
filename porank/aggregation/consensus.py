"""Consensus of many orders: an order of least cost in a family, and the majority graph.

The family is that of total, weak or partial orders. A weak order of least cost is found by an
integer program: x_ij is 1 if item i is at least as high as j, and x must be complete and transitive
on any two or three items. Constraints are added when a solution violates them.

`consensus_order`; `majority_graph`, which may have cycles.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.degrees import read_share, require_fit
from porank.abstention.least_loss import least_loss
from porank.abstention.prediction import predict_order
from porank.abstention.preference_relation import PreferenceRelation, graph_of_pairs
from porank.abstention.transitive import read_seconds, search
from porank.abstention.votes import count_wins, preference_relation, read_members, with_counts
from porank.aggregation.costs import Aggregate, PairCosts, read_pair_costs
from porank.aggregation.kemeny import least_total
from porank.aggregation.scoring import borda_levels
from porank.aggregation.search import settled
from porank.core.arguments import require_one_of
from porank.core.graphs import in_order, numbers_in_order, require_digraph
from porank.core.progress import track
from porank.core.scores import levels_of_values
from porank.errors import RESTRICT_DEGREES, PorankError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx
    from numpy.typing import NDArray

    from porank.aggregation.costs import Aim
    from porank.typing import Item


def consensus_order(
    orders: Any,
    *,
    family: str = "partial",
    abstention_cost: Any = None,
    counts: Sequence[int] | None = None,
    ties: str = "none",
    distance: str = "kendall",
    seconds: float | None = None,
) -> Aggregate:
    """Return the order of least cost to the members in a family, by default of partial orders.

    The cost is summed over members and pairs. For a partial order, a pair that it does not decide
    costs c, a pair that it decides as the member does costs 0, and any other pair costs 1. For a
    total or weak order, a pair that both decide alike costs 0, a pair that they decide in opposite
    directions costs 1, and a pair that only one of them decides costs 1/2. If the members are
    total, the cost is the sum of their Kendall distances to the order, with penalty c or 1/2.

    With ``distance="symmetric_difference"``, members may be any relations. The cost is the number
    of pairs (u, v) that are in the member or in the order, but not in both. A weak order contains
    both pairs of tied items; a partial order contains neither pair of incomparable items.

    Parameters
    ----------
    orders : iterable of DiGraph or scores, two-dimensional array, frame, or Profile
        The members, orders of the same items. Rows of an array or a frame are scores; the columns
        of a frame are the items. For the symmetric difference, DiGraphs whose edges are the pairs;
        they may have cycles, are not closed, and may lack items.
    family : {"partial", "weak", "total"}
        Orders among which the result is found: all strict partial orders, weak orders, whose levels
        are ties, or total orders, as for `kemeny`.
    abstention_cost : number in (0, 1], optional
        Cost c of a pair that a partial order does not decide, by default 1/2.
    counts : sequence of int, optional
        How often each order occurs, by default once; 0 leaves an order out.
    ties : {"none", "half"}
        For a partial order: "none" means that deciding a pair that the member does not decide costs
        1, "half" that it costs 1/2.
    distance : {"kendall", "symmetric_difference"}
        Distance that is summed.
    seconds : number, optional
        Time limit of the search, at least 0. The result is then the best order found.

    Returns
    -------
    Aggregate
        The order (a partial order is closed, and has the attributes of `predict_order`); its cost;
        and the gap, the maximum by which the least cost may be smaller: 0 for an optimum. Its
        method ``optima`` lists all orders of least cost.

    Raises
    ------
    CycleError
        If a member has a cycle; the error names the member. Not with the symmetric difference.
    ItemMismatchError
        If the members have different items; `align` gives two of them the same items. Not with the
        symmetric difference.
    GraphTypeError
        If a member is not an order or, with the symmetric difference, not a DiGraph.
    MissingExtraError
        If the order must be searched for and SciPy is not installed.
    PorankError
        If there are no members, or an option is invalid.

    See Also
    --------
    predict_order, abstention_curve, kemeny, local_search, kwiksort

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
    >>> found = po.consensus_order([*votes, po.from_ranking("bca")], family="weak")
    >>> po.format_order(found.order), found.cost, found.gap
    ('a ~ b > c', 4, 0)

    Here are three relations that are not orders. In two of them, a is at least as good as b, and b
    at least as good as a.

    >>> import networkx as nx
    >>> relations = [nx.DiGraph(pairs) for pairs in (["ab", "ba", "ac", "bc"], ["ab", "ba", "bc"])]
    >>> relations.append(nx.DiGraph(["ab", "ca"]))
    >>> for family in ("total", "weak", "partial"):
    ...     found = po.consensus_order(relations, family=family, distance="symmetric_difference")
    ...     print(family, found.cost)
    total 6
    weak 5
    partial 6

    Notes
    -----
    Time O(n**2 k) for k members, plus the time of `predict_order` with an abstention cost: a
    closure, or an integer program. With ``ties="none"``, members that decide few pairs make it
    cheap not to decide them. If c >= 1/2, and every member decides every pair or ``ties="half"``,
    deciding a pair never costs more than not deciding it. Still, the order need not be total,
    because a pair may imply others. A weak order is first searched for as by `local_search`. If its
    cost does not equal the sum of the least costs of all pairs, an integer program follows, in time
    that is not bounded by a polynomial.
    """
    require_one_of(family, ("partial", "weak", "total"), name="family")
    require_one_of(distance, ("kendall", "symmetric_difference"), name="distance")
    if family != "partial" or distance != "kendall":
        _require_no_options(family, distance, abstention_cost, ties)
    if distance != "kendall":
        return _consensus_of_relations(orders, family, counts, seconds)
    if family != "partial":
        members = read_members(orders, counts=counts, incomplete=True)
        return _LEAST[family](read_pair_costs(members), seconds=seconds)
    cost = Fraction(1, 2)
    if abstention_cost is not None:
        cost = read_share(abstention_cost, name="an abstention cost")
    P = preference_relation(orders, counts=counts, ties=ties)
    order = predict_order(P, abstention_cost=cost, seconds=seconds)
    loss, gap = order.graph["loss"], order.graph["gap"]
    return Aggregate(order, P.n_members * loss, P.n_members * gap, partial(_aim_of, P, cost))


def _aim_of(P: PreferenceRelation, cost: Fraction) -> Aim:
    """Return what a partial consensus maximises: gains as integers."""
    line, parts = numbers_in_order(P.items), math.lcm(P.unit, cost.denominator)
    # Python integers, which cannot overflow.
    gains = P.strength.astype(object) * (parts // P.unit) - int((1 - cost) * parts)
    np.fill_diagonal(gains, 0)
    return "partial", [P.items[number] for number in line], gains[np.ix_(line, line)]


def _require_no_options(family: str, distance: str, abstention_cost: Any, ties: str) -> None:
    """Raise an error for options that only a partial consensus by Kendall's distance has."""
    where = f"{family=}" if distance == "kendall" else f"{distance=}"
    if abstention_cost is not None:
        raise PorankError(f"expected no abstention_cost with {where}, found {abstention_cost!r}")
    if ties != "none":
        raise PorankError(f"expected no ties with {where}, found {ties!r}")


def _consensus_of_relations(relations: Any, family: str, counts: Any, seconds: Any) -> Aggregate:
    """Return the consensus of relations, with the least symmetric difference to them.

    For a partial order, the gain of a pair is the number of members with it minus that of members
    without it. Up to a factor, this is its degree minus 1/4, if a pair in all members has the
    degree 1/2, so no two degrees sum to more than 1.
    """
    items, held, total = _count_pairs(relations, counts)
    pairs = math.comb(len(items), 2)
    if family == "partial":
        P, cost = PreferenceRelation(items, held, 2 * total), Fraction(3, 4)
        closed, loss, gap = least_loss(P, cost, seconds=seconds)
        order = graph_of_pairs(items, closed, instead=RESTRICT_DEGREES)
        spared, aim = 3 * total * pairs - int(held.sum()), partial(_aim_of, P, cost)
        return Aggregate(order, int(2 * P.unit * loss) - spared, int(2 * P.unit * gap), aim)
    # An ordered pair costs total - margin, and a tie costs total - silent.
    silent = held + held.T - total
    np.fill_diagonal(silent, 0)
    costs = PairCosts(items, 2 * (held - held.T), 2 * silent, 2 * total * pairs)
    return _LEAST[family](costs, seconds=seconds)


def _count_pairs(orders: Any, counts: Any) -> tuple[tuple[Item, ...], NDArray[np.int64], int]:
    """Return the items of relations, how many relations have each pair, and how many there are."""
    relations, counts = with_counts(orders, counts)
    for number, relation in enumerate(relations, start=1):
        require_digraph(relation, name=f"member {number}")
    kept = [pair for pair in zip(relations, counts, strict=True) if pair[1]]
    if not kept:
        raise PorankError("expected at least one relation, found none")
    items = tuple(in_order(dict.fromkeys(item for relation, _ in kept for item in relation)))
    number_of = {item: number for number, item in enumerate(items)}
    require_fit(len(items), bytes_each=24)
    held = np.zeros((len(items), len(items)), dtype=np.int64)
    for relation, times in track(kept, label="counting"):
        for u, v in relation.edges:
            held[number_of[u], number_of[v]] += times
    np.fill_diagonal(held, 0)
    return items, held, sum(counts)


def _least_weak(costs: PairCosts, *, seconds: Any) -> Aggregate:
    """Return the weak consensus order of least cost, or the best one found in time."""
    deadline = time.monotonic() + read_seconds(seconds)
    levels = settled(costs, borda_levels(costs))
    # The order saves the sum of (silent + margin) x_ij over all i and j, minus silent for i < j.
    *_, gains = costs.aim("weak")
    start = levels[:, None] <= levels

    def rounded(shares: NDArray[np.float64]) -> NDArray[np.bool_]:
        found = levels_of_values(np.rint(shares).sum(axis=1) - np.rint(shares.diagonal()))
        return found[:, None] <= found

    best, gap = search(gains, "weak", rounded, start, unit=int(costs.is_whole), deadline=deadline)
    found = costs.price_levels(levels_of_values(best.sum(axis=1)))
    return replace(found, gap=costs.plain(gap), _aim=partial(costs.aim, "weak"))


_LEAST = {"total": least_total, "weak": _least_weak}


#: Way out if a graph would have too many edges.
_INSTEAD = "preference_relation(orders).wins has all wins"


def majority_graph(orders: Any, *, counts: Sequence[int] | None = None) -> nx.DiGraph:
    """Return the majority graph, with an edge u -> v if more members prefer u than v.

    Members that do not decide the pair do not count, so a majority need not be one of all members.
    An order of a profile does not decide pairs with items that it lacks; `Profile.completed` puts
    such items last. The graph may have cycles, even if no member has.

    Parameters
    ----------
    orders : iterable of DiGraph or scores, two-dimensional array, frame, or Profile
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
    net_preferences, feedback_relation, copeland, find_cycle

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
