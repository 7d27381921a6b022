"""One order out of many: Kemeny's order against corankco and pref_voting, and how all methods grow.

Run ``python -m tests.benchmarks.aggregation`` for the tables of ``docs/benchmarks.md``, with
``--small`` for a quick look. Needs the extra ``bench``; without a rival its rows are left out.

The members are rankings drawn with equal probability from all rankings, or from Mallows' model with
dispersion 0.95: they hardly agree, which makes cyclic_components of nearly all items.
"""

from __future__ import annotations

import math
import operator
import time
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

import porank as po
from porank.core.tables import Table
from porank.results import Aggregate
from tests.benchmarks.side_by_side import (
    Row,
    machine,
    race,
    show,
    table_of,
    timed,
    wants_small,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

#: What corankco counts for each relation of two items: the distance K with p = 1/2.
PENALTIES = [[0.0, 1.0, 0.5, 0.0, 1.0, 0.0], [0.5, 0.5, 0.0, 0.5, 0.5, 0.0]]
SHARES = {"random rankings": 1.0, "Mallows, dispersion 0.95": 0.95}


def rankings_of(n: int, k: int, dispersion: float, seed: int) -> list[list[int]]:
    """Return k rankings of the items 0..n-1, best first."""
    drawn = po.mallows(list(range(n)), k, dispersion=dispersion, seed=seed)
    return [list(ranking) for ranking in drawn]


def scores_of(rankings: list[list[int]]) -> NDArray[np.int64]:
    """Return the rankings as rows of scores, which porank does not keep from call to call."""
    return -np.argsort(np.array(rankings), axis=1)


def kemeny_costs(scores: list[NDArray[np.int64]]) -> list[Any]:
    """Return the costs of Kemeny's orders of several ensembles."""
    found = [po.kemeny(some) for some in scores]
    assert all(best.gap == 0 for best in found)
    return [best.cost for best in found]


def against_corankco(n: int, seeds: int) -> Iterator[Row]:
    """Kemeny's order of n items, three ensembles a row."""
    if find_spec("corankco") is None:
        return
    dataset = import_module("corankco.dataset").Dataset
    scheme = import_module("corankco.scoringscheme").ScoringScheme(PENALTIES)
    exact = import_module("corankco.algorithms.exact.exactalgorithmpulp").ExactAlgorithmPulp
    for (name, dispersion), k in ((share, k) for share in SHARES.items() for k in (5, 10)):
        rankings = [rankings_of(n, k, dispersion, seed) for seed in range(seeds)]
        datasets = [
            dataset.from_raw_list([[{item} for item in line] for line in lines])
            for lines in rankings
        ]

        def theirs(datasets: list[Any] = datasets) -> list[float]:
            found = (exact().compute_consensus_rankings(some, scheme, True) for some in datasets)
            return [consensus.kemeny_score for consensus in found]

        yield race(
            f"kemeny, n = {n}, k = {k}, {seeds} ensembles, {name}",
            partial(kemeny_costs, list(map(scores_of, rankings))),
            "corankco ExactAlgorithmPulp",
            theirs,
            reach=">= 5x",
            agree=lambda ours, others: all(map(math.isclose, map(float, ours), others)),
            rounds=3,
        )


def against_pref_voting(n: int, seeds: int) -> Iterator[Row]:
    """Kemeny's order of n items; the rival says who wins."""
    if find_spec("pref_voting") is None:
        return
    profile = import_module("pref_voting.profiles").Profile
    kemeny_young = import_module("pref_voting.other_methods").kemeny_young
    for name, dispersion in SHARES.items():
        rankings = [rankings_of(n, 9, dispersion, seed) for seed in range(seeds)]
        profiles = [profile(lines) for lines in rankings]
        yield race(
            f"kemeny, n = {n}, k = 9, {seeds} ensembles, {name}",
            partial(tops_of, list(map(scores_of, rankings))),
            "pref_voting kemeny_young",
            partial(_each, kemeny_young, profiles),
            reach=">= 5x",
            agree=lambda ours, others: all(map(operator.contains, others, ours)),
            rounds=3,
        )


def tops_of(scores: list[NDArray[np.int64]]) -> list[Any]:
    """Return the best item of each Kemeny order."""
    return [next(iter(po.kemeny(some).order)) for some in scores]


def _each(function: Callable[[Any], Any], arguments: list[Any]) -> list[Any]:
    return list(map(function, arguments))


def growth(sizes: list[int]) -> Table:
    """Return the seconds that each method takes on 25 rankings that agree somewhat."""
    import_module("scipy.optimize")
    columns = ("method", *(f"n = {n:,}" for n in sizes), "cost, largest n", "gap")
    methods: tuple[Callable[..., Aggregate], ...] = (
        po.borda,
        po.copeland,
        po.best_input,
        po.kwiksort,
        po.local_search,
        po.footrule_optimal,
        po.kemeny,
    )
    ensembles = [scores_of(rankings_of(n, 25, 0.9, seed=n)) for n in sizes]
    rows = []
    for method in methods:
        seconds = []
        for scores in ensembles:
            options: dict[str, Any] = {"seed": 0} if method is po.kwiksort else {}
            found, taken = timed(partial(method, scores, **options), rounds=1)
            seconds.append(taken)
        rows.append(
            (
                method.__name__,
                *(f"{value:.3g}" for value in seconds),
                f"{float(found.cost):,.1f}",
                f"{float(found.gap or 0):,.1f}",
            )
        )
    return Table(columns, tuple(rows))


def many(sizes: list[int]) -> Table:
    """Return the processor seconds of what takes many items, on 50 random rankings of each size."""
    methods: dict[str, Callable[..., Aggregate]] = {
        "copeland": po.copeland,
        "best_input": po.best_input,
        "local_search": po.local_search,
    }
    rows = []
    for name, method in methods.items():
        runs = [partial(method, np.random.default_rng(0).random((50, n))) for n in sizes]
        timings = [timed(run, rounds=1, clock=time.process_time) for run in runs]
        found = timings[-1][0]
        shares = f"{float(found.gap or 0) / float(found.cost):.1%}"
        rows.append((name, *(f"{seconds:.2g}" for _, seconds in timings), shares))
    return Table(("50 rankings", *(f"n = {n:,}" for n in sizes), "gap, largest n"), tuple(rows))


def main() -> None:
    """Run everything and print the tables."""
    small = wants_small(__doc__, "12 and 6 items, one ensemble a row")
    rivals = [name for name in ("corankco", "pref_voting") if find_spec(name)]
    show(machine("numpy", "scipy", *rivals))
    seeds = 1 if small else 3
    parts = (
        against_corankco(12 if small else 20, seeds),
        against_pref_voting(6 if small else 8, seeds),
    )
    table = table_of(row for part in parts for row in part)
    grown = growth([50, 100, 200] if small else [125, 250, 500, 1000])
    show(table, grown, many([250, 500, 1000] if small else [1250, 2500, 5000]))


if __name__ == "__main__":
    main()
