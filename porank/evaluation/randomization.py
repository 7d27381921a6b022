"""Tests of paired differences: whose differences would be as large if signs were thrown by a coin.

Idea: *if two systems are equally good, the sign of each difference is a matter of chance.* With
few differences all signs are gone through, with many they are drawn [1]_.

References
----------
.. [1] M. D. Smucker, J. Allan, B. Carterette, "A comparison of statistical significance tests for
   information retrieval evaluation", CIKM 2007, pp. 623-632.
   https://doi.org/10.1145/1321440.1321528
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Numbers

    Floats = NDArray[np.float64]

#: Up to so many differences that are not zero, all signs are gone through.
EXACT_UP_TO = 24
#: Sums that should be equal differ by the rounding of their summands.
_ROUNDING = 1e-12
#: Binomial coefficients up to this are whole numbers, beyond it logarithms.
_WHOLE_UP_TO = 1000
#: A p-value is never 0, not even where it is smaller than any float.
_LEAST = sys.float_info.min


def exact_sign_flips(differences: Floats) -> float:
    """Return the share of all ways to sign the differences with a sum at least as far from 0.

    Parameters
    ----------
    differences : array
        At most `EXACT_UP_TO` of them are not 0.

    Examples
    --------
    >>> exact_sign_flips(np.array([1.0, 2.0, 3.0])), exact_sign_flips(np.array([1.0, -1.0, 0.0]))
    (0.25, 1.0)

    Notes
    -----
    Time and memory O(2**(k / 2) k) for k differences: the sums of the signed first half are held
    against the sorted sums of the second.
    """
    sizes = np.abs(differences[differences != 0])
    observed = abs(float(np.sum(differences)))
    slack = rounding(sizes)
    if observed <= slack:
        return 1.0
    half = sizes.size // 2
    first, second = _signed_sums(sizes[:half]), np.sort(_signed_sums(sizes[half:]))
    least = observed - slack - first
    as_large = second.size * first.size - int(np.searchsorted(second, least).sum())
    # The sums are symmetric about 0.
    return 2 * as_large / 2.0 ** int(sizes.size)


def _signed_sums(sizes: Floats) -> Floats:
    sums: Floats = np.zeros(1)
    for size in sizes.tolist():
        sums = np.concatenate([sums - size, sums + size])
    return sums


def rounding(sizes: Floats) -> float:
    """Return by how much two sums of these sizes may differ and still count as equal.

    Examples
    --------
    >>> rounding(np.array([1.0, 3.0]))
    4e-12
    """
    return _ROUNDING * float(np.sum(np.abs(sizes)))


def draw_signs(rows: int, columns: int, rng: np.random.Generator) -> Floats:
    """Return signs, -1 or 1, drawn by a fair coin.

    Examples
    --------
    >>> draw_signs(2, 9, np.random.default_rng(0)).shape
    (2, 9)
    """
    octets = rng.integers(256, size=(rows, -(-columns // 8)), dtype=np.uint8)
    bits = np.unpackbits(octets, axis=1, count=columns)
    signs: Floats = 2 * bits.astype(np.float64) - 1
    return signs


def sign_test(better: int, worse: int) -> float:
    """Return the probability that a fair coin falls at least as unevenly, on either side.

    Parameters
    ----------
    better, worse : int
        How often the one and how often the other was ahead.

    Examples
    --------
    >>> sign_test(5, 0), sign_test(3, 1), sign_test(2, 2), sign_test(0, 0)
    (0.0625, 0.625, 1.0, 1.0)

    Notes
    -----
    Time O(n) for n = better + worse.
    """
    n, fewer = better + worse, min(better, worse)
    if better == worse:
        return 1.0
    if n <= _WHOLE_UP_TO:
        return 2 * sum(math.comb(n, k) for k in range(fewer + 1)) / (1 << n)
    k = np.arange(1, fewer + 1)
    logarithms = np.concatenate([[0.0], np.cumsum(np.log((n - k + 1) / k))]) - n * math.log(2)
    largest = float(logarithms[-1])
    total = largest + math.log(2 * float(np.sum(np.exp(logarithms - largest))))
    return min(1.0, max(math.exp(total), _LEAST))


def sampled_p_values(as_extreme: Numbers, samples: int) -> Floats:
    """Return p-values for how many samples were as extreme; what was observed is one more.

    Examples
    --------
    >>> sampled_p_values(np.array([0, 9]), 9).tolist()
    [0.1, 1.0]
    """
    p: Floats = (as_extreme + 1) / (samples + 1)
    return p
