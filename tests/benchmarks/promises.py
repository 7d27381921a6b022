"""Promises tried by simulation: intervals, and sets of ranks that hold all at once.

Run ``python -m tests.benchmarks.promises`` for all tables, with names for some, ``--small`` for
a quick look. ``intervals``: how often an interval of correctness on unseen sessions holds the true
value, beside percentiles of bootstrap samples of the units, and Wilson's interval for statements
taken as independent. ``ranks``: how often all sets of ranks hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from statistics import NormalDist
from typing import Any

import numpy as np

import porank as po
from porank.core.intervals import _wilson_bound, mean_interval
from porank.core.tables import Table
from porank.typing import Numbers
from tests.benchmarks.side_by_side import run

#: How many statements units have. Those of one unit are correlated as those of a beta-binomial
#: distribution are.
SIZES: dict[str, Callable[[np.random.Generator, Any], Numbers]] = {
    "1": lambda _, shape: np.ones(shape, dtype=np.int64),
    "4": lambda _, shape: np.full(shape, 4),
    "1 + Poisson(30)": lambda rng, shape: 1 + rng.poisson(30, shape),
    "geometric, mean 4": lambda rng, shape: rng.geometric(0.25, shape),
    "lognormal, mean 6": lambda rng, shape: np.ceil(rng.lognormal(1, 1.2, shape)).astype(int),
}
UNITS, TRUTHS, CORRELATIONS = (5, 20, 60, 200), (0.0, 0.5, 0.9, 0.98, 1.0), (0.0, 0.3, 1.0)
MARGIN = 0.025


def samples(
    sizes: str, units: int, correctness: float, correlation: float, many: int
) -> tuple[Numbers, Numbers]:
    """Return how many statements agree, and how many there are: a row of units a sample."""
    rng, share, rho = np.random.default_rng(0), (1 + correctness) / 2, correlation
    decided = SIZES[sizes](rng, (many, units))
    if rho == 0 or share == 1:
        return rng.binomial(decided, share), decided
    if rho == 1:
        return decided * (rng.random(decided.shape) < share), decided
    a, b = (side * (1 - rho) / rho for side in (share, 1 - share))
    return rng.binomial(decided, rng.beta(a, b, decided.shape)), decided


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


def intervals(*, small: bool) -> Iterator[Table]:
    """Yield the table: for each number of units and truth the least coverage of all settings."""
    rows = []
    for name, interval in INTERVALS.items():
        # Bootstrap samples take long, and fail clearly.
        many = 200 if small else 500 if interval is percentile_interval else 4000
        held: dict[tuple[int, float], list[float]] = {}
        for sizes, units, truth, correlation in product(SIZES, UNITS, TRUTHS, CORRELATIONS):
            if sizes == "1" and correlation:
                continue  # single statements have none
            drawn = zip(*samples(sizes, units, truth, correlation, many), strict=True)
            bounds = [interval(right, decided, MARGIN) for right, decided in drawn]
            holding = [low <= truth + 1e-12 and truth <= high for low, high in bounds]
            held.setdefault((units, truth), []).append(sum(holding) / many)
        rows += [
            (name, units, *(f"{min(held[units, truth]):.1%}" for truth in TRUTHS))
            for units in UNITS
        ]
    columns = ("interval", "units", *(f"correctness {truth:g}" for truth in TRUTHS))
    yield Table(columns, rows)


LEVEL, SAMPLES = 0.05, 1999


def normal(rng: np.random.Generator, size: Any) -> Any:
    """Errors that are as often above as below 0."""
    return rng.normal(size=size)


def skewed(rng: np.random.Generator, size: Any) -> Any:
    """Errors with a long tail, to the one side for every second system, to the other for others."""
    sides = np.where(np.arange(size[1]) % 2, 1.0, -1.0)
    return sides * (rng.exponential(size=size) - 1)


def unequal(errors: Callable[..., Any]) -> Callable[..., Any]:
    """Errors up to four times as large for some systems as for others."""
    return lambda rng, size: (1 + np.arange(size[1]) % 4) * errors(rng, size)


def one_outlier(rng: np.random.Generator, size: Any) -> Any:
    """Lognormal errors, those of the first system much larger and more skewed."""
    spread = np.where(np.arange(size[1]) == 0, 1.5, 0.3)
    return rng.lognormal(sigma=spread, size=size) - np.exp(spread**2 / 2)


ERRORS = {
    "normal": normal,
    "unequal": unequal(normal),
    "skewed": skewed,
    "skewed, unequal": unequal(skewed),
}


def holds(ranks: dict[Any, tuple[int, int]], means: Any) -> bool:
    """Whether all sets have each rank that a system may have, equal ones ranked in any way."""
    return all(
        low <= 1 + np.count_nonzero(means > means[system])
        and high >= len(means) - np.count_nonzero(means < means[system])
        for system, (low, high) in ranks.items()
    )


def coverage(draws: int) -> Table:
    """Return how often all sets of ranks hold, and how wide they are.

    Of the last kind, one system alone has large and skewed errors, no reach is promised.
    """
    cases = [
        (10, groups, name, kind)
        for groups in (15, 30, 60)
        for name in ERRORS
        for kind in ("all equal", "in pairs")
    ]
    cases += [(4, groups, name, "all equal") for groups in (15, 20) for name in ERRORS]
    cases += [(6, groups, "one outlier", "all equal") for groups in (15, 30, 60)]
    rows = []
    for systems, groups, name, kind in cases:
        # Means on a few levels: any two neighbours are equal.
        step = 0.0 if kind == "all equal" else 3 / np.sqrt(groups)
        means, errors = step * (np.arange(systems) // 2), ERRORS.get(name, one_outlier)
        rng, held, width = np.random.default_rng(1), 0, 0.0
        for _ in range(draws):
            values = means + errors(rng, (groups, systems))
            ranks = po.compare_scores(values, samples=SAMPLES, seed=rng).rank_sets()
            held += holds(ranks, means)
            width += float(np.mean([high - low + 1 for low, high in ranks.values()]))
        rows.append((systems, groups, name, kind, f"{held / draws:.1%}", f"{width / draws:.2f}"))
    columns = ("systems", "groups", "errors", "equal", "all sets hold", "mean width")
    return Table(columns, rows, title=f"{draws:,} draws each, level {LEVEL}; wanted 93.5% at least")


def ranks(*, small: bool) -> Iterator[Table]:
    """Yield how often sets of ranks hold all at once."""
    yield coverage(20 if small else 1000)


if __name__ == "__main__":
    run(__doc__, "numpy", intervals, ranks)
