"""Promises tried by simulation: sets of ranks that hold all at once, and thresholds of a risk.

Run ``python -m tests.benchmarks.promises`` for the tables, with ``--small`` for a quick look.

The sets of csranks, which knows only means and their covariance, are drawn here from its paper: the
largest studentized difference of any two means, stepwise (Mogstad, Romano, Shaikh, Wilhelm,
"Inference for ranks with applications to mobility across neighbourhoods and academic achievement
across countries", Review of Economic Studies 91, 2024).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

import numpy as np

import porank as po
from porank.core.tables import Table
from tests.benchmarks.side_by_side import machine, show, wants_small

Draw = Callable[[np.random.Generator, Any], Any]

#: Enough signs that 66 tests can find something.
LEVEL, SAMPLES = 0.05, 2000


def normal(rng: np.random.Generator, size: Any) -> Any:
    """Errors that are as often above as below 0."""
    return rng.normal(size=size)


def skewed(rng: np.random.Generator, size: Any) -> Any:
    """Errors with a long tail, to the one side for every second system, to the other for others."""
    sides = np.where(np.arange(size[1]) % 2, 1.0, -1.0)
    return sides * (rng.exponential(size=size) - 1)


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


def coverage(sizes: list[tuple[int, int]], draws: int) -> Table:
    """Return how often all sets of ranks hold, and how wide they are."""
    rows = []
    for systems, groups in sizes:
        for name, errors in (("normal", normal), ("skewed", skewed)):
            for step in (0.0, 3 / np.sqrt(groups)):
                rng = np.random.default_rng(1)
                means = true_means(systems, step)
                held, width = 0, 0.0
                for _ in range(draws):
                    values = means + errors(rng, (groups, systems))
                    ranks = po.compare_scores(values, samples=SAMPLES, seed=rng).rank_sets()
                    held += holds(ranks, means)
                    width += float(np.mean([high - low + 1 for low, high in ranks.values()]))
                kind = "all equal" if not step else "in pairs"
                cells = (f"{held / draws:.1%}", f"{width / draws:.2f}")
                rows.append((systems, groups, name, kind, *cells))
                print(*rows[-1], flush=True, file=sys.stderr)
    columns = ("systems", "groups", "errors", "equal", "all sets hold", "mean width")
    return Table(columns, rows, title=f"{draws:,} draws each, level {LEVEL}; wanted 93% at least")


def stepwise_ranks(x: Any, sigma: Any, rng: np.random.Generator) -> dict[int, tuple[int, int]]:
    """Return sets of ranks from means and their covariance, as the paper of csranks has them."""
    n = len(x)
    pairs = np.array(list(permutations(range(n), 2)))
    first, second = pairs.T
    deviation = np.sqrt(sigma[first, first] + sigma[second, second] - 2 * sigma[first, second])
    drawn = rng.multivariate_normal(np.zeros(n), sigma, 10_000)
    chance = (drawn[:, first] - drawn[:, second]) / deviation
    seen = (x[first] - x[second]) / deviation
    found = np.zeros(len(pairs), dtype=bool)
    while True:
        most = np.quantile(chance[:, ~found].max(axis=1), 1 - LEVEL)
        more = ~found & (seen > most)
        if not more.any():
            break
        found |= more
        if found.sum() == n * (n - 1) // 2:
            break
    above = np.bincount(second[found], minlength=n)
    below = np.bincount(first[found], minlength=n)
    return {k: (1 + int(above[k]), n - int(below[k])) for k in range(n)}


def beside_csranks(sizes: list[tuple[int, int]], draws: int) -> Table:
    """Return how wide the sets are beside those of csranks' procedure on the same values."""
    rows = []
    for systems, groups in sizes:
        rng = np.random.default_rng(2)
        means = true_means(systems, 3 / np.sqrt(groups))
        widths = np.zeros(2)
        held = np.zeros(2)
        for _ in range(draws):
            values = means + normal(rng, (groups, systems))
            ours = po.compare_scores(values, samples=SAMPLES, seed=rng).rank_sets()
            sigma = np.cov(values, rowvar=False) / groups
            theirs = stepwise_ranks(values.mean(axis=0), sigma, rng)
            sides: list[Mapping[Any, tuple[int, int]]] = [ours, theirs]
            for side, ranks in enumerate(sides):
                widths[side] += np.mean([high - low + 1 for low, high in ranks.values()])
                held[side] += holds(ranks, means)
        shares = (f"{share:.1%}" for share in held / draws)
        rows.append((systems, groups, *(f"{width:.2f}" for width in widths / draws), *shares))
        print(*rows[-1], flush=True, file=sys.stderr)
    columns = ("systems", "groups", "porank: width", "csranks: width", "porank: hold", "csranks")
    return Table(columns, rows, title=f"Sets of ranks side by side, {draws:,} draws each")


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
    """Return the thresholds, and for each group and threshold both losses and completeness."""
    grid = [Fraction(k, 10) for k in range(11)]
    found = np.zeros((len(relations), 12, 3))
    for row, (P, target) in enumerate(zip(relations, targets, strict=True)):
        least = po.minimal_threshold(P)
        curve = {point.alpha: point for point in po.abstention_curve(P, target)}
        pairs = len(targets[0]) * (len(targets[0]) - 1) // 2
        for column, alpha in enumerate(grid):
            place = min((each for each in curve if each >= max(alpha, least)), default=None)
            if place is not None:
                right, wrong = curve[place].concordant or 0, curve[place].discordant or 0
                share = wrong / (right + wrong) if right + wrong else 0.0
                found[row, column] = wrong / pairs, share, (right + wrong) / pairs
    return grid, found


