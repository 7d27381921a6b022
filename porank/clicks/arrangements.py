"""Evidence of each pair by position: which item stood above, and which one was preferred.

Idea: *among sessions that show u and v at the same two positions, only taste separates those with u
above from those with v above.* Position affects the upper and the lower item in the same way in
both. If u and v are liked equally, then which of these sessions had u above is a matter of chance.
The p-value is the share of all such assignments, with the same number of sessions that have u above
at each two positions, that favour one item at least as much as the data do.

`arrangements_of` makes `Arrangements`.

.. [1] E. B. Wilson, M. M. Hilferty, "The distribution of chi-square", Proceedings of the National
   Academy of Sciences 17(12), 1931, pp. 684-688. https://doi.org/10.1073/pnas.17.12.684
"""

from __future__ import annotations

import math
from functools import lru_cache, partial, reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import special

from porank.clicks.rules import PLACES, VERDICT
from porank.core.arrays import grouped, run_starts, to_digits
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from porank.typing import Floats, Numbers


class Arrangements(NamedTuple):
    """Number of sessions that show a pair u, v at two positions, and what they prefer, in columns.

    Attributes
    ----------
    pair : array of int
        Number of the pair, ascending. A pair has one row for each two positions.
    above, above_for, above_against : array of int
        Number of sessions with u at the higher and v at the lower of the two positions, and how
        many of these prefer u, and v.
    below, below_for, below_against : array of int
        The same for sessions with v at the higher position.
    """

    pair: Numbers
    above: Numbers
    above_for: Numbers
    above_against: Numbers
    below: Numbers
    below_for: Numbers
    below_against: Numbers

    def balanced(self, pairs: int) -> tuple[Floats, Floats]:
        """Return how many sessions prefer u, and v, weighted as if both arrangements were equal.

        At two positions, with u above in A sessions and below in B, sessions with u above have the
        weight 2 B / (A + B), and the others 2 A / (A + B). So both arrangements have the same total
        weight.
        """
        total = np.maximum(self.above + self.below, 1)
        above, below = 2 * self.below / total, 2 * self.above / total
        u = above * self.above_for + below * self.below_for
        v = above * self.above_against + below * self.below_against
        for_u, for_v = (np.bincount(self.pair, each, pairs).tolist() for each in (u, v))
        return to_digits(for_u), to_digits(for_v)

    def is_unbalanced(self, pairs: int) -> NDArray[np.bool_]:
        """Return which pairs never stood both ways at the same two positions."""
        both = np.bincount(self.pair, np.minimum(self.above, self.below), pairs)
        return np.equal(both, 0)

    def p_values(self, pairs: int) -> tuple[Floats, Floats]:
        """Return the two-sided p-value of each pair's test, and the smallest possible p-value.

        A session scores 1 if it prefers the upper item, and -1 if it prefers the lower one.
        Consider the sum of scores over the sessions in which u stood above. The p-value is twice
        the smaller of the probabilities that this sum is at least, and at most, the sum found, but
        at most 1. If rules contradict each other in a session, the session counts as two.
        """
        drawn = np.maximum(self.above, self.above_for + self.above_against)
        units = drawn + np.maximum(self.below, self.below_for + self.below_against)
        plus, minus = self.above_for + self.below_against, self.above_against + self.below_for
        found = self.above_for - self.above_against
        mean, variance, skew = _moments(units, drawn, plus, minus)
        # Rows without variance have only one possible sum, so their p-value is 1.
        rows = np.flatnonzero(variance > 1e-12)
        total = partial(np.bincount, self.pair[rows], minlength=pairs)
        sums = [total(each[rows]) for each in (found, mean, variance, skew)]
        p, least = np.ones((2, pairs))
        is_large = sums[2] > _MOST_VARIANCE
        step = 1 + (total((plus + minus < units)[rows]) == 0)
        p[is_large] = _gamma_p_values(*(each[is_large] for each in (*sums, step)))
        least[is_large] = 0
        rows = rows[~is_large[self.pair[rows]]]
        strata = np.stack([units, drawn, plus, minus])[:, rows].T.tolist()
        ends = [*run_starts(self.pair[rows]).tolist(), rows.size]
        for start, stop in pairwise(ends):
            pair = self.pair[rows[start]]
            p[pair], least[pair] = _exact_p_values(strata[start:stop], int(sums[0][pair]))
        return p.clip(np.finfo(float).tiny, 1), least.clip(np.finfo(float).tiny, 1)


#: A test is exact if the standard deviation of its sum is at most 5. Otherwise it uses the gamma
#: distribution with the same three moments: up to 3 standard deviations from the mean, its p-values
#: are within 25 %; farther out they are too large, at 6 standard deviations up to some 200 times.
_MOST_VARIANCE = 25


def _moments(
    units: Numbers, drawn: Numbers, plus: Numbers, minus: Numbers
) -> tuple[Floats, Floats, Floats]:
    """Return mean, variance and third central moment of the sum of scores of units drawn."""
    n, k = units.astype(float), drawn.astype(float)
    mean, square = (plus - minus) / n, (plus + minus) / n
    spread = k * (n - k) / np.maximum(n - 1, 1)
    third = (mean - 3 * mean * square + 2 * mean**3) * (n - 2 * k) / np.maximum(n - 2, 1)
    return k * mean, spread * (square - mean**2), spread * third


