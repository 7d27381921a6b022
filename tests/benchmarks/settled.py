"""What a log settles, tried by simulation: how many pairs are found, and how many are false.

Run ``python -m tests.benchmarks.settled`` for the table, with ``--small`` for a quick look. Logs of
equal items show what chance alone makes of a log; the others have known strengths. Any pair of
equal items that is stated is false. In a second table lists are not shuffled: a policy puts some of
the equal items higher, and what stands high is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import networkx as nx
import numpy as np

import porank as po
from porank.clicks.arrangements import Arrangements
from porank.clicks.evidence_table import EvidenceTable
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


def placed_log(n: int, sessions: int, step: float, seed: int) -> dict[str, Any]:
    """Return a log of n equal items in lists that a policy sorts by its own scores and chance.

    Item k is put above item k + 1 with probability 1 / (1 + exp(-step)). Position k is looked at
    with probability 1 / k, and 40 % of what is looked at is clicked.
    """
    rng = np.random.default_rng(seed)
    lists = np.argsort(step * np.arange(n) - rng.gumbel(size=(sessions, n)), axis=1)
    position = np.arange(1, n + 1)
    clicked = rng.random(lists.shape) < 0.4 / position
    return {
        "session": np.repeat(np.arange(sessions), n),
        "item": lists.ravel(),
        "position": np.tile(position, sessions),
        "event": np.where(clicked, "click", "view").ravel().astype(object),
    }


def without_positions(table: EvidenceTable) -> EvidenceTable:
    """Return a table of evidence by who stood above alone, at whatever positions."""
    rows, pairs = table.arrangements, len(table)
    assert rows is not None
    sums = (np.bincount(rows.pair, each, pairs).astype(int) for each in rows[1:])
    return replace(table, arrangements=Arrangements(np.arange(pairs), *sums))


def rows_by_place(*, small: bool) -> list[tuple[Any, ...]]:
    """Return for each log and rule in how many logs of equal items any pair is settled."""
    rows, logs = [], 40 if small else 500
    for n, sessions, step in [(2, 200, 2.2), (5, 1000, 0.55), (8, 2000, 0.3), (8, 10_000, 1.0)]:
        for rule in ("levels", "click_over_skip_above"):
            some = (placed_log(n, sessions, step, seed) for seed in range(logs))
            tables = [po.evidence_table(log, rule=rule, balance="place") for log in some]
            ways: dict[str, list[nx.DiGraph]] = {
                "none": [po.settled_order(table) for table in tables],
                "who was above": [
                    po.settled_order(without_positions(table), balance="place") for table in tables
                ],
                "place": [po.settled_order(table, balance="place") for table in tables],
            }
            what = f"{n} items, {sessions:,} sessions, 1st above last in {_share(n, step):.1%}"
            any_false = (sum(map(bool, (G.edges for G in ways[way]))) / logs for way in ways)
            rows.append((what, rule, *(f"{share:.1%}" for share in any_false)))
    return rows


def _share(n: int, step: float) -> float:
    return float(1 / (1 + np.exp(-(n - 1) * step)))


def main() -> None:
    """Print the tables."""
    small = wants_small(__doc__, "40 logs of equal items, and 4 of others")
    columns = ("log", "rule", "logs", "true pairs found", "false pairs a log", "logs with any")
    rows = [row for setting in settings(small=small) for row in rows_of(setting)]
    by_place = ("lists sorted by a policy", "rule", "balance: none", "who was above", "place")
    placed = Table(by_place, rows_by_place(small=small))
    show(machine("networkx", "numpy"), Table(columns, rows), placed)


if __name__ == "__main__":
    main()
