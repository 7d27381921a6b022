"""What click logs tell of tastes that are known, since the logs are simulated.

Run ``python -m tests.benchmarks.clicks`` for all tables, with names for some, ``--small`` for a
quick look. ``settled``: how many pairs a log settles, and how many of these are false, as any pair
of equal items is. ``looks``: the same of two systems, looked at after each of 400 battles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
import numpy as np

import porank as po
from porank.abstention.settled import log_e_values, sign_p_values
from porank.core.tables import Table
from tests.benchmarks.side_by_side import run

Pairs = set[tuple[int, int]]


def closed(order: nx.DiGraph) -> Pairs:
    """Return the pairs that an order states."""
    return set(po.transitive_closure(order).edges)


def share(G: nx.DiGraph, **options: Any) -> Pairs:
    """Return the order of the shares at a threshold."""
    return closed(po.predict_order(po.feedback_relation(G), **options))


def each_alone(G: nx.DiGraph) -> Pairs:
    """Return the pairs that are significant by themselves, as if no other had been tested."""
    tests = (
        {(u, v): data["support"], (v, u): data["against"]} for u, v, data in G.edges(data=True)
    )
    return {pair for counts in tests for pair in po.settled_order(counts).edges}


#: What states pairs, of a log and its evidence; what contradicts stronger pairs is dropped.
STATING: dict[str, Callable[[nx.DiGraph], Pairs]] = {
    "share, minimal threshold": share,
    "share at .6": lambda G: share(G, alpha=0.6, impossible="drop"),
    "share at .75": lambda G: share(G, alpha=0.75, impossible="drop"),
    "each pair at .05": each_alone,
    "settled_order": lambda G: closed(po.settled_order(G)),
}


def rows_of(
    name: str, strengths: dict[int, float], sessions: int, logs: int
) -> Iterator[tuple[Any, ...]]:
    """Yield a row for each rule: true pairs found, false pairs, and logs with any."""
    true = {(u, v) for u in strengths for v in strengths if strengths[u] > strengths[v]}
    made = [po.ClickLog(po.simulate_log(strengths, sessions, seed=k)) for k in range(logs)]
    graphs = [po.from_log(log) for log in made]
    for rule, states in STATING.items():
        stated = [states(G) for G in graphs]
        found = sum(len(pairs & true) for pairs in stated) / logs
        false = [len(pairs - true) for pairs in stated]
        yield (
            f"{name}, {sessions:,} sessions",
            rule,
            logs,
            f"{found / len(true):.0%}" if true else "",
            sum(false) / logs,
            f"{sum(map(bool, false)) / logs:.1%}",
        )


def settings(*, small: bool) -> Iterator[tuple[str, dict[int, float], int, int]]:
    """Yield names, strengths, sessions and logs, those of equal items first."""
    many, few = (40, 4) if small else (500, 20)
    for n, sessions in [(5, 100), (8, 200), (8, 2000), (12, 500)]:
        yield f"{n} equal items", dict.fromkeys(range(n), 1.0), sessions, many
    yield "8 items, strengths 1.3^-k", {k: 1.3**-k for k in range(8)}, 2000, few
    yield "12 items, linear strengths", {k: 12.0 - k for k in range(12)}, 2000, few
    yield "two groups of four", {k: 1.0 if k < 4 else 0.4 for k in range(8)}, 2000, few


def settled(*, small: bool) -> Iterator[Table]:
    """Yield what counts by each rule settle."""
    columns = ("log", "rule", "logs", "true pairs found", "false pairs a log", "logs with any")
    yield Table(columns, [row for each in settings(small=small) for row in rows_of(*each)])


def rows_of_looks(logs: int, battles: int = 400) -> Iterator[tuple[Any, ...]]:
    """Yield for each share of wins in how many logs two systems are told apart, by several rules.

    The normal test looks from the tenth battle on, the e-process always, the sign test at the end.
    """
    rng, fought = np.random.default_rng(0), np.arange(1, battles + 1)
    for share in (0.5, 0.55, 0.6, 0.65, 0.7):
        won = (rng.random((logs, battles)) < share).cumsum(axis=1)
        lost = fought - won
        z = np.abs(won - lost)[:, 9:] / np.sqrt(fought[9:]) > 1.959964
        both = (log_e_values(u.ravel(), v.ravel()) for u, v in ((won, lost), (lost, won)))
        watched = np.maximum(*both).reshape(won.shape) >= np.log(2 / 0.05)
        at_end = sign_p_values(won[:, -1], lost[:, -1]) <= 0.05
        found = (z.any(axis=1), watched.any(axis=1), at_end)
        yield f"{share:.0%}", logs, *(f"{each.mean():.1%}" for each in found)


def looks(*, small: bool) -> Iterator[Table]:
    """Yield the table of two systems that are looked at after each of 400 battles."""
    columns = (
        "share won",
        "logs",
        "z, each look",
        "anytime=True, each look",
        "sign test, at the end",
    )
    yield Table(columns, list(rows_of_looks(100 if small else 2000)))


if __name__ == "__main__":
    run(__doc__, "networkx numpy", settled, looks)
