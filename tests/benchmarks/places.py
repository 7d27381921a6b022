"""Taste or place: orders by counts, balanced by place, and weighted, held against known tastes.

Run ``python -m tests.benchmarks.places`` for the table of docs/clicks.md, with ``--small`` for logs
of 1,000 sessions. Logs of five logging policies are simulated. Their orders are held against the
true one, and against a second log of the same policy, balanced by place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import networkx as nx
import numpy as np

import porank as po
from porank.core.tables import Table
from tests.benchmarks.side_by_side import run

LOGS = 20
ITEMS = range(8)
TASTE = {item: 1.25**-item for item in ITEMS}
TRUTH = po.from_scores(TASTE)
#: An order that has nothing to do with taste: gamma 0.
SPONSORED = {item: 1.6**-place for place, item in enumerate([4, 1, 6, 3, 0, 7, 2, 5])}
RULES = ("levels", "click_over_skip_above")

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


def parts(*, small: bool) -> Iterator[Table]:
    """Yield the table, a row for each policy and rule."""
    sessions, rows = 1_000 if small else 20_000, []
    for policy, rule in product(POLICIES, RULES):
        found = [measured(policy, rule, sessions, seed) for seed in range(LOGS)]
        means = (mean_of([one[name] for one in found if name in one]) for name in COLUMNS)
        rows.append((policy, rule.replace("_", " "), *means))
    yield Table(("lists", "rule", *COLUMNS), rows)


if __name__ == "__main__":
    run(__doc__, parts, "networkx", "numpy")
