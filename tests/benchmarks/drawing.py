"""Hasse diagrams against networkx, igraph and graphviz, and pages to explore.

Run ``python -m tests.benchmarks.drawing layouts`` for crossings and time, which needs the extra
``bench`` and the program ``dot``, and ``pages`` for how long a page takes to write, to open and to
move, and how many more lines cross on it than in a layout; with ``--small`` for a quick look.
"""

import io
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import igraph
import networkx as nx
import numpy as np
from numpy.typing import NDArray

from porank.abstention.preference_relation import PreferenceRelation
from porank.core.tables import Table
from porank.drawing.layout.hasse_layout import hasse_layout
from porank.drawing.page.page import write_page
from porank.drawing.page.scenes import page_data
from porank.generators.random_orders import random_order
from porank.orders.closure import transitive_reduction
from porank.orders.ranks import set_ranks
from tests.benchmarks.side_by_side import run, timed

Edge = tuple[Any, Any]

SEEDS = range(5)
#: Of each piece of a spline of graphviz so many straight lines are made.
_STEPS = 8


class Picture(NamedTuple):
    """Where the items stand, neighbours on a level being 1 apart, and how the edges run."""

    places: Mapping[Any, Sequence[float]]
    lines: Mapping[Edge, NDArray[np.float64]]

    def straight(self) -> "Picture":
        """Return the picture with a straight line for each edge."""
        ends = {edge: np.array([self.places[item] for item in edge]) for edge in self.lines}
        return Picture(self.places, ends)

    def crossings(self) -> int:
        """Return how often two lines cross."""
        lines = [np.asarray(line, dtype=float) for line in self.lines.values()]
        owner = np.repeat(np.arange(len(lines)), [len(line) - 1 for line in lines])
        begins = np.concatenate([line[:-1] for line in lines])
        ends = np.concatenate([line[1:] for line in lines])
        ways, crossings = ends - begins, 0
        for i, (begin, end, way) in enumerate(zip(begins, ends, ways, strict=True)):
            one_side = _turn(way, begins[i:] - begin) * _turn(way, ends[i:] - begin)
            other_side = _turn(ways[i:], begin - begins[i:]) * _turn(ways[i:], end - begins[i:])
            # A common end is no crossing.
            is_crossed = (one_side < -1e-9) & (other_side < -1e-9) & (owner[i:] != owner[i])
            crossings += int(np.count_nonzero(is_crossed))
        return crossings


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


def by_porank(G: nx.DiGraph, *, junctions: bool | str) -> Picture:
    """Return our picture."""
    layout = hasse_layout(G, junctions=junctions)
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


def measured(G: nx.DiGraph) -> tuple[float, ...]:
    """Return all numbers for one diagram."""
    plain = by_porank(G, junctions=False)
    ours, seconds = timed(partial(by_porank, G, junctions="auto"), rounds=1)
    dot = by_graphviz(G)
    straight = plain.straight(), by_networkx(G), by_igraph(G)
    crossings = [picture.crossings() for picture in (*straight, ours, dot)]
    return (G.number_of_edges(), *crossings, seconds)


OURS = ("straight: porank", "networkx", "igraph", "as drawn: porank", "dot")
COLUMNS = ("diagrams", "n", "edges", *OURS, "porank, s")


def comparison(sizes: Sequence[int]) -> Table:
    """Return the means over the seeds, a row for each kind and size."""
    rows: list[tuple[Any, ...]] = []
    for n in sizes:
        for kind in zip(*(families(n, seed) for seed in SEEDS), strict=True):
            means = np.mean([measured(G) for _, G in kind], axis=0)
            rows.append((kind[0][0], n, *(f"{mean:.3g}" for mean in means)))
    return Table(COLUMNS, rows)


def layouts(*, small: bool) -> Iterator[Table | str]:
    """Yield the version of dot, and the table."""
    yield subprocess.run(["dot", "-V"], capture_output=True, text=True, check=True).stderr
    yield comparison([20, 30] if small else [20, 30, 40, 60, 100, 200])


#: How far the two scores of an item are from its true one.
_NOISE = 0.15


