"""Cross-validation of a ranker, fold by fold, and the table of the paper by an example."""

from __future__ import annotations

import math
import runpy
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
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


def validated(estimator: Any, rows: Any, y: Any, **options: Any) -> CrossValidation:
    return po.cross_validate_ranking(estimator, rows, y, **({"n_members": 2, "seed": 0} | options))


def values(found: CrossValidation) -> list[Any]:
    """Return all figures, None for nan, so that they can be compared."""
    figures = [[getattr(fold, name) for name in MEASURES] for fold in found.folds]
    return [[None if math.isnan(figure) else figure for figure in row] for row in figures]


@pytest.mark.parametrize("estimator", [GaussianNB(), RidgeClassifier(), Ridge()])
def test_each_fold_is_that_of_the_definition(estimator: Any) -> None:
    grades = Y if isinstance(estimator, RidgeClassifier) else Y + 2 * (X[:, 0] > 1)
    splits = list(KFold(5).split(X))[:2]
    found = validated(estimator, X, grades, cv=splits, n_members=5, seed=1)
    rng = np.random.default_rng(1)
    for fold, (train, test) in zip(found.folds, splits, strict=True):
        ranker = po.PartialRanker(estimator, 5, seed=int(rng.integers(2**31 - 1)))
        ranker.fit(X[train], grades[train])
        truth = grades[test].tolist()
        alpha, pairs = oracles.predicted(ranker.scores(X[test]).tolist())
        right, complete = oracles.correctness_and_completeness(truth, pairs)
        (once,) = oracles.trained(estimator, X[train], grades[train], [range(48)])
        scores = oracles.scores(once, X[test], np.unique(grades).tolist())
        _, decided = oracles.predicted([[round(score, 9) for score in scores]])
        without, _ = oracles.correctness_and_completeness(truth, decided)
        assert (fold.correctness, fold.completeness, fold.without_abstention) == tuple(
            map(float, (right, complete, without))  # type: ignore[arg-type]
        )
        assert (fold.alpha, fold.n_train, fold.n_test, fold.remark) == (alpha, 48, 12, "")


def test_folds_of_one_grade_are_counted() -> None:
    grades = [0] * 20 + [1] * 20 + [0] * 10 + [1] * 10
    splits = [
        (range(20), range(20, 60)),
        (range(60), range(20)),
        (range(10, 30), range(30, 60)),
        (range(10, 30), range(7, 8)),
    ]
    found = validated(GaussianNB(), X, grades, cv=splits)
    one = "all {} rows have the same grade".format
    assert [fold.remark for fold in found.folds] == [one("training"), one("test"), "", one("test")]
    assert [found.count_undefined(name) for name in MEASURES] == [3, 3, 3]
    assert [found.mean(name) for name in MEASURES] == values(found)[2]
    assert all(math.isnan(found.deviation(name)) for name in MEASURES)
    assert [fold.alpha is None for fold in found.folds] == [True, False, False, False]


def test_grades_rarer_than_folds_and_predictions_that_decide_nothing() -> None:
    rare = np.zeros(30, dtype=int)
    rare[[4, 9]] = 1
    with pytest.warns(UserWarning, match="least populated class"):
        found = validated(GaussianNB(), X[:30], rare, cv=5)
    assert found.count_undefined("completeness") == 3
    flat = validated(Ridge(), np.zeros((20, 1)), Y[:20], cv=2)
    assert values(flat) == [[None, None, 0.0]] * 2
    assert [fold.remark for fold in flat.folds] == ["no pair with different grades is decided"] * 2


def test_same_seed_same_folds_in_whatever_form() -> None:
    found = validated(GaussianNB(), X, Y, cv=3, seed=5)
    assert validated(GaussianNB(), X, Y, cv=3, seed=6) != found
    frame = pd.DataFrame(X, index=range(60, 0, -1))
    assert validated(GaussianNB(), frame, pd.Series(Y, index=frame.index), cv=3, seed=5) == found
    assert validated(GaussianNB(), X.tolist(), Y.tolist(), cv=3, seed=5) == found


