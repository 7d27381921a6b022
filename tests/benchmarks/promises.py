"""Promises tried by simulation: sets of ranks that hold all at once, and thresholds of a risk.

Run ``python -m tests.benchmarks.promises`` for the tables, with ``--small`` for a quick look.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

import porank as po
from porank.core.tables import Table
from tests.benchmarks.side_by_side import machine, show, wants_small

Draw = Callable[[np.random.Generator, Any], Any]

LEVEL, SAMPLES = 0.05, 1999


def normal(rng: np.random.Generator, size: Any) -> Any:
    """Errors that are as often above as below 0."""
    return rng.normal(size=size)


def skewed(rng: np.random.Generator, size: Any) -> Any:
    """Errors with a long tail, to the one side for every second system, to the other for others."""
    sides = np.where(np.arange(size[1]) % 2, 1.0, -1.0)
    return sides * (rng.exponential(size=size) - 1)


def unequal(rng: np.random.Generator, size: Any) -> Any:
    """Normal errors, up to four times as large for some systems as for others."""
    return (1 + np.arange(size[1]) % 4) * normal(rng, size)


def skewed_and_unequal(rng: np.random.Generator, size: Any) -> Any:
    """Errors with a long tail to either side, up to four times as large for some systems."""
    return (1 + np.arange(size[1]) % 4) * skewed(rng, size)


ERRORS: dict[str, Draw] = {
    "normal": normal,
    "unequal": unequal,
    "skewed": skewed,
    "skewed, unequal": skewed_and_unequal,
}


def one_outlier(rng: np.random.Generator, size: Any) -> Any:
    """Lognormal errors, those of the first system much larger and more skewed."""
    spread = np.where(np.arange(size[1]) == 0, 1.5, 0.3)
    return rng.lognormal(sigma=spread, size=size) - np.exp(spread**2 / 2)


def true_means(systems: int, step: float) -> Any:
    """Means on a few levels: any two neighbours are equal."""
    return step * (np.arange(systems) // 2)


def holds(ranks: Mapping[Any, tuple[int, int]], means: Any) -> bool:
    """Whether all sets have each rank that a system may have, equal ones ranked in any way."""
    return all(
        low <= 1 + np.count_nonzero(means > means[system])
        and high >= len(means) - np.count_nonzero(means < means[system])
        for system, (low, high) in ranks.items()
    )


def width_of(ranks: Mapping[Any, tuple[int, int]]) -> float:
    """How many ranks a system may have, on average."""
    return float(np.mean([high - low + 1 for low, high in ranks.values()]))


def tried(means: Any, groups: int, errors: Draw, draws: int) -> tuple[float, float]:
    """In which share of the draws all sets hold, and how wide they are on average."""
    rng = np.random.default_rng(1)
    held, width = 0, 0.0
    for _ in range(draws):
        values = means + errors(rng, (groups, len(means)))
        ranks = po.compare_scores(values, samples=SAMPLES, seed=rng).rank_sets()
        held += holds(ranks, means)
        width += width_of(ranks)
    return held / draws, width / draws


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
        step = 0.0 if kind == "all equal" else 3 / np.sqrt(groups)
        errors = ERRORS.get(name, one_outlier)
        held, width = tried(true_means(systems, step), groups, errors, draws)
        rows.append((systems, groups, name, kind, f"{held:.1%}", f"{width:.2f}"))
        print(*rows[-1], flush=True, file=sys.stderr)
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


def figures(relations: list[Any], targets: list[Any]) -> tuple[list[Any], Any]:
    """Return the thresholds, and for each group and threshold the loss and completeness."""
    grid = [Fraction(k, 10) for k in range(11)]
    found = np.zeros((len(relations), 12, 2))
    for row, (P, target) in enumerate(zip(relations, targets, strict=True)):
        least = po.minimal_threshold(P)
        curve = {point.alpha: point for point in po.abstention_curve(P, target)}
        pairs = len(targets[0]) * (len(targets[0]) - 1) // 2
        for column, alpha in enumerate(grid):
            place = min((each for each in curve if each >= max(alpha, least)), default=None)
            if place is not None:
                right, wrong = curve[place].concordant or 0, curve[place].discordant or 0
                found[row, column] = wrong / pairs, (right + wrong) / pairs
    return grid, found


def promises(sizes: list[int], draws: int, groups: int, risk: float) -> Table:
    """Return what new groups lose at calibrated thresholds, and what that costs."""
    relations, targets = population(groups)
    grid, found = figures(relations, targets)
    place = {alpha: column for column, alpha in enumerate(grid)} | {None: 11}
    means = found.mean(axis=0)
    rows = []
    for n in sizes:
        rng = np.random.default_rng(4)
        lost, complete = [], []
        for _ in range(draws):
            rows_drawn = rng.integers(groups, size=n).tolist()
            sample = [relations[k] for k in rows_drawn], [targets[k] for k in rows_drawn]
            chosen = po.calibrate_threshold(*sample, risk=risk)
            column = place[chosen.alpha]
            lost.append(means[column, 0])
            complete.append(means[column, 1])
        error = np.std(lost) / np.sqrt(draws)
        kept = np.mean(np.array(lost) <= risk)
        cells = (f"{np.mean(lost):.4f}", f"{error:.4f}", f"{kept:.1%}", f"{np.mean(complete):.3f}")
        rows.append((n, *cells, f"{means[0, 1]:.3f}", f"{means[0, 0]:.4f}"))
        print(*rows[-1], flush=True, file=sys.stderr)
    columns = ["groups", "mean loss", "error", "draws within", "completeness"]
    columns += ["without risk", "loss without"]
    return Table(columns, rows, title=f"Risk {risk}: {draws:,} draws of groups each")


def main() -> None:
    """Run everything and print the tables."""
    small = wants_small(__doc__, "a few draws")
    draws, groups = (20, 200) if small else (1000, 2000)
    show(machine("numpy"), coverage(draws), promises([19, 50, 200], draws, groups, 0.05))


if __name__ == "__main__":
    main()
