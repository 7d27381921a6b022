"""Rankers that abstain: by definition, as estimators, and on bootstrap samples."""

import math
import pickle
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import porank as po
from porank.learning.bootstrap import draw_sample, take_rows
from tests.support import oracles_learning as oracles
from tests.support.learners import bayes, learner, ridge
from tests.support.refusals import refuses

X = np.random.default_rng(0).normal(size=(40, 2))
Y = (X.sum(axis=1) + X[::-1, 0] > 0).astype(int)
WORDS = np.array(["poor", "good"])[Y]
NEIGHBOURS = "neighbors.KNeighborsClassifier"
LINEAR = "linear_model.Ridge", "linear_model.RidgeClassifier"


def ranker_of(estimator: Any = None, n_members: int = 3, **options: Any) -> Any:
    return po.PartialRanker(estimator or bayes(), n_members, **({"seed": 0} | options))


@pytest.mark.parametrize("name", [NEIGHBOURS, *LINEAR])
def test_prediction_is_that_of_the_definition(name: str) -> None:
    estimator = learner(name)
    ranker = ranker_of(estimator, 7, alpha="minimal").fit(X[:30], Y[:30])
    copies = oracles.trained(estimator, X[:30], Y[:30], ranker.samples_)
    scores = np.array([oracles.scores(copy, X[30:], [0, 1]) for copy in copies])
    assert_allclose(ranker.scores(X[30:]), scores, rtol=1e-12)
    G = ranker.predict(X[30:])
    alpha, pairs = oracles.predicted(scores.tolist())
    assert (G.graph["alpha"], set(po.transitive_closure(G).edges)) == (alpha, pairs)
    assert list(G) == list(range(10))
    right, _ = oracles.correctness_and_completeness(Y[30:], pairs)
    assert right is not None
    assert ranker.score(X[30:], Y[30:]) == float(right)


@pytest.mark.parametrize("name", [NEIGHBOURS, LINEAR[0]])
def test_the_p_value_is_that_of_the_definition(name: str) -> None:
    estimator, weights = learner(name), np.arange(40) % 5
    ranker = ranker_of(estimator, 5).fit(X, Y, sample_weight=weights)
    copies = oracles.trained(estimator, X, Y, ranker.samples_)
    scores = [oracles.scores(copy, X, [0, 1]) for copy in copies]
    expected = oracles.p_value_left_out(scores, ranker.samples_, Y, weights)
    assert ranker.p_value_ == pytest.approx(expected, rel=1e-9)
    assert ranker.fit(X, Y).p_value_ != expected


@pytest.mark.slow
def test_from_noise_it_learns_no_order_and_from_grades_all_it_did() -> None:
    """At a level of .05 noise is taken for a grade in at most 5 of 100 data sets."""
    rng = np.random.default_rng(1)
    decided, before, kept = 0, 0, 0
    for seed in range(60):
        rows = rng.normal(size=(60, 4))
        noise, grades = rng.normal(size=60), rows[:, 0] + rng.normal(size=60)
        for y in (noise, grades):
            ranker = ranker_of(ridge(), 10, seed=seed).fit(rows[:50], y[:50])
            many = ranker.predict(rows[50:]).number_of_edges()
            if y is grades:
                kept += many > 0
                continue
            decided += many
            ranker.set_params(alpha="minimal")
            before += ranker.predict(rows[50:]).number_of_edges()
    pairs = 60 * 45
    assert before > 0.8 * pairs
    assert decided < 0.1 * pairs
    assert kept > 0.9 * 60


def test_several_grades_are_scored_by_the_expected_place() -> None:
    rows, scale = np.arange(12.0)[:, None], ["low", "mid", "top"]
    grades = ["mid"] * 5 + ["low"] * 6 + ["top"]
    ranker = ranker_of(bayes(var_smoothing=1), 9, grades=scale).fit(rows, grades)
    assert ranker.classes_.tolist() == scale
    assert {len(copy.classes_) for copy in ranker.estimators_} == {2, 3}
    places = [oracles.scores(copy, rows, scale) for copy in ranker.estimators_]
    assert_allclose(ranker.scores(rows), places, rtol=1e-12)


