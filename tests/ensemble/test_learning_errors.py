"""What a ranker cannot learn or predict is said in one clear error."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans
from sklearn.ensemble import IsolationForest
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, Ridge, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import porank as po

X = np.random.default_rng(0).normal(size=(40, 2))
Y = (X.sum(axis=1) + X[::-1, 0] > 0).astype(int)


class Silent(RidgeClassifier):  # type: ignore[misc]
    """A classifier that says but the class."""

    @property
    def decision_function(self) -> Any:
        raise AttributeError


class Lost(LinearRegression):  # type: ignore[misc]
    """A regressor whose predictions are no numbers."""

    def predict(self, X: Any) -> Any:
        return np.full(len(X), np.nan)


class Wide(LinearRegression):  # type: ignore[misc]
    """A regressor with two predictions a row."""

    def predict(self, X: Any) -> Any:
        return np.zeros((len(X), 2))


class Short(LinearRegression):  # type: ignore[misc]
    """A regressor that answers for two rows, whatever it is asked."""

    def predict(self, X: Any) -> Any:
        return X[:2, 0]


class Wordy(LinearRegression):  # type: ignore[misc]
    """A regressor whose predictions are texts."""

    def predict(self, X: Any) -> Any:
        return np.full(len(X), "low")


class Unsure(GaussianNB):  # type: ignore[misc]
    """A classifier that knows of one class too many."""

    def predict_proba(self, X: Any) -> Any:
        return np.full((len(X), 3), 1 / 3)


class Undeclared:
    """What has all methods of an estimator and is none."""

    def fit(self, *_: Any) -> None:
        """Do nothing."""

    get_params = set_params = predict = fit


class Nameless(BaseEstimator):  # type: ignore[misc]
    """An estimator that is neither a classifier nor a regressor."""

    fit = predict = BaseEstimator.get_params


WRONG_FITS: list[tuple[dict[str, Any], Any, Any, str]] = [
    ({"n_members": 0}, X, Y, "at least 1 as n_members, found 0"),
    ({"alpha": "most"}, X, Y, "'majority' or a number, found 'most'"),
    ({"alpha": 1.5}, X, Y, "above 0 and at most 1, found 1.5"),
    ({"ties": "all"}, X, Y, "'none', 'half', found 'all'"),
    ({"estimator": "Ridge"}, X, Y, "an estimator of scikit-learn, .* found 'Ridge'"),
    ({"estimator": Ridge}, X, Y, "an estimator of scikit-learn, .* found <class"),
    ({"estimator": Silent()}, X, Y, "decision_function or predict_proba, .* gives no scores"),
    ({"estimator": StandardScaler()}, X, Y, "a regressor with predict, found StandardScaler"),
    ({"estimator": KMeans(2)}, X, Y, r"found KMeans\(n_clusters=2\), which gives no scores"),
    ({"estimator": IsolationForest()}, X, Y, r"found IsolationForest\(\), which gives no scores"),
    (
        {"estimator": Nameless()},
        X,
        Y,
        r"gives no scores; .* inherits from sklearn\.base\.RegressorMixin",
    ),
    ({"estimator": Undeclared()}, X, Y, "an estimator of scikit-learn, .* found <.*Undeclared"),
    (
        {"estimator": LinearSVC()},
        X,
        np.arange(40) % 3,
        "with predict_proba for 3 grades, found Linear",
    ),
    ({}, X, None, "the grade of each row, found none"),
    ({}, X, Y[:5], "expected 40 targets, one for each row, found 5"),
    ({}, X, np.ones((40, 2)), r"one target for each row as y, found .* \(40, 2\)"),
    ({}, X, "texts", r"found an array of shape \(\)"),
    ({}, X[:2], [1, None], "a target for each row, found None in row 1"),
    ({}, X[:2], [math.nan, 1], "a target for each row, found nan in row 0"),
    ({}, pd.DataFrame(X[:2]), pd.Series([1, pd.NA]), "found <NA> in row 1"),
    ({}, X[:2], np.array([1j, 2]), "real numbers as targets, found complex"),
    ({}, X[:2], np.array([[1], None], dtype=object)[:, None], "a hashable item"),
    ({}, X[:2], ["a", "b"], r"or grades=\[...\] with the labels, worst first, found .* 'a', 'b'"),
    ({"estimator": GaussianNB()}, X[:3], ["a", "b", "c"], "the labels 'a', 'b', 'c'"),
    ({"estimator": GaussianNB()}, X[:2], ["a", 1], "the labels 'a', 1"),
    ({"grades": ["a", "b"]}, X[:2], ["a", "c"], "targets among the grades, found 'c'"),
    ({"grades": ["a", "a"]}, X[:2], ["a", "a"], "each item once in grades"),
    ({}, X, np.ones(40), "at least two grades to learn from, found only one class: 1.0"),
    ({}, X[:0], [], "expected rows to learn from, found none"),
    ({}, iter(X), Y, "a list, an array or a frame of rows as X, found a"),
    ({}, {"one": X[:, 0]}, Y, "found a dict"),
    ({}, (X, Y), Y, "found a tuple; of data in several arrays"),
    ({}, np.array(1), Y, "found a ndarray"),
]


@pytest.mark.parametrize(("options", "rows", "grades", "message"), WRONG_FITS)
def test_what_cannot_be_learned_is_said(
    options: dict[str, Any], rows: Any, grades: Any, message: str
) -> None:
    ranker = po.PartialRanker(**({"estimator": Ridge(), "seed": 0} | options))
    with pytest.raises(po.PorankError, match=message):
        ranker.fit(rows, grades)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2], "40 numbers of at least 0 as sample_weight"),
        (np.full(40, -1), "40 numbers of at least 0"),
        (np.full(40, np.inf), "40 numbers of at least 0"),
        ("heavy", "40 numbers of at least 0 .* found 'heavy'"),
        (Y, "two grades with a weight above zero, found 2. rows"),
        (np.where(Y, 1.0, 1e-300), "two grades, found none in 1000 draws"),
    ],
)
def test_wrong_weights_are_said(weights: Any, message: str) -> None:
    with pytest.raises(po.PorankError, match=message):
        po.PartialRanker(Ridge(), seed=0).fit(X, Y, sample_weight=weights)


def test_what_cannot_be_predicted_is_said() -> None:
    ranker = po.PartialRanker(Ridge(), n_members=2, seed=0)
    for ask in (ranker.predict, ranker.preferences, ranker.scores):
        with pytest.raises(po.UnfittedError, match="found one that is not fitted yet"):
            ask(X)
    with pytest.raises(NotFittedError, match="not fitted yet"):
        ranker.score(X, Y)
    ranker.fit(X, Y)
    with pytest.raises(po.PorankError, match="expected 40 items, one for each row, found 2"):
        ranker.predict(X, items="ab")
    with pytest.raises(po.PorankError, match="each item once in items, found again: 'a'"):
        ranker.preferences(X[:2], items="aa")
    with pytest.raises(po.PorankError, match="expected 2 targets, one for each row, found 40"):
        ranker.score(X[:2], Y)
    with pytest.raises(po.PorankError, match="found nan"):
        po.PartialRanker(Lost(), seed=0).fit(X, Y).predict(X)
    with pytest.raises(po.PorankError, match=r"one score for each row, 40 numbers, .* \(40, 2\)"):
        po.PartialRanker(Wide(), seed=0).fit(X, Y).predict(X)
    with pytest.raises(po.PorankError, match=r"one score for each row, 4 numbers, .* \(2,\)"):
        po.PartialRanker(Short(), seed=0).fit(X, Y).predict(X[:4])
    with pytest.raises(po.PorankError, match=r"each row, 40 numbers, .* type <U"):
        po.PartialRanker(Wordy(), seed=0).fit(X, Y).predict(X)
    with pytest.raises(po.PorankError, match=r"2 probabilities for each of 40 rows .* \(40, 3\)"):
        po.PartialRanker(Unsure(), seed=0).fit(X, Y).predict(X)


def test_a_cut_with_a_cycle_shows_it() -> None:
    ranker = po.PartialRanker(Ridge(), n_members=4, seed=0, alpha=0.25).fit(X, Y)
    with pytest.raises(po.CycleError) as found:
        ranker.predict(X)
    with pytest.raises(po.CycleError) as scored:
        ranker.score(X, Y)
    assert len(found.value.cycle) == len(scored.value.cycle) == 3
