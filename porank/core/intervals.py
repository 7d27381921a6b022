"""Confidence intervals for shares and means over units that are independent of each other.

Idea: *units that all agree are no certainty.* The variance is estimated as if there were two more
units, one at each end; and what one unit says several times counts as what resembles itself.

`share_interval` takes the sums of units; `LEAST_UNITS` is how many it needs.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


#: From fewer units no interval is given.
LEAST_UNITS = 5


def share_interval(
    right: NDArray[Any], decided: NDArray[Any], margin: float
) -> tuple[float, float]:
    """Return the bounds of a share of what units decide, from what each has right.

    A unit has a weight of what is `decided`, and of this a part from 0 to all that is `right`; the
    margin is the chance that the share lies beyond either bound. Too few units give nan.
    """
    right, decided = right[decided > 0], decided[decided > 0]
    units, whole = decided.size, decided.sum()
    if units < LEAST_UNITS:
        return math.nan, math.nan
    share, usual = right.sum() / whole, (decided**2).sum() / whole
    # Two more units, one right throughout and one wrong.
    smoothed = (right.sum() + usual) / (whole + 2 * usual)
    deviations = (right - share * decided) / (1 - decided / whole)
    scatter = (deviations**2).sum() * (units - 1) / units
    scatter += usual**2 * (smoothed**2 + (1 - smoothed) ** 2)
    n = smoothed * (1 - smoothed) * (whole + 2 * usual) ** 2 / scatter
    t = _t_quantile(1 - margin, units - 1)
    low, high = (_wilson_bound(one, n, t) for one in (share, 1 - share))
    return low, 1 - high


def _wilson_bound(share: float, n: float, t: float) -> float:
    """Return Wilson's lower bound of a share of n, corrected for continuity."""
    if n * share <= 0.5:
        return 0.0
    root = t * t - 2 - 1 / n + 4 * share * (n * (1 - share) + 1)
    return float((2 * n * share + t * t - 1 - t * math.sqrt(root)) / (2 * (n + t * t)))


def _t_quantile(share: float, freedom: int) -> float:
    """Return the quantile of Student's t for an interval, by its expansion around the normal."""
    z = NormalDist().inv_cdf(share)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return float(z + sum(term / freedom**power for power, term in enumerate(terms, 1)))
