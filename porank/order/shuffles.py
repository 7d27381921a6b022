"""Positions in a shuffle: what the components of an order do to each other.

Components know nothing of each other, so that their linear extensions are shuffled like cards:
every way to say which positions belong to which component is as likely as any other.

Idea: *the q-th of a items stands at position q + d exactly when d of the b others stand before it.*
So a table of a rows and b + 1 columns says everything, and a single item among many is told in two
columns.

Everything is done in either of two ways: with floats, or exactly with fractions in arrays of
objects.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from math import comb, lgamma
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from porank.typing import Matrix

#: Up to so many steps are taken one by one, each for all rows; beyond, a matrix multiplies.
_FEW_STEPS = 32
#: The logarithm of the number of shuffles that a float can hold, with room to spare.
_LARGEST_LOG = 600.0


def shuffled(a: int, b: int, *, exact: bool) -> Matrix:
    """Return the probability [q, d]: the q-th of a items has d of b others before it.

    Examples
    --------
    >>> shuffled(1, 3, exact=False).tolist()
    [[0.25, 0.25, 0.25, 0.25]]
    >>> [[str(share) for share in row] for row in shuffled(2, 1, exact=True)]
    [['2/3', '1/3'], ['1/3', '2/3']]

    Notes
    -----
    Time O(a b); O(a (a + b)) where the shuffles are more than a float can hold.
    """
    if exact:
        return _shuffled_exactly(a, b)
    if lgamma(a + b + 1) - lgamma(a + 1) - lgamma(b + 1) > _LARGEST_LOG:
        return _dealt_from_the_top(a, b)
    q, d = np.arange(a)[:, None], np.arange(b)
    none_before = np.cumprod((a - q) / (a + b - q), axis=0)
    ratios = (q + d + 1) * (b - d) / ((d + 1) * (a + b - 1 - q - d))
    shares: Matrix = np.cumprod(np.hstack([none_before, ratios]), axis=1)
    return shares


def _shuffled_exactly(a: int, b: int) -> Matrix:
    total = comb(a + b, a)
    shares = np.empty((a, b + 1), dtype=object)
    for q in range(a):
        for d in range(b + 1):
            count = comb(q + d, q) * comb(a + b - 1 - q - d, a - 1 - q)
            shares[q, d] = Fraction(count, total)
    return shares


def _dealt_from_the_top(a: int, b: int) -> Matrix:
    """Return the same shares, position by position, by the cards that are left to be dealt.

    Examples
    --------
    >>> _dealt_from_the_top(2, 1).round(3).tolist()
    [[0.667, 0.333], [0.333, 0.667]]
    """
    n = a + b
    positions = np.zeros((a, n))
    dealt = np.zeros(a + 1)
    dealt[0] = 1.0
    left = np.arange(a, -1, -1)
    for p in range(n):
        next_is_ours = dealt * left / (n - p)
        positions[:, p] = next_is_ours[:-1]
        dealt *= np.maximum(n - p - left, 0) / (n - p)
        dealt[1:] += next_is_ours[:-1]
    q = np.arange(a)[:, None]
    shares: Matrix = positions[q, q + np.arange(b + 1)]
    return shares


def shuffled_before(shares: Matrix) -> Matrix:
    """Return how likely the q-th of a items stands before the r-th of b others, from `shuffled`.

    It does if at most r of the others stand before it.

    Examples
    --------
    >>> shuffled_before(shuffled(1, 3, exact=False)).tolist()
    [[0.25, 0.5, 0.75]]
    """
    before = [list(accumulate(row[:-1])) for row in shares] if shares.dtype == object else None
    if before is None:
        floats: Matrix = np.cumsum(shares[:, :-1], axis=1)
        return floats
    return np.array(before, dtype=object).reshape(len(shares), shares.shape[1] - 1)


def spread_by(chances: Matrix, shares: Matrix) -> Matrix:
    """Return the chances of the positions after a shuffle, given those before it.

    Parameters
    ----------
    chances : array
        A row for each item, a column for each of some neighbouring positions.
    shares : array
        For each of these positions its row of `shuffled`.

    Examples
    --------
    >>> spread_by(np.array([[0.0, 1.0], [0.5, 0.5]]), shuffled(2, 1, exact=False)).round(2).tolist()
    [[0.0, 0.33, 0.67], [0.33, 0.33, 0.33]]

    Notes
    -----
    Time O(b) for each chance, with b + 1 shares in a row.
    """
    width, steps = shares.shape
    wider = width + steps - 1
    if min(width, steps) > _FEW_STEPS and shares.dtype != object:
        deal = np.zeros((width, wider))
        places = np.arange(width)[:, None]
        deal[places, places + np.arange(steps)] = shares
        return chances @ deal
    spread = np.zeros((len(chances), wider), dtype=shares.dtype)
    if shares.dtype == object:
        spread[:] = Fraction(0)
    if steps <= width:
        for d in range(steps):
            spread[:, d : d + width] += chances * shares[:, d]
    else:
        for q in range(width):
            spread[:, q : q + steps] += chances[:, q, None] * shares[q]
    return spread


def gathered_by(values: Matrix, shares: Matrix) -> Matrix:
    """Return for each position before a shuffle the mean of the values of those it may become.

    Examples
    --------
    >>> gathered_by(np.array([3.0, 0.0, 6.0]), shuffled(2, 1, exact=False)).tolist()
    [2.0, 4.0]

    Notes
    -----
    Time O(a b) for a rows of b + 1 shares.
    """
    windows = np.lib.stride_tricks.sliding_window_view(values, shares.shape[1])
    means: Matrix = np.einsum("qd,qd->q", windows, shares)
    return means
