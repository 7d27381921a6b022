"""Kemeny's order: the total order of least cost, found exactly.

Idea: *where every item of a set wins or draws its contests with all items outside, an optimal order
has that set on top; so the strongly connected components of the majorities are arranged one by one,
and woven together.* Such a component is called a knot below, for short.

Let U be the set. Take any order, and put its items of U, in their sequence, before the others in
theirs: pairs within U and pairs outside cost what they did, and every pair across costs as little
as it can. So some optimal order begins with U, and an order is optimal if and only if it arranges
each knot optimally and decides every strict majority between knots.

A large knot is arranged by an integer program, with the transitivity that its solutions lack. For
items i < j the variable y_ij is 1 if i stands above j. What points upwards is a sum over these,
and y is an order if for every three items none of their two cycles is closed. There are too many
such rows to write them all; those that a solution violates are added, and it is solved again.

`kemeny`, and `least_total`, which does its work; `_arranged_by_program`.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.least_loss import matrix_of_rows, read_seconds, solve, time_left
from porank.abstention.thresholds import strong_components
from porank.abstention.votes import read_members
from porank.aggregation.costs import read_pair_costs
from porank.core.arguments import load, require_one_of
from porank.core.arrays import inverse_of
from porank.core.compiled_order import plain_number
from porank.core.progress import interruptible, track
from porank.core.relation import places_of
from porank.errors import PorankError
from porank.orders.cycles import EXACT_ITEMS, cheapest_leaders, improved

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from porank.aggregation.costs import Aggregate, PairCosts


#: Of more items than this the sets take seconds and gigabytes.
_MOST_BY_SUBSETS = 20


def kemeny(
    orders: Any,
    *,
    counts: Sequence[int] | None = None,
    weights: Any = None,
    dissimilarity: Any = None,
    method: str = "auto",
    seconds: float | None = None,
) -> Aggregate:
    """Return Kemeny's order: the total order of least total distance to the members.

    It minimises over all total orders r the sum over members m of K^(1/2)(m, r), where a pair that
    the two decide oppositely counts 1, and one that m leaves open counts 1/2 whatever r is.

    Parameters
    ----------
    orders : iterable of DiGraph or scores, two-dimensional array, frame, or Profile
        The members, orders of the same items, as for `preference_relation`.
    counts : sequence of int, optional
        How often each order occurs, by default once; 0 leaves an order out.
    weights : mapping or array, optional
        item -> weight, which may have other items too; or a weight for each of the items 0..n-1 or,
        of items with other names, of the first member's items in their sequence.
    dissimilarity : matrix, mapping or callable, optional
        How unlike two items are, as in `generalized_kendall`. A pair {i, j} then counts
        w_i w_j D_ij times.
    method : {"auto", "subsets", "program"}
        How a strongly connected component of the majorities is arranged: over all its subsets,
        which takes up to 20 items; by an integer program, which needs SciPy (the extra
        ``optimize``); or by subsets up to 16 items, as long as these are quicker, and by a program
        beyond.
    seconds : number from 0 on, optional
        How long the integer programs may take together, up to the end of a step. When they are
        stopped, by the time or by an interruption, the best order so far comes back, with its gap.

    Returns
    -------
    Aggregate
        ``order`` is total; ``cost`` the sum of its distances K^(1/2), or of `generalized_kendall`,
        to the members; ``gap`` is 0 if the order is proven optimal (up to rounding, if weights are
        floats or have more than some ten digits), else at most so much more than the least cost of
        a total order. By subsets it is of all optimal orders the first by (type name, repr) of its
        items, from the top; by a program it is one of them, the same however members and items are
        put in.

    Raises
    ------
    CycleError
        If a member has a cycle; the error says which.
    ItemMismatchError
        If the members have different items.
    PorankError
        If there is no member, an argument is none of its kind, or a component is too large for
        ``method="subsets"``.
    MissingExtraError
        If a component needs a program and SciPy is not installed.

    See Also
    --------
    consensus_order, predict_order, borda, copeland, local_search

    Examples
    --------
    >>> import porank as po
    >>> votes = [po.from_ranking(vote) for vote in ("abc", "bca", "cab")]
    >>> best = po.kemeny(votes, counts=[3, 2, 2])
    >>> po.format_order(best.order), best.cost, best.gap
    ('a > b > c', 8, 0)
    >>> best = po.kemeny(votes, counts=[3, 2, 2], weights={"a": 1, "b": 1, "c": 5})
    >>> po.format_order(best.order), best.cost
    ('b > c > a', 30)

    Notes
    -----
    Time O(n**2 k) to count the pairs of k members, and for each component of j items O(j 2**j) by
    subsets. By a program, whose time no polynomial bounds: the transitivity of three items is
    demanded only where a solution so far violates it [2]_, and what the linear relaxation proves is
    proven again by its multipliers. Members that agree more have smaller components; members
    without any majority cycle have none, and are put in order in time O(n**2). Memory O(n**2).

    References
    ----------
    .. [1] J. G. Kemeny, "Mathematics without numbers", Daedalus 88(4), 1959, pp. 577-591.
    .. [2] M. Grötschel, M. Jünger, G. Reinelt, "A cutting plane algorithm for the linear ordering
       problem", Operations Research 32(6), 1984, pp. 1195-1220.
       https://doi.org/10.1287/opre.32.6.1195
    """
    require_one_of(method, ("auto", "subsets", "program"), name="method")
    read_seconds(seconds)
    members = read_members(orders, counts=counts)
    costs = read_pair_costs(members, weights=weights, dissimilarity=dissimilarity)
    return least_total(costs, method=method, seconds=seconds)


def least_total(
    costs: PairCosts,
    *,
    method: str = "auto",
    seconds: float | None,
) -> Aggregate:
    """Return Kemeny's total order of the least cost, or the best found in time."""
    deadline = _Deadline(time.monotonic() + read_seconds(seconds))
    found = track(strong_components(costs.margin > 0), label="arranging")
    knots = [_arranged(costs, places_of(row).tolist(), method, deadline) for row in found]
    best_first = np.array(_woven(costs.margin, knots), dtype=np.int64)
    aggregate = costs.price_levels(inverse_of(best_first), total=True)
    # A pair against its majority costs a whole margin, which is two halves.
    return replace(aggregate, gap=costs.plain(2 * sum(knot.gap for knot in knots)))