@pytest.mark.parametrize("name", ["naive_bayes.GaussianNB", *LINEAR])
def test_the_last_grade_is_the_best(name: str) -> None:
    estimator = learner(name)
    numbers = ranker_of(estimator).fit(X, Y)
    ranker = ranker_of(estimator, grades=["poor", "good"]).fit(X, WORDS)
    assert ranker.preferences(X) == numbers.preferences(X)
    turned = ranker_of(estimator, grades=["good", "poor"]).fit(X, WORDS)
    worse = set(po.transitive_closure(turned.predict(X)).edges)
    assert {(v, u) for u, v in worse} == set(po.transitive_closure(numbers.predict(X)).edges)
    assert ranker.score(X, WORDS) == turned.score(X, WORDS) == numbers.score(X, Y) > 0


def test_the_scale_of_fit_is_that_of_score() -> None:
    scale = pd.CategoricalDtype(["never", "poor", "good"], ordered=True)
    for estimator in (bayes(), ridge()):
        ranker = ranker_of(estimator).fit(X, pd.Series(WORDS).astype(scale))
        assert ranker.classes_.tolist() == ["poor", "good"], "never is never met"
        assert ranker.score(X, WORDS) > 0
        assert not math.isnan(ranker.score(X[:2], ["never", "good"]))
    ranker.set_params(estimator=ridge()).fit(X, X[:, 0])
    assert not hasattr(ranker, "classes_"), "an earlier fit is forgotten"
    assert ranker.score(X, X[:, 0]) > 0.9
    descending = pd.Series(Y).astype(pd.CategoricalDtype([1, 0], ordered=True))
    ranker = ranker_of().fit(X, Y)
    found = ranker.score(X, Y)
    assert ranker.score(X, Y.astype(bool)) == ranker.score(X, descending) == found > 0


def test_same_seed_same_copies_whatever_works_at_them() -> None:
    import joblib  # type: ignore[import-untyped]
    from sklearn.base import clone
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    forest = make_pipeline(StandardScaler(), RandomForestClassifier(n_estimators=2, max_depth=2))
    one, two, other = (
        ranker_of(forest, seed=seed, n_jobs=n_jobs)
        for seed, n_jobs in ((7, None), (7, 2), (8, None))
    )
    with joblib.parallel_config(backend="threading"):
        scores = [ranker.fit(X, Y).scores(X) for ranker in (one, two, other, clone(one))]
    assert_array_equal(scores[0], scores[1])
    assert_array_equal(scores[0], scores[3])
    assert not np.array_equal(scores[0], scores[2])
    # The copies differ in their chances too, and few of them are the first of many.
    assert len({copy[-1].random_state for copy in one.estimators_}) == 3
    assert_array_equal(ranker_of(forest, 2, seed=7).fit(X, Y).scores(X), scores[0][:2])
    assert forest[-1].random_state is None
    # A generator goes on, and its copy does not.
    ranker = ranker_of(seed=np.random.default_rng(1))
    twin = clone(ranker)
    first = ranker.fit(X, Y).samples_
    assert_array_equal(twin.fit(X, Y).samples_, first)
    assert not np.array_equal(ranker.fit(X, Y).samples_, first)


def test_rows_are_drawn_by_their_weights_until_they_have_two_grades() -> None:
    from sklearn.base import clone

    weights = np.where(np.arange(40) < 20, 3.0, 1.0)
    weights[5] = 0
    ranker = ranker_of(ridge(), 50).fit(X, Y, sample_weight=weights)
    drawn = np.bincount(ranker.samples_.ravel(), minlength=40)
    assert drawn[5] == 0
    # 19 rows of weight 3 and 20 of weight 1: 2000 * 57 / 77 = 1481 draws, deviation 20.
    assert abs(drawn[:20].sum() - 1481) < 100
    other = clone(ranker).fit(X, Y, sample_weight=(weights / 4).tolist())
    assert_array_equal(other.samples_, ranker.samples_)
    rare = ranker_of(n_members=30).fit(X, np.arange(40) == 3)
    # (1 - 1/40)**40 = 0.363 of all samples lack the row: 17 of 47 are expected to be drawn again.
    assert 5 <= rare.n_redrawn_ <= 40


def test_rows_come_in_every_form_and_keep_their_names() -> None:
    from scipy import sparse

    scores = ranker_of(ridge()).fit(X, Y).scores(X)
    frame = pd.DataFrame(X, columns=["one", "two"], index=[f"row {k}" for k in range(40)])
    forms = [X.tolist(), sparse.csr_matrix(X), sparse.coo_array(X), frame]
    for rows, grades in zip(forms, (Y, Y, Y.tolist(), pd.DataFrame({"y": Y})), strict=True):
        ranker = ranker_of(ridge()).fit(rows, grades)
        # Where an array lies in memory decides in which sequence a linear solver adds.
        assert_allclose(ranker.scores(rows), scores, rtol=1e-5)
    assert set(ranker.predict(frame[:2])) == {"row 0", "row 1"}
    assert set(ranker.predict(pd.concat([frame[:2], frame[:2]]))) == {0, 1, 2, 3}
    for missing in (None, math.nan):
        assert set(ranker.predict(frame[:2].set_axis(["row 0", missing]))) == {0, 1}