def _exact_p_values(strata: Sequence[Sequence[int]], found: int) -> tuple[float, float]:
    """Return the p-value of a sum of scores over strata, and the smallest possible p-value."""
    parts = [_distribution(*stratum) for stratum in strata]
    chances = reduce(np.convolve, (chance for _, chance in parts))
    place = found - sum(lowest for lowest, _ in parts)
    tails = chances[place:].sum(), chances[: place + 1].sum()
    possible = chances[chances > 0]
    return 2 * float(min(tails)), 2 * float(min(possible[0], possible[-1]))


@lru_cache(maxsize=1 << 16)
def _distribution(units: int, drawn: int, plus: int, minus: int) -> tuple[int, Floats]:
    """Return the smallest sum of scores of the units drawn, and the probabilities from there on.

    Probabilities below about 1e-20 are left out.
    """
    x, y = (_likely(units, drawn, marked) for marked in (plus, minus))
    x = x[:, None]
    logs = _ln_choose(plus, x) + _ln_choose(minus, y)
    logs = logs + _ln_choose(units - plus - minus, drawn - x - y)
    chances = np.exp(logs - _ln_choose(units, np.array([drawn])))
    sums = x - y - (x[0] - y[-1])
    return int(x[0, 0] - y[-1]), np.bincount(sums.ravel(), chances.ravel()).astype(float)


def _likely(units: int, drawn: int, marked: int) -> Numbers:
    """Return the numbers of marked units that may plausibly be among the units drawn."""
    mean = drawn * marked / units
    reach = 12 * math.sqrt(mean) + 12
    least = max(0, drawn + marked - units, math.floor(mean - reach))
    return np.arange(least, min(drawn, marked, math.ceil(mean + reach)) + 1)


def _ln_choose(n: int, k: NDArray[np.int64]) -> Floats:
    """Return the logarithms of binomial coefficients."""
    inside: Floats = -special.betaln(n - k + 1, k + 1) - math.log(n + 1)
    return np.where((k < 0) | (k > n), -np.inf, inside)


def _gamma_p_values(
    found: Floats, mean: Floats, variance: Floats, third: Floats, step: Numbers
) -> Floats:
    """Return p-values of sums of scores, from the gamma distribution with the same moments."""
    sd = np.sqrt(variance)
    # Without skew the shape is infinite; the distribution is then nearly normal.
    skew = np.where(np.abs(third) < 1e-3 * sd**3, 1e-3, third / sd**3)
    shape, sign = 4 / skew**2, np.sign(skew)
    z = (found - mean) / sd
    at_most, least = (
        special.gammainc(shape, np.maximum(shape + sign * each * np.sqrt(shape), 0))
        for each in (z + step / (2 * sd), z - step / (2 * sd))
    )
    lower = np.where(sign > 0, at_most, 1 - at_most)
    upper = np.where(sign > 0, 1 - least, least)
    return 2 * np.minimum(lower, upper)


def arrangements_of(
    codes: Numbers,
    n: int,
    stated: tuple[Mapping[str, Numbers], NDArray[Any]],
    stood: tuple[Mapping[str, Numbers], NDArray[Any]],
) -> Arrangements:
    """Return how sessions showed pairs of n items, and which item of each pair they preferred.

    A pair of items i < j has the code i * n + j; `codes` lists the wanted pairs, ascending.
    """
    codes = codes if codes.size else np.array([-1])
    keys, amounts = [], []
    for (rows, counts), is_stated in ((stood, False), (stated, True)):
        first, other, *at = (rows[name] for name in ("preferred", "other", *PLACES))
        code = np.minimum(first, other) * n + np.maximum(first, other)
        pair = np.searchsorted(codes, code).clip(max=codes.size - 1)
        is_kept = (np.minimum(*at) >= 0) & (at[0] != at[1]) & (codes[pair] == code)
        is_kept &= rows.get(VERDICT, np.zeros_like(code)) == 0
        is_below = (at[0] < at[1]) == (first > other)
        column = 3 * is_below + is_stated * (1 + (first > other))
        keys.append(np.stack([pair, np.minimum(*at), np.maximum(*at), column])[:, is_kept])
        amounts.append(counts[is_kept])
    *key, column = np.concatenate(keys, axis=1)
    if codes[0] >= 0 and not column.size:
        raise PorankError(
            "expected a log with positions for balance='place', found no compared pair whose items "
            "both have a known position"
        )
    order, starts = grouped(*key)
    row = np.repeat(np.arange(starts.size), np.diff(starts, append=order.size))
    cells, counts = 6 * row + column[order], np.concatenate(amounts)[order]
    table = np.bincount(cells, counts, 6 * starts.size).astype(np.int64)
    return Arrangements(key[0][order[starts]], *table.reshape(-1, 6).T)
