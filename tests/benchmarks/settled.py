"""What a log settles, tried by simulation: how many pairs are found, and how many are false.

Run ``python -m tests.benchmarks.settled`` for the table, with ``--small`` for a quick look. Logs of
equal items show what chance alone makes of a log; the others have known strengths. Any pair of
equal items that is stated is false. In a second table lists are not shuffled: a policy puts some of
the equal items higher, and what stands high is looked at. A third table looks
at two systems after each of 400 battles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np

import porank as po
from porank.abstention.settled import log_e_values, sign_p_values
from porank.clicks.arrangements import Arrangements
from porank.clicks.evidence_table import EvidenceTable
from porank.core.tables import Table
from tests.benchmarks.side_by_side import run

Pairs = set[tuple[int, int]]


def closed(order: nx.DiGraph) -> Pairs:
    """Return the pairs that an order states."""
    return set(po.transitive_closure(order).edges)


def share(table: EvidenceTable, **options: Any) -> Pairs:
    """Return the order of the shares at a threshold."""
    return closed(po.predict_order(po.feedback_relation(table.to_graph()), **options))


def all_samples(log: po.ClickLog) -> Pairs:
    """Return the pairs on which 200 samples of the sessions agree."""
    P = po.bootstrap_feedback(log, samples=200)
    return closed(po.predict_order(P, alpha="consensus", impossible="drop"))


def each_alone(table: EvidenceTable) -> Pairs:
    """Return the pairs that are significant by themselves, as if no other had been tested."""
    tests = ({(u, v): for_u, (v, u): for_v} for u, v, for_u, for_v, *_ in table)
    return {pair for counts in tests for pair in po.settled_order(counts).edges}


#: What states pairs, of a log and its evidence; what contradicts stronger pairs is dropped.
RULES: dict[str, Callable[[po.ClickLog, EvidenceTable], Pairs]] = {
    "share, minimal threshold": lambda _, table: share(table),
    "share at .6": lambda _, table: share(table, alpha=0.6, impossible="drop"),
    "share at .75": lambda _, table: share(table, alpha=0.75, impossible="drop"),
    "200 samples of sessions agree": lambda log, _: all_samples(log),
    "each pair at .05": lambda _, table: each_alone(table),
    "settled_order, error='rate'": lambda _, table: closed(po.settled_order(table, error="rate")),
    "settled_order": lambda _, table: closed(po.settled_order(table)),
}


def rows_of(
    name: str, strengths: dict[int, float], sessions: int, logs: int
) -> Iterator[tuple[Any, ...]]:
    """Yield a row for each rule: true pairs found, false pairs, and logs with any."""
    true = {(u, v) for u in strengths for v in strengths if strengths[u] > strengths[v]}
    made = [po.ClickLog(po.simulate_log(strengths, sessions, seed=k)) for k in range(logs)]
    both = [(log, po.evidence_table(log)) for log in made]
    for rule, states in RULES.items():
        stated = [states(*each) for each in both]
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


def rows_by_place(logs: int) -> Iterator[tuple[Any, ...]]:
    """Yield for each log and rule in how many logs of equal items any pair is settled."""
    for n, sessions, step in [(2, 200, 2.2), (5, 1000, 0.55), (8, 2000, 0.3), (8, 10_000, 1.0)]:
        above = 1 / (1 + np.exp(-(n - 1) * step))
        what = f"{n} items, {sessions:,} sessions, 1st above last in {above:.1%}"
        for rule in ("levels", "click_over_skip_above"):
            some = (placed_log(n, sessions, step, seed) for seed in range(logs))
            tables = [po.evidence_table(log, rule=rule, balance="place") for log in some]
            ways = [
                [po.settled_order(table) for table in tables],
                [po.settled_order(without_positions(table), balance="place") for table in tables],
                [po.settled_order(table, balance="place") for table in tables],
            ]
            any_false = (sum(map(bool, (G.edges for G in way))) / logs for way in ways)
            yield what, rule, *(f"{share:.1%}" for share in any_false)


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


def parts(*, small: bool) -> Iterator[Table]:
    """Yield the tables."""
    columns = ("log", "rule", "logs", "true pairs found", "false pairs a log", "logs with any")
    yield Table(columns, [row for each in settings(small=small) for row in rows_of(*each)])
    by_place = ("lists sorted by a policy", "rule", "balance: none", "who was above", "place")
    yield Table(by_place, list(rows_by_place(40 if small else 500)))
    looks = (
        "share won",
        "logs",
        "z, each look",
        "anytime=True, each look",
        "sign test, at the end",
    )
    yield Table(looks, list(rows_of_looks(100 if small else 2000)))


if __name__ == "__main__":
    run(__doc__, parts, "networkx", "numpy")
