"""Label ranking with abstention: a partial order of the same labels for each instance.

Idea: *train an estimator with several outputs, the ranks of the labels, on bootstrap samples; for
each instance, prefer a label to another if enough copies do.* The samples are drawn once, for all
instances. This module imports scikit-learn.

`PartialLabelRanker`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.preference_relation import preference_relation
from porank.core.arguments import distinct_items, generator_of, load, require_count
from porank.core.scores import plain_number
from porank.errors import PorankError
from porank.learning.bootstrap import draw_seed
from porank.learning.partial_ranker import RankerEnsemble

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx
    from numpy.typing import NDArray

    from porank.abstention.preference_relation import PreferenceRelation
    from porank.typing import Item, OrderLike

base = load("sklearn.base", "learn")
utils = load("sklearn.utils", "learn")
validation = load("sklearn.utils.validation", "learn")


@dataclass(eq=False, repr=False, kw_only=True)
class PartialLabelRanker(RankerEnsemble):
    """A label ranker that abstains, made from a scikit-learn estimator with several outputs.

    An instance is a row of features, and its target is an order of L labels, given as ranks. Copies
    of the estimator are trained on bootstrap samples of the instances, and each predicts the ranks
    of the labels for a new instance. P(a, b) is the share of copies that rank label a above label
    b, and the prediction is the closure of {(a, b) : P(a, b) >= alpha} [1]_.

    Parameters
    ----------
    estimator : estimator
        A regressor with several outputs, which predicts the ranks. ``MultiOutputRegressor`` makes
        one from a regressor with one output.
    n_members : int
        Number of copies.
    seed : int, Generator or None
        Seed of the samples and copies; the results do not depend on `n_jobs`.
    alpha : {"minimal", "consensus", "majority"} or number in (0, 1]
        Threshold of `predict`, as for `predict_order`, for each instance separately.
    ties : {"none", "half"}
        Whether a copy that predicts equal ranks adds nothing or half a vote to either side, as for
        `preference_relation`.
    labels : sequence, optional
        Names of the labels; by default the columns of a frame of ranks, or 0, ..., L - 1.
    n_jobs : int, optional
        Number of copies that are trained in parallel, by joblib with any of its backends.

    Attributes
    ----------
    estimators_ : list
        The trained copies.
    samples_ : array of int, members x rows
        The numbers of the instances that each copy was trained on.
    labels_ : list
        The labels.
    n_features_in_, feature_names_in_ : int, array of str
        The features seen in `fit`, if the estimator has them.

    Raises
    ------
    PorankError
        If the estimator has only one output.
    ValueError, TypeError
        As raised by scikit-learn, if a rank is missing or not a number.
    NotFittedError
        As raised by scikit-learn, if a method is called before `fit`.

    See Also
    --------
    PartialRanker, bootstrap_orders, predict_order, abstention_scorer

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsRegressor
    >>> import porank as po
    >>> ages = [[20], [25], [30], [45], [60], [70]]
    >>> ranks = [[3, 2, 1], [3, 2, 1], [3, 1, 2], [2, 1, 3], [1, 2, 3], [1, 2, 3]]
    >>> drinks, nearest = ["tea", "cola", "mate"], KNeighborsRegressor(n_neighbors=1)
    >>> ranker = po.PartialLabelRanker(nearest, alpha="consensus", labels=drinks, seed=0)
    >>> young, old = ranker.fit(ages, ranks).predict([[22], [50]])
    >>> po.format_order(young), po.format_order(old)
    ('cola > tea; mate', 'cola > mate; tea > mate')

    Notes
    -----
    Time of training k copies of the estimator, plus O(L**2 k) for each instance.

    References
    ----------
    .. [1] W. Cheng, M. Rademaker, B. De Baets, E. Hüllermeier, "Predicting partial orders: ranking
       with abstention", ECML PKDD 2010, Part I, pp. 215-230.
       https://doi.org/10.1007/978-3-642-15880-3_20
    """

    labels: Sequence[Item] | None = None

    def fit(self, X: Any, y: Any) -> PartialLabelRanker:
        """Train copies of the estimator on bootstrap samples of the instances.

        Parameters
        ----------
        X : array, frame, list or sparse matrix
            Features of the instances, in any form that the estimator accepts.
        y : array, frame or list of rows
            Rank of each label for each instance, 1 for the best; equal ranks are ties.
        """
        n_members = require_count(self.n_members, name="n_members", least=1)
        self._require_options()
        _require_outputs(self.estimator)
        labels, ranks = self._read_targets(y)
        X, ranks = utils.indexable(X, ranks)
        n = len(ranks)
        rng = generator_of(self.seed)
        samples = [(rng.integers(n, size=n), draw_seed(rng)) for _ in range(n_members)]
        self._train(X, ranks[:, 0] if len(labels) == 1 else ranks, samples)
        self.labels_ = labels
        return self

    def scores(self, X: Any) -> NDArray[np.float64]:
        """Return the scores of the labels, larger is better: members x instances x labels."""
        validation.check_is_fitted(self, "estimators_")
        (X,) = utils.indexable(X)
        found = [-np.asarray(member.predict(X), dtype=np.float64) for member in self.estimators_]
        return np.array(found).reshape(len(found), -1, len(self.labels_))

    def preferences(self, X: Any) -> list[PreferenceRelation]:
        """Return for each instance the degree to which the copies prefer each label to each other.

        Parameters
        ----------
        X : array, frame, list or sparse matrix
            Features of the instances.
        """
        scores, labels = self.scores(X), tuple(map(plain_number, self.labels_))
        return [
            replace(preference_relation(scores[:, row], ties=self.ties), items=labels)
            for row in range(scores.shape[1])
        ]

    def predict(self, X: Any) -> list[nx.DiGraph]:
        """Return for each instance a partial order of the labels, as `predict_order` does.

        Parameters
        ----------
        X : array, frame, list or sparse matrix
            Features of the instances.
        """
        return [self._cut(P) for P in self.preferences(X)]

    def _relations(self, X: Any) -> list[PreferenceRelation]:
        """Return the relation of each instance."""
        return self.preferences(X)

    def _truths(self, y: Any) -> list[OrderLike]:
        """Return the true order of the labels for each instance."""
        _, ranks = self._read_targets(y)
        return [dict(zip(self.labels_, row, strict=True)) for row in (-ranks).tolist()]

    def _read_targets(self, y: Any) -> tuple[list[Any], NDArray[np.float64]]:
        """Return the labels, and the ranks of all labels for each instance."""
        if y is None:
            raise PorankError(
                "expected the ranks of the labels, found none: "
                "PartialLabelRanker requires y to be passed, but the target y is None"
            )
        ranks = utils.check_array(y, dtype=np.float64, input_name="y")
        given = self.labels if self.labels is not None else getattr(y, "columns", None)
        labels = list(
            distinct_items(range(ranks.shape[1]) if given is None else given, name="labels")
        )
        if len(labels) != ranks.shape[1]:
            raise PorankError(
                f"expected {ranks.shape[1]} labels, one for each column, found {len(labels)}"
            )
        return labels, ranks

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.single_output, tags.target_tags.multi_output = False, True
        return tags


def _require_outputs(estimator: Any) -> None:
    """Raise an error unless an estimator for label ranking predicts the ranks of all labels."""
    if not base.is_regressor(estimator) or not utils.get_tags(estimator).target_tags.multi_output:
        raise PorankError(
            f"expected a regressor with several outputs, found {estimator!r}; "
            "use sklearn.multioutput.MultiOutputRegressor(regressor)"
        )
