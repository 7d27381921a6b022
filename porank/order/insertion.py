"""Linear extensions of a part estimated: items are taken out, the rest counted, and put back.

Take item x out of an order P. Every linear extension of P is one of the rest, P - x, with x put in
at one of the places that lie below all items above x and above all items below it. Hence, with
uniform linear extensions of the rest,

    e(P) / e(P - x) = the mean number of places that x may be put in at.

Idea: *take out items until the rest can be counted; draw linear extensions of the rest; put the
items back, the last one first, each at one of its places at random; multiply by the mean numbers
of places.* A draw then stands for as many linear extensions as it had choices: its weight is
multiplied by the number of places, and means are weighted. Once the weights differ so much that
half of the draws tell hardly anything, others are drawn of what the order has grown to.

That the whole can be told from a part less and the ratio of both, and the ratio from draws of one
of them, is the self-reducibility of Jerrum, Valiant and Vazirani [1]_. Their ratio would be the
probability of an item to stand on top, of which draws tell less: it is small, a number of places is
not.

References
----------
.. [1] M. R. Jerrum, L. G. Valiant, V. V. Vazirani, "Random generation of combinatorial structures
   from a uniform distribution", Theoretical Computer Science 43, 1986, pp. 169-188.
   https://doi.org/10.1016/0304-3975(86)90174-X
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from porank.core.progress import track
from porank.core.relation import relate_matrix
from porank.order.decomposition import take_apart
from porank.order.ideals import count_by_parts, count_if_few
from porank.order.parts import above_matrix
from porank.order.random_extensions import Draws

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.order.parts import Part
    from porank.typing import Numbers

#: The variance of weights around 1 at which half of the draws tell hardly anything.
_UNEVEN = 1.0


@dataclass(frozen=True)
class Estimator:
    """How the number of linear extensions of a part is estimated.

    Attributes
    ----------
    samples : int
        How many linear extensions are drawn at a time.
    max_ideals : int
        How many ideals what is counted exactly may have.
    rng : Generator
        Where the randomness comes from.
    progress : bool
        Whether to show bars.

    Examples
    --------
    >>> import porank as po
    >>> from porank.core.compiled_order import compile_order
    >>> from porank.order.decomposition import decompose
    >>> N = decompose(compile_order(po.parse("a > c; b > c; b > d")))[0]
    >>> rng = np.random.default_rng(0)
    >>> estimator = Estimator(samples=1000, max_ideals=1, rng=rng, progress=False)
    >>> value, variance = estimator.estimate(N)
    >>> abs(value - 5) < 0.3, variance < 0.001
    (True, True)
    """

    samples: int
    max_ideals: int
    rng: np.random.Generator
    progress: bool

    def estimate(self, part: Part) -> tuple[Fraction, float]:
        """Return the number of linear extensions, and the variance of its natural logarithm."""
        above = above_matrix(part)
        taken = _freest_first(above)
        missing = self._count_missing(above, taken)
        rest = _among(above, taken[missing:])
        value = Fraction(count_by_parts(rest, max_ideals=self.max_ideals, progress=self.progress))
        variance, draws = 0.0, self._draw(above, taken[missing:])
        backwards = range(missing - 1, -1, -1)
        for place in track(backwards, progress=self.progress, label="putting items back"):
            if draws.weights.var() > _UNEVEN:
                variance += draws.variance()
                draws = self._draw(above, taken[place + 1 :])
            value *= Fraction(draws.put_in(taken[place]))
        return value, variance + draws.variance()

    def _count_missing(self, above: NDArray[np.bool_], taken: list[int]) -> int:
        """Return how many items must at least be taken out for the rest to be counted."""
        return 1 + bisect_left(
            range(1, len(taken)),
            True,
            key=lambda missing: self._count(above, taken[missing:]) is not None,
        )

    def _count(self, above: NDArray[np.bool_], kept: list[int]) -> int | None:
        """Return the number of linear extensions of some items, None if they have many ideals."""
        parts = _among(above, kept)
        return count_if_few(parts, max_ideals=self.max_ideals, progress=self.progress)

    def _draw(self, above: NDArray[np.bool_], kept: list[int]) -> WeightedDraws:
        parts = _among(above, kept)
        draws = Draws(
            parts, self.rng, method="auto", max_ideals=self.max_ideals, progress=self.progress
        )
        lines = np.concatenate(list(draws.batches(self.samples)))
        return WeightedDraws(above, lines, self.rng)


class WeightedDraws:
    """Linear extensions of some items, each with a weight, that grow by other items.

    Parameters
    ----------
    above : array of bool
        The closure among all items.
    lines : array of int
        Linear extensions of some of the items, one in each row, best first.
    rng : Generator
        Where the randomness comes from.

    Attributes
    ----------
    weights : array of float
        How many linear extensions each draw stands for, with mean 1.

    Examples
    --------
    >>> beside_a_chain = np.array([[False, True, False], [False] * 3, [False] * 3])
    >>> draws = WeightedDraws(beside_a_chain, np.array([[0], [0]]), np.random.default_rng(0))
    >>> draws.put_in(1), draws.put_in(2)
    (1.0, 3.0)
    >>> draws.weights.tolist(), draws.variance()
    ([1.0, 1.0], 0.0)
    """

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
        """Put an item in at random, and return the mean number of places that it may take."""
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
        """Return the variance of the logarithm of all means multiplied.

        The draws are taken to have shown neither the fewest nor the most places that an item may
        have: what has not been seen is not impossible.
        """
        size = len(self.weights)
        spread = float(((self.weights - 1) ** 2).sum())
        return spread / (size * max(size - 1, 1)) + self._unseen


def _freest_first(above: NDArray[np.bool_]) -> list[int]:
    """Return all items, the next always one that is comparable to the fewest of the others left.

    These make the most ideals, and have many places in every draw, so that draws hardly differ.

    Examples
    --------
    >>> beside_a_chain = np.array([[False, True, False], [False] * 3, [False] * 3])
    >>> _freest_first(beside_a_chain)
    [2, 0, 1]
    """
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


def _among(above: NDArray[np.bool_], kept: list[int]) -> list[Part]:
    """Return the parts of the order among some items."""
    items = np.sort(np.array(kept, dtype=np.int64))
    relation = relate_matrix(above[np.ix_(items, items)])
    return take_apart(items[relation.order].tolist(), relation.covers)
