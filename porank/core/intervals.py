"""Confidence intervals for means over units that are independent of each other.

Idea: *units that all agree are no certainty.* The variance is estimated as if there were two more
units, one at each end; and what one unit says several times counts as what resembles itself.

`mean_interval` takes the sums of units; `LEAST_UNITS` is how many it needs.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


#: From fewer units no interval is given.
LEAST_UNITS = 5


def mean_interval(
    sums: NDArray[Any], weights: NDArray[Any], margin: float, *, lowest: float, highest: float
) -> tuple[float, float]:
    """Return the bounds of a mean, from the sums of the values of independent units.

    Unit k has values of the weight weights[k], from the lowest to the highest; the margin is the
    chance that the mean lies beyond either bound. Too few units give nan.

    Wilson's interval with a correction for continuity, for as many draws of the lowest and the
    highest value as independent ones would give the same variance: that of the jackknife over
    units, with two more units. It is too short if a few units of much weight have other values than
    the rest.
    """
    sums, weights = sums[weights > 0], weights[weights > 0]
    units, whole, span = weights.size, weights.sum(), highest - lowest
    if units < LEAST_UNITS:
        return math.nan, math.nan
    high = (sums - lowest * weights) / span
    share, usual = high.sum() / whole, (weights**2).sum() / whole
    # Two more units, one with the highest value throughout and one with the lowest.
    smoothed = (high.sum() + usual) / (whole + 2 * usual)
    # The jackknife: what leaving out each unit in turn changes.
    deviations = (high - share * weights) / (1 - weights / whole)
    scatter = (deviations**2).sum() * (units - 1) / units
    scatter += usual**2 * (smoothed**2 + (1 - smoothed) ** 2)
    n = smoothed * (1 - smoothed) * (whole + 2 * usual) ** 2 / scatter
    t = t_quantile(1 - margin, units - 1)
    above, below = (span * _wilson_bound(one, n, t) for one in (share, 1 - share))
    return lowest + above, highest - below


def _wilson_bound(share: float, n: float, t: float) -> float:
    """Return Wilson's lower bound of a share of n, corrected for continuity."""
    if n * share <= 0.5:
        return 0.0
    root = t * t - 2 - 1 / n + 4 * share * (n * (1 - share) + 1)
    return float((2 * n * share + t * t - 1 - t * math.sqrt(root)) / (2 * (n + t * t)))


def t_quantile(share: float, freedom: int) -> float:
    """Return the quantile of Student's t approximately: its expansion around the normal.

    With 4 degrees of freedom the quantile .975 is .007 too low, and .995 is .06; with more, less.
    """
    z = NormalDist().inv_cdf(share)
    second = 5 * z**5 + 16 * z**3 + 3 * z
    third = 3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z
    terms = (z**3 + z) / (4 * freedom), second / (96 * freedom**2), third / (384 * freedom**3)
    return z + sum(terms)


def chi_square_tail(value: float, df: int) -> float:
    """Return the chance that a chi-square of `df` degrees of freedom exceeds a value."""
    half, shape = value / 2, (df % 2) / 2 or 1.0
    tail = math.erfc(math.sqrt(half)) if df % 2 else math.exp(-half)
    while half and shape < df / 2:
        tail += math.exp(shape * math.log(half) - half - math.lgamma(shape + 1))
        shape += 1
    return tail