@dataclass
class _Deadline:
    """When the integer programs of Kemeny's order are stopped, if ever."""

    end: float = math.inf


@dataclass(frozen=True)
class _Knot:
    """A strongly connected component of the majorities, as Kemeny's order arranges it."""

    members: list[int]
    leaders: Callable[[int], list[int]]
    gap: Any = 0


def _arranged(
    costs: PairCosts,
    members: list[int],
    method: str,
    deadline: _Deadline,
) -> _Knot:
    """Return the component of the majorities arranged as Kemeny's order has it, by the method."""
    k = len(members)
    if k == 1:
        return _Knot(members, lambda _: [0])
    margin = costs.margin[np.ix_(members, members)]
    if method == "program" or (method == "auto" and k > EXACT_ITEMS):
        arrangement, gap = _arranged_by_program(
            margin, exact=bool(costs.divisor), deadline=deadline
        )
        return _Knot(members, lambda remaining: [arrangement[k - remaining.bit_count()]], gap)
    if k > _MOST_BY_SUBSETS:
        raise PorankError(
            f"expected strongly connected components of at most {_MOST_BY_SUBSETS} items for "
            f"method='subsets', found one of {k}; method='program' arranges it"
        )
    rows = enumerate(margin.tolist())
    against = {(i, j): lead for i, row in rows for j, lead in enumerate(row) if lead > 0}
    return _Knot(members, cheapest_leaders(k, against))


