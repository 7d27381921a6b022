"""Counting over the layers of ideals: how many ways lead to an ideal, and how many lead on.

Idea: *the linear extensions that place item i when the ideal I is on top are the ways to order I,
times the ways to order what remains without i.* The first number is passed on from the empty ideal
forwards, the second from the full one backwards; their products, summed up, are all that is asked.

A float holds numbers far beyond 64!, which is below 1.3e89, so that nothing needs scaling. A single
exact count is added up in limbs of 57 bits, of which 64 sum up within a word. Exact sums of
products are found modulo several primes below 2**26, or less where a layer has more than 2**27
ideals, so that floats are exact integers.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.progress import track
from porank.order.ideal_layers import WORD, Steps, layers_of, transitions
from porank.order.walkers import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from porank.order.ideal_layers import Words
    from porank.order.parts import Part
    from porank.typing import Floats, Numbers

#: The bits of a limb: as many limbs as a word has bits sum up below 2**63.
_LIMB = 63 - (WORD - 1).bit_length()
#: Whole numbers up to this are exact in a float.
_EXACT = 1 << 53
#: Two residues below this multiply to an exact number.
_RESIDUES = 1 << 26
#: The modulus that changes nothing.
_NO_MODULUS = math.inf


def count_paths(
    steps: Steps, layers: Iterable[Words], *, progress: bool = False
) -> tuple[int, int]:
    """Return the number of linear extensions and of ideals, holding two layers at once.

    Examples
    --------
    >>> import porank as po
    >>> from porank.core.compiled_order import compile_order
    >>> from porank.order.decomposition import decompose
    >>> N = Steps(decompose(compile_order(po.parse("a > c; b > c; b > d")))[0])
    >>> count_paths(N, layers_of(N, max_ideals=100))
    (5, 8)

    Notes
    -----
    Time O(n) words for each ideal and limb; memory that of two layers.
    """
    limbs, ideals = [np.ones(1, dtype=np.uint64)], 1
    pairs = pairwise(layers)
    for k in track(range(steps.n), progress=progress, label="counting"):
        layer, following = next(pairs)
        sums = [np.zeros(following.size, dtype=np.uint64) for _ in limbs]
        for _, before, after in transitions(steps, k, layer, following):
            for limb, total in zip(limbs, sums, strict=True):
                total[after] += limb[before]
        limbs = _carried(sums)
        ideals += following.size
    return sum(int(limb[0]) << _LIMB * place for place, limb in enumerate(limbs)), ideals


def _carried(sums: list[Words]) -> list[Words]:
    """Return the same numbers in limbs of `_LIMB` bits, lowest first, one more if it is needed."""
    limbs = []
    carry = np.zeros_like(sums[0])
    for limb in sums:
        total = limb + carry
        carry = total >> np.uint64(_LIMB)
        limbs.append(total & np.uint64((1 << _LIMB) - 1))
    return [*limbs, carry] if carry.any() else limbs


class WordIdeals:
    """All ideals of a part of up to 64 items, and what is counted over them.

    The items are numbered as in `Steps`, from the top.

    Examples
    --------
    >>> import porank as po
    >>> from porank.core.compiled_order import compile_order
    >>> from porank.order.decomposition import decompose
    >>> N = WordIdeals(decompose(compile_order(po.parse("a > c; b > c; b > d")))[0], max_ideals=100)
    >>> N.count_ideals(), N.count_extensions()
    (8, 5)
    >>> N.exact_rank_counts().tolist()
    [[3, 2, 0, 0], [2, 2, 1, 0], [0, 1, 2, 2], [0, 0, 2, 3]]
    """

    def __init__(self, part: Part, *, max_ideals: int, progress: bool = False) -> None:
        self.n = part.size
        self.steps = Steps(part)
        layers = layers_of(self.steps, max_ideals=max_ideals)
        self.layers = [next(layers)]
        for _ in track(range(self.n), progress=progress, label="listing ideals"):
            self.layers.append(next(layers))
        self._progress = progress
        self._backward: list[Floats] = []
        self._count = 0

    def count_ideals(self) -> int:
        """Return the number of ideals."""
        return sum(layer.size for layer in self.layers)

    def count_extensions(self) -> int:
        """Return the exact number of linear extensions."""
        if not self._count:
            self._count, _ = count_paths(self.steps, self.layers, progress=self._progress)
        return self._count

    def rank_matrix(self) -> Floats:
        """Return the probability of item i to stand at position p, both counted from 0."""
        matrix: Floats = self._rank_sums(_NO_MODULUS) / self._ways_onward()[0][0]
        return matrix

    def exact_rank_counts(self) -> NDArray[Any]:
        """Return the number of linear extensions with item i at position p."""
        return self._exactly(self._rank_sums)

    def mutual_matrix(self) -> Floats:
        """Return the probability of item i to stand above item j."""
        matrix: Floats = self._mutual_sums(_NO_MODULUS) / self._ways_onward()[0][0]
        return matrix

    def exact_mutual_counts(self) -> NDArray[Any]:
        """Return the number of linear extensions with item i above item j."""
        return self._exactly(self._mutual_sums)

    def draw(self, uniform: Floats) -> Numbers:
        """Return linear extensions, one for each row of n random numbers from [0, 1).

        All of them walk through the layers together; an item is taken with the share of the ways
        onward that begin with it.
        """
        return walk(self.steps, self.layers, self._ways_onward(), uniform)

    def _ways_onward(self) -> list[Floats]:
        """Return for each ideal, layer by layer, in how many ways the other items can follow."""
        if not self._backward:
            self._backward = self._passed_backward(_NO_MODULUS)
        return self._backward

    def _passed_backward(self, modulus: float) -> list[Floats]:
        onward = [np.ones(1)]
        for k in self._tracked(range(self.n - 1, -1, -1), modulus, "counting back"):
            ways = np.zeros(self.layers[k].size)
            for _, before, after in self._transitions(k):
                ways[before] += onward[-1][after]
            onward.append(_residues(ways, modulus))
        return onward[::-1]

    def _weights(self, modulus: float) -> Iterator[tuple[int, int, Numbers, Floats]]:
        """Yield a layer, an item, the ideals it is added to, and how many extensions do so."""
        without = modulus == _NO_MODULUS
        onward = self._ways_onward() if without else self._passed_backward(modulus)
        ways = np.ones(1)
        for k in self._tracked(range(self.n), modulus, "counting on"):
            following = np.zeros(self.layers[k + 1].size)
            for i, before, after in self._transitions(k):
                so_far = ways[before]
                following[after] += so_far
                yield k, i, before, _residues(so_far * onward[k + 1][after], modulus)
            ways = _residues(following, modulus)

    def _rank_sums(self, modulus: float) -> Floats:
        sums = np.zeros((self.n, self.n))
        for k, i, _, weights in self._weights(modulus):
            sums[i, k] = weights.sum()
        return _residues(sums, modulus)

    def _mutual_sums(self, modulus: float) -> Floats:
        """Sum up the weights of item j by each octet of the ideals, then by the bits in these."""
        by_octet = np.zeros((self.n, 8, 256))
        for k, j, before, weights in self._weights(modulus):
            octets = self.layers[k][before].astype("<u8").view(np.uint8).reshape(-1, 8)
            for place in range((self.n + 7) // 8):
                by_octet[j, place] += np.bincount(octets[:, place], weights, minlength=256)
            by_octet[j] = _residues(by_octet[j], modulus)
        bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
        sums = (by_octet @ bits.astype(float)).reshape(self.n, 64)[:, : self.n].T
        return _residues(sums, modulus)

    def _transitions(self, k: int) -> Iterator[tuple[int, Numbers, Numbers]]:
        return transitions(self.steps, k, self.layers[k], self.layers[k + 1])

    def _tracked(self, layers: range, modulus: float, label: str) -> Iterable[int]:
        """Return the layers with a bar, unless there is one for all moduli."""
        return track(layers, progress=self._progress and modulus == _NO_MODULUS, label=label)

    def _exactly(self, sums: Callable[[float], Floats]) -> NDArray[Any]:
        """Return sums as integers, from their residues modulo primes that exceed the count."""
        exact = np.zeros((self.n, self.n), dtype=object)
        product = 1
        largest = max(layer.size for layer in self.layers)
        primes = _primes_beyond(self.count_extensions(), below=_limit_of_residues(largest))
        for prime in track(primes, progress=self._progress, label="counting exactly"):
            residues = sums(prime).astype(np.int64).astype(object)
            exact += product * ((residues - exact) * pow(product, -1, prime) % prime)
            product *= prime
        return exact


def _residues(numbers: Floats, modulus: float) -> Floats:
    return numbers if modulus == _NO_MODULUS else np.fmod(numbers, modulus)


def _limit_of_residues(terms: int) -> int:
    """Return the number below which so many residues sum up, and two multiply, exactly.

    Examples
    --------
    >>> [_limit_of_residues(terms).bit_length() - 1 for terms in (1, 2**27, 2**28, 2**30)]
    [26, 26, 25, 23]
    """
    return min(_RESIDUES, _EXACT // terms)


def _primes_beyond(number: int, *, below: int) -> list[int]:
    """Return the largest odd primes below a limit, as many as have a product above a number.

    Examples
    --------
    >>> _primes_beyond(1000, below=20)
    [19, 17, 13]
    """
    primes: list[int] = []
    for candidate in range(below - 1 - below % 2, 2, -2):
        if math.prod(primes) > number:
            break
        if all(candidate % d for d in range(3, math.isqrt(candidate) + 1, 2)):
            primes.append(candidate)
    return primes
