"""What a log settles, tried by simulation: how many pairs are found, and how many are false.

Run ``python -m tests.benchmarks.settled`` for the table, with ``--small`` for a quick look. Logs of
equal items show what chance alone makes of a log; the others have known strengths. Any pair of
equal items that is stated is false.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import networkx as nx

import porank as po
from porank.core.tables import Table
from tests.benchmarks.side_by_side import machine, show, wants_small

Pairs = set[tuple[int, int]]


@dataclass(frozen=True)
class Log:
    """A log, and its evidence."""

    log: po.ClickLog
    table: Any


@dataclass(frozen=True)
class Setting:
    """Logs of one kind: the strengths of the items, the sessions of a log, how many logs."""

    name: str
    strengths: Mapping[int, float]
    sessions: int
    logs: int

    def simulated(self) -> list[Log]:
        """Return the logs."""
        seeds = range(self.logs)
        logs = [po.ClickLog(po.simulate_log(self.strengths, self.sessions, seed=k)) for k in seeds]
        return [Log(log, po.evidence_table(log)) for log in logs]

    def true_pairs(self) -> Pairs:
        """Return the pairs of which the first is truly preferred."""
        strength = self.strengths
        return {(u, v) for u in strength for v in strength if strength[u] > strength[v]}


def share(log: Log, alpha: Any) -> Pairs:
    """Return the order of the shares at a threshold; what contradicts stronger pairs is dropped."""
    P = po.feedback_relation(log.table.to_graph())
    return closed(po.predict_order(P, alpha=alpha, impossible="drop"))


def all_samples(log: Log) -> Pairs:
    """Return the pairs on which 200 samples of the sessions agree."""
    P = po.bootstrap_feedback(log.log, samples=200)
    return closed(po.predict_order(P, alpha="consensus", impossible="drop"))


def each_alone(log: Log) -> Pairs:
    """Return the pairs that are significant by themselves, as if no other had been tested."""
    tests = ({(u, v): for_u, (v, u): for_v} for u, v, for_u, for_v, *_ in log.table)
    return {pair for counts in tests for pair in po.settled_order(counts).edges}


def closed(order: nx.DiGraph) -> Pairs:
    """Return the pairs that an order states."""
    return set(po.transitive_closure(order).edges)


RULES: dict[str, Callable[[Log], Pairs]] = {
    "share, minimal threshold": lambda log: closed(
        po.predict_order(po.feedback_relation(log.table.to_graph()))
    ),
    "share at .6": lambda log: share(log, 0.6),
    "share at .75": lambda log: share(log, 0.75),
    "200 samples of sessions agree": all_samples,
    "each pair at .05": each_alone,
    "settled_order, error='rate'": lambda log: closed(po.settled_order(log.table, error="rate")),
    "settled_order": lambda log: closed(po.settled_order(log.table)),
}


def rows_of(setting: Setting) -> list[tuple[Any, ...]]:
    """Return a row for each rule: true pairs found, false pairs, and logs with any."""
    true, logs, rows = setting.true_pairs(), setting.simulated(), []
    for name, rule in RULES.items():
        stated = [rule(log) for log in logs]
        found = sum(len(pairs & true) for pairs in stated) / len(stated)
        false = [len(pairs - true) for pairs in stated]
        share = f"{found / len(true):.0%}" if true else ""
        what = f"{setting.name}, {setting.sessions:,} sessions"
        any_false = sum(map(bool, false)) / len(false)
        rows.append((what, name, len(false), share, sum(false) / len(false), f"{any_false:.1%}"))
    return rows


def settings(*, small: bool) -> list[Setting]:
    """Return the settings, those of equal items first."""
    many, few = (40, 4) if small else (500, 20)
    equal = [(5, 100), (8, 200), (8, 2000), (12, 500)]
    unequal = {
        "8 items, strengths 1.3^-k": {k: 1.3**-k for k in range(8)},
        "12 items, linear strengths": {k: 12.0 - k for k in range(12)},
        "two groups of four": {k: 1.0 if k < 4 else 0.4 for k in range(8)},
    }
    return [
        *(Setting(f"{n} equal items", dict.fromkeys(range(n), 1.0), s, many) for n, s in equal),
        *(Setting(name, strengths, 2000, few) for name, strengths in unequal.items()),
    ]


def main() -> None:
    """Print the table."""
    small = wants_small(__doc__, "40 logs of equal items, and 4 of others")
    columns = ("log", "rule", "logs", "true pairs found", "false pairs a log", "logs with any")
    rows = [row for setting in settings(small=small) for row in rows_of(setting)]
    show(machine("networkx", "numpy"), Table(columns, rows))


if __name__ == "__main__":
    main()
