"""Rankers that keep a risk: what they hold back, and that new groups lose no more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor

import porank as po


def drawn(groups: int, seed: int = 0) -> tuple[Any, Any, Any]:
    """Five rows for each group, whose grades follow two features and an error."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(5 * groups, 2))
    y = np.round(X @ [1.0, 0.5] + rng.normal(size=5 * groups), 1)
    return X, y, [f"q{k // 5}" for k in range(5 * groups)]


@pytest.mark.slow
def test_new_groups_lose_at_most_the_risk() -> None:
    X, y, groups = drawn(80)
    ranker = po.PartialRanker(LinearRegression(), 8, seed=0, risk=0.2).fit(X, y, groups=groups)
    new_X, new_y, _ = drawn(200, seed=9)
    losses = []
    for k in range(200):
        rows = slice(5 * k, 5 * k + 5)
        table = po.pair_table(new_y[rows], ranker.predict(new_X[rows]))
        losses.append(table.discordant / (table.concordant + table.discordant + table.target_only))
    assert np.mean(losses) < 0.2 + 3 * np.std(losses) / np.sqrt(200)


def test_half_of_the_groups_are_held_back() -> None:
    X, y, groups = drawn(30)
    weights = np.where(np.arange(150) % 7, 1.0, 0.0)
    ranker = po.PartialRanker(LinearRegression(), 4, seed=1, risk=0.3)
    ranker.fit(X, y, weights, groups=groups)
    learned = set(ranker.samples_.ravel().tolist())
    assert ranker.calibration_.groups == 15 >= len({groups[row] for row in learned})
    assert not learned & set(range(0, 150, 7)), "rows without weight are not learned"
    assert ranker.calibration_.mean_loss <= 0.3
    assert ranker.predict(X[:5]).graph["alpha"] >= ranker.calibration_.alpha
    assert -1 <= ranker.score(X[:5], y[:5]) <= 1
    again = clone(ranker).fit(X, y, weights, groups=groups)
    assert again.calibration_ == ranker.calibration_
    ranker.set_params(risk=None).fit(X, y)
    assert not hasattr(ranker, "calibration_")
    few = po.PartialRanker(LinearRegression(), 2, seed=0, risk=0.3).fit(
        X[:20], y[:20], groups=groups[:20]
    )
    assert few.calibration_.groups == 3, "as many as the risk needs, of four"
    (learned_group,) = {row // 5 for row in few.samples_.ravel().tolist()}
    held = [slice(5 * k, 5 * k + 5) for k in range(4) if k != learned_group]
    relations = [few.preferences(X[rows], items=range(5)) for rows in held]
    found = po.calibrate_threshold(relations, [y[rows] for rows in held], risk=0.3)
    assert found.alpha == few.calibration_.alpha
    assert found.mean_loss == pytest.approx(few.calibration_.mean_loss)


def test_no_risk_that_can_be_kept_is_the_empty_order() -> None:
    rng = np.random.default_rng(0)
    X, y, groups = rng.normal(size=(200, 1)), rng.integers(2, size=200), np.repeat(range(40), 5)
    ranker = po.PartialRanker(GaussianNB(), 3, seed=0, risk=0.05).fit(X, y, groups=groups)
    assert ranker.calibration_.alpha is None
    assert ranker.predict(X[:5]).number_of_edges() == 0
    assert np.isnan(ranker.score(X[:5], y[:5]))


def test_label_rankers_hold_back_instances() -> None:
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(120, 1))
    scores = np.hstack([X, 1 - X, np.full_like(X, 0.5)]) + rng.normal(0, 0.15, (120, 3))
    ranks = (-scores).argsort(axis=1).argsort(axis=1) + 1
    nearest = KNeighborsRegressor(3)
    ranker = po.PartialLabelRanker(nearest, 8, risk=0.1, labels="abc", seed=0).fit(X, ranks)
    assert ranker.calibration_.groups == 60 >= len(set(ranker.samples_.ravel().tolist()))
    assert ranker.calibration_.mean_loss <= 0.1
    orders = ranker.predict(X[:3])
    assert [set(order) for order in orders] == [set("abc")] * 3
    assert all(order.graph["alpha"] >= ranker.calibration_.alpha for order in orders)
