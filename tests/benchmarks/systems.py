"""Systems compared: against a loop over SciPy, and on a large board.

Run ``python -m tests.benchmarks.systems`` for the tables, with ``--small`` for a quick look.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
from scipy import stats

import porank as po
from porank.core.tables import Table
from tests.benchmarks.side_by_side import Row, race, run, table_of, timed

if TYPE_CHECKING:
    from collections.abc import Iterator


def against_scipy(n: int, systems: int, samples: int) -> Row:
    """All pairs of systems, whose values are drawn, so that no measure is worked out here."""
    rng = np.random.default_rng(0)
    rows = {"user": np.repeat(np.arange(n), 2), "item": np.tile([0, 1], n)}
    table = {**rows, "score": np.tile([0.0, 1.0], n)}
    first = po.evaluate(table, table, measures="gamma")
    given = {
        system: replace(first, columns={**first.columns, "gamma": rng.normal(0.005 * system, 1, n)})
        for system in range(systems)
    }

    def ours() -> list[float]:
        found = po.compare_evaluations(given, samples=samples)
        return [each.p_value for each in found.pairs["gamma"]]

    def theirs() -> list[float]:
        options: dict[str, Any] = {"permutation_type": "samples", "vectorized": True}
        options |= {"n_resamples": samples, "batch": 500, "rng": 0}
        both = combinations([evaluation["gamma"] for evaluation in given.values()], 2)
        found = (stats.permutation_test((u - v,), np.mean, **options) for u, v in both)
        return [float(each.pvalue) for each in found]

    def agree(one: list[float], other: list[float]) -> bool:
        # Two samples each; SciPy doubles the smaller tail, which for few samples is another draw.
        return bool(np.abs(np.array(one) - np.array(other)).max() < 6 / np.sqrt(samples))

    pairs = systems * (systems - 1) // 2
    work = f"{pairs} pairs of systems, {n:,} groups, {samples:,} random signs"
    rival = "scipy permutation_test"
    return race(work, ours, rival, theirs, reach="beyond it", agree=agree, rounds=2)


def board(systems: int = 183, tasks: int = 41, clusters: int = 20) -> np.ndarray[Any, Any]:
    """Return scores of systems in clusters of nearly equal ones, which err alike, on one board."""
    rng = np.random.default_rng(0)
    cluster = np.arange(systems) % clusters
    skill = np.sort(rng.normal(0, 0.45, clusters))[cluster] + rng.normal(0, 0.05, systems)
    ease, shared = rng.normal(0, 2, (tasks, 1)), rng.normal(0, 0.6, (tasks, clusters))[:, cluster]
    return skill + ease + shared + rng.normal(0, 0.2, (tasks, systems))


def on_a_board() -> Table:
    """Return what max-T and Holm find on a large board, and how long the former takes."""
    values = board()
    clock = time.process_time
    found, seconds = timed(partial(po.compare_scores, values), rounds=1, clock=clock)
    ranks, seconds_of_ranks = timed(found.rank_sets, rounds=1, clock=clock)
    pairs = [(each.first, each.second) for each in found.pairs["score"]]
    first, second = np.array(pairs).T
    p_values = stats.ttest_1samp(values[:, first] - values[:, second], 0).pvalue
    adjusted = po.adjust_p_values(p_values)
    by_holm = nx.empty_graph(values.shape[1], create_using=nx.DiGraph)
    by_holm.add_edges_from(pair for pair, p in zip(pairs, adjusted, strict=True) if p <= 0.05)

    def width(ranks: Any) -> str:
        return f"{np.mean([high - low + 1 for low, high in ranks.values()]):.1f}"

    rows = [
        ("max-T", found.significant().number_of_edges(), width(ranks), f"{seconds:.2f}"),
        ("Holm on t tests", len(by_holm.edges), width(po.rank_intervals(by_holm)), ""),
    ]
    title = (
        "183 systems on 41 tasks, seconds of the processor; "
        f"sets of ranks take {seconds_of_ranks:.2f} s more"
    )
    return Table(("procedure", "pairs found", "mean width of rank sets", "seconds"), rows, title)


def parts(*, small: bool) -> Iterator[Table]:
    """Yield the tables."""
    yield table_of([against_scipy(20 if small else 200, 10, 9999)])
    yield on_a_board()


if __name__ == "__main__":
    run(__doc__, "numpy networkx scipy", parts)
