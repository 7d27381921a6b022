"""Confidence intervals for means over independent units.

Idea: *even if all units agree, the mean is not certain.* The variance is estimated as if there were
two more units, one at each end of the scale. Values of the same unit may depend on each other.

`mean_interval` takes the sums of units and needs at least `LEAST_UNITS` of them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from scipy import special

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
    # Two more units of weight h = sum of w^2 / W: p = (sum of w x + h) / (W + 2 h)
    smoothed = (high.sum() + usual) / (whole + 2 * usual)
    # The jackknife leaves out each of k units:
    # S = (k - 1) / k sum of (w (x - mean) / (1 - w / W))^2
    deviations = (high - share * weights) / (1 - weights / whole)
    scatter = (deviations**2).sum() * (units - 1) / units
    scatter += usual**2 * (smoothed**2 + (1 - smoothed) ** 2)
    # n = p (1 - p) (W + 2 h)^2 / (S + h^2 (p^2 + (1 - p)^2))
    n = smoothed * (1 - smoothed) * (whole + 2 * usual) ** 2 / scatter
    t = float(special.stdtrit(units - 1, 1 - margin))
    above, below = (span * _wilson_bound(one, n, t) for one in (share, 1 - share))
    return lowest + above, highest - below


def _wilson_bound(share: float, n: float, t: float) -> float:
    """Return Wilson's lower bound of a share of n, with a continuity correction."""
    if n * share <= 0.5:
        return 0.0
    # (2 n p + t^2 - 1 - t sqrt(t^2 - 2 - 1/n + 4 p (n (1 - p) + 1))) / (2 (n + t^2))
    root = t * t - 2 - 1 / n + 4 * share * (n * (1 - share) + 1)
    return float((2 * n * share + t * t - 1 - t * math.sqrt(root)) / (2 * (n + t * t)))
