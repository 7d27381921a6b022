"""What many orders agree on: the order of least cost in a family, and the graph of the majorities.

The family is that of total, weak or partial orders. A weak order of least cost is found by an
integer program: x_ij is 1 if item i stands at least as high as j, and any two or three items demand
that x is complete and transitive. Of these rows those are added that a solution violates.

`consensus_order`, and `consensus_orders` for all of them; `majority_graph`, cycles included.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.degrees import read_share, require_fit
from porank.abstention.least_loss import least_loss
from porank.abstention.prediction import predict_order
from porank.abstention.preference_relation import PreferenceRelation, graph_of_pairs
from porank.abstention.transitive import best_relations, read_seconds, search
from porank.abstention.votes import (
    count_wins,
    matrix_of,
    preference_relation,
    read_members,
    with_counts,
)
from porank.aggregation.costs import Aggregate, PairCosts, graph_of_levels, read_pair_costs
from porank.aggregation.kemeny import least_total
from porank.aggregation.scoring import borda_levels
from porank.aggregation.search import settled
from porank.core.arguments import require_count, require_one_of
from porank.core.compiled_order import compile_order, levels_of_values
from porank.core.graphs import in_order, numbers_in_order, require_digraph
from porank.core.progress import track
from porank.errors import RESTRICT_DEGREES, PorankError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx
    from numpy.typing import NDArray

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
    """Return the partial order of least cost to the members, where abstaining has a cost.

    The cost is summed over the members, pair by pair. Of a total or a weak order a pair that it
    decides as the member does costs nothing, one that it decides oppositely 1, and one that just
    one of the two leaves open or ties 1/2. Of a partial order a pair that it leaves open costs c,
    one that it decides as the member does nothing, and any other 1. If the members are total it is
    the sum of their Kendall distances to the order, with penalty 1/2 or c.

    With ``distance="symmetric_difference"`` the members may be any relations. The cost is the
    number of pairs (u, v) of two items that are in the member or in the order and not in both. Of
    two tied items both pairs are in a weak order, of two incomparable ones neither is in a partial
    order.

    Parameters
    ----------
    orders : iterable of DiGraph or scores, two-dimensional array, frame, or Profile
        The members, orders of the same items. The rows of an array or a frame are scores; the
        columns of a frame are the items. For the symmetric difference, DiGraphs whose edges are
        the pairs, cyclic or not, taken as they are; an item may be missing in some of them.
    family : {"partial", "weak", "total"}
        Where the order is looked for: among all strict partial orders, among weak orders, whose
        levels are tied, or among total orders, as `kemeny` does.
    abstention_cost : number in (0, 1], optional
        The cost c of a partial order, by default 1/2; the other families abstain from nothing.
    counts : sequence of int, optional
        How often each order occurs, by default once; 0 leaves an order out.
    ties : {"none", "half"}
        Of a partial order, what is right about deciding a pair that the member leaves open:
        nothing, so that it costs 1, or half, so that it costs 1/2.
    distance : {"kendall", "symmetric_difference"}
        What the cost sums up.
    seconds : number from 0 on, optional
        Search no longer, and return the best order found.

    Returns
    -------
    Aggregate
        The order, of which a partial one is closed, its edges and itself with the attributes that
        `predict_order` gives them; the cost; and the gap: so much less the least cost may be, 0 for
        an optimum.

    Raises
    ------
    CycleError
        If a member has a cycle; the error says which. Not with the symmetric difference.
    ItemMismatchError
        If the members have different items; `align` brings two of them together. Nor this.
    GraphTypeError
        If a member is no order, or with the symmetric difference no DiGraph.
    MissingExtraError
        If the order has to be searched for and SciPy is not installed.
    PorankError
        If there is no member, or an option is none.

    See Also
    --------
    consensus_orders, predict_order, abstention_curve, kemeny, local_search, kwiksort

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

    Of three relations that are no orders two say that a is no worse than b, and b no worse than a.

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
    Time O(n**2 k) for k members, and that of `predict_order` with an abstention cost: a closure, or
    an integer program. A member that leaves many pairs open makes it cheap to leave them open with
    ``ties="none"``. For costs from 1/2 on, ordering a pair costs no more than leaving it open, as
    far as the pair itself goes, if every member decides every pair or with ``ties="half"``; yet the
    order need not be total, since a pair may force others. A weak order is first searched for as
    `local_search` does; unless the sum over pairs of the least that each must cost proves it, an
    integer program follows, whose time no polynomial bounds.
    """
    return _solved(_posed(orders, family, abstention_cost, counts, ties, distance), family, seconds)


def consensus_orders(
    orders: Any,
    *,
    family: str = "partial",
    abstention_cost: Any = None,
    counts: Sequence[int] | None = None,
    ties: str = "none",
    distance: str = "kendall",
    seconds: float | None = None,
    limit: int = 100,
) -> list[nx.DiGraph]:
    """Return all orders of least cost to the members, of which `consensus_order` returns one.

    Parameters
    ----------
    orders, family, abstention_cost, counts, ties, distance, seconds
        As for `consensus_order`.
    limit : int
        Maximum number of orders to return.

    Returns
    -------
    list of DiGraph
        The first `limit` of them; if there are fewer, these are all. They are sorted by what they
        say of the first pair of items, then of the second, and so on, the items being sorted by
        (type name, repr): first the pair in this direction, then tied or open, then reversed.
        Partial orders are closed.

    Raises
    ------
    PorankError
        If `limit` is not at least 1, or the search is stopped or takes too many steps; or what
        `consensus_order` raises.

    See Also
    --------
    consensus_order, kemeny

    Examples
    --------
    >>> import porank as po
    >>> votes = [po.from_ranking(vote) for vote in ("abc", "bca", "cab")]
    >>> [po.format_order(order) for order in po.consensus_orders(votes, family="total")]
    ['a > b > c', 'c > a > b', 'b > c > a']

    Notes
    -----
    Branches over the pairs, of which those are decided at once that would cost too much or follow
    from others; at most 10**8 / n**3 steps, of which each takes time O(n**3), after the search for
    one order. For rankings drawn at random of 12 items it takes a second, for 20 it may not end.
    """
    require_count(limit, name="limit", least=1)
    posed = _posed(orders, family, abstention_cost, counts, ties, distance)
    found = _solved(posed, family, seconds)
    items, gains = _gains_of(posed, family)
    above = matrix_of(compile_order(found.order), items)
    most = gains[~above.T if family == "weak" else above].sum()
    listed = list(islice(best_relations(gains, family, most), limit)) if not found.gap else [None]
    relations = [each for each in listed if each is not None]
    if len(relations) < len(listed):
        raise PorankError(
            f"expected all orders of least cost, found the search stopped at {len(relations)}; "
            "fewer items, a lower limit or more seconds may do"
        )
    if isinstance(posed, PairCosts):
        return [graph_of_levels(items, levels_of_values(each.sum(axis=1))) for each in relations]
    return [graph_of_pairs(items, each, instead=RESTRICT_DEGREES) for each in relations]


def _posed(
    orders: Any, family: str, abstention_cost: Any, counts: Any, ties: str, distance: str
) -> PairCosts | tuple[PreferenceRelation, Fraction, int]:
    """Return what a consensus is to minimise.

    Costs of pairs; or of a partial order degrees, what it costs to abstain, and for the symmetric
    difference what is spared in any case.
    """
    require_one_of(family, ("partial", "weak", "total"), name="family")
    require_one_of(distance, ("kendall", "symmetric_difference"), name="distance")
    if family != "partial" or distance != "kendall":
        _require_no_options(family, distance, abstention_cost, ties)
    if distance != "kendall":
        return _pose_relations(orders, family, counts)
    if family != "partial":
        return read_pair_costs(read_members(orders, counts=counts, incomplete=True))
    cost = Fraction(1, 2)
    if abstention_cost is not None:
        cost = read_share(abstention_cost, name="an abstention cost")
    return preference_relation(orders, counts=counts, ties=ties), cost, 0


def _solved(posed: Any, family: str, seconds: Any) -> Aggregate:
    """Return the consensus of least cost, or the best found in time."""
    if isinstance(posed, PairCosts):
        return _LEAST[family](posed, seconds=seconds)
    P, cost, spared = posed
    if P.n_members:
        order = predict_order(P, abstention_cost=cost, seconds=seconds)
        loss, gap = order.graph["loss"], order.graph["gap"]
        return Aggregate(order, P.n_members * loss, P.n_members * gap)
    closed, loss, gap = least_loss(P, cost, seconds=seconds)
    order = graph_of_pairs(P.items, closed, instead=RESTRICT_DEGREES)
    return Aggregate(order, int(2 * P.unit * loss) - spared, int(2 * P.unit * gap))


def _gains_of(posed: Any, family: str) -> tuple[Sequence[Item], NDArray[Any]]:
    """Return the items of a consensus, sorted, and what each pair in it gains, in whole numbers."""
    if isinstance(posed, PairCosts):
        silent = 0 if posed.silent is None or family == "total" else posed.silent.astype(np.int64)
        return posed.items, posed.margin.astype(np.int64) + silent
    P, cost, _ = posed
    line, parts = numbers_in_order(P.items), math.lcm(P.unit, cost.denominator)
    # No number of parts is too large for these.
    gains = P.strength.astype(object) * (parts // P.unit) - int((1 - cost) * parts)
    np.fill_diagonal(gains, 0)
    return [P.items[number] for number in line], gains[np.ix_(line, line)]


def _require_no_options(family: str, distance: str, abstention_cost: Any, ties: str) -> None:
    """Raise an error for options of a consensus that only partial orders and Kendall's take."""
    where = f"{family=}" if distance == "kendall" else f"{distance=}"
    if abstention_cost is not None:
        raise PorankError(f"expected no abstention_cost with {where}, found {abstention_cost!r}")
    if ties != "none":
        raise PorankError(f"expected no ties with {where}, found {ties!r}")


