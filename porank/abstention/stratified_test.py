"""Two groups of units compared exactly within strata: the permutation test of a sum of scores.

Idea: *if nothing differs between the two groups, it is chance alone which units of a stratum are
the first group.* Each unit has the score 1, 0 or -1. Given how many units of each score a stratum
holds, and how large its first group is, the sum of the scores of the first group has a known
distribution, and the sum over strata its convolution.

.. [1] E. B. Wilson, M. M. Hilferty, "The distribution of chi-square", Proceedings of the National
   Academy of Sciences 17(12), 1931, pp. 684-688. https://doi.org/10.1073/pnas.17.12.684
"""

from __future__ import annotations

import math
from functools import lru_cache, reduce
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from porank.core.arrays import run_bounds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Floats, Numbers


class StratifiedCounts(NamedTuple):
    """StratifiedCounts of tests, sorted by test, in columns of equal length.

    Attributes
    ----------
    test : array of int
        The number of the test that a stratum belongs to.
    units, drawn : array of int
        How many units it has, and how many of these are in the first group.
    plus, minus : array of int
        How many of its units have the score 1, and -1.
    found : array of int
        The sum of the scores of the first group.
    """

    test: Numbers
    units: Numbers
    drawn: Numbers
    plus: Numbers
    minus: Numbers
    found: Numbers

    def moments(self) -> tuple[Floats, Floats, Floats]:
        """Return mean, variance and third central moment of the sum in each stratum."""
        n, k = self.units.astype(float), self.drawn.astype(float)
        mean, square = (self.plus - self.minus) / n, (self.plus + self.minus) / n
        variance = square - mean**2
        third = mean - 3 * mean * square + 2 * mean**3
        spread = k * (n - k) / np.maximum(n - 1, 1)
        skew = spread * (n - 2 * k) / np.maximum(n - 2, 1)
        return k * mean, spread * variance, skew * third


#: A test is exact if the standard deviation of its sum is at most 5, and else takes the gamma
#: distribution of the same three moments: up to 3 standard deviations from the mean p-values are
#: within a tenth, and farther out rather too large.
_MOST_VARIANCE = 25


def permutation_p_values(strata: StratifiedCounts, tests: int) -> tuple[Floats, Floats]:
    """Return the two-sided p-value of each test, and the least that it could have had.

    The p-value is twice the smaller of the chances that the sum is at least, and at most, as large
    as found; at most 1, which it is without a stratum in which anything could differ.
    """
    mean, variance, third = strata.moments()
    is_open = variance > 1e-12
    strata = StratifiedCounts(*(column[is_open] for column in strata))
    total = [np.bincount(strata.test, each[is_open], tests) for each in (mean, variance, third)]
    found = np.bincount(strata.test, strata.found, tests)
    p, least = np.ones((2, tests))
    is_large = total[1] > _MOST_VARIANCE
    is_even = np.bincount(strata.test, strata.plus + strata.minus < strata.units, tests) == 0
    p[is_large] = _gamma_p_values(*(each[is_large] for each in (found, *total, 1.0 + is_even)))
    least[is_large] = 0
    rows = np.flatnonzero(~is_large[strata.test])
    start, stop = run_bounds(strata.test[rows])
    for first in np.unique(start).tolist():
        test = strata.test[rows[first]]
        some = [column[rows[first : stop[first]]].tolist() for column in strata[1:5]]
        p[test], least[test] = _exact_p_values(some, int(found[test]))
    return np.clip(p, np.finfo(float).tiny, 1), np.clip(least, np.finfo(float).tiny, 1)


def _exact_p_values(strata: list[list[int]], found: int) -> tuple[float, float]:
    """Return the p-value of one permutation test, and the least that it could have had."""
    parts = [_distribution(*stratum) for stratum in zip(*strata, strict=True)]
    chances = reduce(np.convolve, (chance for _, chance in parts))
    place = found - sum(lowest for lowest, _ in parts)
    tails = chances[place:].sum(), chances[: place + 1].sum()
    possible = np.flatnonzero(chances)
    return 2 * float(min(tails)), 2 * float(min(chances[possible[[0, -1]]]))


@lru_cache(maxsize=1 << 16)
def _distribution(units: int, drawn: int, plus: int, minus: int) -> tuple[int, Floats]:
    """Return the least sum of the scores of units drawn, and the chance of each sum from there on.

    Chances of less than about 1e-20 are left out.
    """
    x, y = (_likely(units, drawn, marked) for marked in (plus, minus))
    rest, others = units - plus - minus, drawn - x[:, None] - y
    logs = _ln_choose(plus, x)[:, None] + _ln_choose(minus, y) + _ln_choose(rest, others)
    chances = np.exp(logs - _ln_choose(units, np.array([drawn])))
    sums = x[:, None] - y
    found = np.bincount((sums - sums.min()).ravel(), chances.ravel()).astype(float)
    return int(sums.min()), found


def _likely(units: int, drawn: int, marked: int) -> Numbers:
    """Return how many of the units drawn may be marked."""
    mean = drawn * marked / units
    reach = 12 * math.sqrt(mean * (1 - marked / units)) + 12
    least = max(0, drawn + marked - units, math.floor(mean - reach))
    return np.arange(least, min(drawn, marked, math.ceil(mean + reach)) + 1)


_ln_factorial = np.vectorize(lambda k: math.lgamma(k + 1) if k >= 0 else math.inf, otypes=[float])


def _ln_choose(n: int, k: NDArray[np.int64]) -> Floats:
    """Return the logarithms of binomial coefficients."""
    different, place = np.unique(k, return_inverse=True)
    logs = math.lgamma(n + 1) - _ln_factorial(different) - _ln_factorial(n - different)
    found: Floats = logs[place.reshape(k.shape)]
    return found


def _gamma_p_values(
    found: Floats, mean: Floats, variance: Floats, third: Floats, step: Floats
) -> Floats:
    """Return p-values of sums by the gamma distribution of the same moments.

    Idea: *the cube root of a gamma variable is nearly normal* (Wilson and Hilferty). Sums are
    whole numbers, or all even or all odd, so half a step belongs to either side.
    """
    sd = np.sqrt(variance)
    skew = third / sd**3
    # Without skew the formula below is 0/0, and z itself its limit.
    skew = np.where(np.abs(skew) < 1e-6, 1e-6, skew)
    tails = []
    for side in (1, -1):
        z = (found - mean - side * step / 2) / sd
        root = np.cbrt(1 + skew * z / 2)
        normal = (root - 1 + skew**2 / 36) * 6 / skew
        tails.append([math.erfc(side * each / math.sqrt(2)) / 2 for each in normal.tolist()])
    p: Floats = 2 * np.min(tails, axis=0)
    return p
