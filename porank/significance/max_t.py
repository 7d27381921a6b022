"""Many paired differences tested together, by signs thrown by a coin: `throw_signs`, `max_t`.

`typical_means` is an interval of the mean difference of each pair, by the same signs.

Idea: *if two systems are equally good, the sign of their difference at a task is a matter of
chance.* One throw of signs serves all pairs of systems, so that the largest statistic of all pairs,
throw by throw, knows how the pairs hang together (Westfall and Young 1993; Romano and Wolf 2005).
A pair is compared with the largest of those that are no clearer than itself, and only with these.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arrays import in_parts
from porank.core.progress import track

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Floats, Numbers


#: Statistics nearer than this, and than this share of them, are equal: throws have 32 bits.
_EQUAL = 1e-5
#: Prior weight: 300 / n clusters with the median mean square are added.
_PRIOR = 300.0
#: So many throws, and so many numbers, are in hand at once.
_THROWS, _NUMBERS = 10_001, 1 << 21


def throw_signs(n: int, samples: int, rng: np.random.Generator) -> NDArray[np.int8]:
    """Return signs for n clusters, -1 or 1, a column for each throw; the first has no -1.

    They are all there are if these are no more than the samples; else that first one, which is what
    was observed, and as many samples of a fair coin.
    """
    if 2**n <= samples:
        return np.array(list(product((1, -1), repeat=n)), dtype=np.int8).reshape(2**n, n).T
    signs = np.ones((n, samples + 1), dtype=np.int8)
    octets = rng.integers(256, size=(n, -(-samples // 8)), dtype=np.uint8)
    signs[:, 1:] -= 2 * np.unpackbits(octets, axis=1, count=samples).view(np.int8)
    return signs


def max_t(sums: Floats, n: Numbers, signs: NDArray[np.int8]) -> tuple[Floats, Floats]:
    """Return the p-value of each pair, and that adjusted for all pairs by max-T, step by step.

    A column of `sums` has the differences of a pair, summed by cluster, of which it has n, one at
    least.
    """
    pairs = _Pairs.of(sums, n)
    observed = np.abs(pairs.statistics(np.ones((len(sums), 1)))[:, 0])
    order = np.argsort(observed, kind="stable")
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
    # Adjusted p-values must not decrease from the clearest pair on.
    as_far[1] = np.maximum.accumulate(as_far[1, ::-1])[::-1]
    p_values = np.empty(as_far.shape)
    p_values[:, order] = as_far / signs.shape[1]
    return p_values[0], p_values[1]


class _Pairs(NamedTuple):
    """Pairs of systems, a row each: their sums by cluster, scaled, and what their statistic needs.

    The scale is the square root of n times the mean square of a pair, to whose n clusters 300 / n
    more are added that have the median mean square of all pairs. If errors have a long tail, few
    clusters may miss it, and then squares are small and the sum is large at once; the median makes
    up for it. Signs change neither.
    """

    scaled: NDArray[Any]
    squares: NDArray[Any]
    weight: NDArray[Any]
    n: NDArray[Any]

    @classmethod
    def of(cls, sums: Floats, n: Numbers) -> _Pairs:
        """Return pairs from their sums, a column each, over n clusters."""
        squares, more = np.square(sums).sum(axis=0), _PRIOR / n
        usual = np.median(squares / n) if n.size else 0.0
        moderate = n * (squares + more * usual) / (n + more)
        moderate[moderate == 0] = 1.0
        # The scale is at least the sum of squares, which bounds the skewness.
        base = np.maximum(squares, moderate)
        scaled = np.ascontiguousarray((sums / np.sqrt(base)).T)
        return cls(scaled, squares / base, np.sqrt(base / moderate), n)

    def statistics(self, signs: NDArray[Any]) -> NDArray[Any]:
        """Return the statistic of each pair, a row each, for each column of signs.

        It is the scaled sum t of the signed summands, corrected for their skewness h (Johnson
        1978): t + h (1 + 2 t^2) / (6 n^(1/2)).
        """
        n = self.n[:, None]
        t: NDArray[Any] = self.scaled @ signs
        squared = t * t
        # In place: h / n^(1/2) is the sum of cubes + t (2 t^2 / n - 3 Q) / n.
        skew = squared * (2 / n)
        skew -= 3 * self.squares[:, None]
        skew *= t
        skew /= n
        skew += self.scaled**3 @ signs
        squared *= 2
        squared += 1
        skew *= squared
        skew /= 6
        t += skew
        t *= self.weight[:, None]
        return t


def typical_means(
    sums: Floats, counts: Floats, signs: NDArray[np.int8], significance: float
) -> tuple[Floats, Floats]:
    """Return for each pair an interval of the mean difference, from means of random halves.

    Idea: *if differences are symmetric, the true mean is as likely to lie between any two
    neighbours among the means of random halves of the clusters* (Hartigan 1969, "Using subsample
    values as typical values"). A half is the clusters with -1, and `significance` the share of
    halves beyond the two ends. The statistic of `max_t` is another one, so that the interval and
    the p-value may disagree about a difference of 0 where either hardly rules it out.
    """
    chosen = (signs.T < 0).astype(np.float64)
    of_halves = counts.T @ chosen.T
    with np.errstate(invalid="ignore"):
        means = (sums.T @ chosen.T) / of_halves
    means.sort(axis=1)
    known = (of_halves > 0).sum(axis=1)
    # A half without a value lies beyond each end.
    place = int(significance / 2 * signs.shape[1]) - (signs.shape[1] - known)
    rows, is_open = np.arange(len(means)), place < 0
    low, high = means[rows, np.maximum(place, 0)], means[rows, np.maximum(known - 1 - place, 0)]
    beyond = np.where(counts.any(axis=0), np.inf, np.nan)
    return np.where(is_open, -beyond, low), np.where(is_open, beyond, high)
