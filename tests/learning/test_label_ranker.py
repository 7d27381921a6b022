"""Label ranking that abstains: by its definition, on data of the usual form, and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config  # type: ignore[import-untyped]
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier, MultiOutputRegressor
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.svm import SVR
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

import porank as po
from tests import oracles_learning as oracles

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
#: The ranks of four labels, 1 the best, by noisy scores; two labels may be tied.
SCORES = np.round(X @ RNG.normal(size=(3, 4)) + RNG.normal(size=(40, 4)) / 2, 0)
RANKS = 1 + (SCORES[:, None, :] > SCORES[:, :, None]).sum(axis=2)


def as_they_are(copy: Any, rows: Any) -> Any:
    return -copy.predict(rows)


def expected(copy: Any, rows: Any) -> Any:
    """Minus the sum of rank times probability, for each label."""
    chances = copy.predict_proba(rows)
    both = zip(chances, copy.classes_, strict=True)
    return -np.array([[p @ ranks for p in each] for each, ranks in both]).T


@pytest.mark.parametrize(
    ("estimator", "ask"),
    [
        (Ridge(), as_they_are),
        (KNeighborsRegressor(3), as_they_are),
        (MultiOutputRegressor(SVR()), as_they_are),
        (KNeighborsClassifier(5), expected),
    ],
    ids=lambda value: type(value).__name__,
)
def test_prediction_is_that_of_the_definition(estimator: Any, ask: Any) -> None:
    ranker = po.PartialLabelRanker(estimator, n_members=7, seed=3).fit(X[:30], RANKS[:30])
    copies = [clone(estimator).fit(X[rows], RANKS[rows]) for rows in ranker.samples_]
    scores = np.array([ask(copy, X[30:]) for copy in copies])
    np.testing.assert_allclose(ranker.scores(X[30:]), scores, rtol=1e-12)
    for row, order in enumerate(ranker.predict(X[30:])):
        alpha, pairs = oracles.predicted(ranker.scores(X[30:])[:, row].tolist())
        assert (order.graph["alpha"], set(order.edges)) == (alpha, pairs)


def test_labels_are_columns_or_given_or_numbers() -> None:
    frame = pd.DataFrame(np.hstack([X, RANKS]), columns=["x", "y", "z", *"abcd"])
    ranker = po.PartialLabelRanker(Ridge(), seed=0)
    by_columns = ranker.fit(frame[["x", "y", "z"]], frame[list("abcd")])
    assert by_columns.labels_ == list("abcd")
    assert list(by_columns.feature_names_in_) == ["x", "y", "z"]
    assert ranker.fit(X, RANKS.tolist()).labels_ == [0, 1, 2, 3]
    assert set(ranker.set_params(labels="wxyz").fit(X, RANKS).predict(X[:1])[0]) == set("wxyz")


def test_score_is_the_mean_correctness_where_something_is_decided() -> None:
    ranker = po.PartialLabelRanker(Ridge(), n_members=5, seed=1, alpha="consensus")
    ranker.fit(X[:30], RANKS[:30])
    orders = ranker.predict(X[30:])
    found = [
        po.correctness(dict(enumerate(-ranks)), order)
        for ranks, order in zip(RANKS[30:], orders, strict=True)
    ]
    assert ranker.score(X[30:], RANKS[30:]) == pytest.approx(np.nanmean(found))
    assert np.isnan(ranker.score(X[:2], np.ones((2, 4))))


@pytest.mark.parametrize("backend", ["threading", pytest.param("loky", marks=pytest.mark.slow)])
def test_same_seed_same_orders_whoever_trains(backend: str) -> None:
    with parallel_config(backend):
        made = [
            po.PartialLabelRanker(RandomForestClassifier(3), n_members=3, seed=5, n_jobs=jobs)
            .fit(X, RANKS)
            .scores(X)
            for jobs in (None, 2)
        ]
    one, two = made
    assert_array_equal(one, two)


def test_one_label() -> None:
    ranker = po.PartialLabelRanker(Ridge(), n_members=2).fit(X, RANKS[:, :1])
    assert [list(order) for order in ranker.predict(X[:2])] == [[0], [0]]


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "found none"),
        (RANKS[:, 0], "Expected 2D array"),
        (RANKS[:5], "inconsistent"),
        ([["a > b"]] * 40, "'a > b'"),
        (np.where(RANKS == 2, np.nan, RANKS), "NaN"),
    ],
)
def test_what_are_no_ranks(y: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        po.PartialLabelRanker(Ridge()).fit(X, y)


def test_refusals_name_the_way_out() -> None:
    with pytest.raises(po.PorankError, match=r"MultiOutputRegressor\(estimator\) makes one"):
        po.PartialLabelRanker(SVR()).fit(X, RANKS)
    with pytest.raises(po.UnfittedError, match=r"fit\(X, y\) trains it"):
        po.PartialLabelRanker(Ridge()).predict(X)
    with pytest.raises(po.PorankError, match="expected 4 labels, one a column, found 2"):
        po.PartialLabelRanker(Ridge(), labels="ab").fit(X, RANKS)


def test_chains_of_classifiers_and_labels_of_one_rank() -> None:
    chain = ClassifierChain(DecisionTreeClassifier(random_state=0))
    ranker = po.PartialLabelRanker(chain, n_members=3, seed=0).fit(X, RANKS)
    assert ranker.score(X, RANKS) > 0.8
    same = np.tile([1, 2, 2, 4], (len(X), 1))
    tied = po.PartialLabelRanker(chain, n_members=2, seed=0).fit(X, same).predict(X[:1])
    assert po.format_order(tied[0]) == "0 > 1 > 3; 0 > 2 > 3"
    linear = po.PartialLabelRanker(MultiOutputClassifier(LogisticRegression()), n_members=2)
    with pytest.raises(ValueError, match="2 classes"):
        linear.fit(X, same)


@pytest.mark.filterwarnings("ignore")
def test_it_is_an_estimator_as_scikit_learn_wants_it() -> None:
    pytest.importorskip("sklearn", minversion="1.6")  # which gives the results back
    ranker = po.PartialLabelRanker(KNeighborsRegressor(1), n_members=2, seed=0)
    results = check_estimator(ranker, on_fail=None, on_skip=None)
    failed = {result["check_name"] for result in results if result["status"] == "failed"}
    assert len(results) > 30
    # These ask for the shape of the prediction, which is a list of graphs.
    assert failed == {"check_estimator_sparse_array", "check_estimator_sparse_matrix"}


def test_rows_of_a_frame_keep_their_names() -> None:
    frame = pd.DataFrame(X[:, :2], index=[f"row {k}" for k in range(40)])
    ranker = po.PartialRanker(Ridge(), n_members=3, seed=0).fit(frame, RANKS[:, 0])
    assert set(ranker.predict(frame[:4])) == {"row 0", "row 1", "row 2", "row 3"}
    assert set(ranker.predict(frame[:4].to_numpy())) == {0, 1, 2, 3}
    twice = pd.concat([frame[:2], frame[:2]])
    assert set(ranker.predict(twice)) == {0, 1, 2, 3}
    assert ranker.score(frame, RANKS[:, 0]) == ranker.score(frame.to_numpy(), RANKS[:, 0])
