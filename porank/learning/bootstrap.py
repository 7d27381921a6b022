"""Bootstrap samples: rows drawn with replacement, and a ranker trained on each sample.

The predictions of a ranker depend on the data it was trained on. Trained on several samples of the
same data, it gives several orders, and where they agree it can be relied upon.

If grades are known, rows are drawn until they have at least two grades, optionally with weights. A
grade is a number, where larger is better, or a label of one of several ordered classes.

`bootstrap_orders`; samples: `take_rows`, `draw_sample`, `draw_seed`; grades: `Grades`,
`read_grades`, `differ`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.abstention.ensembles import read_members
from porank.core.arguments import distinct_items, generator_of, load, require_count
from porank.core.progress import track
from porank.errors import PorankError, a_kind, listed, quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from porank.typing import Numbers, OrderLike


def bootstrap_orders(
    ranker: Callable[[Any], OrderLike],
    data: Any,
    n_members: int = 10,
    *,
    seed: int | np.random.Generator | None = None,
) -> list[OrderLike]:
    """Return the orders that a ranker predicts when trained on bootstrap samples.

    A bootstrap sample of n instances is n instances drawn with replacement. The ranker is any
    function from a sample to an order: a label ranker trains on the sample and ranks the labels for
    a new instance, an object ranker learns from it to rank given objects, and a voting rule takes
    the votes and ranks the candidates. `preference_relation` turns the orders into one relation
    [1]_.

    Parameters
    ----------
    ranker : callable
        ``ranker(sample) -> order``: a DiGraph, ranks or scores, always on the same items.
    data : list, array, frame or sparse matrix
        The instances. Samples have the same type; samples of a range are lists. If the data are in
        several arrays, pass the row numbers, ``range(n)``, and let the ranker take row numbers.
    n_members : int
        Number of samples, at least 1.
    seed : int, Generator or None
        Seed of the samples. With the same seed, a smaller number of members gives the first of
        them.

    Returns
    -------
    list of DiGraph, ranks, or scores
        The order of each sample, as returned by the ranker.

    Raises
    ------
    PorankError
        If there are no instances, or `data` is not a sequence; if the ranker returns something
        other than an order, or orders with different items. The error names the member.

    See Also
    --------
    PartialRanker, PartialLabelRanker, preference_relation

    Examples
    --------
    >>> import porank as po
    >>> votes = ["abc", "abc", "abc", "bac", "acb"]
    >>> def points(votes):
    ...     return {item: -sum(vote.index(item) for vote in votes) for item in "abc"}
    >>> members = po.bootstrap_orders(points, votes, n_members=20, seed=0)
    >>> P = po.preference_relation(members)
    >>> str(P.degree("a", "b")), str(P.degree("b", "c"))
    ('19/20', '1')

    Notes
    -----
    Time of n_members calls of the ranker, plus O(n) for each sample.

    References
    ----------
    .. [1] W. Cheng, M. Rademaker, B. De Baets, E. Hüllermeier, "Predicting partial orders: ranking
       with abstention", ECML PKDD 2010, Part I, pp. 215-230.
       https://doi.org/10.1007/978-3-642-15880-3_20
    """
    if not callable(ranker):
        raise PorankError(f"expected a function of a sample as ranker, found {quoted(ranker)}")
    n_members = require_count(n_members, name="n_members", least=1)
    data, n = _read_instances(data)
    if not n:
        raise PorankError("expected at least one instance to draw from, found none")
    rng = generator_of(seed)
    orders = [
        ranker(take_rows(data, rng.choice(n, size=n)))
        for _ in track(range(n_members), label="members")
    ]
    read_members(orders)
    return orders


def _read_instances(data: Any) -> tuple[Any, int]:
    """Return the instances for bootstrap samples, which are drawn by number, and their number."""
    if hasattr(data, "tocsr"):
        data = data.tocsr()  # other sparse matrices cannot be indexed by rows, or only slowly
    if hasattr(data, "shape"):
        return data, int(data.shape[0])
    # A tuple of two arrays would count as two rows, which is never intended.
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes, tuple)):
        return data, len(data)
    raise PorankError(
        f"expected a list, an array or a frame of instances as data, found {a_kind(data)}; if the "
        "data are in several arrays, pass the row numbers, range(n)"
    )


def take_rows(data: Any, numbers: NDArray[Any]) -> Any:
    """Return the rows of a bootstrap sample in a table of the same type; for a range, a list."""
    if hasattr(data, "iloc"):
        return data.iloc[numbers]
    if hasattr(data, "shape"):
        return data[numbers]
    return [data[number] for number in numbers.tolist()]


#: Maximum number of draws for a sample with two grades.
_MOST_DRAWS = 1000
#: All estimators accept seeds below this.
_SEEDS = 2**31 - 1


def draw_seed(rng: np.random.Generator) -> int:
    """Return a random seed for an estimator or a splitter of scikit-learn."""
    return int(rng.integers(_SEEDS))


def draw_sample(
    values: NDArray[Any], rng: np.random.Generator, shares: NDArray[np.float64] | None = None
) -> tuple[Numbers, int, int]:
    """Return rows drawn until they have two grades, a seed, and the number of failed draws."""
    for n_redrawn in range(_MOST_DRAWS):
        rows = rng.choice(len(values), size=len(values), p=shares)
        if differ(values[rows]):
            return rows, draw_seed(rng), n_redrawn
    raise PorankError(
        f"expected a sample of rows with two grades, found none in {_MOST_DRAWS} draws; "
        "increase the weights of rows of the other grades"
    )


class Grades(NamedTuple):
    """The grade of each row of training data, and the labels of the grades."""

    values: NDArray[Any]
    targets: NDArray[Any]
    labels: list[Any] | None
    scale: list[Any] | None = None


def differ(values: NDArray[Any]) -> bool:
    """Return whether rows have at least two different grades."""
    return bool(len(values)) and bool((values != values[0]).any())


def read_grades(y: Any, *, grades: Sequence[Any] | None = None, as_classes: bool = False) -> Grades:
    """Return the grades of the training rows, which are numbers or ordered labels."""
    validation = load("sklearn.utils.validation", "learn")
    if grades is None and getattr(getattr(y, "dtype", None), "ordered", False):
        grades = list(y.dtype.categories)
    targets = validation.column_or_1d(y)
    validation.assert_all_finite(targets, input_name="y")
    if targets.dtype == object and (targets := np.array(targets.tolist())).dtype == object:
        raise PorankError(f"expected numbers or texts as targets, found {listed(targets)}")
    labels, scale = np.unique(targets).tolist(), None
    if grades is not None:
        scale = distinct_items(grades, name="grades")
        unknown = [label for label in labels if label not in scale]
        if unknown:
            raise PorankError(f"expected targets that are in grades, found {listed(unknown)}")
        labels = [label for label in scale if label in labels]
    elif targets.dtype.kind not in "biuf":
        if not as_classes or len(labels) > 2:
            raise PorankError(
                "expected numbers as targets, or labels with grades=[...], worst first, found "
                f"the labels {listed(labels)}"
            )
        scale = labels
    elif not as_classes:
        return Grades(targets, targets, None)
    number = {label: place for place, label in enumerate(labels)}
    values = np.array(list(map(number.__getitem__, targets.tolist())))
    return Grades(values, targets, labels, scale)
