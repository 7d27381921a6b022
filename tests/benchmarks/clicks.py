"""What click logs tell of tastes that are known, since the logs are simulated.

Run ``python -m tests.benchmarks.clicks`` for all tables, with names for some, ``--small`` for a
quick look. ``settled``: how many pairs a log settles, and how many of these are false, as any pair
of equal items is. ``looks``: the same of two systems, looked at after each of 400 battles.
``places``: orders by counts, balanced by place, and weighted, against the true order and a second
log. ``propensities``: how far off they are, and whether their intervals hold them; where trust is
simulated, the test of trust should find it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import networkx as nx
import numpy as np
from porank.clicks.arrangements import Arrangements

import porank as po
from porank.abstention.settled import log_e_values, sign_p_values
from porank.clicks.evidence_table import EvidenceTable
from porank.core.tables import Table
from tests.benchmarks.side_by_side import run

RULES = ("levels", "click_over_skip_above")
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
STATING: dict[str, Callable[[po.ClickLog, EvidenceTable], Pairs]] = {
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
    for rule, states in STATING.items():
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
        for rule in RULES:
            some = (placed_log(n, sessions, step, seed) for seed in range(logs))
            tables = [po.evidence_table(log, rule=rule, balance="place") for log in some]
            ways = [
                [po.settled_order(table) for table in tables],
                [po.settled_order(without_positions(table), balance="place") for table in tables],
                [po.settled_order(table, balance="place") for table in tables],
            ]
            any_false = (sum(map(bool, (G.edges for G in way))) / logs for way in ways)
            yield what, rule, *(f"{share:.1%}" for share in any_false)


def settled(*, small: bool) -> Iterator[Table]:
    """Yield what each rule finds, and what policies make of lists of equal items."""
    columns = ("log", "rule", "logs", "true pairs found", "false pairs a log", "logs with any")
    yield Table(columns, [row for each in settings(small=small) for row in rows_of(*each)])
    by_place = ("lists sorted by a policy", "rule", "balance: none", "who was above", "place")
    yield Table(by_place, list(rows_by_place(40 if small else 500)))


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


LOGS = 20
ITEMS = range(8)
TASTE = {item: 1.25**-item for item in ITEMS}
TRUTH = po.from_scores(TASTE)
#: An order that has nothing to do with taste: gamma 0.
SPONSORED = {item: 1.6**-place for place, item in enumerate([4, 1, 6, 3, 0, 7, 2, 5])}
POLICIES: dict[str, dict[str, Any]] = {
    "shuffled, people look far down": {"examination": lambda k: k**-0.5},
    "shuffled, few look far down": {},
    "the better ones mostly on top": {"shown": {item: v**2 for item, v in TASTE.items()}},
    "sponsored ones mostly on top": {"shown": SPONSORED},
    "the worse ones mostly on top, trusted": {
        "shown": {item: 1 / v**2 for item, v in TASTE.items()},
        "trust": lambda k: 0.3 / k,
    },
}


def weighted(log: po.ClickLog, rule: str) -> Any:
    """Return the relation of a log that is weighted by the propensities found in it."""
    propensity = po.estimate_propensity(log)
    weighed = po.ClickLog(log.source, propensity=propensity)
    return po.feedback_relation(po.from_log(weighed, rule=rule))


METHODS: dict[str, Callable[[po.ClickLog, str], Any]] = {
    "counts": lambda log, rule: po.feedback_relation(log, rule=rule),
    "balanced": lambda log, rule: po.feedback_relation(log, rule=rule, balance="place"),
    "weighted": weighted,
}

#: Gamma by each method, agreement with the balanced second log, and pairs settled falsely.
COLUMNS = [*METHODS, *(f"{what}, {by}" for what in ("unseen", "false") for by in [*METHODS][:2])]


def order_of(relation: Any) -> nx.DiGraph:
    """Return the order of the majorities; pairs that contradict clearer ones are dropped."""
    return po.predict_order(relation, alpha="majority", impossible="drop")


def agreement(order: nx.DiGraph, unseen: Any) -> float:
    """Return the share of balanced statements that agree with an order minus that of the others."""
    stated = [unseen.evidence(u, v) for u, v in po.transitive_closure(order).edges]
    right, wrong = (sum(map(float, side)) for side in zip(*stated, strict=True))
    return (right - wrong) / (right + wrong)


def measured(policy: str, rule: str, sessions: int, seed: int) -> dict[str, float]:
    """Return what is measured on a log, with a second one of the same policy."""
    options = {"purchase": 0, "outside": 2} | POLICIES[policy]
    log, later = (
        po.ClickLog(po.simulate_log(TASTE, sessions, seed=k, **options))
        for k in (seed, LOGS + seed)
    )
    orders = {
        name: order_of(relation_of(log, rule))
        for name, relation_of in METHODS.items()
        # Weights add to the lower clicks, and skip above counts these alone.
        if name != "weighted" or rule == "levels"
    }
    unseen = METHODS["balanced"](later, rule)
    found = {name: po.gamma(TRUTH, order) for name, order in orders.items()}
    found |= {f"unseen, {name}": agreement(order, unseen) for name, order in orders.items()}
    for name, balance in (("counts", "none"), ("balanced", "place")):
        settled = po.settled_order(log, rule=rule, balance=balance)
        found[f"false, {name}"] = po.pair_table(TRUTH, settled).discordant
    return found


def mean_of(values: list[float]) -> str:
    """Return a mean with its standard error, nothing of no values."""
    if not values:
        return ""
    error = np.std(values, ddof=1) / len(values) ** 0.5
    return f"{np.mean(values):.2f} ({error:.2f})"


def places(*, small: bool) -> Iterator[Table]:
    """Yield the table, a row for each policy and rule."""
    sessions, rows = 1_000 if small else 20_000, []
    for policy, rule in product(POLICIES, RULES):
        found = [measured(policy, rule, sessions, seed) for seed in range(LOGS)]
        means = (mean_of([one[name] for one in found if name in one]) for name in COLUMNS)
        rows.append((policy, rule.replace("_", " "), *means))
    yield Table(("lists", "rule", *COLUMNS), rows)


#: Lists of ten are sorted by taste and chance, so that click rates mix taste with place.
LOOKS = np.array([1, 0.72, 0.59, 0.49, 0.37, 0.32, 0.3, 0.24, 0.25, 0.24])
PLACES = np.arange(LOOKS.size)
ESTIMATED = (
    "log",
    "error of click rates",
    "error of propensities",
    "intervals hold",
    "pairs differ",
    "trust is found",
)


@dataclass(frozen=True)
class Setting:
    """How logs come about: `follows` says how much lists follow taste, or go against it.

    In half of the sessions clicks are as likely as `eager` says, relative to the other half. What
    is looked at and not liked is clicked with probability `trust` / k at position k.
    """

    name: str
    sessions: int = 2000
    items: int = 15
    queries: int = 1
    follows: float = 1.0
    eager: float = 1.0
    trust: float = 0.0

    def log(self, rng: np.random.Generator) -> dict[str, Any]:
        """Return a log drawn by chance."""
        taste = 0.9 * rng.beta(1.5, 4, size=(self.queries, self.items))
        query = rng.integers(self.queries, size=self.sessions)
        noise = rng.gumbel(size=(self.sessions, self.items))
        lists = np.argsort(-self.follows * np.log(taste[query]) - noise)[:, : LOOKS.size]
        liked = taste[query[:, None], lists]
        liked += (1 - liked) * self.trust / (1 + PLACES)
        eager = np.where(np.arange(self.sessions) % 2, 1.0, self.eager)
        clicked = rng.random(lists.shape) < LOOKS * liked * eager[:, None]
        return {
            "session": np.repeat(np.arange(self.sessions), LOOKS.size),
            "query": np.repeat(query, LOOKS.size),
            "item": lists.ravel(),
            "position": np.tile(1 + PLACES, self.sessions),
            "event": np.where(clicked, "click", "view").ravel(),
        }


SETTINGS = (
    Setting("lists follow taste a little"),
    Setting("the same, 300 sessions", sessions=300),
    Setting("the same, 10,000 sessions", sessions=10_000),
    Setting("lists follow taste closely", follows=3),
    Setting("lists go against taste closely", follows=-3),
    Setting("the same, 10,000 sessions", sessions=10_000, follows=-3),
    Setting("200 queries, 5,000 sessions", sessions=5000, queries=200),
    Setting("800 queries, 3,000 sessions", sessions=3000, queries=800),
    Setting("half of the sessions click a third as often", eager=1 / 3),
    Setting("trust bias of .05", trust=0.05),
    Setting("trust bias of .15", trust=0.15),
)


def row_of(setting: Setting, logs: int) -> tuple[Any, ...]:
    """Return what estimates of some logs come to: errors, intervals that hold, tests that find."""
    rng = np.random.default_rng(1)
    found = [po.estimate_propensity(setting.log(rng)) for _ in range(logs)]
    whole = [one for one in found if not one.left_out]
    rates = [one["clicks"] / one["clicks"][0] for one in whole]
    held = [(one["lower"] <= LOOKS) & (one["upper"] >= LOOKS) for one in whole]
    return (
        setting.name,
        f"{np.median([np.abs(rate - LOOKS).max() for rate in rates]):.2f}",
        f"{np.median([np.abs(one['propensity'] - LOOKS).max() for one in whole]):.2f}",
        f"{np.mean(held, axis=0)[1:].min():.0%} to {np.mean(held, axis=0)[1:].max():.0%}",
        f"{np.mean([one.fit_p_value < 0.05 for one in whole]):.0%}",
        f"{np.mean([one.trust_p_value < 0.05 for one in whole]):.0%}",
    )


def propensities(*, small: bool) -> Iterator[Table]:
    """Yield the table, a row for each setting."""
    yield Table(ESTIMATED, [row_of(setting, 20 if small else 200) for setting in SETTINGS])


if __name__ == "__main__":
    run(__doc__, "networkx numpy", settled, looks, places, propensities)