def _pose_relations(
    relations: Any, family: str, counts: Any
) -> PairCosts | tuple[PreferenceRelation, Fraction, int]:
    """Return what a consensus of relations is to minimise, their symmetric differences.

    As a partial order's, a pair gains what holds it less what does not: its degree above 1/4, where
    one of 1/2 is that of all relations, so that no two degrees sum to more than 1.
    """
    items, held, total = _count_pairs(relations, counts)
    pairs = math.comb(len(items), 2)
    if family == "partial":
        spared = 3 * total * pairs - int(held.sum())
        return PreferenceRelation(items, held, 2 * total), Fraction(3, 4), spared
    # Of a pair in which one item is above the cost is total - margin, of a tie total - silent.
    silent = held + held.T - total
    np.fill_diagonal(silent, 0)
    return PairCosts(items, 2 * (held - held.T), 2 * silent, 2 * total * pairs)


def _count_pairs(orders: Any, counts: Any) -> tuple[tuple[Item, ...], NDArray[np.int64], int]:
    """Return the items of relations to agree on, how many hold each pair, and how many all are."""
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
    """Return the weak consensus order, of the least cost among all, or the best found in time."""
    deadline = time.monotonic() + read_seconds(seconds)
    levels = settled(costs, borda_levels(costs))
    # What is saved is (silent + margin) x_ij, summed over all i and j, less silent for i < j.
    _, gains = _gains_of(costs, "weak")
    start = levels[:, None] <= levels

    def rounded(shares: NDArray[np.float64]) -> NDArray[np.bool_]:
        found = levels_of_values(np.rint(shares).sum(axis=1) - np.rint(shares.diagonal()))
        return found[:, None] <= found

    best, gap = search(gains, "weak", rounded, start, unit=int(costs.is_whole), deadline=deadline)
    return replace(costs.price_levels(levels_of_values(best.sum(axis=1))), gap=costs.plain(gap))


