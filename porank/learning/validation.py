"""Cross-validation of a ranker: correctness with and without abstention, and completeness.

`cross_validate_ranking` returns a `CrossValidation` with a `Fold` for each fold, and means over the
folds where a measure is defined.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.curve import judge_cut
from porank.core.arguments import generator_of, load
from porank.core.progress import track
from porank.core.tables import Table, Tabular
from porank.errors import PorankError, listed
from porank.learning.bootstrap import differ, draw_seed, read_grades, take_rows
from porank.measures.correlation import gamma

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from porank.learning.bootstrap import Grades
    from porank.typing import Numbers


def cross_validate_ranking(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = 10,
    groups: Any = None,
    n_members: int = 10,
    alpha: Any = "minimal",
    ties: str = "none",
    grades: Sequence[Any] | None = None,
    n_jobs: int | None = None,
    seed: int | np.random.Generator | None = None,
) -> CrossValidation:
    """Return correctness and completeness of a ranker by fold, with and without abstention.

    In each fold, a `PartialRanker` is trained on the training rows and predicts a partial order of
    the test rows. The order is compared with their true grades: with C concordant and D discordant
    pairs and T pairs of different grades, its correctness is (C - D) / (C + D) and its completeness
    is (C + D) / T. For comparison, the estimator itself is trained once on all training rows,
    without abstention: it decides every pair with different scores.

    Parameters
    ----------
    estimator : estimator
        A classifier with ``decision_function`` or ``predict_proba``, or a regressor.
    X : array, frame, list or sparse matrix
        The rows.
    y : list, array or series
        Grade of each row.
    cv : int, splitter of scikit-learn, or iterable of pairs (train, test)
        A number is the number of shuffled folds, which are stratified if the grades are labels.
    groups : array, optional
        Groups of the rows, for splitters that need them.
    n_members, alpha, ties, grades, n_jobs : optional
        As for `PartialRanker`.
    seed : int, Generator or None
        Seed of the folds and the copies.

    Returns
    -------
    CrossValidation
        Correctness in [-1, 1] and completeness in [0, 1] of each fold. It prints as a table. If all
        training rows or all test rows of a fold have the same grade, they are nan; means leave such
        folds out, and the table counts them.

    Raises
    ------
    PorankError
        If the estimator has no scores, or the grades have no order.
    ValueError, TypeError
        As raised by scikit-learn, if the rows, the grades or the folds do not fit together.
    CycleError
        If `alpha` is a number at which a cut has a cycle.
    MissingExtraError
        If scikit-learn is not installed.

    See Also
    --------
    PartialRanker, bootstrap_orders, CrossValidation, Fold

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import LinearRegression
    >>> import porank as po
    >>> X, y = load_diabetes(return_X_y=True)
    >>> found = po.cross_validate_ranking(LinearRegression(), X, y, cv=3, seed=0)
    >>> [round(found.mean(name), 2) for name in ("correctness", "without_abstention")]
    [0.53, 0.51]
    >>> round(found.mean("completeness"), 2), found.count_undefined("completeness")
    (0.96, 0)

    Notes
    -----
    Time for each fold: training n_members + 1 copies, plus O(n**2 k) for n test rows and k members.
    No graph is written.

    References
    ----------
    .. [1] W. Cheng, M. Rademaker, B. De Baets, E. Hüllermeier, "Predicting partial orders: ranking
       with abstention", ECML PKDD 2010, Part I, pp. 215-230.
       https://doi.org/10.1007/978-3-642-15880-3_20
    """
    base = load("sklearn.base", "learn")
    from porank.learning.partial_ranker import PartialRanker, require_ranker

    if isinstance(estimator, PartialRanker):
        raise PorankError(
            "expected a plain estimator, found a PartialRanker; pass ranker.estimator, and its "
            "n_members, alpha and ties by name"
        )
    X, y, groups = load("sklearn.utils", "learn").indexable(X, y, groups)
    as_classes = bool(base.is_classifier(estimator))
    read = read_grades(y, grades=grades, as_classes=as_classes)
    require_ranker(estimator, n_labels=len(read.labels or ()))
    rng = generator_of(seed)
    settings = {"alpha": alpha, "ties": ties, "grades": grades, "n_jobs": n_jobs}
    folds = []
    for train, test in track(_splits(cv, X, read, groups, rng), label="folds"):
        ranker = PartialRanker(estimator, n_members, seed=draw_seed(rng), **settings)
        if differ(read.values[train]):
            ranker.fit(take_rows(X, train), take_rows(y, train))
            targets = read.targets if as_classes else read.values
            folds.append(_judged_fold(ranker, X, targets, read.values, train, test))
        else:
            remark = "all training rows have the same grade"
            undefined = math.nan, math.nan, math.nan, None
            folds.append(Fold(*undefined, len(train), len(test), remark))
    return CrossValidation(tuple(folds))


def _judged_fold(
    ranker: Any, X: Any, targets: Any, values: Any, train: Numbers, test: Numbers
) -> Fold:
    """Return the scores of a ranker, and of its estimator alone, on the test rows of a fold."""
    from porank.learning.partial_ranker import fit_member, scores_of

    X_test, truth = take_rows(X, test), values[test]
    P = ranker.preferences(X_test, items=range(len(test)))
    correctness, completeness, alpha = judge_cut(truth, P, ranker.alpha)
    once = fit_member(ranker.estimator, X, targets, train, ranker.seed)
    labels = ranker.classes_.tolist() if hasattr(ranker, "classes_") else None
    without = gamma(truth, scores_of(once, X_test, labels), undefined=math.nan)
    remark = ""
    if not differ(truth):
        remark = "all test rows have the same grade"
    elif math.isnan(correctness) or math.isnan(without):
        remark = "no pair with different grades is decided"
    return Fold(correctness, completeness, without, alpha, len(train), len(test), remark)


def _splits(
    cv: Any, X: Any, read: Grades, groups: Any, rng: np.random.Generator
) -> list[tuple[Numbers, Numbers]]:
    """Return the numbers of the training rows and the test rows of each fold."""
    check_cv = load("sklearn.model_selection", "learn").check_cv
    splitter = check_cv(cv, read.values, classifier=read.labels is not None)
    if isinstance(cv, Integral):
        splitter.shuffle, splitter.random_state = True, draw_seed(rng)
    # Train and test may be masks.
    rows = np.arange(len(read.values))
    splits = splitter.split(X, read.targets, groups)
    return [(rows[np.asarray(train)], rows[np.asarray(test)]) for train, test in splits]


#: The measures of each fold.
MEASURES = ("correctness", "without_abstention", "completeness")


@dataclass(frozen=True)
class Fold:
    """The results of one fold of a cross-validation.

    Attributes
    ----------
    correctness, completeness : float
        Of the partial order of the test rows that the ranker predicts; nan if undefined.
    without_abstention : float
        Correctness of the estimator itself, trained once on all training rows.
    alpha : Fraction or None
        The threshold; None if nothing could be trained.
    n_train, n_test : int
        Numbers of training and test rows.
    remark : str
        Why something is undefined, otherwise empty.

    See Also
    --------
    cross_validate_ranking, CrossValidation

    Examples
    --------
    >>> from porank.results import Fold
    >>> Fold(0.9, 0.5, 0.8, None, 90, 10).remark
    ''
    """

    correctness: float
    completeness: float
    without_abstention: float
    alpha: Fraction | None
    n_train: int
    n_test: int
    remark: str = ""


@dataclass(frozen=True)
class CrossValidation(Tabular):
    """The results of `cross_validate_ranking`.

    Means and deviations are over the folds where the measure is defined.

    Attributes
    ----------
    folds : tuple of Fold
        The results of each fold: `correctness`, `completeness`, `without_abstention`, `alpha`,
        `n_train`, `n_test`, and a `remark` if something is undefined.

    Raises
    ------
    PorankError
        If a measure is not ``"correctness"``, ``"without_abstention"`` or ``"completeness"``.

    See Also
    --------
    cross_validate_ranking, Fold

    Examples
    --------
    >>> from porank.results import CrossValidation, Fold
    >>> nan = float("nan")
    >>> folds = Fold(1.0, 0.5, 0.5, None, 8, 2), Fold(nan, nan, nan, None, 8, 2, "one grade")
    >>> found = CrossValidation(folds)
    >>> found.mean("correctness"), found.count_undefined("correctness")
    (1.0, 1)

    Notes
    -----
    Time and memory O(folds).
    """

    folds: tuple[Fold, ...]

    def mean(self, measure: str) -> float:
        """Return the mean over the folds where the measure is defined, nan if there are none."""
        values = self._defined(measure)
        return fmean(values) if values else math.nan

    def deviation(self, measure: str) -> float:
        """Return the sample standard deviation over these folds, nan if there are fewer than two.

        Folds share training rows, so it does not measure how precise the mean is.
        """
        values = self._defined(measure)
        return stdev(values) if len(values) > 1 else math.nan

    def count_undefined(self, measure: str) -> int:
        """Return the number of folds in which the measure is undefined."""
        return len(self.folds) - len(self._defined(measure))

    def _defined(self, measure: str) -> list[float]:
        """Return the values of a measure in the folds where it is defined."""
        if measure not in MEASURES:
            raise PorankError(f"expected one of {listed(MEASURES)}, found {measure!r}")
        values = (getattr(fold, measure) for fold in self.folds)
        return [value for value in values if not math.isnan(value)]

    def to_table(self) -> Table:
        """Return a row for each fold, then means, deviations, and numbers of undefined values."""
        names = (name.replace("_", " ") for name in MEASURES)
        rows: list[tuple[object, ...]] = []
        for number, fold in enumerate(self.folds, start=1):
            figures = (getattr(fold, name) for name in MEASURES)
            sizes = fold.n_train, fold.n_test
            rows.append((str(number), *sizes, fold.alpha, *figures, fold.remark or None))
        figures_below = (self.mean, self.deviation, self.count_undefined)
        for word, figure in zip(("mean", "deviation", "undefined"), figures_below, strict=True):
            rows.append((word, None, None, None, *map(figure, MEASURES), None))
        return Table(("fold", "train", "test", "alpha", *names, "remark"), rows)
