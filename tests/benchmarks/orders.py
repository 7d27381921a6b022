"""One order, or two: closed, reduced, ranked, its width, its linear extensions, and questions.

Run ``python -m tests.benchmarks.orders`` for tables of the pages of benchmarks: ``orders`` for
races with networkx, rustworkx and igraph, ``fronts`` of tables of indicators with paretoset, whose
loops numba compiles, ``extensions`` for counts and positions, ``asking`` for how many questions
sort n items; ``--small`` for a tenth of every size. Needs the extra ``bench``.
"""

import math
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice, product
from typing import Any

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import rustworkx
from paretoset import paretorank, paretoset

import porank as po
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


def ranks_by_networkx(G: nx.DiGraph) -> dict[Any, tuple[int, int]]:
    """Return the best and the worst rank of each item from a closure."""
    H = nx.transitive_closure_dag(G)
    return {x: (1 + H.in_degree(x), len(H) - H.out_degree(x)) for x in H}


def ranks_by_igraph(graph: igraph.Graph) -> dict[int, tuple[int, int]]:
    """Return the best and the worst rank of each item from the sizes of neighbourhoods."""
    n = graph.vcount()
    both = (graph.neighborhood_size(order=n, mode=mode) for mode in ("in", "out"))
    return {x: (above, n + 1 - below) for x, (above, below) in enumerate(zip(*both, strict=True))}


def covers_by_rustworkx(graph: rustworkx.PyDiGraph) -> nx.DiGraph:
    """Return the reduction."""
    return nx.DiGraph([*rustworkx.transitive_reduction(graph)[0].edge_list()])


def rustworkx_of(n: int, ends: Ends) -> rustworkx.PyDiGraph:
    """Return the edges as a rustworkx graph."""
    graph = rustworkx.PyDiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from_no_data(list(zip(*(end.tolist() for end in ends), strict=True)))
    return graph


NETWORKX = "networkx"
#: Rival and work: how the rival's graph is made, before the time is taken, and its call.
RIVALS: dict[tuple[str, str], tuple[Callable[..., Any], Callable[[Any], Any]]] = {
    (NETWORKX, "transitive_reduction"): (graph_of, nx.transitive_reduction),
    (NETWORKX, "transitive_closure"): (graph_of, nx.transitive_closure_dag),
    (NETWORKX, "rank_intervals"): (graph_of, ranks_by_networkx),
    (NETWORKX, "is_acyclic"): (graph_of, nx.is_directed_acyclic_graph),
    (NETWORKX, "set_ranks"): (
        graph_of,
        lambda G: {x: k for k, xs in enumerate(nx.topological_generations(G), 1) for x in xs},
    ),
    ("rustworkx", "transitive_reduction"): (rustworkx_of, covers_by_rustworkx),
    ("igraph", "rank_intervals"): (
        lambda n, ends: igraph.Graph(n, np.stack(ends).T, directed=True),
        ranks_by_igraph,
    ),
}
#: Work, number of items and of edges, rival, reach.
ON_GRAPHS = [
    ("transitive_reduction", 2000, 40_000, NETWORKX, ">= 20x"),
    ("transitive_closure", 2000, 40_000, NETWORKX, ">= 1.2x"),
    ("rank_intervals", 2000, 40_000, NETWORKX, ">= 60x"),
    ("set_ranks", 10**6, 2 * 10**6, NETWORKX, ">= 0.8x"),
    ("transitive_reduction", 10_000, 100_000, "rustworkx", ">= 30x"),
    ("rank_intervals", 10_000, 100_000, "igraph", ">= 8x"),
    ("transitive_reduction", 50_000, 50_000, "rustworkx", "no claim"),
    ("rank_intervals", 50_000, 50_000, "igraph", "<= 12x its time"),
    *(
        (name, n, m, NETWORKX, "<= 2x its time")
        for n, m in ((5, 7), (50, 100))
        for name in ("set_ranks", "is_acyclic", "transitive_closure", "transitive_reduction")
    ),
]


def on_graphs(scale: float) -> Iterator[Row]:
    """Large graphs and small ones, and the weak spot, about one edge an item."""
    for name, items, edges, rival, reach in ON_GRAPHS:
        n, m = (size if items <= 50 else int(size * scale) for size in (items, edges))
        ends, (make, theirs) = random_edges(n, m), RIVALS[rival, name]
        yield race(
            f"{name}, n = {n:,}, m = {m:,}",
            partial(anew, getattr(po, name), graph_of(n, ends)),
            rival + ", its own graph" * (rival != NETWORKX),
            partial(theirs, make(n, ends)),
            reach=reach,
            agree=same_graph,
            rounds=1 if n * m == 10**9 else 3,
            times=max(1, 1000 // n),
        )


def same_graph(ours: Any, theirs: Any) -> bool:
    """Return whether two graphs have the same edges, or two other results are equal."""
    return bool(ours.edges == theirs.edges if isinstance(ours, nx.DiGraph) else ours == theirs)


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
            f"width, both halves: {name}, n = {n:,}",
            partial(anew, both_halves, G),
            "networkx closure, split, matching",
            partial(width_by_networkx, G),
            reach=reach,
            agree=lambda ours, theirs: ours == (theirs, theirs),
            rounds=3,
        )


