"""What is claimed of evidence, on logs whose tastes are known, holds as often as claimed."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

from porank.clicks.feedback import feedback_relation, from_log
from porank.clicks.holdout import validate_feedback
from porank.clicks.simulation import simulate_log

pytestmark = pytest.mark.slow


def test_lower_ends_err_as_seldom_as_they_say() -> None:
    """Items equally good are shown at equal places: the limiting share of either is 1/2."""
    found = 0
    for seed in range(100):
        log = simulate_log({"a": 2, "b": 2, "c": 1, "d": 3}, 600, length=4, seed=seed)
        G = from_log(log, rule="click_over_skip_above")
        # Two one-sided errors of 2.5 % are one of 5 %.
        P = feedback_relation(G, degree="lower", level=0.975)
        found += max(P.degree("a", "b"), P.degree("b", "a")) > 0.5
    assert found <= 6


def test_credibilities_are_probabilities() -> None:
    """Of the pairs with a credibility near c, most people prefer the first in a share c."""
    rng, n = np.random.default_rng(0), 4000
    share, sessions = rng.beta(2, 2, size=n), rng.integers(1, 30, size=n)
    G = nx.DiGraph()
    for k, (p, count) in enumerate(zip(share.tolist(), sessions.tolist(), strict=True)):
        support = int(rng.binomial(count, p))
        G.add_edge(0, k + 1, support=support, against=count - support)
    P = feedback_relation(G, degree="credibility", prior=2)
    claimed = np.array([float(P.degree(0, k + 1)) for k in range(n)])
    for low in np.arange(0, 1, 0.1):
        among = (claimed >= low) & (claimed < low + 0.1)
        error = abs(claimed[among].mean() - (share[among] > 0.5).mean())
        assert error < 3 * 0.5 / among.sum() ** 0.5


def test_limits_lie_within_intervals_as_often_as_claimed() -> None:
    """What ever more unseen sessions would say lies within the interval at each threshold."""
    strengths = {n: 1.25**n for n in range(8)}
    seen = simulate_log(strengths, 400, length=5, seed=1)

    def found(sessions: int, seed: int, **options: Any) -> dict[Any, Any]:
        """Return the points of the order of the same sessions, judged on others."""
        unseen = simulate_log(strengths, sessions, length=5, seed=seed)
        log = {name: np.concatenate([seen[name], unseen[name]]) for name in seen}
        is_unseen = np.arange(log["item"].size) >= seen["item"].size
        log["session"] = log["session"] + 1000 * is_unseen
        log["time"] = is_unseen.astype(int)
        curve = validate_feedback(log, split_at=1, **options)["share"]
        return {point.alpha: point for point in curve}

    limits = found(60_000, 99, points=1000, samples=1)
    inside, inside_by_pairs = [], []
    for seed in range(100, 160):
        for alpha, point in found(800, seed, points=5, samples=200).items():
            limit = limits[alpha]
            inside.append(point.low <= limit.correctness <= point.high)
            inside_by_pairs.append(point.pair_low <= limit.pair_correctness <= point.pair_high)
    for hits in (inside, inside_by_pairs):
        # Points of one curve go together: some 60 independent ones.
        assert abs(np.mean(hits) - 0.95) < 3 * (0.95 * 0.05 / 60) ** 0.5
