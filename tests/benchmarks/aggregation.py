"""Many orders: Kemeny's order against corankco, all methods, and least loss.

Run ``python -m tests.benchmarks.aggregation`` for tables of the pages of benchmarks: ``races`` and
``loss``; ``--small`` for a quick look. The members are rankings drawn with equal probability, or
from Mallows' model with dispersion 0.95: they hardly agree, which makes cyclic components of nearly
all items.
"""

import math
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from typing import Any

import choix
import numpy as np
from numpy.typing import NDArray

import porank as po
from porank.aggregation.voting_rules import best_input, copeland
from porank.core.tables import Table
from tests.benchmarks.side_by_side import Row, race, run, table_of, timed

#: What corankco counts for each relation of two items: the distance K with p = 1/2.
PENALTIES = [[0.0, 1.0, 0.5, 0.0, 1.0, 0.0], [0.5, 0.5, 0.0, 0.5, 0.5, 0.0]]
SHARES = {"random rankings": 1.0, "Mallows, dispersion 0.95": 0.95}


def rankings_of(n: int, k: int, dispersion: float, seed: int) -> list[list[int]]:
    """Return k rankings of the items 0..n-1, best first."""
    return list(map(list, po.mallows(list(range(n)), k, dispersion=dispersion, seed=seed)))


def scores_of(rankings: list[list[int]]) -> NDArray[np.int64]:
    """Return the rankings as rows of scores, which porank does not keep from call to call."""
    return -np.argsort(np.array(rankings), axis=1)


def costs(scores: list[NDArray[np.int64]]) -> list[float]:
    """Return the cost of Kemeny's order of each ensemble."""
    found = list(map(po.kemeny, scores))
    assert all(best.gap == 0 for best in found)
    return [float(best.cost) for best in found]


def against_corankco(small: bool) -> Iterator[Row]:
    """Kemeny's order of 20 items, three ensembles a row."""
    from corankco.algorithms.exact.exactalgorithmpulp import ExactAlgorithmPulp
    from corankco.dataset import Dataset
    from corankco.scoringscheme import ScoringScheme

    scheme = ScoringScheme(PENALTIES)

    def theirs(datasets: list[Any]) -> list[float]:
        exact = ExactAlgorithmPulp()
        found = (exact.compute_consensus_rankings(some, scheme, True) for some in datasets)
        return [consensus.kemeny_score for consensus in found]

    for share, k in product(SHARES, (5, 10)):
        n, many = (12, 1) if small else (20, 3)
        ensembles = [rankings_of(n, k, SHARES[share], seed) for seed in range(many)]
        datasets = [
            Dataset.from_raw_list([[{item} for item in line] for line in lines])
            for lines in ensembles
        ]
        yield race(
            f"kemeny, n = {n}, k = {k}, {many} ensembles, {share}",
            partial(costs, list(map(scores_of, ensembles))),
            "corankco ExactAlgorithmPulp",
            partial(theirs, datasets),
            reach=">= 5x",
            agree=lambda ours, others: all(map(math.isclose, ours, others)),
            rounds=3,
        )


def bisection(shares: NDArray[np.float64], k: int) -> float:
    """Return the threshold as the slide of Cheng et al. finds it, closing each cut by Warshall.

    Its failing end is set one step lower than printed, since the printed one is never tried.
    """
    low, high = float(np.minimum(shares, shares.T).max()), 1.0
    while high - low > 1.5 / k:
        middle = np.round((low + high) / 2 * k) / k
        closed = shares >= middle - 1e-9
        for item in range(len(closed)):
            closed |= closed[:, item, None] & closed[item]
        low, high = (middle, high) if closed.diagonal().any() else (low, middle)
    return high


def relation(n: int, k: int, noise: float) -> po.PreferenceRelation:
    """Return the relation of rankings around a truth, or nearly without one."""
    rng = np.random.default_rng((n, k))
    return po.preference_relation(rng.normal(size=n) + noise * rng.normal(size=(k, n)))


