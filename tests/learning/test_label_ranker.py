"""Label ranking that abstains: by its definition, and on data of the usual forms."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

import porank as po
from tests.support import oracles_learning as oracles
from tests.support.learners import learner, ridge
from tests.support.refusals import refuses

RNG = np.random.default_rng(0)
X = RNG.normal(size=(36, 3))
#: The ranks of four labels, 1 the best, by noisy scores; two labels may be tied.
SCORES = np.round(X @ RNG.normal(size=(3, 4)) + RNG.normal(size=(36, 4)) / 2, 0)
RANKS = 1 + (SCORES[:, None, :] > SCORES[:, :, None]).sum(axis=2)


@pytest.mark.parametrize("name", ["linear_model.Ridge", "multioutput.MultiOutputRegressor"])
def test_prediction_is_that_of_the_definition(name: str) -> None:
    from sklearn.base import clone

    estimator = learner(name, *[learner("svm.SVR")] * name.startswith("multi"))
    ranker = po.PartialLabelRanker(estimator, n_members=5, seed=3, ties="half")
    ranker.fit(X[:30], RANKS[:30])
    copies = [clone(estimator).fit(X[rows], RANKS[rows]) for rows in ranker.samples_]
    scores = ranker.scores(X[30:])
    assert_allclose(scores, [-copy.predict(X[30:]) for copy in copies], rtol=1e-12)
    for row, P in enumerate(ranker.preferences(X[30:])):
        assert po.preference_relation(scores[:, row], ties="half") == P
    orders = ranker.set_params(ties="none").predict(X[30:])
    for row, order in enumerate(orders):
        alpha, pairs = oracles.predicted(scores[:, row].tolist())
        assert (order.graph["alpha"], set(order.edges)) == (alpha, pairs)
    truths = [dict(enumerate(-ranks)) for ranks in RANKS[30:]]
    found = [po.correctness(*both) for both in zip(truths, orders, strict=True)]
    assert ranker.score(X[30:], RANKS[30:]) == pytest.approx(np.nanmean(found))
    assert np.isnan(ranker.score(X[:2], np.ones((2, 4))))


def test_labels_are_columns_or_given_or_numbers() -> None:
    frame = pd.DataFrame(np.hstack([X, RANKS]), columns=["x", "y", "z", *"abcd"])
    ranker = po.PartialLabelRanker(ridge(), seed=0)
    by_columns = ranker.fit(frame[["x", "y", "z"]], frame[list("abcd")])
    assert by_columns.labels_ == list("abcd")
    assert list(by_columns.feature_names_in_) == ["x", "y", "z"]
    assert ranker.fit(X, RANKS.tolist()).labels_ == [0, 1, 2, 3]
    assert set(ranker.set_params(labels="wxyz").fit(X, RANKS).predict(X[:1])[0]) == set("wxyz")
    one = ranker.set_params(labels=None).fit(X, RANKS[:, :1])
    assert [list(order) for order in one.predict(X[:2])] == [[0], [0]]


def test_labels_of_one_rank_are_tied() -> None:
    from sklearn.tree import DecisionTreeRegressor

    same = np.tile([1, 2, 2, 4], (len(X), 1))
    tree = DecisionTreeRegressor(random_state=0)
    tied = po.PartialLabelRanker(tree, n_members=2, seed=0).fit(X, same).predict(X[:1])
    assert po.format_order(tied[0]) == "0 > 1 > 3; 0 > 2 > 3"


def test_bad_input_is_refused_in_words() -> None:
    label, one_output = po.PartialLabelRanker, learner("svm.SVR")
    refuses("LabelRanker has .* pass seed=", label, ridge(), random_state=0, error=TypeError)
    refuses("found none", label(ridge()).fit, X, None)
    refuses("inconsistent", label(ridge()).fit, X, RANKS[:5], error=ValueError)
    refuses("4 labels, .* found 2", label(ridge(), labels="ab").fit, X, RANKS)
    refuses("MultiOutputRegressor", label(one_output).fit, X, RANKS)
