"""Estimators of scikit-learn as rankers: trained on some rows, asked for one score a row.

This module imports scikit-learn, and so does whoever imports it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.ensemble.bootstrap import take_rows
from porank.ensemble.samples import draw_seed
from porank.errors import PorankError
from porank.extras import load

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
    if isinstance(estimator, type) or not has_all:
        raise PorankError(
            f"expected an estimator of scikit-learn, such as LogisticRegression(), "
            f"found {estimator!r}; bootstrap_orders takes rankers of any other kind"
        )
    if _is_classifier(estimator):
        many = n_labels is not None and n_labels > 2
        if many and not hasattr(estimator, "predict_proba"):
            raise PorankError(
                f"expected a classifier with predict_proba for {n_labels} grades, found "
                f"{estimator!r}; CalibratedClassifierCV(estimator) has it, and a regressor takes "
                "the grades as numbers"
            )
        wanted = "decision_function", "predict_proba"
    else:
        wanted = "decision_function", "predict"
    if not any(hasattr(estimator, name) for name in wanted):
        raise PorankError(
            "expected a classifier with decision_function or predict_proba, or a regressor with "
            f"predict, found {estimator!r}, which gives no scores"
        )


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
    rng = np.random.default_rng(seed)
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
    if not _is_classifier(member):
        ask = getattr(member, "decision_function", None) or member.predict
        return _one_a_row(ask(X), member)
    assert labels is not None, "a classifier is trained on labels"
    place = {label: number for number, label in enumerate(labels)}
    places = np.array([place[label] for label in member.classes_.tolist()], dtype=np.float64)
    if len(labels) == 2 and hasattr(member, "decision_function"):
        # It speaks for the second of the sorted labels, which may be the worse one.
        return _one_a_row(member.decision_function(X), member) * float(places[1] - places[0])
    # Summed row by row, so that equal rows have equal sums wherever they stand.
    expected: NDArray[np.float64] = (np.asarray(member.predict_proba(X)) * places).sum(axis=1)
    return expected


def _is_classifier(estimator: Any) -> bool:
    return bool(base.is_classifier(estimator))


def _one_a_row(scores: Any, member: Any) -> NDArray[np.float64]:
    column: NDArray[np.float64] = np.asarray(scores, dtype=np.float64)
    if column.ndim == 2 and column.shape[1] == 1:
        column = column[:, 0]
    if column.ndim != 1:
        raise PorankError(
            f"expected one score for each row from {member!r}, "
            f"found an array of shape {column.shape}"
        )
    return column
