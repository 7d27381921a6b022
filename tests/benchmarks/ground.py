"""The engine against networkx, rustworkx, igraph and Numba.

Run ``python -m tests.benchmarks.ground`` for the table of ``docs/benchmarks.md``, with ``--small``
for a quick look, with ``--growth`` for the cost at three sizes. Needs the extra ``bench``.
"""

from __future__ import annotations

import argparse
import gc
import tracemalloc
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import igraph
import networkx as nx
import numba
import numpy as np
import rustworkx

import porank as po
from porank.core.arrays import longest_path_levels
from porank.core.compiled_order import Order, compile_order
from porank.core.relation import Relation, relate
from porank.core.tables import Table
from porank.orders.closure import transitive_closure, transitive_reduction
from porank.orders.ranks import set_ranks
from tests.benchmarks.side_by_side import Row, machine, race, show, table_of, timed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

Ends = tuple[Any, Any]


def random_edges(n: int, m: int, *, seed: int = 0) -> Ends:
    """Return m different random edges, each from a smaller to a larger number, sorted."""
    rng = np.random.default_rng(seed)
    ends = np.sort(rng.integers(0, n, (3 * m + 10, 2)), axis=1)
    key = np.unique(ends[ends[:, 0] < ends[:, 1]] @ (n, 1))
    return np.divmod(np.sort(rng.permutation(key)[:m]), n)


def graph_of(n: int, ends: Ends) -> nx.DiGraph:
    """Return the edges as a DiGraph."""
    G = nx.DiGraph()
    G.add_nodes_from(range(n))
    G.add_edges_from(zip(*(end.tolist() for end in ends), strict=True))
    return G


def rustworkx_of(n: int, ends: Ends) -> rustworkx.PyDiGraph:
    """Return the edges as a rustworkx graph."""
    graph = rustworkx.PyDiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from_no_data(list(zip(*(end.tolist() for end in ends), strict=True)))
    return graph


def igraph_of(n: int, ends: Ends) -> igraph.Graph:
    """Return the edges as an igraph graph."""
    return igraph.Graph(n=n, edges=np.stack(ends, axis=1), directed=True)


def compiled(G: nx.DiGraph) -> Order:
    """Compile a DiGraph as if it had never been seen, closure and reduction included."""
    nx._clear_cache(G)
    order = compile_order(G)
    order.relation.count_covers()
    return order


def related(n: int, ends: Ends) -> Relation:
    """Close and reduce edges given as arrays."""
    levels = longest_path_levels(n, *ends)
    assert levels is not None
    return relate(levels, *ends)


def pairs_by_igraph(graph: igraph.Graph) -> int:
    """Count the pairs of the closure by the sizes of all neighbourhoods."""
    sizes: list[int] = graph.neighborhood_size(order=graph.vcount(), mode="out")
    return sum(sizes) - len(sizes)


def pairs_by_rustworkx(graph: rustworkx.PyDiGraph) -> int:
    """Count the pairs of the closure by all sets of descendants."""
    return sum(len(rustworkx.descendants(graph, i)) for i in graph.node_indices())


@numba.njit(cache=False)  # type: ignore[untyped-decorator]
def _close_words(start: NDArray[Any], heads: NDArray[Any], words: NDArray[Any]) -> int:
    """Close and reduce in the same way on 64-bit words, heads highest first; count the pairs."""
    pairs = 0
    twos, fours, nibbles = 0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F
    for p in range(start.size - 1):
        for k in range(start[p], start[p + 1]):
            q = heads[k]
            if not words[p, q >> 6] >> np.uint64(q & 63) & np.uint64(1):
                for w in range((q >> 6) + 1):
                    words[p, w] |= words[q, w]
                words[p, q >> 6] |= np.uint64(1) << np.uint64(q & 63)
        for w in range((p >> 6) + 1):
            word = words[p, w]
            word -= word >> np.uint64(1) & np.uint64(twos)
            word = (word & np.uint64(fours)) + (word >> np.uint64(2) & np.uint64(fours))
            word = (word + (word >> np.uint64(4))) & np.uint64(nibbles)
            pairs += word * np.uint64(0x0101010101010101) >> np.uint64(56)
    return pairs


