"""Bootstrap samples: rows drawn with replacement, and a ranker of any kind asked on each sample.

What a ranker says changes with the data that it happened to see. Trained on several samples of the
same data, it gives several orders, and where they agree it can be relied upon.

Where grades are known, rows are drawn until they have two of them, by weights if there are any. A
grade is a number, larger being better, or a label of one of several classes that have an order.

`bootstrap_orders`; rows: `read_rows`, `take_rows`; samples: `draw_sample`, `draw_seed`,
`read_sample_weights`, `as_floats`; grades: `Grades`, `read_grades`, `differ`.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.abstention.votes import read_members
from porank.core.arguments import distinct_items, generator_of, require_count, require_item
from porank.core.progress import track
from porank.errors import PorankError, a_kind, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

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

    A bootstrap sample of n instances is n instances drawn with replacement. The ranker takes a
    sample and gives an order, so that it may be of any kind: a label ranker trains on the sample
    and ranks the labels for a new instance, an object ranker learns from it to rank given objects,
    a rule of voting takes the votes and ranks the candidates. `preference_relation` makes one
    relation of the orders [1]_.

    Parameters
    ----------
    ranker : callable
        ``ranker(sample) -> order``: a DiGraph or scores, always on the same items.
    data : list, array, frame or sparse matrix
        The instances. A sample has the same type, that of a range is a list. Of data in several
        arrays give the numbers of the rows, ``range(n)``: the ranker then takes row numbers.
    n_members : int
        How many samples, at least one.
    seed : int or Generator, optional
        The same seed gives the same samples; the first of many members are those of few.

    Returns
    -------
    list of DiGraph or scores
        One order for each sample, as the ranker gave it.

    Raises
    ------
    PorankError
        If there are no instances, or they have no sequence; if what the ranker gives is no order,
        or the orders have different items. The error says which member.

    See Also
    --------
    PartialRanker, cross_validate_ranking, preference_relation

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
    Time n_members times that of the ranker, and O(n) for each sample.

    References
    ----------
    .. [1] W. Cheng, M. Rademaker, B. De Baets, E. Hüllermeier, "Predicting partial orders: ranking
       with abstention", ECML PKDD 2010, Part I, pp. 215-230.
       https://doi.org/10.1007/978-3-642-15880-3_20
    """
    if not callable(ranker):
        raise PorankError(f"expected a ranker to call with a sample, found {ranker!r}")
    n_members = require_count(n_members, name="n_members", least=1)
    data, n = read_rows(data, name="data")
    if not n:
        raise PorankError("expected at least one instance to draw from, found none")
    rng = generator_of(seed)
    orders = [
        ranker(take_rows(data, rng.choice(n, size=n)))
        for _ in track(range(n_members), label="members")
    ]
    read_members(orders)
    return orders


def read_rows(data: Any, *, name: str) -> tuple[Any, int]:
    """Return training data to draw rows of by number, and how many there are."""
    if hasattr(data, "tocsr"):
        data = data.tocsr()  # other sparse matrices do not give rows, or slowly
    elif hasattr(data, "__array__") and not hasattr(data, "__len__"):
        data = np.asarray(data)
    shape = getattr(data, "shape", None)
    if isinstance(shape, tuple) and shape:
        return data, int(shape[0])
    has_rows = hasattr(data, "__len__") and hasattr(data, "__getitem__") and shape is None
    # Two arrays in a tuple are two rows to Python, and never meant so.
    if has_rows and not isinstance(data, (str, bytes, tuple, Mapping, Set)):
        return data, len(data)
    way_out = "list(...) makes a list of an iterable"
    if isinstance(data, tuple):
        way_out = "of data in several arrays give the row numbers, range(n)"
    raise PorankError(
        f"expected a list, an array or a frame of rows as {name}, found {a_kind(data)}; {way_out}"
    )


def take_rows(data: Any, numbers: NDArray[Any]) -> Any:
    """Return the rows of a bootstrap sample, in a table of the same type; of a range as a list."""
    if hasattr(data, "iloc"):
        return data.iloc[numbers]
    if hasattr(data, "shape"):
        return data[numbers]
    return [data[number] for number in numbers.tolist()]


#: After so many draws a sample with two grades is not to be hoped for.
_MOST_DRAWS = 1000
#: The seeds that all estimators take are smaller.
_SEEDS = 2**31 - 1


def draw_seed(rng: np.random.Generator) -> int:
    """Return a random seed for an estimator or a splitter of scikit-learn."""
    return int(rng.integers(_SEEDS))


def draw_sample(
    values: NDArray[Any], rng: np.random.Generator, shares: NDArray[np.float64] | None = None
) -> tuple[Numbers, int, int]:
    """Return rows drawn until they have two grades, a seed, and how often they were redrawn."""
    for n_redrawn in range(_MOST_DRAWS):
        rows = rng.choice(len(values), size=len(values), p=shares)
        if differ(values[rows]):
            return rows, draw_seed(rng), n_redrawn
    raise PorankError(
        f"expected a sample of rows with two grades, found none in {_MOST_DRAWS} draws; "
        "the rows of all grades but one have too little weight"
    )


