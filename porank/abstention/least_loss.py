"""The partial order of least loss, where leaving a pair open has a cost.

A pair left open costs c, an ordered pair (a, b) costs 1 - P(a, b); so to order it gains
P(a, b) - (1 - c). If the pairs that gain make an order, it is the optimum. If not, some of them are
left open, or pairs that lose are put in to keep others: an integer program chooses.

*Take an optimum S and the pairs of S that gain: their closure lies within S and loses nothing, so
it is an optimum, too.* Hence only pairs at the ends of a chain of gaining pairs can matter, and the
program, which begins with the pairs that gain, never writes others. Its rows are added when an
answer breaks them, as cutting planes are [1]_.

Idea: *ask for all pairs that gain; where the answer is not transitive, write down the rows that it
breaks, and ask again.* The rows are first asked of shares between 0 and 1, which is cheap and in
most cases enough; whole numbers are asked for when the shares break no row and are not whole.

`least_loss`; its program: `_GainfulPairs`, `search`; any program: `broken_rows`, `matrix_of_rows`,
`solve`; its time: `read_seconds`, `time_left`.

References
----------
.. [1] M. Grötschel, M. Jünger, G. Reinelt, "A cutting plane algorithm for the linear ordering
   problem", Operations Research 32(6), 1984, pp. 1195-1220. https://doi.org/10.1287/opre.32.6.1195
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.degrees import is_number, simple_fraction
from porank.abstention.preference_relation import least_strength_above
from porank.abstention.thresholds import closed_cut, deciding_strengths, minimal_strength
from porank.core.arguments import load
from porank.core.graphs import numbers_in_order
from porank.core.progress import interruptible, track
from porank.errors import CycleError, PorankError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from porank.abstention.preference_relation import PreferenceRelation


def least_loss(
    P: PreferenceRelation,
    cost: Fraction,
    *,
    seconds: float | None = None,
) -> tuple[NDArray[np.bool_], Fraction, Fraction]:
    """Return a strict partial order of least loss, or the best one found, its loss and the gap."""
    limit = read_seconds(seconds)
    least = least_strength_above(P, 1 - cost)
    gains = P.strength >= least
    closed = closed_cut(gains)
    if closed is not None and np.array_equal(closed, gains):
        return gains, _loss_of(P, gains, cost), Fraction(0)
    line = np.array(numbers_in_order(P.items))
    square = np.ix_(line, line)
    pairs = _GainfulPairs.among(P, P.strength[square], 1 - cost)
    start = _best_cut(P, pairs)
    best, gap = search(pairs, start, seconds=limit)
    closed = np.zeros_like(gains)
    closed[square] = best
    return closed, _loss_of(P, closed, cost), gap


def _loss_of(P: PreferenceRelation, closed: NDArray[np.bool_], cost: Fraction) -> Fraction:
    """Return the loss of a partial order that leaves pairs open at a cost, exactly."""
    strengths, times = np.unique(P.strength[closed], return_counts=True)
    loss = cost * (math.comb(len(closed), 2) - int(times.sum()))
    for strength, number in zip(strengths.tolist(), times.tolist(), strict=True):
        loss += number * (1 - P.degree_of_strength(strength))
    return loss


def _best_cut(
    P: PreferenceRelation,
    pairs: _GainfulPairs,
) -> NDArray[np.bool_]:
    """Return an order to begin the search of least loss with: what the best closed cut implies."""
    try:
        least = minimal_strength(P)
    except CycleError:
        return np.zeros_like(pairs.gains)
    decided = deciding_strengths(pairs.strength, least)
    is_decided = decided > 0
    levels, place = np.unique(decided[is_decided], return_inverse=True)
    gained = np.bincount(place, weights=pairs.weight[is_decided], minlength=len(levels))
    totals = np.cumsum(gained[::-1])[::-1]
    if not totals.size or totals.max() <= 0:
        return np.zeros_like(pairs.gains)
    best = closed_cut((decided >= levels[int(np.argmax(totals))]) & pairs.gains)
    assert best is not None, "part of an order has no cycle"
    return best


#: Up to this denominator gains are counted in whole numbers; then an optimum is proven exactly.
_WHOLE = 10**5
#: Otherwise they are multiplied by this, so that the tolerances of the solver are small.
_SCALE = 1000
#: What a row may be broken by, the solver being exact to 1e-7.
_CLOSE = 1e-5
#: Shares as near as this to a whole number are that number; three of them do not break a row.
_NEAR = 1e-6
#: Rounding of a large gain may be as much as this share of it, times `_CLOSE`.
_OF_LARGE = 1e-4
#: So many broken rows are added at a time.
_ROWS = 20_000


@dataclass(frozen=True, eq=False)
class _GainfulPairs:
    """What it gains to order each pair."""

    strength: NDArray[Any]
    weight: NDArray[np.float64]
    unit: Fraction
    is_whole: bool

    @classmethod
    def among(cls, P: PreferenceRelation, strength: NDArray[Any], rest: Fraction) -> _GainfulPairs:
        """Return the gains: the degree of each pair, less `rest`."""
        present, place = np.unique(strength, return_inverse=True)
        gains = [P.degree_of_strength(number) - rest for number in present.tolist()]
        whole = math.lcm(*(gain.denominator for gain in gains))
        scale = whole if whole <= _WHOLE else _SCALE
        weights = np.array([float(gain * scale) for gain in gains])
        weight = weights[place].reshape(strength.shape)
        np.fill_diagonal(weight, 0)
        return cls(strength, weight, Fraction(1, scale), whole <= _WHOLE)

    @property
    def gains(self) -> NDArray[np.bool_]:
        """The pairs that gain."""
        return self.weight > 0


def search(
    pairs: _GainfulPairs,
    start: NDArray[np.bool_],
    *,
    seconds: float = math.inf,
) -> tuple[NDArray[np.bool_], Fraction]:
    """Return the order of least loss by what its pairs gain, or the best found, and the gap."""
    best = start
    # What would be gained if every pair could be ordered at its best.
    most = float(np.maximum(np.maximum(pairs.weight, pairs.weight.T), 0).sum()) / 2
    rounds = _rounds(pairs, time.monotonic() + seconds)
    for shares, bound in track(rounds, label="solving"):
        most = min(most, bound)
        if shares is not None:
            closed = closed_cut((shares > 0.5) & pairs.gains)
            if closed is not None and _gain(pairs, closed) > _gain(pairs, best):
                best = closed
    return best, _gap(pairs, most, _gain(pairs, best))


def _gain(pairs: _GainfulPairs, closed: NDArray[np.bool_]) -> float:
    return float(pairs.weight[closed].sum())


def _gap(pairs: _GainfulPairs, most: float, gain: float) -> Fraction:
    """Return how far the loss may be from the least one, 0 if no more than rounding explains."""
    slack = _CLOSE * max(1.0, abs(most) * _OF_LARGE)
    if pairs.is_whole:
        most = math.floor(most + slack)
    return simple_fraction(most - gain) * pairs.unit if most - gain > slack else Fraction(0)


def _rounds(
    pairs: _GainfulPairs, deadline: float
) -> Iterator[tuple[NDArray[np.float64] | None, float]]:
    """Yield shares and bound of each round of least loss, last an order unless time is over."""
    rows = np.empty((0, 3), dtype=np.int64)
    shares, is_integral = pairs.gains.astype(np.float64), False
    while time.monotonic() < deadline:
        broken = broken_rows(shares)
        if not len(broken):
            if np.array_equal(shares, np.round(shares)):
                return
            is_integral = True
        rows = np.concatenate((rows, broken))
        found, bound, is_stopped = _solve(pairs, rows, is_integral, deadline)
        yield found, bound
        if is_stopped or found is None:
            return
        shares = found


def broken_rows(shares: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the triples (i, j, k) where shares of pairs break transitivity of the order sought."""
    n = len(shares)
    limit = max(1, _ROWS // max(n, 1))
    found = [np.empty((0, 3), dtype=np.int64)]
    for j in range(n):
        above = np.flatnonzero(shares[:, j] > _CLOSE)
        below = np.flatnonzero(shares[j] > _CLOSE)
        excess = shares[above, j, None] + shares[j, below] - shares[np.ix_(above, below)] - 1
        rows, columns = np.nonzero(excess > _CLOSE)
        if len(rows) > limit:
            first = np.argsort(-excess[rows, columns], kind="stable")[:limit]
            rows, columns = rows[first], columns[first]
        middle = np.full(len(rows), j)
        found.append(np.stack((above[rows], middle, below[columns]), axis=1))
    return np.concatenate(found)


def _solve(
    pairs: _GainfulPairs, rows: NDArray[np.int64], is_integral: bool, deadline: float
) -> tuple[NDArray[np.float64] | None, float, bool]:
    """Return the shares of least loss that keep the rows, a bound, and whether it was stopped.

    Pairs in no row are ordered if they gain.
    """
    n = len(pairs.weight)
    i, j, k = rows.T
    cells = np.stack((i * n + j, j * n + k, i * n + k), axis=1)
    codes, column = np.unique(cells, return_inverse=True)
    entries = np.tile([1.0, 1.0, -1.0], (len(rows), 1))
    entries[i == k, 2] = 0  # no item is above itself
    matrix = matrix_of_rows(column.reshape(-1, 3), entries, width=len(codes))
    weight = pairs.weight.ravel()[codes]
    result = solve(-weight, (matrix, -np.inf, 1), is_integral=is_integral, deadline=deadline)
    gained = pairs.weight[pairs.gains].sum() - np.maximum(weight, 0).sum()
    dual = result.mip_dual_bound if is_integral else result.fun if result.status == 0 else None
    bound = math.inf if dual is None else float(gained - dual)
    if result.x is None:
        return None, bound, True
    shares = pairs.gains.astype(np.float64).ravel()
    near = np.round(result.x)
    shares[codes] = np.where(is_integral | (abs(result.x - near) < _NEAR), near, result.x)
    return shares.reshape(n, n), bound, result.status != 0


def matrix_of_rows(columns: NDArray[np.int64], entries: NDArray[Any], *, width: int) -> Any:
    """Return the rows that keep shares of least loss transitive as a sparse matrix."""
    height, each = columns.shape
    starts = np.arange(0, height * each + 1, each)
    parts = entries.ravel(), columns.ravel(), starts
    return load("scipy.sparse", "optimize").csr_matrix(parts, shape=(height, width))


def solve(
    objective: NDArray[Any], *constraints: tuple[Any, Any, Any], is_integral: bool, deadline: float
) -> Any:
    """Return the shares of least loss that SciPy finds: from 0 to 1, or whole.

    A constraint is a matrix of rows, and bounds from below and from above.
    """
    optimize = load("scipy.optimize", "optimize")
    return interruptible(
        optimize.milp,
        objective,
        integrality=np.full(len(objective), int(is_integral)),
        bounds=optimize.Bounds(0, 1),
        constraints=[optimize.LinearConstraint(*each) for each in constraints],
        options={"mip_rel_gap": 0, **time_left(deadline)},
    )


#: Nobody waits longer.
_MANY_SECONDS = 10**9


def read_seconds(seconds: Any) -> float:
    """Return how many seconds a search of least loss may take, infinitely many if none are said."""
    if seconds is None:
        return math.inf
    if isinstance(seconds, bool) or not is_number(lambda number: number >= 0, seconds):
        raise PorankError(f"expected a number of seconds from 0 on, found {seconds!r}")
    return math.inf if seconds > _MANY_SECONDS else float(seconds)


def time_left(deadline: float) -> dict[str, float]:
    """Return the option of a solver of least loss that says how long it may take."""
    left = deadline - time.monotonic()
    return {"time_limit": max(left, 0.01)} if left < math.inf else {}
