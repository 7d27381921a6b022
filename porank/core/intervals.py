"""Confidence intervals for means over independent units.

Idea: *even if all units agree, the mean is not certain.* The variance is estimated as if there were
two more units, one at each end of the scale. Values of the same unit may depend on each other.

`mean_interval` takes the sums of units and needs at least `LEAST_UNITS` of them.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


#: Minimum number of units for an interval.
LEAST_UNITS = 5


def mean_interval(
    sums: NDArray[Any], weights: NDArray[Any], margin: float, *, lowest: float, highest: float
) -> tuple[float, float]:
    """Return the bounds of a confidence interval of a mean, from sums over independent units.

    Unit k has values between `lowest` and `highest` with the total weight weights[k]. The margin is
    the probability that the mean lies beyond either bound. Too few units give nan.

    The interval is Wilson's with a continuity correction. Its number of draws is the number of
    independent draws of the lowest and the highest value that would have the same variance, which
    the jackknife over units estimates after two more units have been added. The interval is too
    short if a few units of large weight have other values than the rest.
    """
    sums, weights = sums[weights > 0], weights[weights > 0]
    units, whole, span = weights.size, weights.sum(), highest - lowest
    if units < LEAST_UNITS:
        return math.nan, math.nan
    high = (sums - lowest * weights) / span
    share, usual = high.sum() / whole, (weights**2).sum() / whole
    # Two more units, one with only the highest value and one with only the lowest.
    smoothed = (high.sum() + usual) / (whole + 2 * usual)
    # The jackknife: leave out each unit in turn.
    deviations = (high - share * weights) / (1 - weights / whole)
    scatter = (deviations**2).sum() * (units - 1) / units
    scatter += usual**2 * (smoothed**2 + (1 - smoothed) ** 2)
    n = smoothed * (1 - smoothed) * (whole + 2 * usual) ** 2 / scatter
    t = t_quantile(1 - margin, units - 1)
    above, below = (span * _wilson_bound(one, n, t) for one in (share, 1 - share))
    return lowest + above, highest - below


def _wilson_bound(share: float, n: float, t: float) -> float:
    """Return Wilson's lower bound of a share of n, with a continuity correction."""
    if n * share <= 0.5:
        return 0.0
    root = t * t - 2 - 1 / n + 4 * share * (n * (1 - share) + 1)
    return float((2 * n * share + t * t - 1 - t * math.sqrt(root)) / (2 * (n + t * t)))


def t_quantile(share: float, freedom: Any) -> Any:
    """Return an approximate quantile of Student's t by its expansion around the normal.

    With 4 degrees of freedom the quantile .975 is .007 too low and the quantile .995 is .06 too
    low; with more degrees the error is smaller.
    """
    z = NormalDist().inv_cdf(share)
    second = 5 * z**5 + 16 * z**3 + 3 * z
    third = 3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z
    terms = (z**3 + z) / (4 * freedom), second / (96 * freedom**2), third / (384 * freedom**3)
    return z + sum(terms)


def chi_square_tail(value: float, df: int) -> float:
    """Return the probability that chi-square with `df` degrees of freedom exceeds a value."""
    half, shape = value / 2, (df % 2) / 2 or 1.0
    tail = math.erfc(math.sqrt(half)) if df % 2 else math.exp(-half)
    while half and shape < df / 2:
        tail += math.exp(shape * math.log(half) - half - math.lgamma(shape + 1))
        shape += 1
    return tail
