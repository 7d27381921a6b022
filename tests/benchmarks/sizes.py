"""What size each family of functions is for: the second column of the table of ``docs/scale.md``.

Run ``python -m tests.benchmarks.sizes`` for all of it, or with words that stand in the rows wanted.
Each call is tried at 10, 30, 100, ... items until it takes more than two seconds of a processor.
"""

from __future__ import annotations

import resource
import signal
import sys
import time
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

import porank as po

if TYPE_CHECKING:
    from collections.abc import Callable

#: The seconds and the bytes that a call may take.
PATIENCE, MEMORY = 2.0, 8 * 2**30
SIZES = [10**k * first for k in range(1, 7) for first in (1, 3)][:-1]


def graph(n: int, m: int = 5) -> nx.DiGraph:
    """Return m edges an item, down a random ranking."""
    ends = np.sort(np.random.default_rng(n).integers(0, n, (m * n, 2)), axis=1)
    return po.from_pairs(ends[ends[:, 0] < ends[:, 1]].tolist(), items=range(n))


sparse = partial(graph, m=2)
plane = partial(po.random_order, dimension=2, seed=1)


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
    G = nx.empty_graph(n, create_using=nx.DiGraph)
    for u in range(n):
        for v in (np.flatnonzero(rng.random(n - u - 1) < 0.05) + u + 1).tolist():
            support = int(rng.binomial(20, 0.6))
            G.add_edge(u, v, support=support, against=20 - support)
    return G


def scores(n: int, columns: int = 1) -> Any:
    """Return columns of n scores."""
    return np.random.default_rng(n).random((columns, n)).squeeze()


def votes(n: int) -> list[Any]:
    """Return the scores of n items by twenty voters who agree somewhat."""
    return list(np.linspace(0, 2, n) + np.random.default_rng(0).normal(size=(20, n)))


def click_log(n: int) -> dict[str, Any]:
    """Return the columns of a log of n events, ten a session if there are enough."""
    rng = np.random.default_rng(n)
    event = np.where(rng.random(n) < 0.2, "click", "view")
    session, item = np.arange(n) // min(10, n // 4), rng.integers(0, 1000, n)
    return {"session": session, "item": item, "event": event, "device": session % 2}


def table(n: int) -> dict[int, dict[str, float]]:
    """Return three indicators of n items."""
    return {i: dict(zip("abc", row, strict=True)) for i, row in enumerate(scores(n, 3).T.tolist())}


def context(n: int) -> dict[int, set[Any]]:
    """Return n objects that have each of ten attributes by two to three chances."""
    return {i: set(np.flatnonzero(row)) for i, row in enumerate(scores(n, 10).T < 0.4)}


def pairs_file(n: int) -> BytesIO:
    """Return a file of pairs, five an item."""
    po.write_pairs(graph(n), file := BytesIO())
    return BytesIO(file.getvalue())


ITEMS, FIVE, TWO = "items", "items, 5 edges each", "items, 2 edges each"
VOTERS, EVENTS = "items, 20 voters", "events of 1,000 items"
Call = tuple[str, str, "Callable[[int], Any]", "Callable[[Any], Any]"]


def named(of: str, make: Callable[[int], Any], *names: str) -> list[Call]:
    """Return calls of functions of one argument."""
    return [(name, of, make, getattr(po, name)) for name in names]


def of_two(of: str, names: str, *first: Any) -> list[Call]:
    """Return calls of functions of two orders: scores, or graphs."""
    make = partial(scores, columns=2) if of.startswith("scores") else two_graphs
    return [
        (name, of, make, lambda both, name=name: getattr(po, name)(*first, *both))  # type: ignore[misc]
        for name in names.split()
    ]


def two_graphs(n: int) -> tuple[nx.DiGraph, nx.DiGraph]:
    """Return two orders of the same items as graphs."""
    return graph(n), graph(n, 4)


def relation(rows: Any) -> po.PreferenceRelation:
    """Return the relation of votes."""
    return po.preference_relation(rows)