def test_it_stands_at_the_end_of_a_pipeline_and_inside_a_cross_validation() -> None:
    from sklearn.base import clone
    from sklearn.model_selection import cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    ranker = ranker_of(ridge())
    pipeline = make_pipeline(StandardScaler(), ranker).fit(X, Y)
    scaled = StandardScaler().fit_transform(X)
    alone = clone(ranker).fit(scaled, Y)
    names = [f"row {i}" for i in range(40)]
    G = pipeline.predict(X, items=names)
    assert list(G) == names
    assert nx.utils.graphs_equal(G, alone.predict(scaled, items=names))
    assert {type(item) for item in alone.predict(X[:2], items=np.array([30, 40]))} == {int}
    assert math.isnan(alone.score(X[:5], [1] * 5))
    half = clone(ranker).fit(X[20:], Y[20:]).score(X[:20], Y[:20])
    assert cross_val_score(ranker, X, Y, cv=2)[0] == half


def test_options_are_those_of_the_relation_and_the_cut() -> None:
    from sklearn.tree import DecisionTreeRegressor

    model = DecisionTreeRegressor(max_leaf_nodes=3, random_state=0)
    ranker = ranker_of(model, 6, ties="half", alpha=1).fit(X, Y)
    P = po.preference_relation(ranker.scores(X), ties="half")
    assert ranker.preferences(X) == P
    assert po.preference_relation(ranker.scores(X)) != P
    assert nx.utils.graphs_equal(ranker.predict(X), po.predict_order(P, alpha="consensus"))
    assert pickle.loads(pickle.dumps(ranker)).preferences(X) == P


@pytest.mark.slow
def test_without_scikit_learn_all_else_is_there() -> None:
    program = """
import sys
sys.modules["sklearn"] = None
from porank import *
import porank
assert width(chain(3)) == 1
assert not {"PartialRanker", "PartialLabelRanker"} & set(porank.__all__)
for name in "PartialRanker", "PartialLabelRanker":
    try:
        getattr(porank, name)
    except porank.PorankError as error:
        print(error)
"""
    folder = Path(po.__file__).parents[1]
    said = subprocess.check_output([sys.executable, "-c", program], cwd=folder, text=True)
    line = "cannot import sklearn; install it by pip install 'porank[learn]'"
    assert said.splitlines() == [line] * 2


#: What scikit-learn asks of estimators whose prediction is one value for each row, and why a ranker
#: cannot do it.
SHAPE = "a prediction is one graph, or a list of graphs, and has no shape"
SPARSE = {"check_estimator_sparse_array": SHAPE, "check_estimator_sparse_matrix": SHAPE}
ROW_BY_ROW = {
    "check_methods_sample_order_invariance": "one graph of all rows is no array of values",
    "check_methods_subset_invariance": "the order of some rows depends on the others",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("kind", "name", "reasons"),
    [
        pytest.param("", "naive_bayes.GaussianNB", ROW_BY_ROW, marks=pytest.mark.slow),
        pytest.param("", LINEAR[0], {**ROW_BY_ROW, **SPARSE}, marks=pytest.mark.slow),
        ("Label", "neighbors.KNeighborsRegressor", SPARSE),
    ],
)
def test_it_is_an_estimator_as_scikit_learn_wants_it(
    kind: str, name: str, reasons: dict[str, str]
) -> None:
    from sklearn.utils.estimator_checks import check_estimator

    pytest.importorskip("sklearn", minversion="1.6")  # which knows of expected failures
    options = {"n_neighbors": 1} if kind else {}
    ranker = getattr(po, f"Partial{kind}Ranker")(learner(name, **options), n_members=2, seed=0)
    results = check_estimator(ranker, expected_failed_checks=reasons, on_skip=None, on_fail="raise")
    assert len(results) > 30
    failed = {result["check_name"] for result in results if result["status"] == "xfail"}
    assert failed == set(reasons)


def samples(n_members: int, seed: Any = 0) -> Any:
    return po.bootstrap_orders(lambda rows: dict(enumerate(rows)), range(4), n_members, seed=seed)


