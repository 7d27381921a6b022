"""Systems compared: against a loop over SciPy, and on a large board.

Run ``python -m tests.benchmarks.systems`` for the tables, with ``--small`` for a quick look.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
from scipy import stats

import porank as po
from porank.core.tables import Table
from porank.results import Evaluation
from tests.benchmarks.side_by_side import (
    Row,
    machine,
    race,
    show,
    table_of,
    timed,
    wants_small,
)


def evaluations(n: int, systems: int, seed: int = 0) -> dict[int, Evaluation]:
    """Return evaluations of n groups, whose values are drawn: no measure is worked out here."""
    rng = np.random.default_rng(seed)
    rows = {"user": np.repeat(np.arange(n), 2), "item": np.tile([0, 1], n)}
    table = {**rows, "score": np.tile([0.0, 1.0], n)}
    first = po.evaluate(table, table, measures="gamma")
    return {
        system: replace(first, columns={**first.columns, "gamma": rng.normal(0.005 * system, 1, n)})
        for system in range(systems)
    }


def against_scipy(n: int, systems: int, samples: int) -> Row:
    """All pairs of systems, against a loop over ``scipy.stats.permutation_test``."""
    given = evaluations(n, systems)

    def ours() -> list[float]:
        found = po.compare_evaluations(given, samples=samples)
        return [each.p_value for each in found.pairs["gamma"]]

    def theirs() -> list[float]:
        values = [evaluation["gamma"] for evaluation in given.values()]
        options: dict[str, Any] = {"permutation_type": "samples", "vectorized": True}
        options |= {"n_resamples": samples, "batch": 500, "rng": 0}
        return [
            float(stats.permutation_test((one - other,), np.mean, **options).pvalue)
            for one, other in combinations(values, 2)
        ]

    def agree(one: list[float], other: list[float]) -> bool:
        # Two samples each; SciPy doubles the smaller tail, which for few samples is another draw.
        slack = 6 / np.sqrt(samples)
        return bool(np.abs(np.array(one) - np.array(other)).max() < slack)

    pairs = systems * (systems - 1) // 2
    work = f"{pairs} pairs of systems, {n:,} groups, {samples:,} random signs"
    reach = "beyond it"
    return race(work, ours, "scipy permutation_test", theirs, reach=reach, agree=agree, rounds=2)


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
    by_holm = nx.DiGraph()
    by_holm.add_nodes_from(range(values.shape[1]))
    by_holm.add_edges_from(pair for pair, p in zip(pairs, adjusted, strict=True) if p <= 0.05)
    rows = [
        ("max-T", found.significant().number_of_edges(), _width(ranks), f"{seconds:.2f}"),
        ("Holm on t tests", len(by_holm.edges), _width(po.rank_intervals(by_holm)), ""),
    ]
    title = (
        "183 systems on 41 tasks, seconds of the processor; "
        f"sets of ranks take {seconds_of_ranks:.2f} s more"
    )
    return Table(("procedure", "pairs found", "mean width of rank sets", "seconds"), rows, title)


def _width(ranks: Any) -> str:
    return f"{np.mean([high - low + 1 for low, high in ranks.values()]):.1f}"


def main() -> None:
    """Run everything and print the tables."""
    scale = 10 if wants_small(__doc__, "a tenth of the sizes") else 1
    show(machine("numpy", "networkx", "scipy"))
    show(table_of([against_scipy(200 // scale, 10, 9999)]), on_a_board())


if __name__ == "__main__":
    main()
