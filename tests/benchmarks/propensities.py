"""Propensities of positions tried by simulation: how far off, and do the intervals hold them.

Run ``python -m tests.benchmarks.propensities`` for the table, with ``--small`` for a quick look.
Lists of ten are sorted by taste and chance, so that items move and click rates mix taste with
place. Where trust is simulated, the model is wrong, and the test of trust should find it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import porank as po
from porank.core.tables import Table
from tests.benchmarks.side_by_side import run

if TYPE_CHECKING:
    from collections.abc import Iterator

LOOKS = np.array([1, 0.72, 0.59, 0.49, 0.37, 0.32, 0.3, 0.24, 0.25, 0.24])
PLACES = np.arange(LOOKS.size)
COLUMNS = (
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


def errors_beside_samples(setting: Setting, samples: int) -> str:
    """Return how the intervals of one log compare with those of samples of its sessions."""
    rng = np.random.default_rng(2)
    log = setting.log(rng)
    rows = {name: column.reshape(setting.sessions, -1) for name, column in log.items()}
    drawn = []
    for _ in range(samples):
        chosen = rng.integers(setting.sessions, size=setting.sessions)
        sample = {name: column[chosen].ravel() for name, column in rows.items()}
        sample["session"] = log["session"]
        drawn.append(np.log(po.estimate_propensity(sample)["propensity"]))
    found = po.estimate_propensity(log)
    wide = np.log(found["upper"] / found["lower"])[1:]
    low, high = np.percentile(drawn, [2.5, 97.5], axis=0)
    ratio = wide / (high - low)[1:]
    return (
        f"On one log of {setting.sessions:,} sessions the logarithms of the intervals are "
        f"{ratio.min():.2f} to {ratio.max():.2f} times as wide as the percentiles of {samples:,} "
        "bootstrap samples of the sessions."
    )


def parts(*, small: bool) -> Iterator[Table | str]:
    """Yield the table, and a remark on samples."""
    logs, samples = (20, 50) if small else (200, 500)
    yield Table(COLUMNS, [row_of(setting, logs) for setting in SETTINGS])
    yield errors_beside_samples(SETTINGS[0], samples)


if __name__ == "__main__":
    run(__doc__, parts)