def test_each_instance_is_as_likely_at_each_place() -> None:
    drawn = Counter(pair for sample in samples(1000) for pair in sample.items())
    assert sum(drawn.values()) == 4000
    # Each of 16 counts is 250 on average; chi-square with 12 degrees of freedom, 99.9 % below 32.9.
    assert sum((drawn[i, j] - 250) ** 2 / 250 for i in range(4) for j in range(4)) < 32.9


def test_same_seed_same_samples_and_few_are_the_first_of_many() -> None:
    many, rng = samples(8, 1), np.random.default_rng(1)
    assert samples(3, 1) == many[:3]
    assert samples(8, 2) != many
    assert samples(8, rng) == many != samples(8, rng)
    assert len(po.bootstrap_orders(lambda rows: {len(rows): 1}, [1, 2])) == 10


def test_a_sample_is_of_the_same_kind() -> None:
    from scipy import sparse

    numbers, frame = np.array([2, 0, 2]), pd.DataFrame({"x": [5, 6, 7]}, index=["a", "b", "c"])
    assert take_rows(frame, numbers).x.tolist() == [7, 5, 7]
    assert take_rows(np.array([5, 6, 7]), numbers).tolist() == [7, 5, 7]
    assert take_rows(["a", "b", "c"], numbers) == ["c", "a", "c"]
    rows = sparse.coo_array([[1, 2], [1, 2]])
    (order,) = po.bootstrap_orders(lambda sample: dict(sample.toarray().tolist()), rows, 1)
    assert order == {1: 2}


def test_a_sample_without_two_grades_is_drawn_again() -> None:
    values = np.array([0, 0, 0, 0, 1])
    rng = np.random.default_rng(0)
    samples, _, times_redrawn = zip(*(draw_sample(values, rng) for _ in range(1000)), strict=True)
    assert all(4 in rows and set(rows) != {4} for rows in samples)
    # A sample is thrown away with probability p = 0.8**5 + 0.2**5 = 0.328: p / (1 - p) = 0.488.
    assert abs(sum(times_redrawn) / 1000 - 0.488) < 0.1
    # Those kept are as if they alone had been drawn: of five rows 1 / (1 - p) are number 4.
    share = sum(np.count_nonzero(rows == 4) for rows in samples) / 1000
    assert abs(share - (1 - 5 * 0.2**5) / (1 - 0.8**5 - 0.2**5)) < 0.1


def fit(X: Any, y: Any, estimator: Any = None, weights: Any = None, **options: Any) -> Any:
    ranker = po.PartialRanker(estimator or ridge(), **({"n_members": 2, "seed": 0} | options))
    return ranker.fit(X, y, weights)


def test_bad_input_is_refused_in_words() -> None:
    from sklearn.cluster import KMeans
    from sklearn.exceptions import NotFittedError
    from sklearn.svm import LinearSVC

    rank = po.PartialRanker
    refuses("1 as n_members", fit, X, Y, n_members=0)
    refuses("'most'", fit, X, Y, alpha="most")
    refuses(r"KMeans\(n_clusters=2\) for 0 grades", fit, X, Y, KMeans(2))
    refuses("inconsistent", fit, X, Y[:5], error=ValueError)
    refuses("numbers or texts", fit, X[:2], [1, None])
    refuses(r"LinearSVC\(\) for 8 grades", fit, X, np.arange(40) % 8, LinearSVC())
    refuses("two grades", fit, X[:0], [])
    refuses("worst first, .* 'a', 'b'", fit, X[:2], ["a", "b"])
    refuses("'a', 'b', 'c'", fit, X[:3], ["a", "b", "c"], bayes())
    refuses("in grades, found 'c'", fit, X[:2], ["a", "c"], grades=["a", "b"])
    refuses("only one class: 1.0", fit, X, np.ones(40))
    refuses("a weight above zero", fit, X, Y, weights=Y)
    refuses("in 1000 draws", fit, X, Y, weights=np.where(Y, 1, 1e-300))
    refuses("PartialRanker has .* pass seed=", rank, ridge(), random_state=0, error=TypeError)
    refuses("PartialRanker .*not fitted yet", rank(ridge()).predict, X, error=NotFittedError)
    refuses("40 items, .* found 2", fit(X, Y).predict, X, items="ab")
    refuses("once in items", fit(X, Y).predict, X[:2], items="aa")
    refuses("cut at 1/4", fit(X, Y, n_members=4, alpha=0.25).predict, X, error=po.CycleError)
