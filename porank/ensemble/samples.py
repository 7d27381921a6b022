"""Samples to train on: rows drawn until they have two grades, by their weights if there are any."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.ensemble.bootstrap import draw_rows
from porank.ensemble.grades import differ
from porank.errors import PorankError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Numbers

#: After so many draws a sample with two grades is not to be hoped for.
_MOST_DRAWS = 1000
#: The seeds that all estimators take are smaller.
_SEEDS = 2**31 - 1


class Sample(NamedTuple):
    """Rows to train one copy of an estimator on.

    Attributes
    ----------
    rows : array of int
        Their numbers.
    n_redrawn : int
        How many draws were thrown away, because all rows had the same grade.
    seed : int
        The seed of the copy.

    Examples
    --------
    >>> draw_sample(np.array([0, 1]), np.random.default_rng(4)).n_redrawn
    3
    """

    rows: Numbers
    n_redrawn: int
    seed: int


def draw_seed(rng: np.random.Generator) -> int:
    """Return a seed for an estimator or a splitter.

    Examples
    --------
    >>> draw_seed(np.random.default_rng(0)) < 2**31
    True
    """
    return int(rng.integers(_SEEDS))


def draw_sample(
    values: NDArray[Any], rng: np.random.Generator, shares: NDArray[np.float64] | None = None
) -> Sample:
    """Return a bootstrap sample of rows that have at least two grades.

    A sample with one grade is thrown away and drawn again as a whole: the samples are those that
    drawing rows at random gives, but for the ones that nothing can be learned from.

    Examples
    --------
    >>> sample = draw_sample(np.array([0, 0, 0, 1]), np.random.default_rng(0))
    >>> sample.rows.tolist(), sample.n_redrawn
    ([3, 2, 2, 1], 0)
    """
    for n_redrawn in range(_MOST_DRAWS):
        rows = draw_rows(len(values), rng, shares)
        if differ(values[rows]):
            return Sample(rows, n_redrawn, draw_seed(rng))
    raise PorankError(
        f"expected a sample of rows with two grades, found none in {_MOST_DRAWS} draws; "
        "the rows of all grades but one have too little weight"
    )


def read_weights(weights: Any, values: NDArray[Any]) -> NDArray[np.float64] | None:
    """Return the shares with which rows are drawn, or None if there are no weights.

    Examples
    --------
    >>> read_weights([3, 0, 1], np.array([0, 1, 1])).tolist()
    [0.75, 0.0, 0.25]
    """
    if weights is None:
        return None
    try:
        array = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.array(np.nan)
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
