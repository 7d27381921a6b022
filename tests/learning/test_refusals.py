"""What rankers that abstain refuse to learn and to predict."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVR, LinearSVC

import porank as po

X = np.random.default_rng(0).normal(size=(40, 2))
Y = (X.sum(axis=1) + X[::-1, 0] > 0).astype(int)
RANKS = np.array([[1, 2, 3, 4], [2, 1, 4, 3]] * 20)
EIGHT = np.arange(40) % 8
rank, label = po.PartialRanker, po.PartialLabelRanker


def fit(X: Any, y: Any, estimator: Any = None, weights: Any = None, **options: Any) -> Any:
    ranker = rank(estimator or Ridge(), **({"n_members": 2, "seed": 0} | options))
    return ranker.fit(X, y, weights)


REFUSED: list[tuple[Callable[[], Any], type[Exception], str]] = [
    # bootstrap samples
    (lambda: po.bootstrap_orders(len, "abc"), po.PorankError, "found a str"),
    (lambda: po.bootstrap_orders(len, ([1], [2])), po.PorankError, r"found a tuple; .*range\(n\)"),
    (lambda: po.bootstrap_orders(len, []), po.PorankError, "at least one instance"),
    # what can be learned
    (lambda: fit(X, Y, n_members=0), po.PorankError, "1 as n_members"),
    (lambda: fit(X, Y, alpha="most"), po.PorankError, "'most'"),
    (lambda: fit(X, Y, KMeans(2)), po.PorankError, r"KMeans\(n_clusters=2\) for 0 grades"),
    (lambda: fit(X, Y[:5]), ValueError, "inconsistent"),
    (lambda: fit(X[:2], [1, None]), po.PorankError, "numbers or texts"),
    (lambda: fit(X, EIGHT, LinearSVC()), po.PorankError, r"LinearSVC\(\) for 8 grades"),
    (lambda: fit(X[:0], []), po.PorankError, "two grades"),
    (lambda: fit(X[:2], ["a", "b"]), po.PorankError, "worst first, .* 'a', 'b'"),
    (lambda: fit(X[:3], ["a", "b", "c"], GaussianNB()), po.PorankError, "'a', 'b', 'c'"),
    (lambda: fit(X[:2], ["a", "c"], grades=["a", "b"]), po.PorankError, "in grades, found 'c'"),
    (lambda: fit(X, np.ones(40)), po.PorankError, "only one class: 1.0"),
    (lambda: fit(X, Y, weights=Y), po.PorankError, "a weight above zero"),
    (lambda: fit(X, Y, weights=np.where(Y, 1, 1e-300)), po.PorankError, "in 1000 draws"),
    (lambda: rank(Ridge(), random_state=0), TypeError, "PartialRanker has .* pass seed="),
    (lambda: label(Ridge(), random_state=0), TypeError, "LabelRanker has .* pass seed="),
    # what can be asked
    (lambda: rank(Ridge()).predict(X), NotFittedError, "PartialRanker .*not fitted yet"),
    (lambda: fit(X, Y).predict(X, items="ab"), po.PorankError, "40 items, .* found 2"),
    (lambda: fit(X, Y).predict(X[:2], items="aa"), po.PorankError, "once in items"),
    (lambda: fit(X, Y, n_members=4, alpha=0.25).predict(X), po.CycleError, "cut at 1/4"),
    # ranks of labels
    (lambda: label(Ridge()).fit(X, None), po.PorankError, "found none"),
    (lambda: label(Ridge()).fit(X, RANKS[:5]), ValueError, "inconsistent"),
    (lambda: label(Ridge(), labels="ab").fit(X, RANKS), po.PorankError, "4 labels, .* found 2"),
    (lambda: label(SVR()).fit(X, RANKS), po.PorankError, "MultiOutputRegressor"),
]


def test_what_cannot_be_is_refused() -> None:
    for call, error, message in REFUSED:
        with pytest.raises(error, match=message):
            call()
