"""A scikit-learn estimator as a ranker that abstains.

Idea: *train the estimator on several bootstrap samples, let each copy score the rows, and prefer a
row to another if enough copies do.* This module imports scikit-learn when it is imported.

`PartialRanker`; for one copy of an estimator `require_ranker`, `fit_member`,
`scores_of`.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
from scipy import special, stats

from porank.abstention.curve import abstention_curve, mean_defined
from porank.abstention.prediction import predict_order
from porank.abstention.preference_relation import preference_relation
from porank.core.arguments import distinct_items, generator_of, load, require_count
from porank.core.progress import track
from porank.core.scores import plain_number
from porank.errors import PorankError, listed
from porank.learning.bootstrap import differ, draw_sample, draw_seed, read_grades, take_rows
from porank.measures.correlation import gamma

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.abstention.preference_relation import PreferenceRelation
    from porank.typing import Item, OrderLike


base = load("sklearn.base", "learn")
parallel = load("sklearn.utils.parallel", "learn")
utils = load("sklearn.utils", "learn")
validation = load("sklearn.utils.validation", "learn")


#: The threshold that is the minimal one if the ranker is better than chance.
TESTED = "tested"
#: The ranker is better than chance if its p-value is at most this.
_LEVEL = 0.05


def require_ranker(estimator: Any, n_labels: int = 2) -> None:
    """Raise an error unless a scikit-learn estimator can score the rows."""
    wanted: tuple[str, ...] = ("predict",) if base.is_regressor(estimator) else ()
    if base.is_classifier(estimator):
        wanted = ("decision_function", "predict_proba")[n_labels > 2 :]
    if not any(hasattr(estimator, name) for name in wanted):
        raise PorankError(
            "expected a regressor with predict, or a classifier with decision_function or "
            "predict_proba (the latter for more than two grades), found "
            f"{estimator!r} for {n_labels} grades; for any other ranker, use bootstrap_orders"
        )


def fit_member(estimator: Any, X: Any, y: NDArray[Any], rows: NDArray[Any], seed: int) -> Any:
    """Return a copy of the ranker's estimator, seeded and trained on a bootstrap sample."""
    member = base.clone(estimator)
    rng = generator_of(seed)
    names = sorted(member.get_params(deep=True))
    seeded = [name for name in names if name.split("__")[-1] == "random_state"]
    member.set_params(**{name: draw_seed(rng) for name in seeded})
    return member.fit(take_rows(X, rows), y[rows])


def scores_of(member: Any, X: Any, labels: Sequence[Any] | None) -> NDArray[np.float64]:
    """Return the score of each row by a trained estimator, larger is better."""
    if not base.is_classifier(member):
        return _one_a_row(member.predict(X))
    assert labels is not None, "a classifier is trained on labels"
    place = {label: number for number, label in enumerate(labels)}
    places = np.array([place[label] for label in member.classes_.tolist()], dtype=np.float64)
    if len(labels) == 2 and hasattr(member, "decision_function"):
        # It is the score of the second of the sorted labels, which may be the worse one.
        sign = float(places[1] - places[0])
        return _one_a_row(member.decision_function(X)) * sign
    # The sum over grades i of i p_i, row by row, so equal rows have exactly equal sums.
    expected: NDArray[np.float64] = (np.asarray(member.predict_proba(X)) * places).sum(axis=1)
    return expected


def _one_a_row(scores: Any) -> NDArray[np.float64]:
    """Return the scores of a ranker's estimator as an array with one for each row."""
    column: NDArray[np.float64] = validation.column_or_1d(scores, dtype=np.float64)
    return column


def p_value_of_ranks(scores: NDArray[np.float64], values: NDArray[Any]) -> float:
    """Return the p-value of how well scores of rows by copies not trained on them rank grades.

    Scores are members x rows, nan for rows that a copy was trained on. A copy gives a row its mean
    rank among the rows that it was not trained on, from 0 to 1; r is Spearman's correlation of the
    means over copies with the grades.
    """
    is_out = ~np.isnan(scores)
    ranks = stats.rankdata(scores, axis=1, nan_policy="omit") / (1 + is_out.sum(axis=1)[:, None])
    some = np.flatnonzero(is_out.any(axis=0))
    means = stats.rankdata(np.nanmean(ranks[:, some], axis=0).round(12))
    grades = stats.rankdata(values[some])
    spread = means.std() * grades.std()
    if some.size < 2 or not spread:
        return 1.0
    r = ((means - means.mean()) * (grades - grades.mean())).mean() / spread
    # If grades are noise, Var(r) = 1 / (n - 1) for fixed scores. But two rows are each scored by
    # copies trained on the other one, which doubles the variance: z = r ((n - 1) / 2)^(1/2).
    return float(special.ndtr(-r * np.sqrt((some.size - 1) / 2)))