def relation(n: int, n_thresholds: int) -> PreferenceRelation:
    """Return degrees of preference, another order at each of so many thresholds.

    The lead of an item in both of two scores, in steps of 1 / n.
    """
    rng = np.random.default_rng(0)
    scores = np.arange(n) / n + rng.normal(0, _NOISE, (2, n))
    lead = np.min(scores[:, :, None] - scores[:, None, :], axis=0)
    steps = np.clip(np.ceil(lead * n), 0, n_thresholds)
    return PreferenceRelation.from_degrees(steps / n_thresholds, reciprocal=False)


def written(sizes: Sequence[int], thresholds: Sequence[int]) -> Table:
    """Return what pages are like, and the seconds of processor time that they take."""
    rows = []
    for n, k in product(sizes, thresholds):
        P = relation(n, k)

        def write(P: PreferenceRelation = P) -> str:
            write_page(P, file := io.StringIO())
            return file.getvalue()

        text, seconds = timed(write, rounds=1)  # layouts are kept
        lines = [len(scene["lines"]) // 2 for scene in page_data(P)["scenes"]]
        size = len(text.encode()) / 1000
        rows.append((n, k, len(lines), max(lines), f"{seconds:.2g}", f"{size:,.0f}"))
    columns = ("items", "thresholds", "orders shown", "lines, at most", "seconds", "kilobytes")
    return Table(columns, tuple(rows))


#: What a reader does for two seconds, as a script: drags or turns the wheel, once a frame.
_MOVES = """
const [kind, done] = arguments, svg = document.getElementById("diagram");
const box = svg.getBoundingClientRect(), [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
const send = (kind, type, dx, more) => svg.dispatchEvent(new kind(type,
  { bubbles: true, cancelable: true, pointerId: 1, clientX: x + dx, clientY: y, ...more }));
let frames = 0, began = null;
svg.parentElement.setPointerCapture = () => {};
if (kind === "drag") send(PointerEvent, "pointerdown", 0);
const step = (now) => {
  began ??= now;
  const phase = Math.sin((now - began) / 300);
  if (kind === "drag") send(PointerEvent, "pointermove", 200 * phase);
  else send(WheelEvent, "wheel", 0, { deltaY: 40 * phase });
  frames++;
  if (now - began < 2000) return requestAnimationFrame(step);
  if (kind === "drag") send(PointerEvent, "pointerup", 0);
  done(frames / (now - began) * 1000);
};
requestAnimationFrame(step);
"""


def in_browser(sizes: Sequence[int]) -> Table:
    """Return how long pages take to open in a headless Chromium, and frames a second of moves.

    The orders are random ones of dimension 2; while they move one item is selected.
    """
    from selenium import webdriver
    from selenium.webdriver import Keys

    options = webdriver.ChromeOptions()
    for argument in ("headless=new", "no-sandbox", "disable-dev-shm-usage"):
        options.add_argument(f"--{argument}")
    service = webdriver.ChromeService(executable_path=shutil.which("chromedriver"))
    rows = []
    with webdriver.Chrome(options=options, service=service) as browser, TemporaryDirectory() as at:
        for n in sizes:
            order, path = random_order(n, dimension=2, seed=0), Path(at) / "page.html"
            write_page(order, path)
            opening = partial(browser.get, path.as_uri())
            _, opened = timed(opening, clock=time.perf_counter)
            browser.find_element("id", "diagram").send_keys(Keys.HOME, Keys.ENTER)
            moved = [browser.execute_async_script(_MOVES, kind) for kind in ("drag", "wheel")]
            lines, size = order.number_of_edges(), path.stat().st_size / 1000
            frames = [f"{rate:.0f}" for rate in moved]
            rows.append((n, f"{lines:,}", f"{size:,.0f}", f"{opened:.2f}", *frames))
    frames_of = ("dragged, frames", "zoomed, frames")
    return Table(("items", "lines", "kilobytes", "opens in seconds", *frames_of), tuple(rows))


def pages(*, small: bool) -> Iterator[Table]:
    """Yield the tables."""
    yield written([25, 50] if small else [50, 100, 200, 1000], [1, 15])
    yield in_browser([12, 150] if small else [12, 150, 600, 3000])


if __name__ == "__main__":
    run(__doc__, "networkx numpy igraph", layouts, pages)
