"""A knot arranged by an integer program, with the transitivity that its solutions lack.

For items i < j the variable y_ij is 1 if i stands above j. What points upwards is a sum over these,
and y is an order if for every three items none of their two cycles is closed. There are too many
such rows to write them all; those that a solution violates are added, and it is solved again.
"""

from __future__ import annotations

import math
import time
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import load
from porank.core.arrays import inverse_of
from porank.core.compiled_order import plain_number
from porank.core.progress import track
from porank.orders.cycles import improved

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Numbers

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


def arranged_by_program(
    margin: NDArray[Any], *, exact: bool, deadline: float, progress: bool = False
) -> tuple[list[int], Any]:
    """Return the items best first, and how much more than the least points upwards at most.

    Parameters
    ----------
    margin : array
        Entry [i, j]: what having i above j rather than level saves; [j, i] is its negative. What
        points upwards is the sum of the positive margins of j over i with i above j.
    exact : bool
        Whether the margins are whole numbers.
    deadline : float
        When to stop, by ``time.monotonic()``.
    progress : bool
        Show a bar.

    Examples
    --------
    >>> margin = np.array([[0, 3, -1], [-3, 0, 2], [1, -2, 0]])
    >>> arranged_by_program(margin, exact=True, deadline=float("inf"))
    ([0, 1, 2], 0)

    Notes
    -----
    Each round solves a linear, later an integer program of n (n - 1) / 2 variables; looking for
    rows to add takes time O(n**3).
    """
    program = _Program(margin, exact)
    for solve in (program.relax, program.branch):
        for _ in track(count(), progress=progress, label="cutting"):
            if program.gap == 0 or time.monotonic() >= deadline or not solve(deadline):
                break
    return program.arrangement, program.gap


class _Program:
    """The rows so far, the best arrangement so far, and what no arrangement can be below.

    Parameters
    ----------
    margin : array
    exact : bool
        As for `arranged_by_program`.
    """

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
        self.against = self._weights_against()
        self.least: Any = 0
        self.arrangement = list(range(k))
        self.points_up = self._upward(self.arrangement)
        self._consider(np.argsort(-np.sign(margin).sum(axis=1), kind="stable").tolist())

    def _weights_against(self) -> dict[tuple[int, int], int]:
        """Return what moving items one by one goes by: whole numbers, so that an end comes."""
        scaled = self.margin if self.exact else np.rint(self.margin / self.unit * 2**30)
        entries = enumerate(scaled.tolist())
        return {(i, j): int(lead) for i, row in entries for j, lead in enumerate(row) if lead > 0}

    @property
    def gap(self) -> Any:
        """How much more than the least points upwards at most."""
        gap = max(self.points_up - self.least, 0)
        if not self.is_whole and gap <= 2 * _SOLVED * self.scale * self.unit:
            return 0
        return math.ceil(gap) if self.exact else gap

    def relax(self, deadline: float) -> bool:
        """Solve the linear program, and return whether it is worth solving again."""
        optimize = load("scipy.optimize", "optimize")
        matrix, limits = self._constraints()
        found = optimize.linprog(
            self.objective,
            A_ub=matrix,
            b_ub=limits,
            bounds=(0, 1),
            method="highs",
            options=_time_left(deadline),
        )
        if found.x is None or found.status != 0:
            return False
        # The bound is proven by the multipliers alone, however roughly they solve the program.
        multipliers = np.maximum(-found.ineqlin.marginals, 0)
        reduced = self.objective + matrix.T @ multipliers
        self._prove(np.minimum(reduced, 0).sum() - multipliers @ limits, off_by=_ADDED)
        return self._learn(found.x, deadline)

    def branch(self, deadline: float) -> bool:
        """Solve the integer program, and return whether it is worth solving again."""
        optimize = load("scipy.optimize", "optimize")
        matrix, limits = self._constraints()
        found = optimize.milp(
            self.objective,
            integrality=np.ones(self.objective.size),
            bounds=optimize.Bounds(0, 1),
            constraints=optimize.LinearConstraint(matrix, -np.inf, limits),
            options={"mip_rel_gap": 0, **_time_left(deadline)},
        )
        if found.mip_dual_bound is not None and math.isfinite(found.mip_dual_bound):
            self._prove(found.mip_dual_bound, off_by=_SOLVED)
        return found.x is not None and self._learn(found.x, deadline)

    def _constraints(self) -> tuple[Any, NDArray[np.float64]]:
        """Return the rows as a sparse matrix, and the largest value that each may have.

        A row (a, b, c, sign) of pairs stands for sign (y_a + y_b - y_c) being at most 1 or 0.
        """
        sparse = load("scipy.sparse", "optimize")
        pairs, signs = self.rows[:, :3], self.rows[:, 3]
        values = signs[:, None] * np.array([1, 1, -1])
        starts = np.arange(0, 3 * len(pairs) + 1, 3)
        shape = (len(pairs), self.objective.size)
        matrix = sparse.csr_matrix((values.ravel(), pairs.ravel(), starts), shape=shape)
        return matrix, (signs > 0).astype(np.float64)

    def _learn(self, solution: NDArray[np.float64], deadline: float) -> bool:
        """Take an arrangement and violated rows from a solution; return whether rows are new."""
        y = np.zeros(self.margin.shape)
        y[self.first, self.second] = solution
        y[self.second, self.first] = 1 - solution
        self._consider(np.argsort(-y.sum(axis=1), kind="stable").tolist())
        known = len(self.rows)
        self.rows = np.unique(np.concatenate((self.rows, self._violated(y, deadline))), axis=0)
        return len(self.rows) > known

    def _violated(self, y: NDArray[np.float64], deadline: float) -> NDArray[np.int64]:
        """Return the rows that are violated most, of those found in time."""
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
                found.append(self._rows_of(i, j + i + 1, k + i + 1, sign))
        if not found:
            return self.rows[:0]
        rows, amount = np.concatenate(found), np.concatenate(amounts)
        return rows[np.argsort(-amount, kind="stable")[: _ROWS_AN_ITEM * len(y)]]

    def _rows_of(self, i: int, j: Numbers, k: Numbers, sign: int) -> NDArray[np.int64]:
        pairs = self.number[i, j], self.number[j, k], self.number[i, k]
        return np.stack((*pairs, np.full(j.size, sign)), axis=1)

    def _prove(self, objective: float, *, off_by: float) -> None:
        """Raise what no arrangement can be below, given a bound of the objective."""
        bound = float(objective) + self.offset - off_by * self.scale
        self.least = max(self.least, (math.ceil(bound) if self.is_whole else bound) * self.unit)

    def _consider(self, arrangement: list[int]) -> None:
        """Keep the arrangement, its items moved to where they cost least, if it is the best."""
        better = improved(len(arrangement), self.against, arrangement)
        points_up = self._upward(better)
        if points_up < self.points_up:
            self.arrangement, self.points_up = better, points_up

    def _upward(self, arrangement: list[int]) -> Any:
        stands = inverse_of(np.array(arrangement))
        below = stands[:, None] > stands
        return plain_number(self.margin[below & (self.margin > 0)].sum())


def _time_left(deadline: float) -> dict[str, float]:
    left = deadline - time.monotonic()
    return {"time_limit": max(left, 0.01)} if left < math.inf else {}
