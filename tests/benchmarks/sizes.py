"""What size each family of functions is for: the table of ``docs/scale.md``.

Run ``python -m tests.benchmarks.sizes`` for all of it, or with words that stand in the rows wanted.
Each call is tried at 10, 30, 100, ... items until it takes more than two seconds of a
processor, after which a bar shows.
"""

from __future__ import annotations

import resource
import signal
import sys
import time
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import porank as po
from porank.results import Explanation
from tests.benchmarks.graphs import a_noisy_ranking, a_weighed_ranking

if TYPE_CHECKING:
    from collections.abc import Callable

#: The seconds that a call may take.
PATIENCE = 2.0
#: So many bytes a call may take.
MEMORY = 8 * 2**30
SIZES = [10**k * first for k in range(1, 7) for first in (1, 3)][:-1]


class Family(NamedTuple):
    """A call of the table: what it is given, where it refuses, and what to call instead."""

    names: str
    of: str
    make: Callable[[int], Callable[[], Any]]
    refuses: str
    instead: str


def graph(n: int, m: int = 5) -> Any:
    """Return m edges an item, down a random ranking."""
    rng = np.random.default_rng(n)
    ends = np.sort(rng.integers(0, n, (m * n, 2)), axis=1)
    return po.from_pairs(ends[ends[:, 0] < ends[:, 1]].tolist(), items=range(n))


def scores(n: int, levels: int = 0, seed: int = 0) -> Any:
    """Return the scores of n items, on some levels or all different."""
    rng = np.random.default_rng(seed)
    return rng.integers(0, levels, n) if levels else rng.random(n)


def votes(n: int, seed: int = 0) -> Any:
    """Return the scores of n items by twenty voters who agree somewhat."""
    rng = np.random.default_rng(seed)
    return list(np.linspace(0, 2, n) + rng.normal(size=(20, n)))


def on(make: Callable[[int], Any], call: Callable[[Any], Any]) -> Callable[[int], Any]:
    """Return what makes a call on data of a size."""
    return lambda n: partial(call, make(n))


def two(n: int) -> tuple[Any, Any]:
    """Return two rankings of the same items as scores."""
    return scores(n, seed=1), scores(n, seed=2)


def click_log(n: int) -> dict[str, Any]:
    """Return the columns of a log of n events, ten a session if there are enough."""
    rng = np.random.default_rng(n)
    event = np.where(rng.random(n) < 0.2, "click", "view")
    session, item = np.arange(n) // min(10, n // 4), rng.integers(0, 1000, n)
    return {"session": session, "item": item, "event": event, "device": session % 2}


def predicted(orders: Any) -> Any:
    """Return the order that votes support."""
    return po.predict_order(po.preference_relation(orders))


def page(G: Any) -> None:
    """Write an order as a page that nobody keeps."""
    po.write_page(G, BytesIO())


def pairs_kept(G: Any) -> None:
    """Write the pairs of a graph into a file that nobody keeps."""
    po.write_pairs(G, BytesIO())


def both(orders: tuple[Any, Any]) -> Any:
    """Return what two orders agree on."""
    return po.intersection(*orders)


def drawn(orders: tuple[Any, Any]) -> None:
    """Draw two orders into one diagram."""
    po.draw_comparison(*orders).figure.clear()


def ends(G: Any) -> Explanation:
    """Ask why the first item is preferred to the last."""
    return po.why(G, 0, len(G) - 1)


def graphs(n: int) -> tuple[Any, Any]:
    """Return two orders of the same items as graphs."""
    return graph(n), graph(n, 4)


def plane(n: int) -> Any:
    """Return a random order of dimension 2."""
    return po.random_order(n, dimension=2, seed=1)


def table(n: int) -> Any:
    """Return three indicators of n items."""
    rows = np.random.default_rng(n).random((n, 3)).tolist()
    return {item: dict(zip("abc", row, strict=True)) for item, row in enumerate(rows)}


