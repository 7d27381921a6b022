"""What many orders agree on: the order of least cost in a family, and the graph of the majorities.

The family is that of total, weak or partial orders. A weak order of least cost is found by an
integer program: x_ij is 1 if item i stands at least as high as j, and any two or three items demand
that x is complete and transitive. Of these rows those are added that a solution violates.

`consensus_order`; `majority_graph`, cycles included.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.degrees import read_share
from porank.abstention.least_loss import read_seconds, time_left
from porank.abstention.prediction import predict_order
from porank.abstention.preference_relation import graph_of_pairs
from porank.abstention.votes import count_wins, preference_relation, read_members, standing_of
from porank.aggregation.costs import Aggregate, PairCosts, read_pair_costs
from porank.aggregation.kemeny import kemeny
from porank.aggregation.search import local_search
from porank.core.arguments import load, require_one_of
from porank.core.compiled_order import compile_order, layers_of_values
from porank.core.progress import track
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx
    from numpy.typing import NDArray

    from porank.typing import Numbers


def consensus_order(
    orders: Any,
    *,
    family: str = "partial",
    abstention_cost: Any = None,
    counts: Sequence[int] | None = None,
    ties: str = "none",
    seconds: float | None = None,
    progress: bool | None = None,
) -> Aggregate:
    """Return the partial order of least cost to the members, where abstaining has a cost.

    The cost is summed over the members, pair by pair. Of a total or a weak order a pair that it
    decides as the member does costs nothing, one that it decides oppositely 1, and one that just
    one of the two leaves open or ties 1/2. Of a partial order a pair that it leaves open costs c,
    one that it decides as the member does nothing, and any other 1. If the members are total it is
    the sum of their Kendall distances to the order, with penalty 1/2 or c.

    Parameters
    ----------
    orders : iterable of DiGraph or scores, two-dimensional array, frame, or Profile
        The members, orders of the same items. The rows of an array or a frame are scores; the
        columns of a frame are the items.
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
    seconds : number from 0 on, optional
        Search no longer, and return the best order found.
    progress : bool, optional
        A bar: by default, after two seconds and where somebody sees it.

    Returns
    -------
    Aggregate
        The order, of which a partial one is closed, its edges and itself with the attributes that
        `predict_order` gives them; the cost; and the gap: so much less the least cost may be, 0 for
        an optimum.

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
    require_one_of(family, ("partial", "weak", "total"), name="family")
    if family != "partial":
        if abstention_cost is not None:
            raise PorankError(
                f"expected no abstention_cost with family={family!r}, found {abstention_cost!r}"
            )
        if ties != "none":
            raise PorankError(f"expected no ties with family={family!r}, found {ties!r}")
        options: Any = {"counts": counts, "seconds": seconds, "progress": progress}
        return (
            kemeny(orders, **options) if family == "total" else _weak_consensus(orders, **options)
        )
    cost = Fraction(1, 2)
    if abstention_cost is not None:
        cost = read_share(abstention_cost, name="an abstention cost")
    P = preference_relation(orders, counts=counts, ties=ties, progress=progress)
    order = predict_order(P, abstention_cost=cost, seconds=seconds, progress=progress)
    loss, gap = order.graph["loss"], order.graph["gap"]
    return Aggregate(order, P.n_members * loss, P.n_members * gap)


#: A row counts as violated from here on, and a bound may be off by such a share.
_ROUNDING = 1e-6
#: So many rows are added at a time, for each item.
_ROWS_AN_ITEM = 50


def _weak_consensus(orders: Any, *, counts: Any, seconds: Any, progress: bool | None) -> Aggregate:
    """Return the weak order of the least cost among all weak orders, or the best found in time."""
    deadline = time.monotonic() + read_seconds(seconds)
    members = read_members(orders, counts=counts, progress=progress)
    best = local_search(members.orders, counts=members.counts, progress=progress)
    program = _WeakProgram(read_pair_costs(members, progress=progress))
    saved = program.costs.saved(standing_of(compile_order(best.order), program.costs.items))
    most = program.most
    for is_integral in (False, True):
        for _ in track(count(), progress=progress, label="cutting"):
            if most <= saved or time.monotonic() >= deadline:
                break
            bound, layers, is_new = program.solve(deadline, is_integral=is_integral)
            most = min(most, bound)
            found = program.costs.saved(layers)
            if found > saved:
                saved, best = found, program.costs.price_levels(layers)
            if not is_new:
                break
    return replace(best, gap=program.costs.plain(max(most - saved, 0)))