def promises(sizes: list[tuple[str, int]], draws: int, groups: int, risk: float) -> Table:
    """Return what new groups lose at calibrated thresholds, and what that costs."""
    relations, targets = population(groups)
    grid, found = figures(relations, targets)
    place = {alpha: column for column, alpha in enumerate(grid)} | {None: 11}
    means = found.mean(axis=0)
    rows = []
    for loss, n in sizes:
        which = ("discordant", "decided").index(loss)
        rng = np.random.default_rng(4)
        lost, complete = [], []
        for _ in range(draws):
            rows_drawn = rng.integers(groups, size=n).tolist()
            sample = [relations[k] for k in rows_drawn], [targets[k] for k in rows_drawn]
            chosen = po.calibrate_threshold(*sample, risk=risk, loss=loss, progress=False)
            column = place[chosen.alpha]
            lost.append(means[column, which])
            complete.append(means[column, 2])
        error = np.std(lost) / np.sqrt(draws)
        kept = np.mean(np.array(lost) <= risk)
        cells = (f"{np.mean(lost):.4f}", f"{error:.4f}", f"{kept:.1%}", f"{np.mean(complete):.3f}")
        rows.append((loss, n, *cells, f"{means[0, 2]:.3f}", f"{means[0, which]:.4f}"))
        print(*rows[-1], flush=True, file=sys.stderr)
    columns = ["loss", "groups", "mean loss", "error", "draws within", "completeness"]
    columns += ["without risk", "loss without"]
    return Table(columns, rows, title=f"Risk {risk}: {draws:,} draws of groups each")


def are_nested() -> bool:
    """Whether the loss fell along the grid for every group of a small population."""
    _, found = figures(*population(100))
    return all((now[:, 0] <= before[:, 0]).all() for before, now in pairwise(found.swapaxes(0, 1)))


def main() -> None:
    """Run everything and print the tables."""
    draws = 20 if wants_small(__doc__, "a few draws") else 1000
    show(f"{machine('numpy')}; losses nested: {are_nested()}")
    sizes = [(4, 20), (4, 40), (8, 60), (12, 150)]
    calibrations = [("discordant", 19), ("discordant", 50), ("discordant", 200)]
    calibrations += [("decided", 60), ("decided", 200)]
    tables = [
        coverage(sizes, draws),
        beside_csranks(sizes, draws // 5),
        promises(calibrations, draws, 2000 if draws == 1000 else 200, 0.05),
    ]
    show(*tables)


if __name__ == "__main__":
    main()