def two_graphs(n: int, m: int) -> Row:
    """The pairs of two graphs on the same items, one against the sequence of the other."""
    target = graph_of(n, random_edges(n, m, seed=1))
    number = np.random.default_rng(2).permutation(n)
    first, second = random_edges(n, m, seed=3)
    predicted = graph_of(n, (number[first], number[second]))

    def by_sets() -> tuple[int, int]:
        truth, guess = (set(nx.transitive_closure_dag(G).edges) for G in (target, predicted))
        return len(truth & guess), len(truth & {(v, u) for u, v in guess})

    return race(
        f"pair_table, n = {n:,}, m = {m:,} each",
        partial(anew, po.pair_table, target, predicted),
        "networkx closures and Python sets",
        by_sets,
        reach=">= 60x" if n == 1000 else "<= 2x its time",
        agree=lambda ours, theirs: theirs == (ours.concordant, ours.discordant),
        times=max(1, 1000 // n),
    )


def orders(*, small: bool) -> Iterator[Table]:
    """Yield the races on graphs."""
    scale = 0.1 if small else 1.0
    both = [two_graphs(n, m) for n, m in ((5, 7), (50, 100), (1000, 10_000))]
    yield table_of([*on_graphs(scale), *widths(scale), *both])


#: How much of the mean of a row is added to each of its numbers: rows that are good in one column
#: are good in the others, or bad.
PULLS = {"independent": 0.0, "for each other": 1.0, "against each other": -0.9}


def frame_of(n: int, k: int, pull: float) -> pd.DataFrame:
    """Return a table of n rows and k columns."""
    values = np.random.default_rng(0).normal(size=(n, k))
    values += pull * values.mean(axis=1, keepdims=True)
    return pd.DataFrame(values, columns=list("abcdef")[:k])


def their_front(frame: pd.DataFrame) -> list[Any]:
    """Return the items of the front that paretoset finds."""
    is_best = paretoset(frame, sense=["max"] * frame.shape[1], distinct=False)
    items: list[Any] = frame.index[is_best].tolist()
    return items


def their_levels(frame: pd.DataFrame) -> list[list[Any]]:
    """Return the items of all fronts that paretoset finds."""
    ranks = paretorank(frame, sense=["max"] * frame.shape[1], distinct=False)
    order, ends = np.argsort(ranks, kind="stable"), np.cumsum(np.bincount(ranks)[1:])
    return [part.tolist() for part in np.split(frame.index.to_numpy()[order], ends[:-1])]


def of_tables(sizes: tuple[int, ...]) -> Iterator[Row]:
    """The front of each table, and all fronts if those of paretoset take some seconds at most."""
    for n, k, (kind, pull) in product(sizes, (2, 3, 6), PULLS.items()):
        frame = frame_of(n, k, pull)
        ours = partial(po.maximal_items, frame, maximize=frame.columns)
        front = ours()
        few = len(front) < 10_000
        again: dict[str, Any] = {"rounds": 15 if few else 1, "times": max(1, 10_000 // n)}
        work = f"{n:,} x {k}, columns {kind}"
        first = f"maximal_items, {work}: {len(front):,}"
        if n < 100_000 or few:
            reach = ">= 1x" if len(front) > n / 10 else "<= 2x its time"
            theirs = partial(their_front, frame)
            yield race(first, ours, "paretoset", theirs, reach=reach, **again)
        if k <= 3 and (n < 100_000 or pull >= 0):
            levels = partial(po.levels, frame, maximize=frame.columns)
            again = {"rounds": 3 if n < 100_000 else 1, "reach": ">= 1x"}
            first = f"levels, {work}: {len(levels()):,}"
            yield race(first, levels, "paretorank", partial(their_levels, frame), **again)


def fronts(*, small: bool) -> Iterator[Table]:
    """Yield the races."""
    for kind in (their_front, their_levels):
        kind(frame_of(50, 3, 0))  # numba compiles them now
    yield table_of(of_tables((1000, 10_000) if small else (1000, 10_000, 100_000)))


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
    ten, twenty = (graph_of(n, random_edges(n, 2 * n)) for n in (10, 20))
    for name, G, reach, rounds in (
        ("10 items, 20 edges", ten, "", 9),
        ("20 items, 40 edges", twenty, "", 9),
        ("Boolean lattice of 16 items, 168 ideals", lattice, "", 9),
        ("32 items, dimension 3, 1.08 M ideals", space, ">= 5x; < 2 s", 1),
        ("64 items, dimension 2, 1.07 M ideals", plane, ">= 5x; < 2 s", 1),
    ):
        yield race(
            f"count, {name}",
            partial(anew, po.count_linear_extensions, G),
            "a dictionary of ideals per layer",
            partial(count_by_dictionaries, G),
            reach=reach,
            rounds=rounds,
            times=rounds * 5 if rounds > 1 else 1,
        )
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
                *(timed(partial(f, G, seed=0), rounds=1) for f in calls),
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


PARTS = orders, fronts, extensions, asking

if __name__ == "__main__":
    run(__doc__, "networkx numpy pandas rustworkx igraph paretoset numba", *PARTS)
