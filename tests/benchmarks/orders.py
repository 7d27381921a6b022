"""One order, or two: closed, reduced, ranked, its width, its linear extensions, and questions.

Run ``python -m tests.benchmarks.orders`` for the tables of ``docs/benchmarks.md``: ``orders`` for
races with networkx, rustworkx and igraph, ``extensions`` for counts and positions, ``asking`` for
how many questions sort n items; ``--small`` for a tenth of every size. Needs the extra ``bench``.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any

import igraph
import networkx as nx
import numpy as np
import rustworkx

import porank as po
from porank.core.compiled_order import CompiledOrder, compile_order
from porank.core.tables import Table
from tests.benchmarks.side_by_side import Row, race, run, table_of, timed

Ends = tuple[Any, Any]


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


def compiled(G: nx.DiGraph) -> CompiledOrder:
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
        if isinstance(ours, CompiledOrder):
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


def covers_of(order: CompiledOrder) -> int:
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
        reach=">= 0.8x",
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


def orders(*, small: bool) -> Iterator[Table]:
    """Yield the races on graphs."""
    scale = 0.1 if small else 1.0
    rows = [*against_networkx(scale), *against_compiled_libraries(scale), *widths(scale)]
    yield table_of([*rows, ranking(scale), two_graphs(scale)])


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


def extensions(*, small: bool) -> Iterator[Table]:
    """Yield the races, and what positions cost."""
    yield table_of(races())
    yield walking((100,) if small else (100, 500, 2000))


def sorted_by_asking(position: list[int]) -> tuple[int, float]:
    """Return how many questions bring out a true order, and the processor's seconds for each."""
    order = nx.DiGraph()
    order.add_nodes_from(range(len(position)))
    start, questions = time.process_time(), 0
    while pair := po.next_comparison(order):
        order.add_edge(*sorted(pair, key=position.__getitem__))
        questions += 1
    return questions, (time.process_time() - start) / (questions + 1)


def asked(draws_of: dict[int, int]) -> Table:
    """Return what random true orders take: questions on average and at most, and milliseconds."""
    rows = []
    for n, draws in draws_of.items():
        rng = np.random.default_rng(n)
        results = [sorted_by_asking(rng.permutation(n).tolist()) for _ in range(draws)]
        questions, seconds = np.array(results).T
        error = questions.std(ddof=1) / math.sqrt(draws)
        least, mean = math.log2(math.factorial(n)), f"{questions.mean():.2f} ± {error:.2f}"
        each = f"{1000 * seconds.mean():.1f}"
        rows.append((n, draws, f"{least:.2f}", mean, int(questions.max()), each))
    columns = ("items", "orders", "log2 n!", "questions on average", "most", "ms a question")
    return Table(columns, rows)


def asking(*, small: bool) -> Iterator[Table]:
    """Yield how many questions of `next_comparison` sort n items."""
    yield asked({6: 20, 8: 20} if small else {8: 500, 10: 500, 12: 600, 20: 20, 30: 5})


if __name__ == "__main__":
    run(__doc__, "networkx numpy rustworkx igraph", orders, extensions, asking)
