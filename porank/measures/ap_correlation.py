"""AP correlation: a rank correlation in which errors near the top of the prediction count more.

Go down the predicted list. At each item except the first, the precision is the share of the items
above it that are also above it in the target. The AP correlation is the mean precision, rescaled
from [0, 1] to [-1, 1] [1]_. For lists with ties there are two variants [2]_.

Conventions
-----------
AP correlation discounts by the rank in the prediction; `porank.edrc` discounts by the rank in the
target.

Public: `ap_correlation`, `ap_correlation_terms`.

References
----------
.. [1] E. Yilmaz, J. A. Aslam, S. Robertson, "A new rank correlation coefficient for information
   retrieval", SIGIR 2008, pp. 587-594. https://doi.org/10.1145/1390334.1390435
.. [2] J. Urbano, M. Marrero, "The Treatment of Ties in AP Correlation", ICTIR 2017, pp. 321-324.
   https://doi.org/10.1145/3121050.3121106
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.measures.measure import correlation, entry_for, one_of, ratio, value_of, variant

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Item, Numbers, OrderLike


_WHY = "one of the lists has fewer than two levels"


@dataclass(frozen=True)
class _Walk:
    """The precisions at the items of one list, evaluated against another list."""

    above: Numbers
    precisions: NDArray[np.float64]
    #: Number of precisions of which the mean is taken.
    length: Any

    def summands(self) -> list[float]:
        """Return what each item adds to twice the mean precision minus 1."""
        first = int(np.count_nonzero(self.above == 0))
        # The items of the first level share the part of the subtracted 1 that the others leave.
        counted = np.where(self.above > 0, 1, (self.length - self.above.size + first) / first)
        summands: list[float] = ((2 * self.precisions - counted) / self.length).tolist()
        return summands


def _ap_correlation(both: Any, *, ties: str = "a") -> tuple[Any, Any]:
    """Return numerator and denominator of the AP correlation."""
    walks = _walks(both, ties)
    # 2 / (n - 1) · sum of C(i) / (i - 1) - 1 [1]_, for "b" the mean over both lists [2]_.
    total = sum(2 * walk.precisions.sum(axis=-1) / np.maximum(walk.length, 1) - 1 for walk in walks)
    return total, len(walks) * np.all([walk.length for walk in walks], axis=0)


def ap_correlation_terms(
    target: OrderLike, predicted: OrderLike, *, ties: str = "a", undefined: Any = math.nan
) -> dict[Item, float]:
    """Return the terms of `ap_correlation` by item."""
    _, pairing = entry_for(ap_correlation, target, predicted, ties=ties)
    walks = _walks(pairing, ties)
    defined = all(walk.length for walk in walks)
    ratio(1, defined, undefined=undefined, why=_WHY)
    summands = zip(*(walk.summands() for walk in walks if defined), strict=True)
    return {
        item: sum(both) / len(walks)
        for item, both in zip(pairing.target.items, summands, strict=False)
    }


@variant(
    "ap_correlation_b",
    {"ties": "b"},
    needs="weak",
    otherwise="edrc accepts partial orders",
    symmetric=True,
)
@correlation(
    kernel=_ap_correlation,
    why=_WHY,
    terms=ap_correlation_terms,
    symmetric=False,
    reversal="none",
    needs="total target, weak prediction",
    otherwise="ties='b' accepts ties, and edrc partial orders",
    checks={"ties": one_of("a", "b")},
)
def ap_correlation(
    target: OrderLike, predicted: OrderLike, *, ties: str = "a", undefined: Any = math.nan
) -> float:
    """Return the AP correlation of a predicted list with a target list.

    It is 2/(n - 1) times the sum of C(i)/(i - 1) over the positions i = 2, ..., n of the
    prediction, minus 1. C(i) is the number of items above the i-th item that are also above it in
    the target.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two weak orders on the same items.
    ties : {"a", "b"}
        How to treat ties.

        * ``"a"``: the target is the truth and has no ties. Ties of the prediction are broken at
          random, and the value is the expectation. It is not symmetric.
        * ``"b"``: both lists may have ties, and neither is the truth. Only the items below the
          first level are summed, and only items on higher levels count as above an item. The value
          is the mean of evaluating each list against the other, so it is symmetric. Without ties it
          is the mean of the two values of ``"a"``.
    undefined : float or "raise"
        Value to return if there are fewer than two items or, for ``"b"``, if a list has a single
        level; ``"raise"`` raises `UndefinedError`.

    Returns
    -------
    float in [-1, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.
    NotApplicableError
        If one of the orders is not a weak order, or if the target has ties and `ties` is ``"a"``.
    PorankError
        If `ties` is unknown.

    See Also
    --------
    rank_biased_overlap, edrc, edrc_table, kendall_tau

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.from_ranking("abc"), po.from_ranking("bca")
    >>> po.ap_correlation(target, predicted), po.ap_correlation(predicted, target)
    (0.0, -0.5)
    >>> po.ap_correlation(target, predicted, ties="b")
    -0.25
    >>> po.ap_correlation({"a": 3, "b": 2, "c": 1}, {"a": 1, "b": 1, "c": 0})
    0.5

    Notes
    -----
    O(n log n) for n items.

    References
    ----------
    .. [1] E. Yilmaz, J. A. Aslam, S. Robertson, "A new rank correlation coefficient for information
       retrieval", SIGIR 2008, pp. 587-594. https://doi.org/10.1145/1390334.1390435
    .. [2] J. Urbano, M. Marrero, "The Treatment of Ties in AP Correlation", ICTIR 2017, pp.
       321-324. https://doi.org/10.1145/3121050.3121106
    """
    return value_of(ap_correlation, target, predicted, ties=ties, undefined=undefined)


def _walks(both: Any, ties: str) -> list[_Walk]:
    """Return the evaluated lists over which AP correlation is averaged."""
    if ties == "a":
        return [_Walk(both.guess.above, _expected_precisions(both), max(both.n - 1, 0))]
    lists = [side.above for side in (both.guess, both.truth)]
    return [
        _Walk(above, both.agreed / np.maximum(above, 1), np.count_nonzero(above, axis=-1))
        for above in lists
    ]


def _expected_precisions(both: Any) -> NDArray[np.float64]:
    """Return the mean precision at each item over all ways to break the prediction's ties."""
    above, size = both.guess.above, both.guess.unordered
    # With a items above a tie of g items and j = 0..g-1 items of the tie before an item, c of the a
    # and m of the other g - 1 above it in the target, it is (c + j m / (g - 1)) / (a + j). The mean
    # over j is c E[1 / (a + j)] + m / (g - 1) · (1 - a E[1 / (a + j)]). If a = 0, the precision at
    # position 1 does not count, and the mean is m / g.
    inverse = both.guess.mean_over_ties(np.append(0.0, 1 / np.arange(1, both.n))[: both.n])
    mates = both.truth.above - both.agreed - both.contradicted
    per_mate = np.where(above > 0, (1 - above * inverse) / np.maximum(size - 1, 1), 1 / size)
    precisions: NDArray[np.float64] = both.agreed * inverse + mates * per_mate
    return precisions