class _WeakProgram:
    """The integer program of a weak consensus: x_ij is 1 if item i stands at least as high as j."""

    def __init__(self, costs: PairCosts) -> None:
        n = len(costs.items)
        if costs.margin.dtype == object:
            raise PorankError(
                "expected counts whose sums over all pairs floats can hold with family='weak', "
                "found larger ones; smaller ones in the same proportion say the same"
            )
        self.costs = costs
        self.most = costs.whole - costs.least(total=False)
        silent = np.zeros((n, n)) if costs.silent is None else costs.silent.astype(np.float64)
        # What is saved is (silent + margin) x_ij, summed over all i and j, less silent for i < j.
        gains = silent + costs.margin.astype(np.float64)
        self.constant = -silent.sum() / 2
        self.scale = max(float(np.abs(gains).max(initial=0)), 1.0)
        self.objective = -gains.ravel() / self.scale
        upper, lower = np.triu_indices(n, 1)
        self.complete = np.stack((upper * n + lower, lower * n + upper), axis=1)
        self.rows = np.zeros((0, 3), dtype=np.int64)

    def solve(self, deadline: float, *, is_integral: bool) -> tuple[Any, Numbers, bool]:
        """Return a bound of what is saved, layers of a solution, and whether rows are new."""
        optimize = load("scipy.optimize", "optimize")
        n = len(self.costs.items)
        found = optimize.milp(
            self.objective,
            integrality=np.full(n * n, int(is_integral)),
            bounds=optimize.Bounds(0, 1),
            constraints=[
                optimize.LinearConstraint(self._matrix(self.complete, [1, 1]), 1, np.inf),
                optimize.LinearConstraint(self._matrix(self.rows, [1, 1, -1]), -np.inf, 1),
            ],
            options={"mip_rel_gap": 0, **time_left(deadline)},
        )
        bound = found.mip_dual_bound if is_integral else found.fun
        if found.x is None or bound is None:
            return self.most, np.zeros(n, dtype=np.int64), False
        x = found.x.reshape(n, n)
        np.fill_diagonal(x, 1)
        layers = layers_of_values(np.rint(x).sum(axis=1))
        known = len(self.rows)
        self.rows = np.unique(np.concatenate((self.rows, self._violated(x))), axis=0)
        saved = -bound * self.scale + self.constant
        most = math.floor(saved + _ROUNDING * max(1.0, abs(saved)))
        return most, layers, len(self.rows) > known

    def _matrix(self, rows: NDArray[np.int64], signs: list[int]) -> Any:
        """Return rows of a weak consensus's program as a sparse matrix."""
        sparse = load("scipy.sparse", "optimize")
        starts = np.arange(0, rows.size + 1, rows.shape[1])
        shape = (len(rows), self.objective.size)
        return sparse.csr_matrix((np.tile(signs, len(rows)), rows.ravel(), starts), shape=shape)

    def _violated(self, x: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the transitivity rows that a solution of a weak consensus violates most."""
        n = len(x)
        found, excesses = [], []
        for j in range(n):
            excess = x[:, j, None] + x[j] - x - 1
            i, k = np.nonzero(excess > _ROUNDING)
            found.append(np.stack((i * n + j, j * n + k, i * n + k), axis=1))
            excesses.append(excess[i, k])
        worst = np.argsort(-np.concatenate(excesses), kind="stable")
        return np.concatenate(found)[worst[: _ROWS_AN_ITEM * n]]


def majority_graph(
    orders: Any, *, counts: Sequence[int] | None = None, progress: bool | None = None
) -> nx.DiGraph:
    """Return the majority graph: an edge u -> v if more members prefer u than v.

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