def pareto(rows: Any) -> Any:
    """Return the order of dominance of a table of three indicators."""
    return po.from_table(rows, maximize=["a", "b"], minimize=["c"])


def context(n: int) -> Any:
    """Return n objects that have each of ten attributes by two to three chances."""
    return {i: set(np.flatnonzero(row)) for i, row in enumerate(graded(n, 10) < 0.4)}


def graded(n: int, k: int) -> Any:
    """Return a matrix of k random numbers for each of n objects."""
    return np.random.default_rng(n).random((n, k))


def pairs_file(n: int) -> Any:
    """Return a file of pairs, five an item, as it is read."""
    file = BytesIO()
    po.write_pairs(graph(n), file)
    return file.getvalue()


def shares(n: int) -> Any:
    """Return the preference relation of twenty voters over n items."""
    return po.preference_relation(votes(n))


EDGES = "10^7 edges to write"
MATRIX = "a matrix above 8 GB"
PAIRS, DASK = "10^8 pairs", "a Dask DataFrame"
FAMILIES = [
    Family("from_ranking", "items", on(range, po.from_ranking), EDGES, "scores, ranks, an array"),
    Family("from_scores", "items", on(scores, po.from_scores), EDGES, "the scores themselves"),
    Family("parse", "items", on(lambda n: " > ".join(map(str, range(n))), po.parse), EDGES, ""),
    Family("levels", "items, 5 edges each", on(graph, po.levels), "", ""),
    Family("break_cycles", "items, 5 edges each, no cycle", on(graph, po.break_cycles), "", ""),
    Family("why", "items, every pair stated", on(a_weighed_ranking, ends), "", ""),
    Family(
        "cyclicity", "items, n / 20 comparisons each", on(a_noisy_ranking, po.cyclicity), "", ""
    ),
    Family(
        "transitive_reduction",
        "items, 5 edges each",
        on(graph, po.transitive_reduction),
        EDGES,
        "levels, set_ranks",
    ),
    Family(
        "transitive_closure",
        "items, 5 edges each",
        on(graph, po.transitive_closure),
        EDGES,
        "`max_edges=`, prefers",
    ),
    Family("width", "items, 5 edges each", on(graph, po.width), "", ""),
    Family(
        "count_linear_extensions",
        "items, 2 edges each",
        on(lambda n: graph(n, 2), po.count_linear_extensions),
        "5,000,000 ideals",
        "estimate_linear_extensions",
    ),
    Family("kendall_tau", "scores", on(two, lambda pair: po.kendall_tau(*pair)), "", ""),
    Family("compare", "scores", on(two, lambda pair: po.compare(*pair)), "", "`measures=`"),
    Family("preference_pairs", "events", on(click_log, po.preference_pairs), PAIRS, DASK),
    Family(
        "bootstrap_feedback",
        "events of 1,000 items",
        on(click_log, po.bootstrap_feedback),
        PAIRS,
        "`samples=`",
    ),
    Family(
        "validate_feedback",
        "events of 1,000 items",
        on(click_log, po.validate_feedback),
        PAIRS,
        "`points=`",
    ),
    Family(
        "compare_segments",
        "events of 1,000 items",
        on(click_log, lambda log: po.compare_segments(log, "device")),
        PAIRS,
        "`samples=`",
    ),
    Family(
        "explore",
        "events of 1,000 items, without its page",
        on(click_log, po.explore),
        PAIRS,
        "`max_items=`",
    ),
    Family("predict_order", "items, 20 voters", on(votes, predicted), MATRIX, ""),
    Family("borda", "items, 20 voters", on(votes, po.borda), "", ""),
    Family("copeland", "items, 20 voters", on(votes, po.copeland), MATRIX, "borda"),
    Family("local_search", "items, 20 voters", on(votes, po.local_search), MATRIX, "borda"),
    Family("footrule_optimal", "items, 20 voters", on(votes, po.footrule_optimal), MATRIX, "borda"),
    Family("kemeny", "items, 20 voters", on(votes, po.kemeny), MATRIX, "`seconds=`, local_search"),
    Family(
        "hasse_layout",
        "items, 2 edges each",
        on(lambda n: graph(n, 2), po.hasse_layout),
        "100,000 covers",
        "restrict, levels",
    ),
    Family(
        "from_table",
        "items, 3 indicators",
        on(table, pareto),
        f"{EDGES}, {MATRIX}",
        "fewer items",
    ),
    Family(
        "random_order", "items, dimension 2", lambda n: partial(plane, n), MATRIX, "a smaller n"
    ),
    Family(
        "mallows",
        "rankings of 100 items",
        lambda n: partial(po.mallows, range(100), n, dispersion=0.5, seed=1),
        EDGES,
        "fewer at a time",
    ),
    Family(
        "concept_lattice",
        "objects, 10 attributes",
        on(context, po.concept_lattice),
        "100,000 concepts",
        "`max_concepts=`, fewer attributes",
    ),
    Family(
        "read_pairs",
        "items, 5 edges each",
        on(pairs_file, lambda text: po.read_pairs(BytesIO(text))),
        "",
        "",
    ),
    Family("write_pairs", "items, 5 edges each", on(graph, pairs_kept), "", ""),
    Family("describe", "items, 5 edges each", on(graph, po.describe), "", ""),
    Family("order_type", "items, 5 edges each", on(graph, po.order_type), "", ""),
    Family("find_realizer", "items, dimension 2", on(plane, po.find_realizer), MATRIX, "restrict"),
    Family("intersection", "items, 5 edges each, two orders", on(graphs, both), EDGES, ""),
    Family(
        "gamma",
        "items, 5 edges each, two graphs",
        on(graphs, lambda pair: po.gamma(*pair)),
        MATRIX,
        "scores, restrict",
    ),
    Family(
        "generalized_kendall",
        "items, 5 edges each, two graphs",
        on(graphs, lambda pair: po.generalized_kendall(*pair)),
        MATRIX,
        "scores, restrict",
    ),
    Family(
        "bootstrap_interval",
        "scores, 1,000 samples of tau",
        on(two, lambda pair: po.bootstrap_interval("kendall_tau", *pair)),
        "",
        "`samples=`",
    ),
    Family(
        "permutation_test",
        "scores, 9,999 samples of tau",
        on(two, lambda pair: po.permutation_test("kendall_tau", *pair)),
        "",
        "`samples=`",
    ),
    Family(
        "preference_relation",
        "items, 20 voters",
        on(votes, po.preference_relation),
        MATRIX,
        "borda",
    ),
    Family("abstention_curve", "items, 20 voters", on(shares, po.abstention_curve), MATRIX, ""),
    Family("draw_comparison", "items, 5 edges each", on(graphs, drawn), "", "draw_pair_matrix"),
    Family("write_page", "items, 2 edges each", on(lambda n: graph(n, 2), page), "5,000 items", ""),
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


def measured(family: Family) -> tuple[str, ...]:
    """Return the row of a family: the largest size that takes two seconds at most."""
    within = 0
    for n in SIZES:
        seconds = seconds_of(family.make(n))
        print(f"{family.names} {n:,}: {seconds:.3g} s", file=sys.stderr)
        if seconds > PATIENCE:
            break
        within = n
    size = f"{within:,}{' and more' * (within == SIZES[-1])} {family.of}"
    return (f"`{family.names}`", size, family.refuses, family.instead)


def main() -> None:
    """Print the rows asked for as Markdown."""
    signal.signal(signal.SIGPROF, too_long)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    chosen = sys.argv[1:]
    print("| call | in two seconds | refuses | instead |")
    print("| --- | --- | --- | --- |")
    for family in FAMILIES:
        if not chosen or any(word in family.names for word in chosen):
            print("| " + " | ".join(measured(family)) + " |", flush=True)


if __name__ == "__main__":
    main()
