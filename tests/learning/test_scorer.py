"""The price of abstention as a scorer, and rankers in the cross-validation of scikit-learn."""

import math
import pickle
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import porank as po
from tests.support.learners import bayes, learner, ridge
from tests.support.refusals import refuses

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = X[:, 0] + RNG.normal(size=60)
SCORES = X @ RNG.normal(size=(3, 4)) + RNG.normal(size=(60, 4))
RANKS = 1 + (SCORES[:, None, :] > SCORES[:, :, None]).sum(axis=2)


def of_rows() -> Any:
    return po.PartialRanker(ridge(), n_members=10, alpha=0.9)


def of_labels() -> Any:
    regression = learner("linear_model.LinearRegression")
    return po.PartialLabelRanker(regression, n_members=10, alpha=0.9)


def cost_of(scores: Any, order: Any, cost: float) -> float:
    """The mean cost of the pairs with different scores: wrong 1, open `cost`, right 0."""
    items = [*order]
    costs = [
        cost * (not order.has_edge(i, j) and not order.has_edge(j, i))
        + order.has_edge(*((j, i) if scores[i] > scores[j] else (i, j)))
        for i, j in combinations(items, 2)
        if scores[i] != scores[j]
    ]
    return sum(costs) / len(costs) if costs else math.nan


@pytest.mark.parametrize("cost", [0, 0.25, 0.5, 1])
def test_the_scorer_is_minus_the_mean_cost(cost: float) -> None:
    scorer = pickle.loads(pickle.dumps(po.abstention_scorer(cost)))
    ranker = of_rows().fit(X[:40], Y[:40])
    order = po.transitive_closure(ranker.predict(X[40:]))
    assert scorer(ranker, X[40:], Y[40:]) == pytest.approx(-cost_of(Y[40:], order, cost))
    labels = of_labels().fit(X[:40], RANKS[:40])
    pairs = zip(RANKS[40:], labels.predict(X[40:]), strict=True)
    costs = [cost_of(-ranks, order, cost) for ranks, order in pairs]
    assert scorer(labels, X[40:], RANKS[40:]) == pytest.approx(-np.mean(costs))
    assert math.isnan(scorer(ranker, X[:3], [1, 1, 1]))


def test_pipelines_and_searches_are_scored_by_the_ranker_at_their_end() -> None:
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    words = np.where(Y > 0, "good", "bad")
    ranker = po.PartialRanker(bayes(), grades=["bad", "good"], alpha=0.8)
    scorer = po.abstention_scorer(0.3)
    scaled = StandardScaler().fit_transform(X)
    expected = scorer(ranker.fit(scaled, words), scaled, words)
    pipeline = make_pipeline(StandardScaler(), make_pipeline(ranker)).fit(X, words)
    search = GridSearchCV(pipeline, {"pipeline__partialranker__alpha": [0.8]}, scoring=scorer)
    assert -1 < expected < 0
    assert scorer(pipeline, X, words) == scorer(search.fit(X, words), X, words) == expected
    refuses(r"PartialLabelRanker, found Ridge\(\)", scorer, ridge().fit(X, Y), X, Y)
    refuses("as cost", po.abstention_scorer, 2)


def test_a_ranker_has_its_curve() -> None:
    ranker = of_rows().fit(X[:40], Y[:40])
    curve = ranker.abstention_curve(X[40:], Y[40:])
    own = po.abstention_curve(ranker.preferences(X[40:]), Y[40:])
    assert [*curve] == [point for point in own if point.has_order]
    # As text, because nan differs from itself.
    assert [*map(str, curve.curves[0])] == [*map(str, own)]
    labels = of_labels().fit(X[:40], RANKS[:40])
    curve = labels.abstention_curve(X[40:], RANKS[40:])
    assert [*curve] == [*po.abstention_curve(labels.preferences(X[40:]), [*-RANKS[40:]])]
    # The minimal threshold is the lowest one, and at the threshold of the ranker is its score.
    assert curve[0].correctness == pytest.approx(
        labels.set_params(alpha="minimal").score(X[40:], RANKS[40:])
    )
