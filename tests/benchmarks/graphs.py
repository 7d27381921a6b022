"""Small graphs against networkx, and what grows: cycles broken, orders intersected, aligned, told.

Run ``python -m tests.benchmarks.graphs``, with ``--small`` for a tenth of every size. What
grows is told in processor time.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

import porank as po
from porank.core.tables import Table
from tests.benchmarks.side_by_side import (
    Row,
    machine,
    processor_seconds,
    race,
    show,
    table_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FIVE = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "e"), ("a", "e")]


def anew(function: Callable[[nx.DiGraph], Any], graphs: list[nx.DiGraph]) -> list[Any]:
    """Return what a function says of graphs of which nothing is remembered."""
    for G in graphs:
        G.__networkx_cache__.clear()
    return [function(G) for G in graphs]


def a_thousand_small_graphs() -> Iterator[Row]:
    graphs = [nx.DiGraph(FIVE) for _ in range(1000)]
    for ours, theirs, reach in (
        (po.is_acyclic, nx.is_directed_acyclic_graph, ">= 0.33"),
        (po.transitive_closure, nx.transitive_closure_dag, ">= 0.56"),
        (po.transitive_reduction, nx.transitive_reduction, ">= 0.39"),
    ):
        yield race(
            f"{ours.__name__}, 1,000 graphs of five items",
            partial(anew, ours, graphs),
            "networkx",
            partial(anew, theirs, graphs),
            reach=reach,
            agree=lambda found, wanted: list(map(str, found)) == list(map(str, wanted)),
        )


def sparse_graph(n: int, share: int = 1) -> nx.DiGraph:
    """Return a random order of n items, and nearly so many times as many edges."""
    ends = np.sort(np.random.default_rng(0).integers(0, n, (share * n, 2)), axis=1)
    G = nx.empty_graph(n, create_using=nx.DiGraph)
    G.add_edges_from(ends[ends[:, 0] < ends[:, 1]].tolist())
    return G


def by_matrices(G: nx.DiGraph, ranking: Any) -> set[tuple[int, int]]:
    """Return the covers of the intersection by matrices of all pairs."""
    agreed = nx.to_numpy_array(nx.transitive_closure_dag(G), dtype=bool)
    agreed &= ranking[:, None] > ranking[None, :]
    between = agreed.astype(np.float32) @ agreed.astype(np.float32) > 0
    return {(u, v) for u, v in np.argwhere(agreed & ~between).tolist()}


def intersecting(scale: float) -> Iterator[Row]:
    n = int(2000 * scale)
    G, ranking = sparse_graph(n), np.random.default_rng(1).permutation(n)
    yield race(
        f"intersection, sparse order and ranking, n = {n:,}",
        lambda: set(po.intersection(G, ranking).edges),
        "matrices",
        partial(by_matrices, G, ranking),
        reach=">= 3",
        agree=lambda found, wanted: found == wanted,
        rounds=2,
    )


def a_component(n: int) -> nx.DiGraph:
    G = nx.DiGraph((i, (i + 1) % n) for i in range(n))
    ends = np.random.default_rng(0).integers(0, n, (5 * n, 2))
    G.add_edges_from(ends[ends[:, 0] != ends[:, 1]].tolist())
    return G


def a_chain_and_an_item(n: int) -> nx.DiGraph:
    G = nx.path_graph(n, create_using=nx.DiGraph)
    G.add_node("beside")
    return G


def two_graphs(n: int) -> tuple[nx.DiGraph, nx.DiGraph]:
    G = sparse_graph(n)
    return G, G.copy()


def a_weighed_ranking(n: int) -> nx.DiGraph:
    """Every pair of a ranking stated, with a support drawn from 1 to 50."""
    rng = np.random.default_rng(1)
    G = nx.DiGraph()
    for u in range(n):
        support = rng.integers(1, 51, n).tolist()
        G.add_edges_from((u, v, {"support": support[v]}) for v in range(u + 1, n))
    return G


def a_noisy_ranking(n: int) -> nx.DiGraph:
    """Twenty sessions on some pairs, of which each follows a ranking with probability .6."""
    rng = np.random.default_rng(1)
    G = nx.DiGraph()
    G.add_nodes_from(range(n))
    for u in range(n):
        for v in (np.flatnonzero(rng.random(n - u - 1) < 0.05) + u + 1).tolist():
            support = int(rng.binomial(20, 0.6))
            G.add_edge(u, v, support=support, against=20 - support)
    return G


def two_known_chains(n: int) -> tuple[nx.DiGraph, nx.DiGraph]:
    """Return two equal chains that have been compared once."""
    both = po.from_ranking(range(n)), po.from_ranking(range(n))
    po.gamma(*both)
    return both


#: What is done, to what, and the largest size; it is done to a quarter and to half of it, too.
GROWING: dict[str, tuple[Callable[[Any], Any], Callable[[int], Any], int]] = {
    "break_cycles, component of 6 n edges": (po.break_cycles, a_component, 10_000),
    "why, top over bottom, n (n - 1) / 2 stated edges": (
        lambda G: po.why(G, 0, len(G) - 1, weight="support"),
        a_weighed_ranking,
        1_000,
    ),
    "cyclicity, every 20th pair compared": (po.cyclicity, a_noisy_ranking, 1_000),
    "intersection, sparse order and ranking": (
        lambda G: po.intersection(G, np.random.default_rng(1).permutation(len(G))),
        sparse_graph,
        16_000,
    ),
    "align two graphs of n edges": (lambda both: po.align(*both), two_graphs, 100_000),
    "levels of distinct scores": (po.levels, lambda n: np.random.default_rng(1).random(n), 10**6),
    "transitive_reduction, chain": (
        po.transitive_reduction,
        lambda n: nx.path_graph(n, create_using=nx.DiGraph),
        100_000,
    ),
    "transitive_reduction, chain and an item": (
        po.transitive_reduction,
        a_chain_and_an_item,
        100_000,
    ),
    "describe, chain and an item": (po.describe, a_chain_and_an_item, 100_000),
    "is_semiorder, chain and an item": (po.is_semiorder, a_chain_and_an_item, 100_000),
    "format_order, chain and an item": (po.format_order, a_chain_and_an_item, 100_000),
    "restrict, every other item of a chain and an item": (
        lambda G: po.restrict(G, list(G)[::2]),
        a_chain_and_an_item,
        100_000,
    ),
    "first of linear_extensions, chain and an item": (
        lambda G: next(po.linear_extensions(G)),
        a_chain_and_an_item,
        100_000,
    ),
    "first of antichains, chain and an item": (
        lambda G: next(po.antichains(G)),
        a_chain_and_an_item,
        100_000,
    ),
    "width, 10 n edges": (po.width, lambda n: sparse_graph(n, 10), 50_000),
    "prefers, graph known": (lambda both: po.prefers(both[0], 0, 1), two_known_chains, 100_000),
    "gamma, two graphs known": (lambda both: po.gamma(*both), two_known_chains, 100_000),
    "edrc, n pairs of graphs of five items": (
        lambda pairs: [po.edrc(*pair) for pair in pairs],
        lambda n: [(nx.DiGraph(FIVE), nx.DiGraph(FIVE[::-1])) for _ in range(n)],
        4_000,
    ),
    "a million has_edge in a closure": (
        lambda C: [C.has_edge(0, 1) for _ in range(10**6)],
        lambda n: po.transitive_closure(nx.path_graph(n, create_using=nx.DiGraph)),
        1000,
    ),
}


def growth(scale: float) -> Table:
    """Return the processor time at three sizes, each twice the one before."""
    rows = []
    for work, (do, make, largest) in GROWING.items():
        for n in (int(scale * largest) // 4, int(scale * largest) // 2, int(scale * largest)):
            given = make(n)
            rows.append((work, f"{n:,}", f"{processor_seconds(partial(do, given), 1):.3g}"))
    return Table(("work", "n", "seconds"), rows)


def main() -> None:
    """Run everything and print two tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="a tenth of every size")
    scale = 0.1 if parser.parse_args().small else 1.0
    show(machine("networkx", "numpy"))
    show(table_of([*a_thousand_small_graphs(), *intersecting(scale)]), growth(scale))


if __name__ == "__main__":
    main()
