"""One order, or two: closed, reduced, ranked, its width, against networkx, rustworkx and igraph.

Run ``python -m tests.benchmarks.orders`` for the table of ``docs/benchmarks.md``, with ``--small``
for a tenth of every size. Needs the extra ``bench``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import igraph
import networkx as nx
import numpy as np
import rustworkx

import porank as po
from porank.core.compiled_order import Order, compile_order
from tests.benchmarks.side_by_side import Row, race, run, table_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porank.core.tables import Table

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


def against_networkx(scale: float) -> Iterator[Row]:
    """Closure and reduction of a large graph."""
    n, m = int(2000 * scale), int(40_000 * scale)
    G, work = graph_of(n, random_edges(n, m)), "the same, {} written as a DiGraph"
    first = f"closure + reduction, DiGraph in, compiled order out; n = {n:,}, m = {m:,}"

    def agree(ours: Any, theirs: nx.DiGraph) -> bool:
        if isinstance(ours, Order):
            return bool(ours.count_pairs() == theirs.number_of_edges())
        return bool(ours.edges == theirs.edges)

    close, reduce = nx.transitive_closure_dag, nx.transitive_reduction
    for name, ours, theirs, reach in (
        (first, compiled, close, ">= 60x"),
        (work.format("closure"), po.transitive_closure, close, ">= 1.2x"),
        (work.format("reduction"), po.transitive_reduction, reduce, ">= 20x"),
    ):
        rival, call = f"networkx.{theirs.__name__}", partial(theirs, G)
        options: dict[str, Any] = {"reach": reach, "agree": agree, "rounds": 3}
        yield race(name, partial(anew, ours, G), rival, call, **options)


def small_graphs() -> Iterator[Row]:
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


def rustworkx_of(n: int, ends: Ends) -> rustworkx.PyDiGraph:
    """Return the edges as a rustworkx graph."""
    graph = rustworkx.PyDiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from_no_data(list(zip(*(end.tolist() for end in ends), strict=True)))
    return graph


def igraph_of(n: int, ends: Ends) -> igraph.Graph:
    """Return the edges as a graph of igraph."""
    return igraph.Graph(n, np.stack(ends, axis=1), directed=True)


#: How compiled libraries count the covers, or the pairs of the closure, on their own graphs.
COUNTS: dict[str, tuple[Callable[..., Any], Callable[[Any], int]]] = {
    "rustworkx reduction": (
        rustworkx_of,
        lambda graph: rustworkx.transitive_reduction(graph)[0].num_edges(),
    ),
    "rustworkx descendants for all": (
        rustworkx_of,
        lambda graph: sum(len(rustworkx.descendants(graph, i)) for i in graph.node_indices()),
    ),
    "igraph neighborhood_size": (
        igraph_of,
        lambda graph: (
            sum(graph.neighborhood_size(order=graph.vcount(), mode="out")) - graph.vcount()
        ),
    ),
}


def against_compiled_libraries(scale: float) -> Iterator[Row]:
    """Ten and fifty thousand items, and the weak spot, about one edge an item."""
    for items, edges, rival, reach, rounds in (
        (10_000, 100_000, "rustworkx reduction", ">= 30x", 2),
        (10_000, 100_000, "igraph neighborhood_size", ">= 8x", 1),
        (50_000, 500_000, "igraph neighborhood_size", ">= 15x", 1),
        (50_000, 50_000, "rustworkx descendants for all", "<= 2.5x its time", 2),
        (50_000, 50_000, "igraph neighborhood_size", "<= 12x its time", 3),
    ):
        n, m, (make, count) = int(items * scale), int(edges * scale), COUNTS[rival]
        ends = random_edges(n, m)
        yield race(
            f"closure + reduction, DiGraph in; n = {n:,}, m = {m:,}",
            partial(anew, compiled, graph_of(n, ends)),
            rival,
            partial(count, make(n, ends)),
            reach=reach,
            agree=lambda order, number: number in (order.count_pairs(), covers_of(order)),
            rounds=rounds,
        )


def covers_of(order: Order) -> int:
    """Return how many edges the reduction has."""
    return sum(map(len, order.relation.covers))


def width_by_networkx(G: nx.DiGraph) -> int:
    """Close the graph, split each item into a left and a right one, and match."""
    H = nx.Graph((("l", u), ("r", v)) for u, v in nx.transitive_closure_dag(G).edges)
    left = [("l", x) for x in G]
    H.add_nodes_from(left)
    return len(left) - len(nx.bipartite.hopcroft_karp_matching(H, left)) // 2


def widths(scale: float) -> Iterator[Row]:
    """Width with both halves of its proof."""
    n = int(1000 * scale)

    def both_halves(G: nx.DiGraph) -> tuple[int, int]:
        return len(po.maximum_antichain(G)), len(po.minimum_chain_cover(G))

    for name, options, reach in (
        ("random edges", {"edge_probability": 10 / n}, ">= 3x"),
        ("dimension 2", {"dimension": 2}, ""),
        ("dimension 4", {"dimension": 4}, ""),
    ):
        G = po.random_order(n, seed=2, **options)
        yield race(
            f"width, both halves: {name}, n = {n:,}, {compile_order(G).count_pairs():,} pairs",
            partial(anew, both_halves, G),
            "networkx closure, split, matching",
            partial(width_by_networkx, G),
            reach=reach,
            agree=lambda ours, theirs: ours == (theirs, theirs),
            rounds=3,
        )


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


def parts(*, small: bool) -> Iterator[Table]:
    """Yield the table."""
    scale = 0.1 if small else 1.0
    rows = [*against_networkx(scale), *against_compiled_libraries(scale), *widths(scale)]
    yield table_of([*rows, *small_graphs(), ranking(scale), two_graphs(scale)])


if __name__ == "__main__":
    run(__doc__, parts, "networkx", "numpy", "rustworkx", "igraph")
