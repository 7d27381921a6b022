"""The number of linear extensions estimated, where there are too many ideals to count over.

Public: `estimate_linear_extensions`, and the `EstimatedCount` that it returns.

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


#: Beyond so many ideals a part is estimated: a second's work, and the draws come from the rest.
_MAX_IDEALS = 1_000_000
#: Some five percent of standard error where twenty items are too many.
_SAMPLES = 1000
#: Numbers of so many digits are written out.
_DIGITS = 15


@dataclass(frozen=True, repr=False)
class EstimatedCount:
    """The estimated number of linear extensions that `estimate_linear_extensions` returns.

    Attributes
    ----------
    value : int
        The number, rounded to a whole one where it is estimated.
    standard_error : float
        The standard error of its natural logarithm: 0.05 says that the number is off by about five
        percent. 0.0 where it is exact.
    method : {"exact", "sample"}
        Whether all was counted, or something estimated from draws.

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
        """The decimal logarithm of the number, which may be too large for a float."""
        return math.log10(self.value)

    def to_text(self) -> str:
        """Return the number in words, with its error."""
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
    """Return an estimate of the number of linear extensions, with a standard error.

    It estimates the number e(G) of sequences of all items in which u stands before v whenever
    u > v. What can be counted is counted.

    Parameters
    ----------
    G : DiGraph or scores
        An order.
    samples : int
        How many linear extensions are drawn at a time. Four times as many halve the error.
    max_ideals : int
        How many ideals (sets of items that may stand on top) a part may have to be counted. More of
        them make the estimate better.
    seed : int, Generator or None
        Where the randomness comes from.

    Returns
    -------
    EstimatedCount
        The number of at least 1 as `value`, with `standard_error` and `method` beside it.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    PorankError
        If `samples` or `max_ideals` is no whole number of at least 1.

    See Also
    --------
    porank.count_linear_extensions : exactly how many, if the ideals are not too many.

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
    Components, and parts that stand wholly above one another, are put together by multiplication.
    From a part that has too many ideals items are taken out, those first that are comparable to the
    fewest, until the rest can be counted; then they are put back, one after the other. The number
    of linear extensions grows by a factor that is the mean number of places where the item may
    stand, over linear extensions of the others that are equally likely. Draws from the rest, the
    ends of walks through the order polytope, are weighted by the numbers of places that were open
    to them; where the weights have become uneven, the others are drawn anew. To tell
    the whole from a part less and a ratio is the self-reducibility of Jerrum, Valiant and
    Vazirani [1]_.

    The standard error is that of all weighted means together, which is reliable while it is small;
    an error above 0.3 asks for more samples. Time that of a dozen lists of `max_ideals` ideals at
    the most, O(n) for each draw and each item put back, and 200 sweeps of O(m_red) for each draw
    made anew: `samples` for each five to ten items too many. A hundred samples take a second or two
    for 100 items, a thousand some seconds.

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


#: The variance of weights around 1 at which half of the draws tell hardly anything.
_UNEVEN = 1.0


@dataclass(frozen=True)
class _Estimator:
    """How the number of linear extensions of a part is estimated."""

    samples: int
    max_ideals: int
    rng: np.random.Generator

    def estimate(self, part: OrderPart) -> tuple[Fraction, float]:
        """Return the number of linear extensions, and the variance of its natural logarithm."""
        above = above_matrix(part)
        queue = _freest_first(above)
        # So many items must at least be taken out for the rest to be counted.
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
        """Return whether the parts of the order among some items have few ideals."""
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
    """Linear extensions of some items, each with a weight, that grow by other items."""

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
        """Return the variance of the logarithm of all means multiplied."""
        size = len(self.weights)
        spread = float(((self.weights - 1) ** 2).sum())
        return spread / (size * max(size - 1, 1)) + self._unseen


def _freest_first(above: NDArray[np.bool_]) -> list[int]:
    """Return the items as an estimate takes them out: that comparable to the fewest left first."""
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
    """Return the parts of the order among some items, to estimate linear extensions from."""
    items = np.sort(np.array(kept, dtype=np.int64))
    relation = relate_matrix(above[np.ix_(items, items)])
    return take_apart(items[relation.item_at].tolist(), relation.covers)