#: What is called, of what, how that is made for n items, and the call.
FAMILIES: list[Call] = [
    *named(ITEMS, range, "from_ranking"),
    *named(ITEMS, scores, "from_scores"),
    ("parse", ITEMS, lambda n: " > ".join(map(str, range(n))), po.parse),
    *named(FIVE, graph, "levels"),
    *named(f"{FIVE}, no cycle", graph, "break_cycles"),
    ("why", "items, every pair stated", a_weighed_ranking, lambda G: po.why(G, 0, len(G) - 1)),
    *named("items, n / 20 comparisons each", a_noisy_ranking, "cyclicity"),
    *named(FIVE, graph, "transitive_reduction", "transitive_closure"),
    *named(FIVE, graph, "width", "describe", "order_type"),
    *named("items, dimension 2", plane, "find_realizer"),
    *of_two(f"{FIVE}, two graphs", "intersection"),
    *named(TWO, sparse, "count_linear_extensions"),
    *of_two("scores", "kendall_tau compare"),
    *of_two(f"{FIVE}, two graphs", "gamma generalized_kendall"),
    *of_two("scores, 1,000 samples of tau", "bootstrap_interval", "kendall_tau"),
    *of_two("scores, 9,999 samples of tau", "permutation_test", "kendall_tau"),
    *named("events", click_log, "preference_pairs"),
    *named(EVENTS, click_log, "bootstrap_feedback", "validate_feedback"),
    ("compare_segments", EVENTS, click_log, lambda log: po.compare_segments(log, "device")),
    *named(f"{EVENTS}, without its page", click_log, "explore"),
    *named(VOTERS, votes, "preference_relation"),
    ("predict_order", VOTERS, votes, lambda rows: po.predict_order(relation(rows))),
    *named(VOTERS, lambda n: relation(votes(n)), "abstention_curve"),
    *named(VOTERS, votes, "borda", "copeland", "local_search", "footrule_optimal", "kemeny"),
    (
        "from_table",
        "items, 3 indicators",
        table,
        lambda rows: po.from_table(rows, maximize=["a", "b"], minimize=["c"]),
    ),
    ("random_order", "items, dimension 2", int, plane),
    (
        "mallows",
        "rankings of 100 items",
        int,
        lambda n: po.mallows(range(100), n, dispersion=0.5, seed=1),
    ),
    *named("objects, 10 attributes", context, "concept_lattice"),
    *named(FIVE, pairs_file, "read_pairs"),
    ("write_pairs", FIVE, graph, lambda G: po.write_pairs(G, BytesIO())),
    *named(TWO, sparse, "hasse_layout"),
    ("draw_comparison", FIVE, two_graphs, lambda G: po.draw_comparison(*G).figure.clear()),
    ("write_page", TWO, sparse, lambda G: po.write_page(G, BytesIO())),
]


def too_long(*_: object) -> None:
    """End a call for which nobody would wait."""
    raise TimeoutError


def seconds_of(call: Callable[[], Any]) -> float:
    """Return the seconds of a processor that a call takes, infinite where it is ended."""
    signal.setitimer(signal.ITIMER_PROF, 1.2 * PATIENCE)
    start = time.process_time()
    try:
        try:
            call()
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except (TimeoutError, MemoryError, po.PorankError) as error:
        print(f"  {type(error).__name__}: {str(error).partition(chr(10))[0]:.120}", file=sys.stderr)
        return float("inf")
    return time.process_time() - start


def main() -> None:
    """Print the rows asked for as Markdown, each with the largest size that is quick enough."""
    signal.signal(signal.SIGPROF, too_long)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    print("| call | in two seconds |")
    print("| --- | --- |")
    for name, of, make, call in FAMILIES:
        if sys.argv[1:] and not any(word in name for word in sys.argv[1:]):
            continue
        within = 0
        for n in SIZES:
            if seconds_of(partial(call, make(n))) > PATIENCE:
                break
            within = n
        print(f"| `{name}` | {within:,}{' and more' * (within == SIZES[-1])} {of} |", flush=True)


if __name__ == "__main__":
    main()
