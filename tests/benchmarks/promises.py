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


def coverage(sizes: list[tuple[int, int]], draws: int) -> Table:
    """Return how often all sets of ranks hold, and how wide they are."""
    rows = []
    for systems, groups in sizes:
        for name, errors in ERRORS.items():
            for kind, step in (("all equal", 0.0), ("in pairs", 3 / np.sqrt(groups))):
                held, width = tried(true_means(systems, step), groups, errors, draws)
                rows.append((systems, groups, name, kind, f"{held:.1%}", f"{width:.2f}"))
                print(*rows[-1], flush=True, file=sys.stderr)
    columns = ("systems", "groups", "errors", "equal", "all sets hold", "mean width")
    return Table(columns, rows, title=f"{draws:,} draws each, level {LEVEL}; wanted 93.5% at least")


def few_groups(sizes: list[int], draws: int) -> Table:
    """Return how often the sets of four equal systems hold with few groups."""
    rows = []
    for groups in sizes:
        held = [tried(true_means(4, 0.0), groups, errors, draws)[0] for errors in ERRORS.values()]
        rows.append((groups, *(f"{share:.1%}" for share in held)))
        print(*rows[-1], flush=True, file=sys.stderr)
    title = f"Four equal systems, {draws:,} draws each: in how many all sets hold"
    return Table(("groups", *ERRORS), rows, title=title)


def beyond_promise(draws: int) -> Table:
    """Return how often the sets hold where they need not: one system has large, skewed errors."""
    rows = []
    for groups in (15, 30, 60):
        held, width = tried(np.zeros(6), groups, one_outlier, draws)
        rows.append((groups, f"{held:.1%}", f"{width:.2f}"))
        print(*rows[-1], flush=True, file=sys.stderr)
    title = f"Six equal systems, one with large and skewed errors, {draws:,} draws: shown, no reach"
    return Table(("groups", "all sets hold", "mean width"), rows, title=title)


#: The best twelve OECD countries in mathematics, PISA 2018: means and standard errors, published by
#: the OECD (https://www.oecd.org/pisa/data/), here with as many digits as its tables have; and the
#: sets of ranks that the code of csranks (https://github.com/danielwilhelm/R-CS-ranks) gave for
#: these twelve alone, with 10,000 bootstrap samples.
COUNTRIES = {
    "Japan": (527.0, 2.47, 1, 6),
    "Korea": (525.9, 3.12, 1, 6),
    "Estonia": (523.4, 1.74, 1, 6),
    "Netherlands": (519.2, 2.63, 1, 8),
    "Poland": (515.6, 2.6, 1, 11),
    "Switzerland": (515.3, 2.91, 1, 11),
    "Canada": (512.0, 2.36, 4, 12),
    "Denmark": (509.4, 1.74, 4, 12),
    "Slovenia": (508.9, 1.36, 5, 12),
    "Belgium": (508.1, 2.26, 5, 12),
    "Finland": (507.3, 1.97, 5, 12),
    "Sweden": (502.4, 2.65, 7, 12),
}
#: A country's sample is of at least so many students.
STUDENTS = 5000


def published() -> Table:
    """Return the sets of ranks of countries beside those of csranks on means and errors alike.

    Normal draws, independent of one another, are turned so as to have these means and errors
    exactly.
    """
    means, errors = np.array([country[:2] for country in COUNTRIES.values()]).T
    drawn = np.random.default_rng(0).normal(size=(STUDENTS, len(means)))
    drawn -= drawn.mean(axis=0)
    root = np.linalg.cholesky(np.cov(drawn, rowvar=False))
    values = means + np.linalg.solve(root, drawn.T).T * errors * np.sqrt(STUDENTS)
    ours = po.compare_scores(dict(zip(COUNTRIES, values.T, strict=True))).rank_sets()
    theirs = {name: (low, high) for name, (_, _, low, high) in COUNTRIES.items()}
    rows = [(name, "{}-{}".format(*ours[name]), "{}-{}".format(*theirs[name])) for name in theirs]
    rows.append(("mean width", f"{width_of(ours):.2f}", f"{width_of(theirs):.2f}"))
    return Table(("country", "porank", "csranks"), rows, title="PISA 2018, mathematics")


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
                widths[side] += width_of(ranks)
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


def are_nested() -> bool:
    """Whether the loss fell along the grid for every group of a small population."""
    _, found = figures(*population(100))
    return all((now[:, 0] <= before[:, 0]).all() for before, now in pairwise(found.swapaxes(0, 1)))


def main() -> None:
    """Run everything and print the tables."""
    draws = 20 if wants_small(__doc__, "a few draws") else 1000
    show(f"{machine('numpy')}; losses nested: {are_nested()}")
    sizes = [(4, 40), (8, 60), (12, 150)]
    tables = [
        coverage([(10, 15), (10, 30), (10, 60)], draws),
        few_groups([15, 20, 30, 40], draws),
        beyond_promise(min(draws, 400)),
        published(),
        beside_csranks(sizes, draws // 5),
        promises([19, 50, 200], draws, 2000 if draws == 1000 else 200, 0.05),
    ]
    show(*tables)


if __name__ == "__main__":
    main()
