"""Linear extensions: counted, listed, and what positions cost where ideals are too many.

Run ``python -m tests.benchmarks.extensions`` for the tables of ``docs/benchmarks.md``, ``--small``
for a quick look.
"""

from __future__ import annotations

import time
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import networkx as nx

import porank as po
from porank.core.tables import Table
from tests.benchmarks.orders import graph_of, random_edges
from tests.benchmarks.side_by_side import Row, race, run, table_of, timed

if TYPE_CHECKING:
    from collections.abc import Iterator


def count_by_dictionaries(G: nx.DiGraph) -> int:
    """Count linear extensions with a dictionary of ideals for each layer: ideal -> ways to it."""
    above = [sum(1 << u for u in G.predecessors(v)) for v in range(len(G))]
    layer = {0: (1, sum(1 << v for v, row in enumerate(above) if not row))}
    for _ in range(len(G)):
        following: dict[int, tuple[int, int]] = {}
        for ideal, (ways, available) in layer.items():
            rest = available
            while rest:
                bit = rest & -rest
                rest ^= bit
                grown = ideal | bit
                if (known := following.get(grown)) is not None:
                    following[grown] = known[0] + ways, known[1]
                    continue
                below = G.successors(bit.bit_length() - 1)
                new = sum(1 << v for v in below if not above[v] & ~grown)
                following[grown] = ways, available ^ bit | new
        layer = following
    return next(iter(layer.values()))[0]


def races() -> Iterator[Row]:
    """Counts, and the first linear extensions one by one."""
    lattice = nx.convert_node_labels_to_integers(po.boolean_lattice(4))
    space = po.random_order(32, dimension=3, seed=139)
    plane = po.random_order(64, dimension=2, seed=38)
    for name, G, reach, rounds in (
        ("Boolean lattice of 16 items, 168 ideals", lattice, "", 9),
        ("32 items, dimension 3, 1.08 M ideals", space, ">= 5x; < 2 s", 1),
        ("64 items, dimension 2, 1.07 M ideals", plane, ">= 5x; < 2 s", 1),
    ):
        ours, theirs = partial(po.count_linear_extensions, G), partial(count_by_dictionaries, G)
        rival = "a dictionary of ideals per layer"
        yield race(f"count, {name}", ours, rival, theirs, reach=reach, rounds=rounds)
    G = graph_of(40, random_edges(40, 160))

    def first(extensions: Any) -> int:
        return sum(1 for _ in islice(extensions(G), 100_000))

    yield race(
        "the first 100,000 linear extensions, 40 items",
        partial(first, po.linear_extensions),
        "networkx all_topological_sorts",
        partial(first, nx.all_topological_sorts),
        reach=">= 1x",
        rounds=2,
    )


def walking(sizes: tuple[int, ...]) -> Table:
    """Return what positions cost where ideals are too many, and how far off they are.

    Expected ranks are held against the mean of three other seeds.
    """
    rows = []
    for n in sizes:
        for name, G in (
            ("m = 2n", graph_of(n, random_edges(n, 2 * n))),
            ("m = 5n", graph_of(n, random_edges(n, 5 * n))),
            ("dimension 2", po.random_order(n, dimension=2, seed=1)),
        ):
            calls = po.expected_ranks, po.rank_probabilities, po.mutual_rank_probabilities
            (found, *_), seconds = zip(
                *(timed(partial(f, G, seed=0), rounds=1, clock=time.process_time) for f in calls),
                strict=True,
            )
            others = [po.expected_ranks(G, seed=seed) for seed in (1, 2, 3)]
            off = max(abs(found[x] - sum(other[x] for other in others) / 3) for x in G) / n
            error = max(found.standard_error.values()) / n
            times = (f"{each:.2f}" for each in seconds)
            rows.append((f"{n:,}", name, *times, f"{off:.2%}", f"{error:.2%}"))
    calls_of = ("expected ranks, s", "rank probabilities, s", "mutual, s")
    return Table(("items", "order", *calls_of, "worst item off by", "standard error"), rows)


def parts(*, small: bool) -> Iterator[Table]:
    """Yield the tables."""
    yield table_of(races())
    yield walking((100,) if small else (100, 500, 2000))


if __name__ == "__main__":
    run(__doc__, parts, "numpy", "networkx")
