"""Inside an order: counting, shares of positions, and draws, against plain ways to do the same.

Run ``python -m tests.benchmarks.extensions`` for the table, with ``--small`` for a quick look.
Where a rival takes too long it does a stated part of the work, and its time is scaled.

Eight chains side by side are counted at once, by parts. They stand here for orders with millions of
ideals, and are put before the engine as if they could not be divided.
"""

from __future__ import annotations

import math
import multiprocessing
import time
from dataclasses import replace
from functools import partial
from itertools import islice
from math import factorial
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

import porank as po
from porank.core.compiled_order import compile_order
from porank.extensions.decomposition import OrderPart
from porank.extensions.ideals import Chains, Ideals, count_paths, layers_of
from tests.benchmarks.side_by_side import (
    Row,
    machine,
    peak_memory,
    race,
    show,
    table_of,
    timed,
    wants_small,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Layers = list[dict[int, int]]
DRAWS = 10_000


def random_edges(n: int, share: float, seed: int) -> nx.DiGraph:
    """Return an order in which i > j with the given probability, for each i < j."""
    is_edge = np.triu(np.random.default_rng(seed).random((n, n)) < share, 1)
    G = nx.DiGraph()
    G.add_nodes_from(range(n))
    G.add_edges_from(np.argwhere(is_edge).tolist())
    return G


def chains(number: int, length: int) -> nx.DiGraph:
    """Return chains side by side."""
    G = nx.DiGraph()
    for chain in range(number):
        nx.add_path(G, range(chain * length, (chain + 1) * length))
    return G


def undivided(G: nx.DiGraph) -> OrderPart:
    """Return an order as one part."""
    relation = compile_order(G).relation
    return OrderPart("prime", len(G), [], relation.item_at.tolist(), relation.covers)


def masks(G: nx.DiGraph) -> tuple[list[int], list[list[int]]]:
    """Return the predecessors of each item as bits, and its successors."""
    above = [sum(1 << u for u in G.predecessors(v)) for v in range(len(G))]
    return above, [list(G.successors(v)) for v in range(len(G))]


def count_by_dictionaries(G: nx.DiGraph) -> int:
    """Count linear extensions with a dictionary of ideals for each layer: ideal -> ways to it."""
    above, below = masks(G)
    on_top = sum(1 << v for v, row in enumerate(above) if not row)
    layer = {0: (1, on_top)}
    for _ in range(len(G)):
        following: dict[int, tuple[int, int]] = {}
        for ideal, (ways, available) in layer.items():
            rest = available
            while rest:
                bit = rest & -rest
                rest ^= bit
                grown = ideal | bit
                known = following.get(grown)
                if known is None:
                    new = (1 << v for v in below[bit.bit_length() - 1] if not above[v] & ~grown)
                    following[grown] = ways, available ^ bit | sum(new)
                else:
                    following[grown] = known[0] + ways, known[1]
        layer = following
    return next(iter(layer.values()))[0]


def count_engine(G: nx.DiGraph) -> int:
    """Count over the ideals of the whole, even if it could be divided."""
    chains = Chains(undivided(G))
    return count_paths(chains, layers_of(chains, max_ideals=10**8))


def counting() -> Iterator[Row]:
    """Counts, against a dictionary for each layer."""
    cases = {
        "Boolean lattice of 16 items, 168 ideals": (
            nx.convert_node_labels_to_integers(po.boolean_lattice(4)),
            "",
        ),
        "40 items, random edges p = 0.2, 5,402 ideals": (random_edges(40, 0.2, 1), ""),
        "32 items, dimension 3, 1.08 M ideals": (
            po.random_order(32, dimension=3, seed=139),
            ">= 5x; < 2 s",
        ),
        "64 items, dimension 2, 1.07 M ideals": (
            po.random_order(64, dimension=2, seed=38),
            ">= 5x; < 2 s",
        ),
    }
    for name, (G, reach) in cases.items():
        yield race(
            f"count, {name}",
            partial(po.count_linear_extensions, G),
            "a dictionary of ideals per layer",
            partial(count_by_dictionaries, G),
            reach=reach,
            agree=int.__eq__,
            rounds=3 if len(G) > 40 else 9,
        )


def growth() -> str:
    """Return how the cost of a count grows with the number of ideals."""
    lines = []
    for length in (3, 4, 5, 6):
        G = chains(8, length)
        seconds = timed(partial(count_engine, G))[1]
        ideals = (length + 1) ** 8
        lines.append(
            f"eight chains of {length}: {ideals:,} ideals, {seconds:.3g} s, "
            f"{1e9 * seconds / ideals:.0f} ns an ideal"
        )
    return "\n".join(lines)


def threshold(n: int) -> nx.DiGraph:
    """Return n items, odd ones below all before them, even ones beside: parts n deep."""
    G = nx.DiGraph()
    G.add_nodes_from(range(n))
    G.add_edges_from((i, j) for j in range(1, n, 2) for i in range(j))
    return G


def nested() -> str:
    """Return how the costs grow where components and series lie within each other."""
    lines = []
    for n in (100, 200, 400):
        G = threshold(n)
        ask: dict[str, Callable[[], Any]] = {
            "count": partial(po.count_linear_extensions, G),
            "expected ranks": partial(po.expected_ranks, G),
            "rank probabilities": partial(po.rank_probabilities, G),
            "mutual rank probabilities": partial(po.mutual_rank_probabilities, G),
        }
        said = ", ".join(f"{name} {timed(work)[1]:.3g} s" for name, work in ask.items())
        lines.append(f"{n} items nested {n // 2} deep: {said}")
    return "\n".join(lines)


def large() -> str:
    """Return time and memory for 16.8 million ideals, in a process of their own."""
    context = multiprocessing.get_context("spawn")
    said = []
    for work in (_count_large, _list_large, _count_million):
        with context.Pool(1) as pool:
            said.append(pool.apply(work))
    return "\n".join(said)


def _count_large() -> str:
    start = time.perf_counter()
    count = count_engine(chains(8, 7))
    assert count == factorial(56) // factorial(7) ** 8
    return f"count, 56 items, eight chains of seven, 16,777,216 ideals: {_since(start)}"


def _list_large() -> str:
    start = time.perf_counter()
    ranks = Ideals(undivided(chains(8, 7)), max_ideals=10**8).rank_matrix()
    assert np.allclose(ranks.sum(axis=0), 1, rtol=1e-12)
    return f"all rank probabilities of the same: {_since(start)}"


def _count_million() -> str:
    start = time.perf_counter()
    po.count_linear_extensions(po.random_order(64, dimension=2, seed=38))
    return f"count, 64 items, 1.07 M ideals, from the start: {_since(start)}"


def _since(start: float) -> str:
    return f"{time.perf_counter() - start:.3g} s, {1000 * peak_memory():.0f} MB (whole process)"


def shares() -> str:
    """Return how long the public functions take for the shares of all linear extensions."""
    grid, cube = (
        po.random_order(60, dimension=2, seed=0),
        po.random_order(30, dimension=3, seed=2),
    )
    ranks = timed(partial(po.rank_probabilities, grid, method="exact"))[1]
    mutual = timed(partial(po.mutual_rank_probabilities, cube, method="exact"))[1]
    return (
        f"rank_probabilities, 60 items, 116,573 ideals: {ranks:.3g} s (reach < 0.3 s)\n"
        f"mutual_rank_probabilities, 30 items, 16,164 ideals: {mutual:.3g} s (reach < 1 s)"
    )


class OneByOne:
    """The same lattice in dictionaries, ready to draw one linear extension at a time."""

    def __init__(self, G: nx.DiGraph) -> None:
        self.above, self.below = masks(G)
        self.n = len(G)
        words = Ideals(undivided(G), max_ideals=10**7)
        line = undivided(G).items[::-1]
        # The ideals of the engine say how many items of each chain they hold.
        self.ways: Layers = []
        for layer, ways in zip(words.layers, words._onward[0], strict=True):
            carried = np.zeros_like(layer)
            for chain, places in enumerate(words.chains.chains):
                held = words.chains.held(layer, chain)
                for count, place in enumerate(places.tolist()):
                    carried |= (held > count).astype(np.int64) << line[place]
            self.ways.append(dict(zip(carried.tolist(), ways.tolist(), strict=True)))

    def draw(self, random: Any) -> list[int]:
        """Walk from the empty ideal to the full one."""
        ideal, line = 0, []
        available = {v for v in range(self.n) if not self.above[v]}
        for k in range(self.n):
            left = random.random() * self.ways[k][ideal]
            for item in available:
                left -= self.ways[k + 1][ideal | 1 << item]
                if left < 0:
                    break
            ideal |= 1 << item
            line.append(item)
            available.remove(item)
            available |= {v for v in self.below[item] if not self.above[v] & ~ideal}
        return line


def walk_by_exchanges(above: Any, draws: int, steps: int, rng: np.random.Generator) -> Any:
    """Karzanov and Khachiyan's chain: exchange neighbours at a random place, or not, by a coin.

    All chains are walked together, which is several times faster than one by one.
    """
    n, rows = len(above), np.arange(draws)
    lines = np.tile(np.arange(n), (draws, 1))
    for _ in range(steps):
        place = rng.integers(n - 1, size=draws)
        upper, lower = lines[rows, place], lines[rows, place + 1]
        moves = (rng.random(draws) < 0.5) & ~above[upper, lower]
        lines[rows, place] = np.where(moves, lower, upper)
        lines[rows, place + 1] = np.where(moves, upper, lower)
    return lines


def drawing() -> Iterator[Row]:
    """Draws from 371,293 ideals, those of five chains of twelve.

    Against draws from the same lattice it stands ready for both; against the chain, which needs
    none, it is in the price.
    """
    G = chains(5, 12)
    part, n = undivided(G), len(G)

    def ours(ideals: Ideals | None = None) -> Any:
        ideals = ideals or Ideals(part, max_ideals=10**6)
        return ideals.draw(np.random.default_rng(0).random((DRAWS, n)))

    ready = Ideals(part, max_ideals=10**6)
    ready.draw(np.zeros((1, n)))
    slow, some = OneByOne(G), DRAWS // 20
    row = race(
        f"{DRAWS:,} uniform extensions, 60 items, 371,293 ideals at hand",
        partial(ours, ready),
        f"one at a time from the same lattice ({some} draws, scaled)",
        lambda: [slow.draw(np.random.default_rng(0)) for _ in range(some)],
        reach=">= 10x",
        agree=lambda lines, others: {len(line) for line in [*lines, *others]} == {n},
        rounds=3,
    )
    yield replace(row, rival_seconds=row.rival_seconds * 20)
    steps = 500
    above = compile_order(G).matrix()
    row = race(
        f"{DRAWS:,} uniform extensions, 60 items, 371,293 ideals to be listed",
        ours,
        f"Karzanov-Khachiyan, n^3 = 216,000 steps, all together ({steps} steps, scaled)",
        lambda: walk_by_exchanges(above, DRAWS, steps, np.random.default_rng(0)),
        reach=">= 100x",
        agree=lambda lines, others: lines.shape == others.shape,
        rounds=3,
    )
    yield replace(row, rival_seconds=row.rival_seconds * n**3 / steps)


def estimate_from_the_top(G: nx.DiGraph, *, samples: int, max_ideals: int) -> tuple[float, float]:
    """Return the logarithm of the number of linear extensions, estimated, and its standard error.

    Take the item that stands on top most often in one half of the draws; the number is that of the
    rest, divided by the share of the other half in which it stands there.
    """
    rest, logarithm, variance = po.transitive_closure(G), 0.0, 0.0
    while True:
        try:
            count = po.count_linear_extensions(rest, max_ideals=max_ideals)
        except po.TooManyIdealsError:
            lines = po.random_linear_extensions(rest, samples, seed=0, max_ideals=max_ideals)
            on_top = [line[0] for line in lines]
            half = samples // 2
            item = max(set(on_top[:half]), key=on_top[:half].count)
            share = on_top[half:].count(item) / (samples - half)
            logarithm -= math.log(share)
            variance += (1 - share) / share / (samples - half)
            rest.remove_node(item)
        else:
            return logarithm + math.log(count), math.sqrt(variance)


def estimating() -> Row:
    """Estimates of a count that is known, where few ideals are allowed."""
    G = po.random_order(32, dimension=3, seed=139)
    truth, few = math.log(po.count_linear_extensions(G)), 20_000
    found: list[float] = []

    def ours() -> tuple[float, float]:
        estimate = po.estimate_linear_extensions(G, max_ideals=few, seed=0)
        return math.log(estimate.value), estimate.standard_error

    def agree(one: tuple[float, float], other: tuple[float, float]) -> bool:
        found.extend((one[1], other[1]))
        return all(abs(value - truth) < 4 * error for value, error in (one, other))

    row = race(
        "count estimated, 32 items, 1.08 M ideals of which 20,000 are allowed",
        ours,
        "an item on top at a time",
        partial(estimate_from_the_top, G, samples=1000, max_ideals=few),
        reach="",
        agree=agree,
        rounds=2,
    )
    errors = f"; standard errors {found[0]:.1%} and {found[1]:.1%}"
    return replace(row, work=row.work + errors)


def beyond() -> str:
    """Return estimates for orders that have too many ideals to be counted."""
    cases = {
        "60 items, random edges p = 0.05": po.random_order(60, edge_probability=0.05, seed=1),
        "40 items, dimension 3": po.random_order(40, dimension=3, seed=1),
        "80 items, random edges p = 0.05": po.random_order(80, edge_probability=0.05, seed=1),
    }
    lines = []
    for name, G in cases.items():
        found, seconds = timed(partial(po.estimate_linear_extensions, G, seed=0), rounds=1)
        lines.append(f"{name}: {found}, {seconds:.3g} s")
    return "\n".join(lines)


def sparse_order(n: int, edges_each: int, seed: int = 1) -> nx.DiGraph:
    """Return n items with random edges from the earlier to the later, so many for each."""
    rng, edges = np.random.default_rng(seed), set[tuple[int, int]]()
    while len(edges) < edges_each * n:
        u, v = sorted(rng.integers(n, size=2).tolist())
        if u < v:
            edges.add((u, v))
    G = nx.DiGraph()
    G.add_nodes_from(range(n))
    G.add_edges_from(sorted(edges))
    return G


def _processor(work: Callable[[], Any]) -> tuple[Any, float]:
    return timed(work, rounds=1, clock=time.process_time)


def walking(sizes: tuple[int, ...]) -> str:
    """Return what expected ranks and tables cost where ideals are too many, and how far off.

    They are held against the mean of three other seeds, and against the local model.
    """
    lines = []
    for n in sizes:
        cases = {
            "m = 2n": sparse_order(n, 2),
            "m = 5n": sparse_order(n, 5),
            "dimension 2": po.random_order(n, dimension=2, seed=1),
        }
        for name, G in cases.items():
            found, seconds = _processor(partial(po.expected_ranks, G, seed=0))
            others = [po.expected_ranks(G, seed=seed) for seed in (1, 2, 3)]
            truth = {x: sum(other[x] for other in others) / 3 for x in G}
            off = max(abs(found[x] - truth[x]) for x in G) / n
            error = max(found.standard_error.values()) / n
            tables = [
                _processor(partial(function, G, seed=0))[1]
                for function in (po.rank_probabilities, po.mutual_rank_probabilities)
            ]
            lines.append(
                f"{n:,} items, {name}: expected ranks {seconds:.2f} s, worst item {off:.2%} of n "
                f"off, largest standard error {error:.2%}; rank "
                f"probabilities {tables[0]:.2f} s, mutual {tables[1]:.2f} s"
            )
    return "\n".join(lines)


def large_tables() -> str:
    """Return time and memory of the rank probabilities of many items, each in its own process."""
    context = multiprocessing.get_context("spawn")
    lines = []
    for n in (2000, 4000, 8000):
        with context.Pool(1) as pool:
            lines.append(pool.apply(_large_table, (n,)))
    return "\n".join(lines)


def _large_table(n: int) -> str:
    G = sparse_order(n, 5)
    found, seconds = _processor(partial(po.rank_probabilities, G, seed=0))
    _, rows = _processor(lambda: [found[x] for x in range(100)])
    return (
        f"rank probabilities, {n:,} items, m = 5n: {seconds:.2f} s, "
        f"{1000 * peak_memory():.0f} MB (whole process), and {10 * rows:.2f} ms a row"
    )


def drawing_beyond(sizes: tuple[int, ...]) -> str:
    """Return what 100 draws and an estimated count cost where ideals are too many."""
    lines = []
    for n in sizes:
        G = sparse_order(n, 5)
        lines_drawn = po.random_linear_extensions(G, 100, seed=0)
        seconds_drawn = _processor(partial(list, lines_drawn))[1]
        count = partial(po.estimate_linear_extensions, G, samples=100, seed=0)
        found, seconds = _processor(count)
        lines.append(
            f"{n} items, m = 5n: 100 draws, {seconds_drawn:.2f} s; estimated count, 100 samples, "
            f"{seconds:.2f} s, standard error {found.standard_error:.0%}"
        )
    return "\n".join(lines)


def listing() -> Row:
    """The first 100,000 linear extensions, one by one."""
    G = random_edges(40, 0.2, 1)
    return race(
        "the first 100,000 linear extensions, 40 items",
        lambda: sum(1 for _ in islice(po.linear_extensions(G), 100_000)),
        "networkx all_topological_sorts",
        lambda: sum(1 for _ in islice(nx.all_topological_sorts(G), 100_000)),
        reach=">= 1x",
        agree=int.__eq__,
        rounds=2,
    )


def main() -> None:
    """Run everything and print the tables."""
    small = wants_small(__doc__, "without what takes minutes")
    show(machine("numpy", "networkx"))
    table = table_of([*counting(), estimating(), *drawing(), listing()])
    show(table)
    show(shares(), growth(), nested())
    show(walking((100,) if small else (70, 100, 500, 2000)))
    show(drawing_beyond((100,) if small else (100, 200, 500)))
    if not small:
        show(large_tables(), beyond(), large())


if __name__ == "__main__":
    main()
