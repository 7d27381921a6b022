"""Bootstrap samples: rows drawn with replacement, and a ranker of any kind asked on each sample.

What a ranker says changes with the data that it happened to see. Trained on several samples of the
same data, it gives several orders, and where they agree it can be relied upon.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import generator_of, require_count
from porank.core.progress import track
from porank.ensemble.members import read_members
from porank.errors import PorankError

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
    progress: bool = False,
) -> list[OrderLike]:
    """Return the orders of a ranker that is asked on several bootstrap samples of the data.

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
    progress : bool
        Show a bar.

    Returns
    -------
    list of DiGraph or scores
        One order for each sample, as the ranker gave it.

    Raises
    ------
    PorankError
        If there are no instances, or they have no sequence; if what the ranker gives is no order,
        or the orders have different items. The error says which member.

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
        ranker(take_rows(data, draw_rows(n, rng)))
        for _ in track(range(n_members), progress=progress, label="members")
    ]
    read_members(orders)
    return orders


def read_rows(data: Any, *, name: str) -> tuple[Any, int]:
    """Return the data with rows that can be taken by their numbers, and how many there are.

    Examples
    --------
    >>> read_rows(["a", "b"], name="X")
    (['a', 'b'], 2)
    >>> read_rows(([[1], [2]], [0, 1]), name="X")
    Traceback (most recent call last):
    porank.errors.PorankError: expected a list, an array or a frame of rows as X, found a tuple; of
    data in several arrays give the row numbers, range(n)
    """
    if hasattr(data, "tocsr"):
        data = data.tocsr()  # other sparse matrices do not give rows, or slowly
    elif hasattr(data, "__array__") and not hasattr(data, "__len__"):
        data = np.asarray(data)
    shape = getattr(data, "shape", None)
    if isinstance(shape, tuple) and shape:
        return data, int(shape[0])
    has_rows = hasattr(data, "__len__") and hasattr(data, "__getitem__") and shape is None
    if has_rows and not isinstance(data, (str, bytes, tuple, Mapping, Set)):
        return data, len(data)
    # Two arrays in a tuple are two rows to Python, and never meant so.
    way_out = "list(...) makes a list of an iterable"
    if isinstance(data, tuple):
        way_out = "of data in several arrays give the row numbers, range(n)"
    raise PorankError(
        f"expected a list, an array or a frame of rows as {name}, found a {type(data).__name__}; "
        f"{way_out}"
    )


def take_rows(data: Any, numbers: NDArray[Any]) -> Any:
    """Return the rows of these numbers, in a table of the same type; those of a range as a list.

    Examples
    --------
    >>> take_rows(["a", "b", "c"], np.array([2, 0, 2]))
    ['c', 'a', 'c']
    >>> take_rows(np.eye(2, dtype=int), np.array([1, 1])).tolist()
    [[0, 1], [0, 1]]
    """
    if hasattr(data, "iloc"):
        return data.iloc[numbers]
    if hasattr(data, "shape"):
        return data[numbers]
    return [data[number] for number in numbers.tolist()]


def draw_rows(
    n: int, rng: np.random.Generator, shares: NDArray[np.float64] | None = None
) -> Numbers:
    """Return n row numbers drawn with replacement, evenly or by the shares of the rows.

    Examples
    --------
    >>> draw_rows(3, np.random.default_rng(0), np.array([0.0, 1.0, 0.0])).tolist()
    [1, 1, 1]
    """
    if shares is None:
        return rng.integers(n, size=n)
    return rng.choice(n, size=n, p=shares)