@dataclass(eq=False, repr=False)
class RankerEnsemble(base.MetaEstimatorMixin, base.BaseEstimator):  # type: ignore[misc, name-defined]
    """Copies of an estimator trained on samples: the common part of rankers of rows and labels."""

    estimator: Any
    n_members: int = 10
    _: KW_ONLY
    seed: int | np.random.Generator | None = 0
    alpha: Any = "minimal"
    ties: str = "none"
    n_jobs: int | None = None

    def __new__(cls, *_: Any, **options: Any) -> Any:
        """Make a ranker, or say how its seed is called."""
        if "random_state" in options:
            raise TypeError(f"{cls.__name__} has no random_state, pass seed= instead")
        return super().__new__(cls)

    def _train(self, X: Any, targets: NDArray[Any], samples: Sequence[tuple[Any, int]]) -> None:
        """Train a copy on each sample (rows and seed), and keep what it knows about features."""
        tasks = track(samples, label="members")
        self.estimators_ = parallel.Parallel(n_jobs=self.n_jobs)(
            parallel.delayed(fit_member)(self.estimator, X, targets, rows, seed)
            for rows, seed in tasks
        )
        self.samples_ = np.array([rows for rows, _ in samples])
        for name in ("n_features_in_", "feature_names_in_"):
            # Remove attributes of an earlier fit.
            self.__dict__.pop(name, None)
            if hasattr(self.estimators_[0], name):
                setattr(self, name, getattr(self.estimators_[0], name))

    def _require_options(self) -> None:
        """Raise errors for options of the prediction before the training, which may take hours."""
        alpha = "minimal" if self.alpha == TESTED else self.alpha
        predict_order(preference_relation([[0]], ties=self.ties), alpha=alpha)

    def _cut(self, P: PreferenceRelation) -> nx.DiGraph:
        """Return the prediction."""
        return predict_order(P, alpha=self.alpha)

    def judged(self: Any, X: Any, y: Any) -> list[tuple[OrderLike, nx.DiGraph]]:
        """Return each true order with the prediction for it; rows are numbered."""
        return [*zip(self._truths(y), map(self._cut, self._relations(X)), strict=True)]

    def score(self, X: Any, y: Any) -> float:
        """Return the mean correctness of the predictions for which it is defined, else nan.

        Parameters
        ----------
        X : array, frame, list or sparse matrix
            The rows.
        y : array, frame or list
            The truth, as in `fit`.
        """
        return mean_defined(gamma(*both) for both in self.judged(X, y))

    def abstention_curve(self: Any, X: Any, y: Any) -> Any:
        """Return the `MeanCurve` at all thresholds, as `abstention_curve` does for many relations.

        Parameters
        ----------
        X : array, frame, list or sparse matrix
            The rows.
        y : array, frame or list
            The truth, as in `fit`.
        """
        return abstention_curve(self._relations(X), self._truths(y))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        if hasattr(self.estimator, "__sklearn_tags__"):
            tags.input_tags = utils.get_tags(self.estimator).input_tags
        return tags


