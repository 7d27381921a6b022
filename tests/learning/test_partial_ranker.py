"""Estimators of scikit-learn as rankers that abstain, and what they refuse."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import joblib  # type: ignore[import-untyped]
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, Ridge, RidgeClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils.estimator_checks import check_estimator

import porank as po
from tests import oracles_learning as oracles

X_IRIS, Y_IRIS = load_iris(return_X_y=True)


X = np.random.default_rng(0).normal(size=(40, 2))
Y = (X.sum(axis=1) + X[::-1, 0] > 0).astype(int)


def pairs_of(G: nx.DiGraph) -> set[Any]:
    return set(po.transitive_closure(G).edges)


def better_of(copy: Any, rows: Any) -> Any:
    return copy.predict_proba(rows)[:, 1]


@pytest.mark.parametrize(
    ("estimator", "ask"),
    [
        (GaussianNB(), better_of),
        (KNeighborsClassifier(5), better_of),  # which scores many rows the same
        (RidgeClassifier(), RidgeClassifier.decision_function),
        (Ridge(), Ridge.predict),
    ],
    ids=lambda value: type(value).__name__,
)
def test_prediction_is_that_of_the_definition(estimator: Any, ask: Any) -> None:
    ranker = po.PartialRanker(estimator, n_members=7, seed=3).fit(X[:30], Y[:30])
    copies = oracles.trained(estimator, X[:30], Y[:30], ranker.samples_)
    scores = np.array([ask(copy, X[30:]) for copy in copies])
    assert_array_equal(ranker.scores(X[30:]), scores)
    G = ranker.predict(X[30:])
    alpha, pairs = oracles.predicted(scores.tolist())
    assert (G.graph["alpha"], pairs_of(G)) == (alpha, pairs)
    assert list(G) == list(range(10))
    right, _ = oracles.correctness_and_completeness(Y[30:], pairs)
    assert right is not None
    assert ranker.score(X[30:], Y[30:]) == float(right)


def test_several_grades_are_scored_by_the_expected_place() -> None:
    rows, grades = X_IRIS[::6], np.array([5, 1, 9])[Y_IRIS[::6]]  # 1 < 5 < 9, not evenly
    ranker = po.PartialRanker(GaussianNB(), n_members=3, seed=0).fit(rows, grades)
    assert ranker.classes_.tolist() == [1, 5, 9]
    copies = oracles.trained(GaussianNB(), rows, grades, ranker.samples_)
    for copy, scores in zip(copies, ranker.scores(rows).tolist(), strict=True):
        places = [oracles.expected_places(copy, row, [1, 5, 9]) for row in rows]
        assert scores == pytest.approx(places, rel=1e-12)


def test_a_copy_that_never_saw_a_grade_scores_by_the_others() -> None:
    rows = np.arange(12.0)[:, None]
    grades = ["low"] * 5 + ["mid"] * 6 + ["top"]
    scale = ["low", "mid", "top"]
    model = KNeighborsClassifier(1)
    ranker = po.PartialRanker(model, n_members=9, seed=0, grades=scale).fit(rows, grades)
    seen = [set(copy.classes_) for copy in ranker.estimators_]
    assert {"low", "mid"} in seen
    assert {"low", "mid", "top"} in seen
    found = ranker.scores(rows)
    for copy, scores in zip(ranker.estimators_, found, strict=True):
        assert_array_equal(scores, [scale.index(grade) for grade in copy.predict(rows)])


@pytest.mark.parametrize("estimator", [GaussianNB(), RidgeClassifier(), Ridge()])
def test_the_last_grade_is_the_best(estimator: Any) -> None:
    words = np.array(["good", "poor"])[1 - Y]
    settings: dict[str, Any] = {"n_members": 5, "seed": 2}
    ranker = po.PartialRanker(estimator, grades=["poor", "good"], **settings).fit(X, words)
    turned = po.PartialRanker(estimator, grades=["good", "poor"], **settings).fit(X, words)
    G = ranker.predict(X)
    assert ranker.classes_.tolist() == ["poor", "good"]
    assert ranker.score(X, words) == turned.score(X, words) > 0
    assert pairs_of(turned.predict(X)) == {(v, u) for u, v in pairs_of(G)}
    if estimator.__class__ is not Ridge:
        numbers = po.PartialRanker(estimator, **settings).fit(X, Y)
        assert numbers.preferences(X) == ranker.preferences(X)


def test_the_scale_of_fit_is_that_of_score() -> None:
    scale = pd.CategoricalDtype(["never", "low", "high"], ordered=True)
    words = pd.Series(["low", "high"]).astype(scale)[Y]
    for estimator in (GaussianNB(), Ridge()):
        ranker = po.PartialRanker(estimator, n_members=5, seed=0).fit(X, words)
        assert ranker.classes_.tolist() == ["low", "high"], "never is never met"
        assert ranker.score(X, list(words)) == ranker.score(X, words) > 0
        assert not math.isnan(ranker.score(X[:2], ["never", "high"]))
        with pytest.raises(po.PorankError, match="among the grades, found 'top'"):
            ranker.score(X[:2], ["low", "top"])


def test_numbers_ascend_whatever_categories_they_come_in() -> None:
    descending = pd.Series(Y).astype(pd.CategoricalDtype([1, 0], ordered=True))
    ranker = po.PartialRanker(GaussianNB(), n_members=5, seed=0).fit(X, Y)
    found = ranker.score(X, Y)
    assert ranker.score(X, Y.astype(bool)) == ranker.score(X, descending) == found > 0
    words = pd.Series(["low", "high"]).astype("category").cat.as_ordered()[Y]
    for texts in (words, words.tolist()):
        with pytest.raises(po.PorankError, match="expected numbers as targets"):
            ranker.score(X, texts)
    turned = pd.Series(1 - Y).astype(pd.CategoricalDtype([1, 0], ordered=True))
    assert clone(ranker).fit(X, turned).score(X, 1 - Y) == found


def test_what_an_earlier_fit_has_seen_is_forgotten() -> None:
    frame = pd.DataFrame(X, columns=["one", "two"])
    ranker = po.PartialRanker(GaussianNB(), n_members=2, seed=0).fit(frame, Y)
    assert ranker.classes_.tolist() == [0, 1]
    assert ranker.feature_names_in_.tolist() == ["one", "two"]
    assert ranker.n_features_in_ == 2
    ranker.set_params(estimator=Ridge()).fit(X, X[:, 0])
    assert not hasattr(ranker, "classes_")
    assert not hasattr(ranker, "feature_names_in_")
    assert ranker.score(X, X[:, 0]) > 0.9


def test_same_seed_same_copies_whatever_works_at_them() -> None:
    forest = make_pipeline(StandardScaler(), RandomForestClassifier(n_estimators=2, max_depth=2))
    one, two, other = (
        po.PartialRanker(forest, n_members=4, seed=seed, n_jobs=n_jobs)
        for seed, n_jobs in ((7, None), (7, 2), (8, None))
    )
    with joblib.parallel_config(backend="threading"):
        scores = [ranker.fit(X, Y).scores(X) for ranker in (one, two, other, clone(one))]
    assert_array_equal(scores[0], scores[1])
    assert_array_equal(scores[0], scores[3])
    assert not np.array_equal(scores[0], scores[2])
    # The copies differ in their chances too, and few of them are the first of many.
    assert len({copy[-1].random_state for copy in one.estimators_}) == 4
    few = po.PartialRanker(forest, n_members=2, seed=7).fit(X, Y)
    assert_array_equal(few.scores(X), scores[0][:2])
    assert forest[-1].random_state is None


def test_a_generator_goes_on_and_its_copy_does_not() -> None:
    rng = np.random.default_rng(1)
    ranker = po.PartialRanker(GaussianNB(), n_members=2, seed=rng)
    twin = clone(ranker)
    first = ranker.fit(X, Y).samples_
    assert_array_equal(twin.fit(X, Y).samples_, first)
    assert not np.array_equal(ranker.fit(X, Y).samples_, first)


@pytest.mark.slow
def test_copies_are_trained_on_a_cluster() -> None:
    distributed = pytest.importorskip("distributed")
    alone = po.PartialRanker(GaussianNB(), n_members=4, seed=0).fit(X, Y).scores(X)
    options = {"processes": False, "n_workers": 1, "threads_per_worker": 2}
    with distributed.Client(**options, dashboard_address=None), joblib.parallel_config("dask"):
        ranker = po.PartialRanker(GaussianNB(), n_members=4, seed=0, n_jobs=-1).fit(X, Y)
    assert_array_equal(ranker.scores(X), alone)


def test_samples_with_one_grade_are_drawn_again() -> None:
    rare = np.zeros(40)
    rare[3] = 1
    ranker = po.PartialRanker(GaussianNB(), n_members=30, seed=0).fit(X, rare)
    assert all(3 in rows for rows in ranker.samples_)
    # (1 - 1/40)**40 = 0.363 of all samples lack the row: 17 of 47 are expected to be drawn again.
    assert 5 <= ranker.n_redrawn_ <= 40
    assert ranker.samples_.shape == (30, 40)


def test_rows_are_drawn_by_their_weights() -> None:
    weights = np.where(np.arange(40) < 20, 3.0, 1.0)
    weights[5] = 0
    ranker = po.PartialRanker(Ridge(), n_members=50, seed=0).fit(X, Y, sample_weight=weights)
    drawn = np.bincount(ranker.samples_.ravel(), minlength=40)
    assert drawn[5] == 0
    # 19 rows of weight 3 and 20 of weight 1: 2000 * 57 / 77 = 1481 draws, deviation 20.
    assert abs(drawn[:20].sum() - 1481) < 100
    other = clone(ranker).fit(X, Y, sample_weight=(weights / 4).tolist())
    assert_array_equal(other.samples_, ranker.samples_)


def test_rows_come_in_every_form() -> None:
    plain = po.PartialRanker(Ridge(), n_members=3, seed=0)
    scores = plain.fit(X, Y).scores(X)
    frame = pd.DataFrame(X, columns=["one", "two"], index=range(100, 140))
    for rows, grades in (
        (X.tolist(), Y.tolist()),
        (frame, pd.Series(Y, index=frame.index)),
        (frame, pd.DataFrame({"grade": Y})),
    ):
        # Where an array lies in memory decides in which sequence a linear solver adds.
        assert_allclose(clone(plain).fit(rows, grades).scores(rows), scores, rtol=1e-12)
    for kind in (sparse.csr_matrix, sparse.coo_array, sparse.dok_array):
        found = clone(plain).fit(kind(X), Y).scores(kind(X))
        np.testing.assert_allclose(found, scores, rtol=1e-5)


def test_it_stands_at_the_end_of_a_pipeline_and_inside_a_search() -> None:
    ranker = po.PartialRanker(Ridge(), n_members=3, seed=0)
    pipeline = make_pipeline(StandardScaler(), ranker).fit(X, Y)
    scaled = StandardScaler().fit_transform(X)
    expected = clone(ranker).fit(scaled, Y)
    names = [f"row {i}" for i in range(40)]
    G = pipeline.predict(X, items=names)
    assert list(G) == names
    assert nx.utils.graphs_equal(G, expected.predict(scaled, items=names))
    numbers = pipeline.predict(X[:2], items=np.array([30, 40]))
    assert {type(item) for item in numbers} == {int}
    assert pipeline.score(X, Y) == expected.score(scaled, Y)
    half = clone(ranker).fit(X[20:], Y[20:]).score(X[:20], Y[:20])
    assert cross_val_score(ranker, X, Y, cv=2)[0] == half
    search = GridSearchCV(ranker, {"estimator__alpha": [0.1, 10.0], "n_members": [2, 3]}, cv=2)
    search.fit(X, Y)
    assert search.best_estimator_.estimator.alpha in (0.1, 10.0)
    assert search.best_score_ > 0


def test_few_rows_and_few_members() -> None:
    one = po.PartialRanker(Ridge(), n_members=1, seed=0).fit(X, Y)
    G = one.predict(X)
    assert po.is_total_order(G)
    assert G.graph["alpha"] == 1
    assert list(one.predict(X[:1], items=["only"])) == ["only"]
    assert math.isnan(one.score(X[:5], [1] * 5))
    assert math.isnan(one.score(X[:1], [1]))


def test_options_are_those_of_the_relation_and_the_cut() -> None:
    model = DecisionTreeRegressor(max_leaf_nodes=3, random_state=0)
    ranker = po.PartialRanker(model, n_members=6, seed=0, ties="half", alpha=1).fit(X, Y)
    P = po.preference_relation(ranker.scores(X), ties="half")
    assert ranker.preferences(X) == P
    assert po.preference_relation(ranker.scores(X)) != P
    assert nx.utils.graphs_equal(ranker.predict(X), po.predict_order(P, alpha="consensus"))


def test_nothing_given_is_changed_and_it_can_be_pickled() -> None:
    model, rows, grades = Ridge(), X.copy(), Y.copy()
    ranker = po.PartialRanker(model, n_members=2, seed=0).fit(rows, grades)
    assert_array_equal(rows, X)
    assert_array_equal(grades, Y)
    assert not hasattr(model, "coef_")
    assert pickle.loads(pickle.dumps(ranker)).preferences(X) == ranker.preferences(X)


@pytest.mark.slow
def test_without_scikit_learn_all_else_is_there() -> None:
    program = """