def _woven(margin: NDArray[Any], knots: Sequence[_Knot]) -> list[int]:
    """Return Kemeny's order, best first, woven of its arranged components: the first of all."""
    n = len(margin)
    knot_of = np.zeros(n, dtype=np.int64)
    for number, knot in enumerate(knots):
        knot_of[knot.members] = number
    beats = (margin > 0) & (knot_of[:, None] != knot_of)
    waits_for = beats.sum(axis=0)
    remaining = [(1 << len(knot.members)) - 1 for knot in knots]
    may_lead = np.zeros(n, dtype=bool)
    for knot, whole in zip(knots, remaining, strict=True):
        may_lead[[knot.members[place] for place in knot.leaders(whole)]] = True
    sequence: list[int] = []
    for _ in range(n):
        item = int(np.argmax(may_lead & (waits_for == 0)))
        sequence.append(item)
        waits_for -= beats[item]
        number = int(knot_of[item])
        knot = knots[number]
        remaining[number] ^= 1 << knot.members.index(item)
        may_lead[knot.members] = False
        if remaining[number]:
            may_lead[[knot.members[place] for place in knot.leaders(remaining[number])]] = True
    return sequence


#: A row counts as violated from here on.
_VIOLATED = 1e-6
#: What a solver's bound may be off by, as a share of all that could point upwards.
_SOLVED = 1e-9
#: What a sum of floats may be off by, as such a share.
_ADDED = 1e-12
#: Sums of whole numbers up to this one are proven to the last.
_WHOLE = 2**40
#: So many rows are added at a time, for each item.
_ROWS_AN_ITEM = 50


def _arranged_by_program(
    margin: NDArray[Any],
    *,
    exact: bool,
    deadline: _Deadline,
) -> tuple[list[int], Any]:
    """Return Kemeny's arrangement by an integer program, and its gap to the least cost."""
    program = _Program(margin, exact)
    try:
        for solve in (program.relax, program.branch):
            for _ in track(count(), label="cutting"):
                is_late = time.monotonic() >= deadline.end
                if program.gap == 0 or is_late or not solve(deadline.end):
                    break
    except KeyboardInterrupt:
        if deadline.end == math.inf:
            raise
        deadline.end = -math.inf
    return program.arrangement, program.gap


