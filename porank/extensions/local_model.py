"""Approximate rank probabilities: the extended local partial order model (LPOMext).

`approximate_rank_probabilities` and `approximate_mutual_probabilities` take the closure of a part
that is too large to be counted or drawn.

The model of Brüggemann and Carlsen [1]_ looks at one item x and, one at a time, at the items y that
are incomparable to it. Let O(x) be x with all items below it, F(x) be x with all items above it,
and U(y) the items incomparable to y. In a chain through x, y finds |O(x) ∩ U(y)| free places below
x and |F(x) ∩ U(y)| above it, and is taken to be equally likely at each of them:

    P_x(y above x) = |F(x) ∩ U(y)| / (|F(x) ∩ U(y)| + |O(x) ∩ U(y)|),
    rank(x) = |F(x)| + sum of P_x(y above x) over y in U(x).

The ranks are the published ones, counted from the top. They are exact where each item incomparable
to x is incomparable to all items comparable to x, and on weak orders. The other two figures are
made from the same counts:

* *Mutual probabilities.* Seen from y, the odds of the same pair differ. The odds of x above y are
  taken to be the product of both: |O(x) ∩ U(y)| |F(y) ∩ U(x)| to |F(x) ∩ U(y)| |O(y) ∩ U(x)|, so
  that the two directions add up to 1.
* *Rank probabilities.* How many items of U(x) stand above x is taken to be beta-binomial, with the
  mean of the rank above and with |F(x)| + |O(x)| for the sum of its two parameters: the
  distribution that is exact in the first of the two cases above, flat for an antichain.

Nothing bounds the error. That the ranks sum up to n (n + 1) / 2 is not promised either.

References
----------
.. [1] R. Brüggemann, L. Carlsen, "An improved estimation of averaged ranks of partial orders",
   MATCH Communications in Mathematical and in Computer Chemistry 65, 2011, pp. 383-414.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from porank.typing import Floats

    Pairs = NDArray[np.bool_]


#: So many rows of counts are made at a time.
_ROWS = 512


def approximate_rank_probabilities(above: Pairs) -> Floats:
    """Return the approximate probability by LPOMext that i stands at position p, from 0."""
    n = len(above)
    probabilities = np.zeros((n, n))
    best = above.sum(axis=0)
    free = incomparable(above).sum(axis=1)
    mean = _ranks(above) - 1 - best
    for item, (first, others) in enumerate(zip(best.tolist(), free.tolist(), strict=True)):
        share = mean[item] / others if others else 0.0
        both = n - others + 1
        shape = np.array([both * share]), np.array([both * (1 - share)])
        chances = beta_binomial(others, *shape)
        probabilities[item, first : first + others + 1] = chances[0]
    return probabilities


def approximate_mutual_probabilities(above: Pairs) -> Floats:
    """Return the approximate probability by LPOMext that i stands above j."""
    free = incomparable(above)
    odds = np.zeros(above.shape)
    for rows, below, over in _free_places(above, free):
        odds[rows] = np.where(free[rows], below / np.where(free[rows], over, 1), 0)
    # Both views multiplied: odds[x, y], seen from x, to odds[y, x], those of y above x seen from y.
    return np.where(free, odds / np.where(free, odds + odds.T, 1), above)


def incomparable(above: Pairs) -> Pairs:
    """Return the incomparable pairs that the local model weighs, as a Boolean matrix."""
    free: Pairs = ~(above | above.T)
    np.fill_diagonal(free, val=False)
    return free


def _ranks(above: Pairs) -> Floats:
    """Return the approximate rank of each item by LPOMext, 1 being the best."""
    ranks: Floats = 1.0 + above.sum(axis=0, dtype=np.float64)
    free = incomparable(above)
    for rows, below, over in _free_places(above, free):
        places = np.where(free[rows], below + over, 1)
        ranks[rows] += np.sum(free[rows] * over / places, axis=1)
    return ranks


def _free_places(above: Pairs, free: Pairs) -> Iterator[tuple[slice, Floats, Floats]]:
    """Yield rows x of LPOMext, with |O(x) ∩ U(y)| and |F(x) ∩ U(y)| for each y, as floats."""
    closed = (above | np.eye(len(above), dtype=bool)).astype(np.float32)
    beside = free.astype(np.float32)
    for first in range(0, len(above), _ROWS):
        rows = slice(first, first + _ROWS)
        below, over = closed[rows] @ beside, closed[:, rows].T @ beside
        yield rows, below.astype(np.float64), over.astype(np.float64)


def beta_binomial(trials: int, alpha: NDArray[Any], beta: NDArray[Any]) -> Floats:
    """Return the beta-binomial chances of 0..trials hits that the local model spreads items by.

    Idea: *neighbouring probabilities have simple ratios; add up their logarithms, which no number
    of trials makes too large.*
    """
    hits = np.arange(trials)
    ratios = (trials - hits) * (alpha[:, None] + hits)
    ratios = ratios / ((hits + 1) * (beta[:, None] + trials - hits - 1))
    logs = np.zeros((len(alpha), trials + 1))
    np.cumsum(np.log(ratios), axis=1, out=logs[:, 1:])
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    chances: Floats = weights / weights.sum(axis=1, keepdims=True)
    return chances