import sys
sys.modules["sklearn"] = None
from porank import *
import porank
assert width(chain(3)) == 1
assert not {"PartialRanker", "UnfittedError"} & set(porank.__all__)
for ask in (
    lambda: porank.PartialRanker,
    lambda: porank.UnfittedError,
    lambda: cross_validate_ranking(None, [[1], [2]], [0, 1]),
):
    try:
        ask()
    except porank.PorankError as error:
        print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(po.__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
    )
    line = "expected sklearn to be installed; pip install 'porank[learn]' does so"
    assert done.stdout.splitlines() == [line] * 3


#: What scikit-learn asks of estimators whose prediction is one value for each row.
FAILING = {
    "check_estimator_sparse_array": "asks for the shape of the prediction, which is a graph",
    "check_estimator_sparse_matrix": "asks for the shape of the prediction, which is a graph",
    "check_methods_sample_order_invariance": "compares predictions as arrays",
    "check_methods_subset_invariance": "the order of some rows depends on the others",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator", [GaussianNB(), Ridge()])
def test_it_is_an_estimator_as_scikit_learn_wants_it(estimator: Any) -> None:
    pytest.importorskip("sklearn", minversion="1.6")  # which gives the results back
    ranker = po.PartialRanker(estimator, n_members=2, seed=0)
    results = check_estimator(ranker, on_fail=None, on_skip=None)
    failed = {result["check_name"] for result in results if result["status"] == "failed"}
    assert len(results) > 30
    takes_sparse_rows = isinstance(estimator, Ridge)
    assert failed == {name for name in FAILING if takes_sparse_rows or "sparse" not in name}


def odd(kind: type[Any], method: str, answer: Any) -> Any:
    """Return an estimator of a kind that gives an answer of its own."""
    return type("Odd", (kind,), {method: answer})()


WRONG_FITS: list[tuple[dict[str, Any], Any, Any, type[Exception], str]] = [
    ({"n_members": 0}, X, Y, po.PorankError, "at least 1 as n_members, found 0"),
    ({"alpha": "most"}, X, Y, po.PorankError, "found 'most'"),
    ({"ties": "all"}, X, Y, po.PorankError, "found 'all'"),
    ({"estimator": Ridge}, X, Y, TypeError, "class"),
    ({"estimator": object()}, X, Y, AttributeError, "__sklearn_tags__"),
    ({"estimator": KMeans(2)}, X, Y, po.PorankError, r"found KMeans\(n_clusters=2\)"),
    ({"estimator": LinearSVC()}, X, np.arange(40) % 3, po.PorankError, r"LinearSVC\(\), of 3"),
    ({}, X, None, ValueError, "1d array"),
    ({}, X, Y[:5], ValueError, "inconsistent"),
    ({}, X, np.ones((40, 2)), ValueError, "1d array"),
    ({}, X[:2], [1, None], po.PorankError, "numbers or texts as targets, found 1, None"),
    ({}, X[:2], [math.nan, 1], ValueError, "NaN"),
    ({}, X[:2], np.array(["a", math.nan], dtype=object), ValueError, "NaN"),
    ({}, X[:2], np.array([1j, 2]), ValueError, "omplex"),
    ({}, X[:2], ["a", "b"], po.PorankError, r"or grades=\[...\] .* found .* 'a', 'b'"),
    ({"estimator": GaussianNB()}, X[:3], ["a", "b", "c"], po.PorankError, "labels 'a', 'b', 'c'"),
    ({"grades": ["a", "b"]}, X[:2], ["a", "c"], po.PorankError, "among the grades, found 'c'"),
    ({"grades": ["a", "a"]}, X[:2], ["a", "a"], po.PorankError, "each item once in grades"),
    ({}, X, np.ones(40), po.PorankError, "two grades, .* found only one class: 1.0"),
    ({}, X[:0], [], po.PorankError, "two grades"),
]


@pytest.mark.parametrize(("options", "rows", "grades", "error", "message"), WRONG_FITS)
def test_what_cannot_be_learned_is_said(
    options: dict[str, Any], rows: Any, grades: Any, error: type[Exception], message: str
) -> None:
    ranker = po.PartialRanker(**({"estimator": Ridge(), "seed": 0} | options))
    with pytest.raises(error, match=message):
        ranker.fit(rows, grades)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2], "inconsistent"),
        (np.where(np.arange(40), 1, -1), "non-negative"),
        ("heavy", "inconsistent"),
        (Y, "two grades, and a weight above zero"),
        (np.where(Y, 1.0, 1e-300), "two grades, found none in 1000 draws"),
    ],
)
def test_wrong_weights_are_said(weights: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        po.PartialRanker(Ridge(), seed=0).fit(X, Y, sample_weight=weights)


def test_what_cannot_be_predicted_is_said() -> None:
    ranker = po.PartialRanker(Ridge(), n_members=2, seed=0)
    for ask in (ranker.predict, ranker.preferences, ranker.scores, lambda X: ranker.score(X, Y)):
        with pytest.raises(NotFittedError, match="found one that is not fitted yet"):
            ask(X)
    ranker.fit(X, Y)
    with pytest.raises(po.PorankError, match="expected 40 items, one for each row, found 2"):
        ranker.predict(X, items="ab")
    with pytest.raises(po.PorankError, match="each item once in items, found again: 'a'"):
        ranker.preferences(X[:2], items="aa")


@pytest.mark.parametrize(
    ("kind", "answer", "message"),
    [
        (LinearRegression, lambda X: np.full(len(X), np.nan), "found nan"),
        (LinearRegression, lambda X: np.zeros((len(X), 2)), "1d array"),
        (LinearRegression, lambda X: X[:2, 0], "2 items, one for each row, found 4"),
        (LinearRegression, lambda X: np.full(len(X), "low"), "'low'"),
        (GaussianNB, lambda X: np.full((len(X), 3), 0.3), "shapes"),
    ],
)
def test_answers_that_are_no_scores_are_said(kind: Any, answer: Any, message: str) -> None:
    method = "predict_proba" if kind is GaussianNB else "predict"
    ranker = po.PartialRanker(odd(kind, method, lambda _, X: answer(X)), seed=0).fit(X, Y)
    with pytest.raises(ValueError, match=message):
        ranker.predict(X[:4], items="abcd")


def test_a_cut_with_a_cycle_shows_it() -> None:
    ranker = po.PartialRanker(Ridge(), n_members=4, seed=0, alpha=0.25).fit(X, Y)
    with pytest.raises(po.CycleError) as found:
        ranker.predict(X)
    assert len(found.value.cycle) == 3
