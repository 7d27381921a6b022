"""Hasse diagrams: crossings, edges over items and time against networkx, igraph and graphviz.

Run ``python -m tests.benchmarks.layouts`` for the tables of ``docs/benchmarks.md``, with
``--small`` for a quick look. Needs the extra ``bench``; without igraph or the program ``dot``
theirs is left out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx
import numpy as np

from porank.core.tables import Table
from porank.drawing.layout.hasse import hasse_layout
from porank.generators.random_orders import random_order
from porank.orders.closure import transitive_reduction
from porank.orders.ranks import set_ranks
from tests.benchmarks.side_by_side import machine, show, wants_small

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

Edge = tuple[Any, Any]

SEEDS = range(5)
#: An edge runs over an item if it comes so near to its centre; neighbours stand 1 apart.
RADIUS = 0.2
#: Of each piece of a spline of graphviz so many straight lines are made.
_STEPS = 8


class Picture(NamedTuple):
    """Where the items stand, neighbours on a level being 1 apart, and how the edges run."""

    places: Mapping[Any, Sequence[float]]
    lines: Mapping[Edge, NDArray[np.float64]]

    def straight(self) -> Picture:
        """Return the picture with a straight line for each edge."""
        ends = {edge: np.array([self.places[item] for item in edge]) for edge in self.lines}
        return Picture(self.places, ends)

    def crossings(self) -> int:
        """Return how often two lines cross."""
        lines = [np.asarray(line, dtype=float) for line in self.lines.values()]
        owner = np.repeat(np.arange(len(lines)), [len(line) - 1 for line in lines])
        begins = np.concatenate([line[:-1] for line in lines])
        ends = np.concatenate([line[1:] for line in lines])
        # From the top down, a piece can cross only those that begin before it has ended.
        high, low = np.maximum(begins, ends)[:, 1], np.minimum(begins, ends)[:, 1]
        downwards = np.argsort(-high, kind="stable")
        owner, begins, ends = owner[downwards], begins[downwards], ends[downwards]
        stops = np.searchsorted(-high[downwards], -low[downwards], side="right").tolist()
        nexts = (slice(i + 1, stop) for i, stop in enumerate(stops))
        return sum(
            _count_crossed(begins[i], ends[i], begins[those], ends[those], owner[those] != owner[i])
            for i, those in enumerate(nexts)
        )

    def over_items(self) -> int:
        """Return how many edges run over an item that is not one of their ends."""
        return sum(self._runs_over_an_item(edge) for edge in self.lines)

    def _runs_over_an_item(self, edge: Edge) -> bool:
        others = np.array([place for item, place in self.places.items() if item not in edge])
        line = self.lines[edge]
        for begin, end in pairwise(line):
            way = end - begin
            part = np.clip((others - begin) @ way / max(float(way @ way), 1e-12), 0, 1)
            apart = begin + part[:, None] * way - others
            if len(others) and np.hypot(*apart.T).min() < RADIUS:
                return True
        return False


def _count_crossed(
    begin: NDArray[np.float64],
    end: NDArray[np.float64],
    begins: NDArray[np.float64],
    ends: NDArray[np.float64],
    counts: NDArray[np.bool_],
) -> int:
    """Return how many of many lines one line crosses; a common end is no crossing."""
    way, ways = end - begin, ends - begins
    one_side = _turn(way, begins - begin) * _turn(way, ends - begin)
    other_side = _turn(ways, begin - begins) * _turn(ways, end - begins)
    return int(np.count_nonzero((one_side < -1e-9) & (other_side < -1e-9) & counts))


def _turn(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    turn: NDArray[np.float64] = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return turn


def families(n: int, seed: int) -> Iterator[tuple[str, nx.DiGraph]]:
    """Yield a Hasse diagram of each kind."""
    rng = np.random.default_rng(seed)
    yield "dimension 2", random_order(n, dimension=2, seed=seed)
    yield "dimension 3", random_order(n, dimension=3, seed=seed)
    drawn = random_order(n, edge_probability=2.5 / n, seed=seed)
    yield "random edges", transitive_reduction(drawn)
    width = max(2, int(n**0.5))
    layered = nx.empty_graph(n, create_using=nx.DiGraph)
    layered.add_edges_from(
        (u, v)
        for u in range(n)
        for v in range(n)
        if v // width == u // width + 1 and rng.random() < 2 / width
    )
    yield "layered", transitive_reduction(layered)


def by_porank(G: nx.DiGraph, *, layering: str) -> Picture:
    """Return our picture."""
    layout = hasse_layout(G, layering=layering)
    return Picture(layout, {edge: np.array(layout.path(*edge)) for edge in layout.edges})


def by_networkx(G: nx.DiGraph) -> Picture:
    """Return the picture of `multipartite_layout` with our levels."""
    levels: dict[int, list[Any]] = {}
    for item, rank in set_ranks(G).items():
        levels.setdefault(-rank, []).append(item)
    places = nx.multipartite_layout(G, subset_key=levels, align="horizontal")
    return Picture(places, dict.fromkeys(G.edges, np.empty((0, 2)))).straight()


def by_igraph(G: nx.DiGraph) -> Picture:
    """Return the picture of `layout_sugiyama`."""
    igraph = import_module("igraph")
    graph = igraph.Graph(n=len(G), edges=list(G.edges), directed=True)
    layout = graph.layout_sugiyama()
    places = {item: layout[item] for item in range(len(G))}
    return Picture(places, dict.fromkeys(G.edges, np.empty((0, 2)))).straight()


def by_graphviz(G: nx.DiGraph) -> Picture:
    """Return the picture of ``dot``, the radius of an item a quarter of the way to the next."""
    size = "width=.36; height=.36; fixedsize=true"
    head = f'digraph {{nodesep=.36; ranksep=.36; node [shape=circle; {size}; label=""];'
    body = [*map(str, G), *(f"{u} -> {v} [arrowhead=none]" for u, v in G.edges)]
    text = "\n".join([head, *body, "}"])
    run = subprocess.run(["dot", "-Tplain"], input=text, capture_output=True, text=True, check=True)
    places: dict[int, Sequence[float]] = {}
    lines: dict[Edge, NDArray[np.float64]] = {}
    for line in run.stdout.splitlines():
        kind, *words = line.split()
        if kind == "node":
            places[int(words[0])] = [float(words[1]) / 0.72, float(words[2]) / 0.72]
        elif kind == "edge":
            numbers = np.array(words[3 : 3 + 2 * int(words[2])], dtype=float) / 0.72
            edge = int(words[0]), int(words[1])
            ends = (np.array([places[item]]) for item in edge)
            lines[edge] = np.concatenate((next(ends), _curve(numbers.reshape(-1, 2)), next(ends)))
    return Picture(places, lines)


def _curve(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a line along a chain of Bézier curves."""
    t = np.arange(1, _STEPS + 1)[:, None] / _STEPS
    line = [points[:1]]
    for i in range(0, len(points) - 1, 3):
        a, b, c, d = points[i : i + 4]
        line.append((1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d)
    return np.concatenate(line)


def timed(draw: Callable[[], Picture]) -> tuple[Picture, float]:
    """Return the picture and the seconds of processor time it took, those of ``dot`` included."""
    start = _processor_seconds()
    picture = draw()
    return picture, _processor_seconds() - start


def _processor_seconds() -> float:
    """Return the processor time so far of this process and of those that it has run."""
    children = os.times()
    return time.process_time() + children.children_user + children.children_system


def measured(G: nx.DiGraph) -> dict[str, float]:
    """Return all numbers for one diagram."""
    ranks, seconds = timed(partial(by_porank, G, layering="ranks"))
    balanced = by_porank(G, layering="balanced")
    found = {
        "porank": ranks.straight().crossings(),
        "networkx": by_networkx(G).crossings(),
        "porank, balanced": balanced.crossings(),
        "over items": balanced.over_items(),
        "porank, s": seconds,
    }
    if find_spec("igraph"):
        found["igraph"] = by_igraph(G).crossings()
    if shutil.which("dot"):
        dot, found["dot, s"] = timed(partial(by_graphviz, G))
        found["dot"] = dot.crossings()
        found["dot, over items"] = dot.over_items()
        found["straight, over items"] = balanced.straight().over_items()
        found["dot straight, over items"] = dot.straight().over_items()
    return found


CROSSINGS = {
    "porank": "straight: porank",
    "networkx": "networkx",
    "igraph": "igraph",
    "porank, balanced": "as drawn: porank",
    "dot": "dot",
}
REST = {
    "over items": "over items, as drawn: porank",
    "dot, over items": "dot",
    "straight, over items": "over items, straight: porank",
    "dot straight, over items": "dot",
    "porank, s": "porank, s",
    "dot, s": "dot, s",
}


def comparison(sizes: Sequence[int]) -> tuple[Table, Table]:
    """Return the means over the seeds, a row for each kind and size: crossings, and the rest."""
    rows: list[tuple[Any, ...]] = []
    for n in sizes:
        for number, (name, _) in enumerate(families(n, 0)):
            diagrams = [list(families(n, seed))[number][1] for seed in SEEDS]
            found = [measured(G) for G in diagrams]
            edges = float(np.mean([G.number_of_edges() for G in diagrams]))
            means = [
                float(np.mean([one[key] for one in found])) if key in found[0] else None
                for key in (CROSSINGS | REST)
            ]
            rows.append((name, n, f"{edges:.0f}", *map(_rounded, means)))
            print(*rows[-1], sep=" | ", flush=True, file=sys.stderr)
    what, middle = ("diagrams", "n", "edges"), 3 + len(CROSSINGS)
    return (
        Table((*what, *CROSSINGS.values()), tuple(row[:middle] for row in rows)),
        Table((*what, *REST.values()), tuple(row[:3] + row[middle:] for row in rows)),
    )


def _rounded(mean: float | None) -> str:
    return "" if mean is None else f"{mean:.3g}" if mean < 100 else f"{mean:,.0f}"


def growing(sizes: Sequence[int]) -> Table:
    """Return the seconds that larger diagrams take."""
    rows = [
        (name, n, G.number_of_edges(), *(f"{seconds:.2g}" for seconds in _seconds(G)))
        for n in sizes
        for name, G in families(n, 0)
    ]
    return Table(("diagrams", "n", "edges", '"ranks", s', '"balanced", s'), tuple(rows))


def _seconds(G: nx.DiGraph) -> list[float]:
    return [
        min(timed(partial(by_porank, nx.DiGraph(G), layering=layering))[1] for _ in range(3))
        for layering in ("ranks", "balanced")
    ]


def main() -> None:
    """Run everything and print the tables."""
    small = wants_small(__doc__, "up to 100 items only")
    show(machine("networkx", "numpy", *(["igraph"] if find_spec("igraph") else [])))
    if shutil.which("dot"):
        show(subprocess.run(["dot", "-V"], capture_output=True, text=True, check=True).stderr)
    else:
        show("dot is not installed: its columns are left out")
    tables = (
        *comparison([20, 30] if small else [20, 30, 40, 60, 100, 200]),
        growing([30, 100] if small else [100, 200, 500, 1000]),
    )
    show(*tables)


if __name__ == "__main__":
    main()
