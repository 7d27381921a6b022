"""Cross-validation of a ranker, fold by fold."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB

import porank as po
from porank.learning.validation import CrossValidation, Fold
from tests import oracles_learning as oracles

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = (X[:, 0] + RNG.normal(size=60) > 0).astype(int)
MEASURES = ("correctness", "without_abstention", "completeness")
nan = math.nan


def values(found: CrossValidation) -> list[Any]:
    """Return all figures, None for nan, so that they can be compared."""
    figures = [[getattr(fold, name) for name in MEASURES] for fold in found.folds]
    return [[None if math.isnan(figure) else figure for figure in row] for row in figures]


@pytest.mark.parametrize("estimator", [GaussianNB(), RidgeClassifier(), Ridge()])
def test_each_fold_is_that_of_the_definition(estimator: Any) -> None:
    grades = Y + 2 * (X[:, 0] > 1) if isinstance(estimator, (GaussianNB, Ridge)) else Y
    splits = list(KFold(3).split(X))
    found = po.cross_validate_ranking(estimator, X, grades, cv=splits, n_members=5, seed=1)
    rng = np.random.default_rng(1)
    for fold, (train, test) in zip(found.folds, splits, strict=True):
        ranker = po.PartialRanker(estimator, 5, seed=int(rng.integers(2**31 - 1)))
        ranker.fit(X[train], grades[train])
        alpha, pairs = oracles.predicted(ranker.scores(X[test]).tolist())
        truth = grades[test].tolist()
        right, complete = oracles.correctness_and_completeness(truth, pairs)
        assert right is not None
        assert complete is not None
        assert (fold.correctness, fold.completeness) == (float(right), float(complete))
        assert (fold.alpha, fold.n_train, fold.n_test, fold.remark) == (alpha, 40, 20, "")
        (once,) = oracles.trained(estimator, X[train], grades[train], [range(40)])
        if hasattr(once, "predict_proba"):
            scores = [oracles.expected_places(once, row, once.classes_) for row in X[test]]
        else:
            ask = getattr(once, "decision_function", None) or once.predict
            scores = ask(X[test])
        _, decided = oracles.predicted([[round(score, 9) for score in scores]])
        without, _ = oracles.correctness_and_completeness(truth, decided)
        assert without is not None
        assert fold.without_abstention == float(without)


def test_folds_of_one_grade_are_counted() -> None:
    grades = [0] * 20 + [1] * 20 + [0] * 10 + [1] * 10
    splits = [
        (range(20), range(20, 60)),
        (range(60), range(20)),
        (range(10, 30), range(30, 60)),
        (range(10, 30), range(7, 8)),
    ]
    found = po.cross_validate_ranking(GaussianNB(), X, grades, cv=splits, n_members=3, seed=0)
    remarks = [fold.remark for fold in found.folds]
    assert remarks == [
        "the training rows have one grade",
        "the test rows have one grade",
        "",
        "the test rows have one grade",
    ]
    assert [found.count_undefined(name) for name in MEASURES] == [3, 3, 3]
    assert [found.mean(name) for name in MEASURES] == values(found)[2]
    assert all(math.isnan(found.deviation(name)) for name in MEASURES)
    assert [fold.alpha is None for fold in found.folds] == [True, False, False, False]


def test_grades_rarer_than_folds_do_no_harm() -> None:
    rare = np.zeros(30, dtype=int)
    rare[[4, 9]] = 1
    with pytest.warns(UserWarning, match="least populated class"):
        found = po.cross_validate_ranking(GaussianNB(), X[:30], rare, cv=5, n_members=2, seed=0)
    assert found.count_undefined("completeness") == 3
    assert found.count_undefined("correctness") >= 3
    assert len({fold.n_test for fold in found.folds}) == 1
    # With as many folds as rows no test row has another to be compared with.
    single = po.cross_validate_ranking(Ridge(), X[:5], Y[:5], cv=5, n_members=2, seed=0)
    assert single.count_undefined("completeness") == 5
    assert math.isnan(single.mean("completeness"))


def test_a_prediction_that_decides_nothing_has_no_correctness() -> None:
    flat = np.zeros((20, 1))
    found = po.cross_validate_ranking(Ridge(), flat, Y[:20], cv=2, n_members=2, seed=0)
    assert values(found) == [[None, None, 0.0]] * 2
    assert [fold.remark for fold in found.folds] == ["no pair of different grades is decided"] * 2


def test_same_seed_same_folds_in_whatever_form() -> None:
    options: dict[str, Any] = {"cv": 4, "n_members": 2}
    found = po.cross_validate_ranking(GaussianNB(), X, Y, seed=5, **options)
    assert po.cross_validate_ranking(GaussianNB(), X, Y, seed=6, **options) != found
    frame = pd.DataFrame(X, index=range(60, 0, -1))
    series = pd.Series(Y, index=frame.index)
    assert po.cross_validate_ranking(GaussianNB(), frame, series, seed=5, **options) == found
    rows = X.tolist()
    assert po.cross_validate_ranking(GaussianNB(), rows, Y.tolist(), seed=5, **options) == found
    assert [fold.n_test for fold in found.folds] == [15] * 4
    thin = sparse.coo_array(X)
    assert len(po.cross_validate_ranking(Ridge(), thin, Y, seed=5, **options).folds) == 4


def test_labels_are_shared_out_and_numbers_are_not() -> None:
    grades = np.array([0] * 48 + [1] * 12)
    found = po.cross_validate_ranking(GaussianNB(), X, grades, cv=12, n_members=1, seed=0)
    assert found.count_undefined("completeness") == 0
    # The chance that 12 folds of plain numbers all have one of 12 rows is 5**12 12! 48!/60! < 1e-3.
    found = po.cross_validate_ranking(Ridge(), X, grades, cv=12, n_members=1, seed=0)
    assert found.count_undefined("completeness") > 0


def test_splitters_groups_and_masks() -> None:
    options: dict[str, Any] = {"n_members": 2, "seed": 0}
    splits = list(StratifiedKFold(3).split(X, Y))
    found = po.cross_validate_ranking(GaussianNB(), X, Y, cv=splits, **options)
    by_splitter = po.cross_validate_ranking(GaussianNB(), X, Y, cv=StratifiedKFold(3), **options)
    masks = [(~np.isin(np.arange(60), test), np.isin(np.arange(60), test)) for _, test in splits]
    assert by_splitter == found
    assert po.cross_validate_ranking(GaussianNB(), X, Y, cv=masks, **options) == found
    groups = np.arange(60) % 4
    grouped = po.cross_validate_ranking(Ridge(), X, Y, cv=GroupKFold(4), groups=groups, **options)
    assert [fold.n_test for fold in grouped.folds] == [15] * 4


def test_settings_reach_the_ranker() -> None:
    words = np.array(["good", "poor"])[1 - Y]
    splits = [(range(40), range(40, 60))]
    found = po.cross_validate_ranking(
        GaussianNB(), X, words, cv=splits, alpha=1, grades=["poor", "good"], n_members=9, seed=0
    )
    turned = po.cross_validate_ranking(
        GaussianNB(), X, words, cv=splits, alpha="majority", grades=["good", "poor"], seed=0
    )
    assert found.folds[0].alpha == 1
    assert turned.folds[0].alpha == Fraction(6, 10)
    assert 0 < found.folds[0].completeness < turned.folds[0].completeness
    assert found.folds[0].without_abstention == turned.folds[0].without_abstention > 0


def test_it_prints_as_a_table() -> None:
    folds = (
        Fold(1.0, 0.5, 0.25, Fraction(2, 3), 8, 2),
        Fold(0.5, 1.0, 0.75, Fraction(1), 8, 2),
        Fold(nan, nan, nan, None, 8, 2, "the training rows have one grade"),
    )
    found = CrossValidation(folds)
    lines = str(found).splitlines()
    assert lines[0].split("  ")[0] == "fold"
    assert lines[2].split() == ["1", "8", "2", "2/3", "1", "0.25", "0.5"]
    assert lines[4].split()[:7] == ["3", "8", "2", "nan", "nan", "nan", "the"]
    assert lines[5].split() == ["mean", "0.75", "0.5", "0.75"]
    assert lines[6].split() == ["deviation", "0.3536", "0.3536", "0.3536"]
    assert lines[7].split() == ["undefined", "1", "1", "1"]
    assert found.to_csv().startswith("fold,train,test,alpha,correctness,without abstention,")
    assert "<table>" in found._repr_html_()
    assert r"\begin{tabular}" in found.to_latex()
    with pytest.raises(FrozenInstanceError):
        found.folds = ()  # type: ignore[misc]
    with pytest.raises(po.PorankError, match=r"one of 'correctness', .*, found 'gamma'"):
        found.mean("gamma")
    assert math.isnan(CrossValidation(()).mean("correctness"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cv": 1}, "n_splits=1"),
        ({"cv": GroupKFold(3)}, "'groups'"),
        ({"cv": StratifiedKFold(50)}, "n_splits=50"),
        ({"cv": 61}, "n_splits=61"),
        ({"cv": [([1], [2], [3])]}, "unpack"),
        ({"estimator": po.PartialRanker(Ridge())}, "the estimator inside, found a PartialRanker"),
        ({"estimator": KMeans(2)}, "found KMeans"),
    ],
)
def test_wrong_input_is_said(options: dict[str, Any], message: str) -> None:
    settings: dict[str, Any] = {"estimator": GaussianNB(), "cv": 2, "seed": 0} | options
    with pytest.raises(ValueError, match=message):
        po.cross_validate_ranking(X=X, y=Y, **settings)


def test_a_cycle_is_not_hidden() -> None:
    with pytest.raises(po.CycleError, match=r"found the cycle .* in the cut at 1/4"):
        po.cross_validate_ranking(GaussianNB(), X, Y, cv=2, n_members=4, alpha=0.25, seed=0)
