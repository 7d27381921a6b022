"""One order, or two: closed, reduced, ranked, its width, against networkx, rustworkx and igraph.

Run ``python -m tests.benchmarks.orders`` for the table of ``docs/benchmarks.md``, with ``--small``
for a tenth of every size. Needs the extra ``bench``.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import igraph
import networkx as nx
import numpy as np
import rustworkx

import porank as po
from porank.core.compiled_order import Order, compile_order
from tests.benchmarks.side_by_side import Row, machine, race, show, table_of, wants_small

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Ends = tuple[Any, Any]
FIVE = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "e"), ("a", "e")]


def random_edges(n: int, m: int, *, seed: int = 0) -> Ends:
    """Return m different random edges, each from a smaller to a larger number, sorted."""
    rng = np.random.default_rng(seed)
    ends = np.sort(rng.integers(0, n, (3 * m + 10, 2)), axis=1)
    key = np.unique(ends[ends[:, 0] < ends[:, 1]] @ (n, 1))
    return np.divmod(np.sort(rng.permutation(key)[:m]), n)


def graph_of(n: int, ends: Ends) -> nx.DiGraph:
    """Return the edges as a DiGraph."""
    G = nx.empty_graph(n, create_using=nx.DiGraph)
    G.add_edges_from(zip(*(end.tolist() for end in ends), strict=True))
    return G


def rustworkx_of(n: int, ends: Ends) -> rustworkx.PyDiGraph:
    """Return the edges as a rustworkx graph."""
    graph = rustworkx.PyDiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from_no_data(list(zip(*(end.tolist() for end in ends), strict=True)))
    return graph


def anew(function: Callable[..., Any], *graphs: nx.DiGraph) -> Any:
    """Return what a function says of graphs as if they had never been seen."""
    for G in graphs:
        nx._clear_cache(G)
    return function(*graphs)


def compiled(G: nx.DiGraph) -> Order:
    """Compile a DiGraph, closure and reduction included."""
    order = compile_order(G)
    order.relation.count_covers()
    return order


def pairs_by_igraph(graph: igraph.Graph) -> int:
    """Count the pairs of the closure by the sizes of all neighbourhoods."""
    sizes: list[int] = graph.neighborhood_size(order=graph.vcount(), mode="out")
    return sum(sizes) - len(sizes)


def small() -> Iterator[Row]:
    """A thousand graphs of five items."""
    graphs = [nx.DiGraph(FIVE) for _ in range(1000)]
    for ours, theirs, reach in (
        (po.is_acyclic, nx.is_directed_acyclic_graph, ">= 0.33"),
        (po.transitive_closure, nx.transitive_closure_dag, ">= 0.56"),
        (po.transitive_reduction, nx.transitive_reduction, ">= 0.39"),
    ):
        yield race(
            f"{ours.__name__}, 1,000 graphs of five items",
            lambda ours=ours: [anew(ours, G) for G in graphs],  # type: ignore[misc]
            "networkx",
            lambda theirs=theirs: [anew(theirs, G) for G in graphs],  # type: ignore[misc]
            reach=reach,
            agree=lambda found, wanted: list(map(str, found)) == list(map(str, wanted)),
        )


def closing(scale: float) -> Iterator[Row]:
    """Closure and reduction, graphs in, compiled orders or graphs out."""
    n, m = int(2000 * scale), int(40_000 * scale)
    G = graph_of(n, random_edges(n, m))
    for work, ours, theirs, reach, agree in (
        (
            f"closure + reduction, DiGraph in, compiled order out; n = {n:,}, m = {m:,}",
            compiled,
            nx.transitive_closure_dag,
            ">= 60x",
            lambda order, closure: order.count_pairs() == closure.number_of_edges(),
        ),
        (
            "the same, closure written as a DiGraph",
            po.transitive_closure,
            nx.transitive_closure_dag,
            ">= 1.2x",
            lambda ours, theirs: ours.edges == theirs.edges,
        ),
        (
            "the same, reduction written as a DiGraph",
            po.transitive_reduction,
            nx.transitive_reduction,
            ">= 20x",
            lambda ours, theirs: ours.edges == theirs.edges,
        ),
    ):
        rival = f"networkx.{theirs.__name__}"
        yield race(
            work,
            partial(anew, ours, G),
            rival,
            partial(theirs, G),
            reach=reach,
            agree=agree,
            rounds=3,
        )


def against_compiled_libraries(scale: float) -> Iterator[Row]:
    """Ten and fifty thousand items, and the weak spot, about one edge an item."""
    for items, edges, rust, reaches in (
        (10_000, 100_000, "reduction", (">= 30x", ">= 8x")),
        (50_000, 500_000, "", ("", ">= 15x")),
        (50_000, 50_000, "descendants for all", ("<= 2.5x its time", "<= 12x its time")),
    ):
        n, m = int(items * scale), int(edges * scale)
        ends = random_edges(n, m)
        G, graph = graph_of(n, ends), rustworkx_of(n, ends)
        rivals: dict[str, Callable[[], int]] = {
            "reduction": lambda graph=graph: rustworkx.transitive_reduction(graph)[0].num_edges(),  # type: ignore[misc]
            "descendants for all": lambda graph=graph: sum(  # type: ignore[misc]
                len(rustworkx.descendants(graph, i)) for i in graph.node_indices()
            ),
        }
        work = f"closure + reduction, DiGraph in; n = {n:,}, m = {m:,}"
        if rust:
            yield race(
                work,
                partial(anew, compiled, G),
                f"rustworkx {rust}",
                rivals[rust],
                reach=reaches[0],
                agree=lambda order, number: number in (order.count_pairs(), _covers(order)),
                rounds=2,
            )
        yield race(
            work,
            partial(anew, compiled, G),
            "igraph neighborhood_size",
            partial(pairs_by_igraph, igraph.Graph(n, np.stack(ends, axis=1), directed=True)),
            reach=reaches[1],
            agree=lambda order, pairs: order.count_pairs() == pairs,
            rounds=1 if n == m * 10 else 3,
        )


def _covers(order: Order) -> int:
    return sum(map(len, order.relation.covers))


def ranking(scale: float) -> Row:
    """SetRanks of a large graph, where reading it is most of the work for both."""
    n = int(10**6 * scale)
    G = graph_of(n, random_edges(n, 2 * n))
    return race(
        f"set_ranks, n = {n:,}, m = {2 * n:,}",
        partial(anew, po.set_ranks, G),
        "networkx.topological_generations",
        lambda: {x: k for k, xs in enumerate(nx.topological_generations(G), 1) for x in xs},
        reach=">= 1.3x",
        agree=lambda ours, theirs: ours == theirs,
        rounds=3,
    )


def both_halves(G: nx.DiGraph) -> tuple[int, int]:
    """Return the sizes of both halves of the proof of a width."""
    return len(po.maximum_antichain(G)), len(po.minimum_chain_cover(G))


def width_by_networkx(G: nx.DiGraph) -> int:
    """Close the graph, split each item into a left and a right one, and match."""
    H = nx.Graph((("l", u), ("r", v)) for u, v in nx.transitive_closure_dag(G).edges)
    left = [("l", x) for x in G]
    H.add_nodes_from(left)
    return len(left) - len(nx.bipartite.hopcroft_karp_matching(H, left)) // 2


def widths(scale: float) -> Iterator[Row]:
    """Width with both halves of its proof."""
    n = int(1000 * scale)
    for name, G, reach in (
        ("random edges", po.random_order(n, edge_probability=10 / n, seed=2), ">= 3x"),
        ("dimension 2", po.random_order(n, dimension=2, seed=2), ""),
        ("dimension 4", po.random_order(n, dimension=4, seed=2), ""),
    ):
        yield race(
            f"width, both halves: {name}, n = {n:,}, {compile_order(G).count_pairs():,} pairs",
            partial(anew, both_halves, G),
            "networkx closure, split, matching",
            partial(width_by_networkx, G),
            reach=reach,
            agree=lambda ours, theirs: ours == (theirs, theirs),
            rounds=3,
        )


def two_graphs(scale: float) -> Row:
    """The pairs of two graphs on the same items, one against the sequence of the other."""
    n, m = int(1000 * scale), int(10_000 * scale)
    target = graph_of(n, random_edges(n, m, seed=1))
    number = np.random.default_rng(2).permutation(n)
    first, second = random_edges(n, m, seed=3)
    predicted = graph_of(n, (number[first], number[second]))

    def by_sets() -> tuple[int, int]:
        truth, guess = (set(nx.transitive_closure_dag(G).edges) for G in (target, predicted))
        return len(truth & guess), len(truth & {(v, u) for u, v in guess})

    return race(
        f"pair table, graphs in, n = {n:,}, m = {m:,} each",
        partial(anew, po.pair_table, target, predicted),
        "networkx closures and Python sets",
        by_sets,
        reach=">= 60x",
        agree=lambda ours, theirs: theirs == (ours.concordant, ours.discordant),
    )


def main() -> None:
    """Run everything and print the table."""
    scale = 0.1 if wants_small(__doc__, "a tenth of every size") else 1.0
    show(machine("networkx", "numpy", "rustworkx", "igraph"))
    parts = closing(scale), against_compiled_libraries(scale), widths(scale), small()
    rows = [row for part in parts for row in part]
    show(table_of([*rows, ranking(scale), two_graphs(scale)]))


if __name__ == "__main__":
    main()
