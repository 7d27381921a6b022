"""Rank correlation by average precision: mistakes high in the prediction count more.

Walk down the list to be judged. At each item but the first, the precision is the share of the items
passed that the reference, too, puts above it. The mean precision, stretched from [0, 1] to [-1, 1],
is the AP correlation [1]_; with ties in the lists, there are two ways to go on [2]_.

Conventions
-----------
The prediction is the list to be judged and the target is the reference. `porank.edrc` judges the
other way round: it discounts by the rank in the target.

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
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.graphs import in_order
from porank.errors import NotApplicableError
from porank.measures.measure import MANY, exact_sum, ratio
from porank.measures.options import require_options
from porank.measures.pair_table import pair_up, require_weak

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.core.compiled_order import Order
    from porank.measures.pair_table import Pairing
    from porank.typing import Item, Numbers, OrderLike


_WHY = "one of the lists has no item below its first ones"


def ap_correlation(
    target: OrderLike, predicted: OrderLike, *, ties: str = "a", undefined: Any = math.nan
) -> float:
    """Return the AP correlation of a predicted list with a target list.

    tau_ap = 2/(n - 1) sum C(i)/(i - 1) - 1 over the positions i = 2..n of the prediction, C(i)
    being the number of items above the i-th that the target puts above it, too.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two weak orders on the same items.
    ties : {"a", "b"}
        * ``"a"``: the target is the truth and has no ties; those of the prediction are broken at
          random, and the value is the expectation. Without ties this is tau_ap itself, which is not
          symmetric.
        * ``"b"``: neither list is the truth, and both may have ties. In 2/m sum C(v)/(p(v) - 1) - 1
          the sum is over the m items that are not among the first ones, p(v) - 1 items being above
          v and C(v) of them also in the other list; the value is the mean of judging each list by
          the other. So it is symmetric, and without ties it is the mean of both tau_ap.
    undefined : float or "raise"
        What to return for 0/0: fewer than two items, or, for ``"b"``, a list in which all are tied.

    Returns
    -------
    float in [-1, 1]

    Raises
    ------
    CycleError, ItemMismatchError
        As `pair_table` does.
    NotApplicableError
        If one of them is not a weak order, or, for ``"a"``, if the target has ties.
    PorankError
        If `ties` is neither.

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
    Time O(n log n). With up to 10,000 levels all sums are exact, and the value is rounded once.

    References
    ----------
    .. [1] E. Yilmaz, J. A. Aslam, S. Robertson, "A new rank correlation coefficient for information
       retrieval", SIGIR 2008, pp. 587-594. https://doi.org/10.1145/1390334.1390435
    .. [2] J. Urbano, M. Marrero, "The Treatment of Ties in AP Correlation", ICTIR 2017, pp.
       321-324. https://doi.org/10.1145/3121050.3121106
    """
    walks = _walks(pair_up(target, predicted), ties)
    defined = all(walk.length for walk in walks)
    surplus = sum(walk.surplus() for walk in walks) if defined else 0
    return ratio(surplus, len(walks) * defined, undefined=undefined, why=_WHY)


def ap_correlation_terms(
    target: OrderLike, predicted: OrderLike, *, ties: str = "a", undefined: Any = math.nan
) -> dict[Item, Fraction]:
    """Return what each item contributes to `ap_correlation`."""
    pairing = pair_up(target, predicted)
    walks = _walks(pairing, ties)
    defined = all(walk.length for walk in walks)
    ratio(1, defined, undefined=undefined, why=_WHY)
    summands = zip(*(walk.summands() for walk in walks if defined), strict=True)
    return {
        item: sum(both) / len(walks)
        for item, both in zip(pairing.target.items, summands, strict=False)
    }


@dataclass(frozen=True)
class _Walk:
    """The walk down one list, judged by another.

    `agreed` are the items above each that the other list, too, puts above it, `mates` those of its
    equals; an item adds to the sum of precisions `per_item` and `per_mate` of its level for each.
    """

    layers: Numbers
    agreed: Numbers
    mates: Numbers
    per_item: Sequence[Any] | NDArray[np.float64]
    per_mate: Sequence[Any] | NDArray[np.float64]
    length: int

    def surplus(self) -> Fraction:
        """Return twice the mean precision, less 1."""
        # Whole numbers below 2**53 are summed without rounding as floats, too.
        sums = [np.bincount(self.layers, weights=each) for each in (self.agreed, self.mates)]
        if isinstance(self.per_item, np.ndarray):
            precisions = Fraction(math.fsum(self.per_item * sums[0] + self.per_mate * sums[1]))
        else:
            precisions = exact_sum(self.per_item, map(int, sums[0]))
            precisions += exact_sum(self.per_mate, map(int, sums[1]))
        return 2 * precisions / self.length - 1

    def summands(self) -> list[Any]:
        """Return the same item by item."""
        size = int(np.count_nonzero(self.layers == 0))
        counted = Fraction(self.length - self.layers.size + size, size)
        numbers = (each.tolist() for each in (self.layers, self.agreed, self.mates))
        return [
            (2 * (self.per_item[i] * c + self.per_mate[i] * g) - (1 if i else counted))
            / self.length
            for i, c, g in zip(*numbers, strict=True)
        ]


def _walks(pairing: Pairing, ties: str) -> list[_Walk]:
    """Return the walks down the lists whose mean is the AP correlation."""
    require_options("ap_correlation", ties=ties)
    require_weak(pairing, why="it is one of lists; edrc takes partial orders")
    truth, guess = pairing.target.layers, pairing.predicted_layers
    agreed = pairing.agreed_above
    if ties == "a":
        _require_total(pairing.target)
        stops = _stops(guess, are_broken=True)
        return [_Walk(guess, agreed, _mates_before(truth, guess), *stops, max(pairing.n - 1, 0))]
    none = np.zeros_like(agreed)
    return [
        _Walk(
            layers, agreed, none, *_stops(layers, are_broken=False), int(np.count_nonzero(layers))
        )
        for layers in (guess, truth)
    ]


def _stops(layers: Numbers, *, are_broken: bool) -> tuple[Any, Any]:
    """Return what items of each level add to AP correlation, fractions unless levels are many."""
    sizes = np.bincount(layers)
    passed = np.cumsum(sizes) - sizes
    if sizes.size <= MANY:
        stop_at = _expected_stop if are_broken else _tied_stop
        stops = [stop_at(*each) for each in zip(passed.tolist(), sizes.tolist(), strict=True)]
        return [per_item for per_item, _ in stops], [per_mate for _, per_mate in stops]
    inverses = np.append(0.0, 1 / np.arange(1, layers.size))
    if not are_broken:
        return inverses[passed], np.zeros(sizes.size)
    inverse = np.add.reduceat(inverses, passed)
    per_mate = (sizes - passed * inverse) / (sizes * np.maximum(sizes - 1, 1))
    per_mate[0] = 1 / sizes[0]
    return inverse / sizes, per_mate


def _expected_stop(passed: int, size: int) -> tuple[Any, Any]:
    """Return what an item adds to the AP correlation on average over all ways to break ties."""
    if size == 1 or passed == 0:
        return _tied_stop(passed, size)[0], 0 if size == 1 else Fraction(1, size)
    inverse = exact_sum(Fraction(1, above) for above in range(passed, passed + size))
    return inverse / size, (size - passed * inverse) / (size * (size - 1))


def _tied_stop(passed: int, size: int) -> tuple[Any, Any]:  # noqa: ARG001
    """Return what an item adds to the AP correlation if its equals are not above it."""
    return Fraction(1, passed) if passed else 0, 0


def _mates_before(truth: Numbers, guess: Numbers) -> Numbers:
    """Return, for AP correlation, how many equals of each item the total target puts above it."""
    walk = np.lexsort((truth, guess))
    first = np.cumsum(np.bincount(guess)) - np.bincount(guess)
    before = np.empty_like(walk)
    before[walk] = np.arange(walk.size) - first[guess[walk]]
    return before


def _require_total(target: Order) -> None:
    if not target.is_total:
        level = np.flatnonzero(target.layers == int(np.argmax(target.sizes > 1)))
        one, other = in_order([target.items[i] for i in level.tolist()])[:2]
        raise NotApplicableError(
            f"expected a target without ties for ties='a', found {one!r} and {other!r} on one "
            "level; ties='b' takes ties in both orders"
        )
