"""A scorer of rankers for scikit-learn that prices abstention: `abstention_scorer`.

Idea: *a wrong pair costs 1, an open pair at most that.*
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from porank.abstention.curve import mean_defined
from porank.core.arguments import require_share
from porank.errors import PorankError
from porank.measures.pair_table import pair_up

if TYPE_CHECKING:
    from collections.abc import Callable


def abstention_scorer(cost: float) -> Callable[[Any, Any, Any], float]:
    """Return a scorer for scikit-learn: minus the mean cost of the pairs of the target.

    A pair costs nothing if it is decided correctly, 1 if it is decided wrongly, and `cost` if it is
    left open. Correctness alone is largest for a ranker that decides little, so a search by
    correctness chooses the one that abstains most.

    Parameters
    ----------
    cost : float
        Cost of a pair that is left open, from 0 to 1. It pays to decide a pair if the probability
        of deciding it wrongly is less than this; 0.5 is the cost of a coin toss [1]_.

    Returns
    -------
    callable
        ``scorer(ranker, X, y)``, a number from -1 to 0, for ``scoring=`` of ``cross_validate`` and
        ``GridSearchCV``. The ranker is a `PartialRanker` or `PartialLabelRanker`, or a pipeline or
        a search that ends in one. For label rankers, it is the mean over the instances.

    Raises
    ------
    PorankError
        If `cost` is out of range, or the ranker is another estimator.

    See Also
    --------
    PartialRanker, PartialLabelRanker, abstention_curve

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn.model_selection import GridSearchCV
    >>> import numpy as np
    >>> import porank as po
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(80, 2))
    >>> y = X[:, 0] + rng.normal(size=80)
    >>> ranker = po.PartialRanker(LinearRegression())
    >>> for scorer in (None, po.abstention_scorer(0.4)):
    ...     search = GridSearchCV(ranker, {"alpha": ["minimal", 0.9, 1]}, scoring=scorer)
    ...     print(search.fit(X, y).best_params_)
    {'alpha': 1}
    {'alpha': 'minimal'}

    Notes
    -----
    Takes the time of `predict`. The cost is (D + cost * O) / T for D discordant and O open pairs of
    the T pairs of the target; nan without a pair.

    References
    ----------
    .. [1] C. K. Chow, "On optimum recognition error and reject tradeoff", IEEE Transactions on
       Information Theory 16(1), 1970, pp. 41-46. https://doi.org/10.1109/TIT.1970.1054406
    """
    return partial(_minus_cost, cost=require_share(cost, "cost"))


def _minus_cost(ranker: Any, X: Any, y: Any, *, cost: float) -> float:
    """Return minus the mean cost of the pairs."""
    ranker, X = _last_of(ranker, X)
    if not hasattr(ranker, "judged"):
        raise PorankError(f"expected a PartialRanker or PartialLabelRanker, found {ranker!r:.80}")
    counts = [pair_up(*both).counts for both in ranker.judged(X, y)]
    judged = [each for each in counts if each.target_pairs]
    # (D + cost * O) / T.
    costs = [(each.discordant + cost * each.target_only) / each.target_pairs for each in judged]
    return -mean_defined(costs)


def _last_of(estimator: Any, X: Any) -> tuple[Any, Any]:
    """Return the ranker that a search or a pipeline ends in, and the rows as it sees them."""
    estimator = getattr(estimator, "best_estimator_", estimator)
    if not hasattr(estimator, "steps"):
        return estimator, X
    *_, (_, last) = estimator.steps
    return _last_of(last, estimator[:-1].transform(X) if len(estimator.steps) > 1 else X)