def read_sample_weights(weights: Any, values: NDArray[Any]) -> NDArray[np.float64] | None:
    """Return the shares with which rows are drawn by sample_weight, None without weights."""
    if weights is None:
        return None
    array = as_floats(weights)
    if array.shape != (len(values),) or not np.isfinite(array).all() or (array < 0).any():
        raise PorankError(
            f"expected {len(values)} numbers of at least 0 as sample_weight, one for each row, "
            f"found {weights!r:.80}"
        )
    if not differ(values[array > 0]):
        raise PorankError(
            "expected rows of at least two grades with a weight above zero, found "
            f"{np.count_nonzero(array)} rows with such a sample_weight, all of one grade"
        )
    # Divided by the largest first, since the sum of the largest floats is infinite.
    array = array / array.max()
    shares: NDArray[np.float64] = array / array.sum()
    return shares


def as_floats(values: Any) -> NDArray[np.float64]:
    """Return weights or targets of training rows as floats, a single nan if they are none."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        return np.array(np.nan)


class Grades(NamedTuple):
    """The grade of each row of training data, and the labels it stands for."""

    values: NDArray[Any]
    targets: NDArray[Any]
    labels: list[Any] | None
    scale: list[Any] | None = None


def differ(values: NDArray[Any]) -> bool:
    """Return whether rows drawn, or all, have two different grades."""
    return bool(len(values)) and bool((values != values[0]).any())


def read_grades(
    y: Any, n_rows: int, *, grades: Sequence[Any] | None = None, as_classes: bool = False
) -> Grades:
    """Return the grades of the training rows to draw from, numbers or labels in order."""
    if y is None:
        raise PorankError(
            "expected the grade of each row, found none: "
            "PartialRanker requires y to be passed, but the target y is None"
        )
    if grades is None and getattr(getattr(y, "dtype", None), "ordered", False):
        grades = list(y.dtype.categories)
    targets = _as_column(y, n_rows)
    met = dict.fromkeys(targets.tolist())
    is_number = targets.dtype.kind not in "OUSM"
    if grades is not None:
        labels = distinct_items(grades, name="grades")
        unknown = [label for label in met if label not in labels]
        if unknown:
            raise PorankError(f"expected targets among the grades, found {listed(unknown)}")
        scale: list[Any] | None = list(labels)
    elif as_classes:
        labels = _sorted_labels(met, targets.dtype.kind)
        scale = None if is_number else labels
    elif is_number:
        return Grades(targets, targets, None)
    else:
        raise _unordered(met)
    present = [label for label in labels if label in met]
    place = {label: number for number, label in enumerate(present)}
    values = np.fromiter(map(place.__getitem__, targets.tolist()), np.int64, len(targets))
    return Grades(values, targets, present, scale)


def _as_column(y: Any, n_rows: int) -> NDArray[Any]:
    """Return the targets y of training rows as one column, numbers or whatever they are."""
    column = np.asarray(y) if hasattr(y, "__array__") else np.array(y, dtype=object)
    if column.ndim == 2 and column.shape[1] == 1:
        column = column[:, 0]
    if column.ndim != 1:
        raise PorankError(
            f"expected one target for each row as y, found an array of shape {column.shape}; "
            "for label ranking, PartialLabelRanker learns an order of labels for each row"
        )
    if len(column) != n_rows:
        raise PorankError(f"expected {n_rows} targets, one for each row, found {len(column)}")
    for row, target in enumerate(column.tolist()):
        if _is_missing(target):
            raise PorankError(f"expected a target for each row, found {target!r} in row {row}")
        require_item(target)
    if column.dtype == object and all(isinstance(target, Real) for target in column):
        column = np.array(column.tolist())
        return column.astype(np.float64) if column.dtype == object else column
    if column.dtype.kind == "c":
        raise PorankError(
            "expected real numbers as targets, found complex ones: Complex data not supported"
        )
    return column


def _is_missing(target: Any) -> bool:
    """Return whether the target of a training row is None, nan, or pandas' missing value."""
    try:
        return target is None or bool(target != target)
    except (TypeError, ValueError):
        return not isinstance(target, np.ndarray)


def _sorted_labels(labels: Collection[Any], kind: str) -> list[Any]:
    """Return the grades of training rows as labels, ascending; more than two must be numbers."""
    is_text = all(isinstance(label, str) for label in labels)
    if kind not in "biuf" and not (is_text and len(labels) <= 2):
        raise _unordered(labels)
    return sorted(labels)


def _unordered(labels: Collection[Any]) -> PorankError:
    """Return the error for training rows whose grades are labels without an order."""
    shown = sorted(map(repr, labels))
    return PorankError(
        "expected numbers as targets, or grades=[...] with the labels, worst first, "
        f"found the labels {', '.join(shown[:8])}{', ...' if len(shown) > 8 else ''}"
    )
