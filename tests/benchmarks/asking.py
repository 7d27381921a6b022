"""How many comparisons sort n items, asked one after the other by `next_comparison`.

Run ``python -m tests.benchmarks.asking`` for the table of ``docs/benchmarks.md``, ``--small`` for a
quick look.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np

import porank as po
from porank.core.tables import Table
from tests.benchmarks.side_by_side import run

if TYPE_CHECKING:
    from collections.abc import Iterator


def sorted_by_asking(position: list[int]) -> tuple[int, float]:
    """Return how many questions bring out a true order, and the processor's seconds for each."""
    order = nx.DiGraph()
    order.add_nodes_from(range(len(position)))
    start, questions = time.process_time(), 0
    while pair := po.next_comparison(order):
        order.add_edge(*sorted(pair, key=position.__getitem__))
        questions += 1
    return questions, (time.process_time() - start) / (questions + 1)


def asking(orders: dict[int, int]) -> Table:
    """Return what random true orders take: questions on average and at most, and milliseconds."""
    rows = []
    for n, draws in orders.items():
        rng = np.random.default_rng(n)
        asked = [sorted_by_asking(rng.permutation(n).tolist()) for _ in range(draws)]
        questions, seconds = np.array(asked).T
        error = questions.std(ddof=1) / math.sqrt(draws)
        least, mean = math.log2(math.factorial(n)), f"{questions.mean():.2f} ± {error:.2f}"
        each = f"{1000 * seconds.mean():.1f}"
        rows.append((n, draws, f"{least:.2f}", mean, int(questions.max()), each))
    columns = ("items", "orders", "log2 n!", "questions on average", "most", "ms a question")
    return Table(columns, rows)


def parts(*, small: bool) -> Iterator[Table]:
    """Yield the table."""
    yield asking({6: 20, 8: 20} if small else {8: 500, 10: 500, 12: 600, 20: 20, 30: 5})


if __name__ == "__main__":
    run(__doc__, "numpy networkx", parts)
