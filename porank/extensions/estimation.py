"""Estimate the number of linear extensions of orders with too many ideals to count exactly.

Public: `estimate_linear_extensions`, and the `EstimatedCount` that it returns.

Let P - x be the order P without the item x. Each linear extension of P is a linear extension of
P - x in which x was inserted, below all items above x and above all items below x. So if the linear
extensions of P - x are equally likely,

    e(P) / e(P - x) = the mean number of places at which x can be inserted.

Idea: *remove items until the rest can be counted; draw linear extensions of the rest; insert the
removed items again, the last one first, each at a random possible place; multiply the mean numbers
of places.* The weight of a draw is multiplied by its number of places, and means are weighted. When
the weights become so unequal that half of the draws contribute hardly anything, linear extensions
of the current order are drawn anew.

This is the self-reducibility of Jerrum, Valiant and Vazirani [1]_: the count for the whole follows
from the count without one item and their ratio, which is estimated from draws. Their ratio is the
probability that an item comes first. The mean number of places is easier to estimate, because it is
not small.

References
----------
.. [1] M. R. Jerrum, L. G. Valiant, V. V. Vazirani, "Random generation of combinatorial structures
   from a uniform distribution", Theoretical Computer Science 43, 1986, pp. 169-188.
   https://doi.org/10.1016/0304-3975(86)90174-X
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import deque
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from porank.core.arguments import generator_of, require_count, require_samples
from porank.core.compiled_order import compile_order
from porank.core.progress import track
from porank.core.relation import relate_matrix
from porank.errors import TooManyIdealsError
from porank.extensions.decomposition import above_matrix, decompose, take_apart
from porank.extensions.ideals import Chains, layers_of
from porank.extensions.linear_extensions import count_by_parts, count_prime, put_together
from porank.extensions.sampling import Draws

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.extensions.decomposition import OrderPart
    from porank.typing import Numbers, OrderLike, Seed


#: Maximum number of ideals of a part that is counted exactly; this takes about a second.
_MAX_IDEALS = 1_000_000
#: Default number of draws; the standard error is some 5 % if twenty items must be removed.
_SAMPLES = 1000
#: Maximum number of digits of numbers that are printed in full.
_DIGITS = 15


@dataclass(frozen=True, repr=False)
class EstimatedCount:
    """The estimated number of linear extensions, as returned by `estimate_linear_extensions`.

    Attributes
    ----------
    value : int
        The number, rounded to an integer if it is estimated.
    standard_error : float
        Standard error of the natural logarithm of the number. A value of 0.05 means that the number
        is off by about 5 %. It is 0.0 if the number is exact.
    method : {"exact", "sample"}
        Whether the number is exact or estimated from a random sample.

    See Also
    --------
    estimate_linear_extensions, count_linear_extensions

    Examples
    --------
    >>> import porank as po
    >>> found = po.estimate_linear_extensions(po.antichain(30))
    >>> found
    <EstimatedCount: 2.653e+32 linear extensions, exact>
    >>> found.value == po.count_linear_extensions(po.antichain(30)), round(found.log10, 2)
    (True, 32.42)
    """

    value: int
    standard_error: float
    method: str

    @property
    def log10(self) -> float:
        """Decimal logarithm of the number, which can be too large for a float."""
        return math.log10(self.value)

    def to_text(self) -> str:
        """Return the number as text, with its standard error."""
        if self.value < 10**_DIGITS and self.method == "exact":
            number = f"{self.value:,}"
        else:
            number = f"{Decimal(self.value):.3e}"
        noun = "linear extension" if self.value == 1 else "linear extensions"
        if self.method == "exact":
            return f"{number} {noun}, exact"
        return f"about {number} {noun}, standard error {self.standard_error:.1%}"

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"


def estimate_linear_extensions(
    G: OrderLike,
    *,
    samples: int = _SAMPLES,
    max_ideals: int = _MAX_IDEALS,
    seed: Seed = None,
) -> EstimatedCount:
    """Estimate the number of linear extensions, with a standard error.

    A linear extension is a ranking of all items in which u is before v if u > v. Parts of the order
    that can be counted exactly are counted.

    Parameters
    ----------
    G : DiGraph or scores
        An order.
    samples : int
        Number of linear extensions to draw for each estimate. Four times as many halve the error.
    max_ideals : int
        Maximum number of ideals of a part that is counted exactly. An ideal is a set of items that
        contains all items above each of its items. A larger limit gives a better estimate.
    seed : int, Generator or None
        Seed or source of random numbers.

    Returns
    -------
    EstimatedCount
        The number as ``value``, an integer of at least 1, with the attributes ``standard_error``
        and ``method``.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    PorankError
        If `samples` or `max_ideals` is not an integer of at least 1.

    See Also
    --------
    porank.count_linear_extensions : returns the exact number, if there are not too many ideals.

    Examples
    --------
    >>> import porank as po
    >>> print(po.estimate_linear_extensions(po.boolean_lattice(4)))
    1,680,384 linear extensions, exact
    >>> found = po.estimate_linear_extensions(po.boolean_lattice(4), max_ideals=30, seed=0)
    >>> found.method, found.standard_error < 0.05
    ('sample', True)
    >>> abs(found.value - 1680384) < 3 * found.standard_error * 1680384
    True

    Notes
    -----
    The counts of components, and of parts that are entirely above one another, are multiplied. If a
    part has too many ideals, items are removed until the rest can be counted; items comparable to
    the fewest others are removed first. Then they are inserted again, one after the other. Each
    increases the number of linear extensions by a factor: the mean number of places where it can be
    inserted in a random linear extension of the other items. These linear extensions are the ends
    of random walks through the order polytope, weighted by the number of possible places of the
    items inserted before. When the weights become too unequal, they are drawn anew. The method is
    the self-reducibility of Jerrum, Valiant and Vazirani [1]_.

    The standard error combines the errors of all weighted means. It is reliable if it is small; if
    it is above 0.3, use more samples. The time is at most that of a dozen enumerations of
    `max_ideals` ideals, O(n) for each draw and each inserted item, and 200 sweeps of O(m_red) for
    each new draw. `samples` new draws are made for every five to ten removed items. For 100 items,
    a hundred samples take a second or two, and a thousand take some seconds.

    References
    ----------
    .. [1] M. R. Jerrum, L. G. Valiant, V. V. Vazirani, "Random generation of combinatorial
       structures from a uniform distribution", Theoretical Computer Science 43, 1986, pp. 169-188.
       https://doi.org/10.1016/0304-3975(86)90174-X
    """
    order = compile_order(G)
    estimator = _Estimator(
        samples=require_samples(samples),
        max_ideals=require_count(max_ideals, name="max_ideals", least=1),
        rng=generator_of(seed),
    )
    parts = decompose(order)
    counts: dict[int, int | Fraction] = {}
    variance, method = 0.0, "exact"
    for number, part in enumerate(parts):
        if part.kind == "prime":
            try:
                counts[number] = count_prime(part, max_ideals=estimator.max_ideals)
            except TooManyIdealsError:
                counts[number], more = estimator.estimate(part)
                variance, method = variance + more, "sample"
    return EstimatedCount(round(put_together(parts, counts)), math.sqrt(variance), method)


#: Variance of weights with mean 1 at which half of the draws contribute hardly anything.
_UNEVEN = 1.0


@dataclass(frozen=True)
class _Estimator:
    """The estimation of the number of linear extensions of the parts of an order."""

    samples: int
    max_ideals: int
    rng: np.random.Generator

    def estimate(self, part: OrderPart) -> tuple[Fraction, float]:
        """Return the number of linear extensions, and the variance of its natural logarithm."""
        above = above_matrix(part)
        queue = _freest_first(above)
        # Minimum number of items to remove until the rest can be counted.
        missing = 1 + bisect_left(
            range(1, len(queue)), True, key=lambda number: self._can_count(above, queue[number:])
        )
        rest = _among(above, queue[missing:])
        value = Fraction(count_by_parts(rest, max_ideals=self.max_ideals))
        variance, draws = 0.0, self._draw(above, queue[missing:])
        backwards = range(missing - 1, -1, -1)
        for place in track(backwards, label="putting items back"):
            if draws.weights.var() > _UNEVEN:
                variance += draws.variance()
                draws = self._draw(above, queue[place + 1 :])
            value *= Fraction(draws.put_in(queue[place]))
        return value, variance + draws.variance()

    def _can_count(self, above: NDArray[np.bool_], kept: list[int]) -> bool:
        """Return whether the suborder of some items has few enough ideals."""
        try:
            for part in _among(above, kept):
                if part.kind == "prime":
                    deque(layers_of(Chains(part), max_ideals=self.max_ideals), maxlen=0)
        except TooManyIdealsError:
            return False
        return True

    def _draw(self, above: NDArray[np.bool_], kept: list[int]) -> _WeightedDraws:
        parts = _among(above, kept)
        draws = Draws(parts, self.rng, max_ideals=self.max_ideals, nearly=True)
        lines = np.concatenate(list(draws.batches(self.samples)))
        return _WeightedDraws(above, lines, self.rng)


class _WeightedDraws:
    """Weighted random linear extensions of some items, into which further items are inserted."""

    def __init__(self, above: NDArray[np.bool_], lines: Numbers, rng: np.random.Generator) -> None:
        self._above = above
        self._rng = rng
        size, count = lines.shape
        self._is_in = np.zeros(len(above), dtype=bool)
        self._is_in[lines[:1]] = True
        self._position = np.full((size, len(above)), -1)
        np.put_along_axis(self._position, lines, np.arange(count), axis=1)
        self.weights = np.ones(size)
        self._unseen = 0.0

    def put_in(self, item: int) -> float:
        """Insert an item at random places, and return the mean number of possible places."""
        count = int(self._is_in.sum())
        over, under = self._is_in & self._above[:, item], self._is_in & self._above[item]
        first = self._position[:, over].max(axis=1, initial=-1) + 1
        last = self._position[:, under].min(axis=1, initial=count)
        places = last - first + 1
        mean = float(self.weights @ places) / len(places)
        most = count + 1 - int(over.sum()) - int(under.sum())
        least = 1 if over.any() or under.any() else most
        self._unseen += ((most / mean - 1) ** 2 + (least / mean - 1) ** 2) / len(places) ** 2
        self.weights *= places / mean
        put = first + (self._rng.random(len(places)) * places).astype(np.int64)
        self._position += self._position >= put[:, None]
        self._position[:, item] = put
        self._is_in[item] = True
        return mean

    def variance(self) -> float:
        """Return the variance of the logarithm of the product of all means."""
        size = len(self.weights)
        spread = float(((self.weights - 1) ** 2).sum())
        return spread / (size * max(size - 1, 1)) + self._unseen


def _freest_first(above: NDArray[np.bool_]) -> list[int]:
    """Return the items in the order of removal: first the one comparable to the fewest others."""
    n = len(above)
    related = above | above.T
    others = related.sum(axis=1)
    sequence = []
    for _ in range(n):
        item = int(others.argmin())
        sequence.append(item)
        others -= related[item]
        others[item] = 2 * n
    return sequence


def _among(above: NDArray[np.bool_], kept: list[int]) -> list[OrderPart]:
    """Return the parts of the suborder of some items, to estimate its linear extensions."""
    items = np.sort(np.array(kept, dtype=np.int64))
    relation = relate_matrix(above[np.ix_(items, items)])
    return take_apart(items[relation.item_at].tolist(), relation.covers)
