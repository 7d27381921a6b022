"""Two graphs: the pair table and all measures, against networkx, NumPy and single calls.

Run ``python -m tests.benchmarks.pair_tables`` for the table of ``docs/benchmarks.md``, with
``--small`` for a quick look. Needs the extra ``bench``.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.compiled_order import compile_order
from porank.errors import NotApplicableError
from porank.measures.catalogue import MEASURES
from porank.measures.compare import Comparison, compare
from porank.measures.pair_table import PairCounts, Pairing, PairTable, pair_table
from tests.benchmarks.ground import graph_of, random_edges
from tests.benchmarks.side_by_side import (
    Row,
    machine,
    race,
    show,
    table_of,
    wants_small,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray


def two_graphs(n: int, m: int) -> tuple[nx.DiGraph, nx.DiGraph]:
    """Return two random orders on the same items, one against the sequence of the other."""
    target = graph_of(n, random_edges(n, m, seed=1))
    names = dict(enumerate(np.random.default_rng(2).permutation(n).tolist()))
    predicted = nx.DiGraph()
    predicted.add_nodes_from(range(n))
    predicted.add_edges_from(nx.relabel_nodes(graph_of(n, random_edges(n, m, seed=3)), names).edges)
    return target, predicted


def counted_anew(target: nx.DiGraph, predicted: nx.DiGraph) -> PairTable:
    """Count as if the graphs had never been seen."""
    nx._clear_cache(target)
    nx._clear_cache(predicted)
    return pair_table(target, predicted)


def counted_by_sets(target: nx.DiGraph, predicted: nx.DiGraph) -> tuple[int, int, int]:
    """Close both with networkx, and count C, D and what only the target decides."""
    truth = set(nx.transitive_closure_dag(target).edges)
    guess = set(nx.transitive_closure_dag(predicted).edges)
    concordant, discordant = len(truth & guess), len(truth & {(v, u) for u, v in guess})
    return concordant, discordant, len(truth) - concordant - discordant


def counted_from_compiled(target: Any, predicted: Any) -> PairCounts:
    """Count two compiled orders, pairs not counted before."""
    return Pairing(target, predicted).counts


def counted_by_matrices(truth: NDArray[np.bool_], guess: NDArray[np.bool_]) -> PairCounts:
    """Count the same five numbers from two closed Boolean matrices."""
    concordant, discordant = int((truth & guess).sum()), int((truth & guess.T).sum())
    decided = concordant + discordant
    target_only, predicted_only = int(truth.sum()) - decided, int(guess.sum()) - decided
    neither = len(truth) * (len(truth) - 1) // 2 - decided - target_only - predicted_only
    return PairCounts(concordant, discordant, target_only, predicted_only, neither)


def call_by_call(target: nx.DiGraph, predicted: nx.DiGraph) -> dict[str, float]:
    """Ask for each measure alone, nothing kept between two questions."""
    values = {}
    for name, measure in MEASURES.items():
        nx._clear_cache(target)
        nx._clear_cache(predicted)
        try:
            values[name] = measure(target, predicted)
        except NotApplicableError:
            values[name] = float("nan")
    return values


def compared_anew(target: nx.DiGraph, predicted: nx.DiGraph) -> Comparison:
    """Compare as if the graphs had never been seen."""
    nx._clear_cache(target)
    nx._clear_cache(predicted)
    return compare(target, predicted)


def rows(scale: float) -> Iterator[Row]:
    """Run the three races."""
    n, m = int(1000 * scale), int(10_000 * scale)
    both = two_graphs(n, m)
    yield race(
        f"pair table, graphs in, n = {n:,}, m = {m:,} each",
        partial(counted_anew, *both),
        "networkx closures and Python sets",
        partial(counted_by_sets, *both),
        reach=">= 60x",
        agree=lambda ours, theirs: theirs == (ours.concordant, ours.discordant, ours.target_only),
    )
    yield race(
        f"compare, all measures, graphs in, n = {n:,}, m = {m:,} each",
        partial(compared_anew, *both),
        "the single calls, nothing kept",
        partial(call_by_call, *both),
        reach=">= 8x",
        agree=lambda ours, theirs: all(
            np.isclose(ours[name], value, equal_nan=True) for name, value in theirs.items()
        ),
    )
    n, m = int(2000 * scale), int(20_000 * scale)
    compiled = [compile_order(G) for G in two_graphs(n, m)]
    counted_from_compiled(*compiled)
    yield race(
        f"pairs counted, compiled orders in, n = {n:,}, m = {m:,} each",
        partial(counted_from_compiled, *compiled),
        "NumPy, closed Boolean matrices in",
        partial(counted_by_matrices, *(order.matrix() for order in compiled)),
        reach=">= 10x",
        agree=lambda ours, theirs: ours == theirs,
        rounds=20,
    )


def main() -> None:
    """Run everything and print the tables."""
    small = wants_small(__doc__, "a tenth of every size")
    show(machine("networkx", "numpy"))
    show(table_of(rows(0.1 if small else 1.0)))


if __name__ == "__main__":
    main()
