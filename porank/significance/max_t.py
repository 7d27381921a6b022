"""Test many paired differences together by random signs: `throw_signs`, `max_t`.

`ends_of_means` computes intervals of the mean differences, which hold for all pairs together.

Idea: *if two systems are equally good, the sign of their difference at a task is random.* We draw
random signs for all pairs of systems together, so the maximum of their statistics reflects how the
pairs depend on each other (Westfall and Young 1993; Romano and Wolf 2005). A pair is compared with
the maximum over the pairs whose observed statistics are not larger than its own.
"""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arrays import in_parts
from porank.core.progress import track

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Floats, Numbers


#: Absolute and relative tolerance for equal statistics, which are computed in 32 bits.
_EQUAL = 1e-5
#: Weight of the prior: 300 / n clusters with the median mean square are added.
_PRIOR = 300.0
#: Maximum number of columns of signs, and of numbers, that are processed at once.
_THROWS, _NUMBERS = 10_001, 1 << 21


def least_clusters(risk: float) -> int:
    """Return how many clusters must agree at least; chance makes n agree with P = 2 / 2^n."""
    return 1 + math.ceil(-math.log2(risk))


def throw_signs(n: int, samples: int, rng: np.random.Generator) -> NDArray[np.int8]:
    """Return signs of n clusters, 1 or -1, with a column for each sample.

    If there are at most `samples` ways to choose the signs, return all of them. Otherwise return
    `samples` random columns. The first column, the observed one, has no -1.
    """
    if 2**n <= samples:
        return np.array(list(product((1, -1), repeat=n)), dtype=np.int8).reshape(2**n, n).T
    signs = np.ones((n, samples + 1), dtype=np.int8)
    octets = rng.integers(256, size=(n, -(-samples // 8)), dtype=np.uint8)
    signs[:, 1:] -= 2 * np.unpackbits(octets, axis=1, count=samples).view(np.int8)
    return signs


def max_t(sums: Floats, n: Numbers, signs: NDArray[np.int8]) -> tuple[Floats, Floats]:
    """Return the p-value of each pair, and the p-value adjusted for all pairs by step-down max-T.

    A column of `sums` has the differences of a pair, summed by cluster; n is the number of clusters
    of each pair, at least 1.
    """
    pairs = _Pairs.of(sums, n)
    observed = np.abs(pairs.statistics(np.ones((len(sums), 1)))[:, 0])
    order = np.argsort(observed, kind="stable")
    # p = #{throws : |T_j| >= |t_j|} / #throws, and adjusted p = #{throws : max |T_k| >= |t_j|, over
    # the pairs k with |t_k| <= |t_j|} / #throws.
    least = observed[order] * (1 - _EQUAL) - _EQUAL
    pairs = _Pairs(*(column[order].astype(np.float32) for column in pairs))
    as_far = np.zeros((2, order.size), dtype=np.int64)
    for some in track(list(in_parts(signs.shape[1], _THROWS)), label="signs"):
        thrown = signs[:, some].astype(np.float32)
        largest = np.zeros(thrown.shape[1], dtype=np.float32)
        for part in in_parts(order.size, max(1, _NUMBERS // largest.size)):
            found = np.abs(_Pairs(*(column[part] for column in pairs)).statistics(thrown))
            for row, each in enumerate(found, part.start):
                as_far[0, row] += np.count_nonzero(each >= least[row])
                np.maximum(largest, each, out=largest)
                as_far[1, row] += np.count_nonzero(largest >= least[row])
    # Make the adjusted p-values monotone, from the pair with the largest statistic on.
    as_far[1] = np.maximum.accumulate(as_far[1, ::-1])[::-1]
    p_values = np.empty(as_far.shape)
    p_values[:, order] = as_far / signs.shape[1]
    return p_values[0], p_values[1]


class _Pairs(NamedTuple):
    """Scaled sums by cluster for pairs of systems, with a row for each pair.

    The scale is the square root of n times the mean square of a pair. To its n clusters, 300 / n
    clusters are added that have the median mean square of all pairs. If errors have a long tail and
    a pair has few clusters, these may miss the tail; then the squares are too small and the sum is
    too large. The median compensates for this. The scale does not depend on the signs.
    """

    scaled: NDArray[Any]
    squares: NDArray[Any]
    weight: NDArray[Any]
    n: NDArray[Any]

    @classmethod
    def of(cls, sums: Floats, n: Numbers) -> _Pairs:
        """Return pairs from their sums, a column each, over n clusters."""
        squares = np.square(sums).sum(axis=0)
        moderate = _moderated(squares, n, _usual(squares, n))
        moderate[moderate == 0] = 1.0
        # The scale is at least the sum of squares, which bounds the skewness.
        base = np.maximum(squares, moderate)
        scaled = np.ascontiguousarray((sums / np.sqrt(base)).T)
        return cls(scaled, squares / base, np.sqrt(base / moderate), n)

    def statistics(self, signs: NDArray[Any]) -> NDArray[Any]:
        """Return the statistics, with a row for each pair and a column for each column of signs.

        They are those of Johnson (1978), computed in place. Let x_1, ..., x_n be the signed and
        scaled summands of a pair, t their sum, Q the sum of their squares, and h their skewness.
        """
        n = self.n[:, None]
        # t = sum x.
        t: NDArray[Any] = self.scaled @ signs
        squared = t * t
        # h / n^(1/2) = sum (x - t / n)^3 = sum x^3 + t (2 t^2 / n - 3 Q) / n.
        skew = squared * (2 / n)
        skew -= 3 * self.squares[:, None]
        skew *= t
        skew /= n
        skew += self.scaled**3 @ signs
        # t + h (1 + 2 t^2) / (6 n^(1/2)), times the weight.
        squared *= 2
        squared += 1
        skew *= squared
        skew /= 6
        t += skew
        t *= self.weight[:, None]
        return t


def _usual(squares: Floats, n: Numbers) -> float:
    """Return the median of the mean squares of pairs."""
    return float(np.median(squares / n)) if n.size else 0.0


def _moderated(squares: Floats, n: Numbers, usual: float) -> Floats:
    """Return the sums of n squares of pairs, moved towards those that are usual."""
    # n (Q + (300 / n) q) / (n + 300 / n), with the sum of squares Q of the pair, and the median q
    # of Q / n over all pairs.
    more = _PRIOR / n
    moderate: Floats = n * (squares + more * usual) / (n + more)
    return moderate


def ends_of_means(
    sums: Floats, counts: Floats, signs: NDArray[np.int8], risk: float, among: Any = True
) -> Floats:
    """Return the ends of intervals of the mean differences, low and high, for all pairs together.

    Or for each pair together with those that are true in `among`. The columns of `counts` are the
    numbers of values in each cluster. Infinite if a pair has too few clusters to be significant
    alone, or if nothing shows how much differences vary.

    Idea: *the errors are like the residuals with random signs.* In each draw, each pair has a t
    statistic of its residuals; the intervals reach the quantile 1 - risk of the largest one. On the
    side of a long tail they reach farther, by the shift of Johnson's statistic.
    """
    n = np.count_nonzero(counts, axis=0)
    mean = sums.sum(axis=0) / np.where(n > 0, counts.sum(axis=0), np.nan)
    ends, some = np.stack([mean - np.inf, mean + np.inf]), np.flatnonzero(n >= least_clusters(risk))
    counts, n, mean = counts[:, some], n[some], mean[some]
    # r = s - m c, for the sum s of the c values in a cluster, and the mean m.
    residuals = sums[:, some] - mean * counts
    squares = np.square(residuals).sum(axis=0)

    def draw(part: Numbers) -> Floats:
        # T = sum of +-r, t^2 = T^2 (n - 1) / (n sum of r^2 - T^2).
        thrown = np.square(residuals[:, part].T @ signs)
        spread = n[part, None] * squares[part, None] - thrown
        # If all signed residuals are equal, t is infinite.
        spread[spread <= _EQUAL * thrown] = 0
        with np.errstate(divide="ignore", invalid="ignore"):
            squared = thrown * (n[part, None] - 1) / spread
        found: Floats = np.nan_to_num(squared, posinf=np.inf)
        return found

    is_among = np.broadcast_to(among, ends.shape[1])[some]
    largest, size = np.zeros(signs.shape[1]), max(1, _NUMBERS // signs.shape[1])
    for part in np.split(np.flatnonzero(is_among), range(size, np.count_nonzero(is_among), size)):
        np.maximum(largest, draw(part).max(axis=0, initial=0), out=largest)
    bound = np.full(n.size, np.quantile(largest, 1 - risk, method="higher"))
    for pair in np.flatnonzero(~is_among).tolist():
        own = np.maximum(largest, draw(np.array([pair]))[0])
        bound[pair] = np.quantile(own, 1 - risk, method="higher")
    wide = np.maximum(squares, _moderated(squares, n, _usual(squares, n)))
    total = counts.sum(axis=0)
    is_known = wide > 0
    wide = np.where(is_known, wide, 1)
    # t (sum of r^2 n / (n - 1))^(1/2) / (number of values), with the squares moderated; and
    # (1 + 2 t^2) (sum of r^3) / (6 sum of r^2) / (number of values).
    reach = np.where(is_known, np.sqrt(wide * n / (n - 1) * bound), np.inf) / total
    cubes = (residuals**3).sum(axis=0) / np.where(squares > 0, squares, 1)
    shift = np.where(np.isfinite(reach), (1 + 2 * np.minimum(bound, 1e9)) * cubes / (6 * total), 0)
    ends[:, some] = mean - reach + np.minimum(shift, 0), mean + reach + np.maximum(shift, 0)
    return ends


def rests_on(
    sums: Floats, counts: Floats, low: Floats, risk: float, *, least: Any = 0.0
) -> Numbers:
    """Return about how many clusters must go until the low ends of intervals are below `least`.

    Those with the largest sums go first. An interval of fewer clusters reaches as many standard
    errors below the mean, and is infinite if the clusters are too few, as by `ends_of_means`.
    """
    order = np.argsort(-sums, axis=0)
    x, c = (np.take_along_axis(each, order, axis=0) for each in (sums, counts))
    # Sums over the clusters that are left without the first 0, 1, 2 and so on.
    powers = x, c, x * x, x * c, c * c, c > 0
    total, count, xx, xc, cc, n = (each[::-1].cumsum(axis=0)[::-1] for each in powers)
    with np.errstate(divide="ignore", invalid="ignore"):
        # The sum of r^2 = (x - m c)^2, with the mean m.
        mean = total / count
        squares = xx - 2 * mean * xc + mean**2 * cc
        wide = np.maximum(squares, _moderated(squares, n, _usual(squares[0], n[0])))
        error = np.sqrt(wide * n / (n - 1)) / count
        ends = mean - error * ((mean[0] - low) / error[0])
    is_open = (ends < least) | (n < least_clusters(risk))
    found: Numbers = np.append(is_open[1:], np.ones_like(is_open[:1]), axis=0).argmax(axis=0) + 1
    return found