def test_splitters_groups_and_masks() -> None:
    rare = np.array([0] * 48 + [1] * 12)
    # The chance that 12 folds of plain numbers all have one of 12 rows is 5**12 12! 48!/60! < 1e-3.
    for estimator, is_shared_out in ((GaussianNB(), True), (Ridge(), False)):
        found = validated(estimator, X, rare, cv=12, n_members=1)
        assert (found.count_undefined("completeness") == 0) == is_shared_out
    splits = list(StratifiedKFold(3).split(X, Y))
    found = validated(GaussianNB(), X, Y, cv=splits)
    masks = [(~np.isin(np.arange(60), test), np.isin(np.arange(60), test)) for _, test in splits]
    assert validated(GaussianNB(), X, Y, cv=masks) == found
    grouped = validated(Ridge(), X, Y, cv=GroupKFold(4), groups=np.arange(60) % 4)
    assert [fold.n_test for fold in grouped.folds] == [15] * 4


def test_settings_reach_the_ranker() -> None:
    words, splits = np.array(["good", "poor"])[1 - Y], [(range(40), range(40, 60))]
    one, turned = (
        validated(GaussianNB(), X, words, cv=splits, alpha=alpha, grades=grades, n_members=10)
        for alpha, grades in ((1, ["poor", "good"]), ("majority", ["good", "poor"]))
    )
    assert one.folds[0].alpha == 1
    assert turned.folds[0].alpha == Fraction(6, 10)
    assert 0 < one.folds[0].completeness < turned.folds[0].completeness
    assert one.folds[0].without_abstention == turned.folds[0].without_abstention > 0


def test_it_prints_as_a_table() -> None:
    folds = Fold(1.0, 0.5, 0.25, Fraction(2, 3), 8, 2), Fold(0.5, 1.0, 0.75, Fraction(1), 8, 2)
    undefined = Fold(nan, nan, nan, None, 8, 2, "all training rows have the same grade")
    found = CrossValidation((*folds, undefined))
    assert [line.split()[:7] for line in str(found).splitlines()[2:]] == [
        ["1", "8", "2", "2/3", "1", "0.25", "0.5"],
        ["2", "8", "2", "1", "0.5", "0.75", "1"],
        ["3", "8", "2", "nan", "nan", "nan", "all"],
        ["mean", "0.75", "0.5", "0.75"],
        ["deviation", "0.3536", "0.3536", "0.3536"],
        ["undefined", "1", "1", "1"],
    ]


SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "paper_table.py"))
QUICK = ["--repeats", "1", "--folds", "2", "--members", "2"]


@pytest.mark.slow
def test_both_formats_of_the_paper_table_say_the_same(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    numbers, words = rng.normal(size=60), rng.choice(["low", "top"], 60)
    classes = np.where(numbers + 2 * (words == "top") + rng.normal(size=60) > 1, "good", "bad")
    cells = np.array([numbers.round(3).astype(str), words])
    cells = np.where(rng.random((2, 60)) < 0.1, "?", cells)
    lines = [",".join(row) for row in zip(*cells.tolist(), classes.tolist(), strict=True)]
    (tmp_path / "labor.csv").write_text("\n".join(["x,level,class", *lines, ""]))
    head = ["@relation vote", "@attribute x numeric", "@attribute level {low,top}"]
    head += ["@attribute class {bad,good}", "@data"]
    (tmp_path / "vote.arff").write_text("\n".join([*head, *lines, ""]))
    for options in ([], ["--codes"]):
        table = SCRIPT["main"]([str(tmp_path), *QUICK, *options])
        found = {row[0]: row[1:] for row in table.rows}
        assert found["labor"][:4] == found["vote"][:4]
        assert min(float(cell[:5]) for cell in found["labor"][:3]) > 0.3
        assert found["labor"][4:] == ("0.990 ± 0.049", "0.985 ± 0.060", "0.989 ± 0.052")
        assert found["mushroom"][0] == "not there"
