"""Estimators of scikit-learn as rankers: trained on some rows, asked for one score a row.

This module imports scikit-learn, and so does whoever imports it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import generator_of, load
from porank.ensemble.bootstrap import read_rows, take_rows
from porank.ensemble.samples import draw_seed
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

base = load("sklearn.base", "learn")


def require_ranker(estimator: Any, n_labels: int | None = None) -> None:
    """Raise an error unless the estimator can be trained and asked for scores.

    Parameters
    ----------
    estimator : object
        Anything.
    n_labels : int, optional
        How many labels it will have to tell apart, if it is a classifier.

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> require_ranker(LinearSVC(), n_labels=2)
    >>> require_ranker(LinearSVC(), n_labels=3)
    Traceback (most recent call last):
    porank.errors.PorankError: expected a classifier with predict_proba for 3 grades, found
    LinearSVC(); CalibratedClassifierCV(estimator) has it, and a regressor takes the grades as
    numbers
    """
    has_all = all(hasattr(estimator, name) for name in ("fit", "get_params", "set_params"))
    kind = _kind_of(estimator) if has_all and not isinstance(estimator, type) else "unknown"
    if kind == "unknown":
        raise PorankError(
            f"expected an estimator of scikit-learn, such as LogisticRegression(), "
            f"found {estimator!r}; bootstrap_orders takes rankers of any other kind"
        )
    if kind == "classifier":
        many = n_labels is not None and n_labels > 2
        if many and not hasattr(estimator, "predict_proba"):
            raise PorankError(
                f"expected a classifier with predict_proba for {n_labels} grades, found "
                f"{estimator!r}; CalibratedClassifierCV(estimator) has it, and a regressor takes "
                "the grades as numbers"
            )
    wanted = {"classifier": ("decision_function", "predict_proba"), "regressor": ("predict",)}
    if not any(hasattr(estimator, name) for name in wanted.get(kind, ())):
        own = "; one of your own is a regressor if it inherits from sklearn.base.RegressorMixin"
        raise PorankError(
            "expected a classifier with decision_function or predict_proba, or a regressor with "
            f"predict, found {estimator!r}, which gives no scores"
            f"{'' if kind in wanted else own}"
        )


def _kind_of(estimator: Any) -> str:
    """Return what scikit-learn takes an estimator for."""
    try:
        kinds = {"classifier": base.is_classifier, "regressor": base.is_regressor}
        return next((kind for kind, is_one in kinds.items() if is_one(estimator)), "other")
    except AttributeError:  # it does not say what it is
        return "unknown"


def fit_member(estimator: Any, X: Any, y: NDArray[Any], rows: NDArray[Any], seed: int) -> Any:
    """Return a copy of the estimator, trained on the rows, all its random choices seeded.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> X, y = np.array([[0.0], [1.0], [2.0]]), np.array([0, 2, 4])
    >>> member = fit_member(LinearRegression(), X, y, np.array([0, 2, 2]), seed=0)
    >>> member.coef_.round(6).tolist()
    [2.0]
    """
    member = base.clone(estimator)
    rng = generator_of(seed)
    names = [
        name
        for name in sorted(member.get_params(deep=True))
        if name == "random_state" or name.endswith("__random_state")
    ]
    member.set_params(**{name: draw_seed(rng) for name in names})
    return member.fit(take_rows(X, rows), y[rows])


def scores_of(member: Any, X: Any, labels: Sequence[Any] | None) -> NDArray[np.float64]:
    """Return one score for each row, larger being better.

    A regressor predicts it. A classifier of two labels has its decision function or, without one,
    the probability of the better label; of more labels it has the expected place
    sum_i i p_i, where p_i is the probability of label i, the worst being 0.

    Parameters
    ----------
    member : estimator
        Trained.
    X : list, array or frame
        The rows, at least one.
    labels : sequence or None
        The labels, worst first, if it is a classifier.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> member = DummyClassifier().fit([[0]] * 4, ["low", "mid", "top", "mid"])
    >>> scores_of(member.set_params(strategy="prior"), [[0]], ["low", "mid", "top"]).tolist()
    [1.0]
    """
    n = read_rows(X, name="X")[1]
    if not base.is_classifier(member):
        return _one_a_row(member.predict(X), member, n)
    assert labels is not None, "a classifier is trained on labels"
    place = {label: number for number, label in enumerate(labels)}
    places = np.array([place[label] for label in member.classes_.tolist()], dtype=np.float64)
    if len(labels) == 2 and hasattr(member, "decision_function"):
        # It speaks for the second of the sorted labels, which may be the worse one.
        turned = float(places[1] - places[0])
        return _one_a_row(member.decision_function(X), member, n) * turned
    shares = np.asarray(member.predict_proba(X))
    if shares.shape != (n, len(places)):
        raise PorankError(
            f"expected {len(places)} probabilities for each of {n} rows from {member!r}, "
            f"found an array of shape {shares.shape}"
        )
    # Summed row by row, so that equal rows have equal sums wherever they stand.
    expected: NDArray[np.float64] = (shares * places).sum(axis=1)
    return expected


def _one_a_row(scores: Any, member: Any, n: int) -> NDArray[np.float64]:
    column = np.asarray(scores)
    if column.ndim == 2 and column.shape[1] == 1:
        column = column[:, 0]
    if column.shape != (n,) or column.dtype.kind not in "biuf":
        raise PorankError(
            f"expected one score for each row, {n} numbers, from {member!r}, "
            f"found an array of shape {column.shape} and type {column.dtype}"
        )
    return column.astype(np.float64)
