"""How often an interval of correctness on unseen sessions holds the true value, by simulation.

Run ``python -m tests.benchmarks.intervals`` for the table, with ``--small`` for a quick look. A
unit has some statements, all of which agree with an order with one probability; statements of one
unit are correlated as those of a beta-binomial distribution are. The interval of porank is beside
the percentiles of bootstrap samples of the units, and beside Wilson's interval for statements that
are taken as independent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from statistics import NormalDist
from typing import Any

import numpy as np

from porank.core.intervals import _wilson_bound, mean_interval
from porank.core.tables import Table
from porank.typing import Numbers
from tests.benchmarks.side_by_side import run

#: How many statements units have.
SIZES: dict[str, Callable[[np.random.Generator, Any], Numbers]] = {
    "1": lambda _, shape: np.ones(shape, dtype=np.int64),
    "4": lambda _, shape: np.full(shape, 4),
    "1 + Poisson(30)": lambda rng, shape: 1 + rng.poisson(30, shape),
    "geometric, mean 4": lambda rng, shape: rng.geometric(0.25, shape),
    "lognormal, mean 6": lambda rng, shape: np.ceil(rng.lognormal(1, 1.2, shape)).astype(int),
}
UNITS, TRUTHS, CORRELATIONS = (5, 20, 60, 200), (0.0, 0.5, 0.9, 0.98, 1.0), (0.0, 0.3, 1.0)
MARGIN = 0.025


@dataclass(frozen=True)
class Setting:
    """Samples of one kind."""

    sizes: str
    units: int
    correctness: float
    correlation: float

    def samples(self, rng: np.random.Generator, many: int) -> tuple[Numbers, Numbers]:
        """Return how many statements agree, and how many there are: a row of units a sample."""
        decided = SIZES[self.sizes](rng, (many, self.units))
        share, rho = (1 + self.correctness) / 2, self.correlation
        if rho == 0 or share == 1:
            return rng.binomial(decided, share), decided
        if rho == 1:
            return decided * (rng.random(decided.shape) < share), decided
        a, b = (side * (1 - rho) / rho for side in (share, 1 - share))
        return rng.binomial(decided, rng.beta(a, b, decided.shape)), decided

    def holds(self, interval: Callable[..., tuple[float, float]], *, many: int) -> float:
        """Return the share of samples whose interval holds the true correctness."""
        samples = zip(*self.samples(np.random.default_rng(0), many), strict=True)
        bounds = (interval(right, decided, MARGIN) for right, decided in samples)
        ends = [
            low <= self.correctness + 1e-12 and self.correctness <= high for low, high in bounds
        ]
        return sum(ends) / many


def settings() -> Iterator[Setting]:
    """Yield all settings; single statements have no correlation."""
    for each in product(SIZES, UNITS, TRUTHS, CORRELATIONS):
        if each[0] != "1" or each[-1] == 0:
            yield Setting(*each)


def percentile_interval(right: Numbers, decided: Numbers, margin: float) -> tuple[float, float]:
    """Return percentiles of the correctness in 200 bootstrap samples of the units."""
    rng, n = np.random.default_rng(1), right.size
    drawn = rng.integers(n, size=(200, n))
    values = 2 * right[drawn].sum(axis=1) / decided[drawn].sum(axis=1) - 1
    low, high = np.quantile(values, [margin, 1 - margin]).tolist()
    return low, high


def independent_interval(right: Numbers, decided: Numbers, margin: float) -> tuple[float, float]:
    """Return Wilson's interval for statements that are taken as independent of each other."""
    n, z = decided.sum(), NormalDist().inv_cdf(1 - margin)
    share = right.sum() / n
    low, high = (2 * _wilson_bound(one, n, z) - 1 for one in (share, 1 - share))
    return low, -high


def unit_interval(right: Numbers, decided: Numbers, margin: float) -> tuple[float, float]:
    """Return the interval of correctness that `validate_feedback` gives."""
    return mean_interval(2 * right - decided, decided, margin, lowest=-1, highest=1)


INTERVALS: dict[str, Callable[..., tuple[float, float]]] = {
    "percentiles of samples": percentile_interval,
    "statements as independent": independent_interval,
    "validate_feedback": unit_interval,
}


def parts(*, small: bool) -> Iterator[Table]:
    """Yield the table: for each number of units and truth the least coverage of all settings."""
    many, rows = 200 if small else 4000, []
    for name, interval in INTERVALS.items():
        # Bootstrap samples take long, and fail clearly.
        samples = min(many, 500) if interval is percentile_interval else many
        held: dict[tuple[int, float], list[float]] = {}
        for each in settings():
            found = each.holds(interval, many=samples)
            held.setdefault((each.units, each.correctness), []).append(found)
        rows += [
            (name, units, *(f"{min(held[units, truth]):.1%}" for truth in TRUTHS))
            for units in UNITS
        ]
    columns = ("interval", "units", *(f"correctness {truth:g}" for truth in TRUTHS))
    yield Table(columns, rows)


if __name__ == "__main__":
    run(__doc__, parts, "numpy")
