"""Which differences of a taste model chance does not explain, with all pairs tested together.

Idea: *if two items are equally liked, it is a coin toss in which direction each independent unit
pulls.* So the influence of each unit gets a random sign, many times, with one sign a unit for all
pairs. A pair is significant if its statistic is larger than the largest of all pairs that are not
clearer than it in 95 % of these draws (step-down max-T, Westfall and Young [1]_). The probability
that any pair of equal items is announced is then about 5 %, whatever the dependence of the pairs.

`joint_tests` tests all pairs of a `TasteModel`, and returns `JointTests`; `find_contradictions`
finds pairs whose own comparisons go against the model.

References
----------
.. [1] P. H. Westfall, S. S. Young, "Resampling-Based Multiple Testing", Wiley, 1993.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.abstention.settled import holm
from porank.clicks.taste_model import RIDGE, crossed_variances, of_rivals, variances_of_gaps
from porank.core.arrays import distinct, in_parts
from porank.core.progress import track
from porank.orders.open_pairs import Reason

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.clicks.taste_model import Comparisons, TasteModel
    from porank.typing import Floats, Numbers


#: A pair is open if its variance is above this, a quarter of the prior's (2 / RIDGE).
MOST_VARIANCE = 0.5 / RIDGE
#: A pair is open if places leave less than this share of its information.
LEAST_MOVED = 0.1
#: A pair is open if fewer units compare one of its items: five cannot reach 5 %, because 2 / 2^5 is
#: .0625.
LEAST_UNITS = 6
#: Number of pairs, and of units, that are handled at a time; minimum number of steps of step-down;
#: number of influences that are handled at a time.
_PAIRS, _UNITS, _STEPS, _CELLS = 1 << 8, 1 << 12, 1 << 6, 1 << 21


class JointTests(NamedTuple):
    """The tests of all pairs of items, in columns; u < v are numbers of items.

    Attributes
    ----------
    u, v : array of int
        The pairs.
    gap : array of float
        strength[u] - strength[v], in log-odds.
    error : array of float
        Standard error of the gap, from the influences of the units, but at least the root of half
        the model's variance.
    statistic : array of float
        The gap divided by the error that it would have if both items were equal; 0 if the pair
        cannot be tested.
    p_value : array of float
        p-value in (0, 1], adjusted for all pairs; 1 if the pair cannot be tested.
    reason : array of int
        The `Reason` for which a pair cannot be tested; `CHANCE` if it can.
    critical : array of float
        What the statistic must reach: the quantile 1 - risk of the largest statistic of the pair
        and those that are less clear; inf if the pair cannot be tested.
    bound : float
        The largest critical value. The intervals gap +- bound x error hold for all pairs together.
    """

    u: Numbers
    v: Numbers
    gap: Floats
    error: Floats
    statistic: Floats
    p_value: Floats
    reason: Numbers
    critical: Floats
    bound: float

    @property
    def testable(self) -> Numbers:
        """The rows of the pairs that can be tested."""
        return np.flatnonzero(self.reason == Reason.CHANCE)


def joint_tests(model: TasteModel, *, risk: float, seed: int = 0) -> JointTests:
    """Return the tests of all pairs of a model."""
    u, v = np.triu_indices(model.strength.size, 1)
    gap = model.strength[u] - model.strength[v]
    spreads = [variances_of_gaps(each)[u, v].clip(1e-30) for each in model.covariances()]
    # Where nearly all comparisons agree, few units could tell otherwise, and their spread says too
    # little. It is usually .6 of the model's variance or more in lists, and 1 in battles.
    error = np.sqrt(np.maximum(crossed_variances(spreads), model.variance[u, v] / 2))
    # If u and v are equal, each unit gets back its share of the gap, so its influence is
    # psi + gap (its part in u + its part in v) / 2. The sum of the squares of these parts is at
    # most (share[u] + share[v])^2 / 4. So |t| is at most the root of the number of units.
    lump = (model.share[u] + model.share[v]) ** 2 / 4
    reason = np.where(model.variance[u, v] > MOST_VARIANCE, Reason.RARE, Reason.CHANCE)
    reason[model.moved[u, v] < LEAST_MOVED] = Reason.ARRANGED
    reason[np.minimum(model.busy[u], model.busy[v]) < LEAST_UNITS] = Reason.RARE
    statistic = np.where(reason == Reason.CHANCE, gap / np.sqrt(error**2 + gap**2 * lump), 0.0)
    p_value, critical = np.ones(u.size), np.full(u.size, np.inf)
    testable = np.flatnonzero(reason == Reason.CHANCE)
    if testable.size:
        draws = max(1000, round(50 / risk))
        thrown = _thrown(model, draws, np.random.default_rng(seed))
        one, other = u[testable], v[testable]
        scale = np.sqrt(np.sum(spreads[:2], axis=0)[testable])
        found = _adjusted(thrown, one, other, scale, np.abs(statistic[testable]), risk)
        p_value[testable], critical[testable] = found
    bound = float(critical[testable].max(initial=0)) or np.inf
    return JointTests(u, v, gap, error, statistic, p_value, reason, critical, bound)


def _thrown(model: TasteModel, draws: int, rng: np.random.Generator) -> Floats:
    """Return the sums of the influences on each item with random signs of the units, draws x n.

    The sum over units of sign x score x V is (the sum of sign x score) x V, so signs are thrown on
    terms, and pairs need no more than this.
    """
    total = np.zeros((draws, model.score.shape[1]))
    for score in (model.score, *model.crossed[:1]):
        for first in track(range(0, score.shape[0], _UNITS), label="signs"):
            some = score[first : first + _UNITS].toarray().astype(np.float32)
            signs = rng.integers(2, size=(draws, len(some)), dtype=np.int8) * np.float32(2) - 1
            total += signs @ some
    thrown: Floats = total @ model.of_items
    return thrown


def _adjusted(
    thrown: Floats, u: Numbers, v: Numbers, scale: Floats, statistic: Floats, risk: float
) -> tuple[Floats, Floats]:
    """Return the adjusted p-value of each pair, and the statistic that it must reach."""
    # If items are rows, the draws of a pair are next to each other in memory.
    thrown = np.ascontiguousarray(thrown.T, dtype=np.float32)
    draws, scale = thrown.shape[1], scale.astype(np.float32)
    order = np.argsort(statistic, kind="stable")
    largest, as_large = np.zeros(draws, dtype=np.float32), np.empty(u.size)
    critical = np.empty(u.size)
    steps = max(-(-order.size // _PAIRS), min(order.size, _STEPS))
    for some in track(np.array_split(order, steps), label="pairs"):
        size = thrown[u[some]]
        size -= thrown[v[some]]
        np.abs(size, out=size)
        size /= scale[some, None]
        # Each pair is compared with the largest of the pairs up to the end of its step.
        np.maximum(largest, size.max(axis=0), out=largest)
        # Sums of 32-bit floats that are equal may differ by rounding.
        least = statistic[some] * (1 - 1e-5)
        ascending = np.sort(largest)
        as_large[some] = draws - np.searchsorted(ascending, least)
        critical[some] = ascending[math.ceil((1 - risk) * (draws - 1))]
    p_values = np.empty(u.size)
    # p = (1 + number of draws that are as large) / (1 + draws), not smaller than a clearer pair's.
    p_values[order] = np.maximum.accumulate((1 + as_large[order][::-1]) / (1 + draws))[::-1]
    return p_values, critical


#: Number of units whose removal is tried first; maximum number of pairs x units.
_FIRST, _MOST_PULLS = 1 << 7, 1 << 26
#: Pairs with more than this share of information beside places rest on no few arrangements; of the
#: others, those with the least are tried, up to this number of pairs x comparisons.
_MIXED, _MOST_MIXED = 0.8, 1 << 24


def rests_on(
    compared: Comparisons, model: TasteModel, tests: JointTests, rows: Numbers
) -> Numbers | None:
    """Return for some significant pairs about how many units must go until they are not.

    t grows with the sum of the `_pulls` over the root of the sum of their squares. Those that pull
    most go first. The fit without them is not computed, and the limits stay as they are. None for
    more than 67 million pulls.
    """
    units = model.parts.shape[0]
    if rows.size * units > _MOST_PULLS:
        return None
    found: Numbers = np.zeros(rows.size, dtype=np.int64)
    for some in in_parts(rows.size, max(1, _CELLS // units)):
        kept = rows[some]
        pull = _pulls(model, tests, kept)
        enough = tests.critical[kept] / np.abs(tests.statistic[kept])
        for most in (_FIRST, units):
            left = np.flatnonzero(found[some] == 0)
            found[some.start + left] = _until_open(pull[:, left], enough[left], most)
    u, v = tests.u[rows], tests.v[rows]
    # Without so many, too few compare one of the items.
    found = np.minimum(found, np.minimum(model.busy[u], model.busy[v]) - (LEAST_UNITS - 1))
    moved = model.moved[u, v]
    few = np.argsort(moved)[: max(1, _MOST_MIXED // max(compared.unit.size, 1))]
    few = few[moved[few] < _MIXED]
    found[few] = np.minimum(found[few], _until_fixed(compared, model, u[few], v[few]))
    return found


def _gaps(compared: Comparisons, model: TasteModel) -> tuple[Floats, Floats]:
    """Return the log-odds by the model that each comparison has its winner, and its rivals."""
    rivals = compared.rivals(of_rivals(model.strength))
    gap = model.strength[compared.winner] - model.strength[compared.loser]
    gap += model.place[compared.at] - model.place[compared.other_at]
    gap += model.rivals * rivals
    return gap, rivals


def _until_fixed(compared: Comparisons, model: TasteModel, u: Numbers, v: Numbers) -> Numbers:
    """Return at most how many units must go until places leave too little of pairs' information.

    Idea: *with V the inverse information and y = V d for the gap d, the variance d' V d is the sum
    of y' I y over the units, with I the information of each.* These are their shares in what is
    known of the gap. As information is concave, without some units at most the rest is left.
    """
    found, n = np.empty(u.size, dtype=np.int64), compared.n
    if not u.size:
        return found
    gap, rivals = _gaps(compared, model)
    # w P (1 - P) = w / (2 + 2 cosh(gap)) of each comparison.
    info = compared.weight / (2 + 2 * np.cosh(gap))
    for k, (one, other) in enumerate(zip(u.tolist(), v.tolist(), strict=True)):
        y = model.inverse[:, one] - model.inverse[:, other]
        along = y[compared.winner] - y[compared.loser] + y[-1] * rivals
        along += y[n + compared.at] - y[n + compared.other_at]
        share = np.bincount(compared.unit, info * along**2, compared.units) / (y[one] - y[other])
        enough = 1 - LEAST_MOVED / model.moved[one, other]
        found[k] = np.searchsorted(np.sort(share)[::-1].cumsum(), enough) + 1
    return found


def _pulls(model: TasteModel, tests: JointTests, rows: Numbers) -> Floats:
    """Return, units x pairs, the influence psi of each unit with its share of the gap."""
    sides = np.zeros((2, model.parts.shape[1], rows.size))
    for side, item in zip(sides, (tests.u[rows], tests.v[rows]), strict=True):
        side[item, np.arange(rows.size)] = 1
    gap = tests.gap[rows]
    found = model.score @ (model.of_items @ ((sides[0] - sides[1]) * np.sign(gap)))
    whole: Floats = found + model.parts @ ((sides[0] + sides[1]) * (np.abs(gap) / 2))
    return whole


def _until_open(pull: Floats, enough: Floats, most: int) -> Numbers:
    """Return how many of the strongest pulls bring t below a share of itself; 0 if not found."""
    total, squares = pull.sum(axis=0), np.square(pull).sum(axis=0)
    least = enough * total / np.sqrt(squares)
    if most < len(pull):
        pull = np.partition(pull, -most, axis=0)[-most:]
    pull = -np.sort(-pull, axis=0)
    squares = np.maximum(squares - np.square(pull).cumsum(axis=0), 0)
    is_open = total - pull.cumsum(axis=0) < least * np.sqrt(squares)
    return np.where(is_open.any(axis=0), is_open.argmax(axis=0) + 1, 0)


#: Minimum number of units that compare a pair for a test of the model on it.
LEAST_OWN = 10


def find_contradictions(compared: Comparisons, model: TasteModel, risk: float) -> NDArray[np.bool_]:
    """Return, n x n, the pairs whose own comparisons go against the model, by Holm's procedure.

    A unit's residual on a pair is the sum of w (1 - P) over its comparisons of the pair, with the
    sign of the winner. z is the sum of the residuals of all units divided by the root of the sum of
    their squares, or of their variances by the model, the sum of w^2 P (1 - P), if that is larger.
    """
    from scipy.special import ndtr

    n, (gap, _) = compared.n, _gaps(compared, model)
    pair, is_up = compared.pair, compared.winner < compared.loser
    miss = 1 / (1 + np.exp(gap))
    residual = compared.weight * np.where(is_up, 1, -1) * miss
    expected = np.bincount(pair, compared.weight**2 * miss * (1 - miss), n * n)
    total = np.bincount(pair, residual, n * n)
    squares: list[NDArray[Any]] = []
    for unit in (*compared.crossed, compared.unit):
        first, row = distinct(unit * n * n + pair)
        squares.append(np.bincount(pair[first], np.bincount(row, residual) ** 2, n * n))
    units = np.bincount(pair[first], minlength=n * n)
    square = np.maximum(crossed_variances(squares[-1:] + squares[:-1]), expected)
    some = np.flatnonzero((square > 0) & (units >= LEAST_OWN))
    p = 2 * ndtr(-np.abs(total[some]) / np.sqrt(square[some]))
    found = np.zeros(n * n, dtype=bool)
    found[some[holm(p, risk)]] = True
    matrix = found.reshape(n, n)
    return matrix | matrix.T