class _Program:
    """Kemeny's integer program: its rows so far, the best arrangement so far, and the bound."""

    def __init__(self, margin: NDArray[Any], exact: bool) -> None:
        k = len(margin)
        self.margin, self.exact = margin, exact
        self.first, self.second = np.triu_indices(k, 1)
        self.number = np.zeros((k, k), dtype=np.int64)
        self.number[self.first, self.second] = np.arange(self.first.size)
        leads = margin[self.first, self.second]
        divisor = math.gcd(*leads.tolist()) if exact else 1
        self.is_whole = exact and np.abs(leads).sum() // divisor <= _WHOLE
        # Whole multiples of the divisor let a bound be rounded up. Other numbers are made neither
        # too large nor too small for the solver, which forgives differences of 1e-6.
        self.unit = divisor if self.is_whole else float(np.abs(leads).max()) / 2**10
        self.objective = -(leads / self.unit).astype(np.float64)
        self.offset = -float(self.objective[self.objective < 0].sum())
        self.scale = float(np.abs(self.objective).sum())
        self.rows = np.zeros((0, 4), dtype=np.int64)
        # Moving single items of an arrangement goes by whole weights.
        entries = enumerate((margin if exact else np.rint(margin / self.unit * 2**30)).tolist())
        self.against = {
            (i, j): int(lead) for i, row in entries for j, lead in enumerate(row) if lead > 0
        }
        self.least: Any = 0
        self.arrangement = list(range(k))
        self.points_up = self._upward(self.arrangement)
        self._consider(np.argsort(-np.sign(margin).sum(axis=1), kind="stable").tolist())

    @property
    def gap(self) -> Any:
        """How much more than the least Kemeny's arrangement costs at most."""
        gap = max(self.points_up - self.least, 0)
        if not self.is_whole and gap <= 2 * _SOLVED * self.scale * self.unit:
            return 0
        return math.ceil(gap) if self.exact else gap

    def relax(self, deadline: float) -> bool:
        """Solve the linear relaxation of Kemeny's program; return whether to solve it again."""
        optimize = load("scipy.optimize", "optimize")
        matrix, limits = self._constraints()
        found: Any = interruptible(
            optimize.linprog,
            self.objective,
            A_ub=matrix,
            b_ub=limits,
            bounds=(0, 1),
            method="highs",
            options=time_left(deadline),
        )
        if found.x is None or found.status != 0:
            return False
        # The bound is proven by the multipliers alone, however roughly they solve the program.
        multipliers = np.maximum(-found.ineqlin.marginals, 0)
        reduced = self.objective + matrix.T @ multipliers
        self._prove(np.minimum(reduced, 0).sum() - multipliers @ limits, off_by=_ADDED)
        return self._learn(found.x, deadline)

    def branch(self, deadline: float) -> bool:
        """Solve Kemeny's integer program; return whether to solve it again."""
        matrix, limits = self._constraints()
        rows = matrix, -np.inf, limits
        found = solve(self.objective, rows, is_integral=True, deadline=deadline)
        if found.mip_dual_bound is not None and math.isfinite(found.mip_dual_bound):
            self._prove(found.mip_dual_bound, off_by=_SOLVED)
        return found.x is not None and self._learn(found.x, deadline)

    def _constraints(self) -> tuple[Any, NDArray[np.float64]]:
        """Return the transitivity rows of Kemeny's program as a sparse matrix, with bounds."""
        pairs, signs = self.rows[:, :3], self.rows[:, 3]
        entries = signs[:, None] * np.array([1, 1, -1])
        matrix = matrix_of_rows(pairs, entries, width=self.objective.size)
        return matrix, (signs > 0).astype(np.float64)

    def _learn(self, solution: NDArray[np.float64], deadline: float) -> bool:
        """Take an arrangement and violated transitive rows from a solution; tell if any is new."""
        y = np.zeros(self.margin.shape)
        y[self.first, self.second] = solution
        y[self.second, self.first] = 1 - solution
        self._consider(np.argsort(-y.sum(axis=1), kind="stable").tolist())
        known = len(self.rows)
        self.rows = np.unique(np.concatenate((self.rows, self._violated(y, deadline))), axis=0)
        return len(self.rows) > known

    def _violated(self, y: NDArray[np.float64], deadline: float) -> NDArray[np.int64]:
        """Return the transitivity rows that a solution of Kemeny's program violates most."""
        found, amounts = [], []
        for i in range(len(y) - 2):
            if time.monotonic() >= deadline:
                break
            rest = slice(i + 1, None)
            # y_ij + y_jk - y_ik, which must lie from 0 to 1, for i < j < k.
            around = np.triu(y[i, rest, None] + y[rest, rest] - y[i, rest], 1)
            for sign, excess in ((1, around - 1), (-1, -around)):
                j, k = np.nonzero(excess > _VIOLATED)
                amounts.append(excess[j, k])
                j, k = j + i + 1, k + i + 1
                pairs = self.number[i, j], self.number[j, k], self.number[i, k]
                found.append(np.stack((*pairs, np.full(j.size, sign)), axis=1))
        if not found:
            return self.rows[:0]
        rows, amount = np.concatenate(found), np.concatenate(amounts)
        return rows[np.argsort(-amount, kind="stable")[: _ROWS_AN_ITEM * len(y)]]

    def _prove(self, objective: float, *, off_by: float) -> None:
        """Raise the lower bound of Kemeny's program, given a bound of its objective."""
        bound = float(objective) + self.offset - off_by * self.scale
        self.least = max(self.least, (math.ceil(bound) if self.is_whole else bound) * self.unit)

    def _consider(self, arrangement: list[int]) -> None:
        """Keep an arrangement of Kemeny's program, single items moved, if it is the best."""
        better = improved(len(arrangement), self.against, arrangement)
        points_up = self._upward(better)
        if points_up < self.points_up:
            self.arrangement, self.points_up = better, points_up

    def _upward(self, arrangement: list[int]) -> Any:
        """Return what points upwards in an arrangement of Kemeny's program: its lost margins."""
        stands = inverse_of(np.array(arrangement))
        below = stands[:, None] > stands
        return plain_number(self.margin[below & (self.margin > 0)].sum())
