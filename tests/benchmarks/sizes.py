"""What size each family of functions is for: the second column of the table of ``docs/scale.md``.

Run ``python -m tests.benchmarks.sizes`` for all of it, or with words that stand in the rows wanted.
Each call is tried at 10, 30, 100, ... items until it takes more than two seconds of a processor.
"""

import resource
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Any, NamedTuple

import networkx as nx
import numpy as np

import porank as po

#: The seconds and the bytes that a call may take.
PATIENCE, MEMORY = 2.0, 8 * 2**30
SIZES = [10**k * first for k in range(1, 7) for first in (1, 3)][:-1]


def graph(n: int, m: int = 5) -> nx.DiGraph:
    """Return m edges an item, down a random ranking."""
    ends = np.sort(np.random.default_rng(n).integers(0, n, (m * n, 2)), axis=1)
    return po.from_pairs(ends[ends[:, 0] < ends[:, 1]].tolist(), items=range(n))


sparse = partial(graph, m=2)
plane = partial(po.random_order, dimension=2, seed=1)


def grid(n: int) -> nx.DiGraph:
    """Return the product of a chain of ten and another one."""
    return po.product(po.chain(10), po.chain(n // 10))


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


def two_graphs(n: int) -> tuple[nx.DiGraph, nx.DiGraph]:
    """Return two orders of the same items as graphs."""
    return graph(n), graph(n, 4)


def relation(n: int) -> po.PreferenceRelation:
    """Return the relation of votes."""
    return po.preference_relation(votes(n))


class Family(NamedTuple):
    """Functions, what they are called with, and how that is made for n items."""

    names: str
    of: str
    make: Callable[[int], Any]
    options: dict[str, Any] | None = None


ITEMS, FIVE, TWO = "items", "items, 5 edges each", "items, 2 edges each"
VOTERS, EVENTS = "items, 20 voters", "events of 1,000 items"
FAMILIES = [
    Family("from_ranking", ITEMS, range),
    Family("from_scores", ITEMS, scores),
    Family("parse", ITEMS, lambda n: " > ".join(map(str, range(n)))),
    Family("levels", FIVE, graph),
    Family("break_cycles", f"{FIVE}, no cycle", graph),
    Family("why", "items, every pair stated", lambda n: (a_weighed_ranking(n), 0, n - 1)),
    Family("cyclicity", "items, n / 20 comparisons each", a_noisy_ranking),
    Family("transitive_reduction transitive_closure width describe order_type", FIVE, graph),
    Family("find_realizer", "items, dimension 2", plane),
    Family("intersection gamma generalized_kendall", f"{FIVE}, two graphs", two_graphs),
    Family("lexicographic", f"{FIVE}, two graphs", two_graphs),
    Family("find_isomorphism", f"{FIVE}, the same twice", lambda n: (graph(n), graph(n))),
    Family("is_lattice is_distributive", "items, ten chains in a grid", grid),
    Family("macneille_completion", "items, dimension 2", plane),
    Family("count_linear_extensions", TWO, sparse),
    Family("kendall_tau compare", "scores", lambda n: (*scores(n, 2),)),
    Family("preference_pairs", "events", click_log),
    Family("validate_feedback", EVENTS, click_log),
    Family("compare_segments", EVENTS, lambda n: (click_log(n), "device")),
    Family("explore", f"{EVENTS}, without its page", click_log),
    Family("preference_relation", VOTERS, votes),
    Family("predict_order abstention_curve", VOTERS, relation),
    Family("borda kemeny", VOTERS, votes),
    *(Family("aggregate", VOTERS, votes, {"method": name}) for name in ("copeland", "footrule")),
    Family("from_table", "items, 3 indicators", table, {"maximize": ["a", "b"], "minimize": ["c"]}),
    Family(
        "maximal_items levels which_indicator",
        "rows of an array, 3 indicators",
        lambda n: scores(n, 3).T,
        {"maximize": [0, 1], "minimize": [2]},
    ),
    Family("random_order", "items, dimension 2", int, {"dimension": 2, "seed": 1}),
    Family(
        "mallows",
        "rankings of 100 items",
        lambda n: (range(100), n),
        {"dispersion": 0.5, "seed": 1},
    ),
    Family("concept_lattice", "objects, 10 attributes", context),
    Family("read_pairs", FIVE, pairs_file),
    Family("write_pairs", FIVE, lambda n: (graph(n), BytesIO())),
    Family("hasse_layout", TWO, sparse),
    Family("draw_comparison", FIVE, two_graphs),
    Family("write_page", TWO, lambda n: (sparse(n), BytesIO())),
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


def largest_within(function: Callable[..., Any], family: Family) -> int:
    """Return the largest size at which a function is quick enough."""
    within = 0
    for n in SIZES:
        given = family.make(n)
        given = given if isinstance(given, tuple) else (given,)
        if seconds_of(partial(function, *given, **(family.options or {}))) > PATIENCE:
            break
        within = n
    return within


def main() -> None:
    """Print the rows asked for as Markdown, each with the largest size that is quick enough."""
    signal.signal(signal.SIGPROF, too_long)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    print("| call | in two seconds |")
    print("| --- | --- |")
    for family in FAMILIES:
        for name in family.names.split():
            if len(sys.argv) == 1 or any(word in name for word in sys.argv[1:]):
                within = largest_within(getattr(po, name), family)
                more = " and more" * (within == SIZES[-1])
                print(f"| `{name}` | {within:,}{more} {family.of} |", flush=True)


if __name__ == "__main__":
    main()
