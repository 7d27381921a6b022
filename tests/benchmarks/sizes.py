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


def sparse(n: int) -> nx.DiGraph:
    """Return two edges an item."""
    return graph(n, 2)


def graphs(n: int) -> tuple[nx.DiGraph, nx.DiGraph]:
    """Return two orders of the same items as graphs."""
    return graph(n), graph(n, 4)


def plane(n: int) -> nx.DiGraph:
    """Return a random order of dimension 2."""
    return po.random_order(n, dimension=2, seed=1)


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


def two(n: int) -> Any:
    """Return two rankings of the same items as scores."""
    return scores(n, 2)


def votes(n: int) -> list[Any]:
    """Return the scores of n items by twenty voters who agree somewhat."""
    return list(np.linspace(0, 2, n) + np.random.default_rng(0).normal(size=(20, n)))


def shares(n: int) -> po.PreferenceRelation:
    """Return the preference relation of twenty voters over n items."""
    return po.preference_relation(votes(n))


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
    file = BytesIO()
    po.write_pairs(graph(n), file)
    return BytesIO(file.getvalue())


def spread(function: Callable[..., Any], *first: Any) -> Callable[[Any], Any]:
    """Return a call of two orders that takes them as one."""
    return lambda both: function(*first, *both)


ITEMS, FIVE, TWO = "items", "items, 5 edges each", "items, 2 edges each"
VOTERS, EVENTS = "items, 20 voters", "events of 1,000 items"
GRAPHS = f"{FIVE}, two graphs"
#: What is called, of what, how that is made for n items, and the call.
FAMILIES: list[tuple[str, str, Callable[[int], Any], Callable[[Any], Any]]] = [
    ("from_ranking", ITEMS, range, po.from_ranking),
    ("from_scores", ITEMS, scores, po.from_scores),
    ("parse", ITEMS, lambda n: " > ".join(map(str, range(n))), po.parse),
    ("levels", FIVE, graph, po.levels),
    ("break_cycles", f"{FIVE}, no cycle", graph, po.break_cycles),
    (
        "why",
        "items, every pair stated",
        a_weighed_ranking,
        lambda G: po.why(G, 0, len(G) - 1),
    ),
    ("cyclicity", "items, n / 20 comparisons each", a_noisy_ranking, po.cyclicity),
    ("transitive_reduction", FIVE, graph, po.transitive_reduction),
    ("transitive_closure", FIVE, graph, po.transitive_closure),
    ("width", FIVE, graph, po.width),
    ("describe", FIVE, graph, po.describe),
    ("order_type", FIVE, graph, po.order_type),
    ("find_realizer", "items, dimension 2", plane, po.find_realizer),
    ("intersection", GRAPHS, graphs, spread(po.intersection)),
    ("count_linear_extensions", TWO, sparse, po.count_linear_extensions),
    ("kendall_tau", "scores", two, spread(po.kendall_tau)),
    ("compare", "scores", two, spread(po.compare)),
    ("gamma", GRAPHS, graphs, spread(po.gamma)),
    ("generalized_kendall", GRAPHS, graphs, spread(po.generalized_kendall)),
    (
        "bootstrap_interval",
        "scores, 1,000 samples of tau",
        two,
        spread(po.bootstrap_interval, "kendall_tau"),
    ),
    (
        "permutation_test",
        "scores, 9,999 samples of tau",
        two,
        spread(po.permutation_test, "kendall_tau"),
    ),
    ("preference_pairs", "events", click_log, po.preference_pairs),
    ("bootstrap_feedback", EVENTS, click_log, po.bootstrap_feedback),
    ("validate_feedback", EVENTS, click_log, po.validate_feedback),
    ("compare_segments", EVENTS, click_log, lambda log: po.compare_segments(log, "device")),
    ("explore", f"{EVENTS}, without its page", click_log, po.explore),
    ("preference_relation", VOTERS, votes, po.preference_relation),
    ("predict_order", VOTERS, votes, lambda rows: po.predict_order(po.preference_relation(rows))),
    ("abstention_curve", VOTERS, shares, po.abstention_curve),
    ("borda", VOTERS, votes, po.borda),
    ("copeland", VOTERS, votes, po.copeland),
    ("local_search", VOTERS, votes, po.local_search),
    ("footrule_optimal", VOTERS, votes, po.footrule_optimal),
    ("kemeny", VOTERS, votes, po.kemeny),
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
    ("concept_lattice", "objects, 10 attributes", context, po.concept_lattice),
    ("read_pairs", FIVE, pairs_file, po.read_pairs),
    ("write_pairs", FIVE, graph, lambda G: po.write_pairs(G, BytesIO())),
    ("hasse_layout", TWO, sparse, po.hasse_layout),
    (
        "draw_comparison",
        FIVE,
        graphs,
        lambda both: po.draw_comparison(*both).figure.clear(),
    ),
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


def largest(make: Callable[[int], Any], call: Callable[[Any], Any]) -> int:
    """Return the largest size that takes two seconds at most."""
    within = 0
    for n in SIZES:
        if seconds_of(partial(call, make(n))) > PATIENCE:
            break
        within = n
    return within


def main() -> None:
    """Print the rows asked for as Markdown."""
    signal.signal(signal.SIGPROF, too_long)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    print("| call | in two seconds |")
    print("| --- | --- |")
    for name, of, make, call in FAMILIES:
        if not sys.argv[1:] or any(word in name for word in sys.argv[1:]):
            within = largest(make, call)
            print(
                f"| `{name}` | {within:,}{' and more' * (within == SIZES[-1])} {of} |", flush=True
            )


if __name__ == "__main__":
    main()
