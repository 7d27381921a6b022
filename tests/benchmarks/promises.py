"""Promises tried by simulation: sets of ranks that hold all at once, and thresholds of a risk.

Run ``python -m tests.benchmarks.promises`` for the tables, with ``--small`` for a quick look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

import porank as po
from porank.core.tables import Table
from tests.benchmarks.side_by_side import run

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


def population(groups: int, items: int = 6, members: int = 10) -> tuple[list[Any], list[Any]]:
    """Groups with noisy votes for a true ranking, some much noisier than others."""
    rng = np.random.default_rng(3)
    relations, targets = [], []
    for _ in range(groups):
        truth = rng.normal(size=items)
        votes = truth + rng.normal(0, rng.uniform(0.1, 1.5), (members, items))
        votes += rng.normal(0, 0.4, items)  # an error that all votes share
        relations.append(po.preference_relation(votes))
        targets.append(truth.tolist())
    return relations, targets


def figures(relations: list[Any], targets: list[Any]) -> tuple[dict[Any, int], Any]:
    """Return a column for each threshold, and for each group and column loss and completeness."""
    grid = [Fraction(k, 10) for k in range(11)]
    found = np.zeros((len(relations), 12, 2))
    for row, (P, target) in enumerate(zip(relations, targets, strict=True)):
        least = po.minimal_threshold(P)
        curve = {point.alpha: point for point in po.abstention_curve(P, target)}
        pairs = len(target) * (len(target) - 1) // 2
        for column, alpha in enumerate(grid):
            place = min((each for each in curve if each >= max(alpha, least)), default=None)
            if place is not None:
                right, wrong = curve[place].concordant or 0, curve[place].discordant or 0
                found[row, column] = wrong / pairs, (right + wrong) / pairs
    return {alpha: column for column, alpha in enumerate(grid)} | {None: 11}, found


def promises(sizes: list[int], draws: int, groups: int, risk: float) -> Table:
    """Return what new groups lose at calibrated thresholds, and what that costs."""
    relations, targets = population(groups)
    column, found = figures(relations, targets)
    means, rows = found.mean(axis=0), []
    for n in sizes:
        rng, drawn = np.random.default_rng(4), []
        for _ in range(draws):
            some = rng.integers(groups, size=n).tolist()
            sample = [relations[k] for k in some], [targets[k] for k in some]
            drawn.append(means[column[po.calibrate_threshold(*sample, risk=risk).alpha]])
        lost, complete = np.array(drawn).T
        error, kept = np.std(lost) / np.sqrt(draws), np.mean(lost <= risk)
        cells = (f"{np.mean(lost):.4f}", f"{error:.4f}", f"{kept:.1%}", f"{np.mean(complete):.3f}")
        rows.append((n, *cells, f"{means[0, 1]:.3f}", f"{means[0, 0]:.4f}"))
    columns = ["groups", "mean loss", "error", "draws within", "completeness"]
    columns += ["without risk", "loss without"]
    return Table(columns, rows, title=f"Risk {risk}: {draws:,} draws of groups each")


def parts(*, small: bool) -> Iterator[Table]:
    """Yield the tables."""
    draws, groups = (20, 200) if small else (1000, 2000)
    yield coverage(draws)
    yield promises([19, 50, 200], draws, groups, 0.05)


if __name__ == "__main__":
    run(__doc__, parts, "numpy")