@dataclass(eq=False, repr=False, kw_only=True)
class PartialRanker(RankerEnsemble):
    """A partial ranker made from any scikit-learn estimator; it abstains where it is unsure.

    Copies of the estimator are trained on bootstrap samples, and each ranks new rows by its scores.
    P(a, b) is the share of copies that rank a above b, and the prediction is the closure of {(a, b)
    : P(a, b) >= alpha} [1]_. By default it prefers no row to another unless the copies rank the
    rows that they were not trained on better than chance, because copies of a ranker that learnt
    noise may well agree.

    Parameters
    ----------
    estimator : estimator
        A classifier with ``decision_function`` or ``predict_proba``, or a regressor; also a
        pipeline or a search that ends in one. For more than two grades, a classifier needs
        ``predict_proba``: its score is the expected index of the grade, sum_i i p_i.
    n_members : int
        Number of copies.
    seed : int, Generator or None
        Seed of the samples and copies; the results do not depend on `n_jobs`. It also sets each
        ``random_state`` inside the estimator.
    alpha : {"tested", "minimal", "consensus", "majority"} or number in (0, 1]
        Threshold of `predict`, as for `predict_order`. "tested" is "minimal" if `p_value_` is at
        most 0.05, and otherwise `predict` leaves all pairs open.
    ties : {"none", "half"}
        Whether a copy with equal scores for two rows adds nothing or half a vote to either side, as
        for `preference_relation`.
    grades : sequence, optional
        The labels, worst first. By default numbers ascend, ordered pandas categories keep their
        order, and of two strings the alphabetically second one is better, as in scikit-learn.
    n_jobs : int, optional
        Number of copies that are trained in parallel, by joblib with any of its backends.

    Attributes
    ----------
    estimators_ : list
        The trained copies.
    samples_ : array of int, members x rows
        The numbers of the rows that each copy was trained on.
    p_value_ : float
        Probability that noise as grades is ranked as well, on the rows that a copy was not trained
        on. It assumes that rows are independent.
    n_redrawn_ : int
        Number of samples that were drawn again because all their rows had the same grade.
    classes_ : array
        The labels that occur, worst first; missing for a regressor of plain numbers.
    n_features_in_, feature_names_in_ : int, array of str
        The features seen in `fit`, if the estimator has them.

    Raises
    ------
    PorankError
        If the estimator has no scores, or the grades have no order or are all the same.
    ValueError, TypeError
        As raised by scikit-learn, if rows and grades do not fit together.
    NotFittedError
        As raised by scikit-learn, if a method is called before `fit`.

    See Also
    --------
    bootstrap_orders, PartialLabelRanker, preference_relation, abstention_scorer

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> import porank as po
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(80, 2))
    >>> y = X[:, 0] + rng.normal(size=80) > 0
    >>> ranker = po.PartialRanker(LogisticRegression(), n_members=10, seed=0).fit(X, y)
    >>> rows = [[1, 0], [0, 0], [0.1, -1], [-1, 1]]
    >>> G = ranker.predict(rows, items="ABCD")
    >>> ranker.p_value_ < 0.001, po.format_order(G), str(G.graph["alpha"])
    (True, 'A > B > C > D', '3/10')
    >>> str(ranker.preferences(rows).degree(1, 2))
    '4/5'

    From grades that are noise it learns no order.

    >>> po.format_order(ranker.fit(X, rng.integers(2, size=80)).predict(rows, items="ABCD"))
    'A; B; C; D'

    Notes
    -----
    Time of training k copies of the estimator and scoring rows with them, plus the time of
    `preference_relation` and `predict_order`, O(n**2 k) and O(n**2 log k) for n rows.

    The seed is called `seed`, as everywhere in porank, instead of ``random_state``, because it may
    also be a Generator. A cloned ranker has a copy of that Generator.

    References
    ----------
    .. [1] W. Cheng, M. Rademaker, B. De Baets, E. Hüllermeier, "Predicting partial orders: ranking
       with abstention", ECML PKDD 2010, Part I, pp. 215-230.
       https://doi.org/10.1007/978-3-642-15880-3_20
    """

    alpha: Any = TESTED
    grades: Sequence[Any] | None = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> PartialRanker:
        """Train copies of the estimator on bootstrap samples of the rows.

        Parameters
        ----------
        X : array, frame, list or sparse matrix
            The rows, in any form that the estimator accepts.
        y : list, array or series
            Grade of each row: numbers, where larger is better, or labels.
        sample_weight : array, optional
            Weight of each row; the probability that it is drawn is proportional to it.
        """
        n_members = require_count(self.n_members, name="n_members", least=1)
        self._require_options()
        is_class = bool(base.is_classifier(self.estimator))
        X, y, sample_weight = utils.indexable(X, y, sample_weight)
        read = read_grades(y, grades=self.grades, as_classes=is_class)
        require_ranker(self.estimator, n_labels=len(read.labels or ()))
        rng = generator_of(self.seed)
        values, shares = read.values, None
        if sample_weight is not None:
            weights = validation.column_or_1d(sample_weight, dtype=np.float64)
            shares = weights / weights.sum()
        if not differ(values if shares is None else values[shares > 0]):
            raise PorankError(
                "expected training rows with at least two grades, and a weight above zero, "
                f"found only one class: {listed(read.targets[:1].tolist())}"
            )
        drawn = [draw_sample(values, rng, shares) for _ in range(n_members)]
        y = read.targets if is_class else values
        self._train(X, y, [(sample, seed) for sample, seed, _ in drawn])
        self.n_redrawn_ = sum(n_redrawn for _, _, n_redrawn in drawn)
        self.__dict__.pop("classes_", None)
        if read.labels is not None:
            self.classes_ = np.array(read.labels)
        self._scale = read.scale
        self.p_value_ = p_value_of_ranks(self._scores_left_out(X, values, shares), values)
        return self

    def _scores_left_out(
        self, X: Any, values: NDArray[Any], shares: NDArray[Any] | None
    ) -> NDArray[np.float64]:
        """Return the scores of the training rows that copies were not trained on, else nan."""
        scores = np.full((len(self.samples_), len(values)), np.nan)
        is_used = np.ones(len(values), dtype=bool) if shares is None else shares > 0
        for row, (member, sample) in enumerate(zip(self.estimators_, self.samples_, strict=True)):
            out = np.setdiff1d(np.flatnonzero(is_used), sample)
            if out.size:
                scores[row, out] = scores_of(member, take_rows(X, out), self._labels)
        return scores

    @property
    def _labels(self) -> list[Any] | None:
        """The labels, worst first, if there are any."""
        return self.classes_.tolist() if hasattr(self, "classes_") else None

    def scores(self, X: Any) -> NDArray[np.float64]:
        """Return the scores of the rows by each copy, members x rows."""
        validation.check_is_fitted(self, "estimators_")
        (X,) = utils.indexable(X)
        return np.array([scores_of(member, X, self._labels) for member in self.estimators_])

    def preferences(self, X: Any, *, items: Sequence[Item] | None = None) -> PreferenceRelation:
        """Return the degree to which the copies prefer each row to each other one.

        Parameters
        ----------
        X : array, frame, list or sparse matrix
            The rows.
        items : sequence, optional
            Names of the rows; by default the index of a frame, or 0, ..., n - 1.
        """
        (P,) = self._relations(X)
        n = len(P.items)
        names = distinct_items(_names_of(X, n) if items is None else items, name="items")
        if len(names) != n:
            raise PorankError(f"expected {n} items, one for each row, found {len(names)}")
        return replace(P, items=tuple(map(plain_number, names)))

    def predict(self, X: Any, *, items: Sequence[Item] | None = None) -> nx.DiGraph:
        """Return the rows as a partial order, as `predict_order` does.

        The result is one graph for all rows instead of a value for each row, so it does not work
        with `cross_val_predict` of scikit-learn, which concatenates values. Use its
        `cross_validate` with a scorer.

        Parameters
        ----------
        X : array, frame, list or sparse matrix
            The rows. Which of two rows is preferred may depend on the other rows, because the
            threshold does.
        items : sequence, optional
            Names of the rows; by default the index of a frame, or 0, ..., n - 1.
        """
        return self._cut(self.preferences(X, items=items))

    def _relations(self, X: Any) -> list[PreferenceRelation]:
        """Return the relation of the numbers of the rows."""
        return [preference_relation(self.scores(X), ties=self.ties)]

    def _truths(self, y: Any) -> list[OrderLike]:
        """Return the true order of the numbers of the rows."""
        # The order of grades is that of `fit`, so the categories of y are ignored.
        return [read_grades(np.asarray(y), grades=self._scale).values]

    def _cut(self, P: PreferenceRelation) -> nx.DiGraph:
        """Return the prediction, without pairs if the ranker is no better than chance."""
        if self.alpha != TESTED or self.p_value_ <= _LEVEL:
            return predict_order(P, alpha="minimal" if self.alpha == TESTED else self.alpha)
        nothing = nx.empty_graph(P.items, create_using=nx.DiGraph)
        nothing.graph.update(alpha=None, least_degree=None)
        return nothing


def _names_of(X: Any, n: int) -> Sequence[Item]:
    """Return the names of the rows to rank: the unique index of a frame, or 0, ..., n - 1."""
    index = getattr(X, "index", None)
    if index is None or not getattr(index, "is_unique", False):
        return range(n)
    names: list[Item] = index.tolist()
    return range(n) if any(name is None or name != name for name in names) else names