_LEAST = {"total": least_total, "weak": _least_weak}


#: What has the majorities of more items than a graph can hold.
_INSTEAD = "preference_relation has all wins"


def majority_graph(orders: Any, *, counts: Sequence[int] | None = None) -> nx.DiGraph:
    """Return the majority graph: an edge u -> v if more members prefer u than v.

    A majority need not be one of all members: those that leave the pair open do not count, nor do
    those of a profile that do not list both items; `Profile.completed` puts such items last. The
    graph may have cycles, even if no member has.

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
        that prefer u to v, and ``margin``, that number less the number of those that prefer v.

    Raises
    ------
    CycleError
        If a member has a cycle; the error says which.
    ItemMismatchError
        If the members have different items.
    PorankError
        If there is no member, a count is none, or more than 10**7 edges would be written.

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
    Time O(n**2 k) comparisons of small integers for k members, and O(m) to write m edges. Of a
    `PreferenceRelation` P of members that are all total the edges are those of ``P.cut(alpha)`` for
    the least degree alpha above 1/2. `condense` contracts the strongly connected components of the
    graph. From components of up to 16 items `break_cycles` on ``margin`` drops as little margin in
    all as the order of least cost, `kemeny`, decides against; from larger ones, which it does not
    search through, it may drop more.
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
