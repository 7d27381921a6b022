"""Consensus of many orders: `consensus_order`, an order of least cost in a family.

The family is that of weak or partial orders. A weak order of least cost is found by an
integer program: x_ij is 1 if item i is at least as high as j, and x must be complete and transitive
on any two or three items.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.degrees import read_share
from porank.abstention.ensembles import read_members
from porank.abstention.integer_program import read_seconds, search
from porank.abstention.prediction import predict_order
from porank.abstention.preference_relation import preference_relation
from porank.aggregation.costs import Aggregate, read_pair_costs
from porank.aggregation.voting_rules import borda_levels
from porank.core.arguments import require_one_of
from porank.core.graphs import numbers_in_order
from porank.core.scores import levels_of_values
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.abstention.preference_relation import PreferenceRelation
    from porank.aggregation.costs import Aim, PairCosts


def consensus_order(
    orders: Any,
    *,
    family: str = "partial",
    abstention_cost: Any = None,
    counts: Sequence[int] | None = None,
    ties: str = "none",
    seconds: float | None = None,
) -> Aggregate:
    """Return the order of least cost to the members in a family, by default of partial orders.

    The cost is summed over members and pairs. For a partial order, a pair that it does not decide
    costs c, a pair that it decides as the member does costs 0, and any other pair costs 1. For a
    weak order, a pair that both decide alike costs 0, a pair that they decide in opposite
    directions costs 1, and a pair that only one of them decides costs 1/2. If the members are
    total, the cost is the sum of their Kendall distances to the order, with penalty c or 1/2.

    Parameters
    ----------
    orders : iterable of orders (DiGraph, ranks, scores), two-dimensional array, frame, or Profile
        The members, orders of the same items, as for `preference_relation`.
    family : {"partial", "weak"}
        Orders among which the result is found: all strict partial orders, or weak orders, whose
        levels are ties. `kemeny` finds the total order of least cost.
    abstention_cost : number in (0, 1], optional
        Cost c of a pair that a partial order does not decide, by default 1/2.
    counts : sequence of int, optional
        How often each order occurs, by default once; 0 leaves an order out.
    ties : {"none", "half"}
        For a partial order: "none" means that deciding a pair that the member does not decide costs
        1, "half" that it costs 1/2.
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
        If a member has a cycle; the error names the member.
    ItemMismatchError
        If the members have different items; `align` gives two of them the same items.
    GraphTypeError
        If a member is not an order.
    PorankError
        If there are no members, or an option is invalid.

    See Also
    --------
    predict_order, abstention_curve, kemeny

    Examples
    --------
    >>> import porank as po
    >>> votes = [po.from_ranking(ranking) for ranking in ("abc", "acb", "bac")]
    >>> found = po.consensus_order(votes, abstention_cost=0.4)
    >>> sorted(found.order().edges), found.cost, found.gap
    ([('a', 'b'), ('a', 'c'), ('b', 'c')], Fraction(2, 1), Fraction(0, 1))
    >>> found = po.consensus_order(votes, abstention_cost=0.2)
    >>> sorted(found.order().edges), str(found.cost)
    ([('a', 'c')], '6/5')
    >>> found = po.consensus_order([*votes, po.from_ranking("bca")], family="weak")
    >>> po.format_order(found.order()), found.cost, found.gap
    ('a ~ b > c', 4, 0)

    Notes
    -----
    Time O(n**2 k) for k members, plus the time of `predict_order` with an abstention cost: a
    closure, or an integer program. With ``ties="none"``, members that decide few pairs make it
    cheap not to decide them. If c >= 1/2, and every member decides every pair or ``ties="half"``,
    deciding a pair never costs more than not deciding it. Still, the order need not be total,
    because a pair may imply others. A weak order is that of `borda` if its cost is the sum of the
    least costs of all pairs. Otherwise an integer program is solved, in time that is not bounded by
    a polynomial.
    """
    require_one_of(family, ("partial", "weak"), name="family")
    if family == "weak":
        if abstention_cost is not None or ties != "none":
            raise PorankError(
                "expected neither abstention_cost nor ties with family='weak', found "
                f"{abstention_cost=}, {ties=}"
            )
        members = read_members(orders, counts=counts, incomplete=True)
        return _least_weak(read_pair_costs(members), seconds=seconds)
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
    # g_ij = P(i, j) - (1 - c), in units of 1 / lcm(unit, denominator of c). Python integers cannot
    # overflow.
    gains = P.strength.astype(object) * (parts // P.unit) - int((1 - cost) * parts)
    np.fill_diagonal(gains, 0)
    return "partial", [P.items[number] for number in line], gains[np.ix_(line, line)]


def _least_weak(costs: PairCosts, *, seconds: Any) -> Aggregate:
    """Return the weak consensus order of least cost, or the best one found in time."""
    deadline = time.monotonic() + read_seconds(seconds)
    levels = borda_levels(costs)
    # With x_ij = 1 if i is at least as high as j, the order saves the sum of (s_ij + m_ij) x_ij
    # over all i and j, minus the sum of s_ij over i < j (m and s as in `read_pair_costs`).
    *_, gains = costs.aim("weak")
    start = levels[:, None] <= levels

    def rounded(shares: NDArray[np.float64]) -> NDArray[np.bool_]:
        found = levels_of_values(np.rint(shares).sum(axis=1) - np.rint(shares.diagonal()))
        return found[:, None] <= found

    best, gap = search(gains, "weak", rounded, start, unit=int(costs.is_whole), deadline=deadline)
    found = costs.price_levels(levels_of_values(best.sum(axis=1)))
    return replace(found, gap=costs.plain(gap), _aim=partial(costs.aim, "weak"))