def thresholds(n: int, k: int) -> Row:
    """The smallest threshold without a cycle."""
    P = relation(n, k, 2)
    return race(
        f"minimal_threshold, n = {n:,}, k = {k}",
        partial(po.minimal_threshold, P),
        "the slide's bisection, Floyd-Warshall in NumPy",
        partial(bisection, P.matrix(), k),
        reach=">= 60x",
        agree=lambda ours, theirs: abs(float(ours) - theirs) < 1e-9,
    )


def few_items() -> Iterator[Row]:
    """Five items and 5,000 voters, as dictionaries in."""
    rng, every = np.random.default_rng(0), np.array([*permutations(range(5))])
    votes = [dict(zip("abcde", rng.permutation(5).tolist(), strict=True)) for _ in range(5000)]

    def least_cost() -> int:
        scores = np.array([[vote[item] for item in votes[0]] for vote in votes])
        wins = (scores[:, :, None] > scores[:, None]).sum(axis=0)
        return min(int(np.triu(wins.T[each][:, each], 1).sum()) for each in every)

    yield race(
        "kemeny, 5 items, 5,000 voters",
        lambda: float(po.kemeny(votes).cost),
        "all orders, NumPy by hand",
        least_cost,
        reach="< .02 s",
    )


def battles(n: int, count: int, reach: str) -> Row:
    """Strengths of n items from battles, which both get as pairs of numbers."""
    rng = np.random.default_rng(0)
    strength = rng.normal(scale=0.7, size=n)
    first = rng.integers(n, size=count)
    second = (first + rng.integers(1, n, size=count)) % n
    wins = rng.random(count) < 1 / (1 + np.exp(strength[second] - strength[first]))
    pairs = [(u, v) for u, v in np.where(wins, (first, second), (second, first)).T.tolist()]
    return race(
        f"fit_strengths, {n} items, {count:,} battles",
        lambda: po.fit_strengths(Counter(pairs)),
        "choix, without errors",
        lambda: choix.ilsr_pairwise(n, pairs),
        reach=reach,
        agree=lambda ours, theirs: np.allclose(
            [ours.strengths[k] for k in range(n)], theirs - theirs.mean(), atol=1e-4
        ),
        rounds=3,
    )


def methods(n: int) -> Table:
    """Return the seconds and gaps of each method on 25 rankings that agree somewhat."""
    scores, rows = scores_of(rankings_of(n, 25, 0.9, seed=n)), []
    for method in (po.borda, copeland, best_input, po.kemeny):
        found, seconds = timed(partial(method, scores))
        gap = f"{float(found.gap or 0):,.1f}"
        rows.append((method.__name__, f"{seconds:.3g}", f"{float(found.cost):,.1f}", gap))
    return Table((f"n = {n:,}", "seconds", "cost", "gap"), rows)


def least_loss(sizes: list[int], limit: float) -> Table:
    """Return seconds and gaps of orders of least loss, rankings around a truth and without one."""
    rows = []
    for n, (kind, noise) in product(sizes, (("around a truth", 1.0), ("random", 1e6))):
        P = relation(n, 25, noise)
        for cost in (Fraction(2, 5), Fraction(1, 2)):
            G, seconds = timed(partial(po.predict_order, P, abstention_cost=cost, seconds=limit))
            loss, gap = float(G.graph["loss"]), float(G.graph["gap"])
            rows.append((n, kind, str(cost), f"{seconds:.2g}", len(G.edges), loss, gap))
    columns = ("n", "rankings", "cost", "seconds", "pairs", "loss", "gap")
    return Table(columns, rows, title=f"Least loss, k = 25, at most {limit:g} s")


def races(*, small: bool) -> Iterator[Table]:
    """Yield the races, and the methods on many items."""
    n = 200 if small else 1000
    rows = [*few_items(), thresholds(n, 100)]
    rows += [battles(20, 1000, "< .03 s"), battles(100, 10**5, "< .5 s")]
    with suppress(ImportError):  # where NumPy is too new for it
        rows += against_corankco(small)
    yield table_of(rows)
    yield methods(n)


def loss(*, small: bool) -> Iterator[Table]:
    """Yield the searches for orders of least loss."""
    yield least_loss([20] if small else [50, 100], 10)


if __name__ == "__main__":
    run(__doc__, "numpy scipy corankco choix", races, loss)