def closed_by_numba(n: int, ends: Ends) -> int:
    """Number the items as porank does, then run the compiled loop."""
    levels = longest_path_levels(n, *ends)
    assert levels is not None
    place = np.empty(n, dtype=np.int64)
    place[np.argsort(-levels, kind="stable")] = np.arange(n)
    upper, lower = np.divmod(np.sort(place[ends[0]] * n + n - 1 - place[ends[1]]), n)
    start = np.searchsorted(upper, np.arange(n + 1))
    return int(_close_words(start, n - 1 - lower, np.zeros((n, n // 64 + 1), dtype=np.uint64)))


def closing(scale: float) -> Iterator[Row]:
    """Closure and reduction, graphs in, compiled orders out."""
    n, m = int(2000 * scale), int(40_000 * scale)
    G = graph_of(n, random_edges(n, m))
    yield race(
        f"closure + reduction, DiGraph in, compiled order out; n = {n:,}, m = {m:,}",
        partial(compiled, G),
        "networkx.transitive_closure_dag",
        partial(nx.transitive_closure_dag, G),
        reach=">= 60x",
        agree=lambda order, closure: order.count_pairs() == closure.number_of_edges(),
        rounds=3,
    )
    yield race(
        "the same, closure written as a DiGraph",
        lambda: (nx._clear_cache(G), transitive_closure(G))[1],
        "networkx.transitive_closure_dag",
        partial(nx.transitive_closure_dag, G),
        reach=">= 1.2x",
        agree=lambda ours, theirs: ours.edges == theirs.edges,
        rounds=3,
    )
    yield race(
        "the same, reduction written as a DiGraph",
        lambda: (nx._clear_cache(G), transitive_reduction(G))[1],
        "networkx.transitive_reduction",
        partial(nx.transitive_reduction, G),
        reach=">= 20x",
        agree=lambda ours, theirs: ours.edges == theirs.edges,
        rounds=3,
    )


def dense(scale: float) -> Iterator[Row]:
    """The intersection of two random rankings, arrays in."""
    n = int(4000 * scale)
    rng = np.random.default_rng(0)
    one, two = rng.permutation(n), rng.permutation(n)
    above, below = np.nonzero((one[:, None] < one) & (two[:, None] < two))
    ends = (above, below)
    work = f"two rankings of {n:,} intersected ({ends[0].size:,} closed pairs), arrays in"
    graph = rustworkx_of(n, ends)
    yield race(
        work,
        partial(related, n, ends),
        "rustworkx reduction",
        lambda: rustworkx.transitive_reduction(graph)[0],
        reach=">= 20x",
        agree=lambda ours, theirs: sum(map(len, ours.covers)) == theirs.num_edges(),
        rounds=1,
    )
    yield race(
        work,
        partial(related, n, ends),
        "igraph neighborhood_size",
        partial(pairs_by_igraph, igraph_of(n, ends)),
        reach=">= 3x",
        agree=lambda ours, theirs: ours.pairs == theirs,
        rounds=2,
    )


def against_igraph(work: str, G: nx.DiGraph, ends: Ends, **how: Any) -> Row:
    """Compile a DiGraph against igraph, which counts the pairs of the closure of the same edges."""
    return race(
        work,
        partial(compiled, G),
        "igraph neighborhood_size",
        partial(pairs_by_igraph, igraph_of(len(G), ends)),
        agree=lambda ours, theirs: ours.count_pairs() == theirs,
        **how,
    )


def large(scale: float) -> Iterator[Row]:
    """Ten thousand items, graphs in on every side."""
    n, m = int(10_000 * scale), int(100_000 * scale)
    ends = random_edges(n, m)
    G, graph = graph_of(n, ends), rustworkx_of(n, ends)
    work = f"closure + reduction, DiGraph in; n = {n:,}, m = {m:,}"
    yield race(
        work,
        partial(compiled, G),
        "rustworkx reduction",
        lambda: rustworkx.transitive_reduction(graph)[0],
        reach=">= 30x",
        agree=lambda ours, theirs: sum(map(len, ours.relation.covers)) == theirs.num_edges(),
        rounds=2,
    )
    yield against_igraph(work, G, ends, reach=">= 8x", rounds=3)


def huge(scale: float) -> Iterator[Row]:
    """Fifty thousand items."""
    n, m = int(50_000 * scale), int(500_000 * scale)
    ends = random_edges(n, m)
    G = graph_of(n, ends)
    work = f"closure + reduction, DiGraph in; n = {n:,}, m = {m:,}"
    yield against_igraph(work, G, ends, reach=">= 15x", rounds=1 if scale == 1 else 2)
    closed_by_numba(100, random_edges(100, 300))
    yield race(
        work.replace("DiGraph", "arrays"),
        partial(related, n, ends),
        "Numba, the same idea on words",
        partial(closed_by_numba, n, ends),
        reach="<= 5x its time",
        agree=lambda ours, theirs: ours.pairs == theirs,
        rounds=3,
    )


def sparse(scale: float) -> Iterator[Row]:
    """About one edge an item: the weak spot."""
    n = int(50_000 * scale)
    ends = random_edges(n, n)
    G, graph = graph_of(n, ends), rustworkx_of(n, ends)
    work = f"very sparse, DiGraph in; n = m = {n:,}"
    yield race(
        work,
        partial(compiled, G),
        "rustworkx descendants for all",
        partial(pairs_by_rustworkx, graph),
        reach="<= 2.5x its time",
        agree=lambda ours, theirs: ours.count_pairs() == theirs,
    )
    yield against_igraph(work, G, ends, reach="<= 12x its time")


def ranks_by_the_paper(G: nx.DiGraph) -> dict[Any, int]:
    """Walk every path, as the printed SetRanks does."""
    ranks = dict.fromkeys(G, 1)

    def visit(item: Any, rank: int) -> None:
        ranks[item] = max(ranks[item], rank)
        for below in G.successors(item):
            visit(below, ranks[item] + 1)

    for item, degree in G.in_degree:
        if not degree:
            visit(item, 1)
    return ranks


def ranks_by_networkx(G: nx.DiGraph) -> dict[Any, int]:
    """Number the generations."""
    generations = enumerate(nx.topological_generations(G), 1)
    return {item: rank for rank, items in generations for item in items}


def ranking(scale: float) -> Iterator[Row]:
    """SetRanks: a ladder, where paths double at every layer, and a large graph."""
    levels = 18 if scale == 1 else 12
    ladder = nx.DiGraph(
        (u, v)
        for upper, lower in pairwise([(2 * k, 2 * k + 1) for k in range(levels)])
        for u in upper
        for v in lower
    )
    yield race(
        f"set_ranks, ladder of {levels} layers of two",
        lambda: (nx._clear_cache(ladder), set_ranks(ladder))[1],
        "the paper's recursion, doubling every layer",
        partial(ranks_by_the_paper, ladder),
        reach="instant",
        agree=lambda ours, theirs: ours == theirs,
        rounds=2,
    )
    n = int(10**6 * scale)
    G = graph_of(n, random_edges(n, 2 * n))
    yield race(
        f"set_ranks, n = {n:,}, m = {2 * n:,}",
        lambda: (nx._clear_cache(G), set_ranks(G))[1],
        "networkx.topological_generations",
        partial(ranks_by_networkx, G),
        reach=">= 1.3x",
        agree=lambda ours, theirs: ours == theirs,
        rounds=3,
    )


def chain_by_networkx(items: list[Any]) -> nx.DiGraph:
    """Write a ranking, best first."""
    G = nx.DiGraph()
    G.add_nodes_from(items)
    G.add_edges_from(pairwise(items))
    return G


def chain_of_scores(scores: dict[Any, float], tolerance: float = 0) -> nx.DiGraph:
    """Write the covers of scores, two pointers going down the sorted items."""
    items = sorted(scores, key=scores.__getitem__, reverse=True)
    G = nx.DiGraph()
    G.add_nodes_from(scores)
    if not tolerance:
        G.add_edges_from(pairwise(items))
        return G
    first = 0
    reached: list[int] = []
    for item in items:
        while first < len(items) and scores[item] - scores[items[first]] <= tolerance:
            first += 1
        reached.append(first)
    for item, first in zip(items, reached, strict=True):
        last = reached[first] if first < len(items) else first
        G.add_edges_from((item, items[other]) for other in range(first, last))
    return G


def writing(scale: float) -> Iterator[Row]:
    """Rankings and scores as graphs, whose dictionaries neither side can avoid."""
    n = int(10**6 * scale)
    items, shuffled = list(range(n)), np.random.default_rng(0).permutation(n).tolist()
    scores = dict(enumerate(np.random.default_rng(1).random(n).tolist()))
    same = nx.utils.graphs_equal
    for work, ours, rival in (
        ("from_ranking", partial(po.from_ranking, shuffled), partial(chain_by_networkx, shuffled)),
        (
            "random_ranking",
            partial(po.random_ranking, items, seed=0),
            lambda: chain_by_networkx(np.random.default_rng(0).permutation(n).tolist()),
        ),
        ("from_scores", partial(po.from_scores, scores), partial(chain_of_scores, scores)),
        (
            "from_scores, tolerance of one place",
            partial(po.from_scores, scores, 1 / n),
            partial(chain_of_scores, scores, 1 / n),
        ),
    ):
        yield race(
            f"{work}, n = {n:,}",
            ours,
            "networkx, the same edges",
            rival,
            reach="<= 1.5x its time",
            agree=same,
            rounds=1 if scale == 1 else 2,
        )


def instant() -> str:
    """Return how long `set_ranks` takes on a ladder of 30 layers, which has 2**29 paths."""
    ladder = nx.DiGraph(((k, i), (k + 1, j)) for k in range(29) for i in (0, 1) for j in (0, 1))
    _, seconds = timed(partial(set_ranks, ladder), rounds=1)
    return f"set_ranks on a ladder of 30 layers of two: {seconds:.2g} s."


def memory(scale: float) -> str:
    """Return the peak memory of closing the largest graph, beyond the graph itself."""
    n, m = int(50_000 * scale), int(500_000 * scale)
    G = graph_of(n, random_edges(n, m))
    gc.collect()
    tracemalloc.start()
    order = compiled(G)
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    order.relation.above  # noqa: B018
    both = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return (
        f"Peak memory beyond the graph, n = {n:,}, m = {m:,}: {peak:.0f} MB for the closure and "
        f"the reduction (reach < 700 MB), {both:.0f} MB with the rows of the other direction."
    )


def growth() -> Table:
    """Return the cost at three sizes, each twice the one before."""
    rows = []
    for n in (5000, 10_000, 20_000):
        ends = random_edges(n, 10 * n)
        G = graph_of(n, ends)
        order, seconds = timed(partial(compiled, G), rounds=1)
        covers = sum(map(len, order.relation.covers))
        work = n * covers / 64
        rows.append(
            (f"{n:,}", f"{10 * n:,}", f"{covers:,}", f"{seconds:.3g}", 1e9 * seconds / work)
        )
    return Table(("n", "m", "m_red", "seconds", "ns per word"), tuple(rows))


def main() -> None:
    """Run everything and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="a tenth of every size")
    parser.add_argument("--growth", action="store_true", help="only the cost at three sizes")
    chosen = parser.parse_args()
    show(machine("networkx", "numpy", "rustworkx", "igraph", "numba"))
    if not chosen.growth:
        scale = 0.1 if chosen.small else 1.0
        parts = (closing, dense, large, huge, sparse, ranking, writing)
        table = table_of(row for part in parts for row in part(scale))
        show(table, instant(), memory(scale))
    show(growth())


if __name__ == "__main__":
    main()
