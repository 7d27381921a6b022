"""Linear extensions: counted, listed, and what positions cost where ideals are too many.

Run ``python -m tests.benchmarks.extensions`` for the tables of ``docs/benchmarks.md``, with
``--small`` for a quick look.
"""

from __future__ import annotations

import time
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import networkx as nx

import porank as po
from porank.core.tables import Table
from tests.benchmarks.orders import graph_of, random_edges
from tests.benchmarks.side_by_side import Row, machine, race, show, table_of, timed, wants_small

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


def counting() -> Iterator[Row]:
    """Counts, against a dictionary for each layer."""
    lattice = nx.convert_node_labels_to_integers(po.boolean_lattice(4))
    space, plane = (
        po.random_order(32, dimension=3, seed=139),
        po.random_order(64, dimension=2, seed=38),
    )
    for name, G, reach in (
        ("Boolean lattice of 16 items, 168 ideals", lattice, ""),
        ("32 items, dimension 3, 1.08 M ideals", space, ">= 5x; < 2 s"),
        ("64 items, dimension 2, 1.07 M ideals", plane, ">= 5x; < 2 s"),
    ):
        yield race(
            f"count, {name}",
            partial(po.count_linear_extensions, G),
            "a dictionary of ideals per layer",
            partial(count_by_dictionaries, G),
            reach=reach,
            agree=int.__eq__,
            rounds=9 if len(G) < 20 else 1,
        )


def listing() -> Row:
    """The first 100,000 linear extensions, one by one."""
    G = graph_of(40, random_edges(40, 160))
    return race(
        "the first 100,000 linear extensions, 40 items",
        lambda: sum(1 for _ in islice(po.linear_extensions(G), 100_000)),
        "networkx all_topological_sorts",
        lambda: sum(1 for _ in islice(nx.all_topological_sorts(G), 100_000)),
        reach=">= 1x",
        agree=int.__eq__,
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


def main() -> None:
    """Run everything and print the tables."""
    small = wants_small(__doc__, "100 items where ideals are too many")
    show(machine("numpy", "networkx"), table_of([*counting(), listing()]))
    show(walking((100,) if small else (100, 500, 2000)))


if __name__ == "__main__":
    main()
